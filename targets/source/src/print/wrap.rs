//! Long lines are broken: between statements, then where the fewest brackets are open, there where
//! the weakest operator stands.
//!
//! Invariant: only white space is added, outside of strings, comments and directives.

/// Columns of a line, if it can be broken.
const COLUMNS: usize = 110;
const INDENT: &str = "    ";

pub fn wrapped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        if line.chars().count() <= COLUMNS {
            out += line;
        } else {
            out += &broken(line);
        }
        out += end;
    }
    out
}

fn broken(line: &str) -> String {
    let content = line.trim_start();
    let pad = &line[..line.len() - content.len()];
    if content.starts_with('#') || content.ends_with('\\') {
        return line.to_string();
    }
    if let Some(comment) = content.strip_prefix("//") {
        return words(pad, comment);
    }
    if let Some((head, body)) = block(content) {
        let lines: String = body.iter().map(|s| line_within(pad, s) + "\n").collect();
        return format!("{}\n{lines}{pad}}}", laid_out(pad, head));
    }
    if let Some((head, rest)) = guard(content) {
        return format!("{}\n{}", laid_out(pad, head), line_within(pad, rest));
    }
    laid_out(pad, content)
}

/// A statement further in, in as many lines as it takes.
fn line_within(pad: &str, statement: &str) -> String {
    let line = format!("{pad}{INDENT}{statement}");
    if line.chars().count() > COLUMNS { broken(&line) } else { line }
}

/// What stands before the statements of a block in one line, with its bracket, and these.
fn block(content: &str) -> Option<(&str, Vec<&str>)> {
    let inside = content.strip_suffix('}')?;
    let (mut open, mut begin, mut cuts) = (0_usize, None, Vec::new());
    for (at, c) in content.char_indices() {
        match c {
            '"' => return None,
            '{' if open == 0 && begin.is_none() => begin = Some(at + 1),
            _ => {}
        }
        match c {
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open = open.saturating_sub(1),
            _ => {}
        }
        let ends = open == 1 && (c == ';' || c == '}');
        match begin {
            Some(_) if ends => cuts.push(at + 1),
            // The block ends before the line does.
            Some(_) if open == 0 && at + 1 < content.len() => return None,
            _ => {}
        }
    }
    let begin = begin?;
    let mut from = begin;
    let mut body = Vec::new();
    for cut in cuts {
        body.push(content[from..cut].trim());
        from = cut;
    }
    // What is left is no statement: a list of values.
    (inside[from..].trim().is_empty() && !body.is_empty()).then(|| (&content[..begin], body))
}

/// A statement in as many lines as it takes.
fn laid_out(pad: &str, content: &str) -> String {
    // What is in a block stands where its statements do.
    let inner = if content.ends_with('{') { INDENT.repeat(2) } else { INDENT.to_string() };
    let room = COLUMNS.saturating_sub(pad.len() + inner.len());
    let lines = pieces(content, room);
    let first = format!("{pad}{}", lines[0]);
    lines[1..].iter().fold(first, |out, line| format!("{out}\n{pad}{inner}{line}"))
}

/// The head of a branch or loop, and the statement that is behind it in the same line.
fn guard(content: &str) -> Option<(&str, &str)> {
    if !["if (", "for (", "while ("].iter().any(|word| content.starts_with(word)) {
        return None;
    }
    let mut open = 0;
    for (at, c) in content.char_indices() {
        match c {
            '(' => open += 1,
            ')' => open -= 1,
            '"' => return None,
            _ => {}
        }
        if open == 0 && c == ')' {
            let rest = content[at + 1..].trim_start();
            return (!rest.is_empty() && !rest.starts_with('{')).then_some((&content[..=at], rest));
        }
    }
    None
}

/// A comment's words in lines.
fn words(pad: &str, comment: &str) -> String {
    let slashes = format!("//{}", if comment.starts_with('/') { "/" } else { "" });
    let mut out = String::new();
    let mut line = format!("{pad}{slashes}");
    for word in comment.trim_start_matches('/').split_whitespace() {
        if line.chars().count() + 1 + word.chars().count() > COLUMNS {
            out += &line;
            out.push('\n');
            line = format!("{pad}{slashes}");
        }
        line.push(' ');
        line += word;
    }
    out + &line
}

/// A place where a line may be broken: the bytes that stay on the line before, how many brackets
/// are open, and how strongly what stands there binds.
struct Place {
    at: usize,
    open: usize,
    binds: usize,
}

/// Operators, the weakest first.
const OPERATORS: [&[&str]; 7] =
    [&["? ", ": "], &["|| "], &["&& "], &["| ", "^ "], &["& "], &["+ ", "- "], &["* ", "/ ", "% "]];

fn places(text: &str) -> Vec<Place> {
    let mut found = Vec::new();
    let (mut open, mut angles, mut quoted) = (0_usize, 0_usize, false);
    // Of `angles` those behind a word, which no shift is.
    let mut types = 0_usize;
    let bytes = text.as_bytes();
    for (at, c) in text.char_indices() {
        match c {
            '<' if at > 0 && bytes[at - 1].is_ascii_alphanumeric() => types += 1,
            '>' if types > 0 && bytes[at - 1] != b'-' && !bytes[at - 1].is_ascii_whitespace() => types -= 1,
            _ => {}
        }
        match c {
            '"' if at == 0 || bytes[at - 1] != b'\\' => quoted = !quoted,
            _ if quoted => {}
            '/' if text[at..].starts_with("//") => break,
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open = open.saturating_sub(1),
            // Of types: operators have spaces around them.
            '<' if at > 0 && !bytes[at - 1].is_ascii_whitespace() => (open, angles) = (open + 1, angles + 1),
            '>' if angles > 0 && bytes[at - 1] != b'-' && !bytes[at - 1].is_ascii_whitespace() => {
                (open, angles) = (open.saturating_sub(1), angles - 1);
            }
            ';' if text[at..].starts_with("; ") => found.push(Place { at: at + 2, open: 0, binds: 0 }),
            // A type stays in one line.
            ',' if types == 0 && text[at..].starts_with(", ") => found.push(Place { at: at + 2, open, binds: 1 }),
            ' ' => {
                let rest = &text[at + 1..];
                let binds = OPERATORS.iter().position(|all| all.iter().any(|sign| rest.starts_with(sign)));
                if let Some(binds) = binds.filter(|_| at > 0) {
                    found.push(Place { at: at + 1, open, binds: binds + 2 });
                }
            }
            _ => {}
        }
    }
    found
}

