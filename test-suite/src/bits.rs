//! Reinterpretation of values: for all pairs of types of one size, generated programs reinterpret a
//! value as the other type and back, on every back end. The expected values are computed here from
//! bytes, with a second definition of the layout that shares nothing with the compiler: C's layout,
//! without padding at the end of a part.

use crate::json;
use crate::runner::{BACKENDS, Suite};
use std::fmt::Write;

/// A scalar of a type, with the expressions that make it from the 64-bit integer `$` and convert it
/// to one.
struct Scalar {
    bytes: usize,
    make: &'static str,
    take: &'static str,
    is_bool: bool,
}

const fn scalar(bytes: usize, make: &'static str, take: &'static str) -> Scalar {
    Scalar { bytes, make, take, is_bool: false }
}

const BOOL: Scalar = Scalar { bytes: 1, make: "($ != 0)", take: "uint64_t($ ? 1 : 0)", is_bool: true };
const U8: Scalar = scalar(1, "uint8_t($)", "uint64_t($)");
const I8: Scalar = scalar(1, "int8_t($)", "uint64_t(uint8_t($))");
const TINY: Scalar = scalar(1, "(Tiny)uint8_t($)", "uint64_t(uint8_t($))");
const U16: Scalar = scalar(2, "uint16_t($)", "uint64_t($)");
const I16: Scalar = scalar(2, "int16_t($)", "uint64_t(uint16_t($))");
const SMALL: Scalar = scalar(2, "(Small)int16_t($)", "uint64_t(uint16_t(int16_t($)))");
const HALF: Scalar = scalar(2, "asfloat16(uint16_t($))", "uint64_t(asuint16($))");
const U32: Scalar = scalar(4, "uint($)", "uint64_t($)");
const I32: Scalar = scalar(4, "int($)", "uint64_t(uint($))");
const PLAIN: Scalar = scalar(4, "(Plain)int($)", "uint64_t(uint(int($)))");
const FLOAT: Scalar = scalar(4, "asfloat(uint($))", "uint64_t(asuint($))");
const U64: Scalar = scalar(8, "$", "$");
const I64: Scalar = scalar(8, "int64_t($)", "uint64_t($)");
const WIDE: Scalar = scalar(8, "(Wide)$", "uint64_t($)");
const DOUBLE: Scalar = scalar(8, "asdouble(uint($), uint($ >> 32))", "bitsOf($)");
const POINTER: Scalar = scalar(8, "(int*)$", "uint64_t($)");

// The numbers that values of interface types return and are made from.
const WORD1: Scalar = scalar(1, "$", "$");
const WORD2: Scalar = scalar(2, "$", "$");
const WORD4: Scalar = scalar(4, "$", "$");
const WORD8: Scalar = scalar(8, "$", "$");
const FLAG: Scalar = Scalar { bytes: 1, make: "$", take: "$", is_bool: true };

/// A scalar: its offset, its kind, and the path to it.
type Leaf = (usize, &'static Scalar, &'static str);

/// A type as it is written, with its scalars, and an expression that makes a value of them (`0`,
/// `1`, … between `{` and `}`), unless the scalars are assigned one by one. `fixed` gives the
/// scalars that must have a certain value.
struct Type {
    name: &'static str,
    leaves: &'static [Leaf],
    make: Option<&'static str>,
    fixed: &'static [(usize, u64)],
}

const fn parts(name: &'static str, leaves: &'static [Leaf]) -> Type {
    Type { name, leaves, make: None, fixed: &[] }
}

const fn made(name: &'static str, leaves: &'static [Leaf], make: &'static str) -> Type {
    Type { name, leaves, make: Some(make), fixed: &[] }
}

