//! Reference semantics: the values of the interpreter and how a row says what its op computes.
//!
//! Numbers are kept wide and rounded at every op: integers as `i64` sign-extended from their width
//! (i1 is 0 or 1), floats as `f64` holding a value of their type. For `+ - * / sqrt` computing in
//! f64 and rounding to f32 or f16 is exact, since 53 bits are more than twice 24 plus two;
//! functions that are not (fma) compute in their own type.

use crate::attr::{Attr, AttrKind};
use crate::body::{BlockId, Body, OpId};
use crate::intern::Name;
use crate::loc::Loc;
use crate::texels::{Sampler, Texels};
use crate::types::{Type, TypeKind};
use std::any::Any;
use std::sync::Arc;

/// A run-time value. Aggregates are shared and copied when written while shared, so that updating
/// an array that nobody else holds is O(1).
#[derive(Clone)]
pub enum Val {
    Int(i64),
    Float(f64),
    /// Scalars of a vector or matrix (row-major), fields of a struct, elements of an array or a
    /// tape.
    Agg(Arc<Vec<Val>>),
    /// A resource or a reference to storage; what it is belongs to the machine that runs the code.
    Handle(Arc<dyn Any + Send + Sync>),
}

impl Val {
    pub fn bool(b: bool) -> Val {
        Val::Int(b as i64)
    }
    pub fn agg(parts: Vec<Val>) -> Val {
        Val::Agg(Arc::new(parts))
    }
    pub fn as_int(&self) -> i64 {
        match self {
            Val::Int(v) => *v,
            _ => 0,
        }
    }
    pub fn as_bool(&self) -> bool {
        self.as_int() & 1 != 0
    }
    pub fn as_float(&self) -> f64 {
        match self {
            Val::Float(v) => *v,
            _ => 0.0,
        }
    }
    pub fn parts(&self) -> &[Val] {
        match self {
            Val::Agg(parts) => parts,
            _ => &[],
        }
    }
    /// The all-zero value of a type; `None` for types without one (handles).
    pub fn zero(ty: Type, aggregate: &dyn Fn(Type) -> Option<Vec<Type>>) -> Option<Val> {
        Some(match ty.kind() {
            TypeKind::Int(_) | TypeKind::Index => Val::Int(0),
            TypeKind::Float(_) => Val::Float(0.0),
            TypeKind::Vector { elem, .. } => {
                let zero = Val::zero(*elem, aggregate)?;
                Val::agg(vec![zero; ty.num_elements()])
            }
            _ => {
                let parts = aggregate(ty)?;
                let mut vals: Vec<Val> = Vec::with_capacity(parts.len());
                let mut last: Option<(Type, Val)> = None;
                for t in parts {
                    let v = match &last {
                        Some((lt, v)) if *lt == t => v.clone(),
                        _ => Val::zero(t, aggregate)?,
                    };
                    last = Some((t, v.clone()));
                    vals.push(v);
                }
                Val::agg(vals)
            }
        })
    }
    /// The value of a constant attribute.
    pub fn from_attr(attr: Attr) -> Option<Val> {
        Some(match attr.kind() {
            AttrKind::Int(v, _) => Val::Int(*v),
            AttrKind::Float(bits, _) => Val::Float(f64::from_bits(*bits)),
            AttrKind::Dense(items, _) => {
                Val::agg(items.iter().map(|a| Val::from_attr(*a)).collect::<Option<Vec<_>>>()?)
            }
            _ => return None,
        })
    }
    /// The constant attribute for a scalar or vector value.
    pub fn to_attr(&self, ty: Type) -> Option<Attr> {
        Some(match (self, ty.kind()) {
            (Val::Int(v), TypeKind::Int(_) | TypeKind::Index) => Attr::int(*v, ty),
            (Val::Float(v), TypeKind::Float(_)) => Attr::float(*v, ty),
            (Val::Agg(parts), TypeKind::Vector { elem, .. }) => {
                Attr::dense(parts.iter().map(|p| p.to_attr(*elem)).collect::<Option<Vec<_>>>()?, ty)
            }
            _ => return None,
        })
    }
}

impl std::fmt::Debug for Val {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Val::Int(v) => write!(f, "{v}"),
            Val::Float(v) => write!(f, "{v:?}"),
            Val::Agg(parts) => f.debug_list().entries(parts.iter()).finish(),
            Val::Handle(_) => f.write_str("<handle>"),
        }
    }
}

/// Execution stopped: the program did what has no meaning, or a limit was reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trap {
    pub message: String,
    pub loc: Loc,
}

impl Trap {
    pub fn new(loc: Loc, message: impl Into<String>) -> Trap {
        Trap { message: message.into(), loc }
    }
}

pub type EvalResult = Result<Vec<Val>, Trap>;

/// What a region ended with: its terminator and the values the terminator reads.
pub struct RegionEnd {
    pub terminator: OpId,
    pub values: Vec<Val>,
}

/// The threads that an op brings together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    Wave,
    Group,
}

/// How a thread's place among the dynamic instances of ops changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstanceStep {
    /// Into a loop or a call, which has this number among the ops of its function.
    Enter(i64),
    /// On to the next iteration.
    Next,
    Leave,
}

/// What threads that came together brought: each one's number in the scope and its values, in
/// order.
pub type Gathered = Arc<Vec<(u32, Vec<Val>)>>;

