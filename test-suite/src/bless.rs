//! Rewrites the exact texts of a case file in place.

use crate::case::ExactText;

/// `file` with the lines of each text replaced by those of its new contents.
pub fn rewrite(file: &str, texts: &[(ExactText, String)]) -> String {
    let mut lines: Vec<String> = file.lines().map(str::to_string).collect();
    let mut texts: Vec<&(ExactText, String)> = texts.iter().collect();
    // From the end, so that earlier line numbers stay valid.
    texts.sort_by_key(|(exact, _)| std::cmp::Reverse(exact.directive));
    for (exact, new) in texts {
        let start = exact.directive + 1;
        let indent: String = lines[exact.directive].chars().take_while(|c| c.is_whitespace()).collect();
        let new = new.lines().map(|l| if l.is_empty() { format!("{indent}//|") } else { format!("{indent}//| {l}") });
        lines.splice(start..start + exact.lines.len(), new);
    }
    let mut out = lines.join("\n");
    if file.ends_with('\n') {
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case;

    #[test]
    fn texts_are_replaced_and_the_rest_stays() {
        let file = "// RUN: a\n// STDOUT:\n//| old\n//| older\nfloat f;\n// RUN: b\n  // STDERR:\nfloat g;\n";
        let steps = case::parse(file).unwrap().steps;
        let texts =
            [(steps[0].exact[0].clone(), "one\n\ntwo\n".to_string()), (steps[1].exact[0].clone(), "e\n".to_string())];
        let new = rewrite(file, &texts);
        assert_eq!(
            new,
            "// RUN: a\n// STDOUT:\n//| one\n//|\n//| two\nfloat f;\n// RUN: b\n  // STDERR:\n  //| e\nfloat g;\n"
        );
        let again = case::parse(&new).unwrap().steps;
        assert_eq!(again[0].exact[0].lines, ["one", "", "two"]);
        assert_eq!(again[1].exact[0].lines, ["e"]);
    }
}
