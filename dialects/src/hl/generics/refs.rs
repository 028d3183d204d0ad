//! Typed views of the attributes that generic code is written with; [`super`] has the notation.

use caustic_ir::{Attr, AttrKind, Attrs, Name};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamKind {
    Type,
    Int,
    Witness,
}

impl ParamKind {
    pub fn keyword(self) -> &'static str {
        match self {
            ParamKind::Type => "type",
            ParamKind::Int => "int",
            ParamKind::Witness => "witness",
        }
    }
    pub fn from_keyword(word: &str) -> Option<ParamKind> {
        [ParamKind::Type, ParamKind::Int, ParamKind::Witness].into_iter().find(|k| k.keyword() == word)
    }
}

/// A generic parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Param {
    pub name: Name,
    pub kind: ParamKind,
    /// What a witness shows; may mention parameters before it.
    pub interface: Option<Attr>,
}

impl Param {
    pub fn new(name: &str, kind: ParamKind) -> Param {
        Param { name: Name::new(name), kind, interface: None }
    }
    pub fn witness(name: &str, interface: Attr) -> Param {
        Param { name: Name::new(name), kind: ParamKind::Witness, interface: Some(interface) }
    }
    pub fn to_attr(self) -> Attr {
        let mut entries =
            vec![(Name::new("name"), Attr::string(&self.name)), (Name::new("kind"), Attr::string(self.kind.keyword()))];
        entries.extend(self.interface.map(|i| (Name::new("interface"), i)));
        Attr::dict(entries)
    }
    pub fn of(attr: Attr) -> Option<Param> {
        let kind = ParamKind::from_keyword(attr.get("kind")?.as_str()?)?;
        let interface = attr.get("interface");
        let param = Param { name: Name::new(attr.get("name")?.as_str()?), kind, interface };
        (interface.is_some() == (kind == ParamKind::Witness)).then_some(param)
    }
}

pub fn generics_attr(params: &[Param]) -> Attr {
    Attr::array(params.iter().map(|p| p.to_attr()).collect())
}

/// The parameters that a symbol's attributes list, none if there is no list; `None` if the list is
/// not one of parameters.
pub fn generics_of(attrs: &Attrs) -> Option<Vec<Param>> {
    match attrs.iter().find(|(name, _)| *name == super::GENERICS) {
        None => Some(Vec::new()),
        Some((_, list)) => list.as_array()?.iter().map(|&p| Param::of(p)).collect(),
    }
}

/// A symbol with arguments, as short as it can be written.
pub fn instance(symbol: Name, args: &[Attr]) -> Attr {
    if args.is_empty() {
        return Attr::symbol(symbol);
    }
    Attr::array(std::iter::once(Attr::symbol(symbol)).chain(args.iter().copied()).collect())
}

/// The symbol and the arguments of [`instance`].
pub fn split_instance(attr: Attr) -> Option<(Name, &'static [Attr])> {
    match attr.kind() {
        AttrKind::Symbol(name) => Some((*name, &[])),
        AttrKind::Array(items) => {
            let (first, args) = items.split_first()?;
            Some((first.as_symbol()?, args))
        }
        _ => None,
    }
}

/// Operators between integer arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Min,
    Max,
}

impl IntOp {
    const ALL: [(IntOp, &'static str); 12] = [
        (IntOp::Add, "add"),
        (IntOp::Sub, "sub"),
        (IntOp::Mul, "mul"),
        (IntOp::Div, "div"),
        (IntOp::Rem, "rem"),
        (IntOp::And, "and"),
        (IntOp::Or, "or"),
        (IntOp::Xor, "xor"),
        (IntOp::Shl, "shl"),
        (IntOp::Shr, "shr"),
        (IntOp::Min, "min"),
        (IntOp::Max, "max"),
    ];
    pub fn keyword(self) -> &'static str {
        Self::ALL.iter().find(|(op, _)| *op == self).map_or("add", |(_, word)| word)
    }
    pub fn from_keyword(word: &str) -> Option<IntOp> {
        Self::ALL.iter().find(|(_, w)| *w == word).map(|(op, _)| *op)
    }
    /// `None` where the result is not defined or does not fit.
    pub fn apply(self, a: i64, b: i64) -> Option<i64> {
        let shift = || u32::try_from(b).ok().filter(|&n| n < 64);
        match self {
            IntOp::Add => a.checked_add(b),
            IntOp::Sub => a.checked_sub(b),
            IntOp::Mul => a.checked_mul(b),
            IntOp::Div => a.checked_div(b),
            IntOp::Rem => a.checked_rem(b),
            IntOp::And => Some(a & b),
            IntOp::Or => Some(a | b),
            IntOp::Xor => Some(a ^ b),
            IntOp::Shl => shift().and_then(|n| a.checked_mul(1i64.checked_shl(n)?)),
            IntOp::Shr => shift().map(|n| a >> n),
            IntOp::Min => Some(a.min(b)),
            IntOp::Max => Some(a.max(b)),
        }
    }
}

