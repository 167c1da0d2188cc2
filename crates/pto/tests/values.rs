//! Multi tiles, handles, structs, arrays of events, pointers from integers: their results.

use crate::support::launch::{self, buffer, floats, module};
use pto::diag::Diagnostic;
use pto::sim::{Options, Program};
use pto::text::{PrintedSpelling, Style, print};

const HEAD: &str = "!tile = !pto.tile_buf<vec, 1x8xf32>
!open = !pto.tile_buf<vec, 1x8xf32, valid=?x?>
!view = !pto.tensor_view<4x8xf32>
!row = !pto.partition_tensor_view<1x8xf32>
!s = !pto.struct<f32, !pto.struct<i64, f32>>
";

/// A function of `x` and `y` (4x8 each), with constants `%c0` to `%c4` and `%c8`, and views `%xv` and `%yv`.
fn function(body: &str, more: &str) -> String {
    let constants: String =
        [0, 1, 2, 3, 4, 8].iter().map(|n| format!("  %c{n} = arith.constant {n} : index\n")).collect();
    format!(
        "{HEAD}func.func @f(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) attributes {{pto.entry}} {{
{constants}  %xv = pto.make_tensor_view %x, shape = [%c4, %c8], strides = [%c8, %c1] : !view
  %yv = pto.make_tensor_view %y, shape = [%c4, %c8], strides = [%c8, %c1] : !view
{body}
  return
}}
{more}"
    )
}

/// The text of `%name = row i of the view`.
fn row(name: &str, view: &str, at: &str) -> String {
    format!(
        "  %{name} = pto.partition_view %{view}, offsets = [{at}, %c0], sizes = [%c1, %c8] : !view -> !row\n"
    )
}

fn launch(source: &str) -> Result<Vec<f32>, Vec<Diagnostic>> {
    let module = module(source);
    for form in [PrintedSpelling::Ssa, PrintedSpelling::Assembly, PrintedSpelling::Destination] {
        let style = Style { spelling: form, compact: true, ..Style::default() };
        let once = print(&module, &style);
        assert_eq!(once, print(&launch::module(&once), &style));
    }
    let checked = pto::check(module, None).unwrap_or_else(|findings| panic!("{findings:#?}"));
    let values = vec![buffer((0..32).map(|i| i as f32)), buffer([0.0; 32])];
    let outcome = Program::decode(&checked, None)?.launch(values, &Options::default(), &mut [])?;
    Ok(floats(&outcome.buffers[1].bytes))
}

fn run(body: &str, more: &str) -> Vec<f32> {
    launch(&function(body, more)).unwrap_or_else(|findings| panic!("{findings:#?}"))
}

#[test]
fn each_tile_of_a_multi_tile_has_its_place() {
    for alloc in ["", "addr = %at "] {
        let body = format!(
            "  %at = arith.constant 64 : i64
  %m = pto.alloc_multi_tile {alloc}: !pto.multi_tile_buf<vec, 1x8xf32, count=3>
  scf.for %i = %c0 to %c3 step %c1 {{
{}    %t = pto.multi_tile_get %m[%i] : !pto.multi_tile_buf<vec, 1x8xf32, count=3> -> !tile
    pto.tload ins(%part : !row) outs(%t : !tile)
  }}
  scf.for %i = %c0 to %c3 step %c1 {{
    %back = arith.subi %c2, %i : index
{}    %t = pto.multi_tile_get %m[%back] : !pto.multi_tile_buf<vec, 1x8xf32, count=3> -> !tile
    pto.tstore ins(%t : !tile) outs(%part : !row)
  }}",
            row("part", "xv", "%i"),
            row("part", "yv", "%i")
        );
        let out = run(&body, "");
        assert_eq!([out[0], out[8], out[16], out[24]], [16.0, 8.0, 0.0, 0.0]);
    }
}

#[test]
fn a_multi_tile_at_an_address_overlaps_what_lies_there() {
    let body = format!(
        "  %at = arith.constant 64 : i64
  %second = arith.constant 96 : i64
  %m = pto.alloc_multi_tile addr = %at : !pto.multi_tile_buf<vec, 1x8xf32, count=2>
  %t = pto.multi_tile_get %m[%c1] : !pto.multi_tile_buf<vec, 1x8xf32, count=2> -> !tile
  %same = pto.alloc_tile addr = %second : !tile
{}{}  pto.tload ins(%in : !row) outs(%t : !tile)
  pto.tstore ins(%same : !tile) outs(%out : !row)",
        row("in", "xv", "%c2"),
        row("out", "yv", "%c0")
    );
    assert_eq!(run(&body, "")[..2], [16.0, 17.0]);
}

