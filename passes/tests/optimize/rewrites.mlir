// One function for each rewrite, named after it: canonicalization applies the rewrite there, and the results stay.

!P = !agg.struct<"P", 1, [["x", f32], ["y", f32]]>
!Q = !agg.struct<"Q", 1, [["a", !agg.array<3, f32>], ["n", i32]]>

func.func @"constant-index-read"(%a: !agg.array<3, f32>) -> (f32, f32) {
  %one = arith.constant 1 : index
  %nine = arith.constant 9 : index
  %x = agg.extract %a[%one] {path = [-1]} : (!agg.array<3, f32>, index) -> f32
  %y = agg.extract %a[%nine] {path = [-1]} : (!agg.array<3, f32>, index) -> f32
  func.return %x, %y : f32, f32
}
func.func @"read-of-all"(%a: !P) -> !P {
  %x = agg.extract %a[] {path = []} : (!P) -> !P
  func.return %x : !P
}
func.func @"read-of-vector"(%v: vector<3xf32>) -> f32 {
  %x = agg.extract %v[] {path = [2]} : (vector<3xf32>) -> f32
  func.return %x : f32
}
func.func @"read-of-read"(%q: !Q, %i: index) -> f32 {
  %a = agg.extract %q[] {path = [0]} : (!Q) -> !agg.array<3, f32>
  %x = agg.extract %a[%i] {path = [-1]} : (!agg.array<3, f32>, index) -> f32
  func.return %x : f32
}
func.func @"read-of-write"(%a: !agg.array<3, f32>, %x: f32, %i: index) -> (f32, f32, f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %b = agg.insert %x, %a[] {path = [1]} : (f32, !agg.array<3, f32>) -> !agg.array<3, f32>
  %same = agg.extract %b[] {path = [1]} : (!agg.array<3, f32>) -> f32
  %other = agg.extract %b[] {path = [2]} : (!agg.array<3, f32>) -> f32
  // At %i the write may not happen, in the loop it does.
  %c = agg.insert %x, %a[%i] {path = [-1]} : (f32, !agg.array<3, f32>, index) -> !agg.array<3, f32>
  %may = agg.extract %c[%i] {path = [-1]} : (!agg.array<3, f32>, index) -> f32
  %sum = scf.for %k = %zero to %three step %one iter_args(%s = %may) -> (f32) {
    %d = agg.insert %s, %a[%k] {path = [-1]} : (f32, !agg.array<3, f32>, index) -> !agg.array<3, f32>
    %e = agg.extract %d[%k] {path = [-1]} : (!agg.array<3, f32>, index) -> f32
    %t = arith.addf %e, %x : f32
    scf.yield %t : f32
  }
  func.return %same, %other, %sum : f32, f32, f32
}
func.func @"read-of-made"(%x: f32, %y: f32) -> (f32, vector<2xf32>) {
  %p = agg.make %x, %y : (f32, f32) -> !P
  %z = agg.extract %p[] {path = [1]} : (!P) -> f32
  %m = vector.from_elements %x, %y, %y, %x : vector<2x2xf32>
  %row = vector.extract %m[1] : vector<2xf32> from vector<2x2xf32>
  func.return %z, %row : f32, vector<2xf32>
}
func.func @"read-of-alike"(%x: f32, %y: f32) -> f32 {
  %a = agg.make %x, %x : (f32, f32) -> !agg.array<2, f32>
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %one = arith.constant 1 : index
  %s = scf.for %i = %zero to %two step %one iter_args(%t = %y) -> (f32) {
    %z = agg.extract %a[%i] {path = [-1]} : (!agg.array<2, f32>, index) -> f32
    %u = arith.addf %t, %z : f32
    scf.yield %u : f32
  }
  func.return %s : f32
}
func.func @"read-of-splat"(%x: f32, %i: index) -> (f32, f32) {
  %v = vector.broadcast %x : f32 to vector<3xf32>
  %y = vector.extract %v[2] : f32 from vector<3xf32>
  %z = vector.extract %v[%i] : f32 from vector<3xf32>
  func.return %y, %z : f32, f32
}
func.func @"read-of-zero"(%i: index) -> f32 {
  %z = agg.zero : !agg.array<3, f32>
  %x = agg.extract %z[%i] {path = [-1]} : (!agg.array<3, f32>, index) -> f32
  func.return %x : f32
}
func.func @"read-of-transposed"(%m: vector<2x3xf32>, %i: index) -> f32 {
  %t = vector.transpose %m, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  %x = vector.extract %t[%i, 1] : f32 from vector<3x2xf32>
  func.return %x : f32
}
func.func @"constant-index-write"(%a: !agg.array<3, f32>, %x: f32) -> (!agg.array<3, f32>, !agg.array<3, f32>) {
  %one = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %b = agg.insert %x, %a[%one] {path = [-1]} : (f32, !agg.array<3, f32>, i32) -> !agg.array<3, f32>
  %c = agg.insert %x, %a[%minus] {path = [-1]} : (f32, !agg.array<3, f32>, i32) -> !agg.array<3, f32>
  func.return %b, %c : !agg.array<3, f32>, !agg.array<3, f32>
}
func.func @"write-of-all"(%a: !P, %b: !P) -> !P {
  %c = agg.insert %a, %b[] {path = []} : (!P, !P) -> !P
  func.return %c : !P
}
func.func @"write-to-vector"(%v: vector<3xf32>, %x: f32, %i: index) -> vector<3xf32> {
  %w = agg.insert %x, %v[%i] {path = [-1]} : (f32, vector<3xf32>, index) -> vector<3xf32>
  func.return %w : vector<3xf32>
}
func.func @overwritten(%q: !Q, %x: f32, %a: !agg.array<3, f32>, %i: index) -> !Q {
  %b = agg.insert %x, %q[%i] {path = [0, -1]} : (f32, !Q, index) -> !Q
  %c = agg.insert %a, %b[] {path = [0]} : (!agg.array<3, f32>, !Q) -> !Q
  func.return %c : !Q
}
func.func @"write-of-same"(%a: !agg.array<3, f32>, %i: index) -> !agg.array<3, f32> {
  %x = agg.extract %a[%i] {path = [-1]} : (!agg.array<3, f32>, index) -> f32
  %b = agg.insert %x, %a[%i] {path = [-1]} : (f32, !agg.array<3, f32>, index) -> !agg.array<3, f32>
  func.return %b : !agg.array<3, f32>
}
func.func @"write-of-part-of-part"(%q: !Q, %x: f32, %i: index) -> !Q {
  %a = agg.extract %q[] {path = [0]} : (!Q) -> !agg.array<3, f32>
  %b = agg.insert %x, %a[%i] {path = [-1]} : (f32, !agg.array<3, f32>, index) -> !agg.array<3, f32>
  %c = agg.insert %b, %q[] {path = [0]} : (!agg.array<3, f32>, !Q) -> !Q
  func.return %c : !Q
}
func.func @"write-to-made"(%a: !agg.array<3, f32>, %n: i32, %x: f32, %i: index) -> (!Q, vector<2x2xf32>) {
  %q = agg.make %a, %n : (!agg.array<3, f32>, i32) -> !Q
  %r = agg.insert %x, %q[%i] {path = [0, -1]} : (f32, !Q, index) -> !Q
  %two = arith.constant 2.0 : f32
  %m = vector.from_elements %x, %two, %x, %two : vector<2x2xf32>
  %w = vector.insert %x, %m[1, 1] : f32 into vector<2x2xf32>
  func.return %r, %w : !Q, vector<2x2xf32>
}
func.func @"write-to-constant"(%x: f32, %n: i32) -> (!P, !Q, vector<2x2xf32>) {
  %zp = agg.zero : !P
  %p = agg.insert %x, %zp[] {path = [1]} : (f32, !P) -> !P
  %zq = agg.zero : !Q
  %q = agg.insert %x, %zq[] {path = [0, 2]} : (f32, !Q) -> !Q
  %m = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : vector<2x2xf32>
  %w = vector.insert %x, %m[1, 0] : f32 into vector<2x2xf32>
  func.return %p, %q, %w : !P, !Q, vector<2x2xf32>
}
func.func @"written-all"(%p: !P, %x: f32, %y: f32) -> !P {
  %q = agg.insert %x, %p[] {path = [0]} : (f32, !P) -> !P
  %r = agg.insert %y, %q[] {path = [1]} : (f32, !P) -> !P
  func.return %r : !P
}
func.func @"zero-to-zero"(%i: index) -> !agg.array<20, f32> {
  %z = agg.zero : !agg.array<20, f32>
  %x = arith.constant 0.0 : f32
  %b = agg.insert %x, %z[%i] {path = [-1]} : (f32, !agg.array<20, f32>, index) -> !agg.array<20, f32>
  func.return %b : !agg.array<20, f32>
}
func.func @remade(%p: !P, %m: vector<2x2xf32>) -> (!P, vector<2x2xf32>) {
  %x = agg.extract %p[] {path = [0]} : (!P) -> f32
  %y = agg.extract %p[] {path = [1]} : (!P) -> f32
  %q = agg.make %x, %y : (f32, f32) -> !P
  %a = vector.extract %m[0, 0] : f32 from vector<2x2xf32>
  %b = vector.extract %m[0, 1] : f32 from vector<2x2xf32>
  %c = vector.extract %m[1, 0] : f32 from vector<2x2xf32>
  %d = vector.extract %m[1, 1] : f32 from vector<2x2xf32>
  %n = vector.from_elements %a, %b, %c, %d : vector<2x2xf32>
  func.return %q, %n : !P, vector<2x2xf32>
}
func.func @"made-of-zeros"() -> !P {
  %x = arith.constant 0.0 : f32
  %p = agg.make %x, %x : (f32, f32) -> !P
  func.return %p : !P
}
func.func @"made-of-same"(%x: f32) -> vector<3xf32> {
  %v = vector.from_elements %x, %x, %x : vector<3xf32>
  func.return %v : vector<3xf32>
}

