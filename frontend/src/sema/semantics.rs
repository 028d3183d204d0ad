//! System values (`SV_…`), as rows: which stages can read each of them and which can write it.
//!
//! Entry points with a stated stage are checked against the rows. Only the values of compute
//! shaders are implemented.

use super::types::TyKind;
use super::*;
use ast::DeclKind;
use caustic_ir::codes;

struct SystemValue {
    /// In capitals, without a number at the end.
    name: &'static str,
    /// The stages that can read it, and those that can write it.
    read: &'static str,
    written: &'static str,
    sort: Sort,
}

/// The type of a system value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Any,
    /// One integer.
    Integer,
    Bool,
    /// One float.
    Float,
}

const fn row(name: &'static str, read: &'static str, written: &'static str) -> SystemValue {
    SystemValue { name, read, written, sort: Sort::Any }
}

impl SystemValue {
    const fn is(self, sort: Sort) -> SystemValue {
        SystemValue { sort, ..self }
    }
}

/// Stands for all stages.
const ANY: &str = "*";
const RASTERIZED: &str = "vertex hull domain geometry mesh";
const GROUPS: &str = "compute mesh amplification";
const WAVES: &str = "vertex fragment compute hull domain geometry mesh amplification";

const ROWS: &[SystemValue] = &[
    row("SV_POSITION", "fragment geometry", RASTERIZED),
    row("SV_TARGET", ANY, ANY),
    row("SV_DEPTH", "", "fragment").is(Sort::Float),
    row("SV_DEPTHGREATEREQUAL", "", "fragment").is(Sort::Float),
    row("SV_DEPTHLESSEQUAL", "", "fragment").is(Sort::Float),
    row("SV_STENCILREF", "", "fragment").is(Sort::Integer),
    row("SV_COVERAGE", "fragment", "fragment").is(Sort::Integer),
    row("SV_INNERCOVERAGE", "fragment", ""),
    row("SV_ISFRONTFACE", "fragment", "geometry").is(Sort::Bool),
    row("SV_SAMPLEINDEX", "fragment", "").is(Sort::Integer),
    row("SV_PRIMITIVEID", "fragment hull domain geometry", "geometry mesh").is(Sort::Integer),
    row("SV_VERTEXID", "vertex", "").is(Sort::Integer),
    row("SV_INSTANCEID", "vertex fragment", "vertex").is(Sort::Integer),
    row("SV_VULKANVERTEXID", "vertex", ""),
    row("SV_VULKANINSTANCEID", "vertex", ""),
    row("SV_VULKANSAMPLEPOSITION", "fragment", ""),
    row("SV_STARTVERTEXLOCATION", "vertex", ""),
    row("SV_STARTINSTANCELOCATION", "vertex", ""),
    row("SV_DRAWINDEX", "vertex mesh amplification", ""),
    row("SV_DEVICEINDEX", WAVES, ""),
    row("SV_VIEWID", "vertex fragment hull domain geometry mesh", ""),
    row("SV_VIEWPORTARRAYINDEX", "fragment geometry", RASTERIZED).is(Sort::Integer),
    row("SV_RENDERTARGETARRAYINDEX", "fragment geometry", RASTERIZED).is(Sort::Integer),
    row("SV_CLIPDISTANCE", "fragment geometry", RASTERIZED),
    row("SV_CULLDISTANCE", "fragment geometry", RASTERIZED),
    row("SV_TESSFACTOR", "domain", "hull"),
    row("SV_INSIDETESSFACTOR", "domain", "hull"),
    row("SV_DOMAINLOCATION", "domain", ""),
    row("SV_OUTPUTCONTROLPOINTID", "hull", "").is(Sort::Integer),
    row("SV_GSINSTANCEID", "geometry", "").is(Sort::Integer),
    row("SV_DISPATCHTHREADID", GROUPS, ""),
    row("SV_GROUPID", GROUPS, ""),
    row("SV_GROUPTHREADID", GROUPS, ""),
    row("SV_GROUPINDEX", GROUPS, ""),
    row("SV_WAVEINDEX", "compute", ""),
    row("SV_WAVELANECOUNT", WAVES, ""),
    row("SV_WAVELANEINDEX", WAVES, ""),
    row("SV_BARYCENTRICS", "fragment", ""),
    row("SV_SHADINGRATE", "fragment", "vertex geometry mesh"),
    row("SV_CULLPRIMITIVE", "", "mesh"),
    row("SV_POINTSIZE", "", "vertex geometry mesh"),
    row("SV_POINTCOORD", "fragment", ""),
    row("SV_FRAGINVOCATIONCOUNT", "fragment", ""),
    row("SV_FRAGSIZE", "fragment", ""),
    row("SV_INTERSECTIONATTRIBUTES", ANY, ANY),
    row("SV_RAYPAYLOAD", ANY, ANY),
];

