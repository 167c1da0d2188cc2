//! Diagnostics as text for people.

use super::shorten::Line;
use super::teach::for_reading;
use super::{Authored, SourceText, authored};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet, normalize_untrusted_str,
};
use pto::data::clip;
use pto::diag::{Diagnostic, Edit, Severity};
use std::ops::Range;

/// Lines longer than this many bytes are shown as a window around the span.
const LONG_LINE: usize = 400;
/// Characters of a long line shown before the start of the span, and from the start on.
const WINDOW: (usize, usize) = (60, 200);
/// Labels more than this many lines from each other are shown separately.
const NEARBY: usize = 200;
/// Maximum number of secondary labels shown; the others are counted.
const MOST_LABELS: usize = 8;
/// Maximum number of characters of one message, note or help line.
const MOST_CHARACTERS: usize = 2000;

/// The diagnostics of one source, each followed by an empty line; empty if there are none.
///
/// `color` enables terminal colours.
pub fn to_text(diagnostics: &[Diagnostic], source: &SourceText<'_>, color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Ascii);
    let mut out = String::new();
    for diagnostic in &for_reading(diagnostics) {
        let marks = marks(diagnostic, source);
        let whole = span_of_near_marks(&marks, source);
        let rendered = renderer.render(&[group(diagnostic, &marks, whole, source)]);
        match (marks.first(), rendered.split_once('\n')) {
            // The renderer would count columns in the window, or in the shortened line.
            (Some(first), Some((title, rest))) => {
                let numbers = marks.iter().map(|m| source.number_of(m.line));
                let width = numbers.max().unwrap_or(1).to_string().len();
                let place = source.position(first.range.start);
                let name = clean(source.name_at(first.range.start));
                let arrow = if color { "\x1b[1m\x1b[94m--> \x1b[0m" } else { "--> " };
                let here = format!("{name}:{}:{}", place.line, place.column);
                let place = match authored(diagnostic, source) {
                    Some(Authored { file, line, column }) => {
                        format!("{}:{line}:{column} ({here})", clean(&file))
                    }
                    None => here,
                };
                out.push_str(&format!("{title}\n{:width$}{arrow}{place}\n{rest}", ""));
            }
            _ => out.push_str(&rendered),
        }
        out.push_str("\n\n");
    }
    out
}

/// A label position: bytes within one line.
struct Mark<'a> {
    kind: AnnotationKind,
    line: usize,
    range: Range<usize>,
    message: &'a str,
}

fn group<'a>(
    diagnostic: &'a Diagnostic,
    marks: &[Mark<'a>],
    whole: Option<(usize, usize)>,
    source: &SourceText<'a>,
) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        severity => Level::WARNING.with_name(severity.word()),
    };
    let title = clean(&diagnostic.message).replace('\n', " ");
    let mut group = Group::with_title(level.primary_title(title).id(diagnostic.rule.to_string()));
    match whole {
        _ if marks.is_empty() => group = group.element(Origin::path(clean(source.name()))),
        Some((first, last)) => group = group.element(together(marks, first, last, source)),
        None => {
            // The first place is named above the lines; another file is named where it begins.
            let first = source.name_at(marks[0].range.start);
            group = group.elements(marks.iter().map(|mark| {
                let name = source.name_at(mark.range.start);
                let snippet = windowed(mark, source);
                if name == first { snippet } else { snippet.path(clean(name)) }
            }));
        }
    }
    if diagnostic.secondary.len() > MOST_LABELS {
        let more = diagnostic.secondary.len() - MOST_LABELS;
        group = group.element(Level::NOTE.message(format!("and {more} more places")));
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(clean(note)));
    }
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(clean(help)));
    }
    // The help of a check already describes its edits. Edits of a run insert lines, and need line numbers.
    for edit in diagnostic.edits.iter().filter(|_| diagnostic.rule.is_of_watcher()) {
        group = group.element(Level::NOTE.with_name("edit").message(clean(&edit_in_words(edit, source))));
    }
    group
}

/// `before line 12: pto.barrier <PIPE_V>`.
fn edit_in_words(edit: &Edit, source: &SourceText<'_>) -> String {
    let line = source.position(edit.span.start as usize).line;
    let old = source.text().get(edit.span.start as usize..edit.span.end as usize).unwrap_or_default();
    let new = edit.replacement.trim();
    match (old, new) {
        ("", _) if edit.replacement.starts_with('\n') => format!("after line {line}: {new}"),
        ("", _) => format!("before line {line}: {new}"),
        (_, "") => format!("line {line}: without {old}"),
        _ => format!("line {line}: {new}"),
    }
}

