//! Source lines of code in the running process, and information about functions from debug information.
//!
//! A finding about a kernel names the line of the call that caused it. The library knows only the return address of that call. This module
//! follows the address back to the source:
//!
//! ```text
//! address --/proc/self/maps--> file and offset in it --program headers--> address in the file --DWARF--> frames
//! ```
//!
//! 1. **Maps.** The kernel of the host lists the mapped parts of each file ([`maps`]). Each question reads the list
//!    again, since shared objects may have been loaded and unloaded in the meantime.
//! 2. **Program headers.** The loader maps segments of a file anywhere. The segment that holds the offset determines the
//!    address of the code in the file itself, to which its tables refer.
//! 3. **DWARF.** The line table gives the line. The address may be in code that was inlined, so the tree of functions
//!    gives a frame for the innermost function, and one for each caller into which it was inlined
//!    ([`module::Module::frames`]). With optimization nearly all of our headers are inlined; the line of the user is the
//!    first frame outside of them ([`user_frame`]).
//!
//! A return address is that of the instruction after the call, which may belong to the next line or even to the next
//! function. An address one less is within the call: [`Lines::callers`] subtracts it.
//!
//! Files are read at the first address in them, and again if they have changed: a process may compile and load a kernel
//! many times. The process may remove a file as soon as it is loaded: a kept file ([`Lines::keep`]) stays open until its
//! code is unloaded. A file that cannot be read, or is broken, has no frames. A file without debug information has one
//! frame for each address, with the name of its symbol.
//!
//! Symbols and DWARF also name the functions of a file and the types of their parameters ([`parameters`]), for launches by
//! name, and the *twin* of a kernel that was compiled for both kinds of cores: the function whose symbol has the ending
//! [`TWIN`].

pub mod maps;
pub mod module;
pub mod parameters;

use maps::Mapping;
use module::{Function, Module};
use parameters::Parameter;
use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The ending of the symbols of code for cube cores, in a file with code for both kinds of cores: `pto c++ --cores mixed` gives it to them.
pub const TWIN: &str = ".cube";

/// A function at a place in the source: the innermost of inlined functions, or one into which it was inlined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The name of the function as C++ spells it, such as `pto::add<64>`, without parameters.
    pub function: Option<String>,
    /// The path of the source file, absolute if the compiler recorded its folder.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The column, from 1. Compilers may leave it out.
    pub column: Option<u32>,
}

/// The code of a process, by address.
#[derive(Debug, Default)]
pub struct Lines {
    mappings: Vec<Mapping>,
    /// Whether the mappings are those of this process.
    is_live: bool,
    /// The modules by path, or by identity if their file was removed.
    modules: BTreeMap<Name, Loaded>,
    /// Open files by identity.
    kept: BTreeMap<(String, u64), File>,
}

/// The name of a module.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    /// The path of its file.
    Path(PathBuf),
    /// Device and number of its file, which was removed.
    Removed((String, u64)),
}

/// A module and the file that it was.
#[derive(Debug)]
struct Loaded {
    /// Length and time of the file.
    stamp: Option<(u64, SystemTime)>,
    /// `None` for a file that cannot be read.
    module: Option<Module>,
}

impl Loaded {
    /// Length and time of a file now.
    fn stamp(known: &Metadata) -> Option<(u64, SystemTime)> {
        Some((known.len(), known.modified().ok()?))
    }
}

impl Lines {
    /// Source lines of this process.
    pub fn of_process() -> Lines {
        Lines { is_live: true, ..Lines::default() }
    }

    /// Source lines of a process, given its list of mappings in the format of `/proc/PID/maps`.
    pub fn with_mappings(maps: &str) -> Lines {
        Lines { mappings: maps::parse(maps), ..Lines::default() }
    }

    /// The frames at an address, innermost first. Empty if the address is in no file that can be read.
    pub fn frames(&mut self, address: u64) -> Vec<Frame> {
        self.find(address).map(|(module, inner)| module.frames(inner)).unwrap_or_default()
    }

