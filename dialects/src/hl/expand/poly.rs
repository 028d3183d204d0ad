//! A builtin operation as data: what `hl.poly` says, and the check and expansion of it once its
//! types are known.

use super::{self as expand, BinaryOp, Step, UnaryOp};
use crate::agg;
use crate::arith::{self, build};
use crate::hl::generics::{IntExpr, readable_type as shown};
use crate::hl::source::{erase, is_number};
use caustic_ir::op::{TypeRule, ValueSpec};
use caustic_ir::{Attr, Body, Builder, Name, OpId, Type, ValueId};
use smallvec::SmallVec;

pub type Components = SmallVec<[u8; 4]>;

/// Which part: a number, or the last operand, of type `index`.
pub type PartIndex = Option<i64>;

/// A builtin operation whose meaning its operands' source types decide. The comment tells the
/// operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// (x)
    Unary(UnaryOp),
    /// (x, y)
    Binary(BinaryOp),
    /// (x): to another scalar; a scalar to every component; the first components of a longer
    /// vector, the upper left part of a matrix.
    Convert,
    /// (parts…): a vector or matrix from what stands in order; an array from its elements.
    Construct,
    Zero,
    One,
    /// (condition, x, y), by component.
    Select,
    /// (x)
    Swizzle(Components),
    /// (new, x)
    WithSwizzle(Components),
    /// (x) or (x, index)
    Part(PartIndex),
    /// (new, x) or (new, x, index)
    WithPart(PartIndex),
    /// (x)
    Bitcast,
    /// (x): an integer as an index.
    ToIndex,
    /// (x): an index as an integer.
    FromIndex,
    /// (operands…) of the op of that name.
    Intrinsic(Name),
    /// (x, y): the sum of differentials.
    AddDifferentials,
    /// (s, x): a scalar times a differential.
    ScaleDifferential,
    /// An integer argument as a value.
    Size(Attr),
}

const NO_STEP: i64 = -1;

