//! The launches of a process: one device with its parts, buffers and tiles, and what the environment asks for.

use crate::abi::{pto_conv_tile, pto_fact_of, pto_form, pto_tensor, pto_tile};
use crate::cores::Launch;
use crate::findings;
use crate::form::{self, Operand, Site};
use crate::host::Memory;
use crate::lines::Lines;
use pto::Profile;
use pto::diag::{Diagnostic, Severity, Span};
use pto::isa::rule::RuleId;
use pto::isa::{Buffer, rules};
use pto::launch::live::{AUTOMATIC, Argument, Called, Core, Cores, Live, Tile};
use pto::observe::{Watch, WatchOptions, Watcher, Watchers};
use pto::sim::Options;
use std::collections::HashMap;
use std::ffi::CStr;
use std::sync::{Mutex, Once, PoisonError};

/// A misuse of the interface, in one sentence: the process cannot go on.
#[derive(Debug, PartialEq, Eq)]
pub struct Misuse(pub String);

/// The end of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// It has ended, with the bits of its result.
    Done(Option<u64>),
    /// It waits for another core.
    Waits,
}

/// Bits of `cores` of `pto_launch`.
const CUBE_AND_VECTOR: u32 = 3;
const AUTOMATIC_MODE: u32 = 4;

/// The bit in the key of a site with extents of convolution tiles: such a key is no set of tiles.
const CONV: u64 = 1 << 63;

/// Where the buffers of a core are in the memory of the host.
#[derive(Clone, Copy)]
struct Bases {
    core: Core,
    buffers: [usize; Buffer::ALL.len()],
    /// The room for tiles without addresses: in UB, and elsewhere.
    automatic: [usize; 2],
}

/// The memory of a tile without an address.
struct Room {
    names: i64,
    buffer: Buffer,
    address: u64,
    bytes: u64,
}

/// The device of the process.
struct Device {
    live: Live<Watch>,
    profile: Profile,
    cores: Cores,
}

/// All that launches of the process share.
#[derive(Default)]
pub struct Session {
    device: Option<Device>,
    stops_at_first: bool,
    sites: Vec<Site>,
    /// Sites by form, place, and what differs from the first call: tiles whose valid region is not that of their type, extents.
    known: HashMap<(usize, usize, u64), usize>,
    /// Where the texts of sites begin in the text of all parts, with the places of their calls.
    pub(crate) places: Vec<(u32, usize)>,
    pub(crate) memory: Memory,
    pub(crate) lines: Option<Lines>,
    bases: Vec<Bases>,
    arguments: Vec<Argument>,
    serials: HashMap<(usize, usize), u32>,
    last_serial: u32,
    rooms: HashMap<u32, Room>,
    counter: u64,
    blocks: u32,
    /// Number of calls that have ended, and of cores.
    progress: u64,
    is_open: bool,
    has_failed: bool,
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

/// The sentence for a call on a thread that is no core.
pub fn outside(form: &pto_form, place: usize) -> String {
    let name = pattern(form).unwrap_or_default();
    let name =
        name.split_whitespace().find(|word| word.starts_with("pto.")).unwrap_or("an instruction").to_owned();
    let at = Lines::of_process().callers(place as u64);
    let at = findings::user_line(&at).map(|line| format!(" at {line}")).unwrap_or_default();
    format!(
        "`{name}`{at} is called on a thread that is no core: kernels run in a launch, `kernel<<<blocks, nullptr, stream>>>(...)`, \
         compiled with `pto c++`"
    )
}

/// The text at a pointer of the headers.
#[allow(unsafe_code)]
fn c_text(pointer: *const std::ffi::c_char) -> Option<String> {
    // SAFETY: texts of forms are static objects of the headers, and end with a zero byte.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned())
}

fn pattern(form: &pto_form) -> Option<String> {
    c_text(form.pattern)
}

/// The texts of a form.
#[allow(unsafe_code)]
fn texts(form: &pto_form) -> Vec<String> {
    let count = if form.texts.is_null() { 0 } else { form.count as usize };
    // SAFETY: the form has as many texts as it says.
    (0..count).filter_map(|at| c_text(unsafe { *form.texts.add(at) })).collect()
}

/// An object of the caller to which a word of a call points.
#[allow(unsafe_code)]
fn object<T: Copy>(word: u64) -> Option<T> {
    let pointer = word as usize as *const T;
    // SAFETY: the headers pass pointers to objects that live during the call.
    (!pointer.is_null()).then(|| unsafe { pointer.read() })
}

fn buffer_of(number: u32) -> Result<Buffer, Misuse> {
    let buffer = Buffer::ALL.get(number as usize).copied();
    buffer
        .ok_or_else(|| Misuse(format!("there is no buffer {number}: are the headers those of this library?")))
}

/// A number for extents, for the key of a site.
fn hash(extents: &[u32; 6]) -> u64 {
    extents
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, extent| (hash ^ u64::from(*extent)).wrapping_mul(0x100_0000_01b3))
}