func.func @"constant-right"(%x: f32, %v: vector<3xi32>) -> (f32, vector<3xi32>) {
  %c = arith.constant 2.0 : f32
  %d = arith.constant dense<7> : vector<3xi32>
  %y = arith.mulf %c, %x : f32
  %w = arith.addi %d, %v : vector<3xi32>
  func.return %y, %w : f32, vector<3xi32>
}
func.func @"compare-float-constant-right"(%x: f32, %n: i32) -> (i1, i1, i1) {
  %c = arith.constant 2.0 : f32
  %d = arith.constant 2 : i32
  %a = arith.cmpf ult, %c, %x : f32
  %b = arith.cmpi sge, %d, %n : i32
  %e = arith.cmpi ne, %d, %n : i32
  func.return %a, %b, %e : i1, i1, i1
}
func.func @"add-constants"(%n: i32) -> i32 {
  %c = arith.constant 2147483647 : i32
  %d = arith.constant 2 : i32
  %a = arith.addi %n, %c : i32
  %b = arith.addi %a, %d : i32
  func.return %b : i32
}
func.func @"mul-constants"(%n: i32) -> i32 {
  %c = arith.constant 65537 : i32
  %d = arith.constant 65539 : i32
  %a = arith.muli %n, %c : i32
  %b = arith.muli %a, %d : i32
  func.return %b : i32
}
func.func @"subtract-constant"(%n: i32, %m: i1) -> (i32, i1) {
  %c = arith.constant -2147483648 : i32
  %t = arith.constant true
  %a = arith.subi %n, %c : i32
  %b = arith.subi %m, %t : i1
  func.return %a, %b : i32, i1
}
func.func @"subtract-term"(%n: i32, %m: i32) -> (i32, i32, i32) {
  %s = arith.addi %n, %m : i32
  %a = arith.subi %s, %m : i32
  %b = arith.subi %s, %n : i32
  %d = arith.subi %n, %m : i32
  %c = arith.subi %n, %d : i32
  func.return %a, %b, %c : i32, i32, i32
}
func.func @"add-to-difference"(%n: i32, %m: i32) -> (i32, i32) {
  %d = arith.subi %n, %m : i32
  %a = arith.addi %d, %m : i32
  %b = arith.addi %m, %d : i32
  func.return %a, %b : i32, i32
}
func.func @"add-of-negative"(%x: f32, %y: f32) -> (f32, f32) {
  %n = arith.negf %y : f32
  %a = arith.addf %x, %n : f32
  %b = arith.addf %n, %x : f32
  func.return %a, %b : f32, f32
}
func.func @"subtract-negative"(%x: f32, %y: f32) -> f32 {
  %n = arith.negf %y : f32
  %a = arith.subf %x, %n : f32
  func.return %a : f32
}
func.func @"double-negative"(%v: vector<3xf32>) -> vector<3xf32> {
  %n = arith.negf %v : vector<3xf32>
  %a = arith.negf %n : vector<3xf32>
  func.return %a : vector<3xf32>
}
func.func @"product-of-negatives"(%x: f32, %y: f32) -> (f32, f32) {
  %n = arith.negf %x : f32
  %m = arith.negf %y : f32
  %a = arith.mulf %n, %m : f32
  %b = arith.divf %n, %m : f32
  func.return %a, %b : f32, f32
}
func.func @"times-minus-one"(%x: f32) -> (f32, f32) {
  %c = arith.constant -1.0 : f32
  %a = arith.mulf %x, %c : f32
  %b = arith.divf %x, %c : f32
  func.return %a, %b : f32, f32
}
func.func @"divide-by-power-of-two"(%x: f32, %y: f32) -> (f32, f32, f32) {
  %c = arith.constant -8.0 : f32
  %d = arith.constant 0.25 : f32
  %e = arith.constant 3.0 : f32
  %a = arith.divf %x, %c : f32
  %b = arith.divf %y, %d : f32
  %f = arith.divf %y, %e : f32
  func.return %a, %b, %f : f32, f32, f32
}
func.func @"select-true-or-false"(%c: i1) -> (i1, i1) {
  %t = arith.constant true
  %f = arith.constant false
  %a = arith.select %c, %t, %f : i1
  %b = arith.select %c, %f, %t : i1
  func.return %a, %b : i1, i1
}
func.func @"select-of-not"(%c: i1, %x: f32, %y: f32) -> f32 {
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  %a = arith.select %n, %x, %y : f32
  func.return %a : f32
}
func.func @"select-in-true"(%c: i1, %x: f32, %y: f32) -> (f32, f32) {
  %a = arith.select %c, %x, %y : f32
  %b = arith.select %c, %a, %x : f32
  %d = arith.select %c, %x, %a : f32
  func.return %b, %d : f32, f32
}
func.func @"double-xor"(%c: i1) -> i1 {
  %t = arith.constant true
  %a = arith.xori %c, %t : i1
  %b = arith.xori %a, %t : i1
  func.return %b : i1
}
func.func @"not-of-float-comparison"(%x: f32, %y: f32, %n: i32) -> (i1, i1, i1) {
  %t = arith.constant true
  %zero = arith.constant 0 : i32
  %a = arith.cmpf olt, %x, %y : f32
  %b = arith.xori %a, %t : i1
  %c = arith.cmpi slt, %n, %zero : i32
  %d = arith.xori %c, %t : i1
  %e = arith.cmpf ord, %x, %y : f32
  %f = arith.xori %e, %t : i1
  func.return %b, %d, %f : i1, i1, i1
}
func.func @"is-true"(%c: i1) -> (i1, i1, i1, i1) {
  %t = arith.constant true
  %f = arith.constant false
  %a = arith.cmpi eq, %c, %t : i1
  %b = arith.cmpi ne, %c, %t : i1
  %d = arith.cmpi eq, %c, %f : i1
  %e = arith.cmpi ne, %c, %f : i1
  func.return %a, %b, %d, %e : i1, i1, i1, i1
}
func.func @"index-and-back"(%n: i32, %x: f32, %i: index, %c: i1) -> (i32, f32, index, i1) {
  %a = arith.index_cast %n : i32 to index
  %b = arith.index_cast %a : index to i32
  %d = arith.extf %x : f32 to f64
  %e = arith.truncf %d : f64 to f32
  %f = arith.index_cast %i : index to i32
  %g = arith.index_cast %f : i32 to index
  %h = arith.extsi %c : i1 to i32
  %j = arith.trunci %h : i32 to i1
  func.return %b, %e, %g, %j : i32, f32, index, i1
}

