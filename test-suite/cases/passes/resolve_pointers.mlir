// RUN: caustic-opt --resolve-pointers --canonicalize --dce %s | FileCheck %s
// NOTE: An access by an address that is the begin of a resource and an offset is one to a view of the resource, at the offset. Where a resource is chosen, it stays.
// CHECK-LABEL: @whole
// CHECK: agg.view %{{.*}} : !agg.buffer<i8, "rw"> -> !agg.buffer<vector<3xf32>, "rw", "parts">
// CHECK: %[[AT:.*]] = arith.muli {{.*}} : index
// CHECK-NOT: agg.pointee
// CHECK-LABEL: @half
// CHECK-NOT: agg.pointee
// CHECK-LABEL: @back_and_forth
// CHECK-NOT: agg.pointee
// CHECK-LABEL: @chosen
// CHECK: agg.pointee
module {
  agg.resource @p attributes {type = !agg.buffer<i8, "rw">, reflect = {name = "p", kind = "pointer", type = ["vector", 3, "f32"]}}
  agg.resource @q attributes {type = !agg.buffer<i8, "rw">, reflect = {name = "q", kind = "pointer", type = "f32"}}
  agg.resource @kept attributes {type = !agg.buffer<i8, "rw">, reflect = {name = "kept", kind = "pointer", type = "f32"}}
  func.func @whole(%i: i32) -> vector<3xf32> attributes {params = []} {
    %c0 = arith.constant 0 : index
    %c12 = arith.constant 12 : i64
    %g = agg.global @p : !agg.buffer<i8, "rw">
    %begin = agg.address %g : !agg.buffer<i8, "rw">
    %wide = arith.extui %i : i32 to i64
    %offset = arith.muli %wide, %c12 : i64
    %at = arith.addi %begin, %offset : i64
    %b = agg.pointee %at : !agg.buffer<vector<3xf32>, "rw", "parts">
    %x = agg.buffer_load %b, %c0[] {path = array<i64>} : (!agg.buffer<vector<3xf32>, "rw", "parts">, index) -> vector<3xf32>
    func.return %x : vector<3xf32>
  }
  // An offset of half an element.
  func.func @half() -> f32 attributes {params = []} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : i64
    %g = agg.global @q : !agg.buffer<i8, "rw">
    %begin = agg.address %g : !agg.buffer<i8, "rw">
    %at = arith.addi %begin, %c2 : i64
    %b = agg.pointee %at : !agg.buffer<f32, "rw", "parts">
    %x = agg.buffer_load %b, %c0[] {path = array<i64>} : (!agg.buffer<f32, "rw", "parts">, index) -> f32
    func.return %x : f32
  }
  // The begin of one resource cancels.
  func.func @back_and_forth() -> f32 attributes {params = []} {
    %c0 = arith.constant 0 : index
    %g = agg.global @q : !agg.buffer<i8, "rw">
    %h = agg.global @kept : !agg.buffer<i8, "rw">
    %q = agg.address %g : !agg.buffer<i8, "rw">
    %kept = agg.address %h : !agg.buffer<i8, "rw">
    %between = arith.subi %q, %kept : i64
    %at = arith.addi %kept, %between : i64
    %b = agg.pointee %at : !agg.buffer<f32, "rw", "parts">
    %x = agg.buffer_load %b, %c0[] {path = array<i64>} : (!agg.buffer<f32, "rw", "parts">, index) -> f32
    func.return %x : f32
  }
  func.func @chosen(%which: i1) -> f32 attributes {params = []} {
    %c0 = arith.constant 0 : index
    %g = agg.global @q : !agg.buffer<i8, "rw">
    %h = agg.global @kept : !agg.buffer<i8, "rw">
    %q = agg.address %g : !agg.buffer<i8, "rw">
    %kept = agg.address %h : !agg.buffer<i8, "rw">
    %at = arith.select %which, %q, %kept : i64
    %b = agg.pointee %at : !agg.buffer<f32, "rw", "parts">
    %x = agg.buffer_load %b, %c0[] {path = array<i64>} : (!agg.buffer<f32, "rw", "parts">, index) -> f32
    func.return %x : f32
  }
}
