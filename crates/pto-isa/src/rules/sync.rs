//! Rules of flags and barriers: misuse and redundancy.

use crate::rule::Rule;

const SOURCE: &str = "docs/race-checking.md";

family! {
    /// A flag that is set twice.
    SET_TWICE = Rule::of("sync", "set-twice",
        "A wait for a flag ends before the flag is set again, whatever the timing of pipes.", SOURCE)
        .because("A flag holds one set: the second one is lost, and a later wait hangs.")
        .instead("Wait for the first set before the second, or use another event id.");

    /// A wait without a set.
    NEVER_SET = Rule::of("sync", "never-set",
        "A flag that is waited for has been set on every path to the wait.", SOURCE)
        .because("On a device the wait never ends.")
        .instead("Set the flag before, on every path that leads to the wait.");

    /// A flag that is still set at the end.
    LEFT_SET = Rule::of("sync", "left-set",
        "A flag that is set is waited for before the kernel ends.", SOURCE)
        .because("The next kernel finds the flag set, and its first wait does not wait.")
        .instead("Wait for the flag on every path that leads to the end.");

    /// A flag that is set across an instruction that uses the same flag.
    EVENT_IN_USE = Rule::of("sync", "event-in-use",
        "No flag with event id 0 is set while an instruction runs that uses this flag itself.",
        "include/pto/npu/a2a3; the effects of the instruction")
        .because("The instruction's own wait takes the set of the program; a later wait then hangs, or does not wait.")
        .instead("Use another event id, or wait for the flag before the instruction.");

    /// A buffer token that is not released.
    LEFT_TAKEN = Rule::of("sync", "left-taken",
        "A pipe releases a buffer token before it acquires it again, and before the kernel ends.", SOURCE)
        .because("The next acquisition of the token never ends.")
        .instead("Release the token after its last use, on every path.");

    /// A buffer token that is released by a pipe that does not hold it.
    TOKEN_NOT_HELD = Rule::of("sync", "token-not-held",
        "A pipe releases only buffer tokens that it holds.", "docs/isa/scalar/ops/pipeline-sync/rls-buf.md")
        .because("The count of the token no longer fits its acquisitions, and a later acquisition does not wait.")
        .instead("Acquire the token before, or remove the release.");

    /// Pipes that wait for each other.
    DEADLOCK = Rule::of("sync", "deadlock", "The set that a pipe waits for does not depend on that pipe.", SOURCE)
        .because("Pipes that wait for each other never continue.")
        .instead("Move the set before the wait that blocks its pipe.");

    /// Synchronization that is already implied.
    REDUNDANT = Rule::of("sync", "redundant",
        "A wait or barrier orders something that is not already ordered.", SOURCE)
        .because("The wait or barrier costs time, and no order of this run depends on it.")
        .instead("Remove the barrier, or the wait with the set of its flag, if no other run needs it; a loop with more \
             rounds may.")
        .lint();

    /// Synchronization that orders no conflicting accesses.
    UNNEEDED = Rule::of("sync", "unneeded", "A wait or barrier orders accesses to the same bytes.", SOURCE)
        .because("The wait or barrier costs time, and no result of this run depends on it.")
        .instead("Remove the wait or barrier if no other run needs it, one at a time.")
        .lint();

    /// A barrier of all pipes where one pipe suffices.
    WIDE = Rule::of("sync", "wide", "A barrier of all pipes orders accesses of several pipes.", SOURCE)
        .because("Pipes that need not wait lose time.")
        .instead("Use a barrier of the pipe that suffices.")
        .lint();
}
