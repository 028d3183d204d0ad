//! Why a loop is refused that keeps something of each iteration, on a target that cannot allocate.

use super::{as_buffer, is_pointee, resource_name};
use crate::reflect::PRIVATE;
use crate::{func, simt};
use caustic_ir::{Body, Diagnostic, Input, Loc, Module, OpId, ValueDef, ValueId, codes};

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
    if found.nothing() {
        // What does not change in the loop is read before it.
        found.look(body, &body.walk_all());
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
    /// A read of a static variable.
    variable: Option<Loc>,
    /// Whether there is any other read.
    memory: bool,
    wave: Option<Loc>,
    seen: Vec<*const Body>,
}

impl Found<'_> {
    fn nothing(&self) -> bool {
        self.pointer.is_none() && self.variable.is_none() && self.wave.is_none() && !self.memory
    }

    fn look(&mut self, body: &Body, ops: &[OpId]) {
        for &op in ops {
            if simt::is_wave_op(body.op(op).def) {
                self.wave.get_or_insert(body.loc(op));
            }
            if super::BufferLoad::is(body, op)
                && let Some(&buffer) = body.operands(op).iter().find(|v| as_buffer(body.ty(**v)).is_some())
            {
                self.read(body, buffer, body.loc(op));
            }
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
        match () {
            () if self.is_static(body, buffer) => self.variable.get_or_insert(at),
            () if is_pointee(body.ty(buffer)) => self.pointer.get_or_insert(at),
            () => {
                self.memory = true;
                return;
            }
        };
    }

    /// Whether a buffer is what a static variable is in.
    fn is_static(&self, body: &Body, buffer: ValueId) -> bool {
        let Some(op) = body.def_op(buffer) else { return false };
        if let Some(name) = resource_name(body, op) {
            let resource = self.module.and_then(|module| module.get(name));
            return resource.is_some_and(|symbol| symbol.attr(PRIVATE).is_some());
        }
        let Some(pointee) = super::Pointee::cast(body, op) else { return false };
        let Some(from) = body.def_op(pointee.address(body)) else { return false };
        if let Some(address) = super::Address::cast(body, from) {
            return self.is_static(body, address.buffer(body));
        }
        let of = super::Extract::cast(body, from).map(|extract| extract.aggregate(body));
        of.is_some_and(|of| {
            let named = body.value(of).hint.is_some_and(|name| STATIC.iter().any(|prefix| name.starts_with(prefix)));
            named && matches!(body.def(of), ValueDef::Arg { .. })
        })
    }
}
