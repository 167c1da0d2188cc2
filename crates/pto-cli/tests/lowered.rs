//! The corpus after the public assembler, which placed and synchronized the programs: they are read, run and watched.
//!
//! The programs are beside the checkout, with an index of their inputs and of whether their synchronization is right.
//! Without that folder nothing is tested. `PTO_LOWERED=1` runs all of them.

use crate::support::command;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The index states a race, which was a false alarm: TPRINT begins with a barrier of all pipes.
const PRINTS: [&str; 2] =
    ["graph-solver/TPushTPop@a3@test1@kernel.pto", "graph-solver/TPushTPop@a3@test2@kernel.pto"];

/// The index states no finding, since it was made before a set of a flag had to be ordered after the wait for the
/// previous set. In each program a pipe sets a flag again while the pipe that waits for it may not have finished that
/// wait. In the last one, MTE1 first waits for an entry of a queue; when the index was made, the scalar unit waited for
/// it, and with it all pipes, but on A5 the others go on.
const EARLY: [&str; 4] = [
    "graph-solver/FFN@ffn_fc1_splitk.pto",
    "graph-solver/PyPTOIRParser@paged_attention_example_kernel_online_update.pto",
    "insert-sync/DeepseekV4DecodeA5@kernels@aiv@hc_post.pto",
    "insert-sync/DeepseekV4DecodeA5@kernels@qk_pv.pto",
];

/// The index states no finding; with its arguments a window starts after the last column of the table.
const BEYOND: [&str; 2] = [
    "insert-sync/DeepseekV4DecodeA5@kernels@aiv@exp_gate_up_act.pto",
    "insert-sync/DeepseekV4DecodeA5@kernels@aiv@exp_w2_act.pto",
];

/// Files are missing, and the assembler dropped the views that would imply the sizes of its buffers.
const UNSIZED: [&str; 1] = ["insert-sync/DeepseekV4DecodeA5@kernels@aiv@csa_slots_build_valid_qk_plan.pto"];

/// The index states no finding, since it was made before these rules: in the first two the cube core acquires a token for V, which it
/// lacks; in the others an accumulator is stored to a view that is wider, of which a device stores nothing.
const REFUSED: [(&str, &str); 4] = [
    ("insert-sync/Sync@test_a5_buf_sync.pto", "cores::kind"),
    ("graph-solver/Sync@test_a5_buf_sync.pto", "cores::kind"),
    ("insert-sync/FlashAttention@flash_attention_qk_boundary.pto", "tstore::extent"),
    ("graph-solver/FlashAttention@flash_attention_qk_boundary.pto", "tstore::extent"),
];

/// Programs for which the verdict of `pto verify` is *unknown*: with the scalars of the index, some of their instructions
/// never run.
const UNCOVERED: [&str; 11] = [
    "graph-solver/ControlFlow@control_flow_dynamic_branch.pto",
    "graph-solver/Matmul_transpose@Matmul_transpose-pto-ir.pto",
    "graph-solver/Sync@matmul.pto",
    "graph-solver/Sync@test_if_else_tile_result.pto",
    "insert-sync/ControlFlow@control_flow_dynamic_branch.pto",
    "insert-sync/DeepseekV4DecodeA5@kernels@aiv@lm_head_combine_gather.pto",
    "insert-sync/DeepseekV4DecodeA5@kernels@aiv@lm_head_combine_push.pto",
    "insert-sync/DeepseekV4DecodeA5@kernels@aiv@shared_routed.pto",
    "insert-sync/Matmul_transpose@Matmul_transpose-pto-ir.pto",
    "insert-sync/PyPTOIRParser@paged_attention_example_kernel_online_update.pto",
    "insert-sync/Sync@matmul.pto",
];

/// The rule that refuses a program against the index.
fn refused(file: &str) -> Option<&'static str> {
    REFUSED.iter().find(|(known, _)| *known == file).map(|(_, rule)| *rule)
}

fn lowered() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/lowered")
}

fn read(path: &Path) -> Json {
    let text = std::fs::read_to_string(path).expect("a file");
    serde_json::from_str(&text).expect("JSON")
}

/// Whether a pointer argument occurs only once, so that no view implies the size of its buffer.
fn is_unused(text: &str, name: &str) -> bool {
    let mention = format!("%{name}");
    let ends = |rest: &&str| !rest.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_');
    let mut mentions = text.split(&mention).skip(1).filter(ends);
    mentions.next().is_some_and(|rest| rest.starts_with(": !pto.ptr")) && mentions.next().is_none()
}

