//! Integer expressions of sequences: `(seq_lens[b] + 255) / 256`.

use crate::data::{DataError, clip};
use std::fmt;

/// Maximum number of parentheses, calls and signs around a number.
const DEEPEST: usize = 64;

/// Longest expression, in bytes.
const LONGEST: usize = 4096;

/// Values of the names in an expression.
pub trait Names {
    /// The value of a scalar or of the index of a repetition.
    fn scalar(&self, name: &str) -> Option<i64>;

    /// Value of an element in a buffer of integers. `index` has a position in each dimension, or a single one among all
    /// elements.
    ///
    /// # Errors
    /// An unknown buffer or element, or a buffer without integers.
    fn element(&self, name: &str, index: &[i64]) -> Result<i64, DataError>;
}

/// An integer expression: numbers, names, elements of buffers (`seq_lens[b]`), `+ - * / %`, `min`, `max`, `ceil_div`.
///
/// `/` and `%` round towards minus infinity, as in Python. Numbers have 64 bits; a result that does not fit is an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression(Node);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    Number(i64),
    Name(String),
    Element(String, Vec<Node>),
    Binary(Operator, Box<(Node, Node)>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Min,
    Max,
    CeilDiv,
}

impl Operator {
    fn apply(self, a: i64, b: i64) -> Option<i64> {
        match self {
            Operator::Add => a.checked_add(b),
            Operator::Subtract => a.checked_sub(b),
            Operator::Multiply => a.checked_mul(b),
            Operator::Divide => floor_div(a, b),
            Operator::Remainder => a.checked_sub(floor_div(a, b)?.checked_mul(b)?),
            Operator::Min => Some(a.min(b)),
            Operator::Max => Some(a.max(b)),
            Operator::CeilDiv => floor_div(a.checked_neg()?, b)?.checked_neg(),
        }
    }
}

