//! Rules of `pto verify`: when a program is the lowered form of another one.

use crate::rule::Rule;

const SOURCE: &str = "docs/verifying.md";

family! {
    /// Other arguments.
    SIGNATURE = Rule::of("verify", "signature",
        "A lowered program takes the arguments of its source, in the same order.", SOURCE)
        .because("A launch gives arguments by position.")
        .instead("Keep the number, the kinds and the element types of the arguments.");

    /// Other results, or a run that stops.
    BITS = Rule::of("verify", "bits",
        "A lowered program leaves the bits that its source leaves, under every schedule of its pipes.", SOURCE)
        .because("Placement and synchronization change when instructions run and where tiles are, and nothing else.")
        .instead("Look at the element and the launch that the message names: `pto diff` finds the first instruction that differs.");

    /// A program that another tool must still place or synchronize.
    NOT_LOWERED = Rule::of("verify", "not-lowered",
        "A lowered program gives each tile an address, and has the synchronization that it needs.", SOURCE)
        .because("The tool that adds addresses and synchronization decides the results.")
        .instead("Verify the program after the last step that changes it.");

    /// Instructions that no comparison ran.
    COVERAGE = Rule::of("verify", "coverage",
        "Every instruction of a lowered program runs in a launch in which it is compared with its source.", SOURCE)
        .because("Nothing is known about an instruction that did not run.")
        .instead("Give inputs that reach the instruction: `-i NAME=SOURCE`, `--blocks N`.");

    /// Programs that could not be compared.
    UNKNOWN = Rule::of("verify", "unknown",
        "The source of a lowered program runs with some input.", SOURCE)
        .because("Programs are compared by their results.")
        .instead("Give inputs with which the source runs: `-i NAME=SOURCE`.");
}
