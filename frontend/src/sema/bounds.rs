//! Bounds: what a constraint requires of a type, and what is known of a type that is a parameter.
//!
//! The builtin interfaces of numbers are sets of builtin types: `T : __BuiltinFloatingPointType`
//! states that `T` is one of three scalars. So one such bound implies another if its set is a
//! subset of the other's, and an operation on a `T` is allowed if it is allowed for every member of
//! the set.

use super::types::{InterfaceRef, Scalar, Shape, TyKind};
use super::*;
use caustic_ir::codes;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// One of a set of builtin types.
    Builtin(TypeSet),
    Differentiable,
    /// Differentiable, and its derivatives can be added up in a buffer, float by float.
    Accumulable,
    /// The type declares that `{}` makes a value of it.
    Default,
    /// A resource, which has handles.
    Opaque,
    Interface(InterfaceRef),
    /// `where T == U`.
    Equals(Ty),
    /// `where T(U)`: a `T` can be made from a `U`, implicitly if the clause states so.
    MadeFrom {
        from: Ty,
        implicit: bool,
    },
    /// A pack of this many elements.
    Counts(types::Val),
    NonEmpty,
    /// What stands there was refused: every type meets it, and has every member.
    Refused,
}

/// A set of builtin types: some scalars, in some shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeSet {
    name: &'static str,
    /// The name of the set in messages, if its own name is internal to the prelude.
    said: &'static str,
    scalars: u16,
    shapes: u8,
}

/// The facts that are known of a dependent type.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    pub builtin: Option<TypeSet>,
    pub differentiable: bool,
    pub accumulable: bool,
    /// Whether `{}` calls its constructor without parameters.
    pub has_default: bool,
    /// Whether it is a resource.
    pub opaque: bool,
    /// Whether one of its bounds was refused, so that it may have any member.
    pub refused: bool,
    /// Types that it can be made from, and whether implicitly.
    pub made_from: Vec<(Ty, bool)>,
    /// The interfaces that it conforms to, including inherited ones.
    pub interfaces: Vec<InterfaceRef>,
}

const BOOL: u16 = 1;
const SIGNED: u16 = 0b1_1110;
const UNSIGNED: u16 = 0b1_1110_0000;
const FLOATS: u16 = 0b1110_0000_0000;
const INTS: u16 = SIGNED | UNSIGNED;
const NUMBERS: u16 = INTS | FLOATS;
/// The integers of 32 and 64 bits.
const ATOMIC_INTS: u16 = bit(Scalar::I32) | bit(Scalar::U32) | bit(Scalar::I64) | bit(Scalar::U64);
const ALONE: u8 = 1;
const UP_TO_VECTORS: u8 = 3;
const EVERY_SHAPE: u8 = 7;