impl Builtin {
    /// Every kind with what its other attributes are.
    pub const KINDS: &'static [(&'static str, &'static str)] = &[
        ("unary", "op"),
        ("binary", "op"),
        ("convert", ""),
        ("construct", ""),
        ("zero", ""),
        ("one", ""),
        ("select", ""),
        ("swizzle", "components"),
        ("with_swizzle", "components"),
        ("part", "index"),
        ("with_part", "index"),
        ("bitcast", ""),
        ("to_index", ""),
        ("from_index", ""),
        ("intrinsic", "op"),
        ("dadd", ""),
        ("dmul", ""),
        ("size", "value"),
    ];

    /// Kind, and the attribute that says more.
    pub fn parts(&self) -> (&'static str, Option<(&'static str, Attr)>) {
        let components = |c: &Components| Attr::i64_array(&c.iter().map(|&c| c as i64).collect::<Vec<_>>());
        let index = |i: &PartIndex| Attr::i64(i.unwrap_or(NO_STEP));
        match self {
            Builtin::Unary(op) => ("unary", Some(("op", Attr::string(op.keyword())))),
            Builtin::Binary(op) => ("binary", Some(("op", Attr::string(op.keyword())))),
            Builtin::Convert => ("convert", None),
            Builtin::Construct => ("construct", None),
            Builtin::Zero => ("zero", None),
            Builtin::One => ("one", None),
            Builtin::Select => ("select", None),
            Builtin::Swizzle(c) => ("swizzle", Some(("components", components(c)))),
            Builtin::WithSwizzle(c) => ("with_swizzle", Some(("components", components(c)))),
            Builtin::Part(i) => ("part", Some(("index", index(i)))),
            Builtin::WithPart(i) => ("with_part", Some(("index", index(i)))),
            Builtin::Bitcast => ("bitcast", None),
            Builtin::ToIndex => ("to_index", None),
            Builtin::FromIndex => ("from_index", None),
            Builtin::Intrinsic(name) => ("intrinsic", Some(("op", Attr::string(name)))),
            Builtin::AddDifferentials => ("dadd", None),
            Builtin::ScaleDifferential => ("dmul", None),
            Builtin::Size(value) => ("size", Some(("value", *value))),
        }
    }

    /// What an `hl.poly` says; the error tells what it says wrong.
    pub fn of(body: &Body, op: OpId) -> Result<Builtin, String> {
        let text = |name: &str| body.attr(op, name).and_then(|a| a.as_str());
        let word = text("op").unwrap_or("");
        let components = || {
            let list = body.attr(op, "components").and_then(|a| a.as_i64_array());
            let list: Option<Components> = list.and_then(|l| l.into_iter().map(|c| u8::try_from(c).ok()).collect());
            list.filter(|l| !l.is_empty()).ok_or("`components` must list at least one".to_string())
        };
        let index = || match body.attr(op, "index").and_then(|a| a.as_int()) {
            Some(NO_STEP) => Ok(None),
            Some(i) if i >= 0 => Ok(Some(i)),
            _ => Err("`index` must be the number of a part, or -1".to_string()),
        };
        let kind = text("kind").unwrap_or("");
        Ok(match kind {
            "unary" => Builtin::Unary(UnaryOp::from_keyword(word).ok_or(format!("there is no unary `{word}`"))?),
            "binary" => Builtin::Binary(BinaryOp::from_keyword(word).ok_or(format!("there is no binary `{word}`"))?),
            "convert" => Builtin::Convert,
            "construct" => Builtin::Construct,
            "zero" => Builtin::Zero,
            "one" => Builtin::One,
            "select" => Builtin::Select,
            "swizzle" => Builtin::Swizzle(components()?),
            "with_swizzle" => Builtin::WithSwizzle(components()?),
            "part" => Builtin::Part(index()?),
            "with_part" => Builtin::WithPart(index()?),
            "bitcast" => Builtin::Bitcast,
            "to_index" => Builtin::ToIndex,
            "from_index" => Builtin::FromIndex,
            "intrinsic" if expand::op_named(base_name(word)).is_some() => Builtin::Intrinsic(Name::new(word)),
            "intrinsic" => return Err(format!("there is no op `{word}`")),
            "dadd" => Builtin::AddDifferentials,
            "dmul" => Builtin::ScaleDifferential,
            "size" => match body.attr(op, "value") {
                Some(value) if IntExpr::of(value).is_some() => Builtin::Size(value),
                _ => return Err("`value` is no integer argument".into()),
            },
            _ => return Err(format!("there is no kind `{kind}`")),
        })
    }

    /// How many operands it takes; `None` if any number.
    pub fn operands(&self) -> Option<usize> {
        Some(match self {
            Builtin::Zero | Builtin::One | Builtin::Size(_) => 0,
            Builtin::Unary(_)
            | Builtin::Convert
            | Builtin::Swizzle(_)
            | Builtin::Part(Some(_))
            | Builtin::Bitcast
            | Builtin::ToIndex
            | Builtin::FromIndex => 1,
            Builtin::Binary(_)
            | Builtin::WithSwizzle(_)
            | Builtin::Part(None)
            | Builtin::WithPart(Some(_))
            | Builtin::AddDifferentials
            | Builtin::ScaleDifferential => 2,
            Builtin::Select | Builtin::WithPart(None) => 3,
            Builtin::Construct | Builtin::Intrinsic(_) => return None,
        })
    }

    /// Builds the ops for operands of the source types `of` and a result of the source type `to`;
    /// the error says why these types do not have the operation.
    pub fn expand(&self, b: &mut Builder<'_>, operands: &[ValueId], of: &[Type], to: Type) -> Result<ValueId, String> {
        if self.operands().is_some_and(|n| n != operands.len()) || of.len() != operands.len() {
            return Err(format!("`{}` does not take {} operands", self.parts().0, operands.len()));
        }
        if let Some((v, ty)) = operands.iter().zip(of).find(|(v, ty)| b.ty(**v) != erase(**ty)) {
            return Err(format!("an operand has type {}, but should be a {ty}", b.ty(*v)));
        }
        let result = self.checked(b, operands, of, to)?;
        if b.ty(result) != erase(to) {
            return Err(format!("the result has type {}, but should be a {to}", b.ty(result)));
        }
        Ok(result)
    }

    fn checked(&self, b: &mut Builder<'_>, v: &[ValueId], of: &[Type], to: Type) -> Result<ValueId, String> {
        let numbers = |types: &[Type]| match types.iter().find(|&&t| !is_number(t)) {
            None => Ok(()),
            Some(&t) => Err(format!("`{}` is no type of numbers", shown(t))),
        };
        Ok(match self {
            Builtin::Unary(op) => {
                let elem = of[0].elem();
                let has = match op {
                    UnaryOp::Neg => !elem.is_i1(),
                    UnaryOp::Not => elem.is_i1(),
                    UnaryOp::BitNot => !elem.is_float(),
                };
                numbers(of)?;
                require(has, || format!("`{}` has no operator `{}`", shown(of[0]), op.keyword()))?;
                expand::unary(b, *op, v[0], of[0])
            }
            Builtin::Binary(op) => {
                numbers(of)?;
                let same = if op.is_shift() { of[0].shape() == of[1].shape() } else { of[0] == of[1] };
                require(same, || {
                    format!("the operands of `{}` are a `{}` and a `{}`", op.keyword(), shown(of[0]), shown(of[1]))
                })?;
                let float = of.iter().any(|t| t.elem().is_float());
                require(!(float && (op.is_shift() || op.is_bitwise())), || {
                    format!("`{}` has no operator `{}`", shown(of[0]), op.keyword())
                })?;
                expand::binary(b, *op, v[0], v[1], of[0], of[1])
            }
            Builtin::Convert => convert_any(b, v[0], of[0], to)?,
            Builtin::Construct => construct(b, v, of, to)?,
            Builtin::Zero => expand::zero(b, to),
            Builtin::One => {
                numbers(&[to])?;
                expand::one(b, to)
            }
            Builtin::Select => {
                let by_component = of[0].shape() == of[1].shape() || !of[0].is_vector();
                let fits = of[0].elem().is_i1() && by_component && of[1] == of[2] && is_number(of[1]);
                require(fits, || format!("no choice by {} between {} and {}", of[0], of[1], of[2]))?;
                b.create_one(arith::Select::DEF, v, erase(to), &[])
            }
            Builtin::Swizzle(c) => {
                components_exist(of[0], c)?;
                expand::swizzle(b, v[0], c, to)
            }
            Builtin::WithSwizzle(c) => {
                components_exist(of[1], c)?;
                let one = of[1].elem();
                let new = if c.len() == 1 { one } else { Type::vector(&[c.len() as u32], one) };
                require(of[0] == new, || format!("a {} is put into components of {}", of[0], of[1]))?;
                expand::with_swizzle(b, v[0], v[1], c)
            }
            Builtin::Part(i) => {
                part_exists(of[0], *i, to)?;
                let step = i.map_or_else(|| Step::Dynamic(v[1]), Step::Constant);
                expand::part(b, v[0], step, to)
            }
            Builtin::WithPart(i) => {
                part_exists(of[1], *i, of[0])?;
                let step = i.map_or_else(|| Step::Dynamic(v[2]), Step::Constant);
                expand::with_part(b, v[0], v[1], step)
            }
            Builtin::Bitcast => {
                numbers(&[of[0], to])?;
                let same = of[0].shape() == to.shape() && of[0].elem().scalar_bits() == to.elem().scalar_bits();
                require(same, || format!("`{}` and `{}` are not as wide as each other", shown(of[0]), shown(to)))?;
                if erase(of[0]) == erase(to) { v[0] } else { expand::bitcast(b, v[0], to) }
            }
            Builtin::ToIndex => {
                let integer = of[0].is_int() || of[0].is_unsigned();
                require(integer, || format!("`{}` is no integer", shown(of[0])))?;
                expand::to_index(b, v[0], of[0])
            }
            Builtin::FromIndex => {
                require(of[0].is_index() && (to.is_int() || to.is_unsigned()), || format!("{to} is no integer"))?;
                expand::from_index(b, v[0], to)
            }
            Builtin::Intrinsic(name) => {
                intrinsic_fits(b, name, v, to)?;
                expand::intrinsic(b, name, v, to).ok_or_else(|| format!("there is no op `{name}`"))?
            }
            Builtin::AddDifferentials => {
                require(of[0] == of[1], || format!("the sum of a `{}` and a `{}`", shown(of[0]), shown(of[1])))?;
                expand::add_differentials(b, v[0], v[1], of[0])
            }
            Builtin::ScaleDifferential => {
                require(is_number(of[0]) && !of[0].is_vector(), || format!("`{}` is no scalar", shown(of[0])))?;
                expand::scale_differential(b, v[0], of[0], v[1], of[1])
            }
            Builtin::Size(value) => match IntExpr::of(*value) {
                Some(IntExpr::Known(n)) if is_number(to) => {
                    let ty = erase(to);
                    if to.elem().is_float() { build::float(b, n as f64, ty) } else { build::int(b, n, ty) }
                }
                _ => return Err(format!("{value} is no number")),
            },
        })
    }
}

