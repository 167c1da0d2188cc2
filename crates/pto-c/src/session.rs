//! The launches of a process: one device with its parts, buffers and tiles, and the settings from the environment.

use crate::abi::{pto_fact_of, pto_form};
use crate::caller::pattern;
use crate::cores::Launch;
use crate::findings;
use crate::form::{Operand, Site};
use crate::host::{self, Memory};
use crate::key::{Key, Quick};
use crate::lines::Lines;
use crate::save::Saved;
use pto::Profile;
use pto::diag::Diagnostic;
use pto::isa::rule::RuleId;
use pto::isa::{Buffer, rules};
use pto::launch::live::{Argument, Core, Cores, Live};
use pto::observe::{WatchOptions, Watcher, Watchers};
use pto::sim::Options;
use pto::timeline::LaunchObserver;
pub use request::Request;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

mod device;
mod joined;
mod request;

/// A misuse of the interface, in one sentence: the process cannot go on.
#[derive(Debug, PartialEq, Eq)]
pub struct Misuse(pub String);

impl Misuse {
    /// The sentence, prefixed with its subject.
    pub(crate) fn at(&self, what: &str) -> String {
        format!("{what}: {}", self.0)
    }
}

/// The end of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The call has ended, with the bits of its result.
    Done(Option<u64>),
    /// The call has ended, with the bits of its result. It has tested signals in vain, or many calls have changed
    /// nothing: other cores should run.
    Polled(Option<u64>),
    /// The call waits for another core.
    Waits,
}

/// Addresses of the buffers of a core in the memory of the host.
#[derive(Clone, Copy)]
pub(crate) struct Bases {
    pub(crate) core: Core,
    pub(crate) buffers: [usize; Buffer::ALL.len()],
    /// The room for tiles without addresses: in UB, and elsewhere.
    pub(crate) automatic: [usize; 2],
}

/// The memory of a tile without an address.
pub(crate) struct Room {
    pub(crate) names: i64,
    pub(crate) buffer: Buffer,
    pub(crate) address: u64,
    pub(crate) bytes: u64,
}

/// The device of the process.
pub(crate) struct Device {
    pub(crate) live: Live<LaunchObserver>,
    pub(crate) profile: Profile,
    pub(crate) cores: Cores,
}

/// All that launches of the process share.
#[derive(Default)]
pub struct Session {
    pub(crate) device: Option<Device>,
    /// The launch that a command asks for, whose findings go to the command.
    pub(crate) request: Option<Request>,
    pub(crate) stops_at_first: bool,
    /// Target and kind of cores of the code that was loaded last. They also apply to calls outside of launches.
    pub(crate) unit: Option<(String, u32)>,
    pub(crate) sites: Vec<Site>,
    /// The operands of forms, by their addresses.
    pub(crate) forms: HashMap<usize, Vec<Operand>, Quick>,
    /// Sites by their distinguishing properties.
    pub(crate) known: HashMap<Key, usize, Quick>,
    /// Byte offsets of the texts of sites in the text of all parts, with the places of their calls.
    pub(crate) places: Vec<(u32, usize)>,
    pub(crate) memory: Memory,
    /// Words of global memory that notifications or atomic operations have changed.
    pub(crate) signals: HashSet<usize>,
    pub(crate) lines: Option<Lines>,
    pub(crate) bases: Vec<Bases>,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) serials: HashMap<(usize, usize), u32>,
    pub(crate) last_serial: u32,
    pub(crate) rooms: HashMap<u32, Room>,
    pub(crate) counter: u64,
    /// Number of ranks that launch at the same time, if there are several.
    pub(crate) ranks: Option<u32>,
    /// The open launches by rank, with their numbers of blocks.
    pub(crate) open: BTreeMap<u32, u32>,
    /// Cores of clusters that no thread has become yet.
    pub(crate) clusters: BTreeMap<u64, Vec<Core>>,
    /// Number of calls that changed something, and of cores, launches and ranks that have begun or ended.
    pub(crate) progress: u64,
    /// Number of calls since then, which have changed nothing.
    pub(crate) idle: u32,
    pub(crate) has_failed: bool,
    /// Whether a kernel has written beyond the end of an allocation.
    pub(crate) has_overrun: bool,
    /// The calls of block 0, if they are saved.
    pub(crate) saved: Option<Saved>,
}

static SESSION: Mutex<Option<Session>> = Mutex::new(None);

/// Uses the session of the process.
pub fn with_session<R>(use_it: impl FnOnce(&mut Session) -> R) -> R {
    let mut session = SESSION.lock().unwrap_or_else(PoisonError::into_inner);
    use_it(session.get_or_insert_default())
}

