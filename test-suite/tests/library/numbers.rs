//! Functions of libraries in C++, called beside the interpreter.
//!
//! The host program finds out from a function's type what it takes: it fills each parameter with
//! the next words that it is given, and tells the words of what comes back. So a function's words
//! are its parameters' in order, and then those of its result and of what it is given by reference.

use super::{library, session};
use caustic_driver::{Backend, Function, FunctionOptions, Parameter, Target, Value};
use caustic_test_suite::Suite;
use caustic_test_suite::random::Rng;
use std::fmt::Write;
use std::process::Command;

const FLAGS: [&str; 5] = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"];
const COMPILERS: [&str; 2] = ["g++", "clang++-19"];

/// Cases that are not called, and why.
const LEFT_OUT: [(&str, &str); 1] = [(
    "source/derivatives_without_flags.slang",
    "the derivative of its loop is carried forward for a library, and not for one function: sums differ in the last bit",
)];

/// A function that is called: its name in the text, and what it is given and has to give.
struct Call {
    /// In the program, with its case.
    place: String,
    name: String,
    given: Vec<u32>,
    wanted: Vec<u32>,
    /// Whether integers are among them, whose sizes the interpreter's values do not tell.
    integers: bool,
}

pub fn check(suite: &Suite, cases: &[String]) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let (mut text, mut calls) = (String::new(), Vec::new());
    let left_out = |path: &str| LEFT_OUT.iter().any(|(left, _)| path.ends_with(left));
    for (number, path) in cases.iter().enumerate().filter(|(_, path)| !left_out(path)) {
        let space = format!("lib{number}");
        let Ok((library, description)) = library(suite, path, Target::Cpp, &space)? else { continue };
        std::fs::write(folder.path().join(format!("{space}.h")), library).map_err(|e| e.to_string())?;
        let _ = writeln!(text, "#include \"{space}.h\"");
        calls.extend(calls_of(suite, path, &space, &description)?);
    }
    text.push_str(HEAD);
    calls.iter().for_each(|call| {
        let _ = writeln!(
            text,
            "    {{ \"{}\", [](const uint32_t* in, size_t n) {{ call({}, in, n); }} }},",
            call.name, call.name
        );
    });
    text.push_str(TAIL);
    let (source, program) = (folder.path().join("host.cpp"), folder.path().join("host"));
    std::fs::write(&source, text).map_err(|e| e.to_string())?;
    let compiler = COMPILERS[cases.len() % COMPILERS.len()];
    let made = Command::new(compiler).args(FLAGS).arg("-o").arg(&program).arg(&source).output();
    let made = made.map_err(|e| format!("{compiler}: {e}; `cargo xtask setup` installs it"))?;
    if !made.status.success() {
        let said = String::from_utf8_lossy(&made.stderr).into_owned();
        let first = said.lines().take(30).collect::<Vec<_>>().join("\n");
        return Err(format!("{}: {compiler} does not take it\n{first}", cases.join(" ")));
    }
    if std::env::var_os("LIBRARY").is_some() {
        eprintln!("{} functions of {} cases", calls.len(), cases.len());
    }
    let mut wrong = String::new();
    for (number, call) in calls.iter().enumerate() {
        let mut run = Command::new(&program);
        run.arg(number.to_string()).args(call.given.iter().map(u32::to_string));
        let run = run.output().map_err(|e| e.to_string())?;
        let told = String::from_utf8_lossy(&run.stdout).into_owned();
        let words: Option<Vec<u32>> = told.split_whitespace().map(|w| w.parse().ok()).collect();
        let same = |(a, b): (&u32, &u32)| a == b || is_nan(*a) && is_nan(*b);
        match words {
            // Values of other sizes are not called.
            _ if run.status.code() == Some(3) => {}
            Some(words) if words.len() != call.wanted.len() && call.integers => {}
            Some(words) if words.len() == call.wanted.len() && words.iter().zip(&call.wanted).all(same) => {}
            _ => {
                let _ = writeln!(
                    wrong,
                    "{}: given {:?}, wanted {:?}, it gives {told}",
                    call.place, call.given, call.wanted
                );
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

fn is_nan(word: u32) -> bool {
    f32::from_bits(word).is_nan()
}

/// The functions of a library that can be called, with what the interpreter says of them.
fn calls_of(suite: &Suite, path: &str, space: &str, description: &str) -> Result<Vec<Call>, String> {
    let description: serde_json::Value = serde_json::from_str(description).map_err(|e| e.to_string())?;
    let functions = description["functions"].as_array().cloned().unwrap_or_default();
    let session = session(suite);
    let program = session.compile(path).map_err(|e| e.to_string())?;
    let mut options = FunctionOptions::default();
    options.backend = Backend::Interp;
    let mut calls = Vec::new();
    let mut compiled: Option<(String, Option<Function>)> = None;
    for (number, told) in functions.iter().enumerate() {
        let word = |key: &str| told[key].as_str().unwrap_or_default().to_string();
        let (of, mode) = (word("of"), word("mode"));
        if compiled.as_ref().is_none_or(|(name, _)| *name != of) {
            // What uses resources of the program cannot be called here.
            compiled = Some((of.clone(), program.function(&of, &options).ok()));
        }
        let Some((_, Some(function))) = &compiled else { continue };
        // A half has no word.
        let types = told["parameters"].as_array().into_iter().flatten().map(|p| &p["type"]).chain([&told["result"]]);
        if types.filter_map(|ty| ty.as_str()).any(|ty| ty.contains("half")) {
            continue;
        }
        let point = Point::draw(function, &mut Rng::new(number as u64 + 1));
        // A trap, such as too many steps, says nothing about the text.
        let Some((given, wanted)) = point.values(function, &mode) else { continue };
        let (Some(given), Some(wanted)) = (words(given.iter()), words(wanted.iter())) else { continue };
        let (place, name) = (format!("{path}: {}", word("name")), format!("{space}::{}", word("name")));
        calls.push(Call { place, name, given, wanted, integers: point.has_integers(function) });
    }
    Ok(calls)
}

/// Where a function is called: a value for each parameter that takes one, directions of those that
/// are differentiable, and weights of the results that are.
pub struct Point {
    parameters: Vec<Parameter>,
    args: Vec<Value>,
    tangents: Vec<Value>,
    cotangents: Vec<Value>,
}

impl Point {
    pub fn draw(function: &Function, r: &mut Rng) -> Point {
        let parameters = function.parameters();
        let inputs = || parameters.iter().filter(|p| p.is_input);
        let args = inputs().map(|p| filled(&p.shape.zero, r)).collect();
        let tangents = inputs().filter_map(|p| p.shape.differential.as_ref()).map(|d| filled(d, r)).collect();
        let results = function.results();
        let cotangents = results.iter().filter_map(|s| s.differential.as_ref()).map(|d| filled(d, r)).collect();
        Point { parameters, args, tangents, cotangents }
    }

    fn has_integers(&self, function: &Function) -> bool {
        fn of(value: &Value) -> bool {
            matches!(value, Value::Int(_)) || value.parts().iter().any(of)
        }
        self.args.iter().any(of) || function.results().iter().any(|s| of(&s.zero))
    }

    /// What a function of a library, or a derivative, is given, and what it has to give by the
    /// interpreter: a value for each parameter and direction, and the result and what is changed.
    pub fn values(&self, function: &Function, mode: &str) -> Option<(Vec<Value>, Vec<Value>)> {
        match mode {
            "primal" => self.primal(function),
            "forward" => self.forward(function),
            _ => self.reverse(function),
        }
    }

    fn primal(&self, function: &Function) -> Option<(Vec<Value>, Vec<Value>)> {
        let mut args = self.args.iter();
        let given =
            self.parameters.iter().map(|p| if p.is_input { args.next().cloned() } else { Some(p.shape.zero.clone()) });
        Some((given.collect::<Option<_>>()?, function.call(&self.args).ok()?))
    }

    fn forward(&self, function: &Function) -> Option<(Vec<Value>, Vec<Value>)> {
        let (mut args, mut tangents) = (self.args.iter().cloned(), self.tangents.iter().cloned());
        let mut given = Vec::new();
        for p in &self.parameters {
            given.push(if p.is_input { args.next()? } else { p.shape.zero.clone() });
            if let Some(d) = &p.shape.differential {
                given.push(if p.is_input { tangents.next()? } else { d.clone() });
            }
        }
        let (values, changes) = function.jvp(&self.args, &self.tangents).ok()?;
        let mut changes = changes.into_iter();
        let mut wanted = Vec::new();
        for (shape, value) in function.results().iter().zip(values) {
            wanted.push(value);
            if shape.differential.is_some() {
                wanted.push(changes.next()?);
            }
        }
        Some((given, wanted))
    }

    /// A pair that is changed in place brings the cotangent of the result, and takes the gradient
    /// back.
    fn reverse(&self, function: &Function) -> Option<(Vec<Value>, Vec<Value>)> {
        let results = function.results();
        let outs = self.parameters.iter().filter(|p| p.is_output).count();
        let returned = results.len().checked_sub(outs)?;
        let mut cotangents = self.cotangents.iter().cloned();
        let of_returned: Vec<Value> = results[..returned]
            .iter()
            .filter(|s| s.differential.is_some())
            .map(|_| cotangents.next())
            .collect::<Option<_>>()?;
        let gradients = function.vjp(&self.args, &self.cotangents).ok()?;
        let (mut args, mut gradients) = (self.args.iter().cloned(), gradients.into_iter());
        let (mut given, mut wanted) = (Vec::new(), Vec::new());
        for p in &self.parameters {
            let value = if p.is_input { Some(args.next()?) } else { None };
            match (&p.shape.differential, value) {
                (Some(d), Some(value)) => {
                    given.push(value.clone());
                    given.push(if p.is_output { cotangents.next()? } else { d.clone() });
                    wanted.extend([value, gradients.next()?.1]);
                }
                (Some(_), None) => given.push(cotangents.next()?),
                (None, Some(value)) => given.push(value),
                (None, None) => {}
            }
        }
        given.extend(of_returned);
        Some((given, wanted))
    }
}

/// A value of the shape with floats from 0.25 to 1.75 and small numbers: most functions are defined
/// there.
fn filled(shape: &Value, r: &mut Rng) -> Value {
    match shape {
        Value::Float(_) => Value::Float(f64::from(0.25 + 1.5 * (r.draw() >> 40) as f32 / (1u64 << 24) as f32)),
        Value::Int(_) | Value::Uint(_) => Value::Int((r.draw() >> 33) as i64 % 5),
        Value::Bool(_) => Value::Bool(r.draw() >> 63 == 1),
        Value::List(parts) => Value::List(parts.iter().map(|part| filled(part, r)).collect()),
    }
}

/// The words of values one after the other; `None` if some have no word.
fn words<'v>(values: impl Iterator<Item = &'v Value>) -> Option<Vec<u32>> {
    let mut out = Vec::new();
    values.map(|value| words_of(value, &mut out)).collect::<Option<()>>()?;
    Some(out)
}

fn words_of(value: &Value, out: &mut Vec<u32>) -> Option<()> {
    match value {
        Value::Float(v) => out.push((*v as f32).to_bits()),
        Value::Int(v) => out.push(*v as u32),
        Value::Uint(v) => out.push(*v as u32),
        // A byte, or four of them.
        Value::Bool(_) => return None,
        Value::List(parts) => return parts.iter().map(|part| words_of(part, out)).collect(),
    }
    Some(())
}

const HEAD: &str = r#"
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <vector>

// What the words are not enough for, or are too many for.
[[noreturn, maybe_unused]] static void other_size() { std::exit(3); }

template <class T> T take([[maybe_unused]] const uint32_t*& in, [[maybe_unused]] size_t& n) {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    if constexpr (!std::is_empty_v<T>) {
        if (sizeof(T) % 4 != 0 || sizeof(T) / 4 > n) other_size();
        std::memcpy(static_cast<void*>(&value), in, sizeof(T));
        in += sizeof(T) / 4;
        n -= sizeof(T) / 4;
    }
    return value;
}
template <class T> void tell(const T& value) {
    if constexpr (!std::is_empty_v<T>) {
        if (sizeof(T) % 4 != 0) other_size();
        uint32_t words[(sizeof(T) + 3) / 4] = {};
        std::memcpy(words, &value, sizeof(T));
        for (uint32_t word : words) std::printf("%u ", word);
    }
}
template <class P, class T> void tell_changed([[maybe_unused]] const T& value) {
    if constexpr (std::is_lvalue_reference_v<P> && !std::is_const_v<std::remove_reference_t<P>>) tell(value);
}
template <class R, class... P> void call(R (*f)(P...), [[maybe_unused]] const uint32_t* in, size_t n) {
    std::tuple<std::decay_t<P>...> given{take<std::decay_t<P>>(in, n)...};
    if (n != 0) other_size();
    std::apply([&](auto&... a) {
        if constexpr (std::is_void_v<R>) f(a...);
        else tell(f(a...));
        (tell_changed<P>(a), ...);
    }, given);
}

struct Function {
    const char* name;
    void (*run)(const uint32_t*, size_t);
};
static const Function functions[] = {
"#;

const TAIL: &str = r#"    { nullptr, nullptr },
};

int main(int count, char** words) {
    std::vector<uint32_t> in;
    for (int i = 2; i < count; i++) in.push_back(uint32_t(std::strtoul(words[i], nullptr, 10)));
    functions[std::atoi(words[1])].run(in.data(), in.size());
    return 0;
}
"#;