/// `vector.reduction<add>` is an op with an attribute in its name.
fn base_name(word: &str) -> &str {
    word.split_once('<').map_or(word, |(name, _)| name)
}

/// Whether the row of the op takes these operands, needs nothing else, and can give such a result.
fn intrinsic_fits(b: &Builder<'_>, name: &str, v: &[ValueId], to: Type) -> Result<(), String> {
    let base = base_name(name);
    let def = expand::op_named(base).ok_or_else(|| format!("there is no op `{name}`"))?;
    let types: Vec<Type> = v.iter().map(|&v| b.ty(v)).collect();
    let known: Vec<Option<Type>> = types.iter().map(|&t| Some(t)).collect();
    let fits = |spec: &ValueSpec, ty: Type| match spec.rule {
        TypeRule::Class(class) => (class.contains)(ty),
        rule => rule.infer(&known) == Some(ty),
    };
    let count =
        types.len() == def.operands.len() || def.has_variadic_operands() && types.len() + 1 >= def.operands.len();
    let operands = types
        .iter()
        .enumerate()
        .all(|(i, &t)| def.operands.get(i.min(def.operands.len().saturating_sub(1))).is_some_and(|spec| fits(spec, t)));
    // These two get their attribute from `intrinsic`.
    let complete = def.attrs.iter().all(|a| !a.required) || base != name || base == "vector.transpose";
    let result = matches!(def.results, [one] if fits(one, erase(to)));
    let plain = def.is_pure() && def.regions.is_empty() && def.dialect() != "hl" && complete;
    require(count && operands && result && plain, || {
        let list: Vec<String> = types.iter().map(Type::to_string).collect();
        format!("the op `{name}` does not take ({}) to a {to}", list.join(", "))
    })
}

