//! Checking: from the syntax tree to the checked tree.
//!
//! All names of the program are collected first. Then types, signatures and constants are resolved
//! on demand, when a body or another declaration first needs them. Then bodies are checked, from a
//! worklist to which generic instances and used functions of the prelude are added. All lookups are
//! by hash, and a declaration is resolved once.

use caustic_ir::codes::Code;
mod abstracts;
mod access;
mod addresses;
mod argument_sizes;
mod arithmetic;
mod assertions;
mod assign;
mod atomics;
mod attribute_arguments;
mod attribute_rows;
mod attribute_values;
mod attrs;
mod bits;
mod bounds;
mod builtins;
mod calls;
mod capabilities;
mod cast;
mod collect;
mod compared_arguments;
mod compile_time;
mod conditions;
mod conform;
mod constant_arguments;
mod consts;
mod convert;
mod data_layouts;
mod declared;
mod default_constructors;
mod deriv;
mod descriptors;
mod diffcheck;
mod differentials;
mod dispatch;
mod duplicates;
mod dynamic;
mod elsewhere;
mod endless;
mod enums;
mod equalities;
pub(crate) mod existentials;
mod expr;
mod extensions;
mod flow;
mod followed;
mod func_extensions;
mod functions;
mod generics;
mod glsl;
pub(crate) mod handles;
mod held_constant;
mod infer;
mod inherit;
mod init;
mod interfaces;
mod jumps;
mod kernels;
mod lambdas;
mod layouts;
mod linkage;
mod links;
mod literal;
mod lookup;
mod lost_writes;
mod measure;
mod member;
mod members;
mod misfitting;
mod missing;
pub(crate) mod modules;
mod nearly;
mod no_numbers;
mod operators;
mod ops;
pub(crate) mod optional;
mod overload;
mod pack_parts;
mod packs;
mod passed_places;
mod placement;
mod pointers;
mod polynomials;
mod properties;
mod reach;
mod reachable;
mod requests;
pub mod resources;
pub mod samples;
mod semantics;
mod show;
mod signature;
mod specialize;
mod spelling;
mod statics;
mod stmt;
pub(crate) mod strings;
mod structs;
mod summands;
mod switches;
mod thread_statics;
mod throwing;
pub mod tree;
mod tuples;
pub mod typeexpr;
pub mod types;
mod unset;
mod untouched;
mod user_conversions;
mod using;
mod usual_mistakes;
pub mod walk;
pub(crate) mod words;

use crate::ast;
use crate::modules::Program;
use crate::prelude::Prelude;
use crate::source::{Asked, SourceMap, Span, line_of};
use attrs::FuncAttrs;
use caustic_ir::{CancelToken, Diagnostic, Loc, Name};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc as Rc;
use tree::*;
use types::{Args, EnumId, InterfaceId, StructId, Ty, Val};

use interfaces::DIFFERENTIABLE;

pub use attrs::{Elsewhere, EntryInfo, Quads};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NsId(pub u32);
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConstId(pub u32);
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AliasId(pub u32);
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExtId(pub u32);
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AssocId(pub u32);
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PropId(pub u32);
/// The generic parameters of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GenId(pub u32);

/// The declaration that members belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    Struct(StructId),
    Enum(EnumId),
    Interface(InterfaceId),
    Extension(ExtId),
}

/// The declaration that a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entry {
    Func(FuncId),
    Struct(StructId),
    Enum(EnumId),
    /// A case of an enum, by number.
    Case(EnumId, u32),
    Interface(InterfaceId),
    /// An associated type of an interface.
    Assoc(AssocId),
    Alias(AliasId),
    /// A type parameter.
    Bound(Ty),
    /// A value parameter.
    BoundVal(Val, Ty),
    Const(ConstId),
    Global(GlobalId),
    Static(StaticId),
    Property(PropId),
    Namespace(NsId),
    /// A declaration that is refused where it stands.
    Unsupported,
    /// A class, which is refused where it is used.
    Class,
    /// An `extern` declaration without an exported one, which is an error where it is used.
    Open(u32),
}

