//! The threads of one group, run as if at the same time.
//!
//! Each thread is a coroutine on a stack of its own, or several in a row are, if they go in step.
//! All of them run on one processor, one after the other, until they wait or end; then those that
//! wait for each other are let go. Which ones do follows from their [`Instance`]s: in structured
//! code these only grow, so the threads of a wave with the smallest one are at an op that no other
//! can reach any more. A barrier lets go when all threads of the group wait at one instance of it;
//! when nobody can go on and that is not so, the barrier stands in divergent control flow, which is
//! a trap. Of threads that go in step some may wait and the others stand elsewhere: these come to
//! nothing that has a smaller instance.
//!
//! `unsafe`: coroutines borrow what the caller of [`run_group`] owns. They do not outlive the call:
//! each one has ended before it returns, because a thread that is told to stop must return, and one
//! that cannot (a panic passes through) is abandoned with its stack.

use crate::dispatch::Trap;
use crate::schedule;
use caustic_ir::Loc;
use caustic_ir::eval::{InstanceStep, Scope};
use corosensei::stack::{DefaultStack, Stack};
use corosensei::{Coroutine, CoroutineResult, Yielder};
use smallvec::SmallVec;
use std::sync::Arc;

/// Lanes of a wave.
pub const WAVE_SIZE: u32 = caustic_dialects::simt::WAVE_SIZE;

pub use caustic_dialects::simt::is_convergent;

/// Where a thread is among the dynamic instances of ops: the loops and calls it is in, each with
/// the iteration.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instance(SmallVec<[(i64, u64); 4]>);

impl Instance {
    pub fn step(&mut self, step: InstanceStep) {
        match step {
            InstanceStep::Enter(number) => self.0.push((number, 0)),
            InstanceStep::Next => {
                if let Some((_, iteration)) = self.0.last_mut() {
                    *iteration += 1;
                }
            }
            InstanceStep::Leave => {
                self.0.pop();
            }
        }
    }

    /// The instance of op `number`, here and now.
    pub fn at(&self, number: i64) -> Instance {
        let mut at = self.clone();
        at.0.push((number, 0));
        at
    }

    /// Whether both are instances of one op, reached by the same calls.
    pub fn is_same_place(&self, other: &Instance) -> bool {
        self.0.iter().map(|(number, _)| number).eq(other.0.iter().map(|(number, _)| number))
    }
}

/// What the threads that came together brought, by number within the scope; of those that go in
/// step by the first one's.
pub type Gathered<V> = Arc<Vec<(u32, V)>>;

/// A thread that waits.
pub(crate) struct Waiting<V> {
    pub scope: Scope,
    pub at: Instance,
    /// Which lanes of the wave come to the op, if it says so.
    pub mask: Option<u32>,
    /// Which of the coroutine's threads, a bit each.
    who: u32,
    pub value: V,
    pub loc: Loc,
}

/// The message to a thread that goes on: what was gathered, or that it must return at once.
pub(crate) type Go<V> = Option<Gathered<V>>;

/// A running thread's way to wait.
pub struct Rendezvous<'a, V>(&'a Yielder<Go<V>, Waiting<V>>);

impl<V> Rendezvous<'_, V> {
    /// Waits for the threads of `scope` that come to the same instance; `None`: the group is
    /// stopped and the thread must return.
    pub fn wait(&self, scope: Scope, at: Instance, value: V, loc: Loc) -> Option<Gathered<V>> {
        self.wait_together(scope, at, 1, value, loc)
    }

    /// The same, if the op says which lanes of the wave these are.
    pub fn wait_for(&self, scope: Scope, at: Instance, mask: Option<u32>, value: V, loc: Loc) -> Option<Gathered<V>> {
        self.0.suspend(Waiting { scope, at, mask, who: 1, value, loc })
    }

    /// [`Rendezvous::wait`] for several threads that go in step, those whose bits are set.
    pub fn wait_together(&self, scope: Scope, at: Instance, who: u32, value: V, loc: Loc) -> Option<Gathered<V>> {
        self.0.suspend(Waiting { scope, at, mask: None, who, value, loc })
    }
}

/// Stacks that have been used and can be used again.
pub struct Stacks {
    free: Vec<DefaultStack>,
    bytes: usize,
}

impl Stacks {
    /// Stacks of this size.
    pub fn new(bytes: usize) -> Stacks {
        Stacks { free: Vec::new(), bytes }
    }

