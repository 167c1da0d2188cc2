//! Parsing of flags.

use super::*;
use clap::CommandFactory;
use pto::observe::Watchers;

fn parse(line: &str) -> Result<Command, clap::Error> {
    Cli::try_parse_from(line.split_whitespace()).map(|cli| cli.command)
}

fn run(line: &str) -> RunArgs {
    match parse(line) {
        Ok(Command::Run(args)) => *args,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_definition_is_consistent() {
    Cli::command().debug_assert();
}

#[test]
fn a_run_with_everything() {
    let args = run(
        "pto run k.pto --entry f -i a=randn:4 -i %b=b=.npy -i 2=-1 -o c=c.npy --expect c=w.npy --atol 1e-3 \
                    --rtol 0.5 --ulp 2 --target a3 --strict --blocks 4 --threads 2 --ranks 1 --watch none --schedule program --seed \
                    7 --dump %t@3 --dump u@4 --tconcat-index columns --on-division-by-zero zero --max-steps 9 --repeat 3 --time --json -q",
    );
    assert_eq!(args.launch.inputs[1], Assignment { arg: "b".into(), value: "b=.npy".into() });
    assert_eq!((args.launch.inputs[2].number(), args.launch.inputs[2].value.as_str()), (Some(2), "-1"));
    assert_eq!(args.launch.inputs[0].number(), None);
    assert_eq!(args.dump[0], DumpPoint { tile: "t".into(), line: 3 });
    assert_eq!(
        (args.profile.target, args.format.chosen(), args.tolerance.atol),
        (Some(Target::A2a3), Format::Json, 1e-3)
    );
    assert_eq!((args.launch.blocks, args.threads), (4, 2));
    let plain = run("pto run -");
    assert_eq!(plain.threads, 0);
    assert_eq!(
        (plain.launch.blocks, plain.repeat, plain.launch.seed, plain.format.chosen()),
        (1, 1, 0, Format::Text)
    );
    let all = run("pto run --all corpus --manifest corpus.json --max-steps 9 --target a5 --json -q");
    assert_eq!((all.file, all.all), (None, Some("corpus".into())));
}

#[test]
fn the_other_commands() {
    let Ok(Command::Check(check)) = parse("pto check a.pto b.pto --format sarif") else { panic!() };
    assert_eq!((check.files.len(), check.format.chosen()), (2, Format::Sarif));
    let Ok(Command::Fmt(fmt)) = parse("pto fmt - --form ssa --compact --check") else { panic!() };
    assert_eq!((fmt.spelling, fmt.check), (Spelling::Ssa, true));
    let Ok(Command::Fmt(fmt)) = parse("pto fmt - --form asm") else { panic!() };
    assert_eq!(fmt.spelling, Spelling::Asm, "the former name of the flag");
    let Ok(Command::Test(test)) = parse("pto test v --families a,b --ops tadd") else { panic!() };
    assert_eq!((test.families.len(), test.ops.len()), (2, 1));
    let Ok(Command::Layout(layout)) = parse("pto layout 16x32xf32 --svg x.svg --json") else { panic!() };
    assert!(layout.format.is_json() && layout.svg.is_some());
    let Ok(Command::Shrink(shrink)) = parse("pto shrink k --rule r --watch race") else { panic!() };
    let spec = shrink.run.spec();
    assert_eq!((spec.max_steps, spec.watch.is_empty(), spec.max_reports), (1_000_000, false, usize::MAX));
    let Ok(Command::Map(map)) = parse("pto map k --ranks 2 --sync inserted") else { panic!() };
    let spec = map.launch.spec(Watchers::ALL);
    assert_eq!((spec.ranks, spec.sync_inserted, spec.watch), (2, true, Watchers::ALL));
    let Ok(Command::Explain(explain)) = parse("pto explain tinsert --svg x.svg") else { panic!() };
    assert!(!explain.format.is_json() && explain.svg.is_some());
    let Ok(Command::Explain(explain)) = parse("pto explain tinsert --cost --json") else { panic!() };
    assert!(explain.format.is_json() && explain.cost);
}

#[test]
fn misuse_has_status_2() {
    for line in [
        "pto",
        "pto what",
        "pto check",
        "pto check a --json --format text",
        "pto run",
        "pto run --all",
        "pto run k --all folder",
        "pto run --all folder -i a=1",
        "pto run --all folder --time",
        "pto run k --manifest m.json",
        "pto run k -i a",
        "pto run k -i =x",
        "pto run k -i a=",
        "pto run k --atol 1",
        "pto run k --max-seconds 0",
        "pto test cases --max-seconds nan",
        "pto run k --expect a=b --atol -1",
        "pto run k --expect a=b --rtol nan",
        "pto run k --blocks 0",
        "pto run k --ranks 0",
        "pto run k --ranks 65",
        "pto run k --watch races",
        "pto run k --schedule late",
        "pto run k --dump %t",
        "pto run k --dump %t@0",
        "pto run k --sync later",
        "pto diff-log a",
        "pto diff a",
        "pto diff a b --rtol -1",
        "pto diff a b --json --format text",
        "pto run k --max-reports x",
        "pto run k --tconcat-index rows",
        "pto run k --on-division-by-zero one",
        "pto fmt k --check -o x",
        "pto layout",
        "pto layout t --json --format text",
        "pto explain",
        "pto explain --list --svg x",
        "pto explain tadd --cost --example",
    ] {
        assert_eq!(parse(line).expect_err(line).exit_code(), 2, "{line}");
    }
}

#[test]
fn a_launch_from_flags_reads_as_a_launch_from_json() {
    let args = run("pto run k -i x=randn -i n@1=7 --ranks 2 --schedule lazy --tconcat-index columns \
                    --on-division-by-zero zero --watch race,mem --sync inserted --max-steps 9");
    let json = serde_json::to_value(args.spec()).expect("a launch whose contents are texts");
    let inputs = serde_json::json!({"n@1": "7", "x": "randn"});
    assert_eq!(
        (&json["inputs"], &json["schedule"], &json["tconcat_index"]),
        (&inputs, &"lazy".into(), &"columns".into())
    );
    assert_eq!((&json["watch"], &json["missing"]), (&serde_json::json!(["race", "mem"]), &"error".into()));
    let read: pto::launch::Spec = serde_json::from_value(json.clone()).expect("a launch");
    assert_eq!(serde_json::to_value(read).expect("a launch"), json);
    for (key, value) in [("block", "1"), ("schedule", "late"), ("watch", "races")] {
        let wrong = serde_json::json!({key: value});
        assert!(serde_json::from_value::<pto::launch::Spec>(wrong).is_err(), "{key}");
    }
}
