//! TLOAD and TSTORE whose view and valid region differ, on devices (the table "Which elements are moved").
//!
//! The model below is written from the law, element by element and with plain loops; it shares nothing with the
//! library's. Views and valid regions are random, and formula and fast path must both agree with the model.

use crate::support::launch::{module, program};
use pto::isa::Profile;
use pto::sim::{Options, Program, Value};
use pto_num::random;

const CELLS: usize = 1024;

/// One transfer between a view and a tile of `f32`.
#[derive(Debug)]
struct Case {
    profile: Profile,
    location: &'static str,
    layout: &'static str,
    load: bool,
    shape: [usize; 5],
    strides: [usize; 5],
    declared: [usize; 2],
    valid: [usize; 2],
}

/// Elements of a block of 32 bytes.
const C0: usize = 8;

fn down(count: usize) -> usize {
    count / C0 * C0
}

impl Case {
    /// The pairs of an element in memory and one of the tile, each counted from the start; `None` where the law has an error.
    fn moved(&self) -> Option<Vec<(usize, usize)>> {
        let [s0, s1, s2, s3, s4] = self.shape;
        let [t0, t1, t2, t3, t4] = self.strides;
        let ([rows, cols], [vr, vc]) = (self.declared, self.valid);
        let a2a3 = self.profile == Profile::A2A3;
        let whole_blocks = a2a3 && self.location == "mat";
        let mut pairs = Vec::new();
        let matrices = |each: &mut dyn FnMut(usize, usize)| {
            for at in 0..s0 * s1 * s2 {
                each(at, at / (s1 * s2) * t0 + at / s2 % s1 * t1 + at % s2 * t2);
            }
        };
        match self.layout {
            "nd" => {
                let (n, pitch, step) = match (a2a3, whole_blocks) {
                    (false, _) => (vc, t3, cols),
                    (true, false) => (vc, (t3 + vc).checked_sub(s4)?, cols),
                    (true, true) => {
                        (down(vc), down(vc) + down(t3.checked_sub(s4)?), down(vc) + down(cols - vc))
                    }
                };
                matrices(&mut |matrix, start| {
                    for (i, j) in (0..s3).flat_map(|i| (0..n).map(move |j| (i, j))) {
                        pairs.push((start + i * pitch + j, matrix * s3 * cols + i * step + j));
                    }
                });
                (s0 * s1 * s2 * s3 <= rows).then_some(pairs)
            }
            "dn" => {
                let (n, pitch, step) = match (a2a3, whole_blocks) {
                    (false, _) => (vr, t4, rows),
                    (true, false) if vr == s3 => (vr, t4, rows),
                    (true, false) => {
                        let gap = rows.checked_sub(s3)? / C0 * C0;
                        (vr, (t4 + vr).checked_sub(s3)?, vr.next_multiple_of(C0) + gap)
                    }
                    (true, true) => {
                        (down(vr), down(vr) + down(t4.checked_sub(s3)?), down(vr) + down(rows - vr))
                    }
                };
                matrices(&mut |matrix, start| {
                    for (j, i) in (0..s4).flat_map(|j| (0..n).map(move |i| (j, i))) {
                        pairs.push((start + j * pitch + i, matrix * s4 * rows + j * step + i));
                    }
                });
                let fits = pairs.iter().all(|(_, tile)| *tile < rows * cols);
                (s0 * s1 * s2 * s4 <= cols && fits).then_some(pairs)
            }
            _ => {
                let strided = !a2a3 || self.load && self.location == "vec";
                let pitch = if strided { t1 } else { (t1 + vr * s4).checked_sub(s2 * s3 * s4)? };
                for (i0, i1) in (0..s0).flat_map(|i0| (0..s1).map(move |i1| (i0, i1))) {
                    for (i, k) in (0..vr).flat_map(|i| (0..s4).map(move |k| (i, k))) {
                        let column = i0 * s1 + i1;
                        pairs.push((i0 * t0 + i1 * pitch + i * s4 + k, column * rows * s4 + i * s4 + k));
                    }
                }
                (s0 * s1 * s4 <= cols).then_some(pairs)
            }
        }
    }

