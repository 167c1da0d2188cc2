//! Entry points of a compiler's `-fsanitize=thread`: the compiler announces each load and store by a call of
//! `__tsan_...`, and replaces each atomic operation by a call.
//!
//! Code is compiled with that flag and linked without it: these functions replace the sanitizer's runtime. The return
//! address of an announcement locates the access, so each entry point passes the address on in assembler, and continues
//! in a function of Rust.
#![allow(unsafe_code)]

use crate::cores;
use crate::plain::{Access, Kind};

thread_local! {
    /// The stack of this thread: its first byte and its size.
    static STACK: (usize, usize) = stack();
}

/// Reports an access, unless it is to the stack of its thread.
fn announce(address: usize, bytes: usize, kind: Kind, place: usize) {
    let is_own = STACK.try_with(|(start, size)| address.wrapping_sub(*start) < *size);
    if is_own == Ok(false) {
        cores::access(Access { address, bytes, kind, place });
    }
}

/// The stack of this thread, as the thread library of the host reports it: first byte and size; zeros if it cannot.
fn stack() -> (usize, usize) {
    /// Room for attributes of a thread, more than any host takes.
    #[repr(C, align(16))]
    struct Attributes([u8; 256]);
    unsafe extern "C" {
        fn pthread_self() -> usize;
        fn pthread_getattr_np(thread: usize, attributes: *mut Attributes) -> i32;
        fn pthread_attr_getstack(attributes: *const Attributes, start: *mut usize, size: *mut usize) -> i32;
        fn pthread_attr_destroy(attributes: *mut Attributes) -> i32;
    }
    let (mut attributes, mut start, mut size) = (Attributes([0; 256]), 0, 0);
    // SAFETY: the attributes are those of this thread, and have room.
    unsafe {
        if pthread_getattr_np(pthread_self(), &mut attributes) == 0 {
            pthread_attr_getstack(&attributes, &mut start, &mut size);
            pthread_attr_destroy(&mut attributes);
        }
    }
    (start, size)
}

extern "C" fn load(address: usize, bytes: usize, place: usize) {
    announce(address, bytes, Kind::Load, place);
}

extern "C" fn store(address: usize, bytes: usize, place: usize) {
    announce(address, bytes, Kind::Store, place);
}

/// An entry point in assembler: these instructions, then a jump to a function.
macro_rules! entry {
    ($name:ident $to:ident, [$($x86:expr),*], [$($arm:expr),*]) => {
        /// An announcement, or an atomic operation.
        #[cfg(target_arch = "x86_64")]
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        pub extern "C" fn $name() {
            std::arch::naked_asm!($($x86,)* "jmp {to}", to = sym $to)
        }
        /// An announcement, or an atomic operation.
        #[cfg(target_arch = "aarch64")]
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        pub extern "C" fn $name() {
            std::arch::naked_asm!($($arm,)* "b {to}", to = sym $to)
        }
    };
}

/// An entry point for accesses of a fixed number of bytes.
macro_rules! access {
    ($($name:ident $bytes:literal $to:ident,)*) => {$(
        entry!($name $to, ["mov rdx, [rsp]", concat!("mov esi, ", $bytes)], ["mov x2, x30", concat!("mov x1, #", $bytes)]);
    )*};
}

/// An entry point whose return address follows its first arguments: as the third one, or as the sixth.
macro_rules! placed {
    ($($name:ident $register:literal $arm:literal $to:ident,)*) => {$(
        entry!($name $to, [concat!("mov ", $register, ", [rsp]")], [concat!("mov ", $arm, ", x30")]);
    )*};
}

access! {
    __tsan_read1 "1" load, __tsan_read2 "2" load, __tsan_read4 "4" load, __tsan_read8 "8" load, __tsan_read16 "16" load,
    __tsan_write1 "1" store, __tsan_write2 "2" store, __tsan_write4 "4" store, __tsan_write8 "8" store, __tsan_write16 "16" store,
    __tsan_unaligned_read2 "2" load, __tsan_unaligned_read4 "4" load, __tsan_unaligned_read8 "8" load,
    __tsan_unaligned_read16 "16" load, __tsan_unaligned_write2 "2" store, __tsan_unaligned_write4 "4" store,
    __tsan_unaligned_write8 "8" store, __tsan_unaligned_write16 "16" store,
    __tsan_volatile_read1 "1" load, __tsan_volatile_read2 "2" load, __tsan_volatile_read4 "4" load,
    __tsan_volatile_read8 "8" load, __tsan_volatile_read16 "16" load,
    __tsan_volatile_write1 "1" store, __tsan_volatile_write2 "2" store, __tsan_volatile_write4 "4" store,
    __tsan_volatile_write8 "8" store, __tsan_volatile_write16 "16" store,
    __tsan_read_write1 "1" store, __tsan_read_write2 "2" store, __tsan_read_write4 "4" store, __tsan_read_write8 "8" store,
    __tsan_read_write16 "16" store,
}

placed! {
    __tsan_read_range "rdx" "x2" load,
    __tsan_write_range "rdx" "x2" store,
}

/// Announcements without an effect here: the start, calls of functions, tables of virtual functions, fences.
macro_rules! nothing {
    ($($name:ident)*) => {$(
        /// Does nothing.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name() {}
    )*};
}

nothing! {
    __tsan_init __tsan_func_entry __tsan_func_exit __tsan_ignore_thread_begin __tsan_ignore_thread_end
    __tsan_vptr_update __tsan_vptr_read __tsan_atomic_signal_fence
}

