//! Feature maps in global memory (13.1: stores of accumulators to NHWC, NCHW, NCDHW and NC1HWC0, loads into convolution tiles).
//!
//! The models below are written from the law with plain loops and share nothing with the library. Formula and fast path
//! must both agree with them.

mod loads;

use crate::support::launch::module;
use pto::isa::Profile;
use pto::sim::{Options, Program, Value};
use pto_num::random;

fn numbers(first: usize, count: usize) -> Vec<u8> {
    (first..first + count).flat_map(|number| (number as f32).to_le_bytes()).collect()
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks(4).map(|four| f32::from_le_bytes(four.try_into().expect("four bytes"))).collect()
}

/// The last of the buffers after a run, by formula and by the fast path, which must agree; the reason if both runs stop.
fn run(program: &Program, buffers: &[Vec<u8>]) -> Result<Vec<f32>, String> {
    let [fast, formula] = [false, true].map(|by_formula| {
        let values = buffers.iter().map(|bytes| Value::buffer(bytes.clone())).collect();
        let options = Options::default().by_formula(by_formula);
        match program.launch(values, &options, &mut []) {
            Ok(outcome) => Ok(floats(&outcome.buffers[buffers.len() - 1].bytes)),
            Err(fault) => Err(format!("{fault:?}")),
        }
    });
    assert_eq!(fast.is_ok(), formula.is_ok());
    if let (Ok(fast), Ok(formula)) = (&fast, &formula) {
        assert_eq!(fast, formula);
    }
    fast
}

fn constants(name: &str, numbers: [usize; 5]) -> String {
    (0..5).map(|at| format!("  %{name}{at} = arith.constant {} : index\n", numbers[at])).collect()
}

fn text_of(shape: [usize; 5]) -> String {
    shape.map(|extent| extent.to_string()).join("x")
}

/// The program that stores an accumulator of 16 columns, row r and column c of which holds 16 r + c + 1, to a view.
fn storing(layout: &str, rows: usize, shape: [usize; 5], strides: [usize; 5]) -> String {
    let (tall, shape_text) = (rows.next_multiple_of(16), text_of(shape));
    format!(
        "!m = !pto.tile_buf<mat, {tall}x16xf32, valid={rows}x16, blayout=col_major, slayout=row_major>\n\
         !n = !pto.tile_buf<mat, 16x16xf32, blayout=col_major, slayout=row_major>\n\
         !l = !pto.tile_buf<left, {tall}x16xf32, valid={rows}x16, blayout=col_major, slayout=row_major>\n\
         !r = !pto.tile_buf<right, 16x16xf32, slayout=col_major>\n\
         !c = !pto.tile_buf<acc, {tall}x16xf32, valid={rows}x16, blayout=col_major, slayout=row_major, fractal=1024>\n\
         !x = !pto.tensor_view<{rows}x16xf32>\n!e = !pto.tensor_view<16x16xf32>\n!v = !pto.tensor_view<{shape_text}xf32>\n\
         func.func @f(%x: !pto.ptr<f32>, %e: !pto.ptr<f32>, %y: !pto.ptr<f32>) {{\n{}{}\
         \x20 %rows = arith.constant {rows} : index\n  %k = arith.constant 16 : index\n  %one = arith.constant 1 : index\n\
         \x20 %a = pto.make_tensor_view %x, shape = [%rows, %k], strides = [%k, %one] : !x\n\
         \x20 %b = pto.make_tensor_view %e, shape = [%k, %k], strides = [%k, %one] : !e\n\
         \x20 %v = pto.make_tensor_view %y, shape = [%s0, %s1, %s2, %s3, %s4], strides = [%t0, %t1, %t2, %t3, %t4] \
         {{layout = #pto.layout<{layout}>}} : !v\n\
         \x20 %m = pto.alloc_tile : !m\n  %n = pto.alloc_tile : !n\n  %l = pto.alloc_tile : !l\n  %r = pto.alloc_tile : !r\n\
         \x20 %c = pto.alloc_tile : !c\n\
         \x20 pto.tload ins(%a : !x) outs(%m : !m)\n  pto.tload ins(%b : !e) outs(%n : !n)\n\
         \x20 pto.tmov ins(%m : !m) outs(%l : !l)\n  pto.tmov ins(%n : !n) outs(%r : !r)\n\
         \x20 pto.tmatmul ins(%l, %r : !l, !r) outs(%c : !c)\n  pto.tstore ins(%c : !c) outs(%v : !v)\n  return\n}}\n",
        constants("s", shape),
        constants("t", strides),
    )
}

