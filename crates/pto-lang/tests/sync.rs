//! Synchronization that is inserted into small programs.

use pto_isa::Profile;
use pto_lang::passes::*;

fn lowered(text: &str) -> String {
    let mut module = pto_lang::parse(text).expect("well-formed text").module;
    synchronize(&mut module, |_| Profile::A2A3, SynchronizeBy::Flags);
    let text = pto_lang::text::print(&module, &Default::default());
    let again = pto_lang::parse(&text).expect("well-formed text").module;
    let mut again = again;
    assert_eq!(
        synchronize(&mut again, |_| Profile::A2A3, SynchronizeBy::Flags),
        [],
        "a second time changes nothing\n{text}"
    );
    text
}

#[test]
fn a_loop_carries_flags() {
    let text = lowered(
        r"
func.func @main(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %vx = pto.make_tensor_view %x, shape = [%c1, %n], strides = [%n, %c1] : !pto.tensor_view<?x?xf32>
  %vy = pto.make_tensor_view %y, shape = [%c1, %n], strides = [%n, %c1] : !pto.tensor_view<?x?xf32>
  %t = pto.alloc_tile : !pto.tile_buf<vec, 1x64xf32>
  %u = pto.alloc_tile : !pto.tile_buf<vec, 1x64xf32>
  scf.for %i = %c0 to %n step %c64 {
    %px = pto.partition_view %vx, offsets = [%c0, %i], sizes = [%c1, %c64] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<1x64xf32>
    %py = pto.partition_view %vy, offsets = [%c0, %i], sizes = [%c1, %c64] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<1x64xf32>
    pto.tload ins(%px : !pto.partition_tensor_view<1x64xf32>) outs(%t : !pto.tile_buf<vec, 1x64xf32>)
    pto.texp ins(%t : !pto.tile_buf<vec, 1x64xf32>) outs(%u : !pto.tile_buf<vec, 1x64xf32>)
    pto.tstore ins(%u : !pto.tile_buf<vec, 1x64xf32>) outs(%py : !pto.partition_tensor_view<1x64xf32>)
  }
  return
}",
    );
    assert_eq!(text.matches("set_flag").count(), 6, "{text}");
    assert_eq!(text.matches("wait_flag").count(), 6, "{text}");
    assert_eq!(text.matches("barrier").count(), 0, "{text}");
}
