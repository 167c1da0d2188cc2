//! `pto shim`: a wrapper of the real assembler that judges its input and output.

mod assembler;
mod judge;

use super::{Status, child};
use crate::args::{FailOn, Judging, ShimArgs, ShimRunArgs};
use crate::output::{Output, write_all};
use crate::printer::{print_err, print_out, write_err};
use crate::report::{self, ShimReport, ShimVerified};
use assembler::Call;
use clap::ValueEnum;
use judge::Judgement;
use pto::data::DataError;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

/// Places of an assembler in a folder that PTOAS_ROOT names, in the order in which tools look.
const PLACES: [&str; 3] = ["ptoas", "ptoas.sh", "bin/ptoas"];

/// A line of every script that `pto shim` writes.
const MARK: &str = "# Written by `pto shim`";

/// Bytes of a script in which that line is.
const START: u64 = 256;

/// Status of a shell that cannot run a program.
const NOT_RUN: u8 = 127;

/// Writes the folder.
pub(super) fn run(args: &ShimArgs) -> Result<Status, DataError> {
    let absolute = |path: &Path| {
        std::path::absolute(path).map_err(|error| DataError::misuse(format!("{}: {error}", path.display())))
    };
    let folder = absolute(&args.folder)?;
    let real = assembler_at(&absolute(&args.real)?)?;
    if is_shim(&real) {
        return Err(DataError::misuse(format!("{}: this is the assembler of a shim itself", real.display()))
            .with_help("--real names the assembler that it calls"));
    }
    let own = std::env::current_exe()
        .map_err(|error| DataError::new(format!("cannot find this program: {error}")))?;
    let root = args.real.is_dir().then(|| absolute(&args.real)).transpose()?;
    let script = script(&own, &real, root.as_deref(), &args.judging);
    let scripts = ["ptoas", "bin/ptoas"].map(|place| folder.join(place));
    for path in &scripts {
        if path.exists() && !is_shim(path) {
            return Err(DataError::misuse(format!(
                "{}: this file was not written by `pto shim`",
                path.display()
            ))
            .with_help("name a folder of its own"));
        }
    }
    let bin = folder.join("bin");
    std::fs::create_dir_all(&bin)
        .map_err(|error| DataError::misuse(format!("{}: cannot make the folder: {error}", bin.display())))?;
    write_all(&scripts.each_ref().map(|path| Output::new(path, script.as_bytes())))?;
    scripts.iter().try_for_each(|path| make_executable(path))?;
    print_out(&format!("{}\n", folder.display()));
    Ok(Status::Fine)
}

/// The assembler that a path means: a program, or the first in a folder.
fn assembler_at(path: &Path) -> Result<PathBuf, DataError> {
    let places = [path.to_path_buf()].into_iter().chain(PLACES.iter().map(|place| path.join(place)));
    places.into_iter().find(|place| is_executable(place)).ok_or_else(|| {
        DataError::misuse(format!("{}: there is no assembler that can be run", path.display()))
            .with_help(format!("--real names the program, or a folder with {}", PLACES.join(", ")))
    })
}

/// Whether a file is a script of `pto shim`, by its first lines.
fn is_shim(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(START).read_to_end(&mut start));
    read.is_ok() && String::from_utf8_lossy(&start).contains(MARK)
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|known| known.is_file() && known.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

fn make_executable(path: &Path) -> Result<(), DataError> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(path, mode).map_err(|error| {
            DataError::new(format!("{}: cannot make it executable: {error}", path.display()))
        })?;
    }
    let _ = path;
    Ok(())
}

/// The script. Everything that it does is in this program.
fn script(own: &Path, real: &Path, root: Option<&Path>, judging: &Judging) -> String {
    let quoted = |path: &Path| format!("'{}'", path.display().to_string().replace('\'', r"'\''"));
    let fail_on =
        judging.fail_on.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
    let root = root.map(|root| format!(" --root {}", quoted(root))).unwrap_or_default();
    format!(
        "#!/bin/sh\n{MARK}: calls the real assembler, then checks what went in and what came out.\nexec {} shim-run --real \
         {}{root} --fail-on {fail_on} --watch {} --max-steps {} -- \"$@\"\n",
        quoted(own),
        quoted(real),
        judging.watch.join(","),
        judging.max_steps
    )
}

/// Calls the real assembler and judges the programs. Returns the status of the real assembler, unless `--fail-on` demands
/// another.
pub(super) fn between(args: &ShimRunArgs) -> ExitCode {
    let start = Instant::now();
    let mut command = Command::new(&args.real);
    command.args(&args.arguments);
    if let Some(root) = &args.root {
        command.env("PTOAS_ROOT", root);
    }
    let status = match command.status() {
        Ok(status) => status,
        Err(error) => {
            print_err!("error: cannot run {}: {error}", args.real.display());
            return ExitCode::from(NOT_RUN);
        }
    };
    let seconds = start.elapsed().as_secs_f64();
    let call = Call::of(&args.arguments);
    let input = call.input.as_ref().map(|path| judge::program(path, &call, false, &args.judging));
    let result = call.output.as_ref().filter(|path| status.success() && call.gives_program && path.is_file());
    let output = result.map(|path| judge::program(path, &call, true, &args.judging));
    let verified = input
        .as_ref()
        .zip(output.as_ref())
        .and_then(|(input, output)| judge::verified(input, output, &args.judging));
    let is_rejected = verified.as_ref().is_some_and(|verified| verified.verdict == "rejected");
    let judged: Vec<&Judgement> = input.iter().chain(&output).collect();
    let fails = judged.iter().any(|judgement| judgement.fails(args.judging.fail_on));
    let failed = status.success() && (fails || is_rejected && args.judging.fail_on != FailOn::Never);
    let report = ShimReport {
        real: args.real.display().to_string(),
        arguments: args.arguments.iter().map(|argument| argument.to_string_lossy().into_owned()).collect(),
        status: status.code(),
        seconds,
        input: input.as_ref().map(Judgement::report),
        output: output.as_ref().map(Judgement::report),
        verified,
        failed,
    };
    let mut text: String = judged.iter().map(|judgement| judgement.text()).collect();
    if let Some(ShimVerified { verdict, message }) = &report.verified {
        let why = message.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
        text += &format!("{verdict} as the lowered form of its source{why}\n");
    }
    let written = call.report_beside().map_or(Ok(()), |path| write(&path, &report, &text));
    if let Err(error) = &written {
        print_err!("error: {error}");
    }
    if failed {
        write_err(format_args!("{text}"));
        print_err!("error: `pto shim` fails this call (--fail-on)");
    }
    let reports_matter = args.judging.fail_on != FailOn::Never && written.is_err();
    if failed || (status.success() && reports_matter) { ExitCode::from(1) } else { child::code(status) }
}

/// Writes the report, as JSON and as text.
fn write(path: &Path, report: &ShimReport, text: &str) -> Result<(), DataError> {
    let with = |extension: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(extension);
        PathBuf::from(name)
    };
    let json = report::to_text(report);
    write_all(&[
        Output::new(with(".pto-report.json"), json.as_bytes()),
        Output::new(with(".pto-report.txt"), text.as_bytes()),
    ])
}
