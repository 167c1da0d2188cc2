//! `pto diff-log` on damaged logs and on long ones.

use crate::support::compared::folder;
use pto_num::random;
use std::fmt::Write as _;
use std::fs;

#[test]
fn damaged_logs_are_errors() {
    let folder = folder();
    assert_eq!(folder.pto("run a.pto -q -i x=ones -i y=ones --log a.log").0, Some(0));
    let log = fs::read_to_string(folder.0.join("a.log")).expect("a log");
    let refused = |bytes: &[u8], message: &str| {
        folder.write("b.log", bytes);
        for flags in ["diff-log a.log b.log", "diff-log b.log a.log"] {
            let (status, text, errors) = folder.pto(flags);
            assert!(errors.contains(message) && text.is_empty(), "{message}: {errors}");
            assert_eq!(status, Some(1));
        }
    };
    refused(&[], "b.log: not a log: it starts with ``");
    refused(&[0xff; 100_000], "b.log: not a log");
    refused(b"hello\n", "b.log: not a log: it starts with `hello`, not with `# pto log 2`");
    refused(&log.as_bytes()[..log.len() / 2], "b.log: the log has been cut off");
    let end = log.rfind("# end").expect("a last line");
    refused(&log.as_bytes()[..end], "b.log: the log has been cut off: it has no last line `# end 20`");
    refused(
        log.replace("# end 20", "# end 19").as_bytes(),
        "b.log:22: the log has 20 entries, but says `19`",
    );
    refused(log.replace(" V tadd", " W tadd").as_bytes(), "b.log:6: a pipe expected, not `W`");
    let fourth = log.lines().nth(4).expect("a line");
    refused(log.replace(&format!("{fourth}\n"), "").as_bytes(), "b.log:5: entry 3 expected, not 4");
    refused(format!("{log}\n").as_bytes(), "b.log:23: a line after the last one of the log");
    refused(
        format!("# pto log 2\n{}\n", "a".repeat(100_000)).as_bytes(),
        "b.log:2: a line of a log has at most",
    );
    assert_eq!(folder.pto("diff-log a.log none.log").0, Some(2));
    assert_eq!(folder.pto("diff-log a.log .").0, Some(2));
}

/// A long log with other positions, some entries removed, one changed, and blocks that alternate.
#[test]
fn long_logs_are_aligned() {
    let folder = folder();
    let line = |entry: u64| {
        let (block, tile, hash) = (entry / 3 % 2, entry % 16, random::mix(entry));
        let (from, to) = (tile * 256, tile * 256 + 256);
        format!(
            "rank 0 block {block} core 0 V tadd at {}:3 | reads %a ub[0x8000..0x8100] | writes %t{tile} ub[{from:#x}..{to:#x}] 256 \
             bytes {hash:016x}",
            entry % 1000 + 1
        )
    };
    let log = |entries: &mut dyn Iterator<Item = u64>, change: &dyn Fn(u64, String) -> String| {
        let mut text = "# pto log 2\n".to_owned();
        let mut count = 0;
        for (number, entry) in entries.enumerate() {
            let _ = writeln!(text, "{number} {}", change(entry, line(entry)));
            count += 1;
        }
        text + &format!("# end {count}\n")
    };
    let length = 60_000;
    folder.write("a.log", log(&mut (0..length), &|_, line| line));
    let changed = |entry: u64, line: String| match entry {
        50_000 => line[..line.len() - 16].to_owned() + "00000000000000ff",
        _ => line.replace(":3 ", ":9 "),
    };
    let mut rest = (0..length).filter(|entry| entry % 7001 != 7000);
    folder.write("b.log", log(&mut rest, &changed));
    let (status, text, errors) = folder.pto("diff-log a.log b.log");
    assert!(
        text.starts_with("1 of 59992 aligned entries wrote other values, first\n- 50000 rank 0"),
        "{text}{errors}"
    );
    assert!(text.contains("\n8 only in a.log:\n"), "{text}");
    assert!(!text.contains("only in b.log"), "{text}");
    assert_eq!(status, Some(1));
}
