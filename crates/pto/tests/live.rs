//! Launches that are driven call by call: results, waits, findings, and that they are those of the same program as one text.

use pto::Profile;
use pto::diag::Diagnostic;
use pto::isa::Buffer;
use pto::isa::device::Device;
use pto::launch::live::{AUTOMATIC, Argument, Called, Core, Cores, Finished, Live, Part, Tile, Unobserved};
use pto::observe::{Watch, WatchOptions, Watchers};
use pto::sim::{Observer, Options, Program, Storage, Value};
use pto::timeline::{Detail, LaunchObserver, occupancy, time};
use pto_num::random;

const VECTOR: &str = "!pto.tile_buf<vec, 1x8xf32>";

const FILL: &str = "func.func @fill(%v: f32, %t: !pto.tile_buf<vec, 1x8xf32>) {
  pto.texpands ins(%v : f32) outs(%t : !pto.tile_buf<vec, 1x8xf32>)
  return
}
";

fn binary(op: &str) -> String {
    format!(
        "func.func @{op}(%a: {VECTOR}, %b: {VECTOR}, %c: {VECTOR}) {{\n  \
         pto.{op} ins(%a, %b : {VECTOR}, {VECTOR}) outs(%c : {VECTOR})\n  return\n}}\n"
    )
}

/// A transfer of eight elements between a pointer and a tile.
fn transfer(op: &str) -> String {
    let (view, whole) = ("!pto.partition_tensor_view<1x8xf32>", "!pto.tensor_view<1x8xf32>");
    let operands = match op {
        "tload" => format!("ins(%w : {view}) outs(%t : {VECTOR})"),
        _ => format!("ins(%t : {VECTOR}) outs(%w : {view})"),
    };
    format!(
        "func.func @{op}(%p: !pto.ptr<f32>, %t: {VECTOR}) {{\n  \
         %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %c8 = arith.constant 8 : index\n  \
         %v = pto.make_tensor_view %p, shape = [%c1, %c8], strides = [%c8, %c1] : {whole}\n  \
         %w = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c1, %c8] : {whole} -> {view}\n  \
         pto.{op} {operands}\n  return\n}}\n"
    )
}

fn operation(text: &str) -> String {
    format!("func.func @one() {{\n  {text}\n  return\n}}\n")
}

