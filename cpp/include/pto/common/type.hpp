// A name under which kernels include the headers.
#ifndef PTO_COMMON_TYPE_HPP
#define PTO_COMMON_TYPE_HPP

#include "pto/pto-inst.hpp"

#endif
