//! `pto.h` equals the output of cbindgen for `abi.rs`; `BLESS=1` writes it.

use cbindgen::{Builder, Config, DocumentationStyle, ExportConfig, Language, Style};

const HEADER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cpp/include/pto/pto.h");

#[test]
fn the_header_declares_the_interface() {
    let config = Config {
        language: Language::C,
        cpp_compat: true,
        style: Style::Both,
        include_guard: Some("PTO_H".into()),
        header: Some("// The interface between the C++ headers and libpto_c, written by cbindgen from crates/pto-c/src/abi.rs.".into()),
        no_includes: true,
        sys_includes: vec!["stdint.h".into()],
        line_length: 120,
        documentation_style: DocumentationStyle::Cxx,
        // No function has them in its signature.
        export: ExportConfig {
            include: ["pto_tensor", "pto_conv_tile", "pto_fact_of", "pto_cores"].map(String::from).to_vec(),
            ..ExportConfig::default()
        },
        ..Config::default()
    };
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/src/abi.rs");
    let bindings = Builder::new().with_config(config).with_src(source).generate().expect("an interface");
    let mut text = Vec::new();
    bindings.write(&mut text);
    // The safety of all functions is that of the module, for readers of Rust.
    let text =
        String::from_utf8(text).expect("a text").replace("///\n/// # Safety\n/// See the module.\n", "");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(HEADER, &text).expect("a header that can be written");
    }
    let current = std::fs::read_to_string(HEADER).expect("the header");
    assert!(current == text, "cpp/include/pto/pto.h is stale: BLESS=1 cargo test -p pto-c header");
}
