//! The core of `pto.live(...)`: a launch of one core that is driven instruction by instruction. `pto_tools/_live.py` is the pleasant side
//! of it.

use crate::arrays::{Array, Wanted};
use crate::errors::{DataError, Stage, raised};
use crate::findings::Diagnostic;
use crate::formats;
use crate::kernel::profile;
use crate::options::watchers;
use crate::text::Text;
use pto::diag;
use pto::isa::{Buffer, TileType};
use pto::launch::live::{Argument, Called, Core, Finished, Live, Part, Tile};
use pto::observe::{Watch, WatchOptions, Watchers};
use pto::sim::Options;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex};

/// A launch of one core. It is over when its findings are asked for.
#[pyclass(name = "_Live", module = "pto_tools._native")]
pub(crate) struct Driven {
    // Python may see it from several threads, of which one calls at a time.
    live: Option<Mutex<(Live<Watch>, Core)>>,
    parts: Vec<Part>,
    source: Arc<Text>,
}

/// A tile type from its text, with or without brackets.
fn tile_type(text: &str) -> PyResult<TileType> {
    let wrong = |found: Vec<diag::Diagnostic>| {
        let message = found.first().map_or("no tile type", |one| one.message.as_str());
        DataError::new_err(format!("`{text}`: {message}"))
    };
    Ok(pto::text::parse_tile_type(text).map_err(wrong)?.0)
}

impl Driven {
    fn open(&mut self) -> PyResult<&mut (Live<Watch>, Core)> {
        let open = self.live.as_mut().and_then(|live| live.get_mut().ok());
        open.ok_or_else(|| DataError::new_err("the launch is over: its findings were asked for"))
    }

    /// What a step returns, or the exception for its findings.
    fn step<T>(
        &mut self,
        py: Python<'_>,
        stage: Stage,
        step: impl FnOnce(&mut Live<Watch>, Core) -> Result<T, Vec<diag::Diagnostic>>,
    ) -> PyResult<T> {
        let (live, core) = self.open()?;
        step(live, *core).map_err(|found| {
            let source = Text { name: "<live>".into(), text: live.source().to_owned() };
            raised(py, stage, &found, &Arc::new(source))
        })
    }
}

#[pymethods]
impl Driven {
    #[new]
    fn new(py: Python<'_>, target: Option<&str>, watch: Option<&Bound<'_, PyAny>>) -> PyResult<Driven> {
        let profile = profile(target)?.unwrap_or_default();
        let watch = watch.map(watchers).transpose()?.unwrap_or(Watchers::NONE);
        let watch = Watch::live(profile, &WatchOptions::from(watch), &Options::default());
        let mut live = Live::new(profile, Options::default(), watch);
        let source = Arc::new(Text { name: "<live>".into(), text: String::new() });
        let begun = live.begin_launch(0, 1).and_then(|()| live.begin_block(0));
        let core = begun.map_err(|found| raised(py, Stage::Run, &found, &source))?[0];
        Ok(Driven { live: Some(Mutex::new((live, core))), parts: Vec::new(), source })
    }

    /// Adds an array as a buffer, in place: its address, its element type and its extents.
    fn buffer(
        &mut self,
        py: Python<'_>,
        name: &str,
        array: &Bound<'_, PyAny>,
    ) -> PyResult<(u64, &'static str, Vec<u64>)> {
        let element = formats::element_of(name, array)?;
        let array = Array::of(array, Wanted { name, element, shape: "", written: true, is_open: false })?;
        let (storage, shape) = (array.lent(), array.shape.clone());
        let address = self.step(py, Stage::Run, |live, _| live.buffer(name, storage, true))?;
        Ok((address, pto::isa::element::element_word(element), shape))
    }

    /// Adds a part: a function whose arguments are tiles, pointers and scalars.
    fn define(&mut self, py: Python<'_>, text: &str) -> PyResult<usize> {
        let part = self.step(py, Stage::Check, |live, _| live.define(text))?;
        self.parts.push(part);
        Ok(self.parts.len() - 1)
    }

    /// Calls a part. An argument is its kind (`t`, `p`, `s`) and its bits or address, for a tile with valid rows and columns and its
    /// number. Returns what it printed.
    fn call(
        &mut self,
        py: Python<'_>,
        part: usize,
        arguments: Vec<(char, u64, u32, u32, u32)>,
    ) -> PyResult<Vec<String>> {
        let part = *self.parts.get(part).ok_or_else(|| DataError::new_err("no part of this launch"))?;
        let arguments: Vec<Argument> = arguments
            .into_iter()
            .map(|(kind, bits, rows, cols, serial)| match kind {
                't' => Argument::Tile(Tile { address: bits, rows, cols, serial }),
                'p' => Argument::Pointer(bits),
                _ => Argument::Scalar(bits),
            })
            .collect();
        match self.step(py, Stage::Run, |live, core| live.call(core, part, &arguments))? {
            Called::Done | Called::Polled => Ok(self.open()?.0.printed()),
            Called::Waits(what) => {
                Err(DataError::new_err(format!("the only core waits for {what}, for ever")))
            }
        }
    }

    /// The spelling of a tile type in programs, and its declared rows and columns.
    #[staticmethod]
    fn tile_type(text: &str) -> PyResult<(String, u32, u32)> {
        let ty = tile_type(text)?;
        Ok((ty.text(true), ty.rows, ty.cols))
    }

    /// A place for a tile without an address.
    fn place(&mut self, py: Python<'_>, ty: &str) -> PyResult<u64> {
        let ty = tile_type(ty)?;
        self.step(py, Stage::Run, |live, core| live.place(core, ty.buffer(), ty.bytes()))
    }

    /// The valid region of a tile now, as an array.
    fn contents(
        &mut self,
        py: Python<'_>,
        ty: &str,
        address: u64,
        rows: u32,
        cols: u32,
    ) -> PyResult<Py<PyAny>> {
        let ty = tile_type(ty)?;
        let buffer: Buffer = ty.buffer();
        let bytes = self.step(py, Stage::Run, |live, core| {
            live.on_chip(core, buffer, address, ty.bytes() as u64).map(|bytes| bytes.to_vec())
        })?;
        let layout = ty.layout();
        let size = ty.element.bytes(1);
        let mut values = Vec::with_capacity(size * rows as usize * cols as usize);
        for (row, col) in (0..rows as usize).flat_map(|row| (0..cols as usize).map(move |col| (row, col))) {
            let at = layout.offset(row, col) * size;
            values.extend(bytes.get(at..at + size).unwrap_or(&[]));
        }
        let wanted = Wanted { name: "tile", element: ty.element, shape: "", written: false, is_open: false };
        let array = Array::zeros(&formats::of(py, ty.element)?, &[rows.into(), cols.into()], wanted)?;
        array.fill(&values);
        Ok(array.given.unbind())
    }

    /// Ends the launch: what the watchers found.
    fn finish(&mut self, py: Python<'_>) -> PyResult<Vec<Diagnostic>> {
        self.step(py, Stage::Run, |live, core| live.end_core(core).and_then(|()| live.end_launch(0)))?;
        let Some(Ok((live, _))) = self.live.take().map(Mutex::into_inner) else { return Ok(Vec::new()) };
        self.source = Arc::new(Text { name: "<live>".into(), text: live.source().to_owned() });
        let Finished { outcome, observer, .. } = live.finish();
        Ok(Diagnostic::all(&observer.into_watched().after(&outcome), &self.source))
    }
}
