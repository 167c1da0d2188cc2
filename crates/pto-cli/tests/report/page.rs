//! Contents of the page when it opens: the hottest loop, colours, findings by rule, latencies.

use super::{browser, data, report, used};
use crate::support::folder::Folder;
use serde_json::{Value as Json, json};

/// Two nested loops, and a single instruction before them. The outer loop has an instruction of its own.
const NESTED: &str = "!t = !pto.tile_buf<vec, 8x64xf32>
module attributes {\"pto.target_arch\" = \"a2a3\"} {
func.func @nested() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t = pto.alloc_tile : !t
  pto.texp ins(%t : !t) outs(%t : !t)
  scf.for %i = %c0 to %c4 step %c1 {
    pto.tabs ins(%t : !t) outs(%t : !t)
    scf.for %j = %c0 to %c4 step %c1 {
      pto.texp ins(%t : !t) outs(%t : !t)
    }
  }
  return
}
}
";

const ATTENTION: [&str; 1] = ["examples/flash_attention/kernel.pto"];

/// The data of the page of a program.
fn data_of(name: &str, text: &str) -> Json {
    let folder = Folder::new();
    let file = folder.write("kernel.pto", text);
    data(&report(name, &[&file, "--watch", "none"]).0)
}

/// A page whose data a test has changed.
fn with_data(page: &str, change: impl FnOnce(&mut Json)) -> String {
    let (before, rest) = page.split_once("id=\"data\">").expect("a script with data");
    let (_, after) = rest.split_once("</script>").expect("its end");
    let mut data = data(page);
    change(&mut data);
    let json = data.to_string().replace('<', "\\u003c");
    format!("{before}id=\"data\">{json}</script>{after}")
}

#[test]
fn the_hottest_loop_is_the_one_whose_own_instructions_take_most_time() {
    let hottest = &data_of("nested", NESTED)["hottest"];
    assert_eq!((&hottest["line"], &hottest["is_loop"]), (&json!(11), &json!(true)), "{hottest}");
    let share = hottest["share"].as_f64().expect("a share");
    assert!(share > 0.6 && share < 1.0, "{share}");
}

#[test]
fn without_loops_the_hottest_line_counts() {
    let lines = NESTED.lines().filter(|line| !line.contains("scf.for") && !line.ends_with("  }"));
    let hottest = &data_of("straight", &lines.collect::<Vec<_>>().join("\n"))["hottest"];
    assert_eq!((&hottest["line"], &hottest["is_loop"]), (&json!(8), &json!(false)), "{hottest}");
}

#[test]
fn the_page_opens_at_the_hottest_loop() {
    let Some(browser) = browser("the page was not opened at its hottest loop") else { return };
    let (page, _) = report("hottest", &ATTENTION);
    let found = used(
        browser,
        "hottest",
        &page,
        "const list = document.getElementById('lines');
         const row = document.querySelector('.row.hot');
         const [around, box] = [list.getBoundingClientRect(), row.getBoundingClientRect()];
         found.code = row.querySelector('.code').textContent.trim();
         found.note = row.dataset.note;
         found.scrolled = list.scrollTop > 0;
         found.visible = box.top > around.top && box.bottom < around.top + around.height / 2;
         found.selected = state.line;",
    );
    assert_eq!(found["errors"], json!([]), "{found:#}");
    assert!(found["code"].as_str().is_some_and(|code| code.starts_with("scf.for %first")), "{found:#}");
    assert!(found["note"].as_str().is_some_and(|note| note.starts_with("hottest loop, ")), "{found:#}");
    assert_eq!((&found["scrolled"], &found["visible"]), (&json!(true), &json!(true)), "{found:#}");
    assert_eq!(found["selected"], Json::Null, "nothing is selected, which would dim the timeline: {found:#}");
}

#[test]
fn lines_are_named_as_their_author_wrote_them() {
    let text = NESTED.replacen("outs(%t : !t)\n", "outs(%t : !t) loc(\"model.py\":14:4)\n", 1);
    let folder = Folder::new();
    let file = folder.write("kernel.pto", &text);
    let (page, _) = report("authored", &[&file, "--watch", "none"]);
    assert_eq!(data(&page)["origins"], json!({ "8": "model.py:14" }));
    let Some(browser) = browser("the names of lines were not looked at") else { return };
    let found = used(browser, "authored", &page, "found.names = [lineName(8), lineName(11)];");
    assert_eq!(found["names"], json!(["model.py:14 (line 8)", "line 11"]), "{found:#}");
}

