// RUN: caustic-opt --mark-ranges %s | FileCheck %s
// NOTE: A loop up to a number that is given fills an array. If only elements that it has filled are read, by counters up to the same number or back from it,
// NOTE: nobody reads the zeros that the array began with. One that is read by a constant, by a counter up to another number, or as a whole, keeps them.
!Array = !agg.array<16, f32>
!Buffer = !agg.buffer<f32, "rw">
agg.resource @count attributes {type = i32, reflect = {name = "count", kind = "uniform", type = "int"}}
agg.resource @other attributes {type = i32, reflect = {name = "other", kind = "uniform", type = "int"}}
func.func private @whole(!Array) -> f32 attributes {params = [{name = "a", dir = "in"}]}

// CHECK-LABEL: func.func @again
// CHECK: %[[ZERO:.*]] = agg.zero {unread} : !agg.array<16, f32>
// CHECK: scf.for %i = %c0 to %count step %c1 iter_args(%a = %[[ZERO]])
func.func @again(%x: f32) -> f32 attributes {params = [{name = "x", dir = "in"}]} {
  %count = agg.global @count : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %empty = agg.zero : !Array
  %filled = scf.for %i = %c0 to %count step %c1 iter_args(%a = %empty) -> (!Array) : i32 {
    %next = agg.insert %x, %a[%i] {path = array<i64: -1>} : (f32, !Array, i32) -> !Array
    scf.yield %next : !Array
  }
  %last = arith.subi %count, %c1 : i32
  %changed, %sum = scf.for %k = %c0 to %count step %c1 iter_args(%b = %filled, %s = %x) -> (!Array, f32) : i32 {
    %back = arith.subi %last, %k : i32
    %v = agg.extract %b[%back] {path = array<i64: -1>} : (!Array, i32) -> f32
    %t = arith.addf %s, %v : f32
    %after = agg.insert %t, %b[%k] {path = array<i64: -1>} : (f32, !Array, i32) -> !Array
    scf.yield %after, %t : !Array, f32
  }
  %all = scf.for %k = %c1 to %count step %c1 iter_args(%s = %sum) -> (f32) : i32 {
    %v = agg.extract %changed[%k] {path = array<i64: -1>} : (!Array, i32) -> f32
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  }
  func.return %all : f32
}

// CHECK-LABEL: func.func @constant
// CHECK-NOT: unread
func.func @constant(%x: f32) -> f32 attributes {params = [{name = "x", dir = "in"}]} {
  %count = agg.global @count : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %empty = agg.zero : !Array
  %filled = scf.for %i = %c0 to %count step %c1 iter_args(%a = %empty) -> (!Array) : i32 {
    %next = agg.insert %x, %a[%i] {path = array<i64: -1>} : (f32, !Array, i32) -> !Array
    scf.yield %next : !Array
  }
  %v = agg.extract %filled[] {path = array<i64: 3>} : (!Array) -> f32
  func.return %v : f32
}

// CHECK-LABEL: func.func @further
// CHECK-NOT: unread
func.func @further(%x: f32) -> f32 attributes {params = [{name = "x", dir = "in"}]} {
  %count = agg.global @count : i32
  %other = agg.global @other : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %empty = agg.zero : !Array
  %filled = scf.for %i = %c0 to %count step %c1 iter_args(%a = %empty) -> (!Array) : i32 {
    %next = agg.insert %x, %a[%i] {path = array<i64: -1>} : (f32, !Array, i32) -> !Array
    scf.yield %next : !Array
  }
  %sum = scf.for %k = %c0 to %other step %c1 iter_args(%s = %x) -> (f32) : i32 {
    %v = agg.extract %filled[%k] {path = array<i64: -1>} : (!Array, i32) -> f32
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  }
  func.return %sum : f32
}

// CHECK-LABEL: func.func @handed
// CHECK-NOT: unread
func.func @handed(%x: f32) -> f32 attributes {params = [{name = "x", dir = "in"}]} {
  %count = agg.global @count : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %empty = agg.zero : !Array
  %filled = scf.for %i = %c0 to %count step %c1 iter_args(%a = %empty) -> (!Array) : i32 {
    %next = agg.insert %x, %a[%i] {path = array<i64: -1>} : (f32, !Array, i32) -> !Array
    scf.yield %next : !Array
  }
  %v = func.call @whole(%filled) : (!Array) -> f32
  func.return %v : f32
}
