//! TREDUCE: combines the tensors of all ranks element by element.

use super::collective::{GROUP, Move, ROOT, ROOT_ATTRIBUTE, check_group, check_same_shape, page, reduce_op};
use super::staging::{CHUNK, LAYOUT, SHAPE, STAGING, TYPE, views};
#[cfg(feature = "run")]
use crate::exec::state::Fault;
use crate::op::attribute::AttributeSpec;
use crate::op::effect::{Effect, Extent};
use crate::op::form::{Kind, Syntax};
use crate::rule::Rule;

const SOURCE: &str = "docs/isa/comm/TREDUCE.md";

const OPERATION: Rule = Rule::new(
    "operation",
    "The operation is sum, max or min, and the format has it.",
    "docs/isa/comm/README.md, ReduceOp",
)
.because("The vector unit combines the chunks with TADD, TMAX or TMIN, in the formats that these have.")
.instead("Write sum, max or min, and an element type that the operation has.");

pub(super) static COMM_TREDUCE: Move = Move {
    page: page(
        "comm.treduce",
        "Combines the data of every rank of a group, element by element, in the memory of the calling rank.",
        "tensor[...] = group[root][...] op group[0][...] op group[1][...] ..., the root's first, then the others in their \
         order; the tiles then hold their last chunks",
        SOURCE,
        Syntax::Own(
            &[
                "( %tensor , %accumulator , recv ( %receive* ) , group ( %group* ) : :tensor , :accumulator , :receive* , :group* ) {}",
            ],
            &[
                ("tensor", Kind::View),
                ("accumulator", Kind::Tile),
                ("receive", Kind::Tile),
                ("group", Kind::View),
            ],
        ),
        &[&TYPE, &SHAPE, &LAYOUT, &STAGING, &CHUNK, &GROUP, &ROOT, &OPERATION],
    )
    .with(&[
        ROOT_ATTRIBUTE,
        AttributeSpec::words("reduceOp", "reduce_op", &["sum", "max", "min"], "The operation that combines the elements."),
    ])
    .touching(&[
        Effect::reads("group").of(Extent::View),
        Effect::destroys("accumulator"),
        Effect::destroys("receive"),
        Effect::writes("tensor").of(Extent::View),
    ]),
    #[cfg(feature = "run")]
    staging: "receive",
    check: |check| {
        check_group(check, &["receive", "accumulator"]);
        check_same_shape(check);
        let op = reduce_op(check.site);
        let element = views(check, "tensor").first().map(|view| view.element);
        let has = op.zip(element).is_some_and(|(op, element)| op.applies_to(element));
        check.require(&OPERATION, "tensor", has, |check| match check.site.word("reduceOp") {
            Some(word) => format!("`{word}` of the elements of {} is not defined", check.name("tensor")),
            None => "say which: {reduceOp = #pto<reduce_op sum>}".to_owned(),
        });
    },
    #[cfg(feature = "run")]
    run: |state, transfer| {
        let (dst, group) = (transfer.tensor(state, "tensor", 0)?, transfer.group(state)?);
        let acc = transfer.accumulator.ok_or(Fault::Rule)?;
        if dst.shape != group[0].shape {
            return Err(Fault::Rule);
        }
        let others: Vec<_> = (0..group.len()).filter(|rank| *rank != transfer.root).collect();
        for (at, (chunk, _)) in transfer.staging.chunks(state, &dst)?.into_iter().enumerate() {
            transfer.staging.load(state, &group[transfer.root], &chunk, &acc);
            for (turn, rank) in others.iter().enumerate() {
                let receive = transfer.staging.tile(at * others.len() + turn);
                transfer.staging.load(state, &group[*rank], &chunk, &receive);
                transfer.staging.reduce(state, transfer.op, &chunk, &acc, &receive);
            }
            transfer.staging.store(state, &dst, &chunk, 0, &acc, false);
        }
        Ok(())
    },
};
