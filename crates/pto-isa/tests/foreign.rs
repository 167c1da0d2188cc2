//! Tests of `pto_isa::foreign`.

use pto_isa::foreign::{ELEMENTS, OPERATIONS, operations, scalar};
use pto_isa::registry::Op;

#[test]
fn the_tables_name_operations_and_scalars() {
    for (words, meant) in OPERATIONS {
        for word in *words {
            assert!(Op::find(&format!("pto.{word}")).is_none(), "`{word}` is an operation");
            let names: Vec<_> = meant.iter().map(|op| op.name()).collect();
            assert_eq!(operations(word), names, "{word} has two rows");
        }
    }
    for (words, meant) in ELEMENTS {
        for word in *words {
            assert_eq!(scalar(word), Some(*meant));
            assert_eq!(pto_isa::element::element_from_word(word), None, "{word}");
        }
    }
}

#[test]
fn names_of_other_languages_mean_operations() {
    let meant = |name: &str| operations(name).join(" ");
    assert_eq!(meant("TADDS"), "pto.tadds");
    assert_eq!(meant("pto.exp"), "pto.texp");
    assert_eq!(meant("np.exp"), "pto.texp");
    assert_eq!(meant("sum"), "pto.trowsum pto.tcolsum");
    assert_eq!(meant("tsum"), "pto.trowsum pto.tcolsum");
    assert_eq!(meant("Muls"), "pto.tmuls");
    assert_eq!(meant("addi"), "arith.addi");
    assert_eq!(meant("TSUBVIEW"), "pto.subview");
    assert_eq!(meant("banana"), "");
    assert_eq!(scalar("int8_t"), Some("i8"));
    assert_eq!(scalar("f32"), None);
}
