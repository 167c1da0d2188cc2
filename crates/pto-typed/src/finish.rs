//! A recorded kernel as a module: constants first, flags and barriers in their places, a return at the end.

use super::event::plan;
use super::recorder::Recorder;
use pto_isa::rules;
use pto_lang::build::{Builder, Error};
use pto_lang::ir::Module;
use pto_lang::passes::sync;

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
            for (point, order) in flags {
                rewriter
                    .insert(point, sync::operation(order), &[])
                    .expect("what waits and is waited for stands in the kernel");
            }
        });
        Ok(module)
    }
}
