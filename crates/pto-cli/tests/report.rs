//! `pto report`: its size and its data; and in headless Chromium, where there is one, zoom, search, the link from a finding to its
//! line, tabs, colours and heat maps, without an error on the console.
#![allow(clippy::print_stderr)]

mod page;

use crate::support::folder::Folder;
use crate::support::{command, root};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Maximum size in bytes of a report.
const MOST: usize = 3_000_000;

/// A race of a loop with two flags.
const RACE: [&str; 3] = ["tests/races/ptoas_176_ping_pong.pto", "--entry", "buggy"];

fn scratch(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("pto-report-{}-{name}", std::process::id()))
}

/// Writes a report and returns its text, with the status of the command.
fn report(name: &str, flags: &[&str]) -> (String, Option<i32>) {
    let path = scratch(&format!("{name}.html"));
    let output = command(&[&["report", "-o", &path.display().to_string()], flags].concat());
    let page = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    std::fs::remove_file(&path).expect("it is removed");
    assert!(page.len() < MOST, "{name}: {} bytes", page.len());
    (page, output.status.code())
}

/// The data of a page.
fn data(page: &str) -> Json {
    let start = page.split_once("id=\"data\">").expect("a script with data").1;
    serde_json::from_str(start.split_once("</script>").expect("its end").0).expect("JSON")
}

#[test]
fn a_race_is_two_accesses_on_their_pipes() {
    let (page, status) = report("race", &RACE);
    assert_eq!(status, Some(0), "the page is written: its findings do not change the status");
    let data = data(&page);
    let conflict = &data["conflicts"][0];
    assert_eq!(conflict["rule"], "race::write-after-read");
    assert_eq!((&conflict["sides"][0]["pipe"], &conflict["sides"][1]["pipe"]), (&"V".into(), &"MTE2".into()));
    let finding = &data["findings"][conflict["finding"].as_u64().expect("an index") as usize];
    assert_eq!(finding["line"], conflict["sides"][1]["line"]);
    let times = [0, 1].map(|side| conflict["sides"][side]["time"][0].as_f64().expect("a time"));
    assert!(
        times[1] < times[0],
        "the load overtakes the exponential that reads what it overwrites: {times:?}"
    );
}

#[test]
fn a_run_that_stops_is_shown_until_then() {
    let text = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/timing/vector_add.pto"),
    );
    let text = text.expect("a program").replace("%z_all, offsets = [%at]", "%z_all, offsets = [%n]");
    let file = scratch("beyond.pto");
    std::fs::write(&file, text).expect("a file");
    let name = file.display().to_string();
    let inputs = ["-i", "n=81920", "-i", "tiles_per_core=4", "-i", "x=zeros", "-i", "y=zeros"];
    let (page, status) = report("stopped", &[&[name.as_str()], inputs.as_slice()].concat());
    std::fs::remove_file(&file).expect("it is removed");
    assert_eq!(status, Some(0));
    let data = data(&page);
    let remarks = data["remarks"].to_string();
    assert!(remarks.contains("an error stopped the run: what was issued before it is timed"), "{remarks}");
    assert!(!data["timeline"]["row"].as_array().expect("entries").is_empty());
    assert_eq!(data["findings"][0]["severity"], "error");
}

/// A loop of 30,000 exponentials.
const LOOP: &str = "!t = !pto.tile_buf<vec, 1x64xf32>
module attributes {\"pto.target_arch\" = \"a2a3\"} {
func.func @many() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 30000 : index
  %t = pto.alloc_tile : !t
  scf.for %i = %c0 to %many step %c1 {
    pto.texp ins(%t : !t) outs(%t : !t)
  }
  return
}
}
";