/// A finding of a rule at a line.
fn finding(severity: &str, rule: &str, line: u32) -> Json {
    json!({ "severity": severity, "rule": rule, "line": line, "message": "m", "file": "f", "label": "", "labels": [],
            "notes": [], "help": [], "edits": [] })
}

#[test]
fn findings_are_grouped_by_rule_with_errors_first() {
    let Some(browser) = browser("findings were not grouped") else { return };
    let page = with_data(&report("groups", &ATTENTION).0, |data| {
        data["conflicts"] = json!([]);
        data["findings"] = json!([
            finding("lint", "tadd::first", 9),
            finding("error", "race::second", 7),
            finding("lint", "tmul::third", 3),
            finding("extension", "texp::fourth", 4),
            finding("lint", "tadd::first", 2),
            finding("error", "race::second", 5),
        ]);
    });
    let found = used(
        browser,
        "groups",
        &page,
        "document.getElementById('tab-findings').click();
         found.groups = [...document.querySelectorAll('#panel-findings .group')].map((group) => [
           group.querySelector('summary').textContent,
           ...[...group.querySelectorAll('article > p > .go')].map((button) => Number(button.dataset.line)),
         ]);",
    );
    assert_eq!(found["errors"], json!([]), "{found:#}");
    let groups = json!([
        ["error race::second 2", 5, 7],
        ["extension texp::fourth 1", 4],
        ["lint tadd::first 2", 2, 9],
        ["lint tmul::third 1", 3],
    ]);
    assert_eq!(found["groups"], groups, "{found:#}");
}

/// Collects the parts of some lines by kind, and whether colours change the text.
const COLOURS: &str = "
  const parts = (kind) => [...document.querySelectorAll('.code .c-' + kind)].map((part) => part.textContent);
  const kinds = ['comment', 'string', 'value', 'symbol', 'type', 'operation', 'word', 'number'];
  found.parts = Object.fromEntries(kinds.map((kind) => [kind, [...new Set(parts(kind))]]));
  const shade = (kind) => getComputedStyle(document.querySelector('.code .c-' + kind)).color;
  found.shades = new Set(['comment', 'string', 'type', 'operation', 'number'].map(shade)).size;
  found.text = rowOfLine.every((row, line) => row.querySelector('.code').textContent === (data.source[line - 1] || ' '));
  found.heights = new Set([...document.querySelectorAll('.row')].map((row) => row.clientHeight)).size;
";

/// Asserts that a page has parts of a kind.
fn has(found: &Json, kind: &str, parts: &[&str]) {
    let all = found["parts"][kind].as_array().unwrap_or_else(|| panic!("{found:#}"));
    for part in parts {
        assert!(all.contains(&json!(part)), "no {kind} `{part}`: {all:?}");
    }
}

#[test]
fn source_has_colours_in_lines_that_are_not_wrapped() {
    let Some(browser) = browser("colours were not tried") else { return };
    let (page, _) = report("colours", &ATTENTION);
    let found = used(browser, "colours", &page, COLOURS);
    assert_eq!(found["errors"], json!([]), "{found:#}");
    has(&found, "operation", &["pto.tload", "pto.tmatmul", "arith.constant", "scf.for"]);
    has(&found, "type", &["!pto.tile_buf", "16x32xf32", "?x?xf32", "!q_l1", "#pto.layout", "index"]);
    has(&found, "value", &["%q_tile", "%c0"]);
    has(&found, "number", &["0.176776695", "-1.0e30", "75"]);
    has(&found, "string", &["\"a2a3\""]);
    has(&found, "symbol", &["@flash_attention"]);
    has(&found, "comment", &["// Cube: scores = q k^T."]);
    assert_eq!((&found["shades"], &found["text"]), (&json!(5), &json!(true)), "{found:#}");
    assert_eq!(found["heights"], 1, "{found:#}");
}

