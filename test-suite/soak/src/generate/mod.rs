//! Generates programs: structs, then functions, each of which may call earlier ones; the root comes
//! last.
//!
//! Values stay within a few units, so that finite differences of the program approximate its
//! derivative: sums are halved, and arguments of `sqrt`, `log` and divisions are kept away from
//! singular points. Conditions are mostly on integers. Conditions on floats cause kinks, which the
//! oracle of differences detects. Every loop ends, and the product of trip counts is limited, so
//! that programs run fast.

mod expr;
mod place;
mod stmt;

use crate::tree::idioms::IDIOMS;
use crate::tree::{CUSTOM, FieldDef, Func, FuncKind, Kind, Mode, Node, Param, Program, ROOT, StructDef, Ty};
use caustic_test_suite::random::Rng;
use caustic_test_suite::rename::traps::Traps;
use std::collections::BTreeSet;

/// A name that code can use.
#[derive(Clone, Debug)]
struct Var {
    node: Node,
    writable: bool,
}

/// The limits for the size of programs.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub funcs: usize,
    pub statements: usize,
    pub depth: usize,
    /// The most iterations of all loops around a statement, including those of its callees.
    pub rounds: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { funcs: 5, statements: 5, depth: 3, rounds: 96 }
    }
}

pub struct Generator {
    rng: Rng,
    limits: Limits,
    program: Program,
    /// By function: the loop iterations that a call makes.
    rounds: Vec<u32>,
    scope: Vec<Var>,
    /// The state of the function that is being generated.
    current: Current,
    next: usize,
    /// The nesting of indices around the current expression.
    indices: usize,
    /// Whether the program ends derivatives on purpose, so that differences do not apply to it.
    detaches: bool,
    /// The nesting of calls whose arguments are being generated.
    open_calls: usize,
}

#[derive(Clone, Debug, Default)]
struct Current {
    ret: Option<Ty>,
    /// The number of loops around, and whether the innermost target of a `break` is a switch.
    loops: usize,
    in_switch: bool,
    /// The product of the iterations of the loops around.
    around: u32,
    /// The most iterations of any statement in the function.
    most: u32,
    nesting: usize,
    /// Whether the type of its first parameter is generic.
    generic: bool,
}

/// The program of a seed. Most programs are small: errors are visible in small programs, and more
/// of them run in the same time.
pub fn program(seed: u64, limits: Limits) -> Program {
    let limits = match seed >> 8 & 7 {
        0 => limits,
        1 | 2 => Limits { funcs: limits.funcs.min(3), statements: limits.statements.min(4), ..limits },
        _ => Limits {
            funcs: limits.funcs.min(2),
            statements: limits.statements.min(3),
            depth: limits.depth.min(2),
            ..limits
        },
    };
    let program =
        Program { structs: Vec::new(), homes: Vec::new(), funcs: Vec::new(), input: 0, output: 0, second: false };
    let mut g = Generator {
        rng: Rng::new(seed),
        limits,
        program,
        rounds: Vec::new(),
        scope: Vec::new(),
        current: Current::default(),
        next: 0,
        indices: 0,
        detaches: false,
        open_calls: 0,
    };
    g.detaches = g.rng.one_in(5);
    g.make();
    g.program
}

impl Generator {
    fn fresh(&mut self, prefix: &str) -> String {
        self.next += 1;
        format!("{prefix}{}", self.next)
    }

    fn make(&mut self) {
        for _ in 0..self.rng.below(3) {
            self.structure("S", false);
        }
        let parts: Vec<usize> =
            if self.rng.one_in(3) { (0..2).map(|_| self.structure("P", true)).collect() } else { Vec::new() };
        self.program.input = self.structure("In", false);
        self.program.output = self.structure("Out", false);
        for &part in &parts {
            self.function(FuncKind::Interface(part));
        }
        if !parts.is_empty() {
            let name = self.fresh("any");
            let params = vec![param("k", Ty::Int, Mode::In), param("x", Ty::Real, Mode::In)];
            let way = ["kept", "branch", "loop"][self.rng.below(3)];
            let f = Func {
                name,
                home: None,
                kind: FuncKind::Dispatch(parts.clone()),
                params,
                ret: Ty::Real,
                body: Node::block(Vec::new()),
                attrs: vec![way],
            };
            self.push(f, 8);
        }
        for _ in 0..1 + self.rng.below(self.limits.funcs) {
            match self.rng.below(15) {
                12..=14 => self.idiom(),
                0 => self.given(),
                1 | 2 => self.slope(),
                3 | 4 => match self.rng.below(self.program.structs.len()) {
                    owner if owner != self.program.output && owner != self.program.input => {
                        let mutating = self.rng.one_in(2);
                        self.function(FuncKind::Method(owner, mutating));
                    }
                    _ => self.function(FuncKind::Free),
                },
                5 if !parts.is_empty() => self.function(FuncKind::Generic),
                _ => self.function(FuncKind::Free),
            }
        }
        self.root();
        self.program.second = self.program.size() < 600 && !self.rng.one_in(4);
        if self.rng.one_in(3) {
            self.house();
        }
    }

