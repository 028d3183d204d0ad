//! Random modules from the rows: any op of any dialect, well typed where that is easy, so that the
//! pretty forms are used too.

use caustic_ir::body::{Attrs, BlockId, Body, OpId, ValueId};
use caustic_ir::{
    Asm, AsmShape, Attr, AttrClass, Dialect, Loc, LocKind, Module, Name, OpDef, SymbolOp, Type, TypeRule,
};

/// A small generator of pseudo-random numbers: the same modules for the same seed everywhere.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed ^ 0x9E37_79B9_7F4A_7C15)
    }
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
    pub fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }
}

pub struct Generator {
    pub random: Random,
    ops: Vec<&'static OpDef>,
    symbols: Vec<&'static OpDef>,
    dialect_types: Vec<String>,
    types: Vec<Type>,
    names: Vec<Name>,
}

/// Code that is being made.
struct Code {
    body: Body,
    /// Values that may be read, by scope.
    visible: Vec<ValueId>,
    ops_left: usize,
}

impl Generator {
    pub fn new(seed: u64, dialects: &[&'static Dialect]) -> Generator {
        let all: Vec<&'static OpDef> = dialects.iter().flat_map(|d| d.all_ops()).collect();
        let dialect_types =
            dialects.iter().flat_map(|d| d.types.iter().map(|(t, _)| format!("{}.{t}", d.name))).collect();
        let mut g = Generator {
            random: Random::new(seed),
            ops: all.iter().copied().filter(|op| !op.is_symbol()).collect(),
            symbols: all.iter().copied().filter(|op| op.is_symbol()).collect(),
            dialect_types,
            types: Vec::new(),
            // Among them what passes append to names, which means nothing here.
            names: [
                "f",
                "g",
                "a b",
                "x.y",
                "0",
                "ä\"\\",
                "_",
                "very$long",
                "f.jvp",
                "f.of1",
                "f_1",
                "arg0",
                "scf.if",
                "f32",
            ]
            .map(Name::new)
            .to_vec(),
        };
        for _ in 0..12 {
            let ty = g.ty(0);
            g.types.push(ty);
        }
        g
    }

    // ----- types and attributes

    fn scalar(&mut self) -> Type {
        let ints = [1, 8, 16, 32, 64];
        match self.random.below(9) {
            0 => Type::index(),
            1 | 2 => Type::f32(),
            3 => Type::f16(),
            4 => Type::f64(),
            _ => Type::int(self.random.pick(&ints)),
        }
    }

    pub fn ty(&mut self, depth: usize) -> Type {
        match self.random.below(if depth > 3 { 6 } else { 12 }) {
            0..=3 => self.scalar(),
            4 | 5 => {
                let elem = self.scalar();
                let shape: Vec<u32> = (0..1 + self.random.below(2)).map(|_| 1 + self.random.below(4) as u32).collect();
                Type::vector(&shape, elem)
            }
            6 | 7 => {
                let inputs: Vec<Type> = (0..self.random.below(3)).map(|_| self.ty(depth + 1)).collect();
                let results: Vec<Type> = (0..self.random.below(3)).map(|_| self.ty(depth + 1)).collect();
                Type::function(&inputs, &results)
            }
            _ => {
                let name = self.random.pick(&self.dialect_types.clone());
                let params = (0..self.random.below(4)).map(|_| self.attr(depth + 1)).collect();
                Type::dialect(&name, params)
            }
        }
    }

    fn text(&mut self) -> String {
        let chars = ['a', 'B', '_', '.', '$', ' ', '"', '\\', '\n', 'ä', '0', '9', '-', '→', '{', '>', '\u{7f}'];
        (0..self.random.below(6)).map(|_| self.random.pick(&chars)).collect()
    }

    fn number(&mut self, ty: Type) -> Attr {
        if ty.is_float() {
            let bits = self.random.next();
            let value = match self.random.below(8) {
                0 => f64::from_bits(bits),
                1 => f64::NAN,
                2 => f64::NEG_INFINITY,
                3 => -0.0,
                4 => f32::from_bits(bits as u32) as f64,
                5 => 1e-7 * (bits % 1000) as f64,
                _ => (bits % 4096) as f64 / 16.0 - 100.0,
            };
            return Attr::float(value, ty);
        }
        let value = match self.random.below(4) {
            0 => self.random.next() as i64,
            1 => i64::MIN,
            _ => self.random.below(20) as i64 - 5,
        };
        Attr::int(value, ty)
    }

    /// An int, float or dense constant of a type.
    fn constant(&mut self, ty: Type) -> Attr {
        if !ty.is_vector() {
            return self.number(ty);
        }
        let one = self.number(ty.elem());
        let splat = self.random.chance(30);
        let items = (0..ty.num_elements()).map(|_| if splat { one } else { self.number(ty.elem()) }).collect();
        Attr::dense(items, ty)
    }

    pub fn attr(&mut self, depth: usize) -> Attr {
        match self.random.below(if depth > 3 { 8 } else { 12 }) {
            0 => Attr::unit(),
            1 | 2 => {
                let ty = self.scalar();
                self.number(ty)
            }
            3 => Attr::string(&self.text()),
            4 => Attr::symbol(self.random.pick(&self.names.clone())),
            5 => Attr::i64_array(&(0..self.random.below(4)).map(|i| i as i64 - 1).collect::<Vec<_>>()),
            6 => Attr::opaque("gpu<dim x>"),
            7 => {
                let elem = self.scalar();
                self.constant(Type::vector(&[2, 2], elem))
            }
            8 => Attr::ty(self.ty(depth + 1)),
            9 | 10 => Attr::array((0..self.random.below(4)).map(|_| self.attr(depth + 1)).collect()),
            _ => Attr::dict(self.dict(depth + 1)),
        }
    }

    fn dict(&mut self, depth: usize) -> Vec<(Name, Attr)> {
        let keys = ["a", "b.c", "if", "a key", "\"", "true", "loc"];
        let mut out: Vec<(Name, Attr)> = Vec::new();
        for _ in 0..self.random.below(3) {
            let key = Name::new(self.random.pick(&keys));
            if out.iter().all(|(k, _)| *k != key) {
                let value = self.attr(depth);
                out.push((key, value));
            }
        }
        out
    }

    fn attr_of(&mut self, class: AttrClass) -> Attr {
        match class {
            AttrClass::Any => self.attr(0),
            AttrClass::Unit => Attr::unit(),
            AttrClass::Bool => Attr::bool(self.random.chance(50)),
            AttrClass::Int => {
                let ty = self.random.pick(&[Type::i64(), Type::i32(), Type::index()]);
                self.number(ty)
            }
            AttrClass::String => Attr::string(&self.text()),
            AttrClass::Symbol | AttrClass::MaybeSymbol => Attr::symbol(self.random.pick(&self.names.clone())),
            AttrClass::Type => Attr::ty(self.random.pick(&self.types.clone())),
            AttrClass::Array => Attr::array((0..self.random.below(3)).map(|_| self.attr(1)).collect()),
            AttrClass::IntArray => Attr::i64_array(&(0..self.random.below(4)).map(|i| i as i64).collect::<Vec<_>>()),
            AttrClass::Dict => Attr::dict(self.dict(1)),
            AttrClass::Constant => {
                let ty = self.scalar();
                self.number(ty)
            }
            AttrClass::Opaque => Attr::opaque(self.random.pick(&[
                "gpu<dim x>",
                "gpu<dim z>",
                "vector.kind<add>",
                "arith.fastmath<none>",
            ])),
        }
    }

    fn attrs_for(&mut self, def: &'static OpDef) -> Attrs {
        let mut attrs = Attrs::new();
        for spec in def.attrs {
            if spec.required && !self.random.chance(2) || self.random.chance(30) {
                let attr = if self.random.chance(2) { self.attr(0) } else { self.attr_of(spec.class) };
                attrs.push((Name::new(spec.name), attr));
            }
        }
        if self.random.chance(10) {
            for (name, attr) in self.dict(0) {
                if attrs.iter().all(|(n, _)| *n != name) {
                    attrs.push((name, attr));
                }
            }
        }
        attrs
    }

    fn loc(&mut self) -> Loc {
        let file = Name::new(self.random.pick(&["a.slang", "dir/b c.slang", "q\"uote"]));
        let (line, col) = (self.random.below(50) as u32, self.random.below(9) as u32);
        let span =
            Loc::span(file, (line, col), (line + self.random.below(2) as u32, col + self.random.below(3) as u32));
        match self.random.below(5) {
            0 => Loc::unknown(),
            1 => Loc::new(LocKind::Derived { from: span, why: Name::new("inlined \"x\"") }),
            _ => span,
        }
    }

    // ----- modules and code

    pub fn module(&mut self, depth: usize) -> Module {
        let mut module = Module::new();
        if depth == 0 {
            module.name = self.random.chance(30).then(|| Name::new("m n"));
            module.attrs = Attrs::from_vec(self.dict(0));
        }
        for i in 0..1 + self.random.below(4) {
            let def = self.random.pick(&self.symbols.clone());
            let name = if self.random.chance(70) {
                Name::new(&format!("s{i}"))
            } else {
                self.random.pick(&self.names.clone())
            };
            let loc = self.loc();
            let mut symbol = SymbolOp::new(def, name, loc);
            symbol.attrs = self.attrs_for(def);
            symbol.remove_attr("sym_name");
            if def.asm.is_shape(AsmShape::Module) {
                symbol.nested = Some(Box::new(if depth < 2 { self.module(depth + 1) } else { Module::new() }));
            } else if def.asm.is_shape(AsmShape::Function) {
                self.function(&mut symbol);
            }
            let _ = module.add(symbol);
        }
        module
    }

    fn function(&mut self, symbol: &mut SymbolOp) {
        let inputs: Vec<Type> = (0..self.random.below(8)).map(|_| self.random.pick(&self.types.clone())).collect();
        let results: Vec<Type> = (0..self.random.below(3)).map(|_| self.random.pick(&self.types.clone())).collect();
        if !self.random.chance(3) {
            symbol.set_attr("function_type", Attr::ty(Type::function(&inputs, &results)));
        }
        if self.random.chance(20) {
            symbol.set_attr("sym_visibility", Attr::string(self.random.pick(&["private", "public", "odd"])));
        }
        if self.random.chance(20) {
            let notes = inputs.iter().map(|_| Attr::dict(self.dict(1))).collect();
            symbol.set_attr("arg_attrs", Attr::array(notes));
        }
        if self.random.chance(20) {
            let notes = results.iter().map(|_| Attr::dict(self.dict(1))).collect();
            symbol.set_attr("res_attrs", Attr::array(notes));
        }
        if self.random.chance(20) {
            return;
        }
        let mut code = Code { body: Body::new(), visible: Vec::new(), ops_left: 3 + self.random.below(25) };
        let root = code.body.root();
        let block = code.body.add_block(root, &inputs);
        self.fill(&mut code, block, 0, None);
        if self.random.chance(2) {
            let block = code.body.add_block(root, &[Type::f32()]);
            self.fill(&mut code, block, 0, None);
        }
        symbol.body = code.body;
    }

    /// Ops into a block; `end` names the op that its dialect's yield should end it for.
    fn fill(&mut self, code: &mut Code, block: BlockId, depth: usize, end: Option<OpId>) {
        let start = code.visible.len();
        let args = code.body.args(block).to_vec();
        for &arg in &args {
            self.hint(code, arg);
        }
        code.visible.extend(args);
        for _ in 0..self.random.below(8) {
            if code.ops_left == 0 {
                break;
            }
            code.ops_left -= 1;
            let def = self.random.pick(&self.ops.clone());
            self.op(code, block, def, depth, &[]);
        }
        if let Some(around) = end {
            let def = code.body.op(around).def;
            let last = match def.asm {
                Asm::Shape(AsmShape::While) if code.body.region_block(around, 0) == Some(block) => "condition",
                _ => "yield",
            };
            let last = self.ops.iter().copied().find(|o| o.name == format!("{}.{last}", def.dialect()));
            let results: Vec<Type> = code.body.results(around).iter().map(|&v| code.body.ty(v)).collect();
            if let Some(last) = last.filter(|_| !self.random.chance(5)) {
                self.op(code, block, last, depth, &results);
            }
        }
        code.visible.truncate(start);
    }

    fn hint(&mut self, code: &mut Code, value: ValueId) {
        let hints = ["x", "x_0", "acc", "0", "arg3", "a b", "ä", "cst", "c0", "r-1", ""];
        if self.random.chance(30) {
            code.body.set_hint(value, Some(Name::new(self.random.pick(&hints))));
        }
    }

    /// A visible value whose type satisfies `fits`, made if there is none.
    fn value(&mut self, code: &mut Code, block: BlockId, fits: &dyn Fn(Type) -> bool, wanted: Option<Type>) -> ValueId {
        let known: Vec<ValueId> = code.visible.iter().copied().filter(|&v| fits(code.body.ty(v))).collect();
        if !known.is_empty() {
            return self.random.pick(&known);
        }
        // Any op may give any type as far as text is concerned.
        let pool = self.types.clone();
        let ty =
            wanted.or_else(|| (0..30).map(|_| self.ty(1)).chain(pool).find(|&t| fits(t))).unwrap_or_else(Type::f32);
        let (def, attrs) = match self.ops.iter().copied().find(|o| o.asm.is_shape(AsmShape::Constant)) {
            Some(def) if ty.is_scalar() || ty.is_vector() => {
                (def, Attrs::from_vec(vec![(Name::new("value"), self.constant(ty))]))
            }
            _ => (self.random.pick(&self.ops.clone()), Attrs::new()),
        };
        let loc = self.loc();
        let op = code.body.create_op(def, &[], &[ty], attrs, 0, loc);
        code.body.insert_op(op, block, None);
        let value = code.body.result(op, 0);
        self.hint(code, value);
        code.visible.push(value);
        value
    }

    fn op(&mut self, code: &mut Code, block: BlockId, def: &'static OpDef, depth: usize, extra: &[Type]) {
        let mut operands: Vec<ValueId> = Vec::new();
        for spec in def.operands {
            let count = if !spec.variadic {
                1
            } else if extra.is_empty() {
                self.random.below(4)
            } else {
                extra.len()
            };
            for i in 0..count {
                let known: Vec<Option<Type>> = operands.iter().map(|&v| Some(code.body.ty(v))).collect();
                let wrong = self.random.chance(2);
                let exact = if spec.variadic && !extra.is_empty() { Some(extra[i]) } else { spec.rule.infer(&known) };
                let class = match spec.rule {
                    TypeRule::Class(class) => Some(class.contains),
                    _ => None,
                };
                let fits = move |t: Type| wrong || exact.map_or_else(|| class.is_none_or(|c| c(t)), |e| e == t);
                let value = self.value(code, block, &fits, exact);
                operands.push(value);
            }
        }
        let types: Vec<Type> = operands.iter().map(|&v| code.body.ty(v)).collect();
        let known: Vec<Option<Type>> = types.iter().map(|&t| Some(t)).collect();
        let mut results: Vec<Type> = Vec::new();
        for spec in def.results {
            let count = if spec.variadic { self.random.below(3) } else { 1 };
            for _ in 0..count {
                let class_member = match spec.rule {
                    TypeRule::Class(class) => (0..40).map(|_| self.ty(1)).find(|&t| (class.contains)(t)),
                    _ => None,
                };
                results.push(spec.rule.infer(&known).or(class_member).unwrap_or_else(Type::i32));
            }
        }
        if matches!(def.asm, Asm::Shape(AsmShape::For)) {
            results = types.get(3..).unwrap_or(&[]).to_vec();
        }
        let mut attrs = self.attrs_for(def);
        if def.asm.is_shape(AsmShape::Constant)
            && let Some(ty) = results.first().filter(|t| t.is_scalar() || t.is_vector())
        {
            attrs = Attrs::from_vec(vec![(Name::new("value"), self.constant(*ty))]);
        }
        if def.asm.is_shape(AsmShape::Compare) {
            attrs = Attrs::from_vec(vec![(Name::new("predicate"), Attr::i64(self.random.below(11) as i64))]);
        }
        if self.random.chance(2) {
            results.push(Type::f32());
        }
        let loc = self.loc();
        let op = code.body.create_op(def, &operands, &results, attrs, 0, loc);
        code.body.insert_op(op, block, None);
        let mut regions = def.regions.len();
        if def.has_variadic_regions() {
            let cases: Vec<i64> = (0..self.random.below(3)).map(|i| i as i64 * 7 - 3).collect();
            code.body.set_attr(op, "cases", Attr::i64_array(&cases));
            regions = 1 + cases.len();
        }
        for i in 0..regions {
            let region = code.body.add_region(op);
            let optional = i == 1 && def.asm.is_shape(AsmShape::If) && self.random.chance(40);
            if depth > 3 || optional || self.random.chance(3) {
                continue;
            }
            let args: Vec<Type> = match def.asm {
                Asm::Shape(AsmShape::If | AsmShape::IndexSwitch) => Vec::new(),
                Asm::Shape(AsmShape::For) => types.get(2..).unwrap_or(&[]).to_vec(),
                Asm::Shape(AsmShape::While) if i == 0 => types.clone(),
                Asm::Shape(AsmShape::While) => results.clone(),
                _ => (0..self.random.below(3)).map(|_| self.random.pick(&self.types.clone())).collect(),
            };
            let inner = code.body.add_block(region, &args);
            self.fill(code, inner, depth + 1, Some(op));
        }
        for result in code.body.results(op).to_vec() {
            self.hint(code, result);
            code.visible.push(result);
        }
    }
}
