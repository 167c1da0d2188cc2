// A stand-in for the library: prints each call as `pattern`, a tab, the number of operands, and a tab and a text for each
// text of its form. Buffers are arrays, and nothing is computed.
#include "pto/pto.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr std::uint32_t buffers = 16;
constexpr std::size_t buffer_bytes = 1 << 20;
alignas(64) unsigned char memory[buffers][buffer_bytes];

std::uint32_t serials = 0;
std::uint64_t automatic_bytes = 0;
std::int64_t names_of_memory = 0;
std::uint32_t block = 0;
std::uint32_t block_count = 1;

void require(bool condition, const char *what) {
    if (!condition) {
        std::fprintf(stderr, "recorder: %s\n", what);
        std::exit(1);
    }
}

} // namespace

void pto_call(const pto_form *form, const std::uint64_t *words, std::uint64_t *result, const void *place) {
    require(place != nullptr, "a call has a place");
    require(form->operands == 0 || words != nullptr, "operands have words");
    std::printf("%s\t%u", form->pattern, form->operands);
    for (std::uint32_t at = 0; at < form->count; ++at) {
        std::printf("\t%s", form->texts[at]);
        if (at < form->operands && std::strncmp(form->texts[at], "!pto.tile_buf", 13) == 0) {
            const auto *tile = reinterpret_cast<const pto_tile *>(words[at]);
            require(tile->buffer < buffers && tile->rows < 0x10000 && tile->cols < 0x10000, "a tile has a state");
        }
    }
    std::printf("\n");
    if (result != nullptr) {
        *result = 0;
    }
}

void pto_assign(pto_tile *tile, std::uint64_t address, const void *place) {
    unsigned char *const base = memory[tile->buffer];
    const auto start = reinterpret_cast<std::uintptr_t>(base);
    const bool is_pointer = address >= start && address < start + buffer_bytes;
    require(is_pointer || address < buffer_bytes, "an address is an offset or a pointer into the buffer");
    tile->data = is_pointer ? reinterpret_cast<void *>(address) : base + address;
    tile->place = place;
    tile->serial = ++serials;
}

void pto_automatic(pto_tile *tile, std::uint64_t bytes, const void *place) {
    tile->data = memory[tile->buffer] + automatic_bytes % (buffer_bytes / 2);
    automatic_bytes += bytes;
    tile->place = place;
    tile->serial = ++serials;
    ++names_of_memory;
}

void pto_retain(const pto_tile *tile) {
    require(tile->serial != 0, "a retained tile has memory");
    ++names_of_memory;
}

void pto_release(const pto_tile *tile) {
    require(tile->serial != 0, "a released tile has memory");
    --names_of_memory;
    require(names_of_memory >= 0, "memory is released once");
}

void *pto_buffer(std::uint32_t buffer) { return memory[buffer]; }

std::uint64_t pto_fact(std::uint32_t what) {
    return what == PTO_BLOCK_INDEX ? block : what == PTO_BLOCK_COUNT ? block_count : 0;
}

std::int32_t pto_launch(std::uint32_t blocks, const char *, std::uint32_t, void (*run)(void *), void *closure) {
    block_count = blocks;
    for (block = 0; block < blocks; ++block) {
        run(closure);
    }
    require(names_of_memory == 0, "a kernel leaves no automatic tiles");
    return 0;
}

const void *pto_entry(const void *kernel) { return kernel; }

std::int32_t pto_ranks(std::uint32_t count, void (*run)(void *, std::uint32_t), void *closure) {
    for (std::uint32_t rank = 0; rank < count; ++rank) {
        run(closure, rank);
    }
    return 0;
}

void pto_meet() {}
void pto_join(std::uint64_t, std::uint32_t) {}
void pto_unit(const char *target, std::uint32_t, const void *code) {
    require(target != nullptr && code != nullptr, "a unit has a target and code");
}

void pto_exception(const char *what) { require(false, what); }
void *pto_allocate(std::uint64_t bytes) { return std::calloc(bytes, 1); }

std::int32_t pto_free(void *pointer) {
    std::free(pointer);
    return 0;
}

void pto_wrote(const void *, std::uint64_t) {}
