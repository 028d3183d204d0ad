//! Libraries in Slang, compiled again: each function gives what that of the program gives, to the
//! last bit, and each derivative, too, but for the order of sums.

use super::numbers::Point;
use super::{library, session};
use caustic_driver::{Backend, FunctionOptions, Machine, Options, Program, Session, SourceLoader, Target, Value};
use caustic_test_suite::Suite;
use caustic_test_suite::random::Rng;
use std::fmt::Write;

/// The text of a library, as a file.
struct Text(String);

/// Text keeps states of a loop where the interpreter keeps all iterations, so that sums of a few
/// terms may be rounded in another order: some units in the last place of a float, times what
/// cancels.
const ROUNDING: f64 = 1e-6;

const FILE: &str = "library.slang";

impl SourceLoader for Text {
    fn read(&self, path: &str) -> std::io::Result<Vec<u8>> {
        match path {
            FILE => Ok(self.0.clone().into_bytes()),
            _ => Err(std::io::ErrorKind::NotFound.into()),
        }
    }

    fn is_file(&self, path: &str) -> bool {
        path == FILE
    }
}

pub fn check(suite: &Suite, cases: &[String]) -> Result<(), String> {
    let (mut wrong, mut number) = (String::new(), 0);
    for path in cases {
        // What cannot be said is refused.
        let Ok((text, description)) = library(suite, path, Target::Slang, "lib")? else { continue };
        match Session::new(Options::default()).with_loader(Text(text)).compile(FILE) {
            Ok(again) => number += compare(suite, path, &description, &again, &mut wrong)?,
            Err(error) => {
                let _ = writeln!(wrong, "{path}: it does not compile again\n{error}");
            }
        }
    }
    if std::env::var_os("LIBRARY").is_some() {
        eprintln!("{number} functions of {} cases in Slang", cases.len());
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

/// Calls each function of the text beside that of the program; how many were called.
fn compare(suite: &Suite, path: &str, description: &str, again: &Program, wrong: &mut String) -> Result<usize, String> {
    let description: serde_json::Value = serde_json::from_str(description).map_err(|e| e.to_string())?;
    let session = session(suite);
    let program = session.compile(path).map_err(|e| e.to_string())?;
    let mut options = FunctionOptions::default();
    options.backend = Backend::Interp;
    // No text has memory that grows.
    options.derivatives.machine = Machine::Gpu;
    let mut called = 0;
    for (number, told) in description["functions"].as_array().into_iter().flatten().enumerate() {
        let word = |key: &str| told[key].as_str().unwrap_or_default();
        // What uses resources of the program cannot be called here.
        let Ok(function) = program.function(word("of"), &options) else { continue };
        // What a half is given would be rounded first.
        let types = told["parameters"].as_array().into_iter().flatten().map(|p| &p["type"]).chain([&told["result"]]);
        if types.filter_map(|ty| ty.as_str()).any(|ty| ty.contains("half")) {
            continue;
        }
        let point = Point::draw(&function, &mut Rng::new(number as u64 + 1));
        let Some((given, wanted)) = point.values(&function, word("mode")) else { continue };
        let written = again.function(word("name"), &options).map_err(|e| format!("{path}: {e}"))?;
        let (mut scalars, wanted) = (scalars(&given).into_iter(), scalars(&wanted));
        let mut args = Vec::new();
        for parameter in written.parameters() {
            let value = filled(&parameter.shape.zero, &mut scalars);
            if parameter.is_input {
                args.push(value);
            }
        }
        let got = written.call(&args).map(|got| self::scalars(&got));
        called += 1;
        let same = |(a, b): (&Value, &Value)| match (a, b) {
            (Value::Float(a), Value::Float(b)) => {
                let near = word("mode") != "primal" && (a - b).abs() <= ROUNDING * a.abs().max(b.abs());
                a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan() || near
            }
            (a, b) => a == b,
        };
        match got {
            Ok(got) if got.len() == wanted.len() && got.iter().zip(&wanted).all(same) && scalars.next().is_none() => {}
            other => {
                let _ =
                    writeln!(wrong, "{path}: {}: given {args:?}, wanted {wanted:?}, it gives {other:?}", word("name"));
            }
        }
    }
    Ok(called)
}

/// The scalars in values, in order.
fn scalars(values: &[Value]) -> Vec<Value> {
    let of = |value: &Value| match value {
        Value::List(parts) => scalars(parts),
        scalar => vec![scalar.clone()],
    };
    values.iter().flat_map(of).collect()
}

/// A value of the shape, of the scalars that come next.
fn filled(shape: &Value, scalars: &mut impl Iterator<Item = Value>) -> Value {
    match shape {
        Value::List(parts) => Value::List(parts.iter().map(|part| filled(part, scalars)).collect()),
        scalar => scalars.next().unwrap_or_else(|| scalar.clone()),
    }
}
