/* What PTO kernels use of AscendC. */
#ifndef PTO_KERNEL_OPERATOR_H
#define PTO_KERNEL_OPERATOR_H

#include "pto/pto-inst.hpp"

#ifndef GM_ADDR
#define GM_ADDR std::uint8_t *
#endif

// The kind of cores is that of the compilation.
#define KERNEL_TASK_TYPE_DEFAULT(type)

namespace AscendC {

// Kernels name it beside that of namespace pto, and mean the same.
using pto::GlobalTensor;

PTO_INST std::int64_t GetBlockNum() { return get_block_num(); }
PTO_INST std::int64_t GetBlockIdx() { return get_block_idx(); }

} // namespace AscendC

#endif
