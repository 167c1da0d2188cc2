// A name under which kernels include the headers.
#ifndef PTO_NPU_A5_CUSTOM_TSYNCCVID_HPP
#define PTO_NPU_A5_CUSTOM_TSYNCCVID_HPP

#include "pto/pto-inst.hpp"

#endif
