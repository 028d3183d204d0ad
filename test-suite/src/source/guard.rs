//! Lanes that a group lacks stay out of a shader.
//!
//! Lavapipe runs eight threads as the lanes of a vector. Where a group has fewer for one, it lets
//! the lanes that are none run along, and a loop waits for them, too, until its limit of iterations
//! is used up; every loop behind it ends after one iteration then. A guard around the entry point,
//! which holds for each thread that there is, keeps these lanes out. It is put into the SPIR-V, so
//! that the text is tested as it was emitted.

use std::collections::HashMap;

/// Lanes of a vector.
pub const LANES: u32 = 8;

const ENTRY_POINT: u32 = 15;
const EXECUTION_MODE: u32 = 16;
const EXECUTION_MODE_ID: u32 = 331;
const TYPE_VOID: u32 = 19;
const TYPE_BOOL: u32 = 20;
const TYPE_INT: u32 = 21;
const TYPE_VECTOR: u32 = 23;
const TYPE_POINTER: u32 = 32;
const TYPE_FUNCTION: u32 = 33;
const CONSTANT: u32 = 43;
const FUNCTION: u32 = 54;
const VARIABLE: u32 = 59;
const DECORATE: u32 = 71;

const BUILT_IN: u32 = 11;
const LOCAL_INVOCATION_ID: u32 = 27;
const SUBGROUP_LOCAL_INVOCATION_ID: u32 = 41;
const INPUT: u32 = 1;
const LOCAL_SIZE: u32 = 17;
const LOCAL_SIZE_ID: u32 = 38;

/// How many threads of a group are in a row, in the first dimension.
pub fn row_of_threads(code: &[u8]) -> Option<u32> {
    let ops = ops(code)?;
    let mode = |op: &Vec<u32>, code: u32, mode: u32| op[0] & 0xffff == code && op.get(2) == Some(&mode);
    if let Some(size) = ops.iter().find(|op| mode(op, EXECUTION_MODE, LOCAL_SIZE)) {
        return size.get(3).copied();
    }
    let id = *ops.iter().find(|op| mode(op, EXECUTION_MODE_ID, LOCAL_SIZE_ID))?.get(3)?;
    ops.iter().find(|op| op[0] & 0xffff == CONSTANT && op[2] == id)?.get(3).copied()
}

fn ops(code: &[u8]) -> Option<Vec<Vec<u32>>> {
    let words: Vec<u32> = code.chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect();
    let (mut at, mut ops) = (5, Vec::new());
    while let Some(&first) = words.get(at) {
        let count = (first >> 16).max(1) as usize;
        ops.push(words.get(at..at + count)?.to_vec());
        at += count;
    }
    Some(ops)
}

