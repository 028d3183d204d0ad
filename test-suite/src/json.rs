//! Parses the JSON that tools print (`{"name": [numbers], …}`, with NaN and infinities), and
//! compares it with the expected one.

/// Names in order, each with its numbers as text.
pub type Object = Vec<(String, Vec<String>)>;

/// How far a float may be from the expected one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tolerance {
    pub rel: f64,
    pub abs: f64,
}

impl Tolerance {
    /// Parses `rel=… abs=… why=…`. The reason is the rest of the line and must not be empty.
    pub fn parse(text: &str) -> Result<Tolerance, String> {
        let (numbers, why) = text.split_once("why=").ok_or("no why=… says what the tolerance is for")?;
        if why.trim().is_empty() {
            return Err("no why=… says what the tolerance is for".into());
        }
        let mut tolerance = Tolerance::default();
        for word in numbers.split_whitespace() {
            let value = |text: &str| text.parse().map_err(|_| format!("`{word}` is no number"));
            match word.split_once('=') {
                Some(("rel", v)) => tolerance.rel = value(v)?,
                Some(("abs", v)) => tolerance.abs = value(v)?,
                _ => return Err(format!("`{word}` is neither rel=… nor abs=…")),
            }
        }
        Ok(tolerance)
    }
}

/// Parses one object. The error tells where it is wrong.
pub fn parse(text: &str) -> Result<Object, String> {
    let mut reader = Reader { rest: text.trim() };
    let object = reader.object()?;
    if reader.rest.is_empty() { Ok(object) } else { Err(format!("`{}` follows the object", reader.rest)) }
}

/// The object in the last line of a tool's output that is one.
pub fn last_object(output: &str) -> Option<Object> {
    output.lines().rev().find_map(|line| parse(line).ok())
}

/// The numbers of its first list, as text.
pub fn first_list(output: &str) -> Vec<String> {
    last_object(output).and_then(|o| o.into_iter().next()).map(|(_, n)| n).unwrap_or_default()
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn eat(&mut self, token: char) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn need(&mut self, token: char) -> Result<(), String> {
        if self.eat(token) { Ok(()) } else { Err(format!("expected `{token}` before `{}`", self.rest)) }
    }

    /// Parses items, separated by commas, up to `close`.
    fn list<T>(&mut self, close: char, item: fn(&mut Self) -> Result<T, String>) -> Result<Vec<T>, String> {
        let mut items = Vec::new();
        if self.eat(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.eat(close) {
                return Ok(items);
            }
            self.need(',')?;
        }
    }

    fn object(&mut self) -> Result<Object, String> {
        self.need('{')?;
        self.list('}', |r| {
            let name = r.string()?;
            r.need(':')?;
            r.need('[')?;
            Ok((name, r.list(']', Self::number)?))
        })
    }

    fn string(&mut self) -> Result<String, String> {
        self.need('"')?;
        let mut out = String::new();
        let mut chars = self.rest.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(out);
                }
                '\\' => out.extend(chars.next().map(|(_, c)| c)),
                c => out.push(c),
            }
        }
        Err("a string is not closed".into())
    }

    fn number(&mut self) -> Result<String, String> {
        let end = self.rest.find([',', ']', ' ', '\t']).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        value(word).ok_or_else(|| format!("`{word}` is no number"))?;
        self.rest = rest;
        Ok(word.to_string())
    }
}

fn value(word: &str) -> Option<f64> {
    match word {
        "NaN" => Some(f64::NAN),
        "Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        _ if word.contains(|c: char| c.is_ascii_alphabetic() && c != 'e' && c != 'E') => None,
        _ => word.parse().ok(),
    }
}

fn is_integer(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_digit() || b == b'-')
}

fn near(expected: &str, actual: &str, tolerance: &Tolerance) -> bool {
    // Integers are compared as text. A float in place of an integer is a difference of type.
    if is_integer(expected) || is_integer(actual) {
        return expected == actual;
    }
    let (Some(e), Some(a)) = (value(expected), value(actual)) else { return false };
    e == a || (e.is_nan() && a.is_nan()) || (e - a).abs() <= tolerance.abs + tolerance.rel * e.abs()
}

