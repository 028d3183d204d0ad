//! The attributes that have a meaning here. The others are skipped; `placement` warns about those
//! that the language does not have.

use super::*;
use caustic_ir::codes;

/// Why an entry point cannot be run here.
#[derive(Clone, Debug)]
pub struct Elsewhere {
    pub why: Name,
    /// Where it can.
    pub targets: Vec<&'static str>,
    /// What leads to that.
    pub labels: Vec<(Loc, String)>,
}

#[derive(Clone, Debug, Default)]
pub struct FuncAttrs {
    /// Whether it has derivatives, derived or custom.
    pub differentiable: bool,
    pub forward_only: bool,
    /// `[TreatAsDifferentiable]`: its derivatives are zero.
    pub zero_derivative: bool,
    pub mutating: bool,
    pub no_diff_this: bool,
    pub force_inline: bool,
    pub prefer_recompute: bool,
    pub prefer_checkpoint: bool,
    pub entry: Option<EntryInfo>,
    /// The stage of an entry point that is not a compute shader. Such an entry point is not run.
    pub other_stage: Option<&'static str>,
    /// Whether `[shader]` states the stage.
    pub says_stage: bool,
    /// Why a compute entry point cannot be run here.
    pub elsewhere: Option<Elsewhere>,
    /// A constant that nobody exports, on which the number of its threads depends.
    pub open_size: Option<Rc<Missing>>,
    /// Whether it has a `__target_switch` or a `__stage_switch`: elsewhere its code is other code.
    pub switches_by_target: bool,
    /// `[CUDAKernel]`.
    pub kernel: bool,
    /// Whether this is host code, which is checked and never run.
    pub host: bool,
    /// How the threads of an entry point form quads, if it states that.
    pub quads: Option<Quads>,
    /// Whether it compares the threads of a quad.
    pub compares_quad: bool,
    /// A static variable that the program changes and that begins anew where the function is called
    /// from outside.
    pub begins_static: Option<Name>,
    /// Of a lambda expression, and so nobody can name it.
    pub of_lambda: bool,
    /// A version that takes the static variables it uses, of a function in the program.
    pub takes_statics: bool,
    /// What `[OverloadRank]` says; 0 where it does not.
    pub overload_rank: i64,
}

/// How four threads of a group are arranged as a quad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quads {
    /// Two by two, in x and y.
    Square,
    /// In a row, as `SV_GroupIndex` counts them.
    Linear,
}

#[derive(Clone, Debug, Default)]
pub struct EntryInfo {
    pub numthreads: [u32; 3],
    /// Whether the program states the size; otherwise the command line may.
    pub sized: bool,
}

/// The other stages whose entry points a program may contain, by name, with the name that each has
/// in `capabilities`.
const OTHER_STAGES: &[(&str, &str)] = &[
    ("vertex", "vertex"),
    ("fragment", "fragment"),
    ("pixel", "fragment"),
    ("geometry", "geometry"),
    ("hull", "hull"),
    ("tesscontrol", "hull"),
    ("domain", "domain"),
    ("tesseval", "domain"),
    ("mesh", "mesh"),
    ("amplification", "amplification"),
    ("task", "amplification"),
    ("raygeneration", "raygen"),
    ("raygen", "raygen"),
    ("intersection", "intersection"),
    ("anyhit", "anyhit"),
    ("closesthit", "closesthit"),
    ("miss", "miss"),
    ("callable", "callable"),
    ("dispatch", "dispatch"),
];

/// Attributes that only entry points of one stage have. They tell the stage of a function that does
/// not state it.
const STAGE_ATTRIBUTES: &[(&str, &str)] = &[
    ("patchconstantfunc", "hull"),
    ("outputcontrolpoints", "hull"),
    ("partitioning", "hull"),
    ("domain", "domain"),
    ("maxvertexcount", "geometry"),
    ("outputtopology", "mesh"),
    ("earlydepthstencil", "fragment"),
];

fn other_stage(name: &str) -> Option<&'static str> {
    OTHER_STAGES.iter().find(|(n, _)| *n == name).map(|(_, stage)| *stage)
}

/// The attributes of a CUDA kernel. Its launch decides the number of threads in a group.
const KERNEL: &[&str] = &["CUDAKernel", "CudaKernel"];

impl FuncAttrs {
    /// Whether an attribute of this name marks an entry point or tells how it is launched.
    pub fn says_launch(name: &str) -> bool {
        KERNEL.contains(&name) || ["shader", "numthreads", "WaveSize"].contains(&name)
    }

    /// Whether these are the modifiers of a CUDA kernel.
    pub fn is_kernel(mods: &ast::Modifiers) -> bool {
        KERNEL.iter().any(|name| mods.attr(name).is_some())
    }
}

