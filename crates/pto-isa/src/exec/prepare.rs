//! One use of an instruction when the program is decoded, from which its execution is made.

use super::state::{ConvTile, Slot, Tile};
use crate::attribute::Attribute;
use crate::element::Element;
use crate::op::site::{Fact, Site};
use crate::profile::Profile;
use crate::types::Scalar;

/// One use of an instruction at decode time: types and slots of its operands.
pub struct Prepare<'a> {
    /// The use, with the facts known before a run.
    pub site: &'a Site<'a>,
    /// The slot of each operand of the site; results are included, in the role `result`.
    pub slots: &'a [Slot],
}

impl Prepare<'_> {
    /// The profile.
    pub fn profile(&self) -> Profile {
        self.site.profile
    }

    fn position(&self, role: &str) -> Option<usize> {
        self.site.operands.iter().position(|operand| operand.role == role)
    }

    /// The tile in a role, if the form has it.
    pub fn tile_if(&self, role: &str) -> Option<Tile> {
        let at = self.position(role)?;
        match (&self.site.operands[at].fact, self.slots[at]) {
            (Fact::Tile(tile), Slot::Tile(slot)) => Some(Tile::new(slot, tile.ty, tile.layout())),
            _ => None,
        }
    }

    /// The tile in a role.
    ///
    /// # Errors
    /// If there is none.
    pub fn tile(&self, role: &str) -> Result<Tile, String> {
        self.tile_if(role).ok_or_else(|| format!("operand `{role}` is not a tile"))
    }

    /// The convolution tile in a role.
    ///
    /// # Errors
    /// If there is none.
    pub fn conv(&self, role: &str) -> Result<ConvTile, String> {
        let missing = || format!("operand `{role}` is not a convolution tile");
        let at = self.position(role).ok_or_else(missing)?;
        match (&self.site.operands[at].fact, self.slots[at]) {
            (Fact::ConvTile(ty), Slot::Tile(slot)) => Ok(ConvTile { slot, ty: *ty }),
            _ => Err(missing()),
        }
    }

    /// The slot of the scalar in a role, and its type.
    pub fn scalar_if(&self, role: &str) -> Option<(usize, Scalar)> {
        let at = self.position(role)?;
        match (&self.site.operands[at].fact, self.slots[at]) {
            (Fact::Scalar(ty, _), Slot::Scalar(slot)) => Some((slot as usize, *ty)),
            _ => None,
        }
    }

    /// The slot of the scalar in a role, and its type.
    ///
    /// # Errors
    /// If there is none.
    pub fn scalar(&self, role: &str) -> Result<(usize, Scalar), String> {
        self.scalar_if(role).ok_or_else(|| format!("operand `{role}` is not a scalar"))
    }

    /// The slots of all scalars in a role.
    pub fn scalars(&self, role: &str) -> Vec<usize> {
        let pairs = self.site.operands.iter().zip(self.slots);
        let slots = pairs.filter(|(operand, _)| operand.role == role).filter_map(|(_, slot)| match slot {
            Slot::Scalar(slot) => Some(*slot as usize),
            _ => None,
        });
        slots.collect()
    }

    /// The slot of the pointer in a role.
    ///
    /// # Errors
    /// If there is none.
    pub fn pointer(&self, role: &str) -> Result<usize, String> {
        match self.position(role).map(|at| self.slots[at]) {
            Some(Slot::Scalar(slot)) => Ok(slot as usize),
            _ => Err(format!("operand `{role}` is not a pointer")),
        }
    }

    /// The slot of the view in a role, and its element type.
    ///
    /// # Errors
    /// If there is none.
    pub fn view(&self, role: &str) -> Result<(usize, Element), String> {
        let missing = || format!("operand `{role}` is not a view");
        let at = self.position(role).ok_or_else(missing)?;
        match (&self.site.operands[at].fact, self.slots[at]) {
            (Fact::View(view), Slot::View(slot)) => Ok((slot as usize, view.element)),
            _ => Err(missing()),
        }
    }

    /// The slot of a value in a role that is stored as one number: a scalar, a pointer or a handle.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn scalar_slot(&self, role: &str) -> Result<usize, String> {
        match self.position(role).map(|at| self.slots[at]) {
            Some(Slot::Scalar(slot)) => Ok(slot as usize),
            _ => Err(format!("operand `{role}` is not a number")),
        }
    }

    /// All views in a role: slot, element type and name.
    pub(crate) fn views(&self, role: &str) -> Vec<(usize, Element, &str)> {
        let pairs = self.site.operands.iter().zip(self.slots).filter(|(operand, _)| operand.role == role);
        let views = pairs.filter_map(|(operand, slot)| match (&operand.fact, slot) {
            (Fact::View(view), Slot::View(slot)) => Some((*slot as usize, view.element, operand.name)),
            _ => None,
        });
        views.collect()
    }

    /// All tiles in a role.
    pub(crate) fn tiles(&self, role: &str) -> Vec<Tile> {
        let pairs = self.site.operands.iter().zip(self.slots).filter(|(operand, _)| operand.role == role);
        let tiles = pairs.filter_map(|(operand, slot)| match (&operand.fact, slot) {
            (Fact::Tile(tile), Slot::Tile(slot)) => Some(Tile::new(*slot, tile.ty, tile.layout())),
            _ => None,
        });
        tiles.collect()
    }

    /// The name, without `%`, of the operand in a role.
    pub fn name<'s>(&'s self, role: &'s str) -> &'s str {
        self.site.operand(role).map_or(role, |operand| operand.name)
    }

    /// The attribute with this key.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.site.attribute(name)
    }
}
