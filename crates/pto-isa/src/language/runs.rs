//! Profiles, severities of findings, watchers, schedules: the words of checks and runs.

use super::{Chapter, word};

pub(super) const CHAPTER: Chapter = Chapter {
    name: "checks",
    title: "Profiles, findings and watchers",
    intro: &[
        "`pto check` tests a program against the rules of a profile. A finding names a rule, such as `tadd::same-type`, which \
         `pto explain` explains. `pto run` executes the program, and watchers report defects that otherwise show on devices \
         only.",
    ],
    words: &[
        word("profile", "The target that a program is checked and run for: cpu, a2a3 or a5.")
            .or(&["target", "--target"])
            .shown("functions")
            .see(&["cpu", "a2a3", "a5", "pto.target_arch"]),
        word("cpu", "The default profile, which accepts every program that some device accepts.").see(&["profile"]),
        word("a2a3", "The profile of Ascend 910B and 910C.").or(&["a2", "a3", "Ascend910"]).see(&["profile"]),
        word("a5", "The profile of Ascend 950.").or(&["Ascend950", "Ascend910_95"]).see(&["profile"]),
        word("error", "The severity of a use that no source accepts; the program does not run.")
            .see(&["extension", "lint", "rule"]),
        word("extension", "The severity of a use that only a newer page or the headers of a device accept; an error with \
                           --strict.")
            .or(&["--strict"])
            .see(&["error", "lint"]),
        word("lint", "The severity of a use that is legal, but depends on undefined behaviour or on an old spelling.")
            .or(&["warning"])
            .see(&["error", "extension"]),
        word("rule", "A requirement with a name, a reason and a remedy; findings name it.")
            .or(&["finding"])
            .see(&["error", "operands"]),
        word("watch", "The flag of `pto run` that turns watchers on: race, sync, init, mem or all.")
            .or(&["--watch", "watcher", "observer"])
            .shown("flags")
            .see(&["race", "sync", "init", "mem"]),
        word("race", "Two conflicting accesses without an order; also the watcher that reports them.")
            .shown("flags")
            .see(&["ordered", "conflict", "watch"]),
        word("sync", "The watcher of misused flags and of unneeded synchronization.")
            .shown("flags")
            .see(&["flag", "watch"]),
        word("init", "The watcher of reads of unwritten bytes.").shown("padding").see(&["padding", "watch"]),
        word("mem", "The watcher of memory: overlapping stores, released slots, reserved memory, tiles that share bytes.")
            .see(&["alias", "slot", "watch"]),
        word("schedule", "The order in which the pipes of a core execute issued instructions.")
            .or(&["--schedule", "eager", "lazy", "adversarial", "program order"])
            .more(
                "`program`: in program order. `eager`: as early as possible. `lazy`: as late as possible. `random`, \
                 `adversarial`: by a seed. A program without races gives the same bits under all of them.",
            )
            .shown("flags")
            .see(&["race", "pipe"]),
        word("inserted", "The value of --sync for programs into which a later tool inserts the synchronization within a core.")
            .or(&["--sync"])
            .see(&["race", "watch"]),
        word("v-chains", "The value of --assume that takes elementwise chains on V as ordered, as the assembler does.")
            .or(&["--assume"])
            .see(&["race", "V"]),
        word("source of an argument", "The contents of an argument, after `-i NAME=`: a file, a number, zeros, ones, arange, rand or randn.")
            .or(&["zeros", "ones", "arange", "rand", "randn", "--input"])
            .more("A shape may follow: `-i x=randn:16x128`. `--seed` is the seed of rand and randn.")
            .shown("tiles")
            .see(&["launch", "rank"]),
        word("golden", "An expected output; `--expect ARG=FILE` compares, within --atol, --rtol and --ulp.")
            .or(&["--expect", "--atol", "--rtol", "--ulp"])
            .see(&["source of an argument"]),
        word("effect", "An access of an operation: it reads, writes, destroys, or only names bytes.").see(&["alias", "race"]),
    ],
    sets: &[],
    operations: &[],
};