impl Checker<'_> {
    pub(crate) fn func_attrs(&mut self, mods: &ast::Modifiers) -> FuncAttrs {
        let mut out = FuncAttrs::default();
        let (mut numthreads, mut compute) = (None, false);
        for a in &mods.attrs {
            match a.name.name.as_str() {
                "Differentiable" | "BackwardDifferentiable" => out.differentiable = true,
                "ForwardDifferentiable" => {
                    out.forward_only = !out.differentiable;
                    out.differentiable = true;
                }
                "TreatAsDifferentiable" => out.zero_derivative = true,
                "mutating" => out.mutating = true,
                "NoDiffThis" => out.no_diff_this = true,
                "ForceInline" | "inline" => out.force_inline = true,
                "PreferRecompute" => out.prefer_recompute = true,
                "PreferCheckpoint" => out.prefer_checkpoint = true,
                "numthreads" => {
                    let mut n = [1u32; 3];
                    if a.args.is_empty() {
                        continue;
                    }
                    if let Some(fourth) = a.args.get(3) {
                        self.warn(
                            codes::W0220,
                            fourth.span,
                            "`[numthreads]` has three sizes: what follows says nothing",
                        );
                    }
                    for (slot, arg) in n.iter_mut().zip(&a.args) {
                        // `placement` has reported it.
                        if matches!(arg.kind, ast::ExprKind::Str(_)) {
                            continue;
                        }
                        let size = self.check_expr(arg);
                        if let Some((missing, _)) = super::missing::missing_in(&size) {
                            out.open_size = Some(missing);
                            continue;
                        }
                        match self.whole_int(arg, "a size of `[numthreads]`") {
                            Some(v) if (1..=1024).contains(&v) => *slot = v as u32,
                            Some(v) => {
                                let (at, to) = (self.loc(a.span), self.loc(arg.span));
                                let span = if line_of(at) == line_of(to) { arg.span } else { a.name.span };
                                let d = self.error(codes::E0220, span, format!("`[numthreads]` cannot be {v}"));
                                if span != arg.span {
                                    d.labels.push((to, "this size".to_string()));
                                }
                            }
                            None => {}
                        }
                    }
                    if numthreads.replace(n).is_some() {
                        self.error(codes::E0220, a.name.span, "`[numthreads]` is written twice");
                    }
                }
                "WaveSize" => {
                    for arg in a.args.iter().filter(|e| !matches!(e.kind, ast::ExprKind::Str(_))) {
                        let size = self.const_int(arg, "a size of `[WaveSize]`");
                        if size.is_some_and(|n| !(4..=128).contains(&n) || !(n as u64).is_power_of_two()) {
                            self.error(codes::E0220, arg.span, "`[WaveSize]` is a power of two from 4 to 128");
                        }
                    }
                }
                "shader" => match a.args.first().map(|e| &e.kind) {
                    Some(ast::ExprKind::Str(s)) if &**s == "compute" => compute = true,
                    Some(ast::ExprKind::Str(s)) if other_stage(s).is_some() => {
                        (out.other_stage, out.says_stage) = (other_stage(s), true);
                    }
                    Some(ast::ExprKind::Str(s)) => {
                        self.error(codes::E0220, a.span, format!("there is no shader stage \"{s}\""));
                    }
                    _ => {}
                },
                name if links::is_link(name) => {}
                "TorchEntryPoint" => out.host = true,
                "DerivativeGroupQuad" => out.quads = Some(Quads::Square),
                "DerivativeGroupLinear" => out.quads = Some(Quads::Linear),
                "__comparesQuad" => out.compares_quad = true,
                "OverloadRank" => {
                    // `placement` has reported a string.
                    let rank = a.args.first().filter(|e| !matches!(e.kind, ast::ExprKind::Str(_)));
                    let rank = rank.and_then(|arg| self.const_int(arg, "the rank of an overload"));
                    out.overload_rank = rank.unwrap_or(0);
                }
                name if KERNEL.contains(&name) => out.kernel = true,
                _ => {}
            }
        }
        if out.forward_only && mods.attr("BackwardDifferentiable").or(mods.attr("Differentiable")).is_some() {
            out.forward_only = false;
        }
        if !compute && !out.kernel && out.other_stage.is_none() {
            let named = |(attr, _): &&(&str, &str)| mods.attr(attr).is_some();
            out.other_stage = STAGE_ATTRIBUTES.iter().find(named).map(|(_, stage)| *stage);
        }
        if compute || (out.kernel || numthreads.is_some()) && out.other_stage.is_none() {
            out.entry = Some(EntryInfo { numthreads: numthreads.unwrap_or([1; 3]), sized: numthreads.is_some() });
        }
        out
    }

    pub(crate) fn loop_attrs(&mut self, attrs: &[ast::Attribute]) -> LoopAttrs {
        let mut out = LoopAttrs::default();
        for a in attrs {
            let number = a.args.first().filter(|e| !matches!(e.kind, ast::ExprKind::Str(_)));
            let value = number.and_then(|e| self.const_val(e, "the argument of this attribute"));
            let negative = value.and_then(|v| v.as_int()).is_some_and(|n| n < 0);
            match a.name.name.as_str() {
                "MaxIters" if negative => {
                    self.error(codes::E0220, a.span, "`[MaxIters]` takes a positive number");
                }
                // A number that is not known at compile time has been reported.
                "MaxIters" => out.max_iters = value,
                "ForceUnroll" => out.force_unroll = true,
                "unroll" => out.unroll = true,
                "loop" | "fastopt" | "allow_uav_condition" => out.no_unroll = a.name.name == *"loop",
                _ => {}
            }
        }
        out
    }
}
