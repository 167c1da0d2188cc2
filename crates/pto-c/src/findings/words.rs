//! Sentences of findings in the words of C++: names of intrinsics and functions instead of those of operations.

use pto::diag::Diagnostic;
use pto::isa::Op;

/// A finding in the words of C++: names of intrinsics and functions instead of those of operations.
pub(super) fn in_cpp(finding: &Diagnostic, words: fn(&str) -> String) -> Diagnostic {
    let mut finding = finding.clone();
    finding.message = words(&finding.message);
    for text in finding.notes.iter_mut().chain(&mut finding.help) {
        *text = words(text);
    }
    for label in finding.primary.iter_mut().chain(&mut finding.secondary) {
        label.message = words(&label.message);
    }
    finding
}

/// A sentence for a process that launches kernels itself: it has no flags of a command, and its memory no names of arguments.
pub(super) fn words_of_host(text: &str) -> String {
    if text.starts_with("give it contents: `-i ") {
        return "give it contents: by `aclrtMemcpy` or `aclrtMemset`, or in an earlier launch".into();
    }
    if text.starts_with("if synchronization is inserted later, use ") {
        return "if a compiler inserts synchronization later, compile with `-D__PTO_AUTO__`, which assumes program order within a core"
            .into();
    }
    if let Some((reads, buffer)) =
        text.strip_suffix("` was not given").and_then(|text| text.split_once("argument `"))
    {
        return words_of_host(&format!("{reads}nothing has written `{buffer}`"));
    }
    words_in_cpp(&text.replace("argument `", "`"))
}

/// A sentence whose quoted operations are those of C++.
pub(super) fn words_in_cpp(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let quoted = parts.map(|(at, part)| if at % 2 == 1 { operation_in_cpp(part) } else { part.to_owned() });
    quoted.collect::<Vec<_>>().join("`")
}

/// A quoted operation, name or value as C++ writes it.
pub(super) fn operation_in_cpp(text: &str) -> String {
    let name = text.strip_prefix("pto.").unwrap_or(text);
    if let Some(value) = name.strip_prefix('%') {
        return value.to_owned();
    }
    if let Some((function, pipes)) = name.strip_suffix(']').and_then(|name| name.split_once('['))
        && let "set_flag" | "wait_flag" = function
    {
        let pipes: String = pipes.chars().filter(|c| !"<>".contains(*c)).collect();
        return format!("{function}({pipes})");
    }
    let barrier = name.strip_prefix("barrier #pto.pipe<").or_else(|| name.strip_prefix("barrier <"));
    if let Some(pipe) = barrier.and_then(|name| name.strip_suffix('>')) {
        return format!("pipe_barrier({pipe})");
    }
    if let "set_flag_dyn" | "wait_flag_dyn" = name {
        return name.trim_end_matches("_dyn").to_owned();
    }
    if let "tassign" | "tpush" | "tpop" | "tfree" | "talloc" | "tsync" = name {
        return name.to_uppercase();
    }
    let is_instruction = Op::find(&format!("pto.{name}")).is_some_and(|op| op.instruction().is_some());
    if is_instruction && name.starts_with('t') {
        name.to_uppercase().replace('.', "_")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{words_in_cpp, words_of_host};

    #[test]
    fn messages_name_intrinsics() {
        let text = "put `pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]` after `tload`, which writes `%dst`, and \
                    `pto.barrier #pto.pipe<PIPE_V>` before `tmatmul.acc`: `--watch`";
        let wanted = "put `set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0)` after `TLOAD`, which writes `dst`, and \
                      `pipe_barrier(PIPE_V)` before `TMATMUL_ACC`: `--watch`";
        assert_eq!(words_in_cpp("`wait_flag_dyn` orders nothing"), "`wait_flag` orders nothing");
        assert_eq!(words_in_cpp("an address with `pto.tassign`"), "an address with `TASSIGN`");
        assert_eq!(words_in_cpp(text), wanted);
        assert_eq!(
            words_in_cpp("put `pto.barrier <PIPE_M>` between them"),
            "put `pipe_barrier(PIPE_M)` between them"
        );
    }

    #[test]
    fn memory_is_no_argument() {
        let pairs = [
            (
                "`tload` reads `%src`, but argument `allocation of 8 bytes` was not given",
                "`TLOAD` reads `src`, but nothing has written `allocation of 8 bytes`",
            ),
            ("but argument `[heap]` holds 3: 12 of 16 bytes", "but `[heap]` holds 3: 12 of 16 bytes"),
            (
                "give it contents: `-i allocation of 8 bytes=...`",
                "give it contents: by `aclrtMemcpy` or `aclrtMemset`, or in an earlier launch",
            ),
        ];
        pairs.iter().for_each(|(text, wanted)| assert_eq!(words_of_host(text), *wanted));
    }
}
