//! Global memory as instructions see it.

use super::overlay::{Area, Footprint, Overlay, put_together};
use crate::isa::element::Element;
use pto_num::{get_element, set_element};
use std::sync::Arc;

/// Global memory: the arguments of a launch, each at an address of its own.
///
/// An address is a rank, a buffer of that rank and a byte in it. The same argument of two ranks stands at addresses that
/// differ by the distance of the ranks, as in the symmetric windows of a communication domain: a program that adds that
/// distance to a pointer has the same place of the other rank.
#[derive(Debug, Default)]
pub struct Global {
    buffers: Vec<GlobalBuffer>,
    per_rank: usize,
}

/// One argument in global memory.
///
/// Each access says which bytes it is about, so that a launch whose blocks run at once knows whether they need each
/// other: see `overlay.rs`. Otherwise that costs nothing.
#[derive(Clone, Debug)]
pub struct GlobalBuffer {
    /// Its name, for messages.
    pub name: String,
    contents: Contents,
    /// Whether anything may have been written to it.
    pub written: bool,
    /// Whether the program has seen its address as a number.
    pub exposed: bool,
}

/// Whose the bytes of a buffer are.
#[derive(Clone, Debug)]
enum Contents {
    /// They belong to the one that runs.
    Own(Vec<u8>),
    /// Others use them, too.
    Common(Box<Overlay>),
}

impl GlobalBuffer {
    /// Its size in bytes.
    pub fn size(&self) -> usize {
        match &self.contents {
            Contents::Own(bytes) => bytes.len(),
            Contents::Common(overlay) => overlay.size(),
        }
    }

    /// Its bytes, of which those in an area are read.
    #[inline]
    pub fn read(&mut self, area: &Area) -> &[u8] {
        match &mut self.contents {
            Contents::Own(bytes) => bytes,
            Contents::Common(overlay) => overlay.read(area),
        }
    }

    /// Its bytes, of which those in an area are written.
    #[inline]
    pub fn write(&mut self, area: &Area) -> &mut [u8] {
        match &mut self.contents {
            Contents::Own(bytes) => bytes,
            Contents::Common(overlay) => overlay.write(area),
        }
    }

    /// The element that stands so many elements after the byte `start`.
    #[inline]
    pub fn get(&mut self, start: usize, index: usize, element: Element) -> u64 {
        let area = Area::element(start, index, element.bits());
        get_element(self.read(&area), start, index, element)
    }

    /// Sets the element that stands so many elements after the byte `start`.
    #[inline]
    pub fn set(&mut self, start: usize, index: usize, element: Element, bits: u64) {
        let area = Area::element(start, index, element.bits());
        set_element(self.write(&area), start, index, element, bits);
    }

    /// All its bytes, for watchers; watched runs are not parallel.
    pub fn watched(&self) -> &[u8] {
        match &self.contents {
            Contents::Own(bytes) => bytes,
            Contents::Common(_) => &[],
        }
    }

    /// Its contents.
    pub fn into_bytes(self) -> Vec<u8> {
        match self.contents {
            Contents::Own(bytes) => bytes,
            Contents::Common(_) => Vec::new(),
        }
    }
}

/// Bits of an address that count bytes inside one buffer.
const OFFSET_BITS: u32 = 40;

/// The bits that count bytes.
const OFFSET: u64 = (1 << OFFSET_BITS) - 1;

/// The first bit of an address that counts ranks.
const RANK_SHIFT: u32 = 56;

/// Most ranks of a launch: their addresses stay below those of a block's own memory.
pub const MAX_RANKS: u32 = 64;

/// Most buffers of a rank.
pub(crate) const MAX_BUFFERS: usize = (1 << (RANK_SHIFT - OFFSET_BITS)) - 1;

/// What stands above the offset in the address of a byte of a block's own memory.
const ON_CHIP: u64 = 1 << 22;

/// An address in no buffer.
pub(crate) const NOWHERE: u64 = u64::MAX;

/// Where the memory of a rank begins: what a communication context gives as the base of its window.
pub fn rank_base(rank: u32) -> u64 {
    u64::from(rank) << RANK_SHIFT
}

/// The address of a byte of a block's own memory.
pub(crate) fn chip_address(byte: usize) -> u64 {
    (ON_CHIP << OFFSET_BITS) | (byte as u64 & OFFSET)
}

