//! Lowering: addresses, flags and barriers of small programs.

use crate::support::launch::checked;
use pto::isa::Profile;
use pto::passes::{LowerOptions, Lowered, Slots, SynchronizeBy, candidates, lower};

/// Four tiles in a row: each is written once, and read by the next instruction.
const CHAIN: &str = r"
!t = !pto.tile_buf<vec, 8x64xf32>
func.func @main(%s: f32) {
  %a = pto.alloc_tile : !t
  %b = pto.alloc_tile : !t
  %c = pto.alloc_tile : !t
  %d = pto.alloc_tile : !t
  pto.texpands ins(%s : f32) outs(%a : !t)
  pto.texp ins(%a : !t) outs(%b : !t)
  pto.texp ins(%b : !t) outs(%c : !t)
  pto.tadd ins(%c, %c : !t, !t) outs(%d : !t)
  return
}";

/// Rows are loaded, changed and stored, a part at a time.
const ROWS: &str = r"
func.func @main(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %vx = pto.make_tensor_view %x, shape = [%c1, %n], strides = [%n, %c1] : !pto.tensor_view<?x?xf32>
  %vy = pto.make_tensor_view %y, shape = [%c1, %n], strides = [%n, %c1] : !pto.tensor_view<?x?xf32>
  scf.for %i = %c0 to %n step %c64 {
    %t = pto.alloc_tile : !pto.tile_buf<vec, 1x64xf32>
    %u = pto.alloc_tile : !pto.tile_buf<vec, 1x64xf32>
    %px = pto.partition_view %vx, offsets = [%c0, %i], sizes = [%c1, %c64] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<1x64xf32>
    %py = pto.partition_view %vy, offsets = [%c0, %i], sizes = [%c1, %c64] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<1x64xf32>
    pto.tload ins(%px : !pto.partition_tensor_view<1x64xf32>) outs(%t : !pto.tile_buf<vec, 1x64xf32>)
    pto.texp ins(%t : !pto.tile_buf<vec, 1x64xf32>) outs(%u : !pto.tile_buf<vec, 1x64xf32>)
    pto.tstore ins(%u : !pto.tile_buf<vec, 1x64xf32>) outs(%py : !pto.partition_tensor_view<1x64xf32>)
  }
  return
}";

fn lowered(
    text: &str,
    profile: Profile,
    options: &LowerOptions,
) -> Result<Lowered, Vec<pto::diag::Diagnostic>> {
    lower(&checked(text, Some(profile)), options)
}

fn text(lowered: &Lowered) -> String {
    pto::text::print(&lowered.module, &Default::default())
}

#[test]
fn a_full_buffer_names_what_is_alive() {
    assert!(lowered(CHAIN, Profile::A2A3, &LowerOptions::default()).is_ok());
    // Two sources and a result are alive at the last instruction.
    let large = CHAIN.replace("8x64xf32", "512x64xf32").replace("(%c, %c", "(%c, %a");
    let findings =
        lowered(&large, Profile::A2A3, &LowerOptions::default()).expect_err("two of 128 KB do not fit");
    assert_eq!(findings[0].rule, "place::capacity");
    assert!(findings[0].message.contains("393216 bytes of UB are alive"), "{}", findings[0].message);
    assert!(
        findings[0].secondary.iter().any(|label| label.message.contains("131072 bytes")),
        "{findings:#?}"
    );
}

#[test]
fn nothing_is_placed_beside_a_computed_address() {
    let computed = CHAIN
        .replace("(%s: f32)", "(%s: f32, %at: i64)")
        .replace("%b = pto.alloc_tile :", "%b = pto.alloc_tile addr = %at :");
    let findings =
        lowered(&computed, Profile::A2A3, &LowerOptions::default()).expect_err("%b may be anywhere");
    assert_eq!(findings[0].rule, "place::computed");
    let constant = CHAIN.replace(
        "%b = pto.alloc_tile :",
        "%z = arith.constant 4096 : i64\n  %b = pto.alloc_tile addr = %z :",
    );
    let lowered =
        lowered(&constant, Profile::A2A3, &LowerOptions::default()).expect("a constant is no obstacle");
    let of_b = lowered.buffers[0].places.iter().find(|place| place.name == "b").expect("the tile");
    assert_eq!((of_b.address, of_b.is_chosen), (4096, false));
}

#[test]
fn one_pipe_needs_barriers_where_it_does_not_order_itself() {
    let barriers = |profile| {
        let lowered = lowered(CHAIN, profile, &LowerOptions::default()).expect("it fits");
        lowered.insertions.len()
    };
    assert_eq!((barriers(Profile::A2A3), barriers(Profile::A5)), (3, 0));
}

