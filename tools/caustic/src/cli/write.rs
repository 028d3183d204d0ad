//! `--write`: which resource goes to which file, and in what form. The ending of the file's name
//! says the form.

use super::options::RunOptions;
use super::parse::Opt;
use crate::pictures::Form;

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileForm {
    /// The bytes as they lie in memory.
    Bin,
    /// NumPy's array of numbers.
    Npy,
    Picture(PictureRequest),
}

/// How numbers become a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureRequest {
    pub form: Form,
    /// Width and height of what has none of its own.
    pub size: Option<[u32; 2]>,
    /// The numbers are written in proportion, not by the curve of sRGB.
    pub linear: bool,
}

/// A resource that is written to a file after the dispatch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteRequest {
    pub name: String,
    pub path: String,
    pub form: FileForm,
}

impl WriteRequest {
    /// Parses `NAME=FILE` with what may follow a picture's file.
    pub fn parse(text: &str) -> Result<WriteRequest, String> {
        let (name, mut path) = match text.split_once('=') {
            Some((name, path)) if !name.is_empty() && !path.is_empty() => (name.to_string(), path),
            _ => return Err(format!("`{text}` is not of the form NAME=FILE")),
        };
        let (mut curve, mut is_said, mut sized) = (None, false, None);
        while let Some((before, word)) = path.rsplit_once(':') {
            let is_first = match word {
                "linear" | "srgb" => curve.replace(word == "linear").is_none(),
                _ => match size(word)? {
                    Some(size) => sized.replace(size).is_none(),
                    None => break,
                },
            };
            if !is_first {
                return Err(format!("`{text}` says twice what the picture is"));
            }
            (path, is_said) = (before, true);
        }
        let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
        let form = match (Form::of_path(path), ending.as_deref()) {
            (Some(form), _) if curve == Some(false) && !form.has_curve() => {
                return Err(format!("numbers of .{} never have the curve of sRGB", form.ending()));
            }
            (Some(form), _) => {
                let linear = curve.unwrap_or(!form.has_curve());
                FileForm::Picture(PictureRequest { form, size: sized, linear })
            }
            _ if is_said => return Err(format!("`{path}` is no picture, which alone has a size and a curve")),
            (_, Some("npy")) => FileForm::Npy,
            (_, Some("bin")) => FileForm::Bin,
            _ => {
                let pictures = Form::ALL.map(|form| format!(" nor .{}", form.ending())).concat();
                return Err(format!("`{path}` ends neither with .bin nor .npy{pictures}"));
            }
        };
        Ok(WriteRequest { name, path: path.to_string(), form })
    }
}

/// `WxH`; `None` where it is no two numbers.
fn size(word: &str) -> Result<Option<[u32; 2]>, String> {
    let is_number = |n: &str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit());
    let Some((width, height)) = word.split_once('x').filter(|(w, h)| is_number(w) && is_number(h)) else {
        return Ok(None);
    };
    let positive = |n: &str| n.parse().ok().filter(|n| *n > 0);
    match (positive(width), positive(height)) {
        (Some(width), Some(height)) => Ok(Some([width, height])),
        _ => Err(format!("`{word}` is no size of a picture")),
    }
}

pub(super) const fn write() -> Opt<RunOptions> {
    Opt {
        name: "--write",
        value: "NAME=FILE.bin|FILE.npy|FILE.exr[:WxH]|FILE.png[:WxH][:srgb|linear] ...",
        help: "A buffer or a texture to write to a file after the dispatch: its bytes, an array of NumPy, a picture of floats as they are (.exr), or one of 8 bits a component (.png; a float from 0 to 1 by the curve of sRGB, or in proportion); of a picture a buffer needs the size",
        set: |o, v| WriteRequest::parse(v).map(|w| o.writes.push(w)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_says_the_form() {
        let form = |text: &str| WriteRequest::parse(text).map(|w| (w.path, w.form));
        assert_eq!(form("a.b[1]=c:d/x.bin"), Ok(("c:d/x.bin".into(), FileForm::Bin)));
        assert_eq!(form("a=x.NPY"), Ok(("x.NPY".into(), FileForm::Npy)));
        let picture = |size, linear| FileForm::Picture(PictureRequest { form: Form::Png, size, linear });
        assert_eq!(form("a=x.png"), Ok(("x.png".into(), picture(None, false))));
        assert_eq!(form("a=x.png:4x3"), Ok(("x.png".into(), picture(Some([4, 3]), false))));
        assert_eq!(form("a=x.png:linear:4x3"), Ok(("x.png".into(), picture(Some([4, 3]), true))));
        let exr = |size| FileForm::Picture(PictureRequest { form: Form::Exr, size, linear: true });
        assert_eq!(form("a=x.exr:4x3"), Ok(("x.exr".into(), exr(Some([4, 3])))));
        assert_eq!(form("a=x.exr:linear"), Ok(("x.exr".into(), exr(None))));
        for (text, part) in [
            ("a=x.exr:srgb", "never have the curve"),
            ("a", "NAME=FILE"),
            ("=x.bin", "NAME=FILE"),
            ("a=x.jpg", "neither with .bin"),
            ("a=x.npy:4x3", "no picture"),
            ("a=x.png:0x3", "no size"),
            ("a=x.png:srgb:linear", "twice"),
            ("a=x.png:2x2:3x3", "twice"),
        ] {
            assert!(form(text).unwrap_err().contains(part), "{text}");
        }
    }
}
