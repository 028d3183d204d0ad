//! What a pass's declaration (its *row*) says.

use super::report::PassReport;
use super::view::ModuleView;
use caustic_ir::{Diagnostic, Module, SymbolOp};
use std::fmt;

/// Whether a pass changed what it was given. `No` must be true: what is known about the code is
/// kept then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Changed {
    No,
    Yes,
}

impl Changed {
    pub fn or(self, other: Changed) -> Changed {
        if self == Changed::Yes { self } else { other }
    }
}
impl From<bool> for Changed {
    fn from(changed: bool) -> Changed {
        if changed { Changed::Yes } else { Changed::No }
    }
}

/// What a pass gives back; with errors, what it was given may be half changed and is not used
/// further.
pub type PassResult = Result<Changed, Vec<Diagnostic>>;
/// Changes one symbol; runs on many at once.
pub type FunctionPass = fn(&mut SymbolOp, &ModuleView<'_>, &PassOptions, &mut PassReport) -> PassResult;
/// Changes the module: adds or removes symbols, or reads one's code to change another's.
pub type ModulePass = fn(&mut Module, &PassOptions, &mut PassReport) -> PassResult;

#[derive(Clone, Copy)]
pub enum Run {
    Function(FunctionPass),
    Module(ModulePass),
}

/// The row of a pass.
pub struct PassDef {
    /// `kebab-case`
    pub name: &'static str,
    /// First a sentence that says what it does, then the rest.
    pub doc: &'static str,
    pub options: &'static [OptionDef],
    /// The dialects that it takes, in words.
    pub before: &'static str,
    /// The dialects that it leaves, in words.
    pub after: &'static str,
    /// What it counts: name, meaning.
    pub statistics: &'static [(&'static str, &'static str)],
    pub run: Run,
    /// What the kinds of its options do not say: whether it takes these values.
    pub check: fn(&PassOptions) -> Result<(), Refusal>,
}

/// Why a pass does not take its options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// A clause, without the name of the pass.
    pub message: String,
    pub note: Option<String>,
}

impl Refusal {
    pub fn new(message: impl Into<String>) -> Refusal {
        Refusal { message: message.into(), note: None }
    }
}

impl PassDef {
    pub fn is_function_pass(&self) -> bool {
        matches!(self.run, Run::Function(_))
    }
    /// The first sentence of the documentation.
    pub fn summary(&self) -> String {
        let lines = self.doc.lines().map(str::trim).skip_while(|l| l.is_empty()).take_while(|l| !l.is_empty());
        let paragraph = lines.collect::<Vec<_>>().join(" ");
        match paragraph.split_once(". ") {
            Some((first, _)) => format!("{first}."),
            None => paragraph,
        }
    }
}

impl fmt::Debug for PassDef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionKind {
    Bool,
    Int,
    /// A number, or `none`.
    MaybeInt,
    Text,
    /// One of these words.
    Choice(&'static [&'static str]),
}

/// One option of a pass.
pub struct OptionDef {
    /// As the field is called; with `-` for `_` in text, see [`OptionDef::shown`].
    pub name: &'static str,
    pub kind: OptionKind,
    /// As it is written in a pipeline.
    pub default: &'static str,
    pub doc: &'static str,
}

impl OptionDef {
    /// The name as it is written in pipelines.
    pub fn shown(&self) -> String {
        self.name.replace('_', "-")
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    Bool(bool),
    Int(i64),
    /// What stands for no number.
    None,
    Text(String),
}

impl OptionKind {
    pub fn name(self) -> String {
        match self {
            OptionKind::Bool => "true|false".to_string(),
            OptionKind::Int => "int".to_string(),
            OptionKind::MaybeInt => "int|none".to_string(),
            OptionKind::Text => "text".to_string(),
            OptionKind::Choice(words) => words.join("|"),
        }
    }
    /// The value that `text` writes.
    pub fn parse(self, text: &str) -> Option<Value> {
        match self {
            OptionKind::Bool => match text {
                "true" | "1" => Some(Value::Bool(true)),
                "false" | "0" => Some(Value::Bool(false)),
                _ => None,
            },
            OptionKind::MaybeInt if text == "none" => Some(Value::None),
            OptionKind::Int | OptionKind::MaybeInt => text.parse().ok().map(Value::Int),
            OptionKind::Text => Some(Value::Text(text.to_string())),
            OptionKind::Choice(words) => words.contains(&text).then(|| Value::Text(text.to_string())),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(b) => write!(f, "{b}"),
            Value::Int(n) => write!(f, "{n}"),
            Value::None => f.write_str("none"),
            Value::Text(t) if t.is_empty() || t.contains([' ', ',', '{', '}', '(', ')', '\'', '"']) => {
                write!(f, "'{t}'")
            }
            Value::Text(t) => f.write_str(t),
        }
    }
}

/// A value for each option of a pass.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PassOptions {
    values: Vec<Value>,
}

