//! The launches of a process: one device with its parts, buffers and tiles, and what the environment asks for.

use crate::abi::{pto_conv_tile, pto_cores, pto_fact_of, pto_form, pto_tensor, pto_tile};
use crate::cores::Launch;
use crate::findings;
use crate::form::{self, Operand, Site};
use crate::host::Memory;
use crate::lines::Lines;
use crate::save::Saved;
use pto::Profile;
use pto::diag::{Diagnostic, Severity, Span};
use pto::isa::rule::RuleId;
use pto::isa::{Buffer, rules};
use pto::launch::live::{AUTOMATIC, Argument, Called, Core, Cores, Live, Tile};
use pto::observe::{Watch, WatchOptions, Watcher, Watchers};
use pto::sim::Options;
use std::collections::HashMap;
use std::ffi::CStr;
use std::hash::{BuildHasherDefault, Hasher};
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

/// What makes two sites differ: the form, the place, and what the operands of a call have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Key {
    form: usize,
    place: usize,
    /// A bit for each tile whose valid region is not that of its type.
    other_region: u64,
    /// Four bits for each operand: one more than the number of the earlier operand that is the same tile, 0 for none.
    same_tile: u64,
    /// The dynamic extents of a convolution tile.
    extents: [u32; 6],
}

impl Key {
    /// What the operands of a call have in common, without form and place.
    fn of(operands: &[Operand], words: &[u64]) -> Key {
        let mut key = Key::default();
        for (index, (operand, word)) in operands.iter().zip(words).enumerate().take(KEYED) {
            // A word is a pointer only if its operand is a tile.
            let [rows, cols] = match operand {
                Operand::Tile(valid) => valid,
                Operand::ConvTile(dynamic) => {
                    let tile = object::<pto_conv_tile>(*word).filter(|_| dynamic.contains(&true));
                    key.extents = tile.map_or(key.extents, |tile| tile.extents);
                    continue;
                }
                _ => continue,
            };
            let Some(tile) = object::<pto_tile>(*word) else { continue };
            let differs =
                |valid: &Option<u32>, now: u32| valid.is_some_and(|valid| valid != now && valid > 0);
            key.other_region |= u64::from(differs(rows, tile.rows) || differs(cols, tile.cols)) << index;
            let is_same = |(operand, word): (&Operand, &u64)| {
                let other = matches!(operand, Operand::Tile(_)).then(|| object::<pto_tile>(*word)).flatten();
                other.is_some_and(|other| (other.data, other.serial) == (tile.data, tile.serial))
            };
            let earlier = operands.iter().zip(words).take(index).position(is_same);
            key.same_tile |= earlier.map_or(0, |earlier| earlier as u64 + 1) << (4 * index);
        }
        key
    }
}

/// Hashes addresses: a call looks up two keys, which nobody chooses to collide.
#[derive(Clone, Copy, Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.chunks(8).for_each(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        });
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = pto_num::random::mix(self.0 ^ word);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}

type Quick = BuildHasherDefault<Mixed>;