/// Compares names, counts and numbers.
pub fn compare(expected: &Object, actual: &Object, tolerance: &Tolerance) -> Result<(), String> {
    let names = |o: &Object| o.iter().map(|(n, _)| n.as_str()).collect::<Vec<_>>().join(", ");
    if names(expected) != names(actual) {
        return Err(format!("expected the names {}, got {}", names(expected), names(actual)));
    }
    for ((name, e), (_, a)) in expected.iter().zip(actual) {
        if e.len() != a.len() {
            return Err(format!("`{name}`: expected {} numbers, got {}: {}", e.len(), a.len(), a.join(", ")));
        }
        if let Some(i) = (0..e.len()).find(|&i| !near(&e[i], &a[i], tolerance)) {
            return Err(format!("`{name}`[{i}]: expected {}, got {}\n  all of it: [{}]", e[i], a[i], a.join(", ")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expected: &str, actual: &str, tolerance: &str) -> Result<(), String> {
        let tolerance = if tolerance.is_empty() { Tolerance::default() } else { Tolerance::parse(tolerance).unwrap() };
        compare(&parse(expected).unwrap(), &parse(actual).unwrap(), &tolerance)
    }

    #[test]
    fn exact_unless_told_otherwise() {
        assert_eq!(
            check(r#"{"a": [1.0, NaN, -Infinity, 3], "b": []}"#, r#"{"a":[1.0,NaN,-Infinity,3],"b":[]}"#, ""),
            Ok(())
        );
        for (expected, actual) in [
            (r#"{"a": [1.0]}"#, r#"{"a": [1.0000001]}"#),
            (r#"{"a": [1]}"#, r#"{"a": [1.0]}"#),
            (r#"{"a": [1.0]}"#, r#"{"a": [1]}"#),
            (r#"{"a": [NaN]}"#, r#"{"a": [0.0]}"#),
            (r#"{"a": [Infinity]}"#, r#"{"a": [-Infinity]}"#),
            (r#"{"a": [1.0]}"#, r#"{"b": [1.0]}"#),
            (r#"{"a": [1.0]}"#, r#"{"a": [1.0, 2.0]}"#),
            (r#"{"a": [], "b": []}"#, r#"{"b": [], "a": []}"#),
        ] {
            assert!(check(expected, actual, "").is_err(), "{expected} {actual}");
        }
    }

    #[test]
    fn tolerances() {
        assert_eq!(check(r#"{"a": [100.0]}"#, r#"{"a": [100.05]}"#, "rel=1e-3 why=test"), Ok(()));
        assert!(check(r#"{"a": [100.0]}"#, r#"{"a": [100.2]}"#, "rel=1e-3 why=test").is_err());
        assert!(check(r#"{"a": [0.0]}"#, r#"{"a": [1e-9]}"#, "rel=1e-3 why=test").is_err());
        assert_eq!(check(r#"{"a": [0.0]}"#, r#"{"a": [1e-9]}"#, "abs=1e-8 why=test"), Ok(()));
        assert!(check(r#"{"a": [0.0]}"#, r#"{"a": [NaN]}"#, "abs=1e9 why=test").is_err());
        assert!(check(r#"{"a": [10]}"#, r#"{"a": [11]}"#, "abs=5 why=test").is_err(), "integers have no tolerance");
        for bad in ["rel=1", "why=", "rel=x why=y", "ulp=3 why=y"] {
            assert!(Tolerance::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn malformed_objects_are_refused() {
        for bad in [
            "",
            "[]",
            "{\"a\": 1}",
            "{\"a\": [1}",
            "{\"a\": [x]}",
            "{\"a\": [1]} x",
            "{\"a: [1]}",
            "{\"a\": [infinity]}",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        assert_eq!(last_object("step 1\n{\"a\": [1]}\n").map(|o| o[0].0.clone()), Some("a".into()));
        assert_eq!(last_object("nothing"), None);
    }
}
