//! What is known of an integer: between which bounds it is, read as signed and as unsigned, and
//! which bits it has.

use crate::attr::sign_extend;
use std::fmt;

/// What is known of an integer of one width. A set i1 is -1 as signed and 1 as unsigned.
///
/// Reduced: bounds of either reading and the bits say of each other what they can.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct IntFact {
    /// The least and the greatest value as signed.
    pub signed: (i64, i64),
    /// The least and the greatest value as unsigned.
    pub unsigned: (u64, u64),
    /// Bits that no value has, within the width.
    pub zeros: u64,
    /// Bits that each value has.
    pub ones: u64,
    bits: u32,
}

/// The bits of the width.
fn mask(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// The value of `bits` bits read as signed.
fn signed(value: u64, bits: u32) -> i64 {
    if bits >= 64 { value as i64 } else { (value as i64) << (64 - bits) >> (64 - bits) }
}

impl IntFact {
    /// All integers of the width.
    pub fn top(bits: u32) -> IntFact {
        let most = (mask(bits) >> 1) as i64;
        IntFact { signed: (-most - 1, most), unsigned: (0, mask(bits)), zeros: 0, ones: 0, bits }
    }

    /// The value, of which the bits of the width count.
    pub fn constant(value: i64, bits: u32) -> IntFact {
        let pattern = value as u64 & mask(bits);
        let read = signed(pattern, bits);
        IntFact {
            signed: (read, read),
            unsigned: (pattern, pattern),
            zeros: !pattern & mask(bits),
            ones: pattern,
            bits,
        }
    }

    /// Integers from `least` to `most` as signed, both of which count too; `None` if there are none
    /// of the width.
    pub fn between(least: i64, most: i64, bits: u32) -> Option<IntFact> {
        let all = IntFact::top(bits);
        IntFact { signed: (least.max(all.signed.0), most.min(all.signed.1)), ..all }.reduced()
    }

    /// Integers from `least` to `most` as unsigned.
    pub fn between_unsigned(least: u64, most: u64, bits: u32) -> Option<IntFact> {
        IntFact { unsigned: (least, most.min(mask(bits))), ..IntFact::top(bits) }.reduced()
    }

    /// Integers without the bits of `zeros` and with those of `ones`.
    pub fn with_bits(zeros: u64, ones: u64, bits: u32) -> Option<IntFact> {
        IntFact { zeros: zeros & mask(bits), ones: ones & mask(bits), ..IntFact::top(bits) }.reduced()
    }

    pub fn bits(self) -> u32 {
        self.bits
    }
    /// All bits of the width.
    pub fn mask(self) -> u64 {
        mask(self.bits)
    }
    /// The bit of the sign.
    pub fn sign(self) -> u64 {
        1 << (self.bits.clamp(1, 64) - 1)
    }

    /// Both hold; `None` where no value is in both. The first stays where the widths differ.
    pub fn meet(self, other: IntFact) -> Option<IntFact> {
        if self.bits != other.bits {
            return Some(self);
        }
        let (a, b) = (self, other);
        IntFact {
            signed: (a.signed.0.max(b.signed.0), a.signed.1.min(b.signed.1)),
            unsigned: (a.unsigned.0.max(b.unsigned.0), a.unsigned.1.min(b.unsigned.1)),
            zeros: a.zeros | b.zeros,
            ones: a.ones | b.ones,
            bits: a.bits,
        }
        .reduced()
    }

    /// One of both holds; `None` for two widths.
    pub fn join(self, other: IntFact) -> Option<IntFact> {
        let (a, b) = (self, other);
        let joined = IntFact {
            signed: (a.signed.0.min(b.signed.0), a.signed.1.max(b.signed.1)),
            unsigned: (a.unsigned.0.min(b.unsigned.0), a.unsigned.1.max(b.unsigned.1)),
            zeros: a.zeros & b.zeros,
            ones: a.ones & b.ones,
            bits: a.bits,
        };
        joined.reduced().filter(|_| a.bits == b.bits)
    }

    /// Whether it may be this value, of which the bits of the width count.
    pub fn contains(self, value: i64) -> bool {
        let pattern = value as u64 & self.mask();
        let read = signed(pattern, self.bits);
        self.signed.0 <= read
            && read <= self.signed.1
            && self.unsigned.0 <= pattern
            && pattern <= self.unsigned.1
            && pattern & self.zeros == 0
            && pattern & self.ones == self.ones
    }

    /// The value as values are kept: sign-extended, but for i1, which is 0 or 1.
    pub fn as_constant(self) -> Option<i64> {
        let known = self.unsigned.0 == self.unsigned.1;
        known.then(|| sign_extend(self.unsigned.0 as i64, self.bits))
    }

    /// The least and the greatest value as values are kept.
    pub fn kept(self) -> (i64, i64) {
        if self.bits == 1 { (self.unsigned.0 as i64, self.unsigned.1 as i64) } else { self.signed }
    }

    pub fn never_zero(self) -> bool {
        self.unsigned.0 > 0 || self.signed.0 > 0 || self.signed.1 < 0
    }

    /// The same set, with all that the parts say of each other; `None` if it is empty.
    fn reduced(mut self) -> Option<IntFact> {
        // Each round takes bits or ends from something; what a few do not reach is not lost, only
        // not said twice.
        for _ in 0..8 {
            let before = self;
            self = self.step()?;
            if self == before {
                break;
            }
        }
        Some(self)
    }

    fn step(mut self) -> Option<IntFact> {
        let (mask, sign) = (self.mask(), self.sign());
        // The bits before the first in which the unsigned ends differ.
        let common = match self.unsigned.0 ^ self.unsigned.1 {
            0 => mask,
            differ => mask & !(u64::MAX >> differ.leading_zeros()),
        };
        self.ones |= self.unsigned.0 & common;
        self.zeros |= !self.unsigned.0 & common;
        if self.signed.0 >= 0 {
            self.zeros |= sign;
        } else if self.signed.1 < 0 {
            self.ones |= sign;
        }
        if self.zeros & sign != 0 {
            self.signed.0 = self.signed.0.max(0);
        }
        if self.ones & sign != 0 {
            self.signed.1 = self.signed.1.min(-1);
        }
        if self.zeros & self.ones != 0 || self.signed.0 > self.signed.1 || self.unsigned.0 > self.unsigned.1 {
            return None;
        }
        // The sign makes one reading of the other; without it the bits still say how far each sign
        // goes.
        let pattern = |v: i64| v as u64 & mask;
        if (self.zeros | self.ones) & sign != 0 {
            let (low, high) = (pattern(self.signed.0), pattern(self.signed.1));
            self.unsigned = (self.unsigned.0.max(low), self.unsigned.1.min(high));
        }
        self.unsigned = (least_of(self.unsigned.0, self)?, greatest_of(self.unsigned.1, self)?);
        if (self.zeros | self.ones) & sign != 0 {
            let (low, high) = (signed(self.unsigned.0, self.bits), signed(self.unsigned.1, self.bits));
            self.signed = (self.signed.0.max(low), self.signed.1.min(high));
        } else {
            // Signed order is unsigned order with the sign's bit flipped.
            let flipped = IntFact { zeros: self.zeros & !sign, ones: self.ones & !sign, ..self };
            let low = least_of(pattern(self.signed.0) ^ sign, flipped)?;
            let high = greatest_of(pattern(self.signed.1) ^ sign, flipped)?;
            self.signed = (signed(low ^ sign, self.bits), signed(high ^ sign, self.bits));
        }
        (self.unsigned.0 <= self.unsigned.1 && self.signed.0 <= self.signed.1).then_some(self)
    }
}

/// The least pattern from `from` on that the known bits allow.
fn least_of(from: u64, fact: IntFact) -> Option<u64> {
    let mask = fact.mask();
    let wrong = (from & fact.zeros) | (!from & fact.ones);
    if wrong == 0 {
        return Some(from);
    }
    // Below the first wrong bit everything is as small as can be. Where that bit is missing it is
    // set; where it is too much, a free bit above that is clear goes up.
    let first = 63 - wrong.leading_zeros();
    let at = if fact.ones >> first & 1 == 1 {
        first
    } else {
        let free = mask & !fact.zeros & !from & (u64::MAX << first) & !(1 << first);
        if free == 0 {
            return None;
        }
        free.trailing_zeros()
    };
    let above = if at >= 63 { 0 } else { from & (u64::MAX << (at + 1)) };
    Some(above | 1 << at | fact.ones & ((1 << at) - 1))
}

/// The greatest pattern up to `to` that the known bits allow.
fn greatest_of(to: u64, fact: IntFact) -> Option<u64> {
    let mask = fact.mask();
    let mirrored = IntFact { zeros: fact.ones, ones: fact.zeros, ..fact };
    least_of(!to & mask, mirrored).map(|v| !v & mask)
}

impl fmt::Debug for IntFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((a, b), (c, d)) = (self.signed, self.unsigned);
        write!(f, "i{} [{a}, {b}] u[{c}, {d}] zeros {:#x} ones {:#x}", self.bits, self.zeros, self.ones)
    }
}
