//! A module in memory: instructions by the sections in which they have to stand, of which both the
//! binary and the text are written.
//!
//! Invariants: types and constants that are alike are one; an id is what the first writer of it
//! gave, until [`Assembly::finish`] numbers all of them in the order in which the words name them,
//! as an assembler does.

use crate::grammar::{Op, Word, capability};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The name of a value, type, function or label.
pub type Id = u32;

/// A number as a constant has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// The bits, and how many.
    Int(u64, u32),
    Float(u64, u32),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    Id(Id),
    /// A number of 32 bits.
    Literal(u32),
    Number(Number),
    Text(String),
    Word(Word),
}

impl From<Word> for Operand {
    fn from(word: Word) -> Operand {
        Operand::Word(word)
    }
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inst {
    pub op: Op,
    pub ty: Option<Id>,
    pub result: Option<Id>,
    pub operands: Vec<Operand>,
}

impl Inst {
    pub fn new(op: Op, operands: Vec<Operand>) -> Inst {
        Inst { op, ty: None, result: None, operands }
    }

    /// All ids, in the order of the words.
    fn ids(&mut self) -> impl Iterator<Item = &mut Id> {
        let operands = self.operands.iter_mut().filter_map(|o| match o {
            Operand::Id(id) => Some(id),
            _ => None,
        });
        self.ty.iter_mut().chain(self.result.iter_mut()).chain(operands)
    }
}

/// A finished module: instructions in order, and the number of ids.
pub struct Finished {
    pub insts: Vec<Inst>,
    pub bound: u32,
    /// Capabilities and extensions.
    pub requires: Vec<&'static str>,
}

/// The sections.
#[derive(Default)]
pub struct Assembly {
    last: Id,
    capabilities: BTreeSet<(u32, &'static str)>,
    extensions: BTreeSet<&'static str>,
    imports: Vec<Inst>,
    pub entry: Vec<Inst>,
    pub modes: Vec<Inst>,
    strings: Vec<Inst>,
    /// Strings that are names of the program's files.
    sources: Vec<Id>,
    names: Vec<Inst>,
    decorations: Vec<Inst>,
    globals: Vec<Inst>,
    pub functions: Vec<Inst>,
    known: FxHashMap<(Op, Option<Id>, Vec<Operand>), Id>,
    named: FxHashSet<(Id, u32)>,
    sets: FxHashMap<&'static str, Id>,
    texts: FxHashMap<String, Id>,
}

/// [`Assembly::named`]'s number for a name that is none of a member.
const WHOLE: u32 = u32::MAX;

/// How names begin that drivers give to functions of their own: NVIDIA's takes one for LLVM's, and
/// compiles no pipeline.
const OF_DRIVERS: &str = "llvm";

impl Assembly {
    pub fn id(&mut self) -> Id {
        self.last += 1;
        self.last
    }

    pub fn capability(&mut self, (name, number): Word) {
        self.capabilities.insert((number, name));
    }

    pub fn extension(&mut self, name: &'static str) {
        self.extensions.insert(name);
    }

    pub fn name(&mut self, id: Id, name: &str) {
        if self.named.insert((id, WHOLE)) {
            let mark = if name.starts_with(OF_DRIVERS) { "_" } else { "" };
            self.names.push(Inst::new(Op::Name, vec![Operand::Id(id), Operand::Text(format!("{mark}{name}"))]));
        }
    }

    pub fn member_name(&mut self, id: Id, member: u32, name: &str) {
        if self.named.insert((id, member)) {
            let operands = vec![Operand::Id(id), Operand::Literal(member), Operand::Text(name.to_string())];
            self.names.push(Inst::new(Op::MemberName, operands));
        }
    }

    pub fn decorate(&mut self, id: Id, what: Word, value: Option<u32>) {
        let value = value.map(Operand::Literal);
        let operands = [Operand::Id(id), what.into()].into_iter().chain(value).collect();
        self.decorations.push(Inst::new(Op::Decorate, operands));
    }

    pub fn decorate_built_in(&mut self, id: Id, which: Word) {
        let operands = vec![Operand::Id(id), crate::grammar::decoration::BUILT_IN.into(), which.into()];
        self.decorations.push(Inst::new(Op::Decorate, operands));
    }

    pub fn decorate_member(&mut self, id: Id, member: u32, what: Word, value: Option<u32>) {
        let value = value.map(Operand::Literal);
        let operands = [Operand::Id(id), Operand::Literal(member), what.into()].into_iter().chain(value).collect();
        self.decorations.push(Inst::new(Op::MemberDecorate, operands));
    }

    /// A set of instructions.
    pub fn set(&mut self, name: &'static str) -> Id {
        if let Some(&id) = self.sets.get(name) {
            return id;
        }
        let id = self.id();
        let operands = vec![Operand::Text(name.to_string())];
        self.imports.push(Inst { op: Op::ExtInstImport, ty: None, result: Some(id), operands });
        self.sets.insert(name, id);
        id
    }

