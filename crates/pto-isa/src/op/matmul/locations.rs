//! The locations of the tiles of a matrix product.

use super::rules::LOCATIONS;
use crate::op::site::{Check, TileFact};
use crate::tile::Location;

const WANTED: [(&str, Location); 4] =
    [("left", Location::Left), ("right", Location::Right), ("acc", Location::Acc), ("dst", Location::Acc)];

/// Checks the locations, and returns whether rules of layouts apply: the layout of a tile elsewhere follows from its
/// location.
pub(super) fn check(check: &mut Check<'_>) -> bool {
    let at = |role: &str| check.site.tile(role).map(TileFact::location);
    let is_exchanged = (at("left"), at("right")) == (Some(Location::Right), Some(Location::Left));
    let mut in_place = true;
    for (role, location) in WANTED {
        // Two exchanged factors are one mistake.
        let is_reported = is_exchanged && role == "right";
        let Some(actual) = check.site.tile(role).map(TileFact::location).filter(|_| !is_reported) else {
            continue;
        };
        in_place &= check.require(&LOCATIONS, role, actual == location, |check| {
            let (actual, wanted) = (actual.with_article(), location.with_article());
            format!("{} is {actual} tile, not {wanted} tile", check.name(role))
        });
        if is_exchanged && role == "left" {
            check.help(|check| format!("exchange the factors: {} comes first", check.name("right")));
        }
    }
    in_place
}