pub type Entries = SmallVec<[Entry; 2]>;

/// A table of names within another one.
#[derive(Default)]
pub struct Namespace {
    pub parent: Option<NsId>,
    pub names: FxHashMap<Name, Entries>,
    /// The declaration whose members these are.
    pub owner: Option<Owner>,
    /// Where a program first names it.
    pub declared: Span,
    /// This is what one file writes of that namespace: it has the names of the whole and declares
    /// them there, but what it uses it uses alone.
    pub part_of: Option<NsId>,
    /// Namespaces whose names are also visible here.
    pub using: Vec<NsId>,
    /// Namespaces of other modules whose names are visible here and where this one is used, but not
    /// through further imports.
    pub imports: Vec<NsId>,
    /// The module that this belongs to; the prelude is not a module.
    pub module: Option<modules::ModuleNo>,
    /// The innermost generic declaration around it.
    pub gens: Option<GenId>,
    pub path: String,
}

#[derive(Clone)]
pub struct FuncInfo {
    pub name: Name,
    /// The name in the IR, unique once `named` is set.
    symbol: Name,
    named: bool,
    pub decl: Rc<ast::Decl>,
    pub ns: NsId,
    pub owner: Option<Owner>,
    /// The generic parameters in force. The innermost are its own if it `declares_generics`.
    pub gens: Option<GenId>,
    declares_generics: bool,
    /// How `this` is passed, if it is a method; the object is then also the first of `params`.
    pub this: Option<Dir>,
    pub params: Vec<Param>,
    pub ret: Ty,
    pub ret_no_diff: bool,
    pub attrs: FuncAttrs,
    pub links: links::Links,
    pub intrinsic: Option<Name>,
    pub is_prelude: bool,
    /// Whether it has a body that can be lowered; a prototype has none.
    pub has_body: bool,
    pub is_constructor: bool,
    /// The generic function and the arguments that this is an instance of.
    pub instance_of: Option<FuncRef>,
    /// If it dispatches on the type that a value of an interface holds: its index among the
    /// dispatches.
    pub dispatch: Option<u32>,
    /// Whether a gradient check asks for this instance.
    pub sampled: bool,
    generation: u32,
    pub body: Option<Rc<Body>>,
    signature: State,
    state: State,
}

impl FuncInfo {
    /// Whether it has a derivative in some mode: derived, custom, or declared to be zero.
    pub fn is_differentiable(&self) -> bool {
        self.has_derivative(Mode::Forward) || self.has_derivative(Mode::Backward)
    }

