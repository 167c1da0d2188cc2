// Pipes over a grid of ranks, `GridPipe`, which the registry of tile instructions does not contain. An include does not
// compile, and the error explains it.
#ifndef PTO_NPU_A2A3_GRID_HPP
#define PTO_NPU_A2A3_GRID_HPP

#error "grids of ranks (GridPipe) are no part of the registry of tile instructions: use TPipe between the cores of a block, and the instructions of pto::comm between ranks"

#endif
