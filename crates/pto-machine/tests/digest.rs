//! Tests of `pto_machine::observe::log::digest`.

use pto_machine::observe::log::digest::*;

fn hash_of(runs: &[&[u8]]) -> u64 {
    let mut digest = Digest::default();
    runs.iter().for_each(|run| digest.add(run));
    digest.hash()
}

#[test]
fn a_hash_does_not_depend_on_runs() {
    let bytes: Vec<u8> = (0..100).collect();
    let whole = hash_of(&[&bytes]);
    for first in 0..100 {
        for second in [first, (first + 3).min(100), (first + 17).min(100)] {
            assert_eq!(hash_of(&[&bytes[..first], &bytes[first..second], &bytes[second..]]), whole);
        }
    }
    assert_ne!(hash_of(&[&bytes[..99]]), whole);
    assert_ne!(hash_of(&[&[0; 8]]), hash_of(&[&[0; 9]]));
}

/// Changes of one or two bits, such as the signs of two numbers, never cancel.
#[test]
fn every_pair_of_bits_counts() {
    let mut seen = std::collections::BTreeSet::from([hash_of(&[&[0; 40]])]);
    for one in 0..320 {
        for other in one..320 {
            let mut bytes = [0u8; 40];
            bytes[one / 8] ^= 1 << (one % 8);
            if other > one {
                bytes[other / 8] ^= 1 << (other % 8);
            }
            assert!(seen.insert(hash_of(&[&bytes])), "{one} {other}");
        }
    }
}
