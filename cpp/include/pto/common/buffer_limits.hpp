// A name under which kernels include the headers.
#ifndef PTO_COMMON_BUFFER_LIMITS_HPP
#define PTO_COMMON_BUFFER_LIMITS_HPP

#include "pto/pto-inst.hpp"

#endif
