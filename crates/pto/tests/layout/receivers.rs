//! The vector cores that receive what leaves an accumulator: one of them, or both a half.

use super::{inputs, run, tile};

#[test]
fn both_vector_cores_receive_a_half() {
    for (mode, shape, first) in [("dual_mode_split_m", "16x64", 16 * 64), ("dual_mode_split_n", "32x32", 32)]
    {
        for line in [
            "pto.tmov ins(%a : ACC) outs(%d : DST)",
            "pto.textract ins(%a, %c0, %c0 : ACC, index, index) outs(%d : DST)",
            "pto.tinsert ins(%a, %c0, %c0 : ACC, index, index) outs(%d : DST)",
        ] {
            let dst = tile("vec", shape, "f32", "nd");
            let (rows, cols) = shape.split_once('x').expect("a shape is RxC");
            // Vector core 1 stores its half after the 2048 elements to which the program itself may store.
            let lines = format!(
            "  {line} {{accToVecMode = #pto.acc_to_vec_mode<{mode}>}}
  %behind = arith.constant 2048 : index
  %half = pto.addptr %out, %behind : !pto.ptr<f32> -> !pto.ptr<f32>
  %hv = pto.make_tensor_view %half, shape = [%rows, %cols], strides = [%cols, %c1] : !pto.tensor_view<?x?xf32>
  %hp = pto.partition_view %hv, offsets = [%c0, %c0], sizes = [%rows, %cols] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<{rows}x{cols}xf32>
  pto.section.vector {{
    %core = pto.get_subblock_idx
    %one = arith.constant 1 : i64
    %is = arith.cmpi eq, %core, %one : i64
    scf.if %is {{
      pto.tstore ins(%d : DST) outs(%hp : !pto.partition_tensor_view<{rows}x{cols}xf32>)
    }}
  }}"
        );
            let stored = run("f32", (&dst, shape, "f32"), &lines);
            let (values, _) = inputs("f32");
            assert_eq!(stored[..16], values[..16], "{mode} {line}");
            assert_eq!(stored[8192..8208], values[first * 4..first * 4 + 16], "{mode} {line}");
        }
    }
}

/// Vector core 0 receives all of it without a mode; a single mode names the core.
#[test]
fn one_vector_core_receives_everything_in_a_single_mode() {
    let single = |mode: &str| format!(" {{accToVecMode = #pto.acc_to_vec_mode<{mode}>}}");
    for (mode, cores) in [
        (String::new(), [true, false]),
        (single("single_mode_vec0"), [true, false]),
        (single("single_mode_vec1"), [false, true]),
    ] {
        for line in [
            "pto.tmov ins(%a : ACC) outs(%d : DST)",
            "pto.tinsert ins(%a, %c0, %c0 : ACC, index, index) outs(%d : DST)",
        ] {
            let dst = tile("vec", "32x64", "f32", "nd");
            // Vector core 1 stores its tile after the 2048 elements that the program itself stores.
            let lines = format!(
                "  {line}{mode}
  %behind = arith.constant 2048 : index
  %other = pto.addptr %out, %behind : !pto.ptr<f32> -> !pto.ptr<f32>
  %tv = pto.make_tensor_view %other, shape = [%rows, %cols], strides = [%cols, %c1] : !pto.tensor_view<?x?xf32>
  %tp = pto.partition_view %tv, offsets = [%c0, %c0], sizes = [%rows, %cols] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<32x64xf32>
  pto.section.vector {{
    %core = pto.get_subblock_idx
    %one = arith.constant 1 : i64
    %is = arith.cmpi eq, %core, %one : i64
    scf.if %is {{
      pto.tstore ins(%d : DST) outs(%tp : !pto.partition_tensor_view<32x64xf32>)
    }}
  }}"
            );
            let stored = run("f32", (&dst, "32x64", "f32"), &lines);
            let (values, _) = inputs("f32");
            for (core, receives) in cores.into_iter().enumerate() {
                let received = &stored[core * 8192..][..8192];
                let expected = if receives { values.clone() } else { vec![0; 8192] };
                assert!(received == expected, "core {core}: {line}{mode}");
            }
        }
    }
}

#[test]
fn a_fill_value_fills_the_rest_of_a_half() {
    for (name, offsets) in
        [("tmov_fp ins(%a, %one : ACC", ""), ("textract_fp ins(%a, %c0, %c0, %one : ACC", ", index, index")]
    {
        let dst = tile("vec", "18x72", "f32", "nd");
        let lines = format!(
            "  %one = arith.constant 1.0 : f32
  pto.{name}{offsets}, f32) outs(%d : DST) {{accToVecMode = #pto.acc_to_vec_mode<dual_mode_split_m>}}"
        );
        let bytes = run("f32", (&dst, "18x72", "f32"), &lines);
        let filled = |row: usize, col: usize| bytes[(row * 72 + col) * 4..][..4] == 1f32.to_le_bytes();
        assert!(filled(0, 64) && filled(15, 71) && filled(16, 0) && filled(17, 71), "{name}");
    }
}
