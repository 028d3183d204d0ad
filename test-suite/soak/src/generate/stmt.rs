//! Generates statements: declarations, updates in place, calls, branches, loops and jumps.

use super::{Generator, Var};
use crate::tree::{Kind, Node, Ty};

impl Generator {
    /// Generates `count` statements, or fewer if one of them leaves the block.
    pub(super) fn statements(&mut self, count: usize, out: &mut Vec<Node>) {
        let scope = self.scope.len();
        let top = self.current.nesting == 0;
        for _ in 0..count {
            self.statement(out);
            if out.last().is_some_and(|s| matches!(s.kind, Kind::Break | Kind::Continue | Kind::Return)) {
                break;
            }
        }
        // Variables of a function's outermost block stay in scope for its result.
        if !top {
            self.scope.truncate(scope);
        }
    }

    fn block(&mut self, count: usize) -> Node {
        let mut out = Vec::new();
        self.current.nesting += 1;
        self.statements(count, &mut out);
        self.current.nesting -= 1;
        Node::block(out)
    }

    /// The initial value of a declaration.
    fn initial(&mut self, ty: &Ty) -> Node {
        match ty {
            Ty::Array(elem, n) => {
                let kids = (0..*n).map(|_| self.initial(elem)).collect();
                Node::new(Kind::Braces, ty.clone(), kids)
            }
            Ty::Struct(s) => {
                let fields = self.program.structs[*s].fields.clone();
                let kids = fields.iter().map(|f| match f.no_diff {
                    true => self.constant(&f.ty),
                    false => self.initial(&f.ty),
                });
                let kids = kids.collect();
                Node::new(Kind::Braces, ty.clone(), kids)
            }
            Ty::Real if self.rng.one_in(2) => self.mix(),
            _ => self.value(ty, 1).unwrap_or_else(|| Node::lit(0.5)),
        }
    }

    /// A value that depends on many variables, so that little of the code before is dead.
    fn mix(&mut self) -> Node {
        let mut value = self.real(2);
        for _ in 0..1 + self.rng.below(4) {
            if let Some(place) = self.place(&Ty::Real, false) {
                value = Node::spell("real(0.5) * ($0 + $1)", Ty::Real, vec![place, value]);
            }
        }
        value
    }

    /// A value that depends on no variable.
    fn constant(&mut self, ty: &Ty) -> Node {
        let (part, count) = match ty {
            Ty::Array(elem, n) => ((**elem).clone(), *n as usize),
            Ty::Struct(_) => return self.initial(ty),
            Ty::Vec(_) | Ty::Mat(..) => (Ty::Real, 1),
            Ty::Real | Ty::Low => return Node::leaf(Kind::Lit(self.rng.literal()), ty.clone()),
            _ => return Node::int(1),
        };
        let kids: Vec<Node> = (0..count).map(|_| self.constant(&part)).collect();
        match ty {
            Ty::Array(..) => Node::new(Kind::Braces, ty.clone(), kids),
            _ => Node::new(Kind::Make, ty.clone(), kids),
        }
    }

    fn declare(&mut self, ty: Ty, out: &mut Vec<Node>) -> Node {
        let prefix = match ty {
            Ty::Int | Ty::Uint => "k",
            Ty::Array(..) => "a",
            Ty::Struct(_) => "s",
            _ => "v",
        };
        let name = self.fresh(prefix);
        let value = match self.value(&ty, 2) {
            Some(value) if !self.rng.one_in(3) => value,
            _ => self.initial(&ty),
        };
        out.push(Node::new(Kind::Decl(name.clone()), Ty::Void, vec![value]));
        let node = Node::var(&name, ty);
        self.scope.push(Var { node: node.clone(), writable: true });
        node
    }

