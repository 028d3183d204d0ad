// The steps of differentiation, one by one: a product of which one factor annihilates says so in text.
// RUN: caustic-opt --normalize --linearize --ad-choose-modes %s | FileCheck %s
// CHECK: ad.scale {{.*}}strong = "factor"
module {
  agg.resource @o attributes {type = !agg.buffer<f32, "rw">, reflect = {name = "o", kind = "rw_buffer", type = "f32"}}
  hl.func @g(%x: f32) -> f32 attributes {params = [{name = "x", dir = "in"}], differentiable = "both"} {
    %cst = arith.constant 1.0 : f32
    %s = hl.var {name = "s"} : !hl.ref<f32>
    hl.store %cst, %s : (f32, !hl.ref<f32>) -> ()
    %c0_i32 = arith.constant 0 : i32
    %i = hl.var {name = "i"} : !hl.ref<i32>
    hl.store %c0_i32, %i : (i32, !hl.ref<i32>) -> ()
    hl.loop {test_first = true} {
      %0 = hl.load %i : (!hl.ref<i32>) -> i32
      %c5_i32 = arith.constant 5 : i32
      %1 = arith.cmpi slt, %0, %c5_i32 : i32
      hl.condition %1
    } {
      %2 = hl.load %i : (!hl.ref<i32>) -> i32
      %c2_i32 = arith.constant 2 : i32
      %3 = arith.remsi %2, %c2_i32 : i32
      %c0_i32_0 = arith.constant 0 : i32
      %4 = arith.cmpi eq, %3, %c0_i32_0 : i32
      hl.if %4 : (i1) -> () {
        %5 = hl.load %s : (!hl.ref<f32>) -> f32
        %6 = arith.mulf %5, %x : f32
        %cst_0 = arith.constant 1.0 : f32
        %7 = arith.addf %6, %cst_0 : f32
        hl.store %7, %s : (f32, !hl.ref<f32>) -> ()
        hl.yield
      } {
        hl.yield
      }
      hl.yield
    } {
      %8 = hl.load %i : (!hl.ref<i32>) -> i32
      %c1_i32 = arith.constant 1 : i32
      %9 = arith.addi %8, %c1_i32 : i32
      hl.store %9, %i : (i32, !hl.ref<i32>) -> ()
      hl.yield
    }
    %10 = hl.load %s : (!hl.ref<f32>) -> f32
    hl.return %10 : f32
  }
  ad.derivative @"bwd_diff(g)" attributes {of = @g, mode = "bwd", function_type = (!hl.ref<!ad.pair<f32>>, f32) -> (), params = [{name = "x", dir = "inout"}, {name = "dResult", dir = "in"}]}
  hl.func @computeMain() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 1, 1, 1>}} {
    %0 = agg.global @o : !agg.buffer<f32, "rw">
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.index_cast %c0_i32 : i32 to index
    %2 = hl.buffer_element %0[%1] : (!agg.buffer<f32, "rw">, index) -> !hl.ref<f32>
    %3 = hl.load %2 : (!hl.ref<f32>) -> f32
    %4 = hl.call @diffPair.1.float(%3) : (f32) -> !ad.pair<f32>
    %p = hl.var {name = "p"} : !hl.ref<!ad.pair<f32>>
    hl.store %4, %p : (!ad.pair<f32>, !hl.ref<!ad.pair<f32>>) -> ()
    %cst = arith.constant 1.0 : f32
    hl.call @"bwd_diff(g)"(%p, %cst) : (!hl.ref<!ad.pair<f32>>, f32) -> ()
    %5 = agg.global @o : !agg.buffer<f32, "rw">
    %c0_i32_0 = arith.constant 0 : i32
    %6 = arith.index_cast %c0_i32_0 : i32 to index
    %7 = hl.buffer_element %5[%6] : (!agg.buffer<f32, "rw">, index) -> !hl.ref<f32>
    %8 = hl.load %p : (!hl.ref<!ad.pair<f32>>) -> !ad.pair<f32>
    %9 = ad.differential %8 : (!ad.pair<f32>) -> f32
    hl.store %9, %7 : (f32, !hl.ref<f32>) -> ()
    hl.return
  }
  hl.func @diffPair.1.float(%primal: f32) -> !ad.pair<f32> attributes {params = [{name = "primal", dir = "in"}], differentiable = "both", force_inline} {
    %cst = arith.constant 0.0 : f32
    %0 = ad.make_pair %primal, %cst : (f32, f32) -> !ad.pair<f32>
    hl.return %0 : !ad.pair<f32>
  }
}
