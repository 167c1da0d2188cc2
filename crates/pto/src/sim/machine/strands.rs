//! Cores that run side by side and wait for each other.
//!
//! Each runs until it must wait, then the next one goes on. Queues make the result independent of that order; if
//! nobody can go on, the program has locked itself up.

use super::pipes::{Pipes, Wait};
use super::{Core, CoreKind, Machine};
use crate::diag::Diagnostic;

/// A core in progress.
struct Running {
    core: Core,
    at: usize,
    left: u64,
    waits: Option<Wait>,
    done: bool,
}

impl Machine<'_> {
    /// Runs all blocks, one after the other, each with its cores side by side.
    pub(super) fn run_side_by_side(&mut self) -> Result<(), Vec<Diagnostic>> {
        let mut memory = Core::new(self.program, self.reach.is_none()).memory;
        for block in 0..self.options.blocks {
            memory.fill(0);
            self.pipes = Pipes::default();
            let mut cores = self.start(block);
            while cores.iter().any(|running| !running.done) {
                let mut moved = false;
                for running in cores.iter_mut().filter(|running| !running.done) {
                    // The cores of a block share its memory: the one that runs has it.
                    std::mem::swap(&mut memory, &mut running.core.memory);
                    let before = running.left;
                    let result = self.run(&mut running.core, &mut running.at, &mut running.left);
                    std::mem::swap(&mut memory, &mut running.core.memory);
                    running.waits = result?;
                    running.done = running.waits.is_none();
                    moved |= running.left != before || running.done;
                }
                if !moved {
                    return Err(self.locked(&cores));
                }
            }
        }
        Ok(())
    }

    fn start(&self, block: u32) -> Vec<Running> {
        let strands = self.program.strands.iter();
        strands
            .map(|strand| {
                let mut core = Core::new(self.program, false);
                core.block = block;
                core.kind = strand.kind;
                core.aside = true;
                core.vector_core = strand.kind.index() as u32;
                core.vector_cores = self.program.vector_strands() as u32;
                self.enter(&mut core, strand.entry as usize);
                Running { core, at: 0, left: self.options.max_steps, waits: None, done: false }
            })
            .collect()
    }

    /// Who waits for what, when nobody can go on.
    fn locked(&self, cores: &[Running]) -> Vec<Diagnostic> {
        let mut finding: Option<Diagnostic> = None;
        let mut lines = Vec::new();
        for running in cores {
            let name = running.core.kind.name();
            let (Some(wait), Some(frame)) = (&running.waits, running.core.frames.last()) else {
                lines.push(format!("{name} is at its end"));
                continue;
            };
            let code = &self.program.functions[frame.function];
            let function = &self.program.module.functions[code.id.unwrap_or(self.program.entry())];
            let operation = &function.operations[code.origins[running.at]];
            let peer = if running.core.kind == CoreKind::Cube { "a vector core" } else { "the cube core" };
            let line = format!(
                "{name} waits in `{}` for {} of pipe {} from {peer}",
                operation.short_name(),
                wait.what,
                wait.id
            );
            finding = Some(match finding {
                None => {
                    let message =
                        format!("the cores of block {} wait for each other: {line}", running.core.block);
                    Diagnostic::error("pipe::deadlock", message).at(operation.span)
                }
                Some(finding) => finding.with_label(operation.span, line.clone()),
            });
            lines.push(line);
        }
        let finding = finding.unwrap_or_else(|| Diagnostic::error("pipe::deadlock", "nobody goes on"));
        vec![lines.into_iter().fold(finding, Diagnostic::with_note)]
    }
}
