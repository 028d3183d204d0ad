//! `[require(…)]`: the targets and stages for which a function or a struct can be used.
//!
//! The table `capabilities.txt` defines the names. A name stands for a set of targets and a set of
//! stages. The names in one attribute are intersected, and several attributes are united. Versions
//! of a target are not distinguished: code is generated for one kind of machine, which has all
//! features. A function without the attribute needs what its callees need.

use super::*;
use caustic_ir::codes;
use caustic_ir::nearest::nearest;
use std::sync::OnceLock;

/// Targets and stages, as bits in the order of the lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    targets: u16,
    stages: u16,
}

const TARGETS: &[&str] = &["hlsl", "glsl", "spirv", "metal", "wgsl", "cpp", "c", "cuda", "llvm", "slangvm"];
const STAGES: &[&str] = &[
    "vertex",
    "fragment",
    "compute",
    "hull",
    "domain",
    "geometry",
    "mesh",
    "amplification",
    "raygen",
    "intersection",
    "anyhit",
    "closesthit",
    "callable",
    "miss",
    "dispatch",
];
/// The targets that this compiler counts as.
const OURS: &[&str] = &["cpp", "c", "llvm"];
pub(crate) const STAGE: &str = "compute";

/// What a function uses, by its number among all functions and structs, and where.
type Uses = Vec<(usize, Span)>;

const ALL: Capabilities = Capabilities { targets: bits("*", TARGETS), stages: bits("*", STAGES) };

impl Capabilities {
    fn and(self, other: Capabilities) -> Capabilities {
        Capabilities { targets: self.targets & other.targets, stages: self.stages & other.stages }
    }
    fn or(self, other: Capabilities) -> Capabilities {
        Capabilities { targets: self.targets | other.targets, stages: self.stages | other.stages }
    }
    fn is_possible(self) -> bool {
        self.targets != 0 && self.stages != 0
    }
    /// Whether it can be used in a compute shader that runs here.
    fn is_ours(self) -> bool {
        let ours = OURS.iter().any(|t| self.targets & bit(t, TARGETS) != 0);
        ours && self.stages & bit(STAGE, STAGES) != 0
    }
    /// Whether it can be used in a compute shader of any target.
    fn is_compute(self) -> bool {
        self.targets != 0 && self.stages & bit(STAGE, STAGES) != 0
    }
    /// The targets for which it can be used in a compute shader.
    fn compute_targets(self) -> Vec<&'static str> {
        let can = |i: &usize| self.is_compute() && self.targets & 1 << i != 0;
        (0..TARGETS.len()).filter(can).map(|i| TARGETS[i]).collect()
    }
    /// The part for one stage.
    fn in_stage(self, stage: &str) -> Capabilities {
        Capabilities { stages: self.stages & bit(stage, STAGES), ..self }
    }
    fn words(self) -> String {
        let list = |set: u16, names: &[&str]| {
            let found: Vec<&str> = (0..names.len()).filter(|i| set & 1 << i != 0).map(|i| names[i]).collect();
            found.join(", ")
        };
        if self.stages == ALL.stages {
            return format!("for {}", list(self.targets, TARGETS));
        }
        if self.targets == ALL.targets {
            return format!("in the stages {}", list(self.stages, STAGES));
        }
        format!("for {} in the stages {}", list(self.targets, TARGETS), list(self.stages, STAGES))
    }
}

fn bit(name: &str, names: &[&str]) -> u16 {
    names.iter().position(|n| *n == name).map_or(0, |i| 1 << i)
}

const fn bits(all: &str, names: &[&str]) -> u16 {
    if all.len() == 1 { ((1u32 << names.len()) - 1) as u16 } else { 0 }
}

static TABLE: OnceLock<FxHashMap<&'static str, Capabilities>> = OnceLock::new();

fn table() -> &'static FxHashMap<&'static str, Capabilities> {
    TABLE.get_or_init(|| {
        let mut out = FxHashMap::default();
        for line in include_str!("capabilities.txt").lines().filter(|l| !l.starts_with('#')) {
            let mut parts = line.split(" | ");
            let mut set = |names: &[&str]| match parts.next() {
                Some("*") => bits("*", names),
                Some(list) => list.split(' ').fold(0, |set, name| set | bit(name, names)),
                None => 0,
            };
            let found = Capabilities { targets: set(TARGETS), stages: set(STAGES) };
            out.extend(parts.next().unwrap_or_default().split(' ').map(|name| (name, found)));
        }
        out
    })
}

/// Whether a label of `__target_switch` can have this name: it must stand for exactly one target.
pub(crate) fn is_target(name: &str) -> bool {
    table().get(name).is_some_and(|c| c.targets.count_ones() == 1 && c.stages == ALL.stages)
}

