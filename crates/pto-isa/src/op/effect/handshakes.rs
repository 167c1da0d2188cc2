//! Flags that an instruction sets and waits for internally.

use crate::pipe::Pipe;

/// Flags that an instruction sets and waits for internally: (pipe that sets, pipe that waits).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Handshakes {
    /// Before the instruction begins.
    pub before: &'static [(Pipe, Pipe)],
    /// After it has ended.
    pub after: &'static [(Pipe, Pipe)],
    /// During the instruction; these flags order no other instructions.
    pub within: &'static [(Pipe, Pipe)],
}

impl Handshakes {
    /// A barrier of all pipes, before and after.
    pub(super) const FENCES: Handshakes =
        Handshakes { before: &[(Pipe::All, Pipe::All)], after: &[(Pipe::All, Pipe::All)], within: &[] };

    /// Whether the flags order other instructions.
    pub fn orders(self) -> bool {
        !(self.before.is_empty() && self.after.is_empty())
    }

    /// The (setting, waiting) pairs of pipes. All flags have event id 0, which a program must not have pending
    /// meanwhile.
    pub fn flags(self) -> impl Iterator<Item = (Pipe, Pipe)> {
        let all = self.before.iter().chain(self.after).chain(self.within);
        all.copied().filter(|(from, _)| *from != Pipe::All)
    }

    /// A sentence for the manual, without its end.
    pub(super) fn describe(self) -> String {
        if self == Handshakes::FENCES {
            return "waits for all pipes before it begins, and makes them wait until it has ended".to_owned();
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
        format!(
            "sets and awaits flags of its own: {}",
            sides.into_iter().flatten().collect::<Vec<_>>().join("; ")
        )
    }
}
