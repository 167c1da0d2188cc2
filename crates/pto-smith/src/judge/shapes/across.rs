//! Programs of several cores: of one block, of several blocks, of several ranks.

use super::super::facts::{Access, Change, Pipe, Wanted};
use super::super::program::{Act, Core, ENTRY, SLOTS, Source, Space, Statement};
use super::super::queues::Slots;
use super::memory::{Operand, one, work};
use super::within::{CubeRoom, VectorRoom};
use super::{part, profile, source};
use crate::Rng;
use pto::Profile;

/// The index of a vector core in its block, and the index of a block.
const CORE: &str =
    "    %core64 = pto.get_subblock_idx\n    %core = arith.index_cast %core64 : i64 to index\n";
const BLOCK: &str =
    "    %block64 = pto.get_block_idx\n    %block = arith.index_cast %block64 : i64 to index\n";

/// A program of a cube core and two vector cores, with a queue between them if `queue`.
pub(super) fn cores(rng: &mut Rng, queue: bool) -> Source {
    let mut source = source(*rng.pick(&[Profile::A2A3, Profile::A5]), None, 1);
    let (mut cube_head, mut vector_head) = (String::new(), CORE.to_owned());
    let room = CubeRoom::new(0, &mut cube_head, rng);
    let vectors = VectorRoom::new((0, 8), &mut vector_head, rng);
    let mut cube: Vec<_> = (0..rng.between(2, 8)).map(|_| room.step(rng)).collect();
    let mut vector: Vec<_> = (0..rng.between(2, 8)).map(|serial| vectors.step(serial, rng)).collect();
    if queue {
        source.slots = rng.between(1, 3);
        if source.profile == Profile::A5 && rng.chance(60) {
            source.storage = Slots::OnChip;
        }
        let open = open(&source);
        cube_head += &open;
        vector_head += &open;
        let entries = rng.between(1, 4);
        spread(&mut cube, (0..entries).map(|_| push(&room, rng)).collect(), rng);
        let mut pops = Vec::new();
        for entry in 0..entries {
            pops.extend(pop(entry, &vectors, &mut vector_head, rng));
        }
        spread(&mut vector, pops, rng);
    }
    source.parts.push(part(Core::Cube, 1, cube_head, cube));
    source.parts.push(part(Core::Vector, 2, vector_head, vector));
    source
}

/// Opens an end of the queue.
fn open(source: &Source) -> String {
    let (name, memory) = match source.storage {
        Slots::InMemory => ("initialize_l2g2l_pipe", "%fifo : !pto.ptr<f32>, "),
        Slots::OnChip => ("initialize_l2l_pipe", ""),
    };
    format!(
        "    %buffer = arith.constant {SLOTS} : i32\n    %pipe = pto.{name} {{dir_mask = 1, slot_size = {ENTRY}, \
         slot_num = {}, flag_base = 8}}({memory}%buffer : i32) -> !pto.pipe\n",
        source.slots
    )
}

fn push(room: &CubeRoom, rng: &mut Rng) -> Statement {
    let acc = one(&room.accs, rng);
    let text = format!("    pto.tpush({}, %pipe : !acc, !pto.pipe) {{split = 1}}", acc.name);
    Statement { text, act: Act::Push(vec![(Access::Read, acc.area)]) }
}

/// Pops an entry, usually reads it, and frees its slot.
fn pop(entry: usize, room: &VectorRoom, head: &mut String, rng: &mut Rng) -> Vec<Statement> {
    *head += &format!("    %got{entry} = pto.declare_tile -> !t\n");
    let pop = format!("    pto.tpop(%got{entry}, %pipe : !t, !pto.pipe) {{split = 1}}");
    let mut all = vec![Statement { text: pop, act: Act::Pop(entry) }];
    if rng.chance(70) {
        let stores = rng.chance(40);
        let to = if stores { one(&room.windows, rng) } else { one(&room.tiles, rng) };
        let (name, pipe) = if stores { ("tstore", Pipe::Mte3) } else { ("texp", Pipe::V) };
        let text = format!("    pto.{name} ins(%got{entry} : !t) outs({} : {})", to.name, to.ty);
        all.push(Statement { text, act: Act::Use(entry, pipe, vec![(Access::Write, to.area)]) });
    }
    let free = "    pto.tfree(%pipe : !pto.pipe) {split = 1}".to_owned();
    all.push(Statement { text: free, act: Act::Free });
    all
}

