//! Tests of `pto_lang::analysis::extents`.

use pto_isa::Profile;
use pto_lang::analysis::*;
use pto_lang::ir::Module;

/// `%x` as a matrix, `%g` as its second half and the whole, `%y` with a gap between rows, `%n` rows of `%m`.
const TEXT: &str = "func.func @k(%x: !pto.ptr<f32>, %g: !pto.ptr<f16>, %y: !pto.ptr<f32>, %n: index, %m: index) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        %c64 = arith.constant 64 : index
        %wide = arith.addi %m, %c8 : index
        %xv = pto.make_tensor_view %x, shape = [%n, %m], strides = [%m, %c1] : !pto.tensor_view<?x?xf32>
        %half = pto.addptr %g, %c64 : !pto.ptr<f16> -> !pto.ptr<f16>
        %gv = pto.make_tensor_view %half, shape = [%c1, %c64], strides = [%c64, %c1] : !pto.tensor_view<1x64xf16>
        %yv = pto.make_tensor_view %y, shape = [%n, %m], strides = [%wide, %c1] : !pto.tensor_view<?x?xf32>
        return
    }";

fn interface() -> Interface {
    let module: Module = pto_lang::parse(TEXT).expect("a program").module;
    let function = module.functions.iter().next().expect("a function").0;
    Interface::of(&module, &[function], Profile::ALL[0])
}

#[test]
fn shapes_follow_from_scalars() {
    let interface = interface();
    let scalars = [None, None, None, Some(40), Some(300)];
    assert_eq!(interface.shape(0, &scalars), Some(vec![40, 300]));
    assert_eq!(interface.shape(1, &scalars), Some(vec![128]), "it starts after 64 elements");
    assert_eq!(interface.shape(2, &scalars), Some(vec![39 * 308 + 300]), "it has gaps");
    assert_eq!(interface.shape(0, &[None; 5]), None);
    assert_eq!(interface.elements(0, &[None, None, None, Some(0), Some(300)]), Some(0));
    assert_eq!(interface.elements(0, &[None, None, None, Some(-1), Some(300)]), None);
    assert_eq!(interface.elements(0, &[None, None, None, Some(i64::MAX), Some(i64::MAX)]), None);
    assert_eq!(interface.elements(3, &scalars), None);
}

#[test]
fn scalars_follow_from_shapes() {
    let interface = interface();
    let infer = |shape: Vec<u64>, mut scalars: [Option<i64>; 5]| {
        interface.infer(&[Some(shape), None, None, None, None], &mut scalars);
        scalars
    };
    assert_eq!(infer(vec![40, 300], [None; 5]), [None, None, None, Some(40), Some(300)]);
    assert_eq!(infer(vec![40, 300], [None, None, None, Some(7), None])[3..], [Some(7), Some(300)]);
    assert_eq!(infer(vec![12000], [None; 5]), [None; 5]);
}
