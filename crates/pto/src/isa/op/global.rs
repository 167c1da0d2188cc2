//! Global memory as instructions see it.

/// Global memory: the arguments of a launch, each at an address of its own.
#[derive(Debug, Default)]
pub struct Global {
    buffers: Vec<GlobalBuffer>,
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

/// What stands above those bits in the address of a byte of a block's own memory.
const ON_CHIP: u64 = 1 << 22;

/// An address in no buffer.
pub const NOWHERE: u64 = u64::MAX;

/// The address of a byte of a block's own memory.
pub fn chip_address(byte: usize) -> u64 {
    (ON_CHIP << OFFSET_BITS) | (byte as u64 & OFFSET)
}

/// The byte of a block's own memory that an address is.
pub fn on_chip(address: u64) -> Option<usize> {
    (address >> OFFSET_BITS == ON_CHIP).then_some((address & OFFSET) as usize)
}

impl Global {
    /// Adds a buffer; gives its address.
    pub fn add(&mut self, name: impl Into<String>, bytes: Vec<u8>) -> u64 {
        self.buffers.push(GlobalBuffer { name: name.into(), bytes, ..GlobalBuffer::default() });
        (self.buffers.len() as u64) << OFFSET_BITS
    }

    /// The buffers in the order in which they were added.
    pub fn into_buffers(self) -> Vec<GlobalBuffer> {
        self.buffers
    }

    /// The buffer that an address points into, and the byte offset there.
    pub fn locate(&self, address: u64) -> Option<(usize, u64)> {
        let index = (address >> OFFSET_BITS).checked_sub(1)? as usize;
        (index < self.buffers.len()).then_some((index, address & OFFSET))
    }

    /// The address this many bytes further, or [`NOWHERE`] if that is not in reach of the same buffer: an
    /// offset, however large, never leads into another one.
    pub fn moved(&self, address: u64, bytes: i128) -> u64 {
        if self.locate(address).is_none() && on_chip(address).is_none() {
            return NOWHERE;
        }
        let (home, offset) = (address >> OFFSET_BITS, address & OFFSET);
        match u64::try_from(i128::from(offset) + bytes) {
            Ok(offset) if offset <= OFFSET => (home << OFFSET_BITS) | offset,
            _ => NOWHERE,
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

    /// A buffer, to write.
    pub fn buffer_mut(&mut self, index: usize) -> &mut GlobalBuffer {
        self.buffers[index].written = true;
        &mut self.buffers[index]
    }
}
