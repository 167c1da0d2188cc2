//! Generated contents that several launches of a program share.

use super::Generator;
use pto_machine::sim::Storage;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum number of kept bytes in total; further contents are generated anew.
const MOST_BYTES: usize = 512 << 20;

/// Seed, rank, argument and generator of the contents.
type Key = (u64, u32, usize, Generator);

/// Generated contents of buffers of one program. A shorter buffer gets the first bytes of the kept contents, since a
/// generated value depends only on its index.
#[derive(Clone, Debug, Default)]
pub struct Kept(BTreeMap<Key, Arc<Vec<u8>>>);

/// The first bytes of kept contents.
struct Start {
    of: Arc<Vec<u8>>,
    bytes: usize,
}

impl AsRef<[u8]> for Start {
    fn as_ref(&self) -> &[u8] {
        &self.of[..self.bytes]
    }
}

impl Kept {
    /// Returns contents of `bytes` bytes. `fill` generates them if they are not kept.
    pub(super) fn contents<E>(
        &mut self,
        key: Key,
        bytes: u64,
        fill: impl FnOnce() -> Result<Storage, E>,
    ) -> Result<Storage, E> {
        let known = self.0.get(&key).filter(|known| known.len() as u64 >= bytes);
        let of = match known {
            Some(known) => Arc::clone(known),
            None if bytes > (MOST_BYTES - self.bytes().min(MOST_BYTES)) as u64 => return fill(),
            None => {
                let made = Arc::new(fill()?.into_vec());
                self.0.insert(key, Arc::clone(&made));
                made
            }
        };
        let bytes = of.len().min(bytes as usize);
        Ok(Storage::shared(Arc::new(Start { of, bytes })))
    }

    fn bytes(&self) -> usize {
        self.0.values().map(|known| known.len()).sum()
    }
}
