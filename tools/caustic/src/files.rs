//! The files that `--write` makes of arrays of numbers.

use crate::cli::{FileForm, PictureRequest, WriteRequest};
use crate::pictures::{Colors, Picture, to_srgb};
use caustic_driver::{Array, Scalar};
use caustic_runtime::npy;

/// The bytes of the file; the error says why there is none.
pub(crate) fn encode(request: &WriteRequest, array: &Array) -> Result<Vec<u8>, String> {
    match request.form {
        FileForm::Bin => Ok(array.bytes.clone()),
        FileForm::Npy => Ok(npy::write(array.scalar, &array.shape, &array.bytes)),
        FileForm::Picture(picture) => pixels(array, picture)
            .and_then(|pixels| picture.form.write(&pixels))
            .map_err(|why| format!("`{}` is no picture: {why}", request.name)),
    }
}

/// The numbers as they are to stand in the picture.
fn pixels(array: &Array, request: PictureRequest) -> Result<Picture, String> {
    let Layout { width, height, colors } = layout(array, request)?;
    let mut numbers = numbers(array)?;
    // Bytes stand in it as they are.
    if !request.linear && array.scalar.is_float() {
        let places = (0..colors.count()).cycle();
        for (_, number) in places.zip(&mut numbers).filter(|(place, _)| !colors.is_opacity(*place)) {
            *number = to_srgb(*number);
        }
    }
    let narrow = matches!(array.scalar, Scalar::U8 | Scalar::F16);
    Ok(Picture { width, height, colors, numbers, linear: request.linear, narrow, besides: Vec::new() })
}

struct Layout {
    width: usize,
    height: usize,
    colors: Colors,
}

/// How the numbers are laid out as rows of pixels.
fn layout(array: &Array, picture: PictureRequest) -> Result<Layout, String> {
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
        (None, None) => return Err(format!("give its size, as FILE.{}:WxH", picture.form.ending())),
    };
    let Some(colors) = Colors::of_elements(components) else {
        return Err(format!("its elements have {components} components"));
    };
    let there = array.shape.iter().product::<usize>();
    let needed = width.checked_mul(height).and_then(|n| n.checked_mul(components));
    match needed.filter(|n| *n == there) {
        Some(_) => Ok(Layout { width, height, colors }),
        None => Err(format!("it has {} elements, not {width}x{height}", there / components)),
    }
}

/// Whether a resource can be written as it is asked for, before anything runs: its size and its
/// type are known by then. The error says why not.
pub(crate) fn check(request: &WriteRequest, array: &Array) -> Result<(), String> {
    let FileForm::Picture(picture) = request.form else { return Ok(()) };
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

/// Whether numbers of this type are levels of a picture.
fn is_shown(scalar: Scalar) -> Result<(), String> {
    match scalar {
        Scalar::U8 | Scalar::F16 | Scalar::F32 | Scalar::F64 => Ok(()),
        other => Err(format!("its numbers are {}, not floats or u8", other.name())),
    }
}

/// The largest of a byte is 1.
fn numbers(array: &Array) -> Result<Vec<f64>, String> {
    is_shown(array.scalar)?;
    let floats = |size: usize, read: fn(&[u8]) -> f64| Ok(array.bytes.chunks_exact(size).map(read).collect());
    match array.scalar {
        Scalar::U8 => floats(1, |b| f64::from(b[0]) / f64::from(u8::MAX)),
        Scalar::F16 => floats(2, |b| b.try_into().map_or(0.0, |b| half::f16::from_le_bytes(b).to_f64())),
        Scalar::F32 => floats(4, |b| b.try_into().map_or(0.0, |b| f64::from(f32::from_le_bytes(b)))),
        _ => floats(8, |b| b.try_into().map_or(0.0, f64::from_le_bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pictures::Form;

    fn array(scalar: Scalar, shape: &[usize], bytes: Vec<u8>) -> Array {
        Array { scalar, shape: shape.to_vec(), bytes, texture: false, outer: 1 }
    }

    fn floats(values: &[f32]) -> Vec<u8> {
        values.iter().flat_map(|v| v.to_le_bytes()).collect()
    }

    fn request(form: Form, size: Option<[u32; 2]>, linear: bool) -> PictureRequest {
        PictureRequest { form, size, linear }
    }

    fn written(array: &Array, picture: PictureRequest) -> Result<Vec<u8>, String> {
        let form = FileForm::Picture(picture);
        encode(&WriteRequest { name: "a".into(), path: "a".into(), form }, array)
    }

    fn png(array: &Array, size: Option<[u32; 2]>, linear: bool) -> (png::ColorType, Vec<u8>) {
        let file = written(array, request(Form::Png, size, linear)).unwrap();
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
        let srgb = png(&rgba, size, false);
        assert_eq!(srgb, (png::ColorType::Rgba, vec![0, 188, 255, 128, 0, 255, 0, 255]));
        let linear = png(&rgba, size, true);
        assert_eq!(linear.1, [0, 128, 255, 128, 0, 255, 0, 255]);
    }

    #[test]
    fn bytes_are_as_they_are_and_textures_know_their_size() {
        let mut rg = array(Scalar::U8, &[1, 2, 2], vec![1, 2, 3, 4]);
        (rg.texture, rg.outer) = (true, 2);
        assert_eq!(png(&rg, None, false), (png::ColorType::Rgb, vec![1, 2, 0, 3, 4, 0]));
        let gray = array(Scalar::U8, &[4], vec![9, 8, 7, 6]);
        assert_eq!(png(&gray, Some([2, 2]), false).1, [9, 8, 7, 6]);
    }

    #[test]
    fn what_was_read_with_rows_and_columns_has_a_size() {
        let of = |shape: &[usize], outer| Array { outer, ..array(Scalar::U8, shape, vec![0; shape.iter().product()]) };
        for (shape, outer, color) in [
            (&[2, 3][..], 2, png::ColorType::Grayscale),
            (&[2, 3, 3], 2, png::ColorType::Rgb),
            (&[2, 3, 4], 3, png::ColorType::Rgba),
        ] {
            assert_eq!(png(&of(shape, outer), None, false).0, color, "{shape:?}");
            assert_eq!(png(&of(shape, outer), Some([2, 3]), false).0, color, "{shape:?}");
        }
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        let sized = |w, h| Some([w, h]);
        for (array, size, part) in [
            (array(Scalar::U8, &[4], vec![0; 4]), None, "give its size"),
            (array(Scalar::U8, &[4], vec![0; 4]), sized(3, 2), "it has 4 elements, not"),
            (array(Scalar::U8, &[4], vec![0; 4]), sized(u32::MAX, u32::MAX), "it has 4 elements, not"),
            (array(Scalar::U32, &[1], vec![0; 4]), sized(1, 1), "its numbers are u32"),
            (array(Scalar::F32, &[1, 5], vec![0; 20]), sized(1, 1), "5 components"),
            (array(Scalar::F32, &[1, 2, 2], vec![0; 16]), sized(1, 1), "no numbers or vectors"),
        ] {
            for form in Form::ALL {
                let said = written(&array, request(form, size, false)).unwrap_err();
                assert!(said.contains(part), "{part}: {said}");
            }
        }
    }
}
