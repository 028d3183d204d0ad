// RUN: caustic-reduce %s --error "division" -o - -- check %s
// EXIT: 1
// STDERR:
//| caustic-reduce: error: `test-suite/cases/reduce/ir.mlir` does not show the fault as it stands: nothing says `division`
module {
  func.func @f(%x: f32) -> f32 {
    func.return %x : f32
  }
}
