// Derivatives through a choice by type: of a function that makes an object and calls it, and of the requirement itself. The derivative flows
// through the type that the object holds only.
// RUN: caustic run %s --backend %backend --buffer gOut=zero:16 --read gOut --format json
// EXPECT-JSON: {"gOut": [18.0, 6.0, 9.0, 36.0]}
// GRADCHECK: --function area
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

hl.func @area(%circle: i1, %x: f32) -> f32 attributes {params = [{name = "circle", dir = "in"}, {name = "x", dir = "in"}], differentiable = "both"} {
  %s = hl.call @shape(%circle, %x) : (i1, f32) -> !S
  %three = arith.constant 3.0 : f32
  %0 = hl.call_generic {interface = @IShape, key = "area"}(%s, %three) : (!S, f32) -> f32
  hl.return %0 : f32
}
!F = !ad.pair<f32>
!PS = !ad.pair<!S>
ad.derivative @"bwd_diff(area)" attributes {of = @area, mode = "bwd", function_type = (i1, !hl.ref<!F>, f32) -> (), params = [{name = "circle", dir = "in"}, {name = "x", dir = "inout"}, {name = "dResult", dir = "in"}]}
hl.derivative @"fwd_diff(IShape.area)" attributes {of = {interface = @IShape, key = "area"}, mode = "fwd", function_type = (!PS, !F) -> !F, params = [{name = "this", dir = "in"}, {name = "scale", dir = "in"}]}
hl.func @gradient(%circle: i1, %x: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %p = ad.make_pair %x, %zero : (f32, f32) -> !F
  %v = hl.var : !hl.ref<!F>
  hl.store %p, %v : (!F, !hl.ref<!F>) -> ()
  hl.call @"bwd_diff(area)"(%circle, %v, %one) : (i1, !hl.ref<!F>, f32) -> ()
  %q = hl.load %v : (!hl.ref<!F>) -> !F
  %0 = ad.differential %q : (!F) -> f32
  hl.return %0 : f32
}
hl.func @by_scale(%circle: i1, %x: f32) -> f32 {
  %s = hl.call @shape(%circle, %x) : (i1, f32) -> !S
  %ds = agg.zero : !hl.differential<!S>
  %ps = ad.make_pair %s, %ds : (!S, !hl.differential<!S>) -> !PS
  %one = arith.constant 1.0 : f32
  %p = ad.make_pair %one, %one : (f32, f32) -> !F
  %q = hl.call @"fwd_diff(IShape.area)"(%ps, %p) : (!PS, !F) -> !F
  %0 = ad.differential %q : (!F) -> f32
  hl.return %0 : f32
}

hl.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 1, 1, 1>}} {
  %true = arith.constant true
  %false = arith.constant false
  %three = arith.constant 3.0 : f32
  %e = arith.constant 18.0 : f32
  %0 = hl.call @gradient(%true, %three) : (i1, f32) -> f32
  %i0 = arith.constant 0 : index
  hl.call @put(%i0, %0) : (index, f32) -> ()
  %1 = hl.call @gradient(%false, %three) : (i1, f32) -> f32
  %i1 = arith.constant 1 : index
  hl.call @put(%i1, %1) : (index, f32) -> ()
  %2 = hl.call @by_scale(%true, %three) : (i1, f32) -> f32
  %i2 = arith.constant 2 : index
  hl.call @put(%i2, %2) : (index, f32) -> ()
  %3 = hl.call @by_scale(%false, %e) : (i1, f32) -> f32
  %i3 = arith.constant 3 : index
  hl.call @put(%i3, %3) : (index, f32) -> ()
  hl.return
}
