// Generic code that is not well formed is refused where it stands.
// RUN: caustic-opt --split-input-file --verify-diagnostics --specialize %s

// expected-error@+1 {{hl.func @f: `generics` is no list of parameters}}
hl.func @f() attributes {generics = [{name = "T", kind = "thing"}]} {
  hl.return
}
// expected-error@+1 {{hl.func @g: has two parameters called `T`}}
hl.func @g() attributes {generics = [{name = "T", kind = "type"}, {name = "T", kind = "int"}]} {
  hl.return
}
// expected-error@+1 {{parameter `w`: @f is no interface}}
hl.func @h() attributes {generics = [{name = "w", kind = "witness", interface = @f}]} {
  hl.return
}
// -----
hl.interface @I attributes {requirements = [{key = "f", kind = "function"}, {key = "T", kind = "type"}]}
hl.func @none() {
  hl.return
}
// expected-error@+3 {{has no entry for `f`, which @I requires}}
// expected-error@+2 {{the entry for `T` is 3, which is no type}}
// expected-error@+1 {{has an entry for `g`, which @I does not require}}
hl.witness_table @"float:I" attributes {interface = @I, for = f32, entries = {T = 3, g = @none}}
// expected-error@+1 {{@none is no interface}}
hl.witness_table @"int:I" attributes {interface = @none, for = i32, entries = {}}
// expected-error@+1 {{requires `a` twice}}
hl.interface @J attributes {requirements = [{key = "a", kind = "type"}, {key = "a", kind = "type"}]}
// -----
hl.interface @I attributes {requirements = []}
hl.interface @J attributes {requirements = []}
hl.witness_table @"float:I" attributes {interface = @I, for = f32, entries = {}}
hl.func @f(%x: !hl.param<"T">) attributes {generics = [{name = "T", kind = "type"}, {name = "w", kind = "witness", interface = @J}]} {
  hl.return
}
hl.func @g() attributes {generics = [{name = "T", kind = "type"}]} {
  hl.return
}
hl.func @root1(%x: f32) {
  // expected-error@+1 {{@f takes 2 generic arguments, not 1}}
  hl.call_generic [@f, f32](%x) : (f32) -> ()
  hl.return
}
hl.func @root2(%x: f32) {
  // expected-error@+1 {{shows @I, but `w` is to show @J}}
  hl.call_generic [@f, f32, @"float:I"](%x) : (f32) -> ()
  hl.return
}
hl.func @root3(%x: f32) {
  // expected-error@+1 {{there is no function `@nothing`}}
  hl.call_generic [@nothing, f32](%x) : (f32) -> ()
  hl.return
}
hl.func @root4(%x: f32) {
  // expected-error@+1 {{3 is no argument for `T`}}
  hl.call_generic [@g, 3]() : () -> ()
  hl.return
}
hl.func @root5(%x: f32) {
  // expected-error@+1 {{there is no type parameter for !hl.param<"T"> here}}
  hl.call_generic [@g, !hl.param<"T">]() : () -> ()
  hl.return
}
hl.func @root6(%x: f32) {
  // expected-error@+1 {{calls @g<float> as a (f32) -> (), but it is a () -> ()}}
  hl.call_generic [@g, f32](%x) : (f32) -> ()
  hl.return
}
// -----
hl.func @f(%x: !hl.param<"T">, %y: i32) attributes {generics = [{name = "T", kind = "type"}]} {
  // expected-error@+1 {{there is no binary `plus`}}
  %0 = hl.poly "binary"(%x, %x) {op = "plus", of = [i32, i32], to = i32} : (!hl.param<"T">, !hl.param<"T">) -> i32
  // expected-error@+1 {{a value of type !hl.param<"T"> is said to be a i32}}
  %1 = hl.poly "binary"(%x, %x) {op = "add", of = [i32, i32], to = i32} : (!hl.param<"T">, !hl.param<"T">) -> i32
  // expected-error@+1 {{takes 1 operands, not 2}}
  %2 = hl.poly "unary"(%y, %y) {op = "neg", of = [i32, i32], to = i32} : (i32, i32) -> i32
  // expected-error@+1 {{there is no op `math.nothing`}}
  %3 = hl.poly "intrinsic"(%y) {op = "math.nothing", of = [i32], to = i32} : (i32) -> i32
  // expected-error@+1 {{calls no function, or one with several results}}
  hl.call_generic [3]() : () -> ()
  hl.return
}
