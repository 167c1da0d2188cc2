// The interface between the C++ headers and libpto_c, written by cbindgen from crates/pto-c/src/abi.rs.

#ifndef PTO_H
#define PTO_H

#include <stdint.h>

/// A fact of the launch that a core asks for.
enum pto_fact_of
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /// The number of the block.
  PTO_BLOCK_INDEX,
  /// The number of blocks.
  PTO_BLOCK_COUNT,
  /// The index of the vector core in its block.
  PTO_SUBBLOCK_INDEX,
  /// The number of vector cores of a block.
  PTO_SUBBLOCK_COUNT,
  /// The number of the core on the device.
  PTO_CORE_INDEX,
  /// A number that rises with each question.
  PTO_COUNTER,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum pto_fact_of pto_fact_of;
#else
typedef uint32_t pto_fact_of;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/// Kinds of cores of `pto_launch`, as bits.
enum pto_cores
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /// Vector cores: a block is one of them.
  PTO_VECTOR = 1,
  /// The cube core.
  PTO_CUBE = 2,
  /// A cube core and two vector cores for each block.
  PTO_MIXED = 3,
  /// In addition: a compiler would place tiles and order pipes.
  PTO_AUTOMATIC = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum pto_cores pto_cores;
#else
typedef uint32_t pto_cores;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/// Operation of a call site, in the .pto dialect as text. A static object, read once for each place that calls it.
///
/// In `pattern`, `%0`, `%1`, ... are the operands, `%result` is a scalar result, and `@0`, `@1`, ... stand for texts. The first
/// `operands` texts are the types of the operands, later ones are words that the pattern inserts. Types are those of the dialect,
/// and for tensors `tensor<1x1x1x16x64xf32, strides = [1024, 1024, 1024, 64, 1], layout = nd>` with `?` for what is known at run time.
typedef struct pto_form {
  /// The operation.
  const char *pattern;
  /// The texts.
  const char *const *texts;
  /// Number of operands.
  uint32_t operands;
  /// Number of texts.
  uint32_t count;
} pto_form;

/// A tile as a kernel names it.
typedef struct pto_tile {
  /// Host address of its first byte in the memory of the block; null if it has none.
  void *data;
  /// Return address of the TASSIGN that gave it the address.
  const void *place;
  /// Its identity, which copies keep; given by `pto_assign` and `pto_automatic`.
  uint32_t serial;
  /// Valid rows now.
  uint32_t rows;
  /// Valid columns now.
  uint32_t cols;
  /// The number of its TileType.
  uint32_t buffer;
} pto_tile;

/// A view of global memory: five extents and five strides, in elements, outermost first.
typedef struct pto_tensor {
  /// Its first element.
  void *data;
  /// Extents.
  int64_t shape[5];
  /// Strides in elements.
  int64_t stride[5];
} pto_tensor;

/// A convolution tile: a tile with up to six extents, outermost first. A `?` among the extents of its type is the extent here.
typedef struct pto_conv_tile {
  /// The tile.
  struct pto_tile tile;
  /// The extents; unused ones are 1.
  uint32_t extents[6];
} pto_conv_tile;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/// Runs an operation on the running core. `words[i]` is for a tile a pointer to its `pto_tile`, for a tensor a pointer to its
/// `pto_tensor`, for a convolution tile to its `pto_conv_tile`, for a scalar its bits, for a pointer the pointer. `result` receives the bits of `%result`.
void pto_call(const struct pto_form *form,
              const uint64_t *words,
              uint64_t *result,
              const void *place);

/// Gives a tile an address: a byte offset in its buffer, or a host pointer into it.
void pto_assign(struct pto_tile *tile, uint64_t address, const void *place);

/// Gives a tile memory of its own, which copies retain and destructors release.
void pto_automatic(struct pto_tile *tile, uint64_t bytes, const void *place);

/// A copy names the memory of a tile.
void pto_retain(const struct pto_tile *tile);

/// A name of the memory of a tile ends; the last one gives it back.
void pto_release(const struct pto_tile *tile);

/// Host address of byte 0 of a buffer of the running core; null outside of a launch.
void *pto_buffer(uint32_t buffer);

/// A fact of the launch, by its number in `pto_fact_of`.
uint64_t pto_fact(uint32_t what);

/// Launches `blocks` blocks: calls `run(closure)` on each core of each block. `target` is `cpu`, `a2a3` or `a5`, `cores` 1 for
/// vector cores, 2 for the cube core, 3 for both. Returns 0, or 1 if a finding stopped it.
int32_t pto_launch(uint32_t blocks,
                   const char *target,
                   uint32_t cores,
                   void (*run)(void*),
                   void *closure);

/// Runs `run(closure, rank)` for each of so many ranks: devices whose launches run at the same time, each driven by a thread of its own.
/// Returns when all have ended: 0, or 1 if a finding stopped a launch.
int32_t pto_ranks(uint32_t count,
                  void (*run)(void*, uint32_t),
                  void *closure);

/// A rank waits until all ranks are here: what they launch later begins after all that they have launched.
void pto_meet(void);

/// The calling thread, which belongs to no launch, becomes a core until it ends: of the block that all threads with this number of a
/// `cluster` share, the cube core (`core` is 0) or one of the vector cores (1 and 2). To be called before its first instruction, by all such threads
/// of a process or by none, after code was loaded.
void pto_join(uint64_t cluster,
              uint32_t core);

/// Code was loaded that was compiled for a target and a kind of cores, as for `pto_launch`: what it calls on threads outside of launches is for these.
/// `code` is the address of a function in it: lines and symbols are read from its file when they are needed, also if it has been removed by then.
void pto_unit(const char *target,
              uint32_t cores,
              const void *code);

/// The function that the running core runs of a kernel: on the cube core of a mixed launch the one that was compiled for cube cores.
const void *pto_entry(const void *kernel);

/// A kernel ends by an exception, which the process cannot survive.
void pto_exception(const char *what);

/// Allocates global memory, which counts as unwritten; null if there is none.
void *pto_allocate(uint64_t bytes);

/// Frees memory of `pto_allocate`. Returns 0, or 1 for any other pointer.
int32_t pto_free(void *memory);

/// The host has written bytes of global memory.
void pto_wrote(const void *memory, uint64_t bytes);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PTO_H */
