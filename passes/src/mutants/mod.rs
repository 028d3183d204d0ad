//! The mutants of the passes; see the crate `caustic-mutants`.
//!
//! Mutants of *results* are edits of what a pass is given or leaves (`edits.rs`); the pass knows
//! nothing of them. What goes wrong inside, an answer of an analysis above all, is a *site*: a
//! function that gives a wrong answer, or is given a wrong argument. Those of *rules* are derived
//! from the rows of the ops: each partial derivative with the wrong sign, left out, or swapped with
//! its neighbour. Those of *rewrites* are derived from the tables of rewrites and from what ops
//! fold to: the rewrite gives a wrong value, or does not ask for one of its conditions.

mod edits;

use caustic_dialects::arith;
use caustic_ir::{AdRule, Fold, OpDef};

pub(crate) use caustic_mutants::mutant;
pub(crate) use edits::Mutation;

/// How a partial derivative is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Partial {
    Negated,
    Dropped,
    /// That of the operand after it, the first one's for the last.
    Swapped,
}

caustic_mutants::sites! {
    ActivityOneRound "activity/one-round" "activity does not go around a loop a second time";
    ActivityInit "activity/init" "what a loop carries is active only if it starts so";
    ActivityCallResult "activity/call-result" "the first result of a call is taken for one without a derivative";
    ActivityUnwanted "activity/wanted" "the last result that a caller uses is taken for one that it does not";
    BarriersPrimalOnly "barriers/primal-only" "reverse code has no barriers between what custom derivatives do to memory";
    BoundaryFlags "boundary/flags" "differentials in pairs say that nothing is there where the value says that something is";
    GivenFlags "given/flags" "a cotangent that a custom derivative is given says that nothing is there";
    TrimFirstCaller "trim/first-caller" "what the first call hands to a parameter counts as what all hand to it";
    BindOffset "bind/offset" "a pointer that is handed on leads to the begin of its resource";
    BoundsReads "bounds/reads" "only reads are checked for their range";
    InstanceByName "instances/by-name" "instances are told apart by the text of symbols, cut where a mask seems to begin";
    LinearizeSum "linearize/sum" "of the terms of a tangent only the last is kept";
    LinearizeCallTangent "linearize/call-tangent" "the tangents that go into a call are zero";
    LinearizeLoopInit "linearize/loop-init" "a loop's tangents start as zero";
    LinearizeReached "linearize/reached" "what leaves a branch, a loop or a function counts as reached, and so does what goes into one";
    LinearizeYield "linearize/yield" "the tangents that a region yields are zero";
    MirrorExtract "mirror/extract" "the part of a tangent is zero";
    MirrorInsertPart "mirror/insert-part" "the tangent of an inserted part is zero";
    MirrorInsertRest "mirror/insert-rest" "the tangent of what a part is inserted into is zero";
    MirrorMake "mirror/make" "the tangent of the last part of what is put together is zero";
    MirrorSplat "mirror/splat" "the tangent of a broadcast scalar is negated";
    MirrorSum "mirror/sum" "the tangent of a sum over lanes is negated";
    MirrorCast "mirror/cast" "the tangent of a converted number is negated";
    MirrorSelect "mirror/select" "a select's tangents change places";
    MirrorReshape "mirror/reshape" "the last scalar of a reshaped tangent is the first";
    MirrorDetach "mirror/detach" "detaching detaches nothing";
    UnzipLastIteration "unzip/last-iteration" "residuals of a loop are read as of its last iteration";
    UnzipNextIteration "unzip/next-iteration" "residuals of a loop are read one iteration too late";
    UnzipOuterIteration "unzip/outer-iteration" "residuals of a loop in a loop are those of the outer loop's first iteration";
    UnzipIntegers "unzip/integers" "residuals of a loop that are integers are read as zero";
    UnzipInitial "unzip/initial" "what linear code reads of a loop's result is what the loop started with";
    UnzipOneSlot "unzip/one-slot" "all residuals of a loop are read from the first array";
    UnzipTripCount "unzip/trip-count" "the linear loop of a while runs one iteration less";
    UnzipBranchResidual "unzip/branch-residual" "residuals of a branch are those of the other branch, which has zeros";
    UnzipInduction "unzip/induction" "induction variables are one step ahead";
    UnzipInductionDown "unzip/induction-down" "induction variables that count down count up";
    UnzipEndsFlipped "unzip/ends-flipped" "what the next iteration gets is what it would get if there was none";
    UnzipStoreOnce "unzip/store-once" "a loop stores residuals in its first element only";
    UnzipBound "unzip/bound" "the arrays for residuals of a loop lack the last iteration";
    UnzipOverrun "unzip/overrun" "a loop that runs longer than it keeps residuals for has a derivative all the same";
    SnapshotState "snapshots/state" "a state between two snapshots is taken for the snapshot";
    SnapshotIteration "snapshots/iteration" "replayed iterations have the number zero";
    TransposeAccumulate "transpose/accumulate" "a second use replaces the cotangent of the first";
    TransposeClear "transpose/clear" "the cotangent of what an insertion overwrites is kept";
    TransposeInsertPart "transpose/insert-part" "the inserted part gets no cotangent";
    TransposeExtract "transpose/extract" "reading a part replaces the cotangents of the other reads";
    TransposeAccumulateBase "transpose/accumulate-base" "what a tangent is added to gets no cotangent";
    TransposeNeg "transpose/neg" "a negated tangent has the cotangent's own sign";
    TransposeScale "transpose/scale" "a product passes on the cotangent without its factor";
    TransposeStrong "transpose/strong" "a cotangent that nothing reached is multiplied with an infinite partial";
    TransposeMake "transpose/make" "all parts that something is made of get the cotangent of the first";
    TransposeSplat "transpose/splat" "a broadcast scalar gets the cotangent of the first lane only";
    TransposeSum "transpose/sum" "only the first summand gets a cotangent";
    TransposeSelect "transpose/select" "the cotangents of a select's operands change places";
    TransposeBranch "transpose/branch" "a transposed branch is taken where the other one was";
    TransposeBranchOuter "transpose/branch-outer" "what flowed to a value before a branch is lost in it";
    TransposeCounter "transpose/counter" "a transposed loop counts up";
    TransposeCaptured "transpose/captured" "what a loop reads from outside gets the cotangent of its first iteration only";
    TransposeCapturedTwice "transpose/captured-twice" "what a loop in a loop reads from outside gets what flowed to it before twice";
    TransposeCarried "transpose/carried" "a loop's carried cotangents do not go to the iteration before";
    TransposeInit "transpose/init" "a loop's initial values get no cotangent";
    TransposeIterations "transpose/iterations" "a transposed loop leaves out the first iteration";
    TransposeCallResult "transpose/call-result" "the cotangent of the last result of a call is zero";
    TransposeInput "transpose/input" "of several ways from an input into linear code only the first counts";
    TransposeReached "transpose/reached" "a reached value counts as one that was not reached";
    FormsShared "forms/shared" "every backward derivative takes the zeros that it is handed for such that nothing reached";
    FormsParts "forms/parts" "nothing is known of what is handed to a backward derivative";
    FormsSurely "forms/surely" "what a backward derivative gives counts as reached wherever that is called";
    CarryGated "carry/gated" "each direction counts as coming wherever another one does";
    CarryReached "carry/reached" "a column of a loop that is carried forward counts as reached on every way";
    FormsTold "forms/told" "what asks whether to skip a loop or a call also changes the products in it";
    GateOpen "gates/open" "no cotangent is held back where control flow makes it an exact zero";
    GateLanes "gates/lanes" "a gate on lanes is kept where the lanes change places";
    GateFlipped "gates/flipped" "cotangents are held back where they arose";
    GateInside "gates/inside" "a write at an index out of range counts as one that was made";
    BoundaryInout "boundary/inout" "the cotangent of an inout parameter is not read";
    BoundaryOut "boundary/out" "the cotangent of an out parameter is not read";
    BoundaryResult "boundary/result" "the last gradient that a backward derivative writes is zero";
    BoundaryForward "boundary/forward" "the last tangent that a forward derivative returns is zero";
    BoundaryForwardInput "boundary/forward-input" "the tangents of the pairs that come in are zero";
    GivenIgnored "given/cotangent" "a custom backward derivative gets the cotangent zero";
    GivenForward "given/forward" "a custom forward derivative gets the tangent zero";
    SpaceAdd "space/add" "a sum of differentials is its first term";
    SpaceGivenAdd "space/given-add" "the sum that the programmer gives is not used";
    SpaceGivenZero "space/given-zero" "the zero that the programmer gives is not used";
    SpaceRest "space/accumulate" "adding to a part of a differential replaces it";
    CarryColumn "carry/column" "a cotangent that was computed to be zero annihilates a column that is infinite";
    CarrySeed "carry/seed" "directions that are carried forward start from two";
    CarryApart "carry/apart" "a direction that is carried forward counts as reaching all that goes into a call";
    CarryDirection "carry/direction" "the last direction that is carried forward is left out";
    CseMemory "cse/memory" "a read is shared across a write";
    PointeesAlone "memory/pointees" "what pointers lead to is taken for memory that has no other name";
    CseAttributes "cse/attributes" "ops that differ in attributes are shared";
    CseScope "cse/scope" "a value of one branch is used in the other";
    CseGiven "cse/given" "equal calls are merged before the derivatives that are given for them are called";
    BranchesOther "branches/other" "what one branch computed is taken for what the other branch of a later `if` would";
    LicmReads "licm/reads" "reads of what a loop writes move in front of it";
    PeriodPhase "unroll-modulo/phase" "every iteration of a round is taken for its first";
    UnrollOneLess "unroll/one-less" "an unrolled loop lacks its last iteration";
    UnrollCounter "unroll/counter" "all copies of an unrolled body have the number of the first";
    ExitsReturn "exits/return" "what stands after a branch that returned is run";
    PromoteBranch "promote/branch" "a store in a branch is lost after it";
    DispatchFirst "dispatch/first" "a value of interface type is always taken for one of the first type";
    CoarsenCopies "coarsen/copies" "of threads that became one the first is added for all";
    CoarsenPlaces "coarsen/places" "threads that became one have one number";
    CoarsenReturns "coarsen/returns" "threads that became one go on together as long as one of them does not return";
    LiftOther "lift/other" "what the second branch adds is lost when additions leave their branches";
    IterationsFirst "iterations/first" "the first of what an iteration adds to one place is lost";
    RolledOrder "rolled/order" "reads that became a loop give what the one before them reads";
    CompleteBranches "complete/branches" "all lanes of a wave are taken to be in each branch";
    WavesPlaces "waves/places" "all sums of a wave go to the place of the first";
    MarksUnread "marks/unread" "a loop that replaces but some elements of a zero is taken for one that replaces all";
    AggregationShared "aggregation/shared" "places that threads share are taken for one thread's own";
    MasksNone "masks/none" "wave operations take whatever lanes the machine runs together";
    MasksBranch "masks/branch" "a branch has the mask of what is around it";
    MasksLoop "masks/loop" "the lanes that leave a loop stay in its mask";
    StorageAlias "storage/alias" "an array is written in place though its old value is read later";
}

