//! `pto layout`: pictures and text agree with `Layout::offset`, and their size is bounded.

use crate::support::{Drawn, command, drawn, texts_are_apart};
use pto::isa::TileType;
use pto_cli::{layout, picture};
use std::collections::BTreeMap;

fn tile(text: &str) -> TileType {
    pto::text::parse_tile_type(text).unwrap_or_else(|findings| panic!("{text}: {findings:?}")).0
}

/// Small tiles of each layout and of formats of every width.
fn small() -> Vec<TileType> {
    let orders = [
        "",
        ", blayout=col_major",
        ", blayout=col_major, slayout=row_major",
        ", slayout=col_major",
        ", slayout=row_major",
        ", blayout=col_major, slayout=col_major",
    ];
    let shapes = ["32x32xf32", "16x32xf16", "32x32xi8", "16x8xi64", "8x64x!pto.f4E2M1x2"];
    let mut tiles = Vec::new();
    for order in orders {
        for shape in shapes {
            let text = format!("vec, {shape}{order}");
            let ty = tile(&text);
            if pto::check::tile_type(&ty, pto::Profile::Cpu).is_empty() {
                tiles.push(ty);
                tiles.push(TileType { valid_rows: Some(ty.rows - 3), valid_cols: Some(ty.cols - 5), ..ty });
            }
        }
    }
    tiles.push(tile("acc, 32x32xf32, blayout=col_major, slayout=row_major, fractal=1024"));
    tiles.push(tile("scaling, 32x8x!pto.f8E8M0, slayout=row_major, fractal=32"));
    tiles.push(tile("vec, 17x32xf16, blayout=col_major, slayout=row_major"));
    assert!(tiles.len() > 40, "{}", tiles.len());
    tiles
}

/// The number in each cell of a picture, by row and column.
fn cells(svg: &str) -> BTreeMap<(usize, usize), usize> {
    let mut rects = Vec::new();
    let mut numbers = Vec::new();
    // Groups: numbers of columns, numbers of rows, cells, numbers of boxes if there are any, offsets.
    let boxes = usize::from(svg.contains("fill-opacity"));
    let (mut groups, mut inside) = (0, false);
    for shape in drawn(svg) {
        match shape {
            Drawn::Group => (groups, inside) = (groups + 1, true),
            Drawn::End => inside = false,
            Drawn::Rect { x, y, width, height, .. } if inside && groups == 3 => {
                rects.push((x, y, width, height))
            }
            Drawn::Text { x, y, text } if inside && groups == 4 + boxes => numbers.push((x, y, text)),
            _ => {}
        }
    }
    // The last group of a large tile contains the marks of its omitted parts.
    let marks = usize::from(svg.contains('\u{2026}') || svg.contains('\u{22ee}'));
    assert_eq!(groups, 4 + boxes + marks);
    let mut xs: Vec<_> = rects.iter().map(|rect| rect.0).collect();
    let mut ys: Vec<_> = rects.iter().map(|rect| rect.1).collect();
    for list in [&mut xs, &mut ys] {
        list.sort_unstable();
        list.dedup();
    }
    let mut found = BTreeMap::new();
    for (x, y, width, height) in rects {
        let inside: Vec<_> = numbers
            .iter()
            .filter(|(at, base, _)| (x..x + width).contains(at) && (y..y + height).contains(base))
            .collect();
        let [(_, _, number)] = inside[..] else { panic!("{} numbers in a cell", inside.len()) };
        let place = (ys.binary_search(&y).expect("a row"), xs.binary_search(&x).expect("a column"));
        let before = found.insert(place, number.parse().expect("a number"));
        assert_eq!(before, None, "{place:?} is drawn twice");
    }
    assert_eq!(found.len(), numbers.len());
    found
}

