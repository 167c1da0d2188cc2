//! Feature maps in global memory (13.1: stores of accumulators to NHWC, NCHW, NCDHW and NC1HWC0, loads into convolution tiles).
//!
//! The models below are written from the law with plain loops and share nothing with the library. Formula and fast path
//! must both agree with them.

use crate::support::launch::{module, program};
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

/// A load of a feature map with these images, channels, planes, rows and columns.
#[derive(Clone, Copy, Debug)]
struct Map {
    n: usize,
    c: usize,
    d: usize,
    h: usize,
    w: usize,
}

/// One load: the layouts, the view and the extents of the tile.
#[derive(Debug)]
struct Load {
    from: &'static str,
    to: &'static str,
    map: Map,
    tile: Vec<usize>,
    /// Extents and strides of the view.
    view: ([usize; 5], [usize; 5]),
}

const C0: usize = 8;

impl Load {
    /// A load into a tile that is larger than the map by `more`: numbers of images, blocks and planes.
    fn new((from, to): (&'static str, &'static str), map: Map, more: [usize; 3]) -> Load {
        let Map { n, c, d, h, w } = map;
        let blocks = c.div_ceil(C0);
        let view = match from {
            "nhwc" => ([1, n, h, w, c], [0, h * w * c, w * c, c, 1]),
            "nchw" => ([1, n, c, h, w], [0, c * h * w, h * w, w, 1]),
            _ => ([n, c, d, h, w], [c * d * h * w, d * h * w, h * w, w, 1]),
        };
        let tile = match to {
            "NC1HWC0" => vec![n, blocks + more[1], h, w, C0],
            "NDC1HWC0" => vec![n, d + more[2], blocks + more[1], h, w, C0],
            "FRACTAL_Z" => vec![blocks * h * w, n.div_ceil(16) + more[0], 16, C0],
            _ => vec![blocks * d * h * w, n.div_ceil(16) + more[0], 16, C0],
        };
        Load { from, to, map, tile, view }
    }

    /// The tile's elements after the load, if they were -1, -2, ... before: elements of the map count from 1.
    fn model(&self) -> Vec<f32> {
        let Map { n, c, d, h, w } = self.map;
        let t = &self.tile;
        let mut tile: Vec<f32> = (1..=t.iter().product()).map(|number: usize| -(number as f32)).collect();
        let places = |image: usize, channel: usize, plane: usize, row: usize, col: usize| {
            let (block, rest) = (channel / C0, channel % C0);
            match self.to {
                "NC1HWC0" => (((image * t[1] + block) * h + row) * w + col) * C0 + rest,
                "NDC1HWC0" => ((((image * t[1] + plane) * t[2] + block) * h + row) * w + col) * C0 + rest,
                "FRACTAL_Z" => {
                    let line = block * h * w + row * w + col;
                    ((line * t[1] + image / 16) * 16 + image % 16) * C0 + rest
                }
                _ => {
                    let line = block * d * h * w + plane * h * w + row * w + col;
                    ((line * t[1] + image / 16) * 16 + image % 16) * C0 + rest
                }
            }
        };
        let strides = self.view.1;
        for image in 0..n {
            for channel in 0..c.next_multiple_of(C0) {
                for (plane, row, col) in
                    (0..d).flat_map(|p| (0..h).flat_map(move |r| (0..w).map(move |c| (p, r, c))))
                {
                    let at = match self.from {
                        "nhwc" => [0, image, row, col, channel],
                        "nchw" => [0, image, channel, row, col],
                        _ => [image, channel, plane, row, col],
                    };
                    let from: usize = at.iter().zip(strides).map(|(at, stride)| at * stride).sum();
                    let value = if channel < c { (from + 1) as f32 } else { 0.0 };
                    tile[places(image, channel, plane, row, col)] = value;
                }
            }
        }
        tile
    }

    /// The program: fills the tile from memory, loads the map, and stores the tile.
    fn text(&self) -> String {
        let list = |extents: &[usize]| extents.iter().map(usize::to_string).collect::<Vec<_>>().join("x");
        let mut whole = [1; 5];
        let inner = self.tile.len().min(5);
        whole[5 - inner..].copy_from_slice(&self.tile[self.tile.len() - inner..]);
        if self.tile.len() > 5 {
            whole[0] *= self.tile[0];
        }
        let mut steps = [1; 5];
        for at in (0..4).rev() {
            steps[at] = steps[at + 1] * whole[at + 1];
        }
        let (view, plain, tile) = (text_of(self.view.0), text_of(whole), list(&self.tile));
        format!(
            "!t = !pto.conv_tile<mat, {}, {tile}xf32>\n!v = !pto.tensor_view<{view}xf32>\n!w = !pto.tensor_view<{plain}xf32>\n\
             func.func @f(%x: !pto.ptr<f32>, %o: !pto.ptr<f32>, %y: !pto.ptr<f32>) {{\n{}{}{}{}\
             \x20 %v = pto.make_tensor_view %x, shape = [%s0, %s1, %s2, %s3, %s4], strides = [%t0, %t1, %t2, %t3, %t4] \
             {{layout = #pto.layout<{}>}} : !v\n\
             \x20 %w = pto.make_tensor_view %o, shape = [%p0, %p1, %p2, %p3, %p4], strides = [%q0, %q1, %q2, %q3, %q4] : !w\n\
             \x20 %u = pto.make_tensor_view %y, shape = [%p0, %p1, %p2, %p3, %p4], strides = [%q0, %q1, %q2, %q3, %q4] : !w\n\
             \x20 %t = pto.alloc_tile : !t\n  pto.tload ins(%w : !w) outs(%t : !t)\n  pto.tload ins(%v : !v) outs(%t : !t)\n\
             \x20 pto.tstore ins(%t : !t) outs(%u : !w)\n  return\n}}\n",
            self.to,
            constants("s", self.view.0),
            constants("t", self.view.1),
            constants("p", whole),
            constants("q", steps),
            self.from,
        )
    }

