//! A program written as text, and its run as facts: each strand, a core of a block of a rank, runs its part.

use super::facts::{Access, Fact, Facts, GLOBAL, Pipe, Queue, Touch, What};
use super::program::{Act, Area, Core, ENTRY, Reach, SLOTS, Source, Space, Statement};
use super::queues::pipes;
use super::words::words;
use pto::Profile;
use std::collections::BTreeMap;

/// A strand: a core of a block of a rank, and the part that it runs.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Strand {
    rank: usize,
    block: usize,
    core: usize,
    part: usize,
}

/// The statements in execution order of a strand, with their lines.
fn unrolled(first: usize, body: &[Statement]) -> Vec<(usize, &Act)> {
    let mut open: Vec<(usize, Vec<(usize, &Act)>)> = vec![(1, Vec::new())];
    for (index, statement) in body.iter().enumerate() {
        match (&statement.act, open.last_mut()) {
            (Act::Repeat(times), _) => open.push((*times, Vec::new())),
            (Act::End, _) => {
                let (times, once) = open.pop().unwrap_or_default();
                let (_, outer) = open.last_mut().expect("an end has a begin");
                outer.extend((0..times).flat_map(|_| once.iter().copied()));
            }
            (act, Some((_, once))) => once.push((first + index, act)),
            (_, None) => {}
        }
    }
    open.pop().map(|(_, once)| once).unwrap_or_default()
}

/// A program as text, and its run as facts.
pub struct Written {
    /// The text.
    pub text: String,
    /// The facts.
    pub facts: Facts,
}

/// The memory of a slot at a consumer.
fn slot_touch(strand: usize, entry: usize, slots: usize, access: Access) -> Touch {
    let start = SLOTS + (entry % slots) as u64 * ENTRY;
    let bytes = std::iter::once(start..start + ENTRY / 2).collect();
    Touch { access, space: strand as u64 * 64, bytes }
}

/// The entries that a strand has pushed, popped and freed, and the entry of each popped tile.
#[derive(Default)]
struct Entries {
    pushed: usize,
    popped: usize,
    freed: usize,
    tiles: BTreeMap<usize, usize>,
    /// Whether an instruction uses an entry that was freed.
    uses_freed: bool,
}

impl Source {
    /// The line of the first statement of each part.
    pub fn first_lines(&self) -> Vec<usize> {
        let section = usize::from(self.parts.len() > 1);
        let mut line = self.head.lines().count();
        let mut firsts = Vec::new();
        for part in &self.parts {
            line += section + part.head.lines().count();
            firsts.push(line);
            line += part.body.len() + section;
        }
        firsts
    }

    /// The text and the facts of the program.
    pub fn write(&self) -> Written {
        let mut lines: Vec<String> = self.head.lines().map(str::to_owned).collect();
        let mut listed = Vec::new();
        for part in &self.parts {
            let sections = self.parts.len() > 1;
            let name = if part.core == Core::Cube { "cube" } else { "vector" };
            lines.extend(sections.then(|| format!("pto.section.{name} {{")));
            lines.extend(part.head.lines().map(str::to_owned));
            let first = lines.len();
            lines.extend(part.body.iter().map(|statement| words(part, statement)));
            listed.push(unrolled(first, &part.body));
            lines.extend(sections.then(|| "}".to_owned()));
        }
        lines.extend(["  return", "}", "}"].map(str::to_owned));
        Written { text: lines.join("\n") + "\n", facts: self.facts(&listed) }
    }

    /// The strands in the order in which they run: by rank, block, part and core.
    fn strands(&self) -> Vec<Strand> {
        let mut strands = Vec::new();
        for rank in 0..self.ranks {
            for block in 0..self.blocks {
                for (index, part) in self.parts.iter().enumerate() {
                    strands.extend((0..part.cores).map(|core| Strand { rank, block, core, part: index }));
                }
            }
        }
        strands
    }

