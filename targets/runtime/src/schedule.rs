//! The threads of one group in an order that is drawn: any that a machine may run them in.
//!
//! A machine that runs lanes of a wave together promises nothing about which: lanes that took the
//! same way may run apart, and lanes in different iterations of a loop together. What it does
//! promise is that an op with a mask waits for exactly the lanes of that. So here a wave operation
//! with a mask goes on when all lanes of it wait at that op with that mask, in whatever iteration
//! each of them is; one without goes on for any of the lanes that wait at it. A program that is
//! right gives in each order what it gives where dynamic instances are told apart
//! ([`crate::group`]).
//!
//! Between two ops that bring threads together a thread runs alone.

use crate::dispatch::Trap;
use crate::group::{Stacks, State, Thread, WAVE_SIZE, divergent, let_group_go};
use caustic_ir::eval::Scope;
use std::sync::Arc;

/// Of so many steps one looks for lanes that can go on together, the others run a thread that can
/// go on by itself.
const LOOK: u64 = 8;

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn below(&mut self, count: u64) -> u64 {
        self.next() % count.max(1)
    }
    fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        let at = self.below(from.len() as u64);
        from.get(at as usize)
    }
}

/// Runs threads to their ends, one in each coroutine.
pub(crate) fn run<V: Clone>(threads: &mut [Thread<V>], seed: u64, stacks: &mut Stacks) -> Result<(), (u32, Trap)> {
    let mut random = Random(seed);
    loop {
        let is_ready = |t: &Thread<V>| matches!(t.state, State::Ready(_));
        let ready: Vec<usize> = (0..threads.len()).filter(|&i| is_ready(&threads[i])).collect();
        if (ready.is_empty() || random.below(LOOK) == 0) && let_some_go(threads, &mut random)? {
            continue;
        }
        if let Some(&i) = random.pick(&ready) {
            let thread = &mut threads[i];
            if let State::Ready(go) = &mut thread.state {
                let go = go.take();
                thread.resume(go, stacks).map_err(|trap| (thread.first, trap))?;
            }
            continue;
        }
        if threads.iter().all(|t| t.waits_at().is_none()) {
            return Ok(());
        }
        if !let_group_go(threads) {
            return Err(stuck(threads));
        }
    }
}

/// Lets lanes of one of the waves go on, if there are any that can.
fn let_some_go<V: Clone>(threads: &mut [Thread<V>], random: &mut Random) -> Result<bool, (u32, Trap)> {
    let mut ways: Vec<Vec<usize>> = Vec::new();
    let size = WAVE_SIZE as usize;
    for (n, wave) in threads.chunks(size).enumerate() {
        for lane in 0..wave.len() {
            if let Some(together) = can_go(wave, lane)? {
                ways.push(together.into_iter().map(|lane| n * size + lane).collect());
            }
        }
    }
    let Some(way) = random.pick(&ways) else { return Ok(false) };
    let all = threads[way[0]].waits_at().is_some_and(|w| w.mask.is_some());
    let mut way = way.clone();
    if !all && random.below(2) == 0 {
        let first = random.below(way.len() as u64) as usize;
        way = way.iter().enumerate().filter(|(i, _)| *i == first || random.below(2) == 0).map(|(_, &t)| t).collect();
    }
    let brought = |i: &usize| Some((threads[*i].first % WAVE_SIZE, threads[*i].waits_at()?.value.clone()));
    let gathered: Arc<Vec<(u32, V)>> = Arc::new(way.iter().filter_map(brought).collect());
    way.into_iter().for_each(|i| threads[i].state = State::Ready(Some(gathered.clone())));
    Ok(true)
}