/// The module whose entry point is run only by the lanes whose number in the first dimension is
/// less than `threads`.
pub fn guarded(code: &[u8], threads: u32) -> Option<Vec<u8>> {
    let ops = ops(code)?;
    let mut head: Vec<u32> = code[..20].chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect();
    let mut module = Guard { bound: head[3], types: HashMap::new(), added: Vec::new() };
    for op in &ops {
        // Types by all of them but their result.
        if let code @ (TYPE_VOID | TYPE_BOOL | TYPE_INT | TYPE_VECTOR | TYPE_POINTER | TYPE_FUNCTION) = op[0] & 0xffff {
            module.types.insert((code, op[2..].to_vec()), op[1]);
        }
    }
    let entry = ops.iter().find(|op| op[0] & 0xffff == ENTRY_POINT)?[2];
    let void = module.declared(TYPE_VOID, &[]);
    let (uint, bool) = (module.declared(TYPE_INT, &[32, 0]), module.declared(TYPE_BOOL, &[]));
    // In one vector the lane itself is asked: of rows of one thread the number is known to be 0.
    let (built_in, variable) = match threads < LANES {
        true => (SUBGROUP_LOCAL_INVOCATION_ID, uint),
        false => (LOCAL_INVOCATION_ID, module.declared(TYPE_VECTOR, &[uint, 3])),
    };
    let pointer = module.declared(TYPE_POINTER, &[INPUT, variable]);
    let function = module.declared(TYPE_FUNCTION, &[void]);
    let [count, index, main, label, inside, end, loaded, first, less, called] = [(); 10].map(|()| module.fresh());
    module.added.push(op(CONSTANT, &[uint, count, threads]));
    module.added.push(op(VARIABLE, &[pointer, index, INPUT]));
    let body = [
        op(FUNCTION, &[void, main, 0, function]),
        op(248, &[label]),
        op(61, &[variable, loaded, index]),
        if variable == uint { op(83, &[uint, first, loaded]) } else { op(81, &[uint, first, loaded, 0]) },
        op(176, &[bool, less, first, count]),
        op(247, &[end, 0]),
        op(250, &[less, inside, end]),
        op(248, &[inside]),
        op(57, &[void, called, entry]),
        op(249, &[end]),
        op(248, &[end]),
        op(253, &[]),
        op(56, &[]),
    ];
    head[3] = module.bound;
    let mut out = head;
    let (mut decorated, mut declared) = (false, false);
    for mut old in ops {
        let code = old[0] & 0xffff;
        match code {
            ENTRY_POINT => {
                old[2] = main;
                old.push(index);
                old[0] = (old.len() as u32) << 16 | code;
            }
            EXECUTION_MODE | EXECUTION_MODE_ID if old[1] == entry => old[1] = main,
            // A kernel that does nothing decorates nothing: its types come next.
            DECORATE | TYPE_VOID | TYPE_INT | TYPE_FUNCTION if !decorated => {
                decorated = true;
                out.extend(op(DECORATE, &[index, BUILT_IN, built_in]));
            }
            FUNCTION if !declared => {
                declared = true;
                out.extend(module.added.concat());
            }
            _ => {}
        }
        out.extend(old);
    }
    out.extend(body.concat());
    decorated.then(|| out.into_iter().flat_map(u32::to_le_bytes).collect())
}

/// The module whose floats of 32 bits keep infinities, what is no number, and the signs of zeros:
/// HLSL says so of `precise`, and the SPIR-V that is made of it does not.
pub fn keeping(code: &[u8]) -> Option<Vec<u8>> {
    const CAPABILITY: u32 = 17;
    const EXTENSION: u32 = 10;
    const SIGNED_ZERO_INF_NAN_PRESERVE: u32 = 4466;
    const PRESERVE_MODE: u32 = 4461;
    let ops = ops(code)?;
    let entry = ops.iter().find(|op| op[0] & 0xffff == ENTRY_POINT)?[2];
    let mut name: Vec<u8> = b"SPV_KHR_float_controls".to_vec();
    name.resize(24, 0);
    let name: Vec<u32> = name.chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect();
    let mut out: Vec<u32> = code[..20].chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect();
    let (mut capable, mut kept) = (false, false);
    for old in ops {
        let code = old[0] & 0xffff;
        if !capable && code != CAPABILITY {
            capable = true;
            out.extend(op(CAPABILITY, &[SIGNED_ZERO_INF_NAN_PRESERVE]));
            out.extend(op(EXTENSION, &name));
        }
        if !kept && matches!(code, EXECUTION_MODE | EXECUTION_MODE_ID) {
            kept = true;
            out.extend(op(EXECUTION_MODE, &[entry, PRESERVE_MODE, 32]));
        }
        out.extend(old);
    }
    kept.then(|| out.into_iter().flat_map(u32::to_le_bytes).collect())
}

fn op(code: u32, operands: &[u32]) -> Vec<u32> {
    let mut words = vec![(operands.len() as u32 + 1) << 16 | code];
    words.extend(operands);
    words
}

struct Guard {
    bound: u32,
    types: HashMap<(u32, Vec<u32>), u32>,
    added: Vec<Vec<u32>>,
}

impl Guard {
    fn fresh(&mut self) -> u32 {
        self.bound += 1;
        self.bound - 1
    }

    /// A type, which is declared if it is not there.
    fn declared(&mut self, code: u32, operands: &[u32]) -> u32 {
        if let Some(&known) = self.types.get(&(code, operands.to_vec())) {
            return known;
        }
        let id = self.fresh();
        let mut words = vec![id];
        words.extend(operands);
        self.added.push(op(code, &words));
        id
    }
}
