//! Unwritten bytes.

use crate::rule::Rule;

family! {
    /// A read of unwritten bytes.
    UNWRITTEN = Rule::of("init", "unwritten",
        "Bytes of a tile are written before they are read.", "docs/isa/state-and-types")
        .because("On a device the buffer holds data of an earlier kernel.")
        .instead("Write the tile first, or set a valid region without the unwritten elements.");

    /// A read of elements that the last load of their tile left as they were.
    STALE = Rule::of("init", "stale",
        "Elements that are read were written by the last load of their tile, or after it.", "docs/isa/state-and-types")
        .because("A load of fewer elements than the tile has leaves the other elements with the values of an earlier round.")
        .instead("Set a valid region of the loaded elements, or fill the others with TFILLPAD.")
        .lint();
}
