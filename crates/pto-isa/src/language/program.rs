//! Modules, functions, and the attributes that choose a target.

use super::{Chapter, word};

pub(super) const CHAPTER: Chapter = Chapter {
    name: "program",
    title: "Modules and functions",
    intro: &[
        "A program is a module of functions, in the syntax of MLIR. A file that starts with `func.func` is a module \
         without attributes. Names of types (`!name`) and of attributes (`#name`) may be defined before their use.",
        "A launch runs one function, the entry, on every block. Its arguments are pointers into global memory, `memref`s and \
         scalars, which `pto run -i NAME=SOURCE` fills. The launch fills arguments whose names start with `__pypto_spmd_`.",
    ],
    words: &[
        word("module", "The functions of a file, with attributes that hold for all of them.")
            .or(&["builtin.module"])
            .more(
                "Modules may be nested; an inner module inherits the attributes of the outer one. The word `module` may be left \
                 out if there are no attributes.",
            )
            .spelled(&["module attributes {pto.target_arch = \"a5\"} { <functions> }"])
            .shown("functions")
            .see(&["func.func", "pto.target_arch"]),
        word("attributes", "The keyword before the attributes of a module or of a function.")
            .spelled(&["func.func @name() attributes {pto.kernel_kind = #pto.kernel_kind<vector>} { <operations> }"])
            .shown("functions")
            .see(&["pto.kernel_kind", "pto.entry"]),
        word("func.func", "A function: name, arguments, result types, attributes, body.")
            .or(&["func", "function"])
            .more("A function without a body is a declaration. Functions call each other, but not themselves.")
            .spelled(&[
                "func.func [private] @name(%argument: <type>, ...) [-> <types>] [attributes {...}] { <operations> }",
            ])
            .shown("functions")
            .see(&["func.call", "func.return", "pto.entry"]),
        word("private", "A function for calls within its module, which no launch starts.")
            .or(&["public", "nested", "visibility"])
            .more("`public` and `nested` are parsed and printed, without effect.")
            .spelled(&["func.func private @helper(%x: index) -> index { <operations> }"])
            .shown("functions")
            .see(&["pto.entry"]),
        word("pto.entry", "The function that a launch starts.")
            .or(&["entry function", "kernel"])
            .more(
                "It is the function of `pto run --entry NAME`, the function with the attribute `pto.entry`, or the only \
                 function that no other function calls. A module's only cube function and only vector function, such as \
                 `@f_aic` and `@f_aiv`, are one kernel with two entries.",
            )
            .spelled(&["func.func @name(...) attributes {pto.entry} { <operations> }"])
            .shown("functions")
            .see(&["pto.kernel_kind", "private"]),
        word("pto.target_arch", "The profile that a module is written for: `a2a3`, `a2`, `a3`, `a5` or `cpu`.")
            .or(&["target_arch"])
            .more("`--target` overrides it; a module without it is checked for `cpu`.")
            .spelled(&["module attributes {pto.target_arch = \"a2a3\"} { <functions> }"])
            .shown("functions")
            .see(&["profile", "pto.device-spec"]),
        word("pto.device-spec", "The device that a module is written for, which implies the profile.")
            .or(&["device-spec"])
            .more("Names that start with `Ascend950` or `Ascend910_95` mean a5; other names that start with `Ascend910` mean \
                   a2a3. `pto.target_arch` overrides it.")
            .spelled(&["module attributes {\"pto.device-spec\" = \"Ascend910B1\"} { <functions> }"])
            .shown("device")
            .see(&["pto.target_arch"]),
        word("pto.kernel_kind", "The kind of core that runs a function: `vector` or `cube`.")
            .or(&["kernel_kind"])
            .more(
                "A function without it runs on the cores that its sections name, or on a single core with the buffers of \
                 both kinds. A `vector` function runs on one vector core of each block, and on both if it reads \
                 `get_subblock_idx`: `core` has the whole rule.",
            )
            .spelled(&["attributes {pto.kernel_kind = #pto.kernel_kind<vector>}"])
            .shown("launch")
            .see(&["section.cube", "section.vector", "core", "get_subblock_idx"]),
        word("cube", "The kind of core that multiplies matrices: L1, L0A, L0B, L0C, the fixpipe buffer, the bias table.")
            .or(&["aic", "cube core"])
            .shown("sections")
            .see(&["pto.kernel_kind", "section.cube", "core"]),
        word("vector core", "The kind of core that computes on vector tiles in UB; a block has two.")
            .or(&["aiv"])
            .shown("sections")
            .see(&["pto.kernel_kind", "section.vector", "core"]),
        word("pto.auto_sync_tail_hint", "A note to the assembler about the end of a function; only parsed and printed.")
            .or(&["auto_sync_tail_hint"])
            .spelled(&["attributes {pto.auto_sync_tail_hint = \"mte3-to-s-event0\"}"])
            .see(&["attributes"]),
        word("pto.view_semantics", "The mark of an allocation that is a part of another tile.")
            .or(&["view_semantics"])
            .more("The assembler writes it where it has replaced `subview` by an address; the overlap with the other tile is \
                   intended.")
            .spelled(&["%part = pto.alloc_tile addr = %a {pto.view_semantics = \"subview\"} : <type>"])
            .see(&["subview", "alloc_tile"]),
        word("type alias", "A name for a type, defined before its first use, outside of functions.")
            .spelled(&["!tile = !pto.tile_buf<vec, 16x64xf32>"])
            .shown("functions")
            .see(&["tile_buf", "attribute alias"]),
        word("attribute alias", "A name for an attribute, defined before its first use, outside of functions.")
            .spelled(&["#vector = #pto.kernel_kind<vector>"])
            .shown("launch")
            .see(&["type alias"]),
        word("loc", "A source location, or the location of a tile in the keyed form of its type.")
            .more(
                "After a statement, `loc(...)` names the line of the compiler's source program; it is kept. In a type, \
                 `loc=vec` names the buffer.",
            )
            .spelled(&["%c = arith.constant 1 : index loc(\"kernel.py\":12:3)", "!pto.tile_buf<loc=vec, ...>"])
            .shown("spellings")
            .see(&["location", "tile_buf"]),
        word("ins", "The operands that an instruction reads, in the destination-passing spelling.")
            .spelled(&["pto.tadd ins(%a, %b : <type>, <type>) outs(%c : <type>)"])
            .shown("spellings")
            .see(&["outs", "spelling"]),
        word("outs", "The operands that an instruction writes, in the destination-passing spelling.")
            .spelled(&["pto.tadd ins(%a, %b : <type>, <type>) outs(%c : <type>)"])
            .shown("spellings")
            .see(&["ins", "into", "spelling"]),
        word("into", "The keyword before the destination in the spellings with a result, if the destination tile exists \
                      already.")
            .spelled(&["%d = pto.tadd %a, %b : (<type>, <type>) -> <type> into %c"])
            .shown("spellings")
            .see(&["outs", "spelling"]),
        word("fp", "The keyword before the tile of quantization parameters in `ins(...)`.")
            .spelled(&["pto.tmov ins(%src : <type>, fp %parameters : <type>) outs(%dst : <type>)"])
            .shown("tmov_fp")
            .see(&["scaling", "pre_quant"]),
        word("pre_quant", "The keyword before the scalar that holds quantization parameters in `ins(...)`.")
            .or(&["q"])
            .spelled(&["pto.tinsert ins(%src, %row, %col : <type>, index, index pre_quant %q : i64) outs(%dst : <type>)"])
            .see(&["fp", "scaling"]),
        word("spelling", "One of three ways to write an instruction: destination-passing, SSA, assembly.")
            .or(&["dps", "ssa", "asm", "destination-passing", "assembly"])
            .more(
                "`pto fmt --form dps|ssa|asm` converts between them. In SSA and assembly the result is a new tile, or the tile \
                 after `into`.",
            )
            .spelled(&[
                "pto.tadd ins(%a, %b : <type>, <type>) outs(%c : <type>)",
                "%c = pto.tadd %a, %b : (<type>, <type>) -> <type>",
                "%c = tadd %a, %b : <type>, <type> -> <type>",
            ])
            .shown("spellings")
            .see(&["ins", "outs", "into"]),
        word("operandSegmentSizes", "The number of operands of each kind, in the generic form of MLIR.")
            .spelled(&["\"pto.tmov\"(%a, %b) <{operandSegmentSizes = array<i32: 1, 0, 0, 1>}> : (<type>, <type>) -> ()"])
            .see(&["spelling"]),
        word("kernel example", "A complete kernel to start from: the tutorial's steps, and the folders of `examples`.")
            .or(&["example", "first program", "tutorial"])
            .more(
                "`docs/tutorial.md` begins with a first program and ends with a layer norm. `examples/vector_add` loads, \
                 adds and stores with a tail; `examples/row_softmax`, `examples/layer_norm` and \
                 `examples/decode_layer/rms_norm.pto` reduce rows; `examples/gemm_bias` multiplies matrices. \
                 `pto explain NAME --example` prints the program of a page.",
            )
            .shown("valid_region")
            .see(&["func.func", "make_tensor_view", "tload", "tstore"]),
        word("true", "The truth value 1 of type `i1`; `false` is 0.")
            .or(&["false"])
            .spelled(&["%yes = arith.constant true"])
            .shown("scalars")
            .see(&["i1", "arith.constant"]),
        word("unit", "The value of an attribute that is only a key.")
            .spelled(&["{pto.entry}", "{pto.entry = unit}"])
            .see(&["pto.entry"]),
        word("dense", "An attribute that lists the elements of a vector; kept as text.")
            .or(&["array", "affine_map"])
            .spelled(&["dense<0> : vector<4xi16>", "array<i32: 1, 2>"])
            .see(&["vector"]),
    ],
    sets: &[],
    operations: &[],
};
