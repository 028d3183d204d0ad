; How floats of 32 bits are divided on NVIDIA's processors, and functions of floats that are made of the machine's instructions.
; `approximate.rs` puts calls of these in place of what LLVM leaves when it has optimized a kernel.

declare float @llvm.nvvm.rcp.approx.ftz.f(float)
declare float @llvm.nvvm.sqrt.approx.ftz.f(float)
declare float @llvm.nvvm.rsqrt.approx.ftz.f(float)
declare float @llvm.nvvm.ex2.approx.f(float)
declare float @llvm.nvvm.ex2.approx.ftz.f(float)
declare float @llvm.nvvm.lg2.approx.ftz.f(float)
declare float @llvm.nvvm.lg2.approx.f(float)
declare float @llvm.nvvm.sin.approx.ftz.f(float)
declare float @llvm.nvvm.cos.approx.ftz.f(float)
declare float @llvm.nvvm.saturate.f(float)
declare float @llvm.fma.f32(float, float, float)
declare float @llvm.fabs.f32(float)
declare float @llvm.rint.f32(float)
declare float @llvm.trunc.f32(float)
declare i32 @llvm.nvvm.f2i.rz(float)
declare i32 @llvm.nvvm.f2ui.rz(float)
declare double @llvm.fabs.f64(double)
declare double @llvm.trunc.f64(double)
declare double @llvm.fma.f64(double, double, double)
declare double @llvm.copysign.f64(double, double)
declare i32 @llvm.umax.i32(i32, i32)
declare i32 @llvm.umin.i32(i32, i32)
declare i64 @llvm.umax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare float @llvm.copysign.f32(float, float)
declare i32 @llvm.fshl.i32(i32, i32, i32)

; a / b, rounded correctly. `div.rn` looks at its operands by an instruction of the unit that reciprocals keep busy, and leaves its short way for every numerator
; that is zero, as cotangents and vanished terms of series are, and for quotients that vanish. This one looks at exponents: |b| is to be between 2^-40 and 2^88 and
; the quotient between 2^-62 and 2^66, so that neither reciprocal nor quotient leave the normal numbers and what rests of a dividend, a multiple of 2^-148, is exact. Each
; is one addition to the bits that makes bit 30 say so, and all are looked at by one instruction.
; The quotient is correct by Newton's step for the reciprocal, which is correctly rounded then, and one correction by the exact remainder (Markstein, IBM J. Res.
; Dev. 34, 1990). Quotients by one number share the reciprocal, what is asked about it, and the branch: the short way is taken where it is open to each
; (`families.rs`).
; Less is asked of some divisors. One that was an integer of at most 32 bits (`whole`) is between 1 and 2^32, or zero, for which the quotient is no number. One that
; is `known`, and between 2^-30 and 2^31, has a quotient between 2^-62 and 2^127 if the dividend is between 2^-31 and 2^97, which is the same for several divisors.
define float @caustic.div.reciprocal(float %b) alwaysinline nounwind memory(none) {
  %start = call float @llvm.nvvm.rcp.approx.ftz.f(float %b)
  %minus = fneg float %b
  %error = call float @llvm.fma.f32(float %minus, float %start, float 1.0)
  %r = call float @llvm.fma.f32(float %start, float %error, float %start)
  ret float %r
}
; The same of a constant, which is one itself: what Newton's step gives is correctly rounded.
define float @caustic.div.inverse(float %b, i1 %known) alwaysinline nounwind memory(none) {
  %folded = fdiv float 1.0, %b
  %computed = call float @caustic.div.reciprocal(float %b)
  %r = select i1 %known, float %folded, float %computed
  ret float %r
}
define float @caustic.div.corrected(float %a, float %minus, float %r, float %q) alwaysinline nounwind memory(none) {
  %rest = call float @llvm.fma.f32(float %minus, float %q, float %a)
  %correct = call float @llvm.fma.f32(float %r, float %rest, float %q)
  ret float %correct
}
; Bit 30 of an exponent from 87 to 214, 2^-40 to 2^88, and 41.
define i32 @caustic.div.divisor(float %b, i1 %whole) alwaysinline nounwind memory(none) {
  %bits = bitcast float %b to i32
  %in = add i32 %bits, 343932928
  %of = select i1 %whole, i32 -1, i32 %in
  ret i32 %of
}
; Bit 30 of an exponent from 65 to 192, 2^-62 to 2^66, and 63.
define i32 @caustic.div.quotient(float %q) alwaysinline nounwind memory(none) {
  %bits = bitcast float %q to i32
  %in = add i32 %bits, 528482304
  ret i32 %in
}
; Of a divisor that is known the dividend says it: bit 30 of an exponent from 96 to 223, 2^-31 to 2^97, and 32.
define i32 @caustic.div.either(float %a, float %q, i1 %known) alwaysinline nounwind memory(none) {
  %bits = bitcast float %a to i32
  %dividend = add i32 %bits, 268435456
  %quotient = call i32 @caustic.div.quotient(float %q)
  %in = select i1 %known, i32 %dividend, i32 %quotient
  ret i32 %in
}
define float @caustic.div.slow(float %a, float %b, float %r) alwaysinline nounwind memory(none) {
  ; Below 2^-152 a quotient is zero; scaled by 2^24 it is still a number here.
  %scaled = fmul float %a, 0x4170000000000000
  %seen = fmul float %scaled, %r
  %seen.size = call float @llvm.fabs.f32(float %seen)
  %vanishes = fcmp olt float %seen.size, 0x37F0000000000000
  ; With a reciprocal that was flushed to zero nothing is known.
  %known = fcmp une float %r, 0.0
  %gone = and i1 %vanishes, %known
  br i1 %gone, label %nothing, label %long
nothing:
  %q0 = fmul float %a, %r
  %signed = fmul float %q0, 0.0
  br label %done
long:
  %full = call float asm "div.rn.f32 $0, $1, $2;", "=f,f,f"(float %a, float %b)
  br label %done
done:
  %value = phi float [ %signed, %nothing ], [ %full, %long ]
  ret float %value
}

