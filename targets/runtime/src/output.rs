//! What is printed after a dispatch: buffers as lists of scalars, as text or JSON.
//!
//! Without a type, elements print as the scalars of their declared type; a struct, a bool or a
//! byte-address buffer prints as `u32` words.

use crate::contents::parse_scalar_name;
use crate::interface::{KernelParam, push_string};
use crate::value::print_scalar;
use caustic_dialects::reflect::{DataType, ParamKind, Scalar};

/// `NAME[:TYPE]`: a buffer that is asked for, and the type as which its contents are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadRequest {
    pub name: String,
    pub scalar: Option<Scalar>,
}

impl ReadRequest {
    /// Parses `NAME[:TYPE]`; the error says what is wrong.
    pub fn parse(text: &str) -> Result<ReadRequest, String> {
        let (name, scalar) = match text.split_once(':') {
            Some((name, kind)) => (name, Some(parse_scalar_name(kind)?)),
            None => (text, None),
        };
        if name.is_empty() {
            return Err("no name to read".into());
        }
        Ok(ReadRequest { name: name.to_string(), scalar })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Format {
    #[default]
    Text,
    Json,
}

/// The scalar as which the contents of `param` print when nobody says otherwise.
pub fn default_scalar(param: &KernelParam) -> Scalar {
    let declared = match &param.ty {
        _ if matches!(param.kind, ParamKind::ByteAddressBuffer | ParamKind::RwByteAddressBuffer) => Scalar::U32,
        DataType::Scalar(s) | DataType::Vector { elem: s, .. } | DataType::Matrix { elem: s, .. } => *s,
        DataType::Array { .. } | DataType::Struct { .. } | DataType::Resource(_) => Scalar::U32,
    };
    if declared == Scalar::Bool { Scalar::U32 } else { declared }
}

/// One line of text or one JSON object with every `(name, scalar, bytes)`, in order; it ends with a
/// newline. Bytes at the end that make no whole scalar are padded with zeros.
pub fn write_outputs(format: Format, outputs: &[(String, Scalar, Vec<u8>)]) -> String {
    let mut out = String::new();
    match format {
        Format::Text => {
            for (name, scalar, bytes) in outputs {
                out.push_str(name);
                out.push(':');
                for (i, value) in bytes.chunks(scalar.size()).enumerate() {
                    out.push_str(if i == 0 { " " } else { ", " });
                    print_scalar(*scalar, value, &mut out);
                }
                out.push('\n');
            }
        }
        Format::Json => {
            out.push('{');
            for (i, (name, scalar, bytes)) in outputs.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { ", " });
                push_string(&mut out, name);
                out.push_str(": [");
                for (i, value) in bytes.chunks(scalar.size()).enumerate() {
                    out.push_str(if i == 0 { "" } else { ", " });
                    print_scalar(*scalar, value, &mut out);
                }
                out.push(']');
            }
            out.push_str("}\n");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_parse() {
        let request = |text| ReadRequest::parse(text);
        assert_eq!(request("gOut"), Ok(ReadRequest { name: "gOut".into(), scalar: None }));
        assert_eq!(request("a.b[1]:u8"), Ok(ReadRequest { name: "a.b[1]".into(), scalar: Some(Scalar::U8) }));
        assert!(request("gOut:float").is_err_and(|e| e.contains("unknown type `float`")));
        assert!(request(":f32").is_err());
    }

    #[test]
    fn both_formats() {
        let floats = [1.0f32, f32::NAN, -2.5e-9].iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
        let outputs = [
            ("a".to_string(), Scalar::F32, floats),
            ("b\"".to_string(), Scalar::I16, vec![255, 255, 1]),
            ("c".into(), Scalar::U8, vec![]),
        ];
        assert_eq!(
            write_outputs(Format::Json, &outputs),
            "{\"a\": [1.0, NaN, -2.5e-9], \"b\\\"\": [-1, 1], \"c\": []}\n"
        );
        assert_eq!(write_outputs(Format::Text, &outputs), "a: 1.0, NaN, -2.5e-9\nb\": -1, 1\nc:\n");
        assert_eq!(write_outputs(Format::Json, &[]), "{}\n");
    }
}
