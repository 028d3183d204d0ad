//! The instances of a module: which there are, what they are called, and the work list that makes
//! them.
//!
//! An instance is made once for each list of arguments; its name is the generic one's with the
//! arguments that a programmer would write. Asking without end is found by fuel: how often a
//! symbol's instances ask for others of it, one from inside the other, how large arguments get, how
//! many instances there are in all.

use super::dynamic::Dynamic;
use super::resolve::{Callee, Env, Fail, Resolver, shown_instance};
use super::size::Sizes;
use super::{Made, is_def, is_generic, is_template, rewrite};
use caustic_dialects::hl::generics::{GENERICS, generics_of, instance, readable_instance};
use caustic_dialects::{ad, hl};
use caustic_ir::codes;
use caustic_ir::{Attr, Diagnostic, Loc, Module, Name, SymbolOp, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// How often instances of one symbol may ask for further ones of it, each from inside the one
/// before.
const MAX_CHAIN: usize = 128;
/// Instances of one module.
const MAX_INSTANCES: usize = 1 << 16;
/// Diagnostics after which no more are looked for.
const MAX_DIAGNOSTICS: usize = 50;

/// Who asks for an instance.
#[derive(Clone, Copy)]
pub struct Asker {
    /// The instance, if it is one.
    pub instance: Option<usize>,
    pub loc: Loc,
}

struct Instance {
    of: Name,
    args: Vec<Attr>,
    name: Name,
    asker: Asker,
}

pub struct Instances<'m> {
    pub resolver: Resolver<'m>,
    pub dynamic: Dynamic,
    list: Vec<Instance>,
    index: FxHashMap<(Name, Vec<Attr>), usize>,
    /// Derivatives by what they are of and their mode.
    derivatives: FxHashMap<(Name, Name), Name>,
    made: Vec<SymbolOp>,
    /// The types of functions that calls are checked against.
    types: FxHashMap<Name, Type>,
    taken: FxHashSet<Name>,
    next: usize,
    sizes: Sizes,
}

/// The symbols of the module without anything generic, in order, instances behind the others.
pub fn specialize(module: &Module) -> Result<(Vec<SymbolOp>, Made), Vec<Diagnostic>> {
    let mut this = Instances {
        resolver: Resolver::new(module),
        dynamic: Dynamic::default(),
        list: Vec::new(),
        index: FxHashMap::default(),
        derivatives: FxHashMap::default(),
        made: Vec::new(),
        types: FxHashMap::default(),
        taken: module.symbols().iter().map(|s| s.name).collect(),
        next: 0,
        sizes: Sizes::default(),
    };
    for symbol in module.symbols().iter().filter(|s| is_def(s, ad::Derivative::DEF)) {
        if let (Some(of), Some(mode)) = (ad::requested(symbol), mode_of(symbol)) {
            this.derivatives.insert((of, mode), symbol.name);
        }
    }
    let mut found = Vec::new();
    let mut seen = FxHashMap::default();
    let mut symbols = Vec::new();
    for symbol in module.symbols().iter().filter(|s| !is_template(s)) {
        if !is_generic(symbol, &mut seen) {
            symbols.push(symbol.clone());
            continue;
        }
        let asker = Asker { instance: None, loc: symbol.loc };
        match this.root(symbol, asker) {
            Ok(done) => symbols.extend(done),
            Err(d) => found.push(d),
        }
    }
    this.work(&mut found);
    if !found.is_empty() {
        return Err(found);
    }
    let made = Made { instances: this.made.len() as u64, dispatchers: this.dynamic.dispatchers() as u64 };
    symbols.append(&mut this.made);
    this.dynamic.finish(&this.resolver, &mut symbols)?;
    Ok((symbols, made))
}

fn mode_of(symbol: &SymbolOp) -> Option<Name> {
    let settled = ad::Derivative::of_symbol(symbol).and_then(|d| d.mode(symbol));
    settled.or_else(|| hl::Derivative::of_symbol(symbol)?.mode(symbol)).map(Name::new)
}

