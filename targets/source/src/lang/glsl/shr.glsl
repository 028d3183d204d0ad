// Amounts count modulo the width.
$T shr($T a, $T b) { return a >> (b & $T($last)); }
