// Pipes over a grid of ranks, `GridPipe`: no part of the registry of tile instructions. An include does not compile, with a sentence that
// says so.
#ifndef PTO_NPU_A2A3_GRID_HPP
#define PTO_NPU_A2A3_GRID_HPP

#error "grids of ranks (GridPipe) are no part of the registry of tile instructions: use TPipe between the cores of a block, and the instructions of pto::comm between ranks"

#endif
