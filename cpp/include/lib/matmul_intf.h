/* A name under which kernels include AscendC. */
#ifndef PTO_LIB_MATMUL_INTF_H
#define PTO_LIB_MATMUL_INTF_H

#include "kernel_operator.h"

#endif
