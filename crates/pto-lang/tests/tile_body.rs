//! Tests of `pto_lang::text::tile_body`.

use pto_isa::TileType;
use pto_lang::text::tile_body::*;

fn read(body: &str) -> TileType {
    parse_tile_body(body).unwrap_or_else(|message| panic!("{message}")).tile
}

#[test]
fn every_spelling_means_the_same_tile() {
    let keyed = "loc=vec, dtype=f32, rows=16, cols=32, v_row=16, v_col=32, blayout=row_major, \
                     slayout=none_box, fractal=512, pad=0";
    for body in
        ["16x32xf32", "vec, 16x32xf32", "f32, 16, 32", "loc=vec, f32, 16, 32, RowMajor, NoneBox, None"]
    {
        assert_eq!(read(body), read(keyed), "{body}");
    }
}

#[test]
fn both_printed_forms_are_read_back() {
    for body in [
        "mat, 32x64xbf16, valid=?x?, blayout=col_major, slayout=row_major",
        "acc, 16x16xf32, valid=3x?, blayout=col_major, slayout=row_major, fractal=1024, pad=3, compact=1",
        "vec, 16x16xf32, pad=0x1BF800000",
    ] {
        let tile = read(body);
        assert_eq!(read(&tile.keyed()), tile);
        assert_eq!(tile.compact_body(), body);
    }
}

#[test]
fn an_old_order_is_noticed() {
    let body =
        "loc=mat, dtype=f32, rows=32, cols=32, blayout=col_major, v_row=32, v_col=32, slayout=row_major";
    assert!(parse_tile_body(body).is_ok_and(|body| body.old_order));
}

#[test]
fn wrong_parameters_are_named() {
    for (body, word) in [("vec, 16x32xf31", "16x32xf31"), ("loc=top, dtype=f32", "top"), ("vec, ...", "...")]
    {
        assert!(parse_tile_body(body).is_err_and(|message| message.contains(word)), "{body}");
    }
}
