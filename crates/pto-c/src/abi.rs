//! The C ABI: functions that the C++ headers call. `cpp/include/pto/pto.h` declares it, by cbindgen.
//!
//! Every function keeps three promises. It does not unwind into its caller: a panic is caught, printed as a fault of
//! ours, and ends the process. It does not return into a kernel after a finding: the core stops at the call
//! ([`crate::cores`]). And it reads the memory that its arguments point to only while it runs.
//!
//! **Safety** of all functions: pointers that are not null point to objects of their types, texts end with a zero byte, and a closure is
//! called on other threads of the process while its launch waits.
#![allow(unsafe_code)]

use crate::caller::c_text;
use crate::session::{self, Misuse, with_session};
use crate::{cores, host, outsiders, ranks};
use std::ffi::{c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A tile as a kernel names it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
#[allow(non_camel_case_types)]
pub struct pto_tile {
    /// Host address of its first byte in the memory of the block; null if it has none.
    pub data: *mut c_void,
    /// Return address of the TASSIGN that gave it the address.
    pub place: *const c_void,
    /// Its identity, which copies keep; given by `pto_assign` and `pto_automatic`.
    pub serial: u32,
    /// Valid rows now.
    pub rows: u32,
    /// Valid columns now.
    pub cols: u32,
    /// The number of its TileType.
    pub buffer: u32,
}

/// A convolution tile: a tile with up to six extents, outermost first. A `?` among the extents of its type is the extent here.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
#[allow(non_camel_case_types)]
pub struct pto_conv_tile {
    /// The tile.
    pub tile: pto_tile,
    /// The extents; unused ones are 1.
    pub extents: [u32; 6],
}

/// A view of global memory: five extents and five strides, in elements, outermost first.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
#[allow(non_camel_case_types)]
pub struct pto_tensor {
    /// Its first element.
    pub data: *mut c_void,
    /// Extents.
    pub shape: [i64; 5],
    /// Strides in elements.
    pub stride: [i64; 5],
}

/// Operation of a call site, in the .pto dialect as text. A static object, read once for each place that calls it.
///
/// In `pattern`, `%0`, `%1`, ... are the operands, `%result` is a scalar result, and `@0`, `@1`, ... stand for texts. The first
/// `operands` texts are the types of the operands, later ones are words that the pattern inserts. Types are those of the dialect,
/// and for tensors `tensor<1x1x1x16x64xf32, strides = [1024, 1024, 1024, 64, 1], layout = nd>` with `?` for what is known at run time.
#[derive(Debug)]
#[repr(C)]
#[allow(non_camel_case_types)]
pub struct pto_form {
    /// The operation.
    pub pattern: *const c_char,
    /// The texts.
    pub texts: *const *const c_char,
    /// Number of operands.
    pub operands: u32,
    /// Number of texts.
    pub count: u32,
}

/// Runs a function of the interface: a panic is a fault of the library, which it says before the process ends.
fn guarded<T>(run: impl FnOnce() -> T) -> T {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(done) => done,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
            session::fail(&format!("a fault of libpto_c, please report it: {text}"))
        }
    }
}

/// Ends the process with a sentence after a misuse.
fn must<T>(result: Result<T, Misuse>) -> T {
    result.unwrap_or_else(|misuse| session::fail(&misuse.0))
}

/// Runs an operation on the running core. `words[i]` is for a tile a pointer to its `pto_tile`, for a tensor a pointer to its
/// `pto_tensor`, for a convolution tile to its `pto_conv_tile`, for a scalar its bits, for a pointer the pointer. `result` receives the bits of `%result`.
///
/// # Safety
/// See the module.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pto_call(
    form: *const pto_form,
    words: *const u64,
    result: *mut u64,
    place: *const c_void,
) {
    guarded(|| {
        // SAFETY: the form is a static object of the caller, and it passes a word for each operand.
        let (form, words) = unsafe {
            let form = form.as_ref().unwrap_or_else(|| session::fail("a call without a form"));
            let words = if form.operands == 0 {
                &[]
            } else {
                std::slice::from_raw_parts(words, form.operands as usize)
            };
            (form, words)
        };
        let bits = cores::call(form, words, place as usize);
        // SAFETY: where the form has a result, the caller passes a place for it.
        if let (Some(bits), Some(result)) = (bits, unsafe { result.as_mut() }) {
            *result = bits;
        }
    });
}

