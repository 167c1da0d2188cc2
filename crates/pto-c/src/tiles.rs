//! Places of tiles: addresses in the buffers of a core, and memory of their own.

use crate::session::{Bases, Misuse, Room, Session, buffer_of, misuse};
use pto::diag::Diagnostic;
use pto::isa::Buffer;
use pto::launch::live::{AUTOMATIC, Core};

impl Session {
    /// Gives a tile an address: its host address, and its serial number. An object that gets its address at one place is one tile, also
    /// in the next round of a loop.
    pub fn assign(
        &mut self,
        core: Core,
        buffer: u32,
        address: u64,
        key: (usize, usize),
    ) -> Result<(usize, u32), Misuse> {
        let buffer = buffer_of(buffer)?;
        let profile = self.device.as_ref().map(|device| device.profile).unwrap_or_default();
        let bases = self.bases(core);
        let host = address as usize;
        // A pointer into a buffer denotes its offset there, as on devices.
        let offset = Buffer::ALL.into_iter().enumerate().find_map(|(at, other)| {
            let offset = host.checked_sub(bases.buffers[at])?;
            (offset as u64 <= profile.capacity(other)).then_some(offset)
        });
        let base = bases.buffers[buffer as usize];
        if let Some(offset) = offset {
            // The pointer is that of another tile: this tile is another name for its bytes.
            return Ok((base.wrapping_add(offset), 0));
        }
        let next = self.last_serial + 1;
        let serial = *self.serials.entry(key).or_insert(next);
        self.last_serial = self.last_serial.max(serial);
        Ok((base.wrapping_add(host), serial))
    }

    /// Gives a tile memory of its own.
    pub fn place(&mut self, core: Core, buffer: u32, bytes: u64) -> Result<(usize, u32), Misuse> {
        let buffer = buffer_of(buffer)?;
        let address = self.live().place(core, buffer, bytes as usize).map_err(misuse)?;
        self.last_serial += 1;
        self.rooms.insert(self.last_serial, Room { names: 1, buffer, address, bytes });
        let room = self.bases(core).automatic[usize::from(buffer != Buffer::Ub)];
        Ok((room + (address - AUTOMATIC) as usize, self.last_serial))
    }

    /// Adds `more` names to a tile without an address of its own. Its memory is freed when no name is left.
    pub fn retain(&mut self, serial: u32, more: i64) {
        let Some(room) = self.rooms.get_mut(&serial) else { return };
        room.names += more;
        if room.names <= 0
            && let Some(room) = self.rooms.remove(&serial)
            && let Some(device) = &mut self.device
        {
            device.live.give_back(room.buffer, room.address, room.bytes as usize);
        }
    }

    /// Host address of byte 0 of a buffer.
    pub fn buffer(&mut self, core: Core, buffer: u32) -> Result<usize, Misuse> {
        let buffer = buffer_of(buffer)?;
        Ok(self.bases(core).buffers[buffer as usize])
    }

    pub(crate) fn bases_of(&mut self, core: Core) -> Result<Bases, Vec<Diagnostic>> {
        let live = self.live();
        let mut base =
            |buffer, start| live.on_chip(core, buffer, start, 0).map(|bytes| bytes.as_ptr() as usize);
        let mut buffers = [0; Buffer::ALL.len()];
        for (at, buffer) in Buffer::ALL.into_iter().enumerate() {
            buffers[at] = base(buffer, 0)?;
        }
        Ok(Bases { core, buffers, automatic: [base(Buffer::Ub, AUTOMATIC)?, base(Buffer::L1, AUTOMATIC)?] })
    }

    /// The last calls were on this core, so that it is first among the cores.
    pub(crate) fn bases(&mut self, core: Core) -> Bases {
        let at = self.bases.iter().position(|bases| bases.core == core).unwrap_or(0);
        self.bases.swap(0, at);
        self.bases[0]
    }
}
