// RUN: caustic run %s --backend %backend --texture line=rg16i:3:1,-2,3,4,-5,6 --texture cubes=r8u:1x1:cube:array=2:0,1,2,3,4,5,10,11,12,13,14,15 --texture image=rgba32f:2x1x2:0,0,0,0 --sampler cubes=point --read o --buffer o=zero:64 --read p --buffer p=zero:20 --format json
// NOTE: A line of two components read as four; the faces of the second cube towards -x and +z, and its layer 7; the sizes of the cubes, of
// NOTE: the image and of a texture that nothing is bound to; an image written and read back, where the write outside does nothing.
// EXPECT-JSON: {"o": [3, 4, 0, 1, 11, 14, 11, 1, 1, 2, 1, 2, 2, 1, 2, 1], "p": [5.0, 6.0, 7.0, 8.0, 0.0]}
!line = !tex.texture<"1d", vector<4xi32>, "ro">
!cubes = !tex.texture<"cube", i32, "ro", "array">
!image = !tex.texture<"3d", vector<4xf32>, "rw">
!none = !tex.texture<"2d", f32, "ro", "array">
!out = !agg.buffer<i32, "rw">
!floats = !agg.buffer<f32, "rw">
module {
  agg.resource @line attributes {type = !line, reflect = {name = "line", kind = "texture", type = ["vector", 4, "i32"]}}
  agg.resource @cubes attributes {type = !cubes, reflect = {name = "cubes", kind = "texture", type = "u32"}}
  agg.resource @cubes.sampler attributes {type = !tex.sampler, reflect = {name = "cubes", kind = "sampler", type = "u32"}}
  agg.resource @image attributes {type = !image, reflect = {name = "image", kind = "rw_texture", type = ["vector", 4, "f32"]}}
  agg.resource @none attributes {type = !none, reflect = {name = "none", kind = "texture", type = "f32"}}
  agg.resource @o attributes {type = !out, reflect = {name = "o", kind = "rw_buffer", type = "u32"}}
  agg.resource @p attributes {type = !floats, reflect = {name = "p", kind = "rw_buffer", type = "f32"}}
  func.func @put(%at: index, %v: i32) {
    %o = agg.global @o : !out
    agg.buffer_store %v, %o, %at[] {path = []} : (i32, !out, index) -> ()
    return
  }
  func.func @put4(%at: index, %v: vector<4xi32>) {
    %a = agg.extract %v[] {path = [0]} : (vector<4xi32>) -> i32
    %b = agg.extract %v[] {path = [1]} : (vector<4xi32>) -> i32
    %c = agg.extract %v[] {path = [2]} : (vector<4xi32>) -> i32
    %d = agg.extract %v[] {path = [3]} : (vector<4xi32>) -> i32
    %one = arith.constant 1 : index
    %at1 = arith.addi %at, %one : index
    %at2 = arith.addi %at1, %one : index
    %at3 = arith.addi %at2, %one : index
    func.call @put(%at, %a) : (index, i32) -> ()
    func.call @put(%at1, %b) : (index, i32) -> ()
    func.call @put(%at2, %c) : (index, i32) -> ()
    func.call @put(%at3, %d) : (index, i32) -> ()
    return
  }
  func.func @computeMain() attributes {entry = {stage = "compute", numthreads = array<i64: 1, 1, 1>}} {
    %line = agg.global @line : !line
    %cubes = agg.global @cubes : !cubes
    %s = agg.global @cubes.sampler : !tex.sampler
    %image = agg.global @image : !image
    %none = agg.global @none : !none
    %p = agg.global @p : !floats
    %l0 = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %zero = arith.constant 0.0 : f32
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %i3 = arith.constant 3 : index
    %i4 = arith.constant 4 : index
    %i5 = arith.constant 5 : index
    %i6 = arith.constant 6 : index
    %i7 = arith.constant 7 : index
    %i8 = arith.constant 8 : index
    %i12 = arith.constant 12 : index
    %a = tex.load %line, %one, %l0[] : (!line, i32, i32) -> vector<4xi32>
    func.call @put4(%i0, %a) : (index, vector<4xi32>) -> ()
    %left = arith.constant dense<[-2.0, 0.1, 0.2, 1.0]> : vector<4xf32>
    %b = tex.sample_level %cubes, %s, %left, %zero[] : (!cubes, !tex.sampler, vector<4xf32>, f32) -> i32
    func.call @put(%i4, %b) : (index, i32) -> ()
    %front = arith.constant dense<[0.1, 0.1, 0.2, 1.0]> : vector<4xf32>
    %c = tex.sample %cubes, %s, %front, %zero[] : (!cubes, !tex.sampler, vector<4xf32>, f32) -> i32
    func.call @put(%i5, %c) : (index, i32) -> ()
    %layer = arith.constant dense<[0, 0, 7]> : vector<3xi32>
    %d = tex.load %cubes, %layer, %l0[] : (!cubes, vector<3xi32>, i32) -> i32
    func.call @put(%i6, %d) : (index, i32) -> ()
    %size = tex.size %cubes, %l0 : !cubes, i32
    %width = agg.extract %size[] {path = [0]} : (vector<4xi32>) -> i32
    %count = agg.extract %size[] {path = [2]} : (vector<4xi32>) -> i32
    func.call @put(%i7, %width) : (index, i32) -> ()
    %whole = tex.size %none, %l0 : !none, i32
    %last = tex.size %image, %l0 : !image, i32
    func.call @put4(%i12, %last) : (index, vector<4xi32>) -> ()
    func.call @put4(%i8, %whole) : (index, vector<4xi32>) -> ()
    %i9 = arith.constant 9 : index
    %i11 = arith.constant 11 : index
    func.call @put(%i9, %count) : (index, i32) -> ()
    func.call @put(%i11, %count) : (index, i32) -> ()
    %at = arith.constant dense<[1, 0, 1]> : vector<3xi32>
    %outside = arith.constant dense<[1, 1, 1]> : vector<3xi32>
    %color = arith.constant dense<[5.0, 6.0, 7.0, 8.0]> : vector<4xf32>
    tex.store %color, %image, %outside : (vector<4xf32>, !image, vector<3xi32>) -> ()
    tex.store %color, %image, %at : (vector<4xf32>, !image, vector<3xi32>) -> ()
    %read = tex.load %image, %at, %l0[] : (!image, vector<3xi32>, i32) -> vector<4xf32>
    %r = agg.extract %read[] {path = [0]} : (vector<4xf32>) -> f32
    %g = agg.extract %read[] {path = [1]} : (vector<4xf32>) -> f32
    %bl = agg.extract %read[] {path = [2]} : (vector<4xf32>) -> f32
    %al = agg.extract %read[] {path = [3]} : (vector<4xf32>) -> f32
    %before = arith.constant dense<[0, 0, 1]> : vector<3xi32>
    %other = tex.load %image, %before, %l0[] : (!image, vector<3xi32>, i32) -> vector<4xf32>
    %first = agg.extract %other[] {path = [0]} : (vector<4xf32>) -> f32
    agg.buffer_store %r, %p, %i0[] {path = []} : (f32, !floats, index) -> ()
    agg.buffer_store %g, %p, %i1[] {path = []} : (f32, !floats, index) -> ()
    agg.buffer_store %bl, %p, %i2[] {path = []} : (f32, !floats, index) -> ()
    agg.buffer_store %al, %p, %i3[] {path = []} : (f32, !floats, index) -> ()
    agg.buffer_store %first, %p, %i4[] {path = []} : (f32, !floats, index) -> ()
    return
  }
}
