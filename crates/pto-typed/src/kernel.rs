//! A kernel under construction: its arguments, tiles and control flow.

use super::dtype::DType;
use super::event::Event;
use super::launch::Built;
use super::make::Make;
use super::recorder::Recorder;
use super::target::Target;
use super::tile::{AnyTile, TileId, assert_legal, per_element, type_of};
use super::value::{Index, Number, Scalar, ScalarOr, Tensor, View, extents, float_text};
use pto_isa::diag::Diagnostic;
use pto_isa::element::Element;
use pto_isa::registry::Op;
use pto_isa::rules;
use pto_lang::build::{Error, Id};
use pto_lang::ir::{Scalar as ScalarType, Type};
use pto_lang::text::{PrintedSpelling, Style, print};
use std::marker::PhantomData;

/// A core that runs a section of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// The cube core.
    Cube,
    /// Every vector core.
    Vector,
}

/// A kernel under construction for the profile `P`.
///
/// Each method checks an operation and appends it. A violation is an [`Error`] with the rule's name, and leaves the
/// kernel unchanged.
pub struct Kernel<P> {
    pub(super) recorder: Recorder,
    marker: PhantomData<fn() -> P>,
}

impl<P: Target> Kernel<P> {
    /// An empty kernel.
    pub fn new(name: &str) -> Kernel<P> {
        Kernel { recorder: Recorder::new(name, P::PROFILE), marker: PhantomData }
    }

    /// A tile, placed automatically. A valid region that its type leaves open is the whole tile.
    ///
    /// # Errors
    /// If the profile has no such tile.
    pub fn tile<T: AnyTile>(&mut self, name: &str) -> Result<T, Error> {
        self.make(name, Make::default())
    }

    /// A tile with a valid region, an address or a padding value.
    ///
    /// # Errors
    /// If the profile has no such tile, or its type does not leave the valid region open.
    pub fn make<T: AnyTile>(&mut self, name: &str, make: Make) -> Result<T, Error> {
        const { assert_legal::<T>() };
        let ty = type_of::<T>(P::PROFILE, make.pad);
        let mut operands = Vec::new();
        if let Some(address) = make.address {
            let at = ScalarType::Number(Element::I64);
            operands.push(("addr", self.recorder.integer(at, address.into())));
        }
        let open = [ty.valid_rows, ty.valid_cols];
        let (declared, per) = ([ty.rows, ty.cols], per_element::<T>());
        let mut valid = [None; 2];
        for (at, given) in make.valid.into_iter().enumerate() {
            valid[at] = given.map(|given| self.in_elements(given, per[at])).transpose()?;
        }
        for (at, role) in ["valid_row", "valid_col"].into_iter().enumerate() {
            // A fixed extent may be given again; a different one becomes an operand, which violates the type's rule.
            let given = valid[at].filter(|given| match (given.0, open[at]) {
                (Number::Known(known), Some(fixed)) => known != i64::from(fixed),
                _ => true,
            });
            let given = given.or_else(|| open[at].is_none().then(|| Index::from(declared[at])));
            if let Some(given) = given {
                let id = self.index_id(given)?;
                operands.push((role, id));
            }
        }
        let ty = self.recorder.intern(Type::Tile(ty));
        let (_, made) = self.recorder.operation(Op::ALLOC_TILE, &operands, &[(name, ty)], Vec::new())?;
        Ok(T::with(TileId(made[0])))
    }

    /// Binds the address of a tile in its buffer, in bytes, before its first use: TASSIGN.
    ///
    /// # Errors
    /// If the tile is used already, or does not fit its buffer there.
    pub fn assign(&mut self, tile: impl AnyTile, address: u64) -> Result<(), Error> {
        self.recorder.assign(tile.id().0, address)
    }

    /// A scalar argument.
    pub fn scalar<T: DType>(&mut self, name: &str) -> Scalar<T> {
        let id = self.recorder.argument(name, Type::Scalar(ScalarType::Number(T::ELEMENT)));
        Scalar::of(id)
    }

    /// An index argument: a whole number of 64 bits.
    pub fn index(&mut self, name: &str) -> Index {
        Index(Number::Value(self.recorder.argument(name, Type::Scalar(ScalarType::Index))))
    }

    /// A tensor argument in row-major order: the elements along the last extent are contiguous.
    ///
    /// # Errors
    /// If it has no extent or more than five.
    pub fn tensor<T: DType>(&mut self, name: &str, shape: &[Index]) -> Result<Tensor<T>, Error> {
        if !(1..=5).contains(&shape.len()) {
            let message = format!("a tensor has 1 to 5 extents, not {}", shape.len());
            return Err(Error::own(&rules::kernel::TENSOR_EXTENTS, message));
        }
        self.attempt(|kernel| kernel.whole_tensor(name, shape))
    }