/// Most operands of which a key knows something; no instruction has more.
const KEYED: usize = 16;

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
    /// The operands of forms, by their addresses.
    forms: HashMap<usize, Vec<Operand>, Quick>,
    /// Sites by what makes them differ.
    known: HashMap<Key, usize, Quick>,
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
    /// The calls of block 0, if they are saved.
    saved: Option<Saved>,
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
        let cores = if launch.cores & pto_cores::PTO_MIXED as u32 == pto_cores::PTO_MIXED as u32 {
            Cores::Mixed
        } else {
            Cores::One
        };
        match &self.device {
            None => {
                let options =
                    Options::default().sync_inserted(launch.cores & pto_cores::PTO_AUTOMATIC as u32 != 0);
                let watch = Watch::live(profile, &WatchOptions::from(watchers()?), &options);
                self.saved = std::env::var("PTO_SAVE").ok().filter(|path| !path.is_empty()).map(Saved::to);
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

    /// The function that a core runs of a kernel: that for cube cores is the twin of the one that the host names.
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
        let next = self.last_serial + 1;
        let serial = *self.serials.entry(key).or_insert(next);
        self.last_serial = self.last_serial.max(serial);
        Ok((bases.buffers[buffer as usize].wrapping_add(offset.unwrap_or(host)), serial))
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
        if let Some(saved) = self.saved.as_mut().filter(|_| (core.block, core.index) == (0, 0)) {
            let text = &device.live.source()[self.sites[at].start as usize..];
            saved.add(text.split_inclusive("\n}\n").next().unwrap_or(text), &self.arguments);
        }
        for text in device.live.printed() {
            findings::print(&text);
        }
        if self.stops_at_first && device.live.observer().has_found() {
            return Err(Vec::new());
        }
        Ok(Reply::Done(has_result.then(|| device.live.result(core, part, 0)).flatten()))
    }

    /// The site of a call. A tile whose valid region is not that of its type has a dynamic one; one tile in two roles is one value, as
    /// in a program, so that an instruction that works in place is known as such.
    fn site(&mut self, form: &pto_form, words: &[u64], place: usize) -> Result<usize, Vec<Diagnostic>> {
        let number = std::ptr::from_ref(form) as usize;
        let operands = self.forms.entry(number).or_insert_with(|| {
            let mut texts = texts(form);
            texts.truncate(form.operands as usize);
            texts.iter().map(|text| form::operand(text)).collect()
        });
        let key = Key { form: number, place, ..Key::of(operands, words) };
        match self.known.get(&key) {
            Some(at) => Ok(*at),
            None => self.define(form, key),
        }
    }

    /// Defines the part of a site.
    fn define(&mut self, form: &pto_form, key: Key) -> Result<usize, Vec<Diagnostic>> {
        let has_no_blocks = self.device.as_ref().is_some_and(|device| device.profile.address_alignment == 1);
        let mut texts = texts(form);
        for (at, text) in texts.iter_mut().enumerate().take(KEYED) {
            *text = form::with_extents(text, &key.extents);
            if has_no_blocks {
                *text = form::as_column(text);
            }
            if key.other_region >> at & 1 == 1 {
                *text = form::with_dynamic_valid(text);
            }
        }
        let same: Vec<Option<usize>> = (0..form.operands as usize)
            .map(|at| {
                (at < KEYED)
                    .then(|| key.same_tile >> (4 * at) & 0xf)
                    .and_then(|one_more| (one_more as usize).checked_sub(1))
            })
            // Two names of one tile with different types stay two values.
            .enumerate()
            .map(|(at, same)| same.filter(|same| texts.get(*same) == texts.get(at)))
            .collect();
        let pattern = pattern(form).unwrap_or_default();
        let name = format!("call{}", self.sites.len());
        let fault = |sentence: String| vec![Diagnostic::error(&rules::run::LIVE, sentence)];
        let made = form::text(&name, &pattern, &texts, &same).map_err(fault)?;
        let start = self.source().len() as u32;
        self.places.push((start, key.place));
        let part = self.live().define(&made.text)?;
        self.sites.push(Site { part, start, operands: made.operands, has_result: made.has_result });
        self.known.insert(key, self.sites.len() - 1);
        Ok(self.sites.len() - 1)
    }

    /// Makes the arguments of a call from its words.
    fn take(&mut self, core: Core, at: usize, words: &[u64]) -> Result<(), Vec<Diagnostic>> {
        let bases = self.bases(core);
        self.arguments.clear();
        let operands = std::mem::take(&mut self.sites[at].operands);
        let mut taken = Ok(());
        for (operand, word) in operands.iter().zip(words) {
            let next = match operand {
                Operand::Tile(_) | Operand::ConvTile(_) => self.take_tile(&bases, *word),
                // The argument is that of the earlier operand.
                Operand::Same => Ok(()),
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

    fn take_tile(&mut self, bases: &Bases, word: u64) -> Result<(), (RuleId, String)> {
        let Some(tile) = object::<pto_tile>(word).filter(|tile| !tile.data.is_null()) else {
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
            (RuleId::from(&rules::run::LIVE), sentence)
        })
    }

    /// Ends all launches at the end of the process: tells what was found. Returns the status of the process, if it is wrong.
    pub(crate) fn finish(&mut self) -> Option<i32> {
        let device = self.device.take()?;
        if let Some(saved) = self.saved.take() {
            findings::print_error(&format!("pto: {}\n", saved.finish(device.profile)));
        }
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
