; Texels in the memory of an NVIDIA GPU: `texels.rs` puts these functions into a kernel that reads or writes textures.
;
; %t is the address of a texture's description (`caustic_runtime::texture`): the address of its texels; then as i32 width, height, depth, layers, levels, and
; format: components in the low byte, above it what each is, numbered as below. Texels lie by layer, level, z, y, x, without gaps.
; Components are read and written as f64 or i64. What reads them is in `texel_loads.ll`.

; A number of the description.
define i32 @caustic.texels.field(ptr %t, i32 %which) alwaysinline nounwind willreturn memory(read) {
  %offset = mul i32 %which, 4
  %from = add i32 %offset, 8
  %at = getelementptr i8, ptr %t, i32 %from
  %value = load i32, ptr %at, align 4
  ret i32 %value
}
; Width, height or depth of a level.
define i32 @caustic.texels.extent(ptr %t, i32 %which, i32 %level) alwaysinline nounwind willreturn memory(read) {
  %whole = call i32 @caustic.texels.field(ptr %t, i32 %which)
  %far = icmp ugt i32 %level, 31
  %shift = select i1 %far, i32 31, i32 %level
  %part = lshr i32 %whole, %shift
  %value = call i32 @llvm.umax.i32(i32 %part, i32 1)
  ret i32 %value
}
; The number of the first texel of a level of a layer.
define i64 @caustic.texels.first(ptr %t, i32 %layer, i32 %level) noinline nounwind willreturn memory(read) {
  %levels = call i32 @caustic.texels.field(ptr %t, i32 4)
  br label %loop
loop:
  %n = phi i32 [ 0, %0 ], [ %next, %loop ]
  %all = phi i64 [ 0, %0 ], [ %all.next, %loop ]
  %before = phi i64 [ 0, %0 ], [ %before.next, %loop ]
  %w = call i32 @caustic.texels.extent(ptr %t, i32 0, i32 %n)
  %h = call i32 @caustic.texels.extent(ptr %t, i32 1, i32 %n)
  %d = call i32 @caustic.texels.extent(ptr %t, i32 2, i32 %n)
  %w.wide = zext i32 %w to i64
  %h.wide = zext i32 %h to i64
  %d.wide = zext i32 %d to i64
  %row = mul i64 %w.wide, %h.wide
  %count = mul i64 %row, %d.wide
  %is.before = icmp ult i32 %n, %level
  %added = select i1 %is.before, i64 %count, i64 0
  %before.next = add i64 %before, %added
  %all.next = add i64 %all, %count
  %next = add i32 %n, 1
  %more = icmp ult i32 %next, %levels
  br i1 %more, label %loop, label %done
done:
  %layer.wide = zext i32 %layer to i64
  %skipped = mul i64 %layer.wide, %all.next
  %first = add i64 %skipped, %before.next
  ret i64 %first
}
; The number of a texel; -1 if there is none.
define i64 @caustic.texels.number(ptr %t, i64 %x, i64 %y, i64 %z, i64 %layer, i64 %level) alwaysinline nounwind willreturn memory(read) {
  %layers = call i32 @caustic.texels.field(ptr %t, i32 3)
  %layers.wide = zext i32 %layers to i64
  %layer.in = icmp ult i64 %layer, %layers.wide
  %levels = call i32 @caustic.texels.field(ptr %t, i32 4)
  %levels.wide = zext i32 %levels to i64
  %level.in = icmp ult i64 %level, %levels.wide
  %level.word = trunc i64 %level to i32
  %w = call i32 @caustic.texels.extent(ptr %t, i32 0, i32 %level.word)
  %h = call i32 @caustic.texels.extent(ptr %t, i32 1, i32 %level.word)
  %d = call i32 @caustic.texels.extent(ptr %t, i32 2, i32 %level.word)
  %w.wide = zext i32 %w to i64
  %h.wide = zext i32 %h to i64
  %d.wide = zext i32 %d to i64
  %x.in = icmp ult i64 %x, %w.wide
  %y.in = icmp ult i64 %y, %h.wide
  %z.in = icmp ult i64 %z, %d.wide
  %in0 = and i1 %layer.in, %level.in
  %in1 = and i1 %x.in, %y.in
  %in2 = and i1 %in0, %in1
  %in = and i1 %in2, %z.in
  br i1 %in, label %inside, label %outside
inside:
  %layer.word = trunc i64 %layer to i32
  %first = call i64 @caustic.texels.first(ptr %t, i32 %layer.word, i32 %level.word)
  %slices = mul i64 %z, %h.wide
  %rows = add i64 %slices, %y
  %before = mul i64 %rows, %w.wide
  %here = add i64 %before, %x
  %number = add i64 %first, %here
  ret i64 %number
outside:
  ret i64 -1
}
define ptr addrspace(1) @caustic.texels.address(ptr %t) alwaysinline nounwind willreturn memory(read) {
  %generic = load ptr, ptr %t, align 8
  %global = addrspacecast ptr %generic to ptr addrspace(1)
  ret ptr addrspace(1) %global
}
; Where the first component of a texel is that there is, to be updated. That takes a format whose components are what is computed with: one of two kinds.
define ptr @caustic.texels.place(ptr %t, i64 %number, i32 %one, i32 %other, i64 %size) alwaysinline nounwind {
  %format = call i32 @caustic.texels.field(ptr %t, i32 5)
  %kind = lshr i32 %format, 8
  %is.one = icmp eq i32 %kind, %one
  %is.other = icmp eq i32 %kind, %other
  %fits = or i1 %is.one, %is.other
  br i1 %fits, label %fine, label %wrong
wrong:
  call void @llvm.trap()
  unreachable
fine:
  %count = and i32 %format, 255
  %count.wide = zext i32 %count to i64
  %first = mul i64 %number, %count.wide
  %offset = mul i64 %first, %size
  %p = load ptr, ptr %t, align 8
  %at = getelementptr i8, ptr %p, i64 %offset
  ret ptr %at
}
; Stores a component.
define void @caustic.texels.put.i(ptr addrspace(1) %p, i32 %kind, i64 %index, i64 %value) noinline nounwind {
  switch i32 %kind, label %floats [ i32 4, label %b8
    i32 5, label %b16
    i32 6, label %b32
    i32 7, label %b64
    i32 8, label %b8
    i32 9, label %b16
    i32 10, label %b32
    i32 11, label %b64 ]
b8:
  %p8 = getelementptr i8, ptr addrspace(1) %p, i64 %index
  %v8 = trunc i64 %value to i8
  store i8 %v8, ptr addrspace(1) %p8
  ret void
b16:
  %p16 = getelementptr i16, ptr addrspace(1) %p, i64 %index
  %v16 = trunc i64 %value to i16
  store i16 %v16, ptr addrspace(1) %p16
  ret void
b32:
  %p32 = getelementptr i32, ptr addrspace(1) %p, i64 %index
  %v32 = trunc i64 %value to i32
  store i32 %v32, ptr addrspace(1) %p32
  ret void
b64:
  %p64 = getelementptr i64, ptr addrspace(1) %p, i64 %index
  store i64 %value, ptr addrspace(1) %p64
  ret void
floats:
  %number = sitofp i64 %value to double
  call void @caustic.texels.float(ptr addrspace(1) %p, i32 %kind, i64 %index, double %number)
  ret void
}
define void @caustic.texels.put.f(ptr addrspace(1) %p, i32 %kind, i64 %index, double %value) noinline nounwind {
  %is.int = icmp ugt i32 %kind, 3
  br i1 %is.int, label %ints, label %floats
ints:
  %int = call i64 @llvm.fptosi.sat.i64.f64(double %value)
  call void @caustic.texels.put.i(ptr addrspace(1) %p, i32 %kind, i64 %index, i64 %int)
  ret void
floats:
  call void @caustic.texels.float(ptr addrspace(1) %p, i32 %kind, i64 %index, double %value)
  ret void
}
define void @caustic.texels.float(ptr addrspace(1) %p, i32 %kind, i64 %index, double %value) alwaysinline nounwind {
  switch i32 %kind, label %unit [ i32 1, label %half
    i32 2, label %single
    i32 3, label %double ]
unit:
  ; From 0 to 1 in 255 steps, the nearest; no number is 0.
  %low = call double @llvm.maxnum.f64(double %value, double 0.0)
  %clamped = call double @llvm.minnum.f64(double %low, double 1.0)
  %scaled = fmul double %clamped, 255.0
  %near = call double @llvm.round.f64(double %scaled)
  %steps = fptoui double %near to i32
  %byte = trunc i32 %steps to i8
  %p8 = getelementptr i8, ptr addrspace(1) %p, i64 %index
  store i8 %byte, ptr addrspace(1) %p8
  ret void
half:
  %v16 = fptrunc double %value to half
  %p16 = getelementptr half, ptr addrspace(1) %p, i64 %index
  store half %v16, ptr addrspace(1) %p16
  ret void
single:
  %v32 = fptrunc double %value to float
  %p32 = getelementptr float, ptr addrspace(1) %p, i64 %index
  store float %v32, ptr addrspace(1) %p32
  ret void
double:
  %p64 = getelementptr double, ptr addrspace(1) %p, i64 %index
  store double %value, ptr addrspace(1) %p64
  ret void
}
; Writes the components that the format has, if there is such a texel.
define void @caustic.texels.store.f(ptr %t, i64 %number, double %v0, double %v1, double %v2, double %v3) alwaysinline nounwind {
  %is.there = icmp sge i64 %number, 0
  br i1 %is.there, label %there, label %done
there:
  %format = call i32 @caustic.texels.field(ptr %t, i32 5)
  %kind = lshr i32 %format, 8
  %count = and i32 %format, 255
  %count.wide = zext i32 %count to i64
  %first = mul i64 %number, %count.wide
  %p = call ptr addrspace(1) @caustic.texels.address(ptr %t)
  call void @caustic.texels.put.f(ptr addrspace(1) %p, i32 %kind, i64 %first, double %v0)
  %second = add i64 %first, 1
  %has.two = icmp ugt i32 %count, 1
  br i1 %has.two, label %two, label %done
two:
  call void @caustic.texels.put.f(ptr addrspace(1) %p, i32 %kind, i64 %second, double %v1)
  %has.four = icmp ugt i32 %count, 2
  br i1 %has.four, label %four, label %done
four:
  %third = add i64 %first, 2
  %fourth = add i64 %first, 3
  call void @caustic.texels.put.f(ptr addrspace(1) %p, i32 %kind, i64 %third, double %v2)
  call void @caustic.texels.put.f(ptr addrspace(1) %p, i32 %kind, i64 %fourth, double %v3)
  br label %done
done:
  ret void
}
; Writes the components that the format has, if there is such a texel.
define void @caustic.texels.store.i(ptr %t, i64 %number, i64 %v0, i64 %v1, i64 %v2, i64 %v3) alwaysinline nounwind {
  %is.there = icmp sge i64 %number, 0
  br i1 %is.there, label %there, label %done
there:
  %format = call i32 @caustic.texels.field(ptr %t, i32 5)
  %kind = lshr i32 %format, 8
  %count = and i32 %format, 255
  %count.wide = zext i32 %count to i64
  %first = mul i64 %number, %count.wide
  %p = call ptr addrspace(1) @caustic.texels.address(ptr %t)
  call void @caustic.texels.put.i(ptr addrspace(1) %p, i32 %kind, i64 %first, i64 %v0)
  %second = add i64 %first, 1
  %has.two = icmp ugt i32 %count, 1
  br i1 %has.two, label %two, label %done
two:
  call void @caustic.texels.put.i(ptr addrspace(1) %p, i32 %kind, i64 %second, i64 %v1)
  %has.four = icmp ugt i32 %count, 2
  br i1 %has.four, label %four, label %done
four:
  %third = add i64 %first, 2
  %fourth = add i64 %first, 3
  call void @caustic.texels.put.i(ptr addrspace(1) %p, i32 %kind, i64 %third, i64 %v2)
  call void @caustic.texels.put.i(ptr addrspace(1) %p, i32 %kind, i64 %fourth, i64 %v3)
  br label %done
done:
  ret void
}

declare void @llvm.trap()
declare i32 @llvm.umax.i32(i32, i32)
declare double @llvm.maxnum.f64(double, double)
declare double @llvm.minnum.f64(double, double)
declare double @llvm.round.f64(double)
declare i64 @llvm.fptosi.sat.i64.f64(double)
