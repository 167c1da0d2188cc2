//! The description of a sequence, as a file spells it.

use super::expression::{Expression, Names, Parser};
use crate::data::{DataError, clip, dtype};
use pto_num::Element;
use std::collections::BTreeMap;

/// A sequence of launches. Every text in it is read when a [`Plan`](super::Plan) is made of it.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(deny_unknown_fields))]
pub struct Sequence {
    /// Named integers for expressions. Each is a number, or an expression of the preceding ones in alphabetical order.
    #[cfg_attr(feature = "serde", serde(default))]
    pub scalars: BTreeMap<String, Number>,
    /// Buffers by name, with element type and shape: `bf16[16, heads * 128]`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub buffers: BTreeMap<String, String>,
    /// Names of the buffers that are results: they may end unread, and are printed.
    #[cfg_attr(feature = "serde", serde(default))]
    pub results: Vec<String>,
    /// Steps, in order.
    #[cfg_attr(feature = "serde", serde(default))]
    pub step: Vec<Step>,
}

/// A launch, if it has a `kernel`; else a group of steps.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(deny_unknown_fields, default))]
pub struct Step {
    /// File of the kernel of a launch.
    pub kernel: Option<String>,
    /// Function to run, if the file has several.
    pub entry: Option<String>,
    /// Name of the launch in messages; default: that of the function.
    pub name: Option<String>,
    /// Number of blocks: an expression. Default: 1.
    pub blocks: Option<Number>,
    /// Arguments of the launch.
    pub arguments: Arguments,
    /// Repetition of a group: `b = 0..16`, or `b = 0..n step 2`.
    pub repeat: Option<String>,
    /// Whether the repetitions of a group, or else its steps, have no order among each other.
    pub parallel: bool,
    /// Buffers of a group, made anew for each repetition.
    pub buffers: BTreeMap<String, String>,
    /// The steps of a group.
    pub step: Vec<Step>,
}

/// Arguments of a launch, either by name, or in order without the arguments that the launch supplies itself.
///
/// A buffer is a name, `name[first..end]` in elements, or `name[first..]`. A scalar is a number or an expression.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(untagged))]
#[cfg_attr(
    feature = "serde",
    serde(expecting = "arguments are a list, or a table by name, of numbers and texts")
)]
pub enum Arguments {
    /// In order.
    List(Vec<Number>),
    /// By name.
    Named(BTreeMap<String, Number>),
}

impl Default for Arguments {
    fn default() -> Arguments {
        Arguments::List(Vec::new())
    }
}

/// A number, or a text with an expression or a buffer.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(untagged, expecting = "a number or a text"))]
pub enum Number {
    /// A whole number.
    Integer(i64),
    /// A number with a fraction.
    Float(f64),
    /// A truth value.
    Truth(bool),
    /// A text.
    Text(String),
}

impl Number {
    /// The text for it.
    pub fn text(&self) -> String {
        match self {
            Number::Integer(number) => number.to_string(),
            Number::Float(number) => format!("{number:?}"),
            Number::Truth(truth) => truth.to_string(),
            Number::Text(text) => text.clone(),
        }
    }
}

/// Element type and shape of a buffer: `bf16[16, heads * 128]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BufferType {
    /// The element type.
    pub element: Element,
    /// The extents, outermost first, in items.
    pub shape: Vec<Expression>,
}

impl BufferType {
    /// Parses a type.
    ///
    /// # Errors
    /// An unknown element type, or extents that are not expressions.
    pub fn parse(text: &str) -> Result<BufferType, DataError> {
        let form = "a buffer's type is written such as `f32[16, 128]`";
        let mut parser = Parser::new(text)?;
        let word = parser.word().ok_or_else(|| parser.expected("an element type").with_help(form))?;
        let element = dtype::element(word).ok_or_else(|| {
            DataError::new(format!("`{}` is no element type", clip(word, 40))).with_help(form)
        })?;
        if !parser.take("[") {
            return Err(parser.expected("`[`").with_help(form));
        }
        let mut shape = vec![parser.expression()?];
        while parser.take(",") {
            shape.push(parser.expression()?);
        }
        if !parser.take("]") {
            return Err(parser.expected("`,` or `]`").with_help(form));
        }
        parser.end()?;
        Ok(BufferType { element, shape })
    }

