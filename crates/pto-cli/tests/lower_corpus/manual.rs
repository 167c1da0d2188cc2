//! Programs without the addresses and synchronization of their authors.

use super::measure::{Counts, print};
use super::samples::{Sample, check, first};
use pto::Checked;
use pto::ir::{FunctionId, Module, OperationId};
use pto::isa::meaning::Meaning;
use pto::passes::{LowerOptions, SynchronizeBy, lower};

/// Cost of synchronization by hand, and of the synchronization that lowering inserts into the program without it.
pub(crate) struct Compared {
    pub(crate) by_hand: Counts,
    pub(crate) lowered: Counts,
    /// With barriers of all pipes where they replace several flags.
    pub(crate) fewest: Counts,
    /// Whether values pass between tiles through their addresses, which therefore stayed.
    pub(crate) keeps_addresses: bool,
}

/// Takes synchronization and addresses out of a program, lowers it, and verifies the result against the program. `None` if the
/// program has no synchronization within a core, or too little: some compilers write barriers only before signals to other
/// cores, and leave everything else to the assembler.
pub(crate) fn compare(sample: &Sample) -> Option<Result<Compared, String>> {
    let source = sample.checked()?;
    let (_, synchronization) = automatic(&source, false);
    let is_synchronized = synchronization > 0 && sample.verify(&source, &source).is_ok();
    is_synchronized.then(|| again(sample, &source))
}

fn again(sample: &Sample, source: &Checked) -> Result<Compared, String> {
    let text = |with_addresses| pto::text::print(&automatic(source, with_addresses).0, &Default::default());
    let checked = |text: &str| check(text, sample.profile).map_err(|findings| first(&findings));
    let mut open = text(false);
    // Tiles without addresses do not overlap: a program whose results then change relies on its addresses.
    let keeps_addresses = sample.verify(source, &checked(&open)?).is_err();
    if keeps_addresses {
        open = text(true);
    }
    // Tiles that share bytes need additional ordering, so the comparison places tiles only if the author did.
    let options = LowerOptions::default().place(has_addresses(source.module()));
    let lowered = lower(&checked(&open)?, &options).map_err(|findings| first(&findings))?;
    let text = print(&lowered, &open);
    sample.verify(source, &checked(&text)?)?;
    let by_hand = Counts::of_calls(source.module());
    let options = options.synchronize(Some(SynchronizeBy::Fewest));
    let fewest = lower(&checked(&open)?, &options).map_err(|findings| first(&findings))?;
    let fewest_text = print(&fewest, &open);
    sample.verify(source, &checked(&fewest_text)?)?;
    Ok(Compared { by_hand, lowered: Counts::of(&text), fewest: Counts::of(&fewest_text), keeps_addresses })
}

pub(crate) fn has_addresses(module: &Module) -> bool {
    module.functions.iter().any(|(_, function)| {
        let mut operations = function.operations.iter();
        operations.any(|(_, it)| it.meaning() == Meaning::AllocTile && it.value("addr").is_some())
    })
}

/// The program without synchronization within a core, and without addresses of tiles unless they are kept; and the number of
/// operations that were taken out.
pub(crate) fn automatic(checked: &Checked, keeps_addresses: bool) -> (Module, usize) {
    let (mut module, mut taken) = (checked.module().clone(), 0);
    let functions: Vec<FunctionId> = module.functions.iter().map(|(id, _)| id).collect();
    for id in functions {
        module.rewrite(id, |rewriter| {
            // Users before their operands: an event is a result.
            let operations: Vec<OperationId> = rewriter.all_operations().into_iter().rev().collect();
            for it in operations {
                let meaning = rewriter.operation(it).meaning();
                if meaning.orders_pipes() {
                    rewriter.erase(it).expect("nothing uses it");
                    taken += 1;
                } else if meaning == Meaning::AllocTile && !keeps_addresses {
                    rewriter
                        .modify(it, |operation| operation.operands.retain(|operand| operand.role != "addr"))
                        .expect("it is in the function");
                }
            }
        });
    }
    (module, taken)
}
