//! Tiles: parameters of their types, the valid region, locations, and the operations on tiles as values.

use super::{Chapter, word};
use crate::op::Set;
use crate::registry::Op;

pub(super) const CHAPTER: Chapter = Chapter {
    name: "tiles",
    title: "Tiles",
    intro: &[
        "A tile is a matrix of one element type in one on-chip buffer. Its type states the declared shape, which is storage, \
         and the valid region, which is data. Instructions compute on the valid region; elements outside it are padding or \
         undefined.",
        "A tile is bytes at an address: two tiles with common bytes alias, whatever their types. A tile without an address gets \
         an address of its own.",
    ],
    words: &[
        word("location", "The kind of a tile, which determines its buffer: vec, mat, left, right, acc, bias or scaling.")
            .or(&["buffer"])
            .spelled(&["!pto.tile_buf<vec, ...>", "!pto.tile_buf<loc=vec, ...>"])
            .shown("matmul")
            .see(&["vec", "mat", "left", "right", "acc", "bias", "scaling"]),
        word("vec", "A tile in the unified buffer (UB) of a vector core: the operand of vector instructions.")
            .or(&["UB", "unified buffer"])
            .more("UB has 192 KB on a2a3 and 256 KB on a5, where compilers reserve the last 8 KB.")
            .spelled(&["!pto.tile_buf<vec, 16x64xf32>"])
            .shown("tiles")
            .see(&["location", "MTE2", "V"]),
        word("mat", "A tile in L1 of the cube core: operands of matrix products on their way from global memory to L0A and L0B.")
            .or(&["L1"])
            .more("L1 has 512 KB. Operands of products are in NZ.")
            .spelled(&["!pto.tile_buf<mat, 32x32xf16, blayout=col_major, slayout=row_major>"])
            .shown("matmul")
            .see(&["left", "right", "NZ", "MTE1"]),
        word("left", "A tile in L0A: the left operand of a matrix product.")
            .or(&["L0A"])
            .more("L0A has 64 KB. Boxes are row-major (ZZ) on a2a3 and column-major (NZ) on a5; the matrix is the same.")
            .spelled(&["!pto.tile_buf<left, 32x32xf16, blayout=col_major, slayout=row_major>"])
            .shown("matmul")
            .see(&["tmatmul", "alloc_tile::left-layout", "ZZ", "NZ"]),
        word("right", "A tile in L0B: the right operand of a matrix product, in ZN.")
            .or(&["L0B"])
            .more("L0B has 64 KB.")
            .spelled(&["!pto.tile_buf<right, 32x32xf16, slayout=col_major>"])
            .shown("matmul")
            .see(&["tmatmul", "ZN"]),
        word("acc", "A tile in L0C: the accumulator of a matrix product, f32 or i32, in NZ with fractal 1024.")
            .or(&["L0C", "accumulator"])
            .more("L0C has 128 KB on a2a3 and 256 KB on a5.")
            .spelled(&["!pto.tile_buf<acc, 32x32xf32, blayout=col_major, slayout=row_major, fractal=1024>"])
            .shown("matmul")
            .see(&["tmatmul", "tmatmul.acc", "FIX"]),
        word("bias", "A tile in the bias table: the row at which the sums of a matrix product start.")
            .or(&["BT", "bias table"])
            .spelled(&["!pto.tile_buf<bias, 1x32xf32>"])
            .shown("tmatmul.bias")
            .see(&["tmatmul.bias"]),
        word("scaling", "A tile of quantization parameters in the fixpipe buffer, or of MX scales beside L0A and L0B.")
            .or(&["FB", "fixpipe buffer", "L0A-MX", "L0B-MX"])
            .more(
                "A tile with fractal 32 holds scales: of a left operand if both layouts are `row_major`, of a right operand if \
                 both are `col_major`. All other scaling tiles are in the fixpipe buffer.",
            )
            .spelled(&["!pto.tile_buf<scaling, 1x16xui64>"])
            .shown("tmov_fp")
            .see(&["fp", "tmatmul.mx", "tmov_fp"]),
        word("dtype", "The key of the element type in the keyed form of a tile type.")
            .or(&["element type", "element"])
            .spelled(&["!pto.tile_buf<loc=vec, dtype=f32, ...>"])
            .shown("tiles")
            .see(&["tile_buf", "f32"]),
        word("rows", "The declared rows of a tile; `cols` are its declared columns.")
            .or(&["cols", "declared shape", "shape of a tile"])
            .spelled(&["!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, ...>", "!pto.tile_buf<vec, 16x64xf32>"])
            .shown("tiles")
            .see(&["valid region", "tile_buf"]),
        word("valid region", "The rows and columns of a tile that hold data, counted from its first element.")
            .or(&["valid", "valid shape"])
            .more(
                "The type states it (`valid=3x5`), or leaves it open (`valid=?x?`) for `alloc_tile` or `set_validshape`. A \
                 load, a store and a computation cover the valid region only.",
            )
            .spelled(&["!pto.tile_buf<vec, 16x64xf32, valid=?x40>"])
            .shown("valid_region")
            .see(&["valid_row", "padding", "set_validshape", "tile_valid_rows"]),
        word("valid_row", "The number of valid rows of a tile whose type leaves it open; `valid_col` is the number of valid \
                           columns.")
            .or(&["valid_col"])
            .more("The number may be 0, and is at most the declared one. Where the type says `?` and no number is given, the declared \
                 extent is valid, with the lint `alloc_tile::valid-operand`.")
            .spelled(&["%t = pto.alloc_tile valid_row = %rows valid_col = %cols : !pto.tile_buf<vec, 16x64xf32, valid=?x?>"])
            .shown("valid_region")
            .see(&["valid region", "alloc_tile", "v_row"]),
        word("v_row", "The number of valid rows in the keyed form of a tile type, or `?`; `v_col` is the number of valid \
                       columns.")
            .or(&["v_col"])
            .spelled(&["!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=?, v_col=40, ...>"])
            .shown("tiles")
            .see(&["valid region", "valid_row"]),
        word("padding", "The elements of a tile outside of its valid region.")
            .or(&["pad value"])
            .more(
                "Padding is undefined until `tfillpad` writes it, or a load into a tile with `pad`, which pads each row up to \
                 32 bytes. A reduction ignores padding; an instruction on the declared shape reads it.",
            )
            .shown("padding")
            .see(&["pad", "valid region", "tfillpad"]),
        word("pad", "The padding value: null (none), zero, max, min, or bits such as `0x1BF800000`.")
            .more(
                "0 is null, 1 is zero, 2 is the largest value of the element type, 3 is the smallest. In a number from 2^32 on, \
                 the low 32 bits are the bits of the value. For floats, the largest value is infinity.",
            )
            .spelled(&["!pto.tile_buf<vec, 16x64xf32, valid=?x40, pad=min>"])
            .shown("padding")
            .see(&["padding", "tfillpad"]),
        word("zero", "The padding value 0.").spelled(&["pad=zero"]).shown("padding").see(&["pad"]),
        word("max", "The largest value of the element type, as padding value; also a reduction between ranks.")
            .spelled(&["pad=max"])
            .see(&["pad", "comm.treduce"]),
        word("min", "The smallest value of the element type, as padding value; also a reduction between ranks.")
            .spelled(&["pad=min"])
            .shown("padding")
            .see(&["pad", "comm.treduce"]),
        word("null", "The absence of a padding value, or of a compact mode.")
            .spelled(&["pad=null", "compact=null"])
            .see(&["pad", "compact"]),
        word("compact", "The storage of a tile whose valid region is smaller than its declared shape, 0 to 3.")
            .or(&["normal", "row_plus_one", "row_aligned_padding"])
            .more(
                "`null` (0): as declared. `normal` (1): a left or right tile has storage only for boxes with valid elements. \
                 `row_plus_one` (2): the number of rows is a multiple of the box's rows, plus one, to avoid bank conflicts. \
                 `row_aligned_padding` (3): rows between the last valid row and the end of its box are padding.",
            )
            .spelled(&["!pto.tile_buf<left, 64x64xf16, valid=40x64, slayout=row_major, compact=1>"])
            .see(&["valid region", "fractal"]),
        word("addr", "The byte address of a tile in its buffer.")
            .or(&["address", "base address"])
            .more("On devices the address is a multiple of 32. A tile without an address gets bytes that no other such tile \
                   shares.")
            .spelled(&["%t = pto.alloc_tile addr = %a : !pto.tile_buf<vec, 16x64xf32>"])
            .shown("tiles")
            .see(&["alloc_tile", "tassign", "alias"]),
        word("alias", "Two tiles with common bytes: a write to one can change the other.")
            .more("Their types may differ: a column of sums that is read as a row is such a pair.")
            .shown("column_as_row")
            .see(&["addr", "treshape", "set_validshape", "mem"]),
        word("workspace", "A tile operand whose contents an instruction destroys to compute its result.")
            .or(&["tmp", "scratch"])
            .spelled(&["pto.trowsum ins(%src, %workspace : <type>, <type>) outs(%dst : <type>)"])
            .shown("trowsum")
            .see(&["no_tmp", "trowsum"]),
        word("sizes", "The extents of a part of a tile or of a view.")
            .spelled(&[
                "%p = pto.subview %tile[%row, %col] sizes [4, 8] : <type> -> <type>",
                "%v = pto.partition_view %view, offsets = [%r, %c], sizes = [%m, %n] : <type> -> <type>",
            ])
            .shown("subview")
            .see(&["subview", "partition_view", "offsets"]),
    ],
    sets: &[Set::View],
    operations: &[
        Op::ALLOC_TILE,
        Op::ALLOC_MULTI_TILE,
        Op::MULTI_TILE_GET,
        Op::DECLARE_TILE,
        Op::TILE_VALID_ROWS,
        Op::TILE_VALID_COLS,
        Op::SUBSET,
    ],
};
