//! Bytes that nothing wrote.

use crate::isa::rule::Rule;

family! {
    /// A read of bytes that nothing wrote.
    UNWRITTEN = Rule::of("init", "unwritten",
        "Bytes of a tile that are read have been written.", "docs/isa/state-and-types")
        .because("On a device the buffer holds what an earlier kernel left.")
        .instead("Write the tile first, or set a valid region without the unwritten elements.");
}
