//! Tests of the command line: what it takes, what it refuses, and what the refusal says.

use super::*;
use caustic_driver::{Backend, MatrixLayout, Stage, TextureContents, Version, parse_sampler};
use caustic_runtime::contents::Contents;
use caustic_runtime::output::Format;

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_string).collect()
}

fn run(line: &str) -> RunOptions {
    match parse(&words(line)) {
        Ok(Command::Run(options)) => options,
        other => panic!("{other:?}"),
    }
}

fn refused(line: &str) -> String {
    match parse(&words(line)) {
        Err(error) => error.to_string(),
        Ok(command) => panic!("accepted: {command:?}"),
    }
}

#[test]
fn run_takes_everything_the_contract_promises() {
    let o = run("run k.slang --entry main --dispatch 2,3,4 --backend interp --buffer a=f32:1,2 --buffer b=@x.bin \
                 --buffer c=zero:8 --uniform u.x[1]=u32:7 --texture t=rgba8u:2x2:1,2,3,4 --sampler s=point,compare \
                 --conformance Ortho<float>:ISensor<float>=1 -D A -DB=2 -I inc -Iother --matrix-layout column \
                 --std 2026 --global-type float --entry-type int --counter q=3 --read a --read b:u16 --format json --trap-oob");
    assert_eq!(o.source.file, "k.slang");
    assert_eq!(o.entry.as_deref(), Some("main"));
    assert_eq!(o.groups, Some([2, 3, 4]));
    assert_eq!(o.backend(), Backend::Interp);
    assert_eq!(o.buffers[1], ("b".into(), Contents::File("x.bin".into())));
    assert_eq!(o.buffers[2].1, Contents::Zero(8));
    assert_eq!(
        o.uniforms[0],
        ("u.x[1]".into(), Contents::Values { scalar: caustic_driver::Scalar::U32, bytes: vec![7, 0, 0, 0] })
    );
    assert_eq!(o.textures, [("t".into(), TextureContents::parse("rgba8u:2x2:1,2,3,4").unwrap())]);
    assert_eq!(o.samplers, [("s".into(), parse_sampler("point,compare").unwrap())]);
    assert_eq!(o.source.options.conformances, ["Ortho<float>:ISensor<float>=1"]);
    assert_eq!(o.source.options.defines, [("A".into(), "1".into()), ("B".into(), "2".into())]);
    assert_eq!(o.source.options.include_dirs, ["inc", "other"]);
    assert_eq!(o.source.options.matrix_layout, MatrixLayout::Column);
    assert_eq!(o.source.options.version, Version::V2026);
    assert_eq!(
        (o.source.options.global_types, o.source.options.entry_types),
        (vec!["float".into()], vec!["int".into()])
    );
    assert_eq!(o.counters, [("q".into(), 3)]);
    assert_eq!(o.reads.len(), 2);
    assert_eq!((o.format, o.trap_oob), (Format::Json, true));
}

#[test]
fn values_may_be_attached_and_defaults_hold() {
    let o = run("run --buffer=a=f32:1 --dispatch=5 k.slang");
    assert_eq!(o.buffers[0].0, "a");
    assert_eq!(o.groups, Some([5, 1, 1]));
    assert_eq!((o.backend(), o.format, o.trap_oob), (Backend::Cranelift, Format::Text, false));
    assert_eq!(run("run -- -odd.slang").source.file, "-odd.slang");
}

#[test]
fn other_commands() {
    assert!(
        matches!(parse(&words("check a.slang -D X")), Ok(Command::Check(c)) if c.source.options.defines.len() == 1)
    );
    assert!(matches!(
        parse(&words("emit a.slang --stage reverse --function f")),
        Ok(Command::Emit(e)) if e.stage == Some(Stage::Reverse) && e.function() == Some("f")
    ));
    assert!(matches!(
        parse(&words("gradcheck a.slang --samples 3 --seed 9")),
        Ok(Command::Gradcheck(g)) if g.check.samples == 3 && g.check.seed == 9
    ));
}

#[test]
fn mistakes_name_the_option_and_the_nearest_one() {
    for (line, parts) in [
        ("run k.slang --bufer a=f32:1", &["`--bufer`", "`--buffer`"][..]),
        ("run k.slang --buffers=a", &["`--buffers`", "`--buffer`"]),
        ("run k.slang --zzz", &["`--zzz`", "caustic run --help"]),
        ("run k.slang -X", &["`-X`"]),
        ("check k.slang --buffer a=f32:1", &["`--buffer`", "`caustic check`"]),
        ("run k.slang --buffer", &["`--buffer` needs a value"]),
        ("run k.slang --buffer a", &["--buffer", "NAME="]),
        ("run k.slang --buffer =f32:1", &["NAME="]),
        ("run k.slang --buffer a=f33:1", &["unknown type `f33`"]),
        ("run k.slang --buffer a=i32:1.5", &["`1.5`"]),
        ("run k.slang --dispatch 1,2,3,4", &["X,Y,Z"]),
        ("run k.slang --dispatch -1", &["X,Y,Z"]),
        ("run k.slang --backend craneleft", &["did you mean `cranelift`"]),
        ("run k.slang --format yaml", &["text, json"]),
        ("run k.slang --read a:float", &["unknown type `float`"]),
        ("run k.slang --counter a=x", &["`x` is not a count"]),
        ("run k.slang --conformance A", &["TYPE:INTERFACE"]),
        ("run k.slang --trap-oob=1", &["takes no value"]),
        ("run k.slang -D 1x", &["`1x` is not a macro name"]),
        ("run", &["needs a file"]),
        ("run a.slang b.slang", &["`b.slang`"]),
        ("emit a.slang", &["--stage"]),
        ("emit a.slang --stage revers", &["did you mean `reverse`"]),
        ("gradcheck a.slang --samples 0", &["`0`"]),
        ("gradcheck a.slang --seed -1", &["`-1`"]),
        ("launch k.ptx --backend cuda", &["`--backend` means nothing to `caustic launch`", "compiled already"]),
        ("launch k.ptx -DX=1", &["`-D` means nothing"]),
        ("launch k.ptx --bufer a=f32:1", &["did you mean `--buffer`"]),
        ("gradchek a.slang", &["`gradchek`", "`gradcheck`"]),
        ("", &["no command"]),
    ] {
        let message = refused(line);
        for part in parts {
            assert!(message.contains(part), "`{line}` says: {message}");
        }
    }
}

