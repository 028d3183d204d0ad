// RUN: caustic-opt --symbol-dce %s | FileCheck %s --check-prefix=PRIVATE
// RUN: caustic-opt --symbol-dce='entries-only=true keep=named' %s | FileCheck %s --check-prefix=ENTRIES

// PRIVATE: agg.resource
// ENTRIES: agg.resource
"agg.resource"() {sym_name = "unused", type = !agg.buffer<f32, "rw">} : () -> ()

// PRIVATE: func.func @kernel
// ENTRIES: func.func @kernel
func.func @kernel() attributes {entry = {numthreads = [1, 1, 1]}} {
  func.call @helper() : () -> ()
  return
}
// PRIVATE: func.func private @helper
// ENTRIES: func.func private @helper
func.func private @helper() {
  return
}
// PRIVATE: func.func @named
// ENTRIES: func.func @named
func.func @named() {
  return
}
// PRIVATE: func.func @public
// ENTRIES-NOT: @public
func.func @public() {
  return
}
// PRIVATE-NOT: @dead
// ENTRIES-NOT: @dead
func.func private @dead() {
  func.call @dead_too() : () -> ()
  return
}
func.func private @dead_too() {
  func.call @dead() : () -> ()
  return
}
