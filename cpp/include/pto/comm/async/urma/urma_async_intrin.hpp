// A name under which kernels include the headers.
#ifndef PTO_COMM_ASYNC_URMA_URMA_ASYNC_INTRIN_HPP
#define PTO_COMM_ASYNC_URMA_URMA_ASYNC_INTRIN_HPP

#include "pto/pto-inst.hpp"

#include "pto/collective.hpp"

#endif
