//! The declarative formats of op rows, compiled against the row: what the printer writes and the
//! parser reads.
//!
//! The language is a subset of MLIR's `assemblyFormat`; a piece is one of
//!
//! | piece | text |
//! | --- | --- |
//! | `` `word` `` | a keyword or punctuation; `` ` ` `` and ` `` ` (empty) force or forbid the space before what follows |
//! | `$operand` | the value; the values of a variadic one with commas |
//! | `operands` | all operands with commas |
//! | `$attribute` | a symbol as `@name`, an integer array as `[1, 2]`, others as they are; a unit is only an anchor |
//! | `$region`, `regions` | one region, or all: `{ … }` |
//! | `type($value)`, `type(operands)`, `type(results)` | types with commas; `$value` may be the name of a result |
//! | `functional-type` | `(operand types) -> result types`; `functional-type($operand, results)` for some of the operands |
//! | `positions($operands, $attribute)` | `[2, %i]`: the array's entries, where the smallest i64 stands for the next operand |
//! | `` wrapped($attribute, `gpu<dim `, `>`) `` | an opaque attribute without what is always around it |
//! | `attr-dict`, `attr-dict-with-keyword` | the attributes that no other piece prints |
//! | `( … $x^ … )?` | printed if `$x` is present: a given optional attribute, a variadic operand or result with values |
//!
//! A format never decides what an op means: operand types come from the operands, and result types
//! from the row's rules where no `type` names them.

use crate::op::{AttrClass, OpDef};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    Literal(&'static str),
    /// `` ` ` ``: a space; ` `` `: none.
    Space(bool),
    Operand(usize),
    Operands,
    Attr(usize),
    Wrapped {
        attr: usize,
        prefix: &'static str,
        suffix: &'static str,
    },
    Positions {
        operand: usize,
        attr: usize,
    },
    Region(usize),
    Regions,
    Types(Of),
    /// Operands of these, then all results.
    FunctionalType(Of),
    AttrDict {
        keyword: bool,
    },
    Optional {
        anchor: Anchor,
        pieces: Vec<Piece>,
    },
}

/// Which values a piece speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    Operand(usize),
    Operands,
    Result(usize),
    Results,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Attr(usize),
    Values(Of),
    Regions,
}

/// The pieces of `format` for the row `def`, or what is wrong with it.
pub fn compile(def: &'static OpDef, format: &'static str) -> Result<Vec<Piece>, String> {
    let mut compiler = Compiler { def, rest: format, anchor: None };
    let pieces = compiler.sequence(false)?;
    compiler.rest.is_empty().then_some(pieces).ok_or_else(|| format!("a `)` too many in the format of {}", def.name))
}

struct Compiler {
    def: &'static OpDef,
    rest: &'static str,
    anchor: Option<Anchor>,
}

impl Compiler {
    fn fail<T>(&self, what: &str) -> Result<T, String> {
        Err(format!("the format of {}: {what} at `{}`", self.def.name, self.rest))
    }

    fn eat(&mut self, text: &str) -> bool {
        match self.rest.trim_start().strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, text: &str) -> Result<(), String> {
        if self.eat(text) { Ok(()) } else { self.fail(&format!("expected `{text}`")) }
    }

