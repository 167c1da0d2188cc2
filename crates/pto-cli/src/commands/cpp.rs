//! `pto c++`: an ordinary C++ compiler with our headers, macros and library, for kernels with launches.

mod dependencies;
mod options;
mod twins;
mod vendor;

use super::child;
use crate::args::{Cores, CppArgs, Target, Vendor};
use crate::cpp::arguments::{self, Argument, Role, Stage};
use crate::cpp::compiler::{self, Compiler};
use crate::cpp::cores::{self, Said};
use crate::cpp::home;
use crate::cpp::rewritten::{Rewritten, Temporary};
use crate::printer::{print_out, write_out};
use options::Options;
use pto::data::DataError;
use std::cell::RefCell;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};

/// Runs the compiler. Returns the status of the first call that fails.
pub(super) fn run(args: &CppArgs) -> Result<ExitCode, DataError> {
    if let Some(Vendor::Bisheng) = args.name {
        vendor::install(&args.arguments)?;
        return Ok(ExitCode::SUCCESS);
    }
    let options = Options::of(args)?;
    if options.include {
        print_out(&format!("{}\n", home::include()?.display()));
    }
    if options.libs {
        print_out(&format!("{}\n", line(&libraries()?)));
    }
    if options.include || options.libs {
        return Ok(ExitCode::SUCCESS);
    }
    let status = Driver::of(&options)?.run()?;
    Ok(status.map_or(ExitCode::SUCCESS, child::code))
}

/// A process that loads the compiled kernels. It has its own headers, is the library that kernels are linked with, and
/// gets the messages of the compiler as text.
#[derive(Clone, Debug)]
pub struct Loader {
    /// The folder of the headers.
    pub headers: PathBuf,
    /// The file of the library.
    pub library: PathBuf,
}

/// Calls the compiler for a process that loads the result. Returns whether it succeeded, and its messages.
pub(super) fn compile_for(
    loader: &Loader,
    words: Vec<OsString>,
    target: Option<Target>,
    cores: Option<Cores>,
) -> Result<(bool, String), DataError> {
    let options = Options { target, cores, words, loader: Some(loader.clone()), ..Options::default() };
    let driver = Driver::of(&options)?;
    let is_done = driver.run()?.is_none();
    Ok((is_done, driver.messages.into_inner()))
}

/// Calls the compiler with these arguments, as the command does. Returns whether it succeeded.
pub(super) fn compile(
    words: Vec<OsString>,
    target: Option<Target>,
    cores: Option<Cores>,
) -> Result<bool, DataError> {
    let options = Options { target, cores, words, ..Options::default() };
    Ok(Driver::of(&options)?.run()?.is_none())
}

/// One run of the command. Methods that call the compiler return the status of a call that failed.
struct Driver {
    compiler: Compiler,
    arguments: Vec<Argument>,
    stage: Stage,
    target: Target,
    /// Facts from flags and arguments; `cores` begins with the value of `--cores`.
    said: Said,
    show: bool,
    temporary: Temporary,
    loader: Option<Loader>,
    /// The messages of the compiler for the loader.
    messages: RefCell<String>,
}

/// A source on its way to the compiler.
struct Source {
    /// Index among the arguments.
    argument: usize,
    path: PathBuf,
    cores: Cores,
    rewritten: Option<Rewritten>,
}

impl Driver {
    fn of(options: &Options) -> Result<Driver, DataError> {
        let mut arguments = arguments::read(&options.words);
        let said = cores::said(&arguments)?;
        let compiler = compiler::find()?;
        arguments.retain(|argument| compiler.has(&argument.words[0]));
        Ok(Driver {
            compiler,
            stage: arguments::stage(&arguments),
            target: options.target.or(said.target).unwrap_or(Target::A2a3),
            said: Said { cores: options.cores.or(said.cores), ..said },
            show: options.show,
            temporary: Temporary::default(),
            loader: options.loader.clone(),
            messages: RefCell::default(),
            arguments,
        })
    }

