//! Convolution tiles: the matrix of a convolution and changes of layout, compared with independently computed
//! values.

use crate::support::launch::{self, both_ways, floats};
use pto::Profile;
use pto::sim::{Options, Value};

/// Runs `@k` on one input and one output, by the formula and by the fast path; returns the output.
fn run(source: &str, input: &[u8], output: usize) -> Vec<u8> {
    run_on(None, source, &[input.to_vec()], output)
}

/// Runs `@k` for a profile on inputs and, as its last argument, one output.
fn run_on(profile: Option<Profile>, source: &str, inputs: &[Vec<u8>], output: usize) -> Vec<u8> {
    let outputs = [vec![0; output]];
    let values: Vec<_> = inputs.iter().chain(&outputs).map(|bytes| Value::buffer(bytes.clone())).collect();
    both_ways(&launch::program(source, profile), &values, inputs.len())
}

/// Two images of two blocks of eight channels, five rows and four columns of f32.
const MAP: [usize; 5] = [2, 2, 5, 4, 8];

fn map() -> Vec<f32> {
    (0..MAP.iter().product::<usize>()).map(|at| at as f32 + 1.0).collect()
}

/// A program that loads the map, runs `lines` and stores 16x144 elements of the left tile `%m`.
fn program(lines: &str) -> String {
    format!(
        "!map = !pto.conv_tile<mat, NC1HWC0, 2x2x5x4x8xf32>
!left = !pto.tile_buf<left, 16x144xf32, blayout=col_major, slayout=row_major>
!view = !pto.tensor_view<?x?x?x?x?xf32>
!matrix = !pto.tensor_view<?x?xf32>
func.func @k(%in: !pto.ptr<f32>, %out: !pto.ptr<f32>) {{
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c144 = arith.constant 144 : index
  %c160 = arith.constant 160 : index
  %c320 = arith.constant 320 : index
  %v = pto.make_tensor_view %in, shape = [%c2, %c2, %c5, %c4, %c8], strides = [%c320, %c160, %c32, %c8, %c1] : !view
  %f = pto.alloc_tile : !map
  %m = pto.alloc_tile : !left
  pto.tload ins(%v : !view) outs(%f : !map)
{lines}
  %o = pto.make_tensor_view %out, shape = [%c16, %c144], strides = [%c144, %c1] : !matrix
  pto.tstore ins(%m : !left) outs(%o : !matrix)
  return
}}
"
    )
}

/// The matrix from row `first`: the map is copied into a larger one with padding, and every position of a 3x3
/// filter with stride 2x1 is cut out of it.
fn expected(first: usize, pad: f32) -> Vec<f32> {
    let [images, blocks, rows, cols, channels] = MAP;
    let (top, left, height, width) = (1, 2, rows + 2, cols + 3);
    let mut padded = vec![pad; images * blocks * height * width * channels];
    let at = |n: usize, c1: usize, h: usize, w: usize, c0: usize| {
        (((n * blocks + c1) * height + h) * width + w) * channels + c0
    };
    let map = map();
    for (index, value) in map.iter().enumerate() {
        let (c0, w) = (index % channels, index / channels % cols);
        let (h, c1) = (index / channels / cols % rows, index / channels / cols / rows % blocks);
        padded[at(index / channels / cols / rows / blocks, c1, h + top, w + left, c0)] = *value;
    }
    let (out_rows, out_cols) = ((height - 3) / 2 + 1, width - 3 + 1);
    let mut matrix = Vec::new();
    for place in first..first + 16 {
        let (n, h, w) = (place / (out_rows * out_cols), place / out_cols % out_rows * 2, place % out_cols);
        for c1 in 0..blocks {
            for (kh, kw) in (0..9).map(|weight| (weight / 3, weight % 3)) {
                let start = at(n, c1, h + kh, w + kw, 0);
                matrix.extend(&padded[start..start + channels]);
            }
        }
    }
    matrix
}

fn unfolded(lines: &str) -> Vec<f32> {
    let input: Vec<u8> = map().iter().flat_map(|value| value.to_le_bytes()).collect();
    floats(&run(&program(lines), &input, 16 * 144 * 4))
}