#[test]
fn flags_of_a_loop_are_set_before_it_and_awaited_after_it() {
    let lowered = lowered(ROWS, Profile::A2A3, &LowerOptions::default()).expect("it fits");
    let text = text(&lowered);
    // Two within a round, two from one round to the next.
    assert_eq!(lowered.insertions.len(), 4, "{text}");
    assert_eq!(lowered.insertions.iter().filter(|insertion| insertion.carried).count(), 2);
    assert_eq!((text.matches("set_flag").count(), text.matches("wait_flag").count()), (6, 6), "{text}");
    let (before, rest) = text.split_once("scf.for").expect("the loop");
    assert_eq!(before.matches("set_flag").count(), 2, "{text}");
    assert_eq!(rest.rsplit('}').nth(1).map_or(0, |end| end.matches("wait_flag").count()), 2, "{text}");
}

#[test]
fn tokens_need_nothing_before_or_after_a_loop() {
    let options = LowerOptions::default().synchronize(Some(SynchronizeBy::Tokens));
    let lowered = lowered(ROWS, Profile::A5, &options).expect("it fits");
    let text = text(&lowered);
    assert!(lowered.insertions.iter().all(|insertion| insertion.is_token), "{text}");
    assert_eq!(text.matches("get_buf").count(), text.matches("rls_buf").count());
    assert!(!text.contains("set_flag"), "{text}");
}

#[test]
fn a_barrier_of_all_pipes_may_replace_several_flags() {
    let options = LowerOptions::default().synchronize(Some(SynchronizeBy::Fewest));
    let lowered = lowered(ROWS, Profile::A2A3, &options).expect("it fits");
    let text = text(&lowered);
    let barriers = text.matches("pto.barrier <PIPE_ALL>").count();
    assert!(barriers > 0 && barriers + text.matches("set_flag").count() < 6, "{text}");
}

#[test]
fn rows_whose_distance_is_odd_are_apart() {
    let text = |other: &str| {
        format!(
            "!t = !pto.tile_buf<vec, 1x64xf32>
!row = !pto.partition_tensor_view<1x64xf32>
func.func @main(%x: !pto.ptr<f32>, %b: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %all = pto.make_tensor_view %x, shape = [%c2, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?xf32>
  %t = pto.alloc_tile : !t
  %u = pto.alloc_tile : !t
  %other = arith.subi %{other}, %b : index
  %mine = pto.partition_view %all, offsets = [%b, %c0], sizes = [%c1, %c64] : !pto.tensor_view<?x?xf32> -> !row
  %theirs = pto.partition_view %all, offsets = [%other, %c0], sizes = [%c1, %c64] : !pto.tensor_view<?x?xf32> -> !row
  pto.tload ins(%mine : !row) outs(%t : !t)
  pto.tstore ins(%u : !t) outs(%theirs : !row)
  return
}}"
        )
    };
    let flags = |other: &str| {
        let lowered = lowered(&text(other), Profile::A2A3, &LowerOptions::default()).expect("it fits");
        lowered.insertions.len()
    };
    // Rows `b` and `1 - b` never are one row; rows `b` and `2 - b` may be.
    assert_eq!((flags("c1"), flags("c2")), (0, 1));
}

#[test]
fn several_buffers_make_each_round_wait_for_an_older_one() {
    let options = LowerOptions::default().multi_buffer(2);
    let lowered = lowered(ROWS, Profile::A2A3, &options).expect("it fits");
    assert_eq!(lowered.multi_buffered, 1);
    let plan = lowered.buffers.first().expect("the plan of UB");
    let addresses: std::collections::BTreeSet<u64> = plan.places.iter().map(|place| place.address).collect();
    // Two tiles for each of the two rounds, and two for the rounds that are left over.
    assert_eq!((addresses.len(), plan.peak), (6, 1536), "{plan:?}");
    // Each round has flags of its own.
    assert!(text(&lowered).matches("set_flag").count() > 6);
}

/// Tiles outside of the loop, one of which is read through a view.
const OUTSIDE: &str = r"
!t = !pto.tile_buf<vec, 1x64xf32>
!v = !pto.tile_buf<vec, 2x32xf32>
func.func @main(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %n = arith.constant 320 : index
  %vx = pto.make_tensor_view %x, shape = [%c1, %n], strides = [%n, %c1] : !pto.tensor_view<?x?xf32>
  %vy = pto.make_tensor_view %y, shape = [%c2, %n], strides = [%n, %c1] : !pto.tensor_view<?x?xf32>
  %t = pto.alloc_tile : !t
  %u = pto.alloc_tile : !v
  %t_view = pto.treshape %t : !t -> !v
  scf.for %i = %c0 to %n step %c64 {
    %px = pto.partition_view %vx, offsets = [%c0, %i], sizes = [%c1, %c64] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<1x64xf32>
    %py = pto.partition_view %vy, offsets = [%c0, %i], sizes = [%c2, %c32] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<2x32xf32>
    pto.tload ins(%px : !pto.partition_tensor_view<1x64xf32>) outs(%t : !t)
    pto.texp ins(%t_view : !v) outs(%u : !v)
    pto.tstore ins(%u : !v) outs(%py : !pto.partition_tensor_view<2x32xf32>)
  }
  return
}";

