//! Passes: the simplified program, and that it computes the same.

use crate::support::launch::{checked, module};
use expect_test::expect;
use pto::passes::canonicalize;
use pto::text::{Style, print};

fn canonical(text: &str) -> String {
    let mut module = module(text);
    canonicalize(&mut module);
    let printed = print(&module, &Style { source: Some(text), ..Style::default() });
    let again = checked(&printed, None).module().clone();
    assert_eq!(print(&again, &Style { source: Some(&printed), ..Style::default() }), printed);
    let mut twice = again;
    let done = canonicalize(&mut twice);
    assert_eq!(done, Default::default(), "there is nothing left to do:\n{printed}");
    printed
}

#[test]
fn constants_are_computed_and_what_nothing_uses_goes() {
    let text = "func.func @f(%p: !pto.ptr<f32>, %n: index) {
  // Two rows.
  %c2 = arith.constant 2 : index // rows
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index

  // Six.
  %six = arith.muli %c2, %c3 : index loc(\"six\")
  %same = arith.addi %n, %c0 : index
  %never = arith.subi %six, %c2 : index
  %stops = arith.divsi %c2, %c0 : index
  %row = arith.addi %same, %six : index
  %q = pto.addptr %p, %row : !pto.ptr<f32> -> !pto.ptr<f32>
  %x = pto.load_scalar %q[%c0] : !pto.ptr<f32> -> f32
  pto.store_scalar %x, %p[%row] : !pto.ptr<f32>, f32
  return
}
";
    expect![[r#"
        func.func @f(%p: !pto.ptr<f32>, %n: index) {
          // Two rows.
          %c2 = arith.constant 2 : index // rows
          %c0 = arith.constant 0 : index

          // Six.
          %six = arith.constant 6 : index loc("six")
          %stops = arith.divsi %c2, %c0 : index
          %row = arith.addi %n, %six : index
          %q = pto.addptr %p, %row : !pto.ptr<f32> -> !pto.ptr<f32>
          %x = pto.load_scalar %q[%c0] : !pto.ptr<f32> -> f32
          pto.store_scalar %x, %p[%row] : !pto.ptr<f32>, f32
          return
        }
    "#]]
    .assert_eq(&canonical(text));
}

#[test]
fn branches_that_are_known_are_taken() {
    let text = "!t = !pto.tile_buf<vec, 8x16xf32>
func.func @f(%n: index) {
  %yes = arith.constant true
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = pto.alloc_tile : !t
  // Only one of the two.
  %b = scf.if %yes -> (!t) {
    %zero = arith.constant 0.0 : f32
    // Fills.
    pto.texpands ins(%zero : f32) outs(%a : !t)
    scf.yield %a : !t
  } else {
    pto.texp ins(%a : !t) outs(%a : !t)
    scf.yield %a : !t
  }
  scf.for %i = %c1 to %c0 step %c1 {
    pto.texp ins(%a : !t) outs(%a : !t)
  }
  scf.for %i = %c0 to %n step %c1 {
    pto.tmov ins(%b : !t) outs(%b : !t)
    pto.texp ins(%b : !t) outs(%a : !t) // stays
  }
  return
}
";
    expect![[r#"
        func.func @f(%n: index) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %a = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=16, v_row=8, v_col=16, blayout=row_major, slayout=none_box, fractal=512, pad=0>
          %zero = arith.constant 0.0 : f32
          // Fills.
          pto.texpands ins(%zero : f32) outs(%a : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=16, v_row=8, v_col=16, blayout=row_major, slayout=none_box, fractal=512, pad=0>)
          // Only one of the two.
          scf.for %i = %c0 to %n step %c1 {
            pto.texp ins(%a : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=16, v_row=8, v_col=16, blayout=row_major, slayout=none_box, fractal=512, pad=0>) outs(%a : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=16, v_row=8, v_col=16, blayout=row_major, slayout=none_box, fractal=512, pad=0>) // stays
          }
          return
        }
    "#]].assert_eq(&canonical(text));
}

#[test]
fn floats_and_narrow_integers_are_computed_as_a_run_computes_them() {
    let text = "func.func @f(%p: !pto.ptr<f32>, %q: !pto.ptr<i8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 0.1 : f32
  %y = arith.constant 3.0 : f32
  %product = arith.mulf %x, %y : f32
  %a = arith.constant 100 : i8
  %sum = arith.addi %a, %a : i8
  %less = arith.cmpi slt, %sum, %a : i8
  %z = arith.select %less, %product, %y : f32
  pto.store_scalar %z, %p[%c0] : !pto.ptr<f32>, f32
  pto.store_scalar %sum, %q[%c1] : !pto.ptr<i8>, i8
  return
}
";
    expect![[r#"
        func.func @f(%p: !pto.ptr<f32>, %q: !pto.ptr<i8>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %product = arith.constant 0.30000001192092896 : f32
          %sum = arith.constant -56 : i8
          pto.store_scalar %product, %p[%c0] : !pto.ptr<f32>, f32
          pto.store_scalar %sum, %q[%c1] : !pto.ptr<i8>, i8
          return
        }
    "#]]
    .assert_eq(&canonical(text));
}
