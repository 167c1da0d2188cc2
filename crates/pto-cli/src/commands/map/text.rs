//! The tables of `pto map`.

use crate::render::place_in_words;
use crate::report::{MapReport, MappedBuffer};
use std::fmt::Write;

pub(super) fn lines(map: &MapReport, remarks: &[&str]) -> String {
    let mut out = String::new();
    let rank = if map.rank > 0 { format!(" of rank {}", map.rank) } else { String::new() };
    let _ = writeln!(
        out,
        "{}: memory of block {}{rank} over {:.2} us on {}",
        map.file, map.block, map.microseconds, map.device
    );
    remarks.iter().for_each(|remark| out.push_str(&format!("{remark}\n")));
    if map.buffers.is_empty() {
        out.push_str("no instruction accesses a tile\n");
    }
    map.buffers.iter().for_each(|buffer| table(&mut out, buffer, map.sigil));
    conflicts(&mut out, map);
    out
}

fn table(out: &mut String, buffer: &MappedBuffer, sigil: &str) {
    let of = buffer.capacity.map_or(String::new(), |capacity| {
        format!(" of {capacity} bytes ({:.1} %)", 100.0 * buffer.peak as f64 / (capacity as f64).max(1.0))
    });
    let of = if of.is_empty() { " bytes".to_owned() } else { of };
    let _ = writeln!(
        out,
        "\n{}: {}{of}, {} live at once, first at {:.2} us; {} bytes of several tiles, {} never accessed",
        buffer.name, buffer.peak, buffer.live_peak, buffer.live_peak_at, buffer.reused, buffer.unused
    );
    out.push_str("   address      bytes  unused    live   values  tile\n");
    for tile in &buffer.tiles {
        let values = tile.values.len() as u64 + tile.joined;
        let _ = writeln!(
            out,
            "{:>10} {:>10} {:>7} {:>6.1} % {values:>8}  {sigil}{} {}at {}",
            tile.address,
            tile.bytes,
            tile.bytes.saturating_sub(tile.used),
            100.0 * tile.live,
            tile.name,
            if tile.ty.is_empty() { String::new() } else { format!("{} ", tile.ty) },
            place_in_words(tile.line, tile.origin.as_ref())
        );
    }
}

fn conflicts(out: &mut String, map: &MapReport) {
    if map.conflicts.is_empty() {
        return;
    }
    out.push_str("\nconflicts\n");
    for conflict in &map.conflicts {
        let (sigil, [first, second]) = (map.sigil, &conflict.tiles);
        let [one, other] = conflict.lines;
        let when = conflict.start.map_or(String::new(), |at| format!(" at {at:.2} us"));
        let what = conflict.rule.as_deref().unwrap_or("values in the same bytes at the same time");
        let _ = writeln!(
            out,
            "{what}: {sigil}{first} (line {one}) and {sigil}{second} (line {other}), bytes {} to {} of {}{when}",
            conflict.address,
            (conflict.address + conflict.bytes).saturating_sub(1),
            map.buffers[conflict.buffer].name,
        );
    }
}
