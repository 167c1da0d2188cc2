use super::*;
use crate::data::files::Contents;
use crate::data::{Source, materialize, read_array};
use miniz_oxide::deflate::compress_to_vec;
use std::io::{self, Cursor};

/// Written by `numpy.savez` and `numpy.savez_compressed`: `x`, 0 to 5 in 2x3 of f32; `n`, 7 of i32; `zeros`, 40x64 of f32.
const STORED: &[u8] = include_bytes!("stored.npz");
const DEFLATED: &[u8] = include_bytes!("deflated.npz");

/// A file system of one file.
struct Only(Vec<u8>);

impl Files for Only {
    fn open(&self, _: &Path) -> io::Result<Opened> {
        Ok(Opened { length: Some(self.0.len() as u64), reader: Box::new(Cursor::new(self.0.clone())) })
    }

    fn exists(&self, _: &Path) -> bool {
        true
    }
}

fn of(bytes: &[u8], name: Option<&str>, wanted: Element) -> Result<Array, DataError> {
    read(Path::new("a.npz"), name, wanted, &Only(bytes.to_vec()))
}

fn message(bytes: &[u8], name: Option<&str>) -> String {
    of(bytes, name, Element::F32).expect_err("a mistake").to_string()
}

/// An archive with members that are deflated, or not.
fn archive(members: &[(&str, &[u8], bool)]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for (name, contents, deflated) in members {
        let packed = if *deflated { compress_to_vec(contents, 6) } else { contents.to_vec() };
        let method = if *deflated { 8u16 } else { 0 };
        let crc = contents.iter().fold(u32::MAX, |crc, byte| {
            (0..8).fold(crc ^ u32::from(*byte), |crc, _| crc >> 1 ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
        });
        let offset = file.len() as u32;
        let sizes = [
            (!crc).to_le_bytes(),
            (packed.len() as u32).to_le_bytes(),
            (contents.len() as u32).to_le_bytes(),
        ];
        let lengths = [(name.len() as u16).to_le_bytes(), [0; 2]].concat();
        let common = [&[20, 0, 0, 0][..], &method.to_le_bytes(), &[0; 4], &sizes.concat(), &lengths].concat();
        file.extend([b"PK\x03\x04", &common[..], name.as_bytes(), &packed].concat());
        let tail = [&[0; 10][..], &offset.to_le_bytes(), name.as_bytes()].concat();
        directory.extend([b"PK\x01\x02\x14\x00", &common[..], &tail].concat());
    }
    let (count, start) = ((members.len() as u16).to_le_bytes(), file.len() as u32);
    file.extend(&directory);
    let sizes = [(directory.len() as u32).to_le_bytes(), start.to_le_bytes()].concat();
    file.extend([b"PK\x05\x06\0\0\0\0", &count[..], &count, &sizes, &[0; 2]].concat());
    file
}

fn npy_file(shape: &[usize]) -> Vec<u8> {
    npy::to_bytes(&Array::zeros(Element::F32, shape.to_vec()).expect("a small array"))
}

#[test]
fn arrays_that_numpy_wrote_are_read() {
    for file in [STORED, DEFLATED] {
        let x = of(file, Some("x"), Element::F32).expect("an array");
        assert_eq!((x.shape(), x.full().as_str()), (&[2, 3][..], "[[0.0 1.0 2.0]\n [3.0 4.0 5.0]]"));
        assert_eq!(of(file, Some("n.npy"), Element::I32).expect("an array").full(), "7");
        let names = names(Path::new("a.npz"), &Only(file.to_vec())).expect("names");
        assert_eq!(names[..2], ["x", "n"]);
        assert_eq!(shape(Path::new("a.npz"), Some("x"), &Only(file.to_vec())), Some(vec![2, 3]));
        let files = Only(file.to_vec());
        assert_eq!(read_array("a.npz:x", Element::F32, &files), Ok(x.clone()));
        let source = Source::parse("a.npz:x", &files).expect("a source");
        assert_eq!(materialize(&source, Element::F32, None, 0, 0, &files), Ok(x));
    }
    assert_eq!(of(DEFLATED, Some("zeros"), Element::F32).expect("an array").bytes(), [0; 40 * 64 * 4]);
}

/// A large compressed array is compared with its argument by its header alone.
#[test]
fn a_larger_array_than_its_argument_stays_compressed() {
    let large = npy_file(&[(1 << 22) + 1]);
    let files = Only(archive(&[("x.npy", &large, true)]));
    let source = Source::parse("a.npz:x", &files).expect("a source");
    let made = |count| materialize(&source, Element::F32, Some(count), 0, 0, &files);
    let error = made(16).expect_err("too large").to_string();
    assert!(
        error.contains(
            "a.npz: its compressed array has the shape 4194305 of f32, but the argument takes 16 values"
        ),
        "{error}"
    );
    assert_eq!(made((1 << 22) + 1).expect("an array").items(), (1 << 22) + 1);
    assert_eq!(
        materialize(&source, Element::F32, None, 0, 0, &files).expect("an array").items(),
        (1 << 22) + 1
    );
    // A small array, or one that is as large in the file, needs no such look.
    assert!(!source.is_large_inside(&Only(archive(&[("x.npy", &large, false)]))));
    assert!(!source.is_large_inside(&Only(archive(&[("x.npy", &npy_file(&[16]), true)]))));
}

#[test]
fn one_array_needs_no_name() {
    let file = archive(&[("y.npy", &npy_file(&[4]), true), ("notes.txt", b"not an array", false)]);
    assert_eq!(of(&file, None, Element::F32).expect("an array").shape(), [4]);
    assert_eq!(
        message(STORED, None),
        "a.npz: this archive has 2 arrays\nhelp: it has x, n; name one, such as `a.npz:x`"
    );
    assert!(message(STORED, Some("y")).contains("no array `y`"), "{}", message(STORED, Some("y")));
    let long = archive(&[("weights.npy", &npy_file(&[4]), false)]);
    assert!(message(&long, Some("wieghts")).contains("did you mean `weights`?"));
    assert!(message(&archive(&[]), None).contains("no arrays"));
    assert!(
        of(STORED, Some("x"), Element::I32)
            .expect_err("another type")
            .message
            .contains("`x`: the file holds")
    );
}

#[test]
fn claims_that_the_bytes_do_not_keep_are_errors() {
    // A header that claims more than the member has, in either form.
    let mut claim = npy_file(&[4]);
    let at = claim.windows(4).position(|part| part == b"(4,)").expect("the shape");
    claim[at + 1] = b'9';
    for deflated in [false, true] {
        let text = message(&archive(&[("x.npy", &claim, deflated)]), None);
        assert!(text.contains("16 bytes follow the header"), "{text}");
    }
    // A directory that claims more than deflate can hold.
    let honest = archive(&[("x.npy", &npy_file(&[1 << 16]), true)]);
    let place = honest.windows(4).rposition(|part| part == b"PK\x01\x02").expect("a directory") + 24;
    let mut bomb = honest.clone();
    bomb[place..place + 4].copy_from_slice(&0xf000_0000u32.to_le_bytes());
    assert!(message(&bomb, None).contains("cannot hold"), "{}", message(&bomb, None));
    // Decompressed bytes beyond the size in the directory are never produced.
    let mut short = honest.clone();
    short[place..place + 4].copy_from_slice(&1000u32.to_le_bytes());
    assert!(of(&short, None, Element::F32).is_err());
    // Encryption, and another method.
    for (at, value, what) in [(place - 16, 1, "is encrypted"), (place - 14, 12, "by method 12")] {
        let mut other = honest.clone();
        other[at] = value;
        assert!(message(&other, None).contains(what), "{}", message(&other, None));
    }
}

#[test]
fn no_damaged_archive_is_read_wrongly() {
    for file in [STORED, DEFLATED] {
        let whole = of(file, Some("x"), Element::F32).expect("an array");
        for length in 0..file.len() {
            assert!(of(&file[..length], Some("x"), Element::F32).is_err(), "{length} bytes");
        }
        for at in 0..file.len() {
            let mut changed = file.to_vec();
            changed[at] ^= 0x55;
            // Times and the like are not looked at; contents are, by their checksum.
            if let Ok(array) = of(&changed, Some("x"), Element::F32) {
                assert_eq!(array.bytes(), whole.bytes(), "byte {at}");
            }
        }
    }
    assert!(message(b"", None).contains("no .npz archive"));
    let mut empty: Box<dyn Contents> = Box::new(Cursor::new(Vec::new()));
    assert!(members(&mut *empty, 1 << 20).is_err());
}
