// What generic arguments do not allow, and generic code that needs itself without end, at the place in the generic code, with the place
// that asked.
// RUN: caustic-opt --split-input-file --verify-diagnostics --specialize %s

// A function that asks for itself with larger and larger types.
!T = !hl.param<"T">
!Pair = !agg.struct<"Pair", 0, [["a", !T], ["b", !T]], [!T]>
hl.func @grow(%x: !T) attributes {generics = [{name = "T", kind = "type"}]} {
  %p = agg.make %x, %x : (!T, !T) -> !Pair
  // expected-error@+1 [E0501] {{`grow` needs too many instances of itself}}
  hl.call_generic [@grow, !Pair](%p) : (!Pair) -> ()
  hl.return
}
hl.func @root(%x: f32) {
  hl.call_generic [@grow, f32](%x) : (f32) -> ()
  hl.return
}
// -----
// One that counts without end.
hl.func @count() attributes {generics = [{name = "N", kind = "int"}]} {
  // expected-error@+1 [E0501] {{`count` needs too many instances of itself}}
  hl.call_generic [@count, {op = "add", args = ["N", 1]}]() : () -> ()
  hl.return
}
hl.func @root() {
  hl.call_generic [@count, 0]() : () -> ()
  hl.return
}
// -----
// Two that ask for each other.
!T = !hl.param<"T">
hl.func @even() attributes {generics = [{name = "N", kind = "int"}]} {
  hl.call_generic [@odd, {op = "sub", args = ["N", 1]}]() : () -> ()
  hl.return
}
hl.func @odd() attributes {generics = [{name = "N", kind = "int"}]} {
  // expected-error@+1 [E0501] {{`even` needs too many instances of itself}}
  hl.call_generic [@even, {op = "sub", args = ["N", 1]}]() : () -> ()
  hl.return
}
hl.func @root() {
  hl.call_generic [@even, 5]() : () -> ()
  hl.return
}
// -----
// Operations that the type does not have, conversions that there are not, sizes that there are not.
!T = !hl.param<"T">
hl.func @sum(%x: !T) -> !T attributes {generics = [{name = "T", kind = "type"}]} {
  // expected-error@+1 [E0502] {{the generic arguments do not allow this: `S` is no type of numbers}}
  %0 = hl.poly "binary"(%x, %x) {op = "add", of = [!T, !T], to = !T} : (!T, !T) -> !T
  hl.return %0 : !T
}
hl.func @shift(%x: !T) -> !T attributes {generics = [{name = "T", kind = "type"}]} {
  // expected-error@+1 [E0502] {{`float` has no operator `shl`}}
  %0 = hl.poly "binary"(%x, %x) {op = "shl", of = [!T, !T], to = !T} : (!T, !T) -> !T
  hl.return %0 : !T
}
hl.func @cut(%x: !T) -> vector<3xf32> attributes {generics = [{name = "T", kind = "type"}]} {
  // expected-error@+1 [E0502] {{there is no conversion from `float2` to `float3`}}
  %0 = hl.poly "convert"(%x) {of = [!T], to = vector<3xf32>} : (!T) -> vector<3xf32>
  hl.return %0 : vector<3xf32>
}
hl.func @wide() attributes {generics = [{name = "N", kind = "int"}]} {
  // expected-error@+1 [E0503] {{a vector with a dimension of 5}}
  %v = hl.var : !hl.ref<!hl.vector<f32, "N">>
  hl.return
}
hl.func @none() attributes {generics = [{name = "N", kind = "int"}]} {
  // expected-error@+1 [E0503] {{7 div 0 has no value}}
  %v = hl.poly "size"() {value = {op = "div", args = [7, "N"]}, of = [], to = i32} : () -> i32
  hl.return
}
hl.func @slope(%x: !T) attributes {generics = [{name = "T", kind = "type"}]} {
  // expected-error@+1 [E0502] {{the type `int` has no derivative}}
  %v = hl.var : !hl.ref<!hl.differential<!T>>
  hl.return
}
!S = !agg.struct<"S", 0, [["x", f32]]>
hl.func @root(%s: !S, %f: f32, %v: vector<2xf32>, %i: i32) {
  %0 = hl.call_generic [@sum, !S](%s) : (!S) -> !S
  %1 = hl.call_generic [@shift, f32](%f) : (f32) -> f32
  %2 = hl.call_generic [@cut, vector<2xf32>](%v) : (vector<2xf32>) -> vector<3xf32>
  hl.call_generic [@wide, 5]() : () -> ()
  hl.call_generic [@none, 0]() : () -> ()
  hl.call_generic [@slope, i32](%i) : (i32) -> ()
  hl.return
}
// -----
// An associated type that is defined by itself.
hl.interface @I attributes {requirements = [{key = "Next", kind = "type"}]}
hl.witness_table @"float:I" attributes {interface = @I, for = f32, entries = {Next = !hl.assoc<@"float:I", "Next">}}
hl.func @root() {
  // expected-error@+1 [E0501] {{this needs itself in more than 256 steps}}
  %v = hl.var : !hl.ref<!hl.assoc<@"float:I", "Next">>
  hl.return
}
// -----
// A value that would contain itself.
!E = !hl.existential<@I>
!Node = !agg.struct<"Node", 0, [["next", !hl.existential<@I>]]>
hl.interface @I attributes {requirements = [{key = "f", kind = "function"}]}
// expected-error@+1 [E0504] {{a value of type `I` would contain itself}}
hl.func @Node.f(%n: !Node) {
  hl.return
}
hl.witness_table @"Node:I" attributes {interface = @I, for = !Node, entries = {f = @Node.f}}
hl.func @root(%e: !E) {
  hl.return
}
// -----
// A requirement whose signature mentions the conforming type besides the object cannot be called without knowing it.
hl.interface @I attributes {requirements = [{key = "Out", kind = "type"}, {key = "f", kind = "function", type = (!hl.param<"This">) -> !hl.assoc<"This:I", "Out">}]}
hl.func @float.f(%x: f32) -> f32 {
  hl.return %x : f32
}
hl.witness_table @"float:I" attributes {interface = @I, for = f32, entries = {Out = f32, f = @float.f}}
hl.func @root(%e: !hl.existential<@I>) -> f32 {
  // expected-error@+1 [E0505] {{`f` cannot be called on a value of type `I`}}
  %0 = hl.call_generic {interface = @I, key = "f"}(%e) : (!hl.existential<@I>) -> f32
  hl.return %0 : f32
}
