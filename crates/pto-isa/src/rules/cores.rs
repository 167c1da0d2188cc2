//! Rules of flags between cores, and of deadlocks.

use crate::rule::Rule;

const QUEUES: &str = "docs/PTO_IR_manual.md of the public assembler, 4.18";
const FLAGS: &str = "docs/PTO_IR_manual.md of the public assembler, 4.16";

family! {
    /// A wait that never ends.
    DEADLOCK = Rule::of("cores", "deadlock",
        "What a core waits for is provided by another core, block or rank.", QUEUES)
        .because("On a device the core never continues.")
        .instead("Provide what the message names before the other side waits in turn: push, free the slot, or set the flag.");

    /// A flag number that the core does not have.
    FLAG = Rule::of("cores", "flag", "A flag between cores has a number that the core has.", FLAGS)
        .because("A vector core has 16 flags, the cube core 16 for each vector core.")
        .instead("Use 0 to 15; the cube core uses 16 to 31 for the second vector core.");
}
