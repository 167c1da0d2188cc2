//! Synchronized programs, intact and changed: the watchers and the model of `pto_smith::judge` agree about races.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pto_smith::Rng;
use pto_smith::judge::{change, compare, generate, judge, watch};

fuzz_target!(|bytes: &[u8]| {
    let mut rng = Rng::from_bytes(bytes);
    let mut source = generate(&mut rng);
    for _ in 0..3 {
        let written = source.write();
        let said = compare(&written, &judge(&written.facts), &watch(&source, &written));
        assert!(said.is_empty(), "{said:#?}\n{}", written.text);
        drop(change(&mut source, &mut rng));
    }
});