impl PassOptions {
    pub fn defaults(def: &PassDef) -> PassOptions {
        let value = |o: &OptionDef| o.kind.parse(o.default).unwrap_or_else(|| Value::Text(o.default.to_string()));
        PassOptions { values: def.options.iter().map(value).collect() }
    }
    pub fn set(&mut self, index: usize, value: Value) {
        if let Some(slot) = self.values.get_mut(index) {
            *slot = value;
        }
    }
    pub fn value(&self, index: usize) -> Option<&Value> {
        self.values.get(index)
    }
}

/// A Rust type that an option can have.
pub trait OptionType: Sized {
    const KIND: OptionKind;
    /// The value, or the type's own default for one of another kind, which a row cannot produce.
    fn of(value: Option<&Value>) -> Self;
    fn value(&self) -> Value;
}
impl OptionType for bool {
    const KIND: OptionKind = OptionKind::Bool;
    fn of(value: Option<&Value>) -> bool {
        matches!(value, Some(Value::Bool(true)))
    }
    fn value(&self) -> Value {
        Value::Bool(*self)
    }
}
impl OptionType for i64 {
    const KIND: OptionKind = OptionKind::Int;
    fn of(value: Option<&Value>) -> i64 {
        if let Some(Value::Int(n)) = value { *n } else { 0 }
    }
    fn value(&self) -> Value {
        Value::Int(*self)
    }
}
impl OptionType for Option<i64> {
    const KIND: OptionKind = OptionKind::MaybeInt;
    fn of(value: Option<&Value>) -> Option<i64> {
        if let Some(Value::Int(n)) = value { Some(*n) } else { None }
    }
    fn value(&self) -> Value {
        self.map_or(Value::None, Value::Int)
    }
}
impl OptionType for String {
    const KIND: OptionKind = OptionKind::Text;
    fn of(value: Option<&Value>) -> String {
        if let Some(Value::Text(t)) = value { t.clone() } else { String::new() }
    }
    fn value(&self) -> Value {
        Value::Text(self.clone())
    }
}

