/* A name under which kernels include the runtime. */
#ifndef PTO_RUNTIME_RT_FFTS_H
#define PTO_RUNTIME_RT_FFTS_H

#include "runtime/rt.h"

#endif
