// RUN: caustic-opt --wave-masks --verify-diagnostics %s
// NOTE: A kernel's mask is its threads; lanes that call it would be fewer.
module {
  func.func @main() attributes {params = [], entry = {stage = "compute", numthreads = array<i64: 64, 1, 1>}} {
    %i = gpu.thread_id x
    %n = arith.constant 3 : index
    %low = arith.cmpi ult, %i, %n : index
    scf.if %low {
      // expected-error@+1 [E0853] {{a kernel with wave operations cannot be called on a GPU}}
      func.call @main() : () -> ()
    }
    %first = simt.wave_elect
    return
  }
}
