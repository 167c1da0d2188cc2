//! Names of values, blocks and functions.

use crate::rule::Rule;

const SHELL: &str = "https://mlir.llvm.org/docs/LangRef";
const TASSIGN: &str = "docs/isa/tile/ops/sync-and-config/tassign.md";

family! {
    /// A value without a definition.
    UNDEFINED_VALUE = Rule::of("", "undefined-value",
        "A value is defined in the function that uses it.", SHELL)
        .because("A use without a definition has no value.")
        .instead("Correct the name, or define the value before its use.");

    /// Two values with one name.
    REDEFINED_VALUE = Rule::of("", "redefined-value", "A name is defined once in a region.", SHELL)
        .because("Uses after the second definition would silently mean another value.")
        .instead("Give the second value another name.");

    /// A block without a definition.
    UNDEFINED_BLOCK = Rule::of("", "undefined-block", "A branch goes to a block of its own region.", SHELL)
        .because("A branch without a target cannot be run.")
        .instead("Correct the label, or define the block.");

    /// Two blocks with one label.
    REDEFINED_BLOCK = Rule::of("", "redefined-block", "A block is defined once in its region.", SHELL)
        .because("A branch to the label would have two targets.")
        .instead("Give the second block another label.");

    /// Two functions with one name.
    REDEFINED_FUNCTION = Rule::of("", "redefined-function",
        "A function is defined once in its module.", SHELL)
        .because("A call of the name would have two targets.")
        .instead("Give the second function another name, or remove it.");

    /// A call of an unknown function.
    UNKNOWN_FUNCTION = Rule::of("", "unknown-function", "A call names a function of the file.", SHELL)
        .because("The callee's code is needed to run the call.")
        .instead("Correct the name, or add the function.");

    /// A TASSIGN of a value without an allocation.
    TASSIGN_TARGET = Rule::of("tassign", "target",
        "A TASSIGN statement names a tile that the function allocates.", TASSIGN)
        .because("Only an allocation takes an address; a view of a tile has the address of the tile.")
        .instead("Assign the address of the tile from `pto.alloc_tile`.");

    /// A tile with two assigned addresses.
    TASSIGN_TWICE = Rule::of("tassign", "twice", "A tile gets one address.", TASSIGN)
        .because("Two addresses of one tile contradict each other: the order of TASSIGN statements has no meaning.")
        .instead("Keep one of the two addresses, or allocate two tiles.");
}
