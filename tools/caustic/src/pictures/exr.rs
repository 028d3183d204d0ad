//! OpenEXR: floats in proportion, of any size, as `R`, `G`, `B` and `A`, or as `Y`.

use super::{Colors, Picture};
use exr::image::{AnyChannel, AnyChannels, Encoding, FlatSamples, Image};
use exr::math::Vec2;
use exr::meta::MetaData;
use exr::meta::header::Header;
use exr::prelude::{ReadChannels, ReadLayers, WritableImage, f16};
use std::io::Cursor;
use std::panic::catch_unwind;

/// What pixels may be, the one with the most channels first.
const LAYOUTS: [Colors; 5] = [Colors::RgbOpacity, Colors::Rgb, Colors::RedGreen, Colors::GrayOpacity, Colors::Gray];

/// The channels of a pixel in its order.
fn names(colors: Colors) -> &'static [&'static str] {
    match colors {
        Colors::RgbOpacity => &["R", "G", "B", "A"],
        Colors::Rgb => &["R", "G", "B"],
        Colors::RedGreen => &["R", "G"],
        Colors::GrayOpacity => &["Y", "A"],
        Colors::Gray => &["Y"],
    }
}

/// Samples that are read.
const MOST_SAMPLES: usize = 1 << 30;

/// Samples for each byte of a file, which says of itself how many it has: no compression gives as
/// many.
const MOST_PER_BYTE: usize = 1 << 16;

type Layers = exr::image::Layers<AnyChannels<FlatSamples>>;

fn decode(file: &[u8]) -> Result<Layers, String> {
    let about = MetaData::read_from_buffered(Cursor::new(file), false).map_err(|e| e.to_string())?;
    let sampled = |header: &Header| {
        let channels = header.channels.list.len();
        header.layer_size.0.checked_mul(header.layer_size.1).and_then(|area| area.checked_mul(channels))
    };
    let all = about.headers.iter().try_fold(0usize, |sum, header| sum.checked_add(sampled(header)?));
    match all {
        Some(all) if all > file.len().saturating_mul(MOST_PER_BYTE) => return Err("most of it is missing".into()),
        Some(..=MOST_SAMPLES) => {}
        _ => return Err("it is too large".into()),
    }
    let mut channels = about.headers.iter().flat_map(|header| &header.channels.list);
    if channels.any(|channel| channel.sampling != Vec2(1, 1)) {
        return Err("some of its channels have fewer samples than others".into());
    }
    let reader = exr::image::read::read().no_deep_data().largest_resolution_level().all_channels();
    let image = reader.all_layers().all_attributes().non_parallel().from_buffered(Cursor::new(file));
    image.map(|image| image.layer_data).map_err(|e| e.to_string())
}

pub(super) fn read(file: &[u8]) -> Result<Picture, String> {
    // Some mistakes in a file are arithmetic that overflows.
    let layers = catch_unwind(|| decode(file)).unwrap_or_else(|_| Err("it is broken".into()))?;
    let found = layers.iter().find_map(|layer| Some((layer, layout(&layer.channel_data.list)?)));
    let Some((layer, (colors, chosen))) = found else {
        let names: Vec<String> =
            layers.iter().flat_map(|l| &l.channel_data.list).map(|c| format!("`{}`", c.name)).collect();
        return Err(format!("it has no channels R, G, B, A or Y, but {}", names.join(", ")));
    };
    let besides = layer.channel_data.list.iter().filter(|c| !chosen.iter().any(|other| other.name == c.name));
    let Vec2(width, height) = layer.size;
    let mut numbers = Vec::with_capacity(width * height * chosen.len());
    for i in 0..width * height {
        numbers.extend(chosen.iter().map(|channel| number(&channel.sample_data, i)));
    }
    let narrow = chosen.iter().all(|channel| matches!(channel.sample_data, FlatSamples::F16(_)));
    let besides = besides.map(|channel| format!("`{}`", channel.name)).collect();
    Ok(Picture { width, height, colors, numbers, linear: true, narrow, besides })
}

/// The channels that make a pixel, in its order. Where there is but one, such as a depth, it is
/// gray by any name.
fn layout(list: &[AnyChannel<FlatSamples>]) -> Option<(Colors, Vec<&AnyChannel<FlatSamples>>)> {
    let named = |name: &&str| list.iter().find(|channel| channel.name.eq(name));
    let found = LAYOUTS.into_iter().find_map(|colors| {
        let channels: Option<Vec<_>> = names(colors).iter().map(named).collect();
        Some((colors, channels?))
    });
    match list {
        [one] => Some((Colors::Gray, vec![one])),
        _ => found,
    }
}

