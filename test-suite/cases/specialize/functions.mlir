// Functions with type and integer parameters; an instance needs another, and each list of arguments has one instance. Which division it
// is and which conversion, the sign of the type decides.
// RUN: caustic run %s --backend %backend --buffer gOut=zero:28 --read gOut --format json
// EXPECT-JSON: {"gOut": [25.0, 14.0, 25.0, 3.0, 1431655800.0, -2.0, 6.0]}
// RUN: caustic-opt %s --specialize | FileCheck %s --check-prefix=OPT
// OPT-NOT: generics
// OPT: func @main
// OPT: func @"square<float>"(%x: f32) -> f32
// OPT-NEXT: arith.mulf
// OPT-NOT: "square<float>"(%x
// OPT: func @"norm2<float, 2>"(%v: vector<2xf32>)
// OPT: func @"norm2<float, 3>"(%v: vector<3xf32>)
// OPT: func @"third<uint>"
// OPT-NEXT: arith.constant 3
// OPT-NEXT: arith.divui
// OPT: func @"third<int>"
// OPT: arith.divsi
!T = !hl.param<"T">
!Out = !agg.buffer<f32, "rw">
agg.resource @gOut attributes {type = !Out, reflect = {name = "gOut", kind = "rw_buffer", type = "f32"}}
hl.func @put(%i: index, %v: f32) {
  %out = agg.global @gOut : !Out
  %r = hl.buffer_element %out[%i] : (!Out, index) -> !hl.ref<f32>
  hl.store %v, %r : (f32, !hl.ref<f32>) -> ()
  hl.return
}

hl.func @square(%x: !T) -> !T attributes {generics = [{name = "T", kind = "type"}]} {
  %0 = hl.poly "binary"(%x, %x) {op = "mul", of = [!T, !T], to = !T} : (!T, !T) -> !T
  hl.return %0 : !T
}

// The sum of squares of a vector's components, in a loop up to its size.
!V = !hl.vector<!T, "N">
hl.func @norm2(%v: !V) -> !T attributes {generics = [{name = "T", kind = "type"}, {name = "N", kind = "int"}]} {
  %sum = hl.var {name = "sum"} : !hl.ref<!T>
  %i = hl.var {name = "i"} : !hl.ref<i32>
  hl.loop {test_first = true} {
    %0 = hl.load %i : (!hl.ref<i32>) -> i32
    %n = hl.poly "size"() {value = "N", of = [], to = i32} : () -> i32
    %1 = arith.cmpi slt, %0, %n : i32
    hl.condition %1
  } {
    %0 = hl.load %i : (!hl.ref<i32>) -> i32
    %at = arith.index_cast %0 : i32 to index
    %c = hl.poly "part"(%v, %at) {index = -1, of = [!V, index], to = !T} : (!V, index) -> !T
    %s = hl.call_generic [@square, !T](%c) : (!T) -> !T
    %old = hl.load %sum : (!hl.ref<!T>) -> !T
    %new = hl.poly "binary"(%old, %s) {op = "add", of = [!T, !T], to = !T} : (!T, !T) -> !T
    hl.store %new, %sum : (!T, !hl.ref<!T>) -> ()
    hl.yield
  } {
    %0 = hl.load %i : (!hl.ref<i32>) -> i32
    %one = arith.constant 1 : i32
    %1 = arith.addi %0, %one : i32
    hl.store %1, %i : (i32, !hl.ref<i32>) -> ()
    hl.yield
  }
  %0 = hl.load %sum : (!hl.ref<!T>) -> !T
  hl.return %0 : !T
}

hl.func @third(%x: !T) -> !T attributes {generics = [{name = "T", kind = "type"}]} {
  %three = arith.constant 3 : i32
  %d = hl.poly "convert"(%three) {of = [i32], to = !T} : (i32) -> !T
  %0 = hl.poly "binary"(%x, %d) {op = "div", of = [!T, !T], to = !T} : (!T, !T) -> !T
  hl.return %0 : !T
}

// N * 2, through an expression as argument.
hl.func @value() -> f32 attributes {generics = [{name = "N", kind = "int"}]} {
  %0 = hl.poly "size"() {value = "N", of = [], to = f32} : () -> f32
  hl.return %0 : f32
}
hl.func @twice() -> f32 attributes {generics = [{name = "N", kind = "int"}]} {
  %0 = hl.call_generic [@value, {op = "mul", args = ["N", 2]}]() : () -> f32
  hl.return %0 : f32
}

hl.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 1, 1, 1>}} {
  %five = arith.constant 5.0 : f32
  %0 = hl.call_generic [@square, f32](%five) : (f32) -> f32
  %i0 = arith.constant 0 : index
  hl.call @put(%i0, %0) : (index, f32) -> ()
  %v3 = arith.constant dense<[1.0, 2.0, 3.0]> : vector<3xf32>
  %v2 = arith.constant dense<[3.0, 4.0]> : vector<2xf32>
  %n2 = hl.call_generic [@norm2, f32, 2](%v2) : (vector<2xf32>) -> f32
  %n3 = hl.call_generic [@norm2, f32, 3](%v3) : (vector<3xf32>) -> f32
  %i1 = arith.constant 1 : index
  hl.call @put(%i1, %n3) : (index, f32) -> ()
  %n2b = hl.call_generic [@norm2, f32, 2](%v2) : (vector<2xf32>) -> f32
  %i2 = arith.constant 2 : index
  hl.call @put(%i2, %n2b) : (index, f32) -> ()
  %nine = arith.constant 9.0 : f32
  %t = hl.call_generic [@third, f32](%nine) : (f32) -> f32
  %i3 = arith.constant 3 : index
  hl.call @put(%i3, %t) : (index, f32) -> ()
  %m = arith.constant -1 : i32
  %tu = hl.call_generic [@third, ui32](%m) : (i32) -> i32
  %tuf = arith.uitofp %tu : i32 to f32
  %i4 = arith.constant 4 : index
  hl.call @put(%i4, %tuf) : (index, f32) -> ()
  %m6 = arith.constant -6 : i32
  %ti = hl.call_generic [@third, i32](%m6) : (i32) -> i32
  %tif = arith.sitofp %ti : i32 to f32
  %i5 = arith.constant 5 : index
  hl.call @put(%i5, %tif) : (index, f32) -> ()
  %six = hl.call_generic [@twice, 3]() : () -> f32
  %i6 = arith.constant 6 : index
  hl.call @put(%i6, %six) : (index, f32) -> ()
  hl.return
}
