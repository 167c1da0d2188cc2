//! The statements of the page TROWEXPANDADD about the workspace and the order of other accesses, as findings of watchers.

use crate::support::launch::{rules, watch_text};

use pto::Profile::{self, A2A3, A5};
use pto::observe::{Watcher, Watchers};

const RACE: Watchers = Watchers::of(&[Watcher::Race]);
const INIT: Watchers = Watchers::of(&[Watcher::Init]);
const FLAGS: [&str; 2] = ["set_flag", "wait_flag"];

/// A kernel that loads tiles, waits for the loads, and then runs these lines.
fn kernel(lines: &str) -> String {
    format!(
        "!t = !pto.tile_buf<vec, 8x16xf32>
!c = !pto.tile_buf<vec, 8x1xf32, blayout=col_major>
!w = !pto.tile_buf<vec, 1x64xf32>
!v = !pto.tensor_view<8x16xf32>
!cv = !pto.tensor_view<8x1xf32>
!wv = !pto.tensor_view<1x64xf32>
func.func @k(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {{
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %xv = pto.make_tensor_view %x, shape = [%c8, %c16], strides = [%c16, %c1] : !v
  %xc = pto.make_tensor_view %x, shape = [%c8, %c1], strides = [%c16, %c1] : !cv
  %xw = pto.make_tensor_view %x, shape = [%c1, %c64], strides = [%c64, %c1] : !wv
  %yv = pto.make_tensor_view %y, shape = [%c8, %c16], strides = [%c16, %c1] : !v
  %yw = pto.make_tensor_view %y, shape = [%c1, %c64], strides = [%c64, %c1] : !wv
  %a = pto.alloc_tile : !t
  %e = pto.alloc_tile : !c
  %w = pto.alloc_tile : !w
  %d = pto.alloc_tile : !t
  %k = pto.alloc_tile : !t
  pto.tload ins(%xv : !v) outs(%a : !t)
  pto.tload ins(%xc : !cv) outs(%e : !c)
{}{lines}  return
}}
",
        flag("MTE2", "V")
    )
}

/// A flag from a pipe to another, which waits for it.
fn flag(from: &str, to: &str) -> String {
    FLAGS.map(|name| format!("  pto.{name}[<PIPE_{from}>, <PIPE_{to}>, <EVENT_ID0>]\n")).concat()
}

const LOAD: &str = "  pto.tload ins(%xw : !wv) outs(%w : !w)\n";
const ADD: &str = "  pto.trowexpandadd ins(%a, %e, %w : !t, !c, !w) outs(%d : !t)\n";

fn found(lines: &str, profile: Profile, watchers: Watchers) -> Vec<String> {
    rules(&watch_text(&kernel(lines), Some(profile), watchers))
}

/// The vector pipe writes the workspace on A2/A3: a later load into it has to wait. On A5 it does not.
#[test]
fn a_row_expansion_writes_its_workspace_on_a2a3_alone() {
    let unordered = format!("{ADD}{LOAD}");
    assert!(found(&unordered, A2A3, RACE).contains(&"race::write-after-write".to_owned()));
    assert_eq!(found(&unordered, A5, RACE), [""; 0]);
    let ordered = format!("{ADD}{}{LOAD}", flag("V", "MTE2"));
    for profile in [A2A3, A5] {
        assert_eq!(found(&ordered, profile, RACE), [""; 0], "{profile:?}");
    }
}

/// A loaded value in the workspace is destroyed on A2/A3, and kept on A5.
#[test]
fn a_workspace_of_a_row_expansion_holds_nothing_afterwards() {
    let store = format!("{LOAD}{ADD}  pto.tstore ins(%w : !w) outs(%yw : !wv)\n");
    assert_eq!(found(&store, A2A3, INIT), ["init::unwritten"]);
    assert_eq!(found(&store, A5, INIT), [""; 0]);
}

/// A store waits for a load of its tile by a flag, not because a row expansion runs between them.
#[test]
fn a_row_expansion_orders_nothing_else() {
    let between = |flags: &str| {
        format!(
            "  pto.tload ins(%xv : !v) outs(%k : !t)\n{ADD}{flags}  pto.tstore ins(%k : !t) outs(%yv : !v)\n"
        )
    };
    for profile in [A2A3, A5] {
        assert_eq!(found(&between(""), profile, RACE), ["race::read-after-write"], "{profile:?}");
        assert_eq!(found(&between(&flag("MTE2", "MTE3")), profile, RACE), [""; 0], "{profile:?}");
    }
}
