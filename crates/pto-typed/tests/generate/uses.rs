//! Derives the common properties of the operands of an instruction's legal uses from its rules.

use pto_isa::diag::Severity;
use pto_isa::element::Element;
use pto_isa::layout::LayoutName;
use pto_isa::op::form::{Form, Kind, Role};
use pto_isa::op::site::{Check, Fact, Site, TileFact, ViewFact};
use pto_isa::profile::Profile;
use pto_isa::tile::{BLayout, Location, SLayout, TileType};
use pto_isa::types::Scalar;
use pto_lang::check::probe::OperandStorage;

/// The properties of an operand that a signature can state.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Seen {
    /// The element type; `None` for an index.
    element: Option<Element>,
    /// Location and layout of a tile, and bytes of a box.
    storage: Option<(Location, LayoutName, u32)>,
}

impl Seen {
    fn of(fact: &Fact) -> Seen {
        let (element, storage) = match fact {
            Fact::Tile(tile) => {
                (Some(tile.ty.element), Some((tile.ty.location, tile.layout().name, tile.ty.fractal)))
            }
            Fact::View(view) => (Some(view.element), None),
            Fact::Scalar(Scalar::Number(element), _) => (Some(*element), None),
            _ => (None, None),
        };
        Seen { element, storage }
    }
}

/// The operand with another element type.
fn retyped(fact: &Fact, element: Element) -> Fact {
    match fact {
        Fact::Tile(tile) => {
            let mut tile = tile.clone();
            tile.ty.element = element;
            Fact::Tile(tile)
        }
        Fact::View(view) => Fact::View(ViewFact { element, ..view.clone() }),
        Fact::Scalar(Scalar::Number(_), value) => Fact::Scalar(Scalar::Number(element), *value),
        other => other.clone(),
    }
}

/// The operand with other element types and in other storages.
fn changed(fact: &Fact) -> Vec<Fact> {
    // A scalar is converted to the type of the elements, so only the type from the probe is legal.
    if matches!(fact, Fact::Scalar(..)) {
        return Vec::new();
    }
    let mut all: Vec<Fact> = Element::ALL.iter().map(|element| retyped(fact, *element)).collect();
    if let Fact::Tile(tile) = fact {
        let storages = OperandStorage::tiles().into_iter();
        all.extend(storages.filter_map(|storage| storage.declared(tile.ty.element)));
        // Vectors are stored in other ways than matrices.
        let vectors = [(tile.ty.rows, 1, BLayout::ColMajor), (1, tile.ty.cols, BLayout::RowMajor)];
        all.extend(vectors.map(|(rows, cols, blayout)| {
            let ty = TileType { rows, cols, blayout, slayout: SLayout::NoneBox, ..tile.ty };
            Fact::Tile(TileFact { ty, storage: (rows, cols), ..tile.clone() })
        }));
    }
    all
}

/// Whether some device accepts the use. The profile `cpu` accepts more, such as tiles of any location.
fn is_legal(site: &mut Site<'_>) -> bool {
    Profile::ALL.into_iter().filter(|profile| profile.is_device()).any(|profile| {
        site.profile = profile;
        Check::weigh(site) != Some(Severity::Error)
    })
}

/// Legal uses as signatures see them, destinations first: as many as were given, then those around them.
pub(super) struct Uses {
    given: usize,
    all: Vec<Vec<Seen>>,
}

