//! The headers that a source has beside it.

use super::rewritten::{characters, encoded, quoted};
use super::tokens::{Kind, tokens};
use pto::data::DataError;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Returns the files that a source includes in quotes from its own folder, directly or indirectly, with their contents.
/// Paths are relative to that folder. Includes that are not in the folder are left to the compiler's flags.
///
/// # Errors
/// An include of a file outside the folder.
pub(crate) fn beside(source: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>, DataError> {
    let unreadable =
        |error| DataError::misuse(format!("{}: cannot read the file: {error}", source.display()));
    let source = source.canonicalize().map_err(unreadable)?;
    let folder = source.parent().unwrap_or(Path::new("/"));
    let (mut found, mut open) = (BTreeMap::new(), vec![source.clone()]);
    while let Some(path) = open.pop() {
        let Ok(bytes) = std::fs::read(&path) else { continue };
        for name in included(&characters(&bytes)) {
            let Ok(file) = path.parent().unwrap_or(folder).join(&name).canonicalize() else { continue };
            let Ok(relative) = file.strip_prefix(folder) else { return Err(outside(&source, &name)) };
            if file != source && !found.contains_key(relative) {
                found.insert(relative.to_path_buf(), std::fs::read(&file).unwrap_or_default());
                open.push(file);
            }
        }
    }
    Ok(found)
}

/// The names of the quoted includes of a text.
fn included(text: &str) -> Vec<String> {
    let directives = tokens(text, 0..text.len(), true).into_iter();
    let spans = directives
        .filter(|token| token.kind == Kind::Directive)
        .filter_map(|directive| quoted(text, directive.span));
    spans.map(|span| String::from_utf8_lossy(&encoded(&text[span])).into_owned()).collect()
}

fn outside(source: &Path, name: &str) -> DataError {
    let message = format!("{} includes \"{name}\", which is outside of its folder", source.display());
    DataError::misuse(message)
        .with_help("move it beside the source, or give its folder to the compiler: `-- -I FOLDER`")
}

#[cfg(test)]
mod tests {
    use super::included;

    #[test]
    fn quoted_includes_are_found() {
        let text = "#include <a.hpp>\n  # include \"b/c.hpp\"\n// #include \"d.hpp\"\n#include \"e.hpp\"\n";
        assert_eq!(included(text), ["b/c.hpp", "e.hpp"]);
    }
}
