//! A recorded kernel as a module: constants first, flags and barriers in their places, a return at the end.

use super::event::{Sync, plan};
use super::recorder::Recorder;
use crate::build::{Builder, Error, word};
use crate::ir::{EnumSpelling, Module, Operation};
use crate::isa::pipe::Pipe;
use crate::isa::registry::Op;
use crate::isa::rules;

impl Recorder {
    /// The kernel as a module: constants first, flags in their places, a return at the end.
    pub(super) fn finish(&self) -> Result<Module, Error> {
        if let Some(event) = self.pending.first() {
            let message =
                format!("no instruction follows that could wait for the one on pipe {}", event.pipe.word());
            return Err(Error::own(&rules::kernel::EVENT_SCOPE, message));
        }
        let mut module = Builder::finish(self);
        let function = module
            .functions
            .iter()
            .map(|(id, _)| id)
            .next()
            .expect("the module of a builder has its function");
        let flags = plan(&module.functions[function], &self.waits)?;
        module.rewrite(function, |rewriter| {
            for (point, sync) in flags {
                rewriter
                    .insert(point, sync_operation(sync), &[])
                    .expect("what waits and is waited for stands in the kernel");
            }
        });
        Ok(module)
    }
}

fn sync_operation(sync: Sync) -> Operation {
    let pipe = |pipe: Pipe| format!("PIPE_{}", pipe.word());
    let bracketed = |key: &str, value: String| word(key, "", &value, EnumSpelling::Elided);
    let flag = |from, to, id| {
        vec![
            bracketed("src", pipe(from)),
            bracketed("dst", pipe(to)),
            bracketed("event", format!("EVENT_ID{id}")),
        ]
    };
    match sync {
        Sync::Set { from, to, id } => Operation::new(Op::SET_FLAG, flag(from, to, id)),
        Sync::Wait { from, to, id } => Operation::new(Op::WAIT_FLAG, flag(from, to, id)),
        Sync::Barrier(at) => Operation::new(Op::BARRIER, vec![bracketed("pipe", pipe(at))]),
    }
}
