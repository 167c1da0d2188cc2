//! Which kernel a task runs: numbers of functions, their names, and files.

use pto::data::{DataError, clip};
use pto::text::nearest;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Largest accepted file with names, in bytes.
const LARGEST: u64 = 1 << 24;

/// A function of a program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Kernel {
    /// The file of the program.
    pub path: PathBuf,
    /// Name of the function; `None` if the program has only one.
    pub entry: Option<String>,
}

/// The kernels of numbers.
pub struct Mapping {
    folder: PathBuf,
    /// Kernels that the user named.
    given: BTreeMap<i64, Kernel>,
    names: BTreeMap<i64, String>,
    /// The programs, each with its functions.
    programs: Vec<(PathBuf, Vec<String>)>,
}

/// The object of a file with names.
#[derive(Deserialize)]
struct NameMap {
    callable_id_to_name: BTreeMap<i64, String>,
}

impl Mapping {
    /// The mapping for programs below `folder`, given their paths; `beside` has further folders with files of names. Names come from
    /// `kernel_config.py` in the folder or above it, which is read and not run, and from `name_map*.json`.
    ///
    /// # Errors
    /// A file with names that cannot be understood.
    pub fn of(
        folder: &Path,
        programs: Vec<PathBuf>,
        given: BTreeMap<i64, Kernel>,
        beside: &[PathBuf],
    ) -> Result<Mapping, DataError> {
        let above = folder.canonicalize().ok().and_then(|folder| folder.parent().map(Path::to_path_buf));
        let places: Vec<PathBuf> =
            [folder.to_path_buf()].into_iter().chain(above).chain(beside.iter().cloned()).collect();
        let mut names = BTreeMap::new();
        for place in &places {
            if let Some(text) = read(&place.join("kernel_config.py"))? {
                add(&mut names, config(&text));
            }
            for file in name_maps(place) {
                let Some(text) = read(&file)? else { continue };
                let map: NameMap = serde_json::from_str(&text)
                    .map_err(|error| DataError::new(format!("{}: {error}", file.display())))?;
                add(&mut names, map.callable_id_to_name);
            }
        }
        let mut known = Vec::new();
        for path in programs {
            let functions = read(&path)?.map_or_else(Vec::new, |text| functions(&text));
            known.push((path, functions));
        }
        Ok(Mapping { folder: folder.to_path_buf(), given, names, programs: known })
    }

    /// The name of a function, if one is known.
    pub fn name(&self, id: i64) -> Option<&str> {
        self.names.get(&id).map(String::as_str)
    }

    /// The kernel of a task that runs these functions: all of them must be in one program.
    ///
    /// # Errors
    /// A number without a name, a name without a program, functions of several programs.
    pub fn kernel(&self, functions: &[i64]) -> Result<Kernel, DataError> {
        if let ([], [(path, _)]) | ([_], [(path, _)]) = (functions, &self.programs[..])
            && self.names.is_empty()
            && self.given.is_empty()
        {
            return Ok(Kernel { path: path.clone(), entry: None });
        }
        let mut found: Option<Kernel> = None;
        for id in functions {
            let kernel = self.one(*id)?;
            found = match found {
                None => Some(kernel),
                Some(Kernel { path, entry }) if path == kernel.path => {
                    let entry = if entry == kernel.entry { entry } else { None };
                    Some(Kernel { path, entry })
                }
                Some(Kernel { path, .. }) => {
                    return Err(DataError::new(format!(
                        "the task runs functions of two programs, {} and {}",
                        path.display(),
                        kernel.path.display()
                    )));
                }
            };
        }
        found.ok_or_else(|| DataError::new("the dump does not say which function the task runs"))
    }

