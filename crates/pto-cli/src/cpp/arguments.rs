//! The arguments of a compiler, as far as the driver needs them.
//!
//! Each argument goes to the compiler unchanged, except for the driver's own options and those that only the vendor's
//! compiler has. The driver determines the role of each argument: a file may be replaced by its rewritten form, and
//! options of the linker are dropped where a source is only compiled.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The last stage that the arguments ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    /// `-E`, `-M`, `-MM`: text on stdout, or in the file of `-o`.
    Preprocess,
    /// `-fsyntax-only`: no file.
    Check,
    /// `-S`: assembly.
    Assemble,
    /// `-c`: an object.
    Compile,
    /// A program or a shared object.
    Link,
}

/// The role of an argument, together with the argument that is its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A C++ source.
    Source,
    /// Another input: an object, an archive, a shared object.
    Input,
    /// `-o FILE`.
    Output(PathBuf),
    /// Of the linker only.
    Linker,
    /// The stage.
    Stage(Stage),
    /// `-x LANGUAGE`, which would count for objects, too.
    Language,
    /// Left out: options and libraries of the vendor's, and options that remove symbols. Findings and launches on both
    /// kinds of cores read the symbols.
    Dropped,
    /// `-M...`: files with dependencies.
    Dependencies,
    /// `-fsanitize=thread`: for compilations only, since the library contains the functions that the compiled code calls.
    Compilation,
    /// Anything else.
    Other,
}

/// One argument, or an option with its value.
#[derive(Clone, Debug)]
pub(crate) struct Argument {
    pub(crate) role: Role,
    pub(crate) words: Vec<OsString>,
}

impl Argument {
    /// The whole text, with a blank between the words; bytes that are not UTF-8 are replaced.
    pub(crate) fn text(&self) -> String {
        let words: Vec<_> = self.words.iter().map(|word| word.to_string_lossy()).collect();
        words.join(" ")
    }

    /// The path of an input.
    pub(crate) fn path(&self) -> &Path {
        Path::new(&self.words[0])
    }
}

/// Endings of C++ sources; `.C` and `.CPP` too, which compilers take for C++.
const SOURCES: [&str; 9] = ["cpp", "cc", "cxx", "c++", "cp", "C", "CPP", "cce", "asc"];

/// Options whose value is the next argument, without those of the linker.
const WITH_VALUE: [&str; 24] = [
    "-I",
    "-D",
    "-U",
    "-include",
    "-imacros",
    "-iquote",
    "-isystem",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "-Xpreprocessor",
    "-Xassembler",
    "-Xclang",
    "-target",
    "-arch",
    "-aux-info",
    "--param",
    "-dumpbase",
    "-dumpdir",
    "-wrapper",
    "-mllvm",
    "-x",
];

/// Options of the linker whose value is the next argument.
const LINKER_WITH_VALUE: [&str; 8] = ["-L", "-l", "-T", "-u", "-z", "-e", "-Xlinker", "-framework"];

/// Beginnings of options of the linker.
const LINKER: [&str; 7] = ["-L", "-l", "-Wl,", "-shared", "-static", "-rdynamic", "-pie"];

/// Options whose value is the next argument and that name files with dependencies.
const DEPENDENCIES: [&str; 3] = ["-MF", "-MT", "-MQ"];

/// Beginnings of options that ordinary compilers do not have. `-mllvm -cce...` is one, too.
const VENDOR: [&str; 7] = ["-xcce", "-xasc", "--cce-", "-cce-", "--npu-arch=", "-Xhost-start", "-Xhost-end"];

/// Libraries of the vendor that build scripts name: our headers have the functions that programs use.
const VENDOR_LIBRARIES: [&str; 13] = [
    "ascendcl",
    "runtime",
    "runtime_camodel",
    "tiling_api",
    "platform",
    "c_sec",
    "nnopbase",
    "register",
    "ascendalog",
    "ascend_hal",
    "profapi",
    "hccl",
    "hcomm",
];

/// Options that remove symbols from the result of a link.
const STRIP: [&str; 3] = ["-s", "-Wl,-s", "-Wl,--strip-all"];

/// Reads the arguments of a compiler.
pub(crate) fn read(words: &[OsString]) -> Vec<Argument> {
    let mut words = words.iter();
    let mut arguments = Vec::new();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        let has_value =
            WITH_VALUE.iter().chain(&LINKER_WITH_VALUE).chain(&DEPENDENCIES).any(|known| *known == text);
        let mut all = vec![word.clone()];
        all.extend((has_value || text == "-o").then(|| words.next().cloned()).flatten());
        let role = role(&text, all.get(1).map(OsString::as_os_str));
        arguments.push(Argument { role, words: all });
    }
    arguments
}

