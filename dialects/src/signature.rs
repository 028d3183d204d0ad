//! What a function's parameters and results mean: how the parameters a programmer wrote map to the
//! inputs and results of a normalized function.
//!
//! The attribute `params` of a function-like symbol holds
//! `{name = "x", dir = "in"|"out"|"inout", no_diff, written}` for each parameter as written, where
//! `written` is the type of one that has unsigned integers ([`WRITTEN`]). In normalized
//! form `in` and `inout` parameters are inputs, in order; results are the return value, if there is
//! one, then `out` and `inout` parameters, in order. A function without the attribute has only `in`
//! parameters, and all of its results are returned.

use crate::ad::differential_type;
use crate::agg::{StructType, as_array, as_buffer, as_tape};
use crate::reflect::DataType;
use crate::tex;
use caustic_ir::{Attr, Loc, LocKind, Name, SymbolOp, Type};

pub const PARAMS: &str = "params";
/// The type that the programmer wrote, of what has unsigned integers: integers of the IR have no
/// sign. Only source text asks.
pub const WRITTEN: &str = "written";
/// The same of a function's result.
pub const WRITTEN_RESULT: &str = "written_result";
/// The value of an argument that callers may leave out, of a parameter; only source text asks.
pub const DEFAULT: &str = "default";
/// The symbol that a function would have if no other one had its name. Only source text asks.
pub const OVERLOADS: &str = "overloads";
/// The names of a function's variables that the programmer declared unsigned. Only source text
/// asks.
pub const UNSIGNED: &str = "unsigned";
pub const NO_DIFF_RESULT: &str = "no_diff_result";
/// How: `"both"` modes from the function's code, `"forward"` only, [`ZERO`], [`CUSTOM`].
pub const DIFFERENTIABLE: &str = "differentiable";
/// The derivatives are zero, whatever the code is.
pub const ZERO: &str = "zero";
/// Attribute of a function that says whether calls of it are stored or run again in reverse
/// derivatives.
pub const PREFER: &str = "prefer";
/// Only in the modes for which a function is named.
pub const CUSTOM: &str = "custom";
/// The function that is the forward derivative, with the signature of the paper's appendix E.
pub const FORWARD_DERIVATIVE: &str = "forward_derivative";
pub const BACKWARD_DERIVATIVE: &str = "backward_derivative";
/// The function of the same signature whose derivatives this one has.
pub const PRIMAL_SUBSTITUTE: &str = "primal_substitute";
/// What a function says of its derivatives: attributes that name functions of the same parameters,
/// or of these and of what derivatives add.
pub const LINKS: [&str; 3] = [FORWARD_DERIVATIVE, BACKWARD_DERIVATIVE, PRIMAL_SUBSTITUTE];
/// Why a function is only declared, as the code of the error, its text, and [`label`]s: its body
/// says nothing, and nothing that runs may reach it.
pub const UNAVAILABLE: &str = "unavailable";
/// What a function is called that compares the threads of a quad.
pub const QUADS: &str = "quads";
/// Why the threads of an entry point, which reaches such a function, form no quads.
pub const NO_QUADS: &str = "no_quads";
/// Why an entry point cannot be run here, the targets that can, and [`label`]s; other code may call
/// it as a function.
pub const ELSEWHERE: &str = "elsewhere";
/// On a function: a static variable that the program changes, and that it begins anew.
pub const BEGINS_STATIC: &str = "begins_static";
/// On a function that stands nowhere in the program: the front end needs it.
pub const SYNTHESIZED: &str = "synthesized";
/// Attribute of a function that is that of a lambda expression: nobody can name it.
pub const LAMBDA: &str = "lambda";
/// Upstream's attribute of symbols; nothing outside of the module asks for one that is [`PRIVATE`].
pub const VISIBILITY: &str = "sym_visibility";
pub const PRIVATE: &str = "private";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    In,
    Out,
    InOut,
}

impl Direction {
    pub fn keyword(self) -> &'static str {
        match self {
            Direction::In => "in",
            Direction::Out => "out",
            Direction::InOut => "inout",
        }
    }
    pub fn from_keyword(word: &str) -> Option<Direction> {
        [Direction::In, Direction::Out, Direction::InOut].into_iter().find(|d| d.keyword() == word)
    }
}

/// One parameter as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    pub name: Name,
    pub dir: Direction,
    pub no_diff: bool,
    pub ty: Type,
    /// Which input carries it in.
    pub input: Option<usize>,
    /// Which result carries it out.
    pub result: Option<usize>,
}

impl Param {
    /// D(T) if the parameter takes part in differentiation.
    pub fn differential(&self) -> Option<Type> {
        if self.no_diff { None } else { differential_type(self.ty) }
    }
}

/// Entry of the `params` attribute.
pub fn param_attr(name: &str, dir: Direction, no_diff: bool) -> Attr {
    let mut entries = vec![(Name::new("name"), Attr::string(name)), (Name::new("dir"), Attr::string(dir.keyword()))];
    if no_diff {
        entries.push((Name::new("no_diff"), Attr::unit()));
    }
    Attr::dict(entries)
}

/// The same entry of a parameter of a type that has unsigned integers.
pub fn written_param(entry: Attr, written: &DataType) -> Attr {
    let Some(entries) = entry.as_dict() else { return entry };
    let mut entries = entries.to_vec();
    entries.push((Name::new(WRITTEN), written.to_attr()));
    Attr::dict(entries)
}

