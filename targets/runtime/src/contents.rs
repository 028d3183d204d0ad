//! The contents that a command line gives to a resource: `TYPE:v,v,…`, `@file` or `zero:BYTES`.
//!
//! Parsing needs no program: the result is raw bytes, or a promise of them. Files are read by whoever calls, through a
//! closure; this crate opens none.

use crate::value::parse_scalar;
use caustic_dialects::reflect::Scalar;

/// What was written after `NAME=`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    /// Bytes as they are.
    Bytes(Vec<u8>),
    /// The bytes of a file, by the path as written.
    File(String),
    /// That many zero bytes.
    Zero(usize),
}

impl Contents {
    /// Parses the text after `NAME=`; the error says what is wrong with it.
    pub fn parse(text: &str) -> Result<Contents, String> {
        if let Some(path) = text.strip_prefix('@') {
            if path.is_empty() {
                return Err("no file name after `@`".into());
            }
            return Ok(Contents::File(path.to_string()));
        }
        let Some((kind, values)) = text.split_once(':') else {
            return Err(format!("`{text}` is not of the form TYPE:v,v,…, @FILE or zero:BYTES"));
        };
        if kind == "zero" {
            return values.parse().map(Contents::Zero).map_err(|_| format!("`{values}` is not a number of bytes"));
        }
        parse_values(kind, values).map(Contents::Bytes)
    }

    /// The bytes themselves; `load` reads a file by its path.
    pub fn into_bytes(self, load: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>) -> Result<Vec<u8>, String> {
        match self {
            Contents::Bytes(bytes) => Ok(bytes),
            Contents::File(path) => load(&path),
            Contents::Zero(count) => {
                let none = || format!("there is no memory for {count} bytes");
                let mut bytes = Vec::new();
                if available_memory().is_some_and(|free| count as u64 > free / SHARE) {
                    return Err(none());
                }
                bytes.try_reserve_exact(count).map_err(|_| none())?;
                bytes.resize(count, 0);
                Ok(bytes)
            }
        }
    }
}

/// A buffer may take one part of so many of the free memory: what is read from it takes as much again, and its text more.
const SHARE: u64 = 4;

/// Bytes that the system could still give, where it tells: some grant more than they have, and end the process that uses it.
fn available_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes << 10)
}

/// The scalar kind that a command line names, or a message that lists what there is.
pub fn parse_scalar_name(name: &str) -> Result<Scalar, String> {
    match Scalar::from_name(name) {
        Some(kind) if kind != Scalar::Bool => Ok(kind),
        _ => {
            let known = Scalar::ALL.iter().filter(|s| **s != Scalar::Bool).map(|s| s.name()).collect::<Vec<_>>();
            Err(format!("unknown type `{name}`; the types are {}", known.join(" ")))
        }
    }
}

/// `v,v,…` of the named kind; an empty list is no bytes.
fn parse_values(kind: &str, values: &str) -> Result<Vec<u8>, String> {
    let kind = parse_scalar_name(kind)?;
    let mut bytes = Vec::new();
    if !values.trim().is_empty() {
        for value in values.split(',') {
            parse_scalar(kind, value.trim(), &mut bytes)?;
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_parses() {
        assert_eq!(Contents::parse("u8:1,2, 3"), Ok(Contents::Bytes(vec![1, 2, 3])));
        assert_eq!(Contents::parse("f32:"), Ok(Contents::Bytes(vec![])));
        assert_eq!(Contents::parse("@a:b.bin"), Ok(Contents::File("a:b.bin".into())));
        assert_eq!(Contents::parse("zero:16"), Ok(Contents::Zero(16)));
    }

    #[test]
    fn mistakes_are_named() {
        let message = |text| Contents::parse(text).unwrap_err();
        assert!(message("f33:1").contains("unknown type `f33`"));
        assert!(message("bool:1").contains("unknown type `bool`"));
        assert!(message("f32:1,,2").contains("`` is not a decimal number"));
        assert!(message("i32:1.5").contains("`1.5` is not a decimal integer"));
        assert!(message("zero:-1").contains("`-1`"));
        assert!(message("1,2").contains("TYPE:v,v"));
        assert!(message("@").contains("file name"));
    }

    #[test]
    fn files_come_from_the_caller() {
        let mut load = |path: &str| if path == "a" { Ok(vec![7]) } else { Err("no such file".to_string()) };
        assert_eq!(Contents::File("a".into()).into_bytes(&mut load), Ok(vec![7]));
        assert!(Contents::File("b".into()).into_bytes(&mut load).is_err());
        assert_eq!(Contents::Zero(3).into_bytes(&mut load), Ok(vec![0; 3]));
        assert!(Contents::Zero(usize::MAX).into_bytes(&mut load).is_err());
        // A petabyte, which some systems would promise.
        assert!(Contents::Zero(1 << 50).into_bytes(&mut load).is_err());
    }
}
