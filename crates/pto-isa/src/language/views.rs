//! Views of global memory, pointers and memory references.

use super::{Chapter, word};
use crate::op::Set;
use crate::registry::Op;

pub(super) const CHAPTER: Chapter = Chapter {
    name: "views",
    title: "Views and pointers",
    intro: &[
        "An argument is a pointer. `make_tensor_view` adds extents and strides to it, `partition_view` takes a part, and \
         `tload` and `tstore` copy between a part and a tile. Extents, strides and offsets count elements.",
        "The scalar unit reads and writes single elements of global memory: `load_scalar` and `store_scalar`.",
    ],
    words: &[
        word("shape", "The extents of a view, outermost first.")
            .or(&["extent", "extents"])
            .spelled(&[
                "%v = pto.make_tensor_view %p, shape = [%rows, %cols], strides = [%cols, %c1] : <type>",
            ])
            .shown("views")
            .see(&["make_tensor_view", "strides"]),
        word("strides", "The distance between neighbours along each dimension of a view, in elements.")
            .or(&["stride"])
            .spelled(&[
                "%v = pto.make_tensor_view %p, shape = [%rows, %cols], strides = [%cols, %c1] : <type>",
            ])
            .shown("views")
            .see(&["make_tensor_view", "shape"]),
        word(
            "offsets",
            "The position of the first element of a part: one number for each dimension, in elements.",
        )
        .spelled(&["%part = pto.partition_view %v, offsets = [%r, %c], sizes = [%m, %n] : <type> -> <type>"])
        .shown("views")
        .see(&["partition_view", "subview", "sizes"]),
    ],
    sets: &[Set::Memref],
    operations: &[
        Op::MAKE_TENSOR_VIEW,
        Op::PARTITION_VIEW,
        Op::DECLARE_GLOBAL,
        Op::GET_TENSOR_VIEW_DIM,
        Op::GET_TENSOR_VIEW_STRIDE,
        Op::ADDPTR,
        Op::PTRTOINT,
        Op::INTTOPTR,
        Op::LOAD_SCALAR,
        Op::STORE_SCALAR,
    ],
};
