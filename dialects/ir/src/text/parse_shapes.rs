//! Parsing upstream's irregular syntaxes: the inverse of `print_shapes`.

use super::lexer::{Kind, Token};
use super::parse::{P, Parser};
use super::parse_ops::Code;
use super::print_shapes::predicates;
use crate::attr::{Attr, AttrKind};
use crate::body::{OpId, ValueId};
use crate::intern::Name;
use crate::nearest::nearest;
use crate::op::AsmShape;
use crate::types::Type;

impl<'s> Parser<'s> {
    pub fn shaped_op(&mut self, code: &mut Code<'s>, op: OpId, shape: AsmShape, token: Token<'s>) -> P<()> {
        match shape {
            AsmShape::Function | AsmShape::Module | AsmShape::Symbol => self.expected("an op that can stand in code"),
            AsmShape::Call => self.call(code, op, token),
            AsmShape::If => self.if_op(code, op, token),
            AsmShape::For => self.for_op(code, op, token),
            AsmShape::While => self.while_op(code, op, token),
            AsmShape::IndexSwitch => self.index_switch(code, op, token),
            AsmShape::Terminator => self.terminator(code, op, token),
            AsmShape::Constant => self.constant(code, op, token),
            AsmShape::Compare => self.compare(code, op, token),
            AsmShape::Select => self.select(code, op, token),
        }
    }

    /// The attributes of `{…}`, if it stands here, after `attrs`.
    fn rest_of_attrs(
        &mut self,
        code: &mut Code<'s>,
        op: OpId,
        mut attrs: Vec<(Name, Attr)>,
        token: Token<'s>,
    ) -> P<()> {
        attrs.extend(self.optional_dict()?);
        self.set_attrs(code, op, attrs, token)
    }

    /// `call @f(%a) {…} : (T) -> T`
    fn call(&mut self, code: &mut Code<'s>, op: OpId, token: Token<'s>) -> P<()> {
        let callee = (Name::new("callee"), Attr::symbol(self.symbol_name()?));
        self.expect("(")?;
        let operands = self.list(")", |p| p.operand(code))?;
        code.body.set_operands(op, &operands);
        self.rest_of_attrs(code, op, vec![callee], token)?;
        self.expect(":")?;
        self.functional_type(code, op, &operands)
    }

    /// `yield {…} %a, %b : T, U`
    fn terminator(&mut self, code: &mut Code<'s>, op: OpId, token: Token<'s>) -> P<()> {
        self.rest_of_attrs(code, op, Vec::new(), token)?;
        if !self.at_operands() {
            return Ok(());
        }
        let operands = self.operands(code)?;
        code.body.set_operands(op, &operands);
        self.expect(":")?;
        let token = self.tok;
        let mut types = vec![self.ty()?];
        while self.eat(",") {
            types.push(self.ty()?);
        }
        self.check_types(code, &operands, &types, token)
    }

    /// `constant {…} 1.0 : f32`
    fn constant(&mut self, code: &mut Code<'s>, op: OpId, token: Token<'s>) -> P<()> {
        let mut attrs = self.optional_dict()?;
        let start = self.tok;
        let value = self.attr()?;
        let ty = match value.kind() {
            AttrKind::Int(_, ty) | AttrKind::Float(_, ty) | AttrKind::Dense(_, ty) => *ty,
            _ => return self.fail_at(start, "a constant is a number or a `dense<…>` of numbers"),
        };
        attrs.push((Name::new("value"), value));
        self.set_attrs(code, op, attrs, token)?;
        code.body.add_result(op, ty);
        Ok(())
    }

    /// `cmpi slt, %a, %b {…} : T`
    fn compare(&mut self, code: &mut Code<'s>, op: OpId, token: Token<'s>) -> P<()> {
        let predicate = self.tok;
        if predicate.kind != Kind::Ident {
            return self.expected("a predicate");
        }
        self.advance();
        self.expect(",")?;
        let lhs = self.operand(code)?;
        self.expect(",")?;
        let rhs = self.operand(code)?;
        let mut attrs = self.optional_dict()?;
        self.expect(":")?;
        let type_token = self.tok;
        let ty = self.ty()?;
        self.check_types(code, &[lhs, rhs], &[ty, ty], type_token)?;
        let known = predicates(ty);
        let Some(number) = known.iter().position(|p| *p == predicate.text) else {
            let near = nearest(predicate.text, known.iter().copied());
            return self.fail_near(predicate, format!("no predicate of {ty} is called `{}`", predicate.text), near);
        };
        attrs.insert(0, (Name::new("predicate"), Attr::i64(number as i64)));
        code.body.set_operands(op, &[lhs, rhs]);
        code.body.add_result(op, ty.with_elem(Type::i1()));
        self.set_attrs(code, op, attrs, token)
    }

    /// `select %c, %a, %b {…} : T`, or `: C, T`
    fn select(&mut self, code: &mut Code<'s>, op: OpId, token: Token<'s>) -> P<()> {
        let condition = self.operand(code)?;
        self.expect(",")?;
        let a = self.operand(code)?;
        self.expect(",")?;
        let b = self.operand(code)?;
        self.rest_of_attrs(code, op, Vec::new(), token)?;
        self.expect(":")?;
        let type_token = self.tok;
        let mut condition_type = Type::i1();
        let mut ty = self.ty()?;
        if self.eat(",") {
            condition_type = ty;
            ty = self.ty()?;
        }
        self.check_types(code, &[condition, a, b], &[condition_type, ty, ty], type_token)?;
        code.body.set_operands(op, &[condition, a, b]);
        code.body.add_result(op, ty);
        Ok(())
    }

