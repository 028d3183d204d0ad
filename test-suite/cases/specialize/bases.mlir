// The conformance to a base interface, and that of an associated type, are entries of a witness.
// RUN: caustic run %s --backend %backend --buffer gOut=zero:8 --read gOut --format json
// EXPECT-JSON: {"gOut": [15.0, 8.0]}
!Out = !agg.buffer<f32, "rw">
agg.resource @gOut attributes {type = !Out, reflect = {name = "gOut", kind = "rw_buffer", type = "f32"}}
hl.func @put(%i: index, %v: f32) {
  %out = agg.global @gOut : !Out
  %r = hl.buffer_element %out[%i] : (!Out, index) -> !hl.ref<f32>
  hl.store %v, %r : (f32, !hl.ref<f32>) -> ()
  hl.return
}

hl.interface @IBase attributes {requirements = [{key = "plus", kind = "function"}]}
hl.interface @IDerived attributes {requirements = [{key = "IBase", kind = "witness"}, {key = "Part", kind = "type"}, {key = "Part:IBase", kind = "witness"}, {key = "part", kind = "function"}]}
hl.func @float.plus(%x: f32) -> f32 {
  %ten = arith.constant 10.0 : f32
  %0 = arith.addf %x, %ten : f32
  hl.return %0 : f32
}
hl.func @int.plus(%x: i32) -> i32 {
  %one = arith.constant 1 : i32
  %0 = arith.addi %x, %one : i32
  hl.return %0 : i32
}
hl.func @float.part(%x: f32) -> i32 {
  %0 = arith.fptosi %x : f32 to i32
  hl.return %0 : i32
}
hl.witness_table @"float:IBase" attributes {interface = @IBase, for = f32, entries = {plus = @float.plus}}
hl.witness_table @"int:IBase" attributes {interface = @IBase, for = i32, entries = {plus = @int.plus}}
hl.witness_table @"float:IDerived" attributes {interface = @IDerived, for = f32,
  entries = {IBase = @"float:IBase", Part = i32, "Part:IBase" = @"int:IBase", part = @float.part}}

!T = !hl.param<"T">
hl.func @base(%x: !T) -> !T attributes {generics = [{name = "T", kind = "type"}, {name = "T:IBase", kind = "witness", interface = @IBase}]} {
  %0 = hl.call_generic {witness = "T:IBase", key = "plus"}(%x) : (!T) -> !T
  hl.return %0 : !T
}
!Part = !hl.assoc<"T:IDerived", "Part">
hl.func @upcast(%x: !T) -> !T attributes {generics = [{name = "T", kind = "type"}, {name = "T:IDerived", kind = "witness", interface = @IDerived}]} {
  %0 = hl.call_generic [@base, !T, {witness = "T:IDerived", key = "IBase"}](%x) : (!T) -> !T
  hl.return %0 : !T
}
hl.func @of_part(%x: !T) -> !Part attributes {generics = [{name = "T", kind = "type"}, {name = "T:IDerived", kind = "witness", interface = @IDerived}]} {
  %0 = hl.call_generic {witness = "T:IDerived", key = "part"}(%x) : (!T) -> !Part
  %1 = hl.call_generic [@base, !Part, {witness = "T:IDerived", key = "Part:IBase"}](%0) : (!Part) -> !Part
  hl.return %1 : !Part
}

hl.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 1, 1, 1>}} {
  %five = arith.constant 5.0 : f32
  %0 = hl.call_generic [@upcast, f32, @"float:IDerived"](%five) : (f32) -> f32
  %i0 = arith.constant 0 : index
  hl.call @put(%i0, %0) : (index, f32) -> ()
  %seven = arith.constant 7.5 : f32
  %1 = hl.call_generic [@of_part, f32, @"float:IDerived"](%seven) : (f32) -> i32
  %f1 = arith.sitofp %1 : i32 to f32
  %i1 = arith.constant 1 : index
  hl.call @put(%i1, %f1) : (index, f32) -> ()
  hl.return
}
