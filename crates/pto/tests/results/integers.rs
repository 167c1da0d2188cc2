//! Operations on integers at their limits: division by zero, wide shifts, the least number.

use super::*;

#[test]
fn shifts_of_64_bits_on_a5_mask_the_amount_with_63() {
    let out = |profile| file("tshl64", Some(profile), vec![i64s(&[1, 2, 3, -1]), vec![0; 32]]).remove(1);
    assert_eq!(out(A5), i64s(&[2, 4, 6, -2]));
    assert_eq!(out(Cpu), i64s(&[0; 4]));

    let x = i64s(&[-8, 8, -8, 8]);
    let amounts = i64s(&[65, 64, -1, 2]);
    for element in ["i64", "ui64"] {
        let tile = |name| Tile::new(name, element, 1, 4);
        let shifted = |op: &str| {
            let lines = format!("pto.{op} ins(%a, %b : !a, !b) outs(%d : !d)");
            run(A5, &[tile("a"), tile("b"), tile("d")], &lines, vec![x.clone(), amounts.clone(), vec![0; 32]])
                .remove(2)
        };
        assert_eq!(shifted("tshl"), i64s(&[-16, 8, 0, 32]), "{element}");
        let logical = element == "ui64";
        let right = if logical { [(-8i64 as u64 >> 1) as i64, 8, 1, 2] } else { [-4, 8, -1, 2] };
        assert_eq!(shifted("tshr"), i64s(&right), "{element}");
        let lines = "%s = arith.constant 65 : i64\n pto.tshrs ins(%a, %s : !a, i64) outs(%d : !d)";
        let out = run(Cpu, &[tile("a"), tile("d")], lines, vec![x.clone(), vec![0; 32]]).remove(1);
        assert_eq!(out, i64s(&if logical { [0; 4] } else { [-1, 0, -1, 0] }), "{element} on cpu");
    }
}

#[test]
fn integers_by_zero_stop_the_run_or_give_zero() {
    let tile = |name, element| Tile::new(name, element, 1, 8);
    let allowed = Options::default().on_division_by_zero(DivisionByZero::Zero);
    for element in ["i32", "i64"] {
        let bytes =
            |values: [i64; 8]| if element == "i32" { i32s(&values.map(|x| x as i32)) } else { i64s(&values) };
        let (x, y) = (bytes([7, -7, 7, -7, 7, 0, 9, 9]), bytes([0, 0, 2, 2, -2, 0, 4, 3]));
        for (op, expected) in [
            ("trem", [0, 0, 1, 1, -1, 0, 1, 0]),
            ("tfmod", [0, 0, 1, -1, 1, 0, 1, 0]),
            ("tdiv", [0, 0, 3, -3, -3, 0, 2, 3]),
        ] {
            let tiles = [tile("a", element), tile("b", element), tile("d", element)];
            let source = programs::source(&tiles, &format!("pto.{op} ins(%a, %b : !a, !b) outs(%d : !d)"));
            let buffers = || vec![x.clone(), y.clone(), bytes([5; 8])];
            for by_formula in [false, true] {
                let options = allowed.clone().by_formula(by_formula);
                let out = programs::launch_with(&source, Some(Cpu), buffers(), &options);
                assert_eq!(out[2], bytes(expected), "{op} {element}");
            }
            let stopped = programs::try_launch(&source, Some(Cpu), buffers(), &Options::default());
            assert_eq!(stopped.expect_err("it stops")[0].rule, "division-by-zero", "{op} {element}");
        }
    }
    let lines = "%s = arith.constant 0 : i32\n  pto.trems ins(%a, %s : !a, i32) outs(%d : !d)";
    let source = programs::source(&[tile("a", "i32"), tile("d", "i32")], lines);
    let out = programs::launch_with(&source, Some(Cpu), vec![i32s(&[3; 8]), i32s(&[5; 8])], &allowed);
    assert_eq!(out[1], i32s(&[0; 8]));
}

#[test]
fn reciprocals_of_integers_truncate_and_that_of_zero_stops_the_run_or_is_zero() {
    let allowed = Options::default().on_division_by_zero(DivisionByZero::Zero);
    for element in ["i16", "i32"] {
        let bytes = |values: [i32; 16]| match element {
            "i16" => values.map(|x| (x as i16).to_le_bytes()).concat(),
            _ => i32s(&values),
        };
        let least = if element == "i16" { i32::from(i16::MIN) } else { i32::MIN };
        let x = [1, -1, 2, -2, 7, least, -least.wrapping_add(1), 3, 1, 1, -1, -1, 100, -100, 5, 6];
        let expected = [1, -1, 0, 0, 0, 0, 0, 0, 1, 1, -1, -1, 0, 0, 0, 0];
        let (mut with_zero, stays) = (x, [9; 16]);
        with_zero[7] = 0;
        let tiles = [Tile::new("a", element, 1, 16), Tile::new("d", element, 1, 16)];
        let source = programs::source(&tiles, "pto.trecip ins(%a : !a) outs(%d : !d)");
        for profile in [Cpu, A2A3, A5] {
            for by_formula in [false, true] {
                let options = Options::default().by_formula(by_formula);
                let out =
                    programs::launch_with(&source, Some(profile), vec![bytes(x), bytes(stays)], &options);
                assert_eq!(out[1], bytes(expected), "{element} {profile:?}");
                let buffers = || vec![bytes(with_zero), bytes(stays)];
                let stopped = programs::try_launch(&source, Some(profile), buffers(), &options);
                assert_eq!(stopped.expect_err("it stops")[0].rule, "division-by-zero", "{element}");
                let options = allowed.clone().by_formula(by_formula);
                let out = programs::launch_with(&source, Some(profile), buffers(), &options);
                assert_eq!(out[1], bytes(expected), "{element} {profile:?}");
            }
        }
    }
}

#[test]
fn the_least_i64_rem_minus_one_is_zero() {
    let tiles = [Tile::new("a", "i64", 1, 4), Tile::new("b", "i64", 1, 4), Tile::new("d", "i64", 1, 4)];
    for op in ["trem", "tfmod"] {
        let lines = format!("pto.{op} ins(%a, %b : !a, !b) outs(%d : !d)");
        let out = run(Cpu, &tiles, &lines, vec![i64s(&[i64::MIN; 4]), i64s(&[-1; 4]), i64s(&[5; 4])]);
        assert_eq!(out[2], i64s(&[0; 4]), "{op}");
    }
}
