//! Five-dimensional tensors in global memory, as operands of transfers between ranks.

#[cfg(feature = "run")]
use {
    crate::element::Element,
    crate::exec::state::{Fault, Prepare, State, View},
    crate::op::memory::window::{Dimensions, Window},
    crate::types::MAX_RANK,
    pto_kernels::Placement,
};

/// A tensor operand.
#[derive(Clone, Debug)]
#[cfg(feature = "run")]
pub(super) struct TensorSlot {
    slot: usize,
    element: Element,
    name: String,
}

#[cfg(feature = "run")]
impl TensorSlot {
    /// The operands in a role.
    pub(super) fn all(prepare: &Prepare<'_>, role: &str) -> Vec<TensorSlot> {
        let found = prepare.views(role);
        found
            .into_iter()
            .map(|(slot, element, name)| TensorSlot { slot, element, name: name.to_owned() })
            .collect()
    }

    /// The operand in a role.
    ///
    /// # Errors
    /// If there is none.
    pub(super) fn of(prepare: &Prepare<'_>, role: &str) -> Result<TensorSlot, String> {
        TensorSlot::all(prepare, role).pop().ok_or_else(|| format!("operand `{role}` is not a view"))
    }

    /// The tensor with its current address, shape and strides.
    ///
    /// # Errors
    /// If it is outside its buffer.
    pub(super) fn open(&self, state: &State<'_>) -> Result<Tensor, Fault> {
        let view: View = state.views[self.slot];
        let window = Window::rows(&view);
        let (buffer, start) = window.locate(state.global, self.element, &self.name)?;
        let Dimensions { shape, strides } = window.dimensions();
        let shape = shape.map(|extent| extent as usize);
        let strides = strides.map(|stride| stride as usize);
        Ok(Tensor { shape, strides, buffer, start: start as usize, element: self.element })
    }
}

/// A tensor at run time. Dimension 3 counts rows, dimension 4 columns.
#[derive(Clone, Debug)]
#[cfg(feature = "run")]
pub(super) struct Tensor {
    /// Extents.
    pub(super) shape: [usize; MAX_RANK],
    strides: [usize; MAX_RANK],
    /// The index of its buffer in global memory.
    pub(super) buffer: usize,
    start: usize,
    pub(super) element: Element,
}

#[cfg(feature = "run")]
impl Tensor {
    /// Whether its elements are contiguous.
    pub(super) fn is_flat(&self) -> bool {
        let mut next = 1;
        for (extent, stride) in self.shape.iter().zip(self.strides).rev() {
            if *extent > 1 && stride != next {
                return false;
            }
            next *= extent;
        }
        true
    }

    /// The number of elements.
    pub(super) fn count(&self) -> usize {
        self.shape.iter().product()
    }

    /// The placement of the matrix that starts at index `outer` of the first three dimensions, `row` and `col`.
    pub(super) fn placement(&self, outer: [usize; 3], row: usize, col: usize) -> Placement {
        let index = [outer[0], outer[1], outer[2], row, col];
        let at: usize = index.iter().zip(self.strides).map(|(index, stride)| index * stride).sum();
        Placement::strided(self.start + self.element.bytes(at), self.strides[3], self.strides[4])
    }

    /// Reads an element of the matrix at a placement.
    pub(super) fn get(&self, state: &mut State<'_>, at: &Placement, row: usize, col: usize) -> u64 {
        state.global.reading(self.buffer).get(at.offset, at.index(row, col), self.element)
    }

    /// Writes an element of the matrix at a placement.
    pub(super) fn set(&self, state: &mut State<'_>, at: &Placement, row: usize, col: usize, bits: u64) {
        state.global.writing(self.buffer).set(at.offset, at.index(row, col), self.element, bits);
    }

    /// The indices of all elements, in order: outer dimensions, row, column.
    pub(super) fn each(&self) -> impl Iterator<Item = ([usize; 3], usize, usize)> + use<> {
        let [s0, s1, s2, s3, s4] = self.shape;
        (0..self.count()).map(move |at| {
            let (rest, col) = (at / s4, at % s4);
            let (rest, row) = (rest / s3, rest % s3);
            debug_assert!(rest < s0 * s1 * s2);
            ([rest / s2 / s1, rest / s2 % s1, rest % s2], row, col)
        })
    }
}