/// The declarations of the types below. Values of interface types return their scalars by number.
const DECLARATIONS: &str = "
enum Tiny : uint8_t { One = 1 }
enum Small : int16_t { One = 1 }
enum Plain { One = 1 }
enum Wide : uint64_t { One = 1 }
struct Byte { uint8_t a; }
struct ByteAndTiny { uint8_t a; Tiny b; }
struct ByteAndHalf { uint8_t a; half b; }
struct Wrapped { Byte a; ByteAndTiny b; bool c; }
struct FloatAndPlain { float a; Plain b; }
struct ByteAndInt { int8_t a; int b; }
struct LongAndInt { int64_t a; int b; }
struct ThenMore { LongAndInt a; uint8_t b; Small c; }
struct Rows { half2x2 a[2]; }
struct Deep { ByteAndHalf a; FloatAndPlain b; Tuple<uint16_t, Tiny> c; }
interface IThing { uint number(); uint64_t word(int i); }
struct Thick : IThing
{
    LongAndInt a; Tiny b;
    uint number() { return 0; }
    uint64_t word(int i) { return i == 0 ? uint64_t(a.a) : i == 1 ? uint64_t(uint(a.b)) : uint64_t(uint8_t(b)); }
}
struct Thin : IThing
{
    float a; bool b; half c;
    uint number() { return 1; }
    uint64_t word(int i) { return i == 0 ? uint64_t(asuint(a)) : i == 1 ? uint64_t(b ? 1 : 0) : uint64_t(asuint16(c)); }
}
struct Held { IThing thing; uint64_t after; }
struct HeldToo { IThing thing; uint after[2]; }
IThing thick(uint64_t a, uint64_t b, uint64_t c) { Thick t; t.a.a = int64_t(a); t.a.b = int(b); t.b = (Tiny)uint8_t(c); return t; }
IThing thin(uint64_t a, uint64_t b, uint64_t c) { Thin t; t.a = asfloat(uint(a)); t.b = b != 0; t.c = asfloat16(uint16_t(c)); return t; }
Held held(IThing t, uint64_t after) { Held h; h.thing = t; h.after = after; return h; }
HeldToo heldToo(IThing t, uint a, uint b) { HeldToo h; h.thing = t; h.after[0] = a; h.after[1] = b; return h; }
uint64_t bitsOf(double v) { uint low; uint high; asuint(v, low, high); return uint64_t(low) | uint64_t(high) << 32; }
";

