//! A call: the site of its form and place, the arguments of its words, the step of the live launch.

use crate::abi::{pto_form, pto_tensor, pto_tile};
use crate::caller::{object, pattern, texts};
use crate::findings;
use crate::form::{self, Operand, Site};
use crate::host;
use crate::key::{KEYED, Key};
use crate::session::{Bases, Reply, Request, Session};
use pto::diag::{Diagnostic, Span};
use pto::isa::rule::RuleId;
use pto::isa::{Buffer, rules};
use pto::launch::live::{AUTOMATIC, Argument, Called, Core, Tile};

/// Calls without any change after which others run: a kernel may wait for them in a loop that reads memory.
const MOST_IDLE: u32 = 256;

/// Operations of loops that wait for another core, which the machine counts as changes.
const LOOKS: [&str; 3] = ["pto.comm.ttest", "pto.cmo.cacheinvalid", "pto.fence."];

impl Session {
    /// Runs an operation on a core.
    pub fn call(
        &mut self,
        core: Core,
        form: &pto_form,
        words: &[u64],
        place: usize,
    ) -> Result<Reply, Vec<Diagnostic>> {
        if self.request.as_ref().is_some_and(Request::is_stopped) {
            return Err(Vec::new());
        }
        let at = self.site(form, words, place)?;
        self.take(core, at, words)?;
        let site = &self.sites[at];
        let (part, has_result, only_looks) = (site.part, site.has_result, site.only_looks);
        if site.notifies {
            self.signals.extend(object::<pto_tensor>(words[0]).map(|signal| signal.data as usize));
        }
        let device = self.device.as_mut().expect("a launch has begun");
        let before = device.live.changes();
        let is_poll = match device.live.call(core, part, &self.arguments)? {
            Called::Waits(_) => return Ok(Reply::Waits),
            Called::Polled => true,
            Called::Done if only_looks || device.live.changes() == before => {
                self.idle += 1;
                self.idle > MOST_IDLE && std::mem::take(&mut self.idle) > 0
            }
            Called::Done => {
                (self.idle, self.progress) = (0, self.progress + 1);
                false
            }
        };
        if let Some(finding) = self.overrun(at, words) {
            return Err(vec![finding]);
        }
        let device = self.device.as_mut().expect("a launch has begun");
        if let Some(saved) = self.saved.as_mut().filter(|_| (core.rank, core.block, core.index) == (0, 0, 0))
        {
            let text = &device.live.source()[self.sites[at].start as usize..];
            let text = text.split_inclusive("\n}\n").next().unwrap_or(text);
            saved.add(text, &self.sites[at].parameters, &self.arguments);
        }
        let printed = device.live.printed();
        match &mut self.request {
            Some(request) => request.printed.extend(printed),
            None => printed.iter().for_each(|text| findings::print(text)),
        }
        if self.stops_at_first && device.live.observer().has_found() {
            return Err(Vec::new());
        }
        let bits = has_result.then(|| device.live.result(core, part, 0)).flatten();
        Ok(if is_poll { Reply::Polled(bits) } else { Reply::Done(bits) })
    }

    /// Site of a call. A tile whose valid region differs from its type has a dynamic valid region. One tile in two roles
    /// is one value, as in a program, so that the library recognizes instructions that work in place.
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
        // Two names of one tile with different types stay two values.
        let same: Vec<Option<usize>> = (0..form.operands as usize)
            .map(|at| key.same_as(at).filter(|same| texts.get(*same) == texts.get(at)))
            .collect();
        let pattern = pattern(form).unwrap_or_default();
        let name = format!("call{}", self.sites.len());
        let fault = |sentence: String| vec![Diagnostic::error(&rules::run::LIVE, sentence)];
        let made = form::text(&name, &pattern, &texts, &same).map_err(fault)?;
        let start = self.source().len() as u32;
        self.places.push((start, key.place));
        let part = self.live().define(&made.text)?;
        let stores = self.live().stores(part);
        let sets_registers = form::sets_registers(&pattern);
        let form::Text { operands, parameters, has_result, .. } = made;
        let notifies = pattern.starts_with("pto.comm.tnotify");
        let only_looks = LOOKS.iter().any(|look| pattern.contains(look));
        let site = Site {
            part,
            start,
            operands,
            has_result,
            parameters,
            sets_registers,
            stores,
            notifies,
            only_looks,
        };
        self.sites.push(site);
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
                Operand::Tile(_) | Operand::ConvTile(_) => self.take_tile(&bases, *word, needs_address),
                // The earlier operand provides the argument.
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

    /// Finding for a call that has written beyond the end of an allocation, where a device has memory that does not
    /// belong to the kernel.
    fn overrun(&self, at: usize, words: &[u64]) -> Option<Diagnostic> {
        let site = &self.sites[at];
        let name = site.stores?;
        let pointers = site.operands.iter().zip(words).filter_map(|(operand, word)| match operand {
            Operand::Tensor(_) => object::<pto_tensor>(*word).map(|tensor| tensor.data as usize),
            Operand::Pointer => Some(*word as usize),
            _ => None,
        });
        let (asked, behind) = pointers.filter_map(host::overrun_of).next()?;
        let rule = rules::run::OUT_OF_BOUNDS.owned_by(name);
        let sentence = format!("it writes up to {behind} bytes behind an allocation of {asked} bytes");
        Some(self.at_site(at, Diagnostic::error(rule, sentence)))
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
            // The call rejects an address that is not an offset in the buffer.
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
            (RuleId::from(&rules::run::LIVE), sentence)
        })
    }
}
