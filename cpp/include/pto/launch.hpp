// Launches. The driver rewrites `kernel<<<blocks, nullptr, stream>>>(arguments)` to
// `pto::launch(pto::Config(blocks, nullptr, stream), kernel)(arguments)`.
#ifndef PTO_LAUNCH_HPP
#define PTO_LAUNCH_HPP

#include "pto/keywords.hpp"
#include "pto/pto.h"
#include "pto/synchronize.hpp"

#include <cstdint>
#include <exception>
#include <tuple>

namespace pto {

/// Arguments between `<<<` and `>>>`. Launches run to their end at once, so streams order nothing more.
struct Config {
    std::uint32_t blocks;

    template <typename Blocks, typename... Rest>
    constexpr explicit Config(Blocks blocks, const Rest &...) : blocks(static_cast<std::uint32_t>(blocks)) {}
};

namespace detail {

/// The target of this compilation.
PTO_INST constexpr const char *target() {
#if defined(PTO_TARGET_A5)
    return "a5";
#elif defined(PTO_TARGET_A2A3)
    return "a2a3";
#else
    return "cpu";
#endif
}

/// The kind of cores for which kernels of this compilation are, and whether a compiler would place and order.
PTO_INST constexpr std::uint32_t cores() {
#ifdef __PTO_AUTO__
    constexpr std::uint32_t automatic = PTO_AUTOMATIC;
#else
    constexpr std::uint32_t automatic = 0;
#endif
#if defined(PTO_CORES_MIXED)
    return PTO_MIXED | automatic;
#elif defined(PTO_CORES_VECTOR)
    return PTO_VECTOR | automatic;
#elif defined(PTO_CORES_CUBE)
    return PTO_CUBE | automatic;
#else
    return PTO_MIXED | automatic;
#endif
}

// Each shared object has its own copy of the following definitions, independent of other loaded objects.
#if defined(__GNUC__)
#define PTO_OF_THIS_FILE __attribute__((visibility("hidden")))
#else
#define PTO_OF_THIS_FILE
#endif

/// A function by whose address the library finds the file of this code.
PTO_OF_THIS_FILE inline void of_this_file() {}

/// Threads outside of launches call this code as cores of its kind, and of the vector kind if it has none.
PTO_OF_THIS_FILE inline const bool unit_is_known = [] {
    const std::uint32_t automatic = cores() & PTO_AUTOMATIC;
#ifdef __DAV_CUBE__
    const std::uint32_t alone = PTO_CUBE;
#else
    const std::uint32_t alone = PTO_VECTOR;
#endif
#if defined(PTO_CORES_MIXED)
    (void)alone;
    pto_unit(target(), PTO_MIXED | automatic, reinterpret_cast<const void *>(&of_this_file));
#else
    pto_unit(target(), alone | automatic, reinterpret_cast<const void *>(&of_this_file));
#endif
    return true;
}();

/// A kernel that waits for its arguments.
template <typename... Parameters>
class Launch {
  public:
    using Kernel = void (*)(Parameters...);

    constexpr Launch(Config config, Kernel kernel) : config_(config), kernel_(kernel) {}

    /// Runs the kernel on all cores of all blocks. Arguments are converted as in a call.
    PTO_INST void operator()(Parameters... arguments) const {
        Closure closure{kernel_, std::tuple<Parameters...>(arguments...)};
        // The result is false after a finding that stopped the launch. The library has printed the finding.
        (void)pto_launch(config_.blocks, target(), cores(), &Closure::run, &closure);
    }

  private:
    struct Closure {
        Kernel kernel;
        std::tuple<Parameters...> arguments;

        static void run(void *closure) {
            core_state = CoreState();
            // Each core has its own copy: a kernel may change its parameters.
            const auto &self = *static_cast<const Closure *>(closure);
            const auto kernel = reinterpret_cast<Kernel>(
                const_cast<void *>(pto_entry(reinterpret_cast<const void *>(self.kernel))));
#ifdef __cpp_exceptions
            // No exception leaves a kernel: its core has no caller that could catch it.
            try {
                std::apply([&](Parameters... own) { kernel(own...); }, self.arguments);
            } catch (const std::exception &exception) {
                pto_exception(exception.what());
            } catch (...) {
                pto_exception("an exception of its own type");
            }
#else
            std::apply([&](Parameters... own) { kernel(own...); }, self.arguments);
#endif
        }
    };

    Config config_;
    Kernel kernel_;
};

} // namespace detail

/// A launch of a kernel, which is called with the arguments of the kernel.
template <typename... Parameters>
constexpr detail::Launch<Parameters...> launch(Config config, void (*kernel)(Parameters...)) {
    return {config, kernel};
}

} // namespace pto

#endif
