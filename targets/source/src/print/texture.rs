//! Texels: textures are memory with a format, and samples have become reads of texels before.

use super::expr::{Bound, atom};
use super::{Frame, Printer, Text};
use crate::tree::Expr;
use crate::types::Ty;
use caustic_dialects::tex::{self, Shape, TextureType};
use caustic_ir::Diagnostic;

impl Printer<'_> {
    fn texture_type(&self, texture: &Expr) -> Result<TextureType, Diagnostic> {
        let Ty::Handle(ty) = texture.ty else { return Err(self.internal("not a texture")) };
        TextureType::of(ty).ok_or_else(|| self.internal("not a texture"))
    }

    /// The address of a texel.
    fn texel(&mut self, f: &Frame<'_>, texture: &Expr, place: &Expr, level: &str, offset: Option<&Expr>) -> Text {
        let ty = self.texture_type(texture)?;
        let (of, place) = (self.expr(f, texture)?, self.expr(f, place)?);
        let offset = offset.map_or(Ok("0".to_string()), |o| self.expr(f, o))?;
        let dims = ty.shape.dims();
        let in_array = ty.indices() > dims;
        Ok(format!("texel_at({of}, {dims}, {in_array}, {place}, {level}, {offset})"))
    }

    pub(super) fn texture(
        &mut self,
        f: &Frame<'_>,
        op: &str,
        texture: &Expr,
        args: &[Expr],
        ty: &Ty,
    ) -> Result<Bound, Diagnostic> {
        self.need("texture");
        let of = self.expr(f, texture)?;
        if op == tex::SamplerState::NAME {
            return Ok(atom(format!("({of}.linear | {of}.addressing << 1)")));
        }
        let word = self.ty(ty)?;
        let text = match (op, args) {
            (_, [place, level, offset @ ..]) if op == tex::Load::NAME || op == tex::Texel::NAME => {
                let level = self.expr(f, level)?;
                let texel = self.texel(f, texture, place, &level, offset.first())?;
                format!("texel_load<{word}>({of}, {texel})")
            }
            (_, [level]) if op == tex::Size::NAME => {
                let shape = self.texture_type(texture)?.shape;
                let level = self.expr(f, level)?;
                let third = match shape {
                    Shape::D3 => format!("{of}.size(2, {level})"),
                    Shape::Cube => format!("{of}.layers / 6"),
                    _ => format!("{of}.layers"),
                };
                let last =
                    if shape == Shape::Samples { format!("{of}.size(2, {level})") } else { format!("{of}.levels") };
                let parts = [format!("{of}.size(0, {level})"), format!("{of}.size(1, {level})"), third, last];
                let scalar = ty.scalar().ok_or_else(|| self.internal("sizes of no number"))?;
                let scalar = self.ty(&Ty::Scalar(scalar))?;
                let parts: Vec<String> = parts.iter().map(|p| format!("{scalar}({p})")).collect();
                format!("{word}{{{}}}", parts.join(", "))
            }
            _ => return Err(self.refuse(format!("`{op}`"))),
        };
        Ok(atom(text))
    }

    pub(super) fn texel_update(
        &mut self,
        f: &Frame<'_>,
        kind: &str,
        texture: &Expr,
        args: &[Expr],
        ty: &Ty,
    ) -> Result<Bound, Diagnostic> {
        self.need("texture");
        let word = self.ty(ty)?;
        let (place, values) = args.split_last().ok_or_else(|| self.internal("an update without a place"))?;
        let at = self.texel(f, texture, place, "0", None)?;
        let values = values.iter().map(|v| self.expr(f, v)).collect::<Result<Vec<_>, _>>()?.join(", ");
        self.atomic_at(kind, &format!("texel_number<{word}>({at})"), &values, ty)
    }

    pub(super) fn texel_store(&mut self, f: &Frame<'_>, texture: &Expr, args: &[Expr]) -> Text {
        self.need("texture");
        let [value, place] = args else { return Err(self.internal("a store without a place")) };
        let (of, texel) = (self.expr(f, texture)?, self.texel(f, texture, place, "0", None)?);
        let (word, value) = (self.ty(&value.ty.clone())?, self.expr(f, value)?);
        Ok(format!("texel_store<{word}>({of}, {texel}, {value});"))
    }
}
