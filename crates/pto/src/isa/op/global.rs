//! Global memory as instructions see it.

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
#[derive(Clone, Debug, Default)]
pub struct GlobalBuffer {
    /// Its name, for messages.
    pub name: String,
    /// Its contents.
    pub bytes: Vec<u8>,
    /// Whether anything may have been written to it.
    pub written: bool,
    /// Whether the program has seen its address as a number.
    pub exposed: bool,
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
pub const MAX_BUFFERS: usize = (1 << (RANK_SHIFT - OFFSET_BITS)) - 1;

/// What stands above the offset in the address of a byte of a block's own memory.
const ON_CHIP: u64 = 1 << 22;

/// An address in no buffer.
pub const NOWHERE: u64 = u64::MAX;

/// Where the memory of a rank begins: what a communication context gives as the base of its window.
pub fn rank_base(rank: u32) -> u64 {
    u64::from(rank) << RANK_SHIFT
}

/// The address of a byte of a block's own memory.
pub fn chip_address(byte: usize) -> u64 {
    (ON_CHIP << OFFSET_BITS) | (byte as u64 & OFFSET)
}

/// The byte of a block's own memory that an address is.
pub fn on_chip(address: u64) -> Option<usize> {
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
        self.buffers.push(GlobalBuffer { name: name.into(), bytes, ..GlobalBuffer::default() });
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

    /// A buffer, to write.
    pub fn buffer_mut(&mut self, index: usize) -> &mut GlobalBuffer {
        self.buffers[index].written = true;
        &mut self.buffers[index]
    }
}
