//! Tests of log lines and of their alignment, on generated streams.

use pto_isa::Pipe;
use pto_isa::diag::Span;
use pto_machine::observe::log::*;
use pto_num::random;
use std::convert::Infallible;

/// A generator of streams of one core.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        random::next(&mut self.0) % limit
    }
}

const PIPES: [Pipe; 3] = [Pipe::Mte2, Pipe::Vector, Pipe::Mte3];
const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

fn operand(tile: u64, usage: Use) -> Operand<'static> {
    let area = Area { space: "ub", start: tile * 256, end: tile * 256 + 256, shape: Shape::Whole };
    Operand { name: NAMES[tile as usize], area, usage }
}

fn entry(sequence: u64, pipe: Pipe, name: &'static str, action: Action) -> Entry<'static> {
    let core = Core { rank: 0, block: 0, kind: CoreKind::Core, vector_core: 0 };
    let position = Position { line: sequence as u32 + 1, column: 3 };
    Entry { sequence, core, pipe, name, span: Span::default(), position, action, operands: Vec::new() }
}

/// A stream of instructions on eight tiles, flags and barriers.
fn stream(random: &mut Random, length: u64) -> Vec<Entry<'static>> {
    let mut entries = Vec::new();
    for sequence in 0..length {
        let pipe = PIPES[random.below(3) as usize];
        let to = PIPES[random.below(3) as usize];
        let event = random.below(4);
        entries.push(match random.below(10) {
            0 => entry(sequence, pipe, "set_flag", Action::Set { from: pipe, to, event }),
            1 => entry(sequence, to, "wait_flag", Action::Wait { from: pipe, to, event }),
            2 => entry(sequence, pipe, "barrier", Action::Barrier(pipe)),
            kind => {
                let name = ["tadd", "tmul", "texp", "tload", "tsub", "tabs", "tmov"][kind as usize - 3];
                let hash = random::next(&mut random.0);
                let mut entry = entry(sequence, pipe, name, Action::Run);
                entry.operands = vec![
                    operand(random.below(8), Use::Reads),
                    operand(random.below(8), Use::Writes { bytes: 256, hash }),
                ];
                entry
            }
        });
    }
    entries
}

