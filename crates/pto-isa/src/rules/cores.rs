//! Rules of flags between cores, and of deadlocks.

use crate::rule::{ERROR_OR_NPU_LINT, Rule};

const QUEUES: &str = "docs/PTO_IR_manual.md of the public assembler, 4.18";
const FLAGS: &str = "docs/PTO_IR_manual.md of the public assembler, 4.16";

const PIPES: &str = "docs/isa/micro-isa/01-pipeline-sync.md of the public assembler";

family! {
    /// An operation on a core that lacks its pipe.
    KIND = Rule::of("cores", "kind",
        "An operation runs on a core with its pipes. Both kinds of cores have S and MTE2, the cube core M, MTE1 and FIX, a \
         vector core V and MTE3; on A2/A3 the cube core also has MTE3. Each end of a queue is on its own kind of core.", PIPES)
        .because("The code of a core does not compile with a pipe that the core lacks; between sections the assembler refuses a flag as ambiguous.")
        .instead("Move the operation to a section or a function of the kind that the message names.")
        .weighing(ERROR_OR_NPU_LINT);

    /// A wait that never ends.
    DEADLOCK = Rule::of("cores", "deadlock",
        "Another core, block or rank provides each entry, free slot or flag that a core waits for.", QUEUES)
        .because("On a device the core never continues.")
        .instead("Provide what the message names before the other side waits in turn: push, free the slot, or set the flag.");

    /// A flag number that the core does not have.
    FLAG = Rule::of("cores", "flag", "A core uses only those flags between cores that it has.", FLAGS)
        .because("A vector core has 16 flags, the cube core 16 for each vector core.")
        .instead("Use 0 to 15; the cube core uses 16 to 31 for the second vector core.");
}
