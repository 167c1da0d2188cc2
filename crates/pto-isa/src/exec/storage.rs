//! Contents of a buffer in global memory: owned, shared until it is written, or lent and written in place.

use std::any::Any;
use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// Memory outside of a launch that the launch reads and writes in place: a mapped file, an array of another language.
///
/// The launch has exclusive access while it runs.
pub trait Lent: Any + Send + Sync {
    /// The contents.
    fn bytes(&self) -> &[u8];

    /// The contents, for writing.
    fn bytes_mut(&mut self) -> &mut [u8];

    /// Whether the memory has no writer outside the launch while an instruction of the launch runs.
    fn is_steady(&self) -> bool {
        true
    }

    /// Announces a write to a range of the contents. Each range is announced before [`bytes_mut`](Lent::bytes_mut).
    fn will_write(&mut self, _range: Range<usize>) {}
}

/// The contents of a buffer: owned, shared with others until the launch writes to them, or lent and written in place.
///
/// ```
/// use pto::sim::Storage;
/// use std::sync::Arc;
///
/// let weights: Arc<Vec<u8>> = Arc::new(vec![1, 2, 3]);
/// let mut storage = Storage::shared(weights.clone());
/// storage.to_mut()[0] = 9;
/// assert_eq!((&*storage, &**weights), (&[9, 2, 3][..], &[1, 2, 3][..]));
/// ```
#[derive(Default)]
pub struct Storage(Contents);

enum Contents {
    Own(Vec<u8>),
    Shared(Arc<dyn AsRef<[u8]> + Send + Sync>),
    Lent(Box<dyn Lent>),
}

impl Default for Contents {
    fn default() -> Contents {
        Contents::Own(Vec::new())
    }
}

impl Storage {
    /// Contents that others share. They are copied if the launch writes to them.
    pub fn shared(bytes: Arc<dyn AsRef<[u8]> + Send + Sync>) -> Storage {
        Storage(Contents::Shared(bytes))
    }

    /// Memory that the launch writes in place.
    pub fn lent(memory: impl Lent) -> Storage {
        Storage(Contents::Lent(Box::new(memory)))
    }

    /// Whether the contents have no writer outside the launch while an instruction of the launch runs.
    pub fn is_steady(&self) -> bool {
        !matches!(&self.0, Contents::Lent(memory) if !memory.is_steady())
    }

    /// The lent memory, if it has this type.
    pub fn lender<T: Lent>(&self) -> Option<&T> {
        match &self.0 {
            Contents::Lent(memory) => (&**memory as &dyn Any).downcast_ref(),
            _ => None,
        }
    }

    /// The contents, for writing.
    pub fn to_mut(&mut self) -> &mut [u8] {
        let all = 0..self.len();
        self.to_mut_in(|each| each(all))
    }

    /// The contents, for writing in the ranges for which `ranges` calls its argument.
    #[inline]
    pub fn to_mut_in(&mut self, ranges: impl FnOnce(&mut dyn FnMut(Range<usize>))) -> &mut [u8] {
        if let Contents::Shared(bytes) = &self.0 {
            self.0 = Contents::Own((**bytes).as_ref().to_vec());
        }
        match &mut self.0 {
            Contents::Own(bytes) => bytes,
            Contents::Lent(memory) => {
                ranges(&mut |range| memory.will_write(range));
                memory.bytes_mut()
            }
            Contents::Shared(_) => &mut [],
        }
    }

    /// Whether the contents belong to this value alone, so that [`into_vec`](Storage::into_vec) does not copy them.
    pub fn is_owned(&self) -> bool {
        matches!(self.0, Contents::Own(_))
    }

    /// The contents; a copy if they are shared or lent.
    pub fn into_vec(self) -> Vec<u8> {
        match self.0 {
            Contents::Own(bytes) => bytes,
            Contents::Shared(bytes) => (*bytes).as_ref().to_vec(),
            Contents::Lent(memory) => memory.bytes().to_vec(),
        }
    }
}

impl Deref for Storage {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match &self.0 {
            Contents::Own(bytes) => bytes,
            Contents::Shared(bytes) => (**bytes).as_ref(),
            Contents::Lent(memory) => memory.bytes(),
        }
    }
}

impl Clone for Storage {
    /// Shared contents stay shared; others are copied.
    fn clone(&self) -> Storage {
        match &self.0 {
            Contents::Shared(bytes) => Storage(Contents::Shared(Arc::clone(bytes))),
            _ => Storage::from(self.to_vec()),
        }
    }
}

impl From<Vec<u8>> for Storage {
    fn from(bytes: Vec<u8>) -> Storage {
        Storage(Contents::Own(bytes))
    }
}

impl PartialEq for Storage {
    /// Contents that both share need no comparison.
    fn eq(&self, other: &Storage) -> bool {
        std::ptr::eq(&**self, &**other) || **self == **other
    }
}

impl Eq for Storage {}

impl PartialEq<[u8]> for Storage {
    fn eq(&self, other: &[u8]) -> bool {
        **self == *other
    }
}

impl PartialEq<Vec<u8>> for Storage {
    fn eq(&self, other: &Vec<u8>) -> bool {
        **self == **other
    }
}

impl<'a> IntoIterator for &'a Storage {
    type Item = &'a u8;
    type IntoIter = std::slice::Iter<'a, u8>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
