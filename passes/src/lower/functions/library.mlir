module {
  func.func @bits(%x: f64) -> i64 attributes {written_result = "u64"} {
    %0 = arith.bitcast %x : f64 to i64
    func.return %0 : i64
  }
  func.func @number(%x: i64) -> f64 attributes {unsigned = ["x"]} {
    %0 = arith.bitcast %x : i64 to f64
    func.return %0 : f64
  }
  func.func @high(%x: f64) -> i32 attributes {written_result = "u32"} {
    %0 = arith.bitcast %x : f64 to i64
    %c32_i64 = arith.constant 32 : i64
    %1 = arith.shrui %0, %c32_i64 : i64
    %2 = arith.trunci %1 : i64 to i32
    func.return %2 : i32
  }
  func.func @none() -> f64 {
    %cst = arith.constant 0x7FF8000000000000 : f64
    func.return %cst : f64
  }
  func.func @endless() -> f64 {
    %cst = arith.constant 0x7FF0000000000000 : f64
    func.return %cst : f64
  }
  func.func @is_none(%x: f64) -> i1 {
    %0 = arith.bitcast %x : f64 to i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %1 = arith.andi %0, %c9223372036854775807_i64 : i64
    %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
    %2 = arith.cmpi ugt, %1, %c9218868437227405312_i64 : i64
    func.return %2 : i1
  }
  func.func @is_endless(%x: f64) -> i1 {
    %0 = arith.bitcast %x : f64 to i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %1 = arith.andi %0, %c9223372036854775807_i64 : i64
    %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
    %2 = arith.cmpi eq, %1, %c9218868437227405312_i64 : i64
    func.return %2 : i1
  }
  func.func @copy_sign(%x: f64, %y: f64) -> f64 {
    %0 = arith.bitcast %x : f64 to i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %1 = arith.andi %0, %c9223372036854775807_i64 : i64
    %2 = arith.bitcast %y : f64 to i64
    %c-9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
    %3 = arith.andi %2, %c-9223372036854775808_i64 : i64
    %4 = arith.ori %1, %3 : i64
    %5 = arith.bitcast %4 : i64 to f64
    func.return %5 : f64
  }
  func.func @scaled(%x: f64, %by: i32) -> f64 {
    %c2_i32 = arith.constant 2 : i32
    %half_of = arith.divsi %by, %c2_i32 : i32
    %c1023_i32 = arith.constant 1023 : i32
    %0 = arith.addi %half_of, %c1023_i32 : i32
    %1 = arith.extsi %0 : i32 to i64
    %c52_i64 = arith.constant 52 : i64
    %2 = arith.shli %1, %c52_i64 : i64
    %first = arith.bitcast %2 : i64 to f64
    %3 = arith.addi %by, %c1023_i32 : i32
    %4 = arith.subi %3, %half_of : i32
    %5 = arith.extsi %4 : i32 to i64
    %6 = arith.shli %5, %c52_i64 : i64
    %second = arith.bitcast %6 : i64 to f64
    %7 = arith.mulf %x, %first : f64
    %8 = arith.mulf %7, %second : f64
    func.return %8 : f64
  }
  func.func @exp_near(%x: f64) -> f64 {
    %cst = arith.constant 1.0 : f64
    %cst_0 = arith.constant 0.5 : f64
    %cst_1 = arith.constant 0.16666666666666666 : f64
    %cst_2 = arith.constant 0.041666666666666664 : f64
    %cst_3 = arith.constant 0.008333333333333333 : f64
    %cst_4 = arith.constant 0.001388888888888889 : f64
    %cst_5 = arith.constant 0.0001984126984126984 : f64
    %cst_6 = arith.constant 0.0000248015873015873 : f64
    %cst_7 = arith.constant 2.7557319223985893e-06 : f64
    %cst_8 = arith.constant 2.755731922398589e-07 : f64
    %cst_9 = arith.constant 2.505210838544172e-08 : f64
    %cst_10 = arith.constant 2.08767569878681e-09 : f64
    %cst_11 = arith.constant 1.6059043836821613e-10 : f64
    %cst_12 = arith.constant 1.1470745597729725e-11 : f64
    %0 = arith.mulf %x, %cst_12 : f64
    %1 = arith.addf %0, %cst_11 : f64
    %2 = arith.mulf %x, %1 : f64
    %3 = arith.addf %2, %cst_10 : f64
    %4 = arith.mulf %x, %3 : f64
    %5 = arith.addf %4, %cst_9 : f64
    %6 = arith.mulf %x, %5 : f64
    %7 = arith.addf %6, %cst_8 : f64
    %8 = arith.mulf %x, %7 : f64
    %9 = arith.addf %8, %cst_7 : f64
    %10 = arith.mulf %x, %9 : f64
    %11 = arith.addf %10, %cst_6 : f64
    %12 = arith.mulf %x, %11 : f64
    %13 = arith.addf %12, %cst_5 : f64
    %14 = arith.mulf %x, %13 : f64
    %15 = arith.addf %14, %cst_4 : f64
    %16 = arith.mulf %x, %15 : f64
    %17 = arith.addf %16, %cst_3 : f64
    %18 = arith.mulf %x, %17 : f64
    %19 = arith.addf %18, %cst_2 : f64
    %20 = arith.mulf %x, %19 : f64
    %21 = arith.addf %20, %cst_1 : f64
    %22 = arith.mulf %x, %21 : f64
    %23 = arith.addf %22, %cst_0 : f64
    %24 = arith.mulf %x, %23 : f64
    %25 = arith.addf %24, %cst : f64
    %26 = arith.mulf %x, %25 : f64
    %27 = arith.addf %26, %cst : f64
    func.return %27 : f64
  }
  func.func @exp_f64(%x: f64) -> f64 {
    %0 = arith.bitcast %x : f64 to i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %1 = arith.andi %0, %c9223372036854775807_i64 : i64
    %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
    %2 = arith.cmpi ugt, %1, %c9218868437227405312_i64 : i64
    %result = scf.if %2 -> (f64) {
      scf.yield %x : f64
    } else {
      %cst = arith.constant 709.79 : f64
      %3 = arith.cmpf oge, %x, %cst : f64
      %result_0 = scf.if %3 -> (f64) {
        %result_1 = arith.constant 0x7FF0000000000000 : f64
        scf.yield %result_1 : f64
      } else {
        %cst_0 = arith.constant -745.2 : f64
        %4 = arith.cmpf olt, %x, %cst_0 : f64
        %result_2 = scf.if %4 -> (f64) {
          %result_3 = arith.constant 0.0 : f64
          scf.yield %result_3 : f64
        } else {
          %cst_1 = arith.constant 1.4426950408889634 : f64
          %5 = arith.mulf %x, %cst_1 : f64
          %n = math.roundeven %5 : f64
          %cst_2 = arith.constant 0.6931471803691238 : f64
          %6 = arith.mulf %n, %cst_2 : f64
          %7 = arith.subf %x, %6 : f64
          %cst_3 = arith.constant 1.9082149292705877e-10 : f64
          %8 = arith.mulf %n, %cst_3 : f64
          %r = arith.subf %7, %8 : f64
          %9 = func.call @exp_near(%r) : (f64) -> f64
          %10 = arith.fptosi %n : f64 to i32
          %c2_i32 = arith.constant 2 : i32
          %half_of = arith.divsi %10, %c2_i32 : i32
          %c1023_i32 = arith.constant 1023 : i32
          %11 = arith.addi %half_of, %c1023_i32 : i32
          %12 = arith.extsi %11 : i32 to i64
          %c52_i64 = arith.constant 52 : i64
          %13 = arith.shli %12, %c52_i64 : i64
          %first = arith.bitcast %13 : i64 to f64
          %14 = arith.addi %10, %c1023_i32 : i32
          %15 = arith.subi %14, %half_of : i32
          %16 = arith.extsi %15 : i32 to i64
          %17 = arith.shli %16, %c52_i64 : i64
          %second = arith.bitcast %17 : i64 to f64
          %18 = arith.mulf %9, %first : f64
          %result_4 = arith.mulf %18, %second : f64
          scf.yield %result_4 : f64
        }
        scf.yield %result_2 : f64
      }
      scf.yield %result_0 : f64
    }
    func.return %result : f64
  }
  func.func @exp2_f64(%x: f64) -> f64 {
    %0 = arith.bitcast %x : f64 to i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %1 = arith.andi %0, %c9223372036854775807_i64 : i64
    %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
    %2 = arith.cmpi ugt, %1, %c9218868437227405312_i64 : i64
    %result = scf.if %2 -> (f64) {
      scf.yield %x : f64
    } else {
      %cst = arith.constant 1024.0 : f64
      %3 = arith.cmpf oge, %x, %cst : f64
      %result_0 = scf.if %3 -> (f64) {
        %result_1 = arith.constant 0x7FF0000000000000 : f64
        scf.yield %result_1 : f64
      } else {
        %cst_0 = arith.constant -1075.0 : f64
        %4 = arith.cmpf olt, %x, %cst_0 : f64
        %result_2 = scf.if %4 -> (f64) {
          %result_3 = arith.constant 0.0 : f64
          scf.yield %result_3 : f64
        } else {
          %n = math.roundeven %x : f64
          %5 = arith.subf %x, %n : f64
          %cst_1 = arith.constant 0.6931471805599453 : f64
          %6 = arith.mulf %5, %cst_1 : f64
          %7 = func.call @exp_near(%6) : (f64) -> f64
          %8 = arith.fptosi %n : f64 to i32
          %c2_i32 = arith.constant 2 : i32
          %half_of = arith.divsi %8, %c2_i32 : i32
          %c1023_i32 = arith.constant 1023 : i32
          %9 = arith.addi %half_of, %c1023_i32 : i32
          %10 = arith.extsi %9 : i32 to i64
          %c52_i64 = arith.constant 52 : i64
          %11 = arith.shli %10, %c52_i64 : i64
          %first = arith.bitcast %11 : i64 to f64
          %12 = arith.addi %8, %c1023_i32 : i32
          %13 = arith.subi %12, %half_of : i32
          %14 = arith.extsi %13 : i32 to i64
          %15 = arith.shli %14, %c52_i64 : i64
          %second = arith.bitcast %15 : i64 to f64
          %16 = arith.mulf %7, %first : f64
          %result_4 = arith.mulf %16, %second : f64
          scf.yield %result_4 : f64
        }
        scf.yield %result_2 : f64
      }
      scf.yield %result_0 : f64
    }
    func.return %result : f64
  }
  func.func @expm1_f64(%x: f64) -> f64 {
    %0 = math.absf %x : f64
    %cst = arith.constant 0.5 : f64
    %1 = arith.cmpf olt, %0, %cst : f64
    %result = scf.if %1 -> (f64) {
      %cst_0 = arith.constant 1.0 : f64
      %cst_1 = arith.constant 0.16666666666666666 : f64
      %cst_2 = arith.constant 0.041666666666666664 : f64
      %cst_3 = arith.constant 0.008333333333333333 : f64
      %cst_4 = arith.constant 0.001388888888888889 : f64
      %cst_5 = arith.constant 0.0001984126984126984 : f64
      %cst_6 = arith.constant 0.0000248015873015873 : f64
      %cst_7 = arith.constant 2.7557319223985893e-06 : f64
      %cst_8 = arith.constant 2.755731922398589e-07 : f64
      %cst_9 = arith.constant 2.505210838544172e-08 : f64
      %cst_10 = arith.constant 2.08767569878681e-09 : f64
      %cst_11 = arith.constant 1.6059043836821613e-10 : f64
      %cst_12 = arith.constant 1.1470745597729725e-11 : f64
      %cst_13 = arith.constant 7.647163731819816e-13 : f64
      %cst_14 = arith.constant 4.779477332387385e-14 : f64
      %2 = arith.mulf %x, %cst_14 : f64
      %3 = arith.addf %2, %cst_13 : f64
      %4 = arith.mulf %x, %3 : f64
      %5 = arith.addf %4, %cst_12 : f64
      %6 = arith.mulf %x, %5 : f64
      %7 = arith.addf %6, %cst_11 : f64
      %8 = arith.mulf %x, %7 : f64
      %9 = arith.addf %8, %cst_10 : f64
      %10 = arith.mulf %x, %9 : f64
      %11 = arith.addf %10, %cst_9 : f64
      %12 = arith.mulf %x, %11 : f64
      %13 = arith.addf %12, %cst_8 : f64
      %14 = arith.mulf %x, %13 : f64
      %15 = arith.addf %14, %cst_7 : f64
      %16 = arith.mulf %x, %15 : f64
      %17 = arith.addf %16, %cst_6 : f64
      %18 = arith.mulf %x, %17 : f64
      %19 = arith.addf %18, %cst_5 : f64
      %20 = arith.mulf %x, %19 : f64
      %21 = arith.addf %20, %cst_4 : f64
      %22 = arith.mulf %x, %21 : f64
      %23 = arith.addf %22, %cst_3 : f64
      %24 = arith.mulf %x, %23 : f64
      %25 = arith.addf %24, %cst_2 : f64
      %26 = arith.mulf %x, %25 : f64
      %27 = arith.addf %26, %cst_1 : f64
      %28 = arith.mulf %x, %27 : f64
      %29 = arith.addf %28, %cst : f64
      %30 = arith.mulf %x, %29 : f64
      %31 = arith.addf %30, %cst_0 : f64
      %result_0 = arith.mulf %x, %31 : f64
      scf.yield %result_0 : f64
    } else {
      %32 = func.call @exp_f64(%x) : (f64) -> f64
      %cst_15 = arith.constant 1.0 : f64
      %result_1 = arith.subf %32, %cst_15 : f64
      scf.yield %result_1 : f64
    }
    func.return %result : f64
  }
  func.func @mantissa(%x: f64) -> (f64, i32) attributes {unsigned = ["b"]} {
    %power = arith.constant 0 : i32
    %cst = arith.constant 2.2250738585072014e-308 : f64
    %0 = arith.cmpf olt, %x, %cst : f64
    %c-54_i32 = arith.constant -54 : i32
    %power_0 = arith.select %0, %c-54_i32, %power : i32
    %x_0 = scf.if %0 -> (f64) {
      %cst_0 = arith.constant 1.8014398509481984e+16 : f64
      %x_1 = arith.mulf %x, %cst_0 : f64
      scf.yield %x_1 : f64
    } else {
      scf.yield %x : f64
    }
    %b = arith.bitcast %x_0 : f64 to i64
    %c52_i64 = arith.constant 52 : i64
    %1 = arith.shrui %b, %c52_i64 : i64
    %2 = arith.trunci %1 : i64 to i32
    %c-1023_i32 = arith.constant -1023 : i32
    %3 = arith.addi %2, %c-1023_i32 : i32
    %power_1 = arith.addi %power_0, %3 : i32
    %c4503599627370495_i64 = arith.constant 4503599627370495 : i64
    %4 = arith.andi %b, %c4503599627370495_i64 : i64
    %c4607182418800017408_i64 = arith.constant 4607182418800017408 : i64
    %5 = arith.ori %4, %c4607182418800017408_i64 : i64
    %m = arith.bitcast %5 : i64 to f64
    %cst_1 = arith.constant 1.4142135623730951 : f64
    %6 = arith.cmpf ogt, %m, %cst_1 : f64
    %power_2, %m_0 = scf.if %6 -> (i32, f64) {
      %cst_2 = arith.constant 0.5 : f64
      %m_1 = arith.mulf %m, %cst_2 : f64
      %c1_i32 = arith.constant 1 : i32
      %power_3 = arith.addi %power_1, %c1_i32 : i32
      scf.yield %power_3, %m_1 : i32, f64
    } else {
      scf.yield %power_1, %m : i32, f64
    }
    func.return %m_0, %power_2 : f64, i32
  }
  func.func @log_near(%m: f64) -> f64 {
    %cst = arith.constant 1.0 : f64
    %0 = arith.subf %m, %cst : f64
    %1 = arith.addf %m, %cst : f64
    %s = arith.divf %0, %1 : f64
    %z = arith.mulf %s, %s : f64
    %cst_0 = arith.constant 2.0 : f64
    %2 = arith.mulf %s, %cst_0 : f64
    %cst_1 = arith.constant 0.3333333333333333 : f64
    %cst_2 = arith.constant 0.2 : f64
    %cst_3 = arith.constant 0.14285714285714285 : f64
    %cst_4 = arith.constant 0.1111111111111111 : f64
    %cst_5 = arith.constant 0.09090909090909091 : f64
    %cst_6 = arith.constant 0.07692307692307693 : f64
    %cst_7 = arith.constant 0.06666666666666667 : f64
    %cst_8 = arith.constant 0.058823529411764705 : f64
    %cst_9 = arith.constant 0.05263157894736842 : f64
    %cst_10 = arith.constant 0.047619047619047616 : f64
    %cst_11 = arith.constant 0.043478260869565216 : f64
    %cst_12 = arith.constant 0.04 : f64
    %3 = arith.mulf %z, %cst_12 : f64
    %4 = arith.addf %3, %cst_11 : f64
    %5 = arith.mulf %z, %4 : f64
    %6 = arith.addf %5, %cst_10 : f64
    %7 = arith.mulf %z, %6 : f64
    %8 = arith.addf %7, %cst_9 : f64
    %9 = arith.mulf %z, %8 : f64
    %10 = arith.addf %9, %cst_8 : f64
    %11 = arith.mulf %z, %10 : f64
    %12 = arith.addf %11, %cst_7 : f64
    %13 = arith.mulf %z, %12 : f64
    %14 = arith.addf %13, %cst_6 : f64
    %15 = arith.mulf %z, %14 : f64
    %16 = arith.addf %15, %cst_5 : f64
    %17 = arith.mulf %z, %16 : f64
    %18 = arith.addf %17, %cst_4 : f64
    %19 = arith.mulf %z, %18 : f64
    %20 = arith.addf %19, %cst_3 : f64
    %21 = arith.mulf %z, %20 : f64
    %22 = arith.addf %21, %cst_2 : f64
    %23 = arith.mulf %z, %22 : f64
    %24 = arith.addf %23, %cst_1 : f64
    %25 = arith.mulf %z, %24 : f64
    %26 = arith.addf %25, %cst : f64
    %27 = arith.mulf %2, %26 : f64
    func.return %27 : f64
  }
  func.func @log_f64(%x: f64) -> f64 {
    %0 = arith.bitcast %x : f64 to i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %1 = arith.andi %0, %c9223372036854775807_i64 : i64
    %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
    %2 = arith.cmpi ugt, %1, %c9218868437227405312_i64 : i64
    %3 = scf.if %2 -> (i1) {
      %true = arith.constant true
      scf.yield %true : i1
    } else {
      %cst = arith.constant 0.0 : f64
      %4 = arith.cmpf olt, %x, %cst : f64
      scf.yield %4 : i1
    }
    %result = scf.if %3 -> (f64) {
      %result_0 = arith.constant 0x7FF8000000000000 : f64
      scf.yield %result_0 : f64
    } else {
      %cst_0 = arith.constant 0.0 : f64
      %5 = arith.cmpf oeq, %x, %cst_0 : f64
      %result_1 = scf.if %5 -> (f64) {
        %result_2 = arith.constant 0xFFF0000000000000 : f64
        scf.yield %result_2 : f64
      } else {
        %6 = arith.cmpi eq, %1, %c9218868437227405312_i64 : i64
        %result_3 = scf.if %6 -> (f64) {
          scf.yield %x : f64
        } else {
          %7, %power = func.call @mantissa(%x) : (f64) -> (f64, i32)
          %near = func.call @log_near(%7) : (f64) -> f64
          %8 = arith.sitofp %power : i32 to f64
          %cst_1 = arith.constant 0.6931471803691238 : f64
          %9 = arith.mulf %8, %cst_1 : f64
          %cst_2 = arith.constant 1.9082149292705877e-10 : f64
          %10 = arith.mulf %8, %cst_2 : f64
          %11 = arith.addf %near, %10 : f64
          %result_4 = arith.addf %9, %11 : f64
          scf.yield %result_4 : f64
        }
        scf.yield %result_3 : f64
      }
      scf.yield %result_1 : f64
    }
    func.return %result : f64
  }
  func.func @log2_f64(%x: f64) -> f64 {
    %0 = arith.bitcast %x : f64 to i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %1 = arith.andi %0, %c9223372036854775807_i64 : i64
    %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
    %2 = arith.cmpi ugt, %1, %c9218868437227405312_i64 : i64
    %3 = scf.if %2 -> (i1) {
      %true = arith.constant true
      scf.yield %true : i1
    } else {
      %cst = arith.constant 0.0 : f64
      %4 = arith.cmpf ule, %x, %cst : f64
      scf.yield %4 : i1
    }
    %5 = scf.if %3 -> (i1) {
      %true_0 = arith.constant true
      scf.yield %true_0 : i1
    } else {
      %6 = arith.cmpi eq, %1, %c9218868437227405312_i64 : i64
      scf.yield %6 : i1
    }
    %result = scf.if %5 -> (f64) {
      %result_0 = func.call @log_f64(%x) : (f64) -> f64
      scf.yield %result_0 : f64
    } else {
      %7, %power = func.call @mantissa(%x) : (f64) -> (f64, i32)
      %near = func.call @log_near(%7) : (f64) -> f64
      %8 = arith.sitofp %power : i32 to f64
      %cst_0 = arith.constant 1.4426950408889634 : f64
      %9 = arith.mulf %near, %cst_0 : f64
      %result_1 = arith.addf %8, %9 : f64
      scf.yield %result_1 : f64
    }
    func.return %result : f64
  }
  func.func @log10_f64(%x: f64) -> f64 {
    %0 = func.call @log_f64(%x) : (f64) -> f64
    %cst = arith.constant 0.4342944819032518 : f64
    %1 = arith.mulf %0, %cst : f64
    func.return %1 : f64
  }
  func.func @log1p_f64(%x: f64) -> f64 {
    %cst = arith.constant 1.0 : f64
    %sum = arith.addf %x, %cst : f64
    %0 = arith.cmpf oeq, %sum, %cst : f64
    %1 = scf.if %0 -> (i1) {
      %true = arith.constant true
      scf.yield %true : i1
    } else {
      %2 = arith.bitcast %sum : f64 to i64
      %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
      %3 = arith.andi %2, %c9223372036854775807_i64 : i64
      %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
      %4 = arith.cmpi eq, %3, %c9218868437227405312_i64 : i64
      scf.yield %4 : i1
    }
    %result = scf.if %1 -> (f64) {
      scf.yield %x : f64
    } else {
      %5 = func.call @log_f64(%sum) : (f64) -> f64
      %6 = arith.subf %sum, %cst : f64
      %7 = arith.divf %x, %6 : f64
      %result_0 = arith.mulf %5, %7 : f64
      scf.yield %result_0 : f64
    }
    func.return %result : f64
  }
  func.func @sine(%x: f64, %quarters: i32) -> f64 {
    %0 = arith.bitcast %x : f64 to i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %1 = arith.andi %0, %c9223372036854775807_i64 : i64
    %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
    %2 = arith.cmpi ugt, %1, %c9218868437227405312_i64 : i64
    %3 = scf.if %2 -> (i1) {
      %true = arith.constant true
      scf.yield %true : i1
    } else {
      %4 = arith.cmpi eq, %1, %c9218868437227405312_i64 : i64
      scf.yield %4 : i1
    }
    %result = scf.if %3 -> (f64) {
      %result_0 = arith.constant 0x7FF8000000000000 : f64
      scf.yield %result_0 : f64
    } else {
      %cst = arith.constant 0.6366197723675814 : f64
      %5 = arith.mulf %x, %cst : f64
      %n = math.roundeven %5 : f64
      %cst_0 = arith.constant 1.5707963267341256 : f64
      %6 = arith.mulf %n, %cst_0 : f64
      %7 = arith.subf %x, %6 : f64
      %cst_1 = arith.constant 6.077100506303966e-11 : f64
      %8 = arith.mulf %n, %cst_1 : f64
      %9 = arith.subf %7, %8 : f64
      %cst_2 = arith.constant 2.0222662487959506e-21 : f64
      %10 = arith.mulf %n, %cst_2 : f64
      %r = arith.subf %9, %10 : f64
      %z = arith.mulf %r, %r : f64
      %cst_3 = arith.constant 0.25 : f64
      %11 = arith.mulf %n, %cst_3 : f64
      %12 = math.floor %11 : f64
      %cst_4 = arith.constant 4.0 : f64
      %13 = arith.mulf %12, %cst_4 : f64
      %14 = arith.subf %n, %13 : f64
      %15 = arith.fptosi %14 : f64 to i32
      %16 = arith.addi %15, %quarters : i32
      %c3_i32 = arith.constant 3 : i32
      %quarter = arith.andi %16, %c3_i32 : i32
      %cst_5 = arith.constant 1.0 : f64
      %cst_6 = arith.constant -0.16666666666666666 : f64
      %cst_7 = arith.constant 0.008333333333333333 : f64
      %cst_8 = arith.constant -0.0001984126984126984 : f64
      %cst_9 = arith.constant 2.7557319223985893e-06 : f64
      %cst_10 = arith.constant -2.505210838544172e-08 : f64
      %cst_11 = arith.constant 1.6059043836821613e-10 : f64
      %cst_12 = arith.constant -7.647163731819816e-13 : f64
      %cst_13 = arith.constant 2.8114572543455206e-15 : f64
      %cst_14 = arith.constant -8.22063524662433e-18 : f64
      %cst_15 = arith.constant 1.9572941063391263e-20 : f64
      %17 = arith.mulf %z, %cst_15 : f64
      %18 = arith.addf %17, %cst_14 : f64
      %19 = arith.mulf %z, %18 : f64
      %20 = arith.addf %19, %cst_13 : f64
      %21 = arith.mulf %z, %20 : f64
      %22 = arith.addf %21, %cst_12 : f64
      %23 = arith.mulf %z, %22 : f64
      %24 = arith.addf %23, %cst_11 : f64
      %25 = arith.mulf %z, %24 : f64
      %26 = arith.addf %25, %cst_10 : f64
      %27 = arith.mulf %z, %26 : f64
      %28 = arith.addf %27, %cst_9 : f64
      %29 = arith.mulf %z, %28 : f64
      %30 = arith.addf %29, %cst_8 : f64
      %31 = arith.mulf %z, %30 : f64
      %32 = arith.addf %31, %cst_7 : f64
      %33 = arith.mulf %z, %32 : f64
      %34 = arith.addf %33, %cst_6 : f64
      %35 = arith.mulf %z, %34 : f64
      %36 = arith.addf %35, %cst_5 : f64
      %odd = arith.mulf %r, %36 : f64
      %cst_16 = arith.constant -0.5 : f64
      %cst_17 = arith.constant 0.041666666666666664 : f64
      %cst_18 = arith.constant -0.001388888888888889 : f64
      %cst_19 = arith.constant 0.0000248015873015873 : f64
      %cst_20 = arith.constant -2.755731922398589e-07 : f64
      %cst_21 = arith.constant 2.08767569878681e-09 : f64
      %cst_22 = arith.constant -1.1470745597729725e-11 : f64
      %cst_23 = arith.constant 4.779477332387385e-14 : f64
      %cst_24 = arith.constant -1.5619206968586225e-16 : f64
      %cst_25 = arith.constant 4.110317623312165e-19 : f64
      %cst_26 = arith.constant -8.896791392450574e-22 : f64
      %37 = arith.mulf %z, %cst_26 : f64
      %38 = arith.addf %37, %cst_25 : f64
      %39 = arith.mulf %z, %38 : f64
      %40 = arith.addf %39, %cst_24 : f64
      %41 = arith.mulf %z, %40 : f64
      %42 = arith.addf %41, %cst_23 : f64
      %43 = arith.mulf %z, %42 : f64
      %44 = arith.addf %43, %cst_22 : f64
      %45 = arith.mulf %z, %44 : f64
      %46 = arith.addf %45, %cst_21 : f64
      %47 = arith.mulf %z, %46 : f64
      %48 = arith.addf %47, %cst_20 : f64
      %49 = arith.mulf %z, %48 : f64
      %50 = arith.addf %49, %cst_19 : f64
      %51 = arith.mulf %z, %50 : f64
      %52 = arith.addf %51, %cst_18 : f64
      %53 = arith.mulf %z, %52 : f64
      %54 = arith.addf %53, %cst_17 : f64
      %55 = arith.mulf %z, %54 : f64
      %56 = arith.addf %55, %cst_16 : f64
      %57 = arith.mulf %z, %56 : f64
      %even = arith.addf %57, %cst_5 : f64
      %c1_i32 = arith.constant 1 : i32
      %58 = arith.andi %quarter, %c1_i32 : i32
      %c0_i32 = arith.constant 0 : i32
      %59 = arith.cmpi eq, %58, %c0_i32 : i32
      %value = arith.select %59, %odd, %even : f64
      %c2_i32 = arith.constant 2 : i32
      %60 = arith.cmpi slt, %quarter, %c2_i32 : i32
      %result_1 = scf.if %60 -> (f64) {
        scf.yield %value : f64
      } else {
        %61 = arith.negf %value : f64
        scf.yield %61 : f64
      }
      scf.yield %result_1 : f64
    }
    func.return %result : f64
  }
  func.func @sin_f64(%x: f64) -> f64 {
    %cst = arith.constant 0.0 : f64
    %0 = arith.cmpf oeq, %x, %cst : f64
    %1 = scf.if %0 -> (f64) {
      scf.yield %x : f64
    } else {
      %c0_i32 = arith.constant 0 : i32
      %2 = func.call @sine(%x, %c0_i32) : (f64, i32) -> f64
      scf.yield %2 : f64
    }
    func.return %1 : f64
  }
  func.func @cos_f64(%x: f64) -> f64 {
    %c1_i32 = arith.constant 1 : i32
    %0 = func.call @sine(%x, %c1_i32) : (f64, i32) -> f64
    func.return %0 : f64
  }
  func.func @tan_f64(%x: f64) -> f64 {
    %cst = arith.constant 0.0 : f64
    %0 = arith.cmpf oeq, %x, %cst : f64
    %1 = scf.if %0 -> (f64) {
      scf.yield %x : f64
    } else {
      %c0_i32 = arith.constant 0 : i32
      %2 = func.call @sine(%x, %c0_i32) : (f64, i32) -> f64
      %c1_i32 = arith.constant 1 : i32
      %3 = func.call @sine(%x, %c1_i32) : (f64, i32) -> f64
      %4 = arith.divf %2, %3 : f64
      scf.yield %4 : f64
    }
    func.return %1 : f64
  }
  func.func @atan_f64(%x: f64) -> f64 {
    %0 = arith.bitcast %x : f64 to i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %1 = arith.andi %0, %c9223372036854775807_i64 : i64
    %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
    %2 = arith.cmpi ugt, %1, %c9218868437227405312_i64 : i64
    %result = scf.if %2 -> (f64) {
      scf.yield %x : f64
    } else {
      %a = math.absf %x : f64
      %cst = arith.constant 1.0 : f64
      %large = arith.cmpf ogt, %a, %cst : f64
      %t = scf.if %large -> (f64) {
        %3 = arith.divf %cst, %a : f64
        scf.yield %3 : f64
      } else {
        scf.yield %a : f64
      }
      %c2 = arith.constant 2 : index
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %t_0 = scf.for %arg0 = %c0 to %c2 step %c1 iter_args(%t_1 = %t) -> (f64) {
        %4 = arith.mulf %t_1, %t_1 : f64
        %5 = arith.addf %4, %cst : f64
        %6 = math.sqrt %5 : f64
        %7 = arith.addf %6, %cst : f64
        %t_2 = arith.divf %t_1, %7 : f64
        scf.yield %t_2 : f64
      }
      %z = arith.mulf %t_0, %t_0 : f64
      %cst_0 = arith.constant 4.0 : f64
      %8 = arith.mulf %t_0, %cst_0 : f64
      %cst_1 = arith.constant -0.3333333333333333 : f64
      %cst_2 = arith.constant 0.2 : f64
      %cst_3 = arith.constant -0.14285714285714285 : f64
      %cst_4 = arith.constant 0.1111111111111111 : f64
      %cst_5 = arith.constant -0.09090909090909091 : f64
      %cst_6 = arith.constant 0.07692307692307693 : f64
      %cst_7 = arith.constant -0.06666666666666667 : f64
      %cst_8 = arith.constant 0.058823529411764705 : f64
      %cst_9 = arith.constant -0.05263157894736842 : f64
      %cst_10 = arith.constant 0.047619047619047616 : f64
      %cst_11 = arith.constant -0.043478260869565216 : f64
      %cst_12 = arith.constant 0.04 : f64
      %cst_13 = arith.constant -0.037037037037037035 : f64
      %9 = arith.mulf %z, %cst_13 : f64
      %10 = arith.addf %9, %cst_12 : f64
      %11 = arith.mulf %z, %10 : f64
      %12 = arith.addf %11, %cst_11 : f64
      %13 = arith.mulf %z, %12 : f64
      %14 = arith.addf %13, %cst_10 : f64
      %15 = arith.mulf %z, %14 : f64
      %16 = arith.addf %15, %cst_9 : f64
      %17 = arith.mulf %z, %16 : f64
      %18 = arith.addf %17, %cst_8 : f64
      %19 = arith.mulf %z, %18 : f64
      %20 = arith.addf %19, %cst_7 : f64
      %21 = arith.mulf %z, %20 : f64
      %22 = arith.addf %21, %cst_6 : f64
      %23 = arith.mulf %z, %22 : f64
      %24 = arith.addf %23, %cst_5 : f64
      %25 = arith.mulf %z, %24 : f64
      %26 = arith.addf %25, %cst_4 : f64
      %27 = arith.mulf %z, %26 : f64
      %28 = arith.addf %27, %cst_3 : f64
      %29 = arith.mulf %z, %28 : f64
      %30 = arith.addf %29, %cst_2 : f64
      %31 = arith.mulf %z, %30 : f64
      %32 = arith.addf %31, %cst_1 : f64
      %33 = arith.mulf %z, %32 : f64
      %34 = arith.addf %33, %cst : f64
      %angle = arith.mulf %8, %34 : f64
      %angle_0 = scf.if %large -> (f64) {
        %cst_14 = arith.constant 1.5707963267948966 : f64
        %35 = arith.subf %cst_14, %angle : f64
        scf.yield %35 : f64
      } else {
        scf.yield %angle : f64
      }
      %36 = arith.bitcast %angle_0 : f64 to i64
      %37 = arith.andi %36, %c9223372036854775807_i64 : i64
      %c-9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
      %38 = arith.andi %0, %c-9223372036854775808_i64 : i64
      %39 = arith.ori %37, %38 : i64
      %result_0 = arith.bitcast %39 : i64 to f64
      scf.yield %result_0 : f64
    }
    func.return %result : f64
  }
  func.func @atan2_f64(%y: f64, %x: f64) -> f64 {
    %0 = arith.bitcast %x : f64 to i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %1 = arith.andi %0, %c9223372036854775807_i64 : i64
    %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
    %2 = arith.cmpi ugt, %1, %c9218868437227405312_i64 : i64
    %3 = scf.if %2 -> (i1) {
      %true = arith.constant true
      scf.yield %true : i1
    } else {
      %4 = arith.bitcast %y : f64 to i64
      %5 = arith.andi %4, %c9223372036854775807_i64 : i64
      %6 = arith.cmpi ugt, %5, %c9218868437227405312_i64 : i64
      scf.yield %6 : i1
    }
    %result = scf.if %3 -> (f64) {
      %result_0 = arith.addf %x, %y : f64
      scf.yield %result_0 : f64
    } else {
      %a = math.absf %y : f64
      %angle = arith.constant 0.0 : f64
      %7 = arith.cmpf oeq, %a, %angle : f64
      %angle_0 = scf.if %7 -> (f64) {
        scf.yield %angle : f64
      } else {
        %b = math.absf %x : f64
        %8 = arith.bitcast %a : f64 to i64
        %9 = arith.andi %8, %c9223372036854775807_i64 : i64
        %10 = arith.cmpi eq, %9, %c9218868437227405312_i64 : i64
        %11 = scf.if %10 -> (i1) {
          %12 = arith.bitcast %b : f64 to i64
          %13 = arith.andi %12, %c9223372036854775807_i64 : i64
          %14 = arith.cmpi eq, %13, %c9218868437227405312_i64 : i64
          scf.yield %14 : i1
        } else {
          %false = arith.constant false
          scf.yield %false : i1
        }
        %angle_1 = scf.if %11 -> (f64) {
          %angle_2 = arith.constant 0.7853981633974483 : f64
          scf.yield %angle_2 : f64
        } else {
          %15 = arith.bitcast %b : f64 to i64
          %16 = arith.andi %15, %c9223372036854775807_i64 : i64
          %17 = arith.cmpi eq, %16, %c9218868437227405312_i64 : i64
          %angle_3 = scf.if %17 -> (f64) {
            scf.yield %angle : f64
          } else {
            %18 = arith.cmpf ogt, %a, %b : f64
            %angle_4 = scf.if %18 -> (f64) {
              %cst = arith.constant 1.5707963267948966 : f64
              %19 = arith.divf %b, %a : f64
              %20 = func.call @atan_f64(%19) : (f64) -> f64
              %angle_5 = arith.subf %cst, %20 : f64
              scf.yield %angle_5 : f64
            } else {
              %21 = arith.divf %a, %b : f64
              %angle_6 = func.call @atan_f64(%21) : (f64) -> f64
              scf.yield %angle_6 : f64
            }
            scf.yield %angle_4 : f64
          }
          scf.yield %angle_3 : f64
        }
        scf.yield %angle_1 : f64
      }
      %c63_i64 = arith.constant 63 : i64
      %22 = arith.shrui %0, %c63_i64 : i64
      %c0_i64 = arith.constant 0 : i64
      %23 = arith.cmpi ne, %22, %c0_i64 : i64
      %angle_7 = scf.if %23 -> (f64) {
        %cst_0 = arith.constant 3.141592653589793 : f64
        %angle_8 = arith.subf %cst_0, %angle_0 : f64
        scf.yield %angle_8 : f64
      } else {
        scf.yield %angle_0 : f64
      }
      %24 = arith.bitcast %angle_7 : f64 to i64
      %25 = arith.andi %24, %c9223372036854775807_i64 : i64
      %26 = arith.bitcast %y : f64 to i64
      %c-9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
      %27 = arith.andi %26, %c-9223372036854775808_i64 : i64
      %28 = arith.ori %25, %27 : i64
      %result_1 = arith.bitcast %28 : i64 to f64
      scf.yield %result_1 : f64
    }
    func.return %result : f64
  }
  func.func @asin_f64(%x: f64) -> f64 {
    %cst = arith.constant 0.0 : f64
    %0 = arith.cmpf oeq, %x, %cst : f64
    %1 = scf.if %0 -> (f64) {
      scf.yield %x : f64
    } else {
      %cst_0 = arith.constant 1.0 : f64
      %2 = arith.subf %cst_0, %x : f64
      %3 = arith.addf %x, %cst_0 : f64
      %4 = arith.mulf %2, %3 : f64
      %5 = math.sqrt %4 : f64
      %6 = func.call @atan2_f64(%x, %5) : (f64, f64) -> f64
      scf.yield %6 : f64
    }
    func.return %1 : f64
  }
  func.func @acos_f64(%x: f64) -> f64 {
    %cst = arith.constant 1.0 : f64
    %0 = arith.subf %cst, %x : f64
    %1 = arith.addf %x, %cst : f64
    %2 = arith.mulf %0, %1 : f64
    %3 = math.sqrt %2 : f64
    %4 = func.call @atan2_f64(%3, %x) : (f64, f64) -> f64
    func.return %4 : f64
  }
  func.func @sinh_f64(%x: f64) -> f64 {
    %a = math.absf %x : f64
    %m = func.call @expm1_f64(%a) : (f64) -> f64
    %cst = arith.constant 700.0 : f64
    %0 = arith.cmpf ogt, %a, %cst : f64
    %value = scf.if %0 -> (f64) {
      %cst_0 = arith.constant 0.5 : f64
      %1 = arith.mulf %a, %cst_0 : f64
      %2 = func.call @exp_f64(%1) : (f64) -> f64
      %3 = arith.mulf %2, %cst_0 : f64
      %4 = arith.mulf %3, %2 : f64
      scf.yield %4 : f64
    } else {
      %cst_1 = arith.constant 0.5 : f64
      %cst_2 = arith.constant 1.0 : f64
      %5 = arith.addf %m, %cst_2 : f64
      %6 = arith.divf %m, %5 : f64
      %7 = arith.addf %m, %6 : f64
      %8 = arith.mulf %7, %cst_1 : f64
      scf.yield %8 : f64
    }
    %9 = arith.bitcast %value : f64 to i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %10 = arith.andi %9, %c9223372036854775807_i64 : i64
    %11 = arith.bitcast %x : f64 to i64
    %c-9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
    %12 = arith.andi %11, %c-9223372036854775808_i64 : i64
    %13 = arith.ori %10, %12 : i64
    %14 = arith.bitcast %13 : i64 to f64
    func.return %14 : f64
  }
  func.func @cosh_f64(%x: f64) -> f64 {
    %a = math.absf %x : f64
    %cst = arith.constant 0.5 : f64
    %0 = arith.mulf %a, %cst : f64
    %e = func.call @exp_f64(%0) : (f64) -> f64
    %1 = arith.mulf %e, %cst : f64
    %2 = arith.mulf %1, %e : f64
    %3 = arith.divf %cst, %e : f64
    %4 = arith.divf %3, %e : f64
    %5 = arith.addf %2, %4 : f64
    func.return %5 : f64
  }
  func.func @tanh_f64(%x: f64) -> f64 {
    %0 = arith.bitcast %x : f64 to i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %1 = arith.andi %0, %c9223372036854775807_i64 : i64
    %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
    %2 = arith.cmpi ugt, %1, %c9218868437227405312_i64 : i64
    %result = scf.if %2 -> (f64) {
      scf.yield %x : f64
    } else {
      %a = math.absf %x : f64
      %cst = arith.constant 2.0 : f64
      %3 = arith.mulf %a, %cst : f64
      %m = func.call @expm1_f64(%3) : (f64) -> f64
      %cst_0 = arith.constant 20.0 : f64
      %4 = arith.cmpf ogt, %a, %cst_0 : f64
      %value = scf.if %4 -> (f64) {
        %cst_1 = arith.constant 1.0 : f64
        scf.yield %cst_1 : f64
      } else {
        %5 = arith.addf %m, %cst : f64
        %6 = arith.divf %m, %5 : f64
        scf.yield %6 : f64
      }
      %7 = arith.bitcast %value : f64 to i64
      %8 = arith.andi %7, %c9223372036854775807_i64 : i64
      %c-9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
      %9 = arith.andi %0, %c-9223372036854775808_i64 : i64
      %10 = arith.ori %8, %9 : i64
      %result_0 = arith.bitcast %10 : i64 to f64
      scf.yield %result_0 : f64
    }
    func.return %result : f64
  }
  func.func @asinh_f64(%x: f64) -> f64 {
    %a = math.absf %x : f64
    %cst = arith.constant 1.0e+150 : f64
    %0 = arith.cmpf ogt, %a, %cst : f64
    %value = scf.if %0 -> (f64) {
      %1 = func.call @log_f64(%a) : (f64) -> f64
      %cst_0 = arith.constant 0.6931471805599453 : f64
      %2 = arith.addf %1, %cst_0 : f64
      scf.yield %2 : f64
    } else {
      %3 = arith.mulf %a, %a : f64
      %cst_1 = arith.constant 1.0 : f64
      %4 = arith.addf %3, %cst_1 : f64
      %5 = math.sqrt %4 : f64
      %6 = arith.addf %5, %cst_1 : f64
      %7 = arith.divf %3, %6 : f64
      %8 = arith.addf %a, %7 : f64
      %sum = arith.addf %8, %cst_1 : f64
      %9 = arith.cmpf oeq, %sum, %cst_1 : f64
      %10 = scf.if %9 -> (i1) {
        %true = arith.constant true
        scf.yield %true : i1
      } else {
        %11 = arith.bitcast %sum : f64 to i64
        %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
        %12 = arith.andi %11, %c9223372036854775807_i64 : i64
        %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
        %13 = arith.cmpi eq, %12, %c9218868437227405312_i64 : i64
        scf.yield %13 : i1
      }
      %result = scf.if %10 -> (f64) {
        scf.yield %8 : f64
      } else {
        %14 = func.call @log_f64(%sum) : (f64) -> f64
        %15 = arith.subf %sum, %cst_1 : f64
        %16 = arith.divf %8, %15 : f64
        %result_0 = arith.mulf %14, %16 : f64
        scf.yield %result_0 : f64
      }
      scf.yield %result : f64
    }
    %17 = arith.bitcast %value : f64 to i64
    %c9223372036854775807_i64_0 = arith.constant 9223372036854775807 : i64
    %18 = arith.andi %17, %c9223372036854775807_i64_0 : i64
    %19 = arith.bitcast %x : f64 to i64
    %c-9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
    %20 = arith.andi %19, %c-9223372036854775808_i64 : i64
    %21 = arith.ori %18, %20 : i64
    %22 = arith.bitcast %21 : i64 to f64
    func.return %22 : f64
  }
  func.func @acosh_f64(%x: f64) -> f64 {
    %cst = arith.constant 1.0 : f64
    %cst_0 = arith.constant 1.0e+150 : f64
    %0 = arith.cmpf ogt, %x, %cst_0 : f64
    %result = scf.if %0 -> (f64) {
      %1 = func.call @log_f64(%x) : (f64) -> f64
      %cst_1 = arith.constant 0.6931471805599453 : f64
      %result_0 = arith.addf %1, %cst_1 : f64
      scf.yield %result_0 : f64
    } else {
      %2 = arith.cmpf olt, %x, %cst : f64
      %result_1 = scf.if %2 -> (f64) {
        %cst_2 = arith.constant 0x7FF8000000000000 : f64
        scf.yield %cst_2 : f64
      } else {
        %t = arith.subf %x, %cst : f64
        %3 = arith.addf %x, %cst : f64
        %4 = arith.mulf %t, %3 : f64
        %5 = math.sqrt %4 : f64
        %6 = arith.addf %t, %5 : f64
        %sum = arith.addf %6, %cst : f64
        %7 = arith.cmpf oeq, %sum, %cst : f64
        %8 = scf.if %7 -> (i1) {
          %true = arith.constant true
          scf.yield %true : i1
        } else {
          %9 = arith.bitcast %sum : f64 to i64
          %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
          %10 = arith.andi %9, %c9223372036854775807_i64 : i64
          %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
          %11 = arith.cmpi eq, %10, %c9218868437227405312_i64 : i64
          scf.yield %11 : i1
        }
        %result_2 = scf.if %8 -> (f64) {
          scf.yield %6 : f64
        } else {
          %12 = func.call @log_f64(%sum) : (f64) -> f64
          %13 = arith.subf %sum, %cst : f64
          %14 = arith.divf %6, %13 : f64
          %result_0_0 = arith.mulf %12, %14 : f64
          scf.yield %result_0_0 : f64
        }
        scf.yield %result_2 : f64
      }
      scf.yield %result_1 : f64
    }
    func.return %result : f64
  }
  func.func @atanh_f64(%x: f64) -> f64 {
    %cst = arith.constant 0.5 : f64
    %cst_0 = arith.constant 2.0 : f64
    %0 = arith.mulf %x, %cst_0 : f64
    %cst_1 = arith.constant 1.0 : f64
    %1 = arith.subf %cst_1, %x : f64
    %2 = arith.divf %0, %1 : f64
    %sum = arith.addf %2, %cst_1 : f64
    %3 = arith.cmpf oeq, %sum, %cst_1 : f64
    %4 = scf.if %3 -> (i1) {
      %true = arith.constant true
      scf.yield %true : i1
    } else {
      %5 = arith.bitcast %sum : f64 to i64
      %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
      %6 = arith.andi %5, %c9223372036854775807_i64 : i64
      %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
      %7 = arith.cmpi eq, %6, %c9218868437227405312_i64 : i64
      scf.yield %7 : i1
    }
    %result = scf.if %4 -> (f64) {
      scf.yield %2 : f64
    } else {
      %8 = func.call @log_f64(%sum) : (f64) -> f64
      %9 = arith.subf %sum, %cst_1 : f64
      %10 = arith.divf %2, %9 : f64
      %result_0 = arith.mulf %8, %10 : f64
      scf.yield %result_0 : f64
    }
    %11 = arith.mulf %result, %cst : f64
    func.return %11 : f64
  }
  func.func @powf_f64(%x: f64, %y: f64) -> f64 {
    %cst = arith.constant 0.0 : f64
    %0 = arith.cmpf oeq, %y, %cst : f64
    %1 = scf.if %0 -> (i1) {
      %true = arith.constant true
      scf.yield %true : i1
    } else {
      %cst_0 = arith.constant 1.0 : f64
      %2 = arith.cmpf oeq, %x, %cst_0 : f64
      scf.yield %2 : i1
    }
    %result = scf.if %1 -> (f64) {
      %result_0 = arith.constant 1.0 : f64
      scf.yield %result_0 : f64
    } else {
      %3 = arith.bitcast %x : f64 to i64
      %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
      %4 = arith.andi %3, %c9223372036854775807_i64 : i64
      %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
      %5 = arith.cmpi ugt, %4, %c9218868437227405312_i64 : i64
      %6 = scf.if %5 -> (i1) {
        %true_0 = arith.constant true
        scf.yield %true_0 : i1
      } else {
        %7 = arith.bitcast %y : f64 to i64
        %8 = arith.andi %7, %c9223372036854775807_i64 : i64
        %9 = arith.cmpi ugt, %8, %c9218868437227405312_i64 : i64
        scf.yield %9 : i1
      }
      %result_1 = scf.if %6 -> (f64) {
        %result_2 = arith.addf %x, %y : f64
        scf.yield %result_2 : f64
      } else {
        %a = math.absf %x : f64
        %c63_i64 = arith.constant 63 : i64
        %10 = arith.shrui %3, %c63_i64 : i64
        %c0_i64 = arith.constant 0 : i64
        %11 = math.trunc %y : f64
        %whole = arith.cmpf oeq, %11, %y : f64
        %12 = scf.if %whole -> (i1) {
          %13 = math.absf %y : f64
          %cst_1 = arith.constant 9007199254740992.0 : f64
          %14 = arith.cmpf olt, %13, %cst_1 : f64
          scf.yield %14 : i1
        } else {
          %false = arith.constant false
          scf.yield %false : i1
        }
        %odd = scf.if %12 -> (i1) {
          %cst_2 = arith.constant 0.5 : f64
          %15 = arith.mulf %y, %cst_2 : f64
          %16 = math.trunc %15 : f64
          %cst_3 = arith.constant 2.0 : f64
          %17 = arith.mulf %16, %cst_3 : f64
          %18 = arith.cmpf une, %17, %y : f64
          scf.yield %18 : i1
        } else {
          %false_0 = arith.constant false
          scf.yield %false_0 : i1
        }
        %19 = arith.bitcast %y : f64 to i64
        %20 = arith.andi %19, %c9223372036854775807_i64 : i64
        %21 = arith.cmpi eq, %20, %c9218868437227405312_i64 : i64
        %value = scf.if %21 -> (f64) {
          %cst_4 = arith.constant 1.0 : f64
          %22 = arith.cmpf oeq, %a, %cst_4 : f64
          %value_0 = scf.if %22 -> (f64) {
            scf.yield %cst_4 : f64
          } else {
            %23 = arith.cmpf ogt, %a, %cst_4 : f64
            %24 = arith.cmpf ogt, %y, %cst : f64
            %25 = arith.cmpi eq, %23, %24 : i1
            %26 = scf.if %25 -> (f64) {
              %27 = math.absf %y : f64
              scf.yield %27 : f64
            } else {
              scf.yield %cst : f64
            }
            scf.yield %26 : f64
          }
          scf.yield %value_0 : f64
        } else {
          %28 = arith.cmpf oeq, %a, %cst : f64
          %value_1 = scf.if %28 -> (f64) {
            %29 = arith.cmpf ogt, %y, %cst : f64
            %cst_5 = arith.constant 0x7FF0000000000000 : f64
            %value_2 = arith.select %29, %cst, %cst_5 : f64
            scf.yield %value_2 : f64
          } else {
            %30 = arith.bitcast %a : f64 to i64
            %31 = arith.andi %30, %c9223372036854775807_i64 : i64
            %32 = arith.cmpi eq, %31, %c9218868437227405312_i64 : i64
            %value_3 = scf.if %32 -> (f64) {
              %33 = arith.cmpf ogt, %y, %cst : f64
              %value_4 = arith.select %33, %a, %cst : f64
              scf.yield %value_4 : f64
            } else {
              %34 = func.call @log2_f64(%a) : (f64) -> f64
              %35 = arith.mulf %y, %34 : f64
              %value_5 = func.call @exp2_f64(%35) : (f64) -> f64
              scf.yield %value_5 : f64
            }
            scf.yield %value_3 : f64
          }
          scf.yield %value_1 : f64
        }
        %36 = arith.cmpi eq, %10, %c0_i64 : i64
        %result_3 = scf.if %36 -> (f64) {
          scf.yield %value : f64
        } else {
          %true_1 = arith.constant true
          %37 = arith.xori %whole, %true_1 : i1
          %38 = scf.if %37 -> (i1) {
            %39 = arith.cmpf une, %a, %cst : f64
            scf.yield %39 : i1
          } else {
            %false_1 = arith.constant false
            scf.yield %false_1 : i1
          }
          %40 = scf.if %38 -> (i1) {
            %41 = arith.bitcast %a : f64 to i64
            %42 = arith.andi %41, %c9223372036854775807_i64 : i64
            %43 = arith.cmpi ne, %42, %c9218868437227405312_i64 : i64
            scf.yield %43 : i1
          } else {
            %false_2 = arith.constant false
            scf.yield %false_2 : i1
          }
          %result_4 = scf.if %40 -> (f64) {
            %result_5 = arith.constant 0x7FF8000000000000 : f64
            scf.yield %result_5 : f64
          } else {
            %result_6 = scf.if %odd -> (f64) {
              %44 = arith.negf %value : f64
              scf.yield %44 : f64
            } else {
              scf.yield %value : f64
            }
            scf.yield %result_6 : f64
          }
          scf.yield %result_4 : f64
        }
        scf.yield %result_3 : f64
      }
      scf.yield %result_1 : f64
    }
    func.return %result : f64
  }
  func.func @cbrt_f64(%x: f64) -> f64 {
    %a = math.absf %x : f64
    %cst = arith.constant 0.0 : f64
    %0 = arith.cmpf ule, %a, %cst : f64
    %1 = scf.if %0 -> (i1) {
      %true = arith.constant true
      scf.yield %true : i1
    } else {
      %2 = arith.bitcast %a : f64 to i64
      %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
      %3 = arith.andi %2, %c9223372036854775807_i64 : i64
      %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
      %4 = arith.cmpi eq, %3, %c9218868437227405312_i64 : i64
      scf.yield %4 : i1
    }
    %result = scf.if %1 -> (f64) {
      scf.yield %x : f64
    } else {
      %5 = func.call @log2_f64(%a) : (f64) -> f64
      %cst_0 = arith.constant 3.0 : f64
      %6 = arith.divf %5, %cst_0 : f64
      %root = func.call @exp2_f64(%6) : (f64) -> f64
      %7 = arith.mulf %root, %root : f64
      %8 = arith.divf %a, %7 : f64
      %9 = arith.subf %root, %8 : f64
      %10 = arith.divf %9, %cst_0 : f64
      %root_0 = arith.subf %root, %10 : f64
      %11 = arith.bitcast %root_0 : f64 to i64
      %c9223372036854775807_i64_0 = arith.constant 9223372036854775807 : i64
      %12 = arith.andi %11, %c9223372036854775807_i64_0 : i64
      %13 = arith.bitcast %x : f64 to i64
      %c-9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
      %14 = arith.andi %13, %c-9223372036854775808_i64 : i64
      %15 = arith.ori %12, %14 : i64
      %result_0 = arith.bitcast %15 : i64 to f64
      scf.yield %result_0 : f64
    }
    func.return %result : f64
  }
  func.func @fma_f64(%a: f64, %b: f64, %c: f64) -> f64 {
    %product = arith.mulf %a, %b : f64
    %0 = arith.bitcast %a : f64 to i64
    %c-134217728_i64 = arith.constant -134217728 : i64
    %1 = arith.andi %0, %c-134217728_i64 : i64
    %high_a = arith.bitcast %1 : i64 to f64
    %2 = arith.bitcast %b : f64 to i64
    %3 = arith.andi %2, %c-134217728_i64 : i64
    %high_b = arith.bitcast %3 : i64 to f64
    %low_a = arith.subf %a, %high_a : f64
    %low_b = arith.subf %b, %high_b : f64
    %4 = arith.mulf %high_a, %high_b : f64
    %5 = arith.subf %4, %product : f64
    %6 = arith.mulf %high_a, %low_b : f64
    %7 = arith.addf %5, %6 : f64
    %8 = arith.mulf %low_a, %high_b : f64
    %9 = arith.addf %7, %8 : f64
    %10 = arith.mulf %low_a, %low_b : f64
    %lost = arith.addf %9, %10 : f64
    %sum = arith.addf %product, %c : f64
    %11 = arith.bitcast %sum : f64 to i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %12 = arith.andi %11, %c9223372036854775807_i64 : i64
    %c9218868437227405312_i64 = arith.constant 9218868437227405312 : i64
    %13 = arith.cmpi ugt, %12, %c9218868437227405312_i64 : i64
    %14 = scf.if %13 -> (i1) {
      %true = arith.constant true
      scf.yield %true : i1
    } else {
      %15 = arith.cmpi eq, %12, %c9218868437227405312_i64 : i64
      scf.yield %15 : i1
    }
    %16 = scf.if %14 -> (i1) {
      %true_0 = arith.constant true
      scf.yield %true_0 : i1
    } else {
      %17 = arith.bitcast %lost : f64 to i64
      %18 = arith.andi %17, %c9223372036854775807_i64 : i64
      %19 = arith.cmpi ugt, %18, %c9218868437227405312_i64 : i64
      scf.yield %19 : i1
    }
    %result = scf.if %16 -> (f64) {
      scf.yield %sum : f64
    } else {
      %part = arith.subf %sum, %product : f64
      %20 = arith.subf %sum, %part : f64
      %21 = arith.subf %product, %20 : f64
      %22 = arith.subf %c, %part : f64
      %rest = arith.addf %21, %22 : f64
      %missing = arith.addf %rest, %lost : f64
      %cst = arith.constant 0.0 : f64
      %23 = arith.cmpf oeq, %missing, %cst : f64
      %result_0 = scf.if %23 -> (f64) {
        scf.yield %sum : f64
      } else {
        %24 = arith.addf %sum, %missing : f64
        scf.yield %24 : f64
      }
      scf.yield %result_0 : f64
    }
    func.return %result : f64
  }
  func.func @remf_f64(%a: f64, %b: f64) -> f64 attributes {unsigned = ["by", "left", "limit", "one", "x", "y"]} {
    %0 = arith.bitcast %a : f64 to i64
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %left = arith.andi %0, %c9223372036854775807_i64 : i64
    %1 = arith.bitcast %b : f64 to i64
    %by = arith.andi %1, %c9223372036854775807_i64 : i64
    %limit = arith.constant 9218868437227405312 : i64
    %one = arith.constant 4503599627370496 : i64
    %c0_i64 = arith.constant 0 : i64
    %2 = arith.cmpi eq, %by, %c0_i64 : i64
    %3 = scf.if %2 -> (i1) {
      %true = arith.constant true
      scf.yield %true : i1
    } else {
      %4 = arith.cmpi uge, %left, %limit : i64
      scf.yield %4 : i1
    }
    %5 = scf.if %3 -> (i1) {
      %true_0 = arith.constant true
      scf.yield %true_0 : i1
    } else {
      %6 = arith.cmpi ugt, %by, %limit : i64
      scf.yield %6 : i1
    }
    %result = scf.if %5 -> (f64) {
      %result_0 = arith.constant 0x7FF8000000000000 : f64
      scf.yield %result_0 : f64
    } else {
      %7 = arith.cmpi ult, %left, %by : i64
      %result_1 = scf.if %7 -> (f64) {
        scf.yield %a : f64
      } else {
        %c52_i64 = arith.constant 52 : i64
        %8 = arith.shrui %left, %c52_i64 : i64
        %up = arith.trunci %8 : i64 to i32
        %9 = arith.shrui %by, %c52_i64 : i64
        %down = arith.trunci %9 : i64 to i32
        %c4503599627370495_i64 = arith.constant 4503599627370495 : i64
        %x = arith.andi %left, %c4503599627370495_i64 : i64
        %y = arith.andi %by, %c4503599627370495_i64 : i64
        %c0_i32 = arith.constant 0 : i32
        %10 = arith.cmpi eq, %up, %c0_i32 : i32
        %c1_i32 = arith.constant 1 : i32
        %up_0 = arith.select %10, %c1_i32, %up : i32
        %x_0 = scf.if %10 -> (i64) {
          scf.yield %x : i64
        } else {
          %x_1 = arith.ori %x, %one : i64
          scf.yield %x_1 : i64
        }
        %11 = arith.cmpi eq, %down, %c0_i32 : i32
        %down_0 = arith.select %11, %c1_i32, %down : i32
        %y_0 = scf.if %11 -> (i64) {
          scf.yield %y : i64
        } else {
          %y_1 = arith.ori %y, %one : i64
          scf.yield %y_1 : i64
        }
        %up_1, %x_2 = scf.while (%up_2 = %up_0, %x_3 = %x_0) : (i32, i64) -> (i32, i64) {
          %12 = arith.cmpi ult, %x_3, %one : i64
          scf.condition(%12) %up_2, %x_3 : i32, i64
        } do {
        ^bb0(%up_3: i32, %x_4: i64):
          %c1_i64 = arith.constant 1 : i64
          %x_5 = arith.shli %x_4, %c1_i64 : i64
          %c-1_i32 = arith.constant -1 : i32
          %up_4 = arith.addi %up_3, %c-1_i32 : i32
          scf.yield %up_4, %x_5 : i32, i64
        }
        %down_1, %y_2 = scf.while (%down_2 = %down_0, %y_3 = %y_0) : (i32, i64) -> (i32, i64) {
          %13 = arith.cmpi ult, %y_3, %one : i64
          scf.condition(%13) %down_2, %y_3 : i32, i64
        } do {
        ^bb0(%down_3: i32, %y_4: i64):
          %c1_i64_0 = arith.constant 1 : i64
          %y_5 = arith.shli %y_4, %c1_i64_0 : i64
          %c-1_i32_0 = arith.constant -1 : i32
          %down_4 = arith.addi %down_3, %c-1_i32_0 : i32
          scf.yield %down_4, %y_5 : i32, i64
        }
        %14 = arith.extsi %up_1 : i32 to i64
        %15 = arith.extsi %down_1 : i32 to i64
        %16 = arith.subi %14, %15 : i64
        %17 = arith.maxsi %16, %c0_i64 : i64
        %18 = arith.index_cast %17 : i64 to index
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %x_6 = scf.for %arg0 = %c0 to %18 step %c1 iter_args(%x_7 = %x_2) -> (i64) {
          %19 = arith.cmpi uge, %x_7, %y_2 : i64
          %x_8 = scf.if %19 -> (i64) {
            %x_9 = arith.subi %x_7, %y_2 : i64
            scf.yield %x_9 : i64
          } else {
            scf.yield %x_7 : i64
          }
          %c1_i64_1 = arith.constant 1 : i64
          %x_10 = arith.shli %x_8, %c1_i64_1 : i64
          scf.yield %x_10 : i64
        }
        %20 = arith.index_cast %18 : index to i32
        %c-1_i32_1 = arith.constant -1 : i32
        %21 = arith.muli %20, %c-1_i32_1 : i32
        %up_5 = arith.addi %up_1, %21 : i32
        %22 = arith.cmpi uge, %x_6, %y_2 : i64
        %x_11 = scf.if %22 -> (i64) {
          %x_12 = arith.subi %x_6, %y_2 : i64
          scf.yield %x_12 : i64
        } else {
          scf.yield %x_6 : i64
        }
        %up_6, %x_13 = scf.while (%up_7 = %up_5, %x_14 = %x_11) : (i32, i64) -> (i32, i64) {
          %23 = arith.cmpi ne, %x_14, %c0_i64 : i64
          %24 = scf.if %23 -> (i1) {
            %25 = arith.cmpi ult, %x_14, %one : i64
            scf.yield %25 : i1
          } else {
            %false = arith.constant false
            scf.yield %false : i1
          }
          %26 = scf.if %24 -> (i1) {
            %27 = arith.cmpi sgt, %up_7, %c1_i32 : i32
            scf.yield %27 : i1
          } else {
            %false_0 = arith.constant false
            scf.yield %false_0 : i1
          }
          scf.condition(%26) %up_7, %x_14 : i32, i64
        } do {
        ^bb0(%up_8: i32, %x_15: i64):
          %c1_i64_2 = arith.constant 1 : i64
          %x_16 = arith.shli %x_15, %c1_i64_2 : i64
          %up_9 = arith.addi %up_8, %c-1_i32_1 : i32
          scf.yield %up_9, %x_16 : i32, i64
        }
        %28 = arith.extsi %up_6 : i32 to i64
        %c1_i64_3 = arith.constant 1 : i64
        %29 = arith.subi %c1_i64_3, %28 : i64
        %30 = arith.maxsi %29, %c0_i64 : i64
        %31 = arith.index_cast %30 : i64 to index
        %x_17 = scf.for %arg1 = %c0 to %31 step %c1 iter_args(%x_18 = %x_13) -> (i64) {
          %x_19 = arith.shrui %x_18, %c1_i64_3 : i64
          scf.yield %x_19 : i64
        }
        %32 = arith.cmpi ult, %x_17, %one : i64
        %x_20 = scf.if %32 -> (i64) {
          scf.yield %x_17 : i64
        } else {
          %33 = arith.index_cast %31 : index to i32
          %up_10 = arith.addi %up_6, %33 : i32
          %c-4503599627370496_i64 = arith.constant -4503599627370496 : i64
          %34 = arith.addi %x_17, %c-4503599627370496_i64 : i64
          %35 = arith.extsi %up_10 : i32 to i64
          %36 = arith.shli %35, %c52_i64 : i64
          %37 = arith.ori %34, %36 : i64
          scf.yield %37 : i64
        }
        %c-9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
        %38 = arith.andi %0, %c-9223372036854775808_i64 : i64
        %39 = arith.ori %x_20, %38 : i64
        %result_2 = arith.bitcast %39 : i64 to f64
        scf.yield %result_2 : f64
      }
      scf.yield %result_1 : f64
    }
    func.return %result : f64
  }
  func.func @fbits(%x: f32) -> i32 attributes {written_result = "u32"} {
    %0 = arith.bitcast %x : f32 to i32
    func.return %0 : i32
  }
  func.func @f_is_none(%x: f32) -> i1 {
    %0 = arith.bitcast %x : f32 to i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %1 = arith.andi %0, %c2147483647_i32 : i32
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %2 = arith.cmpi ugt, %1, %c2139095040_i32 : i32
    func.return %2 : i1
  }
  func.func @f_is_endless(%x: f32) -> i1 {
    %0 = arith.bitcast %x : f32 to i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %1 = arith.andi %0, %c2147483647_i32 : i32
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %2 = arith.cmpi eq, %1, %c2139095040_i32 : i32
    func.return %2 : i1
  }
  func.func @f_copy_sign(%x: f32, %y: f32) -> f32 {
    %0 = arith.bitcast %x : f32 to i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %1 = arith.andi %0, %c2147483647_i32 : i32
    %2 = arith.bitcast %y : f32 to i32
    %c-2147483648_i32 = arith.constant -2147483648 : i32
    %3 = arith.andi %2, %c-2147483648_i32 : i32
    %4 = arith.ori %1, %3 : i32
    %5 = arith.bitcast %4 : i32 to f32
    func.return %5 : f32
  }
  func.func @remf_f32(%a: f32, %b: f32) -> f32 attributes {unsigned = ["by", "left", "limit", "one", "x", "y"]} {
    %0 = arith.bitcast %a : f32 to i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %left = arith.andi %0, %c2147483647_i32 : i32
    %1 = arith.bitcast %b : f32 to i32
    %by = arith.andi %1, %c2147483647_i32 : i32
    %limit = arith.constant 2139095040 : i32
    %one = arith.constant 8388608 : i32
    %c0_i32 = arith.constant 0 : i32
    %2 = arith.cmpi eq, %by, %c0_i32 : i32
    %3 = scf.if %2 -> (i1) {
      %true = arith.constant true
      scf.yield %true : i1
    } else {
      %4 = arith.cmpi uge, %left, %limit : i32
      scf.yield %4 : i1
    }
    %5 = scf.if %3 -> (i1) {
      %true_0 = arith.constant true
      scf.yield %true_0 : i1
    } else {
      %6 = arith.cmpi ugt, %by, %limit : i32
      scf.yield %6 : i1
    }
    %result = scf.if %5 -> (f32) {
      %result_0 = arith.constant 0x7FC00000 : f32
      scf.yield %result_0 : f32
    } else {
      %7 = arith.cmpi ult, %left, %by : i32
      %result_1 = scf.if %7 -> (f32) {
        scf.yield %a : f32
      } else {
        %c23_i32 = arith.constant 23 : i32
        %up = arith.shrui %left, %c23_i32 : i32
        %down = arith.shrui %by, %c23_i32 : i32
        %c8388607_i32 = arith.constant 8388607 : i32
        %x = arith.andi %left, %c8388607_i32 : i32
        %y = arith.andi %by, %c8388607_i32 : i32
        %8 = arith.cmpi eq, %up, %c0_i32 : i32
        %c1_i32 = arith.constant 1 : i32
        %up_0 = arith.select %8, %c1_i32, %up : i32
        %x_0 = scf.if %8 -> (i32) {
          scf.yield %x : i32
        } else {
          %x_1 = arith.ori %x, %one : i32
          scf.yield %x_1 : i32
        }
        %9 = arith.cmpi eq, %down, %c0_i32 : i32
        %down_0 = arith.select %9, %c1_i32, %down : i32
        %y_0 = scf.if %9 -> (i32) {
          scf.yield %y : i32
        } else {
          %y_1 = arith.ori %y, %one : i32
          scf.yield %y_1 : i32
        }
        %up_1, %x_2 = scf.while (%up_2 = %up_0, %x_3 = %x_0) : (i32, i32) -> (i32, i32) {
          %10 = arith.cmpi ult, %x_3, %one : i32
          scf.condition(%10) %up_2, %x_3 : i32, i32
        } do {
        ^bb0(%up_3: i32, %x_4: i32):
          %x_5 = arith.shli %x_4, %c1_i32 : i32
          %c-1_i32 = arith.constant -1 : i32
          %up_4 = arith.addi %up_3, %c-1_i32 : i32
          scf.yield %up_4, %x_5 : i32, i32
        }
        %down_1, %y_2 = scf.while (%down_2 = %down_0, %y_3 = %y_0) : (i32, i32) -> (i32, i32) {
          %11 = arith.cmpi ult, %y_3, %one : i32
          scf.condition(%11) %down_2, %y_3 : i32, i32
        } do {
        ^bb0(%down_3: i32, %y_4: i32):
          %y_5 = arith.shli %y_4, %c1_i32 : i32
          %c-1_i32_0 = arith.constant -1 : i32
          %down_4 = arith.addi %down_3, %c-1_i32_0 : i32
          scf.yield %down_4, %y_5 : i32, i32
        }
        %c0_i64 = arith.constant 0 : i64
        %12 = arith.extsi %up_1 : i32 to i64
        %13 = arith.extsi %down_1 : i32 to i64
        %14 = arith.subi %12, %13 : i64
        %15 = arith.maxsi %14, %c0_i64 : i64
        %16 = arith.index_cast %15 : i64 to index
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %x_6 = scf.for %arg0 = %c0 to %16 step %c1 iter_args(%x_7 = %x_2) -> (i32) {
          %17 = arith.cmpi uge, %x_7, %y_2 : i32
          %x_8 = scf.if %17 -> (i32) {
            %x_9 = arith.subi %x_7, %y_2 : i32
            scf.yield %x_9 : i32
          } else {
            scf.yield %x_7 : i32
          }
          %x_10 = arith.shli %x_8, %c1_i32 : i32
          scf.yield %x_10 : i32
        }
        %18 = arith.index_cast %16 : index to i32
        %c-1_i32_1 = arith.constant -1 : i32
        %19 = arith.muli %18, %c-1_i32_1 : i32
        %up_5 = arith.addi %up_1, %19 : i32
        %20 = arith.cmpi uge, %x_6, %y_2 : i32
        %x_11 = scf.if %20 -> (i32) {
          %x_12 = arith.subi %x_6, %y_2 : i32
          scf.yield %x_12 : i32
        } else {
          scf.yield %x_6 : i32
        }
        %up_6, %x_13 = scf.while (%up_7 = %up_5, %x_14 = %x_11) : (i32, i32) -> (i32, i32) {
          %21 = arith.cmpi ne, %x_14, %c0_i32 : i32
          %22 = scf.if %21 -> (i1) {
            %23 = arith.cmpi ult, %x_14, %one : i32
            scf.yield %23 : i1
          } else {
            %false = arith.constant false
            scf.yield %false : i1
          }
          %24 = scf.if %22 -> (i1) {
            %25 = arith.cmpi sgt, %up_7, %c1_i32 : i32
            scf.yield %25 : i1
          } else {
            %false_0 = arith.constant false
            scf.yield %false_0 : i1
          }
          scf.condition(%24) %up_7, %x_14 : i32, i32
        } do {
        ^bb0(%up_8: i32, %x_15: i32):
          %x_16 = arith.shli %x_15, %c1_i32 : i32
          %up_9 = arith.addi %up_8, %c-1_i32_1 : i32
          scf.yield %up_9, %x_16 : i32, i32
        }
        %26 = arith.extsi %up_6 : i32 to i64
        %c1_i64 = arith.constant 1 : i64
        %27 = arith.subi %c1_i64, %26 : i64
        %28 = arith.maxsi %27, %c0_i64 : i64
        %29 = arith.index_cast %28 : i64 to index
        %x_17 = scf.for %arg1 = %c0 to %29 step %c1 iter_args(%x_18 = %x_13) -> (i32) {
          %x_19 = arith.shrui %x_18, %c1_i32 : i32
          scf.yield %x_19 : i32
        }
        %30 = arith.cmpi ult, %x_17, %one : i32
        %x_20 = scf.if %30 -> (i32) {
          scf.yield %x_17 : i32
        } else {
          %31 = arith.index_cast %29 : index to i32
          %up_10 = arith.addi %up_6, %31 : i32
          %c-8388608_i32 = arith.constant -8388608 : i32
          %32 = arith.addi %x_17, %c-8388608_i32 : i32
          %33 = arith.shli %up_10, %c23_i32 : i32
          %34 = arith.ori %32, %33 : i32
          scf.yield %34 : i32
        }
        %c-2147483648_i32 = arith.constant -2147483648 : i32
        %35 = arith.andi %0, %c-2147483648_i32 : i32
        %36 = arith.ori %x_20, %35 : i32
        %result_2 = arith.bitcast %36 : i32 to f32
        scf.yield %result_2 : f32
      }
      scf.yield %result_1 : f32
    }
    func.return %result : f32
  }
  func.func @fma_f32(%a: f32, %b: f32, %c: f32) -> f32 {
    %0 = arith.extf %a : f32 to f64
    %1 = arith.extf %b : f32 to f64
    %2 = arith.mulf %0, %1 : f64
    %3 = arith.extf %c : f32 to f64
    %4 = arith.addf %2, %3 : f64
    %5 = arith.truncf %4 : f64 to f32
    func.return %5 : f32
  }
  func.func @log10_f32(%x: f32) -> f32 {
    %0 = math.log %x : f32
    %cst = arith.constant 0.4342945 : f32
    %1 = arith.mulf %0, %cst : f32
    func.return %1 : f32
  }
  func.func @expm1_f32(%x: f32) -> f32 {
    %0 = math.absf %x : f32
    %cst = arith.constant 0.25 : f32
    %1 = arith.cmpf olt, %0, %cst : f32
    %result = scf.if %1 -> (f32) {
      %2 = arith.mulf %x, %x : f32
      %cst_0 = arith.constant 0.5 : f32
      %cst_1 = arith.constant 0.16666667 : f32
      %cst_2 = arith.constant 0.041666668 : f32
      %cst_3 = arith.constant 0.008333334 : f32
      %cst_4 = arith.constant 720.0 : f32
      %3 = arith.divf %x, %cst_4 : f32
      %4 = arith.addf %3, %cst_3 : f32
      %5 = arith.mulf %x, %4 : f32
      %6 = arith.addf %5, %cst_2 : f32
      %7 = arith.mulf %x, %6 : f32
      %8 = arith.addf %7, %cst_1 : f32
      %9 = arith.mulf %x, %8 : f32
      %10 = arith.addf %9, %cst_0 : f32
      %11 = arith.mulf %2, %10 : f32
      %result_0 = arith.addf %x, %11 : f32
      scf.yield %result_0 : f32
    } else {
      %12 = math.exp %x : f32
      %cst_5 = arith.constant 1.0 : f32
      %result_1 = arith.subf %12, %cst_5 : f32
      scf.yield %result_1 : f32
    }
    func.return %result : f32
  }
  func.func @log1p_f32(%x: f32) -> f32 {
    %cst = arith.constant 1.0 : f32
    %sum = arith.addf %x, %cst : f32
    %0 = arith.cmpf oeq, %sum, %cst : f32
    %1 = scf.if %0 -> (i1) {
      %true = arith.constant true
      scf.yield %true : i1
    } else {
      %2 = arith.bitcast %sum : f32 to i32
      %c2139095040_i32 = arith.constant 2139095040 : i32
      %3 = arith.cmpi eq, %2, %c2139095040_i32 : i32
      scf.yield %3 : i1
    }
    %result = scf.if %1 -> (f32) {
      scf.yield %x : f32
    } else {
      %4 = math.log %sum : f32
      %5 = arith.subf %sum, %cst : f32
      %6 = arith.divf %x, %5 : f32
      %result_0 = arith.mulf %4, %6 : f32
      scf.yield %result_0 : f32
    }
    func.return %result : f32
  }
  func.func @cbrt_f32(%x: f32) -> f32 {
    %a = math.absf %x : f32
    %cst = arith.constant 0.0 : f32
    %0 = arith.cmpf ule, %a, %cst : f32
    %1 = scf.if %0 -> (i1) {
      %true = arith.constant true
      scf.yield %true : i1
    } else {
      %2 = arith.bitcast %a : f32 to i32
      %c2147483647_i32 = arith.constant 2147483647 : i32
      %3 = arith.andi %2, %c2147483647_i32 : i32
      %c2139095040_i32 = arith.constant 2139095040 : i32
      %4 = arith.cmpi eq, %3, %c2139095040_i32 : i32
      scf.yield %4 : i1
    }
    %result = scf.if %1 -> (f32) {
      scf.yield %x : f32
    } else {
      %5 = math.log2 %a : f32
      %cst_0 = arith.constant 3.0 : f32
      %6 = arith.divf %5, %cst_0 : f32
      %root = math.exp2 %6 : f32
      %7 = arith.mulf %root, %root : f32
      %8 = arith.divf %a, %7 : f32
      %9 = arith.subf %root, %8 : f32
      %10 = arith.divf %9, %cst_0 : f32
      %root_0 = arith.subf %root, %10 : f32
      %11 = arith.bitcast %root_0 : f32 to i32
      %c2147483647_i32_0 = arith.constant 2147483647 : i32
      %12 = arith.andi %11, %c2147483647_i32_0 : i32
      %13 = arith.bitcast %x : f32 to i32
      %c-2147483648_i32 = arith.constant -2147483648 : i32
      %14 = arith.andi %13, %c-2147483648_i32 : i32
      %15 = arith.ori %12, %14 : i32
      %result_0 = arith.bitcast %15 : i32 to f32
      scf.yield %result_0 : f32
    }
    func.return %result : f32
  }
  func.func @atan2_f32(%y: f32, %x: f32) -> f32 {
    %0 = arith.bitcast %x : f32 to i32
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %1 = arith.andi %0, %c2147483647_i32 : i32
    %c2139095040_i32 = arith.constant 2139095040 : i32
    %2 = arith.cmpi ugt, %1, %c2139095040_i32 : i32
    %3 = scf.if %2 -> (i1) {
      %true = arith.constant true
      scf.yield %true : i1
    } else {
      %4 = arith.bitcast %y : f32 to i32
      %5 = arith.andi %4, %c2147483647_i32 : i32
      %6 = arith.cmpi ugt, %5, %c2139095040_i32 : i32
      scf.yield %6 : i1
    }
    %result = scf.if %3 -> (f32) {
      %result_0 = arith.addf %x, %y : f32
      scf.yield %result_0 : f32
    } else {
      %a = math.absf %y : f32
      %angle = arith.constant 0.0 : f32
      %7 = arith.cmpf oeq, %a, %angle : f32
      %angle_0 = scf.if %7 -> (f32) {
        scf.yield %angle : f32
      } else {
        %b = math.absf %x : f32
        %8 = arith.bitcast %a : f32 to i32
        %9 = arith.andi %8, %c2147483647_i32 : i32
        %10 = arith.cmpi eq, %9, %c2139095040_i32 : i32
        %11 = scf.if %10 -> (i1) {
          %12 = arith.bitcast %b : f32 to i32
          %13 = arith.andi %12, %c2147483647_i32 : i32
          %14 = arith.cmpi eq, %13, %c2139095040_i32 : i32
          scf.yield %14 : i1
        } else {
          %false = arith.constant false
          scf.yield %false : i1
        }
        %angle_1 = scf.if %11 -> (f32) {
          %angle_2 = arith.constant 0.7853982 : f32
          scf.yield %angle_2 : f32
        } else {
          %15 = arith.bitcast %b : f32 to i32
          %16 = arith.andi %15, %c2147483647_i32 : i32
          %17 = arith.cmpi eq, %16, %c2139095040_i32 : i32
          %angle_3 = scf.if %17 -> (f32) {
            scf.yield %angle : f32
          } else {
            %18 = arith.cmpf ogt, %a, %b : f32
            %angle_4 = scf.if %18 -> (f32) {
              %cst = arith.constant 1.5707964 : f32
              %19 = arith.divf %b, %a : f32
              %20 = math.atan %19 : f32
              %angle_5 = arith.subf %cst, %20 : f32
              scf.yield %angle_5 : f32
            } else {
              %21 = arith.divf %a, %b : f32
              %angle_6 = math.atan %21 : f32
              scf.yield %angle_6 : f32
            }
            scf.yield %angle_4 : f32
          }
          scf.yield %angle_3 : f32
        }
        scf.yield %angle_1 : f32
      }
      %c31_i32 = arith.constant 31 : i32
      %22 = arith.shrui %0, %c31_i32 : i32
      %c0_i32 = arith.constant 0 : i32
      %23 = arith.cmpi ne, %22, %c0_i32 : i32
      %angle_7 = scf.if %23 -> (f32) {
        %cst_0 = arith.constant 3.1415927 : f32
        %angle_8 = arith.subf %cst_0, %angle_0 : f32
        scf.yield %angle_8 : f32
      } else {
        scf.yield %angle_0 : f32
      }
      %24 = arith.bitcast %angle_7 : f32 to i32
      %25 = arith.andi %24, %c2147483647_i32 : i32
      %26 = arith.bitcast %y : f32 to i32
      %c-2147483648_i32 = arith.constant -2147483648 : i32
      %27 = arith.andi %26, %c-2147483648_i32 : i32
      %28 = arith.ori %25, %27 : i32
      %result_1 = arith.bitcast %28 : i32 to f32
      scf.yield %result_1 : f32
    }
    func.return %result : f32
  }
  func.func @powf_f32(%x: f32, %y: f32) -> f32 {
    %cst = arith.constant 0.0 : f32
    %0 = arith.cmpf oeq, %y, %cst : f32
    %1 = scf.if %0 -> (i1) {
      %true = arith.constant true
      scf.yield %true : i1
    } else {
      %cst_0 = arith.constant 1.0 : f32
      %2 = arith.cmpf oeq, %x, %cst_0 : f32
      scf.yield %2 : i1
    }
    %result = scf.if %1 -> (f32) {
      %result_0 = arith.constant 1.0 : f32
      scf.yield %result_0 : f32
    } else {
      %3 = arith.bitcast %x : f32 to i32
      %c2147483647_i32 = arith.constant 2147483647 : i32
      %4 = arith.andi %3, %c2147483647_i32 : i32
      %c2139095040_i32 = arith.constant 2139095040 : i32
      %5 = arith.cmpi ugt, %4, %c2139095040_i32 : i32
      %6 = scf.if %5 -> (i1) {
        %true_0 = arith.constant true
        scf.yield %true_0 : i1
      } else {
        %7 = arith.bitcast %y : f32 to i32
        %8 = arith.andi %7, %c2147483647_i32 : i32
        %9 = arith.cmpi ugt, %8, %c2139095040_i32 : i32
        scf.yield %9 : i1
      }
      %result_1 = scf.if %6 -> (f32) {
        %result_2 = arith.addf %x, %y : f32
        scf.yield %result_2 : f32
      } else {
        %a = math.absf %x : f32
        %10 = math.trunc %y : f32
        %whole = arith.cmpf oeq, %10, %y : f32
        %11 = scf.if %whole -> (i1) {
          %12 = math.absf %y : f32
          %cst_1 = arith.constant 16777216.0 : f32
          %13 = arith.cmpf olt, %12, %cst_1 : f32
          scf.yield %13 : i1
        } else {
          %false = arith.constant false
          scf.yield %false : i1
        }
        %odd = scf.if %11 -> (i1) {
          %cst_2 = arith.constant 0.5 : f32
          %14 = arith.mulf %y, %cst_2 : f32
          %15 = math.trunc %14 : f32
          %cst_3 = arith.constant 2.0 : f32
          %16 = arith.mulf %15, %cst_3 : f32
          %17 = arith.cmpf une, %16, %y : f32
          scf.yield %17 : i1
        } else {
          %false_0 = arith.constant false
          scf.yield %false_0 : i1
        }
        %18 = arith.bitcast %y : f32 to i32
        %19 = arith.andi %18, %c2147483647_i32 : i32
        %20 = arith.cmpi eq, %19, %c2139095040_i32 : i32
        %value = scf.if %20 -> (f32) {
          %cst_4 = arith.constant 1.0 : f32
          %21 = arith.cmpf oeq, %a, %cst_4 : f32
          %value_0 = scf.if %21 -> (f32) {
            scf.yield %cst_4 : f32
          } else {
            %22 = arith.cmpf ogt, %a, %cst_4 : f32
            %23 = arith.cmpf ogt, %y, %cst : f32
            %24 = arith.cmpi eq, %22, %23 : i1
            %25 = scf.if %24 -> (f32) {
              %26 = math.absf %y : f32
              scf.yield %26 : f32
            } else {
              scf.yield %cst : f32
            }
            scf.yield %25 : f32
          }
          scf.yield %value_0 : f32
        } else {
          %27 = arith.cmpf oeq, %a, %cst : f32
          %value_1 = scf.if %27 -> (f32) {
            %28 = arith.cmpf ogt, %y, %cst : f32
            %cst_5 = arith.constant 0x7F800000 : f32
            %value_2 = arith.select %28, %cst, %cst_5 : f32
            scf.yield %value_2 : f32
          } else {
            %29 = arith.bitcast %a : f32 to i32
            %30 = arith.andi %29, %c2147483647_i32 : i32
            %31 = arith.cmpi eq, %30, %c2139095040_i32 : i32
            %value_3 = scf.if %31 -> (f32) {
              %32 = arith.cmpf ogt, %y, %cst : f32
              %value_4 = arith.select %32, %a, %cst : f32
              scf.yield %value_4 : f32
            } else {
              %33 = math.log2 %a : f32
              %34 = arith.mulf %y, %33 : f32
              %value_5 = math.exp2 %34 : f32
              scf.yield %value_5 : f32
            }
            scf.yield %value_3 : f32
          }
          scf.yield %value_1 : f32
        }
        %c31_i32 = arith.constant 31 : i32
        %35 = arith.shrui %3, %c31_i32 : i32
        %c0_i32 = arith.constant 0 : i32
        %36 = arith.cmpi eq, %35, %c0_i32 : i32
        %result_3 = scf.if %36 -> (f32) {
          scf.yield %value : f32
        } else {
          %true_1 = arith.constant true
          %37 = arith.xori %whole, %true_1 : i1
          %38 = scf.if %37 -> (i1) {
            %39 = arith.cmpf une, %a, %cst : f32
            scf.yield %39 : i1
          } else {
            %false_1 = arith.constant false
            scf.yield %false_1 : i1
          }
          %40 = scf.if %38 -> (i1) {
            %41 = arith.bitcast %a : f32 to i32
            %42 = arith.andi %41, %c2147483647_i32 : i32
            %43 = arith.cmpi ne, %42, %c2139095040_i32 : i32
            scf.yield %43 : i1
          } else {
            %false_2 = arith.constant false
            scf.yield %false_2 : i1
          }
          %result_4 = scf.if %40 -> (f32) {
            %result_5 = arith.constant 0x7FC00000 : f32
            scf.yield %result_5 : f32
          } else {
            %result_6 = scf.if %odd -> (f32) {
              %44 = arith.negf %value : f32
              scf.yield %44 : f32
            } else {
              scf.yield %value : f32
            }
            scf.yield %result_6 : f32
          }
          scf.yield %result_4 : f32
        }
        scf.yield %result_3 : f32
      }
      scf.yield %result_1 : f32
    }
    func.return %result : f32
  }
}
