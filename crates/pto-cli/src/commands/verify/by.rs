//! A command that lowers programs.

use super::super::{Text, child, read_text};
use pto::data::DataError;
use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        // A remaining temporary folder is harmless.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Lowers a program by a command in which `{in}` and `{out}` denote files. The command is killed after the time limit.
pub(super) fn lower(command: &str, source: &Text, limit: Duration) -> Result<Text, DataError> {
    let words = words(command)?;
    let name = format!("pto-verify-{}", std::process::id());
    let folder = Folder(std::env::temp_dir().join(name));
    let fail = |what: &str, error: std::io::Error| DataError::new(format!("{what}: {error}"));
    std::fs::create_dir_all(&folder.0).map_err(|error| fail("no temporary folder can be made", error))?;
    let (input, output) = (folder.0.join("in.pto"), folder.0.join("out.pto"));
    std::fs::write(&input, &source.text).map_err(|error| fail("the program cannot be written", error))?;
    let filled = |word: &String| {
        word.replace("{in}", &input.display().to_string()).replace("{out}", &output.display().to_string())
    };
    let words: Vec<String> = words.iter().map(filled).collect();
    // Files instead of pipes: a command that prints much would wait for a reader.
    let (said, printed) = (folder.0.join("stderr"), folder.0.join("stdout"));
    let file = |path| File::create(path).map(Stdio::from).map_err(|error| fail("no file can be made", error));
    let mut started = Command::new(&words[0]);
    started.args(&words[1..]).stdin(Stdio::null()).stdout(file(&printed)?).stderr(file(&said)?);
    let child = child::start(&mut started)
        .map_err(|error| fail(&format!("`{}` cannot be started", words[0]), error))?;
    let status = child::wait(child, limit).map_err(|error| fail("the command is lost", error))?;
    let Some(status) = status else {
        let message = format!("`{}` takes longer than {} s", words[0], limit.as_secs_f64());
        return Err(DataError::new(message).with_help("--timeout changes the limit"));
    };
    let text_of = |path| std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    if !status.success() {
        let said = text_of(&said).unwrap_or_default();
        let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it says nothing");
        return Err(DataError::new(format!("`{}` failed, {status}: {last}", words[0])));
    }
    if !output.is_file() && !command.contains("{out}") {
        let text = text_of(&printed).map_err(|error| fail("its output cannot be read", error))?;
        return Ok(Text { name: format!("{} (lowered)", source.name), text });
    }
    let text = read_text(&output)?.text;
    Ok(Text { name: format!("{} (lowered)", source.name), text })
}

/// The words of a command line; quotes keep blanks.
fn words(command: &str) -> Result<Vec<String>, DataError> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for sign in command.chars() {
        match (quote, sign) {
            (Some(open), sign) if sign == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(sign);
                word.get_or_insert_with(String::new);
            }
            (None, sign) if sign.is_whitespace() => words.extend(word.take()),
            (_, sign) => word.get_or_insert_with(String::new).push(sign),
        }
    }
    words.extend(word);
    let help = "write a command with {in} and {out}: --by 'ptoas {in} -o {out}'";
    match () {
        () if quote.is_some() => Err(DataError::misuse("--by: a quote is not closed").with_help(help)),
        () if words.is_empty() => Err(DataError::misuse("--by: there is no command").with_help(help)),
        () if !command.contains("{in}") => {
            Err(DataError::misuse("--by: the command does not name {in}").with_help(help))
        }
        () => Ok(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_words() {
        let list = words("a 'b c' {in} -o=\"{out}\"").expect("words");
        assert_eq!(list, ["a", "b c", "{in}", "-o={out}"]);
        for wrong in ["", "  ", "a 'b", "a b"] {
            assert!(words(wrong).is_err(), "{wrong}");
        }
    }
}