/// The contents of the view's buffer after a store.
fn stored(
    profile: Profile,
    layout: &str,
    rows: usize,
    (shape, strides): ([usize; 5], [usize; 5]),
    cells: usize,
) -> Result<Vec<f32>, String> {
    let identity =
        (0..256).flat_map(|at| (if at / 16 == at % 16 { 1f32 } else { 0.0 }).to_le_bytes()).collect();
    let mut text = storing(layout, rows, shape, strides);
    if profile == Profile::A2A3 {
        let start = text.find("<left").expect("a left tile");
        text.replace_range(start..start + text[start..].find(">").expect("its end"), &{
            let own = &text[start..start + text[start..].find(">").expect("its end")];
            own.replace("blayout=col_major, ", "")
        });
    }
    let checked = pto::check(module(&text), Some(profile)).map_err(|findings| format!("{findings:?}"))?;
    let program = Program::decode(&checked, None).expect("a kernel");
    run(&program, &[numbers(1, rows * 16), identity, vec![0; 4 * cells]])
}

#[test]
fn an_accumulator_is_stored_as_points_and_channels() {
    const CELLS: usize = 8192;
    let mut seed = 1;
    let mut number = |low: usize, high: usize| low + random::next(&mut seed) as usize % (high - low + 1);
    for case in 0..60 {
        let (n, h, w, c) = (number(1, 2), number(1, 4), number(1, 6), 16);
        let (layout, rows, shape, strides, step) = match case % 3 {
            0 => {
                let t3 = c + number(0, 4);
                let strides = [CELLS, h * w * t3, w * t3, t3, 1];
                ("nhwc", n * h * w, [1, n, h, w, c], strides, [t3, 1])
            }
            1 => {
                let t2 = h * w + number(0, 4);
                ("nchw", h * w, [1, 1, c, h, w], [CELLS, 16 * t2, t2, w, 1], [1, t2])
            }
            _ => {
                let (d, gap) = (number(1, 3), number(0, 4));
                let t1 = d * h * w + gap;
                ("ncdhw", h * w, [1, c, d, h, w], [CELLS, t1, h * w, w, 1], [1, t1])
            }
        };
        let mut model = vec![0.0; CELLS];
        for (r, c) in (0..rows).flat_map(|r| (0..16).map(move |c| (r, c))) {
            model[r * step[0] + c * step[1]] = (16 * r + c + 1) as f32;
        }
        for profile in [Profile::A5, Profile::Cpu] {
            let found = stored(profile, layout, rows, (shape, strides), CELLS);
            assert_eq!(found.as_ref(), Ok(&model), "{layout} {shape:?} {strides:?}");
        }
    }
}

#[test]
fn an_accumulator_is_stored_to_blocks_of_channels() {
    const CELLS: usize = 8192;
    let mut seed = 1;
    let mut number = |low: usize, high: usize| low + random::next(&mut seed) as usize % (high - low + 1);
    for case in 0..40 {
        let (h, w, c0) = (number(1, 4), number(1, 6), [8, 16][case % 2]);
        // A view may have more points than the tile has rows.
        let points = h * w;
        let rows = number(if case < 20 { points } else { 1 }, points);
        let t1 = points * c0 + number(0, 40);
        let (shape, strides) = ([1, 16 / c0, h, w, c0], [CELLS, t1, w * c0, c0, 1]);
        let mut model = vec![0.0; CELLS];
        for (r, c) in (0..rows).flat_map(|r| (0..16).map(move |c| (r, c))) {
            model[c / c0 * t1 + r * c0 + c % c0] = (16 * r + c + 1) as f32;
        }
        for layout in ["nc1hwc0", "ndc1hwc0"] {
            let found = stored(Profile::A2A3, layout, rows, (shape, strides), CELLS);
            assert_eq!(found.as_ref(), Ok(&model), "{layout} {rows} {shape:?} {strides:?}");
        }
    }
    // Rows beyond the points of the view follow them, as device stores count in the tile.
    let found =
        stored(Profile::A2A3, "nc1hwc0", 12, ([1, 1, 2, 4, 16], [0, 0, 64, 16, 1]), 4096).expect("a store");
    assert!((0..12 * 16).all(|at| found[at] == (at + 1) as f32) && found[12 * 16] == 0.0);
    for (shape, strides) in [
        ([2, 1, 3, 4, 16], [192, 0, 64, 16, 1]),
        ([1, 1, 3, 4, 16], [0, 0, 80, 16, 1]),
        ([1, 1, 3, 4, 16], [0, 0, 128, 32, 1]),
    ] {
        assert!(
            stored(Profile::A2A3, "nc1hwc0", 12, (shape, strides), 4096).is_err(),
            "{shape:?} {strides:?}"
        );
    }
    for profile in [Profile::A5, Profile::Cpu] {
        assert!(stored(profile, "nc1hwc0", 12, ([1, 1, 3, 4, 16], [0, 0, 64, 16, 1]), 4096).is_err());
    }
}

