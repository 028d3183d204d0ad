//! Guesses from indentation which brace of a text is missing or too many. Counting finds that only
//! where the text ends, which may be pages away.

use crate::scan::{ScanError, is_name_byte, literal_end};

/// A brace that is open.
struct Open {
    at: usize,
    /// Of the line that it stands on.
    indent: usize,
    line: usize,
    /// Whether statements are in it: a parenthesis, `else` or `do` stands before it.
    of_statements: bool,
    /// Whether the first line in it stands further in.
    indented: bool,
}

/// The first brace that does not suit the indentation of its block, for a text in which one is
/// missing (`is_missing`) or too many. `end` is where counting finds that.
pub fn odd_brace(text: &str, is_missing: bool, end: usize) -> Option<ScanError> {
    let bytes = text.as_bytes();
    let mut open: Vec<Open> = Vec::new();
    let (mut i, mut line, mut indent, mut begins) = (0, 0, 0, true);
    // The last character that is no space, and whether all before it on its line close blocks.
    let (mut before, mut only_closing) = (0u8, true);
    while i < end.min(bytes.len()) {
        let b = bytes[i];
        if b == b'\n' {
            (line, indent, begins, only_closing) = (line + 1, 0, true, true);
            i += 1;
            continue;
        }
        if b.is_ascii_whitespace() {
            indent += usize::from(begins);
            i += 1;
            continue;
        }
        if std::mem::take(&mut begins)
            && b != b'#'
            && let Some(around) = open.last_mut()
        {
            let goes_on = matches!(b, b'{' | b'}' | b')' | b']' | b',') || !matches!(before, b';' | b'}');
            if is_missing && !goes_on && around.of_statements && around.indented && indent <= around.indent {
                return Some(ScanError::Lacking { at: i, open_at: around.at });
            }
            around.indented |= before == b'{' && indent > around.indent;
        }
        match b {
            b'{' => {
                let head = text[..i].trim_end();
                let word =
                    head.rfind(|c: char| !c.is_ascii() || !is_name_byte(c as u8)).map_or(head, |k| &head[k + 1..]);
                let of_statements = head.ends_with(')') || matches!(word, "else" | "do");
                open.push(Open { at: i, indent, line, of_statements, indented: false });
            }
            b'}' => {
                let closed = open.pop()?;
                if only_closing && closed.line != line {
                    if is_missing && indent < closed.indent {
                        return Some(ScanError::Lacking { at: i, open_at: closed.at });
                    }
                    if !is_missing && indent > closed.indent {
                        return Some(ScanError::Surplus { at: i, open_at: closed.at, end });
                    }
                }
            }
            _ => {}
        }
        only_closing &= b == b'}';
        before = b;
        i = literal_end(bytes, i).unwrap_or(i + 1);
    }
    None
}