fn floor_div(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

impl Expression {
    /// Parses an expression.
    ///
    /// # Errors
    /// Position of the syntax error, with the expected tokens.
    pub fn parse(text: &str) -> Result<Expression, DataError> {
        let mut parser = Parser::new(text)?;
        let node = parser.sum()?;
        parser.end()?;
        Ok(Expression(node))
    }

    /// Returns the value for the given values of names.
    ///
    /// # Errors
    /// An unknown name, an element that does not exist, a division by zero, a result of more than 64 bits.
    pub fn evaluate(&self, names: &dyn Names) -> Result<i64, DataError> {
        self.0.evaluate(names)
    }
}

impl From<i64> for Expression {
    fn from(number: i64) -> Expression {
        Expression(Node::Number(number))
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Node {
    fn evaluate(&self, names: &dyn Names) -> Result<i64, DataError> {
        match self {
            Node::Number(number) => Ok(*number),
            Node::Name(name) => names.scalar(name).ok_or_else(|| {
                DataError::new(format!("`{name}` is no scalar"))
                    .with_help("names are the sequence's scalars and the indices of its repetitions")
            }),
            Node::Element(name, index) => {
                let index: Result<Vec<i64>, DataError> =
                    index.iter().map(|part| part.evaluate(names)).collect();
                names.element(name, &index?)
            }
            Node::Binary(operator, both) => {
                let (a, b) = (both.0.evaluate(names)?, both.1.evaluate(names)?);
                operator.apply(a, b).ok_or_else(|| {
                    let why =
                        if b == 0 { "it divides by zero" } else { "the result does not fit in 64 bits" };
                    DataError::new(format!("`{self}` has no value for {a} and {b}: {why}"))
                })
            }
        }
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Node::Number(number) => number.fmt(f),
            Node::Name(name) => f.write_str(name),
            Node::Element(name, index) => {
                let index: Vec<String> = index.iter().map(Node::to_string).collect();
                write!(f, "{name}[{}]", index.join(", "))
            }
            Node::Binary(operator, both) => {
                let (a, b) = &**both;
                match operator {
                    Operator::Add => write!(f, "({a} + {b})"),
                    Operator::Subtract => write!(f, "({a} - {b})"),
                    Operator::Multiply => write!(f, "{a} * {b}"),
                    Operator::Divide => write!(f, "{a} / {b}"),
                    Operator::Remainder => write!(f, "{a} % {b}"),
                    Operator::Min => write!(f, "min({a}, {b})"),
                    Operator::Max => write!(f, "max({a}, {b})"),
                    Operator::CeilDiv => write!(f, "ceil_div({a}, {b})"),
                }
            }
        }
    }
}

/// A recursive descent over the text; `at` is the position in bytes.
pub(super) struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str) -> Result<Parser<'a>, DataError> {
        if text.len() > LONGEST {
            return Err(DataError::new(format!(
                "an expression has at most {LONGEST} bytes, not {}",
                text.len()
            )));
        }
        Ok(Parser { text, at: 0, depth: 0 })
    }

    /// The rest of the text, without leading spaces.
    fn rest(&mut self) -> &'a str {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        rest
    }

    /// Takes a token, if the text goes on with it.
    pub(super) fn take(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    /// Takes a name, if the text goes on with one.
    pub(super) fn word(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let word = &rest[..end];
        let is_word = !word.is_empty() && !word.starts_with(|c: char| c.is_ascii_digit());
        self.at += if is_word { end } else { 0 };
        is_word.then_some(word)
    }

    /// The error that something else should stand here.
    pub(super) fn expected(&mut self, what: &str) -> DataError {
        let rest = clip(self.rest(), 20);
        let found = if rest.is_empty() { "the end".to_owned() } else { format!("`{rest}`") };
        DataError::new(format!("`{}`: expected {what}, found {found}", clip(self.text, 80)))
    }

    pub(super) fn end(&mut self) -> Result<(), DataError> {
        if self.rest().is_empty() { Ok(()) } else { Err(self.expected("an operator or the end")) }
    }

    pub(super) fn expression(&mut self) -> Result<Expression, DataError> {
        self.sum().map(Expression)
    }

    fn sum(&mut self) -> Result<Node, DataError> {
        let mut left = self.product()?;
        loop {
            let operator = match () {
                () if self.take("+") => Operator::Add,
                () if self.take("-") => Operator::Subtract,
                () => return Ok(left),
            };
            left = Node::Binary(operator, Box::new((left, self.product()?)));
        }
    }

    fn product(&mut self) -> Result<Node, DataError> {
        let mut left = self.term()?;
        loop {
            let operator = match () {
                () if self.take("*") => Operator::Multiply,
                () if self.take("//") || self.take("/") => Operator::Divide,
                () if self.take("%") => Operator::Remainder,
                () => return Ok(left),
            };
            left = Node::Binary(operator, Box::new((left, self.term()?)));
        }
    }

    /// A term, one level deeper.
    fn term(&mut self) -> Result<Node, DataError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(DataError::new(format!(
                "`{}`: an expression nests at most {DEEPEST} levels",
                clip(self.text, 80)
            )));
        }
        let term = self.bare_term();
        self.depth -= 1;
        term
    }

    fn bare_term(&mut self) -> Result<Node, DataError> {
        if self.take("(") {
            let inner = self.sum()?;
            return self.closed(")", inner);
        }
        if self.take("-") {
            let inner = self.term()?;
            return Ok(Node::Binary(Operator::Subtract, Box::new((Node::Number(0), inner))));
        }
        if let Some(name) = self.word() {
            return self.named(name);
        }
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let number = rest[..end].parse().map_err(|_| self.expected("a number, a name or `(`"))?;
        self.at += end;
        Ok(Node::Number(number))
    }

    /// The token after a name.
    fn named(&mut self, name: &str) -> Result<Node, DataError> {
        let call = match name {
            "min" => Some(Operator::Min),
            "max" => Some(Operator::Max),
            "ceil_div" => Some(Operator::CeilDiv),
            _ => None,
        };
        if let Some(operator) = call.filter(|_| self.rest().starts_with('(')) {
            self.take("(");
            let first = self.sum()?;
            if !self.take(",") {
                return Err(self.expected("`,`"));
            }
            let second = self.sum()?;
            return self.closed(")", Node::Binary(operator, Box::new((first, second))));
        }
        if !self.take("[") {
            return Ok(Node::Name(name.to_owned()));
        }
        let mut index = vec![self.sum()?];
        while self.take(",") {
            index.push(self.sum()?);
        }
        self.closed("]", Node::Element(name.to_owned(), index))
    }

    fn closed<T>(&mut self, end: &str, inner: T) -> Result<T, DataError> {
        if self.take(end) { Ok(inner) } else { Err(self.expected(&format!("`{end}`"))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Known;

    impl Names for Known {
        fn scalar(&self, name: &str) -> Option<i64> {
            (name == "b").then_some(3)
        }

        fn element(&self, name: &str, index: &[i64]) -> Result<i64, DataError> {
            match (name, index) {
                ("lengths", [at @ 0..4]) => Ok(100 * at),
                ("table", [row, column]) => Ok(10 * row + column),
                _ => Err(DataError::new(format!("no {name}{index:?}"))),
            }
        }
    }

    fn value(text: &str) -> Result<i64, String> {
        let parsed = Expression::parse(text).map_err(|error| error.message)?;
        parsed.evaluate(&Known).map_err(|error| error.message)
    }

    #[test]
    fn values() {
        for (text, want) in [
            ("1 + 2 * 3", 7),
            ("(1 + 2) * 3", 9),
            ("10 - 3 - 2", 5),
            ("-7 / 2", -4),
            ("-7 // 2", -4),
            ("-7 % 2", 1),
            ("7 % -2", -1),
            ("ceil_div(lengths[b] + 1, 256)", 2),
            ("min(b, 2) + max(b, 8)", 10),
            ("table[b - 1, 2 * b]", 26),
            ("--b", 3),
            ("9223372036854775807", i64::MAX),
        ] {
            assert_eq!(value(text), Ok(want), "{text}");
        }
    }

    #[test]
    fn texts_read_back() {
        for text in ["1 + 2 * (3 - b)", "table[b, 1] % 7 / 2", "min(1, ceil_div(b, 2))", "a - (b - c)"] {
            let parsed = Expression::parse(text).expect("an expression");
            assert_eq!(Expression::parse(&parsed.to_string()), Ok(parsed), "{text}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (text, want) in [
            ("", "`: expected a number, a name or `(`, found the end"),
            ("1 +", "expected a number"),
            ("(1", "expected `)`, found the end"),
            ("1 2", "expected an operator or the end, found `2`"),
            ("lengths[1", "expected `]`"),
            ("min(1)", "expected `,`"),
            ("c + 1", "`c` is no scalar"),
            ("1 / (b - 3)", "divides by zero"),
            ("9223372036854775807 + 1", "does not fit in 64 bits"),
            ("9223372036854775808", "expected a number"),
            ("lengths[4]", "no lengths[4]"),
        ] {
            let error = value(text).expect_err(text);
            assert!(error.contains(want), "{text}: {error}");
        }
    }

    #[test]
    fn deep_and_long_texts_end() {
        let deep = format!("{}1{}", "(".repeat(5000), ")".repeat(5000));
        assert!(value(&deep[..LONGEST]).is_err_and(|error| error.contains("nests")));
        assert!(value(&"-".repeat(LONGEST)).is_err_and(|error| error.contains("nests")));
        assert!(value(&deep).is_err_and(|error| error.contains("bytes")));
        assert_eq!(value(&vec!["1"; 1000].join("+")), Ok(1000));
    }
}
