//! The forms of operations: each is a line of a program once its types are known.

use pto_isa::diag::Severity;
use pto_isa::op::form::{Kind, Syntax};
use pto_isa::registry::Op;
use pto_lang::text::{form, parse_partial};

/// A program with a form as its only operation; its operands are arguments.
fn program(line: &str, operands: &[(String, String)]) -> String {
    let aliases: String = form::ALIASES.iter().map(|(alias, ty)| format!("{alias} = {ty}\n")).collect();
    let arguments: Vec<_> = operands.iter().map(|(name, ty)| format!("%{name}: {ty}")).collect();
    format!("{aliases}func.func @f({}) {{\n  {line}\n  return\n}}\n", arguments.join(", "))
}

fn errors(text: &str) -> Vec<String> {
    let (_, findings) = parse_partial(text);
    findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error)
        .map(|finding| finding.to_string())
        .collect()
}

#[test]
fn the_forms_of_instructions_can_be_pasted() {
    let mut count = 0;
    for op in Op::all() {
        let Syntax::Destination(forms) = op.page().syntax else { continue };
        for (form, line) in forms.iter().zip(form::forms(op)) {
            let ty = |kind: Kind| form::type_of_kind(kind).unwrap_or("i32").to_owned();
            let operands: Vec<_> = form.roles().map(|role| (role.name.to_owned(), ty(role.kind))).collect();
            let text = program(&line.replace("<type>", "i32"), &operands);
            assert_eq!(errors(&text), Vec::<String>::new(), "{text}");
            count += 1;
        }
    }
    assert!(count > 150, "{count}");
}

/// Forms with their own syntax have types that depend on the program, written `<type>`; those without one can be pasted.
#[test]
fn the_forms_of_other_operations_can_be_pasted_where_all_types_are_known() {
    let (mut count, mut wrong) = (0, Vec::new());
    // The type of an operand of any kind.
    let other = |name: &str| if name == "source" { "!tile" } else { "i32" };
    for op in Op::all() {
        let Syntax::Own(_, kinds) = op.page().syntax else { continue };
        for line in form::forms(op).into_iter().filter(|line| !line.contains("<type>")) {
            let names: Vec<_> = line
                .split('%')
                .skip(1)
                .map(|rest| {
                    rest.split(|c: char| !c.is_alphanumeric() && c != '_')
                        .next()
                        .unwrap_or_default()
                        .to_owned()
                })
                .filter(|name| !name.starts_with("result"))
                .collect();
            let kind = |name: &str| {
                let role = name.trim_end_matches(['0', '1']);
                kinds
                    .iter()
                    .find(|(known, _)| *known == name || *known == role)
                    .map_or(Kind::Other, |(_, kind)| *kind)
            };
            let mut operands: Vec<_> = names
                .iter()
                .map(|name| (name.clone(), form::type_of_kind(kind(name)).unwrap_or(other(name)).to_owned()))
                .collect();
            operands.sort();
            operands.dedup();
            let line =
                kinds.iter().fold(line, |line, (role, _)| line.replace(&format!("<{role}>"), other(role)));
            let text = program(&line, &operands);
            wrong.extend(errors(&text).first().map(|error| format!("{line}: {error}")));
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(count > 50, "{count}");
}

#[test]
fn a_form_names_its_types_and_required_attributes() {
    assert_eq!(form::forms(Op::TADDS), ["pto.tadds ins(%src, %scalar : !tile, f32) outs(%dst : !tile)"]);
    assert_eq!(form::forms(Op::SET_FLAG), ["pto.set_flag[<PIPE_S>, <PIPE_V>, <EVENT_ID0>]"]);
    assert_eq!(form::forms(Op::ARITH_CMPI), ["%result = arith.cmpi eq, %lhs, %rhs : i32"]);
    let tile = form::definitions("ins(%a : !tile)").collect::<Vec<_>>();
    assert_eq!(tile, ["!tile = !pto.tile_buf<vec, 16x64xf32>"]);
    assert_eq!(form::definitions("%a : !tile_of_another").count(), 0);
}
