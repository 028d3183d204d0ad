//! PNG: whole numbers of 8 or 16 bits, by the curve of sRGB unless the file says otherwise.

use super::{Colors, Picture};
use png::{BitDepth, ColorType, Decoder, Encoder, ScaledFloat, SrgbRenderingIntent, Transformations};

pub(super) fn read(file: &[u8]) -> Result<Picture, String> {
    let mut decoder = Decoder::new(std::io::Cursor::new(file));
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(|e| e.to_string())?;
    let mut bytes = vec![0; reader.output_buffer_size().ok_or("it is too large")?];
    let frame = reader.next_frame(&mut bytes).map_err(|e| e.to_string())?;
    bytes.truncate(frame.buffer_size());
    let info = reader.info();
    let linear = info.srgb.is_none() && info.gama_chunk == Some(ScaledFloat::new(1.0));
    let numbers = match frame.bit_depth {
        BitDepth::Sixteen => {
            bytes.chunks_exact(2).map(|b| f64::from(u16::from_be_bytes([b[0], b[1]])) / f64::from(u16::MAX)).collect()
        }
        _ => bytes.iter().map(|b| f64::from(*b) / f64::from(u8::MAX)).collect(),
    };
    let colors = match frame.color_type {
        ColorType::Grayscale => Colors::Gray,
        ColorType::GrayscaleAlpha => Colors::GrayOpacity,
        ColorType::Rgba => Colors::RgbOpacity,
        // A palette is colors by now.
        ColorType::Rgb | ColorType::Indexed => Colors::Rgb,
    };
    let (width, height) = (frame.width as usize, frame.height as usize);
    Ok(Picture { width, height, colors, numbers, linear, narrow: false, besides: Vec::new() })
}

pub(super) fn write(picture: &Picture) -> Result<Vec<u8>, String> {
    let bytes: Vec<u8> = picture.numbers.iter().map(|v| to_byte(*v)).collect();
    let (color, bytes) = match picture.colors {
        Colors::Gray => (ColorType::Grayscale, bytes),
        Colors::GrayOpacity => (ColorType::GrayscaleAlpha, bytes),
        // And no blue.
        Colors::RedGreen => (ColorType::Rgb, bytes.chunks_exact(2).flat_map(|pair| [pair[0], pair[1], 0]).collect()),
        Colors::Rgb => (ColorType::Rgb, bytes),
        Colors::RgbOpacity => (ColorType::Rgba, bytes),
    };
    let size = |n: usize| u32::try_from(n).map_err(|_| "it is too large".to_string());
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, size(picture.width)?, size(picture.height)?);
    encoder.set_color(color);
    encoder.set_depth(BitDepth::Eight);
    match picture.linear {
        true => encoder.set_source_gamma(ScaledFloat::new(1.0)),
        false => encoder.set_source_srgb(SrgbRenderingIntent::Perceptual),
    }
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(&bytes)?;
        writer.finish()
    });
    written.map_err(|error| error.to_string())?;
    Ok(file)
}

/// What is no number is black.
fn to_byte(v: f64) -> u8 {
    (v.clamp(0.0, 1.0) * 255.0).round() as u8
}
