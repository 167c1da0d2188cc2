//! The running loop.

use super::super::code::{Extent, FunctionCode, Step, TilePlace};
use super::super::scalar::{compare_floats, float_binary, mask, sign_extend};
use super::{Core, Frame, Machine};
use crate::diag::Diagnostic;
use crate::isa::memory::ADDRESS_ALIGNMENT;
use crate::isa::op::state::{Fault, Live, Slot, State, View};
use crate::isa::profile::Profile;

/// Why a step could not be run, before it is known where.
pub(super) enum Stop {
    Fault(Fault),
    Rule(&'static str, String),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Fault(fault)
    }
}

fn rule<T>(name: &'static str, message: String) -> Result<T, Stop> {
    Err(Stop::Rule(name, message))
}

impl Machine<'_> {
    /// Runs the entry function on a core.
    pub(super) fn run(&mut self, core: &mut Core) -> Result<(), Vec<Diagnostic>> {
        let mut at = 0usize;
        let mut left = self.options.max_steps;
        loop {
            let Some(&frame) = core.frames.last() else { return Ok(()) };
            let code = &self.program.functions[frame.function];
            match self.run_frame(core, frame, code, &mut at, &mut left) {
                Ok(()) => {}
                Err(stop) => return Err(self.stopped(core, frame, at, stop)),
            }
        }
    }

    /// Runs steps until a call or a return changes the frame.
    fn run_frame(
        &mut self,
        core: &mut Core,
        frame: Frame,
        code: &FunctionCode,
        at: &mut usize,
        left: &mut u64,
    ) -> Result<(), Stop> {
        loop {
            if *left == 0 {
                let message =
                    format!("no end after {} steps: is there an endless loop?", self.options.max_steps);
                return rule("max-steps", message);
            }
            *left -= 1;
            self.outcome.steps += 1;
            let scalars = &mut core.scalars[frame.scalars..];
            match &code.steps[*at] {
                Step::Constant { to, bits } => scalars[*to as usize] = *bits,
                Step::Copy { to, from } => scalars[*to as usize] = scalars[*from as usize],
                Step::Binary { op, bits, to, a, b } => {
                    match op.apply(*bits, scalars[*a as usize], scalars[*b as usize]) {
                        Some(result) => scalars[*to as usize] = result,
                        None => return rule("division-by-zero", "the divisor is zero".into()),
                    }
                }
                Step::Compare { op, bits, to, a, b } => {
                    scalars[*to as usize] =
                        u64::from(op.apply(*bits, scalars[*a as usize], scalars[*b as usize]));
                }
                Step::Cast { cast, to, from } => scalars[*to as usize] = cast.apply(scalars[*from as usize]),
                Step::Jump(target) => {
                    *at = *target as usize;
                    continue;
                }
                Step::Unless { condition, target } => {
                    if scalars[*condition as usize] == 0 {
                        *at = *target as usize;
                        continue;
                    }
                }
                Step::JumpIfEqual { slot, value, target } => {
                    if scalars[*slot as usize] == *value {
                        *at = *target as usize;
                        continue;
                    }
                }
                Step::LoopTest { at: index, upper, bits, exit } => {
                    let (index, upper) = (scalars[*index as usize], scalars[*upper as usize]);
                    if sign_extend(index, *bits) >= sign_extend(upper, *bits) {
                        *at = *exit as usize;
                        continue;
                    }
                }
                Step::LoopNext { at: index, step, bits, head } => {
                    let before = sign_extend(scalars[*index as usize], *bits);
                    let next = before.wrapping_add(sign_extend(scalars[*step as usize], *bits));
                    // A loop that would count past the largest number ends.
                    if sign_extend(next as u64 & mask(*bits), *bits) > before {
                        scalars[*index as usize] = next as u64 & mask(*bits);
                        *at = *head as usize;
                        continue;
                    }
                    *at = *head as usize;
                    match &code.steps[*at] {
                        Step::LoopTest { exit, .. } => *at = *exit as usize,
                        _ => *at += 1,
                    }
                    continue;
                }
                Step::PositiveIncrement { step, bits } => {
                    let step = sign_extend(scalars[*step as usize], *bits);
                    if step <= 0 {
                        return rule("loop-step", format!("the step of a loop is positive, not {step}"));
                    }
                }
                Step::Tile(index) => self.tile(core, frame, code, *index as usize)?,
                Step::Call { function, first } => {
                    let caller = *at as u32 + 1;
                    return self.call(core, frame, *function as usize, *first, caller, at);
                }
                Step::Return { first } => {
                    self.leave(core, frame, code, *first, at);
                    return Ok(());
                }
                Step::Nothing => {}
                Step::VectorBegin => {
                    core.vector_core = 0;
                    core.vector_cores = 2;
                }
                Step::VectorEnd { head } => {
                    if core.vector_core == 0 {
                        core.vector_core = 1;
                        *at = *head as usize;
                        continue;
                    }
                    core.vector_core = 0;
                    core.vector_cores = 1;
                }
                other => self.rare(core, frame, code, other)?,
            }
            *at += 1;
        }
    }

    fn call(
        &mut self,
        core: &mut Core,
        frame: Frame,
        function: usize,
        list: u32,
        resume: u32,
        at: &mut usize,
    ) -> Result<(), Stop> {
        if !core.push_frame(self.program, function, resume, list) {
            return rule("call-depth", "calls are nested more than 256 deep".into());
        }
        let callee = core.frames[core.frames.len() - 1];
        let caller_code = &self.program.functions[frame.function];
        let code = &self.program.functions[function];
        for (index, to) in code.arguments.iter().enumerate() {
            copy(core, callee, *to, frame, caller_code.lists[list as usize + 1 + index]);
        }
        *at = 0;
        Ok(())
    }

    /// Ends a function: copies its results to the caller's slots.
    fn leave(&mut self, core: &mut Core, frame: Frame, code: &FunctionCode, first: u32, at: &mut usize) {
        if let [.., caller, _] = core.frames.as_slice() {
            let caller = *caller;
            let lists = &self.program.functions[caller.function].lists;
            let skip = |at: u32| match lists[at as usize] {
                Slot::Scalar(count) => at + 1 + count,
                _ => at,
            };
            let results = skip(frame.list);
            let count = match lists[results as usize] {
                Slot::Scalar(count) => count,
                _ => 0,
            };
            for index in 0..count {
                let to = lists[(results + 1 + index) as usize];
                if let Some(from) = code.lists.get((first + 1 + index) as usize) {
                    copy(core, caller, to, frame, *from);
                }
            }
        }
        core.pop_frame();
        *at = frame.resume as usize;
    }

    fn tile(&mut self, core: &mut Core, frame: Frame, code: &FunctionCode, index: usize) -> Result<(), Stop> {
        let step = &code.tiles[index];
        if self.reach.is_some() {
            return self.measure_tile(core, frame, code, index);
        }
        let tiles = &core.tiles[frame.tiles..];
        let seen = &core.seen[frame.function][step.seen as usize..];
        // A formula says what it computes, not what it needs: its rules are checked each time.
        let changed = self.options.by_formula
            || step.watched.iter().zip(seen).any(|(slot, seen)| tiles[*slot as usize] != *seen);
        if changed {
            self.check_now(core, frame, code, index)?;
            let tiles = &core.tiles[frame.tiles..];
            let seen = &mut core.seen[frame.function][step.seen as usize..];
            for (slot, seen) in step.watched.iter().zip(seen) {
                *seen = tiles[*slot as usize];
            }
        }
        self.outcome.instructions += 1;
        if frame.function == 0 {
            self.outcome.executed[step.operation.index()] += 1;
        }
        self.execute(core, frame, code, index)?;
        if !self.options.dumps.is_empty() || self.options.trace.is_some() {
            self.after(core, frame, code, index);
        }
        Ok(())
    }

    fn execute(
        &mut self,
        core: &mut Core,
        frame: Frame,
        code: &FunctionCode,
        index: usize,
    ) -> Result<(), Stop> {
        let step = &code.tiles[index];
        let map = &self.program.map;
        let mut state = State {
            memory: &mut core.memory,
            tiles: &mut core.tiles[frame.tiles..],
            views: &core.views[frame.views..],
            scalars: &mut core.scalars[frame.scalars..],
            global: &mut self.global,
            vector_offset: core.vector_core as usize * map.vector_stride,
            vector_stride: map.vector_stride,
            scratch: &mut core.scratch,
            spare: map.spare.0..map.spare.1,
            printed: &mut self.outcome.printed,
            lint: None,
        };
        if self.options.by_formula {
            return super::report::by_formula(self.program, code, index, &mut state).map_err(Stop::Fault);
        }
        let done = step.execute.execute(&mut state);
        if let Some(lint) = state.lint.take() {
            self.note_lint(code, index, lint);
        }
        done.map_err(Stop::Fault)
    }

    /// In a measuring launch only the scalar unit runs.
    fn measure_tile(
        &mut self,
        core: &mut Core,
        frame: Frame,
        code: &FunctionCode,
        index: usize,
    ) -> Result<(), Stop> {
        let operation = super::report::operation_of(self.program, code, index);
        let scalar_memory = match operation.name.as_str() {
            "pto.load_scalar" | "pto.store_scalar" => Some(()),
            _ => None,
        };
        if scalar_memory.is_none() {
            let scalar_only = matches!(operation.name.as_str(), "pto.set_validshape" | "pto.get_validshape");
            return if scalar_only { self.execute(core, frame, code, index) } else { Ok(()) };
        }
        let step = &code.tiles[index];
        let role = |role: &str| {
            let at = operation.operands.iter().position(|operand| operand.role == role)?;
            match step.slots[at] {
                Slot::Scalar(slot) => Some(core.scalars[frame.scalars + slot as usize]),
                _ => None,
            }
        };
        let (pointer, offset) = (role("pointer").unwrap_or(0), role("offset").unwrap_or(0));
        let function = &self.program.module.functions[code.id.unwrap_or(self.program.entry())];
        let ty = operation.operand("pointer").map(|operand| function.values[operand.value].ty);
        let bytes = match ty.map(|ty| &self.program.module.types[ty]) {
            Some(crate::ir::Type::Pointer { element, .. }) => u64::from(element.element().bits()).div_ceil(8),
            _ => 1,
        };
        let end = pointer.wrapping_add(offset.wrapping_add(1).wrapping_mul(bytes));
        self.note_reach(pointer, end.wrapping_sub(1));
        match self.execute(core, frame, code, index) {
            // What is not there yet reads as zero.
            Err(Stop::Fault(Fault::OutOfBounds(_))) => {
                if let Some(Slot::Scalar(slot)) = step.slots.get(operation.operands.len()) {
                    core.scalars[frame.scalars + *slot as usize] = 0;
                }
                Ok(())
            }
            other => other,
        }
    }

    /// Notes that the byte at `address` is reached through a pointer into some buffer.
    fn note_reach(&mut self, pointer: u64, address: u64) {
        let (Some((buffer, _)), Some((same, offset))) =
            (self.global.locate(pointer), self.global.locate(address))
        else {
            return;
        };
        if buffer == same
            && let Some(reach) = self.reach.as_mut()
        {
            reach[buffer] = reach[buffer].max(offset + 1);
        }
    }

    /// Remembers the extents of the first view that covers a buffer whole.
    fn note_shape(&mut self, view: &View, bits: u32) {
        let Some((buffer, 0)) = self.global.locate(view.address) else { return };
        if self.shapes[buffer].is_some() {
            return;
        }
        let shape = &view.shape[..usize::from(view.rank)];
        let count = shape.iter().try_fold(1u64, |product, extent| product.checked_mul(*extent));
        let bytes = count.and_then(|count| count.checked_mul(u64::from(bits))).map(|bits| bits.div_ceil(8));
        if bytes == Some(self.global.buffer(buffer).bytes.len() as u64) {
            self.shapes[buffer] = Some(shape.to_vec());
        }
    }

    /// Steps that are not in the innermost loops of kernels.
    fn rare(&mut self, core: &mut Core, frame: Frame, code: &FunctionCode, step: &Step) -> Result<(), Stop> {
        let scalar = |core: &Core, slot: u32| core.scalars[frame.scalars + slot as usize];
        match step {
            Step::CopyTile { to, from } => copy(core, frame, Slot::Tile(*to), frame, Slot::Tile(*from)),
            Step::CopyView { to, from } => copy(core, frame, Slot::View(*to), frame, Slot::View(*from)),
            Step::CopyArray { to, from } => copy(core, frame, Slot::Array(*to), frame, Slot::Array(*from)),
            Step::FloatBinary { op, element, to, a, b } => {
                let result = float_binary(*op, *element, scalar(core, *a), scalar(core, *b));
                core.scalars[frame.scalars + *to as usize] = result;
            }
            Step::FloatNegate { element, to, from } => {
                let sign = 1u64 << (element.bits() - 1);
                core.scalars[frame.scalars + *to as usize] = scalar(core, *from) ^ sign;
            }
            Step::CompareFloat { predicate, element, to, a, b } => {
                let (a, b) = (element.decode(scalar(core, *a)), element.decode(scalar(core, *b)));
                let result = compare_floats(predicate, a, b).unwrap_or(false);
                core.scalars[frame.scalars + *to as usize] = u64::from(result);
            }
            Step::Alloc { to, place, rows, cols, limit } => {
                let live = self.alloc(core, frame, *place, [*rows, *cols], *limit)?;
                core.tiles[frame.tiles + *to as usize] = live;
            }
            Step::MakeView { to, pointer, first, rank, bits } => {
                let view = self.make_view(core, frame, code, *pointer, (*first, *rank), *bits)?;
                core.views[frame.views + *to as usize] = view;
            }
            Step::Partition { to, from, first, rank, bits } => {
                let view = self.partition(core, frame, code, *from, (*first, *rank), *bits)?;
                core.views[frame.views + *to as usize] = view;
            }
            Step::AddPointer { to, pointer, offset, bytes } => {
                let moved = i128::from(scalar(core, *offset) as i64) * i128::from(*bytes);
                core.scalars[frame.scalars + *to as usize] = self.global.moved(scalar(core, *pointer), moved);
            }
            Step::ViewDim { to, view, index, stride } => {
                let view = &core.views[frame.views + *view as usize];
                let index = scalar(core, *index);
                if index >= u64::from(view.rank) {
                    return rule(
                        "view-dim",
                        format!("dimension {index} of a view of {} dimensions", view.rank),
                    );
                }
                let value =
                    if *stride { view.strides[index as usize] as u64 } else { view.shape[index as usize] };
                core.scalars[frame.scalars + *to as usize] = value;
            }
            Step::Launch { to, what } => {
                core.scalars[frame.scalars + *to as usize] = self.launch_fact(core, *what);
            }
            Step::NewArray { to, length } => {
                let array = &mut core.arrays[frame.arrays + *to as usize];
                array.clear();
                array.resize(*length as usize, 0);
            }
            Step::ArrayGet { to, array, first, shape, rank } => {
                let at = array_index(core, frame, code, *first, *shape, *rank)?;
                let value = core.arrays[frame.arrays + *array as usize].get(at).copied().unwrap_or(0);
                core.scalars[frame.scalars + *to as usize] = value;
            }
            Step::ArraySet { array, value, first, shape, rank } => {
                let at = array_index(core, frame, code, *first, *shape, *rank)?;
                let value = scalar(core, *value);
                if let Some(place) = core.arrays[frame.arrays + *array as usize].get_mut(at) {
                    *place = value;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn alloc(
        &self,
        core: &Core,
        frame: Frame,
        place: TilePlace,
        extents: [Extent; 2],
        limit: (u32, u32),
    ) -> Result<Live, Stop> {
        let address = match place {
            TilePlace::Fixed(address) => address,
            TilePlace::Slot { slot, base, capacity, bytes } => {
                let at = core.scalars[frame.scalars + slot as usize];
                if at.saturating_add(bytes) > capacity {
                    let message =
                        format!("a tile of {bytes} bytes at {at} ends beyond its buffer of {capacity} bytes");
                    return rule("alloc_tile::capacity", message);
                }
                if !at.is_multiple_of(ADDRESS_ALIGNMENT) && self.program.profile != Profile::Cpu {
                    let message = format!("address {at} is no multiple of {ADDRESS_ALIGNMENT}");
                    return rule("alloc_tile::address", message);
                }
                base + at as usize
            }
        };
        let valid = |extent: Extent, limit: u32, what: &str| match extent {
            Extent::Fixed(value) => Ok(value),
            Extent::Slot(slot) => {
                let value = core.scalars[frame.scalars + slot as usize] as i64;
                match u32::try_from(value).ok().filter(|value| *value <= limit) {
                    Some(value) => Ok(value),
                    None => rule(
                        "alloc_tile::valid-region",
                        format!("{value} valid {what}, but {limit} are declared"),
                    ),
                }
            }
        };
        let rows = valid(extents[0], limit.0, "rows")?;
        let cols = valid(extents[1], limit.1, "columns")?;
        Ok(Live { address, rows, cols })
    }

    fn make_view(
        &mut self,
        core: &Core,
        frame: Frame,
        code: &FunctionCode,
        pointer: u32,
        (first, rank): (u32, u8),
        bits: u32,
    ) -> Result<View, Stop> {
        let mut view =
            View { address: core.scalars[frame.scalars + pointer as usize], rank, ..View::default() };
        let value = |at: u32| match code.lists[at as usize] {
            Slot::Scalar(slot) => core.scalars[frame.scalars + slot as usize] as i64,
            _ => 0,
        };
        let mut reach = 0u64;
        for at in 0..u32::from(rank) {
            let (extent, stride) = (value(first + 1 + at), value(first + 1 + u32::from(rank) + at));
            if extent < 0 || stride < 0 {
                let message =
                    format!("extent {extent} and stride {stride} of dimension {at}: neither may be negative");
                return rule("make_tensor_view::extent", message);
            }
            (view.shape[at as usize], view.strides[at as usize]) = (extent as u64, stride);
            if extent == 0 {
                reach = u64::MAX;
            }
            reach = reach.saturating_add((extent.max(1) as u64 - 1).saturating_mul(stride as u64));
        }
        if self.reach.is_some() && reach != u64::MAX {
            let bytes = reach.saturating_add(1).saturating_mul(u64::from(bits)).div_ceil(8);
            self.note_reach(view.address, view.address.saturating_add(bytes.saturating_sub(1)));
        }
        self.note_shape(&view, bits);
        Ok(view)
    }

    fn partition(
        &self,
        core: &Core,
        frame: Frame,
        code: &FunctionCode,
        from: u32,
        (first, rank): (u32, u8),
        bits: u32,
    ) -> Result<View, Stop> {
        let mut view = core.views[frame.views + from as usize];
        if view.rank != rank {
            let message = format!("a view of {} dimensions is cut with {rank} offsets", view.rank);
            return rule("partition_view::rank", message);
        }
        let value = |at: u32| match code.lists[at as usize] {
            Slot::Scalar(slot) => core.scalars[frame.scalars + slot as usize] as i64,
            _ => 0,
        };
        let mut elements = 0i64;
        for at in 0..u32::from(rank) {
            let (offset, size) = (value(first + 1 + at), value(first + 1 + u32::from(rank) + at));
            if offset < 0 || size < 0 {
                let message =
                    format!("offset {offset} and size {size} of dimension {at}: neither may be negative");
                return rule("partition_view::extent", message);
            }
            view.shape[at as usize] = size as u64;
            elements = elements.saturating_add(offset.saturating_mul(view.strides[at as usize]));
        }
        view.address = self.global.moved(view.address, i128::from(elements) * i128::from(bits) / 8);
        Ok(view)
    }
}

fn array_index(
    core: &Core,
    frame: Frame,
    code: &FunctionCode,
    first: u32,
    shape: u32,
    rank: u8,
) -> Result<usize, Stop> {
    let mut at = 0usize;
    for dimension in 0..u32::from(rank) {
        let extent = code.shapes[(shape + dimension) as usize];
        let index = match code.lists[(first + 1 + dimension) as usize] {
            Slot::Scalar(slot) => core.scalars[frame.scalars + slot as usize],
            _ => 0,
        };
        if index >= extent {
            let message = format!("index {} of a dimension of {extent}", index as i64);
            return rule("local-array", message);
        }
        at = at * extent as usize + index as usize;
    }
    Ok(at)
}

/// Copies a value between two frames.
fn copy(core: &mut Core, to_frame: Frame, to: Slot, from_frame: Frame, from: Slot) {
    match (to, from) {
        (Slot::Scalar(to), Slot::Scalar(from)) => {
            core.scalars[to_frame.scalars + to as usize] = core.scalars[from_frame.scalars + from as usize];
        }
        (Slot::Tile(to), Slot::Tile(from)) => {
            core.tiles[to_frame.tiles + to as usize] = core.tiles[from_frame.tiles + from as usize];
        }
        (Slot::View(to), Slot::View(from)) => {
            core.views[to_frame.views + to as usize] = core.views[from_frame.views + from as usize];
        }
        (Slot::Array(to), Slot::Array(from)) => {
            let array = core.arrays[from_frame.arrays + from as usize].clone();
            core.arrays[to_frame.arrays + to as usize] = array;
        }
        _ => {}
    }
}
