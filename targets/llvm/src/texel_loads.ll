; Reading texels, behind `texels.ll`, in two copies: `$A` is `constant` where nobody writes the texture and `$L` says so of each load; else `changing`, and nothing.

; A component as a float, and as an integer.
define double @caustic.texels.float.$A(ptr addrspace(1) %p, i32 %kind, i64 %index) alwaysinline nounwind willreturn memory(read) {
  switch i32 %kind, label %unit [ i32 1, label %half
    i32 2, label %single
    i32 3, label %double ]
unit:
  %p8 = getelementptr i8, ptr addrspace(1) %p, i64 %index
  %v8 = load i8, ptr addrspace(1) %p8$L
  %steps = uitofp i8 %v8 to double
  %part = fdiv double %steps, 255.0
  ; As CPUs keep it.
  %near = fptrunc double %part to float
  %unit.value = fpext float %near to double
  ret double %unit.value
half:
  %p16 = getelementptr half, ptr addrspace(1) %p, i64 %index
  %v16 = load half, ptr addrspace(1) %p16$L
  %half.value = fpext half %v16 to double
  ret double %half.value
single:
  %p32 = getelementptr float, ptr addrspace(1) %p, i64 %index
  %v32 = load float, ptr addrspace(1) %p32$L
  %single.value = fpext float %v32 to double
  ret double %single.value
double:
  %p64 = getelementptr double, ptr addrspace(1) %p, i64 %index
  %v64 = load double, ptr addrspace(1) %p64$L
  ret double %v64
}
define i64 @caustic.texels.int.$A(ptr addrspace(1) %p, i32 %kind, i64 %index) alwaysinline nounwind willreturn memory(read) {
  %p8 = getelementptr i8, ptr addrspace(1) %p, i64 %index
  %p16 = getelementptr i16, ptr addrspace(1) %p, i64 %index
  %p32 = getelementptr i32, ptr addrspace(1) %p, i64 %index
  %p64 = getelementptr i64, ptr addrspace(1) %p, i64 %index
  switch i32 %kind, label %b64 [ i32 4, label %s8
    i32 5, label %s16
    i32 6, label %s32
    i32 8, label %u8
    i32 9, label %u16
    i32 10, label %u32 ]
s8:
  %a8 = load i8, ptr addrspace(1) %p8$L
  %as8 = sext i8 %a8 to i64
  ret i64 %as8
s16:
  %a16 = load i16, ptr addrspace(1) %p16$L
  %as16 = sext i16 %a16 to i64
  ret i64 %as16
s32:
  %a32 = load i32, ptr addrspace(1) %p32$L
  %as32 = sext i32 %a32 to i64
  ret i64 %as32
u8:
  %b8 = load i8, ptr addrspace(1) %p8$L
  %bz8 = zext i8 %b8 to i64
  ret i64 %bz8
u16:
  %b16 = load i16, ptr addrspace(1) %p16$L
  %bz16 = zext i16 %b16 to i64
  ret i64 %bz16
u32:
  %b32 = load i32, ptr addrspace(1) %p32$L
  %bz32 = zext i32 %b32 to i64
  ret i64 %bz32
b64:
  %b64.value = load i64, ptr addrspace(1) %p64$L
  ret i64 %b64.value
}
define double @caustic.texels.get.f.$A(ptr addrspace(1) %p, i32 %kind, i64 %index) noinline nounwind willreturn memory(read) {
  %is.int = icmp ugt i32 %kind, 3
  br i1 %is.int, label %ints, label %floats
ints:
  %int = call i64 @caustic.texels.int.$A(ptr addrspace(1) %p, i32 %kind, i64 %index)
  %number = sitofp i64 %int to double
  ret double %number
floats:
  %float = call double @caustic.texels.float.$A(ptr addrspace(1) %p, i32 %kind, i64 %index)
  ret double %float
}
define i64 @caustic.texels.get.i.$A(ptr addrspace(1) %p, i32 %kind, i64 %index) noinline nounwind willreturn memory(read) {
  %is.int = icmp ugt i32 %kind, 3
  br i1 %is.int, label %ints, label %floats
ints:
  %int = call i64 @caustic.texels.int.$A(ptr addrspace(1) %p, i32 %kind, i64 %index)
  ret i64 %int
floats:
  %float = call double @caustic.texels.float.$A(ptr addrspace(1) %p, i32 %kind, i64 %index)
  %number = call i64 @llvm.fptosi.sat.i64.f64(double %float)
  ret i64 %number
}
; The components of a texel; those that the format lacks are 0, 0, 0, 1, and all are 0 if there is no such texel.
define [4 x double] @caustic.texels.load.f.$A(ptr %t, i64 %number) noinline nounwind willreturn memory(read) {
  %is.there = icmp sge i64 %number, 0
  br i1 %is.there, label %there, label %nothing
nothing:
  ret [4 x double] zeroinitializer
there:
  %format = call i32 @caustic.texels.field(ptr %t, i32 5)
  %kind = lshr i32 %format, 8
  %count = and i32 %format, 255
  %count.wide = zext i32 %count to i64
  %first = mul i64 %number, %count.wide
  %p = call ptr addrspace(1) @caustic.texels.address(ptr %t)
  %is.usual = icmp eq i32 %format, 516
  br i1 %is.usual, label %usual, label %one
usual:
  ; Four of f32.
  %at = getelementptr float, ptr addrspace(1) %p, i64 %first
  %four = load <4 x float>, ptr addrspace(1) %at, align 16$L
  %wide = fpext <4 x float> %four to <4 x double>
  %u0 = extractelement <4 x double> %wide, i32 0
  %u1 = extractelement <4 x double> %wide, i32 1
  %u2 = extractelement <4 x double> %wide, i32 2
  %u3 = extractelement <4 x double> %wide, i32 3
  br label %done
one:
  %v0 = call double @caustic.texels.get.f.$A(ptr addrspace(1) %p, i32 %kind, i64 %first)
  %has.two = icmp ugt i32 %count, 1
  br i1 %has.two, label %two, label %done
two:
  %second = add i64 %first, 1
  %v1 = call double @caustic.texels.get.f.$A(ptr addrspace(1) %p, i32 %kind, i64 %second)
  %has.four = icmp ugt i32 %count, 2
  br i1 %has.four, label %all, label %done
all:
  %third = add i64 %first, 2
  %fourth = add i64 %first, 3
  %v2 = call double @caustic.texels.get.f.$A(ptr addrspace(1) %p, i32 %kind, i64 %third)
  %v3 = call double @caustic.texels.get.f.$A(ptr addrspace(1) %p, i32 %kind, i64 %fourth)
  br label %done
done:
  %c0 = phi double [ %u0, %usual ], [ %v0, %one ], [ %v0, %two ], [ %v0, %all ]
  %c1 = phi double [ %u1, %usual ], [ 0.0, %one ], [ %v1, %two ], [ %v1, %all ]
  %c2 = phi double [ %u2, %usual ], [ 0.0, %one ], [ 0.0, %two ], [ %v2, %all ]
  %c3 = phi double [ %u3, %usual ], [ 1.0, %one ], [ 1.0, %two ], [ %v3, %all ]
  %r0 = insertvalue [4 x double] undef, double %c0, 0
  %r1 = insertvalue [4 x double] %r0, double %c1, 1
  %r2 = insertvalue [4 x double] %r1, double %c2, 2
  %r3 = insertvalue [4 x double] %r2, double %c3, 3
  ret [4 x double] %r3
}
define [4 x i64] @caustic.texels.load.i.$A(ptr %t, i64 %number) noinline nounwind willreturn memory(read) {
  %is.there = icmp sge i64 %number, 0
  br i1 %is.there, label %one, label %nothing
nothing:
  ret [4 x i64] zeroinitializer
one:
  %format = call i32 @caustic.texels.field(ptr %t, i32 5)
  %kind = lshr i32 %format, 8
  %count = and i32 %format, 255
  %count.wide = zext i32 %count to i64
  %first = mul i64 %number, %count.wide
  %p = call ptr addrspace(1) @caustic.texels.address(ptr %t)
  %v0 = call i64 @caustic.texels.get.i.$A(ptr addrspace(1) %p, i32 %kind, i64 %first)
  %has.two = icmp ugt i32 %count, 1
  br i1 %has.two, label %two, label %done
two:
  %second = add i64 %first, 1
  %v1 = call i64 @caustic.texels.get.i.$A(ptr addrspace(1) %p, i32 %kind, i64 %second)
  %has.four = icmp ugt i32 %count, 2
  br i1 %has.four, label %all, label %done
all:
  %third = add i64 %first, 2
  %fourth = add i64 %first, 3
  %v2 = call i64 @caustic.texels.get.i.$A(ptr addrspace(1) %p, i32 %kind, i64 %third)
  %v3 = call i64 @caustic.texels.get.i.$A(ptr addrspace(1) %p, i32 %kind, i64 %fourth)
  br label %done
done:
  %c1 = phi i64 [ 0, %one ], [ %v1, %two ], [ %v1, %all ]
  %c2 = phi i64 [ 0, %one ], [ 0, %two ], [ %v2, %all ]
  %c3 = phi i64 [ 1, %one ], [ 1, %two ], [ %v3, %all ]
  %r0 = insertvalue [4 x i64] undef, i64 %v0, 0
  %r1 = insertvalue [4 x i64] %r0, i64 %c1, 1
  %r2 = insertvalue [4 x i64] %r1, i64 %c2, 2
  %r3 = insertvalue [4 x i64] %r2, i64 %c3, 3
  ret [4 x i64] %r3
}
