//! Changed programs stay legal, print, keep comments and locations, and compute the same.

mod support;

use pto_smith::generate::generate;
use pto_smith::{Rng, rewritten};
use support::{Case, each_seed};

#[test]
fn generated_programs_can_be_rewritten() {
    each_seed(150, |seed| {
        let mut rng = Rng::new(seed);
        let program = generate(&mut rng);
        let case = Case::new(seed, &program.text);
        let result = rewritten(&program.text, &mut rng);
        case.end(result);
    });
}