#[test]
fn too_many_instructions_become_intervals() {
    let file = scratch("many.pto");
    std::fs::write(&file, LOOP).expect("a file");
    let name = file.display().to_string();
    let (page, status) = report("intervals", &[&name, "--watch", "none"]);
    std::fs::remove_file(&file).expect("it is removed");
    assert_eq!(status, Some(0));
    let data = data(&page);
    let entries = data["timeline"]["row"].as_array().expect("entries").len();
    let counts: u64 =
        data["timeline"]["count"].as_array().expect("counts").iter().filter_map(Json::as_u64).sum();
    assert!(entries < 25_000 && counts == 30_000, "{entries} entries of {counts} instructions");
    assert!(
        data["remarks"].to_string().contains("30000 instructions are too many to draw"),
        "{}",
        data["remarks"]
    );
}

#[test]
fn a_sequence_is_a_graph_of_launches() {
    let folder = "examples/decode_layer";
    let names = "x lengths cos sin k_cache v_cache norm_attention norm_mlp wq wk wv wo w_gate w_up w_down";
    let inputs: Vec<String> = names.split(' ').map(|name| format!("{name}={folder}/{name}.npy")).collect();
    let layer = format!("{folder}/layer.toml");
    let mut flags = vec!["--sequence", layer.as_str()];
    inputs.iter().for_each(|input| flags.extend(["-i", input]));
    let (page, status) = report("sequence", &flags);
    assert_eq!(status, Some(0));
    let data = data(&page);
    let launches = data["launches"].as_array().expect("launches");
    let index = |name: &str| launches.iter().position(|launch| launch["name"] == name).expect("a launch");
    let edges = data["edges"].as_array().expect("edges");
    let reads = |from: &str, to: &str| {
        edges.iter().any(|edge| edge["from"] == index(from) && edge["to"] == index(to))
    };
    assert!(reads("project q", "rope q (b = 1)") && !reads("project k", "rope q (b = 1)"), "{edges:?}");
    assert!(reads("rope q (b = 1)", "attention (b = 1)") && !reads("rope q (b = 1)", "attention (b = 2)"));
    let Some(browser) = browser("the graph was not opened") else { return };
    let found = used(
        browser,
        "sequence",
        &page,
        "const node = document.querySelectorAll('.graph g[role]')[4];
         press(node, 'Enter');
         found.launch = node.querySelector('text').textContent;
         found.file = document.querySelector('#source .head').textContent;
         found.about = document.getElementById('about').textContent;",
    );
    assert_eq!(found["errors"], serde_json::json!([]), "{found:#}");
    assert_eq!(found["launch"], "rope q (b = 0)");
    assert!(found["file"].as_str().is_some_and(|text| text.contains("rope.pto")), "{found:#}");
    assert!(found["about"].as_str().is_some_and(|text| text.contains("Reads from project q;")), "{found:#}");
}

#[test]
fn what_no_page_can_show_is_misuse() {
    let output = |flags: &[&str]| {
        let output = command(
            &[&["report", "examples/vector_add/kernel.pto", "-i", "length=1000", "-o", "/dev/null"], flags]
                .concat(),
        );
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (status, errors) = output(&["--device", "911"]);
    assert_eq!(status, Some(2));
    assert!(errors.contains("no device is named `911`"), "{errors}");
    let (status, errors) = output(&["--block", "3"]);
    assert_eq!(status, Some(2));
    assert!(errors.contains("the launch has no block 3"), "{errors}");
}

/// Name of an installed Chromium that starts; if there is none, prints `otherwise`.
#[allow(clippy::print_stderr)]
fn browser(otherwise: &str) -> Option<&'static str> {
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
    let found = names.into_iter().find(|name| {
        let started =
            Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        started.is_ok_and(|status| status.success())
    });
    if found.is_none() {
        eprintln!("no Chromium: {otherwise}");
    }
    found
}

/// Collects errors before the scripts of the page run.
const COLLECT: &str = "<script>
const failed = [];
addEventListener('error', (event) => failed.push(String(event.message)));
addEventListener('unhandledrejection', (event) => failed.push(String(event.reason)));
addEventListener('securitypolicyviolation', (event) => failed.push(event.violatedDirective));
console.error = (...all) => failed.push(all.join(' '));
</script>";

