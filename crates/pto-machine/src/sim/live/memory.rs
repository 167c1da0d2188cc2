//! Memory of a live launch: buffers in global memory, bytes of the running core's block, places for tiles without addresses.

use super::{Core, Live, OpenBlock, misuse, open, open_mut};
use crate::sim::event::{Place, What};
use crate::sim::{Observer, Storage};
use pto_isa::diag::Diagnostic;
use pto_isa::memory::Buffer;
use pto_isa::strided_range::StridedRange;
use std::collections::BTreeMap;

/// The lowest address of places that [`Live::place`] returns; addresses in buffers are below.
pub const AUTOMATIC: u64 = 1 << 62;

/// Alignment of such places in bytes.
const ALIGNMENT: usize = 64;

/// The area for tiles without addresses.
#[derive(Default)]
pub(super) struct Room {
    /// Bytes in use: in the memory of a vector core, and elsewhere.
    pub(super) used: [usize; 2],
    /// Released places, by whether they are in UB, and by size.
    free: BTreeMap<(bool, usize), Vec<u64>>,
}

impl<O: Observer> Live<O> {
    /// Adds a buffer in global memory and returns the address of its first byte. Unless `written` is set, its bytes
    /// count as unwritten, and watchers report reads of them before a write.
    ///
    /// # Errors
    /// If there are too many buffers.
    pub fn buffer(&mut self, name: &str, bytes: Storage, written: bool) -> Result<u64, Vec<Diagnostic>> {
        let Some(address) = self.state.add_buffer(name, bytes) else {
            return misuse("there are more than 65,535 buffers");
        };
        if !written && let Some((buffer, _)) = self.state.global.locate(address) {
            if self.options.poison {
                self.state.global.blank(buffer, self.options.pattern);
            }
            self.machine().tell_of_host(0, What::Blank { buffer: buffer as u32 });
        }
        Ok(address)
    }

    /// Takes the contents of a buffer out of the launch. Accesses to its addresses are findings from then on.
    pub fn take_buffer(&mut self, address: u64) -> Option<Storage> {
        let (buffer, _) = self.state.global.locate(address)?;
        Some(self.state.global.replace_contents(buffer, Storage::default()))
    }

    /// The contents of a buffer.
    pub fn contents(&self, address: u64) -> Option<&[u8]> {
        let (buffer, _) = self.state.global.locate(address)?;
        Some(self.state.global.buffer(buffer).watched())
    }

    /// The contents of a buffer, for the host to write: `bytes` from the address on count as written. `None` if they are not in the buffer.
    pub fn write(&mut self, address: u64, bytes: u64) -> Option<&mut [u8]> {
        let (buffer, start) = self.state.global.locate(address)?;
        let size = self.state.global.buffer(buffer).size() as u64;
        if start.checked_add(bytes)? > size {
            return None;
        }
        let range = StridedRange::bytes(start, bytes);
        self.machine().tell_of_host(0, What::HostWrites { buffer: buffer as u32, range });
        self.state.global.contents_mut(buffer)?.get_mut(start as usize..(start + bytes) as usize)
    }

    /// Bytes of a buffer of a core on chip.
    ///
    /// # Errors
    /// If the core is not open, or the buffer has no such bytes.
    pub fn on_chip(
        &mut self,
        core: Core,
        buffer: Buffer,
        start: u64,
        bytes: u64,
    ) -> Result<&mut [u8], Vec<Diagnostic>> {
        self.hand_over(core)?;
        let (map, capacity) = (*self.program.map(), self.program.profile().capacity(buffer));
        let in_ub = buffer == Buffer::Ub;
        // First byte of the buffer or of the area for tiles without addresses, its size, and the requested offset in
        // it.
        let (first, size, start) = match start.checked_sub(AUTOMATIC) {
            None => (map.base[buffer as usize], capacity, start),
            Some(start) => {
                let (first, room) = map.automatic_of(buffer);
                (first, room as u64, start)
            }
        };
        let end = start.checked_add(bytes).filter(|end| *end <= size);
        let Some(OpenBlock { block, .. }) = open_mut(&mut self.ranks, core) else {
            return misuse("the block has ended");
        };
        let core = &mut block.cores[core.index as usize].core;
        let first = first + if in_ub { core.vector_core as usize * map.vector_stride } else { 0 };
        match end.and_then(|end| core.memory.get_mut(first + start as usize..first + end as usize)) {
            Some(bytes) => Ok(bytes),
            None => misuse(format!("{bytes} bytes at {start} are not in {}", buffer.word())),
        }
    }

    /// A place for a tile without an address, whose bytes are undefined until it is written.
    ///
    /// # Errors
    /// If the area for such tiles is too small.
    pub fn place(&mut self, core: Core, buffer: Buffer, bytes: usize) -> Result<u64, Vec<Diagnostic>> {
        self.hand_over(core)?;
        let in_ub = buffer == Buffer::Ub;
        let map = *self.program.map();
        let (room, most) = map.automatic_of(buffer);
        // More than the room has cannot be rounded up, either.
        let bytes = bytes.min(most + 1).next_multiple_of(ALIGNMENT);
        let given_back = self.room.free.get_mut(&(in_ub, bytes)).and_then(Vec::pop);
        let address = match given_back {
            Some(address) => address,
            None => {
                let used = &mut self.room.used[usize::from(!in_ub)];
                if bytes > most - (*used).min(most) {
                    return misuse(format!(
                        "tiles without addresses take more than the {most} bytes of room for them"
                    ));
                }
                *used += bytes;
                AUTOMATIC + (*used - bytes) as u64
            }
        };
        let first = (address - AUTOMATIC) as usize + room;
        self.program.may_write(first..first + bytes);
        if in_ub {
            self.program.may_write(first + map.vector_stride..first + map.vector_stride + bytes);
        }
        let Some(open) = open(&self.ranks, core) else {
            return misuse("the block has ended");
        };
        let id = open.block.cores[core.index as usize].core.id();
        let own = if in_ub { id.vector_core as usize * map.vector_stride } else { 0 };
        let range = StridedRange::bytes((own + first) as u64, bytes as u64);
        self.machine().tell(id, Place::default(), What::Fresh { range });
        Ok(address)
    }

    /// Releases a place whose tile is no longer used. Ignores addresses that are not such places.
    pub fn give_back(&mut self, buffer: Buffer, address: u64, bytes: usize) {
        let in_ub = buffer == Buffer::Ub;
        let used = self.room.used[usize::from(!in_ub)] as u64;
        let (Some(bytes), Some(start)) =
            (bytes.checked_next_multiple_of(ALIGNMENT), address.checked_sub(AUTOMATIC))
        else {
            return;
        };
        if start.checked_add(bytes as u64).is_some_and(|end| end <= used) {
            self.room.free.entry((in_ub, bytes)).or_default().push(address);
        }
    }
}
