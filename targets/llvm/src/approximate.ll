; How floats of 32 bits are divided on NVIDIA's processors, and what stands for functions of floats where the program may be computed fast.
; `approximate.rs` puts calls of these in place of what LLVM leaves when it has optimized a kernel.

declare float @llvm.nvvm.rcp.approx.ftz.f(float)
declare float @llvm.nvvm.sqrt.approx.f(float)
declare float @llvm.nvvm.ex2.approx.f(float)
declare float @llvm.nvvm.lg2.approx.f(float)
declare float @llvm.nvvm.sin.approx.f(float)
declare float @llvm.nvvm.cos.approx.f(float)
declare float @llvm.fma.f32(float, float, float)
declare float @llvm.fabs.f32(float)

; a / b, rounded correctly. `div.rn` leaves its short way for every numerator that is zero, as cotangents and vanished terms of series are, and for
; quotients that vanish. This one does it for tiny numerators, quotients near the end of the range, and divisors without a normal reciprocal.
; The quotient is correct by Newton's step for the reciprocal and two corrections by the exact remainder (Markstein, IBM J. Res. Dev. 34, 1990):
; exact while the numerator is at least 2^-100, correct while the quotient is normal.
define float @caustic.div.exact(float %a, float %b) alwaysinline nounwind memory(none) {
  %start = call float @llvm.nvvm.rcp.approx.ftz.f(float %b)
  %minus = fneg float %b
  %error = call float @llvm.fma.f32(float %minus, float %start, float 1.0)
  %r = call float @llvm.fma.f32(float %start, float %error, float %start)
  %q0 = fmul float %a, %r
  %a.size = call float @llvm.fabs.f32(float %a)
  %a.middle = fcmp oge float %a.size, 0x39B0000000000000
  %q.size = call float @llvm.fabs.f32(float %q0)
  %q.low = fcmp oge float %q.size, 0x3870000000000000
  %q.high = fcmp ole float %q.size, 0x4770000000000000
  %q.middle = and i1 %q.low, %q.high
  %middle = and i1 %a.middle, %q.middle
  ; Not if the reciprocal is no number.
  %a.zero = fcmp oeq float %a, 0.0
  %q.zero = fcmp oeq float %q0, 0.0
  %zero = and i1 %a.zero, %q.zero
  %plain = or i1 %middle, %zero
  br i1 %plain, label %short, label %far, !prof !0
short:
  %rest0 = call float @llvm.fma.f32(float %minus, float %q0, float %a)
  %q1 = call float @llvm.fma.f32(float %r, float %rest0, float %q0)
  %rest1 = call float @llvm.fma.f32(float %minus, float %q1, float %a)
  %q2 = call float @llvm.fma.f32(float %r, float %rest1, float %q1)
  ; The corrections would take the sign of a zero.
  %q = select i1 %zero, float %q0, float %q2
  br label %done
far:
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
  %signed = fmul float %q0, 0.0
  br label %done
long:
  %full = call float asm "div.rn.f32 $0, $1, $2;", "=f,f,f"(float %a, float %b)
  br label %done
done:
  %value = phi float [ %q, %short ], [ %signed, %nothing ], [ %full, %long ]
  ret float %value
}

; 1 / b, rounded correctly, from the same reciprocal.
define float @caustic.rcp.exact(float %b) alwaysinline nounwind memory(none) {
  %start = call float @llvm.nvvm.rcp.approx.ftz.f(float %b)
  %minus = fneg float %b
  %error = call float @llvm.fma.f32(float %minus, float %start, float 1.0)
  %r = call float @llvm.fma.f32(float %start, float %error, float %start)
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

; 2^x, within 3 ulp.
define float @caustic.exp2.exact(float %x) alwaysinline nounwind memory(none) {
  %y = call float @llvm.nvvm.ex2.approx.f(float %x)
  ret float %y
}

; e^x = 2^y 2^z, within 4 ulp: y is x log2 e rounded, z what the rounding took, so that 2^z is 1 + z ln 2.
define float @caustic.exp.exact(float %x) alwaysinline nounwind memory(none) {
  %y = fmul float %x, 0x3FF7154760000000
  %p = call float @llvm.nvvm.ex2.approx.f(float %y)
  %minus = fneg float %y
  %rest = call float @llvm.fma.f32(float %x, float 0x3FF7154760000000, float %minus)
  %z = call float @llvm.fma.f32(float %x, float 0x3E54AE0C00000000, float %rest)
  %w = call float @llvm.fma.f32(float %z, float 0x3FE62E4300000000, float 1.0)
  ; Beyond that 2^y is zero or infinite, and z is perhaps no number.
  %size = call float @llvm.fabs.f32(float %y)
  %inside = fcmp olt float %size, 512.0
  %factor = select i1 %inside, float %w, float 1.0
  %e = fmul float %p, %factor
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
  %y = call float @llvm.nvvm.sqrt.approx.f(float %x)
  ret float %y
}
define float @caustic.exp2.fast(float %x) alwaysinline nounwind memory(none) {
  %y = call float @llvm.nvvm.ex2.approx.f(float %x)
  ret float %y
}
; e^x = 2^(x log2 e)
define float @caustic.exp.fast(float %x) alwaysinline nounwind memory(none) {
  %scaled = fmul float %x, 0x3FF7154760000000
  %y = call float @llvm.nvvm.ex2.approx.f(float %scaled)
  ret float %y
}
define float @caustic.log2.fast(float %x) alwaysinline nounwind memory(none) {
  %y = call float @llvm.nvvm.lg2.approx.f(float %x)
  ret float %y
}
define float @caustic.log.fast(float %x) alwaysinline nounwind memory(none) {
  %y = call float @llvm.nvvm.lg2.approx.f(float %x)
  %scaled = fmul float %y, 0x3FE62E4300000000
  ret float %scaled
}
define float @caustic.sin.fast(float %x) alwaysinline nounwind memory(none) {
  %y = call float @llvm.nvvm.sin.approx.f(float %x)
  ret float %y
}
define float @caustic.cos.fast(float %x) alwaysinline nounwind memory(none) {
  %y = call float @llvm.nvvm.cos.approx.f(float %x)
  ret float %y
}

!0 = !{!"branch_weights", i32 2000, i32 1}