impl<'m> Instances<'m> {
    /// A symbol that is not generic itself, but says something generic.
    fn root(&mut self, symbol: &SymbolOp, asker: Asker) -> Result<Option<SymbolOp>, Diagnostic> {
        let env = Env::default();
        if is_def(symbol, hl::Derivative::DEF) {
            let symbol = self.derivative(symbol, &env, Some(symbol.name), asker)?;
            return Ok(symbol.1);
        }
        let mut new = symbol.clone();
        rewrite::rewrite(&mut new, &env, self, asker)?;
        Ok(Some(new))
    }

    /// Makes what has been asked for, until nothing is left to do.
    fn work(&mut self, found: &mut Vec<Diagnostic>) {
        loop {
            while self.next < self.list.len() && found.len() < MAX_DIAGNOSTICS {
                let at = self.next;
                self.next += 1;
                if let Err(d) = self.make(at) {
                    found.push(self.explained(d, at));
                }
            }
            if found.len() >= MAX_DIAGNOSTICS {
                return;
            }
            // Each conforming type needs its function for each call that chooses by type; these may
            // need more.
            match self.dynamic.next_choice() {
                None => return,
                Some(choice) => {
                    let asker = Asker { instance: None, loc: choice.loc };
                    let done = self.function(choice.function(), &Env::default(), asker);
                    match done {
                        Ok(name) => self.dynamic.choose(choice, name),
                        Err(d) => {
                            self.dynamic.choose(choice, Name::new(""));
                            found.push(d);
                        }
                    }
                }
            }
        }
    }

    /// A diagnostic inside of an instance, with the place that asked for it.
    fn explained(&self, d: Diagnostic, at: usize) -> Diagnostic {
        let instance = &self.list[at];
        let shown = readable_instance(&instance.of, &instance.args);
        if instance.asker.loc.source() == d.loc.source() {
            return d;
        }
        d.with_label_at(instance.asker.loc, format!("`{shown}` is asked for here"))
    }

    fn make(&mut self, at: usize) -> Result<(), Diagnostic> {
        let (of, name, args) = (self.list[at].of, self.list[at].name, self.list[at].args.clone());
        let Some(template) = self.resolver.module.get(of) else { return Ok(()) };
        let env = self.resolver.env(template, &args).map_err(|f| f.at(self.list[at].asker.loc))?;
        let mut symbol = template.clone();
        symbol.name = name;
        symbol.remove_attr(GENERICS);
        symbol.loc = template.loc.derived(name);
        rewrite::rewrite(&mut symbol, &env, self, Asker { instance: Some(at), loc: template.loc })?;
        self.made.push(symbol);
        Ok(())
    }

    /// The symbol of a function that generic arguments decide.
    pub fn function(&mut self, function: Attr, env: &Env, asker: Asker) -> Result<Name, Diagnostic> {
        let callee = self.resolver.function(function, env).map_err(|f| f.at(asker.loc))?;
        self.callee(callee, asker)
    }

    pub fn callee(&mut self, callee: Callee, asker: Asker) -> Result<Name, Diagnostic> {
        match callee {
            Callee::Instance(of, args) => self.instance(of, args, asker),
            Callee::Dynamic { interface, key, args } => {
                self.dynamic.dispatcher(&self.resolver, &mut self.taken, interface, key, args, asker.loc)
            }
        }
    }

