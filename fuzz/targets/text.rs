//! Any text at all is answered: no panic, no hang, and what is printed reads again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pto_smith::survive;

fuzz_target!(|text: &str| {
    if let Err(message) = survive(text) {
        panic!("{message}");
    }
});