/// A message without control characters, of bounded length.
fn clean(text: &str) -> String {
    normalize_untrusted_str(&clip(text, MOST_CHARACTERS))
}

/// All labels, the primary one first. A span over several lines is cut to its first line.
fn marks<'a>(diagnostic: &'a Diagnostic, source: &SourceText<'_>) -> Vec<Mark<'a>> {
    let primary = diagnostic.primary.iter().map(|label| (AnnotationKind::Primary, label));
    let secondary =
        diagnostic.secondary.iter().take(MOST_LABELS).map(|label| (AnnotationKind::Context, label));
    primary
        .chain(secondary)
        .map(|(kind, label)| {
            let range = source.range(label.span);
            let line = source.line_of(range.start);
            let bounds = source.line_range(line);
            let start = range.start.min(bounds.end);
            Mark { kind, line, range: start..range.end.min(bounds.end).max(start), message: &label.message }
        })
        .collect()
}

/// The first and the last line of all marks, if they are near each other and no line between is long.
fn span_of_near_marks(marks: &[Mark<'_>], source: &SourceText<'_>) -> Option<(usize, usize)> {
    let first = marks.iter().map(|m| m.line).min()?;
    let last = marks.iter().map(|m| m.line).max()?;
    let name = |line: usize| source.name_at(source.line_range(line).start);
    let near = last - first <= NEARBY
        && name(first) == name(last)
        && (first..=last).all(|line| shown(line, marks, source).text.len() <= LONG_LINE);
    near.then_some((first, last))
}

/// A line as it is shown.
fn shown(line: usize, marks: &[Mark<'_>], source: &SourceText<'_>) -> Line {
    let bounds = source.line_range(line);
    let here = marks.iter().filter(|mark| mark.line == line);
    let kept: Vec<_> = here.map(|m| m.range.start - bounds.start..m.range.end - bounds.start).collect();
    Line::of(&source.text()[bounds], &kept)
}

/// The lines from `first` to `last` with all marks. Types in long lines are shortened.
fn together<'a>(
    marks: &[Mark<'a>],
    first: usize,
    last: usize,
    source: &SourceText<'a>,
) -> Snippet<'a, Annotation<'a>> {
    let (mut text, mut annotations) = (String::new(), Vec::new());
    for line in first..=last {
        let (start, short) = (source.line_range(line).start, shown(line, marks, source));
        for mark in marks.iter().filter(|mark| mark.line == line) {
            let place = |at: usize| text.len() + short.place(at - start);
            annotations.push((mark, place(mark.range.start)..place(mark.range.end)));
        }
        text.push_str(&short.text);
        text.push('\n');
    }
    // The primary label comes first, as in `marks`.
    annotations.sort_by_key(|(mark, _)| mark.kind != AnnotationKind::Primary);
    let annotations = annotations.into_iter().map(|(mark, range)| annotation(mark, range));
    Snippet::source(text).line_start(source.number_of(first)).annotations(annotations)
}

/// The line of one mark, cut to a window if it is long.
fn windowed<'a>(mark: &Mark<'a>, source: &SourceText<'a>) -> Snippet<'a, Annotation<'a>> {
    let bounds = source.line_range(mark.line);
    let text = source.text();
    let (start, end) = if bounds.len() <= LONG_LINE {
        (bounds.start, bounds.end)
    } else {
        let before = text[bounds.start..mark.range.start].char_indices().rev().take(WINDOW.0).last();
        let after = text[mark.range.start..bounds.end].char_indices().nth(WINDOW.1);
        (
            before.map_or(mark.range.start, |(at, _)| bounds.start + at),
            after.map_or(bounds.end, |(at, _)| mark.range.start + at),
        )
    };
    let cut = |is_cut: bool| if is_cut { "..." } else { "" };
    let prefix = cut(start > bounds.start);
    let shown = format!("{prefix}{}{}", &text[start..end], cut(end < bounds.end));
    let moved = |at: usize| at.min(end) - start + prefix.len();
    let range = moved(mark.range.start)..moved(mark.range.end);
    Snippet::source(shown).line_start(source.number_of(mark.line)).annotation(annotation(mark, range))
}

fn annotation<'a>(mark: &Mark<'a>, range: Range<usize>) -> Annotation<'a> {
    let label = (!mark.message.is_empty()).then(|| clean(mark.message));
    mark.kind.span(range).label(label)
}