    /// A string: the name of a file, or a format.
    pub fn string(&mut self, text: &str) -> Id {
        if let Some(&id) = self.texts.get(text) {
            return id;
        }
        let id = self.id();
        let operands = vec![Operand::Text(text.to_string())];
        self.strings.push(Inst { op: Op::String, ty: None, result: Some(id), operands });
        self.texts.insert(text.to_string(), id);
        id
    }

    /// A file of the program.
    pub fn source(&mut self, file: &str) -> Id {
        let id = self.string(file);
        if !self.sources.contains(&id) {
            self.sources.push(id);
        }
        id
    }

    /// A type or constant of its own.
    pub fn distinct(&mut self, op: Op, ty: Option<Id>, operands: Vec<Operand>) -> Id {
        let id = self.id();
        self.globals.push(Inst { op, ty, result: Some(id), operands });
        id
    }

    /// The type or constant that is so.
    pub fn unique(&mut self, op: Op, ty: Option<Id>, operands: Vec<Operand>) -> Id {
        let key = (op, ty, operands);
        if let Some(&id) = self.known.get(&key) {
            return id;
        }
        let id = self.distinct(op, ty, key.2.clone());
        self.known.insert(key, id);
        id
    }

    /// All of it, in order, with new numbers.
    pub fn finish(self) -> Finished {
        let capabilities = self.capabilities.iter().map(|(_, name)| *name);
        let requires = capabilities.chain(self.extensions.iter().copied()).collect();
        let capability = |&(number, name): &(u32, &'static str)| Inst::new(Op::Capability, vec![(name, number).into()]);
        let mut insts: Vec<Inst> = self.capabilities.iter().map(capability).collect();
        let extension = |name: &&str| Inst::new(Op::Extension, vec![Operand::Text(name.to_string())]);
        insts.extend(self.extensions.iter().map(extension));
        insts.extend(self.imports);
        insts.push(Inst::new(Op::MemoryModel, vec![("Logical", 0).into(), ("GLSL450", 1).into()]));
        insts.extend(self.entry);
        insts.extend(self.modes);
        insts.extend(self.strings);
        // Many readers do not know Slang's number.
        let source =
            |&file: &Id| Inst::new(Op::Source, vec![("Unknown", 0).into(), Operand::Literal(0), Operand::Id(file)]);
        insts.extend(self.sources.iter().map(source));
        insts.extend(self.names);
        insts.extend(self.decorations);
        insts.extend(self.globals);
        insts.extend(self.functions);
        let mut numbers: FxHashMap<Id, Id> = FxHashMap::default();
        for id in insts.iter_mut().flat_map(Inst::ids) {
            let next = numbers.len() as Id + 1;
            *id = *numbers.entry(*id).or_insert(next);
        }
        Finished { insts, bound: numbers.len() as u32 + 1, requires }
    }
}

impl Assembly {
    pub fn void(&mut self) -> Id {
        self.unique(Op::TypeVoid, None, Vec::new())
    }

    pub fn bool(&mut self) -> Id {
        self.unique(Op::TypeBool, None, Vec::new())
    }

    /// Integers have no sign: instructions do.
    pub fn int(&mut self, bits: u32) -> Id {
        match bits {
            8 => self.capability(capability::INT8),
            16 => self.capability(capability::INT16),
            64 => self.capability(capability::INT64),
            _ => {}
        }
        self.unique(Op::TypeInt, None, vec![Operand::Literal(bits), Operand::Literal(0)])
    }

    pub fn float(&mut self, bits: u32) -> Id {
        match bits {
            16 => self.capability(capability::FLOAT16),
            64 => self.capability(capability::FLOAT64),
            _ => {}
        }
        self.unique(Op::TypeFloat, None, vec![Operand::Literal(bits)])
    }

    pub fn vector(&mut self, of: Id, count: u32) -> Id {
        self.unique(Op::TypeVector, None, vec![Operand::Id(of), Operand::Literal(count)])
    }

    pub fn pointer(&mut self, class: Word, to: Id) -> Id {
        self.unique(Op::TypePointer, None, vec![class.into(), Operand::Id(to)])
    }

    pub fn function_type(&mut self, result: Id, params: &[Id]) -> Id {
        let operands = std::iter::once(result).chain(params.iter().copied()).map(Operand::Id).collect();
        self.unique(Op::TypeFunction, None, operands)
    }

    pub fn constant(&mut self, ty: Id, number: Number) -> Id {
        self.unique(Op::Constant, Some(ty), vec![Operand::Number(number)])
    }

    pub fn truth(&mut self, value: bool) -> Id {
        let ty = self.bool();
        self.unique(if value { Op::ConstantTrue } else { Op::ConstantFalse }, Some(ty), Vec::new())
    }

    /// A number of 32 bits without a sign.
    pub fn word(&mut self, value: u32) -> Id {
        let ty = self.int(32);
        self.constant(ty, Number::Int(u64::from(value), 32))
    }

    /// All parts zero.
    pub fn null(&mut self, ty: Id) -> Id {
        self.unique(Op::ConstantNull, Some(ty), Vec::new())
    }
}
