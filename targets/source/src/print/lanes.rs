//! Exchanges between the lanes of a wave on a machine that has waves: the lanes that take part are
//! those of a mask, a value of the program, and all of them come to the exchange.
//!
//! Floats are combined in the order of the lanes, as the reference does.

use super::expr::{Bound, atom};
use super::{Frame, Printer};
use crate::tree::Expr;
use crate::types::Ty;
use caustic_dialects::gpu;
use caustic_dialects::reflect::Scalar;
use caustic_dialects::simt;
use caustic_ir::Diagnostic;

impl Printer<'_> {
    pub(super) fn lanes(
        &mut self,
        f: &Frame<'_>,
        (op, word, result): (&str, &str, usize),
        args: &[Expr],
        masked: bool,
    ) -> Result<Bound, Diagnostic> {
        let (mask, args) = match args.split_last().filter(|_| masked) {
            Some((mask, rest)) => (self.expr(f, mask)?, rest),
            None => ("~0u".to_string(), args),
        };
        self.need("lanes");
        let lane = format!("{} % 32", self.thread_index());
        let Some(first) = args.first() else {
            return match op == simt::WaveElect::NAME {
                true => Ok(atom(format!("({lane} == first_lane({mask}))"))),
                false => Err(self.internal("an exchange of nothing")),
            };
        };
        let (value, ty) = (self.expr(f, first)?, first.ty.clone());
        let of = self.ty(&ty)?;
        let text = match op {
            _ if op == gpu::SubgroupReduce::NAME && reduction(word, &ty).is_some() => {
                let function = reduction(word, &ty).unwrap_or_default();
                self.need(function);
                // Bits of numbers with a sign are combined as those of numbers without one.
                match ty.scalar() {
                    Some(Scalar::I32) if ["wave_and", "wave_or", "wave_xor"].contains(&function) => {
                        format!("int({function}<uint>({mask}, uint({value})))")
                    }
                    _ => format!("{function}<{of}>({mask}, {value})"),
                }
            }
            _ if op == gpu::SubgroupReduce::NAME => {
                let (none, combined) = (self.identity(word, &ty)?, self.combiner(word, &ty)?);
                format!("wave_fold<{of}>({mask}, {value}, 32, {none}, {combined})")
            }
            _ if op == simt::WaveScan::NAME => {
                let (kind, end) = match word.strip_prefix("inclusive ") {
                    Some(kind) => (kind, format!("{lane} + 1")),
                    None => (word, lane),
                };
                let (none, combined) = (self.identity(kind, &ty)?, self.combiner(kind, &ty)?);
                format!("wave_fold<{of}>({mask}, {value}, {end}, {none}, {combined})")
            }
            _ if op == simt::WaveReadFirst::NAME => format!("of_lane<{of}>({mask}, {value}, first_lane({mask}))"),
            _ if op == simt::WaveReadLane::NAME => {
                let lane = args.get(1).ok_or_else(|| self.internal("no lane"))?;
                format!("wave_read<{of}>({mask}, {value}, {})", self.index(f, lane)?)
            }
            _ if op == gpu::Shuffle::NAME => {
                let [_, offset, width] = args else { return Err(self.internal("a shuffle without a width")) };
                let (offset, width) = (self.signed(f, offset)?, self.signed(f, width)?);
                let from = match word {
                    "xor" => format!("int64_t({lane}) ^ ({offset})"),
                    "up" => format!("int64_t({lane}) - ({offset})"),
                    "down" => format!("int64_t({lane}) + ({offset})"),
                    _ => offset,
                };
                self.need("shuffle");
                match result {
                    0 => format!("wave_shuffle<{of}>({mask}, {lane}, {value}, {from}, {width})"),
                    _ => format!("wave_reaches({mask}, {lane}, {from}, {width})"),
                }
            }
            _ if op == simt::WaveBallot::NAME => format!("__ballot_sync({mask}, {value})"),
            _ if op == simt::WaveVote::NAME => format!("(__{word}_sync({mask}, {value}) != 0)"),
            _ if op == simt::WaveMatch::NAME => {
                self.need("lanes_equal");
                format!("wave_match<{of}>({mask}, {value})")
            }
            _ if op == simt::WaveAllEqual::NAME => {
                self.need("lanes_equal");
                format!("wave_equal({mask}, {value})")
            }
            _ if op == simt::WaveSums::NAME => self.lane_sums(f, &mask, &lane, args)?,
            _ if op == simt::WaveSumsByKey::NAME => {
                self.need("lane_sums");
                let [_, key, values @ ..] = args else { return Err(self.internal("sums without a key")) };
                let peers = format!("wave_peers({mask}, {value}, {})", self.expr(f, key)?);
                let Some(summed) = result.checked_sub(1) else {
                    return Ok(atom(format!("wave_leads({lane}, {value}, {peers})")));
                };
                let summed = values.get(summed).ok_or_else(|| self.internal("no such sum"))?;
                let (own, ty) = (self.expr(f, summed)?, summed.ty.clone());
                let of = self.ty(&ty)?;
                let (none, add) = (self.identity("add", &ty)?, self.combiner("add", &ty)?);
                format!("wave_lead<{of}>({mask}, {lane}, {value}, {peers}, {own}, {none}, {add})")
            }
            _ => return Err(self.refuse(format!("`{op}`"))),
        };
        Ok(atom(text))
    }

    /// Several sums, of which each lane is given one.
    fn lane_sums(&mut self, f: &Frame<'_>, mask: &str, lane: &str, args: &[Expr]) -> super::Text {
        self.need("lane_sums");
        let ty = args[0].ty.clone();
        let of = self.ty(&ty)?;
        // Numbers of one width are added alike, with a sign or without one.
        let value = |p: &mut Self, a: &Expr| {
            let text = p.expr(f, a)?;
            Ok(if a.ty == ty { text } else { format!("{of}({text})") })
        };
        let values = args.iter().map(|a| value(self, a)).collect::<Result<Vec<_>, Diagnostic>>()?;
        let (none, add) = (self.identity("add", &ty)?, self.combiner("add", &ty)?);
        let number = format!("{lane} / {}", simt::lanes_of_sum(values.len()));
        let (count, values) = (values.len(), values.join(", "));
        Ok(format!("wave_sums<{of}, {count}>({mask}, {number}, {{{values}}}, {none}, {add})"))
    }

    /// A number of lanes, which may be negative.
    fn signed(&mut self, f: &Frame<'_>, value: &Expr) -> super::Text {
        let text = self.expr(f, value)?;
        Ok(format!("int64_t({})", if value.ty.is_unsigned() { format!("int({text})") } else { text }))
    }
}

/// The snippet that reduces such numbers by one instruction, if machines have it.
fn reduction(kind: &str, ty: &Ty) -> Option<&'static str> {
    if !matches!(ty, Ty::Scalar(Scalar::I32 | Scalar::U32)) {
        return None;
    }
    Some(match kind {
        "add" => "wave_add",
        "and" => "wave_and",
        "or" => "wave_or",
        "xor" => "wave_xor",
        "minsi" | "minui" => "wave_min",
        "maxsi" | "maxui" => "wave_max",
        _ => return None,
    })
}
