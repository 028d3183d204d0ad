//! Types and signatures as text, for messages.

use super::*;

impl Checker<'_> {
    /// A type as text, for messages.
    pub fn show(&self, ty: Ty) -> String {
        use types::TyKind::*;
        match ty.kind() {
            Error => "?".to_string(),
            Void => "void".to_string(),
            Scalar(s) => s.name().to_string(),
            Vector(s, n) if s.name().ends_with("_t") => format!("vector<{}, {n}>", s.name()),
            Vector(s, n) => format!("{}{n}", s.name()),
            Matrix(s, r, c) if s.name().ends_with("_t") => format!("matrix<{}, {r}, {c}>", s.name()),
            Matrix(s, r, c) => format!("{}{r}x{c}", s.name()),
            Array(t, Some(n)) => format!("{}[{n}]", self.show(*t)),
            Array(t, None) => format!("{}[]", self.show(*t)),
            Struct(id) => {
                let info = &self.structs[id.0 as usize];
                // Nobody wrote the name of a pointer that only reads, nor of a function as a value.
                if let Some((_, args)) = &info.instance_of
                    && self.is_read_pointer(ty)
                {
                    let to = args.iter().map(|a| self.show_arg(*a)).collect::<Vec<_>>();
                    return format!("Ptr<{}, Access.Read>", to.join(", "));
                }
                info.value_of.unwrap_or(info.name).to_string()
            }
            Enum(id) => self.enums[id.0 as usize].name.to_string(),
            Buffer { elem, write: true } => format!("RWStructuredBuffer<{}>", self.show(*elem)),
            Buffer { elem, write: false } => format!("StructuredBuffer<{}>", self.show(*elem)),
            Resource(r) => match r.elem() {
                Some(t) => format!("{}<{}>", r.name(), self.show(t)),
                None => r.name().to_string(),
            },
            Laid(t, types::MatrixLayout::Row) => format!("row_major {}", self.show(*t)),
            Laid(t, types::MatrixLayout::Column) => format!("column_major {}", self.show(*t)),
            Uniform(t, block) => format!("{}<{}>", block.name(), self.show(*t)),
            Pair(t) => format!("DifferentialPair<{}>", self.show(*t)),
            Param(p) => self.params[p.0 as usize].name.to_string(),
            Assoc { base, name, .. } => format!("{}.{name}", self.show(*base)),
            VectorOf(t, n) => format!("vector<{}, {}>", self.show(*t), self.show_val(*n)),
            MatrixOf(t, r, c) => {
                format!("matrix<{}, {}, {}>", self.show(*t), self.show_val(*r), self.show_val(*c))
            }
            ArrayOf(t, n) if matches!(n.kind(), types::ValKind::Param(p) if self.is_unwritten_size(*p)) => {
                format!("{}[]", self.show(*t))
            }
            ArrayOf(t, n) => format!("{}[{}]", self.show(*t), self.show_val(*n)),
            Interface(i) => self.show_ref(*i),
            Pack(list) => {
                let texts: Vec<String> = list.iter().map(|a| self.show_arg(*a)).collect();
                texts.join(", ")
            }
            Expand(pattern, _) => format!("expand {}", self.show(*pattern)),
            Part(list, part) => format!("{}({})", part.name(), self.show(*list)),
            Each(list)
                if let Part(of, part) = list.kind()
                    && part.is_single() =>
            {
                format!("{}({})", part.name(), self.show(*of))
            }
            Each(list) => format!("each {}", self.show(*list)),
            InitList => "an initializer list".to_string(),
            Str => "String".to_string(),
        }
    }

    /// Whether it is the size of a parameter `T[]`, for which nobody wrote a generic parameter.
    pub(crate) fn is_unwritten_size(&self, p: types::ParamId) -> bool {
        self.params[p.0 as usize].added && self.takes_value(p)
    }

    /// A generic argument as a part of a symbol, where a lambda expression has a name.
    pub(crate) fn symbol_of_arg(&self, arg: types::GArg) -> String {
        match arg {
            types::GArg::Ty(t)
                if let Some(info) = t.as_struct().map(|id| &self.structs[id.0 as usize])
                    && info.value_of.is_some_and(|of| of.starts_with('(')) =>
            {
                info.name.to_string()
            }
            _ => self.show_arg(arg),
        }
    }

    /// A signature as text, for messages: `f(float, inout int)`.
    pub fn show_signature(&self, name: &str, params: &[Param]) -> String {
        let list: Vec<String> = params
            .iter()
            .map(|p| {
                let dir = match p.dir {
                    Dir::In => "",
                    Dir::Out => "out ",
                    Dir::InOut => "inout ",
                };
                // What is no float has no derivative in any case.
                let mut part = p.ty;
                while let types::TyKind::Array(elem, _) = part.kind() {
                    part = *elem;
                }
                let floats = part.element_scalar().is_none_or(|s| s.is_float());
                let block = matches!(p.ty.kind(), types::TyKind::Uniform(..));
                let no_diff = if p.no_diff && floats && !block { "no_diff " } else { "" };
                format!("{no_diff}{dir}{}", self.show(p.ty))
            })
            .collect();
        format!("{name}({})", list.join(", "))
    }
}
