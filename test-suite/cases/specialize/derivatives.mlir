// Derivatives of generic functions are instances like functions: of a function with arguments, of what a witness has, of a derivative. One
// that is asked for twice is made once.
// RUN: caustic run %s --backend %backend --buffer gOut=zero:24 --read gOut --format json
// EXPECT-JSON: {"gOut": [18.0, 12.0, 2.0, 27.0, 2.0, 36.0]}
// RUN: caustic-opt %s --specialize | FileCheck %s --check-prefix=OPT
// OPT: ad.derivative @"bwd_diff(cube<float>)"
// OPT: ad.derivative @"fwd_diff(cube<float>)" attributes {{.*}}of = @"cube<float>"
// OPT-NOT: mode = "fwd"{{.*}}of = @"cube<float>"}
// OPT: ad.derivative @"fwd_diff(float.twice)"
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

hl.func @cube(%x: !T) -> !T attributes {generics = [{name = "T", kind = "type"}], differentiable = "both"} {
  %0 = hl.poly "binary"(%x, %x) {op = "mul", of = [!T, !T], to = !T} : (!T, !T) -> !T
  %1 = hl.poly "binary"(%0, %x) {op = "mul", of = [!T, !T], to = !T} : (!T, !T) -> !T
  hl.return %1 : !T
}
!P = !ad.pair<!T>
!PP = !ad.pair<!P>
!F = !ad.pair<f32>
hl.derivative @"fwd_diff(cube)" attributes {generics = [{name = "T", kind = "type"}], of = [@cube, !T], mode = "fwd", function_type = (!P) -> !P, params = [{name = "x", dir = "in"}]}
hl.derivative @"bwd_diff(cube)" attributes {generics = [{name = "T", kind = "type"}], of = [@cube, !T], mode = "bwd", function_type = (!hl.ref<!P>, !hl.differential<!T>) -> (), params = [{name = "x", dir = "inout"}, {name = "dResult", dir = "in"}]}
hl.derivative @"fwd_diff(fwd_diff(cube))" attributes {generics = [{name = "T", kind = "type"}], of = [@"fwd_diff(cube)", !T], mode = "fwd", function_type = (!PP) -> !PP, params = [{name = "x", dir = "in"}]}
hl.derivative @"fwd_diff(T.twice)" attributes {generics = [{name = "T", kind = "type"}, {name = "T:INumber", kind = "witness", interface = @INumber}], of = {witness = "T:INumber", key = "twice"}, mode = "fwd", function_type = (!P) -> !P, params = [{name = "x", dir = "in"}]}

// x · d(cube)/dx
hl.func @slope(%x: !T, %d: !T) -> !T attributes {generics = [{name = "T", kind = "type"}]} {
  %p = ad.make_pair %x, %d : (!T, !T) -> !P
  %q = hl.call_generic [@"fwd_diff(cube)", !T](%p) : (!P) -> !P
  %0 = ad.differential %q : (!P) -> !T
  hl.return %0 : !T
}
hl.func @slope_of_twice(%x: !T, %d: !T) -> !T attributes {generics = [{name = "T", kind = "type"}, {name = "T:INumber", kind = "witness", interface = @INumber}]} {
  %p = ad.make_pair %x, %d : (!T, !T) -> !P
  %q = hl.call_generic [@"fwd_diff(T.twice)", !T, "T:INumber"](%p) : (!P) -> !P
  %0 = ad.differential %q : (!P) -> !T
  hl.return %0 : !T
}

hl.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 1, 1, 1>}} {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %six = arith.constant 6.0 : f32
  %x = arith.constant 1.5 : f32
  %sx = hl.call_generic [@slope, f32](%six, %one) : (f32, f32) -> f32
  %0 = arith.divf %sx, %six : f32
  %i0 = arith.constant 0 : index
  hl.call @put(%i0, %0) : (index, f32) -> ()
  %1 = hl.call_generic [@slope, f32](%two, %one) : (f32, f32) -> f32
  %i1 = arith.constant 1 : index
  hl.call @put(%i1, %1) : (index, f32) -> ()
  %2 = hl.call_generic [@slope_of_twice, f32, @"float:INumber"](%three, %one) : (f32, f32) -> f32
  %i2 = arith.constant 2 : index
  hl.call @put(%i2, %2) : (index, f32) -> ()
  %zero = arith.constant 0.0 : f32
  %p = ad.make_pair %three, %zero : (f32, f32) -> !F
  %v = hl.var : !hl.ref<!F>
  hl.store %p, %v : (!F, !hl.ref<!F>) -> ()
  hl.call_generic [@"bwd_diff(cube)", f32](%v, %one) : (!hl.ref<!F>, f32) -> ()
  %q = hl.load %v : (!hl.ref<!F>) -> !F
  %3 = ad.differential %q : (!F) -> f32
  %i3 = arith.constant 3 : index
  hl.call @put(%i3, %3) : (index, f32) -> ()
  %4 = hl.call_generic [@slope_of_twice, f32, @"float:INumber"](%x, %one) : (f32, f32) -> f32
  %i4 = arith.constant 4 : index
  hl.call @put(%i4, %4) : (index, f32) -> ()
  %inner = ad.make_pair %six, %one : (f32, f32) -> !F
  %tangent = ad.make_pair %one, %zero : (f32, f32) -> !F
  %pp = ad.make_pair %inner, %tangent : (!F, !F) -> !ad.pair<!F>
  %qq = hl.call_generic [@"fwd_diff(fwd_diff(cube))", f32](%pp) : (!ad.pair<!F>) -> !ad.pair<!F>
  %dq = ad.differential %qq : (!ad.pair<!F>) -> !F
  %5 = ad.differential %dq : (!F) -> f32
  %i5 = arith.constant 5 : index
  hl.call @put(%i5, %5) : (index, f32) -> ()
  hl.return
}
