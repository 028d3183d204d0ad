//! Which rows each command takes, from which tables.

use super::fit::{FIT, FitOptions};
use super::options::{CHECK, EMIT, GRADCHECK, RUN, SOURCE};
use super::parse::{HasSource, Opt, Row};
use super::{CheckOptions, EmitOptions, GradcheckOptions, RunOptions};

/// The options of a command.
pub struct Tables<T> {
    pub own: Vec<Row<T>>,
    /// Those about the source.
    pub source: Vec<Row<T>>,
}

/// What stands in a row: the name, what it takes, and what it is for.
#[derive(Clone, Copy)]
pub struct RowText {
    pub name: &'static str,
    pub value: &'static str,
    pub help: &'static str,
}

/// The texts of a command's rows.
pub struct TableTexts {
    pub own: Vec<RowText>,
    pub source: Vec<RowText>,
}

fn texts<T>(rows: &[Row<T>]) -> Vec<RowText> {
    rows.iter().map(|row| RowText { name: row.name, value: row.value, help: row.help }).collect()
}

impl<T: HasSource> Tables<T> {
    fn new(own: Vec<Row<T>>) -> Tables<T> {
        Tables { own, source: rows(SOURCE, T::source) }
    }

    pub fn rows(&self) -> impl Iterator<Item = &Row<T>> {
        self.own.iter().chain(&self.source)
    }

    fn texts(&self) -> TableTexts {
        TableTexts { own: texts(&self.own), source: texts(&self.source) }
    }
}

fn rows<T: 'static, U>(table: &'static [Opt<U>], part: fn(&mut T) -> &mut U) -> Vec<Row<T>> {
    table.iter().map(|row| Row::of(row, part)).collect()
}

fn own<T: HasSource>(table: &'static [Opt<T>]) -> Tables<T> {
    Tables::new(rows(table, |options| options))
}

pub fn run() -> Tables<RunOptions> {
    own(RUN)
}

/// Whether an option means something to `launch`, which takes those of `run`: a kernel is compiled
/// already. (It is given the others, too, by who runs a kernel here and there.)
fn is_launched(name: &str) -> bool {
    let shared = ["--dispatch", "--groups", "--buffer", "--uniform", "--texture", "--sampler", "--counter"];
    let after = ["--read", "--write", "--format", "--color"];
    shared.contains(&name) || after.contains(&name)
}

pub fn launch() -> Tables<RunOptions> {
    let mut tables = run();
    tables.own.retain(|row| is_launched(row.name));
    tables.source.retain(|row| is_launched(row.name));
    tables
}

pub fn check() -> Tables<CheckOptions> {
    own(CHECK)
}

pub fn emit() -> Tables<EmitOptions> {
    own(EMIT)
}

pub fn gradcheck() -> Tables<GradcheckOptions> {
    own(GRADCHECK)
}

/// A fit takes what a run takes.
pub fn fit() -> Tables<FitOptions> {
    let mut all = rows(FIT, |options| options);
    all.extend(rows(RUN, |options: &mut FitOptions| &mut options.run));
    Tables::new(all)
}

/// The texts of the rows of a command; `None` of one without options.
pub fn of(command: &str) -> Option<TableTexts> {
    Some(match command {
        "run" => run().texts(),
        "launch" => launch().texts(),
        "fit" => fit().texts(),
        "check" => check().texts(),
        "emit" => emit().texts(),
        "gradcheck" => gradcheck().texts(),
        _ => return None,
    })
}
