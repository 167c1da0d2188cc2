//! The kernel as a program in a temporary folder. The program runs the command.
//!
//! The program contains the kernel, the library and a `main` that passes its arguments to the library, which contains
//! this command. So the kernel runs in a process of its own, and the status of the process is the status of the command.
//!
//! A process that has the library itself, such as the package for Python, loads the kernel as a shared object instead.

use crate::args::{KernelArgs, Target};
use crate::commands::cpp::Loader;
use crate::commands::{Status, child, cpp};
use crate::cpp::rewritten::Temporary;
use crate::linked::RENAMED_MAIN;
use crate::printer::flush_out;
use pto::Profile;
use pto::data::DataError;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The guard of calls, in every program.
const GUARD: &str = "#include <pto/launch.hpp>
#include <exception>
#undef main
extern \"C\" void pto_guarded(void (*run)(void *), void *closure) {
#ifdef __cpp_exceptions
    try {
        run(closure);
    } catch (const std::exception &exception) {
        pto_exception(exception.what());
    } catch (...) {
        pto_exception(\"an exception of its own type\");
    }
#else
    run(closure);
#endif
}
";

/// The `main` of the program.
const MAIN: &str =
    "extern \"C\" int pto_main(const char *, std::uint32_t, void (*)(void (*)(void *), void *));
int main() {
    return pto_main(pto::detail::target(), pto::detail::cores(), pto_guarded);
}
";

/// Functions by which a shared object names its target and its cores.
const FACTS: &str = "extern \"C\" const char *pto_target_of_file() { return pto::detail::target(); }
extern \"C\" std::uint32_t pto_cores_of_file() { return pto::detail::cores(); }
";

/// The compilation of a kernel, and the limit of its program.
pub(in crate::commands) struct Compilation<'a> {
    /// The source.
    pub(in crate::commands) path: &'a Path,
    /// Kind of cores, and arguments of the compiler.
    pub(in crate::commands) flags: &'a KernelArgs,
    /// The target; that of the arguments or the usual one if it is not given.
    pub(in crate::commands) target: Option<Profile>,
    /// Time limit of the program, in seconds.
    pub(in crate::commands) max_seconds: Option<f64>,
}

impl Compilation<'_> {
    /// Compiles the kernel and runs its program, which has the arguments and streams of the command that `prepare` makes of it. Returns the
    /// status of the program.
    ///
    /// # Errors
    /// No compiler, a kernel that does not compile or does not come to its end.
    pub(in crate::commands) fn run(
        &self,
        prepare: impl FnOnce(&mut Command) -> std::io::Result<()>,
    ) -> Result<Status, DataError> {
        let temporary = Temporary::default();
        let program = self.compile(&temporary)?;
        flush_out();
        let mut command = Command::new(&program);
        let status = prepare(&mut command).and_then(|()| match self.max_seconds {
            None => command.status().map(Some),
            Some(seconds) => {
                let limit = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
                child::start(&mut command).and_then(|child| child::wait(child, limit))
            }
        });
        let failed =
            |error| DataError::misuse(format!("{}: cannot run the program: {error}", program.display()));
        let Some(status) = status.map_err(failed)? else {
            let (path, seconds) = (self.path.display(), self.max_seconds.unwrap_or_default());
            return Err(DataError::new(format!("{path}: the kernel has not ended after {seconds} s")));
        };
        if let Some(signal) = signal(status) {
            temporary.keep();
            return Err(crashed(self.path, signal, &command));
        }
        Ok(match status.code() {
            Some(0) => Status::Fine,
            Some(2) => Status::Misused,
            Some(3) => Status::Unknown,
            _ => Status::Wrong,
        })
    }

    /// Compiles the source with a `main` of ours, and returns the program.
    fn compile(&self, temporary: &Temporary) -> Result<PathBuf, DataError> {
        let program = temporary.path()?.join("kernel");
        let words = words(self.path, temporary, MAIN, ["-rdynamic", "-o"])?;
        let words = [words, vec![program.clone().into()], self.flags.compiler.clone()].concat();
        match cpp::compile(words, self.target.map(word), self.flags.cores)? {
            true => Ok(program),
            false => Err(refused(self.path, "")),
        }
    }
}