    fn take(&mut self) -> Result<DefaultStack, Trap> {
        if let Some(stack) = self.free.pop() {
            return Ok(stack);
        }
        DefaultStack::new(self.bytes).map_err(|e| Trap {
            message: format!("a stack of {} KiB for a thread could not be made: {e}", self.bytes >> 10),
            loc: Loc::unknown(),
            thread: None,
        })
    }
}

type Fiber<V> = Coroutine<Go<V>, Waiting<V>, Result<(), Trap>, DefaultStack>;

pub(crate) enum State<V> {
    Ready(Go<V>),
    Waits(Waiting<V>),
    Done,
}

/// A thread, or several that go in step.
pub(crate) struct Thread<V> {
    /// `None` once it has ended.
    fiber: Option<Fiber<V>>,
    pub state: State<V>,
    /// Number of the first one within the group.
    pub first: u32,
    /// A bit for each.
    all: u32,
}

impl<V> Drop for Thread<V> {
    fn drop(&mut self) {
        if let Some(fiber) = &mut self.fiber
            && fiber.started()
            && !fiber.done()
        {
            // SAFETY: only after a panic elsewhere; what stands on the stack is leaked, since
            // compiled frames cannot be unwound.
            unsafe { fiber.force_reset() };
        }
    }
}

impl<V: Clone> Thread<V> {
    pub fn waits_at(&self) -> Option<&Waiting<V>> {
        match &self.state {
            State::Waits(waiting) => Some(waiting),
            _ => None,
        }
    }

    /// Runs on until it waits or ends.
    pub fn resume(&mut self, go: Go<V>, stacks: &mut Stacks) -> Result<(), Trap> {
        let Some(mut fiber) = self.fiber.take() else { return Ok(()) };
        match fiber.resume(go) {
            CoroutineResult::Yield(waiting) => {
                self.state = State::Waits(waiting);
                self.fiber = Some(fiber);
                Ok(())
            }
            CoroutineResult::Return(result) => {
                self.state = State::Done;
                stacks.free.push(fiber.into_stack());
                result
            }
        }
    }
}

/// Runs `count` threads together, `step` in step with each other: a power of two, at most
/// [`WAVE_SIZE`]. `body` is given the number of the first of them, the lowest address of their
/// stack and their way to wait. An error is the trap of the first coroutine that trapped, and the
/// number of its first thread, or of the one that waits.
pub fn run_group<V: Clone + 'static>(
    count: u32,
    step: u32,
    stacks: &mut Stacks,
    body: Body<'_, V>,
) -> Result<(), (u32, Trap)> {
    run_threads(count, step, stacks, body, &run)
}

/// The same, one in a coroutine, in an order that `seed` draws and in which lanes of a wave come
/// together as they may on a machine ([`schedule`]).
pub fn run_group_in_any_order<V: Clone + 'static>(
    count: u32,
    stacks: &mut Stacks,
    seed: u64,
    body: Body<'_, V>,
) -> Result<(), (u32, Trap)> {
    run_threads(count, 1, stacks, body, &|threads, _, stacks| schedule::run(threads, seed, stacks))
}

/// What each thread does, or several that go in step.
type Body<'b, V> = &'b (dyn Fn(u32, usize, &Rendezvous<'_, V>) -> Result<(), Trap> + 'b);
/// How threads that have been made run to their ends.
type RunFn<'r, V> = dyn Fn(&mut [Thread<V>], u32, &mut Stacks) -> Result<(), (u32, Trap)> + 'r;

fn run_threads<V: Clone + 'static>(
    count: u32,
    step: u32,
    stacks: &mut Stacks,
    body: Body<'_, V>,
    run: &RunFn<'_, V>,
) -> Result<(), (u32, Trap)> {
    let step = step.clamp(1, WAVE_SIZE);
    let mut threads: Vec<Thread<V>> = Vec::with_capacity(count.div_ceil(step) as usize);
    for number in (0..count).step_by(step as usize) {
        let stack = stacks.take().map_err(|trap| (number, trap))?;
        let bottom = stack.limit().get();
        // SAFETY: the coroutine ends before `body` does: `run` returns only when all have ended
        // (see the head of this file).
        let fiber = unsafe {
            Coroutine::with_stack_unchecked(stack, move |yielder: &Yielder<Go<V>, Waiting<V>>, _: Go<V>| {
                body(number, bottom, &Rendezvous(yielder))
            })
        };
        let all = u32::MAX >> (u32::BITS - step.min(count - number));
        threads.push(Thread { fiber: Some(fiber), state: State::Ready(None), first: number, all });
    }
    let result = run(&mut threads, step, stacks);
    for thread in &mut threads {
        // A thread that is told to stop may still be in a wait after that one; it does not get far.
        for _ in 0..STOP_TRIES {
            if thread.fiber.as_ref().is_none_or(|f| !f.started() || f.done()) {
                break;
            }
            let _ = thread.resume(None, stacks);
        }
    }
    result
}

