//! Symptoms in the words of users who know no rule or command name. Each symptom leads to a command with an example.

use std::fmt::Write as _;

/// A symptom.
pub(super) struct Symptom {
    /// The symptom in the user's words.
    pub(super) name: &'static str,
    /// Phrases of users, best first. Small words between their words do not count.
    pub(super) phrases: &'static [&'static str],
    /// The likely cause, and the information that the command prints about it.
    pub(super) advice: &'static str,
    /// The command line.
    pub(super) command: &'static str,
    /// Page with more information.
    pub(super) page: &'static str,
}

/// All symptoms, in the order of the page.
const SYMPTOMS: &[Symptom] = &[
    Symptom {
        name: "It hangs",
        phrases: &[
            "hang",
            "hangs",
            "stuck",
            "timeout",
            "deadlock",
            "endless",
            "507014",
            "507018",
            "does not end",
        ],
        advice: "A core waits for a flag, a queue entry or a signal that never comes. The run ends with the error of a \
                 deadlock, which names both sides. `sync` names flags that are never set.",
        command: "pto run kernel.pto -i x=randn --watch sync,race",
        page: "race-checking.md",
    },
    Symptom {
        name: "A core ends with an exception",
        phrases: &[
            "507015",
            "aicore exception",
            "exception",
            "crash",
            "invalid address",
            "out of bounds",
            "mte error",
            "vec error",
        ],
        advice: "An access lies outside of a buffer, a tile or a view. The run stops at this access and names the view, the \
                 element and the size.",
        command: "pto run kernel.pto -i x=x.npy -i y=zeros:16x64 --watch mem",
        page: "language/views.md",
    },
    Symptom {
        name: "Results differ from run to run",
        phrases: &[
            "flaky",
            "nondeterministic",
            "sometimes wrong",
            "random results",
            "unstable",
            "race",
            "missing flag",
        ],
        advice: "Two pipes or cores access the same bytes without an order. `race` names both instructions and the missing \
                 flag. `--schedule lazy`, `eager` or `random` show values that a device may compute.",
        command: "pto run kernel.pto -i x=randn --watch race --schedule lazy",
        page: "race-checking.md",
    },
    Symptom {
        name: "The last rows or columns are wrong",
        phrases: &[
            "NaN tail",
            "tail wrong",
            "garbage tail",
            "NaN",
            "padding",
            "last rows wrong",
            "uninitialized",
        ],
        advice: "An instruction reads elements outside the valid region, which nothing has written. `init` names the \
                 instruction, the tile, its allocation, and the first such element.",
        command: "pto run kernel.pto -i x=randn:40x300 --watch init",
        page: "language/tiles.md",
    },
    Symptom {
        name: "Data of an earlier round appears",
        phrases: &["stale", "stale data", "old data", "earlier round", "previous iteration"],
        advice: "An instruction reads a tile before its next load has ended, or reads elements that this load did not write.",
        command: "pto run kernel.pto -i x=randn --watch init,race",
        page: "race-checking.md",
    },
    Symptom {
        name: "Tiles do not fit",
        phrases: &[
            "UB overflow",
            "overflow",
            "out of memory",
            "does not fit",
            "capacity",
            "L1 overflow",
            "too large",
        ],
        advice: "More bytes are live at once than the buffer has. `lower` names the number of missing bytes, and the tiles that \
                 must be reloaded or split so that all fit. The map shows the lifetimes of the tiles.",
        command: "pto lower kernel.pto --explain --map memory.svg -o manual.pto",
        page: "lowering.md",
    },
    Symptom {
        name: "Tiles overlap",
        phrases: &["overlap", "address conflict", "aliasing", "overwritten", "memory corruption"],
        advice: "Two tiles hold values in the same bytes. The map marks conflicts; `mem` reports stores that overlap.",
        command: "pto map kernel.pto -i x=randn --svg map.svg",
        page: "report.md",
    },
    Symptom {
        name: "Values are wrong",
        phrases: &[
            "wrong result",
            "wrong values",
            "mismatch",
            "accuracy",
            "precision",
            "compare torch",
            "compare with torch",
            "golden",
            "reference",
        ],
        advice: "The run names the first value that differs, and the instruction that wrote it. Save the reference with \
                 `numpy.save`; in Python, `pto_tools.check_against` takes a function of NumPy or torch.",
        command: "pto run kernel.pto -i x=x.npy --expect y=want.npy --rtol 1e-5",
        page: "cases.md",
    },
    Symptom {
        name: "It was right before a change",
        phrases: &["which commit", "regression", "bisect", "since when", "which change", "used to work"],
        advice: "Record a case while the program is right: later `git bisect run pto test cases` finds the commit. `pto diff` \
                 names the first instruction whose values differ between two programs.",
        command: "pto diff old.pto new.pto -i x=randn",
        page: "comparing.md",
    },
    Symptom {
        name: "A model is wrong somewhere",
        phrases: &["which kernel", "which task", "which layer", "wrong layer", "model wrong", "dump"],
        advice: "`pto replay` runs the tasks of a dump one by one and names the first task whose outputs differ.",
        command: "pto replay outputs/run/args_dump --kernels build_output/case/ptoas",
        page: "replay.md",
    },
    Symptom {
        name: "It is slow",
        phrases: &[
            "slow",
            "slower than by hand",
            "performance",
            "bottleneck",
            "optimize",
            "faster",
            "profile",
        ],
        advice: "`pto time` prints the critical path by line, the most expensive waits, and the bound of each part, for two \
                 programs beside each other.",
        command: "pto time kernel.pto by_hand.pto -i x=randn --device 910B2",
        page: "timing.md",
    },
    Symptom {
        name: "The assembler refuses it",
        phrases: &[
            "ptoas error",
            "does not compile",
            "illegal",
            "refused",
            "assembler error",
            "verify failed",
        ],
        advice: "`pto check` prints the violated rule, its source and a fix for each line. `--fix` writes the certain fixes \
                 into the file.",
        command: "pto check kernel.pto --target a2a3",
        page: "ci.md",
    },
    Symptom {
        name: "A bug report needs a small program",
        phrases: &["minimal example", "reduce", "smallest", "bug report", "reproducer"],
        advice: "`pto shrink` makes the smallest program that keeps a finding, or the exit status of a command.",
        command: "pto shrink kernel.pto --rule race::read-after-write --watch race",
        page: "shrink.md",
    },
    Symptom {
        name: "A C++ kernel is wrong or hangs on the device",
        phrases: &["C++ kernel", "cce", "bisheng", "kernel.cpp", "AscendC", "intrinsics"],
        advice: "`pto run` compiles the kernel with g++ or clang++ and runs it under all watchers; findings name lines of the \
                 C++ source.",
        command: "pto run kernel.cpp --entry add -i x=x.npy -i y=zeros:16x64 --watch all",
        page: "cpp.md",
    },
];

