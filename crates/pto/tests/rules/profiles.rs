//! Profiles of the functions of a file: the first line of the file names the default, a comment above a function
//! its own.

use pto::isa::Profile;

/// The part of a file for one profile.
pub(crate) struct Part {
    /// Profile to check for; `None` where neither file nor function names one.
    pub(crate) target: Option<Profile>,
    /// The file's text with empty lines in place of the functions of other profiles, so that lines keep their numbers.
    pub(crate) text: String,
}

/// Parts of a file, one per profile of its functions, in the order of their first functions. A file without functions
/// is one part.
pub(crate) fn parts(text: &str) -> Vec<Part> {
    let lines: Vec<&str> = text.lines().collect();
    let default = lines.first().and_then(|line| named(line));
    let functions = functions(&lines, default);
    let mut targets = Vec::new();
    for function in &functions {
        if !targets.contains(&function.target) {
            targets.push(function.target);
        }
    }
    if targets.is_empty() {
        targets.push(default);
    }
    let part = |target| {
        let mut kept = lines.clone();
        for other in functions.iter().filter(|function| function.target != target) {
            kept[other.lines.clone()].fill("");
        }
        Part { target, text: kept.join("\n") + "\n" }
    };
    targets.into_iter().map(part).collect()
}

/// A function of a file: its profile, and its lines with the comments directly above.
struct Function {
    target: Option<Profile>,
    lines: std::ops::Range<usize>,
}

/// Functions of a file. A function ends at the first brace in the column where it starts; a declaration has one line.
fn functions(lines: &[&str], default: Option<Profile>) -> Vec<Function> {
    let is_start = |line: &str| line.trim_start().starts_with("func.func");
    let starts = (0..lines.len()).filter(|number| is_start(lines[*number]));
    let function = |start: usize| {
        let line = lines[start];
        let indent = &line[..line.len() - line.trim_start().len()];
        let body = lines[start + 1..].iter().take_while(|line| !is_start(line));
        let closing = body.enumerate().find(|(_, line)| line.strip_prefix(indent) == Some("}"));
        let end = closing.map_or(start, |(offset, _)| start + 1 + offset);
        let comments =
            lines[..start].iter().rev().take_while(|line| line.trim_start().starts_with("//")).count();
        let above = &lines[start - comments..start];
        let target = above.iter().find_map(|line| named(line)).or(default);
        Function { target, lines: start - comments..end + 1 }
    };
    starts.map(function).collect()
}

/// Profile that a line names, as in `// target: a5`.
fn named(line: &str) -> Option<Profile> {
    Profile::from_word(line.trim_start().strip_prefix("// target: ")?.trim())
}
