//! The condition of `#if`: integers, `defined`, and C's operators.

use super::macros::Macros;

/// The value of a condition; a name that is no macro counts as zero.
pub fn evaluate(text: &str, macros: &Macros) -> Result<i64, String> {
    let resolved = resolve_defined(&macros.expand_condition(text), macros)?;
    let tokens = tokens(&resolved)?;
    let mut p = Parser { tokens: &tokens, at: 0, depth: 0 };
    let v = p.expr(0)?;
    match p.tokens.get(p.at) {
        None => Ok(v),
        Some(t) => Err(unexpected(t)),
    }
}

fn unexpected(token: &str) -> String {
    match token {
        "?" | ":" => "`?:` is no operator of a condition".to_string(),
        t => format!("`{t}` is unexpected"),
    }
}

/// Replaces `__has_include("file")` and `__has_include(<file>)` by whether there is such a file.
pub fn resolve_has_include(text: &str, exists: &mut dyn FnMut(&str) -> bool) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("__has_include") {
        let Some((name, behind)) = after.trim_start().strip_prefix('(').and_then(|a| a.split_once(')')) else { break };
        let (written, name) = (name.trim(), name.trim().trim_matches(|c| c == '"' || c == '<' || c == '>').trim());
        let quoted = |open, close| written.len() > 1 && written.starts_with(open) && written.ends_with(close);
        if !quoted('"', '"') && !quoted('<', '>') {
            return Err("`__has_include` takes the name of a file in quotes".to_string());
        }
        out.push_str(before);
        out.push_str(if exists(name) { " 1 " } else { " 0 " });
        rest = behind;
    }
    out.push_str(rest);
    Ok(out)
}

/// Replaces `defined X` and `defined(X)`, also where a macro wrote them.
fn resolve_defined(text: &str, macros: &Macros) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(i) = rest.find("defined") {
        let before = rest[..i].chars().next_back();
        let after = &rest[i + 7..];
        let word_goes_on = |c: char| c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii();
        if before.is_some_and(word_goes_on) || after.starts_with(word_goes_on) {
            out.push_str(&rest[..i + 7]);
            rest = after;
            continue;
        }
        out.push_str(&rest[..i]);
        let trimmed = after.trim_start();
        let inner = trimmed.strip_prefix('(').map_or(trimmed, str::trim_start);
        let end = inner.find(|c| !word_goes_on(c)).unwrap_or(inner.len());
        if end == 0 || inner.starts_with(|c: char| c.is_ascii_digit()) {
            return Err("`defined` needs a name".to_string());
        }
        out.push_str(if macros.is_defined(&inner[..end]) { " 1 " } else { " 0 " });
        rest = &inner[end..];
        if trimmed.starts_with('(') {
            let closed = rest.trim_start().strip_prefix(')');
            rest = closed.ok_or("the parenthesis of `defined` is not closed")?;
        }
    }
    out.push_str(rest);
    Ok(out)
}

fn tokens(text: &str) -> Result<Vec<String>, String> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        let b = bytes[i];
        if b.is_ascii_whitespace() {
            i += 1;
        } else if crate::scan::is_name_byte(b) {
            let end = super::macros::word_end(bytes, i);
            out.push(text[i..end].to_string());
            i = end;
        } else {
            let two = text.get(i..i + 2).unwrap_or("");
            let n = if matches!(two, "&&" | "||" | "==" | "!=" | "<=" | ">=" | "<<" | ">>") { 2 } else { 1 };
            match text.get(i..i + n) {
                Some(t) => out.push(t.to_string()),
                None => return Err("it has characters that no condition has".to_string()),
            }
            i += n;
        }
    }
    Ok(out)
}

struct Parser<'t> {
    tokens: &'t [String],
    at: usize,
    depth: usize,
}

fn level(op: &str) -> Option<u8> {
    Some(match op {
        "||" => 1,
        "&&" => 2,
        "|" => 3,
        "^" => 4,
        "&" => 5,
        "==" | "!=" => 6,
        "<" | ">" | "<=" | ">=" => 7,
        "<<" | ">>" => 8,
        "+" | "-" => 9,
        "*" | "/" | "%" => 10,
        _ => return None,
    })
}

impl Parser<'_> {
    fn expr(&mut self, least: u8) -> Result<i64, String> {
        let mut left = self.unary()?;
        while let Some(op) = self.tokens.get(self.at).cloned() {
            let Some(l) = level(&op).filter(|l| *l > least) else { break };
            self.at += 1;
            let right = self.expr(l)?;
            left = match op.as_str() {
                "||" => i64::from(left != 0 || right != 0),
                "&&" => i64::from(left != 0 && right != 0),
                "|" => left | right,
                "^" => left ^ right,
                "&" => left & right,
                "==" => i64::from(left == right),
                "!=" => i64::from(left != right),
                "<" => i64::from(left < right),
                ">" => i64::from(left > right),
                "<=" => i64::from(left <= right),
                ">=" => i64::from(left >= right),
                "<<" => left.wrapping_shl(right as u32),
                ">>" => left.wrapping_shr(right as u32),
                "+" => left.wrapping_add(right),
                "-" => left.wrapping_sub(right),
                "*" => left.wrapping_mul(right),
                "/" => left.checked_div(right).ok_or("it divides by zero")?,
                _ => left.checked_rem(right).ok_or("it divides by zero")?,
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<i64, String> {
        self.depth += 1;
        if self.depth > 256 {
            return Err("it is nested too deeply".to_string());
        }
        let token = self.tokens.get(self.at).cloned().ok_or("it ends too early")?;
        self.at += 1;
        let v = match token.as_str() {
            "!" => i64::from(self.unary()? == 0),
            "-" => self.unary()?.wrapping_neg(),
            "+" => self.unary()?,
            "~" => !self.unary()?,
            "(" => {
                let v = self.expr(0)?;
                match self.tokens.get(self.at).map(String::as_str) {
                    Some(")") => {}
                    Some(t) => return Err(unexpected(t)),
                    None => return Err("a parenthesis is not closed".to_string()),
                }
                self.at += 1;
                v
            }
            "true" => 1,
            t if t.as_bytes()[0].is_ascii_digit() => {
                let digits = t.trim_end_matches(['u', 'U', 'l', 'L']);
                match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
                    Some(hex) => i64::from_str_radix(hex, 16),
                    None => digits.parse(),
                }
                .map_err(|_| format!("`{t}` is not an integer"))?
            }
            t if crate::scan::is_name_byte(t.as_bytes()[0]) => 0,
            t => return Err(unexpected(t)),
        };
        self.depth -= 1;
        Ok(v)
    }
}
