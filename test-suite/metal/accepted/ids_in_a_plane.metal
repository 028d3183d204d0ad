// Ids with two components and with one, and those of a group with more threads than lanes.
// GROUPS: 1 2
// THREADS: 20 2
// BUFFER(0): uint 0*80
// EXPECT(0): uint 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119
// EXPECT(0): uint 10200 10201 10202 10203 10204 10205 10206 10207 10208 10209 10210 10211 10212 10213 10214 10215 10216 10217 10218 10219 10300 10301 10302 10303 10304 10305 10306 10307 10308 10309 10310 10311 10312 10313 10314 10315 10316 10317 10318 10319
// BUFFER(1): uint 0*40
// EXPECT(1): uint 2000 2001 2002 2003 2004 2005 2006 2007 2008 2009 2010 2011 2012 2013 2014 2015 2016 2017 2018 2019 2020 2021 2022 2023 2024 2025 2026 2027 2028 2029 2030 2031 2100 2101 2102 2103 2104 2105 2106 2107
#include <metal_stdlib>
using namespace metal;

kernel void k(device uint* out [[buffer(0)]], device uint* lanes [[buffer(1)]],
              ushort2 p [[thread_position_in_grid]], uint2 g [[threadgroup_position_in_grid]],
              uint x [[thread_position_in_threadgroup]],
              uint index [[thread_index_in_threadgroup]], ushort lane [[thread_index_in_simdgroup]],
              uint simdgroup [[simdgroup_index_in_threadgroup]], uint count [[simdgroups_per_threadgroup]]) {
    out[p.y * 20 + x] = p.x + 100u * p.y + 10000 * g.y + 100000 * g.x;
    lanes[index] = lane + 100 * simdgroup + 1000 * count;
}
