// RUN: caustic run %s --backend %backend --texture t=r32f:2x2:mips=2:0,1,2,3,10 --sampler near=point,clamp --sampler edge=linear,clamp --sampler none=point,border --read o --buffer o=zero:64 --format json
// NOTE: Level 0 is [0 1 / 2 3], level 1 is [10]. Linear at the middle; between the levels; wrapping around the left edge; nearest; clamped;
// NOTE: outside of a border; an offset; bias; gradients of one texel (level 0) and of two (level 1); compared texels, two of four above 1;
// NOTE: a load, one out of range, one with an offset.
// EXPECT-JSON: {"o": [1.5, 5.75, 0.5, 3.0, 2.0, 0.0, 1.0, 10.0, 0.0, 10.0, 0.5, 2.0, 0.0, 3.0, 10.0, 0.0]}
!tex = !tex.texture<"2d", f32, "ro">
!out = !agg.buffer<f32, "rw">
module {
  agg.resource @t attributes {type = !tex, reflect = {name = "t", kind = "texture", type = "f32"}}
  agg.resource @wrap attributes {type = !tex.sampler, reflect = {name = "wrap", kind = "sampler", type = "u32"}}
  agg.resource @near attributes {type = !tex.sampler, reflect = {name = "near", kind = "sampler", type = "u32"}}
  agg.resource @edge attributes {type = !tex.sampler, reflect = {name = "edge", kind = "sampler", type = "u32"}}
  agg.resource @none attributes {type = !tex.sampler, reflect = {name = "none", kind = "sampler", type = "u32"}}
  agg.resource @o attributes {type = !out, reflect = {name = "o", kind = "rw_buffer", type = "f32"}}
  func.func @put(%at: index, %v: f32) {
    %o = agg.global @o : !out
    agg.buffer_store %v, %o, %at[] {path = []} : (f32, !out, index) -> ()
    return
  }
  func.func @computeMain() attributes {entry = {stage = "compute", numthreads = array<i64: 1, 1, 1>}} {
    %t = agg.global @t : !tex
    %wrap = agg.global @wrap : !tex.sampler
    %near = agg.global @near : !tex.sampler
    %edge = agg.global @edge : !tex.sampler
    %none = agg.global @none : !tex.sampler
    %mid = arith.constant dense<0.5> : vector<2xf32>
    %zero = arith.constant 0.0 : f32
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    %left = arith.constant dense<[0.0, 0.25]> : vector<2xf32>
    %last = arith.constant dense<[0.75, 0.75]> : vector<2xf32>
    %below = arith.constant dense<[-3.0, 7.0]> : vector<2xf32>
    %first = arith.constant dense<0.25> : vector<2xf32>
    %right = arith.constant dense<[1, 0]> : vector<2xi32>
    %ones = arith.constant dense<[1, 1]> : vector<2xi32>
    %out = arith.constant dense<[2, 0]> : vector<2xi32>
    %corner = arith.constant dense<[0, 0]> : vector<2xi32>
    %dhalf = arith.constant dense<[0.5, 0.0]> : vector<2xf32>
    %done = arith.constant dense<[0.0, 1.0]> : vector<2xf32>
    %dnone = arith.constant dense<0.0> : vector<2xf32>
    %l0 = arith.constant 0 : i32
    %l1 = arith.constant 1 : i32
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %i3 = arith.constant 3 : index
    %i4 = arith.constant 4 : index
    %i5 = arith.constant 5 : index
    %i6 = arith.constant 6 : index
    %i7 = arith.constant 7 : index
    %i8 = arith.constant 8 : index
    %i9 = arith.constant 9 : index
    %i10 = arith.constant 10 : index
    %i11 = arith.constant 11 : index
    %i12 = arith.constant 12 : index
    %i13 = arith.constant 13 : index
    %i14 = arith.constant 14 : index
    %i15 = arith.constant 15 : index
    %a = tex.sample_level %t, %wrap, %mid, %zero[] : (!tex, !tex.sampler, vector<2xf32>, f32) -> f32
    func.call @put(%i0, %a) : (index, f32) -> ()
    %b = tex.sample_level %t, %wrap, %mid, %half[] : (!tex, !tex.sampler, vector<2xf32>, f32) -> f32
    func.call @put(%i1, %b) : (index, f32) -> ()
    %c = tex.sample_level %t, %wrap, %left, %zero[] : (!tex, !tex.sampler, vector<2xf32>, f32) -> f32
    func.call @put(%i2, %c) : (index, f32) -> ()
    %d = tex.sample_level %t, %near, %last, %zero[] : (!tex, !tex.sampler, vector<2xf32>, f32) -> f32
    func.call @put(%i3, %d) : (index, f32) -> ()
    %e = tex.sample_level %t, %edge, %below, %zero[] : (!tex, !tex.sampler, vector<2xf32>, f32) -> f32
    func.call @put(%i4, %e) : (index, f32) -> ()
    %f = tex.sample_level %t, %none, %below, %zero[] : (!tex, !tex.sampler, vector<2xf32>, f32) -> f32
    func.call @put(%i5, %f) : (index, f32) -> ()
    %g = tex.sample_level %t, %near, %first, %zero[%right] : (!tex, !tex.sampler, vector<2xf32>, f32, vector<2xi32>) -> f32
    func.call @put(%i6, %g) : (index, f32) -> ()
    %h = tex.sample %t, %wrap, %mid, %two[] : (!tex, !tex.sampler, vector<2xf32>, f32) -> f32
    func.call @put(%i7, %h) : (index, f32) -> ()
    %i = tex.sample_grad %t, %near, %first, %dhalf, %dnone[] : (!tex, !tex.sampler, vector<2xf32>, vector<2xf32>, vector<2xf32>) -> f32
    func.call @put(%i8, %i) : (index, f32) -> ()
    %j = tex.sample_grad %t, %near, %first, %dhalf, %done[] : (!tex, !tex.sampler, vector<2xf32>, vector<2xf32>, vector<2xf32>) -> f32
    func.call @put(%i9, %j) : (index, f32) -> ()
    %k = tex.sample_compare %t, %wrap, %mid, %one, %zero[] : (!tex, !tex.sampler, vector<2xf32>, f32, f32) -> f32
    func.call @put(%i10, %k) : (index, f32) -> ()
    %around = tex.gather %t, %wrap, %mid[] {component = 0} : (!tex, !tex.sampler, vector<2xf32>) -> vector<4xf32>
    %l = agg.extract %around[] {path = [0]} : (vector<4xf32>) -> f32
    func.call @put(%i11, %l) : (index, f32) -> ()
    %m = agg.extract %around[] {path = [3]} : (vector<4xf32>) -> f32
    func.call @put(%i12, %m) : (index, f32) -> ()
    %n = tex.load %t, %corner, %l0[%ones] : (!tex, vector<2xi32>, i32, vector<2xi32>) -> f32
    func.call @put(%i13, %n) : (index, f32) -> ()
    %p = tex.load %t, %corner, %l1[] : (!tex, vector<2xi32>, i32) -> f32
    func.call @put(%i14, %p) : (index, f32) -> ()
    %q = tex.load %t, %out, %l0[] : (!tex, vector<2xi32>, i32) -> f32
    func.call @put(%i15, %q) : (index, f32) -> ()
    return
  }
}
