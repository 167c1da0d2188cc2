//! Launches that are driven call by call: results and findings.

mod one_text;
mod order;

use pto::Profile;
use pto::diag::Diagnostic;
use pto::isa::Buffer;
use pto::isa::device::Device;
use pto::launch::live::{AUTOMATIC, Argument, Called, Core, Finished, Live, Part, Tile, Unobserved};
use pto::observe::{Watch, WatchOptions, Watchers};
use pto::sim::{Options, Storage};
use pto::timeline::{Detail, LaunchObserver, occupancy, time};

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

/// The rule of the first finding of a call that must fail.
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
