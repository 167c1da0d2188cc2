//! Determines the uses that a profile accepts, by running an instruction's rules on one use after another.
//!
//! A use has tiles of representative declared shapes, unknown valid regions (so that only types, locations and
//! layouts decide), and no attributes except required ones. Each location and layout of each operand is tried with
//! each element type. Properties that a table does not show, such as the type of a workspace or the word of a
//! required attribute, are tried too (`probe/trial.rs`): a use is legal if it is legal in one of the trials.

mod storage;
mod trial;

pub use self::storage::OperandStorage;
use self::storage::storages;
use self::trial::{Shape, Trial, trials};
use crate::ir::Scalar;
use pto_isa::diag::{Severity, Span};
use pto_isa::element::Element;
use pto_isa::layout::LayoutName;
use pto_isa::op::form::{Form, Kind, Role, Syntax};
use pto_isa::op::site::{Check, Fact, GlobalLayout, OperandFact, Site};
use pto_isa::op::{Instruction, Set};
use pto_isa::profile::Profile;
use pto_isa::registry::Op;
use pto_isa::tile::Location;
use std::sync::{LazyLock, OnceLock};

/// The legal cases of one form of an instruction.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The form.
    pub form: &'static Form,
    /// The cases that at least one profile accepts.
    pub cases: Vec<Case>,
}

/// Operands in these storages, and their accepted element types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Storages of the sources and the destination.
    pub storages: Vec<OperandStorage>,
    /// Accepted element types, with the verdict of each profile.
    pub takes: Vec<Take>,
}

/// Element types of the operands that vary: first of the sources, last of the destination.
#[derive(Clone, Debug)]
pub struct Take {
    /// The element types, the destination's last.
    pub elements: Vec<Element>,
    /// The verdicts of the profiles, in the order of [`Profile::ALL`].
    pub verdicts: [Verdict; 3],
    /// The number of a trial in which the use is legal.
    trial: usize,
}

/// Equality compares the shown fields, without `trial`.
impl PartialEq for Take {
    fn eq(&self, other: &Take) -> bool {
        (&self.elements, &self.verdicts) == (&other.elements, &other.verdicts)
    }
}

impl Eq for Take {}

/// The verdict of a profile on a use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Verdict {
    /// An error.
    No,
    /// Legal by a source newer than the instruction's own page.
    Extension,
    /// Legal.
    Yes,
}

/// The choices of a probe for an operand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    /// Every storage, with the element type of this index: 0 for sources, 1 for a second factor, the last for a
    /// destination.
    Shown(usize),
    /// A fixed storage, with the element type of this index.
    Fixed(OperandStorage, usize),
    /// A fixed storage and element type.
    Helper(OperandStorage, Element),
    /// A fixed storage, with the index type for element type 0.
    Index(OperandStorage),
    /// A convolution tile, with the element type of this index.
    Conv(usize),
    /// A scalar.
    Scalar,
}

