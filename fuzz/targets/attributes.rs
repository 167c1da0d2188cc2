//! Generated programs with attributes of all kinds on their operations: they are answered.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pto_smith::generate::{attributes, generate};
use pto_smith::{Rng, survive};

fuzz_target!(|bytes: &[u8]| {
    let mut rng = Rng::from_bytes(bytes);
    let program = generate(&mut rng);
    let text = attributes(&program.text, &mut rng);
    if let Err(message) = survive(&text) {
        panic!("{message}\n{text}");
    }
});