/// Inserts statements at random positions among others, in their order.
fn spread(body: &mut Vec<Statement>, added: Vec<Statement>, rng: &mut Rng) {
    let mut least = 0;
    let room = (body.len() / added.len().max(1)).max(1);
    for statement in added {
        least = (least + rng.below(room + 1)).min(body.len());
        body.insert(least, statement);
        least += 1;
    }
}

/// A program of two or three blocks of vector cores with some windows in common.
pub(super) fn blocks(rng: &mut Rng) -> Source {
    let mut source = source(profile(rng), Some(Core::Vector), 1);
    source.blocks = rng.between(2, 3);
    let mut head = BLOCK.to_owned();
    let own = VectorRoom::new((8, 0), &mut head, rng);
    let mut body: Vec<_> = (0..rng.between(2, 7)).map(|serial| own.step(serial, rng)).collect();
    let meetings =
        (0..rng.below(3)).map(|_| Statement { text: String::new(), act: Act::CoreBarrier }).collect();
    spread(&mut body, meetings, rng);
    source.parts.push(part(Core::Vector, 1, head, body));
    source
}

/// Number of signals of a rank.
const CELLS: u64 = 4;

/// A program of two or three ranks: each stores to the next one, and notifies it.
pub(super) fn ranks(rng: &mut Rng) -> Source {
    let ranks = rng.between(2, 3);
    let mut source = source(profile(rng), Some(Core::Vector), ranks);
    let mut head = String::new();
    let room = VectorRoom::new((0, 0), &mut head, rng);
    let next: Vec<Operand> = windows_of_next(&room, &mut head);
    signals(&mut head);
    let mut body = Vec::new();
    let mut sent = 0;
    for serial in 0..rng.between(3, 8) {
        if rng.chance(35) {
            body.push(work("tstore", Pipe::Mte3, &[one(&room.tiles, rng)], one(&next, rng)));
            sent += 1;
            // Counting signals, in addition to those of `repair`.
            let statement = |act| Statement { text: String::new(), act };
            if rng.chance(60) && sent < 4 {
                body.push(statement(Act::Notify(CELLS, Change::Add(1))));
                body.push(statement(Act::See(CELLS, Wanted::AtLeast(count(&body)))));
            }
        } else {
            body.push(room.step(serial, rng));
        }
    }
    source.parts.push(part(Core::Vector, 1, head, body));
    source
}

fn count(body: &[Statement]) -> i64 {
    body.iter().filter(|statement| matches!(statement.act, Act::Notify(..))).count() as i64
}

/// The windows of buffer 0 in the next rank.
fn windows_of_next(room: &VectorRoom, head: &mut String) -> Vec<Operand> {
    *head += "    %n0v = pto.make_tensor_view %n0, shape = [%c64, %c16], strides = [%c16, %c1] : !v\n";
    let own = room.windows.iter().filter(|window| window.area.space == Space::Global(0));
    own.map(|window| {
        let mut next = window.clone();
        next.name = format!("%n{}", &window.name[1..]);
        next.area.space = Space::Next(0);
        let row = window.area.start / 64;
        *head += &format!(
            "    {} = pto.partition_view %n0v, offsets = [%c{row}, %c0], sizes = [%c8, %c16] : !v -> !w\n",
            next.name
        );
        next
    })
    .collect()
}

/// Views of the signals of this rank and of the next one.
fn signals(head: &mut String) {
    for cell in 0..=CELLS {
        for (side, argument) in [("own", "%sig"), ("next", "%nsig")] {
            *head += &format!(
                "    %{side}{cell}p = pto.addptr {argument}, %c{} : !pto.ptr<i32> -> !pto.ptr<i32>\n    \
                 %{side}{cell} = pto.make_tensor_view %{side}{cell}p, shape = [%c1], strides = [%c1] : !signal\n",
                cell * 4
            );
        }
    }
}
