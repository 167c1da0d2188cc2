//! Memory references: parsed and printed, but not run.

use super::{Row, page, rows};
use crate::meaning::Meaning;
use crate::op::Set;
use crate::op::effect::Effect;
use crate::op::form::{Kind, Syntax};
use crate::op::origin::Origin;

const SOURCE: &str = "MLIR documentation, dialect memref";
const CAST: Syntax = Syntax::Own(&["%source {} : :source to !type"], &[("source", Kind::Other)]);

const fn row(name: &'static str, summary: &'static str, formula: &'static str, syntax: Syntax) -> Row {
    Row { page: page(Set::Memref, name, summary, formula, SOURCE, syntax), meaning: Meaning::NotRun }
}

rows! {
    super::launch::END;
    MEMREF_ALLOC = row("memref.alloc", "Allocates memory.", "result is new memory", Syntax::Own(&["( ) {} : !type"], &[]))
        .from(Origin::Makes);
    MEMREF_DEALLOC = row(
        "memref.dealloc",
        "Gives memory back.",
        "memref is not used afterwards",
        Syntax::Own(&["%memref : :memref"], &[("memref", Kind::Other)])
    )
    .touching(&[Effect::names("memref")]);
    MEMREF_CAST = row(
        "memref.cast",
        "A memory reference with another layout in its type.",
        "result is source",
        CAST
    )
    .touching(&[Effect::names("source")])
    .from(Origin::Names(&["source"]));
    MEMREF_MEMORY_SPACE_CAST = row(
        "memref.memory_space_cast",
        "A memory reference in another address space.",
        "result is source",
        CAST
    )
    .touching(&[Effect::names("source")])
    .from(Origin::Names(&["source"]));
}
