//! Rules of the parser: syntax errors and outdated spellings.

use crate::rule::Rule;

const SHELL: &str = "https://mlir.llvm.org/docs/LangRef";
const MANUAL: &str = "docs/PTO_IR_manual.md of the public assembler";

const PAGES: &str = "docs/isa of the public ISA manual, assembly syntax of the instruction pages";

family! {
    /// A syntax error.
    SYNTAX = Rule::of("", "syntax",
        "The text follows the grammar of the operation, type or attribute it spells.", MANUAL)
        .because("Text with several readings would be run as a program that its author did not write.")
        .instead("Write what the message expects at the marked place; `pto explain NAME` shows the spellings of an instruction.");

    /// A spelling of an older assembler.
    OLD_SYNTAX = Rule::of("", "old-syntax", "Operations and types have their present spelling.", MANUAL)
        .because("Newer assemblers no longer read the old spelling.")
        .instead("Run `pto fmt`, which writes the present spelling.")
        .lint();

    /// A type spelled as on the manual's pages.
    MANUAL_TYPE = Rule::of("", "manual-type",
        "Tile types are written out, with the dialect's words for element types.", PAGES)
        .because("The manual's pages write `!pto.tile<...>` for any type, and `half`, `float`, `int32` as in C++; assemblers \
             read neither.")
        .instead("Run `pto fmt`, which writes the type that was understood.")
        .lint();

    /// An unknown type.
    UNKNOWN_TYPE = Rule::of("", "unknown-type",
        "A type is a builtin type, a type of the dialect, or an alias defined above.", MANUAL)
        .because("Without its type, the size of a value and the operations that take it are unknown.")
        .instead("Correct the spelling, or define the alias before its first use.");

    /// Parameters that do not form a tile type.
    TILE_TYPE = Rule::of("", "tile-type",
        "A tile type has known parameters whose values fit each other.", MANUAL)
        .because("Shape, element and layout of a tile decide where each of its bytes is.")
        .instead("Write the parameter that the message names as in `!pto.tile_buf<vec, 16x16xf32>`.");

    /// An unknown operation.
    UNKNOWN_OPERATION = Rule::of("", "unknown-operation",
        "An operation is one of the dialect, or one of the MLIR shell that the dialect uses.", MANUAL)
        .because("An operation without a meaning can be neither checked nor run.")
        .instead("Correct the spelling; `pto explain --list` lists the operations.");

    /// One value with two types.
    TYPE_MISMATCH = Rule::of("", "type-mismatch",
        "A value has the type that is written where it is used, passed or returned.", SHELL)
        .because("One of the two types is wrong, and the text does not say which.")
        .instead("Write the type of the definition, or convert the value.");

    /// A comment that is meant to allow a finding and does not.
    ALLOW_COMMENT = Rule::of("", "allow-comment",
        "A comment `// pto: allow(...)` names rules in its parentheses, by their ids.", "docs/ci.md")
        .because("A comment with a misspelt rule hides nothing.")
        .instead("Write the id that the finding prints, as in `// pto: allow(sync::redundant)`.")
        .lint();
}
