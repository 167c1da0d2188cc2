//! A linked file: its segments, symbols and debug information.

use super::parameters::{self, Parameter};
use super::{Frame, TWIN};
use addr2line::Context;
use cpp_demangle::DemangleOptions;
use gimli::{EndianArcSlice, RunTimeEndian};
use object::read::{ReadCache, ReadRef};
use object::{Object, ObjectSection, ObjectSegment, ObjectSymbol, SymbolKind};
use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Bytes of debug information. Each section owns its own, so a module borrows nothing.
pub(super) type Bytes = EndianArcSlice<RunTimeEndian>;

/// A program or a shared object. Addresses are relative to the file, before it is loaded.
pub struct Module {
    context: Context<Bytes>,
    segments: Vec<Segment>,
    /// Functions by address.
    symbols: Vec<Symbol>,
}

/// Reason why a file is not a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleError(String);

/// A function of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Name as C++ spells it, such as `pto::add<64>`. Overloaded functions have one name.
    pub name: String,
    /// Symbol, such as `_Z3addILi64EEvPfi`.
    pub symbol: String,
    /// Address in the file; in a process for lists that are documented so.
    pub address: u64,
    /// Whether other files can call the function.
    pub is_external: bool,
}

struct Segment {
    address: u64,
    offset: u64,
    size: u64,
}

struct Symbol {
    address: u64,
    size: u64,
    name: String,
    is_external: bool,
}

impl Module {
    /// Reads the symbols and debug information of a file.
    ///
    /// # Errors
    /// A file that cannot be read, or is not a linked file.
    pub fn open(path: &Path) -> Result<Module, ModuleError> {
        let file = File::open(path).map_err(|error| ModuleError(format!("{}: {error}", path.display())))?;
        Module::of(file).map_err(|error| ModuleError(format!("{}: {error}", path.display())))
    }