/// Opens the page with a script that uses it. Returns the script's findings as JSON.
fn used(browser: &str, name: &str, page: &str, script: &str) -> Json {
    let file = scratch(&format!("{name}-used.html"));
    let profile = scratch(&format!("{name}-profile"));
    let with_script = page.replacen("<body>", &format!("<body>{COLLECT}"), 1).replacen(
        "</body>",
        &format!(
            "<pre id=\"result\"></pre><script>
const rest = (ms) => new Promise((done) => setTimeout(done, ms));
const press = (node, key) => node.dispatchEvent(new KeyboardEvent('keydown', {{ key, bubbles: true, cancelable: true }}));
(async () => {{
  await rest(100);
  const found = {{}};
  try {{ {script} }} catch (error) {{ failed.push(String(error)); }}
  found.errors = failed;
  document.getElementById('result').textContent = 'begin' + JSON.stringify(found) + 'end';
}})();
</script></body>"
        ),
        1,
    );
    std::fs::write(&file, with_script).expect("a page");
    let mut child = Command::new(browser)
        .args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--window-size=1400,900",
            "--virtual-time-budget=8000",
        ])
        .arg(format!("--user-data-dir={}", profile.display()))
        .args(["--dump-dom", &format!("file://{}", file.display())])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the browser starts");
    let output = child.stdout.take().expect("its output");
    let reader = std::thread::spawn(move || std::io::read_to_string(output).unwrap_or_default());
    let start = Instant::now();
    while child.try_wait().expect("its status").is_none() {
        if start.elapsed() > Duration::from_secs(120) {
            child.kill().expect("the browser ends");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let dom = reader.join().expect("its output");
    let _ = std::fs::remove_file(&file);
    let _ = std::fs::remove_dir_all(&profile);
    let result = dom.rsplit_once("begin{").and_then(|(_, rest)| rest.split_once("}end"));
    let result = result.unwrap_or_else(|| panic!("no result in {} bytes", dom.len())).0;
    let result = result.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    serde_json::from_str(&format!("{{{result}}}")).expect("JSON")
}

#[test]
fn a_reader_zooms_searches_and_follows_findings() {
    let Some(browser) = browser("the page was not opened, and zoom, search and links were not tried") else {
        return;
    };
    let (page, _) = report("browser", &[&RACE[..], &["--watch", "all"]].concat());
    let found = used(browser, "browser", &page, SCRIPT);
    assert_eq!(found["errors"], serde_json::json!([]), "{found:#}");
    let number = |key: &str| found[key].as_f64().unwrap_or_else(|| panic!("{key} of {found:#}"));
    assert!(number("wheel") < 0.8 * number("whole"), "the wheel zooms in: {found:#}");
    assert!(number("plus") < 0.8 * number("wheel"), "so does +: {found:#}");
    assert!(number("right") > number("left"), "the arrow moves: {found:#}");
    assert_eq!(number("all"), number("whole"), "0 shows the whole time: {found:#}");
    assert_eq!(found["matches"], "2 lines, 4 runs", "{found:#}");
    assert_eq!((number("marked"), &found["entered"]), (2.0, &Json::Bool(true)), "{found:#}");
    assert_eq!(found["linked"], found["wanted"], "a finding leads to its line: {found:#}");
    assert_eq!(found["selected"], true, "{found:#}");
    assert_eq!(
        (&found["drawings"], &found["arrow"]),
        (&Json::Bool(true), &"missing: 1 happens before 2".into()),
        "{found:#}"
    );
    assert_eq!(found["tab"], "tab-findings", "{found:#}");
    assert_eq!(found["themes"], serde_json::json!(["dark", "light"]), "{found:#}");
    assert!(found["heat"].as_str().is_some_and(|text| text.contains("0 to 0")), "{found:#}");
    assert_eq!(found["stepped"], true, "n selects an instruction: {found:#}");
    assert_eq!(found["tile"], true, "a tile of the memory map marks the lines that use it: {found:#}");
}

/// Uses the page as a reader would.
const SCRIPT: &str = "
  const canvas = document.getElementById('timeline');
  const length = () => Number(canvas.dataset.to) - Number(canvas.dataset.from);
  found.whole = length();
  const box = canvas.getBoundingClientRect();
  canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -300, clientX: box.left + box.width / 2, clientY: box.top + 5, bubbles: true, cancelable: true }));
  await rest(100);
  found.wheel = length();
  canvas.focus();
  press(canvas, '+');
  await rest(100);
  found.plus = length();
  found.left = Number(canvas.dataset.from);
  press(canvas, 'ArrowRight');
  await rest(100);
  found.right = Number(canvas.dataset.from);
  press(canvas, '0');
  await rest(100);
  found.all = length();
  press(canvas, 'n');
  await rest(50);
  found.stepped = state.span !== null && document.querySelector('#lines .selected') !== null;

  const input = document.getElementById('search');
  input.value = 'texp';
  input.dispatchEvent(new Event('input', { bubbles: true }));
  found.matches = document.getElementById('found').textContent;
  found.marked = document.querySelectorAll('.row.found').length;
  press(input, 'Enter');
  const entered = document.querySelector('#lines .selected');
  found.entered = entered !== null && entered.textContent.includes('texp');
  press(input, 'Escape');

  const tabs = document.querySelector('[role=tablist]');
  document.getElementById('tab-time').focus();
  press(document.activeElement, 'ArrowRight');
  found.tab = document.querySelector('[role=tab][aria-selected=true]').id;
  const link = document.querySelector('#panel-findings .go');
  found.wanted = link.dataset.line;
  link.click();
  const row = document.querySelector('#lines .selected');
  found.linked = row.querySelector('.no').textContent;
  found.selected = row.getAttribute('aria-selected') === 'true';
  const drawing = document.querySelector('#panel-findings svg.drawing');
  found.drawings = drawing.querySelectorAll('rect').length === 2 && drawing.querySelector('path.missing') !== null;
  found.arrow = drawing.getAttribute('aria-label');

  found.themes = [];
  for (let turn = 0; turn < 2; turn += 1) {
    document.getElementById('theme').click();
    found.themes.push(document.documentElement.dataset.theme);
  }
  document.getElementById('tab-tiles').click();
  select({ line: Number(document.getElementById('step').options[0].value), span: null, tile: null });
  found.heat = document.querySelector('.heat').textContent;
  document.getElementById('tab-time').click();
  document.querySelector('tr[data-tile] button').click();
  found.tile = document.querySelectorAll('.row.uses').length > 0;