/// The watchers that `PTO_WATCH` names.
fn watchers() -> Result<Watchers, Misuse> {
    let words = std::env::var("PTO_WATCH").unwrap_or_default();
    words.split(',').map(str::trim).filter(|word| !word.is_empty()).try_fold(Watchers::NONE, |set, word| {
        match (word, Watcher::of_word(word)) {
            ("all", _) => Ok(Watchers::ALL),
            ("none", _) => Ok(Watchers::NONE),
            (_, Some(watcher)) => Ok(set.with(watcher)),
            (_, None) => {
                let known = Watcher::ALL.map(Watcher::word).join(", ");
                Err(Misuse(format!("PTO_WATCH names `{word}`; the watchers are {known}, all and none")))
            }
        }
    })
}

impl Session {
    fn live(&mut self) -> &mut Live<Watch> {
        &mut self.device.as_mut().expect("a launch has begun").live
    }

    /// The text of all parts.
    pub(crate) fn source(&self) -> &str {
        self.device.as_ref().map_or("", |device| device.live.source())
    }

    /// Begins a launch; the first one makes the device.
    pub fn begin(&mut self, launch: &Launch<'_>) -> Result<(), Misuse> {
        static AT_EXIT: Once = Once::new();
        AT_EXIT.call_once(findings::at_exit);
        let target = Profile::from_word(launch.target);
        let profile = target.ok_or_else(|| Misuse(format!("there is no target `{}`", launch.target)))?;
        if let Ok(wanted) = std::env::var("PTO_TARGET")
            && Profile::from_word(&wanted) != Some(profile)
        {
            let compiled = launch.target;
            return Err(Misuse(format!(
                "PTO_TARGET is {wanted}, but the kernel was compiled for {compiled}: compile it with `pto c++ --target {wanted}`"
            )));
        }
        let cores = if launch.cores & CUBE_AND_VECTOR == CUBE_AND_VECTOR { Cores::Mixed } else { Cores::One };
        match &self.device {
            None => {
                let options = Options::default().sync_inserted(launch.cores & AUTOMATIC_MODE != 0);
                let watch = Watch::live(profile, &WatchOptions::from(watchers()?), &options);
                self.stops_at_first = std::env::var("PTO_STOP").is_ok_and(|word| word == "first");
                let live = Live::with_cores(profile, cores, options, watch);
                self.device = Some(Device { live, profile, cores });
            }
            Some(device) if device.profile != profile => {
                let first = device.profile.capabilities().word;
                let target = launch.target;
                return Err(Misuse(format!(
                    "a kernel for {target} is launched after one for {first}: compile both for one target"
                )));
            }
            Some(device) if device.cores != cores => {
                return Err(Misuse(
                    "a kernel for one kind of core is launched after a mixed one, or the other way round"
                        .into(),
                ));
            }
            Some(_) => {}
        }
        if self.is_open {
            return Err(Misuse(
                "two threads launch kernels at once: a launch ends before the next one begins".into(),
            ));
        }
        (self.is_open, self.blocks) = (true, launch.blocks);
        self.memory.refresh();
        self.live().begin_launch(launch.blocks);
        Ok(())
    }

