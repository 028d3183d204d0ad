//! Textures on NVIDIA's processors: their texels lie in memory, and what reads, writes and measures
//! them are functions of `texels.ll`.
//!
//! Samples have become such accesses before (`filter-textures`). A texture is the address of its
//! description, a sampler that of two bytes; how they lie is `caustic_runtime::texture`'s to say.
//! What is updated atomically needs a format of the texture's own numbers; code stops where it
//! finds another.

use crate::approximate::internal;
use crate::assembler::Llvm;
use crate::gpu::Gpu;
use crate::ir::{Ir, Opcode, Value};
use caustic_codegen::{Assembler, Compare, Emit, Only};
use caustic_dialects::tex::{Kind, Shape, TextureOp};
use caustic_ir::{Diagnostic, OpId};
use caustic_native::Leaf;
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use smallvec::SmallVec;

const PREFIX: &str = "caustic.texels.";

/// Numbers of the description, in order.
const DEPTH: usize = 2;
const LAYERS: i64 = 3;
const LEVELS: i64 = 4;

type Gpus<'a, 'm> = Emit<'m, Llvm<'a, 'm, Gpu>>;

/// Puts the functions into a module that calls any.
pub fn link<'c>(context: &'c Context, module: &Module<'c>) -> Result<(), Diagnostic> {
    if !module.get_functions().any(|f| f.get_name().to_bytes().starts_with(PREFIX.as_bytes())) {
        return Ok(());
    }
    let loads = include_str!("texel_loads.ll");
    let copy = |name: &str, said: &str| loads.replace("$A", name).replace("$L", said);
    let text =
        [include_str!("texels.ll"), &copy("constant", ", !invariant.load !0"), &copy("changing", ""), "!0 = !{}\n"]
            .concat();
    let text = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "texels.ll");
    let library = context.create_module_from_ir(text).map_err(internal)?;
    library.set_triple(&module.get_triple());
    library.set_data_layout(&module.get_data_layout());
    module.link_in_module(library).map_err(internal)
}

/// Code for an access to a texture; false if `op` is none, or none that there is code for.
pub fn access(emit: &mut Gpus<'_, '_>, op: OpId) -> Result<bool, Diagnostic> {
    let Some(access) = TextureOp::of(emit.body, op) else { return Ok(false) };
    let operands = emit.body.operands(op).to_vec();
    let texture = emit.get1(operands[access.texture_at])?;
    let rest = &operands[access.texture_at + 1..];
    let mut words: Vec<Vec<Value>> = Vec::new();
    for &operand in rest {
        let leaf = emit.leaf_of(operand)?;
        let scalars = emit.get(operand)?;
        words.push(scalars.into_iter().map(|v| word(&mut emit.a.unit.ir, leaf, v)).collect());
    }
    let ty = access.texture;
    match access.kind {
        Kind::Load | Kind::Texel => {
            let result = emit.body.results(op)[0];
            let leaf = emit.leaf_of(result)?;
            let count = emit.body.ty(result).num_elements();
            let ir = &mut emit.a.unit.ir;
            let none = ir.int(Leaf::I64, 0);
            let offset = words.get(2).cloned().unwrap_or_default();
            let level = words[1].first().copied().unwrap_or(none);
            let number = number(ir, ty.shape.dims(), texture, &words[0], &offset, level);
            let changes = if ty.writable { "changing" } else { "constant" };
            let (kind, of) = if leaf.is_float() { ("f", Leaf::F64) } else { ("i", Leaf::I64) };
            let (pointer, word, all) = (ir.ty(Leaf::Addr), ir.ty(Leaf::I64), ir.array(ir.ty(of), 4));
            let whole = call(ir, &format!("load.{kind}.{changes}"), all, &[pointer, word], &[texture, number]);
            let values: SmallVec<[Value; 4]> = (0..count)
                .map(|i| {
                    let value = ir.extract(whole, i);
                    let to = ir.ty(leaf);
                    match leaf {
                        Leaf::F64 | Leaf::I64 => value,
                        leaf if leaf.is_float() => ir.cast(Opcode::LLVMFPTrunc, value, to),
                        _ => ir.cast(Opcode::LLVMTrunc, value, to),
                    }
                })
                .collect();
            emit.set_result(op, values);
        }
        Kind::Store => {
            let value = operands[0];
            let leaf = emit.leaf_of(value)?;
            let scalars = emit.get(value)?;
            let ir = &mut emit.a.unit.ir;
            let (kind, of) = if leaf.is_float() { ("f", Leaf::F64) } else { ("i", Leaf::I64) };
            let level = ir.int(Leaf::I64, 0);
            let number = number(ir, ty.shape.dims(), texture, &words[0], &[], level);
            let mut args = vec![texture, number];
            for value in scalars {
                let to = ir.ty(of);
                args.push(match leaf {
                    Leaf::F64 => value,
                    leaf if leaf.is_float() => ir.cast(Opcode::LLVMFPExt, value, to),
                    leaf => word(ir, leaf, value),
                });
            }
            let zero = if of == Leaf::F64 { ir.float(of, 0.0) } else { ir.int(of, 0) };
            args.resize(6, zero);
            let (pointer, word, part, none) = (ir.ty(Leaf::Addr), ir.ty(Leaf::I64), ir.ty(of), ir.void());
            call(ir, &format!("store.{kind}"), none, &[pointer, word, part, part, part, part], &args);
        }
        Kind::Size => {
            let ir = &mut emit.a.unit.ir;
            // A level that is negative is none, and counts as 0.
            let (zero, half) = (ir.int(Leaf::I64, 0), ir.ty(Leaf::I32));
            let level = words[0].first().copied().unwrap_or(zero);
            let level = ir.intrinsic("llvm.smax", &[ir.ty(Leaf::I64)], &[level, zero]);
            let far = ir.int(Leaf::I64, 31);
            let level = ir.intrinsic("llvm.umin", &[ir.ty(Leaf::I64)], &[level, far]);
            let level = ir.cast(Opcode::LLVMTrunc, level, half);
            let [width, height, depth] = [0, 1, DEPTH].map(|which| extent(ir, texture, which, level));
            let third = match ty.shape {
                Shape::D3 => depth,
                Shape::Cube => {
                    let (layers, six) = (field(ir, texture, LAYERS), ir.int(Leaf::I32, 6));
                    ir.binary(Opcode::LLVMUDiv, layers, six)
                }
                _ => field(ir, texture, LAYERS),
            };
            let last = if ty.shape == Shape::Samples { depth } else { field(ir, texture, LEVELS) };
            emit.set_result(op, SmallVec::from_slice(&[width, height, third, last]));
        }
        Kind::Update(_) | Kind::Exchange => return update(emit, op, &access, texture, &words[0]),
        _ => return Ok(false),
    }
    Ok(true)
}

