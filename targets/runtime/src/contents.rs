//! The contents that a command line gives to a resource: `TYPE:v,v,…`, `TYPE[SIZES]:v,v,…`, `@file`
//! or `zero:BYTES`.
//!
//! Parsing needs no program: the result is raw bytes, or a promise of them. Files are read by
//! whoever calls, through a closure; this crate opens none.

use crate::npy;
use crate::value::parse_scalar;
use caustic_dialects::reflect::Scalar;

/// What was written after `NAME=`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    /// Scalars of this type, as they lie in memory.
    Values { scalar: Scalar, bytes: Vec<u8> },
    /// The bytes of a file, by the path as written.
    File(String),
    /// That many zero bytes.
    Zero(usize),
    /// The same, of a tensor with these sizes.
    Shaped { scalar: Scalar, bytes: Vec<u8>, shape: Vec<u32> },
}

/// Contents that are there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loaded {
    pub bytes: Vec<u8>,
    /// The sizes of a tensor along its dimensions, where something says them.
    pub shape: Option<Vec<u32>>,
    /// What the bytes are, where something says it.
    pub scalar: Option<Scalar>,
    /// Whether that is what they are meant to be: who writes values may mean their bits.
    pub by_bits: bool,
    /// What they come from holds these as well, which the parameter has no place for.
    pub left_out: Vec<String>,
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
        match kind.split_once('[') {
            Some((kind, sizes)) => parse_shaped(kind, sizes, values),
            None => Ok(Contents::Values { scalar: parse_scalar_name(kind)?, bytes: parse_values(kind, values)? }),
        }
    }

    /// The contents themselves; `load` reads a file by its path. A file of NumPy's is the array in
    /// it.
    pub fn load(self, load: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>) -> Result<Loaded, String> {
        match self {
            Contents::Values { scalar, bytes } => {
                Ok(Loaded { bytes, scalar: Some(scalar), by_bits: true, ..Loaded::default() })
            }
            Contents::Shaped { scalar, bytes, shape } => {
                Ok(Loaded { bytes, shape: Some(shape), scalar: Some(scalar), by_bits: true, ..Loaded::default() })
            }
            Contents::File(path) => {
                let bytes = load(&path)?;
                if !npy::is_npy(&bytes) {
                    if path.to_ascii_lowercase().ends_with(".npy") {
                        return Err(format!("`{path}` is called an array of NumPy and is none"));
                    }
                    return Ok(Loaded { bytes, ..Loaded::default() });
                }
                let array = npy::read(&bytes).map_err(|message| format!("cannot read `{path}`: {message}"))?;
                Ok(Loaded {
                    bytes: array.bytes,
                    shape: Some(array.shape),
                    scalar: Some(array.scalar),
                    ..Loaded::default()
                })
            }
            plain => plain.into_bytes().map(|bytes| Loaded { bytes, ..Loaded::default() }),
        }
    }

    /// The bytes of what is no file.
    fn into_bytes(self) -> Result<Vec<u8>, String> {
        match self {
            Contents::Values { bytes, .. } | Contents::Shaped { bytes, .. } => Ok(bytes),
            Contents::File(path) => Err(format!("`{path}` was not read")),
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

/// A buffer may take one part of so many of the free memory: what is read from it takes as much
/// again, and its text more.
const SHARE: u64 = 4;

/// Bytes that the system could still give, where it tells: some grant more than they have, and end
/// the process that uses it.
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

/// `TYPE[4,4]:v,v,…`: as many values as the sizes make, or one for all of them; none is zeros.
fn parse_shaped(kind: &str, sizes: &str, values: &str) -> Result<Contents, String> {
    let wrong = || format!("`[{sizes}` is not of the form [SIZE,SIZE,…]");
    let sizes_of = |list: &str| -> Option<Vec<u32>> { list.split(',').map(|s| s.trim().parse().ok()).collect() };
    let shape = sizes.strip_suffix(']').and_then(sizes_of).ok_or_else(wrong)?;
    let bytes = parse_values(kind, values)?;
    let scalar = parse_scalar_name(kind)?;
    let one = scalar.size();
    let none = || format!("there is no memory for a tensor of the sizes [{sizes}");
    let whole = shape.iter().try_fold(one, |n, size| n.checked_mul(*size as usize)).ok_or_else(none)?;
    let bytes = match bytes.len() {
        len if len == whole => bytes,
        0 => Contents::Zero(whole).into_bytes()?,
        len if len == one => {
            let mut all = Contents::Zero(whole).into_bytes()?;
            all.chunks_exact_mut(one).for_each(|value| value.copy_from_slice(&bytes));
            all
        }
        len => return Err(format!("[{sizes} takes {} values, {} are given", whole / one, len / one)),
    };
    Ok(Contents::Shaped { scalar, bytes, shape })
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
        assert_eq!(Contents::parse("u8:1,2, 3"), Ok(Contents::Values { scalar: Scalar::U8, bytes: vec![1, 2, 3] }));
        assert_eq!(Contents::parse("f32:"), Ok(Contents::Values { scalar: Scalar::F32, bytes: vec![] }));
        assert_eq!(Contents::parse("@a:b.bin"), Ok(Contents::File("a:b.bin".into())));
        assert_eq!(Contents::parse("zero:16"), Ok(Contents::Zero(16)));
        let shaped =
            |bytes: &[u8]| Ok(Contents::Shaped { scalar: Scalar::U8, bytes: bytes.to_vec(), shape: vec![2, 2] });
        assert_eq!(Contents::parse("u8[2,2]:1,2,3,4"), shaped(&[1, 2, 3, 4]));
        assert_eq!(Contents::parse("u8[2,2]:7"), shaped(&[7; 4]));
        assert_eq!(Contents::parse("u8[2,2]:"), shaped(&[0; 4]));
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
        assert!(message("u8[2,2]:1,2").contains("4 values, 2 are given"));
        assert!(message("u8[2,x]:1").contains("[SIZE,SIZE"));
        assert!(message("u8[2:1").contains("[SIZE,SIZE"));
        assert!(message("f64[4000000000,4000000000]:").contains("no memory"));
    }

    #[test]
    fn files_come_from_the_caller() {
        let mut load = |path: &str| if path == "a" { Ok(vec![7]) } else { Err("no such file".to_string()) };
        let mut bytes = |contents: Contents| contents.load(&mut load).map(|loaded| loaded.bytes);
        assert_eq!(bytes(Contents::File("a".into())), Ok(vec![7]));
        assert!(bytes(Contents::File("b".into())).is_err());
        assert_eq!(bytes(Contents::Zero(3)), Ok(vec![0; 3]));
        assert!(bytes(Contents::Zero(usize::MAX)).is_err());
        // A petabyte, which some systems would promise.
        assert!(bytes(Contents::Zero(1 << 50)).is_err());
    }
}