func.func @"add-zero"(%x: f32) -> f32 {
  %t = ad.wrap %x : (f32) -> !ad.tangent<f32>
  %z = ad.zero : !ad.tangent<f32>
  %a = ad.add %t, %z : !ad.tangent<f32>
  %b = ad.add %z, %a : !ad.tangent<f32>
  %y = ad.unwrap %b : (!ad.tangent<f32>) -> f32
  func.return %y : f32
}
func.func @"of-zero"(%x: f32) -> vector<3xf32> {
  %z = ad.zero : !ad.tangent<f32>
  %n = ad.neg %z : !ad.tangent<f32>
  %s = ad.scale %n, %x : !ad.tangent<f32>, f32
  %v = ad.splat %s : (!ad.tangent<f32>) -> !ad.tangent<vector<3xf32>>
  %y = ad.unwrap %v : (!ad.tangent<vector<3xf32>>) -> vector<3xf32>
  func.return %y : vector<3xf32>
}
func.func @"scale-by-constant"(%x: f32) -> (f32, f32) {
  %one = arith.constant 1.0 : f32
  %minus = arith.constant -1.0 : f32
  %t = ad.wrap %x : (f32) -> !ad.tangent<f32>
  %a = ad.scale %t, %one : !ad.tangent<f32>, f32
  %b = ad.scale %a, %minus : !ad.tangent<f32>, f32
  %y = ad.unwrap %a : (!ad.tangent<f32>) -> f32
  %z = ad.unwrap %b : (!ad.tangent<f32>) -> f32
  func.return %y, %z : f32, f32
}
func.func @"scale-by-zero"(%x: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %t = ad.wrap %x : (f32) -> !ad.tangent<f32>
  %a = ad.scale %t, %zero : !ad.tangent<f32>, f32
  %b = ad.add %a, %t : !ad.tangent<f32>
  %y = ad.unwrap %b : (!ad.tangent<f32>) -> f32
  func.return %y : f32
}
func.func @"negated-twice"(%x: f32) -> f32 {
  %t = ad.wrap %x : (f32) -> !ad.tangent<f32>
  %a = ad.neg %t : !ad.tangent<f32>
  %b = ad.neg %a : !ad.tangent<f32>
  %y = ad.unwrap %b : (!ad.tangent<f32>) -> f32
  func.return %y : f32
}
func.func @"selected-same"(%c: i1, %x: f32) -> f32 {
  %t = ad.wrap %x : (f32) -> !ad.tangent<f32>
  %true = arith.constant true
  %z = ad.zero : !ad.tangent<f32>
  %a = ad.select %c, %t, %t : i1, !ad.tangent<f32>
  %b = ad.select %true, %a, %z : i1, !ad.tangent<f32>
  %y = ad.unwrap %b : (!ad.tangent<f32>) -> f32
  func.return %y : f32
}
func.func @"selected-twice"(%c: i1, %x: f32) -> f32 {
  %t = ad.wrap %x : (f32) -> !ad.tangent<f32>
  %z = ad.zero : !ad.tangent<f32>
  %a = ad.select %c, %t, %z : i1, !ad.tangent<f32>
  %b = ad.select %c, %a, %z : i1, !ad.tangent<f32>
  %y = ad.unwrap %b : (!ad.tangent<f32>) -> f32
  func.return %y : f32
}
func.func @"accumulate-zero"(%p: !P) -> !P {
  %t = ad.wrap %p : (!P) -> !ad.tangent<!P>
  %z = ad.zero : !ad.tangent<f32>
  %a = ad.accumulate %z, %t[] {path = [0]} : (!ad.tangent<f32>, !ad.tangent<!P>) -> !ad.tangent<!P>
  %y = ad.unwrap %a : (!ad.tangent<!P>) -> !P
  func.return %y : !P
}
func.func @"accumulate-to-zero"(%x: f32, %i: index) -> !agg.array<20, f32> {
  %t = ad.wrap %x : (f32) -> !ad.tangent<f32>
  %z = ad.zero : !ad.tangent<!agg.array<20, f32>>
  %a = ad.accumulate %t, %z[%i] {path = [-1]} : (!ad.tangent<f32>, !ad.tangent<!agg.array<20, f32>>, index) -> !ad.tangent<!agg.array<20, f32>>
  %y = ad.unwrap %a : (!ad.tangent<!agg.array<20, f32>>) -> !agg.array<20, f32>
  func.return %y : !agg.array<20, f32>
}
func.func @"accumulate-to-cleared"(%a: !agg.array<20, f32>, %x: f32, %i: index) -> !agg.array<20, f32> {
  %t = ad.wrap %x : (f32) -> !ad.tangent<f32>
  %u = ad.wrap %a : (!agg.array<20, f32>) -> !ad.tangent<!agg.array<20, f32>>
  %z = ad.zero : !ad.tangent<f32>
  %b = ad.insert %z, %u[%i] {path = [-1]} : (!ad.tangent<f32>, !ad.tangent<!agg.array<20, f32>>, index) -> !ad.tangent<!agg.array<20, f32>>
  %c = ad.accumulate %t, %b[%i] {path = [-1]} : (!ad.tangent<f32>, !ad.tangent<!agg.array<20, f32>>, index) -> !ad.tangent<!agg.array<20, f32>>
  %y = ad.unwrap %c : (!ad.tangent<!agg.array<20, f32>>) -> !agg.array<20, f32>
  func.return %y : !agg.array<20, f32>
}
func.func @"accumulate-to-made"(%x: f32, %y: f32) -> !P {
  %t = ad.wrap %x : (f32) -> !ad.tangent<f32>
  %u = ad.wrap %y : (f32) -> !ad.tangent<f32>
  %p = ad.make %t, %u : (!ad.tangent<f32>, !ad.tangent<f32>) -> !ad.tangent<!P>
  %a = ad.accumulate %u, %p[] {path = [0]} : (!ad.tangent<f32>, !ad.tangent<!P>) -> !ad.tangent<!P>
  %r = ad.unwrap %a : (!ad.tangent<!P>) -> !P
  func.return %r : !P
}
func.func @"read-of-accumulated"(%a: !agg.array<20, f32>, %x: f32) -> f32 {
  %t = ad.wrap %a : (!agg.array<20, f32>) -> !ad.tangent<!agg.array<20, f32>>
  %u = ad.wrap %x : (f32) -> !ad.tangent<f32>
  %b = ad.accumulate %u, %t[] {path = [7]} : (!ad.tangent<f32>, !ad.tangent<!agg.array<20, f32>>) -> !ad.tangent<!agg.array<20, f32>>
  %c = ad.extract %b[] {path = [7]} : (!ad.tangent<!agg.array<20, f32>>) -> !ad.tangent<f32>
  %y = ad.unwrap %c : (!ad.tangent<f32>) -> f32
  func.return %y : f32
}
func.func @"wrapped-and-unwrapped"(%x: f32) -> f32 {
  %t = ad.wrap %x : (f32) -> !ad.tangent<f32>
  %y = ad.unwrap %t : (!ad.tangent<f32>) -> f32
  func.return %y : f32
}
func.func @"part-of-pair"(%x: f32, %d: f32) -> (f32, f32) {
  %p = ad.make_pair %x, %d : (f32, f32) -> !ad.pair<f32>
  %a = ad.primal %p : (!ad.pair<f32>) -> f32
  %b = ad.differential %p : (!ad.pair<f32>) -> f32
  func.return %a, %b : f32, f32
}
func.func @"pair-of-parts"(%p: !ad.pair<f32>) -> !ad.pair<f32> {
  %a = ad.primal %p : (!ad.pair<f32>) -> f32
  %b = ad.differential %p : (!ad.pair<f32>) -> f32
  %q = ad.make_pair %a, %b : (f32, f32) -> !ad.pair<f32>
  func.return %q : !ad.pair<f32>
}

