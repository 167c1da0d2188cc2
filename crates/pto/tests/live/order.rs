//! The order between calls of live launches: by flags, program order, earlier launches and the waits of cores for each other.

use super::{FILL, ids, operation, rule, tile, transfer, watched};
use pto::Profile;
use pto::diag::Diagnostic;
use pto::launch::live::{Argument, Called, Core, Cores, Live, Part, Unobserved};
use pto::observe::{Watch, WatchOptions, Watchers};
use pto::sim::{Observer, Options, Storage};

#[test]
fn a_later_launch_is_ordered_after_an_earlier_one() {
    let mut live = watched(Watchers::ALL);
    let (load, store) = (live.define(&transfer("tload")), live.define(&transfer("tstore")));
    let (load, store) = (load.expect("a part"), store.expect("a part"));
    let x = live.buffer("x", Storage::from(vec![0; 32]), true).expect("a buffer");
    let fill = live.define(FILL).expect("a part");
    let all = live.define(&operation("pto.barrier #pto.pipe<PIPE_ALL>")).expect("a part");
    live.begin_launch(0, 1).expect("a rank");
    let core = live.begin_block(0).expect("a block")[0];
    live.call(core, fill, &[Argument::Scalar(0), tile(0, 1)]).expect("a call");
    live.call(core, all, &[]).expect("a call");
    live.call(core, store, &[Argument::Pointer(x), tile(0, 1)]).expect("a call");
    live.end_core(core).expect("a core that runs");
    live.end_launch(0).expect("a launch that has ended");
    live.begin_launch(0, 1).expect("a rank");
    let core = live.begin_block(0).expect("a block")[0];
    live.call(core, load, &[Argument::Pointer(x), tile(0, 2)]).expect("a call");
    assert_eq!(ids(live, core), [""; 0]);
}

/// A device, with parts that set the flag of V to MTE3 with the numbers 0 and 1, and wait for it.
fn with_flags(options: &Options) -> (Live<Watch>, [Part; 4]) {
    let watch = Watch::live(Profile::A2A3, &WatchOptions::from(Watchers::ALL), options);
    let mut live = Live::new(Profile::A2A3, options.clone(), watch);
    let texts = [("set_flag", 0), ("wait_flag", 0), ("set_flag", 1), ("wait_flag", 1)];
    let part = |(op, id): (&str, u32)| {
        live.define(&operation(&format!("pto.{op}[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID{id}>]"))).expect("a part")
    };
    let parts = texts.map(part);
    (live, parts)
}

#[test]
fn flags_of_a_launch_that_stops_are_not_set_in_the_next_one() {
    let (mut live, [set, wait, ..]) = with_flags(&Options::default());
    live.begin_launch(0, 2).expect("a rank");
    let stopped = live.begin_block(0).expect("a block")[0];
    live.call(stopped, set, &[]).expect("a call");
    live.begin_launch(0, 1).expect("a rank");
    let core = live.begin_block(0).expect("a block")[0];
    for part in [set, wait] {
        live.call(core, part, &[]).expect("a call");
    }
    // There is nothing to order.
    assert_eq!(ids(live, core), ["sync::redundant"]);
}

#[test]
fn a_later_launch_sets_flags_after_the_waits_of_an_earlier_one() {
    let (mut live, [set, wait, set_other, wait_other]) = with_flags(&Options::default());
    let store = live.define(&transfer("tstore")).expect("a part");
    let fill = live.define(FILL).expect("a part");
    let x = live.buffer("x", Storage::from(vec![0; 64]), true).expect("a buffer");
    for launch in 0..2 {
        live.begin_launch(0, 1).expect("a rank");
        let core = live.begin_block(0).expect("a block")[0];
        for (at, [set, wait]) in [[set, wait], [set_other, wait_other]].into_iter().enumerate() {
            let (offset, serial) = (64 * at as u64, 1 + at as u32);
            let value = Argument::Scalar(u64::from(1f32.to_bits()));
            live.call(core, fill, &[value, tile(offset, serial)]).expect("a call");
            live.call(core, set, &[]).expect("a call");
            live.call(core, wait, &[]).expect("a call");
            live.call(core, store, &[Argument::Pointer(x + 32 * at as u64), tile(offset, serial)])
                .expect("a call");
        }
        if launch == 1 {
            assert_eq!(ids(live, core), [""; 0]);
            return;
        }
        live.end_core(core).expect("a core that runs");
        live.end_launch(0).expect("a launch that has ended");
    }
}

#[test]
fn program_order_holds_where_synchronization_is_inserted_later() {
    let options = Options::default().sync_inserted(true);
    let (mut live, _) = with_flags(&options);
    let parts = [transfer("tload"), transfer("tstore")].map(|text| live.define(&text).expect("a part"));
    let x = live.buffer("x", Storage::from(vec![0; 32]), true).expect("a buffer");
    live.begin_launch(0, 1).expect("a rank");
    let core = live.begin_block(0).expect("a block")[0];
    for part in parts {
        live.call(core, part, &[Argument::Pointer(x), tile(0, 1)]).expect("a call");
    }
    assert_eq!(ids(live, core), [""; 0]);
}

/// A core that calls parts one after the other.
struct Calls {
    core: Core,
    parts: Vec<Part>,
    at: usize,
}

/// Makes the calls of cores in turn, as far as each comes, until all have ended.
fn drive<O: Observer>(live: &mut Live<O>, mut cores: Vec<Calls>) -> Result<(), Vec<Diagnostic>> {
    while cores.iter().any(|calls| calls.at <= calls.parts.len()) {
        for calls in cores.iter_mut().filter(|calls| calls.at <= calls.parts.len()) {
            while let Some(part) = calls.parts.get(calls.at) {
                if let Called::Waits(what) = live.call(calls.core, *part, &[])? {
                    assert!(what.contains("flag"), "{what}");
                    break;
                }
                calls.at += 1;
            }
            if calls.at == calls.parts.len() {
                calls.at += 1;
                live.end_core(calls.core)?;
            }
        }
    }
    Ok(())
}

#[test]
fn cores_wait_for_each_other_and_a_deadlock_is_found() {
    let set = operation("pto.sync.set #pto.pipe<PIPE_FIX>, 3");
    let set_v = operation("pto.sync.set #pto.pipe<PIPE_MTE3>, 4");
    let wait = operation("pto.sync.wait #pto.pipe<PIPE_MTE2>, 3");
    let wait_c = operation("pto.sync.wait #pto.pipe<PIPE_MTE2>, 4");
    for deadlock in [false, true] {
        let mut live = Live::with_cores(Profile::A2A3, Cores::Mixed, Options::default(), Unobserved);
        let parts = [&set, &set_v, &wait, &wait_c].map(|text| live.define(text).expect("a part"));
        let [set, set_v, wait, wait_c] = parts;
        live.begin_launch(0, 1).expect("a rank");
        let cores = live.begin_block(0).expect("a block");
        assert_eq!(cores.len(), 3);
        // The vector cores are driven first, and wait for the cube core.
        let cube = if deadlock { vec![wait_c, set] } else { vec![set, wait_c] };
        let vector = |core| Calls { core, parts: vec![wait, set_v], at: 0 };
        let calls = vec![vector(cores[1]), vector(cores[2]), Calls { core: cores[0], parts: cube, at: 0 }];
        match drive(&mut live, calls) {
            Ok(()) => assert!(!deadlock),
            Err(found) => assert!(deadlock && rule(&found) == "cores::deadlock", "{found:?}"),
        }
    }
}
