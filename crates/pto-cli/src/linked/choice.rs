//! The choice of a kernel in a C++ source.

use super::Kernel;
use crate::cpp::tokens::{Kind, tokens};
use pto::data::DataError;
use pto::diag::nearest;

/// Most names that a message lists.
const MOST_NAMES: usize = 12;

/// The kernel with the name that `--entry` gives, or the only one of the source. Functions with `__global__` are kernels; in a source without
/// any, all functions may be.
///
/// # Errors
/// If no function or more than one has the name; without a name, if the source has no kernel or several.
pub fn choose(
    mut all: Vec<Kernel>,
    entry: Option<&str>,
    name: &str,
    text: &str,
) -> Result<Kernel, DataError> {
    if let Some(entry) = entry {
        return named(all, entry, name);
    }
    let marked = marked(text);
    let base = |kernel: &Kernel| {
        kernel.name.split('<').next().unwrap_or_default().rsplit("::").next().map(str::to_owned)
    };
    if all.iter().any(|kernel| base(kernel).is_some_and(|base| marked.contains(&base))) {
        all.retain(|kernel| base(kernel).is_some_and(|base| marked.contains(&base)));
    }
    match &all[..] {
        [] => Err(none(name)),
        [_] => Ok(all.remove(0)),
        _ => Err(DataError::misuse(format!("{name} has several kernels: {}", list(&all)))
            .with_help("`--entry NAME` chooses one")),
    }
}

/// The function with a name.
fn named(all: Vec<Kernel>, entry: &str, file: &str) -> Result<Kernel, DataError> {
    let plain = |name: &str| name.replace(' ', "");
    let mut found: Vec<Kernel> =
        all.iter().filter(|kernel| plain(&kernel.name) == plain(entry)).cloned().collect();
    match found.len() {
        1 => Ok(found.remove(0)),
        0 if all.is_empty() => Err(none(file)),
        0 => {
            let near = nearest(entry, all.iter().map(|kernel| kernel.name.as_str()));
            let mut help = format!("it has {}", list(&all));
            if let Some(near) = near {
                help = format!("did you mean `{near}`? {help}");
            }
            Err(DataError::misuse(format!("{file} has no function `{entry}`")).with_help(help))
        }
        count => Err(DataError::misuse(format!("{file} has {count} functions `{entry}`"))
            .with_help("give the kernel a name of its own")),
    }
}

fn none(file: &str) -> DataError {
    DataError::misuse(format!("{file} defines no function that can be launched")).with_help(
        "a kernel is no `static` function, and a template has code for the arguments with which it is instantiated: `template \
         __global__ AICORE void add<64>(...);`",
    )
}

fn list(all: &[Kernel]) -> String {
    let mut names: Vec<String> =
        all.iter().take(MOST_NAMES).map(|kernel| format!("`{}`", kernel.name)).collect();
    if all.len() > MOST_NAMES {
        names.push(format!("and {} more", all.len() - MOST_NAMES));
    }
    names.join(", ")
}

/// The names of functions that are declared with `__global__`: the name in front of the first parenthesis that follows no attribute.
fn marked(text: &str) -> Vec<String> {
    let tokens = tokens(text, 0..text.len(), true);
    let word = |at: usize| {
        tokens.get(at).filter(|token| token.kind == Kind::Word).map(|token| &text[token.span.clone()])
    };
    let is_open = |at: usize| tokens.get(at).is_some_and(|token| token.kind == Kind::Byte(b'('));
    let name_after = |at: usize| {
        let mut candidates = (at + 1..tokens.len())
            .take_while(|at| !matches!(tokens[*at].kind, Kind::Byte(b';' | b'{' | b'}')));
        let is_name = |at: &usize| word(*at).is_some_and(|word| !word.starts_with("__")) && is_open(at + 1);
        candidates.find(is_name).and_then(word).map(str::to_owned)
    };
    (0..tokens.len()).filter(|at| word(*at) == Some("__global__")).filter_map(name_after).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernels(names: &[&str]) -> Vec<Kernel> {
        names.iter().map(|name| Kernel { name: (*name).to_owned(), address: 0, parameters: None }).collect()
    }

    #[test]
    fn kernels_are_marked() {
        let text = "// __global__ void no();\nextern \"C\" __global__ AICORE void add(int n) { f(n); }\n\
                    template <int N> __global__ __attribute__((used)) void wide(int n);\nvoid host() {}";
        assert_eq!(marked(text), ["add", "wide"]);
        let all = kernels(&["add", "host"]);
        assert_eq!(choose(all.clone(), None, "k.cpp", text).map(|kernel| kernel.name), Ok("add".to_owned()));
        assert_eq!(choose(all, Some("host"), "k.cpp", text).map(|kernel| kernel.name), Ok("host".to_owned()));
        let several = choose(kernels(&["add", "wide<64>"]), None, "k.cpp", text).unwrap_err().to_string();
        assert!(several.contains("`add`, `wide<64>`"), "{several}");
        let unknown = choose(kernels(&["add"]), Some("ad"), "k.cpp", text).unwrap_err().to_string();
        assert!(unknown.contains("did you mean `add`?"), "{unknown}");
        assert!(choose(Vec::new(), None, "k.cpp", text).unwrap_err().message.contains("no function"));
    }
}
