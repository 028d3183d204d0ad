//! What belongs together in differentiation: typed links between a function, its instances and the
//! functions made from it.
//!
//! An *instance* is a function with the inputs that are active and the results whose derivatives
//! are wanted. Its symbol (`ad.instance`) holds links to its forms: the linearization, the unzipped
//! and transposed function, the forward derivative, the primal half and the backward half. A form
//! may be yet to be made, or gone again; its name is reserved. A *variant* (`ad.variant`) links a
//! function to what a step made from it to be differentiated in its place.
//!
//! Invariant: symbols' names are hints for readers. Nothing takes them apart, and no function is
//! found by a name that was put together: two functions of the program may be called whatever they
//! like.

use crate::mutants::{Site, mutant};
use caustic_dialects::ad;
use caustic_dialects::signature::Signature;
use caustic_ir::{Attr, Loc, Module, Name, SymbolOp};
use rustc_hash::{FxHashMap, FxHashSet};

/// A function with a set of active inputs, and the results whose derivatives are wanted.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Instance {
    pub func: Name,
    pub active: Vec<bool>,
    /// True for results without a differential too, so that equal demands are one instance.
    pub wanted: Vec<bool>,
}

impl Instance {
    /// The instance with every input active that can be, and all results.
    pub fn all_active(symbol: &SymbolOp, signature: &Signature) -> Instance {
        let active = (0..signature.inputs.len()).map(|i| signature.input_differential(i).is_some()).collect();
        Instance { func: symbol.name, active, wanted: vec![true; signature.results.len()] }
    }

    /// How an instance is shown to a reader: `f.wrt101` if only some of the inputs that can be
    /// active are, `f.of10` if only some results are wanted.
    fn shown(&self, signature: &Signature) -> String {
        let all = (0..self.active.len()).all(|i| self.active[i] == signature.input_differential(i).is_some());
        let bits = |mask: &[bool]| mask.iter().map(|&a| if a { '1' } else { '0' }).collect::<String>();
        let mut shown = self.func.to_string();
        if !all {
            shown.push_str(&format!(".wrt{}", bits(&self.active)));
        }
        if self.wanted.contains(&false) {
            shown.push_str(&format!(".of{}", bits(&self.wanted)));
        }
        shown
    }
}

/// What is known of the cotangents that a linear half takes. Each form is a function of its own
/// (`bwd` and `unsure` of the instance, and an `ad.half` for each other one), so that what one
/// caller knows changes no number that another one gets.
///
/// A bit stands for a scalar of the cotangents, see [`MOST_LEAVES`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Form {
    /// Those that are dense wherever their reached flags are set: a zero there was computed.
    pub dense: u64,
    /// Those that are exact zeros.
    pub absent: u64,
}

/// What is known of the scalars of cotangents is told one by one for so many of them, of all
/// results together.
pub const MOST_LEAVES: usize = 60;

impl Form {
    /// All are dense. Custom derivatives take such.
    pub const SURE: Form = Form { dense: u64::MAX, absent: 0 };
    /// A zero among them may be one that nothing reached: it annihilates infinite partials.
    pub const UNSURE: Form = Form { dense: 0, absent: 0 };
    /// Those that each instance names.
    pub const NAMED: [Form; 2] = [Form::SURE, Form::UNSURE];

    pub fn to_attr(self) -> Attr {
        Attr::i64_array(&[self.dense as i64, self.absent as i64])
    }

    pub fn from_attr(attr: Attr) -> Option<Form> {
        Form::from_bits(&attr.as_i64_array()?)
    }

    fn from_bits(bits: &[i64]) -> Option<Form> {
        let &[dense, absent] = bits else { return None };
        Some(Form { dense: dense as u64, absent: absent as u64 })
    }
}

/// The symbols of an instance and of its forms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Forms {
    pub instance: Name,
    /// The linearization.
    pub jvp: Name,
    /// Unzipped, then transposed.
    pub rev: Name,
    /// The forward derivative on data.
    pub fwd: Name,
    /// The primal half, which gives a context besides.
    pub primal: Name,
    /// The backward half, which takes the context.
    pub bwd: Name,
    /// The same in [`Form::UNSURE`].
    pub unsure: Name,
    /// The forward derivative, first its linearization, that takes and gives whether tangents were
    /// reached.
    pub gated: Name,
}

/// The attributes that hold the links to the forms, in the order of [`Forms`].
const FORMS: [&str; 7] = ["jvp", "rev", "fwd", "primal", "bwd", "unsure", "gated"];
const ACTIVE_RESULTS: &str = "active_results";
const SHOWN: &str = "shown";
/// On an `ad.half`: its form.
const KNOWN: &str = "known";

