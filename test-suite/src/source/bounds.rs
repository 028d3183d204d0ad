//! How far the results of a shader may be from the reference's.
//!
//! What is exact is compared to the last bit. A program that uses functions which the language's
//! specification leaves room for has them in its description, each with its bound. The reference
//! runs again with the results of these functions off by their bounds: all upwards, all downwards,
//! and in drawn directions. A result may be off as far as these runs are apart. So the tolerance of
//! each number comes from the rows and from the program, and from nothing else.

use super::Kernel;
use crate::Suite;
use serde_json::Value;

/// Runs with errors draw only some of the ways in which errors may meet; a result may be off by so
/// many times what they show.
const SLACK: f64 = 4.0;

/// How many runs with errors there are, and how many if these are not enough: a branch that an
/// error decides may not be taken in the first ones.
const RUNS: [std::ops::Range<u64>; 2] = [0..6, 6..40];

/// A compiler that contracts sums and products does not round the products.
const CONTRACTED: [(&str, &str); 2] = [("arith.addf", "arith.mulf"), ("arith.subf", "arith.mulf")];

/// The errors that a description allows, as the option `--perturb` takes them behind its seed;
/// `None` if all is exact.
pub fn stated(json: &str) -> Result<Option<String>, String> {
    let description: Value = serde_json::from_str(json).map_err(|e| e.to_string())?;
    let Some(all) = description.get("accuracy").and_then(Value::as_object).filter(|all| !all.is_empty()) else {
        return Ok(None);
    };
    let mut out = String::new();
    for (op, bound) in all {
        let number = |key: &str| bound.get(key).and_then(Value::as_f64).unwrap_or(0.0);
        out += &format!("{op}={}/{:e},", number("ulps"), number("absolute"));
    }
    if let Some((_, product)) = CONTRACTED.iter().find(|(sum, _)| all.contains_key(*sum)) {
        out += &format!("{product}=1");
    }
    Ok(Some(out))
}

/// Whether what is given is as near to what is wanted as the reference, run by these words, is to
/// itself with the errors that the description states.
pub fn near(
    suite: &Suite,
    kernel: &Kernel<'_>,
    words: &[String],
    (given, wanted): (&str, &str),
    stated: Option<&str>,
) -> bool {
    let Some(errors) = stated else { return false };
    let mut off = Vec::new();
    RUNS.into_iter().any(|seeds| {
        off.extend(seeds.filter_map(|seed| {
            let more = ["--perturb".to_string(), format!("{seed}:{errors}")];
            let words: Vec<String> = words.iter().cloned().chain(more).collect();
            let text = suite.run_text("caustic", &words, &kernel.run.text).ok()?;
            Some(last_lines(&text, given))
        }));
        within(given, wanted, &off)
    })
}

/// As many of the last lines of a text as another one has.
pub fn last_lines(text: &str, other: &str) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    lines[lines.len().saturating_sub(other.lines().count())..].concat()
}

/// Whether each number of an output is as near to the reference's as runs with errors are.
pub fn within(given: &str, wanted: &str, off: &[String]) -> bool {
    let (given, wanted) = (words(given), words(wanted));
    let off: Vec<Vec<&str>> = off.iter().map(|text| words(text)).filter(|o| o.len() == wanted.len()).collect();
    given.len() == wanted.len()
        && given.iter().zip(&wanted).enumerate().all(|(i, (g, w))| {
            let spread = off.iter().map(|o| apart(o[i], w)).fold(0.0, f64::max);
            g == w || spread.is_infinite() || apart(g, w) <= SLACK * spread
        })
}

/// How far two words are apart; infinitely if one is a number and the other is not.
fn apart(a: &str, b: &str) -> f64 {
    match (number(a), number(b)) {
        _ if a == b => 0.0,
        (Some(x), Some(y)) => (x - y).abs(),
        _ => f64::INFINITY,
    }
}

/// A text with the words of another one that are infinite or no numbers in their places.
pub fn where_finite(given: &str, wanted: &str) -> String {
    let (words, others): (Vec<&str>, Vec<&str>) = (given.split(' ').collect(), wanted.split(' ').collect());
    if words.len() != others.len() {
        return given.to_string();
    }
    let open = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        ["nan", "inf", "infinity"].contains(&word.to_lowercase().as_str())
    };
    let chosen: Vec<&str> = words.into_iter().zip(others).map(|(g, w)| if open(w) { w } else { g }).collect();
    chosen.join(" ")
}

fn number(word: &str) -> Option<f64> {
    word.parse::<f64>().ok().filter(|v| v.is_finite())
}

/// The words of a text; an array ends with a word of its own.
fn words(text: &str) -> Vec<&str> {
    let apart = |c: char| c.is_whitespace() || ",[{}:\"".contains(c);
    text.split_inclusive(']')
        .flat_map(|part| {
            let (words, end) = part.strip_suffix(']').map_or((part, None), |words| (words, Some("]")));
            words.split(apart).filter(|w| !w.is_empty()).chain(end)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_is_open_where_it_stands() {
        let wanted = "{\"r\": [NaN, 2.0, -Infinity]}";
        assert_eq!(where_finite("{\"r\": [0.0, 2.0, 5.0]}", wanted), wanted);
        assert_eq!(where_finite("{\"r\": [0.0, 3.0, 5.0]}", wanted), "{\"r\": [NaN, 3.0, -Infinity]}");
        assert_eq!(where_finite("{\"r\": [0.0]}", wanted), "{\"r\": [0.0]}");
    }

    #[test]
    fn results_may_be_as_far_off_as_runs_with_errors() {
        let wanted = "{\"r\": [1.0, 2.0], \"i\": [3]}";
        let off = ["{\"r\": [1.0, 2.001], \"i\": [3]}".to_string(), "{\"r\": [1.0, 1.999], \"i\": [3]}".to_string()];
        assert!(within("{\"r\": [1.0, 2.002], \"i\": [3]}", wanted, &off));
        assert!(!within("{\"r\": [1.0, 2.01], \"i\": [3]}", wanted, &off));
        assert!(!within("{\"r\": [1.00001, 2.0], \"i\": [3]}", wanted, &off));
        assert!(!within("{\"r\": [1.0, 2.0], \"i\": [4]}", wanted, &off));
        assert!(!within("{\"r\": [1.0], \"i\": [2.0, 3]}", wanted, &off));
        assert!(!within("{\"r\": [1.0, NaN], \"i\": [3]}", wanted, &off));
        // Errors decide whether it is a number.
        assert!(within("{\"r\": [1.0, NaN]}", "{\"r\": [1.0, 2.0]}", &["{\"r\": [1.0, NaN]}".to_string()]));
    }

    #[test]
    fn errors_are_those_of_the_description() {
        let json = r#"{"accuracy": {"arith.addf": {"ulps": 1}, "math.sin": {"absolute": 0.5}}}"#;
        assert_eq!(stated(json), Ok(Some("arith.addf=1/0e0,math.sin=0/5e-1,arith.mulf=1".to_string())));
        assert_eq!(stated("{\"accuracy\": {}}"), Ok(None));
    }
}
