//! Changes of several choices at once: a class that is not computed may cost more than it saves the
//! first that reads it, and gain where all that could read it do.

use super::{Problem, Used};

/// Classes that are changed together.
const MOST: usize = 16;
/// Steps for each class that is computed.
const STEPS: u64 = 30;

/// Where a class that is not computed could be read: the class, the reader, the reader's candidate.
type Reading = (u32, u32, u32);

/// All of them, by the class that is read.
fn readings(used: &Used<'_>, order: &[u32]) -> Vec<Reading> {
    let mut out = Vec::new();
    for &reader in order {
        for (k, node) in used.problem.classes[reader as usize].iter().enumerate() {
            if used.choice[reader as usize] == Some(k as u32) {
                continue;
            }
            let missing = |c: &&u32| used.reads[**c as usize] == 0 && used.node(**c).is_some();
            out.extend(node.children.iter().filter(missing).map(|&c| (c, reader, k as u32)));
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

impl Used<'_> {
    /// Lets all classes that could read one that is not computed read it, where that gains.
    pub(super) fn share(&mut self, steps: &mut u64) -> bool {
        let Some(order) = self.order() else { return false };
        let readings = readings(self, &order);
        self.rank(&order);
        let few = (STEPS * order.len() as u64).min(*steps);
        let mut left = few;
        let mut gained = false;
        for group in readings.chunk_by(|a, b| a.0 == b.0) {
            let several = group.iter().any(|r| r.1 != group[0].1);
            if several && group.len() <= MOST && self.reads[group[0].0 as usize] == 0 && left > 0 {
                left -= 1;
                gained |= self.change(group, &mut left);
            }
        }
        *steps -= few - left;
        gained
    }

    /// Changes what the readings say, and back if that does not gain.
    fn change(&mut self, group: &[Reading], steps: &mut u64) -> bool {
        let problem: &Problem = self.problem;
        let before = self.cost;
        let mut done: Vec<(u32, u32)> = Vec::new();
        let mut ranks = Vec::new();
        for &(_, c, k) in group {
            let node = &problem.classes[c as usize][k as usize];
            let Some(old) = self.choice[c as usize].filter(|&old| old != k) else { continue };
            let is_done = done.iter().any(|d| d.0 == c);
            if is_done || self.reads[c as usize] == 0 || self.leads_back(c, node, steps) {
                continue;
            }
            if done.is_empty() {
                // Nothing is known of the order once something has changed.
                ranks = std::mem::take(&mut self.ranks);
                self.rank(&[]);
            }
            self.switch(c, k);
            done.push((c, old));
        }
        if self.cost < before {
            if let Some(order) = self.order() {
                self.rank(&order);
            }
            return true;
        }
        if !done.is_empty() {
            self.ranks = ranks;
        }
        for (c, old) in done.into_iter().rev() {
            self.switch(c, old);
        }
        self.cost = before;
        false
    }
}