/// The same entry of a parameter whose argument may be left out.
pub fn default_param(entry: Attr, value: Attr) -> Attr {
    let Some(entries) = entry.as_dict() else { return entry };
    let mut entries = entries.to_vec();
    entries.push((Name::new(DEFAULT), value));
    Attr::dict(entries)
}

/// The entry of a parameter whose type is that of another function's parameter.
pub fn written_as(entry: Attr, of: &SymbolOp, param: usize) -> Attr {
    let written =
        of.attr(PARAMS).and_then(|all| all.as_array()?.get(param)?.get(WRITTEN)).and_then(DataType::from_attr);
    written.map_or(entry, |written| written_param(entry, &written))
}

/// The signature of a normalized function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    pub params: Vec<Param>,
    pub inputs: Vec<Type>,
    pub results: Vec<Type>,
    /// How many results are returned (the rest are out and inout parameters).
    pub num_returned: usize,
    pub no_diff_result: bool,
}

impl Signature {
    /// Reads the signature of a normalized function-like symbol; `None` if its attributes
    /// contradict its type.
    pub fn of(symbol: &SymbolOp) -> Option<Signature> {
        let (inputs, results) = symbol.function_type()?;
        let written = symbol.attr(PARAMS).and_then(|a| a.as_array());
        let mut params = Vec::new();
        match written {
            None => {
                for (i, &ty) in inputs.iter().enumerate() {
                    let name = Name::new(&format!("arg{i}"));
                    params.push(Param { name, dir: Direction::In, no_diff: false, ty, input: Some(i), result: None });
                }
            }
            Some(entries) => {
                let dir_of = |e: &Attr| e.get("dir").and_then(|d| d.as_str()).and_then(Direction::from_keyword);
                let outs = entries.iter().filter(|e| dir_of(e).is_some_and(|d| d != Direction::In)).count();
                let mut next_input = 0;
                let mut next_result = results.len().checked_sub(outs)?;
                for (i, entry) in entries.iter().enumerate() {
                    let dir = dir_of(entry)?;
                    let mut param = Param {
                        name: entry
                            .get("name")
                            .and_then(|n| n.as_str())
                            .map_or_else(|| Name::new(&format!("arg{i}")), Name::new),
                        dir,
                        no_diff: entry.get("no_diff").is_some(),
                        ty: Type::index(),
                        input: None,
                        result: None,
                    };
                    if dir != Direction::In {
                        param.ty = *results.get(next_result)?;
                        param.result = Some(next_result);
                        next_result += 1;
                    }
                    if dir != Direction::Out {
                        param.ty = *inputs.get(next_input)?;
                        param.input = Some(next_input);
                        next_input += 1;
                    }
                    params.push(param);
                }
                if next_input != inputs.len() {
                    return None;
                }
            }
        }
        let outs = params.iter().filter(|p| p.result.is_some()).count();
        Some(Signature {
            params,
            inputs: inputs.to_vec(),
            results: results.to_vec(),
            num_returned: results.len() - outs,
            no_diff_result: symbol.attr(NO_DIFF_RESULT).is_some(),
        })
    }

    /// D(T) of input `index` if it takes part in differentiation.
    pub fn input_differential(&self, index: usize) -> Option<Type> {
        self.params.iter().find(|p| p.input == Some(index)).and_then(|p| p.differential())
    }

    /// D(T) of result `index` if it takes part in differentiation.
    pub fn result_differential(&self, index: usize) -> Option<Type> {
        if index < self.num_returned {
            return if self.no_diff_result { None } else { differential_type(self.results[index]) };
        }
        self.params.iter().find(|p| p.result == Some(index)).and_then(|p| p.differential())
    }
}

/// Whether a value is or holds a reference to a resource: it is handed on, and never kept in
/// memory.
pub fn holds_handle(ty: Type) -> bool {
    as_buffer(ty).is_some()
        || tex::TextureType::of(ty).is_some()
        || tex::is_sampler(ty)
        || as_array(ty).map(|(_, elem)| elem).or(as_tape(ty)).is_some_and(holds_handle)
        || StructType::of(ty).is_some_and(|s| s.fields().any(|f| holds_handle(f.ty)))
}

/// A text at a place of the program, in attributes that say why something is refused. Nothing where
/// the place is not known.
pub fn label(at: Loc, text: &str) -> Option<Attr> {
    let LocKind::Span { file, line, col, end_line, end_col } = at.source().kind() else { return None };
    let place = Attr::i64_array(&[*line, *col, *end_line, *end_col].map(i64::from));
    Some(Attr::array(vec![Attr::string(text), Attr::string(file), place]))
}

/// The places and texts of [`label`]s.
pub fn labels(attr: Attr) -> Vec<(Loc, &'static str)> {
    let one = |attr: &Attr| {
        let [text, file, place] = attr.as_array()? else { return None };
        let place = place.as_i64_array()?.into_iter().map(|n| u32::try_from(n).ok()).collect::<Option<Vec<_>>>()?;
        let [line, col, end_line, end_col] = place[..] else { return None };
        Some((Loc::span(Name::new(file.as_str()?), (line, col), (end_line, end_col)), text.as_str()?))
    };
    attr.as_array().unwrap_or_default().iter().filter_map(one).collect()
}