#[test]
fn every_element_is_drawn_once_with_its_offset() {
    for ty in small() {
        let layout = ty.layout();
        let found = cells(&picture::layout(&ty));
        assert_eq!(found.len(), layout.rows * layout.cols, "{ty:?}");
        for (&(row, col), &number) in &found {
            assert_eq!(number, layout.offset(row, col), "{ty:?} ({row}, {col})");
        }
    }
    let nz = tile("mat, 32x32xf16, blayout=col_major, slayout=row_major");
    assert_eq!(cells(&picture::layout(&nz))[&(17, 20)], 788);
}

#[test]
fn boxes_of_a_large_tile_are_drawn_with_the_offset_of_their_first_element() {
    let ty = tile("mat, 128x256xf16, blayout=col_major, slayout=row_major");
    let found = cells(&picture::layout(&ty));
    assert_eq!(found.len(), 8 * 16);
    for (&(row, col), &number) in &found {
        assert_eq!(number, ty.layout().offset(16 * row, 16 * col));
    }
}

#[test]
fn large_tiles_are_elided() {
    for (order, numbers) in
        [("", 15 * 15), (", blayout=col_major", 15 * 15), (", blayout=col_major, slayout=row_major", 15 * 15)]
    {
        let ty = tile(&format!("mat, 512x512xf16{order}"));
        let svg = picture::layout(&ty);
        assert!(svg.len() < 64_000, "{order}: {} bytes", svg.len());
        let found = cells(&svg);
        assert_eq!(found.len(), numbers, "{order}");
        assert_eq!(found[&(0, 0)], 0);
        let last = found.values().max().expect("a number");
        let layout = ty.layout();
        let unit = if ty.is_boxed() { 16 } else { 1 };
        assert_eq!(*last, layout.offset(512 - unit, 512 - unit), "{order}");
        for mark in ["\u{2026}", "\u{22ee}", "\u{22f1}"] {
            assert!(svg.contains(mark), "{order}");
        }
        let size = svg.split("width=\"").nth(1).and_then(|rest| rest.split('"').next());
        assert!(size.is_some_and(|width| width.parse::<i32>().is_ok_and(|width| width < 1100)), "{size:?}");
        assert!(layout::text(&ty, pto::Profile::Cpu).ends_with(" ...\n...\n"));
    }
    // A long row, and one that is only valid in part.
    let row = picture::layout(&tile("vec, 1x4096xf32, valid=1x100"));
    assert!(row.contains('\u{2026}') && !row.contains('\u{22ee}') && row.contains(">4095<"));
}

#[test]
fn no_text_covers_another_or_leaves_the_picture() {
    let large = ["vec, 512x512xf32, valid=500x300", "mat, 512x512xf16, blayout=col_major, slayout=row_major"];
    for ty in small().into_iter().chain(large.map(tile)) {
        let svg = picture::layout(&ty);
        texts_are_apart(&svg, &format!("{ty:?}"));
        assert_eq!(picture::layout(&ty), svg, "equal each time");
    }
}

#[test]
fn the_grid_has_the_offsets_and_brackets_what_is_not_valid() {
    for ty in small() {
        let text = layout::text(&ty, pto::Profile::Cpu);
        let (valid_rows, valid_cols) = layout::valid(&ty);
        let grid = text.split("\n\n").nth(3).expect("a grid");
        let lines = grid.lines().skip(1).filter(|line| !line.contains("---") && *line != "...");
        for (row, line) in lines.clone().enumerate() {
            // `...` ends the rows of a tile that is wider than the grid.
            let words: Vec<_> =
                line.split_whitespace().filter(|word| !matches!(*word, "|" | "...")).collect();
            assert_eq!(words[0], row.to_string(), "{text}");
            for (col, word) in words[1..].iter().enumerate() {
                let outside = row >= valid_rows || col >= valid_cols;
                assert_eq!(word.starts_with('('), outside, "({row}, {col}) of\n{text}");
                let number: usize = word.trim_matches(['(', ')']).parse().expect("a number");
                assert_eq!(number, ty.layout().offset(row, col), "({row}, {col}) of\n{text}");
            }
        }
        assert_eq!(lines.count(), ty.rows as usize);
    }
}

