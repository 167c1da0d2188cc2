//! Timelines: when instructions run on a device whose numbers are known.

use crate::support::launch;
use pto::diag::Diagnostic;
use pto::isa::device::{Device, Endpoint, PathTime};
use pto::isa::op::cost::{Basis, Constant, Cost, Count};
use pto::isa::op::effect::Effect;
use pto::isa::pipe::Pipe;
use pto::isa::profile::NPU;
use pto::isa::{Buffer, Op, Profile};
use pto::observe::{Watcher, Watchers};
use pto::sim::{Options, Program, Value};
use pto::timeline::{Bound, Chain, Detail, RecordOptions, Recording, TileOccupancy, Timing, occupancy, time};
use std::collections::BTreeMap;

/// A device without latencies, on which a tile of 1x1024 f32 is loaded in 32 cycles and stored in 64.
fn device() -> Device {
    let mut device = Device::named("910B1").expect("a known device");
    let zero = |constant: &mut Constant| constant.value = 0.0;
    for constant in [
        &mut device.issue,
        &mut device.issue_order,
        &mut device.flag,
        &mut device.signal,
        &mut device.block_start,
    ] {
        zero(constant);
    }
    device.memory.value = 1e6;
    device.l2_read.value = 1e4;
    device.l2_write.value = 1e4;
    for path in &mut device.paths {
        if let PathTime::Rate { start, each, run, .. } = &mut path.time {
            [start, each, run].into_iter().for_each(zero);
        }
    }
    device
}

/// `rounds` rounds: two tiles are loaded, added, and the sum is stored. `after` stands after the sum.
fn program(profile: &str, tiles: &str, body: &str) -> Program {
    let text = format!(
        "!t = !pto.tile_buf<vec, 1x1024xf32>
module attributes {{\"pto.target_arch\" = \"{profile}\"}} {{
func.func @main(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c1024 = arith.constant 1024 : index
  %a0 = arith.constant 0 : i64
  %a1 = arith.constant 4096 : i64
  %vx = pto.make_tensor_view %x, shape = [%c1, %c1024], strides = [%c1024, %c1] : !pto.tensor_view<1x1024xf32>
  %vy = pto.make_tensor_view %y, shape = [%c1, %c1024], strides = [%c1024, %c1] : !pto.tensor_view<1x1024xf32>
{tiles}
{body}
  return
}}
}}"
    );
    launch::program(&text, None)
}

fn record(program: &Program, blocks: u32, most: usize) -> Recording {
    let values = vec![Value::buffer(vec![0; 4096]), Value::buffer(vec![0; 4096])];
    let options = Options::default().blocks(blocks);
    let (recording, found) = recorded(program, values, &options, (most, Watchers::NONE));
    assert!(found.is_empty(), "{found:#?}");
    recording
}

/// A recording of at most `most` steps of each core, and the findings of the run.
fn recorded(
    program: &Program,
    values: Vec<Value>,
    options: &Options,
    (most, watchers): (usize, Watchers),
) -> (Recording, Vec<Diagnostic>) {
    let wanted = RecordOptions { most, watch: watchers.into(), contents: None };
    pto::timeline::record(program, vec![values], options, &wanted).expect("fitting arguments")
}

fn timed(program: &Program, device: &Device) -> Timing {
    time(&record(program, 1, 1000), device, Detail::Totals).unwrap_or_else(|error| panic!("{error}"))
}

const TILES: &str = "  %t = pto.alloc_tile addr = %a0 : !t
  %u = pto.alloc_tile addr = %a1 : !t";
const LOAD: &str = "  pto.tload ins(%vx : !pto.tensor_view<1x1024xf32>) outs(%t : !t)\n";
const STORE: &str = "  pto.tstore ins(%t : !t) outs(%vy : !pto.tensor_view<1x1024xf32>)\n";
const EXP: &str = "  pto.texp ins(%t : !t) outs(%t : !t)\n";

