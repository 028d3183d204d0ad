func.func @integers(%arg0: i32, %arg1: vector<4xi8>, %arg2: index, %arg3: i1) {
  %0 = arith.addi %arg0, %arg0 : i32
  %1 = arith.subi %arg1, %arg1 : vector<4xi8>
  %2 = arith.muli %arg2, %arg2 : index
  %3 = arith.divsi %arg3, %arg3 : i1
  %4 = arith.divui %arg0, %arg0 : i32
  %5 = arith.remsi %arg1, %arg1 : vector<4xi8>
  %6 = arith.remui %arg2, %arg2 : index
  %7 = arith.andi %arg3, %arg3 : i1
  %8 = arith.ori %arg0, %arg0 : i32
  %9 = arith.xori %arg1, %arg1 : vector<4xi8>
  %10 = arith.shli %arg2, %arg2 : index
  %11 = arith.shrsi %arg3, %arg3 : i1
  %12 = arith.shrui %arg0, %arg0 : i32
  %13 = arith.minsi %arg1, %arg1 : vector<4xi8>
  %14 = arith.maxsi %arg2, %arg2 : index
  %15 = arith.minui %arg3, %arg3 : i1
  %16 = arith.maxui %arg0, %arg0 : i32
  %17 = arith.cmpi eq, %arg0, %arg0 : i32
  %18 = arith.cmpi ne, %arg1, %arg1 : vector<4xi8>
  %19 = arith.cmpi slt, %arg2, %arg2 : index
  %20 = arith.cmpi sle, %arg0, %arg0 : i32
  %21 = arith.cmpi sgt, %arg1, %arg1 : vector<4xi8>
  %22 = arith.cmpi sge, %arg2, %arg2 : index
  %23 = arith.cmpi ult, %arg0, %arg0 : i32
  %24 = arith.cmpi ule, %arg1, %arg1 : vector<4xi8>
  %25 = arith.cmpi ugt, %arg2, %arg2 : index
  %26 = arith.cmpi uge, %arg0, %arg0 : i32
  %27 = math.absi %arg0 : i32
  %28 = math.ctpop %arg0 : i32
  %29 = math.ctlz %arg0 : i32
  %30 = math.cttz %arg0 : i32
  return
}
func.func @floats(%arg0: f32, %arg1: vector<2x3xf64>, %arg2: f16) {
  %0 = arith.addf %arg0, %arg0 : f32
  %1 = arith.subf %arg1, %arg1 : vector<2x3xf64>
  %2 = arith.mulf %arg2, %arg2 : f16
  %3 = arith.divf %arg0, %arg0 : f32
  %4 = arith.remf %arg1, %arg1 : vector<2x3xf64>
  %5 = arith.minimumf %arg2, %arg2 : f16
  %6 = arith.maximumf %arg0, %arg0 : f32
  %7 = arith.minnumf %arg1, %arg1 : vector<2x3xf64>
  %8 = arith.maxnumf %arg2, %arg2 : f16
  %9 = arith.negf %arg1 : vector<2x3xf64>
  %10 = arith.cmpf false, %arg0, %arg0 : f32
  %11 = arith.cmpf oeq, %arg1, %arg1 : vector<2x3xf64>
  %12 = arith.cmpf ogt, %arg2, %arg2 : f16
  %13 = arith.cmpf oge, %arg0, %arg0 : f32
  %14 = arith.cmpf olt, %arg1, %arg1 : vector<2x3xf64>
  %15 = arith.cmpf ole, %arg2, %arg2 : f16
  %16 = arith.cmpf one, %arg0, %arg0 : f32
  %17 = arith.cmpf ord, %arg1, %arg1 : vector<2x3xf64>
  %18 = arith.cmpf ueq, %arg2, %arg2 : f16
  %19 = arith.cmpf ugt, %arg0, %arg0 : f32
  %20 = arith.cmpf uge, %arg1, %arg1 : vector<2x3xf64>
  %21 = arith.cmpf ult, %arg2, %arg2 : f16
  %22 = arith.cmpf ule, %arg0, %arg0 : f32
  %23 = arith.cmpf une, %arg1, %arg1 : vector<2x3xf64>
  %24 = arith.cmpf uno, %arg2, %arg2 : f16
  %25 = arith.cmpf true, %arg0, %arg0 : f32
  %26 = math.absf %arg0 : f32
  %27 = math.sqrt %arg1 : vector<2x3xf64>
  %28 = math.rsqrt %arg2 : f16
  %29 = math.cbrt %arg0 : f32
  %30 = math.sin %arg1 : vector<2x3xf64>
  %31 = math.cos %arg2 : f16
  %32 = math.tan %arg0 : f32
  %33 = math.asin %arg1 : vector<2x3xf64>
  %34 = math.acos %arg2 : f16
  %35 = math.atan %arg0 : f32
  %36 = math.sinh %arg1 : vector<2x3xf64>
  %37 = math.cosh %arg2 : f16
  %38 = math.tanh %arg0 : f32
  %39 = math.asinh %arg1 : vector<2x3xf64>
  %40 = math.acosh %arg2 : f16
  %41 = math.atanh %arg0 : f32
  %42 = math.exp %arg1 : vector<2x3xf64>
  %43 = math.exp2 %arg2 : f16
  %44 = math.expm1 %arg0 : f32
  %45 = math.log %arg1 : vector<2x3xf64>
  %46 = math.log2 %arg2 : f16
  %47 = math.log10 %arg0 : f32
  %48 = math.log1p %arg1 : vector<2x3xf64>
  %49 = math.floor %arg2 : f16
  %50 = math.ceil %arg0 : f32
  %51 = math.round %arg1 : vector<2x3xf64>
  %52 = math.roundeven %arg2 : f16
  %53 = math.trunc %arg0 : f32
  %54 = math.atan2 %arg0, %arg0 : f32
  %55 = math.powf %arg1, %arg1 : vector<2x3xf64>
  %56 = math.copysign %arg2, %arg2 : f16
  %57 = math.fma %arg0, %arg0, %arg0 : f32
  return
}
func.func @conversions(%arg0: i8, %arg1: f32, %arg2: vector<2xf16>, %arg3: index, %arg4: i1) {
  %0 = arith.extsi %arg0 : i8 to i32
  %1 = arith.extui %arg4 : i1 to i64
  %2 = arith.trunci %arg0 : i8 to i1
  %3 = arith.sitofp %arg0 : i8 to f64
  %4 = arith.uitofp %arg0 : i8 to f32
  %5 = arith.fptosi %arg1 : f32 to i64
  %6 = arith.fptoui %arg2 : vector<2xf16> to vector<2xi32>
  %7 = arith.extf %arg2 : vector<2xf16> to vector<2xf32>
  %8 = arith.truncf %arg1 : f32 to f16
  %9 = arith.bitcast %arg1 : f32 to i32
  %10 = arith.bitcast %arg2 : vector<2xf16> to vector<2xi16>
  %11 = arith.index_cast %arg3 : index to i32
  %12 = arith.index_cast %arg0 : i8 to index
  %13 = arith.index_castui %arg0 : i8 to index
  return
}
func.func @selects(%arg0: i1, %arg1: vector<3xi1>, %arg2: vector<3xf32>, %arg3: i64) {
  %0 = arith.select %arg0, %arg3, %arg3 : i64
  %1 = arith.select %arg0, %arg2, %arg2 : vector<3xf32>
  %2 = arith.select %arg1, %arg2, %arg2 : vector<3xi1>, vector<3xf32>
  return
}
func.func @constants() {
  %c-7_i32 = arith.constant -7 : i32
  %c3 = arith.constant 3 : index
  %true = arith.constant true
  %cst = arith.constant 5.000000e-01 : f32
  %cst_0 = arith.constant 0x7FF0000000000000 : f64
  %cst_1 = arith.constant -0.000000e+00 : f16
  %cst_2 = arith.constant dense<[1.000000e+00, 2.000000e+00]> : vector<2xf32>
  %cst_3 = arith.constant dense<0> : vector<2x2xi32>
  %cst_4 = arith.constant dense<[[true, false], [false, true]]> : vector<2x2xi1>
  return
}
func.func @vectors(%arg0: vector<3xf32>, %arg1: vector<2x4xf32>, %arg2: index, %arg3: f32, %arg4: vector<4xf32>, %arg5: vector<4xi32>, %arg6: vector<4xi1>) {
  %0 = vector.extract %arg0[2] : f32 from vector<3xf32>
  %1 = vector.extract %arg0[%arg2] : f32 from vector<3xf32>
  %2 = vector.extract %arg1[1] : vector<4xf32> from vector<2x4xf32>
  %3 = vector.extract %arg1[%arg2, 3] : f32 from vector<2x4xf32>
  %4 = vector.extract %arg1[%arg2, %arg2] : f32 from vector<2x4xf32>
  %5 = vector.insert %arg3, %arg0 [0] : f32 into vector<3xf32>
  %6 = vector.insert %arg3, %arg0 [%arg2] : f32 into vector<3xf32>
  %7 = vector.insert %arg4, %arg1 [%arg2] : vector<4xf32> into vector<2x4xf32>
  %8 = vector.insert %arg3, %arg1 [1, %arg2] : f32 into vector<2x4xf32>
  %9 = vector.broadcast %arg3 : f32 to vector<2x2xf32>
  %10 = vector.from_elements %arg3, %arg3 : vector<2xf32>
  %11 = vector.from_elements %arg3, %arg3 : vector<1x2xf32>
  %12 = vector.reduction <add>, %arg0 : vector<3xf32> into f32
  %13 = vector.reduction <add>, %arg5 : vector<4xi32> into i32
  %14 = vector.reduction <mul>, %arg5 : vector<4xi32> into i32
  %15 = vector.reduction <and>, %arg5 : vector<4xi32> into i32
  %16 = vector.reduction <or>, %arg5 : vector<4xi32> into i32
  %17 = vector.reduction <xor>, %arg5 : vector<4xi32> into i32
  %18 = vector.reduction <minsi>, %arg5 : vector<4xi32> into i32
  %19 = vector.reduction <minui>, %arg5 : vector<4xi32> into i32
  %20 = vector.reduction <maxsi>, %arg5 : vector<4xi32> into i32
  %21 = vector.reduction <maxui>, %arg5 : vector<4xi32> into i32
  %22 = vector.reduction <and>, %arg6 : vector<4xi1> into i1
  %23 = vector.shape_cast %arg1 : vector<2x4xf32> to vector<8xf32>
  %24 = vector.transpose %arg1, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  return
}
