//! The patterns in which users of other compilers were silently given wrong derivatives, each with
//! the mutant that models it: if this compiler made that mistake, would the generator of random
//! programs tell?

use super::finders::Finders;
use super::page::Page;
use crate::say;

/// Minutes for one pattern; most take seconds.
const MINUTES: f64 = 10.0;

/// Pattern, mutant, and the pattern in words.
pub const PATTERNS: &[(&str, &str, &str)] = &[
    ("P1", "unzip/outer-iteration", "nested bounded loops: values of an inner loop are found by its own counter only"),
    ("P2", "transpose/make", "a loop-carried vector rebuilt from its own components"),
    ("P3", "unzip/integers", "an integer index that a loop computed reads as 0 in the reverse pass"),
    ("P4", "unzip/induction", "a counter one step off scatters gradients to the wrong places"),
    ("P5", "gates/flipped", "an early return that is not taken cuts off what stands after the loop"),
    ("P6", "transpose/captured", "a value from before a loop gets the cotangent of one iteration"),
    ("P7", "transpose/captured-twice", "in nested loops an outer variable's cotangent counts twice"),
    ("P8", "unzip/initial", "what stands after a loop reads the accumulator's initial value"),
    ("P9", "unzip/last-iteration", "every iteration's cotangent goes to the last one"),
    ("P10", "activity/init", "an accumulator that starts as a constant is taken for inactive"),
    ("P11", "unzip/next-iteration", "a stored value is read one iteration off"),
    ("P12", "unzip/one-slot", "a rule that reuses its own result reads another stored value"),
    ("P13", "transpose/init", "what a loop starts from gets no cotangent"),
    ("P14", "unzip/store-once", "loops beside each other in a loop keep one element for all iterations"),
    ("P15", "transpose/clear", "the cotangent of an overwritten component is kept"),
    ("P16", "transpose/insert-part", "a field assigned from another field of an inout struct gives it no gradient"),
    ("P17", "transpose/extract", "reading one element and writing the next in a loop loses reads"),
    ("P18", "boundary/inout", "the same behind a helper that changes its parameter"),
    ("P19", "storage/alias", "an array is changed in place before the reverse pass reads it"),
];

/// Asks about every pattern; how many the generator does not reproduce.
pub fn run(finders: &Finders, page: &mut Page) -> usize {
    let mut lost = 0;
    for (pattern, mutant, _) in PATTERNS {
        let found = finders.generate(mutant, MINUTES);
        match &found {
            Some((count, oracle)) => say(&format!("{pattern} {mutant}: {count} programs, {oracle}")),
            None => say(&format!("{pattern} {mutant}: NOT FOUND")),
        }
        lost += usize::from(found.is_none());
        page.patterns.insert((*pattern).to_string(), found);
    }
    page.patterns.retain(|name, _| PATTERNS.iter().any(|p| p.0 == name));
    lost
}
