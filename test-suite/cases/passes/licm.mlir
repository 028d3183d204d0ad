// RUN: caustic-opt --licm %s | FileCheck %s

// CHECK-LABEL: func.func @nested
func.func @nested(%n: index, %x: f32, %y: f32) -> f32 {
  // CHECK: arith.mulf %x, %y
  // CHECK: scf.for
  // CHECK: math.sin
  // CHECK: scf.for
  // CHECK-NOT: math.sin
  // CHECK-NOT: arith.mulf
  // CHECK: arith.addf
  // CHECK: return
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %x) -> (f32) {
    %q = scf.for %k = %zero to %n step %one iter_args(%t = %s) -> (f32) {
      %a = arith.mulf %x, %y : f32
      %b = math.sin %s : f32
      %c = arith.addf %a, %b : f32
      %d = arith.addf %c, %t : f32
      scf.yield %d : f32
    }
    scf.yield %q : f32
  }
  return %r : f32
}

// NOTE: An array that an iteration updates in place is made in it.
// CHECK-LABEL: func.func @arrays
func.func @arrays(%n: index, %x: f32) -> f32 {
  // CHECK: scf.for
  // CHECK-NEXT: agg.zero
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %x) -> (f32) {
    %z = agg.zero : !agg.array<64, f32>
    %a = agg.insert %s, %z[%i] {path = [-1]} : (f32, !agg.array<64, f32>, index) -> !agg.array<64, f32>
    %b = agg.extract %a[] {path = [3]} : (!agg.array<64, f32>) -> f32
    scf.yield %b : f32
  }
  return %r : f32
}

// NOTE: Reads move if the loop writes nothing and the read happens for sure.
// CHECK-LABEL: func.func @reads
func.func @reads(%b: !agg.buffer<f32, "ro">, %w: !agg.buffer<f32, "rw">, %n: index, %x: f32) -> f32 {
  // CHECK: %[[SURE:.*]] = agg.buffer_load %b
  // CHECK: scf.for
  // CHECK: scf.for
  // CHECK-NEXT: %[[MAYBE:.*]] = agg.buffer_load %b
  // CHECK: scf.for
  // CHECK-NEXT: agg.buffer_load %w
  // CHECK: return
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %p = scf.for %i = %zero to %four step %one iter_args(%s = %x) -> (f32) {
    %v = agg.buffer_load %b, %n[] {path = []} : (!agg.buffer<f32, "ro">, index) -> f32
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  }
  %q = scf.for %i = %zero to %n step %one iter_args(%s = %p) -> (f32) {
    %v = agg.buffer_load %b, %n[] {path = []} : (!agg.buffer<f32, "ro">, index) -> f32
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  }
  %r = scf.for %i = %zero to %four step %one iter_args(%s = %q) -> (f32) {
    %v = agg.buffer_load %w, %n[] {path = []} : (!agg.buffer<f32, "rw">, index) -> f32
    %t = arith.addf %s, %v : f32
    agg.buffer_store %t, %w, %n[] {path = []} : (f32, !agg.buffer<f32, "rw">, index) -> ()
    scf.yield %t : f32
  }
  return %r : f32
}

// NOTE: A loop that is the same in each iteration moves as a whole, if it is short or the one around it surely runs.
// CHECK-LABEL: func.func @loops
func.func @loops(%n: index, %x: f32) -> f32 {
  // CHECK: math.sin
  // CHECK: %[[R:.*]] = scf.for
  // CHECK: math.cos
  // CHECK: math.exp
  // CHECK: scf.for
  // CHECK-NOT: math
  // CHECK: return
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %six = arith.constant 6 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %x) -> (f32) {
    %q = scf.for %k = %zero to %six step %one iter_args(%t = %x) -> (f32) {
      %c = arith.mulf %t, %x : f32
      %b = math.sin %c : f32
      scf.yield %b : f32
    }
    %p = scf.for %k = %zero to %n step %one iter_args(%t = %x) -> (f32) {
      %c = math.cos %t : f32
      scf.yield %c : f32
    }
    %a = arith.addf %s, %q : f32
    %c = arith.addf %a, %p : f32
    scf.yield %c : f32
  }
  %u = scf.for %i = %zero to %six step %one iter_args(%s = %x) -> (f32) {
    %q = scf.for %k = %zero to %n step %one iter_args(%t = %r) -> (f32) {
      %c = math.exp %t : f32
      scf.yield %c : f32
    }
    %a = arith.addf %s, %q : f32
    scf.yield %a : f32
  }
  return %u : f32
}
