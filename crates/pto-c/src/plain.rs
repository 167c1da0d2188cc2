//! Plain loads and stores of a kernel as accesses of the scalar unit.
//!
//! A kernel that is compiled with `-fsanitize=thread` announces each access ([`crate::announced`]). Accesses to buffers
//! of the core and to global memory become calls of `load_scalar`, `store_scalar`, `tgetval` and `tsetval`, which every
//! watcher handles. A load reads the present value. A store is announced before it happens, and its call writes the
//! present value. All other accesses, such as those to variables of the kernel, are dropped.
//!
//! A word that a notification or an atomic operation has changed is a signal: a load of it acquires that notification, as
//! a test of the signal would, so a kernel may wait for another one by reading memory.

use crate::abi::{pto_form, pto_tensor, pto_tile};
use crate::session::{Reply, Session};
use pto::diag::Diagnostic;
use pto::isa::Buffer;
use pto::launch::live::{Core, OUTSIDE};
use std::ffi::{CStr, c_char, c_void};

/// The kind of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Load,
    Store,
    /// A load of a signal.
    AtomicLoad,
    /// A change of a signal, which has happened.
    AtomicStore,
}

/// An access of a kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) address: usize,
    pub(crate) bytes: usize,
    pub(crate) kind: Kind,
    /// Return address of the announcement.
    pub(crate) place: usize,
}

/// Bytes of the tile that represents a part of a buffer: the smallest access of a pipe.
const BLOCK: usize = 32;

impl Session {
    /// Runs an access of a core. If other cores should run first, returns that the core waits, and the caller repeats the
    /// access: the kernel then reads the same value as the access.
    ///
    /// # Errors
    /// Findings that stop the core.
    pub(crate) fn access(&mut self, core: Core, access: Access) -> Result<Reply, Vec<Diagnostic>> {
        let Access { mut address, bytes, .. } = access;
        let end = address.saturating_add(bytes);
        let mut reply = Reply::Done(None);
        while address < end {
            // Largest word that both the address and the remaining bytes allow.
            let width = 1usize << (address | (end - address)).trailing_zeros().min(3);
            reply = self.word(core, Access { address, bytes: width, ..access })?;
            address += width;
        }
        Ok(if matches!(reply, Reply::Polled(_)) { Reply::Waits } else { reply })
    }

    /// Runs an access of a word that is aligned.
    fn word(&mut self, core: Core, access: Access) -> Result<Reply, Vec<Diagnostic>> {
        let Access { address, kind, place, .. } = access;
        let offset = address.wrapping_sub(self.bases(core).buffers[Buffer::Ub as usize]);
        let forms = FORMS.of(access.bytes);
        let is_store = matches!(kind, Kind::Store | Kind::AtomicStore);
        if (offset as u64) < self.live().program().profile().capacity(Buffer::Ub) {
            let tile = part_of_ub(address, offset);
            let words = [(&raw const tile) as u64, (offset % BLOCK / access.bytes) as u64, value(access)];
            return self.call(core, if is_store { &forms.set } else { &forms.get }, &words, place);
        }
        if !self.is_global(address) {
            return Ok(Reply::Done(None));
        }
        let is_atomic = matches!(kind, Kind::AtomicLoad | Kind::AtomicStore);
        let is_signal = access.bytes == 4 && (is_atomic || self.signals.contains(&address));
        if is_signal {
            self.signals.insert(address);
        }
        // Threads that no launch has started may change the word at any time, so the stored value is not written again.
        if is_store && core.rank == OUTSIDE {
            return Ok(Reply::Done(None));
        }
        let tensor = pto_tensor { data: address as *mut c_void, shape: [1; 5], stride: [1; 5] };
        let signal = [(&raw const tensor) as u64, value(access)];
        match (is_signal, is_store) {
            (true, false) => self.call(core, &FORMS.test, &signal, place),
            (true, true) if is_atomic => self.call(core, &FORMS.notify, &signal, place),
            (_, true) => self.call(core, &forms.store, &[address as u64, 0, value(access)], place),
            (false, false) => self.call(core, &forms.load, &[address as u64, 0], place),
        }
    }

