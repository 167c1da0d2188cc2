//! Observers of the launches of a sequence.

use super::session::{Launch, Session};
use crate::data::Failure;
use pto_machine::observe::Watched;
use pto_machine::sim::{Observer, Outcome};

/// A launch of a run that has ended.
pub struct Launched<'a> {
    /// Name of the launch, with the values of the enclosing indices: `rope (b = 3)`.
    pub name: &'a str,
    /// Index of the kernel in [`Plan::kernels`](super::Plan::kernels).
    pub kernel: usize,
    /// Outcome of the launch, without the contents of buffers.
    pub outcome: Outcome,
    /// Findings of the watchers in the launch.
    pub watched: Watched,
}

/// Follows the launches of a sequence. An error stops the run.
pub trait Follow {
    /// A launch is about to run.
    ///
    /// # Errors
    /// Error that stops the run.
    fn before(&mut self, launch: &Launch<'_>, session: &Session) -> Result<(), Failure> {
        let _ = (launch, session);
        Ok(())
    }

    /// An observer of the next launch, beside the watchers of the session.
    fn observer(&mut self) -> Option<&mut dyn Observer> {
        None
    }

    /// A group of branches begins that have no order among each other.
    fn begin_group(&mut self) {}

    /// The next branch of the innermost group begins.
    fn next_branch(&mut self) {}

    /// The innermost group ends.
    fn end_group(&mut self) {}

    /// A launch has ended. The buffers of `session` have the bytes that it wrote.
    ///
    /// # Errors
    /// Error that stops the run.
    fn after(
        &mut self,
        launch: &Launch<'_>,
        session: &Session,
        launched: Launched<'_>,
    ) -> Result<(), Failure>;
}

impl<F: FnMut(Launched<'_>) -> Result<(), Failure>> Follow for F {
    fn after(&mut self, _: &Launch<'_>, _: &Session, launched: Launched<'_>) -> Result<(), Failure> {
        self(launched)
    }
}
