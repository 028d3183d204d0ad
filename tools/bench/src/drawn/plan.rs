//! What a kind has drawn: a function that is differentiated, and where each of its parameters comes
//! from.

use super::program::Argument;
use super::write::type_of;

/// An input that each thread has.
#[derive(Clone, Debug)]
pub struct Own {
    pub name: String,
    pub width: usize,
    pub low: f64,
    pub high: f64,
    pub active: bool,
    /// The type and the name of the struct that it is a member of.
    pub of: Option<(String, String)>,
}

impl Own {
    /// How the function names it.
    pub fn text(&self) -> String {
        self.of.as_ref().map_or(self.name.clone(), |(_, var)| format!("{var}.{}", self.name))
    }
}

/// A parameter of the function that is differentiated.
#[derive(Clone, Debug)]
pub enum Param {
    Own(Own),
    /// Inputs that are the members of a struct.
    Struct {
        ty: String,
        name: String,
        members: Vec<Own>,
    },
    /// The same for all threads: `Scene scene`, and what it holds.
    Shared {
        ty: String,
        name: String,
        arguments: Vec<Argument>,
        is_struct: bool,
    },
    /// Where the pixel of the thread is, in units of the image's width.
    Pixel(String),
    /// The coordinates of the pixel, `int x, int y`.
    Coordinates(String, String),
    Index(String),
}

/// What a kind has written: a function, and how to call it.
pub struct Plan {
    pub function: String,
    pub params: Vec<Param>,
    /// Of the result.
    pub width: usize,
    /// About the operations of a thread.
    pub work: usize,
    /// Whether results are added up into one number; the function's result is a scalar then.
    pub reduced: bool,
}

impl Plan {
    /// The function's signature.
    pub fn signature(&self) -> String {
        let params: Vec<String> = self.params.iter().map(Param::declared).collect();
        format!("[Differentiable]\n{} {}({})", type_of(self.width), self.function, params.join(", "))
    }
    /// Whether threads are in a line, not in an image.
    pub fn is_flat(&self) -> bool {
        !self.params.iter().any(|p| matches!(p, Param::Pixel(_) | Param::Coordinates(..)))
    }
}

impl Param {
    fn declared(&self) -> String {
        match self {
            Param::Own(own) => {
                format!("{}{} {}", if own.active { "" } else { "no_diff " }, type_of(own.width), own.name)
            }
            Param::Shared { ty, name, .. } if ty == "int" || ty == "uint" => format!("{ty} {name}"),
            Param::Shared { ty, name, .. } => format!("no_diff {ty} {name}"),
            Param::Struct { ty, name, .. } => format!("{ty} {name}"),
            Param::Pixel(name) => format!("no_diff float2 {name}"),
            Param::Coordinates(x, y) => format!("int {x}, int {y}"),
            Param::Index(name) => format!("uint {name}"),
        }
    }
}