/// The lanes with which this one may go on: those of its mask, if all are here, or all that are at
/// the same op. Lanes that have ended are waited for by nobody.
fn can_go<V: Clone>(wave: &[Thread<V>], lane: usize) -> Result<Option<Vec<usize>>, (u32, Trap)> {
    let Some(me) = wave[lane].waits_at().filter(|w| w.scope == Scope::Wave) else { return Ok(None) };
    let here = |i: usize| wave[i].waits_at().is_some_and(|w| w.mask == me.mask && w.at.is_same_place(&me.at));
    let Some(mask) = me.mask else { return Ok(Some((0..wave.len()).filter(|&i| here(i)).collect())) };
    if mask & 1 << lane == 0 {
        let message = format!("lane {lane} comes to a wave operation that is for the lanes {mask:#010x}");
        return Err((wave[lane].first, Trap { message, loc: me.loc, thread: None }));
    }
    let of_mask = || (0..wave.len()).filter(|i| mask & 1 << i != 0);
    let all = of_mask().all(|i| here(i) || matches!(wave[i].state, State::Done));
    Ok(all.then(|| of_mask().filter(|&i| here(i)).collect()))
}

/// Nobody can go on: lanes wait for others that do not come, or a barrier stands in divergent
/// control flow.
fn stuck<V: Clone>(threads: &[Thread<V>]) -> (u32, Trap) {
    let at_wave_op = threads.iter().find_map(|t| t.waits_at().filter(|w| w.scope == Scope::Wave).map(|w| (t.first, w)));
    let Some((number, waiting)) = at_wave_op else { return divergent(threads) };
    let mask = waiting.mask.unwrap_or_default();
    let message = format!("a wave operation waits for the lanes {mask:#010x}, of which some do not come to it");
    (number, Trap { message, loc: waiting.loc, thread: None })
}

#[cfg(test)]
mod tests {
    use crate::group::{Instance, Stacks, run_group_in_any_order};
    use caustic_ir::Loc;
    use caustic_ir::eval::{InstanceStep, Scope};
    use std::cell::RefCell;

    /// Lanes 0 to 7 run 3 iterations of an op, each but the first two only two of them. Which
    /// iterations met, by the number of meetings.
    fn meetings(seed: u64, masks: [Option<u32>; 3]) -> (Result<(), String>, Vec<Vec<u32>>) {
        let seen = RefCell::new(Vec::new());
        let done = run_group_in_any_order::<u32>(8, &mut Stacks::new(64 << 10), seed, &|n, _, meet| {
            let mut instance = Instance::default();
            instance.step(InstanceStep::Enter(3));
            for i in 0..if n < 2 { 3 } else { 2 } {
                instance.step(InstanceStep::Next);
                let mask = masks[i as usize];
                let Some(all) = meet.wait_for(Scope::Wave, instance.at(4), mask, i, Loc::unknown()) else {
                    return Ok(());
                };
                if all.first().is_some_and(|(first, _)| *first == n) {
                    seen.borrow_mut().push(all.iter().map(|(_, i)| *i).collect());
                }
            }
            Ok(())
        });
        (done.map_err(|(_, trap)| trap.message), seen.into_inner())
    }

    #[test]
    fn a_mask_brings_together_one_iteration_only() {
        for seed in 0..20 {
            let (done, met) = meetings(seed, [Some(0xff), Some(0xff), Some(0b11)]);
            assert_eq!(done, Ok(()));
            assert_eq!(met, [vec![0; 8], vec![1; 8], vec![2; 2]]);
        }
    }

    #[test]
    fn without_a_mask_iterations_meet() {
        let mixed = |seed| meetings(seed, [None; 3]).1.iter().any(|met| met.iter().any(|i| *i != met[0]));
        assert!((0..20).any(mixed));
    }

    #[test]
    fn a_mask_with_lanes_that_do_not_come_is_found() {
        // A lane of the mask has ended: the others go on without it, which the op finds. One that
        // waits elsewhere is never there.
        let (done, met) = meetings(1, [Some(0xff), Some(0xff), Some(0xff)]);
        assert_eq!((done, met.last().map(Vec::len)), (Ok(()), Some(2)));
        let (done, _) = meetings(1, [Some(0xff), Some(0b11), Some(0b11)]);
        assert!(done.is_err_and(|message| message.contains("is for the lanes 0x00000003")));
    }
}