fn steps(entries: &[Entry<'_>]) -> Vec<Step> {
    entries.iter().map(Step::of).collect()
}

fn aligned(a: &[Step], b: &[Step]) -> Vec<Aligned> {
    let mut found = Vec::new();
    let (a, b) = (a.iter().cloned().map(Ok::<Step, Infallible>), b.iter().cloned().map(Ok));
    let Ok(()) = align(a, b, |step| found.push(step));
    found
}

fn is_same(step: &Aligned) -> bool {
    matches!(step, Aligned::Pair { matched: Matched::Same, equal: true, .. })
}

#[test]
fn a_stream_is_aligned_with_itself() {
    for seed in 0..20 {
        let steps = steps(&stream(&mut Random(seed), 2000));
        let found = aligned(&steps, &steps);
        assert_eq!(found.len(), steps.len());
        assert!(found.iter().all(is_same));
        let is_diagonal = |step: &Aligned| matches!(step, Aligned::Pair { a, b, .. } if a == b);
        assert!(found.iter().all(is_diagonal));
    }
}

/// Any order of independent entries is the same stream.
#[test]
fn swaps_of_independent_entries_are_no_difference() {
    for seed in 0..40 {
        let mut random = Random(seed);
        let first = steps(&stream(&mut random, 1000));
        let mut second = first.clone();
        let mut swaps = 0;
        for _ in 0..5000 {
            let at = random.below(999) as usize;
            if second[at].commutes(&second[at + 1]) {
                second.swap(at, at + 1);
                swaps += 1;
            }
        }
        assert!(swaps > 100);
        let found = aligned(&first, &second);
        assert_eq!(found.len(), first.len(), "seed {seed}");
        assert!(found.iter().all(is_same), "seed {seed}");
    }
}

/// Dependent entries in another order are named.
#[test]
fn a_swap_of_dependent_entries_is_reported() {
    let mut entries = stream(&mut Random(1), 400);
    let (mut writer, mut reader) =
        (entry(400, Pipe::Vector, "tadd", Action::Run), entry(401, Pipe::Mte3, "tstore", Action::Run));
    writer.operands = vec![operand(7, Use::Writes { bytes: 256, hash: 1 })];
    reader.operands = vec![operand(7, Use::Reads)];
    entries.splice(200..200, [writer, reader]);
    let first = steps(&entries);
    let mut second = first.clone();
    second.swap(200, 201);
    let found = aligned(&first, &second);
    let odd: Vec<_> = found.iter().filter(|step| !is_same(step)).collect();
    assert!(
        matches!(odd.as_slice(), [Aligned::Pair { matched: Matched::Reordered, equal: true, .. }]),
        "{odd:?}"
    );
    assert_eq!(found.len(), first.len());
}

/// Entries that only one stream has are named, and nothing else, with or without swaps elsewhere.
#[test]
fn missing_entries_are_reported() {
    for seed in 0..40 {
        let mut random = Random(seed);
        let entries = stream(&mut random, 3000);
        let first = steps(&entries);
        let missing = 100 + random.below(2800) as usize;
        let mut second = first.clone();
        second.remove(missing);
        let count = |found: &[Aligned]| {
            let only = found.iter().filter(|step| matches!(step, Aligned::OnlyA(_))).count();
            (only, found.iter().filter(|step| !is_same(step)).count())
        };
        assert_eq!(count(&aligned(&first, &second)), (1, 1), "seed {seed}");
        // A missing run longer than half a window.
        second.drain(1000..1000 + WINDOW * 2 / 3);
        let found = aligned(&first, &second);
        let only = found.iter().filter(|step| matches!(step, Aligned::OnlyA(_))).count();
        assert_eq!(only, 1 + WINDOW * 2 / 3, "seed {seed}");
    }
}

/// Every entry of both streams appears once, for any two streams.
#[test]
fn unlike_streams_are_reported_whole() {
    for (seed, lengths) in [(1, (900, 900)), (2, (2000, 3)), (3, (0, 700)), (4, (1500, 2500))] {
        let mut random = Random(seed);
        let a = steps(&stream(&mut random, lengths.0));
        let b = steps(&stream(&mut random, lengths.1));
        let (mut first, mut second) = (vec![0; a.len()], vec![0; b.len()]);
        for step in aligned(&a, &b) {
            match step {
                Aligned::Pair { a, b, .. } => {
                    first[a.sequence as usize] += 1;
                    second[b.sequence as usize] += 1;
                }
                Aligned::OnlyA(a) => first[a.sequence as usize] += 1,
                Aligned::OnlyB(b) => second[b.sequence as usize] += 1,
            }
        }
        assert!(first.iter().chain(&second).all(|count| *count == 1), "{seed}");
    }
}

/// Other contents of one entry change its hash only.
#[test]
fn other_contents_are_found() {
    let entries = stream(&mut Random(5), 1000);
    let mut changed = entries.clone();
    let at = changed.iter().rposition(Entry::is_instruction).expect("an instruction");
    changed[at].operands[1].usage = Use::Writes { bytes: 256, hash: 0 };
    let found = aligned(&steps(&entries), &steps(&changed));
    let unequal: Vec<_> = found.iter().filter(|step| !is_same(step)).collect();
    let [Aligned::Pair { a, b, matched: Matched::Same, equal: false }] = unequal.as_slice() else {
        panic!("{unequal:?}")
    };
    assert_eq!((a.sequence, b.sequence), (at as u64, at as u64));
}

/// A missing entry is not confused with a later execution of the same instruction, which wrote other contents.
#[test]
fn executions_are_told_apart_by_their_contents() {
    let write = |at: u64| {
        let mut entry = entry(at, Pipe::Vector, "tadd", Action::Run);
        entry.operands = vec![operand(at % 8, Use::Writes { bytes: 256, hash: at })];
        entry
    };
    let entries: Vec<_> = (0..2000).map(write).collect();
    let first = steps(&entries);
    for missing in [0, 700, 1333, 1999] {
        let mut second = first.clone();
        second.remove(missing);
        let odd: Vec<_> = aligned(&first, &second).into_iter().filter(|step| !is_same(step)).collect();
        let [Aligned::OnlyA(only)] = odd.as_slice() else { panic!("{missing}: {odd:?}") };
        assert_eq!(only.sequence, missing as u64);
    }
}

/// Another operation on the same destination replaces the first one; other addresses keep the operation.
#[test]
fn replaced_and_moved_entries_are_aligned() {
    let entries = stream(&mut Random(6), 600);
    let at = 300 + entries[300..].iter().position(Entry::is_instruction).expect("an instruction");
    let of = |entries: &[Entry<'_>], changed: &[Entry<'_>]| {
        let found = aligned(&steps(entries), &steps(changed));
        let odd: Vec<_> = found.into_iter().filter(|step| !is_same(step)).collect();
        let [Aligned::Pair { a, b, matched, .. }] = odd.as_slice() else { panic!("{odd:?}") };
        assert_eq!((a.sequence, b.sequence), (at as u64, at as u64));
        *matched
    };
    let mut replaced = entries.clone();
    replaced[at].name = "trsqrt";
    assert_eq!(of(&entries, &replaced), Matched::Replaced);
    let mut moved = entries.clone();
    (moved[at].operands[0].area.start, moved[at].operands[0].area.end) = (0x8000, 0x8100);
    assert_eq!(of(&entries, &moved), Matched::Elsewhere);
}

/// Runs of equal stride that lie between each other share no byte.
#[test]
fn interleaved_columns_are_independent() {
    let store = |start: u64| {
        let mut entry = entry(0, Pipe::Mte3, "tstore", Action::Run);
        let shape = Shape::Runs { run: 64, stride: 256 };
        let area = Area { space: "gm:y", start, end: start + 7 * 256 + 64, shape };
        entry.operands = vec![Operand { name: "y", area, usage: Use::Writes { bytes: 512, hash: 0 } }];
        Step::of(&entry)
    };
    assert!(store(0).commutes(&store(64)));
    assert!(store(192).commutes(&store(256)));
    assert!(!store(0).commutes(&store(32)));
    assert!(!store(0).commutes(&store(256)));
}

/// Every kind of line.
fn lines() -> Vec<Entry<'static>> {
    let queue = QueueEnd { id: 4, to_vector: true, core: 1 };
    let (pipe, reach) = (Pipe::Fixpipe, Reach::VectorCores);
    let actions = [
        Action::Run,
        Action::Set { from: Pipe::Mte1, to: Pipe::Matrix, event: 7 },
        Action::Wait { from: Pipe::Mte1, to: Pipe::Matrix, event: 0 },
        Action::Barrier(Pipe::All),
        Action::AllWait(Pipe::Mte2),
        Action::Acquire { pipe, token: 3 },
        Action::Release { pipe, token: 3 },
        Action::Allocate { queue, returns: 2 },
        Action::Push { queue, entry: 5 },
        Action::Pop { queue: QueueEnd { id: -1, to_vector: false, core: 0 }, entry: 5 },
        Action::Free { queue, number: 6 },
        Action::Signal { pipe, reach, flag: 11 },
        Action::Await { pipe, reach: Reach::Meeting, flag: 11, count: 1 },
        Action::Notify,
        Action::See,
    ];
    let mut entries: Vec<_> =
        actions.into_iter().enumerate().map(|(at, action)| entry(at as u64, pipe, "op", action)).collect();
    let area = |shape| Area { space: "gm:x@1", start: 0x40, end: 0x1c40, shape };
    entries[0].operands = vec![
        Operand { name: "x", area: area(Shape::Parts), usage: Use::Reads },
        Operand { name: "tmp", area: area(Shape::Whole), usage: Use::Destroys },
        Operand { name: "s", area: area(Shape::Whole), usage: Use::Notifies },
        Operand { name: "s", area: area(Shape::Whole), usage: Use::Awaits },
        Operand {
            name: "y_0",
            area: area(Shape::Runs { run: 64, stride: 256 }),
            usage: Use::Writes { bytes: 512, hash: 0xfe },
        },
    ];
    entries
}

