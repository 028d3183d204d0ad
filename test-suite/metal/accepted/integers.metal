// Integer functions, each of a width that shows how far it looks.
// BUFFER(0): int -7 7 2147483647 -2147483648 5 | uint 0x80000001 0xffffffff
// BUFFER(1): int 0*40
// BUFFER(2): long -2 9223372036854775807 0 0 0 0
// EXPECT(1): int 7 14 2147483647 -2147483648 -1 1 3 6 -128 127 0 255 -3 4 -4 7 -2147483647 3 1 31 0 8 24 2 -2147483647 15 -1 250 -1 -49 100 -5 3 8 16 1 -28 2 1 5
// EXPECT(2): long -2 9223372036854775807 -1 9223372036854775806 9223372036854775807 1
#include <metal_stdlib>
using namespace metal;

struct In {
    int a, b, most, least, five;
    uint top, all;
};

void first(thread const In& in, device int* out) {
    out[0] = abs(in.a);
    out[1] = absdiff(in.a, in.b);
    out[2] = addsat(in.most, in.b);
    out[3] = subsat(in.least, in.b);
    out[4] = mulhi(in.a, in.b);
    out[5] = int(mulhi(in.top, 2u));
    out[6] = int(popcount(in.top) + 1);
    out[7] = int(popcount(uchar(in.all)) - 2);
    out[8] = subsat(char(-100), char(100));
    out[9] = addsat(char(100), char(100));
    out[10] = subsat(uchar(1), uchar(2));
    out[11] = addsat(uchar(200), uchar(100));
    out[12] = extract_bits(in.five, 0, 3);
    out[13] = int(extract_bits(in.top, 29, 3));
    out[14] = hadd(in.a, -1);
    out[15] = rhadd(in.b, 6);
    out[16] = as_type<int>(in.top);
    out[17] = int(rotate(in.top, 1u));
    out[18] = int(reverse_bits(0x80000000u));
    out[19] = int(clz(1u));
}

void second(thread const In& in, device int* out) {
    out[20] = clz(in.a);
    out[21] = clz(uchar(0));
    out[22] = int(ctz(0x1000000u));
    out[23] = clamp(in.b, 0, 2);
    out[24] = rotate(as_type<int>(0xc0000000u), 1);
    out[25] = int(insert_bits(1u, 7u, 1, 3));
    out[26] = extract_bits(as_type<int>(in.all), 3, 29);
    out[27] = uchar(rotate(uchar(0xf5), uchar(9)) + 15);
    out[28] = madsat(in.most, 2, 1) == in.most ? -1 : 0;
    out[29] = madhi(in.a, in.b, -48);
    out[30] = max3(1, 100, 50);
    out[31] = min3(in.a + 2, 1, 50);
    out[32] = median3(9, 3, 1);
    out[33] = mad24(2, 3, 2);
    out[34] = int(mul24(0x1000004u, 4u));
    out[35] = popcount(short(1024));
    const int3 v = mulhi(int3(in.a, in.b, in.most), int3(in.five)) + absdiff(int3(1), in.five);
    out[36] = -(v.x + v.y + v.z + 15);
    out[37] = ctz(char(4));
    out[38] = reverse_bits(uchar(128));
    out[39] = abs(short3(-5, 1, 2)).x;
}

kernel void k(constant In& in [[buffer(0)]], device int* out [[buffer(1)]], device long* wide [[buffer(2)]]) {
    const In all = in;
    first(all, out);
    second(all, out);
    wide[2] = mulhi(wide[0], wide[1]);
    wide[3] = as_type<long>(mulhi(as_type<ulong>(wide[1]), as_type<ulong>(wide[0])));
    wide[4] = addsat(wide[1], wide[1]);
    wide[5] = clz(wide[1]);
}
