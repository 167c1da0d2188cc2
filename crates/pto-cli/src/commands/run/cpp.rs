//! `pto run kernel.cpp`: the kernel becomes a program in a temporary folder, and that program runs the command.
//!
//! The program has the kernel, the library and a `main` that hands its arguments to the library, which has this command in it. So the
//! kernel runs in a process of its own, and its status is that of the command.

use super::super::{Status, child, cpp};
use crate::args::{RunArgs, Target};
use crate::cpp::rewritten::Temporary;
use crate::judged::Judged;
use crate::linked::RENAMED_MAIN;
use crate::printer::{flush_out, print_error};
use pto::Profile;
use pto::data::DataError;
use pto::sim::Schedule;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::Duration;

/// The `main` of the program.
const MAIN: &str = "#include <pto/launch.hpp>
#include <exception>
#undef main
extern \"C\" int pto_main(const char *, std::uint32_t, void (*)(void (*)(void *), void *));
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
int main() {
    return pto_main(pto::detail::target(), pto::detail::cores(), pto_guarded);
}
";

/// Refuses flags that have no meaning for compiled code.
pub(super) fn check(args: &RunArgs) -> Result<(), DataError> {
    let in_order = args.schedule.schedule == Schedule::Program && args.schedule.schedule_seed.is_none();
    let refused = [
        (!in_order, "--schedule and --schedule-seed", "it runs in program order"),
        (!args.dump.is_empty(), "--dump", "tiles have no names in compiled code; TPRINT prints them"),
        (
            args.repeat > 1 || args.time,
            "--repeat and --time",
            "they time programs that the machine has decoded",
        ),
        (args.machine.ranks > 1, "--ranks", "the ranks of a launch do not share a process"),
        (args.log.is_some(), "--log", "a log names values of a program in text"),
        (args.launch.max_steps.is_some(), "--max-steps", "compiled code has no steps; --max-seconds ends it"),
    ];
    match refused.iter().find(|(is_given, ..)| *is_given) {
        Some((_, flag, reason)) => {
            Err(DataError::misuse(format!("{flag} cannot be used for a kernel in C++: {reason}")))
        }
        None => Ok(()),
    }
}

/// Compiles the kernel and runs its program with the arguments of this process.
pub(super) fn run(args: &RunArgs, path: &Path, target: Option<Profile>) -> Result<Status, DataError> {
    compile_and_run(args, path, target).inspect_err(|error| {
        let name = path.display().to_string();
        let judged = Judged { file: name.clone(), name, ..Judged::default() };
        print_error(judged, error, "run", args.format.chosen());
    })
}

fn compile_and_run(args: &RunArgs, path: &Path, target: Option<Profile>) -> Result<Status, DataError> {
    let temporary = Temporary::default();
    let program = compile(args, path, target, &temporary)?;
    flush_out();
    let mut command = Command::new(&program);
    command.args(std::env::args_os().skip(1));
    let status = match args.max_seconds {
        None => command.status().map(Some),
        Some(seconds) => {
            let limit = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
            child::start(&mut command).and_then(|child| child::wait(child, limit))
        }
    };
    let failed = |error| DataError::misuse(format!("{}: cannot run the program: {error}", program.display()));
    let Some(status) = status.map_err(failed)? else {
        let seconds = args.max_seconds.unwrap_or_default();
        return Err(DataError::new(format!(
            "{}: the kernel has not ended after {seconds} s",
            path.display()
        )));
    };
    if let Some(signal) = signal(status) {
        temporary.keep();
        return Err(crashed(path, signal, &command));
    }
    Ok(match status.code() {
        Some(0) => Status::Fine,
        Some(2) => Status::Misused,
        Some(3) => Status::Unknown,
        _ => Status::Wrong,
    })
}

/// Compiles the source with a `main` of ours, and returns the program.
fn compile(
    args: &RunArgs,
    path: &Path,
    target: Option<Profile>,
    temporary: &Temporary,
) -> Result<PathBuf, DataError> {
    let name = path.display().to_string();
    let source = std::fs::read(path)
        .map_err(|error| DataError::misuse(format!("{name}: cannot read the file: {error}")))?;
    let folder = temporary.path()?;
    let (main, program) = (folder.join("main.cpp"), folder.join("kernel"));
    std::fs::write(&main, MAIN)
        .map_err(|error| DataError::misuse(format!("{}: cannot write the file: {error}", main.display())))?;
    let mut words: Vec<OsString> = vec!["-O1".into(), "-rdynamic".into()];
    if source.windows(4).any(|word| word == b"main") {
        // It never runs, so that it may do without the `return` that only a `main` can leave out.
        words.extend([format!("-Dmain={RENAMED_MAIN}").into(), "-Wno-return-type".into()]);
    }
    words.extend([path.into(), main.into(), "-o".into(), program.clone().into()]);
    words.extend(args.kernel.compiler.iter().cloned());
    let target = target.map(|profile| match profile {
        Profile::Cpu => Target::Cpu,
        Profile::A2A3 => Target::A2a3,
        Profile::A5 => Target::A5,
    });
    match cpp::compile(words, target, args.kernel.cores)? {
        true => Ok(program),
        false => Err(DataError::new(format!("{name}: the compiler has refused the kernel"))),
    }
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