; 1 / b, rounded correctly, from the same reciprocal.
define float @caustic.rcp.exact(float %b) alwaysinline nounwind memory(none) {
  %r = call float @caustic.div.reciprocal(float %b)
  %size = call float @llvm.fabs.f32(float %r)
  %low = fcmp oge float %size, 0x3820000000000000
  %high = fcmp ole float %size, 0x47C0000000000000
  %middle = and i1 %low, %high
  br i1 %middle, label %done, label %long, !prof !0
long:
  %full = call float asm "rcp.rn.f32 $0, $1;", "=f,f"(float %b)
  br label %done
done:
  %value = phi float [ %r, %0 ], [ %full, %long ]
  ret float %value
}

; The root of x, its reciprocal, and quotients by it, each rounded correctly; with `zero` all of them are zero where x is. The short way is for x between
; 2^-63 and 2^65. One start gives the root (by Newton's step and the exact remainder, as `sqrt.rn` does) and its reciprocal. For
; that it comes from above, since from a start at the power of two below it a quotient of a power of two by a root just below one would be rounded to that. The
; reciprocal is good enough for quotients then; by itself it is one of 1, corrected like them.

; 2^x, within 3 ulp.
define float @caustic.exp2.exact(float %x) alwaysinline nounwind memory(none) {
  %y = call float @llvm.nvvm.ex2.approx.f(float %x)
  ret float %y
}

; e^x = 2^n 2^f, within 3 ulp: n is x log2 e rounded to a whole number from -126 to 126, f what is left of that, so that 2^f needs no other scale. Adding the
; whole number to 1.5 * 2^23 + 127 leaves n + 127 in the lowest bits, which moved up are 2^n. For NaN n is -126, and f NaN.
define float @caustic.exp.exact(float %x) alwaysinline nounwind memory(none) {
  %some = call float @llvm.fma.f32(float %x, float 0x3F777313C0000000, float 0.5)
  %part = call float @llvm.nvvm.saturate.f(float %some)
  %whole = call float @llvm.fma.f32(float %part, float 252.0, float 0x4168000020000000)
  %n = fadd float %whole, 0xC168000FE0000000
  %minus = fneg float %n
  %f0 = call float @llvm.fma.f32(float %x, float 0x3FF7154760000000, float %minus)
  %f = call float @llvm.fma.f32(float %x, float 0x3E54AE0C00000000, float %f0)
  %p = call float @llvm.nvvm.ex2.approx.ftz.f(float %f)
  %bits = bitcast float %whole to i32
  %scale.bits = shl i32 %bits, 23
  %scale = bitcast i32 %scale.bits to float
  %e = fmul float %p, %scale
  ret float %e
}

; Within 2 ulp where the reciprocal is a normal number (|b| from 2^-126 to 2^126).
define float @caustic.div.fast(float %a, float %b) alwaysinline nounwind memory(none) {
  %r = call float @llvm.nvvm.rcp.approx.ftz.f(float %b)
  %q = fmul float %a, %r
  ret float %q
}
define float @caustic.rcp.fast(float %b) alwaysinline nounwind memory(none) {
  %r = call float @llvm.nvvm.rcp.approx.ftz.f(float %b)
  ret float %r
}
; Within 1 ulp.
define float @caustic.sqrt.fast(float %x) alwaysinline nounwind memory(none) {
  %y = call float @llvm.nvvm.sqrt.approx.ftz.f(float %x)
  ret float %y
}
define float @caustic.exp2.fast(float %x) alwaysinline nounwind memory(none) {
  %y = call float @llvm.nvvm.ex2.approx.ftz.f(float %x)
  ret float %y
}
; e^x = 2^(x log2 e)
define float @caustic.exp.fast(float %x) alwaysinline nounwind memory(none) {
  %scaled = fmul float %x, 0x3FF7154760000000
  %y = call float @llvm.nvvm.ex2.approx.ftz.f(float %scaled)
  ret float %y
}
define float @caustic.log2.fast(float %x) alwaysinline nounwind memory(none) {
  %y = call float @llvm.nvvm.lg2.approx.ftz.f(float %x)
  ret float %y
}
define float @caustic.log.fast(float %x) alwaysinline nounwind memory(none) {
  %y = call float @llvm.nvvm.lg2.approx.ftz.f(float %x)
  %scaled = fmul float %y, 0x3FE62E4300000000
  ret float %scaled
}
define float @caustic.sin.fast(float %x) alwaysinline nounwind memory(none) {
  %y = call float @llvm.nvvm.sin.approx.ftz.f(float %x)
  ret float %y
}
define float @caustic.cos.fast(float %x) alwaysinline nounwind memory(none) {
  %y = call float @llvm.nvvm.cos.approx.ftz.f(float %x)
  ret float %y
}
define float @caustic.tan.fast(float %x) alwaysinline nounwind memory(none) {
  %s = call float @llvm.nvvm.sin.approx.ftz.f(float %x)
  %c = call float @llvm.nvvm.cos.approx.ftz.f(float %x)
  %r = call float @llvm.nvvm.rcp.approx.ftz.f(float %c)
  %y = fmul float %s, %r
  ret float %y
}
define float @caustic.log10.fast(float %x) alwaysinline nounwind memory(none) {
  %y = call float @llvm.nvvm.lg2.approx.ftz.f(float %x)
  %scaled = fmul float %y, 0x3FD3441360000000
  ret float %scaled
}

; sin x and cos x: with k the nearest integer to 2 x / pi, r = x - k pi / 2 by pi / 2 in three parts (none negative, so that -0 stays), then polynomials in r^2. Sine
; and cosine of one number share all of it, so nothing of that is behind a branch. Beyond |x| = 105615 k and r come from the bits of 2 / pi (below).

; 1.5 2^23 + k, whose last bits are those of k.
define float @caustic.quarters(float %x) alwaysinline nounwind memory(none) {
  %j = call float @llvm.fma.f32(float %x, float 0x3FE45F3060000000, float 0x4168000000000000)
  ret float %j
}
define float @caustic.within.quarter(float %x, float %j) alwaysinline nounwind memory(none) {
  %k = fadd float %j, 0xC168000000000000
  %minus = fneg float %k
  %r0 = call float @llvm.fma.f32(float %minus, float 0x3FF921FB40000000, float %x)
  %r1 = call float @llvm.fma.f32(float %minus, float 0x3E74442D00000000, float %r0)
  %r = call float @llvm.fma.f32(float %minus, float 0x3CF84698A0000000, float %r1)
  ret float %r
}
define float @caustic.sin.small(float %r) alwaysinline nounwind memory(none) {
  %t = fmul float %r, %r
  %p0 = call float @llvm.fma.f32(float 0x3EC6DBDD20000000, float %t, float 0xBF2A013A60000000)
  %p1 = call float @llvm.fma.f32(float %p0, float %t, float 0x3F811110E0000000)
  %p2 = call float @llvm.fma.f32(float %p1, float %t, float 0xBFC5555560000000)
  ; The positive zero that is added keeps the sign of r = -0.
  %cube = call float @llvm.fma.f32(float %r, float %t, float 0.0)
  %y = call float @llvm.fma.f32(float %p2, float %cube, float %r)
  ret float %y
}
define float @caustic.cos.small(float %r) alwaysinline nounwind memory(none) {
  %t = fmul float %r, %r
  %p0 = call float @llvm.fma.f32(float 0x3EF9CA7CC0000000, float %t, float 0xBF56C13B80000000)
  %p1 = call float @llvm.fma.f32(float %p0, float %t, float 0x3FA5555540000000)
  %p2 = call float @llvm.fma.f32(float %p1, float %t, float -0.5)
  %y = call float @llvm.fma.f32(float %p2, float %t, float 1.0)
  ret float %y
}
; `odd` where k is odd, else `even`, with the other sign in the second half of each turn from `start` on.
define float @caustic.by.quarter(float %j, i32 %start, float %even, float %odd) alwaysinline nounwind memory(none) {
  %k = bitcast float %j to i32
  %bit = and i32 %k, 1
  %is.odd = icmp ne i32 %bit, 0
  %y = select i1 %is.odd, float %odd, float %even
  %from = add i32 %k, %start
  %high = shl i32 %from, 30
  %sign = and i32 %high, -2147483648
  %bits = bitcast float %y to i32
  %signed = xor i32 %bits, %sign
  %value = bitcast i32 %signed to float
  ret float %value
}
; The first bits of 2 / pi, after 32 zeros.
@caustic.two.over.pi = internal unnamed_addr addrspace(4) constant [8 x i32] [i32 0, i32 -1560706194, i32 1313084713, i32 -64530479, i32 -181084736, i32 -614296167, i32 1011060801, i32 -28220501]
; Bits of which the last are those of k, and r, for |x| > 1 (Payne and Hanek, SIGNUM Newsletter 18, 1983). x = m 2^e with an integer m of 24 bits: what bits of
; 2 / pi before the place e - 2 add to k is a multiple of 4. The 96 bits from there on times m are x 2 / pi modulo 4, with 94 bits after the point.
define { float, float } @caustic.far.quarters(float %x) alwaysinline nounwind memory(none) {
  %bits = bitcast float %x to i32
  %shifted = lshr i32 %bits, 23
  %exponent = and i32 %shifted, 255
  %fraction = and i32 %bits, 8388607
  %m = or i32 %fraction, 8388608
  %place = sub i32 %exponent, 120
  %word = lshr i32 %place, 5
  %shift = and i32 %place, 31
  %p0 = getelementptr i32, ptr addrspace(4) @caustic.two.over.pi, i32 %word
  %p1 = getelementptr i32, ptr addrspace(4) %p0, i32 1
  %p2 = getelementptr i32, ptr addrspace(4) %p0, i32 2
  %p3 = getelementptr i32, ptr addrspace(4) %p0, i32 3
  %t0 = load i32, ptr addrspace(4) %p0
  %t1 = load i32, ptr addrspace(4) %p1
  %t2 = load i32, ptr addrspace(4) %p2
  %t3 = load i32, ptr addrspace(4) %p3
  %w0 = call i32 @llvm.fshl.i32(i32 %t0, i32 %t1, i32 %shift)
  %w1 = call i32 @llvm.fshl.i32(i32 %t1, i32 %t2, i32 %shift)
  %w2 = call i32 @llvm.fshl.i32(i32 %t2, i32 %t3, i32 %shift)
  ; The 64 highest of the product's last 96 bits.
  %m.w0 = mul i32 %m, %w0
  %h0 = zext i32 %m.w0 to i64
  %high = shl i64 %h0, 32
  %m.wide = zext i32 %m to i64
  %w1.wide = zext i32 %w1 to i64
  %w2.wide = zext i32 %w2 to i64
  %middle = mul i64 %m.wide, %w1.wide
  %l0 = mul i64 %m.wide, %w2.wide
  %low = lshr i64 %l0, 32
  %sum0 = add i64 %high, %middle
  %turns = add i64 %sum0, %low
  %round = add i64 %turns, 2305843009213693952
  %k.wide = lshr i64 %round, 62
  %whole = shl i64 %k.wide, 62
  %rest = sub i64 %turns, %whole
  %rest.f = sitofp i64 %rest to double
  %r.wide = fmul double %rest.f, 0x3C1921FB54442D18
  %r.size = fptrunc double %r.wide to float
  %k.size = trunc i64 %k.wide to i32
  %negative = icmp slt i32 %bits, 0
  %r.minus = fneg float %r.size
  %k.minus = sub i32 0, %k.size
  %r.signed = select i1 %negative, float %r.minus, float %r.size
  %k = select i1 %negative, i32 %k.minus, i32 %k.size
  %none = icmp eq i32 %exponent, 255
  %r = select i1 %none, float 0x7FF8000000000000, float %r.signed
  %j = bitcast i32 %k to float
  %pair = insertvalue { float, float } poison, float %j, 0
  %both = insertvalue { float, float } %pair, float %r, 1
  ret { float, float } %both
}
define float @caustic.sin.exact(float %x) alwaysinline nounwind memory(none) {
  %j = call float @caustic.quarters(float %x)
  %r = call float @caustic.within.quarter(float %x, float %j)
  %s = call float @caustic.sin.small(float %r)
  %c = call float @caustic.cos.small(float %r)
  %value = call float @caustic.by.quarter(float %j, i32 0, float %s, float %c)
  %size = call float @llvm.fabs.f32(float %x)
  %near = fcmp ole float %size, 0x40F9C8F000000000
  br i1 %near, label %done, label %far, !prof !0
far:
  %far.jr = call { float, float } @caustic.far.quarters(float %x)
  %far.j = extractvalue { float, float } %far.jr, 0
  %far.r = extractvalue { float, float } %far.jr, 1
  %far.s = call float @caustic.sin.small(float %far.r)
  %far.c = call float @caustic.cos.small(float %far.r)
  %far.value = call float @caustic.by.quarter(float %far.j, i32 0, float %far.s, float %far.c)
  br label %done
done:
  %result = phi float [ %value, %0 ], [ %far.value, %far ]
  ret float %result
}
define float @caustic.cos.exact(float %x) alwaysinline nounwind memory(none) {
  %j = call float @caustic.quarters(float %x)
  %r = call float @caustic.within.quarter(float %x, float %j)
  %s = call float @caustic.sin.small(float %r)
  %c = call float @caustic.cos.small(float %r)
  %value = call float @caustic.by.quarter(float %j, i32 1, float %c, float %s)
  %size = call float @llvm.fabs.f32(float %x)
  %near = fcmp ole float %size, 0x40F9C8F000000000
  br i1 %near, label %done, label %far, !prof !0
far:
  %far.jr = call { float, float } @caustic.far.quarters(float %x)
  %far.j = extractvalue { float, float } %far.jr, 0
  %far.r = extractvalue { float, float } %far.jr, 1
  %far.s = call float @caustic.sin.small(float %far.r)
  %far.c = call float @caustic.cos.small(float %far.r)
  %far.value = call float @caustic.by.quarter(float %far.j, i32 1, float %far.c, float %far.s)
  br label %done
done:
  %result = phi float [ %value, %0 ], [ %far.value, %far ]
  ret float %result
}

; ln x, within 1 ulp or so: of x = m 2^e, with m between 2/3 and 4/3, f = m - 1 and a polynomial for (ln (1 + f) - f) / f^2. What has no logarithm is left
; to the machine's instruction: zero, what is negative, infinite or no number, which its bits tell by one comparison (LLVM makes four of two comparisons).
define float @caustic.log.exact(float %x) alwaysinline nounwind memory(none) {
  %small = fcmp olt float %x, 0x3810000000000000
  %scaled = fmul float %x, 0x4160000000000000
  %y = select i1 %small, float %scaled, float %x
  %e0 = select i1 %small, float -23.0, float 0.0
  %bits = bitcast float %y to i32
  %above = sub i32 %bits, 1059760811
  %power = and i32 %above, -8388608
  %m.bits = sub i32 %bits, %power
  %m = bitcast i32 %m.bits to float
  %power.float = sitofp i32 %power to float
  %e = call float @llvm.fma.f32(float %power.float, float 0x3E80000000000000, float %e0)
  %f = fadd float %m, -1.0
  %q0 = call float @llvm.fma.f32(float 0xBFC092DDE0000000, float %f, float 0x3FC1ED16E0000000)
  %q1 = call float @llvm.fma.f32(float %q0, float %f, float 0xBFBF25FC20000000)
  %q2 = call float @llvm.fma.f32(float %q1, float %f, float 0x3FC1EBE5E0000000)
  %q3 = call float @llvm.fma.f32(float %q2, float %f, float 0xBFC55A7420000000)
  %q4 = call float @llvm.fma.f32(float %q3, float %f, float 0x3FC99D1F40000000)
  %q5 = call float @llvm.fma.f32(float %q4, float %f, float 0xBFCFFFE860000000)
  %q6 = call float @llvm.fma.f32(float %q5, float %f, float 0x3FD5555020000000)
  %q7 = call float @llvm.fma.f32(float %q6, float %f, float 0xBFE0000000000000)
  %f2 = fmul float %f, %f
  %ln.m = call float @llvm.fma.f32(float %q7, float %f2, float %f)
  %ln = call float @llvm.fma.f32(float %e, float 0x3FE62E4300000000, float %ln.m)
  %all = bitcast float %x to i32
  %below = add i32 %all, -1
  %usual = icmp ult i32 %below, 2139095039
  %other = call float @llvm.nvvm.lg2.approx.f(float %x)
  %value = select i1 %usual, float %ln, float %other
  ret float %value
}

; |x|^y = 2^(y lb |x|), where y is no zero and no infinity; the logarithm as a sum of two floats: with s = (m - 1) / (m + 1) it is e + 2 / ln 2 (s + s^3 / 3 + ...), of which the first term is
; computed in two parts, and so is the product with y. Several powers of one number share its logarithm.
define float @caustic.powr.exact(float %x, float %y) alwaysinline nounwind memory(none) {
  %a = call float @llvm.fabs.f32(float %x)
  %small = fcmp olt float %a, 0x3810000000000000
  %scaled = fmul float %a, 0x4160000000000000
  %b = select i1 %small, float %scaled, float %a
  %e0 = select i1 %small, float -23.0, float 0.0
  %bits = bitcast float %b to i32
  %above = sub i32 %bits, 1060439283
  %power = and i32 %above, -8388608
  %m.bits = sub i32 %bits, %power
  %m = bitcast i32 %m.bits to float
  %power.float = sitofp i32 %power to float
  %e = call float @llvm.fma.f32(float %power.float, float 0x3E80000000000000, float %e0)
  %f = fadd float %m, -1.0
  %d = fadd float %m, 1.0
  %d.back = fadd float %d, -1.0
  %d.low = fsub float %m, %d.back
  %r = call float @llvm.nvvm.rcp.approx.ftz.f(float %d)
  %s = fmul float %f, %r
  %minus = fneg float %s
  %rest0 = call float @llvm.fma.f32(float %minus, float %d, float %f)
  %rest1 = call float @llvm.fma.f32(float %minus, float %d.low, float %rest0)
  %s.low = fmul float %rest1, %r
  %t = fmul float %s, %s
  %p0 = call float @llvm.fma.f32(float 0x3FD5C6DBC0000000, float %t, float 0x3FDA595C60000000)
  %p1 = call float @llvm.fma.f32(float %p0, float %t, float 0x3FE2777680000000)
  %p2 = call float @llvm.fma.f32(float %p1, float %t, float 0x3FEEC709E0000000)
  %high = fmul float %s, 0x4007154760000000
  %minus.high = fneg float %high
  %low0 = call float @llvm.fma.f32(float %s, float 0x4007154760000000, float %minus.high)
  %low1 = call float @llvm.fma.f32(float %s, float 0x3E64AE0C00000000, float %low0)
  %low2 = call float @llvm.fma.f32(float %s.low, float 0x4007154760000000, float %low1)
  ; The cube of s in two parts, too.
  %minus.t = fneg float %t
  %t.low0 = call float @llvm.fma.f32(float %s, float %s, float %minus.t)
  %s.twice = fadd float %s, %s
  %t.low = call float @llvm.fma.f32(float %s.twice, float %s.low, float %t.low0)
  %cube = fmul float %t, %s
  %minus.cube = fneg float %cube
  %cube.low0 = call float @llvm.fma.f32(float %t, float %s, float %minus.cube)
  %cube.low1 = call float @llvm.fma.f32(float %s, float %t.low, float %cube.low0)
  %cube.low = call float @llvm.fma.f32(float %t, float %s.low, float %cube.low1)
  %low2a = call float @llvm.fma.f32(float %cube.low, float %p2, float %low2)
  %low3 = call float @llvm.fma.f32(float %cube, float %p2, float %low2a)
  %sum = fadd float %e, %high
  %sum.back = fsub float %e, %sum
  %sum.rest = fadd float %sum.back, %high
  %sum.low = fadd float %sum.rest, %low3
  %lb = fadd float %sum, %sum.low
  %lb.back = fsub float %sum, %lb
  %lb.low0 = fadd float %lb.back, %sum.low
  ; Of zero and infinity.
  %above.zero = fcmp ogt float %a, 0.0
  %finite = fcmp olt float %a, 0x7FF0000000000000
  %number = and i1 %above.zero, %finite
  %machine = call float @llvm.nvvm.lg2.approx.f(float %a)
  %l = select i1 %number, float %lb, float %machine
  %l.low = select i1 %number, float %lb.low0, float 0.0
  %z = fmul float %y, %l
  %minus.z = fneg float %z
  %z.low0 = call float @llvm.fma.f32(float %y, float %l, float %minus.z)
  %z.low = call float @llvm.fma.f32(float %y, float %l.low, float %z.low0)
  %v = call float @llvm.nvvm.ex2.approx.f(float %z)
  %w = call float @llvm.fma.f32(float %z.low, float 0x3FE62E4300000000, float 1.0)
  %z.size = call float @llvm.fabs.f32(float %z)
  %inside = fcmp olt float %z.size, 512.0
  %factor = select i1 %inside, float %w, float 1.0
  %value = fmul float %v, %factor
  ret float %value
}

; x^y; where x is above zero and y a number, nothing else is to be looked at.
define float @caustic.pow.exact(float %x, float %y) alwaysinline nounwind memory(none) {
  %value = call float @caustic.powr.exact(float %x, float %y)
  %positive = fcmp ogt float %x, 0.0
  %y.size = call float @llvm.fabs.f32(float %y)
  %y.finite = fcmp olt float %y.size, 0x7FF0000000000000
  %plain = and i1 %positive, %y.finite
  br i1 %plain, label %done, label %special, !prof !0
special:
  %all = call float @caustic.pow.special(float %x, float %y, float %value)
  br label %done
done:
  %result = phi float [ %value, %0 ], [ %all, %special ]
  ret float %result
}

; x^y as C99 has it (F.10.4.4), given |x|^y.
define float @caustic.pow.special(float %x, float %y, float %value) alwaysinline nounwind memory(none) {
  %a = call float @llvm.fabs.f32(float %x)
  %y.size = call float @llvm.fabs.f32(float %y)
  %whole = call float @llvm.rint.f32(float %y)
  %is.whole = fcmp oeq float %whole, %y
  %half = fmul float %y, 0.5
  %half.whole = call float @llvm.rint.f32(float %half)
  %is.odd0 = fcmp une float %half.whole, %half
  %is.odd = and i1 %is.odd0, %is.whole
  %bits = bitcast float %x to i32
  %signed = icmp slt i32 %bits, 0
  %flips = and i1 %signed, %is.odd
  %flipped = fneg float %value
  %value1 = select i1 %flips, float %flipped, float %value
  ; Below zero only whole powers are numbers.
  %below = fcmp olt float %x, 0.0
  %finite = fcmp olt float %a, 0x7FF0000000000000
  %broken = xor i1 %is.whole, true
  %no0 = and i1 %below, %finite
  %no = and i1 %no0, %broken
  %value2 = select i1 %no, float 0x7FF8000000000000, float %value1
  %x.one = fcmp oeq float %x, 1.0
  %y.zero = fcmp oeq float %y, 0.0
  %a.one = fcmp oeq float %a, 1.0
  %y.infinite = fcmp oeq float %y.size, 0x7FF0000000000000
  %circle = and i1 %a.one, %y.infinite
  %one0 = or i1 %x.one, %y.zero
  %one = or i1 %one0, %circle
  %value3 = select i1 %one, float 1.0, float %value2
  ret float %value3
}

; tanh x = 1 - 2 / (e^(2 |x|) + 1) with the sign of x; near zero, where that loses digits, x + x^3 times a polynomial in x^2. The power of two is taken of a rounded
; product, which adds at most 0.4 ulp, where x is between 0.5625 and 1.
define float @caustic.tanh(float %x) alwaysinline nounwind memory(none) {
  %a = call float @llvm.fabs.f32(float %x)
  %power = fmul float %a, 0x4007154760000000
  %e = call float @llvm.nvvm.ex2.approx.ftz.f(float %power)
  %d = fadd float %e, 1.0
  %r = call float @llvm.nvvm.rcp.approx.ftz.f(float %d)
  %far = call float @llvm.fma.f32(float %r, float -2.0, float 1.0)
  %u = fmul float %x, %x
  %p0 = call float @llvm.fma.f32(float 0xBF794FF700000000, float %u, float 0x3F9582F8E0000000)
  %p1 = call float @llvm.fma.f32(float %p0, float %u, float 0xBFAB909420000000)
  %p2 = call float @llvm.fma.f32(float %p1, float %u, float 0x3FC110C720000000)
  %p3 = call float @llvm.fma.f32(float %p2, float %u, float 0xBFD5555480000000)
  %cube = fmul float %u, %x
  %near = call float @llvm.fma.f32(float %cube, float %p3, float %x)
  %is.near = fcmp olt float %a, 0.5625
  %size = select i1 %is.near, float %near, float %far
  ; What is near has the sign already, unless it is zero: the sum of two zeros has lost it. What is far has none.
  %bits = bitcast float %size to i32
  %x.bits = bitcast float %x to i32
  %sign = and i32 %x.bits, -2147483648
  %signed = or i32 %bits, %sign
  %value = bitcast i32 %signed to float
  ret float %value
}
define float @caustic.tanh.exact(float %x) alwaysinline nounwind memory(none) {
  %value = call float @caustic.tanh(float %x)
  ret float %value
}
; Within 2^-22, so that 1 - tanh^2 is good, too: tanh x = 1 - 2 / (e^(2 x) + 1).
define float @caustic.tanh.fast(float %x) alwaysinline nounwind memory(none) {
  %power = fmul float %x, 0x4007154760000000
  %e = call float @llvm.nvvm.ex2.approx.ftz.f(float %power)
  %d = fadd float %e, 1.0
  %r = call float @llvm.nvvm.rcp.approx.ftz.f(float %d)
  %value = call float @llvm.fma.f32(float %r, float -2.0, float 1.0)
  ret float %value
}
; Within 2^-11 of the result, which 1 - tanh^2 would make a tenth of it at 3.
define float @caustic.tanh.machine(float %x) alwaysinline nounwind memory(none) {
  %value = call float asm "tanh.approx.f32 $0, $1;", "=f,f"(float %x)
  ret float %value
}
; As many ulp as y lb |x| has bits before the point.
define float @caustic.powr.fast(float %x, float %y) alwaysinline nounwind memory(none) {
  %a = call float @llvm.fabs.f32(float %x)
  %lb = call float @llvm.nvvm.lg2.approx.ftz.f(float %a)
  %z = fmul float %y, %lb
  %value = call float @llvm.nvvm.ex2.approx.ftz.f(float %z)
  ret float %value
}
define float @caustic.pow.fast(float %x, float %y) alwaysinline nounwind memory(none) {
  %value = call float @caustic.powr.fast(float %x, float %y)
  %positive = fcmp ogt float %x, 0.0
  %y.size = call float @llvm.fabs.f32(float %y)
  %y.finite = fcmp olt float %y.size, 0x7FF0000000000000
  %plain = and i1 %positive, %y.finite
  br i1 %plain, label %done, label %special, !prof !0
special:
  %all = call float @caustic.pow.special(float %x, float %y, float %value)
  br label %done
done:
  %result = phi float [ %value, %0 ], [ %all, %special ]
  ret float %result
}

!0 = !{!"branch_weights", i32 2000, i32 1}

; What is left of x when it is divided by y, with the sign of x, exactly: NVPTX's own subtracts a multiple that it rounds, and infinity where the quotient is too
; large. Quotients below 2^19 come from an estimate that is made too large by less than 1, so that the rest, exact in one fused step, is at most one divisor below
; zero; then it is added. (Of doubles: the quotient, rounded, below 2^51.) All else is done on digits, a few of the quotient at a time.
define float @caustic.rem.f32(float %x, float %y) alwaysinline nounwind memory(none) {
entry:
  %a = call float @llvm.fabs.f32(float %x)
  %b = call float @llvm.fabs.f32(float %y)
  %abits = bitcast float %a to i32
  %bbits = bitcast float %b to i32
  %limit = fmul float %b, 0x4120000000000000
  %small = fcmp olt float %a, %limit
  %from = sub i32 %bbits, 226492416
  %middle = icmp ult i32 %from, 1677721600
  %quick = and i1 %small, %middle
  br i1 %quick, label %short, label %long
short:
  %inverse = call float @llvm.nvvm.rcp.approx.ftz.f(float %b)
  %near = fmul float %a, %inverse
  %above = call float @llvm.fma.f32(float %near, float 0x3EB0000000000000, float %near)
  %n = call float @llvm.trunc.f32(float %above)
  %minus = fneg float %n
  %rest = call float @llvm.fma.f32(float %minus, float %b, float %a)
  %below = fcmp olt float %rest, 0.0
  %next = fadd float %rest, %b
  %found = select i1 %below, float %next, float %rest
  br label %end
long:
  %by.zero = icmp eq i32 %bbits, 0
  %of.endless = icmp uge i32 %abits, 2139095040
  %by.none = icmp ugt i32 %bbits, 2139095040
  %some = or i1 %by.zero, %of.endless
  %none = or i1 %some, %by.none
  br i1 %none, label %end, label %number
number:
  %less = icmp ult i32 %abits, %bbits
  br i1 %less, label %end, label %divide
divide:
  %a.exponent = lshr i32 %abits, 23
  %a.normal = icmp ne i32 %a.exponent, 0
  %a.fraction = and i32 %abits, 8388607
  %a.whole = or i32 %a.fraction, 8388608
  %a.digits = select i1 %a.normal, i32 %a.whole, i32 %a.fraction
  %a.at = call i32 @llvm.umax.i32(i32 %a.exponent, i32 1)
  %b.exponent = lshr i32 %bbits, 23
  %b.normal = icmp ne i32 %b.exponent, 0
  %b.fraction = and i32 %bbits, 8388607
  %b.whole = or i32 %b.fraction, 8388608
  %b.digits = select i1 %b.normal, i32 %b.whole, i32 %b.fraction
  %b.at = call i32 @llvm.umax.i32(i32 %b.exponent, i32 1)
  %apart = sub i32 %a.at, %b.at
  %first = urem i32 %a.digits, %b.digits
  br label %loop
loop:
  %left = phi i32 [ %apart, %divide ], [ %then.left, %step ]
  %digits = phi i32 [ %first, %divide ], [ %then, %step ]
  %over = icmp eq i32 %left, 0
  br i1 %over, label %back, label %step
step:
  %by = call i32 @llvm.umin.i32(i32 %left, i32 8)
  %moved = shl i32 %digits, %by
  %then = urem i32 %moved, %b.digits
  %then.left = sub i32 %left, %by
  br label %loop
back:
  %value = uitofp i32 %digits to float
  %scaled = fmul float %value, 0x3E80000000000000
  %power.bits = shl i32 %b.at, 23
  %power = bitcast i32 %power.bits to float
  %exact = fmul float %scaled, %power
  br label %end
end:
  %size = phi float [ %found, %short ], [ 0x7FF8000000000000, %long ], [ %a, %number ], [ %exact, %back ]
  %signed = call float @llvm.copysign.f32(float %size, float %x)
  ret float %signed
}
define double @caustic.rem.f64(double %x, double %y) alwaysinline nounwind memory(none) {
entry:
  %a = call double @llvm.fabs.f64(double %x)
  %b = call double @llvm.fabs.f64(double %y)
  %abits = bitcast double %a to i64
  %bbits = bitcast double %b to i64
  %limit = fmul double %b, 0x4320000000000000
  %small = fcmp olt double %a, %limit
  %middle = icmp ult i64 %bbits, 9218868437227405312
  %quick = and i1 %small, %middle
  br i1 %quick, label %short, label %long
short:
  %above = fdiv double %a, %b
  %n = call double @llvm.trunc.f64(double %above)
  %minus = fneg double %n
  %rest = call double @llvm.fma.f64(double %minus, double %b, double %a)
  %below = fcmp olt double %rest, 0.0
  %next = fadd double %rest, %b
  %found = select i1 %below, double %next, double %rest
  br label %end
long:
  %by.zero = icmp eq i64 %bbits, 0
  %of.endless = icmp uge i64 %abits, 9218868437227405312
  %by.none = icmp ugt i64 %bbits, 9218868437227405312
  %some = or i1 %by.zero, %of.endless
  %none = or i1 %some, %by.none
  br i1 %none, label %end, label %number
number:
  %less = icmp ult i64 %abits, %bbits
  br i1 %less, label %end, label %divide
divide:
  %a.exponent = lshr i64 %abits, 52
  %a.normal = icmp ne i64 %a.exponent, 0
  %a.fraction = and i64 %abits, 4503599627370495
  %a.whole = or i64 %a.fraction, 4503599627370496
  %a.digits = select i1 %a.normal, i64 %a.whole, i64 %a.fraction
  %a.at = call i64 @llvm.umax.i64(i64 %a.exponent, i64 1)
  %b.exponent = lshr i64 %bbits, 52
  %b.normal = icmp ne i64 %b.exponent, 0
  %b.fraction = and i64 %bbits, 4503599627370495
  %b.whole = or i64 %b.fraction, 4503599627370496
  %b.digits = select i1 %b.normal, i64 %b.whole, i64 %b.fraction
  %b.at = call i64 @llvm.umax.i64(i64 %b.exponent, i64 1)
  %apart = sub i64 %a.at, %b.at
  %first = urem i64 %a.digits, %b.digits
  br label %loop
loop:
  %left = phi i64 [ %apart, %divide ], [ %then.left, %step ]
  %digits = phi i64 [ %first, %divide ], [ %then, %step ]
  %over = icmp eq i64 %left, 0
  br i1 %over, label %back, label %step
step:
  %by = call i64 @llvm.umin.i64(i64 %left, i64 11)
  %moved = shl i64 %digits, %by
  %then = urem i64 %moved, %b.digits
  %then.left = sub i64 %left, %by
  br label %loop
back:
  %value = uitofp i64 %digits to double
  %scaled = fmul double %value, 0x3CB0000000000000
  %power.bits = shl i64 %b.at, 52
  %power = bitcast i64 %power.bits to double
  %exact = fmul double %scaled, %power
  br label %end
end:
  %size = phi double [ %found, %short ], [ 0x7FF8000000000000, %long ], [ %a, %number ], [ %exact, %back ]
  %signed = call double @llvm.copysign.f64(double %size, double %x)
  ret double %signed
}
; By a power of two from 1 to 2^126 the quotient is exact as far as its whole part goes.
define float @caustic.rem.two(float %x, float %y) alwaysinline nounwind memory(none) {
  %inverse = fdiv float 1.0, %y
  %q = fmul float %x, %inverse
  %n = call float @llvm.trunc.f32(float %q)
  %minus = fneg float %n
  %rest = call float @llvm.fma.f32(float %minus, float %y, float %x)
  %signed = call float @llvm.copysign.f32(float %rest, float %x)
  ret float %signed
}
; Every remainder of two halves is a half.
define half @caustic.rem.f16(half %x, half %y) alwaysinline nounwind memory(none) {
  %a = fpext half %x to float
  %b = fpext half %y to float
  %rest = call float @caustic.rem.f32(float %a, float %b)
  %r = fptrunc float %rest to half
  ret half %r
}

; Towards zero, to the nearest integer that there is, and 0 for what is no number.
define i32 @caustic.int.signed(float %x) alwaysinline nounwind memory(none) {
  %r = call i32 @llvm.nvvm.f2i.rz(float %x)
  ret i32 %r
}
define i32 @caustic.int.unsigned(float %x) alwaysinline nounwind memory(none) {
  %r = call i32 @llvm.nvvm.f2ui.rz(float %x)
  ret i32 %r
}
