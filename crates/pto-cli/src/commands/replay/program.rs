//! The programs of a replay, each loaded once.

use crate::args::{ReplayArgs, named};
use crate::args_dump::{Kernel, Mapping, Task};
use crate::commands::{check_text, read_text};
use crate::judged::Judged;
use crate::settings::{Configured, Settings};
use pto::Program;
use pto::data::{DataError, Failure};
use pto::launch::Spec;
use pto::sim::{DEFAULT_MAX_STEPS, Signature};
use std::collections::HashMap;
use std::sync::Arc;

/// A program that is ready to run.
pub(super) struct Loaded {
    /// Name of the file.
    pub(super) name: String,
    /// Text of the program.
    pub(super) text: String,
    pub(super) settings: Arc<Settings>,
    pub(super) program: Program,
    pub(super) signature: Signature,
    /// Launch of the program on one block.
    pub(super) spec: Spec,
}

/// The programs of a replay.
pub(super) struct Programs<'a> {
    args: &'a ReplayArgs,
    configured: &'a Configured,
    mapping: &'a Mapping,
    known: HashMap<Kernel, Loaded>,
}

impl<'a> Programs<'a> {
    /// No programs.
    pub(super) fn new(
        args: &'a ReplayArgs,
        configured: &'a Configured,
        mapping: &'a Mapping,
    ) -> Programs<'a> {
        Programs { args, configured, mapping, known: HashMap::new() }
    }

    /// The kernel of a task that runs these functions.
    pub(super) fn kernel(&self, functions: &[i64]) -> Result<Kernel, DataError> {
        self.mapping.kernel(functions)
    }

    /// The number of blocks of a task: from a flag for its function, else from the dump, else from a flag for all.
    pub(super) fn blocks(&self, task: &Task) -> u32 {
        let is_it = |wanted: &str| {
            let mut names = task.functions.iter().map(|id| (id.to_string(), self.mapping.name(*id)));
            names.any(|(id, name)| id == wanted || name == Some(wanted))
        };
        let flag = |named: bool| {
            let of = |blocks: &&crate::args::Blocks| match &blocks.function {
                Some(function) => named && is_it(function),
                None => !named,
            };
            self.args.blocks.iter().rev().find(of).map(|blocks| blocks.count)
        };
        flag(true).or(task.blocks).or(flag(false)).unwrap_or(1)
    }

    /// The program of a kernel. `judged` gets its text, for findings.
    pub(super) fn load(&mut self, kernel: &Kernel, judged: &mut Judged) -> Result<&Loaded, Failure> {
        if !self.known.contains_key(kernel) {
            let loaded = self.read(kernel, judged)?;
            self.known.insert(kernel.clone(), loaded);
        }
        let loaded = &self.known[kernel];
        (judged.file, judged.text) = (loaded.name.clone(), loaded.text.clone());
        Ok(loaded)
    }

    fn read(&self, kernel: &Kernel, judged: &mut Judged) -> Result<Loaded, Failure> {
        let Kernel { path, entry } = kernel;
        let settings = self.configured.of_program(path)?;
        let text = read_text(path)?;
        (judged.file, judged.text) = (text.name, text.text);
        let (checked, _) = check_text(&judged.text, &settings)?;
        let program = Program::decode(&checked, entry.as_deref())?;
        let signature = Signature::of(program.module(), program.entry()).map_err(DataError::new)?;
        let max_steps = self.args.max_steps.unwrap_or(DEFAULT_MAX_STEPS);
        let spec =
            Spec { max_steps, watch: named(&self.args.watch), entry: entry.clone(), ..Spec::default() };
        let (name, text) = (judged.file.clone(), judged.text.clone());
        Ok(Loaded { name, text, settings, program, signature, spec })
    }
}