/// The builtin interfaces. Those of the last group are internal to the prelude.
const SETS: &[TypeSet] = &[
    set("__BuiltinType", NUMBERS | BOOL, ALONE),
    set("__BuiltinArithmeticType", NUMBERS, ALONE),
    set("__BuiltinSignedArithmeticType", SIGNED | FLOATS, ALONE),
    set("__BuiltinRealType", FLOATS, ALONE),
    set("__BuiltinFloatingPointType", FLOATS, ALONE),
    set("__BuiltinIntegerType", INTS, ALONE),
    set("__BuiltinLogicalType", INTS | BOOL, ALONE),
    set("__BuiltinInt32Type", bit(Scalar::I32) | bit(Scalar::U32), ALONE),
    set("__BuiltinInt64Type", bit(Scalar::I64) | bit(Scalar::U64), ALONE),
    set("IFloat", FLOATS, EVERY_SHAPE),
    set("IInteger", INTS, UP_TO_VECTORS),
    set("IArithmetic", NUMBERS, EVERY_SHAPE),
    set("ILogical", INTS | BOOL, UP_TO_VECTORS),
    set("ITexelElement", NUMBERS, UP_TO_VECTORS),
    set("IAtomicable", ATOMIC_INTS | FLOATS, ALONE),
    set("IArithmeticAtomicable", ATOMIC_INTS | FLOATS, ALONE),
    set("IBitAtomicable", ATOMIC_INTS, ALONE),
    set("ICoopElement", NUMBERS, ALONE),
    set("IComparable", NUMBERS | BOOL, EVERY_SHAPE),
    own("__AnyFloat", "a type of floats", FLOATS, EVERY_SHAPE),
    own("__AnyInteger", "a type of integers", INTS, EVERY_SHAPE),
    own("__AnySignedInteger", "a type of signed integers", SIGNED, EVERY_SHAPE),
    own("__AnyUnsignedInteger", "a type of unsigned integers", UNSIGNED, EVERY_SHAPE),
    own("__AnyArithmetic", "a type of numbers", NUMBERS, EVERY_SHAPE),
    own("__AnyLogical", "a type of integers or of `bool`", INTS | BOOL, EVERY_SHAPE),
    own("__Bits16", "a type of 16 bits", bit(Scalar::I16) | bit(Scalar::U16) | bit(Scalar::F16), ALONE),
    own("__Bits32", "a type of 32 bits", bit(Scalar::I32) | bit(Scalar::U32) | bit(Scalar::F32), ALONE),
];

const fn set(name: &'static str, scalars: u16, shapes: u8) -> TypeSet {
    own(name, "", scalars, shapes)
}

const fn own(name: &'static str, said: &'static str, scalars: u16, shapes: u8) -> TypeSet {
    TypeSet { name, said, scalars, shapes }
}

const fn bit(s: Scalar) -> u16 {
    1 << s as u16
}

impl TypeSet {
    pub fn named(name: &str) -> Option<TypeSet> {
        SETS.iter().find(|s| s.name == name).copied()
    }
    pub fn contains(self, ty: Ty) -> bool {
        let shape = match ty.shape() {
            Shape::Scalar => 1,
            Shape::Vector(_) => 2,
            Shape::Matrix(..) => 4,
        };
        ty.element_scalar().is_some_and(|s| self.scalars & bit(s) != 0) && self.shapes & shape != 0
    }
    pub fn implies(self, other: TypeSet) -> bool {
        self.scalars & !other.scalars == 0 && self.shapes & !other.shapes == 0
    }
    pub fn and(self, other: TypeSet) -> TypeSet {
        let scalars = self.scalars & other.scalars;
        let TypeSet { name, said, .. } = if scalars == self.scalars { self } else { other };
        TypeSet { name, said, scalars, shapes: self.shapes & other.shapes }
    }
    /// Whether the set is internal to the prelude: it only describes what functions of the prelude
    /// take.
    pub fn is_own(self) -> bool {
        !self.said.is_empty()
    }
    /// Whether it is a proper subset of another one.
    pub fn is_narrower(self, other: TypeSet) -> bool {
        self.implies(other) && !other.implies(self)
    }
    /// A bit for each shape: alone, in vectors, in matrices.
    pub fn shapes(self) -> u8 {
        self.shapes
    }
    pub fn only_floats(self) -> bool {
        self.scalars & !FLOATS == 0
    }
    pub fn only_ints(self) -> bool {
        self.scalars & !INTS == 0
    }
    pub fn only_numbers(self) -> bool {
        self.scalars & BOOL == 0
    }
    pub fn no_floats(self) -> bool {
        self.scalars & FLOATS == 0
    }
    pub fn only_scalars(self) -> bool {
        self.shapes == ALONE
    }
    /// The set of the scalar types of the members.
    pub fn elements(self) -> TypeSet {
        TypeSet { shapes: ALONE, ..self }
    }
    /// The builtin type in the set that an argument of type `ty` is converted to: `sin(1)` takes a
    /// `float`.
    pub fn nearest(self, ty: Ty) -> Option<Ty> {
        if self.contains(ty) {
            return Some(ty);
        }
        // The library's own functions split vectors and matrices themselves.
        if ty.as_scalar().is_none() && !self.name.starts_with("__Any") {
            return None;
        }
        let tries = match ty.element_scalar()? {
            Scalar::Bool => [Scalar::I32, Scalar::I32],
            Scalar::F16 => [Scalar::F32, Scalar::F32],
            s if s.is_signed_int() => [Scalar::F32, Scalar::I16],
            s if s.is_int() => [Scalar::F32, Scalar::U16],
            _ => return None,
        };
        tries.into_iter().map(|s| ty.with_scalar(s)).find(|t| self.contains(*t))
    }
}

