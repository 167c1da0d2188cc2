//! Tests of `pto_lang::text::parser::forward`.

use pto_isa::diag::Span;
use pto_lang::ir::ValueId;
use pto_lang::text::parser::forward::*;

fn value(index: usize) -> ValueId {
    let mut arena = pto_lang::ir::Arena::default();
    let ids: Vec<ValueId> = (0..=index)
        .map(|_| {
            arena.push(pto_lang::ir::Value {
                name: String::new(),
                ty: pto_lang::ir::TypeTable::default().scalar(pto_lang::ir::Scalar::Bool),
                span: Span::default(),
            })
        })
        .collect();
    ids[index]
}

#[test]
fn a_definition_reaches_uses_in_and_below_its_region() {
    let mut forward = Forward::default();
    forward.add(("a", 0), value(0), Span::new(1, 2), 3);
    forward.add(("b", 0), value(1), Span::new(3, 4), 3);
    assert!(forward.take(("a", 0), 4).is_none(), "the definition stands deeper");
    assert!(forward.take(("a", 0), 2).is_some(), "the definition stands further out");
    forward.close_to(1);
    assert!(forward.take(("b", 0), 2).is_none(), "the use stands in another region");
    assert_eq!(forward.take(("b", 0), 1), Some((value(1), Span::new(3, 4))));
    assert_eq!(forward.undefined().count(), 0);
}
