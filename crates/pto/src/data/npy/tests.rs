use super::*;
use crate::data::number::encode;
use crate::data::tests::Disk;

fn file(version: u8, dict: &str, data: &[u8]) -> Vec<u8> {
    let mut out = b"\x93NUMPY".to_vec();
    out.extend([version, 0]);
    if version == 1 {
        out.extend((dict.len() as u16).to_le_bytes());
    } else {
        out.extend((dict.len() as u32).to_le_bytes());
    }
    out.extend(dict.as_bytes());
    out.extend(data);
    out
}

fn dict(descr: &str, fortran: &str, shape: &str) -> String {
    format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n")
}

fn parse(bytes: &[u8], wanted: Element) -> Result<Array, DataError> {
    let known = read_from(&mut &bytes[..], Some(bytes.len() as u64), wanted);
    let streamed = read_from(&mut &bytes[..], None, wanted);
    assert_eq!(known.is_ok(), streamed.is_ok());
    known
}

fn message(bytes: &[u8], wanted: Element) -> String {
    parse(bytes, wanted).unwrap_err().to_string()
}

#[test]
fn what_is_written_reads_back_here_and_in_npyz() {
    for element in Element::ALL {
        for shape in [vec![], vec![3], vec![2, 3], vec![0, 4], vec![1; 20]] {
            let mut array = Array::zeros(element, shape.clone()).unwrap();
            for (i, byte) in array.bytes_mut().iter_mut().enumerate() {
                *byte = i as u8;
            }
            let bytes = to_bytes(&array);
            assert_eq!(header(&array).len() % 64, 0);
            assert_eq!(parse(&bytes, element).unwrap(), array);
            // npyz rejects the names of ml_dtypes.
            if named(numpy_type(element)) == Some(element) {
                assert_eq!(element_from(&mut &bytes[..]), Some(element));
                continue;
            }
            let judged = npyz::NpyFile::new(&bytes[..]).unwrap();
            assert_eq!(judged.shape(), shape.iter().map(|&d| d as u64).collect::<Vec<_>>());
            assert_eq!(judged.dtype().descr(), format!("'{}'", numpy_type(element)));
        }
    }
}

#[test]
fn all_versions_and_order_marks() {
    for version in 1..=3 {
        for descr in ["<f4", "=f4", "f4"] {
            let bytes = file(version, &dict(descr, "False", "(1,)"), &1.5f32.to_le_bytes());
            assert_eq!(parse(&bytes, Element::F32).unwrap().value_as_f64(0), 1.5);
        }
    }
    assert!(message(&file(4, &dict("<f4", "False", "()"), &[0; 4]), Element::F32).contains("version 4.0"));
}

#[test]
fn big_endian_and_fortran_order_are_converted() {
    // The matrix [[0 1 2] [3 4 5]] in Fortran order.
    let data: Vec<u8> = [0u16, 3, 1, 4, 2, 5].iter().flat_map(|v| v.to_be_bytes()).collect();
    let array = parse(&file(1, &dict(">u2", "True", "(2, 3)"), &data), Element::U16).unwrap();
    assert_eq!(array.full(), "[[0 1 2]\n [3 4 5]]");
    let data: Vec<u8> = (0..24).collect();
    let array = parse(&file(1, &dict("|i1", "True", "(2L, 3L, 4L)"), &data), Element::I8).unwrap();
    assert_eq!((array.bits(1), array.bits(4), array.bits(12)), (6, 2, 1));
    let empty = file(1, &dict("|i1", "True", "(0, 3)"), &[]);
    assert_eq!(parse(&empty, Element::I8).unwrap().items(), 0);
    let point = file(1, &dict("|i1", "True", "()"), &[7]);
    assert_eq!(parse(&point, Element::I8).unwrap().bits(0), 7);
}

#[test]
fn bit_patterns_stand_for_small_floats() {
    let one = encode(Element::Bf16, 1.0) as u16;
    for descr in ["<u2", "<i2", "<V2", "|V2", "bfloat16"] {
        let bytes = file(1, &dict(descr, "False", "(1,)"), &one.to_le_bytes());
        assert_eq!(parse(&bytes, Element::Bf16).unwrap().value_as_f64(0), 1.0, "{descr}");
    }
    let structured = "{'descr': [('', '|V2')], 'fortran_order': False, 'shape': (1,), }";
    assert_eq!(parse(&file(1, structured, &one.to_le_bytes()), Element::Bf16).unwrap().value_as_f64(0), 1.0);
    let swapped = file(1, &dict(">u2", "False", "(1,)"), &one.to_be_bytes());
    assert_eq!(parse(&swapped, Element::Bf16).unwrap().value_as_f64(0), 1.0);
    for descr in ["|u1", "|i1", "|V1", "<V1", "float8_e4m3fn"] {
        let bytes = file(1, &dict(descr, "False", "(1,)"), &[0x7e]);
        assert_eq!(parse(&bytes, Element::E4M3).unwrap().value_as_f64(0), 448.0, "{descr}");
    }
    let bytes = file(1, &dict("<f1", "False", "(1,)"), &[0x3c]);
    assert_eq!(parse(&bytes, Element::E5M2).unwrap().value_as_f64(0), 1.0);
    assert!(parse(&bytes, Element::E4M3).is_err());
    let packed = file(1, &dict("|u1", "False", "(1, 2)"), &[0x21, 0x43]);
    assert_eq!(parse(&packed, Element::E2M1x2).unwrap().values(), 4);
    let truth = file(1, &dict("|b1", "False", "(2,)"), &[2, 0]);
    assert_eq!(parse(&truth, Element::U8).unwrap().bytes(), [1, 0]);
}

