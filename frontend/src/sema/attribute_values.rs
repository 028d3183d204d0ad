//! Checks the arguments of attributes: formats of images, identifiers of interfaces, sizes, and
//! attributes that exclude each other.
//!
//! This module looks at the syntax tree only. Arguments that have to be computed are checked by the
//! code that implements the attribute.

use super::*;
use ast::{Attribute, Decl, DeclKind, ExprKind, Modifiers};
use caustic_ir::codes;
use caustic_ir::nearest::nearest;

/// The ways in which hull shaders divide patches.
pub(super) const PARTITIONINGS: &[&str] = &["integer", "pow2", "fractional_even", "fractional_odd"];

/// The primitives that mesh and hull shaders produce.
pub(super) const TOPOLOGIES: &[&str] = &["point", "line", "triangle", "triangle_cw", "triangle_ccw"];

/// The stages in a ray payload's qualifiers that are words of the language.
const PAYLOAD_STAGES: &[&str] = &["anyhit", "closesthit", "miss", "caller"];

/// The largest size of a value of an interface type, in bytes.
const LARGEST_VALUE: u64 = 32767;

/// Whether this is the text of a GUID: 32 hexadecimal digits, grouped in any way.
fn is_guid(text: &str) -> bool {
    let digits = text.bytes().filter(|b| *b != b'-');
    digits.clone().count() == 32 && digits.clone().all(|b| b.is_ascii_hexdigit())
}

fn text_of(a: &Attribute) -> Option<(&str, Span)> {
    match a.args.first() {
        Some(ast::Expr { kind: ExprKind::Str(text), span }) => Some((text, *span)),
        _ => None,
    }
}

fn literal_of(e: &ast::Expr) -> Option<u64> {
    match &e.kind {
        ExprKind::Int { value, .. } => u64::try_from(*value).ok(),
        _ => None,
    }
}