    fn run(&self) -> Result<Option<ExitStatus>, DataError> {
        let is_input = |argument: &Argument| matches!(argument.role, Role::Source | Role::Input);
        if !self.arguments.iter().any(is_input) {
            // `--version`, `-dumpmachine` and others.
            return self.call(&self.all_words(), None);
        }
        let sources = self.sources()?;
        match &sources[..] {
            [] => self.call(&self.whole(None)?, None),
            [source] if source.cores != Cores::Mixed && !self.compiles_apart() => {
                self.call(&self.whole(Some(source))?, source.rewritten.as_ref())
            }
            _ => self.each(&sources),
        }
    }

    /// Whether there are options that a link must not have.
    fn compiles_apart(&self) -> bool {
        self.stage == Stage::Link && self.arguments.iter().any(|argument| argument.role == Role::Compilation)
    }

    /// Compiles each source by a call of its own, since macros and folders of includes differ, and links the objects.
    fn each(&self, sources: &[Source]) -> Result<Option<ExitStatus>, DataError> {
        let named = arguments::output(&self.arguments);
        let is_link = self.stage == Stage::Link;
        if named.is_some() && !is_link && sources.len() > 1 {
            return Err(DataError::misuse("`-o` names one file, and there are several sources")
                .with_help("compile them one by one, or link them in the same call"));
        }
        let mut objects = Vec::new();
        for (number, source) in sources.iter().enumerate() {
            let beside = || PathBuf::from(source.path.file_stem().unwrap_or_default()).with_extension("o");
            let object = match named {
                _ if is_link => self.temporary.path()?.join(format!("{number}.o")),
                Some(named) => named.to_path_buf(),
                None => beside(),
            };
            let failed = match source.cores {
                Cores::Mixed => self.twins(source, &object)?,
                _ if is_link => {
                    self.call(&self.object(source, source.cores, &object)?, source.rewritten.as_ref())?
                }
                _ => self.call(&self.only(source)?, source.rewritten.as_ref())?,
            };
            if failed.is_some() {
                return Ok(failed);
            }
            objects.push(object);
        }
        if is_link { self.call(&self.link(sources, &objects)?, None) } else { Ok(None) }
    }

    /// The sources with their kinds of cores and rewritten forms. A source without code for cores may launch kernels of the others, and is
    /// compiled for the same cores.
    fn sources(&self) -> Result<Vec<Source>, DataError> {
        let mut kinds = Vec::new();
        let sources = || self.arguments.iter().enumerate().filter(|(_, found)| found.role == Role::Source);
        for (_, found) in sources() {
            kinds.push(self.cores(found.path())?);
        }
        let mut known = kinds.iter().copied().flatten();
        let first = known.next();
        let usual = first.filter(|first| known.all(|other| other == *first)).unwrap_or(Cores::Vector);
        let source = |((argument, found), cores): ((usize, &Argument), Option<Cores>)| {
            let path = found.path().to_path_buf();
            let rewritten = Rewritten::of(&path, &self.arguments, &self.temporary, argument)?;
            Ok(Source { argument, path, cores: cores.unwrap_or(usual), rewritten })
        };
        sources().zip(kinds).map(source).collect()
    }

    /// The kind of cores of a source, if it has one.
    fn cores(&self, path: &Path) -> Result<Option<Cores>, DataError> {
        let name = path.display().to_string();
        let text = std::fs::read(path)
            .map_err(|error| DataError::misuse(format!("{name}: cannot read the file: {error}")))?;
        match self.said.cores {
            Some(cores) => Ok(Some(cores)),
            None => cores::of_source(&name, &String::from_utf8_lossy(&text)),
        }
    }

    /// Words of all arguments except the dropped ones.
    fn all_words(&self) -> Vec<OsString> {
        let kept = self.arguments.iter().filter(|argument| argument.role != Role::Dropped);
        kept.flat_map(|argument| argument.words.clone()).collect()
    }

