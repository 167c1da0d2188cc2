//! Unwritten bytes.

use crate::rule::Rule;

family! {
    /// A read of unwritten bytes.
    UNWRITTEN = Rule::of("init", "unwritten",
        "Bytes of a tile are written before they are read.", "docs/isa/state-and-types")
        .because("On a device the buffer holds data of an earlier kernel.")
        .instead("Write the tile first, or set a valid region without the unwritten elements.");
}