fn tile(address: u64, serial: u32) -> Argument {
    Argument::Tile(Tile { address, rows: 1, cols: 8, serial })
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn watched(watchers: Watchers) -> Live<Watch> {
    let watch = Watch::live(Profile::A2A3, &WatchOptions::from(watchers), &Options::default());
    Live::new(Profile::A2A3, Options::default(), watch)
}

/// Ends a launch of one core; the ids of the findings.
fn ids(mut live: Live<Watch>, core: Core) -> Vec<String> {
    live.end_core(core).expect("a core that runs");
    live.end_launch(0).expect("a launch that has ended");
    let findings = live.finish().observer.into_watched().findings;
    findings.iter().map(|finding| finding.rule.to_string()).collect()
}

fn rule(found: &[Diagnostic]) -> String {
    found.first().map(|found| found.rule.to_string()).unwrap_or_default()
}

#[test]
fn calls_compute_and_copies_of_buffers_are_written_in_place() {
    let mut live = Live::new(Profile::A2A3, Options::default(), Unobserved);
    let (load, store) = (live.define(&transfer("tload")), live.define(&transfer("tstore")));
    let (load, store) = (load.expect("a part"), store.expect("a part"));
    let mul = live.define(&binary("tmul")).expect("a part");
    let x = live
        .buffer("x", Storage::from(floats(&[0., 1., 2., 3., 4., 5., 6., 7., 8.])), true)
        .expect("a buffer");
    let y = live.buffer("y", Storage::from(vec![0; 32]), false).expect("a buffer");
    live.begin_launch(0, 2).expect("a rank");
    for block in 0..2 {
        let core = live.begin_block(0).expect("a block")[0];
        assert_eq!(
            live.on_chip(core, Buffer::Ub, 64, 4).expect("bytes of UB"),
            [0; 4],
            "block {block} begins empty"
        );
        live.call(core, load, &[Argument::Pointer(x + 4 * block), tile(0, 1)]).expect("a call");
        live.call(core, mul, &[tile(0, 1), tile(0, 1), tile(64, 2)]).expect("a call");
        live.call(core, store, &[Argument::Pointer(y), tile(64, 2)]).expect("a call");
        live.end_core(core).expect("a core that runs");
    }
    live.end_launch(0).expect("a launch that has ended");
    let squares: Vec<f32> = (1..9).map(|i| (i * i) as f32).collect();
    assert_eq!(live.contents(y).expect("a buffer"), floats(&squares));
    let outcome = live.finish().outcome;
    assert_eq!(outcome.instructions, 6);
    assert_eq!(outcome.buffers[1].bytes, floats(&squares));
}

#[test]
fn a_recording_has_one_tile_for_each_type_at_an_address() {
    let watch = Watch::live(Profile::A2A3, &WatchOptions::default(), &Options::default());
    let observer = LaunchObserver::new(watch).recording(100, None).keeping_writes();
    let mut live = Live::new(Profile::A2A3, Options::default(), observer);
    let [load, store, mul] = [transfer("tload"), transfer("tstore"), binary("tmul")]
        .map(|text| live.define(&text).expect("a part"));
    let x = live.buffer("x", Storage::from(vec![0; 32]), true).expect("a buffer");
    live.begin_launch(0, 1).expect("a rank");
    let core = live.begin_block(0).expect("a block")[0];
    // An object that begins anew in each round of a loop has another serial number.
    for round in 0..2 {
        live.call(core, load, &[Argument::Pointer(x), tile(0, 2 * round + 1)]).expect("a call");
        let product = tile(64, 2 * round + 2);
        live.call(core, mul, &[tile(0, 2 * round + 1), tile(0, 2 * round + 1), product]).expect("a call");
        live.call(core, store, &[Argument::Pointer(x), product]).expect("a call");
    }
    live.end_core(core).expect("a core that runs");
    live.end_launch(0).expect("a launch that has ended");
    let Finished { observer, program, .. } = live.finish();
    let observed = observer.into_observed(&program, false);
    let writer = observed.writes.as_ref().and_then(|writes| writes.last(0, 31).flatten());
    assert_eq!(writer.map(|writer| writer.name.as_str()), Some("pto.tstore"));
    let recording = observed.recording.expect("a launch that has begun");
    let timing = time(&recording, &Device::usual(Profile::A2A3), Detail::Spans { most: 100 }).expect("times");
    let buffers = occupancy(&recording, &timing, 0, 0);
    let tiles = &buffers[0].tiles;
    assert_eq!(tiles.iter().map(|tile| tile.address).collect::<Vec<_>>(), [0, 64]);
    assert!(
        tiles.iter().all(|tile| tile.lives.iter().map(|life| life.writes).sum::<u64>() == 2),
        "{tiles:?}"
    );
}

#[test]
fn a_launch_with_unset_flags_races_and_one_with_flags_does_not() {
    for ordered in [false, true] {
        let mut live = watched(Watchers::ALL);
        let parts = [transfer("tload"), binary("tadd"), transfer("tstore")].map(|text| live.define(&text));
        let [load, add, store] = parts.map(|part| part.expect("a part"));
        let flag = |live: &mut Live<Watch>, op: &str, pipes: &str| {
            live.define(&operation(&format!("pto.{op}[{pipes}, <EVENT_ID0>]"))).expect("a part")
        };
        let loaded = ["set_flag", "wait_flag"].map(|op| flag(&mut live, op, "<PIPE_MTE2>, <PIPE_V>"));
        let added = ["set_flag", "wait_flag"].map(|op| flag(&mut live, op, "<PIPE_V>, <PIPE_MTE3>"));
        let x = live.buffer("x", Storage::from(floats(&[1.; 8])), true).expect("a buffer");
        live.begin_launch(0, 1).expect("a rank");
        let core = live.begin_block(0).expect("a block")[0];
        let order = |live: &mut Live<Watch>, flags: [Part; 2]| {
            for flag in flags.iter().filter(|_| ordered) {
                live.call(core, *flag, &[]).expect("a call");
            }
        };
        live.call(core, load, &[Argument::Pointer(x), tile(0, 1)]).expect("a call");
        order(&mut live, loaded);
        live.call(core, add, &[tile(0, 1), tile(0, 1), tile(64, 2)]).expect("a call");
        order(&mut live, added);
        live.call(core, store, &[Argument::Pointer(x), tile(64, 2)]).expect("a call");
        let found = ids(live, core);
        let races = ["race::write-after-read", "race::read-after-write", "race::read-after-write"];
        assert_eq!(found, if ordered { &[][..] } else { &races });
    }
}

#[test]
fn a_tile_keeps_its_identity_across_parts() {
    // The first half of `a` is overwritten before it is read: by another tile, or by `a` under the same number.
    for (other, wanted) in [(2, vec!["mem::clobbered"]), (1, vec![])] {
        let mut live = watched(Watchers::ALL);
        let half = binary("tmul").replace("@tmul", "@half").replace("1x8xf32", "1x16xf32, valid=1x4");
        let parts =
            [binary("tadd"), half, binary("tsub"), FILL.into(), operation("pto.barrier #pto.pipe<PIPE_V>")];
        let [add, half, sub, fill, barrier] = parts.map(|text| live.define(&text).expect("a part"));
        live.begin_launch(0, 1).expect("a rank");
        let core = live.begin_block(0).expect("a block")[0];
        let narrow = |address, serial| Argument::Tile(Tile { address, rows: 1, cols: 4, serial });
        let steps: [(Part, Vec<Argument>); 4] = [
            (fill, vec![Argument::Scalar(1f32.to_bits().into()), tile(256, 3)]),
            (add, vec![tile(256, 3), tile(256, 3), tile(0, 1)]),
            (half, vec![narrow(256, 3), narrow(256, 3), narrow(0, other)]),
            (sub, vec![tile(0, 1), tile(256, 3), tile(512, 4)]),
        ];
        for (part, arguments) in steps {
            live.call(core, part, &arguments).expect("a call");
            live.call(core, barrier, &[]).expect("a call");
        }
        let mut found = ids(live, core);
        found.retain(|id| id != "sync::redundant");
        assert_eq!(found, wanted);
    }
}

#[test]
fn unwritten_memory_is_found_until_the_host_writes_it() {
    for written in [false, true] {
        let mut live = watched(Watchers::ALL);
        let load = live.define(&transfer("tload")).expect("a part");
        let x = live.buffer("x", Storage::from(vec![0; 64]), false).expect("a buffer");
        if written {
            live.write(x + 32, 32).expect("bytes of the buffer").fill(1);
            assert!(live.write(x + 33, 32).is_none(), "beyond the buffer");
        }
        live.begin_launch(0, 1).expect("a rank");
        let core = live.begin_block(0).expect("a block")[0];
        live.call(core, load, &[Argument::Pointer(x + 32), tile(0, 1)]).expect("a call");
        assert_eq!(ids(live, core), if written { &[][..] } else { &["init::unwritten"] });
    }
}

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

/// The ids of the findings of a call that must fail.
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

fn fails(call: Result<Called, Vec<Diagnostic>>) -> String {
    rule(&call.expect_err("a call that cannot run"))
}

#[test]
fn misuse_is_a_finding() {
    let mut live = Live::new(Profile::A2A3, Options::default(), Unobserved);
    assert_eq!(rule(&live.define("func.func @f(").expect_err("no function")), "syntax");
    let source = live.source().len() as u32;
    let wrong = live.define(&binary("tadd").replace("%b : ", "%d : ")).expect_err("an unknown value");
    assert!(
        wrong[0].primary.as_ref().is_some_and(|label| label.span.start > source),
        "a place in the text of all parts"
    );
    let add = live.define(&binary("tadd")).expect("a part");
    let load = live.define(&transfer("tload")).expect("a part");
    let x = live.buffer("x", Storage::from(vec![0; 32]), true).expect("a buffer");
    assert_eq!(rule(&live.begin_block(0).expect_err("no launch")), "launch::live");
    live.begin_launch(0, 1).expect("a rank");
    assert_eq!(rule(&live.end_launch(0).expect_err("no block has begun")), "launch::live");
    let nobody = Core { rank: 0, block: 0, index: 0 };
    assert_eq!(fails(live.call(nobody, add, &[tile(0, 1), tile(32, 1), tile(64, 1)])), "launch::live");
    let core = live.begin_block(0).expect("a block")[0];
    assert_eq!(fails(live.call(Core { index: 3, ..core }, add, &[])), "launch::live");
    assert_eq!(fails(live.call(core, add, &[tile(0, 1)])), "launch::live");
    assert_eq!(fails(live.call(core, add, &[tile(0, 1), tile(32, 1), Argument::Scalar(3)])), "launch::live");
    assert_eq!(fails(live.call(core, add, &[tile(0, 1), tile(33, 1), tile(64, 1)])), "alloc_tile::address");
    let end = Profile::A2A3.capacity(Buffer::Ub);
    assert_eq!(fails(live.call(core, add, &[tile(0, 1), tile(end, 1), tile(64, 1)])), "alloc_tile::capacity");
    let tall = Argument::Tile(Tile { address: 64, rows: 2, cols: 8, serial: 1 });
    assert_eq!(fails(live.call(core, add, &[tile(0, 1), tile(32, 1), tall])), "alloc_tile::valid-region");
    for nowhere in [u64::MAX, AUTOMATIC + (1 << 40), AUTOMATIC - 1] {
        let call = live.call(core, add, &[tile(0, 1), tile(32, 1), tile(nowhere, 1)]);
        assert_eq!(fails(call), "alloc_tile::capacity");
        assert_eq!(
            rule(&live.on_chip(core, Buffer::Ub, nowhere, 4).expect_err("no such bytes")),
            "launch::live"
        );
    }
    assert_eq!(
        rule(&live.on_chip(core, Buffer::Ub, 4, u64::MAX).expect_err("no such bytes")),
        "launch::live"
    );
    assert_eq!(rule(&live.place(core, Buffer::L1, usize::MAX).expect_err("no room")), "launch::live");
    let outside = live.call(core, load, &[Argument::Pointer(x + 32), tile(0, 1)]);
    assert_eq!(fails(outside), "tload::out-of-bounds");
    live.take_buffer(x).expect("its contents");
    assert_eq!(fails(live.call(core, load, &[Argument::Pointer(x), tile(0, 1)])), "tload::out-of-bounds");
    live.end_core(core).expect("a core that runs");
    assert_eq!(rule(&live.end_core(core).expect_err("a core that has ended")), "launch::live");
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

/// A program of tile instructions, flags and barriers, as steps: the part with its arguments, and the line of text.
struct Steps {
    random: u64,
    parts: Vec<String>,
    steps: Vec<(usize, Vec<Argument>)>,
    lines: Vec<String>,
}

impl Steps {
    /// The tiles: some overlap.
    const ADDRESSES: [u64; 6] = [0, 32, 64, 64, 96, 4096];

    fn of(seed: u64) -> Steps {
        let mut steps = Steps { random: seed, parts: Vec::new(), steps: Vec::new(), lines: Vec::new() };
        // Half of them begin with tiles that are full, and order everything.
        let is_ordered = seed.is_multiple_of(2);
        for at in (0..Steps::ADDRESSES.len()).filter(|_| is_ordered) {
            steps.transfer("tload", at);
            steps.order(&["pto.barrier #pto.pipe<PIPE_ALL>"]);
        }
        for _ in 0..24 {
            steps.add();
            if is_ordered {
                steps.order(&["pto.barrier #pto.pipe<PIPE_ALL>"]);
            }
        }
        steps
    }

    fn below(&mut self, limit: usize) -> usize {
        (random::next(&mut self.random) >> 33) as usize % limit
    }

    fn part(&mut self, text: String) -> usize {
        self.parts.iter().position(|known| *known == text).unwrap_or_else(|| {
            self.parts.push(text);
            self.parts.len() - 1
        })
    }

    fn tile(at: usize) -> Argument {
        tile(Steps::ADDRESSES[at], at as u32 + 1)
    }

    fn transfer(&mut self, op: &str, at: usize) {
        let part = self.part(transfer(op));
        self.steps.push((part, vec![Argument::Pointer(0), Steps::tile(at)]));
        let view = "!pto.partition_tensor_view<1x8xf32>";
        self.lines.push(match op {
            "tload" => format!("pto.tload ins(%w : {view}) outs(%t{at} : {VECTOR})"),
            _ => format!("pto.tstore ins(%t{at} : {VECTOR}) outs(%w : {view})"),
        });
    }

    fn order(&mut self, texts: &[&str]) {
        for text in texts {
            let part = self.part(operation(text));
            self.steps.push((part, Vec::new()));
            self.lines.push((*text).into());
        }
    }

    fn add(&mut self) {
        let [a, b, c] = [(); 3].map(|()| self.below(Steps::ADDRESSES.len()));
        match self.below(6) {
            kind @ (0 | 1) => self.transfer(["tload", "tstore"][kind], a),
            2 | 3 => {
                let op = ["tadd", "tmul", "tsub"][self.below(3)];
                let part = self.part(binary(op));
                self.steps.push((part, [a, b, c].map(Steps::tile).to_vec()));
                self.lines
                    .push(format!("pto.{op} ins(%t{a}, %t{b} : {VECTOR}, {VECTOR}) outs(%t{c} : {VECTOR})"));
            }
            kind => {
                let pipes = [["MTE2", "V"], ["V", "MTE3"], ["MTE3", "MTE2"], ["V", "MTE2"]];
                let [from, to] = pipes[self.below(4)];
                if kind == 4 {
                    let flag = |op| format!("pto.{op}[<PIPE_{from}>, <PIPE_{to}>, <EVENT_ID{a}>]");
                    self.order(&[&flag("set_flag"), &flag("wait_flag")]);
                } else {
                    self.order(&[&format!("pto.barrier #pto.pipe<PIPE_{from}>")]);
                }
            }
        }
    }

    /// The program as one text.
    fn text(&self) -> String {
        let mut text = String::from("func.func @k(%p: !pto.ptr<f32>) {\n");
        for value in [0, 1, 8] {
            text += &format!("  %c{value} = arith.constant {value} : index\n");
        }
        let whole = "!pto.tensor_view<1x8xf32>";
        text += &format!(
            "  %v = pto.make_tensor_view %p, shape = [%c1, %c8], strides = [%c8, %c1] : {whole}\n  \
             %w = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c1, %c8] : {whole} -> !pto.partition_tensor_view<1x8xf32>\n"
        );
        for (at, address) in Steps::ADDRESSES.iter().enumerate() {
            text += &format!(
                "  %a{at} = arith.constant {address} : i64\n  %t{at} = pto.alloc_tile addr = %a{at} : {VECTOR}\n"
            );
        }
        for line in &self.lines {
            text += &format!("  {line}\n");
        }
        text + "  return\n}\n"
    }
}

/// Number of findings of each rule.
fn summary(found: &[Diagnostic]) -> Vec<(String, usize)> {
    let mut counts = std::collections::BTreeMap::new();
    for finding in found {
        *counts.entry(finding.rule.to_string()).or_insert(0) += 1;
    }
    counts.into_iter().collect()
}

#[test]
fn results_and_findings_are_those_of_the_same_program_as_one_text() {
    let options = Options::default();
    let watch = WatchOptions { as_written: true, max_reports: 1000, ..WatchOptions::from(Watchers::ALL) };
    let (mut clean, mut broken) = (0, 0);
    for seed in 0..300 {
        let steps = Steps::of(seed);
        let bytes = floats(&[1., 2., 3., 4., 5., 6., 7., 8.]);

        let module = pto::parse(&steps.text()).expect("well-formed text").module;
        let Ok(checked) = pto::check(module, Some(Profile::A2A3)) else { continue };
        let program = Program::decode(&checked, None).expect("a program that runs");
        let values = vec![vec![Value::buffer(bytes.clone())]];
        let whole = pto::observe::watch(&program, values, &options, &watch);
        let (outcome, seen) = whole.expect("a run to its end");

        let mut live =
            Live::new(Profile::A2A3, options.clone(), Watch::live(Profile::A2A3, &watch, &options));
        // A part for each line, since findings count places.
        let parts: Vec<Part> =
            steps.steps.iter().map(|(part, _)| live.define(&steps.parts[*part]).expect("a part")).collect();
        let x = live.buffer("p", Storage::from(bytes), true).expect("a buffer");
        live.begin_launch(0, 1).expect("a rank");
        let core = live.begin_block(0).expect("a block")[0];
        for (part, (_, arguments)) in parts.iter().zip(&steps.steps) {
            let arguments: Vec<Argument> = arguments
                .iter()
                .map(
                    |argument| {
                        if *argument == Argument::Pointer(0) { Argument::Pointer(x) } else { *argument }
                    },
                )
                .collect();
            live.call(core, *part, &arguments).expect("a call");
        }
        live.end_core(core).expect("a core that runs");
        live.end_launch(0).expect("a launch that has ended");
        let Finished { outcome: own, observer: watched, .. } = live.finish();
        assert_eq!(own.buffers[0].bytes, outcome.buffers[0].bytes, "seed {seed}");
        let found = watched.into_watched().findings;
        assert_eq!(summary(&found), summary(&seen.findings), "seed {seed}\n{}", steps.text());
        if found.iter().any(|finding| finding.severity == pto::diag::Severity::Error) {
            broken += 1;
        } else {
            clean += 1;
        }
    }
    assert!(broken > 50 && clean > 20, "{broken} programs with errors, {clean} without");
}
