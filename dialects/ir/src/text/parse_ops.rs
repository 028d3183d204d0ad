//! Parsing code: regions, blocks, values, and ops in the generic form.

use super::lexer::{Kind, Token};
use super::names::is_default_name;
use super::parse::{P, Parser, Stop};
use crate::attr::Attr;
use crate::body::{Attrs, BlockId, Body, OpId, RegionId, ValueId};
use crate::diag::Diagnostic;
use crate::intern::Name;
use crate::nearest::nearest;
use crate::op::{Asm, AsmShape, OpDef};
use crate::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

/// A body that is being read, with the names that are visible at this point.
pub struct Code<'s> {
    pub body: Body,
    names: FxHashMap<&'s str, Bound<'s>>,
    /// Visible names in the order in which they were bound, so that a region's can be dropped at
    /// its end.
    trail: Vec<&'s str>,
    /// Names whose use was reported once.
    unknown: FxHashSet<&'s str>,
    /// `return` is short for this dialect's in the outermost block of a function.
    dialect: &'static str,
}

struct Bound<'s> {
    token: Token<'s>,
    /// None after an error in the op that defines them: what uses it is passed over in silence.
    values: Option<Vec<ValueId>>,
}

/// The names on the left of `=`, each with how many results it stands for.
type Left<'s> = Vec<(Token<'s>, usize)>;

impl Code<'_> {
    pub fn new(dialect: &'static str) -> Self {
        Code {
            body: Body::new(),
            names: FxHashMap::default(),
            trail: Vec::new(),
            unknown: FxHashSet::default(),
            dialect,
        }
    }
}

impl<'s> Parser<'s> {
    // ----- values

    pub fn operand(&mut self, code: &mut Code<'s>) -> P<ValueId> {
        let token = self.tok;
        if token.kind != Kind::Value {
            return self.expected("a value (`%name`)");
        }
        self.advance();
        let (name, index) = match token.text.split_once('#') {
            Some((name, index)) => (name, index.parse::<usize>().unwrap_or(usize::MAX)),
            None => (token.text, 0),
        };
        match code.names.get(name) {
            Some(Bound { values: None, .. }) => Err(Stop),
            Some(Bound { values: Some(values), .. }) => match values.get(index) {
                Some(&value) => Ok(value),
                None => self.fail_at(token, format!("`{name}` stands for {} values", values.len())),
            },
            None if !code.unknown.insert(name) => Err(Stop),
            None => {
                let near = nearest(name, code.trail.iter().copied());
                self.fail_near(token, format!("`{name}` is not defined here"), near)
            }
        }
    }

    /// Whether a list of values starts here. A value that starts a line belongs to the next op.
    pub fn at_operands(&self) -> bool {
        self.tok.kind == Kind::Value && !self.is_first_on_line()
    }

    /// Any number of values with commas.
    pub fn operands(&mut self, code: &mut Code<'s>) -> P<Vec<ValueId>> {
        let mut values = Vec::new();
        if self.at_operands() {
            values.push(self.operand(code)?);
            while self.eat(",") {
                values.push(self.operand(code)?);
            }
        }
        Ok(values)
    }

    pub fn bind(&mut self, code: &mut Code<'s>, token: Token<'s>, values: Option<Vec<ValueId>>) -> P<()> {
        let name = token.text;
        if name.contains('#') {
            return self.fail_at(token, "a name that is defined has no `#`");
        }
        if let Some(first) = code.names.get(name) {
            let diagnostic = Diagnostic::invalid_ir(self.token_loc(token), format!("`{name}` is defined twice"))
                .with_label_at(self.token_loc(first.token), "first defined here");
            return Err(self.report(diagnostic));
        }
        if let Some(values) = &values {
            let constant = values.first().and_then(|&v| constant_of(&code.body, v));
            if !is_default_name(&name[1..], constant) {
                for &value in values {
                    code.body.set_hint(value, Some(Name::new(&name[1..])));
                }
            }
        }
        code.names.insert(name, Bound { token, values });
        code.trail.push(name);
        Ok(())
    }

