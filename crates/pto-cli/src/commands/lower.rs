//! `pto lower`.

mod map;

use super::{Status, Text, check_text, read_text};
use crate::args::{InsertedSync, LowerArgs};
use crate::output::{Output, write_all};
use crate::printer::{print_diagnostics, print_err, print_out};
use crate::settings::Settings;
use pto::data::DataError;
use pto::passes::{BufferPlan, Canonicalized, Insertion, LowerOptions, Lowered, SynchronizeBy, lower, plan};
use pto::text::{PrintedSpelling, Style, TypeAliases};

pub(super) fn run(args: &LowerArgs) -> Result<Status, DataError> {
    let settings = Settings::from(&args.profile);
    let text = read_text(&args.file)?;
    // A program that is not legal has no meaning to preserve.
    let checked = match check_text(&text.text, &settings) {
        Ok((checked, _)) => checked,
        Err(findings) => {
            print_diagnostics(&findings, &text);
            return Ok(Status::Wrong);
        }
    };
    let options = options(args);
    let lowered = match lower(&checked, &options) {
        Ok(lowered) => lowered,
        Err(findings) => {
            print_diagnostics(&findings, &text);
            if let Some(path) = &args.map {
                let plans = plan(checked.module(), |function| checked.profile(function));
                map::write(path, &plans, checked.module(), &text)?;
            }
            return Ok(Status::Wrong);
        }
    };
    if let Some(path) = &args.map {
        let plans = match options.place {
            true => lowered.buffers.clone(),
            false => plan(&lowered.module, |function| checked.profile(function)),
        };
        map::write(path, &plans, &lowered.module, &text)?;
    }
    let summary = summary(&options, &lowered);
    if args.explain {
        lowered.insertions.iter().for_each(|insertion| print_err!("{}", reason(insertion, &text)));
    }
    let lowered = pto::text::print(
        &lowered.module,
        &Style {
            // The only spelling that the assembler reads.
            spelling: PrintedSpelling::Destination,
            source: Some(&text.text),
            aliases: TypeAliases::Kept,
            ..Style::default()
        },
    );
    if let Err(findings) = check_text(&lowered, &settings) {
        // With constants folded, the check finds errors that only a run would have found before.
        print_diagnostics(&findings, &Text { name: format!("{} (lowered)", text.name), text: lowered });
        return Ok(Status::Wrong);
    }
    print_err!("{}: {summary}", text.name);
    match &args.output {
        Some(path) => write_all(&[Output::new(path, lowered.into_bytes())])?,
        None => print_out(&lowered),
    }
    Ok(Status::Fine)
}

/// The passes to run: those that are named, else placement and synchronization.
fn options(args: &LowerArgs) -> LowerOptions {
    let more = args.multi_buffer > 1;
    let all = !args.canonicalize && !args.place && args.sync.is_none() && !more;
    LowerOptions::none()
        .canonicalize(args.canonicalize)
        .multi_buffer(args.multi_buffer)
        .place(all || args.place || more)
        .synchronize(match args.sync {
            Some(InsertedSync::Tokens) => Some(SynchronizeBy::Tokens),
            Some(InsertedSync::Flags) => Some(SynchronizeBy::Flags),
            Some(InsertedSync::Fewest) => Some(SynchronizeBy::Fewest),
            None => (all || more).then_some(SynchronizeBy::Flags),
        })
}

/// What the passes did, in a line.
fn summary(options: &LowerOptions, lowered: &Lowered) -> String {
    let mut parts = Vec::new();
    if options.canonicalize {
        parts.push(simplified(lowered.canonicalized));
    }
    if options.multi_buffer > 1 {
        let loops = lowered.multi_buffered;
        parts.push(format!(
            "{loops} loop{} with {} buffers",
            if loops == 1 { "" } else { "s" },
            options.multi_buffer
        ));
    }
    if options.place {
        parts.push(peaks(&lowered.buffers));
    }
    if options.synchronize.is_some() {
        parts.push(counts(&lowered.insertions));
    }
    parts.join("; ")
}

fn simplified(done: Canonicalized) -> String {
    let Canonicalized { folded, branches, moves, unused, .. } = done;
    let parts = [
        (folded, "operation folded", "operations folded"),
        (branches, "branch decided", "branches decided"),
        (moves, "move left out", "moves left out"),
        (unused, "unused operation erased", "unused operations erased"),
    ];
    let said: Vec<String> = parts
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }))
        .collect();
    if said.is_empty() { "nothing to simplify".to_owned() } else { said.join(", ") }
}

/// The number of inserted flags and barriers.
fn counts(inserted: &[Insertion]) -> String {
    let tokens = inserted.iter().filter(|insertion| insertion.is_token).count();
    let flags = inserted.iter().filter(|insertion| insertion.flag.is_some()).count() - tokens;
    let barriers = inserted.len() - flags - tokens;
    let plural = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    let tokens = if tokens > 0 { format!("{}, ", plural(tokens, "token")) } else { String::new() };
    format!("{tokens}{} and {} inserted", plural(flags, "flag"), plural(barriers, "barrier"))
}

/// The two accesses that need a flag or a barrier, as a line.
fn reason(insertion: &Insertion, text: &Text) -> String {
    let what = match insertion.flag {
        Some((from, to, id)) if insertion.is_token => {
            format!("token {id}, {} and {}", from.word(), to.word())
        }
        Some((from, to, id)) => format!("flag {} -> {}, event {id}", from.word(), to.word()),
        None => format!("barrier {}", insertion.pipe.word()),
    };
    let [first, second] = insertion.accesses.each_ref().map(|access| match access {
        Some(access) => {
            let line = text.text[..access.span.start as usize].matches('\n').count() + 1;
            let does = if access.writes { "writes" } else { "reads" };
            format!("`{}` at line {line} {does} `%{}`", access.operation, access.value)
        }
        None => "synchronization".to_owned(),
    });
    let later = if insertion.carried { ", in a later round" } else { "" };
    format!("{what}: {first}; {second}{later}")
}

/// The peak of each buffer in which something was placed.
fn peaks(plans: &[BufferPlan]) -> String {
    let placed = plans.iter().filter(|plan| plan.places.iter().any(|place| place.is_chosen));
    let said: Vec<String> = placed
        .map(|plan| {
            let alive = match plan.peak > plan.bound {
                true => format!(", {} alive at once", plan.bound),
                false => String::new(),
            };
            format!("{} {} bytes{alive}", plan.buffer.word(), plan.peak)
        })
        .collect();
    if said.is_empty() { "nothing to place".to_owned() } else { said.join(", ") }
}