impl Forms {
    fn new(instance: Name, forms: [Name; 7]) -> Forms {
        let [jvp, rev, fwd, primal, bwd, unsure, gated] = forms;
        Forms { instance, jvp, rev, fwd, primal, bwd, unsure, gated }
    }
    /// The forward derivative, with flags or without.
    pub fn forward(&self, gated: bool) -> Name {
        if gated { self.gated } else { self.fwd }
    }
    /// What it is made of.
    pub fn linearization(&self, gated: bool) -> Name {
        if gated { self.gated } else { self.jvp }
    }
    /// A name for the type of the context: a hint, since types are told apart by their fields.
    pub fn context(&self) -> String {
        format!("{}.Context", self.primal)
    }
}

#[derive(Clone, PartialEq, Debug)]
struct Entry {
    of: Instance,
    forms: Forms,
    results: Vec<bool>,
    shown: &'static str,
    /// The backward halves in other forms.
    halves: Vec<(Form, Name)>,
}

/// The instances of a module.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Links {
    entries: FxHashMap<Name, Entry>,
    by_instance: FxHashMap<Instance, Name>,
    /// Made here and not yet in the module.
    made: Vec<Name>,
    made_halves: Vec<(Name, Form)>,
}

fn mask(symbol: &SymbolOp, attr: &str) -> Vec<bool> {
    let items = symbol.attr(attr).and_then(|a| a.as_i64_array()).unwrap_or_default();
    items.into_iter().map(|i| i != 0).collect()
}

fn mask_attr(mask: &[bool]) -> Attr {
    Attr::i64_array(&mask.iter().map(|&m| m as i64).collect::<Vec<_>>())
}

/// Whether a symbol is a link of differentiation and no code.
pub fn is_link(symbol: &SymbolOp) -> bool {
    [ad::Instance::DEF, ad::Half::DEF, ad::Variant::DEF].iter().any(|link| std::ptr::eq(symbol.def, *link))
}

impl Links {
    pub fn of(module: &Module) -> Links {
        let mut links = Links::default();
        for symbol in module.symbols().iter().filter(|s| std::ptr::eq(s.def, ad::Instance::DEF)) {
            let name = |attr: &str| symbol.attr(attr).and_then(|a| a.as_symbol());
            let (Some(func), [Some(jvp), Some(rev), Some(fwd), Some(primal), Some(bwd), Some(unsure), Some(gated)]) =
                (name("of"), FORMS.map(name))
            else {
                continue;
            };
            let of = Instance { func, active: mask(symbol, "active"), wanted: mask(symbol, "wanted") };
            let entry = Entry {
                forms: Forms::new(symbol.name, [jvp, rev, fwd, primal, bwd, unsure, gated]),
                results: mask(symbol, ACTIVE_RESULTS),
                shown: symbol.attr(SHOWN).and_then(|a| a.as_str()).unwrap_or(func.as_str()),
                of: of.clone(),
                halves: Vec::new(),
            };
            links.by_instance.insert(of, symbol.name);
            links.entries.insert(symbol.name, entry);
        }
        for symbol in module.symbols() {
            let Some(half) = ad::Half::of_symbol(symbol) else { continue };
            let form = half.known(symbol).and_then(|bits| Form::from_bits(&bits));
            let (Some(of), Some(function), Some(form)) = (half.of(symbol), half.function(symbol), form) else {
                continue;
            };
            if let Some(entry) = links.entries.get_mut(&of) {
                entry.halves.push((form, function));
            }
        }
        links
    }