    // ----- structured control flow

    /// A region without a label, ended with the implied yield where the op has no results.
    fn plain_region(&mut self, code: &mut Code<'s>, op: OpId, args: &[(Token<'s>, Type)]) -> P<()> {
        let region = code.body.add_region(op);
        self.plain_region_into(code, op, region, args)
    }

    fn plain_region_into(
        &mut self,
        code: &mut Code<'s>,
        op: OpId,
        region: crate::body::RegionId,
        args: &[(Token<'s>, Type)],
    ) -> P<()> {
        self.region(code, region, Some(args))?;
        if code.body.results(op).is_empty() {
            let def = code.body.op(op).def;
            self.end_with_yield(code, def, region, op);
        }
        Ok(())
    }

    /// `if %c -> (T) { … } else { … } {…}`
    fn if_op(&mut self, code: &mut Code<'s>, op: OpId, token: Token<'s>) -> P<()> {
        let condition = self.operand(code)?;
        code.body.set_operands(op, &[condition]);
        if self.eat("->") {
            for ty in self.result_types()? {
                code.body.add_result(op, ty);
            }
        }
        self.plain_region(code, op, &[])?;
        if self.eat("else") {
            self.plain_region(code, op, &[])?;
        } else {
            code.body.add_region(op);
        }
        self.rest_of_attrs(code, op, Vec::new(), token)
    }

    /// `(%a = %b, …)` after its `(`.
    fn assignments(&mut self, code: &mut Code<'s>) -> P<Vec<(Token<'s>, ValueId)>> {
        self.list(")", |p| {
            let name = p.tok;
            if name.kind != Kind::Value {
                return p.expected("`%name = %value`");
            }
            p.advance();
            p.expect("=")?;
            Ok((name, p.operand(code)?))
        })
    }

    /// `for %i = %a to %b step %c iter_args(%x = %y) -> (T) : i32 { … } {…}`
    fn for_op(&mut self, code: &mut Code<'s>, op: OpId, token: Token<'s>) -> P<()> {
        let index = self.tok;
        if index.kind != Kind::Value {
            return self.expected("the name of the counter");
        }
        self.advance();
        self.expect("=")?;
        let mut operands = vec![self.operand(code)?];
        self.expect("to")?;
        operands.push(self.operand(code)?);
        self.expect("step")?;
        operands.push(self.operand(code)?);
        let mut carried = Vec::new();
        let mut results = Vec::new();
        let mut result_token = self.tok;
        if self.eat("iter_args") {
            self.expect("(")?;
            carried = self.assignments(code)?;
            self.expect("->")?;
            result_token = self.tok;
            results = self.result_types()?;
        }
        let type_token = self.tok;
        let ty = if self.eat(":") { self.ty()? } else { Type::index() };
        self.check_types(code, &operands, &[ty; 3], type_token)?;
        let inits: Vec<ValueId> = carried.iter().map(|(_, v)| *v).collect();
        self.check_types(code, &inits, &results, result_token)?;
        operands.extend(inits);
        code.body.set_operands(op, &operands);
        let mut args = vec![(index, ty)];
        for (&(name, _), &ty) in carried.iter().zip(&results) {
            code.body.add_result(op, ty);
            args.push((name, ty));
        }
        self.plain_region(code, op, &args)?;
        self.rest_of_attrs(code, op, Vec::new(), token)
    }

    /// `while (%x = %y) : (T) -> T { … } do { … } attributes {…}`
    fn while_op(&mut self, code: &mut Code<'s>, op: OpId, token: Token<'s>) -> P<()> {
        let carried = if self.eat("(") { self.assignments(code)? } else { Vec::new() };
        let operands: Vec<ValueId> = carried.iter().map(|(_, v)| *v).collect();
        code.body.set_operands(op, &operands);
        self.expect(":")?;
        self.functional_type(code, op, &operands)?;
        let args: Vec<_> = carried.iter().map(|&(name, v)| (name, code.body.ty(v))).collect();
        let before = code.body.add_region(op);
        self.region(code, before, Some(&args))?;
        self.expect("do")?;
        let after = code.body.add_region(op);
        self.region(code, after, None)?;
        if self.eat("attributes") {
            return self.rest_of_attrs(code, op, Vec::new(), token);
        }
        Ok(())
    }

    /// `index_switch %i {…} -> T case 0 { … } default { … }`
    fn index_switch(&mut self, code: &mut Code<'s>, op: OpId, token: Token<'s>) -> P<()> {
        let value = self.operand(code)?;
        code.body.set_operands(op, &[value]);
        let mut attrs = self.optional_dict()?;
        if self.eat("->") {
            loop {
                let ty = self.ty()?;
                code.body.add_result(op, ty);
                if !self.eat(",") {
                    break;
                }
            }
        }
        let default = code.body.add_region(op);
        let mut cases = Vec::new();
        while self.eat("case") {
            cases.push(self.i64_literal()?);
            self.plain_region(code, op, &[])?;
        }
        self.expect("default")?;
        self.plain_region_into(code, op, default, &[])?;
        attrs.push((Name::new("cases"), Attr::i64_array(&cases)));
        self.set_attrs(code, op, attrs, token)
    }
}
