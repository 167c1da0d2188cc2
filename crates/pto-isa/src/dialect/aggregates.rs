//! Structs and arrays of the scalar unit.

use super::{MANUAL, Row, page, rows};
use crate::meaning::Meaning;
use crate::op::Set;
use crate::op::attribute::{AttributeKind, AttributeSpec};
use crate::op::form::{Kind, Syntax};

const DECLARED: Syntax = Syntax::Own(&["{} -> !type"], &[]);

const PATH: &[AttributeSpec] = &[AttributeSpec::new(
    "path",
    AttributeKind::Integers,
    "The number of the field at each level of nesting, after the struct.",
)];

const fn row(
    name: &'static str,
    summary: &'static str,
    formula: &'static str,
    syntax: Syntax,
    meaning: Meaning,
) -> Row {
    Row { page: page(Set::Value, name, summary, formula, MANUAL, syntax), meaning }
}

rows! {
    super::views::END;
    DECLARE_LOCAL_ARRAY = row(
        "declare_local_array",
        "Makes an array of scalars.",
        "every element of result is 0",
        DECLARED,
        Meaning::DeclareArray
    );
    LOCAL_ARRAY_GET = row(
        "local_array_get",
        "Reads an element of an array.",
        "result = array[indices]",
        Syntax::Own(
            &["%array [ %indices* ] {} : :array -> !type"],
            &[("array", Kind::Other), ("indices", Kind::Other)],
        ),
        Meaning::ArrayGet
    );
    LOCAL_ARRAY_SET = row(
        "local_array_set",
        "Writes an element of an array.",
        "array[indices] = value",
        Syntax::Own(
            &["%array [ %indices* ] , %value {} : :array , :value"],
            &[("array", Kind::Other), ("indices", Kind::Other), ("value", Kind::Other)],
        ),
        Meaning::ArraySet
    );
    DECLARE_STRUCT = row(
        "declare_struct",
        "Makes a struct of scalars and structs.",
        "every field of result is 0",
        DECLARED,
        Meaning::DeclareStruct
    );
    STRUCT_GET = row(
        "struct_get",
        "Reads a field of a struct, at the end of a path of field numbers.",
        "result = struct.path",
        Syntax::Own(&["%struct #path {} : :struct -> !type"], &[("struct", Kind::Struct)]),
        Meaning::StructGet
    )
    .with(PATH);
    STRUCT_SET = row(
        "struct_set",
        "Writes a field of a struct, at the end of a path of field numbers.",
        "struct.path = value",
        Syntax::Own(
            &["%struct #path , %value {} : :struct , :value"],
            &[("struct", Kind::Struct), ("value", Kind::Other)],
        ),
        Meaning::StructSet
    )
    .with(PATH);
    DECLARE_EVENTID_ARRAY = row(
        "declare_eventid_array",
        "Makes an array of event identifiers.",
        "every element of result is event 0",
        DECLARED,
        Meaning::DeclareArray
    );
    EVENTID_ARRAY_GET = row(
        "eventid_array_get",
        "Reads an event of an array.",
        "result = array[index]",
        Syntax::Own(
            &["%array [ %index ] {} : :array !index"],
            &[("array", Kind::Events), ("index", Kind::Index)],
        ),
        Meaning::ArrayGet
    );
    EVENTID_ARRAY_SET = row(
        "eventid_array_set",
        "Writes an event of an array.",
        "array[index] = value",
        Syntax::Own(
            &["%array [ %index ] , %value {} : :array"],
            &[("array", Kind::Events), ("index", Kind::Index), ("value", Kind::Index)],
        ),
        Meaning::ArraySet
    );
}