    fn push(&mut self, f: Func, rounds: u32) {
        self.program.funcs.push(Some(f));
        self.rounds.push(rounds);
    }

    /// Moves functions into structs and namespaces.
    fn house(&mut self) {
        let mut traps = Traps::new(self.rng.draw(), BTreeSet::new());
        for _ in 0..1 + self.rng.below(2) {
            let numbers = (0..self.program.funcs.len()).filter(|_| !self.rng.one_in(4)).collect::<Vec<_>>();
            self.program.house(self.rng.one_in(2), &numbers, &mut traps);
        }
    }

    /// A type of data, which may be a struct that is declared so far.
    fn data_type(&mut self, depth: usize) -> Ty {
        match self.rng.below(if depth == 0 { 9 } else { 12 }) {
            0..=4 => Ty::Real,
            5 | 6 => Ty::Vec(2 + self.rng.below(3) as u8),
            7 => Ty::Mat(2 + self.rng.below(2) as u8, 2 + self.rng.below(2) as u8),
            8 => {
                if self.rng.one_in(3) {
                    Ty::Low
                } else {
                    Ty::Real
                }
            }
            9 | 10 => Ty::array(self.data_type(depth - 1), 2 + self.rng.below(3) as u8),
            _ => match self.rng.below(self.program.structs.len().max(1)) {
                s if self.program.structs.get(s).is_some_and(|d| d.name != "In" && d.name != "Out") => Ty::Struct(s),
                _ => Ty::Real,
            },
        }
    }

    fn structure(&mut self, prefix: &str, conforms: bool) -> usize {
        let name = if prefix.len() == 1 { self.fresh(prefix) } else { prefix.to_string() };
        let count = if prefix == "Out" { 1 + self.rng.below(2) } else { 1 + self.rng.below(3) };
        let mut fields = Vec::new();
        for i in 0..count {
            let ty = match prefix {
                _ if i == 0 => match self.data_type(0) {
                    Ty::Low => Ty::Real,
                    ty => ty,
                },
                "P" => {
                    if self.rng.one_in(3) {
                        Ty::Int
                    } else {
                        Ty::Real
                    }
                }
                "Out" => self.data_type(1),
                _ if self.rng.one_in(6) => Ty::Int,
                _ => self.data_type(2),
            };
            let ty = if prefix == "P" && !ty.is_integer() { Ty::Real } else { ty };
            // In the input this makes a constant; elsewhere it ends derivatives.
            let allowed = self.detaches && prefix != "Out" || prefix == "In";
            let no_diff = i > 0 && allowed && !ty.is_integer() && self.rng.one_in(6);
            fields.push(FieldDef { name: format!("f{i}"), ty, no_diff });
        }
        self.program.structs.push(StructDef { name, fields, conforms });
        self.program.structs.len() - 1
    }

    fn given(&mut self) {
        let row = self.rng.below(CUSTOM.len() - 1);
        let name = self.fresh("given");
        let params = ["x", "y"].map(|n| param(n, Ty::Real, Mode::In)).to_vec();
        self.push(
            Func {
                name,
                home: None,
                kind: FuncKind::Custom(row),
                params,
                ret: Ty::Real,
                body: Node::block(Vec::new()),
                attrs: Vec::new(),
            },
            1,
        );
    }

    fn idiom(&mut self) {
        let (row, name) = (self.rng.below(IDIOMS.len()), self.fresh("idiom"));
        let params =
            vec![param("x", Ty::Real, Mode::In), param("y", Ty::Real, Mode::In), param("k", Ty::Int, Mode::In)];
        let kind = FuncKind::Idiom(row);
        self.push(
            Func { name, home: None, kind, params, ret: Ty::Real, body: Node::block(Vec::new()), attrs: Vec::new() },
            12,
        );
    }

    /// Generates a function that differentiates another one, if there is one that takes only
    /// numbers.
    fn slope(&mut self) {
        let suits = |f: &Func| {
            let plain = matches!(f.kind, FuncKind::Free | FuncKind::Custom(..) | FuncKind::Idiom(_));
            plain
                && f.ret == Ty::Real
                && f.params.iter().any(|p| p.ty == Ty::Real)
                && f.params.iter().all(|p| p.mode == Mode::In && matches!(p.ty, Ty::Real | Ty::Int))
        };
        let of: Vec<usize> =
            (0..self.program.funcs.len()).filter(|&i| self.program.funcs[i].as_ref().is_some_and(suits)).collect();
        let Some(&of) = self.rng.pick(&of) else { return self.function(FuncKind::Free) };
        let (name, forward) = (self.fresh("slope"), self.rng.one_in(2));
        let params =
            vec![param("x", Ty::Real, Mode::In), param("y", Ty::Real, Mode::In), param("k", Ty::Int, Mode::In)];
        let rounds = self.rounds[of] * 4;
        self.push(
            Func {
                name,
                home: None,
                kind: FuncKind::Slope(of, forward),
                params,
                ret: Ty::Real,
                body: Node::block(Vec::new()),
                attrs: Vec::new(),
            },
            rounds,
        );
    }

