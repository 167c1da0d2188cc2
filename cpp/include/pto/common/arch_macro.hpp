// A name under which kernels include the headers.
#ifndef PTO_COMMON_ARCH_MACRO_HPP
#define PTO_COMMON_ARCH_MACRO_HPP

#include "pto/pto-inst.hpp"

#endif
