//! A lowered program and its cost: memory, flags, barriers.

use super::samples::{Sample, check, first};
use pto::ir::{FunctionId, Module};
use pto::isa::meaning::Meaning;
use pto::passes::{BufferPlan, LowerOptions, Lowered, lower};
use pto::text::{Style, TypeAliases};
use pto::{Checked, Profile};
use std::time::{Duration, Instant};

/// Synchronization within a core, in the text of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Flags and events that are set; two tokens that are taken count as one.
    pub(crate) pairs: usize,
    pub(crate) barriers: usize,
    /// Of these, the barriers with which the public assembler ends each function.
    pub(crate) at_the_end: usize,
}

impl Counts {
    pub(crate) fn of(text: &str) -> Counts {
        let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
        let count = |word: &str| code.iter().map(|line| line.matches(word).count()).sum::<usize>();
        Counts {
            pairs: count("pto.set_flag") + count("pto.record_event") + count("pto.get_buf").div_ceil(2),
            barriers: count("pto.barrier ") + count("pto.tsync"),
            at_the_end: count("auto_sync_tail_barrier"),
        }
    }

    /// Counts the executed operations of calls: those of a function count once for each of its calls.
    pub(crate) fn of_calls(module: &Module) -> Counts {
        let named = |name: &str| module.functions.iter().find(|(_, it)| it.name == name).map(|(id, _)| id);
        let callees = |id: FunctionId| {
            let function = &module.functions[id];
            let calls =
                function.operations.iter().filter(|(_, operation)| operation.meaning() == Meaning::Call);
            let callees = calls.filter_map(|(_, call)| named(call.symbol("callee")?));
            callees.collect::<Vec<FunctionId>>()
        };
        let functions: Vec<FunctionId> = module.functions.iter().map(|(id, _)| id).collect();
        let called: Vec<FunctionId> = functions.iter().flat_map(|id| callees(*id)).collect();
        let mut open: Vec<FunctionId> = functions.into_iter().filter(|id| !called.contains(id)).collect();
        let mut counts = Counts::default();
        let mut tokens = 0;
        while let Some(id) = open.pop() {
            for (_, operation) in module.functions[id].operations.iter() {
                match operation.short_name() {
                    "set_flag" | "set_flag_dyn" | "record_event" => counts.pairs += 1,
                    "get_buf" => tokens += 1,
                    "barrier" | "tsync" => counts.barriers += 1,
                    _ => {}
                }
            }
            open.extend(callees(id));
        }
        counts.pairs += usize::div_ceil(tokens, 2);
        counts
    }

    pub(crate) fn all(self) -> usize {
        self.pairs + self.barriers
    }

    pub(crate) fn add(&mut self, other: Counts) {
        self.pairs += other.pairs;
        self.barriers += other.barriers;
        self.at_the_end += other.at_the_end;
    }
}

/// A lowered program.
pub(crate) struct Measured {
    pub(crate) text: String,
    pub(crate) checked: Checked,
    pub(crate) lowered: Lowered,
    pub(crate) time: Duration,
}

/// Lowers a program and lowers the result again.
pub(crate) fn measure(sample: &Sample, source: &Checked, multi_buffer: u32) -> Result<Measured, String> {
    let start = Instant::now();
    let lowered = lower(source, &LowerOptions::default().multi_buffer(multi_buffer))
        .map_err(|findings| format!("it is not lowered: {}", first(&findings)))?;
    let time = start.elapsed();
    let text = print(&lowered, &sample.text);
    let checked = check(&text, sample.profile)
        .map_err(|findings| format!("the lowered program is not legal: {}", first(&findings)))?;
    let again = lower(&checked, &LowerOptions::default().multi_buffer(multi_buffer))
        .map_err(|findings| format!("it is not lowered again: {}", first(&findings)))?;
    match print(&again, &text) == text {
        true => Ok(Measured { text, checked, lowered, time }),
        false => Err("lowering the lowered program changes it".to_owned()),
    }
}

pub(crate) fn print(lowered: &Lowered, source: &str) -> String {
    let style = Style { source: Some(source), aliases: TypeAliases::Kept, ..Style::default() };
    pto::text::print(&lowered.module, &style)
}

/// The memory of a program in which everything has an address.
pub(crate) fn peaks_of(text: &str, profile: Option<Profile>) -> Option<Vec<BufferPlan>> {
    let checked = check(text, profile).ok()?;
    pto::passes::place(&mut checked.module().clone(), |function| checked.profile(function)).ok()
}