    /// The program: the bytes of the tile come from, or go to, memory in their own order.
    fn text(&self) -> String {
        let list = |name: &str, numbers: [usize; 5]| {
            (0..5)
                .map(|at| format!("  %{name}{at} = arith.constant {} : index\n", numbers[at]))
                .collect::<String>()
        };
        let ([rows, cols], location) = (self.declared, self.location);
        let boxes = match self.layout {
            "nd" => "",
            "dn" => ", blayout=col_major",
            _ => ", blayout=col_major, slayout=row_major",
        };
        let shape = self.shape.map(|extent| extent.to_string()).join("x");
        let cells = rows * cols;
        let moves = if self.load {
            "  pto.tload ins(%v : !v) outs(%t : !t)\n  pto.tstore ins(%f : !f) outs(%w : !w)\n"
        } else {
            "  pto.tload ins(%w : !w) outs(%f : !f)\n  pto.tstore ins(%t : !t) outs(%v : !v)\n"
        };
        format!(
            "!t = !pto.tile_buf<{location}, {rows}x{cols}xf32, valid=?x?{boxes}>\n\
             !f = !pto.tile_buf<{location}, 1x{cells}xf32>\n\
             !v = !pto.tensor_view<{shape}xf32>\n!w = !pto.tensor_view<1x{cells}xf32>\n\
             func.func @f(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %r: index, %c: index) {{\n{}{}\
             \x20 %n = arith.constant {cells} : index\n  %one = arith.constant 1 : index\n  %z = arith.constant 0 : i64\n\
             \x20 %v = pto.make_tensor_view %x, shape = [%s0, %s1, %s2, %s3, %s4], \
             strides = [%t0, %t1, %t2, %t3, %t4] {{layout = #pto.layout<{}>}} : !v\n\
             \x20 %w = pto.make_tensor_view %y, shape = [%one, %n], strides = [%n, %one] : !w\n\
             \x20 %t = pto.alloc_tile addr = %z valid_row = %r valid_col = %c : !t\n  %f = pto.alloc_tile addr = %z : !f\n\
             {moves}  return\n}}\n",
            list("s", self.shape),
            list("t", self.strides),
            self.layout,
        )
    }

    /// The two buffers after a run, as numbers; `None` if it stops.
    fn run(&self, program: &Program, by_formula: bool) -> Option<[Vec<f32>; 2]> {
        let cells = self.declared[0] * self.declared[1];
        let numbers =
            |count: usize| (1..=count).flat_map(|number| (number as f32).to_le_bytes()).collect::<Vec<u8>>();
        let (x, y) = if self.load {
            (numbers(CELLS), vec![0; 4 * cells])
        } else {
            (vec![0; 4 * CELLS], numbers(cells))
        };
        let [rows, cols] = self.valid.map(|extent| Value::Scalar(extent as u64));
        let values = vec![Value::buffer(x), Value::buffer(y), rows, cols];
        let options = Options::default().by_formula(by_formula);
        let outcome = program.launch(values, &options, &mut []).ok()?;
        let floats = |bytes: &[u8]| {
            bytes.chunks(4).map(|four| f32::from_le_bytes(four.try_into().expect("four bytes"))).collect()
        };
        Some([0, 1].map(|at| floats(&outcome.buffers[at].bytes)))
    }

    fn judge(&self) -> bool {
        let moved = self.moved();
        let checked = match pto::check(module(&self.text()), Some(self.profile)) {
            Ok(checked) => checked,
            Err(findings) => {
                assert!(moved.is_none(), "{self:?}: {findings:?}");
                return false;
            }
        };
        let program = Program::decode(&checked, None).expect("a kernel");
        for by_formula in [false, true] {
            let found = self.run(&program, by_formula);
            let Some(pairs) = &moved else {
                assert!(found.is_none(), "{self:?}: it runs");
                continue;
            };
            let [x, y] = found.unwrap_or_else(|| panic!("{self:?}: it stops"));
            let (target, wanted) = if self.load { (y, 1) } else { (x, 0) };
            let mut model = vec![0.0; target.len()];
            for pair in pairs {
                let (to, from) = if wanted == 1 { (pair.1, pair.0) } else { (pair.0, pair.1) };
                model[to] = (from + 1) as f32;
            }
            assert_eq!(target, model, "{self:?} by formula: {by_formula}");
        }
        moved.is_some()
    }
}

