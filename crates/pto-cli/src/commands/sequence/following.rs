//! Work around each launch of a sequence: times, findings, a dump of its arguments.

use super::kernels::Loaded;
use crate::args_dump::{Role, Stage, Writer, Written};
use crate::commands::record::dtype;
use crate::inspect::Inspected;
use crate::report::KernelTime;
use pto::analysis::Direction;
use pto::data::{Array, DataError, Failure};
use pto::sequence::{Follow, Given, Launch, Launched, Part, Plan, Session};
use pto::sim::Signature;
use std::path::Path;
use std::time::Instant;

/// Follows the launches of a sequence.
pub(super) struct Following<'a, 'b> {
    pub(super) times: Vec<KernelTime>,
    pub(super) printed: Vec<pto::sim::Printed>,
    last: Instant,
    loaded: &'a mut Loaded<'b>,
    dump: Option<Dumped>,
}

impl<'a, 'b> Following<'a, 'b> {
    /// Nothing has run yet.
    pub(super) fn new(plan: &Plan, loaded: &'a mut Loaded<'b>, dump: Option<Dumped>) -> Following<'a, 'b> {
        Following { times: KernelTime::of(plan), printed: Vec::new(), last: Instant::now(), loaded, dump }
    }

    /// Ends the dump, if there is one.
    pub(super) fn finish(&mut self, name: &str) -> Result<(), DataError> {
        self.dump.take().map_or(Ok(()), |dump| dump.writer.finish(name))
    }
}

impl Follow for Following<'_, '_> {
    fn before(&mut self, launch: &Launch<'_>, session: &Session) -> Result<(), Failure> {
        if let Some(dump) = &mut self.dump {
            dump.before(launch, session)?;
        }
        Ok(())
    }

    fn after(
        &mut self,
        launch: &Launch<'_>,
        session: &Session,
        launched: Launched<'_>,
    ) -> Result<(), Failure> {
        if let Some(dump) = &mut self.dump {
            dump.after(launch, session)?;
        }
        let now = Instant::now();
        let time = &mut self.times[launched.kernel];
        time.launches += 1;
        time.total_ns += (now - self.last).as_nanos() as u64;
        self.last = now;
        self.loaded.add(launched.kernel, launched.name, launched.watched.after(&launched.outcome));
        self.printed.extend(launched.outcome.printed);
        Ok(())
    }
}

/// A dump of the arguments of all launches.
pub(super) struct Dumped {
    writer: Writer,
    tasks: u64,
    /// The arguments of each kernel: role, and number of the argument in the dump.
    kernels: Vec<Option<Vec<(Role, usize)>>>,
}

impl Dumped {
    /// Begins a dump in a folder.
    pub(super) fn create(folder: &Path, plan: &Plan) -> Result<Dumped, DataError> {
        let mut writer = Writer::create(folder)?;
        for (number, kernel) in plan.kernels.iter().enumerate() {
            let stem = Path::new(&kernel.file).file_stem().unwrap_or_default().to_string_lossy().into_owned();
            writer.name(number, kernel.entry.as_deref().unwrap_or(&stem));
        }
        Ok(Dumped { writer, tasks: 0, kernels: vec![None; plan.kernels.len()] })
    }

    /// Role and number of each argument of a launch. Tensors are numbered first, then scalars.
    fn arguments(&mut self, launch: &Launch<'_>) -> Vec<(Role, usize)> {
        let known = &mut self.kernels[launch.kernel];
        known
            .get_or_insert_with(|| {
                let interface = Inspected::of(launch.program).interface;
                let is_tensor = |given: &Given| matches!(given, Given::Part(_));
                let tensors = launch.given.iter().filter(|given| is_tensor(given)).count();
                let (mut tensor, mut scalar) = (0, tensors);
                let number = |given: &Given| {
                    let next = if is_tensor(given) { &mut tensor } else { &mut scalar };
                    *next += 1;
                    *next - 1
                };
                let numbers: Vec<usize> = launch.given.iter().map(number).collect();
                let role = |direction: Direction| match direction {
                    Direction::Out => Role::Output,
                    Direction::InOut => Role::InOut,
                    _ => Role::Input,
                };
                let roles = interface.parameters.iter().map(|parameter| role(parameter.direction()));
                roles.zip(numbers).collect()
            })
            .clone()
    }

    fn task(&self, launch: &Launch<'_>) -> Written {
        Written { task: self.tasks, function: launch.kernel, blocks: launch.blocks }
    }

    /// Writes the contents of a part of a buffer.
    fn part(
        &mut self,
        task: Written,
        number: usize,
        role: Role,
        stage: Stage,
        session: &Session,
        part: Part,
    ) -> Result<(), DataError> {
        let array = session.part(part)?;
        let shape = session.shape(part.buffer).to_vec();
        // A whole buffer has its shape.
        let array = match shape.iter().product::<usize>() == array.items() {
            true => Array::new(array.element(), shape, array.into_bytes())?,
            false => array,
        };
        self.writer.tensor(task, number, role, stage, &array)
    }

    fn before(&mut self, launch: &Launch<'_>, session: &Session) -> Result<(), DataError> {
        let (arguments, task) = (self.arguments(launch), self.task(launch));
        let signature =
            Signature::of(launch.program.module(), launch.program.entry()).map_err(DataError::new)?;
        for ((given, (role, number)), argument) in
            launch.given.iter().zip(arguments).zip(&signature.arguments)
        {
            match given {
                Given::Part(part) if role != Role::Output => {
                    self.part(task, number, role, Stage::BeforeDispatch, session, *part)?;
                }
                Given::Scalar(bits) => self.writer.scalar(task, number, dtype(argument.kind), *bits)?,
                Given::Part(_) | Given::Fact => {}
            }
        }
        Ok(())
    }

    fn after(&mut self, launch: &Launch<'_>, session: &Session) -> Result<(), DataError> {
        let (arguments, task) = (self.arguments(launch), self.task(launch));
        for (given, (role, number)) in launch.given.iter().zip(arguments) {
            if let Given::Part(part) = given
                && role != Role::Input
            {
                self.part(task, number, role, Stage::AfterCompletion, session, *part)?;
            }
        }
        self.tasks += 1;
        Ok(())
    }
}
