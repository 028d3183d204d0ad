// RUN: caustic-opt --cse %s | FileCheck %s
// NOTE: Repeated computations are shared where they are in scope and nothing is written in between.

// CHECK-LABEL: func.func @commutative
func.func @commutative(%x: f32, %y: f32) -> (f32, f32) {
  // CHECK: %[[SUM:.*]] = arith.addf %x, %y
  // CHECK-NOT: arith.addf
  // CHECK: arith.subf %x, %y
  // CHECK: arith.subf %y, %x
  // CHECK: return
  %a = arith.addf %x, %y : f32
  %b = arith.addf %y, %x : f32
  %c = arith.subf %x, %y : f32
  %d = arith.subf %y, %x : f32
  %e = arith.mulf %a, %c : f32
  %f = arith.mulf %b, %d : f32
  return %e, %f : f32, f32
}

// CHECK-LABEL: func.func @scopes
func.func @scopes(%c: i1, %x: f32) -> f32 {
  // CHECK: math.sin
  // CHECK: scf.if
  // CHECK-NOT: math.sin
  // CHECK: math.cos
  // CHECK: else
  // CHECK: math.cos
  // CHECK: return
  %s = math.sin %x : f32
  %r = scf.if %c -> (f32) {
    %t = math.sin %x : f32
    %u = math.cos %x : f32
    %v = arith.addf %t, %u : f32
    scf.yield %v : f32
  } else {
    %u = math.cos %x : f32
    scf.yield %u : f32
  }
  %q = arith.addf %r, %s : f32
  return %q : f32
}

// CHECK-LABEL: func.func @reads
func.func @reads(%b: !agg.buffer<f32, "rw">, %i: index) -> f32 {
  // CHECK-COUNT-2: agg.buffer_load
  // CHECK-NOT: agg.buffer_load
  // CHECK: return
  %x = agg.buffer_load %b, %i[] {path = []} : (!agg.buffer<f32, "rw">, index) -> f32
  %y = agg.buffer_load %b, %i[] {path = []} : (!agg.buffer<f32, "rw">, index) -> f32
  agg.buffer_store %x, %b, %i[] {path = []} : (f32, !agg.buffer<f32, "rw">, index) -> ()
  %z = agg.buffer_load %b, %i[] {path = []} : (!agg.buffer<f32, "rw">, index) -> f32
  %s = arith.addf %x, %y : f32
  %t = arith.addf %s, %z : f32
  return %t : f32
}

// NOTE: A loop that writes does not see what was read before it; after it nothing is known.
// CHECK-LABEL: func.func @reads_around_loop
func.func @reads_around_loop(%b: !agg.buffer<f32, "rw">, %i: index) -> f32 {
  // CHECK: agg.buffer_load
  // CHECK: scf.for
  // CHECK: agg.buffer_load
  // CHECK: agg.buffer_store
  // CHECK: agg.buffer_load
  // CHECK: return
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %x = agg.buffer_load %b, %i[] {path = []} : (!agg.buffer<f32, "rw">, index) -> f32
  scf.for %k = %zero to %i step %one {
    %y = agg.buffer_load %b, %i[] {path = []} : (!agg.buffer<f32, "rw">, index) -> f32
    %z = arith.addf %y, %x : f32
    agg.buffer_store %z, %b, %i[] {path = []} : (f32, !agg.buffer<f32, "rw">, index) -> ()
  }
  %w = agg.buffer_load %b, %i[] {path = []} : (!agg.buffer<f32, "rw">, index) -> f32
  %s = arith.addf %x, %w : f32
  return %s : f32
}

// NOTE: Calls that only compute are shared, calls that print are not.
// CHECK-LABEL: func.func @calls
func.func @calls(%x: f32) -> f32 {
  // CHECK-COUNT-1: func.call @pure
  // CHECK-NOT: func.call @pure
  // CHECK-COUNT-2: func.call @prints
  // CHECK: return
  %a = func.call @pure(%x) : (f32) -> f32
  %b = func.call @pure(%x) : (f32) -> f32
  %c = func.call @prints(%x) : (f32) -> f32
  %d = func.call @prints(%x) : (f32) -> f32
  %s = arith.addf %a, %b : f32
  %t = arith.addf %c, %d : f32
  %u = arith.addf %s, %t : f32
  return %u : f32
}
func.func @pure(%x: f32) -> f32 {
  %y = math.sin %x : f32
  return %y : f32
}
func.func @prints(%x: f32) -> f32 {
  gpu.printf "x %f\n" %x : f32
  return %x : f32
}
