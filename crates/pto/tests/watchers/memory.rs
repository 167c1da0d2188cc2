//! Findings on memory: values that are overwritten before they are read, windows that instructions reserve, and bytes
//! beyond a tile or a view.

use super::watched_for;
use crate::support::launch::{self, rules, text, watch_text};
use pto::isa::Profile;
use pto::observe::{Watcher, Watchers, watch};
use pto::sim::{Options, Value};

/// A tile may be in the reserved window of UB if no instruction uses the window during its live range.
#[test]
fn window_live_bystander() {
    let mem = Watchers::of(&[Watcher::Mem]);
    assert_eq!(watched_for(mem, "window_unused", Profile::A2A3), [""; 0]);
    assert_eq!(watched_for(mem, "window_live_bystander", Profile::A2A3), ["mem::reserved-window"]);
    assert_eq!(watched_for(mem, "window_live_bystander", Profile::A5), [""; 0]);
}

/// 13.7 `mem::clobbered`: a tile that a tile of another allocation overwrites before it is read is reported; declared aliases are not.
#[test]
fn clobbered() {
    let mem = Watchers::of(&[Watcher::Mem]);
    let found = |body: &str| {
        let text = format!(
            "!t = !pto.tile_buf<vec, 4x16xf32>\n!half = !pto.tile_buf<vec, 2x16xf32>\n\
             func.func @f(%y: !pto.ptr<f32>) attributes {{pto.kernel_kind = #pto.kernel_kind<vector>}} {{\n\
             %one = arith.constant 1.0 : f32\n%two = arith.constant 2.0 : f32\n%true = arith.constant true\n%c0 = arith.constant 0 : index\n\
             %c1 = arith.constant 1 : index\n%c2 = arith.constant 2 : index\n%a0 = arith.constant 0 : i64\n\
             %a1 = arith.constant 256 : i64\n%a = pto.alloc_tile addr = %a0 : !t\n\
             %b = pto.alloc_tile addr = %a0 : !t\n%h = pto.alloc_tile addr = %a0 : !half\n\
             %r = pto.alloc_tile addr = %a1 : !t\npto.texpands ins(%one : f32) outs(%a : !t)\n{body}\nreturn\n}}"
        );
        rules(&watch_text(&text, Some(Profile::A5), mem))
    };
    let write = |tile: &str, ty: &str| format!("pto.texpands ins(%two : f32) outs(%{tile} : {ty})\n");
    let read = |tile: &str| format!("pto.tadd ins(%{tile}, %{tile} : !t, !t) outs(%r : !t)\n");
    let (write_b, read_a, read_b) = (write("b", "!t"), read("a"), read("b"));
    // The second tile held another value, which was read before the first tile.
    assert_eq!(found(&format!("{write_b}{read_b}{read_a}")), ["mem::clobbered"]);
    // A smaller tile has overwritten a part.
    assert_eq!(found(&format!("{}{read_a}", write("h", "!half"))), ["mem::clobbered"]);
    // A repeated write of the same bytes does not create another value.
    let (same_b, same_h) = (write_b.replace("%two", "%one"), write("h", "!half").replace("%two", "%one"));
    assert_eq!(found(&format!("{same_b}{read_b}{same_h}{read_a}")), [""; 0]);
    assert_eq!(found(&format!("{write_b}{read_b}{same_b}{read_b}{read_a}")), [""; 0]);
    // The first value is not read any more, or was written again.
    assert_eq!(found(&format!("{read_a}{write_b}{read_b}")), [""; 0]);
    assert_eq!(found(&format!("{write_b}{read_b}{}{read_a}", write("a", "!t"))), [""; 0]);
    // A choice between tiles is another name of each of them.
    let (c, s) = ("%c = pto.alloc_tile addr = %a1 : !t\n", "%s = arith.select %true, %a, %c : !t\n");
    assert_eq!(found(&format!("{c}{s}{write_b}{read_b}{}", read("s"))), ["mem::clobbered"]);
    assert_eq!(found(&format!("{c}{s}{}{read_a}", write("s", "!t"))), [""; 0]);
    // Two tiles of the same address and size are one value, which a branch writes.
    assert_eq!(found(&format!("scf.if %true {{\n{write_b}}}\n{read_a}")), [""; 0]);
    // Views of a tile, loop-carried values, and the parts that the public assembler allocates belong to the same
    // allocation.
    let part = "%part = pto.alloc_tile addr = %a0 {pto.view_semantics = \"subview\"} : !half\n";
    assert_eq!(found(&format!("{part}{}{read_a}", write("part", "!half"))), [""; 0]);
    let view = "%v = pto.treshape %a : !t -> !pto.tile_buf<vec, 2x32xf32>\n";
    let through = write("v", "!pto.tile_buf<vec, 2x32xf32>");
    assert_eq!(found(&format!("{view}{through}{read_a}")), [""; 0]);
    let carried = "%l = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %a) -> (!t) {\n\
                   pto.tadd ins(%x, %a : !t, !t) outs(%x : !t)\nscf.yield %x : !t\n}\n";
    assert_eq!(found(&format!("{carried}{read_a}{}", read("l"))), [""; 0]);
}