/// The launch of a program: with the arguments of the index, or, if these are missing files, with those of the corpus
/// manifest.
fn launch(entry: &Json, corpus: &[Json]) -> Json {
    let words: Vec<&str> =
        entry["arguments"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    let (mut inputs, mut counts, mut missing) = (Map::new(), [json!(1), json!(1)], false);
    for pair in words.chunks(2) {
        match (pair[0], pair[1].split_once('=')) {
            ("-i", Some((name, source))) => {
                missing |= source.ends_with(".npy");
                inputs.insert(name.to_owned(), json!(source));
            }
            ("--blocks", _) => counts[0] = json!(pair[1].parse::<u32>().expect("a number")),
            ("--ranks", _) => counts[1] = json!(pair[1].parse::<u32>().expect("a number")),
            (flag, _) => panic!("{flag} of {}", entry["file"]),
        }
    }
    let file = entry["file"].as_str().expect("a file").replace('/', "@");
    let file = format!("{}/{file}", entry["kind"].as_str().expect("a kind"));
    let source = corpus.iter().find(|known| missing && known["file"] == entry["file"]);
    match source {
        Some(source) => {
            let mut launch = source.clone();
            let text = std::fs::read_to_string(lowered().join(&file)).expect("a program");
            for name in (0..16).map(|number| format!("arg{number}")).filter(|name| is_unused(&text, name)) {
                launch["inputs"][name] = json!("zeros:1");
            }
            launch["file"] = json!(file);
            launch
        }
        None => json!({"file": file, "blocks": counts[0], "ranks": counts[1], "inputs": inputs}),
    }
}

/// For each program, the expected rules of its findings.
fn findings(index: &[Json], watch: &str) -> BTreeMap<String, Vec<String>> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus.json");
    let corpus = read(&manifest);
    let corpus = corpus.as_array().expect("a list");
    let launches: Vec<Json> = index.iter().map(|entry| launch(entry, corpus)).collect();
    let path = std::env::temp_dir().join(format!("pto-lowered-{}.json", std::process::id()));
    std::fs::write(&path, Json::from(launches).to_string()).expect("a file");
    let (folder, manifest) = (lowered(), path.to_string_lossy().into_owned());
    let folder = folder.to_string_lossy();
    let output = command(&["run", "--all", &folder, "--manifest", &manifest, "--watch", watch, "--json"]);
    let _ = std::fs::remove_file(&path);
    let text = String::from_utf8_lossy(&output.stdout);
    let report: Json = serde_json::from_str(&text).expect("JSON");
    let files = report["files"].as_array().expect("files");
    let rules = |file: &Json| {
        let rules = file["rules"].as_array().into_iter().flatten().filter_map(Json::as_str);
        let message = file["message"].as_str().filter(|_| file["rules"].as_array().is_none_or(Vec::is_empty));
        rules.chain(message).map(str::to_owned).collect()
    };
    files.iter().map(|file| (file["file"].as_str().expect("a file").to_owned(), rules(file))).collect()
}

/// The difference of the findings of a program from the verdict on its synchronization.
fn judge(file: &str, verdict: &str, found: &[String]) -> Option<String> {
    let has = |kinds: &[&str]| found.iter().any(|rule| kinds.iter().any(|kind| rule.starts_with(kind)));
    let wrong = match verdict {
        _ if has(&["syntax"]) => true,
        _ if UNSIZED.contains(&file) => false,
        _ if PRINTS.contains(&file) => !found.is_empty(),
        _ if BEYOND.contains(&file) => found != ["mem::beyond-view"],
        _ if EARLY.contains(&file) => found.iter().any(|rule| rule != "sync::set-twice") || found.is_empty(),
        _ if refused(file).is_some() => found.iter().ne(refused(file).iter()),
        "silent" => !found.is_empty(),
        // No instruction of those programs uses them directly.
        "the plan uses the last 8 KB of UB" => !found.is_empty(),
        verdict if verdict.starts_with("deadlock") || verdict.starts_with("race") => {
            !has(&["race::", "sync::", "cores::deadlock", "cores::kind"])
        }
        // Barriers of V that the assembler omits on A2/A3 are races; any other finding is a false alarm.
        verdict if verdict.starts_with("look") => found.iter().any(|rule| !rule.starts_with("race::")),
        verdict => !verdict.starts_with("rejected"),
    };
    wrong.then(|| format!("{file} ({verdict}): {found:?}"))
}

