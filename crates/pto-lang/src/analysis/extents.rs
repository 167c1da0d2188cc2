//! Shapes and sizes of the buffers of a kernel, given its scalars; and scalars, given shapes.

use super::expression::Expression;
use super::interface::{BufferView, Interface, Parameter};
use std::fmt;

/// Use of a buffer by a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The kernel reads the buffer.
    In,
    /// The kernel writes the buffer.
    Out,
    /// The kernel reads and writes the buffer.
    InOut,
    /// The kernel neither reads nor writes the buffer.
    Unused,
}

impl Direction {
    /// The word in reports.
    pub fn word(self) -> &'static str {
        match self {
            Direction::In => "in",
            Direction::Out => "out",
            Direction::InOut => "inout",
            Direction::Unused => "unused",
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl BufferView {
    /// End of the view: the position after its last element, in elements from the start of the buffer. `number`
    /// evaluates expressions. `None` if one is unknown, or if the result is negative. An empty view ends at its
    /// offset.
    pub fn end(&self, number: impl Fn(&Expression) -> Option<i64>) -> Option<u64> {
        let mut last = number(&self.offset)?;
        for (extent, stride) in self.shape.iter().zip(&self.strides) {
            let (extent, stride) = (number(extent)?, number(stride)?);
            if extent == 0 {
                return number(&self.offset)?.try_into().ok();
            }
            last = last.checked_add(extent.checked_sub(1)?.checked_mul(stride)?)?;
        }
        u64::try_from(last).ok()?.checked_add(1)
    }
}

impl Parameter {
    /// Use of the buffer by the kernel.
    pub fn direction(&self) -> Direction {
        match (self.reads, self.writes) {
            (true, false) => Direction::In,
            (false, true) => Direction::Out,
            (true, true) => Direction::InOut,
            (false, false) => Direction::Unused,
        }
    }

    /// The extents of a buffer, outermost first: those of its first view. `None` without a view.
    pub fn shape(&self) -> Option<&[Expression]> {
        self.views.first().map(|view| view.shape.as_slice())
    }
}

impl Interface {
    /// The number of an expression, given the values of the arguments by their numbers.
    fn number(&self, expression: &Expression, scalars: &[Option<i64>]) -> Option<i64> {
        expression.evaluate(&|function, value| {
            let is_it = |parameter: &Parameter| parameter.values.contains(&(function, value));
            *scalars.get(self.parameters.iter().position(is_it)?)?
        })
    }

    /// Length of an argument's buffer in elements that its views need; `None` if it does not follow from the scalars,
    /// or if there is no view. `scalars`: values by argument number.
    pub fn elements(&self, argument: usize, scalars: &[Option<i64>]) -> Option<u64> {
        let views = self.parameters.get(argument)?.views.iter();
        let ends = views.map(|view| view.end(|expression| self.number(expression, scalars)));
        ends.collect::<Option<Vec<u64>>>()?.into_iter().max()
    }

    /// Shape of a buffer: the extents of its first view, if that starts at the first element, has no gaps, and no
    /// other view reaches further; else one dimension. `None` if it does not follow from the scalars.
    pub fn shape(&self, argument: usize, scalars: &[Option<i64>]) -> Option<Vec<u64>> {
        let elements = self.elements(argument, scalars)?;
        let first = self.parameters.get(argument)?.views.first()?;
        let extents = first.shape.iter().map(|extent| self.number(extent, scalars)?.try_into().ok());
        let extents: Vec<u64> = extents.collect::<Option<_>>()?;
        let covers = extents.iter().try_fold(1u64, |product, extent| product.checked_mul(*extent));
        let is_whole = self.number(&first.offset, scalars) == Some(0) && covers == Some(elements);
        Some(if is_whole { extents } else { vec![elements] })
    }

    /// Sets scalars that are extents of views of buffers with known shapes. Ignores arrays whose number of dimensions
    /// differs from that of the view, and keeps scalars that are set.
    pub fn infer(&self, shapes: &[Option<Vec<u64>>], scalars: &mut [Option<i64>]) {
        for (parameter, shape) in self.parameters.iter().zip(shapes) {
            let (Some(extents), Some(shape)) = (parameter.shape(), shape) else { continue };
            if extents.len() != shape.len() {
                continue;
            }
            for (extent, length) in extents.iter().zip(shape) {
                let Expression::Value(function, value, _) = extent else { continue };
                let is_it = |parameter: &Parameter| parameter.values.contains(&(*function, *value));
                let scalar = self.parameters.iter().position(is_it).and_then(|at| scalars.get_mut(at));
                if let Some(scalar @ None) = scalar {
                    *scalar = i64::try_from(*length).ok();
                }
            }
        }
    }
}
