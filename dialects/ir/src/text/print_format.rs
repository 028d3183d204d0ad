//! Printing ops by the declarative formats of their rows.

use super::format::{Anchor, Of, Piece, printed_attrs};
use super::print::Printer;
use crate::attr::{Attr, AttrKind};
use crate::body::{Body, OpData, OpId};
use crate::intern::Name;
use crate::op::{AttrClass, OpDef};
use crate::types::Type;

/// What stands in a `positions` array for "the next operand", as upstream encodes it.
pub const DYNAMIC: i64 = i64::MIN;

impl Printer<'_> {
    /// Prints the op after its results, or nothing if its format cannot say all of it.
    pub fn formatted_op(&mut self, body: &Body, op: OpId) -> bool {
        let data = body.op(op);
        let Some(pieces) = self.format_of(data.def) else { return false };
        if !can_say(body, data, &pieces) {
            return false;
        }
        self.push(data.def.name);
        let mut writer = FormatWriter { p: self, body, data, all: &pieces, space: true };
        writer.pieces(&pieces);
        true
    }
}

/// Whether reading back what the format prints gives this op.
fn can_say(body: &Body, data: &OpData, pieces: &[Piece]) -> bool {
    let def = data.def;
    let count_fits = |specs: &[crate::op::ValueSpec], n: usize| match specs.last() {
        Some(last) if last.variadic => n + 1 >= specs.len(),
        _ => n == specs.len(),
    };
    let regions_fit = if def.has_variadic_regions() {
        data.regions.len() + 1 >= def.regions.len()
    } else {
        data.regions.len() == def.regions.len()
    };
    if !count_fits(def.operands, data.operands.len()) || !count_fits(def.results, data.results.len()) || !regions_fit {
        return false;
    }
    let mut printed = Vec::new();
    printed_attrs(pieces, &mut printed);
    let attr = |i: usize| data.attrs.iter().find(|(n, _)| *n == def.attrs[i].name).map(|(_, a)| *a);
    let mut types_said = Vec::new();
    // Upstream's parser takes a value at the start of the next line for an operand that was left
    // out.
    let open_end = match pieces.last() {
        Some(Piece::Optional { anchor, pieces })
            if matches!(pieces.first(), Some(Piece::Operand(_) | Piece::Operands)) =>
        {
            !is_present(*anchor, data, &attr)
        }
        _ => false,
    };
    // The brace of a region would be taken for that of the attributes, were there none.
    let bare_region = pieces.windows(2).any(|pair| {
        matches!(pair, [Piece::AttrDict { keyword: false }, Piece::Region(_) | Piece::Regions])
            && data.attrs.iter().all(|(n, _)| printed.iter().any(|&i| *n == def.attrs[i].name))
    });
    !bare_region
        && (!open_end || def.is_terminator())
        && sayable(pieces, false, data, &attr, &mut types_said)
        && (has_dict(pieces) || data.attrs.iter().all(|(n, _)| printed.iter().any(|&i| *n == def.attrs[i].name)))
        && results_follow(body, data, &types_said)
}

fn has_dict(pieces: &[Piece]) -> bool {
    pieces.iter().any(|p| match p {
        Piece::AttrDict { .. } => true,
        Piece::Optional { pieces, .. } => has_dict(pieces),
        _ => false,
    })
}

/// Checks each piece that will be printed; collects the results whose types are.
fn sayable(
    pieces: &[Piece],
    optional: bool,
    data: &OpData,
    attr: &dyn Fn(usize) -> Option<Attr>,
    said: &mut Vec<Of>,
) -> bool {
    pieces.iter().all(|piece| match piece {
        Piece::Attr(i) => match attr(*i) {
            Some(a) if !data.def.attrs[*i].class.contains(a) => false,
            Some(a) => match a.kind() {
                AttrKind::Unit => optional,
                AttrKind::Opaque(_) => false,
                AttrKind::Array(_) => data.def.attrs[*i].class != AttrClass::IntArray,
                _ => true,
            },
            None => false,
        },
        Piece::Wrapped { attr: i, prefix, suffix } => {
            attr(*i).is_some_and(|a| unwrapped(a, prefix, suffix).is_some_and(|w| !w.is_empty() && is_word(w)))
        }
        Piece::Positions { operand, attr: i } => attr(*i).is_some_and(|a| match a.kind() {
            AttrKind::I64Array(items) => {
                items.iter().filter(|&&n| n == DYNAMIC).count() == data.operands.len().saturating_sub(*operand)
            }
            _ => false,
        }),
        Piece::Types(of) if of.is_results() => {
            said.push(*of);
            true
        }
        Piece::FunctionalType(_) => {
            said.push(Of::Results);
            true
        }
        Piece::Optional { anchor, pieces } => {
            // An absent group must be absent altogether: its other parts would be lost.
            if is_present(*anchor, data, attr) {
                sayable(pieces, true, data, attr, said)
            } else {
                pieces.iter().all(|p| is_absent(p, data, attr))
            }
        }
        _ => true,
    })
}

