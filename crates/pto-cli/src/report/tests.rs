//! The schema in `docs/` is that of the types.

use super::{
    BenchReport, CheckReport, DiffLogReport, DiffReport, MapReport, ReplayReport, RunReport, SequenceReport,
    SequenceTiming, ShimReport, ShrinkReport, SweepReport, TestReport, Timings, VerifyAllReport,
    VerifyReport,
};
use serde_json::{Value, json};
use std::path::Path;

/// The schema of all reports: one definition for each command.
fn schema() -> Value {
    let mut generator = schemars::generate::SchemaSettings::draft2020_12().into_generator();
    let mut commands = serde_json::Map::new();
    let reports = [
        ("check", generator.subschema_for::<CheckReport>()),
        ("run", generator.subschema_for::<RunReport>()),
        ("run --sequence", generator.subschema_for::<SequenceReport>()),
        ("run --all", generator.subschema_for::<SweepReport>()),
        ("test", generator.subschema_for::<TestReport>()),
        ("replay", generator.subschema_for::<ReplayReport>()),
        ("verify", generator.subschema_for::<VerifyReport>()),
        ("verify --all", generator.subschema_for::<VerifyAllReport>()),
        ("time", generator.subschema_for::<Timings>()),
        ("time --sequence", generator.subschema_for::<SequenceTiming>()),
        ("map", generator.subschema_for::<MapReport>()),
        ("shim", generator.subschema_for::<ShimReport>()),
        ("shrink", generator.subschema_for::<ShrinkReport>()),
        ("diff", generator.subschema_for::<DiffReport>()),
        ("diff-log", generator.subschema_for::<DiffLogReport>()),
        ("bench", generator.subschema_for::<BenchReport>()),
    ];
    for (command, report) in reports {
        commands.insert(command.to_owned(), report.to_value());
    }
    let mut definitions = Value::Object(generator.take_definitions(true));
    commands.values().for_each(|command| versioned(command, &mut definitions));
    definitions.sort_all_objects();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What `pto COMMAND --json` prints",
        "description": "The report of a command is an instance of its entry in `commands`.",
        "commands": commands,
        "$defs": definitions,
    })
}

/// Adds the version, with which a report begins, to the definitions that the schema of a command refers to.
fn versioned(schema: &Value, definitions: &mut Value) {
    for one in schema["anyOf"].as_array().into_iter().flatten() {
        versioned(one, definitions);
    }
    let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) else { return };
    match definitions[name]["properties"].as_object_mut() {
        Some(properties) => {
            let version = json!({ "type": "string", "description": "Version of the command." });
            properties.insert("version".to_owned(), version);
        }
        None => versioned(&definitions[name].clone(), definitions),
    }
}

#[test]
fn the_schema_in_the_documents_is_that_of_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.schema.json");
    let text = format!("{:#}\n", schema());
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &text).expect("the document is written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == text,
        "docs/json.schema.json is stale: `BLESS=1 cargo test -p pto-cli --lib schema` writes it anew"
    );
}