    fn facts(&self, listed: &[Vec<(usize, &Act)>]) -> Facts {
        let strands = self.strands();
        let per_block = self.parts.iter().map(|part| part.cores).sum();
        let mut facts = Facts { overlaps: self.profile == Profile::A2A3, ..Facts::default() };
        for (strand, me) in strands.iter().enumerate() {
            let mut list = Vec::new();
            let mut entries = Entries::default();
            for (line, act) in &listed[me.part] {
                let mut whats = self.whats(&strands, strand, act);
                whats.extend(self.queue_facts(&strands, strand, act, &mut entries));
                list.extend(whats.into_iter().map(|what| Fact { line: *line, what }));
            }
            facts.strands.push(list);
            facts.uses_freed |= entries.uses_freed;
        }
        let all: Vec<usize> = (0..strands.len()).collect();
        facts.blocks = all.chunks(per_block).map(<[usize]>::to_vec).collect();
        facts.queues = (facts.blocks.iter())
            .map(|block| {
                let (producers, consumers) =
                    block.iter().partition(|strand| self.kind(strands[**strand]) == Core::Cube);
                Queue { slots: self.slots, producers, consumers }
            })
            .collect();
        facts
    }

    fn kind(&self, me: Strand) -> Core {
        self.parts[me.part].core
    }

    /// The facts of an operation on one strand.
    fn whats(&self, strands: &[Strand], strand: usize, act: &Act) -> Vec<What> {
        let me = strands[strand];
        let touches = |list: &[(Access, Area)]| {
            list.iter().map(|(access, area)| self.touch(me, strand, *access, area)).collect()
        };
        vec![match act {
            Act::Work(pipe, list) => What::Work { pipe: *pipe, touches: touches(list) },
            Act::Set(flag) => What::Set(*flag),
            Act::Wait(flag) => What::Wait(*flag),
            Act::Barrier(pipe) => What::Barrier(*pipe),
            Act::BarrierAll => What::BarrierAll,
            Act::Take(pipe, token) => What::Take(*pipe, *token),
            Act::Give(pipe, token) => What::Give(*pipe, *token),
            Act::Raise(reach, pipe, id) => {
                let (channel, receivers) =
                    (self.channel(me, *reach, *id, true), self.others(strands, me, *reach));
                What::Raise { pipe: *pipe, channel, receivers }
            }
            Act::Await(reach, pipe, id) => {
                let (channel, setters) =
                    (self.channel(me, *reach, *id, false), self.others(strands, me, *reach));
                What::Await { pipe: *pipe, channel, setters }
            }
            Act::CoreBarrier => {
                let (channel, all) = (u64::MAX - me.rank as u64, self.others(strands, me, Reach::Blocks));
                return vec![
                    What::Raise { pipe: Pipe::S, channel, receivers: all.clone() },
                    What::Await { pipe: Pipe::S, channel, setters: all },
                ];
            }
            Act::Notify(cell, change) => {
                What::Notify(((me.rank + 1) % self.ranks) as u64 * 64 + cell, *change)
            }
            Act::See(cell, wanted) => What::See(me.rank as u64 * 64 + cell, *wanted),
            Act::Use(_, pipe, list) => What::Work { pipe: *pipe, touches: touches(list) },
            Act::Push(_) | Act::Pop(_) | Act::Free | Act::Repeat(_) | Act::End => return Vec::new(),
        }]
    }

