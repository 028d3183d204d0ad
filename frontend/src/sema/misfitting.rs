//! What is different at a member that has the name of a requirement and does not provide it.

use super::conform::Conformance;
use super::members::Member;
use super::*;

impl Checker<'_> {
    /// What differs, in one sentence; `None` if it is not known.
    pub(super) fn what_differs(&mut self, c: &Conformance, required: Entry, found: Member) -> Option<String> {
        match (required, found.entry) {
            (Entry::Func(r), Entry::Func(f)) => self.functions_differ(c, r, f, &found),
            (Entry::Func(r), Entry::Property(p)) => {
                let is_get = !self.funcs[r.0 as usize].ret.is_void();
                let info = &self.properties[p.0 as usize];
                let (accessor, other) = if is_get { (info.get, info.set) } else { (info.set, info.get) };
                match accessor {
                    Some(f) => self.functions_differ(c, r, f, &found),
                    None if other.is_some() => Some(format!("this has no `{}`", if is_get { "get" } else { "set" })),
                    None => None,
                }
            }
            (Entry::Const(k), Entry::Const(f)) => {
                let s = self.interface_subst(c.interface, c.ty);
                let (want, have) = (self.const_value(k).ty, self.const_value(f).ty);
                let (want, have) = (self.subst(want, &s), self.subst(have, &found.subst));
                (want != have).then(|| format!("this is `{}`, and `{}` is required", self.show(have), self.show(want)))
            }
            (Entry::Const(_), _) => Some("this is not `static const`".to_string()),
            (Entry::Func(_), _) => Some("this is no function".to_string()),
            _ => None,
        }
    }

    fn functions_differ(&mut self, c: &Conformance, required: FuncId, found: FuncId, m: &Member) -> Option<String> {
        self.ensure_signature(found);
        let s = self.interface_subst(c.interface, c.ty);
        let (want, have) = (self.funcs[required.0 as usize].clone(), self.funcs[found.0 as usize].clone());
        match (want.this, have.this) {
            (None, Some(_)) => return Some("this is not `static`".to_string()),
            (Some(Dir::In), Some(Dir::InOut)) => {
                return Some("this is `[mutating]`, and callers do not expect their object to change".to_string());
            }
            _ => {}
        }
        let (own, theirs) = (self.own_of(required).len(), self.own_of(found).len());
        if own != theirs {
            return Some(format!("this has {theirs} generic parameters, and {own} are required"));
        }
        // Generic parameters of their own have the same place in both.
        let mut found_subst = m.subst.clone();
        for (p, q) in self.own_of(found).iter().zip(self.own_of(required)) {
            found_subst.set(*p, self.param_arg(q));
        }
        let written = |f: &FuncInfo| f.params[usize::from(f.this.is_some())..].to_vec();
        let (asked, given) = (written(&want), written(&have));
        if asked.len() != given.len() {
            return Some(format!("this takes {}, and {} are required", count(given.len()), asked.len()));
        }
        for (p, q) in asked.iter().zip(&given) {
            let (wanted, is) = (self.subst(p.ty, &s), self.subst(q.ty, &found_subst));
            if wanted != is {
                let (wanted, is) = (self.show(wanted), self.show(is));
                return Some(format!("`{}` is `{is}`, and `{wanted}` is required", q.name));
            }
            if p.dir != q.dir && (p.dir == Dir::In || q.dir != Dir::In) {
                return Some(format!("`{}` is `{}`, and `{}` is required", q.name, word(q.dir), word(p.dir)));
            }
        }
        let (wanted, is) = (self.subst(want.ret, &s), self.subst(have.ret, &found_subst));
        match (self.thrown(wanted), self.thrown(is)) {
            (None, Some(_)) => Some("this may throw, and the requirement does not say `throws`".to_string()),
            _ if wanted != is => {
                Some(format!("this is of type `{}`, and `{}` is required", self.show(is), self.show(wanted)))
            }
            _ => None,
        }
    }
}

fn count(n: usize) -> String {
    format!("{n} parameter{}", if n == 1 { "" } else { "s" })
}

fn word(dir: Dir) -> &'static str {
    match dir {
        Dir::In => "in",
        Dir::Out => "out",
        Dir::InOut => "inout",
    }
}
