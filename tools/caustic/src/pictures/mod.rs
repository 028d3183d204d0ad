//! Pictures as files: what `--buffer` reads and `--write` writes.
//!
//! A kind of file is a row of [`Form::row`] and a module beside this one, which makes numbers of
//! the file and a file of numbers; nothing else knows the kinds.

mod exr;
mod load;
mod png;

pub(crate) use load::load;

/// A kind of picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Exr,
    Png,
}

/// What there is to know of a kind.
struct Row {
    ending: &'static str,
    /// What such a file begins with.
    magic: &'static [u8],
    has_curve: bool,
    read: fn(&[u8]) -> Result<Picture, String>,
    write: fn(&Picture) -> Result<Vec<u8>, String>,
}

impl Form {
    pub(crate) const ALL: [Form; 2] = [Form::Exr, Form::Png];

    fn row(self) -> Row {
        match self {
            Form::Exr => {
                Row { ending: "exr", magic: b"\x76\x2f\x31\x01", has_curve: false, read: exr::read, write: exr::write }
            }
            Form::Png => {
                Row { ending: "png", magic: b"\x89PNG\r\n\x1a\n", has_curve: true, read: png::read, write: png::write }
            }
        }
    }

    /// What the name of such a file ends with, behind the dot.
    pub(crate) fn ending(self) -> &'static str {
        self.row().ending
    }

    /// Whether numbers may stand in it by the curve of sRGB. Where they may not, they are any
    /// floats, in proportion.
    pub(crate) fn has_curve(self) -> bool {
        self.row().has_curve
    }

    pub(crate) fn write(self, picture: &Picture) -> Result<Vec<u8>, String> {
        (self.row().write)(picture)
    }

    fn read(self, file: &[u8]) -> Result<Picture, String> {
        (self.row().read)(file)
    }

    /// The kind that a file is.
    fn of_file(file: &[u8]) -> Option<Form> {
        Form::ALL.into_iter().find(|form| file.starts_with(form.row().magic))
    }

    /// The kind that a path is of by its ending.
    pub(crate) fn of_path(path: &str) -> Option<Form> {
        let (_, ending) = path.rsplit_once('.')?;
        Form::ALL.into_iter().find(|form| form.ending().eq_ignore_ascii_case(ending))
    }
}

/// What the components of a pixel are, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colors {
    Gray,
    GrayOpacity,
    RedGreen,
    Rgb,
    RgbOpacity,
}

impl Colors {
    /// Those of elements of so many components.
    pub(crate) fn of_elements(components: usize) -> Option<Colors> {
        match components {
            1 => Some(Colors::Gray),
            2 => Some(Colors::RedGreen),
            3 => Some(Colors::Rgb),
            4 => Some(Colors::RgbOpacity),
            _ => None,
        }
    }

    pub(crate) fn count(self) -> usize {
        match self {
            Colors::Gray => 1,
            Colors::GrayOpacity | Colors::RedGreen => 2,
            Colors::Rgb => 3,
            Colors::RgbOpacity => 4,
        }
    }

    /// Whether the component at this place of a pixel is opacity, which never has the curve.
    pub(crate) fn is_opacity(self, place: usize) -> bool {
        matches!(self, Colors::GrayOpacity | Colors::RgbOpacity) && place + 1 == self.count()
    }

    fn is_gray(self) -> bool {
        matches!(self, Colors::Gray | Colors::GrayOpacity)
    }
}

/// Pixels from the top, row after row.
#[derive(Debug)]
pub(crate) struct Picture {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) colors: Colors,
    /// As they stand in the file, where the largest of a whole number is 1.
    pub(crate) numbers: Vec<f64>,
    /// Whether they are in proportion, and not by the curve of sRGB.
    pub(crate) linear: bool,
    /// Whether 16 bits hold each of them.
    pub(crate) narrow: bool,
    /// What a pixel of the file has besides.
    pub(crate) besides: Vec<String>,
}

/// The curve of sRGB.
pub(crate) fn to_srgb(v: f64) -> f64 {
    if v <= 0.003_130_8 { 12.92 * v } else { 1.055 * v.powf(1.0 / 2.4) - 0.055 }
}

/// The way back on it.
fn from_srgb(v: f64) -> f64 {
    if v <= 0.040_45 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
}
