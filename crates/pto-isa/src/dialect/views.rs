//! Views of global memory, and pointers into it.

use super::pictures::{PART as PART_PICTURE, VIEW};
use super::{MANUAL, Row, page, rows};
use crate::meaning::Meaning;
use crate::op::Set;
use crate::op::attribute::{AttributeKind, AttributeSpec};
use crate::op::effect::Effect;
use crate::op::form::{Kind, Kinds, Syntax};
use crate::op::memory::VIEW_LAYOUT;
use crate::op::origin::Origin;

const PART: Kinds = &[("source", Kind::View), ("offsets", Kind::Index), ("sizes", Kind::Index)];
const EXTENT: Syntax =
    Syntax::Own(&["%view , %index {} : :view -> !type"], &[("view", Kind::Other), ("index", Kind::Other)]);

/// Layout attribute of operations that create a view; [`VIEW_LAYOUT`] is that of operations that use one.
const LAYOUT: AttributeSpec = AttributeSpec {
    summary: "The layout of the elements in global memory; lower or upper case.",
    ..VIEW_LAYOUT
}
.or_means("the layout that the loads and stores of the view need, else nd");

const fn row(
    name: &'static str,
    summary: &'static str,
    formula: &'static str,
    syntax: Syntax,
    meaning: Meaning,
) -> Row {
    Row { page: page(Set::Value, name, summary, formula, MANUAL, syntax), meaning }
}

rows! {
    super::tiles::END;
    MAKE_TENSOR_VIEW = row(
        "make_tensor_view",
        "Makes a view of global memory from a pointer, extents and strides.",
        "result[k, ...] is element k * strides[0] + ... after source",
        Syntax::Own(
            &["%source , shape = [ %shape* ] , strides = [ %strides* ] {} : !type"],
            &[("source", Kind::Other), ("shape", Kind::Other), ("strides", Kind::Other)],
        ),
        Meaning::MakeView
    )
    .from(Origin::Names(&["source"]))
    .touching(&[Effect::names("source")])
    .with(&[LAYOUT])
    .pictured(VIEW);
    PARTITION_VIEW = row(
        "partition_view",
        "Names a part of a view.",
        "result[k, ...] is source[offsets[0] + k, ...], for k below sizes[0]",
        Syntax::Own(
            &[
                "%source , offsets = [ %offsets* ] , sizes = [ %sizes* ] {} : :source -> !type",
                "%source , offsets = [ %offsets* ] , sizes = [ %sizes* ] {} : :source !open",
            ],
            PART,
        ),
        Meaning::Partition
    )
    .from(Origin::Names(&["source"]))
    .touching(&[Effect::names("source")])
    .pictured(PART_PICTURE);
    SUBSET = row(
        "subset",
        "Names a part of a tile, under an older name: it is read as subview.",
        "result[i, j] is source[offsets[0] + i, offsets[1] + j]",
        Syntax::Own(
            &[
                "%source [ %offsets* ] sizes #sizes {} : :source -> !type",
                "%source [ %offsets* ] sizes #sizes {} : :source !open",
            ],
            &[("source", Kind::Other), ("offsets", Kind::Other)],
        ),
        Meaning::Compute
    )
    .from(Origin::Names(&["source"]))
    .touching(&[Effect::names("source")])
    .with(&[AttributeSpec::new("sizes", AttributeKind::Integers, "Declared rows and columns of the part.")]);
    DECLARE_GLOBAL = row(
        "declare_global",
        "Makes a row-major view whose address is given later, by tassign or by a queue.",
        "result has no address yet",
        Syntax::Own(&["{} -> !type"], &[]),
        Meaning::DeclareView
    )
    .from(Origin::Makes);
    GET_TENSOR_VIEW_DIM = row(
        "get_tensor_view_dim",
        "An extent of a view.",
        "result = extent of dimension index, in elements",
        EXTENT,
        Meaning::ViewExtent { stride: false }
    )
    .touching(&[Effect::names("view")]);
    GET_TENSOR_VIEW_STRIDE = row(
        "get_tensor_view_stride",
        "A stride of a view.",
        "result = stride of dimension index, in elements",
        EXTENT,
        Meaning::ViewExtent { stride: true }
    )
    .touching(&[Effect::names("view")]);
    ADDPTR = row(
        "addptr",
        "A pointer, advanced by a number of elements.",
        "result = pointer + offset elements",
        Syntax::Own(
            &["%pointer , %offset {} : :pointer -> !type"],
            &[("pointer", Kind::Pointer), ("offset", Kind::Index)],
        ),
        Meaning::AddPointer
    )
    .from(Origin::Names(&["pointer"]))
    .touching(&[Effect::names("pointer")]);
    PTRTOINT = row(
        "ptrtoint",
        "The address that a pointer to global memory holds.",
        "result = address of in, in bytes",
        Syntax::Own(&["%in {} : :in -> !type"], &[("in", Kind::Pointer)]),
        Meaning::PointerToInteger
    )
    .touching(&[Effect::names("in")]);
    INTTOPTR = row(
        "inttoptr",
        "An address of global memory as a pointer, for single elements only.",
        "result points to the byte at address in",
        Syntax::Own(&["%in {} : :in -> !type"], &[("in", Kind::Integer)]),
        Meaning::IntegerToPointer
    )
    .from(Origin::Names(&["in"]));
}