impl Uses {
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

pub(super) fn uses(form: &Form, mut sites: Vec<Site<'static>>) -> Uses {
    /// Number of uses of which the operands are changed.
    const CHANGED: usize = 16;
    sites.retain_mut(|site| is_legal(site));
    let view = |site: &Site<'_>| {
        let mut seen: Vec<Seen> = site.operands.iter().map(|operand| Seen::of(&operand.fact)).collect();
        seen.rotate_left(form.ins.len());
        seen
    };
    let mut all: Vec<Vec<Seen>> = sites.iter().map(view).collect();
    let step = sites.len().div_ceil(CHANGED).max(1);
    for site in sites.iter_mut().step_by(step) {
        for at in 0..site.operands.len() {
            let own = site.operands[at].fact.clone();
            for other in changed(&own) {
                site.operands[at].fact = other;
                if is_legal(site) {
                    all.push(view(site));
                }
            }
            site.operands[at].fact = own;
        }
        // Operands that agree in their type are changed together, such as two index tiles.
        let own: Vec<Fact> = site.operands.iter().map(|operand| operand.fact.clone()).collect();
        for from in own.iter().filter_map(|fact| Seen::of(fact).element) {
            for to in Element::ALL {
                for (operand, fact) in site.operands.iter_mut().zip(&own) {
                    operand.fact =
                        if Seen::of(fact).element == Some(from) { retyped(fact, to) } else { fact.clone() };
                }
                if is_legal(site) {
                    all.push(view(site));
                }
            }
        }
        site.operands.iter_mut().zip(own).for_each(|(operand, fact)| operand.fact = fact);
    }
    Uses { given: sites.len(), all }
}

/// The element type of a parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Typed {
    /// An index, which has no element type.
    Index,
    /// A fixed element type.
    Fixed(Element),
    /// The element type of another parameter, by number.
    As(usize),
    /// An element type of its own.
    Free,
}

/// A parameter for an operand: destinations are before sources.
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) typed: Typed,
    /// The element types in legal uses.
    pub(super) elements: Vec<Element>,
    /// Location, layout and bytes of a box, where all legal uses agree.
    pub(super) location: Option<Location>,
    pub(super) layout: Option<LayoutName>,
    pub(super) fractal: Option<u32>,
}

impl Parameter {
    pub(super) fn is_tile(&self) -> bool {
        matches!(self.kind, Kind::Tile | Kind::Scaling)
    }
}

/// The value that all have.
fn common<T: PartialEq>(mut all: impl Iterator<Item = Option<T>>) -> Option<T> {
    let first = all.next()??;
    all.all(|one| one.as_ref() == Some(&first)).then_some(first)
}

/// The parameters of a form with these legal uses.
pub(super) fn parameters(form: &Form, uses: &Uses) -> Vec<Parameter> {
    let (given, uses) = (&uses.all[..uses.given], &uses.all);
    let roles: Vec<_> = form.outs.iter().chain(form.ins).collect();
    // Tiles give their type to views, and both to scalars.
    let rank = |at: usize| match roles[at].kind {
        Kind::Tile | Kind::Scaling => 0,
        Kind::View => 1,
        _ => 2,
    };
    let mut order: Vec<usize> = (0..roles.len()).collect();
    order.sort_by_key(|at| rank(*at));
    let typed = |at: usize| {
        let uses = if rank(at) == 2 { given } else { uses };
        if uses.iter().any(|one| one[at].element.is_none()) {
            return Typed::Index;
        }
        let before = order.iter().copied().take_while(|other| *other != at);
        let equal = |other: &usize| uses.iter().all(|one| one[*other].element == one[at].element);
        match common(uses.iter().map(|one| one[at].element)) {
            Some(element) => Typed::Fixed(element),
            None => before.into_iter().find(equal).map_or(Typed::Free, Typed::As),
        }
    };
    let parameter = |(at, role): (usize, &&'static Role)| {
        let mut elements: Vec<Element> = uses.iter().filter_map(|one| one[at].element).collect();
        elements.sort_by_key(|element| Element::ALL.iter().position(|other| other == element));
        elements.dedup();
        Parameter {
            name: role.name,
            kind: role.kind,
            typed: typed(at),
            elements,
            location: common(uses.iter().map(|one| one[at].storage.map(|storage| storage.0))),
            layout: common(uses.iter().map(|one| one[at].storage.map(|storage| storage.1))),
            fractal: common(uses.iter().map(|one| one[at].storage.map(|storage| storage.2))),
        }
    };
    roles.iter().enumerate().map(parameter).collect()
}