/// 13.7 `mem::clobbered`: a tile that is written onto the bytes from which its value came overwrites nothing.
#[test]
fn clobbered_by_itself() {
    let text = "func.func @f(%x: !pto.ptr<f32>) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
         %c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c32 = arith.constant 32 : index
         %c64 = arith.constant 64 : index\n%c128 = arith.constant 128 : index\n%a0 = arith.constant 0 : i64
         %v = pto.make_tensor_view %x, shape = [%c1, %c128], strides = [%c128, %c1] : !pto.tensor_view<1x128xf32>
         %t = pto.alloc_tile addr = %a0 : !pto.tile_buf<vec, 1x128xf32>
         %h = pto.alloc_tile addr = %a0 : !pto.tile_buf<vec, 1x64xf32>
         pto.tload ins(%v : !pto.tensor_view<1x128xf32>) outs(%t : !pto.tile_buf<vec, 1x128xf32>)
         scf.for %i = %c0 to %c128 step %c64 {
           pto.textract ins(%t, %c0, %c0 : !pto.tile_buf<vec, 1x128xf32>, index, index) outs(%h : !pto.tile_buf<vec, 1x64xf32>)
         }\nreturn\n}";
    let found = |text: &str| {
        let program = launch::program(text, Some(Profile::A2A3));
        let bytes: Vec<u8> = (0..128u16).flat_map(|at| f32::from(at).to_le_bytes()).collect();
        let mem = Watchers::of(&[Watcher::Mem]).into();
        let watched = watch(&program, vec![vec![Value::buffer(bytes)]], &Options::default(), &mem);
        rules(&watched.expect("a run").1.findings)
    };
    assert_eq!(found(text), [""; 0]);
    assert_eq!(found(&text.replace("ins(%t, %c0, %c0", "ins(%t, %c0, %c32")), ["mem::clobbered"]);
}

/// A move to an operand of a product takes the padding of its source with it, which holds no values that could be lost.
#[test]
fn clobbered_padding() {
    let found = |body: &str| {
        let text = format!(
            "!mat = !pto.tile_buf<mat, 16x32xf32, valid=?x?, blayout=col_major, slayout=row_major>\n\
             !large = !pto.tile_buf<mat, 32x32xf32, valid=?x?, blayout=col_major, slayout=row_major>\n\
             !left = !pto.tile_buf<left, 16x32xf32, valid=?x?, slayout=row_major>\n\
             !view = !pto.tensor_view<?x?xf32>\n!part = !pto.partition_tensor_view<?x?xf32>\n\
             func.func @f(%x: !pto.ptr<f32>) attributes {{pto.kernel_kind = #pto.kernel_kind<cube>}} {{\n\
             %c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n\
             %c16 = arith.constant 16 : index\n%c32 = arith.constant 32 : index\n\
             %c40 = arith.constant 40 : index\n%a0 = arith.constant 0 : i64\n\
             %all = pto.make_tensor_view %x, shape = [%c16, %c40], strides = [%c40, %c1] : !view\n\
             %b = pto.alloc_tile addr = %a0 valid_row = %c16 valid_col = %c32 : !large\n\
             %whole = pto.partition_view %all, offsets = [%c0, %c0], sizes = [%c16, %c32] : !view -> !part\n\
             scf.for %i = %c0 to %c40 step %c32 {{\n\
             %rest = arith.subi %c40, %i : index\n%cols = arith.minsi %rest, %c32 : index\n\
             %a = pto.alloc_tile addr = %a0 valid_row = %c16 valid_col = %cols : !mat\n\
             %l = pto.alloc_tile addr = %a0 valid_row = %c16 valid_col = %cols : !left\n\
             %p = pto.partition_view %all, offsets = [%c0, %i], sizes = [%c16, %cols] : !view -> !part\n\
             pto.tload ins(%p : !part) outs(%a : !mat)\n{body}\n}}\nreturn\n}}"
        );
        rules(&watch_text(&text, Some(Profile::A5), Watchers::of(&[Watcher::Mem])))
    };
    let (moved, other) =
        ("pto.tmov ins(%a : !mat) outs(%l : !left)", "pto.tload ins(%whole : !part) outs(%b : !large)");
    // The second iteration loads 8 columns and moves 32; the other tile left the remaining 24 there.
    assert_eq!(found(&format!("{moved}\n{other}")), [""; 0]);
    assert_eq!(found(&format!("{other}\n{moved}")), ["mem::clobbered"]);
}

