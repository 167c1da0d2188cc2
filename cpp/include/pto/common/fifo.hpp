// A name under which kernels include the headers.
#ifndef PTO_COMMON_FIFO_HPP
#define PTO_COMMON_FIFO_HPP

#include "pto/pto-inst.hpp"

#endif
