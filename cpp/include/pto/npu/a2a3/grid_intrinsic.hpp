// Pipes over a grid of ranks, which are refused.
#ifndef PTO_NPU_A2A3_GRID_INTRINSIC_HPP
#define PTO_NPU_A2A3_GRID_INTRINSIC_HPP

#include "pto/npu/a2a3/grid.hpp"

#endif