/// Ends the process with a sentence.
#[allow(clippy::print_stderr)]
pub fn fail(sentence: &str) -> ! {
    eprintln!("pto: {sentence}");
    findings::end_process(1)
}

/// Beginning of a sentence: a call on a thread that is not a core.
pub fn outside(form: &pto_form, place: usize) -> String {
    let name = pattern(form).unwrap_or_default();
    let name =
        name.split_whitespace().find(|word| word.starts_with("pto.")).unwrap_or("an instruction").to_owned();
    let at = Lines::of_process().callers(place as u64);
    let at = findings::user_line(&at).map(|line| format!(" at {line}")).unwrap_or_default();
    format!("`{name}`{at} is called outside of a launch")
}

pub(crate) fn buffer_of(number: u32) -> Result<Buffer, Misuse> {
    let buffer = Buffer::ALL.get(number as usize).copied();
    buffer
        .ok_or_else(|| Misuse(format!("there is no buffer {number}: are the headers those of this library?")))
}

/// The watchers that `PTO_WATCH` names.
fn watchers() -> Result<Watchers, Misuse> {
    let words = std::env::var("PTO_WATCH").unwrap_or_default();
    let named = words.split(',').map(str::trim).filter(|word| !word.is_empty());
    Watchers::named(named).map_err(|word| {
        let known = Watcher::ALL.map(Watcher::word).join(", ");
        Misuse(format!("PTO_WATCH names `{word}`; the watchers are {known}, all and none"))
    })
}

/// Findings that are not a fault of a kernel, as a sentence.
pub(crate) fn misuse(found: Vec<Diagnostic>) -> Misuse {
    Misuse(found.first().map_or(String::new(), |one| one.message.clone()))
}

impl Session {
    pub(crate) fn live(&mut self) -> &mut Live<LaunchObserver> {
        &mut self.device.as_mut().expect("a launch has begun").live
    }

    /// The text of all parts.
    pub(crate) fn source(&self) -> &str {
        self.device.as_ref().map_or("", |device| device.live.source())
    }

    /// Begins a launch; the first one makes the device.
    pub fn begin(&mut self, rank: u32, launch: &Launch<'_>) -> Result<(), Misuse> {
        self.open_device(launch.target, launch.cores)?;
        if self.open.contains_key(&rank) || self.ranks.is_none() && self.has_outsiders() {
            return Err(Misuse(
                "two threads launch kernels at once: a launch ends before the next one begins".into(),
            ));
        }
        self.progress += 1;
        self.open.insert(rank, launch.blocks);
        self.memory.refresh();
        self.live().begin_launch(rank, launch.blocks).map_err(misuse)
    }

    /// Sets the number of ranks that launch at the same time from now on.
    pub fn set_ranks(&mut self, count: u32) -> Result<(), Misuse> {
        if !self.open.is_empty() {
            return Err(Misuse("ranks begin in the middle of a launch".into()));
        }
        self.ranks = (count > 1).then_some(count);
        if let Some(device) = &mut self.device {
            device.live.set_ranks(count);
        }
        Ok(())
    }

    /// A rank launches nothing more. If all others wait for it, that is a finding.
    pub fn end_rank(&mut self, rank: u32) {
        self.progress += 1;
        let ended = self.device.as_mut().map(|device| device.live.end_rank(rank));
        if let Some(Err(found)) = ended.filter(|_| !self.has_failed) {
            self.stopped(found);
        }
    }

    /// Synchronizes all ranks between launches.
    pub fn meet(&mut self) {
        self.progress += 1;
        if let Some(device) = &mut self.device {
            device.live.meet();
        }
    }

    /// Code was loaded that was compiled for a target and a kind of cores. Its file may be removed from now on.
    pub fn loaded(&mut self, target: String, cores: u32, code: usize) {
        self.unit = Some((target, cores));
        self.lines.get_or_insert_with(Lines::of_process).keep(code as u64);
    }

    /// Options and watchers of the launches: those of a request, else those of the environment.
    fn wanted(&mut self) -> Result<(Options, WatchOptions), Misuse> {
        if let Some(request) = &self.request {
            return Ok((request.options.clone(), request.wanted.watch));
        }
        self.stops_at_first = std::env::var("PTO_STOP").is_ok_and(|word| word == "first");
        Ok((Options::default(), WatchOptions::from(watchers()?)))
    }

    /// Begins the next block.
    pub fn begin_block(&mut self, rank: u32) -> Result<Vec<Core>, Vec<Diagnostic>> {
        let cores = self.live().begin_block(rank)?;
        for core in &cores {
            let bases = self.bases_of(*core)?;
            self.bases.push(bases);
        }
        Ok(cores)
    }