fn require(holds: bool, text: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(text()) }
}

fn components_exist(ty: Type, components: &[u8]) -> Result<(), String> {
    let exist = ty.is_vector() && components.iter().all(|&c| (c as usize) < ty.num_elements());
    require(exist, || format!("`{}` does not have the components {components:?}", shown(ty)))
}

fn part_exists(whole: Type, index: PartIndex, part: Type) -> Result<(), String> {
    let found = agg::part_type(whole, index.unwrap_or(NO_STEP));
    require(found.map(erase) == Some(erase(part)), || {
        format!("`{}` has no such part of type `{}`", shown(whole), shown(part))
    })
}

/// Conversions that change the shape, too.
fn convert_any(b: &mut Builder<'_>, v: ValueId, from: Type, to: Type) -> Result<ValueId, String> {
    if from == to {
        return Ok(v);
    }
    let none = || format!("there is no conversion from `{}` to `{}`", shown(from), shown(to));
    require(is_number(from) && is_number(to), none)?;
    let cut = match (from.shape(), to.shape()) {
        (a, b) if a == b => v,
        ([], _) => {
            let scalar = expand::convert(b, v, from, to.elem());
            return Ok(expand::splat(b, scalar, to));
        }
        ([_], []) => expand::swizzle(b, v, &[0], from.elem()),
        (&[n], &[m]) if m < n => {
            let first: Components = (0..m as u8).collect();
            expand::swizzle(b, v, &first, Type::vector(&[m], from.elem()))
        }
        (&[r, c], &[rows, cols]) if rows <= r && cols <= c => {
            expand::truncate(b, v, Type::vector(&[rows, cols], from.elem()))
        }
        _ => return Err(none()),
    };
    Ok(expand::convert(b, cut, to.with_elem(from.elem()), to))
}