impl Checker<'_> {
    /// All bounds that one written bound stands for: an alias may name several interfaces.
    pub(crate) fn resolve_bounds(&mut self, e: &ast::Expr) -> Vec<Bound> {
        match &e.kind {
            ast::ExprKind::Binary { op: ast::BinOp::And, lhs, rhs, .. } => {
                let mut both = self.resolve_bounds(lhs);
                both.extend(self.resolve_bounds(rhs));
                both
            }
            _ => match self.bounds_of_alias(e) {
                Some(bounds) => bounds,
                None => vec![self.resolve_bound(e)],
            },
        }
    }

    /// The alias that an expression names, by a path or without one.
    fn alias_named<'e>(&mut self, e: &'e ast::Expr) -> Option<(AliasId, ast::Ident, Option<&'e [ast::Expr]>)> {
        use ast::ExprKind as E;
        let (entry, name, args) = match &e.kind {
            E::Name { name, args } => {
                let lookup::Found::Members(found) = self.lookup(name.name)? else { return None };
                (found.first()?.entry, *name, args)
            }
            E::Rooted(inner) => {
                let E::Name { name, args } = &inner.kind else { return None };
                let root = self.module().map_or(ROOT, |m| m.ns);
                (self.lookup_from(root, name.name)?.first()?.entry, *name, args)
            }
            E::Member { base, name, args } => {
                let ns = self.namespace_scope(base)?;
                (*self.seen_in(ns, name.name).first()?, *name, args)
            }
            _ => return None,
        };
        let Entry::Alias(id) = entry else { return None };
        self.sees(entry).then_some((id, name, args.as_deref()))
    }

    /// The bounds that an alias of interfaces stands for.
    pub(crate) fn bounds_of_alias(&mut self, e: &ast::Expr) -> Option<Vec<Bound>> {
        let (id, name, args) = self.alias_named(e)?;
        self.resolve_alias(id);
        let info = &self.aliases[id.0 as usize];
        if info.bounds.is_empty() {
            return None;
        }
        let (bounds, ns, declares) = (info.bounds.clone(), info.ns, info.declares_generics);
        if !declares {
            return Some(bounds);
        }
        let gens = self.namespaces[ns.0 as usize].gens;
        let given = self.generic_args(args.unwrap_or_default())?;
        let Some(args) = self.complete_args(name.name, gens, &generics::Subst::default(), &given, name.span) else {
            return Some(Vec::new());
        };
        let s = generics::Subst::new(&self.all_params(gens), &args);
        Some(bounds.into_iter().map(|b| self.subst_bound(b, &s)).collect())
    }

    /// Resolves a written bound. What is none is reported.
    fn resolve_bound(&mut self, e: &ast::Expr) -> Bound {
        if let Some(bound) = self.builtin_bound(e) {
            return bound;
        }
        let ty = self.resolve_type(e);
        match ty.kind() {
            TyKind::Interface(i) => Bound::Interface(*i),
            TyKind::Error => Bound::Refused,
            _ => {
                let shown = match e.is_name(Name::new("This")) {
                    true => "This".to_string(),
                    false => self.show(ty),
                };
                self.error(codes::E0234, e.span, format!("`{shown}` is not an interface"));
                Bound::Refused
            }
        }
    }

    /// Whether the bound has no name that programs can use.
    pub(crate) fn is_own(b: Bound) -> bool {
        matches!(b, Bound::Builtin(set) if set.is_own())
    }

    /// The builtin interface that `e` names, directly or through an alias.
    pub(crate) fn builtin_bound(&mut self, e: &ast::Expr) -> Option<Bound> {
        let ast::ExprKind::Name { name, args: None } = &e.kind else { return None };
        match self.lookup(name.name) {
            Some(lookup::Found::Members(found)) => match found.first()?.entry {
                Entry::Alias(id) => {
                    self.resolve_alias(id);
                    match self.aliases[id.0 as usize].bounds.as_slice() {
                        [one] => Some(*one),
                        _ => None,
                    }
                }
                _ => None,
            },
            Some(_) => None,
            None => match name.name.as_str() {
                "IDifferentiable" => Some(Bound::Differentiable),
                "IAccumulable" => Some(Bound::Accumulable),
                "IDefaultInitializable" => Some(Bound::Default),
                "IOpaqueDescriptor" => Some(Bound::Opaque),
                text => TypeSet::named(text).map(Bound::Builtin),
            },
        }
    }

    pub(crate) fn show_bound(&self, b: Bound) -> String {
        match b {
            Bound::Builtin(set) if !set.said.is_empty() => set.said.to_string(),
            Bound::Builtin(set) => set.name.to_string(),
            Bound::Differentiable => "IDifferentiable".to_string(),
            Bound::Accumulable => "IAccumulable".to_string(),
            Bound::Default => "IDefaultInitializable".to_string(),
            Bound::Opaque => "IOpaqueDescriptor".to_string(),
            Bound::Interface(i) => self.show_ref(i),
            Bound::Equals(t) => self.show(t),
            Bound::MadeFrom { from, .. } => format!("a constructor from {}", self.show(from)),
            Bound::Counts(n) => format!("a pack of {}", self.show_val(n)),
            Bound::NonEmpty => "a pack that is not empty".to_string(),
            Bound::Refused => String::new(),
        }
    }

    /// Records a constraint, which holds inside of the declaration that states it.
    pub(crate) fn assume(&mut self, ty: Ty, bound: Bound) {
        if let Bound::Equals(other) = bound {
            return self.assume_equal(ty, other);
        }
        let same = self.canonical(ty);
        let ty = if self.is_dependent(same) { same } else { ty };
        let mut facts = match self.facts.get(&ty) {
            Some(f) => (**f).clone(),
            None => Facts::default(),
        };
        self.add_fact(&mut facts, ty, bound, 0);
        self.facts.insert(ty, Rc::new(facts));
    }

    fn add_fact(&mut self, facts: &mut Facts, ty: Ty, bound: Bound, depth: u32) {
        match bound {
            Bound::Builtin(set) => {
                facts.builtin = Some(facts.builtin.map_or(set, |old| old.and(set)));
                facts.differentiable |= set.only_floats();
            }
            Bound::Differentiable => facts.differentiable = true,
            Bound::Accumulable => {
                facts.differentiable = true;
                facts.accumulable = true;
            }
            Bound::Interface(i) => {
                if facts.interfaces.contains(&i) || depth > generics::MAX_INSTANCE_DEPTH {
                    return;
                }
                facts.interfaces.push(i);
                for base in self.interface_bases(i, ty) {
                    self.add_fact(facts, ty, base, depth + 1);
                }
            }
            Bound::Default => facts.has_default = true,
            Bound::Opaque => facts.opaque = true,
            Bound::MadeFrom { from, implicit } => facts.made_from.push((from, implicit)),
            Bound::Refused => facts.refused = true,
            Bound::Equals(_) | Bound::Counts(_) | Bound::NonEmpty => {}
        }
    }

    /// The facts about a dependent type, or about the type of a value of an interface.
    pub(crate) fn facts_of(&mut self, ty: Ty) -> Rc<Facts> {
        let same = self.canonical(ty);
        if same != ty && self.is_dependent(same) {
            return self.facts_of_equal(ty, same);
        }
        if let Some(known) = self.facts.get(&ty) {
            return known.clone();
        }
        let mut facts = Facts::default();
        match *ty.kind() {
            TyKind::Assoc { base, interface, name } => {
                if interface.id == DIFFERENTIABLE {
                    facts.differentiable = true;
                }
                for bound in self.assoc_bounds(base, interface, name) {
                    self.add_fact(&mut facts, ty, bound, 0);
                }
            }
            TyKind::Interface(i) => self.add_fact(&mut facts, ty, Bound::Interface(i), 0),
            // The facts about the elements of a list also hold for the elements of a part of it.
            TyKind::Each(of) if let TyKind::Part(all, _) = of.kind() => {
                let element = self.element_of(*all);
                return self.facts_of(element);
            }
            _ => {}
        }
        let facts = Rc::new(facts);
        self.facts.insert(ty, facts.clone());
        facts
    }

    /// The set of builtin types that contains a scalar, or the elements of a vector.
    pub(crate) fn element_set(&mut self, ty: Ty) -> Option<TypeSet> {
        let element = self.canonical(ty.element()?);
        match element.as_scalar() {
            Some(s) => Some(own("", "", bit(s), ALONE)),
            None => self.facts_of(element).builtin,
        }
    }

    /// Whether a type declares that it conforms to `IDefaultInitializable`. Of the builtin types
    /// only `Optional` does.
    fn declares_default(&mut self, ty: Ty) -> bool {
        match *ty.kind() {
            TyKind::Struct(_) if self.optional_of(ty).is_some() => true,
            TyKind::Struct(id) => {
                self.ensure_extensions();
                self.ensure_bases(id);
                let base = self.structs[id.0 as usize].instance_of.map_or(id, |(base, _)| base);
                self.structs[base.0 as usize].default_initializable
            }
            _ => ty.is_abstract() && self.facts_of(ty).has_default,
        }
    }

    /// Whether a type may have members that are not known, because something that it conforms to or
    /// inherits from was refused.
    pub(crate) fn may_have_any_member(&mut self, ty: Ty) -> bool {
        match *ty.kind() {
            TyKind::Struct(id) => {
                self.ensure_bases(id);
                let base = self.structs[id.0 as usize].instance_of.map_or(id, |(base, _)| base);
                self.structs[base.0 as usize].refused_base
            }
            TyKind::Interface(_) => self.facts_of(ty).refused,
            _ => ty.is_abstract() && self.facts_of(ty).refused,
        }
    }

    /// Reports a constraint that the type of an argument does not meet.
    pub(crate) fn report_constraint(&mut self, c: &generics::Constraint, span: Span) {
        // What it conforms to is not known.
        if self.may_have_any_member(c.ty) {
            return;
        }
        let (shown, at) = (self.show(c.ty), self.loc(c.span));
        let text = match c.bound {
            Bound::Equals(t) => format!("`{shown}` is not `{}`", self.show(t)),
            Bound::Counts(_) | Bound::NonEmpty => format!("`{shown}` is not {}", self.show_bound(c.bound)),
            b if Self::is_own(b) => format!("`{shown}` is not {}", self.show_bound(b)),
            Bound::MadeFrom { from, .. } => format!("a `{shown}` cannot be made from a `{}`", self.show(from)),
            b => format!("`{shown}` does not conform to `{}`", self.show_bound(b)),
        };
        let why = match c.bound {
            Bound::Accumulable => self.summands(c.ty).err(),
            _ => None,
        };
        let declare = match c.bound {
            Bound::Differentiable => self.struct_to_declare(c.ty),
            _ => None,
        };
        if declare.is_some() {
            self.noted.undifferentiable.insert(c.ty);
        }
        let d = self.error(codes::E0232, span, text);
        d.labels.push((at, "required here".to_string()));
        d.notes.extend(why);
        d.notes.extend(declare.map(|name| format!("declare `struct {name} : IDifferentiable`")));
    }

    /// Whether a type meets a bound.
    pub(crate) fn satisfies(&mut self, ty: Ty, bound: Bound) -> bool {
        if ty.is_error() {
            return true;
        }
        match bound {
            Bound::Default => self.declares_default(ty),
            Bound::Opaque => match ty.kind() {
                TyKind::Uniform(..) => true,
                _ => ty.is_resource() || ty.is_abstract() && self.facts_of(ty).opaque,
            },
            Bound::Differentiable => self.is_differentiable_type(ty),
            Bound::Accumulable => self.summands(ty).is_ok(),
            Bound::MadeFrom { from, implicit } => self.can_be_made(ty, from, implicit),
            Bound::Counts(n) => match (ty.kind(), n.as_int()) {
                (TyKind::Pack(list), Some(n)) if !self.is_dependent(ty) => list.len() as i64 == n,
                _ => true,
            },
            Bound::NonEmpty => !matches!(ty.kind(), TyKind::Pack(list) if list.is_empty()),
            Bound::Refused => true,
            Bound::Equals(other) => {
                let (a, b) = (self.canonical(ty), self.canonical(other));
                a == b
            }
            Bound::Builtin(set) => match ty.kind() {
                TyKind::Param(_) | TyKind::Each(_) | TyKind::Assoc { .. } => {
                    self.facts_of(ty).builtin.is_some_and(|known| known.implies(set))
                }
                // A clause may be about the vector type itself.
                TyKind::VectorOf(..) | TyKind::MatrixOf(..)
                    if self.facts.get(&ty).is_some_and(|f| f.builtin.is_some_and(|known| known.implies(set))) =>
                {
                    true
                }
                TyKind::VectorOf(t, _) => {
                    let inner = self.element_set(*t);
                    inner.is_some_and(|known| TypeSet { shapes: 2, ..known }.implies(set))
                }
                TyKind::MatrixOf(t, ..) => {
                    let inner = self.element_set(*t);
                    inner.is_some_and(|known| TypeSet { shapes: 4, ..known }.implies(set))
                }
                TyKind::Struct(id) => {
                    self.is_arithmetic(*id, set)
                        || set.name == "IComparable"
                            && self
                                .tuple_elements(ty)
                                .is_some_and(|parts| parts.into_iter().all(|part| self.satisfies(part, bound)))
                }
                TyKind::Enum(_) => matches!(set.name, "ILogical" | "IComparable"),
                _ => set.contains(ty),
            },
            Bound::Interface(i) => self.conforms(ty, i),
        }
    }

    /// Whether a value of type `to` can be made from one of type `from`.
    fn can_be_made(&mut self, to: Ty, from: Ty, implicit: bool) -> bool {
        if self.facts_of(to).made_from.iter().any(|(t, i)| *t == from && (*i || !implicit)) {
            return true;
        }
        let value = Expr { ty: from, span: Span::default(), kind: ExprKind::Zero };
        if self.conversion_cost(&value, to).is_some() {
            return true;
        }
        if implicit {
            return false;
        }
        let takes = |c: &Checker<'_>, m: &members::Member| m.as_func().filter(|f| c.funcs[f.0 as usize].is_constructor);
        self.own_members(to, Name::new("__init")).into_iter().any(|m| {
            let Some(f) = takes(self, &m) else { return false };
            self.ensure_signature(f);
            let [param] = self.funcs[f.0 as usize].params.as_slice() else { return false };
            let ty = param.ty;
            let ty = self.subst(ty, &m.subst);
            self.conversion_cost(&value, ty).is_some()
        }) || (from.is_arith() && to.is_arith() && from.shape() == to.shape())
    }
}
