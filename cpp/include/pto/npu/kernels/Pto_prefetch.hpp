// A prefetch by the host, which changes no value.
#ifndef PTO_NPU_KERNELS_PTO_PREFETCH_HPP
#define PTO_NPU_KERNELS_PTO_PREFETCH_HPP

#include "acl/acl.h"

#include <cstdint>

namespace pto {

template <bool UseSdma = true, int AivCores = -1>
inline void PTO_PREFETCH(void *, std::uint64_t, aclrtStream) {}

} // namespace pto

using pto::PTO_PREFETCH;

#endif