/// Random cases of one path; counts how many of them run.
fn cases(profile: Profile, location: &'static str, layout: &'static str, load: bool) {
    let mut seed = 48;
    let mut number = |low: usize, high: usize| low + random::next(&mut seed) as usize % (high - low + 1);
    let mut ran = 0;
    for _ in 0..60 {
        let declared = [16, [8, 16, 24][number(0, 2)]];
        let valid = [number(1, declared[0]), number(1, declared[1])];
        let two = [number(1, 2), number(1, 2)];
        let (shape, strides) = match layout {
            "nd" => {
                let (s3, s4) = (number(1, 8), number(1, declared[1]));
                let t3 = s4 + number(0, 9);
                ([1, two[0], two[1], s3, s4], [0, 2 * 8 * 33, 8 * 33, t3, 1])
            }
            "dn" => {
                let (s3, s4) = (number(1, declared[0]), number(1, 8));
                let t4 = s3 + number(0, 9);
                ([1, two[0], two[1], s3, s4], [0, 2 * 8 * 25, 8 * 25, 1, t4])
            }
            _ => {
                let s2 = number(1, declared[0] / 8);
                ([1, two[0], s2, 8, C0], [0, s2 * 8 * C0 + 8 * number(0, 3), 8 * C0, C0, 1])
            }
        };
        let case = Case { profile, location, layout, load, shape, strides, declared, valid };
        ran += usize::from(case.judge());
    }
    assert!(ran > 15, "{profile:?} {location} {layout}: {ran} cases run");
}

#[test]
fn vec_tiles_move_what_a2a3_moves() {
    for layout in ["nd", "dn", "nz"] {
        cases(Profile::A2A3, "vec", layout, true);
        cases(Profile::A2A3, "vec", layout, false);
    }
}

#[test]
fn vec_tiles_move_what_a5_moves() {
    for layout in ["nd", "dn", "nz"] {
        cases(Profile::A5, "vec", layout, true);
        cases(Profile::A5, "vec", layout, false);
    }
}

#[test]
fn mat_tiles_move_whole_blocks_on_a2a3() {
    for layout in ["nd", "dn", "nz"] {
        cases(Profile::A2A3, "mat", layout, true);
        cases(Profile::A2A3, "mat", layout, false);
    }
}

/// Whether a load runs: of a view in this layout and of this shape, with `elements` elements in memory, into boxes of a
/// mat tile.
fn fills_boxes(profile: Profile, (layout, boxes): (&str, &str), shape: [usize; 2], elements: usize) -> bool {
    let strides = if layout == "nd" { [20, 1] } else { [1, 20] };
    let [[rows, cols], [down, along]] = [shape, strides];
    let text = format!(
        "!t = !pto.tile_buf<mat, 16x16xf32, valid=?x?, {boxes}>\n!v = !pto.tensor_view<{rows}x{cols}xf32>\n\
         func.func @f(%x: !pto.ptr<f32>, %n: index) {{\n  %rows = arith.constant {rows} : index\n\
         \x20 %cols = arith.constant {cols} : index\n  %down = arith.constant {down} : index\n\
         \x20 %along = arith.constant {along} : index\n\
         \x20 %v = pto.make_tensor_view %x, shape = [%rows, %cols], strides = [%down, %along] \
         {{layout = #pto.layout<{layout}>}} : !v\n  %t = pto.alloc_tile valid_row = %n valid_col = %n : !t\n\
         \x20 pto.tload ins(%v : !v) outs(%t : !t)\n  return\n}}\n"
    );
    let program = program(&text, Some(profile));
    let runs = [false, true].map(|by_formula| {
        let values = vec![Value::buffer(vec![0; 4 * elements]), Value::Scalar(16)];
        program.launch(values, &Options::default().by_formula(by_formula), &mut []).is_ok()
    });
    assert_eq!(runs[0], runs[1], "{text}");
    runs[0]
}

#[test]
fn boxes_of_mat_tiles_take_the_extents_of_the_view() {
    let (nz, zn) = ("blayout=col_major, slayout=row_major", "slayout=col_major");
    for (profile, layouts, shape, elements) in [
        // A2/A3 takes both extents from the view.
        (Profile::A2A3, ("nd", nz), [10, 12], 9 * 20 + 12),
        (Profile::A2A3, ("dn", zn), [12, 10], 9 * 20 + 12),
        // A5 takes one extent from the view, and the other from the tile.
        (Profile::A5, ("nd", nz), [10, 12], 9 * 20 + 16),
        (Profile::A5, ("dn", nz), [12, 10], 15 * 20 + 12),
        (Profile::A5, ("dn", zn), [12, 10], 9 * 20 + 16),
    ] {
        assert!(fills_boxes(profile, layouts, shape, elements), "{profile:?} {layouts:?}");
        assert!(!fills_boxes(profile, layouts, shape, elements - 1), "{profile:?} {layouts:?}");
    }
}
