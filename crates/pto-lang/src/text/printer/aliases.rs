//! Type aliases: the aliases of the module, and new ones for long types that are used several times.

use super::types::write_type;
use super::{Printer, Style, TypeAliases};
use crate::ir::{Module, Type, TypeAlias, TypeId};
use pto_isa::element::element_word;
use std::collections::{HashMap, HashSet};

/// The names that types are printed with.
pub(super) type AliasNames = HashMap<TypeId, String>;

impl Printer<'_> {
    /// Prints the aliases of the module and then new ones, all before the first item.
    pub(super) fn type_aliases(&mut self) {
        if self.style.aliases == TypeAliases::Expanded {
            return;
        }
        let module = self.module;
        let first = module.items.first().map_or(u32::MAX, |item| item.start(module));
        let own: Vec<&TypeAlias> = module.type_aliases.iter().collect();
        for (index, alias) in own.iter().enumerate() {
            let start = alias.span.start;
            // An alias between items moves before them, without the comments between them.
            let placed = start < first && alias.span.end > start;
            if placed {
                self.comments_before(start);
                self.blank_line_before(start);
            }
            self.definition(&alias.name, alias.ty);
            let next = own.get(index + 1).map_or(first, |next| next.span.start.min(first));
            if placed { self.end_line(next) } else { self.out.push('\n') }
        }
        if self.style.aliases == TypeAliases::Introduced {
            self.introduced(first);
        }
        if !self.aliases.is_empty() {
            self.blank_line();
        }
    }

    /// `!name = type`. Only aliases that are defined before may occur in the type.
    fn definition(&mut self, name: &str, ty: TypeId) {
        self.out.push_str(&format!("!{name} = "));
        self.ty(ty);
        self.aliases.entry(ty).or_insert_with(|| name.to_owned());
    }

    /// Defines aliases for types that get shorter text by them.
    fn introduced(&mut self, first: u32) {
        let chosen = chosen(self.module, self.style, &self.aliases);
        if chosen.is_empty() {
            return;
        }
        self.comments_before(first);
        for (name, ty) in chosen {
            self.definition(&name, ty);
            self.out.push('\n');
        }
    }
}

/// Types that get new aliases, in the order of their first use: types without an alias that occur at least twice, if
/// the text with the definition is shorter.
fn chosen(module: &Module, style: &Style<'_>, known: &AliasNames) -> Vec<(String, TypeId)> {
    let mut taken: HashSet<String> = module.type_aliases.iter().map(|alias| alias.name.clone()).collect();
    let mut chosen = Vec::new();
    for (ty, uses) in used(module, style, known) {
        if known.contains_key(&ty) || uses < 2 {
            continue;
        }
        let Some(base) = base_name(&module.types[ty]) else { continue };
        let name = std::iter::once(base.clone()).chain((2..).map(|number| format!("{base}_{number}")));
        let name = name.into_iter().find(|name| !taken.contains(name)).unwrap_or(base);
        let mut text = String::new();
        write_type(&module.types, ty, style.compact, known, &mut text);
        let (long, short) = (text.len(), name.len() + 1);
        // The definition has the name, ` = `, the type and a line end.
        if short + 4 + long + uses * short < uses * long {
            taken.insert(name.clone());
            chosen.push((name, ty));
        }
    }
    chosen
}

/// The types of the module in the order of their first use, each with its number of uses.
fn used(module: &Module, style: &Style<'_>, known: &AliasNames) -> Vec<(TypeId, usize)> {
    let mut printer = Printer::new(module, style);
    printer.aliases = known.clone();
    printer.items(&module.items, u32::MAX);
    let mut counts: Vec<(TypeId, usize)> = Vec::new();
    let mut index: HashMap<TypeId, usize> = HashMap::new();
    for ty in printer.used {
        let at = *index.entry(ty).or_insert(counts.len());
        if at == counts.len() {
            counts.push((ty, 0));
        }
        counts[at].1 += 1;
    }
    counts
}

/// A name that describes a type: `vec_16x64xf32`, `view_40x300xf32`, `part_1x_x16xbf16`; `None` for types without a
/// short name.
fn base_name(ty: &Type) -> Option<String> {
    let shape = |shape: &[Option<u64>]| {
        let extent = |extent: &Option<u64>| extent.map_or("n".to_owned(), |extent| extent.to_string());
        shape.iter().map(extent).collect::<Vec<_>>().join("x")
    };
    let word = |element| element_word(element).trim_start_matches("!pto.");
    let name = match ty {
        Type::Tile(tile) => {
            format!("{}_{}x{}x{}", tile.location.word(), tile.rows, tile.cols, word(tile.element))
        }
        Type::MultiTile { tile, count } => {
            format!("{}_{}x{}x{}x{count}", tile.location.word(), tile.rows, tile.cols, word(tile.element))
        }
        Type::TensorView { shape: extents, element } => format!("view_{}x{}", shape(extents), word(*element)),
        Type::PartitionView { shape: extents, element } => {
            format!("part_{}x{}", shape(extents), word(*element))
        }
        _ => return None,
    };
    Some(name.to_ascii_lowercase())
}
