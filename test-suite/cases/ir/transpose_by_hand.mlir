// RUN: caustic-opt --pass-pipeline='builtin.module(ad-transpose,any(canonicalize,cse,dce))' %s | FileCheck %s
// NOTE: Linear code that linearizing never makes: an input that reaches it by two ways, and a tangent that something is added to.

// CHECK-LABEL: func.func @two_ways.rev
// CHECK: ad.linear(%[[IN:.*]])
// CHECK: ^bb0(%[[CT:.*]]: !ad.tangent<f32>):
// CHECK-DAG: %[[A:.*]] = ad.scale %[[CT]], %x : !ad.tangent<f32>, f32
// CHECK-DAG: %[[B:.*]] = ad.neg %[[CT]] : !ad.tangent<f32>
// CHECK: %[[SUM:.*]] = ad.add %{{.*}}, %{{.*}} : !ad.tangent<f32>
// CHECK: ad.yield %[[SUM]]
ad.instance @two_ways.instance attributes {of = @two_ways, active = array<i64: 1>, wanted = array<i64: 1>, active_results = array<i64: 1>, jvp = @two_ways.jvp, rev = @two_ways.rev, fwd = @two_ways.fwd, primal = @two_ways.primal, bwd = @two_ways.bwd, unsure = @two_ways.unsure, gated = @two_ways.gated}
func.func @two_ways(%x: f32) -> f32 {
  func.return %x : f32
}
func.func @two_ways.rev(%x: f32, %x_d: !ad.tangent<f32>) -> (f32, !ad.tangent<f32>) attributes {ad.instance = @two_ways.instance, ad.active = array<i64: 1>, ad.stage = "unzipped"} {
  %0 = ad.linear(%x_d, %x_d) : (!ad.tangent<f32>, !ad.tangent<f32>) -> !ad.tangent<f32> {
  ^bb0(%a: !ad.tangent<f32>, %b: !ad.tangent<f32>):
    %1 = ad.scale %a, %x : !ad.tangent<f32>, f32
    %2 = ad.neg %b : !ad.tangent<f32>
    %3 = ad.add %1, %2 : !ad.tangent<f32>
    ad.yield %3 : !ad.tangent<f32>
  }
  func.return %x, %0 : f32, !ad.tangent<f32>
}

// What something is added to gets the whole cotangent, what is added the part of it.
// CHECK-LABEL: func.func @added.rev
// CHECK: ^bb0(%[[CT2:.*]]: !
// CHECK-DAG: %[[PART:.*]] = ad.extract %[[CT2]][] {path = array<i64: 1>}
// CHECK: ad.yield %[[CT2]], %[[PART]]
ad.instance @added.instance attributes {of = @added, active = array<i64: 1, 1>, wanted = array<i64: 1>, active_results = array<i64: 1>, jvp = @added.jvp, rev = @added.rev, fwd = @added.fwd, primal = @added.primal, bwd = @added.bwd, unsure = @added.unsure, gated = @added.gated}
func.func @added(%x: !agg.array<2, f32>, %y: f32) -> !agg.array<2, f32> {
  func.return %x : !agg.array<2, f32>
}
func.func @added.rev(%x: !agg.array<2, f32>, %y: f32, %x_d: !ad.tangent<!agg.array<2, f32>>, %y_d: !ad.tangent<f32>) -> (!agg.array<2, f32>, !ad.tangent<!agg.array<2, f32>>) attributes {ad.instance = @added.instance, ad.active = array<i64: 1, 1>, ad.stage = "unzipped"} {
  %0 = ad.linear(%x_d, %y_d) : (!ad.tangent<!agg.array<2, f32>>, !ad.tangent<f32>) -> !ad.tangent<!agg.array<2, f32>> {
  ^bb0(%a: !ad.tangent<!agg.array<2, f32>>, %b: !ad.tangent<f32>):
    %1 = ad.accumulate %b, %a[] {path = array<i64: 1>} : (!ad.tangent<f32>, !ad.tangent<!agg.array<2, f32>>) -> !ad.tangent<!agg.array<2, f32>>
    ad.yield %1 : !ad.tangent<!agg.array<2, f32>>
  }
  func.return %x, %0 : !agg.array<2, f32>, !ad.tangent<!agg.array<2, f32>>
}
