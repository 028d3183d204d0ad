// RUN: caustic-opt --version-loops --canonicalize --cse --dce %s | FileCheck %s
// NOTE: A loop that does no more with each read than to multiply and to add becomes two, one of which does not look at the size of the buffer, however long it is. In one
// that computes more the reads are brought together.
!In = !agg.buffer<f32, "ro">
!Out = !agg.buffer<f32, "rw">
agg.resource @in attributes {type = !In, reflect = {name = "in", kind = "buffer", type = "f32"}}
agg.resource @out attributes {type = !Out, reflect = {name = "out", kind = "rw_buffer", type = "f32"}}
agg.resource @x attributes {type = f32, reflect = {name = "x", kind = "uniform", type = "float"}}

// CHECK-LABEL: func.func @products
// CHECK: scf.if
// CHECK: scf.for
// CHECK-COUNT-16: agg.buffer_load {{.*}}inside
// CHECK: else
// CHECK: scf.for
// CHECK: scf.for
// CHECK: agg.buffer_load
// CHECK: cold
// CHECK-NOT: agg.buffer_load
func.func @products() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %in = agg.global @in : !In
  %out = agg.global @out : !Out
  %id = gpu.global_id x
  %x = agg.global @x : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c50 = arith.constant 50 : index
  %c16 = arith.constant 16 : index
  %sum = scf.for %i = %c0 to %c50 step %c1 iter_args(%s0 = %x) -> (f32) {
    %row = arith.muli %i, %c16 : index
    %n0 = arith.constant 0 : index
    %at0 = arith.addi %row, %n0 : index
    %v0 = agg.buffer_load %in, %at0[] {path = array<i64>} : (!In, index) -> f32
    %p0 = arith.mulf %v0, %x : f32
    %s1 = arith.addf %s0, %p0 : f32
    %n1 = arith.constant 1 : index
    %at1 = arith.addi %row, %n1 : index
    %v1 = agg.buffer_load %in, %at1[] {path = array<i64>} : (!In, index) -> f32
    %p1 = arith.mulf %v1, %x : f32
    %s2 = arith.addf %s1, %p1 : f32
    %n2 = arith.constant 2 : index
    %at2 = arith.addi %row, %n2 : index
    %v2 = agg.buffer_load %in, %at2[] {path = array<i64>} : (!In, index) -> f32
    %p2 = arith.mulf %v2, %x : f32
    %s3 = arith.addf %s2, %p2 : f32
    %n3 = arith.constant 3 : index
    %at3 = arith.addi %row, %n3 : index
    %v3 = agg.buffer_load %in, %at3[] {path = array<i64>} : (!In, index) -> f32
    %p3 = arith.mulf %v3, %x : f32
    %s4 = arith.addf %s3, %p3 : f32
    %n4 = arith.constant 4 : index
    %at4 = arith.addi %row, %n4 : index
    %v4 = agg.buffer_load %in, %at4[] {path = array<i64>} : (!In, index) -> f32
    %p4 = arith.mulf %v4, %x : f32
    %s5 = arith.addf %s4, %p4 : f32
    %n5 = arith.constant 5 : index
    %at5 = arith.addi %row, %n5 : index
    %v5 = agg.buffer_load %in, %at5[] {path = array<i64>} : (!In, index) -> f32
    %p5 = arith.mulf %v5, %x : f32
    %s6 = arith.addf %s5, %p5 : f32
    %n6 = arith.constant 6 : index
    %at6 = arith.addi %row, %n6 : index
    %v6 = agg.buffer_load %in, %at6[] {path = array<i64>} : (!In, index) -> f32
    %p6 = arith.mulf %v6, %x : f32
    %s7 = arith.addf %s6, %p6 : f32
    %n7 = arith.constant 7 : index
    %at7 = arith.addi %row, %n7 : index
    %v7 = agg.buffer_load %in, %at7[] {path = array<i64>} : (!In, index) -> f32
    %p7 = arith.mulf %v7, %x : f32
    %s8 = arith.addf %s7, %p7 : f32
    %n8 = arith.constant 8 : index
    %at8 = arith.addi %row, %n8 : index
    %v8 = agg.buffer_load %in, %at8[] {path = array<i64>} : (!In, index) -> f32
    %p8 = arith.mulf %v8, %x : f32
    %s9 = arith.addf %s8, %p8 : f32
    %n9 = arith.constant 9 : index
    %at9 = arith.addi %row, %n9 : index
    %v9 = agg.buffer_load %in, %at9[] {path = array<i64>} : (!In, index) -> f32
    %p9 = arith.mulf %v9, %x : f32
    %s10 = arith.addf %s9, %p9 : f32
    %n10 = arith.constant 10 : index
    %at10 = arith.addi %row, %n10 : index
    %v10 = agg.buffer_load %in, %at10[] {path = array<i64>} : (!In, index) -> f32
    %p10 = arith.mulf %v10, %x : f32
    %s11 = arith.addf %s10, %p10 : f32
    %n11 = arith.constant 11 : index
    %at11 = arith.addi %row, %n11 : index
    %v11 = agg.buffer_load %in, %at11[] {path = array<i64>} : (!In, index) -> f32
    %p11 = arith.mulf %v11, %x : f32
    %s12 = arith.addf %s11, %p11 : f32
    %n12 = arith.constant 12 : index
    %at12 = arith.addi %row, %n12 : index
    %v12 = agg.buffer_load %in, %at12[] {path = array<i64>} : (!In, index) -> f32
    %p12 = arith.mulf %v12, %x : f32
    %s13 = arith.addf %s12, %p12 : f32
    %n13 = arith.constant 13 : index
    %at13 = arith.addi %row, %n13 : index
    %v13 = agg.buffer_load %in, %at13[] {path = array<i64>} : (!In, index) -> f32
    %p13 = arith.mulf %v13, %x : f32
    %s14 = arith.addf %s13, %p13 : f32
    %n14 = arith.constant 14 : index
    %at14 = arith.addi %row, %n14 : index
    %v14 = agg.buffer_load %in, %at14[] {path = array<i64>} : (!In, index) -> f32
    %p14 = arith.mulf %v14, %x : f32
    %s15 = arith.addf %s14, %p14 : f32
    %n15 = arith.constant 15 : index
    %at15 = arith.addi %row, %n15 : index
    %v15 = agg.buffer_load %in, %at15[] {path = array<i64>} : (!In, index) -> f32
    %p15 = arith.mulf %v15, %x : f32
    %s16 = arith.addf %s15, %p15 : f32
    scf.yield %s16 : f32
  }
  agg.buffer_store %sum, %out, %id[] {path = array<i64>} : (f32, !Out, index) -> ()
  func.return
}