/// All rules at once.
const BENT: (&str, &str) =
    ("linearize/bent", "a partial derivative that is computed is a millionth too large, in both modes");
const RULE: &str = "rule/";
const REWRITE: &str = "rewrite/";
/// Before the name of the condition of a rewrite that is not asked for.
const WITHOUT: &str = "/without/";
const FOLD: &str = "fold/";

impl Partial {
    const fn word(self) -> &'static str {
        match self {
            Partial::Negated => "negated",
            Partial::Dropped => "dropped",
            Partial::Swapped => "swapped",
        }
    }
}

/// A rewrite, as far as its mutants ask: its name, what it does, and the conditions that may be
/// left out, by name.
pub struct Rewrite {
    pub name: &'static str,
    pub text: String,
    pub conditions: Vec<String>,
}

impl Rewrite {
    fn mutants(self) -> Vec<(String, String)> {
        let name = |condition: &String| format!("{REWRITE}{}{WITHOUT}{condition}", self.name);
        let without = |condition: &String| format!("{}, whether {condition} or not", self.text);
        let mut all = vec![(format!("{REWRITE}{}", self.name), format!("wrong value from {}", self.text))];
        all.extend(self.conditions.iter().map(|c| (name(c), without(c))));
        all
    }
}

/// Every mutant of the passes: its name, and what goes wrong. The tables of `rewrites` stand above
/// this module.
pub fn all(rewrites: impl IntoIterator<Item = Rewrite>) -> Vec<(String, String)> {
    let sites = SITES.iter().map(|(name, doc)| (name.to_string(), doc.to_string()));
    let rewrites = rewrites.into_iter().flat_map(Rewrite::mutants);
    let edits = edits::ROWS.iter().map(|row| (row.name.to_string(), row.what.to_string()));
    sites.chain(edits).chain(partials()).chain(folds()).chain(rewrites).collect()
}

