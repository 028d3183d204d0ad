// Values of an interface's type: made from conforming types, called through a switch over their number, changed by methods, asked for
// their type. A value that is nothing yet is the first conforming type with zeros. The number of a type can be given.
// RUN: caustic run %s --backend %backend --buffer gOut=zero:36 --read gOut --format json
// EXPECT-JSON: {"gOut": [27.0, 18.0, 5.0, 12.0, 1.0, 0.0, 3.0, 0.0, 64.0]}
// RUN: caustic-opt %s --specialize | FileCheck %s --check-prefix=OPT
// OPT-NOT: existential
// OPT: func @direct
// OPT: call @Circle.area
// OPT: func @IShape.area(%this: !IShape, %scale: f32) -> f32 attributes {{.*}}differentiable = "both"
// OPT: hl.switch %{{.*}} {cases = array<i64: 0, 4>}
// OPT: call @Circle.area
// OPT: call @Rect.area
!Out = !agg.buffer<f32, "rw">
agg.resource @gOut attributes {type = !Out, reflect = {name = "gOut", kind = "rw_buffer", type = "f32"}}
hl.func @put(%i: index, %v: f32) {
  %out = agg.global @gOut : !Out
  %r = hl.buffer_element %out[%i] : (!Out, index) -> !hl.ref<f32>
  hl.store %v, %r : (f32, !hl.ref<f32>) -> ()
  hl.return
}

!S = !hl.existential<@IShape>
!Circle = !agg.struct<"Circle", 1, [["r", f32]]>
!Rect = !agg.struct<"Rect", 1, [["w", f32], ["h", f32]]>
hl.interface @IShape attributes {differentiable, requirements = [
  {key = "area", kind = "function", type = (!hl.param<"This">, f32) -> f32, params = [{name = "this", dir = "in"}, {name = "scale", dir = "in"}], differentiable = "both"},
  {key = "grow", kind = "function", type = (!hl.ref<!hl.param<"This">>, f32) -> (), params = [{name = "this", dir = "inout"}, {name = "by", dir = "in"}]}]}
hl.func @Circle.area(%c: !Circle, %scale: f32) -> f32 attributes {params = [{name = "this", dir = "in"}, {name = "scale", dir = "in"}], differentiable = "both"} {
  %r = agg.extract %c[] {path = array<i64: 0>} : (!Circle) -> f32
  %0 = arith.mulf %r, %r : f32
  %1 = arith.mulf %0, %scale : f32
  hl.return %1 : f32
}
hl.func @Circle.grow(%c: !hl.ref<!Circle>, %by: f32) attributes {params = [{name = "this", dir = "inout"}, {name = "by", dir = "in"}]} {
  %r = hl.field %c {index = 0} : (!hl.ref<!Circle>) -> !hl.ref<f32>
  %0 = hl.load %r : (!hl.ref<f32>) -> f32
  %1 = arith.addf %0, %by : f32
  hl.store %1, %r : (f32, !hl.ref<f32>) -> ()
  hl.return
}
hl.func @Rect.area(%c: !Rect, %scale: f32) -> f32 attributes {params = [{name = "this", dir = "in"}, {name = "scale", dir = "in"}], differentiable = "both"} {
  %w = agg.extract %c[] {path = array<i64: 0>} : (!Rect) -> f32
  %h = agg.extract %c[] {path = array<i64: 1>} : (!Rect) -> f32
  %0 = arith.mulf %w, %h : f32
  %1 = arith.mulf %0, %scale : f32
  hl.return %1 : f32
}
hl.func @Rect.grow(%c: !hl.ref<!Rect>, %by: f32) attributes {params = [{name = "this", dir = "inout"}, {name = "by", dir = "in"}]} {
  %w = hl.field %c {index = 0} : (!hl.ref<!Rect>) -> !hl.ref<f32>
  hl.store %by, %w : (f32, !hl.ref<f32>) -> ()
  hl.return
}
hl.witness_table @"Circle:IShape" attributes {interface = @IShape, for = !Circle, entries = {area = @Circle.area, grow = @Circle.grow}}
hl.witness_table @"Rect:IShape" attributes {interface = @IShape, for = !Rect, id = 4, entries = {area = @Rect.area, grow = @Rect.grow}}

// A circle of radius x, or a rectangle of x by 2.
hl.func @shape(%circle: i1, %x: f32) -> !S attributes {params = [{name = "circle", dir = "in"}, {name = "x", dir = "in"}], differentiable = "both"} {
  %0 = hl.if %circle : (i1) -> !S {
    %c = agg.make %x : (f32) -> !Circle
    %s = hl.make_existential %c {for = !Circle, witness = @"Circle:IShape"} : (!Circle) -> !S
    hl.yield %s : !S
  } {
    %two = arith.constant 2.0 : f32
    %r = agg.make %x, %two : (f32, f32) -> !Rect
    %s = hl.make_existential %r {for = !Rect, witness = @"Rect:IShape"} : (!Rect) -> !S
    hl.yield %s : !S
  }
  hl.return %0 : !S
}

