//! Instructions of the scalar unit.

use super::site::{Check, Site};
use super::{Instruction, Page};
use crate::pipe::Pipe;
#[cfg(feature = "run")]
use {
    super::Compute,
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare},
};

/// An instruction of the scalar unit whose fast path is its formula.
pub(in crate::op) struct ScalarInstruction {
    pub(in crate::op) page: Page,
    pub(in crate::op) check: fn(&mut Check<'_>),
    #[cfg(feature = "run")]
    pub(in crate::op) prepare: fn(&Prepare<'_>) -> Result<Box<dyn Execute>, String>,
}

impl Instruction for ScalarInstruction {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Scalar
    }

    fn check(&self, check: &mut Check<'_>) {
        (self.check)(check);
    }
}

#[cfg(feature = "run")]
impl Compute for ScalarInstruction {
    /// At most one element is accessed, so the formula runs the fast path.
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let execute = (self.prepare)(reference.prepare()).map_err(Fault::Other)?;
        execute.execute(reference.state())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        (self.prepare)(prepare)
    }
}