func.func @"branch-known"(%x: f32, %y: f32) -> (f32, f32) {
  %f = arith.constant false
  %a = scf.if %f -> (f32) {
    %s = arith.addf %x, %y : f32
    scf.yield %s : f32
  } else {
    %s = arith.mulf %x, %y : f32
    scf.yield %s : f32
  }
  %two = arith.constant 2 : index
  %b = scf.index_switch %two -> f32
  case 1 {
    scf.yield %x : f32
  }
  case 2 {
    scf.yield %a : f32
  }
  default {
    scf.yield %y : f32
  }
  func.return %a, %b : f32, f32
}
func.func @"branch-empty"(%c: i1, %x: f32) -> f32 {
  scf.if %c {
    %y = arith.addf %x, %x : f32
  } else {
  }
  func.return %x : f32
}
func.func @"branch-same"(%c: i1, %x: f32, %y: f32) -> (f32, f32, !P, i1) {
  %r:4 = scf.if %c -> (f32, f32, !P, i1) {
    %z = agg.zero : !P
    %one = arith.constant 1.0 : f32
    %t = arith.constant false
    scf.yield %x, %one, %z, %t : f32, f32, !P, i1
  } else {
    %z = agg.zero : !P
    %one = arith.constant 1.0 : f32
    %t = arith.constant true
    scf.yield %x, %one, %z, %t : f32, f32, !P, i1
  }
  func.return %r#0, %r#1, %r#2, %r#3 : f32, f32, !P, i1
}
func.func @"branch-unused"(%c: i1, %x: f32, %p: !P, %q: !P) -> !P {
  %r:2 = scf.if %c -> (f32, !P) {
    %y = math.sin %x : f32
    scf.yield %y, %p : f32, !P
  } else {
    scf.yield %x, %q : f32, !P
  }
  func.return %r#1 : !P
}
func.func @"branch-to-select"(%c: i1, %x: f32, %p: !P, %q: !P) -> (f32, !P) {
  %r:2 = scf.if %c -> (f32, !P) {
    scf.yield %x, %p : f32, !P
  } else {
    %zero = arith.constant 0.0 : f32
    scf.yield %zero, %q : f32, !P
  }
  func.return %r#0, %r#1 : f32, !P
}
func.func @"condition-known"(%c: i1, %x: f32, %p: !P) -> (f32, !P) {
  %r:2 = scf.if %c -> (f32, !P) {
    %y = arith.select %c, %x, %x : f32
    %inner = scf.if %c -> (f32) {
      %z = math.sin %x : f32
      scf.yield %z : f32
    } else {
      %z = math.cos %x : f32
      scf.yield %z : f32
    }
    scf.yield %inner, %p : f32, !P
  } else {
    %one = arith.constant 1.0 : f32
    %y = arith.select %c, %x, %one : f32
    scf.yield %y, %p : f32, !P
  }
  func.return %r#0, %r#1 : f32, !P
}

