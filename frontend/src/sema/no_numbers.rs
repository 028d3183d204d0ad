//! What is wrong with a call of a builtin function of numbers that is given something else, such as
//! a struct: that no overload takes one, and not the conversion that one of many lacks.

use super::expr::Group;
use super::types::TyKind;
use super::*;
use caustic_ir::codes;

/// The shapes that a parameter takes, by bits.
type Shapes = u8;
const NUMBERS: [(Shapes, &str); 3] = [(1, "numbers"), (2, "vectors"), (4, "matrices")];

impl Checker<'_> {
    /// Reports the first argument that has no numbers, if the functions of the group take nothing
    /// else at its place. Returns whether there is one.
    pub(super) fn report_no_numbers(&mut self, group: &Group, args: &[Expr], span: Span) -> bool {
        let name = group.name.name;
        for (index, arg) in args.iter().enumerate() {
            let Some((what, instead)) = self.without_numbers(arg.ty, name) else { continue };
            let Some(takes) = self.shapes_taken(group, index) else { continue };
            let shown = self.show(arg.ty);
            let at = self.loc(arg.span);
            let text = format!("no `{name}` takes {what}: argument {} is `{shown}`", index + 1);
            let d = self.error(codes::E0203, span, text);
            d.labels.push((at, "this has no numbers".to_string()));
            d.notes.push(format!("it takes {takes}"));
            d.notes.extend(instead);
            return true;
        }
        false
    }

    /// What the functions of a builtin group take as this argument, in words; `None` if they are
    /// not all of numbers.
    pub(super) fn shapes_taken(&mut self, group: &Group, index: usize) -> Option<String> {
        let mut taken = 0;
        for m in &group.members {
            let f = m.as_func()?;
            let info = &self.funcs[f.0 as usize];
            if !info.is_prelude || info.this.is_some() || !group.modes.is_empty() {
                return None;
            }
            let Some(ty) = info.params.get(index).map(|p| p.ty) else { continue };
            taken |= self.shapes_of(ty)?;
        }
        let words: Vec<&str> = NUMBERS.iter().filter(|(bit, _)| taken & bit != 0).map(|(_, word)| *word).collect();
        match words.as_slice() {
            [] => None,
            [one] => Some(one.to_string()),
            [init @ .., last] => Some(format!("{} and {last}", init.join(", "))),
        }
    }

    /// The shapes of numbers that a parameter takes; `None` if it takes anything else.
    fn shapes_of(&mut self, ty: Ty) -> Option<Shapes> {
        match ty.kind() {
            TyKind::Scalar(_) => Some(1),
            TyKind::Vector(..) | TyKind::VectorOf(..) => Some(2),
            TyKind::Matrix(..) | TyKind::MatrixOf(..) => Some(4),
            TyKind::Param(_) => self.facts_of(ty).builtin.map(bounds::TypeSet::shapes),
            // Another group of overloads, for vectors that are no values of the language.
            TyKind::Resource(_) => Some(0),
            _ => None,
        }
    }

    /// What a value is that has no numbers, and what to give instead.
    fn without_numbers(&mut self, ty: Ty, function: Name) -> Option<(&'static str, Option<String>)> {
        Some(match ty.kind() {
            TyKind::Struct(id) => {
                let field = self.fields(*id).iter().find(|f| f.ty.is_arith()).map(|f| f.name);
                let given =
                    field.map(|f| format!("give it a field, such as `.{f}`, or declare a `{function}` of yours"));
                ("a struct", given)
            }
            TyKind::Interface(_) => ("a value of an interface", None),
            TyKind::Array(..) | TyKind::ArrayOf(..) => {
                ("an array", Some("give it the elements one by one".to_string()))
            }
            TyKind::Buffer { .. } => ("a buffer", Some("give it an element of the buffer".to_string())),
            TyKind::Resource(_) => ("a resource", None),
            TyKind::Uniform(..) => ("a block of constants", None),
            TyKind::Pair(_) => ("a pair", Some("a pair's value is `.p`, and its derivative `.d`".to_string())),
            TyKind::Str => ("a string", None),
            TyKind::Void => ("nothing", None),
            _ => return None,
        })
    }
}
