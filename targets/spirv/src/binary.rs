//! A finished module as words.
//!
//! This module must not know: what any instruction means.

use crate::assembly::{Finished, Inst, Number, Operand};

const MAGIC: u32 = 0x0723_0203;
/// SPIR-V 1.5, which is Vulkan 1.2's.
const VERSION: u32 = 0x0001_0500;
/// The generator's number: none is registered.
const GENERATOR: u32 = 0;

/// The bytes of a module, the lowest of each word first.
pub fn write(module: &Finished) -> Vec<u8> {
    let mut words = vec![MAGIC, VERSION, GENERATOR, module.bound, 0];
    module.insts.iter().for_each(|inst| write_inst(inst, &mut words));
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

fn write_inst(inst: &Inst, words: &mut Vec<u32>) {
    let start = words.len();
    words.push(0);
    words.extend(inst.ty);
    words.extend(inst.result);
    for operand in &inst.operands {
        match operand {
            Operand::Id(id) => words.push(*id),
            Operand::Literal(n) => words.push(*n),
            Operand::Word((_, n)) => words.push(*n),
            Operand::Number(Number::Int(bits, width) | Number::Float(bits, width)) => {
                words.push(*bits as u32);
                if *width > 32 {
                    words.push((*bits >> 32) as u32);
                }
            }
            Operand::Text(text) => {
                // The end is a byte that is zero.
                let mut bytes = text.as_bytes().to_vec();
                bytes.resize((bytes.len() + 1).next_multiple_of(4), 0);
                words.extend(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])));
            }
        }
    }
    words[start] = ((words.len() - start) as u32) << 16 | inst.op as u32;
}
