//! The smallest source that a command lowers wrongly in the same way.

use super::super::{Text, check_text};
use super::{Found, by, judge};
use crate::args::VerifyArgs;
use crate::output::{Output, write_all};
use crate::printer::{plural, print_err};
use crate::progress::Activity;
use crate::settings::Settings;
use pto::data::{DataError, place};
use pto::isa::rule::RuleId;
use pto::prove::{Outcome, Property};
use pto::shrink::{Judge, Limits, Progress, shrink};
use pto::sim::Signature;
use pto::{Checked, Program};
use std::path::Path;

/// Kind of failure of a lowered program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Failure {
    /// The property; `None` if the lowered program is not legal.
    property: Option<Property>,
    /// The rule of the first finding, if it is one of a check or of watchers.
    rule: Option<RuleId>,
}

/// The failures of the kernels, in their order.
fn failures(found: &Found) -> Vec<Failure> {
    if !found.is_legal {
        let rule = found.findings.first().map(|finding| finding.rule);
        return vec![Failure { property: None, rule }];
    }
    let properties = found.kernels.iter().flat_map(|(_, verification)| &verification.properties);
    let failure = |(property, outcome): &(Property, Outcome)| match outcome {
        Outcome::Fails(example) => {
            let rule = example.findings.first().map(|finding| finding.rule);
            Some(Failure { property: Some(*property), rule })
        }
        _ => None,
    };
    properties.filter_map(failure).collect()
}

/// Shrinks the source as long as the command makes a program of it that fails as this one does, and writes the result.
pub(super) fn write(
    args: &VerifyArgs,
    path: &Path,
    command: &str,
    source: &Text,
    settings: &Settings,
    found: &Found,
) -> Result<(), DataError> {
    let Some(failure) = failures(found).first().copied() else {
        print_err!("{}: no property fails, so nothing is shrunk", source.name);
        return Ok(());
    };
    let mut search =
        Search { args, path, command, source, settings, failure, error: None, activity: Activity::default() };
    let shrunk = shrink(&source.text, &Limits::default(), &mut search);
    if let Some(error) = search.error {
        return Err(error);
    }
    drop(search);
    let Ok(shrunk) = shrunk else {
        // The command may have made something else of the same text.
        let message = format!("{}: the command does not fail a second time", source.name);
        return Err(DataError::new(message));
    };
    write_all(&[Output::new(path, shrunk.text.as_bytes())])?;
    let lines = |lines: u64| plural(lines as usize, "line");
    let what = failure.property.map_or("the check", Property::word);
    print_err!(
        "{}: from {} to {}, of which the command makes a program that fails `{what}`",
        path.display(),
        lines(shrunk.from.lines),
        lines(shrunk.to.lines)
    );
    Ok(())
}

/// The condition: the source is legal, the command lowers it, and the result fails in the same way.
struct Search<'a> {
    args: &'a VerifyArgs,
    path: &'a Path,
    command: &'a str,
    source: &'a Text,
    settings: &'a Settings,
    failure: Failure,
    /// Why no smaller program can be written.
    error: Option<DataError>,
    activity: Activity,
}

impl Search<'_> {
    fn fails(&self, text: &str) -> Result<bool, DataError> {
        let Ok((checked, _)) = check_text(text, self.settings) else { return Ok(false) };
        let candidate = Text { name: self.source.name.clone(), text: text.to_owned() };
        let lowered = by::lower(self.command, &candidate, self.args.timeout)?;
        let found = judge(&self.given(&checked), text, &lowered, self.settings)?;
        Ok(found.is_some_and(|found| failures(&found).contains(&self.failure)))
    }

    /// The flags without inputs of arguments that a candidate does not have.
    fn given(&self, checked: &Checked) -> VerifyArgs {
        let mut args = self.args.clone();
        let program = Program::decode(checked, args.entry.as_deref()).ok();
        let signature = program.and_then(|it| Signature::of(it.module(), it.entry()).ok());
        if let Some(signature) = signature {
            args.inputs.retain(|input| place(&signature, &input.arg, args.ranks).is_ok());
        }
        args
    }
}

impl Judge for Search<'_> {
    fn is_interesting(&mut self, text: &str) -> bool {
        // A candidate that the command refuses, or that cannot be verified, does not show the failure.
        self.fails(text).unwrap_or(false)
    }

    fn must_stop(&mut self) -> bool {
        self.error.is_some()
    }

    fn tried(&mut self, progress: &Progress<'_>) {
        let (lines, tries) = (progress.size.lines as usize, progress.tries as usize);
        self.activity.show(|| format!("{}, {}", plural(lines, "line"), plural(tries, "candidate")));
        if progress.improved
            && let Err(error) = write_all(&[Output::new(self.path, progress.best.as_bytes())])
        {
            self.error = Some(error);
        }
    }
}