    /// Checks that `values` have the types written for them.
    pub fn check_types(&mut self, code: &Code<'s>, values: &[ValueId], types: &[Type], token: Token<'s>) -> P<()> {
        if values.len() != types.len() {
            return self.fail_at(token, format!("{} operands but {} types for them", values.len(), types.len()));
        }
        for (i, (&value, &ty)) in values.iter().zip(types).enumerate() {
            let actual = code.body.ty(value);
            if actual != ty {
                return self.fail_at(token, format!("operand {i} has type {actual}, but {ty} is written for it"));
            }
        }
        Ok(())
    }

    // ----- regions and blocks

    /// `{ … }` into a region without blocks. With `args`, the region has a first block, whose
    /// arguments these are, and no label; without, labels say what blocks there are, and nothing
    /// between the braces means none.
    pub fn region(&mut self, code: &mut Code<'s>, region: RegionId, args: Option<&[(Token<'s>, Type)]>) -> P<()> {
        self.nested(|p| {
            let visible = code.trail.len();
            p.expect("{")?;
            let result = p.blocks(code, region, args);
            for name in code.trail.drain(visible..) {
                code.names.remove(name);
            }
            result?;
            p.expect("}")
        })
    }

    fn blocks(&mut self, code: &mut Code<'s>, region: RegionId, args: Option<&[(Token<'s>, Type)]>) -> P<()> {
        let mut next = None;
        if let Some(args) = args {
            next = Some(self.block(code, region, args)?);
        } else if !self.at("}") && self.tok.kind != Kind::Block {
            next = Some(code.body.add_block(region, &[]));
        }
        loop {
            if let Some(block) = next {
                self.block_ops(code, block)?;
            }
            if self.tok.kind != Kind::Block {
                return Ok(());
            }
            self.advance();
            let mut args = Vec::new();
            if self.eat("(") {
                args = self.list(")", |p| {
                    let name = p.tok;
                    if name.kind != Kind::Value {
                        return p.expected("an argument (`%name: type`)");
                    }
                    p.advance();
                    p.expect(":")?;
                    let ty = p.ty()?;
                    p.optional_loc()?;
                    Ok((name, ty))
                })?;
            }
            self.expect(":")?;
            next = Some(self.block(code, region, &args)?);
        }
    }

    fn block(&mut self, code: &mut Code<'s>, region: RegionId, args: &[(Token<'s>, Type)]) -> P<BlockId> {
        let block = code.body.add_block(region, &[]);
        for &(name, ty) in args {
            let value = code.body.add_arg(block, ty);
            // A name taken twice is reported; the code after it is still worth reading.
            let _ = self.bind(code, name, Some(vec![value]));
        }
        Ok(block)
    }

    fn block_ops(&mut self, code: &mut Code<'s>, block: BlockId) -> P<()> {
        while !self.at("}") && !matches!(self.tok.kind, Kind::Block | Kind::Eof) {
            if self.is_hopeless() {
                return Err(Stop);
            }
            let start = self.tok.start;
            if self.op(code, block).is_err() {
                let stopped = (self.tok, self.last_end);
                self.jump(start);
                if let Ok(left) = self.left_side() {
                    for (token, _) in left {
                        if !code.names.contains_key(token.text) {
                            let _ = self.bind(code, token, None);
                        }
                    }
                }
                (self.tok, self.last_end) = stopped;
                self.recover(start);
            }
        }
        Ok(())
    }

    // ----- ops

    /// `%a, %b:2 =`, if it stands here.
    fn left_side(&mut self) -> P<Left<'s>> {
        let mut left = Left::new();
        while self.tok.kind == Kind::Value {
            let token = self.tok;
            self.advance();
            let mut count = 1;
            if self.eat(":") {
                count = match self.tok.text.parse::<usize>() {
                    Ok(n) if self.tok.kind == Kind::Int && n > 0 => n,
                    _ => return self.expected("how many results the name stands for"),
                };
                self.advance();
            }
            left.push((token, count));
            if !self.eat(",") {
                self.expect("=")?;
                break;
            }
        }
        Ok(left)
    }

    fn op(&mut self, code: &mut Code<'s>, block: BlockId) -> P<()> {
        let left = self.left_side()?;
        let token = self.tok;
        let def = self.op_name(code.dialect)?;
        if def.is_symbol() {
            return self.fail_at(token, format!("`{}` defines a symbol and cannot stand in code", def.name));
        }
        let loc = self.token_loc(token);
        let op = code.body.create_op(def, &[], &[], Attrs::new(), 0, loc);
        code.body.insert_op(op, block, None);
        match def.asm {
            _ if token.kind == Kind::String => self.generic_op(code, op, token)?,
            Asm::Generic => return self.fail_at(token, format!("`{}` has only the generic form", def.name)),
            Asm::Format(text) => self.formatted_op(code, op, def, text, token)?,
            Asm::Shape(shape) => self.shaped_op(code, op, shape, token)?,
        }
        if let Some(loc) = self.optional_loc()? {
            code.body.set_loc(op, loc);
        }
        self.bind_results(code, op, &left, token)
    }

    fn bind_results(&mut self, code: &mut Code<'s>, op: OpId, left: &Left<'s>, token: Token<'s>) -> P<()> {
        let results = code.body.results(op).to_vec();
        let named = left.iter().try_fold(0usize, |sum, (_, n)| sum.checked_add(*n));
        if !left.is_empty() && named != Some(results.len()) {
            return self.fail_at(token, format!("the op has {} results, but another number is named", results.len()));
        }
        let mut rest = results.as_slice();
        for &(token, count) in left {
            let (group, after) = rest.split_at(count);
            rest = after;
            self.bind(code, token, Some(group.to_vec()))?;
        }
        Ok(())
    }

    /// `"a.b"(%x) <{…}> ({…}) {…} : (types) -> types`
    fn generic_op(&mut self, code: &mut Code<'s>, op: OpId, token: Token<'s>) -> P<()> {
        self.expect("(")?;
        let operands = self.list(")", |p| p.operand(code))?;
        code.body.set_operands(op, &operands);
        if self.at("[") {
            return self.fail_here("control flow is structured here: an op has no successors");
        }
        let mut attrs = if self.eat("<") { self.properties()? } else { Vec::new() };
        if self.eat("(") {
            self.list(")", |p| {
                let region = code.body.add_region(op);
                p.region(code, region, None)
            })?;
        }
        attrs.extend(self.optional_dict()?);
        self.set_attrs(code, op, attrs, token)?;
        self.expect(":")?;
        self.functional_type(code, op, &operands)
    }

    pub fn set_attrs(&mut self, code: &mut Code<'s>, op: OpId, attrs: Vec<(Name, Attr)>, token: Token<'s>) -> P<()> {
        let mut seen = FxHashSet::default();
        for (name, _) in &attrs {
            if !seen.insert(*name) {
                return self.fail_at(token, format!("attribute `{name}` is given twice"));
            }
        }
        code.body.set_attrs(op, Attrs::from_vec(attrs));
        Ok(())
    }

    /// `(types) -> types`: checks those of `operands`, and adds results to `op`.
    pub fn functional_type(&mut self, code: &mut Code<'s>, op: OpId, operands: &[ValueId]) -> P<()> {
        let token = self.tok;
        let inputs = self.parenthesized_types()?;
        self.check_types(code, operands, &inputs, token)?;
        self.expect("->")?;
        for ty in self.result_types()? {
            code.body.add_result(op, ty);
        }
        Ok(())
    }

    /// Ends the region of an op of `dialect` with that dialect's bare yield, if it has no
    /// terminator.
    pub fn end_with_yield(&mut self, code: &mut Code<'s>, def: &'static OpDef, region: RegionId, op: OpId) {
        let Some(&block) = code.body.region(region).blocks.last() else { return };
        if code.body.terminator(block).is_some() {
            return;
        }
        if let Some(end) = self.registry.op(&format!("{}.yield", def.dialect())) {
            let loc = code.body.loc(op);
            let end = code.body.create_op(end, &[], &[], Attrs::new(), 0, loc);
            code.body.insert_op(end, block, None);
        }
    }
}

/// The constant that `value` is, if an op in the syntax of constants made it.
fn constant_of(body: &Body, value: ValueId) -> Option<Attr> {
    let op = body.def_op(value)?;
    if body.op(op).def.asm.is_shape(AsmShape::Constant) { body.attr(op, "value") } else { None }
}