/// Declares the choices of an option as an enum; the first is the default of a value that no row
/// can produce.
#[macro_export]
macro_rules! choices {
    ( $(#[doc = $doc:literal])+ $vis:vis enum $name:ident {
        $( $(#[doc = $vdoc:literal])* $variant:ident = $text:literal ),+ $(,)?
    } ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        $vis enum $name { $( $(#[doc = $vdoc])* $variant ),+ }
        impl $crate::manager::OptionType for $name {
            const KIND: $crate::manager::OptionKind = $crate::manager::OptionKind::Choice(&[$($text),+]);
            fn of(value: Option<&$crate::manager::Value>) -> Self {
                let all = [$( ($text, $name::$variant) ),+];
                let chosen = |(text, _): &&(&str, $name)| matches!(value, Some($crate::manager::Value::Text(t)) if t == text);
                all.iter().find(chosen).unwrap_or(&all[0]).1
            }
            fn value(&self) -> $crate::manager::Value {
                let text = match self { $( $name::$variant => $text ),+ };
                $crate::manager::Value::Text(text.to_string())
            }
        }
    };
}

/// Declares passes. One row a pass:
///
/// ```ignore
/// passes! {
///     /// Merges equal computations.
///     ///
///     /// More about it.
///     pub static CSE: "cse" {
///         level: function,               // or module
///         options: CseOptions { max_rounds: i64 = "3", "How often at most." },   // or none
///         before: "any", after: "the same",
///         statistics: [("merged", "ops that an equal one replaced")],
///         run: run_cse,
///     }
/// }
/// ```
///
/// A function pass's `run` is
/// `fn(&mut SymbolOp, &ModuleView, &CseOptions, &mut PassReport) -> PassResult`, a module pass's
/// `fn(&mut Module, &CseOptions, &mut PassReport) -> PassResult`; without options it takes none.
/// The options become a struct with these fields, which is `Copy` too if the row says
/// `CseOptions [Copy]`. No part of a row may be left out, but for what comes last,
/// `check: fn(&CseOptions) -> Result<(), Refusal>`, which says what the types of the options do
/// not.
#[macro_export]
macro_rules! passes {
    ( $(
        $(#[doc = $doc:literal])+
        $vis:vis static $pass:ident : $name:literal {
            level: $level:ident,
            options: $options:ident $( $([$derive:ident])? { $($field:ident : $ty:ty = $default:literal, $fdoc:literal);* $(;)? })?,
            before: $before:literal,
            after: $after:literal,
            statistics: [ $(($stat:literal, $sdoc:literal)),* $(,)? ],
            run: $run:expr $(, check: $check:expr)? $(,)?
        }
    )* ) => { $(
        $(
            #[doc = concat!("Options of the pass `", $name, "`.")]
            #[derive(Clone, Debug, PartialEq, Eq, $($derive)?)]
            $vis struct $options { $( #[doc = $fdoc] pub $field: $ty, )* }
            impl $options {
                #[allow(unused_assignments, unused_mut, unused_variables)]
                fn from_values(values: &$crate::manager::PassOptions) -> Self {
                    let mut index = 0;
                    $( let $field = <$ty as $crate::manager::OptionType>::of(values.value(index)); index += 1; )*
                    $options { $($field),* }
                }
            }
            impl From<&$options> for $crate::manager::PassRun {
                fn from(options: &$options) -> Self {
                    let values = [$( $crate::manager::OptionType::value(&options.$field) ),*];
                    $crate::manager::PassRun::with(&$pass, values)
                }
            }
            impl Default for $options {
                fn default() -> Self {
                    Self::from_values(&$crate::manager::PassOptions::defaults(&$pass))
                }
            }
        )?
        $(#[doc = $doc])+
        $vis static $pass: $crate::manager::PassDef = $crate::manager::PassDef {
            name: $name,
            doc: concat!($($doc, "\n"),+),
            options: $crate::passes!(@options $({ $($field : $ty = $default, $fdoc);* })?),
            before: $before,
            after: $after,
            statistics: &[$(($stat, $sdoc)),*],
            run: $crate::passes!(@run $level $options $({ $($field)* })? $run),
            check: $crate::passes!(@check $options $($check)?),
        };
    )* };

    (@options) => { &[] };
    (@options { $($field:ident : $ty:ty = $default:literal, $fdoc:literal);* }) => {
        &[$($crate::manager::OptionDef {
            name: stringify!($field),
            kind: <$ty as $crate::manager::OptionType>::KIND,
            default: $default,
            doc: $fdoc,
        }),*]
    };
    (@check $options:ident) => { |_| Ok(()) };
    (@check $options:ident $check:expr) => { |values| ($check)(&$options::from_values(values)) };
    (@run function none $run:expr) => {
        $crate::manager::Run::Function(|symbol, view, _, report| ($run)(symbol, view, report))
    };
    (@run module none $run:expr) => {
        $crate::manager::Run::Module(|module, _, report| ($run)(module, report))
    };
    (@run function $options:ident { $($field:ident)* } $run:expr) => {
        $crate::manager::Run::Function(|symbol, view, values, report| {
            ($run)(symbol, view, &$options::from_values(values), report)
        })
    };
    (@run module $options:ident { $($field:ident)* } $run:expr) => {
        $crate::manager::Run::Module(|module, values, report| ($run)(module, &$options::from_values(values), report))
    };
}

/// Whether an option's name in a pipeline is this field's: `max-iterations` and `max_iterations`
/// are one.
pub fn same_option(written: &str, name: &str) -> bool {
    written.len() == name.len() && written.bytes().zip(name.bytes()).all(|(a, b)| a == b || (a == b'-' && b == b'_'))
}