#[test]
fn tiles_of_a_multi_tile_are_valid_as_it_says() {
    let body = "  %m = pto.alloc_multi_tile valid_row = %c1 valid_col = %c3 : !pto.multi_tile_buf<vec, 1x8xf32, valid=?x?, count=2>
  %t = pto.multi_tile_get %m[%c1] : !pto.multi_tile_buf<vec, 1x8xf32, valid=?x?, count=2> -> !open
  %rows = pto.tile_valid_rows %t : !open -> index
  %cols = pto.tile_valid_cols %t : !open -> index
  %both = arith.addi %rows, %cols : index
  %n = arith.index_cast %both : index to i32
  %v = arith.sitofp %n : i32 to f32
  pto.store_scalar %v, %y[%c0] : !pto.ptr<f32>, f32";
    assert_eq!(run(body, "")[0], 4.0);
}

#[test]
fn a_handle_means_the_place_that_it_was_given_last() {
    let body = format!(
        "  %a = arith.constant 0 : i64
  %b = arith.constant 32 : i64
{}{}{}{}  %h = pto.declare_tile -> !tile
  %first = pto.tassign %h, %a : !tile, i64 -> !tile
  pto.tload ins(%in0 : !row) outs(%first : !tile)
  %second = pto.tassign %first, %b : !tile -> !tile
  pto.tload ins(%in1 : !row) outs(%h : !tile)
  pto.tstore ins(%second : !tile) outs(%out0 : !row)
  %old = pto.alloc_tile addr = %a : !tile
  pto.tstore ins(%old : !tile) outs(%out1 : !row)",
        row("in0", "xv", "%c1"),
        row("in1", "xv", "%c2"),
        row("out0", "yv", "%c0"),
        row("out1", "yv", "%c1")
    );
    let out = run(&body, "");
    assert_eq!([out[0], out[8]], [16.0, 8.0]);
}

#[test]
fn a_declared_view_goes_where_a_pointer_says() {
    let body = "  %g = pto.declare_global -> !pto.tensor_view<1x8xf32>
  %p = pto.addptr %y, %c8 : !pto.ptr<f32> -> !pto.ptr<f32>
  %v = pto.tassign %g, %p : !pto.tensor_view<1x8xf32>, !pto.ptr<f32> -> !pto.tensor_view<1x8xf32>
  %t = pto.alloc_tile : !tile
  %three = arith.constant 3.0 : f32
  pto.texpands ins(%three : f32) outs(%t : !tile)
  pto.tstore ins(%t : !tile) outs(%v : !pto.tensor_view<1x8xf32>)";
    let out = run(body, "");
    assert_eq!([out[7], out[8], out[15], out[16]], [0.0, 3.0, 3.0, 0.0]);
}

#[test]
fn a_struct_is_passed_by_what_names_it() {
    let body = "  %s = pto.declare_struct -> !s
  %other = pto.declare_struct -> !s
  %one = arith.constant 1.5 : f32
  pto.struct_set %s[0], %one : !s, f32
  %before = pto.struct_get %s[1, 1] : !s -> f32
  scf.for %i = %c0 to %c3 step %c1 {
    func.call @grow(%s, %one) : (!s, f32) -> ()
  }
  %after = pto.struct_get %s[1, 1] : !s -> f32
  %first = pto.struct_get %s[0] : !s -> f32
  %none = pto.struct_get %other[1, 1] : !s -> f32
  pto.store_scalar %before, %y[%c0] : !pto.ptr<f32>, f32
  pto.store_scalar %after, %y[%c1] : !pto.ptr<f32>, f32
  pto.store_scalar %first, %y[%c2] : !pto.ptr<f32>, f32
  pto.store_scalar %none, %y[%c3] : !pto.ptr<f32>, f32";
    let grow = "func.func private @grow(%s: !s, %v: f32) {
  %old = pto.struct_get %s[1, 1] : !s -> f32
  %new = arith.addf %old, %v : f32
  %local = pto.declare_struct -> !s
  pto.struct_set %local[1, 1], %new : !s, f32
  %copy = pto.struct_get %local[1, 1] : !s -> f32
  pto.struct_set %s[1, 1], %copy : !s, f32
  return
}
";
    assert_eq!(run(body, grow)[..4], [0.0, 4.5, 1.5, 0.0]);
}

