//! Allocations of kernels in the memory of the host, each with a few bytes behind it that a kernel may read.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Alignment of allocations, as on devices.
const ALIGNMENT: usize = 512;

/// Unit in bytes of the size of an allocation on devices, which add one unit more.
const UNIT: usize = 32;

/// Value of each byte after the requested ones, until a store overwrites it.
const UNUSED: u8 = 0xa5;

/// An allocation.
#[derive(Clone, Copy)]
pub(super) struct Allocation {
    /// Number of requested bytes.
    pub(super) asked: usize,
    /// Number of bytes up to the earliest start of another allocation: kernels read a little too far, which devices
    /// allow.
    pub(super) size: usize,
}

impl Allocation {
    pub(super) fn of(asked: usize) -> Option<Allocation> {
        let size = asked.checked_next_multiple_of(UNIT)?.checked_add(UNIT)?;
        Some(Allocation { asked, size: size.checked_next_multiple_of(ALIGNMENT)? })
    }

    /// Bytes of the allocation after the requested ones.
    fn unused<'a>(self, start: usize) -> &'a mut [u8] {
        // SAFETY: the bytes are allocated, and the host uses them only here, between instructions.
        unsafe { std::slice::from_raw_parts_mut((start + self.asked) as *mut u8, self.size - self.asked) }
    }

    /// Returns the number of requested bytes, and the extent in bytes of writes after them since the last call.
    fn written_behind(self, start: usize) -> Option<(usize, usize)> {
        let unused = self.unused(start);
        let last = unused.iter().rposition(|byte| *byte != UNUSED)?;
        unused.fill(UNUSED);
        Some((self.asked, last + 1))
    }
}

/// Allocations by their first byte.
static ALLOCATED: Mutex<BTreeMap<usize, Allocation>> = Mutex::new(BTreeMap::new());

fn allocated<R>(use_them: impl FnOnce(&mut BTreeMap<usize, Allocation>) -> R) -> R {
    use_them(&mut ALLOCATED.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Allocates zeros. Returns 0 if memory is exhausted.
pub fn allocate(bytes: u64) -> usize {
    let Some(own) = usize::try_from(bytes).ok().and_then(Allocation::of) else { return 0 };
    let Ok(layout) = Layout::from_size_align(own.size, ALIGNMENT) else { return 0 };
    // SAFETY: the size is not zero.
    let start = unsafe { alloc_zeroed(layout) } as usize;
    if start != 0 {
        own.unused(start).fill(UNUSED);
        allocated(|all| all.insert(start, own));
        // A mapping that is a buffer as a whole may have held the bytes.
        crate::session::with_session(|session| session.memory.forget_mappings(start, own.size));
    }
    start
}

/// Frees an allocation. Returns whether `start` was an allocation or null.
pub fn free(start: usize) -> bool {
    let Some(Allocation { size, .. }) = allocated(|all| all.remove(&start)) else { return start == 0 };
    crate::session::with_session(|session| session.memory.forget(start, size));
    if let Ok(layout) = Layout::from_size_align(size, ALIGNMENT) {
        // SAFETY: it was allocated with this layout, and its buffer has just been forgotten.
        unsafe { dealloc(start as *mut u8, layout) };
    }
    true
}

/// The allocation that contains a byte, and its start.
pub(super) fn allocation(byte: usize) -> Option<(usize, Allocation)> {
    allocated(|all| {
        let (start, own) = all.range(..=byte).next_back()?;
        (byte < start + own.size).then_some((*start, *own))
    })
}

/// Returns the number of requested bytes of a pointer's allocation, and the extent in bytes of writes after them since
/// the last call.
pub fn overrun_of(pointer: usize) -> Option<(usize, usize)> {
    let (start, own) = allocation(pointer)?;
    own.written_behind(start)
}

/// Finds an allocation after whose requested bytes a kernel has written since the last call. Returns the number of
/// requested bytes, and the extent of the writes after them.
pub fn overrun() -> Option<(usize, usize)> {
    allocated(|all| all.iter().find_map(|(start, own)| own.written_behind(*start)))
}

/// Whether a byte is in an allocation.
pub(crate) fn is_allocated(byte: usize) -> bool {
    allocation(byte).is_some()
}

/// The rest of a range around a byte, between allocations.
pub(super) fn between_allocations(byte: usize, start: usize, end: usize) -> (usize, usize) {
    allocated(|all| {
        let before = all.range(..=byte).next_back().map_or(0, |(first, own)| first + own.size);
        let after = all.range(byte..).next().map_or(usize::MAX, |(first, _)| *first);
        (start.max(before), end.min(after))
    })
}
