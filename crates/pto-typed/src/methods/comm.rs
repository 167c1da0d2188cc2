//! Between ranks.

use super::{Comparison, Error, Event, Kernel, Target, VecTile, id};
use crate::dtype::DType;
use crate::{Scalar, ScalarOr, Tensor, View};
use pto_isa::element::Element;
use pto_isa::registry::Op;
use pto_lang::build::{Id, word};
use pto_lang::ir::{Attribute, EnumSpelling, NamedAttribute, Scalar as ScalarType, Type};

/// Operation of a notification on its signal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Notify {
    /// Adds the value.
    #[default]
    Add,
    /// Sets the signal to the value.
    Set,
}

/// Operation of a reduction between ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReduceOp {
    /// The sum of the elements.
    Sum,
    /// The greatest element.
    Max,
    /// The least element.
    Min,
}

/// A session of transfers by the DMA engine.
#[derive(Clone, Copy, Debug)]
pub struct AsyncSession(Id);

/// A transfer by the DMA engine.
#[derive(Clone, Copy, Debug)]
pub struct AsyncEvent(Id);

/// A context of prefetches by the DMA engine.
#[derive(Clone, Copy, Debug)]
pub struct PrefetchContext(Id);

fn mode(key: &str, name: &str, value: &str) -> Vec<NamedAttribute> {
    vec![word(key, name, value, EnumSpelling::Spaced)]
}

/// The number of the root as an attribute.
fn root_at(root: u32) -> NamedAttribute {
    let value = Attribute::Integer(root.into(), None);
    NamedAttribute::new("root", value)
}

/// Operands in one role.
fn all<B: Copy>(role: &'static str, list: &[B], id: impl Fn(B) -> Id) -> Vec<(&'static str, Id)> {
    list.iter().map(|one| (role, id(*one))).collect()
}