/// Compiles a kernel as `pto run` does, to a shared object, which `load` loads before its file is removed.
///
/// # Errors
/// Misuses such as a missing compiler; a kernel that does not compile, with the messages of the compiler, and those of `load`.
pub fn compile_shared<T>(
    path: &Path,
    target: Option<Profile>,
    flags: &KernelArgs,
    loader: &Loader,
    load: impl FnOnce(&Path) -> Result<T, DataError>,
) -> Result<T, DataError> {
    let temporary = Temporary::default();
    // The dynamic loader identifies a library by its path, and returns the loaded one even if its file was removed since.
    static OBJECTS: AtomicU64 = AtomicU64::new(0);
    let object = format!("kernel-{}.so", OBJECTS.fetch_add(1, Ordering::Relaxed));
    let object = temporary.path()?.join(object);
    // The kernel calls its own functions, also if the process has others of the same names.
    let words = words(path, &temporary, FACTS, ["-shared", "-fPIC", "-Wl,-Bsymbolic", "-o"])?;
    let words = [words, vec![object.clone().into()], flags.compiler.clone()].concat();
    match cpp::compile_for(loader, words, target.map(word), flags.cores)? {
        (true, _) => load(&object),
        (false, messages) => Err(refused(path, &messages)),
    }
}

fn refused(path: &Path, messages: &str) -> DataError {
    let text = format!("{}: the compiler has refused the kernel\n{messages}", path.display());
    DataError::new(text.trim_end())
}

/// The word of a target for the compiler.
fn word(profile: Profile) -> Target {
    match profile {
        Profile::Cpu => Target::Cpu,
        Profile::A2A3 => Target::A2a3,
        Profile::A5 => Target::A5,
    }
}

/// The arguments of the compiler for the source and a second one, which has the guard and more code.
fn words<const N: usize>(
    path: &Path,
    temporary: &Temporary,
    code: &str,
    flags: [&str; N],
) -> Result<Vec<OsString>, DataError> {
    let source = std::fs::read(path)
        .map_err(|error| DataError::misuse(format!("{}: cannot read the file: {error}", path.display())))?;
    let second = temporary.path()?.join("main.cpp");
    std::fs::write(&second, format!("{GUARD}{code}")).map_err(|error| {
        DataError::misuse(format!("{}: cannot write the file: {error}", second.display()))
    })?;
    let mut words: Vec<OsString> = vec!["-O1".into()];
    if source.windows(4).any(|word| word == b"main") {
        // The renamed `main` never runs. Only a real `main` may omit `return`, so the warning is off.
        words.extend([format!("-Dmain={RENAMED_MAIN}").into(), "-Wno-return-type".into()]);
    }
    words.extend([path.into(), second.into()]);
    words.extend(flags.map(OsString::from));
    Ok(words)
}

/// The signal that ended a process.
fn signal(status: ExitStatus) -> Option<i32> {
    #[cfg(unix)]
    return std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    None
}

/// Signals by which broken code ends.
const SIGNALS: [(i32, &str); 6] = [
    (4, "SIGILL, an illegal instruction"),
    (5, "SIGTRAP, a trap"),
    (6, "SIGABRT, a failed assertion or `abort`"),
    (7, "SIGBUS, an address without memory"),
    (8, "SIGFPE, an integer division by zero"),
    (11, "SIGSEGV, an access to memory that is not its own"),
];

/// The sentence for a kernel that a signal ended, with the command that debugs it.
fn crashed(path: &Path, signal: i32, command: &Command) -> DataError {
    let known = SIGNALS.iter().find(|(number, _)| *number == signal);
    let name = known.map_or_else(|| format!("signal {signal}"), |(_, name)| (*name).to_owned());
    let words: Vec<OsString> =
        std::iter::once(command.get_program()).chain(command.get_args()).map(OsString::from).collect();
    DataError::new(format!("{}: the kernel was ended by {name}", path.display()))
        .with_help(format!("its program is kept for a debugger: `gdb --args {}`", cpp::line(&words)))
}
