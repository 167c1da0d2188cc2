//! Launches of kernels, `k<<<blocks, nullptr, stream>>>(args)`, rewritten as calls.
//!
//! A launch is an extension of the compilers for devices. An ordinary compiler reads `<<` and `<` and reports an error,
//! so each launch becomes a call of our headers before the compiler sees the text:
//!
//! ```text
//! add<float, 64><<<blocks * 2, nullptr, stream>>>(x, y);
//! pto::launch(pto::Config(blocks * 2, nullptr, stream), add<float, 64>)(x, y);
//! ```
//!
//! The arguments stay where they are. Callee and configuration change places, each with its own line breaks, comments and spelling, so the
//! text has as many lines as before, and the compiler reports all lines outside of a launch correctly.
//!
//! **Where a launch is.** `<<<` occurs in C++ only in `operator<<<T>`, in comments, in literals and in preprocessor
//! lines. The lexer (`tokens`) skips comments and literals. Preprocessor lines are skipped except for the bodies of
//! macros, in which a launch is rewritten like any other: a body is a text of its own, beyond whose ends no callee or
//! configuration reaches. A body with a part of a launch is left to the compiler.
//!
//! **The callee** is the postfix expression that ends at `<<<`, read backwards: a name, a template-id, a member, an element of a table, a
//! call or an expression in parentheses, and in front of these any number of `A::`, `A<..>::`, `a.` and `a->`.
//!
//! **The configuration** ends at the `>>>` that is outside of all brackets. Angle brackets are ambiguous without knowing which names
//! are templates: `f<A<B<int>>>(0)` has a `>>>` that ends nothing, and `a < b` opens nothing. The first reading counts a `<` after a
//! name as a bracket. If no `>>>` is left outside with that count, the second reading counts no angle brackets at all.

use super::tokens::{Kind, Token, tokens};
use std::fmt;
use std::ops::Range;

/// A launch that cannot be rewritten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchError {
    /// The line of its `<<<`, from 1.
    pub line: usize,
    /// The reason.
    pub reason: &'static str,
}

impl fmt::Display for LaunchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

/// The text with a call in place of each launch. A text without launches is returned as it is.
///
/// # Errors
/// The first launch without a callee, an end or arguments.
pub fn rewrite(text: &str) -> Result<String, LaunchError> {
    if !text.contains("<<<") {
        return Ok(text.to_owned());
    }
    let all = tokens(text, 0..text.len(), true);
    let mut launches = launches(text, &all)?;
    for directive in all.iter().filter(|token| token.kind == Kind::Directive) {
        if is_define(&text[directive.span.clone()]) {
            // A body may be a piece of a launch, which only the place that uses the macro completes.
            launches.extend(
                self::launches(text, &tokens(text, directive.span.clone(), false)).unwrap_or_default(),
            );
        }
    }
    launches.sort_by_key(|launch| launch.callee.start);
    let mut rewritten = String::with_capacity(text.len() + 32 * launches.len());
    let mut copied = 0;
    for launch in launches {
        rewritten.push_str(&text[copied..launch.callee.start]);
        // Between callee and `<<<` may be line breaks and comments.
        let gap = &text[launch.callee.end..launch.configuration.start - 3];
        let [configuration, callee] = [&launch.configuration, &launch.callee].map(|part| &text[part.clone()]);
        rewritten.push_str(&format!("pto::launch(pto::Config({configuration}), {callee}{gap})"));
        copied = launch.configuration.end + 3;
    }
    rewritten.push_str(&text[copied..]);
    Ok(rewritten)
}

fn is_define(directive: &str) -> bool {
    directive.trim_start_matches('#').trim_start().starts_with("define")
}

/// The parts of a launch as bytes of the text.
struct Launch {
    callee: Range<usize>,
    /// From the end of `<<<` to the start of `>>>`.
    configuration: Range<usize>,
}

/// The launches among tokens, in their order.
fn launches(text: &str, tokens: &[Token]) -> Result<Vec<Launch>, LaunchError> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let is_launch = tokens[at].kind == Kind::Launch && !ends_with_operator(text, &tokens[..at]);
        if !is_launch {
            at += 1;
            continue;
        }
        let open = &tokens[at].span;
        let fail = |reason| LaunchError { line: 1 + text[..open.start].matches('\n').count(), reason };
        let first = callee(text, &tokens[..at]).ok_or_else(|| fail("`<<<` follows no name of a kernel"))?;
        let close = end(tokens, at + 1, true)
            .or_else(|| end(tokens, at + 1, false))
            .ok_or_else(|| fail("no `>>>` ends the launch that `<<<` begins"))?;
        if tokens.get(close + 3).is_none_or(|next| next.kind != Kind::Byte(b'(')) {
            return Err(fail("no arguments in parentheses follow the `>>>` of this launch"));
        }
        if tokens[at + 1..close].iter().any(|token| token.kind == Kind::Launch) {
            return Err(fail("a launch inside the configuration of a launch"));
        }
        let callee = tokens[first].span.start..tokens[at - 1].span.end;
        found.push(Launch { callee, configuration: open.end..tokens[close].span.start });
        at = close + 3;
    }
    Ok(found)
}

