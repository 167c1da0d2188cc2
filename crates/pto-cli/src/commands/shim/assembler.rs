//! The arguments of the assembler.

use pto::Profile;
use std::ffi::OsString;
use std::path::PathBuf;

/// A call of the assembler, as far as it matters here.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Call {
    /// The program that it reads.
    pub(super) input: Option<PathBuf>,
    /// The file that it writes.
    pub(super) output: Option<PathBuf>,
    /// The device that it compiles for.
    pub(super) target: Option<Profile>,
    /// Whether it inserts the synchronization within a core.
    pub(super) inserts_sync: bool,
    /// Whether its result is a program rather than C++.
    pub(super) gives_program: bool,
}

impl Call {
    /// Reads the arguments of the assembler. Unknown flags are ignored; the input is the first non-flag argument that
    /// names a file.
    pub(super) fn of(arguments: &[OsString]) -> Call {
        let texts: Vec<String> = arguments.iter().map(|text| text.to_string_lossy().into_owned()).collect();
        let mut call = Call::default();
        let mut rest = texts.iter();
        while let Some(text) = rest.next() {
            let flag = text.strip_prefix("--").or(text.strip_prefix('-')).filter(|flag| !flag.is_empty());
            let Some(flag) = flag else {
                let path = PathBuf::from(text);
                if call.input.is_none() && path.is_file() {
                    call.input = Some(path);
                }
                continue;
            };
            let (name, value) = match flag.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (flag, None),
            };
            let is_on = value.is_none_or(|value| !matches!(value, "false" | "0"));
            match name {
                "o" => call.output = value.map(PathBuf::from).or_else(|| rest.next().map(PathBuf::from)),
                "pto-arch" => {
                    let word = value.map(str::to_owned).or_else(|| rest.next().cloned()).unwrap_or_default();
                    call.target = Profile::from_word(&word.to_ascii_lowercase());
                }
                "enable-insert-sync" => call.inserts_sync = is_on,
                "emit-pto-ir" => call.gives_program = is_on,
                _ => {}
            }
        }
        let is_program = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "pto");
        call.gives_program |= call.output.as_ref().is_some_and(is_program);
        call
    }

    /// Path with which the names of reports start: the path of the output, or else of the input program.
    pub(super) fn report_beside(&self) -> Option<PathBuf> {
        let is_file = |path: &&PathBuf| path.as_os_str() != "-" && !path.starts_with("/dev");
        self.output.as_ref().filter(is_file).or(self.input.as_ref()).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(line: &str) -> Call {
        Call::of(&line.split_whitespace().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn the_call_of_a_compiler() {
        // Tests run in the folder of the crate.
        let found = call("Cargo.toml -o out/k.cpp --enable-insert-sync --pto-level=level3 --pto-arch a3");
        assert_eq!(found.input, Some("Cargo.toml".into()));
        assert_eq!((found.output.clone(), found.target), (Some("out/k.cpp".into()), Some(Profile::A2A3)));
        assert!(found.inserts_sync && !found.gives_program);
        assert_eq!(found.report_beside(), Some("out/k.cpp".into()));
    }

    #[test]
    fn results_that_are_programs() {
        assert!(call("--emit-pto-ir x.pto -o=y.txt").gives_program);
        assert!(call("x.pto -o y.pto").gives_program);
        assert!(!call("--emit-pto-ir=false x.pto -o y.cpp").gives_program);
        assert!(!call("--enable-insert-sync=false").inserts_sync);
        assert_eq!(call("--pto-arch=A5 -o").target, Some(Profile::A5));
    }

    #[test]
    fn calls_without_a_program() {
        assert_eq!(call("--version"), Call::default());
        assert_eq!(call("-").report_beside(), None);
        assert_eq!(call("Cargo.toml -o -").report_beside(), Some("Cargo.toml".into()));
        assert_eq!(call("none.pto").input, None);
    }
}
