//! Flags that an instruction holds itself.

use crate::isa::pipe::Pipe;

/// Flags that an instruction sets and awaits within itself: the pipe that sets one, and the pipe that waits for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Handshakes {
    /// Before the instruction begins.
    pub before: &'static [(Pipe, Pipe)],
    /// After it has ended.
    pub after: &'static [(Pipe, Pipe)],
    /// In between, where they order nothing for others.
    pub within: &'static [(Pipe, Pipe)],
}

impl Handshakes {
    /// A barrier of all pipes, before and after.
    pub(super) const FENCES: Handshakes =
        Handshakes { before: &[(Pipe::All, Pipe::All)], after: &[(Pipe::All, Pipe::All)], within: &[] };

    /// Whether other instructions are ordered by them.
    pub fn orders(self) -> bool {
        !(self.before.is_empty() && self.after.is_empty())
    }

    /// The pipes that set and await flags. All have the number 0, which a program must not have in flight meanwhile.
    pub fn flags(self) -> impl Iterator<Item = (Pipe, Pipe)> {
        let all = self.before.iter().chain(self.after).chain(self.within);
        all.copied().filter(|(from, _)| *from != Pipe::All)
    }

    /// A sentence for the manual, without its end.
    pub(super) fn describe(self) -> String {
        if self == Handshakes::FENCES {
            return "waits before and after for all pipes".to_owned();
        }
        let side = |pairs: &[(Pipe, Pipe)], when: &str| {
            let pairs: Vec<_> =
                pairs.iter().map(|(from, to)| format!("{} to {}", from.word(), to.word())).collect();
            (!pairs.is_empty()).then(|| format!("{} {when}", pairs.join(", ")))
        };
        let sides = [
            side(self.before, "before it begins"),
            side(self.within, "within it"),
            side(self.after, "after it has ended"),
        ];
        format!("holds flags of its own: {}", sides.into_iter().flatten().collect::<Vec<_>>().join("; "))
    }
}
