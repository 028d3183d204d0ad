// Interfaces and requirements with parameters of their own: `IConvert<U>`, and a generic method.
// RUN: caustic run %s --backend %backend --buffer gOut=zero:8 --read gOut --format json
// EXPECT-JSON: {"gOut": [3.0, 12.0]}
!Out = !agg.buffer<f32, "rw">
agg.resource @gOut attributes {type = !Out, reflect = {name = "gOut", kind = "rw_buffer", type = "f32"}}
hl.func @put(%i: index, %v: f32) {
  %out = agg.global @gOut : !Out
  %r = hl.buffer_element %out[%i] : (!Out, index) -> !hl.ref<f32>
  hl.store %v, %r : (f32, !hl.ref<f32>) -> ()
  hl.return
}

!T = !hl.param<"T">
!U = !hl.param<"U">
hl.interface @IConvert attributes {generics = [{name = "U", kind = "type"}], requirements = [{key = "to", kind = "function"}]}
hl.interface @IScale attributes {requirements = [{key = "scale", kind = "function"}]}
hl.func @float.toInt(%x: f32) -> i32 {
  %0 = arith.fptosi %x : f32 to i32
  hl.return %0 : i32
}
hl.witness_table @"float:IConvert<int>" attributes {interface = [@IConvert, i32], for = f32, entries = {to = @float.toInt}}
hl.func @convert(%x: !T) -> !U attributes {generics = [{name = "T", kind = "type"}, {name = "U", kind = "type"}, {name = "w", kind = "witness", interface = [@IConvert, !U]}]} {
  %0 = hl.call_generic {witness = "w", key = "to"}(%x) : (!T) -> !U
  hl.return %0 : !U
}
hl.func @float.scale(%x: f32) -> f32 attributes {generics = [{name = "N", kind = "int"}]} {
  %n = hl.poly "size"() {value = "N", of = [], to = f32} : () -> f32
  %0 = arith.mulf %x, %n : f32
  hl.return %0 : f32
}
hl.witness_table @"float:IScale" attributes {interface = @IScale, for = f32, entries = {scale = @float.scale}}
hl.func @thrice(%x: !T) -> !T attributes {generics = [{name = "T", kind = "type"}, {name = "w", kind = "witness", interface = @IScale}]} {
  %0 = hl.call_generic {witness = "w", key = "scale", args = [3]}(%x) : (!T) -> !T
  hl.return %0 : !T
}

hl.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 1, 1, 1>}} {
  %x = arith.constant 3.75 : f32
  %0 = hl.call_generic [@convert, f32, i32, @"float:IConvert<int>"](%x) : (f32) -> i32
  %f0 = arith.sitofp %0 : i32 to f32
  %i0 = arith.constant 0 : index
  hl.call @put(%i0, %f0) : (index, f32) -> ()
  %four = arith.constant 4.0 : f32
  %1 = hl.call_generic [@thrice, f32, @"float:IScale"](%four) : (f32) -> f32
  %i1 = arith.constant 1 : index
  hl.call @put(%i1, %1) : (index, f32) -> ()
  hl.return
}
