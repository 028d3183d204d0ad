//! Checks of rows that need no knowledge of ops. They run while the table is compiled.

use super::row::Class;

/// Stops the compilation of a row that cannot be right.
pub const fn row(left: &str, right: &str, when: &str, ulps: u32, class: Class) {
    assert!(!(ulps > 0 && matches!(class, Class::Exact)), "an exact row has no error bound");
    assert!(bound(left.as_bytes(), right.as_bytes()), "the right side has a variable that the left side lacks");
    assert!(bound(left.as_bytes(), when.as_bytes()), "a condition has a variable that the left side lacks");
}

const fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_' || c == b'.'
}

/// Whether every variable of `text` occurs in `left`. A word after `(` is an op or a predicate, one
/// before `(` a condition, and one that begins with a digit a number.
const fn bound(left: &[u8], text: &[u8]) -> bool {
    let mut i = 0;
    while i < text.len() {
        if !is_word(text[i]) {
            i += 1;
            continue;
        }
        let start = i;
        while i < text.len() && is_word(text[i]) {
            i += 1;
        }
        let head = start > 0 && text[start - 1] == b'(' && i < text.len() && text[i] == b' ';
        let condition = i < text.len() && text[i] == b'(';
        let in_conditions =
            start > 0 && text[start - 1] == b'(' && i < text.len() && (text[i] == b')' || text[i] == b',');
        let variable =
            (!head || in_conditions) && !condition && !text[start].is_ascii_digit() && !keyword(text, start, i);
        if variable && !has_word(left, text, start, i) {
            return false;
        }
    }
    true
}

/// Whether a word is a number or the predicate of a comparison.
const fn keyword(text: &[u8], start: usize, end: usize) -> bool {
    const WORDS: &[&str] = &[
        "true", "false", "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge", "oeq", "ogt", "oge",
        "olt", "ole", "one", "ord", "ueq", "une", "uno", "inf",
    ];
    let mut k = 0;
    while k < WORDS.len() {
        if same(WORDS[k].as_bytes(), 0, WORDS[k].len(), text, start, end) {
            return true;
        }
        k += 1;
    }
    false
}

const fn has_word(within: &[u8], text: &[u8], start: usize, end: usize) -> bool {
    let mut i = 0;
    while i < within.len() {
        if !is_word(within[i]) {
            i += 1;
            continue;
        }
        let first = i;
        while i < within.len() && is_word(within[i]) {
            i += 1;
        }
        if same(within, first, i, text, start, end) {
            return true;
        }
    }
    false
}

const fn same(a: &[u8], a0: usize, a1: usize, b: &[u8], b0: usize, b1: usize) -> bool {
    if a1 - a0 != b1 - b0 {
        return false;
    }
    let mut i = 0;
    while i < a1 - a0 {
        if a[a0 + i] != b[b0 + i] {
            return false;
        }
        i += 1;
    }
    true
}
