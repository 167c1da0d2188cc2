//! Memory of the host as global memory of a launch: a kernel's pointers are host pointers, and the machine works on the
//! bytes in place.
//!
//! An allocation of `pto_allocate` is a buffer of its own, unwritten until the host reports a write. As on a device, the
//! allocation is a little larger than requested, and a kernel may read the additional bytes. An instruction that writes
//! them is an error; a write of the kernel through a pointer is found after the launch. Any other pointer that a kernel
//! uses is in a mapping of the process: a heap, a stack, a shared object, an array of NumPy. The whole mapping becomes a
//! buffer, which counts as written. A pointer outside all mappings is the kernel's error, and is reported before any
//! read.
//!
//! **Aliasing.** The machine holds a slice of such bytes only during one instruction, and then no kernel runs: cores and
//! host alternate strictly. Plain reads and writes of the kernel come between instructions. Only threads outside of
//! launches (`outsiders.rs`) run meanwhile: as on a device, they synchronize their accesses to shared memory with a
//! kernel, and do not touch the bytes that an instruction accesses.
#![allow(unsafe_code)]

mod allocations;

pub(crate) use allocations::is_allocated;
use allocations::{Allocation, allocation, between_allocations};
pub use allocations::{allocate, free, overrun, overrun_of};
use pto::sim::{Lent, Storage};
use std::collections::BTreeMap;

/// Bytes of the host that a launch works on in place.
struct Bytes {
    start: usize,
    size: usize,
    /// Whether they are a mapping or a part of one, such as a stack, which threads of the host use all the time.
    is_mapping: bool,
}

impl Lent for Bytes {
    fn bytes(&self) -> &[u8] {
        // SAFETY: the bytes are mapped while their buffer is registered, and no other code uses them during an
        // instruction.
        unsafe { std::slice::from_raw_parts(self.start as *const u8, self.size) }
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.start as *mut u8, self.size) }
    }

    fn is_steady(&self) -> bool {
        !self.is_mapping
    }
}

/// Bytes that are a buffer of the machine, or will be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The first byte.
    pub start: usize,
    /// Number of bytes.
    pub size: usize,
    /// Name of the bytes in messages.
    pub name: String,
    /// Whether the bytes count as written.
    pub written: bool,
    /// Whether the bytes are a mapping or a part of one, which the host may change between launches.
    pub is_mapping: bool,
}

/// A buffer of the machine.
#[derive(Clone, Copy, Debug)]
struct Known {
    size: usize,
    /// Address of the buffer in the machine.
    address: u64,
    /// Whether the buffer is a mapping or a part of one, which the host may change between launches.
    is_mapping: bool,
}

impl Found {
    /// The bytes as the contents of a buffer.
    pub fn storage(&self) -> Storage {
        Storage::lent(Bytes { start: self.start, size: self.size, is_mapping: self.is_mapping })
    }

    /// Bytes that a launch has as an argument.
    pub fn of_argument(name: &str, bytes: &mut [u8], written: bool) -> Found {
        let (start, size, name) = (bytes.as_mut_ptr() as usize, bytes.len(), name.to_owned());
        Found { start, size, name, written, is_mapping: false }
    }
}

/// Known global memory: buffers of the machine by the host address of their first byte.
#[derive(Default)]
pub struct Memory {
    /// The buffers.
    buffers: BTreeMap<usize, Known>,
    /// The buffer that was found last.
    last: Option<(usize, usize, u64)>,
    /// Buffers of freed memory, by their addresses in the machine.
    freed: Vec<u64>,
    /// Bytes that the host wrote before their buffer was known: start and number.
    written: Vec<(usize, u64)>,
}

impl Memory {
    /// The address of a host pointer, if its buffer is known.
    #[inline]
    pub fn address(&mut self, pointer: usize) -> Option<u64> {
        if let Some((start, size, address)) = self.last
            && pointer.wrapping_sub(start) < size
        {
            return Some(address + (pointer - start) as u64);
        }
        let (start, known) = self.buffers.range(..=pointer).next_back()?;
        if pointer - start >= known.size {
            return None;
        }
        self.last = Some((*start, known.size, known.address));
        Some(known.address + (pointer - start) as u64)
    }

