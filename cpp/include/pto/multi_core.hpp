// Launches of a function object, as programs write them that have no launch syntax. The work decides on the number of
// blocks.
#ifndef PTO_MULTI_CORE_HPP
#define PTO_MULTI_CORE_HPP

#include "pto/launch.hpp"

#ifdef __CPU_SIM
// Programs that measure such launches do not include it themselves.
#include <chrono>
#endif
#include <cstdint>
#include <cstdlib>
#include <type_traits>

namespace pto {
namespace cpu_sim {

/// Facts of a launch. A value of 0 is unknown.
struct KernelLaunchOptions {
    const char *kernel_name = "";
    std::uint32_t requested_cores = 0;
    std::uint64_t total_work_items = 0;
    /// Items that a block does at once.
    std::uint64_t work_quantum = 1;
    std::uint32_t subblocks_per_block = 1;
    std::uint32_t explicit_block_count = 0;
};

/// The number of blocks: one for each quantum of work, but no more than cores are requested, by the options, by the
/// environment, or 4.
inline std::uint32_t block_count(const KernelLaunchOptions &options) {
    if (options.explicit_block_count != 0) {
        return options.explicit_block_count;
    }
    std::uint64_t cores = options.requested_cores;
    if (cores == 0) {
        const char *wanted = std::getenv("PTO_CPU_SIM_NUM_CORES");
        cores = wanted == nullptr ? 4 : std::strtoul(wanted, nullptr, 10);
    }
    const std::uint64_t quantum = options.work_quantum == 0 ? 1 : options.work_quantum;
    const std::uint64_t work = options.total_work_items / quantum + (options.total_work_items % quantum != 0);
    if (options.total_work_items != 0 && work < cores) {
        cores = work;
    }
    return cores == 0 ? 1 : static_cast<std::uint32_t>(cores);
}

/// Calls a function object on each core of each block.
template <typename Kernel>
void LaunchKernelMultiCore(const KernelLaunchOptions &options, void * /* stream */, Kernel &&kernel) {
    using Object = std::remove_reference_t<Kernel>;
    struct Closure {
        Object *object;
        static void run(void *closure) { (*static_cast<const Closure *>(closure)->object)(); }
    };
    Closure closure{&kernel};
    (void)pto_launch(block_count(options), detail::target(), detail::cores(), &Closure::run, &closure);
}

} // namespace cpu_sim
} // namespace pto

#endif