    /// Begins the next block.
    pub fn begin_block(&mut self) -> Result<Vec<Core>, Vec<Diagnostic>> {
        let cores = self.live().begin_block()?;
        for core in &cores {
            let bases = self.bases_of(*core)?;
            self.bases.push(bases);
        }
        Ok(cores)
    }

    fn bases_of(&mut self, core: Core) -> Result<Bases, Vec<Diagnostic>> {
        let live = self.live();
        let mut base =
            |buffer, start| live.on_chip(core, buffer, (start, 0)).map(|bytes| bytes.as_ptr() as usize);
        let mut buffers = [0; Buffer::ALL.len()];
        for (at, buffer) in Buffer::ALL.into_iter().enumerate() {
            buffers[at] = base(buffer, 0)?;
        }
        Ok(Bases { core, buffers, automatic: [base(Buffer::Ub, AUTOMATIC)?, base(Buffer::L1, AUTOMATIC)?] })
    }

    /// The last calls were on this core, so that it is first among the cores.
    fn bases(&mut self, core: Core) -> Bases {
        let at = self.bases.iter().position(|bases| bases.core == core).unwrap_or(0);
        self.bases.swap(0, at);
        self.bases[0]
    }

    /// A core has come to its end.
    pub fn end_core(&mut self, core: Core) -> Result<(), Vec<Diagnostic>> {
        self.progress += 1;
        self.bases.retain(|bases| bases.core != core);
        self.live().end_core(core)
    }

    /// The launch has come to its end.
    pub fn end(&mut self) -> Result<(), Vec<Diagnostic>> {
        self.is_open = false;
        self.live().end_launch()
    }

    /// Findings stopped the launch: they are told now.
    pub fn stopped(&mut self, found: Vec<Diagnostic>) {
        (self.is_open, self.has_failed) = (false, true);
        self.bases.clear();
        findings::tell(self, &found);
    }

    /// A number that changes when a core comes further.
    pub fn progress(&self) -> u64 {
        self.progress
    }

    /// A fact of the launch.
    pub fn fact(&mut self, core: Option<Core>, what: u32) -> u64 {
        let mixed = self.device.as_ref().is_some_and(|device| device.cores == Cores::Mixed);
        let (block, index) = core.map_or((0, 0), |core| (u64::from(core.block), u64::from(core.index)));
        let is = |fact: pto_fact_of| what == fact as u32;
        match what {
            _ if is(pto_fact_of::PTO_BLOCK_INDEX) => block,
            _ if is(pto_fact_of::PTO_BLOCK_COUNT) => u64::from(self.blocks.max(1)),
            _ if is(pto_fact_of::PTO_SUBBLOCK_INDEX) => index.saturating_sub(1),
            _ if is(pto_fact_of::PTO_SUBBLOCK_COUNT) => 1 + u64::from(mixed),
            _ if is(pto_fact_of::PTO_CORE_INDEX) => block,
            _ => {
                self.counter += 1;
                self.counter
            }
        }
    }