    /// Adds a buffer.
    pub fn add(&mut self, found: &Found, address: u64) {
        let known = Known { size: found.size, address, is_mapping: found.is_mapping };
        self.buffers.insert(found.start, known);
    }

    /// Records that the host wrote bytes of memory that is not a buffer yet. Only an allocation could become a buffer
    /// that counts as unwritten.
    pub fn wrote(&mut self, start: usize, bytes: u64) {
        if allocation(start).is_some() {
            self.written.push((start, bytes));
        }
    }

    /// Removes and returns the recorded writes of the host to memory that is now a buffer.
    pub fn written(&mut self, found: &Found) -> Vec<(usize, u64)> {
        let is_inside = |(start, _): &mut (usize, u64)| start.wrapping_sub(found.start) < found.size;
        self.written.extract_if(.., is_inside).collect()
    }

    /// The memory of an allocation was freed.
    pub fn forget(&mut self, start: usize, size: usize) {
        self.last = None;
        self.written.retain(|(first, _)| first.wrapping_sub(start) >= size);
        self.freed.extend(self.buffers.remove(&start).map(|known| known.address));
    }

    /// Forgets mappings that overlap bytes.
    pub fn forget_mappings(&mut self, start: usize, size: usize) {
        self.forget_if(|first, known| known.is_mapping && first < start + size && start < first + known.size);
    }

    /// Forgets mappings that the host has changed since they became buffers: a heap grows, an array ends and another one begins there.
    pub fn refresh(&mut self) {
        if !self.buffers.values().any(|known| known.is_mapping) {
            return;
        }
        let maps = maps();
        let is_same = |first: usize, known: &Known| {
            mapping(&maps, first).is_some_and(|(start, end, _)| {
                let (start, end) = between_allocations(first, start, end);
                start <= first && end.min(self.limit(first)) == first + known.size
            })
        };
        let changed: Vec<usize> = self
            .buffers
            .iter()
            .filter(|(first, known)| known.is_mapping && !is_same(**first, known))
            .map(|(first, _)| *first)
            .collect();
        self.forget_if(|first, _| changed.contains(&first));
    }

    /// Start of the next buffer after the one that starts at `first`.
    fn limit(&self, first: usize) -> usize {
        self.buffers.range(first + 1..).next().map_or(usize::MAX, |(next, _)| *next)
    }

    fn forget_if(&mut self, is_forgotten: impl Fn(usize, &Known) -> bool) {
        self.last = None;
        let forgotten = self.buffers.extract_if(.., |first, known| is_forgotten(*first, known));
        self.freed.extend(forgotten.map(|(_, known)| known.address));
    }

    /// Takes the buffers that were freed since the last call.
    pub fn freed(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.freed)
    }

    /// Bytes around a host pointer that can become a buffer: its allocation, or the part of its mapping between
    /// registered buffers.
    pub fn find(&self, pointer: usize) -> Option<Found> {
        if let Some((start, Allocation { asked, size })) = allocation(pointer) {
            let name = format!("allocation of {asked} bytes");
            return Some(Found { start, size, name, written: false, is_mapping: false });
        }
        let (start, end, name) = mapping(&maps(), pointer)?;
        let before =
            self.buffers.range(..=pointer).next_back().map_or(0, |(first, known)| first + known.size);
        let (start, end) = between_allocations(pointer, start.max(before), end.min(self.limit(pointer)));
        Some(Found { start, size: end - start, name, written: true, is_mapping: true })
    }
}

/// The mappings of the process, a line for each.
fn maps() -> String {
    std::fs::read_to_string("/proc/self/maps").unwrap_or_default()
}