#[test]
fn structs_that_nest_too_much_are_refused() {
    let mut aliases = String::from("!a0 = !pto.struct<f32, f32>\n");
    for depth in 1..40 {
        aliases.push_str(&format!("!a{depth} = !pto.struct<!a{0}, !a{0}>\n", depth - 1));
    }
    let found = pto::parse(&aliases).expect_err("exponentially many fields");
    assert!(found[0].message.contains("made of at most"), "{found:?}");
    let mut aliases = String::from("!a0 = !pto.struct<f32>\n");
    for depth in 1..64 {
        aliases.push_str(&format!("!a{depth} = !pto.struct<!a{}>\n", depth - 1));
    }
    let source = format!("{aliases}func.func @f() {{\n  %s = pto.declare_struct -> !a63\n  return\n}}\n");
    assert!(pto::check(pto::parse(&source).expect("text").module, None).is_ok());
    aliases.push_str("!a64 = !pto.struct<!a63>\n");
    let found = pto::parse(&aliases).expect_err("nested too deep");
    assert!(found[0].message.contains("nest at most"), "{found:?}");
}

#[test]
fn an_array_of_events_is_read_back() {
    let body = "  %e = pto.declare_eventid_array -> !pto.eventid_array<4>
  scf.for %i = %c0 to %c4 step %c1 {
    %id = arith.addi %i, %c1 : index
    pto.eventid_array_set %e[%i], %id : !pto.eventid_array<4>
  }
  %id = pto.eventid_array_get %e[%c3] : !pto.eventid_array<4>
  pto.set_flag_dyn[<PIPE_V>, <PIPE_MTE3>, %id]
  pto.wait_flag_dyn[<PIPE_V>, <PIPE_MTE3>, %id]
  %v = pto.load_scalar %x[%id] : !pto.ptr<f32> -> f32
  pto.store_scalar %v, %y[%c0] : !pto.ptr<f32>, f32";
    assert_eq!(run(body, "")[0], 4.0);
    let huge = body.replace("eventid_array<4>", "eventid_array<99999999999>");
    assert_eq!(launch(&function(&huge, "")).expect_err("too many events")[0].rule, "local-array");
}

#[test]
fn a_pointer_goes_there_and_back_as_a_number() {
    let body = "  %n = pto.ptrtoint %x : !pto.ptr<f32> -> i64
  %twelve = arith.constant 12 : i64
  %next = arith.addi %n, %twelve : i64
  %p = pto.inttoptr %next : i64 -> !pto.ptr<i32>
  %bits = pto.load_scalar %p[%c1] : !pto.ptr<i32> -> i32
  %m = pto.ptrtoint %y : !pto.ptr<f32> -> i64
  %q = pto.inttoptr %m : i64 -> !pto.ptr<i32>
  pto.store_scalar %bits, %q[%c2] : !pto.ptr<i32>, i32";
    assert_eq!(run(body, "")[2], 4.0);
}

#[test]
fn the_control_register_is_read_back() {
    let body = "  %old = pto.get_ctrl : i64
  %bit = arith.constant 2251799813685248 : i64
  %new = arith.ori %old, %bit : i64
  pto.set_ctrl %new : i64
  %now = pto.get_ctrl : i64
  pto.set_ctrl %old : i64
  %again = pto.get_ctrl : i64
  %kept = arith.cmpi eq, %now, %new : i64
  %back = arith.cmpi eq, %again, %old : i64
  %both = arith.andi %kept, %back : i1
  %n = arith.extui %both : i1 to i32
  %v = arith.sitofp %n : i32 to f32
  pto.store_scalar %v, %y[%c0] : !pto.ptr<f32>, f32";
    assert_eq!(run(body, "")[0], 1.0);
}

#[test]
fn a_subset_is_a_part_whose_type_follows() {
    let body = format!(
        "  %w = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32, valid=3x8>
  %one = arith.constant 1.0 : f32
  pto.tload ins(%xv : !view) outs(%w : !pto.tile_buf<vec, 4x8xf32, valid=3x8>)
  %s = pto.subset %w[%c2, %c0] sizes [2, 8] : !pto.tile_buf<vec, 4x8xf32, valid=3x8>
  %n = pto.tile_valid_rows %s : !pto.tile_buf<vec, 2x8xf32, valid=1x8> -> index
  %v = pto.load_scalar %x[%n] : !pto.ptr<f32> -> f32
  pto.store_scalar %v, %y[%c8] : !pto.ptr<f32>, f32
{}  pto.tstore ins(%s : !pto.tile_buf<vec, 2x8xf32, valid=1x8>) outs(%out : !row)",
        row("out", "yv", "%c0")
    )
    .replace("tload ins(%xv : !view)", "tload ins(%top : !pto.partition_tensor_view<3x8xf32>)")
    .replacen(
        "  %one",
        "  %top = pto.partition_view %xv, offsets = [%c0, %c0], sizes = [%c3, %c8] : !view -> !pto.partition_tensor_view<3x8xf32>\n  %one",
        1,
    );
    let out = run(&body, "");
    assert_eq!([out[0], out[7], out[8]], [16.0, 23.0, 1.0]);
}
