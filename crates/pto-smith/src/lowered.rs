//! Oracle for lowering: the lowered form of an automatic program is legal, final, equivalent, and no larger than needed.

use crate::automatic::GIVEN;
use crate::program::{checked, sentence};
use crate::rewrite::{annotated, comments_stayed};
use crate::{Automatic, Rng};
use pto::data::NoFiles;
use pto::diag::Diagnostic;
use pto::passes::{LowerOptions, Lowered, lower};
use pto::prove::{Outcome, Property, VerifyOptions, verify};
use pto::text::{Style, TypeAliases, print};
use pto::{Checked, Program};

/// The result of a lowered program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lowering {
    /// The tiles do not fit their buffers; nothing else was compared.
    pub is_full: bool,
    /// Flags and barriers that were inserted.
    pub flags: usize,
    /// Inserted barriers.
    pub barriers: usize,
    /// Loops whose tiles have several buffers.
    pub multi_buffered: usize,
    /// Launches of the lowered program.
    pub runs: usize,
    /// Number of instructions of the lowered program, and of those that ran.
    pub instructions: (usize, usize),
    /// Inserted operations that no launch needed, each with its line.
    pub superfluous: Vec<String>,
}

/// Lowers a program with up to `buffers` buffers for each tile of a loop, and verifies the result:
///
/// - it is legal, prints as text that parses to itself, and lowering it again changes nothing;
/// - names, comments and locations of the program are at their operations;
/// - [`verify`] accepts it: watchers find nothing, and every schedule computes the bits of the program.
///
/// Inserted flags and barriers that lints name in all launches are counted.
///
/// # Errors
/// The property that does not hold, with the lowered program.
pub fn lowered(program: &Automatic, buffers: u32, rng: &mut Rng) -> Result<Lowering, String> {
    let text = annotated(&program.text, rng);
    let source = checked(&text, None)?;
    let options = LowerOptions::default().multi_buffer(buffers);
    let result = match lower(&source, &options) {
        Ok(result) => result,
        Err(findings) if findings.iter().all(|finding| finding.rule == "place::capacity") => {
            return Ok(Lowering { is_full: true, ..Lowering::default() });
        }
        Err(findings) => return Err(format!("not lowered: {}\n{text}", sentence(findings))),
    };
    let printed = printed(&result, &text);
    let fail = |message: String| format!("{message}\n--- lowered with {buffers} buffers:\n{printed}");
    let after = checked(&printed, None).map_err(fail)?;
    is_final(&after, &printed, &options).map_err(fail)?;
    let copies = result.multi_buffered > 0;
    comments_stayed(&text, &printed, copies).map_err(fail)?;
    let mut lowering = Lowering {
        flags: result.insertions.iter().filter(|insertion| insertion.flag.is_some()).count(),
        multi_buffered: result.multi_buffered,
        ..Lowering::default()
    };
    lowering.barriers = result.insertions.len() - lowering.flags;
    equivalent(&source, &after, &printed, &mut lowering).map_err(fail)?;
    Ok(lowering)
}

fn printed(lowered: &Lowered, source: &str) -> String {
    print(&lowered.module, &Style { source: Some(source), aliases: TypeAliases::Kept, ..Style::default() })
}

/// Printing, reading and lowering again gives the same text.
fn is_final(after: &Checked, text: &str, options: &LowerOptions) -> Result<(), String> {
    let again =
        print(after.module(), &Style { source: Some(text), aliases: TypeAliases::Kept, ..Style::default() });
    if again != text {
        return Err(format!("printed again it is:\n{again}"));
    }
    let second = lower(after, options).map_err(sentence)?;
    if !second.insertions.is_empty() || second.multi_buffered > 0 {
        return Err(format!("a second time inserts {:?}", second.insertions));
    }
    let second = printed(&second, text);
    if second == text { Ok(()) } else { Err(format!("lowered again it is:\n{second}")) }
}

fn equivalent(source: &Checked, after: &Checked, text: &str, lowering: &mut Lowering) -> Result<(), String> {
    let [one, two] = [source, after].map(|checked| Program::decode(checked, None).map_err(sentence));
    let (one, two) = (one?, two?);
    let found = verify(&one, &two, &VerifyOptions::default(), &NoFiles).map_err(|error| error.to_string())?;
    for (property, outcome) in &found.properties {
        match outcome {
            Outcome::Holds => {}
            // A generated program may have a branch that no launch takes.
            Outcome::Unknown(_) if *property == Property::Coverage => {}
            Outcome::Fails(example) => {
                let when = example.situation.as_ref().map(|situation| situation.describe());
                let schedule = example.schedule;
                let at: Vec<String> = example.findings.iter().map(|finding| line(finding, text)).collect();
                return Err(format!(
                    "{}: {} ({}, {schedule:?})\n{}",
                    property.word(),
                    example.message,
                    when.unwrap_or_default(),
                    at.join("\n")
                ));
            }
            other => return Err(format!("{}: {other:?}", property.word())),
        }
    }
    lowering.runs = found.runs;
    lowering.instructions = (found.coverage.instructions, found.coverage.ran);
    let superfluous = found
        .lints
        .iter()
        .filter(|lint| lint.rule.to_string().starts_with("sync::"))
        .map(|lint| line(lint, text))
        .filter(|line| !line.contains(GIVEN));
    lowering.superfluous = superfluous.collect();
    Ok(())
}

/// A finding, with the line of its place.
fn line(finding: &Diagnostic, text: &str) -> String {
    let start = finding.primary.as_ref().map_or(0, |label| label.span.start as usize);
    let number = text.get(..start).unwrap_or_default().matches('\n').count();
    let code = text.lines().nth(number).unwrap_or_default().trim();
    format!("{}: {} -- line {}: {code}", finding.rule, finding.message, number + 1)
}