    fn word(&mut self) -> &'static str {
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-')).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        self.rest = after;
        word
    }

    fn quoted(&mut self) -> Result<&'static str, String> {
        self.expect("`")?;
        let Some((text, rest)) = self.rest.split_once('`') else { return self.fail("an open literal") };
        self.rest = rest;
        Ok(text)
    }

    fn sequence(&mut self, in_optional: bool) -> Result<Vec<Piece>, String> {
        let mut pieces = Vec::new();
        loop {
            self.rest = self.rest.trim_start();
            match self.rest.chars().next() {
                None => return Ok(pieces),
                Some(')') => return Ok(pieces),
                Some('(') if in_optional => return self.fail("an optional group within another"),
                Some('(') => {
                    self.rest = &self.rest[1..];
                    self.anchor = None;
                    let inner = self.sequence(true)?;
                    self.expect(")")?;
                    self.expect("?")?;
                    let Some(anchor) = self.anchor.take() else { return self.fail("an optional group without `^`") };
                    pieces.push(Piece::Optional { anchor, pieces: inner });
                }
                Some(_) => {
                    let piece = self.piece()?;
                    if self.eat("^") {
                        self.anchor = match &piece {
                            Piece::Attr(i) | Piece::Wrapped { attr: i, .. } => Some(Anchor::Attr(*i)),
                            Piece::Operand(i) => Some(Anchor::Values(Of::Operand(*i))),
                            Piece::Operands => Some(Anchor::Values(Of::Operands)),
                            Piece::Types(of) => Some(Anchor::Values(*of)),
                            Piece::Regions | Piece::Region(_) => Some(Anchor::Regions),
                            _ => return self.fail("`^` after what cannot be absent"),
                        };
                    }
                    pieces.push(piece);
                }
            }
        }
    }

    fn piece(&mut self) -> Result<Piece, String> {
        if self.eat("`") {
            let Some((text, rest)) = self.rest.split_once('`') else { return self.fail("an open literal") };
            self.rest = rest;
            return Ok(match text {
                "" => Piece::Space(false),
                text if text.trim().is_empty() => Piece::Space(true),
                text => Piece::Literal(text),
            });
        }
        if self.eat("$") {
            let name = self.word();
            return self.named(name);
        }
        match self.word() {
            "operands" => Ok(Piece::Operands),
            "regions" => Ok(Piece::Regions),
            "attr-dict" => Ok(Piece::AttrDict { keyword: false }),
            "attr-dict-with-keyword" => Ok(Piece::AttrDict { keyword: true }),
            "type" => {
                self.expect("(")?;
                let of = self.values()?;
                self.expect(")")?;
                Ok(Piece::Types(of))
            }
            "functional-type" => {
                if !self.rest.starts_with('(') {
                    return Ok(Piece::FunctionalType(Of::Operands));
                }
                self.expect("(")?;
                let of = self.values()?;
                self.expect(",")?;
                self.values()?;
                self.expect(")")?;
                Ok(Piece::FunctionalType(of))
            }
            "positions" => {
                self.expect("(")?;
                self.expect("$")?;
                let operand = self.word();
                self.expect(",")?;
                self.expect("$")?;
                let attr = self.word();
                self.expect(")")?;
                match (self.operand(operand), self.attr(attr)) {
                    (Some(operand), Some(attr)) if self.def.operands[operand].variadic => {
                        Ok(Piece::Positions { operand, attr })
                    }
                    _ => self.fail("positions of what is no variadic operand and attribute"),
                }
            }
            "wrapped" => {
                self.expect("(")?;
                self.expect("$")?;
                let name = self.word();
                self.expect(",")?;
                let prefix = self.quoted()?;
                self.expect(",")?;
                let suffix = self.quoted()?;
                self.expect(")")?;
                match self.attr(name) {
                    Some(attr) => Ok(Piece::Wrapped { attr, prefix, suffix }),
                    None => self.fail("no attribute of that name"),
                }
            }
            _ => self.fail("an unknown piece"),
        }
    }

    fn operand(&self, name: &str) -> Option<usize> {
        self.def.operands.iter().position(|o| o.name == name)
    }
    fn attr(&self, name: &str) -> Option<usize> {
        self.def.attrs.iter().position(|a| a.name == name)
    }

    fn named(&mut self, name: &str) -> Result<Piece, String> {
        if let Some(i) = self.operand(name) {
            return Ok(Piece::Operand(i));
        }
        if let Some(i) = self.attr(name) {
            return Ok(Piece::Attr(i));
        }
        match self.def.regions.iter().position(|r| *r == name) {
            Some(i) => Ok(Piece::Region(i)),
            None => self.fail(&format!("the row has no operand, attribute or region `{name}`")),
        }
    }

    fn values(&mut self) -> Result<Of, String> {
        if self.eat("$") {
            let name = self.word();
            if let Some(i) = self.operand(name) {
                return Ok(Of::Operand(i));
            }
            return match self.def.results.iter().position(|r| r.name == name) {
                Some(i) => Ok(Of::Result(i)),
                None => self.fail(&format!("the row has no operand or result `{name}`")),
            };
        }
        match self.word() {
            "operands" => Ok(Of::Operands),
            "results" | "result" => Ok(Of::Results),
            _ => self.fail("expected `$value`, `operands` or `results`"),
        }
    }
}

