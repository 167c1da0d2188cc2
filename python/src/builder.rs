//! The core of `pto.kernel(...)`: a function under construction, whose values are numbers. `pto_tools/_builder.py` is the
//! pleasant side of it.

use crate::errors::{DataError, Stage, raised};
use crate::formats;
use crate::kernel::profile;
use crate::text::Text;
use pto::build::{Begun, Builder, Error, Id};
use pto::ir::{Attribute, EnumSpelling, NamedAttribute, Scalar, Type};
use pto::isa::Op;
use pto::isa::op::attribute::{AttributeKind, AttributeSpec};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// A number of a value.
type Number = usize;

/// An extent: its value if it is constant, and the number of its value.
type Extent = (Option<u64>, Number);

/// A function under construction.
#[pyclass(name = "_Builder", module = "pto_tools._native")]
pub(crate) struct Building {
    builder: Builder,
    text: Arc<Text>,
    values: Vec<Id>,
    /// The open regions, with the function as it was before them.
    open: Vec<(Begun, Builder)>,
}

fn scalar_of(word: &str) -> PyResult<Scalar> {
    Ok(match word {
        "index" => Scalar::Index,
        "i1" | "bool" => Scalar::Bool,
        word => Scalar::Number(formats::parse(word)?),
    })
}

/// The operation with a name, without its dialect or with it.
fn operation(name: &str) -> PyResult<Op> {
    let spelled = [name.to_owned(), format!("pto.{name}")];
    spelled.iter().find_map(|name| Op::find(name).or_else(|| Op::find_spelling(name))).ok_or_else(|| {
        let names = Op::all().map(|op| op.name().strip_prefix("pto.").unwrap_or(op.name()));
        let near = pto::diag::nearest(name, names);
        let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        DataError::new_err(format!("there is no instruction `{name}`{hint}"))
    })
}

impl Building {
    fn wrong(&self, py: Python<'_>, error: &Error) -> PyErr {
        raised(py, Stage::Check, error.findings(), &self.text)
    }

    fn add(&mut self, id: Id) -> Number {
        self.values.push(id);
        self.values.len() - 1
    }

    fn id(&self, number: Number) -> PyResult<Id> {
        self.values.get(number).copied().ok_or_else(|| DataError::new_err("no value of this kernel"))
    }

    fn ids(&self, numbers: &[Number]) -> PyResult<Vec<Id>> {
        numbers.iter().map(|number| self.id(*number)).collect()
    }

