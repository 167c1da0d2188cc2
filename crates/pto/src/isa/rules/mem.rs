//! Places that a program must not use.

use crate::isa::rule::Rule;

const MANUAL: &str = "docs/PTO_IR_manual.md of the public assembler";

family! {
    /// A store of two elements to one place.
    SELF_OVERLAP = Rule::of("mem", "self-overlap",
        "The elements of a view that is stored to have places of their own.", "docs/isa/tile/ops/memory-and-data-movement/tstore.md")
        .because("Which of two values remains depends on the order in which the device writes.")
        .instead("Give the view strides that keep its elements apart.");

    /// A slot that was given back.
    AFTER_FREE = Rule::of("mem", "after-free", "A popped tile is not used after its slot is freed.", MANUAL)
        .because("The next entry may be in the slot by then.")
        .instead("Free the slot after the last use of the tile.");

    /// The end of UB on A2/A3.
    RESERVED_WINDOW = Rule::of("mem", "reserved-window",
        "No tile lives in the last 8 KB of UB on a2a3 while an instruction runs that uses them.",
        "include/pto/npu/a2a3, TMP_UB_OFFSET; the page of the instruction")
        .because("The instruction keeps intermediate results there, and the tile is read afterwards.")
        .instead("Pass a `tmp` tile where the instruction takes one, or place the tile below 184 KB.");

    /// A part that is cut out of a view and ends beyond it.
    BEYOND_VIEW = Rule::of("mem", "beyond-view", "A part of a view ends within it.", MANUAL)
        .because("Elements beyond a dimension are those of the next row, or of no row at all.")
        .instead("Limit the size to what the view has left, for instance with `arith.minsi`.");

    /// A place that two values need at once.
    CLOBBERED = Rule::of("mem", "clobbered",
        "What was written through a tile is still there when it is read through it.",
        "the public assembler's issue 844: a memory plan that reused a live range")
        .because("A tile of another allocation has taken its place in between: a value of its own, not one that the two share.")
        .instead("Give the two tiles places of their own, or read the first one before the second is written.");
}