/// A fence of the host.
#[unsafe(no_mangle)]
pub extern "C" fn __tsan_atomic_thread_fence() {
    std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
}

/// Defines the atomic operations of one width, with their announcements.
macro_rules! atomics {
    ($module:ident $type:ty, $atomic:ident, $bytes:literal, $load:ident $store:ident $exchange:ident $add:ident $sub:ident $and:ident
     $or:ident $xor:ident $nand:ident $strong:ident $weak:ident $value:ident) => {
        /// The atomic operations of one width.
        pub mod $module {
            use super::announce;
            use crate::plain::Kind;
            use std::sync::atomic::{Ordering::SeqCst, $atomic};

            // SAFETY of all: the kernel passes the address of an aligned object of this width.
            fn object<'a>(address: usize) -> &'a $atomic {
                unsafe { $atomic::from_ptr(address as *mut $type) }
            }

            extern "C" fn load(address: usize, _: i32, _: usize, _: usize, _: usize, place: usize) -> $type {
                announce(address, $bytes, Kind::AtomicLoad, place);
                object(address).load(SeqCst)
            }

            extern "C" fn store(address: usize, value: $type, _: i32, _: usize, _: usize, place: usize) {
                object(address).store(value, SeqCst);
                announce(address, $bytes, Kind::AtomicStore, place);
            }

            /// Operations that return the value before.
            macro_rules! update {
                ($name:ident, $method:ident) => {
                    extern "C" fn $name(
                        address: usize,
                        value: $type,
                        _: i32,
                        _: usize,
                        _: usize,
                        place: usize,
                    ) -> $type {
                        announce(address, $bytes, Kind::AtomicLoad, place);
                        let before = object(address).$method(value, SeqCst);
                        announce(address, $bytes, Kind::AtomicStore, place);
                        before
                    }
                };
            }
            update!(exchange, swap);
            update!(add, fetch_add);
            update!(sub, fetch_sub);
            update!(and, fetch_and);
            update!(or, fetch_or);
            update!(xor, fetch_xor);
            update!(nand, fetch_nand);

            extern "C" fn value(
                address: usize,
                expected: $type,
                new: $type,
                _: i32,
                _: i32,
                place: usize,
            ) -> $type {
                announce(address, $bytes, Kind::AtomicLoad, place);
                match object(address).compare_exchange(expected, new, SeqCst, SeqCst) {
                    Ok(before) => {
                        announce(address, $bytes, Kind::AtomicStore, place);
                        before
                    }
                    Err(before) => before,
                }
            }

            extern "C" fn compare(
                address: usize,
                expected: *mut $type,
                new: $type,
                order: i32,
                otherwise: i32,
                place: usize,
            ) -> i32 {
                let wanted = unsafe { expected.read() };
                let before = value(address, wanted, new, order, otherwise, place);
                unsafe { expected.write(before) };
                i32::from(before == wanted)
            }

            placed! {
                $load "r9" "x5" load,
                $store "r9" "x5" store,
                $exchange "r9" "x5" exchange,
                $add "r9" "x5" add,
                $sub "r9" "x5" sub,
                $and "r9" "x5" and,
                $or "r9" "x5" or,
                $xor "r9" "x5" xor,
                $nand "r9" "x5" nand,
                $strong "r9" "x5" compare,
                $weak "r9" "x5" compare,
                $value "r9" "x5" value,
            }
        }
    };
}

atomics!(of_8 u8, AtomicU8, 1, __tsan_atomic8_load __tsan_atomic8_store __tsan_atomic8_exchange __tsan_atomic8_fetch_add
    __tsan_atomic8_fetch_sub __tsan_atomic8_fetch_and __tsan_atomic8_fetch_or __tsan_atomic8_fetch_xor __tsan_atomic8_fetch_nand
    __tsan_atomic8_compare_exchange_strong __tsan_atomic8_compare_exchange_weak __tsan_atomic8_compare_exchange_val);
atomics!(of_16 u16, AtomicU16, 2, __tsan_atomic16_load __tsan_atomic16_store __tsan_atomic16_exchange __tsan_atomic16_fetch_add
    __tsan_atomic16_fetch_sub __tsan_atomic16_fetch_and __tsan_atomic16_fetch_or __tsan_atomic16_fetch_xor __tsan_atomic16_fetch_nand
    __tsan_atomic16_compare_exchange_strong __tsan_atomic16_compare_exchange_weak __tsan_atomic16_compare_exchange_val);
atomics!(of_32 u32, AtomicU32, 4, __tsan_atomic32_load __tsan_atomic32_store __tsan_atomic32_exchange __tsan_atomic32_fetch_add
    __tsan_atomic32_fetch_sub __tsan_atomic32_fetch_and __tsan_atomic32_fetch_or __tsan_atomic32_fetch_xor __tsan_atomic32_fetch_nand
    __tsan_atomic32_compare_exchange_strong __tsan_atomic32_compare_exchange_weak __tsan_atomic32_compare_exchange_val);
atomics!(of_64 u64, AtomicU64, 8, __tsan_atomic64_load __tsan_atomic64_store __tsan_atomic64_exchange __tsan_atomic64_fetch_add
    __tsan_atomic64_fetch_sub __tsan_atomic64_fetch_and __tsan_atomic64_fetch_or __tsan_atomic64_fetch_xor __tsan_atomic64_fetch_nand
    __tsan_atomic64_compare_exchange_strong __tsan_atomic64_compare_exchange_weak __tsan_atomic64_compare_exchange_val);
