// A name under which kernels include the headers.
#ifndef PTO_COMMON_MEMORY_HPP
#define PTO_COMMON_MEMORY_HPP

#include "pto/pto-inst.hpp"

#endif
