//! The effect of differentiation attributes in each position: each pair of an attribute and a
//! position is one line of a generated program.
//!
//! The function is `x * x`, and everything that an attribute can name has a different result: a
//! custom derivative is fifteen times the true one. So an attribute that is ignored is noticed. A
//! cell must obey its attribute, or be refused with a code at its own line. Anything else fails,
//! even when the page is being blessed. The page records which of the two a cell does.

use super::positions::{COLUMNS, Column, Modes, POSITIONS, Position, TRUTH};
use super::{numbers, test_name};
use crate::runner::Suite;
use std::collections::BTreeMap;

/// The point of differentiation, and the number of results of a cell: the value, and for each mode
/// a derivative and the derivative of that.
const POINT: f64 = 3.0;
const WRITES: usize = 5;
/// The lines before the first cell.
const HEAD: &str = "typedef DifferentialPair<float> DP;\nRWStructuredBuffer<float> output;\n";

/// The outcome of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cell {
    Obeyed,
    Refused(String),
    /// The attribute has no effect there, and a warning says so.
    Idle,
    /// There is no program for this cell.
    Absent,
}

/// The page's section up to the rows.
pub fn head() -> String {
    let mut out = String::from(
        "\n## Attributes in every position\n\nEach cell is a line of a generated program (`test-suite/src/matrix/custom.rs`) that the interpreter runs: the \
         function is called by one that is called by\none that is differentiated, in both modes, and once more where a derivative is given. The attribute says something \
         else than the truth wherever it can. ✓ means that it\nis obeyed, a code that it is refused with that error, ○ that it may stand there and changes \
         nothing, which a warning says, – that nothing can be written.\n\n| on |",
    );
    COLUMNS.iter().for_each(|c| out.push_str(&format!(" {} |", c.name)));
    out.push_str("\n| --- |");
    COLUMNS.iter().for_each(|_| out.push_str(" --- |"));
    out.push('\n');
    out
}

/// The name of each row's test, with the index of its position.
pub fn rows() -> Vec<(String, usize)> {
    POSITIONS.iter().enumerate().map(|(i, p)| (format!("matrix/given/{}", test_name(p.name)), i)).collect()
}

/// A row of the table.
pub fn line(suite: &Suite, position: usize) -> Result<String, String> {
    let position = &POSITIONS[position];
    let mut out = format!("| {} |", position.name);
    for cell in cells(suite, position)? {
        out.push_str(&match cell {
            Cell::Obeyed => " ✓ |".to_string(),
            Cell::Refused(code) => format!(" {code} |"),
            Cell::Idle => " ○ |".to_string(),
            Cell::Absent => " – |".to_string(),
        });
    }
    Ok(out)
}

/// Runs the cells of a position as one program. Lines with errors are removed, and the rest is run
/// again.
fn cells(suite: &Suite, position: &Position) -> Result<Vec<Cell>, String> {
    let sources: Vec<_> = COLUMNS.iter().enumerate().map(|(i, c)| source(position, c, i)).collect();
    let mut refused: BTreeMap<usize, String> = BTreeMap::new();
    for _ in 0..=COLUMNS.len() {
        let left = |i: &usize| sources[*i].is_some() && !refused.contains_key(i);
        let text = program(&sources, left);
        let args =
            ["run", "-", "--backend", "interp", "--buffer", "output=zero:512", "--read", "output", "--format", "json"];
        let errors = match suite.run_warned("caustic", &args.map(String::from), &text) {
            Ok((output, warnings)) => return judged(position, &sources, &refused, &output, &warnings),
            Err(errors) => errors,
        };
        let before = refused.len();
        for (cell, code) in errors.lines().filter_map(|l| diagnostic(l, "error")) {
            refused.entry(cell).or_insert(code);
        }
        if refused.len() == before {
            return Err(format!("{}: {errors}", position.name));
        }
    }
    Err(format!("{}: errors without end", position.name))
}

