//! What entry points reach: functions that are only declared, and functions of other stages.
//!
//! A declaration alone is no error, and neither is a function that calls it: only an entry point
//! makes code run. Calls through interfaces lead to functions that are found elsewhere.

use super::*;
use caustic_ir::Input;
use caustic_ir::codes;
use std::collections::VecDeque;

/// Words and attributes of functions whose bodies are given elsewhere.
const GIVEN_ELSEWHERE: [&str; 4] = ["__extern_cpp", "DllImport", "CudaDeviceExport", "CUDADeviceExport"];

/// The static variable that a place is, or is a part of.
fn static_of(place: &Expr) -> Option<StaticId> {
    match &place.kind {
        ExprKind::Static { id, .. } => Some(*id),
        ExprKind::Field { base, .. } | ExprKind::Index { base, .. } => static_of(base),
        _ => None,
    }
}

/// How a function was reached: by which one, and where.
type Ways = FxHashMap<FuncId, (FuncId, Span)>;

impl Checker<'_> {
    /// Checks what each entry point reaches, or the one that is `named`. All bodies must have been
    /// checked. With `all`, also what only making code would find.
    pub(crate) fn check_reachable(&mut self, named: Option<&str>, all: bool) {
        let holds_values = |s: &statics::StaticInfo| matches!(s.ty.kind(), types::TyKind::Interface(_));
        if self.failed() || !all && !self.statics.iter().any(holds_values) {
            return;
        }
        let mut calls: FxHashMap<FuncId, Rc<[(FuncId, Span)]>> = FxHashMap::default();
        let mut reported = rustc_hash::FxHashSet::default();
        let mut run: Vec<FuncId> = Vec::new();
        for i in 0..self.funcs.len() {
            let info = &self.funcs[i];
            let other = named.is_some_and(|named| info.name != *named);
            if info.is_prelude || info.instance_of.is_some() || info.owner.is_some() || other {
                continue;
            }
            let stage = match (&info.attrs.entry, info.attrs.other_stage) {
                (Some(_), _) => capabilities::STAGE,
                (None, Some(stage)) if info.attrs.says_stage => stage,
                _ => continue,
            };
            let entry = FuncId(i as u32);
            let ways = self.ways_from(entry, &mut calls);
            run.extend(ways.keys().copied().chain([entry]));
            if !all {
                continue;
            }
            let mut reached: Vec<(FuncId, FuncId, Span)> = ways.iter().map(|(f, (by, at))| (*f, *by, *at)).collect();
            reached.sort_by_key(|(_, _, at)| (at.lo, at.hi));
            if let Some((f, _, at)) = reached.iter().find(|(f, ..)| self.is_of_other_stage(*f, stage)) {
                self.report_stage(entry, stage, *f, *at);
            }
            for (f, by, at) in reached {
                if self.is_only_declared(f) && reported.insert(f) {
                    self.report_only_declared(f, by, at);
                }
            }
        }
        run.sort_unstable_by_key(|f| f.0);
        run.dedup();
        self.check_static_values(&run);
    }

    /// Reports static variables of interface types that what runs uses and nothing sets: which type
    /// a call on one leads to is not known.
    fn check_static_values(&mut self, run: &[FuncId]) {
        let asked = |s: &statics::StaticInfo| s.init.is_none() && matches!(s.ty.kind(), types::TyKind::Interface(_));
        if self.failed() || !self.statics.iter().any(asked) {
            return;
        }
        let (mut used, mut set) = (Vec::new(), rustc_hash::FxHashSet::default());
        // What is called through an interface may set them, too.
        for (i, info) in self.funcs.iter().enumerate() {
            let Some(body) = &info.body else { continue };
            let mut here = Vec::new();
            body.stmts.iter().for_each(|s| s.for_each_expr(&mut |e| self.statics_in(e, &mut here, &mut set)));
            if run.binary_search_by_key(&(i as u32), |f| f.0).is_ok() {
                used.extend(here);
            }
        }
        used.retain(|(id, _): &(StaticId, Span)| !set.contains(id) && asked(&self.statics[id.0 as usize]));
        used.sort_unstable_by_key(|(id, at)| (id.0, at.lo));
        used.dedup_by_key(|(id, _)| *id);
        for (id, at) in used {
            let info = &self.statics[id.0 as usize];
            let (name, declared) = (info.name, self.loc(info.span));
            let d = self.error(codes::E0248, at, format!("`{name}` holds no value: nothing sets it"));
            d.labels.push((declared, "declared without one".to_string()));
            d.notes.push("which type a call leads to is known only once a value was assigned".to_string());
        }
    }

    /// The static variables that an expression names, and those that it may set.
    fn statics_in(&self, e: &Expr, used: &mut Vec<(StaticId, Span)>, set: &mut rustc_hash::FxHashSet<StaticId>) {
        match &e.kind {
            ExprKind::Static { id, .. } => used.push((*id, e.span)),
            ExprKind::Assign { place, .. } | ExprKind::Update { place, .. } => set.extend(static_of(place)),
            ExprKind::Call { func, args } => {
                let params = &self.funcs[func.func.0 as usize].params;
                let written = args.iter().zip(params).filter(|(_, p)| p.dir != Dir::In);
                set.extend(written.filter_map(|(a, _)| static_of(a)));
            }
            ExprKind::CallDeriv { args, dirs, .. } => {
                let written = args.iter().zip(dirs).filter(|(_, dir)| **dir != Dir::In);
                set.extend(written.filter_map(|(a, _)| static_of(a)));
            }
            ExprKind::Access(a) => set.extend(a.args.first().and_then(static_of)),
            _ => {}
        }
        e.for_each_part(&mut |part| self.statics_in(part, used, set));
    }

    /// All functions that a function reaches.
    fn ways_from(&mut self, entry: FuncId, calls: &mut FxHashMap<FuncId, Rc<[(FuncId, Span)]>>) -> Ways {
        let mut ways = Ways::default();
        let mut open = VecDeque::from([entry]);
        while let Some(f) = open.pop_front() {
            let here = calls.entry(f).or_insert_with(|| self.calls_of(f).into()).clone();
            for (g, at) in here.iter() {
                if *g != entry && !ways.contains_key(g) {
                    ways.insert(*g, (f, *at));
                    open.push_back(*g);
                }
            }
        }
        ways
    }

    /// The functions that a function of the program calls, in code that is run.
    fn calls_of(&self, f: FuncId) -> Vec<(FuncId, Span)> {
        let info = &self.funcs[f.0 as usize];
        let mut out = Vec::new();
        let Some(body) = info.body.as_ref().filter(|_| !info.is_prelude) else { return out };
        for s in &body.stmts {
            s.for_each_expr(&mut |e| self.calls_in(e, &mut out));
            if !reach::reaches_end(std::slice::from_ref(s)) {
                break;
            }
        }
        for (f, _) in &mut out {
            *f = self.defined.get(f).copied().unwrap_or(*f);
        }
        out
    }

    fn calls_in(&self, e: &Expr, out: &mut Vec<(FuncId, Span)>) {
        match &e.kind {
            ExprKind::Call { func, .. } => out.push((func.func, e.span)),
            ExprKind::CallDeriv { func, .. } => {
                // What replaces a derivative is run in its place.
                let links = &self.funcs[func.func.0 as usize].links;
                let given = [links.forward, links.backward, links.substitute];
                match links.any() {
                    true => out.extend(given.into_iter().flatten().map(|f| (f.func, e.span))),
                    false => out.push((func.func, e.span)),
                }
            }
            ExprKind::Access(a) => out.extend(a.get.into_iter().chain(a.set).map(|f| (f.func, e.span))),
            _ => {}
        }
        e.for_each_part(&mut |part| self.calls_in(part, out));
    }

    /// Whether a function of the program has a body nowhere.
    fn is_only_declared(&self, f: FuncId) -> bool {
        let info = &self.funcs[f.0 as usize];
        let mods = &info.decl.mods;
        let elsewhere = GIVEN_ELSEWHERE.iter().any(|word| mods.has(word) || mods.attr(word).is_some());
        !info.is_prelude
            && !info.has_body
            && info.intrinsic.is_none()
            && info.instance_of.is_none()
            && info.dispatch.is_none()
            && !elsewhere
            && !info.attrs.host
            && !info.is_constructor
            && !matches!(info.owner, Some(Owner::Interface(_)))
    }

    fn report_only_declared(&mut self, f: FuncId, by: FuncId, at: Span) {
        let (name, by) = (self.funcs[f.0 as usize].name, self.funcs[by.0 as usize].name);
        let span = self.entry_span(Entry::Func(f)).unwrap_or_default();
        let at = self.loc(at);
        let (text, used) = match properties::accessor_of(&name) {
            Some((of, word)) => (format!("the `{word}` of `{of}` is only declared, and `{by}` needs it"), "used here"),
            None => (format!("`{name}` is only declared, and `{by}` calls it"), "called here"),
        };
        let d = self.error(codes::E0303, span, text);
        d.labels.push((at, used.to_string()));
        d.notes.push("write its body, or import a module that has it".to_string());
    }

    fn report_stage(&mut self, entry: FuncId, stage: &str, f: FuncId, at: Span) {
        let name = match self.funcs[f.0 as usize].name {
            n if n == *"__discard" => Name::new("discard"),
            n => n,
        };
        let (needs, shown) = (self.stages_of(f), self.funcs[entry.0 as usize].name);
        let span = self.entry_span(Entry::Func(entry)).unwrap_or_default();
        let at = self.loc(at);
        let text = format!("`{shown}` is of the stage {stage}, which has no `{name}`");
        let d = self.error(codes::E0282, span, text);
        d.labels.push((at, "used here".to_string()));
        d.notes.push(format!("`{name}` is {needs}"));
    }

    /// Reports a generic entry point that nothing gives arguments.
    pub(crate) fn check_generic_entry(&mut self, entry: Option<&str>, types: &[String]) {
        if !types.is_empty() {
            return;
        }
        let of_stage =
            |f: &FuncInfo| !f.is_prelude && f.instance_of.is_none() && f.owner.is_none() && f.attrs.entry.is_some();
        let all: Vec<usize> = (0..self.funcs.len()).filter(|i| of_stage(&self.funcs[*i])).collect();
        for &i in &all {
            let info = &self.funcs[i];
            let asked = entry.map_or(all.len() == 1 || info.name == *"computeMain", |e| info.name == *e);
            if !info.declares_generics || !asked {
                continue;
            }
            let (name, span) = (info.name, info.decl.name().map_or(info.decl.span, |n| n.span));
            self.error(
                codes::E0247,
                span,
                format!("the entry point `{name}` is generic, and nothing gives its types"),
            )
            .input = Some(Input::EntryTypes);
        }
    }
}
