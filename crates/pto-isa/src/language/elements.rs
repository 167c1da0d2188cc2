//! Number formats.

use super::{Chapter, word};

pub(super) const CHAPTER: Chapter = Chapter {
    name: "elements",
    title: "Element types",
    intro: &[
        "An element type is the number format of scalars, tiles and views. [instructions.md](../instructions.md) lists the \
         formats of each instruction on each profile; [numerics.md](../numerics.md) defines the exact results.",
        "The words of the C++ headers (`float`, `half`, `int8_t`) are accepted too, with a lint that names the word here.",
    ],
    words: &[
        word("index", "The type of counts, offsets and loop variables: a 64-bit signed integer.")
            .spelled(&["%c16 = arith.constant 16 : index"])
            .shown("scalars")
            .see(&["arith.index_cast"]),
        word("i1", "The type of truth values, the results of comparisons.")
            .or(&["bool"])
            .spelled(&["%less = arith.cmpi slt, %a, %b : index"])
            .shown("scalars")
            .see(&["arith.cmpi", "scf.if"]),
        word("i8", "8-bit integer, signless: instructions to which the sign matters take it as signed.")
            .or(&["si8", "int8", "int8_t"])
            .shown("elements")
            .see(&["ui8"]),
        word("i16", "16-bit integer, signless: instructions to which the sign matters take it as signed.")
            .or(&["si16", "int16", "int16_t"])
            .shown("elements")
            .see(&["ui16"]),
        word("i32", "32-bit integer, signless: instructions to which the sign matters take it as signed.")
            .or(&["si32", "int32", "int32_t"])
            .shown("elements")
            .see(&["ui32"]),
        word("i64", "64-bit integer, signless: instructions to which the sign matters take it as signed.")
            .or(&["si64", "int64", "int64_t"])
            .shown("launch")
            .see(&["ui64"]),
        word("ui8", "8-bit unsigned integer.").or(&["uint8", "uint8_t"]).shown("elements").see(&["i8"]),
        word("ui16", "16-bit unsigned integer.").or(&["uint16", "uint16_t"]).shown("elements").see(&["i16"]),
        word("ui32", "32-bit unsigned integer.").or(&["uint32", "uint32_t"]).shown("elements").see(&["i32"]),
        word("ui64", "64-bit unsigned integer.").or(&["uint64", "uint64_t"]).see(&["i64"]),
        word("f32", "32-bit float of IEEE 754: 8 bits of exponent, 23 of fraction.")
            .or(&["float", "float32", "float32_t"])
            .shown("elements")
            .see(&["f16", "bf16"]),
        word(
            "f16",
            "16-bit float of IEEE 754: 5 bits of exponent, 10 of fraction; the largest number is 65504.",
        )
        .or(&["half", "float16", "float16_t"])
        .shown("elements")
        .see(&["bf16", "tcvt"]),
        word("bf16", "16-bit float with the range of f32: 8 bits of exponent, 7 of fraction.")
            .or(&["bfloat16", "bfloat16_t"])
            .shown("elements")
            .see(&["f16", "tcvt"]),
        word("hif8", "8-bit float HiFloat8, whose exponent has a variable width; on a5.")
            .or(&["hifloat8", "hifloat8_t"])
            .shown("elements")
            .see(&["f8E4M3FN"]),
        word("f8E4M3FN", "8-bit float with 4 bits of exponent and 3 of fraction, without infinities; on a5.")
            .or(&["f8E4M3", "float8_e4m3", "float8_e4m3_t"])
            .shown("elements")
            .see(&["f8E5M2", "tmatmul.mx"]),
        word("f8E5M2", "8-bit float with 5 bits of exponent and 2 of fraction; on a5.")
            .or(&["float8_e5m2", "float8_e5m2_t"])
            .shown("elements")
            .see(&["f8E4M3FN"]),
        word("f8E8M0", "8-bit power of two without sign, the scale of an MX block; on a5.")
            .or(&["f8E8M0FNU", "float8_e8m0", "float8_e8m0_t"])
            .shown("tmatmul.mx")
            .see(&["tmatmul.mx", "scaling"]),
        word("f4E2M1x2", "Two 4-bit floats in a byte, with 2 bits of exponent and 1 of fraction; on a5.")
            .or(&["float4_e2m1x2", "float4_e2m1x2_t"])
            .more("Extents count pairs, not numbers.")
            .shown("elements")
            .see(&["f4E1M2x2", "kernel::pairs"]),
        word("f4E1M2x2", "Two 4-bit floats in a byte, with 1 bit of exponent and 2 of fraction; on a5.")
            .or(&["float4_e1m2x2", "float4_e1m2x2_t"])
            .more("Extents count pairs, not numbers.")
            .see(&["f4E2M1x2"]),
        word("i4x2", "Two 4-bit signed integers in a byte.")
            .or(&["int4b", "int4b_t"])
            .more("Extents count pairs, not numbers.")
            .see(&["i8", "tcvt"]),
    ],
    sets: &[],
    operations: &[],
};
