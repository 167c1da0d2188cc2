//! Synchronization that a program already contains. Its lines are marked `given`.

use super::draft::Draft;
use super::vector::{elementwise, load, store};

/// The comment after synchronization of the program itself.
pub(crate) const GIVEN: &str = "// given";

/// A flag that is set, and awaited some statements later: outside of loops, where each id is used once.
pub(super) fn flags(draft: &mut Draft<'_>) {
    if !draft.is_straight || draft.events >= 3 {
        return barrier(draft);
    }
    draft.has("given flags");
    let event = 7 - draft.events;
    draft.events += 1;
    let pair = *draft.rng.pick(&["<PIPE_MTE2>, <PIPE_V>", "<PIPE_V>, <PIPE_MTE3>", "<PIPE_V>, <PIPE_MTE2>"]);
    load(draft);
    elementwise(draft);
    draft.line(&format!("pto.set_flag[{pair}, <EVENT_ID{event}>] {GIVEN}"));
    if draft.rng.chance(60) {
        elementwise(draft);
    }
    draft.line(&format!("pto.wait_flag[{pair}, <EVENT_ID{event}>] {GIVEN}"));
    store(draft);
}

/// A barrier of one pipe, or of all.
pub(super) fn barrier(draft: &mut Draft<'_>) {
    draft.has("given barrier");
    let pipe = *draft.rng.pick(&["PIPE_ALL", "PIPE_MTE2", "PIPE_MTE3"]);
    draft.line(&format!("pto.barrier <{pipe}> {GIVEN}"));
}
