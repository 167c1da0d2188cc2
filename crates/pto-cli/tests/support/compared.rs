//! A program that is compared with changed versions of it, and a folder for both.

use super::folder::Folder;

/// z = 2 (x + y) on blocks of 8 x 8, in a loop over two parts of each block's rows.
pub(crate) const PROGRAM: &str = r#"!t = !pto.tile_buf<vec, 8x8xf32>
!p = !pto.partition_tensor_view<8x8xf32>
!v = !pto.tensor_view<32x8xf32>
module attributes {pto.target_arch = "a5"} {
  func.func @k(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %z: !pto.ptr<f32>) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %two = arith.constant 2.0 : f32
    %aa = arith.constant 0 : i64
    %ab = arith.constant 256 : i64
    %as = arith.constant 512 : i64
    %ao = arith.constant 768 : i64
    %xv = pto.make_tensor_view %x, shape = [%c32, %c8], strides = [%c8, %c1] : !v
    %yv = pto.make_tensor_view %y, shape = [%c32, %c8], strides = [%c8, %c1] : !v
    %zv = pto.make_tensor_view %z, shape = [%c32, %c8], strides = [%c8, %c1] : !v
    %id = pto.get_block_idx
    %block = arith.index_cast %id : i64 to index
    %first = arith.muli %block, %c16 : index
    %a = pto.alloc_tile addr = %aa : !t
    %b = pto.alloc_tile addr = %ab : !t
    %sum = pto.alloc_tile addr = %as : !t
    %out = pto.alloc_tile addr = %ao : !t
    scf.for %i = %c0 to %c2 step %c1 {
      %part = arith.muli %i, %c8 : index
      %row = arith.addi %first, %part : index
      %xp = pto.partition_view %xv, offsets = [%row, %c0], sizes = [%c8, %c8] : !v -> !p
      %yp = pto.partition_view %yv, offsets = [%row, %c0], sizes = [%c8, %c8] : !v -> !p
      %zp = pto.partition_view %zv, offsets = [%row, %c0], sizes = [%c8, %c8] : !v -> !p
      pto.tload ins(%xp : !p) outs(%a : !t)
      pto.tload ins(%yp : !p) outs(%b : !t)
      pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
      pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
      pto.tadd ins(%a, %b : !t, !t) outs(%sum : !t)
      pto.tmuls ins(%sum, %two : !t, f32) outs(%out : !t)
      pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
      pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
      pto.tstore ins(%out : !t) outs(%zp : !p)
      pto.barrier <PIPE_ALL>
    }
    return
  }
}
"#;

/// A folder with `a.pto`.
pub(crate) fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("a.pto", PROGRAM);
    folder
}
