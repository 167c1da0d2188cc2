//! Effects of instructions are sound (no other byte is accessed) and tight (every declared byte matters).

use crate::support::{each_seed, judged};
use pto::sim::Shown;
use pto_smith::generate::{computing, generate, generate_with};
use pto_smith::{Rng, audit};
use std::collections::BTreeMap;

/// No instruction changes a byte that it does not declare to write, or depends on one that it does not declare to read.
#[test]
fn effects_are_sound() {
    each_seed(60, |seed| {
        let mut rng = Rng::new(seed);
        let program = generate(&mut rng);
        judged(seed, &program.text, |text| audit(text, None, &mut rng.clone()));
    });
}

/// Every declared read influences a result, and every declared write changes bytes, from the first byte to the last,
/// unless the page states an exception.
#[test]
fn effects_are_tight() {
    let mut missing = Vec::new();
    for instruction in computing() {
        let name = instruction.page().name;
        let mut shown: BTreeMap<(String, bool), Shown> = BTreeMap::new();
        let whole = |((_, loose), shown): (&(String, bool), &Shown)| {
            shown.first && shown.last || *loose && shown.shown > 0
        };
        // Until every effect is shown: bytes that rarely matter need more programs.
        for seed in 0..200 {
            if seed >= 12 && shown.iter().all(whole) {
                break;
            }
            let mut rng = Rng::new(seed);
            let program = generate_with(&mut rng, name);
            let audited = judged(seed, &program.text, |text| {
                audit(text, None, &mut rng.clone()).map_err(|message| format!("{name}: {message}"))
            });
            for ((page, effect, loose), found) in audited.shown {
                if page == name {
                    shown.entry((effect, loose)).or_default().join(&found);
                }
            }
        }
        let unshown = shown.iter().filter(|found| !whole(*found));
        missing.extend(unshown.map(|((effect, _), shown)| format!("{name} {effect}: {shown:?}")));
    }
    assert!(missing.is_empty(), "{} effects were not shown:\n{}", missing.len(), missing.join("\n"));
}