    /// The frames of the call that returns to an address, innermost first.
    pub fn callers(&mut self, return_address: u64) -> Vec<Frame> {
        return_address.checked_sub(1).map(|within| self.frames(within)).unwrap_or_default()
    }

    /// The parameters of the function at an address. `None` without debug information about it.
    pub fn parameters(&mut self, address: u64) -> Option<Vec<Parameter>> {
        let (module, inner) = self.find(address)?;
        module.parameters(inner)
    }

    /// The function for cube cores that belongs to the function for vector cores at an address. `None` if its file has code for one kind of
    /// cores only, or several functions of that name.
    pub fn twin(&mut self, address: u64) -> Option<u64> {
        let (module, inner) = self.find(address)?;
        let twin = module.twin(inner)?;
        Some(address.wrapping_sub(inner).wrapping_add(twin))
    }

    /// The functions of the file that has code at an address, with their addresses in the process.
    pub fn functions(&mut self, address: u64) -> Vec<Function> {
        let Some((module, inner)) = self.find(address) else { return Vec::new() };
        let loaded = |function: Function| {
            let address = function.address.wrapping_add(address.wrapping_sub(inner));
            Function { address, ..function }
        };
        module.functions().into_iter().map(loaded).collect()
    }

    /// Keeps the file with code at an address open as long as it is mapped, and lets go of files that no longer are.
    pub fn keep(&mut self, address: u64) {
        self.refresh();
        let is_mapped = |identity: &(String, u64)| self.mappings.iter().any(|one| one.identity == *identity);
        self.kept.retain(|identity, _| is_mapped(identity));
        self.modules.retain(|name, _| !matches!(name, Name::Removed(identity) if !is_mapped(identity)));
        let Some((mapping, _)) = maps::find(&self.mappings, address) else { return };
        if !mapping.is_deleted
            && !self.kept.contains_key(&mapping.identity)
            && let Ok(file) = File::open(&mapping.path)
        {
            self.kept.insert(mapping.identity.clone(), file);
        }
    }

    /// Reads the mappings of this process again.
    fn refresh(&mut self) {
        if self.is_live {
            self.mappings =
                std::fs::read_to_string("/proc/self/maps").map_or(Vec::new(), |maps| maps::parse(&maps));
        }
    }

    /// The module at an address, and the address in its file.
    fn find(&mut self, address: u64) -> Option<(&Module, u64)> {
        self.refresh();
        let (mapping, offset) = maps::find(&self.mappings, address)?;
        let (name, known) = if mapping.is_deleted {
            let known = self.kept.get(&mapping.identity)?.metadata();
            (Name::Removed(mapping.identity.clone()), known)
        } else {
            (Name::Path(mapping.path.clone()), std::fs::metadata(&mapping.path))
        };
        let stamp = known.ok().as_ref().and_then(Loaded::stamp);
        let is_current = self.modules.get(&name).is_some_and(|loaded| loaded.stamp == stamp);
        if !is_current {
            let module = match &name {
                Name::Path(path) => Module::open(path).ok(),
                Name::Removed(identity) => Module::of(self.kept.get(identity)?.try_clone().ok()?).ok(),
            };
            self.modules.insert(name.clone(), Loaded { stamp, module });
        }
        let module = self.modules.get(&name)?.module.as_ref()?;
        let inner = module.address(offset)?;
        Some((module, inner))
    }
}

/// The innermost frame in the user's code: outside of the folder of our headers and of the headers of the system. If the
/// folder is not known, a header counts as ours if it is in a folder `include/pto`.
pub fn user_frame<'f>(frames: &'f [Frame], headers: Option<&Path>) -> Option<&'f Frame> {
    let is_user = |file: &String| {
        let is_ours = headers
            .map_or_else(|| file.contains("/include/pto/"), |folder| Path::new(file).starts_with(folder));
        let is_system = ["/usr/include/", "/usr/lib/"].iter().any(|start| file.starts_with(start))
            || ["/include/c++/", "/lib/gcc/", "/lib/clang/"].iter().any(|part| file.contains(part));
        !is_ours && !is_system
    };
    frames.iter().find(|frame| frame.file.as_ref().is_some_and(is_user))
}