/// The byte of a block's own memory that an address is.
pub(crate) fn on_chip(address: u64) -> Option<usize> {
    (address >> OFFSET_BITS == ON_CHIP).then_some((address & OFFSET) as usize)
}

impl Global {
    /// Memory for ranks with so many buffers each, at most [`MAX_BUFFERS`].
    pub fn new(per_rank: usize) -> Global {
        Global { buffers: Vec::new(), per_rank }
    }

    /// Adds a buffer, those of the first rank first; gives its address.
    pub fn add(&mut self, name: impl Into<String>, bytes: Vec<u8>) -> u64 {
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

    /// The address this many bytes further, or [`NOWHERE`] if that is not in reach of the same buffer or of the
    /// same argument of another rank: no other offset leads into another buffer.
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

    /// The rank whose buffer this is.
    pub fn rank_of(&self, buffer: usize) -> usize {
        buffer / self.per_rank.max(1)
    }

    /// The buffers in the order in which they were added, those of the first rank first.
    pub(crate) fn buffers(&self) -> &[GlobalBuffer] {
        &self.buffers
    }

    /// Gives a buffer other contents of the same size.
    pub(crate) fn replace(&mut self, index: usize, with: &[u8]) {
        if let Contents::Own(bytes) = &mut self.buffers[index].contents {
            bytes.copy_from_slice(with);
        }
    }

    /// Changes bits of a byte of a buffer.
    pub(crate) fn flip(&mut self, index: usize, byte: usize, bits: u8) {
        if let Contents::Own(bytes) = &mut self.buffers[index].contents {
            bytes[byte] ^= bits;
        }
    }

    /// A buffer.
    pub fn buffer(&self, index: usize) -> &GlobalBuffer {
        &self.buffers[index]
    }

    /// The program sees an address as a number.
    pub fn expose(&mut self, address: u64) {
        if let Some((index, _)) = self.locate(address) {
            self.buffers[index].exposed = true;
        }
    }

    /// Whether a number is an address in a buffer whose address the program has seen.
    pub fn is_exposed(&self, address: u64) -> bool {
        self.locate(address).is_some_and(|(index, _)| self.buffers[index].exposed)
    }

    /// A buffer, to read.
    pub fn reading(&mut self, index: usize) -> &mut GlobalBuffer {
        &mut self.buffers[index]
    }

    /// A buffer, to write.
    pub fn writing(&mut self, index: usize) -> &mut GlobalBuffer {
        self.buffers[index].written = true;
        &mut self.buffers[index]
    }

    /// Fills a buffer before a run.
    pub fn blank(&mut self, index: usize, byte: u8) {
        if let Contents::Own(bytes) = &mut self.buffers[index].contents {
            bytes.fill(byte);
        }
    }

    /// Gives the contents of all buffers away, for several runs to have in common.
    pub(crate) fn lend(&mut self) -> Vec<Arc<Vec<u8>>> {
        let lend = |buffer: &mut GlobalBuffer| match &mut buffer.contents {
            Contents::Own(bytes) => Arc::new(std::mem::take(bytes)),
            Contents::Common(_) => Arc::default(),
        };
        self.buffers.iter_mut().map(lend).collect()
    }

    /// This memory for one of several runs, on contents that they have in common.
    pub(crate) fn overlaid(&self, lent: &[Arc<Vec<u8>>]) -> Global {
        let overlay = |(buffer, bytes): (&GlobalBuffer, &Arc<Vec<u8>>)| {
            let contents = Contents::Common(Box::new(Overlay::new(Arc::clone(bytes))));
            GlobalBuffer { name: buffer.name.clone(), contents, ..*buffer }
        };
        let buffers = self.buffers.iter().zip(lent).map(overlay).collect();
        Global { buffers, per_rank: self.per_rank }
    }

    /// Takes back what was lent, with what some have written on it.
    pub(crate) fn take_back(&mut self, lent: Vec<Arc<Vec<u8>>>, writers: Vec<Global>) {
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
            put_together(&all, &mut bytes);
            buffer.contents = Contents::Own(bytes);
        }
    }

    /// What was touched of each buffer that others use, too.
    pub(crate) fn footprints(&self) -> impl Iterator<Item = &Footprint> {
        self.buffers.iter().filter_map(|buffer| match &buffer.contents {
            Contents::Own(_) => None,
            Contents::Common(overlay) => Some(overlay.footprint()),
        })
    }
}
