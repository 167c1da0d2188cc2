//! The dynamic builder: it creates the same programs as text does, and a rejected operation leaves it unchanged.

use pto::build::{Builder, Error};
use pto::ir::{Scalar, Type, TypeId};
use pto::isa::{Op, Profile};
use pto::text::{Style, parse, parse_tile_type, print};

fn tile(builder: &mut Builder, text: &str) -> TypeId {
    let ty = parse_tile_type(text).expect("a tile type").0;
    builder.intern(Type::Tile(ty))
}

/// A loop that adds a tile to itself.
fn doubled() -> Result<Builder, Error> {
    let mut builder = Builder::new("double", Profile::A5);
    let ty = tile(&mut builder, "!pto.tile_buf<vec, 16x16xf32>");
    let (_, made) = builder.operation(Op::ALLOC_TILE, &[], &[("x", ty)], Vec::new())?;
    let bounds = [0, 4, 1].map(|bound| builder.integer(Scalar::Index, bound));
    let operands = [("lower", bounds[0]), ("upper", bounds[1]), ("step", bounds[2])];
    let index = builder.intern(Type::Scalar(Scalar::Index));
    builder.region(Op::SCF_FOR, &operands, &[("i", index)], |builder, arguments| {
        assert_eq!(arguments.len(), 1);
        builder.instruction(Op::TADD, &[made[0], made[0]], &[made[0]], Vec::new())?;
        Ok(())
    })?;
    Ok(builder)
}

#[test]
fn a_module_from_calls_is_the_module_of_its_text() {
    let module = doubled().expect("a legal function").finish();
    let text = print(&module, &Style::default());
    assert!(text.contains("scf.for %i = %c0 to %c4 step %c1"), "{text}");
    let read = parse(&text).expect("well-formed text").module;
    assert_eq!(print(&read, &Style::default()), text);
    pto::check(read, None).expect("a legal module");
}

#[test]
fn what_a_rule_forbids_leaves_the_function_as_it_was() {
    let mut builder = doubled().expect("a legal function");
    let before = print(&builder.finish(), &Style::default());
    let ty = tile(&mut builder, "!pto.tile_buf<vec, 8x16xf32>");
    let (_, small) = builder.operation(Op::ALLOC_TILE, &[], &[("y", ty)], Vec::new()).expect("a legal tile");
    let with = print(&builder.finish(), &Style::default());
    assert_ne!(before, with);
    let other = tile(&mut builder, "!pto.tile_buf<vec, 16x16xf16>");
    let (_, half) =
        builder.operation(Op::ALLOC_TILE, &[], &[("z", other)], Vec::new()).expect("a legal tile");
    let kept = print(&builder.finish(), &Style::default());
    let error = builder.instruction(Op::TADD, &[small[0], half[0]], &[small[0]], Vec::new()).unwrap_err();
    assert!(error.rule().starts_with("tadd::"), "{error}");
    let failed = builder.region(Op::SECTION_VECTOR, &[], &[], |builder, _| {
        builder.instruction(Op::TNEG, &[small[0]], &[small[0]], Vec::new())?;
        builder.instruction(Op::TADD, &[half[0]], &[half[0]], Vec::new()).map(|_| ())
    });
    assert!(failed.is_err());
    assert_eq!(print(&builder.finish(), &Style::default()), kept);
}

#[test]
fn regions_nested_too_deep_leave_the_function_as_it_was() {
    fn nested(builder: &mut Builder, ty: TypeId, depth: usize) -> Result<(), Error> {
        if depth == 0 {
            return Ok(());
        }
        let bounds = [0, 4, 1].map(|bound| builder.integer(Scalar::Index, bound));
        let operands = [("lower", bounds[0]), ("upper", bounds[1]), ("step", bounds[2])];
        builder.region(Op::SCF_FOR, &operands, &[("i", ty)], |builder, _| nested(builder, ty, depth - 1))
    }
    let mut builder = Builder::new("deep", Profile::A5);
    let ty = builder.intern(Type::Scalar(Scalar::Index));
    let before = print(&builder.finish(), &Style::default());
    let error = nested(&mut builder, ty, 102).unwrap_err();
    assert_eq!(error.rule(), "kernel::depth");
    assert_eq!(print(&builder.finish(), &Style::default()), before);
    nested(&mut builder, ty, 3).expect("loops that text can have");
    assert!(print(&builder.finish(), &Style::default()).contains("scf.for %i = "));
}

#[test]
fn values_of_another_builder_are_refused() {
    let (mut one, mut other) = (doubled().expect("a function"), doubled().expect("a function"));
    let number = one.integer(Scalar::Index, 3);
    let ty = other.intern(Type::Scalar(Scalar::Index));
    let error =
        other.operation(Op::ARITH_ADDI, &[("lhs", number), ("rhs", number)], &[("s", ty)], Vec::new());
    assert_eq!(error.unwrap_err().rule(), "kernel::foreign-value");
}

#[test]
fn a_region_is_begun_and_ended_by_calls() {
    let mut builder = Builder::new("double", Profile::A5);
    let ty = tile(&mut builder, "!pto.tile_buf<vec, 16x16xf32>");
    let (_, made) = builder.operation(Op::ALLOC_TILE, &[], &[("x", ty)], Vec::new()).expect("a legal tile");
    let bounds = [0, 4, 1].map(|bound| builder.integer(Scalar::Index, bound));
    let operands = [("lower", bounds[0]), ("upper", bounds[1]), ("step", bounds[2])];
    let index = builder.intern(Type::Scalar(Scalar::Index));
    let (outer, variables) = builder.begin(Op::SCF_FOR, &operands, &[("i", index)]).expect("a loop");
    assert_eq!(variables.len(), 1);
    let (inner, _) = builder.begin(Op::SECTION_VECTOR, &[], &[]).expect("a section");
    assert_eq!(builder.clone().end(outer.clone()).unwrap_err().rule(), "kernel::depth");
    builder.end(inner).expect("the innermost region");
    let before = doubled().expect("a legal function").finish();
    builder.instruction(Op::TADD, &[made[0], made[0]], &[made[0]], Vec::new()).expect("a legal addition");
    builder.end(outer.clone()).expect("the loop");
    assert_eq!(builder.end(outer).unwrap_err().rule(), "kernel::depth");
    let text = print(&builder.finish(), &Style::default());
    let section = text.find("pto.section.vector").expect("a section");
    let end = section + text[section..].find("}\n").expect("its end") + 2;
    let line = text[..section].rfind('\n').expect("a line before it") + 1;
    assert_eq!(format!("{}{}", &text[..line], &text[end..]), print(&before, &Style::default()));
}