/// The types, by size.
const SIZES: &[(&str, usize, &[Type])] = &[
    (
        "1",
        1,
        &[
            made("bool", &[(0, &BOOL, "")], "{0}"),
            made("uint8_t", &[(0, &U8, "")], "{0}"),
            made("int8_t", &[(0, &I8, "")], "{0}"),
            made("Tiny", &[(0, &TINY, "")], "{0}"),
            parts("Byte", &[(0, &U8, ".a")]),
            parts("Tiny[1]", &[(0, &TINY, "[0]")]),
        ],
    ),
    (
        "2",
        2,
        &[
            made("half", &[(0, &HALF, "")], "{0}"),
            made("int16_t", &[(0, &I16, "")], "{0}"),
            made("Small", &[(0, &SMALL, "")], "{0}"),
            parts("uint8_t2", &[(0, &U8, ".x"), (1, &U8, ".y")]),
            parts("bool2", &[(0, &BOOL, ".x"), (1, &BOOL, ".y")]),
            parts("Tiny[2]", &[(0, &TINY, "[0]"), (1, &TINY, "[1]")]),
            parts("ByteAndTiny", &[(0, &U8, ".a"), (1, &TINY, ".b")]),
        ],
    ),
    (
        "4",
        4,
        &[
            made("float", &[(0, &FLOAT, "")], "{0}"),
            made("uint", &[(0, &U32, "")], "{0}"),
            made("Plain", &[(0, &PLAIN, "")], "{0}"),
            parts("half2", &[(0, &HALF, ".x"), (2, &HALF, ".y")]),
            parts("bool4", &[(0, &BOOL, ".x"), (1, &BOOL, ".y"), (2, &BOOL, ".z"), (3, &BOOL, ".w")]),
            parts("Small[2]", &[(0, &SMALL, "[0]"), (2, &SMALL, "[1]")]),
            parts("ByteAndHalf", &[(0, &U8, ".a"), (2, &HALF, ".b")]),
            parts("Wrapped", &[(0, &U8, ".a.a"), (1, &U8, ".b.a"), (2, &TINY, ".b.b"), (3, &BOOL, ".c")]),
            made("Tuple<uint8_t, int16_t>", &[(0, &U8, "._0"), (2, &I16, "._1")], "makeTuple({0}, {1})"),
            made("DifferentialPair<half>", &[(0, &HALF, ".p"), (2, &HALF, ".d")], "diffPair({0}, {1})"),
        ],
    ),
    (
        "8",
        8,
        &[
            made("double", &[(0, &DOUBLE, "")], "{0}"),
            made("int64_t", &[(0, &I64, "")], "{0}"),
            made("Wide", &[(0, &WIDE, "")], "{0}"),
            made("int*", &[(0, &POINTER, "")], "{0}"),
            parts("float2", &[(0, &FLOAT, ".x"), (4, &FLOAT, ".y")]),
            parts("half2x2", &[(0, &HALF, "[0].x"), (2, &HALF, "[0].y"), (4, &HALF, "[1].x"), (6, &HALF, "[1].y")]),
            parts("Plain[2]", &[(0, &PLAIN, "[0]"), (4, &PLAIN, "[1]")]),
            parts("ByteAndHalf[2]", &[(0, &U8, "[0].a"), (2, &HALF, "[0].b"), (4, &U8, "[1].a"), (6, &HALF, "[1].b")]),
            parts("FloatAndPlain", &[(0, &FLOAT, ".a"), (4, &PLAIN, ".b")]),
            parts("ByteAndInt", &[(0, &I8, ".a"), (4, &I32, ".b")]),
            made("DifferentialPair<float>", &[(0, &FLOAT, ".p"), (4, &FLOAT, ".d")], "diffPair({0}, {1})"),
            Type {
                name: "Optional<Plain>",
                leaves: &[(0, &PLAIN, ".value"), (4, &BOOL, ".hasValue")],
                make: Some("{0}"),
                fixed: &[(1, 1)],
            },
        ],
    ),
    (
        "12",
        12,
        &[
            parts("float3", &[(0, &FLOAT, ".x"), (4, &FLOAT, ".y"), (8, &FLOAT, ".z")]),
            parts("Plain[3]", &[(0, &PLAIN, "[0]"), (4, &PLAIN, "[1]"), (8, &PLAIN, "[2]")]),
            parts("LongAndInt", &[(0, &I64, ".a"), (8, &I32, ".b")]),
            made(
                "Tuple<float, FloatAndPlain>",
                &[(0, &FLOAT, "._0"), (4, &FLOAT, "._1.a"), (8, &PLAIN, "._1.b")],
                "makeTuple({0}, FloatAndPlain({1}, {2}))",
            ),
            parts(
                "half2x3",
                &[
                    (0, &HALF, "[0].x"),
                    (2, &HALF, "[0].y"),
                    (4, &HALF, "[0].z"),
                    (6, &HALF, "[1].x"),
                    (8, &HALF, "[1].y"),
                    (10, &HALF, "[1].z"),
                ],
            ),
        ],
    ),
    (
        "16",
        16,
        &[
            parts("uint4", &[(0, &U32, ".x"), (4, &U32, ".y"), (8, &U32, ".z"), (12, &U32, ".w")]),
            parts("double2", &[(0, &DOUBLE, ".x"), (8, &DOUBLE, ".y")]),
            parts(
                "float2x2",
                &[(0, &FLOAT, "[0].x"), (4, &FLOAT, "[0].y"), (8, &FLOAT, "[1].x"), (12, &FLOAT, "[1].y")],
            ),
            parts("int*[2]", &[(0, &POINTER, "[0]"), (8, &POINTER, "[1]")]),
            parts("ThenMore", &[(0, &I64, ".a.a"), (8, &I32, ".a.b"), (12, &U8, ".b"), (14, &SMALL, ".c")]),
            parts(
                "Rows",
                &[
                    (0, &HALF, ".a[0][0].x"),
                    (2, &HALF, ".a[0][0].y"),
                    (4, &HALF, ".a[0][1].x"),
                    (6, &HALF, ".a[0][1].y"),
                    (8, &HALF, ".a[1][0].x"),
                    (10, &HALF, ".a[1][0].y"),
                    (12, &HALF, ".a[1][1].x"),
                    (14, &HALF, ".a[1][1].y"),
                ],
            ),
            Type {
                name: "Optional<double>",
                leaves: &[(0, &DOUBLE, ".value"), (8, &BOOL, ".hasValue")],
                make: Some("{0}"),
                fixed: &[(1, 1)],
            },
        ],
    ),
    (
        "padded",
        15,
        &[
            parts(
                "uint8_t[15]",
                &[
                    (0, &U8, "[0]"),
                    (1, &U8, "[1]"),
                    (2, &U8, "[2]"),
                    (3, &U8, "[3]"),
                    (4, &U8, "[4]"),
                    (5, &U8, "[5]"),
                    (6, &U8, "[6]"),
                    (7, &U8, "[7]"),
                    (8, &U8, "[8]"),
                    (9, &U8, "[9]"),
                    (10, &U8, "[10]"),
                    (11, &U8, "[11]"),
                    (12, &U8, "[12]"),
                    (13, &U8, "[13]"),
                    (14, &U8, "[14]"),
                ],
            ),
            parts(
                "Deep",
                &[
                    (0, &U8, ".a.a"),
                    (2, &HALF, ".a.b"),
                    (4, &FLOAT, ".b.a"),
                    (8, &PLAIN, ".b.b"),
                    (12, &U16, ".c._0"),
                    (14, &TINY, ".c._1"),
                ],
            ),
        ],
    ),
    (
        "interface",
        40,
        &[
            Type {
                name: "Held",
                leaves: &[
                    (8, &WORD4, ".thing.number()"),
                    (16, &WORD8, ".thing.word(0)"),
                    (24, &WORD4, ".thing.word(1)"),
                    (28, &WORD1, ".thing.word(2)"),
                    (32, &U64, ".after"),
                ],
                make: Some("held(thick({1}, {2}, {3}), {4})"),
                fixed: &[(0, 0)],
            },
            Type {
                name: "HeldToo",
                leaves: &[
                    (8, &WORD4, ".thing.number()"),
                    (16, &WORD8, ".thing.word(0)"),
                    (24, &WORD4, ".thing.word(1)"),
                    (28, &WORD1, ".thing.word(2)"),
                    (32, &U32, ".after[0]"),
                    (36, &U32, ".after[1]"),
                ],
                make: Some("heldToo(thick({1}, {2}, {3}), {4}, {5})"),
                fixed: &[(0, 0)],
            },
            Type {
                name: "uint[10]",
                leaves: &[
                    (0, &U32, "[0]"),
                    (4, &U32, "[1]"),
                    (8, &U32, "[2]"),
                    (12, &U32, "[3]"),
                    (16, &U32, "[4]"),
                    (20, &U32, "[5]"),
                    (24, &U32, "[6]"),
                    (28, &U32, "[7]"),
                    (32, &U32, "[8]"),
                    (36, &U32, "[9]"),
                ],
                make: None,
                fixed: &[(0, 0), (1, 0), (2, 0), (3, 0)],
            },
        ],
    ),
    (
        "other_interface",
        40,
        &[
            Type {
                name: "Held",
                leaves: &[
                    (8, &WORD4, ".thing.number()"),
                    (16, &WORD4, ".thing.word(0)"),
                    (20, &FLAG, ".thing.word(1)"),
                    (22, &WORD2, ".thing.word(2)"),
                    (32, &U64, ".after"),
                ],
                make: Some("held(thin({1}, {2}, {3}), {4})"),
                fixed: &[(0, 1)],
            },
            Type {
                name: "HeldToo",
                leaves: &[
                    (8, &WORD4, ".thing.number()"),
                    (16, &WORD4, ".thing.word(0)"),
                    (20, &FLAG, ".thing.word(1)"),
                    (22, &WORD2, ".thing.word(2)"),
                    (32, &U32, ".after[0]"),
                    (36, &U32, ".after[1]"),
                ],
                make: Some("heldToo(thin({1}, {2}, {3}), {4}, {5})"),
                fixed: &[(0, 1)],
            },
            Type {
                name: "uint[10]",
                leaves: &[
                    (0, &U32, "[0]"),
                    (4, &U32, "[1]"),
                    (8, &U32, "[2]"),
                    (12, &U32, "[3]"),
                    (16, &U32, "[4]"),
                    (20, &U32, "[5]"),
                    (24, &U32, "[6]"),
                    (28, &U32, "[7]"),
                    (32, &U32, "[8]"),
                    (36, &U32, "[9]"),
                ],
                make: None,
                fixed: &[(0, 0), (1, 0), (2, 1), (3, 0)],
            },
        ],
    ),
];

