//! Observers use the effects on an instruction's page: programs in `tests/effects` for which effects inferred from
//! names were wrong.

use crate::support::launch;
use pto::observe::{Watcher, Watchers};

use launch::{found, log_text, rules, run_text, watch_text};
use pto::isa::Profile;
use pto::sim::{Options, Outcome, Schedule};

const INIT: Watchers = Watchers::of(&[Watcher::Init]);
const RACE: Watchers = Watchers::of(&[Watcher::Race, Watcher::Sync]);

fn text(name: &str) -> String {
    launch::text(&format!("effects/{name}"))
}

fn run(name: &str, profile: Option<Profile>, options: &Options) -> Outcome {
    run_text(&text(name), profile, options)
}

fn watched(name: &str, profile: Option<Profile>, watchers: Watchers) -> Vec<(String, String)> {
    found(&watch_text(&text(name), profile, watchers))
}

/// A padded load writes its padding: an unordered read of the padding is a race, and it is not an unwritten read.
#[test]
fn a_padded_load_writes_its_padding() {
    let found = watched("padded_load_race.pto", None, Watchers::ALL);
    let [(rule, note)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(rule, "race::read-after-write");
    assert_eq!(note, "both access rows 0 to 0, columns 6 to 6 of `%a`");
    let value = |schedule| {
        let outcome = run("padded_load_race.pto", None, &Options::default().schedule(schedule));
        f32::from_le_bytes(outcome.buffers[1].bytes[..4].try_into().expect("four bytes"))
    };
    assert_eq!((value(Schedule::Program), value(Schedule::Lazy)), (f32::INFINITY, 0.0));
}

/// A finding about one element names that element.
#[test]
fn a_race_on_one_element_names_its_column() {
    let found = watched("padded_load_words.pto", None, RACE);
    let [(rule, note)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(rule, "race::read-after-write");
    assert_eq!(note, "both access rows 0 to 0, columns 4 to 4 of `%a`");
}

/// A move to a left tile writes its declared shape, 32 x 32 elements of two bytes.
#[test]
fn a_move_to_a_left_tile_is_logged_whole() {
    let log = log_text(&text("tmov_left_log.pto"));
    assert_eq!(log.entries().map(|entry| entry.bytes()).collect::<Vec<_>>(), [2048]);
}

/// The class TMOV_M2V runs on pipe V, both for a program's flags and for its check.
#[test]
fn event_classes_have_one_pipe() {
    for name in ["event_class_m2v.pto", "event_class_tvec.pto"] {
        assert_eq!(watched(name, None, RACE), [], "{name}");
    }
}

/// A merge writes as many elements as its sources have; a product reads the part of its accumulator that it
/// writes.
#[test]
fn what_is_not_read_need_not_be_written() {
    for name in ["init_tmrgsort.pto", "init_tmatmul_acc.pto"] {
        assert_eq!(watched(name, None, INIT), [], "{name}");
    }
}

/// Rows of an accumulator that no product wrote are reported when they are stored.
#[test]
fn a_store_of_rows_that_no_product_wrote_is_found() {
    let text = text("init_tmatmul_acc.pto");
    // Stores the larger accumulator, of whose 16 rows the products wrote 8.
    let store =
        text.replace("pto.tstore ins(%c8t", "pto.tstore ins(%c16t").replace("<8x16xf32>", "<16x16xf32>");
    let store =
        store.replace("%ov, offsets = [%c0, %c0], sizes = [%c8", "%ov, offsets = [%c0, %c0], sizes = [%c16");
    let store = store.replace("%o, shape = [%c8,", "%o, shape = [%c16,");
    let found = watch_text(&store, None, INIT);
    let errors: Vec<_> = found.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(errors, ["`tstore` reads `%c16t`, but nothing has written its row 8, column 0"]);
}

/// `trem` writes its workspace on A2/A3; on A5 no instruction does.
#[test]
fn workspaces_are_those_of_the_profile() {
    let race = |profile| {
        let found = watched("trem_tmp_race.pto", Some(profile), RACE);
        found.into_iter().map(|(rule, _)| rule).collect::<Vec<_>>()
    };
    assert_eq!(race(Profile::A2A3), ["race::write-after-write", "race::write-after-read"]);
    assert_eq!(race(Profile::A5), ["race::write-after-read"]);
}

/// The old contents of a workspace are destroyed: a read afterwards is a finding if the profile uses the
/// workspace.
#[test]
fn a_workspace_holds_nothing_afterwards() {
    let text = text("trem_tmp_race.pto");
    let mut lines: Vec<&str> = text.lines().collect();
    let line = |what: &str| lines.iter().position(|line| line.contains(what)).expect("the line");
    let (trem, load) = (line("pto.trem"), line("outs(%keep"));
    // The tile is loaded, then used as the workspace, then stored.
    lines.swap(trem, load);
    let text = lines.join("\n").replace("pto.tstore ins(%d :", "pto.tstore ins(%keep :");
    let rules = |profile| rules(&watch_text(&text, Some(profile), INIT));
    assert_eq!(rules(Profile::A2A3), ["init::unwritten"]);
    assert_eq!(rules(Profile::A5), [""; 0]);
}

/// On A2/A3 `tquant` scales its source in place; on A5 the source is unchanged.
#[test]
fn a_consumed_source_holds_nothing_afterwards() {
    let rules = |profile| {
        let found = watched("tquant_src_a2a3.pto", Some(profile), INIT);
        found.into_iter().map(|(rule, _)| rule).collect::<Vec<_>>()
    };
    assert_eq!(rules(Profile::A2A3), ["init::unwritten"]);
    assert!(rules(Profile::A5).is_empty());
}

/// The text without the lines that contain `words`.
fn without(text: &str, words: &str) -> String {
    text.lines().filter(|line| !line.contains(words)).collect::<Vec<_>>().join("\n")
}

/// If the scalar unit of A2/A3 iterates over indices, the instruction sets and waits for flags itself; they order
/// it as the manual states, under every schedule.
#[test]
fn walks_over_indices_order_what_the_manual_says() {
    for name in ["mgather_walk.pto", "mscatter_walk.pto", "tscatter_walk.pto"] {
        assert_eq!(watched(name, None, RACE), [], "{name}");
        let of = |schedule| run(name, None, &Options::default().schedule(schedule)).buffers;
        let bytes = |schedule| of(schedule).into_iter().map(|buffer| buffer.bytes).collect::<Vec<_>>();
        let expected = bytes(Schedule::Program);
        for schedule in [Schedule::Eager, Schedule::Lazy, Schedule::Random, Schedule::Adversarial] {
            assert_eq!(bytes(schedule), expected, "{name} {schedule:?}");
        }
    }
}

/// The scalar unit reads the indices of a gather: it waits for V, but not for the load of the indices.
#[test]
fn a_gather_by_rows_does_not_wait_for_its_indices() {
    let bare = without(&text("mgather_walk.pto"), "<PIPE_MTE2>, <PIPE_V>");
    assert_eq!(rules(&watch_text(&bare, None, RACE)), ["race::read-after-write"]);
    // A gather of elements waits for MTE2, too.
    let elements = bare.replace("1x8xi32>\n", "8x32xi32>\n").replace("coalesce row", "coalesce elem");
    let elements = elements.replace("1x8xi32", "8x32xi32").replace("[%c1, %c8]", "[%c8, %c32]");
    let elements = elements.replace("[%c8, %c1] :", "[%c32, %c1] :");
    assert_eq!(rules(&watch_text(&elements, None, RACE)), Vec::<String>::new());
}

/// Instructions after a scatter rely on its internal flags; a store has none, so replacing the scatter by a store
/// is a race.
#[test]
fn a_store_in_place_of_a_scatter_is_a_race() {
    let stored: Vec<_> = text("mscatter_walk.pto")
        .lines()
        .map(|line| match line.contains("pto.mscatter") {
            true => "  pto.tstore ins(%src : !data) outs(%tv : !pto.tensor_view<8x8xf32>)".to_owned(),
            false => line.to_owned(),
        })
        .collect();
    let rules = rules(&watch_text(&stored.join("\n"), None, RACE));
    assert!(rules.iter().all(|rule| rule.starts_with("race::")) && rules.len() >= 2, "{rules:?}");
}