/// The operands of an instruction among a group: the caller's own, the staging tiles, the tensors of all ranks.
fn among<B: VecTile>(
    own: &[(&'static str, Id)],
    staging: &[B],
    group: &[View<B::DType>],
) -> Vec<(&'static str, Id)> {
    let staging = staging.iter().map(|tile| ("receive", id(*tile)));
    let members = group.iter().map(|member| ("group", member.id));
    own.iter().copied().chain(staging).chain(members).collect()
}

impl<P: Target> Kernel<P> {
    /// Writes local data to the memory of another rank, through one or two staging tiles; with `add` it adds them to
    /// the old contents.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn comm_tput<B: VecTile>(
        &mut self,
        dst: impl Into<View<B::DType>>,
        src: impl Into<View<B::DType>>,
        staging: &[B],
        add: bool,
    ) -> Result<Event, Error> {
        let mut operands = vec![("dst", dst.into().id), ("src", src.into().id)];
        operands.extend(all("buffers", staging, id));
        let value = if add { "atomic_add" } else { "atomic_none" };
        self.start(Op::COMM_TPUT, &operands, mode("atomicType", "atomic_type", value))
    }

    /// Reads data of another rank into local memory, through one or two staging tiles.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn comm_tget<B: VecTile>(
        &mut self,
        dst: impl Into<View<B::DType>>,
        src: impl Into<View<B::DType>>,
        staging: &[B],
    ) -> Result<Event, Error> {
        let mut operands = vec![("dst", dst.into().id), ("src", src.into().id)];
        operands.extend(all("buffers", staging, id));
        self.start(Op::COMM_TGET, &operands, Vec::new())
    }

    fn collective<B: VecTile>(
        &mut self,
        op: Op,
        tensor: impl Into<View<B::DType>>,
        staging: &[B],
        (group, root): (&[View<B::DType>], u32),
    ) -> Result<Event, Error> {
        let operands = among(&[("tensor", tensor.into().id)], staging, group);
        self.start(op, &operands, vec![root_at(root)])
    }

    /// Writes the data of the rank that calls it, the root, to every rank of a group.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn comm_tbroadcast<B: VecTile>(
        &mut self,
        group: &[View<B::DType>],
        src: impl Into<View<B::DType>>,
        staging: &[B],
        root: u32,
    ) -> Result<Event, Error> {
        self.collective(Op::COMM_TBROADCAST, src, staging, (group, root))
    }

    /// Collects the data of every rank of a group below each other in the memory of the root.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn comm_tgather<B: VecTile>(
        &mut self,
        group: &[View<B::DType>],
        dst: impl Into<View<B::DType>>,
        staging: &[B],
        root: u32,
    ) -> Result<Event, Error> {
        self.collective(Op::COMM_TGATHER, dst, staging, (group, root))
    }

    /// Gives every rank of a group its rows of a tensor of the root.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn comm_tscatter<B: VecTile>(
        &mut self,
        group: &[View<B::DType>],
        src: impl Into<View<B::DType>>,
        staging: &[B],
        root: u32,
    ) -> Result<Event, Error> {
        self.collective(Op::COMM_TSCATTER, src, staging, (group, root))
    }

    /// Combines the data of every rank of a group, element by element, in the memory of the root.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn comm_treduce<B: VecTile>(
        &mut self,
        group: &[View<B::DType>],
        dst: impl Into<View<B::DType>>,
        (accumulator, staging): (B, &[B]),
        op: ReduceOp,
        root: u32,
    ) -> Result<Event, Error> {
        let own = [("tensor", dst.into().id), ("accumulator", id(accumulator))];
        let operands = among(&own, staging, group);
        let value = match op {
            ReduceOp::Sum => "sum",
            ReduceOp::Max => "max",
            ReduceOp::Min => "min",
        };
        let mut attributes = mode("reduceOp", "reduce_op", value);
        attributes.push(root_at(root));
        self.start(Op::COMM_TREDUCE, &operands, attributes)
    }

    /// Sets a signal of another rank, or adds to it.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn comm_tnotify(
        &mut self,
        signal: impl Into<View<i32>>,
        value: impl Into<ScalarOr<i32>>,
        operation: Notify,
    ) -> Result<Event, Error> {
        let value = self.scalar_id(value.into())?;
        let word = if operation == Notify::Set { "set" } else { "atomic_add" };
        let operands = [("signal", signal.into().id), ("value", value)];
        self.start(Op::COMM_TNOTIFY, &operands, mode("notifyOp", "notify_op", word))
    }

    /// Waits until all signals of a view compare with a value as wanted.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn comm_twait(
        &mut self,
        signal: impl Into<View<i32>>,
        value: impl Into<ScalarOr<i32>>,
        wanted: Comparison,
    ) -> Result<Event, Error> {
        let value = self.scalar_id(value.into())?;
        let operands = [("signal", signal.into().id), ("value", value)];
        self.start(Op::COMM_TWAIT, &operands, mode("cmp", "wait_cmp", wanted.word()))
    }

    /// Whether all signals of a view compare with a value as wanted: 1 or 0.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn comm_ttest(
        &mut self,
        signal: impl Into<View<i32>>,
        value: impl Into<ScalarOr<i32>>,
        wanted: Comparison,
    ) -> Result<Scalar<i32>, Error> {
        let value = self.scalar_id(value.into())?;
        let operands = [("signal", signal.into().id), ("value", value)];
        self.truth(Op::COMM_TTEST, &operands, mode("cmp", "wait_cmp", wanted.word()))
    }

    /// Makes the session that transfers by the DMA engine belong to.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn comm_build_async_session<T: DType>(
        &mut self,
        scratch: impl VecTile,
        workspace: &Tensor<T>,
    ) -> Result<AsyncSession, Error> {
        let operands = [("scratch", id(scratch)), ("workspace", workspace.pointer)];
        self.handle(Op::COMM_BUILD_ASYNC_SESSION, &operands, "!pto.async_session").map(AsyncSession)
    }

    /// Begins to write local data to the memory of another rank.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn comm_tput_async<T: DType>(
        &mut self,
        dst: impl Into<View<T>>,
        src: impl Into<View<T>>,
        session: AsyncSession,
    ) -> Result<AsyncEvent, Error> {
        let operands = [("dst", dst.into().id), ("src", src.into().id), ("session", session.0)];
        self.handle(Op::COMM_TPUT_ASYNC, &operands, "!pto.async_event").map(AsyncEvent)
    }

    /// Begins to read data of another rank into local memory.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn comm_tget_async<T: DType>(
        &mut self,
        dst: impl Into<View<T>>,
        src: impl Into<View<T>>,
        session: AsyncSession,
    ) -> Result<AsyncEvent, Error> {
        let operands = [("dst", dst.into().id), ("src", src.into().id), ("session", session.0)];
        self.handle(Op::COMM_TGET_ASYNC, &operands, "!pto.async_event").map(AsyncEvent)
    }

    /// Waits for the end of a transfer: 1, or 0 if there is none.
    ///
    /// # Errors
    /// If the handles belong to another kernel.
    pub fn comm_wait_async_event(
        &mut self,
        event: AsyncEvent,
        session: AsyncSession,
    ) -> Result<Scalar<i32>, Error> {
        self.truth(Op::COMM_WAIT_ASYNC_EVENT, &[("event", event.0), ("session", session.0)], Vec::new())
    }

    /// Whether a transfer has been made: 1 or 0.
    ///
    /// # Errors
    /// If the handles belong to another kernel.
    pub fn comm_test_async_event(
        &mut self,
        event: AsyncEvent,
        session: AsyncSession,
    ) -> Result<Scalar<i32>, Error> {
        self.truth(Op::COMM_TEST_ASYNC_EVENT, &[("event", event.0), ("session", session.0)], Vec::new())
    }

    /// Makes the context that prefetches by the DMA engine belong to.
    ///
    /// # Errors
    /// If the tensor belongs to another kernel.
    pub fn make_prefetch_async_context<T: DType>(
        &mut self,
        workspace: &Tensor<T>,
    ) -> Result<PrefetchContext, Error> {
        let operands = [("workspace", workspace.pointer)];
        self.handle(Op::MAKE_PREFETCH_ASYNC_CONTEXT, &operands, "!pto.prefetch_async_context")
            .map(PrefetchContext)
    }

    /// The session of a context of prefetches.
    ///
    /// # Errors
    /// If the context belongs to another kernel.
    pub fn get_prefetch_async_session(&mut self, context: PrefetchContext) -> Result<AsyncSession, Error> {
        let operands = [("context", context.0)];
        self.handle(Op::GET_PREFETCH_ASYNC_SESSION, &operands, "!pto.async_session").map(AsyncSession)
    }

    /// Starts the prefetch of a tensor into the L2 cache.
    ///
    /// # Errors
    /// If a rule of the instruction forbids these operands.
    pub fn tprefetch_async<T: DType>(
        &mut self,
        src: impl Into<View<T>>,
        context: PrefetchContext,
    ) -> Result<AsyncEvent, Error> {
        let operands = [("src", src.into().id), ("context", context.0)];
        self.handle(Op::TPREFETCH_ASYNC, &operands, "!pto.async_event").map(AsyncEvent)
    }

    /// Issues an instruction with operands in roles.
    fn start(
        &mut self,
        op: Op,
        operands: &[(&'static str, Id)],
        attributes: Vec<NamedAttribute>,
    ) -> Result<Event, Error> {
        self.recorder.issue_in_roles(op, operands, attributes)
    }

    /// Appends an operation with a handle of this type as its result.
    fn handle(&mut self, op: Op, operands: &[(&'static str, Id)], ty: &str) -> Result<Id, Error> {
        let ty = self.recorder.intern(Type::Opaque(ty.into()));
        let (_, made) = self.recorder.operation(op, operands, &[("handle", ty)], Vec::new())?;
        Ok(made[0])
    }

    /// Appends an operation with a truth value as its result, returned as a number.
    fn truth(
        &mut self,
        op: Op,
        operands: &[(&'static str, Id)],
        attributes: Vec<NamedAttribute>,
    ) -> Result<Scalar<i32>, Error> {
        let bool = self.recorder.intern(Type::Scalar(ScalarType::Bool));
        let number = self.recorder.intern(Type::Scalar(ScalarType::Number(Element::I32)));
        let (_, made) = self.recorder.operation(op, operands, &[("is", bool)], attributes)?;
        let (_, made) = self.recorder.operation(
            Op::ARITH_EXTUI,
            &[("in", made[0])],
            &[("number", number)],
            Vec::new(),
        )?;
        Ok(Scalar::of(made[0]))
    }
}