#[test]
fn another_type_is_an_error_that_names_both() {
    let doubles = file(1, &dict("<f8", "False", "(2, 1)"), &[0; 16]);
    let text = message(&doubles, Element::F32);
    assert!(text.contains("holds float64 of shape 2x1, but the kernel takes f32"), "{text}");
    assert!(text.contains("numpy.float32"), "{text}");
    assert!(message(&doubles, Element::Bf16).contains("uint16 bit patterns"));
    assert!(message(&doubles, Element::E1M2x2).contains("two values a byte"));
    assert!(message(&doubles, Element::HiF8).contains("uint8 bit patterns"));
    for (descr, wanted) in [
        ("<u2", Element::F16),
        ("<f2", Element::Bf16),
        ("<u4", Element::I32),
        ("|u1", Element::I8),
        ("|i1", Element::E2M1x2),
        ("|b1", Element::E4M3),
        ("|O", Element::F32),
        ("<U3", Element::F32),
        ("<c8", Element::F32),
        ("float8_e5m2", Element::E4M3),
        ("float4_e2m1fn", Element::E2M1x2),
        ("", Element::U8),
        ("é4", Element::F32),
    ] {
        let bytes = file(1, &dict(descr, "False", "(1,)"), &[0; 4]);
        assert!(message(&bytes, wanted).contains("but the kernel takes"), "{descr}");
    }
}

#[test]
fn damaged_files_are_errors() {
    let good = file(1, &dict("<f4", "False", "(2, 2)"), &[0; 16]);
    for cut in 0..good.len() {
        assert!(parse(&good[..cut], Element::F32).is_err(), "cut at {cut}");
    }
    let mut long = good.clone();
    long.push(0);
    assert!(message(&long, Element::F32).contains("takes 16 bytes"));
    assert!(message(&good[..good.len() - 1], Element::F32).contains("15 bytes follow the header"));
    for shape in ["(18446744073709551615, 2)", "(4611686018427387904,)", "(1000000000000,)"] {
        assert!(parse(&file(1, &dict("<f4", "False", shape), &[0; 4]), Element::F32).is_err(), "{shape}");
    }
    for shape in ["(-1,)", "(99999999999999999999999,)", "(1", "1", "(,)", "(1 2)"] {
        assert!(
            message(&file(1, &dict("<f4", "False", shape), &[0; 4]), Element::F32).contains("header"),
            "{shape}"
        );
    }
    let mut huge = b"\x93NUMPY\x02\x00".to_vec();
    huge.extend(u32::MAX.to_le_bytes());
    assert!(message(&huge, Element::F32).contains("claims a header of 4294967295 bytes"));
    let flat = format!("({})", "1,".repeat(65));
    assert!(message(&file(1, &dict("<f4", "False", &flat), &[0; 4]), Element::F32).contains("header"));
    let deep = "{'descr': ".to_string() + &"[".repeat(60000) + "}";
    assert!(message(&file(1, &deep, &[]), Element::F32).contains("header"));
    assert!(message(&file(1, "{}", &[]), Element::F32).contains("header"));
    assert!(message(b"hello, world", Element::F32).contains("not an .npy file"));
}

#[test]
fn no_single_changed_byte_panics() {
    let good = file(1, &dict("<f4", "True", "(2, 2)"), &[0; 16]);
    for at in 0..good.len() {
        for value in [0, 1, b'(', b'[', b'\'', b'9', b'}', 0x80, 0xff] {
            let mut bad = good.clone();
            bad[at] = value;
            let _ = parse(&bad, Element::F32);
        }
    }
}

#[test]
fn a_folder_and_a_missing_file_are_errors() {
    let missing = read(Path::new("/nonexistent/x.npy"), Element::F32, &Disk).unwrap_err().to_string();
    assert!(missing.starts_with("/nonexistent/x.npy: cannot open the file"), "{missing}");
    assert!(read(Path::new("/"), Element::F32, &Disk).is_err());
}