fn is_absent(piece: &Piece, data: &OpData, attr: &dyn Fn(usize) -> Option<Attr>) -> bool {
    match piece {
        Piece::Attr(i) | Piece::Wrapped { attr: i, .. } => attr(*i).is_none(),
        Piece::Operand(i) => Of::Operand(*i).range(data.def, data.operands.len()).is_empty(),
        Piece::Operands => data.operands.is_empty(),
        Piece::Region(_) | Piece::Regions => data.regions.is_empty(),
        Piece::Positions { .. } | Piece::AttrDict { .. } | Piece::FunctionalType(_) => false,
        Piece::Types(of) if of.is_results() => of.range(data.def, data.results.len()).is_empty(),
        _ => true,
    }
}

fn is_present(anchor: Anchor, data: &OpData, attr: &dyn Fn(usize) -> Option<Attr>) -> bool {
    match anchor {
        Anchor::Attr(i) => attr(i).is_some(),
        Anchor::Regions => !data.regions.is_empty(),
        Anchor::Values(of) => {
            let count = if of.is_results() { data.results.len() } else { data.operands.len() };
            !of.range(data.def, count).is_empty()
        }
    }
}

/// Whether the results whose types are not printed have the types that the parser will infer.
fn results_follow(body: &Body, data: &OpData, said: &[Of]) -> bool {
    let operands: Vec<Type> = data.operands.iter().map(|&v| body.ty(v)).collect();
    (0..data.results.len()).all(|i| {
        said.iter().any(|of| of.range(data.def, data.results.len()).contains(&i))
            || inferred_result(data.def, i, &operands) == Some(body.ty(data.results[i]))
    })
}

/// The type of result `index` where the text does not give it.
pub fn inferred_result(def: &OpDef, index: usize, operands: &[Type]) -> Option<Type> {
    let spec = def.results.get(index).filter(|s| !s.variadic)?;
    let known: Vec<Option<Type>> = operands.iter().map(|&t| Some(t)).collect();
    spec.rule.infer(&known)
}

pub fn unwrapped(attr: Attr, prefix: &str, suffix: &str) -> Option<&'static str> {
    match attr.kind() {
        AttrKind::Opaque(text) => text.as_str().strip_prefix(prefix)?.strip_suffix(suffix),
        _ => None,
    }
}

pub fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

struct FormatWriter<'w, 'p> {
    p: &'w mut Printer<'p>,
    body: &'w Body,
    data: &'w OpData,
    all: &'w [Piece],
    /// Whether the next piece is set off by a space.
    space: bool,
}

impl FormatWriter<'_, '_> {
    fn set_off(&mut self) {
        if self.space {
            self.p.push(" ");
        }
        self.space = true;
    }

    fn attr(&self, i: usize) -> Option<Attr> {
        self.data.attrs.iter().find(|(n, _)| *n == self.data.def.attrs[i].name).map(|(_, a)| *a)
    }

    fn pieces(&mut self, pieces: &[Piece]) {
        for (i, piece) in pieces.iter().enumerate() {
            // What may print nothing does not keep the colon off.
            let may_be_empty =
                |p: &&Piece| matches!(p, Piece::AttrDict { .. } | Piece::Space(_) | Piece::Optional { .. });
            let next = pieces[i + 1..].iter().find(|p| !may_be_empty(p));
            self.piece(piece, matches!(next, Some(Piece::Literal(":"))));
        }
    }

