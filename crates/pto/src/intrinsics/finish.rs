//! A recorded kernel as a module: constants first, flags and barriers in their places, a return at the end.

use super::error::Error;
use super::event::{Sync, plan};
use super::recorder::{Recorder, word};
use crate::diag::Span;
use crate::ir::{Attribute, EnumSpelling, Item, Module, ModuleItem, NamedAttribute, Operation};
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
        let mut function = self.function.clone();
        let flags = plan(&function, &self.waits)?;
        let body = function.regions[function.body.expect("a kernel has a body")].blocks[0];
        let inner = std::mem::take(&mut function.blocks[body].operations);
        let end = function.operations.push(Operation::new("return", Vec::new()));
        function.blocks[body].operations = self.prologue.iter().copied().chain(inner).chain([end]).collect();
        let mut module = self.module.clone();
        let target = NamedAttribute::new("pto.target_arch", Attribute::String(self.profile.word().into()));
        function.module_attributes = std::sync::Arc::from([target.clone()]);
        let function = module.functions.push(function);
        module.rewrite(function, |rewriter| {
            for (point, sync) in flags {
                rewriter
                    .insert(point, sync_operation(sync), &[])
                    .expect("what waits and is waited for stands in the kernel");
            }
        });
        module.items.push(Item::Module(ModuleItem {
            name: None,
            attributes: vec![target],
            items: vec![Item::Function(function)],
            span: Span::default(),
            location: None,
        }));
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
