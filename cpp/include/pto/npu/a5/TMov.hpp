// A name under which kernels include the headers.
#ifndef PTO_NPU_A5_TMOV_HPP
#define PTO_NPU_A5_TMOV_HPP

#include "pto/pto-inst.hpp"

#endif
