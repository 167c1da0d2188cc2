//! Layouts of tiles and views.

use super::{Chapter, word};

pub(super) const CHAPTER: Chapter = Chapter {
    name: "layouts",
    title: "Layouts",
    intro: &[
        "A layout maps the row and the column of an element to its place in memory. Tiles are row-major, column-major, or \
         stored in boxes, as the matrix unit needs them. A move between layouts changes places, never rows and columns.",
        "[layouts.md](../layouts.md) has formulas and pictures; `pto layout TYPE` draws the layout of any tile.",
    ],
    words: &[
        word("layout", "The order of elements in memory: of a tile by `blayout`, `slayout` and `fractal`, of a view by \
                        `layout`.")
            .more("Of a tile: ND, DN, NZ, ZN, ZZ, NN. Of a view: `nd`, `dn`, `nz` and the layouts of MX scales.")
            .spelled(&[
                "!pto.tile_buf<mat, 32x32xf16, blayout=col_major, slayout=row_major>",
                "%v = pto.make_tensor_view %p, shape = [...], strides = [...] {layout = #pto.layout<nz>} : <type>",
            ])
            .shown("layouts")
            .see(&["blayout", "slayout", "fractal", "ND", "NZ"]),
        word("blayout", "The order of the boxes of a tile, or of its elements if it has no boxes.")
            .spelled(&["blayout=row_major", "blayout=col_major"])
            .shown("layouts")
            .see(&["slayout", "layout"]),
        word("slayout", "The order of the elements inside a box of a tile, or `none_box`.")
            .spelled(&["slayout=none_box", "slayout=row_major", "slayout=col_major"])
            .shown("layouts")
            .see(&["blayout", "box", "layout"]),
        word("row_major", "Row by row: the elements of a row, or the boxes of a row of boxes, are contiguous.")
            .or(&["RowMajor"])
            .shown("layouts")
            .see(&["blayout", "slayout"]),
        word("col_major", "Column by column: the elements of a column, or the boxes of a column of boxes, are contiguous.")
            .or(&["ColMajor"])
            .shown("layouts")
            .see(&["blayout", "slayout"]),
        word("none_box", "A tile without boxes: ND or DN.").or(&["NoneBox"]).shown("layouts").see(&["slayout"]),
        word("box", "A block of contiguous elements in a tile: 16 rows of 32 bytes, or the size that `fractal` states.")
            .or(&["C0"])
            .more("C0 is the number of elements in 32 bytes, the width of a box.")
            .shown("layouts")
            .see(&["fractal", "slayout"]),
        word("fractal", "The bytes of one box: 512 (16 rows of 32 bytes), 1024 (16x16 in accumulators), 32 (MX scales).")
            .spelled(&["!pto.tile_buf<acc, 32x32xf32, blayout=col_major, slayout=row_major, fractal=1024>"])
            .shown("matmul")
            .see(&["box", "acc"]),
        word("ND", "Row-major without boxes: blayout row_major, slayout none_box.").shown("layouts").see(&["layout"]),
        word("DN", "Column-major without boxes: blayout col_major, slayout none_box.")
            .shown("layouts")
            .see(&["layout"]),
        word("NZ", "Column-major boxes with row-major elements: blayout col_major, slayout row_major.")
            .shown("layouts")
            .see(&["mat", "acc"]),
        word("ZN", "Row-major boxes with column-major elements: blayout row_major, slayout col_major.")
            .shown("layouts")
            .see(&["right"]),
        word("ZZ", "Row-major boxes with row-major elements: blayout and slayout row_major.")
            .shown("layouts")
            .see(&["left"]),
        word("NN", "Column-major boxes with column-major elements: blayout and slayout col_major.")
            .shown("layouts")
            .see(&["scaling"]),
        word("NC1HWC0", "Layouts of convolution tiles: each letter is a dimension, the last one innermost.")
            .or(&[
                "NCHW", "GNCHW", "NCDHW", "GNC1HWC0", "NDC1HWC0", "FRACTAL_Z", "FRACTAL_Z_3D",
            ])
            .more(
                "N images, C channels in C1 blocks of C0, D x H x W points, G groups. FRACTAL_Z and FRACTAL_Z_3D are \
                 filters.",
            )
            .spelled(&["!pto.conv_tile<mat, NC1HWC0, 1x2x16x16x16xf16>"])
            .shown("timg2col")
            .see(&["conv_tile", "timg2col"]),
    ],
    sets: &[],
    operations: &[],
};