#[test]
fn findings_agree_with_the_verdicts_of_the_index() {
    if !lowered().is_dir() {
        return;
    }
    let index = read(&lowered().join("index.json"));
    let index = index.as_array().expect("a list");
    // All programs if `PTO_LOWERED` is set, else some: they take minutes in a debug build.
    let all = std::env::var_os("PTO_LOWERED").is_some();
    let index: Vec<Json> = index.iter().step_by(if all { 1 } else { 12 }).cloned().collect();
    let index = index.as_slice();
    let found = findings(index, "race,sync,mem");
    let name = |entry: &Json| {
        let text = |key: &str| entry[key].as_str().expect("text").replace('/', "@");
        format!("{}/{}", text("kind"), text("file"))
    };
    let wrong: Vec<String> = index
        .iter()
        .filter_map(|entry| {
            let name = name(entry);
            let rules = found.get(&name).unwrap_or_else(|| panic!("{name} did not run"));
            judge(&name, entry["verdict"].as_str().expect("a verdict"), rules)
        })
        .collect();
    assert!(wrong.is_empty() && index.len() >= 24, "{}", wrong.join("\n"));
}

/// Verdict of `pto verify` on `lowered` as the lowered form of `source`; `None` if the index has no inputs for the
/// program.
fn verdict(entry: &Json, source: &str, lowered: &str) -> Option<String> {
    let words: Vec<&str> =
        entry["arguments"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    if words.iter().any(|word| word.ends_with(".npy")) {
        return None;
    }
    // The index gives the buffers of some queues no bytes. These buffers hold all slots: the command computes their size.
    let pairs = words.chunks(2).filter(|pair| !pair[pair.len() - 1].ends_with("=zeros:0"));
    let words: Vec<&str> = pairs.flatten().copied().collect();
    let output = command(&[&["verify", source, lowered, "--json"], words.as_slice()].concat());
    let report: Json = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let rules = report["diagnostics"].as_array().into_iter().flatten().map(|finding| &finding["rule"]);
    match report["verdict"].as_str() {
        Some("unknown") if rules.clone().all(|rule| rule == "verify::coverage") => {
            Some("uncovered".to_owned())
        }
        said => Some(said.unwrap_or("refused").to_owned()),
    }
}

/// Whether the index expects acceptance; `None` if either is right: on A2/A3 the assembler omits barriers of V, which some
/// programs need.
fn is_expected(file: &str, verdict: &str) -> Option<bool> {
    match verdict {
        _ if PRINTS.contains(&file) => Some(true),
        _ if EARLY.contains(&file) || refused(file).is_some() => Some(false),
        verdict if verdict.starts_with("look") => None,
        "silent" | "the plan uses the last 8 KB of UB" => Some(true),
        _ => Some(false),
    }
}

#[test]
fn verify_agrees_with_the_verdicts_of_the_index() {
    if !lowered().is_dir() {
        return;
    }
    let index = read(&lowered().join("index.json"));
    let all = std::env::var_os("PTO_LOWERED").is_some();
    let index: Vec<&Json> =
        index.as_array().expect("a list").iter().step_by(if all { 1 } else { 24 }).collect();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let judge = || {
        let (mut wrong, mut judged) = (Vec::new(), 0);
        while let Some(entry) = index.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
            let text = |key: &str| entry[key].as_str().expect("text");
            let name = format!("{}/{}", text("kind"), text("file").replace('/', "@"));
            let source = lowered().join("../corpus").join(text("file")).display().to_string();
            let path = lowered().join(&name).display().to_string();
            let Some(said) = verdict(entry, &source, &path) else { continue };
            judged += 1;
            let is_wrong = match is_expected(&name, text("verdict")) {
                _ if UNCOVERED.contains(&name.as_str()) => said != "uncovered",
                expected => expected.is_some_and(|expected| expected != (said == "accepted")),
            };
            if is_wrong {
                wrong.push(format!("{name} ({}): {said}", text("verdict")));
            }
        }
        (wrong, judged)
    };
    let results = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(judge)).collect();
        workers.into_iter().map(|worker| worker.join().expect("a worker")).collect::<Vec<_>>()
    });
    let wrong: Vec<String> = results.iter().flat_map(|(wrong, _)| wrong.clone()).collect();
    let judged: usize = results.iter().map(|(_, judged)| judged).sum();
    assert!(wrong.is_empty() && judged >= index.len() * 3 / 4, "{judged} judged\n{}", wrong.join("\n"));
}
