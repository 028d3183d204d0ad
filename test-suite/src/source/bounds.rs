//! How far the results of a shader may be from the reference's.
//!
//! What is exact is compared to the last bit. A program that uses functions which the language's
//! specification leaves room for has them in its description, each with its bound; its results may
//! be off by the sum of these bounds, in parts of the largest number of the same output that they
//! may be the difference of ([`CANCELLED`]), times [`STEPS`] for errors that add up on the way.
//! Integers are held to the bit, but for those that are the bits of floats.

use serde_json::Value;

/// A function's error goes into several results, which go into one.
const STEPS: f64 = 4.0;

/// A number may be the difference of numbers that are so many times as large: six bits are lost.
const CANCELLED: f64 = 64.0;

/// From this number on an integer may be the bits of a float.
const BITS: f64 = 4_194_304.0;

/// A unit in the last place of a float, in parts of it.
const ULP: f64 = 1.0 / 8_388_608.0;

/// What a description says of its functions: in parts of a number, and in all.
pub fn stated(json: &str) -> Result<Option<(f64, f64)>, String> {
    let description: Value = serde_json::from_str(json).map_err(|e| e.to_string())?;
    let Some(all) = description.get("accuracy").and_then(Value::as_object).filter(|all| !all.is_empty()) else {
        return Ok(None);
    };
    let sum = |key: &str| all.values().filter_map(|op| op.get(key).and_then(Value::as_f64)).sum::<f64>();
    Ok(Some((sum("ulps") * ULP, sum("absolute"))))
}

/// Whether each number of one output is near enough to that of another.
pub fn near(given: &str, wanted: &str, (parts, all): (f64, f64)) -> bool {
    let (given, wanted) = (outputs(given), outputs(wanted));
    given.len() == wanted.len()
        && given.iter().zip(&wanted).all(|(given, wanted)| {
            let finite = wanted.iter().filter_map(|w| number(w)).filter(|w| w.is_finite());
            let largest = finite.map(f64::abs).fold(0.0, f64::max);
            let bound = |wanted: f64| {
                let scale = largest.min(CANCELLED * wanted.abs().max(1.0));
                STEPS * (parts * scale + all * scale.max(1.0))
            };
            given.len() == wanted.len()
                && given.iter().zip(wanted).all(|(g, w)| {
                    g == w
                        || match (number(g), number(w)) {
                            (Some(x), Some(y)) if is_float(g) && is_float(w) => (x - y).abs() <= bound(y),
                            (Some(x), Some(y)) if x.max(y) >= BITS => match (of_bits(x), of_bits(y)) {
                                (Some(x), Some(y)) => (x - y).abs() <= STEPS * (parts * y.abs().max(x.abs()) + all),
                                _ => false,
                            },
                            _ => false,
                        }
                })
        })
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

fn is_float(text: &str) -> bool {
    text.contains(['.', 'e'])
}

/// The float that an integer is the bits of.
fn of_bits(value: f64) -> Option<f64> {
    (value >= 0.0 && value <= f64::from(u32::MAX)).then(|| f64::from(f32::from_bits(value as u32)))
}

fn number(word: &str) -> Option<f64> {
    word.parse::<f64>().ok().filter(|v| v.is_finite())
}

/// The words of a text, array by array.
fn outputs(text: &str) -> Vec<Vec<&str>> {
    text.split(']')
        .map(|part| {
            part.split(|c: char| c.is_whitespace() || ",[{}:\"".contains(c)).filter(|w| !w.is_empty()).collect()
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
    fn floats_may_differ_as_far_as_they_are_said_to() {
        let bounds = (1e-6, 0.0);
        assert!(near("{\"r\": [1.0, 2.000001]}", "{\"r\": [1.0, 2.0]}", bounds));
        assert!(!near("{\"r\": [1.0, 2.0001]}", "{\"r\": [1.0, 2.0]}", bounds));
        assert!(!near("{\"r\": [0.5, 4294967296.0]}", "{\"r\": [0.6, 4294967296.0]}", bounds));
        assert!(!near("{\"r\": [1.0, NaN]}", "{\"r\": [1.0, 2.0]}", bounds));
        assert!(!near("{\"r\": [3]}", "{\"r\": [4]}", (1.0, 1.0)));
        assert!(!near("{\"r\": [1.0]}", "{\"r\": [1.0, 2.0]}", bounds));
    }
}