    fn piece(&mut self, piece: &Piece, colon_follows: bool) {
        let (body, data) = (self.body, self.data);
        match piece {
            Piece::Space(wanted) => {
                if *wanted {
                    self.p.push(" ");
                }
                self.space = false;
            }
            Piece::Literal(text) => {
                if matches!(text.as_bytes(), [b',' | b')' | b']' | b'>' | b'}' | b'(' | b'[' | b'<']) {
                    self.space = false;
                }
                self.set_off();
                self.p.push(text);
                self.space = !matches!(text.as_bytes().last(), Some(b'(' | b'[' | b'<' | b'{'));
            }
            Piece::Operand(_) | Piece::Operands => {
                let of = if let Piece::Operand(i) = piece { Of::Operand(*i) } else { Of::Operands };
                let range = of.range(data.def, data.operands.len());
                if !range.is_empty() {
                    self.set_off();
                    self.p.values(&data.operands[range]);
                }
            }
            Piece::Attr(i) => self.attribute(*i, colon_follows),
            Piece::Wrapped { attr, prefix, suffix } => {
                if let Some(word) = self.attr(*attr).and_then(|a| unwrapped(a, prefix, suffix)) {
                    self.set_off();
                    self.p.push(word);
                }
            }
            Piece::Positions { operand, attr } => self.positions(*operand, *attr),
            Piece::Region(i) => {
                self.set_off();
                self.p.region(body, data.regions[*i], true);
            }
            Piece::Regions => {
                for &region in &data.regions {
                    self.set_off();
                    self.p.region(body, region, true);
                }
            }
            Piece::Types(of) => {
                let values = if of.is_results() { &data.results[..] } else { &data.operands[..] };
                let types: Vec<Type> = values[of.range(data.def, values.len())].iter().map(|&v| body.ty(v)).collect();
                if !types.is_empty() {
                    self.set_off();
                    self.p.types(&types);
                }
            }
            Piece::FunctionalType(of) => {
                self.set_off();
                let range = of.range(data.def, data.operands.len());
                self.p.functional_type(body, &data.operands[range], &data.results);
            }
            Piece::AttrDict { keyword } => self.other_attributes(*keyword),
            Piece::Optional { anchor, pieces } => {
                let data = self.data;
                let present = is_present(*anchor, data, &|i| self.attr(i));
                if present {
                    self.pieces(pieces);
                }
            }
        }
    }

    fn attribute(&mut self, i: usize, colon_follows: bool) {
        let Some(attr) = self.attr(i) else { return };
        match attr.kind() {
            AttrKind::Unit => {}
            AttrKind::I64Array(items) if self.data.def.attrs[i].class == AttrClass::IntArray => {
                self.set_off();
                let items: Vec<String> = items.iter().map(i64::to_string).collect();
                self.p.push(&format!("[{}]", items.join(", ")));
            }
            // A type after a colon would be taken for the number's.
            _ if colon_follows => {
                self.set_off();
                self.p.typed_attr(attr);
            }
            _ => {
                self.set_off();
                self.p.attr(attr);
            }
        }
    }

    /// Positions, of which the dynamic ones are the operands from number `operand` on.
    fn positions(&mut self, operand: usize, attr: usize) {
        self.space = false;
        self.set_off();
        let positions = self.attr(attr).and_then(|a| a.as_i64_array()).unwrap_or_default();
        let mut dynamic = self.data.operands[operand..].iter();
        self.p.push("[");
        for (i, n) in positions.iter().enumerate() {
            self.p.push(if i == 0 { "" } else { ", " });
            match (*n == DYNAMIC).then(|| dynamic.next()).flatten() {
                Some(&value) => self.p.value(value),
                None => self.p.push(&n.to_string()),
            }
        }
        self.p.push("]");
    }

    /// The attributes that no other piece prints.
    fn other_attributes(&mut self, keyword: bool) {
        let data = self.data;
        let mut printed = Vec::new();
        printed_attrs(self.all, &mut printed);
        let without: Vec<&str> = printed.iter().map(|&i| data.def.attrs[i].name).collect();
        let left: Vec<(Name, Attr)> =
            data.attrs.iter().filter(|(n, _)| !without.contains(&n.as_str())).copied().collect();
        if !left.is_empty() {
            self.set_off();
            self.p.push(if keyword { "attributes " } else { "" });
            self.p.dict(&left);
        }
    }
}
