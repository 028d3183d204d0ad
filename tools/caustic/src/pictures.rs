//! The pictures that `--buffer` reads: the pixels of a PNG file as elements of a buffer.
//!
//! It is the way back of what `--write` makes of a buffer: a float is from 0 to 1, by the curve of
//! sRGB unless the picture is written in proportion; opacity never has the curve.

use caustic_driver::{Bindings, Scalar};
use caustic_runtime::{Contents, Loaded};

/// What such a file begins with.
const MAGIC: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The contents of the file for the buffer `name`; one that is no picture is read as it always is.
/// Behind the path may stand the curve.
pub(crate) fn load(
    path: &str,
    name: &str,
    bindings: &Bindings,
    load: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<Loaded, String> {
    let curves = [(".png:linear", Some(true)), (".png:srgb", Some(false))];
    let said = curves.into_iter().find(|(end, _)| path.to_ascii_lowercase().ends_with(end));
    let (file, linear) = match said {
        Some((end, linear)) => (&path[..path.len() - end.len() + ".png".len()], linear),
        None => (path, None),
    };
    let bytes = load(file)?;
    let is_picture = bytes.starts_with(MAGIC);
    if !is_picture && file.to_ascii_lowercase().ends_with(".png") {
        return Err(format!("`{file}` is called a picture and is none"));
    }
    let element = bindings.element(name).ok().filter(|_| is_picture);
    // A name that leads nowhere is somebody else's matter.
    let Some((scalar, inner)) = element else {
        let mut again = |_: &str| Ok(bytes.clone());
        return Contents::load(Contents::File(file.to_string()), &mut again);
    };
    let wrong = |why: String| format!("the picture `{file}` cannot be the contents of `{name}`: {why}");
    let picture = Picture::decode(&bytes, linear).map_err(wrong)?;
    let tensor = bindings.is_tensor(name);
    let components = match inner[..] {
        [] if tensor => picture.components,
        [] => 1,
        [n] if (1..=4).contains(&n) => n,
        _ => return Err(wrong("its elements are no numbers and no vectors".into())),
    };
    let mut shape = vec![picture.height as u32, picture.width as u32];
    if inner.is_empty() && components > 1 {
        shape.push(components as u32);
    }
    let bytes = picture.contents(scalar, components).map_err(wrong)?;
    Ok(Loaded { bytes, shape: Some(shape), scalar: Some(scalar), by_bits: false })
}

/// Pixels from the top, row after row.
struct Picture {
    width: usize,
    height: usize,
    components: usize,
    /// From 0 to 1, as they stand in the file.
    numbers: Vec<f64>,
    /// Whether they are in proportion, and not by the curve of sRGB.
    linear: bool,
}

impl Picture {
    fn decode(file: &[u8], linear: Option<bool>) -> Result<Picture, String> {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().map_err(|e| e.to_string())?;
        let mut bytes = vec![0; reader.output_buffer_size().ok_or("it is too large")?];
        let frame = reader.next_frame(&mut bytes).map_err(|e| e.to_string())?;
        bytes.truncate(frame.buffer_size());
        let info = reader.info();
        let is_linear = info.srgb.is_none() && info.gama_chunk == Some(png::ScaledFloat::new(1.0));
        let numbers = match frame.bit_depth {
            png::BitDepth::Sixteen => bytes
                .chunks_exact(2)
                .map(|b| f64::from(u16::from_be_bytes([b[0], b[1]])) / f64::from(u16::MAX))
                .collect(),
            _ => bytes.iter().map(|b| f64::from(*b) / f64::from(u8::MAX)).collect(),
        };
        let (width, height) = (frame.width as usize, frame.height as usize);
        let components = frame.color_type.samples();
        Ok(Picture { width, height, components, numbers, linear: linear.unwrap_or(is_linear) })
    }

    /// A pixel as that many components. Gray is as much of each color, and what has no opacity is
    /// opaque.
    fn pixel(&self, pixel: &[f64], components: usize) -> Option<Vec<f64>> {
        let (colors, opacity) = match *pixel {
            [v] => ([v; 3], 1.0),
            [v, a] => ([v; 3], a),
            [r, g, b] => ([r, g, b], 1.0),
            [r, g, b, a] => ([r, g, b], a),
            _ => return None,
        };
        let [r, g, b] = colors;
        match components {
            1 => (r == g && g == b).then(|| vec![r]),
            2 => (pixel.len() > 2).then(|| vec![r, g]),
            3 => Some(colors.to_vec()),
            _ => Some(vec![r, g, b, opacity]),
        }
    }

    fn contents(&self, scalar: Scalar, components: usize) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::with_capacity(self.width * self.height * components * scalar.size());
        for pixel in self.numbers.chunks_exact(self.components) {
            let parts = self.pixel(pixel, components).ok_or_else(|| match components {
                1 => "it has colors, and an element is one number; declare elements of three".to_string(),
                n => format!("it is gray, and an element has {n} components"),
            })?;
            for (i, &v) in parts.iter().enumerate() {
                let is_opacity = components == 4 && i == 3;
                let float = if self.linear || is_opacity { v } else { from_srgb(v) };
                match scalar {
                    Scalar::U8 => bytes.push((v * 255.0).round() as u8),
                    Scalar::F16 => bytes.extend(half::f16::from_f64(float).to_le_bytes()),
                    Scalar::F32 => bytes.extend((float as f32).to_le_bytes()),
                    Scalar::F64 => bytes.extend(float.to_le_bytes()),
                    other => return Err(format!("its numbers are {other}, not floats or u8")),
                }
            }
        }
        Ok(bytes)
    }
}

/// The way back on the curve of sRGB.
fn from_srgb(v: f64) -> f64 {
    if v <= 0.040_45 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gray(linear: bool) -> Picture {
        Picture { width: 2, height: 1, components: 1, numbers: vec![0.0, 0.5], linear }
    }

    #[test]
    fn pixels_become_elements() {
        let floats = |picture: &Picture, n: usize| -> Vec<f32> {
            let bytes = picture.contents(Scalar::F32, n).unwrap();
            bytes.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect()
        };
        assert_eq!(floats(&gray(true), 1), [0.0, 0.5]);
        assert_eq!(floats(&gray(true), 4), [0.0, 0.0, 0.0, 1.0, 0.5, 0.5, 0.5, 1.0]);
        assert!((floats(&gray(false), 1)[1] - 0.214_041).abs() < 1e-5);
        assert_eq!(gray(false).contents(Scalar::U8, 1), Ok(vec![0, 128]));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let colors = Picture { components: 3, numbers: vec![0.0, 0.5, 1.0], ..gray(true) };
        assert!(colors.contents(Scalar::F32, 1).unwrap_err().contains("has colors"));
        assert!(gray(true).contents(Scalar::F32, 2).unwrap_err().contains("is gray"));
        assert!(gray(true).contents(Scalar::U32, 1).unwrap_err().contains("numbers are u32"));
        assert!(Picture::decode(b"none", None).is_err());
    }
}