// CHECK-LABEL: func.func @more
// CHECK: scf.for
// CHECK: scf.if
// CHECK-COUNT-16: agg.buffer_load {{.*}}inside
// CHECK: else
// CHECK: scf.for
// CHECK: cold
// CHECK-NOT: scf.for
func.func @more() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
  %in = agg.global @in : !In
  %out = agg.global @out : !Out
  %id = gpu.global_id x
  %x = agg.global @x : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c50 = arith.constant 50 : index
  %c16 = arith.constant 16 : index
  %sum = scf.for %i = %c0 to %c50 step %c1 iter_args(%s0 = %x) -> (f32) {
    %row = arith.muli %i, %c16 : index
    %n0 = arith.constant 0 : index
    %at0 = arith.addi %row, %n0 : index
    %v0 = agg.buffer_load %in, %at0[] {path = array<i64>} : (!In, index) -> f32
    %p0 = arith.mulf %v0, %x : f32
    %p0_0 = arith.mulf %p0, %p0 : f32
    %p0_1 = arith.mulf %p0_0, %p0_0 : f32
    %p0_2 = arith.mulf %p0_1, %p0_1 : f32
    %p0_3 = arith.mulf %p0_2, %p0_2 : f32
    %s1 = arith.addf %s0, %p0_3 : f32
    %n1 = arith.constant 1 : index
    %at1 = arith.addi %row, %n1 : index
    %v1 = agg.buffer_load %in, %at1[] {path = array<i64>} : (!In, index) -> f32
    %p1 = arith.mulf %v1, %x : f32
    %p1_0 = arith.mulf %p1, %p1 : f32
    %p1_1 = arith.mulf %p1_0, %p1_0 : f32
    %p1_2 = arith.mulf %p1_1, %p1_1 : f32
    %p1_3 = arith.mulf %p1_2, %p1_2 : f32
    %s2 = arith.addf %s1, %p1_3 : f32
    %n2 = arith.constant 2 : index
    %at2 = arith.addi %row, %n2 : index
    %v2 = agg.buffer_load %in, %at2[] {path = array<i64>} : (!In, index) -> f32
    %p2 = arith.mulf %v2, %x : f32
    %p2_0 = arith.mulf %p2, %p2 : f32
    %p2_1 = arith.mulf %p2_0, %p2_0 : f32
    %p2_2 = arith.mulf %p2_1, %p2_1 : f32
    %p2_3 = arith.mulf %p2_2, %p2_2 : f32
    %s3 = arith.addf %s2, %p2_3 : f32
    %n3 = arith.constant 3 : index
    %at3 = arith.addi %row, %n3 : index
    %v3 = agg.buffer_load %in, %at3[] {path = array<i64>} : (!In, index) -> f32
    %p3 = arith.mulf %v3, %x : f32
    %p3_0 = arith.mulf %p3, %p3 : f32
    %p3_1 = arith.mulf %p3_0, %p3_0 : f32
    %p3_2 = arith.mulf %p3_1, %p3_1 : f32
    %p3_3 = arith.mulf %p3_2, %p3_2 : f32
    %s4 = arith.addf %s3, %p3_3 : f32
    %n4 = arith.constant 4 : index
    %at4 = arith.addi %row, %n4 : index
    %v4 = agg.buffer_load %in, %at4[] {path = array<i64>} : (!In, index) -> f32
    %p4 = arith.mulf %v4, %x : f32
    %p4_0 = arith.mulf %p4, %p4 : f32
    %p4_1 = arith.mulf %p4_0, %p4_0 : f32
    %p4_2 = arith.mulf %p4_1, %p4_1 : f32
    %p4_3 = arith.mulf %p4_2, %p4_2 : f32
    %s5 = arith.addf %s4, %p4_3 : f32
    %n5 = arith.constant 5 : index
    %at5 = arith.addi %row, %n5 : index
    %v5 = agg.buffer_load %in, %at5[] {path = array<i64>} : (!In, index) -> f32
    %p5 = arith.mulf %v5, %x : f32
    %p5_0 = arith.mulf %p5, %p5 : f32
    %p5_1 = arith.mulf %p5_0, %p5_0 : f32
    %p5_2 = arith.mulf %p5_1, %p5_1 : f32
    %p5_3 = arith.mulf %p5_2, %p5_2 : f32
    %s6 = arith.addf %s5, %p5_3 : f32
    %n6 = arith.constant 6 : index
    %at6 = arith.addi %row, %n6 : index
    %v6 = agg.buffer_load %in, %at6[] {path = array<i64>} : (!In, index) -> f32
    %p6 = arith.mulf %v6, %x : f32
    %p6_0 = arith.mulf %p6, %p6 : f32
    %p6_1 = arith.mulf %p6_0, %p6_0 : f32
    %p6_2 = arith.mulf %p6_1, %p6_1 : f32
    %p6_3 = arith.mulf %p6_2, %p6_2 : f32
    %s7 = arith.addf %s6, %p6_3 : f32
    %n7 = arith.constant 7 : index
    %at7 = arith.addi %row, %n7 : index
    %v7 = agg.buffer_load %in, %at7[] {path = array<i64>} : (!In, index) -> f32
    %p7 = arith.mulf %v7, %x : f32
    %p7_0 = arith.mulf %p7, %p7 : f32
    %p7_1 = arith.mulf %p7_0, %p7_0 : f32
    %p7_2 = arith.mulf %p7_1, %p7_1 : f32
    %p7_3 = arith.mulf %p7_2, %p7_2 : f32
    %s8 = arith.addf %s7, %p7_3 : f32
    %n8 = arith.constant 8 : index
    %at8 = arith.addi %row, %n8 : index
    %v8 = agg.buffer_load %in, %at8[] {path = array<i64>} : (!In, index) -> f32
    %p8 = arith.mulf %v8, %x : f32
    %p8_0 = arith.mulf %p8, %p8 : f32
    %p8_1 = arith.mulf %p8_0, %p8_0 : f32
    %p8_2 = arith.mulf %p8_1, %p8_1 : f32
    %p8_3 = arith.mulf %p8_2, %p8_2 : f32
    %s9 = arith.addf %s8, %p8_3 : f32
    %n9 = arith.constant 9 : index
    %at9 = arith.addi %row, %n9 : index
    %v9 = agg.buffer_load %in, %at9[] {path = array<i64>} : (!In, index) -> f32
    %p9 = arith.mulf %v9, %x : f32
    %p9_0 = arith.mulf %p9, %p9 : f32
    %p9_1 = arith.mulf %p9_0, %p9_0 : f32
    %p9_2 = arith.mulf %p9_1, %p9_1 : f32
    %p9_3 = arith.mulf %p9_2, %p9_2 : f32
    %s10 = arith.addf %s9, %p9_3 : f32
    %n10 = arith.constant 10 : index
    %at10 = arith.addi %row, %n10 : index
    %v10 = agg.buffer_load %in, %at10[] {path = array<i64>} : (!In, index) -> f32
    %p10 = arith.mulf %v10, %x : f32
    %p10_0 = arith.mulf %p10, %p10 : f32
    %p10_1 = arith.mulf %p10_0, %p10_0 : f32
    %p10_2 = arith.mulf %p10_1, %p10_1 : f32
    %p10_3 = arith.mulf %p10_2, %p10_2 : f32
    %s11 = arith.addf %s10, %p10_3 : f32
    %n11 = arith.constant 11 : index
    %at11 = arith.addi %row, %n11 : index
    %v11 = agg.buffer_load %in, %at11[] {path = array<i64>} : (!In, index) -> f32
    %p11 = arith.mulf %v11, %x : f32
    %p11_0 = arith.mulf %p11, %p11 : f32
    %p11_1 = arith.mulf %p11_0, %p11_0 : f32
    %p11_2 = arith.mulf %p11_1, %p11_1 : f32
    %p11_3 = arith.mulf %p11_2, %p11_2 : f32
    %s12 = arith.addf %s11, %p11_3 : f32
    %n12 = arith.constant 12 : index
    %at12 = arith.addi %row, %n12 : index
    %v12 = agg.buffer_load %in, %at12[] {path = array<i64>} : (!In, index) -> f32
    %p12 = arith.mulf %v12, %x : f32
    %p12_0 = arith.mulf %p12, %p12 : f32
    %p12_1 = arith.mulf %p12_0, %p12_0 : f32
    %p12_2 = arith.mulf %p12_1, %p12_1 : f32
    %p12_3 = arith.mulf %p12_2, %p12_2 : f32
    %s13 = arith.addf %s12, %p12_3 : f32
    %n13 = arith.constant 13 : index
    %at13 = arith.addi %row, %n13 : index
    %v13 = agg.buffer_load %in, %at13[] {path = array<i64>} : (!In, index) -> f32
    %p13 = arith.mulf %v13, %x : f32
    %p13_0 = arith.mulf %p13, %p13 : f32
    %p13_1 = arith.mulf %p13_0, %p13_0 : f32
    %p13_2 = arith.mulf %p13_1, %p13_1 : f32
    %p13_3 = arith.mulf %p13_2, %p13_2 : f32
    %s14 = arith.addf %s13, %p13_3 : f32
    %n14 = arith.constant 14 : index
    %at14 = arith.addi %row, %n14 : index
    %v14 = agg.buffer_load %in, %at14[] {path = array<i64>} : (!In, index) -> f32
    %p14 = arith.mulf %v14, %x : f32
    %p14_0 = arith.mulf %p14, %p14 : f32
    %p14_1 = arith.mulf %p14_0, %p14_0 : f32
    %p14_2 = arith.mulf %p14_1, %p14_1 : f32
    %p14_3 = arith.mulf %p14_2, %p14_2 : f32
    %s15 = arith.addf %s14, %p14_3 : f32
    %n15 = arith.constant 15 : index
    %at15 = arith.addi %row, %n15 : index
    %v15 = agg.buffer_load %in, %at15[] {path = array<i64>} : (!In, index) -> f32
    %p15 = arith.mulf %v15, %x : f32
    %p15_0 = arith.mulf %p15, %p15 : f32
    %p15_1 = arith.mulf %p15_0, %p15_0 : f32
    %p15_2 = arith.mulf %p15_1, %p15_1 : f32
    %p15_3 = arith.mulf %p15_2, %p15_2 : f32
    %s16 = arith.addf %s15, %p15_3 : f32
    scf.yield %s16 : f32
  }
  agg.buffer_store %sum, %out, %id[] {path = array<i64>} : (f32, !Out, index) -> ()
  func.return
}
