// A name under which kernels include the headers.
#ifndef PTO_COMM_PTO_COMM_INST_HPP
#define PTO_COMM_PTO_COMM_INST_HPP

#include "pto/pto-inst.hpp"

#include "pto/collective.hpp"

#endif
