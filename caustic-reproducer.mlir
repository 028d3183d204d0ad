// caustic-opt --pass-pipeline='builtin.module(any(egraph))'
!t_super = !agg.struct<"super", 1, [["of01", f64]]>
!t_of00 = !agg.struct<"of00", 1, [["of01", f64]]>
!t_arith = !agg.struct<"arith", 1, [["id", i32], ["super", !t_super], ["of00", !t_of00]]>
!t_jvp = !agg.struct<"jvp", 1, [["of01", f64]]>
!t_orders = !agg.struct<"orders", 1, [["of01", f64], ["of1", f64], ["hl", !t_jvp]]>
!t_threadIdx = !agg.struct<"threadIdx", 1, [["of01", f64]]>
!DifferentialPair_orders_ = !agg.struct<"DifferentialPair<orders>", 2, [["p", !t_orders], ["d", !t_orders]]>
!t_math_primal_Context = !agg.struct<"math.primal.Context", 1, [["p_0", !t_orders], ["transposed_1", i32], ["c2", index]]>
!DifferentialPair_f64_ = !agg.struct<"DifferentialPair<f64>", 2, [["p", f64], ["d", f64]]>
!DifferentialPair_threadIdx_ = !agg.struct<"DifferentialPair<threadIdx>", 2, [["p", !t_threadIdx], ["d", !t_threadIdx]]>
!t_array = !agg.array<4, !t_orders>
!t_arith_Differential = !agg.struct<"arith.Differential", 1, [["super", !t_super], ["of00", !t_of00]]>
!t_array_0 = !agg.array<4, !t_arith_Differential>
!t_jvpp_primal_Context = !agg.struct<"jvpp.primal.Context", 1, [["c0", i1]]>
!t_super_part_fwd_primal_Context = !agg.struct<"super.part.fwd.primal.Context", 1, []>
!t_arith_part_fwd_primal_Context = !agg.struct<"arith.part.fwd.primal.Context", 1, [["c0", i32], ["c1", !t_super_part_fwd_primal_Context]]>
!t_jvpp_fwd_primal_Context = !agg.struct<"jvpp.fwd.primal.Context", 1, [["c0", i1]]>
!t_dot_double_2_primal_Context = !agg.struct<"dot.double.2.primal.Context", 1, [["x_0", vector<2xf64>], ["y_1", vector<2xf64>]]>
!t_super_part_primal_Context = !agg.struct<"super.part.primal.Context", 1, []>
!t_arith_part_primal_Context = !agg.struct<"arith.part.primal.Context", 1, [["c0", i32], ["c1", !t_super_part_primal_Context]]>
!t_wrt10_primal_Context = !agg.struct<"wrt10.primal.Context", 1, [["cosf_0", i32], ["c1", !t_arith_part_primal_Context], ["init_2", !t_arith], ["x_3", f64], ["c4", !t_jvpp_primal_Context]]>
!t_stage_primal_Context = !agg.struct<"stage.primal.Context", 1, [["at_0", i32], ["c1", !t_math_primal_Context]]>
!t_dot_double_2_fwd_primal_Context = !agg.struct<"dot.double.2.fwd.primal.Context", 1, [["y_d_0", vector<2xf64>], ["x_1", vector<2xf64>], ["x_d_2", vector<2xf64>], ["y_3", vector<2xf64>]]>
!t_wrt10_fwd_primal_Context = !agg.struct<"wrt10.fwd.primal.Context", 1, [["cosf_0", i32], ["c1", !t_arith_part_fwd_primal_Context], ["init_2", !t_arith], ["x_3", f64], ["init_d_4", !t_arith_Differential], ["x_d_5", f64], ["c6", !t_jvpp_fwd_primal_Context]]>
!t_math_fwd_primal_Context = !agg.struct<"math.fwd.primal.Context", 1, [["p_0", !t_orders], ["transposed_1", i32], ["p_d_2", !t_orders], ["c3", index]]>
!t_stage_fwd_primal_Context = !agg.struct<"stage.fwd.primal.Context", 1, [["at_0", i32], ["c1", !t_math_fwd_primal_Context]]>
!t_fwd_diff_stage__primal_Context = !agg.struct<"fwd_diff(stage).primal.Context", 1, [["c0", !t_stage_fwd_primal_Context]]>
!t_set_primal_Context = !agg.struct<"set.primal.Context", 1, [["c0", !t_fwd_diff_stage__primal_Context]]>
!t_math_primal_Context_Differential = !agg.struct<"math.primal.Context.Differential", 1, [["p_0", !t_orders]]>
!t_stage_primal_Context_Differential = !agg.struct<"stage.primal.Context.Differential", 1, [["c1", !t_math_primal_Context_Differential]]>
!t_arith_part_primal_Context_Differential = !agg.struct<"arith.part.primal.Context.Differential", 1, [["c1", !t_super_part_primal_Context]]>
!t_jvpp_primal_Context_Differential = !agg.struct<"jvpp.primal.Context.Differential", 1, []>
!t_wrt10_primal_Context_Differential = !agg.struct<"wrt10.primal.Context.Differential", 1, [["c1", !t_arith_part_primal_Context_Differential], ["init_2", !t_arith_Differential], ["x_3", f64], ["c4", !t_jvpp_primal_Context_Differential]]>
module {
  agg.resource @table attributes {type = !agg.buffer<f64, "ro">, reflect = {name = "table", kind = "buffer", type = "f64"}}
  agg.resource @data attributes {type = !agg.buffer<f64, "rw">, reflect = {name = "data", kind = "rw_buffer", type = "f64"}}
  agg.resource @ints attributes {type = !agg.buffer<i32, "rw">, reflect = {name = "ints", kind = "rw_buffer", type = "i32"}}
  agg.resource @result attributes {type = !agg.buffer<f64, "rw">, reflect = {name = "result", kind = "rw_buffer", type = "f64"}}
  func.func @super.part(%this: !t_super, %x: f64, %cosf: i32) -> f64 attributes {params = [{name = "this", dir = "in"}, {name = "x", dir = "in"}, {name = "cosf", dir = "in"}], differentiable = "both"} {
    %wrt0 = agg.extract %this[] {path = array<i64: 0>} : (!t_super) -> f64
    func.return %wrt0 : f64
  }
  func.func @of00.part(%this: !t_of00, %x: f64, %cosf: i32) -> f64 attributes {params = [{name = "this", dir = "in"}, {name = "x", dir = "in"}, {name = "cosf", dir = "in"}], differentiable = "both"} {
    %cst = arith.constant 0.0 : f64
    func.return %cst : f64
  }
  func.func @jvpp(%cosf: i32, %x: f64) -> !t_arith attributes {params = [{name = "cosf", dir = "in"}, {name = "x", dir = "in"}], differentiable = "both"} {
    %c3_i32 = arith.constant 3 : i32
    %0 = arith.andi %cosf, %c3_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi eq, %0, %c0_i32 : i32
    %result = scf.if %1 -> (!t_arith) {
      %cst = arith.constant 0.5 : f64
      %2 = arith.mulf %x, %cst : f64
      %init = agg.make %2 : (f64) -> !t_super
      %c1_i32 = arith.constant 1 : i32
      %3 = agg.zero : !t_of00
      %result_0 = agg.make %c1_i32, %init, %3 : (i32, !t_super, !t_of00) -> !t_arith
      scf.yield %result_0 : !t_arith
    } else {
      %cst_0 = arith.constant 1.5 : f64
      %4 = arith.mulf %x, %cst_0 : f64
      %init_0 = agg.make %4 : (f64) -> !t_of00
      %c2_i32 = arith.constant 2 : i32
      %5 = agg.zero : !t_super
      %result_1 = agg.make %c2_i32, %5, %init_0 : (i32, !t_super, !t_of00) -> !t_arith
      scf.yield %result_1 : !t_arith
    }
    func.return %result : !t_arith
  }
  func.func @wrt10(%cosf: i32, %x: f64) -> f64 attributes {params = [{name = "cosf", dir = "in"}, {name = "x", dir = "in"}], differentiable = "both"} {
    %c3_i32 = arith.constant 3 : i32
    %0 = arith.andi %cosf, %c3_i32 : i32
    %get = arith.constant 0 : i32
    %1 = arith.cmpi eq, %0, %get : i32
    %result = scf.if %1 -> (!t_arith) {
      %cst = arith.constant 0.5 : f64
      %2 = arith.mulf %x, %cst : f64
      %init = agg.make %2 : (f64) -> !t_super
      %c1_i32 = arith.constant 1 : i32
      %3 = agg.zero : !t_of00
      %result_0 = agg.make %c1_i32, %init, %3 : (i32, !t_super, !t_of00) -> !t_arith
      scf.yield %result_0 : !t_arith
    } else {
      %cst_0 = arith.constant 1.5 : f64
      %4 = arith.mulf %x, %cst_0 : f64
      %init_0 = agg.make %4 : (f64) -> !t_of00
      %c2_i32 = arith.constant 2 : i32
      %5 = agg.zero : !t_super
      %result_1 = agg.make %c2_i32, %5, %init_0 : (i32, !t_super, !t_of00) -> !t_arith
      scf.yield %result_1 : !t_arith
    }
    %c0_i64 = arith.constant 0 : i64
    %6 = arith.extsi %0 : i32 to i64
    %7 = arith.maxsi %6, %c0_i64 : i64
    %8 = arith.index_cast %7 : i64 to index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst_1 = arith.constant 0.0 : f64
    %c1_i32_0 = arith.constant 1 : i32
    %init_0_0, %tex = scf.for %arg0 = %c0 to %8 step %c1 iter_args(%init_1 = %result, %tex_0 = %x) -> (!t_arith, f64) {
      %get_0 = arith.index_cast %arg0 : index to i32
      %9 = agg.extract %init_1[] {path = array<i64: 0>} : (!t_arith) -> i32
      %10 = arith.index_cast %9 : i32 to index
      %11 = scf.index_switch %10 -> f64
      case 1 {
        %wrt0 = agg.extract %init_1[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
        scf.yield %wrt0 : f64
      }
      case 2 {
        scf.yield %cst_1 : f64
      }
      default {
        scf.yield %cst_1 : f64
      }
      %tex_1 = math.sin %11 : f64
      %12 = arith.andi %get_0, %c1_i32_0 : i32
      %13 = arith.cmpi eq, %12, %get : i32
      %init_2 = scf.if %13 -> (!t_arith) {
        %14 = arith.addi %cosf, %get_0 : i32
        %15 = arith.andi %14, %c3_i32 : i32
        %16 = arith.cmpi eq, %15, %get : i32
        %result_2 = scf.if %16 -> (!t_arith) {
          %cst_2 = arith.constant 0.5 : f64
          %17 = arith.mulf %tex_1, %cst_2 : f64
          %init_3 = agg.make %17 : (f64) -> !t_super
          %18 = agg.zero : !t_of00
          %result_0_0 = agg.make %c1_i32_0, %init_3, %18 : (i32, !t_super, !t_of00) -> !t_arith
          scf.yield %result_0_0 : !t_arith
        } else {
          %cst_3 = arith.constant 1.5 : f64
          %19 = arith.mulf %tex_1, %cst_3 : f64
          %init_0_1 = agg.make %19 : (f64) -> !t_of00
          %c2_i32_0 = arith.constant 2 : i32
          %20 = agg.zero : !t_super
          %result_1_0 = agg.make %c2_i32_0, %20, %init_0_1 : (i32, !t_super, !t_of00) -> !t_arith
          scf.yield %result_1_0 : !t_arith
        }
        scf.yield %result_2 : !t_arith
      } else {
        scf.yield %init_1 : !t_arith
      }
      scf.yield %init_2, %tex_1 : !t_arith, f64
    }
    %cst_4 = arith.constant 0.5 : f64
    %cst_5 = arith.constant 0.0 : f64
    %21 = agg.extract %init_0_0[] {path = array<i64: 0>} : (!t_arith) -> i32
    %22 = arith.index_cast %21 : i32 to index
    %23 = scf.index_switch %22 -> f64
    case 1 {
      %wrt0_0 = agg.extract %init_0_0[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
      scf.yield %wrt0_0 : f64
    }
    case 2 {
      scf.yield %cst_5 : f64
    }
    default {
      scf.yield %cst_5 : f64
    }
    %24 = arith.mulf %23, %cst_4 : f64
    %25 = arith.addf %tex, %24 : f64
    func.return %25 : f64
  }
  func.func @math(%p: !t_orders, %differential: i32, %transposed: i32) -> !t_threadIdx attributes {params = [{name = "p", dir = "in"}, {name = "differential", dir = "in"}, {name = "transposed", dir = "in"}], differentiable = "both"} {
    %true = arith.constant true
    %c-1_i32 = arith.constant -1 : i32
    %wrt00 = arith.constant 0 : i32
    %c2 = arith.constant 2 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.25 : f64
    %c2_i32 = arith.constant 2 : i32
    %c5_i32 = arith.constant 5 : i32
    %cst_0 = arith.constant 1.7397127693021015 : f64
    %cst_1 = arith.constant 0.5 : f64
    %0, %p_0, %sqrtf = scf.while (%arg0 = %true, %p_1 = %p, %sqrtf_0 = %transposed) : (i1, !t_orders, i32) -> (i1, !t_orders, i32) {
      scf.condition(%arg0) %arg0, %p_1, %sqrtf_0 : i1, !t_orders, i32
    } do {
    ^bb0(%arg1: i1, %p_2: !t_orders, %sqrtf_1: i32):
      %sqrtf_2 = arith.addi %sqrtf_1, %c-1_i32 : i32
      %p_3 = scf.for %arg2 = %c0 to %c2 step %c1 iter_args(%p_4 = %p_2) -> (!t_orders) {
        %1 = agg.extract %p_4[] {path = array<i64: 0>} : (!t_orders) -> f64
        %2 = vector.broadcast %1 : f64 to vector<2xf64>
        %3 = agg.extract %p_4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %4 = vector.broadcast %3 : f64 to vector<2xf64>
        %5 = arith.mulf %2, %4 : vector<2xf64>
        %6 = vector.reduction <add>, %5 : vector<2xf64> into f64
        %7 = arith.mulf %6, %cst : f64
        %8 = agg.extract %p_4[] {path = array<i64: 1>} : (!t_orders) -> f64
        %9 = arith.addf %8, %7 : f64
        %p_5 = agg.insert %9, %p_4[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        scf.yield %p_5 : !t_orders
      }
      %10 = arith.andi %sqrtf_2, %c2_i32 : i32
      %11 = arith.cmpi ne, %10, %wrt00 : i32
      %12 = arith.select %11, %sqrtf_2, %transposed : i32
      %13 = arith.cmpi slt, %12, %c5_i32 : i32
      %14 = arith.select %13, %transposed, %sqrtf_2 : i32
      %15 = agg.extract %p_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %16 = arith.mulf %15, %cst_1 : f64
      %17 = math.powf %cst_0, %16 : f64
      %18 = func.call @wrt10(%14, %17) : (i32, f64) -> f64
      %19 = math.sin %18 : f64
      %20 = agg.extract %p_3[] {path = array<i64: 0>} : (!t_orders) -> f64
      %21 = arith.addf %20, %19 : f64
      %p_6 = agg.insert %21, %p_3[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %22 = arith.cmpi sgt, %sqrtf_2, %wrt00 : i32
      %23 = scf.if %22 -> (i1) {
        %24 = arith.cmpi slt, %transposed, %c5_i32 : i32
        scf.yield %24 : i1
      } else {
        %false = arith.constant false
        scf.yield %false : i1
      }
      scf.yield %23, %p_6, %sqrtf_2 : i1, !t_orders, i32
    }
    %25 = agg.extract %p_0[] {path = array<i64: 1>} : (!t_orders) -> f64
    %vprintf = agg.make %25 : (f64) -> !t_threadIdx
    func.return %vprintf : !t_threadIdx
  }
  func.func @load(%wrt1: i32, %at: i32) -> !t_orders attributes {params = [{name = "wrt1", dir = "in"}, {name = "at", dir = "in"}]} {
    %0 = agg.global @data : !agg.buffer<f64, "rw">
    %1 = arith.index_cast %at : i32 to index
    %2 = agg.buffer_load %0, %1[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %c1_i32 = arith.constant 1 : i32
    %3 = arith.addi %at, %c1_i32 : i32
    %4 = arith.index_cast %3 : i32 to index
    %5 = agg.buffer_load %0, %4[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %c2_i32 = arith.constant 2 : i32
    %6 = arith.addi %at, %c2_i32 : i32
    %7 = arith.index_cast %6 : i32 to index
    %8 = agg.buffer_load %0, %7[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %9 = agg.make %8 : (f64) -> !t_jvp
    %x = agg.make %2, %5, %9 : (f64, f64, !t_jvp) -> !t_orders
    func.return %x : !t_orders
  }
  func.func @instance(%at: i32) -> !t_orders attributes {params = [{name = "at", dir = "in"}]} {
    %0 = agg.global @data : !agg.buffer<f64, "rw">
    %1 = arith.index_cast %at : i32 to index
    %2 = agg.buffer_load %0, %1[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %c1_i32 = arith.constant 1 : i32
    %3 = arith.addi %at, %c1_i32 : i32
    %4 = arith.index_cast %3 : i32 to index
    %5 = agg.buffer_load %0, %4[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %c2_i32 = arith.constant 2 : i32
    %6 = arith.addi %at, %c2_i32 : i32
    %7 = arith.index_cast %6 : i32 to index
    %8 = agg.buffer_load %0, %7[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %9 = agg.make %8 : (f64) -> !t_jvp
    %d = agg.make %2, %5, %9 : (f64, f64, !t_jvp) -> !t_orders
    func.return %d : !t_orders
  }
  func.func @tile(%at: i32) -> !t_threadIdx attributes {params = [{name = "at", dir = "in"}]} {
    %0 = agg.global @data : !agg.buffer<f64, "rw">
    %1 = arith.index_cast %at : i32 to index
    %2 = agg.buffer_load %0, %1[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %caustic = agg.make %2 : (f64) -> !t_threadIdx
    func.return %caustic : !t_threadIdx
  }
  func.func @bb0(%at: i32, %d: !t_orders) attributes {params = [{name = "at", dir = "in"}, {name = "d", dir = "in"}]} {
    %0 = agg.global @result : !agg.buffer<f64, "rw">
    %1 = arith.index_cast %at : i32 to index
    %2 = agg.extract %d[] {path = array<i64: 0>} : (!t_orders) -> f64
    agg.buffer_store %2, %0, %1[] {path = array<i64>} : (f64, !agg.buffer<f64, "rw">, index) -> ()
    %c1_i32 = arith.constant 1 : i32
    %3 = arith.addi %at, %c1_i32 : i32
    %4 = arith.index_cast %3 : i32 to index
    %5 = agg.extract %d[] {path = array<i64: 1>} : (!t_orders) -> f64
    agg.buffer_store %5, %0, %4[] {path = array<i64>} : (f64, !agg.buffer<f64, "rw">, index) -> ()
    %c2_i32 = arith.constant 2 : i32
    %6 = arith.addi %at, %c2_i32 : i32
    %7 = arith.index_cast %6 : i32 to index
    %8 = agg.extract %d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
    agg.buffer_store %8, %0, %7[] {path = array<i64>} : (f64, !agg.buffer<f64, "rw">, index) -> ()
    func.return
  }
  func.func @scf(%at: i32, %primalp: !t_threadIdx) attributes {params = [{name = "at", dir = "in"}, {name = "primalp", dir = "in"}]} {
    %0 = agg.global @result : !agg.buffer<f64, "rw">
    %1 = arith.index_cast %at : i32 to index
    %2 = agg.extract %primalp[] {path = array<i64: 0>} : (!t_threadIdx) -> f64
    agg.buffer_store %2, %0, %1[] {path = array<i64>} : (f64, !agg.buffer<f64, "rw">, index) -> ()
    func.return
  }
  func.func @fast(%at: i32, %primalp: !t_threadIdx) attributes {params = [{name = "at", dir = "in"}, {name = "primalp", dir = "in"}]} {
    %0 = agg.global @result : !agg.buffer<f64, "rw">
    %1 = arith.index_cast %at : i32 to index
    %2 = agg.extract %primalp[] {path = array<i64: 0>} : (!t_threadIdx) -> f64
    agg.buffer_store %2, %0, %1[] {path = array<i64>} : (f64, !agg.buffer<f64, "rw">, index) -> ()
    func.return
  }
  func.func @stage(%x: !t_orders, %differential: i32, %transposed: i32, %at: i32) -> f64 attributes {params = [{name = "x", dir = "in"}, {name = "differential", dir = "in"}, {name = "transposed", dir = "in"}, {name = "at", dir = "in"}], differentiable = "both"} {
    %primalp = func.call @math(%x, %differential, %transposed) : (!t_orders, i32, i32) -> !t_threadIdx
    %0 = agg.global @data : !agg.buffer<f64, "rw">
    %1 = arith.index_cast %at : i32 to index
    %2 = agg.buffer_load %0, %1[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %3 = agg.extract %primalp[] {path = array<i64: 0>} : (!t_threadIdx) -> f64
    %4 = arith.mulf %2, %3 : f64
    func.return %4 : f64
  }
  func.func @"bwd_diff(stage)"(%arg0: !DifferentialPair_orders_, %arg1: i32, %arg2: i32, %at: i32, %arg3: f64) -> !DifferentialPair_orders_ attributes {differentiable = "both", params = [{name = "x", dir = "inout"}, {name = "differential", dir = "in"}, {name = "transposed", dir = "in"}, {name = "at", dir = "in"}, {name = "dResult", dir = "in"}]} {
    %0 = agg.extract %arg0[] {path = array<i64: 0>} : (!DifferentialPair_orders_) -> !t_orders
    %primalp, %1 = func.call @math.primal(%0, %arg1, %arg2) : (!t_orders, i32, i32) -> (!t_threadIdx, !t_math_primal_Context)
    %2 = agg.global @data : !agg.buffer<f64, "rw">
    %3 = arith.index_cast %at : i32 to index
    %4 = agg.buffer_load %2, %3[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %5 = arith.mulf %arg3, %4 : f64
    %6 = agg.make %5 : (f64) -> !t_threadIdx
    %7:4 = func.call @math.bwd(%1, %6) : (!t_math_primal_Context, !t_threadIdx) -> (!t_orders, i1, i1, i1)
    %8 = agg.make %0, %7#0 : (!t_orders, !t_orders) -> !DifferentialPair_orders_
    func.return %8 : !DifferentialPair_orders_
  }
  func.func @__x(%x: !t_orders, %differential: i32, %transposed: i32, %at: i32) -> !t_orders attributes {params = [{name = "x", dir = "in"}, {name = "differential", dir = "in"}, {name = "transposed", dir = "in"}, {name = "at", dir = "in"}], differentiable = "both"} {
    %primalp, %0 = func.call @math.primal(%x, %differential, %transposed) : (!t_orders, i32, i32) -> (!t_threadIdx, !t_math_primal_Context)
    %1 = agg.global @data : !agg.buffer<f64, "rw">
    %2 = arith.index_cast %at : i32 to index
    %3 = agg.buffer_load %1, %2[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %4 = agg.make %3 : (f64) -> !t_threadIdx
    %5:4 = func.call @math.bwd(%0, %4) : (!t_math_primal_Context, !t_threadIdx) -> (!t_orders, i1, i1, i1)
    func.return %5#0 : !t_orders
  }
  func.func @"fwd_diff(stage)"(%arg0: !DifferentialPair_orders_, %arg1: i32, %arg2: i32, %arg3: i32) -> !DifferentialPair_f64_ attributes {differentiable = "both", params = [{name = "x", dir = "in"}, {name = "differential", dir = "in"}, {name = "transposed", dir = "in"}, {name = "at", dir = "in"}]} {
    %0 = agg.extract %arg0[] {path = array<i64: 0>} : (!DifferentialPair_orders_) -> !t_orders
    %1 = agg.extract %arg0[] {path = array<i64: 1>} : (!DifferentialPair_orders_) -> !t_orders
    %primalp, %primalp_d = func.call @math.fwd(%0, %arg1, %arg2, %1) : (!t_orders, i32, i32, !t_orders) -> (!t_threadIdx, !t_threadIdx)
    %2 = agg.global @data : !agg.buffer<f64, "rw">
    %3 = arith.index_cast %arg3 : i32 to index
    %4 = agg.buffer_load %2, %3[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %5 = agg.extract %primalp[] {path = array<i64: 0>} : (!t_threadIdx) -> f64
    %6 = agg.extract %primalp_d[] {path = array<i64: 0>} : (!t_threadIdx) -> f64
    %7 = arith.mulf %4, %5 : f64
    %8 = arith.mulf %6, %4 : f64
    %9 = agg.make %7, %8 : (f64, f64) -> !DifferentialPair_f64_
    func.return %9 : !DifferentialPair_f64_
  }
  func.func @set(%x: !t_orders, %d: !t_orders, %differential: i32, %transposed: i32, %at: i32) -> f64 attributes {params = [{name = "x", dir = "in"}, {name = "d", dir = "in", no_diff}, {name = "differential", dir = "in"}, {name = "transposed", dir = "in"}, {name = "at", dir = "in"}], differentiable = "both"} {
    %primalp, %primalp_d = func.call @math.fwd(%x, %differential, %transposed, %d) : (!t_orders, i32, i32, !t_orders) -> (!t_threadIdx, !t_threadIdx)
    %0 = agg.global @data : !agg.buffer<f64, "rw">
    %1 = arith.index_cast %at : i32 to index
    %2 = agg.buffer_load %0, %1[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %3 = agg.extract %primalp_d[] {path = array<i64: 0>} : (!t_threadIdx) -> f64
    %4 = arith.mulf %3, %2 : f64
    func.return %4 : f64
  }
  func.func @primalMain() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 1, 1, 1>}} {
    %0 = gpu.global_id x
    %wrt1 = arith.index_castui %0 : index to i32
    %c10_i32 = arith.constant 10 : i32
    %at = arith.muli %wrt1, %c10_i32 : i32
    %c13_i32 = arith.constant 13 : i32
    %to = arith.muli %wrt1, %c13_i32 : i32
    %1 = agg.global @ints : !agg.buffer<i32, "rw">
    %c2_i32 = arith.constant 2 : i32
    %2 = arith.muli %wrt1, %c2_i32 : i32
    %3 = arith.index_cast %2 : i32 to index
    %differential = agg.buffer_load %1, %3[] {path = array<i64>} : (!agg.buffer<i32, "rw">, index) -> i32
    %c1_i32 = arith.constant 1 : i32
    %4 = arith.addi %2, %c1_i32 : i32
    %5 = arith.index_cast %4 : i32 to index
    %transposed = agg.buffer_load %1, %5[] {path = array<i64>} : (!agg.buffer<i32, "rw">, index) -> i32
    %6 = agg.global @data : !agg.buffer<f64, "rw">
    %7 = arith.index_cast %at : i32 to index
    %8 = agg.buffer_load %6, %7[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %9 = arith.addi %at, %c1_i32 : i32
    %10 = arith.index_cast %9 : i32 to index
    %11 = agg.buffer_load %6, %10[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %12 = arith.addi %at, %c2_i32 : i32
    %13 = arith.index_cast %12 : i32 to index
    %14 = agg.buffer_load %6, %13[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %15 = agg.make %14 : (f64) -> !t_jvp
    %x = agg.make %8, %11, %15 : (f64, f64, !t_jvp) -> !t_orders
    %16 = func.call @math(%x, %differential, %transposed) : (!t_orders, i32, i32) -> !t_threadIdx
    %17 = agg.global @result : !agg.buffer<f64, "rw">
    %18 = arith.index_cast %to : i32 to index
    %19 = agg.extract %16[] {path = array<i64: 0>} : (!t_threadIdx) -> f64
    agg.buffer_store %19, %17, %18[] {path = array<i64>} : (f64, !agg.buffer<f64, "rw">, index) -> ()
    func.return
  }
  func.func @"fwd_diff(math)"(%arg0: !DifferentialPair_orders_, %arg1: i32, %arg2: i32) -> !DifferentialPair_threadIdx_ attributes {differentiable = "both", params = [{name = "p", dir = "in"}, {name = "differential", dir = "in"}, {name = "transposed", dir = "in"}]} {
    %0 = agg.extract %arg0[] {path = array<i64: 0>} : (!DifferentialPair_orders_) -> !t_orders
    %1 = agg.extract %arg0[] {path = array<i64: 1>} : (!DifferentialPair_orders_) -> !t_orders
    %2:2 = func.call @math.fwd(%0, %arg1, %arg2, %1) : (!t_orders, i32, i32, !t_orders) -> (!t_threadIdx, !t_threadIdx)
    %3 = agg.make %2#0, %2#1 : (!t_threadIdx, !t_threadIdx) -> !DifferentialPair_threadIdx_
    func.return %3 : !DifferentialPair_threadIdx_
  }
  func.func @"bwd_diff(math)"(%arg0: !DifferentialPair_orders_, %arg1: i32, %arg2: i32, %arg3: !t_threadIdx) -> !DifferentialPair_orders_ attributes {differentiable = "both", params = [{name = "p", dir = "inout"}, {name = "differential", dir = "in"}, {name = "transposed", dir = "in"}, {name = "dResult", dir = "in"}]} {
    %0 = agg.extract %arg0[] {path = array<i64: 0>} : (!DifferentialPair_orders_) -> !t_orders
    %1:2 = func.call @math.primal(%0, %arg1, %arg2) : (!t_orders, i32, i32) -> (!t_threadIdx, !t_math_primal_Context)
    %2:4 = func.call @math.bwd(%1#1, %arg3) : (!t_math_primal_Context, !t_threadIdx) -> (!t_orders, i1, i1, i1)
    %3 = agg.make %0, %2#0 : (!t_orders, !t_orders) -> !DifferentialPair_orders_
    func.return %3 : !DifferentialPair_orders_
  }
  func.func @"fwd_diff(__x)"(%arg0: !DifferentialPair_orders_, %arg1: i32, %transposed: i32, %at: i32) -> !DifferentialPair_orders_ attributes {differentiable = "both", params = [{name = "x", dir = "in"}, {name = "differential", dir = "in"}, {name = "transposed", dir = "in"}, {name = "at", dir = "in"}]} {
    %p = agg.extract %arg0[] {path = array<i64: 0>} : (!DifferentialPair_orders_) -> !t_orders
    %p_d = agg.extract %arg0[] {path = array<i64: 1>} : (!DifferentialPair_orders_) -> !t_orders
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %c-1_i32 = arith.constant -1 : i32
    %wrt00 = arith.constant 0 : i32
    %c1 = arith.constant 1 : index
    %c5_i32 = arith.constant 5 : i32
    %0 = arith.cmpi slt, %transposed, %c5_i32 : i32
    %false = arith.constant false
    %1, %sqrtf, %2 = scf.while (%arg2 = %true, %sqrtf_0 = %transposed, %arg3 = %c0) : (i1, i32, index) -> (i1, i32, index) {
      scf.condition(%arg2) %arg2, %sqrtf_0, %arg3 : i1, i32, index
    } do {
    ^bb0(%arg4: i1, %sqrtf_1: i32, %arg5: index):
      %sqrtf_2 = arith.addi %sqrtf_1, %c-1_i32 : i32
      %3 = arith.cmpi sgt, %sqrtf_2, %wrt00 : i32
      %4 = arith.select %3, %0, %false : i1
      %5 = arith.addi %arg5, %c1 : index
      scf.yield %4, %sqrtf_2, %5 : i1, i32, index
    }
    %6 = agg.global @data : !agg.buffer<f64, "rw">
    %7 = arith.index_cast %at : i32 to index
    %8 = agg.buffer_load %6, %7[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %cst = arith.constant 0.0 : f64
    %9 = agg.zero : !t_jvp
    %10 = agg.make %cst, %8, %9 : (f64, f64, !t_jvp) -> !t_orders
    %c1_0 = arith.constant 1 : index
    %11 = agg.zero : !agg.array<4, index>
    %12 = agg.zero : !t_orders
    %13 = agg.make %p, %12, %12, %12 : (!t_orders, !t_orders, !t_orders, !t_orders) -> !t_array
    %14 = agg.make %p_d, %12, %12, %12 : (!t_orders, !t_orders, !t_orders, !t_orders) -> !t_array
    %wrt00_0 = arith.constant 0 : i32
    %15 = agg.make %transposed, %wrt00_0, %wrt00_0, %wrt00_0 : (i32, i32, i32, i32) -> !agg.array<4, i32>
    %false_0 = arith.constant false
    %c-1 = arith.constant -1 : index
    %16 = arith.addi %2, %c-1 : index
    %c4 = arith.constant 4 : index
    %c2 = arith.constant 2 : index
    %c-1_i32_0 = arith.constant -1 : i32
    %cst_0 = arith.constant 0.25 : f64
    %c2_i32 = arith.constant 2 : i32
    %c5_i32_0 = arith.constant 5 : i32
    %cst_1 = arith.constant 1.7397127693021015 : f64
    %cst_2 = arith.constant 0.5 : f64
    %cst_3 = arith.constant 0.5537200244863067 : f64
    %c3 = arith.constant 3 : index
    %c-1_i32_1 = arith.constant -1 : i32
    %c2_0 = arith.constant 2 : index
    %cst_4 = arith.constant 0.25 : f64
    %c2_i32_0 = arith.constant 2 : i32
    %c5_i32_1 = arith.constant 5 : i32
    %cst_5 = arith.constant 1.7397127693021015 : f64
    %cst_6 = arith.constant 0.5 : f64
    %cst_7 = arith.constant 0.5537200244863067 : f64
    %c3_i32 = arith.constant 3 : i32
    %c0_i64 = arith.constant 0 : i64
    %c1_i32 = arith.constant 1 : i32
    %17 = agg.zero : !t_of00
    %18 = agg.zero : !t_arith
    %19 = agg.zero : !t_arith_Differential
    %c1_i32_0 = arith.constant 1 : i32
    %c3_0 = arith.constant 3 : index
    %c1_i32_1 = arith.constant 1 : i32
    %cst_8 = arith.constant 0.25 : f64
    %cst_9 = arith.constant dense<0.0> : vector<2xf64>
    %20:9 = scf.for %arg6 = %c0 to %2 step %c1_0 iter_args(%arg7 = %10, %arg8 = %c0, %arg9 = %11, %arg10 = %13, %arg11 = %15, %arg12 = %12, %arg13 = %14, %arg14 = %false_0, %arg15 = %true) -> (!t_orders, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, !t_array, i1, i1) {
      %21 = arith.subi %16, %arg6 : index
      %22 = agg.extract %arg9[%arg8] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
      %23 = arith.cmpi sgt, %22, %21 : index
      %24 = arith.addi %arg8, %c-1 : index
      %25 = arith.select %23, %24, %arg8 : index
      %26 = agg.extract %arg9[%25] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
      %27 = agg.extract %arg10[%25] {path = array<i64: -1>} : (!t_array, index) -> !t_orders
      %28 = agg.extract %arg13[%25] {path = array<i64: -1>} : (!t_array, index) -> !t_orders
      %29 = arith.cmpi ult, %25, %c4 : index
      %30 = arith.andi %arg15, %29 : i1
      %31 = agg.extract %arg11[%25] {path = array<i64: -1>} : (!agg.array<4, i32>, index) -> i32
      %32 = vector.broadcast %30 : i1 to vector<2xi1>
      %33:12 = scf.while (%arg16 = %26, %arg17 = %25, %arg18 = %arg9, %arg19 = %arg10, %arg20 = %arg11, %arg21 = %27, %arg22 = %31, %arg23 = %arg13, %arg24 = %28, %arg25 = %arg15, %arg26 = %30, %arg27 = %30) : (index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, i32, !t_array, !t_orders, i1, i1, i1) -> (index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, i32, !t_array, !t_orders, i1, i1, i1) {
        %34 = arith.cmpi slt, %arg16, %21 : index
        scf.condition(%34) %arg16, %arg17, %arg18, %arg19, %arg20, %arg21, %arg22, %arg23, %arg24, %arg25, %arg26, %arg27 : index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, i32, !t_array, !t_orders, i1, i1, i1
      } do {
      ^bb0(%arg28: index, %arg29: index, %arg30: !agg.array<4, index>, %arg31: !t_array, %arg32: !agg.array<4, i32>, %arg33: !t_orders, %arg34: i32, %arg35: !t_array, %arg36: !t_orders, %arg37: i1, %arg38: i1, %arg39: i1):
        %35 = arith.subi %c2, %arg29 : index
        %36 = arith.cmpi sgt, %35, %c0 : index
        %37 = arith.subi %21, %arg28 : index
        %38 = arith.addi %37, %c1_0 : index
        %39 = arith.maxui %35, %c1_0 : index
        %40 = arith.addi %39, %c1_0 : index
        %41:2 = scf.while (%arg40 = %c1_0, %arg41 = %c0) : (index, index) -> (index, index) {
          %42 = arith.cmpi slt, %arg40, %38 : index
          scf.condition(%42) %arg40, %arg41 : index, index
        } do {
        ^bb0(%arg42: index, %arg43: index):
          %43 = arith.addi %arg43, %c1_0 : index
          %44 = arith.addi %40, %43 : index
          %45 = arith.muli %arg42, %44 : index
          %46 = arith.divui %45, %43 : index
          scf.yield %46, %43 : index, index
        }
        %47 = arith.muli %41#0, %40 : index
        %48 = arith.addi %40, %41#1 : index
        %49 = arith.divui %47, %48 : index
        %50 = arith.muli %41#0, %41#1 : index
        %51 = arith.divui %50, %48 : index
        %52 = arith.addi %41#1, %c-1 : index
        %53 = arith.muli %51, %52 : index
        %54 = arith.addi %48, %c-1 : index
        %55 = arith.divui %53, %54 : index
        %56 = arith.maxui %55, %c1_0 : index
        %57 = arith.subi %38, %56 : index
        %58 = arith.minui %49, %57 : index
        %59 = arith.maxui %58, %c1_0 : index
        %60 = arith.subi %38, %59 : index
        %61 = arith.select %36, %60, %37 : index
        %62:5 = scf.for %arg44 = %c0 to %61 step %c1_0 iter_args(%arg45 = %arg33, %arg46 = %arg34, %arg47 = %arg36, %arg48 = %arg38, %arg49 = %arg39) -> (!t_orders, i32, !t_orders, i1, i1) {
          %sqrtf_2_0 = arith.addi %arg46, %c-1_i32_0 : i32
          %63 = vector.broadcast %arg48 : i1 to vector<2xi1>
          %64 = arith.ori %63, %32 : vector<2xi1>
          %65 = vector.reduction <or>, %64 : vector<2xi1> into i1
          %p_3, %p_3_d, %66 = scf.for %arg50 = %c0 to %c2 step %c1_0 iter_args(%p_4 = %arg45, %p_4_d = %arg47, %arg51 = %arg49) -> (!t_orders, !t_orders, i1) {
            %67 = agg.extract %p_4[] {path = array<i64: 0>} : (!t_orders) -> f64
            %68 = agg.extract %p_4_d[] {path = array<i64: 0>} : (!t_orders) -> f64
            %69 = vector.broadcast %67 : f64 to vector<2xf64>
            %70 = vector.broadcast %68 : f64 to vector<2xf64>
            %71 = agg.extract %p_4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %72 = agg.extract %p_4_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %73 = vector.broadcast %71 : f64 to vector<2xf64>
            %74 = vector.broadcast %72 : f64 to vector<2xf64>
            %75 = arith.mulf %69, %73 : vector<2xf64>
            %76 = arith.mulf %70, %73 : vector<2xf64>
            %77 = arith.mulf %74, %69 : vector<2xf64>
            %78 = arith.addf %76, %77 : vector<2xf64>
            %79 = vector.reduction <add>, %75 : vector<2xf64> into f64
            %80 = vector.reduction <add>, %78 : vector<2xf64> into f64
            %81 = arith.mulf %79, %cst_0 : f64
            %82 = arith.mulf %80, %cst_0 : f64
            %83 = agg.extract %p_4[] {path = array<i64: 1>} : (!t_orders) -> f64
            %84 = agg.extract %p_4_d[] {path = array<i64: 1>} : (!t_orders) -> f64
            %85 = arith.addf %83, %81 : f64
            %86 = arith.ori %arg51, %65 : i1
            %87 = arith.addf %84, %82 : f64
            %p_5 = agg.insert %85, %p_4[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
            %p_5_d = agg.insert %87, %p_4_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
            scf.yield %p_5, %p_5_d, %86 : !t_orders, !t_orders, i1
          }
          %88 = arith.andi %sqrtf_2_0, %c2_i32 : i32
          %89 = arith.cmpi ne, %88, %wrt00_0 : i32
          %90 = arith.select %89, %sqrtf_2_0, %transposed : i32
          %91 = arith.cmpi slt, %90, %c5_i32_0 : i32
          %92 = arith.select %91, %transposed, %sqrtf_2_0 : i32
          %93 = agg.extract %p_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
          %94 = agg.extract %p_3_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
          %95 = arith.mulf %93, %cst_2 : f64
          %96 = arith.mulf %94, %cst_2 : f64
          %97 = math.powf %cst_1, %95 : f64
          %98 = arith.mulf %97, %cst_3 : f64
          %99 = arith.mulf %96, %98 : f64
          %100 = arith.select %30, %99, %cst : f64
          %101:3 = func.call @wrt10.gated(%92, %97, %30, %100) : (i32, f64, i1, f64) -> (f64, i1, f64)
          %102 = math.sin %101#0 : f64
          %103 = math.cos %101#0 : f64
          %104 = arith.mulf %101#2, %103 : f64
          %105 = agg.extract %p_3[] {path = array<i64: 0>} : (!t_orders) -> f64
          %106 = agg.extract %p_3_d[] {path = array<i64: 0>} : (!t_orders) -> f64
          %107 = arith.addf %105, %102 : f64
          %108 = arith.ori %arg48, %101#1 : i1
          %109 = arith.addf %106, %104 : f64
          %p_6 = agg.insert %107, %p_3[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
          %p_6_d = agg.insert %109, %p_3_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
          scf.yield %p_6, %sqrtf_2_0, %p_6_d, %108, %66 : !t_orders, i32, !t_orders, i1, i1
        }
        %110 = arith.addi %arg28, %61 : index
        %111 = arith.addi %arg29, %c1_0 : index
        %112 = arith.select %36, %111, %c3 : index
        %113 = arith.select %36, %111, %arg29 : index
        %114 = agg.insert %110, %arg30[%112] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
        %115 = agg.insert %62#0, %arg31[%112] {path = array<i64: -1>} : (!t_orders, !t_array, index) -> !t_array
        %116 = agg.insert %62#2, %arg35[%112] {path = array<i64: -1>} : (!t_orders, !t_array, index) -> !t_array
        %117 = arith.ori %62#3, %62#4 : i1
        %118 = arith.ori %117, %30 : i1
        %119 = arith.ori %arg37, %118 : i1
        %120 = agg.insert %62#1, %arg32[%112] {path = array<i64: -1>} : (i32, !agg.array<4, i32>, index) -> !agg.array<4, i32>
        scf.yield %110, %113, %114, %115, %120, %62#0, %62#1, %116, %62#2, %119, %62#3, %62#4 : index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, i32, !t_array, !t_orders, i1, i1, i1
      }
      %sqrtf_2_1 = arith.addi %33#6, %c-1_i32_1 : i32
      %121 = agg.zero {unread} : !agg.array<2, f64>
      %122 = agg.zero : !agg.array<2, f64>
      %p_3_0, %123, %124, %p_3_d_0, %125, %126, %127, %128 = scf.for %arg52 = %c0 to %c2_0 step %c1_0 iter_args(%p_4_0 = %33#5, %arg53 = %121, %arg54 = %121, %p_4_d_0 = %33#8, %arg55 = %122, %arg56 = %122, %arg57 = %false_0, %arg58 = %false_0) -> (!t_orders, !agg.array<2, f64>, !agg.array<2, f64>, !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, i1, i1) {
        %129 = agg.extract %p_4_0[] {path = array<i64: 0>} : (!t_orders) -> f64
        %130 = agg.extract %p_4_d_0[] {path = array<i64: 0>} : (!t_orders) -> f64
        %131 = vector.broadcast %129 : f64 to vector<2xf64>
        %132 = vector.broadcast %130 : f64 to vector<2xf64>
        %133 = agg.extract %p_4_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %134 = agg.extract %p_4_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %135 = vector.broadcast %133 : f64 to vector<2xf64>
        %136 = vector.broadcast %134 : f64 to vector<2xf64>
        %137 = arith.mulf %131, %135 : vector<2xf64>
        %138 = arith.mulf %132, %135 : vector<2xf64>
        %139 = arith.mulf %136, %131 : vector<2xf64>
        %140 = arith.addf %138, %139 : vector<2xf64>
        %141 = vector.reduction <add>, %137 : vector<2xf64> into f64
        %142 = vector.reduction <add>, %140 : vector<2xf64> into f64
        %143 = arith.mulf %141, %cst_4 : f64
        %144 = arith.mulf %142, %cst_4 : f64
        %145 = agg.extract %p_4_0[] {path = array<i64: 1>} : (!t_orders) -> f64
        %146 = agg.extract %p_4_d_0[] {path = array<i64: 1>} : (!t_orders) -> f64
        %147 = arith.addf %145, %143 : f64
        %148 = arith.addf %146, %144 : f64
        %p_5_0 = agg.insert %147, %p_4_0[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d_0 = agg.insert %148, %p_4_d_0[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %149 = agg.insert %129, %arg53[%arg52] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %150 = agg.insert %130, %arg55[%arg52] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %151 = arith.ori %arg57, %33#10 : i1
        %152 = agg.insert %133, %arg54[%arg52] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %153 = agg.insert %134, %arg56[%arg52] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %154 = arith.ori %arg58, %30 : i1
        scf.yield %p_5_0, %149, %152, %p_5_d_0, %150, %153, %151, %154 : !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, i1, i1
      }
      %155 = arith.andi %sqrtf_2_1, %c2_i32_0 : i32
      %156 = arith.cmpi ne, %155, %wrt00_0 : i32
      %157 = arith.select %156, %sqrtf_2_1, %transposed : i32
      %158 = arith.cmpi slt, %157, %c5_i32_1 : i32
      %cosf = arith.select %158, %transposed, %sqrtf_2_1 : i32
      %159 = agg.extract %p_3_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %160 = agg.extract %p_3_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %161 = arith.mulf %159, %cst_6 : f64
      %162 = arith.mulf %160, %cst_6 : f64
      %x = math.powf %cst_5, %161 : f64
      %163 = arith.mulf %x, %cst_7 : f64
      %164 = arith.mulf %162, %163 : f64
      %x_d = arith.select %30, %164, %cst : f64
      %165 = arith.mulf %x_d, %cst_7 : f64
      %166 = arith.andi %cosf, %c3_i32 : i32
      %167 = arith.cmpi eq, %166, %wrt00_0 : i32
      %168 = arith.select %167, %30, %false_0 : i1
      %result, %result_d = scf.if %167 -> (!t_arith, !t_arith_Differential) {
        %169 = arith.mulf %x, %cst_6 : f64
        %170 = arith.mulf %x_d, %cst_6 : f64
        %init = agg.make %169 : (f64) -> !t_super
        %init_d = agg.make %170 : (f64) -> !t_super
        %c1_i32_2 = arith.constant 1 : i32
        %171 = agg.zero : !t_of00
        %result_0 = agg.make %c1_i32_2, %init, %171 : (i32, !t_super, !t_of00) -> !t_arith
        %result_0_d = agg.make %init_d, %171 : (!t_super, !t_of00) -> !t_arith_Differential
        scf.yield %result_0, %result_0_d : !t_arith, !t_arith_Differential
      } else {
        %cst_10 = arith.constant 1.5 : f64
        %172 = arith.mulf %x, %cst_10 : f64
        %173 = arith.mulf %x_d, %cst_10 : f64
        %init_0 = agg.make %172 : (f64) -> !t_of00
        %init_0_d = agg.make %173 : (f64) -> !t_of00
        %174 = agg.zero : !t_super
        %result_1 = agg.make %c2_i32_0, %174, %init_0 : (i32, !t_super, !t_of00) -> !t_arith
        %result_1_d = agg.make %174, %init_0_d : (!t_super, !t_of00) -> !t_arith_Differential
        scf.yield %result_1, %result_1_d : !t_arith, !t_arith_Differential
      }
      %175 = arith.extsi %166 : i32 to i64
      %176 = arith.maxsi %175, %c0_i64 : i64
      %177 = arith.index_cast %176 : i64 to index
      %init_0_0, %tex, %init_0_d_0, %tex_d, %178, %179 = scf.for %arg59 = %c0 to %177 step %c1_0 iter_args(%init_1 = %result, %tex_0 = %x, %init_1_d = %result_d, %tex_0_d = %x_d, %arg60 = %168, %arg61 = %30) -> (!t_arith, f64, !t_arith_Differential, f64, i1, i1) {
        %get_0 = arith.index_cast %arg59 : index to i32
        %180 = agg.extract %init_1[] {path = array<i64: 0>} : (!t_arith) -> i32
        %181 = arith.index_cast %180 : i32 to index
        %182:3 = scf.index_switch %181 -> f64, f64, i1
        case 1 {
          %wrt0 = agg.extract %init_1[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
          %wrt0_d = agg.extract %init_1_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          scf.yield %wrt0, %wrt0_d, %arg60 : f64, f64, i1
        }
        case 2 {
          scf.yield %cst, %cst, %false_0 : f64, f64, i1
        }
        default {
          scf.yield %cst, %cst, %false_0 : f64, f64, i1
        }
        %tex_1 = math.sin %182#0 : f64
        %183 = math.cos %182#0 : f64
        %tex_1_d = arith.mulf %182#1, %183 : f64
        %184 = arith.andi %get_0, %c1_i32 : i32
        %185 = arith.cmpi eq, %184, %wrt00_0 : i32
        %init_2, %init_2_d, %186 = scf.if %185 -> (!t_arith, !t_arith_Differential, i1) {
          %187 = arith.addi %cosf, %get_0 : i32
          %188 = arith.andi %187, %c3_i32 : i32
          %189 = arith.cmpi eq, %188, %wrt00_0 : i32
          %190 = arith.select %189, %182#2, %false_0 : i1
          %result_2, %result_d_0 = scf.if %189 -> (!t_arith, !t_arith_Differential) {
            %191 = arith.mulf %tex_1, %cst_6 : f64
            %192 = arith.mulf %tex_1_d, %cst_6 : f64
            %init_3 = agg.make %191 : (f64) -> !t_super
            %init_d_0 = agg.make %192 : (f64) -> !t_super
            %193 = agg.zero : !t_of00
            %result_0_0 = agg.make %c1_i32, %init_3, %193 : (i32, !t_super, !t_of00) -> !t_arith
            %result_0_d_0 = agg.make %init_d_0, %193 : (!t_super, !t_of00) -> !t_arith_Differential
            scf.yield %result_0_0, %result_0_d_0 : !t_arith, !t_arith_Differential
          } else {
            %cst_11 = arith.constant 1.5 : f64
            %194 = arith.mulf %tex_1, %cst_11 : f64
            %195 = arith.mulf %tex_1_d, %cst_11 : f64
            %init_0_1 = agg.make %194 : (f64) -> !t_of00
            %init_0_d_1 = agg.make %195 : (f64) -> !t_of00
            %196 = agg.zero : !t_super
            %result_1_0 = agg.make %c2_i32_0, %196, %init_0_1 : (i32, !t_super, !t_of00) -> !t_arith
            %result_1_d_0 = agg.make %196, %init_0_d_1 : (!t_super, !t_of00) -> !t_arith_Differential
            scf.yield %result_1_0, %result_1_d_0 : !t_arith, !t_arith_Differential
          }
          scf.yield %result_2, %result_d_0, %190 : !t_arith, !t_arith_Differential, i1
        } else {
          scf.yield %init_1, %init_1_d, %arg60 : !t_arith, !t_arith_Differential, i1
        }
        scf.yield %init_2, %tex_1, %init_2_d, %tex_1_d, %186, %182#2 : !t_arith, f64, !t_arith_Differential, f64, i1, i1
      }
      %197 = agg.extract %init_0_0[] {path = array<i64: 0>} : (!t_arith) -> i32
      %198 = arith.index_cast %197 : i32 to index
      %199:3 = scf.index_switch %198 -> f64, f64, i1
      case 1 {
        %wrt0_0 = agg.extract %init_0_0[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
        %wrt0_d_0 = agg.extract %init_0_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        scf.yield %wrt0_0, %wrt0_d_0, %178 : f64, f64, i1
      }
      case 2 {
        scf.yield %cst, %cst, %false_0 : f64, f64, i1
      }
      default {
        scf.yield %cst, %cst, %false_0 : f64, f64, i1
      }
      %200 = arith.mulf %199#0, %cst_6 : f64
      %201 = arith.mulf %199#1, %cst_6 : f64
      %202 = arith.addf %tex, %200 : f64
      %203 = arith.ori %179, %199#2 : i1
      %204 = arith.addf %tex_d, %201 : f64
      %205 = math.cos %202 : f64
      %206 = math.sin %202 : f64
      %207 = arith.negf %206 : f64
      %208 = arith.mulf %204, %207 : f64
      %209 = agg.extract %arg7[] {path = array<i64: 0>} : (!t_orders) -> f64
      %210 = agg.extract %arg12[] {path = array<i64: 0>} : (!t_orders) -> f64
      %211 = strong.gated_mulf %209, %205 : f64
      %212 = strong.gated_mulf %210, %205 : f64
      %213 = arith.select %arg14, %212, %cst : f64
      %214 = strong.gated_mulf %209, %208 : f64
      %215 = arith.select %203, %214, %cst : f64
      %216 = arith.ori %arg14, %203 : i1
      %217 = arith.addf %213, %215 : f64
      %218 = arith.mulf %211, %cst_6 : f64
      %219 = arith.mulf %217, %cst_6 : f64
      %220:3 = scf.index_switch %198 -> !t_super, !t_super, i1
      case 1 {
        %222 = agg.make %218 : (f64) -> !t_super
        %223 = agg.make %219 : (f64) -> !t_super
        scf.yield %222, %223, %216 : !t_super, !t_super, i1
      }
      case 2 {
        %224 = agg.zero : !t_super
        scf.yield %224, %224, %false_0 : !t_super, !t_super, i1
      }
      default {
        %221 = agg.zero : !t_super
        scf.yield %221, %221, %false_0 : !t_super, !t_super, i1
      }
      %225 = agg.make %220#0, %17 : (!t_super, !t_of00) -> !t_arith_Differential
      %226 = agg.make %220#1, %17 : (!t_super, !t_of00) -> !t_arith_Differential
      %227 = arith.addf %211, %cst : f64
      %228 = agg.make %result, %18, %18, %18 : (!t_arith, !t_arith, !t_arith, !t_arith) -> !agg.array<4, !t_arith>
      %229 = agg.make %result_d, %19, %19, %19 : (!t_arith_Differential, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential) -> !t_array_0
      %230 = arith.addi %177, %c-1 : index
      %231:12 = scf.for %arg62 = %c0 to %177 step %c1_0 iter_args(%arg63 = %225, %arg64 = %227, %arg65 = %c0, %arg66 = %11, %arg67 = %228, %arg68 = %226, %arg69 = %217, %arg70 = %229, %arg71 = %220#2, %arg72 = %false_0, %arg73 = %216, %arg74 = %true) -> (!t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith_Differential, f64, !t_array_0, i1, i1, i1, i1) {
        %232 = arith.subi %230, %arg62 : index
        %233 = agg.extract %arg66[%arg65] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
        %234 = arith.cmpi sgt, %233, %232 : index
        %235 = arith.addi %arg65, %c-1 : index
        %236 = arith.select %234, %235, %arg65 : index
        %237 = agg.extract %arg66[%236] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
        %238 = agg.extract %arg67[%236] {path = array<i64: -1>} : (!agg.array<4, !t_arith>, index) -> !t_arith
        %239 = agg.extract %arg70[%236] {path = array<i64: -1>} : (!t_array_0, index) -> !t_arith_Differential
        %240 = arith.cmpi ult, %236, %c4 : index
        %241 = arith.andi %arg74, %240 : i1
        %242:10 = scf.while (%arg75 = %237, %arg76 = %236, %arg77 = %arg66, %arg78 = %arg67, %arg79 = %238, %arg80 = %arg70, %arg81 = %239, %arg82 = %arg74, %arg83 = %241, %arg84 = %241) : (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith, !t_array_0, !t_arith_Differential, i1, i1, i1) -> (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith, !t_array_0, !t_arith_Differential, i1, i1, i1) {
          %243 = arith.cmpi slt, %arg75, %232 : index
          scf.condition(%243) %arg75, %arg76, %arg77, %arg78, %arg79, %arg80, %arg81, %arg82, %arg83, %arg84 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith, !t_array_0, !t_arith_Differential, i1, i1, i1
        } do {
        ^bb0(%arg85: index, %arg86: index, %arg87: !agg.array<4, index>, %arg88: !agg.array<4, !t_arith>, %arg89: !t_arith, %arg90: !t_array_0, %arg91: !t_arith_Differential, %arg92: i1, %arg93: i1, %arg94: i1):
          %244 = arith.subi %c2_0, %arg86 : index
          %245 = arith.cmpi sgt, %244, %c0 : index
          %246 = arith.subi %232, %arg85 : index
          %247 = arith.addi %246, %c1_0 : index
          %248 = arith.maxui %244, %c1_0 : index
          %249 = arith.addi %248, %c1_0 : index
          %250:2 = scf.while (%arg95 = %c1_0, %arg96 = %c0) : (index, index) -> (index, index) {
            %251 = arith.cmpi slt, %arg95, %247 : index
            scf.condition(%251) %arg95, %arg96 : index, index
          } do {
          ^bb0(%arg97: index, %arg98: index):
            %252 = arith.addi %arg98, %c1_0 : index
            %253 = arith.addi %249, %252 : index
            %254 = arith.muli %arg97, %253 : index
            %255 = arith.divui %254, %252 : index
            scf.yield %255, %252 : index, index
          }
          %256 = arith.muli %250#0, %249 : index
          %257 = arith.addi %249, %250#1 : index
          %258 = arith.divui %256, %257 : index
          %259 = arith.muli %250#0, %250#1 : index
          %260 = arith.divui %259, %257 : index
          %261 = arith.addi %250#1, %c-1 : index
          %262 = arith.muli %260, %261 : index
          %263 = arith.addi %257, %c-1 : index
          %264 = arith.divui %262, %263 : index
          %265 = arith.maxui %264, %c1_0 : index
          %266 = arith.subi %247, %265 : index
          %267 = arith.minui %258, %266 : index
          %268 = arith.maxui %267, %c1_0 : index
          %269 = arith.subi %247, %268 : index
          %270 = arith.select %245, %269, %246 : index
          %271:4 = scf.for %arg99 = %c0 to %270 step %c1_0 iter_args(%arg100 = %arg89, %arg101 = %arg91, %arg102 = %arg93, %arg103 = %arg94) -> (!t_arith, !t_arith_Differential, i1, i1) {
            %272 = arith.addi %arg85, %arg99 : index
            %get_0_0 = arith.index_cast %272 : index to i32
            %273 = agg.extract %arg100[] {path = array<i64: 0>} : (!t_arith) -> i32
            %274 = arith.index_cast %273 : i32 to index
            %275:3 = scf.index_switch %274 -> f64, f64, i1
            case 1 {
              %wrt0_1 = agg.extract %arg100[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
              %wrt0_d_1 = agg.extract %arg101[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
              scf.yield %wrt0_1, %wrt0_d_1, %arg102 : f64, f64, i1
            }
            case 2 {
              scf.yield %cst, %cst, %false_0 : f64, f64, i1
            }
            default {
              scf.yield %cst, %cst, %false_0 : f64, f64, i1
            }
            %tex_1_0 = math.sin %275#0 : f64
            %276 = math.cos %275#0 : f64
            %tex_1_d_0 = arith.mulf %275#1, %276 : f64
            %277 = arith.andi %get_0_0, %c1_i32_0 : i32
            %278 = arith.cmpi eq, %277, %wrt00_0 : i32
            %init_2_0, %init_2_d_0, %279, %280 = scf.if %278 -> (!t_arith, !t_arith_Differential, i1, i1) {
              %281 = arith.addi %cosf, %get_0_0 : i32
              %282 = arith.andi %281, %c3_i32 : i32
              %283 = arith.cmpi eq, %282, %wrt00_0 : i32
              %284 = arith.select %283, %275#2, %false_0 : i1
              %285 = arith.select %283, %false_0, %275#2 : i1
              %result_3, %result_d_1 = scf.if %283 -> (!t_arith, !t_arith_Differential) {
                %286 = arith.mulf %tex_1_0, %cst_6 : f64
                %287 = arith.mulf %tex_1_d_0, %cst_6 : f64
                %init_4 = agg.make %286 : (f64) -> !t_super
                %init_d_1 = agg.make %287 : (f64) -> !t_super
                %result_0_1 = agg.make %c1_i32_0, %init_4, %17 : (i32, !t_super, !t_of00) -> !t_arith
                %result_0_d_1 = agg.make %init_d_1, %17 : (!t_super, !t_of00) -> !t_arith_Differential
                scf.yield %result_0_1, %result_0_d_1 : !t_arith, !t_arith_Differential
              } else {
                %cst_12 = arith.constant 1.5 : f64
                %288 = arith.mulf %tex_1_0, %cst_12 : f64
                %289 = arith.mulf %tex_1_d_0, %cst_12 : f64
                %init_0_2 = agg.make %288 : (f64) -> !t_of00
                %init_0_d_2 = agg.make %289 : (f64) -> !t_of00
                %290 = agg.zero : !t_super
                %result_1_1 = agg.make %c2_i32_0, %290, %init_0_2 : (i32, !t_super, !t_of00) -> !t_arith
                %result_1_d_1 = agg.make %290, %init_0_d_2 : (!t_super, !t_of00) -> !t_arith_Differential
                scf.yield %result_1_1, %result_1_d_1 : !t_arith, !t_arith_Differential
              }
              scf.yield %result_3, %result_d_1, %284, %285 : !t_arith, !t_arith_Differential, i1, i1
            } else {
              scf.yield %arg100, %arg101, %arg102, %arg103 : !t_arith, !t_arith_Differential, i1, i1
            }
            scf.yield %init_2_0, %init_2_d_0, %279, %280 : !t_arith, !t_arith_Differential, i1, i1
          }
          %291 = arith.addi %arg85, %270 : index
          %292 = arith.addi %arg86, %c1_0 : index
          %293 = arith.select %245, %292, %c3_0 : index
          %294 = arith.select %245, %292, %arg86 : index
          %295 = agg.insert %291, %arg87[%293] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
          %296 = agg.insert %271#0, %arg88[%293] {path = array<i64: -1>} : (!t_arith, !agg.array<4, !t_arith>, index) -> !agg.array<4, !t_arith>
          %297 = agg.insert %271#1, %arg90[%293] {path = array<i64: -1>} : (!t_arith_Differential, !t_array_0, index) -> !t_array_0
          %298 = arith.ori %271#2, %271#3 : i1
          %299 = arith.ori %arg92, %298 : i1
          scf.yield %291, %294, %295, %296, %271#0, %297, %271#1, %299, %271#2, %271#3 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith, !t_array_0, !t_arith_Differential, i1, i1, i1
        }
        %get_0_1 = arith.index_cast %232 : index to i32
        %300 = agg.extract %242#4[] {path = array<i64: 0>} : (!t_arith) -> i32
        %301 = arith.index_cast %300 : i32 to index
        %302:3 = scf.index_switch %301 -> f64, f64, i1
        case 1 {
          %wrt0_2 = agg.extract %242#4[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
          %wrt0_d_2 = agg.extract %242#6[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          scf.yield %wrt0_2, %wrt0_d_2, %242#8 : f64, f64, i1
        }
        case 2 {
          scf.yield %cst, %cst, %false_0 : f64, f64, i1
        }
        default {
          scf.yield %cst, %cst, %false_0 : f64, f64, i1
        }
        %tex_1_1 = math.sin %302#0 : f64
        %303 = math.cos %302#0 : f64
        %304 = arith.negf %tex_1_1 : f64
        %305 = arith.mulf %302#1, %304 : f64
        %306 = arith.andi %get_0_1, %c1_i32_1 : i32
        %307 = arith.cmpi eq, %306, %wrt00_0 : i32
        %308 = scf.if %307 -> (!t_jvpp_primal_Context) {
          %309 = arith.addi %cosf, %get_0_1 : i32
          %310 = arith.andi %309, %c3_i32 : i32
          %311 = arith.cmpi eq, %310, %wrt00_0 : i32
          %312 = agg.make %311 : (i1) -> !t_jvpp_primal_Context
          scf.yield %312 : !t_jvpp_primal_Context
        } else {
          %313 = agg.zero : !t_jvpp_primal_Context
          scf.yield %313 : !t_jvpp_primal_Context
        }
        %314 = scf.if %307 -> (!t_arith_Differential) {
          scf.yield %19 : !t_arith_Differential
        } else {
          scf.yield %arg68 : !t_arith_Differential
        }
        %315 = arith.select %307, %false_0, %arg71 : i1
        %316 = arith.select %307, %false_0, %arg72 : i1
        %317 = scf.if %307 -> (!t_arith_Differential) {
          scf.yield %19 : !t_arith_Differential
        } else {
          scf.yield %arg63 : !t_arith_Differential
        }
        %318:3 = scf.if %307 -> (f64, f64, i1) {
          %319 = agg.extract %308[] {path = array<i64: 0>} : (!t_jvpp_primal_Context) -> i1
          %320 = arith.select %319, %arg71, %arg72 : i1
          %321:2 = scf.if %319 -> (f64, f64) {
            %322 = agg.extract %arg63[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
            %323 = agg.extract %arg68[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
            %324 = arith.mulf %322, %cst_6 : f64
            %325 = arith.mulf %323, %cst_6 : f64
            scf.yield %324, %325 : f64, f64
          } else {
            %cst_13 = arith.constant 1.5 : f64
            %326 = agg.extract %arg63[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
            %327 = agg.extract %arg68[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
            %328 = arith.mulf %326, %cst_13 : f64
            %329 = arith.mulf %327, %cst_13 : f64
            scf.yield %328, %329 : f64, f64
          }
          %330 = arith.addf %arg64, %321#0 : f64
          %331 = arith.ori %arg73, %320 : i1
          %332 = arith.addf %arg69, %321#1 : f64
          scf.yield %330, %332, %331 : f64, f64, i1
        } else {
          scf.yield %arg64, %arg69, %arg73 : f64, f64, i1
        }
        %333 = strong.gated_mulf %318#0, %303 : f64
        %334 = strong.gated_mulf %318#1, %303 : f64
        %335 = arith.select %318#2, %334, %cst : f64
        %336 = strong.gated_mulf %318#0, %305 : f64
        %337 = arith.select %302#2, %336, %cst : f64
        %338 = arith.ori %318#2, %302#2 : i1
        %339 = arith.addf %335, %337 : f64
        %340:3 = scf.index_switch %301 -> !t_super, !t_super, i1
        case 1 {
          %342 = agg.make %333 : (f64) -> !t_super
          %343 = agg.make %339 : (f64) -> !t_super
          scf.yield %342, %343, %338 : !t_super, !t_super, i1
        }
        case 2 {
          %344 = agg.zero : !t_super
          scf.yield %344, %344, %false_0 : !t_super, !t_super, i1
        }
        default {
          %341 = agg.zero : !t_super
          scf.yield %341, %341, %false_0 : !t_super, !t_super, i1
        }
        %345 = agg.extract %317[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %346 = agg.extract %314[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %347 = agg.extract %340#0[] {path = array<i64: 0>} : (!t_super) -> f64
        %348 = agg.extract %340#1[] {path = array<i64: 0>} : (!t_super) -> f64
        %349 = arith.addf %345, %347 : f64
        %350 = arith.ori %315, %340#2 : i1
        %351 = arith.addf %346, %348 : f64
        %352 = agg.make %349 : (f64) -> !t_super
        %353 = agg.make %351 : (f64) -> !t_super
        %354 = agg.extract %317[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
        %355 = agg.extract %314[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
        %356 = arith.addf %354, %cst : f64
        %357 = arith.addf %355, %cst : f64
        %358 = agg.make %356 : (f64) -> !t_of00
        %359 = agg.make %357 : (f64) -> !t_of00
        %360 = agg.make %352, %358 : (!t_super, !t_of00) -> !t_arith_Differential
        %361 = agg.make %353, %359 : (!t_super, !t_of00) -> !t_arith_Differential
        scf.yield %360, %cst, %242#1, %242#2, %242#3, %361, %cst, %242#5, %350, %316, %false_0, %242#7 : !t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith_Differential, f64, !t_array_0, i1, i1, i1, i1
      }
      %362 = arith.select %167, %231#8, %231#9 : i1
      %363:2 = scf.if %167 -> (f64, f64) {
        %364 = agg.extract %231#0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %365 = agg.extract %231#5[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %366 = arith.mulf %364, %cst_6 : f64
        %367 = arith.mulf %365, %cst_6 : f64
        scf.yield %366, %367 : f64, f64
      } else {
        %cst_14 = arith.constant 1.5 : f64
        %368 = agg.extract %231#0[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
        %369 = agg.extract %231#5[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
        %370 = arith.mulf %368, %cst_14 : f64
        %371 = arith.mulf %369, %cst_14 : f64
        scf.yield %370, %371 : f64, f64
      }
      %372 = arith.addf %231#1, %363#0 : f64
      %373 = arith.ori %231#10, %362 : i1
      %374 = arith.addf %231#6, %363#1 : f64
      %375 = strong.gated_mulf %372, %163 : f64
      %376 = strong.gated_mulf %374, %163 : f64
      %377 = arith.select %373, %376, %cst : f64
      %378 = strong.gated_mulf %372, %165 : f64
      %379 = arith.select %30, %378, %cst : f64
      %380 = arith.addf %377, %379 : f64
      %381 = arith.mulf %375, %cst_6 : f64
      %382 = arith.mulf %380, %cst_6 : f64
      %383 = agg.extract %arg7[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %384 = agg.extract %arg12[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %385 = arith.addf %383, %381 : f64
      %386 = arith.addf %384, %382 : f64
      %387 = agg.insert %385, %arg7[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
      %388 = agg.insert %386, %arg12[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
      %389 = vector.broadcast %127 : i1 to vector<2xi1>
      %390 = vector.broadcast %128 : i1 to vector<2xi1>
      %391 = vector.reduction <or>, %390 : vector<2xi1> into i1
      %392:3 = scf.for %arg104 = %c0 to %c2_0 step %c1_0 iter_args(%arg105 = %387, %arg106 = %388, %arg107 = %arg14) -> (!t_orders, !t_orders, i1) {
        %393 = arith.subi %c1_0, %arg104 : index
        %394 = agg.extract %123[%393] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %395 = agg.extract %125[%393] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %396 = agg.extract %124[%393] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %397 = agg.extract %126[%393] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %x_0 = vector.broadcast %394 : f64 to vector<2xf64>
        %x_d_0 = vector.broadcast %395 : f64 to vector<2xf64>
        %y = vector.broadcast %396 : f64 to vector<2xf64>
        %y_d = vector.broadcast %397 : f64 to vector<2xf64>
        %398 = agg.extract %arg105[] {path = array<i64: 1>} : (!t_orders) -> f64
        %399 = arith.mulf %398, %cst_8 : f64
        %400 = vector.broadcast %399 : f64 to vector<2xf64>
        %401 = strong.gated_mulf %400, %x_0 : vector<2xf64>
        %402 = strong.gated_mulf %400, %x_d_0 : vector<2xf64>
        %403 = arith.select %389, %402, %cst_9 : vector<2xi1>, vector<2xf64>
        %404 = arith.addf %403, %cst_9 : vector<2xf64>
        %405 = strong.gated_mulf %400, %y : vector<2xf64>
        %406 = strong.gated_mulf %400, %y_d : vector<2xf64>
        %407 = arith.select %390, %406, %cst_9 : vector<2xi1>, vector<2xf64>
        %408 = arith.addf %407, %cst_9 : vector<2xf64>
        %409 = vector.reduction <add>, %401 : vector<2xf64> into f64
        %410 = vector.reduction <add>, %404 : vector<2xf64> into f64
        %411 = agg.extract %arg105[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %412 = agg.extract %arg106[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %413 = arith.addf %411, %409 : f64
        %414 = arith.addf %412, %410 : f64
        %415 = agg.insert %413, %arg105[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
        %416 = agg.insert %414, %arg106[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
        %417 = vector.reduction <add>, %405 : vector<2xf64> into f64
        %418 = vector.reduction <add>, %408 : vector<2xf64> into f64
        %419 = agg.extract %arg105[] {path = array<i64: 0>} : (!t_orders) -> f64
        %420 = agg.extract %arg106[] {path = array<i64: 0>} : (!t_orders) -> f64
        %421 = arith.addf %419, %417 : f64
        %422 = arith.ori %arg107, %391 : i1
        %423 = arith.addf %420, %418 : f64
        %424 = agg.insert %421, %415[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
        %425 = agg.insert %423, %416[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
        scf.yield %424, %425, %422 : !t_orders, !t_orders, i1
      }
      scf.yield %392#0, %33#1, %33#2, %33#3, %33#4, %392#1, %33#7, %392#2, %33#9 : !t_orders, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, !t_array, i1, i1
    }
    %426 = agg.make %20#0, %20#5 : (!t_orders, !t_orders) -> !DifferentialPair_orders_
    func.return %426 : !DifferentialPair_orders_
  }
  func.func @"bwd_diff(set)"(%arg0: !DifferentialPair_orders_, %p_d: !t_orders, %arg1: i32, %transposed: i32, %at: i32, %arg2: f64) -> !DifferentialPair_orders_ attributes {differentiable = "both", params = [{name = "x", dir = "inout"}, {name = "d", dir = "in", no_diff}, {name = "differential", dir = "in"}, {name = "transposed", dir = "in"}, {name = "at", dir = "in"}, {name = "dResult", dir = "in"}]} {
    %p = agg.extract %arg0[] {path = array<i64: 0>} : (!DifferentialPair_orders_) -> !t_orders
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %c-1_i32 = arith.constant -1 : i32
    %wrt00 = arith.constant 0 : i32
    %c1 = arith.constant 1 : index
    %c5_i32 = arith.constant 5 : i32
    %0 = arith.cmpi slt, %transposed, %c5_i32 : i32
    %false = arith.constant false
    %1, %sqrtf, %2 = scf.while (%arg3 = %true, %sqrtf_0 = %transposed, %arg4 = %c0) : (i1, i32, index) -> (i1, i32, index) {
      scf.condition(%arg3) %arg3, %sqrtf_0, %arg4 : i1, i32, index
    } do {
    ^bb0(%arg5: i1, %sqrtf_1: i32, %arg6: index):
      %sqrtf_2 = arith.addi %sqrtf_1, %c-1_i32 : i32
      %3 = arith.cmpi sgt, %sqrtf_2, %wrt00 : i32
      %4 = arith.select %3, %0, %false : i1
      %5 = arith.addi %arg6, %c1 : index
      scf.yield %4, %sqrtf_2, %5 : i1, i32, index
    }
    %6 = agg.global @data : !agg.buffer<f64, "rw">
    %7 = arith.index_cast %at : i32 to index
    %8 = agg.buffer_load %6, %7[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %9 = arith.mulf %arg2, %8 : f64
    %cst = arith.constant 0.0 : f64
    %10 = agg.zero : !t_jvp
    %11 = agg.make %cst, %9, %10 : (f64, f64, !t_jvp) -> !t_orders
    %12 = agg.zero : !t_orders
    %c1_0 = arith.constant 1 : index
    %13 = agg.zero : !agg.array<4, index>
    %false_0 = arith.constant false
    %14 = agg.make %p, %12, %12, %12 : (!t_orders, !t_orders, !t_orders, !t_orders) -> !t_array
    %wrt00_0 = arith.constant 0 : i32
    %15 = agg.make %transposed, %wrt00_0, %wrt00_0, %wrt00_0 : (i32, i32, i32, i32) -> !agg.array<4, i32>
    %16 = agg.make %p_d, %12, %12, %12 : (!t_orders, !t_orders, !t_orders, !t_orders) -> !t_array
    %c-1 = arith.constant -1 : index
    %17 = arith.addi %2, %c-1 : index
    %c2 = arith.constant 2 : index
    %c-1_i32_0 = arith.constant -1 : i32
    %cst_0 = arith.constant 0.25 : f64
    %c2_i32 = arith.constant 2 : i32
    %c5_i32_0 = arith.constant 5 : i32
    %cst_1 = arith.constant 1.7397127693021015 : f64
    %cst_2 = arith.constant 0.5 : f64
    %cst_3 = arith.constant 0.5537200244863067 : f64
    %c3 = arith.constant 3 : index
    %c-1_i32_1 = arith.constant -1 : i32
    %c2_0 = arith.constant 2 : index
    %cst_4 = arith.constant 0.25 : f64
    %c2_i32_0 = arith.constant 2 : i32
    %c5_i32_1 = arith.constant 5 : i32
    %cst_5 = arith.constant 1.7397127693021015 : f64
    %cst_6 = arith.constant 0.5 : f64
    %cst_7 = arith.constant 0.5537200244863067 : f64
    %c3_i32 = arith.constant 3 : i32
    %c0_i64 = arith.constant 0 : i64
    %c1_i32 = arith.constant 1 : i32
    %cst_8 = arith.constant 0.25 : f64
    %18:7 = scf.for %arg7 = %c0 to %2 step %c1_0 iter_args(%arg8 = %12, %arg9 = %11, %arg10 = %c0, %arg11 = %13, %arg12 = %14, %arg13 = %15, %arg14 = %16) -> (!t_orders, !t_orders, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array) {
      %19 = arith.subi %17, %arg7 : index
      %20 = agg.extract %arg11[%arg10] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
      %21 = arith.cmpi sgt, %20, %19 : index
      %22 = arith.addi %arg10, %c-1 : index
      %23 = arith.select %21, %22, %arg10 : index
      %24 = agg.extract %arg11[%23] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
      %25 = agg.extract %arg12[%23] {path = array<i64: -1>} : (!t_array, index) -> !t_orders
      %26 = agg.extract %arg13[%23] {path = array<i64: -1>} : (!agg.array<4, i32>, index) -> i32
      %27 = agg.extract %arg14[%23] {path = array<i64: -1>} : (!t_array, index) -> !t_orders
      %28:9 = scf.while (%arg15 = %24, %arg16 = %23, %arg17 = %arg11, %arg18 = %arg12, %arg19 = %arg13, %arg20 = %arg14, %arg21 = %25, %arg22 = %26, %arg23 = %27) : (index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array, !t_orders, i32, !t_orders) -> (index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array, !t_orders, i32, !t_orders) {
        %29 = arith.cmpi slt, %arg15, %19 : index
        scf.condition(%29) %arg15, %arg16, %arg17, %arg18, %arg19, %arg20, %arg21, %arg22, %arg23 : index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array, !t_orders, i32, !t_orders
      } do {
      ^bb0(%arg24: index, %arg25: index, %arg26: !agg.array<4, index>, %arg27: !t_array, %arg28: !agg.array<4, i32>, %arg29: !t_array, %arg30: !t_orders, %arg31: i32, %arg32: !t_orders):
        %30 = arith.subi %c2, %arg25 : index
        %31 = arith.cmpi sgt, %30, %c0 : index
        %32 = arith.subi %19, %arg24 : index
        %33 = arith.addi %32, %c1_0 : index
        %34 = arith.maxui %30, %c1_0 : index
        %35 = arith.addi %34, %c1_0 : index
        %36:2 = scf.while (%arg33 = %c1_0, %arg34 = %c0) : (index, index) -> (index, index) {
          %37 = arith.cmpi slt, %arg33, %33 : index
          scf.condition(%37) %arg33, %arg34 : index, index
        } do {
        ^bb0(%arg35: index, %arg36: index):
          %38 = arith.addi %arg36, %c1_0 : index
          %39 = arith.addi %35, %38 : index
          %40 = arith.muli %arg35, %39 : index
          %41 = arith.divui %40, %38 : index
          scf.yield %41, %38 : index, index
        }
        %42 = arith.muli %36#0, %35 : index
        %43 = arith.addi %35, %36#1 : index
        %44 = arith.divui %42, %43 : index
        %45 = arith.muli %36#0, %36#1 : index
        %46 = arith.divui %45, %43 : index
        %47 = arith.addi %36#1, %c-1 : index
        %48 = arith.muli %46, %47 : index
        %49 = arith.addi %43, %c-1 : index
        %50 = arith.divui %48, %49 : index
        %51 = arith.maxui %50, %c1_0 : index
        %52 = arith.subi %33, %51 : index
        %53 = arith.minui %44, %52 : index
        %54 = arith.maxui %53, %c1_0 : index
        %55 = arith.subi %33, %54 : index
        %56 = arith.select %31, %55, %32 : index
        %57:3 = scf.for %arg37 = %c0 to %56 step %c1_0 iter_args(%arg38 = %arg30, %arg39 = %arg31, %arg40 = %arg32) -> (!t_orders, i32, !t_orders) {
          %sqrtf_2_0 = arith.addi %arg39, %c-1_i32_0 : i32
          %p_3, %p_3_d = scf.for %arg41 = %c0 to %c2 step %c1_0 iter_args(%p_4 = %arg38, %p_4_d = %arg40) -> (!t_orders, !t_orders) {
            %58 = agg.extract %p_4[] {path = array<i64: 0>} : (!t_orders) -> f64
            %59 = agg.extract %p_4_d[] {path = array<i64: 0>} : (!t_orders) -> f64
            %60 = vector.broadcast %58 : f64 to vector<2xf64>
            %61 = vector.broadcast %59 : f64 to vector<2xf64>
            %62 = agg.extract %p_4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %63 = agg.extract %p_4_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %64 = vector.broadcast %62 : f64 to vector<2xf64>
            %65 = vector.broadcast %63 : f64 to vector<2xf64>
            %66 = arith.mulf %60, %64 : vector<2xf64>
            %67 = arith.mulf %61, %64 : vector<2xf64>
            %68 = arith.mulf %65, %60 : vector<2xf64>
            %69 = arith.addf %67, %68 : vector<2xf64>
            %70 = vector.reduction <add>, %66 : vector<2xf64> into f64
            %71 = vector.reduction <add>, %69 : vector<2xf64> into f64
            %72 = arith.mulf %70, %cst_0 : f64
            %73 = arith.mulf %71, %cst_0 : f64
            %74 = agg.extract %p_4[] {path = array<i64: 1>} : (!t_orders) -> f64
            %75 = agg.extract %p_4_d[] {path = array<i64: 1>} : (!t_orders) -> f64
            %76 = arith.addf %74, %72 : f64
            %77 = arith.addf %75, %73 : f64
            %p_5 = agg.insert %76, %p_4[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
            %p_5_d = agg.insert %77, %p_4_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
            scf.yield %p_5, %p_5_d : !t_orders, !t_orders
          }
          %78 = arith.andi %sqrtf_2_0, %c2_i32 : i32
          %79 = arith.cmpi ne, %78, %wrt00_0 : i32
          %80 = arith.select %79, %sqrtf_2_0, %transposed : i32
          %81 = arith.cmpi slt, %80, %c5_i32_0 : i32
          %82 = arith.select %81, %transposed, %sqrtf_2_0 : i32
          %83 = agg.extract %p_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
          %84 = agg.extract %p_3_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
          %85 = arith.mulf %83, %cst_2 : f64
          %86 = arith.mulf %84, %cst_2 : f64
          %87 = math.powf %cst_1, %85 : f64
          %88 = arith.mulf %87, %cst_3 : f64
          %89 = arith.mulf %86, %88 : f64
          %90:2 = func.call @wrt10.fwd(%82, %87, %89) : (i32, f64, f64) -> (f64, f64)
          %91 = math.sin %90#0 : f64
          %92 = math.cos %90#0 : f64
          %93 = arith.mulf %90#1, %92 : f64
          %94 = agg.extract %p_3[] {path = array<i64: 0>} : (!t_orders) -> f64
          %95 = agg.extract %p_3_d[] {path = array<i64: 0>} : (!t_orders) -> f64
          %96 = arith.addf %94, %91 : f64
          %97 = arith.addf %95, %93 : f64
          %p_6 = agg.insert %96, %p_3[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
          %p_6_d = agg.insert %97, %p_3_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
          scf.yield %p_6, %sqrtf_2_0, %p_6_d : !t_orders, i32, !t_orders
        }
        %98 = arith.addi %arg24, %56 : index
        %99 = arith.addi %arg25, %c1_0 : index
        %100 = arith.select %31, %99, %c3 : index
        %101 = arith.select %31, %99, %arg25 : index
        %102 = agg.insert %98, %arg26[%100] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
        %103 = agg.insert %57#0, %arg27[%100] {path = array<i64: -1>} : (!t_orders, !t_array, index) -> !t_array
        %104 = agg.insert %57#1, %arg28[%100] {path = array<i64: -1>} : (i32, !agg.array<4, i32>, index) -> !agg.array<4, i32>
        %105 = agg.insert %57#2, %arg29[%100] {path = array<i64: -1>} : (!t_orders, !t_array, index) -> !t_array
        scf.yield %98, %101, %102, %103, %104, %105, %57#0, %57#1, %57#2 : index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array, !t_orders, i32, !t_orders
      }
      %sqrtf_2_1 = arith.addi %28#7, %c-1_i32_1 : i32
      %106 = agg.zero {unread} : !agg.array<2, f64>
      %p_3_0, %p_3_d_0, %107, %108, %109, %110 = scf.for %arg42 = %c0 to %c2_0 step %c1_0 iter_args(%p_4_0 = %28#6, %p_4_d_0 = %28#8, %arg43 = %106, %arg44 = %106, %arg45 = %106, %arg46 = %106) -> (!t_orders, !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, !agg.array<2, f64>, !agg.array<2, f64>) {
        %111 = agg.extract %p_4_0[] {path = array<i64: 0>} : (!t_orders) -> f64
        %112 = agg.extract %p_4_d_0[] {path = array<i64: 0>} : (!t_orders) -> f64
        %113 = vector.broadcast %111 : f64 to vector<2xf64>
        %114 = vector.broadcast %112 : f64 to vector<2xf64>
        %115 = agg.extract %p_4_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %116 = agg.extract %p_4_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %117 = vector.broadcast %115 : f64 to vector<2xf64>
        %118 = vector.broadcast %116 : f64 to vector<2xf64>
        %119 = arith.mulf %113, %117 : vector<2xf64>
        %120 = arith.mulf %114, %117 : vector<2xf64>
        %121 = arith.mulf %118, %113 : vector<2xf64>
        %122 = arith.addf %120, %121 : vector<2xf64>
        %123 = vector.reduction <add>, %119 : vector<2xf64> into f64
        %124 = vector.reduction <add>, %122 : vector<2xf64> into f64
        %125 = arith.mulf %123, %cst_4 : f64
        %126 = arith.mulf %124, %cst_4 : f64
        %127 = agg.extract %p_4_0[] {path = array<i64: 1>} : (!t_orders) -> f64
        %128 = agg.extract %p_4_d_0[] {path = array<i64: 1>} : (!t_orders) -> f64
        %129 = arith.addf %127, %125 : f64
        %130 = arith.addf %128, %126 : f64
        %p_5_0 = agg.insert %129, %p_4_0[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d_0 = agg.insert %130, %p_4_d_0[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %131 = agg.insert %111, %arg43[%arg42] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %132 = agg.insert %112, %arg44[%arg42] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %133 = agg.insert %115, %arg45[%arg42] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %134 = agg.insert %116, %arg46[%arg42] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        scf.yield %p_5_0, %p_5_d_0, %131, %132, %133, %134 : !t_orders, !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, !agg.array<2, f64>, !agg.array<2, f64>
      }
      %135 = arith.andi %sqrtf_2_1, %c2_i32_0 : i32
      %136 = arith.cmpi ne, %135, %wrt00_0 : i32
      %137 = arith.select %136, %sqrtf_2_1, %transposed : i32
      %138 = arith.cmpi slt, %137, %c5_i32_1 : i32
      %cosf = arith.select %138, %transposed, %sqrtf_2_1 : i32
      %139 = agg.extract %p_3_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %140 = agg.extract %p_3_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %141 = arith.mulf %139, %cst_6 : f64
      %142 = arith.mulf %140, %cst_6 : f64
      %x = math.powf %cst_5, %141 : f64
      %143 = arith.mulf %x, %cst_7 : f64
      %x_d = arith.mulf %142, %143 : f64
      %144 = arith.andi %cosf, %c3_i32 : i32
      %145 = arith.cmpi eq, %144, %wrt00_0 : i32
      %result, %result_d = scf.if %145 -> (!t_arith, !t_arith_Differential) {
        %146 = arith.mulf %x, %cst_6 : f64
        %147 = arith.mulf %x_d, %cst_6 : f64
        %init = agg.make %146 : (f64) -> !t_super
        %init_d = agg.make %147 : (f64) -> !t_super
        %c1_i32_0 = arith.constant 1 : i32
        %148 = agg.zero : !t_of00
        %result_0 = agg.make %c1_i32_0, %init, %148 : (i32, !t_super, !t_of00) -> !t_arith
        %result_0_d = agg.make %init_d, %148 : (!t_super, !t_of00) -> !t_arith_Differential
        scf.yield %result_0, %result_0_d : !t_arith, !t_arith_Differential
      } else {
        %cst_9 = arith.constant 1.5 : f64
        %149 = arith.mulf %x, %cst_9 : f64
        %150 = arith.mulf %x_d, %cst_9 : f64
        %init_0 = agg.make %149 : (f64) -> !t_of00
        %init_0_d = agg.make %150 : (f64) -> !t_of00
        %151 = agg.zero : !t_super
        %result_1 = agg.make %c2_i32_0, %151, %init_0 : (i32, !t_super, !t_of00) -> !t_arith
        %result_1_d = agg.make %151, %init_0_d : (!t_super, !t_of00) -> !t_arith_Differential
        scf.yield %result_1, %result_1_d : !t_arith, !t_arith_Differential
      }
      %152 = arith.extsi %144 : i32 to i64
      %153 = arith.maxsi %152, %c0_i64 : i64
      %154 = arith.index_cast %153 : i64 to index
      %init_0_0, %tex, %init_0_d_0, %tex_d = scf.for %arg47 = %c0 to %154 step %c1_0 iter_args(%init_1 = %result, %tex_0 = %x, %init_1_d = %result_d, %tex_0_d = %x_d) -> (!t_arith, f64, !t_arith_Differential, f64) {
        %get_0 = arith.index_cast %arg47 : index to i32
        %155 = agg.extract %init_1[] {path = array<i64: 0>} : (!t_arith) -> i32
        %156 = arith.index_cast %155 : i32 to index
        %157:2 = scf.index_switch %156 -> f64, f64
        case 1 {
          %wrt0 = agg.extract %init_1[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
          %wrt0_d = agg.extract %init_1_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          scf.yield %wrt0, %wrt0_d : f64, f64
        }
        case 2 {
          scf.yield %cst, %cst : f64, f64
        }
        default {
          scf.yield %cst, %cst : f64, f64
        }
        %tex_1 = math.sin %157#0 : f64
        %158 = math.cos %157#0 : f64
        %tex_1_d = arith.mulf %157#1, %158 : f64
        %159 = arith.andi %get_0, %c1_i32 : i32
        %160 = arith.cmpi eq, %159, %wrt00_0 : i32
        %init_2, %init_2_d = scf.if %160 -> (!t_arith, !t_arith_Differential) {
          %161 = arith.addi %cosf, %get_0 : i32
          %162 = arith.andi %161, %c3_i32 : i32
          %163 = arith.cmpi eq, %162, %wrt00_0 : i32
          %result_2, %result_d_0 = scf.if %163 -> (!t_arith, !t_arith_Differential) {
            %164 = arith.mulf %tex_1, %cst_6 : f64
            %165 = arith.mulf %tex_1_d, %cst_6 : f64
            %init_3 = agg.make %164 : (f64) -> !t_super
            %init_d_0 = agg.make %165 : (f64) -> !t_super
            %166 = agg.zero : !t_of00
            %result_0_0 = agg.make %c1_i32, %init_3, %166 : (i32, !t_super, !t_of00) -> !t_arith
            %result_0_d_0 = agg.make %init_d_0, %166 : (!t_super, !t_of00) -> !t_arith_Differential
            scf.yield %result_0_0, %result_0_d_0 : !t_arith, !t_arith_Differential
          } else {
            %cst_10 = arith.constant 1.5 : f64
            %167 = arith.mulf %tex_1, %cst_10 : f64
            %168 = arith.mulf %tex_1_d, %cst_10 : f64
            %init_0_1 = agg.make %167 : (f64) -> !t_of00
            %init_0_d_1 = agg.make %168 : (f64) -> !t_of00
            %169 = agg.zero : !t_super
            %result_1_0 = agg.make %c2_i32_0, %169, %init_0_1 : (i32, !t_super, !t_of00) -> !t_arith
            %result_1_d_0 = agg.make %169, %init_0_d_1 : (!t_super, !t_of00) -> !t_arith_Differential
            scf.yield %result_1_0, %result_1_d_0 : !t_arith, !t_arith_Differential
          }
          scf.yield %result_2, %result_d_0 : !t_arith, !t_arith_Differential
        } else {
          scf.yield %init_1, %init_1_d : !t_arith, !t_arith_Differential
        }
        scf.yield %init_2, %tex_1, %init_2_d, %tex_1_d : !t_arith, f64, !t_arith_Differential, f64
      }
      %170 = agg.extract %init_0_0[] {path = array<i64: 0>} : (!t_arith) -> i32
      %171 = arith.index_cast %170 : i32 to index
      %172:3 = scf.index_switch %171 -> f64, f64, !t_super_part_fwd_primal_Context
      case 1 {
        %wrt0_0 = agg.extract %init_0_0[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
        %wrt0_d_0 = agg.extract %init_0_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %174 = agg.make : () -> !t_super_part_fwd_primal_Context
        scf.yield %wrt0_0, %wrt0_d_0, %174 : f64, f64, !t_super_part_fwd_primal_Context
      }
      case 2 {
        %175 = agg.zero : !t_super_part_fwd_primal_Context
        scf.yield %cst, %cst, %175 : f64, f64, !t_super_part_fwd_primal_Context
      }
      default {
        %173 = agg.zero : !t_super_part_fwd_primal_Context
        scf.yield %cst, %cst, %173 : f64, f64, !t_super_part_fwd_primal_Context
      }
      %176 = agg.make %170, %172#2 : (i32, !t_super_part_fwd_primal_Context) -> !t_arith_part_fwd_primal_Context
      %177 = arith.mulf %172#0, %cst_6 : f64
      %178 = arith.mulf %172#1, %cst_6 : f64
      %179 = arith.addf %tex, %177 : f64
      %180 = arith.addf %tex_d, %178 : f64
      %181 = math.sin %179 : f64
      %182 = math.cos %179 : f64
      %183 = arith.negf %181 : f64
      %184 = agg.extract %arg9[] {path = array<i64: 0>} : (!t_orders) -> f64
      %185 = agg.extract %arg8[] {path = array<i64: 0>} : (!t_orders) -> f64
      %186 = strong.gated_mulf %184, %180 : f64
      %187 = strong.gated_mulf %184, %182 : f64
      %188 = strong.gated_mulf %186, %183 : f64
      %189 = strong.gated_mulf %185, %182 : f64
      %190 = arith.addf %188, %189 : f64
      %191 = arith.cmpf une, %190, %cst : f64
      %192 = arith.select %191, %190, %cst : f64
      %193 = arith.cmpf une, %187, %cst : f64
      %194 = arith.select %193, %187, %cst : f64
      %195 = arith.ori %191, %193 : i1
      %196:4 = scf.if %195 -> (f64, f64, i1, i1) {
        %197 = arith.mulf %194, %cst_6 : f64
        %198 = arith.mulf %192, %cst_6 : f64
        %199 = arith.cmpf une, %198, %cst : f64
        %200 = arith.select %199, %198, %cst : f64
        %201 = arith.cmpf une, %197, %cst : f64
        %202 = arith.select %201, %197, %cst : f64
        %203 = arith.ori %199, %201 : i1
        %204:6 = scf.if %203 -> (!t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1) {
          %205:10 = func.call @arith.part.fwd.unsure(%176, %200, %202, %199, %201) : (!t_arith_part_fwd_primal_Context, f64, f64, i1, i1) -> (!t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1, i1, i1, i1, i1)
          %206 = arith.ori %205#4, %205#5 : i1
          %207 = arith.addf %192, %205#1 : f64
          %208 = arith.ori %205#7, %205#8 : i1
          %209 = arith.addf %194, %205#3 : f64
          scf.yield %205#0, %207, %205#2, %209, %206, %208 : !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1
        } else {
          %210 = agg.zero : !t_arith_Differential
          scf.yield %210, %192, %210, %194, %false_0, %false_0 : !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1
        }
        %211 = agg.zero : !t_arith
        %212 = agg.make %result, %211, %211, %211 : (!t_arith, !t_arith, !t_arith, !t_arith) -> !agg.array<4, !t_arith>
        %213 = agg.zero : !t_arith_Differential
        %214 = agg.make %result_d, %213, %213, %213 : (!t_arith_Differential, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential) -> !t_array_0
        %215 = arith.cmpf une, %204#1, %cst : f64
        %216 = arith.select %215, %204#1, %cst : f64
        %217 = arith.cmpf une, %204#3, %cst : f64
        %218 = arith.select %217, %204#3, %cst : f64
        %219 = arith.ori %204#4, %215 : i1
        %220 = arith.ori %219, %204#5 : i1
        %221 = arith.ori %220, %217 : i1
        %222:4 = scf.if %221 -> (!t_arith_Differential, f64, !t_arith_Differential, f64) {
          %223 = arith.addi %154, %c-1 : index
          %c1_i32_1 = arith.constant 1 : i32
          %c3_0 = arith.constant 3 : index
          %c1_i32_2 = arith.constant 1 : i32
          %224:8 = scf.for %arg48 = %c0 to %154 step %c1_0 iter_args(%arg49 = %204#0, %arg50 = %216, %arg51 = %204#2, %arg52 = %218, %arg53 = %c0, %arg54 = %13, %arg55 = %212, %arg56 = %214) -> (!t_arith_Differential, f64, !t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0) {
            %225 = arith.subi %223, %arg48 : index
            %226 = agg.extract %arg54[%arg53] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
            %227 = arith.cmpi sgt, %226, %225 : index
            %228 = arith.addi %arg53, %c-1 : index
            %229 = arith.select %227, %228, %arg53 : index
            %230 = agg.extract %arg54[%229] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
            %231 = agg.extract %arg55[%229] {path = array<i64: -1>} : (!agg.array<4, !t_arith>, index) -> !t_arith
            %232 = agg.extract %arg56[%229] {path = array<i64: -1>} : (!t_array_0, index) -> !t_arith_Differential
            %233:7 = scf.while (%arg57 = %230, %arg58 = %229, %arg59 = %arg54, %arg60 = %arg55, %arg61 = %arg56, %arg62 = %231, %arg63 = %232) : (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0, !t_arith, !t_arith_Differential) -> (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0, !t_arith, !t_arith_Differential) {
              %234 = arith.cmpi slt, %arg57, %225 : index
              scf.condition(%234) %arg57, %arg58, %arg59, %arg60, %arg61, %arg62, %arg63 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0, !t_arith, !t_arith_Differential
            } do {
            ^bb0(%arg64: index, %arg65: index, %arg66: !agg.array<4, index>, %arg67: !agg.array<4, !t_arith>, %arg68: !t_array_0, %arg69: !t_arith, %arg70: !t_arith_Differential):
              %235 = arith.subi %c2_0, %arg65 : index
              %236 = arith.cmpi sgt, %235, %c0 : index
              %237 = arith.subi %225, %arg64 : index
              %238 = arith.addi %237, %c1_0 : index
              %239 = arith.maxui %235, %c1_0 : index
              %240 = arith.addi %239, %c1_0 : index
              %241:2 = scf.while (%arg71 = %c1_0, %arg72 = %c0) : (index, index) -> (index, index) {
                %242 = arith.cmpi slt, %arg71, %238 : index
                scf.condition(%242) %arg71, %arg72 : index, index
              } do {
              ^bb0(%arg73: index, %arg74: index):
                %243 = arith.addi %arg74, %c1_0 : index
                %244 = arith.addi %240, %243 : index
                %245 = arith.muli %arg73, %244 : index
                %246 = arith.divui %245, %243 : index
                scf.yield %246, %243 : index, index
              }
              %247 = arith.muli %241#0, %240 : index
              %248 = arith.addi %240, %241#1 : index
              %249 = arith.divui %247, %248 : index
              %250 = arith.muli %241#0, %241#1 : index
              %251 = arith.divui %250, %248 : index
              %252 = arith.addi %241#1, %c-1 : index
              %253 = arith.muli %251, %252 : index
              %254 = arith.addi %248, %c-1 : index
              %255 = arith.divui %253, %254 : index
              %256 = arith.maxui %255, %c1_0 : index
              %257 = arith.subi %238, %256 : index
              %258 = arith.minui %249, %257 : index
              %259 = arith.maxui %258, %c1_0 : index
              %260 = arith.subi %238, %259 : index
              %261 = arith.select %236, %260, %237 : index
              %262:2 = scf.for %arg75 = %c0 to %261 step %c1_0 iter_args(%arg76 = %arg69, %arg77 = %arg70) -> (!t_arith, !t_arith_Differential) {
                %263 = arith.addi %arg64, %arg75 : index
                %get_0_0 = arith.index_cast %263 : index to i32
                %264 = agg.extract %arg76[] {path = array<i64: 0>} : (!t_arith) -> i32
                %265 = arith.index_cast %264 : i32 to index
                %266:2 = scf.index_switch %265 -> f64, f64
                case 1 {
                  %wrt0_1 = agg.extract %arg76[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
                  %wrt0_d_1 = agg.extract %arg77[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                  scf.yield %wrt0_1, %wrt0_d_1 : f64, f64
                }
                case 2 {
                  scf.yield %cst, %cst : f64, f64
                }
                default {
                  scf.yield %cst, %cst : f64, f64
                }
                %tex_1_0 = math.sin %266#0 : f64
                %267 = math.cos %266#0 : f64
                %tex_1_d_0 = arith.mulf %266#1, %267 : f64
                %268 = arith.andi %get_0_0, %c1_i32_1 : i32
                %269 = arith.cmpi eq, %268, %wrt00_0 : i32
                %init_2_0, %init_2_d_0 = scf.if %269 -> (!t_arith, !t_arith_Differential) {
                  %270 = arith.addi %cosf, %get_0_0 : i32
                  %271 = arith.andi %270, %c3_i32 : i32
                  %272 = arith.cmpi eq, %271, %wrt00_0 : i32
                  %result_3, %result_d_1 = scf.if %272 -> (!t_arith, !t_arith_Differential) {
                    %273 = arith.mulf %tex_1_0, %cst_6 : f64
                    %274 = arith.mulf %tex_1_d_0, %cst_6 : f64
                    %init_4 = agg.make %273 : (f64) -> !t_super
                    %init_d_1 = agg.make %274 : (f64) -> !t_super
                    %275 = agg.zero : !t_of00
                    %result_0_1 = agg.make %c1_i32_1, %init_4, %275 : (i32, !t_super, !t_of00) -> !t_arith
                    %result_0_d_1 = agg.make %init_d_1, %275 : (!t_super, !t_of00) -> !t_arith_Differential
                    scf.yield %result_0_1, %result_0_d_1 : !t_arith, !t_arith_Differential
                  } else {
                    %cst_11 = arith.constant 1.5 : f64
                    %276 = arith.mulf %tex_1_0, %cst_11 : f64
                    %277 = arith.mulf %tex_1_d_0, %cst_11 : f64
                    %init_0_2 = agg.make %276 : (f64) -> !t_of00
                    %init_0_d_2 = agg.make %277 : (f64) -> !t_of00
                    %278 = agg.zero : !t_super
                    %result_1_1 = agg.make %c2_i32_0, %278, %init_0_2 : (i32, !t_super, !t_of00) -> !t_arith
                    %result_1_d_1 = agg.make %278, %init_0_d_2 : (!t_super, !t_of00) -> !t_arith_Differential
                    scf.yield %result_1_1, %result_1_d_1 : !t_arith, !t_arith_Differential
                  }
                  scf.yield %result_3, %result_d_1 : !t_arith, !t_arith_Differential
                } else {
                  scf.yield %arg76, %arg77 : !t_arith, !t_arith_Differential
                }
                scf.yield %init_2_0, %init_2_d_0 : !t_arith, !t_arith_Differential
              }
              %279 = arith.addi %arg64, %261 : index
              %280 = arith.addi %arg65, %c1_0 : index
              %281 = arith.select %236, %280, %c3_0 : index
              %282 = arith.select %236, %280, %arg65 : index
              %283 = agg.insert %279, %arg66[%281] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
              %284 = agg.insert %262#0, %arg67[%281] {path = array<i64: -1>} : (!t_arith, !agg.array<4, !t_arith>, index) -> !agg.array<4, !t_arith>
              %285 = agg.insert %262#1, %arg68[%281] {path = array<i64: -1>} : (!t_arith_Differential, !t_array_0, index) -> !t_array_0
              scf.yield %279, %282, %283, %284, %285, %262#0, %262#1 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0, !t_arith, !t_arith_Differential
            }
            %get_0_1 = arith.index_cast %225 : index to i32
            %286 = agg.extract %233#5[] {path = array<i64: 0>} : (!t_arith) -> i32
            %287 = arith.index_cast %286 : i32 to index
            %288:3 = scf.index_switch %287 -> f64, f64, !t_super_part_fwd_primal_Context
            case 1 {
              %wrt0_2 = agg.extract %233#5[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
              %wrt0_d_2 = agg.extract %233#6[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
              %290 = agg.make : () -> !t_super_part_fwd_primal_Context
              scf.yield %wrt0_2, %wrt0_d_2, %290 : f64, f64, !t_super_part_fwd_primal_Context
            }
            case 2 {
              %291 = agg.zero : !t_super_part_fwd_primal_Context
              scf.yield %cst, %cst, %291 : f64, f64, !t_super_part_fwd_primal_Context
            }
            default {
              %289 = agg.zero : !t_super_part_fwd_primal_Context
              scf.yield %cst, %cst, %289 : f64, f64, !t_super_part_fwd_primal_Context
            }
            %292 = agg.make %286, %288#2 : (i32, !t_super_part_fwd_primal_Context) -> !t_arith_part_fwd_primal_Context
            %tex_1_1 = math.sin %288#0 : f64
            %293 = math.cos %288#0 : f64
            %294 = arith.andi %get_0_1, %c1_i32_2 : i32
            %295 = arith.cmpi eq, %294, %wrt00_0 : i32
            %296 = scf.if %295 -> (!t_jvpp_fwd_primal_Context) {
              %297 = arith.addi %cosf, %get_0_1 : i32
              %298 = arith.andi %297, %c3_i32 : i32
              %299 = arith.cmpi eq, %298, %wrt00_0 : i32
              %300 = agg.make %299 : (i1) -> !t_jvpp_fwd_primal_Context
              scf.yield %300 : !t_jvpp_fwd_primal_Context
            } else {
              %301 = agg.zero : !t_jvpp_fwd_primal_Context
              scf.yield %301 : !t_jvpp_fwd_primal_Context
            }
            %302 = arith.negf %tex_1_1 : f64
            %303 = scf.if %295 -> (!t_arith_Differential) {
              scf.yield %213 : !t_arith_Differential
            } else {
              scf.yield %arg49 : !t_arith_Differential
            }
            %304 = scf.if %295 -> (!t_arith_Differential) {
              scf.yield %213 : !t_arith_Differential
            } else {
              scf.yield %arg51 : !t_arith_Differential
            }
            %305:2 = scf.if %295 -> (f64, f64) {
              %306 = agg.extract %296[] {path = array<i64: 0>} : (!t_jvpp_fwd_primal_Context) -> i1
              %307:2 = scf.if %306 -> (f64, f64) {
                %308 = agg.extract %arg51[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                %309 = agg.extract %arg49[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                %310 = arith.mulf %308, %cst_6 : f64
                %311 = arith.mulf %309, %cst_6 : f64
                scf.yield %311, %310 : f64, f64
              } else {
                %cst_12 = arith.constant 1.5 : f64
                %312 = agg.extract %arg51[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
                %313 = agg.extract %arg49[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
                %314 = arith.mulf %312, %cst_12 : f64
                %315 = arith.mulf %313, %cst_12 : f64
                scf.yield %315, %314 : f64, f64
              }
              %316 = arith.addf %arg50, %307#0 : f64
              %317 = arith.addf %arg52, %307#1 : f64
              scf.yield %316, %317 : f64, f64
            } else {
              scf.yield %arg50, %arg52 : f64, f64
            }
            %318 = strong.gated_mulf %305#1, %288#1 : f64
            %319 = strong.gated_mulf %305#1, %293 : f64
            %320 = strong.gated_mulf %318, %302 : f64
            %321 = strong.gated_mulf %305#0, %293 : f64
            %322 = arith.addf %320, %321 : f64
            %323 = arith.cmpf une, %322, %cst : f64
            %324 = arith.select %323, %322, %cst : f64
            %325 = arith.cmpf une, %319, %cst : f64
            %326 = arith.select %325, %319, %cst : f64
            %327 = arith.ori %323, %325 : i1
            %328:4 = scf.if %327 -> (!t_arith_Differential, f64, !t_arith_Differential, f64) {
              %329:10 = func.call @arith.part.fwd.unsure(%292, %324, %326, %323, %325) : (!t_arith_part_fwd_primal_Context, f64, f64, i1, i1) -> (!t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1, i1, i1, i1, i1)
              %330 = agg.extract %303[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
              %331 = agg.extract %329#0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
              %332 = arith.addf %330, %331 : f64
              %333 = agg.make %332 : (f64) -> !t_super
              %334 = agg.extract %303[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
              %335 = agg.extract %329#0[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
              %336 = arith.addf %334, %335 : f64
              %337 = agg.make %336 : (f64) -> !t_of00
              %338 = agg.make %333, %337 : (!t_super, !t_of00) -> !t_arith_Differential
              %339 = agg.extract %304[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
              %340 = agg.extract %329#2[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
              %341 = arith.addf %339, %340 : f64
              %342 = agg.make %341 : (f64) -> !t_super
              %343 = agg.extract %304[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
              %344 = agg.extract %329#2[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
              %345 = arith.addf %343, %344 : f64
              %346 = agg.make %345 : (f64) -> !t_of00
              %347 = agg.make %342, %346 : (!t_super, !t_of00) -> !t_arith_Differential
              scf.yield %338, %329#1, %347, %329#3 : !t_arith_Differential, f64, !t_arith_Differential, f64
            } else {
              scf.yield %303, %cst, %304, %cst : !t_arith_Differential, f64, !t_arith_Differential, f64
            }
            scf.yield %328#0, %328#1, %328#2, %328#3, %233#1, %233#2, %233#3, %233#4 : !t_arith_Differential, f64, !t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0
          }
          scf.yield %224#0, %224#1, %224#2, %224#3 : !t_arith_Differential, f64, !t_arith_Differential, f64
        } else {
          scf.yield %213, %cst, %213, %cst : !t_arith_Differential, f64, !t_arith_Differential, f64
        }
        %348:2 = scf.if %221 -> (f64, f64) {
          %349:2 = scf.if %145 -> (f64, f64) {
            %350 = agg.extract %222#2[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
            %351 = agg.extract %222#0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
            %352 = arith.mulf %350, %cst_6 : f64
            %353 = arith.mulf %351, %cst_6 : f64
            scf.yield %353, %352 : f64, f64
          } else {
            %cst_13 = arith.constant 1.5 : f64
            %354 = agg.extract %222#2[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
            %355 = agg.extract %222#0[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
            %356 = arith.mulf %354, %cst_13 : f64
            %357 = arith.mulf %355, %cst_13 : f64
            scf.yield %357, %356 : f64, f64
          }
          %358 = arith.addf %222#1, %349#0 : f64
          %359 = arith.addf %222#3, %349#1 : f64
          scf.yield %358, %359 : f64, f64
        } else {
          scf.yield %222#1, %222#3 : f64, f64
        }
        scf.yield %348#0, %348#1, %221, %221 : f64, f64, i1, i1
      } else {
        scf.yield %cst, %cst, %false_0, %false_0 : f64, f64, i1, i1
      }
      %360 = strong.gated_mulf %196#1, %142 : f64
      %361 = strong.gated_mulf %196#1, %143 : f64
      %362 = arith.mulf %360, %cst_7 : f64
      %363 = arith.select %196#3, %362, %cst : f64
      %364 = arith.addf %196#0, %363 : f64
      %365 = arith.ori %196#2, %196#3 : i1
      %366 = strong.gated_mulf %364, %143 : f64
      %367 = arith.mulf %361, %cst_6 : f64
      %368 = arith.mulf %366, %cst_6 : f64
      %369 = arith.select %196#3, %367, %cst : f64
      %370 = agg.extract %arg9[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %371 = arith.addf %370, %369 : f64
      %372 = agg.insert %371, %arg9[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
      %373 = arith.select %365, %368, %cst : f64
      %374 = agg.extract %arg8[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %375 = arith.addf %374, %373 : f64
      %376 = agg.insert %375, %arg8[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
      %377:2 = scf.for %arg78 = %c0 to %c2_0 step %c1_0 iter_args(%arg79 = %376, %arg80 = %372) -> (!t_orders, !t_orders) {
        %378 = arith.subi %c1_0, %arg78 : index
        %379 = agg.extract %107[%378] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %380 = agg.extract %108[%378] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %381 = agg.extract %109[%378] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %382 = agg.extract %110[%378] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %x_0 = vector.broadcast %379 : f64 to vector<2xf64>
        %x_d_0 = vector.broadcast %380 : f64 to vector<2xf64>
        %y = vector.broadcast %381 : f64 to vector<2xf64>
        %y_d = vector.broadcast %382 : f64 to vector<2xf64>
        %383 = agg.extract %arg80[] {path = array<i64: 1>} : (!t_orders) -> f64
        %384 = agg.extract %arg79[] {path = array<i64: 1>} : (!t_orders) -> f64
        %385 = arith.mulf %383, %cst_8 : f64
        %386 = arith.mulf %384, %cst_8 : f64
        %387 = arith.cmpf une, %386, %cst : f64
        %388 = arith.select %387, %386, %cst : f64
        %389 = arith.cmpf une, %385, %cst : f64
        %390 = arith.select %389, %385, %cst : f64
        %391 = arith.ori %387, %389 : i1
        %392:4 = scf.if %391 -> (vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>) {
          %393 = vector.broadcast %390 : f64 to vector<2xf64>
          %394 = vector.broadcast %388 : f64 to vector<2xf64>
          %395 = strong.gated_mulf %393, %y_d : vector<2xf64>
          %396 = strong.gated_mulf %393, %x_0 : vector<2xf64>
          %397 = strong.gated_mulf %393, %x_d_0 : vector<2xf64>
          %398 = strong.gated_mulf %393, %y : vector<2xf64>
          %399 = strong.gated_mulf %394, %x_0 : vector<2xf64>
          %cst_14 = arith.constant dense<0.0> : vector<2xf64>
          %400 = arith.select %389, %397, %cst_14 : vector<2xf64>
          %401 = arith.select %387, %399, %cst_14 : vector<2xf64>
          %402 = arith.addf %400, %401 : vector<2xf64>
          %403 = strong.gated_mulf %394, %y : vector<2xf64>
          %404 = arith.select %389, %395, %cst_14 : vector<2xf64>
          %405 = arith.select %387, %403, %cst_14 : vector<2xf64>
          %406 = arith.addf %404, %405 : vector<2xf64>
          %407 = arith.select %389, %398, %cst_14 : vector<2xf64>
          %408 = arith.select %389, %396, %cst_14 : vector<2xf64>
          scf.yield %406, %402, %407, %408 : vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>
        } else {
          %cst_15 = arith.constant dense<0.0> : vector<2xf64>
          scf.yield %cst_15, %cst_15, %cst_15, %cst_15 : vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>
        }
        %409 = vector.reduction <add>, %392#3 : vector<2xf64> into f64
        %410 = vector.reduction <add>, %392#1 : vector<2xf64> into f64
        %411 = agg.extract %arg80[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %412 = arith.addf %411, %409 : f64
        %413 = agg.insert %412, %arg80[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
        %414 = agg.extract %arg79[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %415 = arith.addf %414, %410 : f64
        %416 = agg.insert %415, %arg79[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
        %417 = vector.reduction <add>, %392#2 : vector<2xf64> into f64
        %418 = vector.reduction <add>, %392#0 : vector<2xf64> into f64
        %419 = agg.extract %arg80[] {path = array<i64: 0>} : (!t_orders) -> f64
        %420 = arith.addf %419, %417 : f64
        %421 = agg.insert %420, %413[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
        %422 = agg.extract %arg79[] {path = array<i64: 0>} : (!t_orders) -> f64
        %423 = arith.addf %422, %418 : f64
        %424 = agg.insert %423, %416[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
        scf.yield %424, %421 : !t_orders, !t_orders
      }
      scf.yield %377#0, %377#1, %28#1, %28#2, %28#3, %28#4, %28#5 : !t_orders, !t_orders, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array
    }
    %425 = agg.make %p, %18#0 : (!t_orders, !t_orders) -> !DifferentialPair_orders_
    func.return %425 : !DifferentialPair_orders_
  }
  func.func @"fwd_diff(set)"(%arg0: !DifferentialPair_orders_, %arg1: !t_orders, %arg2: i32, %arg3: i32, %arg4: i32) -> !DifferentialPair_f64_ attributes {differentiable = "both", params = [{name = "x", dir = "in"}, {name = "d", dir = "in", no_diff}, {name = "differential", dir = "in"}, {name = "transposed", dir = "in"}, {name = "at", dir = "in"}]} {
    %0 = agg.extract %arg0[] {path = array<i64: 0>} : (!DifferentialPair_orders_) -> !t_orders
    %1 = agg.extract %arg0[] {path = array<i64: 1>} : (!DifferentialPair_orders_) -> !t_orders
    %2 = agg.zero : !t_orders
    %true = arith.constant true
    %false = arith.constant false
    %c-1_i32 = arith.constant -1 : i32
    %wrt00 = arith.constant 0 : i32
    %c2 = arith.constant 2 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.25 : f64
    %c2_i32 = arith.constant 2 : i32
    %c5_i32 = arith.constant 5 : i32
    %cst_0 = arith.constant 1.7397127693021015 : f64
    %cst_1 = arith.constant 0.5 : f64
    %cst_2 = arith.constant 0.5537200244863067 : f64
    %c3_i32 = arith.constant 3 : i32
    %c0_i64 = arith.constant 0 : i64
    %cst_3 = arith.constant 0.0 : f64
    %c1_i32 = arith.constant 1 : i32
    %cst_4 = arith.constant 0.0 : f64
    %3 = arith.cmpi slt, %arg3, %c5_i32 : i32
    %4, %p_0, %sqrtf, %p_0_d, %p_0_d_0, %p_0_d_d = scf.while (%arg5 = %true, %p_1 = %0, %sqrtf_0 = %arg3, %p_1_d = %arg1, %p_1_d_0 = %1, %p_1_d_d = %2) : (i1, !t_orders, i32, !t_orders, !t_orders, !t_orders) -> (i1, !t_orders, i32, !t_orders, !t_orders, !t_orders) {
      scf.condition(%arg5) %arg5, %p_1, %sqrtf_0, %p_1_d, %p_1_d_0, %p_1_d_d : i1, !t_orders, i32, !t_orders, !t_orders, !t_orders
    } do {
    ^bb0(%arg6: i1, %p_2: !t_orders, %sqrtf_1: i32, %p_2_d: !t_orders, %p_2_d_0: !t_orders, %p_2_d_d: !t_orders):
      %sqrtf_2 = arith.addi %sqrtf_1, %c-1_i32 : i32
      %p_3, %p_3_d, %p_3_d_0, %p_3_d_d = scf.for %arg7 = %c0 to %c2 step %c1 iter_args(%p_4 = %p_2, %p_4_d = %p_2_d, %p_4_d_0 = %p_2_d_0, %p_4_d_d = %p_2_d_d) -> (!t_orders, !t_orders, !t_orders, !t_orders) {
        %5 = agg.extract %p_4[] {path = array<i64: 0>} : (!t_orders) -> f64
        %6 = agg.extract %p_4_d_0[] {path = array<i64: 0>} : (!t_orders) -> f64
        %7 = agg.extract %p_4_d[] {path = array<i64: 0>} : (!t_orders) -> f64
        %8 = agg.extract %p_4_d_d[] {path = array<i64: 0>} : (!t_orders) -> f64
        %9 = vector.broadcast %5 : f64 to vector<2xf64>
        %10 = vector.broadcast %6 : f64 to vector<2xf64>
        %11 = vector.broadcast %7 : f64 to vector<2xf64>
        %12 = vector.broadcast %8 : f64 to vector<2xf64>
        %13 = agg.extract %p_4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %14 = agg.extract %p_4_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %15 = agg.extract %p_4_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %16 = agg.extract %p_4_d_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %17 = vector.broadcast %13 : f64 to vector<2xf64>
        %18 = vector.broadcast %14 : f64 to vector<2xf64>
        %19 = vector.broadcast %15 : f64 to vector<2xf64>
        %20 = vector.broadcast %16 : f64 to vector<2xf64>
        %21 = arith.mulf %9, %17 : vector<2xf64>
        %22 = arith.mulf %10, %17 : vector<2xf64>
        %23 = arith.mulf %18, %9 : vector<2xf64>
        %24 = arith.addf %22, %23 : vector<2xf64>
        %25 = arith.mulf %11, %17 : vector<2xf64>
        %26 = arith.mulf %12, %17 : vector<2xf64>
        %27 = arith.mulf %18, %11 : vector<2xf64>
        %28 = arith.addf %26, %27 : vector<2xf64>
        %29 = arith.mulf %19, %9 : vector<2xf64>
        %30 = arith.mulf %20, %9 : vector<2xf64>
        %31 = arith.mulf %10, %19 : vector<2xf64>
        %32 = arith.addf %30, %31 : vector<2xf64>
        %33 = arith.addf %25, %29 : vector<2xf64>
        %34 = arith.addf %28, %32 : vector<2xf64>
        %35 = vector.reduction <add>, %21 : vector<2xf64> into f64
        %36 = vector.reduction <add>, %24 : vector<2xf64> into f64
        %37 = vector.reduction <add>, %33 : vector<2xf64> into f64
        %38 = vector.reduction <add>, %34 : vector<2xf64> into f64
        %39 = arith.mulf %35, %cst : f64
        %40 = arith.mulf %36, %cst : f64
        %41 = arith.mulf %37, %cst : f64
        %42 = arith.mulf %38, %cst : f64
        %43 = agg.extract %p_4[] {path = array<i64: 1>} : (!t_orders) -> f64
        %44 = agg.extract %p_4_d_0[] {path = array<i64: 1>} : (!t_orders) -> f64
        %45 = agg.extract %p_4_d[] {path = array<i64: 1>} : (!t_orders) -> f64
        %46 = agg.extract %p_4_d_d[] {path = array<i64: 1>} : (!t_orders) -> f64
        %47 = arith.addf %43, %39 : f64
        %48 = arith.addf %44, %40 : f64
        %49 = arith.addf %45, %41 : f64
        %50 = arith.addf %46, %42 : f64
        %p_5 = agg.insert %47, %p_4[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d = agg.insert %48, %p_4_d_0[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d_0 = agg.insert %49, %p_4_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d_d = agg.insert %50, %p_4_d_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        scf.yield %p_5, %p_5_d_0, %p_5_d, %p_5_d_d : !t_orders, !t_orders, !t_orders, !t_orders
      }
      %51 = arith.andi %sqrtf_2, %c2_i32 : i32
      %52 = arith.cmpi ne, %51, %wrt00 : i32
      %53 = arith.select %52, %sqrtf_2, %arg3 : i32
      %54 = arith.cmpi slt, %53, %c5_i32 : i32
      %55 = arith.select %54, %arg3, %sqrtf_2 : i32
      %56 = agg.extract %p_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %57 = agg.extract %p_3_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %58 = agg.extract %p_3_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %59 = agg.extract %p_3_d_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %60 = arith.mulf %56, %cst_1 : f64
      %61 = arith.mulf %57, %cst_1 : f64
      %62 = arith.mulf %58, %cst_1 : f64
      %63 = arith.mulf %59, %cst_1 : f64
      %64 = math.powf %cst_0, %60 : f64
      %65 = arith.mulf %64, %cst_2 : f64
      %66 = arith.mulf %61, %65 : f64
      %67 = arith.mulf %66, %cst_2 : f64
      %68 = arith.mulf %62, %65 : f64
      %69 = arith.mulf %63, %65 : f64
      %70 = arith.mulf %67, %62 : f64
      %71 = arith.addf %69, %70 : f64
      %init, %init_d, %72, %73, %74, %75, %init_d_0, %init_d_d = func.call @jvpp.fwd.gated(%55, %64, %68, %true, %true, %66, %71) : (i32, f64, f64, i1, i1, f64, f64) -> (!t_arith, !t_arith_Differential, i1, i1, i1, i1, !t_arith_Differential, !t_arith_Differential)
      %76 = arith.andi %55, %c3_i32 : i32
      %77 = arith.extsi %76 : i32 to i64
      %78 = arith.maxsi %77, %c0_i64 : i64
      %79 = arith.index_cast %78 : i64 to index
      %init_0, %tex, %init_0_d, %tex_d, %init_0_d_0, %tex_d_0, %init_0_d_d, %tex_d_d, %80, %81 = scf.for %arg8 = %c0 to %79 step %c1 iter_args(%init_1 = %init, %tex_0 = %64, %init_1_d = %init_d, %tex_0_d = %68, %init_1_d_0 = %init_d_0, %tex_0_d_0 = %66, %init_1_d_d = %init_d_d, %tex_0_d_d = %71, %arg9 = %72, %arg10 = %74) -> (!t_arith, f64, !t_arith_Differential, f64, !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1) {
        %get_0 = arith.index_cast %arg8 : index to i32
        %82 = agg.extract %init_1[] {path = array<i64: 0>} : (!t_arith) -> i32
        %83 = arith.index_cast %82 : i32 to index
        %84:6 = scf.index_switch %83 -> f64, f64, f64, f64, i1, i1
        case 1 {
          %wrt0 = agg.extract %init_1[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
          %wrt0_d = agg.extract %init_1_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          %wrt0_d_0 = agg.extract %init_1_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          %wrt0_d_d = agg.extract %init_1_d_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          scf.yield %wrt0, %wrt0_d_0, %wrt0_d, %wrt0_d_d, %arg9, %arg10 : f64, f64, f64, f64, i1, i1
        }
        case 2 {
          scf.yield %cst_3, %cst_3, %cst_3, %cst_3, %false, %false : f64, f64, f64, f64, i1, i1
        }
        default {
          scf.yield %cst_3, %cst_3, %cst_3, %cst_3, %false, %false : f64, f64, f64, f64, i1, i1
        }
        %tex_1 = math.sin %84#0 : f64
        %85 = math.cos %84#0 : f64
        %tex_1_d = arith.mulf %84#2, %85 : f64
        %86 = arith.negf %tex_1 : f64
        %87 = arith.mulf %84#2, %86 : f64
        %tex_1_d_0 = arith.mulf %84#1, %85 : f64
        %88 = arith.mulf %84#3, %85 : f64
        %89 = arith.mulf %87, %84#1 : f64
        %90 = arith.ori %84#5, %84#4 : i1
        %tex_1_d_d = arith.addf %88, %89 : f64
        %91 = arith.andi %get_0, %c1_i32 : i32
        %92 = arith.cmpi eq, %91, %wrt00 : i32
        %init_2, %init_2_d, %init_2_d_0, %init_2_d_d, %93, %94 = scf.if %92 -> (!t_arith, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential, i1, i1) {
          %95 = arith.addi %55, %get_0 : i32
          %init_3, %init_3_d, %96, %97, %98, %99, %init_3_d_0, %init_3_d_d = func.call @jvpp.fwd.gated(%95, %tex_1, %tex_1_d_0, %84#4, %90, %tex_1_d, %tex_1_d_d) : (i32, f64, f64, i1, i1, f64, f64) -> (!t_arith, !t_arith_Differential, i1, i1, i1, i1, !t_arith_Differential, !t_arith_Differential)
          scf.yield %init_3, %init_3_d, %init_3_d_0, %init_3_d_d, %96, %98 : !t_arith, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential, i1, i1
        } else {
          scf.yield %init_1, %init_1_d, %init_1_d_0, %init_1_d_d, %arg9, %arg10 : !t_arith, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential, i1, i1
        }
        scf.yield %init_2, %tex_1, %init_2_d, %tex_1_d_0, %init_2_d_0, %tex_1_d, %init_2_d_d, %tex_1_d_d, %93, %94 : !t_arith, f64, !t_arith_Differential, f64, !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1
      } {ad.snapshots = 3}
      %100 = agg.extract %init_0[] {path = array<i64: 0>} : (!t_arith) -> i32
      %101 = arith.index_cast %100 : i32 to index
      %102:4 = scf.index_switch %101 -> f64, f64, f64, f64
      case 1 {
        %wrt0_0 = agg.extract %init_0[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
        %wrt0_d_1 = agg.extract %init_0_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %wrt0_d_2 = agg.extract %init_0_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %wrt0_d_d_0 = agg.extract %init_0_d_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        scf.yield %wrt0_0, %wrt0_d_2, %wrt0_d_1, %wrt0_d_d_0 : f64, f64, f64, f64
      }
      case 2 {
        scf.yield %cst_4, %cst_4, %cst_4, %cst_4 : f64, f64, f64, f64
      }
      default {
        scf.yield %cst_4, %cst_4, %cst_4, %cst_4 : f64, f64, f64, f64
      }
      %103 = arith.mulf %102#0, %cst_1 : f64
      %104 = arith.mulf %102#2, %cst_1 : f64
      %105 = arith.mulf %102#1, %cst_1 : f64
      %106 = arith.mulf %102#3, %cst_1 : f64
      %107 = arith.addf %tex, %103 : f64
      %108 = arith.addf %tex_d_0, %104 : f64
      %109 = arith.addf %tex_d, %105 : f64
      %110 = arith.addf %tex_d_d, %106 : f64
      %111 = math.sin %107 : f64
      %112 = math.cos %107 : f64
      %113 = arith.mulf %108, %112 : f64
      %114 = arith.negf %111 : f64
      %115 = arith.mulf %108, %114 : f64
      %116 = arith.mulf %109, %112 : f64
      %117 = arith.mulf %110, %112 : f64
      %118 = arith.mulf %115, %109 : f64
      %119 = arith.addf %117, %118 : f64
      %120 = agg.extract %p_3[] {path = array<i64: 0>} : (!t_orders) -> f64
      %121 = agg.extract %p_3_d_0[] {path = array<i64: 0>} : (!t_orders) -> f64
      %122 = agg.extract %p_3_d[] {path = array<i64: 0>} : (!t_orders) -> f64
      %123 = agg.extract %p_3_d_d[] {path = array<i64: 0>} : (!t_orders) -> f64
      %124 = arith.addf %120, %111 : f64
      %125 = arith.addf %121, %113 : f64
      %126 = arith.addf %122, %116 : f64
      %127 = arith.addf %123, %119 : f64
      %p_6 = agg.insert %124, %p_3[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %p_6_d = agg.insert %125, %p_3_d_0[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %p_6_d_0 = agg.insert %126, %p_3_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %p_6_d_d = agg.insert %127, %p_3_d_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %128 = arith.cmpi sgt, %sqrtf_2, %wrt00 : i32
      %129 = arith.select %128, %3, %false : i1
      scf.yield %129, %p_6, %sqrtf_2, %p_6_d_0, %p_6_d, %p_6_d_d : i1, !t_orders, i32, !t_orders, !t_orders, !t_orders
    } attributes {ad.snapshots = 3}
    %130 = agg.extract %p_0_d[] {path = array<i64: 1>} : (!t_orders) -> f64
    %131 = agg.extract %p_0_d_d[] {path = array<i64: 1>} : (!t_orders) -> f64
    %132 = agg.global @data : !agg.buffer<f64, "rw">
    %133 = arith.index_cast %arg4 : i32 to index
    %134 = agg.buffer_load %132, %133[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %135 = arith.mulf %130, %134 : f64
    %136 = arith.mulf %131, %134 : f64
    %137 = agg.make %135, %136 : (f64, f64) -> !DifferentialPair_f64_
    func.return %137 : !DifferentialPair_f64_
  }
  func.func @gradMain() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 1, 1, 1>}} {
    %0 = gpu.global_id x
    %wrt1 = arith.index_castui %0 : index to i32
    %c10_i32 = arith.constant 10 : i32
    %at = arith.muli %wrt1, %c10_i32 : i32
    %c13_i32 = arith.constant 13 : i32
    %to = arith.muli %wrt1, %c13_i32 : i32
    %1 = agg.global @ints : !agg.buffer<i32, "rw">
    %c2_i32 = arith.constant 2 : i32
    %2 = arith.muli %wrt1, %c2_i32 : i32
    %3 = arith.index_cast %2 : i32 to index
    %differential = agg.buffer_load %1, %3[] {path = array<i64>} : (!agg.buffer<i32, "rw">, index) -> i32
    %c1_i32 = arith.constant 1 : i32
    %4 = arith.addi %2, %c1_i32 : i32
    %5 = arith.index_cast %4 : i32 to index
    %transposed = agg.buffer_load %1, %5[] {path = array<i64>} : (!agg.buffer<i32, "rw">, index) -> i32
    %6 = agg.global @data : !agg.buffer<f64, "rw">
    %7 = arith.index_cast %at : i32 to index
    %8 = agg.buffer_load %6, %7[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %9 = arith.addi %at, %c1_i32 : i32
    %10 = arith.index_cast %9 : i32 to index
    %11 = agg.buffer_load %6, %10[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %12 = arith.addi %at, %c2_i32 : i32
    %13 = arith.index_cast %12 : i32 to index
    %14 = agg.buffer_load %6, %13[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %15 = agg.make %14 : (f64) -> !t_jvp
    %x = agg.make %8, %11, %15 : (f64, f64, !t_jvp) -> !t_orders
    %16 = func.call @math(%x, %differential, %transposed) : (!t_orders, i32, i32) -> !t_threadIdx
    %17 = agg.global @result : !agg.buffer<f64, "rw">
    %18 = arith.index_cast %to : i32 to index
    %19 = agg.extract %16[] {path = array<i64: 0>} : (!t_threadIdx) -> f64
    agg.buffer_store %19, %17, %18[] {path = array<i64>} : (f64, !agg.buffer<f64, "rw">, index) -> ()
    %c3_i32 = arith.constant 3 : i32
    %20 = arith.addi %at, %c3_i32 : i32
    %21 = arith.index_cast %20 : i32 to index
    %22 = agg.buffer_load %6, %21[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %c4_i32 = arith.constant 4 : i32
    %23 = arith.addi %at, %c4_i32 : i32
    %24 = arith.index_cast %23 : i32 to index
    %25 = agg.buffer_load %6, %24[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %c5_i32 = arith.constant 5 : i32
    %26 = arith.addi %at, %c5_i32 : i32
    %27 = arith.index_cast %26 : i32 to index
    %28 = agg.buffer_load %6, %27[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %29 = agg.make %28 : (f64) -> !t_jvp
    %d = agg.make %22, %25, %29 : (f64, f64, !t_jvp) -> !t_orders
    %30:2 = func.call @math.fwd(%x, %differential, %transposed, %d) : (!t_orders, i32, i32, !t_orders) -> (!t_threadIdx, !t_threadIdx)
    %31 = arith.addi %to, %c1_i32 : i32
    %32 = arith.index_cast %31 : i32 to index
    %33 = agg.extract %30#0[] {path = array<i64: 0>} : (!t_threadIdx) -> f64
    agg.buffer_store %33, %17, %32[] {path = array<i64>} : (f64, !agg.buffer<f64, "rw">, index) -> ()
    %34 = arith.addi %to, %c2_i32 : i32
    %35 = arith.index_cast %34 : i32 to index
    %36 = agg.extract %30#1[] {path = array<i64: 0>} : (!t_threadIdx) -> f64
    agg.buffer_store %36, %17, %35[] {path = array<i64>} : (f64, !agg.buffer<f64, "rw">, index) -> ()
    %c9_i32 = arith.constant 9 : i32
    %at_0 = arith.addi %at, %c9_i32 : i32
    %37 = arith.index_cast %at_0 : i32 to index
    %38 = agg.buffer_load %6, %37[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %caustic = agg.make %38 : (f64) -> !t_threadIdx
    %39:2 = func.call @math.primal(%x, %differential, %transposed) : (!t_orders, i32, i32) -> (!t_threadIdx, !t_math_primal_Context)
    %40:4 = func.call @math.bwd(%39#1, %caustic) : (!t_math_primal_Context, !t_threadIdx) -> (!t_orders, i1, i1, i1)
    %41 = arith.addi %to, %c3_i32 : i32
    %42 = arith.index_cast %41 : i32 to index
    %43 = agg.extract %40#0[] {path = array<i64: 0>} : (!t_orders) -> f64
    agg.buffer_store %43, %17, %42[] {path = array<i64>} : (f64, !agg.buffer<f64, "rw">, index) -> ()
    %44 = arith.addi %to, %c4_i32 : i32
    %45 = arith.index_cast %44 : i32 to index
    %46 = agg.extract %40#0[] {path = array<i64: 1>} : (!t_orders) -> f64
    agg.buffer_store %46, %17, %45[] {path = array<i64>} : (f64, !agg.buffer<f64, "rw">, index) -> ()
    %47 = arith.addi %to, %c5_i32 : i32
    %48 = arith.index_cast %47 : i32 to index
    %49 = agg.extract %40#0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
    agg.buffer_store %49, %17, %48[] {path = array<i64>} : (f64, !agg.buffer<f64, "rw">, index) -> ()
    %c6_i32 = arith.constant 6 : i32
    %50 = arith.addi %at, %c6_i32 : i32
    %51 = arith.index_cast %50 : i32 to index
    %52 = agg.buffer_load %6, %51[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %c7_i32 = arith.constant 7 : i32
    %53 = arith.addi %at, %c7_i32 : i32
    %54 = arith.index_cast %53 : i32 to index
    %55 = agg.buffer_load %6, %54[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %c8_i32 = arith.constant 8 : i32
    %56 = arith.addi %at, %c8_i32 : i32
    %57 = arith.index_cast %56 : i32 to index
    %58 = agg.buffer_load %6, %57[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %59 = agg.make %58 : (f64) -> !t_jvp
    %d_0 = agg.make %52, %55, %59 : (f64, f64, !t_jvp) -> !t_orders
    %60 = arith.addi %to, %c6_i32 : i32
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %c-1_i32 = arith.constant -1 : i32
    %wrt00 = arith.constant 0 : i32
    %c1 = arith.constant 1 : index
    %61 = arith.cmpi slt, %transposed, %c5_i32 : i32
    %false = arith.constant false
    %62, %sqrtf, %63 = scf.while (%arg0 = %true, %sqrtf_0 = %transposed, %arg1 = %c0) : (i1, i32, index) -> (i1, i32, index) {
      scf.condition(%arg0) %arg0, %sqrtf_0, %arg1 : i1, i32, index
    } do {
    ^bb0(%arg2: i1, %sqrtf_1: i32, %arg3: index):
      %sqrtf_2 = arith.addi %sqrtf_1, %c-1_i32 : i32
      %64 = arith.cmpi sgt, %sqrtf_2, %wrt00 : i32
      %65 = arith.select %64, %61, %false : i1
      %66 = arith.addi %arg3, %c1 : index
      scf.yield %65, %sqrtf_2, %66 : i1, i32, index
    }
    %cst = arith.constant 0.0 : f64
    %67 = agg.zero : !t_jvp
    %68 = agg.make %cst, %38, %67 : (f64, f64, !t_jvp) -> !t_orders
    %c1_0 = arith.constant 1 : index
    %69 = agg.zero : !agg.array<4, index>
    %70 = agg.zero : !t_orders
    %71 = agg.make %x, %70, %70, %70 : (!t_orders, !t_orders, !t_orders, !t_orders) -> !t_array
    %72 = agg.make %d_0, %70, %70, %70 : (!t_orders, !t_orders, !t_orders, !t_orders) -> !t_array
    %wrt00_0 = arith.constant 0 : i32
    %73 = agg.make %transposed, %wrt00_0, %wrt00_0, %wrt00_0 : (i32, i32, i32, i32) -> !agg.array<4, i32>
    %false_0 = arith.constant false
    %c-1 = arith.constant -1 : index
    %74 = arith.addi %63, %c-1 : index
    %c4 = arith.constant 4 : index
    %c2 = arith.constant 2 : index
    %c-1_i32_0 = arith.constant -1 : i32
    %cst_0 = arith.constant 0.25 : f64
    %cst_1 = arith.constant 1.7397127693021015 : f64
    %cst_2 = arith.constant 0.5 : f64
    %cst_3 = arith.constant 0.5537200244863067 : f64
    %c3 = arith.constant 3 : index
    %c-1_i32_1 = arith.constant -1 : i32
    %c2_0 = arith.constant 2 : index
    %cst_4 = arith.constant 0.25 : f64
    %cst_5 = arith.constant 1.7397127693021015 : f64
    %cst_6 = arith.constant 0.5 : f64
    %cst_7 = arith.constant 0.5537200244863067 : f64
    %c0_i64 = arith.constant 0 : i64
    %75 = agg.zero : !t_of00
    %76 = agg.zero : !t_arith
    %77 = agg.zero : !t_arith_Differential
    %c3_0 = arith.constant 3 : index
    %cst_8 = arith.constant 0.25 : f64
    %cst_9 = arith.constant dense<0.0> : vector<2xf64>
    %78:9 = scf.for %arg4 = %c0 to %63 step %c1_0 iter_args(%arg5 = %68, %arg6 = %c0, %arg7 = %69, %arg8 = %71, %arg9 = %73, %arg10 = %70, %arg11 = %72, %arg12 = %false_0, %arg13 = %true) -> (!t_orders, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, !t_array, i1, i1) {
      %79 = arith.subi %74, %arg4 : index
      %80 = agg.extract %arg7[%arg6] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
      %81 = arith.cmpi sgt, %80, %79 : index
      %82 = arith.addi %arg6, %c-1 : index
      %83 = arith.select %81, %82, %arg6 : index
      %84 = agg.extract %arg7[%83] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
      %85 = agg.extract %arg8[%83] {path = array<i64: -1>} : (!t_array, index) -> !t_orders
      %86 = agg.extract %arg11[%83] {path = array<i64: -1>} : (!t_array, index) -> !t_orders
      %87 = arith.cmpi ult, %83, %c4 : index
      %88 = arith.andi %arg13, %87 : i1
      %89 = agg.extract %arg9[%83] {path = array<i64: -1>} : (!agg.array<4, i32>, index) -> i32
      %90 = vector.broadcast %88 : i1 to vector<2xi1>
      %91:12 = scf.while (%arg14 = %84, %arg15 = %83, %arg16 = %arg7, %arg17 = %arg8, %arg18 = %arg9, %arg19 = %85, %arg20 = %89, %arg21 = %arg11, %arg22 = %86, %arg23 = %arg13, %arg24 = %88, %arg25 = %88) : (index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, i32, !t_array, !t_orders, i1, i1, i1) -> (index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, i32, !t_array, !t_orders, i1, i1, i1) {
        %92 = arith.cmpi slt, %arg14, %79 : index
        scf.condition(%92) %arg14, %arg15, %arg16, %arg17, %arg18, %arg19, %arg20, %arg21, %arg22, %arg23, %arg24, %arg25 : index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, i32, !t_array, !t_orders, i1, i1, i1
      } do {
      ^bb0(%arg26: index, %arg27: index, %arg28: !agg.array<4, index>, %arg29: !t_array, %arg30: !agg.array<4, i32>, %arg31: !t_orders, %arg32: i32, %arg33: !t_array, %arg34: !t_orders, %arg35: i1, %arg36: i1, %arg37: i1):
        %93 = arith.subi %c2, %arg27 : index
        %94 = arith.cmpi sgt, %93, %c0 : index
        %95 = arith.subi %79, %arg26 : index
        %96 = arith.addi %95, %c1_0 : index
        %97 = arith.maxui %93, %c1_0 : index
        %98 = arith.addi %97, %c1_0 : index
        %99:2 = scf.while (%arg38 = %c1_0, %arg39 = %c0) : (index, index) -> (index, index) {
          %100 = arith.cmpi slt, %arg38, %96 : index
          scf.condition(%100) %arg38, %arg39 : index, index
        } do {
        ^bb0(%arg40: index, %arg41: index):
          %101 = arith.addi %arg41, %c1_0 : index
          %102 = arith.addi %98, %101 : index
          %103 = arith.muli %arg40, %102 : index
          %104 = arith.divui %103, %101 : index
          scf.yield %104, %101 : index, index
        }
        %105 = arith.muli %99#0, %98 : index
        %106 = arith.addi %98, %99#1 : index
        %107 = arith.divui %105, %106 : index
        %108 = arith.muli %99#0, %99#1 : index
        %109 = arith.divui %108, %106 : index
        %110 = arith.addi %99#1, %c-1 : index
        %111 = arith.muli %109, %110 : index
        %112 = arith.addi %106, %c-1 : index
        %113 = arith.divui %111, %112 : index
        %114 = arith.maxui %113, %c1_0 : index
        %115 = arith.subi %96, %114 : index
        %116 = arith.minui %107, %115 : index
        %117 = arith.maxui %116, %c1_0 : index
        %118 = arith.subi %96, %117 : index
        %119 = arith.select %94, %118, %95 : index
        %120:5 = scf.for %arg42 = %c0 to %119 step %c1_0 iter_args(%arg43 = %arg31, %arg44 = %arg32, %arg45 = %arg34, %arg46 = %arg36, %arg47 = %arg37) -> (!t_orders, i32, !t_orders, i1, i1) {
          %sqrtf_2_0 = arith.addi %arg44, %c-1_i32_0 : i32
          %121 = vector.broadcast %arg46 : i1 to vector<2xi1>
          %122 = arith.ori %121, %90 : vector<2xi1>
          %123 = vector.reduction <or>, %122 : vector<2xi1> into i1
          %p_3, %p_3_d, %124 = scf.for %arg48 = %c0 to %c2 step %c1_0 iter_args(%p_4 = %arg43, %p_4_d = %arg45, %arg49 = %arg47) -> (!t_orders, !t_orders, i1) {
            %125 = agg.extract %p_4[] {path = array<i64: 0>} : (!t_orders) -> f64
            %126 = agg.extract %p_4_d[] {path = array<i64: 0>} : (!t_orders) -> f64
            %127 = vector.broadcast %125 : f64 to vector<2xf64>
            %128 = vector.broadcast %126 : f64 to vector<2xf64>
            %129 = agg.extract %p_4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %130 = agg.extract %p_4_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %131 = vector.broadcast %129 : f64 to vector<2xf64>
            %132 = vector.broadcast %130 : f64 to vector<2xf64>
            %133 = arith.mulf %127, %131 : vector<2xf64>
            %134 = arith.mulf %128, %131 : vector<2xf64>
            %135 = arith.mulf %132, %127 : vector<2xf64>
            %136 = arith.addf %134, %135 : vector<2xf64>
            %137 = vector.reduction <add>, %133 : vector<2xf64> into f64
            %138 = vector.reduction <add>, %136 : vector<2xf64> into f64
            %139 = arith.mulf %137, %cst_0 : f64
            %140 = arith.mulf %138, %cst_0 : f64
            %141 = agg.extract %p_4[] {path = array<i64: 1>} : (!t_orders) -> f64
            %142 = agg.extract %p_4_d[] {path = array<i64: 1>} : (!t_orders) -> f64
            %143 = arith.addf %141, %139 : f64
            %144 = arith.ori %arg49, %123 : i1
            %145 = arith.addf %142, %140 : f64
            %p_5 = agg.insert %143, %p_4[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
            %p_5_d = agg.insert %145, %p_4_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
            scf.yield %p_5, %p_5_d, %144 : !t_orders, !t_orders, i1
          }
          %146 = arith.andi %sqrtf_2_0, %c2_i32 : i32
          %147 = arith.cmpi ne, %146, %wrt00_0 : i32
          %148 = arith.select %147, %sqrtf_2_0, %transposed : i32
          %149 = arith.cmpi slt, %148, %c5_i32 : i32
          %150 = arith.select %149, %transposed, %sqrtf_2_0 : i32
          %151 = agg.extract %p_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
          %152 = agg.extract %p_3_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
          %153 = arith.mulf %151, %cst_2 : f64
          %154 = arith.mulf %152, %cst_2 : f64
          %155 = math.powf %cst_1, %153 : f64
          %156 = arith.mulf %155, %cst_3 : f64
          %157 = arith.mulf %154, %156 : f64
          %158 = arith.select %88, %157, %cst : f64
          %159:3 = func.call @wrt10.gated(%150, %155, %88, %158) : (i32, f64, i1, f64) -> (f64, i1, f64)
          %160 = math.sin %159#0 : f64
          %161 = math.cos %159#0 : f64
          %162 = arith.mulf %159#2, %161 : f64
          %163 = agg.extract %p_3[] {path = array<i64: 0>} : (!t_orders) -> f64
          %164 = agg.extract %p_3_d[] {path = array<i64: 0>} : (!t_orders) -> f64
          %165 = arith.addf %163, %160 : f64
          %166 = arith.ori %arg46, %159#1 : i1
          %167 = arith.addf %164, %162 : f64
          %p_6 = agg.insert %165, %p_3[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
          %p_6_d = agg.insert %167, %p_3_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
          scf.yield %p_6, %sqrtf_2_0, %p_6_d, %166, %124 : !t_orders, i32, !t_orders, i1, i1
        }
        %168 = arith.addi %arg26, %119 : index
        %169 = arith.addi %arg27, %c1_0 : index
        %170 = arith.select %94, %169, %c3 : index
        %171 = arith.select %94, %169, %arg27 : index
        %172 = agg.insert %168, %arg28[%170] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
        %173 = agg.insert %120#0, %arg29[%170] {path = array<i64: -1>} : (!t_orders, !t_array, index) -> !t_array
        %174 = agg.insert %120#2, %arg33[%170] {path = array<i64: -1>} : (!t_orders, !t_array, index) -> !t_array
        %175 = arith.ori %120#3, %120#4 : i1
        %176 = arith.ori %175, %88 : i1
        %177 = arith.ori %arg35, %176 : i1
        %178 = agg.insert %120#1, %arg30[%170] {path = array<i64: -1>} : (i32, !agg.array<4, i32>, index) -> !agg.array<4, i32>
        scf.yield %168, %171, %172, %173, %178, %120#0, %120#1, %174, %120#2, %177, %120#3, %120#4 : index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, i32, !t_array, !t_orders, i1, i1, i1
      }
      %sqrtf_2_1 = arith.addi %91#6, %c-1_i32_1 : i32
      %179 = agg.zero {unread} : !agg.array<2, f64>
      %180 = agg.zero : !agg.array<2, f64>
      %p_3_0, %181, %182, %p_3_d_0, %183, %184, %185, %186 = scf.for %arg50 = %c0 to %c2_0 step %c1_0 iter_args(%p_4_0 = %91#5, %arg51 = %179, %arg52 = %179, %p_4_d_0 = %91#8, %arg53 = %180, %arg54 = %180, %arg55 = %false_0, %arg56 = %false_0) -> (!t_orders, !agg.array<2, f64>, !agg.array<2, f64>, !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, i1, i1) {
        %187 = agg.extract %p_4_0[] {path = array<i64: 0>} : (!t_orders) -> f64
        %188 = agg.extract %p_4_d_0[] {path = array<i64: 0>} : (!t_orders) -> f64
        %189 = vector.broadcast %187 : f64 to vector<2xf64>
        %190 = vector.broadcast %188 : f64 to vector<2xf64>
        %191 = agg.extract %p_4_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %192 = agg.extract %p_4_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %193 = vector.broadcast %191 : f64 to vector<2xf64>
        %194 = vector.broadcast %192 : f64 to vector<2xf64>
        %195 = arith.mulf %189, %193 : vector<2xf64>
        %196 = arith.mulf %190, %193 : vector<2xf64>
        %197 = arith.mulf %194, %189 : vector<2xf64>
        %198 = arith.addf %196, %197 : vector<2xf64>
        %199 = vector.reduction <add>, %195 : vector<2xf64> into f64
        %200 = vector.reduction <add>, %198 : vector<2xf64> into f64
        %201 = arith.mulf %199, %cst_4 : f64
        %202 = arith.mulf %200, %cst_4 : f64
        %203 = agg.extract %p_4_0[] {path = array<i64: 1>} : (!t_orders) -> f64
        %204 = agg.extract %p_4_d_0[] {path = array<i64: 1>} : (!t_orders) -> f64
        %205 = arith.addf %203, %201 : f64
        %206 = arith.addf %204, %202 : f64
        %p_5_0 = agg.insert %205, %p_4_0[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d_0 = agg.insert %206, %p_4_d_0[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %207 = agg.insert %187, %arg51[%arg50] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %208 = agg.insert %188, %arg53[%arg50] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %209 = arith.ori %arg55, %91#10 : i1
        %210 = agg.insert %191, %arg52[%arg50] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %211 = agg.insert %192, %arg54[%arg50] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %212 = arith.ori %arg56, %88 : i1
        scf.yield %p_5_0, %207, %210, %p_5_d_0, %208, %211, %209, %212 : !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, i1, i1
      }
      %213 = arith.andi %sqrtf_2_1, %c2_i32 : i32
      %214 = arith.cmpi ne, %213, %wrt00_0 : i32
      %215 = arith.select %214, %sqrtf_2_1, %transposed : i32
      %216 = arith.cmpi slt, %215, %c5_i32 : i32
      %cosf = arith.select %216, %transposed, %sqrtf_2_1 : i32
      %217 = agg.extract %p_3_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %218 = agg.extract %p_3_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %219 = arith.mulf %217, %cst_6 : f64
      %220 = arith.mulf %218, %cst_6 : f64
      %x_0 = math.powf %cst_5, %219 : f64
      %221 = arith.mulf %x_0, %cst_7 : f64
      %222 = arith.mulf %220, %221 : f64
      %x_d = arith.select %88, %222, %cst : f64
      %223 = arith.mulf %x_d, %cst_7 : f64
      %224 = arith.andi %cosf, %c3_i32 : i32
      %225 = arith.cmpi eq, %224, %wrt00_0 : i32
      %226 = arith.select %225, %88, %false_0 : i1
      %result, %result_d = scf.if %225 -> (!t_arith, !t_arith_Differential) {
        %227 = arith.mulf %x_0, %cst_6 : f64
        %228 = arith.mulf %x_d, %cst_6 : f64
        %init = agg.make %227 : (f64) -> !t_super
        %init_d = agg.make %228 : (f64) -> !t_super
        %229 = agg.zero : !t_of00
        %result_0 = agg.make %c1_i32, %init, %229 : (i32, !t_super, !t_of00) -> !t_arith
        %result_0_d = agg.make %init_d, %229 : (!t_super, !t_of00) -> !t_arith_Differential
        scf.yield %result_0, %result_0_d : !t_arith, !t_arith_Differential
      } else {
        %cst_10 = arith.constant 1.5 : f64
        %230 = arith.mulf %x_0, %cst_10 : f64
        %231 = arith.mulf %x_d, %cst_10 : f64
        %init_0 = agg.make %230 : (f64) -> !t_of00
        %init_0_d = agg.make %231 : (f64) -> !t_of00
        %232 = agg.zero : !t_super
        %result_1 = agg.make %c2_i32, %232, %init_0 : (i32, !t_super, !t_of00) -> !t_arith
        %result_1_d = agg.make %232, %init_0_d : (!t_super, !t_of00) -> !t_arith_Differential
        scf.yield %result_1, %result_1_d : !t_arith, !t_arith_Differential
      }
      %233 = arith.extsi %224 : i32 to i64
      %234 = arith.maxsi %233, %c0_i64 : i64
      %235 = arith.index_cast %234 : i64 to index
      %init_0_0, %tex, %init_0_d_0, %tex_d, %236, %237 = scf.for %arg57 = %c0 to %235 step %c1_0 iter_args(%init_1 = %result, %tex_0 = %x_0, %init_1_d = %result_d, %tex_0_d = %x_d, %arg58 = %226, %arg59 = %88) -> (!t_arith, f64, !t_arith_Differential, f64, i1, i1) {
        %get_0 = arith.index_cast %arg57 : index to i32
        %238 = agg.extract %init_1[] {path = array<i64: 0>} : (!t_arith) -> i32
        %239 = arith.index_cast %238 : i32 to index
        %240:3 = scf.index_switch %239 -> f64, f64, i1
        case 1 {
          %wrt0 = agg.extract %init_1[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
          %wrt0_d = agg.extract %init_1_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          scf.yield %wrt0, %wrt0_d, %arg58 : f64, f64, i1
        }
        case 2 {
          scf.yield %cst, %cst, %false_0 : f64, f64, i1
        }
        default {
          scf.yield %cst, %cst, %false_0 : f64, f64, i1
        }
        %tex_1 = math.sin %240#0 : f64
        %241 = math.cos %240#0 : f64
        %tex_1_d = arith.mulf %240#1, %241 : f64
        %242 = arith.andi %get_0, %c1_i32 : i32
        %243 = arith.cmpi eq, %242, %wrt00_0 : i32
        %init_2, %init_2_d, %244 = scf.if %243 -> (!t_arith, !t_arith_Differential, i1) {
          %245 = arith.addi %cosf, %get_0 : i32
          %246 = arith.andi %245, %c3_i32 : i32
          %247 = arith.cmpi eq, %246, %wrt00_0 : i32
          %248 = arith.select %247, %240#2, %false_0 : i1
          %result_2, %result_d_0 = scf.if %247 -> (!t_arith, !t_arith_Differential) {
            %249 = arith.mulf %tex_1, %cst_6 : f64
            %250 = arith.mulf %tex_1_d, %cst_6 : f64
            %init_3 = agg.make %249 : (f64) -> !t_super
            %init_d_0 = agg.make %250 : (f64) -> !t_super
            %251 = agg.zero : !t_of00
            %result_0_0 = agg.make %c1_i32, %init_3, %251 : (i32, !t_super, !t_of00) -> !t_arith
            %result_0_d_0 = agg.make %init_d_0, %251 : (!t_super, !t_of00) -> !t_arith_Differential
            scf.yield %result_0_0, %result_0_d_0 : !t_arith, !t_arith_Differential
          } else {
            %cst_11 = arith.constant 1.5 : f64
            %252 = arith.mulf %tex_1, %cst_11 : f64
            %253 = arith.mulf %tex_1_d, %cst_11 : f64
            %init_0_1 = agg.make %252 : (f64) -> !t_of00
            %init_0_d_1 = agg.make %253 : (f64) -> !t_of00
            %254 = agg.zero : !t_super
            %result_1_0 = agg.make %c2_i32, %254, %init_0_1 : (i32, !t_super, !t_of00) -> !t_arith
            %result_1_d_0 = agg.make %254, %init_0_d_1 : (!t_super, !t_of00) -> !t_arith_Differential
            scf.yield %result_1_0, %result_1_d_0 : !t_arith, !t_arith_Differential
          }
          scf.yield %result_2, %result_d_0, %248 : !t_arith, !t_arith_Differential, i1
        } else {
          scf.yield %init_1, %init_1_d, %arg58 : !t_arith, !t_arith_Differential, i1
        }
        scf.yield %init_2, %tex_1, %init_2_d, %tex_1_d, %244, %240#2 : !t_arith, f64, !t_arith_Differential, f64, i1, i1
      }
      %255 = agg.extract %init_0_0[] {path = array<i64: 0>} : (!t_arith) -> i32
      %256 = arith.index_cast %255 : i32 to index
      %257:3 = scf.index_switch %256 -> f64, f64, i1
      case 1 {
        %wrt0_0 = agg.extract %init_0_0[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
        %wrt0_d_0 = agg.extract %init_0_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        scf.yield %wrt0_0, %wrt0_d_0, %236 : f64, f64, i1
      }
      case 2 {
        scf.yield %cst, %cst, %false_0 : f64, f64, i1
      }
      default {
        scf.yield %cst, %cst, %false_0 : f64, f64, i1
      }
      %258 = arith.mulf %257#0, %cst_6 : f64
      %259 = arith.mulf %257#1, %cst_6 : f64
      %260 = arith.addf %tex, %258 : f64
      %261 = arith.ori %237, %257#2 : i1
      %262 = arith.addf %tex_d, %259 : f64
      %263 = math.cos %260 : f64
      %264 = math.sin %260 : f64
      %265 = arith.negf %264 : f64
      %266 = arith.mulf %262, %265 : f64
      %267 = agg.extract %arg5[] {path = array<i64: 0>} : (!t_orders) -> f64
      %268 = agg.extract %arg10[] {path = array<i64: 0>} : (!t_orders) -> f64
      %269 = strong.gated_mulf %267, %263 : f64
      %270 = strong.gated_mulf %268, %263 : f64
      %271 = arith.select %arg12, %270, %cst : f64
      %272 = strong.gated_mulf %267, %266 : f64
      %273 = arith.select %261, %272, %cst : f64
      %274 = arith.ori %arg12, %261 : i1
      %275 = arith.addf %271, %273 : f64
      %276 = arith.mulf %269, %cst_6 : f64
      %277 = arith.mulf %275, %cst_6 : f64
      %278:3 = scf.index_switch %256 -> !t_super, !t_super, i1
      case 1 {
        %280 = agg.make %276 : (f64) -> !t_super
        %281 = agg.make %277 : (f64) -> !t_super
        scf.yield %280, %281, %274 : !t_super, !t_super, i1
      }
      case 2 {
        %282 = agg.zero : !t_super
        scf.yield %282, %282, %false_0 : !t_super, !t_super, i1
      }
      default {
        %279 = agg.zero : !t_super
        scf.yield %279, %279, %false_0 : !t_super, !t_super, i1
      }
      %283 = agg.make %278#0, %75 : (!t_super, !t_of00) -> !t_arith_Differential
      %284 = agg.make %278#1, %75 : (!t_super, !t_of00) -> !t_arith_Differential
      %285 = arith.addf %269, %cst : f64
      %286 = agg.make %result, %76, %76, %76 : (!t_arith, !t_arith, !t_arith, !t_arith) -> !agg.array<4, !t_arith>
      %287 = agg.make %result_d, %77, %77, %77 : (!t_arith_Differential, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential) -> !t_array_0
      %288 = arith.addi %235, %c-1 : index
      %289:12 = scf.for %arg60 = %c0 to %235 step %c1_0 iter_args(%arg61 = %283, %arg62 = %285, %arg63 = %c0, %arg64 = %69, %arg65 = %286, %arg66 = %284, %arg67 = %275, %arg68 = %287, %arg69 = %278#2, %arg70 = %false_0, %arg71 = %274, %arg72 = %true) -> (!t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith_Differential, f64, !t_array_0, i1, i1, i1, i1) {
        %290 = arith.subi %288, %arg60 : index
        %291 = agg.extract %arg64[%arg63] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
        %292 = arith.cmpi sgt, %291, %290 : index
        %293 = arith.addi %arg63, %c-1 : index
        %294 = arith.select %292, %293, %arg63 : index
        %295 = agg.extract %arg64[%294] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
        %296 = agg.extract %arg65[%294] {path = array<i64: -1>} : (!agg.array<4, !t_arith>, index) -> !t_arith
        %297 = agg.extract %arg68[%294] {path = array<i64: -1>} : (!t_array_0, index) -> !t_arith_Differential
        %298 = arith.cmpi ult, %294, %c4 : index
        %299 = arith.andi %arg72, %298 : i1
        %300:10 = scf.while (%arg73 = %295, %arg74 = %294, %arg75 = %arg64, %arg76 = %arg65, %arg77 = %296, %arg78 = %arg68, %arg79 = %297, %arg80 = %arg72, %arg81 = %299, %arg82 = %299) : (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith, !t_array_0, !t_arith_Differential, i1, i1, i1) -> (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith, !t_array_0, !t_arith_Differential, i1, i1, i1) {
          %301 = arith.cmpi slt, %arg73, %290 : index
          scf.condition(%301) %arg73, %arg74, %arg75, %arg76, %arg77, %arg78, %arg79, %arg80, %arg81, %arg82 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith, !t_array_0, !t_arith_Differential, i1, i1, i1
        } do {
        ^bb0(%arg83: index, %arg84: index, %arg85: !agg.array<4, index>, %arg86: !agg.array<4, !t_arith>, %arg87: !t_arith, %arg88: !t_array_0, %arg89: !t_arith_Differential, %arg90: i1, %arg91: i1, %arg92: i1):
          %302 = arith.subi %c2_0, %arg84 : index
          %303 = arith.cmpi sgt, %302, %c0 : index
          %304 = arith.subi %290, %arg83 : index
          %305 = arith.addi %304, %c1_0 : index
          %306 = arith.maxui %302, %c1_0 : index
          %307 = arith.addi %306, %c1_0 : index
          %308:2 = scf.while (%arg93 = %c1_0, %arg94 = %c0) : (index, index) -> (index, index) {
            %309 = arith.cmpi slt, %arg93, %305 : index
            scf.condition(%309) %arg93, %arg94 : index, index
          } do {
          ^bb0(%arg95: index, %arg96: index):
            %310 = arith.addi %arg96, %c1_0 : index
            %311 = arith.addi %307, %310 : index
            %312 = arith.muli %arg95, %311 : index
            %313 = arith.divui %312, %310 : index
            scf.yield %313, %310 : index, index
          }
          %314 = arith.muli %308#0, %307 : index
          %315 = arith.addi %307, %308#1 : index
          %316 = arith.divui %314, %315 : index
          %317 = arith.muli %308#0, %308#1 : index
          %318 = arith.divui %317, %315 : index
          %319 = arith.addi %308#1, %c-1 : index
          %320 = arith.muli %318, %319 : index
          %321 = arith.addi %315, %c-1 : index
          %322 = arith.divui %320, %321 : index
          %323 = arith.maxui %322, %c1_0 : index
          %324 = arith.subi %305, %323 : index
          %325 = arith.minui %316, %324 : index
          %326 = arith.maxui %325, %c1_0 : index
          %327 = arith.subi %305, %326 : index
          %328 = arith.select %303, %327, %304 : index
          %329:4 = scf.for %arg97 = %c0 to %328 step %c1_0 iter_args(%arg98 = %arg87, %arg99 = %arg89, %arg100 = %arg91, %arg101 = %arg92) -> (!t_arith, !t_arith_Differential, i1, i1) {
            %330 = arith.addi %arg83, %arg97 : index
            %get_0_0 = arith.index_cast %330 : index to i32
            %331 = agg.extract %arg98[] {path = array<i64: 0>} : (!t_arith) -> i32
            %332 = arith.index_cast %331 : i32 to index
            %333:3 = scf.index_switch %332 -> f64, f64, i1
            case 1 {
              %wrt0_1 = agg.extract %arg98[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
              %wrt0_d_1 = agg.extract %arg99[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
              scf.yield %wrt0_1, %wrt0_d_1, %arg100 : f64, f64, i1
            }
            case 2 {
              scf.yield %cst, %cst, %false_0 : f64, f64, i1
            }
            default {
              scf.yield %cst, %cst, %false_0 : f64, f64, i1
            }
            %tex_1_0 = math.sin %333#0 : f64
            %334 = math.cos %333#0 : f64
            %tex_1_d_0 = arith.mulf %333#1, %334 : f64
            %335 = arith.andi %get_0_0, %c1_i32 : i32
            %336 = arith.cmpi eq, %335, %wrt00_0 : i32
            %init_2_0, %init_2_d_0, %337, %338 = scf.if %336 -> (!t_arith, !t_arith_Differential, i1, i1) {
              %339 = arith.addi %cosf, %get_0_0 : i32
              %340 = arith.andi %339, %c3_i32 : i32
              %341 = arith.cmpi eq, %340, %wrt00_0 : i32
              %342 = arith.select %341, %333#2, %false_0 : i1
              %343 = arith.select %341, %false_0, %333#2 : i1
              %result_3, %result_d_1 = scf.if %341 -> (!t_arith, !t_arith_Differential) {
                %344 = arith.mulf %tex_1_0, %cst_6 : f64
                %345 = arith.mulf %tex_1_d_0, %cst_6 : f64
                %init_4 = agg.make %344 : (f64) -> !t_super
                %init_d_1 = agg.make %345 : (f64) -> !t_super
                %result_0_1 = agg.make %c1_i32, %init_4, %75 : (i32, !t_super, !t_of00) -> !t_arith
                %result_0_d_1 = agg.make %init_d_1, %75 : (!t_super, !t_of00) -> !t_arith_Differential
                scf.yield %result_0_1, %result_0_d_1 : !t_arith, !t_arith_Differential
              } else {
                %cst_12 = arith.constant 1.5 : f64
                %346 = arith.mulf %tex_1_0, %cst_12 : f64
                %347 = arith.mulf %tex_1_d_0, %cst_12 : f64
                %init_0_2 = agg.make %346 : (f64) -> !t_of00
                %init_0_d_2 = agg.make %347 : (f64) -> !t_of00
                %348 = agg.zero : !t_super
                %result_1_1 = agg.make %c2_i32, %348, %init_0_2 : (i32, !t_super, !t_of00) -> !t_arith
                %result_1_d_1 = agg.make %348, %init_0_d_2 : (!t_super, !t_of00) -> !t_arith_Differential
                scf.yield %result_1_1, %result_1_d_1 : !t_arith, !t_arith_Differential
              }
              scf.yield %result_3, %result_d_1, %342, %343 : !t_arith, !t_arith_Differential, i1, i1
            } else {
              scf.yield %arg98, %arg99, %arg100, %arg101 : !t_arith, !t_arith_Differential, i1, i1
            }
            scf.yield %init_2_0, %init_2_d_0, %337, %338 : !t_arith, !t_arith_Differential, i1, i1
          }
          %349 = arith.addi %arg83, %328 : index
          %350 = arith.addi %arg84, %c1_0 : index
          %351 = arith.select %303, %350, %c3_0 : index
          %352 = arith.select %303, %350, %arg84 : index
          %353 = agg.insert %349, %arg85[%351] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
          %354 = agg.insert %329#0, %arg86[%351] {path = array<i64: -1>} : (!t_arith, !agg.array<4, !t_arith>, index) -> !agg.array<4, !t_arith>
          %355 = agg.insert %329#1, %arg88[%351] {path = array<i64: -1>} : (!t_arith_Differential, !t_array_0, index) -> !t_array_0
          %356 = arith.ori %329#2, %329#3 : i1
          %357 = arith.ori %arg90, %356 : i1
          scf.yield %349, %352, %353, %354, %329#0, %355, %329#1, %357, %329#2, %329#3 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith, !t_array_0, !t_arith_Differential, i1, i1, i1
        }
        %get_0_1 = arith.index_cast %290 : index to i32
        %358 = agg.extract %300#4[] {path = array<i64: 0>} : (!t_arith) -> i32
        %359 = arith.index_cast %358 : i32 to index
        %360:3 = scf.index_switch %359 -> f64, f64, i1
        case 1 {
          %wrt0_2 = agg.extract %300#4[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
          %wrt0_d_2 = agg.extract %300#6[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          scf.yield %wrt0_2, %wrt0_d_2, %300#8 : f64, f64, i1
        }
        case 2 {
          scf.yield %cst, %cst, %false_0 : f64, f64, i1
        }
        default {
          scf.yield %cst, %cst, %false_0 : f64, f64, i1
        }
        %tex_1_1 = math.sin %360#0 : f64
        %361 = math.cos %360#0 : f64
        %362 = arith.negf %tex_1_1 : f64
        %363 = arith.mulf %360#1, %362 : f64
        %364 = arith.andi %get_0_1, %c1_i32 : i32
        %365 = arith.cmpi eq, %364, %wrt00_0 : i32
        %366 = scf.if %365 -> (!t_jvpp_primal_Context) {
          %367 = arith.addi %cosf, %get_0_1 : i32
          %368 = arith.andi %367, %c3_i32 : i32
          %369 = arith.cmpi eq, %368, %wrt00_0 : i32
          %370 = agg.make %369 : (i1) -> !t_jvpp_primal_Context
          scf.yield %370 : !t_jvpp_primal_Context
        } else {
          %371 = agg.zero : !t_jvpp_primal_Context
          scf.yield %371 : !t_jvpp_primal_Context
        }
        %372 = scf.if %365 -> (!t_arith_Differential) {
          scf.yield %77 : !t_arith_Differential
        } else {
          scf.yield %arg66 : !t_arith_Differential
        }
        %373 = arith.select %365, %false_0, %arg69 : i1
        %374 = arith.select %365, %false_0, %arg70 : i1
        %375 = scf.if %365 -> (!t_arith_Differential) {
          scf.yield %77 : !t_arith_Differential
        } else {
          scf.yield %arg61 : !t_arith_Differential
        }
        %376:3 = scf.if %365 -> (f64, f64, i1) {
          %377 = agg.extract %366[] {path = array<i64: 0>} : (!t_jvpp_primal_Context) -> i1
          %378 = arith.select %377, %arg69, %arg70 : i1
          %379:2 = scf.if %377 -> (f64, f64) {
            %380 = agg.extract %arg61[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
            %381 = agg.extract %arg66[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
            %382 = arith.mulf %380, %cst_6 : f64
            %383 = arith.mulf %381, %cst_6 : f64
            scf.yield %382, %383 : f64, f64
          } else {
            %cst_13 = arith.constant 1.5 : f64
            %384 = agg.extract %arg61[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
            %385 = agg.extract %arg66[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
            %386 = arith.mulf %384, %cst_13 : f64
            %387 = arith.mulf %385, %cst_13 : f64
            scf.yield %386, %387 : f64, f64
          }
          %388 = arith.addf %arg62, %379#0 : f64
          %389 = arith.ori %arg71, %378 : i1
          %390 = arith.addf %arg67, %379#1 : f64
          scf.yield %388, %390, %389 : f64, f64, i1
        } else {
          scf.yield %arg62, %arg67, %arg71 : f64, f64, i1
        }
        %391 = strong.gated_mulf %376#0, %361 : f64
        %392 = strong.gated_mulf %376#1, %361 : f64
        %393 = arith.select %376#2, %392, %cst : f64
        %394 = strong.gated_mulf %376#0, %363 : f64
        %395 = arith.select %360#2, %394, %cst : f64
        %396 = arith.ori %376#2, %360#2 : i1
        %397 = arith.addf %393, %395 : f64
        %398:3 = scf.index_switch %359 -> !t_super, !t_super, i1
        case 1 {
          %400 = agg.make %391 : (f64) -> !t_super
          %401 = agg.make %397 : (f64) -> !t_super
          scf.yield %400, %401, %396 : !t_super, !t_super, i1
        }
        case 2 {
          %402 = agg.zero : !t_super
          scf.yield %402, %402, %false_0 : !t_super, !t_super, i1
        }
        default {
          %399 = agg.zero : !t_super
          scf.yield %399, %399, %false_0 : !t_super, !t_super, i1
        }
        %403 = agg.extract %375[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %404 = agg.extract %372[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %405 = agg.extract %398#0[] {path = array<i64: 0>} : (!t_super) -> f64
        %406 = agg.extract %398#1[] {path = array<i64: 0>} : (!t_super) -> f64
        %407 = arith.addf %403, %405 : f64
        %408 = arith.ori %373, %398#2 : i1
        %409 = arith.addf %404, %406 : f64
        %410 = agg.make %407 : (f64) -> !t_super
        %411 = agg.make %409 : (f64) -> !t_super
        %412 = agg.extract %375[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
        %413 = agg.extract %372[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
        %414 = arith.addf %412, %cst : f64
        %415 = arith.addf %413, %cst : f64
        %416 = agg.make %414 : (f64) -> !t_of00
        %417 = agg.make %415 : (f64) -> !t_of00
        %418 = agg.make %410, %416 : (!t_super, !t_of00) -> !t_arith_Differential
        %419 = agg.make %411, %417 : (!t_super, !t_of00) -> !t_arith_Differential
        scf.yield %418, %cst, %300#1, %300#2, %300#3, %419, %cst, %300#5, %408, %374, %false_0, %300#7 : !t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith_Differential, f64, !t_array_0, i1, i1, i1, i1
      }
      %420 = arith.select %225, %289#8, %289#9 : i1
      %421:2 = scf.if %225 -> (f64, f64) {
        %422 = agg.extract %289#0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %423 = agg.extract %289#5[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %424 = arith.mulf %422, %cst_6 : f64
        %425 = arith.mulf %423, %cst_6 : f64
        scf.yield %424, %425 : f64, f64
      } else {
        %cst_14 = arith.constant 1.5 : f64
        %426 = agg.extract %289#0[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
        %427 = agg.extract %289#5[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
        %428 = arith.mulf %426, %cst_14 : f64
        %429 = arith.mulf %427, %cst_14 : f64
        scf.yield %428, %429 : f64, f64
      }
      %430 = arith.addf %289#1, %421#0 : f64
      %431 = arith.ori %289#10, %420 : i1
      %432 = arith.addf %289#6, %421#1 : f64
      %433 = strong.gated_mulf %430, %221 : f64
      %434 = strong.gated_mulf %432, %221 : f64
      %435 = arith.select %431, %434, %cst : f64
      %436 = strong.gated_mulf %430, %223 : f64
      %437 = arith.select %88, %436, %cst : f64
      %438 = arith.addf %435, %437 : f64
      %439 = arith.mulf %433, %cst_6 : f64
      %440 = arith.mulf %438, %cst_6 : f64
      %441 = agg.extract %arg5[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %442 = agg.extract %arg10[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %443 = arith.addf %441, %439 : f64
      %444 = arith.addf %442, %440 : f64
      %445 = agg.insert %443, %arg5[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
      %446 = agg.insert %444, %arg10[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
      %447 = vector.broadcast %185 : i1 to vector<2xi1>
      %448 = vector.broadcast %186 : i1 to vector<2xi1>
      %449 = vector.reduction <or>, %448 : vector<2xi1> into i1
      %450:3 = scf.for %arg102 = %c0 to %c2_0 step %c1_0 iter_args(%arg103 = %445, %arg104 = %446, %arg105 = %arg12) -> (!t_orders, !t_orders, i1) {
        %451 = arith.subi %c1_0, %arg102 : index
        %452 = agg.extract %181[%451] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %453 = agg.extract %183[%451] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %454 = agg.extract %182[%451] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %455 = agg.extract %184[%451] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %x_1 = vector.broadcast %452 : f64 to vector<2xf64>
        %x_d_0 = vector.broadcast %453 : f64 to vector<2xf64>
        %y = vector.broadcast %454 : f64 to vector<2xf64>
        %y_d = vector.broadcast %455 : f64 to vector<2xf64>
        %456 = agg.extract %arg103[] {path = array<i64: 1>} : (!t_orders) -> f64
        %457 = arith.mulf %456, %cst_8 : f64
        %458 = vector.broadcast %457 : f64 to vector<2xf64>
        %459 = strong.gated_mulf %458, %x_1 : vector<2xf64>
        %460 = strong.gated_mulf %458, %x_d_0 : vector<2xf64>
        %461 = arith.select %447, %460, %cst_9 : vector<2xi1>, vector<2xf64>
        %462 = arith.addf %461, %cst_9 : vector<2xf64>
        %463 = strong.gated_mulf %458, %y : vector<2xf64>
        %464 = strong.gated_mulf %458, %y_d : vector<2xf64>
        %465 = arith.select %448, %464, %cst_9 : vector<2xi1>, vector<2xf64>
        %466 = arith.addf %465, %cst_9 : vector<2xf64>
        %467 = vector.reduction <add>, %459 : vector<2xf64> into f64
        %468 = vector.reduction <add>, %462 : vector<2xf64> into f64
        %469 = agg.extract %arg103[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %470 = agg.extract %arg104[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %471 = arith.addf %469, %467 : f64
        %472 = arith.addf %470, %468 : f64
        %473 = agg.insert %471, %arg103[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
        %474 = agg.insert %472, %arg104[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
        %475 = vector.reduction <add>, %463 : vector<2xf64> into f64
        %476 = vector.reduction <add>, %466 : vector<2xf64> into f64
        %477 = agg.extract %arg103[] {path = array<i64: 0>} : (!t_orders) -> f64
        %478 = agg.extract %arg104[] {path = array<i64: 0>} : (!t_orders) -> f64
        %479 = arith.addf %477, %475 : f64
        %480 = arith.ori %arg105, %449 : i1
        %481 = arith.addf %478, %476 : f64
        %482 = agg.insert %479, %473[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
        %483 = agg.insert %481, %474[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
        scf.yield %482, %483, %480 : !t_orders, !t_orders, i1
      }
      scf.yield %450#0, %91#1, %91#2, %91#3, %91#4, %450#1, %91#7, %450#2, %91#9 : !t_orders, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, !t_array, i1, i1
    }
    %484 = arith.index_cast %60 : i32 to index
    %485 = agg.extract %78#5[] {path = array<i64: 0>} : (!t_orders) -> f64
    agg.buffer_store %485, %17, %484[] {path = array<i64>} : (f64, !agg.buffer<f64, "rw">, index) -> ()
    %486 = arith.addi %to, %c7_i32 : i32
    %487 = arith.index_cast %486 : i32 to index
    %488 = agg.extract %78#5[] {path = array<i64: 1>} : (!t_orders) -> f64
    agg.buffer_store %488, %17, %487[] {path = array<i64>} : (f64, !agg.buffer<f64, "rw">, index) -> ()
    %489 = arith.addi %to, %c8_i32 : i32
    %490 = arith.index_cast %489 : i32 to index
    %491 = agg.extract %78#5[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
    agg.buffer_store %491, %17, %490[] {path = array<i64>} : (f64, !agg.buffer<f64, "rw">, index) -> ()
    %c-1_i32_2 = arith.constant -1 : i32
    %492 = arith.cmpi slt, %transposed, %c5_i32 : i32
    %493, %sqrtf_3, %494 = scf.while (%arg106 = %true, %sqrtf_0_0 = %transposed, %arg107 = %c0) : (i1, i32, index) -> (i1, i32, index) {
      scf.condition(%arg106) %arg106, %sqrtf_0_0, %arg107 : i1, i32, index
    } do {
    ^bb0(%arg108: i1, %sqrtf_1_0: i32, %arg109: index):
      %sqrtf_2_2 = arith.addi %sqrtf_1_0, %c-1_i32_2 : i32
      %495 = arith.cmpi sgt, %sqrtf_2_2, %wrt00_0 : i32
      %496 = arith.select %495, %492, %false_0 : i1
      %497 = arith.addi %arg109, %c1_0 : index
      scf.yield %496, %sqrtf_2_2, %497 : i1, i32, index
    }
    %498 = agg.make %d, %70, %70, %70 : (!t_orders, !t_orders, !t_orders, !t_orders) -> !t_array
    %c-1_0 = arith.constant -1 : index
    %499 = arith.addi %494, %c-1_0 : index
    %c2_1 = arith.constant 2 : index
    %c-1_i32_3 = arith.constant -1 : i32
    %cst_15 = arith.constant 0.25 : f64
    %cst_16 = arith.constant 1.7397127693021015 : f64
    %cst_17 = arith.constant 0.5 : f64
    %cst_18 = arith.constant 0.5537200244863067 : f64
    %c3_1 = arith.constant 3 : index
    %c-1_i32_4 = arith.constant -1 : i32
    %c2_2 = arith.constant 2 : index
    %cst_19 = arith.constant 0.25 : f64
    %cst_20 = arith.constant 1.7397127693021015 : f64
    %cst_21 = arith.constant 0.5 : f64
    %cst_22 = arith.constant 0.5537200244863067 : f64
    %c0_i64_0 = arith.constant 0 : i64
    %cst_23 = arith.constant 0.25 : f64
    %500:7 = scf.for %arg110 = %c0 to %494 step %c1_0 iter_args(%arg111 = %70, %arg112 = %68, %arg113 = %c0, %arg114 = %69, %arg115 = %71, %arg116 = %73, %arg117 = %498) -> (!t_orders, !t_orders, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array) {
      %501 = arith.subi %499, %arg110 : index
      %502 = agg.extract %arg114[%arg113] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
      %503 = arith.cmpi sgt, %502, %501 : index
      %504 = arith.addi %arg113, %c-1_0 : index
      %505 = arith.select %503, %504, %arg113 : index
      %506 = agg.extract %arg114[%505] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
      %507 = agg.extract %arg115[%505] {path = array<i64: -1>} : (!t_array, index) -> !t_orders
      %508 = agg.extract %arg116[%505] {path = array<i64: -1>} : (!agg.array<4, i32>, index) -> i32
      %509 = agg.extract %arg117[%505] {path = array<i64: -1>} : (!t_array, index) -> !t_orders
      %510:9 = scf.while (%arg118 = %506, %arg119 = %505, %arg120 = %arg114, %arg121 = %arg115, %arg122 = %arg116, %arg123 = %arg117, %arg124 = %507, %arg125 = %508, %arg126 = %509) : (index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array, !t_orders, i32, !t_orders) -> (index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array, !t_orders, i32, !t_orders) {
        %511 = arith.cmpi slt, %arg118, %501 : index
        scf.condition(%511) %arg118, %arg119, %arg120, %arg121, %arg122, %arg123, %arg124, %arg125, %arg126 : index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array, !t_orders, i32, !t_orders
      } do {
      ^bb0(%arg127: index, %arg128: index, %arg129: !agg.array<4, index>, %arg130: !t_array, %arg131: !agg.array<4, i32>, %arg132: !t_array, %arg133: !t_orders, %arg134: i32, %arg135: !t_orders):
        %512 = arith.subi %c2_1, %arg128 : index
        %513 = arith.cmpi sgt, %512, %c0 : index
        %514 = arith.subi %501, %arg127 : index
        %515 = arith.addi %514, %c1_0 : index
        %516 = arith.maxui %512, %c1_0 : index
        %517 = arith.addi %516, %c1_0 : index
        %518:2 = scf.while (%arg136 = %c1_0, %arg137 = %c0) : (index, index) -> (index, index) {
          %519 = arith.cmpi slt, %arg136, %515 : index
          scf.condition(%519) %arg136, %arg137 : index, index
        } do {
        ^bb0(%arg138: index, %arg139: index):
          %520 = arith.addi %arg139, %c1_0 : index
          %521 = arith.addi %517, %520 : index
          %522 = arith.muli %arg138, %521 : index
          %523 = arith.divui %522, %520 : index
          scf.yield %523, %520 : index, index
        }
        %524 = arith.muli %518#0, %517 : index
        %525 = arith.addi %517, %518#1 : index
        %526 = arith.divui %524, %525 : index
        %527 = arith.muli %518#0, %518#1 : index
        %528 = arith.divui %527, %525 : index
        %529 = arith.addi %518#1, %c-1_0 : index
        %530 = arith.muli %528, %529 : index
        %531 = arith.addi %525, %c-1_0 : index
        %532 = arith.divui %530, %531 : index
        %533 = arith.maxui %532, %c1_0 : index
        %534 = arith.subi %515, %533 : index
        %535 = arith.minui %526, %534 : index
        %536 = arith.maxui %535, %c1_0 : index
        %537 = arith.subi %515, %536 : index
        %538 = arith.select %513, %537, %514 : index
        %539:3 = scf.for %arg140 = %c0 to %538 step %c1_0 iter_args(%arg141 = %arg133, %arg142 = %arg134, %arg143 = %arg135) -> (!t_orders, i32, !t_orders) {
          %sqrtf_2_3 = arith.addi %arg142, %c-1_i32_3 : i32
          %p_3_1, %p_3_d_1 = scf.for %arg144 = %c0 to %c2_1 step %c1_0 iter_args(%p_4_1 = %arg141, %p_4_d_1 = %arg143) -> (!t_orders, !t_orders) {
            %540 = agg.extract %p_4_1[] {path = array<i64: 0>} : (!t_orders) -> f64
            %541 = agg.extract %p_4_d_1[] {path = array<i64: 0>} : (!t_orders) -> f64
            %542 = vector.broadcast %540 : f64 to vector<2xf64>
            %543 = vector.broadcast %541 : f64 to vector<2xf64>
            %544 = agg.extract %p_4_1[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %545 = agg.extract %p_4_d_1[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %546 = vector.broadcast %544 : f64 to vector<2xf64>
            %547 = vector.broadcast %545 : f64 to vector<2xf64>
            %548 = arith.mulf %542, %546 : vector<2xf64>
            %549 = arith.mulf %543, %546 : vector<2xf64>
            %550 = arith.mulf %547, %542 : vector<2xf64>
            %551 = arith.addf %549, %550 : vector<2xf64>
            %552 = vector.reduction <add>, %548 : vector<2xf64> into f64
            %553 = vector.reduction <add>, %551 : vector<2xf64> into f64
            %554 = arith.mulf %552, %cst_15 : f64
            %555 = arith.mulf %553, %cst_15 : f64
            %556 = agg.extract %p_4_1[] {path = array<i64: 1>} : (!t_orders) -> f64
            %557 = agg.extract %p_4_d_1[] {path = array<i64: 1>} : (!t_orders) -> f64
            %558 = arith.addf %556, %554 : f64
            %559 = arith.addf %557, %555 : f64
            %p_5_1 = agg.insert %558, %p_4_1[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
            %p_5_d_1 = agg.insert %559, %p_4_d_1[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
            scf.yield %p_5_1, %p_5_d_1 : !t_orders, !t_orders
          }
          %560 = arith.andi %sqrtf_2_3, %c2_i32 : i32
          %561 = arith.cmpi ne, %560, %wrt00_0 : i32
          %562 = arith.select %561, %sqrtf_2_3, %transposed : i32
          %563 = arith.cmpi slt, %562, %c5_i32 : i32
          %564 = arith.select %563, %transposed, %sqrtf_2_3 : i32
          %565 = agg.extract %p_3_1[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
          %566 = agg.extract %p_3_d_1[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
          %567 = arith.mulf %565, %cst_17 : f64
          %568 = arith.mulf %566, %cst_17 : f64
          %569 = math.powf %cst_16, %567 : f64
          %570 = arith.mulf %569, %cst_18 : f64
          %571 = arith.mulf %568, %570 : f64
          %572:2 = func.call @wrt10.fwd(%564, %569, %571) : (i32, f64, f64) -> (f64, f64)
          %573 = math.sin %572#0 : f64
          %574 = math.cos %572#0 : f64
          %575 = arith.mulf %572#1, %574 : f64
          %576 = agg.extract %p_3_1[] {path = array<i64: 0>} : (!t_orders) -> f64
          %577 = agg.extract %p_3_d_1[] {path = array<i64: 0>} : (!t_orders) -> f64
          %578 = arith.addf %576, %573 : f64
          %579 = arith.addf %577, %575 : f64
          %p_6_0 = agg.insert %578, %p_3_1[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
          %p_6_d_0 = agg.insert %579, %p_3_d_1[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
          scf.yield %p_6_0, %sqrtf_2_3, %p_6_d_0 : !t_orders, i32, !t_orders
        }
        %580 = arith.addi %arg127, %538 : index
        %581 = arith.addi %arg128, %c1_0 : index
        %582 = arith.select %513, %581, %c3_1 : index
        %583 = arith.select %513, %581, %arg128 : index
        %584 = agg.insert %580, %arg129[%582] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
        %585 = agg.insert %539#0, %arg130[%582] {path = array<i64: -1>} : (!t_orders, !t_array, index) -> !t_array
        %586 = agg.insert %539#1, %arg131[%582] {path = array<i64: -1>} : (i32, !agg.array<4, i32>, index) -> !agg.array<4, i32>
        %587 = agg.insert %539#2, %arg132[%582] {path = array<i64: -1>} : (!t_orders, !t_array, index) -> !t_array
        scf.yield %580, %583, %584, %585, %586, %587, %539#0, %539#1, %539#2 : index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array, !t_orders, i32, !t_orders
      }
      %sqrtf_2_4 = arith.addi %510#7, %c-1_i32_4 : i32
      %588 = agg.zero {unread} : !agg.array<2, f64>
      %p_3_2, %p_3_d_2, %589, %590, %591, %592 = scf.for %arg145 = %c0 to %c2_2 step %c1_0 iter_args(%p_4_2 = %510#6, %p_4_d_2 = %510#8, %arg146 = %588, %arg147 = %588, %arg148 = %588, %arg149 = %588) -> (!t_orders, !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, !agg.array<2, f64>, !agg.array<2, f64>) {
        %593 = agg.extract %p_4_2[] {path = array<i64: 0>} : (!t_orders) -> f64
        %594 = agg.extract %p_4_d_2[] {path = array<i64: 0>} : (!t_orders) -> f64
        %595 = vector.broadcast %593 : f64 to vector<2xf64>
        %596 = vector.broadcast %594 : f64 to vector<2xf64>
        %597 = agg.extract %p_4_2[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %598 = agg.extract %p_4_d_2[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %599 = vector.broadcast %597 : f64 to vector<2xf64>
        %600 = vector.broadcast %598 : f64 to vector<2xf64>
        %601 = arith.mulf %595, %599 : vector<2xf64>
        %602 = arith.mulf %596, %599 : vector<2xf64>
        %603 = arith.mulf %600, %595 : vector<2xf64>
        %604 = arith.addf %602, %603 : vector<2xf64>
        %605 = vector.reduction <add>, %601 : vector<2xf64> into f64
        %606 = vector.reduction <add>, %604 : vector<2xf64> into f64
        %607 = arith.mulf %605, %cst_19 : f64
        %608 = arith.mulf %606, %cst_19 : f64
        %609 = agg.extract %p_4_2[] {path = array<i64: 1>} : (!t_orders) -> f64
        %610 = agg.extract %p_4_d_2[] {path = array<i64: 1>} : (!t_orders) -> f64
        %611 = arith.addf %609, %607 : f64
        %612 = arith.addf %610, %608 : f64
        %p_5_2 = agg.insert %611, %p_4_2[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d_2 = agg.insert %612, %p_4_d_2[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %613 = agg.insert %593, %arg146[%arg145] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %614 = agg.insert %594, %arg147[%arg145] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %615 = agg.insert %597, %arg148[%arg145] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %616 = agg.insert %598, %arg149[%arg145] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        scf.yield %p_5_2, %p_5_d_2, %613, %614, %615, %616 : !t_orders, !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, !agg.array<2, f64>, !agg.array<2, f64>
      }
      %617 = arith.andi %sqrtf_2_4, %c2_i32 : i32
      %618 = arith.cmpi ne, %617, %wrt00_0 : i32
      %619 = arith.select %618, %sqrtf_2_4, %transposed : i32
      %620 = arith.cmpi slt, %619, %c5_i32 : i32
      %cosf_0 = arith.select %620, %transposed, %sqrtf_2_4 : i32
      %621 = agg.extract %p_3_2[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %622 = agg.extract %p_3_d_2[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %623 = arith.mulf %621, %cst_21 : f64
      %624 = arith.mulf %622, %cst_21 : f64
      %x_2 = math.powf %cst_20, %623 : f64
      %625 = arith.mulf %x_2, %cst_22 : f64
      %x_d_1 = arith.mulf %624, %625 : f64
      %626 = arith.andi %cosf_0, %c3_i32 : i32
      %627 = arith.cmpi eq, %626, %wrt00_0 : i32
      %result_4, %result_d_2 = scf.if %627 -> (!t_arith, !t_arith_Differential) {
        %628 = arith.mulf %x_2, %cst_21 : f64
        %629 = arith.mulf %x_d_1, %cst_21 : f64
        %init_5 = agg.make %628 : (f64) -> !t_super
        %init_d_2 = agg.make %629 : (f64) -> !t_super
        %630 = agg.zero : !t_of00
        %result_0_2 = agg.make %c1_i32, %init_5, %630 : (i32, !t_super, !t_of00) -> !t_arith
        %result_0_d_2 = agg.make %init_d_2, %630 : (!t_super, !t_of00) -> !t_arith_Differential
        scf.yield %result_0_2, %result_0_d_2 : !t_arith, !t_arith_Differential
      } else {
        %cst_24 = arith.constant 1.5 : f64
        %631 = arith.mulf %x_2, %cst_24 : f64
        %632 = arith.mulf %x_d_1, %cst_24 : f64
        %init_0_3 = agg.make %631 : (f64) -> !t_of00
        %init_0_d_3 = agg.make %632 : (f64) -> !t_of00
        %633 = agg.zero : !t_super
        %result_1_2 = agg.make %c2_i32, %633, %init_0_3 : (i32, !t_super, !t_of00) -> !t_arith
        %result_1_d_2 = agg.make %633, %init_0_d_3 : (!t_super, !t_of00) -> !t_arith_Differential
        scf.yield %result_1_2, %result_1_d_2 : !t_arith, !t_arith_Differential
      }
      %634 = arith.extsi %626 : i32 to i64
      %635 = arith.maxsi %634, %c0_i64_0 : i64
      %636 = arith.index_cast %635 : i64 to index
      %init_0_4, %tex_2, %init_0_d_4, %tex_d_0 = scf.for %arg150 = %c0 to %636 step %c1_0 iter_args(%init_1_0 = %result_4, %tex_0_0 = %x_2, %init_1_d_0 = %result_d_2, %tex_0_d_0 = %x_d_1) -> (!t_arith, f64, !t_arith_Differential, f64) {
        %get_0_2 = arith.index_cast %arg150 : index to i32
        %637 = agg.extract %init_1_0[] {path = array<i64: 0>} : (!t_arith) -> i32
        %638 = arith.index_cast %637 : i32 to index
        %639:2 = scf.index_switch %638 -> f64, f64
        case 1 {
          %wrt0_3 = agg.extract %init_1_0[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
          %wrt0_d_3 = agg.extract %init_1_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          scf.yield %wrt0_3, %wrt0_d_3 : f64, f64
        }
        case 2 {
          scf.yield %cst, %cst : f64, f64
        }
        default {
          scf.yield %cst, %cst : f64, f64
        }
        %tex_1_2 = math.sin %639#0 : f64
        %640 = math.cos %639#0 : f64
        %tex_1_d_1 = arith.mulf %639#1, %640 : f64
        %641 = arith.andi %get_0_2, %c1_i32 : i32
        %642 = arith.cmpi eq, %641, %wrt00_0 : i32
        %init_2_1, %init_2_d_1 = scf.if %642 -> (!t_arith, !t_arith_Differential) {
          %643 = arith.addi %cosf_0, %get_0_2 : i32
          %644 = arith.andi %643, %c3_i32 : i32
          %645 = arith.cmpi eq, %644, %wrt00_0 : i32
          %result_5, %result_d_3 = scf.if %645 -> (!t_arith, !t_arith_Differential) {
            %646 = arith.mulf %tex_1_2, %cst_21 : f64
            %647 = arith.mulf %tex_1_d_1, %cst_21 : f64
            %init_6 = agg.make %646 : (f64) -> !t_super
            %init_d_3 = agg.make %647 : (f64) -> !t_super
            %648 = agg.zero : !t_of00
            %result_0_3 = agg.make %c1_i32, %init_6, %648 : (i32, !t_super, !t_of00) -> !t_arith
            %result_0_d_3 = agg.make %init_d_3, %648 : (!t_super, !t_of00) -> !t_arith_Differential
            scf.yield %result_0_3, %result_0_d_3 : !t_arith, !t_arith_Differential
          } else {
            %cst_25 = arith.constant 1.5 : f64
            %649 = arith.mulf %tex_1_2, %cst_25 : f64
            %650 = arith.mulf %tex_1_d_1, %cst_25 : f64
            %init_0_5 = agg.make %649 : (f64) -> !t_of00
            %init_0_d_5 = agg.make %650 : (f64) -> !t_of00
            %651 = agg.zero : !t_super
            %result_1_3 = agg.make %c2_i32, %651, %init_0_5 : (i32, !t_super, !t_of00) -> !t_arith
            %result_1_d_3 = agg.make %651, %init_0_d_5 : (!t_super, !t_of00) -> !t_arith_Differential
            scf.yield %result_1_3, %result_1_d_3 : !t_arith, !t_arith_Differential
          }
          scf.yield %result_5, %result_d_3 : !t_arith, !t_arith_Differential
        } else {
          scf.yield %init_1_0, %init_1_d_0 : !t_arith, !t_arith_Differential
        }
        scf.yield %init_2_1, %tex_1_2, %init_2_d_1, %tex_1_d_1 : !t_arith, f64, !t_arith_Differential, f64
      }
      %652 = agg.extract %init_0_4[] {path = array<i64: 0>} : (!t_arith) -> i32
      %653 = arith.index_cast %652 : i32 to index
      %654:3 = scf.index_switch %653 -> f64, f64, !t_super_part_fwd_primal_Context
      case 1 {
        %wrt0_4 = agg.extract %init_0_4[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
        %wrt0_d_4 = agg.extract %init_0_d_4[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %656 = agg.make : () -> !t_super_part_fwd_primal_Context
        scf.yield %wrt0_4, %wrt0_d_4, %656 : f64, f64, !t_super_part_fwd_primal_Context
      }
      case 2 {
        %657 = agg.zero : !t_super_part_fwd_primal_Context
        scf.yield %cst, %cst, %657 : f64, f64, !t_super_part_fwd_primal_Context
      }
      default {
        %655 = agg.zero : !t_super_part_fwd_primal_Context
        scf.yield %cst, %cst, %655 : f64, f64, !t_super_part_fwd_primal_Context
      }
      %658 = agg.make %652, %654#2 : (i32, !t_super_part_fwd_primal_Context) -> !t_arith_part_fwd_primal_Context
      %659 = arith.mulf %654#0, %cst_21 : f64
      %660 = arith.mulf %654#1, %cst_21 : f64
      %661 = arith.addf %tex_2, %659 : f64
      %662 = arith.addf %tex_d_0, %660 : f64
      %663 = math.sin %661 : f64
      %664 = math.cos %661 : f64
      %665 = arith.negf %663 : f64
      %666 = agg.extract %arg112[] {path = array<i64: 0>} : (!t_orders) -> f64
      %667 = agg.extract %arg111[] {path = array<i64: 0>} : (!t_orders) -> f64
      %668 = strong.gated_mulf %666, %662 : f64
      %669 = strong.gated_mulf %666, %664 : f64
      %670 = strong.gated_mulf %668, %665 : f64
      %671 = strong.gated_mulf %667, %664 : f64
      %672 = arith.addf %670, %671 : f64
      %673 = arith.cmpf une, %672, %cst : f64
      %674 = arith.select %673, %672, %cst : f64
      %675 = arith.cmpf une, %669, %cst : f64
      %676 = arith.select %675, %669, %cst : f64
      %677 = arith.ori %673, %675 : i1
      %678:4 = scf.if %677 -> (f64, f64, i1, i1) {
        %679 = arith.mulf %676, %cst_21 : f64
        %680 = arith.mulf %674, %cst_21 : f64
        %681 = arith.cmpf une, %680, %cst : f64
        %682 = arith.select %681, %680, %cst : f64
        %683 = arith.cmpf une, %679, %cst : f64
        %684 = arith.select %683, %679, %cst : f64
        %685 = arith.ori %681, %683 : i1
        %686:6 = scf.if %685 -> (!t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1) {
          %687:10 = func.call @arith.part.fwd.unsure(%658, %682, %684, %681, %683) : (!t_arith_part_fwd_primal_Context, f64, f64, i1, i1) -> (!t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1, i1, i1, i1, i1)
          %688 = arith.ori %687#4, %687#5 : i1
          %689 = arith.addf %674, %687#1 : f64
          %690 = arith.ori %687#7, %687#8 : i1
          %691 = arith.addf %676, %687#3 : f64
          scf.yield %687#0, %689, %687#2, %691, %688, %690 : !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1
        } else {
          %692 = agg.zero : !t_arith_Differential
          scf.yield %692, %674, %692, %676, %false_0, %false_0 : !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1
        }
        %693 = agg.zero : !t_arith
        %694 = agg.make %result_4, %693, %693, %693 : (!t_arith, !t_arith, !t_arith, !t_arith) -> !agg.array<4, !t_arith>
        %695 = agg.zero : !t_arith_Differential
        %696 = agg.make %result_d_2, %695, %695, %695 : (!t_arith_Differential, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential) -> !t_array_0
        %697 = arith.cmpf une, %686#1, %cst : f64
        %698 = arith.select %697, %686#1, %cst : f64
        %699 = arith.cmpf une, %686#3, %cst : f64
        %700 = arith.select %699, %686#3, %cst : f64
        %701 = arith.ori %686#4, %697 : i1
        %702 = arith.ori %701, %686#5 : i1
        %703 = arith.ori %702, %699 : i1
        %704:4 = scf.if %703 -> (!t_arith_Differential, f64, !t_arith_Differential, f64) {
          %705 = arith.addi %636, %c-1_0 : index
          %c3_2 = arith.constant 3 : index
          %706:8 = scf.for %arg151 = %c0 to %636 step %c1_0 iter_args(%arg152 = %686#0, %arg153 = %698, %arg154 = %686#2, %arg155 = %700, %arg156 = %c0, %arg157 = %69, %arg158 = %694, %arg159 = %696) -> (!t_arith_Differential, f64, !t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0) {
            %707 = arith.subi %705, %arg151 : index
            %708 = agg.extract %arg157[%arg156] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
            %709 = arith.cmpi sgt, %708, %707 : index
            %710 = arith.addi %arg156, %c-1_0 : index
            %711 = arith.select %709, %710, %arg156 : index
            %712 = agg.extract %arg157[%711] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
            %713 = agg.extract %arg158[%711] {path = array<i64: -1>} : (!agg.array<4, !t_arith>, index) -> !t_arith
            %714 = agg.extract %arg159[%711] {path = array<i64: -1>} : (!t_array_0, index) -> !t_arith_Differential
            %715:7 = scf.while (%arg160 = %712, %arg161 = %711, %arg162 = %arg157, %arg163 = %arg158, %arg164 = %arg159, %arg165 = %713, %arg166 = %714) : (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0, !t_arith, !t_arith_Differential) -> (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0, !t_arith, !t_arith_Differential) {
              %716 = arith.cmpi slt, %arg160, %707 : index
              scf.condition(%716) %arg160, %arg161, %arg162, %arg163, %arg164, %arg165, %arg166 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0, !t_arith, !t_arith_Differential
            } do {
            ^bb0(%arg167: index, %arg168: index, %arg169: !agg.array<4, index>, %arg170: !agg.array<4, !t_arith>, %arg171: !t_array_0, %arg172: !t_arith, %arg173: !t_arith_Differential):
              %717 = arith.subi %c2_2, %arg168 : index
              %718 = arith.cmpi sgt, %717, %c0 : index
              %719 = arith.subi %707, %arg167 : index
              %720 = arith.addi %719, %c1_0 : index
              %721 = arith.maxui %717, %c1_0 : index
              %722 = arith.addi %721, %c1_0 : index
              %723:2 = scf.while (%arg174 = %c1_0, %arg175 = %c0) : (index, index) -> (index, index) {
                %724 = arith.cmpi slt, %arg174, %720 : index
                scf.condition(%724) %arg174, %arg175 : index, index
              } do {
              ^bb0(%arg176: index, %arg177: index):
                %725 = arith.addi %arg177, %c1_0 : index
                %726 = arith.addi %722, %725 : index
                %727 = arith.muli %arg176, %726 : index
                %728 = arith.divui %727, %725 : index
                scf.yield %728, %725 : index, index
              }
              %729 = arith.muli %723#0, %722 : index
              %730 = arith.addi %722, %723#1 : index
              %731 = arith.divui %729, %730 : index
              %732 = arith.muli %723#0, %723#1 : index
              %733 = arith.divui %732, %730 : index
              %734 = arith.addi %723#1, %c-1_0 : index
              %735 = arith.muli %733, %734 : index
              %736 = arith.addi %730, %c-1_0 : index
              %737 = arith.divui %735, %736 : index
              %738 = arith.maxui %737, %c1_0 : index
              %739 = arith.subi %720, %738 : index
              %740 = arith.minui %731, %739 : index
              %741 = arith.maxui %740, %c1_0 : index
              %742 = arith.subi %720, %741 : index
              %743 = arith.select %718, %742, %719 : index
              %744:2 = scf.for %arg178 = %c0 to %743 step %c1_0 iter_args(%arg179 = %arg172, %arg180 = %arg173) -> (!t_arith, !t_arith_Differential) {
                %745 = arith.addi %arg167, %arg178 : index
                %get_0_3 = arith.index_cast %745 : index to i32
                %746 = agg.extract %arg179[] {path = array<i64: 0>} : (!t_arith) -> i32
                %747 = arith.index_cast %746 : i32 to index
                %748:2 = scf.index_switch %747 -> f64, f64
                case 1 {
                  %wrt0_5 = agg.extract %arg179[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
                  %wrt0_d_5 = agg.extract %arg180[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                  scf.yield %wrt0_5, %wrt0_d_5 : f64, f64
                }
                case 2 {
                  scf.yield %cst, %cst : f64, f64
                }
                default {
                  scf.yield %cst, %cst : f64, f64
                }
                %tex_1_3 = math.sin %748#0 : f64
                %749 = math.cos %748#0 : f64
                %tex_1_d_2 = arith.mulf %748#1, %749 : f64
                %750 = arith.andi %get_0_3, %c1_i32 : i32
                %751 = arith.cmpi eq, %750, %wrt00_0 : i32
                %init_2_2, %init_2_d_2 = scf.if %751 -> (!t_arith, !t_arith_Differential) {
                  %752 = arith.addi %cosf_0, %get_0_3 : i32
                  %753 = arith.andi %752, %c3_i32 : i32
                  %754 = arith.cmpi eq, %753, %wrt00_0 : i32
                  %result_6, %result_d_4 = scf.if %754 -> (!t_arith, !t_arith_Differential) {
                    %755 = arith.mulf %tex_1_3, %cst_21 : f64
                    %756 = arith.mulf %tex_1_d_2, %cst_21 : f64
                    %init_7 = agg.make %755 : (f64) -> !t_super
                    %init_d_4 = agg.make %756 : (f64) -> !t_super
                    %757 = agg.zero : !t_of00
                    %result_0_4 = agg.make %c1_i32, %init_7, %757 : (i32, !t_super, !t_of00) -> !t_arith
                    %result_0_d_4 = agg.make %init_d_4, %757 : (!t_super, !t_of00) -> !t_arith_Differential
                    scf.yield %result_0_4, %result_0_d_4 : !t_arith, !t_arith_Differential
                  } else {
                    %cst_26 = arith.constant 1.5 : f64
                    %758 = arith.mulf %tex_1_3, %cst_26 : f64
                    %759 = arith.mulf %tex_1_d_2, %cst_26 : f64
                    %init_0_6 = agg.make %758 : (f64) -> !t_of00
                    %init_0_d_6 = agg.make %759 : (f64) -> !t_of00
                    %760 = agg.zero : !t_super
                    %result_1_4 = agg.make %c2_i32, %760, %init_0_6 : (i32, !t_super, !t_of00) -> !t_arith
                    %result_1_d_4 = agg.make %760, %init_0_d_6 : (!t_super, !t_of00) -> !t_arith_Differential
                    scf.yield %result_1_4, %result_1_d_4 : !t_arith, !t_arith_Differential
                  }
                  scf.yield %result_6, %result_d_4 : !t_arith, !t_arith_Differential
                } else {
                  scf.yield %arg179, %arg180 : !t_arith, !t_arith_Differential
                }
                scf.yield %init_2_2, %init_2_d_2 : !t_arith, !t_arith_Differential
              }
              %761 = arith.addi %arg167, %743 : index
              %762 = arith.addi %arg168, %c1_0 : index
              %763 = arith.select %718, %762, %c3_2 : index
              %764 = arith.select %718, %762, %arg168 : index
              %765 = agg.insert %761, %arg169[%763] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
              %766 = agg.insert %744#0, %arg170[%763] {path = array<i64: -1>} : (!t_arith, !agg.array<4, !t_arith>, index) -> !agg.array<4, !t_arith>
              %767 = agg.insert %744#1, %arg171[%763] {path = array<i64: -1>} : (!t_arith_Differential, !t_array_0, index) -> !t_array_0
              scf.yield %761, %764, %765, %766, %767, %744#0, %744#1 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0, !t_arith, !t_arith_Differential
            }
            %get_0_4 = arith.index_cast %707 : index to i32
            %768 = agg.extract %715#5[] {path = array<i64: 0>} : (!t_arith) -> i32
            %769 = arith.index_cast %768 : i32 to index
            %770:3 = scf.index_switch %769 -> f64, f64, !t_super_part_fwd_primal_Context
            case 1 {
              %wrt0_6 = agg.extract %715#5[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
              %wrt0_d_6 = agg.extract %715#6[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
              %772 = agg.make : () -> !t_super_part_fwd_primal_Context
              scf.yield %wrt0_6, %wrt0_d_6, %772 : f64, f64, !t_super_part_fwd_primal_Context
            }
            case 2 {
              %773 = agg.zero : !t_super_part_fwd_primal_Context
              scf.yield %cst, %cst, %773 : f64, f64, !t_super_part_fwd_primal_Context
            }
            default {
              %771 = agg.zero : !t_super_part_fwd_primal_Context
              scf.yield %cst, %cst, %771 : f64, f64, !t_super_part_fwd_primal_Context
            }
            %774 = agg.make %768, %770#2 : (i32, !t_super_part_fwd_primal_Context) -> !t_arith_part_fwd_primal_Context
            %tex_1_4 = math.sin %770#0 : f64
            %775 = math.cos %770#0 : f64
            %776 = arith.andi %get_0_4, %c1_i32 : i32
            %777 = arith.cmpi eq, %776, %wrt00_0 : i32
            %778 = scf.if %777 -> (!t_jvpp_fwd_primal_Context) {
              %779 = arith.addi %cosf_0, %get_0_4 : i32
              %780 = arith.andi %779, %c3_i32 : i32
              %781 = arith.cmpi eq, %780, %wrt00_0 : i32
              %782 = agg.make %781 : (i1) -> !t_jvpp_fwd_primal_Context
              scf.yield %782 : !t_jvpp_fwd_primal_Context
            } else {
              %783 = agg.zero : !t_jvpp_fwd_primal_Context
              scf.yield %783 : !t_jvpp_fwd_primal_Context
            }
            %784 = arith.negf %tex_1_4 : f64
            %785 = scf.if %777 -> (!t_arith_Differential) {
              scf.yield %695 : !t_arith_Differential
            } else {
              scf.yield %arg152 : !t_arith_Differential
            }
            %786 = scf.if %777 -> (!t_arith_Differential) {
              scf.yield %695 : !t_arith_Differential
            } else {
              scf.yield %arg154 : !t_arith_Differential
            }
            %787:2 = scf.if %777 -> (f64, f64) {
              %788 = agg.extract %778[] {path = array<i64: 0>} : (!t_jvpp_fwd_primal_Context) -> i1
              %789:2 = scf.if %788 -> (f64, f64) {
                %790 = agg.extract %arg154[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                %791 = agg.extract %arg152[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                %792 = arith.mulf %790, %cst_21 : f64
                %793 = arith.mulf %791, %cst_21 : f64
                scf.yield %793, %792 : f64, f64
              } else {
                %cst_27 = arith.constant 1.5 : f64
                %794 = agg.extract %arg154[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
                %795 = agg.extract %arg152[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
                %796 = arith.mulf %794, %cst_27 : f64
                %797 = arith.mulf %795, %cst_27 : f64
                scf.yield %797, %796 : f64, f64
              }
              %798 = arith.addf %arg153, %789#0 : f64
              %799 = arith.addf %arg155, %789#1 : f64
              scf.yield %798, %799 : f64, f64
            } else {
              scf.yield %arg153, %arg155 : f64, f64
            }
            %800 = strong.gated_mulf %787#1, %770#1 : f64
            %801 = strong.gated_mulf %787#1, %775 : f64
            %802 = strong.gated_mulf %800, %784 : f64
            %803 = strong.gated_mulf %787#0, %775 : f64
            %804 = arith.addf %802, %803 : f64
            %805 = arith.cmpf une, %804, %cst : f64
            %806 = arith.select %805, %804, %cst : f64
            %807 = arith.cmpf une, %801, %cst : f64
            %808 = arith.select %807, %801, %cst : f64
            %809 = arith.ori %805, %807 : i1
            %810:4 = scf.if %809 -> (!t_arith_Differential, f64, !t_arith_Differential, f64) {
              %811:10 = func.call @arith.part.fwd.unsure(%774, %806, %808, %805, %807) : (!t_arith_part_fwd_primal_Context, f64, f64, i1, i1) -> (!t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1, i1, i1, i1, i1)
              %812 = agg.extract %785[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
              %813 = agg.extract %811#0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
              %814 = arith.addf %812, %813 : f64
              %815 = agg.make %814 : (f64) -> !t_super
              %816 = agg.extract %785[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
              %817 = agg.extract %811#0[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
              %818 = arith.addf %816, %817 : f64
              %819 = agg.make %818 : (f64) -> !t_of00
              %820 = agg.make %815, %819 : (!t_super, !t_of00) -> !t_arith_Differential
              %821 = agg.extract %786[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
              %822 = agg.extract %811#2[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
              %823 = arith.addf %821, %822 : f64
              %824 = agg.make %823 : (f64) -> !t_super
              %825 = agg.extract %786[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
              %826 = agg.extract %811#2[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
              %827 = arith.addf %825, %826 : f64
              %828 = agg.make %827 : (f64) -> !t_of00
              %829 = agg.make %824, %828 : (!t_super, !t_of00) -> !t_arith_Differential
              scf.yield %820, %811#1, %829, %811#3 : !t_arith_Differential, f64, !t_arith_Differential, f64
            } else {
              scf.yield %785, %cst, %786, %cst : !t_arith_Differential, f64, !t_arith_Differential, f64
            }
            scf.yield %810#0, %810#1, %810#2, %810#3, %715#1, %715#2, %715#3, %715#4 : !t_arith_Differential, f64, !t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0
          }
          scf.yield %706#0, %706#1, %706#2, %706#3 : !t_arith_Differential, f64, !t_arith_Differential, f64
        } else {
          scf.yield %695, %cst, %695, %cst : !t_arith_Differential, f64, !t_arith_Differential, f64
        }
        %830:2 = scf.if %703 -> (f64, f64) {
          %831:2 = scf.if %627 -> (f64, f64) {
            %832 = agg.extract %704#2[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
            %833 = agg.extract %704#0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
            %834 = arith.mulf %832, %cst_21 : f64
            %835 = arith.mulf %833, %cst_21 : f64
            scf.yield %835, %834 : f64, f64
          } else {
            %cst_28 = arith.constant 1.5 : f64
            %836 = agg.extract %704#2[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
            %837 = agg.extract %704#0[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
            %838 = arith.mulf %836, %cst_28 : f64
            %839 = arith.mulf %837, %cst_28 : f64
            scf.yield %839, %838 : f64, f64
          }
          %840 = arith.addf %704#1, %831#0 : f64
          %841 = arith.addf %704#3, %831#1 : f64
          scf.yield %840, %841 : f64, f64
        } else {
          scf.yield %704#1, %704#3 : f64, f64
        }
        scf.yield %830#0, %830#1, %703, %703 : f64, f64, i1, i1
      } else {
        scf.yield %cst, %cst, %false_0, %false_0 : f64, f64, i1, i1
      }
      %842 = strong.gated_mulf %678#1, %624 : f64
      %843 = strong.gated_mulf %678#1, %625 : f64
      %844 = arith.mulf %842, %cst_22 : f64
      %845 = arith.select %678#3, %844, %cst : f64
      %846 = arith.addf %678#0, %845 : f64
      %847 = arith.ori %678#2, %678#3 : i1
      %848 = strong.gated_mulf %846, %625 : f64
      %849 = arith.mulf %843, %cst_21 : f64
      %850 = arith.mulf %848, %cst_21 : f64
      %851 = arith.select %678#3, %849, %cst : f64
      %852 = agg.extract %arg112[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %853 = arith.addf %852, %851 : f64
      %854 = agg.insert %853, %arg112[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
      %855 = arith.select %847, %850, %cst : f64
      %856 = agg.extract %arg111[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %857 = arith.addf %856, %855 : f64
      %858 = agg.insert %857, %arg111[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
      %859:2 = scf.for %arg181 = %c0 to %c2_2 step %c1_0 iter_args(%arg182 = %858, %arg183 = %854) -> (!t_orders, !t_orders) {
        %860 = arith.subi %c1_0, %arg181 : index
        %861 = agg.extract %589[%860] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %862 = agg.extract %590[%860] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %863 = agg.extract %591[%860] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %864 = agg.extract %592[%860] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %x_3 = vector.broadcast %861 : f64 to vector<2xf64>
        %x_d_2 = vector.broadcast %862 : f64 to vector<2xf64>
        %y_0 = vector.broadcast %863 : f64 to vector<2xf64>
        %y_d_0 = vector.broadcast %864 : f64 to vector<2xf64>
        %865 = agg.extract %arg183[] {path = array<i64: 1>} : (!t_orders) -> f64
        %866 = agg.extract %arg182[] {path = array<i64: 1>} : (!t_orders) -> f64
        %867 = arith.mulf %865, %cst_23 : f64
        %868 = arith.mulf %866, %cst_23 : f64
        %869 = arith.cmpf une, %868, %cst : f64
        %870 = arith.select %869, %868, %cst : f64
        %871 = arith.cmpf une, %867, %cst : f64
        %872 = arith.select %871, %867, %cst : f64
        %873 = arith.ori %869, %871 : i1
        %874:4 = scf.if %873 -> (vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>) {
          %875 = vector.broadcast %872 : f64 to vector<2xf64>
          %876 = vector.broadcast %870 : f64 to vector<2xf64>
          %877 = strong.gated_mulf %875, %y_d_0 : vector<2xf64>
          %878 = strong.gated_mulf %875, %x_3 : vector<2xf64>
          %879 = strong.gated_mulf %875, %x_d_2 : vector<2xf64>
          %880 = strong.gated_mulf %875, %y_0 : vector<2xf64>
          %881 = strong.gated_mulf %876, %x_3 : vector<2xf64>
          %cst_29 = arith.constant dense<0.0> : vector<2xf64>
          %882 = arith.select %871, %879, %cst_29 : vector<2xf64>
          %883 = arith.select %869, %881, %cst_29 : vector<2xf64>
          %884 = arith.addf %882, %883 : vector<2xf64>
          %885 = strong.gated_mulf %876, %y_0 : vector<2xf64>
          %886 = arith.select %871, %877, %cst_29 : vector<2xf64>
          %887 = arith.select %869, %885, %cst_29 : vector<2xf64>
          %888 = arith.addf %886, %887 : vector<2xf64>
          %889 = arith.select %871, %880, %cst_29 : vector<2xf64>
          %890 = arith.select %871, %878, %cst_29 : vector<2xf64>
          scf.yield %888, %884, %889, %890 : vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>
        } else {
          %cst_30 = arith.constant dense<0.0> : vector<2xf64>
          scf.yield %cst_30, %cst_30, %cst_30, %cst_30 : vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>
        }
        %891 = vector.reduction <add>, %874#3 : vector<2xf64> into f64
        %892 = vector.reduction <add>, %874#1 : vector<2xf64> into f64
        %893 = agg.extract %arg183[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %894 = arith.addf %893, %891 : f64
        %895 = agg.insert %894, %arg183[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
        %896 = agg.extract %arg182[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %897 = arith.addf %896, %892 : f64
        %898 = agg.insert %897, %arg182[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
        %899 = vector.reduction <add>, %874#2 : vector<2xf64> into f64
        %900 = vector.reduction <add>, %874#0 : vector<2xf64> into f64
        %901 = agg.extract %arg183[] {path = array<i64: 0>} : (!t_orders) -> f64
        %902 = arith.addf %901, %899 : f64
        %903 = agg.insert %902, %895[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
        %904 = agg.extract %arg182[] {path = array<i64: 0>} : (!t_orders) -> f64
        %905 = arith.addf %904, %900 : f64
        %906 = agg.insert %905, %898[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
        scf.yield %906, %903 : !t_orders, !t_orders
      }
      scf.yield %859#0, %859#1, %510#1, %510#2, %510#3, %510#4, %510#5 : !t_orders, !t_orders, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array
    }
    %907 = arith.addi %to, %c9_i32 : i32
    %908 = arith.index_cast %907 : i32 to index
    %909 = agg.extract %500#0[] {path = array<i64: 0>} : (!t_orders) -> f64
    agg.buffer_store %909, %17, %908[] {path = array<i64>} : (f64, !agg.buffer<f64, "rw">, index) -> ()
    %910 = arith.addi %to, %c10_i32 : i32
    %911 = arith.index_cast %910 : i32 to index
    %912 = agg.extract %500#0[] {path = array<i64: 1>} : (!t_orders) -> f64
    agg.buffer_store %912, %17, %911[] {path = array<i64>} : (f64, !agg.buffer<f64, "rw">, index) -> ()
    %c11_i32 = arith.constant 11 : i32
    %913 = arith.addi %to, %c11_i32 : i32
    %914 = arith.index_cast %913 : i32 to index
    %915 = agg.extract %500#0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
    agg.buffer_store %915, %17, %914[] {path = array<i64>} : (f64, !agg.buffer<f64, "rw">, index) -> ()
    %c12_i32 = arith.constant 12 : i32
    %916 = arith.addi %to, %c12_i32 : i32
    %917 = arith.index_cast %916 : i32 to index
    %c-1_i32_5 = arith.constant -1 : i32
    %c2_3 = arith.constant 2 : index
    %cst_31 = arith.constant 0.25 : f64
    %cst_32 = arith.constant 1.7397127693021015 : f64
    %cst_33 = arith.constant 0.5 : f64
    %cst_34 = arith.constant 0.5537200244863067 : f64
    %c0_i64_1 = arith.constant 0 : i64
    %918 = arith.cmpi slt, %transposed, %c5_i32 : i32
    %919, %p_0, %sqrtf_4, %p_0_d, %p_0_d_0, %p_0_d_d = scf.while (%arg184 = %true, %p_1 = %x, %sqrtf_0_1 = %transposed, %p_1_d = %d, %p_1_d_0 = %d_0, %p_1_d_d = %70) : (i1, !t_orders, i32, !t_orders, !t_orders, !t_orders) -> (i1, !t_orders, i32, !t_orders, !t_orders, !t_orders) {
      scf.condition(%arg184) %arg184, %p_1, %sqrtf_0_1, %p_1_d, %p_1_d_0, %p_1_d_d : i1, !t_orders, i32, !t_orders, !t_orders, !t_orders
    } do {
    ^bb0(%arg185: i1, %p_2: !t_orders, %sqrtf_1_1: i32, %p_2_d: !t_orders, %p_2_d_0: !t_orders, %p_2_d_d: !t_orders):
      %sqrtf_2_5 = arith.addi %sqrtf_1_1, %c-1_i32_5 : i32
      %p_3_3, %p_3_d_3, %p_3_d_4, %p_3_d_d = scf.for %arg186 = %c0 to %c2_3 step %c1_0 iter_args(%p_4_3 = %p_2, %p_4_d_3 = %p_2_d, %p_4_d_4 = %p_2_d_0, %p_4_d_d = %p_2_d_d) -> (!t_orders, !t_orders, !t_orders, !t_orders) {
        %920 = agg.extract %p_4_3[] {path = array<i64: 0>} : (!t_orders) -> f64
        %921 = agg.extract %p_4_d_4[] {path = array<i64: 0>} : (!t_orders) -> f64
        %922 = agg.extract %p_4_d_3[] {path = array<i64: 0>} : (!t_orders) -> f64
        %923 = agg.extract %p_4_d_d[] {path = array<i64: 0>} : (!t_orders) -> f64
        %924 = vector.broadcast %920 : f64 to vector<2xf64>
        %925 = vector.broadcast %921 : f64 to vector<2xf64>
        %926 = vector.broadcast %922 : f64 to vector<2xf64>
        %927 = vector.broadcast %923 : f64 to vector<2xf64>
        %928 = agg.extract %p_4_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %929 = agg.extract %p_4_d_4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %930 = agg.extract %p_4_d_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %931 = agg.extract %p_4_d_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %932 = vector.broadcast %928 : f64 to vector<2xf64>
        %933 = vector.broadcast %929 : f64 to vector<2xf64>
        %934 = vector.broadcast %930 : f64 to vector<2xf64>
        %935 = vector.broadcast %931 : f64 to vector<2xf64>
        %936 = arith.mulf %924, %932 : vector<2xf64>
        %937 = arith.mulf %925, %932 : vector<2xf64>
        %938 = arith.mulf %933, %924 : vector<2xf64>
        %939 = arith.addf %937, %938 : vector<2xf64>
        %940 = arith.mulf %926, %932 : vector<2xf64>
        %941 = arith.mulf %927, %932 : vector<2xf64>
        %942 = arith.mulf %933, %926 : vector<2xf64>
        %943 = arith.addf %941, %942 : vector<2xf64>
        %944 = arith.mulf %934, %924 : vector<2xf64>
        %945 = arith.mulf %935, %924 : vector<2xf64>
        %946 = arith.mulf %925, %934 : vector<2xf64>
        %947 = arith.addf %945, %946 : vector<2xf64>
        %948 = arith.addf %940, %944 : vector<2xf64>
        %949 = arith.addf %943, %947 : vector<2xf64>
        %950 = vector.reduction <add>, %936 : vector<2xf64> into f64
        %951 = vector.reduction <add>, %939 : vector<2xf64> into f64
        %952 = vector.reduction <add>, %948 : vector<2xf64> into f64
        %953 = vector.reduction <add>, %949 : vector<2xf64> into f64
        %954 = arith.mulf %950, %cst_31 : f64
        %955 = arith.mulf %951, %cst_31 : f64
        %956 = arith.mulf %952, %cst_31 : f64
        %957 = arith.mulf %953, %cst_31 : f64
        %958 = agg.extract %p_4_3[] {path = array<i64: 1>} : (!t_orders) -> f64
        %959 = agg.extract %p_4_d_4[] {path = array<i64: 1>} : (!t_orders) -> f64
        %960 = agg.extract %p_4_d_3[] {path = array<i64: 1>} : (!t_orders) -> f64
        %961 = agg.extract %p_4_d_d[] {path = array<i64: 1>} : (!t_orders) -> f64
        %962 = arith.addf %958, %954 : f64
        %963 = arith.addf %959, %955 : f64
        %964 = arith.addf %960, %956 : f64
        %965 = arith.addf %961, %957 : f64
        %p_5_3 = agg.insert %962, %p_4_3[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d_3 = agg.insert %963, %p_4_d_4[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d_4 = agg.insert %964, %p_4_d_3[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d_d = agg.insert %965, %p_4_d_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        scf.yield %p_5_3, %p_5_d_4, %p_5_d_3, %p_5_d_d : !t_orders, !t_orders, !t_orders, !t_orders
      }
      %966 = arith.andi %sqrtf_2_5, %c2_i32 : i32
      %967 = arith.cmpi ne, %966, %wrt00_0 : i32
      %968 = arith.select %967, %sqrtf_2_5, %transposed : i32
      %969 = arith.cmpi slt, %968, %c5_i32 : i32
      %970 = arith.select %969, %transposed, %sqrtf_2_5 : i32
      %971 = agg.extract %p_3_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %972 = agg.extract %p_3_d_4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %973 = agg.extract %p_3_d_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %974 = agg.extract %p_3_d_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %975 = arith.mulf %971, %cst_33 : f64
      %976 = arith.mulf %972, %cst_33 : f64
      %977 = arith.mulf %973, %cst_33 : f64
      %978 = arith.mulf %974, %cst_33 : f64
      %979 = math.powf %cst_32, %975 : f64
      %980 = arith.mulf %979, %cst_34 : f64
      %981 = arith.mulf %976, %980 : f64
      %982 = arith.mulf %981, %cst_34 : f64
      %983 = arith.mulf %977, %980 : f64
      %984 = arith.mulf %978, %980 : f64
      %985 = arith.mulf %982, %977 : f64
      %986 = arith.addf %984, %985 : f64
      %init_8, %init_d_5, %987, %988, %989, %990, %init_d_6, %init_d_d = func.call @jvpp.fwd.gated(%970, %979, %983, %true, %true, %981, %986) : (i32, f64, f64, i1, i1, f64, f64) -> (!t_arith, !t_arith_Differential, i1, i1, i1, i1, !t_arith_Differential, !t_arith_Differential)
      %991 = arith.andi %970, %c3_i32 : i32
      %992 = arith.extsi %991 : i32 to i64
      %993 = arith.maxsi %992, %c0_i64_1 : i64
      %994 = arith.index_cast %993 : i64 to index
      %init_0_7, %tex_3, %init_0_d_7, %tex_d_1, %init_0_d_8, %tex_d_2, %init_0_d_d, %tex_d_d, %995, %996 = scf.for %arg187 = %c0 to %994 step %c1_0 iter_args(%init_1_1 = %init_8, %tex_0_1 = %979, %init_1_d_1 = %init_d_5, %tex_0_d_1 = %983, %init_1_d_2 = %init_d_6, %tex_0_d_2 = %981, %init_1_d_d = %init_d_d, %tex_0_d_d = %986, %arg188 = %987, %arg189 = %989) -> (!t_arith, f64, !t_arith_Differential, f64, !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1) {
        %get_0_5 = arith.index_cast %arg187 : index to i32
        %997 = agg.extract %init_1_1[] {path = array<i64: 0>} : (!t_arith) -> i32
        %998 = arith.index_cast %997 : i32 to index
        %999:6 = scf.index_switch %998 -> f64, f64, f64, f64, i1, i1
        case 1 {
          %wrt0_7 = agg.extract %init_1_1[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
          %wrt0_d_7 = agg.extract %init_1_d_2[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          %wrt0_d_8 = agg.extract %init_1_d_1[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          %wrt0_d_d = agg.extract %init_1_d_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          scf.yield %wrt0_7, %wrt0_d_8, %wrt0_d_7, %wrt0_d_d, %arg188, %arg189 : f64, f64, f64, f64, i1, i1
        }
        case 2 {
          scf.yield %cst, %cst, %cst, %cst, %false_0, %false_0 : f64, f64, f64, f64, i1, i1
        }
        default {
          scf.yield %cst, %cst, %cst, %cst, %false_0, %false_0 : f64, f64, f64, f64, i1, i1
        }
        %tex_1_5 = math.sin %999#0 : f64
        %1000 = math.cos %999#0 : f64
        %tex_1_d_3 = arith.mulf %999#2, %1000 : f64
        %1001 = arith.negf %tex_1_5 : f64
        %1002 = arith.mulf %999#2, %1001 : f64
        %tex_1_d_4 = arith.mulf %999#1, %1000 : f64
        %1003 = arith.mulf %999#3, %1000 : f64
        %1004 = arith.mulf %1002, %999#1 : f64
        %1005 = arith.ori %999#5, %999#4 : i1
        %tex_1_d_d = arith.addf %1003, %1004 : f64
        %1006 = arith.andi %get_0_5, %c1_i32 : i32
        %1007 = arith.cmpi eq, %1006, %wrt00_0 : i32
        %init_2_3, %init_2_d_3, %init_2_d_4, %init_2_d_d, %1008, %1009 = scf.if %1007 -> (!t_arith, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential, i1, i1) {
          %1010 = arith.addi %970, %get_0_5 : i32
          %init_3_0, %init_3_d, %1011, %1012, %1013, %1014, %init_3_d_0, %init_3_d_d = func.call @jvpp.fwd.gated(%1010, %tex_1_5, %tex_1_d_4, %999#4, %1005, %tex_1_d_3, %tex_1_d_d) : (i32, f64, f64, i1, i1, f64, f64) -> (!t_arith, !t_arith_Differential, i1, i1, i1, i1, !t_arith_Differential, !t_arith_Differential)
          scf.yield %init_3_0, %init_3_d, %init_3_d_0, %init_3_d_d, %1011, %1013 : !t_arith, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential, i1, i1
        } else {
          scf.yield %init_1_1, %init_1_d_1, %init_1_d_2, %init_1_d_d, %arg188, %arg189 : !t_arith, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential, i1, i1
        }
        scf.yield %init_2_3, %tex_1_5, %init_2_d_3, %tex_1_d_4, %init_2_d_4, %tex_1_d_3, %init_2_d_d, %tex_1_d_d, %1008, %1009 : !t_arith, f64, !t_arith_Differential, f64, !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1
      } {ad.snapshots = 3}
      %1015 = agg.extract %init_0_7[] {path = array<i64: 0>} : (!t_arith) -> i32
      %1016 = arith.index_cast %1015 : i32 to index
      %1017:4 = scf.index_switch %1016 -> f64, f64, f64, f64
      case 1 {
        %wrt0_8 = agg.extract %init_0_7[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
        %wrt0_d_9 = agg.extract %init_0_d_8[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %wrt0_d_10 = agg.extract %init_0_d_7[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %wrt0_d_d_0 = agg.extract %init_0_d_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        scf.yield %wrt0_8, %wrt0_d_10, %wrt0_d_9, %wrt0_d_d_0 : f64, f64, f64, f64
      }
      case 2 {
        scf.yield %cst, %cst, %cst, %cst : f64, f64, f64, f64
      }
      default {
        scf.yield %cst, %cst, %cst, %cst : f64, f64, f64, f64
      }
      %1018 = arith.mulf %1017#0, %cst_33 : f64
      %1019 = arith.mulf %1017#2, %cst_33 : f64
      %1020 = arith.mulf %1017#1, %cst_33 : f64
      %1021 = arith.mulf %1017#3, %cst_33 : f64
      %1022 = arith.addf %tex_3, %1018 : f64
      %1023 = arith.addf %tex_d_2, %1019 : f64
      %1024 = arith.addf %tex_d_1, %1020 : f64
      %1025 = arith.addf %tex_d_d, %1021 : f64
      %1026 = math.sin %1022 : f64
      %1027 = math.cos %1022 : f64
      %1028 = arith.mulf %1023, %1027 : f64
      %1029 = arith.negf %1026 : f64
      %1030 = arith.mulf %1023, %1029 : f64
      %1031 = arith.mulf %1024, %1027 : f64
      %1032 = arith.mulf %1025, %1027 : f64
      %1033 = arith.mulf %1030, %1024 : f64
      %1034 = arith.addf %1032, %1033 : f64
      %1035 = agg.extract %p_3_3[] {path = array<i64: 0>} : (!t_orders) -> f64
      %1036 = agg.extract %p_3_d_4[] {path = array<i64: 0>} : (!t_orders) -> f64
      %1037 = agg.extract %p_3_d_3[] {path = array<i64: 0>} : (!t_orders) -> f64
      %1038 = agg.extract %p_3_d_d[] {path = array<i64: 0>} : (!t_orders) -> f64
      %1039 = arith.addf %1035, %1026 : f64
      %1040 = arith.addf %1036, %1028 : f64
      %1041 = arith.addf %1037, %1031 : f64
      %1042 = arith.addf %1038, %1034 : f64
      %p_6_1 = agg.insert %1039, %p_3_3[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %p_6_d_1 = agg.insert %1040, %p_3_d_4[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %p_6_d_2 = agg.insert %1041, %p_3_d_3[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %p_6_d_d = agg.insert %1042, %p_3_d_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %1043 = arith.cmpi sgt, %sqrtf_2_5, %wrt00_0 : i32
      %1044 = arith.select %1043, %918, %false_0 : i1
      scf.yield %1044, %p_6_1, %sqrtf_2_5, %p_6_d_2, %p_6_d_1, %p_6_d_d : i1, !t_orders, i32, !t_orders, !t_orders, !t_orders
    } attributes {ad.snapshots = 3}
    %1045 = agg.extract %p_0_d_d[] {path = array<i64: 1>} : (!t_orders) -> f64
    %1046 = arith.mulf %1045, %38 : f64
    agg.buffer_store %1046, %17, %917[] {path = array<i64>} : (f64, !agg.buffer<f64, "rw">, index) -> ()
    func.return
  }
  func.func @dot.double.2(%x: vector<2xf64>, %y: vector<2xf64>) -> f64 attributes {params = [{name = "x", dir = "in"}, {name = "y", dir = "in"}], differentiable = "both"} {
    %0 = arith.mulf %x, %y : vector<2xf64>
    %1 = vector.reduction <add>, %0 : vector<2xf64> into f64
    func.return %1 : f64
  }
  func.func @diffPair.1.orders(%primal: !t_orders) -> !DifferentialPair_orders_ attributes {params = [{name = "primal", dir = "in"}], differentiable = "both", force_inline} {
    %0 = agg.zero : !t_orders
    %1 = agg.make %primal, %0 : (!t_orders, !t_orders) -> !DifferentialPair_orders_
    func.return %1 : !DifferentialPair_orders_
  }
  func.func @arith.part(%this: !t_arith, %x: f64, %cosf: i32) -> f64 attributes {params = [{name = "this", dir = "in"}, {name = "x", dir = "in"}, {name = "cosf", dir = "in"}], differentiable = "both"} {
    %cst = arith.constant 0.0 : f64
    %0 = agg.extract %this[] {path = array<i64: 0>} : (!t_arith) -> i32
    %1 = arith.index_cast %0 : i32 to index
    %2 = scf.index_switch %1 -> f64
    case 1 {
      %wrt0 = agg.extract %this[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
      scf.yield %wrt0 : f64
    }
    case 2 {
      scf.yield %cst : f64
    }
    default {
      scf.yield %cst : f64
    }
    func.return %2 : f64
  }
  func.func private @dot.double.2.primal(%x: vector<2xf64>, %y: vector<2xf64>) -> (f64, !t_dot_double_2_primal_Context) attributes {differentiable = "both"} {
    %0 = arith.mulf %x, %y : vector<2xf64>
    %1 = vector.reduction <add>, %0 : vector<2xf64> into f64
    %2 = agg.make %x, %y : (vector<2xf64>, vector<2xf64>) -> !t_dot_double_2_primal_Context
    func.return %1, %2 : f64, !t_dot_double_2_primal_Context
  }
  func.func private @dot.double.2.unsure(%context: !t_dot_double_2_primal_Context, %arg0: f64) -> (vector<2xf64>, vector<2xf64>, i1, i1) attributes {differentiable = "both", ad.unsure, ad.gives = array<i64: 0, 0>} {
    %x = agg.extract %context[] {path = array<i64: 0>} : (!t_dot_double_2_primal_Context) -> vector<2xf64>
    %y = agg.extract %context[] {path = array<i64: 1>} : (!t_dot_double_2_primal_Context) -> vector<2xf64>
    %0 = vector.broadcast %arg0 : f64 to vector<2xf64>
    %1 = strong.gated_mulf %0, %x : vector<2xf64>
    %2 = strong.gated_mulf %0, %y : vector<2xf64>
    %true = arith.constant true
    func.return %2, %1, %true, %true : vector<2xf64>, vector<2xf64>, i1, i1
  }
  func.func private @jvpp.primal(%cosf: i32, %x: f64) -> (!t_arith, !t_jvpp_primal_Context) attributes {differentiable = "both"} {
    %c3_i32 = arith.constant 3 : i32
    %0 = arith.andi %cosf, %c3_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi eq, %0, %c0_i32 : i32
    %result = scf.if %1 -> (!t_arith) {
      %cst = arith.constant 0.5 : f64
      %2 = arith.mulf %x, %cst : f64
      %init = agg.make %2 : (f64) -> !t_super
      %c1_i32 = arith.constant 1 : i32
      %3 = agg.zero : !t_of00
      %result_0 = agg.make %c1_i32, %init, %3 : (i32, !t_super, !t_of00) -> !t_arith
      scf.yield %result_0 : !t_arith
    } else {
      %cst_0 = arith.constant 1.5 : f64
      %4 = arith.mulf %x, %cst_0 : f64
      %init_0 = agg.make %4 : (f64) -> !t_of00
      %c2_i32 = arith.constant 2 : i32
      %5 = agg.zero : !t_super
      %result_1 = agg.make %c2_i32, %5, %init_0 : (i32, !t_super, !t_of00) -> !t_arith
      scf.yield %result_1 : !t_arith
    }
    %6 = agg.make %1 : (i1) -> !t_jvpp_primal_Context
    func.return %result, %6 : !t_arith, !t_jvpp_primal_Context
  }
  func.func private @jvpp.unsure(%context: !t_jvpp_primal_Context, %arg0: !t_arith_Differential, %arg1: i1, %arg2: i1) -> (f64, i1) attributes {differentiable = "both", ad.unsure, ad.gives = array<i64: 0>} {
    %0 = agg.extract %context[] {path = array<i64: 0>} : (!t_jvpp_primal_Context) -> i1
    %1 = arith.select %0, %arg1, %arg2 : i1
    %2 = scf.if %0 -> (f64) {
      %cst = arith.constant 0.5 : f64
      %3 = agg.extract %arg0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
      %4 = arith.mulf %3, %cst : f64
      scf.yield %4 : f64
    } else {
      %cst_0 = arith.constant 1.5 : f64
      %5 = agg.extract %arg0[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
      %6 = arith.mulf %5, %cst_0 : f64
      scf.yield %6 : f64
    }
    func.return %2, %1 : f64, i1
  }
  func.func private @super.part.primal(%this: !t_super, %x: f64, %cosf: i32) -> (f64, !t_super_part_primal_Context) attributes {differentiable = "both"} {
    %wrt0 = agg.extract %this[] {path = array<i64: 0>} : (!t_super) -> f64
    %0 = agg.make : () -> !t_super_part_primal_Context
    func.return %wrt0, %0 : f64, !t_super_part_primal_Context
  }
  func.func private @super.part.unsure(%context: !t_super_part_primal_Context, %arg0: f64) -> (!t_super, f64, i1, i1) attributes {differentiable = "both", ad.unsure, ad.gives = array<i64: 0, 1>} {
    %0 = agg.make %arg0 : (f64) -> !t_super
    %true = arith.constant true
    %cst = arith.constant 0.0 : f64
    %false = arith.constant false
    func.return %0, %cst, %true, %false : !t_super, f64, i1, i1
  }
  func.func private @arith.part.primal(%this: !t_arith, %x: f64, %cosf: i32) -> (f64, !t_arith_part_primal_Context) attributes {differentiable = "both"} {
    %cst = arith.constant 0.0 : f64
    %0 = agg.extract %this[] {path = array<i64: 0>} : (!t_arith) -> i32
    %1 = arith.index_cast %0 : i32 to index
    %2:2 = scf.index_switch %1 -> f64, !t_super_part_primal_Context
    case 1 {
      %wrt0 = agg.extract %this[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
      %4 = agg.make : () -> !t_super_part_primal_Context
      scf.yield %wrt0, %4 : f64, !t_super_part_primal_Context
    }
    case 2 {
      %5 = agg.zero : !t_super_part_primal_Context
      scf.yield %cst, %5 : f64, !t_super_part_primal_Context
    }
    default {
      %3 = agg.zero : !t_super_part_primal_Context
      scf.yield %cst, %3 : f64, !t_super_part_primal_Context
    }
    %6 = agg.make %0, %2#1 : (i32, !t_super_part_primal_Context) -> !t_arith_part_primal_Context
    func.return %2#0, %6 : f64, !t_arith_part_primal_Context
  }
  func.func private @arith.part.unsure(%context: !t_arith_part_primal_Context, %arg0: f64) -> (!t_arith_Differential, f64, i1, i1, i1) attributes {differentiable = "both", ad.unsure, ad.gives = array<i64: 0, 1, 1>} {
    %0 = agg.extract %context[] {path = array<i64: 0>} : (!t_arith_part_primal_Context) -> i32
    %1 = arith.index_cast %0 : i32 to index
    %cst = arith.constant 0.0 : f64
    %false = arith.constant false
    %2:2 = scf.index_switch %1 -> !t_super, i1
    case 1 {
      %4 = agg.make %arg0 : (f64) -> !t_super
      %true = arith.constant true
      scf.yield %4, %true : !t_super, i1
    }
    case 2 {
      %5 = agg.zero : !t_super
      scf.yield %5, %false : !t_super, i1
    }
    default {
      %3 = agg.zero : !t_super
      scf.yield %3, %false : !t_super, i1
    }
    %6 = agg.zero : !t_of00
    %7 = agg.make %2#0, %6 : (!t_super, !t_of00) -> !t_arith_Differential
    func.return %7, %cst, %2#1, %false, %false : !t_arith_Differential, f64, i1, i1, i1
  }
  func.func private @wrt10.primal(%cosf: i32, %x: f64) -> (f64, !t_wrt10_primal_Context) attributes {differentiable = "both"} {
    %c3_i32 = arith.constant 3 : i32
    %0 = arith.andi %cosf, %c3_i32 : i32
    %get = arith.constant 0 : i32
    %1 = arith.cmpi eq, %0, %get : i32
    %result = scf.if %1 -> (!t_arith) {
      %cst = arith.constant 0.5 : f64
      %2 = arith.mulf %x, %cst : f64
      %init = agg.make %2 : (f64) -> !t_super
      %c1_i32 = arith.constant 1 : i32
      %3 = agg.zero : !t_of00
      %result_0 = agg.make %c1_i32, %init, %3 : (i32, !t_super, !t_of00) -> !t_arith
      scf.yield %result_0 : !t_arith
    } else {
      %cst_0 = arith.constant 1.5 : f64
      %4 = arith.mulf %x, %cst_0 : f64
      %init_0 = agg.make %4 : (f64) -> !t_of00
      %c2_i32 = arith.constant 2 : i32
      %5 = agg.zero : !t_super
      %result_1 = agg.make %c2_i32, %5, %init_0 : (i32, !t_super, !t_of00) -> !t_arith
      scf.yield %result_1 : !t_arith
    }
    %6 = agg.make %1 : (i1) -> !t_jvpp_primal_Context
    %c0_i64 = arith.constant 0 : i64
    %7 = arith.extsi %0 : i32 to i64
    %8 = arith.maxsi %7, %c0_i64 : i64
    %9 = arith.index_cast %8 : i64 to index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst_1 = arith.constant 0.0 : f64
    %c1_i32_0 = arith.constant 1 : i32
    %init_0_0, %tex = scf.for %arg0 = %c0 to %9 step %c1 iter_args(%init_1 = %result, %tex_0 = %x) -> (!t_arith, f64) {
      %get_0 = arith.index_cast %arg0 : index to i32
      %10 = agg.extract %init_1[] {path = array<i64: 0>} : (!t_arith) -> i32
      %11 = arith.index_cast %10 : i32 to index
      %12 = scf.index_switch %11 -> f64
      case 1 {
        %wrt0 = agg.extract %init_1[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
        scf.yield %wrt0 : f64
      }
      case 2 {
        scf.yield %cst_1 : f64
      }
      default {
        scf.yield %cst_1 : f64
      }
      %tex_1 = math.sin %12 : f64
      %13 = arith.andi %get_0, %c1_i32_0 : i32
      %14 = arith.cmpi eq, %13, %get : i32
      %init_2 = scf.if %14 -> (!t_arith) {
        %15 = arith.addi %cosf, %get_0 : i32
        %16 = arith.andi %15, %c3_i32 : i32
        %17 = arith.cmpi eq, %16, %get : i32
        %result_2 = scf.if %17 -> (!t_arith) {
          %cst_2 = arith.constant 0.5 : f64
          %18 = arith.mulf %tex_1, %cst_2 : f64
          %init_3 = agg.make %18 : (f64) -> !t_super
          %19 = agg.zero : !t_of00
          %result_0_0 = agg.make %c1_i32_0, %init_3, %19 : (i32, !t_super, !t_of00) -> !t_arith
          scf.yield %result_0_0 : !t_arith
        } else {
          %cst_3 = arith.constant 1.5 : f64
          %20 = arith.mulf %tex_1, %cst_3 : f64
          %init_0_1 = agg.make %20 : (f64) -> !t_of00
          %c2_i32_0 = arith.constant 2 : i32
          %21 = agg.zero : !t_super
          %result_1_0 = agg.make %c2_i32_0, %21, %init_0_1 : (i32, !t_super, !t_of00) -> !t_arith
          scf.yield %result_1_0 : !t_arith
        }
        scf.yield %result_2 : !t_arith
      } else {
        scf.yield %init_1 : !t_arith
      }
      scf.yield %init_2, %tex_1 : !t_arith, f64
    }
    %cst_4 = arith.constant 0.5 : f64
    %cst_5 = arith.constant 0.0 : f64
    %22 = agg.extract %init_0_0[] {path = array<i64: 0>} : (!t_arith) -> i32
    %23 = arith.index_cast %22 : i32 to index
    %24:2 = scf.index_switch %23 -> f64, !t_super_part_primal_Context
    case 1 {
      %wrt0_0 = agg.extract %init_0_0[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
      %26 = agg.make : () -> !t_super_part_primal_Context
      scf.yield %wrt0_0, %26 : f64, !t_super_part_primal_Context
    }
    case 2 {
      %27 = agg.zero : !t_super_part_primal_Context
      scf.yield %cst_5, %27 : f64, !t_super_part_primal_Context
    }
    default {
      %25 = agg.zero : !t_super_part_primal_Context
      scf.yield %cst_5, %25 : f64, !t_super_part_primal_Context
    }
    %28 = agg.make %22, %24#1 : (i32, !t_super_part_primal_Context) -> !t_arith_part_primal_Context
    %29 = arith.mulf %24#0, %cst_4 : f64
    %30 = arith.addf %tex, %29 : f64
    %31 = agg.make %cosf, %28, %result, %x, %6 : (i32, !t_arith_part_primal_Context, !t_arith, f64, !t_jvpp_primal_Context) -> !t_wrt10_primal_Context
    func.return %30, %31 : f64, !t_wrt10_primal_Context
  }
  func.func private @wrt10.unsure(%context: !t_wrt10_primal_Context, %arg0: f64) -> (f64, i1) attributes {differentiable = "both", ad.unsure, ad.gives = array<i64: 0>} {
    %cosf = agg.extract %context[] {path = array<i64: 0>} : (!t_wrt10_primal_Context) -> i32
    %init = agg.extract %context[] {path = array<i64: 2>} : (!t_wrt10_primal_Context) -> !t_arith
    %get = arith.constant 0 : i32
    %c3_i32 = arith.constant 3 : i32
    %0 = arith.andi %cosf, %c3_i32 : i32
    %c0_i64 = arith.constant 0 : i64
    %1 = arith.extsi %0 : i32 to i64
    %2 = arith.maxsi %1, %c0_i64 : i64
    %3 = arith.index_cast %2 : i64 to index
    %cst = arith.constant 0.5 : f64
    %4 = arith.mulf %arg0, %cst : f64
    %5 = agg.extract %context[] {path = array<i64: 1, 0>} : (!t_wrt10_primal_Context) -> i32
    %6 = arith.index_cast %5 : i32 to index
    %cst_0 = arith.constant 0.0 : f64
    %7 = scf.index_switch %6 -> !t_super
    case 1 {
      %9 = agg.make %4 : (f64) -> !t_super
      scf.yield %9 : !t_super
    }
    case 2 {
      %10 = agg.zero : !t_super
      scf.yield %10 : !t_super
    }
    default {
      %8 = agg.zero : !t_super
      scf.yield %8 : !t_super
    }
    %11 = agg.zero : !t_of00
    %12 = agg.make %7, %11 : (!t_super, !t_of00) -> !t_arith_Differential
    %13 = arith.addf %arg0, %cst_0 : f64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %14 = agg.zero : !agg.array<4, index>
    %15 = agg.zero : !t_arith
    %16 = agg.make %init, %15, %15, %15 : (!t_arith, !t_arith, !t_arith, !t_arith) -> !agg.array<4, !t_arith>
    %c-1 = arith.constant -1 : index
    %17 = arith.addi %3, %c-1 : index
    %c2 = arith.constant 2 : index
    %c1_i32 = arith.constant 1 : i32
    %c3 = arith.constant 3 : index
    %c1_i32_0 = arith.constant 1 : i32
    %18 = agg.zero : !t_arith_Differential
    %19:5 = scf.for %arg1 = %c0 to %3 step %c1 iter_args(%arg2 = %12, %arg3 = %13, %arg4 = %c0, %arg5 = %14, %arg6 = %16) -> (!t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>) {
      %20 = arith.subi %17, %arg1 : index
      %21 = agg.extract %arg5[%arg4] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
      %22 = arith.cmpi sgt, %21, %20 : index
      %23 = arith.addi %arg4, %c-1 : index
      %24 = arith.select %22, %23, %arg4 : index
      %25 = agg.extract %arg5[%24] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
      %26 = agg.extract %arg6[%24] {path = array<i64: -1>} : (!agg.array<4, !t_arith>, index) -> !t_arith
      %27:5 = scf.while (%arg7 = %25, %arg8 = %24, %arg9 = %arg5, %arg10 = %arg6, %arg11 = %26) : (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith) -> (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith) {
        %28 = arith.cmpi slt, %arg7, %20 : index
        scf.condition(%28) %arg7, %arg8, %arg9, %arg10, %arg11 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith
      } do {
      ^bb0(%arg12: index, %arg13: index, %arg14: !agg.array<4, index>, %arg15: !agg.array<4, !t_arith>, %arg16: !t_arith):
        %29 = arith.subi %c2, %arg13 : index
        %30 = arith.cmpi sgt, %29, %c0 : index
        %31 = arith.subi %20, %arg12 : index
        %32 = arith.addi %31, %c1 : index
        %33 = arith.maxui %29, %c1 : index
        %34 = arith.addi %33, %c1 : index
        %35:2 = scf.while (%arg17 = %c1, %arg18 = %c0) : (index, index) -> (index, index) {
          %36 = arith.cmpi slt, %arg17, %32 : index
          scf.condition(%36) %arg17, %arg18 : index, index
        } do {
        ^bb0(%arg19: index, %arg20: index):
          %37 = arith.addi %arg20, %c1 : index
          %38 = arith.addi %34, %37 : index
          %39 = arith.muli %arg19, %38 : index
          %40 = arith.divui %39, %37 : index
          scf.yield %40, %37 : index, index
        }
        %41 = arith.muli %35#0, %34 : index
        %42 = arith.addi %34, %35#1 : index
        %43 = arith.divui %41, %42 : index
        %44 = arith.muli %35#0, %35#1 : index
        %45 = arith.divui %44, %42 : index
        %46 = arith.addi %35#1, %c-1 : index
        %47 = arith.muli %45, %46 : index
        %48 = arith.addi %42, %c-1 : index
        %49 = arith.divui %47, %48 : index
        %50 = arith.maxui %49, %c1 : index
        %51 = arith.subi %32, %50 : index
        %52 = arith.minui %43, %51 : index
        %53 = arith.maxui %52, %c1 : index
        %54 = arith.subi %32, %53 : index
        %55 = arith.select %30, %54, %31 : index
        %56 = scf.for %arg21 = %c0 to %55 step %c1 iter_args(%arg22 = %arg16) -> (!t_arith) {
          %57 = arith.addi %arg12, %arg21 : index
          %get_0 = arith.index_cast %57 : index to i32
          %58 = agg.extract %arg22[] {path = array<i64: 0>} : (!t_arith) -> i32
          %59 = arith.index_cast %58 : i32 to index
          %60 = scf.index_switch %59 -> f64
          case 1 {
            %wrt0 = agg.extract %arg22[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
            scf.yield %wrt0 : f64
          }
          case 2 {
            scf.yield %cst_0 : f64
          }
          default {
            scf.yield %cst_0 : f64
          }
          %tex_1 = math.sin %60 : f64
          %61 = arith.andi %get_0, %c1_i32 : i32
          %62 = arith.cmpi eq, %61, %get : i32
          %init_2 = scf.if %62 -> (!t_arith) {
            %63 = arith.addi %cosf, %get_0 : i32
            %64 = arith.andi %63, %c3_i32 : i32
            %65 = arith.cmpi eq, %64, %get : i32
            %result = scf.if %65 -> (!t_arith) {
              %66 = arith.mulf %tex_1, %cst : f64
              %init_0 = agg.make %66 : (f64) -> !t_super
              %result_0 = agg.make %c1_i32, %init_0, %11 : (i32, !t_super, !t_of00) -> !t_arith
              scf.yield %result_0 : !t_arith
            } else {
              %cst_1 = arith.constant 1.5 : f64
              %67 = arith.mulf %tex_1, %cst_1 : f64
              %init_0_0 = agg.make %67 : (f64) -> !t_of00
              %c2_i32 = arith.constant 2 : i32
              %68 = agg.zero : !t_super
              %result_1 = agg.make %c2_i32, %68, %init_0_0 : (i32, !t_super, !t_of00) -> !t_arith
              scf.yield %result_1 : !t_arith
            }
            scf.yield %result : !t_arith
          } else {
            scf.yield %arg22 : !t_arith
          }
          scf.yield %init_2 : !t_arith
        }
        %69 = arith.addi %arg12, %55 : index
        %70 = arith.addi %arg13, %c1 : index
        %71 = arith.select %30, %70, %c3 : index
        %72 = arith.select %30, %70, %arg13 : index
        %73 = agg.insert %69, %arg14[%71] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
        %74 = agg.insert %56, %arg15[%71] {path = array<i64: -1>} : (!t_arith, !agg.array<4, !t_arith>, index) -> !agg.array<4, !t_arith>
        scf.yield %69, %72, %73, %74, %56 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith
      }
      %get_0_0 = arith.index_cast %20 : index to i32
      %75 = agg.extract %27#4[] {path = array<i64: 0>} : (!t_arith) -> i32
      %76 = arith.index_cast %75 : i32 to index
      %77 = scf.index_switch %76 -> f64
      case 1 {
        %wrt0_0 = agg.extract %27#4[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
        scf.yield %wrt0_0 : f64
      }
      case 2 {
        scf.yield %cst_0 : f64
      }
      default {
        scf.yield %cst_0 : f64
      }
      %78 = math.cos %77 : f64
      %79 = arith.andi %get_0_0, %c1_i32_0 : i32
      %80 = arith.cmpi eq, %79, %get : i32
      %81 = scf.if %80 -> (!t_jvpp_primal_Context) {
        %82 = arith.addi %cosf, %get_0_0 : i32
        %83 = arith.andi %82, %c3_i32 : i32
        %84 = arith.cmpi eq, %83, %get : i32
        %85 = agg.make %84 : (i1) -> !t_jvpp_primal_Context
        scf.yield %85 : !t_jvpp_primal_Context
      } else {
        %86 = agg.zero : !t_jvpp_primal_Context
        scf.yield %86 : !t_jvpp_primal_Context
      }
      %87 = scf.if %80 -> (!t_arith_Differential) {
        scf.yield %18 : !t_arith_Differential
      } else {
        scf.yield %arg2 : !t_arith_Differential
      }
      %88 = scf.if %80 -> (f64) {
        %89 = agg.extract %81[] {path = array<i64: 0>} : (!t_jvpp_primal_Context) -> i1
        %90 = scf.if %89 -> (f64) {
          %91 = agg.extract %arg2[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          %92 = arith.mulf %91, %cst : f64
          scf.yield %92 : f64
        } else {
          %cst_2 = arith.constant 1.5 : f64
          %93 = agg.extract %arg2[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
          %94 = arith.mulf %93, %cst_2 : f64
          scf.yield %94 : f64
        }
        %95 = arith.addf %arg3, %90 : f64
        scf.yield %95 : f64
      } else {
        scf.yield %arg3 : f64
      }
      %96 = strong.gated_mulf %88, %78 : f64
      %97 = scf.index_switch %76 -> !t_super
      case 1 {
        %99 = agg.make %96 : (f64) -> !t_super
        scf.yield %99 : !t_super
      }
      case 2 {
        %100 = agg.zero : !t_super
        scf.yield %100 : !t_super
      }
      default {
        %98 = agg.zero : !t_super
        scf.yield %98 : !t_super
      }
      %101 = agg.extract %87[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
      %102 = agg.extract %97[] {path = array<i64: 0>} : (!t_super) -> f64
      %103 = arith.addf %101, %102 : f64
      %104 = agg.make %103 : (f64) -> !t_super
      %105 = agg.extract %87[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
      %106 = arith.addf %105, %cst_0 : f64
      %107 = agg.make %106 : (f64) -> !t_of00
      %108 = agg.make %104, %107 : (!t_super, !t_of00) -> !t_arith_Differential
      scf.yield %108, %cst_0, %27#1, %27#2, %27#3 : !t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>
    }
    %true = arith.constant true
    %109 = agg.extract %context[] {path = array<i64: 4, 0>} : (!t_wrt10_primal_Context) -> i1
    %110 = scf.if %109 -> (f64) {
      %111 = agg.extract %19#0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
      %112 = arith.mulf %111, %cst : f64
      scf.yield %112 : f64
    } else {
      %cst_3 = arith.constant 1.5 : f64
      %113 = agg.extract %19#0[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
      %114 = arith.mulf %113, %cst_3 : f64
      scf.yield %114 : f64
    }
    %115 = arith.addf %19#1, %110 : f64
    func.return %115, %true : f64, i1
  }
  func.func private @math.primal(%p: !t_orders, %differential: i32, %transposed: i32) -> (!t_threadIdx, !t_math_primal_Context) attributes {differentiable = "both"} {
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %c-1_i32 = arith.constant -1 : i32
    %wrt00 = arith.constant 0 : i32
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.25 : f64
    %c2_i32 = arith.constant 2 : i32
    %c5_i32 = arith.constant 5 : i32
    %cst_0 = arith.constant 1.7397127693021015 : f64
    %cst_1 = arith.constant 0.5 : f64
    %0 = arith.cmpi slt, %transposed, %c5_i32 : i32
    %false = arith.constant false
    %1, %p_0, %sqrtf, %2 = scf.while (%arg0 = %true, %p_1 = %p, %sqrtf_0 = %transposed, %arg1 = %c0) : (i1, !t_orders, i32, index) -> (i1, !t_orders, i32, index) {
      scf.condition(%arg0) %arg0, %p_1, %sqrtf_0, %arg1 : i1, !t_orders, i32, index
    } do {
    ^bb0(%arg2: i1, %p_2: !t_orders, %sqrtf_1: i32, %arg3: index):
      %sqrtf_2 = arith.addi %sqrtf_1, %c-1_i32 : i32
      %p_3 = scf.for %arg4 = %c0 to %c2 step %c1 iter_args(%p_4 = %p_2) -> (!t_orders) {
        %3 = agg.extract %p_4[] {path = array<i64: 0>} : (!t_orders) -> f64
        %4 = vector.broadcast %3 : f64 to vector<2xf64>
        %5 = agg.extract %p_4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %6 = vector.broadcast %5 : f64 to vector<2xf64>
        %7 = arith.mulf %4, %6 : vector<2xf64>
        %8 = vector.reduction <add>, %7 : vector<2xf64> into f64
        %9 = arith.mulf %8, %cst : f64
        %10 = agg.extract %p_4[] {path = array<i64: 1>} : (!t_orders) -> f64
        %11 = arith.addf %10, %9 : f64
        %p_5 = agg.insert %11, %p_4[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        scf.yield %p_5 : !t_orders
      }
      %12 = arith.andi %sqrtf_2, %c2_i32 : i32
      %13 = arith.cmpi ne, %12, %wrt00 : i32
      %14 = arith.select %13, %sqrtf_2, %transposed : i32
      %15 = arith.cmpi slt, %14, %c5_i32 : i32
      %16 = arith.select %15, %transposed, %sqrtf_2 : i32
      %17 = agg.extract %p_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %18 = arith.mulf %17, %cst_1 : f64
      %19 = math.powf %cst_0, %18 : f64
      %20 = func.call @wrt10(%16, %19) : (i32, f64) -> f64
      %21 = math.sin %20 : f64
      %22 = agg.extract %p_3[] {path = array<i64: 0>} : (!t_orders) -> f64
      %23 = arith.addf %22, %21 : f64
      %p_6 = agg.insert %23, %p_3[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %24 = arith.cmpi sgt, %sqrtf_2, %wrt00 : i32
      %25 = arith.select %24, %0, %false : i1
      %26 = arith.addi %arg3, %c1 : index
      scf.yield %25, %p_6, %sqrtf_2, %26 : i1, !t_orders, i32, index
    }
    %27 = agg.extract %p_0[] {path = array<i64: 1>} : (!t_orders) -> f64
    %vprintf = agg.make %27 : (f64) -> !t_threadIdx
    %28 = agg.make %p, %transposed, %2 : (!t_orders, i32, index) -> !t_math_primal_Context
    func.return %vprintf, %28 : !t_threadIdx, !t_math_primal_Context
  }
  func.func private @math.bwd(%context: !t_math_primal_Context, %arg0: !t_threadIdx) -> (!t_orders, i1, i1, i1) attributes {differentiable = "both", ad.gives = array<i64: 0, 0, 0>} {
    %p = agg.extract %context[] {path = array<i64: 0>} : (!t_math_primal_Context) -> !t_orders
    %transposed = agg.extract %context[] {path = array<i64: 1>} : (!t_math_primal_Context) -> i32
    %0 = agg.extract %context[] {path = array<i64: 2>} : (!t_math_primal_Context) -> index
    %true = arith.constant true
    %1 = agg.extract %arg0[] {path = array<i64: 0>} : (!t_threadIdx) -> f64
    %cst = arith.constant 0.0 : f64
    %2 = agg.zero : !t_jvp
    %3 = agg.make %cst, %1, %2 : (f64, f64, !t_jvp) -> !t_orders
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %4 = agg.zero : !agg.array<4, index>
    %5 = agg.zero : !t_orders
    %6 = agg.make %p, %5, %5, %5 : (!t_orders, !t_orders, !t_orders, !t_orders) -> !t_array
    %wrt00 = arith.constant 0 : i32
    %7 = agg.make %transposed, %wrt00, %wrt00, %wrt00 : (i32, i32, i32, i32) -> !agg.array<4, i32>
    %c-1 = arith.constant -1 : index
    %8 = arith.addi %0, %c-1 : index
    %c2 = arith.constant 2 : index
    %c-1_i32 = arith.constant -1 : i32
    %cst_0 = arith.constant 0.25 : f64
    %c2_i32 = arith.constant 2 : i32
    %c5_i32 = arith.constant 5 : i32
    %cst_1 = arith.constant 1.7397127693021015 : f64
    %cst_2 = arith.constant 0.5 : f64
    %c3 = arith.constant 3 : index
    %c-1_i32_0 = arith.constant -1 : i32
    %c2_0 = arith.constant 2 : index
    %cst_3 = arith.constant 0.25 : f64
    %c2_i32_0 = arith.constant 2 : i32
    %c5_i32_0 = arith.constant 5 : i32
    %cst_4 = arith.constant 1.7397127693021015 : f64
    %cst_5 = arith.constant 0.5 : f64
    %cst_6 = arith.constant 0.5537200244863067 : f64
    %c3_i32 = arith.constant 3 : i32
    %c0_i64 = arith.constant 0 : i64
    %c1_i32 = arith.constant 1 : i32
    %9 = agg.zero : !t_of00
    %10 = agg.zero : !t_arith
    %c1_i32_0 = arith.constant 1 : i32
    %c3_0 = arith.constant 3 : index
    %c1_i32_1 = arith.constant 1 : i32
    %11 = agg.zero : !t_arith_Differential
    %cst_7 = arith.constant 0.25 : f64
    %12:5 = scf.for %arg1 = %c0 to %0 step %c1 iter_args(%arg2 = %3, %arg3 = %c0, %arg4 = %4, %arg5 = %6, %arg6 = %7) -> (!t_orders, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>) {
      %13 = arith.subi %8, %arg1 : index
      %14 = agg.extract %arg4[%arg3] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
      %15 = arith.cmpi sgt, %14, %13 : index
      %16 = arith.addi %arg3, %c-1 : index
      %17 = arith.select %15, %16, %arg3 : index
      %18 = agg.extract %arg4[%17] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
      %19 = agg.extract %arg5[%17] {path = array<i64: -1>} : (!t_array, index) -> !t_orders
      %20 = agg.extract %arg6[%17] {path = array<i64: -1>} : (!agg.array<4, i32>, index) -> i32
      %21:7 = scf.while (%arg7 = %18, %arg8 = %17, %arg9 = %arg4, %arg10 = %arg5, %arg11 = %arg6, %arg12 = %19, %arg13 = %20) : (index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, i32) -> (index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, i32) {
        %22 = arith.cmpi slt, %arg7, %13 : index
        scf.condition(%22) %arg7, %arg8, %arg9, %arg10, %arg11, %arg12, %arg13 : index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, i32
      } do {
      ^bb0(%arg14: index, %arg15: index, %arg16: !agg.array<4, index>, %arg17: !t_array, %arg18: !agg.array<4, i32>, %arg19: !t_orders, %arg20: i32):
        %23 = arith.subi %c2, %arg15 : index
        %24 = arith.cmpi sgt, %23, %c0 : index
        %25 = arith.subi %13, %arg14 : index
        %26 = arith.addi %25, %c1 : index
        %27 = arith.maxui %23, %c1 : index
        %28 = arith.addi %27, %c1 : index
        %29:2 = scf.while (%arg21 = %c1, %arg22 = %c0) : (index, index) -> (index, index) {
          %30 = arith.cmpi slt, %arg21, %26 : index
          scf.condition(%30) %arg21, %arg22 : index, index
        } do {
        ^bb0(%arg23: index, %arg24: index):
          %31 = arith.addi %arg24, %c1 : index
          %32 = arith.addi %28, %31 : index
          %33 = arith.muli %arg23, %32 : index
          %34 = arith.divui %33, %31 : index
          scf.yield %34, %31 : index, index
        }
        %35 = arith.muli %29#0, %28 : index
        %36 = arith.addi %28, %29#1 : index
        %37 = arith.divui %35, %36 : index
        %38 = arith.muli %29#0, %29#1 : index
        %39 = arith.divui %38, %36 : index
        %40 = arith.addi %29#1, %c-1 : index
        %41 = arith.muli %39, %40 : index
        %42 = arith.addi %36, %c-1 : index
        %43 = arith.divui %41, %42 : index
        %44 = arith.maxui %43, %c1 : index
        %45 = arith.subi %26, %44 : index
        %46 = arith.minui %37, %45 : index
        %47 = arith.maxui %46, %c1 : index
        %48 = arith.subi %26, %47 : index
        %49 = arith.select %24, %48, %25 : index
        %50:2 = scf.for %arg25 = %c0 to %49 step %c1 iter_args(%arg26 = %arg19, %arg27 = %arg20) -> (!t_orders, i32) {
          %sqrtf_2 = arith.addi %arg27, %c-1_i32 : i32
          %p_3 = scf.for %arg28 = %c0 to %c2 step %c1 iter_args(%p_4 = %arg26) -> (!t_orders) {
            %51 = agg.extract %p_4[] {path = array<i64: 0>} : (!t_orders) -> f64
            %52 = vector.broadcast %51 : f64 to vector<2xf64>
            %53 = agg.extract %p_4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %54 = vector.broadcast %53 : f64 to vector<2xf64>
            %55 = arith.mulf %52, %54 : vector<2xf64>
            %56 = vector.reduction <add>, %55 : vector<2xf64> into f64
            %57 = arith.mulf %56, %cst_0 : f64
            %58 = agg.extract %p_4[] {path = array<i64: 1>} : (!t_orders) -> f64
            %59 = arith.addf %58, %57 : f64
            %p_5 = agg.insert %59, %p_4[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
            scf.yield %p_5 : !t_orders
          }
          %60 = arith.andi %sqrtf_2, %c2_i32 : i32
          %61 = arith.cmpi ne, %60, %wrt00 : i32
          %62 = arith.select %61, %sqrtf_2, %transposed : i32
          %63 = arith.cmpi slt, %62, %c5_i32 : i32
          %64 = arith.select %63, %transposed, %sqrtf_2 : i32
          %65 = agg.extract %p_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
          %66 = arith.mulf %65, %cst_2 : f64
          %67 = math.powf %cst_1, %66 : f64
          %68 = func.call @wrt10(%64, %67) : (i32, f64) -> f64
          %69 = math.sin %68 : f64
          %70 = agg.extract %p_3[] {path = array<i64: 0>} : (!t_orders) -> f64
          %71 = arith.addf %70, %69 : f64
          %p_6 = agg.insert %71, %p_3[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
          scf.yield %p_6, %sqrtf_2 : !t_orders, i32
        }
        %72 = arith.addi %arg14, %49 : index
        %73 = arith.addi %arg15, %c1 : index
        %74 = arith.select %24, %73, %c3 : index
        %75 = arith.select %24, %73, %arg15 : index
        %76 = agg.insert %72, %arg16[%74] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
        %77 = agg.insert %50#0, %arg17[%74] {path = array<i64: -1>} : (!t_orders, !t_array, index) -> !t_array
        %78 = agg.insert %50#1, %arg18[%74] {path = array<i64: -1>} : (i32, !agg.array<4, i32>, index) -> !agg.array<4, i32>
        scf.yield %72, %75, %76, %77, %78, %50#0, %50#1 : index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, i32
      }
      %sqrtf_2_0 = arith.addi %21#6, %c-1_i32_0 : i32
      %79 = agg.zero {unread} : !agg.array<2, f64>
      %p_3_0, %80, %81 = scf.for %arg29 = %c0 to %c2_0 step %c1 iter_args(%p_4_0 = %21#5, %arg30 = %79, %arg31 = %79) -> (!t_orders, !agg.array<2, f64>, !agg.array<2, f64>) {
        %82 = agg.extract %p_4_0[] {path = array<i64: 0>} : (!t_orders) -> f64
        %83 = vector.broadcast %82 : f64 to vector<2xf64>
        %84 = agg.extract %p_4_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %85 = vector.broadcast %84 : f64 to vector<2xf64>
        %86 = arith.mulf %83, %85 : vector<2xf64>
        %87 = vector.reduction <add>, %86 : vector<2xf64> into f64
        %88 = arith.mulf %87, %cst_3 : f64
        %89 = agg.extract %p_4_0[] {path = array<i64: 1>} : (!t_orders) -> f64
        %90 = arith.addf %89, %88 : f64
        %p_5_0 = agg.insert %90, %p_4_0[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %91 = agg.insert %82, %arg30[%arg29] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %92 = agg.insert %84, %arg31[%arg29] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        scf.yield %p_5_0, %91, %92 : !t_orders, !agg.array<2, f64>, !agg.array<2, f64>
      }
      %93 = arith.andi %sqrtf_2_0, %c2_i32_0 : i32
      %94 = arith.cmpi ne, %93, %wrt00 : i32
      %95 = arith.select %94, %sqrtf_2_0, %transposed : i32
      %96 = arith.cmpi slt, %95, %c5_i32_0 : i32
      %cosf = arith.select %96, %transposed, %sqrtf_2_0 : i32
      %97 = agg.extract %p_3_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %98 = arith.mulf %97, %cst_5 : f64
      %x = math.powf %cst_4, %98 : f64
      %99 = arith.mulf %x, %cst_6 : f64
      %100 = arith.andi %cosf, %c3_i32 : i32
      %101 = arith.cmpi eq, %100, %wrt00 : i32
      %result = scf.if %101 -> (!t_arith) {
        %102 = arith.mulf %x, %cst_5 : f64
        %init = agg.make %102 : (f64) -> !t_super
        %c1_i32_2 = arith.constant 1 : i32
        %103 = agg.zero : !t_of00
        %result_0 = agg.make %c1_i32_2, %init, %103 : (i32, !t_super, !t_of00) -> !t_arith
        scf.yield %result_0 : !t_arith
      } else {
        %cst_8 = arith.constant 1.5 : f64
        %104 = arith.mulf %x, %cst_8 : f64
        %init_0 = agg.make %104 : (f64) -> !t_of00
        %105 = agg.zero : !t_super
        %result_1 = agg.make %c2_i32_0, %105, %init_0 : (i32, !t_super, !t_of00) -> !t_arith
        scf.yield %result_1 : !t_arith
      }
      %106 = arith.extsi %100 : i32 to i64
      %107 = arith.maxsi %106, %c0_i64 : i64
      %108 = arith.index_cast %107 : i64 to index
      %init_0_0, %tex = scf.for %arg32 = %c0 to %108 step %c1 iter_args(%init_1 = %result, %tex_0 = %x) -> (!t_arith, f64) {
        %get_0 = arith.index_cast %arg32 : index to i32
        %109 = agg.extract %init_1[] {path = array<i64: 0>} : (!t_arith) -> i32
        %110 = arith.index_cast %109 : i32 to index
        %111 = scf.index_switch %110 -> f64
        case 1 {
          %wrt0 = agg.extract %init_1[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
          scf.yield %wrt0 : f64
        }
        case 2 {
          scf.yield %cst : f64
        }
        default {
          scf.yield %cst : f64
        }
        %tex_1 = math.sin %111 : f64
        %112 = arith.andi %get_0, %c1_i32 : i32
        %113 = arith.cmpi eq, %112, %wrt00 : i32
        %init_2 = scf.if %113 -> (!t_arith) {
          %114 = arith.addi %cosf, %get_0 : i32
          %115 = arith.andi %114, %c3_i32 : i32
          %116 = arith.cmpi eq, %115, %wrt00 : i32
          %result_2 = scf.if %116 -> (!t_arith) {
            %117 = arith.mulf %tex_1, %cst_5 : f64
            %init_3 = agg.make %117 : (f64) -> !t_super
            %118 = agg.zero : !t_of00
            %result_0_0 = agg.make %c1_i32, %init_3, %118 : (i32, !t_super, !t_of00) -> !t_arith
            scf.yield %result_0_0 : !t_arith
          } else {
            %cst_9 = arith.constant 1.5 : f64
            %119 = arith.mulf %tex_1, %cst_9 : f64
            %init_0_1 = agg.make %119 : (f64) -> !t_of00
            %120 = agg.zero : !t_super
            %result_1_0 = agg.make %c2_i32_0, %120, %init_0_1 : (i32, !t_super, !t_of00) -> !t_arith
            scf.yield %result_1_0 : !t_arith
          }
          scf.yield %result_2 : !t_arith
        } else {
          scf.yield %init_1 : !t_arith
        }
        scf.yield %init_2, %tex_1 : !t_arith, f64
      }
      %121 = agg.extract %init_0_0[] {path = array<i64: 0>} : (!t_arith) -> i32
      %122 = arith.index_cast %121 : i32 to index
      %123 = scf.index_switch %122 -> f64
      case 1 {
        %wrt0_0 = agg.extract %init_0_0[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
        scf.yield %wrt0_0 : f64
      }
      case 2 {
        scf.yield %cst : f64
      }
      default {
        scf.yield %cst : f64
      }
      %124 = arith.mulf %123, %cst_5 : f64
      %125 = arith.addf %tex, %124 : f64
      %126 = math.cos %125 : f64
      %127 = agg.extract %arg2[] {path = array<i64: 0>} : (!t_orders) -> f64
      %128 = strong.gated_mulf %127, %126 : f64
      %129 = arith.mulf %128, %cst_5 : f64
      %130 = scf.index_switch %122 -> !t_super
      case 1 {
        %132 = agg.make %129 : (f64) -> !t_super
        scf.yield %132 : !t_super
      }
      case 2 {
        %133 = agg.zero : !t_super
        scf.yield %133 : !t_super
      }
      default {
        %131 = agg.zero : !t_super
        scf.yield %131 : !t_super
      }
      %134 = agg.make %130, %9 : (!t_super, !t_of00) -> !t_arith_Differential
      %135 = arith.addf %128, %cst : f64
      %136 = agg.make %result, %10, %10, %10 : (!t_arith, !t_arith, !t_arith, !t_arith) -> !agg.array<4, !t_arith>
      %137 = arith.addi %108, %c-1 : index
      %138:5 = scf.for %arg33 = %c0 to %108 step %c1 iter_args(%arg34 = %134, %arg35 = %135, %arg36 = %c0, %arg37 = %4, %arg38 = %136) -> (!t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>) {
        %139 = arith.subi %137, %arg33 : index
        %140 = agg.extract %arg37[%arg36] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
        %141 = arith.cmpi sgt, %140, %139 : index
        %142 = arith.addi %arg36, %c-1 : index
        %143 = arith.select %141, %142, %arg36 : index
        %144 = agg.extract %arg37[%143] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
        %145 = agg.extract %arg38[%143] {path = array<i64: -1>} : (!agg.array<4, !t_arith>, index) -> !t_arith
        %146:5 = scf.while (%arg39 = %144, %arg40 = %143, %arg41 = %arg37, %arg42 = %arg38, %arg43 = %145) : (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith) -> (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith) {
          %147 = arith.cmpi slt, %arg39, %139 : index
          scf.condition(%147) %arg39, %arg40, %arg41, %arg42, %arg43 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith
        } do {
        ^bb0(%arg44: index, %arg45: index, %arg46: !agg.array<4, index>, %arg47: !agg.array<4, !t_arith>, %arg48: !t_arith):
          %148 = arith.subi %c2_0, %arg45 : index
          %149 = arith.cmpi sgt, %148, %c0 : index
          %150 = arith.subi %139, %arg44 : index
          %151 = arith.addi %150, %c1 : index
          %152 = arith.maxui %148, %c1 : index
          %153 = arith.addi %152, %c1 : index
          %154:2 = scf.while (%arg49 = %c1, %arg50 = %c0) : (index, index) -> (index, index) {
            %155 = arith.cmpi slt, %arg49, %151 : index
            scf.condition(%155) %arg49, %arg50 : index, index
          } do {
          ^bb0(%arg51: index, %arg52: index):
            %156 = arith.addi %arg52, %c1 : index
            %157 = arith.addi %153, %156 : index
            %158 = arith.muli %arg51, %157 : index
            %159 = arith.divui %158, %156 : index
            scf.yield %159, %156 : index, index
          }
          %160 = arith.muli %154#0, %153 : index
          %161 = arith.addi %153, %154#1 : index
          %162 = arith.divui %160, %161 : index
          %163 = arith.muli %154#0, %154#1 : index
          %164 = arith.divui %163, %161 : index
          %165 = arith.addi %154#1, %c-1 : index
          %166 = arith.muli %164, %165 : index
          %167 = arith.addi %161, %c-1 : index
          %168 = arith.divui %166, %167 : index
          %169 = arith.maxui %168, %c1 : index
          %170 = arith.subi %151, %169 : index
          %171 = arith.minui %162, %170 : index
          %172 = arith.maxui %171, %c1 : index
          %173 = arith.subi %151, %172 : index
          %174 = arith.select %149, %173, %150 : index
          %175 = scf.for %arg53 = %c0 to %174 step %c1 iter_args(%arg54 = %arg48) -> (!t_arith) {
            %176 = arith.addi %arg44, %arg53 : index
            %get_0_0 = arith.index_cast %176 : index to i32
            %177 = agg.extract %arg54[] {path = array<i64: 0>} : (!t_arith) -> i32
            %178 = arith.index_cast %177 : i32 to index
            %179 = scf.index_switch %178 -> f64
            case 1 {
              %wrt0_1 = agg.extract %arg54[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
              scf.yield %wrt0_1 : f64
            }
            case 2 {
              scf.yield %cst : f64
            }
            default {
              scf.yield %cst : f64
            }
            %tex_1_0 = math.sin %179 : f64
            %180 = arith.andi %get_0_0, %c1_i32_0 : i32
            %181 = arith.cmpi eq, %180, %wrt00 : i32
            %init_2_0 = scf.if %181 -> (!t_arith) {
              %182 = arith.addi %cosf, %get_0_0 : i32
              %183 = arith.andi %182, %c3_i32 : i32
              %184 = arith.cmpi eq, %183, %wrt00 : i32
              %result_3 = scf.if %184 -> (!t_arith) {
                %185 = arith.mulf %tex_1_0, %cst_5 : f64
                %init_4 = agg.make %185 : (f64) -> !t_super
                %result_0_1 = agg.make %c1_i32_0, %init_4, %9 : (i32, !t_super, !t_of00) -> !t_arith
                scf.yield %result_0_1 : !t_arith
              } else {
                %cst_10 = arith.constant 1.5 : f64
                %186 = arith.mulf %tex_1_0, %cst_10 : f64
                %init_0_2 = agg.make %186 : (f64) -> !t_of00
                %187 = agg.zero : !t_super
                %result_1_1 = agg.make %c2_i32_0, %187, %init_0_2 : (i32, !t_super, !t_of00) -> !t_arith
                scf.yield %result_1_1 : !t_arith
              }
              scf.yield %result_3 : !t_arith
            } else {
              scf.yield %arg54 : !t_arith
            }
            scf.yield %init_2_0 : !t_arith
          }
          %188 = arith.addi %arg44, %174 : index
          %189 = arith.addi %arg45, %c1 : index
          %190 = arith.select %149, %189, %c3_0 : index
          %191 = arith.select %149, %189, %arg45 : index
          %192 = agg.insert %188, %arg46[%190] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
          %193 = agg.insert %175, %arg47[%190] {path = array<i64: -1>} : (!t_arith, !agg.array<4, !t_arith>, index) -> !agg.array<4, !t_arith>
          scf.yield %188, %191, %192, %193, %175 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith
        }
        %get_0_1 = arith.index_cast %139 : index to i32
        %194 = agg.extract %146#4[] {path = array<i64: 0>} : (!t_arith) -> i32
        %195 = arith.index_cast %194 : i32 to index
        %196 = scf.index_switch %195 -> f64
        case 1 {
          %wrt0_2 = agg.extract %146#4[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
          scf.yield %wrt0_2 : f64
        }
        case 2 {
          scf.yield %cst : f64
        }
        default {
          scf.yield %cst : f64
        }
        %197 = math.cos %196 : f64
        %198 = arith.andi %get_0_1, %c1_i32_1 : i32
        %199 = arith.cmpi eq, %198, %wrt00 : i32
        %200 = scf.if %199 -> (!t_jvpp_primal_Context) {
          %201 = arith.addi %cosf, %get_0_1 : i32
          %202 = arith.andi %201, %c3_i32 : i32
          %203 = arith.cmpi eq, %202, %wrt00 : i32
          %204 = agg.make %203 : (i1) -> !t_jvpp_primal_Context
          scf.yield %204 : !t_jvpp_primal_Context
        } else {
          %205 = agg.zero : !t_jvpp_primal_Context
          scf.yield %205 : !t_jvpp_primal_Context
        }
        %206 = scf.if %199 -> (!t_arith_Differential) {
          scf.yield %11 : !t_arith_Differential
        } else {
          scf.yield %arg34 : !t_arith_Differential
        }
        %207 = scf.if %199 -> (f64) {
          %208 = agg.extract %200[] {path = array<i64: 0>} : (!t_jvpp_primal_Context) -> i1
          %209 = scf.if %208 -> (f64) {
            %210 = agg.extract %arg34[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
            %211 = arith.mulf %210, %cst_5 : f64
            scf.yield %211 : f64
          } else {
            %cst_11 = arith.constant 1.5 : f64
            %212 = agg.extract %arg34[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
            %213 = arith.mulf %212, %cst_11 : f64
            scf.yield %213 : f64
          }
          %214 = arith.addf %arg35, %209 : f64
          scf.yield %214 : f64
        } else {
          scf.yield %arg35 : f64
        }
        %215 = strong.gated_mulf %207, %197 : f64
        %216 = scf.index_switch %195 -> !t_super
        case 1 {
          %218 = agg.make %215 : (f64) -> !t_super
          scf.yield %218 : !t_super
        }
        case 2 {
          %219 = agg.zero : !t_super
          scf.yield %219 : !t_super
        }
        default {
          %217 = agg.zero : !t_super
          scf.yield %217 : !t_super
        }
        %220 = agg.extract %206[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %221 = agg.extract %216[] {path = array<i64: 0>} : (!t_super) -> f64
        %222 = arith.addf %220, %221 : f64
        %223 = agg.make %222 : (f64) -> !t_super
        %224 = agg.extract %206[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
        %225 = arith.addf %224, %cst : f64
        %226 = agg.make %225 : (f64) -> !t_of00
        %227 = agg.make %223, %226 : (!t_super, !t_of00) -> !t_arith_Differential
        scf.yield %227, %cst, %146#1, %146#2, %146#3 : !t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>
      }
      %228 = scf.if %101 -> (f64) {
        %229 = agg.extract %138#0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %230 = arith.mulf %229, %cst_5 : f64
        scf.yield %230 : f64
      } else {
        %cst_12 = arith.constant 1.5 : f64
        %231 = agg.extract %138#0[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
        %232 = arith.mulf %231, %cst_12 : f64
        scf.yield %232 : f64
      }
      %233 = arith.addf %138#1, %228 : f64
      %234 = strong.gated_mulf %233, %99 : f64
      %235 = arith.mulf %234, %cst_5 : f64
      %236 = agg.extract %arg2[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %237 = arith.addf %236, %235 : f64
      %238 = agg.insert %237, %arg2[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
      %239 = scf.for %arg55 = %c0 to %c2_0 step %c1 iter_args(%arg56 = %238) -> (!t_orders) {
        %240 = arith.subi %c1, %arg55 : index
        %241 = agg.extract %80[%240] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %242 = agg.extract %81[%240] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %x_0 = vector.broadcast %241 : f64 to vector<2xf64>
        %y = vector.broadcast %242 : f64 to vector<2xf64>
        %243 = agg.extract %arg56[] {path = array<i64: 1>} : (!t_orders) -> f64
        %244 = arith.mulf %243, %cst_7 : f64
        %245 = vector.broadcast %244 : f64 to vector<2xf64>
        %246 = strong.gated_mulf %245, %x_0 : vector<2xf64>
        %247 = strong.gated_mulf %245, %y : vector<2xf64>
        %248 = vector.reduction <add>, %246 : vector<2xf64> into f64
        %249 = agg.extract %arg56[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %250 = arith.addf %249, %248 : f64
        %251 = agg.insert %250, %arg56[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
        %252 = vector.reduction <add>, %247 : vector<2xf64> into f64
        %253 = agg.extract %arg56[] {path = array<i64: 0>} : (!t_orders) -> f64
        %254 = arith.addf %253, %252 : f64
        %255 = agg.insert %254, %251[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
        scf.yield %255 : !t_orders
      }
      scf.yield %239, %21#1, %21#2, %21#3, %21#4 : !t_orders, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>
    }
    func.return %12#0, %true, %true, %true : !t_orders, i1, i1, i1
  }
  func.func private @stage.primal(%x: !t_orders, %differential: i32, %transposed: i32, %at: i32) -> (f64, !t_stage_primal_Context) attributes {differentiable = "both"} {
    %primalp, %0 = func.call @math.primal(%x, %differential, %transposed) : (!t_orders, i32, i32) -> (!t_threadIdx, !t_math_primal_Context)
    %1 = agg.global @data : !agg.buffer<f64, "rw">
    %2 = arith.index_cast %at : i32 to index
    %3 = agg.buffer_load %1, %2[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %4 = agg.extract %primalp[] {path = array<i64: 0>} : (!t_threadIdx) -> f64
    %5 = arith.mulf %3, %4 : f64
    %6 = agg.make %at, %0 : (i32, !t_math_primal_Context) -> !t_stage_primal_Context
    func.return %5, %6 : f64, !t_stage_primal_Context
  }
  func.func private @stage.bwd(%context: !t_stage_primal_Context, %arg0: f64) -> (!t_orders, i1, i1, i1) attributes {differentiable = "both", ad.gives = array<i64: 0, 0, 0>} {
    %at = agg.extract %context[] {path = array<i64: 0>} : (!t_stage_primal_Context) -> i32
    %0 = agg.extract %context[] {path = array<i64: 1>} : (!t_stage_primal_Context) -> !t_math_primal_Context
    %1 = agg.global @data : !agg.buffer<f64, "rw">
    %2 = arith.index_cast %at : i32 to index
    %3 = agg.buffer_load %1, %2[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %4 = arith.mulf %arg0, %3 : f64
    %5 = agg.make %4 : (f64) -> !t_threadIdx
    %6:4 = func.call @math.bwd(%0, %5) : (!t_math_primal_Context, !t_threadIdx) -> (!t_orders, i1, i1, i1)
    func.return %6#0, %6#1, %6#2, %6#3 : !t_orders, i1, i1, i1
  }
  func.func private @stage.fwd(%x: !t_orders, %differential: i32, %transposed: i32, %at: i32, %x_d: !t_orders) -> (f64, f64) attributes {differentiable = "both"} {
    %primalp, %primalp_d = func.call @math.fwd(%x, %differential, %transposed, %x_d) : (!t_orders, i32, i32, !t_orders) -> (!t_threadIdx, !t_threadIdx)
    %0 = agg.global @data : !agg.buffer<f64, "rw">
    %1 = arith.index_cast %at : i32 to index
    %2 = agg.buffer_load %0, %1[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %3 = agg.extract %primalp[] {path = array<i64: 0>} : (!t_threadIdx) -> f64
    %4 = agg.extract %primalp_d[] {path = array<i64: 0>} : (!t_threadIdx) -> f64
    %5 = arith.mulf %2, %3 : f64
    %6 = arith.mulf %4, %2 : f64
    func.return %5, %6 : f64, f64
  }
  func.func private @math.fwd(%p: !t_orders, %differential: i32, %transposed: i32, %p_d: !t_orders) -> (!t_threadIdx, !t_threadIdx) attributes {differentiable = "both"} {
    %true = arith.constant true
    %c-1_i32 = arith.constant -1 : i32
    %wrt00 = arith.constant 0 : i32
    %c2 = arith.constant 2 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.25 : f64
    %c2_i32 = arith.constant 2 : i32
    %c5_i32 = arith.constant 5 : i32
    %cst_0 = arith.constant 1.7397127693021015 : f64
    %cst_1 = arith.constant 0.5 : f64
    %cst_2 = arith.constant 0.5537200244863067 : f64
    %0 = arith.cmpi slt, %transposed, %c5_i32 : i32
    %false = arith.constant false
    %1, %p_0, %sqrtf, %p_0_d = scf.while (%arg0 = %true, %p_1 = %p, %sqrtf_0 = %transposed, %p_1_d = %p_d) : (i1, !t_orders, i32, !t_orders) -> (i1, !t_orders, i32, !t_orders) {
      scf.condition(%arg0) %arg0, %p_1, %sqrtf_0, %p_1_d : i1, !t_orders, i32, !t_orders
    } do {
    ^bb0(%arg1: i1, %p_2: !t_orders, %sqrtf_1: i32, %p_2_d: !t_orders):
      %sqrtf_2 = arith.addi %sqrtf_1, %c-1_i32 : i32
      %p_3, %p_3_d = scf.for %arg2 = %c0 to %c2 step %c1 iter_args(%p_4 = %p_2, %p_4_d = %p_2_d) -> (!t_orders, !t_orders) {
        %2 = agg.extract %p_4[] {path = array<i64: 0>} : (!t_orders) -> f64
        %3 = agg.extract %p_4_d[] {path = array<i64: 0>} : (!t_orders) -> f64
        %4 = vector.broadcast %2 : f64 to vector<2xf64>
        %5 = vector.broadcast %3 : f64 to vector<2xf64>
        %6 = agg.extract %p_4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %7 = agg.extract %p_4_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %8 = vector.broadcast %6 : f64 to vector<2xf64>
        %9 = vector.broadcast %7 : f64 to vector<2xf64>
        %10 = arith.mulf %4, %8 : vector<2xf64>
        %11 = arith.mulf %5, %8 : vector<2xf64>
        %12 = arith.mulf %9, %4 : vector<2xf64>
        %13 = arith.addf %11, %12 : vector<2xf64>
        %14 = vector.reduction <add>, %10 : vector<2xf64> into f64
        %15 = vector.reduction <add>, %13 : vector<2xf64> into f64
        %16 = arith.mulf %14, %cst : f64
        %17 = arith.mulf %15, %cst : f64
        %18 = agg.extract %p_4[] {path = array<i64: 1>} : (!t_orders) -> f64
        %19 = agg.extract %p_4_d[] {path = array<i64: 1>} : (!t_orders) -> f64
        %20 = arith.addf %18, %16 : f64
        %21 = arith.addf %19, %17 : f64
        %p_5 = agg.insert %20, %p_4[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d = agg.insert %21, %p_4_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        scf.yield %p_5, %p_5_d : !t_orders, !t_orders
      }
      %22 = arith.andi %sqrtf_2, %c2_i32 : i32
      %23 = arith.cmpi ne, %22, %wrt00 : i32
      %24 = arith.select %23, %sqrtf_2, %transposed : i32
      %25 = arith.cmpi slt, %24, %c5_i32 : i32
      %26 = arith.select %25, %transposed, %sqrtf_2 : i32
      %27 = agg.extract %p_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %28 = agg.extract %p_3_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %29 = arith.mulf %27, %cst_1 : f64
      %30 = arith.mulf %28, %cst_1 : f64
      %31 = math.powf %cst_0, %29 : f64
      %32 = arith.mulf %31, %cst_2 : f64
      %33 = arith.mulf %30, %32 : f64
      %34:2 = func.call @wrt10.fwd(%26, %31, %33) : (i32, f64, f64) -> (f64, f64)
      %35 = math.sin %34#0 : f64
      %36 = math.cos %34#0 : f64
      %37 = arith.mulf %34#1, %36 : f64
      %38 = agg.extract %p_3[] {path = array<i64: 0>} : (!t_orders) -> f64
      %39 = agg.extract %p_3_d[] {path = array<i64: 0>} : (!t_orders) -> f64
      %40 = arith.addf %38, %35 : f64
      %41 = arith.addf %39, %37 : f64
      %p_6 = agg.insert %40, %p_3[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %p_6_d = agg.insert %41, %p_3_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %42 = arith.cmpi sgt, %sqrtf_2, %wrt00 : i32
      %43 = arith.select %42, %0, %false : i1
      scf.yield %43, %p_6, %sqrtf_2, %p_6_d : i1, !t_orders, i32, !t_orders
    } attributes {ad.snapshots = 3}
    %44 = agg.extract %p_0[] {path = array<i64: 1>} : (!t_orders) -> f64
    %45 = agg.extract %p_0_d[] {path = array<i64: 1>} : (!t_orders) -> f64
    %vprintf = agg.make %44 : (f64) -> !t_threadIdx
    %vprintf_d = agg.make %45 : (f64) -> !t_threadIdx
    func.return %vprintf, %vprintf_d : !t_threadIdx, !t_threadIdx
  }
  func.func private @dot.double.2.fwd(%x: vector<2xf64>, %y: vector<2xf64>, %x_d: vector<2xf64>, %y_d: vector<2xf64>) -> (f64, f64) attributes {differentiable = "both"} {
    %0 = arith.mulf %x, %y : vector<2xf64>
    %1 = arith.mulf %x_d, %y : vector<2xf64>
    %2 = arith.mulf %y_d, %x : vector<2xf64>
    %3 = arith.addf %1, %2 : vector<2xf64>
    %4 = vector.reduction <add>, %0 : vector<2xf64> into f64
    %5 = vector.reduction <add>, %3 : vector<2xf64> into f64
    func.return %4, %5 : f64, f64
  }
  func.func private @wrt10.fwd(%cosf: i32, %x: f64, %x_d: f64) -> (f64, f64) attributes {differentiable = "both"} {
    %c3_i32 = arith.constant 3 : i32
    %0 = arith.andi %cosf, %c3_i32 : i32
    %get = arith.constant 0 : i32
    %1 = arith.cmpi eq, %0, %get : i32
    %result, %result_d = scf.if %1 -> (!t_arith, !t_arith_Differential) {
      %cst = arith.constant 0.5 : f64
      %2 = arith.mulf %x, %cst : f64
      %3 = arith.mulf %x_d, %cst : f64
      %init = agg.make %2 : (f64) -> !t_super
      %init_d = agg.make %3 : (f64) -> !t_super
      %c1_i32 = arith.constant 1 : i32
      %4 = agg.zero : !t_of00
      %result_0 = agg.make %c1_i32, %init, %4 : (i32, !t_super, !t_of00) -> !t_arith
      %result_0_d = agg.make %init_d, %4 : (!t_super, !t_of00) -> !t_arith_Differential
      scf.yield %result_0, %result_0_d : !t_arith, !t_arith_Differential
    } else {
      %cst_0 = arith.constant 1.5 : f64
      %5 = arith.mulf %x, %cst_0 : f64
      %6 = arith.mulf %x_d, %cst_0 : f64
      %init_0 = agg.make %5 : (f64) -> !t_of00
      %init_0_d = agg.make %6 : (f64) -> !t_of00
      %c2_i32 = arith.constant 2 : i32
      %7 = agg.zero : !t_super
      %result_1 = agg.make %c2_i32, %7, %init_0 : (i32, !t_super, !t_of00) -> !t_arith
      %result_1_d = agg.make %7, %init_0_d : (!t_super, !t_of00) -> !t_arith_Differential
      scf.yield %result_1, %result_1_d : !t_arith, !t_arith_Differential
    }
    %c0_i64 = arith.constant 0 : i64
    %8 = arith.extsi %0 : i32 to i64
    %9 = arith.maxsi %8, %c0_i64 : i64
    %10 = arith.index_cast %9 : i64 to index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst_1 = arith.constant 0.0 : f64
    %c1_i32_0 = arith.constant 1 : i32
    %init_0_0, %tex, %init_0_d_0, %tex_d = scf.for %arg0 = %c0 to %10 step %c1 iter_args(%init_1 = %result, %tex_0 = %x, %init_1_d = %result_d, %tex_0_d = %x_d) -> (!t_arith, f64, !t_arith_Differential, f64) {
      %get_0 = arith.index_cast %arg0 : index to i32
      %11 = agg.extract %init_1[] {path = array<i64: 0>} : (!t_arith) -> i32
      %12 = arith.index_cast %11 : i32 to index
      %13:2 = scf.index_switch %12 -> f64, f64
      case 1 {
        %wrt0 = agg.extract %init_1[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
        %wrt0_d = agg.extract %init_1_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        scf.yield %wrt0, %wrt0_d : f64, f64
      }
      case 2 {
        scf.yield %cst_1, %cst_1 : f64, f64
      }
      default {
        scf.yield %cst_1, %cst_1 : f64, f64
      }
      %tex_1 = math.sin %13#0 : f64
      %14 = math.cos %13#0 : f64
      %tex_1_d = arith.mulf %13#1, %14 : f64
      %15 = arith.andi %get_0, %c1_i32_0 : i32
      %16 = arith.cmpi eq, %15, %get : i32
      %init_2, %init_2_d = scf.if %16 -> (!t_arith, !t_arith_Differential) {
        %17 = arith.addi %cosf, %get_0 : i32
        %18 = arith.andi %17, %c3_i32 : i32
        %19 = arith.cmpi eq, %18, %get : i32
        %result_2, %result_d_0 = scf.if %19 -> (!t_arith, !t_arith_Differential) {
          %cst_2 = arith.constant 0.5 : f64
          %20 = arith.mulf %tex_1, %cst_2 : f64
          %21 = arith.mulf %tex_1_d, %cst_2 : f64
          %init_3 = agg.make %20 : (f64) -> !t_super
          %init_d_0 = agg.make %21 : (f64) -> !t_super
          %22 = agg.zero : !t_of00
          %result_0_0 = agg.make %c1_i32_0, %init_3, %22 : (i32, !t_super, !t_of00) -> !t_arith
          %result_0_d_0 = agg.make %init_d_0, %22 : (!t_super, !t_of00) -> !t_arith_Differential
          scf.yield %result_0_0, %result_0_d_0 : !t_arith, !t_arith_Differential
        } else {
          %cst_3 = arith.constant 1.5 : f64
          %23 = arith.mulf %tex_1, %cst_3 : f64
          %24 = arith.mulf %tex_1_d, %cst_3 : f64
          %init_0_1 = agg.make %23 : (f64) -> !t_of00
          %init_0_d_1 = agg.make %24 : (f64) -> !t_of00
          %c2_i32_0 = arith.constant 2 : i32
          %25 = agg.zero : !t_super
          %result_1_0 = agg.make %c2_i32_0, %25, %init_0_1 : (i32, !t_super, !t_of00) -> !t_arith
          %result_1_d_0 = agg.make %25, %init_0_d_1 : (!t_super, !t_of00) -> !t_arith_Differential
          scf.yield %result_1_0, %result_1_d_0 : !t_arith, !t_arith_Differential
        }
        scf.yield %result_2, %result_d_0 : !t_arith, !t_arith_Differential
      } else {
        scf.yield %init_1, %init_1_d : !t_arith, !t_arith_Differential
      }
      scf.yield %init_2, %tex_1, %init_2_d, %tex_1_d : !t_arith, f64, !t_arith_Differential, f64
    } {ad.snapshots = 3}
    %cst_4 = arith.constant 0.5 : f64
    %cst_5 = arith.constant 0.0 : f64
    %26 = agg.extract %init_0_0[] {path = array<i64: 0>} : (!t_arith) -> i32
    %27 = arith.index_cast %26 : i32 to index
    %28:2 = scf.index_switch %27 -> f64, f64
    case 1 {
      %wrt0_0 = agg.extract %init_0_0[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
      %wrt0_d_0 = agg.extract %init_0_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
      scf.yield %wrt0_0, %wrt0_d_0 : f64, f64
    }
    case 2 {
      scf.yield %cst_5, %cst_5 : f64, f64
    }
    default {
      scf.yield %cst_5, %cst_5 : f64, f64
    }
    %29 = arith.mulf %28#0, %cst_4 : f64
    %30 = arith.mulf %28#1, %cst_4 : f64
    %31 = arith.addf %tex, %29 : f64
    %32 = arith.addf %tex_d, %30 : f64
    func.return %31, %32 : f64, f64
  }
  func.func private @jvpp.fwd(%cosf: i32, %x: f64, %x_d: f64) -> (!t_arith, !t_arith_Differential) attributes {differentiable = "both"} {
    %c3_i32 = arith.constant 3 : i32
    %0 = arith.andi %cosf, %c3_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi eq, %0, %c0_i32 : i32
    %result, %result_d = scf.if %1 -> (!t_arith, !t_arith_Differential) {
      %cst = arith.constant 0.5 : f64
      %2 = arith.mulf %x, %cst : f64
      %3 = arith.mulf %x_d, %cst : f64
      %init = agg.make %2 : (f64) -> !t_super
      %init_d = agg.make %3 : (f64) -> !t_super
      %c1_i32 = arith.constant 1 : i32
      %4 = agg.zero : !t_of00
      %result_0 = agg.make %c1_i32, %init, %4 : (i32, !t_super, !t_of00) -> !t_arith
      %result_0_d = agg.make %init_d, %4 : (!t_super, !t_of00) -> !t_arith_Differential
      scf.yield %result_0, %result_0_d : !t_arith, !t_arith_Differential
    } else {
      %cst_0 = arith.constant 1.5 : f64
      %5 = arith.mulf %x, %cst_0 : f64
      %6 = arith.mulf %x_d, %cst_0 : f64
      %init_0 = agg.make %5 : (f64) -> !t_of00
      %init_0_d = agg.make %6 : (f64) -> !t_of00
      %c2_i32 = arith.constant 2 : i32
      %7 = agg.zero : !t_super
      %result_1 = agg.make %c2_i32, %7, %init_0 : (i32, !t_super, !t_of00) -> !t_arith
      %result_1_d = agg.make %7, %init_0_d : (!t_super, !t_of00) -> !t_arith_Differential
      scf.yield %result_1, %result_1_d : !t_arith, !t_arith_Differential
    }
    func.return %result, %result_d : !t_arith, !t_arith_Differential
  }
  func.func private @arith.part.fwd(%this: !t_arith, %x: f64, %cosf: i32, %this_d: !t_arith_Differential, %x_d: f64) -> (f64, f64) attributes {differentiable = "both"} {
    %cst = arith.constant 0.0 : f64
    %0 = agg.extract %this[] {path = array<i64: 0>} : (!t_arith) -> i32
    %1 = arith.index_cast %0 : i32 to index
    %2:2 = scf.index_switch %1 -> f64, f64
    case 1 {
      %wrt0 = agg.extract %this[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
      %wrt0_d = agg.extract %this_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
      scf.yield %wrt0, %wrt0_d : f64, f64
    }
    case 2 {
      scf.yield %cst, %cst : f64, f64
    }
    default {
      scf.yield %cst, %cst : f64, f64
    }
    func.return %2#0, %2#1 : f64, f64
  }
  func.func private @super.part.fwd(%this: !t_super, %x: f64, %cosf: i32, %this_d: !t_super, %x_d: f64) -> (f64, f64) attributes {differentiable = "both"} {
    %wrt0 = agg.extract %this[] {path = array<i64: 0>} : (!t_super) -> f64
    %wrt0_d = agg.extract %this_d[] {path = array<i64: 0>} : (!t_super) -> f64
    func.return %wrt0, %wrt0_d : f64, f64
  }
  func.func private @dot.double.2.fwd.primal(%x: vector<2xf64>, %y: vector<2xf64>, %x_d: vector<2xf64>, %y_d: vector<2xf64>) -> (f64, f64, !t_dot_double_2_fwd_primal_Context) attributes {differentiable = "both"} {
    %0 = arith.mulf %x, %y : vector<2xf64>
    %1 = arith.mulf %x_d, %y : vector<2xf64>
    %2 = arith.mulf %y_d, %x : vector<2xf64>
    %3 = arith.addf %1, %2 : vector<2xf64>
    %4 = vector.reduction <add>, %0 : vector<2xf64> into f64
    %5 = vector.reduction <add>, %3 : vector<2xf64> into f64
    %6 = agg.make %y_d, %x, %x_d, %y : (vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>) -> !t_dot_double_2_fwd_primal_Context
    func.return %4, %5, %6 : f64, f64, !t_dot_double_2_fwd_primal_Context
  }
  func.func private @dot.double.2.fwd.unsure(%context: !t_dot_double_2_fwd_primal_Context, %arg0: f64, %arg1: f64, %arg2: i1, %arg3: i1) -> (vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>, i1, i1, i1, i1) attributes {differentiable = "both", ad.unsure} {
    %y_d = agg.extract %context[] {path = array<i64: 0>} : (!t_dot_double_2_fwd_primal_Context) -> vector<2xf64>
    %x = agg.extract %context[] {path = array<i64: 1>} : (!t_dot_double_2_fwd_primal_Context) -> vector<2xf64>
    %x_d = agg.extract %context[] {path = array<i64: 2>} : (!t_dot_double_2_fwd_primal_Context) -> vector<2xf64>
    %y = agg.extract %context[] {path = array<i64: 3>} : (!t_dot_double_2_fwd_primal_Context) -> vector<2xf64>
    %0 = vector.broadcast %arg1 : f64 to vector<2xf64>
    %1 = vector.broadcast %arg0 : f64 to vector<2xf64>
    %2 = strong.gated_mulf %0, %y_d : vector<2xf64>
    %3 = strong.gated_mulf %0, %x : vector<2xf64>
    %4 = strong.gated_mulf %0, %x_d : vector<2xf64>
    %5 = strong.gated_mulf %0, %y : vector<2xf64>
    %6 = strong.gated_mulf %1, %x : vector<2xf64>
    %cst = arith.constant dense<0.0> : vector<2xf64>
    %7 = arith.select %arg3, %4, %cst : vector<2xf64>
    %8 = arith.select %arg2, %6, %cst : vector<2xf64>
    %9 = arith.addf %7, %8 : vector<2xf64>
    %10 = arith.ori %arg3, %arg2 : i1
    %11 = strong.gated_mulf %1, %y : vector<2xf64>
    %12 = arith.select %arg3, %2, %cst : vector<2xf64>
    %13 = arith.select %arg2, %11, %cst : vector<2xf64>
    %14 = arith.addf %12, %13 : vector<2xf64>
    %15 = arith.select %arg3, %5, %cst : vector<2xf64>
    %16 = arith.select %arg3, %3, %cst : vector<2xf64>
    func.return %14, %9, %15, %16, %10, %10, %arg3, %arg3 : vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>, i1, i1, i1, i1
  }
  func.func private @jvpp.fwd.primal(%cosf: i32, %x: f64, %x_d: f64) -> (!t_arith, !t_arith_Differential, !t_jvpp_fwd_primal_Context) attributes {differentiable = "both"} {
    %c3_i32 = arith.constant 3 : i32
    %0 = arith.andi %cosf, %c3_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi eq, %0, %c0_i32 : i32
    %result, %result_d = scf.if %1 -> (!t_arith, !t_arith_Differential) {
      %cst = arith.constant 0.5 : f64
      %2 = arith.mulf %x, %cst : f64
      %3 = arith.mulf %x_d, %cst : f64
      %init = agg.make %2 : (f64) -> !t_super
      %init_d = agg.make %3 : (f64) -> !t_super
      %c1_i32 = arith.constant 1 : i32
      %4 = agg.zero : !t_of00
      %result_0 = agg.make %c1_i32, %init, %4 : (i32, !t_super, !t_of00) -> !t_arith
      %result_0_d = agg.make %init_d, %4 : (!t_super, !t_of00) -> !t_arith_Differential
      scf.yield %result_0, %result_0_d : !t_arith, !t_arith_Differential
    } else {
      %cst_0 = arith.constant 1.5 : f64
      %5 = arith.mulf %x, %cst_0 : f64
      %6 = arith.mulf %x_d, %cst_0 : f64
      %init_0 = agg.make %5 : (f64) -> !t_of00
      %init_0_d = agg.make %6 : (f64) -> !t_of00
      %c2_i32 = arith.constant 2 : i32
      %7 = agg.zero : !t_super
      %result_1 = agg.make %c2_i32, %7, %init_0 : (i32, !t_super, !t_of00) -> !t_arith
      %result_1_d = agg.make %7, %init_0_d : (!t_super, !t_of00) -> !t_arith_Differential
      scf.yield %result_1, %result_1_d : !t_arith, !t_arith_Differential
    }
    %8 = agg.make %1 : (i1) -> !t_jvpp_fwd_primal_Context
    func.return %result, %result_d, %8 : !t_arith, !t_arith_Differential, !t_jvpp_fwd_primal_Context
  }
  func.func private @jvpp.fwd.unsure(%context: !t_jvpp_fwd_primal_Context, %arg0: !t_arith_Differential, %arg1: !t_arith_Differential, %arg2: i1, %arg3: i1, %arg4: i1, %arg5: i1) -> (f64, f64, i1, i1) attributes {differentiable = "both", ad.unsure} {
    %0 = agg.extract %context[] {path = array<i64: 0>} : (!t_jvpp_fwd_primal_Context) -> i1
    %1 = arith.select %0, %arg2, %arg3 : i1
    %2 = arith.select %0, %arg4, %arg5 : i1
    %3:2 = scf.if %0 -> (f64, f64) {
      %cst = arith.constant 0.5 : f64
      %4 = agg.extract %arg1[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
      %5 = agg.extract %arg0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
      %6 = arith.mulf %4, %cst : f64
      %7 = arith.mulf %5, %cst : f64
      scf.yield %7, %6 : f64, f64
    } else {
      %cst_0 = arith.constant 1.5 : f64
      %8 = agg.extract %arg1[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
      %9 = agg.extract %arg0[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
      %10 = arith.mulf %8, %cst_0 : f64
      %11 = arith.mulf %9, %cst_0 : f64
      scf.yield %11, %10 : f64, f64
    }
    func.return %3#0, %3#1, %1, %2 : f64, f64, i1, i1
  }
  func.func private @super.part.fwd.primal(%this: !t_super, %x: f64, %cosf: i32, %this_d: !t_super, %x_d: f64) -> (f64, f64, !t_super_part_fwd_primal_Context) attributes {differentiable = "both"} {
    %wrt0 = agg.extract %this[] {path = array<i64: 0>} : (!t_super) -> f64
    %wrt0_d = agg.extract %this_d[] {path = array<i64: 0>} : (!t_super) -> f64
    %0 = agg.make : () -> !t_super_part_fwd_primal_Context
    func.return %wrt0, %wrt0_d, %0 : f64, f64, !t_super_part_fwd_primal_Context
  }
  func.func private @super.part.fwd.unsure(%context: !t_super_part_fwd_primal_Context, %arg0: f64, %arg1: f64, %arg2: i1, %arg3: i1) -> (!t_super, f64, !t_super, f64, i1, i1, i1, i1) attributes {differentiable = "both", ad.unsure} {
    %0 = agg.make %arg1 : (f64) -> !t_super
    %1 = agg.make %arg0 : (f64) -> !t_super
    %cst = arith.constant 0.0 : f64
    %false = arith.constant false
    func.return %1, %cst, %0, %cst, %arg2, %false, %arg3, %false : !t_super, f64, !t_super, f64, i1, i1, i1, i1
  }
  func.func private @arith.part.fwd.primal(%this: !t_arith, %x: f64, %cosf: i32, %this_d: !t_arith_Differential, %x_d: f64) -> (f64, f64, !t_arith_part_fwd_primal_Context) attributes {differentiable = "both"} {
    %cst = arith.constant 0.0 : f64
    %0 = agg.extract %this[] {path = array<i64: 0>} : (!t_arith) -> i32
    %1 = arith.index_cast %0 : i32 to index
    %2:3 = scf.index_switch %1 -> f64, f64, !t_super_part_fwd_primal_Context
    case 1 {
      %wrt0 = agg.extract %this[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
      %wrt0_d = agg.extract %this_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
      %4 = agg.make : () -> !t_super_part_fwd_primal_Context
      scf.yield %wrt0, %wrt0_d, %4 : f64, f64, !t_super_part_fwd_primal_Context
    }
    case 2 {
      %5 = agg.zero : !t_super_part_fwd_primal_Context
      scf.yield %cst, %cst, %5 : f64, f64, !t_super_part_fwd_primal_Context
    }
    default {
      %3 = agg.zero : !t_super_part_fwd_primal_Context
      scf.yield %cst, %cst, %3 : f64, f64, !t_super_part_fwd_primal_Context
    }
    %6 = agg.make %0, %2#2 : (i32, !t_super_part_fwd_primal_Context) -> !t_arith_part_fwd_primal_Context
    func.return %2#0, %2#1, %6 : f64, f64, !t_arith_part_fwd_primal_Context
  }
  func.func private @arith.part.fwd.unsure(%context: !t_arith_part_fwd_primal_Context, %arg0: f64, %arg1: f64, %arg2: i1, %arg3: i1) -> (!t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1, i1, i1, i1, i1) attributes {differentiable = "both", ad.unsure} {
    %0 = agg.extract %context[] {path = array<i64: 0>} : (!t_arith_part_fwd_primal_Context) -> i32
    %1 = arith.index_cast %0 : i32 to index
    %cst = arith.constant 0.0 : f64
    %false = arith.constant false
    %2:4 = scf.index_switch %1 -> !t_super, !t_super, i1, i1
    case 1 {
      %4 = arith.cmpf une, %arg0, %cst : f64
      %5 = arith.select %4, %arg0, %cst : f64
      %6 = arith.cmpf une, %arg1, %cst : f64
      %7 = arith.select %6, %arg1, %cst : f64
      %8 = arith.ori %4, %6 : i1
      %9 = arith.select %8, %4, %false : i1
      %10 = arith.select %8, %6, %false : i1
      %11:2 = scf.if %8 -> (!t_super, !t_super) {
        %12 = agg.make %7 : (f64) -> !t_super
        %13 = agg.make %5 : (f64) -> !t_super
        scf.yield %13, %12 : !t_super, !t_super
      } else {
        %14 = agg.zero : !t_super
        scf.yield %14, %14 : !t_super, !t_super
      }
      scf.yield %11#0, %11#1, %9, %10 : !t_super, !t_super, i1, i1
    }
    case 2 {
      %15 = agg.zero : !t_super
      scf.yield %15, %15, %false, %false : !t_super, !t_super, i1, i1
    }
    default {
      %3 = agg.zero : !t_super
      scf.yield %3, %3, %false, %false : !t_super, !t_super, i1, i1
    }
    %16 = agg.zero : !t_of00
    %17 = agg.make %2#0, %16 : (!t_super, !t_of00) -> !t_arith_Differential
    %18 = agg.make %2#1, %16 : (!t_super, !t_of00) -> !t_arith_Differential
    func.return %17, %cst, %18, %cst, %2#2, %false, %false, %2#3, %false, %false : !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1, i1, i1, i1, i1
  }
  func.func private @wrt10.fwd.primal(%cosf: i32, %x: f64, %x_d: f64) -> (f64, f64, !t_wrt10_fwd_primal_Context) attributes {differentiable = "both"} {
    %c3_i32 = arith.constant 3 : i32
    %0 = arith.andi %cosf, %c3_i32 : i32
    %get = arith.constant 0 : i32
    %1 = arith.cmpi eq, %0, %get : i32
    %result, %result_d = scf.if %1 -> (!t_arith, !t_arith_Differential) {
      %cst = arith.constant 0.5 : f64
      %2 = arith.mulf %x, %cst : f64
      %3 = arith.mulf %x_d, %cst : f64
      %init = agg.make %2 : (f64) -> !t_super
      %init_d = agg.make %3 : (f64) -> !t_super
      %c1_i32 = arith.constant 1 : i32
      %4 = agg.zero : !t_of00
      %result_0 = agg.make %c1_i32, %init, %4 : (i32, !t_super, !t_of00) -> !t_arith
      %result_0_d = agg.make %init_d, %4 : (!t_super, !t_of00) -> !t_arith_Differential
      scf.yield %result_0, %result_0_d : !t_arith, !t_arith_Differential
    } else {
      %cst_0 = arith.constant 1.5 : f64
      %5 = arith.mulf %x, %cst_0 : f64
      %6 = arith.mulf %x_d, %cst_0 : f64
      %init_0 = agg.make %5 : (f64) -> !t_of00
      %init_0_d = agg.make %6 : (f64) -> !t_of00
      %c2_i32 = arith.constant 2 : i32
      %7 = agg.zero : !t_super
      %result_1 = agg.make %c2_i32, %7, %init_0 : (i32, !t_super, !t_of00) -> !t_arith
      %result_1_d = agg.make %7, %init_0_d : (!t_super, !t_of00) -> !t_arith_Differential
      scf.yield %result_1, %result_1_d : !t_arith, !t_arith_Differential
    }
    %8 = agg.make %1 : (i1) -> !t_jvpp_fwd_primal_Context
    %c0_i64 = arith.constant 0 : i64
    %9 = arith.extsi %0 : i32 to i64
    %10 = arith.maxsi %9, %c0_i64 : i64
    %11 = arith.index_cast %10 : i64 to index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst_1 = arith.constant 0.0 : f64
    %c1_i32_0 = arith.constant 1 : i32
    %init_0_0, %tex, %init_0_d_0, %tex_d = scf.for %arg0 = %c0 to %11 step %c1 iter_args(%init_1 = %result, %tex_0 = %x, %init_1_d = %result_d, %tex_0_d = %x_d) -> (!t_arith, f64, !t_arith_Differential, f64) {
      %get_0 = arith.index_cast %arg0 : index to i32
      %12 = agg.extract %init_1[] {path = array<i64: 0>} : (!t_arith) -> i32
      %13 = arith.index_cast %12 : i32 to index
      %14:2 = scf.index_switch %13 -> f64, f64
      case 1 {
        %wrt0 = agg.extract %init_1[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
        %wrt0_d = agg.extract %init_1_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        scf.yield %wrt0, %wrt0_d : f64, f64
      }
      case 2 {
        scf.yield %cst_1, %cst_1 : f64, f64
      }
      default {
        scf.yield %cst_1, %cst_1 : f64, f64
      }
      %tex_1 = math.sin %14#0 : f64
      %15 = math.cos %14#0 : f64
      %tex_1_d = arith.mulf %14#1, %15 : f64
      %16 = arith.andi %get_0, %c1_i32_0 : i32
      %17 = arith.cmpi eq, %16, %get : i32
      %init_2, %init_2_d = scf.if %17 -> (!t_arith, !t_arith_Differential) {
        %18 = arith.addi %cosf, %get_0 : i32
        %19 = arith.andi %18, %c3_i32 : i32
        %20 = arith.cmpi eq, %19, %get : i32
        %result_2, %result_d_0 = scf.if %20 -> (!t_arith, !t_arith_Differential) {
          %cst_2 = arith.constant 0.5 : f64
          %21 = arith.mulf %tex_1, %cst_2 : f64
          %22 = arith.mulf %tex_1_d, %cst_2 : f64
          %init_3 = agg.make %21 : (f64) -> !t_super
          %init_d_0 = agg.make %22 : (f64) -> !t_super
          %23 = agg.zero : !t_of00
          %result_0_0 = agg.make %c1_i32_0, %init_3, %23 : (i32, !t_super, !t_of00) -> !t_arith
          %result_0_d_0 = agg.make %init_d_0, %23 : (!t_super, !t_of00) -> !t_arith_Differential
          scf.yield %result_0_0, %result_0_d_0 : !t_arith, !t_arith_Differential
        } else {
          %cst_3 = arith.constant 1.5 : f64
          %24 = arith.mulf %tex_1, %cst_3 : f64
          %25 = arith.mulf %tex_1_d, %cst_3 : f64
          %init_0_1 = agg.make %24 : (f64) -> !t_of00
          %init_0_d_1 = agg.make %25 : (f64) -> !t_of00
          %c2_i32_0 = arith.constant 2 : i32
          %26 = agg.zero : !t_super
          %result_1_0 = agg.make %c2_i32_0, %26, %init_0_1 : (i32, !t_super, !t_of00) -> !t_arith
          %result_1_d_0 = agg.make %26, %init_0_d_1 : (!t_super, !t_of00) -> !t_arith_Differential
          scf.yield %result_1_0, %result_1_d_0 : !t_arith, !t_arith_Differential
        }
        scf.yield %result_2, %result_d_0 : !t_arith, !t_arith_Differential
      } else {
        scf.yield %init_1, %init_1_d : !t_arith, !t_arith_Differential
      }
      scf.yield %init_2, %tex_1, %init_2_d, %tex_1_d : !t_arith, f64, !t_arith_Differential, f64
    }
    %cst_4 = arith.constant 0.5 : f64
    %cst_5 = arith.constant 0.0 : f64
    %27 = agg.extract %init_0_0[] {path = array<i64: 0>} : (!t_arith) -> i32
    %28 = arith.index_cast %27 : i32 to index
    %29:3 = scf.index_switch %28 -> f64, f64, !t_super_part_fwd_primal_Context
    case 1 {
      %wrt0_0 = agg.extract %init_0_0[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
      %wrt0_d_0 = agg.extract %init_0_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
      %31 = agg.make : () -> !t_super_part_fwd_primal_Context
      scf.yield %wrt0_0, %wrt0_d_0, %31 : f64, f64, !t_super_part_fwd_primal_Context
    }
    case 2 {
      %32 = agg.zero : !t_super_part_fwd_primal_Context
      scf.yield %cst_5, %cst_5, %32 : f64, f64, !t_super_part_fwd_primal_Context
    }
    default {
      %30 = agg.zero : !t_super_part_fwd_primal_Context
      scf.yield %cst_5, %cst_5, %30 : f64, f64, !t_super_part_fwd_primal_Context
    }
    %33 = agg.make %27, %29#2 : (i32, !t_super_part_fwd_primal_Context) -> !t_arith_part_fwd_primal_Context
    %34 = arith.mulf %29#0, %cst_4 : f64
    %35 = arith.mulf %29#1, %cst_4 : f64
    %36 = arith.addf %tex, %34 : f64
    %37 = arith.addf %tex_d, %35 : f64
    %38 = agg.make %cosf, %33, %result, %x, %result_d, %x_d, %8 : (i32, !t_arith_part_fwd_primal_Context, !t_arith, f64, !t_arith_Differential, f64, !t_jvpp_fwd_primal_Context) -> !t_wrt10_fwd_primal_Context
    func.return %36, %37, %38 : f64, f64, !t_wrt10_fwd_primal_Context
  }
  func.func private @wrt10.fwd.unsure(%context: !t_wrt10_fwd_primal_Context, %arg0: f64, %arg1: f64, %arg2: i1, %arg3: i1) -> (f64, f64, i1, i1) attributes {differentiable = "both", ad.unsure} {
    %cosf = agg.extract %context[] {path = array<i64: 0>} : (!t_wrt10_fwd_primal_Context) -> i32
    %0 = agg.extract %context[] {path = array<i64: 1>} : (!t_wrt10_fwd_primal_Context) -> !t_arith_part_fwd_primal_Context
    %init = agg.extract %context[] {path = array<i64: 2>} : (!t_wrt10_fwd_primal_Context) -> !t_arith
    %init_d = agg.extract %context[] {path = array<i64: 4>} : (!t_wrt10_fwd_primal_Context) -> !t_arith_Differential
    %get = arith.constant 0 : i32
    %c3_i32 = arith.constant 3 : i32
    %1 = arith.andi %cosf, %c3_i32 : i32
    %c0_i64 = arith.constant 0 : i64
    %2 = arith.extsi %1 : i32 to i64
    %3 = arith.maxsi %2, %c0_i64 : i64
    %4 = arith.index_cast %3 : i64 to index
    %cst = arith.constant 0.5 : f64
    %5 = arith.mulf %arg1, %cst : f64
    %6 = arith.mulf %arg0, %cst : f64
    %cst_0 = arith.constant 0.0 : f64
    %7 = arith.cmpf une, %6, %cst_0 : f64
    %8 = arith.select %7, %6, %cst_0 : f64
    %9 = arith.cmpf une, %5, %cst_0 : f64
    %10 = arith.select %9, %5, %cst_0 : f64
    %11 = arith.ori %7, %9 : i1
    %12:6 = scf.if %11 -> (!t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1) {
      %13:10 = func.call @arith.part.fwd.unsure(%0, %8, %10, %7, %9) : (!t_arith_part_fwd_primal_Context, f64, f64, i1, i1) -> (!t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1, i1, i1, i1, i1)
      %14 = arith.ori %13#4, %13#5 : i1
      %15 = arith.addf %arg0, %13#1 : f64
      %16 = arith.ori %13#7, %13#8 : i1
      %17 = arith.addf %arg1, %13#3 : f64
      scf.yield %13#0, %15, %13#2, %17, %14, %16 : !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1
    } else {
      %18 = agg.zero : !t_arith_Differential
      %false = arith.constant false
      scf.yield %18, %arg0, %18, %arg1, %false, %false : !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1
    }
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %19 = agg.zero : !agg.array<4, index>
    %20 = agg.zero : !t_arith
    %21 = agg.make %init, %20, %20, %20 : (!t_arith, !t_arith, !t_arith, !t_arith) -> !agg.array<4, !t_arith>
    %22 = agg.zero : !t_arith_Differential
    %23 = agg.make %init_d, %22, %22, %22 : (!t_arith_Differential, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential) -> !t_array_0
    %24 = arith.cmpf une, %12#1, %cst_0 : f64
    %25 = arith.select %24, %12#1, %cst_0 : f64
    %26 = arith.cmpf une, %12#3, %cst_0 : f64
    %27 = arith.select %26, %12#3, %cst_0 : f64
    %28 = arith.ori %12#4, %24 : i1
    %29 = arith.ori %28, %12#5 : i1
    %30 = arith.ori %29, %26 : i1
    %31:4 = scf.if %30 -> (!t_arith_Differential, f64, !t_arith_Differential, f64) {
      %c-1 = arith.constant -1 : index
      %32 = arith.addi %4, %c-1 : index
      %c2 = arith.constant 2 : index
      %c1_i32 = arith.constant 1 : i32
      %c3 = arith.constant 3 : index
      %c1_i32_0 = arith.constant 1 : i32
      %33:8 = scf.for %arg4 = %c0 to %4 step %c1 iter_args(%arg5 = %12#0, %arg6 = %25, %arg7 = %12#2, %arg8 = %27, %arg9 = %c0, %arg10 = %19, %arg11 = %21, %arg12 = %23) -> (!t_arith_Differential, f64, !t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0) {
        %34 = arith.subi %32, %arg4 : index
        %35 = agg.extract %arg10[%arg9] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
        %36 = arith.cmpi sgt, %35, %34 : index
        %37 = arith.addi %arg9, %c-1 : index
        %38 = arith.select %36, %37, %arg9 : index
        %39 = agg.extract %arg10[%38] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
        %40 = agg.extract %arg11[%38] {path = array<i64: -1>} : (!agg.array<4, !t_arith>, index) -> !t_arith
        %41 = agg.extract %arg12[%38] {path = array<i64: -1>} : (!t_array_0, index) -> !t_arith_Differential
        %42:7 = scf.while (%arg13 = %39, %arg14 = %38, %arg15 = %arg10, %arg16 = %arg11, %arg17 = %arg12, %arg18 = %40, %arg19 = %41) : (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0, !t_arith, !t_arith_Differential) -> (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0, !t_arith, !t_arith_Differential) {
          %43 = arith.cmpi slt, %arg13, %34 : index
          scf.condition(%43) %arg13, %arg14, %arg15, %arg16, %arg17, %arg18, %arg19 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0, !t_arith, !t_arith_Differential
        } do {
        ^bb0(%arg20: index, %arg21: index, %arg22: !agg.array<4, index>, %arg23: !agg.array<4, !t_arith>, %arg24: !t_array_0, %arg25: !t_arith, %arg26: !t_arith_Differential):
          %44 = arith.subi %c2, %arg21 : index
          %45 = arith.cmpi sgt, %44, %c0 : index
          %46 = arith.subi %34, %arg20 : index
          %47 = arith.addi %46, %c1 : index
          %48 = arith.maxui %44, %c1 : index
          %49 = arith.addi %48, %c1 : index
          %50:2 = scf.while (%arg27 = %c1, %arg28 = %c0) : (index, index) -> (index, index) {
            %51 = arith.cmpi slt, %arg27, %47 : index
            scf.condition(%51) %arg27, %arg28 : index, index
          } do {
          ^bb0(%arg29: index, %arg30: index):
            %52 = arith.addi %arg30, %c1 : index
            %53 = arith.addi %49, %52 : index
            %54 = arith.muli %arg29, %53 : index
            %55 = arith.divui %54, %52 : index
            scf.yield %55, %52 : index, index
          }
          %56 = arith.muli %50#0, %49 : index
          %57 = arith.addi %49, %50#1 : index
          %58 = arith.divui %56, %57 : index
          %59 = arith.muli %50#0, %50#1 : index
          %60 = arith.divui %59, %57 : index
          %61 = arith.addi %50#1, %c-1 : index
          %62 = arith.muli %60, %61 : index
          %63 = arith.addi %57, %c-1 : index
          %64 = arith.divui %62, %63 : index
          %65 = arith.maxui %64, %c1 : index
          %66 = arith.subi %47, %65 : index
          %67 = arith.minui %58, %66 : index
          %68 = arith.maxui %67, %c1 : index
          %69 = arith.subi %47, %68 : index
          %70 = arith.select %45, %69, %46 : index
          %71:2 = scf.for %arg31 = %c0 to %70 step %c1 iter_args(%arg32 = %arg25, %arg33 = %arg26) -> (!t_arith, !t_arith_Differential) {
            %72 = arith.addi %arg20, %arg31 : index
            %get_0 = arith.index_cast %72 : index to i32
            %73 = agg.extract %arg32[] {path = array<i64: 0>} : (!t_arith) -> i32
            %74 = arith.index_cast %73 : i32 to index
            %75:2 = scf.index_switch %74 -> f64, f64
            case 1 {
              %wrt0 = agg.extract %arg32[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
              %wrt0_d = agg.extract %arg33[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
              scf.yield %wrt0, %wrt0_d : f64, f64
            }
            case 2 {
              scf.yield %cst_0, %cst_0 : f64, f64
            }
            default {
              scf.yield %cst_0, %cst_0 : f64, f64
            }
            %tex_1 = math.sin %75#0 : f64
            %76 = math.cos %75#0 : f64
            %tex_1_d = arith.mulf %75#1, %76 : f64
            %77 = arith.andi %get_0, %c1_i32 : i32
            %78 = arith.cmpi eq, %77, %get : i32
            %init_2, %init_2_d = scf.if %78 -> (!t_arith, !t_arith_Differential) {
              %79 = arith.addi %cosf, %get_0 : i32
              %80 = arith.andi %79, %c3_i32 : i32
              %81 = arith.cmpi eq, %80, %get : i32
              %result, %result_d = scf.if %81 -> (!t_arith, !t_arith_Differential) {
                %82 = arith.mulf %tex_1, %cst : f64
                %83 = arith.mulf %tex_1_d, %cst : f64
                %init_0 = agg.make %82 : (f64) -> !t_super
                %init_d_0 = agg.make %83 : (f64) -> !t_super
                %84 = agg.zero : !t_of00
                %result_0 = agg.make %c1_i32, %init_0, %84 : (i32, !t_super, !t_of00) -> !t_arith
                %result_0_d = agg.make %init_d_0, %84 : (!t_super, !t_of00) -> !t_arith_Differential
                scf.yield %result_0, %result_0_d : !t_arith, !t_arith_Differential
              } else {
                %cst_1 = arith.constant 1.5 : f64
                %85 = arith.mulf %tex_1, %cst_1 : f64
                %86 = arith.mulf %tex_1_d, %cst_1 : f64
                %init_0_0 = agg.make %85 : (f64) -> !t_of00
                %init_0_d = agg.make %86 : (f64) -> !t_of00
                %c2_i32 = arith.constant 2 : i32
                %87 = agg.zero : !t_super
                %result_1 = agg.make %c2_i32, %87, %init_0_0 : (i32, !t_super, !t_of00) -> !t_arith
                %result_1_d = agg.make %87, %init_0_d : (!t_super, !t_of00) -> !t_arith_Differential
                scf.yield %result_1, %result_1_d : !t_arith, !t_arith_Differential
              }
              scf.yield %result, %result_d : !t_arith, !t_arith_Differential
            } else {
              scf.yield %arg32, %arg33 : !t_arith, !t_arith_Differential
            }
            scf.yield %init_2, %init_2_d : !t_arith, !t_arith_Differential
          }
          %88 = arith.addi %arg20, %70 : index
          %89 = arith.addi %arg21, %c1 : index
          %90 = arith.select %45, %89, %c3 : index
          %91 = arith.select %45, %89, %arg21 : index
          %92 = agg.insert %88, %arg22[%90] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
          %93 = agg.insert %71#0, %arg23[%90] {path = array<i64: -1>} : (!t_arith, !agg.array<4, !t_arith>, index) -> !agg.array<4, !t_arith>
          %94 = agg.insert %71#1, %arg24[%90] {path = array<i64: -1>} : (!t_arith_Differential, !t_array_0, index) -> !t_array_0
          scf.yield %88, %91, %92, %93, %94, %71#0, %71#1 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0, !t_arith, !t_arith_Differential
        }
        %get_0_0 = arith.index_cast %34 : index to i32
        %95 = agg.extract %42#5[] {path = array<i64: 0>} : (!t_arith) -> i32
        %96 = arith.index_cast %95 : i32 to index
        %97:3 = scf.index_switch %96 -> f64, f64, !t_super_part_fwd_primal_Context
        case 1 {
          %wrt0_0 = agg.extract %42#5[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
          %wrt0_d_0 = agg.extract %42#6[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          %99 = agg.make : () -> !t_super_part_fwd_primal_Context
          scf.yield %wrt0_0, %wrt0_d_0, %99 : f64, f64, !t_super_part_fwd_primal_Context
        }
        case 2 {
          %100 = agg.zero : !t_super_part_fwd_primal_Context
          scf.yield %cst_0, %cst_0, %100 : f64, f64, !t_super_part_fwd_primal_Context
        }
        default {
          %98 = agg.zero : !t_super_part_fwd_primal_Context
          scf.yield %cst_0, %cst_0, %98 : f64, f64, !t_super_part_fwd_primal_Context
        }
        %101 = agg.make %95, %97#2 : (i32, !t_super_part_fwd_primal_Context) -> !t_arith_part_fwd_primal_Context
        %tex_1_0 = math.sin %97#0 : f64
        %102 = math.cos %97#0 : f64
        %103 = arith.andi %get_0_0, %c1_i32_0 : i32
        %104 = arith.cmpi eq, %103, %get : i32
        %105 = scf.if %104 -> (!t_jvpp_fwd_primal_Context) {
          %106 = arith.addi %cosf, %get_0_0 : i32
          %107 = arith.andi %106, %c3_i32 : i32
          %108 = arith.cmpi eq, %107, %get : i32
          %109 = agg.make %108 : (i1) -> !t_jvpp_fwd_primal_Context
          scf.yield %109 : !t_jvpp_fwd_primal_Context
        } else {
          %110 = agg.zero : !t_jvpp_fwd_primal_Context
          scf.yield %110 : !t_jvpp_fwd_primal_Context
        }
        %111 = arith.negf %tex_1_0 : f64
        %112 = scf.if %104 -> (!t_arith_Differential) {
          scf.yield %22 : !t_arith_Differential
        } else {
          scf.yield %arg5 : !t_arith_Differential
        }
        %113 = scf.if %104 -> (!t_arith_Differential) {
          scf.yield %22 : !t_arith_Differential
        } else {
          scf.yield %arg7 : !t_arith_Differential
        }
        %114:2 = scf.if %104 -> (f64, f64) {
          %115 = agg.extract %105[] {path = array<i64: 0>} : (!t_jvpp_fwd_primal_Context) -> i1
          %116:2 = scf.if %115 -> (f64, f64) {
            %117 = agg.extract %arg7[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
            %118 = agg.extract %arg5[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
            %119 = arith.mulf %117, %cst : f64
            %120 = arith.mulf %118, %cst : f64
            scf.yield %120, %119 : f64, f64
          } else {
            %cst_2 = arith.constant 1.5 : f64
            %121 = agg.extract %arg7[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
            %122 = agg.extract %arg5[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
            %123 = arith.mulf %121, %cst_2 : f64
            %124 = arith.mulf %122, %cst_2 : f64
            scf.yield %124, %123 : f64, f64
          }
          %125 = arith.addf %arg6, %116#0 : f64
          %126 = arith.addf %arg8, %116#1 : f64
          scf.yield %125, %126 : f64, f64
        } else {
          scf.yield %arg6, %arg8 : f64, f64
        }
        %127 = strong.gated_mulf %114#1, %97#1 : f64
        %128 = strong.gated_mulf %114#1, %102 : f64
        %129 = strong.gated_mulf %127, %111 : f64
        %130 = strong.gated_mulf %114#0, %102 : f64
        %131 = arith.addf %129, %130 : f64
        %132 = arith.cmpf une, %131, %cst_0 : f64
        %133 = arith.select %132, %131, %cst_0 : f64
        %134 = arith.cmpf une, %128, %cst_0 : f64
        %135 = arith.select %134, %128, %cst_0 : f64
        %136 = arith.ori %132, %134 : i1
        %137:4 = scf.if %136 -> (!t_arith_Differential, f64, !t_arith_Differential, f64) {
          %138:10 = func.call @arith.part.fwd.unsure(%101, %133, %135, %132, %134) : (!t_arith_part_fwd_primal_Context, f64, f64, i1, i1) -> (!t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1, i1, i1, i1, i1)
          %139 = agg.extract %112[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          %140 = agg.extract %138#0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          %141 = arith.addf %139, %140 : f64
          %142 = agg.make %141 : (f64) -> !t_super
          %143 = agg.extract %112[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
          %144 = agg.extract %138#0[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
          %145 = arith.addf %143, %144 : f64
          %146 = agg.make %145 : (f64) -> !t_of00
          %147 = agg.make %142, %146 : (!t_super, !t_of00) -> !t_arith_Differential
          %148 = agg.extract %113[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          %149 = agg.extract %138#2[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          %150 = arith.addf %148, %149 : f64
          %151 = agg.make %150 : (f64) -> !t_super
          %152 = agg.extract %113[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
          %153 = agg.extract %138#2[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
          %154 = arith.addf %152, %153 : f64
          %155 = agg.make %154 : (f64) -> !t_of00
          %156 = agg.make %151, %155 : (!t_super, !t_of00) -> !t_arith_Differential
          scf.yield %147, %138#1, %156, %138#3 : !t_arith_Differential, f64, !t_arith_Differential, f64
        } else {
          scf.yield %112, %cst_0, %113, %cst_0 : !t_arith_Differential, f64, !t_arith_Differential, f64
        }
        scf.yield %137#0, %137#1, %137#2, %137#3, %42#1, %42#2, %42#3, %42#4 : !t_arith_Differential, f64, !t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0
      }
      scf.yield %33#0, %33#1, %33#2, %33#3 : !t_arith_Differential, f64, !t_arith_Differential, f64
    } else {
      scf.yield %22, %cst_0, %22, %cst_0 : !t_arith_Differential, f64, !t_arith_Differential, f64
    }
    %157:2 = scf.if %30 -> (f64, f64) {
      %158 = agg.extract %context[] {path = array<i64: 6, 0>} : (!t_wrt10_fwd_primal_Context) -> i1
      %159:2 = scf.if %158 -> (f64, f64) {
        %160 = agg.extract %31#2[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %161 = agg.extract %31#0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %162 = arith.mulf %160, %cst : f64
        %163 = arith.mulf %161, %cst : f64
        scf.yield %163, %162 : f64, f64
      } else {
        %cst_3 = arith.constant 1.5 : f64
        %164 = agg.extract %31#2[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
        %165 = agg.extract %31#0[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
        %166 = arith.mulf %164, %cst_3 : f64
        %167 = arith.mulf %165, %cst_3 : f64
        scf.yield %167, %166 : f64, f64
      }
      %168 = arith.addf %31#1, %159#0 : f64
      %169 = arith.addf %31#3, %159#1 : f64
      scf.yield %168, %169 : f64, f64
    } else {
      scf.yield %31#1, %31#3 : f64, f64
    }
    func.return %157#0, %157#1, %30, %30 : f64, f64, i1, i1
  }
  func.func private @math.fwd.primal(%p: !t_orders, %differential: i32, %transposed: i32, %p_d: !t_orders) -> (!t_threadIdx, !t_threadIdx, !t_math_fwd_primal_Context) attributes {differentiable = "both"} {
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %c-1_i32 = arith.constant -1 : i32
    %wrt00 = arith.constant 0 : i32
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.25 : f64
    %c2_i32 = arith.constant 2 : i32
    %c5_i32 = arith.constant 5 : i32
    %cst_0 = arith.constant 1.7397127693021015 : f64
    %cst_1 = arith.constant 0.5 : f64
    %cst_2 = arith.constant 0.5537200244863067 : f64
    %0 = arith.cmpi slt, %transposed, %c5_i32 : i32
    %false = arith.constant false
    %1, %p_0, %sqrtf, %p_0_d, %2 = scf.while (%arg0 = %true, %p_1 = %p, %sqrtf_0 = %transposed, %p_1_d = %p_d, %arg1 = %c0) : (i1, !t_orders, i32, !t_orders, index) -> (i1, !t_orders, i32, !t_orders, index) {
      scf.condition(%arg0) %arg0, %p_1, %sqrtf_0, %p_1_d, %arg1 : i1, !t_orders, i32, !t_orders, index
    } do {
    ^bb0(%arg2: i1, %p_2: !t_orders, %sqrtf_1: i32, %p_2_d: !t_orders, %arg3: index):
      %sqrtf_2 = arith.addi %sqrtf_1, %c-1_i32 : i32
      %p_3, %p_3_d = scf.for %arg4 = %c0 to %c2 step %c1 iter_args(%p_4 = %p_2, %p_4_d = %p_2_d) -> (!t_orders, !t_orders) {
        %3 = agg.extract %p_4[] {path = array<i64: 0>} : (!t_orders) -> f64
        %4 = agg.extract %p_4_d[] {path = array<i64: 0>} : (!t_orders) -> f64
        %5 = vector.broadcast %3 : f64 to vector<2xf64>
        %6 = vector.broadcast %4 : f64 to vector<2xf64>
        %7 = agg.extract %p_4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %8 = agg.extract %p_4_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %9 = vector.broadcast %7 : f64 to vector<2xf64>
        %10 = vector.broadcast %8 : f64 to vector<2xf64>
        %11 = arith.mulf %5, %9 : vector<2xf64>
        %12 = arith.mulf %6, %9 : vector<2xf64>
        %13 = arith.mulf %10, %5 : vector<2xf64>
        %14 = arith.addf %12, %13 : vector<2xf64>
        %15 = vector.reduction <add>, %11 : vector<2xf64> into f64
        %16 = vector.reduction <add>, %14 : vector<2xf64> into f64
        %17 = arith.mulf %15, %cst : f64
        %18 = arith.mulf %16, %cst : f64
        %19 = agg.extract %p_4[] {path = array<i64: 1>} : (!t_orders) -> f64
        %20 = agg.extract %p_4_d[] {path = array<i64: 1>} : (!t_orders) -> f64
        %21 = arith.addf %19, %17 : f64
        %22 = arith.addf %20, %18 : f64
        %p_5 = agg.insert %21, %p_4[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d = agg.insert %22, %p_4_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        scf.yield %p_5, %p_5_d : !t_orders, !t_orders
      }
      %23 = arith.andi %sqrtf_2, %c2_i32 : i32
      %24 = arith.cmpi ne, %23, %wrt00 : i32
      %25 = arith.select %24, %sqrtf_2, %transposed : i32
      %26 = arith.cmpi slt, %25, %c5_i32 : i32
      %27 = arith.select %26, %transposed, %sqrtf_2 : i32
      %28 = agg.extract %p_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %29 = agg.extract %p_3_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %30 = arith.mulf %28, %cst_1 : f64
      %31 = arith.mulf %29, %cst_1 : f64
      %32 = math.powf %cst_0, %30 : f64
      %33 = arith.mulf %32, %cst_2 : f64
      %34 = arith.mulf %31, %33 : f64
      %35:2 = func.call @wrt10.fwd(%27, %32, %34) : (i32, f64, f64) -> (f64, f64)
      %36 = math.sin %35#0 : f64
      %37 = math.cos %35#0 : f64
      %38 = arith.mulf %35#1, %37 : f64
      %39 = agg.extract %p_3[] {path = array<i64: 0>} : (!t_orders) -> f64
      %40 = agg.extract %p_3_d[] {path = array<i64: 0>} : (!t_orders) -> f64
      %41 = arith.addf %39, %36 : f64
      %42 = arith.addf %40, %38 : f64
      %p_6 = agg.insert %41, %p_3[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %p_6_d = agg.insert %42, %p_3_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %43 = arith.cmpi sgt, %sqrtf_2, %wrt00 : i32
      %44 = arith.select %43, %0, %false : i1
      %45 = arith.addi %arg3, %c1 : index
      scf.yield %44, %p_6, %sqrtf_2, %p_6_d, %45 : i1, !t_orders, i32, !t_orders, index
    }
    %46 = agg.extract %p_0[] {path = array<i64: 1>} : (!t_orders) -> f64
    %47 = agg.extract %p_0_d[] {path = array<i64: 1>} : (!t_orders) -> f64
    %vprintf = agg.make %46 : (f64) -> !t_threadIdx
    %vprintf_d = agg.make %47 : (f64) -> !t_threadIdx
    %48 = agg.make %p, %transposed, %p_d, %2 : (!t_orders, i32, !t_orders, index) -> !t_math_fwd_primal_Context
    func.return %vprintf, %vprintf_d, %48 : !t_threadIdx, !t_threadIdx, !t_math_fwd_primal_Context
  }
  func.func private @math.fwd.bwd(%context: !t_math_fwd_primal_Context, %arg0: !t_threadIdx, %arg1: !t_threadIdx, %arg2: i1, %arg3: i1) -> (!t_orders, !t_orders, i1, i1, i1, i1, i1, i1) attributes {differentiable = "both"} {
    %p = agg.extract %context[] {path = array<i64: 0>} : (!t_math_fwd_primal_Context) -> !t_orders
    %transposed = agg.extract %context[] {path = array<i64: 1>} : (!t_math_fwd_primal_Context) -> i32
    %p_d = agg.extract %context[] {path = array<i64: 2>} : (!t_math_fwd_primal_Context) -> !t_orders
    %0 = agg.extract %context[] {path = array<i64: 3>} : (!t_math_fwd_primal_Context) -> index
    %1 = agg.extract %arg1[] {path = array<i64: 0>} : (!t_threadIdx) -> f64
    %2 = agg.extract %arg0[] {path = array<i64: 0>} : (!t_threadIdx) -> f64
    %cst = arith.constant 0.0 : f64
    %3 = agg.zero : !t_jvp
    %4 = agg.make %cst, %1, %3 : (f64, f64, !t_jvp) -> !t_orders
    %5 = agg.make %cst, %2, %3 : (f64, f64, !t_jvp) -> !t_orders
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %6 = agg.zero : !agg.array<4, index>
    %false = arith.constant false
    %7 = agg.zero : !t_orders
    %8 = agg.make %p, %7, %7, %7 : (!t_orders, !t_orders, !t_orders, !t_orders) -> !t_array
    %wrt00 = arith.constant 0 : i32
    %9 = agg.make %transposed, %wrt00, %wrt00, %wrt00 : (i32, i32, i32, i32) -> !agg.array<4, i32>
    %10 = agg.make %p_d, %7, %7, %7 : (!t_orders, !t_orders, !t_orders, !t_orders) -> !t_array
    %11 = arith.ori %arg2, %arg3 : i1
    %12:2 = scf.if %11 -> (!t_orders, !t_orders) {
      %c-1 = arith.constant -1 : index
      %13 = arith.addi %0, %c-1 : index
      %c2 = arith.constant 2 : index
      %c-1_i32 = arith.constant -1 : i32
      %cst_0 = arith.constant 0.25 : f64
      %c2_i32 = arith.constant 2 : i32
      %c5_i32 = arith.constant 5 : i32
      %cst_1 = arith.constant 1.7397127693021015 : f64
      %cst_2 = arith.constant 0.5 : f64
      %cst_3 = arith.constant 0.5537200244863067 : f64
      %c3 = arith.constant 3 : index
      %c-1_i32_0 = arith.constant -1 : i32
      %c2_0 = arith.constant 2 : index
      %cst_4 = arith.constant 0.25 : f64
      %c2_i32_0 = arith.constant 2 : i32
      %c5_i32_0 = arith.constant 5 : i32
      %cst_5 = arith.constant 1.7397127693021015 : f64
      %cst_6 = arith.constant 0.5 : f64
      %cst_7 = arith.constant 0.5537200244863067 : f64
      %c3_i32 = arith.constant 3 : i32
      %c0_i64 = arith.constant 0 : i64
      %c1_i32 = arith.constant 1 : i32
      %cst_8 = arith.constant 0.25 : f64
      %14:7 = scf.for %arg4 = %c0 to %0 step %c1 iter_args(%arg5 = %5, %arg6 = %4, %arg7 = %c0, %arg8 = %6, %arg9 = %8, %arg10 = %9, %arg11 = %10) -> (!t_orders, !t_orders, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array) {
        %15 = arith.subi %13, %arg4 : index
        %16 = agg.extract %arg8[%arg7] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
        %17 = arith.cmpi sgt, %16, %15 : index
        %18 = arith.addi %arg7, %c-1 : index
        %19 = arith.select %17, %18, %arg7 : index
        %20 = agg.extract %arg8[%19] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
        %21 = agg.extract %arg9[%19] {path = array<i64: -1>} : (!t_array, index) -> !t_orders
        %22 = agg.extract %arg10[%19] {path = array<i64: -1>} : (!agg.array<4, i32>, index) -> i32
        %23 = agg.extract %arg11[%19] {path = array<i64: -1>} : (!t_array, index) -> !t_orders
        %24:9 = scf.while (%arg12 = %20, %arg13 = %19, %arg14 = %arg8, %arg15 = %arg9, %arg16 = %arg10, %arg17 = %arg11, %arg18 = %21, %arg19 = %22, %arg20 = %23) : (index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array, !t_orders, i32, !t_orders) -> (index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array, !t_orders, i32, !t_orders) {
          %25 = arith.cmpi slt, %arg12, %15 : index
          scf.condition(%25) %arg12, %arg13, %arg14, %arg15, %arg16, %arg17, %arg18, %arg19, %arg20 : index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array, !t_orders, i32, !t_orders
        } do {
        ^bb0(%arg21: index, %arg22: index, %arg23: !agg.array<4, index>, %arg24: !t_array, %arg25: !agg.array<4, i32>, %arg26: !t_array, %arg27: !t_orders, %arg28: i32, %arg29: !t_orders):
          %26 = arith.subi %c2, %arg22 : index
          %27 = arith.cmpi sgt, %26, %c0 : index
          %28 = arith.subi %15, %arg21 : index
          %29 = arith.addi %28, %c1 : index
          %30 = arith.maxui %26, %c1 : index
          %31 = arith.addi %30, %c1 : index
          %32:2 = scf.while (%arg30 = %c1, %arg31 = %c0) : (index, index) -> (index, index) {
            %33 = arith.cmpi slt, %arg30, %29 : index
            scf.condition(%33) %arg30, %arg31 : index, index
          } do {
          ^bb0(%arg32: index, %arg33: index):
            %34 = arith.addi %arg33, %c1 : index
            %35 = arith.addi %31, %34 : index
            %36 = arith.muli %arg32, %35 : index
            %37 = arith.divui %36, %34 : index
            scf.yield %37, %34 : index, index
          }
          %38 = arith.muli %32#0, %31 : index
          %39 = arith.addi %31, %32#1 : index
          %40 = arith.divui %38, %39 : index
          %41 = arith.muli %32#0, %32#1 : index
          %42 = arith.divui %41, %39 : index
          %43 = arith.addi %32#1, %c-1 : index
          %44 = arith.muli %42, %43 : index
          %45 = arith.addi %39, %c-1 : index
          %46 = arith.divui %44, %45 : index
          %47 = arith.maxui %46, %c1 : index
          %48 = arith.subi %29, %47 : index
          %49 = arith.minui %40, %48 : index
          %50 = arith.maxui %49, %c1 : index
          %51 = arith.subi %29, %50 : index
          %52 = arith.select %27, %51, %28 : index
          %53:3 = scf.for %arg34 = %c0 to %52 step %c1 iter_args(%arg35 = %arg27, %arg36 = %arg28, %arg37 = %arg29) -> (!t_orders, i32, !t_orders) {
            %sqrtf_2 = arith.addi %arg36, %c-1_i32 : i32
            %p_3, %p_3_d = scf.for %arg38 = %c0 to %c2 step %c1 iter_args(%p_4 = %arg35, %p_4_d = %arg37) -> (!t_orders, !t_orders) {
              %54 = agg.extract %p_4[] {path = array<i64: 0>} : (!t_orders) -> f64
              %55 = agg.extract %p_4_d[] {path = array<i64: 0>} : (!t_orders) -> f64
              %56 = vector.broadcast %54 : f64 to vector<2xf64>
              %57 = vector.broadcast %55 : f64 to vector<2xf64>
              %58 = agg.extract %p_4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
              %59 = agg.extract %p_4_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
              %60 = vector.broadcast %58 : f64 to vector<2xf64>
              %61 = vector.broadcast %59 : f64 to vector<2xf64>
              %62 = arith.mulf %56, %60 : vector<2xf64>
              %63 = arith.mulf %57, %60 : vector<2xf64>
              %64 = arith.mulf %61, %56 : vector<2xf64>
              %65 = arith.addf %63, %64 : vector<2xf64>
              %66 = vector.reduction <add>, %62 : vector<2xf64> into f64
              %67 = vector.reduction <add>, %65 : vector<2xf64> into f64
              %68 = arith.mulf %66, %cst_0 : f64
              %69 = arith.mulf %67, %cst_0 : f64
              %70 = agg.extract %p_4[] {path = array<i64: 1>} : (!t_orders) -> f64
              %71 = agg.extract %p_4_d[] {path = array<i64: 1>} : (!t_orders) -> f64
              %72 = arith.addf %70, %68 : f64
              %73 = arith.addf %71, %69 : f64
              %p_5 = agg.insert %72, %p_4[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
              %p_5_d = agg.insert %73, %p_4_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
              scf.yield %p_5, %p_5_d : !t_orders, !t_orders
            }
            %74 = arith.andi %sqrtf_2, %c2_i32 : i32
            %75 = arith.cmpi ne, %74, %wrt00 : i32
            %76 = arith.select %75, %sqrtf_2, %transposed : i32
            %77 = arith.cmpi slt, %76, %c5_i32 : i32
            %78 = arith.select %77, %transposed, %sqrtf_2 : i32
            %79 = agg.extract %p_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %80 = agg.extract %p_3_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %81 = arith.mulf %79, %cst_2 : f64
            %82 = arith.mulf %80, %cst_2 : f64
            %83 = math.powf %cst_1, %81 : f64
            %84 = arith.mulf %83, %cst_3 : f64
            %85 = arith.mulf %82, %84 : f64
            %86:2 = func.call @wrt10.fwd(%78, %83, %85) : (i32, f64, f64) -> (f64, f64)
            %87 = math.sin %86#0 : f64
            %88 = math.cos %86#0 : f64
            %89 = arith.mulf %86#1, %88 : f64
            %90 = agg.extract %p_3[] {path = array<i64: 0>} : (!t_orders) -> f64
            %91 = agg.extract %p_3_d[] {path = array<i64: 0>} : (!t_orders) -> f64
            %92 = arith.addf %90, %87 : f64
            %93 = arith.addf %91, %89 : f64
            %p_6 = agg.insert %92, %p_3[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
            %p_6_d = agg.insert %93, %p_3_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
            scf.yield %p_6, %sqrtf_2, %p_6_d : !t_orders, i32, !t_orders
          }
          %94 = arith.addi %arg21, %52 : index
          %95 = arith.addi %arg22, %c1 : index
          %96 = arith.select %27, %95, %c3 : index
          %97 = arith.select %27, %95, %arg22 : index
          %98 = agg.insert %94, %arg23[%96] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
          %99 = agg.insert %53#0, %arg24[%96] {path = array<i64: -1>} : (!t_orders, !t_array, index) -> !t_array
          %100 = agg.insert %53#1, %arg25[%96] {path = array<i64: -1>} : (i32, !agg.array<4, i32>, index) -> !agg.array<4, i32>
          %101 = agg.insert %53#2, %arg26[%96] {path = array<i64: -1>} : (!t_orders, !t_array, index) -> !t_array
          scf.yield %94, %97, %98, %99, %100, %101, %53#0, %53#1, %53#2 : index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array, !t_orders, i32, !t_orders
        }
        %sqrtf_2_0 = arith.addi %24#7, %c-1_i32_0 : i32
        %102 = agg.zero {unread} : !agg.array<2, f64>
        %p_3_0, %p_3_d_0, %103, %104, %105, %106 = scf.for %arg39 = %c0 to %c2_0 step %c1 iter_args(%p_4_0 = %24#6, %p_4_d_0 = %24#8, %arg40 = %102, %arg41 = %102, %arg42 = %102, %arg43 = %102) -> (!t_orders, !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, !agg.array<2, f64>, !agg.array<2, f64>) {
          %107 = agg.extract %p_4_0[] {path = array<i64: 0>} : (!t_orders) -> f64
          %108 = agg.extract %p_4_d_0[] {path = array<i64: 0>} : (!t_orders) -> f64
          %109 = vector.broadcast %107 : f64 to vector<2xf64>
          %110 = vector.broadcast %108 : f64 to vector<2xf64>
          %111 = agg.extract %p_4_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
          %112 = agg.extract %p_4_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
          %113 = vector.broadcast %111 : f64 to vector<2xf64>
          %114 = vector.broadcast %112 : f64 to vector<2xf64>
          %115 = arith.mulf %109, %113 : vector<2xf64>
          %116 = arith.mulf %110, %113 : vector<2xf64>
          %117 = arith.mulf %114, %109 : vector<2xf64>
          %118 = arith.addf %116, %117 : vector<2xf64>
          %119 = vector.reduction <add>, %115 : vector<2xf64> into f64
          %120 = vector.reduction <add>, %118 : vector<2xf64> into f64
          %121 = arith.mulf %119, %cst_4 : f64
          %122 = arith.mulf %120, %cst_4 : f64
          %123 = agg.extract %p_4_0[] {path = array<i64: 1>} : (!t_orders) -> f64
          %124 = agg.extract %p_4_d_0[] {path = array<i64: 1>} : (!t_orders) -> f64
          %125 = arith.addf %123, %121 : f64
          %126 = arith.addf %124, %122 : f64
          %p_5_0 = agg.insert %125, %p_4_0[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
          %p_5_d_0 = agg.insert %126, %p_4_d_0[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
          %127 = agg.insert %107, %arg40[%arg39] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
          %128 = agg.insert %108, %arg41[%arg39] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
          %129 = agg.insert %111, %arg42[%arg39] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
          %130 = agg.insert %112, %arg43[%arg39] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
          scf.yield %p_5_0, %p_5_d_0, %127, %128, %129, %130 : !t_orders, !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, !agg.array<2, f64>, !agg.array<2, f64>
        }
        %131 = arith.andi %sqrtf_2_0, %c2_i32_0 : i32
        %132 = arith.cmpi ne, %131, %wrt00 : i32
        %133 = arith.select %132, %sqrtf_2_0, %transposed : i32
        %134 = arith.cmpi slt, %133, %c5_i32_0 : i32
        %cosf = arith.select %134, %transposed, %sqrtf_2_0 : i32
        %135 = agg.extract %p_3_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %136 = agg.extract %p_3_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %137 = arith.mulf %135, %cst_6 : f64
        %138 = arith.mulf %136, %cst_6 : f64
        %x = math.powf %cst_5, %137 : f64
        %139 = arith.mulf %x, %cst_7 : f64
        %x_d = arith.mulf %138, %139 : f64
        %140 = arith.andi %cosf, %c3_i32 : i32
        %141 = arith.cmpi eq, %140, %wrt00 : i32
        %result, %result_d = scf.if %141 -> (!t_arith, !t_arith_Differential) {
          %142 = arith.mulf %x, %cst_6 : f64
          %143 = arith.mulf %x_d, %cst_6 : f64
          %init = agg.make %142 : (f64) -> !t_super
          %init_d = agg.make %143 : (f64) -> !t_super
          %c1_i32_0 = arith.constant 1 : i32
          %144 = agg.zero : !t_of00
          %result_0 = agg.make %c1_i32_0, %init, %144 : (i32, !t_super, !t_of00) -> !t_arith
          %result_0_d = agg.make %init_d, %144 : (!t_super, !t_of00) -> !t_arith_Differential
          scf.yield %result_0, %result_0_d : !t_arith, !t_arith_Differential
        } else {
          %cst_9 = arith.constant 1.5 : f64
          %145 = arith.mulf %x, %cst_9 : f64
          %146 = arith.mulf %x_d, %cst_9 : f64
          %init_0 = agg.make %145 : (f64) -> !t_of00
          %init_0_d = agg.make %146 : (f64) -> !t_of00
          %147 = agg.zero : !t_super
          %result_1 = agg.make %c2_i32_0, %147, %init_0 : (i32, !t_super, !t_of00) -> !t_arith
          %result_1_d = agg.make %147, %init_0_d : (!t_super, !t_of00) -> !t_arith_Differential
          scf.yield %result_1, %result_1_d : !t_arith, !t_arith_Differential
        }
        %148 = arith.extsi %140 : i32 to i64
        %149 = arith.maxsi %148, %c0_i64 : i64
        %150 = arith.index_cast %149 : i64 to index
        %init_0_0, %tex, %init_0_d_0, %tex_d = scf.for %arg44 = %c0 to %150 step %c1 iter_args(%init_1 = %result, %tex_0 = %x, %init_1_d = %result_d, %tex_0_d = %x_d) -> (!t_arith, f64, !t_arith_Differential, f64) {
          %get_0 = arith.index_cast %arg44 : index to i32
          %151 = agg.extract %init_1[] {path = array<i64: 0>} : (!t_arith) -> i32
          %152 = arith.index_cast %151 : i32 to index
          %153:2 = scf.index_switch %152 -> f64, f64
          case 1 {
            %wrt0 = agg.extract %init_1[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
            %wrt0_d = agg.extract %init_1_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
            scf.yield %wrt0, %wrt0_d : f64, f64
          }
          case 2 {
            scf.yield %cst, %cst : f64, f64
          }
          default {
            scf.yield %cst, %cst : f64, f64
          }
          %tex_1 = math.sin %153#0 : f64
          %154 = math.cos %153#0 : f64
          %tex_1_d = arith.mulf %153#1, %154 : f64
          %155 = arith.andi %get_0, %c1_i32 : i32
          %156 = arith.cmpi eq, %155, %wrt00 : i32
          %init_2, %init_2_d = scf.if %156 -> (!t_arith, !t_arith_Differential) {
            %157 = arith.addi %cosf, %get_0 : i32
            %158 = arith.andi %157, %c3_i32 : i32
            %159 = arith.cmpi eq, %158, %wrt00 : i32
            %result_2, %result_d_0 = scf.if %159 -> (!t_arith, !t_arith_Differential) {
              %160 = arith.mulf %tex_1, %cst_6 : f64
              %161 = arith.mulf %tex_1_d, %cst_6 : f64
              %init_3 = agg.make %160 : (f64) -> !t_super
              %init_d_0 = agg.make %161 : (f64) -> !t_super
              %162 = agg.zero : !t_of00
              %result_0_0 = agg.make %c1_i32, %init_3, %162 : (i32, !t_super, !t_of00) -> !t_arith
              %result_0_d_0 = agg.make %init_d_0, %162 : (!t_super, !t_of00) -> !t_arith_Differential
              scf.yield %result_0_0, %result_0_d_0 : !t_arith, !t_arith_Differential
            } else {
              %cst_10 = arith.constant 1.5 : f64
              %163 = arith.mulf %tex_1, %cst_10 : f64
              %164 = arith.mulf %tex_1_d, %cst_10 : f64
              %init_0_1 = agg.make %163 : (f64) -> !t_of00
              %init_0_d_1 = agg.make %164 : (f64) -> !t_of00
              %165 = agg.zero : !t_super
              %result_1_0 = agg.make %c2_i32_0, %165, %init_0_1 : (i32, !t_super, !t_of00) -> !t_arith
              %result_1_d_0 = agg.make %165, %init_0_d_1 : (!t_super, !t_of00) -> !t_arith_Differential
              scf.yield %result_1_0, %result_1_d_0 : !t_arith, !t_arith_Differential
            }
            scf.yield %result_2, %result_d_0 : !t_arith, !t_arith_Differential
          } else {
            scf.yield %init_1, %init_1_d : !t_arith, !t_arith_Differential
          }
          scf.yield %init_2, %tex_1, %init_2_d, %tex_1_d : !t_arith, f64, !t_arith_Differential, f64
        }
        %166 = agg.extract %init_0_0[] {path = array<i64: 0>} : (!t_arith) -> i32
        %167 = arith.index_cast %166 : i32 to index
        %168:3 = scf.index_switch %167 -> f64, f64, !t_super_part_fwd_primal_Context
        case 1 {
          %wrt0_0 = agg.extract %init_0_0[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
          %wrt0_d_0 = agg.extract %init_0_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          %170 = agg.make : () -> !t_super_part_fwd_primal_Context
          scf.yield %wrt0_0, %wrt0_d_0, %170 : f64, f64, !t_super_part_fwd_primal_Context
        }
        case 2 {
          %171 = agg.zero : !t_super_part_fwd_primal_Context
          scf.yield %cst, %cst, %171 : f64, f64, !t_super_part_fwd_primal_Context
        }
        default {
          %169 = agg.zero : !t_super_part_fwd_primal_Context
          scf.yield %cst, %cst, %169 : f64, f64, !t_super_part_fwd_primal_Context
        }
        %172 = agg.make %166, %168#2 : (i32, !t_super_part_fwd_primal_Context) -> !t_arith_part_fwd_primal_Context
        %173 = arith.mulf %168#0, %cst_6 : f64
        %174 = arith.mulf %168#1, %cst_6 : f64
        %175 = arith.addf %tex, %173 : f64
        %176 = arith.addf %tex_d, %174 : f64
        %177 = math.sin %175 : f64
        %178 = math.cos %175 : f64
        %179 = arith.negf %177 : f64
        %180 = agg.extract %arg6[] {path = array<i64: 0>} : (!t_orders) -> f64
        %181 = agg.extract %arg5[] {path = array<i64: 0>} : (!t_orders) -> f64
        %182 = strong.gated_mulf %180, %176 : f64
        %183 = strong.gated_mulf %180, %178 : f64
        %184 = strong.gated_mulf %182, %179 : f64
        %185 = strong.gated_mulf %181, %178 : f64
        %186 = arith.addf %184, %185 : f64
        %187 = arith.cmpf une, %186, %cst : f64
        %188 = arith.select %187, %186, %cst : f64
        %189 = arith.cmpf une, %183, %cst : f64
        %190 = arith.select %189, %183, %cst : f64
        %191 = arith.ori %187, %189 : i1
        %192:4 = scf.if %191 -> (f64, f64, i1, i1) {
          %193 = arith.mulf %190, %cst_6 : f64
          %194 = arith.mulf %188, %cst_6 : f64
          %195 = arith.cmpf une, %194, %cst : f64
          %196 = arith.select %195, %194, %cst : f64
          %197 = arith.cmpf une, %193, %cst : f64
          %198 = arith.select %197, %193, %cst : f64
          %199 = arith.ori %195, %197 : i1
          %200:6 = scf.if %199 -> (!t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1) {
            %201:10 = func.call @arith.part.fwd.unsure(%172, %196, %198, %195, %197) : (!t_arith_part_fwd_primal_Context, f64, f64, i1, i1) -> (!t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1, i1, i1, i1, i1)
            %202 = arith.ori %201#4, %201#5 : i1
            %203 = arith.addf %188, %201#1 : f64
            %204 = arith.ori %201#7, %201#8 : i1
            %205 = arith.addf %190, %201#3 : f64
            scf.yield %201#0, %203, %201#2, %205, %202, %204 : !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1
          } else {
            %206 = agg.zero : !t_arith_Differential
            scf.yield %206, %188, %206, %190, %false, %false : !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1
          }
          %207 = agg.zero : !t_arith
          %208 = agg.make %result, %207, %207, %207 : (!t_arith, !t_arith, !t_arith, !t_arith) -> !agg.array<4, !t_arith>
          %209 = agg.zero : !t_arith_Differential
          %210 = agg.make %result_d, %209, %209, %209 : (!t_arith_Differential, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential) -> !t_array_0
          %211 = arith.cmpf une, %200#1, %cst : f64
          %212 = arith.select %211, %200#1, %cst : f64
          %213 = arith.cmpf une, %200#3, %cst : f64
          %214 = arith.select %213, %200#3, %cst : f64
          %215 = arith.ori %200#4, %211 : i1
          %216 = arith.ori %215, %200#5 : i1
          %217 = arith.ori %216, %213 : i1
          %218:4 = scf.if %217 -> (!t_arith_Differential, f64, !t_arith_Differential, f64) {
            %219 = arith.addi %150, %c-1 : index
            %c1_i32_1 = arith.constant 1 : i32
            %c3_0 = arith.constant 3 : index
            %c1_i32_2 = arith.constant 1 : i32
            %220:8 = scf.for %arg45 = %c0 to %150 step %c1 iter_args(%arg46 = %200#0, %arg47 = %212, %arg48 = %200#2, %arg49 = %214, %arg50 = %c0, %arg51 = %6, %arg52 = %208, %arg53 = %210) -> (!t_arith_Differential, f64, !t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0) {
              %221 = arith.subi %219, %arg45 : index
              %222 = agg.extract %arg51[%arg50] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
              %223 = arith.cmpi sgt, %222, %221 : index
              %224 = arith.addi %arg50, %c-1 : index
              %225 = arith.select %223, %224, %arg50 : index
              %226 = agg.extract %arg51[%225] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
              %227 = agg.extract %arg52[%225] {path = array<i64: -1>} : (!agg.array<4, !t_arith>, index) -> !t_arith
              %228 = agg.extract %arg53[%225] {path = array<i64: -1>} : (!t_array_0, index) -> !t_arith_Differential
              %229:7 = scf.while (%arg54 = %226, %arg55 = %225, %arg56 = %arg51, %arg57 = %arg52, %arg58 = %arg53, %arg59 = %227, %arg60 = %228) : (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0, !t_arith, !t_arith_Differential) -> (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0, !t_arith, !t_arith_Differential) {
                %230 = arith.cmpi slt, %arg54, %221 : index
                scf.condition(%230) %arg54, %arg55, %arg56, %arg57, %arg58, %arg59, %arg60 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0, !t_arith, !t_arith_Differential
              } do {
              ^bb0(%arg61: index, %arg62: index, %arg63: !agg.array<4, index>, %arg64: !agg.array<4, !t_arith>, %arg65: !t_array_0, %arg66: !t_arith, %arg67: !t_arith_Differential):
                %231 = arith.subi %c2_0, %arg62 : index
                %232 = arith.cmpi sgt, %231, %c0 : index
                %233 = arith.subi %221, %arg61 : index
                %234 = arith.addi %233, %c1 : index
                %235 = arith.maxui %231, %c1 : index
                %236 = arith.addi %235, %c1 : index
                %237:2 = scf.while (%arg68 = %c1, %arg69 = %c0) : (index, index) -> (index, index) {
                  %238 = arith.cmpi slt, %arg68, %234 : index
                  scf.condition(%238) %arg68, %arg69 : index, index
                } do {
                ^bb0(%arg70: index, %arg71: index):
                  %239 = arith.addi %arg71, %c1 : index
                  %240 = arith.addi %236, %239 : index
                  %241 = arith.muli %arg70, %240 : index
                  %242 = arith.divui %241, %239 : index
                  scf.yield %242, %239 : index, index
                }
                %243 = arith.muli %237#0, %236 : index
                %244 = arith.addi %236, %237#1 : index
                %245 = arith.divui %243, %244 : index
                %246 = arith.muli %237#0, %237#1 : index
                %247 = arith.divui %246, %244 : index
                %248 = arith.addi %237#1, %c-1 : index
                %249 = arith.muli %247, %248 : index
                %250 = arith.addi %244, %c-1 : index
                %251 = arith.divui %249, %250 : index
                %252 = arith.maxui %251, %c1 : index
                %253 = arith.subi %234, %252 : index
                %254 = arith.minui %245, %253 : index
                %255 = arith.maxui %254, %c1 : index
                %256 = arith.subi %234, %255 : index
                %257 = arith.select %232, %256, %233 : index
                %258:2 = scf.for %arg72 = %c0 to %257 step %c1 iter_args(%arg73 = %arg66, %arg74 = %arg67) -> (!t_arith, !t_arith_Differential) {
                  %259 = arith.addi %arg61, %arg72 : index
                  %get_0_0 = arith.index_cast %259 : index to i32
                  %260 = agg.extract %arg73[] {path = array<i64: 0>} : (!t_arith) -> i32
                  %261 = arith.index_cast %260 : i32 to index
                  %262:2 = scf.index_switch %261 -> f64, f64
                  case 1 {
                    %wrt0_1 = agg.extract %arg73[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
                    %wrt0_d_1 = agg.extract %arg74[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                    scf.yield %wrt0_1, %wrt0_d_1 : f64, f64
                  }
                  case 2 {
                    scf.yield %cst, %cst : f64, f64
                  }
                  default {
                    scf.yield %cst, %cst : f64, f64
                  }
                  %tex_1_0 = math.sin %262#0 : f64
                  %263 = math.cos %262#0 : f64
                  %tex_1_d_0 = arith.mulf %262#1, %263 : f64
                  %264 = arith.andi %get_0_0, %c1_i32_1 : i32
                  %265 = arith.cmpi eq, %264, %wrt00 : i32
                  %init_2_0, %init_2_d_0 = scf.if %265 -> (!t_arith, !t_arith_Differential) {
                    %266 = arith.addi %cosf, %get_0_0 : i32
                    %267 = arith.andi %266, %c3_i32 : i32
                    %268 = arith.cmpi eq, %267, %wrt00 : i32
                    %result_3, %result_d_1 = scf.if %268 -> (!t_arith, !t_arith_Differential) {
                      %269 = arith.mulf %tex_1_0, %cst_6 : f64
                      %270 = arith.mulf %tex_1_d_0, %cst_6 : f64
                      %init_4 = agg.make %269 : (f64) -> !t_super
                      %init_d_1 = agg.make %270 : (f64) -> !t_super
                      %271 = agg.zero : !t_of00
                      %result_0_1 = agg.make %c1_i32_1, %init_4, %271 : (i32, !t_super, !t_of00) -> !t_arith
                      %result_0_d_1 = agg.make %init_d_1, %271 : (!t_super, !t_of00) -> !t_arith_Differential
                      scf.yield %result_0_1, %result_0_d_1 : !t_arith, !t_arith_Differential
                    } else {
                      %cst_11 = arith.constant 1.5 : f64
                      %272 = arith.mulf %tex_1_0, %cst_11 : f64
                      %273 = arith.mulf %tex_1_d_0, %cst_11 : f64
                      %init_0_2 = agg.make %272 : (f64) -> !t_of00
                      %init_0_d_2 = agg.make %273 : (f64) -> !t_of00
                      %274 = agg.zero : !t_super
                      %result_1_1 = agg.make %c2_i32_0, %274, %init_0_2 : (i32, !t_super, !t_of00) -> !t_arith
                      %result_1_d_1 = agg.make %274, %init_0_d_2 : (!t_super, !t_of00) -> !t_arith_Differential
                      scf.yield %result_1_1, %result_1_d_1 : !t_arith, !t_arith_Differential
                    }
                    scf.yield %result_3, %result_d_1 : !t_arith, !t_arith_Differential
                  } else {
                    scf.yield %arg73, %arg74 : !t_arith, !t_arith_Differential
                  }
                  scf.yield %init_2_0, %init_2_d_0 : !t_arith, !t_arith_Differential
                }
                %275 = arith.addi %arg61, %257 : index
                %276 = arith.addi %arg62, %c1 : index
                %277 = arith.select %232, %276, %c3_0 : index
                %278 = arith.select %232, %276, %arg62 : index
                %279 = agg.insert %275, %arg63[%277] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
                %280 = agg.insert %258#0, %arg64[%277] {path = array<i64: -1>} : (!t_arith, !agg.array<4, !t_arith>, index) -> !agg.array<4, !t_arith>
                %281 = agg.insert %258#1, %arg65[%277] {path = array<i64: -1>} : (!t_arith_Differential, !t_array_0, index) -> !t_array_0
                scf.yield %275, %278, %279, %280, %281, %258#0, %258#1 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0, !t_arith, !t_arith_Differential
              }
              %get_0_1 = arith.index_cast %221 : index to i32
              %282 = agg.extract %229#5[] {path = array<i64: 0>} : (!t_arith) -> i32
              %283 = arith.index_cast %282 : i32 to index
              %284:3 = scf.index_switch %283 -> f64, f64, !t_super_part_fwd_primal_Context
              case 1 {
                %wrt0_2 = agg.extract %229#5[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
                %wrt0_d_2 = agg.extract %229#6[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                %286 = agg.make : () -> !t_super_part_fwd_primal_Context
                scf.yield %wrt0_2, %wrt0_d_2, %286 : f64, f64, !t_super_part_fwd_primal_Context
              }
              case 2 {
                %287 = agg.zero : !t_super_part_fwd_primal_Context
                scf.yield %cst, %cst, %287 : f64, f64, !t_super_part_fwd_primal_Context
              }
              default {
                %285 = agg.zero : !t_super_part_fwd_primal_Context
                scf.yield %cst, %cst, %285 : f64, f64, !t_super_part_fwd_primal_Context
              }
              %288 = agg.make %282, %284#2 : (i32, !t_super_part_fwd_primal_Context) -> !t_arith_part_fwd_primal_Context
              %tex_1_1 = math.sin %284#0 : f64
              %289 = math.cos %284#0 : f64
              %290 = arith.andi %get_0_1, %c1_i32_2 : i32
              %291 = arith.cmpi eq, %290, %wrt00 : i32
              %292 = scf.if %291 -> (!t_jvpp_fwd_primal_Context) {
                %293 = arith.addi %cosf, %get_0_1 : i32
                %294 = arith.andi %293, %c3_i32 : i32
                %295 = arith.cmpi eq, %294, %wrt00 : i32
                %296 = agg.make %295 : (i1) -> !t_jvpp_fwd_primal_Context
                scf.yield %296 : !t_jvpp_fwd_primal_Context
              } else {
                %297 = agg.zero : !t_jvpp_fwd_primal_Context
                scf.yield %297 : !t_jvpp_fwd_primal_Context
              }
              %298 = arith.negf %tex_1_1 : f64
              %299 = scf.if %291 -> (!t_arith_Differential) {
                scf.yield %209 : !t_arith_Differential
              } else {
                scf.yield %arg46 : !t_arith_Differential
              }
              %300 = scf.if %291 -> (!t_arith_Differential) {
                scf.yield %209 : !t_arith_Differential
              } else {
                scf.yield %arg48 : !t_arith_Differential
              }
              %301:2 = scf.if %291 -> (f64, f64) {
                %302 = agg.extract %292[] {path = array<i64: 0>} : (!t_jvpp_fwd_primal_Context) -> i1
                %303:2 = scf.if %302 -> (f64, f64) {
                  %304 = agg.extract %arg48[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                  %305 = agg.extract %arg46[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                  %306 = arith.mulf %304, %cst_6 : f64
                  %307 = arith.mulf %305, %cst_6 : f64
                  scf.yield %307, %306 : f64, f64
                } else {
                  %cst_12 = arith.constant 1.5 : f64
                  %308 = agg.extract %arg48[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
                  %309 = agg.extract %arg46[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
                  %310 = arith.mulf %308, %cst_12 : f64
                  %311 = arith.mulf %309, %cst_12 : f64
                  scf.yield %311, %310 : f64, f64
                }
                %312 = arith.addf %arg47, %303#0 : f64
                %313 = arith.addf %arg49, %303#1 : f64
                scf.yield %312, %313 : f64, f64
              } else {
                scf.yield %arg47, %arg49 : f64, f64
              }
              %314 = strong.gated_mulf %301#1, %284#1 : f64
              %315 = strong.gated_mulf %301#1, %289 : f64
              %316 = strong.gated_mulf %314, %298 : f64
              %317 = strong.gated_mulf %301#0, %289 : f64
              %318 = arith.addf %316, %317 : f64
              %319 = arith.cmpf une, %318, %cst : f64
              %320 = arith.select %319, %318, %cst : f64
              %321 = arith.cmpf une, %315, %cst : f64
              %322 = arith.select %321, %315, %cst : f64
              %323 = arith.ori %319, %321 : i1
              %324:4 = scf.if %323 -> (!t_arith_Differential, f64, !t_arith_Differential, f64) {
                %325:10 = func.call @arith.part.fwd.unsure(%288, %320, %322, %319, %321) : (!t_arith_part_fwd_primal_Context, f64, f64, i1, i1) -> (!t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1, i1, i1, i1, i1)
                %326 = agg.extract %299[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                %327 = agg.extract %325#0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                %328 = arith.addf %326, %327 : f64
                %329 = agg.make %328 : (f64) -> !t_super
                %330 = agg.extract %299[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
                %331 = agg.extract %325#0[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
                %332 = arith.addf %330, %331 : f64
                %333 = agg.make %332 : (f64) -> !t_of00
                %334 = agg.make %329, %333 : (!t_super, !t_of00) -> !t_arith_Differential
                %335 = agg.extract %300[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                %336 = agg.extract %325#2[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                %337 = arith.addf %335, %336 : f64
                %338 = agg.make %337 : (f64) -> !t_super
                %339 = agg.extract %300[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
                %340 = agg.extract %325#2[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
                %341 = arith.addf %339, %340 : f64
                %342 = agg.make %341 : (f64) -> !t_of00
                %343 = agg.make %338, %342 : (!t_super, !t_of00) -> !t_arith_Differential
                scf.yield %334, %325#1, %343, %325#3 : !t_arith_Differential, f64, !t_arith_Differential, f64
              } else {
                scf.yield %299, %cst, %300, %cst : !t_arith_Differential, f64, !t_arith_Differential, f64
              }
              scf.yield %324#0, %324#1, %324#2, %324#3, %229#1, %229#2, %229#3, %229#4 : !t_arith_Differential, f64, !t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0
            }
            scf.yield %220#0, %220#1, %220#2, %220#3 : !t_arith_Differential, f64, !t_arith_Differential, f64
          } else {
            scf.yield %209, %cst, %209, %cst : !t_arith_Differential, f64, !t_arith_Differential, f64
          }
          %344:2 = scf.if %217 -> (f64, f64) {
            %345:2 = scf.if %141 -> (f64, f64) {
              %346 = agg.extract %218#2[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
              %347 = agg.extract %218#0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
              %348 = arith.mulf %346, %cst_6 : f64
              %349 = arith.mulf %347, %cst_6 : f64
              scf.yield %349, %348 : f64, f64
            } else {
              %cst_13 = arith.constant 1.5 : f64
              %350 = agg.extract %218#2[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
              %351 = agg.extract %218#0[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
              %352 = arith.mulf %350, %cst_13 : f64
              %353 = arith.mulf %351, %cst_13 : f64
              scf.yield %353, %352 : f64, f64
            }
            %354 = arith.addf %218#1, %345#0 : f64
            %355 = arith.addf %218#3, %345#1 : f64
            scf.yield %354, %355 : f64, f64
          } else {
            scf.yield %218#1, %218#3 : f64, f64
          }
          scf.yield %344#0, %344#1, %217, %217 : f64, f64, i1, i1
        } else {
          scf.yield %cst, %cst, %false, %false : f64, f64, i1, i1
        }
        %356 = strong.gated_mulf %192#1, %138 : f64
        %357 = strong.gated_mulf %192#1, %139 : f64
        %358 = arith.mulf %356, %cst_7 : f64
        %359 = arith.select %192#3, %358, %cst : f64
        %360 = arith.addf %192#0, %359 : f64
        %361 = arith.ori %192#2, %192#3 : i1
        %362 = strong.gated_mulf %360, %139 : f64
        %363 = arith.mulf %357, %cst_6 : f64
        %364 = arith.mulf %362, %cst_6 : f64
        %365 = arith.select %192#3, %363, %cst : f64
        %366 = agg.extract %arg6[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %367 = arith.addf %366, %365 : f64
        %368 = agg.insert %367, %arg6[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
        %369 = arith.select %361, %364, %cst : f64
        %370 = agg.extract %arg5[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %371 = arith.addf %370, %369 : f64
        %372 = agg.insert %371, %arg5[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
        %373:2 = scf.for %arg75 = %c0 to %c2_0 step %c1 iter_args(%arg76 = %372, %arg77 = %368) -> (!t_orders, !t_orders) {
          %374 = arith.subi %c1, %arg75 : index
          %375 = agg.extract %103[%374] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
          %376 = agg.extract %104[%374] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
          %377 = agg.extract %105[%374] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
          %378 = agg.extract %106[%374] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
          %x_0 = vector.broadcast %375 : f64 to vector<2xf64>
          %x_d_0 = vector.broadcast %376 : f64 to vector<2xf64>
          %y = vector.broadcast %377 : f64 to vector<2xf64>
          %y_d = vector.broadcast %378 : f64 to vector<2xf64>
          %379 = agg.extract %arg77[] {path = array<i64: 1>} : (!t_orders) -> f64
          %380 = agg.extract %arg76[] {path = array<i64: 1>} : (!t_orders) -> f64
          %381 = arith.mulf %379, %cst_8 : f64
          %382 = arith.mulf %380, %cst_8 : f64
          %383 = arith.cmpf une, %382, %cst : f64
          %384 = arith.select %383, %382, %cst : f64
          %385 = arith.cmpf une, %381, %cst : f64
          %386 = arith.select %385, %381, %cst : f64
          %387 = arith.ori %383, %385 : i1
          %388:4 = scf.if %387 -> (vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>) {
            %389 = vector.broadcast %386 : f64 to vector<2xf64>
            %390 = vector.broadcast %384 : f64 to vector<2xf64>
            %391 = strong.gated_mulf %389, %y_d : vector<2xf64>
            %392 = strong.gated_mulf %389, %x_0 : vector<2xf64>
            %393 = strong.gated_mulf %389, %x_d_0 : vector<2xf64>
            %394 = strong.gated_mulf %389, %y : vector<2xf64>
            %395 = strong.gated_mulf %390, %x_0 : vector<2xf64>
            %cst_14 = arith.constant dense<0.0> : vector<2xf64>
            %396 = arith.select %385, %393, %cst_14 : vector<2xf64>
            %397 = arith.select %383, %395, %cst_14 : vector<2xf64>
            %398 = arith.addf %396, %397 : vector<2xf64>
            %399 = strong.gated_mulf %390, %y : vector<2xf64>
            %400 = arith.select %385, %391, %cst_14 : vector<2xf64>
            %401 = arith.select %383, %399, %cst_14 : vector<2xf64>
            %402 = arith.addf %400, %401 : vector<2xf64>
            %403 = arith.select %385, %394, %cst_14 : vector<2xf64>
            %404 = arith.select %385, %392, %cst_14 : vector<2xf64>
            scf.yield %402, %398, %403, %404 : vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>
          } else {
            %cst_15 = arith.constant dense<0.0> : vector<2xf64>
            scf.yield %cst_15, %cst_15, %cst_15, %cst_15 : vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>
          }
          %405 = vector.reduction <add>, %388#3 : vector<2xf64> into f64
          %406 = vector.reduction <add>, %388#1 : vector<2xf64> into f64
          %407 = agg.extract %arg77[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
          %408 = arith.addf %407, %405 : f64
          %409 = agg.insert %408, %arg77[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
          %410 = agg.extract %arg76[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
          %411 = arith.addf %410, %406 : f64
          %412 = agg.insert %411, %arg76[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
          %413 = vector.reduction <add>, %388#2 : vector<2xf64> into f64
          %414 = vector.reduction <add>, %388#0 : vector<2xf64> into f64
          %415 = agg.extract %arg77[] {path = array<i64: 0>} : (!t_orders) -> f64
          %416 = arith.addf %415, %413 : f64
          %417 = agg.insert %416, %409[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
          %418 = agg.extract %arg76[] {path = array<i64: 0>} : (!t_orders) -> f64
          %419 = arith.addf %418, %414 : f64
          %420 = agg.insert %419, %412[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
          scf.yield %420, %417 : !t_orders, !t_orders
        }
        scf.yield %373#0, %373#1, %24#1, %24#2, %24#3, %24#4, %24#5 : !t_orders, !t_orders, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array
      }
      scf.yield %14#0, %14#1 : !t_orders, !t_orders
    } else {
      scf.yield %7, %7 : !t_orders, !t_orders
    }
    func.return %12#0, %12#1, %11, %11, %11, %11, %11, %11 : !t_orders, !t_orders, i1, i1, i1, i1, i1, i1
  }
  func.func private @stage.fwd.primal(%x: !t_orders, %differential: i32, %transposed: i32, %at: i32, %x_d: !t_orders) -> (f64, f64, !t_stage_fwd_primal_Context) attributes {differentiable = "both"} {
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %c-1_i32 = arith.constant -1 : i32
    %wrt00 = arith.constant 0 : i32
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.25 : f64
    %c2_i32 = arith.constant 2 : i32
    %c5_i32 = arith.constant 5 : i32
    %cst_0 = arith.constant 1.7397127693021015 : f64
    %cst_1 = arith.constant 0.5 : f64
    %cst_2 = arith.constant 0.5537200244863067 : f64
    %0 = arith.cmpi slt, %transposed, %c5_i32 : i32
    %false = arith.constant false
    %1, %p_0, %sqrtf, %p_0_d, %2 = scf.while (%arg0 = %true, %p_1 = %x, %sqrtf_0 = %transposed, %p_1_d = %x_d, %arg1 = %c0) : (i1, !t_orders, i32, !t_orders, index) -> (i1, !t_orders, i32, !t_orders, index) {
      scf.condition(%arg0) %arg0, %p_1, %sqrtf_0, %p_1_d, %arg1 : i1, !t_orders, i32, !t_orders, index
    } do {
    ^bb0(%arg2: i1, %p_2: !t_orders, %sqrtf_1: i32, %p_2_d: !t_orders, %arg3: index):
      %sqrtf_2 = arith.addi %sqrtf_1, %c-1_i32 : i32
      %p_3, %p_3_d = scf.for %arg4 = %c0 to %c2 step %c1 iter_args(%p_4 = %p_2, %p_4_d = %p_2_d) -> (!t_orders, !t_orders) {
        %3 = agg.extract %p_4[] {path = array<i64: 0>} : (!t_orders) -> f64
        %4 = agg.extract %p_4_d[] {path = array<i64: 0>} : (!t_orders) -> f64
        %5 = vector.broadcast %3 : f64 to vector<2xf64>
        %6 = vector.broadcast %4 : f64 to vector<2xf64>
        %7 = agg.extract %p_4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %8 = agg.extract %p_4_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %9 = vector.broadcast %7 : f64 to vector<2xf64>
        %10 = vector.broadcast %8 : f64 to vector<2xf64>
        %11 = arith.mulf %5, %9 : vector<2xf64>
        %12 = arith.mulf %6, %9 : vector<2xf64>
        %13 = arith.mulf %10, %5 : vector<2xf64>
        %14 = arith.addf %12, %13 : vector<2xf64>
        %15 = vector.reduction <add>, %11 : vector<2xf64> into f64
        %16 = vector.reduction <add>, %14 : vector<2xf64> into f64
        %17 = arith.mulf %15, %cst : f64
        %18 = arith.mulf %16, %cst : f64
        %19 = agg.extract %p_4[] {path = array<i64: 1>} : (!t_orders) -> f64
        %20 = agg.extract %p_4_d[] {path = array<i64: 1>} : (!t_orders) -> f64
        %21 = arith.addf %19, %17 : f64
        %22 = arith.addf %20, %18 : f64
        %p_5 = agg.insert %21, %p_4[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d = agg.insert %22, %p_4_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        scf.yield %p_5, %p_5_d : !t_orders, !t_orders
      }
      %23 = arith.andi %sqrtf_2, %c2_i32 : i32
      %24 = arith.cmpi ne, %23, %wrt00 : i32
      %25 = arith.select %24, %sqrtf_2, %transposed : i32
      %26 = arith.cmpi slt, %25, %c5_i32 : i32
      %27 = arith.select %26, %transposed, %sqrtf_2 : i32
      %28 = agg.extract %p_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %29 = agg.extract %p_3_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %30 = arith.mulf %28, %cst_1 : f64
      %31 = arith.mulf %29, %cst_1 : f64
      %32 = math.powf %cst_0, %30 : f64
      %33 = arith.mulf %32, %cst_2 : f64
      %34 = arith.mulf %31, %33 : f64
      %35:2 = func.call @wrt10.fwd(%27, %32, %34) : (i32, f64, f64) -> (f64, f64)
      %36 = math.sin %35#0 : f64
      %37 = math.cos %35#0 : f64
      %38 = arith.mulf %35#1, %37 : f64
      %39 = agg.extract %p_3[] {path = array<i64: 0>} : (!t_orders) -> f64
      %40 = agg.extract %p_3_d[] {path = array<i64: 0>} : (!t_orders) -> f64
      %41 = arith.addf %39, %36 : f64
      %42 = arith.addf %40, %38 : f64
      %p_6 = agg.insert %41, %p_3[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %p_6_d = agg.insert %42, %p_3_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %43 = arith.cmpi sgt, %sqrtf_2, %wrt00 : i32
      %44 = arith.select %43, %0, %false : i1
      %45 = arith.addi %arg3, %c1 : index
      scf.yield %44, %p_6, %sqrtf_2, %p_6_d, %45 : i1, !t_orders, i32, !t_orders, index
    }
    %46 = agg.extract %p_0[] {path = array<i64: 1>} : (!t_orders) -> f64
    %47 = agg.extract %p_0_d[] {path = array<i64: 1>} : (!t_orders) -> f64
    %48 = agg.make %x, %transposed, %x_d, %2 : (!t_orders, i32, !t_orders, index) -> !t_math_fwd_primal_Context
    %49 = agg.global @data : !agg.buffer<f64, "rw">
    %50 = arith.index_cast %at : i32 to index
    %51 = agg.buffer_load %49, %50[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %52 = arith.mulf %51, %46 : f64
    %53 = arith.mulf %47, %51 : f64
    %54 = agg.make %at, %48 : (i32, !t_math_fwd_primal_Context) -> !t_stage_fwd_primal_Context
    func.return %52, %53, %54 : f64, f64, !t_stage_fwd_primal_Context
  }
  func.func private @stage.fwd.bwd(%context: !t_stage_fwd_primal_Context, %arg0: f64, %arg1: f64, %arg2: i1, %arg3: i1) -> (!t_orders, !t_orders, i1, i1, i1, i1, i1, i1) attributes {differentiable = "both"} {
    %at = agg.extract %context[] {path = array<i64: 0>} : (!t_stage_fwd_primal_Context) -> i32
    %0 = agg.global @data : !agg.buffer<f64, "rw">
    %1 = arith.index_cast %at : i32 to index
    %2 = agg.buffer_load %0, %1[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %3 = arith.mulf %arg1, %2 : f64
    %4 = arith.mulf %arg0, %2 : f64
    %cst = arith.constant 0.0 : f64
    %5 = arith.select %arg3, %3, %cst : f64
    %6 = arith.select %arg2, %4, %cst : f64
    %7 = arith.ori %arg2, %arg3 : i1
    %8:12 = scf.if %7 -> (f64, f64, !t_jvp, f64, f64, !t_jvp, i1, i1, i1, i1, i1, i1) {
      %p = agg.extract %context[] {path = array<i64: 1, 0>} : (!t_stage_fwd_primal_Context) -> !t_orders
      %transposed = agg.extract %context[] {path = array<i64: 1, 1>} : (!t_stage_fwd_primal_Context) -> i32
      %p_d = agg.extract %context[] {path = array<i64: 1, 2>} : (!t_stage_fwd_primal_Context) -> !t_orders
      %9 = agg.extract %context[] {path = array<i64: 1, 3>} : (!t_stage_fwd_primal_Context) -> index
      %10 = agg.zero : !t_jvp
      %11 = agg.make %cst, %5, %10 : (f64, f64, !t_jvp) -> !t_orders
      %12 = agg.make %cst, %6, %10 : (f64, f64, !t_jvp) -> !t_orders
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %13 = agg.zero : !agg.array<4, index>
      %false = arith.constant false
      %14 = agg.zero : !t_orders
      %15 = agg.make %p, %14, %14, %14 : (!t_orders, !t_orders, !t_orders, !t_orders) -> !t_array
      %wrt00 = arith.constant 0 : i32
      %16 = agg.make %transposed, %wrt00, %wrt00, %wrt00 : (i32, i32, i32, i32) -> !agg.array<4, i32>
      %17 = agg.make %p_d, %14, %14, %14 : (!t_orders, !t_orders, !t_orders, !t_orders) -> !t_array
      %18:2 = scf.if %7 -> (!t_orders, !t_orders) {
        %c-1 = arith.constant -1 : index
        %19 = arith.addi %9, %c-1 : index
        %c2 = arith.constant 2 : index
        %c-1_i32 = arith.constant -1 : i32
        %cst_0 = arith.constant 0.25 : f64
        %c2_i32 = arith.constant 2 : i32
        %c5_i32 = arith.constant 5 : i32
        %cst_1 = arith.constant 1.7397127693021015 : f64
        %cst_2 = arith.constant 0.5 : f64
        %cst_3 = arith.constant 0.5537200244863067 : f64
        %c3 = arith.constant 3 : index
        %c-1_i32_0 = arith.constant -1 : i32
        %c2_0 = arith.constant 2 : index
        %cst_4 = arith.constant 0.25 : f64
        %c2_i32_0 = arith.constant 2 : i32
        %c5_i32_0 = arith.constant 5 : i32
        %cst_5 = arith.constant 1.7397127693021015 : f64
        %cst_6 = arith.constant 0.5 : f64
        %cst_7 = arith.constant 0.5537200244863067 : f64
        %c3_i32 = arith.constant 3 : i32
        %c0_i64 = arith.constant 0 : i64
        %c1_i32 = arith.constant 1 : i32
        %cst_8 = arith.constant 0.25 : f64
        %20:7 = scf.for %arg4 = %c0 to %9 step %c1 iter_args(%arg5 = %12, %arg6 = %11, %arg7 = %c0, %arg8 = %13, %arg9 = %15, %arg10 = %16, %arg11 = %17) -> (!t_orders, !t_orders, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array) {
          %21 = arith.subi %19, %arg4 : index
          %22 = agg.extract %arg8[%arg7] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
          %23 = arith.cmpi sgt, %22, %21 : index
          %24 = arith.addi %arg7, %c-1 : index
          %25 = arith.select %23, %24, %arg7 : index
          %26 = agg.extract %arg8[%25] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
          %27 = agg.extract %arg9[%25] {path = array<i64: -1>} : (!t_array, index) -> !t_orders
          %28 = agg.extract %arg10[%25] {path = array<i64: -1>} : (!agg.array<4, i32>, index) -> i32
          %29 = agg.extract %arg11[%25] {path = array<i64: -1>} : (!t_array, index) -> !t_orders
          %30:9 = scf.while (%arg12 = %26, %arg13 = %25, %arg14 = %arg8, %arg15 = %arg9, %arg16 = %arg10, %arg17 = %arg11, %arg18 = %27, %arg19 = %28, %arg20 = %29) : (index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array, !t_orders, i32, !t_orders) -> (index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array, !t_orders, i32, !t_orders) {
            %31 = arith.cmpi slt, %arg12, %21 : index
            scf.condition(%31) %arg12, %arg13, %arg14, %arg15, %arg16, %arg17, %arg18, %arg19, %arg20 : index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array, !t_orders, i32, !t_orders
          } do {
          ^bb0(%arg21: index, %arg22: index, %arg23: !agg.array<4, index>, %arg24: !t_array, %arg25: !agg.array<4, i32>, %arg26: !t_array, %arg27: !t_orders, %arg28: i32, %arg29: !t_orders):
            %32 = arith.subi %c2, %arg22 : index
            %33 = arith.cmpi sgt, %32, %c0 : index
            %34 = arith.subi %21, %arg21 : index
            %35 = arith.addi %34, %c1 : index
            %36 = arith.maxui %32, %c1 : index
            %37 = arith.addi %36, %c1 : index
            %38:2 = scf.while (%arg30 = %c1, %arg31 = %c0) : (index, index) -> (index, index) {
              %39 = arith.cmpi slt, %arg30, %35 : index
              scf.condition(%39) %arg30, %arg31 : index, index
            } do {
            ^bb0(%arg32: index, %arg33: index):
              %40 = arith.addi %arg33, %c1 : index
              %41 = arith.addi %37, %40 : index
              %42 = arith.muli %arg32, %41 : index
              %43 = arith.divui %42, %40 : index
              scf.yield %43, %40 : index, index
            }
            %44 = arith.muli %38#0, %37 : index
            %45 = arith.addi %37, %38#1 : index
            %46 = arith.divui %44, %45 : index
            %47 = arith.muli %38#0, %38#1 : index
            %48 = arith.divui %47, %45 : index
            %49 = arith.addi %38#1, %c-1 : index
            %50 = arith.muli %48, %49 : index
            %51 = arith.addi %45, %c-1 : index
            %52 = arith.divui %50, %51 : index
            %53 = arith.maxui %52, %c1 : index
            %54 = arith.subi %35, %53 : index
            %55 = arith.minui %46, %54 : index
            %56 = arith.maxui %55, %c1 : index
            %57 = arith.subi %35, %56 : index
            %58 = arith.select %33, %57, %34 : index
            %59:3 = scf.for %arg34 = %c0 to %58 step %c1 iter_args(%arg35 = %arg27, %arg36 = %arg28, %arg37 = %arg29) -> (!t_orders, i32, !t_orders) {
              %sqrtf_2 = arith.addi %arg36, %c-1_i32 : i32
              %p_3, %p_3_d = scf.for %arg38 = %c0 to %c2 step %c1 iter_args(%p_4 = %arg35, %p_4_d = %arg37) -> (!t_orders, !t_orders) {
                %60 = agg.extract %p_4[] {path = array<i64: 0>} : (!t_orders) -> f64
                %61 = agg.extract %p_4_d[] {path = array<i64: 0>} : (!t_orders) -> f64
                %62 = vector.broadcast %60 : f64 to vector<2xf64>
                %63 = vector.broadcast %61 : f64 to vector<2xf64>
                %64 = agg.extract %p_4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
                %65 = agg.extract %p_4_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
                %66 = vector.broadcast %64 : f64 to vector<2xf64>
                %67 = vector.broadcast %65 : f64 to vector<2xf64>
                %68 = arith.mulf %62, %66 : vector<2xf64>
                %69 = arith.mulf %63, %66 : vector<2xf64>
                %70 = arith.mulf %67, %62 : vector<2xf64>
                %71 = arith.addf %69, %70 : vector<2xf64>
                %72 = vector.reduction <add>, %68 : vector<2xf64> into f64
                %73 = vector.reduction <add>, %71 : vector<2xf64> into f64
                %74 = arith.mulf %72, %cst_0 : f64
                %75 = arith.mulf %73, %cst_0 : f64
                %76 = agg.extract %p_4[] {path = array<i64: 1>} : (!t_orders) -> f64
                %77 = agg.extract %p_4_d[] {path = array<i64: 1>} : (!t_orders) -> f64
                %78 = arith.addf %76, %74 : f64
                %79 = arith.addf %77, %75 : f64
                %p_5 = agg.insert %78, %p_4[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
                %p_5_d = agg.insert %79, %p_4_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
                scf.yield %p_5, %p_5_d : !t_orders, !t_orders
              }
              %80 = arith.andi %sqrtf_2, %c2_i32 : i32
              %81 = arith.cmpi ne, %80, %wrt00 : i32
              %82 = arith.select %81, %sqrtf_2, %transposed : i32
              %83 = arith.cmpi slt, %82, %c5_i32 : i32
              %84 = arith.select %83, %transposed, %sqrtf_2 : i32
              %85 = agg.extract %p_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
              %86 = agg.extract %p_3_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
              %87 = arith.mulf %85, %cst_2 : f64
              %88 = arith.mulf %86, %cst_2 : f64
              %89 = math.powf %cst_1, %87 : f64
              %90 = arith.mulf %89, %cst_3 : f64
              %91 = arith.mulf %88, %90 : f64
              %92:2 = func.call @wrt10.fwd(%84, %89, %91) : (i32, f64, f64) -> (f64, f64)
              %93 = math.sin %92#0 : f64
              %94 = math.cos %92#0 : f64
              %95 = arith.mulf %92#1, %94 : f64
              %96 = agg.extract %p_3[] {path = array<i64: 0>} : (!t_orders) -> f64
              %97 = agg.extract %p_3_d[] {path = array<i64: 0>} : (!t_orders) -> f64
              %98 = arith.addf %96, %93 : f64
              %99 = arith.addf %97, %95 : f64
              %p_6 = agg.insert %98, %p_3[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
              %p_6_d = agg.insert %99, %p_3_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
              scf.yield %p_6, %sqrtf_2, %p_6_d : !t_orders, i32, !t_orders
            }
            %100 = arith.addi %arg21, %58 : index
            %101 = arith.addi %arg22, %c1 : index
            %102 = arith.select %33, %101, %c3 : index
            %103 = arith.select %33, %101, %arg22 : index
            %104 = agg.insert %100, %arg23[%102] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
            %105 = agg.insert %59#0, %arg24[%102] {path = array<i64: -1>} : (!t_orders, !t_array, index) -> !t_array
            %106 = agg.insert %59#1, %arg25[%102] {path = array<i64: -1>} : (i32, !agg.array<4, i32>, index) -> !agg.array<4, i32>
            %107 = agg.insert %59#2, %arg26[%102] {path = array<i64: -1>} : (!t_orders, !t_array, index) -> !t_array
            scf.yield %100, %103, %104, %105, %106, %107, %59#0, %59#1, %59#2 : index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array, !t_orders, i32, !t_orders
          }
          %sqrtf_2_0 = arith.addi %30#7, %c-1_i32_0 : i32
          %108 = agg.zero {unread} : !agg.array<2, f64>
          %p_3_0, %p_3_d_0, %109, %110, %111, %112 = scf.for %arg39 = %c0 to %c2_0 step %c1 iter_args(%p_4_0 = %30#6, %p_4_d_0 = %30#8, %arg40 = %108, %arg41 = %108, %arg42 = %108, %arg43 = %108) -> (!t_orders, !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, !agg.array<2, f64>, !agg.array<2, f64>) {
            %113 = agg.extract %p_4_0[] {path = array<i64: 0>} : (!t_orders) -> f64
            %114 = agg.extract %p_4_d_0[] {path = array<i64: 0>} : (!t_orders) -> f64
            %115 = vector.broadcast %113 : f64 to vector<2xf64>
            %116 = vector.broadcast %114 : f64 to vector<2xf64>
            %117 = agg.extract %p_4_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %118 = agg.extract %p_4_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %119 = vector.broadcast %117 : f64 to vector<2xf64>
            %120 = vector.broadcast %118 : f64 to vector<2xf64>
            %121 = arith.mulf %115, %119 : vector<2xf64>
            %122 = arith.mulf %116, %119 : vector<2xf64>
            %123 = arith.mulf %120, %115 : vector<2xf64>
            %124 = arith.addf %122, %123 : vector<2xf64>
            %125 = vector.reduction <add>, %121 : vector<2xf64> into f64
            %126 = vector.reduction <add>, %124 : vector<2xf64> into f64
            %127 = arith.mulf %125, %cst_4 : f64
            %128 = arith.mulf %126, %cst_4 : f64
            %129 = agg.extract %p_4_0[] {path = array<i64: 1>} : (!t_orders) -> f64
            %130 = agg.extract %p_4_d_0[] {path = array<i64: 1>} : (!t_orders) -> f64
            %131 = arith.addf %129, %127 : f64
            %132 = arith.addf %130, %128 : f64
            %p_5_0 = agg.insert %131, %p_4_0[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
            %p_5_d_0 = agg.insert %132, %p_4_d_0[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
            %133 = agg.insert %113, %arg40[%arg39] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
            %134 = agg.insert %114, %arg41[%arg39] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
            %135 = agg.insert %117, %arg42[%arg39] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
            %136 = agg.insert %118, %arg43[%arg39] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
            scf.yield %p_5_0, %p_5_d_0, %133, %134, %135, %136 : !t_orders, !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, !agg.array<2, f64>, !agg.array<2, f64>
          }
          %137 = arith.andi %sqrtf_2_0, %c2_i32_0 : i32
          %138 = arith.cmpi ne, %137, %wrt00 : i32
          %139 = arith.select %138, %sqrtf_2_0, %transposed : i32
          %140 = arith.cmpi slt, %139, %c5_i32_0 : i32
          %cosf = arith.select %140, %transposed, %sqrtf_2_0 : i32
          %141 = agg.extract %p_3_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
          %142 = agg.extract %p_3_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
          %143 = arith.mulf %141, %cst_6 : f64
          %144 = arith.mulf %142, %cst_6 : f64
          %x = math.powf %cst_5, %143 : f64
          %145 = arith.mulf %x, %cst_7 : f64
          %x_d = arith.mulf %144, %145 : f64
          %146 = arith.andi %cosf, %c3_i32 : i32
          %147 = arith.cmpi eq, %146, %wrt00 : i32
          %result, %result_d = scf.if %147 -> (!t_arith, !t_arith_Differential) {
            %148 = arith.mulf %x, %cst_6 : f64
            %149 = arith.mulf %x_d, %cst_6 : f64
            %init = agg.make %148 : (f64) -> !t_super
            %init_d = agg.make %149 : (f64) -> !t_super
            %c1_i32_0 = arith.constant 1 : i32
            %150 = agg.zero : !t_of00
            %result_0 = agg.make %c1_i32_0, %init, %150 : (i32, !t_super, !t_of00) -> !t_arith
            %result_0_d = agg.make %init_d, %150 : (!t_super, !t_of00) -> !t_arith_Differential
            scf.yield %result_0, %result_0_d : !t_arith, !t_arith_Differential
          } else {
            %cst_9 = arith.constant 1.5 : f64
            %151 = arith.mulf %x, %cst_9 : f64
            %152 = arith.mulf %x_d, %cst_9 : f64
            %init_0 = agg.make %151 : (f64) -> !t_of00
            %init_0_d = agg.make %152 : (f64) -> !t_of00
            %153 = agg.zero : !t_super
            %result_1 = agg.make %c2_i32_0, %153, %init_0 : (i32, !t_super, !t_of00) -> !t_arith
            %result_1_d = agg.make %153, %init_0_d : (!t_super, !t_of00) -> !t_arith_Differential
            scf.yield %result_1, %result_1_d : !t_arith, !t_arith_Differential
          }
          %154 = arith.extsi %146 : i32 to i64
          %155 = arith.maxsi %154, %c0_i64 : i64
          %156 = arith.index_cast %155 : i64 to index
          %init_0_0, %tex, %init_0_d_0, %tex_d = scf.for %arg44 = %c0 to %156 step %c1 iter_args(%init_1 = %result, %tex_0 = %x, %init_1_d = %result_d, %tex_0_d = %x_d) -> (!t_arith, f64, !t_arith_Differential, f64) {
            %get_0 = arith.index_cast %arg44 : index to i32
            %157 = agg.extract %init_1[] {path = array<i64: 0>} : (!t_arith) -> i32
            %158 = arith.index_cast %157 : i32 to index
            %159:2 = scf.index_switch %158 -> f64, f64
            case 1 {
              %wrt0 = agg.extract %init_1[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
              %wrt0_d = agg.extract %init_1_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
              scf.yield %wrt0, %wrt0_d : f64, f64
            }
            case 2 {
              scf.yield %cst, %cst : f64, f64
            }
            default {
              scf.yield %cst, %cst : f64, f64
            }
            %tex_1 = math.sin %159#0 : f64
            %160 = math.cos %159#0 : f64
            %tex_1_d = arith.mulf %159#1, %160 : f64
            %161 = arith.andi %get_0, %c1_i32 : i32
            %162 = arith.cmpi eq, %161, %wrt00 : i32
            %init_2, %init_2_d = scf.if %162 -> (!t_arith, !t_arith_Differential) {
              %163 = arith.addi %cosf, %get_0 : i32
              %164 = arith.andi %163, %c3_i32 : i32
              %165 = arith.cmpi eq, %164, %wrt00 : i32
              %result_2, %result_d_0 = scf.if %165 -> (!t_arith, !t_arith_Differential) {
                %166 = arith.mulf %tex_1, %cst_6 : f64
                %167 = arith.mulf %tex_1_d, %cst_6 : f64
                %init_3 = agg.make %166 : (f64) -> !t_super
                %init_d_0 = agg.make %167 : (f64) -> !t_super
                %168 = agg.zero : !t_of00
                %result_0_0 = agg.make %c1_i32, %init_3, %168 : (i32, !t_super, !t_of00) -> !t_arith
                %result_0_d_0 = agg.make %init_d_0, %168 : (!t_super, !t_of00) -> !t_arith_Differential
                scf.yield %result_0_0, %result_0_d_0 : !t_arith, !t_arith_Differential
              } else {
                %cst_10 = arith.constant 1.5 : f64
                %169 = arith.mulf %tex_1, %cst_10 : f64
                %170 = arith.mulf %tex_1_d, %cst_10 : f64
                %init_0_1 = agg.make %169 : (f64) -> !t_of00
                %init_0_d_1 = agg.make %170 : (f64) -> !t_of00
                %171 = agg.zero : !t_super
                %result_1_0 = agg.make %c2_i32_0, %171, %init_0_1 : (i32, !t_super, !t_of00) -> !t_arith
                %result_1_d_0 = agg.make %171, %init_0_d_1 : (!t_super, !t_of00) -> !t_arith_Differential
                scf.yield %result_1_0, %result_1_d_0 : !t_arith, !t_arith_Differential
              }
              scf.yield %result_2, %result_d_0 : !t_arith, !t_arith_Differential
            } else {
              scf.yield %init_1, %init_1_d : !t_arith, !t_arith_Differential
            }
            scf.yield %init_2, %tex_1, %init_2_d, %tex_1_d : !t_arith, f64, !t_arith_Differential, f64
          }
          %172 = agg.extract %init_0_0[] {path = array<i64: 0>} : (!t_arith) -> i32
          %173 = arith.index_cast %172 : i32 to index
          %174:3 = scf.index_switch %173 -> f64, f64, !t_super_part_fwd_primal_Context
          case 1 {
            %wrt0_0 = agg.extract %init_0_0[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
            %wrt0_d_0 = agg.extract %init_0_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
            %176 = agg.make : () -> !t_super_part_fwd_primal_Context
            scf.yield %wrt0_0, %wrt0_d_0, %176 : f64, f64, !t_super_part_fwd_primal_Context
          }
          case 2 {
            %177 = agg.zero : !t_super_part_fwd_primal_Context
            scf.yield %cst, %cst, %177 : f64, f64, !t_super_part_fwd_primal_Context
          }
          default {
            %175 = agg.zero : !t_super_part_fwd_primal_Context
            scf.yield %cst, %cst, %175 : f64, f64, !t_super_part_fwd_primal_Context
          }
          %178 = agg.make %172, %174#2 : (i32, !t_super_part_fwd_primal_Context) -> !t_arith_part_fwd_primal_Context
          %179 = arith.mulf %174#0, %cst_6 : f64
          %180 = arith.mulf %174#1, %cst_6 : f64
          %181 = arith.addf %tex, %179 : f64
          %182 = arith.addf %tex_d, %180 : f64
          %183 = math.sin %181 : f64
          %184 = math.cos %181 : f64
          %185 = arith.negf %183 : f64
          %186 = agg.extract %arg6[] {path = array<i64: 0>} : (!t_orders) -> f64
          %187 = agg.extract %arg5[] {path = array<i64: 0>} : (!t_orders) -> f64
          %188 = strong.gated_mulf %186, %182 : f64
          %189 = strong.gated_mulf %186, %184 : f64
          %190 = strong.gated_mulf %188, %185 : f64
          %191 = strong.gated_mulf %187, %184 : f64
          %192 = arith.addf %190, %191 : f64
          %193 = arith.cmpf une, %192, %cst : f64
          %194 = arith.select %193, %192, %cst : f64
          %195 = arith.cmpf une, %189, %cst : f64
          %196 = arith.select %195, %189, %cst : f64
          %197 = arith.ori %193, %195 : i1
          %198:4 = scf.if %197 -> (f64, f64, i1, i1) {
            %199 = arith.mulf %196, %cst_6 : f64
            %200 = arith.mulf %194, %cst_6 : f64
            %201 = arith.cmpf une, %200, %cst : f64
            %202 = arith.select %201, %200, %cst : f64
            %203 = arith.cmpf une, %199, %cst : f64
            %204 = arith.select %203, %199, %cst : f64
            %205 = arith.ori %201, %203 : i1
            %206:6 = scf.if %205 -> (!t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1) {
              %207:10 = func.call @arith.part.fwd.unsure(%178, %202, %204, %201, %203) : (!t_arith_part_fwd_primal_Context, f64, f64, i1, i1) -> (!t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1, i1, i1, i1, i1)
              %208 = arith.ori %207#4, %207#5 : i1
              %209 = arith.addf %194, %207#1 : f64
              %210 = arith.ori %207#7, %207#8 : i1
              %211 = arith.addf %196, %207#3 : f64
              scf.yield %207#0, %209, %207#2, %211, %208, %210 : !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1
            } else {
              %212 = agg.zero : !t_arith_Differential
              scf.yield %212, %194, %212, %196, %false, %false : !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1
            }
            %213 = agg.zero : !t_arith
            %214 = agg.make %result, %213, %213, %213 : (!t_arith, !t_arith, !t_arith, !t_arith) -> !agg.array<4, !t_arith>
            %215 = agg.zero : !t_arith_Differential
            %216 = agg.make %result_d, %215, %215, %215 : (!t_arith_Differential, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential) -> !t_array_0
            %217 = arith.cmpf une, %206#1, %cst : f64
            %218 = arith.select %217, %206#1, %cst : f64
            %219 = arith.cmpf une, %206#3, %cst : f64
            %220 = arith.select %219, %206#3, %cst : f64
            %221 = arith.ori %206#4, %217 : i1
            %222 = arith.ori %221, %206#5 : i1
            %223 = arith.ori %222, %219 : i1
            %224:4 = scf.if %223 -> (!t_arith_Differential, f64, !t_arith_Differential, f64) {
              %225 = arith.addi %156, %c-1 : index
              %c1_i32_1 = arith.constant 1 : i32
              %c3_0 = arith.constant 3 : index
              %c1_i32_2 = arith.constant 1 : i32
              %226:8 = scf.for %arg45 = %c0 to %156 step %c1 iter_args(%arg46 = %206#0, %arg47 = %218, %arg48 = %206#2, %arg49 = %220, %arg50 = %c0, %arg51 = %13, %arg52 = %214, %arg53 = %216) -> (!t_arith_Differential, f64, !t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0) {
                %227 = arith.subi %225, %arg45 : index
                %228 = agg.extract %arg51[%arg50] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
                %229 = arith.cmpi sgt, %228, %227 : index
                %230 = arith.addi %arg50, %c-1 : index
                %231 = arith.select %229, %230, %arg50 : index
                %232 = agg.extract %arg51[%231] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
                %233 = agg.extract %arg52[%231] {path = array<i64: -1>} : (!agg.array<4, !t_arith>, index) -> !t_arith
                %234 = agg.extract %arg53[%231] {path = array<i64: -1>} : (!t_array_0, index) -> !t_arith_Differential
                %235:7 = scf.while (%arg54 = %232, %arg55 = %231, %arg56 = %arg51, %arg57 = %arg52, %arg58 = %arg53, %arg59 = %233, %arg60 = %234) : (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0, !t_arith, !t_arith_Differential) -> (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0, !t_arith, !t_arith_Differential) {
                  %236 = arith.cmpi slt, %arg54, %227 : index
                  scf.condition(%236) %arg54, %arg55, %arg56, %arg57, %arg58, %arg59, %arg60 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0, !t_arith, !t_arith_Differential
                } do {
                ^bb0(%arg61: index, %arg62: index, %arg63: !agg.array<4, index>, %arg64: !agg.array<4, !t_arith>, %arg65: !t_array_0, %arg66: !t_arith, %arg67: !t_arith_Differential):
                  %237 = arith.subi %c2_0, %arg62 : index
                  %238 = arith.cmpi sgt, %237, %c0 : index
                  %239 = arith.subi %227, %arg61 : index
                  %240 = arith.addi %239, %c1 : index
                  %241 = arith.maxui %237, %c1 : index
                  %242 = arith.addi %241, %c1 : index
                  %243:2 = scf.while (%arg68 = %c1, %arg69 = %c0) : (index, index) -> (index, index) {
                    %244 = arith.cmpi slt, %arg68, %240 : index
                    scf.condition(%244) %arg68, %arg69 : index, index
                  } do {
                  ^bb0(%arg70: index, %arg71: index):
                    %245 = arith.addi %arg71, %c1 : index
                    %246 = arith.addi %242, %245 : index
                    %247 = arith.muli %arg70, %246 : index
                    %248 = arith.divui %247, %245 : index
                    scf.yield %248, %245 : index, index
                  }
                  %249 = arith.muli %243#0, %242 : index
                  %250 = arith.addi %242, %243#1 : index
                  %251 = arith.divui %249, %250 : index
                  %252 = arith.muli %243#0, %243#1 : index
                  %253 = arith.divui %252, %250 : index
                  %254 = arith.addi %243#1, %c-1 : index
                  %255 = arith.muli %253, %254 : index
                  %256 = arith.addi %250, %c-1 : index
                  %257 = arith.divui %255, %256 : index
                  %258 = arith.maxui %257, %c1 : index
                  %259 = arith.subi %240, %258 : index
                  %260 = arith.minui %251, %259 : index
                  %261 = arith.maxui %260, %c1 : index
                  %262 = arith.subi %240, %261 : index
                  %263 = arith.select %238, %262, %239 : index
                  %264:2 = scf.for %arg72 = %c0 to %263 step %c1 iter_args(%arg73 = %arg66, %arg74 = %arg67) -> (!t_arith, !t_arith_Differential) {
                    %265 = arith.addi %arg61, %arg72 : index
                    %get_0_0 = arith.index_cast %265 : index to i32
                    %266 = agg.extract %arg73[] {path = array<i64: 0>} : (!t_arith) -> i32
                    %267 = arith.index_cast %266 : i32 to index
                    %268:2 = scf.index_switch %267 -> f64, f64
                    case 1 {
                      %wrt0_1 = agg.extract %arg73[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
                      %wrt0_d_1 = agg.extract %arg74[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                      scf.yield %wrt0_1, %wrt0_d_1 : f64, f64
                    }
                    case 2 {
                      scf.yield %cst, %cst : f64, f64
                    }
                    default {
                      scf.yield %cst, %cst : f64, f64
                    }
                    %tex_1_0 = math.sin %268#0 : f64
                    %269 = math.cos %268#0 : f64
                    %tex_1_d_0 = arith.mulf %268#1, %269 : f64
                    %270 = arith.andi %get_0_0, %c1_i32_1 : i32
                    %271 = arith.cmpi eq, %270, %wrt00 : i32
                    %init_2_0, %init_2_d_0 = scf.if %271 -> (!t_arith, !t_arith_Differential) {
                      %272 = arith.addi %cosf, %get_0_0 : i32
                      %273 = arith.andi %272, %c3_i32 : i32
                      %274 = arith.cmpi eq, %273, %wrt00 : i32
                      %result_3, %result_d_1 = scf.if %274 -> (!t_arith, !t_arith_Differential) {
                        %275 = arith.mulf %tex_1_0, %cst_6 : f64
                        %276 = arith.mulf %tex_1_d_0, %cst_6 : f64
                        %init_4 = agg.make %275 : (f64) -> !t_super
                        %init_d_1 = agg.make %276 : (f64) -> !t_super
                        %277 = agg.zero : !t_of00
                        %result_0_1 = agg.make %c1_i32_1, %init_4, %277 : (i32, !t_super, !t_of00) -> !t_arith
                        %result_0_d_1 = agg.make %init_d_1, %277 : (!t_super, !t_of00) -> !t_arith_Differential
                        scf.yield %result_0_1, %result_0_d_1 : !t_arith, !t_arith_Differential
                      } else {
                        %cst_11 = arith.constant 1.5 : f64
                        %278 = arith.mulf %tex_1_0, %cst_11 : f64
                        %279 = arith.mulf %tex_1_d_0, %cst_11 : f64
                        %init_0_2 = agg.make %278 : (f64) -> !t_of00
                        %init_0_d_2 = agg.make %279 : (f64) -> !t_of00
                        %280 = agg.zero : !t_super
                        %result_1_1 = agg.make %c2_i32_0, %280, %init_0_2 : (i32, !t_super, !t_of00) -> !t_arith
                        %result_1_d_1 = agg.make %280, %init_0_d_2 : (!t_super, !t_of00) -> !t_arith_Differential
                        scf.yield %result_1_1, %result_1_d_1 : !t_arith, !t_arith_Differential
                      }
                      scf.yield %result_3, %result_d_1 : !t_arith, !t_arith_Differential
                    } else {
                      scf.yield %arg73, %arg74 : !t_arith, !t_arith_Differential
                    }
                    scf.yield %init_2_0, %init_2_d_0 : !t_arith, !t_arith_Differential
                  }
                  %281 = arith.addi %arg61, %263 : index
                  %282 = arith.addi %arg62, %c1 : index
                  %283 = arith.select %238, %282, %c3_0 : index
                  %284 = arith.select %238, %282, %arg62 : index
                  %285 = agg.insert %281, %arg63[%283] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
                  %286 = agg.insert %264#0, %arg64[%283] {path = array<i64: -1>} : (!t_arith, !agg.array<4, !t_arith>, index) -> !agg.array<4, !t_arith>
                  %287 = agg.insert %264#1, %arg65[%283] {path = array<i64: -1>} : (!t_arith_Differential, !t_array_0, index) -> !t_array_0
                  scf.yield %281, %284, %285, %286, %287, %264#0, %264#1 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0, !t_arith, !t_arith_Differential
                }
                %get_0_1 = arith.index_cast %227 : index to i32
                %288 = agg.extract %235#5[] {path = array<i64: 0>} : (!t_arith) -> i32
                %289 = arith.index_cast %288 : i32 to index
                %290:3 = scf.index_switch %289 -> f64, f64, !t_super_part_fwd_primal_Context
                case 1 {
                  %wrt0_2 = agg.extract %235#5[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
                  %wrt0_d_2 = agg.extract %235#6[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                  %292 = agg.make : () -> !t_super_part_fwd_primal_Context
                  scf.yield %wrt0_2, %wrt0_d_2, %292 : f64, f64, !t_super_part_fwd_primal_Context
                }
                case 2 {
                  %293 = agg.zero : !t_super_part_fwd_primal_Context
                  scf.yield %cst, %cst, %293 : f64, f64, !t_super_part_fwd_primal_Context
                }
                default {
                  %291 = agg.zero : !t_super_part_fwd_primal_Context
                  scf.yield %cst, %cst, %291 : f64, f64, !t_super_part_fwd_primal_Context
                }
                %294 = agg.make %288, %290#2 : (i32, !t_super_part_fwd_primal_Context) -> !t_arith_part_fwd_primal_Context
                %tex_1_1 = math.sin %290#0 : f64
                %295 = math.cos %290#0 : f64
                %296 = arith.andi %get_0_1, %c1_i32_2 : i32
                %297 = arith.cmpi eq, %296, %wrt00 : i32
                %298 = scf.if %297 -> (!t_jvpp_fwd_primal_Context) {
                  %299 = arith.addi %cosf, %get_0_1 : i32
                  %300 = arith.andi %299, %c3_i32 : i32
                  %301 = arith.cmpi eq, %300, %wrt00 : i32
                  %302 = agg.make %301 : (i1) -> !t_jvpp_fwd_primal_Context
                  scf.yield %302 : !t_jvpp_fwd_primal_Context
                } else {
                  %303 = agg.zero : !t_jvpp_fwd_primal_Context
                  scf.yield %303 : !t_jvpp_fwd_primal_Context
                }
                %304 = arith.negf %tex_1_1 : f64
                %305 = scf.if %297 -> (!t_arith_Differential) {
                  scf.yield %215 : !t_arith_Differential
                } else {
                  scf.yield %arg46 : !t_arith_Differential
                }
                %306 = scf.if %297 -> (!t_arith_Differential) {
                  scf.yield %215 : !t_arith_Differential
                } else {
                  scf.yield %arg48 : !t_arith_Differential
                }
                %307:2 = scf.if %297 -> (f64, f64) {
                  %308 = agg.extract %298[] {path = array<i64: 0>} : (!t_jvpp_fwd_primal_Context) -> i1
                  %309:2 = scf.if %308 -> (f64, f64) {
                    %310 = agg.extract %arg48[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                    %311 = agg.extract %arg46[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                    %312 = arith.mulf %310, %cst_6 : f64
                    %313 = arith.mulf %311, %cst_6 : f64
                    scf.yield %313, %312 : f64, f64
                  } else {
                    %cst_12 = arith.constant 1.5 : f64
                    %314 = agg.extract %arg48[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
                    %315 = agg.extract %arg46[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
                    %316 = arith.mulf %314, %cst_12 : f64
                    %317 = arith.mulf %315, %cst_12 : f64
                    scf.yield %317, %316 : f64, f64
                  }
                  %318 = arith.addf %arg47, %309#0 : f64
                  %319 = arith.addf %arg49, %309#1 : f64
                  scf.yield %318, %319 : f64, f64
                } else {
                  scf.yield %arg47, %arg49 : f64, f64
                }
                %320 = strong.gated_mulf %307#1, %290#1 : f64
                %321 = strong.gated_mulf %307#1, %295 : f64
                %322 = strong.gated_mulf %320, %304 : f64
                %323 = strong.gated_mulf %307#0, %295 : f64
                %324 = arith.addf %322, %323 : f64
                %325 = arith.cmpf une, %324, %cst : f64
                %326 = arith.select %325, %324, %cst : f64
                %327 = arith.cmpf une, %321, %cst : f64
                %328 = arith.select %327, %321, %cst : f64
                %329 = arith.ori %325, %327 : i1
                %330:4 = scf.if %329 -> (!t_arith_Differential, f64, !t_arith_Differential, f64) {
                  %331:10 = func.call @arith.part.fwd.unsure(%294, %326, %328, %325, %327) : (!t_arith_part_fwd_primal_Context, f64, f64, i1, i1) -> (!t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1, i1, i1, i1, i1)
                  %332 = agg.extract %305[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                  %333 = agg.extract %331#0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                  %334 = arith.addf %332, %333 : f64
                  %335 = agg.make %334 : (f64) -> !t_super
                  %336 = agg.extract %305[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
                  %337 = agg.extract %331#0[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
                  %338 = arith.addf %336, %337 : f64
                  %339 = agg.make %338 : (f64) -> !t_of00
                  %340 = agg.make %335, %339 : (!t_super, !t_of00) -> !t_arith_Differential
                  %341 = agg.extract %306[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                  %342 = agg.extract %331#2[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                  %343 = arith.addf %341, %342 : f64
                  %344 = agg.make %343 : (f64) -> !t_super
                  %345 = agg.extract %306[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
                  %346 = agg.extract %331#2[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
                  %347 = arith.addf %345, %346 : f64
                  %348 = agg.make %347 : (f64) -> !t_of00
                  %349 = agg.make %344, %348 : (!t_super, !t_of00) -> !t_arith_Differential
                  scf.yield %340, %331#1, %349, %331#3 : !t_arith_Differential, f64, !t_arith_Differential, f64
                } else {
                  scf.yield %305, %cst, %306, %cst : !t_arith_Differential, f64, !t_arith_Differential, f64
                }
                scf.yield %330#0, %330#1, %330#2, %330#3, %235#1, %235#2, %235#3, %235#4 : !t_arith_Differential, f64, !t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0
              }
              scf.yield %226#0, %226#1, %226#2, %226#3 : !t_arith_Differential, f64, !t_arith_Differential, f64
            } else {
              scf.yield %215, %cst, %215, %cst : !t_arith_Differential, f64, !t_arith_Differential, f64
            }
            %350:2 = scf.if %223 -> (f64, f64) {
              %351:2 = scf.if %147 -> (f64, f64) {
                %352 = agg.extract %224#2[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                %353 = agg.extract %224#0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                %354 = arith.mulf %352, %cst_6 : f64
                %355 = arith.mulf %353, %cst_6 : f64
                scf.yield %355, %354 : f64, f64
              } else {
                %cst_13 = arith.constant 1.5 : f64
                %356 = agg.extract %224#2[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
                %357 = agg.extract %224#0[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
                %358 = arith.mulf %356, %cst_13 : f64
                %359 = arith.mulf %357, %cst_13 : f64
                scf.yield %359, %358 : f64, f64
              }
              %360 = arith.addf %224#1, %351#0 : f64
              %361 = arith.addf %224#3, %351#1 : f64
              scf.yield %360, %361 : f64, f64
            } else {
              scf.yield %224#1, %224#3 : f64, f64
            }
            scf.yield %350#0, %350#1, %223, %223 : f64, f64, i1, i1
          } else {
            scf.yield %cst, %cst, %false, %false : f64, f64, i1, i1
          }
          %362 = strong.gated_mulf %198#1, %144 : f64
          %363 = strong.gated_mulf %198#1, %145 : f64
          %364 = arith.mulf %362, %cst_7 : f64
          %365 = arith.select %198#3, %364, %cst : f64
          %366 = arith.addf %198#0, %365 : f64
          %367 = arith.ori %198#2, %198#3 : i1
          %368 = strong.gated_mulf %366, %145 : f64
          %369 = arith.mulf %363, %cst_6 : f64
          %370 = arith.mulf %368, %cst_6 : f64
          %371 = arith.select %198#3, %369, %cst : f64
          %372 = agg.extract %arg6[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
          %373 = arith.addf %372, %371 : f64
          %374 = agg.insert %373, %arg6[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
          %375 = arith.select %367, %370, %cst : f64
          %376 = agg.extract %arg5[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
          %377 = arith.addf %376, %375 : f64
          %378 = agg.insert %377, %arg5[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
          %379:2 = scf.for %arg75 = %c0 to %c2_0 step %c1 iter_args(%arg76 = %378, %arg77 = %374) -> (!t_orders, !t_orders) {
            %380 = arith.subi %c1, %arg75 : index
            %381 = agg.extract %109[%380] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
            %382 = agg.extract %110[%380] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
            %383 = agg.extract %111[%380] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
            %384 = agg.extract %112[%380] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
            %x_0 = vector.broadcast %381 : f64 to vector<2xf64>
            %x_d_0 = vector.broadcast %382 : f64 to vector<2xf64>
            %y = vector.broadcast %383 : f64 to vector<2xf64>
            %y_d = vector.broadcast %384 : f64 to vector<2xf64>
            %385 = agg.extract %arg77[] {path = array<i64: 1>} : (!t_orders) -> f64
            %386 = agg.extract %arg76[] {path = array<i64: 1>} : (!t_orders) -> f64
            %387 = arith.mulf %385, %cst_8 : f64
            %388 = arith.mulf %386, %cst_8 : f64
            %389 = arith.cmpf une, %388, %cst : f64
            %390 = arith.select %389, %388, %cst : f64
            %391 = arith.cmpf une, %387, %cst : f64
            %392 = arith.select %391, %387, %cst : f64
            %393 = arith.ori %389, %391 : i1
            %394:4 = scf.if %393 -> (vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>) {
              %395 = vector.broadcast %392 : f64 to vector<2xf64>
              %396 = vector.broadcast %390 : f64 to vector<2xf64>
              %397 = strong.gated_mulf %395, %y_d : vector<2xf64>
              %398 = strong.gated_mulf %395, %x_0 : vector<2xf64>
              %399 = strong.gated_mulf %395, %x_d_0 : vector<2xf64>
              %400 = strong.gated_mulf %395, %y : vector<2xf64>
              %401 = strong.gated_mulf %396, %x_0 : vector<2xf64>
              %cst_14 = arith.constant dense<0.0> : vector<2xf64>
              %402 = arith.select %391, %399, %cst_14 : vector<2xf64>
              %403 = arith.select %389, %401, %cst_14 : vector<2xf64>
              %404 = arith.addf %402, %403 : vector<2xf64>
              %405 = strong.gated_mulf %396, %y : vector<2xf64>
              %406 = arith.select %391, %397, %cst_14 : vector<2xf64>
              %407 = arith.select %389, %405, %cst_14 : vector<2xf64>
              %408 = arith.addf %406, %407 : vector<2xf64>
              %409 = arith.select %391, %400, %cst_14 : vector<2xf64>
              %410 = arith.select %391, %398, %cst_14 : vector<2xf64>
              scf.yield %408, %404, %409, %410 : vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>
            } else {
              %cst_15 = arith.constant dense<0.0> : vector<2xf64>
              scf.yield %cst_15, %cst_15, %cst_15, %cst_15 : vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>
            }
            %411 = vector.reduction <add>, %394#3 : vector<2xf64> into f64
            %412 = vector.reduction <add>, %394#1 : vector<2xf64> into f64
            %413 = agg.extract %arg77[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %414 = arith.addf %413, %411 : f64
            %415 = agg.insert %414, %arg77[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
            %416 = agg.extract %arg76[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %417 = arith.addf %416, %412 : f64
            %418 = agg.insert %417, %arg76[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
            %419 = vector.reduction <add>, %394#2 : vector<2xf64> into f64
            %420 = vector.reduction <add>, %394#0 : vector<2xf64> into f64
            %421 = agg.extract %arg77[] {path = array<i64: 0>} : (!t_orders) -> f64
            %422 = arith.addf %421, %419 : f64
            %423 = agg.insert %422, %415[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
            %424 = agg.extract %arg76[] {path = array<i64: 0>} : (!t_orders) -> f64
            %425 = arith.addf %424, %420 : f64
            %426 = agg.insert %425, %418[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
            scf.yield %426, %423 : !t_orders, !t_orders
          }
          scf.yield %379#0, %379#1, %30#1, %30#2, %30#3, %30#4, %30#5 : !t_orders, !t_orders, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array
        }
        scf.yield %20#0, %20#1 : !t_orders, !t_orders
      } else {
        scf.yield %14, %14 : !t_orders, !t_orders
      }
      %427 = agg.extract %18#0[] {path = array<i64: 0>} : (!t_orders) -> f64
      %428 = agg.extract %18#0[] {path = array<i64: 1>} : (!t_orders) -> f64
      %429 = agg.extract %18#0[] {path = array<i64: 2>} : (!t_orders) -> !t_jvp
      %430 = agg.extract %18#1[] {path = array<i64: 0>} : (!t_orders) -> f64
      %431 = agg.extract %18#1[] {path = array<i64: 1>} : (!t_orders) -> f64
      %432 = agg.extract %18#1[] {path = array<i64: 2>} : (!t_orders) -> !t_jvp
      scf.yield %427, %428, %429, %430, %431, %432, %7, %7, %7, %7, %7, %7 : f64, f64, !t_jvp, f64, f64, !t_jvp, i1, i1, i1, i1, i1, i1
    } else {
      %433 = agg.zero : !t_jvp
      %false_0 = arith.constant false
      scf.yield %cst, %cst, %433, %cst, %cst, %433, %false_0, %false_0, %false_0, %false_0, %false_0, %false_0 : f64, f64, !t_jvp, f64, f64, !t_jvp, i1, i1, i1, i1, i1, i1
    }
    %434 = agg.make %8#0, %8#1, %8#2 : (f64, f64, !t_jvp) -> !t_orders
    %435 = agg.make %8#3, %8#4, %8#5 : (f64, f64, !t_jvp) -> !t_orders
    func.return %434, %435, %8#6, %8#7, %8#8, %8#9, %8#10, %8#11 : !t_orders, !t_orders, i1, i1, i1, i1, i1, i1
  }
  func.func private @"fwd_diff(stage).primal"(%arg0: !DifferentialPair_orders_, %arg1: i32, %arg2: i32, %arg3: i32) -> (!DifferentialPair_f64_, !t_fwd_diff_stage__primal_Context) attributes {differentiable = "both"} {
    %0 = agg.extract %arg0[] {path = array<i64: 0>} : (!DifferentialPair_orders_) -> !t_orders
    %1 = agg.extract %arg0[] {path = array<i64: 1>} : (!DifferentialPair_orders_) -> !t_orders
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %c-1_i32 = arith.constant -1 : i32
    %wrt00 = arith.constant 0 : i32
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.25 : f64
    %c2_i32 = arith.constant 2 : i32
    %c5_i32 = arith.constant 5 : i32
    %cst_0 = arith.constant 1.7397127693021015 : f64
    %cst_1 = arith.constant 0.5 : f64
    %cst_2 = arith.constant 0.5537200244863067 : f64
    %2 = arith.cmpi slt, %arg2, %c5_i32 : i32
    %false = arith.constant false
    %3, %p_0, %sqrtf, %p_0_d, %4 = scf.while (%arg4 = %true, %p_1 = %0, %sqrtf_0 = %arg2, %p_1_d = %1, %arg5 = %c0) : (i1, !t_orders, i32, !t_orders, index) -> (i1, !t_orders, i32, !t_orders, index) {
      scf.condition(%arg4) %arg4, %p_1, %sqrtf_0, %p_1_d, %arg5 : i1, !t_orders, i32, !t_orders, index
    } do {
    ^bb0(%arg6: i1, %p_2: !t_orders, %sqrtf_1: i32, %p_2_d: !t_orders, %arg7: index):
      %sqrtf_2 = arith.addi %sqrtf_1, %c-1_i32 : i32
      %p_3, %p_3_d = scf.for %arg8 = %c0 to %c2 step %c1 iter_args(%p_4 = %p_2, %p_4_d = %p_2_d) -> (!t_orders, !t_orders) {
        %5 = agg.extract %p_4[] {path = array<i64: 0>} : (!t_orders) -> f64
        %6 = agg.extract %p_4_d[] {path = array<i64: 0>} : (!t_orders) -> f64
        %7 = vector.broadcast %5 : f64 to vector<2xf64>
        %8 = vector.broadcast %6 : f64 to vector<2xf64>
        %9 = agg.extract %p_4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %10 = agg.extract %p_4_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %11 = vector.broadcast %9 : f64 to vector<2xf64>
        %12 = vector.broadcast %10 : f64 to vector<2xf64>
        %13 = arith.mulf %7, %11 : vector<2xf64>
        %14 = arith.mulf %8, %11 : vector<2xf64>
        %15 = arith.mulf %12, %7 : vector<2xf64>
        %16 = arith.addf %14, %15 : vector<2xf64>
        %17 = vector.reduction <add>, %13 : vector<2xf64> into f64
        %18 = vector.reduction <add>, %16 : vector<2xf64> into f64
        %19 = arith.mulf %17, %cst : f64
        %20 = arith.mulf %18, %cst : f64
        %21 = agg.extract %p_4[] {path = array<i64: 1>} : (!t_orders) -> f64
        %22 = agg.extract %p_4_d[] {path = array<i64: 1>} : (!t_orders) -> f64
        %23 = arith.addf %21, %19 : f64
        %24 = arith.addf %22, %20 : f64
        %p_5 = agg.insert %23, %p_4[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d = agg.insert %24, %p_4_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        scf.yield %p_5, %p_5_d : !t_orders, !t_orders
      }
      %25 = arith.andi %sqrtf_2, %c2_i32 : i32
      %26 = arith.cmpi ne, %25, %wrt00 : i32
      %27 = arith.select %26, %sqrtf_2, %arg2 : i32
      %28 = arith.cmpi slt, %27, %c5_i32 : i32
      %29 = arith.select %28, %arg2, %sqrtf_2 : i32
      %30 = agg.extract %p_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %31 = agg.extract %p_3_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %32 = arith.mulf %30, %cst_1 : f64
      %33 = arith.mulf %31, %cst_1 : f64
      %34 = math.powf %cst_0, %32 : f64
      %35 = arith.mulf %34, %cst_2 : f64
      %36 = arith.mulf %33, %35 : f64
      %37:2 = func.call @wrt10.fwd(%29, %34, %36) : (i32, f64, f64) -> (f64, f64)
      %38 = math.sin %37#0 : f64
      %39 = math.cos %37#0 : f64
      %40 = arith.mulf %37#1, %39 : f64
      %41 = agg.extract %p_3[] {path = array<i64: 0>} : (!t_orders) -> f64
      %42 = agg.extract %p_3_d[] {path = array<i64: 0>} : (!t_orders) -> f64
      %43 = arith.addf %41, %38 : f64
      %44 = arith.addf %42, %40 : f64
      %p_6 = agg.insert %43, %p_3[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %p_6_d = agg.insert %44, %p_3_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %45 = arith.cmpi sgt, %sqrtf_2, %wrt00 : i32
      %46 = arith.select %45, %2, %false : i1
      %47 = arith.addi %arg7, %c1 : index
      scf.yield %46, %p_6, %sqrtf_2, %p_6_d, %47 : i1, !t_orders, i32, !t_orders, index
    }
    %48 = agg.extract %p_0[] {path = array<i64: 1>} : (!t_orders) -> f64
    %49 = agg.extract %p_0_d[] {path = array<i64: 1>} : (!t_orders) -> f64
    %50 = agg.make %0, %arg2, %1, %4 : (!t_orders, i32, !t_orders, index) -> !t_math_fwd_primal_Context
    %51 = agg.global @data : !agg.buffer<f64, "rw">
    %52 = arith.index_cast %arg3 : i32 to index
    %53 = agg.buffer_load %51, %52[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %54 = arith.mulf %53, %48 : f64
    %55 = arith.mulf %49, %53 : f64
    %56 = agg.make %arg3, %50 : (i32, !t_math_fwd_primal_Context) -> !t_stage_fwd_primal_Context
    %57 = agg.make %54, %55 : (f64, f64) -> !DifferentialPair_f64_
    %58 = agg.make %56 : (!t_stage_fwd_primal_Context) -> !t_fwd_diff_stage__primal_Context
    func.return %57, %58 : !DifferentialPair_f64_, !t_fwd_diff_stage__primal_Context
  }
  func.func private @"fwd_diff(stage).bwd"(%context: !t_fwd_diff_stage__primal_Context, %arg0: !DifferentialPair_f64_, %arg1: i1, %arg2: i1) -> (!DifferentialPair_orders_, i1, i1) attributes {differentiable = "both"} {
    %0 = agg.extract %arg0[] {path = array<i64: 0>} : (!DifferentialPair_f64_) -> f64
    %1 = agg.extract %arg0[] {path = array<i64: 1>} : (!DifferentialPair_f64_) -> f64
    %2 = arith.ori %arg1, %arg2 : i1
    %3:4 = scf.if %2 -> (!t_orders, !t_orders, i1, i1) {
      %at = agg.extract %context[] {path = array<i64: 0, 0>} : (!t_fwd_diff_stage__primal_Context) -> i32
      %4 = agg.global @data : !agg.buffer<f64, "rw">
      %5 = arith.index_cast %at : i32 to index
      %6 = agg.buffer_load %4, %5[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
      %7 = arith.mulf %1, %6 : f64
      %8 = arith.mulf %0, %6 : f64
      %cst = arith.constant 0.0 : f64
      %9 = arith.select %arg2, %7, %cst : f64
      %10 = arith.select %arg1, %8, %cst : f64
      %11:12 = scf.if %2 -> (f64, f64, !t_jvp, f64, f64, !t_jvp, i1, i1, i1, i1, i1, i1) {
        %p = agg.extract %context[] {path = array<i64: 0, 1, 0>} : (!t_fwd_diff_stage__primal_Context) -> !t_orders
        %transposed = agg.extract %context[] {path = array<i64: 0, 1, 1>} : (!t_fwd_diff_stage__primal_Context) -> i32
        %p_d = agg.extract %context[] {path = array<i64: 0, 1, 2>} : (!t_fwd_diff_stage__primal_Context) -> !t_orders
        %12 = agg.extract %context[] {path = array<i64: 0, 1, 3>} : (!t_fwd_diff_stage__primal_Context) -> index
        %13 = agg.zero : !t_jvp
        %14 = agg.make %cst, %9, %13 : (f64, f64, !t_jvp) -> !t_orders
        %15 = agg.make %cst, %10, %13 : (f64, f64, !t_jvp) -> !t_orders
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %16 = agg.zero : !agg.array<4, index>
        %false = arith.constant false
        %17 = agg.zero : !t_orders
        %18 = agg.make %p, %17, %17, %17 : (!t_orders, !t_orders, !t_orders, !t_orders) -> !t_array
        %wrt00 = arith.constant 0 : i32
        %19 = agg.make %transposed, %wrt00, %wrt00, %wrt00 : (i32, i32, i32, i32) -> !agg.array<4, i32>
        %20 = agg.make %p_d, %17, %17, %17 : (!t_orders, !t_orders, !t_orders, !t_orders) -> !t_array
        %21:2 = scf.if %2 -> (!t_orders, !t_orders) {
          %c-1 = arith.constant -1 : index
          %22 = arith.addi %12, %c-1 : index
          %c2 = arith.constant 2 : index
          %c-1_i32 = arith.constant -1 : i32
          %cst_0 = arith.constant 0.25 : f64
          %c2_i32 = arith.constant 2 : i32
          %c5_i32 = arith.constant 5 : i32
          %cst_1 = arith.constant 1.7397127693021015 : f64
          %cst_2 = arith.constant 0.5 : f64
          %cst_3 = arith.constant 0.5537200244863067 : f64
          %c3 = arith.constant 3 : index
          %c-1_i32_0 = arith.constant -1 : i32
          %c2_0 = arith.constant 2 : index
          %cst_4 = arith.constant 0.25 : f64
          %c2_i32_0 = arith.constant 2 : i32
          %c5_i32_0 = arith.constant 5 : i32
          %cst_5 = arith.constant 1.7397127693021015 : f64
          %cst_6 = arith.constant 0.5 : f64
          %cst_7 = arith.constant 0.5537200244863067 : f64
          %c3_i32 = arith.constant 3 : i32
          %c0_i64 = arith.constant 0 : i64
          %c1_i32 = arith.constant 1 : i32
          %cst_8 = arith.constant 0.25 : f64
          %23:7 = scf.for %arg3 = %c0 to %12 step %c1 iter_args(%arg4 = %15, %arg5 = %14, %arg6 = %c0, %arg7 = %16, %arg8 = %18, %arg9 = %19, %arg10 = %20) -> (!t_orders, !t_orders, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array) {
            %24 = arith.subi %22, %arg3 : index
            %25 = agg.extract %arg7[%arg6] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
            %26 = arith.cmpi sgt, %25, %24 : index
            %27 = arith.addi %arg6, %c-1 : index
            %28 = arith.select %26, %27, %arg6 : index
            %29 = agg.extract %arg7[%28] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
            %30 = agg.extract %arg8[%28] {path = array<i64: -1>} : (!t_array, index) -> !t_orders
            %31 = agg.extract %arg9[%28] {path = array<i64: -1>} : (!agg.array<4, i32>, index) -> i32
            %32 = agg.extract %arg10[%28] {path = array<i64: -1>} : (!t_array, index) -> !t_orders
            %33:9 = scf.while (%arg11 = %29, %arg12 = %28, %arg13 = %arg7, %arg14 = %arg8, %arg15 = %arg9, %arg16 = %arg10, %arg17 = %30, %arg18 = %31, %arg19 = %32) : (index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array, !t_orders, i32, !t_orders) -> (index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array, !t_orders, i32, !t_orders) {
              %34 = arith.cmpi slt, %arg11, %24 : index
              scf.condition(%34) %arg11, %arg12, %arg13, %arg14, %arg15, %arg16, %arg17, %arg18, %arg19 : index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array, !t_orders, i32, !t_orders
            } do {
            ^bb0(%arg20: index, %arg21: index, %arg22: !agg.array<4, index>, %arg23: !t_array, %arg24: !agg.array<4, i32>, %arg25: !t_array, %arg26: !t_orders, %arg27: i32, %arg28: !t_orders):
              %35 = arith.subi %c2, %arg21 : index
              %36 = arith.cmpi sgt, %35, %c0 : index
              %37 = arith.subi %24, %arg20 : index
              %38 = arith.addi %37, %c1 : index
              %39 = arith.maxui %35, %c1 : index
              %40 = arith.addi %39, %c1 : index
              %41:2 = scf.while (%arg29 = %c1, %arg30 = %c0) : (index, index) -> (index, index) {
                %42 = arith.cmpi slt, %arg29, %38 : index
                scf.condition(%42) %arg29, %arg30 : index, index
              } do {
              ^bb0(%arg31: index, %arg32: index):
                %43 = arith.addi %arg32, %c1 : index
                %44 = arith.addi %40, %43 : index
                %45 = arith.muli %arg31, %44 : index
                %46 = arith.divui %45, %43 : index
                scf.yield %46, %43 : index, index
              }
              %47 = arith.muli %41#0, %40 : index
              %48 = arith.addi %40, %41#1 : index
              %49 = arith.divui %47, %48 : index
              %50 = arith.muli %41#0, %41#1 : index
              %51 = arith.divui %50, %48 : index
              %52 = arith.addi %41#1, %c-1 : index
              %53 = arith.muli %51, %52 : index
              %54 = arith.addi %48, %c-1 : index
              %55 = arith.divui %53, %54 : index
              %56 = arith.maxui %55, %c1 : index
              %57 = arith.subi %38, %56 : index
              %58 = arith.minui %49, %57 : index
              %59 = arith.maxui %58, %c1 : index
              %60 = arith.subi %38, %59 : index
              %61 = arith.select %36, %60, %37 : index
              %62:3 = scf.for %arg33 = %c0 to %61 step %c1 iter_args(%arg34 = %arg26, %arg35 = %arg27, %arg36 = %arg28) -> (!t_orders, i32, !t_orders) {
                %sqrtf_2 = arith.addi %arg35, %c-1_i32 : i32
                %p_3, %p_3_d = scf.for %arg37 = %c0 to %c2 step %c1 iter_args(%p_4 = %arg34, %p_4_d = %arg36) -> (!t_orders, !t_orders) {
                  %63 = agg.extract %p_4[] {path = array<i64: 0>} : (!t_orders) -> f64
                  %64 = agg.extract %p_4_d[] {path = array<i64: 0>} : (!t_orders) -> f64
                  %65 = vector.broadcast %63 : f64 to vector<2xf64>
                  %66 = vector.broadcast %64 : f64 to vector<2xf64>
                  %67 = agg.extract %p_4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
                  %68 = agg.extract %p_4_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
                  %69 = vector.broadcast %67 : f64 to vector<2xf64>
                  %70 = vector.broadcast %68 : f64 to vector<2xf64>
                  %71 = arith.mulf %65, %69 : vector<2xf64>
                  %72 = arith.mulf %66, %69 : vector<2xf64>
                  %73 = arith.mulf %70, %65 : vector<2xf64>
                  %74 = arith.addf %72, %73 : vector<2xf64>
                  %75 = vector.reduction <add>, %71 : vector<2xf64> into f64
                  %76 = vector.reduction <add>, %74 : vector<2xf64> into f64
                  %77 = arith.mulf %75, %cst_0 : f64
                  %78 = arith.mulf %76, %cst_0 : f64
                  %79 = agg.extract %p_4[] {path = array<i64: 1>} : (!t_orders) -> f64
                  %80 = agg.extract %p_4_d[] {path = array<i64: 1>} : (!t_orders) -> f64
                  %81 = arith.addf %79, %77 : f64
                  %82 = arith.addf %80, %78 : f64
                  %p_5 = agg.insert %81, %p_4[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
                  %p_5_d = agg.insert %82, %p_4_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
                  scf.yield %p_5, %p_5_d : !t_orders, !t_orders
                }
                %83 = arith.andi %sqrtf_2, %c2_i32 : i32
                %84 = arith.cmpi ne, %83, %wrt00 : i32
                %85 = arith.select %84, %sqrtf_2, %transposed : i32
                %86 = arith.cmpi slt, %85, %c5_i32 : i32
                %87 = arith.select %86, %transposed, %sqrtf_2 : i32
                %88 = agg.extract %p_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
                %89 = agg.extract %p_3_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
                %90 = arith.mulf %88, %cst_2 : f64
                %91 = arith.mulf %89, %cst_2 : f64
                %92 = math.powf %cst_1, %90 : f64
                %93 = arith.mulf %92, %cst_3 : f64
                %94 = arith.mulf %91, %93 : f64
                %95:2 = func.call @wrt10.fwd(%87, %92, %94) : (i32, f64, f64) -> (f64, f64)
                %96 = math.sin %95#0 : f64
                %97 = math.cos %95#0 : f64
                %98 = arith.mulf %95#1, %97 : f64
                %99 = agg.extract %p_3[] {path = array<i64: 0>} : (!t_orders) -> f64
                %100 = agg.extract %p_3_d[] {path = array<i64: 0>} : (!t_orders) -> f64
                %101 = arith.addf %99, %96 : f64
                %102 = arith.addf %100, %98 : f64
                %p_6 = agg.insert %101, %p_3[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
                %p_6_d = agg.insert %102, %p_3_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
                scf.yield %p_6, %sqrtf_2, %p_6_d : !t_orders, i32, !t_orders
              }
              %103 = arith.addi %arg20, %61 : index
              %104 = arith.addi %arg21, %c1 : index
              %105 = arith.select %36, %104, %c3 : index
              %106 = arith.select %36, %104, %arg21 : index
              %107 = agg.insert %103, %arg22[%105] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
              %108 = agg.insert %62#0, %arg23[%105] {path = array<i64: -1>} : (!t_orders, !t_array, index) -> !t_array
              %109 = agg.insert %62#1, %arg24[%105] {path = array<i64: -1>} : (i32, !agg.array<4, i32>, index) -> !agg.array<4, i32>
              %110 = agg.insert %62#2, %arg25[%105] {path = array<i64: -1>} : (!t_orders, !t_array, index) -> !t_array
              scf.yield %103, %106, %107, %108, %109, %110, %62#0, %62#1, %62#2 : index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array, !t_orders, i32, !t_orders
            }
            %sqrtf_2_0 = arith.addi %33#7, %c-1_i32_0 : i32
            %111 = agg.zero {unread} : !agg.array<2, f64>
            %p_3_0, %p_3_d_0, %112, %113, %114, %115 = scf.for %arg38 = %c0 to %c2_0 step %c1 iter_args(%p_4_0 = %33#6, %p_4_d_0 = %33#8, %arg39 = %111, %arg40 = %111, %arg41 = %111, %arg42 = %111) -> (!t_orders, !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, !agg.array<2, f64>, !agg.array<2, f64>) {
              %116 = agg.extract %p_4_0[] {path = array<i64: 0>} : (!t_orders) -> f64
              %117 = agg.extract %p_4_d_0[] {path = array<i64: 0>} : (!t_orders) -> f64
              %118 = vector.broadcast %116 : f64 to vector<2xf64>
              %119 = vector.broadcast %117 : f64 to vector<2xf64>
              %120 = agg.extract %p_4_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
              %121 = agg.extract %p_4_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
              %122 = vector.broadcast %120 : f64 to vector<2xf64>
              %123 = vector.broadcast %121 : f64 to vector<2xf64>
              %124 = arith.mulf %118, %122 : vector<2xf64>
              %125 = arith.mulf %119, %122 : vector<2xf64>
              %126 = arith.mulf %123, %118 : vector<2xf64>
              %127 = arith.addf %125, %126 : vector<2xf64>
              %128 = vector.reduction <add>, %124 : vector<2xf64> into f64
              %129 = vector.reduction <add>, %127 : vector<2xf64> into f64
              %130 = arith.mulf %128, %cst_4 : f64
              %131 = arith.mulf %129, %cst_4 : f64
              %132 = agg.extract %p_4_0[] {path = array<i64: 1>} : (!t_orders) -> f64
              %133 = agg.extract %p_4_d_0[] {path = array<i64: 1>} : (!t_orders) -> f64
              %134 = arith.addf %132, %130 : f64
              %135 = arith.addf %133, %131 : f64
              %p_5_0 = agg.insert %134, %p_4_0[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
              %p_5_d_0 = agg.insert %135, %p_4_d_0[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
              %136 = agg.insert %116, %arg39[%arg38] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
              %137 = agg.insert %117, %arg40[%arg38] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
              %138 = agg.insert %120, %arg41[%arg38] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
              %139 = agg.insert %121, %arg42[%arg38] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
              scf.yield %p_5_0, %p_5_d_0, %136, %137, %138, %139 : !t_orders, !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, !agg.array<2, f64>, !agg.array<2, f64>
            }
            %140 = arith.andi %sqrtf_2_0, %c2_i32_0 : i32
            %141 = arith.cmpi ne, %140, %wrt00 : i32
            %142 = arith.select %141, %sqrtf_2_0, %transposed : i32
            %143 = arith.cmpi slt, %142, %c5_i32_0 : i32
            %cosf = arith.select %143, %transposed, %sqrtf_2_0 : i32
            %144 = agg.extract %p_3_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %145 = agg.extract %p_3_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %146 = arith.mulf %144, %cst_6 : f64
            %147 = arith.mulf %145, %cst_6 : f64
            %x = math.powf %cst_5, %146 : f64
            %148 = arith.mulf %x, %cst_7 : f64
            %x_d = arith.mulf %147, %148 : f64
            %149 = arith.andi %cosf, %c3_i32 : i32
            %150 = arith.cmpi eq, %149, %wrt00 : i32
            %result, %result_d = scf.if %150 -> (!t_arith, !t_arith_Differential) {
              %151 = arith.mulf %x, %cst_6 : f64
              %152 = arith.mulf %x_d, %cst_6 : f64
              %init = agg.make %151 : (f64) -> !t_super
              %init_d = agg.make %152 : (f64) -> !t_super
              %c1_i32_0 = arith.constant 1 : i32
              %153 = agg.zero : !t_of00
              %result_0 = agg.make %c1_i32_0, %init, %153 : (i32, !t_super, !t_of00) -> !t_arith
              %result_0_d = agg.make %init_d, %153 : (!t_super, !t_of00) -> !t_arith_Differential
              scf.yield %result_0, %result_0_d : !t_arith, !t_arith_Differential
            } else {
              %cst_9 = arith.constant 1.5 : f64
              %154 = arith.mulf %x, %cst_9 : f64
              %155 = arith.mulf %x_d, %cst_9 : f64
              %init_0 = agg.make %154 : (f64) -> !t_of00
              %init_0_d = agg.make %155 : (f64) -> !t_of00
              %156 = agg.zero : !t_super
              %result_1 = agg.make %c2_i32_0, %156, %init_0 : (i32, !t_super, !t_of00) -> !t_arith
              %result_1_d = agg.make %156, %init_0_d : (!t_super, !t_of00) -> !t_arith_Differential
              scf.yield %result_1, %result_1_d : !t_arith, !t_arith_Differential
            }
            %157 = arith.extsi %149 : i32 to i64
            %158 = arith.maxsi %157, %c0_i64 : i64
            %159 = arith.index_cast %158 : i64 to index
            %init_0_0, %tex, %init_0_d_0, %tex_d = scf.for %arg43 = %c0 to %159 step %c1 iter_args(%init_1 = %result, %tex_0 = %x, %init_1_d = %result_d, %tex_0_d = %x_d) -> (!t_arith, f64, !t_arith_Differential, f64) {
              %get_0 = arith.index_cast %arg43 : index to i32
              %160 = agg.extract %init_1[] {path = array<i64: 0>} : (!t_arith) -> i32
              %161 = arith.index_cast %160 : i32 to index
              %162:2 = scf.index_switch %161 -> f64, f64
              case 1 {
                %wrt0 = agg.extract %init_1[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
                %wrt0_d = agg.extract %init_1_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                scf.yield %wrt0, %wrt0_d : f64, f64
              }
              case 2 {
                scf.yield %cst, %cst : f64, f64
              }
              default {
                scf.yield %cst, %cst : f64, f64
              }
              %tex_1 = math.sin %162#0 : f64
              %163 = math.cos %162#0 : f64
              %tex_1_d = arith.mulf %162#1, %163 : f64
              %164 = arith.andi %get_0, %c1_i32 : i32
              %165 = arith.cmpi eq, %164, %wrt00 : i32
              %init_2, %init_2_d = scf.if %165 -> (!t_arith, !t_arith_Differential) {
                %166 = arith.addi %cosf, %get_0 : i32
                %167 = arith.andi %166, %c3_i32 : i32
                %168 = arith.cmpi eq, %167, %wrt00 : i32
                %result_2, %result_d_0 = scf.if %168 -> (!t_arith, !t_arith_Differential) {
                  %169 = arith.mulf %tex_1, %cst_6 : f64
                  %170 = arith.mulf %tex_1_d, %cst_6 : f64
                  %init_3 = agg.make %169 : (f64) -> !t_super
                  %init_d_0 = agg.make %170 : (f64) -> !t_super
                  %171 = agg.zero : !t_of00
                  %result_0_0 = agg.make %c1_i32, %init_3, %171 : (i32, !t_super, !t_of00) -> !t_arith
                  %result_0_d_0 = agg.make %init_d_0, %171 : (!t_super, !t_of00) -> !t_arith_Differential
                  scf.yield %result_0_0, %result_0_d_0 : !t_arith, !t_arith_Differential
                } else {
                  %cst_10 = arith.constant 1.5 : f64
                  %172 = arith.mulf %tex_1, %cst_10 : f64
                  %173 = arith.mulf %tex_1_d, %cst_10 : f64
                  %init_0_1 = agg.make %172 : (f64) -> !t_of00
                  %init_0_d_1 = agg.make %173 : (f64) -> !t_of00
                  %174 = agg.zero : !t_super
                  %result_1_0 = agg.make %c2_i32_0, %174, %init_0_1 : (i32, !t_super, !t_of00) -> !t_arith
                  %result_1_d_0 = agg.make %174, %init_0_d_1 : (!t_super, !t_of00) -> !t_arith_Differential
                  scf.yield %result_1_0, %result_1_d_0 : !t_arith, !t_arith_Differential
                }
                scf.yield %result_2, %result_d_0 : !t_arith, !t_arith_Differential
              } else {
                scf.yield %init_1, %init_1_d : !t_arith, !t_arith_Differential
              }
              scf.yield %init_2, %tex_1, %init_2_d, %tex_1_d : !t_arith, f64, !t_arith_Differential, f64
            }
            %175 = agg.extract %init_0_0[] {path = array<i64: 0>} : (!t_arith) -> i32
            %176 = arith.index_cast %175 : i32 to index
            %177:3 = scf.index_switch %176 -> f64, f64, !t_super_part_fwd_primal_Context
            case 1 {
              %wrt0_0 = agg.extract %init_0_0[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
              %wrt0_d_0 = agg.extract %init_0_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
              %179 = agg.make : () -> !t_super_part_fwd_primal_Context
              scf.yield %wrt0_0, %wrt0_d_0, %179 : f64, f64, !t_super_part_fwd_primal_Context
            }
            case 2 {
              %180 = agg.zero : !t_super_part_fwd_primal_Context
              scf.yield %cst, %cst, %180 : f64, f64, !t_super_part_fwd_primal_Context
            }
            default {
              %178 = agg.zero : !t_super_part_fwd_primal_Context
              scf.yield %cst, %cst, %178 : f64, f64, !t_super_part_fwd_primal_Context
            }
            %181 = agg.make %175, %177#2 : (i32, !t_super_part_fwd_primal_Context) -> !t_arith_part_fwd_primal_Context
            %182 = arith.mulf %177#0, %cst_6 : f64
            %183 = arith.mulf %177#1, %cst_6 : f64
            %184 = arith.addf %tex, %182 : f64
            %185 = arith.addf %tex_d, %183 : f64
            %186 = math.sin %184 : f64
            %187 = math.cos %184 : f64
            %188 = arith.negf %186 : f64
            %189 = agg.extract %arg5[] {path = array<i64: 0>} : (!t_orders) -> f64
            %190 = agg.extract %arg4[] {path = array<i64: 0>} : (!t_orders) -> f64
            %191 = strong.gated_mulf %189, %185 : f64
            %192 = strong.gated_mulf %189, %187 : f64
            %193 = strong.gated_mulf %191, %188 : f64
            %194 = strong.gated_mulf %190, %187 : f64
            %195 = arith.addf %193, %194 : f64
            %196 = arith.cmpf une, %195, %cst : f64
            %197 = arith.select %196, %195, %cst : f64
            %198 = arith.cmpf une, %192, %cst : f64
            %199 = arith.select %198, %192, %cst : f64
            %200 = arith.ori %196, %198 : i1
            %201:4 = scf.if %200 -> (f64, f64, i1, i1) {
              %202 = arith.mulf %199, %cst_6 : f64
              %203 = arith.mulf %197, %cst_6 : f64
              %204 = arith.cmpf une, %203, %cst : f64
              %205 = arith.select %204, %203, %cst : f64
              %206 = arith.cmpf une, %202, %cst : f64
              %207 = arith.select %206, %202, %cst : f64
              %208 = arith.ori %204, %206 : i1
              %209:6 = scf.if %208 -> (!t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1) {
                %210:10 = func.call @arith.part.fwd.unsure(%181, %205, %207, %204, %206) : (!t_arith_part_fwd_primal_Context, f64, f64, i1, i1) -> (!t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1, i1, i1, i1, i1)
                %211 = arith.ori %210#4, %210#5 : i1
                %212 = arith.addf %197, %210#1 : f64
                %213 = arith.ori %210#7, %210#8 : i1
                %214 = arith.addf %199, %210#3 : f64
                scf.yield %210#0, %212, %210#2, %214, %211, %213 : !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1
              } else {
                %215 = agg.zero : !t_arith_Differential
                scf.yield %215, %197, %215, %199, %false, %false : !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1
              }
              %216 = agg.zero : !t_arith
              %217 = agg.make %result, %216, %216, %216 : (!t_arith, !t_arith, !t_arith, !t_arith) -> !agg.array<4, !t_arith>
              %218 = agg.zero : !t_arith_Differential
              %219 = agg.make %result_d, %218, %218, %218 : (!t_arith_Differential, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential) -> !t_array_0
              %220 = arith.cmpf une, %209#1, %cst : f64
              %221 = arith.select %220, %209#1, %cst : f64
              %222 = arith.cmpf une, %209#3, %cst : f64
              %223 = arith.select %222, %209#3, %cst : f64
              %224 = arith.ori %209#4, %220 : i1
              %225 = arith.ori %224, %209#5 : i1
              %226 = arith.ori %225, %222 : i1
              %227:4 = scf.if %226 -> (!t_arith_Differential, f64, !t_arith_Differential, f64) {
                %228 = arith.addi %159, %c-1 : index
                %c1_i32_1 = arith.constant 1 : i32
                %c3_0 = arith.constant 3 : index
                %c1_i32_2 = arith.constant 1 : i32
                %229:8 = scf.for %arg44 = %c0 to %159 step %c1 iter_args(%arg45 = %209#0, %arg46 = %221, %arg47 = %209#2, %arg48 = %223, %arg49 = %c0, %arg50 = %16, %arg51 = %217, %arg52 = %219) -> (!t_arith_Differential, f64, !t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0) {
                  %230 = arith.subi %228, %arg44 : index
                  %231 = agg.extract %arg50[%arg49] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
                  %232 = arith.cmpi sgt, %231, %230 : index
                  %233 = arith.addi %arg49, %c-1 : index
                  %234 = arith.select %232, %233, %arg49 : index
                  %235 = agg.extract %arg50[%234] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
                  %236 = agg.extract %arg51[%234] {path = array<i64: -1>} : (!agg.array<4, !t_arith>, index) -> !t_arith
                  %237 = agg.extract %arg52[%234] {path = array<i64: -1>} : (!t_array_0, index) -> !t_arith_Differential
                  %238:7 = scf.while (%arg53 = %235, %arg54 = %234, %arg55 = %arg50, %arg56 = %arg51, %arg57 = %arg52, %arg58 = %236, %arg59 = %237) : (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0, !t_arith, !t_arith_Differential) -> (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0, !t_arith, !t_arith_Differential) {
                    %239 = arith.cmpi slt, %arg53, %230 : index
                    scf.condition(%239) %arg53, %arg54, %arg55, %arg56, %arg57, %arg58, %arg59 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0, !t_arith, !t_arith_Differential
                  } do {
                  ^bb0(%arg60: index, %arg61: index, %arg62: !agg.array<4, index>, %arg63: !agg.array<4, !t_arith>, %arg64: !t_array_0, %arg65: !t_arith, %arg66: !t_arith_Differential):
                    %240 = arith.subi %c2_0, %arg61 : index
                    %241 = arith.cmpi sgt, %240, %c0 : index
                    %242 = arith.subi %230, %arg60 : index
                    %243 = arith.addi %242, %c1 : index
                    %244 = arith.maxui %240, %c1 : index
                    %245 = arith.addi %244, %c1 : index
                    %246:2 = scf.while (%arg67 = %c1, %arg68 = %c0) : (index, index) -> (index, index) {
                      %247 = arith.cmpi slt, %arg67, %243 : index
                      scf.condition(%247) %arg67, %arg68 : index, index
                    } do {
                    ^bb0(%arg69: index, %arg70: index):
                      %248 = arith.addi %arg70, %c1 : index
                      %249 = arith.addi %245, %248 : index
                      %250 = arith.muli %arg69, %249 : index
                      %251 = arith.divui %250, %248 : index
                      scf.yield %251, %248 : index, index
                    }
                    %252 = arith.muli %246#0, %245 : index
                    %253 = arith.addi %245, %246#1 : index
                    %254 = arith.divui %252, %253 : index
                    %255 = arith.muli %246#0, %246#1 : index
                    %256 = arith.divui %255, %253 : index
                    %257 = arith.addi %246#1, %c-1 : index
                    %258 = arith.muli %256, %257 : index
                    %259 = arith.addi %253, %c-1 : index
                    %260 = arith.divui %258, %259 : index
                    %261 = arith.maxui %260, %c1 : index
                    %262 = arith.subi %243, %261 : index
                    %263 = arith.minui %254, %262 : index
                    %264 = arith.maxui %263, %c1 : index
                    %265 = arith.subi %243, %264 : index
                    %266 = arith.select %241, %265, %242 : index
                    %267:2 = scf.for %arg71 = %c0 to %266 step %c1 iter_args(%arg72 = %arg65, %arg73 = %arg66) -> (!t_arith, !t_arith_Differential) {
                      %268 = arith.addi %arg60, %arg71 : index
                      %get_0_0 = arith.index_cast %268 : index to i32
                      %269 = agg.extract %arg72[] {path = array<i64: 0>} : (!t_arith) -> i32
                      %270 = arith.index_cast %269 : i32 to index
                      %271:2 = scf.index_switch %270 -> f64, f64
                      case 1 {
                        %wrt0_1 = agg.extract %arg72[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
                        %wrt0_d_1 = agg.extract %arg73[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                        scf.yield %wrt0_1, %wrt0_d_1 : f64, f64
                      }
                      case 2 {
                        scf.yield %cst, %cst : f64, f64
                      }
                      default {
                        scf.yield %cst, %cst : f64, f64
                      }
                      %tex_1_0 = math.sin %271#0 : f64
                      %272 = math.cos %271#0 : f64
                      %tex_1_d_0 = arith.mulf %271#1, %272 : f64
                      %273 = arith.andi %get_0_0, %c1_i32_1 : i32
                      %274 = arith.cmpi eq, %273, %wrt00 : i32
                      %init_2_0, %init_2_d_0 = scf.if %274 -> (!t_arith, !t_arith_Differential) {
                        %275 = arith.addi %cosf, %get_0_0 : i32
                        %276 = arith.andi %275, %c3_i32 : i32
                        %277 = arith.cmpi eq, %276, %wrt00 : i32
                        %result_3, %result_d_1 = scf.if %277 -> (!t_arith, !t_arith_Differential) {
                          %278 = arith.mulf %tex_1_0, %cst_6 : f64
                          %279 = arith.mulf %tex_1_d_0, %cst_6 : f64
                          %init_4 = agg.make %278 : (f64) -> !t_super
                          %init_d_1 = agg.make %279 : (f64) -> !t_super
                          %280 = agg.zero : !t_of00
                          %result_0_1 = agg.make %c1_i32_1, %init_4, %280 : (i32, !t_super, !t_of00) -> !t_arith
                          %result_0_d_1 = agg.make %init_d_1, %280 : (!t_super, !t_of00) -> !t_arith_Differential
                          scf.yield %result_0_1, %result_0_d_1 : !t_arith, !t_arith_Differential
                        } else {
                          %cst_11 = arith.constant 1.5 : f64
                          %281 = arith.mulf %tex_1_0, %cst_11 : f64
                          %282 = arith.mulf %tex_1_d_0, %cst_11 : f64
                          %init_0_2 = agg.make %281 : (f64) -> !t_of00
                          %init_0_d_2 = agg.make %282 : (f64) -> !t_of00
                          %283 = agg.zero : !t_super
                          %result_1_1 = agg.make %c2_i32_0, %283, %init_0_2 : (i32, !t_super, !t_of00) -> !t_arith
                          %result_1_d_1 = agg.make %283, %init_0_d_2 : (!t_super, !t_of00) -> !t_arith_Differential
                          scf.yield %result_1_1, %result_1_d_1 : !t_arith, !t_arith_Differential
                        }
                        scf.yield %result_3, %result_d_1 : !t_arith, !t_arith_Differential
                      } else {
                        scf.yield %arg72, %arg73 : !t_arith, !t_arith_Differential
                      }
                      scf.yield %init_2_0, %init_2_d_0 : !t_arith, !t_arith_Differential
                    }
                    %284 = arith.addi %arg60, %266 : index
                    %285 = arith.addi %arg61, %c1 : index
                    %286 = arith.select %241, %285, %c3_0 : index
                    %287 = arith.select %241, %285, %arg61 : index
                    %288 = agg.insert %284, %arg62[%286] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
                    %289 = agg.insert %267#0, %arg63[%286] {path = array<i64: -1>} : (!t_arith, !agg.array<4, !t_arith>, index) -> !agg.array<4, !t_arith>
                    %290 = agg.insert %267#1, %arg64[%286] {path = array<i64: -1>} : (!t_arith_Differential, !t_array_0, index) -> !t_array_0
                    scf.yield %284, %287, %288, %289, %290, %267#0, %267#1 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0, !t_arith, !t_arith_Differential
                  }
                  %get_0_1 = arith.index_cast %230 : index to i32
                  %291 = agg.extract %238#5[] {path = array<i64: 0>} : (!t_arith) -> i32
                  %292 = arith.index_cast %291 : i32 to index
                  %293:3 = scf.index_switch %292 -> f64, f64, !t_super_part_fwd_primal_Context
                  case 1 {
                    %wrt0_2 = agg.extract %238#5[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
                    %wrt0_d_2 = agg.extract %238#6[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                    %295 = agg.make : () -> !t_super_part_fwd_primal_Context
                    scf.yield %wrt0_2, %wrt0_d_2, %295 : f64, f64, !t_super_part_fwd_primal_Context
                  }
                  case 2 {
                    %296 = agg.zero : !t_super_part_fwd_primal_Context
                    scf.yield %cst, %cst, %296 : f64, f64, !t_super_part_fwd_primal_Context
                  }
                  default {
                    %294 = agg.zero : !t_super_part_fwd_primal_Context
                    scf.yield %cst, %cst, %294 : f64, f64, !t_super_part_fwd_primal_Context
                  }
                  %297 = agg.make %291, %293#2 : (i32, !t_super_part_fwd_primal_Context) -> !t_arith_part_fwd_primal_Context
                  %tex_1_1 = math.sin %293#0 : f64
                  %298 = math.cos %293#0 : f64
                  %299 = arith.andi %get_0_1, %c1_i32_2 : i32
                  %300 = arith.cmpi eq, %299, %wrt00 : i32
                  %301 = scf.if %300 -> (!t_jvpp_fwd_primal_Context) {
                    %302 = arith.addi %cosf, %get_0_1 : i32
                    %303 = arith.andi %302, %c3_i32 : i32
                    %304 = arith.cmpi eq, %303, %wrt00 : i32
                    %305 = agg.make %304 : (i1) -> !t_jvpp_fwd_primal_Context
                    scf.yield %305 : !t_jvpp_fwd_primal_Context
                  } else {
                    %306 = agg.zero : !t_jvpp_fwd_primal_Context
                    scf.yield %306 : !t_jvpp_fwd_primal_Context
                  }
                  %307 = arith.negf %tex_1_1 : f64
                  %308 = scf.if %300 -> (!t_arith_Differential) {
                    scf.yield %218 : !t_arith_Differential
                  } else {
                    scf.yield %arg45 : !t_arith_Differential
                  }
                  %309 = scf.if %300 -> (!t_arith_Differential) {
                    scf.yield %218 : !t_arith_Differential
                  } else {
                    scf.yield %arg47 : !t_arith_Differential
                  }
                  %310:2 = scf.if %300 -> (f64, f64) {
                    %311 = agg.extract %301[] {path = array<i64: 0>} : (!t_jvpp_fwd_primal_Context) -> i1
                    %312:2 = scf.if %311 -> (f64, f64) {
                      %313 = agg.extract %arg47[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                      %314 = agg.extract %arg45[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                      %315 = arith.mulf %313, %cst_6 : f64
                      %316 = arith.mulf %314, %cst_6 : f64
                      scf.yield %316, %315 : f64, f64
                    } else {
                      %cst_12 = arith.constant 1.5 : f64
                      %317 = agg.extract %arg47[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
                      %318 = agg.extract %arg45[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
                      %319 = arith.mulf %317, %cst_12 : f64
                      %320 = arith.mulf %318, %cst_12 : f64
                      scf.yield %320, %319 : f64, f64
                    }
                    %321 = arith.addf %arg46, %312#0 : f64
                    %322 = arith.addf %arg48, %312#1 : f64
                    scf.yield %321, %322 : f64, f64
                  } else {
                    scf.yield %arg46, %arg48 : f64, f64
                  }
                  %323 = strong.gated_mulf %310#1, %293#1 : f64
                  %324 = strong.gated_mulf %310#1, %298 : f64
                  %325 = strong.gated_mulf %323, %307 : f64
                  %326 = strong.gated_mulf %310#0, %298 : f64
                  %327 = arith.addf %325, %326 : f64
                  %328 = arith.cmpf une, %327, %cst : f64
                  %329 = arith.select %328, %327, %cst : f64
                  %330 = arith.cmpf une, %324, %cst : f64
                  %331 = arith.select %330, %324, %cst : f64
                  %332 = arith.ori %328, %330 : i1
                  %333:4 = scf.if %332 -> (!t_arith_Differential, f64, !t_arith_Differential, f64) {
                    %334:10 = func.call @arith.part.fwd.unsure(%297, %329, %331, %328, %330) : (!t_arith_part_fwd_primal_Context, f64, f64, i1, i1) -> (!t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1, i1, i1, i1, i1)
                    %335 = agg.extract %308[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                    %336 = agg.extract %334#0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                    %337 = arith.addf %335, %336 : f64
                    %338 = agg.make %337 : (f64) -> !t_super
                    %339 = agg.extract %308[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
                    %340 = agg.extract %334#0[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
                    %341 = arith.addf %339, %340 : f64
                    %342 = agg.make %341 : (f64) -> !t_of00
                    %343 = agg.make %338, %342 : (!t_super, !t_of00) -> !t_arith_Differential
                    %344 = agg.extract %309[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                    %345 = agg.extract %334#2[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                    %346 = arith.addf %344, %345 : f64
                    %347 = agg.make %346 : (f64) -> !t_super
                    %348 = agg.extract %309[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
                    %349 = agg.extract %334#2[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
                    %350 = arith.addf %348, %349 : f64
                    %351 = agg.make %350 : (f64) -> !t_of00
                    %352 = agg.make %347, %351 : (!t_super, !t_of00) -> !t_arith_Differential
                    scf.yield %343, %334#1, %352, %334#3 : !t_arith_Differential, f64, !t_arith_Differential, f64
                  } else {
                    scf.yield %308, %cst, %309, %cst : !t_arith_Differential, f64, !t_arith_Differential, f64
                  }
                  scf.yield %333#0, %333#1, %333#2, %333#3, %238#1, %238#2, %238#3, %238#4 : !t_arith_Differential, f64, !t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0
                }
                scf.yield %229#0, %229#1, %229#2, %229#3 : !t_arith_Differential, f64, !t_arith_Differential, f64
              } else {
                scf.yield %218, %cst, %218, %cst : !t_arith_Differential, f64, !t_arith_Differential, f64
              }
              %353:2 = scf.if %226 -> (f64, f64) {
                %354:2 = scf.if %150 -> (f64, f64) {
                  %355 = agg.extract %227#2[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                  %356 = agg.extract %227#0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                  %357 = arith.mulf %355, %cst_6 : f64
                  %358 = arith.mulf %356, %cst_6 : f64
                  scf.yield %358, %357 : f64, f64
                } else {
                  %cst_13 = arith.constant 1.5 : f64
                  %359 = agg.extract %227#2[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
                  %360 = agg.extract %227#0[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
                  %361 = arith.mulf %359, %cst_13 : f64
                  %362 = arith.mulf %360, %cst_13 : f64
                  scf.yield %362, %361 : f64, f64
                }
                %363 = arith.addf %227#1, %354#0 : f64
                %364 = arith.addf %227#3, %354#1 : f64
                scf.yield %363, %364 : f64, f64
              } else {
                scf.yield %227#1, %227#3 : f64, f64
              }
              scf.yield %353#0, %353#1, %226, %226 : f64, f64, i1, i1
            } else {
              scf.yield %cst, %cst, %false, %false : f64, f64, i1, i1
            }
            %365 = strong.gated_mulf %201#1, %147 : f64
            %366 = strong.gated_mulf %201#1, %148 : f64
            %367 = arith.mulf %365, %cst_7 : f64
            %368 = arith.select %201#3, %367, %cst : f64
            %369 = arith.addf %201#0, %368 : f64
            %370 = arith.ori %201#2, %201#3 : i1
            %371 = strong.gated_mulf %369, %148 : f64
            %372 = arith.mulf %366, %cst_6 : f64
            %373 = arith.mulf %371, %cst_6 : f64
            %374 = arith.select %201#3, %372, %cst : f64
            %375 = agg.extract %arg5[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %376 = arith.addf %375, %374 : f64
            %377 = agg.insert %376, %arg5[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
            %378 = arith.select %370, %373, %cst : f64
            %379 = agg.extract %arg4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %380 = arith.addf %379, %378 : f64
            %381 = agg.insert %380, %arg4[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
            %382:2 = scf.for %arg74 = %c0 to %c2_0 step %c1 iter_args(%arg75 = %381, %arg76 = %377) -> (!t_orders, !t_orders) {
              %383 = arith.subi %c1, %arg74 : index
              %384 = agg.extract %112[%383] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
              %385 = agg.extract %113[%383] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
              %386 = agg.extract %114[%383] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
              %387 = agg.extract %115[%383] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
              %x_0 = vector.broadcast %384 : f64 to vector<2xf64>
              %x_d_0 = vector.broadcast %385 : f64 to vector<2xf64>
              %y = vector.broadcast %386 : f64 to vector<2xf64>
              %y_d = vector.broadcast %387 : f64 to vector<2xf64>
              %388 = agg.extract %arg76[] {path = array<i64: 1>} : (!t_orders) -> f64
              %389 = agg.extract %arg75[] {path = array<i64: 1>} : (!t_orders) -> f64
              %390 = arith.mulf %388, %cst_8 : f64
              %391 = arith.mulf %389, %cst_8 : f64
              %392 = arith.cmpf une, %391, %cst : f64
              %393 = arith.select %392, %391, %cst : f64
              %394 = arith.cmpf une, %390, %cst : f64
              %395 = arith.select %394, %390, %cst : f64
              %396 = arith.ori %392, %394 : i1
              %397:4 = scf.if %396 -> (vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>) {
                %398 = vector.broadcast %395 : f64 to vector<2xf64>
                %399 = vector.broadcast %393 : f64 to vector<2xf64>
                %400 = strong.gated_mulf %398, %y_d : vector<2xf64>
                %401 = strong.gated_mulf %398, %x_0 : vector<2xf64>
                %402 = strong.gated_mulf %398, %x_d_0 : vector<2xf64>
                %403 = strong.gated_mulf %398, %y : vector<2xf64>
                %404 = strong.gated_mulf %399, %x_0 : vector<2xf64>
                %cst_14 = arith.constant dense<0.0> : vector<2xf64>
                %405 = arith.select %394, %402, %cst_14 : vector<2xf64>
                %406 = arith.select %392, %404, %cst_14 : vector<2xf64>
                %407 = arith.addf %405, %406 : vector<2xf64>
                %408 = strong.gated_mulf %399, %y : vector<2xf64>
                %409 = arith.select %394, %400, %cst_14 : vector<2xf64>
                %410 = arith.select %392, %408, %cst_14 : vector<2xf64>
                %411 = arith.addf %409, %410 : vector<2xf64>
                %412 = arith.select %394, %403, %cst_14 : vector<2xf64>
                %413 = arith.select %394, %401, %cst_14 : vector<2xf64>
                scf.yield %411, %407, %412, %413 : vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>
              } else {
                %cst_15 = arith.constant dense<0.0> : vector<2xf64>
                scf.yield %cst_15, %cst_15, %cst_15, %cst_15 : vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>
              }
              %414 = vector.reduction <add>, %397#3 : vector<2xf64> into f64
              %415 = vector.reduction <add>, %397#1 : vector<2xf64> into f64
              %416 = agg.extract %arg76[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
              %417 = arith.addf %416, %414 : f64
              %418 = agg.insert %417, %arg76[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
              %419 = agg.extract %arg75[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
              %420 = arith.addf %419, %415 : f64
              %421 = agg.insert %420, %arg75[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
              %422 = vector.reduction <add>, %397#2 : vector<2xf64> into f64
              %423 = vector.reduction <add>, %397#0 : vector<2xf64> into f64
              %424 = agg.extract %arg76[] {path = array<i64: 0>} : (!t_orders) -> f64
              %425 = arith.addf %424, %422 : f64
              %426 = agg.insert %425, %418[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
              %427 = agg.extract %arg75[] {path = array<i64: 0>} : (!t_orders) -> f64
              %428 = arith.addf %427, %423 : f64
              %429 = agg.insert %428, %421[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
              scf.yield %429, %426 : !t_orders, !t_orders
            }
            scf.yield %382#0, %382#1, %33#1, %33#2, %33#3, %33#4, %33#5 : !t_orders, !t_orders, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array
          }
          scf.yield %23#0, %23#1 : !t_orders, !t_orders
        } else {
          scf.yield %17, %17 : !t_orders, !t_orders
        }
        %430 = agg.extract %21#0[] {path = array<i64: 0>} : (!t_orders) -> f64
        %431 = agg.extract %21#0[] {path = array<i64: 1>} : (!t_orders) -> f64
        %432 = agg.extract %21#0[] {path = array<i64: 2>} : (!t_orders) -> !t_jvp
        %433 = agg.extract %21#1[] {path = array<i64: 0>} : (!t_orders) -> f64
        %434 = agg.extract %21#1[] {path = array<i64: 1>} : (!t_orders) -> f64
        %435 = agg.extract %21#1[] {path = array<i64: 2>} : (!t_orders) -> !t_jvp
        scf.yield %430, %431, %432, %433, %434, %435, %2, %2, %2, %2, %2, %2 : f64, f64, !t_jvp, f64, f64, !t_jvp, i1, i1, i1, i1, i1, i1
      } else {
        %436 = agg.zero : !t_jvp
        %false_0 = arith.constant false
        scf.yield %cst, %cst, %436, %cst, %cst, %436, %false_0, %false_0, %false_0, %false_0, %false_0, %false_0 : f64, f64, !t_jvp, f64, f64, !t_jvp, i1, i1, i1, i1, i1, i1
      }
      %437 = agg.make %11#0, %11#1, %11#2 : (f64, f64, !t_jvp) -> !t_orders
      %438 = agg.make %11#3, %11#4, %11#5 : (f64, f64, !t_jvp) -> !t_orders
      %439 = arith.ori %11#6, %11#7 : i1
      %440 = arith.ori %439, %11#8 : i1
      %441 = arith.ori %11#9, %11#10 : i1
      %442 = arith.ori %441, %11#11 : i1
      scf.yield %437, %438, %440, %442 : !t_orders, !t_orders, i1, i1
    } else {
      %443 = agg.zero : !t_orders
      %false_1 = arith.constant false
      scf.yield %443, %443, %false_1, %false_1 : !t_orders, !t_orders, i1, i1
    }
    %444 = agg.make %3#0, %3#1 : (!t_orders, !t_orders) -> !DifferentialPair_orders_
    func.return %444, %3#2, %3#3 : !DifferentialPair_orders_, i1, i1
  }
  func.func private @set.primal(%x: !t_orders, %d: !t_orders, %differential: i32, %transposed: i32, %at: i32) -> (f64, !t_set_primal_Context) attributes {differentiable = "both"} {
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %c-1_i32 = arith.constant -1 : i32
    %wrt00 = arith.constant 0 : i32
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.25 : f64
    %c2_i32 = arith.constant 2 : i32
    %c5_i32 = arith.constant 5 : i32
    %cst_0 = arith.constant 1.7397127693021015 : f64
    %cst_1 = arith.constant 0.5 : f64
    %cst_2 = arith.constant 0.5537200244863067 : f64
    %0 = arith.cmpi slt, %transposed, %c5_i32 : i32
    %false = arith.constant false
    %1, %p_0, %sqrtf, %p_0_d, %2 = scf.while (%arg0 = %true, %p_1 = %x, %sqrtf_0 = %transposed, %p_1_d = %d, %arg1 = %c0) : (i1, !t_orders, i32, !t_orders, index) -> (i1, !t_orders, i32, !t_orders, index) {
      scf.condition(%arg0) %arg0, %p_1, %sqrtf_0, %p_1_d, %arg1 : i1, !t_orders, i32, !t_orders, index
    } do {
    ^bb0(%arg2: i1, %p_2: !t_orders, %sqrtf_1: i32, %p_2_d: !t_orders, %arg3: index):
      %sqrtf_2 = arith.addi %sqrtf_1, %c-1_i32 : i32
      %p_3, %p_3_d = scf.for %arg4 = %c0 to %c2 step %c1 iter_args(%p_4 = %p_2, %p_4_d = %p_2_d) -> (!t_orders, !t_orders) {
        %3 = agg.extract %p_4[] {path = array<i64: 0>} : (!t_orders) -> f64
        %4 = agg.extract %p_4_d[] {path = array<i64: 0>} : (!t_orders) -> f64
        %5 = vector.broadcast %3 : f64 to vector<2xf64>
        %6 = vector.broadcast %4 : f64 to vector<2xf64>
        %7 = agg.extract %p_4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %8 = agg.extract %p_4_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %9 = vector.broadcast %7 : f64 to vector<2xf64>
        %10 = vector.broadcast %8 : f64 to vector<2xf64>
        %11 = arith.mulf %5, %9 : vector<2xf64>
        %12 = arith.mulf %6, %9 : vector<2xf64>
        %13 = arith.mulf %10, %5 : vector<2xf64>
        %14 = arith.addf %12, %13 : vector<2xf64>
        %15 = vector.reduction <add>, %11 : vector<2xf64> into f64
        %16 = vector.reduction <add>, %14 : vector<2xf64> into f64
        %17 = arith.mulf %15, %cst : f64
        %18 = arith.mulf %16, %cst : f64
        %19 = agg.extract %p_4[] {path = array<i64: 1>} : (!t_orders) -> f64
        %20 = agg.extract %p_4_d[] {path = array<i64: 1>} : (!t_orders) -> f64
        %21 = arith.addf %19, %17 : f64
        %22 = arith.addf %20, %18 : f64
        %p_5 = agg.insert %21, %p_4[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d = agg.insert %22, %p_4_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        scf.yield %p_5, %p_5_d : !t_orders, !t_orders
      }
      %23 = arith.andi %sqrtf_2, %c2_i32 : i32
      %24 = arith.cmpi ne, %23, %wrt00 : i32
      %25 = arith.select %24, %sqrtf_2, %transposed : i32
      %26 = arith.cmpi slt, %25, %c5_i32 : i32
      %27 = arith.select %26, %transposed, %sqrtf_2 : i32
      %28 = agg.extract %p_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %29 = agg.extract %p_3_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %30 = arith.mulf %28, %cst_1 : f64
      %31 = arith.mulf %29, %cst_1 : f64
      %32 = math.powf %cst_0, %30 : f64
      %33 = arith.mulf %32, %cst_2 : f64
      %34 = arith.mulf %31, %33 : f64
      %35:2 = func.call @wrt10.fwd(%27, %32, %34) : (i32, f64, f64) -> (f64, f64)
      %36 = math.sin %35#0 : f64
      %37 = math.cos %35#0 : f64
      %38 = arith.mulf %35#1, %37 : f64
      %39 = agg.extract %p_3[] {path = array<i64: 0>} : (!t_orders) -> f64
      %40 = agg.extract %p_3_d[] {path = array<i64: 0>} : (!t_orders) -> f64
      %41 = arith.addf %39, %36 : f64
      %42 = arith.addf %40, %38 : f64
      %p_6 = agg.insert %41, %p_3[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %p_6_d = agg.insert %42, %p_3_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %43 = arith.cmpi sgt, %sqrtf_2, %wrt00 : i32
      %44 = arith.select %43, %0, %false : i1
      %45 = arith.addi %arg3, %c1 : index
      scf.yield %44, %p_6, %sqrtf_2, %p_6_d, %45 : i1, !t_orders, i32, !t_orders, index
    }
    %46 = agg.extract %p_0_d[] {path = array<i64: 1>} : (!t_orders) -> f64
    %47 = agg.make %x, %transposed, %d, %2 : (!t_orders, i32, !t_orders, index) -> !t_math_fwd_primal_Context
    %48 = agg.global @data : !agg.buffer<f64, "rw">
    %49 = arith.index_cast %at : i32 to index
    %50 = agg.buffer_load %48, %49[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %51 = arith.mulf %46, %50 : f64
    %52 = agg.make %at, %47 : (i32, !t_math_fwd_primal_Context) -> !t_stage_fwd_primal_Context
    %53 = agg.make %52 : (!t_stage_fwd_primal_Context) -> !t_fwd_diff_stage__primal_Context
    %54 = agg.make %53 : (!t_fwd_diff_stage__primal_Context) -> !t_set_primal_Context
    func.return %51, %54 : f64, !t_set_primal_Context
  }
  func.func private @set.bwd(%context: !t_set_primal_Context, %arg0: f64) -> (!t_orders, i1, i1, i1) attributes {differentiable = "both"} {
    %true = arith.constant true
    %at = agg.extract %context[] {path = array<i64: 0, 0, 0>} : (!t_set_primal_Context) -> i32
    %0 = agg.global @data : !agg.buffer<f64, "rw">
    %1 = arith.index_cast %at : i32 to index
    %2 = agg.buffer_load %0, %1[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %3 = arith.mulf %arg0, %2 : f64
    %p = agg.extract %context[] {path = array<i64: 0, 0, 1, 0>} : (!t_set_primal_Context) -> !t_orders
    %transposed = agg.extract %context[] {path = array<i64: 0, 0, 1, 1>} : (!t_set_primal_Context) -> i32
    %p_d = agg.extract %context[] {path = array<i64: 0, 0, 1, 2>} : (!t_set_primal_Context) -> !t_orders
    %4 = agg.extract %context[] {path = array<i64: 0, 0, 1, 3>} : (!t_set_primal_Context) -> index
    %cst = arith.constant 0.0 : f64
    %5 = agg.zero : !t_jvp
    %6 = agg.make %cst, %3, %5 : (f64, f64, !t_jvp) -> !t_orders
    %7 = agg.zero : !t_orders
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %8 = agg.zero : !agg.array<4, index>
    %false = arith.constant false
    %9 = agg.make %p, %7, %7, %7 : (!t_orders, !t_orders, !t_orders, !t_orders) -> !t_array
    %wrt00 = arith.constant 0 : i32
    %10 = agg.make %transposed, %wrt00, %wrt00, %wrt00 : (i32, i32, i32, i32) -> !agg.array<4, i32>
    %11 = agg.make %p_d, %7, %7, %7 : (!t_orders, !t_orders, !t_orders, !t_orders) -> !t_array
    %c-1 = arith.constant -1 : index
    %12 = arith.addi %4, %c-1 : index
    %c2 = arith.constant 2 : index
    %c-1_i32 = arith.constant -1 : i32
    %cst_0 = arith.constant 0.25 : f64
    %c2_i32 = arith.constant 2 : i32
    %c5_i32 = arith.constant 5 : i32
    %cst_1 = arith.constant 1.7397127693021015 : f64
    %cst_2 = arith.constant 0.5 : f64
    %cst_3 = arith.constant 0.5537200244863067 : f64
    %c3 = arith.constant 3 : index
    %c-1_i32_0 = arith.constant -1 : i32
    %c2_0 = arith.constant 2 : index
    %cst_4 = arith.constant 0.25 : f64
    %c2_i32_0 = arith.constant 2 : i32
    %c5_i32_0 = arith.constant 5 : i32
    %cst_5 = arith.constant 1.7397127693021015 : f64
    %cst_6 = arith.constant 0.5 : f64
    %cst_7 = arith.constant 0.5537200244863067 : f64
    %c3_i32 = arith.constant 3 : i32
    %c0_i64 = arith.constant 0 : i64
    %c1_i32 = arith.constant 1 : i32
    %cst_8 = arith.constant 0.25 : f64
    %13:7 = scf.for %arg1 = %c0 to %4 step %c1 iter_args(%arg2 = %7, %arg3 = %6, %arg4 = %c0, %arg5 = %8, %arg6 = %9, %arg7 = %10, %arg8 = %11) -> (!t_orders, !t_orders, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array) {
      %14 = arith.subi %12, %arg1 : index
      %15 = agg.extract %arg5[%arg4] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
      %16 = arith.cmpi sgt, %15, %14 : index
      %17 = arith.addi %arg4, %c-1 : index
      %18 = arith.select %16, %17, %arg4 : index
      %19 = agg.extract %arg5[%18] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
      %20 = agg.extract %arg6[%18] {path = array<i64: -1>} : (!t_array, index) -> !t_orders
      %21 = agg.extract %arg7[%18] {path = array<i64: -1>} : (!agg.array<4, i32>, index) -> i32
      %22 = agg.extract %arg8[%18] {path = array<i64: -1>} : (!t_array, index) -> !t_orders
      %23:9 = scf.while (%arg9 = %19, %arg10 = %18, %arg11 = %arg5, %arg12 = %arg6, %arg13 = %arg7, %arg14 = %arg8, %arg15 = %20, %arg16 = %21, %arg17 = %22) : (index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array, !t_orders, i32, !t_orders) -> (index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array, !t_orders, i32, !t_orders) {
        %24 = arith.cmpi slt, %arg9, %14 : index
        scf.condition(%24) %arg9, %arg10, %arg11, %arg12, %arg13, %arg14, %arg15, %arg16, %arg17 : index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array, !t_orders, i32, !t_orders
      } do {
      ^bb0(%arg18: index, %arg19: index, %arg20: !agg.array<4, index>, %arg21: !t_array, %arg22: !agg.array<4, i32>, %arg23: !t_array, %arg24: !t_orders, %arg25: i32, %arg26: !t_orders):
        %25 = arith.subi %c2, %arg19 : index
        %26 = arith.cmpi sgt, %25, %c0 : index
        %27 = arith.subi %14, %arg18 : index
        %28 = arith.addi %27, %c1 : index
        %29 = arith.maxui %25, %c1 : index
        %30 = arith.addi %29, %c1 : index
        %31:2 = scf.while (%arg27 = %c1, %arg28 = %c0) : (index, index) -> (index, index) {
          %32 = arith.cmpi slt, %arg27, %28 : index
          scf.condition(%32) %arg27, %arg28 : index, index
        } do {
        ^bb0(%arg29: index, %arg30: index):
          %33 = arith.addi %arg30, %c1 : index
          %34 = arith.addi %30, %33 : index
          %35 = arith.muli %arg29, %34 : index
          %36 = arith.divui %35, %33 : index
          scf.yield %36, %33 : index, index
        }
        %37 = arith.muli %31#0, %30 : index
        %38 = arith.addi %30, %31#1 : index
        %39 = arith.divui %37, %38 : index
        %40 = arith.muli %31#0, %31#1 : index
        %41 = arith.divui %40, %38 : index
        %42 = arith.addi %31#1, %c-1 : index
        %43 = arith.muli %41, %42 : index
        %44 = arith.addi %38, %c-1 : index
        %45 = arith.divui %43, %44 : index
        %46 = arith.maxui %45, %c1 : index
        %47 = arith.subi %28, %46 : index
        %48 = arith.minui %39, %47 : index
        %49 = arith.maxui %48, %c1 : index
        %50 = arith.subi %28, %49 : index
        %51 = arith.select %26, %50, %27 : index
        %52:3 = scf.for %arg31 = %c0 to %51 step %c1 iter_args(%arg32 = %arg24, %arg33 = %arg25, %arg34 = %arg26) -> (!t_orders, i32, !t_orders) {
          %sqrtf_2 = arith.addi %arg33, %c-1_i32 : i32
          %p_3, %p_3_d = scf.for %arg35 = %c0 to %c2 step %c1 iter_args(%p_4 = %arg32, %p_4_d = %arg34) -> (!t_orders, !t_orders) {
            %53 = agg.extract %p_4[] {path = array<i64: 0>} : (!t_orders) -> f64
            %54 = agg.extract %p_4_d[] {path = array<i64: 0>} : (!t_orders) -> f64
            %55 = vector.broadcast %53 : f64 to vector<2xf64>
            %56 = vector.broadcast %54 : f64 to vector<2xf64>
            %57 = agg.extract %p_4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %58 = agg.extract %p_4_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %59 = vector.broadcast %57 : f64 to vector<2xf64>
            %60 = vector.broadcast %58 : f64 to vector<2xf64>
            %61 = arith.mulf %55, %59 : vector<2xf64>
            %62 = arith.mulf %56, %59 : vector<2xf64>
            %63 = arith.mulf %60, %55 : vector<2xf64>
            %64 = arith.addf %62, %63 : vector<2xf64>
            %65 = vector.reduction <add>, %61 : vector<2xf64> into f64
            %66 = vector.reduction <add>, %64 : vector<2xf64> into f64
            %67 = arith.mulf %65, %cst_0 : f64
            %68 = arith.mulf %66, %cst_0 : f64
            %69 = agg.extract %p_4[] {path = array<i64: 1>} : (!t_orders) -> f64
            %70 = agg.extract %p_4_d[] {path = array<i64: 1>} : (!t_orders) -> f64
            %71 = arith.addf %69, %67 : f64
            %72 = arith.addf %70, %68 : f64
            %p_5 = agg.insert %71, %p_4[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
            %p_5_d = agg.insert %72, %p_4_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
            scf.yield %p_5, %p_5_d : !t_orders, !t_orders
          }
          %73 = arith.andi %sqrtf_2, %c2_i32 : i32
          %74 = arith.cmpi ne, %73, %wrt00 : i32
          %75 = arith.select %74, %sqrtf_2, %transposed : i32
          %76 = arith.cmpi slt, %75, %c5_i32 : i32
          %77 = arith.select %76, %transposed, %sqrtf_2 : i32
          %78 = agg.extract %p_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
          %79 = agg.extract %p_3_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
          %80 = arith.mulf %78, %cst_2 : f64
          %81 = arith.mulf %79, %cst_2 : f64
          %82 = math.powf %cst_1, %80 : f64
          %83 = arith.mulf %82, %cst_3 : f64
          %84 = arith.mulf %81, %83 : f64
          %85:2 = func.call @wrt10.fwd(%77, %82, %84) : (i32, f64, f64) -> (f64, f64)
          %86 = math.sin %85#0 : f64
          %87 = math.cos %85#0 : f64
          %88 = arith.mulf %85#1, %87 : f64
          %89 = agg.extract %p_3[] {path = array<i64: 0>} : (!t_orders) -> f64
          %90 = agg.extract %p_3_d[] {path = array<i64: 0>} : (!t_orders) -> f64
          %91 = arith.addf %89, %86 : f64
          %92 = arith.addf %90, %88 : f64
          %p_6 = agg.insert %91, %p_3[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
          %p_6_d = agg.insert %92, %p_3_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
          scf.yield %p_6, %sqrtf_2, %p_6_d : !t_orders, i32, !t_orders
        }
        %93 = arith.addi %arg18, %51 : index
        %94 = arith.addi %arg19, %c1 : index
        %95 = arith.select %26, %94, %c3 : index
        %96 = arith.select %26, %94, %arg19 : index
        %97 = agg.insert %93, %arg20[%95] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
        %98 = agg.insert %52#0, %arg21[%95] {path = array<i64: -1>} : (!t_orders, !t_array, index) -> !t_array
        %99 = agg.insert %52#1, %arg22[%95] {path = array<i64: -1>} : (i32, !agg.array<4, i32>, index) -> !agg.array<4, i32>
        %100 = agg.insert %52#2, %arg23[%95] {path = array<i64: -1>} : (!t_orders, !t_array, index) -> !t_array
        scf.yield %93, %96, %97, %98, %99, %100, %52#0, %52#1, %52#2 : index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array, !t_orders, i32, !t_orders
      }
      %sqrtf_2_0 = arith.addi %23#7, %c-1_i32_0 : i32
      %101 = agg.zero {unread} : !agg.array<2, f64>
      %p_3_0, %p_3_d_0, %102, %103, %104, %105 = scf.for %arg36 = %c0 to %c2_0 step %c1 iter_args(%p_4_0 = %23#6, %p_4_d_0 = %23#8, %arg37 = %101, %arg38 = %101, %arg39 = %101, %arg40 = %101) -> (!t_orders, !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, !agg.array<2, f64>, !agg.array<2, f64>) {
        %106 = agg.extract %p_4_0[] {path = array<i64: 0>} : (!t_orders) -> f64
        %107 = agg.extract %p_4_d_0[] {path = array<i64: 0>} : (!t_orders) -> f64
        %108 = vector.broadcast %106 : f64 to vector<2xf64>
        %109 = vector.broadcast %107 : f64 to vector<2xf64>
        %110 = agg.extract %p_4_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %111 = agg.extract %p_4_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %112 = vector.broadcast %110 : f64 to vector<2xf64>
        %113 = vector.broadcast %111 : f64 to vector<2xf64>
        %114 = arith.mulf %108, %112 : vector<2xf64>
        %115 = arith.mulf %109, %112 : vector<2xf64>
        %116 = arith.mulf %113, %108 : vector<2xf64>
        %117 = arith.addf %115, %116 : vector<2xf64>
        %118 = vector.reduction <add>, %114 : vector<2xf64> into f64
        %119 = vector.reduction <add>, %117 : vector<2xf64> into f64
        %120 = arith.mulf %118, %cst_4 : f64
        %121 = arith.mulf %119, %cst_4 : f64
        %122 = agg.extract %p_4_0[] {path = array<i64: 1>} : (!t_orders) -> f64
        %123 = agg.extract %p_4_d_0[] {path = array<i64: 1>} : (!t_orders) -> f64
        %124 = arith.addf %122, %120 : f64
        %125 = arith.addf %123, %121 : f64
        %p_5_0 = agg.insert %124, %p_4_0[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d_0 = agg.insert %125, %p_4_d_0[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %126 = agg.insert %106, %arg37[%arg36] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %127 = agg.insert %107, %arg38[%arg36] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %128 = agg.insert %110, %arg39[%arg36] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %129 = agg.insert %111, %arg40[%arg36] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        scf.yield %p_5_0, %p_5_d_0, %126, %127, %128, %129 : !t_orders, !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, !agg.array<2, f64>, !agg.array<2, f64>
      }
      %130 = arith.andi %sqrtf_2_0, %c2_i32_0 : i32
      %131 = arith.cmpi ne, %130, %wrt00 : i32
      %132 = arith.select %131, %sqrtf_2_0, %transposed : i32
      %133 = arith.cmpi slt, %132, %c5_i32_0 : i32
      %cosf = arith.select %133, %transposed, %sqrtf_2_0 : i32
      %134 = agg.extract %p_3_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %135 = agg.extract %p_3_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %136 = arith.mulf %134, %cst_6 : f64
      %137 = arith.mulf %135, %cst_6 : f64
      %x = math.powf %cst_5, %136 : f64
      %138 = arith.mulf %x, %cst_7 : f64
      %x_d = arith.mulf %137, %138 : f64
      %139 = arith.andi %cosf, %c3_i32 : i32
      %140 = arith.cmpi eq, %139, %wrt00 : i32
      %result, %result_d = scf.if %140 -> (!t_arith, !t_arith_Differential) {
        %141 = arith.mulf %x, %cst_6 : f64
        %142 = arith.mulf %x_d, %cst_6 : f64
        %init = agg.make %141 : (f64) -> !t_super
        %init_d = agg.make %142 : (f64) -> !t_super
        %c1_i32_0 = arith.constant 1 : i32
        %143 = agg.zero : !t_of00
        %result_0 = agg.make %c1_i32_0, %init, %143 : (i32, !t_super, !t_of00) -> !t_arith
        %result_0_d = agg.make %init_d, %143 : (!t_super, !t_of00) -> !t_arith_Differential
        scf.yield %result_0, %result_0_d : !t_arith, !t_arith_Differential
      } else {
        %cst_9 = arith.constant 1.5 : f64
        %144 = arith.mulf %x, %cst_9 : f64
        %145 = arith.mulf %x_d, %cst_9 : f64
        %init_0 = agg.make %144 : (f64) -> !t_of00
        %init_0_d = agg.make %145 : (f64) -> !t_of00
        %146 = agg.zero : !t_super
        %result_1 = agg.make %c2_i32_0, %146, %init_0 : (i32, !t_super, !t_of00) -> !t_arith
        %result_1_d = agg.make %146, %init_0_d : (!t_super, !t_of00) -> !t_arith_Differential
        scf.yield %result_1, %result_1_d : !t_arith, !t_arith_Differential
      }
      %147 = arith.extsi %139 : i32 to i64
      %148 = arith.maxsi %147, %c0_i64 : i64
      %149 = arith.index_cast %148 : i64 to index
      %init_0_0, %tex, %init_0_d_0, %tex_d = scf.for %arg41 = %c0 to %149 step %c1 iter_args(%init_1 = %result, %tex_0 = %x, %init_1_d = %result_d, %tex_0_d = %x_d) -> (!t_arith, f64, !t_arith_Differential, f64) {
        %get_0 = arith.index_cast %arg41 : index to i32
        %150 = agg.extract %init_1[] {path = array<i64: 0>} : (!t_arith) -> i32
        %151 = arith.index_cast %150 : i32 to index
        %152:2 = scf.index_switch %151 -> f64, f64
        case 1 {
          %wrt0 = agg.extract %init_1[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
          %wrt0_d = agg.extract %init_1_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          scf.yield %wrt0, %wrt0_d : f64, f64
        }
        case 2 {
          scf.yield %cst, %cst : f64, f64
        }
        default {
          scf.yield %cst, %cst : f64, f64
        }
        %tex_1 = math.sin %152#0 : f64
        %153 = math.cos %152#0 : f64
        %tex_1_d = arith.mulf %152#1, %153 : f64
        %154 = arith.andi %get_0, %c1_i32 : i32
        %155 = arith.cmpi eq, %154, %wrt00 : i32
        %init_2, %init_2_d = scf.if %155 -> (!t_arith, !t_arith_Differential) {
          %156 = arith.addi %cosf, %get_0 : i32
          %157 = arith.andi %156, %c3_i32 : i32
          %158 = arith.cmpi eq, %157, %wrt00 : i32
          %result_2, %result_d_0 = scf.if %158 -> (!t_arith, !t_arith_Differential) {
            %159 = arith.mulf %tex_1, %cst_6 : f64
            %160 = arith.mulf %tex_1_d, %cst_6 : f64
            %init_3 = agg.make %159 : (f64) -> !t_super
            %init_d_0 = agg.make %160 : (f64) -> !t_super
            %161 = agg.zero : !t_of00
            %result_0_0 = agg.make %c1_i32, %init_3, %161 : (i32, !t_super, !t_of00) -> !t_arith
            %result_0_d_0 = agg.make %init_d_0, %161 : (!t_super, !t_of00) -> !t_arith_Differential
            scf.yield %result_0_0, %result_0_d_0 : !t_arith, !t_arith_Differential
          } else {
            %cst_10 = arith.constant 1.5 : f64
            %162 = arith.mulf %tex_1, %cst_10 : f64
            %163 = arith.mulf %tex_1_d, %cst_10 : f64
            %init_0_1 = agg.make %162 : (f64) -> !t_of00
            %init_0_d_1 = agg.make %163 : (f64) -> !t_of00
            %164 = agg.zero : !t_super
            %result_1_0 = agg.make %c2_i32_0, %164, %init_0_1 : (i32, !t_super, !t_of00) -> !t_arith
            %result_1_d_0 = agg.make %164, %init_0_d_1 : (!t_super, !t_of00) -> !t_arith_Differential
            scf.yield %result_1_0, %result_1_d_0 : !t_arith, !t_arith_Differential
          }
          scf.yield %result_2, %result_d_0 : !t_arith, !t_arith_Differential
        } else {
          scf.yield %init_1, %init_1_d : !t_arith, !t_arith_Differential
        }
        scf.yield %init_2, %tex_1, %init_2_d, %tex_1_d : !t_arith, f64, !t_arith_Differential, f64
      }
      %165 = agg.extract %init_0_0[] {path = array<i64: 0>} : (!t_arith) -> i32
      %166 = arith.index_cast %165 : i32 to index
      %167:3 = scf.index_switch %166 -> f64, f64, !t_super_part_fwd_primal_Context
      case 1 {
        %wrt0_0 = agg.extract %init_0_0[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
        %wrt0_d_0 = agg.extract %init_0_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %169 = agg.make : () -> !t_super_part_fwd_primal_Context
        scf.yield %wrt0_0, %wrt0_d_0, %169 : f64, f64, !t_super_part_fwd_primal_Context
      }
      case 2 {
        %170 = agg.zero : !t_super_part_fwd_primal_Context
        scf.yield %cst, %cst, %170 : f64, f64, !t_super_part_fwd_primal_Context
      }
      default {
        %168 = agg.zero : !t_super_part_fwd_primal_Context
        scf.yield %cst, %cst, %168 : f64, f64, !t_super_part_fwd_primal_Context
      }
      %171 = agg.make %165, %167#2 : (i32, !t_super_part_fwd_primal_Context) -> !t_arith_part_fwd_primal_Context
      %172 = arith.mulf %167#0, %cst_6 : f64
      %173 = arith.mulf %167#1, %cst_6 : f64
      %174 = arith.addf %tex, %172 : f64
      %175 = arith.addf %tex_d, %173 : f64
      %176 = math.sin %174 : f64
      %177 = math.cos %174 : f64
      %178 = arith.negf %176 : f64
      %179 = agg.extract %arg3[] {path = array<i64: 0>} : (!t_orders) -> f64
      %180 = agg.extract %arg2[] {path = array<i64: 0>} : (!t_orders) -> f64
      %181 = strong.gated_mulf %179, %175 : f64
      %182 = strong.gated_mulf %179, %177 : f64
      %183 = strong.gated_mulf %181, %178 : f64
      %184 = strong.gated_mulf %180, %177 : f64
      %185 = arith.addf %183, %184 : f64
      %186 = arith.cmpf une, %185, %cst : f64
      %187 = arith.select %186, %185, %cst : f64
      %188 = arith.cmpf une, %182, %cst : f64
      %189 = arith.select %188, %182, %cst : f64
      %190 = arith.ori %186, %188 : i1
      %191:4 = scf.if %190 -> (f64, f64, i1, i1) {
        %192 = arith.mulf %189, %cst_6 : f64
        %193 = arith.mulf %187, %cst_6 : f64
        %194 = arith.cmpf une, %193, %cst : f64
        %195 = arith.select %194, %193, %cst : f64
        %196 = arith.cmpf une, %192, %cst : f64
        %197 = arith.select %196, %192, %cst : f64
        %198 = arith.ori %194, %196 : i1
        %199:6 = scf.if %198 -> (!t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1) {
          %200:10 = func.call @arith.part.fwd.unsure(%171, %195, %197, %194, %196) : (!t_arith_part_fwd_primal_Context, f64, f64, i1, i1) -> (!t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1, i1, i1, i1, i1)
          %201 = arith.ori %200#4, %200#5 : i1
          %202 = arith.addf %187, %200#1 : f64
          %203 = arith.ori %200#7, %200#8 : i1
          %204 = arith.addf %189, %200#3 : f64
          scf.yield %200#0, %202, %200#2, %204, %201, %203 : !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1
        } else {
          %205 = agg.zero : !t_arith_Differential
          scf.yield %205, %187, %205, %189, %false, %false : !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1
        }
        %206 = agg.zero : !t_arith
        %207 = agg.make %result, %206, %206, %206 : (!t_arith, !t_arith, !t_arith, !t_arith) -> !agg.array<4, !t_arith>
        %208 = agg.zero : !t_arith_Differential
        %209 = agg.make %result_d, %208, %208, %208 : (!t_arith_Differential, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential) -> !t_array_0
        %210 = arith.cmpf une, %199#1, %cst : f64
        %211 = arith.select %210, %199#1, %cst : f64
        %212 = arith.cmpf une, %199#3, %cst : f64
        %213 = arith.select %212, %199#3, %cst : f64
        %214 = arith.ori %199#4, %210 : i1
        %215 = arith.ori %214, %199#5 : i1
        %216 = arith.ori %215, %212 : i1
        %217:4 = scf.if %216 -> (!t_arith_Differential, f64, !t_arith_Differential, f64) {
          %218 = arith.addi %149, %c-1 : index
          %c1_i32_1 = arith.constant 1 : i32
          %c3_0 = arith.constant 3 : index
          %c1_i32_2 = arith.constant 1 : i32
          %219:8 = scf.for %arg42 = %c0 to %149 step %c1 iter_args(%arg43 = %199#0, %arg44 = %211, %arg45 = %199#2, %arg46 = %213, %arg47 = %c0, %arg48 = %8, %arg49 = %207, %arg50 = %209) -> (!t_arith_Differential, f64, !t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0) {
            %220 = arith.subi %218, %arg42 : index
            %221 = agg.extract %arg48[%arg47] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
            %222 = arith.cmpi sgt, %221, %220 : index
            %223 = arith.addi %arg47, %c-1 : index
            %224 = arith.select %222, %223, %arg47 : index
            %225 = agg.extract %arg48[%224] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
            %226 = agg.extract %arg49[%224] {path = array<i64: -1>} : (!agg.array<4, !t_arith>, index) -> !t_arith
            %227 = agg.extract %arg50[%224] {path = array<i64: -1>} : (!t_array_0, index) -> !t_arith_Differential
            %228:7 = scf.while (%arg51 = %225, %arg52 = %224, %arg53 = %arg48, %arg54 = %arg49, %arg55 = %arg50, %arg56 = %226, %arg57 = %227) : (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0, !t_arith, !t_arith_Differential) -> (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0, !t_arith, !t_arith_Differential) {
              %229 = arith.cmpi slt, %arg51, %220 : index
              scf.condition(%229) %arg51, %arg52, %arg53, %arg54, %arg55, %arg56, %arg57 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0, !t_arith, !t_arith_Differential
            } do {
            ^bb0(%arg58: index, %arg59: index, %arg60: !agg.array<4, index>, %arg61: !agg.array<4, !t_arith>, %arg62: !t_array_0, %arg63: !t_arith, %arg64: !t_arith_Differential):
              %230 = arith.subi %c2_0, %arg59 : index
              %231 = arith.cmpi sgt, %230, %c0 : index
              %232 = arith.subi %220, %arg58 : index
              %233 = arith.addi %232, %c1 : index
              %234 = arith.maxui %230, %c1 : index
              %235 = arith.addi %234, %c1 : index
              %236:2 = scf.while (%arg65 = %c1, %arg66 = %c0) : (index, index) -> (index, index) {
                %237 = arith.cmpi slt, %arg65, %233 : index
                scf.condition(%237) %arg65, %arg66 : index, index
              } do {
              ^bb0(%arg67: index, %arg68: index):
                %238 = arith.addi %arg68, %c1 : index
                %239 = arith.addi %235, %238 : index
                %240 = arith.muli %arg67, %239 : index
                %241 = arith.divui %240, %238 : index
                scf.yield %241, %238 : index, index
              }
              %242 = arith.muli %236#0, %235 : index
              %243 = arith.addi %235, %236#1 : index
              %244 = arith.divui %242, %243 : index
              %245 = arith.muli %236#0, %236#1 : index
              %246 = arith.divui %245, %243 : index
              %247 = arith.addi %236#1, %c-1 : index
              %248 = arith.muli %246, %247 : index
              %249 = arith.addi %243, %c-1 : index
              %250 = arith.divui %248, %249 : index
              %251 = arith.maxui %250, %c1 : index
              %252 = arith.subi %233, %251 : index
              %253 = arith.minui %244, %252 : index
              %254 = arith.maxui %253, %c1 : index
              %255 = arith.subi %233, %254 : index
              %256 = arith.select %231, %255, %232 : index
              %257:2 = scf.for %arg69 = %c0 to %256 step %c1 iter_args(%arg70 = %arg63, %arg71 = %arg64) -> (!t_arith, !t_arith_Differential) {
                %258 = arith.addi %arg58, %arg69 : index
                %get_0_0 = arith.index_cast %258 : index to i32
                %259 = agg.extract %arg70[] {path = array<i64: 0>} : (!t_arith) -> i32
                %260 = arith.index_cast %259 : i32 to index
                %261:2 = scf.index_switch %260 -> f64, f64
                case 1 {
                  %wrt0_1 = agg.extract %arg70[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
                  %wrt0_d_1 = agg.extract %arg71[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                  scf.yield %wrt0_1, %wrt0_d_1 : f64, f64
                }
                case 2 {
                  scf.yield %cst, %cst : f64, f64
                }
                default {
                  scf.yield %cst, %cst : f64, f64
                }
                %tex_1_0 = math.sin %261#0 : f64
                %262 = math.cos %261#0 : f64
                %tex_1_d_0 = arith.mulf %261#1, %262 : f64
                %263 = arith.andi %get_0_0, %c1_i32_1 : i32
                %264 = arith.cmpi eq, %263, %wrt00 : i32
                %init_2_0, %init_2_d_0 = scf.if %264 -> (!t_arith, !t_arith_Differential) {
                  %265 = arith.addi %cosf, %get_0_0 : i32
                  %266 = arith.andi %265, %c3_i32 : i32
                  %267 = arith.cmpi eq, %266, %wrt00 : i32
                  %result_3, %result_d_1 = scf.if %267 -> (!t_arith, !t_arith_Differential) {
                    %268 = arith.mulf %tex_1_0, %cst_6 : f64
                    %269 = arith.mulf %tex_1_d_0, %cst_6 : f64
                    %init_4 = agg.make %268 : (f64) -> !t_super
                    %init_d_1 = agg.make %269 : (f64) -> !t_super
                    %270 = agg.zero : !t_of00
                    %result_0_1 = agg.make %c1_i32_1, %init_4, %270 : (i32, !t_super, !t_of00) -> !t_arith
                    %result_0_d_1 = agg.make %init_d_1, %270 : (!t_super, !t_of00) -> !t_arith_Differential
                    scf.yield %result_0_1, %result_0_d_1 : !t_arith, !t_arith_Differential
                  } else {
                    %cst_11 = arith.constant 1.5 : f64
                    %271 = arith.mulf %tex_1_0, %cst_11 : f64
                    %272 = arith.mulf %tex_1_d_0, %cst_11 : f64
                    %init_0_2 = agg.make %271 : (f64) -> !t_of00
                    %init_0_d_2 = agg.make %272 : (f64) -> !t_of00
                    %273 = agg.zero : !t_super
                    %result_1_1 = agg.make %c2_i32_0, %273, %init_0_2 : (i32, !t_super, !t_of00) -> !t_arith
                    %result_1_d_1 = agg.make %273, %init_0_d_2 : (!t_super, !t_of00) -> !t_arith_Differential
                    scf.yield %result_1_1, %result_1_d_1 : !t_arith, !t_arith_Differential
                  }
                  scf.yield %result_3, %result_d_1 : !t_arith, !t_arith_Differential
                } else {
                  scf.yield %arg70, %arg71 : !t_arith, !t_arith_Differential
                }
                scf.yield %init_2_0, %init_2_d_0 : !t_arith, !t_arith_Differential
              }
              %274 = arith.addi %arg58, %256 : index
              %275 = arith.addi %arg59, %c1 : index
              %276 = arith.select %231, %275, %c3_0 : index
              %277 = arith.select %231, %275, %arg59 : index
              %278 = agg.insert %274, %arg60[%276] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
              %279 = agg.insert %257#0, %arg61[%276] {path = array<i64: -1>} : (!t_arith, !agg.array<4, !t_arith>, index) -> !agg.array<4, !t_arith>
              %280 = agg.insert %257#1, %arg62[%276] {path = array<i64: -1>} : (!t_arith_Differential, !t_array_0, index) -> !t_array_0
              scf.yield %274, %277, %278, %279, %280, %257#0, %257#1 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0, !t_arith, !t_arith_Differential
            }
            %get_0_1 = arith.index_cast %220 : index to i32
            %281 = agg.extract %228#5[] {path = array<i64: 0>} : (!t_arith) -> i32
            %282 = arith.index_cast %281 : i32 to index
            %283:3 = scf.index_switch %282 -> f64, f64, !t_super_part_fwd_primal_Context
            case 1 {
              %wrt0_2 = agg.extract %228#5[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
              %wrt0_d_2 = agg.extract %228#6[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
              %285 = agg.make : () -> !t_super_part_fwd_primal_Context
              scf.yield %wrt0_2, %wrt0_d_2, %285 : f64, f64, !t_super_part_fwd_primal_Context
            }
            case 2 {
              %286 = agg.zero : !t_super_part_fwd_primal_Context
              scf.yield %cst, %cst, %286 : f64, f64, !t_super_part_fwd_primal_Context
            }
            default {
              %284 = agg.zero : !t_super_part_fwd_primal_Context
              scf.yield %cst, %cst, %284 : f64, f64, !t_super_part_fwd_primal_Context
            }
            %287 = agg.make %281, %283#2 : (i32, !t_super_part_fwd_primal_Context) -> !t_arith_part_fwd_primal_Context
            %tex_1_1 = math.sin %283#0 : f64
            %288 = math.cos %283#0 : f64
            %289 = arith.andi %get_0_1, %c1_i32_2 : i32
            %290 = arith.cmpi eq, %289, %wrt00 : i32
            %291 = scf.if %290 -> (!t_jvpp_fwd_primal_Context) {
              %292 = arith.addi %cosf, %get_0_1 : i32
              %293 = arith.andi %292, %c3_i32 : i32
              %294 = arith.cmpi eq, %293, %wrt00 : i32
              %295 = agg.make %294 : (i1) -> !t_jvpp_fwd_primal_Context
              scf.yield %295 : !t_jvpp_fwd_primal_Context
            } else {
              %296 = agg.zero : !t_jvpp_fwd_primal_Context
              scf.yield %296 : !t_jvpp_fwd_primal_Context
            }
            %297 = arith.negf %tex_1_1 : f64
            %298 = scf.if %290 -> (!t_arith_Differential) {
              scf.yield %208 : !t_arith_Differential
            } else {
              scf.yield %arg43 : !t_arith_Differential
            }
            %299 = scf.if %290 -> (!t_arith_Differential) {
              scf.yield %208 : !t_arith_Differential
            } else {
              scf.yield %arg45 : !t_arith_Differential
            }
            %300:2 = scf.if %290 -> (f64, f64) {
              %301 = agg.extract %291[] {path = array<i64: 0>} : (!t_jvpp_fwd_primal_Context) -> i1
              %302:2 = scf.if %301 -> (f64, f64) {
                %303 = agg.extract %arg45[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                %304 = agg.extract %arg43[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
                %305 = arith.mulf %303, %cst_6 : f64
                %306 = arith.mulf %304, %cst_6 : f64
                scf.yield %306, %305 : f64, f64
              } else {
                %cst_12 = arith.constant 1.5 : f64
                %307 = agg.extract %arg45[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
                %308 = agg.extract %arg43[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
                %309 = arith.mulf %307, %cst_12 : f64
                %310 = arith.mulf %308, %cst_12 : f64
                scf.yield %310, %309 : f64, f64
              }
              %311 = arith.addf %arg44, %302#0 : f64
              %312 = arith.addf %arg46, %302#1 : f64
              scf.yield %311, %312 : f64, f64
            } else {
              scf.yield %arg44, %arg46 : f64, f64
            }
            %313 = strong.gated_mulf %300#1, %283#1 : f64
            %314 = strong.gated_mulf %300#1, %288 : f64
            %315 = strong.gated_mulf %313, %297 : f64
            %316 = strong.gated_mulf %300#0, %288 : f64
            %317 = arith.addf %315, %316 : f64
            %318 = arith.cmpf une, %317, %cst : f64
            %319 = arith.select %318, %317, %cst : f64
            %320 = arith.cmpf une, %314, %cst : f64
            %321 = arith.select %320, %314, %cst : f64
            %322 = arith.ori %318, %320 : i1
            %323:4 = scf.if %322 -> (!t_arith_Differential, f64, !t_arith_Differential, f64) {
              %324:10 = func.call @arith.part.fwd.unsure(%287, %319, %321, %318, %320) : (!t_arith_part_fwd_primal_Context, f64, f64, i1, i1) -> (!t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1, i1, i1, i1, i1)
              %325 = agg.extract %298[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
              %326 = agg.extract %324#0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
              %327 = arith.addf %325, %326 : f64
              %328 = agg.make %327 : (f64) -> !t_super
              %329 = agg.extract %298[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
              %330 = agg.extract %324#0[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
              %331 = arith.addf %329, %330 : f64
              %332 = agg.make %331 : (f64) -> !t_of00
              %333 = agg.make %328, %332 : (!t_super, !t_of00) -> !t_arith_Differential
              %334 = agg.extract %299[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
              %335 = agg.extract %324#2[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
              %336 = arith.addf %334, %335 : f64
              %337 = agg.make %336 : (f64) -> !t_super
              %338 = agg.extract %299[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
              %339 = agg.extract %324#2[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
              %340 = arith.addf %338, %339 : f64
              %341 = agg.make %340 : (f64) -> !t_of00
              %342 = agg.make %337, %341 : (!t_super, !t_of00) -> !t_arith_Differential
              scf.yield %333, %324#1, %342, %324#3 : !t_arith_Differential, f64, !t_arith_Differential, f64
            } else {
              scf.yield %298, %cst, %299, %cst : !t_arith_Differential, f64, !t_arith_Differential, f64
            }
            scf.yield %323#0, %323#1, %323#2, %323#3, %228#1, %228#2, %228#3, %228#4 : !t_arith_Differential, f64, !t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_array_0
          }
          scf.yield %219#0, %219#1, %219#2, %219#3 : !t_arith_Differential, f64, !t_arith_Differential, f64
        } else {
          scf.yield %208, %cst, %208, %cst : !t_arith_Differential, f64, !t_arith_Differential, f64
        }
        %343:2 = scf.if %216 -> (f64, f64) {
          %344:2 = scf.if %140 -> (f64, f64) {
            %345 = agg.extract %217#2[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
            %346 = agg.extract %217#0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
            %347 = arith.mulf %345, %cst_6 : f64
            %348 = arith.mulf %346, %cst_6 : f64
            scf.yield %348, %347 : f64, f64
          } else {
            %cst_13 = arith.constant 1.5 : f64
            %349 = agg.extract %217#2[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
            %350 = agg.extract %217#0[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
            %351 = arith.mulf %349, %cst_13 : f64
            %352 = arith.mulf %350, %cst_13 : f64
            scf.yield %352, %351 : f64, f64
          }
          %353 = arith.addf %217#1, %344#0 : f64
          %354 = arith.addf %217#3, %344#1 : f64
          scf.yield %353, %354 : f64, f64
        } else {
          scf.yield %217#1, %217#3 : f64, f64
        }
        scf.yield %343#0, %343#1, %216, %216 : f64, f64, i1, i1
      } else {
        scf.yield %cst, %cst, %false, %false : f64, f64, i1, i1
      }
      %355 = strong.gated_mulf %191#1, %137 : f64
      %356 = strong.gated_mulf %191#1, %138 : f64
      %357 = arith.mulf %355, %cst_7 : f64
      %358 = arith.select %191#3, %357, %cst : f64
      %359 = arith.addf %191#0, %358 : f64
      %360 = arith.ori %191#2, %191#3 : i1
      %361 = strong.gated_mulf %359, %138 : f64
      %362 = arith.mulf %356, %cst_6 : f64
      %363 = arith.mulf %361, %cst_6 : f64
      %364 = arith.select %191#3, %362, %cst : f64
      %365 = agg.extract %arg3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %366 = arith.addf %365, %364 : f64
      %367 = agg.insert %366, %arg3[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
      %368 = arith.select %360, %363, %cst : f64
      %369 = agg.extract %arg2[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %370 = arith.addf %369, %368 : f64
      %371 = agg.insert %370, %arg2[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
      %372:2 = scf.for %arg72 = %c0 to %c2_0 step %c1 iter_args(%arg73 = %371, %arg74 = %367) -> (!t_orders, !t_orders) {
        %373 = arith.subi %c1, %arg72 : index
        %374 = agg.extract %102[%373] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %375 = agg.extract %103[%373] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %376 = agg.extract %104[%373] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %377 = agg.extract %105[%373] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %x_0 = vector.broadcast %374 : f64 to vector<2xf64>
        %x_d_0 = vector.broadcast %375 : f64 to vector<2xf64>
        %y = vector.broadcast %376 : f64 to vector<2xf64>
        %y_d = vector.broadcast %377 : f64 to vector<2xf64>
        %378 = agg.extract %arg74[] {path = array<i64: 1>} : (!t_orders) -> f64
        %379 = agg.extract %arg73[] {path = array<i64: 1>} : (!t_orders) -> f64
        %380 = arith.mulf %378, %cst_8 : f64
        %381 = arith.mulf %379, %cst_8 : f64
        %382 = arith.cmpf une, %381, %cst : f64
        %383 = arith.select %382, %381, %cst : f64
        %384 = arith.cmpf une, %380, %cst : f64
        %385 = arith.select %384, %380, %cst : f64
        %386 = arith.ori %382, %384 : i1
        %387:4 = scf.if %386 -> (vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>) {
          %388 = vector.broadcast %385 : f64 to vector<2xf64>
          %389 = vector.broadcast %383 : f64 to vector<2xf64>
          %390 = strong.gated_mulf %388, %y_d : vector<2xf64>
          %391 = strong.gated_mulf %388, %x_0 : vector<2xf64>
          %392 = strong.gated_mulf %388, %x_d_0 : vector<2xf64>
          %393 = strong.gated_mulf %388, %y : vector<2xf64>
          %394 = strong.gated_mulf %389, %x_0 : vector<2xf64>
          %cst_14 = arith.constant dense<0.0> : vector<2xf64>
          %395 = arith.select %384, %392, %cst_14 : vector<2xf64>
          %396 = arith.select %382, %394, %cst_14 : vector<2xf64>
          %397 = arith.addf %395, %396 : vector<2xf64>
          %398 = strong.gated_mulf %389, %y : vector<2xf64>
          %399 = arith.select %384, %390, %cst_14 : vector<2xf64>
          %400 = arith.select %382, %398, %cst_14 : vector<2xf64>
          %401 = arith.addf %399, %400 : vector<2xf64>
          %402 = arith.select %384, %393, %cst_14 : vector<2xf64>
          %403 = arith.select %384, %391, %cst_14 : vector<2xf64>
          scf.yield %401, %397, %402, %403 : vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>
        } else {
          %cst_15 = arith.constant dense<0.0> : vector<2xf64>
          scf.yield %cst_15, %cst_15, %cst_15, %cst_15 : vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>
        }
        %404 = vector.reduction <add>, %387#3 : vector<2xf64> into f64
        %405 = vector.reduction <add>, %387#1 : vector<2xf64> into f64
        %406 = agg.extract %arg74[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %407 = arith.addf %406, %404 : f64
        %408 = agg.insert %407, %arg74[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
        %409 = agg.extract %arg73[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %410 = arith.addf %409, %405 : f64
        %411 = agg.insert %410, %arg73[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
        %412 = vector.reduction <add>, %387#2 : vector<2xf64> into f64
        %413 = vector.reduction <add>, %387#0 : vector<2xf64> into f64
        %414 = agg.extract %arg74[] {path = array<i64: 0>} : (!t_orders) -> f64
        %415 = arith.addf %414, %412 : f64
        %416 = agg.insert %415, %408[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
        %417 = agg.extract %arg73[] {path = array<i64: 0>} : (!t_orders) -> f64
        %418 = arith.addf %417, %413 : f64
        %419 = agg.insert %418, %411[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
        scf.yield %419, %416 : !t_orders, !t_orders
      }
      scf.yield %372#0, %372#1, %23#1, %23#2, %23#3, %23#4, %23#5 : !t_orders, !t_orders, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_array
    }
    func.return %13#0, %true, %true, %true : !t_orders, i1, i1, i1
  }
  func.func private @__x.fwd(%x: !t_orders, %differential: i32, %transposed: i32, %at: i32, %x_d: !t_orders) -> (!t_orders, !t_orders) attributes {differentiable = "both"} {
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %c-1_i32 = arith.constant -1 : i32
    %wrt00 = arith.constant 0 : i32
    %c1 = arith.constant 1 : index
    %c5_i32 = arith.constant 5 : i32
    %0 = arith.cmpi slt, %transposed, %c5_i32 : i32
    %false = arith.constant false
    %1, %sqrtf, %2 = scf.while (%arg0 = %true, %sqrtf_0 = %transposed, %arg1 = %c0) : (i1, i32, index) -> (i1, i32, index) {
      scf.condition(%arg0) %arg0, %sqrtf_0, %arg1 : i1, i32, index
    } do {
    ^bb0(%arg2: i1, %sqrtf_1: i32, %arg3: index):
      %sqrtf_2 = arith.addi %sqrtf_1, %c-1_i32 : i32
      %3 = arith.cmpi sgt, %sqrtf_2, %wrt00 : i32
      %4 = arith.select %3, %0, %false : i1
      %5 = arith.addi %arg3, %c1 : index
      scf.yield %4, %sqrtf_2, %5 : i1, i32, index
    }
    %6 = agg.global @data : !agg.buffer<f64, "rw">
    %7 = arith.index_cast %at : i32 to index
    %8 = agg.buffer_load %6, %7[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %cst = arith.constant 0.0 : f64
    %9 = agg.zero : !t_jvp
    %10 = agg.make %cst, %8, %9 : (f64, f64, !t_jvp) -> !t_orders
    %c1_0 = arith.constant 1 : index
    %11 = agg.zero : !agg.array<4, index>
    %12 = agg.zero : !t_orders
    %13 = agg.make %x, %12, %12, %12 : (!t_orders, !t_orders, !t_orders, !t_orders) -> !t_array
    %14 = agg.make %x_d, %12, %12, %12 : (!t_orders, !t_orders, !t_orders, !t_orders) -> !t_array
    %wrt00_0 = arith.constant 0 : i32
    %15 = agg.make %transposed, %wrt00_0, %wrt00_0, %wrt00_0 : (i32, i32, i32, i32) -> !agg.array<4, i32>
    %false_0 = arith.constant false
    %c-1 = arith.constant -1 : index
    %16 = arith.addi %2, %c-1 : index
    %c4 = arith.constant 4 : index
    %c2 = arith.constant 2 : index
    %c-1_i32_0 = arith.constant -1 : i32
    %cst_0 = arith.constant 0.25 : f64
    %c2_i32 = arith.constant 2 : i32
    %c5_i32_0 = arith.constant 5 : i32
    %cst_1 = arith.constant 1.7397127693021015 : f64
    %cst_2 = arith.constant 0.5 : f64
    %cst_3 = arith.constant 0.5537200244863067 : f64
    %c3 = arith.constant 3 : index
    %c-1_i32_1 = arith.constant -1 : i32
    %c2_0 = arith.constant 2 : index
    %cst_4 = arith.constant 0.25 : f64
    %c2_i32_0 = arith.constant 2 : i32
    %c5_i32_1 = arith.constant 5 : i32
    %cst_5 = arith.constant 1.7397127693021015 : f64
    %cst_6 = arith.constant 0.5 : f64
    %cst_7 = arith.constant 0.5537200244863067 : f64
    %c3_i32 = arith.constant 3 : i32
    %c0_i64 = arith.constant 0 : i64
    %c1_i32 = arith.constant 1 : i32
    %17 = agg.zero : !t_of00
    %18 = agg.zero : !t_arith
    %19 = agg.zero : !t_arith_Differential
    %c1_i32_0 = arith.constant 1 : i32
    %c3_0 = arith.constant 3 : index
    %c1_i32_1 = arith.constant 1 : i32
    %cst_8 = arith.constant 0.25 : f64
    %cst_9 = arith.constant dense<0.0> : vector<2xf64>
    %20:9 = scf.for %arg4 = %c0 to %2 step %c1_0 iter_args(%arg5 = %10, %arg6 = %c0, %arg7 = %11, %arg8 = %13, %arg9 = %15, %arg10 = %12, %arg11 = %14, %arg12 = %false_0, %arg13 = %true) -> (!t_orders, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, !t_array, i1, i1) {
      %21 = arith.subi %16, %arg4 : index
      %22 = agg.extract %arg7[%arg6] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
      %23 = arith.cmpi sgt, %22, %21 : index
      %24 = arith.addi %arg6, %c-1 : index
      %25 = arith.select %23, %24, %arg6 : index
      %26 = agg.extract %arg7[%25] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
      %27 = agg.extract %arg8[%25] {path = array<i64: -1>} : (!t_array, index) -> !t_orders
      %28 = agg.extract %arg11[%25] {path = array<i64: -1>} : (!t_array, index) -> !t_orders
      %29 = arith.cmpi ult, %25, %c4 : index
      %30 = arith.andi %arg13, %29 : i1
      %31 = agg.extract %arg9[%25] {path = array<i64: -1>} : (!agg.array<4, i32>, index) -> i32
      %32 = vector.broadcast %30 : i1 to vector<2xi1>
      %33:12 = scf.while (%arg14 = %26, %arg15 = %25, %arg16 = %arg7, %arg17 = %arg8, %arg18 = %arg9, %arg19 = %27, %arg20 = %31, %arg21 = %arg11, %arg22 = %28, %arg23 = %arg13, %arg24 = %30, %arg25 = %30) : (index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, i32, !t_array, !t_orders, i1, i1, i1) -> (index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, i32, !t_array, !t_orders, i1, i1, i1) {
        %34 = arith.cmpi slt, %arg14, %21 : index
        scf.condition(%34) %arg14, %arg15, %arg16, %arg17, %arg18, %arg19, %arg20, %arg21, %arg22, %arg23, %arg24, %arg25 : index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, i32, !t_array, !t_orders, i1, i1, i1
      } do {
      ^bb0(%arg26: index, %arg27: index, %arg28: !agg.array<4, index>, %arg29: !t_array, %arg30: !agg.array<4, i32>, %arg31: !t_orders, %arg32: i32, %arg33: !t_array, %arg34: !t_orders, %arg35: i1, %arg36: i1, %arg37: i1):
        %35 = arith.subi %c2, %arg27 : index
        %36 = arith.cmpi sgt, %35, %c0 : index
        %37 = arith.subi %21, %arg26 : index
        %38 = arith.addi %37, %c1_0 : index
        %39 = arith.maxui %35, %c1_0 : index
        %40 = arith.addi %39, %c1_0 : index
        %41:2 = scf.while (%arg38 = %c1_0, %arg39 = %c0) : (index, index) -> (index, index) {
          %42 = arith.cmpi slt, %arg38, %38 : index
          scf.condition(%42) %arg38, %arg39 : index, index
        } do {
        ^bb0(%arg40: index, %arg41: index):
          %43 = arith.addi %arg41, %c1_0 : index
          %44 = arith.addi %40, %43 : index
          %45 = arith.muli %arg40, %44 : index
          %46 = arith.divui %45, %43 : index
          scf.yield %46, %43 : index, index
        }
        %47 = arith.muli %41#0, %40 : index
        %48 = arith.addi %40, %41#1 : index
        %49 = arith.divui %47, %48 : index
        %50 = arith.muli %41#0, %41#1 : index
        %51 = arith.divui %50, %48 : index
        %52 = arith.addi %41#1, %c-1 : index
        %53 = arith.muli %51, %52 : index
        %54 = arith.addi %48, %c-1 : index
        %55 = arith.divui %53, %54 : index
        %56 = arith.maxui %55, %c1_0 : index
        %57 = arith.subi %38, %56 : index
        %58 = arith.minui %49, %57 : index
        %59 = arith.maxui %58, %c1_0 : index
        %60 = arith.subi %38, %59 : index
        %61 = arith.select %36, %60, %37 : index
        %62:5 = scf.for %arg42 = %c0 to %61 step %c1_0 iter_args(%arg43 = %arg31, %arg44 = %arg32, %arg45 = %arg34, %arg46 = %arg36, %arg47 = %arg37) -> (!t_orders, i32, !t_orders, i1, i1) {
          %sqrtf_2_0 = arith.addi %arg44, %c-1_i32_0 : i32
          %63 = vector.broadcast %arg46 : i1 to vector<2xi1>
          %64 = arith.ori %63, %32 : vector<2xi1>
          %65 = vector.reduction <or>, %64 : vector<2xi1> into i1
          %p_3, %p_3_d, %66 = scf.for %arg48 = %c0 to %c2 step %c1_0 iter_args(%p_4 = %arg43, %p_4_d = %arg45, %arg49 = %arg47) -> (!t_orders, !t_orders, i1) {
            %67 = agg.extract %p_4[] {path = array<i64: 0>} : (!t_orders) -> f64
            %68 = agg.extract %p_4_d[] {path = array<i64: 0>} : (!t_orders) -> f64
            %69 = vector.broadcast %67 : f64 to vector<2xf64>
            %70 = vector.broadcast %68 : f64 to vector<2xf64>
            %71 = agg.extract %p_4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %72 = agg.extract %p_4_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %73 = vector.broadcast %71 : f64 to vector<2xf64>
            %74 = vector.broadcast %72 : f64 to vector<2xf64>
            %75 = arith.mulf %69, %73 : vector<2xf64>
            %76 = arith.mulf %70, %73 : vector<2xf64>
            %77 = arith.mulf %74, %69 : vector<2xf64>
            %78 = arith.addf %76, %77 : vector<2xf64>
            %79 = vector.reduction <add>, %75 : vector<2xf64> into f64
            %80 = vector.reduction <add>, %78 : vector<2xf64> into f64
            %81 = arith.mulf %79, %cst_0 : f64
            %82 = arith.mulf %80, %cst_0 : f64
            %83 = agg.extract %p_4[] {path = array<i64: 1>} : (!t_orders) -> f64
            %84 = agg.extract %p_4_d[] {path = array<i64: 1>} : (!t_orders) -> f64
            %85 = arith.addf %83, %81 : f64
            %86 = arith.ori %arg49, %65 : i1
            %87 = arith.addf %84, %82 : f64
            %p_5 = agg.insert %85, %p_4[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
            %p_5_d = agg.insert %87, %p_4_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
            scf.yield %p_5, %p_5_d, %86 : !t_orders, !t_orders, i1
          }
          %88 = arith.andi %sqrtf_2_0, %c2_i32 : i32
          %89 = arith.cmpi ne, %88, %wrt00_0 : i32
          %90 = arith.select %89, %sqrtf_2_0, %transposed : i32
          %91 = arith.cmpi slt, %90, %c5_i32_0 : i32
          %92 = arith.select %91, %transposed, %sqrtf_2_0 : i32
          %93 = agg.extract %p_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
          %94 = agg.extract %p_3_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
          %95 = arith.mulf %93, %cst_2 : f64
          %96 = arith.mulf %94, %cst_2 : f64
          %97 = math.powf %cst_1, %95 : f64
          %98 = arith.mulf %97, %cst_3 : f64
          %99 = arith.mulf %96, %98 : f64
          %100 = arith.select %30, %99, %cst : f64
          %101:3 = func.call @wrt10.gated(%92, %97, %30, %100) : (i32, f64, i1, f64) -> (f64, i1, f64)
          %102 = math.sin %101#0 : f64
          %103 = math.cos %101#0 : f64
          %104 = arith.mulf %101#2, %103 : f64
          %105 = agg.extract %p_3[] {path = array<i64: 0>} : (!t_orders) -> f64
          %106 = agg.extract %p_3_d[] {path = array<i64: 0>} : (!t_orders) -> f64
          %107 = arith.addf %105, %102 : f64
          %108 = arith.ori %arg46, %101#1 : i1
          %109 = arith.addf %106, %104 : f64
          %p_6 = agg.insert %107, %p_3[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
          %p_6_d = agg.insert %109, %p_3_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
          scf.yield %p_6, %sqrtf_2_0, %p_6_d, %108, %66 : !t_orders, i32, !t_orders, i1, i1
        }
        %110 = arith.addi %arg26, %61 : index
        %111 = arith.addi %arg27, %c1_0 : index
        %112 = arith.select %36, %111, %c3 : index
        %113 = arith.select %36, %111, %arg27 : index
        %114 = agg.insert %110, %arg28[%112] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
        %115 = agg.insert %62#0, %arg29[%112] {path = array<i64: -1>} : (!t_orders, !t_array, index) -> !t_array
        %116 = agg.insert %62#2, %arg33[%112] {path = array<i64: -1>} : (!t_orders, !t_array, index) -> !t_array
        %117 = arith.ori %62#3, %62#4 : i1
        %118 = arith.ori %117, %30 : i1
        %119 = arith.ori %arg35, %118 : i1
        %120 = agg.insert %62#1, %arg30[%112] {path = array<i64: -1>} : (i32, !agg.array<4, i32>, index) -> !agg.array<4, i32>
        scf.yield %110, %113, %114, %115, %120, %62#0, %62#1, %116, %62#2, %119, %62#3, %62#4 : index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, i32, !t_array, !t_orders, i1, i1, i1
      }
      %sqrtf_2_1 = arith.addi %33#6, %c-1_i32_1 : i32
      %121 = agg.zero {unread} : !agg.array<2, f64>
      %122 = agg.zero : !agg.array<2, f64>
      %p_3_0, %123, %124, %p_3_d_0, %125, %126, %127, %128 = scf.for %arg50 = %c0 to %c2_0 step %c1_0 iter_args(%p_4_0 = %33#5, %arg51 = %121, %arg52 = %121, %p_4_d_0 = %33#8, %arg53 = %122, %arg54 = %122, %arg55 = %false_0, %arg56 = %false_0) -> (!t_orders, !agg.array<2, f64>, !agg.array<2, f64>, !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, i1, i1) {
        %129 = agg.extract %p_4_0[] {path = array<i64: 0>} : (!t_orders) -> f64
        %130 = agg.extract %p_4_d_0[] {path = array<i64: 0>} : (!t_orders) -> f64
        %131 = vector.broadcast %129 : f64 to vector<2xf64>
        %132 = vector.broadcast %130 : f64 to vector<2xf64>
        %133 = agg.extract %p_4_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %134 = agg.extract %p_4_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %135 = vector.broadcast %133 : f64 to vector<2xf64>
        %136 = vector.broadcast %134 : f64 to vector<2xf64>
        %137 = arith.mulf %131, %135 : vector<2xf64>
        %138 = arith.mulf %132, %135 : vector<2xf64>
        %139 = arith.mulf %136, %131 : vector<2xf64>
        %140 = arith.addf %138, %139 : vector<2xf64>
        %141 = vector.reduction <add>, %137 : vector<2xf64> into f64
        %142 = vector.reduction <add>, %140 : vector<2xf64> into f64
        %143 = arith.mulf %141, %cst_4 : f64
        %144 = arith.mulf %142, %cst_4 : f64
        %145 = agg.extract %p_4_0[] {path = array<i64: 1>} : (!t_orders) -> f64
        %146 = agg.extract %p_4_d_0[] {path = array<i64: 1>} : (!t_orders) -> f64
        %147 = arith.addf %145, %143 : f64
        %148 = arith.addf %146, %144 : f64
        %p_5_0 = agg.insert %147, %p_4_0[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d_0 = agg.insert %148, %p_4_d_0[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %149 = agg.insert %129, %arg51[%arg50] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %150 = agg.insert %130, %arg53[%arg50] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %151 = arith.ori %arg55, %33#10 : i1
        %152 = agg.insert %133, %arg52[%arg50] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %153 = agg.insert %134, %arg54[%arg50] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %154 = arith.ori %arg56, %30 : i1
        scf.yield %p_5_0, %149, %152, %p_5_d_0, %150, %153, %151, %154 : !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, i1, i1
      }
      %155 = arith.andi %sqrtf_2_1, %c2_i32_0 : i32
      %156 = arith.cmpi ne, %155, %wrt00_0 : i32
      %157 = arith.select %156, %sqrtf_2_1, %transposed : i32
      %158 = arith.cmpi slt, %157, %c5_i32_1 : i32
      %cosf = arith.select %158, %transposed, %sqrtf_2_1 : i32
      %159 = agg.extract %p_3_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %160 = agg.extract %p_3_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %161 = arith.mulf %159, %cst_6 : f64
      %162 = arith.mulf %160, %cst_6 : f64
      %x_0 = math.powf %cst_5, %161 : f64
      %163 = arith.mulf %x_0, %cst_7 : f64
      %164 = arith.mulf %162, %163 : f64
      %x_d_0 = arith.select %30, %164, %cst : f64
      %165 = arith.mulf %x_d_0, %cst_7 : f64
      %166 = arith.andi %cosf, %c3_i32 : i32
      %167 = arith.cmpi eq, %166, %wrt00_0 : i32
      %168 = arith.select %167, %30, %false_0 : i1
      %result, %result_d = scf.if %167 -> (!t_arith, !t_arith_Differential) {
        %169 = arith.mulf %x_0, %cst_6 : f64
        %170 = arith.mulf %x_d_0, %cst_6 : f64
        %init = agg.make %169 : (f64) -> !t_super
        %init_d = agg.make %170 : (f64) -> !t_super
        %c1_i32_2 = arith.constant 1 : i32
        %171 = agg.zero : !t_of00
        %result_0 = agg.make %c1_i32_2, %init, %171 : (i32, !t_super, !t_of00) -> !t_arith
        %result_0_d = agg.make %init_d, %171 : (!t_super, !t_of00) -> !t_arith_Differential
        scf.yield %result_0, %result_0_d : !t_arith, !t_arith_Differential
      } else {
        %cst_10 = arith.constant 1.5 : f64
        %172 = arith.mulf %x_0, %cst_10 : f64
        %173 = arith.mulf %x_d_0, %cst_10 : f64
        %init_0 = agg.make %172 : (f64) -> !t_of00
        %init_0_d = agg.make %173 : (f64) -> !t_of00
        %174 = agg.zero : !t_super
        %result_1 = agg.make %c2_i32_0, %174, %init_0 : (i32, !t_super, !t_of00) -> !t_arith
        %result_1_d = agg.make %174, %init_0_d : (!t_super, !t_of00) -> !t_arith_Differential
        scf.yield %result_1, %result_1_d : !t_arith, !t_arith_Differential
      }
      %175 = arith.extsi %166 : i32 to i64
      %176 = arith.maxsi %175, %c0_i64 : i64
      %177 = arith.index_cast %176 : i64 to index
      %init_0_0, %tex, %init_0_d_0, %tex_d, %178, %179 = scf.for %arg57 = %c0 to %177 step %c1_0 iter_args(%init_1 = %result, %tex_0 = %x_0, %init_1_d = %result_d, %tex_0_d = %x_d_0, %arg58 = %168, %arg59 = %30) -> (!t_arith, f64, !t_arith_Differential, f64, i1, i1) {
        %get_0 = arith.index_cast %arg57 : index to i32
        %180 = agg.extract %init_1[] {path = array<i64: 0>} : (!t_arith) -> i32
        %181 = arith.index_cast %180 : i32 to index
        %182:3 = scf.index_switch %181 -> f64, f64, i1
        case 1 {
          %wrt0 = agg.extract %init_1[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
          %wrt0_d = agg.extract %init_1_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          scf.yield %wrt0, %wrt0_d, %arg58 : f64, f64, i1
        }
        case 2 {
          scf.yield %cst, %cst, %false_0 : f64, f64, i1
        }
        default {
          scf.yield %cst, %cst, %false_0 : f64, f64, i1
        }
        %tex_1 = math.sin %182#0 : f64
        %183 = math.cos %182#0 : f64
        %tex_1_d = arith.mulf %182#1, %183 : f64
        %184 = arith.andi %get_0, %c1_i32 : i32
        %185 = arith.cmpi eq, %184, %wrt00_0 : i32
        %init_2, %init_2_d, %186 = scf.if %185 -> (!t_arith, !t_arith_Differential, i1) {
          %187 = arith.addi %cosf, %get_0 : i32
          %188 = arith.andi %187, %c3_i32 : i32
          %189 = arith.cmpi eq, %188, %wrt00_0 : i32
          %190 = arith.select %189, %182#2, %false_0 : i1
          %result_2, %result_d_0 = scf.if %189 -> (!t_arith, !t_arith_Differential) {
            %191 = arith.mulf %tex_1, %cst_6 : f64
            %192 = arith.mulf %tex_1_d, %cst_6 : f64
            %init_3 = agg.make %191 : (f64) -> !t_super
            %init_d_0 = agg.make %192 : (f64) -> !t_super
            %193 = agg.zero : !t_of00
            %result_0_0 = agg.make %c1_i32, %init_3, %193 : (i32, !t_super, !t_of00) -> !t_arith
            %result_0_d_0 = agg.make %init_d_0, %193 : (!t_super, !t_of00) -> !t_arith_Differential
            scf.yield %result_0_0, %result_0_d_0 : !t_arith, !t_arith_Differential
          } else {
            %cst_11 = arith.constant 1.5 : f64
            %194 = arith.mulf %tex_1, %cst_11 : f64
            %195 = arith.mulf %tex_1_d, %cst_11 : f64
            %init_0_1 = agg.make %194 : (f64) -> !t_of00
            %init_0_d_1 = agg.make %195 : (f64) -> !t_of00
            %196 = agg.zero : !t_super
            %result_1_0 = agg.make %c2_i32_0, %196, %init_0_1 : (i32, !t_super, !t_of00) -> !t_arith
            %result_1_d_0 = agg.make %196, %init_0_d_1 : (!t_super, !t_of00) -> !t_arith_Differential
            scf.yield %result_1_0, %result_1_d_0 : !t_arith, !t_arith_Differential
          }
          scf.yield %result_2, %result_d_0, %190 : !t_arith, !t_arith_Differential, i1
        } else {
          scf.yield %init_1, %init_1_d, %arg58 : !t_arith, !t_arith_Differential, i1
        }
        scf.yield %init_2, %tex_1, %init_2_d, %tex_1_d, %186, %182#2 : !t_arith, f64, !t_arith_Differential, f64, i1, i1
      }
      %197 = agg.extract %init_0_0[] {path = array<i64: 0>} : (!t_arith) -> i32
      %198 = arith.index_cast %197 : i32 to index
      %199:3 = scf.index_switch %198 -> f64, f64, i1
      case 1 {
        %wrt0_0 = agg.extract %init_0_0[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
        %wrt0_d_0 = agg.extract %init_0_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        scf.yield %wrt0_0, %wrt0_d_0, %178 : f64, f64, i1
      }
      case 2 {
        scf.yield %cst, %cst, %false_0 : f64, f64, i1
      }
      default {
        scf.yield %cst, %cst, %false_0 : f64, f64, i1
      }
      %200 = arith.mulf %199#0, %cst_6 : f64
      %201 = arith.mulf %199#1, %cst_6 : f64
      %202 = arith.addf %tex, %200 : f64
      %203 = arith.ori %179, %199#2 : i1
      %204 = arith.addf %tex_d, %201 : f64
      %205 = math.cos %202 : f64
      %206 = math.sin %202 : f64
      %207 = arith.negf %206 : f64
      %208 = arith.mulf %204, %207 : f64
      %209 = agg.extract %arg5[] {path = array<i64: 0>} : (!t_orders) -> f64
      %210 = agg.extract %arg10[] {path = array<i64: 0>} : (!t_orders) -> f64
      %211 = strong.gated_mulf %209, %205 : f64
      %212 = strong.gated_mulf %210, %205 : f64
      %213 = arith.select %arg12, %212, %cst : f64
      %214 = strong.gated_mulf %209, %208 : f64
      %215 = arith.select %203, %214, %cst : f64
      %216 = arith.ori %arg12, %203 : i1
      %217 = arith.addf %213, %215 : f64
      %218 = arith.mulf %211, %cst_6 : f64
      %219 = arith.mulf %217, %cst_6 : f64
      %220:3 = scf.index_switch %198 -> !t_super, !t_super, i1
      case 1 {
        %222 = agg.make %218 : (f64) -> !t_super
        %223 = agg.make %219 : (f64) -> !t_super
        scf.yield %222, %223, %216 : !t_super, !t_super, i1
      }
      case 2 {
        %224 = agg.zero : !t_super
        scf.yield %224, %224, %false_0 : !t_super, !t_super, i1
      }
      default {
        %221 = agg.zero : !t_super
        scf.yield %221, %221, %false_0 : !t_super, !t_super, i1
      }
      %225 = agg.make %220#0, %17 : (!t_super, !t_of00) -> !t_arith_Differential
      %226 = agg.make %220#1, %17 : (!t_super, !t_of00) -> !t_arith_Differential
      %227 = arith.addf %211, %cst : f64
      %228 = agg.make %result, %18, %18, %18 : (!t_arith, !t_arith, !t_arith, !t_arith) -> !agg.array<4, !t_arith>
      %229 = agg.make %result_d, %19, %19, %19 : (!t_arith_Differential, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential) -> !t_array_0
      %230 = arith.addi %177, %c-1 : index
      %231:12 = scf.for %arg60 = %c0 to %177 step %c1_0 iter_args(%arg61 = %225, %arg62 = %227, %arg63 = %c0, %arg64 = %11, %arg65 = %228, %arg66 = %226, %arg67 = %217, %arg68 = %229, %arg69 = %220#2, %arg70 = %false_0, %arg71 = %216, %arg72 = %true) -> (!t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith_Differential, f64, !t_array_0, i1, i1, i1, i1) {
        %232 = arith.subi %230, %arg60 : index
        %233 = agg.extract %arg64[%arg63] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
        %234 = arith.cmpi sgt, %233, %232 : index
        %235 = arith.addi %arg63, %c-1 : index
        %236 = arith.select %234, %235, %arg63 : index
        %237 = agg.extract %arg64[%236] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
        %238 = agg.extract %arg65[%236] {path = array<i64: -1>} : (!agg.array<4, !t_arith>, index) -> !t_arith
        %239 = agg.extract %arg68[%236] {path = array<i64: -1>} : (!t_array_0, index) -> !t_arith_Differential
        %240 = arith.cmpi ult, %236, %c4 : index
        %241 = arith.andi %arg72, %240 : i1
        %242:10 = scf.while (%arg73 = %237, %arg74 = %236, %arg75 = %arg64, %arg76 = %arg65, %arg77 = %238, %arg78 = %arg68, %arg79 = %239, %arg80 = %arg72, %arg81 = %241, %arg82 = %241) : (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith, !t_array_0, !t_arith_Differential, i1, i1, i1) -> (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith, !t_array_0, !t_arith_Differential, i1, i1, i1) {
          %243 = arith.cmpi slt, %arg73, %232 : index
          scf.condition(%243) %arg73, %arg74, %arg75, %arg76, %arg77, %arg78, %arg79, %arg80, %arg81, %arg82 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith, !t_array_0, !t_arith_Differential, i1, i1, i1
        } do {
        ^bb0(%arg83: index, %arg84: index, %arg85: !agg.array<4, index>, %arg86: !agg.array<4, !t_arith>, %arg87: !t_arith, %arg88: !t_array_0, %arg89: !t_arith_Differential, %arg90: i1, %arg91: i1, %arg92: i1):
          %244 = arith.subi %c2_0, %arg84 : index
          %245 = arith.cmpi sgt, %244, %c0 : index
          %246 = arith.subi %232, %arg83 : index
          %247 = arith.addi %246, %c1_0 : index
          %248 = arith.maxui %244, %c1_0 : index
          %249 = arith.addi %248, %c1_0 : index
          %250:2 = scf.while (%arg93 = %c1_0, %arg94 = %c0) : (index, index) -> (index, index) {
            %251 = arith.cmpi slt, %arg93, %247 : index
            scf.condition(%251) %arg93, %arg94 : index, index
          } do {
          ^bb0(%arg95: index, %arg96: index):
            %252 = arith.addi %arg96, %c1_0 : index
            %253 = arith.addi %249, %252 : index
            %254 = arith.muli %arg95, %253 : index
            %255 = arith.divui %254, %252 : index
            scf.yield %255, %252 : index, index
          }
          %256 = arith.muli %250#0, %249 : index
          %257 = arith.addi %249, %250#1 : index
          %258 = arith.divui %256, %257 : index
          %259 = arith.muli %250#0, %250#1 : index
          %260 = arith.divui %259, %257 : index
          %261 = arith.addi %250#1, %c-1 : index
          %262 = arith.muli %260, %261 : index
          %263 = arith.addi %257, %c-1 : index
          %264 = arith.divui %262, %263 : index
          %265 = arith.maxui %264, %c1_0 : index
          %266 = arith.subi %247, %265 : index
          %267 = arith.minui %258, %266 : index
          %268 = arith.maxui %267, %c1_0 : index
          %269 = arith.subi %247, %268 : index
          %270 = arith.select %245, %269, %246 : index
          %271:4 = scf.for %arg97 = %c0 to %270 step %c1_0 iter_args(%arg98 = %arg87, %arg99 = %arg89, %arg100 = %arg91, %arg101 = %arg92) -> (!t_arith, !t_arith_Differential, i1, i1) {
            %272 = arith.addi %arg83, %arg97 : index
            %get_0_0 = arith.index_cast %272 : index to i32
            %273 = agg.extract %arg98[] {path = array<i64: 0>} : (!t_arith) -> i32
            %274 = arith.index_cast %273 : i32 to index
            %275:3 = scf.index_switch %274 -> f64, f64, i1
            case 1 {
              %wrt0_1 = agg.extract %arg98[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
              %wrt0_d_1 = agg.extract %arg99[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
              scf.yield %wrt0_1, %wrt0_d_1, %arg100 : f64, f64, i1
            }
            case 2 {
              scf.yield %cst, %cst, %false_0 : f64, f64, i1
            }
            default {
              scf.yield %cst, %cst, %false_0 : f64, f64, i1
            }
            %tex_1_0 = math.sin %275#0 : f64
            %276 = math.cos %275#0 : f64
            %tex_1_d_0 = arith.mulf %275#1, %276 : f64
            %277 = arith.andi %get_0_0, %c1_i32_0 : i32
            %278 = arith.cmpi eq, %277, %wrt00_0 : i32
            %init_2_0, %init_2_d_0, %279, %280 = scf.if %278 -> (!t_arith, !t_arith_Differential, i1, i1) {
              %281 = arith.addi %cosf, %get_0_0 : i32
              %282 = arith.andi %281, %c3_i32 : i32
              %283 = arith.cmpi eq, %282, %wrt00_0 : i32
              %284 = arith.select %283, %275#2, %false_0 : i1
              %285 = arith.select %283, %false_0, %275#2 : i1
              %result_3, %result_d_1 = scf.if %283 -> (!t_arith, !t_arith_Differential) {
                %286 = arith.mulf %tex_1_0, %cst_6 : f64
                %287 = arith.mulf %tex_1_d_0, %cst_6 : f64
                %init_4 = agg.make %286 : (f64) -> !t_super
                %init_d_1 = agg.make %287 : (f64) -> !t_super
                %result_0_1 = agg.make %c1_i32_0, %init_4, %17 : (i32, !t_super, !t_of00) -> !t_arith
                %result_0_d_1 = agg.make %init_d_1, %17 : (!t_super, !t_of00) -> !t_arith_Differential
                scf.yield %result_0_1, %result_0_d_1 : !t_arith, !t_arith_Differential
              } else {
                %cst_12 = arith.constant 1.5 : f64
                %288 = arith.mulf %tex_1_0, %cst_12 : f64
                %289 = arith.mulf %tex_1_d_0, %cst_12 : f64
                %init_0_2 = agg.make %288 : (f64) -> !t_of00
                %init_0_d_2 = agg.make %289 : (f64) -> !t_of00
                %290 = agg.zero : !t_super
                %result_1_1 = agg.make %c2_i32_0, %290, %init_0_2 : (i32, !t_super, !t_of00) -> !t_arith
                %result_1_d_1 = agg.make %290, %init_0_d_2 : (!t_super, !t_of00) -> !t_arith_Differential
                scf.yield %result_1_1, %result_1_d_1 : !t_arith, !t_arith_Differential
              }
              scf.yield %result_3, %result_d_1, %284, %285 : !t_arith, !t_arith_Differential, i1, i1
            } else {
              scf.yield %arg98, %arg99, %arg100, %arg101 : !t_arith, !t_arith_Differential, i1, i1
            }
            scf.yield %init_2_0, %init_2_d_0, %279, %280 : !t_arith, !t_arith_Differential, i1, i1
          }
          %291 = arith.addi %arg83, %270 : index
          %292 = arith.addi %arg84, %c1_0 : index
          %293 = arith.select %245, %292, %c3_0 : index
          %294 = arith.select %245, %292, %arg84 : index
          %295 = agg.insert %291, %arg85[%293] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
          %296 = agg.insert %271#0, %arg86[%293] {path = array<i64: -1>} : (!t_arith, !agg.array<4, !t_arith>, index) -> !agg.array<4, !t_arith>
          %297 = agg.insert %271#1, %arg88[%293] {path = array<i64: -1>} : (!t_arith_Differential, !t_array_0, index) -> !t_array_0
          %298 = arith.ori %271#2, %271#3 : i1
          %299 = arith.ori %arg90, %298 : i1
          scf.yield %291, %294, %295, %296, %271#0, %297, %271#1, %299, %271#2, %271#3 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith, !t_array_0, !t_arith_Differential, i1, i1, i1
        }
        %get_0_1 = arith.index_cast %232 : index to i32
        %300 = agg.extract %242#4[] {path = array<i64: 0>} : (!t_arith) -> i32
        %301 = arith.index_cast %300 : i32 to index
        %302:3 = scf.index_switch %301 -> f64, f64, i1
        case 1 {
          %wrt0_2 = agg.extract %242#4[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
          %wrt0_d_2 = agg.extract %242#6[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          scf.yield %wrt0_2, %wrt0_d_2, %242#8 : f64, f64, i1
        }
        case 2 {
          scf.yield %cst, %cst, %false_0 : f64, f64, i1
        }
        default {
          scf.yield %cst, %cst, %false_0 : f64, f64, i1
        }
        %tex_1_1 = math.sin %302#0 : f64
        %303 = math.cos %302#0 : f64
        %304 = arith.negf %tex_1_1 : f64
        %305 = arith.mulf %302#1, %304 : f64
        %306 = arith.andi %get_0_1, %c1_i32_1 : i32
        %307 = arith.cmpi eq, %306, %wrt00_0 : i32
        %308 = scf.if %307 -> (!t_jvpp_primal_Context) {
          %309 = arith.addi %cosf, %get_0_1 : i32
          %310 = arith.andi %309, %c3_i32 : i32
          %311 = arith.cmpi eq, %310, %wrt00_0 : i32
          %312 = agg.make %311 : (i1) -> !t_jvpp_primal_Context
          scf.yield %312 : !t_jvpp_primal_Context
        } else {
          %313 = agg.zero : !t_jvpp_primal_Context
          scf.yield %313 : !t_jvpp_primal_Context
        }
        %314 = scf.if %307 -> (!t_arith_Differential) {
          scf.yield %19 : !t_arith_Differential
        } else {
          scf.yield %arg66 : !t_arith_Differential
        }
        %315 = arith.select %307, %false_0, %arg69 : i1
        %316 = arith.select %307, %false_0, %arg70 : i1
        %317 = scf.if %307 -> (!t_arith_Differential) {
          scf.yield %19 : !t_arith_Differential
        } else {
          scf.yield %arg61 : !t_arith_Differential
        }
        %318:3 = scf.if %307 -> (f64, f64, i1) {
          %319 = agg.extract %308[] {path = array<i64: 0>} : (!t_jvpp_primal_Context) -> i1
          %320 = arith.select %319, %arg69, %arg70 : i1
          %321:2 = scf.if %319 -> (f64, f64) {
            %322 = agg.extract %arg61[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
            %323 = agg.extract %arg66[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
            %324 = arith.mulf %322, %cst_6 : f64
            %325 = arith.mulf %323, %cst_6 : f64
            scf.yield %324, %325 : f64, f64
          } else {
            %cst_13 = arith.constant 1.5 : f64
            %326 = agg.extract %arg61[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
            %327 = agg.extract %arg66[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
            %328 = arith.mulf %326, %cst_13 : f64
            %329 = arith.mulf %327, %cst_13 : f64
            scf.yield %328, %329 : f64, f64
          }
          %330 = arith.addf %arg62, %321#0 : f64
          %331 = arith.ori %arg71, %320 : i1
          %332 = arith.addf %arg67, %321#1 : f64
          scf.yield %330, %332, %331 : f64, f64, i1
        } else {
          scf.yield %arg62, %arg67, %arg71 : f64, f64, i1
        }
        %333 = strong.gated_mulf %318#0, %303 : f64
        %334 = strong.gated_mulf %318#1, %303 : f64
        %335 = arith.select %318#2, %334, %cst : f64
        %336 = strong.gated_mulf %318#0, %305 : f64
        %337 = arith.select %302#2, %336, %cst : f64
        %338 = arith.ori %318#2, %302#2 : i1
        %339 = arith.addf %335, %337 : f64
        %340:3 = scf.index_switch %301 -> !t_super, !t_super, i1
        case 1 {
          %342 = agg.make %333 : (f64) -> !t_super
          %343 = agg.make %339 : (f64) -> !t_super
          scf.yield %342, %343, %338 : !t_super, !t_super, i1
        }
        case 2 {
          %344 = agg.zero : !t_super
          scf.yield %344, %344, %false_0 : !t_super, !t_super, i1
        }
        default {
          %341 = agg.zero : !t_super
          scf.yield %341, %341, %false_0 : !t_super, !t_super, i1
        }
        %345 = agg.extract %317[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %346 = agg.extract %314[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %347 = agg.extract %340#0[] {path = array<i64: 0>} : (!t_super) -> f64
        %348 = agg.extract %340#1[] {path = array<i64: 0>} : (!t_super) -> f64
        %349 = arith.addf %345, %347 : f64
        %350 = arith.ori %315, %340#2 : i1
        %351 = arith.addf %346, %348 : f64
        %352 = agg.make %349 : (f64) -> !t_super
        %353 = agg.make %351 : (f64) -> !t_super
        %354 = agg.extract %317[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
        %355 = agg.extract %314[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
        %356 = arith.addf %354, %cst : f64
        %357 = arith.addf %355, %cst : f64
        %358 = agg.make %356 : (f64) -> !t_of00
        %359 = agg.make %357 : (f64) -> !t_of00
        %360 = agg.make %352, %358 : (!t_super, !t_of00) -> !t_arith_Differential
        %361 = agg.make %353, %359 : (!t_super, !t_of00) -> !t_arith_Differential
        scf.yield %360, %cst, %242#1, %242#2, %242#3, %361, %cst, %242#5, %350, %316, %false_0, %242#7 : !t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith_Differential, f64, !t_array_0, i1, i1, i1, i1
      }
      %362 = arith.select %167, %231#8, %231#9 : i1
      %363:2 = scf.if %167 -> (f64, f64) {
        %364 = agg.extract %231#0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %365 = agg.extract %231#5[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %366 = arith.mulf %364, %cst_6 : f64
        %367 = arith.mulf %365, %cst_6 : f64
        scf.yield %366, %367 : f64, f64
      } else {
        %cst_14 = arith.constant 1.5 : f64
        %368 = agg.extract %231#0[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
        %369 = agg.extract %231#5[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
        %370 = arith.mulf %368, %cst_14 : f64
        %371 = arith.mulf %369, %cst_14 : f64
        scf.yield %370, %371 : f64, f64
      }
      %372 = arith.addf %231#1, %363#0 : f64
      %373 = arith.ori %231#10, %362 : i1
      %374 = arith.addf %231#6, %363#1 : f64
      %375 = strong.gated_mulf %372, %163 : f64
      %376 = strong.gated_mulf %374, %163 : f64
      %377 = arith.select %373, %376, %cst : f64
      %378 = strong.gated_mulf %372, %165 : f64
      %379 = arith.select %30, %378, %cst : f64
      %380 = arith.addf %377, %379 : f64
      %381 = arith.mulf %375, %cst_6 : f64
      %382 = arith.mulf %380, %cst_6 : f64
      %383 = agg.extract %arg5[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %384 = agg.extract %arg10[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %385 = arith.addf %383, %381 : f64
      %386 = arith.addf %384, %382 : f64
      %387 = agg.insert %385, %arg5[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
      %388 = agg.insert %386, %arg10[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
      %389 = vector.broadcast %127 : i1 to vector<2xi1>
      %390 = vector.broadcast %128 : i1 to vector<2xi1>
      %391 = vector.reduction <or>, %390 : vector<2xi1> into i1
      %392:3 = scf.for %arg102 = %c0 to %c2_0 step %c1_0 iter_args(%arg103 = %387, %arg104 = %388, %arg105 = %arg12) -> (!t_orders, !t_orders, i1) {
        %393 = arith.subi %c1_0, %arg102 : index
        %394 = agg.extract %123[%393] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %395 = agg.extract %125[%393] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %396 = agg.extract %124[%393] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %397 = agg.extract %126[%393] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %x_1 = vector.broadcast %394 : f64 to vector<2xf64>
        %x_d_1 = vector.broadcast %395 : f64 to vector<2xf64>
        %y = vector.broadcast %396 : f64 to vector<2xf64>
        %y_d = vector.broadcast %397 : f64 to vector<2xf64>
        %398 = agg.extract %arg103[] {path = array<i64: 1>} : (!t_orders) -> f64
        %399 = arith.mulf %398, %cst_8 : f64
        %400 = vector.broadcast %399 : f64 to vector<2xf64>
        %401 = strong.gated_mulf %400, %x_1 : vector<2xf64>
        %402 = strong.gated_mulf %400, %x_d_1 : vector<2xf64>
        %403 = arith.select %389, %402, %cst_9 : vector<2xi1>, vector<2xf64>
        %404 = arith.addf %403, %cst_9 : vector<2xf64>
        %405 = strong.gated_mulf %400, %y : vector<2xf64>
        %406 = strong.gated_mulf %400, %y_d : vector<2xf64>
        %407 = arith.select %390, %406, %cst_9 : vector<2xi1>, vector<2xf64>
        %408 = arith.addf %407, %cst_9 : vector<2xf64>
        %409 = vector.reduction <add>, %401 : vector<2xf64> into f64
        %410 = vector.reduction <add>, %404 : vector<2xf64> into f64
        %411 = agg.extract %arg103[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %412 = agg.extract %arg104[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %413 = arith.addf %411, %409 : f64
        %414 = arith.addf %412, %410 : f64
        %415 = agg.insert %413, %arg103[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
        %416 = agg.insert %414, %arg104[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
        %417 = vector.reduction <add>, %405 : vector<2xf64> into f64
        %418 = vector.reduction <add>, %408 : vector<2xf64> into f64
        %419 = agg.extract %arg103[] {path = array<i64: 0>} : (!t_orders) -> f64
        %420 = agg.extract %arg104[] {path = array<i64: 0>} : (!t_orders) -> f64
        %421 = arith.addf %419, %417 : f64
        %422 = arith.ori %arg105, %391 : i1
        %423 = arith.addf %420, %418 : f64
        %424 = agg.insert %421, %415[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
        %425 = agg.insert %423, %416[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
        scf.yield %424, %425, %422 : !t_orders, !t_orders, i1
      }
      scf.yield %392#0, %33#1, %33#2, %33#3, %33#4, %392#1, %33#7, %392#2, %33#9 : !t_orders, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, !t_array, i1, i1
    }
    func.return %20#0, %20#5 : !t_orders, !t_orders
  }
  func.func private @"bwd_diff(stage).wrt10000.gated"(%arg0: !DifferentialPair_orders_, %arg1: i32, %transposed: i32, %at: i32, %arg2: f64, %arg3: i1, %arg4: i1, %arg5: i1, %arg6: i1, %arg7: i1, %arg8: i1, %arg9: !DifferentialPair_orders_) -> (!DifferentialPair_orders_, i1, i1, i1, i1, i1, i1, !DifferentialPair_orders_) attributes {ad.gated, differentiable = "both"} {
    %p = agg.extract %arg0[] {path = array<i64: 0>} : (!DifferentialPair_orders_) -> !t_orders
    %p_d = agg.extract %arg9[] {path = array<i64: 0>} : (!DifferentialPair_orders_) -> !t_orders
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %c-1_i32 = arith.constant -1 : i32
    %wrt00 = arith.constant 0 : i32
    %c1 = arith.constant 1 : index
    %c5_i32 = arith.constant 5 : i32
    %0 = arith.cmpi slt, %transposed, %c5_i32 : i32
    %false = arith.constant false
    %1, %sqrtf, %2 = scf.while (%arg10 = %true, %sqrtf_0 = %transposed, %arg11 = %c0) : (i1, i32, index) -> (i1, i32, index) {
      scf.condition(%arg10) %arg10, %sqrtf_0, %arg11 : i1, i32, index
    } do {
    ^bb0(%arg12: i1, %sqrtf_1: i32, %arg13: index):
      %sqrtf_2 = arith.addi %sqrtf_1, %c-1_i32 : i32
      %3 = arith.cmpi sgt, %sqrtf_2, %wrt00 : i32
      %4 = arith.select %3, %0, %false : i1
      %5 = arith.addi %arg13, %c1 : index
      scf.yield %4, %sqrtf_2, %5 : i1, i32, index
    }
    %6 = agg.global @data : !agg.buffer<f64, "rw">
    %7 = arith.index_cast %at : i32 to index
    %8 = agg.buffer_load %6, %7[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %9 = arith.mulf %arg2, %8 : f64
    %cst = arith.constant 0.0 : f64
    %10 = agg.zero : !t_jvp
    %11 = agg.make %cst, %9, %10 : (f64, f64, !t_jvp) -> !t_orders
    %c1_0 = arith.constant 1 : index
    %12 = agg.zero : !agg.array<4, index>
    %13 = agg.zero : !t_orders
    %14 = agg.make %p, %13, %13, %13 : (!t_orders, !t_orders, !t_orders, !t_orders) -> !t_array
    %15 = agg.make %p_d, %13, %13, %13 : (!t_orders, !t_orders, !t_orders, !t_orders) -> !t_array
    %wrt00_0 = arith.constant 0 : i32
    %16 = agg.make %transposed, %wrt00_0, %wrt00_0, %wrt00_0 : (i32, i32, i32, i32) -> !agg.array<4, i32>
    %false_0 = arith.constant false
    %c-1 = arith.constant -1 : index
    %17 = arith.addi %2, %c-1 : index
    %c4 = arith.constant 4 : index
    %c2 = arith.constant 2 : index
    %c-1_i32_0 = arith.constant -1 : i32
    %cst_0 = arith.constant 0.25 : f64
    %c2_i32 = arith.constant 2 : i32
    %c5_i32_0 = arith.constant 5 : i32
    %cst_1 = arith.constant 1.7397127693021015 : f64
    %cst_2 = arith.constant 0.5 : f64
    %cst_3 = arith.constant 0.5537200244863067 : f64
    %c3 = arith.constant 3 : index
    %c-1_i32_1 = arith.constant -1 : i32
    %c2_0 = arith.constant 2 : index
    %cst_4 = arith.constant 0.25 : f64
    %c2_i32_0 = arith.constant 2 : i32
    %c5_i32_1 = arith.constant 5 : i32
    %cst_5 = arith.constant 1.7397127693021015 : f64
    %cst_6 = arith.constant 0.5 : f64
    %cst_7 = arith.constant 0.5537200244863067 : f64
    %c3_i32 = arith.constant 3 : i32
    %c0_i64 = arith.constant 0 : i64
    %c1_i32 = arith.constant 1 : i32
    %18 = agg.zero : !t_of00
    %19 = agg.zero : !t_arith
    %20 = agg.zero : !t_arith_Differential
    %c1_i32_0 = arith.constant 1 : i32
    %c3_0 = arith.constant 3 : index
    %c1_i32_1 = arith.constant 1 : i32
    %cst_8 = arith.constant 0.25 : f64
    %cst_9 = arith.constant dense<0.0> : vector<2xf64>
    %21:10 = scf.for %arg14 = %c0 to %2 step %c1_0 iter_args(%arg15 = %11, %arg16 = %c0, %arg17 = %12, %arg18 = %14, %arg19 = %16, %arg20 = %13, %arg21 = %15, %arg22 = %false_0, %arg23 = %false_0, %arg24 = %true) -> (!t_orders, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, !t_array, i1, i1, i1) {
      %22 = arith.subi %17, %arg14 : index
      %23 = agg.extract %arg17[%arg16] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
      %24 = arith.cmpi sgt, %23, %22 : index
      %25 = arith.addi %arg16, %c-1 : index
      %26 = arith.select %24, %25, %arg16 : index
      %27 = agg.extract %arg17[%26] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
      %28 = agg.extract %arg18[%26] {path = array<i64: -1>} : (!t_array, index) -> !t_orders
      %29 = agg.extract %arg21[%26] {path = array<i64: -1>} : (!t_array, index) -> !t_orders
      %30 = arith.cmpi ult, %26, %c4 : index
      %31 = arith.andi %arg24, %30 : i1
      %32 = agg.extract %arg19[%26] {path = array<i64: -1>} : (!agg.array<4, i32>, index) -> i32
      %33 = vector.broadcast %31 : i1 to vector<2xi1>
      %34:12 = scf.while (%arg25 = %27, %arg26 = %26, %arg27 = %arg17, %arg28 = %arg18, %arg29 = %arg19, %arg30 = %28, %arg31 = %32, %arg32 = %arg21, %arg33 = %29, %arg34 = %arg24, %arg35 = %31, %arg36 = %31) : (index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, i32, !t_array, !t_orders, i1, i1, i1) -> (index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, i32, !t_array, !t_orders, i1, i1, i1) {
        %35 = arith.cmpi slt, %arg25, %22 : index
        scf.condition(%35) %arg25, %arg26, %arg27, %arg28, %arg29, %arg30, %arg31, %arg32, %arg33, %arg34, %arg35, %arg36 : index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, i32, !t_array, !t_orders, i1, i1, i1
      } do {
      ^bb0(%arg37: index, %arg38: index, %arg39: !agg.array<4, index>, %arg40: !t_array, %arg41: !agg.array<4, i32>, %arg42: !t_orders, %arg43: i32, %arg44: !t_array, %arg45: !t_orders, %arg46: i1, %arg47: i1, %arg48: i1):
        %36 = arith.subi %c2, %arg38 : index
        %37 = arith.cmpi sgt, %36, %c0 : index
        %38 = arith.subi %22, %arg37 : index
        %39 = arith.addi %38, %c1_0 : index
        %40 = arith.maxui %36, %c1_0 : index
        %41 = arith.addi %40, %c1_0 : index
        %42:2 = scf.while (%arg49 = %c1_0, %arg50 = %c0) : (index, index) -> (index, index) {
          %43 = arith.cmpi slt, %arg49, %39 : index
          scf.condition(%43) %arg49, %arg50 : index, index
        } do {
        ^bb0(%arg51: index, %arg52: index):
          %44 = arith.addi %arg52, %c1_0 : index
          %45 = arith.addi %41, %44 : index
          %46 = arith.muli %arg51, %45 : index
          %47 = arith.divui %46, %44 : index
          scf.yield %47, %44 : index, index
        }
        %48 = arith.muli %42#0, %41 : index
        %49 = arith.addi %41, %42#1 : index
        %50 = arith.divui %48, %49 : index
        %51 = arith.muli %42#0, %42#1 : index
        %52 = arith.divui %51, %49 : index
        %53 = arith.addi %42#1, %c-1 : index
        %54 = arith.muli %52, %53 : index
        %55 = arith.addi %49, %c-1 : index
        %56 = arith.divui %54, %55 : index
        %57 = arith.maxui %56, %c1_0 : index
        %58 = arith.subi %39, %57 : index
        %59 = arith.minui %50, %58 : index
        %60 = arith.maxui %59, %c1_0 : index
        %61 = arith.subi %39, %60 : index
        %62 = arith.select %37, %61, %38 : index
        %63:5 = scf.for %arg53 = %c0 to %62 step %c1_0 iter_args(%arg54 = %arg42, %arg55 = %arg43, %arg56 = %arg45, %arg57 = %arg47, %arg58 = %arg48) -> (!t_orders, i32, !t_orders, i1, i1) {
          %sqrtf_2_0 = arith.addi %arg55, %c-1_i32_0 : i32
          %64 = vector.broadcast %arg57 : i1 to vector<2xi1>
          %65 = arith.ori %64, %33 : vector<2xi1>
          %66 = vector.reduction <or>, %65 : vector<2xi1> into i1
          %p_3, %p_3_d, %67 = scf.for %arg59 = %c0 to %c2 step %c1_0 iter_args(%p_4 = %arg54, %p_4_d = %arg56, %arg60 = %arg58) -> (!t_orders, !t_orders, i1) {
            %68 = agg.extract %p_4[] {path = array<i64: 0>} : (!t_orders) -> f64
            %69 = agg.extract %p_4_d[] {path = array<i64: 0>} : (!t_orders) -> f64
            %70 = vector.broadcast %68 : f64 to vector<2xf64>
            %71 = vector.broadcast %69 : f64 to vector<2xf64>
            %72 = agg.extract %p_4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %73 = agg.extract %p_4_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %74 = vector.broadcast %72 : f64 to vector<2xf64>
            %75 = vector.broadcast %73 : f64 to vector<2xf64>
            %76 = arith.mulf %70, %74 : vector<2xf64>
            %77 = arith.mulf %71, %74 : vector<2xf64>
            %78 = arith.mulf %75, %70 : vector<2xf64>
            %79 = arith.addf %77, %78 : vector<2xf64>
            %80 = vector.reduction <add>, %76 : vector<2xf64> into f64
            %81 = vector.reduction <add>, %79 : vector<2xf64> into f64
            %82 = arith.mulf %80, %cst_0 : f64
            %83 = arith.mulf %81, %cst_0 : f64
            %84 = agg.extract %p_4[] {path = array<i64: 1>} : (!t_orders) -> f64
            %85 = agg.extract %p_4_d[] {path = array<i64: 1>} : (!t_orders) -> f64
            %86 = arith.addf %84, %82 : f64
            %87 = arith.ori %arg60, %66 : i1
            %88 = arith.addf %85, %83 : f64
            %p_5 = agg.insert %86, %p_4[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
            %p_5_d = agg.insert %88, %p_4_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
            scf.yield %p_5, %p_5_d, %87 : !t_orders, !t_orders, i1
          }
          %89 = arith.andi %sqrtf_2_0, %c2_i32 : i32
          %90 = arith.cmpi ne, %89, %wrt00_0 : i32
          %91 = arith.select %90, %sqrtf_2_0, %transposed : i32
          %92 = arith.cmpi slt, %91, %c5_i32_0 : i32
          %93 = arith.select %92, %transposed, %sqrtf_2_0 : i32
          %94 = agg.extract %p_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
          %95 = agg.extract %p_3_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
          %96 = arith.mulf %94, %cst_2 : f64
          %97 = arith.mulf %95, %cst_2 : f64
          %98 = math.powf %cst_1, %96 : f64
          %99 = arith.mulf %98, %cst_3 : f64
          %100 = arith.mulf %97, %99 : f64
          %101 = arith.select %31, %100, %cst : f64
          %102:3 = func.call @wrt10.gated(%93, %98, %31, %101) : (i32, f64, i1, f64) -> (f64, i1, f64)
          %103 = math.sin %102#0 : f64
          %104 = math.cos %102#0 : f64
          %105 = arith.mulf %102#2, %104 : f64
          %106 = agg.extract %p_3[] {path = array<i64: 0>} : (!t_orders) -> f64
          %107 = agg.extract %p_3_d[] {path = array<i64: 0>} : (!t_orders) -> f64
          %108 = arith.addf %106, %103 : f64
          %109 = arith.ori %arg57, %102#1 : i1
          %110 = arith.addf %107, %105 : f64
          %p_6 = agg.insert %108, %p_3[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
          %p_6_d = agg.insert %110, %p_3_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
          scf.yield %p_6, %sqrtf_2_0, %p_6_d, %109, %67 : !t_orders, i32, !t_orders, i1, i1
        }
        %111 = arith.addi %arg37, %62 : index
        %112 = arith.addi %arg38, %c1_0 : index
        %113 = arith.select %37, %112, %c3 : index
        %114 = arith.select %37, %112, %arg38 : index
        %115 = agg.insert %111, %arg39[%113] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
        %116 = agg.insert %63#0, %arg40[%113] {path = array<i64: -1>} : (!t_orders, !t_array, index) -> !t_array
        %117 = agg.insert %63#2, %arg44[%113] {path = array<i64: -1>} : (!t_orders, !t_array, index) -> !t_array
        %118 = arith.ori %63#3, %63#4 : i1
        %119 = arith.ori %118, %31 : i1
        %120 = arith.ori %arg46, %119 : i1
        %121 = agg.insert %63#1, %arg41[%113] {path = array<i64: -1>} : (i32, !agg.array<4, i32>, index) -> !agg.array<4, i32>
        scf.yield %111, %114, %115, %116, %121, %63#0, %63#1, %117, %63#2, %120, %63#3, %63#4 : index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, i32, !t_array, !t_orders, i1, i1, i1
      }
      %sqrtf_2_1 = arith.addi %34#6, %c-1_i32_1 : i32
      %122 = agg.zero {unread} : !agg.array<2, f64>
      %123 = agg.zero : !agg.array<2, f64>
      %p_3_0, %124, %125, %p_3_d_0, %126, %127, %128, %129 = scf.for %arg61 = %c0 to %c2_0 step %c1_0 iter_args(%p_4_0 = %34#5, %arg62 = %122, %arg63 = %122, %p_4_d_0 = %34#8, %arg64 = %123, %arg65 = %123, %arg66 = %false_0, %arg67 = %false_0) -> (!t_orders, !agg.array<2, f64>, !agg.array<2, f64>, !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, i1, i1) {
        %130 = agg.extract %p_4_0[] {path = array<i64: 0>} : (!t_orders) -> f64
        %131 = agg.extract %p_4_d_0[] {path = array<i64: 0>} : (!t_orders) -> f64
        %132 = vector.broadcast %130 : f64 to vector<2xf64>
        %133 = vector.broadcast %131 : f64 to vector<2xf64>
        %134 = agg.extract %p_4_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %135 = agg.extract %p_4_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %136 = vector.broadcast %134 : f64 to vector<2xf64>
        %137 = vector.broadcast %135 : f64 to vector<2xf64>
        %138 = arith.mulf %132, %136 : vector<2xf64>
        %139 = arith.mulf %133, %136 : vector<2xf64>
        %140 = arith.mulf %137, %132 : vector<2xf64>
        %141 = arith.addf %139, %140 : vector<2xf64>
        %142 = vector.reduction <add>, %138 : vector<2xf64> into f64
        %143 = vector.reduction <add>, %141 : vector<2xf64> into f64
        %144 = arith.mulf %142, %cst_4 : f64
        %145 = arith.mulf %143, %cst_4 : f64
        %146 = agg.extract %p_4_0[] {path = array<i64: 1>} : (!t_orders) -> f64
        %147 = agg.extract %p_4_d_0[] {path = array<i64: 1>} : (!t_orders) -> f64
        %148 = arith.addf %146, %144 : f64
        %149 = arith.addf %147, %145 : f64
        %p_5_0 = agg.insert %148, %p_4_0[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d_0 = agg.insert %149, %p_4_d_0[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %150 = agg.insert %130, %arg62[%arg61] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %151 = agg.insert %131, %arg64[%arg61] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %152 = arith.ori %arg66, %34#10 : i1
        %153 = agg.insert %134, %arg63[%arg61] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %154 = agg.insert %135, %arg65[%arg61] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %155 = arith.ori %arg67, %31 : i1
        scf.yield %p_5_0, %150, %153, %p_5_d_0, %151, %154, %152, %155 : !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, i1, i1
      }
      %156 = arith.andi %sqrtf_2_1, %c2_i32_0 : i32
      %157 = arith.cmpi ne, %156, %wrt00_0 : i32
      %158 = arith.select %157, %sqrtf_2_1, %transposed : i32
      %159 = arith.cmpi slt, %158, %c5_i32_1 : i32
      %cosf = arith.select %159, %transposed, %sqrtf_2_1 : i32
      %160 = agg.extract %p_3_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %161 = agg.extract %p_3_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %162 = arith.mulf %160, %cst_6 : f64
      %163 = arith.mulf %161, %cst_6 : f64
      %x = math.powf %cst_5, %162 : f64
      %164 = arith.mulf %x, %cst_7 : f64
      %165 = arith.mulf %163, %164 : f64
      %x_d = arith.select %31, %165, %cst : f64
      %166 = arith.mulf %x_d, %cst_7 : f64
      %167 = arith.andi %cosf, %c3_i32 : i32
      %168 = arith.cmpi eq, %167, %wrt00_0 : i32
      %169 = arith.select %168, %31, %false_0 : i1
      %result, %result_d = scf.if %168 -> (!t_arith, !t_arith_Differential) {
        %170 = arith.mulf %x, %cst_6 : f64
        %171 = arith.mulf %x_d, %cst_6 : f64
        %init = agg.make %170 : (f64) -> !t_super
        %init_d = agg.make %171 : (f64) -> !t_super
        %c1_i32_2 = arith.constant 1 : i32
        %172 = agg.zero : !t_of00
        %result_0 = agg.make %c1_i32_2, %init, %172 : (i32, !t_super, !t_of00) -> !t_arith
        %result_0_d = agg.make %init_d, %172 : (!t_super, !t_of00) -> !t_arith_Differential
        scf.yield %result_0, %result_0_d : !t_arith, !t_arith_Differential
      } else {
        %cst_10 = arith.constant 1.5 : f64
        %173 = arith.mulf %x, %cst_10 : f64
        %174 = arith.mulf %x_d, %cst_10 : f64
        %init_0 = agg.make %173 : (f64) -> !t_of00
        %init_0_d = agg.make %174 : (f64) -> !t_of00
        %175 = agg.zero : !t_super
        %result_1 = agg.make %c2_i32_0, %175, %init_0 : (i32, !t_super, !t_of00) -> !t_arith
        %result_1_d = agg.make %175, %init_0_d : (!t_super, !t_of00) -> !t_arith_Differential
        scf.yield %result_1, %result_1_d : !t_arith, !t_arith_Differential
      }
      %176 = arith.extsi %167 : i32 to i64
      %177 = arith.maxsi %176, %c0_i64 : i64
      %178 = arith.index_cast %177 : i64 to index
      %init_0_0, %tex, %init_0_d_0, %tex_d, %179, %180 = scf.for %arg68 = %c0 to %178 step %c1_0 iter_args(%init_1 = %result, %tex_0 = %x, %init_1_d = %result_d, %tex_0_d = %x_d, %arg69 = %169, %arg70 = %31) -> (!t_arith, f64, !t_arith_Differential, f64, i1, i1) {
        %get_0 = arith.index_cast %arg68 : index to i32
        %181 = agg.extract %init_1[] {path = array<i64: 0>} : (!t_arith) -> i32
        %182 = arith.index_cast %181 : i32 to index
        %183:3 = scf.index_switch %182 -> f64, f64, i1
        case 1 {
          %wrt0 = agg.extract %init_1[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
          %wrt0_d = agg.extract %init_1_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          scf.yield %wrt0, %wrt0_d, %arg69 : f64, f64, i1
        }
        case 2 {
          scf.yield %cst, %cst, %false_0 : f64, f64, i1
        }
        default {
          scf.yield %cst, %cst, %false_0 : f64, f64, i1
        }
        %tex_1 = math.sin %183#0 : f64
        %184 = math.cos %183#0 : f64
        %tex_1_d = arith.mulf %183#1, %184 : f64
        %185 = arith.andi %get_0, %c1_i32 : i32
        %186 = arith.cmpi eq, %185, %wrt00_0 : i32
        %init_2, %init_2_d, %187 = scf.if %186 -> (!t_arith, !t_arith_Differential, i1) {
          %188 = arith.addi %cosf, %get_0 : i32
          %189 = arith.andi %188, %c3_i32 : i32
          %190 = arith.cmpi eq, %189, %wrt00_0 : i32
          %191 = arith.select %190, %183#2, %false_0 : i1
          %result_2, %result_d_0 = scf.if %190 -> (!t_arith, !t_arith_Differential) {
            %192 = arith.mulf %tex_1, %cst_6 : f64
            %193 = arith.mulf %tex_1_d, %cst_6 : f64
            %init_3 = agg.make %192 : (f64) -> !t_super
            %init_d_0 = agg.make %193 : (f64) -> !t_super
            %194 = agg.zero : !t_of00
            %result_0_0 = agg.make %c1_i32, %init_3, %194 : (i32, !t_super, !t_of00) -> !t_arith
            %result_0_d_0 = agg.make %init_d_0, %194 : (!t_super, !t_of00) -> !t_arith_Differential
            scf.yield %result_0_0, %result_0_d_0 : !t_arith, !t_arith_Differential
          } else {
            %cst_11 = arith.constant 1.5 : f64
            %195 = arith.mulf %tex_1, %cst_11 : f64
            %196 = arith.mulf %tex_1_d, %cst_11 : f64
            %init_0_1 = agg.make %195 : (f64) -> !t_of00
            %init_0_d_1 = agg.make %196 : (f64) -> !t_of00
            %197 = agg.zero : !t_super
            %result_1_0 = agg.make %c2_i32_0, %197, %init_0_1 : (i32, !t_super, !t_of00) -> !t_arith
            %result_1_d_0 = agg.make %197, %init_0_d_1 : (!t_super, !t_of00) -> !t_arith_Differential
            scf.yield %result_1_0, %result_1_d_0 : !t_arith, !t_arith_Differential
          }
          scf.yield %result_2, %result_d_0, %191 : !t_arith, !t_arith_Differential, i1
        } else {
          scf.yield %init_1, %init_1_d, %arg69 : !t_arith, !t_arith_Differential, i1
        }
        scf.yield %init_2, %tex_1, %init_2_d, %tex_1_d, %187, %183#2 : !t_arith, f64, !t_arith_Differential, f64, i1, i1
      }
      %198 = agg.extract %init_0_0[] {path = array<i64: 0>} : (!t_arith) -> i32
      %199 = arith.index_cast %198 : i32 to index
      %200:3 = scf.index_switch %199 -> f64, f64, i1
      case 1 {
        %wrt0_0 = agg.extract %init_0_0[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
        %wrt0_d_0 = agg.extract %init_0_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        scf.yield %wrt0_0, %wrt0_d_0, %179 : f64, f64, i1
      }
      case 2 {
        scf.yield %cst, %cst, %false_0 : f64, f64, i1
      }
      default {
        scf.yield %cst, %cst, %false_0 : f64, f64, i1
      }
      %201 = arith.mulf %200#0, %cst_6 : f64
      %202 = arith.mulf %200#1, %cst_6 : f64
      %203 = arith.addf %tex, %201 : f64
      %204 = arith.ori %180, %200#2 : i1
      %205 = arith.addf %tex_d, %202 : f64
      %206 = math.cos %203 : f64
      %207 = math.sin %203 : f64
      %208 = arith.negf %207 : f64
      %209 = arith.mulf %205, %208 : f64
      %210 = agg.extract %arg15[] {path = array<i64: 0>} : (!t_orders) -> f64
      %211 = agg.extract %arg20[] {path = array<i64: 0>} : (!t_orders) -> f64
      %212 = strong.gated_mulf %210, %206 : f64
      %213 = strong.gated_mulf %211, %206 : f64
      %214 = arith.select %arg22, %213, %cst : f64
      %215 = strong.gated_mulf %210, %209 : f64
      %216 = arith.select %204, %215, %cst : f64
      %217 = arith.ori %arg22, %204 : i1
      %218 = arith.addf %214, %216 : f64
      %219 = arith.mulf %212, %cst_6 : f64
      %220 = arith.mulf %218, %cst_6 : f64
      %221:3 = scf.index_switch %199 -> !t_super, !t_super, i1
      case 1 {
        %223 = agg.make %219 : (f64) -> !t_super
        %224 = agg.make %220 : (f64) -> !t_super
        scf.yield %223, %224, %217 : !t_super, !t_super, i1
      }
      case 2 {
        %225 = agg.zero : !t_super
        scf.yield %225, %225, %false_0 : !t_super, !t_super, i1
      }
      default {
        %222 = agg.zero : !t_super
        scf.yield %222, %222, %false_0 : !t_super, !t_super, i1
      }
      %226 = agg.make %221#0, %18 : (!t_super, !t_of00) -> !t_arith_Differential
      %227 = agg.make %221#1, %18 : (!t_super, !t_of00) -> !t_arith_Differential
      %228 = arith.addf %212, %cst : f64
      %229 = agg.make %result, %19, %19, %19 : (!t_arith, !t_arith, !t_arith, !t_arith) -> !agg.array<4, !t_arith>
      %230 = agg.make %result_d, %20, %20, %20 : (!t_arith_Differential, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential) -> !t_array_0
      %231 = arith.addi %178, %c-1 : index
      %232:12 = scf.for %arg71 = %c0 to %178 step %c1_0 iter_args(%arg72 = %226, %arg73 = %228, %arg74 = %c0, %arg75 = %12, %arg76 = %229, %arg77 = %227, %arg78 = %218, %arg79 = %230, %arg80 = %221#2, %arg81 = %false_0, %arg82 = %217, %arg83 = %true) -> (!t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith_Differential, f64, !t_array_0, i1, i1, i1, i1) {
        %233 = arith.subi %231, %arg71 : index
        %234 = agg.extract %arg75[%arg74] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
        %235 = arith.cmpi sgt, %234, %233 : index
        %236 = arith.addi %arg74, %c-1 : index
        %237 = arith.select %235, %236, %arg74 : index
        %238 = agg.extract %arg75[%237] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
        %239 = agg.extract %arg76[%237] {path = array<i64: -1>} : (!agg.array<4, !t_arith>, index) -> !t_arith
        %240 = agg.extract %arg79[%237] {path = array<i64: -1>} : (!t_array_0, index) -> !t_arith_Differential
        %241 = arith.cmpi ult, %237, %c4 : index
        %242 = arith.andi %arg83, %241 : i1
        %243:10 = scf.while (%arg84 = %238, %arg85 = %237, %arg86 = %arg75, %arg87 = %arg76, %arg88 = %239, %arg89 = %arg79, %arg90 = %240, %arg91 = %arg83, %arg92 = %242, %arg93 = %242) : (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith, !t_array_0, !t_arith_Differential, i1, i1, i1) -> (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith, !t_array_0, !t_arith_Differential, i1, i1, i1) {
          %244 = arith.cmpi slt, %arg84, %233 : index
          scf.condition(%244) %arg84, %arg85, %arg86, %arg87, %arg88, %arg89, %arg90, %arg91, %arg92, %arg93 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith, !t_array_0, !t_arith_Differential, i1, i1, i1
        } do {
        ^bb0(%arg94: index, %arg95: index, %arg96: !agg.array<4, index>, %arg97: !agg.array<4, !t_arith>, %arg98: !t_arith, %arg99: !t_array_0, %arg100: !t_arith_Differential, %arg101: i1, %arg102: i1, %arg103: i1):
          %245 = arith.subi %c2_0, %arg95 : index
          %246 = arith.cmpi sgt, %245, %c0 : index
          %247 = arith.subi %233, %arg94 : index
          %248 = arith.addi %247, %c1_0 : index
          %249 = arith.maxui %245, %c1_0 : index
          %250 = arith.addi %249, %c1_0 : index
          %251:2 = scf.while (%arg104 = %c1_0, %arg105 = %c0) : (index, index) -> (index, index) {
            %252 = arith.cmpi slt, %arg104, %248 : index
            scf.condition(%252) %arg104, %arg105 : index, index
          } do {
          ^bb0(%arg106: index, %arg107: index):
            %253 = arith.addi %arg107, %c1_0 : index
            %254 = arith.addi %250, %253 : index
            %255 = arith.muli %arg106, %254 : index
            %256 = arith.divui %255, %253 : index
            scf.yield %256, %253 : index, index
          }
          %257 = arith.muli %251#0, %250 : index
          %258 = arith.addi %250, %251#1 : index
          %259 = arith.divui %257, %258 : index
          %260 = arith.muli %251#0, %251#1 : index
          %261 = arith.divui %260, %258 : index
          %262 = arith.addi %251#1, %c-1 : index
          %263 = arith.muli %261, %262 : index
          %264 = arith.addi %258, %c-1 : index
          %265 = arith.divui %263, %264 : index
          %266 = arith.maxui %265, %c1_0 : index
          %267 = arith.subi %248, %266 : index
          %268 = arith.minui %259, %267 : index
          %269 = arith.maxui %268, %c1_0 : index
          %270 = arith.subi %248, %269 : index
          %271 = arith.select %246, %270, %247 : index
          %272:4 = scf.for %arg108 = %c0 to %271 step %c1_0 iter_args(%arg109 = %arg98, %arg110 = %arg100, %arg111 = %arg102, %arg112 = %arg103) -> (!t_arith, !t_arith_Differential, i1, i1) {
            %273 = arith.addi %arg94, %arg108 : index
            %get_0_0 = arith.index_cast %273 : index to i32
            %274 = agg.extract %arg109[] {path = array<i64: 0>} : (!t_arith) -> i32
            %275 = arith.index_cast %274 : i32 to index
            %276:3 = scf.index_switch %275 -> f64, f64, i1
            case 1 {
              %wrt0_1 = agg.extract %arg109[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
              %wrt0_d_1 = agg.extract %arg110[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
              scf.yield %wrt0_1, %wrt0_d_1, %arg111 : f64, f64, i1
            }
            case 2 {
              scf.yield %cst, %cst, %false_0 : f64, f64, i1
            }
            default {
              scf.yield %cst, %cst, %false_0 : f64, f64, i1
            }
            %tex_1_0 = math.sin %276#0 : f64
            %277 = math.cos %276#0 : f64
            %tex_1_d_0 = arith.mulf %276#1, %277 : f64
            %278 = arith.andi %get_0_0, %c1_i32_0 : i32
            %279 = arith.cmpi eq, %278, %wrt00_0 : i32
            %init_2_0, %init_2_d_0, %280, %281 = scf.if %279 -> (!t_arith, !t_arith_Differential, i1, i1) {
              %282 = arith.addi %cosf, %get_0_0 : i32
              %283 = arith.andi %282, %c3_i32 : i32
              %284 = arith.cmpi eq, %283, %wrt00_0 : i32
              %285 = arith.select %284, %276#2, %false_0 : i1
              %286 = arith.select %284, %false_0, %276#2 : i1
              %result_3, %result_d_1 = scf.if %284 -> (!t_arith, !t_arith_Differential) {
                %287 = arith.mulf %tex_1_0, %cst_6 : f64
                %288 = arith.mulf %tex_1_d_0, %cst_6 : f64
                %init_4 = agg.make %287 : (f64) -> !t_super
                %init_d_1 = agg.make %288 : (f64) -> !t_super
                %result_0_1 = agg.make %c1_i32_0, %init_4, %18 : (i32, !t_super, !t_of00) -> !t_arith
                %result_0_d_1 = agg.make %init_d_1, %18 : (!t_super, !t_of00) -> !t_arith_Differential
                scf.yield %result_0_1, %result_0_d_1 : !t_arith, !t_arith_Differential
              } else {
                %cst_12 = arith.constant 1.5 : f64
                %289 = arith.mulf %tex_1_0, %cst_12 : f64
                %290 = arith.mulf %tex_1_d_0, %cst_12 : f64
                %init_0_2 = agg.make %289 : (f64) -> !t_of00
                %init_0_d_2 = agg.make %290 : (f64) -> !t_of00
                %291 = agg.zero : !t_super
                %result_1_1 = agg.make %c2_i32_0, %291, %init_0_2 : (i32, !t_super, !t_of00) -> !t_arith
                %result_1_d_1 = agg.make %291, %init_0_d_2 : (!t_super, !t_of00) -> !t_arith_Differential
                scf.yield %result_1_1, %result_1_d_1 : !t_arith, !t_arith_Differential
              }
              scf.yield %result_3, %result_d_1, %285, %286 : !t_arith, !t_arith_Differential, i1, i1
            } else {
              scf.yield %arg109, %arg110, %arg111, %arg112 : !t_arith, !t_arith_Differential, i1, i1
            }
            scf.yield %init_2_0, %init_2_d_0, %280, %281 : !t_arith, !t_arith_Differential, i1, i1
          }
          %292 = arith.addi %arg94, %271 : index
          %293 = arith.addi %arg95, %c1_0 : index
          %294 = arith.select %246, %293, %c3_0 : index
          %295 = arith.select %246, %293, %arg95 : index
          %296 = agg.insert %292, %arg96[%294] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
          %297 = agg.insert %272#0, %arg97[%294] {path = array<i64: -1>} : (!t_arith, !agg.array<4, !t_arith>, index) -> !agg.array<4, !t_arith>
          %298 = agg.insert %272#1, %arg99[%294] {path = array<i64: -1>} : (!t_arith_Differential, !t_array_0, index) -> !t_array_0
          %299 = arith.ori %272#2, %272#3 : i1
          %300 = arith.ori %arg101, %299 : i1
          scf.yield %292, %295, %296, %297, %272#0, %298, %272#1, %300, %272#2, %272#3 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith, !t_array_0, !t_arith_Differential, i1, i1, i1
        }
        %get_0_1 = arith.index_cast %233 : index to i32
        %301 = agg.extract %243#4[] {path = array<i64: 0>} : (!t_arith) -> i32
        %302 = arith.index_cast %301 : i32 to index
        %303:3 = scf.index_switch %302 -> f64, f64, i1
        case 1 {
          %wrt0_2 = agg.extract %243#4[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
          %wrt0_d_2 = agg.extract %243#6[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          scf.yield %wrt0_2, %wrt0_d_2, %243#8 : f64, f64, i1
        }
        case 2 {
          scf.yield %cst, %cst, %false_0 : f64, f64, i1
        }
        default {
          scf.yield %cst, %cst, %false_0 : f64, f64, i1
        }
        %tex_1_1 = math.sin %303#0 : f64
        %304 = math.cos %303#0 : f64
        %305 = arith.negf %tex_1_1 : f64
        %306 = arith.mulf %303#1, %305 : f64
        %307 = arith.andi %get_0_1, %c1_i32_1 : i32
        %308 = arith.cmpi eq, %307, %wrt00_0 : i32
        %309 = scf.if %308 -> (!t_jvpp_primal_Context) {
          %310 = arith.addi %cosf, %get_0_1 : i32
          %311 = arith.andi %310, %c3_i32 : i32
          %312 = arith.cmpi eq, %311, %wrt00_0 : i32
          %313 = agg.make %312 : (i1) -> !t_jvpp_primal_Context
          scf.yield %313 : !t_jvpp_primal_Context
        } else {
          %314 = agg.zero : !t_jvpp_primal_Context
          scf.yield %314 : !t_jvpp_primal_Context
        }
        %315 = scf.if %308 -> (!t_arith_Differential) {
          scf.yield %20 : !t_arith_Differential
        } else {
          scf.yield %arg77 : !t_arith_Differential
        }
        %316 = arith.select %308, %false_0, %arg80 : i1
        %317 = arith.select %308, %false_0, %arg81 : i1
        %318 = scf.if %308 -> (!t_arith_Differential) {
          scf.yield %20 : !t_arith_Differential
        } else {
          scf.yield %arg72 : !t_arith_Differential
        }
        %319:3 = scf.if %308 -> (f64, f64, i1) {
          %320 = agg.extract %309[] {path = array<i64: 0>} : (!t_jvpp_primal_Context) -> i1
          %321 = arith.select %320, %arg80, %arg81 : i1
          %322:2 = scf.if %320 -> (f64, f64) {
            %323 = agg.extract %arg72[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
            %324 = agg.extract %arg77[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
            %325 = arith.mulf %323, %cst_6 : f64
            %326 = arith.mulf %324, %cst_6 : f64
            scf.yield %325, %326 : f64, f64
          } else {
            %cst_13 = arith.constant 1.5 : f64
            %327 = agg.extract %arg72[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
            %328 = agg.extract %arg77[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
            %329 = arith.mulf %327, %cst_13 : f64
            %330 = arith.mulf %328, %cst_13 : f64
            scf.yield %329, %330 : f64, f64
          }
          %331 = arith.addf %arg73, %322#0 : f64
          %332 = arith.ori %arg82, %321 : i1
          %333 = arith.addf %arg78, %322#1 : f64
          scf.yield %331, %333, %332 : f64, f64, i1
        } else {
          scf.yield %arg73, %arg78, %arg82 : f64, f64, i1
        }
        %334 = strong.gated_mulf %319#0, %304 : f64
        %335 = strong.gated_mulf %319#1, %304 : f64
        %336 = arith.select %319#2, %335, %cst : f64
        %337 = strong.gated_mulf %319#0, %306 : f64
        %338 = arith.select %303#2, %337, %cst : f64
        %339 = arith.ori %319#2, %303#2 : i1
        %340 = arith.addf %336, %338 : f64
        %341:3 = scf.index_switch %302 -> !t_super, !t_super, i1
        case 1 {
          %343 = agg.make %334 : (f64) -> !t_super
          %344 = agg.make %340 : (f64) -> !t_super
          scf.yield %343, %344, %339 : !t_super, !t_super, i1
        }
        case 2 {
          %345 = agg.zero : !t_super
          scf.yield %345, %345, %false_0 : !t_super, !t_super, i1
        }
        default {
          %342 = agg.zero : !t_super
          scf.yield %342, %342, %false_0 : !t_super, !t_super, i1
        }
        %346 = agg.extract %318[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %347 = agg.extract %315[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %348 = agg.extract %341#0[] {path = array<i64: 0>} : (!t_super) -> f64
        %349 = agg.extract %341#1[] {path = array<i64: 0>} : (!t_super) -> f64
        %350 = arith.addf %346, %348 : f64
        %351 = arith.ori %316, %341#2 : i1
        %352 = arith.addf %347, %349 : f64
        %353 = agg.make %350 : (f64) -> !t_super
        %354 = agg.make %352 : (f64) -> !t_super
        %355 = agg.extract %318[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
        %356 = agg.extract %315[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
        %357 = arith.addf %355, %cst : f64
        %358 = arith.addf %356, %cst : f64
        %359 = agg.make %357 : (f64) -> !t_of00
        %360 = agg.make %358 : (f64) -> !t_of00
        %361 = agg.make %353, %359 : (!t_super, !t_of00) -> !t_arith_Differential
        %362 = agg.make %354, %360 : (!t_super, !t_of00) -> !t_arith_Differential
        scf.yield %361, %cst, %243#1, %243#2, %243#3, %362, %cst, %243#5, %351, %317, %false_0, %243#7 : !t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith_Differential, f64, !t_array_0, i1, i1, i1, i1
      }
      %363 = arith.select %168, %232#8, %232#9 : i1
      %364:2 = scf.if %168 -> (f64, f64) {
        %365 = agg.extract %232#0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %366 = agg.extract %232#5[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %367 = arith.mulf %365, %cst_6 : f64
        %368 = arith.mulf %366, %cst_6 : f64
        scf.yield %367, %368 : f64, f64
      } else {
        %cst_14 = arith.constant 1.5 : f64
        %369 = agg.extract %232#0[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
        %370 = agg.extract %232#5[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
        %371 = arith.mulf %369, %cst_14 : f64
        %372 = arith.mulf %370, %cst_14 : f64
        scf.yield %371, %372 : f64, f64
      }
      %373 = arith.addf %232#1, %364#0 : f64
      %374 = arith.ori %232#10, %363 : i1
      %375 = arith.addf %232#6, %364#1 : f64
      %376 = strong.gated_mulf %373, %164 : f64
      %377 = strong.gated_mulf %375, %164 : f64
      %378 = arith.select %374, %377, %cst : f64
      %379 = strong.gated_mulf %373, %166 : f64
      %380 = arith.select %31, %379, %cst : f64
      %381 = arith.ori %374, %31 : i1
      %382 = arith.addf %378, %380 : f64
      %383 = arith.mulf %376, %cst_6 : f64
      %384 = arith.mulf %382, %cst_6 : f64
      %385 = agg.extract %arg15[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %386 = agg.extract %arg20[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %387 = arith.addf %385, %383 : f64
      %388 = arith.ori %arg23, %381 : i1
      %389 = arith.addf %386, %384 : f64
      %390 = agg.insert %387, %arg15[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
      %391 = agg.insert %389, %arg20[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
      %392 = vector.broadcast %128 : i1 to vector<2xi1>
      %393 = vector.broadcast %129 : i1 to vector<2xi1>
      %394 = vector.reduction <or>, %392 : vector<2xi1> into i1
      %395 = vector.reduction <or>, %393 : vector<2xi1> into i1
      %396:4 = scf.for %arg113 = %c0 to %c2_0 step %c1_0 iter_args(%arg114 = %390, %arg115 = %391, %arg116 = %arg22, %arg117 = %388) -> (!t_orders, !t_orders, i1, i1) {
        %397 = arith.subi %c1_0, %arg113 : index
        %398 = agg.extract %124[%397] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %399 = agg.extract %126[%397] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %400 = agg.extract %125[%397] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %401 = agg.extract %127[%397] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %x_0 = vector.broadcast %398 : f64 to vector<2xf64>
        %x_d_0 = vector.broadcast %399 : f64 to vector<2xf64>
        %y = vector.broadcast %400 : f64 to vector<2xf64>
        %y_d = vector.broadcast %401 : f64 to vector<2xf64>
        %402 = agg.extract %arg114[] {path = array<i64: 1>} : (!t_orders) -> f64
        %403 = arith.mulf %402, %cst_8 : f64
        %404 = vector.broadcast %403 : f64 to vector<2xf64>
        %405 = strong.gated_mulf %404, %x_0 : vector<2xf64>
        %406 = strong.gated_mulf %404, %x_d_0 : vector<2xf64>
        %407 = arith.select %392, %406, %cst_9 : vector<2xi1>, vector<2xf64>
        %408 = arith.addf %407, %cst_9 : vector<2xf64>
        %409 = strong.gated_mulf %404, %y : vector<2xf64>
        %410 = strong.gated_mulf %404, %y_d : vector<2xf64>
        %411 = arith.select %393, %410, %cst_9 : vector<2xi1>, vector<2xf64>
        %412 = arith.addf %411, %cst_9 : vector<2xf64>
        %413 = vector.reduction <add>, %405 : vector<2xf64> into f64
        %414 = vector.reduction <add>, %408 : vector<2xf64> into f64
        %415 = agg.extract %arg114[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %416 = agg.extract %arg115[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %417 = arith.addf %415, %413 : f64
        %418 = arith.ori %arg117, %394 : i1
        %419 = arith.addf %416, %414 : f64
        %420 = agg.insert %417, %arg114[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
        %421 = agg.insert %419, %arg115[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
        %422 = vector.reduction <add>, %409 : vector<2xf64> into f64
        %423 = vector.reduction <add>, %412 : vector<2xf64> into f64
        %424 = agg.extract %arg114[] {path = array<i64: 0>} : (!t_orders) -> f64
        %425 = agg.extract %arg115[] {path = array<i64: 0>} : (!t_orders) -> f64
        %426 = arith.addf %424, %422 : f64
        %427 = arith.ori %arg116, %395 : i1
        %428 = arith.addf %425, %423 : f64
        %429 = agg.insert %426, %420[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
        %430 = agg.insert %428, %421[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
        scf.yield %429, %430, %427, %418 : !t_orders, !t_orders, i1, i1
      }
      scf.yield %396#0, %34#1, %34#2, %34#3, %34#4, %396#1, %34#7, %396#2, %396#3, %34#9 : !t_orders, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, !t_array, i1, i1, i1
    }
    %431 = agg.make %p, %21#0 : (!t_orders, !t_orders) -> !DifferentialPair_orders_
    %432 = agg.make %p_d, %21#5 : (!t_orders, !t_orders) -> !DifferentialPair_orders_
    func.return %431, %arg3, %arg4, %arg5, %21#7, %false_0, %21#8, %432 : !DifferentialPair_orders_, i1, i1, i1, i1, i1, i1, !DifferentialPair_orders_
  }
  func.func private @stage.primal.of01.gated(%x: !t_orders, %differential: i32, %transposed: i32, %at: i32, %arg0: i1, %arg1: i1, %arg2: i1, %x_d: !t_orders) -> (f64, !t_stage_primal_Context, i1, i1, i1, !t_stage_primal_Context_Differential) attributes {ad.gated, differentiable = "both"} {
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %c-1_i32 = arith.constant -1 : i32
    %wrt00 = arith.constant 0 : i32
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.25 : f64
    %c2_i32 = arith.constant 2 : i32
    %c5_i32 = arith.constant 5 : i32
    %cst_0 = arith.constant 1.7397127693021015 : f64
    %cst_1 = arith.constant 0.5 : f64
    %cst_2 = arith.constant 0.5537200244863067 : f64
    %cst_3 = arith.constant 0.0 : f64
    %0 = arith.cmpi slt, %transposed, %c5_i32 : i32
    %false = arith.constant false
    %1, %p_0, %sqrtf, %2, %p_0_d = scf.while (%arg3 = %true, %p_1 = %x, %sqrtf_0 = %transposed, %arg4 = %c0, %p_1_d = %x_d) : (i1, !t_orders, i32, index, !t_orders) -> (i1, !t_orders, i32, index, !t_orders) {
      scf.condition(%arg3) %arg3, %p_1, %sqrtf_0, %arg4, %p_1_d : i1, !t_orders, i32, index, !t_orders
    } do {
    ^bb0(%arg5: i1, %p_2: !t_orders, %sqrtf_1: i32, %arg6: index, %p_2_d: !t_orders):
      %sqrtf_2 = arith.addi %sqrtf_1, %c-1_i32 : i32
      %p_3, %p_3_d = scf.for %arg7 = %c0 to %c2 step %c1 iter_args(%p_4 = %p_2, %p_4_d = %p_2_d) -> (!t_orders, !t_orders) {
        %3 = agg.extract %p_4[] {path = array<i64: 0>} : (!t_orders) -> f64
        %4 = agg.extract %p_4_d[] {path = array<i64: 0>} : (!t_orders) -> f64
        %5 = vector.broadcast %3 : f64 to vector<2xf64>
        %6 = vector.broadcast %4 : f64 to vector<2xf64>
        %7 = agg.extract %p_4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %8 = agg.extract %p_4_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %9 = vector.broadcast %7 : f64 to vector<2xf64>
        %10 = vector.broadcast %8 : f64 to vector<2xf64>
        %11 = arith.mulf %5, %9 : vector<2xf64>
        %12 = arith.mulf %6, %9 : vector<2xf64>
        %13 = arith.mulf %10, %5 : vector<2xf64>
        %14 = arith.addf %12, %13 : vector<2xf64>
        %15 = vector.reduction <add>, %11 : vector<2xf64> into f64
        %16 = vector.reduction <add>, %14 : vector<2xf64> into f64
        %17 = arith.mulf %15, %cst : f64
        %18 = arith.mulf %16, %cst : f64
        %19 = agg.extract %p_4[] {path = array<i64: 1>} : (!t_orders) -> f64
        %20 = agg.extract %p_4_d[] {path = array<i64: 1>} : (!t_orders) -> f64
        %21 = arith.addf %19, %17 : f64
        %22 = arith.addf %20, %18 : f64
        %p_5 = agg.insert %21, %p_4[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d = agg.insert %22, %p_4_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        scf.yield %p_5, %p_5_d : !t_orders, !t_orders
      }
      %23 = arith.andi %sqrtf_2, %c2_i32 : i32
      %24 = arith.cmpi ne, %23, %wrt00 : i32
      %25 = arith.select %24, %sqrtf_2, %transposed : i32
      %26 = arith.cmpi slt, %25, %c5_i32 : i32
      %27 = arith.select %26, %transposed, %sqrtf_2 : i32
      %28 = agg.extract %p_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %29 = agg.extract %p_3_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %30 = arith.mulf %28, %cst_1 : f64
      %31 = arith.mulf %29, %cst_1 : f64
      %32 = math.powf %cst_0, %30 : f64
      %33 = arith.mulf %32, %cst_2 : f64
      %34 = arith.mulf %31, %33 : f64
      %35 = arith.select %arg2, %34, %cst_3 : f64
      %36:3 = func.call @wrt10.gated(%27, %32, %arg2, %35) : (i32, f64, i1, f64) -> (f64, i1, f64)
      %37 = math.sin %36#0 : f64
      %38 = math.cos %36#0 : f64
      %39 = arith.mulf %36#2, %38 : f64
      %40 = agg.extract %p_3[] {path = array<i64: 0>} : (!t_orders) -> f64
      %41 = agg.extract %p_3_d[] {path = array<i64: 0>} : (!t_orders) -> f64
      %42 = arith.addf %40, %37 : f64
      %43 = arith.addf %41, %39 : f64
      %p_6 = agg.insert %42, %p_3[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %p_6_d = agg.insert %43, %p_3_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %44 = arith.cmpi sgt, %sqrtf_2, %wrt00 : i32
      %45 = arith.select %44, %0, %false : i1
      %46 = arith.addi %arg6, %c1 : index
      scf.yield %45, %p_6, %sqrtf_2, %46, %p_6_d : i1, !t_orders, i32, index, !t_orders
    }
    %47 = agg.extract %p_0[] {path = array<i64: 1>} : (!t_orders) -> f64
    %48 = agg.make %x, %transposed, %2 : (!t_orders, i32, index) -> !t_math_primal_Context
    %49 = agg.make %x_d : (!t_orders) -> !t_math_primal_Context_Differential
    %50 = agg.global @data : !agg.buffer<f64, "rw">
    %51 = arith.index_cast %at : i32 to index
    %52 = agg.buffer_load %50, %51[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %53 = arith.mulf %52, %47 : f64
    %54 = agg.make %at, %48 : (i32, !t_math_primal_Context) -> !t_stage_primal_Context
    %55 = agg.make %49 : (!t_math_primal_Context_Differential) -> !t_stage_primal_Context_Differential
    func.return %53, %54, %arg0, %arg1, %arg2, %55 : f64, !t_stage_primal_Context, i1, i1, i1, !t_stage_primal_Context_Differential
  }
  func.func private @math.primal.gated(%p: !t_orders, %differential: i32, %transposed: i32, %arg0: i1, %arg1: i1, %arg2: i1, %p_d: !t_orders) -> (!t_threadIdx, !t_math_primal_Context, i1, i1, i1, i1, !t_threadIdx, !t_math_primal_Context_Differential) attributes {ad.gated, differentiable = "both"} {
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %c-1_i32 = arith.constant -1 : i32
    %wrt00 = arith.constant 0 : i32
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.25 : f64
    %0 = vector.broadcast %arg2 : i1 to vector<2xi1>
    %c2_i32 = arith.constant 2 : i32
    %c5_i32 = arith.constant 5 : i32
    %cst_0 = arith.constant 1.7397127693021015 : f64
    %cst_1 = arith.constant 0.5 : f64
    %cst_2 = arith.constant 0.5537200244863067 : f64
    %cst_3 = arith.constant 0.0 : f64
    %1 = arith.cmpi slt, %transposed, %c5_i32 : i32
    %false = arith.constant false
    %2, %p_0, %sqrtf, %3, %p_0_d, %4, %5 = scf.while (%arg3 = %true, %p_1 = %p, %sqrtf_0 = %transposed, %arg4 = %c0, %p_1_d = %p_d, %arg5 = %arg0, %arg6 = %arg1) : (i1, !t_orders, i32, index, !t_orders, i1, i1) -> (i1, !t_orders, i32, index, !t_orders, i1, i1) {
      scf.condition(%arg3) %arg3, %p_1, %sqrtf_0, %arg4, %p_1_d, %arg5, %arg6 : i1, !t_orders, i32, index, !t_orders, i1, i1
    } do {
    ^bb0(%arg7: i1, %p_2: !t_orders, %sqrtf_1: i32, %arg8: index, %p_2_d: !t_orders, %arg9: i1, %arg10: i1):
      %sqrtf_2 = arith.addi %sqrtf_1, %c-1_i32 : i32
      %6 = vector.broadcast %arg9 : i1 to vector<2xi1>
      %7 = arith.ori %6, %0 : vector<2xi1>
      %8 = vector.reduction <or>, %7 : vector<2xi1> into i1
      %p_3, %p_3_d, %9 = scf.for %arg11 = %c0 to %c2 step %c1 iter_args(%p_4 = %p_2, %p_4_d = %p_2_d, %arg12 = %arg10) -> (!t_orders, !t_orders, i1) {
        %10 = agg.extract %p_4[] {path = array<i64: 0>} : (!t_orders) -> f64
        %11 = agg.extract %p_4_d[] {path = array<i64: 0>} : (!t_orders) -> f64
        %12 = vector.broadcast %10 : f64 to vector<2xf64>
        %13 = vector.broadcast %11 : f64 to vector<2xf64>
        %14 = agg.extract %p_4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %15 = agg.extract %p_4_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %16 = vector.broadcast %14 : f64 to vector<2xf64>
        %17 = vector.broadcast %15 : f64 to vector<2xf64>
        %18 = arith.mulf %12, %16 : vector<2xf64>
        %19 = arith.mulf %13, %16 : vector<2xf64>
        %20 = arith.mulf %17, %12 : vector<2xf64>
        %21 = arith.addf %19, %20 : vector<2xf64>
        %22 = vector.reduction <add>, %18 : vector<2xf64> into f64
        %23 = vector.reduction <add>, %21 : vector<2xf64> into f64
        %24 = arith.mulf %22, %cst : f64
        %25 = arith.mulf %23, %cst : f64
        %26 = agg.extract %p_4[] {path = array<i64: 1>} : (!t_orders) -> f64
        %27 = agg.extract %p_4_d[] {path = array<i64: 1>} : (!t_orders) -> f64
        %28 = arith.addf %26, %24 : f64
        %29 = arith.ori %arg12, %8 : i1
        %30 = arith.addf %27, %25 : f64
        %p_5 = agg.insert %28, %p_4[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d = agg.insert %30, %p_4_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        scf.yield %p_5, %p_5_d, %29 : !t_orders, !t_orders, i1
      }
      %31 = arith.andi %sqrtf_2, %c2_i32 : i32
      %32 = arith.cmpi ne, %31, %wrt00 : i32
      %33 = arith.select %32, %sqrtf_2, %transposed : i32
      %34 = arith.cmpi slt, %33, %c5_i32 : i32
      %35 = arith.select %34, %transposed, %sqrtf_2 : i32
      %36 = agg.extract %p_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %37 = agg.extract %p_3_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %38 = arith.mulf %36, %cst_1 : f64
      %39 = arith.mulf %37, %cst_1 : f64
      %40 = math.powf %cst_0, %38 : f64
      %41 = arith.mulf %40, %cst_2 : f64
      %42 = arith.mulf %39, %41 : f64
      %43 = arith.select %arg2, %42, %cst_3 : f64
      %44:3 = func.call @wrt10.gated(%35, %40, %arg2, %43) : (i32, f64, i1, f64) -> (f64, i1, f64)
      %45 = math.sin %44#0 : f64
      %46 = math.cos %44#0 : f64
      %47 = arith.mulf %44#2, %46 : f64
      %48 = agg.extract %p_3[] {path = array<i64: 0>} : (!t_orders) -> f64
      %49 = agg.extract %p_3_d[] {path = array<i64: 0>} : (!t_orders) -> f64
      %50 = arith.addf %48, %45 : f64
      %51 = arith.ori %arg9, %44#1 : i1
      %52 = arith.addf %49, %47 : f64
      %p_6 = agg.insert %50, %p_3[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %p_6_d = agg.insert %52, %p_3_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %53 = arith.cmpi sgt, %sqrtf_2, %wrt00 : i32
      %54 = arith.select %53, %1, %false : i1
      %55 = arith.addi %arg8, %c1 : index
      scf.yield %54, %p_6, %sqrtf_2, %55, %p_6_d, %51, %9 : i1, !t_orders, i32, index, !t_orders, i1, i1
    }
    %56 = agg.extract %p_0[] {path = array<i64: 1>} : (!t_orders) -> f64
    %57 = agg.extract %p_0_d[] {path = array<i64: 1>} : (!t_orders) -> f64
    %vprintf = agg.make %56 : (f64) -> !t_threadIdx
    %vprintf_d = agg.make %57 : (f64) -> !t_threadIdx
    %58 = agg.make %p, %transposed, %3 : (!t_orders, i32, index) -> !t_math_primal_Context
    %59 = agg.make %p_d : (!t_orders) -> !t_math_primal_Context_Differential
    func.return %vprintf, %58, %5, %arg0, %arg1, %arg2, %vprintf_d, %59 : !t_threadIdx, !t_math_primal_Context, i1, i1, i1, i1, !t_threadIdx, !t_math_primal_Context_Differential
  }
  func.func private @dot.double.2.gated(%x: vector<2xf64>, %y: vector<2xf64>, %arg0: vector<2xi1>, %arg1: vector<2xi1>, %x_d: vector<2xf64>, %y_d: vector<2xf64>) -> (f64, i1, f64) attributes {ad.gated, differentiable = "both"} {
    %0 = arith.mulf %x, %y : vector<2xf64>
    %1 = arith.mulf %x_d, %y : vector<2xf64>
    %2 = arith.mulf %y_d, %x : vector<2xf64>
    %3 = arith.ori %arg0, %arg1 : vector<2xi1>
    %4 = arith.addf %1, %2 : vector<2xf64>
    %5 = vector.reduction <add>, %0 : vector<2xf64> into f64
    %6 = vector.reduction <add>, %4 : vector<2xf64> into f64
    %7 = vector.reduction <or>, %3 : vector<2xi1> into i1
    func.return %5, %7, %6 : f64, i1, f64
  }
  func.func private @wrt10.gated(%cosf: i32, %x: f64, %arg0: i1, %x_d: f64) -> (f64, i1, f64) attributes {ad.gated, differentiable = "both"} {
    %c3_i32 = arith.constant 3 : i32
    %0 = arith.andi %cosf, %c3_i32 : i32
    %get = arith.constant 0 : i32
    %1 = arith.cmpi eq, %0, %get : i32
    %false = arith.constant false
    %2 = arith.select %1, %arg0, %false : i1
    %result, %result_d = scf.if %1 -> (!t_arith, !t_arith_Differential) {
      %cst = arith.constant 0.5 : f64
      %3 = arith.mulf %x, %cst : f64
      %4 = arith.mulf %x_d, %cst : f64
      %init = agg.make %3 : (f64) -> !t_super
      %init_d = agg.make %4 : (f64) -> !t_super
      %c1_i32 = arith.constant 1 : i32
      %5 = agg.zero : !t_of00
      %result_0 = agg.make %c1_i32, %init, %5 : (i32, !t_super, !t_of00) -> !t_arith
      %result_0_d = agg.make %init_d, %5 : (!t_super, !t_of00) -> !t_arith_Differential
      scf.yield %result_0, %result_0_d : !t_arith, !t_arith_Differential
    } else {
      %cst_0 = arith.constant 1.5 : f64
      %6 = arith.mulf %x, %cst_0 : f64
      %7 = arith.mulf %x_d, %cst_0 : f64
      %init_0 = agg.make %6 : (f64) -> !t_of00
      %init_0_d = agg.make %7 : (f64) -> !t_of00
      %c2_i32 = arith.constant 2 : i32
      %8 = agg.zero : !t_super
      %result_1 = agg.make %c2_i32, %8, %init_0 : (i32, !t_super, !t_of00) -> !t_arith
      %result_1_d = agg.make %8, %init_0_d : (!t_super, !t_of00) -> !t_arith_Differential
      scf.yield %result_1, %result_1_d : !t_arith, !t_arith_Differential
    }
    %c0_i64 = arith.constant 0 : i64
    %9 = arith.extsi %0 : i32 to i64
    %10 = arith.maxsi %9, %c0_i64 : i64
    %11 = arith.index_cast %10 : i64 to index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst_1 = arith.constant 0.0 : f64
    %c1_i32_0 = arith.constant 1 : i32
    %init_0_0, %tex, %init_0_d_0, %tex_d, %12, %13 = scf.for %arg1 = %c0 to %11 step %c1 iter_args(%init_1 = %result, %tex_0 = %x, %init_1_d = %result_d, %tex_0_d = %x_d, %arg2 = %2, %arg3 = %arg0) -> (!t_arith, f64, !t_arith_Differential, f64, i1, i1) {
      %get_0 = arith.index_cast %arg1 : index to i32
      %14 = agg.extract %init_1[] {path = array<i64: 0>} : (!t_arith) -> i32
      %15 = arith.index_cast %14 : i32 to index
      %16:3 = scf.index_switch %15 -> f64, f64, i1
      case 1 {
        %wrt0 = agg.extract %init_1[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
        %wrt0_d = agg.extract %init_1_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        scf.yield %wrt0, %wrt0_d, %arg2 : f64, f64, i1
      }
      case 2 {
        scf.yield %cst_1, %cst_1, %false : f64, f64, i1
      }
      default {
        scf.yield %cst_1, %cst_1, %false : f64, f64, i1
      }
      %tex_1 = math.sin %16#0 : f64
      %17 = math.cos %16#0 : f64
      %tex_1_d = arith.mulf %16#1, %17 : f64
      %18 = arith.andi %get_0, %c1_i32_0 : i32
      %19 = arith.cmpi eq, %18, %get : i32
      %init_2, %init_2_d, %20 = scf.if %19 -> (!t_arith, !t_arith_Differential, i1) {
        %21 = arith.addi %cosf, %get_0 : i32
        %22 = arith.andi %21, %c3_i32 : i32
        %23 = arith.cmpi eq, %22, %get : i32
        %24 = arith.select %23, %16#2, %false : i1
        %result_2, %result_d_0 = scf.if %23 -> (!t_arith, !t_arith_Differential) {
          %cst_2 = arith.constant 0.5 : f64
          %25 = arith.mulf %tex_1, %cst_2 : f64
          %26 = arith.mulf %tex_1_d, %cst_2 : f64
          %init_3 = agg.make %25 : (f64) -> !t_super
          %init_d_0 = agg.make %26 : (f64) -> !t_super
          %27 = agg.zero : !t_of00
          %result_0_0 = agg.make %c1_i32_0, %init_3, %27 : (i32, !t_super, !t_of00) -> !t_arith
          %result_0_d_0 = agg.make %init_d_0, %27 : (!t_super, !t_of00) -> !t_arith_Differential
          scf.yield %result_0_0, %result_0_d_0 : !t_arith, !t_arith_Differential
        } else {
          %cst_3 = arith.constant 1.5 : f64
          %28 = arith.mulf %tex_1, %cst_3 : f64
          %29 = arith.mulf %tex_1_d, %cst_3 : f64
          %init_0_1 = agg.make %28 : (f64) -> !t_of00
          %init_0_d_1 = agg.make %29 : (f64) -> !t_of00
          %c2_i32_0 = arith.constant 2 : i32
          %30 = agg.zero : !t_super
          %result_1_0 = agg.make %c2_i32_0, %30, %init_0_1 : (i32, !t_super, !t_of00) -> !t_arith
          %result_1_d_0 = agg.make %30, %init_0_d_1 : (!t_super, !t_of00) -> !t_arith_Differential
          scf.yield %result_1_0, %result_1_d_0 : !t_arith, !t_arith_Differential
        }
        scf.yield %result_2, %result_d_0, %24 : !t_arith, !t_arith_Differential, i1
      } else {
        scf.yield %init_1, %init_1_d, %arg2 : !t_arith, !t_arith_Differential, i1
      }
      scf.yield %init_2, %tex_1, %init_2_d, %tex_1_d, %20, %16#2 : !t_arith, f64, !t_arith_Differential, f64, i1, i1
    }
    %cst_4 = arith.constant 0.5 : f64
    %cst_5 = arith.constant 0.0 : f64
    %31 = agg.extract %init_0_0[] {path = array<i64: 0>} : (!t_arith) -> i32
    %32 = arith.index_cast %31 : i32 to index
    %33:3 = scf.index_switch %32 -> f64, f64, i1
    case 1 {
      %wrt0_0 = agg.extract %init_0_0[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
      %wrt0_d_0 = agg.extract %init_0_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
      scf.yield %wrt0_0, %wrt0_d_0, %12 : f64, f64, i1
    }
    case 2 {
      scf.yield %cst_5, %cst_5, %false : f64, f64, i1
    }
    default {
      scf.yield %cst_5, %cst_5, %false : f64, f64, i1
    }
    %34 = arith.mulf %33#0, %cst_4 : f64
    %35 = arith.mulf %33#1, %cst_4 : f64
    %36 = arith.addf %tex, %34 : f64
    %37 = arith.ori %13, %33#2 : i1
    %38 = arith.addf %tex_d, %35 : f64
    func.return %36, %37, %38 : f64, i1, f64
  }
  func.func private @jvpp.gated(%cosf: i32, %x: f64, %arg0: i1, %x_d: f64) -> (!t_arith, i1, i1, !t_arith_Differential) attributes {ad.gated, differentiable = "both"} {
    %c3_i32 = arith.constant 3 : i32
    %0 = arith.andi %cosf, %c3_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi eq, %0, %c0_i32 : i32
    %false = arith.constant false
    %2 = arith.select %1, %arg0, %false : i1
    %3 = arith.select %1, %false, %arg0 : i1
    %result, %result_d = scf.if %1 -> (!t_arith, !t_arith_Differential) {
      %cst = arith.constant 0.5 : f64
      %4 = arith.mulf %x, %cst : f64
      %5 = arith.mulf %x_d, %cst : f64
      %init = agg.make %4 : (f64) -> !t_super
      %init_d = agg.make %5 : (f64) -> !t_super
      %c1_i32 = arith.constant 1 : i32
      %6 = agg.zero : !t_of00
      %result_0 = agg.make %c1_i32, %init, %6 : (i32, !t_super, !t_of00) -> !t_arith
      %result_0_d = agg.make %init_d, %6 : (!t_super, !t_of00) -> !t_arith_Differential
      scf.yield %result_0, %result_0_d : !t_arith, !t_arith_Differential
    } else {
      %cst_0 = arith.constant 1.5 : f64
      %7 = arith.mulf %x, %cst_0 : f64
      %8 = arith.mulf %x_d, %cst_0 : f64
      %init_0 = agg.make %7 : (f64) -> !t_of00
      %init_0_d = agg.make %8 : (f64) -> !t_of00
      %c2_i32 = arith.constant 2 : i32
      %9 = agg.zero : !t_super
      %result_1 = agg.make %c2_i32, %9, %init_0 : (i32, !t_super, !t_of00) -> !t_arith
      %result_1_d = agg.make %9, %init_0_d : (!t_super, !t_of00) -> !t_arith_Differential
      scf.yield %result_1, %result_1_d : !t_arith, !t_arith_Differential
    }
    func.return %result, %2, %3, %result_d : !t_arith, i1, i1, !t_arith_Differential
  }
  func.func private @arith.part.gated(%this: !t_arith, %x: f64, %cosf: i32, %arg0: i1, %arg1: i1, %arg2: i1, %this_d: !t_arith_Differential, %x_d: f64) -> (f64, i1, f64) attributes {ad.gated, differentiable = "both"} {
    %cst = arith.constant 0.0 : f64
    %0 = agg.extract %this[] {path = array<i64: 0>} : (!t_arith) -> i32
    %1 = arith.index_cast %0 : i32 to index
    %2:3 = scf.index_switch %1 -> f64, f64, i1
    case 1 {
      %wrt0 = agg.extract %this[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
      %wrt0_d = agg.extract %this_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
      scf.yield %wrt0, %wrt0_d, %arg0 : f64, f64, i1
    }
    case 2 {
      %false_0 = arith.constant false
      scf.yield %cst, %cst, %false_0 : f64, f64, i1
    }
    default {
      %false = arith.constant false
      scf.yield %cst, %cst, %false : f64, f64, i1
    }
    func.return %2#0, %2#2, %2#1 : f64, i1, f64
  }
  func.func private @super.part.gated(%this: !t_super, %x: f64, %cosf: i32, %arg0: i1, %arg1: i1, %this_d: !t_super, %x_d: f64) -> (f64, i1, f64) attributes {ad.gated, differentiable = "both"} {
    %wrt0 = agg.extract %this[] {path = array<i64: 0>} : (!t_super) -> f64
    %wrt0_d = agg.extract %this_d[] {path = array<i64: 0>} : (!t_super) -> f64
    func.return %wrt0, %arg0, %wrt0_d : f64, i1, f64
  }
  func.func private @stage.bwd.wrt10.gated(%context: !t_stage_primal_Context, %arg0: f64, %arg1: i1, %arg2: i1, %arg3: i1, %context_d: !t_stage_primal_Context_Differential) -> (!t_orders, i1, i1, i1, i1, i1, i1, !t_orders) attributes {ad.gated, differentiable = "both"} {
    %at = agg.extract %context[] {path = array<i64: 0>} : (!t_stage_primal_Context) -> i32
    %0 = agg.global @data : !agg.buffer<f64, "rw">
    %1 = arith.index_cast %at : i32 to index
    %2 = agg.buffer_load %0, %1[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %3 = arith.mulf %arg0, %2 : f64
    %p = agg.extract %context[] {path = array<i64: 1, 0>} : (!t_stage_primal_Context) -> !t_orders
    %p_d = agg.extract %context_d[] {path = array<i64: 0, 0>} : (!t_stage_primal_Context_Differential) -> !t_orders
    %transposed = agg.extract %context[] {path = array<i64: 1, 1>} : (!t_stage_primal_Context) -> i32
    %4 = agg.extract %context[] {path = array<i64: 1, 2>} : (!t_stage_primal_Context) -> index
    %true = arith.constant true
    %cst = arith.constant 0.0 : f64
    %5 = agg.zero : !t_jvp
    %6 = agg.make %cst, %3, %5 : (f64, f64, !t_jvp) -> !t_orders
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %7 = agg.zero : !agg.array<4, index>
    %8 = agg.zero : !t_orders
    %9 = agg.make %p, %8, %8, %8 : (!t_orders, !t_orders, !t_orders, !t_orders) -> !t_array
    %10 = agg.make %p_d, %8, %8, %8 : (!t_orders, !t_orders, !t_orders, !t_orders) -> !t_array
    %wrt00 = arith.constant 0 : i32
    %11 = agg.make %transposed, %wrt00, %wrt00, %wrt00 : (i32, i32, i32, i32) -> !agg.array<4, i32>
    %false = arith.constant false
    %c-1 = arith.constant -1 : index
    %12 = arith.addi %4, %c-1 : index
    %c4 = arith.constant 4 : index
    %c2 = arith.constant 2 : index
    %c-1_i32 = arith.constant -1 : i32
    %cst_0 = arith.constant 0.25 : f64
    %c2_i32 = arith.constant 2 : i32
    %c5_i32 = arith.constant 5 : i32
    %cst_1 = arith.constant 1.7397127693021015 : f64
    %cst_2 = arith.constant 0.5 : f64
    %cst_3 = arith.constant 0.5537200244863067 : f64
    %c3 = arith.constant 3 : index
    %c-1_i32_0 = arith.constant -1 : i32
    %c2_0 = arith.constant 2 : index
    %cst_4 = arith.constant 0.25 : f64
    %c2_i32_0 = arith.constant 2 : i32
    %c5_i32_0 = arith.constant 5 : i32
    %cst_5 = arith.constant 1.7397127693021015 : f64
    %cst_6 = arith.constant 0.5 : f64
    %cst_7 = arith.constant 0.5537200244863067 : f64
    %c3_i32 = arith.constant 3 : i32
    %c0_i64 = arith.constant 0 : i64
    %c1_i32 = arith.constant 1 : i32
    %13 = agg.zero : !t_of00
    %14 = agg.zero : !t_arith
    %15 = agg.zero : !t_arith_Differential
    %c1_i32_0 = arith.constant 1 : i32
    %c3_0 = arith.constant 3 : index
    %c1_i32_1 = arith.constant 1 : i32
    %cst_8 = arith.constant 0.25 : f64
    %cst_9 = arith.constant dense<0.0> : vector<2xf64>
    %16:10 = scf.for %arg4 = %c0 to %4 step %c1 iter_args(%arg5 = %6, %arg6 = %c0, %arg7 = %7, %arg8 = %9, %arg9 = %11, %arg10 = %8, %arg11 = %10, %arg12 = %false, %arg13 = %false, %arg14 = %true) -> (!t_orders, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, !t_array, i1, i1, i1) {
      %17 = arith.subi %12, %arg4 : index
      %18 = agg.extract %arg7[%arg6] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
      %19 = arith.cmpi sgt, %18, %17 : index
      %20 = arith.addi %arg6, %c-1 : index
      %21 = arith.select %19, %20, %arg6 : index
      %22 = agg.extract %arg7[%21] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
      %23 = agg.extract %arg8[%21] {path = array<i64: -1>} : (!t_array, index) -> !t_orders
      %24 = agg.extract %arg11[%21] {path = array<i64: -1>} : (!t_array, index) -> !t_orders
      %25 = arith.cmpi ult, %21, %c4 : index
      %26 = arith.andi %arg14, %25 : i1
      %27 = agg.extract %arg9[%21] {path = array<i64: -1>} : (!agg.array<4, i32>, index) -> i32
      %28 = vector.broadcast %26 : i1 to vector<2xi1>
      %29:12 = scf.while (%arg15 = %22, %arg16 = %21, %arg17 = %arg7, %arg18 = %arg8, %arg19 = %arg9, %arg20 = %23, %arg21 = %27, %arg22 = %arg11, %arg23 = %24, %arg24 = %arg14, %arg25 = %26, %arg26 = %26) : (index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, i32, !t_array, !t_orders, i1, i1, i1) -> (index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, i32, !t_array, !t_orders, i1, i1, i1) {
        %30 = arith.cmpi slt, %arg15, %17 : index
        scf.condition(%30) %arg15, %arg16, %arg17, %arg18, %arg19, %arg20, %arg21, %arg22, %arg23, %arg24, %arg25, %arg26 : index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, i32, !t_array, !t_orders, i1, i1, i1
      } do {
      ^bb0(%arg27: index, %arg28: index, %arg29: !agg.array<4, index>, %arg30: !t_array, %arg31: !agg.array<4, i32>, %arg32: !t_orders, %arg33: i32, %arg34: !t_array, %arg35: !t_orders, %arg36: i1, %arg37: i1, %arg38: i1):
        %31 = arith.subi %c2, %arg28 : index
        %32 = arith.cmpi sgt, %31, %c0 : index
        %33 = arith.subi %17, %arg27 : index
        %34 = arith.addi %33, %c1 : index
        %35 = arith.maxui %31, %c1 : index
        %36 = arith.addi %35, %c1 : index
        %37:2 = scf.while (%arg39 = %c1, %arg40 = %c0) : (index, index) -> (index, index) {
          %38 = arith.cmpi slt, %arg39, %34 : index
          scf.condition(%38) %arg39, %arg40 : index, index
        } do {
        ^bb0(%arg41: index, %arg42: index):
          %39 = arith.addi %arg42, %c1 : index
          %40 = arith.addi %36, %39 : index
          %41 = arith.muli %arg41, %40 : index
          %42 = arith.divui %41, %39 : index
          scf.yield %42, %39 : index, index
        }
        %43 = arith.muli %37#0, %36 : index
        %44 = arith.addi %36, %37#1 : index
        %45 = arith.divui %43, %44 : index
        %46 = arith.muli %37#0, %37#1 : index
        %47 = arith.divui %46, %44 : index
        %48 = arith.addi %37#1, %c-1 : index
        %49 = arith.muli %47, %48 : index
        %50 = arith.addi %44, %c-1 : index
        %51 = arith.divui %49, %50 : index
        %52 = arith.maxui %51, %c1 : index
        %53 = arith.subi %34, %52 : index
        %54 = arith.minui %45, %53 : index
        %55 = arith.maxui %54, %c1 : index
        %56 = arith.subi %34, %55 : index
        %57 = arith.select %32, %56, %33 : index
        %58:5 = scf.for %arg43 = %c0 to %57 step %c1 iter_args(%arg44 = %arg32, %arg45 = %arg33, %arg46 = %arg35, %arg47 = %arg37, %arg48 = %arg38) -> (!t_orders, i32, !t_orders, i1, i1) {
          %sqrtf_2 = arith.addi %arg45, %c-1_i32 : i32
          %59 = vector.broadcast %arg47 : i1 to vector<2xi1>
          %60 = arith.ori %59, %28 : vector<2xi1>
          %61 = vector.reduction <or>, %60 : vector<2xi1> into i1
          %p_3, %p_3_d, %62 = scf.for %arg49 = %c0 to %c2 step %c1 iter_args(%p_4 = %arg44, %p_4_d = %arg46, %arg50 = %arg48) -> (!t_orders, !t_orders, i1) {
            %63 = agg.extract %p_4[] {path = array<i64: 0>} : (!t_orders) -> f64
            %64 = agg.extract %p_4_d[] {path = array<i64: 0>} : (!t_orders) -> f64
            %65 = vector.broadcast %63 : f64 to vector<2xf64>
            %66 = vector.broadcast %64 : f64 to vector<2xf64>
            %67 = agg.extract %p_4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %68 = agg.extract %p_4_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %69 = vector.broadcast %67 : f64 to vector<2xf64>
            %70 = vector.broadcast %68 : f64 to vector<2xf64>
            %71 = arith.mulf %65, %69 : vector<2xf64>
            %72 = arith.mulf %66, %69 : vector<2xf64>
            %73 = arith.mulf %70, %65 : vector<2xf64>
            %74 = arith.addf %72, %73 : vector<2xf64>
            %75 = vector.reduction <add>, %71 : vector<2xf64> into f64
            %76 = vector.reduction <add>, %74 : vector<2xf64> into f64
            %77 = arith.mulf %75, %cst_0 : f64
            %78 = arith.mulf %76, %cst_0 : f64
            %79 = agg.extract %p_4[] {path = array<i64: 1>} : (!t_orders) -> f64
            %80 = agg.extract %p_4_d[] {path = array<i64: 1>} : (!t_orders) -> f64
            %81 = arith.addf %79, %77 : f64
            %82 = arith.ori %arg50, %61 : i1
            %83 = arith.addf %80, %78 : f64
            %p_5 = agg.insert %81, %p_4[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
            %p_5_d = agg.insert %83, %p_4_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
            scf.yield %p_5, %p_5_d, %82 : !t_orders, !t_orders, i1
          }
          %84 = arith.andi %sqrtf_2, %c2_i32 : i32
          %85 = arith.cmpi ne, %84, %wrt00 : i32
          %86 = arith.select %85, %sqrtf_2, %transposed : i32
          %87 = arith.cmpi slt, %86, %c5_i32 : i32
          %88 = arith.select %87, %transposed, %sqrtf_2 : i32
          %89 = agg.extract %p_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
          %90 = agg.extract %p_3_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
          %91 = arith.mulf %89, %cst_2 : f64
          %92 = arith.mulf %90, %cst_2 : f64
          %93 = math.powf %cst_1, %91 : f64
          %94 = arith.mulf %93, %cst_3 : f64
          %95 = arith.mulf %92, %94 : f64
          %96 = arith.select %26, %95, %cst : f64
          %97:3 = func.call @wrt10.gated(%88, %93, %26, %96) : (i32, f64, i1, f64) -> (f64, i1, f64)
          %98 = math.sin %97#0 : f64
          %99 = math.cos %97#0 : f64
          %100 = arith.mulf %97#2, %99 : f64
          %101 = agg.extract %p_3[] {path = array<i64: 0>} : (!t_orders) -> f64
          %102 = agg.extract %p_3_d[] {path = array<i64: 0>} : (!t_orders) -> f64
          %103 = arith.addf %101, %98 : f64
          %104 = arith.ori %arg47, %97#1 : i1
          %105 = arith.addf %102, %100 : f64
          %p_6 = agg.insert %103, %p_3[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
          %p_6_d = agg.insert %105, %p_3_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
          scf.yield %p_6, %sqrtf_2, %p_6_d, %104, %62 : !t_orders, i32, !t_orders, i1, i1
        }
        %106 = arith.addi %arg27, %57 : index
        %107 = arith.addi %arg28, %c1 : index
        %108 = arith.select %32, %107, %c3 : index
        %109 = arith.select %32, %107, %arg28 : index
        %110 = agg.insert %106, %arg29[%108] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
        %111 = agg.insert %58#0, %arg30[%108] {path = array<i64: -1>} : (!t_orders, !t_array, index) -> !t_array
        %112 = agg.insert %58#2, %arg34[%108] {path = array<i64: -1>} : (!t_orders, !t_array, index) -> !t_array
        %113 = arith.ori %58#3, %58#4 : i1
        %114 = arith.ori %113, %26 : i1
        %115 = arith.ori %arg36, %114 : i1
        %116 = agg.insert %58#1, %arg31[%108] {path = array<i64: -1>} : (i32, !agg.array<4, i32>, index) -> !agg.array<4, i32>
        scf.yield %106, %109, %110, %111, %116, %58#0, %58#1, %112, %58#2, %115, %58#3, %58#4 : index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, i32, !t_array, !t_orders, i1, i1, i1
      }
      %sqrtf_2_0 = arith.addi %29#6, %c-1_i32_0 : i32
      %117 = agg.zero {unread} : !agg.array<2, f64>
      %118 = agg.zero : !agg.array<2, f64>
      %p_3_0, %119, %120, %p_3_d_0, %121, %122, %123, %124 = scf.for %arg51 = %c0 to %c2_0 step %c1 iter_args(%p_4_0 = %29#5, %arg52 = %117, %arg53 = %117, %p_4_d_0 = %29#8, %arg54 = %118, %arg55 = %118, %arg56 = %false, %arg57 = %false) -> (!t_orders, !agg.array<2, f64>, !agg.array<2, f64>, !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, i1, i1) {
        %125 = agg.extract %p_4_0[] {path = array<i64: 0>} : (!t_orders) -> f64
        %126 = agg.extract %p_4_d_0[] {path = array<i64: 0>} : (!t_orders) -> f64
        %127 = vector.broadcast %125 : f64 to vector<2xf64>
        %128 = vector.broadcast %126 : f64 to vector<2xf64>
        %129 = agg.extract %p_4_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %130 = agg.extract %p_4_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %131 = vector.broadcast %129 : f64 to vector<2xf64>
        %132 = vector.broadcast %130 : f64 to vector<2xf64>
        %133 = arith.mulf %127, %131 : vector<2xf64>
        %134 = arith.mulf %128, %131 : vector<2xf64>
        %135 = arith.mulf %132, %127 : vector<2xf64>
        %136 = arith.addf %134, %135 : vector<2xf64>
        %137 = vector.reduction <add>, %133 : vector<2xf64> into f64
        %138 = vector.reduction <add>, %136 : vector<2xf64> into f64
        %139 = arith.mulf %137, %cst_4 : f64
        %140 = arith.mulf %138, %cst_4 : f64
        %141 = agg.extract %p_4_0[] {path = array<i64: 1>} : (!t_orders) -> f64
        %142 = agg.extract %p_4_d_0[] {path = array<i64: 1>} : (!t_orders) -> f64
        %143 = arith.addf %141, %139 : f64
        %144 = arith.addf %142, %140 : f64
        %p_5_0 = agg.insert %143, %p_4_0[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d_0 = agg.insert %144, %p_4_d_0[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %145 = agg.insert %125, %arg52[%arg51] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %146 = agg.insert %126, %arg54[%arg51] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %147 = arith.ori %arg56, %29#10 : i1
        %148 = agg.insert %129, %arg53[%arg51] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %149 = agg.insert %130, %arg55[%arg51] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %150 = arith.ori %arg57, %26 : i1
        scf.yield %p_5_0, %145, %148, %p_5_d_0, %146, %149, %147, %150 : !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, i1, i1
      }
      %151 = arith.andi %sqrtf_2_0, %c2_i32_0 : i32
      %152 = arith.cmpi ne, %151, %wrt00 : i32
      %153 = arith.select %152, %sqrtf_2_0, %transposed : i32
      %154 = arith.cmpi slt, %153, %c5_i32_0 : i32
      %cosf = arith.select %154, %transposed, %sqrtf_2_0 : i32
      %155 = agg.extract %p_3_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %156 = agg.extract %p_3_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %157 = arith.mulf %155, %cst_6 : f64
      %158 = arith.mulf %156, %cst_6 : f64
      %x = math.powf %cst_5, %157 : f64
      %159 = arith.mulf %x, %cst_7 : f64
      %160 = arith.mulf %158, %159 : f64
      %x_d = arith.select %26, %160, %cst : f64
      %161 = arith.mulf %x_d, %cst_7 : f64
      %162 = arith.andi %cosf, %c3_i32 : i32
      %163 = arith.cmpi eq, %162, %wrt00 : i32
      %164 = arith.select %163, %26, %false : i1
      %result, %result_d = scf.if %163 -> (!t_arith, !t_arith_Differential) {
        %165 = arith.mulf %x, %cst_6 : f64
        %166 = arith.mulf %x_d, %cst_6 : f64
        %init = agg.make %165 : (f64) -> !t_super
        %init_d = agg.make %166 : (f64) -> !t_super
        %c1_i32_2 = arith.constant 1 : i32
        %167 = agg.zero : !t_of00
        %result_0 = agg.make %c1_i32_2, %init, %167 : (i32, !t_super, !t_of00) -> !t_arith
        %result_0_d = agg.make %init_d, %167 : (!t_super, !t_of00) -> !t_arith_Differential
        scf.yield %result_0, %result_0_d : !t_arith, !t_arith_Differential
      } else {
        %cst_10 = arith.constant 1.5 : f64
        %168 = arith.mulf %x, %cst_10 : f64
        %169 = arith.mulf %x_d, %cst_10 : f64
        %init_0 = agg.make %168 : (f64) -> !t_of00
        %init_0_d = agg.make %169 : (f64) -> !t_of00
        %170 = agg.zero : !t_super
        %result_1 = agg.make %c2_i32_0, %170, %init_0 : (i32, !t_super, !t_of00) -> !t_arith
        %result_1_d = agg.make %170, %init_0_d : (!t_super, !t_of00) -> !t_arith_Differential
        scf.yield %result_1, %result_1_d : !t_arith, !t_arith_Differential
      }
      %171 = arith.extsi %162 : i32 to i64
      %172 = arith.maxsi %171, %c0_i64 : i64
      %173 = arith.index_cast %172 : i64 to index
      %init_0_0, %tex, %init_0_d_0, %tex_d, %174, %175 = scf.for %arg58 = %c0 to %173 step %c1 iter_args(%init_1 = %result, %tex_0 = %x, %init_1_d = %result_d, %tex_0_d = %x_d, %arg59 = %164, %arg60 = %26) -> (!t_arith, f64, !t_arith_Differential, f64, i1, i1) {
        %get_0 = arith.index_cast %arg58 : index to i32
        %176 = agg.extract %init_1[] {path = array<i64: 0>} : (!t_arith) -> i32
        %177 = arith.index_cast %176 : i32 to index
        %178:3 = scf.index_switch %177 -> f64, f64, i1
        case 1 {
          %wrt0 = agg.extract %init_1[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
          %wrt0_d = agg.extract %init_1_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          scf.yield %wrt0, %wrt0_d, %arg59 : f64, f64, i1
        }
        case 2 {
          scf.yield %cst, %cst, %false : f64, f64, i1
        }
        default {
          scf.yield %cst, %cst, %false : f64, f64, i1
        }
        %tex_1 = math.sin %178#0 : f64
        %179 = math.cos %178#0 : f64
        %tex_1_d = arith.mulf %178#1, %179 : f64
        %180 = arith.andi %get_0, %c1_i32 : i32
        %181 = arith.cmpi eq, %180, %wrt00 : i32
        %init_2, %init_2_d, %182 = scf.if %181 -> (!t_arith, !t_arith_Differential, i1) {
          %183 = arith.addi %cosf, %get_0 : i32
          %184 = arith.andi %183, %c3_i32 : i32
          %185 = arith.cmpi eq, %184, %wrt00 : i32
          %186 = arith.select %185, %178#2, %false : i1
          %result_2, %result_d_0 = scf.if %185 -> (!t_arith, !t_arith_Differential) {
            %187 = arith.mulf %tex_1, %cst_6 : f64
            %188 = arith.mulf %tex_1_d, %cst_6 : f64
            %init_3 = agg.make %187 : (f64) -> !t_super
            %init_d_0 = agg.make %188 : (f64) -> !t_super
            %189 = agg.zero : !t_of00
            %result_0_0 = agg.make %c1_i32, %init_3, %189 : (i32, !t_super, !t_of00) -> !t_arith
            %result_0_d_0 = agg.make %init_d_0, %189 : (!t_super, !t_of00) -> !t_arith_Differential
            scf.yield %result_0_0, %result_0_d_0 : !t_arith, !t_arith_Differential
          } else {
            %cst_11 = arith.constant 1.5 : f64
            %190 = arith.mulf %tex_1, %cst_11 : f64
            %191 = arith.mulf %tex_1_d, %cst_11 : f64
            %init_0_1 = agg.make %190 : (f64) -> !t_of00
            %init_0_d_1 = agg.make %191 : (f64) -> !t_of00
            %192 = agg.zero : !t_super
            %result_1_0 = agg.make %c2_i32_0, %192, %init_0_1 : (i32, !t_super, !t_of00) -> !t_arith
            %result_1_d_0 = agg.make %192, %init_0_d_1 : (!t_super, !t_of00) -> !t_arith_Differential
            scf.yield %result_1_0, %result_1_d_0 : !t_arith, !t_arith_Differential
          }
          scf.yield %result_2, %result_d_0, %186 : !t_arith, !t_arith_Differential, i1
        } else {
          scf.yield %init_1, %init_1_d, %arg59 : !t_arith, !t_arith_Differential, i1
        }
        scf.yield %init_2, %tex_1, %init_2_d, %tex_1_d, %182, %178#2 : !t_arith, f64, !t_arith_Differential, f64, i1, i1
      }
      %193 = agg.extract %init_0_0[] {path = array<i64: 0>} : (!t_arith) -> i32
      %194 = arith.index_cast %193 : i32 to index
      %195:3 = scf.index_switch %194 -> f64, f64, i1
      case 1 {
        %wrt0_0 = agg.extract %init_0_0[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
        %wrt0_d_0 = agg.extract %init_0_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        scf.yield %wrt0_0, %wrt0_d_0, %174 : f64, f64, i1
      }
      case 2 {
        scf.yield %cst, %cst, %false : f64, f64, i1
      }
      default {
        scf.yield %cst, %cst, %false : f64, f64, i1
      }
      %196 = arith.mulf %195#0, %cst_6 : f64
      %197 = arith.mulf %195#1, %cst_6 : f64
      %198 = arith.addf %tex, %196 : f64
      %199 = arith.ori %175, %195#2 : i1
      %200 = arith.addf %tex_d, %197 : f64
      %201 = math.cos %198 : f64
      %202 = math.sin %198 : f64
      %203 = arith.negf %202 : f64
      %204 = arith.mulf %200, %203 : f64
      %205 = agg.extract %arg5[] {path = array<i64: 0>} : (!t_orders) -> f64
      %206 = agg.extract %arg10[] {path = array<i64: 0>} : (!t_orders) -> f64
      %207 = strong.gated_mulf %205, %201 : f64
      %208 = strong.gated_mulf %206, %201 : f64
      %209 = arith.select %arg12, %208, %cst : f64
      %210 = strong.gated_mulf %205, %204 : f64
      %211 = arith.select %199, %210, %cst : f64
      %212 = arith.ori %arg12, %199 : i1
      %213 = arith.addf %209, %211 : f64
      %214 = arith.mulf %207, %cst_6 : f64
      %215 = arith.mulf %213, %cst_6 : f64
      %216:3 = scf.index_switch %194 -> !t_super, !t_super, i1
      case 1 {
        %218 = agg.make %214 : (f64) -> !t_super
        %219 = agg.make %215 : (f64) -> !t_super
        scf.yield %218, %219, %212 : !t_super, !t_super, i1
      }
      case 2 {
        %220 = agg.zero : !t_super
        scf.yield %220, %220, %false : !t_super, !t_super, i1
      }
      default {
        %217 = agg.zero : !t_super
        scf.yield %217, %217, %false : !t_super, !t_super, i1
      }
      %221 = agg.make %216#0, %13 : (!t_super, !t_of00) -> !t_arith_Differential
      %222 = agg.make %216#1, %13 : (!t_super, !t_of00) -> !t_arith_Differential
      %223 = arith.addf %207, %cst : f64
      %224 = agg.make %result, %14, %14, %14 : (!t_arith, !t_arith, !t_arith, !t_arith) -> !agg.array<4, !t_arith>
      %225 = agg.make %result_d, %15, %15, %15 : (!t_arith_Differential, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential) -> !t_array_0
      %226 = arith.addi %173, %c-1 : index
      %227:12 = scf.for %arg61 = %c0 to %173 step %c1 iter_args(%arg62 = %221, %arg63 = %223, %arg64 = %c0, %arg65 = %7, %arg66 = %224, %arg67 = %222, %arg68 = %213, %arg69 = %225, %arg70 = %216#2, %arg71 = %false, %arg72 = %212, %arg73 = %true) -> (!t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith_Differential, f64, !t_array_0, i1, i1, i1, i1) {
        %228 = arith.subi %226, %arg61 : index
        %229 = agg.extract %arg65[%arg64] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
        %230 = arith.cmpi sgt, %229, %228 : index
        %231 = arith.addi %arg64, %c-1 : index
        %232 = arith.select %230, %231, %arg64 : index
        %233 = agg.extract %arg65[%232] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
        %234 = agg.extract %arg66[%232] {path = array<i64: -1>} : (!agg.array<4, !t_arith>, index) -> !t_arith
        %235 = agg.extract %arg69[%232] {path = array<i64: -1>} : (!t_array_0, index) -> !t_arith_Differential
        %236 = arith.cmpi ult, %232, %c4 : index
        %237 = arith.andi %arg73, %236 : i1
        %238:10 = scf.while (%arg74 = %233, %arg75 = %232, %arg76 = %arg65, %arg77 = %arg66, %arg78 = %234, %arg79 = %arg69, %arg80 = %235, %arg81 = %arg73, %arg82 = %237, %arg83 = %237) : (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith, !t_array_0, !t_arith_Differential, i1, i1, i1) -> (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith, !t_array_0, !t_arith_Differential, i1, i1, i1) {
          %239 = arith.cmpi slt, %arg74, %228 : index
          scf.condition(%239) %arg74, %arg75, %arg76, %arg77, %arg78, %arg79, %arg80, %arg81, %arg82, %arg83 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith, !t_array_0, !t_arith_Differential, i1, i1, i1
        } do {
        ^bb0(%arg84: index, %arg85: index, %arg86: !agg.array<4, index>, %arg87: !agg.array<4, !t_arith>, %arg88: !t_arith, %arg89: !t_array_0, %arg90: !t_arith_Differential, %arg91: i1, %arg92: i1, %arg93: i1):
          %240 = arith.subi %c2_0, %arg85 : index
          %241 = arith.cmpi sgt, %240, %c0 : index
          %242 = arith.subi %228, %arg84 : index
          %243 = arith.addi %242, %c1 : index
          %244 = arith.maxui %240, %c1 : index
          %245 = arith.addi %244, %c1 : index
          %246:2 = scf.while (%arg94 = %c1, %arg95 = %c0) : (index, index) -> (index, index) {
            %247 = arith.cmpi slt, %arg94, %243 : index
            scf.condition(%247) %arg94, %arg95 : index, index
          } do {
          ^bb0(%arg96: index, %arg97: index):
            %248 = arith.addi %arg97, %c1 : index
            %249 = arith.addi %245, %248 : index
            %250 = arith.muli %arg96, %249 : index
            %251 = arith.divui %250, %248 : index
            scf.yield %251, %248 : index, index
          }
          %252 = arith.muli %246#0, %245 : index
          %253 = arith.addi %245, %246#1 : index
          %254 = arith.divui %252, %253 : index
          %255 = arith.muli %246#0, %246#1 : index
          %256 = arith.divui %255, %253 : index
          %257 = arith.addi %246#1, %c-1 : index
          %258 = arith.muli %256, %257 : index
          %259 = arith.addi %253, %c-1 : index
          %260 = arith.divui %258, %259 : index
          %261 = arith.maxui %260, %c1 : index
          %262 = arith.subi %243, %261 : index
          %263 = arith.minui %254, %262 : index
          %264 = arith.maxui %263, %c1 : index
          %265 = arith.subi %243, %264 : index
          %266 = arith.select %241, %265, %242 : index
          %267:4 = scf.for %arg98 = %c0 to %266 step %c1 iter_args(%arg99 = %arg88, %arg100 = %arg90, %arg101 = %arg92, %arg102 = %arg93) -> (!t_arith, !t_arith_Differential, i1, i1) {
            %268 = arith.addi %arg84, %arg98 : index
            %get_0_0 = arith.index_cast %268 : index to i32
            %269 = agg.extract %arg99[] {path = array<i64: 0>} : (!t_arith) -> i32
            %270 = arith.index_cast %269 : i32 to index
            %271:3 = scf.index_switch %270 -> f64, f64, i1
            case 1 {
              %wrt0_1 = agg.extract %arg99[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
              %wrt0_d_1 = agg.extract %arg100[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
              scf.yield %wrt0_1, %wrt0_d_1, %arg101 : f64, f64, i1
            }
            case 2 {
              scf.yield %cst, %cst, %false : f64, f64, i1
            }
            default {
              scf.yield %cst, %cst, %false : f64, f64, i1
            }
            %tex_1_0 = math.sin %271#0 : f64
            %272 = math.cos %271#0 : f64
            %tex_1_d_0 = arith.mulf %271#1, %272 : f64
            %273 = arith.andi %get_0_0, %c1_i32_0 : i32
            %274 = arith.cmpi eq, %273, %wrt00 : i32
            %init_2_0, %init_2_d_0, %275, %276 = scf.if %274 -> (!t_arith, !t_arith_Differential, i1, i1) {
              %277 = arith.addi %cosf, %get_0_0 : i32
              %278 = arith.andi %277, %c3_i32 : i32
              %279 = arith.cmpi eq, %278, %wrt00 : i32
              %280 = arith.select %279, %271#2, %false : i1
              %281 = arith.select %279, %false, %271#2 : i1
              %result_3, %result_d_1 = scf.if %279 -> (!t_arith, !t_arith_Differential) {
                %282 = arith.mulf %tex_1_0, %cst_6 : f64
                %283 = arith.mulf %tex_1_d_0, %cst_6 : f64
                %init_4 = agg.make %282 : (f64) -> !t_super
                %init_d_1 = agg.make %283 : (f64) -> !t_super
                %result_0_1 = agg.make %c1_i32_0, %init_4, %13 : (i32, !t_super, !t_of00) -> !t_arith
                %result_0_d_1 = agg.make %init_d_1, %13 : (!t_super, !t_of00) -> !t_arith_Differential
                scf.yield %result_0_1, %result_0_d_1 : !t_arith, !t_arith_Differential
              } else {
                %cst_12 = arith.constant 1.5 : f64
                %284 = arith.mulf %tex_1_0, %cst_12 : f64
                %285 = arith.mulf %tex_1_d_0, %cst_12 : f64
                %init_0_2 = agg.make %284 : (f64) -> !t_of00
                %init_0_d_2 = agg.make %285 : (f64) -> !t_of00
                %286 = agg.zero : !t_super
                %result_1_1 = agg.make %c2_i32_0, %286, %init_0_2 : (i32, !t_super, !t_of00) -> !t_arith
                %result_1_d_1 = agg.make %286, %init_0_d_2 : (!t_super, !t_of00) -> !t_arith_Differential
                scf.yield %result_1_1, %result_1_d_1 : !t_arith, !t_arith_Differential
              }
              scf.yield %result_3, %result_d_1, %280, %281 : !t_arith, !t_arith_Differential, i1, i1
            } else {
              scf.yield %arg99, %arg100, %arg101, %arg102 : !t_arith, !t_arith_Differential, i1, i1
            }
            scf.yield %init_2_0, %init_2_d_0, %275, %276 : !t_arith, !t_arith_Differential, i1, i1
          }
          %287 = arith.addi %arg84, %266 : index
          %288 = arith.addi %arg85, %c1 : index
          %289 = arith.select %241, %288, %c3_0 : index
          %290 = arith.select %241, %288, %arg85 : index
          %291 = agg.insert %287, %arg86[%289] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
          %292 = agg.insert %267#0, %arg87[%289] {path = array<i64: -1>} : (!t_arith, !agg.array<4, !t_arith>, index) -> !agg.array<4, !t_arith>
          %293 = agg.insert %267#1, %arg89[%289] {path = array<i64: -1>} : (!t_arith_Differential, !t_array_0, index) -> !t_array_0
          %294 = arith.ori %267#2, %267#3 : i1
          %295 = arith.ori %arg91, %294 : i1
          scf.yield %287, %290, %291, %292, %267#0, %293, %267#1, %295, %267#2, %267#3 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith, !t_array_0, !t_arith_Differential, i1, i1, i1
        }
        %get_0_1 = arith.index_cast %228 : index to i32
        %296 = agg.extract %238#4[] {path = array<i64: 0>} : (!t_arith) -> i32
        %297 = arith.index_cast %296 : i32 to index
        %298:3 = scf.index_switch %297 -> f64, f64, i1
        case 1 {
          %wrt0_2 = agg.extract %238#4[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
          %wrt0_d_2 = agg.extract %238#6[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          scf.yield %wrt0_2, %wrt0_d_2, %238#8 : f64, f64, i1
        }
        case 2 {
          scf.yield %cst, %cst, %false : f64, f64, i1
        }
        default {
          scf.yield %cst, %cst, %false : f64, f64, i1
        }
        %tex_1_1 = math.sin %298#0 : f64
        %299 = math.cos %298#0 : f64
        %300 = arith.negf %tex_1_1 : f64
        %301 = arith.mulf %298#1, %300 : f64
        %302 = arith.andi %get_0_1, %c1_i32_1 : i32
        %303 = arith.cmpi eq, %302, %wrt00 : i32
        %304 = scf.if %303 -> (!t_jvpp_primal_Context) {
          %305 = arith.addi %cosf, %get_0_1 : i32
          %306 = arith.andi %305, %c3_i32 : i32
          %307 = arith.cmpi eq, %306, %wrt00 : i32
          %308 = agg.make %307 : (i1) -> !t_jvpp_primal_Context
          scf.yield %308 : !t_jvpp_primal_Context
        } else {
          %309 = agg.zero : !t_jvpp_primal_Context
          scf.yield %309 : !t_jvpp_primal_Context
        }
        %310 = scf.if %303 -> (!t_arith_Differential) {
          scf.yield %15 : !t_arith_Differential
        } else {
          scf.yield %arg67 : !t_arith_Differential
        }
        %311 = arith.select %303, %false, %arg70 : i1
        %312 = arith.select %303, %false, %arg71 : i1
        %313 = scf.if %303 -> (!t_arith_Differential) {
          scf.yield %15 : !t_arith_Differential
        } else {
          scf.yield %arg62 : !t_arith_Differential
        }
        %314:3 = scf.if %303 -> (f64, f64, i1) {
          %315 = agg.extract %304[] {path = array<i64: 0>} : (!t_jvpp_primal_Context) -> i1
          %316 = arith.select %315, %arg70, %arg71 : i1
          %317:2 = scf.if %315 -> (f64, f64) {
            %318 = agg.extract %arg62[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
            %319 = agg.extract %arg67[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
            %320 = arith.mulf %318, %cst_6 : f64
            %321 = arith.mulf %319, %cst_6 : f64
            scf.yield %320, %321 : f64, f64
          } else {
            %cst_13 = arith.constant 1.5 : f64
            %322 = agg.extract %arg62[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
            %323 = agg.extract %arg67[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
            %324 = arith.mulf %322, %cst_13 : f64
            %325 = arith.mulf %323, %cst_13 : f64
            scf.yield %324, %325 : f64, f64
          }
          %326 = arith.addf %arg63, %317#0 : f64
          %327 = arith.ori %arg72, %316 : i1
          %328 = arith.addf %arg68, %317#1 : f64
          scf.yield %326, %328, %327 : f64, f64, i1
        } else {
          scf.yield %arg63, %arg68, %arg72 : f64, f64, i1
        }
        %329 = strong.gated_mulf %314#0, %299 : f64
        %330 = strong.gated_mulf %314#1, %299 : f64
        %331 = arith.select %314#2, %330, %cst : f64
        %332 = strong.gated_mulf %314#0, %301 : f64
        %333 = arith.select %298#2, %332, %cst : f64
        %334 = arith.ori %314#2, %298#2 : i1
        %335 = arith.addf %331, %333 : f64
        %336:3 = scf.index_switch %297 -> !t_super, !t_super, i1
        case 1 {
          %338 = agg.make %329 : (f64) -> !t_super
          %339 = agg.make %335 : (f64) -> !t_super
          scf.yield %338, %339, %334 : !t_super, !t_super, i1
        }
        case 2 {
          %340 = agg.zero : !t_super
          scf.yield %340, %340, %false : !t_super, !t_super, i1
        }
        default {
          %337 = agg.zero : !t_super
          scf.yield %337, %337, %false : !t_super, !t_super, i1
        }
        %341 = agg.extract %313[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %342 = agg.extract %310[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %343 = agg.extract %336#0[] {path = array<i64: 0>} : (!t_super) -> f64
        %344 = agg.extract %336#1[] {path = array<i64: 0>} : (!t_super) -> f64
        %345 = arith.addf %341, %343 : f64
        %346 = arith.ori %311, %336#2 : i1
        %347 = arith.addf %342, %344 : f64
        %348 = agg.make %345 : (f64) -> !t_super
        %349 = agg.make %347 : (f64) -> !t_super
        %350 = agg.extract %313[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
        %351 = agg.extract %310[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
        %352 = arith.addf %350, %cst : f64
        %353 = arith.addf %351, %cst : f64
        %354 = agg.make %352 : (f64) -> !t_of00
        %355 = agg.make %353 : (f64) -> !t_of00
        %356 = agg.make %348, %354 : (!t_super, !t_of00) -> !t_arith_Differential
        %357 = agg.make %349, %355 : (!t_super, !t_of00) -> !t_arith_Differential
        scf.yield %356, %cst, %238#1, %238#2, %238#3, %357, %cst, %238#5, %346, %312, %false, %238#7 : !t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith_Differential, f64, !t_array_0, i1, i1, i1, i1
      }
      %358 = arith.select %163, %227#8, %227#9 : i1
      %359:2 = scf.if %163 -> (f64, f64) {
        %360 = agg.extract %227#0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %361 = agg.extract %227#5[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %362 = arith.mulf %360, %cst_6 : f64
        %363 = arith.mulf %361, %cst_6 : f64
        scf.yield %362, %363 : f64, f64
      } else {
        %cst_14 = arith.constant 1.5 : f64
        %364 = agg.extract %227#0[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
        %365 = agg.extract %227#5[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
        %366 = arith.mulf %364, %cst_14 : f64
        %367 = arith.mulf %365, %cst_14 : f64
        scf.yield %366, %367 : f64, f64
      }
      %368 = arith.addf %227#1, %359#0 : f64
      %369 = arith.ori %227#10, %358 : i1
      %370 = arith.addf %227#6, %359#1 : f64
      %371 = strong.gated_mulf %368, %159 : f64
      %372 = strong.gated_mulf %370, %159 : f64
      %373 = arith.select %369, %372, %cst : f64
      %374 = strong.gated_mulf %368, %161 : f64
      %375 = arith.select %26, %374, %cst : f64
      %376 = arith.ori %369, %26 : i1
      %377 = arith.addf %373, %375 : f64
      %378 = arith.mulf %371, %cst_6 : f64
      %379 = arith.mulf %377, %cst_6 : f64
      %380 = agg.extract %arg5[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %381 = agg.extract %arg10[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %382 = arith.addf %380, %378 : f64
      %383 = arith.ori %arg13, %376 : i1
      %384 = arith.addf %381, %379 : f64
      %385 = agg.insert %382, %arg5[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
      %386 = agg.insert %384, %arg10[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
      %387 = vector.broadcast %123 : i1 to vector<2xi1>
      %388 = vector.broadcast %124 : i1 to vector<2xi1>
      %389 = vector.reduction <or>, %387 : vector<2xi1> into i1
      %390 = vector.reduction <or>, %388 : vector<2xi1> into i1
      %391:4 = scf.for %arg103 = %c0 to %c2_0 step %c1 iter_args(%arg104 = %385, %arg105 = %386, %arg106 = %arg12, %arg107 = %383) -> (!t_orders, !t_orders, i1, i1) {
        %392 = arith.subi %c1, %arg103 : index
        %393 = agg.extract %119[%392] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %394 = agg.extract %121[%392] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %395 = agg.extract %120[%392] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %396 = agg.extract %122[%392] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %x_0 = vector.broadcast %393 : f64 to vector<2xf64>
        %x_d_0 = vector.broadcast %394 : f64 to vector<2xf64>
        %y = vector.broadcast %395 : f64 to vector<2xf64>
        %y_d = vector.broadcast %396 : f64 to vector<2xf64>
        %397 = agg.extract %arg104[] {path = array<i64: 1>} : (!t_orders) -> f64
        %398 = arith.mulf %397, %cst_8 : f64
        %399 = vector.broadcast %398 : f64 to vector<2xf64>
        %400 = strong.gated_mulf %399, %x_0 : vector<2xf64>
        %401 = strong.gated_mulf %399, %x_d_0 : vector<2xf64>
        %402 = arith.select %387, %401, %cst_9 : vector<2xi1>, vector<2xf64>
        %403 = arith.addf %402, %cst_9 : vector<2xf64>
        %404 = strong.gated_mulf %399, %y : vector<2xf64>
        %405 = strong.gated_mulf %399, %y_d : vector<2xf64>
        %406 = arith.select %388, %405, %cst_9 : vector<2xi1>, vector<2xf64>
        %407 = arith.addf %406, %cst_9 : vector<2xf64>
        %408 = vector.reduction <add>, %400 : vector<2xf64> into f64
        %409 = vector.reduction <add>, %403 : vector<2xf64> into f64
        %410 = agg.extract %arg104[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %411 = agg.extract %arg105[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %412 = arith.addf %410, %408 : f64
        %413 = arith.ori %arg107, %389 : i1
        %414 = arith.addf %411, %409 : f64
        %415 = agg.insert %412, %arg104[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
        %416 = agg.insert %414, %arg105[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
        %417 = vector.reduction <add>, %404 : vector<2xf64> into f64
        %418 = vector.reduction <add>, %407 : vector<2xf64> into f64
        %419 = agg.extract %arg104[] {path = array<i64: 0>} : (!t_orders) -> f64
        %420 = agg.extract %arg105[] {path = array<i64: 0>} : (!t_orders) -> f64
        %421 = arith.addf %419, %417 : f64
        %422 = arith.ori %arg106, %390 : i1
        %423 = arith.addf %420, %418 : f64
        %424 = agg.insert %421, %415[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
        %425 = agg.insert %423, %416[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
        scf.yield %424, %425, %422, %413 : !t_orders, !t_orders, i1, i1
      }
      scf.yield %391#0, %29#1, %29#2, %29#3, %29#4, %391#1, %29#7, %391#2, %391#3, %29#9 : !t_orders, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, !t_array, i1, i1, i1
    }
    func.return %16#0, %true, %true, %true, %16#7, %false, %16#8, %16#5 : !t_orders, i1, i1, i1, i1, i1, i1, !t_orders
  }
  func.func private @math.bwd.wrt10.gated(%context: !t_math_primal_Context, %arg0: !t_threadIdx, %arg1: i1, %arg2: i1, %arg3: i1, %context_d: !t_math_primal_Context_Differential) -> (!t_orders, i1, i1, i1, i1, i1, i1, !t_orders) attributes {ad.gated, differentiable = "both"} {
    %p = agg.extract %context[] {path = array<i64: 0>} : (!t_math_primal_Context) -> !t_orders
    %p_d = agg.extract %context_d[] {path = array<i64: 0>} : (!t_math_primal_Context_Differential) -> !t_orders
    %transposed = agg.extract %context[] {path = array<i64: 1>} : (!t_math_primal_Context) -> i32
    %0 = agg.extract %context[] {path = array<i64: 2>} : (!t_math_primal_Context) -> index
    %true = arith.constant true
    %1 = agg.extract %arg0[] {path = array<i64: 0>} : (!t_threadIdx) -> f64
    %cst = arith.constant 0.0 : f64
    %2 = agg.zero : !t_jvp
    %3 = agg.make %cst, %1, %2 : (f64, f64, !t_jvp) -> !t_orders
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %4 = agg.zero : !agg.array<4, index>
    %5 = agg.zero : !t_orders
    %6 = agg.make %p, %5, %5, %5 : (!t_orders, !t_orders, !t_orders, !t_orders) -> !t_array
    %7 = agg.make %p_d, %5, %5, %5 : (!t_orders, !t_orders, !t_orders, !t_orders) -> !t_array
    %wrt00 = arith.constant 0 : i32
    %8 = agg.make %transposed, %wrt00, %wrt00, %wrt00 : (i32, i32, i32, i32) -> !agg.array<4, i32>
    %false = arith.constant false
    %c-1 = arith.constant -1 : index
    %9 = arith.addi %0, %c-1 : index
    %c4 = arith.constant 4 : index
    %c2 = arith.constant 2 : index
    %c-1_i32 = arith.constant -1 : i32
    %cst_0 = arith.constant 0.25 : f64
    %c2_i32 = arith.constant 2 : i32
    %c5_i32 = arith.constant 5 : i32
    %cst_1 = arith.constant 1.7397127693021015 : f64
    %cst_2 = arith.constant 0.5 : f64
    %cst_3 = arith.constant 0.5537200244863067 : f64
    %c3 = arith.constant 3 : index
    %c-1_i32_0 = arith.constant -1 : i32
    %c2_0 = arith.constant 2 : index
    %cst_4 = arith.constant 0.25 : f64
    %c2_i32_0 = arith.constant 2 : i32
    %c5_i32_0 = arith.constant 5 : i32
    %cst_5 = arith.constant 1.7397127693021015 : f64
    %cst_6 = arith.constant 0.5 : f64
    %cst_7 = arith.constant 0.5537200244863067 : f64
    %c3_i32 = arith.constant 3 : i32
    %c0_i64 = arith.constant 0 : i64
    %c1_i32 = arith.constant 1 : i32
    %10 = agg.zero : !t_of00
    %11 = agg.zero : !t_arith
    %12 = agg.zero : !t_arith_Differential
    %c1_i32_0 = arith.constant 1 : i32
    %c3_0 = arith.constant 3 : index
    %c1_i32_1 = arith.constant 1 : i32
    %cst_8 = arith.constant 0.25 : f64
    %cst_9 = arith.constant dense<0.0> : vector<2xf64>
    %13:10 = scf.for %arg4 = %c0 to %0 step %c1 iter_args(%arg5 = %3, %arg6 = %c0, %arg7 = %4, %arg8 = %6, %arg9 = %8, %arg10 = %5, %arg11 = %7, %arg12 = %false, %arg13 = %false, %arg14 = %true) -> (!t_orders, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, !t_array, i1, i1, i1) {
      %14 = arith.subi %9, %arg4 : index
      %15 = agg.extract %arg7[%arg6] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
      %16 = arith.cmpi sgt, %15, %14 : index
      %17 = arith.addi %arg6, %c-1 : index
      %18 = arith.select %16, %17, %arg6 : index
      %19 = agg.extract %arg7[%18] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
      %20 = agg.extract %arg8[%18] {path = array<i64: -1>} : (!t_array, index) -> !t_orders
      %21 = agg.extract %arg11[%18] {path = array<i64: -1>} : (!t_array, index) -> !t_orders
      %22 = arith.cmpi ult, %18, %c4 : index
      %23 = arith.andi %arg14, %22 : i1
      %24 = agg.extract %arg9[%18] {path = array<i64: -1>} : (!agg.array<4, i32>, index) -> i32
      %25 = vector.broadcast %23 : i1 to vector<2xi1>
      %26:12 = scf.while (%arg15 = %19, %arg16 = %18, %arg17 = %arg7, %arg18 = %arg8, %arg19 = %arg9, %arg20 = %20, %arg21 = %24, %arg22 = %arg11, %arg23 = %21, %arg24 = %arg14, %arg25 = %23, %arg26 = %23) : (index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, i32, !t_array, !t_orders, i1, i1, i1) -> (index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, i32, !t_array, !t_orders, i1, i1, i1) {
        %27 = arith.cmpi slt, %arg15, %14 : index
        scf.condition(%27) %arg15, %arg16, %arg17, %arg18, %arg19, %arg20, %arg21, %arg22, %arg23, %arg24, %arg25, %arg26 : index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, i32, !t_array, !t_orders, i1, i1, i1
      } do {
      ^bb0(%arg27: index, %arg28: index, %arg29: !agg.array<4, index>, %arg30: !t_array, %arg31: !agg.array<4, i32>, %arg32: !t_orders, %arg33: i32, %arg34: !t_array, %arg35: !t_orders, %arg36: i1, %arg37: i1, %arg38: i1):
        %28 = arith.subi %c2, %arg28 : index
        %29 = arith.cmpi sgt, %28, %c0 : index
        %30 = arith.subi %14, %arg27 : index
        %31 = arith.addi %30, %c1 : index
        %32 = arith.maxui %28, %c1 : index
        %33 = arith.addi %32, %c1 : index
        %34:2 = scf.while (%arg39 = %c1, %arg40 = %c0) : (index, index) -> (index, index) {
          %35 = arith.cmpi slt, %arg39, %31 : index
          scf.condition(%35) %arg39, %arg40 : index, index
        } do {
        ^bb0(%arg41: index, %arg42: index):
          %36 = arith.addi %arg42, %c1 : index
          %37 = arith.addi %33, %36 : index
          %38 = arith.muli %arg41, %37 : index
          %39 = arith.divui %38, %36 : index
          scf.yield %39, %36 : index, index
        }
        %40 = arith.muli %34#0, %33 : index
        %41 = arith.addi %33, %34#1 : index
        %42 = arith.divui %40, %41 : index
        %43 = arith.muli %34#0, %34#1 : index
        %44 = arith.divui %43, %41 : index
        %45 = arith.addi %34#1, %c-1 : index
        %46 = arith.muli %44, %45 : index
        %47 = arith.addi %41, %c-1 : index
        %48 = arith.divui %46, %47 : index
        %49 = arith.maxui %48, %c1 : index
        %50 = arith.subi %31, %49 : index
        %51 = arith.minui %42, %50 : index
        %52 = arith.maxui %51, %c1 : index
        %53 = arith.subi %31, %52 : index
        %54 = arith.select %29, %53, %30 : index
        %55:5 = scf.for %arg43 = %c0 to %54 step %c1 iter_args(%arg44 = %arg32, %arg45 = %arg33, %arg46 = %arg35, %arg47 = %arg37, %arg48 = %arg38) -> (!t_orders, i32, !t_orders, i1, i1) {
          %sqrtf_2 = arith.addi %arg45, %c-1_i32 : i32
          %56 = vector.broadcast %arg47 : i1 to vector<2xi1>
          %57 = arith.ori %56, %25 : vector<2xi1>
          %58 = vector.reduction <or>, %57 : vector<2xi1> into i1
          %p_3, %p_3_d, %59 = scf.for %arg49 = %c0 to %c2 step %c1 iter_args(%p_4 = %arg44, %p_4_d = %arg46, %arg50 = %arg48) -> (!t_orders, !t_orders, i1) {
            %60 = agg.extract %p_4[] {path = array<i64: 0>} : (!t_orders) -> f64
            %61 = agg.extract %p_4_d[] {path = array<i64: 0>} : (!t_orders) -> f64
            %62 = vector.broadcast %60 : f64 to vector<2xf64>
            %63 = vector.broadcast %61 : f64 to vector<2xf64>
            %64 = agg.extract %p_4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %65 = agg.extract %p_4_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
            %66 = vector.broadcast %64 : f64 to vector<2xf64>
            %67 = vector.broadcast %65 : f64 to vector<2xf64>
            %68 = arith.mulf %62, %66 : vector<2xf64>
            %69 = arith.mulf %63, %66 : vector<2xf64>
            %70 = arith.mulf %67, %62 : vector<2xf64>
            %71 = arith.addf %69, %70 : vector<2xf64>
            %72 = vector.reduction <add>, %68 : vector<2xf64> into f64
            %73 = vector.reduction <add>, %71 : vector<2xf64> into f64
            %74 = arith.mulf %72, %cst_0 : f64
            %75 = arith.mulf %73, %cst_0 : f64
            %76 = agg.extract %p_4[] {path = array<i64: 1>} : (!t_orders) -> f64
            %77 = agg.extract %p_4_d[] {path = array<i64: 1>} : (!t_orders) -> f64
            %78 = arith.addf %76, %74 : f64
            %79 = arith.ori %arg50, %58 : i1
            %80 = arith.addf %77, %75 : f64
            %p_5 = agg.insert %78, %p_4[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
            %p_5_d = agg.insert %80, %p_4_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
            scf.yield %p_5, %p_5_d, %79 : !t_orders, !t_orders, i1
          }
          %81 = arith.andi %sqrtf_2, %c2_i32 : i32
          %82 = arith.cmpi ne, %81, %wrt00 : i32
          %83 = arith.select %82, %sqrtf_2, %transposed : i32
          %84 = arith.cmpi slt, %83, %c5_i32 : i32
          %85 = arith.select %84, %transposed, %sqrtf_2 : i32
          %86 = agg.extract %p_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
          %87 = agg.extract %p_3_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
          %88 = arith.mulf %86, %cst_2 : f64
          %89 = arith.mulf %87, %cst_2 : f64
          %90 = math.powf %cst_1, %88 : f64
          %91 = arith.mulf %90, %cst_3 : f64
          %92 = arith.mulf %89, %91 : f64
          %93 = arith.select %23, %92, %cst : f64
          %94:3 = func.call @wrt10.gated(%85, %90, %23, %93) : (i32, f64, i1, f64) -> (f64, i1, f64)
          %95 = math.sin %94#0 : f64
          %96 = math.cos %94#0 : f64
          %97 = arith.mulf %94#2, %96 : f64
          %98 = agg.extract %p_3[] {path = array<i64: 0>} : (!t_orders) -> f64
          %99 = agg.extract %p_3_d[] {path = array<i64: 0>} : (!t_orders) -> f64
          %100 = arith.addf %98, %95 : f64
          %101 = arith.ori %arg47, %94#1 : i1
          %102 = arith.addf %99, %97 : f64
          %p_6 = agg.insert %100, %p_3[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
          %p_6_d = agg.insert %102, %p_3_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
          scf.yield %p_6, %sqrtf_2, %p_6_d, %101, %59 : !t_orders, i32, !t_orders, i1, i1
        }
        %103 = arith.addi %arg27, %54 : index
        %104 = arith.addi %arg28, %c1 : index
        %105 = arith.select %29, %104, %c3 : index
        %106 = arith.select %29, %104, %arg28 : index
        %107 = agg.insert %103, %arg29[%105] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
        %108 = agg.insert %55#0, %arg30[%105] {path = array<i64: -1>} : (!t_orders, !t_array, index) -> !t_array
        %109 = agg.insert %55#2, %arg34[%105] {path = array<i64: -1>} : (!t_orders, !t_array, index) -> !t_array
        %110 = arith.ori %55#3, %55#4 : i1
        %111 = arith.ori %110, %23 : i1
        %112 = arith.ori %arg36, %111 : i1
        %113 = agg.insert %55#1, %arg31[%105] {path = array<i64: -1>} : (i32, !agg.array<4, i32>, index) -> !agg.array<4, i32>
        scf.yield %103, %106, %107, %108, %113, %55#0, %55#1, %109, %55#2, %112, %55#3, %55#4 : index, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, i32, !t_array, !t_orders, i1, i1, i1
      }
      %sqrtf_2_0 = arith.addi %26#6, %c-1_i32_0 : i32
      %114 = agg.zero {unread} : !agg.array<2, f64>
      %115 = agg.zero : !agg.array<2, f64>
      %p_3_0, %116, %117, %p_3_d_0, %118, %119, %120, %121 = scf.for %arg51 = %c0 to %c2_0 step %c1 iter_args(%p_4_0 = %26#5, %arg52 = %114, %arg53 = %114, %p_4_d_0 = %26#8, %arg54 = %115, %arg55 = %115, %arg56 = %false, %arg57 = %false) -> (!t_orders, !agg.array<2, f64>, !agg.array<2, f64>, !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, i1, i1) {
        %122 = agg.extract %p_4_0[] {path = array<i64: 0>} : (!t_orders) -> f64
        %123 = agg.extract %p_4_d_0[] {path = array<i64: 0>} : (!t_orders) -> f64
        %124 = vector.broadcast %122 : f64 to vector<2xf64>
        %125 = vector.broadcast %123 : f64 to vector<2xf64>
        %126 = agg.extract %p_4_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %127 = agg.extract %p_4_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %128 = vector.broadcast %126 : f64 to vector<2xf64>
        %129 = vector.broadcast %127 : f64 to vector<2xf64>
        %130 = arith.mulf %124, %128 : vector<2xf64>
        %131 = arith.mulf %125, %128 : vector<2xf64>
        %132 = arith.mulf %129, %124 : vector<2xf64>
        %133 = arith.addf %131, %132 : vector<2xf64>
        %134 = vector.reduction <add>, %130 : vector<2xf64> into f64
        %135 = vector.reduction <add>, %133 : vector<2xf64> into f64
        %136 = arith.mulf %134, %cst_4 : f64
        %137 = arith.mulf %135, %cst_4 : f64
        %138 = agg.extract %p_4_0[] {path = array<i64: 1>} : (!t_orders) -> f64
        %139 = agg.extract %p_4_d_0[] {path = array<i64: 1>} : (!t_orders) -> f64
        %140 = arith.addf %138, %136 : f64
        %141 = arith.addf %139, %137 : f64
        %p_5_0 = agg.insert %140, %p_4_0[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d_0 = agg.insert %141, %p_4_d_0[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %142 = agg.insert %122, %arg52[%arg51] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %143 = agg.insert %123, %arg54[%arg51] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %144 = arith.ori %arg56, %26#10 : i1
        %145 = agg.insert %126, %arg53[%arg51] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %146 = agg.insert %127, %arg55[%arg51] {path = array<i64: -1>} : (f64, !agg.array<2, f64>, index) -> !agg.array<2, f64>
        %147 = arith.ori %arg57, %23 : i1
        scf.yield %p_5_0, %142, %145, %p_5_d_0, %143, %146, %144, %147 : !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, !t_orders, !agg.array<2, f64>, !agg.array<2, f64>, i1, i1
      }
      %148 = arith.andi %sqrtf_2_0, %c2_i32_0 : i32
      %149 = arith.cmpi ne, %148, %wrt00 : i32
      %150 = arith.select %149, %sqrtf_2_0, %transposed : i32
      %151 = arith.cmpi slt, %150, %c5_i32_0 : i32
      %cosf = arith.select %151, %transposed, %sqrtf_2_0 : i32
      %152 = agg.extract %p_3_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %153 = agg.extract %p_3_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %154 = arith.mulf %152, %cst_6 : f64
      %155 = arith.mulf %153, %cst_6 : f64
      %x = math.powf %cst_5, %154 : f64
      %156 = arith.mulf %x, %cst_7 : f64
      %157 = arith.mulf %155, %156 : f64
      %x_d = arith.select %23, %157, %cst : f64
      %158 = arith.mulf %x_d, %cst_7 : f64
      %159 = arith.andi %cosf, %c3_i32 : i32
      %160 = arith.cmpi eq, %159, %wrt00 : i32
      %161 = arith.select %160, %23, %false : i1
      %result, %result_d = scf.if %160 -> (!t_arith, !t_arith_Differential) {
        %162 = arith.mulf %x, %cst_6 : f64
        %163 = arith.mulf %x_d, %cst_6 : f64
        %init = agg.make %162 : (f64) -> !t_super
        %init_d = agg.make %163 : (f64) -> !t_super
        %c1_i32_2 = arith.constant 1 : i32
        %164 = agg.zero : !t_of00
        %result_0 = agg.make %c1_i32_2, %init, %164 : (i32, !t_super, !t_of00) -> !t_arith
        %result_0_d = agg.make %init_d, %164 : (!t_super, !t_of00) -> !t_arith_Differential
        scf.yield %result_0, %result_0_d : !t_arith, !t_arith_Differential
      } else {
        %cst_10 = arith.constant 1.5 : f64
        %165 = arith.mulf %x, %cst_10 : f64
        %166 = arith.mulf %x_d, %cst_10 : f64
        %init_0 = agg.make %165 : (f64) -> !t_of00
        %init_0_d = agg.make %166 : (f64) -> !t_of00
        %167 = agg.zero : !t_super
        %result_1 = agg.make %c2_i32_0, %167, %init_0 : (i32, !t_super, !t_of00) -> !t_arith
        %result_1_d = agg.make %167, %init_0_d : (!t_super, !t_of00) -> !t_arith_Differential
        scf.yield %result_1, %result_1_d : !t_arith, !t_arith_Differential
      }
      %168 = arith.extsi %159 : i32 to i64
      %169 = arith.maxsi %168, %c0_i64 : i64
      %170 = arith.index_cast %169 : i64 to index
      %init_0_0, %tex, %init_0_d_0, %tex_d, %171, %172 = scf.for %arg58 = %c0 to %170 step %c1 iter_args(%init_1 = %result, %tex_0 = %x, %init_1_d = %result_d, %tex_0_d = %x_d, %arg59 = %161, %arg60 = %23) -> (!t_arith, f64, !t_arith_Differential, f64, i1, i1) {
        %get_0 = arith.index_cast %arg58 : index to i32
        %173 = agg.extract %init_1[] {path = array<i64: 0>} : (!t_arith) -> i32
        %174 = arith.index_cast %173 : i32 to index
        %175:3 = scf.index_switch %174 -> f64, f64, i1
        case 1 {
          %wrt0 = agg.extract %init_1[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
          %wrt0_d = agg.extract %init_1_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          scf.yield %wrt0, %wrt0_d, %arg59 : f64, f64, i1
        }
        case 2 {
          scf.yield %cst, %cst, %false : f64, f64, i1
        }
        default {
          scf.yield %cst, %cst, %false : f64, f64, i1
        }
        %tex_1 = math.sin %175#0 : f64
        %176 = math.cos %175#0 : f64
        %tex_1_d = arith.mulf %175#1, %176 : f64
        %177 = arith.andi %get_0, %c1_i32 : i32
        %178 = arith.cmpi eq, %177, %wrt00 : i32
        %init_2, %init_2_d, %179 = scf.if %178 -> (!t_arith, !t_arith_Differential, i1) {
          %180 = arith.addi %cosf, %get_0 : i32
          %181 = arith.andi %180, %c3_i32 : i32
          %182 = arith.cmpi eq, %181, %wrt00 : i32
          %183 = arith.select %182, %175#2, %false : i1
          %result_2, %result_d_0 = scf.if %182 -> (!t_arith, !t_arith_Differential) {
            %184 = arith.mulf %tex_1, %cst_6 : f64
            %185 = arith.mulf %tex_1_d, %cst_6 : f64
            %init_3 = agg.make %184 : (f64) -> !t_super
            %init_d_0 = agg.make %185 : (f64) -> !t_super
            %186 = agg.zero : !t_of00
            %result_0_0 = agg.make %c1_i32, %init_3, %186 : (i32, !t_super, !t_of00) -> !t_arith
            %result_0_d_0 = agg.make %init_d_0, %186 : (!t_super, !t_of00) -> !t_arith_Differential
            scf.yield %result_0_0, %result_0_d_0 : !t_arith, !t_arith_Differential
          } else {
            %cst_11 = arith.constant 1.5 : f64
            %187 = arith.mulf %tex_1, %cst_11 : f64
            %188 = arith.mulf %tex_1_d, %cst_11 : f64
            %init_0_1 = agg.make %187 : (f64) -> !t_of00
            %init_0_d_1 = agg.make %188 : (f64) -> !t_of00
            %189 = agg.zero : !t_super
            %result_1_0 = agg.make %c2_i32_0, %189, %init_0_1 : (i32, !t_super, !t_of00) -> !t_arith
            %result_1_d_0 = agg.make %189, %init_0_d_1 : (!t_super, !t_of00) -> !t_arith_Differential
            scf.yield %result_1_0, %result_1_d_0 : !t_arith, !t_arith_Differential
          }
          scf.yield %result_2, %result_d_0, %183 : !t_arith, !t_arith_Differential, i1
        } else {
          scf.yield %init_1, %init_1_d, %arg59 : !t_arith, !t_arith_Differential, i1
        }
        scf.yield %init_2, %tex_1, %init_2_d, %tex_1_d, %179, %175#2 : !t_arith, f64, !t_arith_Differential, f64, i1, i1
      }
      %190 = agg.extract %init_0_0[] {path = array<i64: 0>} : (!t_arith) -> i32
      %191 = arith.index_cast %190 : i32 to index
      %192:3 = scf.index_switch %191 -> f64, f64, i1
      case 1 {
        %wrt0_0 = agg.extract %init_0_0[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
        %wrt0_d_0 = agg.extract %init_0_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        scf.yield %wrt0_0, %wrt0_d_0, %171 : f64, f64, i1
      }
      case 2 {
        scf.yield %cst, %cst, %false : f64, f64, i1
      }
      default {
        scf.yield %cst, %cst, %false : f64, f64, i1
      }
      %193 = arith.mulf %192#0, %cst_6 : f64
      %194 = arith.mulf %192#1, %cst_6 : f64
      %195 = arith.addf %tex, %193 : f64
      %196 = arith.ori %172, %192#2 : i1
      %197 = arith.addf %tex_d, %194 : f64
      %198 = math.cos %195 : f64
      %199 = math.sin %195 : f64
      %200 = arith.negf %199 : f64
      %201 = arith.mulf %197, %200 : f64
      %202 = agg.extract %arg5[] {path = array<i64: 0>} : (!t_orders) -> f64
      %203 = agg.extract %arg10[] {path = array<i64: 0>} : (!t_orders) -> f64
      %204 = strong.gated_mulf %202, %198 : f64
      %205 = strong.gated_mulf %203, %198 : f64
      %206 = arith.select %arg12, %205, %cst : f64
      %207 = strong.gated_mulf %202, %201 : f64
      %208 = arith.select %196, %207, %cst : f64
      %209 = arith.ori %arg12, %196 : i1
      %210 = arith.addf %206, %208 : f64
      %211 = arith.mulf %204, %cst_6 : f64
      %212 = arith.mulf %210, %cst_6 : f64
      %213:3 = scf.index_switch %191 -> !t_super, !t_super, i1
      case 1 {
        %215 = agg.make %211 : (f64) -> !t_super
        %216 = agg.make %212 : (f64) -> !t_super
        scf.yield %215, %216, %209 : !t_super, !t_super, i1
      }
      case 2 {
        %217 = agg.zero : !t_super
        scf.yield %217, %217, %false : !t_super, !t_super, i1
      }
      default {
        %214 = agg.zero : !t_super
        scf.yield %214, %214, %false : !t_super, !t_super, i1
      }
      %218 = agg.make %213#0, %10 : (!t_super, !t_of00) -> !t_arith_Differential
      %219 = agg.make %213#1, %10 : (!t_super, !t_of00) -> !t_arith_Differential
      %220 = arith.addf %204, %cst : f64
      %221 = agg.make %result, %11, %11, %11 : (!t_arith, !t_arith, !t_arith, !t_arith) -> !agg.array<4, !t_arith>
      %222 = agg.make %result_d, %12, %12, %12 : (!t_arith_Differential, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential) -> !t_array_0
      %223 = arith.addi %170, %c-1 : index
      %224:12 = scf.for %arg61 = %c0 to %170 step %c1 iter_args(%arg62 = %218, %arg63 = %220, %arg64 = %c0, %arg65 = %4, %arg66 = %221, %arg67 = %219, %arg68 = %210, %arg69 = %222, %arg70 = %213#2, %arg71 = %false, %arg72 = %209, %arg73 = %true) -> (!t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith_Differential, f64, !t_array_0, i1, i1, i1, i1) {
        %225 = arith.subi %223, %arg61 : index
        %226 = agg.extract %arg65[%arg64] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
        %227 = arith.cmpi sgt, %226, %225 : index
        %228 = arith.addi %arg64, %c-1 : index
        %229 = arith.select %227, %228, %arg64 : index
        %230 = agg.extract %arg65[%229] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
        %231 = agg.extract %arg66[%229] {path = array<i64: -1>} : (!agg.array<4, !t_arith>, index) -> !t_arith
        %232 = agg.extract %arg69[%229] {path = array<i64: -1>} : (!t_array_0, index) -> !t_arith_Differential
        %233 = arith.cmpi ult, %229, %c4 : index
        %234 = arith.andi %arg73, %233 : i1
        %235:10 = scf.while (%arg74 = %230, %arg75 = %229, %arg76 = %arg65, %arg77 = %arg66, %arg78 = %231, %arg79 = %arg69, %arg80 = %232, %arg81 = %arg73, %arg82 = %234, %arg83 = %234) : (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith, !t_array_0, !t_arith_Differential, i1, i1, i1) -> (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith, !t_array_0, !t_arith_Differential, i1, i1, i1) {
          %236 = arith.cmpi slt, %arg74, %225 : index
          scf.condition(%236) %arg74, %arg75, %arg76, %arg77, %arg78, %arg79, %arg80, %arg81, %arg82, %arg83 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith, !t_array_0, !t_arith_Differential, i1, i1, i1
        } do {
        ^bb0(%arg84: index, %arg85: index, %arg86: !agg.array<4, index>, %arg87: !agg.array<4, !t_arith>, %arg88: !t_arith, %arg89: !t_array_0, %arg90: !t_arith_Differential, %arg91: i1, %arg92: i1, %arg93: i1):
          %237 = arith.subi %c2_0, %arg85 : index
          %238 = arith.cmpi sgt, %237, %c0 : index
          %239 = arith.subi %225, %arg84 : index
          %240 = arith.addi %239, %c1 : index
          %241 = arith.maxui %237, %c1 : index
          %242 = arith.addi %241, %c1 : index
          %243:2 = scf.while (%arg94 = %c1, %arg95 = %c0) : (index, index) -> (index, index) {
            %244 = arith.cmpi slt, %arg94, %240 : index
            scf.condition(%244) %arg94, %arg95 : index, index
          } do {
          ^bb0(%arg96: index, %arg97: index):
            %245 = arith.addi %arg97, %c1 : index
            %246 = arith.addi %242, %245 : index
            %247 = arith.muli %arg96, %246 : index
            %248 = arith.divui %247, %245 : index
            scf.yield %248, %245 : index, index
          }
          %249 = arith.muli %243#0, %242 : index
          %250 = arith.addi %242, %243#1 : index
          %251 = arith.divui %249, %250 : index
          %252 = arith.muli %243#0, %243#1 : index
          %253 = arith.divui %252, %250 : index
          %254 = arith.addi %243#1, %c-1 : index
          %255 = arith.muli %253, %254 : index
          %256 = arith.addi %250, %c-1 : index
          %257 = arith.divui %255, %256 : index
          %258 = arith.maxui %257, %c1 : index
          %259 = arith.subi %240, %258 : index
          %260 = arith.minui %251, %259 : index
          %261 = arith.maxui %260, %c1 : index
          %262 = arith.subi %240, %261 : index
          %263 = arith.select %238, %262, %239 : index
          %264:4 = scf.for %arg98 = %c0 to %263 step %c1 iter_args(%arg99 = %arg88, %arg100 = %arg90, %arg101 = %arg92, %arg102 = %arg93) -> (!t_arith, !t_arith_Differential, i1, i1) {
            %265 = arith.addi %arg84, %arg98 : index
            %get_0_0 = arith.index_cast %265 : index to i32
            %266 = agg.extract %arg99[] {path = array<i64: 0>} : (!t_arith) -> i32
            %267 = arith.index_cast %266 : i32 to index
            %268:3 = scf.index_switch %267 -> f64, f64, i1
            case 1 {
              %wrt0_1 = agg.extract %arg99[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
              %wrt0_d_1 = agg.extract %arg100[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
              scf.yield %wrt0_1, %wrt0_d_1, %arg101 : f64, f64, i1
            }
            case 2 {
              scf.yield %cst, %cst, %false : f64, f64, i1
            }
            default {
              scf.yield %cst, %cst, %false : f64, f64, i1
            }
            %tex_1_0 = math.sin %268#0 : f64
            %269 = math.cos %268#0 : f64
            %tex_1_d_0 = arith.mulf %268#1, %269 : f64
            %270 = arith.andi %get_0_0, %c1_i32_0 : i32
            %271 = arith.cmpi eq, %270, %wrt00 : i32
            %init_2_0, %init_2_d_0, %272, %273 = scf.if %271 -> (!t_arith, !t_arith_Differential, i1, i1) {
              %274 = arith.addi %cosf, %get_0_0 : i32
              %275 = arith.andi %274, %c3_i32 : i32
              %276 = arith.cmpi eq, %275, %wrt00 : i32
              %277 = arith.select %276, %268#2, %false : i1
              %278 = arith.select %276, %false, %268#2 : i1
              %result_3, %result_d_1 = scf.if %276 -> (!t_arith, !t_arith_Differential) {
                %279 = arith.mulf %tex_1_0, %cst_6 : f64
                %280 = arith.mulf %tex_1_d_0, %cst_6 : f64
                %init_4 = agg.make %279 : (f64) -> !t_super
                %init_d_1 = agg.make %280 : (f64) -> !t_super
                %result_0_1 = agg.make %c1_i32_0, %init_4, %10 : (i32, !t_super, !t_of00) -> !t_arith
                %result_0_d_1 = agg.make %init_d_1, %10 : (!t_super, !t_of00) -> !t_arith_Differential
                scf.yield %result_0_1, %result_0_d_1 : !t_arith, !t_arith_Differential
              } else {
                %cst_12 = arith.constant 1.5 : f64
                %281 = arith.mulf %tex_1_0, %cst_12 : f64
                %282 = arith.mulf %tex_1_d_0, %cst_12 : f64
                %init_0_2 = agg.make %281 : (f64) -> !t_of00
                %init_0_d_2 = agg.make %282 : (f64) -> !t_of00
                %283 = agg.zero : !t_super
                %result_1_1 = agg.make %c2_i32_0, %283, %init_0_2 : (i32, !t_super, !t_of00) -> !t_arith
                %result_1_d_1 = agg.make %283, %init_0_d_2 : (!t_super, !t_of00) -> !t_arith_Differential
                scf.yield %result_1_1, %result_1_d_1 : !t_arith, !t_arith_Differential
              }
              scf.yield %result_3, %result_d_1, %277, %278 : !t_arith, !t_arith_Differential, i1, i1
            } else {
              scf.yield %arg99, %arg100, %arg101, %arg102 : !t_arith, !t_arith_Differential, i1, i1
            }
            scf.yield %init_2_0, %init_2_d_0, %272, %273 : !t_arith, !t_arith_Differential, i1, i1
          }
          %284 = arith.addi %arg84, %263 : index
          %285 = arith.addi %arg85, %c1 : index
          %286 = arith.select %238, %285, %c3_0 : index
          %287 = arith.select %238, %285, %arg85 : index
          %288 = agg.insert %284, %arg86[%286] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
          %289 = agg.insert %264#0, %arg87[%286] {path = array<i64: -1>} : (!t_arith, !agg.array<4, !t_arith>, index) -> !agg.array<4, !t_arith>
          %290 = agg.insert %264#1, %arg89[%286] {path = array<i64: -1>} : (!t_arith_Differential, !t_array_0, index) -> !t_array_0
          %291 = arith.ori %264#2, %264#3 : i1
          %292 = arith.ori %arg91, %291 : i1
          scf.yield %284, %287, %288, %289, %264#0, %290, %264#1, %292, %264#2, %264#3 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith, !t_array_0, !t_arith_Differential, i1, i1, i1
        }
        %get_0_1 = arith.index_cast %225 : index to i32
        %293 = agg.extract %235#4[] {path = array<i64: 0>} : (!t_arith) -> i32
        %294 = arith.index_cast %293 : i32 to index
        %295:3 = scf.index_switch %294 -> f64, f64, i1
        case 1 {
          %wrt0_2 = agg.extract %235#4[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
          %wrt0_d_2 = agg.extract %235#6[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          scf.yield %wrt0_2, %wrt0_d_2, %235#8 : f64, f64, i1
        }
        case 2 {
          scf.yield %cst, %cst, %false : f64, f64, i1
        }
        default {
          scf.yield %cst, %cst, %false : f64, f64, i1
        }
        %tex_1_1 = math.sin %295#0 : f64
        %296 = math.cos %295#0 : f64
        %297 = arith.negf %tex_1_1 : f64
        %298 = arith.mulf %295#1, %297 : f64
        %299 = arith.andi %get_0_1, %c1_i32_1 : i32
        %300 = arith.cmpi eq, %299, %wrt00 : i32
        %301 = scf.if %300 -> (!t_jvpp_primal_Context) {
          %302 = arith.addi %cosf, %get_0_1 : i32
          %303 = arith.andi %302, %c3_i32 : i32
          %304 = arith.cmpi eq, %303, %wrt00 : i32
          %305 = agg.make %304 : (i1) -> !t_jvpp_primal_Context
          scf.yield %305 : !t_jvpp_primal_Context
        } else {
          %306 = agg.zero : !t_jvpp_primal_Context
          scf.yield %306 : !t_jvpp_primal_Context
        }
        %307 = scf.if %300 -> (!t_arith_Differential) {
          scf.yield %12 : !t_arith_Differential
        } else {
          scf.yield %arg67 : !t_arith_Differential
        }
        %308 = arith.select %300, %false, %arg70 : i1
        %309 = arith.select %300, %false, %arg71 : i1
        %310 = scf.if %300 -> (!t_arith_Differential) {
          scf.yield %12 : !t_arith_Differential
        } else {
          scf.yield %arg62 : !t_arith_Differential
        }
        %311:3 = scf.if %300 -> (f64, f64, i1) {
          %312 = agg.extract %301[] {path = array<i64: 0>} : (!t_jvpp_primal_Context) -> i1
          %313 = arith.select %312, %arg70, %arg71 : i1
          %314:2 = scf.if %312 -> (f64, f64) {
            %315 = agg.extract %arg62[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
            %316 = agg.extract %arg67[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
            %317 = arith.mulf %315, %cst_6 : f64
            %318 = arith.mulf %316, %cst_6 : f64
            scf.yield %317, %318 : f64, f64
          } else {
            %cst_13 = arith.constant 1.5 : f64
            %319 = agg.extract %arg62[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
            %320 = agg.extract %arg67[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
            %321 = arith.mulf %319, %cst_13 : f64
            %322 = arith.mulf %320, %cst_13 : f64
            scf.yield %321, %322 : f64, f64
          }
          %323 = arith.addf %arg63, %314#0 : f64
          %324 = arith.ori %arg72, %313 : i1
          %325 = arith.addf %arg68, %314#1 : f64
          scf.yield %323, %325, %324 : f64, f64, i1
        } else {
          scf.yield %arg63, %arg68, %arg72 : f64, f64, i1
        }
        %326 = strong.gated_mulf %311#0, %296 : f64
        %327 = strong.gated_mulf %311#1, %296 : f64
        %328 = arith.select %311#2, %327, %cst : f64
        %329 = strong.gated_mulf %311#0, %298 : f64
        %330 = arith.select %295#2, %329, %cst : f64
        %331 = arith.ori %311#2, %295#2 : i1
        %332 = arith.addf %328, %330 : f64
        %333:3 = scf.index_switch %294 -> !t_super, !t_super, i1
        case 1 {
          %335 = agg.make %326 : (f64) -> !t_super
          %336 = agg.make %332 : (f64) -> !t_super
          scf.yield %335, %336, %331 : !t_super, !t_super, i1
        }
        case 2 {
          %337 = agg.zero : !t_super
          scf.yield %337, %337, %false : !t_super, !t_super, i1
        }
        default {
          %334 = agg.zero : !t_super
          scf.yield %334, %334, %false : !t_super, !t_super, i1
        }
        %338 = agg.extract %310[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %339 = agg.extract %307[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %340 = agg.extract %333#0[] {path = array<i64: 0>} : (!t_super) -> f64
        %341 = agg.extract %333#1[] {path = array<i64: 0>} : (!t_super) -> f64
        %342 = arith.addf %338, %340 : f64
        %343 = arith.ori %308, %333#2 : i1
        %344 = arith.addf %339, %341 : f64
        %345 = agg.make %342 : (f64) -> !t_super
        %346 = agg.make %344 : (f64) -> !t_super
        %347 = agg.extract %310[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
        %348 = agg.extract %307[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
        %349 = arith.addf %347, %cst : f64
        %350 = arith.addf %348, %cst : f64
        %351 = agg.make %349 : (f64) -> !t_of00
        %352 = agg.make %350 : (f64) -> !t_of00
        %353 = agg.make %345, %351 : (!t_super, !t_of00) -> !t_arith_Differential
        %354 = agg.make %346, %352 : (!t_super, !t_of00) -> !t_arith_Differential
        scf.yield %353, %cst, %235#1, %235#2, %235#3, %354, %cst, %235#5, %343, %309, %false, %235#7 : !t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith_Differential, f64, !t_array_0, i1, i1, i1, i1
      }
      %355 = arith.select %160, %224#8, %224#9 : i1
      %356:2 = scf.if %160 -> (f64, f64) {
        %357 = agg.extract %224#0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %358 = agg.extract %224#5[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %359 = arith.mulf %357, %cst_6 : f64
        %360 = arith.mulf %358, %cst_6 : f64
        scf.yield %359, %360 : f64, f64
      } else {
        %cst_14 = arith.constant 1.5 : f64
        %361 = agg.extract %224#0[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
        %362 = agg.extract %224#5[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
        %363 = arith.mulf %361, %cst_14 : f64
        %364 = arith.mulf %362, %cst_14 : f64
        scf.yield %363, %364 : f64, f64
      }
      %365 = arith.addf %224#1, %356#0 : f64
      %366 = arith.ori %224#10, %355 : i1
      %367 = arith.addf %224#6, %356#1 : f64
      %368 = strong.gated_mulf %365, %156 : f64
      %369 = strong.gated_mulf %367, %156 : f64
      %370 = arith.select %366, %369, %cst : f64
      %371 = strong.gated_mulf %365, %158 : f64
      %372 = arith.select %23, %371, %cst : f64
      %373 = arith.ori %366, %23 : i1
      %374 = arith.addf %370, %372 : f64
      %375 = arith.mulf %368, %cst_6 : f64
      %376 = arith.mulf %374, %cst_6 : f64
      %377 = agg.extract %arg5[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %378 = agg.extract %arg10[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %379 = arith.addf %377, %375 : f64
      %380 = arith.ori %arg13, %373 : i1
      %381 = arith.addf %378, %376 : f64
      %382 = agg.insert %379, %arg5[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
      %383 = agg.insert %381, %arg10[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
      %384 = vector.broadcast %120 : i1 to vector<2xi1>
      %385 = vector.broadcast %121 : i1 to vector<2xi1>
      %386 = vector.reduction <or>, %384 : vector<2xi1> into i1
      %387 = vector.reduction <or>, %385 : vector<2xi1> into i1
      %388:4 = scf.for %arg103 = %c0 to %c2_0 step %c1 iter_args(%arg104 = %382, %arg105 = %383, %arg106 = %arg12, %arg107 = %380) -> (!t_orders, !t_orders, i1, i1) {
        %389 = arith.subi %c1, %arg103 : index
        %390 = agg.extract %116[%389] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %391 = agg.extract %118[%389] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %392 = agg.extract %117[%389] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %393 = agg.extract %119[%389] {path = array<i64: -1>} : (!agg.array<2, f64>, index) -> f64
        %x_0 = vector.broadcast %390 : f64 to vector<2xf64>
        %x_d_0 = vector.broadcast %391 : f64 to vector<2xf64>
        %y = vector.broadcast %392 : f64 to vector<2xf64>
        %y_d = vector.broadcast %393 : f64 to vector<2xf64>
        %394 = agg.extract %arg104[] {path = array<i64: 1>} : (!t_orders) -> f64
        %395 = arith.mulf %394, %cst_8 : f64
        %396 = vector.broadcast %395 : f64 to vector<2xf64>
        %397 = strong.gated_mulf %396, %x_0 : vector<2xf64>
        %398 = strong.gated_mulf %396, %x_d_0 : vector<2xf64>
        %399 = arith.select %384, %398, %cst_9 : vector<2xi1>, vector<2xf64>
        %400 = arith.addf %399, %cst_9 : vector<2xf64>
        %401 = strong.gated_mulf %396, %y : vector<2xf64>
        %402 = strong.gated_mulf %396, %y_d : vector<2xf64>
        %403 = arith.select %385, %402, %cst_9 : vector<2xi1>, vector<2xf64>
        %404 = arith.addf %403, %cst_9 : vector<2xf64>
        %405 = vector.reduction <add>, %397 : vector<2xf64> into f64
        %406 = vector.reduction <add>, %400 : vector<2xf64> into f64
        %407 = agg.extract %arg104[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %408 = agg.extract %arg105[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %409 = arith.addf %407, %405 : f64
        %410 = arith.ori %arg107, %386 : i1
        %411 = arith.addf %408, %406 : f64
        %412 = agg.insert %409, %arg104[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
        %413 = agg.insert %411, %arg105[] {path = array<i64: 2, 0>} : (f64, !t_orders) -> !t_orders
        %414 = vector.reduction <add>, %401 : vector<2xf64> into f64
        %415 = vector.reduction <add>, %404 : vector<2xf64> into f64
        %416 = agg.extract %arg104[] {path = array<i64: 0>} : (!t_orders) -> f64
        %417 = agg.extract %arg105[] {path = array<i64: 0>} : (!t_orders) -> f64
        %418 = arith.addf %416, %414 : f64
        %419 = arith.ori %arg106, %387 : i1
        %420 = arith.addf %417, %415 : f64
        %421 = agg.insert %418, %412[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
        %422 = agg.insert %420, %413[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
        scf.yield %421, %422, %419, %410 : !t_orders, !t_orders, i1, i1
      }
      scf.yield %388#0, %26#1, %26#2, %26#3, %26#4, %388#1, %26#7, %388#2, %388#3, %26#9 : !t_orders, index, !agg.array<4, index>, !t_array, !agg.array<4, i32>, !t_orders, !t_array, i1, i1, i1
    }
    func.return %13#0, %true, %true, %true, %13#7, %false, %13#8, %13#5 : !t_orders, i1, i1, i1, i1, i1, i1, !t_orders
  }
  func.func private @wrt10.primal.gated(%cosf: i32, %x: f64, %arg0: i1, %x_d: f64) -> (f64, !t_wrt10_primal_Context, i1, i1, i1, i1, i1, i1, f64, !t_wrt10_primal_Context_Differential) attributes {ad.gated, differentiable = "both"} {
    %c3_i32 = arith.constant 3 : i32
    %0 = arith.andi %cosf, %c3_i32 : i32
    %get = arith.constant 0 : i32
    %1 = arith.cmpi eq, %0, %get : i32
    %false = arith.constant false
    %2 = arith.select %1, %arg0, %false : i1
    %3 = arith.select %1, %false, %arg0 : i1
    %result, %result_d = scf.if %1 -> (!t_arith, !t_arith_Differential) {
      %cst = arith.constant 0.5 : f64
      %4 = arith.mulf %x, %cst : f64
      %5 = arith.mulf %x_d, %cst : f64
      %init = agg.make %4 : (f64) -> !t_super
      %init_d = agg.make %5 : (f64) -> !t_super
      %c1_i32 = arith.constant 1 : i32
      %6 = agg.zero : !t_of00
      %result_0 = agg.make %c1_i32, %init, %6 : (i32, !t_super, !t_of00) -> !t_arith
      %result_0_d = agg.make %init_d, %6 : (!t_super, !t_of00) -> !t_arith_Differential
      scf.yield %result_0, %result_0_d : !t_arith, !t_arith_Differential
    } else {
      %cst_0 = arith.constant 1.5 : f64
      %7 = arith.mulf %x, %cst_0 : f64
      %8 = arith.mulf %x_d, %cst_0 : f64
      %init_0 = agg.make %7 : (f64) -> !t_of00
      %init_0_d = agg.make %8 : (f64) -> !t_of00
      %c2_i32 = arith.constant 2 : i32
      %9 = agg.zero : !t_super
      %result_1 = agg.make %c2_i32, %9, %init_0 : (i32, !t_super, !t_of00) -> !t_arith
      %result_1_d = agg.make %9, %init_0_d : (!t_super, !t_of00) -> !t_arith_Differential
      scf.yield %result_1, %result_1_d : !t_arith, !t_arith_Differential
    }
    %10 = agg.make %1 : (i1) -> !t_jvpp_primal_Context
    %c0_i64 = arith.constant 0 : i64
    %11 = arith.extsi %0 : i32 to i64
    %12 = arith.maxsi %11, %c0_i64 : i64
    %13 = arith.index_cast %12 : i64 to index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst_1 = arith.constant 0.0 : f64
    %c1_i32_0 = arith.constant 1 : i32
    %init_0_0, %tex, %init_0_d_0, %tex_d, %14, %15 = scf.for %arg1 = %c0 to %13 step %c1 iter_args(%init_1 = %result, %tex_0 = %x, %init_1_d = %result_d, %tex_0_d = %x_d, %arg2 = %2, %arg3 = %arg0) -> (!t_arith, f64, !t_arith_Differential, f64, i1, i1) {
      %get_0 = arith.index_cast %arg1 : index to i32
      %16 = agg.extract %init_1[] {path = array<i64: 0>} : (!t_arith) -> i32
      %17 = arith.index_cast %16 : i32 to index
      %18:3 = scf.index_switch %17 -> f64, f64, i1
      case 1 {
        %wrt0 = agg.extract %init_1[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
        %wrt0_d = agg.extract %init_1_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        scf.yield %wrt0, %wrt0_d, %arg2 : f64, f64, i1
      }
      case 2 {
        scf.yield %cst_1, %cst_1, %false : f64, f64, i1
      }
      default {
        scf.yield %cst_1, %cst_1, %false : f64, f64, i1
      }
      %tex_1 = math.sin %18#0 : f64
      %19 = math.cos %18#0 : f64
      %tex_1_d = arith.mulf %18#1, %19 : f64
      %20 = arith.andi %get_0, %c1_i32_0 : i32
      %21 = arith.cmpi eq, %20, %get : i32
      %init_2, %init_2_d, %22 = scf.if %21 -> (!t_arith, !t_arith_Differential, i1) {
        %23 = arith.addi %cosf, %get_0 : i32
        %24 = arith.andi %23, %c3_i32 : i32
        %25 = arith.cmpi eq, %24, %get : i32
        %26 = arith.select %25, %18#2, %false : i1
        %result_2, %result_d_0 = scf.if %25 -> (!t_arith, !t_arith_Differential) {
          %cst_2 = arith.constant 0.5 : f64
          %27 = arith.mulf %tex_1, %cst_2 : f64
          %28 = arith.mulf %tex_1_d, %cst_2 : f64
          %init_3 = agg.make %27 : (f64) -> !t_super
          %init_d_0 = agg.make %28 : (f64) -> !t_super
          %29 = agg.zero : !t_of00
          %result_0_0 = agg.make %c1_i32_0, %init_3, %29 : (i32, !t_super, !t_of00) -> !t_arith
          %result_0_d_0 = agg.make %init_d_0, %29 : (!t_super, !t_of00) -> !t_arith_Differential
          scf.yield %result_0_0, %result_0_d_0 : !t_arith, !t_arith_Differential
        } else {
          %cst_3 = arith.constant 1.5 : f64
          %30 = arith.mulf %tex_1, %cst_3 : f64
          %31 = arith.mulf %tex_1_d, %cst_3 : f64
          %init_0_1 = agg.make %30 : (f64) -> !t_of00
          %init_0_d_1 = agg.make %31 : (f64) -> !t_of00
          %c2_i32_0 = arith.constant 2 : i32
          %32 = agg.zero : !t_super
          %result_1_0 = agg.make %c2_i32_0, %32, %init_0_1 : (i32, !t_super, !t_of00) -> !t_arith
          %result_1_d_0 = agg.make %32, %init_0_d_1 : (!t_super, !t_of00) -> !t_arith_Differential
          scf.yield %result_1_0, %result_1_d_0 : !t_arith, !t_arith_Differential
        }
        scf.yield %result_2, %result_d_0, %26 : !t_arith, !t_arith_Differential, i1
      } else {
        scf.yield %init_1, %init_1_d, %arg2 : !t_arith, !t_arith_Differential, i1
      }
      scf.yield %init_2, %tex_1, %init_2_d, %tex_1_d, %22, %18#2 : !t_arith, f64, !t_arith_Differential, f64, i1, i1
    }
    %cst_4 = arith.constant 0.5 : f64
    %cst_5 = arith.constant 0.0 : f64
    %33 = agg.extract %init_0_0[] {path = array<i64: 0>} : (!t_arith) -> i32
    %34 = arith.index_cast %33 : i32 to index
    %35:4 = scf.index_switch %34 -> f64, !t_super_part_primal_Context, f64, i1
    case 1 {
      %wrt0_0 = agg.extract %init_0_0[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
      %wrt0_d_0 = agg.extract %init_0_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
      %37 = agg.make : () -> !t_super_part_primal_Context
      scf.yield %wrt0_0, %37, %wrt0_d_0, %14 : f64, !t_super_part_primal_Context, f64, i1
    }
    case 2 {
      %38 = agg.zero : !t_super_part_primal_Context
      scf.yield %cst_5, %38, %cst_5, %false : f64, !t_super_part_primal_Context, f64, i1
    }
    default {
      %36 = agg.zero : !t_super_part_primal_Context
      scf.yield %cst_5, %36, %cst_5, %false : f64, !t_super_part_primal_Context, f64, i1
    }
    %39 = agg.make %33, %35#1 : (i32, !t_super_part_primal_Context) -> !t_arith_part_primal_Context
    %40 = arith.mulf %35#0, %cst_4 : f64
    %41 = arith.mulf %35#2, %cst_4 : f64
    %42 = arith.addf %tex, %40 : f64
    %43 = arith.ori %15, %35#3 : i1
    %44 = arith.addf %tex_d, %41 : f64
    %45 = agg.make %cosf, %39, %result, %x, %10 : (i32, !t_arith_part_primal_Context, !t_arith, f64, !t_jvpp_primal_Context) -> !t_wrt10_primal_Context
    %46 = agg.zero : !t_arith_part_primal_Context_Differential
    %47 = agg.zero : !t_jvpp_primal_Context_Differential
    %48 = agg.make %46, %result_d, %x_d, %47 : (!t_arith_part_primal_Context_Differential, !t_arith_Differential, f64, !t_jvpp_primal_Context_Differential) -> !t_wrt10_primal_Context_Differential
    func.return %42, %45, %43, %false, %2, %3, %arg0, %false, %44, %48 : f64, !t_wrt10_primal_Context, i1, i1, i1, i1, i1, i1, f64, !t_wrt10_primal_Context_Differential
  }
  func.func private @jvpp.primal.gated(%cosf: i32, %x: f64, %arg0: i1, %x_d: f64) -> (!t_arith, !t_jvpp_primal_Context, i1, i1, !t_arith_Differential) attributes {ad.gated, differentiable = "both"} {
    %c3_i32 = arith.constant 3 : i32
    %0 = arith.andi %cosf, %c3_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi eq, %0, %c0_i32 : i32
    %false = arith.constant false
    %2 = arith.select %1, %arg0, %false : i1
    %3 = arith.select %1, %false, %arg0 : i1
    %result, %result_d = scf.if %1 -> (!t_arith, !t_arith_Differential) {
      %cst = arith.constant 0.5 : f64
      %4 = arith.mulf %x, %cst : f64
      %5 = arith.mulf %x_d, %cst : f64
      %init = agg.make %4 : (f64) -> !t_super
      %init_d = agg.make %5 : (f64) -> !t_super
      %c1_i32 = arith.constant 1 : i32
      %6 = agg.zero : !t_of00
      %result_0 = agg.make %c1_i32, %init, %6 : (i32, !t_super, !t_of00) -> !t_arith
      %result_0_d = agg.make %init_d, %6 : (!t_super, !t_of00) -> !t_arith_Differential
      scf.yield %result_0, %result_0_d : !t_arith, !t_arith_Differential
    } else {
      %cst_0 = arith.constant 1.5 : f64
      %7 = arith.mulf %x, %cst_0 : f64
      %8 = arith.mulf %x_d, %cst_0 : f64
      %init_0 = agg.make %7 : (f64) -> !t_of00
      %init_0_d = agg.make %8 : (f64) -> !t_of00
      %c2_i32 = arith.constant 2 : i32
      %9 = agg.zero : !t_super
      %result_1 = agg.make %c2_i32, %9, %init_0 : (i32, !t_super, !t_of00) -> !t_arith
      %result_1_d = agg.make %9, %init_0_d : (!t_super, !t_of00) -> !t_arith_Differential
      scf.yield %result_1, %result_1_d : !t_arith, !t_arith_Differential
    }
    %10 = agg.make %1 : (i1) -> !t_jvpp_primal_Context
    func.return %result, %10, %2, %3, %result_d : !t_arith, !t_jvpp_primal_Context, i1, i1, !t_arith_Differential
  }
  func.func private @arith.part.primal.gated(%this: !t_arith, %x: f64, %cosf: i32, %arg0: i1, %arg1: i1, %arg2: i1, %this_d: !t_arith_Differential, %x_d: f64) -> (f64, !t_arith_part_primal_Context, i1, f64) attributes {ad.gated, differentiable = "both"} {
    %cst = arith.constant 0.0 : f64
    %0 = agg.extract %this[] {path = array<i64: 0>} : (!t_arith) -> i32
    %1 = arith.index_cast %0 : i32 to index
    %2:4 = scf.index_switch %1 -> f64, !t_super_part_primal_Context, f64, i1
    case 1 {
      %wrt0 = agg.extract %this[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
      %wrt0_d = agg.extract %this_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
      %4 = agg.make : () -> !t_super_part_primal_Context
      scf.yield %wrt0, %4, %wrt0_d, %arg0 : f64, !t_super_part_primal_Context, f64, i1
    }
    case 2 {
      %5 = agg.zero : !t_super_part_primal_Context
      %false_0 = arith.constant false
      scf.yield %cst, %5, %cst, %false_0 : f64, !t_super_part_primal_Context, f64, i1
    }
    default {
      %3 = agg.zero : !t_super_part_primal_Context
      %false = arith.constant false
      scf.yield %cst, %3, %cst, %false : f64, !t_super_part_primal_Context, f64, i1
    }
    %6 = agg.make %0, %2#1 : (i32, !t_super_part_primal_Context) -> !t_arith_part_primal_Context
    func.return %2#0, %6, %2#3, %2#2 : f64, !t_arith_part_primal_Context, i1, f64
  }
  func.func private @super.part.primal.gated(%this: !t_super, %x: f64, %cosf: i32, %arg0: i1, %arg1: i1, %this_d: !t_super, %x_d: f64) -> (f64, !t_super_part_primal_Context, i1, f64) attributes {ad.gated, differentiable = "both"} {
    %wrt0 = agg.extract %this[] {path = array<i64: 0>} : (!t_super) -> f64
    %wrt0_d = agg.extract %this_d[] {path = array<i64: 0>} : (!t_super) -> f64
    %0 = agg.make : () -> !t_super_part_primal_Context
    func.return %wrt0, %0, %arg0, %wrt0_d : f64, !t_super_part_primal_Context, i1, f64
  }
  func.func private @wrt10.unsure.gated(%context: !t_wrt10_primal_Context, %arg0: f64, %arg1: i1, %arg2: i1, %arg3: i1, %arg4: i1, %arg5: i1, %arg6: i1, %context_d: !t_wrt10_primal_Context_Differential, %arg7: f64) -> (f64, i1, i1, f64) attributes {ad.gated, differentiable = "both"} {
    %cosf = agg.extract %context[] {path = array<i64: 0>} : (!t_wrt10_primal_Context) -> i32
    %init = agg.extract %context[] {path = array<i64: 2>} : (!t_wrt10_primal_Context) -> !t_arith
    %init_d = agg.extract %context_d[] {path = array<i64: 1>} : (!t_wrt10_primal_Context_Differential) -> !t_arith_Differential
    %get = arith.constant 0 : i32
    %c3_i32 = arith.constant 3 : i32
    %0 = arith.andi %cosf, %c3_i32 : i32
    %c0_i64 = arith.constant 0 : i64
    %1 = arith.extsi %0 : i32 to i64
    %2 = arith.maxsi %1, %c0_i64 : i64
    %3 = arith.index_cast %2 : i64 to index
    %cst = arith.constant 0.5 : f64
    %4 = arith.mulf %arg0, %cst : f64
    %5 = arith.mulf %arg7, %cst : f64
    %6 = agg.extract %context[] {path = array<i64: 1, 0>} : (!t_wrt10_primal_Context) -> i32
    %7 = arith.index_cast %6 : i32 to index
    %cst_0 = arith.constant 0.0 : f64
    %8:3 = scf.index_switch %7 -> !t_super, !t_super, i1
    case 1 {
      %10 = agg.make %4 : (f64) -> !t_super
      %11 = agg.make %5 : (f64) -> !t_super
      scf.yield %10, %11, %arg6 : !t_super, !t_super, i1
    }
    case 2 {
      %12 = agg.zero : !t_super
      %false_0 = arith.constant false
      scf.yield %12, %12, %false_0 : !t_super, !t_super, i1
    }
    default {
      %9 = agg.zero : !t_super
      %false = arith.constant false
      scf.yield %9, %9, %false : !t_super, !t_super, i1
    }
    %13 = agg.zero : !t_of00
    %14 = agg.make %8#0, %13 : (!t_super, !t_of00) -> !t_arith_Differential
    %15 = agg.make %8#1, %13 : (!t_super, !t_of00) -> !t_arith_Differential
    %false_1 = arith.constant false
    %16 = arith.addf %arg0, %cst_0 : f64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %17 = agg.zero : !agg.array<4, index>
    %18 = agg.zero : !t_arith
    %19 = agg.make %init, %18, %18, %18 : (!t_arith, !t_arith, !t_arith, !t_arith) -> !agg.array<4, !t_arith>
    %20 = agg.zero : !t_arith_Differential
    %21 = agg.make %init_d, %20, %20, %20 : (!t_arith_Differential, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential) -> !t_array_0
    %true = arith.constant true
    %c-1 = arith.constant -1 : index
    %22 = arith.addi %3, %c-1 : index
    %c4 = arith.constant 4 : index
    %c2 = arith.constant 2 : index
    %c1_i32 = arith.constant 1 : i32
    %c3 = arith.constant 3 : index
    %c1_i32_0 = arith.constant 1 : i32
    %23:12 = scf.for %arg8 = %c0 to %3 step %c1 iter_args(%arg9 = %14, %arg10 = %16, %arg11 = %c0, %arg12 = %17, %arg13 = %19, %arg14 = %15, %arg15 = %arg7, %arg16 = %21, %arg17 = %8#2, %arg18 = %false_1, %arg19 = %arg6, %arg20 = %true) -> (!t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith_Differential, f64, !t_array_0, i1, i1, i1, i1) {
      %24 = arith.subi %22, %arg8 : index
      %25 = agg.extract %arg12[%arg11] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
      %26 = arith.cmpi sgt, %25, %24 : index
      %27 = arith.addi %arg11, %c-1 : index
      %28 = arith.select %26, %27, %arg11 : index
      %29 = agg.extract %arg12[%28] {path = array<i64: -1>} : (!agg.array<4, index>, index) -> index
      %30 = agg.extract %arg13[%28] {path = array<i64: -1>} : (!agg.array<4, !t_arith>, index) -> !t_arith
      %31 = agg.extract %arg16[%28] {path = array<i64: -1>} : (!t_array_0, index) -> !t_arith_Differential
      %32 = arith.cmpi ult, %28, %c4 : index
      %33 = arith.andi %arg20, %32 : i1
      %34:10 = scf.while (%arg21 = %29, %arg22 = %28, %arg23 = %arg12, %arg24 = %arg13, %arg25 = %30, %arg26 = %arg16, %arg27 = %31, %arg28 = %arg20, %arg29 = %33, %arg30 = %33) : (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith, !t_array_0, !t_arith_Differential, i1, i1, i1) -> (index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith, !t_array_0, !t_arith_Differential, i1, i1, i1) {
        %35 = arith.cmpi slt, %arg21, %24 : index
        scf.condition(%35) %arg21, %arg22, %arg23, %arg24, %arg25, %arg26, %arg27, %arg28, %arg29, %arg30 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith, !t_array_0, !t_arith_Differential, i1, i1, i1
      } do {
      ^bb0(%arg31: index, %arg32: index, %arg33: !agg.array<4, index>, %arg34: !agg.array<4, !t_arith>, %arg35: !t_arith, %arg36: !t_array_0, %arg37: !t_arith_Differential, %arg38: i1, %arg39: i1, %arg40: i1):
        %36 = arith.subi %c2, %arg32 : index
        %37 = arith.cmpi sgt, %36, %c0 : index
        %38 = arith.subi %24, %arg31 : index
        %39 = arith.addi %38, %c1 : index
        %40 = arith.maxui %36, %c1 : index
        %41 = arith.addi %40, %c1 : index
        %42:2 = scf.while (%arg41 = %c1, %arg42 = %c0) : (index, index) -> (index, index) {
          %43 = arith.cmpi slt, %arg41, %39 : index
          scf.condition(%43) %arg41, %arg42 : index, index
        } do {
        ^bb0(%arg43: index, %arg44: index):
          %44 = arith.addi %arg44, %c1 : index
          %45 = arith.addi %41, %44 : index
          %46 = arith.muli %arg43, %45 : index
          %47 = arith.divui %46, %44 : index
          scf.yield %47, %44 : index, index
        }
        %48 = arith.muli %42#0, %41 : index
        %49 = arith.addi %41, %42#1 : index
        %50 = arith.divui %48, %49 : index
        %51 = arith.muli %42#0, %42#1 : index
        %52 = arith.divui %51, %49 : index
        %53 = arith.addi %42#1, %c-1 : index
        %54 = arith.muli %52, %53 : index
        %55 = arith.addi %49, %c-1 : index
        %56 = arith.divui %54, %55 : index
        %57 = arith.maxui %56, %c1 : index
        %58 = arith.subi %39, %57 : index
        %59 = arith.minui %50, %58 : index
        %60 = arith.maxui %59, %c1 : index
        %61 = arith.subi %39, %60 : index
        %62 = arith.select %37, %61, %38 : index
        %63:4 = scf.for %arg45 = %c0 to %62 step %c1 iter_args(%arg46 = %arg35, %arg47 = %arg37, %arg48 = %arg39, %arg49 = %arg40) -> (!t_arith, !t_arith_Differential, i1, i1) {
          %64 = arith.addi %arg31, %arg45 : index
          %get_0 = arith.index_cast %64 : index to i32
          %65 = agg.extract %arg46[] {path = array<i64: 0>} : (!t_arith) -> i32
          %66 = arith.index_cast %65 : i32 to index
          %67:3 = scf.index_switch %66 -> f64, f64, i1
          case 1 {
            %wrt0 = agg.extract %arg46[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
            %wrt0_d = agg.extract %arg47[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
            scf.yield %wrt0, %wrt0_d, %arg48 : f64, f64, i1
          }
          case 2 {
            scf.yield %cst_0, %cst_0, %false_1 : f64, f64, i1
          }
          default {
            scf.yield %cst_0, %cst_0, %false_1 : f64, f64, i1
          }
          %tex_1 = math.sin %67#0 : f64
          %68 = math.cos %67#0 : f64
          %tex_1_d = arith.mulf %67#1, %68 : f64
          %69 = arith.andi %get_0, %c1_i32 : i32
          %70 = arith.cmpi eq, %69, %get : i32
          %init_2, %init_2_d, %71, %72 = scf.if %70 -> (!t_arith, !t_arith_Differential, i1, i1) {
            %73 = arith.addi %cosf, %get_0 : i32
            %74 = arith.andi %73, %c3_i32 : i32
            %75 = arith.cmpi eq, %74, %get : i32
            %76 = arith.select %75, %67#2, %false_1 : i1
            %77 = arith.select %75, %false_1, %67#2 : i1
            %result, %result_d = scf.if %75 -> (!t_arith, !t_arith_Differential) {
              %78 = arith.mulf %tex_1, %cst : f64
              %79 = arith.mulf %tex_1_d, %cst : f64
              %init_0 = agg.make %78 : (f64) -> !t_super
              %init_d_0 = agg.make %79 : (f64) -> !t_super
              %result_0 = agg.make %c1_i32, %init_0, %13 : (i32, !t_super, !t_of00) -> !t_arith
              %result_0_d = agg.make %init_d_0, %13 : (!t_super, !t_of00) -> !t_arith_Differential
              scf.yield %result_0, %result_0_d : !t_arith, !t_arith_Differential
            } else {
              %cst_1 = arith.constant 1.5 : f64
              %80 = arith.mulf %tex_1, %cst_1 : f64
              %81 = arith.mulf %tex_1_d, %cst_1 : f64
              %init_0_0 = agg.make %80 : (f64) -> !t_of00
              %init_0_d = agg.make %81 : (f64) -> !t_of00
              %c2_i32 = arith.constant 2 : i32
              %82 = agg.zero : !t_super
              %result_1 = agg.make %c2_i32, %82, %init_0_0 : (i32, !t_super, !t_of00) -> !t_arith
              %result_1_d = agg.make %82, %init_0_d : (!t_super, !t_of00) -> !t_arith_Differential
              scf.yield %result_1, %result_1_d : !t_arith, !t_arith_Differential
            }
            scf.yield %result, %result_d, %76, %77 : !t_arith, !t_arith_Differential, i1, i1
          } else {
            scf.yield %arg46, %arg47, %arg48, %arg49 : !t_arith, !t_arith_Differential, i1, i1
          }
          scf.yield %init_2, %init_2_d, %71, %72 : !t_arith, !t_arith_Differential, i1, i1
        }
        %83 = arith.addi %arg31, %62 : index
        %84 = arith.addi %arg32, %c1 : index
        %85 = arith.select %37, %84, %c3 : index
        %86 = arith.select %37, %84, %arg32 : index
        %87 = agg.insert %83, %arg33[%85] {path = array<i64: -1>} : (index, !agg.array<4, index>, index) -> !agg.array<4, index>
        %88 = agg.insert %63#0, %arg34[%85] {path = array<i64: -1>} : (!t_arith, !agg.array<4, !t_arith>, index) -> !agg.array<4, !t_arith>
        %89 = agg.insert %63#1, %arg36[%85] {path = array<i64: -1>} : (!t_arith_Differential, !t_array_0, index) -> !t_array_0
        %90 = arith.ori %63#2, %63#3 : i1
        %91 = arith.ori %arg38, %90 : i1
        scf.yield %83, %86, %87, %88, %63#0, %89, %63#1, %91, %63#2, %63#3 : index, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith, !t_array_0, !t_arith_Differential, i1, i1, i1
      }
      %get_0_0 = arith.index_cast %24 : index to i32
      %92 = agg.extract %34#4[] {path = array<i64: 0>} : (!t_arith) -> i32
      %93 = arith.index_cast %92 : i32 to index
      %94:3 = scf.index_switch %93 -> f64, f64, i1
      case 1 {
        %wrt0_0 = agg.extract %34#4[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
        %wrt0_d_0 = agg.extract %34#6[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        scf.yield %wrt0_0, %wrt0_d_0, %34#8 : f64, f64, i1
      }
      case 2 {
        scf.yield %cst_0, %cst_0, %false_1 : f64, f64, i1
      }
      default {
        scf.yield %cst_0, %cst_0, %false_1 : f64, f64, i1
      }
      %tex_1_0 = math.sin %94#0 : f64
      %95 = math.cos %94#0 : f64
      %96 = arith.negf %tex_1_0 : f64
      %97 = arith.mulf %94#1, %96 : f64
      %98 = arith.andi %get_0_0, %c1_i32_0 : i32
      %99 = arith.cmpi eq, %98, %get : i32
      %100 = scf.if %99 -> (!t_jvpp_primal_Context) {
        %101 = arith.addi %cosf, %get_0_0 : i32
        %102 = arith.andi %101, %c3_i32 : i32
        %103 = arith.cmpi eq, %102, %get : i32
        %104 = agg.make %103 : (i1) -> !t_jvpp_primal_Context
        scf.yield %104 : !t_jvpp_primal_Context
      } else {
        %105 = agg.zero : !t_jvpp_primal_Context
        scf.yield %105 : !t_jvpp_primal_Context
      }
      %106 = scf.if %99 -> (!t_arith_Differential) {
        scf.yield %20 : !t_arith_Differential
      } else {
        scf.yield %arg14 : !t_arith_Differential
      }
      %107 = arith.select %99, %false_1, %arg17 : i1
      %108 = arith.select %99, %false_1, %arg18 : i1
      %109 = scf.if %99 -> (!t_arith_Differential) {
        scf.yield %20 : !t_arith_Differential
      } else {
        scf.yield %arg9 : !t_arith_Differential
      }
      %110:3 = scf.if %99 -> (f64, f64, i1) {
        %111 = agg.extract %100[] {path = array<i64: 0>} : (!t_jvpp_primal_Context) -> i1
        %112 = arith.select %111, %arg17, %arg18 : i1
        %113:2 = scf.if %111 -> (f64, f64) {
          %114 = agg.extract %arg9[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          %115 = agg.extract %arg14[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          %116 = arith.mulf %114, %cst : f64
          %117 = arith.mulf %115, %cst : f64
          scf.yield %116, %117 : f64, f64
        } else {
          %cst_2 = arith.constant 1.5 : f64
          %118 = agg.extract %arg9[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
          %119 = agg.extract %arg14[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
          %120 = arith.mulf %118, %cst_2 : f64
          %121 = arith.mulf %119, %cst_2 : f64
          scf.yield %120, %121 : f64, f64
        }
        %122 = arith.addf %arg10, %113#0 : f64
        %123 = arith.ori %arg19, %112 : i1
        %124 = arith.addf %arg15, %113#1 : f64
        scf.yield %122, %124, %123 : f64, f64, i1
      } else {
        scf.yield %arg10, %arg15, %arg19 : f64, f64, i1
      }
      %125 = strong.gated_mulf %110#0, %95 : f64
      %126 = strong.gated_mulf %110#1, %95 : f64
      %127 = arith.select %110#2, %126, %cst_0 : f64
      %128 = strong.gated_mulf %110#0, %97 : f64
      %129 = arith.select %94#2, %128, %cst_0 : f64
      %130 = arith.ori %110#2, %94#2 : i1
      %131 = arith.addf %127, %129 : f64
      %132:3 = scf.index_switch %93 -> !t_super, !t_super, i1
      case 1 {
        %134 = agg.make %125 : (f64) -> !t_super
        %135 = agg.make %131 : (f64) -> !t_super
        scf.yield %134, %135, %130 : !t_super, !t_super, i1
      }
      case 2 {
        %136 = agg.zero : !t_super
        scf.yield %136, %136, %false_1 : !t_super, !t_super, i1
      }
      default {
        %133 = agg.zero : !t_super
        scf.yield %133, %133, %false_1 : !t_super, !t_super, i1
      }
      %137 = agg.extract %109[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
      %138 = agg.extract %106[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
      %139 = agg.extract %132#0[] {path = array<i64: 0>} : (!t_super) -> f64
      %140 = agg.extract %132#1[] {path = array<i64: 0>} : (!t_super) -> f64
      %141 = arith.addf %137, %139 : f64
      %142 = arith.ori %107, %132#2 : i1
      %143 = arith.addf %138, %140 : f64
      %144 = agg.make %141 : (f64) -> !t_super
      %145 = agg.make %143 : (f64) -> !t_super
      %146 = agg.extract %109[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
      %147 = agg.extract %106[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
      %148 = arith.addf %146, %cst_0 : f64
      %149 = arith.addf %147, %cst_0 : f64
      %150 = agg.make %148 : (f64) -> !t_of00
      %151 = agg.make %149 : (f64) -> !t_of00
      %152 = agg.make %144, %150 : (!t_super, !t_of00) -> !t_arith_Differential
      %153 = agg.make %145, %151 : (!t_super, !t_of00) -> !t_arith_Differential
      scf.yield %152, %cst_0, %34#1, %34#2, %34#3, %153, %cst_0, %34#5, %142, %108, %false_1, %34#7 : !t_arith_Differential, f64, index, !agg.array<4, index>, !agg.array<4, !t_arith>, !t_arith_Differential, f64, !t_array_0, i1, i1, i1, i1
    }
    %154 = agg.extract %context[] {path = array<i64: 4, 0>} : (!t_wrt10_primal_Context) -> i1
    %155 = arith.select %154, %23#8, %23#9 : i1
    %156:2 = scf.if %154 -> (f64, f64) {
      %157 = agg.extract %23#0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
      %158 = agg.extract %23#5[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
      %159 = arith.mulf %157, %cst : f64
      %160 = arith.mulf %158, %cst : f64
      scf.yield %159, %160 : f64, f64
    } else {
      %cst_3 = arith.constant 1.5 : f64
      %161 = agg.extract %23#0[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
      %162 = agg.extract %23#5[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
      %163 = arith.mulf %161, %cst_3 : f64
      %164 = arith.mulf %162, %cst_3 : f64
      scf.yield %163, %164 : f64, f64
    }
    %165 = arith.addf %23#1, %156#0 : f64
    %166 = arith.ori %23#10, %155 : i1
    %167 = arith.addf %23#6, %156#1 : f64
    func.return %165, %true, %166, %167 : f64, i1, i1, f64
  }
  func.func private @arith.part.unsure.gated(%context: !t_arith_part_primal_Context, %arg0: f64, %arg1: i1, %arg2: i1, %context_d: !t_arith_part_primal_Context_Differential, %arg3: f64) -> (!t_arith_Differential, f64, i1, i1, i1, i1, i1, !t_arith_Differential) attributes {ad.gated, differentiable = "both"} {
    %0 = agg.extract %context[] {path = array<i64: 0>} : (!t_arith_part_primal_Context) -> i32
    %1 = arith.index_cast %0 : i32 to index
    %cst = arith.constant 0.0 : f64
    %false = arith.constant false
    %2:4 = scf.index_switch %1 -> !t_super, i1, !t_super, i1
    case 1 {
      %4 = agg.make %arg0 : (f64) -> !t_super
      %5 = agg.make %arg3 : (f64) -> !t_super
      %true = arith.constant true
      scf.yield %4, %true, %5, %arg2 : !t_super, i1, !t_super, i1
    }
    case 2 {
      %6 = agg.zero : !t_super
      scf.yield %6, %false, %6, %false : !t_super, i1, !t_super, i1
    }
    default {
      %3 = agg.zero : !t_super
      scf.yield %3, %false, %3, %false : !t_super, i1, !t_super, i1
    }
    %7 = agg.zero : !t_of00
    %8 = agg.make %2#0, %7 : (!t_super, !t_of00) -> !t_arith_Differential
    %9 = agg.make %2#2, %7 : (!t_super, !t_of00) -> !t_arith_Differential
    func.return %8, %cst, %2#1, %false, %false, %2#3, %false, %9 : !t_arith_Differential, f64, i1, i1, i1, i1, i1, !t_arith_Differential
  }
  func.func private @super.part.unsure.gated(%context: !t_super_part_primal_Context, %arg0: f64, %arg1: i1, %arg2: i1, %context_d: !t_super_part_primal_Context, %arg3: f64) -> (!t_super, f64, i1, i1, i1, !t_super) attributes {ad.gated, differentiable = "both"} {
    %0 = agg.make %arg0 : (f64) -> !t_super
    %1 = agg.make %arg3 : (f64) -> !t_super
    %true = arith.constant true
    %cst = arith.constant 0.0 : f64
    %false = arith.constant false
    func.return %0, %cst, %true, %false, %arg2, %1 : !t_super, f64, i1, i1, i1, !t_super
  }
  func.func private @jvpp.unsure.wrt0100.gated(%context: !t_jvpp_primal_Context, %arg0: !t_arith_Differential, %arg1: i1, %arg2: i1, %arg3: i1, %arg4: i1, %arg5: !t_arith_Differential) -> (f64, i1, i1, f64) attributes {ad.gated, differentiable = "both"} {
    %0 = agg.extract %context[] {path = array<i64: 0>} : (!t_jvpp_primal_Context) -> i1
    %1 = arith.select %0, %arg1, %arg2 : i1
    %2 = arith.select %0, %arg3, %arg4 : i1
    %3:2 = scf.if %0 -> (f64, f64) {
      %cst = arith.constant 0.5 : f64
      %4 = agg.extract %arg0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
      %5 = agg.extract %arg5[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
      %6 = arith.mulf %4, %cst : f64
      %7 = arith.mulf %5, %cst : f64
      scf.yield %6, %7 : f64, f64
    } else {
      %cst_0 = arith.constant 1.5 : f64
      %8 = agg.extract %arg0[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
      %9 = agg.extract %arg5[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
      %10 = arith.mulf %8, %cst_0 : f64
      %11 = arith.mulf %9, %cst_0 : f64
      scf.yield %10, %11 : f64, f64
    }
    func.return %3#0, %1, %2, %3#1 : f64, i1, i1, f64
  }
  func.func private @arith.part.unsure.wrt01.gated(%context: !t_arith_part_primal_Context, %arg0: f64, %arg1: i1, %arg2: f64) -> (!t_arith_Differential, f64, i1, i1, i1, i1, i1, !t_arith_Differential) attributes {ad.gated, differentiable = "both"} {
    %0 = agg.extract %context[] {path = array<i64: 0>} : (!t_arith_part_primal_Context) -> i32
    %1 = arith.index_cast %0 : i32 to index
    %cst = arith.constant 0.0 : f64
    %false = arith.constant false
    %2:4 = scf.index_switch %1 -> !t_super, i1, !t_super, i1
    case 1 {
      %4 = agg.make %arg0 : (f64) -> !t_super
      %5 = agg.make %arg2 : (f64) -> !t_super
      %true = arith.constant true
      scf.yield %4, %true, %5, %arg1 : !t_super, i1, !t_super, i1
    }
    case 2 {
      %6 = agg.zero : !t_super
      scf.yield %6, %false, %6, %false : !t_super, i1, !t_super, i1
    }
    default {
      %3 = agg.zero : !t_super
      scf.yield %3, %false, %3, %false : !t_super, i1, !t_super, i1
    }
    %7 = agg.zero : !t_of00
    %8 = agg.make %2#0, %7 : (!t_super, !t_of00) -> !t_arith_Differential
    %9 = agg.make %2#2, %7 : (!t_super, !t_of00) -> !t_arith_Differential
    func.return %8, %cst, %2#1, %false, %false, %2#3, %false, %9 : !t_arith_Differential, f64, i1, i1, i1, i1, i1, !t_arith_Differential
  }
  func.func private @super.part.unsure.wrt01.fwd(%context: !t_super_part_primal_Context, %arg0: f64, %arg1: f64) -> (!t_super, f64, i1, i1, !t_super) attributes {differentiable = "both"} {
    %0 = agg.make %arg0 : (f64) -> !t_super
    %1 = agg.make %arg1 : (f64) -> !t_super
    %true = arith.constant true
    %cst = arith.constant 0.0 : f64
    %false = arith.constant false
    func.return %0, %cst, %true, %false, %1 : !t_super, f64, i1, i1, !t_super
  }
  func.func private @jvpp.unsure.gated(%context: !t_jvpp_primal_Context, %arg0: !t_arith_Differential, %arg1: i1, %arg2: i1, %arg3: i1, %arg4: i1, %arg5: i1, %context_d: !t_jvpp_primal_Context_Differential, %arg6: !t_arith_Differential) -> (f64, i1, i1, f64) attributes {ad.gated, differentiable = "both"} {
    %0 = agg.extract %context[] {path = array<i64: 0>} : (!t_jvpp_primal_Context) -> i1
    %1 = arith.select %0, %arg1, %arg2 : i1
    %2 = arith.select %0, %arg4, %arg5 : i1
    %3:2 = scf.if %0 -> (f64, f64) {
      %cst = arith.constant 0.5 : f64
      %4 = agg.extract %arg0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
      %5 = agg.extract %arg6[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
      %6 = arith.mulf %4, %cst : f64
      %7 = arith.mulf %5, %cst : f64
      scf.yield %6, %7 : f64, f64
    } else {
      %cst_0 = arith.constant 1.5 : f64
      %8 = agg.extract %arg0[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
      %9 = agg.extract %arg6[] {path = array<i64: 1, 0>} : (!t_arith_Differential) -> f64
      %10 = arith.mulf %8, %cst_0 : f64
      %11 = arith.mulf %9, %cst_0 : f64
      scf.yield %10, %11 : f64, f64
    }
    func.return %3#0, %1, %2, %3#1 : f64, i1, i1, f64
  }
  func.func private @dot.double.2.primal.of01.gated(%x: vector<2xf64>, %y: vector<2xf64>, %arg0: vector<2xi1>, %arg1: vector<2xi1>, %x_d: vector<2xf64>, %y_d: vector<2xf64>) -> (f64, !t_dot_double_2_primal_Context, vector<2xi1>, vector<2xi1>, !t_dot_double_2_primal_Context) attributes {ad.gated, differentiable = "both"} {
    %0 = arith.mulf %x, %y : vector<2xf64>
    %1 = vector.reduction <add>, %0 : vector<2xf64> into f64
    %2 = agg.make %x, %y : (vector<2xf64>, vector<2xf64>) -> !t_dot_double_2_primal_Context
    %3 = agg.make %x_d, %y_d : (vector<2xf64>, vector<2xf64>) -> !t_dot_double_2_primal_Context
    func.return %1, %2, %arg0, %arg1, %3 : f64, !t_dot_double_2_primal_Context, vector<2xi1>, vector<2xi1>, !t_dot_double_2_primal_Context
  }
  func.func private @dot.double.2.unsure.gated(%context: !t_dot_double_2_primal_Context, %arg0: f64, %arg1: vector<2xi1>, %arg2: vector<2xi1>, %arg3: i1, %context_d: !t_dot_double_2_primal_Context, %arg4: f64) -> (vector<2xf64>, vector<2xf64>, i1, i1, vector<2xi1>, vector<2xi1>, vector<2xf64>, vector<2xf64>) attributes {ad.gated, differentiable = "both"} {
    %x = agg.extract %context[] {path = array<i64: 0>} : (!t_dot_double_2_primal_Context) -> vector<2xf64>
    %x_d = agg.extract %context_d[] {path = array<i64: 0>} : (!t_dot_double_2_primal_Context) -> vector<2xf64>
    %y = agg.extract %context[] {path = array<i64: 1>} : (!t_dot_double_2_primal_Context) -> vector<2xf64>
    %y_d = agg.extract %context_d[] {path = array<i64: 1>} : (!t_dot_double_2_primal_Context) -> vector<2xf64>
    %0 = vector.broadcast %arg0 : f64 to vector<2xf64>
    %1 = vector.broadcast %arg4 : f64 to vector<2xf64>
    %2 = strong.gated_mulf %0, %x : vector<2xf64>
    %3 = strong.gated_mulf %1, %x : vector<2xf64>
    %cst = arith.constant dense<0.0> : vector<2xf64>
    %4 = arith.select %arg3, %3, %cst : vector<2xf64>
    %5 = strong.gated_mulf %0, %x_d : vector<2xf64>
    %6 = arith.select %arg1, %5, %cst : vector<2xi1>, vector<2xf64>
    %7 = vector.broadcast %arg3 : i1 to vector<2xi1>
    %8 = arith.ori %7, %arg1 : vector<2xi1>
    %9 = arith.addf %4, %6 : vector<2xf64>
    %10 = strong.gated_mulf %0, %y : vector<2xf64>
    %11 = strong.gated_mulf %1, %y : vector<2xf64>
    %12 = arith.select %arg3, %11, %cst : vector<2xf64>
    %13 = strong.gated_mulf %0, %y_d : vector<2xf64>
    %14 = arith.select %arg2, %13, %cst : vector<2xi1>, vector<2xf64>
    %15 = arith.ori %7, %arg2 : vector<2xi1>
    %16 = arith.addf %12, %14 : vector<2xf64>
    %true = arith.constant true
    func.return %10, %2, %true, %true, %15, %8, %16, %9 : vector<2xf64>, vector<2xf64>, i1, i1, vector<2xi1>, vector<2xi1>, vector<2xf64>, vector<2xf64>
  }
  func.func private @set.fwd(%x: !t_orders, %d: !t_orders, %differential: i32, %transposed: i32, %at: i32, %x_d: !t_orders) -> (f64, f64) attributes {differentiable = "both"} {
    %0 = agg.zero : !t_orders
    %true = arith.constant true
    %false = arith.constant false
    %c-1_i32 = arith.constant -1 : i32
    %wrt00 = arith.constant 0 : i32
    %c2 = arith.constant 2 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.25 : f64
    %c2_i32 = arith.constant 2 : i32
    %c5_i32 = arith.constant 5 : i32
    %cst_0 = arith.constant 1.7397127693021015 : f64
    %cst_1 = arith.constant 0.5 : f64
    %cst_2 = arith.constant 0.5537200244863067 : f64
    %c3_i32 = arith.constant 3 : i32
    %c0_i64 = arith.constant 0 : i64
    %cst_3 = arith.constant 0.0 : f64
    %c1_i32 = arith.constant 1 : i32
    %cst_4 = arith.constant 0.0 : f64
    %1 = arith.cmpi slt, %transposed, %c5_i32 : i32
    %2, %p_0, %sqrtf, %p_0_d, %p_0_d_0, %p_0_d_d = scf.while (%arg0 = %true, %p_1 = %x, %sqrtf_0 = %transposed, %p_1_d = %d, %p_1_d_0 = %x_d, %p_1_d_d = %0) : (i1, !t_orders, i32, !t_orders, !t_orders, !t_orders) -> (i1, !t_orders, i32, !t_orders, !t_orders, !t_orders) {
      scf.condition(%arg0) %arg0, %p_1, %sqrtf_0, %p_1_d, %p_1_d_0, %p_1_d_d : i1, !t_orders, i32, !t_orders, !t_orders, !t_orders
    } do {
    ^bb0(%arg1: i1, %p_2: !t_orders, %sqrtf_1: i32, %p_2_d: !t_orders, %p_2_d_0: !t_orders, %p_2_d_d: !t_orders):
      %sqrtf_2 = arith.addi %sqrtf_1, %c-1_i32 : i32
      %p_3, %p_3_d, %p_3_d_0, %p_3_d_d = scf.for %arg2 = %c0 to %c2 step %c1 iter_args(%p_4 = %p_2, %p_4_d = %p_2_d, %p_4_d_0 = %p_2_d_0, %p_4_d_d = %p_2_d_d) -> (!t_orders, !t_orders, !t_orders, !t_orders) {
        %3 = agg.extract %p_4[] {path = array<i64: 0>} : (!t_orders) -> f64
        %4 = agg.extract %p_4_d_0[] {path = array<i64: 0>} : (!t_orders) -> f64
        %5 = agg.extract %p_4_d[] {path = array<i64: 0>} : (!t_orders) -> f64
        %6 = agg.extract %p_4_d_d[] {path = array<i64: 0>} : (!t_orders) -> f64
        %7 = vector.broadcast %3 : f64 to vector<2xf64>
        %8 = vector.broadcast %4 : f64 to vector<2xf64>
        %9 = vector.broadcast %5 : f64 to vector<2xf64>
        %10 = vector.broadcast %6 : f64 to vector<2xf64>
        %11 = agg.extract %p_4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %12 = agg.extract %p_4_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %13 = agg.extract %p_4_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %14 = agg.extract %p_4_d_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %15 = vector.broadcast %11 : f64 to vector<2xf64>
        %16 = vector.broadcast %12 : f64 to vector<2xf64>
        %17 = vector.broadcast %13 : f64 to vector<2xf64>
        %18 = vector.broadcast %14 : f64 to vector<2xf64>
        %19 = arith.mulf %7, %15 : vector<2xf64>
        %20 = arith.mulf %8, %15 : vector<2xf64>
        %21 = arith.mulf %16, %7 : vector<2xf64>
        %22 = arith.addf %20, %21 : vector<2xf64>
        %23 = arith.mulf %9, %15 : vector<2xf64>
        %24 = arith.mulf %10, %15 : vector<2xf64>
        %25 = arith.mulf %16, %9 : vector<2xf64>
        %26 = arith.addf %24, %25 : vector<2xf64>
        %27 = arith.mulf %17, %7 : vector<2xf64>
        %28 = arith.mulf %18, %7 : vector<2xf64>
        %29 = arith.mulf %8, %17 : vector<2xf64>
        %30 = arith.addf %28, %29 : vector<2xf64>
        %31 = arith.addf %23, %27 : vector<2xf64>
        %32 = arith.addf %26, %30 : vector<2xf64>
        %33 = vector.reduction <add>, %19 : vector<2xf64> into f64
        %34 = vector.reduction <add>, %22 : vector<2xf64> into f64
        %35 = vector.reduction <add>, %31 : vector<2xf64> into f64
        %36 = vector.reduction <add>, %32 : vector<2xf64> into f64
        %37 = arith.mulf %33, %cst : f64
        %38 = arith.mulf %34, %cst : f64
        %39 = arith.mulf %35, %cst : f64
        %40 = arith.mulf %36, %cst : f64
        %41 = agg.extract %p_4[] {path = array<i64: 1>} : (!t_orders) -> f64
        %42 = agg.extract %p_4_d_0[] {path = array<i64: 1>} : (!t_orders) -> f64
        %43 = agg.extract %p_4_d[] {path = array<i64: 1>} : (!t_orders) -> f64
        %44 = agg.extract %p_4_d_d[] {path = array<i64: 1>} : (!t_orders) -> f64
        %45 = arith.addf %41, %37 : f64
        %46 = arith.addf %42, %38 : f64
        %47 = arith.addf %43, %39 : f64
        %48 = arith.addf %44, %40 : f64
        %p_5 = agg.insert %45, %p_4[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d = agg.insert %46, %p_4_d_0[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d_0 = agg.insert %47, %p_4_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d_d = agg.insert %48, %p_4_d_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        scf.yield %p_5, %p_5_d_0, %p_5_d, %p_5_d_d : !t_orders, !t_orders, !t_orders, !t_orders
      }
      %49 = arith.andi %sqrtf_2, %c2_i32 : i32
      %50 = arith.cmpi ne, %49, %wrt00 : i32
      %51 = arith.select %50, %sqrtf_2, %transposed : i32
      %52 = arith.cmpi slt, %51, %c5_i32 : i32
      %53 = arith.select %52, %transposed, %sqrtf_2 : i32
      %54 = agg.extract %p_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %55 = agg.extract %p_3_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %56 = agg.extract %p_3_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %57 = agg.extract %p_3_d_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %58 = arith.mulf %54, %cst_1 : f64
      %59 = arith.mulf %55, %cst_1 : f64
      %60 = arith.mulf %56, %cst_1 : f64
      %61 = arith.mulf %57, %cst_1 : f64
      %62 = math.powf %cst_0, %58 : f64
      %63 = arith.mulf %62, %cst_2 : f64
      %64 = arith.mulf %59, %63 : f64
      %65 = arith.mulf %64, %cst_2 : f64
      %66 = arith.mulf %60, %63 : f64
      %67 = arith.mulf %61, %63 : f64
      %68 = arith.mulf %65, %60 : f64
      %69 = arith.addf %67, %68 : f64
      %init, %init_d, %70, %71, %72, %73, %init_d_0, %init_d_d = func.call @jvpp.fwd.gated(%53, %62, %66, %true, %true, %64, %69) : (i32, f64, f64, i1, i1, f64, f64) -> (!t_arith, !t_arith_Differential, i1, i1, i1, i1, !t_arith_Differential, !t_arith_Differential)
      %74 = arith.andi %53, %c3_i32 : i32
      %75 = arith.extsi %74 : i32 to i64
      %76 = arith.maxsi %75, %c0_i64 : i64
      %77 = arith.index_cast %76 : i64 to index
      %init_0, %tex, %init_0_d, %tex_d, %init_0_d_0, %tex_d_0, %init_0_d_d, %tex_d_d, %78, %79 = scf.for %arg3 = %c0 to %77 step %c1 iter_args(%init_1 = %init, %tex_0 = %62, %init_1_d = %init_d, %tex_0_d = %66, %init_1_d_0 = %init_d_0, %tex_0_d_0 = %64, %init_1_d_d = %init_d_d, %tex_0_d_d = %69, %arg4 = %70, %arg5 = %72) -> (!t_arith, f64, !t_arith_Differential, f64, !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1) {
        %get_0 = arith.index_cast %arg3 : index to i32
        %80 = agg.extract %init_1[] {path = array<i64: 0>} : (!t_arith) -> i32
        %81 = arith.index_cast %80 : i32 to index
        %82:6 = scf.index_switch %81 -> f64, f64, f64, f64, i1, i1
        case 1 {
          %wrt0 = agg.extract %init_1[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
          %wrt0_d = agg.extract %init_1_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          %wrt0_d_0 = agg.extract %init_1_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          %wrt0_d_d = agg.extract %init_1_d_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          scf.yield %wrt0, %wrt0_d_0, %wrt0_d, %wrt0_d_d, %arg4, %arg5 : f64, f64, f64, f64, i1, i1
        }
        case 2 {
          scf.yield %cst_3, %cst_3, %cst_3, %cst_3, %false, %false : f64, f64, f64, f64, i1, i1
        }
        default {
          scf.yield %cst_3, %cst_3, %cst_3, %cst_3, %false, %false : f64, f64, f64, f64, i1, i1
        }
        %tex_1 = math.sin %82#0 : f64
        %83 = math.cos %82#0 : f64
        %tex_1_d = arith.mulf %82#2, %83 : f64
        %84 = arith.negf %tex_1 : f64
        %85 = arith.mulf %82#2, %84 : f64
        %tex_1_d_0 = arith.mulf %82#1, %83 : f64
        %86 = arith.mulf %82#3, %83 : f64
        %87 = arith.mulf %85, %82#1 : f64
        %88 = arith.ori %82#5, %82#4 : i1
        %tex_1_d_d = arith.addf %86, %87 : f64
        %89 = arith.andi %get_0, %c1_i32 : i32
        %90 = arith.cmpi eq, %89, %wrt00 : i32
        %init_2, %init_2_d, %init_2_d_0, %init_2_d_d, %91, %92 = scf.if %90 -> (!t_arith, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential, i1, i1) {
          %93 = arith.addi %53, %get_0 : i32
          %init_3, %init_3_d, %94, %95, %96, %97, %init_3_d_0, %init_3_d_d = func.call @jvpp.fwd.gated(%93, %tex_1, %tex_1_d_0, %82#4, %88, %tex_1_d, %tex_1_d_d) : (i32, f64, f64, i1, i1, f64, f64) -> (!t_arith, !t_arith_Differential, i1, i1, i1, i1, !t_arith_Differential, !t_arith_Differential)
          scf.yield %init_3, %init_3_d, %init_3_d_0, %init_3_d_d, %94, %96 : !t_arith, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential, i1, i1
        } else {
          scf.yield %init_1, %init_1_d, %init_1_d_0, %init_1_d_d, %arg4, %arg5 : !t_arith, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential, i1, i1
        }
        scf.yield %init_2, %tex_1, %init_2_d, %tex_1_d_0, %init_2_d_0, %tex_1_d, %init_2_d_d, %tex_1_d_d, %91, %92 : !t_arith, f64, !t_arith_Differential, f64, !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1
      } {ad.snapshots = 3}
      %98 = agg.extract %init_0[] {path = array<i64: 0>} : (!t_arith) -> i32
      %99 = arith.index_cast %98 : i32 to index
      %100:4 = scf.index_switch %99 -> f64, f64, f64, f64
      case 1 {
        %wrt0_0 = agg.extract %init_0[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
        %wrt0_d_1 = agg.extract %init_0_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %wrt0_d_2 = agg.extract %init_0_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %wrt0_d_d_0 = agg.extract %init_0_d_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        scf.yield %wrt0_0, %wrt0_d_2, %wrt0_d_1, %wrt0_d_d_0 : f64, f64, f64, f64
      }
      case 2 {
        scf.yield %cst_4, %cst_4, %cst_4, %cst_4 : f64, f64, f64, f64
      }
      default {
        scf.yield %cst_4, %cst_4, %cst_4, %cst_4 : f64, f64, f64, f64
      }
      %101 = arith.mulf %100#0, %cst_1 : f64
      %102 = arith.mulf %100#2, %cst_1 : f64
      %103 = arith.mulf %100#1, %cst_1 : f64
      %104 = arith.mulf %100#3, %cst_1 : f64
      %105 = arith.addf %tex, %101 : f64
      %106 = arith.addf %tex_d_0, %102 : f64
      %107 = arith.addf %tex_d, %103 : f64
      %108 = arith.addf %tex_d_d, %104 : f64
      %109 = math.sin %105 : f64
      %110 = math.cos %105 : f64
      %111 = arith.mulf %106, %110 : f64
      %112 = arith.negf %109 : f64
      %113 = arith.mulf %106, %112 : f64
      %114 = arith.mulf %107, %110 : f64
      %115 = arith.mulf %108, %110 : f64
      %116 = arith.mulf %113, %107 : f64
      %117 = arith.addf %115, %116 : f64
      %118 = agg.extract %p_3[] {path = array<i64: 0>} : (!t_orders) -> f64
      %119 = agg.extract %p_3_d_0[] {path = array<i64: 0>} : (!t_orders) -> f64
      %120 = agg.extract %p_3_d[] {path = array<i64: 0>} : (!t_orders) -> f64
      %121 = agg.extract %p_3_d_d[] {path = array<i64: 0>} : (!t_orders) -> f64
      %122 = arith.addf %118, %109 : f64
      %123 = arith.addf %119, %111 : f64
      %124 = arith.addf %120, %114 : f64
      %125 = arith.addf %121, %117 : f64
      %p_6 = agg.insert %122, %p_3[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %p_6_d = agg.insert %123, %p_3_d_0[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %p_6_d_0 = agg.insert %124, %p_3_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %p_6_d_d = agg.insert %125, %p_3_d_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %126 = arith.cmpi sgt, %sqrtf_2, %wrt00 : i32
      %127 = arith.select %126, %1, %false : i1
      scf.yield %127, %p_6, %sqrtf_2, %p_6_d_0, %p_6_d, %p_6_d_d : i1, !t_orders, i32, !t_orders, !t_orders, !t_orders
    } attributes {ad.snapshots = 3}
    %128 = agg.extract %p_0_d[] {path = array<i64: 1>} : (!t_orders) -> f64
    %129 = agg.extract %p_0_d_d[] {path = array<i64: 1>} : (!t_orders) -> f64
    %130 = agg.global @data : !agg.buffer<f64, "rw">
    %131 = arith.index_cast %at : i32 to index
    %132 = agg.buffer_load %130, %131[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %133 = arith.mulf %128, %132 : f64
    %134 = arith.mulf %129, %132 : f64
    func.return %133, %134 : f64, f64
  }
  func.func private @"fwd_diff(stage).gated"(%arg0: !DifferentialPair_orders_, %arg1: i32, %arg2: i32, %arg3: i32, %arg4: i1, %arg5: i1, %arg6: i1, %arg7: i1, %arg8: i1, %arg9: i1, %arg10: !DifferentialPair_orders_) -> (!DifferentialPair_f64_, i1, i1, !DifferentialPair_f64_) attributes {ad.gated, differentiable = "both"} {
    %0 = agg.extract %arg0[] {path = array<i64: 0>} : (!DifferentialPair_orders_) -> !t_orders
    %1 = agg.extract %arg10[] {path = array<i64: 0>} : (!DifferentialPair_orders_) -> !t_orders
    %2 = agg.extract %arg0[] {path = array<i64: 1>} : (!DifferentialPair_orders_) -> !t_orders
    %3 = agg.extract %arg10[] {path = array<i64: 1>} : (!DifferentialPair_orders_) -> !t_orders
    %true = arith.constant true
    %c-1_i32 = arith.constant -1 : i32
    %wrt00 = arith.constant 0 : i32
    %c2 = arith.constant 2 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.25 : f64
    %4 = vector.broadcast %arg6 : i1 to vector<2xi1>
    %5 = vector.broadcast %arg9 : i1 to vector<2xi1>
    %c2_i32 = arith.constant 2 : i32
    %c5_i32 = arith.constant 5 : i32
    %cst_0 = arith.constant 1.7397127693021015 : f64
    %cst_1 = arith.constant 0.5 : f64
    %cst_2 = arith.constant 0.5537200244863067 : f64
    %cst_3 = arith.constant 0.0 : f64
    %6 = arith.ori %arg9, %arg6 : i1
    %c3_i32 = arith.constant 3 : i32
    %c0_i64 = arith.constant 0 : i64
    %c1_i32 = arith.constant 1 : i32
    %7 = arith.cmpi slt, %arg2, %c5_i32 : i32
    %false = arith.constant false
    %8, %p_0, %sqrtf, %p_0_d, %p_0_d_0, %p_0_d_d, %9, %10, %11, %12 = scf.while (%arg11 = %true, %p_1 = %0, %sqrtf_0 = %arg2, %p_1_d = %2, %p_1_d_0 = %1, %p_1_d_d = %3, %arg12 = %arg4, %arg13 = %arg5, %arg14 = %arg7, %arg15 = %arg8) : (i1, !t_orders, i32, !t_orders, !t_orders, !t_orders, i1, i1, i1, i1) -> (i1, !t_orders, i32, !t_orders, !t_orders, !t_orders, i1, i1, i1, i1) {
      scf.condition(%arg11) %arg11, %p_1, %sqrtf_0, %p_1_d, %p_1_d_0, %p_1_d_d, %arg12, %arg13, %arg14, %arg15 : i1, !t_orders, i32, !t_orders, !t_orders, !t_orders, i1, i1, i1, i1
    } do {
    ^bb0(%arg16: i1, %p_2: !t_orders, %sqrtf_1: i32, %p_2_d: !t_orders, %p_2_d_0: !t_orders, %p_2_d_d: !t_orders, %arg17: i1, %arg18: i1, %arg19: i1, %arg20: i1):
      %sqrtf_2 = arith.addi %sqrtf_1, %c-1_i32 : i32
      %13 = vector.broadcast %arg17 : i1 to vector<2xi1>
      %14 = vector.broadcast %arg19 : i1 to vector<2xi1>
      %15 = arith.ori %13, %4 : vector<2xi1>
      %16 = arith.ori %14, %4 : vector<2xi1>
      %17 = arith.ori %5, %13 : vector<2xi1>
      %18 = arith.ori %16, %17 : vector<2xi1>
      %19 = vector.reduction <or>, %15 : vector<2xi1> into i1
      %20 = vector.reduction <or>, %18 : vector<2xi1> into i1
      %p_3, %p_3_d, %p_3_d_0, %p_3_d_d, %21, %22 = scf.for %arg21 = %c0 to %c2 step %c1 iter_args(%p_4 = %p_2, %p_4_d = %p_2_d, %p_4_d_0 = %p_2_d_0, %p_4_d_d = %p_2_d_d, %arg22 = %arg18, %arg23 = %arg20) -> (!t_orders, !t_orders, !t_orders, !t_orders, i1, i1) {
        %23 = agg.extract %p_4[] {path = array<i64: 0>} : (!t_orders) -> f64
        %24 = agg.extract %p_4_d_0[] {path = array<i64: 0>} : (!t_orders) -> f64
        %25 = agg.extract %p_4_d[] {path = array<i64: 0>} : (!t_orders) -> f64
        %26 = agg.extract %p_4_d_d[] {path = array<i64: 0>} : (!t_orders) -> f64
        %27 = vector.broadcast %23 : f64 to vector<2xf64>
        %28 = vector.broadcast %24 : f64 to vector<2xf64>
        %29 = vector.broadcast %25 : f64 to vector<2xf64>
        %30 = vector.broadcast %26 : f64 to vector<2xf64>
        %31 = agg.extract %p_4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %32 = agg.extract %p_4_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %33 = agg.extract %p_4_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %34 = agg.extract %p_4_d_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %35 = vector.broadcast %31 : f64 to vector<2xf64>
        %36 = vector.broadcast %32 : f64 to vector<2xf64>
        %37 = vector.broadcast %33 : f64 to vector<2xf64>
        %38 = vector.broadcast %34 : f64 to vector<2xf64>
        %39 = arith.mulf %27, %35 : vector<2xf64>
        %40 = arith.mulf %28, %35 : vector<2xf64>
        %41 = arith.mulf %36, %27 : vector<2xf64>
        %42 = arith.addf %40, %41 : vector<2xf64>
        %43 = arith.mulf %29, %35 : vector<2xf64>
        %44 = arith.mulf %30, %35 : vector<2xf64>
        %45 = arith.mulf %36, %29 : vector<2xf64>
        %46 = arith.addf %44, %45 : vector<2xf64>
        %47 = arith.mulf %37, %27 : vector<2xf64>
        %48 = arith.mulf %38, %27 : vector<2xf64>
        %49 = arith.mulf %28, %37 : vector<2xf64>
        %50 = arith.addf %48, %49 : vector<2xf64>
        %51 = arith.addf %43, %47 : vector<2xf64>
        %52 = arith.addf %46, %50 : vector<2xf64>
        %53 = vector.reduction <add>, %39 : vector<2xf64> into f64
        %54 = vector.reduction <add>, %42 : vector<2xf64> into f64
        %55 = vector.reduction <add>, %51 : vector<2xf64> into f64
        %56 = vector.reduction <add>, %52 : vector<2xf64> into f64
        %57 = arith.mulf %53, %cst : f64
        %58 = arith.mulf %54, %cst : f64
        %59 = arith.mulf %55, %cst : f64
        %60 = arith.mulf %56, %cst : f64
        %61 = agg.extract %p_4[] {path = array<i64: 1>} : (!t_orders) -> f64
        %62 = agg.extract %p_4_d_0[] {path = array<i64: 1>} : (!t_orders) -> f64
        %63 = agg.extract %p_4_d[] {path = array<i64: 1>} : (!t_orders) -> f64
        %64 = agg.extract %p_4_d_d[] {path = array<i64: 1>} : (!t_orders) -> f64
        %65 = arith.addf %61, %57 : f64
        %66 = arith.ori %arg22, %19 : i1
        %67 = arith.addf %62, %58 : f64
        %68 = arith.addf %63, %59 : f64
        %69 = arith.ori %arg23, %20 : i1
        %70 = arith.addf %64, %60 : f64
        %p_5 = agg.insert %65, %p_4[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d = agg.insert %67, %p_4_d_0[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d_0 = agg.insert %68, %p_4_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d_d = agg.insert %70, %p_4_d_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        scf.yield %p_5, %p_5_d_0, %p_5_d, %p_5_d_d, %66, %69 : !t_orders, !t_orders, !t_orders, !t_orders, i1, i1
      }
      %71 = arith.andi %sqrtf_2, %c2_i32 : i32
      %72 = arith.cmpi ne, %71, %wrt00 : i32
      %73 = arith.select %72, %sqrtf_2, %arg2 : i32
      %74 = arith.cmpi slt, %73, %c5_i32 : i32
      %75 = arith.select %74, %arg2, %sqrtf_2 : i32
      %76 = agg.extract %p_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %77 = agg.extract %p_3_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %78 = agg.extract %p_3_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %79 = agg.extract %p_3_d_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %80 = arith.mulf %76, %cst_1 : f64
      %81 = arith.mulf %77, %cst_1 : f64
      %82 = arith.mulf %78, %cst_1 : f64
      %83 = arith.mulf %79, %cst_1 : f64
      %84 = math.powf %cst_0, %80 : f64
      %85 = arith.mulf %84, %cst_2 : f64
      %86 = arith.mulf %81, %85 : f64
      %87 = arith.select %arg6, %86, %cst_3 : f64
      %88 = arith.mulf %87, %cst_2 : f64
      %89 = arith.mulf %82, %85 : f64
      %90 = arith.mulf %83, %85 : f64
      %91 = arith.mulf %88, %82 : f64
      %92 = arith.addf %90, %91 : f64
      %init, %init_d, %93, %94, %95, %96, %init_d_0, %init_d_d = func.call @jvpp.fwd.gated(%75, %84, %89, %arg6, %6, %87, %92) : (i32, f64, f64, i1, i1, f64, f64) -> (!t_arith, !t_arith_Differential, i1, i1, i1, i1, !t_arith_Differential, !t_arith_Differential)
      %97 = arith.andi %75, %c3_i32 : i32
      %98 = arith.extsi %97 : i32 to i64
      %99 = arith.maxsi %98, %c0_i64 : i64
      %100 = arith.index_cast %99 : i64 to index
      %init_0, %tex, %init_0_d, %tex_d, %init_0_d_0, %tex_d_0, %init_0_d_d, %tex_d_d, %101, %102, %103, %104 = scf.for %arg24 = %c0 to %100 step %c1 iter_args(%init_1 = %init, %tex_0 = %84, %init_1_d = %init_d, %tex_0_d = %89, %init_1_d_0 = %init_d_0, %tex_0_d_0 = %87, %init_1_d_d = %init_d_d, %tex_0_d_d = %92, %arg25 = %93, %arg26 = %arg6, %arg27 = %95, %arg28 = %6) -> (!t_arith, f64, !t_arith_Differential, f64, !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1, i1, i1) {
        %get_0 = arith.index_cast %arg24 : index to i32
        %105 = agg.extract %init_1[] {path = array<i64: 0>} : (!t_arith) -> i32
        %106 = arith.index_cast %105 : i32 to index
        %107:6 = scf.index_switch %106 -> f64, f64, f64, f64, i1, i1
        case 1 {
          %wrt0 = agg.extract %init_1[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
          %wrt0_d = agg.extract %init_1_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          %wrt0_d_0 = agg.extract %init_1_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          %wrt0_d_d = agg.extract %init_1_d_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          scf.yield %wrt0, %wrt0_d_0, %wrt0_d, %wrt0_d_d, %arg25, %arg27 : f64, f64, f64, f64, i1, i1
        }
        case 2 {
          %false_1 = arith.constant false
          scf.yield %cst_3, %cst_3, %cst_3, %cst_3, %false_1, %false_1 : f64, f64, f64, f64, i1, i1
        }
        default {
          %false_0 = arith.constant false
          scf.yield %cst_3, %cst_3, %cst_3, %cst_3, %false_0, %false_0 : f64, f64, f64, f64, i1, i1
        }
        %tex_1 = math.sin %107#0 : f64
        %108 = math.cos %107#0 : f64
        %tex_1_d = arith.mulf %107#2, %108 : f64
        %109 = arith.negf %tex_1 : f64
        %110 = arith.mulf %107#2, %109 : f64
        %tex_1_d_0 = arith.mulf %107#1, %108 : f64
        %111 = arith.mulf %107#3, %108 : f64
        %112 = arith.mulf %110, %107#1 : f64
        %113 = arith.ori %107#5, %107#4 : i1
        %tex_1_d_d = arith.addf %111, %112 : f64
        %114 = arith.andi %get_0, %c1_i32 : i32
        %115 = arith.cmpi eq, %114, %wrt00 : i32
        %init_2, %init_2_d, %init_2_d_0, %init_2_d_d, %116, %117 = scf.if %115 -> (!t_arith, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential, i1, i1) {
          %118 = arith.addi %75, %get_0 : i32
          %init_3, %init_3_d, %119, %120, %121, %122, %init_3_d_0, %init_3_d_d = func.call @jvpp.fwd.gated(%118, %tex_1, %tex_1_d_0, %107#4, %113, %tex_1_d, %tex_1_d_d) : (i32, f64, f64, i1, i1, f64, f64) -> (!t_arith, !t_arith_Differential, i1, i1, i1, i1, !t_arith_Differential, !t_arith_Differential)
          scf.yield %init_3, %init_3_d, %init_3_d_0, %init_3_d_d, %119, %121 : !t_arith, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential, i1, i1
        } else {
          scf.yield %init_1, %init_1_d, %init_1_d_0, %init_1_d_d, %arg25, %arg27 : !t_arith, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential, i1, i1
        }
        scf.yield %init_2, %tex_1, %init_2_d, %tex_1_d_0, %init_2_d_0, %tex_1_d, %init_2_d_d, %tex_1_d_d, %116, %107#4, %117, %113 : !t_arith, f64, !t_arith_Differential, f64, !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1, i1, i1
      } {ad.snapshots = 3}
      %123 = agg.extract %init_0[] {path = array<i64: 0>} : (!t_arith) -> i32
      %124 = arith.index_cast %123 : i32 to index
      %125:6 = scf.index_switch %124 -> f64, f64, f64, f64, i1, i1
      case 1 {
        %wrt0_0 = agg.extract %init_0[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
        %wrt0_d_1 = agg.extract %init_0_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %wrt0_d_2 = agg.extract %init_0_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %wrt0_d_d_0 = agg.extract %init_0_d_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        scf.yield %wrt0_0, %wrt0_d_2, %wrt0_d_1, %wrt0_d_d_0, %101, %103 : f64, f64, f64, f64, i1, i1
      }
      case 2 {
        %false_3 = arith.constant false
        scf.yield %cst_3, %cst_3, %cst_3, %cst_3, %false_3, %false_3 : f64, f64, f64, f64, i1, i1
      }
      default {
        %false_2 = arith.constant false
        scf.yield %cst_3, %cst_3, %cst_3, %cst_3, %false_2, %false_2 : f64, f64, f64, f64, i1, i1
      }
      %126 = arith.mulf %125#0, %cst_1 : f64
      %127 = arith.mulf %125#2, %cst_1 : f64
      %128 = arith.mulf %125#1, %cst_1 : f64
      %129 = arith.mulf %125#3, %cst_1 : f64
      %130 = arith.addf %tex, %126 : f64
      %131 = arith.ori %102, %125#4 : i1
      %132 = arith.addf %tex_d_0, %127 : f64
      %133 = arith.addf %tex_d, %128 : f64
      %134 = arith.ori %104, %125#5 : i1
      %135 = arith.addf %tex_d_d, %129 : f64
      %136 = math.sin %130 : f64
      %137 = math.cos %130 : f64
      %138 = arith.mulf %132, %137 : f64
      %139 = arith.negf %136 : f64
      %140 = arith.mulf %132, %139 : f64
      %141 = arith.mulf %133, %137 : f64
      %142 = arith.mulf %135, %137 : f64
      %143 = arith.mulf %140, %133 : f64
      %144 = arith.ori %134, %131 : i1
      %145 = arith.addf %142, %143 : f64
      %146 = agg.extract %p_3[] {path = array<i64: 0>} : (!t_orders) -> f64
      %147 = agg.extract %p_3_d_0[] {path = array<i64: 0>} : (!t_orders) -> f64
      %148 = agg.extract %p_3_d[] {path = array<i64: 0>} : (!t_orders) -> f64
      %149 = agg.extract %p_3_d_d[] {path = array<i64: 0>} : (!t_orders) -> f64
      %150 = arith.addf %146, %136 : f64
      %151 = arith.ori %arg17, %131 : i1
      %152 = arith.addf %147, %138 : f64
      %153 = arith.addf %148, %141 : f64
      %154 = arith.ori %arg19, %144 : i1
      %155 = arith.addf %149, %145 : f64
      %p_6 = agg.insert %150, %p_3[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %p_6_d = agg.insert %152, %p_3_d_0[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %p_6_d_0 = agg.insert %153, %p_3_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %p_6_d_d = agg.insert %155, %p_3_d_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %156 = arith.cmpi sgt, %sqrtf_2, %wrt00 : i32
      %157 = arith.select %156, %7, %false : i1
      scf.yield %157, %p_6, %sqrtf_2, %p_6_d_0, %p_6_d, %p_6_d_d, %151, %21, %154, %22 : i1, !t_orders, i32, !t_orders, !t_orders, !t_orders, i1, i1, i1, i1
    } attributes {ad.snapshots = 3}
    %158 = agg.extract %p_0[] {path = array<i64: 1>} : (!t_orders) -> f64
    %159 = agg.extract %p_0_d_0[] {path = array<i64: 1>} : (!t_orders) -> f64
    %160 = agg.extract %p_0_d[] {path = array<i64: 1>} : (!t_orders) -> f64
    %161 = agg.extract %p_0_d_d[] {path = array<i64: 1>} : (!t_orders) -> f64
    %162 = agg.global @data : !agg.buffer<f64, "rw">
    %163 = arith.index_cast %arg3 : i32 to index
    %164 = agg.buffer_load %162, %163[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %165 = arith.mulf %164, %158 : f64
    %166 = arith.mulf %159, %164 : f64
    %167 = arith.mulf %160, %164 : f64
    %168 = arith.mulf %161, %164 : f64
    %169 = agg.make %165, %167 : (f64, f64) -> !DifferentialPair_f64_
    %170 = agg.make %166, %168 : (f64, f64) -> !DifferentialPair_f64_
    func.return %169, %10, %12, %170 : !DifferentialPair_f64_, i1, i1, !DifferentialPair_f64_
  }
  func.func private @stage.fwd.gated(%x: !t_orders, %differential: i32, %transposed: i32, %at: i32, %x_d: !t_orders, %arg0: i1, %arg1: i1, %arg2: i1, %arg3: i1, %arg4: i1, %arg5: i1, %x_d_0: !t_orders, %x_d_d: !t_orders) -> (f64, f64, i1, i1, f64, f64) attributes {ad.gated, differentiable = "both"} {
    %true = arith.constant true
    %c-1_i32 = arith.constant -1 : i32
    %wrt00 = arith.constant 0 : i32
    %c2 = arith.constant 2 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.25 : f64
    %0 = vector.broadcast %arg2 : i1 to vector<2xi1>
    %1 = vector.broadcast %arg5 : i1 to vector<2xi1>
    %c2_i32 = arith.constant 2 : i32
    %c5_i32 = arith.constant 5 : i32
    %cst_0 = arith.constant 1.7397127693021015 : f64
    %cst_1 = arith.constant 0.5 : f64
    %cst_2 = arith.constant 0.5537200244863067 : f64
    %cst_3 = arith.constant 0.0 : f64
    %2 = arith.ori %arg5, %arg2 : i1
    %c3_i32 = arith.constant 3 : i32
    %c0_i64 = arith.constant 0 : i64
    %c1_i32 = arith.constant 1 : i32
    %3 = arith.cmpi slt, %transposed, %c5_i32 : i32
    %false = arith.constant false
    %4, %p_0, %sqrtf, %p_0_d, %p_0_d_0, %p_0_d_d, %5, %6, %7, %8 = scf.while (%arg6 = %true, %p_1 = %x, %sqrtf_0 = %transposed, %p_1_d = %x_d, %p_1_d_0 = %x_d_0, %p_1_d_d = %x_d_d, %arg7 = %arg0, %arg8 = %arg1, %arg9 = %arg3, %arg10 = %arg4) : (i1, !t_orders, i32, !t_orders, !t_orders, !t_orders, i1, i1, i1, i1) -> (i1, !t_orders, i32, !t_orders, !t_orders, !t_orders, i1, i1, i1, i1) {
      scf.condition(%arg6) %arg6, %p_1, %sqrtf_0, %p_1_d, %p_1_d_0, %p_1_d_d, %arg7, %arg8, %arg9, %arg10 : i1, !t_orders, i32, !t_orders, !t_orders, !t_orders, i1, i1, i1, i1
    } do {
    ^bb0(%arg11: i1, %p_2: !t_orders, %sqrtf_1: i32, %p_2_d: !t_orders, %p_2_d_0: !t_orders, %p_2_d_d: !t_orders, %arg12: i1, %arg13: i1, %arg14: i1, %arg15: i1):
      %sqrtf_2 = arith.addi %sqrtf_1, %c-1_i32 : i32
      %9 = vector.broadcast %arg12 : i1 to vector<2xi1>
      %10 = vector.broadcast %arg14 : i1 to vector<2xi1>
      %11 = arith.ori %9, %0 : vector<2xi1>
      %12 = arith.ori %10, %0 : vector<2xi1>
      %13 = arith.ori %1, %9 : vector<2xi1>
      %14 = arith.ori %12, %13 : vector<2xi1>
      %15 = vector.reduction <or>, %11 : vector<2xi1> into i1
      %16 = vector.reduction <or>, %14 : vector<2xi1> into i1
      %p_3, %p_3_d, %p_3_d_0, %p_3_d_d, %17, %18 = scf.for %arg16 = %c0 to %c2 step %c1 iter_args(%p_4 = %p_2, %p_4_d = %p_2_d, %p_4_d_0 = %p_2_d_0, %p_4_d_d = %p_2_d_d, %arg17 = %arg13, %arg18 = %arg15) -> (!t_orders, !t_orders, !t_orders, !t_orders, i1, i1) {
        %19 = agg.extract %p_4[] {path = array<i64: 0>} : (!t_orders) -> f64
        %20 = agg.extract %p_4_d_0[] {path = array<i64: 0>} : (!t_orders) -> f64
        %21 = agg.extract %p_4_d[] {path = array<i64: 0>} : (!t_orders) -> f64
        %22 = agg.extract %p_4_d_d[] {path = array<i64: 0>} : (!t_orders) -> f64
        %23 = vector.broadcast %19 : f64 to vector<2xf64>
        %24 = vector.broadcast %20 : f64 to vector<2xf64>
        %25 = vector.broadcast %21 : f64 to vector<2xf64>
        %26 = vector.broadcast %22 : f64 to vector<2xf64>
        %27 = agg.extract %p_4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %28 = agg.extract %p_4_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %29 = agg.extract %p_4_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %30 = agg.extract %p_4_d_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %31 = vector.broadcast %27 : f64 to vector<2xf64>
        %32 = vector.broadcast %28 : f64 to vector<2xf64>
        %33 = vector.broadcast %29 : f64 to vector<2xf64>
        %34 = vector.broadcast %30 : f64 to vector<2xf64>
        %35 = arith.mulf %23, %31 : vector<2xf64>
        %36 = arith.mulf %24, %31 : vector<2xf64>
        %37 = arith.mulf %32, %23 : vector<2xf64>
        %38 = arith.addf %36, %37 : vector<2xf64>
        %39 = arith.mulf %25, %31 : vector<2xf64>
        %40 = arith.mulf %26, %31 : vector<2xf64>
        %41 = arith.mulf %32, %25 : vector<2xf64>
        %42 = arith.addf %40, %41 : vector<2xf64>
        %43 = arith.mulf %33, %23 : vector<2xf64>
        %44 = arith.mulf %34, %23 : vector<2xf64>
        %45 = arith.mulf %24, %33 : vector<2xf64>
        %46 = arith.addf %44, %45 : vector<2xf64>
        %47 = arith.addf %39, %43 : vector<2xf64>
        %48 = arith.addf %42, %46 : vector<2xf64>
        %49 = vector.reduction <add>, %35 : vector<2xf64> into f64
        %50 = vector.reduction <add>, %38 : vector<2xf64> into f64
        %51 = vector.reduction <add>, %47 : vector<2xf64> into f64
        %52 = vector.reduction <add>, %48 : vector<2xf64> into f64
        %53 = arith.mulf %49, %cst : f64
        %54 = arith.mulf %50, %cst : f64
        %55 = arith.mulf %51, %cst : f64
        %56 = arith.mulf %52, %cst : f64
        %57 = agg.extract %p_4[] {path = array<i64: 1>} : (!t_orders) -> f64
        %58 = agg.extract %p_4_d_0[] {path = array<i64: 1>} : (!t_orders) -> f64
        %59 = agg.extract %p_4_d[] {path = array<i64: 1>} : (!t_orders) -> f64
        %60 = agg.extract %p_4_d_d[] {path = array<i64: 1>} : (!t_orders) -> f64
        %61 = arith.addf %57, %53 : f64
        %62 = arith.ori %arg17, %15 : i1
        %63 = arith.addf %58, %54 : f64
        %64 = arith.addf %59, %55 : f64
        %65 = arith.ori %arg18, %16 : i1
        %66 = arith.addf %60, %56 : f64
        %p_5 = agg.insert %61, %p_4[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d = agg.insert %63, %p_4_d_0[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d_0 = agg.insert %64, %p_4_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d_d = agg.insert %66, %p_4_d_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        scf.yield %p_5, %p_5_d_0, %p_5_d, %p_5_d_d, %62, %65 : !t_orders, !t_orders, !t_orders, !t_orders, i1, i1
      }
      %67 = arith.andi %sqrtf_2, %c2_i32 : i32
      %68 = arith.cmpi ne, %67, %wrt00 : i32
      %69 = arith.select %68, %sqrtf_2, %transposed : i32
      %70 = arith.cmpi slt, %69, %c5_i32 : i32
      %71 = arith.select %70, %transposed, %sqrtf_2 : i32
      %72 = agg.extract %p_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %73 = agg.extract %p_3_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %74 = agg.extract %p_3_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %75 = agg.extract %p_3_d_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %76 = arith.mulf %72, %cst_1 : f64
      %77 = arith.mulf %73, %cst_1 : f64
      %78 = arith.mulf %74, %cst_1 : f64
      %79 = arith.mulf %75, %cst_1 : f64
      %80 = math.powf %cst_0, %76 : f64
      %81 = arith.mulf %80, %cst_2 : f64
      %82 = arith.mulf %77, %81 : f64
      %83 = arith.select %arg2, %82, %cst_3 : f64
      %84 = arith.mulf %83, %cst_2 : f64
      %85 = arith.mulf %78, %81 : f64
      %86 = arith.mulf %79, %81 : f64
      %87 = arith.mulf %84, %78 : f64
      %88 = arith.addf %86, %87 : f64
      %init, %init_d, %89, %90, %91, %92, %init_d_0, %init_d_d = func.call @jvpp.fwd.gated(%71, %80, %85, %arg2, %2, %83, %88) : (i32, f64, f64, i1, i1, f64, f64) -> (!t_arith, !t_arith_Differential, i1, i1, i1, i1, !t_arith_Differential, !t_arith_Differential)
      %93 = arith.andi %71, %c3_i32 : i32
      %94 = arith.extsi %93 : i32 to i64
      %95 = arith.maxsi %94, %c0_i64 : i64
      %96 = arith.index_cast %95 : i64 to index
      %init_0, %tex, %init_0_d, %tex_d, %init_0_d_0, %tex_d_0, %init_0_d_d, %tex_d_d, %97, %98, %99, %100 = scf.for %arg19 = %c0 to %96 step %c1 iter_args(%init_1 = %init, %tex_0 = %80, %init_1_d = %init_d, %tex_0_d = %85, %init_1_d_0 = %init_d_0, %tex_0_d_0 = %83, %init_1_d_d = %init_d_d, %tex_0_d_d = %88, %arg20 = %89, %arg21 = %arg2, %arg22 = %91, %arg23 = %2) -> (!t_arith, f64, !t_arith_Differential, f64, !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1, i1, i1) {
        %get_0 = arith.index_cast %arg19 : index to i32
        %101 = agg.extract %init_1[] {path = array<i64: 0>} : (!t_arith) -> i32
        %102 = arith.index_cast %101 : i32 to index
        %103:6 = scf.index_switch %102 -> f64, f64, f64, f64, i1, i1
        case 1 {
          %wrt0 = agg.extract %init_1[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
          %wrt0_d = agg.extract %init_1_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          %wrt0_d_0 = agg.extract %init_1_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          %wrt0_d_d = agg.extract %init_1_d_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          scf.yield %wrt0, %wrt0_d_0, %wrt0_d, %wrt0_d_d, %arg20, %arg22 : f64, f64, f64, f64, i1, i1
        }
        case 2 {
          %false_1 = arith.constant false
          scf.yield %cst_3, %cst_3, %cst_3, %cst_3, %false_1, %false_1 : f64, f64, f64, f64, i1, i1
        }
        default {
          %false_0 = arith.constant false
          scf.yield %cst_3, %cst_3, %cst_3, %cst_3, %false_0, %false_0 : f64, f64, f64, f64, i1, i1
        }
        %tex_1 = math.sin %103#0 : f64
        %104 = math.cos %103#0 : f64
        %tex_1_d = arith.mulf %103#2, %104 : f64
        %105 = arith.negf %tex_1 : f64
        %106 = arith.mulf %103#2, %105 : f64
        %tex_1_d_0 = arith.mulf %103#1, %104 : f64
        %107 = arith.mulf %103#3, %104 : f64
        %108 = arith.mulf %106, %103#1 : f64
        %109 = arith.ori %103#5, %103#4 : i1
        %tex_1_d_d = arith.addf %107, %108 : f64
        %110 = arith.andi %get_0, %c1_i32 : i32
        %111 = arith.cmpi eq, %110, %wrt00 : i32
        %init_2, %init_2_d, %init_2_d_0, %init_2_d_d, %112, %113 = scf.if %111 -> (!t_arith, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential, i1, i1) {
          %114 = arith.addi %71, %get_0 : i32
          %init_3, %init_3_d, %115, %116, %117, %118, %init_3_d_0, %init_3_d_d = func.call @jvpp.fwd.gated(%114, %tex_1, %tex_1_d_0, %103#4, %109, %tex_1_d, %tex_1_d_d) : (i32, f64, f64, i1, i1, f64, f64) -> (!t_arith, !t_arith_Differential, i1, i1, i1, i1, !t_arith_Differential, !t_arith_Differential)
          scf.yield %init_3, %init_3_d, %init_3_d_0, %init_3_d_d, %115, %117 : !t_arith, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential, i1, i1
        } else {
          scf.yield %init_1, %init_1_d, %init_1_d_0, %init_1_d_d, %arg20, %arg22 : !t_arith, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential, i1, i1
        }
        scf.yield %init_2, %tex_1, %init_2_d, %tex_1_d_0, %init_2_d_0, %tex_1_d, %init_2_d_d, %tex_1_d_d, %112, %103#4, %113, %109 : !t_arith, f64, !t_arith_Differential, f64, !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1, i1, i1
      } {ad.snapshots = 3}
      %119 = agg.extract %init_0[] {path = array<i64: 0>} : (!t_arith) -> i32
      %120 = arith.index_cast %119 : i32 to index
      %121:6 = scf.index_switch %120 -> f64, f64, f64, f64, i1, i1
      case 1 {
        %wrt0_0 = agg.extract %init_0[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
        %wrt0_d_1 = agg.extract %init_0_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %wrt0_d_2 = agg.extract %init_0_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %wrt0_d_d_0 = agg.extract %init_0_d_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        scf.yield %wrt0_0, %wrt0_d_2, %wrt0_d_1, %wrt0_d_d_0, %97, %99 : f64, f64, f64, f64, i1, i1
      }
      case 2 {
        %false_3 = arith.constant false
        scf.yield %cst_3, %cst_3, %cst_3, %cst_3, %false_3, %false_3 : f64, f64, f64, f64, i1, i1
      }
      default {
        %false_2 = arith.constant false
        scf.yield %cst_3, %cst_3, %cst_3, %cst_3, %false_2, %false_2 : f64, f64, f64, f64, i1, i1
      }
      %122 = arith.mulf %121#0, %cst_1 : f64
      %123 = arith.mulf %121#2, %cst_1 : f64
      %124 = arith.mulf %121#1, %cst_1 : f64
      %125 = arith.mulf %121#3, %cst_1 : f64
      %126 = arith.addf %tex, %122 : f64
      %127 = arith.ori %98, %121#4 : i1
      %128 = arith.addf %tex_d_0, %123 : f64
      %129 = arith.addf %tex_d, %124 : f64
      %130 = arith.ori %100, %121#5 : i1
      %131 = arith.addf %tex_d_d, %125 : f64
      %132 = math.sin %126 : f64
      %133 = math.cos %126 : f64
      %134 = arith.mulf %128, %133 : f64
      %135 = arith.negf %132 : f64
      %136 = arith.mulf %128, %135 : f64
      %137 = arith.mulf %129, %133 : f64
      %138 = arith.mulf %131, %133 : f64
      %139 = arith.mulf %136, %129 : f64
      %140 = arith.ori %130, %127 : i1
      %141 = arith.addf %138, %139 : f64
      %142 = agg.extract %p_3[] {path = array<i64: 0>} : (!t_orders) -> f64
      %143 = agg.extract %p_3_d_0[] {path = array<i64: 0>} : (!t_orders) -> f64
      %144 = agg.extract %p_3_d[] {path = array<i64: 0>} : (!t_orders) -> f64
      %145 = agg.extract %p_3_d_d[] {path = array<i64: 0>} : (!t_orders) -> f64
      %146 = arith.addf %142, %132 : f64
      %147 = arith.ori %arg12, %127 : i1
      %148 = arith.addf %143, %134 : f64
      %149 = arith.addf %144, %137 : f64
      %150 = arith.ori %arg14, %140 : i1
      %151 = arith.addf %145, %141 : f64
      %p_6 = agg.insert %146, %p_3[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %p_6_d = agg.insert %148, %p_3_d_0[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %p_6_d_0 = agg.insert %149, %p_3_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %p_6_d_d = agg.insert %151, %p_3_d_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %152 = arith.cmpi sgt, %sqrtf_2, %wrt00 : i32
      %153 = arith.select %152, %3, %false : i1
      scf.yield %153, %p_6, %sqrtf_2, %p_6_d_0, %p_6_d, %p_6_d_d, %147, %17, %150, %18 : i1, !t_orders, i32, !t_orders, !t_orders, !t_orders, i1, i1, i1, i1
    } attributes {ad.snapshots = 3}
    %154 = agg.extract %p_0[] {path = array<i64: 1>} : (!t_orders) -> f64
    %155 = agg.extract %p_0_d_0[] {path = array<i64: 1>} : (!t_orders) -> f64
    %156 = agg.extract %p_0_d[] {path = array<i64: 1>} : (!t_orders) -> f64
    %157 = agg.extract %p_0_d_d[] {path = array<i64: 1>} : (!t_orders) -> f64
    %158 = agg.global @data : !agg.buffer<f64, "rw">
    %159 = arith.index_cast %at : i32 to index
    %160 = agg.buffer_load %158, %159[] {path = array<i64>} : (!agg.buffer<f64, "rw">, index) -> f64
    %161 = arith.mulf %160, %154 : f64
    %162 = arith.mulf %155, %160 : f64
    %163 = arith.mulf %156, %160 : f64
    %164 = arith.mulf %157, %160 : f64
    func.return %161, %163, %6, %8, %162, %164 : f64, f64, i1, i1, f64, f64
  }
  func.func private @math.fwd.gated(%p: !t_orders, %differential: i32, %transposed: i32, %p_d: !t_orders, %arg0: i1, %arg1: i1, %arg2: i1, %arg3: i1, %arg4: i1, %arg5: i1, %p_d_0: !t_orders, %p_d_d: !t_orders) -> (!t_threadIdx, !t_threadIdx, i1, i1, !t_threadIdx, !t_threadIdx) attributes {ad.gated, differentiable = "both"} {
    %true = arith.constant true
    %c-1_i32 = arith.constant -1 : i32
    %wrt00 = arith.constant 0 : i32
    %c2 = arith.constant 2 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.25 : f64
    %0 = vector.broadcast %arg2 : i1 to vector<2xi1>
    %1 = vector.broadcast %arg5 : i1 to vector<2xi1>
    %c2_i32 = arith.constant 2 : i32
    %c5_i32 = arith.constant 5 : i32
    %cst_0 = arith.constant 1.7397127693021015 : f64
    %cst_1 = arith.constant 0.5 : f64
    %cst_2 = arith.constant 0.5537200244863067 : f64
    %cst_3 = arith.constant 0.0 : f64
    %2 = arith.ori %arg5, %arg2 : i1
    %c3_i32 = arith.constant 3 : i32
    %c0_i64 = arith.constant 0 : i64
    %c1_i32 = arith.constant 1 : i32
    %3 = arith.cmpi slt, %transposed, %c5_i32 : i32
    %false = arith.constant false
    %4, %p_0, %sqrtf, %p_0_d, %p_0_d_0, %p_0_d_d, %5, %6, %7, %8 = scf.while (%arg6 = %true, %p_1 = %p, %sqrtf_0 = %transposed, %p_1_d = %p_d, %p_1_d_0 = %p_d_0, %p_1_d_d = %p_d_d, %arg7 = %arg0, %arg8 = %arg1, %arg9 = %arg3, %arg10 = %arg4) : (i1, !t_orders, i32, !t_orders, !t_orders, !t_orders, i1, i1, i1, i1) -> (i1, !t_orders, i32, !t_orders, !t_orders, !t_orders, i1, i1, i1, i1) {
      scf.condition(%arg6) %arg6, %p_1, %sqrtf_0, %p_1_d, %p_1_d_0, %p_1_d_d, %arg7, %arg8, %arg9, %arg10 : i1, !t_orders, i32, !t_orders, !t_orders, !t_orders, i1, i1, i1, i1
    } do {
    ^bb0(%arg11: i1, %p_2: !t_orders, %sqrtf_1: i32, %p_2_d: !t_orders, %p_2_d_0: !t_orders, %p_2_d_d: !t_orders, %arg12: i1, %arg13: i1, %arg14: i1, %arg15: i1):
      %sqrtf_2 = arith.addi %sqrtf_1, %c-1_i32 : i32
      %9 = vector.broadcast %arg12 : i1 to vector<2xi1>
      %10 = vector.broadcast %arg14 : i1 to vector<2xi1>
      %11 = arith.ori %9, %0 : vector<2xi1>
      %12 = arith.ori %10, %0 : vector<2xi1>
      %13 = arith.ori %1, %9 : vector<2xi1>
      %14 = arith.ori %12, %13 : vector<2xi1>
      %15 = vector.reduction <or>, %11 : vector<2xi1> into i1
      %16 = vector.reduction <or>, %14 : vector<2xi1> into i1
      %p_3, %p_3_d, %p_3_d_0, %p_3_d_d, %17, %18 = scf.for %arg16 = %c0 to %c2 step %c1 iter_args(%p_4 = %p_2, %p_4_d = %p_2_d, %p_4_d_0 = %p_2_d_0, %p_4_d_d = %p_2_d_d, %arg17 = %arg13, %arg18 = %arg15) -> (!t_orders, !t_orders, !t_orders, !t_orders, i1, i1) {
        %19 = agg.extract %p_4[] {path = array<i64: 0>} : (!t_orders) -> f64
        %20 = agg.extract %p_4_d_0[] {path = array<i64: 0>} : (!t_orders) -> f64
        %21 = agg.extract %p_4_d[] {path = array<i64: 0>} : (!t_orders) -> f64
        %22 = agg.extract %p_4_d_d[] {path = array<i64: 0>} : (!t_orders) -> f64
        %23 = vector.broadcast %19 : f64 to vector<2xf64>
        %24 = vector.broadcast %20 : f64 to vector<2xf64>
        %25 = vector.broadcast %21 : f64 to vector<2xf64>
        %26 = vector.broadcast %22 : f64 to vector<2xf64>
        %27 = agg.extract %p_4[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %28 = agg.extract %p_4_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %29 = agg.extract %p_4_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %30 = agg.extract %p_4_d_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
        %31 = vector.broadcast %27 : f64 to vector<2xf64>
        %32 = vector.broadcast %28 : f64 to vector<2xf64>
        %33 = vector.broadcast %29 : f64 to vector<2xf64>
        %34 = vector.broadcast %30 : f64 to vector<2xf64>
        %35 = arith.mulf %23, %31 : vector<2xf64>
        %36 = arith.mulf %24, %31 : vector<2xf64>
        %37 = arith.mulf %32, %23 : vector<2xf64>
        %38 = arith.addf %36, %37 : vector<2xf64>
        %39 = arith.mulf %25, %31 : vector<2xf64>
        %40 = arith.mulf %26, %31 : vector<2xf64>
        %41 = arith.mulf %32, %25 : vector<2xf64>
        %42 = arith.addf %40, %41 : vector<2xf64>
        %43 = arith.mulf %33, %23 : vector<2xf64>
        %44 = arith.mulf %34, %23 : vector<2xf64>
        %45 = arith.mulf %24, %33 : vector<2xf64>
        %46 = arith.addf %44, %45 : vector<2xf64>
        %47 = arith.addf %39, %43 : vector<2xf64>
        %48 = arith.addf %42, %46 : vector<2xf64>
        %49 = vector.reduction <add>, %35 : vector<2xf64> into f64
        %50 = vector.reduction <add>, %38 : vector<2xf64> into f64
        %51 = vector.reduction <add>, %47 : vector<2xf64> into f64
        %52 = vector.reduction <add>, %48 : vector<2xf64> into f64
        %53 = arith.mulf %49, %cst : f64
        %54 = arith.mulf %50, %cst : f64
        %55 = arith.mulf %51, %cst : f64
        %56 = arith.mulf %52, %cst : f64
        %57 = agg.extract %p_4[] {path = array<i64: 1>} : (!t_orders) -> f64
        %58 = agg.extract %p_4_d_0[] {path = array<i64: 1>} : (!t_orders) -> f64
        %59 = agg.extract %p_4_d[] {path = array<i64: 1>} : (!t_orders) -> f64
        %60 = agg.extract %p_4_d_d[] {path = array<i64: 1>} : (!t_orders) -> f64
        %61 = arith.addf %57, %53 : f64
        %62 = arith.ori %arg17, %15 : i1
        %63 = arith.addf %58, %54 : f64
        %64 = arith.addf %59, %55 : f64
        %65 = arith.ori %arg18, %16 : i1
        %66 = arith.addf %60, %56 : f64
        %p_5 = agg.insert %61, %p_4[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d = agg.insert %63, %p_4_d_0[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d_0 = agg.insert %64, %p_4_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        %p_5_d_d = agg.insert %66, %p_4_d_d[] {path = array<i64: 1>} : (f64, !t_orders) -> !t_orders
        scf.yield %p_5, %p_5_d_0, %p_5_d, %p_5_d_d, %62, %65 : !t_orders, !t_orders, !t_orders, !t_orders, i1, i1
      }
      %67 = arith.andi %sqrtf_2, %c2_i32 : i32
      %68 = arith.cmpi ne, %67, %wrt00 : i32
      %69 = arith.select %68, %sqrtf_2, %transposed : i32
      %70 = arith.cmpi slt, %69, %c5_i32 : i32
      %71 = arith.select %70, %transposed, %sqrtf_2 : i32
      %72 = agg.extract %p_3[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %73 = agg.extract %p_3_d_0[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %74 = agg.extract %p_3_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %75 = agg.extract %p_3_d_d[] {path = array<i64: 2, 0>} : (!t_orders) -> f64
      %76 = arith.mulf %72, %cst_1 : f64
      %77 = arith.mulf %73, %cst_1 : f64
      %78 = arith.mulf %74, %cst_1 : f64
      %79 = arith.mulf %75, %cst_1 : f64
      %80 = math.powf %cst_0, %76 : f64
      %81 = arith.mulf %80, %cst_2 : f64
      %82 = arith.mulf %77, %81 : f64
      %83 = arith.select %arg2, %82, %cst_3 : f64
      %84 = arith.mulf %83, %cst_2 : f64
      %85 = arith.mulf %78, %81 : f64
      %86 = arith.mulf %79, %81 : f64
      %87 = arith.mulf %84, %78 : f64
      %88 = arith.addf %86, %87 : f64
      %init, %init_d, %89, %90, %91, %92, %init_d_0, %init_d_d = func.call @jvpp.fwd.gated(%71, %80, %85, %arg2, %2, %83, %88) : (i32, f64, f64, i1, i1, f64, f64) -> (!t_arith, !t_arith_Differential, i1, i1, i1, i1, !t_arith_Differential, !t_arith_Differential)
      %93 = arith.andi %71, %c3_i32 : i32
      %94 = arith.extsi %93 : i32 to i64
      %95 = arith.maxsi %94, %c0_i64 : i64
      %96 = arith.index_cast %95 : i64 to index
      %init_0, %tex, %init_0_d, %tex_d, %init_0_d_0, %tex_d_0, %init_0_d_d, %tex_d_d, %97, %98, %99, %100 = scf.for %arg19 = %c0 to %96 step %c1 iter_args(%init_1 = %init, %tex_0 = %80, %init_1_d = %init_d, %tex_0_d = %85, %init_1_d_0 = %init_d_0, %tex_0_d_0 = %83, %init_1_d_d = %init_d_d, %tex_0_d_d = %88, %arg20 = %89, %arg21 = %arg2, %arg22 = %91, %arg23 = %2) -> (!t_arith, f64, !t_arith_Differential, f64, !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1, i1, i1) {
        %get_0 = arith.index_cast %arg19 : index to i32
        %101 = agg.extract %init_1[] {path = array<i64: 0>} : (!t_arith) -> i32
        %102 = arith.index_cast %101 : i32 to index
        %103:6 = scf.index_switch %102 -> f64, f64, f64, f64, i1, i1
        case 1 {
          %wrt0 = agg.extract %init_1[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
          %wrt0_d = agg.extract %init_1_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          %wrt0_d_0 = agg.extract %init_1_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          %wrt0_d_d = agg.extract %init_1_d_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
          scf.yield %wrt0, %wrt0_d_0, %wrt0_d, %wrt0_d_d, %arg20, %arg22 : f64, f64, f64, f64, i1, i1
        }
        case 2 {
          %false_1 = arith.constant false
          scf.yield %cst_3, %cst_3, %cst_3, %cst_3, %false_1, %false_1 : f64, f64, f64, f64, i1, i1
        }
        default {
          %false_0 = arith.constant false
          scf.yield %cst_3, %cst_3, %cst_3, %cst_3, %false_0, %false_0 : f64, f64, f64, f64, i1, i1
        }
        %tex_1 = math.sin %103#0 : f64
        %104 = math.cos %103#0 : f64
        %tex_1_d = arith.mulf %103#2, %104 : f64
        %105 = arith.negf %tex_1 : f64
        %106 = arith.mulf %103#2, %105 : f64
        %tex_1_d_0 = arith.mulf %103#1, %104 : f64
        %107 = arith.mulf %103#3, %104 : f64
        %108 = arith.mulf %106, %103#1 : f64
        %109 = arith.ori %103#5, %103#4 : i1
        %tex_1_d_d = arith.addf %107, %108 : f64
        %110 = arith.andi %get_0, %c1_i32 : i32
        %111 = arith.cmpi eq, %110, %wrt00 : i32
        %init_2, %init_2_d, %init_2_d_0, %init_2_d_d, %112, %113 = scf.if %111 -> (!t_arith, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential, i1, i1) {
          %114 = arith.addi %71, %get_0 : i32
          %init_3, %init_3_d, %115, %116, %117, %118, %init_3_d_0, %init_3_d_d = func.call @jvpp.fwd.gated(%114, %tex_1, %tex_1_d_0, %103#4, %109, %tex_1_d, %tex_1_d_d) : (i32, f64, f64, i1, i1, f64, f64) -> (!t_arith, !t_arith_Differential, i1, i1, i1, i1, !t_arith_Differential, !t_arith_Differential)
          scf.yield %init_3, %init_3_d, %init_3_d_0, %init_3_d_d, %115, %117 : !t_arith, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential, i1, i1
        } else {
          scf.yield %init_1, %init_1_d, %init_1_d_0, %init_1_d_d, %arg20, %arg22 : !t_arith, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential, i1, i1
        }
        scf.yield %init_2, %tex_1, %init_2_d, %tex_1_d_0, %init_2_d_0, %tex_1_d, %init_2_d_d, %tex_1_d_d, %112, %103#4, %113, %109 : !t_arith, f64, !t_arith_Differential, f64, !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1, i1, i1
      } {ad.snapshots = 3}
      %119 = agg.extract %init_0[] {path = array<i64: 0>} : (!t_arith) -> i32
      %120 = arith.index_cast %119 : i32 to index
      %121:6 = scf.index_switch %120 -> f64, f64, f64, f64, i1, i1
      case 1 {
        %wrt0_0 = agg.extract %init_0[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
        %wrt0_d_1 = agg.extract %init_0_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %wrt0_d_2 = agg.extract %init_0_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %wrt0_d_d_0 = agg.extract %init_0_d_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        scf.yield %wrt0_0, %wrt0_d_2, %wrt0_d_1, %wrt0_d_d_0, %97, %99 : f64, f64, f64, f64, i1, i1
      }
      case 2 {
        %false_3 = arith.constant false
        scf.yield %cst_3, %cst_3, %cst_3, %cst_3, %false_3, %false_3 : f64, f64, f64, f64, i1, i1
      }
      default {
        %false_2 = arith.constant false
        scf.yield %cst_3, %cst_3, %cst_3, %cst_3, %false_2, %false_2 : f64, f64, f64, f64, i1, i1
      }
      %122 = arith.mulf %121#0, %cst_1 : f64
      %123 = arith.mulf %121#2, %cst_1 : f64
      %124 = arith.mulf %121#1, %cst_1 : f64
      %125 = arith.mulf %121#3, %cst_1 : f64
      %126 = arith.addf %tex, %122 : f64
      %127 = arith.ori %98, %121#4 : i1
      %128 = arith.addf %tex_d_0, %123 : f64
      %129 = arith.addf %tex_d, %124 : f64
      %130 = arith.ori %100, %121#5 : i1
      %131 = arith.addf %tex_d_d, %125 : f64
      %132 = math.sin %126 : f64
      %133 = math.cos %126 : f64
      %134 = arith.mulf %128, %133 : f64
      %135 = arith.negf %132 : f64
      %136 = arith.mulf %128, %135 : f64
      %137 = arith.mulf %129, %133 : f64
      %138 = arith.mulf %131, %133 : f64
      %139 = arith.mulf %136, %129 : f64
      %140 = arith.ori %130, %127 : i1
      %141 = arith.addf %138, %139 : f64
      %142 = agg.extract %p_3[] {path = array<i64: 0>} : (!t_orders) -> f64
      %143 = agg.extract %p_3_d_0[] {path = array<i64: 0>} : (!t_orders) -> f64
      %144 = agg.extract %p_3_d[] {path = array<i64: 0>} : (!t_orders) -> f64
      %145 = agg.extract %p_3_d_d[] {path = array<i64: 0>} : (!t_orders) -> f64
      %146 = arith.addf %142, %132 : f64
      %147 = arith.ori %arg12, %127 : i1
      %148 = arith.addf %143, %134 : f64
      %149 = arith.addf %144, %137 : f64
      %150 = arith.ori %arg14, %140 : i1
      %151 = arith.addf %145, %141 : f64
      %p_6 = agg.insert %146, %p_3[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %p_6_d = agg.insert %148, %p_3_d_0[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %p_6_d_0 = agg.insert %149, %p_3_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %p_6_d_d = agg.insert %151, %p_3_d_d[] {path = array<i64: 0>} : (f64, !t_orders) -> !t_orders
      %152 = arith.cmpi sgt, %sqrtf_2, %wrt00 : i32
      %153 = arith.select %152, %3, %false : i1
      scf.yield %153, %p_6, %sqrtf_2, %p_6_d_0, %p_6_d, %p_6_d_d, %147, %17, %150, %18 : i1, !t_orders, i32, !t_orders, !t_orders, !t_orders, i1, i1, i1, i1
    } attributes {ad.snapshots = 3}
    %154 = agg.extract %p_0[] {path = array<i64: 1>} : (!t_orders) -> f64
    %155 = agg.extract %p_0_d_0[] {path = array<i64: 1>} : (!t_orders) -> f64
    %156 = agg.extract %p_0_d[] {path = array<i64: 1>} : (!t_orders) -> f64
    %157 = agg.extract %p_0_d_d[] {path = array<i64: 1>} : (!t_orders) -> f64
    %vprintf = agg.make %154 : (f64) -> !t_threadIdx
    %vprintf_d = agg.make %155 : (f64) -> !t_threadIdx
    %vprintf_d_0 = agg.make %156 : (f64) -> !t_threadIdx
    %vprintf_d_d = agg.make %157 : (f64) -> !t_threadIdx
    func.return %vprintf, %vprintf_d_0, %6, %8, %vprintf_d, %vprintf_d_d : !t_threadIdx, !t_threadIdx, i1, i1, !t_threadIdx, !t_threadIdx
  }
  func.func private @dot.double.2.fwd.gated(%x: vector<2xf64>, %y: vector<2xf64>, %x_d: vector<2xf64>, %y_d: vector<2xf64>, %arg0: vector<2xi1>, %arg1: vector<2xi1>, %arg2: vector<2xi1>, %arg3: vector<2xi1>, %x_d_0: vector<2xf64>, %y_d_0: vector<2xf64>, %x_d_d: vector<2xf64>, %y_d_d: vector<2xf64>) -> (f64, f64, i1, i1, f64, f64) attributes {ad.gated, differentiable = "both"} {
    %0 = arith.mulf %x, %y : vector<2xf64>
    %1 = arith.mulf %x_d_0, %y : vector<2xf64>
    %2 = arith.mulf %y_d_0, %x : vector<2xf64>
    %3 = arith.ori %arg0, %arg1 : vector<2xi1>
    %4 = arith.addf %1, %2 : vector<2xf64>
    %5 = arith.mulf %x_d, %y : vector<2xf64>
    %6 = arith.mulf %x_d_d, %y : vector<2xf64>
    %7 = arith.mulf %y_d_0, %x_d : vector<2xf64>
    %8 = arith.ori %arg2, %arg1 : vector<2xi1>
    %9 = arith.addf %6, %7 : vector<2xf64>
    %10 = arith.mulf %y_d, %x : vector<2xf64>
    %11 = arith.mulf %y_d_d, %x : vector<2xf64>
    %12 = arith.mulf %x_d_0, %y_d : vector<2xf64>
    %13 = arith.ori %arg3, %arg0 : vector<2xi1>
    %14 = arith.addf %11, %12 : vector<2xf64>
    %15 = arith.addf %5, %10 : vector<2xf64>
    %16 = arith.ori %8, %13 : vector<2xi1>
    %17 = arith.addf %9, %14 : vector<2xf64>
    %18 = vector.reduction <add>, %0 : vector<2xf64> into f64
    %19 = vector.reduction <add>, %4 : vector<2xf64> into f64
    %20 = vector.reduction <or>, %3 : vector<2xi1> into i1
    %21 = vector.reduction <add>, %15 : vector<2xf64> into f64
    %22 = vector.reduction <add>, %17 : vector<2xf64> into f64
    %23 = vector.reduction <or>, %16 : vector<2xi1> into i1
    func.return %18, %21, %20, %23, %19, %22 : f64, f64, i1, i1, f64, f64
  }
  func.func private @wrt10.fwd.gated(%cosf: i32, %x: f64, %x_d: f64, %arg0: i1, %arg1: i1, %x_d_0: f64, %x_d_d: f64) -> (f64, f64, i1, i1, f64, f64) attributes {ad.gated, differentiable = "both"} {
    %init, %init_d, %0, %1, %2, %3, %init_d_0, %init_d_d = func.call @jvpp.fwd.gated(%cosf, %x, %x_d, %arg0, %arg1, %x_d_0, %x_d_d) : (i32, f64, f64, i1, i1, f64, f64) -> (!t_arith, !t_arith_Differential, i1, i1, i1, i1, !t_arith_Differential, !t_arith_Differential)
    %get = arith.constant 0 : i32
    %c3_i32 = arith.constant 3 : i32
    %4 = arith.andi %cosf, %c3_i32 : i32
    %c0_i64 = arith.constant 0 : i64
    %5 = arith.extsi %4 : i32 to i64
    %6 = arith.maxsi %5, %c0_i64 : i64
    %7 = arith.index_cast %6 : i64 to index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.0 : f64
    %c1_i32 = arith.constant 1 : i32
    %init_0, %tex, %init_0_d, %tex_d, %init_0_d_0, %tex_d_0, %init_0_d_d, %tex_d_d, %8, %9, %10, %11 = scf.for %arg2 = %c0 to %7 step %c1 iter_args(%init_1 = %init, %tex_0 = %x, %init_1_d = %init_d, %tex_0_d = %x_d, %init_1_d_0 = %init_d_0, %tex_0_d_0 = %x_d_0, %init_1_d_d = %init_d_d, %tex_0_d_d = %x_d_d, %arg3 = %0, %arg4 = %arg0, %arg5 = %2, %arg6 = %arg1) -> (!t_arith, f64, !t_arith_Differential, f64, !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1, i1, i1) {
      %get_0 = arith.index_cast %arg2 : index to i32
      %12 = agg.extract %init_1[] {path = array<i64: 0>} : (!t_arith) -> i32
      %13 = arith.index_cast %12 : i32 to index
      %14:6 = scf.index_switch %13 -> f64, f64, f64, f64, i1, i1
      case 1 {
        %wrt0 = agg.extract %init_1[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
        %wrt0_d = agg.extract %init_1_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %wrt0_d_0 = agg.extract %init_1_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        %wrt0_d_d = agg.extract %init_1_d_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
        scf.yield %wrt0, %wrt0_d_0, %wrt0_d, %wrt0_d_d, %arg3, %arg5 : f64, f64, f64, f64, i1, i1
      }
      case 2 {
        %false_0 = arith.constant false
        scf.yield %cst, %cst, %cst, %cst, %false_0, %false_0 : f64, f64, f64, f64, i1, i1
      }
      default {
        %false = arith.constant false
        scf.yield %cst, %cst, %cst, %cst, %false, %false : f64, f64, f64, f64, i1, i1
      }
      %tex_1 = math.sin %14#0 : f64
      %15 = math.cos %14#0 : f64
      %tex_1_d = arith.mulf %14#2, %15 : f64
      %16 = arith.negf %tex_1 : f64
      %17 = arith.mulf %14#2, %16 : f64
      %tex_1_d_0 = arith.mulf %14#1, %15 : f64
      %18 = arith.mulf %14#3, %15 : f64
      %19 = arith.mulf %17, %14#1 : f64
      %20 = arith.ori %14#5, %14#4 : i1
      %tex_1_d_d = arith.addf %18, %19 : f64
      %21 = arith.andi %get_0, %c1_i32 : i32
      %22 = arith.cmpi eq, %21, %get : i32
      %init_2, %init_2_d, %init_2_d_0, %init_2_d_d, %23, %24 = scf.if %22 -> (!t_arith, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential, i1, i1) {
        %25 = arith.addi %cosf, %get_0 : i32
        %init_3, %init_3_d, %26, %27, %28, %29, %init_3_d_0, %init_3_d_d = func.call @jvpp.fwd.gated(%25, %tex_1, %tex_1_d_0, %14#4, %20, %tex_1_d, %tex_1_d_d) : (i32, f64, f64, i1, i1, f64, f64) -> (!t_arith, !t_arith_Differential, i1, i1, i1, i1, !t_arith_Differential, !t_arith_Differential)
        scf.yield %init_3, %init_3_d, %init_3_d_0, %init_3_d_d, %26, %28 : !t_arith, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential, i1, i1
      } else {
        scf.yield %init_1, %init_1_d, %init_1_d_0, %init_1_d_d, %arg3, %arg5 : !t_arith, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential, i1, i1
      }
      scf.yield %init_2, %tex_1, %init_2_d, %tex_1_d_0, %init_2_d_0, %tex_1_d, %init_2_d_d, %tex_1_d_d, %23, %14#4, %24, %20 : !t_arith, f64, !t_arith_Differential, f64, !t_arith_Differential, f64, !t_arith_Differential, f64, i1, i1, i1, i1
    } {ad.snapshots = 3}
    %cst_0 = arith.constant 0.5 : f64
    %cst_1 = arith.constant 0.0 : f64
    %30 = agg.extract %init_0[] {path = array<i64: 0>} : (!t_arith) -> i32
    %31 = arith.index_cast %30 : i32 to index
    %32:6 = scf.index_switch %31 -> f64, f64, f64, f64, i1, i1
    case 1 {
      %wrt0_0 = agg.extract %init_0[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
      %wrt0_d_1 = agg.extract %init_0_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
      %wrt0_d_2 = agg.extract %init_0_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
      %wrt0_d_d_0 = agg.extract %init_0_d_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
      scf.yield %wrt0_0, %wrt0_d_2, %wrt0_d_1, %wrt0_d_d_0, %8, %10 : f64, f64, f64, f64, i1, i1
    }
    case 2 {
      %false_2 = arith.constant false
      scf.yield %cst_1, %cst_1, %cst_1, %cst_1, %false_2, %false_2 : f64, f64, f64, f64, i1, i1
    }
    default {
      %false_1 = arith.constant false
      scf.yield %cst_1, %cst_1, %cst_1, %cst_1, %false_1, %false_1 : f64, f64, f64, f64, i1, i1
    }
    %33 = arith.mulf %32#0, %cst_0 : f64
    %34 = arith.mulf %32#2, %cst_0 : f64
    %35 = arith.mulf %32#1, %cst_0 : f64
    %36 = arith.mulf %32#3, %cst_0 : f64
    %37 = arith.addf %tex, %33 : f64
    %38 = arith.ori %9, %32#4 : i1
    %39 = arith.addf %tex_d_0, %34 : f64
    %40 = arith.addf %tex_d, %35 : f64
    %41 = arith.ori %11, %32#5 : i1
    %42 = arith.addf %tex_d_d, %36 : f64
    func.return %37, %40, %38, %41, %39, %42 : f64, f64, i1, i1, f64, f64
  }
  func.func private @jvpp.fwd.gated(%cosf: i32, %x: f64, %x_d: f64, %arg0: i1, %arg1: i1, %x_d_0: f64, %x_d_d: f64) -> (!t_arith, !t_arith_Differential, i1, i1, i1, i1, !t_arith_Differential, !t_arith_Differential) attributes {ad.gated, differentiable = "both"} {
    %c3_i32 = arith.constant 3 : i32
    %0 = arith.andi %cosf, %c3_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi eq, %0, %c0_i32 : i32
    %false = arith.constant false
    %2 = arith.select %1, %arg0, %false : i1
    %3 = arith.select %1, %false, %arg0 : i1
    %4 = arith.select %1, %arg1, %false : i1
    %5 = arith.select %1, %false, %arg1 : i1
    %result, %result_d, %result_d_0, %result_d_d = scf.if %1 -> (!t_arith, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential) {
      %cst = arith.constant 0.5 : f64
      %6 = arith.mulf %x, %cst : f64
      %7 = arith.mulf %x_d_0, %cst : f64
      %8 = arith.mulf %x_d, %cst : f64
      %9 = arith.mulf %x_d_d, %cst : f64
      %init = agg.make %6 : (f64) -> !t_super
      %init_d = agg.make %7 : (f64) -> !t_super
      %init_d_0 = agg.make %8 : (f64) -> !t_super
      %init_d_d = agg.make %9 : (f64) -> !t_super
      %c1_i32 = arith.constant 1 : i32
      %10 = agg.zero : !t_of00
      %result_0 = agg.make %c1_i32, %init, %10 : (i32, !t_super, !t_of00) -> !t_arith
      %result_0_d = agg.make %init_d, %10 : (!t_super, !t_of00) -> !t_arith_Differential
      %result_0_d_0 = agg.make %init_d_0, %10 : (!t_super, !t_of00) -> !t_arith_Differential
      %result_0_d_d = agg.make %init_d_d, %10 : (!t_super, !t_of00) -> !t_arith_Differential
      scf.yield %result_0, %result_0_d_0, %result_0_d, %result_0_d_d : !t_arith, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential
    } else {
      %cst_0 = arith.constant 1.5 : f64
      %11 = arith.mulf %x, %cst_0 : f64
      %12 = arith.mulf %x_d_0, %cst_0 : f64
      %13 = arith.mulf %x_d, %cst_0 : f64
      %14 = arith.mulf %x_d_d, %cst_0 : f64
      %init_0 = agg.make %11 : (f64) -> !t_of00
      %init_0_d = agg.make %12 : (f64) -> !t_of00
      %init_0_d_0 = agg.make %13 : (f64) -> !t_of00
      %init_0_d_d = agg.make %14 : (f64) -> !t_of00
      %c2_i32 = arith.constant 2 : i32
      %15 = agg.zero : !t_super
      %result_1 = agg.make %c2_i32, %15, %init_0 : (i32, !t_super, !t_of00) -> !t_arith
      %result_1_d = agg.make %15, %init_0_d : (!t_super, !t_of00) -> !t_arith_Differential
      %result_1_d_0 = agg.make %15, %init_0_d_0 : (!t_super, !t_of00) -> !t_arith_Differential
      %result_1_d_d = agg.make %15, %init_0_d_d : (!t_super, !t_of00) -> !t_arith_Differential
      scf.yield %result_1, %result_1_d_0, %result_1_d, %result_1_d_d : !t_arith, !t_arith_Differential, !t_arith_Differential, !t_arith_Differential
    }
    func.return %result, %result_d, %2, %3, %4, %5, %result_d_0, %result_d_d : !t_arith, !t_arith_Differential, i1, i1, i1, i1, !t_arith_Differential, !t_arith_Differential
  }
  func.func private @arith.part.fwd.gated(%this: !t_arith, %x: f64, %cosf: i32, %this_d: !t_arith_Differential, %x_d: f64, %arg0: i1, %arg1: i1, %arg2: i1, %arg3: i1, %arg4: i1, %arg5: i1, %this_d_0: !t_arith_Differential, %x_d_0: f64, %this_d_d: !t_arith_Differential, %x_d_d: f64) -> (f64, f64, i1, i1, f64, f64) attributes {ad.gated, differentiable = "both"} {
    %cst = arith.constant 0.0 : f64
    %0 = agg.extract %this[] {path = array<i64: 0>} : (!t_arith) -> i32
    %1 = arith.index_cast %0 : i32 to index
    %2:6 = scf.index_switch %1 -> f64, f64, f64, f64, i1, i1
    case 1 {
      %wrt0 = agg.extract %this[] {path = array<i64: 1, 0>} : (!t_arith) -> f64
      %wrt0_d = agg.extract %this_d_0[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
      %wrt0_d_0 = agg.extract %this_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
      %wrt0_d_d = agg.extract %this_d_d[] {path = array<i64: 0, 0>} : (!t_arith_Differential) -> f64
      scf.yield %wrt0, %wrt0_d_0, %wrt0_d, %wrt0_d_d, %arg0, %arg3 : f64, f64, f64, f64, i1, i1
    }
    case 2 {
      %false_0 = arith.constant false
      scf.yield %cst, %cst, %cst, %cst, %false_0, %false_0 : f64, f64, f64, f64, i1, i1
    }
    default {
      %false = arith.constant false
      scf.yield %cst, %cst, %cst, %cst, %false, %false : f64, f64, f64, f64, i1, i1
    }
    func.return %2#0, %2#1, %2#4, %2#5, %2#2, %2#3 : f64, f64, i1, i1, f64, f64
  }
  func.func private @super.part.fwd.gated(%this: !t_super, %x: f64, %cosf: i32, %this_d: !t_super, %x_d: f64, %arg0: i1, %arg1: i1, %arg2: i1, %arg3: i1, %this_d_0: !t_super, %x_d_0: f64, %this_d_d: !t_super, %x_d_d: f64) -> (f64, f64, i1, i1, f64, f64) attributes {ad.gated, differentiable = "both"} {
    %wrt0 = agg.extract %this[] {path = array<i64: 0>} : (!t_super) -> f64
    %wrt0_d = agg.extract %this_d_0[] {path = array<i64: 0>} : (!t_super) -> f64
    %wrt0_d_0 = agg.extract %this_d[] {path = array<i64: 0>} : (!t_super) -> f64
    %wrt0_d_d = agg.extract %this_d_d[] {path = array<i64: 0>} : (!t_super) -> f64
    func.return %wrt0, %wrt0_d_0, %arg0, %arg2, %wrt0_d, %wrt0_d_d : f64, f64, i1, i1, f64, f64
  }
}