    /// Gives a tile an address: its host address, and its serial number. An object that gets its address at one place is one tile, also
    /// in the next round of a loop.
    pub fn assign(
        &mut self,
        core: Option<Core>,
        buffer: u32,
        address: u64,
        key: (usize, usize),
    ) -> Result<(usize, u32), Misuse> {
        let buffer = buffer_of(buffer)?;
        let Some(core) = core else {
            return Err(Misuse("TASSIGN outside of a launch: a tile has its address on a core".into()));
        };
        let profile = self.device.as_ref().map(|device| device.profile).unwrap_or_default();
        let bases = self.bases(core);
        let host = address as usize;
        // A pointer into a buffer stands for its offset there, as on devices.
        let offset = Buffer::ALL.into_iter().enumerate().find_map(|(at, other)| {
            let offset = host.checked_sub(bases.buffers[at])?;
            (offset as u64 <= profile.capacity(other)).then_some(offset)
        });
        let base = bases.buffers[buffer as usize];
        if let Some(offset) = offset {
            // A pointer is that of another tile: this one is a name of what is there.
            return Ok((base.wrapping_add(offset), 0));
        }
        let next = self.last_serial + 1;
        let serial = *self.serials.entry(key).or_insert(next);
        self.last_serial = self.last_serial.max(serial);
        Ok((base.wrapping_add(host), serial))
    }

    /// Gives a tile memory of its own.
    pub fn place(&mut self, core: Core, buffer: u32, bytes: u64) -> Result<(usize, u32), Misuse> {
        let buffer = buffer_of(buffer)?;
        let sentence =
            |found: Vec<Diagnostic>| Misuse(found.first().map_or(String::new(), |one| one.message.clone()));
        let address = self.live().place(core, buffer, bytes as usize).map_err(sentence)?;
        self.last_serial += 1;
        self.rooms.insert(self.last_serial, Room { names: 1, buffer, address, bytes });
        let room = self.bases(core).automatic[usize::from(buffer != Buffer::Ub)];
        Ok((room + (address - AUTOMATIC) as usize, self.last_serial))
    }

    /// A tile without an address of its own has so many names more.
    pub fn retain(&mut self, serial: u32, more: i64) {
        let Some(room) = self.rooms.get_mut(&serial) else { return };
        room.names += more;
        if room.names <= 0
            && let Some(room) = self.rooms.remove(&serial)
            && let Some(device) = &mut self.device
        {
            device.live.give_back(room.buffer, room.address, room.bytes as usize);
        }
    }

    /// Host address of byte 0 of a buffer.
    pub fn buffer(&mut self, core: Core, buffer: u32) -> Result<usize, Misuse> {
        let buffer = buffer_of(buffer)?;
        Ok(self.bases(core).buffers[buffer as usize])
    }

    /// The host has written bytes.
    pub fn wrote(&mut self, start: usize, bytes: u64) {
        match (self.memory.address(start), &mut self.device) {
            (Some(address), Some(device)) => drop(device.live.write(address, bytes)),
            _ => self.memory.wrote(start, bytes),
        }
    }

