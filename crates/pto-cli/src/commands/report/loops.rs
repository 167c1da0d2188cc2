//! The loops of a program, as ranges of its text.

use pto::diag::Span;
use pto::ir::Module;
use pto::isa::meaning::Meaning;

/// The loops of a module.
pub(super) fn of_module(module: &Module) -> Vec<Span> {
    let operations = module.functions.iter().flat_map(|(_, function)| function.operations.iter());
    let loops =
        operations.filter(|(_, operation)| matches!(operation.meaning(), Meaning::For | Meaning::While));
    loops.map(|(_, operation)| operation.span).collect()
}

/// The `for` and `while` loops of a text in C++, in the order of their ends. Macros are not expanded.
pub(super) fn of_cpp(text: &str) -> Vec<Span> {
    let mut scan = Scan::default();
    let mut at = 0;
    while at < text.len() {
        at = scan.token(text, at);
    }
    scan.loops
}

/// The smallest loop that contains a place.
pub(super) fn innermost(loops: &[Span], place: Span) -> Option<Span> {
    let around = loops.iter().filter(|one| one.start <= place.start && place.end <= one.end);
    around.min_by_key(|one| one.end - one.start).copied()
}

/// The loops of a text up to a position.
#[derive(Default)]
struct Scan {
    loops: Vec<Span>,
    parentheses: usize,
    /// Start and enclosing parentheses of each loop whose body has not begun.
    heads: Vec<(usize, usize)>,
    /// For each open brace, the starts of the loops whose body it begins.
    braces: Vec<Vec<usize>>,
}

impl Scan {
    /// Scans the token at a position, and returns the position after it.
    fn token(&mut self, text: &str, at: usize) -> usize {
        let rest = &text[at..];
        let end = at + token_length(rest);
        match &text[at..end] {
            "for" | "while" => self.heads.push((at, self.parentheses)),
            "(" => self.parentheses += 1,
            ")" => self.parentheses = self.parentheses.saturating_sub(1),
            "{" => {
                let starts = self.bodies();
                self.braces.push(starts);
            }
            "}" => {
                let starts = self.braces.pop().unwrap_or_default();
                self.end(starts, end);
            }
            ";" => {
                let starts = self.bodies();
                self.end(starts, end);
            }
            _ => {}
        }
        end
    }

    /// Takes the loops whose body begins here: those with no parentheses open but the enclosing ones.
    fn bodies(&mut self) -> Vec<usize> {
        let first = self.heads.iter().position(|(_, parentheses)| *parentheses == self.parentheses);
        let first = first.unwrap_or(self.heads.len());
        self.heads.drain(first..).map(|(start, _)| start).collect()
    }

    fn end(&mut self, starts: Vec<usize>, end: usize) {
        self.loops.extend(starts.into_iter().rev().map(|start| Span::new(start as u32, end as u32)));
    }
}

/// The length in bytes of the first token: a comment, a literal, a word, or one character.
fn token_length(text: &str) -> usize {
    let until =
        |mark: &str, from: usize| text[from..].find(mark).map_or(text.len(), |at| from + at + mark.len());
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    match text.chars().next() {
        Some('/') if text.starts_with("//") => until("\n", 2),
        Some('/') if text.starts_with("/*") => until("*/", 2),
        Some(quote @ ('"' | '\'')) => literal_length(text, quote),
        // The quotes in `1'000` belong to the number.
        Some(first) if first.is_numeric() => text.find(|c| !is_word(c) && c != '\'').unwrap_or(text.len()),
        Some(first) if is_word(first) => text.find(|c| !is_word(c)).unwrap_or(text.len()),
        Some(first) => first.len_utf8(),
        None => 0,
    }
}

/// The length of a literal in quotes, which ends with its line at the latest.
fn literal_length(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == '\n' || (c == quote && !is_escaped) {
            return at + 1;
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The loops of a text, in the order of their ends.
    fn loops(text: &str) -> Vec<&str> {
        of_cpp(text).iter().map(|span| &text[span.start as usize..span.end as usize]).collect()
    }

    #[test]
    fn loops_in_cpp_end_with_their_brace_or_statement() {
        assert_eq!(
            loops("for (int i = 0; i < 3; i++) { f(i); } g();"),
            ["for (int i = 0; i < 3; i++) { f(i); }"]
        );
        assert_eq!(loops("while (more()) step(); g();"), ["while (more()) step();"]);
        assert_eq!(
            loops("for (;;) { while (a) { b(); } }"),
            ["while (a) { b(); }", "for (;;) { while (a) { b(); } }"]
        );
        assert_eq!(loops("for (;;) for (;;) { x(); }"), ["for (;;) { x(); }", "for (;;) for (;;) { x(); }"]);
        assert_eq!(loops("call([&] { for (;;) { x(); } });"), ["for (;;) { x(); }"]);
    }

    #[test]
    fn comments_and_literals_have_no_loops() {
        assert!(
            loops("// for (;;) {}\n/* while (x) {} */ f(\"for (;;) {\\\"\", '{', 1'000); before { }")
                .is_empty()
        );
    }

    #[test]
    fn the_innermost_loop_is_the_smallest_one() {
        let all = [Span::new(0, 100), Span::new(10, 50), Span::new(60, 90)];
        assert_eq!(innermost(&all, Span::new(20, 30)), Some(all[1]));
        assert_eq!(innermost(&all, Span::new(52, 55)), Some(all[0]));
        assert_eq!(innermost(&all, Span::new(120, 130)), None);
    }
}