func.func @"choice-known"(%c: i1, %x: f32, %y: f32) -> f32 {
  %z = arith.select %c, %x, %y : f32
  %r = scf.if %c -> (f32) {
    %s = math.sin %z : f32
    scf.yield %s : f32
  } else {
    %s = math.cos %z : f32
    scf.yield %s : f32
  }
  func.return %r : f32
}
func.func @"choice-covered"(%c: i1, %x: f32, %y: f32) -> f32 {
  %z = arith.select %c, %x, %y : f32
  %s = math.sin %z : f32
  %p = arith.mulf %s, %z : f32
  %r = arith.select %c, %p, %y : f32
  func.return %r : f32
}
func.func @"parts-of-condition-known"(%a: i1, %b: i1, %x: f32) -> (f32, f32) {
  %both = arith.andi %a, %b : i1
  %either = arith.ori %a, %b : i1
  %r = scf.if %both -> (f32) {
    %one = arith.constant 1.0 : f32
    %y = arith.select %a, %x, %one : f32
    %s = math.sin %y : f32
    scf.yield %s : f32
  } else {
    scf.yield %x : f32
  }
  %q = scf.if %either -> (f32) {
    scf.yield %x : f32
  } else {
    %one = arith.constant 1.0 : f32
    %y = arith.select %b, %x, %one : f32
    %s = math.sin %y : f32
    scf.yield %s : f32
  }
  func.return %r, %q : f32, f32
}
func.func @"loop-never"(%x: f32, %n: index) -> (f32, f32) {
  %one = arith.constant 1 : index
  %five = arith.constant 5 : index
  %a = scf.for %i = %five to %one step %one iter_args(%s = %x) -> (f32) {
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  %b = scf.for %i = %n to %n step %one iter_args(%s = %x) -> (f32) {
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  func.return %a, %b : f32, f32
}
func.func @"loop-once"(%x: f32) -> (f32, index) {
  %two = arith.constant 2 : index
  %four = arith.constant 4 : index
  %a:2 = scf.for %i = %two to %four step %four iter_args(%s = %x, %k = %two) -> (f32, index) {
    %t = arith.addf %s, %x : f32
    scf.yield %t, %i : f32, index
  }
  func.return %a#0, %a#1 : f32, index
}
func.func @"carried-constant"(%x: f32, %y: f32, %n: index) -> (f32, f32, f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %seven = arith.constant 7 : index
  %m = arith.andi %n, %seven : index
  %a:3 = scf.for %i = %zero to %m step %one iter_args(%s = %x, %c = %y, %d = %x) -> (f32, f32, f32) {
    %t = arith.addf %s, %c : f32
    %u = arith.mulf %t, %d : f32
    scf.yield %u, %c, %x : f32, f32, f32
  }
  func.return %a#0, %a#1, %a#2 : f32, f32, f32
}
func.func @"carried-twice"(%x: f32, %y: f32, %n: index) -> (f32, f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %seven = arith.constant 7 : index
  %m = arith.andi %n, %seven : index
  %a:2 = scf.for %i = %zero to %m step %one iter_args(%s = %x, %c = %x) -> (f32, f32) {
    %t = arith.addf %s, %c : f32
    scf.yield %t, %t : f32, f32
  }
  func.return %a#0, %a#1 : f32, f32
}
func.func @"result-of-same"(%x: f32, %y: f32) -> (f32, f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %a:2 = scf.for %i = %zero to %three step %one iter_args(%s = %x, %c = %x) -> (f32, f32) {
    %t = arith.addf %s, %c : f32
    scf.yield %t, %y : f32, f32
  }
  func.return %a#0, %a#1 : f32, f32
}
func.func @"result-of-counter"(%k: i32, %n: index) -> (i32, i32, index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %seven = arith.constant 7 : index
  %five = arith.constant 5 : i32
  %m = arith.andi %n, %seven : index
  %a:3 = scf.for %i = %zero to %m step %one iter_args(%s = %k, %d = %k, %e = %n) -> (i32, i32, index) {
    %t = arith.addi %s, %five : i32
    %u = arith.subi %d, %five : i32
    %v = arith.addi %e, %seven : index
    scf.yield %t, %u, %v : i32, i32, index
  }
  func.return %a#0, %a#1, %a#2 : i32, i32, index
}
func.func @"while-never"(%x: f32, %y: f32) -> f32 {
  %a = scf.while (%s = %x) : (f32) -> f32 {
    %false = arith.constant false
    %t = arith.addf %s, %y : f32
    scf.condition(%false) %t : f32
  } do {
  ^bb0(%s: f32):
    scf.yield %s : f32
  }
  func.return %a : f32
}
func.func @"while-implied"(%x: f32, %y: f32) -> f32 {
  %zero = arith.constant 0 : index
  %false = arith.constant false
  %a:3 = scf.while (%s = %x, %i = %zero, %stop = %false) : (f32, index, i1) -> (f32, index, i1) {
    %five = arith.constant 5 : index
    %true = arith.constant true
    %more = arith.cmpi slt, %i, %five : index
    %go = arith.xori %stop, %true : i1
    %both = arith.andi %more, %go : i1
    scf.condition(%both) %s, %i, %stop : f32, index, i1
  } do {
  ^bb0(%s: f32, %i: index, %stop: i1):
    %one = arith.constant 1 : index
    %next = arith.addi %i, %one : index
    %t = arith.mulf %s, %y : f32
    %large = arith.cmpf ogt, %t, %y : f32
    %stopped = arith.ori %large, %stop : i1
    scf.yield %t, %next, %stopped : f32, index, i1
  }
  func.return %a#0 : f32
}
func.func @"while-stopped"(%x: f32, %y: f32) -> f32 {
  %zero = arith.constant 0 : index
  %false = arith.constant false
  %a:3 = scf.while (%s = %x, %i = %zero, %stop = %false) : (f32, index, i1) -> (f32, index, i1) {
    %five = arith.constant 5 : index
    %true = arith.constant true
    %more = arith.cmpi slt, %i, %five : index
    %go = arith.xori %stop, %true : i1
    %both = arith.andi %more, %go : i1
    scf.condition(%both) %s, %i, %stop : f32, index, i1
  } do {
  ^bb0(%s: f32, %i: index, %stop: i1):
    %one = arith.constant 1 : index
    %counted = arith.addi %i, %one : index
    %t = arith.mulf %s, %y : f32
    %large = arith.cmpf ogt, %t, %y : f32
    %next = arith.select %large, %i, %counted : index
    scf.yield %t, %next, %large : f32, index, i1
  }
  func.return %a#0 : f32
}
func.func @"while-carried-constant"(%x: f32, %y: f32) -> (f32, f32, index) {
  %zero = arith.constant 0 : index
  %a:3 = scf.while (%s = %x, %c = %y, %i = %zero) : (f32, f32, index) -> (f32, f32, index) {
    %three = arith.constant 3 : index
    %more = arith.cmpi slt, %i, %three : index
    scf.condition(%more) %s, %c, %i : f32, f32, index
  } do {
  ^bb0(%s: f32, %c: f32, %i: index):
    %one = arith.constant 1 : index
    %next = arith.addi %i, %one : index
    %t = arith.mulf %s, %c : f32
    scf.yield %t, %c, %next : f32, f32, index
  }
  func.return %a#0, %a#1, %a#2 : f32, f32, index
}
func.func @"while-carried-twice"(%x: f32) -> (index, index, f32) {
  %zero = arith.constant 0 : index
  %a:3 = scf.while (%i = %zero, %k = %zero, %s = %x) : (index, index, f32) -> (index, index, f32) {
    %three = arith.constant 3 : index
    %more = arith.cmpi slt, %i, %three : index
    scf.condition(%more) %i, %k, %s : index, index, f32
  } do {
  ^bb0(%i: index, %k: index, %s: f32):
    %one = arith.constant 1 : index
    %next = arith.addi %k, %one : index
    %t = arith.mulf %s, %x : f32
    scf.yield %next, %next, %t : index, index, f32
  }
  func.return %a#0, %a#1, %a#2 : index, index, f32
}
func.func @"read-of-cleared"(%a: !agg.array<4, f32>, %i: index) -> f32 {
  %zero = arith.constant 0.0 : f32
  %b = agg.insert %zero, %a[%i] {path = array<i64: -1>} : (f32, !agg.array<4, f32>, index) -> !agg.array<4, f32>
  %x = agg.extract %b[%i] {path = array<i64: -1>} : (!agg.array<4, f32>, index) -> f32
  func.return %x : f32
}