    pub fn has_derivative(&self, mode: Mode) -> bool {
        let (made, given) = match mode {
            Mode::Forward => (self.attrs.differentiable, self.links.forward),
            // The backward derivative can be the transpose of a linear forward derivative;
            // differentiation decides that.
            Mode::Backward if self.attrs.forward_only => (false, self.links.backward),
            Mode::Backward => (self.attrs.differentiable, self.links.backward.or(self.links.forward)),
        };
        let links = given.or(self.links.substitute);
        let outside = match mode {
            Mode::Forward => self.links.outside[0],
            Mode::Backward => self.links.outside[1],
        };
        made || outside || links.is_some() || self.attrs.zero_derivative || self.intrinsic.is_some()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    New,
    Busy,
    Done,
}

pub struct StructInfo {
    /// The name in messages.
    pub name: Name,
    path: Name,
    pub decl: Option<Rc<ast::Decl>>,
    pub span: Span,
    /// The namespace of its members; the parent is the one that declares it.
    pub ns: NsId,
    pub fields: Vec<Field>,
    pub field_index: FxHashMap<Name, u32>,
    pub differentiable: bool,
    /// Whether it conforms to `IDefaultInitializable`: a variable without an initializer has the
    /// value of `{}`.
    pub default_initializable: bool,
    /// Whether the compiler made it as the differential of a struct. It conforms and is its own
    /// differential.
    pub synthesized: bool,
    /// The builtin interfaces of numbers that it conforms to, with the spans of the conformances.
    number_sets: Vec<(bounds::TypeSet, Span)>,
    /// Fields that are less visible than public.
    hidden: Vec<(Name, access::Visibility)>,
    /// The generic parameters that are in force inside of it.
    pub gens: Option<GenId>,
    declares_generics: bool,
    /// For a generic struct and its instances: the declaration and the arguments. The declaration
    /// is an instance of itself.
    pub instance_of: Option<(StructId, Args)>,
    /// The function that it stands for as a value.
    pub value_of: Option<Name>,
    instances: FxHashMap<Args, StructId>,
    /// For an instance: the number of types in its arguments.
    argument_types: u32,
    /// For the differential of a dependent type: that type.
    differential_of: Option<Ty>,
    /// Whether its conformances are resolved.
    bases: State,
    /// Whether one of its bases was refused, from which it may inherit anything.
    refused_base: bool,
    /// The struct that it inherits from, once that is known.
    base: Option<Option<Ty>>,
    /// The number of scalars in a value, the size and alignment in memory, and whether `{}` differs
    /// from zero. They are cached because computing them for nested structs would take exponential
    /// time.
    scalars: u64,
    layout: Option<(u64, u64)>,
    /// Size and alignment as `sizeof` counts them.
    natural: Option<(u64, u64)>,
    has_defaults: Option<bool>,
    differential: Option<Option<Ty>>,
    chosen: Option<differentials::Chosen>,
    /// For a chosen differential: a type whose differential it is.
    space_of: Option<Ty>,
    state: State,
}

impl StructInfo {
    fn new(decl: Option<Rc<ast::Decl>>, span: Span, ns: NsId) -> StructInfo {
        StructInfo {
            name: Name::new(""),
            path: Name::new(""),
            decl,
            span,
            ns,
            fields: Vec::new(),
            field_index: FxHashMap::default(),
            differentiable: false,
            default_initializable: false,
            synthesized: false,
            number_sets: Vec::new(),
            hidden: Vec::new(),
            gens: None,
            declares_generics: false,
            instance_of: None,
            value_of: None,
            instances: FxHashMap::default(),
            argument_types: 0,
            differential_of: None,
            bases: State::New,
            refused_base: false,
            base: None,
            scalars: 0,
            layout: None,
            natural: None,
            has_defaults: None,
            differential: None,
            chosen: None,
            space_of: None,
            state: State::New,
        }
    }
}

pub struct ConstInfo {
    pub name: Name,
    pub decl: Rc<ast::Decl>,
    pub ns: NsId,
    pub value: Option<Rc<Expr>>,
    /// The constant of another module that replaces it.
    linked: Option<ConstId>,
    state: State,
}

impl ConstInfo {
    /// Whether an interface requires this constant.
    fn is_requirement(&self) -> bool {
        matches!(&self.decl.kind, ast::DeclKind::Var(v) if v.init.is_none())
    }
}

pub struct AliasInfo {
    pub name: ast::Ident,
    pub ty: ast::Expr,
    /// The namespace in which its own parameters are declared.
    pub ns: NsId,
    pub declares_generics: bool,
    resolved: Option<Ty>,
    /// The bounds, if it names a builtin interface or several interfaces, which is no type.
    bounds: Vec<bounds::Bound>,
    state: State,
}

/// The state of checking one function body.
#[derive(Clone, Default)]
pub(crate) struct BodyCx {
    pub locals: Vec<Local>,
    names: FxHashMap<Name, SmallVec<[LocalEntry; 1]>>,
    /// The names that are declared in each open scope.
    scopes: Vec<Vec<Name>>,
    pub ns: Option<NsId>,
    pub ret: Option<Ty>,
    /// Whether code depends on the target, and whether an error left a statement out.
    pub switches_by_target: bool,
    pub lacks_statement: bool,
    pub this: Option<LocalId>,
    /// The type that `This` names and whose members are in scope.
    pub this_ty: Option<Ty>,
    /// The types that `where` clauses around the body make of parameters.
    pub equal: Option<Rc<generics::Subst>>,
    pub jumps: jumps::Jumps,
    throwing: throwing::Throwing,
    /// Variables without a written type whose value comes from a requirement called on a value of
    /// an interface: they have the type that the value holds.
    held: rustc_hash::FxHashSet<LocalId>,
    /// Parameters that are variables of the caller.
    of_caller: rustc_hash::FxHashSet<LocalId>,
    /// Pointers that are other names of places.
    pointers: Vec<Expr>,
    /// In a lambda: the captured variables, and the body around it.
    captures: Option<Box<lambdas::Captures>>,
    /// Whether the first `return` decides the type of the result.
    infers_result: bool,
    /// What is called by the call that is being checked.
    callee: Option<Span>,
    /// The variables that are declared without a value.
    without_value: Vec<LocalId>,
    /// Whether the function is differentiable.
    differentiable: bool,
    /// Whether it has derivatives in some way, so that `no_diff` has an effect in it.
    has_derivatives: bool,
    /// The variable for the result, if the body names it.
    result: Option<LocalId>,
    /// The type whose constructor without parameters this is, in which `{}` must not call that
    /// constructor.
    made: Option<Ty>,
    /// For each `expand` around the expression: the pack that it iterates over, once an `each` has
    /// named one.
    expands: Vec<Option<Ty>>,
    /// The elements that `each` stands for in the innermost `expand` if it takes tuples apart.
    spread: Option<packs::Spread>,
    pub in_prelude: bool,
    /// The alias whose type is being resolved; in it, the name does not stand for the alias.
    aliasing: Option<AliasId>,
    /// Why the function cannot be run here, if it cannot.
    unavailable: Option<Rc<Missing>>,
    /// Whether only constants are allowed: in initializers of `static const` and in sizes.
    pub const_only: bool,
    /// Whether it is the initializer of a constant, which may call constructors of the program.
    pub of_constant: bool,
    /// Whether it launches a kernel or does something else that only the host can.
    pub is_host: bool,
}

/// Declarations that are checked once all names are known.
#[derive(Clone, Copy)]
enum Pending {
    Global(GlobalId),
    Assert,
    Attributes,
}

#[derive(Clone, Copy)]
enum LocalEntry {
    Var(LocalId),
    /// An index into the pointers of the body.
    Pointer(usize),
    Item(Entry),
}

pub struct Checker<'a> {
    pub sources: &'a mut SourceMap,
    pub prelude: &'a mut Prelude,
    /// Values of constants that call functions, by address: the value before instances were made,
    /// which keeps the address in use, and the value with instances.
    shared_instances: FxHashMap<usize, (Rc<Expr>, Rc<Expr>)>,
    pub diags: Vec<Diagnostic>,
    /// Asked before each function is checked, specialized or lowered.
    pub(crate) cancel: CancelToken,
    pub namespaces: Vec<Namespace>,
    pub structs: Vec<StructInfo>,
    pub enums: Vec<enums::EnumInfo>,
    pub funcs: Vec<FuncInfo>,
    pub consts: Vec<ConstInfo>,
    pub globals: Vec<Global>,
    /// The names of `cbuffer` blocks.
    blocks: FxHashMap<(NsId, Name), Span>,
    pub statics: Vec<statics::StaticInfo>,
    pub properties: Vec<properties::PropertyInfo>,
    pub aliases: Vec<AliasInfo>,
    pub interfaces: Vec<interfaces::InterfaceInfo>,
    pub assocs: Vec<interfaces::AssocInfo>,
    pub params: Vec<generics::ParamInfo>,
    pub generics: Vec<generics::Generics>,
    pub extensions: Vec<extensions::ExtensionInfo>,
    pub conformances: Vec<conform::Conformance>,
    pending_extensions: Vec<ExtId>,
    extensions_by_head: FxHashMap<conform::Head, Vec<ExtId>>,
    by_head: FxHashMap<conform::Head, Vec<u32>>,
    /// The facts that constraints state about dependent types.
    facts: FxHashMap<Ty, Rc<bounds::Facts>>,
    equal: FxHashMap<Ty, Ty>,
    instances: FxHashMap<FuncRef, FuncId>,
    /// Functions for requirements that a type provides by a method with other types.
    wrappers: FxHashMap<(Ty, FuncId), FuncId>,
    /// Functions that call a method of another signature, by type, requirement and types there.
    near_wrappers: FxHashMap<(Ty, FuncId, Vec<Ty>), FuncId>,
    /// The methods that these call.
    wrapped: FxHashMap<FuncId, FuncId>,
    /// Derivatives that are attached to functions from outside.
    outside: func_extensions::Outside,
    /// The functions that prototypes declare.
    defined: FxHashMap<FuncId, FuncId>,
    /// Functions whose derivatives are those of a requirement, by the function that they call, the
    /// requirement, and whether they are for a derivative.
    adapters: FxHashMap<(FuncId, FuncId, bool), FuncId>,
    pub existentials: existentials::Existentials,
    /// The programmer's functions for arithmetic on differentials, and how many structs have been
    /// searched for them.
    pub spaces: Vec<differentials::Space>,
    spaces_of: usize,
    /// The number of functions whose links are resolved.
    linked: usize,
    /// `IDifferentiablePtrType`, once a program names it.
    pointer_interface: Option<InterfaceId>,
    /// Functions with `override` that do replace something.
    overriding: rustc_hash::FxHashSet<FuncId>,
    /// Functions with a custom derivative that does not have the signature of one.
    misdeclared: rustc_hash::FxHashSet<FuncId>,
    /// For how many undeclared names a similar one will still be searched.
    suggestions: u32,
    /// The spans of variables, parameters and fields that are declared as handles of resources.
    handles: rustc_hash::FxHashSet<Span>,
    /// Names that may be declared in text that could not be parsed.
    broken: rustc_hash::FxHashSet<Name>,
    /// `__EnumType`, once it is declared: every enum conforms to it.
    enum_interface: Option<InterfaceId>,
    /// The default values that are being checked.
    open_defaults: Vec<Span>,
    symbols: FxHashMap<Name, u32>,
    pub(crate) modules: Vec<modules::ModuleInfo>,
    /// The module `glsl`, if the program imports it.
    glsl: Option<modules::ModuleNo>,
    /// By module: the imports that it exports.
    exports: Vec<Vec<u32>>,
    /// Declarations that are less visible than public.
    hidden: FxHashMap<Entry, access::Hidden>,
    linkage: linkage::Linkage,
    /// The visibility of the declaration that is being collected.
    declaring: access::Visibility,
    /// The attributes that the program declares.
    own_attributes: FxHashMap<Name, placement::OwnAttribute>,
    /// In statements of which only the names matter: the errors of undeclared values.
    missing_values: Option<Vec<Diagnostic>>,
    noted: usual_mistakes::Noted,
    /// The operators that the program or the prelude declares.
    operator_names: rustc_hash::FxHashSet<Name>,
    /// The structs that stand for named functions.
    function_values: FxHashMap<FuncRef, StructId>,
    /// The instances of `static groupshared` variables of generic types, by arguments.
    group_instances: FxHashMap<(GlobalId, Args), GlobalId>,
    /// Entry points that are called, with the functions that these calls call.
    called_entries: FxHashMap<FuncId, FuncId>,
    /// The declaration of `Tuple`.
    tuple: Option<StructId>,
    /// Aliases without parameters, as written. They are known before anything is resolved.
    written_aliases: FxHashMap<(NsId, Name), ast::Expr>,
    /// Those in name spaces that may not be known yet, by their paths from where these stand.
    aliases_ahead: FxHashMap<(NsId, String), ast::Expr>,
    /// `using` declarations whose namespace is not resolved yet.
    pending_using: Vec<(ast::Expr, NsId)>,
    pending: Vec<(Pending, Rc<ast::Decl>, NsId)>,
    worklist: Vec<FuncId>,
    /// How many functions of the worklist have been checked.
    checked: usize,
    cx: BodyCx,
    /// The packs that are known to have an element where a type is being resolved.
    full_packs: Vec<Ty>,
    /// Whether a function updates a parameter atomically.
    updates_parameters: bool,
    ref_accessors: rustc_hash::FxHashSet<FuncId>,
    /// The nesting depth of the instances that are being made.
    instance_depth: u32,
    /// The depth of searches for conformances that constraints of other conformances caused.
    search_depth: u32,
    /// The extensions of which it is being decided whether they apply to a type.
    asked: Vec<(ExtId, Ty)>,
    /// The aliases that are being resolved, each because of the one before it.
    resolving: Vec<AliasId>,
    /// While it is decided whether an extension applies: how many aliases were resolving before.
    deciding: Option<usize>,
    /// The outermost of these aliases on which such a decision depends.
    circular: Option<usize>,
    loading_prelude: bool,
    /// The layout of matrices in memory where none is written.
    pub layout: types::MatrixLayout,
    /// Generic functions of which a gradient check gets no instance.
    pub unsampled: Vec<samples::Unsampled>,
    /// The entry point, and the number of threads in a group, if the command line gives them.
    pub entry: Option<String>,
    pub threads: Option<[u32; 3]>,
}

