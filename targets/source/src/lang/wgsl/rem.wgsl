// A remainder by zero is zero, as it is in the language.
fn rem_$T(a: $T, b: $T) -> $T { return a % b; }
