//! The programs that are lowered: those of the corpus with the launches of its manifest, and the examples.

use crate::support::root;
use pto::data::{Given, Input, Source, place};
use pto::diag::Diagnostic;
use pto::prove::{Outcome, Property, VerifyOptions, verify};
use pto::sim::Signature;
use pto::{Checked, Profile, Program};
use pto_cli::files::Disk;
use pto_cli::manifest::{self, Entry};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

/// A program with its launches.
pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) text: String,
    /// The profile of the check; that of the text if `None`.
    pub(crate) profile: Option<Profile>,
    pub(crate) launches: Vec<Launch>,
    /// Whether its launches stop, according to the manifest.
    pub(crate) stops: bool,
}

/// Remaining gaps of a lowered program that computes the same as its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verified {
    /// Whether the program has all addresses and all synchronization.
    pub(crate) is_lowered: bool,
    /// For each kernel, the places of instructions that ran in no launch.
    pub(crate) idle: BTreeMap<String, BTreeSet<u32>>,
}

impl Verified {
    /// Whether every instruction ran.
    pub(crate) fn is_covered(&self) -> bool {
        self.idle.values().all(BTreeSet::is_empty)
    }
}

/// Inputs of a kernel, or of all kernels.
pub(crate) struct Launch {
    entry: Option<String>,
    blocks: Option<u32>,
    ranks: u32,
    inputs: Vec<(String, Given)>,
}

impl Launch {
    fn generated() -> Launch {
        Launch { entry: None, blocks: None, ranks: 1, inputs: Vec::new() }
    }

    fn of_entry(entry: &Entry) -> Launch {
        Launch {
            entry: entry.entry.clone(),
            blocks: entry.blocks.map(NonZeroU32::get),
            ranks: entry.ranks.map_or(1, NonZeroU32::get),
            inputs: entry.inputs.clone(),
        }
    }

    /// The launch that the comment `// run:` of an example gives, relative to its folder.
    fn of_comment(text: &str) -> Launch {
        let mut launch = Launch::generated();
        let said = text.lines().find_map(|line| line.strip_prefix("// run:")).unwrap_or_default();
        let mut words = said.split_whitespace();
        while let Some(word) = words.next() {
            match (word, words.clone().next()) {
                ("--entry", Some(entry)) => launch.entry = Some(entry.to_owned()),
                ("--blocks", Some(count)) => launch.blocks = count.parse().ok(),
                ("--ranks", Some(count)) => launch.ranks = count.parse().expect("a number"),
                ("-i", Some(input)) => {
                    let (name, source) = input.split_once('=').expect("an input");
                    let source =
                        Source::parse(source, &Disk).unwrap_or_else(|error| panic!("{input}: {error}"));
                    launch.inputs.push((name.to_owned(), Given::Source(source)));
                }
                _ => {}
            }
        }
        launch
    }

    /// The kernels that the launch is of.
    pub(crate) fn entries(&self, source: &Checked) -> Vec<String> {
        match &self.entry {
            Some(entry) => vec![entry.clone()],
            None => Program::kernels(source.module()),
        }
    }

    pub(crate) fn options(&self, signature: &Signature) -> VerifyOptions {
        let input = |(name, given): &(String, Given)| {
            let (argument, rank) =
                place(signature, name, self.ranks).unwrap_or_else(|error| panic!("{error}"));
            Input { argument, rank, given: given.clone() }
        };
        let mut options = VerifyOptions::default();
        options.inputs = self.inputs.iter().map(input).collect();
        options.blocks = self.blocks;
        options.ranks = self.ranks;
        options
    }
}

impl Sample {
    /// The program, if the check accepts it.
    pub(crate) fn checked(&self) -> Option<Checked> {
        check(&self.text, self.profile).ok()
    }

    /// Checks that `lowered` computes the same as `source` in all launches. The error is the reason why not.
    pub(crate) fn verify(&self, source: &Checked, lowered: &Checked) -> Result<Verified, String> {
        let mut verified = Verified { is_lowered: true, idle: BTreeMap::new() };
        for launch in &self.launches {
            self.verify_launch(launch, (source, lowered), &mut verified)?;
        }
        Ok(verified)
    }

