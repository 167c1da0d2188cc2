use pto_kernels::dispatch::{levels, with_level};
use pto_kernels::layout::interleave::{deinterleave, interleave};

#[test]
fn two_rows_take_turns_and_come_apart_again() {
    const ROOM: usize = 2048;
    let before: Vec<u8> = (0..5 * ROOM).map(|i| (i * 37 + i / 251) as u8).collect();
    for (level, bits) in levels().flat_map(|level| [8, 16, 32, 64].map(|bits| (level, bits))) {
        let (width, kernels) =
            (bits as usize / 8, with_level(level, || (interleave(bits), deinterleave(bits))));
        for count in [0, 1, 8, 64, 101, 128] {
            let mut mem = before.clone();
            kernels.0(&mut mem, 0, ROOM, 2 * ROOM, count);
            let mut expected = before.clone();
            for (i, byte) in (0..2 * count).flat_map(|i| (0..width).map(move |byte| (i, byte))) {
                let from = i % 2 * ROOM + i / 2 * width;
                expected[2 * ROOM + i * width + byte] = before[from + byte];
            }
            assert!(mem == expected, "{level:?} {bits} {count}");
            mem[..2 * ROOM].fill(0xee);
            kernels.1(&mut mem, 0, ROOM, 2 * ROOM, count);
            expected[..2 * ROOM].fill(0xee);
            for row in [0, ROOM] {
                expected[row..row + count * width].copy_from_slice(&before[row..row + count * width]);
            }
            assert!(mem == expected, "{level:?} {bits} {count}, apart");
        }
    }
}
