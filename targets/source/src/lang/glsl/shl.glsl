// Amounts count modulo the width.
$T shl($T a, $T b) { return a << (b & $T($last)); }