    /// The address of a host pointer in the machine; its buffer is added when it is new.
    fn address(&mut self, pointer: usize) -> Option<u64> {
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

    /// Runs an operation on a core.
    pub fn call(
        &mut self,
        core: Core,
        form: &pto_form,
        words: &[u64],
        place: usize,
    ) -> Result<Reply, Vec<Diagnostic>> {
        let at = self.site(form, words, place)?;
        self.take(core, at, words)?;
        let site = &self.sites[at];
        let (part, has_result) = (site.part, site.has_result);
        let device = self.device.as_mut().expect("a launch has begun");
        match device.live.call(core, part, &self.arguments)? {
            Called::Waits(_) => return Ok(Reply::Waits),
            Called::Done | Called::Polled => self.progress += 1,
        }
        for text in device.live.printed() {
            findings::print(&text);
        }
        if self.stops_at_first && device.live.observer().has_found() {
            return Err(Vec::new());
        }
        Ok(Reply::Done(has_result.then(|| device.live.result(core, part, 0)).flatten()))
    }

    /// The site of a call. Tiles whose valid region is not that of their type are tiles with a dynamic one.
    fn site(&mut self, form: &pto_form, words: &[u64], place: usize) -> Result<usize, Vec<Diagnostic>> {
        let key = (std::ptr::from_ref(form) as usize, place);
        let mut at = match self.known.get(&(key.0, key.1, 0)) {
            Some(at) => *at,
            None => self.define(form, words, (key.0, key.1, 0), 0)?,
        };
        let (mut other, mut extents) = (0u64, 0u64);
        for (index, (operand, word)) in self.sites[at].operands.iter().zip(words).enumerate().take(64) {
            if let Operand::Tile([rows, cols]) = operand
                && let Some(tile) = object::<pto_tile>(*word)
                && (rows.is_some_and(|rows| rows != tile.rows && rows > 0)
                    || cols.is_some_and(|cols| cols != tile.cols && cols > 0))
            {
                other |= 1 << index;
            }
            if let Operand::Conv(made_for) = operand
                && let Some(tile) = object::<pto_conv_tile>(*word)
                && tile.extents != *made_for
            {
                extents = extents.wrapping_mul(31).wrapping_add(hash(&tile.extents) ^ index as u64) | CONV;
            }
        }
        let variant = other ^ extents;
        if variant != 0 {
            at = match self.known.get(&(key.0, key.1, variant)) {
                Some(at) => *at,
                None => self.define(form, words, (key.0, key.1, variant), other)?,
            };
        }
        Ok(at)
    }

    /// Defines the part of a site, where the tiles of `other` have a dynamic valid region.
    fn define(
        &mut self,
        form: &pto_form,
        words: &[u64],
        key: (usize, usize, u64),
        other: u64,
    ) -> Result<usize, Vec<Diagnostic>> {
        let mut texts = texts(form);
        for (_, text) in texts.iter_mut().enumerate().filter(|(at, _)| *at < 64 && other >> at & 1 == 1) {
            *text = form::with_dynamic_valid(text);
        }
        let mut extents = Vec::new();
        for (at, (text, word)) in texts.iter_mut().zip(words).enumerate().take(form.operands as usize) {
            if text.starts_with("!pto.conv_tile<")
                && let Some(tile) = object::<pto_conv_tile>(*word)
                && let Some(known) = form::with_extents(text, &tile.extents)
            {
                *text = known;
                extents.push((at, tile.extents));
            }
        }
        let pattern = pattern(form).unwrap_or_default();
        let name = format!("call{}", self.sites.len());
        let fault = |sentence: String| vec![Diagnostic::error(&rules::run::LIVE, sentence)];
        let mut made = form::text(&name, &pattern, &texts, form.operands as usize).map_err(fault)?;
        for (at, extents) in extents {
            made.operands[at] = Operand::Conv(extents);
        }
        let start = self.source().len() as u32;
        self.places.push((start, key.1));
        let part = self.live().define(&made.text)?;
        let sets_registers =
            ["pto.setfmatrix ", "pto.set_img2col_"].iter().any(|name| pattern.starts_with(name));
        let (operands, has_result) = (made.operands, made.has_result);
        self.sites.push(Site { part, start, operands, has_result, sets_registers });
        self.known.insert(key, self.sites.len() - 1);
        Ok(self.sites.len() - 1)
    }

    /// Makes the arguments of a call from its words.
    fn take(&mut self, core: Core, at: usize, words: &[u64]) -> Result<(), Vec<Diagnostic>> {
        let bases = self.bases(core);
        self.arguments.clear();
        let operands = std::mem::take(&mut self.sites[at].operands);
        let needs_address = !self.sites[at].sets_registers;
        let mut taken = Ok(());
        for (operand, word) in operands.iter().zip(words) {
            let next = match operand {
                // A convolution tile begins with its tile.
                Operand::Tile(_) | Operand::Conv(_) => self.take_tile(&bases, *word, needs_address),
                Operand::Tensor(dynamic) => self.take_tensor(dynamic, *word),
                Operand::Pointer => self
                    .pointer(*word as usize)
                    .map(|address| self.arguments.push(Argument::Pointer(address))),
                Operand::Scalar => {
                    self.arguments.push(Argument::Scalar(*word));
                    Ok(())
                }
            };
            if let Err((rule, sentence)) = next {
                taken = Err(vec![self.at_site(at, Diagnostic::error(rule, sentence))]);
                break;
            }
        }
        self.sites[at].operands = operands;
        taken
    }

    /// A finding at the operation of a site.
    fn at_site(&self, at: usize, finding: Diagnostic) -> Diagnostic {
        let start = self.sites[at].start;
        finding.at(Span::new(start, start + 4))
    }

    fn take_tile(&mut self, bases: &Bases, word: u64, needs_address: bool) -> Result<(), (RuleId, String)> {
        let Some(tile) = object::<pto_tile>(word).filter(|tile| !needs_address || !tile.data.is_null())
        else {
            let sentence = "a tile has no address: `TASSIGN(tile, offset)` comes before its first use, or the kernel is compiled with \
                            `-D__PTO_AUTO__`, where tiles get memory of their own";
            return Err((RuleId::from(&rules::values::DECLARED_ADDRESS), sentence.into()));
        };
        let at = tile.buffer as usize;
        let (data, first) = (tile.data as usize, bases.buffers.get(at).copied().unwrap_or_default());
        let address = match self.rooms.contains_key(&tile.serial) {
            true => {
                AUTOMATIC + data.wrapping_sub(bases.automatic[usize::from(at != Buffer::Ub as usize)]) as u64
            }
            // What is no offset in the buffer is refused by the call.
            false if data == 0 => 0,
            false => (data.wrapping_sub(first) as u64).min(AUTOMATIC - 1),
        };
        let (rows, cols, serial) = (tile.rows, tile.cols, tile.serial);
        self.arguments.push(Argument::Tile(Tile { address, rows, cols, serial }));
        Ok(())
    }

    fn take_tensor(&mut self, dynamic: &[bool; 10], word: u64) -> Result<(), (RuleId, String)> {
        let Some(tensor) = object::<pto_tensor>(word) else {
            return Err((RuleId::from(&rules::run::LIVE), "a call without a tensor".into()));
        };
        let address = self.pointer(tensor.data as usize)?;
        self.arguments.push(Argument::Pointer(address));
        let numbers = tensor.shape.iter().chain(&tensor.stride).zip(dynamic);
        let given =
            numbers.filter(|(_, dynamic)| **dynamic).map(|(number, _)| Argument::Scalar(*number as u64));
        self.arguments.extend(given);
        Ok(())
    }

    fn pointer(&mut self, pointer: usize) -> Result<u64, (RuleId, String)> {
        self.address(pointer).ok_or_else(|| {
            let sentence =
                format!("the address {pointer:#x} of global memory lies in no memory of the process");
            (RuleId::from(&rules::run::OUT_OF_BOUNDS), sentence)
        })
    }

    /// Ends all launches at the end of the process: tells what was found. Returns the status of the process, if it is wrong.
    pub(crate) fn finish(&mut self) -> Option<i32> {
        let device = self.device.take()?;
        let source = device.live.source().to_owned();
        let (outcome, watch) = device.live.finish();
        let watched = watch.into_watched();
        let mut found = watched.after(&outcome);
        if self.is_open || self.has_failed {
            // What a launch did not reach may have needed it.
            let needs_whole_run = [&rules::sync::REDUNDANT, &rules::sync::UNNEEDED, &rules::sync::WIDE];
            found.retain(|one| !needs_whole_run.iter().any(|rule| one.rule == RuleId::from(*rule)));
        }
        let told = findings::text(self, &source, &found);
        findings::print_error(&told);
        if self.is_open {
            findings::print_error(
                "pto: the process ends in the middle of a launch: its results are incomplete\n",
            );
        }
        let wrong =
            self.is_open || self.has_failed || found.iter().any(|one| one.severity == Severity::Error);
        wrong.then_some(1)
    }
}
