//! Memory for the launches of a verification. A launch reads and writes a *mirror* of each buffer: memory equal to the
//! original but in pages that were written. A launch that has ended leaves its mirrors to the next one of the same
//! contents, so that a launch costs copies and comparisons of the pages that launches have written, however large the
//! buffers are.

use pto_isa::exec::bits::Bits;
use pto_isa::exec::overlay::PAGE;
use pto_machine::sim::{Lent, Storage, Value};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of bytes of mirrors of ended launches.
const MOST_BYTES: usize = 512 << 20;

/// Mirrors of ended launches.
#[derive(Clone, Debug, Default)]
pub(super) struct Arena(Arc<Mutex<Vec<Mirror>>>);

/// Bytes that equal those of `original` except in the pages `written`.
#[derive(Debug)]
struct Mirror {
    original: Arc<Storage>,
    bytes: Vec<u8>,
    written: Bits,
}

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

    /// A mirror of contents in which no page is written: one that is kept, or the smallest kept memory that holds the contents.
    fn mirror(&self, original: &Arc<Storage>) -> Mirror {
        let kept = self.all(|all| {
            let same = all.iter().position(|mirror| is_same(&mirror.original, original));
            let fits = all.iter().enumerate().filter(|(_, mirror)| mirror.bytes.capacity() >= original.len());
            let smallest = || fits.min_by_key(|(_, mirror)| mirror.bytes.capacity()).map(|(at, _)| at);
            same.or_else(smallest).map(|at| all.swap_remove(at))
        });
        match kept {
            Some(mut mirror) if is_same(&mirror.original, original) => {
                mirror.restore();
                mirror
            }
            kept => {
                let mut bytes = kept.map_or(Vec::new(), |mirror| mirror.bytes);
                bytes.clear();
                bytes.extend_from_slice(original);
                Mirror { original: Arc::clone(original), bytes, written: Bits::default() }
            }
        }
    }

    fn keep(&self, mirror: Mirror) {
        self.all(|all| {
            let kept: usize = all.iter().map(|mirror| mirror.bytes.capacity()).sum();
            if kept.saturating_add(mirror.bytes.capacity()) <= MOST_BYTES {
                all.push(mirror);
            }
        });
    }

    fn all<R>(&self, use_them: impl FnOnce(&mut Vec<Mirror>) -> R) -> R {
        use_them(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Whether two contents are the same memory. Both must be alive and not written meanwhile.
fn is_same(a: &Storage, b: &Storage) -> bool {
    std::ptr::eq(&**a, &**b)
}

impl Mirror {
    /// Makes the bytes equal to the original.
    fn restore(&mut self) {
        let Mirror { original, bytes, written } = self;
        ranges(written, bytes.len(), |range| bytes[range.clone()].copy_from_slice(&original[range]));
        *written = Bits::default();
    }
}

/// Calls `each` for the byte ranges of runs of pages in a buffer of `bytes` bytes.
fn ranges(pages: &Bits, bytes: usize, mut each: impl FnMut(Range<usize>)) {
    pages.runs_in(0..bytes.div_ceil(PAGE), |run| each(run.start * PAGE..(run.end * PAGE).min(bytes)));
}

/// Contents of a launch, mirrored when they are first written.
struct Copy {
    original: Arc<Storage>,
    own: Option<Mirror>,
    arena: Arena,
}

impl Copy {
    fn mirror(&mut self) -> &mut Mirror {
        self.own.get_or_insert_with(|| self.arena.mirror(&self.original))
    }

    /// Whether contents equal those of another launch that began with the same ones.
    fn equals(&self, other: &Copy) -> bool {
        let mut equal = true;
        for mirror in [&self.own, &other.own].into_iter().flatten() {
            ranges(&mirror.written, mirror.bytes.len(), |range| {
                equal = equal && self.bytes()[range.clone()] == other.bytes()[range];
            });
        }
        equal
    }
}

impl Lent for Copy {
    fn bytes(&self) -> &[u8] {
        self.own.as_ref().map_or(&self.original, |mirror| &mirror.bytes)
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.mirror().bytes
    }

    fn will_write(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            self.mirror().written.set(range.start / PAGE..range.end.div_ceil(PAGE));
        }
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        self.own.take().into_iter().for_each(|mirror| self.arena.keep(mirror));
    }
}

/// Whether two launches leave the same contents.
pub(super) fn is_equal(a: &Storage, b: &Storage) -> bool {
    match (a.lender::<Copy>(), b.lender::<Copy>()) {
        (Some(a), Some(b)) if is_same(&a.original, &b.original) => a.equals(b),
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The buffers of two launches that begin with the same contents, after each has written bytes.
    fn launches(arena: &Arena, arguments: &Arguments, writes: [&[(usize, u8)]; 2]) -> [Storage; 2] {
        writes.map(|writes| {
            let mut values = arena.values(arguments);
            let Some(Value::Buffer { mut bytes }) = values[0].pop() else { panic!("one buffer") };
            for &(at, byte) in writes {
                bytes.to_mut_in(|each| each(at..at + 1))[at] = byte;
            }
            bytes
        })
    }

    #[test]
    fn a_launch_finds_the_original_where_an_earlier_one_wrote() {
        let original: Vec<u8> = (0..3 * PAGE + 5).map(|at| at as u8).collect();
        let arguments = Arguments::of(vec![vec![Value::Buffer { bytes: original.clone().into() }]]);
        let arena = Arena::default();
        drop(launches(&arena, &arguments, [&[(0, 9), (3 * PAGE + 4, 9)], &[(PAGE, 9)]]));
        let [one, other] = launches(&arena, &arguments, [&[(7, 200)], &[(2 * PAGE, 1)]]);
        for (got, at, byte) in [(one, 7, 200), (other, 2 * PAGE, 1)] {
            let mut want = original.clone();
            want[at] = byte;
            assert_eq!(got, want);
        }
    }

    #[test]
    fn contents_are_equal_if_written_pages_are() {
        let arguments = Arguments::of(vec![vec![Value::Buffer { bytes: vec![0; 2 * PAGE].into() }]]);
        let equal = |a: &[(usize, u8)], b: &[(usize, u8)]| {
            let [a, b] = launches(&Arena::default(), &arguments, [a, b]);
            is_equal(&a, &b)
        };
        assert!(equal(&[], &[]));
        assert!(equal(&[(PAGE, 0)], &[]));
        assert!(equal(&[(PAGE, 4), (3, 1)], &[(3, 1), (PAGE, 4)]));
        assert!(!equal(&[(PAGE, 4)], &[(PAGE, 5)]));
        assert!(!equal(&[], &[(2 * PAGE - 1, 5)]));
    }
}