/// How often a thread is told to stop. Once is enough for code that keeps its promise.
const STOP_TRIES: usize = 4;

fn run<V: Clone>(threads: &mut [Thread<V>], step: u32, stacks: &mut Stacks) -> Result<(), (u32, Trap)> {
    loop {
        let mut first: Option<(u32, Trap)> = None;
        for thread in threads.iter_mut() {
            if let State::Ready(go) = &mut thread.state {
                let go = go.take();
                if let Err(trap) = thread.resume(go, stacks) {
                    // The others of this round still run, so that the first in order is found
                    // whoever ran ahead.
                    first.get_or_insert((thread.first, trap));
                }
            }
        }
        if let Some(found) = first {
            return Err(found);
        }
        let mut moved = false;
        for wave in threads.chunks_mut((WAVE_SIZE / step) as usize) {
            moved |= let_wave_go(wave, step);
        }
        if moved {
            continue;
        }
        if threads.iter().all(|t| t.waits_at().is_none()) {
            return Ok(());
        }
        if !let_group_go(threads) {
            return Err(divergent(threads));
        }
    }
}

/// Lets all threads go if they wait at one instance of a barrier.
pub(crate) fn let_group_go<V: Clone>(threads: &mut [Thread<V>]) -> bool {
    let Some(at) = threads.iter().find_map(|t| t.waits_at().map(|w| w.at.clone())) else { return false };
    let here = |w: &Waiting<V>, all: u32| w.scope == Scope::Group && w.who == all && w.at == at;
    let all = threads.iter().all(|t| t.waits_at().is_some_and(|w| here(w, t.all)));
    if all {
        let nothing = Gathered::default();
        threads.iter_mut().for_each(|t| t.state = State::Ready(Some(nothing.clone())));
    }
    all
}

/// Lets the lanes go that are at a wave operation which no other lane can still reach; false if
/// there is none.
fn let_wave_go<V: Clone>(wave: &mut [Thread<V>], step: u32) -> bool {
    let Some(least) = wave.iter().filter_map(|t| t.waits_at()).min_by(|a, b| a.at.cmp(&b.at)) else { return false };
    if least.scope != Scope::Wave {
        return false;
    }
    let at = least.at.clone();
    let taking_part = |t: &Thread<V>| t.waits_at().filter(|w| w.at == at).map(|w| w.value.clone());
    let gathered: Vec<(u32, V)> =
        wave.iter().enumerate().filter_map(|(i, t)| Some((i as u32 * step, taking_part(t)?))).collect();
    let gathered = Arc::new(gathered);
    for (lane, _) in gathered.iter() {
        wave[(*lane / step) as usize].state = State::Ready(Some(gathered.clone()));
    }
    true
}

/// What is said of a barrier at which only some threads of a group wait.
pub fn divergent_message(waiting: u32, threads: u64) -> String {
    format!("a barrier in divergent control flow: {waiting} of the group's {threads} threads wait here")
}