fn ops() -> impl Iterator<Item = &'static OpDef> {
    caustic_dialects::all().iter().flat_map(|d| d.all_ops())
}

fn partials() -> Vec<(String, String)> {
    let mut all = vec![(BENT.0.to_string(), BENT.1.to_string())];
    for def in ops() {
        let AdRule::Partials(texts) = def.ad else { continue };
        for (i, text) in texts.iter().enumerate().filter(|(_, text)| **text != "0") {
            let operand = def.operands[i].name;
            let mut add = |how: Partial, doc: String| {
                all.push((format!("{RULE}{}/{operand}/{}", def.name, how.word()), doc));
            };
            add(Partial::Negated, format!("d/d{operand} is -({text})"));
            add(Partial::Dropped, format!("d/d{operand} is 0 in place of {text}"));
            let other = texts[(i + 1) % texts.len()];
            if other != *text {
                add(Partial::Swapped, format!("d/d{operand} is {other} in place of {text}"));
            }
        }
    }
    all
}

fn folds() -> impl Iterator<Item = (String, String)> {
    // A constant is what others fold to.
    let folds = |def: &&OpDef| matches!(def.fold, Fold::With(_)) && !std::ptr::eq(*def, arith::Constant::DEF);
    ops().filter(folds).map(|def| (format!("{FOLD}{}", def.name), format!("{} folds to zero", def.name)))
}