    /// Generates a function with a random body.
    fn function(&mut self, kind: FuncKind) {
        let name = match kind {
            FuncKind::Interface(_) => "part".to_string(),
            _ => self.fresh("fun"),
        };
        let mut params = Vec::new();
        let mut ret = match self.rng.below(8) {
            0 => Ty::Void,
            1 => Ty::Vec(2 + self.rng.below(3) as u8),
            2 => self.data_type(1),
            _ => Ty::Real,
        };
        if matches!(ret, Ty::Array(..) | Ty::Low) {
            ret = Ty::Real;
        }
        if let FuncKind::Interface(_) = kind {
            params = vec![param("x", Ty::Real, Mode::In), param("k", Ty::Int, Mode::In)];
            ret = Ty::Real;
        } else {
            if kind == FuncKind::Generic {
                let part = self.program.structs.iter().position(|s| s.conforms).unwrap_or(0);
                params.push(param("o", Ty::Struct(part), Mode::In));
            }
            // Some functions only take numbers, so that others can differentiate them.
            let plain = kind == FuncKind::Free && self.rng.one_in(3);
            ret = if plain { Ty::Real } else { ret };
            for _ in 0..1 + self.rng.below(3) {
                let name = self.fresh("p");
                let ty = if plain { Ty::Real } else { self.data_type(2) };
                let mode = match self.rng.below(8) {
                    _ if plain => Mode::In,
                    0 | 1 => Mode::InOut,
                    2 => Mode::Out,
                    3 if self.detaches => Mode::NoDiff,
                    _ => Mode::In,
                };
                params.push(param(&name, ty, mode));
            }
            if self.rng.one_in(2) {
                let name = self.fresh("k");
                params.push(param(&name, Ty::Int, Mode::In));
            }
            if ret == Ty::Void
                && !params.iter().any(|p| matches!(p.mode, Mode::Out | Mode::InOut))
                && !matches!(kind, FuncKind::Method(_, true))
            {
                ret = Ty::Real;
            }
        }
        let attrs: Vec<&'static str> = match self.rng.below(8) {
            0 if kind != FuncKind::Generic => vec!["PreferRecompute"],
            1 => vec!["PreferCheckpoint"],
            2 => vec!["ForceInline"],
            _ => Vec::new(),
        };
        self.define(name, kind, params, ret, attrs);
    }

    fn root(&mut self) {
        let params = vec![
            param("p", Ty::Struct(self.program.input), Mode::In),
            param("n", Ty::Int, Mode::In),
            param("m", Ty::Int, Mode::In),
        ];
        self.define(ROOT.into(), FuncKind::Free, params, Ty::Struct(self.program.output), Vec::new());
    }

    fn define(&mut self, name: String, kind: FuncKind, params: Vec<Param>, ret: Ty, attrs: Vec<&'static str>) {
        let generic = kind == FuncKind::Generic;
        self.current = Current { ret: Some(ret.clone()), around: 1, most: 1, generic, ..Current::default() };
        self.scope.clear();
        let owner = match kind {
            FuncKind::Method(owner, mutating) => Some((owner, mutating)),
            FuncKind::Interface(owner) => Some((owner, false)),
            _ => None,
        };
        if let Some((owner, writable)) = owner {
            for field in &self.program.structs[owner].fields {
                // A field is used like a variable, which keeps reduced programs readable.
                let node = Node::var(&field.name, field.ty.clone());
                self.scope.push(Var { node, writable: writable && !field.no_diff });
            }
        }
        let mut body = Vec::new();
        for p in &params {
            let node = Node::var(&p.name, p.ty.clone());
            if p.mode == Mode::Out || generic && p.name == "o" {
                continue;
            }
            // Any parameter is a variable, but reduced programs are easier to read if they do not
            // write it.
            let writable = p.mode == Mode::InOut
                || p.mode == Mode::In && !p.ty.is_integer() && p.name.starts_with('p') && self.rng.one_in(4);
            self.scope.push(Var { node, writable });
        }
        for p in params.iter().filter(|p| p.mode == Mode::Out) {
            let value = self.value(&p.ty, 1);
            body.extend(self.set(Node::var(&p.name, p.ty.clone()), value));
            self.scope.push(Var { node: Node::var(&p.name, p.ty.clone()), writable: true });
        }
        let count = 2 + self.rng.below(self.limits.statements);
        self.statements(count, &mut body);
        if !matches!(body.last().map(|s| &s.kind), Some(Kind::Return)) {
            self.give_back(&mut body);
        }
        let rounds = self.current.most;
        let f = Func { name, home: None, kind, params, ret, body: Node::block(body), attrs };
        self.push(f, rounds);
    }
}

fn param(name: &str, ty: Ty, mode: Mode) -> Param {
    Param { name: name.to_string(), ty, mode }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soak::seed_of;

    /// A regression: a function needed a struct of which there was no variable and which only a
    /// function returned that takes such a struct, so calls were nested without end.
    #[test]
    fn every_program_ends() {
        let made = |n: u64| program(seed_of(2411299, n), Limits::default()).funcs.len();
        assert!((0..500).map(made).all(|functions| functions > 0));
    }
}
