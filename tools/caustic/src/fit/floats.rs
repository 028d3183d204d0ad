//! The floats of a buffer: out of their bytes, and back.

use caustic_driver::Scalar;

/// Whether numbers of this type are floats.
pub(crate) fn is_float(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::F16 | Scalar::F32 | Scalar::F64)
}

/// The floats that the bytes hold; none of another type.
pub(crate) fn decode(scalar: Scalar, bytes: &[u8]) -> Vec<f64> {
    match scalar {
        Scalar::F16 => bytes.as_chunks().0.iter().map(|b| half::f16::from_le_bytes(*b).to_f64()).collect(),
        Scalar::F32 => bytes.as_chunks().0.iter().map(|b| f64::from(f32::from_le_bytes(*b))).collect(),
        Scalar::F64 => bytes.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect(),
        _ => Vec::new(),
    }
}

/// The bytes that hold the floats.
pub(crate) fn encode(scalar: Scalar, floats: &[f64]) -> Vec<u8> {
    match scalar {
        Scalar::F16 => floats.iter().flat_map(|v| half::f16::from_f64(*v).to_le_bytes()).collect(),
        Scalar::F32 => floats.iter().flat_map(|v| (*v as f32).to_le_bytes()).collect(),
        Scalar::F64 => floats.iter().flat_map(|v| v.to_le_bytes()).collect(),
        _ => Vec::new(),
    }
}

/// A float as people read it: some six digits.
pub(crate) fn shown(v: f64) -> String {
    let short: f64 = format!("{v:.5e}").parse().unwrap_or(v);
    match short.abs() {
        0.0 => "0".into(),
        size if (1e-4..1e6).contains(&size) || !size.is_finite() => format!("{short}"),
        _ => format!("{short:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_of_each_type_come_back() {
        for scalar in [Scalar::F16, Scalar::F32, Scalar::F64] {
            let bytes = encode(scalar, &[1.5, -0.25]);
            assert_eq!((bytes.len(), decode(scalar, &bytes)), (2 * scalar.size(), vec![1.5, -0.25]));
        }
        // What makes no whole float at the end is left out.
        assert_eq!(decode(Scalar::F32, &[0; 7]), [0.0]);
    }

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, 0.1 + 0.2, 12.345678, 1.0 / 3e7, -2e9, f64::INFINITY].map(shown);
        assert_eq!(texts, ["0", "0.3", "12.3457", "3.33333e-8", "-2e9", "inf"]);
    }
}
