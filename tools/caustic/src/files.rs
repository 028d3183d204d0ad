//! The files that `--write` makes of arrays of numbers.

use crate::cli::{FileForm, Picture, WriteRequest};
use caustic_driver::{Array, Scalar};
use caustic_runtime::npy;

/// The bytes of the file; the error says why there is none.
pub(crate) fn encode(request: &WriteRequest, array: &Array) -> Result<Vec<u8>, String> {
    match request.form {
        FileForm::Bin => Ok(array.bytes.clone()),
        FileForm::Npy => Ok(npy::write(array.scalar, &array.shape, &array.bytes)),
        FileForm::Png(picture) => png(array, picture).map_err(|why| format!("`{}` is no picture: {why}", request.name)),
    }
}

/// Components of an element that a picture shows; the last of four is opacity.
const MOST_COMPONENTS: usize = 4;

fn png(array: &Array, picture: Picture) -> Result<Vec<u8>, String> {
    let Layout { width, height, components } = layout(array, picture)?;
    let numbers = numbers(array)?;
    let is_opacity = |i: usize| components == MOST_COMPONENTS && i % components == components - 1;
    let byte = |(i, number): (usize, &Number)| match number {
        Number::Byte(v) => *v,
        Number::Float(v) if picture.linear || is_opacity(i) => to_byte(*v),
        Number::Float(v) => to_byte(srgb(*v)),
    };
    let bytes: Vec<u8> = numbers.iter().enumerate().map(byte).collect();
    let (color, bytes) = match components {
        1 => (png::ColorType::Grayscale, bytes),
        // Red and green, and no blue.
        2 => (png::ColorType::Rgb, bytes.chunks_exact(2).flat_map(|pair| [pair[0], pair[1], 0]).collect()),
        3 => (png::ColorType::Rgb, bytes),
        _ => (png::ColorType::Rgba, bytes),
    };
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width as u32, height as u32);
    encoder.set_color(color);
    encoder.set_depth(png::BitDepth::Eight);
    match picture.linear {
        true => encoder.set_source_gamma(png::ScaledFloat::new(1.0)),
        false => encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual),
    }
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(&bytes)?;
        writer.finish()
    });
    written.map_err(|error| error.to_string())?;
    Ok(file)
}

struct Layout {
    width: usize,
    height: usize,
    components: usize,
}

/// How the numbers are laid out as rows of pixels.
fn layout(array: &Array, picture: Picture) -> Result<Layout, String> {
    let asked = picture.size.map(|size| size.map(|n| n as usize));
    let outer = &array.shape[..array.outer.min(array.shape.len())];
    // The last size of an array of plain numbers may be the components.
    let (own, components) = match (outer, array.element()) {
        (&[height, width], &[]) => (Some([width, height]), 1),
        (&[height, width, components], &[]) => (Some([width, height]), components),
        (&[height, width], &[components]) => (Some([width, height]), components),
        (_, &[]) => (None, 1),
        (_, &[components]) => (None, components),
        _ => return Err("its elements are no numbers or vectors".into()),
    };
    let [width, height] = match (asked, own) {
        (Some(asked), Some([width, height])) if array.texture && asked != [width, height] => {
            return Err(format!("it has {width}x{height} texels"));
        }
        (_, None) if array.texture => return Err("it has layers or depth".into()),
        (Some(size), _) | (None, Some(size)) => size,
        (None, None) => return Err("give its size, as FILE.png:WxH".into()),
    };
    if !(1..=MOST_COMPONENTS).contains(&components) {
        return Err(format!("its elements have {components} components"));
    }
    let there = array.shape.iter().product::<usize>();
    let needed = width.checked_mul(height).and_then(|n| n.checked_mul(components));
    match needed.filter(|n| *n == there) {
        Some(_) => Ok(Layout { width, height, components }),
        None => Err(format!("it has {} elements, not {width}x{height}", there / components)),
    }
}

/// Whether a resource can be written as it is asked for, before anything runs: its size and its
/// type are known by then. The error says why not.
pub(crate) fn check(request: &WriteRequest, array: &Array) -> Result<(), String> {
    let FileForm::Png(picture) = request.form else { return Ok(()) };
    let WriteRequest { name, .. } = request;
    let Err(why) = layout(array, picture).map(|_| ()).and_then(|()| is_shown(array.scalar)) else { return Ok(()) };
    let bytes = array.element().iter().product::<usize>().saturating_mul(array.scalar.size());
    let bytes = |[w, h]: [u32; 2]| (w as usize).saturating_mul(h as usize).saturating_mul(bytes);
    let hint = match picture.size.filter(|_| array.count() == 0 && !array.texture) {
        Some(size) => format!(": give it some with `--buffer {name}=zero:{}`", bytes(size)),
        None => String::new(),
    };
    Err(format!("`{name}` is no picture: {why}{hint}"))
}

enum Number {
    Byte(u8),
    Float(f64),
}

