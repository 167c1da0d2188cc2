//! Control flow: loops and choices (`scf`), blocks (`cf`), functions (`func`), sections for one kind of core.

use super::{MANUAL, Row, page, rows};
use crate::meaning::{Core, Meaning};
use crate::op::attribute::{AttributeKind, AttributeSpec};
use crate::op::form::{Kind, Kinds, Syntax};
use crate::op::origin::{Origin, Passing};
use crate::op::{Page, Set};

const SCF: &str = "MLIR documentation, dialect scf";
const CF: &str = "MLIR documentation, dialect cf";
const FUNC: &str = "MLIR documentation, dialect func";

const CONDITION: Kinds = &[("condition", Kind::Bool)];
const VALUES: Kinds = &[("values", Kind::Other)];

/// An operation with a region or with successors.
const fn control(
    name: &'static str,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
    lines: &'static [&'static str],
    kinds: Kinds,
    meaning: Meaning,
) -> Row {
    Row { page: page(Set::Control, name, summary, formula, source, Syntax::Code(lines, kinds)), meaning }
}

/// The syntax of an operation that runs its region in place.
const REGION: &[&str] = &["[-> ( <types> )] { <operations> }"];

rows! {
    super::arith::END;
    SCF_FOR = control(
        "scf.for",
        "Runs a region for each number from lower up to a limit, and carries values between the iterations.",
        "for i = lower; i < upper; i += step: the region yields the carried values of the next iteration; step is positive",
        SCF,
        &["%i = %lower to %upper step %step [iter_args( %x = %init )] [-> ( <types> )] { <operations> }"],
        &[("lower", Kind::Index), ("upper", Kind::Index), ("step", Kind::Index), ("init", Kind::Other)],
        Meaning::For
    )
    .from(Origin::COUNTED);
    SCF_IF = control(
        "scf.if",
        "Runs one of two regions, by a condition.",
        "the results are the values that the chosen region yields",
        SCF,
        &["%condition [-> ( <types> )] { <operations> } [else { <operations> }]"],
        CONDITION,
        Meaning::If
    )
    .from(Origin::YIELDED);
    SCF_WHILE = control(
        "scf.while",
        "Runs two regions alternately while the first yields true.",
        "the first region ends with a condition and values; while the condition holds, the values go to the second region, \
         which yields the next values of the first; then they become the results",
        SCF,
        &["( %x = %init ) : ( <types> ) -> <types> { <operations> } do { <operations> }"],
        &[("init", Kind::Other)],
        Meaning::While
    )
    .from(Origin::REPEATED);
    SCF_EXECUTE_REGION = control(
        "scf.execute_region",
        "Runs a region once.",
        "the results are the values that the region yields",
        SCF,
        REGION,
        &[],
        Meaning::Region
    )
    .from(Origin::YIELDED);
    SCF_INDEX_SWITCH = control(
        "scf.index_switch",
        "Runs the region whose number equals the operand, or the default region.",
        "the results are the values that the chosen region yields",
        SCF,
        &["%index [-> <types>] case <number> { <operations> } default { <operations> }"],
        &[("index", Kind::Index)],
        Meaning::Switch
    )
    .from(Origin::YIELDED)
    .with(&[AttributeSpec::new("cases", AttributeKind::Integers, "The numbers of the regions, each before its region.")]);
    SCF_YIELD = Row {
        page: yielding("scf.yield", SCF),
        meaning: Meaning::Yield,
    };
    SCF_CONDITION = Row {
        page: page(
            Set::Control,
            "scf.condition",
            "Ends the first region of a loop with a condition.",
            "where condition holds, the values go to the second region, else they are the loop's results",
            SCF,
            Syntax::Own(
                &["( %condition ) [? %values* : :values* ?]"],
                &[("condition", Kind::Bool), ("values", Kind::Other)],
            ),
        ),
        meaning: Meaning::Condition,
    };
    CF_BR = control(
        "cf.br",
        "Continues at a block.",
        "the arguments of the block are the values",
        CF,
        &["^block( %values : <types> )"],
        VALUES,
        Meaning::Branch
    )
    .from(Origin::PassesOn(Passing::Successors));
    CF_COND_BR = control(
        "cf.cond_br",
        "Continues at one of two blocks, by a condition.",
        "the first block if condition holds, else the second; the arguments of the block are its values",
        CF,
        &["%condition , ^block( %values : <types> ) , ^block( %values : <types> )"],
        &[("condition", Kind::Bool), ("values", Kind::Other)],
        Meaning::BranchIf
    )
    .from(Origin::PassesOn(Passing::Successors));
    FUNC_CALL = Row {
        page: Page {
            aliases: &["call"],
            ..page(
                Set::Control,
                "func.call",
                "Calls a function.",
                "the results are the values that callee returns for the arguments",
                FUNC,
                Syntax::Own(
                    &["&callee ( %arguments* ) {} [+ : ( :arguments* ) -> !types ?]"],
                    &[("arguments", Kind::Other)],
                ),
            )
            .with(&[AttributeSpec::new("callee", AttributeKind::Symbol, "The function, before the operands.")])
            .from(Origin::PassesOn(Passing::Call))
        },
        meaning: Meaning::Call,
    };
    FUNC_RETURN = Row {
        page: Page {
            aliases: &["return"],
            ..page(
                Set::Control,
                "func.return",
                "Ends a function.",
                "the values are the results of the call",
                FUNC,
                Syntax::Own(&["{} [? %values* : :values* ?]"], VALUES),
            )
        },
        meaning: Meaning::Return,
    };
    YIELD = Row { page: yielding("yield", MANUAL), meaning: Meaning::Yield };
    FUSION_REGION = control(
        "fusion_region",
        "Groups operations that the assembler may fuse; runs them once.",
        "the results are the values that the region yields",
        MANUAL,
        REGION,
        &[],
        Meaning::Region
    )
    .from(Origin::YIELDED);
    SECTION_CUBE = control(
        "section.cube",
        "Runs a region on the cube core only.",
        "the cube core runs it; the vector cores skip it",
        MANUAL,
        REGION,
        &[],
        Meaning::Section(Core::Cube)
    );
    SECTION_VECTOR = control(
        "section.vector",
        "Runs a region on the vector cores only.",
        "each vector core runs it; the cube core skips it",
        MANUAL,
        REGION,
        &[],
        Meaning::Section(Core::Vector)
    );
}

/// The page of an operation that ends a region.
const fn yielding(name: &'static str, source: &'static str) -> Page {
    page(
        Set::Control,
        name,
        "Ends a region.",
        "the values become the results of the enclosing operation, or the carried values of the next iteration of a loop",
        source,
        Syntax::Own(&["{} [? %values* : :values* ?]", "( %values* ) : ( :values* ) -> !types"], VALUES),
    )
}
