//! The parts of buffers that a launch can access.

use super::session::{BufferId, Given, Launch, SessionBuffer};
use crate::data::item_bytes;
use std::collections::BTreeMap;
use std::ops::Range;

/// The part of a buffer that a launch can access: from the first of its parts to the last.
#[derive(Clone, Debug)]
pub(super) struct Window {
    pub(super) buffer: BufferId,
    /// Byte range in the buffer.
    pub(super) bytes: Range<usize>,
    /// The argument whose part starts first.
    pub(super) argument: usize,
}

/// The windows of a launch, in the order of its buffers.
pub(super) fn windows(launch: &Launch<'_>, buffers: &[SessionBuffer]) -> Vec<Window> {
    let mut windows: BTreeMap<BufferId, Window> = BTreeMap::new();
    for (argument, given) in launch.given.iter().enumerate() {
        let Given::Part(part) = given else { continue };
        let size = item_bytes(buffers[part.buffer.0].element);
        let bytes = part.first * size..part.end * size;
        let window = windows.entry(part.buffer).or_insert(Window {
            buffer: part.buffer,
            bytes: bytes.clone(),
            argument,
        });
        if bytes.start < window.bytes.start {
            (window.bytes.start, window.argument) = (bytes.start, argument);
        }
        window.bytes.end = window.bytes.end.max(bytes.end);
    }
    let mut windows: Vec<Window> = windows.into_values().collect();
    windows.sort_by_key(|window| window.argument);
    windows
}
