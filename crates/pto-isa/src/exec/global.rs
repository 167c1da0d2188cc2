//! Global memory, as instructions access it.

use super::overlay::{Area, Footprint, Overlay, put_together};
use super::storage::Storage;
use crate::element::Element;
use pto_num::{get_element, set_element};
use std::sync::Arc;

/// Global memory: the arguments of a launch, each in its own address range.
///
/// An address consists of a rank, a buffer of that rank and a byte offset. The addresses of one argument on two
/// ranks differ by the distance of the ranks, as in the symmetric windows of a communication domain: adding that
/// distance to a pointer gives the same offset in the other rank's memory.
#[derive(Debug, Default)]
pub struct Global {
    buffers: Vec<GlobalBuffer>,
    per_rank: usize,
}

/// One argument in global memory.
///
/// Each access declares its bytes, so that a launch with concurrent blocks detects conflicts between them; see
/// `overlay.rs`. In sequential launches this costs nothing.
#[derive(Clone, Debug)]
pub struct GlobalBuffer {
    /// Name of the buffer, for messages.
    pub name: String,
    contents: Contents,
    /// Whether the buffer may have been written.
    pub written: bool,
    /// Whether the program has converted its address to an integer.
    pub exposed: bool,
}

/// The owner of a buffer's bytes.
#[derive(Clone, Debug)]
enum Contents {
    /// Owned by this run.
    Own(Storage),
    /// Shared with other concurrent runs.
    Common(Box<Overlay>),
}

impl GlobalBuffer {
    /// The size in bytes.
    pub fn size(&self) -> usize {
        match &self.contents {
            Contents::Own(bytes) => bytes.len(),
            Contents::Common(overlay) => overlay.size(),
        }
    }

    /// All bytes of the buffer; only the bytes in `area` may be read.
    #[inline]
    pub fn read(&mut self, area: &Area) -> &[u8] {
        match &mut self.contents {
            Contents::Own(bytes) => bytes,
            Contents::Common(overlay) => overlay.read(area),
        }
    }

    /// All bytes of the buffer; only the bytes in `area` may be written.
    #[inline]
    pub fn write(&mut self, area: &Area) -> &mut [u8] {
        match &mut self.contents {
            Contents::Own(bytes) => bytes.to_mut_in(|each| area.runs(each)),
            Contents::Common(overlay) => overlay.write(area),
        }
    }

    /// Reads element `index` of the elements that start at byte `start`.
    #[inline]
    pub fn get(&mut self, start: usize, index: usize, element: Element) -> u64 {
        let area = Area::element(start, index, element.bits());
        get_element(self.read(&area), start, index, element)
    }

    /// Writes element `index` of the elements that start at byte `start`.
    #[inline]
    pub fn set(&mut self, start: usize, index: usize, element: Element, bits: u64) {
        let area = Area::element(start, index, element.bits());
        set_element(self.write(&area), start, index, element, bits);
    }

    /// All bytes, for observers; observed runs are not parallel.
    pub fn watched(&self) -> &[u8] {
        match &self.contents {
            Contents::Own(bytes) => bytes,
            Contents::Common(_) => &[],
        }
    }

    /// All bytes, for comparison with the contents before an instruction; empty if others may write them meanwhile.
    pub fn steady(&self) -> &[u8] {
        match &self.contents {
            Contents::Own(bytes) if bytes.is_steady() => bytes,
            _ => &[],
        }
    }

    /// The contents; empty if they are shared.
    pub fn into_bytes(self) -> Storage {
        match self.contents {
            Contents::Own(bytes) => bytes,
            Contents::Common(_) => Storage::default(),
        }
    }
}

/// Number of address bits for the byte offset in a buffer.
const OFFSET_BITS: u32 = 40;

/// Mask of the byte offset.
const OFFSET: u64 = (1 << OFFSET_BITS) - 1;

/// Position of the rank in an address, in bits.
const RANK_SHIFT: u32 = 56;

/// Maximum number of ranks in a launch; their addresses stay below those of a block's own memory.
pub const MAX_RANKS: u32 = 64;

/// Maximum number of buffers per rank.
pub const MAX_BUFFERS: usize = (1 << (RANK_SHIFT - OFFSET_BITS)) - 1;