/// Values whose types have no name in the language, with their sizes, which are also their
/// alignments.
const UNNAMED: &[(&str, usize)] = &[("nullptr", 8), ("1.0h", 2), ("'a'", 4), ("1.0lf", 8)];

/// The names of the tests, with the indices of their types.
pub fn sizes() -> Vec<(String, usize)> {
    SIZES.iter().enumerate().map(|(i, (name, ..))| (format!("bits/{name}"), i)).collect()
}

/// Reinterprets the values of all types of one size as all others, and back, on every back end.
pub fn run(suite: &Suite, at: usize) -> Result<(), String> {
    let (_, size, types) = &SIZES[at];
    let (text, given, expected) = program(*size, types);
    let given: Vec<String> = given.iter().map(u64::to_string).collect();
    let (source, result) =
        (format!("source=u64:{}", given.join(",")), format!("result=zero:{}", 8 * expected.len().max(1)));
    for backend in BACKENDS {
        let args = ["run", "-", "--backend", backend, "--buffer", &source, "--buffer", &result];
        let rest = ["--read", "result", "--format", "json"];
        let args: Vec<String> = args.iter().chain(&rest).map(|a| a.to_string()).collect();
        let output = suite.run_text("caustic", &args, &text)?;
        let found: Vec<u64> = json::first_list(&output).iter().flat_map(|n| n.parse()).collect();
        if found.len() != expected.len() {
            return Err(format!("with {backend}: {} numbers, {} are expected\n{text}", found.len(), expected.len()));
        }
        for (number, (what, value)) in found.iter().zip(&expected) {
            if number != value {
                return Err(format!("with {backend}: {what} is {number:#x}, not {value:#x}\n{text}"));
            }
        }
    }
    Ok(())
}