fn flag(from: &str, to: &str) -> String {
    let flag = format!("[<PIPE_{from}>, <PIPE_{to}>, <EVENT_ID0>]\n");
    format!("  pto.set_flag{flag}  pto.wait_flag{flag}")
}

#[test]
fn a_chain_takes_the_sum_of_its_parts() {
    let device = device();
    let body = [LOAD, &flag("MTE2", "V"), EXP, &flag("V", "MTE3"), STORE].concat();
    let timing = timed(&program("a2a3", TILES, &body), &device);
    // 4096 bytes at 128 a cycle; 16 repeats of two cycles, and a start of 31; 4096 bytes at 64 a cycle.
    assert_eq!(timing.cycles, 32.0 + (32.0 + 31.0) + 64.0, "{timing:#?}");
    let parts: Vec<(Bound, f64)> = timing.path.iter().map(|part| (part.bound, part.cycles)).collect();
    assert!(parts.contains(&(Bound::Path, 64.0)) && parts.contains(&(Bound::Latency, 31.0)), "{parts:?}");
    assert_eq!(parts.iter().map(|(_, cycles)| cycles).sum::<f64>(), timing.cycles);
    assert_eq!(timing.overlapped, 64.0);
}

#[test]
fn pipes_run_side_by_side_unless_flags_order_them() {
    let device = device();
    let apart = [LOAD, "  pto.texp ins(%u : !t) outs(%u : !t)\n"].concat();
    let timing = timed(&program("a2a3", TILES, &apart), &device);
    assert_eq!(timing.cycles, 63.0);
    let of = |pipe| {
        let found = timing.cores[0].pipes.iter().find(|(of, _)| *of == pipe).map(|(_, time)| *time);
        found.unwrap_or_default()
    };
    assert_eq!((of(Pipe::Mte2).busy, of(Pipe::Vector).busy, of(Pipe::Vector).waiting), (32.0, 32.0, 0.0));
    let ordered = [LOAD, &flag("MTE2", "V"), EXP].concat();
    let timing = timed(&program("a2a3", TILES, &ordered), &device);
    assert_eq!(timing.cycles, 32.0 + 63.0);
    assert_eq!(timing.stalls.first().map(|stall| stall.cycles), Some(32.0));
}

#[test]
fn a_pipe_gives_a_flag_after_the_waits_in_front_of_it() {
    // V runs nothing: it only passes on that the load has ended.
    let body = [LOAD, &flag("MTE2", "V"), &flag("V", "MTE3"), STORE].concat();
    assert_eq!(timed(&program("a2a3", TILES, &body), &device()).cycles, 32.0 + 64.0);
}

#[test]
fn a_barrier_waits_for_the_latency_of_its_pipe() {
    let device = device();
    let two = [EXP, EXP].concat();
    // On A2/A3 the second begins when the pipe has finished the first; a barrier delays it until the results of the
    // first.
    assert_eq!(timed(&program("a2a3", TILES, &two), &device).cycles, 32.0 + 63.0);
    let with_barrier = [EXP, "  pto.barrier <PIPE_V>\n", EXP].concat();
    assert_eq!(timed(&program("a2a3", TILES, &with_barrier), &device).cycles, 63.0 + 63.0);
    let of_all = [LOAD, "  pto.barrier <PIPE_ALL>\n", EXP].concat();
    assert_eq!(timed(&program("a2a3", TILES, &of_all), &device).cycles, 32.0 + 63.0);
}

#[test]
fn the_rounds_of_a_loop_overlap_with_two_buffers() {
    let device = device();
    let serial = "  scf.for %i = %c0 to %c1024 step %c1 {
    pto.wait_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID0>]
    pto.tload ins(%vx : !pto.tensor_view<1x1024xf32>) outs(%t : !t)
    pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
    pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
    pto.texp ins(%t : !t) outs(%t : !t)
    pto.set_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID0>]
  }
  pto.wait_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID0>]";
    let set = "  pto.set_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID0>]\n";
    let program = program("a2a3", TILES, &[set, serial].concat());
    let recording = record(&program, 1, 100_000);
    let timing = time(&recording, &device, Detail::Spans { most: usize::MAX }).expect("a timing");
    assert_eq!(timing.cycles, 1024.0 * (32.0 + 63.0));
    assert_eq!(timing.lines.values().map(|line| line.count).sum::<u64>(), 2048);
}