";

/// A kernel without its arguments runs on zeros: there still is a page, and the command lists these arguments.
#[test]
fn arguments_that_are_not_given_are_zeros() {
    let folder = Folder::new();
    std::fs::copy(root().join("examples/row_softmax/kernel.pto"), folder.0.join("k.pto")).expect("a copy");
    let (status, _, err) = folder.pto("report k.pto -o page.html");
    assert_eq!(status, Some(0), "{err}");
    assert!(err.contains(" kB); not given, and therefore zeros: "), "{err}");
    let (status, _, err) = folder.pto("report k.pto -o page.html --watch init");
    assert!(status == Some(0) && err.contains("init::unwritten"), "{err}");
}

#[test]
fn the_command_names_the_page_and_its_size() {
    let folder = Folder::new();
    std::fs::copy(root().join("examples/row_softmax/kernel.pto"), folder.0.join("k.pto")).expect("a copy");
    let (status, _, err) = folder.pto("report k.pto -o page.html -i x=randn:20x90 -i y=zeros:20x90");
    let size = folder.read("page.html").len().div_ceil(1000);
    assert_eq!((status, err), (Some(0), format!("wrote page.html ({size} kB)\n")));
}

/// Without a page, the status depends on the reason.
#[test]
fn a_program_that_does_not_run_has_no_page() {
    let folder = Folder::new();
    folder.write("k.pto", "func.func @k() {\n  pto.tadd\n}\n");
    let (status, _, err) = folder.pto("report k.pto -o page.html");
    assert_eq!(status, Some(1), "{err}");
    assert!(!err.contains("wrote") && !folder.0.join("page.html").exists(), "{err}");
}
