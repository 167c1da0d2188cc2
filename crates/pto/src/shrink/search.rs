//! The search: candidates, verdicts, bounds.

use super::reductions::{Reduction, rename_constants};
use super::{End, Judge, Limits, Mode, NotInteresting, Progress, Shrunk, Size};
use pto_lang::ir::Module;
use pto_lang::text::{Style, TypeAliases, has_compact_types, parse, print};
use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The state of a search.
pub(super) struct Search<'j> {
    judge: &'j mut dyn Judge,
    limits: Limits,
    /// The smallest text so far.
    text: String,
    /// The program of the text; `None` if candidates are plain text.
    module: Option<Module>,
    compact: bool,
    from: Size,
    size: Size,
    tries: u64,
    /// Hashes of the judged texts.
    known: HashSet<u64>,
    accepted: BTreeMap<usize, (&'static str, u64)>,
}

impl<'j> Search<'j> {
    /// Judges the original, and its canonical form.
    pub(super) fn of(
        text: &str,
        limits: &Limits,
        judge: &'j mut dyn Judge,
    ) -> Result<Search<'j>, NotInteresting> {
        if !judge.is_interesting(text) {
            return Err(NotInteresting);
        }
        let from = Size::of_text(text);
        let mut search = Search {
            judge,
            limits: *limits,
            text: text.to_owned(),
            module: None,
            compact: has_compact_types(text),
            from,
            size: from,
            tries: 1,
            known: HashSet::from([hash(text)]),
            accepted: BTreeMap::new(),
        };
        if let Ok(parsed) = parse(text) {
            search.from = Size::of_program(&parsed.module, text);
            let canonical = search.print(&parsed.module);
            if let Ok(again) = parse(&canonical)
                && (canonical == text || search.ask(&canonical).unwrap_or(false))
            {
                search.size = Size::of_program(&again.module, &canonical);
                (search.text, search.module) = (canonical, Some(again.module));
            }
        }
        Ok(search)
    }

    /// Whether candidates are programs; else plain text.
    pub(super) fn is_program(&self) -> bool {
        self.module.is_some()
    }

    /// The smallest text so far.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn finish(self, end: End) -> Shrunk {
        Shrunk {
            mode: if self.is_program() { Mode::Program } else { Mode::Text },
            text: self.text,
            from: self.from,
            to: self.size,
            tries: self.tries,
            accepted: self.accepted.into_values().collect(),
            end,
        }
    }

    fn print(&self, module: &Module) -> String {
        let style = Style { compact: self.compact, aliases: TypeAliases::Kept, ..Style::default() };
        print(module, &style)
    }

    /// The verdict on a text that was not judged before.
    fn ask(&mut self, text: &str) -> Result<bool, End> {
        if !self.known.insert(hash(text)) {
            return Ok(false);
        }
        if self.tries >= self.limits.max_tries {
            return Err(End::Tries);
        }
        if self.judge.must_stop() {
            return Err(End::Stopped);
        }
        self.tries += 1;
        Ok(self.judge.is_interesting(text))
    }

    fn report(&mut self, improved: bool) {
        let progress = Progress { best: &self.text, size: self.size, tries: self.tries, improved };
        self.judge.tried(&progress);
    }

    /// Judges a plain text; keeps it if it has the property and is smaller. Returns whether it was kept.
    pub(super) fn try_text(&mut self, text: String, what: &'static str) -> Result<bool, End> {
        let size = Size::of_text(&text);
        if size >= self.size {
            return Ok(false);
        }
        let kept = self.ask(&text)?;
        if kept {
            (self.text, self.size) = (text, size);
            self.accepted.entry(0).or_insert((what, 0)).1 += 1;
        }
        self.report(kept);
        Ok(kept)
    }

    /// Applies the reductions until none is accepted.
    pub(super) fn by(&mut self, all: &[Box<dyn Reduction>]) -> End {
        loop {
            let mut changed = false;
            for (number, reduction) in all.iter().enumerate() {
                match self.reduce(number, &**reduction) {
                    Ok(did) => changed |= did,
                    Err(end) => return end,
                }
            }
            if !changed {
                return self.tidy().err().unwrap_or(End::Minimal);
            }
        }
    }

    /// Gives constants names that fit their values, if the property does not depend on names.
    fn tidy(&mut self) -> Result<(), End> {
        let Some(module) = &self.module else { return Ok(()) };
        let mut candidate = module.clone();
        rename_constants(&mut candidate);
        let text = self.print(&candidate);
        if let Ok(parsed) = parse(&text)
            && self.ask(&text)?
        {
            self.size = Size::of_program(&parsed.module, &text);
            (self.text, self.module) = (text, Some(parsed.module));
            self.report(true);
        }
        Ok(())
    }

    /// Tries a reduction on all places at once, then on halves, at last on each place. Returns whether it was accepted.
    fn reduce(&mut self, number: usize, reduction: &dyn Reduction) -> Result<bool, End> {
        let mut changed = false;
        let mut size = self.count(reduction);
        while size > 0 {
            // Later places first: values are used after their definition.
            let mut to = self.count(reduction);
            while to > 0 {
                let (from, count) = (to.saturating_sub(size), self.count(reduction));
                let accepted = self.try_places(number, reduction, from, to)?;
                changed |= accepted;
                // A number that is still there can become smaller again.
                let again = accepted && self.count(reduction) == count;
                to = if again { to } else { from.min(self.count(reduction)) };
            }
            size = (size / 2).min(self.count(reduction));
        }
        Ok(changed)
    }

    fn count(&self, reduction: &dyn Reduction) -> usize {
        self.module.as_ref().map_or(0, |module| reduction.count(module))
    }

    fn try_places(
        &mut self,
        number: usize,
        reduction: &dyn Reduction,
        from: usize,
        to: usize,
    ) -> Result<bool, End> {
        let Some(module) = &self.module else { return Ok(false) };
        let mut candidate = module.clone();
        reduction.apply(&mut candidate, from..to);
        let text = self.print(&candidate);
        if self.known.contains(&hash(&text)) {
            // Even a search without new candidates can be stopped.
            return if self.judge.must_stop() { Err(End::Stopped) } else { Ok(false) };
        }
        let Ok(parsed) = parse(&text) else { return Ok(false) };
        let size = Size::of_program(&parsed.module, &text);
        if size >= self.size {
            return Ok(false);
        }
        let kept = self.ask(&text)?;
        if kept {
            (self.text, self.module, self.size) = (text, Some(parsed.module), size);
            self.accepted.entry(number).or_insert((reduction.name(), 0)).1 += 1;
        }
        self.report(kept);
        Ok(kept)
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
