//! Parsing ops by the declarative formats of their rows: the inverse of `print_format`.

use super::format::{Of, Piece};
use super::lexer::{Kind, Token};
use super::parse::{P, Parser};
use super::parse_ops::Code;
use super::print_format::{DYNAMIC, inferred_result, is_word};
use crate::attr::Attr;
use crate::body::{OpId, ValueId};
use crate::intern::Name;
use crate::op::{AttrClass, OpDef};
use crate::types::Type;

/// What the pieces read so far said.
struct Said<'s> {
    def: &'static OpDef,
    op: OpId,
    /// Values by the row's operand that they belong to.
    operands: Vec<Vec<ValueId>>,
    attrs: Vec<(Name, Attr)>,
    /// Operand types, to be compared when all operands are known.
    operand_types: Vec<(Of, Vec<Type>, Token<'s>)>,
    /// Result types by the row's result.
    results: Vec<Option<Vec<Type>>>,
}

impl<'s> Parser<'s> {
    pub fn formatted_op(
        &mut self,
        code: &mut Code<'s>,
        op: OpId,
        def: &'static OpDef,
        format: &'static str,
        token: Token<'s>,
    ) -> P<()> {
        let pieces = self.format_of(def, format)?;
        let mut said = Said {
            def,
            op,
            operands: vec![Vec::new(); def.operands.len()],
            attrs: Vec::new(),
            operand_types: Vec::new(),
            results: vec![None; def.results.len()],
        };
        self.pieces(code, &pieces, &mut said)?;
        let operands: Vec<ValueId> = said.operands.concat();
        code.body.set_operands(op, &operands);
        self.set_attrs(code, op, said.attrs, token)?;
        for (of, types, token) in said.operand_types {
            let range = of.range(def, operands.len());
            self.check_types(code, &operands[range], &types, token)?;
        }
        let known: Vec<Type> = operands.iter().map(|&v| code.body.ty(v)).collect();
        for (i, types) in said.results.into_iter().enumerate() {
            let types = match types {
                Some(types) => types,
                None if def.results[i].variadic => Vec::new(),
                None => match inferred_result(def, i, &known) {
                    Some(ty) => vec![ty],
                    None => return self.fail_at(token, "the type of the result does not follow from what is written"),
                },
            };
            for ty in types {
                code.body.add_result(op, ty);
            }
        }
        Ok(())
    }

    fn pieces(&mut self, code: &mut Code<'s>, pieces: &[Piece], said: &mut Said<'s>) -> P<()> {
        pieces.iter().try_for_each(|piece| self.piece(code, piece, said))
    }

    fn piece(&mut self, code: &mut Code<'s>, piece: &Piece, said: &mut Said<'s>) -> P<()> {
        let def = said.def;
        match piece {
            Piece::Space(_) => Ok(()),
            Piece::Literal(text) => self.expect(text),
            Piece::Operand(i) if def.operands[*i].variadic => {
                said.operands[*i] = self.operands(code)?;
                Ok(())
            }
            Piece::Operand(i) => {
                said.operands[*i] = vec![self.operand(code)?];
                Ok(())
            }
            Piece::Operands => self.all_operands(code, said),
            Piece::Attr(i) => {
                let spec = &def.attrs[*i];
                let attr = match spec.class {
                    AttrClass::Unit => Attr::unit(),
                    AttrClass::IntArray if self.eat("[") => Attr::i64_array(&self.list("]", Self::i64_literal)?),
                    _ => self.attr()?,
                };
                said.attrs.push((Name::new(spec.name), attr));
                Ok(())
            }
            Piece::Wrapped { attr, prefix, suffix } => {
                let word = self.tok;
                if word.kind != Kind::Ident || !is_word(word.text) {
                    return self.expected("a word");
                }
                self.advance();
                let attr = (Name::new(def.attrs[*attr].name), Attr::opaque(&format!("{prefix}{}{suffix}", word.text)));
                said.attrs.push(attr);
                Ok(())
            }
            Piece::Positions { operand, attr } => {
                self.expect("[")?;
                let mut dynamic = Vec::new();
                let positions = self.list("]", |p| {
                    if p.tok.kind != Kind::Value {
                        return p.i64_literal();
                    }
                    dynamic.push(p.operand(code)?);
                    Ok(DYNAMIC)
                })?;
                said.operands[*operand] = dynamic;
                said.attrs.push((Name::new(def.attrs[*attr].name), Attr::i64_array(&positions)));
                Ok(())
            }
            Piece::Region(_) => self.one_region(code, said),
            Piece::Regions => {
                let fixed = def.regions.len() - usize::from(def.has_variadic_regions());
                for _ in 0..fixed {
                    self.one_region(code, said)?;
                }
                while def.has_variadic_regions() && self.at("{") {
                    self.one_region(code, said)?;
                }
                Ok(())
            }
            Piece::Types(of) => self.types_of(*of, said),
            Piece::FunctionalType(of) => {
                let token = self.tok;
                let inputs = self.parenthesized_types()?;
                said.operand_types.push((*of, inputs, token));
                self.expect("->")?;
                let token = self.tok;
                let results = self.result_types()?;
                self.all_results(results, said, token)
            }
            Piece::AttrDict { keyword } => {
                if *keyword && !self.eat("attributes") {
                    return Ok(());
                }
                said.attrs.extend(self.optional_dict()?);
                Ok(())
            }
            Piece::Optional { pieces, .. } => {
                let first = pieces.iter().find(|p| !matches!(p, Piece::Space(_)));
                if first.is_some_and(|piece| self.starts(piece, def)) {
                    self.pieces(code, pieces, said)
                } else {
                    Ok(())
                }
            }
        }
    }

