//! Functions of f64 for several threads at once: those of the C library, where the program may be
//! computed fast. Those of f32 are our own (`elementary`).
//!
//! They are within 4 ulp; called for each thread by itself a function is the one that is within 1.

use super::assembler::Wide;
use super::value::Val;
use crate::ir::Value;
use crate::math;
use caustic_codegen::{Flat, Lane};
use caustic_native::Leaf;
use inkwell::llvm_sys::support::{LLVMLoadLibraryPermanently, LLVMSearchForAddressOfSymbol};
use inkwell::targets::TargetMachine;
use std::ffi::CString;
use std::sync::OnceLock;

/// How many f64 the library's functions take.
const AT_ONCE: usize = 4;

/// Whether this machine has vectors of 32 bytes and a library with functions of them.
fn available() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| {
        let wide = TargetMachine::get_host_cpu_features().to_str().is_ok_and(|f| f.split(',').any(|f| f == "+avx2"));
        // SAFETY: the C library's own, which does nothing when it is loaded.
        wide && unsafe { LLVMLoadLibraryPermanently(c"libmvec.so.1".as_ptr()) == 0 }
    })
}

fn exists(symbol: &str) -> bool {
    // SAFETY: the text ends with a zero.
    CString::new(symbol).is_ok_and(|symbol| unsafe { !LLVMSearchForAddressOfSymbol(symbol.as_ptr()).is_null() })
}

impl Wide<'_, '_> {
    /// The op by a function of vectors, if that is allowed and there is one.
    pub(super) fn vector_function(&mut self, lane: &Lane<'_, Val>) -> Option<Val> {
        let function = math::function(lane.name)?;
        let doubles = lane.to == Leaf::F64 && lane.from.iter().all(|&leaf| leaf == lane.to);
        if !self.s.unit.ir.floats.is_fast() || !doubles || !available() {
            return None;
        }
        let symbol = format!("_ZGVdN{AT_ONCE}{}_{function}", "v".repeat(lane.args.len()));
        if !self.lanes.is_multiple_of(AT_ONCE) || !exists(&symbol) {
            return None;
        }
        let ir = &mut self.s.unit.ir;
        let ty = ir.vector(ir.scalar(lane.to), AT_ONCE);
        let ty = ir.function_type(&vec![ty; lane.args.len()], ty, false);
        let f = ir.declare(&symbol, ty);
        for attribute in ["nounwind", "willreturn", "nofree", "nosync", "nocallback"] {
            ir.attribute(f, -1, attribute, 0);
        }
        ir.attribute(f, -1, "memory", 0);
        let args: Flat<Value> = lane.args.iter().map(|&x| self.vector(x)).collect();
        let mut whole: Option<(Value, usize)> = None;
        for first in (0..self.lanes).step_by(AT_ONCE) {
            let picks: Vec<usize> = (first..first + AT_ONCE).collect();
            let ir = &mut self.s.unit.ir;
            let part: Flat<Value> = match self.lanes == AT_ONCE {
                true => args.clone(),
                false => args.iter().map(|&x| ir.shuffle(x, x, &picks)).collect(),
            };
            let value = ir.call(f, &part);
            whole = Some(match whole {
                None => (value, AT_ONCE),
                Some((so_far, count)) => (self.joined(so_far, count, value, AT_ONCE), count + AT_ONCE),
            });
        }
        whole.map(|(value, _)| Val::varying(value))
    }

    /// Two vectors one after the other; the second one may be shorter.
    fn joined(&mut self, x: Value, count: usize, y: Value, more: usize) -> Value {
        let ir = &mut self.s.unit.ir;
        let y = if more < count {
            let picks: Vec<usize> = (0..count).map(|i| i.min(more - 1)).collect();
            ir.shuffle(y, y, &picks)
        } else {
            y
        };
        let picks: Vec<usize> = (0..count).chain(count..count + more).collect();
        ir.shuffle(x, y, &picks)
    }
}
