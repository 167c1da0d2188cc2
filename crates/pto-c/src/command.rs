//! `pto run kernel.cpp` and other commands, in the program that they make of the kernel: its `main` calls [`pto_main`].
#![allow(unsafe_code)]

use crate::caller::c_text;
use crate::linked::{Guard, Linked};
use pto_cli::commands::run_words;
use pto_cli::linked::register;
use std::ffi::{c_char, c_int};
use std::panic::catch_unwind;
use std::process::ExitCode;

/// Runs the command `pto` with the arguments of the process, and returns its status. The kernels of the program become
/// those of the command: `guard` is a function of the program, which calls a function with a closure and catches
/// exceptions; `target` and `cores` are as for `pto_launch`. Without `target` and `guard` no kernels are linked.
///
/// # Safety
/// `target` is null or a text that ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pto_main(target: *const c_char, cores: u32, guard: Option<Guard>) -> c_int {
    if let (Some(guard), Some(target)) = (guard, c_text(target)) {
        register(Box::new(Linked { target, cores, guard }));
    }
    // The status of a command has no number of its own.
    let number = |status| (0..=u8::MAX).find(|number| ExitCode::from(*number) == status);
    let status = catch_unwind(|| run_words(std::env::args_os()));
    // A panic has printed its message.
    status.ok().and_then(number).map_or(101, c_int::from)
}