    /// Whether the next token is one that `piece` starts with.
    fn starts(&self, piece: &Piece, def: &OpDef) -> bool {
        match piece {
            Piece::Literal(text) => self.at(text),
            Piece::Operand(_) | Piece::Operands => self.at_operands(),
            Piece::Attr(i) => match def.attrs[*i].class {
                AttrClass::Symbol | AttrClass::MaybeSymbol => self.tok.kind == Kind::Symbol,
                AttrClass::String => self.tok.kind == Kind::String,
                AttrClass::Type => self.at_type(),
                AttrClass::Dict => self.at("{"),
                AttrClass::Array => self.at("["),
                AttrClass::IntArray => self.at("[") || self.at("array"),
                AttrClass::Int => matches!(self.tok.kind, Kind::Int) || self.at("-"),
                AttrClass::Bool => self.at("true") || self.at("false"),
                AttrClass::Constant => {
                    matches!(self.tok.kind, Kind::Int | Kind::Float)
                        || ["-", "true", "false", "dense"].contains(&self.tok.text)
                }
                AttrClass::Any | AttrClass::Unit | AttrClass::Opaque => false,
            },
            Piece::Wrapped { .. } => self.tok.kind == Kind::Ident && !self.is_first_on_line(),
            Piece::Positions { .. } => self.at("["),
            Piece::Region(_) | Piece::Regions | Piece::AttrDict { .. } => self.at("{"),
            Piece::Types(_) => self.at_type(),
            Piece::FunctionalType(_) => self.at("("),
            Piece::Space(_) | Piece::Optional { .. } => false,
        }
    }

    fn all_operands(&mut self, code: &mut Code<'s>, said: &mut Said<'s>) -> P<()> {
        let token = self.tok;
        let mut values = self.operands(code)?.into_iter();
        for (i, spec) in said.def.operands.iter().enumerate() {
            said.operands[i] = if spec.variadic {
                values.by_ref().collect()
            } else {
                match values.next() {
                    Some(value) => vec![value],
                    None => return self.fail_at(token, format!("operand `{}` is missing", spec.name)),
                }
            };
        }
        match values.next() {
            Some(_) => self.fail_at(token, "too many operands"),
            None => Ok(()),
        }
    }

    fn all_results(&mut self, types: Vec<Type>, said: &mut Said<'s>, token: Token<'s>) -> P<()> {
        let mut types = types.into_iter();
        for (i, spec) in said.def.results.iter().enumerate() {
            let mine: Vec<Type> =
                if spec.variadic { types.by_ref().collect() } else { types.by_ref().take(1).collect() };
            if mine.is_empty() && !spec.variadic {
                return self.fail_at(token, format!("the type of result `{}` is missing", spec.name));
            }
            said.results[i] = Some(mine);
        }
        match types.next() {
            Some(_) => self.fail_at(token, "too many types of results"),
            None => Ok(()),
        }
    }

    fn types_of(&mut self, of: Of, said: &mut Said<'s>) -> P<()> {
        let token = self.tok;
        let specs = if of.is_results() { said.def.results } else { said.def.operands };
        let single = match of {
            Of::Operand(i) | Of::Result(i) => !specs[i].variadic,
            Of::Operands | Of::Results => false,
        };
        let mut types = Vec::new();
        // Nothing is printed for no values.
        if single || self.at_type() {
            types.push(self.ty()?);
            while !single && self.eat(",") {
                types.push(self.ty()?);
            }
        }
        match of {
            Of::Result(i) => {
                said.results[i] = Some(types);
                Ok(())
            }
            Of::Results => self.all_results(types, said, token),
            Of::Operand(_) | Of::Operands => {
                said.operand_types.push((of, types, token));
                Ok(())
            }
        }
    }

    fn one_region(&mut self, code: &mut Code<'s>, said: &mut Said<'s>) -> P<()> {
        let region = code.body.add_region(said.op);
        self.region(code, region, None)
    }
}
