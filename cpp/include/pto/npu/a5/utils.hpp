// A name under which kernels include the headers.
#ifndef PTO_NPU_A5_UTILS_HPP
#define PTO_NPU_A5_UTILS_HPP

#include "pto/pto-inst.hpp"

#endif
