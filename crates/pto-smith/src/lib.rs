//! Generators of PTO programs.
