//! Files of arrays as NumPy writes them (`.npy`): the type of the numbers, the shape, and the bytes
//! as they lie.
//!
//! Only what a buffer can hold is read: numbers in the order of the machine, the last index moving
//! fastest.

use caustic_dialects::reflect::Scalar;

/// What such a file begins with.
const MAGIC: &[u8] = b"\x93NUMPY";

/// The types of numbers, as the header names them without the order of bytes.
const TYPES: [(&str, Scalar); 12] = [
    ("b1", Scalar::Bool),
    ("f2", Scalar::F16),
    ("f4", Scalar::F32),
    ("f8", Scalar::F64),
    ("i1", Scalar::I8),
    ("i2", Scalar::I16),
    ("i4", Scalar::I32),
    ("i8", Scalar::I64),
    ("u1", Scalar::U8),
    ("u2", Scalar::U16),
    ("u4", Scalar::U32),
    ("u8", Scalar::U64),
];

/// An array of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    pub scalar: Scalar,
    pub shape: Vec<u32>,
    pub bytes: Vec<u8>,
}

/// Whether these bytes are such a file.
pub fn is_npy(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Reads the file; the error says what is wrong with it.
pub fn read(file: &[u8]) -> Result<Array, String> {
    let short = || "it ends too early".to_string();
    let rest = file.strip_prefix(MAGIC).ok_or("it does not begin as a file of NumPy")?;
    let (version, rest) = rest.split_at_checked(2).ok_or_else(short)?;
    // The length of the header takes two bytes, later four.
    let width = if version[0] == 1 { 2 } else { 4 };
    let (length, rest) = rest.split_at_checked(width).ok_or_else(short)?;
    let length = length.iter().rev().fold(0usize, |n, b| n << 8 | usize::from(*b));
    let (header, data) = rest.split_at_checked(length).ok_or_else(short)?;
    let header = std::str::from_utf8(header).map_err(|_| "its header is no text")?;
    let entry = |key: &str| {
        let after = header.split_once(&format!("'{key}'"))?.1;
        Some(after.trim_start().strip_prefix(':')?.trim_start())
    };
    let missing = |key: &str| format!("its header has no `{key}`");
    let descr = entry("descr").ok_or_else(|| missing("descr"))?;
    let descr = descr.strip_prefix('\'').and_then(|d| d.split_once('\'')).map(|(d, _)| d);
    let descr = descr.ok_or("it holds structs, not numbers")?;
    let plain = descr
        .strip_prefix(['<', '|', '='])
        .ok_or_else(|| format!("its numbers are `{descr}`, which cannot be read"))?;
    let found = TYPES.iter().find(|(name, _)| *name == plain);
    let (_, scalar) = found.ok_or_else(|| format!("its numbers are `{descr}`, which cannot be read"))?;
    if entry("fortran_order").ok_or_else(|| missing("fortran_order"))?.starts_with("True") {
        return Err("its first index moves fastest; save a contiguous copy of it".into());
    }
    let shape = entry("shape").ok_or_else(|| missing("shape"))?;
    let shape = shape.strip_prefix('(').and_then(|s| s.split_once(')')).ok_or("its shape is no tuple")?.0;
    let sizes = shape.split(',').map(str::trim).filter(|s| !s.is_empty());
    let shape: Result<Vec<u32>, _> =
        sizes.map(|s| s.parse().map_err(|_| format!("its shape has the size `{s}`"))).collect();
    let shape = shape?;
    let count = shape.iter().try_fold(scalar.size(), |n, size| n.checked_mul(*size as usize)).ok_or_else(short)?;
    let bytes = data.get(..count).ok_or_else(short)?.to_vec();
    Ok(Array { scalar: *scalar, shape, bytes })
}

/// The file of an array of this type and shape, whose bytes lie as in memory.
pub fn write(scalar: Scalar, shape: &[usize], bytes: &[u8]) -> Vec<u8> {
    let plain = TYPES.iter().find(|(_, s)| *s == scalar).map_or("u1", |(name, _)| name);
    let order = if scalar.size() == 1 { '|' } else { '<' };
    let sizes: String = shape.iter().map(|size| format!("{size},")).collect();
    // A list of one has its comma, a longer one has none at the end.
    let sizes = if shape.len() > 1 { sizes.trim_end_matches(',') } else { &sizes };
    let header = format!("{{'descr': '{order}{plain}', 'fortran_order': False, 'shape': ({sizes}), }}");
    // The data begins at a multiple of 64 bytes, after a line break.
    let before = MAGIC.len() + 4;
    let length = (before + header.len() + 1).next_multiple_of(64) - before;
    let header = format!("{header:<width$}\n", width = length - 1);
    [MAGIC, &[1, 0], &(length as u16).to_le_bytes(), header.as_bytes(), bytes].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        let length = (header.len() as u16).to_le_bytes();
        [MAGIC, &[1, 0], &length, header.as_bytes(), data].concat()
    }

    #[test]
    fn numbers_come_with_their_type_and_shape() {
        let text = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }   \n";
        let array = read(&file(text, &[0, 0, 128, 63, 0, 0, 0, 64])).unwrap();
        assert_eq!((array.scalar, array.shape.as_slice()), (Scalar::F32, &[2, 1][..]));
        assert_eq!(array.bytes, [0, 0, 128, 63, 0, 0, 0, 64]);
        let none = read(&file("{'descr': '|u1', 'fortran_order': False, 'shape': (), }", &[7])).unwrap();
        assert_eq!((none.shape.len(), none.bytes), (0, vec![7]));
    }

    #[test]
    fn what_is_written_is_read_again() {
        for (shape, bytes) in [(&[][..], vec![1, 2]), (&[3], vec![0; 6]), (&[2, 2, 1], vec![7; 8])] {
            let file = write(Scalar::F16, shape, &bytes);
            let sizes: Vec<u32> = shape.iter().map(|s| *s as u32).collect();
            assert_eq!(read(&file), Ok(Array { scalar: Scalar::F16, shape: sizes, bytes: bytes.clone() }));
            assert_eq!((file.len() - bytes.len()) % 64, 0);
        }
        let text = String::from_utf8_lossy(&write(Scalar::U8, &[4], &[])).into_owned();
        assert!(text.contains("'descr': '|u1'") && text.contains("'shape': (4,)"), "{text}");
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let message = |header: &str, data: &[u8]| read(&file(header, data)).unwrap_err();
        let of = |descr: &str, order: &str, shape: &str| {
            format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}")
        };
        assert!(message(&of("'>f4'", "False", "(1,)"), &[0; 4]).contains("`>f4`"));
        assert!(message(&of("'<c8'", "False", "(1,)"), &[0; 8]).contains("`<c8`"));
        assert!(message(&of("[('a', '<f4')]", "False", "(1,)"), &[0; 4]).contains("structs"));
        assert!(message(&of("'<f4'", "True", "(1, 1)"), &[0; 4]).contains("fastest"));
        assert!(message(&of("'<f4'", "False", "(-1,)"), &[0; 4]).contains("`-1`"));
        assert!(message(&of("'<f4'", "False", "(2,)"), &[0; 4]).contains("too early"));
        assert!(message("{}", &[]).contains("`descr`"));
        assert!(read(b"\x93NUMPY\x01").is_err() && read(b"else").is_err());
    }
}
