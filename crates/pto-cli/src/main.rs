//! The `pto` command.

fn main() {}
