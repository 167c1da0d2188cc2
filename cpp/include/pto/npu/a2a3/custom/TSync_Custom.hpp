// A name under which kernels include the headers.
#ifndef PTO_NPU_A2A3_CUSTOM_TSYNC_CUSTOM_HPP
#define PTO_NPU_A2A3_CUSTOM_TSYNC_CUSTOM_HPP

#include "pto/pto-inst.hpp"

#endif