    fn one(&self, id: i64) -> Result<Kernel, DataError> {
        if let Some(kernel) = self.given.get(&id) {
            return Ok(kernel.clone());
        }
        let name = self.names.get(&id).ok_or_else(|| {
            DataError::new(format!("nothing names function {id}")).with_help(format!(
                "names are in kernel_config.py beside the kernels or in name_map*.json; or give its program: `--map {id}=FILE`"
            ))
        })?;
        let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let by_file = self.programs.iter().filter(|(path, _)| stem(path).is_some_and(|stem| stem == *name));
        let by_function = self.programs.iter().filter(|(_, functions)| functions.contains(name));
        let files: Vec<_> = by_file.collect();
        let found = if files.is_empty() { by_function.collect() } else { files };
        match found[..] {
            [(path, functions)] => {
                let entry = functions.contains(name).then(|| name.clone()).filter(|_| functions.len() > 1);
                Ok(Kernel { path: path.clone(), entry })
            }
            [] => {
                let stems: Vec<String> = self.programs.iter().filter_map(|(path, _)| stem(path)).collect();
                let error = DataError::new(format!(
                    "function {id} is `{}`, but no program below {} has that name",
                    clip(name, 60),
                    self.folder.display()
                ));
                Err(match nearest(name, stems.iter().map(String::as_str)) {
                    Some(near) => {
                        error.with_help(format!("is it {near}.pto? then `--map {id}=FILE` says so"))
                    }
                    None => error.with_help(format!("give its program: `--map {id}=FILE`")),
                })
            }
            [(one, _), (other, _), ..] => {
                let message = format!("function {id} may be in {} or in {}", one.display(), other.display());
                Err(DataError::new(message).with_help(format!("give its program: `--map {id}=FILE`")))
            }
        }
    }
}

/// Adds names of functions that have none.
fn add(names: &mut BTreeMap<i64, String>, more: impl IntoIterator<Item = (i64, String)>) {
    for (id, name) in more {
        names.entry(id).or_insert(name);
    }
}

/// The text of a file; `None` if there is none.
fn read(path: &Path) -> Result<Option<String>, DataError> {
    let unreadable = |error| DataError::misuse(format!("{}: cannot read the file: {error}", path.display()));
    let file = match std::fs::File::open(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        file => file.map_err(unreadable)?,
    };
    let mut text = Vec::new();
    file.take(LARGEST).read_to_end(&mut text).map_err(unreadable)?;
    Ok(Some(String::from_utf8_lossy(&text).into_owned()))
}

/// The files of names in a folder, sorted.
fn name_maps(folder: &Path) -> Vec<PathBuf> {
    let is_map = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.starts_with("name_map") && name.ends_with(".json")
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_map).collect();
    files.sort_unstable();
    files
}

/// The names of functions in the text of a `kernel_config.py`: each object with `func_id` has a `name`, or a `source` whose file is
/// named after the kernel.
fn config(text: &str) -> Vec<(i64, String)> {
    let text = text.replace('\'', "\"");
    let mut names = Vec::new();
    for object in text.split("\"func_id\"").skip(1) {
        let digits: String = object
            .trim_start_matches([' ', ':'])
            .chars()
            .take_while(|letter| letter.is_ascii_digit())
            .collect();
        let Ok(id) = digits.parse() else { continue };
        let mut words = object.split('"').skip(1).step_by(2).skip_while(|word| *word != "name");
        let name = words.nth(1).map(str::to_owned);
        let source = || {
            let file = object.split('"').skip(1).step_by(2).find(|word| word.ends_with(".cpp"))?;
            Some(Path::new(file).file_stem()?.to_string_lossy().into_owned())
        };
        names.extend(name.or_else(source).map(|name| (id, name)));
    }
    names
}

/// The functions that the text of a program defines.
fn functions(text: &str) -> Vec<String> {
    let after = |at: usize| text[at + "func.func".len()..].split_once('@');
    let starts = text.match_indices("func.func").filter_map(|(at, _)| after(at));
    let named = starts.filter(|(before, _)| before.trim().is_empty() || before.trim() == "private");
    named
        .map(|(_, after)| {
            after.split(|letter: char| !letter.is_alphanumeric() && !"_$.".contains(letter)).next()
        })
        .map(|name| name.unwrap_or_default().to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_configuration() {
        let text = "KERNELS = [\n\t{\"func_id\": 0, \"name\": \"rope\", \"source\": str(_ROOT / \"kernels\" / \"aiv\" / \
                    \"rope.cpp\"), \"core_type\": \"aiv\"},\n\t{'func_id': 12, 'source': str(_ROOT / 'add_one.cpp')},\n]";
        assert_eq!(config(text), [(0, "rope".to_owned()), (12, "add_one".to_owned())]);
        assert!(config("\"func_id\": x, \"name\"").is_empty());
    }

    #[test]
    fn functions_of_a_program() {
        let text = "func.func @a(%x: i32) {\n func.func private @b.c() // func.func\n pto.tadd";
        assert_eq!(functions(text), ["a", "b.c"]);
    }
}