    fn judge(&self) {
        let cells: usize = self.tile.iter().product();
        let Map { n, c, d, h, w } = self.map;
        let before = (1..=cells).flat_map(|number| (-(number as f32)).to_le_bytes()).collect();
        let found =
            run(&program(&self.text(), None), &[numbers(1, n * c * d * h * w), before, vec![0; 4 * cells]]);
        assert_eq!(found.as_ref(), Ok(&self.model()), "{self:?}");
    }
}

const PAIRS: [(&str, &str); 5] = [
    ("nhwc", "NC1HWC0"),
    ("nchw", "NC1HWC0"),
    ("nchw", "FRACTAL_Z"),
    ("ncdhw", "NDC1HWC0"),
    ("ncdhw", "FRACTAL_Z_3D"),
];

#[test]
fn channels_of_a_feature_map_go_into_blocks() {
    let mut seed = 2;
    let mut number = |low: usize, high: usize| low + random::next(&mut seed) as usize % (high - low + 1);
    for case in 0..100 {
        let pair = PAIRS[case % 5];
        let d = if pair.0 == "ncdhw" { number(1, 3) } else { 1 };
        let map = Map { n: number(1, 19), c: number(1, 20), d, h: number(1, 3), w: number(1, 4) };
        Load::new(pair, map, [0; 3].map(|_| number(0, 1))).judge();
    }
}

#[test]
fn maps_that_do_not_fit_their_tile_are_refused() {
    let map = Map { n: 2, c: 12, d: 2, h: 3, w: 4 };
    for pair in PAIRS {
        let legal = Load::new(pair, Map { d: if pair.0 == "ncdhw" { 2 } else { 1 }, ..map }, [0; 3]);
        let check = |load: &Load, profile: Profile| pto::check(module(&load.text()), Some(profile)).is_ok();
        assert!(check(&legal, Profile::Cpu), "{pair:?}");
        for at in 0..5 {
            let mut changed = Load::new(pair, legal.map, [0; 3]);
            changed.view.0[at] += 16;
            assert!(!check(&changed, Profile::Cpu), "{pair:?} with another extent {at}");
        }
    }
    // Neither device loads this pair, and A2/A3 none of them.
    let loads = |profile: &str, from: &str, tile: &str, view: &str| {
        let text = format!(
            "!t = !pto.conv_tile<mat, {tile}>\n!v = !pto.tensor_view<{view}>\nfunc.func @f(%v: !v, %t: !t) {{\n\
             \x20 pto.tload ins(%v : !v) outs(%t : !t) {{layout = #pto.layout<{from}>}}\n  return\n}}\n"
        );
        let profile = if profile == "a5" { Profile::A5 } else { Profile::A2A3 };
        pto::check(module(&text), Some(profile)).is_ok()
    };
    assert!(loads("a5", "nchw", "NC1HWC0, 1x2x3x4x16xf16", "1x1x32x3x4xf16"));
    assert!(!loads("a2a3", "nchw", "NC1HWC0, 1x2x3x4x16xf16", "1x1x32x3x4xf16"));
    assert!(!loads("a5", "nhwc", "FRACTAL_Z, 24x1x16x16xf16", "1x1x3x4x32xf16"));
    assert!(!loads("a5", "nz", "NC1HWC0, 1x2x3x4x16xf16", "1x2x3x4x16xf16"));
    assert!(loads("a5", "nc1hwc0", "NC1HWC0, 1x2x3x4x16xf16", "1x2x3x4x16xf16"));
    // Formats of 8 bits are for A5.
    assert!(loads("a5", "nchw", "NC1HWC0, 1x1x3x4x32xf8E4M3FN", "1x1x32x3x4xf8E4M3FN"));
    assert!(!loads("a2a3", "nc1hwc0", "NC1HWC0, 1x1x3x4x32xf8E4M3FN", "1x1x3x4x32xf8E4M3FN"));
}