/// The address bits above the offset for a block's own memory.
const ON_CHIP: u64 = 1 << 22;

/// An address outside all buffers.
pub const NOWHERE: u64 = u64::MAX;

/// The base address of a rank's memory, which a communication context gives as the base of its window.
pub fn rank_base(rank: u32) -> u64 {
    u64::from(rank) << RANK_SHIFT
}

/// The address of the first byte of the buffer that contains an address, and the byte offset in the buffer.
pub fn within_buffer(address: u64) -> (u64, u64) {
    (address & !OFFSET, address & OFFSET)
}

/// The address of a byte of a block's own memory.
pub(crate) fn chip_address(byte: usize) -> u64 {
    (ON_CHIP << OFFSET_BITS) | (byte as u64 & OFFSET)
}

/// The byte of a block's own memory at an address; `None` for other addresses.
pub fn on_chip(address: u64) -> Option<usize> {
    (address >> OFFSET_BITS == ON_CHIP).then_some((address & OFFSET) as usize)
}

/// Whether two addresses are in the same buffer.
pub fn in_same_buffer(one: u64, other: u64) -> bool {
    (one ^ other) & !OFFSET == 0
}

impl Global {
    /// Memory for ranks with `per_rank` buffers each, at most [`MAX_BUFFERS`].
    pub fn new(per_rank: usize) -> Global {
        Global { buffers: Vec::new(), per_rank }
    }

    /// Adds a buffer and returns its address; buffers of the first rank are added first.
    pub fn add(&mut self, name: impl Into<String>, bytes: Storage) -> u64 {
        let (rank, index) =
            (self.buffers.len() / self.per_rank.max(1), self.buffers.len() % self.per_rank.max(1));
        let contents = Contents::Own(bytes);
        self.buffers.push(GlobalBuffer { name: name.into(), contents, written: false, exposed: false });
        rank_base(rank as u32) | (index as u64 + 1) << OFFSET_BITS
    }

    /// The buffers in the order in which they were added.
    pub fn into_buffers(self) -> Vec<GlobalBuffer> {
        self.buffers
    }

    /// The buffer that an address points into, and the byte offset there.
    pub fn locate(&self, address: u64) -> Option<(usize, u64)> {
        let within = address & ((1 << RANK_SHIFT) - 1);
        let index = (within >> OFFSET_BITS).checked_sub(1)? as usize;
        let buffer = (address >> RANK_SHIFT) as usize * self.per_rank + index;
        let exists = index < self.per_rank && buffer < self.buffers.len();
        exists.then_some((buffer, address & OFFSET))
    }

    /// The address plus `bytes`, or [`NOWHERE`] if that is neither in the range of the same buffer nor of the same
    /// argument of another rank. No other offset leads to another buffer.
    pub fn moved(&self, address: u64, bytes: i128) -> u64 {
        if self.locate(address).is_none() && on_chip(address).is_none() {
            return NOWHERE;
        }
        let offset = address & OFFSET;
        let moved = i128::from(offset) + bytes;
        if (moved & ((1 << RANK_SHIFT) - 1)) >> OFFSET_BITS != 0 {
            return NOWHERE;
        }
        let target = i128::from(address - offset) + moved;
        let exists = |target: &u64| self.locate(*target).is_some() || on_chip(*target).is_some();
        u64::try_from(target).ok().filter(exists).unwrap_or(NOWHERE)
    }

    /// The buffers in the order in which they were added; those of the first rank are first.
    pub fn buffers(&self) -> &[GlobalBuffer] {
        &self.buffers
    }

    /// Replaces the contents of a buffer by contents of the same size.
    pub fn replace(&mut self, index: usize, with: &[u8]) {
        if let Contents::Own(bytes) = &mut self.buffers[index].contents {
            bytes.to_mut().copy_from_slice(with);
        }
    }

    /// Replaces the contents of a buffer by others, of any size, and returns the old ones.
    pub fn replace_contents(&mut self, index: usize, with: Storage) -> Storage {
        match std::mem::replace(&mut self.buffers[index].contents, Contents::Own(with)) {
            Contents::Own(bytes) => bytes,
            Contents::Common(_) => Storage::default(),
        }
    }

