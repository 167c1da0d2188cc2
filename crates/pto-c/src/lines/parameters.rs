//! Names and types of the parameters of functions, from DWARF.
//!
//! The description of a function that was compiled out of line may refer to an abstract one (`DW_AT_abstract_origin`),
//! which holds the common description of all its copies. Optimizers drop parameters from copies, so the description at
//! the end of these references counts, with its parameters in their order. Other units are not searched: such references
//! occur with link-time optimization only.
//!
//! Types are chains of qualifiers, names and pointers. The number formats that C++ lacks are classes of our headers, which their names
//! identify; all other numbers are base types with an encoding and a size.

use super::module::Bytes;
use gimli::{AttributeValue, DwAt, DwAte, DwTag, UnitOffset, UnitRef, constants};
use pto_num::Element;

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Name of the parameter; empty if it has none.
    pub name: String,
    /// Type of the parameter.
    pub ty: ParameterType,
}

/// The type of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterType {
    /// A pointer.
    Pointer {
        /// The numbers to which it points; `None` for `void` and all other types.
        element: Option<Number>,
        /// Whether the numbers are `const`.
        is_const: bool,
    },
    /// A number.
    Scalar(Number),
    /// Any other type, by name.
    Other(String),
}

/// A format of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// A format that tiles may hold.
    Element(Element),
    /// `double`.
    F64,
    /// `bool`.
    Bool,
}

/// Maximum length of a chain of references: broken files may contain cycles.
const LONGEST: usize = 64;

/// Formats that are classes of our headers, or built-in types of newer compilers.
const CLASSES: [(&str, Element); 11] = [
    ("half", Element::F16),
    ("_Float16", Element::F16),
    ("bfloat16_t", Element::Bf16),
    ("__bf16", Element::Bf16),
    ("hifloat8_t", Element::HiF8),
    ("float8_e4m3_t", Element::E4M3),
    ("float8_e5m2_t", Element::E5M2),
    ("float8_e8m0_t", Element::E8M0),
    ("float4_e2m1x2_t", Element::E2M1x2),
    ("float4_e1m2x2_t", Element::E1M2x2),
    ("int4b_t", Element::I4x2),
];

type Unit<'u> = UnitRef<'u, Bytes>;
type Offset = UnitOffset<usize>;
type Entry = gimli::DebuggingInformationEntry<Bytes>;

/// The parameters of the function that an entry describes.
pub(super) fn of_function(unit: Unit<'_>, function: Offset) -> gimli::Result<Vec<Parameter>> {
    let origin = origin(unit, function)?;
    let mut tree = unit.entries_tree(Some(origin))?;
    let mut children = tree.root()?.children();
    let mut parameters = Vec::new();
    while let Some(child) = children.next()? {
        let entry = child.entry();
        let is_hidden = entry.has_attr(constants::DW_AT_artificial);
        if entry.tag() == constants::DW_TAG_formal_parameter && !is_hidden {
            let described = unit.entry(self::origin(unit, entry.offset())?)?;
            let ty = ty(unit, reference(&described, constants::DW_AT_type))?;
            parameters.push(Parameter { name: name(unit, &described)?.unwrap_or_default(), ty });
        }
    }
    Ok(parameters)
}

/// The entry at the end of references to abstract entries.
fn origin(unit: Unit<'_>, mut at: Offset) -> gimli::Result<Offset> {
    for _ in 0..LONGEST {
        let Some(next) = reference(&unit.entry(at)?, constants::DW_AT_abstract_origin) else { break };
        at = next;
    }
    Ok(at)
}

/// Part of a type before its numbers.
#[derive(Clone, Copy, Default)]
struct Seen {
    is_pointer: bool,
    is_const: bool,
}