    fn verify_launch(
        &self,
        launch: &Launch,
        (source, lowered): (&Checked, &Checked),
        verified: &mut Verified,
    ) -> Result<(), String> {
        for entry in launch.entries(source) {
            let decode = |program: &Checked| {
                Program::decode(program, Some(&entry))
                    .map_err(|findings| format!("@{entry}: {}", first(&findings)))
            };
            let (source, lowered) = (decode(source)?, decode(lowered)?);
            let signature = Signature::of(source.module(), source.entry())?;
            let options = launch.options(&signature);
            let verification =
                verify(&source, &lowered, &options, &Disk).map_err(|error| format!("@{entry}: {error}"))?;
            let idle: BTreeSet<u32> = verification.coverage.idle.iter().map(|span| span.start).collect();
            let known = verified.idle.entry(entry.clone()).or_insert_with(|| idle.clone());
            known.retain(|start| idle.contains(start));
            for (property, outcome) in &verification.properties {
                match outcome {
                    Outcome::Holds => {}
                    Outcome::Unknown(_) if *property == Property::Lowered => verified.is_lowered = false,
                    Outcome::Unknown(_) if *property == Property::Coverage => {}
                    Outcome::Unknown(_) if self.stops => {}
                    Outcome::Unknown(why) => return Err(format!("@{entry}: unknown: {why}")),
                    Outcome::Fails(found) => {
                        return Err(format!(
                            "@{entry}: {} fails with {}: {}",
                            property.word(),
                            found.launch(),
                            found.message
                        ));
                    }
                    _ => return Err(format!("@{entry}: {} has no verdict", property.word())),
                }
            }
        }
        Ok(())
    }
}

/// A program, checked.
pub(crate) fn check(text: &str, profile: Option<Profile>) -> Result<Checked, Vec<Diagnostic>> {
    pto::check(pto::parse(text)?.module, profile)
}

/// The first finding, as a sentence.
pub(crate) fn first(findings: &[Diagnostic]) -> String {
    findings.first().map_or(String::new(), |finding| format!("{}: {}", finding.rule, finding.message))
}

/// The folder beside the checkout, if it is there.
pub(crate) fn shared() -> Option<PathBuf> {
    Some(root().join("../shared")).filter(|folder| folder.is_dir())
}

/// The programs of the corpus, by name; empty without it.
pub(crate) fn corpus() -> Vec<Sample> {
    let Some(folder) = shared().map(|folder| folder.join("corpus")) else { return Vec::new() };
    let entries = manifest::read(&root().join("tests/corpus.json")).unwrap_or_else(|error| panic!("{error}"));
    let sample = |name: String| {
        let launches: Vec<&Entry> = entries.iter().filter(|entry| entry.file == name).collect();
        let text = std::fs::read_to_string(folder.join(&name)).expect("a program");
        let stops = launches.iter().any(|entry| !entry.rejected.is_empty());
        let mut launches: Vec<Launch> = launches.into_iter().map(Launch::of_entry).collect();
        if launches.is_empty() {
            launches.push(Launch::generated());
        }
        Sample { name, text, profile: None, launches, stops }
    };
    programs(&folder).into_iter().map(sample).collect()
}

/// The examples, by name, for each device that they name.
pub(crate) fn examples() -> Vec<Sample> {
    let folder = root().join("examples");
    let mut samples = Vec::new();
    // The kernels of `timing` work on whole matrices and are synchronized as published ones are.
    for name in programs(&folder).into_iter().filter(|name| !name.starts_with("timing/")) {
        let text = std::fs::read_to_string(folder.join(&name)).expect("a program");
        let said = text.lines().find_map(|line| line.strip_prefix("// target:")).unwrap_or_default();
        let named = said.split(',').filter_map(|word| Profile::from_word(word.trim()));
        let mut profiles: Vec<Option<Profile>> = named.filter(|it| *it != Profile::Cpu).map(Some).collect();
        if profiles.is_empty() {
            profiles.push(None);
        }
        for profile in profiles {
            let launches = vec![Launch::of_comment(&text)];
            let name = match profile {
                Some(profile) => format!("examples/{name} ({})", profile.word()),
                None => format!("examples/{name}"),
            };
            samples.push(Sample { name, text: text.clone(), profile, launches, stops: false });
        }
    }
    samples
}

/// The programs below a folder, relative to it, by name.
fn programs(folder: &Path) -> Vec<String> {
    let (mut files, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(inside) = open.pop() {
        for path in std::fs::read_dir(inside).expect("a folder").flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "pto") {
                let name = path.strip_prefix(folder).expect("a file of the folder");
                files.push(name.to_string_lossy().into_owned());
            }
        }
    }
    files.sort();
    files
}