/// Gives a tile an address: a byte offset in its buffer, or a host pointer into it.
///
/// # Safety
/// See the module.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pto_assign(tile: *mut pto_tile, address: u64, place: *const c_void) {
    guarded(|| {
        // SAFETY: the caller passes a tile.
        let Some(tile) = (unsafe { tile.as_mut() }) else { return };
        let key = (tile as *const pto_tile as usize, place as usize);
        let core = must(cores::current());
        let (data, serial) = must(with_session(|session| session.assign(core, tile.buffer, address, key)));
        (tile.data, tile.serial, tile.place) = (data as *mut c_void, serial, place);
    });
}

/// Gives a tile memory of its own, which copies retain and destructors release.
///
/// # Safety
/// See the module.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pto_automatic(tile: *mut pto_tile, bytes: u64, place: *const c_void) {
    guarded(|| {
        // SAFETY: the caller passes a tile.
        let Some(tile) = (unsafe { tile.as_mut() }) else { return };
        // A thread that cannot be a core has no memory for tiles: the first use of the tile reports it.
        let Ok(core) = cores::current() else { return };
        let (data, serial) = must(with_session(|session| session.place(core, tile.buffer, bytes)));
        (tile.data, tile.serial, tile.place) = (data as *mut c_void, serial, place);
    });
}

/// A copy names the memory of a tile.
///
/// # Safety
/// See the module.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pto_retain(tile: *const pto_tile) {
    // SAFETY: the caller passes a tile.
    if let Some(tile) = unsafe { tile.as_ref() } {
        guarded(|| with_session(|session| session.retain(tile.serial, 1)));
    }
}

/// A name of the memory of a tile ends; the last one gives it back.
///
/// # Safety
/// See the module.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pto_release(tile: *const pto_tile) {
    // SAFETY: the caller passes a tile.
    if let Some(tile) = unsafe { tile.as_ref() } {
        guarded(|| with_session(|session| session.retain(tile.serial, -1)));
    }
}

/// Host address of byte 0 of a buffer of the running core; null outside of a launch.
#[unsafe(no_mangle)]
pub extern "C" fn pto_buffer(buffer: u32) -> *mut c_void {
    guarded(|| {
        let Some(core) = cores::running() else { return std::ptr::null_mut() };
        must(with_session(|session| session.buffer(core, buffer))) as *mut c_void
    })
}

/// A fact of the launch that a core asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
#[allow(non_camel_case_types)]
pub enum pto_fact_of {
    /// The number of the block.
    PTO_BLOCK_INDEX,
    /// The number of blocks.
    PTO_BLOCK_COUNT,
    /// The index of the vector core in its block.
    PTO_SUBBLOCK_INDEX,
    /// The number of vector cores of a block.
    PTO_SUBBLOCK_COUNT,
    /// The number of the core on the device.
    PTO_CORE_INDEX,
    /// A number that rises with each question.
    PTO_COUNTER,
}

/// Kinds of cores of `pto_launch`, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
#[allow(non_camel_case_types)]
pub enum pto_cores {
    /// Vector cores: a block is one of them.
    PTO_VECTOR = 1,
    /// The cube core.
    PTO_CUBE = 2,
    /// A cube core and two vector cores for each block.
    PTO_MIXED = 3,
    /// In addition: a compiler would place tiles and order pipes.
    PTO_AUTOMATIC = 4,
}

/// A fact of the launch, by its number in `pto_fact_of`.
#[unsafe(no_mangle)]
pub extern "C" fn pto_fact(what: u32) -> u64 {
    guarded(|| cores::fact(what))
}