/// The attributes that entry points of some stages need: the stage, the attribute, and what it
/// states.
const NEEDED: &[(&str, &str, &str)] = &[
    ("geometry", "maxvertexcount", "how many vertices it gives at most"),
    ("mesh", "outputtopology", "what its primitives are"),
];

/// The row of a semantic, which may end in a number.
fn find(semantic: &str) -> Option<&'static SystemValue> {
    let name = semantic.trim_end_matches(|c: char| c.is_ascii_digit()).to_ascii_uppercase();
    ROWS.iter().find(|r| r.name == name)
}

fn is_system(semantic: &str) -> bool {
    semantic.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("SV_"))
}

/// How an entry point uses a system value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Read,
    Written,
    /// Written for each vertex of a mesh.
    OfVertex,
    /// Read for each vertex of a primitive or a patch: any value that an earlier stage wrote.
    Passed,
}

/// The types through which stages write more than one value. The type of the values is the first
/// argument.
const WRITTEN_INTO: [&str; 5] = ["PointStream", "LineStream", "TriangleStream", VERTICES, "OutputPrimitives"];
const VERTICES: &str = "OutputVertices";

/// The types that an entry point writes its results to, with the stage that has them.
const OUTPUTS: [(&str, &str); 6] = [
    ("PointStream", "geometry"),
    ("LineStream", "geometry"),
    ("TriangleStream", "geometry"),
    (VERTICES, "mesh"),
    ("OutputIndices", "mesh"),
    ("OutputPrimitives", "mesh"),
];

/// The values that a mesh shader writes for primitives only.
const OF_PRIMITIVES: [&str; 4] =
    ["SV_PRIMITIVEID", "SV_VIEWPORTARRAYINDEX", "SV_RENDERTARGETARRAYINDEX", "SV_CULLPRIMITIVE"];