impl Type {
    /// The values of the scalars in these bytes.
    fn values(&self, bytes: &[u8]) -> Vec<u64> {
        let value = |(at, scalar, _): &Leaf| {
            let part = &bytes[*at..*at + scalar.bytes];
            let value = part.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte));
            if scalar.is_bool { u64::from(value != 0) } else { value }
        };
        self.leaves.iter().map(value).collect()
    }

    /// The bytes of a value with these scalars. Padding is zero.
    fn bytes(&self, values: &[u64], size: usize) -> Vec<u8> {
        let mut out = vec![0; size];
        for ((at, scalar, _), value) in self.leaves.iter().zip(values) {
            out[*at..*at + scalar.bytes].copy_from_slice(&value.to_le_bytes()[..scalar.bytes]);
        }
        out
    }

    /// The scalars of a test value: all of its bytes differ, and no float is special.
    fn given(&self, size: usize) -> Vec<u64> {
        let pattern: Vec<u8> = (0..size).map(|k| 0x21 + (k * 23 % 59) as u8).collect();
        let mut values = self.values(&pattern);
        for (i, value) in self.fixed {
            values[*i] = *value;
        }
        values
    }
}

/// A program, the contents of its source buffer, and the expected value of each number in its
/// result.
fn program(size: usize, types: &[Type]) -> (String, Vec<u64>, Vec<(String, u64)>) {
    let (mut text, mut calls) = (DECLARATIONS.to_string(), String::new());
    text += "RWStructuredBuffer<uint64_t> source;\nRWStructuredBuffer<uint64_t> result;\n";
    let (mut given, mut expected) = (Vec::new(), Vec::new());
    for (i, t) in types.iter().enumerate() {
        let makes: Vec<String> = t
            .leaves
            .iter()
            .enumerate()
            .map(|(k, l)| l.1.make.replace('$', &format!("source[{}]", given.len() + k)))
            .collect();
        given.extend(t.given(size));
        let body = match t.make {
            Some(make) => {
                let all =
                    makes.iter().enumerate().fold(make.to_string(), |m, (k, e)| m.replace(&format!("{{{k}}}"), e));
                format!("T{i} v = {all};")
            }
            None => t.leaves.iter().zip(&makes).fold(format!("T{i} v;"), |b, (l, e)| format!("{b} v{} = {e};", l.2)),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "typealias T{i} = {};\nT{i} make{i}() {{ {body} return v; }}", t.name);
        let takes = t
            .leaves
            .iter()
            .enumerate()
            .map(|(k, l)| format!("result[at + {k}] = {};", l.1.take.replace('$', &format!("v{}", l.2))));
        let _ = writeln!(text, "void take{i}(T{i} v, uint at) {{ {} }}", takes.collect::<Vec<_>>().join(" "));
    }
    // The size of a value ends with its last byte, in a type and in a part of one.
    let mut sized = |what: String, size: usize| {
        let _ = writeln!(calls, "    result[{}] = sizeof({what});", expected.len());
        expected.push((format!("the size of `{what}`"), size as u64));
    };
    for i in 0..types.len() {
        sized(format!("T{i}"), size);
        sized(format!("makeTuple(make{i}(), uint8_t(1))"), size + 1);
    }
    let tuple = |parts: &str| format!("makeTuple({parts})");
    for (value, size) in UNNAMED {
        sized((*value).to_string(), *size);
        sized(tuple(&format!("{value}, uint8_t(1)")), size + 1);
        sized(tuple(&format!("uint8_t(1), {value}")), 2 * size);
    }
    for (i, from) in types.iter().enumerate() {
        for (j, to) in types.iter().enumerate().filter(|(j, _)| *j != i) {
            let bytes = from.bytes(&from.given(size), size);
            let read = to.values(&bytes);
            let again = from.values(&to.bytes(&read, size));
            let at = expected.len();
            let _ = writeln!(calls, "    {{ T{j} v = bit_cast<T{j}>(make{i}()); take{j}(v, {at});");
            let _ = writeln!(calls, "      take{i}(reinterpret<T{i}>(v), {}); }}", at + read.len());
            let what = format!("`{}` as `{}`", from.name, to.name);
            expected.extend(read.iter().enumerate().map(|(k, v)| (format!("scalar {k} of {what}"), *v)));
            expected.extend(again.iter().enumerate().map(|(k, v)| (format!("scalar {k} of {what} and back"), *v)));
        }
    }
    let _ = writeln!(text, "[shader(\"compute\")]\n[numthreads(1, 1, 1)]\nvoid computeMain()\n{{\n{calls}}}");
    (text, given, expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_lie_within_their_types_and_do_not_overlap() {
        for (_, size, types) in SIZES {
            for t in *types {
                let mut taken = vec![false; *size];
                for (at, scalar, path) in t.leaves {
                    for byte in &mut taken[*at..*at + scalar.bytes] {
                        assert!(!std::mem::replace(byte, true), "{}{path}", t.name);
                    }
                }
            }
        }
    }

    #[test]
    fn a_value_that_loses_nothing_comes_back() {
        let (float2, plain) = (&SIZES[3].2[4], &SIZES[3].2[6]);
        let bytes = float2.bytes(&float2.given(8), 8);
        assert_eq!(float2.values(&plain.bytes(&plain.values(&bytes), 8)), float2.given(8));
    }
}
