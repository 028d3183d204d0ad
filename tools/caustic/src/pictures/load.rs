//! The pixels of a picture as elements of a buffer.
//!
//! It is the way back of what `--write` makes of a buffer: a float is what the picture shows, by
//! the curve of sRGB unless the picture is written in proportion; opacity never has the curve.

use super::{Colors, Form, Picture, from_srgb};
use caustic_driver::{Bindings, Scalar};
use caustic_runtime::{Contents, Loaded};

/// The contents of the file for the buffer `name`; one that is no picture is read as it always is.
/// Behind the path may stand the curve.
pub(crate) fn load(
    path: &str,
    name: &str,
    bindings: &Bindings,
    load: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<Loaded, String> {
    let (file, linear) = said(path);
    let bytes = load(file)?;
    let form = Form::of_file(&bytes);
    if form.is_none() && Form::of_path(file).is_some() {
        return Err(format!("`{file}` is called a picture and is none"));
    }
    let element = form.and_then(|form| Some((form, bindings.element(name).ok()?)));
    // A name that leads nowhere is somebody else's matter.
    let Some((form, (scalar, inner))) = element else {
        let mut again = |_: &str| Ok(bytes.clone());
        return Contents::load(Contents::File(file.to_string()), &mut again);
    };
    let wrong = |why: String| format!("the picture `{file}` cannot be the contents of `{name}`: {why}");
    if linear == Some(false) && !form.has_curve() {
        return Err(wrong(format!("numbers of .{} never have the curve of sRGB", form.ending())));
    }
    let mut picture = form.read(&bytes).map_err(wrong)?;
    picture.linear = linear.unwrap_or(picture.linear);
    let tensor = bindings.is_tensor(name);
    let components = match inner[..] {
        [] if tensor => picture.colors.count(),
        [] => 1,
        [n] if (1..=4).contains(&n) => n,
        _ => return Err(wrong("its elements are no numbers and no vectors".into())),
    };
    let mut shape = vec![picture.height as u32, picture.width as u32];
    if inner.is_empty() && components > 1 {
        shape.push(components as u32);
    }
    // A tensor has a component for each of the picture's.
    let asked = match Colors::of_elements(components) {
        Some(colors) if !(tensor && inner.is_empty()) => colors,
        _ => picture.colors,
    };
    let bytes = picture.contents(scalar, asked).map_err(wrong)?;
    let left_out = picture.left_out(asked);
    Ok(Loaded { bytes, shape: Some(shape), scalar: Some(scalar), by_bits: false, left_out })
}

/// The path, and whether it says that the picture is in proportion.
fn said(path: &str) -> (&str, Option<bool>) {
    match path.rsplit_once(':').filter(|(file, _)| Form::of_path(file).is_some()) {
        Some((file, curve)) if curve.eq_ignore_ascii_case("linear") => (file, Some(true)),
        Some((file, curve)) if curve.eq_ignore_ascii_case("srgb") => (file, Some(false)),
        _ => (path, None),
    }
}

/// Red, green, blue, opacity. Gray is as much of each color, and what has no opacity is opaque.
type Pixel = [f64; 4];

impl Picture {
    fn pixels(&self) -> impl Iterator<Item = Pixel> {
        let pixel = |parts: &[f64]| match (self.colors, parts) {
            (Colors::GrayOpacity, &[v, a]) => [v, v, v, a],
            (Colors::RedGreen, &[r, g]) => [r, g, 0.0, 1.0],
            (_, &[r, g, b]) => [r, g, b, 1.0],
            (_, &[r, g, b, a]) => [r, g, b, a],
            (_, parts) => [parts[0], parts[0], parts[0], 1.0],
        };
        self.numbers.chunks_exact(self.colors.count()).map(pixel)
    }

    fn contents(&self, scalar: Scalar, asked: Colors) -> Result<Vec<u8>, String> {
        if asked == Colors::RedGreen && self.colors.is_gray() {
            return Err("it is gray, and an element has 2 components".into());
        }
        let mut bytes = Vec::with_capacity(self.width * self.height * asked.count() * scalar.size());
        for pixel in self.pixels() {
            let [r, g, b, a] = pixel;
            let same = |v: f64, w: f64| v == w || v.is_nan() && w.is_nan();
            if asked.is_gray() && !(same(r, g) && same(g, b)) {
                return Err("it has colors, and an element is one number; declare elements of three".into());
            }
            let parts: &[f64] = match asked {
                Colors::GrayOpacity => &[r, a],
                _ => &pixel[..asked.count()],
            };
            for (place, &v) in parts.iter().enumerate() {
                let float = if self.linear || asked.is_opacity(place) { v } else { from_srgb(v) };
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

    /// What is in the picture, and not in its pixels as `asked`. No blue and full opacity are
    /// nothing to miss.
    fn left_out(&self, asked: Colors) -> Vec<String> {
        let has_opacity = matches!(asked, Colors::GrayOpacity | Colors::RgbOpacity);
        let blue = asked == Colors::RedGreen && self.pixels().any(|[_, _, b, _]| b != 0.0);
        let opacity = !has_opacity && self.pixels().any(|[.., a]| a != 1.0);
        let mut found: Vec<String> =
            [(blue, "blue"), (opacity, "opacity")].iter().filter(|(on, _)| *on).map(|(_, n)| (*n).into()).collect();
        found.extend(self.besides.iter().cloned());
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(colors: Colors, numbers: &[f64], linear: bool) -> Picture {
        let width = numbers.len() / colors.count();
        Picture { width, height: 1, colors, numbers: numbers.into(), linear, narrow: false, besides: Vec::new() }
    }

    fn gray(linear: bool) -> Picture {
        picture(Colors::Gray, &[0.0, 0.5], linear)
    }

    #[test]
    fn pixels_become_elements() {
        let floats = |picture: &Picture, colors: Colors| -> Vec<f32> {
            let bytes = picture.contents(Scalar::F32, colors).unwrap();
            bytes.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect()
        };
        assert_eq!(floats(&gray(true), Colors::Gray), [0.0, 0.5]);
        assert_eq!(floats(&gray(true), Colors::RgbOpacity), [0.0, 0.0, 0.0, 1.0, 0.5, 0.5, 0.5, 1.0]);
        assert!((floats(&gray(false), Colors::Gray)[1] - 0.214_041).abs() < 1e-5);
        assert_eq!(gray(false).contents(Scalar::U8, Colors::Gray), Ok(vec![0, 128]));
        let pair = picture(Colors::RedGreen, &[0.25, 7.0], true);
        assert_eq!(floats(&pair, Colors::RedGreen), [0.25, 7.0]);
        assert_eq!(floats(&pair, Colors::RgbOpacity), [0.25, 7.0, 0.0, 1.0]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let colors = picture(Colors::Rgb, &[0.0, 0.5, 1.0], true);
        assert!(colors.contents(Scalar::F32, Colors::Gray).unwrap_err().contains("has colors"));
        assert!(gray(true).contents(Scalar::F32, Colors::RedGreen).unwrap_err().contains("is gray"));
        assert!(gray(true).contents(Scalar::U32, Colors::Gray).unwrap_err().contains("numbers are u32"));
    }

    #[test]
    fn what_is_left_out_is_something() {
        let left_out = |colors, numbers: &[f64], asked| picture(colors, numbers, true).left_out(asked).join(" ");
        assert_eq!(left_out(Colors::Rgb, &[0.5, 0.5, 0.0], Colors::RedGreen), "");
        assert_eq!(left_out(Colors::Rgb, &[0.5, 0.5, 0.1], Colors::RedGreen), "blue");
        assert_eq!(left_out(Colors::RgbOpacity, &[0.5, 0.5, 0.1, 1.0], Colors::Rgb), "");
        assert_eq!(left_out(Colors::RgbOpacity, &[0.5, 0.5, 0.1, 0.5], Colors::Rgb), "opacity");
        assert_eq!(left_out(Colors::RgbOpacity, &[0.5, 0.5, 0.1, 0.5], Colors::RedGreen), "blue opacity");
        assert_eq!(left_out(Colors::GrayOpacity, &[0.5, 0.5], Colors::Gray), "opacity");
        assert_eq!(left_out(Colors::GrayOpacity, &[0.5, 0.5], Colors::RgbOpacity), "");
    }
}
