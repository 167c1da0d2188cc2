/* The runtime under the name by which programs include it. Others declare its functions, and constants of these names, themselves. */
#ifndef PTO_RUNTIME_RT_H
#define PTO_RUNTIME_RT_H

#include "runtime/functions.h"

enum : rtError_t { RT_ERROR_NONE = 0 };

#define RT_STREAM_PRIORITY_DEFAULT 0

#endif