/// An integer argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntExpr {
    Known(i64),
    Param(Name),
    Apply(IntOp, Attr, Attr),
    /// The constant that a witness has.
    Entry(Attr, Name),
}

impl IntExpr {
    pub fn of(attr: Attr) -> Option<IntExpr> {
        match attr.kind() {
            AttrKind::Int(n, _) => Some(IntExpr::Known(*n)),
            AttrKind::String(name) => Some(IntExpr::Param(*name)),
            AttrKind::Dict(_) if attr.get("witness").is_some() => {
                Some(IntExpr::Entry(attr.get("witness")?, Name::new(attr.get("key")?.as_str()?)))
            }
            AttrKind::Dict(_) => {
                let op = IntOp::from_keyword(attr.get("op")?.as_str()?)?;
                let &[a, b] = attr.get("args")?.as_array()? else { return None };
                Some(IntExpr::Apply(op, a, b))
            }
            _ => None,
        }
    }
    pub fn to_attr(self) -> Attr {
        match self {
            IntExpr::Known(n) => Attr::i64(n),
            IntExpr::Param(name) => Attr::string(&name),
            IntExpr::Apply(op, a, b) => Attr::dict(vec![
                (Name::new("op"), Attr::string(op.keyword())),
                (Name::new("args"), Attr::array(vec![a, b])),
            ]),
            IntExpr::Entry(witness, key) => Witness::entry(witness, &key),
        }
    }
}

/// What shows that a type conforms to an interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Witness {
    Param(Name),
    /// A table and its arguments.
    Table(Name, &'static [Attr]),
    /// The entry `key` of another witness.
    Entry(Attr, Name),
}

impl Witness {
    pub fn of(attr: Attr) -> Option<Witness> {
        match attr.kind() {
            AttrKind::String(name) => Some(Witness::Param(*name)),
            AttrKind::Dict(_) if attr.get("args").is_none() => {
                Some(Witness::Entry(attr.get("witness")?, Name::new(attr.get("key")?.as_str()?)))
            }
            _ => split_instance(attr).map(|(table, args)| Witness::Table(table, args)),
        }
    }
    /// The entry `key` of `witness`.
    pub fn entry(witness: Attr, key: &str) -> Attr {
        Attr::dict(vec![(Name::new("witness"), witness), (Name::new("key"), Attr::string(key))])
    }
}

/// A function that generic arguments decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionRef {
    /// A symbol and its arguments.
    Instance(Name, &'static [Attr]),
    /// What `witness` has for `key`, a requirement with parameters of its own if there are
    /// arguments.
    Witness { witness: Attr, key: Name, args: &'static [Attr] },
    /// The function that chooses by the value of the interface's type that it is called with.
    Dynamic { interface: Attr, key: Name, args: &'static [Attr] },
}

impl FunctionRef {
    pub fn of(attr: Attr) -> Option<FunctionRef> {
        if attr.as_dict().is_none() {
            return split_instance(attr).map(|(symbol, args)| FunctionRef::Instance(symbol, args));
        }
        let key = Name::new(attr.get("key")?.as_str()?);
        let args: &'static [Attr] = match attr.get("args") {
            Some(list) => list.as_array()?,
            None => &[],
        };
        match (attr.get("witness"), attr.get("interface")) {
            (Some(witness), None) => Some(FunctionRef::Witness { witness, key, args }),
            (None, Some(interface)) => Some(FunctionRef::Dynamic { interface, key, args }),
            _ => None,
        }
    }
    fn keyed(what: &str, of: Attr, key: &str, args: &[Attr]) -> Attr {
        let mut entries = vec![(Name::new(what), of), (Name::new("key"), Attr::string(key))];
        if !args.is_empty() {
            entries.push((Name::new("args"), Attr::array(args.to_vec())));
        }
        Attr::dict(entries)
    }
    pub fn witness(witness: Attr, key: &str, args: &[Attr]) -> Attr {
        Self::keyed("witness", witness, key, args)
    }
    pub fn dynamic(interface: Attr, key: &str, args: &[Attr]) -> Attr {
        Self::keyed("interface", interface, key, args)
    }
}

impl ParamKind {
    /// Whether an argument can stand for a parameter of this kind.
    pub fn admits(self, arg: Attr) -> bool {
        match self {
            ParamKind::Type => arg.as_type().is_some(),
            ParamKind::Int => IntExpr::of(arg).is_some(),
            ParamKind::Witness => Witness::of(arg).is_some(),
        }
    }
}