    /// The facts of an operation on one strand that concern the queue of its block.
    fn queue_facts(&self, strands: &[Strand], strand: usize, act: &Act, entries: &mut Entries) -> Vec<What> {
        let me = strands[strand];
        let queue = me.rank * self.blocks + me.block;
        let pipes = pipes(self.profile, self.storage);
        let slot = |strand: usize, entry: usize, access| slot_touch(strand, entry, self.slots, access);
        match act {
            Act::Push(list) => {
                let entry = entries.pushed;
                entries.pushed += 1;
                let mut touches: Vec<_> =
                    list.iter().map(|(access, area)| self.touch(me, strand, *access, area)).collect();
                if pipes.loads.is_none() {
                    let consumers = self.others(strands, me, Reach::Block);
                    touches.extend(consumers.into_iter().map(|other| slot(other, entry, Access::Write)));
                }
                let pipe = pipes.pushes;
                vec![
                    What::Allocate(pipes.allocates, queue),
                    What::Work { pipe, touches },
                    What::Push(pipe, queue),
                ]
            }
            Act::Pop(tile) => {
                entries.tiles.insert(*tile, entries.popped);
                let loaded = slot(strand, entries.popped, Access::Write);
                entries.popped += 1;
                let mut all = vec![What::Pop(pipes.pops, queue)];
                if let Some(pipe) = pipes.loads {
                    all.extend([What::Work { pipe, touches: vec![loaded] }, What::Free(pipes.frees, queue)]);
                }
                all
            }
            Act::Free => {
                entries.freed += 1;
                let signals = pipes.loads.is_none().then_some(What::Free(pipes.frees, queue));
                [What::Discard(queue)]
                    .into_iter()
                    .chain(self.given_up(strand, entries))
                    .chain(signals)
                    .collect()
            }
            Act::Use(tile, pipe, _) => {
                let Some(entry) = entries.tiles.get(tile) else { return vec![What::Stop] };
                entries.uses_freed |= pipes.loads.is_none() && *entry < entries.freed;
                vec![What::Work { pipe: *pipe, touches: vec![slot(strand, *entry, Access::Read)] }]
            }
            _ => Vec::new(),
        }
    }

    /// The access by which a slot on chip is given up: the producer may write it from then on.
    fn given_up(&self, strand: usize, entries: &Entries) -> Option<What> {
        let pipes = pipes(self.profile, self.storage);
        let entry = entries.freed.checked_sub(1).filter(|_| pipes.loads.is_none())?;
        let touches = vec![slot_touch(strand, entry, self.slots, Access::Write)];
        Some(What::Work { pipe: pipes.frees, touches })
    }

    /// The number of a flag between cores. The two directions within a block are separate flags, and so are vector
    /// cores.
    fn channel(&self, me: Strand, reach: Reach, id: u32, sets: bool) -> u64 {
        let to_vector = u64::from((self.kind(me) == Core::Cube) == sets);
        let within = (me.rank * self.blocks + me.block) as u64 * 256 + u64::from(id) * 8 + to_vector * 4;
        match reach {
            Reach::Block => within,
            Reach::One(core) if self.kind(me) == Core::Cube => within + 1 + core as u64,
            Reach::One(_) => within + 1 + me.core as u64,
            Reach::Blocks => (1 << 32) + me.rank as u64 * 64 + u64::from(id),
        }
    }

    /// The strands at the other end of a flag between cores.
    fn others(&self, strands: &[Strand], me: Strand, reach: Reach) -> Vec<usize> {
        let meets = |other: &Strand| {
            let same_kind = self.kind(*other) == self.kind(me);
            let partner = !same_kind && other.block == me.block;
            other.rank == me.rank
                && match reach {
                    Reach::Block => partner,
                    Reach::One(core) => partner && (self.kind(me) == Core::Vector || other.core == core),
                    Reach::Blocks => same_kind,
                }
        };
        (0..strands.len()).filter(|strand| meets(&strands[*strand])).collect()
    }

    fn touch(&self, me: Strand, strand: usize, access: Access, area: &Area) -> Touch {
        let global = |rank: usize, buffer: u64| GLOBAL + rank as u64 * 64 + buffer;
        let space = match area.space {
            Space::Chip(number) => strand as u64 * 64 + number,
            Space::Global(buffer) => global(me.rank, buffer),
            Space::Next(buffer) => global((me.rank + 1) % self.ranks, buffer),
        };
        let start = area.start + me.block as u64 * area.shift.0 + me.core as u64 * area.shift.1;
        let row = |row: u64| start + row * area.pitch..start + row * area.pitch + area.row;
        Touch { access, space, bytes: (0..area.rows).map(row).collect() }
    }
}
