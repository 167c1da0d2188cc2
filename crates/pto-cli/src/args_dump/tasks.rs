//! The tasks of a dump.

use super::{Dump, Entry, Kind, Stage};
use pto::data::DataError;
use std::collections::HashMap;

/// A task: its records, by their numbers in [`Dump::entries`].
#[derive(Clone, Debug, Default)]
pub struct Task {
    /// Name of the task, as the dump spells it; with the run, if there are several.
    pub name: String,
    /// Numbers of the functions that the task runs.
    pub functions: Vec<i64>,
    /// Number of blocks; `None` if the dump does not record it.
    pub blocks: Option<u32>,
    /// Tensors, each with its records before and after the task; by number of the argument.
    pub tensors: Vec<Argument>,
    /// Scalars, by number of the argument.
    pub scalars: Vec<usize>,
    /// Reason why the records of the task cannot be used.
    pub error: Option<DataError>,
}

/// The records of a tensor.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// Number of the argument.
    pub index: usize,
    /// Record before the task.
    pub before: Option<usize>,
    /// Record after it.
    pub after: Option<usize>,
}

/// The tasks of a dump, in the order of their first records.
pub fn tasks(dump: &Dump) -> Vec<Task> {
    let several = dump.entries.windows(2).any(|pair| pair[0].run_epoch != pair[1].run_epoch);
    let mut places: HashMap<(u64, &str), usize> = HashMap::new();
    let mut tasks: Vec<Task> = Vec::new();
    for (at, entry) in dump.entries.iter().enumerate() {
        let place = *places.entry((entry.run_epoch, &entry.task_id)).or_insert_with(|| {
            let run = if several { format!("run {} ", entry.run_epoch) } else { String::new() };
            let name = format!("{run}{}", entry.task_id);
            tasks.push(Task { name, functions: entry.func_id.clone(), ..Task::default() });
            tasks.len() - 1
        });
        tasks[place].add(at, entry);
    }
    for (one, other) in dump.overlaps() {
        for (at, with) in [(one, other), (other, one)] {
            let (entry, with) = (&dump.entries[at], &dump.entries[with]);
            let task = &mut tasks[places[&(entry.run_epoch, entry.task_id.as_str())]];
            task.fail(entry.error(format!(
                "its contents overlap those of argument {} of task {} in the file",
                with.arg_index, with.task_id
            )));
        }
    }
    tasks.iter_mut().for_each(Task::order);
    tasks
}

impl Task {
    fn fail(&mut self, error: DataError) {
        self.error.get_or_insert(error);
    }

    fn add(&mut self, at: usize, entry: &Entry) {
        self.blocks = self.blocks.or(entry.blocks);
        if entry.func_id != self.functions {
            let list = |ids: &[i64]| ids.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
            let (own, others) = (list(&entry.func_id), list(&self.functions));
            let message = format!("it is of the functions {own}, other records of the task are of {others}");
            self.fail(entry.error(message));
        }
        if entry.kind == Kind::Scalar {
            self.scalars.push(at);
            return;
        }
        let known = self.tensors.iter_mut().find(|argument| argument.index == entry.arg_index);
        let argument = match known {
            Some(argument) => argument,
            None => {
                self.tensors.push(Argument { index: entry.arg_index, before: None, after: None });
                let last = self.tensors.len() - 1;
                &mut self.tensors[last]
            }
        };
        let record = match entry.stage {
            Stage::BeforeDispatch => &mut argument.before,
            Stage::AfterCompletion => &mut argument.after,
        };
        if record.replace(at).is_some() {
            self.fail(entry.error("it is recorded twice"));
        }
    }

    /// Sorts the arguments by number. Scalars already are in this order, the order of their records, unless a dump was
    /// edited.
    fn order(&mut self) {
        self.tensors.sort_by_key(|argument| argument.index);
    }
}
