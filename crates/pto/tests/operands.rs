//! Operands in memory: every one has an effect on its page, or is declared as named only.

use pto::isa::op::form::{Kind, Syntax};
use pto::isa::op::{Page, effect::Effect};
use pto::isa::{Op, Profile};
use std::collections::BTreeSet;

/// Whether values of a kind refer to memory.
fn is_place(kind: Kind) -> bool {
    use Kind::{ConvTile, MultiTile, Pointer, PointerOrView, Scaling, Tile, TileOrView, View};
    matches!(kind, Tile | ConvTile | Scaling | MultiTile | View | Pointer | TileOrView | PointerOrView)
}

/// The operands of all forms, with their kinds.
fn operands(page: &Page) -> Vec<(&'static str, Kind)> {
    match page.syntax {
        Syntax::Destination(forms) => {
            forms.iter().flat_map(|form| form.roles()).map(|role| (role.name, role.kind)).collect()
        }
        Syntax::Own(_, kinds) | Syntax::Code(_, kinds) => kinds.to_vec(),
    }
}

#[test]
fn every_operand_in_memory_has_an_effect() {
    let mut missing = BTreeSet::new();
    for op in Op::all() {
        let page = op.page();
        for (role, _) in operands(page).into_iter().filter(|(_, kind)| is_place(*kind)) {
            let held =
                |effect: &&Effect| Profile::ALL.iter().any(|profile| effect.profiles.contains(profile));
            if !page.effects.iter().filter(held).any(|effect| effect.role() == Some(role)) {
                missing.insert(format!("{op}: {role}"));
            }
        }
    }
    assert!(missing.is_empty(), "nothing says what happens to\n{missing:#?}");
}