pub const ROOT: NsId = NsId(0);

impl<'a> Checker<'a> {
    pub fn new(sources: &'a mut SourceMap, prelude: &'a mut Prelude) -> Self {
        let mut checker = Checker {
            sources,
            prelude,
            diags: Vec::new(),
            cancel: CancelToken::default(),
            namespaces: vec![Namespace::default()],
            structs: Vec::new(),
            enums: Vec::new(),
            funcs: Vec::new(),
            consts: Vec::new(),
            globals: Vec::new(),
            blocks: FxHashMap::default(),
            statics: Vec::new(),
            properties: Vec::new(),
            aliases: Vec::new(),
            interfaces: Vec::new(),
            assocs: Vec::new(),
            params: Vec::new(),
            generics: Vec::new(),
            extensions: Vec::new(),
            conformances: Vec::new(),
            pending_extensions: Vec::new(),
            extensions_by_head: FxHashMap::default(),
            by_head: FxHashMap::default(),
            facts: FxHashMap::default(),
            equal: FxHashMap::default(),
            instances: FxHashMap::default(),
            wrappers: FxHashMap::default(),
            near_wrappers: FxHashMap::default(),
            wrapped: FxHashMap::default(),
            adapters: FxHashMap::default(),
            outside: func_extensions::Outside::default(),
            defined: FxHashMap::default(),
            existentials: existentials::Existentials::default(),
            spaces: Vec::new(),
            spaces_of: 0,
            linked: 0,
            pointer_interface: None,
            overriding: rustc_hash::FxHashSet::default(),
            misdeclared: rustc_hash::FxHashSet::default(),
            suggestions: spelling::MAX_SUGGESTIONS,
            handles: Default::default(),
            broken: Default::default(),
            enum_interface: None,
            open_defaults: Vec::new(),
            symbols: FxHashMap::default(),
            modules: Vec::new(),
            glsl: None,
            exports: Vec::new(),
            hidden: FxHashMap::default(),
            linkage: linkage::Linkage::default(),
            declaring: access::Visibility::Public,
            own_attributes: FxHashMap::default(),
            missing_values: None,
            noted: Default::default(),
            operator_names: Default::default(),
            function_values: FxHashMap::default(),
            group_instances: FxHashMap::default(),
            called_entries: FxHashMap::default(),
            tuple: None,
            written_aliases: FxHashMap::default(),
            aliases_ahead: FxHashMap::default(),
            pending_using: Vec::new(),
            pending: Vec::new(),
            worklist: Vec::new(),
            checked: 0,
            cx: BodyCx::default(),
            full_packs: Vec::new(),
            updates_parameters: false,
            ref_accessors: Default::default(),
            instance_depth: 0,
            search_depth: 0,
            asked: Vec::new(),
            resolving: Vec::new(),
            deciding: None,
            circular: None,
            shared_instances: FxHashMap::default(),
            loading_prelude: false,
            layout: types::MatrixLayout::default(),
            unsampled: Vec::new(),
            entry: None,
            threads: None,
        };
        checker.declare_differentiable();
        checker
    }

