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
}

/// Bits of an address that count bytes inside one buffer.
const OFFSET_BITS: u32 = 40;

/// An address in no buffer.
pub const NOWHERE: u64 = u64::MAX;

impl Global {
    /// Adds a buffer; gives its address.
    pub fn add(&mut self, name: impl Into<String>, bytes: Vec<u8>) -> u64 {
        self.buffers.push(GlobalBuffer { name: name.into(), bytes, written: false });
        (self.buffers.len() as u64) << OFFSET_BITS
    }

    /// The buffers in the order in which they were added.
    pub fn into_buffers(self) -> Vec<GlobalBuffer> {
        self.buffers
    }

    /// The buffer that an address points into, and the byte offset there.
    pub fn locate(&self, address: u64) -> Option<(usize, u64)> {
        let index = (address >> OFFSET_BITS).checked_sub(1)? as usize;
        (index < self.buffers.len()).then_some((index, address & ((1 << OFFSET_BITS) - 1)))
    }

    /// The address this many bytes further, or [`NOWHERE`] if that is not in reach of the same buffer: an
    /// offset, however large, never leads into another one.
    pub fn moved(&self, address: u64, bytes: i128) -> u64 {
        let Some((index, offset)) = self.locate(address) else { return NOWHERE };
        match u64::try_from(i128::from(offset) + bytes) {
            Ok(offset) if offset >> OFFSET_BITS == 0 => ((index as u64 + 1) << OFFSET_BITS) | offset,
            _ => NOWHERE,
        }
    }

    /// A buffer.
    pub fn buffer(&self, index: usize) -> &GlobalBuffer {
        &self.buffers[index]
    }

    /// A buffer, to write.
    pub fn buffer_mut(&mut self, index: usize) -> &mut GlobalBuffer {
        self.buffers[index].written = true;
        &mut self.buffers[index]
    }
}
