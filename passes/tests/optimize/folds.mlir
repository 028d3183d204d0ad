// For every op whose row says how it folds, a function of its name in which it does; that stays in the results. Where a row knows more than to compute
// with constants, it is used: equal operands, neutral ones.
func.func @"arith.addi"() -> i32 {
  %a = arith.constant 2 : i32
  %b = arith.constant 3 : i32
  %y = arith.addi %a, %b : i32
  func.return %y : i32
}
func.func @"arith.subi"() -> i32 {
  %a = arith.constant 9 : i32
  %b = arith.constant 3 : i32
  %y = arith.subi %a, %b : i32
  func.return %y : i32
}
func.func @"arith.muli"() -> i32 {
  %a = arith.constant 2 : i32
  %b = arith.constant 3 : i32
  %y = arith.muli %a, %b : i32
  func.return %y : i32
}
func.func @"arith.divsi"() -> i32 {
  %a = arith.constant -9 : i32
  %b = arith.constant 2 : i32
  %y = arith.divsi %a, %b : i32
  func.return %y : i32
}
func.func @"arith.divui"() -> i32 {
  %a = arith.constant 9 : i32
  %b = arith.constant 2 : i32
  %y = arith.divui %a, %b : i32
  func.return %y : i32
}
func.func @"arith.remsi"() -> i32 {
  %a = arith.constant -9 : i32
  %b = arith.constant 5 : i32
  %y = arith.remsi %a, %b : i32
  func.return %y : i32
}
func.func @"arith.remui"() -> i32 {
  %a = arith.constant 9 : i32
  %b = arith.constant 5 : i32
  %y = arith.remui %a, %b : i32
  func.return %y : i32
}
func.func @"arith.andi"() -> i32 {
  %a = arith.constant 6 : i32
  %b = arith.constant 3 : i32
  %y = arith.andi %a, %b : i32
  func.return %y : i32
}
func.func @"arith.ori"() -> i32 {
  %a = arith.constant 6 : i32
  %b = arith.constant 1 : i32
  %y = arith.ori %a, %b : i32
  func.return %y : i32
}
func.func @"arith.xori"() -> i32 {
  %a = arith.constant 6 : i32
  %b = arith.constant 3 : i32
  %y = arith.xori %a, %b : i32
  func.return %y : i32
}
func.func @"arith.shli"() -> i32 {
  %a = arith.constant 3 : i32
  %b = arith.constant 2 : i32
  %y = arith.shli %a, %b : i32
  func.return %y : i32
}
func.func @"arith.shrsi"() -> i32 {
  %a = arith.constant -9 : i32
  %b = arith.constant 1 : i32
  %y = arith.shrsi %a, %b : i32
  func.return %y : i32
}
func.func @"arith.shrui"() -> i32 {
  %a = arith.constant 9 : i32
  %b = arith.constant 1 : i32
  %y = arith.shrui %a, %b : i32
  func.return %y : i32
}
func.func @"arith.minsi"() -> i32 {
  %a = arith.constant -2 : i32
  %b = arith.constant 3 : i32
  %y = arith.minsi %a, %b : i32
  func.return %y : i32
}
func.func @"arith.maxsi"() -> i32 {
  %a = arith.constant -2 : i32
  %b = arith.constant 3 : i32
  %y = arith.maxsi %a, %b : i32
  func.return %y : i32
}
func.func @"arith.minui"() -> i32 {
  %a = arith.constant 2 : i32
  %b = arith.constant 3 : i32
  %y = arith.minui %a, %b : i32
  func.return %y : i32
}
func.func @"arith.maxui"() -> i32 {
  %a = arith.constant 2 : i32
  %b = arith.constant 3 : i32
  %y = arith.maxui %a, %b : i32
  func.return %y : i32
}
func.func @"arith.addf"(%x: f32) -> f32 {
  %c = arith.constant -0.0 : f32
  %y = arith.addf %x, %c : f32
  func.return %y : f32
}
func.func @"arith.subf"(%x: f32) -> f32 {
  %c = arith.constant 0.0 : f32
  %y = arith.subf %x, %c : f32
  func.return %y : f32
}
func.func @"arith.mulf"(%x: f32) -> f32 {
  %c = arith.constant 1.0 : f32
  %y = arith.mulf %x, %c : f32
  func.return %y : f32
}
func.func @"arith.divf"(%x: f32) -> f32 {
  %c = arith.constant 1.0 : f32
  %y = arith.divf %x, %c : f32
  func.return %y : f32
}
func.func @"arith.minimumf"(%x: f32) -> f32 {
  %y = arith.minimumf %x, %x : f32
  func.return %y : f32
}
func.func @"arith.maximumf"(%x: f32) -> f32 {
  %y = arith.maximumf %x, %x : f32
  func.return %y : f32
}
func.func @"arith.minnumf"(%x: f32) -> f32 {
  %y = arith.minnumf %x, %x : f32
  func.return %y : f32
}
func.func @"arith.maxnumf"(%x: f32) -> f32 {
  %y = arith.maxnumf %x, %x : f32
  func.return %y : f32
}
func.func @"arith.cmpi"(%x: i32) -> i1 {
  %y = arith.cmpi sle, %x, %x : i32
  func.return %y : i1
}
func.func @"arith.cmpf"(%x: f32) -> i1 {
  %y = arith.cmpf true, %x, %x : f32
  func.return %y : i1
}
func.func @"arith.select"(%c: i1, %x: f32) -> f32 {
  %y = arith.select %c, %x, %x : f32
  func.return %y : f32
}
func.func @"vector.extract"() -> f32 {
  %v = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %y = vector.extract %v[1] : f32 from vector<2xf32>
  func.return %y : f32
}
func.func @"vector.insert"() -> vector<2xf32> {
  %v = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %c = arith.constant 3.0 : f32
  %y = vector.insert %c, %v[1] : f32 into vector<2xf32>
  func.return %y : vector<2xf32>
}
func.func @"vector.broadcast"() -> vector<2xf32> {
  %c = arith.constant 3.0 : f32
  %y = vector.broadcast %c : f32 to vector<2xf32>
  func.return %y : vector<2xf32>
}
func.func @"vector.from_elements"() -> vector<2xf32> {
  %a = arith.constant 3.0 : f32
  %b = arith.constant 4.0 : f32
  %y = vector.from_elements %a, %b : vector<2xf32>
  func.return %y : vector<2xf32>
}
func.func @"vector.reduction"() -> f32 {
  %v = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %y = vector.reduction <add>, %v : vector<2xf32> into f32
  func.return %y : f32
}
func.func @"vector.shape_cast"(%v: vector<2xf32>) -> vector<2xf32> {
  %y = vector.shape_cast %v : vector<2xf32> to vector<2xf32>
  func.return %y : vector<2xf32>
}
func.func @"vector.transpose"() -> vector<3x2xf32> {
  %m = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : vector<2x3xf32>
  %y = vector.transpose %m, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  func.return %y : vector<3x2xf32>
}