/// Whether a label of `__stage_switch` can have this name.
pub(crate) fn is_stage(name: &str) -> bool {
    STAGES.contains(&name)
}

impl Checker<'_> {
    /// Whether a function of the prelude is of other stages than this one, by its row.
    pub(crate) fn is_of_other_stage(&self, f: FuncId, stage: &str) -> bool {
        let info = &self.funcs[f.0 as usize];
        let needs = if info.is_prelude { self.required_of(&info.decl.mods) } else { None };
        needs.is_some_and(|needs| !needs.in_stage(stage).is_possible())
    }

    /// The stages of a function of the prelude, in words.
    pub(crate) fn stages_of(&self, f: FuncId) -> String {
        let needs = self.required_of(&self.funcs[f.0 as usize].decl.mods).unwrap_or(ALL);
        Capabilities { targets: ALL.targets, ..needs }.words()
    }

    /// Checks a `[require(a, b)]`, wherever it stands.
    pub(crate) fn check_requirement(&mut self, a: &ast::Attribute) {
        if a.args.is_empty() {
            self.error(codes::E0220, a.span, "`[require]` takes names of capabilities");
            return;
        }
        let mut all = ALL;
        for arg in &a.args {
            let ast::ExprKind::Name { name, args: None } = &arg.kind else {
                self.error(codes::E0281, arg.span, "this is not the name of a capability");
                continue;
            };
            let Some(&found) = table().get(name.name.as_str()) else {
                let near = nearest(&name.name, table().keys().copied());
                let d = self.error(codes::E0281, arg.span, format!("there is no capability `{}`", name.name));
                if let Some(near) = near {
                    d.notes.push(format!("did you mean `{near}`?"));
                }
                continue;
            };
            let both = all.and(found);
            if all.is_possible() && !both.is_possible() {
                let text = format!("nothing has `{}` and what stands before it", name.name);
                self.error(codes::E0282, arg.span, text)
                    .notes
                    .push("alternatives are written as several attributes `[require(…)]`".to_string());
            }
            all = both;
        }
    }

    /// The capabilities that the attributes of a declaration state; `None` if there are none.
    fn required_of(&self, mods: &ast::Modifiers) -> Option<Capabilities> {
        let mut found: Option<Capabilities> = None;
        for a in mods.attrs.iter().filter(|a| a.name.name == *"require") {
            let mut all = ALL;
            for arg in &a.args {
                if let ast::ExprKind::Name { name, args: None } = &arg.kind {
                    all = all.and(table().get(name.name.as_str()).copied().unwrap_or(ALL));
                }
            }
            found = Some(found.map_or(all, |f| f.or(all)));
        }
        found
    }

    /// The stated capabilities of each function, followed by those of each struct.
    fn said(&self) -> Vec<Option<Capabilities>> {
        let of_func = |f: &FuncInfo| if f.is_prelude { None } else { self.required_of(&f.decl.mods) };
        let of_struct = |s: &StructInfo| self.required_of(&s.decl.as_deref()?.mods);
        self.funcs.iter().map(of_func).chain(self.structs.iter().map(of_struct)).collect()
    }

    /// Checks that what functions require fits what they call and which types they use, and that
    /// entry points can be run here. All bodies must have been checked.
    pub(crate) fn check_requirements(&mut self) {
        let says = self.said();
        if says.iter().all(Option::is_none) {
            return;
        }
        let mut uses_of_all: Vec<Uses> = (0..self.funcs.len()).map(|i| self.used_by(i, &says)).collect();
        uses_of_all.resize(says.len(), Vec::new());
        self.check_stages_of_code(&says);
        // The remaining capabilities of each; those of a function without the attribute are limited
        // by its callees.
        let mut left: Vec<Capabilities> = says.iter().map(|s| s.unwrap_or(ALL)).collect();
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for f in 0..left.len() {
                let next = uses_of_all[f].iter().fold(left[f], |set, (g, _)| set.and(left[*g]));
                changed |= next != left[f];
                left[f] = next;
            }
        }
        for (f, uses) in uses_of_all.iter().enumerate().take(self.funcs.len()) {
            let info = &self.funcs[f];
            if info.is_prelude || info.instance_of.is_some() {
                continue;
            }
            let is_entry = info.attrs.entry.is_some();
            let mut have = says[f].unwrap_or(ALL);
            have = info.attrs.other_stage.map_or(have, |stage| have.in_stage(stage));
            let mut elsewhere = None;
            for (g, span) in uses {
                let next = have.and(left[*g]);
                // An entry point for other targets is checked but not run.
                if is_entry && have.is_ours() && !next.is_ours() && next.is_compute() && elsewhere.is_none() {
                    let way =
                        self.way_to_requirement((*g, *span), &uses_of_all, &says, &|g| have.and(left[g]).is_ours());
                    elsewhere = Some((self.requirement_text(*g, left[*g], true), way));
                }
                let wrong = match is_entry {
                    true => have.is_compute() && !next.is_compute(),
                    // Everything that a function uses must allow all that the function states.
                    false if says[f].is_some() => next != have,
                    false => have.is_possible() && !next.is_possible() && left[*g].is_possible(),
                };
                if !wrong {
                    have = next;
                    continue;
                }
                let fits = |g: usize| match is_entry {
                    true => have.and(left[g]).is_compute(),
                    false if says[f].is_some() => have.and(left[g]) == have,
                    false => have.and(left[g]).is_possible(),
                };
                let way = self.way_to_requirement((*g, *span), &uses_of_all, &says, &fits);
                self.report_requirement(f, *g, left[*g], is_entry, *span, way);
            }
            if is_entry && says[f].is_some_and(|s| !s.is_ours()) {
                let info = &self.funcs[f];
                let (at, says) = (info.decl.name().map_or(info.decl.span, |n| n.span), left[f]);
                let text = format!("this entry point is {}, and cannot be run here", says.words());
                match says.is_compute() {
                    true => elsewhere = Some((text, self.requirement_labels(f))),
                    false => self.error(codes::E0282, at, text).notes.push(ours()),
                }
            }
            let targets = have.compute_targets();
            self.funcs[f].attrs.elsewhere =
                elsewhere.map(|(why, labels)| Elsewhere { why: Name::new(&why), targets, labels });
        }
    }

    /// Checks that what functions call of the standard library is there in all stages that they
    /// state. Entry points are looked at where what they reach is.
    fn check_stages_of_code(&mut self, says: &[Option<Capabilities>]) {
        let count = self.funcs.len();
        let calls: Vec<Vec<(usize, Span)>> = (0..count).map(|f| self.mentioned_by(f, says)).collect();
        let mut stages: Vec<u16> = says.iter().map(|s| s.map_or(ALL.stages, |s| s.stages)).collect();
        for f in (0..count).filter(|f| self.funcs[*f].is_prelude) {
            let needs = self.required_of(&self.funcs[f].decl.mods);
            stages[f] = needs.map_or(ALL.stages, |needs| needs.stages);
        }
        // What a function without the attribute can be called in, its code says.
        let follows = |c: &Self, f: usize| {
            let info = &c.funcs[f];
            !info.is_prelude && !info.attrs.switches_by_target
        };
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for f in (0..count).filter(|f| says[*f].is_none() && follows(self, *f)) {
                let next = calls[f].iter().filter(|(g, _)| *g < count).fold(stages[f], |set, (g, _)| set & stages[*g]);
                changed |= next != stages[f];
                stages[f] = next;
            }
        }
        for f in 0..count {
            let info = &self.funcs[f];
            let is_entry = info.attrs.entry.is_some() || info.attrs.other_stage.is_some();
            if says[f].is_none() || is_entry || info.instance_of.is_some() || !follows(self, f) {
                continue;
            }
            let lacks = |(g, _): &&(usize, Span)| *g < count && says[*g].is_none() && stages[f] & !stages[*g] != 0;
            let Some(&(g, span)) = calls[f].iter().find(lacks) else { continue };
            let lacking = Capabilities { stages: stages[f] & !stages[g], ..ALL };
            let (name, called) = (info.name, self.funcs[g].name);
            let at = self.loc(span);
            let text =
                format!("`{name}` is said to be usable {}, and `{called}`, which it calls, is not", lacking.words());
            let place = self.entry_span(Entry::Func(FuncId(f as u32))).unwrap_or(span);
            self.error(codes::E0282, place, text).labels.push((at, "called here".to_string()));
        }
    }

    fn requirement_text(&self, g: usize, needs: Capabilities, is_entry: bool) -> String {
        let (name, verb) = match self.funcs.get(g) {
            Some(f) => (f.name, "call"),
            None => (self.structs[g - self.funcs.len()].name, "use"),
        };
        match is_entry {
            true => format!("`{name}` is {}, and a compute shader here cannot {verb} it", needs.words()),
            false => format!("`{name}` is {}, and this function, which uses it, is not", needs.words()),
        }
    }

    /// The attributes of a function or a struct that state its capabilities.
    fn requirement_labels(&self, g: usize) -> Vec<(Loc, String)> {
        let mods = match self.funcs.get(g) {
            Some(f) => Some(&f.decl.mods),
            None => self.structs[g - self.funcs.len()].decl.as_deref().map(|d| &d.mods),
        };
        let said = mods.into_iter().flat_map(|mods| &mods.attrs).filter(|a| a.name.name == *"require");
        said.map(|a| (self.loc(a.span), "required here".to_string())).collect()
    }

    /// The calls that lead from a use to what does not fit, and the attributes that say so.
    fn way_to_requirement(
        &self,
        (mut at, span): (usize, Span),
        uses: &[Uses],
        says: &[Option<Capabilities>],
        fits: &dyn Fn(usize) -> bool,
    ) -> Vec<(Loc, String)> {
        let mut labels = vec![(self.loc(span), "used here".to_string())];
        let mut seen = rustc_hash::FxHashSet::default();
        while says[at].is_none() && seen.insert(at) {
            let Some(&(next, span)) = uses[at].iter().find(|(g, _)| !fits(*g)) else { break };
            labels.push((self.loc(span), format!("used by `{}`", self.funcs[at].name)));
            at = next;
        }
        labels.extend(self.requirement_labels(at));
        labels
    }

    /// Reports at a function that what it uses at `span` is not for all that it is for.
    fn report_requirement(
        &mut self,
        f: usize,
        g: usize,
        needs: Capabilities,
        is_entry: bool,
        span: Span,
        way: Vec<(Loc, String)>,
    ) {
        let text = self.requirement_text(g, needs, is_entry);
        let name = self.entry_span(Entry::Func(FuncId(f as u32))).unwrap_or(span);
        let d = self.error(codes::E0282, name, text);
        let at = d.loc;
        d.labels.extend(way.into_iter().filter(|(loc, _)| *loc != at));
        if is_entry {
            d.notes.push(ours());
        }
    }

    /// The program's functions that a function calls and the structs with stated capabilities that
    /// it uses, with their spans.
    fn used_by(&self, f: usize, says: &[Option<Capabilities>]) -> Vec<(usize, Span)> {
        let mut out = self.mentioned_by(f, says);
        out.retain(|(g, _)| self.funcs.get(*g).is_none_or(|f| !f.is_prelude));
        out
    }

    /// The same with the functions of the standard library that it calls.
    fn mentioned_by(&self, f: usize, says: &[Option<Capabilities>]) -> Vec<(usize, Span)> {
        let info = &self.funcs[f];
        let mut out = Vec::new();
        if info.is_prelude {
            return out;
        }
        let structs = self.funcs.len();
        let of_type = |ty: Ty| -> Option<usize> {
            let id = ty.as_struct()?;
            let base = self.structs[id.0 as usize].instance_of.map_or(id, |(base, _)| base);
            let at = structs + base.0 as usize;
            says.get(at).is_some_and(|s| s.is_some()).then_some(at)
        };
        let at = info.decl.name().map_or(info.decl.span, |n| n.span);
        out.extend(self.this_type_of_ns(info.ns).and_then(of_type).map(|around| (around, at)));
        out.extend(info.params.iter().filter_map(|p| Some((of_type(p.ty)?, p.span))));
        let Some(body) = info.body.as_ref() else { return out };
        out.extend(body.locals.iter().filter(|l| l.param.is_none()).filter_map(|l| Some((of_type(l.ty)?, l.span))));
        fn look(e: &Expr, of_type: &dyn Fn(Ty) -> Option<usize>, out: &mut Vec<(usize, Span)>) {
            if let ExprKind::Call { func, .. } = &e.kind {
                out.push((func.func.0 as usize, e.span));
            }
            out.extend(of_type(e.ty).map(|at| (at, e.span)));
            e.for_each_part(&mut |part| look(part, of_type, out));
        }
        for s in &body.stmts {
            s.for_each_expr(&mut |e| look(e, &of_type, &mut out));
        }
        // A struct counts once, at its first use.
        let mut seen = rustc_hash::FxHashSet::default();
        out.retain(|(g, _)| *g < self.funcs.len() || seen.insert(*g));
        out
    }
}

fn ours() -> String {
    format!("programs are compiled for {} in the stage {STAGE}", OURS.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read() {
        assert!(table().len() > 400);
        assert!(table()["cpp"].is_ours() && table()["compute"].is_ours() && !table()["hlsl"].is_ours());
        assert!(!table()["fragment"].is_ours() && !table()["hlsl"].and(table()["cuda"]).is_possible());
        assert!(is_target("cuda") && is_target("spirv_1_3") && !is_target("cpp_cuda") && !is_target("compute"));
        assert!(is_stage("raygen") && !is_stage("pixel"));
    }
}