    /// Whether an argument is a source in C. Compilers for C++ compile it as C++; the vendor's does not.
    fn is_c(&self, argument: &Argument) -> bool {
        let is_language = |other: &Argument| other.role == Role::Language;
        argument.role == Role::Input
            && arguments::is_c(argument.path())
            && !self.arguments.iter().any(is_language)
    }

    /// Flags of each compilation, in front of the user's, which may overrule them.
    fn flags(&self, cores: Cores, rewritten: Option<&Rewritten>) -> Result<Vec<OsString>, DataError> {
        let mut flags = vec![OsString::from("-g")];
        flags.extend(self.compiler.keeping_lines().iter().map(OsString::from));
        let is_named = |argument: &Argument| argument.text().starts_with("-std=");
        flags.extend(self.loader.iter().flat_map(|_| self.compiler.for_reloading()).map(OsString::from));
        if !self.arguments.iter().any(|argument| is_named(argument) || self.is_c(argument)) {
            flags.push("-std=c++17".into());
        }
        let headers = self.loader.as_ref().map(|loader| Ok(loader.headers.clone()));
        flags.extend(["-I".into(), headers.unwrap_or_else(home::include)?.into_os_string()]);
        flags.extend(cores::macros(self.target, cores, self.said.number));
        flags.extend(self.said.is_automatic.then(|| "-D__PTO_AUTO__".into()));
        flags.extend(rewritten.map(Rewritten::flags).unwrap_or_default());
        Ok(flags)
    }

    /// The call for at most one source: all arguments in their order.
    fn whole(&self, source: Option<&Source>) -> Result<Vec<OsString>, DataError> {
        let cores = source.map_or(Cores::Vector, |source| source.cores);
        let mut words = self.flags(cores, source.and_then(|source| source.rewritten.as_ref()))?;
        for (at, argument) in self.arguments.iter().enumerate() {
            match source {
                Some(source) if source.argument == at => words.extend(source.words()),
                _ if argument.role == Role::Dropped => {}
                _ if argument.role == Role::Compilation && self.stage == Stage::Link => {}
                _ if self.is_c(argument) => words.extend(of_language("c", argument.path())),
                _ => words.extend(argument.words.iter().cloned()),
            }
        }
        if self.stage == Stage::Link {
            words.extend(self.libraries()?);
        }
        Ok(words)
    }

    /// The call for one of several sources, without a link.
    fn only(&self, source: &Source) -> Result<Vec<OsString>, DataError> {
        self.compilation(source, source.cores, |role| {
            matches!(role, Role::Output(_)) && self.stage != Stage::Preprocess
        })
    }

    /// The call that compiles a source to an object.
    fn object(&self, source: &Source, cores: Cores, object: &Path) -> Result<Vec<OsString>, DataError> {
        let mut words =
            self.compilation(source, cores, |role| matches!(role, Role::Output(_) | Role::Stage(_)))?;
        words.extend(["-c".into(), "-o".into(), object.into()]);
        Ok(words)
    }

    /// The arguments for the compilation of a source: no other input, no option of the linker, and none that is `left_out`.
    fn compilation(
        &self,
        source: &Source,
        cores: Cores,
        left_out: impl Fn(&Role) -> bool,
    ) -> Result<Vec<OsString>, DataError> {
        let mut words = self.flags(cores, source.rewritten.as_ref())?;
        for (at, argument) in self.arguments.iter().enumerate() {
            match argument.role {
                Role::Source if at == source.argument => words.extend(source.words()),
                Role::Source | Role::Input | Role::Linker | Role::Dropped => {}
                ref role if left_out(role) => {}
                _ => words.extend(argument.words.iter().cloned()),
            }
        }
        Ok(words)
    }