#[test]
fn lines_read_back() {
    for entry in lines().into_iter().chain(stream(&mut Random(9), 200)) {
        let line = entry.to_string();
        assert_eq!(Entry::parse(&line).as_ref(), Ok(&entry), "{line}");
        assert_eq!(Entry::parse_core(&line), Ok((entry.sequence, entry.core)));
    }
}

/// No prefix and no change of one byte of a line makes the parser panic, and no prefix reads as another entry unless it
/// ends between clauses.
#[test]
fn damaged_lines_are_errors() {
    for entry in lines() {
        let line = entry.to_string();
        for end in 0..line.len() {
            if let Ok(read) = Entry::parse(&line[..end]) {
                assert_ne!(read, entry, "{line}");
            }
        }
        for at in 0..line.len() {
            for byte in [b' ', b'|', b'[', b']', b'%', b'x', b'-', b'9', b'\t'] {
                let mut damaged = line.clone().into_bytes();
                damaged[at] = byte;
                let text = String::from_utf8(damaged).expect("text");
                let _ = Entry::parse(&text);
                let _ = Entry::parse_core(&text);
            }
        }
    }
    for wrong in [
        "",
        " ",
        "0",
        "x rank 0",
        "0 rank 0 block 0 core 0 V tadd at 1",
        "0 rank 0 block 0 core 0 Q tadd at 1:1",
    ] {
        assert!(Entry::parse(wrong).is_err(), "{wrong}");
    }
    let message = Entry::parse("0 rank 0 block 0 core 0 V tadd at 1:1 | writes %a ub[0x0..0x4] 4 bytes 12")
        .expect_err("short");
    assert_eq!(message, "a hash of 16 digits expected, not `12`");
}