/// The type at an offset; without one it is `void`.
fn ty(unit: Unit<'_>, mut at: Option<Offset>) -> gimli::Result<ParameterType> {
    let mut seen = Seen::default();
    for _ in 0..LONGEST {
        let Some(offset) = at else {
            return Ok(pointer(seen, None).unwrap_or(ParameterType::Other("void".into())));
        };
        let entry = unit.entry(offset)?;
        let name = name(unit, &entry)?;
        if let Some((_, element)) = CLASSES.iter().find(|(class, _)| name.as_deref() == Some(*class)) {
            return Ok(of_number(seen, Number::Element(*element)));
        }
        match entry.tag() {
            constants::DW_TAG_const_type => seen.is_const = true,
            constants::DW_TAG_typedef | constants::DW_TAG_volatile_type | constants::DW_TAG_restrict_type => {
            }
            constants::DW_TAG_pointer_type if !seen.is_pointer => {
                seen = Seen { is_pointer: true, is_const: false }
            }
            constants::DW_TAG_base_type => {
                let number = base(&entry);
                let other = ParameterType::Other(name.unwrap_or_default());
                return Ok(number
                    .map(|number| of_number(seen, number))
                    .or(pointer(seen, None))
                    .unwrap_or(other));
            }
            tag => {
                return Ok(pointer(seen, None)
                    .unwrap_or_else(|| ParameterType::Other(name.unwrap_or_else(|| kind(tag)))));
            }
        }
        at = reference(&entry, constants::DW_AT_type);
    }
    Ok(ParameterType::Other("?".into()))
}

fn pointer(seen: Seen, element: Option<Number>) -> Option<ParameterType> {
    seen.is_pointer.then_some(ParameterType::Pointer { element, is_const: seen.is_const })
}

fn of_number(seen: Seen, number: Number) -> ParameterType {
    pointer(seen, Some(number)).unwrap_or(ParameterType::Scalar(number))
}

/// The format of a base type.
fn base(entry: &Entry) -> Option<Number> {
    let size = entry.attr_value(constants::DW_AT_byte_size)?.udata_value()?;
    let AttributeValue::Encoding(encoding) = entry.attr_value(constants::DW_AT_encoding)? else {
        return None;
    };
    const SIGNED: [DwAte; 2] = [constants::DW_ATE_signed, constants::DW_ATE_signed_char];
    const UNSIGNED: [DwAte; 3] =
        [constants::DW_ATE_unsigned, constants::DW_ATE_unsigned_char, constants::DW_ATE_UTF];
    let element = match size {
        1 if encoding == constants::DW_ATE_boolean => return Some(Number::Bool),
        8 if encoding == constants::DW_ATE_float => return Some(Number::F64),
        4 if encoding == constants::DW_ATE_float => Element::F32,
        1 if SIGNED.contains(&encoding) => Element::I8,
        2 if SIGNED.contains(&encoding) => Element::I16,
        4 if SIGNED.contains(&encoding) => Element::I32,
        8 if SIGNED.contains(&encoding) => Element::I64,
        1 if UNSIGNED.contains(&encoding) => Element::U8,
        2 if UNSIGNED.contains(&encoding) => Element::U16,
        4 if UNSIGNED.contains(&encoding) => Element::U32,
        8 if UNSIGNED.contains(&encoding) => Element::U64,
        _ => return None,
    };
    Some(Number::Element(element))
}

/// A word for a type without a name.
fn kind(tag: DwTag) -> String {
    match tag {
        constants::DW_TAG_reference_type | constants::DW_TAG_rvalue_reference_type => "reference".into(),
        constants::DW_TAG_pointer_type => "pointer".into(),
        _ => "?".into(),
    }
}

/// An entry of the same unit to which an attribute refers.
fn reference(entry: &Entry, attribute: DwAt) -> Option<Offset> {
    match entry.attr_value(attribute)? {
        AttributeValue::UnitRef(offset) => Some(offset),
        _ => None,
    }
}

fn name(unit: Unit<'_>, entry: &Entry) -> gimli::Result<Option<String>> {
    use gimli::Reader;
    let Some(value) = entry.attr_value(constants::DW_AT_name) else { return Ok(None) };
    Ok(Some(unit.attr_string(value)?.to_string_lossy()?.into_owned()))
}