/// The readable mapping that contains a byte: first byte, end and name. Lines that follow each other without a gap, of
/// equal access and name, are one: advice on a part of an array divides its line.
fn mapping(maps: &str, byte: usize) -> Option<(usize, usize, String)> {
    let mut found: Option<(usize, usize, &str, &str)> = None;
    for line in maps.lines() {
        let mut words = line.split_ascii_whitespace();
        let (start, end) = words.next()?.split_once('-')?;
        let number = |text: &str| usize::from_str_radix(text, 16).ok();
        let (start, end) = (number(start)?, number(end)?);
        let (access, name) = (words.next()?, words.nth(3).unwrap_or("memory of the process"));
        match &mut found {
            Some((_, last, of, called)) if *last == start && *of == access && *called == name => *last = end,
            Some((first, last, ..)) if (*first..*last).contains(&byte) => break,
            _ => found = Some((start, end, access, name)),
        }
    }
    let (start, end, access, name) = found?;
    ((start..end).contains(&byte) && access.starts_with('r')).then(|| (start, end, name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allocation_is_found_by_any_of_its_bytes_until_it_is_freed() {
        let start = allocate(100);
        let found = Memory::default().find(start + 99).expect("the allocation");
        assert_eq!((found.start, found.size, found.written), (start, 512, false));
        assert_eq!(found.name, "allocation of 100 bytes");
        let mut memory = Memory::default();
        memory.add(&found, 1 << 40);
        assert_eq!(memory.address(start + 7), Some((1 << 40) + 7));
        assert_eq!((memory.address(start + 511), memory.address(start + 512)), (Some((1 << 40) + 511), None));
        assert!(free(start) && !free(start));
    }

    #[test]
    fn an_allocation_has_room_behind_it() {
        let size = |asked| Allocation::of(asked).map(|own| own.size);
        assert_eq!([0, 1, 480, 481, 512].map(size), [512, 512, 512, 1024, 1024].map(Some));
        assert_eq!((size(usize::MAX), allocate(u64::MAX)), (None, 0));
    }

    #[test]
    fn an_allocation_is_never_a_part_of_a_mapping() {
        static TABLE: [u8; 1000] = [7; 1000];
        let pointer = TABLE.as_ptr() as usize;
        let mut memory = Memory::default();
        let found = memory.find(pointer).expect("a mapping");
        memory.add(&found, 1 << 40);
        memory.refresh();
        let address = Some((1 << 40) + (pointer - found.start) as u64);
        assert_eq!(memory.address(pointer), address, "nothing has changed");
        memory.forget_mappings(pointer + 10, 1);
        assert_eq!((memory.address(pointer), memory.freed()), (None, vec![1 << 40]));

        let start = allocate(100);
        let mapping = memory.find(start - 1);
        assert!(mapping.is_none_or(|found| found.start + found.size <= start), "{start:#x}");
        free(start);
    }

    #[test]
    fn a_mapping_that_has_changed_is_no_buffer() {
        let own = vec![7u8; 1 << 20];
        let pointer = own.as_ptr() as usize;
        let mut memory = Memory::default();
        let mut found = memory.find(pointer).expect("a mapping");
        found.size -= 4096;
        memory.add(&found, 1 << 40);
        memory.refresh();
        assert_eq!(memory.address(pointer), None);
    }

    #[test]
    fn lines_without_a_gap_are_one_mapping() {
        let maps = "1000-2000 rw-p 00000000 00:00 0\n2000-5000 rw-p 00000000 00:00 0\n5000-6000 rw-p 00000000 00:00 0 [heap]\n\
                    7000-8000 ---p 00000000 00:00 0\n";
        let all = (0x1000, 0x5000, "memory of the process".to_owned());
        assert_eq!(mapping(maps, 0x1fff), Some(all.clone()));
        assert_eq!(mapping(maps, 0x4000), Some(all));
        assert_eq!(mapping(maps, 0x5000), Some((0x5000, 0x6000, "[heap]".to_owned())));
        assert_eq!((mapping(maps, 0x6000), mapping(maps, 0x7000)), (None, None));
    }

    #[test]
    fn any_other_pointer_is_in_its_mapping() {
        let own = vec![7u8; 1 << 20];
        let found = Memory::default().find(own.as_ptr() as usize + 5).expect("a mapping");
        assert!(found.written && found.start <= own.as_ptr() as usize);
        assert!(Memory::default().find(8).is_none(), "nothing is mapped there");
    }
}