/// The cell and the code of a printed diagnostic: `-:LINE:COLUMN: error[CODE]: …`.
fn diagnostic(line: &str, sort: &str) -> Option<(usize, String)> {
    let (line, rest) = line.strip_prefix("-:")?.split_once(':')?;
    let rest = rest.split_once(": ")?.1.strip_prefix(sort)?.strip_prefix('[')?;
    let cell = line.parse::<usize>().ok()?.checked_sub(HEAD.lines().count() + 1)?;
    (cell < COLUMNS.len()).then_some((cell, rest.split_once(']')?.0.to_string()))
}

/// Decides the outcome of the remaining cells by the program's numbers.
fn judged(
    position: &Position,
    sources: &[Option<String>],
    refused: &BTreeMap<usize, String>,
    output: &str,
    warnings: &str,
) -> Result<Vec<Cell>, String> {
    let numbers = numbers(output);
    let idle: Vec<_> =
        warnings.lines().filter_map(|l| diagnostic(l, "warning")).filter(|(_, c)| c == "W0220").collect();
    let mut cells = Vec::new();
    for (i, column) in COLUMNS.iter().enumerate() {
        let Some(text) = &sources[i] else {
            cells.push(Cell::Absent);
            continue;
        };
        let wrong = |what: String| Err(format!("{}, {}: {what}\n{text}", position.name, column.name));
        if let Some(code) = refused.get(&i) {
            // An error in the generated program is no valid outcome, nor is an internal error.
            let syntax = code == "E0100" && column.result.is_empty();
            if syntax || ["E0201", "E9999"].contains(&code.as_str()) {
                return wrong(code.clone());
            }
            cells.push(Cell::Refused(code.clone()));
            continue;
        }
        let idle = idle.iter().any(|(cell, _)| *cell == i);
        let (first, second) = if idle { TRUTH } else { column.wants(position) };
        let mut wanted = [POINT * POINT + POINT, 0.0, 0.0, 0.0, 0.0];
        for (at, left_out) in [(1, Modes::Reverse), (3, Modes::Forward)] {
            if column.modes != left_out {
                // `top` adds its argument to the function's result.
                wanted[at] = first + 1.0;
                wanted[at + 1] = if column.is_given() { second } else { 0.0 };
            }
        }
        let got = numbers.get(i * WRITES..(i + 1) * WRITES).unwrap_or_default();
        if got != wanted {
            return wrong(format!("it gives {got:?}, and {wanted:?} was asked for"));
        }
        cells.push(if idle { Cell::Idle } else { Cell::Obeyed });
    }
    Ok(cells)
}

/// The program of some cells, with one line for each.
fn program(sources: &[Option<String>], left: impl Fn(&usize) -> bool) -> String {
    let (mut text, mut calls) = (HEAD.to_string(), String::new());
    for (i, source) in sources.iter().enumerate() {
        match source {
            Some(source) if left(&i) => {
                text.push_str(source);
                calls.push_str(&format!("cell{i}(); "));
            }
            _ => {}
        }
        text.push('\n');
    }
    text + "[shader(\"compute\")] [numthreads(1, 1, 1)] void computeMain() { " + &calls + "}\n"
}

/// A cell's line; `None` if its position has no place for the text of the column.
fn source(position: &Position, column: &Column, number: usize) -> Option<String> {
    let of = match column.of {
        Some(_) if position.function.is_empty() => return None,
        Some(attribute) => format!("[{attribute}({})] ", position.function),
        None => String::new(),
    };
    let both = [position.text, position.call].concat();
    let bare = both.contains("{B}");
    let marked = if column.marked && !column.attribute.contains("[Differentiable]") { "[Differentiable] " } else { "" };
    // The attributes of a declaration that is no function are written before it.
    let before = if bare { [column.attribute, column.result].concat() } else { column.result.to_string() };
    let needed = [("{P}", !column.parameter.is_empty()), ("{R}", !bare && !column.result.is_empty())];
    let attribute = !bare && !column.attribute.is_empty() && !both.contains("{A}");
    if attribute || (bare && before.is_empty()) || needed.iter().any(|(p, n)| *n && !both.contains(p)) {
        return None;
    }
    let helper = position.helpers.of(column.helper).replace("{of}", &of);
    let helper =
        helper.replace("{S}", position.storage).replace("{G}", position.generics).replace("{T}", position.other);
    let cell = format!(
        "{} [Differentiable] float mid$(float x) {{ {} }} [Differentiable] float top$(float x) {{ return mid$(x) + x; }} {}",
        position.text,
        position.call,
        uses(column, number * WRITES)
    );
    let cell = cell.replace("{D}", &helper).replace("{A}", &[marked, column.attribute].concat());
    let cell = cell.replace("{B}", &before).replace("{R}", column.result).replace("{P}", column.parameter);
    let cell = match column.modes {
        Modes::Forward => cell.replace("[Differentiable]", "[ForwardDifferentiable]"),
        _ => cell,
    };
    Some(with_semicolons(&cell.replace('$', &number.to_string())))
}