/// MX scales of a matrix of 16 rows and 4 columns, or the transposed one: a view of pairs, and one of rows and columns
/// with the same strides.
#[test]
fn scales_have_one_order_however_their_view_says_it() {
    let tile = |of_left: bool| {
        if of_left {
            "16x4x!pto.f8E8M0, slayout=row_major, fractal=32"
        } else {
            "4x16x!pto.f8E8M0, blayout=col_major, slayout=col_major, fractal=32"
        }
    };
    let cases = [
        ("mx_a_nd", [16, 2, 2], [6, 2, 1]),
        ("mx_a_dn", [2, 16, 2], [40, 2, 1]),
        ("mx_b_nd", [2, 16, 2], [40, 2, 1]),
        ("mx_b_dn", [16, 2, 2], [6, 2, 1]),
    ];
    for (layout, pairs, [t2, t3, t4]) in cases {
        let of_left = layout.contains("_a_");
        let matrix = if of_left { [1, 16, 4] } else { [1, 4, 16] };
        let (rows, cols) = (matrix[1], matrix[2]);
        let results = [pairs, matrix].map(|[s2, s3, s4]| {
            let (tile, shape) = (tile(of_left), text_of([1, 1, s2, s3, s4]));
            let text = format!(
                "!t = !pto.tile_buf<mat, {tile}>\n!v = !pto.tensor_view<{shape}x!pto.f8E8M0>\n!o = !pto.tensor_view<{rows}x{cols}x!pto.f8E8M0>\n\
                 func.func @f(%x: !pto.ptr<!pto.f8E8M0>, %y: !pto.ptr<!pto.f8E8M0>) {{\n{}{}\
                 \x20 %rows = arith.constant {rows} : index\n  %cols = arith.constant {cols} : index\n\
                 \x20 %v = pto.make_tensor_view %x, shape = [%s0, %s1, %s2, %s3, %s4], strides = [%t0, %t1, %t2, %t3, %t4] {{layout = #pto.layout<{layout}>}} : !v\n\
                 \x20 %o = pto.make_tensor_view %y, shape = [%rows, %cols], strides = [%cols, %s0] {{layout = #pto.layout<nd>}} : !o\n\
                 \x20 %t = pto.alloc_tile : !t\n  pto.tload ins(%v : !v) outs(%t : !t)\n  pto.tstore ins(%t : !t) outs(%o : !o)\n  return\n}}\n",
                constants("s", [1, 1, s2, s3, s4]),
                constants("t", [200, 200, t2, t3, t4]),
            );
            let checked = pto::check(module(&text), Some(Profile::Cpu)).map_err(|found| format!("{found:?}")).expect("legal");
            let program = Program::decode(&checked, None).expect("a kernel");
            let source: Vec<u8> = (0..96).collect();
            run(&program, &[source, vec![0; 64]]).expect("a run")
        });
        let model: Vec<u8> = (0..rows * cols)
            .map(|at| {
                let (line, deep) = if of_left { (at / cols, at % cols) } else { (at % cols, at / cols) };
                let by_lines = matches!(layout, "mx_a_nd" | "mx_b_dn");
                (if by_lines { line * t2 + deep / 2 * t3 } else { deep / 2 * t2 + line * t3 } + deep % 2)
                    as u8
            })
            .collect();
        assert_eq!(results[0], floats(&model), "{layout}");
        assert_eq!(results[1], results[0], "{layout}");
    }
}

#[test]
fn points_with_gaps_and_several_images_are_refused() {
    let refused = [
        ("nhwc", 24, [1, 2, 3, 4, 16], [0, 200, 64, 16, 1]),
        ("nhwc", 24, [1, 2, 3, 4, 16], [0, 192, 80, 16, 1]),
        ("nchw", 24, [1, 2, 16, 3, 4], [0, 192, 12, 4, 1]),
        ("nchw", 12, [1, 1, 16, 3, 4], [0, 0, 15, 5, 1]),
        ("ncdhw", 24, [2, 16, 1, 3, 4], [192, 12, 12, 4, 1]),
    ];
    for (layout, rows, shape, strides) in refused {
        for profile in [Profile::A5, Profile::Cpu] {
            let found = stored(profile, layout, rows, (shape, strides), 4096);
            assert!(found.is_err(), "{layout} {shape:?} {strides:?}");
        }
    }
    assert!(stored(Profile::A2A3, "nhwc", 12, ([1, 1, 3, 4, 16], [0, 0, 64, 16, 1]), 4096).is_err());
}