    /// Returns the extents for the given values of names.
    ///
    /// # Errors
    /// An extent without a value, or a negative one.
    pub fn extents(&self, names: &dyn Names) -> Result<Vec<usize>, DataError> {
        let extent = |extent: &Expression| {
            let value = extent.evaluate(names)?;
            usize::try_from(value).map_err(|_| DataError::new(format!("`{extent}` = {value} is no extent")))
        };
        self.shape.iter().map(extent).collect()
    }
}

/// `b = 0..16 step 2`: the index of a repetition, its first value, its end and its step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) index: String,
    pub(super) first: Expression,
    pub(super) end: Expression,
    pub(super) step: Expression,
}

impl Range {
    pub(super) fn parse(text: &str) -> Result<Range, DataError> {
        let form = "a repetition is written such as `b = 0..16`, or `b = 0..n step 2`";
        let mut parser = Parser::new(text)?;
        let index = parser.word().ok_or_else(|| parser.expected("a name").with_help(form))?.to_owned();
        if !parser.take("=") {
            return Err(parser.expected("`=`").with_help(form));
        }
        let first = parser.expression()?;
        if !parser.take("..") {
            return Err(parser.expected("`..`").with_help(form));
        }
        let end = parser.expression()?;
        let step = if parser.take("step") { parser.expression()? } else { Expression::from(1) };
        parser.end()?;
        Ok(Range { index, first, end, step })
    }
}

/// A buffer, or a part of one: `name`, `name[first..end]`, `name[first..]`, `name[..end]`, in items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PartText {
    pub(super) buffer: String,
    pub(super) first: Option<Expression>,
    pub(super) end: Option<Expression>,
}

impl PartText {
    pub(super) fn parse(text: &str) -> Result<PartText, DataError> {
        let form = "a buffer is written as its name, or with the elements of a part: `name[first..end]`";
        let mut parser = Parser::new(text)?;
        let name = parser.word().ok_or_else(|| parser.expected("the name of a buffer").with_help(form))?;
        let mut part = PartText { buffer: name.to_owned(), first: None, end: None };
        if parser.take("[") {
            if !parser.take("..") {
                part.first = Some(parser.expression()?);
                if !parser.take("..") {
                    return Err(parser.expected("`..`").with_help(form));
                }
            }
            if !parser.take("]") {
                part.end = Some(parser.expression()?);
                if !parser.take("]") {
                    return Err(parser.expected("`]`").with_help(form));
                }
            }
        }
        parser.end().map_err(|error| error.with_help(form))?;
        Ok(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read() {
        let ty = BufferType::parse("bf16[16, n * 128]").expect("a type");
        assert_eq!((ty.element, ty.shape.len()), (Element::Bf16, 2));
        let range = Range::parse("b = 0..n step 2").expect("a range");
        assert_eq!((range.index.as_str(), range.step), ("b", Expression::from(2)));
        let part = PartText::parse("x[b * 64..(b + 1) * 64]").expect("a part");
        assert!(part.buffer == "x" && part.first.is_some() && part.end.is_some());
        assert_eq!(PartText::parse("x[4..]").expect("a part").end, None);
        assert_eq!(PartText::parse("x[..4]").expect("a part").first, None);
        assert_eq!(PartText::parse("x[..]"), PartText::parse("x"));
    }

    #[test]
    fn mistakes_are_named() {
        let said = |error: DataError| error.to_string();
        assert!(said(BufferType::parse("f64[4]").unwrap_err()).contains("`f64` is no element type"));
        assert!(said(BufferType::parse("f32").unwrap_err()).contains("expected `[`, found the end"));
        assert!(said(Range::parse("b in 0..4").unwrap_err()).contains("expected `=`, found `in 0..4`"));
        assert!(said(Range::parse("b = 0").unwrap_err()).contains("expected `..`"));
        assert!(said(PartText::parse("x[3]").unwrap_err()).contains("expected `..`"));
        assert!(said(PartText::parse("x + 4").unwrap_err()).contains("name[first..end]"));
    }
}
