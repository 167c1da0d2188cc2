//! Commands that observe a kernel in C++, or record it: `pto time`, `pto map`, `pto report`, `pto record`, `pto test`.

use crate::kernels::{examples, folder};
use crate::run::{command, sources};
use std::path::Path;

/// The arguments of vector_add.
const ADD: &str = "-i x=randn:64x64 -i y=randn:64x64 -i z=zeros:64x64 --blocks 4";

fn path(path: &Path) -> String {
    path.to_str().expect("a path").to_owned()
}

/// The first value of a key in a report.
fn value<'r>(report: &'r str, key: &str) -> &'r str {
    let found = report.split_once(&format!("\"{key}\": ")).map(|(_, rest)| rest);
    found.and_then(|rest| rest.split(['\n', ',']).next()).unwrap_or_default()
}

#[test]
fn a_kernel_takes_the_time_of_its_twin() {
    let (folder, example) = (folder("time"), examples().join("vector_add"));
    let (kernel, twin) = (path(&example.join("kernel.cpp")), path(&example.join("kernel.pto")));
    let Some((status, of_kernel, errors)) = command(&folder, &format!("time {kernel} {ADD} --json")) else {
        return;
    };
    assert_eq!((status, errors.as_str()), (Some(0), ""), "{of_kernel}");
    let of_twin = command(&folder, &format!("time {twin} -i x=randn -i y=randn --blocks 4 --json"));
    let of_twin = of_twin.expect("a command that runs").1;
    for key in ["cycles", "bytes", "overlapped", "l2_hits"] {
        assert!(!value(&of_twin, key).is_empty(), "{of_twin}");
        assert_eq!(value(&of_kernel, key), value(&of_twin, key), "{key}");
    }
    assert!(of_kernel.contains("\"operation\": \"TLOAD\""), "{of_kernel}");
    // Without arguments it has those of its comment.
    let (status, alone, note) =
        command(&folder, &format!("time {kernel} --json")).expect("a command that runs");
    assert_eq!((status, value(&alone, "cycles")), (Some(0), value(&of_kernel, "cycles")), "{note}");
    assert!(note.contains("arguments from its `// run:` comment"), "{note}");
}

#[test]
fn map_and_report_show_the_source() {
    let folder = folder("report");
    let text = std::fs::read_to_string(examples().join("vector_add/kernel.cpp")).expect("the example");
    let text = text.replace("../files.hpp", &path(&examples().join("files.hpp")));
    let hasty = text.replacen("    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);\n", "", 1);
    std::fs::write(folder.join("k.cpp"), hasty).expect("a source that can be written");
    let Some((status, out, errors)) = command(&folder, &format!("map k.cpp {ADD}")) else { return };
    assert_eq!(status, Some(1), "{out}{errors}");
    assert!(out.contains("  sum 16x64xf32 vec at line 29\n"), "{out}");
    assert!(
        out.contains("race::read-after-write: a (line 26) and a (line 29), bytes 0 to 4095 of UB"),
        "{out}"
    );
    assert!(errors.contains("--> k.cpp:29:5"), "{errors}");

    let Some((status, out, errors)) = command(&folder, &format!("report k.cpp {ADD} -o k.html")) else {
        return;
    };
    assert_eq!(status, Some(0), "{out}{errors}");
    let page = std::fs::read_to_string(folder.join("k.html")).expect("a page");
    for said in ["TADD(sum, a, b);", "\"operand\":\"a\"", "[\"TADD\",29,\"vector_add\"]", "\"tile\":\"sum\""]
    {
        assert!(page.contains(said), "{said}");
    }
    assert!(!page.contains("func.func"), "the calls are not the user's");
}

#[test]
fn a_kernel_is_recorded_and_tested() {
    let kernel = "#include \"factor.hpp\"\nextern \"C\" __global__ AICORE void k(__gm__ float *x, half n, __gm__ float *z) \
                  { body(x, z, FACTOR); }\n";
    let folder = sources("record", kernel);
    std::fs::write(folder.join("factor.hpp"), "#define FACTOR TIMES\n")
        .expect("a header that can be written");
    let line = "record k.cpp --save cases/one -i x=arange:8 -i n=1.5 -i z=zeros:1x8 -- -DTIMES=2.0f";
    let Some((status, out, errors)) = command(&folder, line) else { return };
    assert_eq!(status, Some(0), "{out}{errors}");
    assert!(out.contains("x in 8 of f32, z inout 1x8 of f32"), "{out}");
    let passed = command(&folder, "test cases -v").expect("a command that runs");
    assert!(passed.0 == Some(0) && passed.1.contains("1 passed, 0 failed"), "{passed:?}");

    let header = folder.join("cases/one/factor.hpp");
    std::fs::write(&header, "#define FACTOR 3.0f\n").expect("a header that can be written");
    let failed = command(&folder, "test cases").expect("a command that runs");
    assert!(failed.0 == Some(1) && failed.1.contains("first at [0, 0]: got 3.0, want 2.0"), "{failed:?}");
    assert!(failed.1.contains("written last by `TSTORE` at cases/one/kernel.cpp:17"), "{failed:?}");
    let told = command(&folder, "test cases --format github").expect("a command that runs");
    assert!(told.1.contains("::error file=cases/one/kernel.cpp,line=17,"), "{told:?}");

    std::fs::write(&header, "#define FACTOR *(volatile float *)8\n").expect("a header that can be written");
    let crashed = command(&folder, "test cases").expect("a command that runs");
    assert!(crashed.0 == Some(1) && crashed.1.contains("the kernel was ended by SIGSEGV"), "{crashed:?}");
}

#[test]
fn flags_without_a_meaning_are_refused() {
    let folder = sources("observed_misuse", "");
    let cases = [
        ("time k.cpp k.cpp", "a kernel in C++ is timed alone"),
        ("time k.pto k.cpp", "a kernel in C++ is timed alone"),
        ("map k.cpp --ranks 2", "--ranks cannot be used for a kernel in C++"),
        ("report k.cpp --max-steps 9 -o r.html", "--max-steps cannot be used for a kernel in C++"),
        ("record k.cpp --save case --max-steps 9", "--max-steps cannot be used for a kernel in C++"),
        ("time k.pto --cores cube", "are for kernels in C++"),
        ("time --sequence k.toml --cores cube", "cannot be used with"),
    ];
    for (line, said) in cases {
        let Some((status, out, errors)) = command(&folder, line) else { return };
        assert_eq!(status, Some(2), "{line}: {out}{errors}");
        assert!(errors.contains(said), "{line}: {errors}");
    }
}
