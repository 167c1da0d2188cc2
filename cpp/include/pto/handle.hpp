// State of a tile object: the address of its first element, and the call that assigned it. Copies name the same bytes.
#ifndef PTO_HANDLE_HPP
#define PTO_HANDLE_HPP

#include "pto/enumerations.hpp"
#include "pto/keywords.hpp"
#include "pto/pto.h"

#include <cstdint>

namespace pto {
namespace detail {

inline __attribute__((noinline, visibility("hidden"))) void assign_address(pto_tile *tile, std::uint64_t address) {
    pto_assign(tile, address, __builtin_return_address(0));
}

inline __attribute__((noinline, visibility("hidden"))) void give_memory(pto_tile *tile, std::uint64_t bytes) {
    pto_automatic(tile, bytes, __builtin_return_address(0));
}

/// The name of bytes in a buffer. In automatic mode they are memory of its own, which lives as long as an object names it.
template <TileType Loc, typename Element>
class Handle {
  public:
    /// The address of the first element, in the memory of the block.
    Element *&data() { return data_; }
    Element *const &data() const { return data_; }

    /// The tile as the library sees it.
    pto_tile state(int rows = 0, int cols = 0) const {
        return {static_cast<void *>(data_),
                place_,
                serial_,
                static_cast<std::uint32_t>(rows),
                static_cast<std::uint32_t>(cols),
                static_cast<std::uint32_t>(Loc)};
    }

    /// Takes address and identity that the library has given.
    void take(const pto_tile &tile) {
        data_ = static_cast<Element *>(tile.data);
        place_ = tile.place;
        serial_ = tile.serial;
    }

    /// Becomes another name of a tile.
    void rename(const pto_tile &tile) {
#ifdef __PTO_AUTO__
        const pto_tile own = state();
        pto_retain(&tile);
        pto_release(&own);
#endif
        take(tile);
    }

  protected:
#ifdef __PTO_AUTO__
    PTO_INST explicit Handle(std::uint64_t bytes) {
        pto_tile tile = state();
        give_memory(&tile, bytes);
        take(tile);
    }
    PTO_INST Handle(const Handle &other) {
        take(other.state());
        const pto_tile own = state();
        pto_retain(&own);
    }
    PTO_INST Handle &operator=(const Handle &other) {
        rename(other.state());
        return *this;
    }
    PTO_INST ~Handle() {
        const pto_tile own = state();
        pto_release(&own);
    }
#else
    // Without a compiler that places tiles, an address is given by TASSIGN.
    PTO_INST explicit Handle(std::uint64_t) {}
    Handle(const Handle &) = default;
    /// A tile that has no address gives none: kernels assign a new tile to change the valid region.
    PTO_INST Handle &operator=(const Handle &other) {
        if (other.data_ != nullptr) {
            take(other.state());
        }
        return *this;
    }
#endif

  private:
    Element *data_ = nullptr;
    const void *place_ = nullptr;
    std::uint32_t serial_ = 0;
};

} // namespace detail
} // namespace pto

#endif