fn construct(b: &mut Builder<'_>, v: &[ValueId], of: &[Type], to: Type) -> Result<ValueId, String> {
    if to.is_vector() {
        let count: usize = of.iter().map(|t| t.num_elements()).sum();
        let fits = count == to.num_elements() && of.iter().all(|t| t.elem() == to.elem());
        require(fits, || format!("{count} components for a `{}`, or some of another type", shown(to)))?;
        return Ok(expand::construct(b, v, to));
    }
    if is_number(to) {
        require(of.len() == 1 && of[0] == to, || format!("{} values for a {to}", of.len()))?;
        return Ok(v[0]);
    }
    let fits = agg::is_aggregate(to)
        && agg::num_parts(to) == v.len()
        && of.iter().enumerate().all(|(i, &t)| agg::part_type(to, i as i64).map(erase) == Some(erase(t)));
    require(fits, || format!("these are not the parts of `{}`", shown(to)))?;
    Ok(agg::Make::build(b, v, erase(to), &[]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_listed_and_read_back() {
        let all = [
            Builtin::Unary(UnaryOp::Neg),
            Builtin::Binary(BinaryOp::Add),
            Builtin::Convert,
            Builtin::Construct,
            Builtin::Zero,
            Builtin::One,
            Builtin::Select,
            Builtin::Swizzle(smallvec::smallvec![1, 0]),
            Builtin::WithSwizzle(smallvec::smallvec![3]),
            Builtin::Part(Some(2)),
            Builtin::WithPart(None),
            Builtin::Bitcast,
            Builtin::ToIndex,
            Builtin::FromIndex,
            Builtin::Intrinsic(Name::new("vector.reduction<add>")),
            Builtin::AddDifferentials,
            Builtin::ScaleDifferential,
            Builtin::Size(Attr::string("N")),
        ];
        assert_eq!(all.len(), Builtin::KINDS.len());
        for (builtin, (kind, detail)) in all.iter().zip(Builtin::KINDS) {
            assert_eq!(builtin.parts().0, *kind);
            assert_eq!(builtin.parts().1.map_or("", |(name, _)| name), *detail);
            let mut body = Body::new();
            let root = body.root();
            let block = body.add_block(root, &[]);
            let mut b = Builder::at_end(&mut body, block, caustic_ir::Loc::unknown());
            let v = crate::hl::poly(&mut b, builtin, &[], &[], Type::f32());
            let op = body.def_op(v).expect("an op");
            assert_eq!(Builtin::of(&body, op).as_ref(), Ok(builtin));
        }
    }
}
