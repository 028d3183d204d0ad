//! Parses the command lines of `RUN` directives: words, pipes, substitutions.

/// One tool of a pipeline with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    pub tool: String,
    pub args: Vec<String>,
    /// `2>&1`: whether the next stage also gets this one's standard error.
    pub merge_stderr: bool,
}

/// Splits `line` at `|` and blanks, except within quotes of either kind. A backslash is an ordinary
/// character.
pub fn parse(line: &str) -> Result<Vec<Stage>, String> {
    let mut stages: Vec<Vec<String>> = vec![Vec::new()];
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, '|') => {
                stages.last_mut().into_iter().for_each(|s| s.extend(word.take()));
                stages.push(Vec::new());
            }
            (None, c) if c.is_whitespace() => stages.last_mut().into_iter().for_each(|s| s.extend(word.take())),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(format!("a quote is not closed in `{line}`"));
    }
    stages.last_mut().into_iter().for_each(|s| s.extend(word.take()));
    stages.into_iter().map(|words| stage(words, line)).collect()
}

fn stage(words: Vec<String>, line: &str) -> Result<Stage, String> {
    let (redirects, words): (Vec<String>, Vec<String>) = words.into_iter().partition(|w| w == "2>&1");
    let mut words = words.into_iter();
    match words.next() {
        Some(tool) => Ok(Stage { tool, args: words.collect(), merge_stderr: !redirects.is_empty() }),
        None => Err(format!("a command is missing in `{line}`")),
    }
}

/// `text` with each `%name` of `values` replaced. Longer names take precedence over their prefixes.
pub fn substitute(text: &str, values: &[(&str, &str)]) -> String {
    let mut values = values.to_vec();
    values.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        match values.iter().find(|(name, _)| rest.starts_with(name)) {
            Some((name, value)) => {
                out.push_str(value);
                rest = &rest[name.len()..];
            }
            None => {
                out.push('%');
                rest = &rest[1..];
            }
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_pipes_and_quotes() {
        let stages = parse("a 'b c' --p=\"x|y\" '' 2>&1 | d").unwrap();
        assert_eq!(stages[0].tool, "a");
        assert_eq!(stages[0].args, ["b c", "--p=x|y", ""]);
        assert!(stages[0].merge_stderr && !stages[1].merge_stderr);
        assert_eq!((stages.len(), stages[1].tool.as_str()), (2, "d"));
        assert!(parse("a | ").is_err());
        assert!(parse("a 'b").is_err());
        assert!(parse("").is_err());
    }

    #[test]
    fn substitution_prefers_longer_names() {
        let values = [("%s", "f"), ("%S", "d"), ("%backend", "interp")];
        assert_eq!(substitute("%s %S/x %backend %d 100%", &values), "f d/x interp %d 100%");
    }
}