/// A partition that ends beyond its view reads the next row, or bytes beyond the buffer.
#[test]
fn partition_beyond_view() {
    let mem = Watchers::of(&[Watcher::Mem]);
    assert_eq!(watched_for(mem, "partition_beyond_view", Profile::Cpu), ["mem::beyond-view"]);
    let cut =
        text("watchers/partition_beyond_view.pto").replace("offsets = [%c0, %c8]", "offsets = [%c0, %c0]");
    assert_eq!(rules(&watch_text(&cut, None, mem)), [""; 0]);
}

/// 13.3: the device stores whole vectors of scalings, and overwrites the bytes after a smaller flat tile.
#[test]
fn scalings_behind_their_tile() {
    let found = |next: u32| {
        let text = format!(
            "!s = !pto.tile_buf<vec, 1x64xf32>\n!d = !pto.tile_buf<vec, 1x64xi8>\n!e = !pto.tile_buf<vec, 1x32xui8, valid=1x2>\n\
             !m = !pto.tile_buf<vec, 1x8xf32, valid=1x2>\n!t = !pto.tile_buf<vec, 1x8xf32>\n\
             func.func @f() attributes {{pto.kernel_kind = #pto.kernel_kind<vector>}} {{\n%one = arith.constant 1.0 : f32\n\
             %a0 = arith.constant 0 : i64\n%a1 = arith.constant 256 : i64\n%a2 = arith.constant 320 : i64\n%a3 = arith.constant 352 : i64\n\
             %a4 = arith.constant 512 : i64\n%a5 = arith.constant {next} : i64\n%a6 = arith.constant 2048 : i64\n\
             %s = pto.alloc_tile addr = %a0 : !s\n%d = pto.alloc_tile addr = %a1 : !d\n%e = pto.alloc_tile addr = %a2 : !e\n\
             %m = pto.alloc_tile addr = %a3 : !m\n%c = pto.alloc_tile addr = %a4 : !m\n%t = pto.alloc_tile addr = %a5 : !t\n\
             %u = pto.alloc_tile addr = %a6 : !t\npto.texpands ins(%one : f32) outs(%s : !s)\npto.texpands ins(%one : f32) outs(%t : !t)\n\
             pto.tquant.mx ins(%s : !s) outs(%d, %e, %m, %c : !d, !e, !m, !m) {{quant_type = #pto<quant_type MXFP8>}}\n\
             pto.tadd ins(%t, %t : !t, !t) outs(%u : !t)\nreturn\n}}"
        );
        let watchers = Watchers::of(&[Watcher::Mem, Watcher::Init]);
        let findings = watch_text(&text, Some(Profile::A5), watchers);
        let errors: Vec<_> =
            findings.into_iter().filter(|found| found.severity == pto::diag::Severity::Error).collect();
        rules(&errors)
    };
    assert!(found(544).iter().any(|rule| rule == "mem::clobbered"), "{:?}", found(544));
    assert_eq!(found(544 + 256), [""; 0]);
}
