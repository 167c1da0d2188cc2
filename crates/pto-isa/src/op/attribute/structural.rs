//! Attributes of modules and functions, with the same data as those of operations.

use super::{AttributeKind, AttributeSpec};
use crate::diag::nearest;

/// The attributes of modules and functions that have a meaning here. Other keys belong to other tools.
pub const STRUCTURAL: &[AttributeSpec] = &[
    AttributeSpec::new(TARGET_ARCH, AttributeKind::String, "The profile that a module is written for."),
    AttributeSpec::new(DEVICE_SPEC, AttributeKind::String, "The device that a module is written for."),
    AttributeSpec::words(
        "pto.kernel_kind",
        "kernel_kind",
        &["cube", "vector"],
        "The kind of core that runs a function.",
    ),
    AttributeSpec::new("pto.entry", AttributeKind::Unit, "Marks the function that a launch starts."),
    AttributeSpec::new("pto.kernel", AttributeKind::Unit, "Marks a function that is a kernel."),
];

/// Key of the profile.
pub const TARGET_ARCH: &str = "pto.target_arch";

/// Key of the device.
pub const DEVICE_SPEC: &str = "pto.device-spec";

/// The structural attribute with a key.
pub fn find(key: &str) -> Option<&'static AttributeSpec> {
    STRUCTURAL.iter().find(|spec| spec.name == key)
}

/// The structural attribute that an unknown key of the dialect probably means.
pub fn misspelt(key: &str) -> Option<&'static str> {
    let names = STRUCTURAL.iter().map(|spec| spec.name);
    key.starts_with("pto.").then(|| nearest(key, names)).flatten()
}