    /// The instance's symbols, if it has a symbol.
    #[mutant(Site::InstanceByName => self.find_by_text(instance))]
    pub fn find(&self, instance: &Instance) -> Option<Forms> {
        self.by_instance.get(instance).and_then(|name| self.forms(*name))
    }
    /// The mistake of telling instances apart by the text of symbols.
    fn find_by_text(&self, instance: &Instance) -> Option<Forms> {
        let same = |of: &Instance| {
            let alike = of.active == instance.active && of.wanted == instance.wanted;
            alike && before_masks(of.func) == before_masks(instance.func)
        };
        self.entries.values().find(|e| same(&e.of)).map(|e| e.forms)
    }
    pub fn forms(&self, instance: Name) -> Option<Forms> {
        self.entries.get(&instance).map(|e| e.forms)
    }
    /// The backward half of an instance in a form.
    pub fn backward(&self, instance: Name, form: Form) -> Option<Name> {
        let entry = self.entries.get(&instance)?;
        match form {
            Form::SURE => Some(entry.forms.bwd),
            Form::UNSURE => Some(entry.forms.unsure),
            form => entry.halves.iter().find(|(known, _)| *known == form).map(|(_, name)| *name),
        }
    }
    /// All backward halves that an instance may have.
    pub fn halves(&self, instance: Name) -> Vec<(Form, Name)> {
        let Some(entry) = self.entries.get(&instance) else { return Vec::new() };
        let named = [(Form::SURE, entry.forms.bwd), (Form::UNSURE, entry.forms.unsure)];
        named.into_iter().chain(entry.halves.iter().copied()).collect()
    }
    /// Names the backward half of an instance in a form, if it has no name yet.
    pub fn name_half(&mut self, module: &Module, instance: Name, form: Form) {
        if self.backward(instance, form).is_some() {
            return;
        }
        let Some(entry) = self.entries.get_mut(&instance) else { return };
        let base = format!("{}.known{}", entry.forms.bwd, entry.halves.len());
        let names = (0..).map(|n| Name::new(&if n == 0 { base.clone() } else { format!("{base}_{n}") }));
        let Some(name) = names.into_iter().find(|n| !module.contains(*n)) else { return };
        entry.halves.push((form, name));
        self.made_halves.push((instance, form));
    }
    /// All instances, in no order.
    pub fn instances(&self) -> impl Iterator<Item = Name> + '_ {
        self.entries.keys().copied()
    }
    /// The function that an instance is of.
    pub fn function(&self, instance: Name) -> Option<Name> {
        self.entries.get(&instance).map(|e| e.of.func)
    }
    /// The results that have a derivative.
    pub fn results(&self, instance: Name) -> Option<&[bool]> {
        self.entries.get(&instance).map(|e| e.results.as_slice())
    }
    /// How a reader is told of an instance.
    pub fn shown(&self, instance: Name) -> Name {
        self.entries.get(&instance).map_or(instance, |e| Name::new(e.shown))
    }

    /// The symbols of an instance, made where there are none. `store` puts them into the module.
    pub fn make(&mut self, module: &Module, instance: &Instance, signature: &Signature, results: &[bool]) -> Forms {
        if let Some(found) = self.find(instance) {
            return found;
        }
        let shown = instance.shown(signature);
        let reserved: FxHashSet<Name> = self.entries.values().flat_map(|e| names(&e.forms)).collect();
        let mut base = shown.clone();
        let mut next = 1;
        let forms = loop {
            let form = |suffix: &str| Name::new(&format!("{base}.{suffix}"));
            let forms = Forms::new(form("instance"), FORMS.map(form));
            let is_taken = |n: &Name| module.contains(*n) || reserved.contains(n);
            if !names(&forms).iter().any(is_taken) {
                break forms;
            }
            base = format!("{shown}_{next}");
            next += 1;
        };
        let shown = Name::new(&shown).as_str();
        let entry = Entry { of: instance.clone(), forms, results: results.to_vec(), shown, halves: Vec::new() };
        self.by_instance.insert(instance.clone(), forms.instance);
        self.entries.insert(forms.instance, entry);
        self.made.push(forms.instance);
        forms
    }

    /// Puts what was made into the module.
    pub fn store(&mut self, module: &mut Module) {
        for name in std::mem::take(&mut self.made) {
            let Some(entry) = self.entries.get(&name) else { continue };
            let loc = module.get(entry.of.func).map_or_else(Loc::unknown, |f| f.loc);
            let mut symbol = SymbolOp::new(ad::Instance::DEF, name, loc);
            symbol.set_attr("of", Attr::symbol(entry.of.func));
            symbol.set_attr("active", mask_attr(&entry.of.active));
            symbol.set_attr("wanted", mask_attr(&entry.of.wanted));
            symbol.set_attr(ACTIVE_RESULTS, mask_attr(&entry.results));
            let [_, forms @ ..] = names(&entry.forms);
            for (attr, form) in FORMS.into_iter().zip(forms) {
                symbol.set_attr(attr, Attr::symbol(form));
            }
            if entry.shown != entry.of.func.as_str() {
                symbol.set_attr(SHOWN, Attr::string(entry.shown));
            }
            module.put(symbol);
        }
        for (instance, form) in std::mem::take(&mut self.made_halves) {
            let Some(name) = self.backward(instance, form) else { continue };
            let loc = module.get(instance).map_or_else(Loc::unknown, |s| s.loc);
            let mut symbol = SymbolOp::new(ad::Half::DEF, Name::new(&format!("{name}.half")), loc);
            symbol.set_attr("of", Attr::symbol(instance));
            symbol.set_attr(KNOWN, form.to_attr());
            symbol.set_attr("function", Attr::symbol(name));
            module.put(symbol);
        }
    }
}

