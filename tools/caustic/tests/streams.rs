//! The program itself: streams that are no files, and numbers of cores.

#![cfg(unix)]

use std::io::Write;
use std::process::{Command, Stdio};

fn caustic(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_caustic"));
    command.args(args);
    command
}

#[test]
fn a_full_device_is_no_fault_of_the_compiler() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let ended = caustic(&["--help"]).stdout(full).stderr(Stdio::piped()).spawn().unwrap().wait_with_output().unwrap();
    let message = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(2), "{message}");
    assert!(message.starts_with("caustic: error: cannot write the output: "), "{message}");
}

#[test]
fn a_pipe_is_read_as_a_file() {
    let (input, outputs) = (Stdio::piped(), Stdio::piped());
    let mut check = caustic(&["check", "/dev/stdin"]).stdin(input).stderr(outputs).spawn().unwrap();
    check.stdin.take().unwrap().write_all(b"float f(float x) { return y; }").unwrap();
    let ended = check.wait_with_output().unwrap();
    let message = String::from_utf8(ended.stderr).unwrap();
    assert!(ended.status.code() == Some(1) && message.starts_with("/dev/stdin:1:27: error[E0201]"), "{message}");
}

#[test]
fn a_source_without_an_end_is_refused() {
    let ended = caustic(&["check", "/dev/zero"]).output().unwrap();
    let message = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(1), "{message}");
    assert!(message.contains("error[E0110]: cannot read `/dev/zero`: it has more than"), "{message}");
}

#[test]
fn all_cores_find_what_one_finds() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test-suite/cases/autodiff");
    for case in ["gradcheck_blame.slang", "gradcheck_buffers.slang"] {
        let file = format!("{root}/{case}");
        let found = |threads: &str| {
            let args = ["gradcheck", &file, "--samples", "300", "--format", "json"];
            let ended = caustic(&args).env("RAYON_NUM_THREADS", threads).output().unwrap();
            String::from_utf8(ended.stdout).unwrap()
        };
        let one = found("1");
        assert!(one.contains("\"verdict\":\"passed\""), "{one}");
        assert_eq!(one, found("5"), "{case}");
    }
}

#[test]
fn colours_are_asked_for() {
    let found = |args: &[&str], no_color: &str| {
        let mut check = caustic(&[&["check", "/dev/stdin"], args].concat());
        let check = check.env("NO_COLOR", no_color).stdin(Stdio::piped()).stderr(Stdio::piped());
        let mut check = check.spawn().unwrap();
        check.stdin.take().unwrap().write_all(b"float f(float x) { return y; }").unwrap();
        String::from_utf8(check.wait_with_output().unwrap().stderr).unwrap()
    };
    // A pipe is no terminal.
    let plain = found(&[], "");
    assert!(!plain.contains('\x1b') && plain.contains("error[E0201]"), "{plain:?}");
    assert_eq!(found(&["--color", "auto"], "1"), plain);
    assert_eq!(found(&["--color=never"], ""), plain);
    // What is asked for counts more than the environment.
    for no_color in ["", "1"] {
        let colored = found(&["--color", "always"], no_color);
        assert!(colored.starts_with("/dev/stdin:1:27: \x1b[1;31merror[E0201]\x1b[0m"), "{colored:?}");
    }
    assert!(found(&["--color", "alwys"], "").contains("did you mean `always`?"));
}
