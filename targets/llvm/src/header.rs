//! The header that declares a kernel to programs in C: the types of its data, the struct of its
//! arguments, its function.

use crate::names::{Scope, word};
use caustic_dialects::reflect::{DataType, ParamKind, Scalar};
use caustic_ir::Name;
use caustic_runtime::KernelInterface;
use caustic_runtime::interface::KernelParam;
use std::fmt::Write;

fn scalar(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool | Scalar::U8 => "uint8_t",
        Scalar::I8 => "int8_t",
        Scalar::I16 => "int16_t",
        // Its bits: not every compiler has the type.
        Scalar::U16 | Scalar::F16 => "uint16_t",
        Scalar::I32 => "int32_t",
        Scalar::U32 => "uint32_t",
        Scalar::I64 => "int64_t",
        Scalar::U64 => "uint64_t",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
    }
}

struct Header<'a> {
    kernel: &'a str,
    structs: String,
    /// The structs that are declared: the program's name, the members, the name here.
    known: Vec<(Name, String, String)>,
    words: Scope,
}

/// Whether nothing but resources is in it: an empty struct takes a byte in C++.
fn is_resource(ty: &DataType) -> bool {
    match ty {
        DataType::Resource(_) => true,
        DataType::Array { elem, .. } => is_resource(elem),
        DataType::Struct { fields, .. } => !fields.is_empty() && fields.iter().all(|(_, ty)| is_resource(ty)),
        _ => false,
    }
}

impl Header<'_> {
    /// The type in front of a name, and what follows the name.
    fn parts(&mut self, ty: &DataType) -> (String, String) {
        match ty {
            DataType::Scalar(s) => (scalar(*s).into(), String::new()),
            DataType::Vector { len, elem } => (scalar(*elem).into(), format!("[{len}]")),
            DataType::Matrix { rows, cols, elem, by_columns } => {
                let (outer, inner) = if *by_columns { (cols, rows) } else { (rows, cols) };
                (scalar(*elem).into(), format!("[{outer}][{inner}]"))
            }
            DataType::Array { len, elem } => {
                let (front, back) = self.parts(elem);
                (front, format!("[{len}]{back}"))
            }
            DataType::Struct { name, fields } => {
                let (mut body, mut words) = (String::new(), Scope::default());
                // A resource in a struct is a parameter of its own.
                for (field, ty) in fields.iter().filter(|(_, ty)| !is_resource(ty)) {
                    let (front, back) = self.parts(ty);
                    let _ = writeln!(body, "    {front} {}{back};", words.declare(field));
                }
                let known = match self.known.iter().find(|(of, text, _)| of == name && *text == body) {
                    Some((.., known)) => known.clone(),
                    None => {
                        let word = self.words.declare(&format!("{}_{name}", self.kernel));
                        let _ = writeln!(self.structs, "struct {word}\n{{\n{body}}};\n");
                        self.known.push((*name, body, word.clone()));
                        word
                    }
                };
                (format!("struct {known}"), String::new())
            }
            DataType::Resource(_) => ("uint8_t".into(), "[0]".into()),
        }
    }

    /// Elements of this type by their address.
    fn pointer(&mut self, ty: &DataType, constant: bool) -> String {
        let (front, back) = self.parts(ty);
        let constant = if constant { "const " } else { "" };
        if back.is_empty() { format!("{constant}{front} *data") } else { format!("{constant}{front} (*data){back}") }
    }
}

/// The header of a kernel, which C calls `function`; of a buffer with a hidden counter the counter
/// is given too.
pub fn of(interface: &KernelInterface, function: &str, counted: impl Fn(&KernelParam) -> bool) -> String {
    let kernel = &*word(&interface.entry);
    let mut header = Header { kernel, structs: String::new(), known: Vec::new(), words: Scope::default() };
    header.words.declare(&format!("{kernel}_arguments"));
    let (mut arguments, mut words) = (String::new(), Scope::default());
    for param in &interface.params {
        let name = words.declare(&param.name);
        if param.kind == ParamKind::Uniform {
            let (front, back) = header.parts(&param.ty);
            let _ = writeln!(arguments, "    {front} {name}{back};");
        } else if param.is_buffer() {
            let read_only = matches!(param.kind, ParamKind::Buffer | ParamKind::ByteAddressBuffer);
            let data = header.pointer(&param.ty, read_only);
            let counter = if counted(param) { " uint32_t *counter;" } else { "" };
            let by_bytes = matches!(
                param.kind,
                ParamKind::Pointer | ParamKind::ByteAddressBuffer | ParamKind::RwByteAddressBuffer
            );
            let count = if by_bytes { "bytes" } else { "count" };
            let _ = writeln!(arguments, "    struct {{ {data}; uint64_t {count};{counter} }} {name};");
        }
    }
    if arguments.is_empty() {
        // A struct of C has a member.
        arguments.push_str("    uint8_t none;\n");
    }
    let renamed = match kernel == function {
        true => String::new(),
        false => format!(
            "\n   It is the entry point `{}`: a program in C has another function of that name.",
            interface.entry
        ),
    };
    let [x, y, z] = interface.numthreads;
    let guard = format!("CAUSTIC_{}_H", kernel.to_uppercase());
    format!(
        "#ifndef {guard}\n#define {guard}\n\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n{}\
         /* Buffers by the address of their first element and the number of elements, byte-address buffers and pointers by the address and the number\n   \
         of bytes. No two that are written overlap. */\n\
         struct {kernel}_arguments\n{{\n{arguments}}};\n\n\
         /* Runs groups of {x} x {y} x {z} threads, of a dispatch of groups[0] x groups[1] x groups[2]: from number `first` up to `last`, x\n   \
         fastest. Different groups may run on different threads of the host. Returns 0, or non-zero if a thread trapped.{renamed} */\n\
         int {function}(const struct {kernel}_arguments *arguments, const uint32_t groups[3], uint64_t first, uint64_t last);\n\n\
         #ifdef __cplusplus\n}}\n#endif\n\n#endif\n",
        header.structs
    )
}