    /// Appends an operation with one result.
    fn append(
        &mut self,
        py: Python<'_>,
        op: Op,
        operands: &[(&'static str, Id)],
        result: (&str, Type),
        attributes: Vec<NamedAttribute>,
    ) -> PyResult<Number> {
        let ty = self.builder.intern(result.1);
        let made = self.builder.operation(op, operands, &[(result.0, ty)], attributes);
        let (_, made) = made.map_err(|error| self.wrong(py, &error))?;
        Ok(self.add(made[0]))
    }

    /// Operands in roles, each a list of values.
    fn operands(
        &self,
        source: Number,
        lists: [(&'static str, &[Number]); 2],
    ) -> PyResult<Vec<(&'static str, Id)>> {
        let mut operands = vec![("source", self.id(source)?)];
        for (role, numbers) in lists {
            operands.extend(self.ids(numbers)?.into_iter().map(|id| (role, id)));
        }
        Ok(operands)
    }

    fn begin(
        &mut self,
        py: Python<'_>,
        op: Op,
        operands: &[(&'static str, Id)],
        variable: Option<&str>,
    ) -> PyResult<Option<Number>> {
        let before = self.builder.clone();
        let index = self.builder.intern(Type::Scalar(Scalar::Index));
        let arguments: Vec<_> = variable.into_iter().map(|name| (name, index)).collect();
        let begun = self.builder.begin(op, operands, &arguments);
        let (begun, made) = begun.map_err(|error| self.wrong(py, &error))?;
        self.open.push((begun, before));
        Ok(made.first().map(|id| self.add(*id)))
    }
}

#[pymethods]
impl Building {
    #[new]
    fn new(name: &str, target: Option<&str>) -> PyResult<Building> {
        let builder = Builder::new(name, profile(target)?.unwrap_or_default());
        let text = Arc::new(Text { name: name.to_owned(), text: String::new() });
        Ok(Building { builder, text, values: Vec::new(), open: Vec::new() })
    }

    /// An argument that is a buffer.
    fn pointer(&mut self, name: &str, element: &str) -> PyResult<Number> {
        let element = Scalar::Number(formats::parse(element)?);
        let id = self.builder.argument(name, Type::Pointer { element, space: None });
        Ok(self.add(id))
    }

    /// An argument that is a scalar.
    fn scalar(&mut self, name: &str, word: &str) -> PyResult<Number> {
        let id = self.builder.argument(name, Type::Scalar(scalar_of(word)?));
        Ok(self.add(id))
    }

    /// An integer constant.
    fn integer(&mut self, word: &str, value: i128) -> PyResult<Number> {
        let id = self.builder.integer(scalar_of(word)?, value);
        Ok(self.add(id))
    }

    /// A constant that is a float, given as text.
    fn float(&mut self, py: Python<'_>, word: &str, text: String) -> PyResult<Number> {
        let ty = Type::Scalar(scalar_of(word)?);
        let id = self.builder.intern(ty.clone());
        let value = NamedAttribute::new("value", Attribute::Float(text, Some(id)));
        self.append(py, Op::ARITH_CONSTANT, &[], ("c", ty), vec![value])
    }

    /// An operation on two scalars, such as `arith.addi`, or a conversion of one.
    fn arithmetic(
        &mut self,
        py: Python<'_>,
        op: &str,
        operands: Vec<Number>,
        word: &str,
    ) -> PyResult<Number> {
        let ids = self.ids(&operands)?;
        let roles: &[&'static str] = if ids.len() == 1 { &["in"] } else { &["lhs", "rhs"] };
        let operands: Vec<_> = roles.iter().copied().zip(ids).collect();
        self.append(py, operation(op)?, &operands, ("n", Type::Scalar(scalar_of(word)?)), Vec::new())
    }

    /// A number that the launch knows, such as `get_block_idx`, as i64.
    fn fact(&mut self, py: Python<'_>, op: &str, name: &str) -> PyResult<Number> {
        self.append(py, operation(op)?, &[], (name, Type::Scalar(scalar_of("i64")?)), Vec::new())
    }

    /// A view of a buffer.
    fn view(
        &mut self,
        py: Python<'_>,
        name: &str,
        pointer: Number,
        shape: Vec<Extent>,
        strides: Vec<Number>,
        element: &str,
    ) -> PyResult<Number> {
        let (extents, shape): (Vec<_>, Vec<Number>) = shape.into_iter().unzip();
        let operands = self.operands(pointer, [("shape", &shape), ("strides", &strides)])?;
        let ty = Type::TensorView { shape: extents, element: formats::parse(element)? };
        self.append(py, Op::MAKE_TENSOR_VIEW, &operands, (name, ty), Vec::new())
    }

    /// A part of a view.
    fn part(
        &mut self,
        py: Python<'_>,
        name: &str,
        view: Number,
        offsets: Vec<Number>,
        sizes: Vec<Extent>,
        element: &str,
    ) -> PyResult<Number> {
        let (extents, sizes): (Vec<_>, Vec<Number>) = sizes.into_iter().unzip();
        let operands = self.operands(view, [("offsets", &offsets), ("sizes", &sizes)])?;
        let ty = Type::PartitionView { shape: extents, element: formats::parse(element)? };
        self.append(py, Op::PARTITION_VIEW, &operands, (name, ty), Vec::new())
    }

    /// A tile; returns its number, and the word of its element type. Valid rows and columns that are no constants are open in
    /// its type.
    fn tile(
        &mut self,
        py: Python<'_>,
        name: &str,
        ty: &str,
        valid: Option<(Extent, Extent)>,
        address: Option<Number>,
    ) -> PyResult<(Number, String)> {
        let text = Arc::new(Text { name: "<type>".to_owned(), text: ty.to_owned() });
        let (mut tile, _) =
            pto::text::parse_tile_type(ty).map_err(|findings| raised(py, Stage::Check, &findings, &text))?;
        let mut operands = Vec::new();
        if let Some(number) = address {
            operands.push(("addr", self.id(number)?));
        }
        if let Some((rows, cols)) = valid {
            let regions =
                [("valid_row", rows, &mut tile.valid_rows), ("valid_col", cols, &mut tile.valid_cols)];
            for (role, (constant, number), known) in regions {
                match constant.filter(|_| known.is_some()) {
                    Some(constant) => *known = Some(u32::try_from(constant).unwrap_or(u32::MAX)),
                    None => {
                        *known = None;
                        operands.push((role, self.id(number)?));
                    }
                }
            }
        }
        let element = pto::data::dtype::word(tile.element).to_owned();
        let made = self.append(py, Op::ALLOC_TILE, &operands, (name, Type::Tile(tile)), Vec::new())?;
        Ok((made, element))
    }

    /// A tile instruction.
    fn instruction(
        &mut self,
        py: Python<'_>,
        name: &str,
        ins: Vec<Number>,
        outs: Vec<Number>,
        attributes: &Bound<'_, PyDict>,
    ) -> PyResult<()> {
        let op = operation(name)?;
        let mut written = Vec::new();
        for (key, value) in attributes {
            written.push(attribute(op, &key.extract::<String>()?, &value)?);
        }
        let (ins, outs) = (self.ids(&ins)?, self.ids(&outs)?);
        let made = self.builder.instruction(op, &ins, &outs, written);
        made.map(|_| ()).map_err(|error| self.wrong(py, &error))
    }

    /// An operation that has no result and is no tile instruction, such as `set_flag`, with operands by role.
    #[pyo3(signature = (name, operands, **attributes))]
    fn operation(
        &mut self,
        py: Python<'_>,
        name: &str,
        operands: Vec<(String, Number)>,
        attributes: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let op = operation(name)?;
        let written = attributes.into_iter().flatten();
        let written = written.map(|(key, value)| attribute(op, &key.extract::<String>()?, &value));
        let written = written.collect::<PyResult<Vec<_>>>()?;
        let roles = op.page().syntax.kinds();
        let mut given = Vec::new();
        for (role, number) in operands {
            let known = roles.iter().find(|(known, _)| *known == role);
            let known = known.ok_or_else(|| DataError::new_err(format!("`{op}` has no operand `{role}`")))?;
            given.push((known.0, self.id(number)?));
        }
        let made = self.builder.operation(op, &given, &[], written);
        made.map(|_| ()).map_err(|error| self.wrong(py, &error))
    }

    /// Begins a loop; returns its variable.
    fn begin_loop(
        &mut self,
        py: Python<'_>,
        name: &str,
        bounds: (Number, Number, Number),
    ) -> PyResult<Option<Number>> {
        let (lower, upper, step) = bounds;
        let operands = [("lower", self.id(lower)?), ("upper", self.id(upper)?), ("step", self.id(step)?)];
        self.begin(py, Op::SCF_FOR, &operands, Some(name))
    }

    /// Begins code for one kind of core.
    fn begin_section(&mut self, py: Python<'_>, cube: bool) -> PyResult<()> {
        let op = if cube { Op::SECTION_CUBE } else { Op::SECTION_VECTOR };
        self.begin(py, op, &[], None).map(|_| ())
    }

    /// Ends the innermost loop or section.
    fn end(&mut self, py: Python<'_>) -> PyResult<()> {
        let (begun, _) = self.open.pop().ok_or_else(|| DataError::new_err("no loop or section is open"))?;
        self.builder.end(begun).map_err(|error| self.wrong(py, &error))
    }

    /// Removes the innermost loop or section with all that is in it.
    fn abandon(&mut self) {
        if let Some((_, before)) = self.open.pop() {
            self.builder = before;
        }
    }

    /// The function as text.
    fn text(&self) -> PyResult<String> {
        if !self.open.is_empty() {
            return Err(DataError::new_err("a loop or a section is open"));
        }
        let style = pto::text::Style { compact: true, ..Default::default() };
        Ok(pto::text::print(&self.builder.finish(), &style))
    }
}

/// An attribute of an operation, of the kind that its page says.
fn attribute(op: Op, key: &str, value: &Bound<'_, PyAny>) -> PyResult<NamedAttribute> {
    let specs = op.page().attributes;
    let is_it = |spec: &&AttributeSpec| spec.name == key || spec.aliases.contains(&key);
    let spec = specs.iter().find(is_it).ok_or_else(|| {
        let known: Vec<_> = specs.iter().map(|spec| spec.name).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        DataError::new_err(format!("`{op}` has no attribute `{key}`; it has {known}"))
    })?;
    let shown = || value.repr().map(|text| text.to_string()).unwrap_or_default();
    let wrong = || DataError::new_err(format!("{key}={} of `{op}`: it is {}", shown(), spec.kind.describe()));
    let value = written(spec.kind, value).ok_or_else(wrong)?;
    Ok(NamedAttribute::new(key, value))
}

/// A constant of a kind; `None` if the value does not fit.
fn written(kind: AttributeKind, value: &Bound<'_, PyAny>) -> Option<Attribute> {
    let text = || value.extract::<String>().ok();
    Some(match kind {
        AttributeKind::Words(name, words) => {
            let word = text()?;
            let known = words.iter().find(|known| known.eq_ignore_ascii_case(&word))?;
            let (name, value) = (name.to_owned(), (*known).to_owned());
            Attribute::Enum { name, value, spelling: EnumSpelling::Spaced }
        }
        AttributeKind::Strings(words) => {
            let word = text()?;
            Attribute::String((*words.iter().find(|known| known.eq_ignore_ascii_case(&word))?).to_owned())
        }
        AttributeKind::Fields(name, _) => {
            Attribute::Enum { name: name.to_owned(), value: text()?, spelling: EnumSpelling::Dotted }
        }
        AttributeKind::Bool => Attribute::Bool(value.extract().ok()?),
        AttributeKind::String => Attribute::String(text()?),
        AttributeKind::Symbol => Attribute::Symbol(text()?),
        AttributeKind::Integers => {
            let list: Vec<i64> = value.extract().ok()?;
            Attribute::Array(list.into_iter().map(|one| Attribute::Integer(one.into(), None)).collect())
        }
        AttributeKind::Unit => value.extract::<bool>().ok().filter(|is| *is).map(|_| Attribute::Unit)?,
        AttributeKind::Integer => Attribute::Integer(value.extract::<i64>().ok()?.into(), None),
        AttributeKind::Number | AttributeKind::Constant => match value.extract::<i64>() {
            Ok(number) => Attribute::Integer(number.into(), None),
            Err(_) => Attribute::Float(format!("{:?}", value.extract::<f64>().ok()?), None),
        },
    })
}
