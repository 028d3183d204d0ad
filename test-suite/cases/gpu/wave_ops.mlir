// RUN: caustic run %s --backend %backend --buffer r=zero:204 --read r --format json
// NOTE: A group of 40 threads: a whole wave and one of 8 lanes. Each operation writes what lanes 3, 31 and 35 get.
// NOTE: sum of lanes; exclusive and inclusive sums; max of -i; first; lane 5; ballot of odd; any i > 34; all i < 32; all equal; match of i % 4;
// NOTE: i xor 1; whether that is there; elect; lane, wave, waves.
// EXPECT-JSON: {"r": [496, 496, 284, 3, 465, 99, 6, 496, 134, 0, 0, -32, 0, 0, 32, 5, 5, 37, -1431655766, -1431655766, 170, 0, 0, 1, 1, 1, 0, 0, 0, 0, -2004318072, -2004318072, 136, 2, 30, 34, 1, 1, 1, 0, 0, 0, 3, 31, 3, 0, 0, 1, 2, 2, 2]}
!buffer = !agg.buffer<i32, "rw">
module {
  agg.resource @r attributes {type = !buffer, reflect = {name = "r", kind = "rw_buffer", type = "i32"}}
  func.func @put(%slot: index, %v: i32) {
    %r = agg.global @r : !buffer
    %i = gpu.thread_id x
    %three = arith.constant 3 : index
    %base = arith.muli %slot, %three : index
    scf.index_switch %i
    case 3 {
      agg.buffer_store %v, %r, %base[] {path = []} : (i32, !buffer, index) -> ()
      scf.yield
    }
    case 31 {
      %one = arith.constant 1 : index
      %at = arith.addi %base, %one : index
      agg.buffer_store %v, %r, %at[] {path = []} : (i32, !buffer, index) -> ()
      scf.yield
    }
    case 35 {
      %two = arith.constant 2 : index
      %at = arith.addi %base, %two : index
      agg.buffer_store %v, %r, %at[] {path = []} : (i32, !buffer, index) -> ()
      scf.yield
    }
    default {
      scf.yield
    }
    return
  }
  func.func @put_bit(%slot: index, %b: i1) {
    %v = arith.extui %b : i1 to i32
    func.call @put(%slot, %v) : (index, i32) -> ()
    return
  }
  func.func @computeMain() attributes {entry = {stage = "compute", numthreads = array<i64: 40, 1, 1>}} {
    %i = gpu.thread_id x
    %x = arith.index_cast %i : index to i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %width = arith.constant 32 : i32
    %neg = arith.subi %zero, %x : i32
    %sum = gpu.subgroup_reduce add %x : (i32) -> i32
    %s0 = arith.constant 0 : index
    func.call @put(%s0, %sum) : (index, i32) -> ()
    %before = simt.wave_scan add %x : i32
    %s1 = arith.constant 1 : index
    func.call @put(%s1, %before) : (index, i32) -> ()
    %upto = simt.wave_scan add %x {inclusive} : i32
    %s2 = arith.constant 2 : index
    func.call @put(%s2, %upto) : (index, i32) -> ()
    %max = gpu.subgroup_reduce maxsi %neg : (i32) -> i32
    %s3 = arith.constant 3 : index
    func.call @put(%s3, %max) : (index, i32) -> ()
    %first = simt.wave_read_first %x : i32
    %s4 = arith.constant 4 : index
    func.call @put(%s4, %first) : (index, i32) -> ()
    %five = arith.constant 5 : i32
    %at = simt.wave_read_lane %x, %five : i32, i32
    %s5 = arith.constant 5 : index
    func.call @put(%s5, %at) : (index, i32) -> ()
    %bit = arith.andi %x, %one : i32
    %odd = arith.cmpi eq, %bit, %one : i32
    %mask = simt.wave_ballot %odd
    %s6 = arith.constant 6 : index
    func.call @put(%s6, %mask) : (index, i32) -> ()
    %limit = arith.constant 34 : i32
    %high = arith.cmpi sgt, %x, %limit : i32
    %any = simt.wave_vote "any" %high
    %s7 = arith.constant 7 : index
    func.call @put_bit(%s7, %any) : (index, i1) -> ()
    %low = arith.cmpi slt, %x, %width : i32
    %all = simt.wave_vote "all" %low
    %s8 = arith.constant 8 : index
    func.call @put_bit(%s8, %all) : (index, i1) -> ()
    %equal = simt.wave_all_equal %x : i32
    %s9 = arith.constant 9 : index
    func.call @put_bit(%s9, %equal) : (index, i1) -> ()
    %mod = arith.andi %x, %three : i32
    %same = simt.wave_match %mod : i32
    %s10 = arith.constant 10 : index
    func.call @put(%s10, %same) : (index, i32) -> ()
    %other, %ok = "gpu.shuffle"(%x, %one, %width) {mode = #gpu<shuffle_mode xor>} : (i32, i32, i32) -> (i32, i1)
    %s11 = arith.constant 11 : index
    func.call @put(%s11, %other) : (index, i32) -> ()
    %s12 = arith.constant 12 : index
    func.call @put_bit(%s12, %ok) : (index, i1) -> ()
    %elected = simt.wave_elect
    %s13 = arith.constant 13 : index
    func.call @put_bit(%s13, %elected) : (index, i1) -> ()
    %lane = gpu.lane_id
    %lane32 = arith.index_cast %lane : index to i32
    %s14 = arith.constant 14 : index
    func.call @put(%s14, %lane32) : (index, i32) -> ()
    %wave = gpu.subgroup_id : index
    %wave32 = arith.index_cast %wave : index to i32
    %s15 = arith.constant 15 : index
    func.call @put(%s15, %wave32) : (index, i32) -> ()
    %waves = gpu.num_subgroups : index
    %waves32 = arith.index_cast %waves : index to i32
    %s16 = arith.constant 16 : index
    func.call @put(%s16, %waves32) : (index, i32) -> ()
    return
  }
}
