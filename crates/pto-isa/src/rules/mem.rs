//! Rules of illegal memory accesses.

use crate::rule::Rule;

const MANUAL: &str = "docs/PTO_IR_manual.md of the public assembler";

family! {
    /// A store of two elements to one address.
    SELF_OVERLAP = Rule::of("mem", "self-overlap",
        "The elements of a view that is stored to do not overlap.", "docs/isa/tile/ops/memory-and-data-movement/tstore.md")
        .because("Which of two values remains depends on the order in which the device writes.")
        .instead("Give the view strides with which its elements do not overlap.");

    /// A use of a slot after it was freed.
    AFTER_FREE = Rule::of("mem", "after-free", "A popped tile is not used after its slot is freed.", MANUAL)
        .because("The slot may already hold the next entry.")
        .instead("Free the slot after the last use of the tile.");

    /// A tile in the reserved window at the end of UB on A2/A3.
    RESERVED_WINDOW = Rule::of("mem", "reserved-window",
        "No tile lives in the last 8 KB of UB on a2a3 while an instruction runs that uses these bytes.",
        "include/pto/npu/a2a3, TMP_UB_OFFSET; the page of the instruction")
        .because("The instruction overwrites the tile with intermediate results, and the tile is read afterwards.")
        .instead("Pass a `tmp` tile where the instruction takes one, or place the tile below 184 KB.");

    /// An accumulator whose writer and reader place column blocks differently.
    ACCUMULATOR_PITCH = Rule::of("mem", "accumulator-pitch",
        "On a2a3 and a5 the writer and the reader of an accumulator place its column blocks at the same pitch.",
        "include/pto/npu/{a2a3,a5}/TMatmul.hpp, arch/memory/tstore_common.hpp")
        .because("A product packs column blocks by the valid rows of its left factor; most readers expect the declared rows, \
             and read other elements from column 16 on.")
        .instead("Declare the accumulator with `compact=1` if its reader then takes the valid rows, or give the left factor \
             as many valid rows as the accumulator has declared rows.");

    /// A partition that ends beyond its view.
    BEYOND_VIEW = Rule::of("mem", "beyond-view", "A partition of a view ends within the view.", MANUAL)
        .because("Elements beyond the end of a dimension belong to the next row, or to no row.")
        .instead("Limit the size to the remaining extent of the view, for instance with `arith.minsi`.");

    /// Bytes shared by two values with overlapping live ranges.
    CLOBBERED = Rule::of("mem", "clobbered",
        "Bytes that were written through a tile are not overwritten before they are read through it.",
        "the public assembler's issue 844: a memory plan that reused a live range")
        .because("A tile of another allocation has overwritten the bytes in between, with other contents.")
        .instead("Give the two tiles disjoint addresses, or read the first one before the second is written.");
}