/// Whether numbers of this type are levels of a picture.
fn is_shown(scalar: Scalar) -> Result<(), String> {
    match scalar {
        Scalar::U8 | Scalar::F16 | Scalar::F32 | Scalar::F64 => Ok(()),
        other => Err(format!("its numbers are {}, not floats or u8", other.name())),
    }
}

fn numbers(array: &Array) -> Result<Vec<Number>, String> {
    is_shown(array.scalar)?;
    let floats = |size: usize, read: fn(&[u8]) -> f64| {
        Ok(array.bytes.chunks_exact(size).map(|bytes| Number::Float(read(bytes))).collect())
    };
    match array.scalar {
        Scalar::U8 => Ok(array.bytes.iter().map(|b| Number::Byte(*b)).collect()),
        Scalar::F16 => floats(2, |b| b.try_into().map_or(0.0, |b| half::f16::from_le_bytes(b).to_f64())),
        Scalar::F32 => floats(4, |b| b.try_into().map_or(0.0, |b| f64::from(f32::from_le_bytes(b)))),
        _ => floats(8, |b| b.try_into().map_or(0.0, f64::from_le_bytes)),
    }
}

/// What is no number is black.
fn to_byte(v: f64) -> u8 {
    (v.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// The curve of sRGB.
fn srgb(v: f64) -> f64 {
    if v <= 0.003_130_8 { 12.92 * v } else { 1.055 * v.powf(1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(scalar: Scalar, shape: &[usize], bytes: Vec<u8>) -> Array {
        Array { scalar, shape: shape.to_vec(), bytes, texture: false, outer: 1 }
    }

    fn floats(values: &[f32]) -> Vec<u8> {
        values.iter().flat_map(|v| v.to_le_bytes()).collect()
    }

    fn pixels(array: &Array, picture: Picture) -> (png::ColorType, Vec<u8>) {
        let file = png(array, picture).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        bytes.truncate(info.buffer_size());
        (info.color_type, bytes)
    }

    #[test]
    fn floats_take_the_curve_and_opacity_does_not() {
        let rgba = array(Scalar::F32, &[2, 4], floats(&[0.0, 0.5, 1.0, 0.5, -1.0, 2.0, f32::NAN, 1.0]));
        let size = Some([2, 1]);
        let srgb = pixels(&rgba, Picture { size, linear: false });
        assert_eq!(srgb, (png::ColorType::Rgba, vec![0, 188, 255, 128, 0, 255, 0, 255]));
        let linear = pixels(&rgba, Picture { size, linear: true });
        assert_eq!(linear.1, [0, 128, 255, 128, 0, 255, 0, 255]);
    }

    #[test]
    fn bytes_are_as_they_are_and_textures_know_their_size() {
        let mut rg = array(Scalar::U8, &[1, 2, 2], vec![1, 2, 3, 4]);
        (rg.texture, rg.outer) = (true, 2);
        assert_eq!(pixels(&rg, Picture::default()), (png::ColorType::Rgb, vec![1, 2, 0, 3, 4, 0]));
        let gray = array(Scalar::U8, &[4], vec![9, 8, 7, 6]);
        assert_eq!(pixels(&gray, Picture { size: Some([2, 2]), linear: false }).1, [9, 8, 7, 6]);
    }

    #[test]
    fn what_was_read_with_rows_and_columns_has_a_size() {
        let of = |shape: &[usize], outer| Array { outer, ..array(Scalar::U8, shape, vec![0; shape.iter().product()]) };
        for (shape, outer, color) in [
            (&[2, 3][..], 2, png::ColorType::Grayscale),
            (&[2, 3, 3], 2, png::ColorType::Rgb),
            (&[2, 3, 4], 3, png::ColorType::Rgba),
        ] {
            assert_eq!(pixels(&of(shape, outer), Picture::default()).0, color, "{shape:?}");
            let turned = Picture { size: Some([2, 3]), linear: false };
            assert_eq!(pixels(&of(shape, outer), turned).0, color, "{shape:?}");
        }
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        let sized = |w, h| Picture { size: Some([w, h]), linear: false };
        for (array, picture, part) in [
            (array(Scalar::U8, &[4], vec![0; 4]), Picture::default(), "give its size"),
            (array(Scalar::U8, &[4], vec![0; 4]), sized(3, 2), "it has 4 elements, not"),
            (array(Scalar::U8, &[4], vec![0; 4]), sized(u32::MAX, u32::MAX), "it has 4 elements, not"),
            (array(Scalar::U32, &[1], vec![0; 4]), sized(1, 1), "its numbers are u32"),
            (array(Scalar::F32, &[1, 5], vec![0; 20]), sized(1, 1), "5 components"),
            (array(Scalar::F32, &[1, 2, 2], vec![0; 16]), sized(1, 1), "no numbers or vectors"),
        ] {
            assert!(png(&array, picture).unwrap_err().contains(part), "{part}");
        }
    }
}
