//! Contents of a buffer of integers that steer a program.

use super::array::shape_bytes;
use pto_isa::Element;
use pto_machine::sim::Storage;
use pto_num::set_element;
use std::fmt;

/// Integers: one value for all elements, and others by index. Indices after the end are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Integers {
    /// The value of all other elements.
    pub all: i64,
    /// Elements by index.
    pub some: Vec<(u64, i64)>,
}

impl Integers {
    /// Bytes of a buffer with `count` elements, each of at least a byte.
    pub(super) fn bytes(&self, element: Element, count: usize) -> Storage {
        let mut bytes = vec![0; shape_bytes(element, &[count]).unwrap_or(0)];
        if self.all != 0 {
            (0..count).for_each(|at| set_element(&mut bytes, 0, at, element, self.all as u64));
        }
        for (at, value) in &self.some {
            if let Some(at) = usize::try_from(*at).ok().filter(|at| *at < count) {
                set_element(&mut bytes, 0, at, element, *value as u64);
            }
        }
        bytes.into()
    }
}

impl fmt::Display for Integers {
    /// In words: `all 7`, `zeros but 1000 at 0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.all {
            0 => f.write_str("zeros")?,
            all => write!(f, "all {all}")?,
        }
        for (nth, (at, value)) in self.some.iter().enumerate() {
            write!(f, "{} {value} at {at}", if nth == 0 { " but" } else { "," })?;
        }
        Ok(())
    }
}