/// An atomic update of a texel, if there is such a texel; else what was there counts as zero.
fn update(
    emit: &mut Gpus<'_, '_>,
    op: OpId,
    access: &TextureOp,
    texture: Value,
    place: &[Value],
) -> Result<bool, Diagnostic> {
    let operands = emit.body.operands(op).to_vec();
    let leaf = emit.leaf_of(operands[0])?;
    // The numbers of the formats that hold such numbers.
    let kinds = match leaf {
        Leaf::F32 => [2, 2],
        Leaf::F64 => [3, 3],
        Leaf::I32 => [6, 10],
        Leaf::I64 => [7, 11],
        _ => return Err(emit.unsupported(op)),
    };
    let values: Vec<Value> = operands[..access.texture_at].iter().map(|&v| emit.get1(v)).collect::<Result<_, _>>()?;
    let ir = &mut emit.a.unit.ir;
    let zero = ir.int(Leaf::I64, 0);
    let number = number(ir, access.texture.shape.dims(), texture, place, &[], zero);
    let exists = emit.a.compare(Compare::SignedLessEqual, Leaf::I64, zero, number);
    let old = Llvm::each(emit, Some(Only::If(exists)), &[leaf], &mut |e| {
        let ir = &mut e.a.unit.ir;
        let (pointer, word, half) = (ir.ty(Leaf::Addr), ir.ty(Leaf::I64), ir.ty(Leaf::I32));
        let [one, other] = kinds.map(|kind| ir.int(Leaf::I32, kind));
        let size = ir.int(Leaf::I64, leaf.size() as i64);
        let at = call(ir, "place", pointer, &[pointer, word, half, half, word], &[texture, number, one, other, size]);
        let old = match access.kind {
            Kind::Update(kind) => e.a.atomic_rmw(kind, leaf, at, values[0]),
            _ => Some(e.a.atomic_cas(leaf, at, values[0], values[1])),
        };
        old.map(|v| SmallVec::from_slice(&[v])).ok_or_else(|| e.unsupported(op))
    })?;
    emit.set_result(op, old);
    Ok(true)
}

/// An integer as one of 64 bits.
fn word(ir: &mut Ir, leaf: Leaf, value: Value) -> Value {
    let to = ir.ty(Leaf::I64);
    match leaf {
        Leaf::I64 => value,
        leaf if leaf.is_float() => value,
        Leaf::I1 => ir.cast(Opcode::LLVMZExt, value, to),
        _ => ir.cast(Opcode::LLVMSExt, value, to),
    }
}

fn call(ir: &mut Ir, name: &str, result: crate::ir::Ty, params: &[crate::ir::Ty], args: &[Value]) -> Value {
    let ty = ir.function_type(params, result, false);
    let f = ir.declare(&format!("{PREFIX}{name}"), ty);
    ir.call(f, args)
}

fn field(ir: &mut Ir, texture: Value, which: i64) -> Value {
    let (pointer, half, which) = (ir.ty(Leaf::Addr), ir.ty(Leaf::I32), ir.int(Leaf::I32, which));
    call(ir, "field", half, &[pointer, half], &[texture, which])
}

fn extent(ir: &mut Ir, texture: Value, which: usize, level: Value) -> Value {
    let (pointer, half, which) = (ir.ty(Leaf::Addr), ir.ty(Leaf::I32), ir.int(Leaf::I32, which as i64));
    call(ir, "extent", half, &[pointer, half, half], &[texture, which, level])
}

/// The number of the texel at a place of so many dimensions, behind which the layer may stand.
fn number(ir: &mut Ir, dims: usize, texture: Value, place: &[Value], offset: &[Value], level: Value) -> Value {
    let zero = ir.int(Leaf::I64, 0);
    let mut args = vec![texture];
    for i in 0..3 {
        let at = place.get(i).copied().filter(|_| i < dims).unwrap_or(zero);
        args.push(offset.get(i).map_or(at, |&by| ir.binary(Opcode::LLVMAdd, at, by)));
    }
    args.push(place.get(dims).copied().unwrap_or(zero));
    args.push(level);
    let (pointer, word) = (ir.ty(Leaf::Addr), ir.ty(Leaf::I64));
    call(ir, "number", word, &[pointer, word, word, word, word, word], &args)
}