/// Whether `operator` is in front: `operator<<<T>` names a shift operator with template arguments.
fn ends_with_operator(text: &str, before: &[Token]) -> bool {
    before.last().is_some_and(|token| &text[token.span.clone()] == "operator")
}

/// The first token of the callee that the tokens end with.
fn callee(text: &str, before: &[Token]) -> Option<usize> {
    let kind = |at: usize| before.get(at).map(|token| token.kind);
    let is_name = |at: usize| kind(at) == Some(Kind::Word) && !is_keyword(&text[before[at].span.clone()]);
    let mut at = before.len().checked_sub(1)?;
    loop {
        // Skips trailing brackets with their contents, then the name in front of them, if any.
        while let Some(Kind::Byte(close @ (b')' | b']' | b'>'))) = kind(at) {
            let open = opening(before, at)?;
            let named = open > 0
                && (is_name(open - 1) || matches!(kind(open - 1), Some(Kind::Byte(b')' | b']' | b'>'))));
            match close {
                b')' if !named || kind(open - 1) == Some(Kind::Byte(b')')) => return Some(open),
                _ if !named => return None,
                _ => at = open - 1,
            }
        }
        if !is_name(at) {
            return None;
        }
        let Some(mut front) = at.checked_sub(1) else { return Some(at) };
        // `a.template k<1>`.
        if before[front].kind == Kind::Word && &text[before[front].span.clone()] == "template" && front > 0 {
            front -= 1;
        }
        let has_front = |at: usize| is_name(at) || matches!(kind(at), Some(Kind::Byte(b'>' | b')' | b']')));
        match kind(front) {
            Some(Kind::Scope)
                if front > 0 && (is_name(front - 1) || kind(front - 1) == Some(Kind::Byte(b'>'))) =>
            {
                at = front - 1;
            }
            Some(Kind::Scope) => return Some(front),
            Some(Kind::Member) if front > 0 && has_front(front - 1) => at = front - 1,
            _ => return Some(at),
        }
    }
}

/// Words after which an expression begins.
fn is_keyword(word: &str) -> bool {
    const KEYWORDS: [&str; 12] = [
        "return",
        "else",
        "do",
        "case",
        "throw",
        "new",
        "delete",
        "goto",
        "co_return",
        "co_yield",
        "co_await",
        "template",
    ];
    KEYWORDS.contains(&word)
}

/// The opening bracket of the closing one at `close`, searched backwards. Inside of `()`, `[]` and `{}` angle brackets count as operators.
fn opening(tokens: &[Token], close: usize) -> Option<usize> {
    let mut open = Vec::new();
    for at in (0..=close).rev() {
        match tokens[at].kind {
            Kind::Byte(byte @ (b')' | b']' | b'}')) => open.push(byte),
            Kind::Byte(b'>') if matches!(open.last(), None | Some(b'>')) => open.push(b'>'),
            Kind::Byte(byte @ (b'(' | b'[' | b'{')) if open.last() == Some(&closing(byte)) => {
                open.pop();
            }
            Kind::Byte(b'(' | b'[' | b'{') => return None,
            Kind::Byte(b'<') if open.last() == Some(&b'>') => {
                open.pop();
            }
            Kind::Byte(b';') if !open.contains(&b'}') => return None,
            Kind::Directive | Kind::Launch => return None,
            _ => {}
        }
        if open.is_empty() {
            return Some(at);
        }
    }
    None
}

fn closing(open: u8) -> u8 {
    match open {
        b'(' => b')',
        b'[' => b']',
        b'{' => b'}',
        _ => b'>',
    }
}

/// The first `>` of the `>>>` that ends a configuration which begins at `start`. With `angles`, `<` after a name is a bracket.
fn end(tokens: &[Token], start: usize, angles: bool) -> Option<usize> {
    let mut open = Vec::new();
    let mut at = start;
    while let Some(token) = tokens.get(at) {
        match token.kind {
            Kind::Byte(byte @ (b'(' | b'[' | b'{')) => open.push(closing(byte)),
            Kind::Byte(b'<') if angles && tokens[at - 1].kind == Kind::Word => open.push(b'>'),
            Kind::Byte(byte @ (b')' | b']' | b'}')) => {
                // An angle bracket that is still open was a comparison.
                while open.pop()? != byte {}
            }
            Kind::Byte(b'>') if open.last() == Some(&b'>') => {
                open.pop();
            }
            Kind::Byte(b'>') if open.is_empty() && is_close(tokens, at) => return Some(at),
            Kind::Byte(b';') if !open.contains(&b'}') => return None,
            _ => {}
        }
        at += 1;
    }
    None
}

/// Whether `>>>` is here, without a gap.
fn is_close(tokens: &[Token], at: usize) -> bool {
    let Some([first, second, third]) = tokens.get(at..at + 3) else { return false };
    let adjacent = first.span.end == second.span.start && second.span.end == third.span.start;
    adjacent && [first, second, third].iter().all(|token| token.kind == Kind::Byte(b'>'))
}

#[cfg(test)]
mod tests;
