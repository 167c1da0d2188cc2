//! Verdicts as JUnit XML, for systems that show tests.

use super::to_text;
use crate::judged::Judged;
use std::fmt::Write;
use std::time::Duration;

/// One test suite, named after the command, with a test case for each program or recorded case.
///
/// A case with errors is a failure, with the findings as `pto` prints them; one that could not be judged is an error.
pub fn to_junit(command: &str, judged: &[Judged]) -> String {
    let errors = judged.iter().filter(|one| !one.passed && one.error.is_some()).count();
    let failures = judged.iter().filter(|one| !one.passed && one.error.is_none()).count();
    let time = seconds(judged.iter().map(|one| one.time).sum());
    let counts =
        format!("tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{time}\"", judged.len());
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, "<testsuites name=\"pto\" {counts}>");
    let _ = writeln!(out, "  <testsuite name=\"{}\" {counts}>", escaped(command));
    for one in judged {
        case(&mut out, command, one);
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

fn case(out: &mut String, command: &str, one: &Judged) {
    let (name, class, time) = (escaped(&one.name), escaped(command), seconds(one.time));
    let _ = write!(
        out,
        "    <testcase name=\"{name}\" classname=\"{class}\" file=\"{}\" time=\"{time}\"",
        escaped(&one.file)
    );
    let text = to_text(&one.findings, &one.source(), false);
    let (tag, kind, message) = match (&one.error, one.errors().next()) {
        _ if one.passed && text.is_empty() => return out.push_str("/>\n"),
        _ if one.passed => {
            let _ = writeln!(
                out,
                ">\n      <system-out>{}</system-out>\n    </testcase>",
                escaped(text.trim_end())
            );
            return;
        }
        (Some(error), _) => ("error", "data".to_owned(), error.clone()),
        (None, Some(finding)) => ("failure", finding.rule.to_string(), finding.message.clone()),
        (None, None) => ("failure", "verdict".to_owned(), "the verdict is not the expected one".to_owned()),
    };
    let body = if text.is_empty() { message.clone() } else { text };
    let _ = writeln!(
        out,
        ">\n      <{tag} type=\"{}\" message=\"{}\">{}</{tag}>\n    </testcase>",
        escaped(&kind),
        escaped(message.lines().next().unwrap_or_default()),
        escaped(body.trim_end()),
    );
}

fn seconds(time: Duration) -> String {
    format!("{:.6}", time.as_secs_f64())
}

/// Text for XML: markup escaped, without the control characters that XML 1.0 does not have.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(letter),
            _ if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            _ => out.push(letter),
        }
    }
    out
}