fn number(samples: &FlatSamples, i: usize) -> f64 {
    match samples {
        FlatSamples::F16(list) => list[i].to_f64(),
        FlatSamples::F32(list) => f64::from(list[i]),
        FlatSamples::U32(list) => f64::from(list[i]),
    }
}

pub(super) fn write(picture: &Picture) -> Result<Vec<u8>, String> {
    let names = names(picture.colors);
    let channel = |(place, name): (usize, &&str)| {
        let values = picture.numbers.iter().skip(place).step_by(names.len());
        let samples = match picture.narrow {
            true => FlatSamples::F16(values.map(|v| f16::from_f64(*v)).collect()),
            false => FlatSamples::F32(values.map(|v| *v as f32).collect()),
        };
        AnyChannel::new(*name, samples)
    };
    let channels = AnyChannels::sort(names.iter().enumerate().map(channel).collect());
    let size = Vec2(picture.width, picture.height);
    // ZIP loses nothing, and everybody reads it.
    let zip = Encoding { compression: exr::compression::Compression::ZIP16, ..Encoding::UNCOMPRESSED };
    let image = Image::from_encoded_channels(size, zip, channels);
    let mut file = Cursor::new(Vec::new());
    image.write().non_parallel().to_buffered(&mut file).map_err(|e| e.to_string())?;
    Ok(file.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(colors: Colors, numbers: &[f64], narrow: bool) -> Picture {
        let width = numbers.len() / colors.count();
        Picture { width, height: 1, colors, numbers: numbers.into(), linear: true, narrow, besides: Vec::new() }
    }

    #[test]
    fn what_is_written_is_read_to_the_bit() {
        let odd = [
            -3.5,
            1e30f32.into(),
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            -0.0,
            0.1f32.into(),
            2.0,
            3.0,
            4.0,
            5.0,
            6.0,
        ];
        for colors in LAYOUTS {
            let given = picture(colors, &odd, false);
            let read = read(&write(&given).unwrap()).unwrap();
            assert_eq!((read.colors, read.width, read.height, read.narrow), (colors, given.width, 1, false));
            let bits = |numbers: &[f64]| numbers.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&read.numbers), bits(&odd), "{colors:?}");
        }
        let half = read(&write(&picture(Colors::Rgb, &[0.1, 65504.0, 1e9], true)).unwrap()).unwrap();
        assert!(half.narrow && half.linear);
        assert_eq!(half.numbers, [f16::from_f64(0.1).to_f64(), 65504.0, f64::INFINITY]);
    }

    fn of_channels(channels: &[(&str, f32)]) -> Result<Picture, String> {
        let channel = |(name, v): &(&str, f32)| AnyChannel::new(*name, FlatSamples::F32(vec![*v]));
        let channels = AnyChannels::sort(channels.iter().map(channel).collect());
        let image = Image::from_encoded_channels(Vec2(1, 1), Encoding::UNCOMPRESSED, channels);
        let mut file = Cursor::new(Vec::new());
        image.write().to_buffered(&mut file).unwrap();
        read(&file.into_inner())
    }

    #[test]
    fn channels_are_found_by_their_names() {
        let found = of_channels(&[("Z", 9.0), ("R", 1.0), ("B", 3.0), ("G", 2.0)]).unwrap();
        assert_eq!(
            (found.colors, &found.numbers[..], &found.besides[..]),
            (Colors::Rgb, &[1.0, 2.0, 3.0][..], &["`Z`".to_string()][..])
        );
        let depth = of_channels(&[("Z", 9.0)]).unwrap();
        assert_eq!((depth.colors, &depth.numbers[..]), (Colors::Gray, &[9.0][..]));
        let said = of_channels(&[("u", 9.0), ("v", 9.0)]).unwrap_err();
        assert_eq!(said, "it has no channels R, G, B, A or Y, but `u`, `v`");
    }

    #[test]
    fn what_is_broken_is_refused() {
        let file = write(&picture(Colors::Rgb, &[0.5; 30], false)).unwrap();
        for end in 0..file.len() {
            assert!(read(&file[..end]).is_err(), "{end} of {} bytes", file.len());
        }
        // A byte that is wrong may still be one of a picture; it is never the end of the program.
        for at in 0..file.len() {
            for wrong in [0x00, 0x7f, 0xff, file[at] ^ 1] {
                let mut broken = file.clone();
                broken[at] = wrong;
                let _ = read(&broken);
            }
        }
    }
}
