//! Unordered accesses to the same bytes.

use crate::rule::Rule;

const SOURCE: &str = "docs/race-checking.md";

family! {
    /// A read that is not ordered after the write.
    READ_AFTER_WRITE = Rule::of("race", "read-after-write",
        "A read is ordered after the write of its bytes.", SOURCE)
        .because("Pipes and cores run in parallel: the read may get the bytes from before the write.")
        .instead("Set a flag after the write and wait for it before the read; within one pipe, put a barrier between them.");

    /// A write that is not ordered after the read.
    WRITE_AFTER_READ = Rule::of("race", "write-after-read",
        "A write is ordered after the earlier reads of its bytes.", SOURCE)
        .because("Pipes and cores run in parallel: the read may get the bytes of the later write.")
        .instead("Set a flag after the read and wait for it before the write, or write to another tile.");

    /// Two unordered writes.
    WRITE_AFTER_WRITE = Rule::of("race", "write-after-write",
        "A write is ordered after the earlier writes of its bytes.", SOURCE)
        .because("Pipes and cores run in parallel: either value may remain.")
        .instead("Set a flag after the first write and wait for it before the second, or write to another tile.");

    /// A program with explicit addresses and no synchronization.
    NO_SYNC = Rule::of("race", "no-sync",
        "A program whose tiles have addresses orders its pipes by flags or barriers.", SOURCE)
        .because("Assemblers insert synchronization only where they also place the tiles.")
        .instead("Insert flags and barriers, or run with `--sync inserted` if a later pass inserts them.");
}
