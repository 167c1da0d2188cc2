// A name under which kernels include the headers.
#ifndef PTO_COMMON_CONSTANTS_HPP
#define PTO_COMMON_CONSTANTS_HPP

#include "pto/pto-inst.hpp"

#endif
