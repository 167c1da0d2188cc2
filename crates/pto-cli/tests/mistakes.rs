//! Output of the command for common mistakes: each program of `tests/mistakes` with its whole output.
//!
//! `BLESS=1 cargo test -p pto-cli --test mistakes` rewrites the outputs; `tests/README.md` explains the files.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let bless = std::env::var_os("BLESS").is_some_and(|value| value != "0");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/mistakes");
    let entries = std::fs::read_dir(&folder).expect("tests/mistakes").flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "pto"));
    paths.sort();
    let trials = paths.into_iter().map(|path| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Trial::test(name, move || judge(&path, bless))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

/// Runs the command of a program, and compares its output with the file beside it.
fn judge(path: &Path, bless: bool) -> Result<(), Failed> {
    let mistake = Mistake::read(path)?;
    let output = mistake.output()?;
    let expected = path.with_extension("txt");
    if bless {
        std::fs::write(&expected, &output)?;
    }
    let want = std::fs::read_to_string(&expected).unwrap_or_default();
    if output != want {
        return Err(format!("the output was\n{want}\nand is\n{output}").into());
    }
    let is_reported = ["warning: ", "lint[", "extension["].iter().any(|word| output.contains(word));
    if output.contains("exit status: 0") && !is_reported {
        return Err("the mistake is not reported".into());
    }
    match (&mistake.no_line, output.contains(&format!("{}:", mistake.name))) {
        (None, false) => Err("the output names no line of the program".into()),
        (Some(_), true) => Err("the output names a line, though `// no line:` says that it does not".into()),
        _ => Ok(()),
    }
}

/// A program with a mistake, and the settings in its first lines.
struct Mistake {
    name: String,
    text: String,
    /// The words after `pto`; `FILE` is the program.
    words: Vec<String>,
    /// The files and folders that the command reads.
    makes: Vec<String>,
    /// Why the output names no line of the program.
    no_line: Option<String>,
}

impl Mistake {
    fn read(path: &Path) -> Result<Mistake, Failed> {
        let text = std::fs::read_to_string(path)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let lines = |key: &'static str| {
            text.lines()
                .filter_map(move |line| line.strip_prefix("// ")?.strip_prefix(key)?.strip_prefix(": "))
        };
        let command = lines("pto").next().ok_or("`// pto: COMMAND` is missing")?;
        let word = |word: &str| if word == "FILE" { name.clone() } else { word.to_owned() };
        Ok(Mistake {
            words: command.split_whitespace().map(word).collect(),
            makes: lines("makes").map(str::to_owned).collect(),
            no_line: lines("no line").next().map(str::to_owned),
            name: name.clone(),
            text: text.clone(),
        })
    }

    /// The command, its exit status and its output, in a folder with copies of all files.
    fn output(&self) -> Result<String, Failed> {
        let folder = std::env::temp_dir().join(format!("pto-mistakes-{}-{}", std::process::id(), self.name));
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join(&self.name), &self.text)?;
        for made in &self.makes {
            make(&folder, made)?;
        }
        let run = Command::new(env!("CARGO_BIN_EXE_pto")).args(&self.words).current_dir(&folder).output()?;
        std::fs::remove_dir_all(&folder)?;
        let mut output = format!("$ pto {}\n", self.words.join(" "));
        output.push_str(&String::from_utf8_lossy(&run.stdout));
        output.push_str(&String::from_utf8_lossy(&run.stderr));
        let status = run.status.code().map_or("none".to_owned(), |code| code.to_string());
        output.push_str(&format!("exit status: {status}\n"));
        Ok(output)
    }
}

/// An archive of the arrays `x` and `n`.
const ARCHIVE: &[u8] = include_bytes!("../../pto/src/data/npz/stored.npz");

/// Makes `x.npy f64 40x64`, an array of zeros; `x.npz arrays`, an archive of two arrays; or `folder/`.
fn make(folder: &Path, made: &str) -> Result<(), Failed> {
    let words: Vec<&str> = made.split_whitespace().collect();
    match words.as_slice() {
        [name] => std::fs::create_dir_all(folder.join(name))?,
        [name, "arrays"] => std::fs::write(folder.join(name), ARCHIVE)?,
        [name, format, shape] => std::fs::write(folder.join(name), zeros(format, shape)?)?,
        _ => return Err(format!("`{made}` is nothing that can be made").into()),
    }
    Ok(())
}

/// A `.npy` file of zeros, version 1.0.
fn zeros(format: &str, shape: &str) -> Result<Vec<u8>, Failed> {
    let size: usize = format.get(1..).unwrap_or_default().parse::<usize>()? / 8;
    let extents = shape.split('x').map(str::parse).collect::<Result<Vec<usize>, _>>()?;
    let listed: String = extents.iter().map(|extent| format!("{extent}, ")).collect();
    let kind = &format[..1];
    let header = format!("{{'descr': '<{kind}{size}', 'fortran_order': False, 'shape': ({listed}), }}\n");
    let length = u16::try_from(header.len())?.to_le_bytes();
    let mut bytes = [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes()].concat();
    bytes.resize(bytes.len() + extents.iter().product::<usize>() * size, 0);
    Ok(bytes)
}
