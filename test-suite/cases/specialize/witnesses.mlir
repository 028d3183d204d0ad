// Calls of what a witness has, constants and associated types of it, and its way through several functions; the conformance of a generic
// type is a table with parameters, which hands its own arguments on.
// RUN: caustic run %s --backend %backend --buffer gOut=zero:24 --read gOut --format json
// EXPECT-JSON: {"gOut": [12.0, 8.0, 7.0, 3.0, 8589935000.0, 20.0]}
// RUN: caustic-opt %s --specialize | FileCheck %s --check-prefix=OPT
// OPT-NOT: witness
// OPT-NOT: interface
// OPT: func @"four<float>"
// OPT: call @"outer<float>"
// OPT: func @"wide<uint>"(%x: i32) -> i64
// OPT-NEXT: arith.extui
// OPT: func @"Box.twice<float>"(%b: !Box_float_) -> !Box_float_
!T = !hl.param<"T">
!Out = !agg.buffer<f32, "rw">
agg.resource @gOut attributes {type = !Out, reflect = {name = "gOut", kind = "rw_buffer", type = "f32"}}
hl.func @put(%i: index, %v: f32) {
  %out = agg.global @gOut : !Out
  %r = hl.buffer_element %out[%i] : (!Out, index) -> !hl.ref<f32>
  hl.store %v, %r : (f32, !hl.ref<f32>) -> ()
  hl.return
}

hl.interface @INumber attributes {requirements = [{key = "twice", kind = "function"}, {key = "Wide", kind = "type"}, {key = "RANK", kind = "constant"}]}
hl.func @float.twice(%x: f32) -> f32 attributes {differentiable = "both"} {
  %0 = arith.addf %x, %x : f32
  hl.return %0 : f32
}
hl.witness_table @"float:INumber" attributes {interface = @INumber, for = f32, entries = {twice = @float.twice, Wide = f64, RANK = 7}}
hl.func @uint.twice(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  hl.return %0 : i32
}
hl.witness_table @"uint:INumber" attributes {interface = @INumber, for = ui32, entries = {twice = @uint.twice, Wide = ui64, RANK = 3}}

hl.func @outer(%x: !T) -> !T attributes {generics = [{name = "T", kind = "type"}, {name = "T:INumber", kind = "witness", interface = @INumber}]} {
  %0 = hl.call_generic {witness = "T:INumber", key = "twice"}(%x) : (!T) -> !T
  hl.return %0 : !T
}
hl.func @four(%x: !T) -> !T attributes {generics = [{name = "T", kind = "type"}, {name = "T:INumber", kind = "witness", interface = @INumber}]} {
  %0 = hl.call_generic [@outer, !T, "T:INumber"](%x) : (!T) -> !T
  %1 = hl.call_generic [@outer, !T, "T:INumber"](%0) : (!T) -> !T
  hl.return %1 : !T
}
hl.func @rank() -> f32 attributes {generics = [{name = "T", kind = "type"}, {name = "T:INumber", kind = "witness", interface = @INumber}]} {
  %0 = hl.poly "size"() {value = {witness = "T:INumber", key = "RANK"}, of = [], to = f32} : () -> f32
  hl.return %0 : f32
}
!Wide = !hl.assoc<"T:INumber", "Wide">
hl.func @wide(%x: !T) -> !Wide attributes {generics = [{name = "T", kind = "type"}, {name = "T:INumber", kind = "witness", interface = @INumber}]} {
  %0 = hl.poly "convert"(%x) {of = [!T], to = !Wide} : (!T) -> !Wide
  %1 = hl.poly "binary"(%0, %0) {op = "add", of = [!Wide, !Wide], to = !Wide} : (!Wide, !Wide) -> !Wide
  hl.return %1 : !Wide
}

// struct Box<T : INumber> : INumber
!Box = !agg.struct<"Box", 0, [["v", !T]], [!T]>
hl.func @Box.twice(%b: !Box) -> !Box attributes {generics = [{name = "T", kind = "type"}, {name = "T:INumber", kind = "witness", interface = @INumber}]} {
  %v = agg.extract %b[] {path = array<i64: 0>} : (!Box) -> !T
  %0 = hl.call_generic {witness = "T:INumber", key = "twice"}(%v) : (!T) -> !T
  %1 = agg.make %0 : (!T) -> !Box
  hl.return %1 : !Box
}
hl.witness_table @"Box:INumber" attributes {generics = [{name = "T", kind = "type"}, {name = "T:INumber", kind = "witness", interface = @INumber}], interface = @INumber, for = !Box,
  entries = {twice = [@Box.twice, !T, "T:INumber"], Wide = !hl.assoc<"T:INumber", "Wide">, RANK = {witness = "T:INumber", key = "RANK"}}}
!FloatBox = !agg.struct<"Box<float>", 0, [["v", f32]]>

hl.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 1, 1, 1>}} {
  %three = arith.constant 3.0 : f32
  %0 = hl.call_generic [@four, f32, @"float:INumber"](%three) : (f32) -> f32
  %i0 = arith.constant 0 : index
  hl.call @put(%i0, %0) : (index, f32) -> ()
  %two = arith.constant 2 : i32
  %1 = hl.call_generic [@four, ui32, @"uint:INumber"](%two) : (i32) -> i32
  %f1 = arith.sitofp %1 : i32 to f32
  %i1 = arith.constant 1 : index
  hl.call @put(%i1, %f1) : (index, f32) -> ()
  %2 = hl.call_generic [@rank, f32, @"float:INumber"]() : () -> f32
  %i2 = arith.constant 2 : index
  hl.call @put(%i2, %2) : (index, f32) -> ()
  %3 = hl.call_generic [@rank, !agg.struct<"Box", 0, [["v", i32]], [ui32]>, [@"Box:INumber", ui32, @"uint:INumber"]]() : () -> f32
  %i3 = arith.constant 3 : index
  hl.call @put(%i3, %3) : (index, f32) -> ()
  %m = arith.constant -1 : i32
  %4 = hl.call_generic [@wide, ui32, @"uint:INumber"](%m) : (i32) -> i64
  %f4 = arith.uitofp %4 : i64 to f32
  %i4 = arith.constant 4 : index
  hl.call @put(%i4, %f4) : (index, f32) -> ()
  %five = arith.constant 5.0 : f32
  %box = agg.make %five : (f32) -> !FloatBox
  %5 = hl.call_generic [@four, !FloatBox, [@"Box:INumber", f32, @"float:INumber"]](%box) : (!FloatBox) -> !FloatBox
  %f5 = agg.extract %5[] {path = array<i64: 0>} : (!FloatBox) -> f32
  %i5 = arith.constant 5 : index
  hl.call @put(%i5, %f5) : (index, f32) -> ()
  hl.return
}