    /// Checks a whole program.
    pub fn check_program(&mut self, program: &Program, options: &crate::Options) {
        self.layout = options.matrix_layout;
        (self.entry, self.threads) = (options.entry.clone(), options.threads);
        self.cancel = options.cancel.clone();
        self.broken = program.broken.clone();
        for module in &program.modules {
            self.check_placement(&module.decls);
            self.collect_module(module);
        }
        if let Some(module) = program.modules.last() {
            self.declare_derivative_kernel(module);
        }
        self.close_linkage(&options.global_types, options.stand_ins);
        self.resolve_all();
        // The worklist is processed in the order of need, so the symbols have that order too.
        self.check_pending();
        self.check_requirements();
        self.check_constant_arguments();
        self.give_late_warnings();
        self.drop_told_constants();
        // A check is about every entry point; what is run is about one.
        self.check_reachable(options.entry.as_deref().filter(|_| !options.stand_ins), options.stand_ins);
        if options.stand_ins {
            self.check_generic_entry(options.entry.as_deref(), &options.entry_types);
        }
        self.request_conformances(&options.conformances);
        self.request_entry(options.entry.as_deref(), &options.entry_types);
        if !self.failed() {
            self.specialize();
            if options.sample_generics && !self.failed() {
                self.sample_generics();
            }
            self.pass_places();
            self.pass_statics();
        }
    }

