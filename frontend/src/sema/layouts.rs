//! The layout of matrices in memory: the effect of `row_major` and `column_major` on fields, shader
//! parameters and elements of resources.
//!
//! A layout is not part of the type of values; a declaration of something in memory asks here for
//! its layout. Where none is written, the options decide ([`Checker::layout`]).

use super::types::{GArg, MatrixLayout, TyKind};
use super::*;
use ast::ExprKind as E;

/// The most aliases that are followed. More are a cycle, which is reported elsewhere.
const MAX_ALIASES: u32 = 64;

/// The values of the fourth argument of `matrix`, as in Slang.
pub(crate) const ROW: i64 = 1;
const COLUMN: i64 = 2;

impl Checker<'_> {
    /// The layout that is written on a declaration or in its type. The type that a generic
    /// parameter stands for has the usual layout.
    pub(crate) fn written_layout(
        &mut self,
        mods: &ast::Modifiers,
        written: &ast::Expr,
        ty: Ty,
    ) -> Option<MatrixLayout> {
        if !matches!(structs::innermost(ty).kind(), TyKind::Matrix(..) | TyKind::MatrixOf(..)) {
            return None;
        }
        match (mods.has("row_major"), mods.has("column_major")) {
            (true, _) => Some(MatrixLayout::Row),
            (_, true) => Some(MatrixLayout::Column),
            _ => self.layout_in_type(written),
        }
    }

    pub(crate) fn layout_in_type(&mut self, ty: &ast::Expr) -> Option<MatrixLayout> {
        let mut at = ty.clone();
        for _ in 0..MAX_ALIASES {
            at = match at.kind {
                E::Layout { row_major, .. } => {
                    return Some(if row_major { MatrixLayout::Row } else { MatrixLayout::Column });
                }
                E::Paren(ty) | E::Modified { ty, .. } => *ty,
                E::ArrayType { elem, .. } => *elem,
                E::Index { base, .. } => *base,
                E::Name { name, args: Some(args) } if name.name == *"matrix" => {
                    return match self.const_val(args.get(3)?, "a layout")?.as_int()? {
                        ROW => Some(MatrixLayout::Row),
                        COLUMN => Some(MatrixLayout::Column),
                        _ => None,
                    };
                }
                E::Name { name, args: None } => match self.lookup(name.name)? {
                    lookup::Found::Members(found) => match found.first()?.entry {
                        Entry::Alias(id) => self.aliases[id.0 as usize].ty.clone(),
                        _ => return None,
                    },
                    _ => return None,
                },
                _ => return None,
            };
        }
        None
    }

    /// The arguments of a generic type whose values are in memory.
    pub(crate) fn memory_args(&mut self, args: &[ast::Expr]) -> Option<Vec<GArg>> {
        let mut given = self.generic_args(args)?;
        for (g, written) in given.iter_mut().zip(args) {
            if let GArg::Ty(t) = g {
                *t = t.laid(self.layout_in_type(written));
            }
        }
        Some(given)
    }
}
