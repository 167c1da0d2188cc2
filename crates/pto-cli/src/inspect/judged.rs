//! Predictions, before a run, of the properties that each watcher can judge in a kernel.

use pto::analysis::{Inventory, Synchronization};
use pto::observe::Watcher;

/// Name of each watcher, and the properties that it can judge in this kernel.
pub fn judgements(inventory: &Inventory) -> Vec<(&'static str, &'static str)> {
    let race = match inventory.synchronization {
        Synchronization::Explicit => "all accesses, within a core by the flags and barriers of the program",
        Synchronization::Missing => {
            "tiles have addresses but nothing orders the pipes: one finding, `race::no-sync`; with `--sync inserted` \
             only cores, blocks and ranks"
        }
        _ => {
            "cores, blocks and ranks; within a core nothing, since the assembler places tiles and inserts flags"
        }
    };
    let waits = !inventory.flags.is_empty() || inventory.tokens > 0 || inventory.core_flags > 0;
    let sync = match (waits, inventory.barriers.is_empty()) {
        (true, _) => "flags, tokens and barriers: missing sets, sets twice, left set, redundant",
        (false, false) => "barriers: redundant or too wide",
        (false, true) => "nothing: the program has no flag and no barrier",
    };
    let placed = inventory.tiles.iter().any(|tile| tile.address.is_some());
    let mem = match placed {
        true => "stores, slots, views, and tiles that overwrite each other at their addresses",
        false => "stores, slots and views; tiles without addresses do not overlap",
    };
    let init = "reads of bytes that nothing has written";
    let own = [(Watcher::Race, race), (Watcher::Sync, sync), (Watcher::Init, init), (Watcher::Mem, mem)];
    let others = Watcher::ALL.into_iter().filter(|watcher| own.iter().all(|(known, _)| known != watcher));
    let all = own.into_iter().chain(others.map(|watcher| (watcher, watcher.summary())));
    all.map(|(watcher, text)| (watcher.word(), text)).collect()
}