/// How the partial derivatives of an op's row are wrong.
pub enum PartialMutant {
    /// What is computed is a millionth too large.
    Bent,
    /// That in one of the operands.
    Of(usize, Partial),
}

/// How the partial derivatives of an op are wrong, if they are.
pub fn of_partials(def: &OpDef) -> Option<PartialMutant> {
    let chosen = caustic_mutants::chosen()?;
    if chosen == BENT.0 {
        return Some(PartialMutant::Bent);
    }
    let rest = chosen.strip_prefix(RULE)?.strip_prefix(def.name)?.strip_prefix('/')?;
    let (name, word) = rest.split_once('/')?;
    let operand = def.operands.iter().position(|o| o.name == name)?;
    let all = [Partial::Negated, Partial::Dropped, Partial::Swapped];
    all.into_iter().find(|how| how.word() == word).map(|how| PartialMutant::Of(operand, how))
}

/// Whether a condition of a row is left out.
pub fn leaves_out(row: &str, condition: impl FnOnce() -> String) -> bool {
    let Some(chosen) = caustic_mutants::chosen().and_then(|chosen| chosen.strip_prefix(REWRITE)) else { return false };
    chosen.strip_prefix(row).and_then(|rest| rest.strip_prefix(WITHOUT)).is_some_and(|name| name == condition())
}

/// Whether a row of the rewrites' tables gives a wrong value.
pub fn rewrite(name: &str) -> bool {
    caustic_mutants::chosen().and_then(|chosen| chosen.strip_prefix(REWRITE)) == Some(name)
}

/// Whether an op folds to zero.
pub fn fold(op: &str) -> bool {
    caustic_mutants::chosen().and_then(|chosen| chosen.strip_prefix(FOLD)) == Some(op)
}
