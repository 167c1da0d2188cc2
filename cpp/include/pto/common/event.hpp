// A name under which kernels include the headers.
#ifndef PTO_COMMON_EVENT_HPP
#define PTO_COMMON_EVENT_HPP

#include "pto/pto-inst.hpp"

#endif
