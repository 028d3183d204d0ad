//! The floats of a buffer: out of their bytes, and back.

use caustic_dialects::reflect::Scalar;

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
}