    // ---- diagnostics ----------------------------------------------------------------------------

    pub(crate) fn loc(&self, span: Span) -> Loc {
        self.sources.loc(span)
    }

    pub(crate) fn error(&mut self, code: Code, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        let d = self.sources.diagnostic(span, |loc| Diagnostic::error(code, loc, message));
        self.push(d)
    }

    pub(crate) fn warn(&mut self, code: Code, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        let d = self.sources.diagnostic(span, |loc| Diagnostic::warning(code, loc, message));
        match self.sources.asked_of(code, span.lo) {
            Asked::Default => self.push(d),
            Asked::Error => self.push(Diagnostic { severity: caustic_ir::Severity::Error, ..d }),
            Asked::Silence => self.noted.silenced.insert(d),
        }
    }

    fn push(&mut self, d: Diagnostic) -> &mut Diagnostic {
        self.diags.push(d);
        let last = self.diags.len() - 1;
        &mut self.diags[last]
    }

    pub(crate) fn failed(&self) -> bool {
        self.failed_since(0)
    }

    /// Whether there is an error among the diagnostics that follow the first `reported`.
    pub(crate) fn failed_since(&self, reported: usize) -> bool {
        self.diags.iter().skip(reported).any(|d| d.severity == caustic_ir::Severity::Error)
    }

    pub(crate) fn need_body(&mut self, f: FuncId) {
        let info = &mut self.funcs[f.0 as usize];
        // The body of a requirement is checked like that of a generic function; a requirement
        // without one has nothing to check.
        if info.state == State::New && info.has_body && info.intrinsic.is_none() {
            info.state = State::Busy;
            self.worklist.push(f);
        }
    }
}

#[cfg(test)]
mod tests;
