//! Writes dumps.

use super::scalar::written;
use super::{CONTENTS, MANIFEST, Role, Stage, dtype_name};
use pto::data::{Array, DataError, Dtype, shape_text};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A dump that is being written. Contents and records are written as they come.
pub struct Writer {
    folder: PathBuf,
    contents: BufWriter<File>,
    manifest: BufWriter<File>,
    offset: u64,
    counts: BTreeMap<&'static str, u64>,
    names: BTreeMap<usize, String>,
}

/// A task of a dump that is being written.
#[derive(Clone, Copy, Debug)]
pub struct Written {
    /// Number of the task.
    pub task: u64,
    /// Number of the function that the task runs.
    pub function: usize,
    /// Number of blocks.
    pub blocks: u32,
}

impl Writer {
    /// Begins a dump in `folder`/args_dump.
    ///
    /// # Errors
    /// Files that cannot be written.
    pub fn create(folder: &Path) -> Result<Writer, DataError> {
        let inner = folder.join("args_dump");
        let open = |name: &str| File::create(inner.join(name)).map(BufWriter::new);
        let writer = || {
            std::fs::create_dir_all(&inner)?;
            let (contents, mut manifest) = (open(CONTENTS)?, open(MANIFEST)?);
            let format = json!({"type": "logical_contiguous", "byte_order": "little_endian"});
            write!(
                manifest,
                "{{\n  \"run_dir\": \"args_dump\",\n  \"bin_format\": {format},\n  \"bin_file\": \"{CONTENTS}\",\n  \"args\": ["
            )?;
            Ok((contents, manifest))
        };
        let (contents, manifest) = writer().map_err(|error| failed(folder, &error))?;
        let folder = folder.to_path_buf();
        Ok(Writer { folder, contents, manifest, offset: 0, counts: BTreeMap::new(), names: BTreeMap::new() })
    }

    /// Names the kernel of a function.
    pub fn name(&mut self, function: usize, name: &str) {
        self.names.entry(function).or_insert_with(|| name.to_owned());
    }

    /// Writes a tensor.
    ///
    /// # Errors
    /// An element type that dumps do not have; files that cannot be written.
    pub fn tensor(
        &mut self,
        task: Written,
        arg_index: usize,
        role: Role,
        stage: Stage,
        array: &Array,
    ) -> Result<(), DataError> {
        let dtype = dtype_name(array.element()).ok_or_else(|| {
            let word = pto::data::dtype::word(array.element());
            DataError::new(format!("a dump cannot hold {} of {word}", shape_text(array.shape())))
        })?;
        let mut strides = vec![1usize; array.shape().len()];
        for at in (1..strides.len()).rev() {
            strides[at - 1] = strides[at] * array.shape()[at];
        }
        let size = array.bytes().len() as u64;
        let geometry = json!({
            "kind": "tensor", "dtype": dtype, "shape": array.shape(), "strides": strides, "start_offset": 0,
            "is_contiguous": true, "numel": array.items(), "bin_offset": self.offset, "bin_size": size,
        });
        self.contents.write_all(array.bytes()).map_err(|error| failed(&self.folder, &error))?;
        self.offset += size;
        self.record(task, arg_index, role, stage, geometry)
    }

    /// Writes a scalar.
    ///
    /// # Errors
    /// Files that cannot be written.
    pub fn scalar(
        &mut self,
        task: Written,
        arg_index: usize,
        dtype: Dtype,
        bits: u64,
    ) -> Result<(), DataError> {
        let (name, value) = written(dtype, bits);
        let geometry = json!({
            "kind": "scalar", "dtype": name, "value": value, "shape": [], "strides": [], "start_offset": 0,
            "is_contiguous": true, "numel": 1, "bin_offset": 0, "bin_size": 0,
        });
        self.record(task, arg_index, Role::Input, Stage::BeforeDispatch, geometry)
    }

    fn record(
        &mut self,
        task: Written,
        arg_index: usize,
        role: Role,
        stage: Stage,
        mut record: Value,
    ) -> Result<(), DataError> {
        let (role, counted) = match role {
            Role::Input => ("input", "input_args"),
            Role::Output => ("output", "output_args"),
            Role::InOut => ("inout", "inout_args"),
        };
        let stage = match stage {
            Stage::BeforeDispatch => "before_dispatch",
            Stage::AfterCompletion => "after_completion",
        };
        record["task_id"] = json!(format!("{:#018x}", task.task));
        record["func_id"] = json!([task.function]);
        record["blocks"] = json!(task.blocks);
        (record["arg_index"], record["role"], record["stage"]) =
            (json!(arg_index), json!(role), json!(stage));
        (record["truncated"], record["overwritten"]) = (json!(false), json!(false));
        let separator = if self.counts.is_empty() { "" } else { "," };
        write!(self.manifest, "{separator}\n    {record}").map_err(|error| failed(&self.folder, &error))?;
        for counter in ["total_args", counted, stage] {
            *self.counts.entry(counter).or_default() += 1;
        }
        Ok(())
    }

    /// Ends the dump: the counts, and beside its folder the names of the functions.
    ///
    /// # Errors
    /// Files that cannot be written.
    pub fn finish(mut self, name: &str) -> Result<(), DataError> {
        let folder = self.folder.clone();
        let mut end = || -> io::Result<()> {
            write!(self.manifest, "\n  ]")?;
            let all = [
                "total_args",
                "before_dispatch",
                "after_completion",
                "input_args",
                "output_args",
                "inout_args",
            ];
            for counter in all.into_iter().chain(["truncated_args", "dropped_records", "dropped_overwrite"]) {
                write!(self.manifest, ",\n  \"{counter}\": {}", self.counts.get(counter).unwrap_or(&0))?;
            }
            writeln!(self.manifest, "\n}}")?;
            self.manifest.flush()?;
            self.contents.flush()?;
            let names = json!({"level": 2, "orchestrator_name": name, "callable_id_to_name": self.names});
            std::fs::write(self.folder.join("name_map.json"), format!("{names:#}\n"))
        };
        end().map_err(|error| failed(&folder, &error))
    }
}

fn failed(folder: &Path, error: &io::Error) -> DataError {
    DataError::misuse(format!("cannot write the dump in {}: {error}", folder.display()))
}
