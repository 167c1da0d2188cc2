/* The C interface between kernels that are compiled with these headers and the library that runs them.
   A call passes one operation of the .pto dialect as text with its operands; see `pto_form`. */
#ifndef PTO_PTO_H
#define PTO_PTO_H

#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
/* Buffers of a block, in the order of TileType: Vec, Mat, Left, Right, Acc, Bias, Scaling, ScaleLeft, ScaleRight. */
typedef struct pto_tile {
    void *data;          /* host address of its first byte in the memory of the block; NULL: no address */
    const void *place;   /* return address of the TASSIGN that gave it the address */
    uint32_t serial;     /* identity: given by pto_assign / pto_automatic, kept by copies */
    uint32_t rows, cols; /* valid rows and columns now (also where static) */
    uint32_t buffer;     /* the TileType's number */
} pto_tile;

/* A convolution tile: a tile with up to six extents, outermost first; unused ones are 1. A `?` among the extents of its
   type is the extent here. */
typedef struct pto_conv_tile { pto_tile tile; uint32_t extents[6]; } pto_conv_tile;

typedef struct pto_tensor { void *data; int64_t shape[5]; int64_t stride[5]; } pto_tensor;

/* What a call site does, as text: an object that lives as long as its library, so it is read once. A place may call one of
   several forms, where a word is chosen at run time, and places share forms of operations without operands.
   In `pattern`, %0, %1 ... are the operands and @0, @1 ... are replaced by texts[0], texts[1] ...
   texts[i] for i < operands is the type of %i; later texts are words (attributes) that the pattern inserts.
   The pattern is one operation of the .pto dialect (a scalar result is named %result). An operation that defines an
   operand, `%0 = ...`, has its tile written; one that writes a vector<4xi16> names it %result among its operands. */
typedef struct pto_form { const char *pattern; const char *const *texts; uint32_t operands; uint32_t count; } pto_form;

/* words[i]: for a tile a pointer to its pto_tile; for a convolution tile to its pto_conv_tile; for a tensor a pointer to
   its pto_tensor; for a scalar its bits (zero or sign extended, floats as their bits); for a pointer the pointer.
   *result receives the bits of %result.
   place: return address in the user's code. Returns only if the call succeeded. */
void pto_call(const pto_form *form, const uint64_t *words, uint64_t *result, const void *place);

/* TASSIGN(tile, address): address is a byte offset in the tile's buffer, or a host pointer into it. */
void pto_assign(pto_tile *tile, uint64_t address, const void *place);
/* Automatic mode: gives a tile memory of `bytes` bytes; copies retain it, destructors release it. */
void pto_automatic(pto_tile *tile, uint64_t bytes, const void *place);
void pto_retain(const pto_tile *tile);
void pto_release(const pto_tile *tile);
/* Host address of byte 0 of a buffer of the running core. */
void *pto_buffer(uint32_t buffer);

enum pto_fact { PTO_BLOCK_INDEX, PTO_BLOCK_COUNT, PTO_SUBBLOCK_INDEX, PTO_SUBBLOCK_COUNT, PTO_CORE_INDEX, PTO_COUNTER };
uint64_t pto_fact(uint32_t what);

/* Kind of cores for which an object was compiled. */
enum pto_cores { PTO_VECTOR = 1, PTO_CUBE = 2, PTO_MIXED = 3 };
/* Launches a kernel: `run(closure)` is called on each core of each block; returns 0, or 1 if a finding stopped it.
   `target` is "a2a3", "a5" or "cpu"; `kernel` the address of the kernel function (its name in messages). */
int32_t pto_launch(const void *kernel, uint32_t blocks, const char *target, uint32_t cores, void (*run)(void *closure), void *closure);

/* Global memory. Allocated memory counts as unwritten until pto_wrote says otherwise (copies, memset). */
void *pto_allocate(uint64_t bytes);
int32_t pto_free(void *memory);
void pto_wrote(const void *memory, uint64_t bytes);
#ifdef __cplusplus
}
#endif

#endif
