// A name under which kernels include the headers.
#ifndef PTO_COMMON_CPU_STUB_HPP
#define PTO_COMMON_CPU_STUB_HPP

#include "pto/pto-inst.hpp"

#endif
