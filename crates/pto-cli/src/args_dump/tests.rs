use super::*;
use pto::data::Dtype;
use serde_json::{Value, json};

fn entry(more: Value) -> Entry {
    let mut record = json!({
        "task_id": "0x1", "func_id": [0], "arg_index": 0, "role": "input", "stage": "before_dispatch", "dtype": "FLOAT32",
        "shape": [2, 3], "bin_size": 24
    });
    for (key, value) in more.as_object().expect("an object") {
        record[key] = value.clone();
    }
    serde_json::from_value(record).expect("a record")
}

#[test]
fn every_type_reads_back() {
    for (element, names) in DTYPES {
        assert_eq!(dtype_name(element), Some(names[0]));
        assert!(names.iter().all(|name| super::element(name) == Some(element)));
    }
    assert_eq!((element("float64"), dtype_name(Element::E2M1x2)), (None, None));
}

#[test]
fn elements_are_at_their_strides() {
    let layout = entry(json!({"strides": [1, 4]})).check(24).expect("a tensor");
    assert_eq!((layout.extent, layout.is_contiguous()), (10, false));
    assert_eq!(layout.places().collect::<Vec<_>>(), [0, 4, 8, 1, 5, 9]);
    let dumped: Vec<u8> = (0..24).collect();
    let mut memory = vec![0; 40];
    layout.scatter(&dumped, &mut memory);
    assert_eq!((&memory[16..20], &memory[8..12]), (&dumped[4..8], &[0; 4][..]));
    assert_eq!(layout.gather(&memory), dumped);
    for (shape, strides, extent) in [(json!([]), json!([]), 1), (json!([0, 7]), json!([7, 1]), 0)] {
        let size = 4 * u64::from(extent == 1);
        let layout =
            entry(json!({"shape": shape, "strides": strides, "bin_size": size})).check(24).expect("a tensor");
        assert_eq!((layout.extent, layout.places().count()), (extent, extent));
        assert!(layout.is_contiguous());
    }
}

#[test]
fn records_that_claim_too_much_are_errors() {
    for (change, expected) in [
        (json!({"shape": [u64::MAX >> 1, 8]}), "is too large"),
        (json!({"strides": [u64::MAX, u64::MAX]}), "leave its contents"),
        (json!({"strides": [1u64 << 31, 1]}), "leave its contents"),
        (json!({"strides": [1]}), "1 strides for 2 dimensions"),
        (json!({"shape": vec![1; 65], "bin_size": 4}), "65 dimensions are too many"),
        (json!({"bin_size": 20}), "20 bytes are dumped, but 2x3 of FLOAT32 takes 24"),
        (json!({"bin_offset": u64::MAX}), "end after the 24 bytes"),
        (json!({"overwritten": true}), "overwritten"),
    ] {
        let error = entry(change.clone()).check(24).expect_err("a wrong record").message;
        assert!(error.contains(expected), "{change}: {error}");
    }
}

#[test]
fn scalars_keep_their_bits() {
    let bits = |dtype: &str, value: Value, wanted| {
        entry(json!({"kind": "scalar", "dtype": dtype, "value": value})).scalar_bits(wanted)
    };
    let number = Dtype::Number;
    for (wanted, value) in [
        (Dtype::Bool, 1),
        (Dtype::Index, (-3i64) as u64),
        (number(Element::I32), u64::from((-3i32) as u32)),
        (number(Element::U64), u64::MAX),
        (number(Element::F32), u64::from(0.1f32.to_bits())),
        (number(Element::F32), u64::from(f32::NEG_INFINITY.to_bits())),
        (number(Element::F16), 0x3c01),
        (number(Element::Bf16), 0x3f81),
    ] {
        let (dtype, written) = scalar::written(wanted, value);
        let written = serde_json::from_str(&written.to_string()).expect("JSON");
        assert_eq!(bits(dtype, written, wanted), Ok(value), "{wanted:?}");
    }
    // The recorder widens types that dumps lack to 64 bits, and writes NaN as null.
    assert_eq!(bits("uint64", json!(u64::MAX - 2), number(Element::I8)), Ok(0xfd));
    assert!(
        bits("float32", Value::Null, number(Element::F32))
            .is_ok_and(|bits| f32::from_bits(bits as u32).is_nan())
    );
    for (dtype, value) in
        [("float32", json!(1.5)), ("int32", json!("x")), ("int32", json!(null)), ("int32", json!(0.5))]
    {
        assert!(bits(dtype, value, Dtype::Index).is_err(), "{dtype}");
    }
}

/// A dump with two tasks, in a folder of its own.
fn written(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("pto-cli-dump-{}-{name}", std::process::id()));
    let mut writer = Writer::create(&folder).expect("a folder");
    let array = pto::data::Array::zeros(Element::F16, vec![2, 3]).expect("a small array");
    for task in 0..2 {
        let task = Written { task, function: 1, blocks: 2 };
        writer.tensor(task, 0, Role::InOut, Stage::BeforeDispatch, &array).expect("a record");
        writer.scalar(task, 1, Dtype::Index, 7).expect("a record");
        writer.tensor(task, 0, Role::InOut, Stage::AfterCompletion, &array).expect("a record");
    }
    writer.name(1, "k");
    writer.finish("two").expect("a dump");
    folder
}

#[test]
fn what_is_written_reads_back() {
    let folder = written("reads");
    let dump = Dump::open(&folder).expect("a dump");
    assert_eq!((dump.entries.len(), dump.length, dump.dropped), (6, 48, 0));
    let tasks = tasks(&dump);
    let names: Vec<&str> = tasks.iter().map(|task| task.name.as_str()).collect();
    assert_eq!(names, ["0x0000000000000000", "0x0000000000000001"]);
    assert!(tasks.iter().all(|task| task.blocks == Some(2) && task.functions == [1] && task.error.is_none()));
    assert_eq!(
        (tasks[1].tensors[0].before, tasks[1].tensors[0].after, &tasks[1].scalars[..]),
        (Some(3), Some(5), &[4][..])
    );
    std::fs::remove_dir_all(folder).expect("the folder");
}

#[test]
fn no_single_changed_byte_panics() {
    let folder = written("bytes");
    let path = folder.join("args_dump").join(MANIFEST);
    let whole = std::fs::read(&path).expect("a manifest");
    let mut opened = 0;
    for (at, change) in (0..whole.len()).flat_map(|at| [(at, b'9'), (at, b'-'), (at, b'"'), (at, b'x')]) {
        let mut changed = whole.clone();
        changed[at] = change;
        std::fs::write(&path, &changed).expect("a manifest");
        let Ok(dump) = Dump::open(&folder) else { continue };
        opened += 1;
        for task in tasks(&dump) {
            assert!(task.tensors.len() + task.scalars.len() <= dump.entries.len());
        }
        for entry in &dump.entries {
            let bits = entry.scalar_bits(Dtype::Index);
            assert!(bits.is_err() || entry.kind == Kind::Scalar);
            let Ok(layout) = entry.check(dump.length) else { continue };
            let contents = dump.read(entry).expect("contents that were checked");
            assert_eq!(contents.len(), layout.items * pto::data::item_bytes(layout.element));
            assert!(layout.places().all(|place| place < layout.extent));
        }
    }
    assert!(opened > whole.len(), "{opened} of {} changes give a dump that opens", 4 * whole.len());
    std::fs::remove_dir_all(folder).expect("the folder");
}
