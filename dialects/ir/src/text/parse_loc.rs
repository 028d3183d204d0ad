//! Parsing locations: the inverse of `write_loc`, and the forms of upstream that have no
//! counterpart here.

use super::lexer::Kind;
use super::parse::{Aliased, P, Parser, Stop};
use crate::intern::Name;
use crate::loc::{Loc, LocKind};

impl Parser<'_> {
    /// `loc(…)` if it stands here.
    pub fn optional_loc(&mut self) -> P<Option<Loc>> {
        if self.tok.kind == Kind::Ident && self.tok.text == "loc" { Ok(Some(self.loc()?)) } else { Ok(None) }
    }

    pub fn loc(&mut self) -> P<Loc> {
        self.expect("loc")?;
        self.expect("(")?;
        let loc = self.loc_inside()?;
        self.expect(")")?;
        Ok(loc)
    }

    fn loc_inside(&mut self) -> P<Loc> {
        self.nested(|p| match (p.tok.kind, p.tok.text) {
            (Kind::Ident, "unknown") => {
                p.advance();
                Ok(Loc::unknown())
            }
            (Kind::Attr, _) => {
                let token = p.tok;
                match p.alias(token)? {
                    Aliased::Loc(loc) => Ok(loc),
                    _ => p.fail_at(token, format!("`{}` is no location", token.text)),
                }
            }
            (Kind::String, _) => {
                let text = Name::new(&p.string()?);
                if p.eat("(") {
                    let from = p.loc_inside()?;
                    p.expect(")")?;
                    return Ok(Loc::new(LocKind::Derived { from, why: text }));
                }
                if !p.eat(":") {
                    return Ok(Loc::unknown());
                }
                let start = p.line_and_column()?;
                let mut end = start;
                // Newer MLIR has ranges.
                if p.eat("to") {
                    end.0 = if p.at(":") { start.0 } else { p.u32_literal()? };
                    p.expect(":")?;
                    end.1 = p.u32_literal()?;
                }
                Ok(Loc::span(text, start, end))
            }
            (Kind::Ident, "fused") => {
                p.advance();
                if p.eat("<") {
                    p.attr()?;
                    p.expect(">")?;
                }
                p.expect("[")?;
                let parts = p.list("]", Self::loc_inside)?;
                Ok(fused(&parts))
            }
            (Kind::Ident, "callsite") => {
                p.advance();
                p.expect("(")?;
                let callee = p.loc_inside()?;
                p.expect("at")?;
                p.loc_inside()?;
                p.expect(")")?;
                Ok(callee)
            }
            _ => p.expected("a location"),
        })
    }

    fn line_and_column(&mut self) -> P<(u32, u32)> {
        let line = self.u32_literal()?;
        self.expect(":")?;
        Ok((line, self.u32_literal()?))
    }

    fn u32_literal(&mut self) -> Result<u32, Stop> {
        let token = self.tok;
        match token.text.parse::<u32>() {
            Ok(n) if token.kind == Kind::Int => {
                self.advance();
                Ok(n)
            }
            _ => self.expected("a number"),
        }
    }
}

/// Two places in one file are the ends of a span; of anything else the first part counts.
fn fused(parts: &[Loc]) -> Loc {
    match parts {
        [a, b] => match (a.kind(), b.kind()) {
            (LocKind::Span { file, line, col, .. }, LocKind::Span { file: other, line: l, col: c, .. })
                if file == other =>
            {
                Loc::span(*file, (*line, *col), (*l, *c))
            }
            _ => *a,
        },
        [a, ..] => *a,
        [] => Loc::unknown(),
    }
}