#[test]
fn huge_tiles_give_small_answers() {
    for order in ["", ", blayout=col_major", ", slayout=col_major", ", blayout=col_major, slayout=row_major"]
    {
        for shape in ["4294967264x4294967264xi64", "1x4294967264xi8", "4294967264x64xf32", "32x100000xf16"] {
            let text = format!("vec, {shape}{order}");
            let ty = tile(&text);
            assert!(picture::layout(&ty).len() < 400_000, "{text}");
            let printed = layout::text(&ty, pto::Profile::A5);
            assert!(printed.len() < 20_000 && printed.contains("an excerpt"), "{printed}");
            assert!(layout::json(&ty, pto::Profile::A5, &[]).to_string().len() < 100_000, "{text}");
        }
    }
}

#[test]
fn every_legal_type_is_shown() {
    let orders = ["row_major", "col_major"];
    let inside = ["none_box", "row_major", "col_major"];
    let mut shown = 0;
    for element in pto::isa::Element::ALL {
        let word = pto::isa::element::element_word(element);
        for (rows, cols) in [(1, 64), (64, 1), (3, 64), (64, 64), (65536, 64), (4294967295u32, 64)] {
            for valid in ["?x?".to_owned(), "0x0".to_owned(), format!("{rows}x?"), "1x1".to_owned()] {
                for (order, inner, fractal) in orders
                    .iter()
                    .flat_map(|order| inside.iter().map(move |inner| (order, inner)))
                    .flat_map(|(order, inner)| [512, 1024, 32].map(|fractal| (order, inner, fractal)))
                {
                    let text = format!(
                        "vec, {rows}x{cols}x{word}, valid={valid}, blayout={order}, slayout={inner}, fractal={fractal}"
                    );
                    let ty = tile(&text);
                    if pto::check::tile_type(&ty, pto::Profile::A5).is_empty() {
                        shown += 1;
                        assert!(layout::text(&ty, pto::Profile::A5).len() < 20_000, "{text}");
                        assert!(shown % 7 > 0 || picture::layout(&ty).len() < 400_000, "{text}");
                    }
                }
            }
        }
    }
    assert!(shown > 1000, "{shown}");
}

#[test]
fn every_spelling_is_read_and_the_profile_is_heard() {
    for spelling in
        ["16x32xf32", "!pto.tile<16x32xf32>", "!pto.tile_buf<vec, 16x32xf32>", "<loc=vec, f32, 16, 32>"]
    {
        let output = command(&["layout", spelling, "--json"]);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!((&report["layout"], &report["offsets"][1][0]), (&"ND".into(), &32.into()), "{spelling}");
    }
    let left = "left, 32x32xf16, slayout=row_major";
    let on = |target| String::from_utf8(command(&["layout", left, "--target", target]).stderr).expect("text");
    assert!(on("a5").contains("alloc_tile::left-layout") && on("a2a3").is_empty());
}

#[test]
fn what_is_no_tile_type_is_refused() {
    for bad in
        ["", "vec", "!pto.ptr<f32>", "f32", "vec, 7x7xf32", "!pto.tile_buf<...>", "!pto.tile<8x8xf32> x", "<"]
    {
        let output = command(&["layout", bad]);
        let is_type = bad == "vec, 7x7xf32";
        assert_eq!(output.status.code(), Some(if is_type { 1 } else { 2 }), "{bad}");
        assert!(String::from_utf8_lossy(&output.stderr).starts_with("error["), "{bad}");
        assert!(output.stdout.is_empty());
    }
    let output = command(&["layout", "vec, 7x7xf32", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        (output.status.code(), &report["diagnostics"][0]["rule"]),
        (Some(1), &"alloc_tile::alignment".into())
    );
    let long = "x".repeat(100_000);
    assert!(command(&["layout", &long]).stderr.len() < 1000);
}
