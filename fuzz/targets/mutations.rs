//! Generated programs, broken as files get broken: the input decides the program and what is done to it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pto_smith::generate::generate;
use pto_smith::{Rng, mutate, survive};

fuzz_target!(|bytes: &[u8]| {
    let mut rng = Rng::from_bytes(bytes);
    let program = generate(&mut rng);
    let broken = mutate(&program.text, &mut rng);
    if let Err(message) = survive(&broken) {
        panic!("{message}\n{broken}");
    }
});
