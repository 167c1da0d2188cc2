//! Prints types and attributes.

use super::Printer;
use super::aliases::AliasNames;
use crate::ir::{Attribute, EnumSpelling, NamedAttribute, Type, TypeId, TypeTable};
use crate::text::conv_body;
use pto_isa::element::element_word;

/// A type in its keyed spelling, for messages and the default canonical text.
pub(crate) fn type_text(types: &TypeTable, ty: TypeId) -> String {
    let mut out = String::new();
    write_type(types, ty, false, &AliasNames::new(), &mut out);
    out
}

fn write_shape(shape: &[Option<u64>], out: &mut String) {
    for extent in shape {
        match extent {
            Some(extent) => out.push_str(&format!("{extent}x")),
            None => out.push_str("?x"),
        }
    }
}

pub(super) fn write_type(
    types: &TypeTable,
    ty: TypeId,
    compact: bool,
    aliases: &AliasNames,
    out: &mut String,
) {
    if let Some(name) = aliases.get(&ty) {
        out.push('!');
        out.push_str(name);
        return;
    }
    let start = out.len();
    write_plain(types, ty, compact, aliases, out);
    if types.is_signed(ty)
        && let Some(element) = types[ty].element()
    {
        write_signed(element_word(element), start, out);
    }
}

/// Inserts `s` before the element word of a type that begins at byte `start` of `out`.
fn write_signed(word: &str, start: usize, out: &mut String) {
    let begins = |at: usize| at == start || matches!(out.as_bytes()[at - 1], b'x' | b'=' | b'<');
    let ends = |at: usize| out.as_bytes().get(at + word.len()).is_none_or(|c| !c.is_ascii_alphanumeric());
    let places = out[start..].match_indices(word).map(|(at, _)| start + at);
    if let Some(at) = places.into_iter().find(|at| begins(*at) && ends(*at)) {
        out.insert(at, 's');
    }
}

/// Writes a type without the sign of its elements.
fn write_plain(types: &TypeTable, ty: TypeId, compact: bool, aliases: &AliasNames, out: &mut String) {
    match &types[ty] {
        Type::Scalar(scalar) => out.push_str(scalar.word()),
        Type::Pointer { element, space } => {
            out.push_str(&format!("!pto.ptr<{}", element.word()));
            if let Some(space) = space {
                out.push_str(&format!(", {space}"));
            }
            out.push('>');
        }
        Type::TensorView { shape, element } => {
            out.push_str("!pto.tensor_view<");
            write_shape(shape, out);
            out.push_str(&format!("{}>", element_word(*element)));
        }
        Type::PartitionView { shape, element } => {
            out.push_str("!pto.partition_tensor_view<");
            write_shape(shape, out);
            out.push_str(&format!("{}>", element_word(*element)));
        }
        Type::Tile(tile) => {
            out.push_str(&tile.text(compact));
        }
        Type::ConvTile(tile) => out.push_str(&format!("!pto.conv_tile<{}>", conv_body::write(tile))),
        Type::MultiTile { tile, count } => {
            let body = if compact { tile.compact_body() } else { tile.text(false) };
            out.push_str(&format!("!pto.multi_tile_buf<{body}, count={count}>"));
        }
        Type::MemRef { shape, element, strides, space } => {
            out.push_str("memref<");
            write_shape(shape, out);
            out.push_str(element_word(*element));
            if let Some(strides) = strides {
                out.push_str(&format!(", {strides}"));
            }
            if let Some(space) = space {
                out.push_str(&format!(", #pto.address_space<{space}>"));
            }
            out.push('>');
        }
        Type::LocalArray { shape, element } => {
            out.push_str("!pto.local_array<");
            for extent in shape {
                out.push_str(&format!("{extent}x"));
            }
            out.push_str(&format!("{}>", element.word()));
        }
        Type::Struct(fields) => {
            out.push_str("!pto.struct<");
            write_list(types, fields, compact, aliases, out);
            out.push('>');
        }
        Type::Function { inputs, results } => {
            out.push('(');
            write_list(types, inputs, compact, aliases, out);
            out.push_str(") -> ");
            match results.as_slice() {
                [single] => write_type(types, *single, compact, aliases, out),
                several => {
                    out.push('(');
                    write_list(types, several, compact, aliases, out);
                    out.push(')');
                }
            }
        }
        Type::Opaque(text) => out.push_str(text),
    }
}

