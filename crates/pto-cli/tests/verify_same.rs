//! `pto verify K K`: a kernel to which `pto lower` adds anything is never accepted as its own lowered form.

#![allow(clippy::print_stderr)]

use crate::lower_corpus::samples::{Sample, corpus, examples};
use pto::passes::{LowerOptions, lower};
use pto::prove::{Verdict, VerifyOptions, verify};
use pto::{Checked, Program, sim::Signature};
use pto_cli::files::Disk;

/// Programs whose own synchronization suffices though lowering adds to it, with the reason.
const SUFFICIENT: [(&str, &str); 1] = [(
    "examples/cpp/row_softmax/kernel.pto",
    "its sets and waits stand in branches whose conditions belong together",
)];

/// Whether lowering adds addresses, flags or barriers. What does not fit is not lowered either.
fn lacks_something(source: &Checked) -> bool {
    let Ok(lowered) = lower(source, &LowerOptions::default()) else { return true };
    let mut places = lowered.buffers.iter().flat_map(|plan| &plan.places);
    !lowered.insertions.is_empty() || places.any(|place| place.is_chosen)
}

/// The verdicts on the kernels of a program against themselves.
fn verdicts(sample: &Sample, source: &Checked) -> Vec<Verdict> {
    let mut all = Vec::new();
    for launch in &sample.launches {
        for entry in launch.entries(source) {
            let Ok(program) = Program::decode(source, Some(&entry)) else { continue };
            let signature = Signature::of(program.module(), program.entry()).expect("a kernel");
            let options: VerifyOptions = launch.options(&signature);
            let found = verify(&program, &program, &options, &Disk);
            all.push(found.unwrap_or_else(|error| panic!("{}: {error}", sample.name)).verdict());
        }
    }
    all
}

// 13.9: `verify K K` of a program that needs synchronization and has none
#[test]
fn what_lowering_adds_to_is_not_its_own_lowered_form() {
    let every = if std::env::var_os("PTO_LOWERED").is_some() { 1 } else { 9 };
    let (mut lacking, mut wrong) = (0, Vec::new());
    for sample in corpus().into_iter().chain(examples()).step_by(every) {
        let Some(source) = sample.checked().filter(lacks_something) else { continue };
        lacking += 1;
        let is_sufficient = SUFFICIENT.iter().any(|(name, _)| *name == sample.name);
        if verdicts(&sample, &source).contains(&Verdict::Accepted) != is_sufficient {
            wrong.push(sample.name);
        }
    }
    eprintln!("{lacking} programs to which lowering adds something");
    assert!(wrong.is_empty() && lacking >= 10, "{lacking}: {wrong:?}");
}
