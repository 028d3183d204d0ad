//! Functions of a line or two that are made for a text stand in one line.
//!
//! This module must not know: any language.

/// Statements that one line takes.
const STATEMENTS: usize = 3;
/// Columns of a line, at most.
const COLUMNS: usize = 110;

/// A text of one function, with comments before it, in one line where it fits; else as it is.
pub(super) fn compact(text: &str) -> String {
    in_one_line(text).unwrap_or_else(|| text.to_string())
}

fn in_one_line(text: &str) -> Option<String> {
    let mut lines = text.trim_end().lines();
    let mut out = String::new();
    let mut head = lines.next()?;
    while head.starts_with("//") || head.is_empty() {
        out += head;
        out.push('\n');
        head = lines.next()?;
    }
    let rest: Vec<&str> = lines.collect();
    let (&"}", body) = rest.split_last()? else { return None };
    let is_plain = |line: &&str| {
        let statement = line.strip_prefix("    ").unwrap_or(" ");
        !statement.starts_with([' ', '}']) && statement.ends_with([';', '}']) && !statement.contains("//")
    };
    if !head.ends_with(" {") || body.is_empty() || body.len() > STATEMENTS || !body.iter().all(is_plain) {
        return None;
    }
    let statements: Vec<&str> = body.iter().map(|line| line.trim_start()).collect();
    let line = format!("{head} {} }}", statements.join(" "));
    (line.chars().count() <= COLUMNS).then(|| out + &line + "\n")
}

#[cfg(test)]
mod tests {
    use super::compact;

    #[test]
    fn a_short_function_is_a_line() {
        let text = "// Why.\nfloat at(uint i) {\n    if (i < 4u) return x[i];\n    return 0.0;\n}\n";
        assert_eq!(compact(text), "// Why.\nfloat at(uint i) { if (i < 4u) return x[i]; return 0.0; }\n");
    }

    #[test]
    fn loops_and_long_lines_stay() {
        let text = "float at(uint i) {\n    for (;;)\n        i++;\n}\n";
        assert_eq!(compact(text), text);
        let long = format!("float at(uint i) {{\n    return {};\n}}\n", "1 + ".repeat(30));
        assert_eq!(compact(&long), long);
    }
}