    /// The contents of a buffer, for writing by the host; `None` if they are shared.
    pub fn contents_mut(&mut self, index: usize) -> Option<&mut [u8]> {
        match &mut self.buffers[index].contents {
            Contents::Own(bytes) => Some(bytes.to_mut()),
            Contents::Common(_) => None,
        }
    }

    /// Flips bits of a byte of a buffer.
    pub fn flip(&mut self, index: usize, byte: usize, bits: u8) {
        if let Contents::Own(bytes) = &mut self.buffers[index].contents {
            bytes.to_mut_in(|each| each(byte..byte + 1))[byte] ^= bits;
        }
    }

    /// The buffer with an index.
    pub fn buffer(&self, index: usize) -> &GlobalBuffer {
        &self.buffers[index]
    }

    /// Marks the buffer of an address as exposed: the program converted the address to an integer.
    pub fn expose(&mut self, address: u64) {
        if let Some((index, _)) = self.locate(address) {
            self.buffers[index].exposed = true;
        }
    }

    /// Whether an integer is an address in an exposed buffer.
    pub fn is_exposed(&self, address: u64) -> bool {
        self.locate(address).is_some_and(|(index, _)| self.buffers[index].exposed)
    }

    /// The buffer with an index, for reading.
    pub fn reading(&mut self, index: usize) -> &mut GlobalBuffer {
        &mut self.buffers[index]
    }

    /// The buffer with an index, for writing; marks it as written.
    pub fn writing(&mut self, index: usize) -> &mut GlobalBuffer {
        self.buffers[index].written = true;
        &mut self.buffers[index]
    }

    /// Fills a buffer with a byte before a run.
    pub fn blank(&mut self, index: usize, byte: u8) {
        if let Contents::Own(bytes) = &mut self.buffers[index].contents {
            bytes.to_mut().fill(byte);
        }
    }

    /// Moves the contents of all buffers out, to be shared by several runs.
    pub fn lend(&mut self) -> Vec<Arc<Storage>> {
        let lend = |buffer: &mut GlobalBuffer| match &mut buffer.contents {
            Contents::Own(bytes) => Arc::new(std::mem::take(bytes)),
            Contents::Common(_) => Arc::default(),
        };
        self.buffers.iter_mut().map(lend).collect()
    }

    /// A copy of this memory for one of several runs, with an overlay on the shared contents of each buffer.
    pub fn overlaid(&self, lent: &[Arc<Storage>]) -> Global {
        let overlay = |(buffer, bytes): (&GlobalBuffer, &Arc<Storage>)| {
            let contents = Contents::Common(Box::new(Overlay::new(Arc::clone(bytes))));
            GlobalBuffer { name: buffer.name.clone(), contents, ..*buffer }
        };
        let buffers = self.buffers.iter().zip(lent).map(overlay).collect();
        Global { buffers, per_rank: self.per_rank }
    }

    /// Takes back the contents that were lent, and merges the bytes that the runs have written.
    pub fn take_back(&mut self, lent: Vec<Arc<Storage>>, writers: Vec<Global>) {
        let mut writers: Vec<_> = writers.into_iter().map(|writer| writer.buffers.into_iter()).collect();
        for (buffer, bytes) in self.buffers.iter_mut().zip(lent) {
            let mut all = Vec::new();
            for writer in writers.iter_mut().filter_map(Iterator::next) {
                buffer.written |= writer.written;
                if let Contents::Common(overlay) = writer.contents {
                    all.push(overlay.into_written());
                }
            }
            let mut bytes = Arc::unwrap_or_clone(bytes);
            if all.iter().any(|written| !written.is_empty()) {
                put_together(
                    &all,
                    bytes.to_mut_in(|each| all.iter().for_each(|written| written.runs(&mut *each))),
                );
            }
            buffer.contents = Contents::Own(bytes);
        }
    }

    /// The footprints of all shared buffers.
    pub fn footprints(&self) -> impl Iterator<Item = &Footprint> {
        self.buffers.iter().filter_map(|buffer| match &buffer.contents {
            Contents::Own(_) => None,
            Contents::Common(overlay) => Some(overlay.footprint()),
        })
    }
}
