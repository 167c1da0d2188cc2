//! Recording of the instructions that the cores of a launch issue, in order, without times.

use super::conflict::Conflict;
use super::timing::Span as TimeSpan;
use pto_isa::device::Device;
use pto_isa::diag::Span;
use pto_isa::element::{Element, element_word};
use pto_isa::memory::Buffer;
use pto_isa::op::cost::{Duration, Load};
use pto_isa::op::effect::Access;
use pto_isa::pipe::Pipe;
use pto_isa::profile::Profile;
use pto_isa::strided_range::StridedRange;
use pto_machine::observe::TileContents;
use pto_machine::sim::event::{CoreId, FlagKey, QueueEnd};
use pto_machine::sim::part::Part;
use std::fmt;

/// An operation of the program that takes time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Source {
    /// Name of the operation, without dialect.
    pub name: String,
    /// The function that contains it.
    pub function: String,
    /// Position in the text of the program.
    pub span: Span,
    /// Pipes that the operation orders: for a flag, the setting pipe and the waiting pipe; for a barrier, its pipe.
    pub ordered: Vec<Pipe>,
}

/// Extents of the operands of an instruction, for traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The instruction has no tiles.
    None,
    /// Rows and columns of the largest tile.
    Tile(u64, u64, Element),
    /// Rows of the left factor, its columns, and columns of the right factor.
    Product(u64, u64, u64, Element),
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Shape::None => Ok(()),
            Shape::Tile(rows, columns, element) => write!(f, "{rows}x{columns}x{}", element_word(element)),
            Shape::Product(rows, inner, columns, element) => {
                write!(f, "{rows}x{inner}x{columns} {}", element_word(element))
            }
        }
    }
}

/// An instruction with its extents: equal ones of an operation are recorded once.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    /// Index of the operation among [`Recording::sources`].
    pub(crate) source: u32,
    /// The pipes that run it, in order.
    pub(crate) phases: Vec<Pipe>,
    pub(crate) load: Load,
    pub(crate) shape: Shape,
}

impl Work {
    /// Duration of the work on a device.
    pub(crate) fn duration(&self, device: &Device) -> Duration {
        let pipe = self.phases.last().copied().unwrap_or(Pipe::Vector);
        Duration::of(&self.load, pipe, device)
    }

    /// Whether the work takes the same time as another execution of the same operation on the same pipes. The costs of
    /// the two are equal in any case.
    pub(crate) fn is_like(&self, other: &Work) -> bool {
        self.load == other.load && self.shape == other.shape
    }
}

/// A range of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct GlobalRange {
    pub(crate) buffer: u32,
    pub(crate) writes: bool,
    pub(crate) range: StridedRange,
}

/// A tile at an address, which operands of instructions name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlacedTile {
    /// Name of the operand, without `%`.
    pub(crate) name: String,
    /// Short form of the tile's type.
    pub(crate) ty: String,
    /// Span of the definition of the value.
    pub(crate) span: Span,
    /// Number of the allocation; `None` for a view of the tile at an address, whichever it is.
    pub(crate) allocation: Option<u32>,
    /// The memory of its type.
    pub(crate) memory: Buffer,
    pub(crate) part: Part,
    /// First byte in its part of the memory of a block, and size.
    pub(crate) address: u64,
    pub(crate) bytes: u64,
}

impl PlacedTile {
    /// The end of its bytes, exclusive.
    pub(crate) fn end(&self) -> u64 {
        self.address + self.bytes
    }
}

/// An access of an instruction to a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TileAccess {
    /// Index among [`Recording::tiles`].
    pub(crate) tile: u32,
    pub(crate) access: Access,
    pub(crate) pipe: Pipe,
    /// The bytes, relative to the part of the memory of a block.
    pub(crate) range: StridedRange,
}

/// Signal between cores, or between pipes of one core: sender and receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Signal {
    /// An entry of a queue: it was pushed.
    Pushed(CoreId, QueueEnd, u64),
    /// The n-th time that a slot of a queue was freed.
    Freed(CoreId, QueueEnd, u64),
    /// The n-th time that a core set a flag between cores.
    Flag(CoreId, u8, u64, u64),
    /// The n-th change of a counter in global memory.
    Memory(u32, u64, u64),
}

/// One step of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    /// An instruction: index among [`Recording::works`], number of ranges of global memory that it accesses, and accesses to
    /// tiles as an index among [`Recording::uses`].
    Work {
        work: u32,
        ranges: u32,
        uses: u32,
    },
    /// A flag between pipes: index among [`Recording::flags`].
    Set {
        flag: u32,
        source: u32,
    },
    Wait {
        flag: u32,
        source: u32,
    },
    Barrier {
        pipe: Pipe,
        source: u32,
    },
    Acquire {
        pipe: Pipe,
        token: u32,
        source: u32,
    },
    Release {
        pipe: Pipe,
        token: u32,
    },
    /// A pipe signals to other cores that it has reached this step: index among [`Recording::signals`].
    Tell {
        pipe: Pipe,
        signal: u32,
    },
    /// A pipe waits for a signal of another core.
    Hear {
        pipe: Pipe,
        signal: u32,
        source: u32,
    },
}

