// Prints the return address of each call, relative to the program, and the line that it should be on.
#include <pto/pto-inst.hpp>

#include <cstdio>

using namespace pto;

extern "C" char __executable_start;

namespace {

using TileT = Tile<TileType::Vec, float, 16, 64>;

int line = 0;

void print(const void *place) {
    const auto address = reinterpret_cast<std::uintptr_t>(place) - reinterpret_cast<std::uintptr_t>(&__executable_start);
    // The byte before a return address belongs to the call.
    std::printf("%zx %d\n", static_cast<std::size_t>(address) - 1, line);
}

__attribute__((noinline)) void kernel(TileT &a, TileT &b) {
    line = __LINE__ + 1;
    TASSIGN(a, 0x0);
    line = __LINE__ + 1;
    TADD(a, a, b);
    line = __LINE__ + 1;
    TCVT(a, b, RoundMode::CAST_RINT);
    line = __LINE__ + 1;
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    line = __LINE__ + 1;
    a.SetValue(0, b.GetValue(1));
}

// Without operands and at its end: a jump, if nothing followed.
__attribute__((noinline)) void barrier() {
    line = __LINE__ + 1;
    pipe_barrier(PIPE_ALL);
}

} // namespace

int main() {
    TileT a, b;
    kernel(a, b);
    barrier();
}

void pto_call(const pto_form *, const std::uint64_t *, std::uint64_t *result, const void *place) {
    if (result != nullptr) {
        *result = 0;
    }
    print(place);
}
void pto_assign(pto_tile *, std::uint64_t, const void *place) { print(place); }
void pto_automatic(pto_tile *, std::uint64_t, const void *) {}
void pto_retain(const pto_tile *) {}
void pto_release(const pto_tile *) {}
std::uint64_t pto_fact(std::uint32_t) { return 0; }
void pto_unit(const char *, std::uint32_t, const void *) {}
