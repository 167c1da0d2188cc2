//! The arguments of an entry function.

use pto_isa::element::Element;
use pto_lang::analysis::ParameterKind;
use pto_lang::ir::{Function, FunctionId, Module, Scalar, Type};

/// The kind of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// A buffer in global memory with elements of this type.
    Buffer(Element),
    /// A scalar of this type.
    Scalar(Scalar),
    /// A fact of the launch that the machine fills in.
    Launch,
}

/// One argument of an entry function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Name without `%`.
    pub name: String,
    /// Kind of the argument.
    pub kind: ArgumentKind,
    /// Number of elements of a buffer, if its type states it.
    pub elements: Option<u64>,
}

/// The arguments of an entry function, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The function's name.
    pub entry: String,
    /// Arguments of the function.
    pub arguments: Vec<Argument>,
}

impl Signature {
    /// The signature of a function.
    ///
    /// # Errors
    /// A sentence that names the first argument whose type a caller cannot provide.
    pub fn of(module: &Module, function: FunctionId) -> Result<Signature, String> {
        let function: &Function = &module.functions[function];
        let mut arguments = Vec::new();
        for argument in &function.arguments {
            let value = &function.values[argument.value];
            let ty = &module.types[value.ty];
            let kind = match ParameterKind::of(module, function, argument.value) {
                ParameterKind::Launch(_) => ArgumentKind::Launch,
                ParameterKind::Scalar(scalar) => ArgumentKind::Scalar(scalar),
                ParameterKind::Buffer(element) => ArgumentKind::Buffer(element),
                ParameterKind::Other => {
                    return Err(format!(
                        "argument `%{}` of `@{}` cannot be given from outside",
                        value.name, function.name
                    ));
                }
            };
            let elements = match ty {
                Type::MemRef { shape, .. } => {
                    shape.iter().try_fold(1u64, |product, extent| product.checked_mul((*extent)?))
                }
                _ => None,
            };
            arguments.push(Argument { name: value.name.clone(), kind, elements });
        }
        Ok(Signature { entry: function.name.clone(), arguments })
    }
}
