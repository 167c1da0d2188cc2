use crate::testing::random;
use pto_kernels::Element;
use pto_kernels::Placement;
use pto_kernels::dispatch::{levels, with_level};
use pto_kernels::layout::*;

/// Placements of `rows` x `cols` elements, with boxes of `ir` x `ic`, in each of the six layouts of the ISA.
fn placements(offset: usize, rows: usize, cols: usize, ir: usize, ic: usize) -> [Placement; 6] {
    let boxed = |row_of_boxes, col_of_boxes, row, col| Placement {
        offset,
        box_rows: ir,
        box_cols: ic,
        row_of_boxes,
        col_of_boxes,
        row,
        col,
    };
    [
        Placement::rows(offset, cols),
        Placement::columns(offset, rows),
        boxed(ir * ic, rows * ic, ic, 1),
        boxed(cols * ir, ir * ic, 1, ir),
        boxed(cols * ir, ir * ic, ic, 1),
        boxed(ir * ic, rows * ic, 1, ir),
    ]
}

fn value_at(mem: &[u8], placement: &Placement, r: usize, c: usize, bits: u32) -> u64 {
    let element = match bits {
        8 => Element::U8,
        16 => Element::U16,
        32 => Element::U32,
        _ => Element::U64,
    };
    pto_kernels::format::get_element(mem, placement.offset, placement.index(r, c), element)
}

#[test]
fn indices_of_the_manual() {
    let [nd, dn, nz, zn, zz, nn] = placements(0, 48, 32, 16, 16);
    assert_eq!(nz.index(17, 20), 1044);
    assert_eq!(nn.index(17, 20), 1089);
    assert_eq!(zz.index(17, 20), 788);
    assert_eq!(zn.index(17, 20), 833);
    assert_eq!((nd.index(3, 5), dn.index(3, 5)), (3 * 32 + 5, 5 * 48 + 3));
}

#[test]
fn every_layout_to_every_other() {
    const HALF: usize = 64 * 64 * 8;
    let mut state = 1;
    let random_bytes: Vec<u8> = (0..2 * HALF).map(|_| random(&mut state) as u8).collect();
    for bits in [8, 16, 32, 64] {
        let ic = 256 / bits as usize;
        let sources = placements(0, 64, 64, 16, ic).into_iter().chain(placements(0, 64, 64, ic.min(64), 16));
        for src in sources {
            for dst in placements(HALF, 64, 64, 16, ic) {
                for (rows, cols) in [(64, 64), (16, 32), (17, 23), (1, 5), (40, 1)] {
                    let [dst_end, src_end] = [&dst, &src].map(|place| end(place, rows, cols, bits));
                    for level in levels() {
                        let mut mem = random_bytes.clone();
                        with_level(level, || copy_matrix(&mut mem, &dst, &src, rows, cols, bits));
                        let mut apart = random_bytes[..dst_end].to_vec();
                        let source = random_bytes[..src_end].to_vec();
                        with_level(level, || transfer(&mut apart, &dst, &source, &src, rows, cols, bits));
                        assert!(apart == mem[..dst_end], "two buffers, no larger than need be");
                        let mut want = random_bytes.clone();
                        copy_slowly(&mut want, &dst, &src, rows, cols, bits);
                        assert!(mem == want, "{level:?} {bits} {rows}x{cols} {src:?} {dst:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn pairs_of_runs_come_side_by_side() {
    let mut state = 1;
    let before: Vec<u8> = (0..40_000).map(|_| random(&mut state) as u8).collect();
    for level in levels() {
        for (rows, bytes) in [(16, 256), (9, 64), (7, 96), (3, 5), (1, 512), (5, 128), (0, 16), (2, 0)] {
            let (start, stride, step, apart) = (20_000, 2 * bytes + 32, bytes + 8, 8192);
            let mut want = before.clone();
            for (row, half) in (0..rows).flat_map(|row| [(row, 0), (row, 1)]) {
                let from = row * step + half * apart;
                want.copy_within(from..from + bytes, start + row * stride + half * bytes);
            }
            let mut got = before.clone();
            with_level(level, pairs_copy)(&mut got, (start, stride), (0, step), apart, rows, bytes);
            assert!(got == want, "{level:?} {rows} {bytes}");
        }
    }
}

/// More rows than a band, and enough bytes for prefetch hints.
#[test]
fn large_transposes() {
    const HALF: usize = 150 * 91 * 8;
    let mut state = 3;
    let before: Vec<u8> = (0..2 * HALF).map(|_| random(&mut state) as u8).collect();
    for (rows, cols, bits) in [(150, 91), (91, 150), (130, 1)]
        .into_iter()
        .flat_map(|(rows, cols)| [8, 16, 32, 64].map(|bits| (rows, cols, bits)))
    {
        let [lines, columns] = [Placement::rows(HALF, cols), Placement::columns(0, rows)];
        let turned = [Placement { offset: 0, ..lines }, Placement { offset: HALF, ..columns }];
        for (dst, src) in [(lines, columns), (turned[1], turned[0])] {
            let mut want = before.clone();
            copy_slowly(&mut want, &dst, &src, rows, cols, bits);
            for level in levels() {
                let mut got = before.clone();
                with_level(level, || copy_matrix(&mut got, &dst, &src, rows, cols, bits));
                assert!(got == want, "{level:?} {bits} {rows}x{cols} {src:?} {dst:?}");
            }
        }
    }
}

/// End in bytes of the placement of `rows` x `cols` elements.
fn end(placement: &Placement, rows: usize, cols: usize, bits: u32) -> usize {
    let places = (0..rows).flat_map(|r| (0..cols).map(move |c| placement.index(r, c)));
    let last = places.max().unwrap();
    placement.offset + ((last + 1) * bits as usize).div_ceil(8)
}

fn copy_slowly(mem: &mut [u8], dst: &Placement, src: &Placement, rows: usize, cols: usize, bits: u32) {
    for r in 0..rows {
        for c in 0..cols {
            let value = value_at(mem, src, r, c, bits);
            let element = Element::ALL.into_iter().find(|e| e.bits() == bits).unwrap();
            pto_kernels::format::set_element(mem, dst.offset, dst.index(r, c), element, value);
        }
    }
}

#[test]
fn filling() {
    let mut mem = [0xffu8; 20];
    fill(&mut mem, 4, 32, 0x1234_5678, 2);
    assert_eq!(mem[4..13], [0x78, 0x56, 0x34, 0x12, 0x78, 0x56, 0x34, 0x12, 0xff]);
    fill(&mut mem, 0, 8, 7, 20);
    assert_eq!(mem, [7; 20]);
}