    /// Sets `place` to a value, part by part if there is no value of its type.
    pub(super) fn set(&mut self, place: Node, value: Option<Node>) -> Vec<Node> {
        if let Some(value) = value {
            return vec![Node::new(Kind::Assign("="), Ty::Void, vec![place, value])];
        }
        let parts: Vec<Node> = match &place.ty {
            Ty::Array(elem, n) => (0..*n)
                .map(|i| Node::new(Kind::Index, (**elem).clone(), vec![place.clone(), Node::int(i64::from(i))]))
                .collect(),
            Ty::Struct(s) => self.program.structs[*s]
                .fields
                .iter()
                .filter(|f| !f.no_diff)
                .map(|f| Node::new(Kind::Field(f.name.clone()), f.ty.clone(), vec![place.clone()]))
                .collect(),
            _ => Vec::new(),
        };
        let mut out = Vec::new();
        for part in parts {
            let value = match part.ty {
                Ty::Array(..) | Ty::Struct(_) => None,
                _ => self.value(&part.ty.clone(), 1),
            };
            out.extend(self.set(part, value));
        }
        out
    }

    /// Generates the end of a function.
    pub(super) fn give_back(&mut self, out: &mut Vec<Node>) {
        let Some(ty) = self.current.ret.clone() else { return };
        let value = match ty {
            Ty::Void => return,
            Ty::Struct(_) | Ty::Array(..) => match self.place(&ty, false) {
                Some(place) if self.rng.one_in(2) => place,
                _ => {
                    let name = self.fresh("r");
                    let value = self.initial(&ty);
                    out.push(Node::new(Kind::Decl(name.clone()), Ty::Void, vec![value]));
                    Node::var(&name, ty)
                }
            },
            Ty::Real => self.mix(),
            _ => match self.value(&ty, 3) {
                Some(value) => value,
                None => return,
            },
        };
        out.push(Node::new(Kind::Return, Ty::Void, vec![value]));
    }

    fn statement(&mut self, out: &mut Vec<Node>) {
        let deep = self.current.nesting < self.limits.depth;
        match self.rng.below(if deep { 24 } else { 14 }) {
            0..=2 => {
                let ty = if self.rng.one_in(5) { Ty::Int } else { self.data_type(2) };
                self.declare(ty, out);
            }
            3..=9 => self.update(out),
            10 | 11 => self.call_statement(out),
            12 => self.integer(out),
            13 | 14 => {
                if self.current.loops > 0 || self.rng.one_in(3) {
                    self.exit(out);
                } else {
                    self.update(out);
                }
            }
            15..=17 => {
                let condition = self.boolean(2);
                let mut kids = vec![condition, self.block(2)];
                if self.rng.one_in(2) {
                    kids.push(self.block(2));
                }
                out.push(Node::new(Kind::If, Ty::Void, kids));
            }
            18 => self.switch(out),
            _ => self.repeat(out),
        }
    }

    /// An update in place whose result stays small, however often it is repeated.
    fn update(&mut self, out: &mut Vec<Node>) {
        let ty = match self.rng.below(6) {
            0 => Ty::Vec(2 + self.rng.below(3) as u8),
            1 => self.data_type(1),
            _ => Ty::Real,
        };
        let Some(place) = self.place(&ty, true) else {
            self.declare(ty, out);
            return;
        };
        let float = matches!(ty, Ty::Real | Ty::Vec(_));
        let kind = self.rng.below(8);
        let value = self.value(&ty, 3);
        let (op, value) = match (value, kind) {
            (None, _) => {
                let parts = self.set(place, None);
                return out.extend(parts);
            }
            (Some(v), 0..=2) if float => ("+=", Node::spell("real(0.25) * $0", ty, vec![v])),
            (Some(v), 3) if float => ("-=", Node::spell("real(0.25) * $0", ty, vec![v])),
            (Some(v), 4) if float => ("*=", Node::spell("cos($0)", ty, vec![v])),
            (Some(v), 5) if float => ("/=", Node::spell("real(2) + sin($0)", ty, vec![v])),
            (Some(v), 6) if float => ("=", Node::spell("sin($0 + $1)", ty, vec![v, place.clone()])),
            (Some(v), _) if float => ("=", Node::spell("tanh($0)", ty, vec![v])),
            (Some(v), _) => ("=", v),
        };
        out.push(Node::new(Kind::Assign(op), Ty::Void, vec![place, value]));
    }

    fn integer(&mut self, out: &mut Vec<Node>) {
        match self.place(&Ty::Int, true) {
            Some(place) => {
                let value = self.small_int(2);
                let value = Node::spell("$0 & 15", Ty::Int, vec![value]);
                out.push(Node::new(Kind::Assign("="), Ty::Void, vec![place, value]));
            }
            None => {
                self.declare(Ty::Int, out);
            }
        }
    }

