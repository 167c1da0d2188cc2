use pto_kernels::dispatch::{levels, with_level};
use pto_kernels::streams::*;
use pto_num::random;

fn seeded() -> Streams {
    let mut seed = 1;
    Streams([(); 4].map(|()| [(); STREAMS].map(|()| random::next(&mut seed))))
}

/// The reference: a step of a single stream.
fn next(state: &mut [u64; 4]) -> u64 {
    let result = state[0].wrapping_add(state[3]).rotate_left(23).wrapping_add(state[0]);
    let shifted = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = state[3].rotate_left(45);
    result
}

#[test]
fn streams_do_not_touch_each_other() {
    for level in levels() {
        with_level(level, || {
            let (mut together, mut words, mut sums) = (seeded(), [[0; STREAMS]; 5], [[0; STREAMS]; 7]);
            let mut alone = [0, 1, 2, 3, 4, 5, 6, 7].map(|i| together.0.map(|words| words[i]));
            together.words(&mut words);
            together.normal(&mut sums);
            for (i, state) in alone.iter_mut().enumerate() {
                assert_eq!(words.map(|words| words[i]), [(); 5].map(|()| next(state)), "{level:?}");
                let sum = |()| {
                    let words = [(); 3].map(|()| next(state));
                    let parts = words.iter().flat_map(|word| [0, 16, 32, 48].map(|at| word >> at & 0xffff));
                    parts.sum::<u64>() as i32 - 393_210
                };
                assert_eq!(sums.map(|sums| sums[i]), [(); 7].map(sum), "{level:?}");
            }
        });
    }
}
