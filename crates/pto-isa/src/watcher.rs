//! Names of the watchers of a launch, each of which owns the rules of its findings. Their implementations are in
//! `observe`.

/// A watcher of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Watcher {
    /// Unordered conflicting accesses.
    Race,
    /// Flags that are never set, set twice, or left set.
    Sync,
    /// Reads of unwritten bytes.
    Init,
    /// Stores through views whose elements overlap, tiles in the window of UB that is reserved for instructions, tiles that
    /// are used after their slot of a queue was freed, tiles that another tile overwrites before they are read.
    Mem,
}

impl Watcher {
    /// All watchers, in the order in which their findings are reported.
    pub const ALL: [Watcher; 4] = [Watcher::Race, Watcher::Sync, Watcher::Mem, Watcher::Init];

    /// The watcher with a name.
    pub fn of_word(word: &str) -> Option<Watcher> {
        Watcher::ALL.into_iter().find(|watcher| watcher.word() == word)
    }

    /// The name in options and in the ids of its rules.
    pub fn word(self) -> &'static str {
        match self {
            Watcher::Race => "race",
            Watcher::Sync => "sync",
            Watcher::Init => "init",
            Watcher::Mem => "mem",
        }
    }

    /// Summary of the watcher's findings, for help.
    pub fn summary(self) -> &'static str {
        match self {
            Watcher::Race => "Unordered conflicting accesses",
            Watcher::Sync => "Misuse of flags",
            Watcher::Init => "Reads of uninitialized bytes",
            Watcher::Mem => "Overlapping stores, accesses to released slots, reserved memory",
        }
    }
}

/// A set of watchers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Watchers(u8);

impl Watchers {
    /// No watcher.
    pub const NONE: Watchers = Watchers(0);
    /// Every watcher.
    pub const ALL: Watchers = Watchers::of(&Watcher::ALL);
    /// The watchers of order and of memory: all whose findings do not depend on how buffers were filled.
    pub const USUAL: Watchers = Watchers::of(&[Watcher::Race, Watcher::Sync, Watcher::Mem]);

    /// The set of the given watchers.
    pub const fn of(watchers: &[Watcher]) -> Watchers {
        let (mut set, mut at) = (0, 0);
        while at < watchers.len() {
            set |= 1 << watchers[at] as u8;
            at += 1;
        }
        Watchers(set)
    }

    /// The set with one more watcher.
    #[must_use]
    pub const fn with(self, watcher: Watcher) -> Watchers {
        Watchers(self.0 | 1 << watcher as u8)
    }

    /// Whether the set contains a watcher.
    pub const fn has(self, watcher: Watcher) -> bool {
        self.0 >> watcher as u8 & 1 == 1
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The watchers that words name, `all` and `none` among them.
    ///
    /// # Errors
    /// The first unknown word.
    pub fn named<'w>(words: impl IntoIterator<Item = &'w str>) -> Result<Watchers, &'w str> {
        let mut set = Watchers::NONE;
        for word in words {
            match (word, Watcher::of_word(word)) {
                (_, Some(watcher)) => set = set.with(watcher),
                ("all", _) => set = Watchers::ALL,
                ("none", _) => {}
                _ => return Err(word),
            }
        }
        Ok(set)
    }
}
