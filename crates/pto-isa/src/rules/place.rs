//! Rules of placement: memory for tiles whose addresses `pto lower --place` chooses.

use crate::rule::Rule;

const SOURCE: &str = "docs/lowering.md";

family! {
    /// Tiles that are alive together and do not fit.
    CAPACITY = Rule::of("place", "capacity", "The tiles that are alive at one point fit their buffer.", SOURCE)
        .because("Two tiles that are alive at the same time cannot share bytes.")
        .instead("Let fewer tiles live at the same time, or make them smaller.");

    /// A tile without an address, in a buffer where another tile's address is determined at run time.
    COMPUTED = Rule::of("place", "computed",
        "No tile without an address is in a buffer in which the program computes an address.", SOURCE)
        .because("The tile at the computed address may overlap any other one.")
        .instead("Write the address as a constant, or give every tile of the buffer an address.");
}
