//! Maximum flow and minimum cut (Dinic's algorithm), on small graphs with capacities that may be
//! unlimited.
//!
//! Must not know: what nodes stand for. No recursion; the number of rounds is bounded by the number
//! of nodes, as the algorithm's proof has it.

/// Larger than any sum of capacities that occurs.
pub const UNLIMITED: u64 = u64::MAX / 4;

struct Arc {
    to: u32,
    /// What still goes through; the arc back stands beside it.
    left: u64,
}

/// A flow network under construction.
#[derive(Default)]
pub struct Network {
    arcs: Vec<Arc>,
    /// Arcs that leave each node, by number. Arc `i` and arc `i ^ 1` are each other's way back.
    leaving: Vec<Vec<u32>>,
}

impl Network {
    pub fn add_node(&mut self) -> usize {
        self.leaving.push(Vec::new());
        self.leaving.len() - 1
    }

    pub fn add_arc(&mut self, from: usize, to: usize, capacity: u64) {
        for (from, to, left) in [(from, to, capacity.min(UNLIMITED)), (to, from, 0)] {
            self.leaving[from].push(self.arcs.len() as u32);
            self.arcs.push(Arc { to: to as u32, left });
        }
    }

    /// Distances from the source over arcs with room.
    fn levels(&self, source: usize) -> Vec<u32> {
        let mut level = vec![u32::MAX; self.leaving.len()];
        level[source] = 0;
        let mut queue = std::collections::VecDeque::from([source]);
        while let Some(node) = queue.pop_front() {
            for &a in &self.leaving[node] {
                let arc = &self.arcs[a as usize];
                if arc.left > 0 && level[arc.to as usize] == u32::MAX {
                    level[arc.to as usize] = level[node] + 1;
                    queue.push_back(arc.to as usize);
                }
            }
        }
        level
    }

    /// Fills every shortest path.
    fn block(&mut self, source: usize, sink: usize, level: &[u32]) {
        let mut next = vec![0usize; self.leaving.len()];
        let mut path: Vec<u32> = Vec::new();
        let mut node = source;
        loop {
            if node == sink {
                let room = path.iter().map(|&a| self.arcs[a as usize].left).min().unwrap_or(0);
                for &a in &path {
                    self.arcs[a as usize].left -= room;
                    self.arcs[a as usize ^ 1].left = self.arcs[a as usize ^ 1].left.saturating_add(room);
                }
                // Back to where the first full arc starts.
                let full = path.iter().position(|&a| self.arcs[a as usize].left == 0).unwrap_or(0);
                node = self.arcs[path[full] as usize ^ 1].to as usize;
                path.truncate(full);
            }
            let ways = &self.leaving[node];
            let open = ways[next[node]..].iter().position(|&a| {
                let arc = &self.arcs[a as usize];
                arc.left > 0 && level[arc.to as usize] == level[node] + 1
            });
            match open {
                Some(skipped) => {
                    next[node] += skipped;
                    let a = ways[next[node]];
                    path.push(a);
                    node = self.arcs[a as usize].to as usize;
                }
                None => {
                    let Some(a) = path.pop() else { return };
                    node = self.arcs[a as usize ^ 1].to as usize;
                    next[node] += 1;
                }
            }
        }
    }

    /// The source's side of a minimum cut: true for each node on it. It is the smallest such side.
    pub fn cut(mut self, source: usize, sink: usize) -> Vec<bool> {
        for _ in 0..=self.leaving.len() {
            let level = self.levels(source);
            if level[sink] == u32::MAX {
                return level.iter().map(|&l| l != u32::MAX).collect();
            }
            self.block(source, sink, &level);
        }
        // Not reached: each round makes the shortest path longer. Everything on the source's side
        // is a cut that costs most.
        let mut all = vec![true; self.leaving.len()];
        all[sink] = false;
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The capacity of the cheapest cut, by trying all.
    fn cheapest(nodes: usize, arcs: &[(usize, usize, u64)]) -> u64 {
        let cost = |side: usize| {
            let on = |n: usize| side >> n & 1 == 1;
            arcs.iter().filter(|(f, t, _)| on(*f) && !on(*t)).map(|a| a.2).sum::<u64>()
        };
        (0..1usize << nodes).filter(|s| s & 1 == 1 && s >> (nodes - 1) & 1 == 0).map(cost).min().unwrap_or(0)
    }

    #[test]
    fn the_cut_is_the_cheapest_of_all() {
        let mut seed = 7u64;
        let mut random = |n: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % n
        };
        for _ in 0..400 {
            let nodes = 2 + random(7) as usize;
            let arcs: Vec<(usize, usize, u64)> = (0..random(24))
                .map(|_| (random(nodes as u64) as usize, random(nodes as u64) as usize, random(10)))
                .filter(|a| a.0 != a.1)
                .collect();
            let mut network = Network::default();
            (0..nodes).for_each(|_| {
                network.add_node();
            });
            arcs.iter().for_each(|&(f, t, c)| network.add_arc(f, t, c));
            let side = network.cut(0, nodes - 1);
            assert!(side[0] && !side[nodes - 1]);
            let found: u64 = arcs.iter().filter(|(f, t, _)| side[*f] && !side[*t]).map(|a| a.2).sum();
            assert_eq!(found, cheapest(nodes, &arcs), "{arcs:?}");
        }
    }
}