    fn call_statement(&mut self, out: &mut Vec<Node>) {
        let types: Vec<Ty> = self.program.functions().map(|f| f.ret.clone()).collect();
        let Some(ty) = self.rng.pick(&types).cloned() else { return self.update(out) };
        match self.call(&ty, 2, true) {
            Some(call) if ty == Ty::Void || self.rng.one_in(4) => out.push(Node::new(Kind::Expr, Ty::Void, vec![call])),
            Some(call) => {
                let name = self.fresh("v");
                out.push(Node::new(Kind::Decl(name.clone()), Ty::Void, vec![call]));
                self.scope.push(Var { node: Node::var(&name, ty), writable: true });
            }
            None => self.update(out),
        }
    }

    fn exit(&mut self, out: &mut Vec<Node>) {
        let scope = self.scope.len();
        self.leave(out);
        if !out.last().is_some_and(|s| matches!(s.kind, Kind::Decl(_))) {
            self.scope.truncate(scope);
        }
    }

    fn leave(&mut self, out: &mut Vec<Node>) {
        let condition = self.boolean(1);
        let mut leave = Vec::new();
        match self.rng.below(4) {
            0 if self.current.loops > 0 && !self.current.in_switch => leave.push(Node::leaf(Kind::Break, Ty::Void)),
            1 if self.current.loops > 0 => leave.push(Node::leaf(Kind::Continue, Ty::Void)),
            2 => {
                self.update(&mut leave);
                match self.current.ret {
                    Some(Ty::Void) => leave.push(Node::leaf(Kind::Return, Ty::Void)),
                    _ => self.give_back(&mut leave),
                }
            }
            _ if self.current.loops > 0 => {
                self.update(&mut leave);
                leave.push(Node::leaf(Kind::Continue, Ty::Void));
            }
            _ => return self.update(out),
        }
        out.push(Node::new(Kind::If, Ty::Void, vec![condition, Node::block(leave)]));
    }

    fn switch(&mut self, out: &mut Vec<Node>) {
        let value = self.small_int(1);
        let selector = Node::spell("$0 & 3", Ty::Int, vec![value]);
        let outside = std::mem::replace(&mut self.current.in_switch, true);
        let mut kids = vec![selector];
        for _ in 0..2 + self.rng.below(2) {
            kids.push(self.block(2));
        }
        self.current.in_switch = outside;
        out.push(Node::new(Kind::Switch, Ty::Void, kids));
    }

    /// A loop with any kind of bound: a number, a parameter, an outer counter, or data.
    fn repeat(&mut self, out: &mut Vec<Node>) {
        let name = self.fresh("i");
        let static_bound = self.rng.one_in(2);
        let (bound, rounds) = if static_bound {
            let n = 1 + self.rng.below(4);
            (Node::int(n as i64), n as u32)
        } else {
            let value = self.small_int(1);
            let text = ["$0 & 3", "($0 & 3) + 1", "min($0, 3)"][self.rng.below(3)];
            (Node::spell(text, Ty::Int, vec![value]), 4)
        };
        if self.current.around * rounds > self.limits.rounds {
            return self.update(out);
        }
        let kind = self.rng.below(5);
        let condition = if kind >= 3 { Some(self.boolean(1)) } else { None };
        let before = self.current.clone();
        let scope = self.scope.len();
        self.current.around *= rounds;
        self.current.most = self.current.most.max(self.current.around);
        self.current.loops += 1;
        self.current.in_switch = false;
        self.scope.push(Var { node: Node::var(&name, Ty::Int), writable: false });
        let count = 1 + self.rng.below(3);
        let body = self.block(count);
        self.scope.truncate(scope);
        let most = self.current.most;
        self.current = super::Current { most, ..before };
        out.push(match condition {
            None => Node::new(Kind::For(name), Ty::Void, vec![bound, body]),
            Some(condition) => {
                let kind = if kind == 3 { Kind::While(name) } else { Kind::Do(name) };
                Node::new(kind, Ty::Void, vec![bound, condition, body])
            }
        });
    }
}
