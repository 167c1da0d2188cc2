use pto_kernels::count::*;
use pto_kernels::dispatch::{levels, with_level};
use pto_kernels::{Element, get_element, set_element};

#[test]
fn sequences_wrap() {
    for element in [Element::I8, Element::I16, Element::U32, Element::I64] {
        for (start, step) in [(element.mask() - 3, 1), (2, u64::MAX)] {
            let (mut mem, count) = ([0xee; 96], 9);
            sequence(&mut mem, element, 8, start, step, count);
            for i in 0..count {
                let want = start.wrapping_add(step.wrapping_mul(i as u64)) & element.mask();
                assert_eq!(get_element(&mem, 8, i, element), want, "{element:?} {start} {step} {i}");
            }
            let end = 8 + element.bytes(count);
            assert!(mem[..8].iter().chain(&mem[end..]).all(|byte| *byte == 0xee));
        }
    }
}

/// Published test vectors of Random123 for Philox 4x32-10.
#[test]
fn known_answers() {
    let zeros = Random { key: [0; 2], counter: [0; 4], rounds: 10 };
    assert_eq!(zeros.words(), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
    let ones = Random { key: [u32::MAX; 2], counter: [u32::MAX; 4], rounds: 10 };
    assert_eq!(ones.words(), [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
}

#[test]
fn counters_side_by_side_give_the_same_words() {
    let random = Random { key: [1, 2], counter: [u32::MAX - 40, u32::MAX, 5, 0], rounds: 10 };
    for level in levels() {
        for count in [1, 4, 63, 256, 259, 300] {
            let mut mem = vec![0xee; 4 * count + 8];
            with_level(level, || fill_random(&mut mem, 4, count, &mut random.clone()));
            let mut lane = random;
            for i in 0..count {
                let word = get_element(&mem, 4, i, Element::U32);
                assert_eq!(word, u64::from(lane.words()[i % 4]), "{level:?} {count} {i}");
                lane.advance(u32::from(i % 4 == 3));
            }
            assert!(mem[..4].iter().chain(&mem[4 * count + 4..]).all(|byte| *byte == 0xee));
        }
    }
}

#[test]
fn the_counter_carries_and_rows_follow_each_other() {
    let mut random = Random { key: [1, 2], counter: [u32::MAX, u32::MAX, 5, 0], rounds: 7 };
    let mut mem = vec![0; 40];
    fill_random(&mut mem, 0, 10, &mut random);
    assert_eq!(random.counter, [9, 0, 6, 0]);
    assert!(mem.chunks_exact(4).all(|word| word != [0; 4]));
}

#[test]
fn counts_add_up() {
    let mut mem = vec![0; 2048];
    for (i, value) in [0x0102u64, 0x0103, 0x0203, 0x0102].into_iter().enumerate() {
        set_element(&mut mem, 0, i, Element::U16, value);
    }
    let bin = |mem: &[u8], at| get_element(mem, 64, at, Element::U32);
    histogram(&mut mem, Element::U16, 0, 64, 4, 1, &[]);
    assert_eq!([0, 1, 2, 255].map(|at| bin(&mem, at)), [0, 3, 4, 4]);
    histogram(&mut mem, Element::U16, 0, 64, 4, 0, &[1]);
    assert_eq!([1, 2, 3, 255].map(|at| bin(&mem, at)), [0, 2, 3, 3]);
}