fn role(text: &str, value: Option<&OsStr>) -> Role {
    let begins = |beginnings: &[&str]| beginnings.iter().any(|beginning| text.starts_with(beginning));
    let value_begins = |start: &str| value.is_some_and(|value| value.to_string_lossy().starts_with(start));
    match text {
        "-E" | "-M" | "-MM" => Role::Stage(Stage::Preprocess),
        "-fsyntax-only" => Role::Stage(Stage::Check),
        "-S" => Role::Stage(Stage::Assemble),
        "-c" => Role::Stage(Stage::Compile),
        "-o" => value.map_or(Role::Other, |file| Role::Output(file.into())),
        "-mllvm" if value_begins("-cce") => Role::Dropped,
        "-x" if value_begins("cce") || value_begins("asc") => Role::Dropped,
        _ if begins(&VENDOR) || STRIP.contains(&text) => Role::Dropped,
        "-fsanitize=thread" => Role::Compilation,
        _ if library(text, value).is_some_and(|name| VENDOR_LIBRARIES.contains(&&*name)) => Role::Dropped,
        _ if text.starts_with("-x") => Role::Language,
        _ if LINKER_WITH_VALUE.contains(&text) || begins(&LINKER) => Role::Linker,
        _ if text.starts_with("-o") && text.len() > 2 => Role::Output(text[2..].into()),
        _ if text.starts_with("-M") => Role::Dependencies,
        // The standard input.
        "-" => Role::Input,
        _ if text.starts_with('-') || text.starts_with('@') => Role::Other,
        _ if is_source(Path::new(text)) => Role::Source,
        _ => Role::Input,
    }
}

/// The name of a library: `-lm`, `-l m`.
fn library(text: &str, value: Option<&OsStr>) -> Option<String> {
    let name = text.strip_prefix("-l")?;
    Some(if name.is_empty() { value?.to_string_lossy().into_owned() } else { name.to_owned() })
}

/// Whether a file is a source in C by its name.
pub(crate) fn is_c(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "c")
}

/// Whether a file is a C++ source by its name.
pub(crate) fn is_source(path: &Path) -> bool {
    path.extension().and_then(OsStr::to_str).is_some_and(|ending| SOURCES.contains(&ending))
}

/// The stage of the arguments: the earliest that they name.
pub(crate) fn stage(arguments: &[Argument]) -> Stage {
    let named = arguments.iter().filter_map(|argument| match argument.role {
        Role::Stage(stage) => Some(stage),
        _ => None,
    });
    named.min().unwrap_or(Stage::Link)
}

/// The file of `-o`, the last one if there are several.
pub(crate) fn output(arguments: &[Argument]) -> Option<&Path> {
    arguments.iter().rev().find_map(|argument| match &argument.role {
        Role::Output(path) => Some(path.as_path()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roles(line: &str) -> Vec<Role> {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        read(&words).into_iter().map(|argument| argument.role).collect()
    }

    #[test]
    fn an_option_takes_its_value_along() {
        let found = roles("-O2 -I a.cpp -include b.cpp -o c.cpp k.cpp -Xlinker d.cpp e.o -MF f.cpp");
        let output = Role::Output("c.cpp".into());
        let wanted = [
            Role::Other,
            Role::Other,
            Role::Other,
            output,
            Role::Source,
            Role::Linker,
            Role::Input,
            Role::Dependencies,
        ];
        assert_eq!(found, wanted);
        assert_eq!(roles("-ok - -o"), [Role::Output("k".into()), Role::Input, Role::Other]);
    }

    #[test]
    fn options_of_the_vendor_are_known() {
        let line = "-xcce -x cce --cce-aicore-arch=dav-c220-vec -mllvm -cce-aicore-stack-size=0x8000 --npu-arch=dav-2201 -cce-enable-mix \
                    -Xhost-start -Xhost-end -x asc";
        assert!(roles(line).iter().all(|role| *role == Role::Dropped));
        assert_eq!(roles("-x c++ -mllvm -inline"), [Role::Language, Role::Other]);
    }

    #[test]
    fn accesses_are_announced_by_compilations_only() {
        assert_eq!(roles("-fsanitize=thread -fsanitize=address"), [Role::Compilation, Role::Other]);
    }

    #[test]
    fn libraries_of_the_vendor_and_the_removal_of_symbols_are_left_out() {
        assert!(roles("-lascendcl -l runtime -s -Wl,-s").iter().all(|role| *role == Role::Dropped));
        assert!(roles("-lm -l dl -lruntime2 -Wl,-z,relro -shared").iter().all(|role| *role == Role::Linker));
    }

    #[test]
    fn the_earliest_stage_counts() {
        let stage = |line: &str| stage(&read(&line.split(' ').map(OsString::from).collect::<Vec<_>>()));
        assert_eq!(stage("-c -E k.cpp"), Stage::Preprocess);
        assert_eq!(stage("k.cpp -o k"), Stage::Link);
        assert_eq!(stage("-MM k.cpp"), Stage::Preprocess);
    }
}