#[test]
fn several_buffers_have_views_of_their_own() {
    let options = LowerOptions::default().multi_buffer(2);
    let lowered = lowered(OUTSIDE, Profile::A2A3, &options).expect("it fits");
    let text = text(&lowered);
    // The loaded tile, and the tile that the last operation of an iteration stores.
    assert_eq!((lowered.multi_buffered, lowered.buffers[0].peak), (1, 1024), "{text}");
    assert_eq!(text.matches("pto.treshape").count(), 2, "{text}");
    assert!(text.contains("pto.texp ins(%t_view_1 :"), "{text}");
}

/// The valid region of a tile may change from one iteration to the next: copies of the tile would not follow the change.
#[test]
fn tiles_whose_valid_region_changes_have_one_buffer() {
    let text = OUTSIDE
        .replace("!t = !pto.tile_buf<vec, 1x64xf32>", "!t = !pto.tile_buf<vec, 1x64xf32, valid=?x?>")
        .replace("%t = pto.alloc_tile :", "%t = pto.alloc_tile valid_row = %c1 valid_col = %c64 :")
        .replace("  %t_view = pto.treshape %t : !t -> !v\n", "  pto.set_validshape %t, %c1, %c64 : !t\n")
        .replace("    pto.texp ins(%t_view : !v)", "    pto.texp ins(%u : !v)");
    let options = LowerOptions::default().multi_buffer(2);
    let lowered = lowered(&text, Profile::A2A3, &options).expect("it fits");
    assert!(
        lowered.buffers[0].places.iter().all(|place| !place.name.starts_with("t_")),
        "{:?}",
        lowered.buffers
    );
}

/// Two slots that the iterations of a loop use alternately.
const SLOTS: &str = r"
!one = !pto.tile_buf<vec, 32x64xf32>
!two = !pto.multi_tile_buf<vec, 32x64xf32, count=2>
!view = !pto.tensor_view<1024x64xf32>
!part = !pto.partition_tensor_view<32x64xf32>
func.func @main(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %s: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %xv = pto.make_tensor_view %x, shape = [%c1024, %c64], strides = [%c64, %c1] : !view
  %yv = pto.make_tensor_view %y, shape = [%c1024, %c64], strides = [%c64, %c1] : !view
  %tiles = pto.alloc_multi_tile : !two
  scf.for %i = %c0 to %c32 step %c1 {
    %k = arith.remui %i, %c2 : index
    %row = arith.muli %i, %c32 : index
    %t = pto.multi_tile_get %tiles[%k] : !two -> !one
    %xp = pto.partition_view %xv, offsets = [%row, %c0], sizes = [%c32, %c64] : !view -> !part
    %yp = pto.partition_view %yv, offsets = [%row, %c0], sizes = [%c32, %c64] : !view -> !part
    pto.tload ins(%xp : !part) outs(%t : !one)
    pto.tadds ins(%t, %s : !one, f32) outs(%t : !one)
    pto.tstore ins(%t : !one) outs(%yp : !part)
  }
  return
}";

#[test]
fn slots_that_a_loop_takes_in_turn_wait_for_their_own_rounds() {
    let checked = checked(SLOTS, Some(Profile::A2A3));
    let all = candidates(&checked, &LowerOptions::default()).expect("it fits");
    let price = |slots: Slots| {
        let of_slots = all.iter().find(|(choices, _)| choices.slots == slots);
        of_slots.expect("a candidate").1.price
    };
    assert!(
        price(Slots::Apart) < price(Slots::Together),
        "{} {}",
        price(Slots::Apart),
        price(Slots::Together)
    );
    let lowered = lower(&checked, &LowerOptions::default()).expect("it fits");
    let text = text(&lowered);
    // Each round of the source has a load of its own, and flags of its own slot.
    assert_eq!(text.matches("pto.tload").count(), 2, "{text}");
    assert!(!text.contains("arith.remui"), "{text}");
}

/// The first of two loads is needed before the second: its flag is set before that is issued, also where a branch needs it.
#[test]
fn loads_are_not_joined_into_later_ones() {
    let text_of = |first: &str| {
        format!(
            r"
!t = !pto.tile_buf<vec, 8x64xf32>
!p = !pto.partition_tensor_view<8x64xf32>
func.func @main(%x: !pto.ptr<f32>, %s: f32, %is: i1) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %v = pto.make_tensor_view %x, shape = [%c8, %c64], strides = [%c64, %c1] : !pto.tensor_view<8x64xf32>
  %part = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c8, %c64] : !pto.tensor_view<8x64xf32> -> !p
  %a = pto.alloc_tile : !t
  %b = pto.alloc_tile : !t
  pto.tload ins(%part : !p) outs(%a : !t)
  pto.tload ins(%part : !p) outs(%b : !t)
  {first}
  pto.tadds ins(%b, %s : !t, f32) outs(%b : !t)
  return
}}"
        )
    };
    let use_it = "pto.tadds ins(%a, %s : !t, f32) outs(%a : !t)";
    for first in [use_it.to_owned(), format!("scf.if %is {{\n    {use_it}\n  }}")] {
        let lowered = lowered(&text_of(&first), Profile::A5, &LowerOptions::default()).expect("it fits");
        assert_eq!(lowered.insertions.len(), 2, "{}", text(&lowered));
    }
}
