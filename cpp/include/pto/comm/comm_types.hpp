// A name under which kernels include the headers.
#ifndef PTO_COMM_COMM_TYPES_HPP
#define PTO_COMM_COMM_TYPES_HPP

#include "pto/pto-inst.hpp"

#include "pto/collective.hpp"

#endif
