//! Files with dependencies that the compiler writes for make and ninja.

use super::Driver;
use crate::cpp::arguments::{self, Stage};
use crate::cpp::rewritten::Rewritten;
use std::path::{Path, PathBuf};

impl Driver {
    /// Puts the names of original files into the files with dependencies, for make and ninja. A file that is not there was not asked for.
    pub(super) fn restore_dependencies(&self, rewritten: &Rewritten) {
        for path in self.dependencies(rewritten) {
            if let Ok(text) = std::fs::read(&path) {
                // If this fails, the file names one that is gone: make compiles the source again.
                let _ = std::fs::write(&path, rewritten.restore(&text));
            }
        }
    }

    /// Files with dependencies, and the text of `-E -o FILE`.
    fn dependencies(&self, rewritten: &Rewritten) -> Vec<PathBuf> {
        let output = arguments::output(&self.arguments);
        let mut files: Vec<PathBuf> = Vec::new();
        files.extend(output.filter(|_| self.stage == Stage::Preprocess).map(Path::to_path_buf));
        for argument in &self.arguments {
            let text = argument.text();
            let named = ["-Wp,-MD,", "-Wp,-MMD,"].iter().find_map(|start| text.strip_prefix(start));
            match (named, &argument.words[..]) {
                (Some(named), _) => files.push(named.into()),
                (None, [option, file]) if option == "-MF" => files.push(file.into()),
                (None, [option]) if option == "-MD" || option == "-MMD" => {
                    let stem = rewritten.path.file_name().map(PathBuf::from);
                    files.extend(output.map(Path::to_path_buf).or(stem).map(|path| path.with_extension("d")));
                }
                _ => {}
            }
        }
        files
    }
}