    fn whole_tensor<T: DType>(&mut self, name: &str, shape: &[Index]) -> Result<Tensor<T>, Error> {
        let shape = &self.packed::<T>(shape)?[..];
        let element = ScalarType::Number(T::ELEMENT);
        let pointer = self.recorder.argument(name, Type::Pointer { element, space: None });
        let mut strides = vec![Index::from(1); shape.len()];
        for at in (1..shape.len()).rev() {
            strides[at - 1] = self.mul(strides[at], shape[at])?;
        }
        let mut operands = vec![("source", pointer)];
        for (role, list) in [("shape", shape), ("strides", &strides)] {
            for extent in list {
                operands.push((role, self.index_id(*extent)?));
            }
        }
        let ty = Type::TensorView { shape: extents(shape), element: T::ELEMENT };
        let ty = self.recorder.intern(ty);
        let view = format!("{name}_view");
        let (_, made) =
            self.recorder.operation(Op::MAKE_TENSOR_VIEW, &operands, &[(&view, ty)], Vec::new())?;
        let whole = self.partition(made[0], &vec![Index::from(0); shape.len()], shape, T::ELEMENT, name)?;
        Ok(Tensor { pointer, whole, shape: shape.to_vec(), marker: PhantomData })
    }

    /// The part of a tensor that starts at `offsets` and has these extents.
    ///
    /// # Errors
    /// If there are not as many offsets and extents as the tensor has.
    pub fn window<T: DType>(
        &mut self,
        tensor: &Tensor<T>,
        offsets: &[Index],
        sizes: &[Index],
    ) -> Result<View<T>, Error> {
        let rank = tensor.shape.len();
        if offsets.len() != rank || sizes.len() != rank {
            let message =
                format!("{} offsets and {} extents for a tensor of {rank}", offsets.len(), sizes.len());
            return Err(Error::own(&rules::kernel::TENSOR_EXTENTS, message));
        }
        let name = self.recorder.name_of(tensor.pointer).to_owned();
        let (offsets, sizes) = (&self.packed::<T>(offsets)?[..], &self.packed::<T>(sizes)?[..]);
        let id = self.partition(tensor.whole, offsets, sizes, T::ELEMENT, &name)?;
        Ok(View { id, marker: PhantomData })
    }

    fn partition(
        &mut self,
        source: Id,
        offsets: &[Index],
        sizes: &[Index],
        element: Element,
        name: &str,
    ) -> Result<Id, Error> {
        let mut operands = vec![("source", source)];
        for (role, list) in [("offsets", offsets), ("sizes", sizes)] {
            for number in list {
                operands.push((role, self.index_id(*number)?));
            }
        }
        let ty = self.recorder.intern(Type::PartitionView { shape: extents(sizes), element });
        let name = format!("{name}_part");
        let (_, made) = self.recorder.operation(Op::PARTITION_VIEW, &operands, &[(&name, ty)], Vec::new())?;
        Ok(made[0])
    }

    pub(super) fn index_id(&mut self, index: Index) -> Result<Id, Error> {
        match index.0 {
            Number::Known(value) => Ok(self.recorder.integer(ScalarType::Index, value.into())),
            Number::Value(id) => self.recorder.own(id).map(|_| id),
        }
    }

    /// The sum of two numbers.
    ///
    /// # Errors
    /// If one belongs to another kernel.
    pub fn add(&mut self, a: impl Into<Index>, b: impl Into<Index>) -> Result<Index, Error> {
        self.arithmetic(Op::ARITH_ADDI, i64::checked_add, a.into(), b.into())
    }

    /// The product of two numbers.
    ///
    /// # Errors
    /// If one belongs to another kernel.
    pub fn mul(&mut self, a: impl Into<Index>, b: impl Into<Index>) -> Result<Index, Error> {
        self.arithmetic(Op::ARITH_MULI, i64::checked_mul, a.into(), b.into())
    }

    pub(super) fn arithmetic(
        &mut self,
        op: Op,
        now: fn(i64, i64) -> Option<i64>,
        a: Index,
        b: Index,
    ) -> Result<Index, Error> {
        if let (Number::Known(a), Number::Known(b)) = (a.0, b.0)
            && let Some(known) = now(a, b)
        {
            return Ok(Index(Number::Known(known)));
        }
        let operands = [("lhs", self.index_id(a)?), ("rhs", self.index_id(b)?)];
        let ty = self.recorder.intern(Type::Scalar(ScalarType::Index));
        let (_, made) = self.recorder.operation(op, &operands, &[("n", ty)], Vec::new())?;
        Ok(Index(Number::Value(made[0])))
    }

    /// The index of the running block, and the number of blocks.
    ///
    /// # Errors
    /// None that an author causes.
    pub fn block(&mut self) -> Result<(Index, Index), Error> {
        Ok((self.fact(Op::GET_BLOCK_IDX, "block")?, self.fact(Op::GET_BLOCK_NUM, "blocks")?))
    }

    /// The index of the vector core that runs, 0 or 1.
    ///
    /// # Errors
    /// None that an author causes.
    pub fn subblock(&mut self) -> Result<Index, Error> {
        self.fact(Op::GET_SUBBLOCK_IDX, "subblock")
    }