    fn instance(&mut self, of: Name, args: Vec<Attr>, asker: Asker) -> Result<Name, Diagnostic> {
        let Some(template) = self.resolver.module.get(of) else {
            return Err(Diagnostic::invalid_ir(asker.loc, format!("there is no function `@{of}`")));
        };
        if template.function_type().is_none() {
            return Err(Diagnostic::invalid_ir(asker.loc, format!("@{of} is no function")));
        }
        let key = (of, args);
        if let Some(&at) = self.index.get(&key) {
            return Ok(self.list[at].name);
        }
        let args = key.1;
        let params = generics_of(&template.attrs).unwrap_or_default();
        if params.is_empty() && args.is_empty() {
            return Ok(of);
        }
        self.afford(of, &args, asker)?;
        let env = self.resolver.env(template, &args).map_err(|f| f.at(asker.loc))?;
        if is_def(template, hl::Derivative::DEF) {
            let asker = Asker { instance: asker.instance, ..asker };
            let (name, made) = self.derivative(template, &env, None, asker)?;
            self.made.extend(made);
            return Ok(name);
        }
        let name = self.fresh(&readable_instance(&of, &args));
        if let Some(ty) = template.signature_type() {
            let ty = self.resolver.value_type(ty, &env).map_err(|f| f.at(asker.loc))?;
            self.types.insert(name, ty);
        }
        self.index.insert((of, args.clone()), self.list.len());
        self.list.push(Instance { of, args, name, asker });
        Ok(name)
    }

    /// Fuel.
    fn afford(&mut self, of: Name, args: &[Attr], asker: Asker) -> Result<(), Diagnostic> {
        let mut chain = 0;
        let mut at = asker.instance;
        while let Some(i) = at {
            chain += usize::from(self.list[i].of == of);
            at = self.list[i].asker.instance;
        }
        if chain < MAX_CHAIN && self.list.len() < MAX_INSTANCES && self.sizes.admit(args) {
            return Ok(());
        }
        let text = format!("`{of}` needs too many instances of itself");
        let shown = shown_instance(instance(of, args));
        let shown: String =
            if shown.chars().count() > 80 { shown.chars().take(80).chain(['…']).collect() } else { shown };
        Err(Diagnostic::error(codes::E0501, asker.loc, text).with_label(format!("asks for `{shown}`")).with_note(
            "a generic function may call itself with other arguments only if that comes to an end at compile time",
        ))
    }

    fn fresh(&mut self, base: &str) -> Name {
        let mut name = Name::new(base);
        let mut n = 1;
        while !self.taken.insert(name) {
            name = Name::new(&format!("{base}_{n}"));
            n += 1;
        }
        name
    }

    /// The name of a derivative with the arguments put in, and its symbol if there is none yet.
    fn derivative(
        &mut self,
        template: &SymbolOp,
        env: &Env,
        name: Option<Name>,
        asker: Asker,
    ) -> Result<(Name, Option<SymbolOp>), Diagnostic> {
        let broken =
            || Diagnostic::invalid_ir(template.loc, format!("@{} is the derivative of no function", template.name));
        let (of, mode) = hl::Derivative::of_symbol(template)
            .and_then(|d| d.of(template))
            .zip(mode_of(template))
            .ok_or_else(broken)?;
        let of = self.function(of, env, Asker { loc: template.loc, ..asker })?;
        if name.is_none()
            && let Some(&known) = self.derivatives.get(&(of, mode))
        {
            return Ok((known, None));
        }
        let name = name.unwrap_or_else(|| self.fresh(&format!("{mode}_diff({of})")));
        let mut symbol = SymbolOp::new(ad::Derivative::DEF, name, template.loc);
        for (key, value) in template.attrs.iter().filter(|(key, _)| *key != GENERICS && *key != "of") {
            let value = self.resolver.types_in(*value, env).map_err(|f| f.at(template.loc))?;
            let erased = value.as_type().map_or(value, |ty| Attr::ty(hl::source::erase(ty)));
            symbol.set_attr(key, erased);
        }
        symbol.set_attr("of", Attr::symbol(of));
        if let Some(ty) = symbol.signature_type() {
            self.types.insert(name, ty);
        }
        self.derivatives.entry((of, mode)).or_insert(name);
        Ok((name, Some(symbol)))
    }

    /// The type of the function of that name, as calls see it.
    pub fn type_of(&self, name: Name) -> Option<Type> {
        let known = self.types.get(&name).copied().or_else(|| self.dynamic.type_of(name));
        known.or_else(|| self.resolver.module.get(name)?.signature_type())
    }
}

pub fn ir_error(loc: Loc) -> impl Fn(Fail) -> Diagnostic {
    move |fail| fail.at(loc)
}
