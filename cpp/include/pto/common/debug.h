/* A name under which kernels include the headers. */
#ifndef PTO_COMMON_DEBUG_H
#define PTO_COMMON_DEBUG_H

#include "pto/pto-inst.hpp"

#endif