/// The legal cases of each form of an instruction, as far as tiles and views decide them; empty for forms without
/// tiles and views. Determined once, since it takes up to a million uses.
pub fn probe(instruction: &'static dyn Instruction) -> &'static [Variant] {
    static PROBED: LazyLock<Vec<OnceLock<Vec<Variant>>>> =
        LazyLock::new(|| Op::all().map(|_| OnceLock::new()).collect());
    let op = Op::find_spelling(instruction.page().name);
    op.map_or(&[], |op| PROBED[op.index()].get_or_init(|| variants(instruction)))
}

fn variants(instruction: &'static dyn Instruction) -> Vec<Variant> {
    let Syntax::Destination(forms) = instruction.page().syntax else { return Vec::new() };
    // Convolution tiles that are transferred or set registers are not probed, because their extents decide, not their types.
    let shown = |form: &&Form| {
        let conv = form.roles().any(|role| role.kind == Kind::ConvTile);
        let tile = form.outs.iter().any(|role| role.kind == Kind::Tile);
        form.roles().any(|role| matches!(role.kind, Kind::Tile | Kind::View)) && (!conv || tile)
    };
    forms.iter().filter(shown).map(|form| Probe::new(instruction, form).run()).collect()
}

/// The uses of each form that [`probe`] finds legal on some profile, with facts of all operands in the order of the form.
pub fn legal_sites(instruction: &'static dyn Instruction) -> Vec<(&'static Form, Vec<Site<'static>>)> {
    let sites = |variant: &Variant| {
        let probe = Probe::new(instruction, variant.form);
        let uses = variant.cases.iter().flat_map(|case| {
            let takes = case.takes.iter();
            takes.map(|take| {
                let trial = &probe.trials[take.trial];
                let mut site = probe.site(trial);
                probe.set_operands(&mut site, &case.storages, &take.elements, trial);
                site
            })
        });
        (variant.form, uses.collect())
    };
    probe(instruction).iter().map(sites).collect()
}

struct Probe {
    instruction: &'static dyn Instruction,
    form: &'static Form,
    parts: Vec<(&'static Role, Choice)>,
    trials: Vec<Trial>,
    /// The number of element types that vary.
    variables: usize,
}

impl Probe {
    fn new(instruction: &'static dyn Instruction, form: &'static Form) -> Probe {
        let is_source = |role: &Role| matches!(role.kind, Kind::Tile | Kind::View | Kind::ConvTile);
        let has_source = form.ins.iter().any(is_source);
        let factors = form.ins.iter().any(|role| role.name == "right");
        // Two destinations have the element type of the sources.
        let converts = form.outs.iter().any(|role| !matches!(role.name, "dst0" | "dst1"));
        let last = usize::from(has_source && converts) + usize::from(factors);
        let takes = |name: &str| form.ins.iter().any(|role| role.name == name);
        let workspace = match (takes("idx"), takes("k")) {
            (true, _) => Some(Element::I32),
            // Wide enough for indices and thresholds.
            (_, true) => Some(Element::U64),
            _ => None,
        };
        let parts = form.roles().map(|role| (role, part(role, last, workspace))).collect();
        let trials = trials(instruction.page(), form);
        Probe { instruction, form, parts, trials, variables: last + 1 }
    }

    /// Tries the shapes one after another until one is legal for some types.
    fn run(&self) -> Variant {
        let shapes = Shape::ALL.into_iter().map(|shape| self.run_with(shape));
        let mut empty = None;
        for variant in shapes {
            if !variant.cases.is_empty() {
                return variant;
            }
            empty.get_or_insert(variant);
        }
        empty.expect("shapes are tried")
    }

    fn run_with(&self, shape: Shape) -> Variant {
        let shown: Vec<_> = self.parts.iter().filter(|(_, part)| matches!(part, Choice::Shown(_))).collect();
        let views = shown.iter().any(|(role, _)| role.kind == Kind::View);
        let set = if views { Set::Memory } else { self.instruction.page().set };
        let choices: Vec<Vec<OperandStorage>> =
            shown.iter().map(|(role, _)| shape.among(storages(set, self.form, role, shown.len()))).collect();
        let trials: Vec<usize> =
            (0..self.trials.len()).filter(|at| self.trials[*at].shape == shape).collect();
        let mut cases = Vec::new();
        let mut at = vec![0; choices.len()];
        loop {
            let storages: Vec<_> = at.iter().zip(&choices).map(|(at, list)| list[*at]).collect();
            let rows =
                |storage: &OperandStorage| matches!(storage, OperandStorage::Tile { is_row: true, .. });
            let mixed = storages.iter().any(rows) && !storages.iter().all(rows);
            if !mixed {
                cases.extend(self.case(storages, &trials));
            }
            let Some(next) = (0..at.len()).rev().find(|index| at[*index] + 1 < choices[*index].len()) else {
                break;
            };
            at[next] += 1;
            at[next + 1..].fill(0);
        }
        drop_rows(&mut cases);
        Variant { form: self.form, cases }
    }

    /// The accepted element types for these storages, if there are any.
    fn case(&self, storages: Vec<OperandStorage>, trials: &[usize]) -> Option<Case> {
        let mut takes = Vec::new();
        let count = Element::ALL.len();
        let exists: Vec<Vec<bool>> = storages
            .iter()
            .map(|storage| Element::ALL.iter().map(|element| storage.exists(*element)).collect())
            .collect();
        let mut sites: Vec<(usize, Site<'_>)> =
            trials.iter().map(|at| (*at, self.site(&self.trials[*at]))).collect();
        for number in 0..count.pow(self.variables as u32) {
            let mut digits = number;
            let mut chosen = [0; 3];
            for digit in chosen[..self.variables].iter_mut().rev() {
                (*digit, digits) = (digits % count, digits / count);
            }
            let mut list = storages.iter().zip(&exists);
            let legal = self.parts.iter().all(|(_, part)| match part {
                Choice::Shown(variable) => list.next().is_none_or(|(_, exists)| exists[chosen[*variable]]),
                _ => true,
            });
            if !legal {
                continue;
            }
            let elements = chosen.map(|index| Element::ALL[index]);
            let mut take: Option<Take> = None;
            for (at, site) in &mut sites {
                self.set_operands(site, &storages, &elements[..self.variables], &self.trials[*at]);
                let verdicts = verdicts(site);
                if verdicts == [Verdict::No; 3] {
                    continue;
                }
                let elements = elements[..self.variables].to_vec();
                let known = take.get_or_insert(Take { elements, verdicts, trial: *at });
                known.verdicts = std::array::from_fn(|index| known.verdicts[index].max(verdicts[index]));
            }
            takes.extend(take);
        }
        (!takes.is_empty()).then_some(Case { storages, takes })
    }

    fn site(&self, trial: &Trial) -> Site<'static> {
        let operands = self.parts.iter().map(|(role, _)| OperandFact {
            role: role.name,
            name: role.name,
            span: Span::default(),
            defined: Span::default(),
            fact: Fact::Other,
        });
        Site {
            instruction: self.instruction,
            spelling: self.instruction.page().name,
            profile: Profile::Cpu,
            operands: operands.collect(),
            attributes: trial.attributes,
            queue: None,
            span: Span::default(),
        }
    }

    /// The type of indices: those of TSCATTER are as wide as the data, sorted ones have no sign, those of histograms are bytes.
    fn index(&self, data: Element) -> Element {
        match self.instruction.page().name {
            name if name == Op::TSCATTER.page().name && data.bits() <= 16 => Element::I16,
            name if name == Op::TSORT32.page().name => Element::U32,
            name if name == Op::THISTOGRAM.page().name => Element::U8,
            _ => Element::I32,
        }
    }

    /// Sets the operands of a site.
    fn set_operands(
        &self,
        site: &mut Site<'_>,
        storages: &[OperandStorage],
        elements: &[Element],
        trial: &Trial,
    ) {
        let mut storages = storages.iter();
        let helper = |storage: OperandStorage, element: Element| trial.shape.of(storage).fact(element);
        for ((role, part), operand) in self.parts.iter().zip(&mut site.operands) {
            operand.fact = match *part {
                Choice::Shown(variable) => match storages.next() {
                    Some(storage) => storage.fact(elements[variable]),
                    None => Fact::Other,
                },
                Choice::Fixed(storage, variable) => {
                    let element =
                        trial.workspace.filter(|_| role.name == "tmp").unwrap_or(elements[variable]);
                    helper(storage, element)
                }
                Choice::Helper(storage, element) => helper(storage, element),
                Choice::Index(storage) => helper(storage, self.index(elements[0])),
                Choice::Conv(variable) => Fact::ConvTile(trial::map(elements[variable])),
                Choice::Scalar => scalar(role.name, elements),
            };
            match role.name {
                "dst" => trial.shape.widen(&mut operand.fact),
                "idx" => trial.reshape(&mut operand.fact),
                _ => {}
            }
            trial.fix(&mut operand.fact);
        }
    }
}

/// The verdicts of the profiles on a use.
fn verdicts(site: &mut Site<'_>) -> [Verdict; 3] {
    Profile::ALL.map(|profile| {
        site.profile = profile;
        match Check::weigh(site) {
            Some(Severity::Error | Severity::Refused) => Verdict::No,
            Some(Severity::Extension) => Verdict::Extension,
            Some(Severity::Lint) | None => Verdict::Yes,
        }
    })
}

/// The choice for an operand, by its role. `last` is the index of the destination's element type; `workspace` is
/// the type of a workspace, by default that of the source.
fn part(role: &Role, last: usize, workspace: Option<Element>) -> Choice {
    let plain = OperandStorage::tile(Location::Vec, LayoutName::Nd);
    if let ("tmp", Some(element)) = (role.name, workspace) {
        return Choice::Helper(plain, element);
    }
    match (role.kind, role.name) {
        (Kind::Scaling, _) | (Kind::Tile, "fp") => {
            Choice::Helper(OperandStorage::row(Location::Scaling), Element::U64)
        }
        (Kind::Tile, "src" | "src0" | "src1" | "left") => Choice::Shown(0),
        (Kind::Tile, "right") => Choice::Shown(1),
        (Kind::Tile, "dst") => Choice::Shown(last),
        (Kind::Tile, "acc") => Choice::Fixed(OperandStorage::ACC, last),
        (Kind::Tile, "bias") => Choice::Fixed(OperandStorage::row(Location::Bias), last),
        (Kind::Tile, "left_scale") => {
            Choice::Helper(OperandStorage::scale(Location::Scaling, LayoutName::Zz), Element::E8M0)
        }
        (Kind::Tile, "right_scale") => {
            Choice::Helper(OperandStorage::scale(Location::Scaling, LayoutName::Nn), Element::E8M0)
        }
        (Kind::Tile, "mask") => Choice::Helper(plain, Element::U8),
        (Kind::Tile, "idx") => Choice::Index(plain),
        (Kind::Tile, "idx0" | "idx1" | "count") => Choice::Helper(plain, Element::I32),
        (Kind::Tile, "scale" | "offset") => {
            Choice::Helper(OperandStorage::tile(Location::Vec, LayoutName::Dn), Element::F32)
        }
        (Kind::Tile, "exp") => Choice::Helper(plain, Element::U8),
        (Kind::ConvTile, _) => Choice::Conv(0),
        (Kind::Tile, "offsets" | "k") => Choice::Helper(plain, Element::U32),
        (Kind::Tile, _) => Choice::Fixed(plain, 0),
        (Kind::View, "dst") => Choice::Shown(last),
        (Kind::View, "idx") => Choice::Helper(OperandStorage::View(GlobalLayout::Nd), Element::I32),
        (Kind::View, "scratch") => Choice::Fixed(OperandStorage::View(GlobalLayout::Nd), 0),
        (Kind::View, _) => Choice::Shown(0),
        _ => Choice::Scalar,
    }
}

fn scalar(role: &str, elements: &[Element]) -> Fact {
    let number = |at: Option<&Element>| at.map_or(Scalar::Index, |element| Scalar::Number(*element));
    match role {
        "row" | "col" | "index" => Fact::Scalar(Scalar::Index, Some(0)),
        "q" => Fact::Scalar(Scalar::Number(Element::I64), None),
        "scale" => Fact::Scalar(Scalar::Number(Element::F32), None),
        "block" => Fact::Scalar(Scalar::Number(Element::I32), None),
        "diagonal" => Fact::Scalar(Scalar::Number(Element::I32), None),
        "fill" => Fact::Scalar(number(elements.last()), None),
        _ => Fact::Scalar(number(elements.first()), None),
    }
}

/// Drops cases with tiles of one row that are covered by the cases with larger tiles.
fn drop_rows(cases: &mut Vec<Case>) {
    let whole = |storage: &OperandStorage| match *storage {
        OperandStorage::Tile { location, layout, fractal, .. } => {
            OperandStorage::Tile { location, layout, fractal, is_row: false }
        }
        view => view,
    };
    let kept: Vec<Case> = cases.clone();
    cases.retain(|case| {
        let larger: Vec<_> = case.storages.iter().map(whole).collect();
        let covers = |other: &Case| {
            other.storages == larger && case.takes.iter().all(|take| other.takes.contains(take))
        };
        larger == case.storages || !kept.iter().any(covers)
    });
}