    /// A core has come to its end.
    pub fn end_core(&mut self, core: Core) -> Result<(), Vec<Diagnostic>> {
        self.progress += 1;
        self.bases.retain(|bases| bases.core != core);
        self.live().end_core(core)
    }

    /// The launch has come to its end.
    pub fn end(&mut self, rank: u32) -> Result<(), Vec<Diagnostic>> {
        self.progress += 1;
        self.open.remove(&rank);
        if self.open.is_empty()
            && let Some((asked, behind)) = host::overrun()
        {
            self.has_overrun = true;
            findings::print_error(&format!(
                "pto: a kernel has written up to {behind} bytes behind an allocation of {asked} bytes\n"
            ));
        }
        self.live().end_launch(rank)
    }

    /// Records findings that stopped the launch. They are printed now, or passed to the command that requested the
    /// launch.
    pub fn stopped(&mut self, found: Vec<Diagnostic>) {
        self.has_failed = true;
        self.open.clear();
        self.bases.clear();
        self.clusters.clear();
        match &mut self.request {
            Some(request) => request.stopped = Some(found),
            None => findings::tell(self, &found),
        }
    }

    /// Whether findings have stopped a launch.
    pub fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// A number that changes when a core changes anything that another one may wait for.
    pub fn progress(&self) -> u64 {
        self.progress
    }

    /// Returns the address of the function that a core runs: for cube cores of a mixed kernel, the twin of the function
    /// that the host names.
    pub fn entry(&mut self, core: Option<Core>, kernel: usize) -> Result<usize, Misuse> {
        let is_mixed = self.device.as_ref().is_some_and(|device| device.cores == Cores::Mixed);
        if !is_mixed || core.is_none_or(|core| core.index > 0) {
            return Ok(kernel);
        }
        let twin = self.lines.get_or_insert_with(Lines::of_process).twin(kernel as u64);
        let sentence = "a mixed kernel has no code for cube cores: its file is compiled with `pto c++ --cores mixed`, and the kernel is no \
                        static function";
        twin.map(|twin| twin as usize).ok_or_else(|| Misuse(sentence.into()))
    }

    /// A fact of the launch.
    pub fn fact(&mut self, core: Option<Core>, what: u32) -> u64 {
        let mixed = self.device.as_ref().is_some_and(|device| device.cores == Cores::Mixed);
        let (block, index) = core.map_or((0, 0), |core| (u64::from(core.block), u64::from(core.index)));
        let is = |fact: pto_fact_of| what == fact as u32;
        match what {
            _ if is(pto_fact_of::PTO_BLOCK_INDEX) => block,
            _ if is(pto_fact_of::PTO_BLOCK_COUNT) => {
                let blocks = core.and_then(|core| self.open.get(&core.rank));
                u64::from(blocks.copied().unwrap_or(1).max(1))
            }
            _ if is(pto_fact_of::PTO_SUBBLOCK_INDEX) => index.saturating_sub(1),
            _ if is(pto_fact_of::PTO_SUBBLOCK_COUNT) => 1 + u64::from(mixed),
            _ if is(pto_fact_of::PTO_CORE_INDEX) => block,
            _ => {
                self.counter += 1;
                self.counter
            }
        }
    }

    /// The host has written bytes.
    pub fn wrote(&mut self, start: usize, bytes: u64) {
        match (self.memory.address(start), &mut self.device) {
            (Some(address), Some(device)) => drop(device.live.write(address, bytes)),
            _ => self.memory.wrote(start, bytes),
        }
    }

    /// The address of a host pointer in the machine; its buffer is added when it is new.
    pub(crate) fn address(&mut self, pointer: usize) -> Option<u64> {
        let device = self.device.as_mut()?;
        for freed in self.memory.freed() {
            device.live.take_buffer(freed);
        }
        if let Some(address) = self.memory.address(pointer) {
            return Some(address);
        }
        let found = self.memory.find(pointer)?;
        let address = device.live.buffer(&found.name, found.storage(), found.written).ok()?;
        self.memory.add(&found, address);
        for (start, bytes) in self.memory.written(&found) {
            device.live.write(address + (start - found.start) as u64, bytes);
        }
        self.memory.address(pointer)
    }
}

/// Removes findings that need a complete run, for a launch that was stopped: the part that did not run may need
/// synchronization that they call superfluous.
pub(crate) fn retain_partial(found: &mut Vec<Diagnostic>) {
    let needs_whole_run = [&rules::sync::REDUNDANT, &rules::sync::UNNEEDED, &rules::sync::WIDE];
    found.retain(|one| !needs_whole_run.iter().any(|rule| one.rule == RuleId::from(*rule)));
}
