//! `pto lower`.

mod map;

use super::{Status, Text, check_text, read_text};
use crate::args::{Assignment, InsertedSync, LowerArgs};
use crate::device;
use crate::files::Disk;
use crate::output::{Output, write_all};
use crate::printer::{print_diagnostics, print_err, print_out};
use crate::settings::Settings;
use pto::analysis::Synchronization;
use pto::data::{DataError, Failure};
use pto::launch::Spec;
use pto::lowering::{Lowering, LoweringOptions, lower};
use pto::passes::{BufferPlan, Canonicalized, Insertion, LowerOptions, Lowered, SynchronizeBy, plan};
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
    let judged = judged(args, &checked)?;
    let options = &judged.passes;
    let lowering = match lower(&checked, &judged, &Disk) {
        Ok(lowering) => lowering,
        Err(Failure::Data(error)) => return Err(error),
        Err(Failure::Program(findings)) => {
            print_diagnostics(&findings, &text);
            if let Some(path) = &args.map {
                let plans = plan(checked.module(), |function| checked.profile(function));
                map::write(path, &plans, checked.module(), &text)?;
            }
            return Ok(Status::Wrong);
        }
    };
    if let Some(path) = &args.map {
        let lowered = &lowering.lowered;
        let plans = match options.place {
            true => lowered.buffers.clone(),
            false => plan(&lowered.module, |function| checked.profile(function)),
        };
        map::write(path, &plans, &lowered.module, &text)?;
    }
    let module = checked.module();
    let functions = module.functions.iter().map(|(id, _)| id);
    let has_own =
        options.synchronize.is_some() && Synchronization::of(module, functions) == Synchronization::Explicit;
    let summary = summary(options, &lowering);
    let Lowering { lowered, unknown, .. } = lowering;
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
    if has_own {
        print_err!("{}: flags and barriers of its own stay; `pto run --watch all` judges them", text.name);
    }
    if let Some(why) = unknown {
        print_err!("{}: not verified: {why}", text.name);
    }
    match &args.output {
        Some(path) => write_all(&[Output::new(path, lowered.into_bytes())])?,
        None => print_out(&lowered),
    }
    Ok(Status::Fine)
}

/// The passes to run, and how their results are judged.
fn judged(args: &LowerArgs, checked: &pto::Checked) -> Result<LoweringOptions, DataError> {
    let mut judged = LoweringOptions::default();
    judged.passes = options(args);
    judged.verify = !args.no_verify;
    judged.blocks = args.blocks;
    if let Some(name) = &args.device {
        judged.device = Some(device::find(Some(name), pto::Profile::default())?);
    }
    if !args.inputs.is_empty() {
        let inputs = args.inputs.iter().map(Assignment::input).collect();
        let program = pto::Program::decode(checked, None).map_err(|findings| {
            let why = findings.first().map_or(String::new(), |finding| finding.message.clone());
            DataError::misuse(format!("inputs are those of one kernel: {why}"))
        })?;
        judged.inputs = Spec { inputs, ..Spec::default() }.inputs(&program, &Disk)?;
    }
    Ok(judged)
}

/// The passes to run: those that flags select, or else placement and synchronization.
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

/// Summary of the passes in a line.
fn summary(options: &LowerOptions, lowering: &Lowering) -> String {
    let (lowered, mut parts): (&Lowered, _) = (&lowering.lowered, Vec::new());
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
    if let Some(fastest) = &lowering.fastest {
        let (count, time) = (fastest.candidates, fastest.microseconds);
        parts.push(format!("the fastest of {count} programs: {time:.2} us on {}", fastest.device));
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
