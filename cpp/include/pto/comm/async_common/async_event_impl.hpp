// A name under which kernels include the headers.
#ifndef PTO_COMM_ASYNC_COMMON_ASYNC_EVENT_IMPL_HPP
#define PTO_COMM_ASYNC_COMMON_ASYNC_EVENT_IMPL_HPP

#include "pto/pto-inst.hpp"

#include "pto/collective.hpp"

#endif
