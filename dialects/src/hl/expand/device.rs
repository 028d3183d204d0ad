//! Builtin operations on threads, waves and memory: ops with attributes, which the prelude writes
//! as `op<variant>`.

use super::{from_index, op_named};
use crate::arith::build;
use crate::{agg, gpu, simt};
use caustic_ir::{Attr, Builder, Type, ValueId};

/// `op<variant>` in two.
pub(super) fn split_variant(name: &str) -> (&str, Option<&str>) {
    match name.strip_suffix('>').and_then(|n| n.split_once('<')) {
        Some((op, variant)) => (op, Some(variant)),
        None => (name, None),
    }
}

/// A value from such an op; `None` if there is none of that name and variant.
pub(super) fn device_value(
    b: &mut Builder<'_>,
    op: &str,
    variant: Option<&str>,
    values: &[ValueId],
    to: Type,
) -> Option<ValueId> {
    let def = op_named(op)?;
    let erased = super::super::source::erase(to);
    let mut attrs: Vec<(&str, Attr)> = Vec::new();
    match (op, variant) {
        (
            gpu::LaneId::NAME
            | gpu::SubgroupId::NAME
            | gpu::NumSubgroups::NAME
            | gpu::SubgroupSize::NAME
            | agg::BufferLen::NAME,
            None,
        ) => {
            let id = b.create_one(def, values, Type::index(), &[]);
            return Some(from_index(b, id, to));
        }
        (gpu::BlockDim::NAME | gpu::GridDim::NAME | gpu::BlockId::NAME | gpu::ThreadId::NAME, Some(dim)) => {
            let dim = ["x", "y", "z"].iter().position(|d| *d == dim)?;
            let size = gpu::build_id(b, def, dim);
            return Some(from_index(b, size, to));
        }
        (gpu::SubgroupReduce::NAME, Some(kind)) => attrs.push(("op", gpu::reduce_attr(kind))),
        (simt::WaveScan::NAME, Some(kind)) => {
            let inclusive = kind.strip_suffix(", inclusive");
            attrs.push(("op", gpu::reduce_attr(inclusive.unwrap_or(kind))));
            if inclusive.is_some() {
                attrs.push(("inclusive", Attr::unit()));
            }
        }
        (simt::WaveSumsByKey::NAME, None) => {
            // A struct of whether this lane is the first, and of the sums.
            let summed = values.get(2..)?.iter().map(|&v| b.ty(v));
            let types: Vec<Type> = std::iter::once(Type::i1()).chain(summed).collect();
            let op = b.create(def, values, &types, &[], 0);
            let found = b.body.results(op).to_vec();
            return Some(b.create_one(agg::Make::DEF, &found, erased, &[]));
        }
        (simt::AggregationOf::NAME, Some(kind)) => attrs.push(("kind", Attr::string(kind))),
        (simt::WaveVote::NAME, Some(mode)) => attrs.push(("mode", Attr::string(mode))),
        (agg::BufferCount::NAME, Some(delta)) => attrs.push(("delta", Attr::i64(delta.parse().ok()?))),
        (agg::Extract::NAME, Some(part)) => attrs.push(("path", Attr::i64_array(&[part.parse().ok()?]))),
        (crate::tex::Gather::NAME, Some(component)) => attrs.push(("component", Attr::i64(component.parse().ok()?))),
        (_, None) => {}
        _ => return None,
    }
    Some(b.create_one(def, values, erased, &attrs))
}

/// An op without a value; false if there is none of that name and variant.
pub fn perform(b: &mut Builder<'_>, name: &str, values: &[ValueId]) -> bool {
    if name == "abort" {
        let index = build::index(b, agg::ABORT);
        agg::CheckIndex::build(b, index, &[("count", Attr::int(0, Type::i64()))]);
        return true;
    }
    let (op, variant) = split_variant(name);
    let Some(def) = op_named(op) else { return false };
    let mut attrs: Vec<(&str, Attr)> = Vec::new();
    match (op, variant) {
        (gpu::Barrier::NAME | simt::Fence::NAME, Some(memory)) => attrs.push(("memory", Attr::string(memory))),
        (_, None) => {}
        _ => return false,
    }
    b.create(def, values, &[], &attrs, 0);
    true
}