fn pieces(text: &str, room: usize) -> Vec<String> {
    let text = text.trim_end();
    if text.chars().count() <= room {
        return vec![text.to_string()];
    }
    let all = places(text);
    let Some((open, binds)) = all.iter().map(|p| (p.open, p.binds)).min() else { return behind(text, room) };
    let mut cuts: Vec<usize> = all.iter().filter(|p| (p.open, p.binds) == (open, binds)).map(|p| p.at).collect();
    cuts.push(text.len());
    let mut out: Vec<String> = Vec::new();
    let (mut from, mut until) = (0, 0);
    let fits = |from: usize, to: usize| text[from..to].trim_end().chars().count() <= room;
    for cut in cuts {
        if until > from && !fits(from, cut) {
            out.extend(pieces(&text[from..until], room));
            from = until;
        }
        until = cut;
    }
    // Something was cut off before, since the whole does not fit.
    match from {
        0 => out.extend(behind(text, room)),
        _ => out.extend(pieces(&text[from..until], room)),
    }
    out
}

/// A piece without a place to break it: what is behind an assignment, or else behind the last
/// bracket that leaves as much as fits, has a line of its own.
fn behind(text: &str, room: usize) -> Vec<String> {
    let quoted = text.contains('"') || text.contains("//");
    let assigned = text.find(" = ").map(|at| at + 3);
    let brackets =
        text.char_indices().filter(|(at, c)| ['(', '{'].contains(c) && !text[at + 1..].starts_with([')', '}']));
    let last = brackets.map(|(at, _)| at + 1).rfind(|&at| text[..at].chars().count() <= room);
    match assigned.or(last).filter(|at| !quoted && *at < text.len()) {
        Some(at) => {
            let (head, rest) = (text[..at].trim_end(), text[at..].trim_start());
            [head].into_iter().map(str::to_string).chain(pieces(rest, room)).collect()
        }
        None => vec![text.to_string()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bare(text: &str) -> String {
        text.chars().filter(|c| !c.is_whitespace()).collect()
    }

    #[test]
    fn long_lines_are_broken_where_the_fewest_brackets_are_open() {
        let call = format!("    result = f({0}(a, b), {0}(c, d)) + g({0}, e) * h;", "name_of_a_function_".repeat(2));
        let lines = wrapped(&call);
        assert_eq!(
            lines.lines().nth(1).map(str::trim_start),
            Some("+ g(name_of_a_function_name_of_a_function_, e) * h;")
        );
        assert_eq!(bare(&lines), bare(&call));
    }

    #[test]
    fn what_has_no_operator_is_broken_behind_an_assignment_or_a_bracket() {
        let name = "name_of_a_function_".repeat(3);
        for text in [format!("    {name} a = {name}{{}};"), format!("    a = {name}({name}({name}));")] {
            let lines = wrapped(&text);
            assert!(lines.lines().count() > 1 && lines.lines().all(|l| l.len() <= COLUMNS), "{lines}");
            assert_eq!(bare(&lines), bare(&text));
        }
    }

    #[test]
    fn types_stay_in_one_line() {
        let text =
            format!("void function_of_a(thread const array<array<{}, 3>, 4>& x) {{", "name_of_a_struct_".repeat(4));
        assert!(
            wrapped(&text).starts_with("void function_of_a(\n        thread const array<array<name"),
            "{}",
            wrapped(&text)
        );
        assert_eq!(bare(&wrapped(&text)), bare(&text));
    }

    #[test]
    fn strings_comments_and_directives_stay_whole() {
        let string = format!("    printf(\"{}\");", "a, b + ".repeat(30));
        let directive = format!("#define X {}", "a + ".repeat(40));
        for text in [string, directive] {
            assert_eq!(wrapped(&text), text);
        }
        let comment = format!("    // {}", "word ".repeat(40));
        assert!(wrapped(&comment).lines().all(|line| line.starts_with("    // ") && line.len() <= COLUMNS));
    }

    #[test]
    fn a_guard_and_what_it_guards_are_two_lines() {
        let text = format!("    if (i < n) result[i] = {}x;", "value_of_something + ".repeat(5));
        assert!(wrapped(&text).starts_with("    if (i < n)\n        result[i] = value"));
        let text = format!("    if (i < n) {{ f({}); }}", "value, ".repeat(15));
        let lines = wrapped(&text);
        assert!(lines.starts_with("    if (i < n) {\n        f(value") && lines.ends_with(");\n    }"));
    }

    #[test]
    fn statements_of_a_block_in_one_line_get_lines_of_their_own() {
        let text = format!("fn f(a: array<u32, 2>) -> u32 {{ let x = {}0; return x; }}", "a_long_name[0] + ".repeat(7));
        let lines = wrapped(&text);
        assert!(
            lines.starts_with("fn f(a: array<u32, 2>) -> u32 {\n    let x = ") && lines.ends_with("    return x;\n}")
        );
        assert_eq!(bare(&lines), bare(&text));
    }
}
