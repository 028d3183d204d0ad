// RUN: caustic run %s --backend %backend --buffer in[0]=u32:1,2 --buffer in[2]=u32:30 --buffer scene.lists[1].data=u32:7,8,9 --uniform scene.lists[1].scale=u32:100 --buffer o=zero:40 --read o --read in[2] --read scene[0][1][1] --format json
// NOTE: Arrays of resources are bound by element; what is not bound is empty; an index out of range means the last one. A resource in a struct
// NOTE: is found by its path, by name or number, and takes no bytes there.
// EXPECT-JSON: {"o": [1, 2, 0, 1, 30, 1, 30, 1, 700, 3], "in[2]": [30], "scene[0][1][1]": [7, 8, 9]}
!buffer = !agg.buffer<i32, "ro">
!out = !agg.buffer<i32, "rw">
!list = !agg.struct<"List", 0, [["scale", i32]]>
!scene = !agg.struct<"Scene", 0, [["lists", !agg.array<2, !list>]]>
module {
  agg.resource @in attributes {type = !buffer, count = 3, reflect = {name = "in", kind = "buffer", type = "u32"}}
  agg.resource @data attributes {type = !buffer, count = 2, reflect = {name = "scene.lists.data", kind = "buffer", type = "u32"}}
  agg.resource @scene attributes {type = !scene, reflect = {name = "scene", kind = "uniform", type = ["struct", "Scene", ["lists", ["array", 2, ["struct", "List", ["scale", "u32"], ["data", ["resource", "data"]]]]]]}}
  agg.resource @o attributes {type = !out, reflect = {name = "o", kind = "rw_buffer", type = "u32"}}
  func.func @computeMain() attributes {entry = {stage = "compute", numthreads = array<i64: 4, 1, 1>}} {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %i8 = arith.constant 8 : index
    %i9 = arith.constant 9 : index
    %i = gpu.thread_id x
    %o = agg.global @o : !out
    %b = agg.global_element @in %i : index, !buffer
    %x = agg.buffer_load %b, %i0[] {path = []} : (!buffer, index) -> i32
    %n = agg.buffer_len %b : !buffer
    %len = arith.index_cast %n : index to i32
    %one = arith.constant 1 : i32
    %at = arith.muli %i, %i2 : index
    %next = arith.addi %at, %i1 : index
    %empty = arith.cmpi eq, %n, %i0 : index
    %shown = arith.select %empty, %one, %len : i32
    agg.buffer_store %x, %o, %at[] {path = []} : (i32, !out, index) -> ()
    agg.buffer_store %shown, %o, %next[] {path = []} : (i32, !out, index) -> ()
    %s = agg.global @scene : !scene
    %scale = agg.extract %s[%i1] {path = [0, -1, 0]} : (!scene, index) -> i32
    %d = agg.global_element @data %i1 : index, !buffer
    %y = agg.buffer_load %d, %i0[] {path = []} : (!buffer, index) -> i32
    %z = arith.muli %scale, %y : i32
    agg.buffer_store %z, %o, %i8[] {path = []} : (i32, !out, index) -> ()
    %m = agg.buffer_len %d : !buffer
    %mlen = arith.index_cast %m : index to i32
    agg.buffer_store %mlen, %o, %i9[] {path = []} : (i32, !out, index) -> ()
    return
  }
}
