// caustic-opt --pass-pipeline='builtin.module(any(egraph))'
!DifferentialPair_f32_ = !agg.struct<"DifferentialPair<f32>", 2, [["p", f32], ["d", f32]]>
module {
  agg.resource @output attributes {type = !agg.buffer<f32, "rw">, reflect = {name = "output", kind = "rw_buffer", type = "f32"}}
  func.func @newton(%a: f32) -> f32 attributes {params = [{name = "a", dir = "in"}], differentiable = "both"} {
    %c8 = arith.constant 8 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.5 : f32
    %x = scf.for %arg0 = %c0 to %c8 step %c1 iter_args(%x_0 = %a) -> (f32) {
      %0 = arith.divf %a, %x_0 : f32
      %1 = arith.addf %x_0, %0 : f32
      %x_1 = arith.mulf %1, %cst : f32
      scf.yield %x_1 : f32
    } {max_iters = 8}
    func.return %x : f32
  }
  func.func @early(%x: f32) -> f32 attributes {params = [{name = "x", dir = "in"}], differentiable = "both"} {
    %i = arith.constant 0 : i32
    %stop = arith.constant false
    %c10_i32 = arith.constant 10 : i32
    %true = arith.constant true
    %cst = arith.constant 50.0 : f32
    %true_0 = arith.constant true
    %y, %i_0, %stop_0 = scf.while (%y_0 = %x, %i_1 = %i, %stop_1 = %stop) : (f32, i32, i1) -> (f32, i32, i1) {
      %0 = arith.cmpi slt, %i_1, %c10_i32 : i32
      %1 = arith.xori %stop_1, %true : i1
      %2 = arith.andi %0, %1 : i1
      scf.condition(%2) %y_0, %i_1, %stop_1 : f32, i32, i1
    } do {
    ^bb0(%y_1: f32, %i_2: i32, %stop_2: i1):
      %y_2 = arith.mulf %y_1, %y_1 : f32
      %3 = arith.cmpf ogt, %y_2, %cst : f32
      %stop_3 = arith.select %3, %true_0, %stop_2 : i1
      %y_3 = scf.if %3 -> (f32) {
        scf.yield %y_2 : f32
      } else {
        %c1_i32 = arith.constant 1 : i32
        %4 = arith.cmpi eq, %i_2, %c1_i32 : i32
        %y_4 = scf.if %4 -> (f32) {
          scf.yield %y_2 : f32
        } else {
          %cst_0 = arith.constant 0.5 : f32
          %5 = arith.mulf %x, %cst_0 : f32
          %y_5 = arith.addf %y_2, %5 : f32
          scf.yield %y_5 : f32
        }
        scf.yield %y_4 : f32
      }
      %i_3 = scf.if %stop_3 -> (i32) {
        scf.yield %i_2 : i32
      } else {
        %c1_i32_0 = arith.constant 1 : i32
        %i_4 = arith.addi %i_2, %c1_i32_0 : i32
        scf.yield %i_4 : i32
      }
      scf.yield %y_3, %i_3, %stop_3 : f32, i32, i1
    } attributes {max_iters = 10}
    func.return %y : f32
  }
  func.func @wh(%x: f32) -> f32 attributes {params = [{name = "x", dir = "in"}], differentiable = "both"} {
    %n = arith.constant 0 : i32
    %cst = arith.constant 20.0 : f32
    %cst_0 = arith.constant 1.5 : f32
    %c1_i32 = arith.constant 1 : i32
    %y, %n_0 = scf.while (%y_0 = %x, %n_1 = %n) : (f32, i32) -> (f32, i32) {
      %0 = arith.cmpf olt, %y_0, %cst : f32
      scf.condition(%0) %y_0, %n_1 : f32, i32
    } do {
    ^bb0(%y_1: f32, %n_2: i32):
      %1 = arith.mulf %y_1, %cst_0 : f32
      %y_2 = arith.addf %1, %x : f32
      %n_3 = arith.addi %n_2, %c1_i32 : i32
      scf.yield %y_2, %n_3 : f32, i32
    } attributes {max_iters = 20}
    %2 = arith.sitofp %n_0 : i32 to f32
    %3 = arith.mulf %y, %2 : f32
    func.return %3 : f32
  }
  func.func @nest(%x: f32) -> f32 attributes {params = [{name = "x", dir = "in"}], differentiable = "both"} {
    %s = arith.constant 0.0 : f32
    %0 = arith.mulf %x, %s : f32
    %cst = arith.constant 0.1 : f32
    %1 = arith.mulf %0, %cst : f32
    %2 = arith.addf %1, %0 : f32
    %s_0 = arith.addf %2, %s : f32
    %c2 = arith.constant 2 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %s_1 = scf.for %arg0 = %c0 to %c2 step %c1 iter_args(%s_2 = %s_0) -> (f32) {
      %j = arith.index_cast %arg0 : index to i32
      %3 = arith.mulf %x, %s_2 : f32
      %4 = arith.mulf %3, %cst : f32
      %5 = arith.sitofp %j : i32 to f32
      %6 = arith.mulf %5, %x : f32
      %7 = arith.addf %4, %6 : f32
      %s_3 = arith.addf %s_2, %7 : f32
      scf.yield %s_3 : f32
    } {max_iters = 3}
    %i = arith.constant 2 : i32
    %c3 = arith.constant 3 : index
    %s_4 = scf.for %arg1 = %c0 to %c3 step %c1 iter_args(%s_5 = %s_1) -> (f32) {
      %j_0 = arith.index_cast %arg1 : index to i32
      %8 = arith.mulf %x, %s_5 : f32
      %9 = arith.mulf %8, %cst : f32
      %10 = arith.muli %j_0, %i : i32
      %11 = arith.sitofp %10 : i32 to f32
      %12 = arith.mulf %11, %x : f32
      %13 = arith.addf %9, %12 : f32
      %s_6 = arith.addf %s_5, %13 : f32
      scf.yield %s_6 : f32
    } {max_iters = 3}
    func.return %s_4 : f32
  }
  func.func @"bwd_diff(newton)"(%arg0: !DifferentialPair_f32_, %arg1: f32) -> !DifferentialPair_f32_ attributes {differentiable = "both", params = [{name = "a", dir = "inout"}, {name = "dResult", dir = "in"}]} {
    %0 = agg.extract %arg0[] {path = array<i64: 0>} : (!DifferentialPair_f32_) -> f32
    %c8 = arith.constant 8 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 1.0 : f32
    %cst_0 = arith.constant 0.5 : f32
    %x, %x_d = scf.for %arg2 = %c0 to %c8 step %c1 iter_args(%x_0 = %0, %x_d_0 = %cst) -> (f32, f32) {
      %1 = arith.divf %0, %x_0 : f32
      %2 = arith.divf %cst, %x_0 : f32
      %3 = arith.negf %1 : f32
      %4 = arith.mulf %3, %2 : f32
      %5 = arith.mulf %x_d_0, %4 : f32
      %6 = arith.addf %2, %5 : f32
      %7 = arith.addf %x_0, %1 : f32
      %8 = arith.addf %x_d_0, %6 : f32
      %x_1 = arith.mulf %7, %cst_0 : f32
      %9 = arith.mulf %8, %cst_0 : f32
      scf.yield %x_1, %9 : f32, f32
    } {max_iters = 8}
    %10 = strong.gated_mulf %x_d, %arg1 : f32
    %11 = agg.make %0, %10 : (f32, f32) -> !DifferentialPair_f32_
    func.return %11 : !DifferentialPair_f32_
  }
  func.func @"bwd_diff(early)"(%arg0: !DifferentialPair_f32_, %arg1: f32) -> !DifferentialPair_f32_ attributes {differentiable = "both", params = [{name = "x", dir = "inout"}, {name = "dResult", dir = "in"}]} {
    %0 = agg.extract %arg0[] {path = array<i64: 0>} : (!DifferentialPair_f32_) -> f32
    %i = arith.constant 0 : i32
    %stop = arith.constant false
    %cst = arith.constant 1.0 : f32
    %c10_i32 = arith.constant 10 : i32
    %true = arith.constant true
    %cst_0 = arith.constant 50.0 : f32
    %true_0 = arith.constant true
    %c1_i32 = arith.constant 1 : i32
    %y, %i_0, %stop_0, %y_d = scf.while (%y_0 = %0, %i_1 = %i, %stop_1 = %stop, %y_d_0 = %cst) : (f32, i32, i1, f32) -> (f32, i32, i1, f32) {
      %1 = arith.cmpi slt, %i_1, %c10_i32 : i32
      %2 = arith.xori %stop_1, %true : i1
      %3 = arith.andi %1, %2 : i1
      scf.condition(%3) %y_0, %i_1, %stop_1, %y_d_0 : f32, i32, i1, f32
    } do {
    ^bb0(%y_1: f32, %i_2: i32, %stop_2: i1, %y_d_1: f32):
      %y_2 = arith.mulf %y_1, %y_1 : f32
      %4 = arith.mulf %y_d_1, %y_1 : f32
      %5 = arith.addf %4, %4 : f32
      %6 = arith.cmpf ogt, %y_2, %cst_0 : f32
      %stop_3 = arith.select %6, %true_0, %stop_2 : i1
      %y_3, %y_d_2 = scf.if %6 -> (f32, f32) {
        scf.yield %y_2, %5 : f32, f32
      } else {
        %c1_i32_0 = arith.constant 1 : i32
        %7 = arith.cmpi eq, %i_2, %c1_i32_0 : i32
        %y_4, %y_d_3 = scf.if %7 -> (f32, f32) {
          scf.yield %y_2, %5 : f32, f32
        } else {
          %cst_1 = arith.constant 0.5 : f32
          %8 = arith.mulf %0, %cst_1 : f32
          %y_5 = arith.addf %y_2, %8 : f32
          %9 = arith.addf %5, %cst_1 : f32
          scf.yield %y_5, %9 : f32, f32
        }
        scf.yield %y_4, %y_d_3 : f32, f32
      }
      %i_3 = arith.addi %i_2, %c1_i32 : i32
      %i_4 = arith.select %stop_3, %i_2, %i_3 : i32
      scf.yield %y_3, %i_4, %stop_3, %y_d_2 : f32, i32, i1, f32
    } attributes {max_iters = 10}
    %10 = strong.gated_mulf %y_d, %arg1 : f32
    %11 = agg.make %0, %10 : (f32, f32) -> !DifferentialPair_f32_
    func.return %11 : !DifferentialPair_f32_
  }
  func.func @"fwd_diff(early)"(%arg0: !DifferentialPair_f32_) -> !DifferentialPair_f32_ attributes {differentiable = "both", params = [{name = "x", dir = "in"}]} {
    %0 = agg.extract %arg0[] {path = array<i64: 0>} : (!DifferentialPair_f32_) -> f32
    %1 = agg.extract %arg0[] {path = array<i64: 1>} : (!DifferentialPair_f32_) -> f32
    %i = arith.constant 0 : i32
    %stop = arith.constant false
    %c10_i32 = arith.constant 10 : i32
    %true = arith.constant true
    %cst = arith.constant 50.0 : f32
    %true_0 = arith.constant true
    %c1_i32 = arith.constant 1 : i32
    %y, %i_0, %stop_0, %y_d = scf.while (%y_0 = %0, %i_1 = %i, %stop_1 = %stop, %y_d_0 = %1) : (f32, i32, i1, f32) -> (f32, i32, i1, f32) {
      %2 = arith.cmpi slt, %i_1, %c10_i32 : i32
      %3 = arith.xori %stop_1, %true : i1
      %4 = arith.andi %2, %3 : i1
      scf.condition(%4) %y_0, %i_1, %stop_1, %y_d_0 : f32, i32, i1, f32
    } do {
    ^bb0(%y_1: f32, %i_2: i32, %stop_2: i1, %y_d_1: f32):
      %y_2 = arith.mulf %y_1, %y_1 : f32
      %5 = arith.mulf %y_d_1, %y_1 : f32
      %y_d_2 = arith.addf %5, %5 : f32
      %6 = arith.cmpf ogt, %y_2, %cst : f32
      %stop_3 = arith.select %6, %true_0, %stop_2 : i1
      %y_3, %y_d_3 = scf.if %6 -> (f32, f32) {
        scf.yield %y_2, %y_d_2 : f32, f32
      } else {
        %c1_i32_0 = arith.constant 1 : i32
        %7 = arith.cmpi eq, %i_2, %c1_i32_0 : i32
        %y_4, %y_d_4 = scf.if %7 -> (f32, f32) {
          scf.yield %y_2, %y_d_2 : f32, f32
        } else {
          %cst_0 = arith.constant 0.5 : f32
          %8 = arith.mulf %0, %cst_0 : f32
          %9 = arith.mulf %1, %cst_0 : f32
          %y_5 = arith.addf %y_2, %8 : f32
          %y_d_5 = arith.addf %y_d_2, %9 : f32
          scf.yield %y_5, %y_d_5 : f32, f32
        }
        scf.yield %y_4, %y_d_4 : f32, f32
      }
      %i_3 = arith.addi %i_2, %c1_i32 : i32
      %i_4 = arith.select %stop_3, %i_2, %i_3 : i32
      scf.yield %y_3, %i_4, %stop_3, %y_d_3 : f32, i32, i1, f32
    } attributes {max_iters = 10}
    %10 = agg.make %y, %y_d : (f32, f32) -> !DifferentialPair_f32_
    func.return %10 : !DifferentialPair_f32_
  }
  func.func @"bwd_diff(wh)"(%arg0: !DifferentialPair_f32_, %arg1: f32) -> !DifferentialPair_f32_ attributes {differentiable = "both", params = [{name = "x", dir = "inout"}, {name = "dResult", dir = "in"}]} {
    %0 = agg.extract %arg0[] {path = array<i64: 0>} : (!DifferentialPair_f32_) -> f32
    %n = arith.constant 0 : i32
    %cst = arith.constant 1.0 : f32
    %cst_0 = arith.constant 20.0 : f32
    %cst_1 = arith.constant 1.5 : f32
    %c1_i32 = arith.constant 1 : i32
    %y, %n_0, %y_d = scf.while (%y_0 = %0, %n_1 = %n, %y_d_0 = %cst) : (f32, i32, f32) -> (f32, i32, f32) {
      %1 = arith.cmpf olt, %y_0, %cst_0 : f32
      scf.condition(%1) %y_0, %n_1, %y_d_0 : f32, i32, f32
    } do {
    ^bb0(%y_1: f32, %n_2: i32, %y_d_1: f32):
      %2 = arith.mulf %y_1, %cst_1 : f32
      %3 = arith.mulf %y_d_1, %cst_1 : f32
      %y_2 = arith.addf %2, %0 : f32
      %4 = arith.addf %3, %cst : f32
      %n_3 = arith.addi %n_2, %c1_i32 : i32
      scf.yield %y_2, %n_3, %4 : f32, i32, f32
    } attributes {max_iters = 20}
    %5 = arith.sitofp %n_0 : i32 to f32
    %6 = arith.mulf %arg1, %5 : f32
    %7 = strong.gated_mulf %y_d, %6 : f32
    %8 = agg.make %0, %7 : (f32, f32) -> !DifferentialPair_f32_
    func.return %8 : !DifferentialPair_f32_
  }
  func.func @"bwd_diff(nest)"(%arg0: !DifferentialPair_f32_, %arg1: f32) -> !DifferentialPair_f32_ attributes {differentiable = "both", params = [{name = "x", dir = "inout"}, {name = "dResult", dir = "in"}]} {
    %0 = agg.extract %arg0[] {path = array<i64: 0>} : (!DifferentialPair_f32_) -> f32
    %s = arith.constant 0.0 : f32
    %1 = arith.mulf %0, %s : f32
    %cst = arith.constant 0.1 : f32
    %2 = arith.mulf %1, %cst : f32
    %3 = arith.addf %2, %1 : f32
    %s_0 = arith.addf %3, %s : f32
    %c2 = arith.constant 2 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %s_1, %s_d = scf.for %arg2 = %c0 to %c2 step %c1 iter_args(%s_2 = %s_0, %s_d_0 = %s) -> (f32, f32) {
      %j = arith.index_cast %arg2 : index to i32
      %4 = arith.mulf %0, %s_2 : f32
      %5 = arith.mulf %s_d_0, %0 : f32
      %6 = arith.addf %s_2, %5 : f32
      %7 = arith.mulf %4, %cst : f32
      %8 = arith.mulf %6, %cst : f32
      %9 = arith.sitofp %j : i32 to f32
      %10 = arith.mulf %9, %0 : f32
      %11 = arith.addf %7, %10 : f32
      %12 = arith.addf %8, %9 : f32
      %s_3 = arith.addf %s_2, %11 : f32
      %13 = arith.addf %s_d_0, %12 : f32
      scf.yield %s_3, %13 : f32, f32
    } {max_iters = 3}
    %i = arith.constant 2 : i32
    %c3 = arith.constant 3 : index
    %cst_0 = arith.constant 1.0 : f32
    %s_4, %s_d_1, %s_d_2 = scf.for %arg3 = %c0 to %c3 step %c1 iter_args(%s_5 = %s_1, %s_d_3 = %cst_0, %s_d_4 = %s) -> (f32, f32, f32) {
      %j_0 = arith.index_cast %arg3 : index to i32
      %14 = arith.mulf %0, %s_5 : f32
      %15 = arith.mulf %s_d_3, %0 : f32
      %16 = arith.mulf %s_d_4, %0 : f32
      %17 = arith.addf %s_5, %16 : f32
      %18 = arith.mulf %14, %cst : f32
      %19 = arith.mulf %15, %cst : f32
      %20 = arith.mulf %17, %cst : f32
      %21 = arith.muli %j_0, %i : i32
      %22 = arith.sitofp %21 : i32 to f32
      %23 = arith.mulf %22, %0 : f32
      %24 = arith.addf %18, %23 : f32
      %25 = arith.addf %20, %22 : f32
      %s_6 = arith.addf %s_5, %24 : f32
      %26 = arith.addf %s_d_3, %19 : f32
      %27 = arith.addf %s_d_4, %25 : f32
      scf.yield %s_6, %26, %27 : f32, f32, f32
    } {max_iters = 3}
    %28 = arith.mulf %arg1, %s_d_2 : f32
    %29 = strong.gated_mulf %s_d_1, %arg1 : f32
    %30 = strong.gated_mulf %29, %s_d : f32
    %31 = arith.addf %28, %30 : f32
    %32 = agg.make %0, %31 : (f32, f32) -> !DifferentialPair_f32_
    func.return %32 : !DifferentialPair_f32_
  }
  func.func @computeMain() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 1, 1, 1>}} {
    %cst = arith.constant 2.0 : f32
    %cst_0 = arith.constant 1.0 : f32
    %c8 = arith.constant 8 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst_1 = arith.constant 0.5 : f32
    %x, %x_d = scf.for %arg0 = %c0 to %c8 step %c1 iter_args(%x_0 = %cst, %x_d_0 = %cst_0) -> (f32, f32) {
      %0 = arith.divf %cst, %x_0 : f32
      %1 = arith.divf %cst_0, %x_0 : f32
      %2 = arith.negf %0 : f32
      %3 = arith.mulf %2, %1 : f32
      %4 = arith.mulf %x_d_0, %3 : f32
      %5 = arith.addf %1, %4 : f32
      %6 = arith.addf %x_0, %0 : f32
      %7 = arith.addf %x_d_0, %5 : f32
      %x_1 = arith.mulf %6, %cst_1 : f32
      %8 = arith.mulf %7, %cst_1 : f32
      scf.yield %x_1, %8 : f32, f32
    } {max_iters = 8}
    %9 = strong.gated_mulf %x_d, %cst_0 : f32
    %10 = agg.global @output : !agg.buffer<f32, "rw">
    agg.buffer_store %9, %10, %c0[] {path = array<i64>} : (f32, !agg.buffer<f32, "rw">, index) -> ()
    %cst_2 = arith.constant 1.3 : f32
    %i = arith.constant 0 : i32
    %stop = arith.constant false
    %c10_i32 = arith.constant 10 : i32
    %true = arith.constant true
    %cst_3 = arith.constant 50.0 : f32
    %true_0 = arith.constant true
    %c1_i32 = arith.constant 1 : i32
    %y, %i_0, %stop_0, %y_d = scf.while (%y_0 = %cst_2, %i_1 = %i, %stop_1 = %stop, %y_d_0 = %cst_0) : (f32, i32, i1, f32) -> (f32, i32, i1, f32) {
      %11 = arith.cmpi slt, %i_1, %c10_i32 : i32
      %12 = arith.xori %stop_1, %true : i1
      %13 = arith.andi %11, %12 : i1
      scf.condition(%13) %y_0, %i_1, %stop_1, %y_d_0 : f32, i32, i1, f32
    } do {
    ^bb0(%y_1: f32, %i_2: i32, %stop_2: i1, %y_d_1: f32):
      %y_2 = arith.mulf %y_1, %y_1 : f32
      %14 = arith.mulf %y_d_1, %y_1 : f32
      %15 = arith.addf %14, %14 : f32
      %16 = arith.cmpf ogt, %y_2, %cst_3 : f32
      %stop_3 = arith.select %16, %true_0, %stop_2 : i1
      %y_3, %y_d_2 = scf.if %16 -> (f32, f32) {
        scf.yield %y_2, %15 : f32, f32
      } else {
        %c1_i32_0 = arith.constant 1 : i32
        %17 = arith.cmpi eq, %i_2, %c1_i32_0 : i32
        %y_4, %y_d_3 = scf.if %17 -> (f32, f32) {
          scf.yield %y_2, %15 : f32, f32
        } else {
          %cst_4 = arith.constant 0.5 : f32
          %cst_5 = arith.constant 0.65 : f32
          %y_5 = arith.addf %y_2, %cst_5 : f32
          %18 = arith.addf %15, %cst_4 : f32
          scf.yield %y_5, %18 : f32, f32
        }
        scf.yield %y_4, %y_d_3 : f32, f32
      }
      %i_3 = arith.addi %i_2, %c1_i32 : i32
      %i_4 = arith.select %stop_3, %i_2, %i_3 : i32
      scf.yield %y_3, %i_4, %stop_3, %y_d_2 : f32, i32, i1, f32
    } attributes {max_iters = 10}
    %19 = strong.gated_mulf %y_d, %cst_0 : f32
    agg.buffer_store %19, %10, %c1[] {path = array<i64>} : (f32, !agg.buffer<f32, "rw">, index) -> ()
    %c2 = arith.constant 2 : index
    %c10_i32_0 = arith.constant 10 : i32
    %true_1 = arith.constant true
    %cst_6 = arith.constant 50.0 : f32
    %true_2 = arith.constant true
    %c1_i32_1 = arith.constant 1 : i32
    %y_6, %i_5, %stop_4, %y_d_4 = scf.while (%y_7 = %cst_2, %i_6 = %i, %stop_5 = %stop, %y_d_5 = %cst_0) : (f32, i32, i1, f32) -> (f32, i32, i1, f32) {
      %20 = arith.cmpi slt, %i_6, %c10_i32_0 : i32
      %21 = arith.xori %stop_5, %true_1 : i1
      %22 = arith.andi %20, %21 : i1
      scf.condition(%22) %y_7, %i_6, %stop_5, %y_d_5 : f32, i32, i1, f32
    } do {
    ^bb0(%y_8: f32, %i_7: i32, %stop_6: i1, %y_d_6: f32):
      %y_9 = arith.mulf %y_8, %y_8 : f32
      %23 = arith.mulf %y_d_6, %y_8 : f32
      %y_d_7 = arith.addf %23, %23 : f32
      %24 = arith.cmpf ogt, %y_9, %cst_6 : f32
      %stop_7 = arith.select %24, %true_2, %stop_6 : i1
      %y_10, %y_d_8 = scf.if %24 -> (f32, f32) {
        scf.yield %y_9, %y_d_7 : f32, f32
      } else {
        %c1_i32_2 = arith.constant 1 : i32
        %25 = arith.cmpi eq, %i_7, %c1_i32_2 : i32
        %y_11, %y_d_9 = scf.if %25 -> (f32, f32) {
          scf.yield %y_9, %y_d_7 : f32, f32
        } else {
          %cst_7 = arith.constant 0.5 : f32
          %cst_8 = arith.constant 0.65 : f32
          %y_12 = arith.addf %y_9, %cst_8 : f32
          %y_d_10 = arith.addf %y_d_7, %cst_7 : f32
          scf.yield %y_12, %y_d_10 : f32, f32
        }
        scf.yield %y_11, %y_d_9 : f32, f32
      }
      %i_8 = arith.addi %i_7, %c1_i32_1 : i32
      %i_9 = arith.select %stop_7, %i_7, %i_8 : i32
      scf.yield %y_10, %i_9, %stop_7, %y_d_8 : f32, i32, i1, f32
    } attributes {max_iters = 10}
    agg.buffer_store %y_d_4, %10, %c2[] {path = array<i64>} : (f32, !agg.buffer<f32, "rw">, index) -> ()
    %cst_9 = arith.constant 1.5 : f32
    %cst_10 = arith.constant 20.0 : f32
    %c1_i32_3 = arith.constant 1 : i32
    %y_13, %n, %y_d_11 = scf.while (%y_14 = %cst_9, %n_0 = %i, %y_d_12 = %cst_0) : (f32, i32, f32) -> (f32, i32, f32) {
      %26 = arith.cmpf olt, %y_14, %cst_10 : f32
      scf.condition(%26) %y_14, %n_0, %y_d_12 : f32, i32, f32
    } do {
    ^bb0(%y_15: f32, %n_1: i32, %y_d_13: f32):
      %27 = arith.mulf %y_15, %cst_9 : f32
      %28 = arith.mulf %y_d_13, %cst_9 : f32
      %y_16 = arith.addf %27, %cst_9 : f32
      %29 = arith.addf %28, %cst_0 : f32
      %n_2 = arith.addi %n_1, %c1_i32_3 : i32
      scf.yield %y_16, %n_2, %29 : f32, i32, f32
    } attributes {max_iters = 20}
    %30 = arith.sitofp %n : i32 to f32
    %31 = strong.gated_mulf %y_d_11, %30 : f32
    %c3 = arith.constant 3 : index
    agg.buffer_store %31, %10, %c3[] {path = array<i64>} : (f32, !agg.buffer<f32, "rw">, index) -> ()
    %s = arith.constant 0.0 : f32
    %cst_11 = arith.constant 0.1 : f32
    %s_0, %s_d = scf.for %arg1 = %c0 to %c2 step %c1 iter_args(%s_1 = %s, %s_d_0 = %s) -> (f32, f32) {
      %j = arith.index_cast %arg1 : index to i32
      %32 = arith.mulf %s_1, %cst_9 : f32
      %33 = arith.mulf %s_d_0, %cst_9 : f32
      %34 = arith.addf %s_1, %33 : f32
      %35 = arith.mulf %32, %cst_11 : f32
      %36 = arith.mulf %34, %cst_11 : f32
      %37 = arith.sitofp %j : i32 to f32
      %38 = arith.mulf %37, %cst_9 : f32
      %39 = arith.addf %35, %38 : f32
      %40 = arith.addf %36, %37 : f32
      %s_2 = arith.addf %s_1, %39 : f32
      %41 = arith.addf %s_d_0, %40 : f32
      scf.yield %s_2, %41 : f32, f32
    } {max_iters = 3}
    %i_10 = arith.constant 2 : i32
    %s_3, %s_d_1, %s_d_2 = scf.for %arg2 = %c0 to %c3 step %c1 iter_args(%s_4 = %s_0, %s_d_3 = %cst_0, %s_d_4 = %s) -> (f32, f32, f32) {
      %j_0 = arith.index_cast %arg2 : index to i32
      %42 = arith.mulf %s_4, %cst_9 : f32
      %43 = arith.mulf %s_d_3, %cst_9 : f32
      %44 = arith.mulf %s_d_4, %cst_9 : f32
      %45 = arith.addf %s_4, %44 : f32
      %46 = arith.mulf %42, %cst_11 : f32
      %47 = arith.mulf %43, %cst_11 : f32
      %48 = arith.mulf %45, %cst_11 : f32
      %49 = arith.muli %j_0, %i_10 : i32
      %50 = arith.sitofp %49 : i32 to f32
      %51 = arith.mulf %50, %cst_9 : f32
      %52 = arith.addf %46, %51 : f32
      %53 = arith.addf %48, %50 : f32
      %s_5 = arith.addf %s_4, %52 : f32
      %54 = arith.addf %s_d_3, %47 : f32
      %55 = arith.addf %s_d_4, %53 : f32
      scf.yield %s_5, %54, %55 : f32, f32, f32
    } {max_iters = 3}
    %56 = strong.gated_mulf %s_d_1, %cst_0 : f32
    %57 = strong.gated_mulf %56, %s_d : f32
    %58 = arith.addf %s_d_2, %57 : f32
    %c4 = arith.constant 4 : index
    agg.buffer_store %58, %10, %c4[] {path = array<i64>} : (f32, !agg.buffer<f32, "rw">, index) -> ()
    func.return
  }
  func.func @diffPair.1.float(%primal: f32) -> !DifferentialPair_f32_ attributes {params = [{name = "primal", dir = "in"}], differentiable = "both", force_inline} {
    %cst = arith.constant 0.0 : f32
    %0 = agg.make %primal, %cst : (f32, f32) -> !DifferentialPair_f32_
    func.return %0 : !DifferentialPair_f32_
  }
}
