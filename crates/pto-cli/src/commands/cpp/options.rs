//! The command's own flags, which may stand between the arguments of the compiler.

use super::Loader;
use crate::args::{Cores, CppArgs, Target};
use clap::ValueEnum;
use pto::data::DataError;
use std::ffi::OsString;

/// The flags, and the arguments that are left for the compiler.
#[derive(Debug, Default)]
pub(super) struct Options {
    pub(super) target: Option<Target>,
    pub(super) cores: Option<Cores>,
    pub(super) include: bool,
    pub(super) libs: bool,
    pub(super) show: bool,
    pub(super) words: Vec<OsString>,
    pub(super) loader: Option<Loader>,
}

impl Options {
    /// The parsed flags, and those after the first argument of the compiler: parsing ends there.
    ///
    /// # Errors
    /// A flag without a value, or with one that it does not have.
    pub(super) fn of(args: &CppArgs) -> Result<Options, DataError> {
        let CppArgs { cores, include, libs, show, .. } = *args;
        let mut options = Options { cores, include, libs, show, ..Options::default() };
        if let Some(target) = &args.target {
            options.target(target)?;
        }
        let mut words = args.arguments.iter();
        while let Some(word) = words.next() {
            let text = word.to_string_lossy();
            let (name, value) =
                text.split_once('=').map_or((&*text, None), |(name, value)| (name, Some(value.to_owned())));
            match name {
                "--include" if value.is_none() => options.include = true,
                "--libs" if value.is_none() => options.libs = true,
                "--show" if value.is_none() => options.show = true,
                "--target" | "--cores" => {
                    let value =
                        value.or_else(|| words.next().map(|next| next.to_string_lossy().into_owned()));
                    let value = value.ok_or_else(|| DataError::misuse(format!("{name} needs a value")))?;
                    if name == "--target" { options.target(&value)? } else { options.cores(&value)? }
                }
                _ => options.words.push(word.clone()),
            }
        }
        Ok(options)
    }

    /// `--target`: a profile. The triple of a host, such as `aarch64-linux-gnu`, is for clang.
    fn target(&mut self, value: &str) -> Result<(), DataError> {
        match Target::from_str(value, true) {
            Ok(target) => self.target = Some(target),
            Err(_) if value.contains('-') => self.words.push(format!("--target={value}").into()),
            Err(_) => {
                return Err(DataError::misuse(format!(
                    "--target {value}: known are cpu, a2a3 (a2, a3) and a5"
                )));
            }
        }
        Ok(())
    }

    fn cores(&mut self, value: &str) -> Result<(), DataError> {
        let cores = Cores::from_str(value, true);
        let fail = |_| DataError::misuse(format!("--cores {value}: known are vector, cube and mixed"));
        self.cores = Some(cores.map_err(fail)?);
        Ok(())
    }
}
