// RUN: caustic-opt --dce %s | FileCheck %s
// NOTE: What neither an effect nor a result depends on goes.

// CHECK-LABEL: func.func @effects
func.func @effects(%b: !agg.buffer<f32, "rw">, %i: index, %x: f32) {
  // CHECK-NOT: agg.buffer_load
  // CHECK-NOT: @computes
  // CHECK-NOT: @reads
  // CHECK: func.call @prints
  // CHECK-NEXT: func.call @calls_prints
  // CHECK-NEXT: func.call @elsewhere
  // CHECK-NEXT: agg.buffer_store
  // CHECK-NEXT: return
  %unused = agg.buffer_load %b, %i[] {path = []} : (!agg.buffer<f32, "rw">, index) -> f32
  %a = func.call @computes(%x) : (f32) -> f32
  %c = func.call @reads(%b, %i) : (!agg.buffer<f32, "rw">, index) -> f32
  %d = func.call @prints(%x) : (f32) -> f32
  %e = func.call @calls_prints(%x) : (f32) -> f32
  %f = func.call @elsewhere(%x) : (f32) -> f32
  agg.buffer_store %x, %b, %i[] {path = []} : (f32, !agg.buffer<f32, "rw">, index) -> ()
  return
}
// NOTE: Recursion alone is no effect.
func.func @computes(%x: f32) -> f32 {
  %y = func.call @computes(%x) : (f32) -> f32
  return %y : f32
}
func.func @reads(%b: !agg.buffer<f32, "rw">, %i: index) -> f32 {
  %x = agg.buffer_load %b, %i[] {path = []} : (!agg.buffer<f32, "rw">, index) -> f32
  return %x : f32
}
func.func @prints(%x: f32) -> f32 {
  gpu.printf "x %f\n" %x : f32
  return %x : f32
}
func.func @calls_prints(%x: f32) -> f32 {
  %y = func.call @prints(%x) : (f32) -> f32
  return %y : f32
}
func.func private @elsewhere(f32) -> f32

// NOTE: Carried values that only keep themselves alive, and the array that records them.
// CHECK-LABEL: func.func @recorded_for_nobody
func.func @recorded_for_nobody(%n: index, %x: f32) -> f32 {
  // CHECK-NOT: agg
  // CHECK: scf.for {{.*}} iter_args(%[[S:.*]] = %x) -> (f32)
  // CHECK-NEXT: arith.mulf
  // CHECK-NEXT: scf.yield %{{.*}} : f32
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %tape = agg.zero : !ad.tape<f32>
  %r:3 = scf.for %k = %zero to %n step %one iter_args(%s = %x, %t = %tape, %u = %x) -> (f32, !ad.tape<f32>, f32) {
    %next = arith.mulf %s, %x : f32
    %record = agg.insert %s, %t[%k] {path = [-1]} : (f32, !ad.tape<f32>, index) -> !ad.tape<f32>
    %v = arith.addf %u, %s : f32
    scf.yield %next, %record, %v : f32, !ad.tape<f32>, f32
  }
  return %r#0 : f32
}

// NOTE: A normalized while loses what is dead on both sides.
// CHECK-LABEL: func.func @while_sides
func.func @while_sides(%n: index, %x: f32) -> f32 {
  // CHECK: scf.while (%{{[^,]*}}, %{{[^,]*}}) : (index, f32) -> (index, f32)
  // CHECK: scf.condition(%{{.*}}) %{{[^,]*}}, %{{[^,]*}} : index, f32
  // CHECK-NOT: arith.subf
  // CHECK: scf.yield %{{[^,]*}}, %{{[^,]*}} : index, f32
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:3 = scf.while (%i = %zero, %dead = %x, %s = %x) : (index, f32, f32) -> (index, f32, f32) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i, %dead, %s : index, f32, f32
  } do {
  ^bb0(%i: index, %dead: f32, %s: f32):
    %next = arith.addi %i, %one : index
    %d = arith.subf %dead, %s : f32
    %t = arith.mulf %s, %x : f32
    scf.yield %next, %d, %t : index, f32, f32
  }
  return %r#2 : f32
}
