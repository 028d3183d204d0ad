//! Builds the annotations after the colon of a declaration (a semantic, a register, a `packoffset`,
//! the access to a field of a ray payload), and checks the GLSL qualifier `layout(…)` before it.
//!
//! This module checks how they are written. Whether a register fits its declaration, `sema` checks.

use super::{Ctx, P};
use crate::ast::{Attribute, ExprKind, FORMATS, Ident};
use crate::scan;
use caustic_ir::nearest::nearest;
use caustic_ir::{Name, codes};

/// The annotations of one declaration.
#[derive(Default)]
pub(super) struct Behind {
    pub semantic: Option<Ident>,
    /// The first register.
    pub register: Option<Ident>,
    /// The stages in `read(…)` and `write(…)` of a ray payload's field.
    pub access: Vec<Attribute>,
}

/// Words of `layout(…)` that take a value.
const LAYOUT_VALUES: &[&str] = &[
    "binding",
    "set",
    "location",
    "index",
    "offset",
    "constant_id",
    "input_attachment_index",
    "local_size_x",
    "local_size_y",
    "local_size_z",
    "local_size_x_id",
    "local_size_y_id",
    "local_size_z_id",
];

/// Words of `layout(…)` that take no value, besides the formats of texels.
const LAYOUT_WORDS: &[&str] = &[
    "std140",
    "std430",
    "scalar",
    "push_constant",
    "shaderRecordEXT",
    "shaderRecordNV",
    "derivative_group_quadsNV",
    "derivative_group_linearNV",
    "local_size_x",
    "local_size_y",
    "local_size_z",
];

impl Ctx<'_> {
    pub(super) fn behind(&mut self, pair: P, out: &mut Behind) {
        let mut inner = pair.clone().into_inner();
        let Some(word) = inner.next() else { return };
        let args = inner.next();
        match word.as_str() {
            "register" => {
                if self.check_register_form(&word, args.as_ref()) {
                    out.register = out.register.or(self.register(&pair));
                }
            }
            "packoffset" => self.check_packoffset(args.as_ref()),
            "read" | "write" if args.is_some() => {
                let (span, name) = (self.span(&pair), self.ident(&word));
                let args = args.map(|x| x.into_inner().filter_map(|a| self.attr_arg(a)).collect());
                out.access.push(Attribute::written(span, name, args.unwrap_or_default()));
            }
            _ => out.semantic = out.semantic.or(Some(self.ident(&word))),
        }
    }

    /// The name in `: register(name, …)`.
    pub(super) fn register(&self, pair: &P) -> Option<Ident> {
        let mut inner = pair.clone().into_inner();
        let word = inner.next().filter(|w| w.as_str() == "register");
        let first = word.and_then(|_| inner.next()?.into_inner().next())?;
        Some(Ident { name: Name::new(first.as_str().trim()), span: self.span(&first) })
    }

    fn check_register_form(&mut self, word: &P, args: Option<&P>) -> bool {
        let parts: Vec<P> = args.map_or(Vec::new(), |a| a.clone().into_inner().collect());
        let is_name = |p: &&P| {
            let text = p.as_str().trim();
            text.starts_with(|c: char| !c.is_ascii_digit()) && text.bytes().all(scan::is_name_byte)
        };
        let at = match parts.get(2).or(parts.iter().find(|p| !is_name(p))) {
            Some(wrong) => self.span(wrong),
            None => self.span(word),
        };
        let fits = (1..=2).contains(&parts.len()) && parts.iter().all(|p| is_name(&p));
        if !fits {
            let text = "a register is written as `register(t0)`, or with its space as `register(t0, space1)`";
            self.error(codes::E0286, at, text);
            return false;
        }
        // A class and a number; only a block's may be its space alone.
        let numbered = |p: &P, words: &[&str]| {
            let text = p.as_str().trim();
            let digits = text.trim_start_matches(|c: char| !c.is_ascii_digit());
            let word = &text[..text.len() - digits.len()];
            let is_word = words.iter().any(|w| word.eq_ignore_ascii_case(w)) || words.is_empty() && word.len() == 1;
            is_word && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
        };
        let wrong = parts.iter().enumerate().find(|(i, p)| {
            let space = numbered(p, &["space"]);
            if *i == 0 { !numbered(p, &[]) && !space } else { !space }
        });
        let Some((i, wrong)) = wrong else { return true };
        let text = wrong.as_str().trim();
        let (what, how) = match i {
            0 => ("register", "its class and its number: `t0`, `u1`"),
            _ => ("space", "`space` and its number: `space1`"),
        };
        let at = self.span(wrong);
        self.error(codes::E0286, at, format!("`{text}` is no {what}")).notes.push(format!("it is written as {how}"));
        false
    }

    /// Checks the argument of `packoffset(c0.x)`.
    fn check_packoffset(&mut self, args: Option<&P>) {
        let Some(first) = args.and_then(|a| a.clone().into_inner().next()) else { return };
        let text = first.as_str().trim();
        let (place, part) = text.split_once('.').map_or((text, None), |(place, part)| (place, Some(part.trim())));
        let digits = place.trim().strip_prefix(['c', 'C']);
        let span = self.span(&first);
        if digits.is_none_or(|d| !d.bytes().all(|b| b.is_ascii_digit())) {
            let text = format!("`{}` is no place in a block of constants", place.trim());
            self.error(codes::E0286, span, text).notes.push("places are `c0`, `c1` and so on".to_string());
        } else if part.is_some_and(|p| p.is_empty() || !p.bytes().all(|b| b"xyzw".contains(&b))) {
            let text = format!("`{}` is no part of a register", part.unwrap_or_default());
            self.error(codes::E0286, span, text).notes.push("the parts are `x`, `y`, `z` and `w`".to_string());
        }
    }

    /// The values in `layout(set = 0, binding = 1)`, which mean nothing here but are checked.
    pub(super) fn layout(&mut self, pair: P) -> Option<Attribute> {
        let span = self.span(&pair);
        let mut args = Vec::new();
        for item in pair.into_inner() {
            let at = self.span(&item);
            let mut inner = item.into_inner();
            let Some(word) = inner.next().map(|n| n.as_str().trim().to_string()) else { continue };
            let value = inner.next();
            let known = match value {
                Some(_) => LAYOUT_VALUES,
                None => LAYOUT_WORDS,
            };
            let formats = if value.is_none() { FORMATS } else { &[] };
            let known = || known.iter().chain(formats).copied();
            if !known().any(|w| w == word) {
                let other = if value.is_none() { LAYOUT_VALUES } else { LAYOUT_WORDS };
                let d = self.error(codes::E0220, at, format!("a layout has no word `{word}`"));
                d.notes.extend(match nearest(&word, known()) {
                    _ if other.contains(&word.as_str()) && value.is_none() => {
                        Some(format!("a value is missing, as in `{word} = 0`"))
                    }
                    _ if other.contains(&word.as_str()) => Some(format!("`{word}` takes no value")),
                    near => near.map(|near| format!("did you mean `{near}`?")),
                });
                continue;
            }
            let Some(arg) = value.and_then(|v| self.attr_arg(v)) else { continue };
            if matches!(arg.kind, ExprKind::Str(_)) {
                self.error(codes::E0220, arg.span, format!("`{word}` takes a number, and this is a string"));
                continue;
            }
            args.push(arg);
        }
        let name = Ident { name: Name::new("layout"), span };
        (!args.is_empty()).then(|| Attribute::written(span, name, args))
    }
}
