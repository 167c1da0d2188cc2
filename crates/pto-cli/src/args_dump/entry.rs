//! A record of a dump: one argument of one task, at one stage.

use super::element;
use pto::data::{DataError, clip, item_bytes, shape_text};
use pto::isa::Element;
use serde::Deserialize;
use serde::de::{Deserializer, Error};
use serde_json::Value;

/// Largest extent of a tensor in bytes, from its first to its last element; limits the strides of a dump.
const FARTHEST: u64 = 1 << 32;

/// Maximum number of dimensions of a tensor.
const MOST_DIMENSIONS: usize = 64;

/// Use of an argument by a task.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The task reads the argument.
    Input,
    /// The task writes the argument.
    Output,
    /// The task reads and writes the argument.
    InOut,
}

/// When a record was made.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Before the task ran.
    BeforeDispatch,
    /// After it ended.
    AfterCompletion,
}

/// Kind of an argument.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A buffer.
    #[default]
    Tensor,
    /// A number.
    Scalar,
}

/// A record.
#[derive(Clone, Debug, Deserialize)]
pub struct Entry {
    /// The run, if the dump has several.
    #[serde(default)]
    pub run_epoch: u64,
    /// The task, as the dump spells it.
    #[serde(deserialize_with = "task_id")]
    pub task_id: String,
    /// Numbers of the functions that the task runs; empty if the dump does not record them.
    #[serde(default, deserialize_with = "func_id")]
    pub func_id: Vec<i64>,
    /// Number of blocks. Only dumps of `pto run --dump-args` record it.
    pub blocks: Option<u32>,
    /// Number of the argument: tensors first, then scalars.
    pub arg_index: usize,
    /// Use of the argument by the task.
    pub role: Role,
    /// When the record was made.
    pub stage: Stage,
    /// Tensor or scalar.
    #[serde(default)]
    pub kind: Kind,
    /// Name of the element type.
    pub dtype: String,
    /// The value of a scalar.
    pub value: Option<Value>,
    /// Extents, outermost first.
    #[serde(default)]
    pub shape: Vec<usize>,
    /// Strides in elements, of the memory that the task saw; empty if contiguous.
    #[serde(default)]
    pub strides: Vec<u64>,
    /// Whether only the start of the contents was kept.
    #[serde(default)]
    pub truncated: bool,
    /// Whether the contents were overwritten before they were saved.
    #[serde(default)]
    pub overwritten: bool,
    /// Whether the host did not keep the contents.
    #[serde(default)]
    pub host_discarded: bool,
    /// Place of the contents in the file, in bytes.
    #[serde(default)]
    pub bin_offset: u64,
    /// Size of the contents in the file, in bytes.
    #[serde(default)]
    pub bin_size: u64,
}

/// A record as it is written; one that cannot be understood does not prevent the others from being read.
pub struct Raw(pub Result<Entry, String>);

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Raw, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let task = value.get("task_id").map(|id| format!("task {}: ", clip(&id.to_string(), 40)));
        let entry = serde_json::from_value(value);
        Ok(Raw(entry.map_err(|error| format!("{}{error}", task.unwrap_or_default()))))
    }
}

/// A task as text or as a number.
fn task_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::String(text) => Ok(clip(&text, 40)),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(D::Error::custom("`task_id` is neither a text nor a number")),
    }
}

/// Functions as a list or, in older dumps, as one number; negative ones are unknown.
fn func_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<i64>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        One(i64),
        List(Vec<i64>),
    }
    let list = match Written::deserialize(deserializer)? {
        Written::One(id) => vec![id],
        Written::List(list) => list,
    };
    Ok(list.into_iter().filter(|id| *id >= 0).collect())
}

impl Entry {
    /// Element type of the argument.
    ///
    /// # Errors
    /// An unknown type name.
    pub fn element(&self) -> Result<Element, DataError> {
        element(&self.dtype).ok_or_else(|| {
            let names: Vec<&str> = super::DTYPES.iter().map(|(_, names)| names[0]).collect();
            self.error(format!("the dtype `{}` is not known", clip(&self.dtype, 40)))
                .with_help(format!("known are {}", names.join(", ")))
        })
    }

    /// An error in this record.
    pub fn error(&self, what: impl std::fmt::Display) -> DataError {
        let stage = match self.stage {
            Stage::BeforeDispatch => "before",
            Stage::AfterCompletion => "after",
        };
        DataError::new(format!("argument {} ({stage} the task): {what}", self.arg_index))
    }