    /// Whether an address is in a buffer of global memory, or in an allocation, which becomes one.
    fn is_global(&mut self, address: usize) -> bool {
        self.memory.address(address).is_some()
            || crate::host::is_allocated(address) && self.address(address).is_some()
    }
}

/// The block of UB that contains a byte, as a tile.
fn part_of_ub(address: usize, offset: usize) -> pto_tile {
    let data = (address - offset % BLOCK) as *mut c_void;
    pto_tile { data, place: std::ptr::null(), serial: 0, rows: 0, cols: 0, buffer: Buffer::Ub as u32 }
}

/// The bits at the place of an access now.
#[allow(unsafe_code)]
fn value(access: Access) -> u64 {
    let mut bits = [0; 8];
    // SAFETY: the kernel accesses these bytes, and at most eight.
    unsafe {
        std::ptr::copy_nonoverlapping(access.address as *const u8, bits.as_mut_ptr(), access.bytes.min(8));
    }
    u64::from_le_bytes(bits)
}

/// The forms of accesses of one width.
struct Widths {
    load: pto_form,
    store: pto_form,
    get: pto_form,
    set: pto_form,
}

/// The forms of all accesses, by the logarithm of the width, and the forms of signals.
struct Forms {
    widths: [Widths; 4],
    test: pto_form,
    notify: pto_form,
}

// SAFETY: the texts are constants.
#[allow(unsafe_code)]
unsafe impl Sync for Forms {}

impl Forms {
    fn of(&self, bytes: usize) -> &Widths {
        &self.widths[bytes.trailing_zeros().min(3) as usize]
    }
}

/// Texts of a form, as pointers.
struct Texts<const N: usize>([*const c_char; N]);

// SAFETY: the texts are constants.
#[allow(unsafe_code)]
unsafe impl<const N: usize> Sync for Texts<N> {}

const fn form<const N: usize>(pattern: &'static CStr, texts: &'static Texts<N>, operands: u32) -> pto_form {
    pto_form { pattern: pattern.as_ptr(), texts: texts.0.as_ptr(), operands, count: N as u32 }
}

macro_rules! widths {
    ($element:literal, $pointer:literal, $tile:literal) => {{
        static MEMORY: Texts<3> = Texts([$pointer.as_ptr(), c"index".as_ptr(), $element.as_ptr()]);
        static TILE: Texts<3> = Texts([$tile.as_ptr(), c"index".as_ptr(), $element.as_ptr()]);
        Widths {
            load: form(c"%result = pto.load_scalar %0[%1] : @0 -> @2", &MEMORY, 2),
            store: form(c"pto.store_scalar %2, %0[%1] : @0, @2", &MEMORY, 3),
            get: form(c"%result = pto.tgetval ins(%0, %1 : @0, @1) outs : @2", &TILE, 2),
            set: form(c"pto.tsetval ins(%1, %2 : @1, @2) outs(%0 : @0)", &TILE, 3),
        }
    }};
}

static SIGNAL: Texts<2> =
    Texts([c"tensor<1x1x1x1x1xi32, strides = [1, 1, 1, 1, 1], layout = nd>".as_ptr(), c"i32".as_ptr()]);

static FORMS: Forms = Forms {
    widths: [
        widths!(c"i8", c"!pto.ptr<i8>", c"!pto.tile_buf<vec, 1x32xi8>"),
        widths!(c"i16", c"!pto.ptr<i16>", c"!pto.tile_buf<vec, 1x16xi16>"),
        widths!(c"i32", c"!pto.ptr<i32>", c"!pto.tile_buf<vec, 1x8xi32>"),
        widths!(c"i64", c"!pto.ptr<i64>", c"!pto.tile_buf<vec, 1x4xi64>"),
    ],
    test: form(c"%result = pto.comm.ttest(%0, %1 : @0, @1) {cmp = #pto<wait_cmp eq>} -> i1", &SIGNAL, 2),
    notify: form(c"pto.comm.tnotify(%0, %1 : @0, @1) {notifyOp = #pto<notify_op set>}", &SIGNAL, 2),
};