#[test]
fn help_tells_every_option() {
    let text = |line: &str| match parse(&words(line)) {
        Ok(Command::Print(text)) => text,
        other => panic!("{other:?}"),
    };
    let overview = text("--help");
    for row in &COMMANDS {
        assert!(overview.contains(row.name));
        assert!(text(&format!("{} --help", row.name)).contains(row.summary));
    }
    let run = text("run --help");
    for option in options::RUN.iter().map(|o| o.name).chain(options::SOURCE.iter().map(|o| o.name)) {
        assert!(run.contains(option), "{option}");
    }
    assert_eq!(text("help gradcheck"), text("gradcheck -h"));
    assert!(text("--version").starts_with("caustic "));
    assert!(refused("help nothing").contains("unknown command"));
}

#[test]
fn the_model_of_the_tables_is_sound() {
    model::tool().debug_assert();
}

/// Two values of an option that takes what `value` says.
fn samples(value: &str) -> [&str; 2] {
    let word = |w: &&str| w.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    let words: Vec<&str> = value.split('|').collect();
    match value.trim_end_matches(" ...") {
        "NAME" | "F" | "FILE" | "PATH" | "DIR" | "TYPE" | "NAME[,NAME…]" | "NAME[:TYPE]" => ["a", "b"],
        "X,Y,Z" => ["2", "3"],
        "N" | "S" | "SEED" | "K" | "SECONDS" | "RATE" => ["2", "4"],
        "B1,B2" => ["0.1,0.2", "0.3,0.4"],
        "LO:HI" => ["-8:8", "1:2"],
        "sm_NN" => ["sm_80", "sm_90"],
        "VERSION" => ["2025", "2026"],
        "WARNING|all" => ["odd-contents", "lossy-conversion"],
        "TYPE:INTERFACE[=ID]" => ["A:I", "B:I"],
        "NAME[=VALUE]" => ["A", "B"],
        "NAME=N" | "NAME[=S]" => ["a=1", "b=2"],
        "NAME=NAME" => ["a=b", "c=d"],
        "SEED:OP=ULPS[/ABSOLUTE][,OP=…]" => ["0:math.sin=1", "1:math.sin=1"],
        v if v.starts_with("NAME=TYPE:") => ["a=f32:1", "b=f32:1"],
        v if v.starts_with("NAME=FORMAT:") => ["a=r32f:1:1", "b=r32f:1:1"],
        v if v.starts_with("NAME=linear|") => ["a=linear", "b=point"],
        v if v.starts_with("NAME=FILE.bin|") => ["a=a.bin", "b=b.bin"],
        _ if words.len() > 1 && words[..2].iter().all(word) => [words[0], words[1]],
        _ => panic!("no values are known that `{value}` speaks of"),
    }
}

/// That help says of each option of a command whether it adds to what was given before or takes
/// its place.
fn counts_as_told<T: parse::HasSource + PartialEq + std::fmt::Debug>(command: &str, tables: &tables::Tables<T>) {
    let given = |args: &[String]| {
        let args = [&["k.slang".to_string()], args].concat();
        parse_options(command, &args, tables).unwrap_or_else(|error| panic!("{args:?}: {error}"))
    };
    for row in tables.rows().filter(|row| !row.value.is_empty()) {
        let [first, last] = samples(row.value).map(|value| [row.name.to_string(), value.to_string()]);
        let both = given(&[first, last.clone()].concat());
        assert_eq!(both != given(&last), row.value.ends_with("..."), "`{}` of `caustic {command}`", row.name);
    }
}

#[test]
fn the_last_one_counts_of_what_is_not_given_several_times() {
    counts_as_told("run", &tables::run());
    counts_as_told("launch", &tables::launch());
    counts_as_told("fit", &tables::fit());
    counts_as_told("check", &tables::check());
    counts_as_told("emit", &tables::emit());
    counts_as_told("gradcheck", &tables::gradcheck());
    // What is wrong with options together is looked at only then.
    let fit = "fit k.slang --param p --grad g --steps 2";
    assert_eq!(parse(&words(&format!("{fit} --loss a --loss b"))), parse(&words(&format!("{fit} --loss b"))));
    assert_eq!(parse(&words("emit k.slang --stage hl --stage ad")), parse(&words("emit k.slang --stage ad")));
    assert!(refused("emit k.slang --stage hl --function f --function g").contains("several functions"));
}