    /// Checks the description of a tensor against the size of the contents, given the bytes in the file.
    ///
    /// # Errors
    /// The mismatch.
    pub fn check(&self, file: u64) -> Result<Layout, DataError> {
        let lost = [
            (self.truncated, "only the start of its contents was dumped"),
            (self.overwritten, "its contents were overwritten before they were saved"),
            (self.host_discarded, "the host did not keep its contents"),
        ];
        if let Some((_, what)) = lost.iter().find(|(lost, _)| *lost) {
            return Err(self.error(what));
        }
        let layout = self.layout()?;
        let size = (layout.items * item_bytes(layout.element)) as u64;
        if self.bin_size != size {
            return Err(self.error(format!(
                "{} bytes are dumped, but {} of {} takes {size}",
                self.bin_size,
                shape_text(&self.shape),
                self.dtype
            )));
        }
        if self.bin_offset.checked_add(size).is_none_or(|end| end > file) {
            return Err(self.error(format!(
                "its {size} bytes at {} end after the {file} bytes of the contents",
                self.bin_offset
            )));
        }
        Ok(layout)
    }

    /// Places of its elements in the memory that the task saw.
    fn layout(&self) -> Result<Layout, DataError> {
        let element = self.element()?;
        let too_large = || self.error(format!("the shape {} is too large", shape_text(&self.shape)));
        if self.shape.len() > MOST_DIMENSIONS {
            return Err(self.error(format!("{} dimensions are too many", self.shape.len())));
        }
        let items = self.shape.iter().try_fold(1usize, |items, extent| items.checked_mul(*extent));
        let items = items.filter(|items| *items as u64 <= FARTHEST).ok_or_else(too_large)?;
        let strides = match &self.strides[..] {
            [] => contiguous(&self.shape),
            strides if strides.len() == self.shape.len() => strides.to_vec(),
            strides => {
                let message = format!("{} strides for {} dimensions", strides.len(), self.shape.len());
                return Err(self.error(message));
            }
        };
        let mut last = 0u64;
        for (extent, stride) in self.shape.iter().zip(&strides).filter(|_| items > 0) {
            let step = (*extent as u64 - 1).checked_mul(*stride);
            last = step.and_then(|step| last.checked_add(step)).unwrap_or(u64::MAX);
        }
        let reach = last.saturating_add(1).saturating_mul(item_bytes(element) as u64);
        if reach > FARTHEST {
            let strides = &self.strides;
            return Err(self.error(format!(
                "the strides {strides:?} leave its contents: they reach {reach} bytes, more than any tensor has"
            )));
        }
        let extent = if items == 0 { 0 } else { last as usize + 1 };
        Ok(Layout { element, items, shape: self.shape.clone(), strides, extent })
    }
}

/// Strides of a contiguous tensor.
fn contiguous(shape: &[usize]) -> Vec<u64> {
    let mut strides = vec![1u64; shape.len()];
    for at in (1..shape.len()).rev() {
        strides[at - 1] = strides[at].saturating_mul(shape[at] as u64);
    }
    strides
}

/// Places of the elements of a tensor in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Element type.
    pub element: Element,
    /// Number of elements.
    pub items: usize,
    /// Extents.
    pub shape: Vec<usize>,
    strides: Vec<u64>,
    /// Elements from the first to the last in memory.
    pub extent: usize,
}

impl Layout {
    /// Whether the elements are in memory as they are in the dump.
    pub fn is_contiguous(&self) -> bool {
        self.strides == contiguous(&self.shape) || self.items <= 1
    }

    /// The place in memory of each element, in order; in elements.
    pub fn places(&self) -> impl Iterator<Item = usize> + '_ {
        let mut index = vec![0usize; self.shape.len()];
        let mut place = 0usize;
        (0..self.items).map(move |_| {
            let here = place;
            for axis in (0..index.len()).rev() {
                index[axis] += 1;
                place += self.strides[axis] as usize;
                if index[axis] < self.shape[axis] {
                    break;
                }
                place -= self.strides[axis] as usize * self.shape[axis];
                index[axis] = 0;
            }
            here
        })
    }

    /// Writes the elements of the dump to their places in memory.
    pub fn scatter(&self, dumped: &[u8], memory: &mut [u8]) {
        let size = item_bytes(self.element);
        for (item, place) in dumped.chunks_exact(size).zip(self.places()) {
            memory[place * size..(place + 1) * size].copy_from_slice(item);
        }
    }

    /// The elements in memory, in the order of the dump.
    pub fn gather(&self, memory: &[u8]) -> Vec<u8> {
        let size = item_bytes(self.element);
        let mut dumped = Vec::with_capacity(self.items * size);
        self.places().for_each(|place| dumped.extend_from_slice(&memory[place * size..(place + 1) * size]));
        dumped
    }
}