impl Checker<'_> {
    /// Checks the system values of an entry point against its stage.
    pub(crate) fn check_stage_values(&mut self, stage: &str, f: &ast::FuncDecl, params: &[Param], ret: Ty) {
        let written: Vec<&ast::Param> = f.params.iter().collect();
        let first = params.len().saturating_sub(written.len());
        for (p, written) in params[first..].iter().zip(written) {
            let ways: &[Way] = match p.dir {
                Dir::In => &[Way::Read],
                Dir::Out => &[Way::Written],
                Dir::InOut => &[Way::Read, Way::Written],
            };
            for way in ways {
                self.check_stage_value(stage, written.semantic, p.ty, *way);
            }
        }
        self.check_stage_value(stage, f.semantic, ret, Way::Written);
        self.check_stage_types(stage, f, &params[first..], ret);
        if stage == "fragment" {
            self.check_one_depth(f, ret);
        }
    }

    /// Reports what only shaders of another stage write their results to.
    pub(crate) fn check_outputs(&mut self, stage: &str, params: &[Param]) {
        for p in params {
            let Some((_, of)) = OUTPUTS.iter().find(|(name, _)| self.prelude_argument(name, p.ty).is_some()) else {
                continue;
            };
            if *of != stage {
                let shown = self.show(p.ty);
                self.error(codes::E0223, p.span, format!("a `{stage}` shader cannot take a `{shown}`"))
                    .notes
                    .push(format!("shaders of the stage {of} write their results to it"));
            }
        }
    }

    /// Checks the types that an entry point of a stage cannot take or return, and those that it
    /// needs.
    fn check_stage_types(&mut self, stage: &str, f: &ast::FuncDecl, params: &[Param], ret: Ty) {
        let at = f.name.span;
        if matches!(ret.kind(), TyKind::Array(..)) || self.is_opaque(ret) {
            let shown = self.show(ret);
            self.error(codes::E0223, at, format!("a `{stage}` shader cannot give a value of type `{shown}`"));
        }
        self.check_outputs(stage, params);
        let shown: Vec<String> = params.iter().map(|p| self.show(p.ty)).collect();
        let takes = |what: &str| shown.iter().any(|t| t.starts_with(what));
        let lacks = match stage {
            // Unknown parameters may be what is missing.
            _ if params.iter().any(|p| p.ty.is_error()) => false,
            "geometry" => !["PointStream", "LineStream", "TriangleStream"].iter().any(|t| takes(t)),
            "mesh" => !takes("OutputVertices") || !takes("OutputIndices"),
            _ => false,
        };
        if lacks {
            let (what, how) = match stage {
                "mesh" => ("vertices and indices to give", "`OutputVertices<V, n>` and `OutputIndices<uint3, n>`"),
                _ => ("a stream to give its vertices to", "`inout TriangleStream<V>`, or one of lines or points"),
            };
            self.error(codes::E0223, at, format!("a `{stage}` shader has no parameter for {what}"))
                .notes
                .push(format!("write {how}"));
        }
        let alone = matches!(stage, "raygen" | "intersection");
        let carried = if stage == "callable" { "parameter" } else { "payload" };
        if alone && !matches!(ret.kind(), TyKind::Void | TyKind::Error) {
            self.error(codes::E0223, at, format!("a shader of the stage `{stage}` gives no value"));
        }
        let payload = |p: &Param| f.params.iter().any(|w| w.name.is_some_and(|n| n.span == p.span) && is_payload(w));
        let more = params
            .iter()
            .filter(|p| matches!(stage, "miss" | "callable") && !self.is_opaque(p.ty) && payload(p))
            .nth(1);
        if let Some(p) = more {
            let (text, note) = match stage {
                "callable" => ("a `callable` shader has one parameter", None),
                _ => (
                    "a `miss` shader has no attributes: it takes its payload alone",
                    Some("attributes are those of a hit, in `closesthit` and `anyhit` shaders".to_string()),
                ),
            };
            self.error(codes::E0223, p.span, text).notes.extend(note);
        }
        for p in params.iter().filter(|p| more.is_none_or(|m| m.span != p.span)) {
            let wrong = match stage {
                _ if self.is_opaque(p.ty) || p.ty.is_error() => false,
                "raygen" | "intersection" => p.dir != Dir::In,
                "miss" | "callable" => p.dir == Dir::In && payload(p),
                _ => false,
            };
            if wrong {
                let text = match alone {
                    true => format!("a shader of the stage `{stage}` has no `out` or `inout` parameters"),
                    false => format!("the {carried} of a `{stage}` shader is `inout`"),
                };
                self.error(codes::E0223, p.span, text);
            }
        }
    }

    /// Checks that a fragment shader writes at most one depth.
    fn check_one_depth(&mut self, f: &ast::FuncDecl, ret: Ty) {
        let mut found: Vec<ast::Ident> = f.semantic.into_iter().collect();
        found.extend(f.params.iter().filter(|p| p.mods.has("out")).filter_map(|p| p.semantic));
        let decl = ret.as_struct().and_then(|id| self.structs[id.0 as usize].decl.clone());
        if let Some(DeclKind::Struct(s)) = decl.as_deref().map(|d| &d.kind) {
            found.extend(s.members.iter().filter_map(|m| match &m.kind {
                DeclKind::Var(v) => v.semantic,
                _ => None,
            }));
        }
        found.retain(|s| find(&s.name).is_some_and(|row| row.name.starts_with("SV_DEPTH")));
        if let [first, second, ..] = found.as_slice() {
            let at = self.loc(first.span);
            self.error(codes::E0223, second.span, "a fragment has one depth, and this is the second")
                .labels
                .push((at, "the first".to_string()));
        }
    }

    /// Checks the type of a system value against its row.
    fn check_value_type(&mut self, semantic: ast::Ident, ty: Ty) {
        let Some(row) = find(&semantic.name) else { return };
        let scalar = match ty.kind() {
            TyKind::Vector(s, 1) => Some(*s),
            _ => ty.as_scalar(),
        };
        let fits = match row.sort {
            Sort::Any => true,
            _ if ty.is_error() || self.is_dependent(ty) => true,
            Sort::Integer => scalar.is_some_and(|s| s.is_int()),
            Sort::Bool => scalar == Some(types::Scalar::Bool),
            Sort::Float => scalar.is_some_and(|s| s.is_float()),
        };
        if fits {
            return;
        }
        let wanted = match row.sort {
            Sort::Bool => "a `bool`",
            Sort::Float => "a `float`",
            _ => "a `uint`",
        };
        let shown = self.show(ty);
        self.error(codes::E0223, semantic.span, format!("`{}` is {wanted}, and this is `{shown}`", semantic.name));
    }

    /// Reports a system value that compute shaders do not have here.
    pub(crate) fn check_compute_value(&mut self, semantic: ast::Ident) {
        let known = self.diags.len();
        self.check_one_value("compute", semantic, Way::Read);
        if self.diags.len() == known {
            self.unsupported(semantic.span, &format!("the semantic `{}` of a compute shader", semantic.name));
        }
    }

    /// Checks that an entry point has the attributes that its stage needs.
    pub(crate) fn check_stage_attributes(&mut self, stage: &str, mods: &ast::Modifiers, f: &ast::FuncDecl, ns: NsId) {
        for (of, name, what) in NEEDED {
            if stage == *of && mods.attr(name).is_none() {
                let text = format!("a `{stage}` shader says {what}");
                self.error(codes::E0223, f.name.span, text).notes.push(format!("write `[{name}(…)]`"));
            }
        }
        let Some(a) = mods.attr("patchconstantfunc") else { return };
        let Some(ast::ExprKind::Str(named)) = a.args.first().map(|e| &e.kind) else { return };
        let found = self.lookup_from(ns, Name::new(named));
        if !found.is_some_and(|f| f.iter().any(|m| matches!(m.entry, Entry::Func(_)))) {
            self.error(codes::E0220, a.span, format!("there is no function `{named}`"));
        }
    }

    fn check_stage_value(&mut self, stage: &str, semantic: Option<ast::Ident>, ty: Ty, way: Way) {
        if let Some(semantic) = semantic.filter(|s| is_system(&s.name)) {
            let known = self.diags.len();
            self.check_one_value(stage, semantic, way);
            if self.diags.len() == known {
                self.check_value_type(semantic, ty);
            }
            return;
        }
        if semantic.is_some() {
            return;
        }
        let (of, way) = match ty.kind() {
            TyKind::Array(of, _) if way == Way::Read => (*of, Way::Passed),
            TyKind::Array(of, _) => (*of, way),
            _ => match WRITTEN_INTO.iter().find_map(|name| Some((*name, self.prelude_argument(name, ty)?))) {
                Some(_) if way == Way::Read => return,
                Some((VERTICES, given)) if stage == "mesh" => (given, Way::OfVertex),
                Some((_, given)) => (given, way),
                None => (ty, way),
            },
        };
        let Some(id) = of.as_struct().filter(|_| !self.is_opaque(of)) else { return };
        let Some(decl) = self.structs[id.0 as usize].decl.clone() else { return };
        let DeclKind::Struct(s) = &decl.kind else { return };
        for field in s.members.iter().filter(|m| !m.mods.has("static")) {
            let DeclKind::Var(v) = &field.kind else { continue };
            if let Some(semantic) = v.semantic.filter(|s| is_system(&s.name)) {
                self.check_one_value(stage, semantic, way);
            }
        }
    }

    fn check_one_value(&mut self, stage: &str, semantic: ast::Ident, way: Way) {
        let Some(row) = find(&semantic.name) else {
            let text = format!("there is no value of the system `{}`", semantic.name);
            let near = caustic_ir::nearest::nearest(&semantic.name.to_ascii_uppercase(), ROWS.iter().map(|r| r.name));
            let d = self.error(codes::E0223, semantic.span, text);
            d.notes
                .extend(near.map(|near| format!("there is `{near}`, with a similar name; capitals mean nothing here")));
            return;
        };
        let (stages, what) = match way {
            Way::Read => (row.read, "is given"),
            Way::OfVertex if OF_PRIMITIVES.contains(&row.name) => {
                let text = format!("`{}` is of primitives, and not of vertices", semantic.name);
                self.error(codes::E0223, semantic.span, text).notes.push("give it in `out primitives`".to_string());
                return;
            }
            Way::Written | Way::OfVertex => (row.written, "gives"),
            Way::Passed => return,
        };
        if stages == ANY || stages.split(' ').any(|s| s == stage) {
            return;
        }
        let d = self.error(codes::E0223, semantic.span, format!("no `{stage}` shader {what} `{}`", semantic.name));
        if !stages.is_empty() {
            d.notes.push(format!("shaders of these stages do: {}", stages.replace(' ', ", ")));
        }
    }
}

/// Whether a parameter is a payload: nothing else gives it a value.
fn is_payload(p: &ast::Param) -> bool {
    p.semantic.is_none() && !p.mods.has("uniform")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_unique_and_found_with_numbers() {
        for (i, r) in ROWS.iter().enumerate() {
            assert!(is_system(r.name) && r.name == r.name.to_ascii_uppercase());
            assert!(ROWS[..i].iter().all(|o| o.name != r.name), "{}", r.name);
        }
        assert!(find("sv_Target3").is_some() && find("SV_Position").is_some() && find("SV_Nothing").is_none());
    }
}