    /// The call that links objects in place of their sources.
    fn link(&self, sources: &[Source], objects: &[PathBuf]) -> Result<Vec<OsString>, DataError> {
        let mut objects = objects.iter();
        let mut words = Vec::new();
        for (at, argument) in self.arguments.iter().enumerate() {
            match argument.role {
                Role::Source if sources.iter().any(|source| source.argument == at) => {
                    words.extend(objects.next().map(|object| object.clone().into_os_string()));
                }
                Role::Dropped | Role::Compilation | Role::Dependencies | Role::Language => {}
                _ if self.is_c(argument) => words.extend(of_language("c", argument.path())),
                _ => words.extend(argument.words.iter().cloned()),
            }
        }
        words.extend(self.libraries()?);
        Ok(words)
    }

    /// The library at the end of a link. A shared object that names a file by its path is bound to that file where it is loaded already.
    fn libraries(&self) -> Result<Vec<OsString>, DataError> {
        self.loader.as_ref().map_or_else(libraries, |loader| Ok(vec![loader.library.clone().into()]))
    }

    /// Calls the compiler, or prints the call. Returns the status of a failed call.
    fn call(
        &self,
        words: &[OsString],
        rewritten: Option<&Rewritten>,
    ) -> Result<Option<ExitStatus>, DataError> {
        let mut command = self.compiler.command();
        command.args(words);
        let Some(rewritten) = rewritten else { return self.execute(command) };
        if self.stage != Stage::Preprocess || self.show {
            let failed = self.execute(command)?;
            if failed.is_none() && !self.show {
                self.restore_dependencies(rewritten);
            }
            return Ok(failed);
        }
        // Preprocessed text and dependencies on stdout name the file that the compiler has read.
        let output = command.stderr(Stdio::inherit()).output().map_err(|error| self.not_run(&error))?;
        write_out(&rewritten.restore(&output.stdout));
        self.restore_dependencies(rewritten);
        Ok((!output.status.success()).then_some(output.status))
    }

    /// Runs a program, or prints its command line.
    fn execute(&self, mut command: Command) -> Result<Option<ExitStatus>, DataError> {
        if self.show {
            let words: Vec<OsString> = std::iter::once(command.get_program())
                .chain(command.get_args())
                .map(OsStr::to_os_string)
                .collect();
            print_out(&format!("{}\n", line(&words)));
            return Ok(None);
        }
        let status = if self.loader.is_some() {
            let output = command.stdin(Stdio::null()).output().map_err(|error| self.not_run(&error))?;
            self.messages.borrow_mut().push_str(&String::from_utf8_lossy(&output.stderr));
            output.status
        } else {
            command.status().map_err(|error| self.not_run(&error))?
        };
        Ok((!status.success()).then_some(status))
    }

    fn not_run(&self, error: &std::io::Error) -> DataError {
        DataError::misuse(format!("cannot run {}: {error}", self.compiler.words[0].display()))
    }
}

impl Source {
    /// Words that name the source. Compilers do not recognize the vendor's file endings (`.cce`, `.asc`).
    fn words(&self) -> Vec<OsString> {
        let path = self.rewritten.as_ref().map_or(&self.path, |rewritten| &rewritten.path);
        let is_foreign = path.extension().is_some_and(|ending| ending == "cce" || ending == "asc");
        if is_foreign { of_language("c++", path) } else { vec![path.into()] }
    }
}

/// Words of a source whose file ending does not determine its language.
fn of_language(language: &str, path: &Path) -> Vec<OsString> {
    vec!["-x".into(), language.into(), path.into(), "-x".into(), "none".into()]
}

/// Flags that link the library, and let programs find it where it is.
fn libraries() -> Result<Vec<OsString>, DataError> {
    let folder = home::library()?.into_os_string();
    let with = |start: &str| {
        let mut flag = OsString::from(start);
        flag.push(&folder);
        flag
    };
    Ok(vec![with("-L"), format!("-l{}", home::LIBRARY).into(), with("-Wl,-rpath,")])
}

/// A command line for a shell.
pub(super) fn line(words: &[OsString]) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=+,:@%^~".contains(c);
    let quoted = words.iter().map(|word| {
        let word = word.to_string_lossy();
        let is_plain = !word.is_empty() && word.chars().all(plain);
        if is_plain { word.into_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
    });
    quoted.collect::<Vec<_>>().join(" ")
}
