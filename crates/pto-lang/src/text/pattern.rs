//! A small language for the syntax of operations that are not destination-passing.
//!
//! A pattern is a list of words separated by blanks:
//!
//! | word | meaning |
//! |---|---|
//! | `%role`, `%role*` | an operand, or a list of them |
//! | `:role`, `:role*` | the type of that operand, or the types of the list |
//! | `!type`, `!types` | the type of the result, or of all results (in parentheses unless one) |
//! | `!as:role`, `!i1`, `!index`, `!i64` | not written: the result has the operand's type, or this one |
//! | `!open` | not written: the type of the result follows from the operands |
//! | `{}` | an attribute dictionary, or nothing |
//! | `#name`, `$name`, `&name` | an attribute: a constant, a bare word, a symbol |
//! | `[?` ... `?]` | may be left out; starts with a word, an operand or a constant |
//! | `[+` ... `?]` | may be left out in a text, and is always printed |
//! | `,?` | a comma between two parts that are there; may be left out in a text |
//! | anything else | itself |

use crate::ir::Scalar;
use pto_isa::element::Element;

/// One element of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Piece {
    /// A literal word.
    Word(&'static str),
    /// A literal character.
    Punct(char),
    /// `->`.
    Arrow,
    /// One operand.
    Operand(&'static str),
    /// A list of operands.
    Operands(&'static str),
    /// The type of an operand.
    TypeOf(&'static str),
    /// The types of a list of operands.
    TypesOf(&'static str),
    /// The result's type.
    ResultType,
    /// All results' types.
    ResultTypes,
    /// The result has an operand's type.
    SameType(&'static str),
    /// The result has this type.
    FixedType(Scalar),
    /// The result's type follows from the operands.
    OpenType,
    /// An optional dictionary.
    Attributes,
    /// A constant.
    Constant(&'static str),
    /// A bare word, kept as an attribute.
    Bare(&'static str),
    /// A symbol.
    Symbol(&'static str),
    /// May be left out.
    Optional(Vec<Piece>),
    /// May be left out in a text, and is always printed.
    Printed(Vec<Piece>),
    /// A comma between two parts that are there.
    Separator,
}

/// Compiles a pattern. Patterns are only in our own tables; a test compiles them all.
pub(crate) fn compile(pattern: &'static str) -> Vec<Piece> {
    compile_until(&mut pattern.split_ascii_whitespace())
}

fn compile_until(words: &mut std::str::SplitAsciiWhitespace<'static>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    while let Some(word) = words.next() {
        let (sigil, rest) = word.split_at(1);
        pieces.push(match (sigil, rest) {
            ("?", "]") => return pieces,
            ("[", "?") => Piece::Optional(compile_until(words)),
            ("[", "+") => Piece::Printed(compile_until(words)),
            (",", "?") => Piece::Separator,
            ("{", "}") => Piece::Attributes,
            ("-", ">") => Piece::Arrow,
            ("%", role) => match role.strip_suffix('*') {
                Some(list) => Piece::Operands(list),
                None => Piece::Operand(role),
            },
            (":", role) if !role.is_empty() => match role.strip_suffix('*') {
                Some(list) => Piece::TypesOf(list),
                None => Piece::TypeOf(role),
            },
            ("!", "type") => Piece::ResultType,
            ("!", "types") => Piece::ResultTypes,
            ("!", "open") => Piece::OpenType,
            ("!", "i1") => Piece::FixedType(Scalar::Bool),
            ("!", "index") => Piece::FixedType(Scalar::Index),
            ("!", "i64") => Piece::FixedType(Scalar::Number(Element::I64)),
            ("!", role) => Piece::SameType(role.strip_prefix("as:").unwrap_or(role)),
            ("#", name) => Piece::Constant(name),
            ("$", name) => Piece::Bare(name),
            ("&", name) => Piece::Symbol(name),
            (_, "") if !sigil.as_bytes()[0].is_ascii_alphanumeric() => {
                Piece::Punct(sigil.as_bytes()[0] as char)
            }
            _ => Piece::Word(word),
        });
    }
    pieces
}
