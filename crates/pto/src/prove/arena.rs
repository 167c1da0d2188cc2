//! Memory for the launches of a verification: contents that a launch does not write are shared, and copies of others are made in memory of
//! launches that have ended, whose pages the system has given already.

use pto_machine::sim::{Lent, Storage, Value};
use std::sync::{Arc, Mutex, PoisonError};

/// Most bytes of ended launches that are kept.
const MOST_BYTES: usize = 256 << 20;

/// Memory of launches that have ended.
#[derive(Clone, Debug, Default)]
pub(super) struct Arena(Arc<Mutex<Vec<Vec<u8>>>>);

/// Arguments of a launch that runs several times: for each rank, its values. Buffers are shared.
pub(super) struct Arguments(Vec<Vec<Argument>>);

enum Argument {
    Buffer(Arc<Storage>),
    Other(Value),
}

impl Arguments {
    pub(super) fn of(ranks: Vec<Vec<Value>>) -> Arguments {
        let share = |value| match value {
            Value::Buffer { bytes } => Argument::Buffer(Arc::new(bytes)),
            other => Argument::Other(other),
        };
        Arguments(ranks.into_iter().map(|values| values.into_iter().map(share).collect()).collect())
    }

    /// The bytes of all buffers.
    pub(super) fn bytes(&self) -> u64 {
        let bytes = |argument: &Argument| match argument {
            Argument::Buffer(original) => original.len() as u64,
            Argument::Other(_) => 0,
        };
        self.0.iter().flatten().map(bytes).sum()
    }
}

impl Arena {
    /// Values for one launch.
    pub(super) fn values(&self, arguments: &Arguments) -> Vec<Vec<Value>> {
        let value = |argument: &Argument| match argument {
            Argument::Buffer(original) => {
                let copy = Copy { original: Arc::clone(original), own: None, arena: self.clone() };
                Value::Buffer { bytes: Storage::lent(copy) }
            }
            Argument::Other(value) => value.clone(),
        };
        arguments.0.iter().map(|values| values.iter().map(value).collect()).collect()
    }

    /// A copy of bytes, in the smallest kept memory that holds them.
    fn copy(&self, bytes: &[u8]) -> Vec<u8> {
        let mut memory = self.all(|all| {
            let fits = all.iter().enumerate().filter(|(_, memory)| memory.capacity() >= bytes.len());
            let smallest = fits.min_by_key(|(_, memory)| memory.capacity()).map(|(at, _)| at);
            smallest.map_or(Vec::new(), |at| all.swap_remove(at))
        });
        memory.clear();
        memory.extend_from_slice(bytes);
        memory
    }

    fn keep(&self, memory: Vec<u8>) {
        self.all(|all| {
            let kept: usize = all.iter().map(Vec::capacity).sum();
            if kept.saturating_add(memory.capacity()) <= MOST_BYTES {
                all.push(memory);
            }
        });
    }

    fn all<R>(&self, use_them: impl FnOnce(&mut Vec<Vec<u8>>) -> R) -> R {
        use_them(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Contents that are copied when they are first written.
struct Copy {
    original: Arc<Storage>,
    own: Option<Vec<u8>>,
    arena: Arena,
}

impl Lent for Copy {
    fn bytes(&self) -> &[u8] {
        self.own.as_deref().unwrap_or(&self.original)
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        self.own.get_or_insert_with(|| self.arena.copy(&self.original))
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        self.own.take().into_iter().for_each(|memory| self.arena.keep(memory));
    }
}