/// Launches `blocks` blocks: calls `run(closure)` on each core of each block. `target` is `cpu`, `a2a3` or `a5`, `cores` 1 for
/// vector cores, 2 for the cube core, 3 for both. Returns 0, or 1 if a finding stopped it.
///
/// # Safety
/// See the module.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pto_launch(
    blocks: u32,
    target: *const c_char,
    cores: u32,
    run: Option<unsafe extern "C" fn(*mut c_void)>,
    closure: *mut c_void,
) -> i32 {
    guarded(|| {
        let target = c_text(target).unwrap_or_default();
        let Some(run) = run else { session::fail("a launch without a function to run") };
        let launch = cores::Launch { blocks, target: &target, cores, run, closure };
        i32::from(!must(cores::launch(&launch)))
    })
}

/// Runs `run(closure, rank)` for each of so many ranks: devices whose launches run at the same time, each driven by a thread of its own.
/// Returns when all have ended: 0, or 1 if a finding stopped a launch.
///
/// # Safety
/// See the module.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pto_ranks(
    count: u32,
    run: Option<unsafe extern "C" fn(*mut c_void, u32)>,
    closure: *mut c_void,
) -> i32 {
    guarded(|| {
        let Some(run) = run else { session::fail("ranks without a function to run") };
        must(ranks::run(count, run, closure));
        i32::from(with_session(|session| session.has_failed()))
    })
}

/// A rank waits until all ranks are here: what they launch later begins after all that they have launched.
#[unsafe(no_mangle)]
pub extern "C" fn pto_meet() {
    guarded(|| must(ranks::meet()));
}

/// The calling thread, which belongs to no launch, becomes a core until it ends: of the block that all threads with this number of a
/// `cluster` share, the cube core (`core` is 0) or one of the vector cores (1 and 2). To be called before its first instruction, by all such threads
/// of a process or by none, after code was loaded.
#[unsafe(no_mangle)]
pub extern "C" fn pto_join(cluster: u64, core: u32) {
    guarded(|| must(outsiders::join_cluster(cluster, core)));
}

/// Code was loaded that was compiled for a target and a kind of cores, as for `pto_launch`: what it calls on threads outside of launches is for these.
/// `code` is the address of a function in it: lines and symbols are read from its file when they are needed, also if it has been removed by then.
///
/// # Safety
/// See the module.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pto_unit(target: *const c_char, cores: u32, code: *const c_void) {
    guarded(|| {
        let target = c_text(target).unwrap_or_default();
        with_session(|session| session.loaded(target, cores, code as usize));
    });
}

/// The function that the running core runs of a kernel: on the cube core of a mixed launch the one that was compiled for cube cores.
#[unsafe(no_mangle)]
pub extern "C" fn pto_entry(kernel: *const c_void) -> *const c_void {
    guarded(|| must(cores::entry(kernel as usize)) as *const c_void)
}

/// A kernel ends by an exception, which the process cannot survive.
///
/// # Safety
/// See the module.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pto_exception(what: *const c_char) {
    guarded(|| {
        let what = c_text(what).unwrap_or_default();
        session::fail(&format!("a kernel throws {what}: devices have no exceptions, so it has to return"))
    })
}

/// Allocates global memory, which counts as unwritten; null if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn pto_allocate(bytes: u64) -> *mut c_void {
    guarded(|| host::allocate(bytes) as *mut c_void)
}

/// Frees memory of `pto_allocate`. Returns 0, or 1 for any other pointer.
#[unsafe(no_mangle)]
pub extern "C" fn pto_free(memory: *mut c_void) -> i32 {
    guarded(|| i32::from(!host::free(memory as usize)))
}

/// The host has written bytes of global memory.
#[unsafe(no_mangle)]
pub extern "C" fn pto_wrote(memory: *const c_void, bytes: u64) {
    guarded(|| with_session(|session| session.wrote(memory as usize, bytes)));
}
