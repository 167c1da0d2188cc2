//! Concatenations by indices, and over their own sources.

use crate::support::launch;

use pto::Profile;
use pto::sim::Value;

/// The columns that each row takes of the first source and of the second, as bytes of i32. The destination has 8 columns:
/// the last rows ask for more.
const TAKEN: [[usize; 2]; 8] = [[1, 2], [0, 8], [8, 0], [3, 4], [0, 0], [5, 3], [6, 6], [8, 8]];

#[test]
fn tconcat_takes_the_columns_that_indices_name_row_by_row() {
    let counted = |count: bool| {
        let (outs, types) = if count { ("%d, %n", "!t, !i") } else { ("%d", "!t") };
        format!(
            "!t = !pto.tile_buf<vec, 8x8xf32>
!i = !pto.tile_buf<vec, 8x8xi32, valid=8x1>
!v = !pto.tensor_view<8x8xf32>
!iv = !pto.tensor_view<8x1xi32>
func.func @k(%x: !pto.ptr<f32>, %l: !pto.ptr<i32>, %r: !pto.ptr<i32>, %y: !pto.ptr<f32>, %z: !pto.ptr<i32>) {{
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %s = arith.constant -1.0 : f32
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 77 : i32
  %xv = pto.make_tensor_view %x, shape = [%c8, %c8], strides = [%c8, %c1] : !v
  %yv = pto.make_tensor_view %y, shape = [%c8, %c8], strides = [%c8, %c1] : !v
  %lv = pto.make_tensor_view %l, shape = [%c8, %c1], strides = [%c1, %c1] : !iv
  %rv = pto.make_tensor_view %r, shape = [%c8, %c1], strides = [%c1, %c1] : !iv
  %zv = pto.make_tensor_view %z, shape = [%c8, %c1], strides = [%c1, %c1] : !iv
  %a = pto.alloc_tile : !t
  %b = pto.alloc_tile : !t
  %d = pto.alloc_tile : !t
  %i = pto.alloc_tile : !i
  %j = pto.alloc_tile : !i
  %n = pto.alloc_tile : !i
  pto.tload ins(%xv : !v) outs(%a : !t)
  pto.tload ins(%xv : !v) outs(%b : !t)
  pto.tload ins(%lv : !iv) outs(%i : !i)
  pto.tload ins(%rv : !iv) outs(%j : !i)
  pto.tmuls ins(%b, %s : !t, f32) outs(%b : !t)
  pto.texpands ins(%zero : f32) outs(%d : !t)
  pto.texpands ins(%none : i32) outs(%n : !i)
  pto.tconcat ins(%a, %b, %i, %j : !t, !t, !i, !i) outs({outs} : {types})
  pto.tstore ins(%d : !t) outs(%yv : !v)
  pto.tstore ins(%n : !i) outs(%zv : !iv)
  return
}}
"
        )
    };
    let words = |values: Vec<u32>| Value::buffer(values.into_iter().flat_map(u32::to_le_bytes).collect());
    let indices = |source: usize| words(TAKEN.iter().map(|row| 4 * row[source] as u32).collect());
    let values = [
        words((1..=64).map(|at| (at as f32).to_bits()).collect()),
        indices(0),
        indices(1),
        words(vec![0; 64]),
        words(vec![0; 8]),
    ];
    for (count, profile) in [false, true].into_iter().flat_map(|count| Profile::ALL.map(|at| (count, at))) {
        let program = launch::program(&counted(count), Some(profile));
        let stored = launch::floats(&launch::both_ways(&program, &values, 3));
        let counts = launch::both_ways(&program, &values, 4);
        for (i, [first, second]) in TAKEN.into_iter().enumerate() {
            let second = second.min(8 - first);
            for j in 0..8 {
                let expected = match j {
                    _ if j < first => (1 + 8 * i + j) as f32,
                    _ if j < first + second => -((1 + 8 * i + j - first) as f32),
                    _ => 0.0,
                };
                assert_eq!(stored[8 * i + j], expected, "({i}, {j}) on {profile:?}");
            }
            let expected = if count { 4 * (first + second) as i32 } else { 77 };
            assert_eq!(counts[4 * i..][..4], expected.to_le_bytes(), "the count of row {i} on {profile:?}");
        }
    }
}

/// The destination begins 32 bytes after the first source and covers the rest of it.
#[test]
fn tconcat_over_its_source_reads_all_sources_first() {
    let text = "!t = !pto.tile_buf<vec, 8x8xf32>
!d = !pto.tile_buf<vec, 8x16xf32>
!v = !pto.tensor_view<8x8xf32>
!w = !pto.tensor_view<8x16xf32>
func.func @k(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %s = arith.constant -1.0 : f32
  %0 = arith.constant 0 : i64
  %32 = arith.constant 32 : i64
  %4096 = arith.constant 4096 : i64
  %xv = pto.make_tensor_view %x, shape = [%c8, %c8], strides = [%c8, %c1] : !v
  %yv = pto.make_tensor_view %y, shape = [%c8, %c16], strides = [%c16, %c1] : !w
  %a = pto.alloc_tile addr = %0 : !t
  %d = pto.alloc_tile addr = %32 : !d
  %b = pto.alloc_tile addr = %4096 : !t
  pto.tload ins(%xv : !v) outs(%a : !t)
  pto.tload ins(%xv : !v) outs(%b : !t)
  pto.tmuls ins(%b, %s : !t, f32) outs(%b : !t)
  pto.tconcat ins(%a, %b : !t, !t) outs(%d : !d)
  pto.tstore ins(%d : !d) outs(%yv : !w)
  return
}
";
    let x = Value::buffer((1..=64).flat_map(|at| (at as f32).to_le_bytes()).collect());
    for profile in Profile::ALL {
        let program = launch::program(text, Some(profile));
        let stored =
            launch::floats(&launch::both_ways(&program, &[x.clone(), Value::buffer(vec![0; 512])], 1));
        for (at, value) in stored.iter().enumerate() {
            let (i, j) = (at / 16, at % 16);
            let expected = if j < 8 { (1 + 8 * i + j) as f32 } else { -((1 + 8 * i + j - 8) as f32) };
            assert_eq!(*value, expected, "({i}, {j}) on {profile:?}");
        }
    }
}
