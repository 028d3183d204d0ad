// RUN: caustic run %s --backend %backend --trap-oob --buffer bytes=u8:1,2,3,4,5
// EXPECT-TRAP: 12:10 byte 2 is out of range: `bytes` has 5 bytes
!bytes = !agg.buffer<i8, "ro">
!words = !agg.buffer<i32, "ro", "bytes">
module {
  agg.resource @b attributes {type = !bytes, reflect = {name = "bytes", kind = "byte_address_buffer", type = "u32"}}
  func.func @computeMain() attributes {entry = {stage = "compute", numthreads = array<i64: 1, 1, 1>}} {
    %b = agg.global @b : !bytes
    %w = agg.view %b : !bytes -> !words
    %two = arith.constant 2 : index
    // NOTE: Of the word at 2 the last byte is missing.
    %x = agg.buffer_load %w, %two[] {path = []} : (!words, index) -> i32
    gpu.printf "%d" %x : i32
    return
  }
}
