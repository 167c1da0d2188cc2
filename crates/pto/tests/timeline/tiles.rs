//! Tiles of a timed launch: the times at which they hold values, and the bytes that several of them use.

use super::{EXP, LOAD, STORE, TILES, device, flag, program, record, recorded};
use pto::isa::Buffer;
use pto::observe::{Watcher, Watchers};
use pto::sim::{Options, Value};
use pto::timeline::{Detail, TileOccupancy, occupancy, time};

/// `%u` at the address of `%t`.
const ALIASES: &str = "  %t = pto.alloc_tile addr = %a0 : !t
  %u = pto.alloc_tile addr = %a0 : !t";

#[test]
fn a_tile_is_live_from_its_write_to_its_last_read() {
    let device = device();
    let round = [LOAD, &flag("MTE2", "V"), EXP, &flag("V", "MTE3"), STORE, &flag("MTE3", "MTE2")].concat();
    let recording = record(&program("a2a3", TILES, &[round.as_str(), &round].concat()), 1, 1000);
    let timing = time(&recording, &device, Detail::Spans { most: usize::MAX }).expect("a timing");
    let buffers = occupancy(&recording, &timing, 0, 0);
    let [buffer] = &buffers[..] else { panic!("{buffers:#?}") };
    assert_eq!((buffer.buffer, buffer.vector_core), (Some(Buffer::Ub), Some(0)));
    // Load, exponential with its latency, store: the second round begins when the first one has ended.
    let half = timing.cycles / 2.0;
    let [tile] = &buffer.tiles[..] else { panic!("{buffer:#?}") };
    let lives: Vec<(f64, f64)> = tile.lives.iter().map(|life| (life.start, life.end)).collect();
    assert_eq!(lives, [(0.0, half), (half, timing.cycles)]);
    assert_eq!(
        (tile.name.as_str(), tile.address, tile.bytes, tile.used, tile.read),
        ("t", 0, 4096, 4096, 4096)
    );
    assert_eq!((buffer.live_peak, buffer.unused, buffer.reused), ((4096, 0.0), 0, 0));
    let [live] = &buffer.live[..] else { panic!("{buffer:#?}") };
    assert_eq!(live.memory, Buffer::Ub);
    assert_eq!(
        live.levels,
        [(0.0, 4096), (timing.cycles, 0)],
        "the second value begins when the first one ends"
    );
    assert!(buffer.overlaps.is_empty());
    assert!(occupancy(&recording, &timing, 0, 1).is_empty());
}

#[test]
fn a_span_has_its_tiles_and_the_wait_before_it() {
    let device = device();
    let round = [LOAD, &flag("MTE2", "V"), EXP, &flag("V", "MTE3"), STORE].concat();
    let recording = record(&program("a2a3", TILES, &round), 1, 1000);
    let timing = time(&recording, &device, Detail::Spans { most: usize::MAX }).expect("a timing");
    let [load, exp, store] = timing.spans() else { panic!("{:#?}", timing.spans()) };
    assert_eq!((load.waited, load.held_by), (0.0, None));
    // The exponential is issued at the start, and waits until the tile is loaded; the store until its results are there.
    assert_eq!((exp.waited, store.waited), (32.0, exp.done));
    for span in [exp, store] {
        let held_by = span.held_by.expect("a wait") as usize;
        assert_eq!(timing.sources[held_by].name, "wait_flag");
    }
    assert_eq!(recording.tile_names(load), [vec![], vec!["t"]]);
    assert_eq!(recording.tile_names(exp), [vec!["t"], vec!["t"]]);
}

#[test]
fn tiles_that_hold_values_in_the_same_bytes_are_found() {
    let device = device();
    let load_u = LOAD.replace("%t", "%u").replace("%vx", "%vy");
    let store_u = STORE.replace("%t", "%u");
    let body = [LOAD, &load_u, &flag("MTE2", "MTE3"), &store_u, STORE].concat();
    let program = program("a2a3", ALIASES, &body);
    let values = vec![Value::buffer(vec![0; 4096]), Value::buffer(vec![1; 4096])];
    let mem = Watchers::of(&[Watcher::Mem]);
    let (recording, found) = recorded(&program, values, &Options::default(), (100, mem));
    assert_eq!(found.len(), 1, "{found:#?}");
    let timing = time(&recording, &device, Detail::Spans { most: usize::MAX }).expect("a timing");
    let [buffer] = &occupancy(&recording, &timing, 0, 0)[..] else { panic!("one buffer") };
    let reads = |tile: &TileOccupancy| tile.lives.iter().map(|life| life.reads).collect::<Vec<_>>();
    assert_eq!(buffer.tiles.iter().map(reads).collect::<Vec<_>>(), [vec![1], vec![1]]);
    assert_eq!(buffer.reused, 4096);
    let [overlap] = &buffer.overlaps[..] else { panic!("{buffer:#?}") };
    assert_eq!((overlap.tiles, overlap.address, overlap.bytes, overlap.start), ([0, 1], 0, 4096, 32.0));
    // The watcher also reports the overlap, and its accesses are on the timeline: the second load, then the second store.
    let [conflict] = &recording.conflicts[..] else { panic!("{:#?}", recording.conflicts) };
    assert_eq!(conflict.rule, "mem::clobbered");
    let starts = recording.conflict_spans(&timing)[0].map(|span| timing.spans()[span.expect("a span")].start);
    assert_eq!(starts, [32.0, 128.0]);
}

/// A value that is written through one name and read through another at its address is one value of one tile.
#[test]
fn two_names_of_one_value_are_one_tile() {
    let device = device();
    let next = "  pto.texp ins(%t : !t) outs(%u : !t)\n  pto.barrier <PIPE_V>\n";
    let buffers = |body: &str| {
        let recording = record(&program("a2a3", ALIASES, body), 1, 1000);
        let timing = time(&recording, &device, Detail::Spans { most: usize::MAX }).expect("a timing");
        occupancy(&recording, &timing, 0, 0)
    };
    let round = [LOAD, &flag("MTE2", "V"), next, next, &flag("V", "MTE3"), STORE].concat();
    let [buffer] = &buffers(&round)[..] else { panic!("one buffer") };
    let [tile] = &buffer.tiles[..] else { panic!("{buffer:#?}") };
    let lives: Vec<(u64, u64)> = tile.lives.iter().map(|life| (life.writes, life.reads)).collect();
    assert_eq!((tile.name.as_str(), &lives[..], tile.sources.len()), ("t", &[(3, 3)][..], 4));
    assert_eq!((buffer.reused, buffer.overlaps.len()), (0, 0));
    // If the second name is read too, it holds a value of its own, which replaces the first.
    let store_u = STORE.replace("%t", "%u");
    let round = [LOAD, &flag("MTE2", "V"), next, &flag("V", "MTE3"), &store_u, STORE].concat();
    let [buffer] = &buffers(&round)[..] else { panic!("one buffer") };
    assert_eq!((buffer.tiles.len(), buffer.reused), (2, 4096));
}