/// Two loads in alternation, each with its flags: the causes of waits lead back through both pipes.
fn many_rounds() -> Program {
    let round = [LOAD, &flag("MTE2", "V"), EXP, &flag("V", "MTE3"), STORE, &flag("MTE3", "MTE2")].concat();
    let body = format!(
        "  %many = arith.constant 3000 : index\n  scf.for %i = %c0 to %many step %c1 {{\n{round}{}  }}\n{LOAD}",
        LOAD.replace("%t", "%u"),
    );
    program("a2a3", TILES, &body)
}

#[test]
fn totals_are_those_of_all_instructions() {
    let device = device();
    for blocks in [1, 3] {
        let recording = record(&many_rounds(), blocks, 1_000_000);
        let all = time(&recording, &device, Detail::Spans { most: usize::MAX }).expect("a timing");
        let totals = time(&recording, &device, Detail::Totals).expect("a timing");
        assert!(all.spans().len() > 12_000 && totals.spans().is_empty());
        assert!(!all.is_cut() && totals.instructions == all.spans().len() as u64);
        assert_eq!((totals.cycles, &totals.cores, &totals.stalls), (all.cycles, &all.cores, &all.stalls));
        // Only the first spans are kept, and the sums include all instructions.
        let first = time(&recording, &device, Detail::Spans { most: 6000 }).expect("a timing");
        assert!(first.is_cut() && first.spans() == &all.spans()[..6000]);
        assert_eq!((first.instructions, &first.lines), (totals.instructions, &totals.lines));
        assert_eq!((first.cycles, &first.path), (totals.cycles, &totals.path));
        let sums = |timing: &Timing| {
            timing
                .path
                .iter()
                .map(|part| ((part.source, part.bound), part.cycles))
                .collect::<BTreeMap<_, _>>()
        };
        let (parts, expected) = (sums(&totals), sums(&all));
        assert_eq!(parts.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
        // The sums are added in another order.
        for (part, cycles) in &expected {
            assert!((parts[part] - cycles).abs() < 1e-6 * all.cycles, "{part:?}: {} {cycles}", parts[part]);
        }
        assert!((parts.values().sum::<f64>() - all.cycles).abs() < 1e-6 * all.cycles);
        for (line, time) in &all.lines {
            let total = &totals.lines[line];
            assert_eq!((total.count, total.bytes, total.busy), (time.count, time.bytes, time.busy));
        }
    }
}

#[test]
fn cores_share_the_memory() {
    let mut device = device();
    let program = program("a2a3", TILES, LOAD);
    let cycles = |device: &Device, blocks| {
        time(&record(&program, blocks, 1000), device, Detail::Totals).expect("a timing").cycles
    };
    assert_eq!(cycles(&device, 48), 32.0);
    // Blocks beyond the cores wait for one.
    assert_eq!(cycles(&device, 49), 64.0);
    // All blocks read the same lines: the first block fetches them, and has the memory below the cache to itself.
    device.memory.value = 64.0 * device.clock.value;
    assert_eq!((cycles(&device, 1), cycles(&device, 8)), (64.0, 64.0));
    let timing = time(&record(&program, 8, 1000), &device, Detail::Totals).expect("a timing");
    assert_eq!((timing.traffic.lines, timing.traffic.hits, timing.traffic.memory_bytes), (64, 56, 4096));
}

/// 256 x 64 scales, which their rows hold in 16,384 contiguous bytes.
fn load_of_scales(extents: &str, ty: &str) -> Program {
    let tile = "!pto.tile_buf<mat, 256x64x!pto.f8E8M0, slayout=row_major, fractal=32>";
    let view = format!("!pto.tensor_view<{ty}x!pto.f8E8M0>");
    let text = format!(
        "module attributes {{\"pto.target_arch\" = \"a5\"}} {{
func.func @main(%s: !pto.ptr<!pto.f8E8M0>) attributes {{pto.kernel_kind = #pto.kernel_kind<cube>}} {{
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %all = arith.constant 16384 : index
  %at = arith.constant 0 : i64
  %t = pto.alloc_tile addr = %at : {tile}
  %v = pto.make_tensor_view %s, shape = [{extents}], strides = [%all, %all, %c64, %c2, %c1] {{layout = #pto.layout<mx_a_nd>}} : {view}
  pto.tload ins(%v : {view}) outs(%t : {tile})
  return
}}
}}"
    );
    launch::program(&text, None)
}

#[test]
fn scales_take_as_long_as_a_matrix_as_in_pairs() {
    let device = Device::named("950").expect("a known device");
    let cycles = |program: Program| {
        let wanted = (1000, Watchers::NONE);
        let values = vec![Value::buffer(vec![127; 16384])];
        let (recording, found) = recorded(&program, values, &Options::default(), wanted);
        assert!(found.is_empty(), "{found:#?}");
        time(&recording, &device, Detail::Totals).unwrap_or_else(|error| panic!("{error}")).cycles
    };
    let matrix = load_of_scales("%c1, %c1, %c1, %c256, %c64", "1x1x1x256x64");
    let pairs = load_of_scales("%c1, %c1, %c256, %c32, %c2", "1x1x256x32x2");
    assert_eq!(cycles(matrix), cycles(pairs));
}

/// Products and stores alternate: with the unit flag they follow each other, without it they overlap.
#[test]
fn unit_flags_order_products_and_stores() {
    let text = include_str!("../../../tests/races/unit_flag.pto");
    let device = Device::named("910B1").expect("a known device");
    let cycles = |text: &str| {
        let buffers = vec![Value::buffer(vec![0; 1024]), Value::buffer(vec![0; 1024])];
        let wanted = (1000, Watchers::NONE);
        let program = Program::decode(&launch::checked(text, None), Some("fixed")).expect("a kernel");
        let (recording, _) = recorded(&program, buffers, &Options::default(), wanted);
        time(&recording, &device, Detail::Totals).unwrap_or_else(|error| panic!("{error}")).cycles
    };
    let without = text
        .replace(" {accPhase = #pto<acc_phase final>}", "")
        .replace(" {stPhase = #pto<st_phase final>}", "");
    assert!(cycles(text) > cycles(&without), "{} {}", cycles(text), cycles(&without));
}

#[test]
fn a_long_launch_is_cut_and_says_so() {
    let program = program("a2a3", TILES, &[LOAD, &flag("MTE2", "V"), EXP].concat());
    let recording = record(&program, 100, 10);
    assert!(recording.is_truncated && recording.steps() == 10);
    let timing = time(&recording, &device(), Detail::Totals).expect("a timing of what there is");
    assert!(timing.is_truncated && timing.cycles > 0.0);
}

#[test]
fn a_run_that_stops_is_timed_until_then() {
    let body = [LOAD, "  %far = arith.constant 4096 : index
  %beyond = pto.partition_view %vx, offsets = [%c0, %c1024], sizes = [%c1, %far] : !pto.tensor_view<1x1024xf32> -> !pto.partition_tensor_view<1x4096xf32>
  pto.tload ins(%beyond : !pto.partition_tensor_view<1x4096xf32>) outs(%u : !t)\n"]
        .concat();
    let values = vec![Value::buffer(vec![0; 4096]), Value::buffer(vec![0; 4096])];
    let text = program("a2a3", TILES, &body);
    let (recording, stopped) = recorded(&text, values, &Options::default(), (100, Watchers::NONE));
    assert!(!stopped.is_empty());
    // The load that stopped the run had been issued.
    let timing = time(&recording, &device(), Detail::Totals).expect("a timing");
    assert_eq!(timing.lines.values().map(|line| line.count).sum::<u64>(), 2);
}

#[test]
fn absurd_devices_are_refused() {
    for change in [
        (|device: &mut Device| device.clock.value = 0.0) as fn(&mut Device),
        |device| device.memory.value = f64::NAN,
        |device| device.cube_cores = 0,
        |device| device.vector_cores = u32::MAX,
        |device| device.l2_line.value = 0.0,
        |device| device.queue_depth.value = -1.0,
        |device| device.l2_bytes.value = f64::INFINITY,
    ] {
        let mut device = device();
        change(&mut device);
        assert!(device.validate().is_err(), "{device:?}");
        assert!(time(&Recording::default(), &device, Detail::Totals).is_err());
    }
    for name in Device::names() {
        let device = Device::named(name).expect("a known device");
        assert_eq!(device.name, name, "`device` of `known.rs` has no arm for it");
        assert!(device.validate().is_ok(), "{name}");
    }
    assert!(Device::named("Ascend910b2").is_some() && Device::named("911").is_none());
}

#[test]
fn every_instruction_of_a_pipe_has_a_cost_on_each_device() {
    let mut without = Vec::new();
    for instruction in Op::all().filter_map(Op::instruction) {
        let page = instruction.page();
        let writes = |effect: &Effect| effect.access.changes() && effect.role().is_some();
        let works = page.set.has_formulas() && page.own_effects().any(writes);
        let moves = matches!(page.cost, Cost::Transfer | Cost::Cycles(_));
        if works && !moves && !page.name.starts_with("comm.") && !SCALAR.contains(&page.name) {
            without.push(page.name);
        }
        if let Cost::Cycles(formulas) = page.cost {
            for profile in NPU {
                let own = formulas.iter().filter(|formula| formula.profiles.contains(profile));
                assert!(own.clone().any(|formula| formula.bits.is_empty()), "{} on {profile:?}", page.name);
                for constant in own.flat_map(|formula| formula.terms).map(|term| &term.cycles) {
                    assert!(constant.value > 0.0 && constant.source.len() > 10, "{}", page.name);
                }
            }
        }
    }
    assert_eq!(without, [""; 0]);
}

/// Instructions of the scalar unit that write bytes; TPRINT destroys a workspace and is for debugging.
const SCALAR: [&str; 5] = ["tprint", "tsetval", "store_scalar", "tget_async", "tput_async"];

#[test]
fn every_path_of_a_device_has_a_basis() {
    for device in Device::names().filter_map(Device::named) {
        assert!(device.path(Endpoint::Global, Endpoint::Chip(pto::isa::Buffer::Ub)).is_some());
        for path in &device.paths {
            if let PathTime::Rate { rate, .. } | PathTime::Drain { rate, .. } = path.time {
                assert!(rate.source.len() > 5 && rate.basis <= Basis::Assumed, "{path:?}");
            }
        }
        assert_ne!(device.profile, Profile::Cpu);
    }
    assert_eq!(Count::Once.word(), "");
}

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

#[test]
fn launches_follow_each_other_and_branches_run_side_by_side() {
    let device = device();
    let one = timed(&program("a2a3", TILES, LOAD), &device);
    let times = |run: &dyn Fn(&mut Chain)| {
        let mut chain = Chain::new(&device);
        run(&mut chain);
        chain.cycles() / one.cycles
    };
    let launch = |chain: &mut Chain| {
        chain.launch(&one);
    };
    let group = |chain: &mut Chain, branches: u32| {
        chain.begin_group();
        for _ in 0..branches {
            launch(chain);
            chain.next_branch();
        }
        chain.end_group();
    };
    assert_eq!(times(&|chain| (0..3).for_each(|_| launch(chain))), 3.0);
    assert_eq!(
        times(&|chain| {
            group(chain, 3);
            launch(chain);
        }),
        2.0
    );
    // Each branch takes one vector core: with more branches than cores, a branch waits for a core.
    let most = device.vector_cores;
    assert_eq!((times(&|chain| group(chain, most)), times(&|chain| group(chain, most + 1))), (1.0, 2.0));
}
