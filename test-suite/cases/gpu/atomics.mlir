// RUN: caustic run %s --backend %backend --dispatch 64,1,1 --buffer r=i32:0,-1,0,0,2147483647,-2147483648,-1,0 --buffer f=zero:16 --buffer m=zero:64 --read r --read f --read m --format json
// NOTE: 4096 threads of 64 groups, which run at once. n is the thread's number among all.
// NOTE: r: add 1; and of ~(1 << n % 20); or of 1 << n % 20; xor of n; signed min and max of n - 2000; unsigned min of n + 7; unsigned max of n.
// NOTE: f: sums of 0.5 and of n in float; the largest n. m: from each group, how many of its threads won a compare-exchange: 1.
// EXPECT-JSON: {"r": [4096, -1048576, 1048575, 0, -2000, 2095, 7, 4095], "f": [2048.0, 8386560.0, 4095.0, 0.0], "m": [4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4]}
!ints = !agg.buffer<i32, "rw">
!floats = !agg.buffer<!agg.struct<"F", 0, [["a", !agg.array<2, f32>], ["m", f32], ["pad", f32]]>, "rw">
module {
  agg.resource @r attributes {type = !ints, reflect = {name = "r", kind = "rw_buffer", type = "i32"}}
  agg.resource @f attributes {type = !floats, reflect = {name = "f", kind = "rw_buffer", type = ["vector", 4, "f32"]}}
  agg.resource @m attributes {type = !ints, reflect = {name = "m", kind = "rw_buffer", type = "i32"}}
  agg.resource @lock attributes {type = !ints, groupshared}
  func.func @computeMain() attributes {entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %i3 = arith.constant 3 : index
    %i4 = arith.constant 4 : index
    %i5 = arith.constant 5 : index
    %i6 = arith.constant 6 : index
    %i7 = arith.constant 7 : index
    %i16 = arith.constant 16 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %seven = arith.constant 7 : i32
    %twenty = arith.constant 20 : i32
    %base = arith.constant 2000 : i32
    %ones = arith.constant -1 : i32
    %half = arith.constant 0.5 : f32
    %r = agg.global @r : !ints
    %f = agg.global @f : !floats
    %m = agg.global @m : !ints
    %lock = agg.global @lock : !ints
    %id = gpu.global_id x
    %n = arith.index_cast %id : index to i32
    %shift = arith.remui %n, %twenty : i32
    %bit = arith.shli %one, %shift : i32
    %not = arith.xori %bit, %ones : i32
    %signed = arith.subi %n, %base : i32
    %up = arith.addi %n, %seven : i32
    %x = arith.sitofp %n : i32 to f32
    %0 = agg.atomic_rmw "add" %one, %r, %i0[] {path = []} : (i32, !ints, index) -> i32
    %1 = agg.atomic_rmw "and" %not, %r, %i1[] {path = []} : (i32, !ints, index) -> i32
    %2 = agg.atomic_rmw "or" %bit, %r, %i2[] {path = []} : (i32, !ints, index) -> i32
    %3 = agg.atomic_rmw "xor" %n, %r, %i3[] {path = []} : (i32, !ints, index) -> i32
    %4 = agg.atomic_rmw "minsi" %signed, %r, %i4[] {path = []} : (i32, !ints, index) -> i32
    %5 = agg.atomic_rmw "maxsi" %signed, %r, %i5[] {path = []} : (i32, !ints, index) -> i32
    %6 = agg.atomic_rmw "minui" %up, %r, %i6[] {path = []} : (i32, !ints, index) -> i32
    %7 = agg.atomic_rmw "maxui" %n, %r, %i7[] {path = []} : (i32, !ints, index) -> i32
    %8 = agg.atomic_rmw "add" %half, %f, %i0[%i0] {path = [0, -1]} : (f32, !floats, index, index) -> f32
    %9 = agg.atomic_rmw "add" %x, %f, %i0[%i1] {path = [0, -1]} : (f32, !floats, index, index) -> f32
    %10 = agg.atomic_rmw "maximumf" %x, %f, %i0[] {path = [1]} : (f32, !floats, index) -> f32
    %old = agg.atomic_cas %zero, %one, %lock, %i0[] {path = []} : (i32, i32, !ints, index) -> i32
    %won = arith.cmpi eq, %old, %zero : i32
    scf.if %won {
      %g = gpu.block_id x
      %at = arith.remui %g, %i16 : index
      %11 = agg.atomic_rmw "add" %one, %m, %at[] {path = []} : (i32, !ints, index) -> i32
    }
    // NOTE: Out of range nothing is changed.
    %12 = agg.atomic_rmw "add" %one, %r, %i16[] {path = []} : (i32, !ints, index) -> i32
    return
  }
}