impl Step {
    /// The operation that waits for something else than its pipe, as an index among [`Recording::sources`].
    pub(crate) fn waits_at(self) -> Option<u32> {
        match self {
            Step::Wait { source, .. }
            | Step::Barrier { source, .. }
            | Step::Acquire { source, .. }
            | Step::Hear { source, .. } => Some(source),
            Step::Work { .. } | Step::Set { .. } | Step::Release { .. } | Step::Tell { .. } => None,
        }
    }
}

/// The steps of one core of one block: there may be millions, and most are alike.
#[derive(Clone, Debug)]
pub(crate) struct Stream {
    pub(crate) core: CoreId,
    /// Indices among [`Recording::steps`].
    pub(crate) steps: Vec<u32>,
    /// The ranges of global memory of all its instructions, in order: the first byte of each, and an index among
    /// [`Recording::ranges`].
    pub(crate) ranges: Vec<(u64, u32)>,
}

/// Instructions that the cores of a launch issue, in order.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Recording {
    /// The operations that take time.
    pub sources: Vec<Source>,
    /// Whether the launch had more steps than the recording may have; the rest is missing.
    pub is_truncated: bool,
    /// Whether an error stopped the launch. The instructions issued until then are recorded.
    pub is_stopped: bool,
    /// Conflicts that watchers found: races, and reads of tiles that another tile has overwritten.
    pub conflicts: Vec<Conflict>,
    /// The contents that instructions left in tiles, if [`RecordOptions::contents`](super::RecordOptions::contents) requested it.
    pub contents: Vec<TileContents>,
    pub(crate) streams: Vec<Stream>,
    /// The steps, each once.
    pub(crate) steps: Vec<Step>,
    pub(crate) works: Vec<Work>,
    /// The ranges of global memory, each once, as if their first byte were 0.
    pub(crate) ranges: Vec<GlobalRange>,
    pub(crate) signals: Vec<Signal>,
    /// The flags between pipes that are set or waited for.
    pub(crate) flags: Vec<FlagKey>,
    /// The tiles that instructions access.
    pub(crate) tiles: Vec<PlacedTile>,
    /// Accesses of one instruction to tiles: equal lists are recorded once. The first one is empty.
    pub(crate) uses: Vec<Vec<TileAccess>>,
    pub(crate) profile: Profile,
    /// Sizes of buffers in bytes, by their numbers, as far as they are accessed.
    pub(crate) buffers: Vec<u64>,
}

impl Recording {
    /// The step of a core at an index.
    pub(crate) fn step(&self, stream: &Stream, at: usize) -> Option<Step> {
        stream.steps.get(at).map(|step| self.steps[*step as usize])
    }

    /// The range of global memory at an index, from the byte `start` on.
    pub(crate) fn range(&self, start: u64, index: u32) -> GlobalRange {
        let alike = self.ranges[index as usize];
        GlobalRange { range: StridedRange { start, ..alike.range }, ..alike }
    }

    /// Names of the tiles that an instruction reads, and of those that it writes, without `%`, each once. `span` must
    /// belong to a timing of this recording.
    pub fn tile_names(&self, span: &TimeSpan) -> [Vec<&str>; 2] {
        let step =
            self.streams.get(span.core as usize).and_then(|stream| self.step(stream, span.step as usize));
        let uses = match step {
            Some(Step::Work { uses, .. }) => self.uses[uses as usize].as_slice(),
            _ => &[],
        };
        let mut names = [Vec::new(), Vec::new()];
        for access in uses.iter().filter(|access| access.access.is_of_bytes()) {
            let name = self.tiles[access.tile as usize].name.as_str();
            let names = &mut names[usize::from(access.access.changes())];
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// The number of recorded steps: instructions, flags, barriers, entries of queues.
    pub fn steps(&self) -> usize {
        self.streams.iter().map(|stream| stream.steps.len()).sum()
    }

    /// Replaces names and positions of the program by others: the text of a live launch is not the user's text.
    pub fn translate(&mut self, with: &mut impl Translate) {
        for conflict in &mut self.conflicts {
            for access in &mut conflict.accesses {
                with.operand(&mut access.operand, self.sources[access.source as usize].span);
            }
        }
        for contents in &mut self.contents {
            with.operand(&mut contents.tile, contents.span);
            with.operation(&mut contents.operation);
            with.span(&mut contents.span);
        }
        for tile in &mut self.tiles {
            with.operand(&mut tile.name, tile.span);
            with.span(&mut tile.span);
        }
        for source in &mut self.sources {
            with.operation(&mut source.name);
            with.function(&mut source.function, source.span);
            with.span(&mut source.span);
        }
    }

    /// The number of blocks, of all ranks.
    pub fn blocks(&self) -> usize {
        let mut blocks: Vec<(u32, u32)> =
            self.streams.iter().map(|stream| (stream.core.rank, stream.core.block)).collect();
        blocks.sort_unstable();
        blocks.dedup();
        blocks.len()
    }
}

/// Replacement of names and positions of a program.
pub trait Translate {
    /// The name of an operation, without dialect.
    fn operation(&mut self, name: &mut String);

    /// The name of an operand, without `%`, of the operation that has a place in its function.
    fn operand(&mut self, name: &mut String, at: Span);

    /// The name of the function that contains a place.
    fn function(&mut self, name: &mut String, at: Span);

    /// A place.
    fn span(&mut self, span: &mut Span);
}
