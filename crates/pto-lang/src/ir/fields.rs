//! Structs as flat lists of scalars: nested structs are expanded in place.

use super::{Scalar, Type, TypeId, TypeTable};
use pto_isa::element::Element;

/// The contents of a type as a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    /// A number of scalars.
    Scalars(u32),
    /// Not allowed as a field, because of this type.
    Not(TypeId),
}

/// The contents of each type of a module as a struct field. Each type is counted once, even if several structs
/// nest it.
#[derive(Debug, Default)]
pub struct Fields(Vec<Content>);

/// Whether a scalar type is allowed in a field: C++ must have a name for it.
fn storable(scalar: Scalar) -> bool {
    use Element::{Bf16, F16, F32, I8, I16, I32, I64, U8, U16, U32, U64};
    let named = [I8, U8, I16, U16, I32, U32, I64, U64, F16, Bf16, F32];
    matches!(scalar, Scalar::Number(element) if named.contains(&element))
}

impl Fields {
    /// Counts the scalars of all types of a module.
    pub fn of(types: &TypeTable) -> Fields {
        let mut fields = Fields::default();
        for (id, ty) in types.iter() {
            let content = match ty {
                Type::Scalar(scalar) if storable(*scalar) => Content::Scalars(1),
                Type::Struct(list) if !list.is_empty() => fields.sum(list),
                _ => Content::Not(id),
            };
            fields.0.push(content);
        }
        fields
    }

    fn sum(&self, list: &[TypeId]) -> Content {
        let mut sum = 0u32;
        for field in list {
            match self.fits(*field) {
                Ok(count) => sum = sum.saturating_add(count),
                Err(part) => return Content::Not(part),
            }
        }
        Content::Scalars(sum)
    }

    /// The number of scalars of a struct.
    pub fn scalars(&self, ty: TypeId) -> Option<u32> {
        self.fits(ty).ok()
    }

    /// The number of scalars of a type, or the type that is not allowed as a field. A field's type precedes the
    /// struct's type in the table.
    pub(crate) fn fits(&self, ty: TypeId) -> Result<u32, TypeId> {
        match self.0.get(ty.index()) {
            Some(Content::Scalars(count)) => Ok(*count),
            Some(Content::Not(field)) => Err(*field),
            None => Err(ty),
        }
    }

    /// Finds the scalar at the end of a path of field indices: the number of scalars before it, and its type.
    ///
    /// # Errors
    /// A sentence about the first wrong index in the path.
    pub fn find(&self, types: &TypeTable, ty: TypeId, path: &[i128]) -> Result<(u32, TypeId), String> {
        let (mut before, mut at) = (0u32, ty);
        for (depth, &number) in path.iter().enumerate() {
            let Type::Struct(list) = &types[at] else {
                return Err(format!("the path continues after a scalar, with {number} at depth {depth}"));
            };
            let Some(field) = usize::try_from(number).ok().filter(|field| *field < list.len()) else {
                return Err(format!(
                    "field {number} of a struct of {}, at place {depth} of the path",
                    list.len()
                ));
            };
            let skipped = list[..field].iter().map(|field| self.scalars(*field).unwrap_or(0));
            before = skipped.fold(before, u32::saturating_add);
            at = list[field];
        }
        match &types[at] {
            Type::Scalar(_) => Ok((before, at)),
            _ => Err("the path ends at a struct, not at a scalar: name a field of it too".into()),
        }
    }
}