impl Checker<'_> {
    /// Checks that a string argument is one of these words.
    pub(super) fn check_word(&mut self, a: &Attribute, known: &[&str]) {
        let Some((text, span)) = text_of(a) else { return };
        if known.iter().any(|k| k.eq_ignore_ascii_case(text)) {
            return;
        }
        let near = nearest(text, known.iter().copied());
        let listed = known.iter().take(5).map(|k| format!("\"{k}\"")).collect::<Vec<_>>().join(", ");
        let more = if known.len() > 5 { " and so on" } else { "" };
        let d = self.error(codes::E0220, span, format!("`[{}]` does not know \"{text}\"", a.name.name));
        d.notes.push(match near {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("it takes {listed}{more}"),
        });
    }

    pub(super) fn check_guid(&mut self, a: &Attribute) {
        let Some((text, span)) = text_of(a) else { return };
        if !is_guid(text) {
            self.error(codes::E0220, span, format!("\"{text}\" is no GUID"))
                .notes
                .push("write hexadecimal digits as in \"00112233-4455-6677-8899-aabbccddeeff\"".to_string());
        }
    }

    pub(super) fn check_value_size(&mut self, a: &Attribute) {
        let Some(first) = a.args.first() else { return };
        if literal_of(first).is_some_and(|n| n > LARGEST_VALUE) {
            let text = format!("`[{}]` gives at most {LARGEST_VALUE} bytes", a.name.name);
            self.error(codes::E0220, first.span, text);
        }
    }

    /// Checks the attributes of one declaration together.
    pub(super) fn check_attribute_values(&mut self, d: &Decl, is_requirement: bool) {
        match &d.kind {
            DeclKind::Func(_) => {
                self.check_thread_groups(d);
                if let Some(a) = d.mods.attr("MaybeDifferentiable").filter(|_| !is_requirement) {
                    self.error(codes::E0220, a.name.span, "`[MaybeDifferentiable]` is for requirements of interfaces")
                        .notes
                        .push("mark a function `[Differentiable]`, or not at all".to_string());
                }
            }
            DeclKind::Var(_) => self.check_constants_of_pipelines(&d.mods),
            DeclKind::Struct(s) if d.mods.attr("raypayload").is_some() => self.check_payload(s),
            _ => {}
        }
    }

    /// Checks the attributes that tell how threads form quads, for derivatives between threads.
    fn check_thread_groups(&mut self, d: &Decl) {
        let (mods, name) = (&d.mods, d.name().map_or(d.span, |n| n.span));
        let quad = mods.attr("DerivativeGroupQuad");
        let linear = mods.attr("DerivativeGroupLinear");
        if let (Some(first), Some(second)) = (quad, linear) {
            let (first, second) = if first.span.lo < second.span.lo { (first, second) } else { (second, first) };
            let at = [first, second].map(|a| self.loc(a.span));
            let text = "threads form quads in one way: `[DerivativeGroupQuad]` or `[DerivativeGroupLinear]`";
            let d = self.error(codes::E0220, name, text);
            d.labels.extend(at.map(|at| (at, "one of the two".to_string())));
            return;
        }
        let Some(a) = mods.attr("numthreads") else { return };
        let sizes: Option<Vec<u64>> = a.args.iter().map(literal_of).collect();
        let Some(sizes) = sizes.filter(|s| !s.is_empty()) else { return };
        let size = |i: usize| sizes.get(i).copied().unwrap_or(1);
        let (wrong, what) = match (quad, linear) {
            (Some(q), _) if size(0) % 2 != 0 || size(1) % 2 != 0 => (q, "x and y to be multiples of 2"),
            (_, Some(l)) if sizes.iter().fold(1u64, |n, s| n.wrapping_mul(*s)) % 4 != 0 => {
                (l, "the number of threads to be a multiple of 4")
            }
            _ => return,
        };
        let (size, at) = (self.loc(a.span), self.loc(wrong.span));
        let text = format!("`[{}]` needs {what}", wrong.name.name);
        let d = self.error(codes::E0220, name, text);
        d.labels.extend([(at, "asked for here".to_string()), (size, "the size of a group".to_string())]);
    }

    /// Checks constants that a pipeline sets: by specialization, or as push constants.
    fn check_constants_of_pipelines(&mut self, mods: &Modifiers) {
        let special = mods.attr("vk::constant_id").or(mods.attr("SpecializationConstant"));
        let pushed = mods.attr("vk::push_constant");
        let Some(a) = special.or(pushed) else { return };
        if let (Some(special), Some(pushed)) = (special, pushed) {
            let at = self.loc(special.span);
            self.error(codes::E0220, pushed.span, "a constant is pushed or specialized, not both")
                .labels
                .push((at, "the other one".to_string()));
        } else if let Some(word) = mods.word("static") {
            let at = self.loc(a.span);
            let text = format!("what `[{}]` gives is not `static`", a.name.name);
            let d = self.error(codes::E0283, word.span, text);
            d.labels.push((at, "the pipeline gives its value".to_string()));
            d.notes.push("leave `static` out".to_string());
        }
    }

    /// Checks that each field of a ray payload states which stages read or write it.
    fn check_payload(&mut self, s: &ast::StructDecl) {
        for m in s.members.iter().filter(|m| !m.mods.has("static")) {
            let DeclKind::Var(v) = &m.kind else { continue };
            if v.access.is_empty() {
                let text =
                    format!("the field `{}` of a ray payload says neither who reads nor who writes it", v.name.name);
                self.error(codes::E0220, v.name.span, text)
                    .notes
                    .push("as in `float x : read(caller) : write(closesthit, miss);`".to_string());
            }
            for stage in v.access.iter().flat_map(|a| &a.args) {
                let known = matches!(&stage.kind, ExprKind::Name { name, args: None }
                    if PAYLOAD_STAGES.iter().any(|s| name.name == **s));
                if !known {
                    let text = "this is no stage that reads or writes a ray payload";
                    let d = self.error(codes::E0220, stage.span, text);
                    d.notes.push(format!("there are {}", PAYLOAD_STAGES.join(", ")));
                }
            }
        }
    }

    /// Checks `[COM]` interfaces: what they can contain, and which types can conform to them.
    pub(super) fn check_component_interface(&mut self, d: &Decl, i: &ast::InterfaceDecl) {
        let Some(a) = d.mods.attr("COM") else { return };
        let at = self.loc(a.span);
        for m in i.members.iter() {
            if let DeclKind::AssocType(_) = &m.kind {
                let d = self.error(codes::E0285, m.span, "a `[COM]` interface has no associated types");
                d.labels.push((at, "it is one because of this".to_string()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guids_are_told_from_other_texts() {
        assert!(is_guid("00112233-4455-6677-8899-aabbccddeeff") && is_guid("00112233445566778899AABBCCDDEEFF"));
        assert!(!is_guid("nope") && !is_guid("00112233-4455-6677-8899-aabbccddeefg"));
    }
}