/// The text with a `;` after each type, because a cell is one line.
fn with_semicolons(text: &str) -> String {
    let (mut out, mut depth, mut is_type, mut begin) = (String::new(), 0, false, 0);
    for (i, c) in text.char_indices() {
        out.push(c);
        match c {
            '{' => {
                if depth == 0 {
                    is_type = text[begin..i].split_whitespace().any(|w| w == "struct" || w == "enum");
                }
                depth += 1;
            }
            '}' => {
                depth -= 1;
                if depth == 0 {
                    out.push_str(if is_type { ";" } else { "" });
                    begin = i + 1;
                }
            }
            ';' if depth == 0 => begin = i + 1,
            _ => {}
        }
    }
    out
}

/// The code that writes a cell's numbers from index `at` on. The second derivative, for custom
/// derivatives only, is forward over each mode, or backward over backward if there is only a custom
/// backward derivative.
fn uses(column: &Column, at: usize) -> String {
    let modes = column.modes;
    let (mut functions, mut writes) = (String::new(), format!("output[{at}] = top$({POINT:?}); "));
    let mut mode = |name: &str, body: &str, at: usize| {
        functions.push_str(&format!("[Differentiable] float {name}$(float x) {{ {body} }} "));
        writes.push_str(&format!("output[{at}] = {name}$({POINT:?}); "));
        writes.push_str(&match modes {
            _ if !column.is_given() => String::new(),
            Modes::Reverse => {
                format!("DP p = diffPair({POINT:?}); bwd_diff({name}$)(p, 1.0); output[{}] = p.d; ", at + 1)
            }
            _ => format!("output[{}] = fwd_diff({name}$)(diffPair({POINT:?}, 1.0)).d; ", at + 1),
        });
    };
    if modes != Modes::Reverse {
        mode("forward", "return fwd_diff(top$)(diffPair(x, 1.0)).d;", at + 1);
    }
    if modes != Modes::Forward {
        mode("reverse", "DP p = diffPair(x); bwd_diff(top$)(p, 1.0); return p.d;", at + 3);
    }
    format!("{functions}void cell$() {{ {writes}}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagnostics_belong_to_the_cell_of_their_line() {
        assert_eq!(diagnostic("-:3:9: error[E0220]: text", "error"), Some((0, "E0220".to_string())));
        assert_eq!(diagnostic("-:5:9: warning[W0220]: text", "warning"), Some((2, "W0220".to_string())));
        assert_eq!(diagnostic("-:5:9: warning[W0220]: text", "error"), None);
        assert_eq!(diagnostic("-:1:9: error[E0220]: text", "error"), None);
        assert_eq!(diagnostic("-:99:9: error[E0220]: text", "error"), None);
    }

    #[test]
    fn an_attribute_that_is_passed_over_is_found() {
        let given = COLUMNS.iter().position(|c| c.name == "ForwardDerivative").unwrap();
        let sources: Vec<_> = (0..COLUMNS.len()).map(|i| (i == given).then(String::new)).collect();
        let judged = |first: f64, second: f64| {
            let cell = [12.0, first, second, first, second];
            let numbers = [vec![0.0; given * WRITES], cell.to_vec()].concat();
            judged(&POSITIONS[0], &sources, &BTreeMap::new(), &format!("{{\"output\": {numbers:?}}}"), "")
        };
        assert_eq!(judged(91.0, 30.0).unwrap()[given], Cell::Obeyed);
        assert!(judged(7.0, 2.0).unwrap_err().contains("was asked for"));
        assert!(judged(91.0, 2.0).is_err());
    }
}