#[test]
fn kernels_in_cpp_have_colours() {
    let Some(browser) = browser("colours of C++ were not tried") else { return };
    let page = with_data(&report("cpp", &ATTENTION).0, |data| {
        data["sigil"] = json!("");
        data["source"] = json!([
            "#include \"pto.h\" // first",
            "/* a comment",
            "   TADD of two lines */ TLOAD(tile, 0x1f);",
            "constexpr float half = 1.5f;",
        ]);
    });
    let found = used(browser, "cpp", &page, COLOURS);
    assert_eq!((&found["errors"], &found["text"]), (&json!([]), &json!(true)), "{found:#}");
    has(&found, "comment", &["// first", "/* a comment", "   TADD of two lines */"]);
    assert_eq!(found["parts"]["operation"], json!(["TLOAD"]), "{found:#}");
    has(&found, "number", &["0x1f", "1.5f"]);
    has(&found, "type", &["float"]);
}

#[test]
fn the_source_is_wide_and_paths_stay_in_it() {
    let Some(browser) = browser("widths were not measured") else { return };
    let folder = Folder::new();
    let path = format!("{}/kernel.pto", ["a-folder-with-a-long-name"; 6].join("/"));
    let file = folder.write(&path, NESTED);
    let (page, _) = report("wide", &[&file, "--watch", "none"]);
    let found = used(
        browser,
        "wide",
        &page,
        "const width = (node) => node.getBoundingClientRect().width;
         const source = document.getElementById('source');
         found.share = width(source) / innerWidth;
         const path = document.querySelector('.head .path');
         found.title = path.title;
         found.cut = path.scrollWidth > path.clientWidth;
         found.inside = path.getBoundingClientRect().right <= document.getElementById('tabs').getBoundingClientRect().left;
         found.end = path.querySelector('bdi').getBoundingClientRect().right <= path.getBoundingClientRect().right + 1;
         const before = width(source);
         press(document.getElementById('divider'), 'ArrowLeft');
         found.narrower = width(source) < before;",
    );
    assert_eq!(found["errors"], json!([]), "{found:#}");
    assert!(found["share"].as_f64().is_some_and(|share| share > 0.5), "{found:#}");
    assert_eq!(found["title"], file, "{found:#}");
    for key in ["cut", "inside", "end", "narrower"] {
        assert_eq!(found[key], true, "{key}: {found:#}");
    }
}

/// Shows one instruction with a latency, and reads a pixel of its bar and one of its latency.
const LATENCY: &str = "
  const free = (entry) => {
    const list = entries[line.row[entry]];
    const next = list[list.indexOf(entry) + 1];
    return next === undefined || line.start[next] >= endOf(entry) + latencyOf(entry);
  };
  const entry = line.row.findIndex((row, index) => latencyOf(index) > 0 && line.length[index] > 0 && free(index));
  const last = endOf(entry) + latencyOf(entry);
  show(line.start[entry], last);
  await rest(200);
  const canvas = document.getElementById('timeline');
  const scale = canvas.width / canvas.clientWidth;
  const alpha = (at) => canvas.getContext('2d')
    .getImageData(xOf(at, canvas.clientWidth) * scale, (line.row[entry] * ROW + 4) * scale, 1, 1).data[3];
  found.bar = alpha((line.start[entry] + endOf(entry)) / 2);
  found.latency = alpha((endOf(entry) + last) / 2);
  found.words = describe(entry);
";

#[test]
fn latencies_are_lighter_than_the_time_on_the_pipe() {
    let (page, _) = report("latency", &ATTENTION);
    let timeline = &data(&page)["timeline"];
    let numbers = |key: &str| {
        let all = timeline[key].as_array().expect("numbers");
        all.iter().map(|number| number.as_f64().expect("a number")).collect::<Vec<_>>()
    };
    let latencies = numbers("latency");
    assert_eq!(latencies.len(), numbers("length").len());
    assert!(
        latencies.iter().any(|latency| *latency > 0.0) && latencies.iter().all(|latency| *latency >= 0.0)
    );
    let Some(browser) = browser("latencies were not drawn") else { return };
    let found = used(browser, "latency", &page, LATENCY);
    assert_eq!(found["errors"], json!([]), "{found:#}");
    let alpha = |key: &str| found[key].as_f64().unwrap_or_else(|| panic!("{key} of {found:#}"));
    assert!(alpha("bar") > 250.0 && (40.0..150.0).contains(&alpha("latency")), "{found:#}");
    assert!(
        found["words"].as_str().is_some_and(|words| words.contains(", results after another ")),
        "{found:#}"
    );
}