    /// Reads the symbols and debug information of an open file.
    ///
    /// # Errors
    /// A file that cannot be read, or is not a linked file.
    pub fn of(file: File) -> Result<Module, ModuleError> {
        Module::read(&ReadCache::new(file))
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// Bytes of no linked file.
    pub fn parse(bytes: &[u8]) -> Result<Module, ModuleError> {
        Module::read(bytes)
    }

    fn read<'d, R: ReadRef<'d>>(data: R) -> Result<Module, ModuleError> {
        let file = object::File::parse(data).map_err(|error| ModuleError(error.to_string()))?;
        let endian = if file.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
        let section = |id: gimli::SectionId| {
            // A section that is absent, broken or compressed is empty: there are symbols still.
            let section = file.section_by_name(id.name());
            let bytes =
                section.and_then(|section| section.uncompressed_data().ok()).unwrap_or(Cow::Borrowed(&[]));
            Ok::<_, gimli::Error>(EndianArcSlice::new(Arc::from(&*bytes), endian))
        };
        let fail = |error: gimli::Error| ModuleError(error.to_string());
        let context = Context::from_dwarf(gimli::Dwarf::load(section).map_err(fail)?).map_err(fail)?;
        let segments = file.segments().map(|segment| {
            let (offset, size) = segment.file_range();
            Segment { address: segment.address(), offset, size }
        });
        let functions = file
            .symbols()
            .chain(file.dynamic_symbols())
            .filter(|symbol| symbol.is_definition() && symbol.kind() == SymbolKind::Text);
        let mut symbols: Vec<Symbol> = functions
            .filter_map(|symbol| {
                let name = symbol.name().ok()?.to_owned();
                let (address, size, is_external) = (symbol.address(), symbol.size(), !symbol.is_local());
                Some(Symbol { address, size, name, is_external })
            })
            .collect();
        symbols.sort_by(|a, b| (a.address, &a.name).cmp(&(b.address, &b.name)));
        symbols.dedup_by(|a, b| (a.address, &a.name) == (b.address, &b.name));
        Ok(Module { context, segments: segments.collect(), symbols })
    }

    /// The address of the byte at an offset in the file.
    pub fn address(&self, offset: u64) -> Option<u64> {
        let holds = |segment: &&Segment| offset >= segment.offset && offset - segment.offset < segment.size;
        let segment = self.segments.iter().find(holds)?;
        segment.address.checked_add(offset - segment.offset)
    }

    /// Whether a segment holds an address. The last address of all is in none: readers of DWARF add 1 to addresses.
    fn holds(&self, address: u64) -> bool {
        let holds =
            |segment: &Segment| address >= segment.address && address - segment.address < segment.size;
        address < u64::MAX && self.segments.iter().any(holds)
    }

    /// The frames at an address, innermost first.
    pub fn frames(&self, address: u64) -> Vec<Frame> {
        let mut frames = Vec::new();
        if !self.holds(address) {
            return frames;
        }
        // Debug information that breaks off gives the frames up to there.
        if let Ok(mut found) = self.context.find_frames(address).skip_all_loads() {
            while let Ok(Some(frame)) = found.next() {
                frames.push(self::frame(&frame));
            }
        }
        let symbol = self.symbol(address);
        match frames.last_mut() {
            Some(outermost) if outermost.function.is_none() => {
                outermost.function = symbol.map(|found| plain_name(&found.name))
            }
            None => frames.extend(
                symbol.map(|found| Frame { function: Some(plain_name(&found.name)), ..Frame::default() }),
            ),
            Some(_) => {}
        }
        frames
    }

    /// The parameters of the function at an address.
    pub fn parameters(&self, address: u64) -> Option<Vec<Parameter>> {
        if !self.holds(address) {
            return None;
        }
        let mut frames = self.context.find_frames(address).skip_all_loads().ok()?;
        let mut function = None;
        while let Ok(Some(frame)) = frames.next() {
            function = frame.dw_die_offset;
        }
        let unit = self.context.find_dwarf_and_unit(address).skip_all_loads()?;
        parameters::of_function(unit, function?).ok()
    }

    /// The functions of the file in the order of their addresses.
    pub fn functions(&self) -> Vec<Function> {
        let function = |symbol: &Symbol| Function {
            name: plain_name(&symbol.name),
            symbol: symbol.name.clone(),
            address: symbol.address,
            is_external: symbol.is_external,
        };
        self.symbols.iter().map(function).collect()
    }

    /// Address of the twin for cube cores of the function at `address`; `None` if there is none or several.
    pub fn twin(&self, address: u64) -> Option<u64> {
        let first = self.symbols.partition_point(|symbol| symbol.address < address);
        let here = self.symbols[first..].iter().take_while(|symbol| symbol.address == address);
        let mut twins: Vec<u64> = here.flat_map(|symbol| self.twins_of(&symbol.name)).collect();
        twins.sort_unstable();
        twins.dedup();
        // Functions with internal linkage may have one name in several sources.
        if let [twin] = twins[..] { Some(twin) } else { None }
    }

    fn twins_of(&self, name: &str) -> impl Iterator<Item = u64> {
        let is_twin = move |symbol: &&Symbol| symbol.name.strip_suffix(TWIN) == Some(name);
        self.symbols.iter().filter(is_twin).map(|symbol| symbol.address)
    }

    /// The symbol whose function holds an address.
    fn symbol(&self, address: u64) -> Option<&Symbol> {
        let after = self.symbols.partition_point(|symbol| symbol.address <= address);
        let symbol = self.symbols[..after].last()?;
        (address - symbol.address < symbol.size).then_some(symbol)
    }
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Module").field("functions", &self.symbols.len()).finish_non_exhaustive()
    }
}

impl fmt::Display for ModuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ModuleError {}

fn frame(frame: &addr2line::Frame<'_, Bytes>) -> Frame {
    let name = frame.function.as_ref().and_then(|name| Some(plain_name(&name.raw_name().ok()?)));
    let location = frame.location.as_ref();
    // Line and column 0 mark code that belongs to no source line.
    let positive = |number: Option<u32>| number.filter(|number| *number > 0);
    Frame {
        function: name,
        file: location.and_then(|location| location.file).map(plain_path),
        line: positive(location.and_then(|location| location.line)),
        column: positive(location.and_then(|location| location.column)),
    }
}

/// Name as C++ spells it, without parameters and result, which fill lines for templates. Whichever language a compilation
/// unit names, C++ symbols begin with `_Z`.
fn plain_name(symbol: &str) -> String {
    let options = DemangleOptions::new().no_params().no_return_type();
    let plain = || cpp_demangle::Symbol::new(symbol).ok()?.demangle_with_options(&options).ok();
    symbol.starts_with("_Z").then(plain).flatten().unwrap_or_else(|| symbol.to_owned())
}

/// A path without `.` in it.
fn plain_path(path: &str) -> String {
    let kept = Path::new(path).components().filter(|part| *part != Component::CurDir);
    kept.collect::<PathBuf>().to_string_lossy().into_owned()
}