fn write_list(types: &TypeTable, list: &[TypeId], compact: bool, aliases: &AliasNames, out: &mut String) {
    for (index, ty) in list.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        write_type(types, *ty, compact, aliases, out);
    }
}

/// A symbol, or a path of symbols, quoted unless it is a plain name; quoted text stays unchanged.
pub(super) fn symbol(path: &str) -> String {
    let plain = |name: &str| {
        !name.is_empty()
            && name.chars().all(|it| it.is_ascii_alphanumeric() || matches!(it, '_' | '$' | '.' | '-'))
    };
    let one = |name: &str| if plain(name) { format!("@{name}") } else { format!("@\"{name}\"") };
    path.split("::@").map(one).collect::<Vec<_>>().join("::")
}

/// A string in quotes, escaped.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            control if control.is_ascii_control() => out.push_str(&format!("\\{:02X}", control as u32)),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

impl Printer<'_> {
    pub(super) fn ty(&mut self, ty: TypeId) {
        self.used.push(ty);
        write_type(&self.module.types, ty, self.style.compact, &self.aliases, &mut self.out);
    }

    /// Prints `(T, T)`.
    pub(super) fn type_list(&mut self, types: &[TypeId]) {
        self.out.push('(');
        self.used.extend(types);
        write_list(&self.module.types, types, self.style.compact, &self.aliases, &mut self.out);
        self.out.push(')');
    }

    /// Prints `{key = value, key}`.
    pub(super) fn dictionary(&mut self, attributes: &[NamedAttribute]) {
        self.out.push('{');
        for (index, attribute) in attributes.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            if attribute.quoted {
                self.out.push_str(&quoted(&attribute.name));
            } else {
                self.out.push_str(&attribute.name);
            }
            if attribute.value != Attribute::Unit {
                self.out.push_str(" = ");
                self.attribute(&attribute.value);
            }
        }
        self.out.push('}');
    }

    fn is_float(&self, ty: TypeId) -> bool {
        matches!(self.module.types[ty], Type::Scalar(scalar) if !scalar.is_integer())
    }

    pub(super) fn attribute(&mut self, attribute: &Attribute) {
        match attribute {
            Attribute::Unit => self.out.push_str("unit"),
            Attribute::Bool(value) => self.out.push_str(if *value { "true" } else { "false" }),
            // The parser accepts the bits of a float only in hexadecimal.
            Attribute::Integer(value, Some(ty)) if self.is_float(*ty) => {
                let sign = if *value < 0 { "-" } else { "" };
                self.out.push_str(&format!("{sign}0x{:X}", value.unsigned_abs()));
                self.attribute_type(Some(*ty));
            }
            Attribute::Integer(value, ty) => {
                self.out.push_str(&value.to_string());
                self.attribute_type(*ty);
            }
            Attribute::Float(text, ty) => {
                self.out.push_str(text);
                self.attribute_type(*ty);
            }
            Attribute::String(text) => self.out.push_str(&quoted(text)),
            Attribute::Symbol(name) => self.out.push_str(&symbol(name)),
            Attribute::Enum { name, value, spelling } => match spelling {
                EnumSpelling::Dotted => self.out.push_str(&format!("#pto.{name}<{value}>")),
                EnumSpelling::Spaced => self.out.push_str(&format!("#pto<{name} {value}>")),
                EnumSpelling::Elided => self.out.push_str(&format!("<{value}>")),
                EnumSpelling::Bare => self.out.push_str(value),
            },
            Attribute::Array(list) => {
                self.out.push('[');
                for (index, attribute) in list.iter().enumerate() {
                    if index > 0 {
                        self.out.push_str(", ");
                    }
                    self.attribute(attribute);
                }
                self.out.push(']');
            }
            Attribute::Dictionary(attributes) => self.dictionary(attributes),
            Attribute::Type(ty) => self.ty(*ty),
            Attribute::Opaque(text) => self.out.push_str(text),
        }
    }

    fn attribute_type(&mut self, ty: Option<TypeId>) {
        if let Some(ty) = ty {
            self.out.push_str(" : ");
            self.ty(ty);
        }
    }
}
