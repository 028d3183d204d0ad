//! Requests of the command line about the program, written in the language: types that must conform
//! to an interface, with their numbers.

use super::types::TyKind;
use super::*;
use caustic_ir::codes;

impl Checker<'_> {
    /// Requests each conformance of a list of `TYPE:INTERFACE[=ID]`.
    pub(crate) fn request_conformances(&mut self, list: &[String]) {
        for text in list {
            let (pair, id) = match text.rsplit_once('=') {
                Some((pair, id)) => match id.trim().parse::<u32>() {
                    Ok(id) => (pair, Some(id as i64)),
                    Err(_) => (text.as_str(), None),
                },
                None => (text.as_str(), None),
            };
            let Some(at) = outer_colon(pair) else {
                let text = format!("`{text}` is not of the form TYPE:INTERFACE[=ID]");
                self.error(codes::E0239, Span::default(), text);
                continue;
            };
            let (ty, interface) = (self.written_type(&pair[..at]), self.written_type(&pair[at + 1..]));
            let (Some((ty, span)), Some((interface, of))) = (ty, interface) else { continue };
            let TyKind::Interface(i) = *interface.kind() else {
                let shown = self.show(interface);
                self.error(codes::E0234, of, format!("`{shown}` is not an interface"));
                continue;
            };
            if !self.conforms(ty, i) && !self.may_have_any_member(ty) {
                let (shown, interface) = (self.show(ty), self.show_ref(i));
                self.error(codes::E0239, span, format!("`{shown}` does not conform to `{interface}`"));
                continue;
            }
            self.request_conformer(ty, i, id);
        }
    }

    /// Resolves a type that is written on the command line.
    pub(crate) fn written_type(&mut self, text: &str) -> Option<(Ty, Span)> {
        let ty = self.written_expr(text)?;
        self.cx = BodyCx { ns: Some(self.main_ns()), ..BodyCx::default() };
        let found = self.resolve_type(&ty);
        self.cx = BodyCx::default();
        (!found.is_error()).then_some((found, ty.span))
    }

    pub(crate) fn written_expr(&mut self, text: &str) -> Option<ast::Expr> {
        let declaration = format!("typealias __written = {};", text.trim());
        let file = self.sources.add_file("<command line>", declaration.as_str().into());
        let base = self.sources.add_verbatim(file, 0, declaration.len());
        let names = crate::parse::TypeNames::default();
        let crate::parse::Parsed { decls, errors, .. } =
            crate::parse::parse_file(&declaration, base, &names, &|span| self.sources.shown(span));
        let failed = !errors.is_empty();
        self.diags.extend(errors);
        let ast::DeclKind::Typedef { ty, .. } = &decls.first()?.kind else { return None };
        (!failed).then(|| ty.clone())
    }
}

/// The position of the colon that is not a part of `::` and not inside of brackets.
fn outer_colon(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0i32;
    for (i, b) in bytes.iter().enumerate() {
        match b {
            b'<' | b'[' | b'(' => depth += 1,
            b'>' | b']' | b')' => depth -= 1,
            b':' if depth == 0 && bytes.get(i + 1) != Some(&b':') && (i == 0 || bytes[i - 1] != b':') => {
                return Some(i);
            }
            _ => {}
        }
    }
    None
}