impl Of {
    /// The range of operands or results that this speaks of, where there are `count` of them.
    pub fn range(self, def: &OpDef, count: usize) -> std::ops::Range<usize> {
        let (index, specs) = match self {
            Of::Operands | Of::Results => return 0..count,
            Of::Operand(i) => (i, def.operands),
            Of::Result(i) => (i, def.results),
        };
        let end = if specs[index].variadic { count } else { index + 1 };
        index.min(count)..end.min(count)
    }
    pub fn is_results(self) -> bool {
        matches!(self, Of::Result(_) | Of::Results)
    }
}

/// Attributes that some piece prints, so that the dictionary leaves them out.
pub fn printed_attrs(pieces: &[Piece], out: &mut Vec<usize>) {
    for piece in pieces {
        match piece {
            Piece::Attr(i) | Piece::Wrapped { attr: i, .. } | Piece::Positions { attr: i, .. } => out.push(*i),
            Piece::Optional { pieces, .. } => printed_attrs(pieces, out),
            _ => {}
        }
    }
}

/// What makes a compiled format unable to say all of an op of its row; a test asks for every row of
/// every dialect.
pub fn defects(def: &'static OpDef, pieces: &[Piece]) -> Vec<String> {
    let mut flat = Vec::new();
    flatten(pieces, &mut flat);
    let mut out = Vec::new();
    let mut report = |what: String| out.push(format!("the format of {}: {what}", def.name));
    let operand_said = |i: usize| {
        flat.iter().any(|p| match p {
            Piece::Operands => true,
            Piece::Operand(o) | Piece::Positions { operand: o, .. } => *o == i,
            _ => false,
        })
    };
    for (i, spec) in def.operands.iter().enumerate() {
        if !operand_said(i) {
            report(format!("does not print operand `{}`", spec.name));
        }
    }
    for i in 0..def.regions.len() {
        if !flat.iter().any(|p| **p == Piece::Regions || **p == Piece::Region(i)) {
            report(format!("does not print region `{}`", def.regions[i]));
        }
    }
    let dict = flat.iter().any(|p| matches!(p, Piece::AttrDict { .. }));
    if !dict {
        report("has no attr-dict".to_string());
    }
    for (i, spec) in def.results.iter().enumerate() {
        let said = flat.iter().any(|p| match p {
            Piece::FunctionalType(_) | Piece::Types(Of::Results) => true,
            Piece::Types(Of::Result(r)) => *r == i,
            _ => false,
        });
        let known: Vec<Option<crate::Type>> = def.operands.iter().map(|_| Some(crate::Type::f32())).collect();
        if !said && (spec.variadic || spec.rule.infer(&known).is_none()) {
            report(format!("does not tell the type of result `{}`", spec.name));
        }
    }
    for piece in &flat {
        if let Piece::Attr(i) = piece
            && def.attrs[*i].class == AttrClass::Opaque
        {
            report(format!("opaque `${}` needs `wrapped`", def.attrs[*i].name));
        }
    }
    out
}

fn flatten<'p>(pieces: &'p [Piece], out: &mut Vec<&'p Piece>) {
    for piece in pieces {
        match piece {
            Piece::Optional { pieces, .. } => flatten(pieces, out),
            piece => out.push(piece),
        }
    }
}