/// The symptom that a query means, if its words are a phrase of one.
pub(super) fn meant(query: &str) -> Option<&'static Symptom> {
    SYMPTOMS
        .iter()
        .find(|symptom| symptom.phrases.iter().any(|phrase| super::synonyms::is_same(phrase, query)))
}

/// The page of symptoms.
pub fn page() -> String {
    let mut text = String::from(
        "# Symptoms\n\nEach symptom has a likely cause and a command that finds the cause. `pto explain --search WORDS` finds a symptom by its name or by the words below it; \
         `pto explain RULE` explains a rule that a command names. Generated from `crates/pto-cli/src/explain/symptoms.rs`.\n",
    );
    for Symptom { name, phrases, advice, command, page } in SYMPTOMS {
        let words = phrases.join(", ");
        let _ = write!(
            text,
            "\n## {name}\n\n{advice}\n\n```sh\n{command}\n```\n\nMore: [{page}]({page}). Words: {words}.\n"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_phrase_has_one_symptom() {
        let mut seen = BTreeSet::new();
        for phrase in SYMPTOMS.iter().flat_map(|symptom| symptom.phrases) {
            assert!(seen.insert(phrase.to_lowercase()), "{phrase}");
            assert!(meant(phrase).is_some_and(|symptom| symptom.phrases.contains(phrase)), "{phrase}");
        }
    }
}
