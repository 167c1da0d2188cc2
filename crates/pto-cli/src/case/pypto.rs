//! Case folders of PyPTO: `ptoas/*.pto`, `golden.py`, `data/in` and `data/out`.

use pto::data::{DataError, clip, npz};
use serde::Deserialize;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The program that `python3` runs.
const DRIVER: &str = include_str!("golden.py");

/// Longest time that the driver may take.
const LONGEST: Duration = Duration::from_secs(600);

/// Tolerances of a case that states none.
const USUAL: f64 = 1e-5;

/// Arguments and expected outputs of a case.
#[derive(Debug, Deserialize)]
pub struct Golden {
    /// The arguments, in order.
    pub args: Vec<Argument>,
    /// The expected outputs.
    pub expected: Vec<Argument>,
    /// Largest relative error.
    #[serde(default = "usual")]
    pub rtol: f64,
    /// Largest absolute error.
    #[serde(default = "usual")]
    pub atol: f64,
    /// The folder of the files, which is removed at the end.
    #[serde(skip)]
    folder: Option<Temporary>,
}

/// An argument: an array in a file, or a scalar.
#[derive(Clone, Debug, Deserialize)]
pub struct Argument {
    /// Name of the argument.
    pub name: String,
    /// The file: `x.npy`, or `x.npz:NAME`.
    pub file: Option<String>,
    /// The value of a scalar.
    pub value: Option<String>,
}

fn usual() -> f64 {
    USUAL
}

/// Whether a folder is a case of PyPTO.
pub fn is_case(folder: &Path) -> bool {
    let has_data = folder.join("golden.py").is_file() || folder.join("data").join("in").is_dir();
    has_data && folder.join("ptoas").is_dir()
}

impl Golden {
    /// The arguments of a case. With a `golden.py`, or if `python` is given, Python makes them; else they are the
    /// arrays of `data/in` and `data/out`.
    ///
    /// # Errors
    /// A file that cannot be read, a `golden.py` that fails, a Python that is not there.
    pub fn of(case: &Path, python: Option<&Path>, run_golden: bool) -> Result<Golden, DataError> {
        let has_golden = case.join("golden.py").is_file();
        if has_golden && !run_golden && !case.join("data/out").is_dir() {
            let message =
                format!("{}: its inputs and outputs are made by golden.py, a program", case.display());
            return Err(DataError::new(message)
                .with_help("`--run-golden` runs it by Python: read it first, as any code of others"));
        }
        let runs = has_golden && run_golden;
        if python.is_some() || runs {
            return Golden::by_python(case, python.unwrap_or(Path::new("python3")), runs);
        }
        let (args, expected) = (arrays(&case.join("data/in"))?, arrays(&case.join("data/out"))?);
        Ok(Golden { args, expected, rtol: USUAL, atol: USUAL, folder: None })
    }

    fn by_python(case: &Path, python: &Path, runs_golden: bool) -> Result<Golden, DataError> {
        let fail = |what: String| DataError::new(format!("{}: {what}", case.display()));
        let whole = case.canonicalize().map_err(|error| fail(format!("cannot read the folder: {error}")))?;
        let folder =
            Temporary::new().map_err(|error| fail(format!("cannot make a temporary folder: {error}")))?;
        let log = folder.0.join("log");
        let made = File::create(&log).and_then(|out| Ok((out.try_clone()?, out)));
        let (out, err) = made.map_err(|error| fail(format!("cannot write {}: {error}", log.display())))?;
        let mut command = Command::new(python);
        command
            .args(["-c", DRIVER])
            .arg(&whole)
            .arg(&folder.0)
            .args(runs_golden.then_some("golden"))
            .current_dir(&whole);
        command.stdin(Stdio::null()).stdout(out).stderr(err);
        let failed = |what: String| fail(what).with_help(last_line(&log));
        match wait(command) {
            Ok(Some(status)) if status.success() => {}
            Ok(Some(_)) => return Err(failed(format!("{} failed on golden.py or data", python.display()))),
            Ok(None) => return Err(failed(format!("golden.py did not end within {} s", LONGEST.as_secs()))),
            Err(error) => {
                return Err(fail(format!("cannot run {}: {error}", python.display()))
                    .with_help("`--python PATH` names a Python with numpy"));
            }
        }
        let list = folder.0.join("case.json");
        let text = std::fs::read(&list)
            .map_err(|error| fail(format!("golden.py left no list of arrays: {error}")))?;
        let golden =
            serde_json::from_slice(&text).map_err(|error| fail(format!("its list of arrays: {error}")));
        let mut golden: Golden = golden?;
        for file in
            golden.args.iter_mut().chain(&mut golden.expected).filter_map(|argument| argument.file.as_mut())
        {
            *file = folder.0.join(&*file).display().to_string();
        }
        golden.folder = Some(folder);
        Ok(golden)
    }
}

/// Runs a command for at most [`LONGEST`]; `None` if it was stopped then.
fn wait(mut command: Command) -> std::io::Result<Option<std::process::ExitStatus>> {
    let mut child = command.spawn()?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > LONGEST {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The last line of a log, which in Python names the error.
fn last_line(log: &Path) -> String {
    let mut bytes = Vec::new();
    let read = File::open(log).and_then(|file| file.take(1 << 20).read_to_end(&mut bytes));
    let text = String::from_utf8_lossy(&bytes);
    let line = text.lines().rev().find(|line| !line.trim().is_empty()).filter(|_| read.is_ok());
    clip(line.unwrap_or("it printed nothing"), 300)
}

/// The arrays of a folder, in the order of their names.
fn arrays(folder: &Path) -> Result<Vec<Argument>, DataError> {
    let fail = |what: String| DataError::new(format!("{}: {what}", folder.display()));
    let entries =
        std::fs::read_dir(folder).map_err(|error| fail(format!("cannot read the folder: {error}")))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort_unstable();
    let mut arrays = Vec::new();
    for path in paths {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = path.display().to_string();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("npy") => arrays.push(Argument { name: stem, file: Some(text), value: None }),
            Some("npz") => {
                for name in npz::names(&path, &crate::files::Disk)? {
                    let file = Some(format!("{text}:{name}"));
                    arrays.push(Argument { name, file, value: None });
                }
            }
            Some("pt") => {
                return Err(DataError::new(format!("{text}: torch reads .pt files")).with_help(
                    "`--python PATH` names a Python with torch and numpy, which runs to read them",
                ));
            }
            _ => {}
        }
    }
    Ok(arrays)
}

/// A folder of its own in that of temporary files.
#[derive(Debug)]
struct Temporary(PathBuf);

impl Temporary {
    fn new() -> std::io::Result<Temporary> {
        for attempt in 0..1000 {
            let path = std::env::temp_dir().join(format!("pto-test-{}-{attempt}", std::process::id()));
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(Temporary(path)),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(std::io::Error::other("too many temporary folders"))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // A failure here has no remedy.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