/// The machine under an evaluating op: runs regions and calls, and owns memory.
pub trait Machine {
    /// Runs the block with these arguments.
    fn run_block(&mut self, body: &Body, block: BlockId, args: Vec<Val>) -> Result<RegionEnd, Trap>;
    fn call(&mut self, callee: Name, args: Vec<Val>, loc: Loc) -> EvalResult;
    /// The value of a global symbol: a buffer's handle or a uniform's contents.
    fn global(&mut self, name: Name, loc: Loc) -> Result<Val, Trap>;
    fn instance(&mut self, step: InstanceStep);
    /// Waits for the threads of the scope that come to the same dynamic instance: that of op
    /// `number`, here and now. A `mask` says which threads of a wave these are; a machine may wait
    /// for exactly these, and need not know instances then.
    fn converge(
        &mut self,
        scope: Scope,
        number: i64,
        mask: Option<u32>,
        values: Vec<Val>,
        loc: Loc,
    ) -> Result<Gathered, Trap>;
    /// One of `thread_id block_id block_dim grid_dim global_id`, in dimension 0, 1 or 2, or of
    /// `lane_id subgroup_id num_subgroups subgroup_size`.
    fn thread_index(&self, what: &str, dim: usize) -> i64;
    /// One of the resources of an array of them; the last one if there are fewer.
    fn global_element(&mut self, name: Name, index: i64, loc: Loc) -> Result<Val, Trap>;
    /// Reads the part at `path` of an element of the buffer, whose type is `ty`.
    fn buffer_load(&mut self, buffer: &Val, ty: Type, index: i64, path: &[i64], loc: Loc) -> Result<Val, Trap>;
    /// Traps unless that part exists.
    fn buffer_check(&mut self, buffer: &Val, ty: Type, index: i64, path: &[i64], loc: Loc) -> Result<(), Trap>;
    fn buffer_store(
        &mut self,
        buffer: &Val,
        ty: Type,
        index: i64,
        path: &[i64],
        value: &Val,
        loc: Loc,
    ) -> Result<(), Trap>;
    /// Reads and writes in one step that no other thread can come between: `change` gives what is
    /// written, if anything. The result is what was read.
    fn buffer_update(
        &mut self,
        buffer: &Val,
        ty: Type,
        index: i64,
        path: &[i64],
        change: &mut dyn FnMut(&Val) -> Option<Val>,
        loc: Loc,
    ) -> Result<Val, Trap>;
    fn buffer_len(&mut self, buffer: &Val, ty: Type) -> i64;
    /// Adds to the buffer's hidden counter in one step; the count before.
    fn buffer_count(&mut self, buffer: &Val, delta: i64, loc: Loc) -> Result<i64, Trap>;
    /// The number of a buffer among those of the run.
    fn buffer_number(&mut self, buffer: &Val, loc: Loc) -> Result<u64, Trap>;
    /// The bytes of the buffer of that number from `skip` on; an empty buffer if there is none.
    fn buffer_tail(&mut self, number: u64, skip: u64) -> Val;
    /// What is bound to a texture or sampler.
    fn texels(&mut self, texture: &Val, loc: Loc) -> Result<&dyn Texels, Trap>;
    fn sampler(&mut self, sampler: &Val, loc: Loc) -> Result<Sampler, Trap>;
    fn print(&mut self, format: &str, args: &[(Val, Type)]);
}

pub type ScalarFn = fn(&[Val], &ScalarTypes<'_>) -> Val;

/// Types (scalar ones) that an elementwise evaluation sees, and the op's attributes.
pub struct ScalarTypes<'a> {
    pub operands: &'a [Type],
    pub result: Type,
    pub attrs: &'a [(Name, Attr)],
}

/// The reference semantics of an op.
#[derive(Clone, Copy)]
pub enum Eval {
    /// Lane by lane over scalars, vectors and matrices; a scalar operand next to a vector is used
    /// for each lane. The result is wrapped (ints) or rounded (floats) to its type afterwards.
    Scalar(ScalarFn),
    /// The whole op.
    Full(fn(&mut dyn Machine, &Body, OpId, Vec<Val>) -> EvalResult),
    /// Ends a block: the machine hands the operands to the enclosing op.
    Terminator,
    /// Has no meaning at run time; a program that still has it cannot be run.
    None,
}

/// Evaluates an elementwise op on whole values.
pub fn eval_scalar_op(body: &Body, op: OpId, f: ScalarFn, args: &[Val]) -> Val {
    let data = body.op(op);
    let result = data.results.first().map_or(Type::index(), |&r| body.ty(r));
    let operands: Vec<Type> = data.operands.iter().map(|&v| body.ty(v).elem()).collect();
    let types = ScalarTypes { operands: &operands, result: result.elem(), attrs: &data.attrs };
    eval_lanes(f, args, result, &types)
}

/// [`eval_scalar_op`] without an op: `result` is the whole result type, `types` the scalar ones.
pub fn eval_lanes(f: ScalarFn, args: &[Val], result: Type, types: &ScalarTypes<'_>) -> Val {
    if !result.is_vector() {
        return normalize(f(args, types), types.result);
    }
    let lanes = (0..result.num_elements()).map(|i| {
        let lane: Vec<Val> = args
            .iter()
            .map(|a| match a {
                Val::Agg(parts) => parts.get(i).cloned().unwrap_or(Val::Int(0)),
                scalar => scalar.clone(),
            })
            .collect();
        normalize(f(&lane, types), types.result)
    });
    Val::agg(lanes.collect())
}

/// A scalar wrapped or rounded to its type.
pub fn normalize(value: Val, ty: Type) -> Val {
    match (value, ty.kind()) {
        (Val::Int(v), TypeKind::Int(bits)) => Val::Int(crate::attr::sign_extend(v, *bits)),
        (Val::Float(v), TypeKind::Float(kind)) => Val::Float(crate::attr::round_to(v, *kind)),
        (v, _) => v,
    }
}
