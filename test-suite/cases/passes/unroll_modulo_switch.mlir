// RUN: caustic-opt --unroll-modulo --canonicalize --dce %s | FileCheck %s
// NOTE: A switch over the rest of a division by three goes round in threes; a condition that holds in the first iterations alone does not go round.

// CHECK-LABEL: func.func @main
// CHECK: %[[THREE:.*]] = arith.constant 3 : index
// CHECK: scf.for {{.*}} step %[[THREE]]
// CHECK-NOT: scf.index_switch
// CHECK: arith.subf %two
// CHECK: arith.mulf
// CHECK: scf.yield
// CHECK: scf.for {{.*}} step %c1
// CHECK: scf.if
func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %out = agg.global @out : !agg.buffer<f32, "rw">
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %three = arith.constant 3 : i32
  %four = arith.constant 4 : i32
  %two = arith.constant 2.0 : f32
  %a = scf.for %i = %c0 to %c12 step %c1 iter_args(%x = %two) -> (f32) {
    %n = arith.index_cast %i : index to i32
    %rest = arith.remsi %n, %three : i32
    %which = arith.index_cast %rest : i32 to index
    %y = scf.index_switch %which -> f32
    case 0 {
      %m = arith.negf %x : f32
      scf.yield %m : f32
    }
    case 1 {
      %s = arith.addf %x, %two : f32
      scf.yield %s : f32
    }
    default {
      %p = arith.mulf %x, %two : f32
      scf.yield %p : f32
    }
    scf.yield %y : f32
  }
  %b = scf.for %i = %c0 to %c12 step %c1 iter_args(%x = %a) -> (f32) {
    %n = arith.index_cast %i : index to i32
    %first = arith.cmpi slt, %n, %four : i32
    %y = scf.if %first -> (f32) {
      %s = arith.addf %x, %two : f32
      scf.yield %s : f32
    } else {
      %p = arith.mulf %x, %two : f32
      scf.yield %p : f32
    }
    scf.yield %y : f32
  }
  agg.buffer_store %b, %out, %c0[] {path = array<i64>} : (f32, !agg.buffer<f32, "rw">, index) -> ()
  func.return
}
agg.resource @out attributes {type = !agg.buffer<f32, "rw">, reflect = {name = "out", kind = "rw_buffer", type = "f32"}}