hl.func @area(%circle: i1, %x: f32) -> f32 {
  %s = hl.call @shape(%circle, %x) : (i1, f32) -> !S
  %three = arith.constant 3.0 : f32
  %0 = hl.call_generic {interface = @IShape, key = "area"}(%s, %three) : (!S, f32) -> f32
  hl.return %0 : f32
}
// The method changes the value that the variable holds.
hl.func @grown(%circle: i1, %x: f32) -> f32 {
  %s = hl.call @shape(%circle, %x) : (i1, f32) -> !S
  %v = hl.var : !hl.ref<!S>
  hl.store %s, %v : (!S, !hl.ref<!S>) -> ()
  %by = arith.constant 6.0 : f32
  hl.call_generic {interface = @IShape, key = "grow"}(%v, %by) : (!hl.ref<!S>, f32) -> ()
  %t = hl.load %v : (!hl.ref<!S>) -> !S
  %one = arith.constant 1.0 : f32
  %0 = hl.call_generic {interface = @IShape, key = "area"}(%t, %one) : (!S, f32) -> f32
  hl.return %0 : f32
}
hl.func @is_circle(%circle: i1) -> f32 {
  %one = arith.constant 1.0 : f32
  %s = hl.call @shape(%circle, %one) : (i1, f32) -> !S
  %0 = hl.is_dynamic %s {for = !Circle} : (!S) -> i1
  %1 = arith.uitofp %0 : i1 to f32
  hl.return %1 : f32
}
// The width if it is a rectangle, else 0.
hl.func @width(%circle: i1) -> f32 {
  %x = arith.constant 3.0 : f32
  %s = hl.call @shape(%circle, %x) : (i1, f32) -> !S
  %0 = hl.as_dynamic %s {for = !Rect} : (!S) -> !Rect
  %1 = agg.extract %0[] {path = array<i64: 0>} : (!Rect) -> f32
  hl.return %1 : f32
}
// The type is known here: no choice is made.
hl.func @direct() -> f32 {
  %x = arith.constant 2.236068 : f32
  %c = agg.make %x : (f32) -> !Circle
  %s = hl.make_existential %c {for = !Circle, witness = @"Circle:IShape"} : (!Circle) -> !S
  %one = arith.constant 1.0 : f32
  %0 = hl.call_generic {interface = @IShape, key = "area"}(%s, %one) : (!S, f32) -> f32
  %1 = math.roundeven %0 : f32
  hl.return %1 : f32
}

hl.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 1, 1, 1>}} {
  %true = arith.constant true
  %false = arith.constant false
  %three = arith.constant 3.0 : f32
  %two = arith.constant 2.0 : f32
  %0 = hl.call @area(%true, %three) : (i1, f32) -> f32
  %i0 = arith.constant 0 : index
  hl.call @put(%i0, %0) : (index, f32) -> ()
  %1 = hl.call @area(%false, %three) : (i1, f32) -> f32
  %i1 = arith.constant 1 : index
  hl.call @put(%i1, %1) : (index, f32) -> ()
  %2 = hl.call @direct() : () -> f32
  %i2 = arith.constant 2 : index
  hl.call @put(%i2, %2) : (index, f32) -> ()
  %3 = hl.call @grown(%false, %three) : (i1, f32) -> f32
  %i3 = arith.constant 3 : index
  hl.call @put(%i3, %3) : (index, f32) -> ()
  %4 = hl.call @is_circle(%true) : (i1) -> f32
  %i4 = arith.constant 4 : index
  hl.call @put(%i4, %4) : (index, f32) -> ()
  %5 = hl.call @is_circle(%false) : (i1) -> f32
  %i5 = arith.constant 5 : index
  hl.call @put(%i5, %5) : (index, f32) -> ()
  %6 = hl.call @width(%false) : (i1) -> f32
  %i6 = arith.constant 6 : index
  hl.call @put(%i6, %6) : (index, f32) -> ()
  %7 = hl.call @width(%true) : (i1) -> f32
  %i7 = arith.constant 7 : index
  hl.call @put(%i7, %7) : (index, f32) -> ()
  %8 = hl.call @grown(%true, %two) : (i1, f32) -> f32
  %i8 = arith.constant 8 : index
  hl.call @put(%i8, %8) : (index, f32) -> ()
  hl.return
}
