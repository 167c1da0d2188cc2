//! Times of lowered programs on the usual device of their target: our result, and the public assembler's result for the
//! same program.

use crate::support::folder::Folder;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The arguments with which programs of the public assembler are launched, by name of the program.
pub(crate) struct Arguments {
    folder: PathBuf,
    by_name: BTreeMap<String, Vec<String>>,
}

impl Arguments {
    /// Reads the arguments of all programs that are right according to the index.
    pub(crate) fn of(lowered: &Path) -> Arguments {
        let text = std::fs::read_to_string(lowered.join("index.json")).expect("an index");
        let index: Json = serde_json::from_str(&text).expect("JSON");
        let words = |entry: &Json| -> Option<(String, Vec<String>)> {
            let is_right = entry["kind"] == "insert-sync" && entry["verdict"] == "silent";
            let words = entry["arguments"].as_array().filter(|_| is_right)?;
            let words: Vec<&str> = words.iter().filter_map(Json::as_str).collect();
            // The index gives the buffers of some queues no bytes: their size is left to the command.
            let pairs = words.chunks(2).filter(|pair| !pair[pair.len() - 1].ends_with("=zeros:0"));
            let words: Vec<String> = pairs.flatten().map(|word| (*word).to_owned()).collect();
            let is_here =
                |word: &String| match word.split_once('=').filter(|(_, path)| path.ends_with(".npy")) {
                    Some((_, path)) => lowered.join(path).is_file(),
                    None => true,
                };
            words.iter().all(is_here).then(|| (entry["file"].as_str().unwrap_or_default().to_owned(), words))
        };
        let by_name = index.as_array().into_iter().flatten().filter_map(words).collect();
        Arguments { folder: lowered.canonicalize().expect("a folder"), by_name }
    }

    /// Microseconds of our program and of the public assembler's. `None` if the program is not launched, or one of the
    /// two does not run.
    pub(crate) fn times(&self, name: &str, ours: &str) -> Option<[f64; 2]> {
        let words = self.by_name.get(name)?;
        let file = name.replace('/', "@");
        let own = Folder::new();
        let path = PathBuf::from(own.write(&file, ours));
        let theirs = self.folder.join("insert-sync").join(&file);
        Some([self.microseconds(&path, words)?, self.microseconds(&theirs, words)?])
    }

    fn microseconds(&self, program: &Path, words: &[String]) -> Option<f64> {
        let output = Command::new(env!("CARGO_BIN_EXE_pto"))
            .args(["time", "--json"])
            .arg(program)
            .args(words)
            .current_dir(&self.folder)
            .output()
            .expect("the command starts");
        let report: Json = serde_json::from_slice(&output.stdout).ok()?;
        report["program"]["microseconds"].as_f64()
    }
}
