//! Names of operands: the variables that a call of an intrinsic passes.

use super::words::operation_in_cpp;

/// Variable that a call passes for an operand of its part: `dst` of the part of `TADD(sum, a, b)` is `sum`. `None` if it
/// passes no variable, or is not a call of the intrinsic of the part, such as a macro. `part` begins with the text of the
/// part.
pub(super) fn passed<'c>(part: &str, operand: &str, call: &'c str) -> Option<&'c str> {
    let part = part.split_inclusive("\n}\n").next()?;
    let (head, body) = part.split_once('\n')?;
    let (intrinsic, arguments) = call.split_once('(')?;
    let intrinsic = intrinsic.split('<').next()?.trim();
    if operation_in_cpp(operation(body)?) != intrinsic {
        return None;
    }
    let argument = arguments_of(arguments).nth(index(head, body, operand)?)?.trim();
    let is_variable = argument.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && argument.chars().all(|c| c.is_ascii_alphanumeric() || "_.[]".contains(c));
    is_variable.then_some(argument)
}

/// The name of the last operation of a body: the others make its views.
fn operation(body: &str) -> Option<&str> {
    let line = body.lines().rfind(|line| line.contains("pto."))?;
    let name = &line[line.find("pto.")? + "pto.".len()..];
    Some(&name[..name.find(|c: char| !c.is_ascii_alphanumeric() && !"_.".contains(c)).unwrap_or(name.len())])
}

/// The index of an operand among the arguments of the intrinsic, which takes destinations first.
fn index(head: &str, body: &str, operand: &str) -> Option<usize> {
    let number = |digits: &str| if digits.is_empty() { Some(0) } else { digits.parse::<usize>().ok() };
    if let Some(digits) = operand.strip_prefix("dst") {
        return number(digits);
    }
    let has = |name: &str| {
        let mark = format!("%{name}");
        let is_end = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        [head, body].iter().any(|text| text.split(&mark).skip(1).any(is_end))
    };
    let numbered = (0..).take_while(|number| has(&format!("dst{number}"))).count();
    let destinations = numbered.max(usize::from(has("dst")));
    Some(destinations + number(operand.strip_prefix("src")?)?)
}

/// The arguments of a call, as far as they are on its line.
fn arguments_of(text: &str) -> impl Iterator<Item = &str> {
    let (mut depth, mut is_open) = (0usize, true);
    text.split(move |c: char| match c {
        '(' | '[' | '{' => {
            depth += 1;
            false
        }
        ')' if depth == 0 => std::mem::take(&mut is_open),
        ')' | ']' | '}' => {
            depth = depth.saturating_sub(1);
            false
        }
        ',' => depth == 0 && is_open,
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::passed;

    #[test]
    fn operands_are_what_a_call_passes() {
        let add = "func.func @c(%dst: t, %src0: t, %src1: t) {\n  pto.tadd ins(%src0, %src1 : t, t) outs(%dst : t)\n  return\n}\n";
        let of = |operand, call| passed(add, operand, call);
        assert_eq!(of("dst", "TADD(sum, a[i], b); f(x);"), Some("sum"));
        assert_eq!(of("src0", "TADD(sum, a[i], b); f(x);"), Some("a[i]"));
        assert_eq!(of("src1", "TADD(f(sum, 1), a, b);"), Some("b"));
        assert_eq!(of("dst", "TADD(f(sum, 1), a, b);"), None, "an expression");
        assert_eq!(of("dst", "ADD_ALL(sum, a, b);"), None, "a macro");
        assert_eq!(of("src1", "TADD(sum, a,"), None, "the call goes on in the next line");
        let store = "func.func @c(%p0: p, %src: t) {\n  %dst = pto.partition_view %p0 : v\n  pto.tstore ins(%src : t) outs(%dst : v)\n  \
                     return\n}\n";
        assert_eq!(passed(store, "src", "TSTORE<X>(zs, sum);"), Some("sum"));
    }
}