/// The instance that a link is of, if it is of one.
pub fn linked(symbol: &SymbolOp) -> Option<Name> {
    match ad::Half::of_symbol(symbol) {
        Some(half) => half.of(symbol),
        None => std::ptr::eq(symbol.def, ad::Instance::DEF).then_some(symbol.name),
    }
}

/// A mutant: a symbol's text, cut where a mask seems to begin.
fn before_masks(name: Name) -> &'static str {
    let text = name.as_str();
    let masks = [".wrt0", ".wrt1", ".of0", ".of1"].into_iter().filter_map(|mask| text.find(mask));
    &text[..masks.min().unwrap_or(text.len())]
}

/// The instance's symbol, then its forms in the order of [`FORMS`].
fn names(forms: &Forms) -> [Name; 8] {
    [forms.instance, forms.jvp, forms.rev, forms.fwd, forms.primal, forms.bwd, forms.unsure, forms.gated]
}

/// What a function is made into before it is differentiated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// With a keep-alive token, for the forward derivative.
    KeptAliveForward,
    KeptAliveBackward,
    /// The custom derivative that takes, or gives, that of the token.
    KeptAliveForwardDerivative,
    KeptAliveBackwardDerivative,
    /// With differentiable pointers in pairs.
    Paired,
    /// A function that does what an op does that orders memory; it is of the op.
    Orders,
    OrdersBackward,
}

const ROLES: [(Role, &str); 7] = [
    (Role::KeptAliveForward, "kept_alive.fwd"),
    (Role::KeptAliveBackward, "kept_alive.bwd"),
    (Role::KeptAliveForwardDerivative, "kept_alive.fwd.custom"),
    (Role::KeptAliveBackwardDerivative, "kept_alive.bwd.custom"),
    (Role::Paired, "paired"),
    (Role::Orders, "orders"),
    (Role::OrdersBackward, "orders.reverse"),
];

impl Role {
    fn shown(self) -> &'static str {
        ROLES.iter().find(|(role, _)| *role == self).map_or("", |(_, shown)| shown)
    }
}

/// The variants of a module's functions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Variants {
    by_role: FxHashMap<(Role, Name), Name>,
    made: Vec<(Role, Name)>,
    /// Names that are given and have no function yet.
    taken: FxHashSet<Name>,
}

impl Variants {
    pub fn of(module: &Module) -> Variants {
        let mut variants = Variants::default();
        for symbol in module.symbols() {
            let Some(variant) = ad::Variant::of_symbol(symbol) else { continue };
            let role = variant.role(symbol);
            let role = ROLES.iter().find(|(_, shown)| Some(*shown) == role);
            if let (Some((role, _)), Some(of), Some(function)) = (role, variant.of(symbol), variant.function(symbol)) {
                variants.by_role.insert((*role, of), function);
            }
        }
        variants
    }

    pub fn get(&self, role: Role, of: Name) -> Option<Name> {
        self.by_role.get(&(role, of)).copied()
    }

    /// The name of the variant in this role, whether or not it is made.
    pub fn name(&mut self, module: &Module, role: Role, of: Name) -> Name {
        if let Some(found) = self.get(role, of) {
            return found;
        }
        let shown = format!("{of}.{}", role.shown());
        let mut name = module.fresh_name(&shown);
        let mut next = 1;
        while self.taken.contains(&name) || module.contains(name) {
            name = Name::new(&format!("{shown}_{next}"));
            next += 1;
        }
        self.taken.insert(name);
        self.by_role.insert((role, of), name);
        self.made.push((role, of));
        name
    }

    /// Puts the new links into the module. The functions are the caller's.
    pub fn store(&mut self, module: &mut Module) {
        for (role, of) in std::mem::take(&mut self.made) {
            let Some(function) = self.get(role, of) else { continue };
            let name = module.fresh_name(&format!("{function}.variant"));
            let loc = module.get(function).map_or_else(Loc::unknown, |f| f.loc);
            let mut symbol = SymbolOp::new(ad::Variant::DEF, name, loc);
            symbol.set_attr("of", Attr::symbol(of));
            symbol.set_attr("role", Attr::string(role.shown()));
            symbol.set_attr("function", Attr::symbol(function));
            module.put(symbol);
        }
    }
}