pub(crate) fn divergent<V: Clone>(threads: &[Thread<V>]) -> (u32, Trap) {
    let waiting = || threads.iter().filter_map(|t| Some((t.first, t.waits_at()?)));
    // The earliest place: its threads cannot go on whatever the others do.
    let Some((number, first)) = waiting().min_by(|a, b| a.1.at.cmp(&b.1.at).then(a.0.cmp(&b.0))) else {
        let message = "the threads of a group do not come together".to_string();
        return (0, Trap { message, loc: Loc::unknown(), thread: None });
    };
    let here = waiting().filter(|(_, w)| w.at == first.at).map(|(_, w)| w.who.count_ones()).sum();
    let count = threads.iter().map(|t| u64::from(t.all.count_ones())).sum();
    (
        number + first.who.trailing_zeros(),
        Trap { message: divergent_message(here, count), loc: first.loc, thread: None },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    fn stacks() -> Stacks {
        Stacks::new(64 << 10)
    }

    fn at(number: i64) -> Instance {
        Instance::default().at(number)
    }

    #[test]
    fn a_barrier_waits_for_all() {
        let log = RefCell::new(Vec::new());
        let done = run_group::<()>(3, 1, &mut stacks(), &|n, _, meet| {
            log.borrow_mut().push((0, n));
            meet.wait(Scope::Group, at(0), (), Loc::unknown());
            log.borrow_mut().push((1, n));
            Ok(())
        });
        assert!(done.is_ok());
        assert_eq!(*log.borrow(), [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]);
    }

    #[test]
    fn waves_meet_by_instance_not_by_arrival() {
        // Each lane takes part in one iteration of two, so that the first arrivals are of different
        // instances.
        let seen = RefCell::new(Vec::new());
        let done = run_group::<u32>(40, 1, &mut stacks(), &|n, _, meet| {
            let mut instance = Instance::default();
            instance.step(InstanceStep::Enter(3));
            for i in 0..2 {
                instance.step(InstanceStep::Next);
                if n % 2 == i {
                    let Some(all) = meet.wait(Scope::Wave, instance.at(4), n, Loc::unknown()) else { return Ok(()) };
                    seen.borrow_mut().push((n, all.len(), all.iter().all(|(_, m)| m % 2 == i)));
                }
            }
            Ok(())
        });
        assert!(done.is_ok());
        let seen = seen.borrow();
        assert_eq!(seen.len(), 40);
        assert!(seen.iter().all(|&(n, count, same)| same && count == if n < 32 { 16 } else { 4 }));
    }

    #[test]
    fn divergence_and_traps_stop_everybody() {
        let stopped = RefCell::new(0);
        let result = run_group::<()>(4, 1, &mut stacks(), &|n, _, meet| {
            if n > 0 && meet.wait(Scope::Group, at(7), (), Loc::unknown()).is_none() {
                *stopped.borrow_mut() += 1;
            }
            Ok(())
        });
        let (number, trap) = result.unwrap_err();
        assert_eq!((number, *stopped.borrow()), (1, 3));
        assert!(trap.message.contains("3 of the group's 4 threads"), "{}", trap.message);
        let result = run_group::<()>(4, 1, &mut stacks(), &|n, _, _| {
            let trap = Trap { message: format!("thread {n}"), loc: Loc::unknown(), thread: None };
            if n > 1 { Err(trap) } else { Ok(()) }
        });
        assert_eq!(result.unwrap_err().1.message, "thread 2");
    }

    #[test]
    fn threads_in_step_meet_those_of_their_wave() {
        let seen = RefCell::new(Vec::new());
        let done = run_group::<u32>(44, 8, &mut stacks(), &|first, _, meet| {
            let who = if first == 40 { 0b1111 } else { 0b1010 };
            let Some(all) = meet.wait_together(Scope::Wave, at(1), who, first, Loc::unknown()) else { return Ok(()) };
            seen.borrow_mut().push((first, all.iter().map(|&(lane, brought)| (lane, brought)).collect::<Vec<_>>()));
            let who = if first == 40 { 0b1111 } else { 0xff };
            meet.wait_together(Scope::Group, at(2), who, 0, Loc::unknown());
            Ok(())
        });
        assert!(done.is_ok());
        let seen = seen.borrow();
        assert_eq!(seen[1], (8, vec![(0, 0), (8, 8), (16, 16), (24, 24)]));
        assert_eq!(seen[5], (40, vec![(0, 32), (8, 40)]));
    }

    #[test]
    fn a_barrier_that_some_of_those_in_step_miss_is_divergent() {
        let result = run_group::<()>(20, 8, &mut stacks(), &|first, _, meet| {
            let who = if first == 8 { 0b100 } else { 0xf };
            meet.wait_together(Scope::Group, at(if first == 8 { 1 } else { 2 }), who, (), Loc::unknown());
            Ok(())
        });
        let (number, trap) = result.unwrap_err();
        assert_eq!(number, 10);
        assert!(trap.message.contains("1 of the group's 20 threads"), "{}", trap.message);
    }
}
