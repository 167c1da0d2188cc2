//! Recorded cases and manifests, valid ones and spoiled ones: they are read, or refused with a reason.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pto_smith::Rng;
use pto_smith::generate::{case, manifest};

fuzz_target!(|bytes: &[u8]| {
    let mut rng = Rng::from_bytes(bytes);
    // Each process has a folder of its own: several may run side by side.
    let folder = std::env::temp_dir().join(format!("pto-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("case.json"), case(&mut rng)).expect("a file");
    std::fs::write(folder.join("manifest.json"), manifest(&mut rng)).expect("a file");
    drop(pto_cli::case::Case::read(&folder));
    drop(pto_cli::manifest::read(&folder.join("manifest.json")));
});