    fn fact(&mut self, op: Op, name: &str) -> Result<Index, Error> {
        let wide = self.recorder.intern(Type::Scalar(ScalarType::Number(Element::I64)));
        let (_, made) = self.recorder.operation(op, &[], &[(name, wide)], Vec::new())?;
        let index = self.recorder.intern(Type::Scalar(ScalarType::Index));
        let cast = ("in", made[0]);
        let (_, made) =
            self.recorder.operation(Op::ARITH_INDEX_CAST, &[cast], &[(name, index)], Vec::new())?;
        Ok(Index(Number::Value(made[0])))
    }

    /// Repeats `body` for each number from `lower` up to `upper`, exclusive, by `step`. The body is recorded once;
    /// its result, such as its last event, is that of the last iteration.
    ///
    /// # Errors
    /// The errors of `body`; loops nested too deep.
    pub fn repeat<R>(
        &mut self,
        [lower, upper, step]: [Index; 3],
        body: impl FnOnce(&mut Self, Index) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let bounds = [
            ("lower", self.index_id(lower)?),
            ("upper", self.index_id(upper)?),
            ("step", self.index_id(step)?),
        ];
        let ty = self.recorder.intern(Type::Scalar(ScalarType::Index));
        self.attempt(|kernel| {
            let variable = kernel.recorder.region_value("i", ty);
            let block = kernel.recorder.open_region(vec![variable.value], &bounds)?;
            let result = body(kernel, Index(Number::Value(variable)))?;
            kernel.recorder.close_region(block, Op::SCF_FOR, &bounds);
            Ok(result)
        })
    }

    /// Runs a function that makes several operations; if it fails, none of them is kept.
    pub(super) fn attempt<R>(
        &mut self,
        make: impl FnOnce(&mut Self) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let before = self.recorder.clone();
        let result = make(self);
        if result.is_err() {
            self.recorder = before;
        }
        result
    }

    /// Runs `body` on one kind of core only. Code outside any section runs on the cube core and vector core 0.
    ///
    /// # Errors
    /// The errors of `body`; sections nested too deep.
    pub fn section<R>(
        &mut self,
        section: Section,
        body: impl FnOnce(&mut Self) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let name = match section {
            Section::Cube => Op::SECTION_CUBE,
            Section::Vector => Op::SECTION_VECTOR,
        };
        self.attempt(|kernel| {
            let block = kernel.recorder.open_region(Vec::new(), &[])?;
            let result = body(kernel)?;
            kernel.recorder.close_region(block, name, &[]);
            Ok(result)
        })
    }

    /// The next instruction starts when these are done.
    ///
    /// # Errors
    /// If an event belongs to another kernel.
    pub fn after(&mut self, events: impl AsRef<[Event]>) -> Result<&mut Self, Error> {
        self.recorder.wait_for(events.as_ref())?;
        Ok(self)
    }

    /// Extensions and lints of the operations recorded so far.
    pub fn warnings(&self) -> &[Diagnostic] {
        self.recorder.warnings()
    }

    /// The kernel as `.pto` text, in the spelling of the public assembler.
    ///
    /// # Errors
    /// If its events cannot be turned into flags.
    pub fn to_text(&self) -> Result<String, Error> {
        let module = self.recorder.finish()?;
        Ok(print(
            &module,
            &Style { spelling: PrintedSpelling::Destination, compact: true, ..Style::default() },
        ))
    }

    /// The kernel, checked and ready to run.
    ///
    /// # Errors
    /// The findings of `pto check` about its text.
    pub fn build(&self) -> Result<Built, Error> {
        Built::new(self.to_text()?, self.recorder.serial(), self.recorder.arguments())
    }

    pub(super) fn scalar_id<T: DType>(&mut self, scalar: ScalarOr<T>) -> Result<Id, Error> {
        match scalar {
            ScalarOr::Argument(scalar) => self.recorder.own(scalar.id).map(|_| scalar.id),
            ScalarOr::Known(value) => Ok(self.known(value)),
        }
    }

    /// A scalar constant.
    fn known<T: DType>(&mut self, value: T) -> Id {
        use pto_lang::ir::Attribute;
        let mut bytes = Vec::new();
        value.put(&mut bytes);
        bytes.resize(8, 0);
        let bits = bytes.iter().rev().fold(0u64, |bits, byte| bits << 8 | u64::from(*byte));
        let scalar = ScalarType::Number(T::ELEMENT);
        if T::ELEMENT.is_float() {
            let (text, label) = float_text(T::ELEMENT, bits);
            return self.recorder.constant(scalar, Attribute::Float(text, None), &label);
        }
        let shift = 64 - T::ELEMENT.bits();
        let signed = T::ELEMENT.is_signed_integer();
        let value = if signed { i128::from((bits << shift) as i64 >> shift) } else { i128::from(bits) };
        self.recorder.integer(scalar, value)
    }
}

impl<P> std::fmt::Debug for Kernel<P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Kernel({})", self.recorder.serial())
    }
}
