//! Generated programs: the fast path of every instruction and its formula leave the same bits behind.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pto_smith::generate::generate;
use pto_smith::{Rng, same_bits};

fuzz_target!(|bytes: &[u8]| {
    let mut rng = Rng::from_bytes(bytes);
    let program = generate(&mut rng);
    if let Err(message) = same_bits(&program.text, &mut rng) {
        panic!("{message}\n{}", program.text);
    }
});