#[test]
fn the_matrix_is_what_the_filter_sees() {
    let attributes = "fmap = [5, 4], pad = [2, 1, 1, 1], filter = [3, 3], stride = [2, 1]";
    let all = format!("  pto.timg2col ins(%f : !map) outs(%m : !left) {{{attributes}}}");
    assert_eq!(unfolded(&all), expected(0, 0.0));
    // The second image starts after 3 x 5 positions.
    let part = format!(
        "  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  pto.timg2col ins(%f, %c9, %c0 : !map, index, index) outs(%m : !left) {{{attributes}, pad_value = -2.5}}"
    );
    assert_eq!(unfolded(&part), expected(9, -2.5));
}

#[test]
fn registers_hold_what_an_automatic_mode_takes_from_attributes() {
    let manual = "  pto.setfmatrix ins(%f : !map) {pad = [2, 1, 1, 1], mode = #pto.fmatrix_mode<b_manual>}
  pto.set_img2col_rpt ins(%f : !map) {mode = #pto.fmatrix_mode<b_manual>}
  pto.set_img2col_padding ins(%f : !map) {pad_value = 7.0, mode = #pto.fmatrix_mode<b_manual>}
  pto.timg2col ins(%f : !map) outs(%m : !left) {filter = [3, 3], stride = [2, 1], mode = #pto.fmatrix_mode<b_manual>}";
    assert_eq!(unfolded(manual), expected(0, 7.0));
    let after = "  pto.timg2col ins(%f : !map) outs(%m : !left) {pad = [2, 1, 1, 1], pad_value = 7, filter = [3, 3], stride = [2, 1]}
  pto.timg2col ins(%f : !map) outs(%m : !left) {filter = [3, 3], stride = [2, 1]}";
    assert_eq!(unfolded(after), expected(0, 7.0));
}

#[test]
fn a_block_starts_with_fresh_registers() {
    let source = program(
        "  pto.timg2col ins(%f : !map) outs(%m : !left) {filter = [3, 3]}\n  pto.setfmatrix ins(%f : !map)",
    );
    let program = launch::program(&source, None);
    let values = vec![Value::buffer(vec![0; 2560]), Value::buffer(vec![0; 16 * 144 * 4])];
    let stopped = program.launch(values, &Options::default().blocks(2), &mut []);
    let findings = stopped.expect_err("the register is not set");
    assert_eq!(findings[0].rule, "timg2col::fmap");
}

/// Changes the layout of a tile of f32: shapes of the views, and the resulting elements.
fn changed((from, from_shape): (&str, &[usize]), (to, to_shape): (&str, &[usize])) -> Vec<f32> {
    let elements = |shape: &[usize]| shape.iter().product::<usize>();
    let list = |shape: &[usize]| shape.iter().map(|extent| format!("{extent}x")).collect::<String>();
    // A view of a six-dimensional tile merges the first two dimensions.
    let view = |shape: &[usize]| {
        let merged = shape.len().saturating_sub(5);
        let mut view = vec![shape[..=merged].iter().product::<usize>()];
        view.extend(&shape[merged + 1..]);
        view
    };
    let mut lines = String::new();
    let mut make = |name: &str, pointer: &str, shape: &[usize]| {
        let shape = view(shape);
        let (mut names, mut strides) = (Vec::new(), Vec::new());
        for at in 0..shape.len() {
            let stride = elements(&shape[at + 1..]);
            lines.push_str(&format!("  %{name}n{at} = arith.constant {} : index\n", shape[at]));
            lines.push_str(&format!("  %{name}s{at} = arith.constant {stride} : index\n"));
            names.push(format!("%{name}n{at}"));
            strides.push(format!("%{name}s{at}"));
        }
        let ty = format!("!pto.tensor_view<{}f32>", list(&shape));
        let (names, strides) = (names.join(", "), strides.join(", "));
        lines.push_str(&format!(
            "  %{name} = pto.make_tensor_view {pointer}, shape = [{names}], strides = [{strides}] : {ty}\n"
        ));
        ty
    };
    let (source, target) = (make("v", "%in", from_shape), make("w", "%out", to_shape));
    let tile = |layout: &str, shape: &[usize]| format!("!pto.conv_tile<vec, {layout}, {}f32>", list(shape));
    let (src, dst) = (tile(from, from_shape), tile(to, to_shape));
    let source = format!(
        "func.func @k(%in: !pto.ptr<f32>, %out: !pto.ptr<f32>) {{
{lines}  %a = pto.alloc_tile : {src}
  %b = pto.alloc_tile : {dst}
  pto.tload ins(%v : {source}) outs(%a : {src})
  pto.ttrans ins(%a : {src}) outs(%b : {dst})
  pto.tstore ins(%b : {dst}) outs(%w : {target})
  return
}}
"
    );
    let input: Vec<u8> = (0..elements(from_shape)).flat_map(|at| (at as f32 + 1.0).to_le_bytes()).collect();
    floats(&run(&source, &input, elements(to_shape) * 4))
}

/// Converts a row-major index to coordinates.
fn digits(mut at: usize, shape: &[usize]) -> Vec<usize> {
    let mut digits = vec![0; shape.len()];
    for (digit, extent) in digits.iter_mut().zip(shape).rev() {
        (*digit, at) = (at % extent, at / extent);
    }
    digits
}

fn index(digits: &[usize], shape: &[usize]) -> f32 {
    digits.iter().zip(shape).fold(0, |at, (digit, extent)| at * extent + digit) as f32 + 1.0
}

#[test]
fn channels_go_into_blocks_and_come_back() {
    let (nchw, blocks) = ([2, 11, 2, 3], [2, 2, 2, 3, 8]);
    for (at, value) in changed(("NCHW", &nchw), ("NC1HWC0", &blocks)).into_iter().enumerate() {
        let [n, c1, h, w, c0] = digits(at, &blocks).try_into().expect("five digits");
        let c = c1 * 8 + c0;
        assert_eq!(value, if c < 11 { index(&[n, c, h, w], &nchw) } else { 0.0 });
    }
    for (at, value) in changed(("NC1HWC0", &blocks), ("NCHW", &nchw)).into_iter().enumerate() {
        let [n, c, h, w] = digits(at, &nchw).try_into().expect("four digits");
        assert_eq!(value, index(&[n, c / 8, h, w, c % 8], &blocks));
    }
    let (gnchw, groups) = ([2, 2, 8, 2, 3], [2, 2, 1, 2, 3, 8]);
    for (at, value) in changed(("GNCHW", &gnchw), ("GNC1HWC0", &groups)).into_iter().enumerate() {
        let [g, n, c1, h, w, c0] = digits(at, &groups).try_into().expect("six digits");
        assert_eq!(value, index(&[g, n, c1 * 8 + c0, h, w], &gnchw));
    }
}

/// FRACTAL_Z with separate dimensions C1, H, W, N and C0 is loaded from a view with the same dimensions, on every
/// profile.
#[test]
fn fractal_z_of_five_dimensions_is_loaded_dimension_by_dimension() {
    let text = "!f = !pto.conv_tile<mat, FRACTAL_Z, 2x3x2x16x8xf32>
func.func @k(%in: !pto.ptr<f32>, %out: !pto.ptr<f32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c160 = arith.constant 160 : index
  %c320 = arith.constant 320 : index
  %c960 = arith.constant 960 : index
  %c10 = arith.constant 10 : index
  %v = pto.make_tensor_view %in, shape = [%c2, %c3, %c2, %c16, %c8], strides = [%c960, %c320, %c160, %c10, %c1] : !pto.tensor_view<2x3x2x16x8xf32>
  %f = pto.alloc_tile : !f
  pto.tload ins(%v : !pto.tensor_view<2x3x2x16x8xf32>) outs(%f : !f)
STORE  return
}
";
    for profile in pto::Profile::ALL {
        let checked = launch::checked(&text.replace("STORE", ""), Some(profile));
        assert!(checked.warnings().is_empty(), "{profile:?}: {:?}", checked.warnings());
    }
    let store = "  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %c768 = arith.constant 768 : index
  %w = pto.make_tensor_view %out, shape = [%c2, %c3, %c2, %c16, %c8], strides = [%c768, %c256, %c128, %c8, %c1] : !pto.tensor_view<2x3x2x16x8xf32>
  pto.tstore ins(%f : !f) outs(%w : !pto.tensor_view<2x3x2x16x8xf32>)
";
    let input: Vec<u8> = (0..1920).flat_map(|at| (at as f32).to_le_bytes()).collect();
    let shape = [2, 3, 2, 16, 8];
    let stored = floats(&run(&text.replace("STORE", store), &input, 1536 * 4));
    for (at, value) in stored.into_iter().enumerate() {
        let [c1, h, w, n, c0] = digits(at, &shape).try_into().expect("five digits");
        assert_eq!(value, (c1 * 960 + h * 320 + w * 160 + n * 10 + c0) as f32);
    }
    let six = text.replace("2x3x2x16x8xf32>\nfunc", "2x3x2x16x8x1xf32>\nfunc");
    let findings = pto::parse(&six).expect_err("no such tile");
    assert!(
        findings.iter().any(|finding| finding.message.contains("4 or 5 dimensions, not 6")),
        "{findings:?}"
    );
}

#[test]
fn filters_go_into_fractals() {
    let (groups, filter) = ([2, 18, 2, 1, 3, 8], [12, 2, 16, 8]);
    for (at, value) in changed(("GNC1HWC0", &groups), ("FRACTAL_Z", &filter)).into_iter().enumerate() {
        let [outer, n1, n0, c0] = digits(at, &filter).try_into().expect("four digits");
        let [g, c1, h, w] = digits(outer, &[2, 2, 1, 3]).try_into().expect("four digits");
        let n = n1 * 16 + n0;
        assert_eq!(value, if n < 18 { index(&[g, n, c1, h, w, c0], &groups) } else { 0.0 });
    }
    let (ncdhw, filter) = ([3, 10, 2, 2, 2], [16, 1, 16, 8]);
    for (at, value) in changed(("NCDHW", &ncdhw), ("FRACTAL_Z_3D", &filter)).into_iter().enumerate() {
        let [outer, _, n, c0] = digits(at, &filter).try_into().expect("four digits");
        let [d, c1, h, w] = digits(outer, &[2, 2, 2, 2]).try_into().expect("four digits");
        let c = c1 * 8 + c0;
        assert_eq!(value, if n < 3 && c < 10 { index(&[n, c, d, h, w], &ncdhw) } else { 0.0 });
    }
}

/// The matrix of a map of `blocks` channel blocks of 4x4 points, for a 2x2 filter and one column of padding at the
/// left: the first eight rows, as element indices of the map; `None` for padding.
fn unfolded_2x2(blocks: usize, channels: usize) -> Vec<Option<usize>> {
    let mut matrix = Vec::new();
    for (row, col) in (0..8).map(|place| (place / 4, place % 4)) {
        for (block, kh, kw) in (0..blocks * 4).map(|at| (at / 4, at / 2 % 2, at % 2)) {
            let point = (col + kw).checked_sub(1).map(|col| (block * 4 + row + kh) * 4 + col);
            matrix.extend((0..channels).map(|channel| point.map(|point| point * channels + channel)));
        }
    }
    matrix
}

const FILTER_2X2: &str = "{fmap = [4, 4], pad = [1, 0, 0, 0], filter = [2, 2]}";

#[test]
fn sixty_four_bits_are_unfolded_as_they_are() {
    for element in ["i64", "ui64"] {
        let source = format!(
            "!map = !pto.conv_tile<mat, NC1HWC0, 1x2x4x4x4x{element}>
!left = !pto.tile_buf<left, 16x32x{element}, valid=8x32, blayout=col_major, slayout=row_major>
!view = !pto.tensor_view<?x?x?x?x?x{element}>
!matrix = !pto.tensor_view<?x?x{element}>
func.func @k(%in: !pto.ptr<{element}>, %out: !pto.ptr<{element}>) {{
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %v = pto.make_tensor_view %in, shape = [%c1, %c2, %c4, %c4, %c4], strides = [%c128, %c64, %c16, %c4, %c1] : !view
  %f = pto.alloc_tile : !map
  %m = pto.alloc_tile : !left
  pto.tload ins(%v : !view) outs(%f : !map)
  pto.timg2col ins(%f : !map) outs(%m : !left) {FILTER_2X2}
  %o = pto.make_tensor_view %out, shape = [%c8, %c32], strides = [%c32, %c1] : !matrix
  pto.tstore ins(%m : !left) outs(%o : !matrix)
  return
}}
"
        );
        let input: Vec<u8> = (0..128u64).flat_map(|at| (at | !at << 32).to_le_bytes()).collect();
        let stored = run(&source, &input, 8 * 32 * 8);
        let expected: Vec<u8> = unfolded_2x2(2, 4)
            .into_iter()
            .flat_map(|at| at.map_or(vec![0; 8], |at| input[at * 8..at * 8 + 8].to_vec()))
            .collect();
        assert_eq!(stored, expected, "{element}");
    }
}

/// A5 cannot load such a map as floats, so its bytes are loaded; a left tile of A5 is observed through a product
/// with the identity.
#[test]
fn floats_of_8_bits_are_unfolded_as_they_are_on_a5() {
    for (element, format) in [("f8E4M3FN", pto_num::Element::E4M3), ("f8E5M2", pto_num::Element::E5M2)] {
        let source = format!(
            "!bytes = !pto.conv_tile<mat, NC1HWC0, 1x1x4x4x32xui8>
!map = !pto.conv_tile<mat, NC1HWC0, 1x1x4x4x32x{element}>
!left = !pto.tile_buf<left, 16x128x{element}, valid=8x128, blayout=col_major, slayout=row_major>
!ones = !pto.tile_buf<mat, 128x128x{element}, blayout=col_major, slayout=row_major>
!right = !pto.tile_buf<right, 128x128x{element}, blayout=row_major, slayout=col_major>
!acc = !pto.tile_buf<acc, 16x128xf32, valid=8x128, blayout=col_major, slayout=row_major, fractal=1024>
!view = !pto.tensor_view<?x?x?x?x?xui8>
!square = !pto.tensor_view<?x?x{element}>
!result = !pto.tensor_view<?x?xf32>
func.func @k(%map: !pto.ptr<ui8>, %identity: !pto.ptr<{element}>, %out: !pto.ptr<f32>) {{
  %first = arith.constant 0 : i64
  %second = arith.constant 4096 : i64
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %v = pto.make_tensor_view %map, shape = [%c1, %c1, %c4, %c4, %c32], strides = [%c512, %c512, %c128, %c32, %c1] : !view
  %i = pto.make_tensor_view %identity, shape = [%c128, %c128], strides = [%c128, %c1] : !square
  %b = pto.alloc_tile addr = %first : !bytes
  %f = pto.alloc_tile addr = %first : !map
  %m = pto.alloc_tile : !left
  %o = pto.alloc_tile addr = %second : !ones
  %r = pto.alloc_tile : !right
  %a = pto.alloc_tile : !acc
  pto.tload ins(%v : !view) outs(%b : !bytes)
  pto.tload ins(%i : !square) outs(%o : !ones)
  pto.tmov ins(%o : !ones) outs(%r : !right)
  pto.timg2col ins(%f : !map) outs(%m : !left) {FILTER_2X2}
  pto.tmatmul ins(%m, %r : !left, !right) outs(%a : !acc)
  %p = pto.make_tensor_view %out, shape = [%c8, %c128], strides = [%c128, %c1] : !result
  pto.tstore ins(%a : !acc) outs(%p : !result)
  return
}}
"
        );
        let map = (0..512).map(|at| (at % 61) as u8);
        let one = format.encode(1.0, pto_num::Rounding::NearestEven, pto_num::Overflow::Ieee) as u8;
        let identity = (0..128 * 128).map(|at| if at / 128 == at % 128 { one } else { 0 });
        let codes: Vec<u8> = map.collect();
        let stored =
            floats(&run_on(Some(Profile::A5), &source, &[codes.clone(), identity.collect()], 8 * 128 * 4));
        let value = |at: Option<usize>| at.map_or(0.0, |at| format.decode(u64::from(codes[at])) as f32);
        let expected: Vec<f32> = unfolded_2x2(1, 32).into_iter().map(value).collect();
        assert_eq!(stored, expected, "{element}");
    }
}
