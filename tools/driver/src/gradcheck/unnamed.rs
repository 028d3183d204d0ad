//! Buffers whose elements a derivative of the programmer's is of, where the check was not told so:
//! it holds such a function against differences by its arguments alone, and there it is wrong.

use super::report::Unnamed;
use super::resources::Buffers;
use caustic_dialects::call_graph::CallGraph;
use caustic_dialects::reflect::resource_type;
use caustic_dialects::signature::{BACKWARD_DERIVATIVE, FORWARD_DERIVATIVE};
use caustic_dialects::{ad, agg};
use caustic_ir::{Module, Name, SymbolOp, Type};
use caustic_passes::analysis::custom_derivatives;
use caustic_runtime::KernelInterface;

/// Finds such buffers.
pub struct Search<'a> {
    module: &'a Module,
    interface: &'a KernelInterface,
    pairs: &'a [Buffers],
    graph: CallGraph,
}

impl<'a> Search<'a> {
    pub fn new(module: &'a Module, interface: &'a KernelInterface, pairs: &'a [Buffers]) -> Search<'a> {
        Search { module, interface, pairs, graph: CallGraph::of_calls(module) }
    }

    /// What `function` may lack: the first function with a custom derivative that it calls, or is,
    /// that reads a buffer and whose derivative uses another one of such elements.
    pub fn of(&self, function: Name) -> Option<Unnamed> {
        let found = self.graph.reachable([function]);
        let given = self.module.symbols().iter().filter(|s| found.contains(&s.name) && custom_derivatives::any(s));
        given.filter_map(|symbol| self.of_given(symbol)).next()
    }

    fn of_given(&self, symbol: &SymbolOp) -> Option<Unnamed> {
        let read = self.buffers([symbol.name]);
        let links = [FORWARD_DERIVATIVE, BACKWARD_DERIVATIVE];
        let used = self.buffers(links.iter().filter_map(|link| symbol.symbol_attr(link)));
        let is_known = |name: Name| self.pairs.iter().any(|pair| pair.primal == name);
        let fits = |of: Type, d: Type| of == d || ad::differential_type(of) == Some(d);
        read.iter().filter(|(name, _)| !is_known(*name)).find_map(|(primal, of)| {
            let other = |(name, d): &&(Name, Type)| fits(*of, *d) && read.iter().all(|(read, _)| read != name);
            let (derivative, _) = used.iter().find(other)?;
            let named = |symbol: Name| {
                let place = self.interface.param_of_symbol(symbol)?;
                Some(self.interface.params.get(place)?.name.to_string())
            };
            Some(Unnamed {
                function: symbol.name.to_string(),
                primal: named(*primal)?,
                derivative: named(*derivative)?,
            })
        })
    }

    /// The buffers of the program with floats that these functions name, and what they call, with
    /// their elements; in the order of the program.
    fn buffers(&self, roots: impl IntoIterator<Item = Name>) -> Vec<(Name, Type)> {
        let code = self.graph.reachable(roots);
        let in_code = |name: Name| {
            let names = |s: &SymbolOp| {
                let mut ops = s.body.all_ops();
                ops.any(|op| agg::Global::cast(&s.body, op).is_some_and(|global| global.name(&s.body) == Some(name)))
            };
            self.module.symbols().iter().filter(|s| code.contains(&s.name)).any(names)
        };
        let buffer = |s: &SymbolOp| {
            let (elem, ..) = agg::as_buffer(resource_type(s)?)?;
            (ad::differential_type(elem).is_some() && in_code(s.name)).then_some((s.name, elem))
        };
        self.module.symbols().iter().filter_map(buffer).collect()
    }
}
