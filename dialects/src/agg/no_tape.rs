//! Why a loop is refused that keeps something of each iteration, on a target that cannot allocate.

use super::{StructType, as_buffer, resource_name};
use crate::reflect::PRIVATE;
use crate::{arith, func, simt};
use caustic_ir::{Body, Diagnostic, Input, Loc, Module, OpId, Type, ValueDef, ValueId, codes};

/// What parameters that bring static variables are called: no name of a program begins like this.
const STATIC: [&str; 2] = ["static ", "static_"];

/// Why a loop that keeps something of each iteration is refused by a target that cannot allocate.
/// Most often it may not run again because it reads through a pointer of which nothing is known,
/// and what the derivative writes may be there. Without a module nothing is known of callees.
pub fn no_tape(module: Option<&Module>, body: &Body, writer: OpId) -> Diagnostic {
    let refused = Diagnostic::error(
        codes::E0853,
        body.loc(writer),
        "the reverse derivative of this loop needs memory that grows, which this target has not",
    )
    .with_label("it has to keep something of each iteration");
    let mut found = Found { module, ..Found::default() };
    let inside: Vec<OpId> = body.op(writer).regions.iter().flat_map(|&region| body.walk(region)).collect();
    found.look(body, &inside);
    if found.pointer.is_none() && found.variable.is_none() && found.wave.is_none() {
        // What does not change in the loop is read before it.
        let mut before = Found { module, ..Found::default() };
        before.look(body, &body.walk_all());
        found.pointer = before.pointer.or(before.loaded);
        found.variable = before.variable.filter(|_| !found.memory);
    }
    let ways = "trust its `[MaxIters(N)]`, give it a constant trip count of at most 65536, or run it on the CPU";
    let memory = format!(
        "it cannot run again instead: it reads memory that may have changed, or uses what its writes give; read that memory before the loop, {ways}"
    );
    let refused = match found {
        Found { pointer: Some(at), .. } => refused
            .with_label_at(at.source(), "this pointer may lead to what the derivative writes")
            .with_note("hand on a kernel's pointer, or one and an offset (`p + n`): where one leads that is loaded, chosen or moved by a loop is not known")
            .with_note(memory),
        Found { variable: Some(at), .. } => refused
            .with_label_at(at.source(), "this static variable may hold something else by then")
            .with_note(format!(
                "it cannot run again instead: it reads a static variable that may have changed; hand on its value as an `inout` parameter, {ways}"
            )),
        Found { wave: Some(at), memory: false, .. } => refused
            .with_label_at(at.source(), "the threads of the wave exchange values here")
            .with_note(format!(
                "it cannot run again instead: other threads of the wave take part in each iteration, and would have to run it again as well; {ways}"
            )),
        _ => refused.with_note(memory),
    };
    refused.with_input(Input::CheckpointReport)
}

/// What hinders code from running again, by the first place of each sort.
#[derive(Default)]
struct Found<'m> {
    module: Option<&'m Module>,
    /// A read through a pointer of the program.
    pointer: Option<Loc>,
    /// A read that gives a pointer.
    loaded: Option<Loc>,
    /// A read of a static variable.
    variable: Option<Loc>,
    /// Whether there is any other access.
    memory: bool,
    wave: Option<Loc>,
    seen: Vec<*const Body>,
}

impl Found<'_> {
    fn look(&mut self, body: &Body, ops: &[OpId]) {
        for &op in ops {
            if simt::is_wave_op(body.op(op).def) {
                self.wave.get_or_insert(body.loc(op));
            }
            if super::BufferLoad::is(body, op)
                && let Some(&buffer) = body.operands(op).iter().find(|v| as_buffer(body.ty(**v)).is_some())
            {
                self.read(body, buffer, body.loc(op));
                if body.results(op).iter().any(|&v| is_pointer(body.ty(v))) {
                    self.loaded.get_or_insert(body.loc(op));
                }
            }
            self.memory |= super::BufferStore::is(body, op) || super::AtomicView::of(body, op).is_some();
            let callee = func::Call::is(body, op).then(|| body.callee(op)).flatten();
            let Some(callee) = callee.and_then(|name| self.module?.get(name)) else { continue };
            if !self.seen.contains(&std::ptr::from_ref(&callee.body)) {
                self.seen.push(&callee.body);
                self.look(&callee.body, &callee.body.walk_all());
            }
        }
    }

    /// Notes a read of memory: who leads to it.
    fn read(&mut self, body: &Body, buffer: ValueId, at: Loc) {
        let place = match self.origin(body, buffer) {
            Origin::Variable => &mut self.variable,
            Origin::Pointer => &mut self.pointer,
            Origin::Resource => {
                self.memory = true;
                return;
            }
        };
        place.get_or_insert(at);
    }

    /// Whose memory a buffer is.
    fn origin(&self, body: &Body, buffer: ValueId) -> Origin {
        let Some(op) = body.def_op(buffer) else { return Origin::Resource };
        if let Some(name) = resource_name(body, op) {
            let resource = self.module.and_then(|module| module.get(name));
            let own = resource.is_some_and(|symbol| symbol.attr(PRIVATE).is_some());
            return if own { Origin::Variable } else { Origin::Resource };
        }
        match super::Pointee::cast(body, op) {
            Some(pointee) => self.leads_to(body, pointee.address(body), MOST_TERMS),
            None => Origin::Resource,
        }
    }

    /// Whose memory an address is in: of a resource, or of what brings a static variable, with an
    /// offset.
    fn leads_to(&self, body: &Body, address: ValueId, terms: usize) -> Origin {
        let Some(op) = body.def_op(address).filter(|_| terms > 0) else { return Origin::Pointer };
        if let Some(address) = super::Address::cast(body, op) {
            return self.origin(body, address.buffer(body));
        }
        if arith::AddI::is(body, op) || arith::OrI::is(body, op) {
            let of = body.operands(op).iter().map(|&term| self.leads_to(body, term, terms - 1));
            return of.into_iter().find(|&of| of != Origin::Pointer).unwrap_or(Origin::Pointer);
        }
        let of = super::Extract::cast(body, op).map(|extract| extract.aggregate(body));
        let brings = of.is_some_and(|of| {
            let named = body.value(of).hint.is_some_and(|name| STATIC.iter().any(|prefix| name.starts_with(prefix)));
            named && matches!(body.def(of), ValueDef::Arg { .. })
        });
        if brings { Origin::Variable } else { Origin::Pointer }
    }
}

/// Whether a type is that of a pointer, which is a struct of its address.
fn is_pointer(ty: Type) -> bool {
    StructType::of(ty).is_some_and(|s| s.num_fields() == 1 && s.fields().all(|field| field.name == ADDRESS))
}

/// Whose memory code reads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Resource,
    /// Of a static variable.
    Variable,
    /// Of whatever a pointer of the program leads to.
    Pointer,
}

/// The only field of a pointer (`frontend/src/prelude`).
const ADDRESS: &str = "__address";

/// The most terms of an address that are looked at.
const MOST_TERMS: usize = 8;
