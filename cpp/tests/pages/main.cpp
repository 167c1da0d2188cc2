// Runs the examples of a page.
#include <pto/pto-inst.hpp>

void example_auto();
void example_manual();
void example_indexed();

int main() {
#ifdef __PTO_AUTO__
    pto::launch(pto::Config(1, nullptr, nullptr), example_auto)();
#else
    pto::launch(pto::Config(1, nullptr, nullptr), example_manual)();
#endif
#ifdef INDEXED
    pto::launch(pto::Config(1, nullptr, nullptr), example_indexed)();
#endif
}
