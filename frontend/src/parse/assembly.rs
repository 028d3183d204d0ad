//! Reads what stands in `spirv_asm { … }`. The code is for other targets and is not run here; what
//! it takes from the program is checked: the values (`$x`), the types (`$$T`) and the names of its
//! instructions.

use super::causes::{is_name_char, leading_word};
use super::{Ctx, P, Rule, machine};
use crate::ast::{Assembly, Expr, ExprKind, Ident};
use crate::source::Span;
use caustic_ir::nearest::nearest;
use caustic_ir::{Name, codes};

/// The names that begin with `Op` are instructions, the others capabilities.
const NAMES: &str = include_str!("assembly.txt");

/// What names that belong to extensions end with; those are not listed.
const EXTENSIONS: &[&str] =
    &["KHR", "EXT", "NV", "AMD", "INTEL", "GOOGLE", "ARM", "QCOM", "HUAWEI", "ALTERA", "NVX", "AMDX", "VALVE"];

impl Ctx<'_> {
    pub(super) fn assembly(&mut self, pair: &P) -> ExprKind {
        let whole = pair.as_str().trim_end();
        let open = whole.find('{').map_or(whole.len(), |at| at + 1);
        let body = whole[open..].strip_suffix('}').unwrap_or_default();
        let mut out = Assembly::default();
        let mut at = pair.start() + open;
        for instruction in body.split(';') {
            self.instruction(instruction, at, &mut out);
            at += instruction.len() + 1;
        }
        ExprKind::Assembly(Box::new(out))
    }

    /// An instruction that stands at offset `at`.
    fn instruction(&mut self, text: &str, at: usize, out: &mut Assembly) {
        out.has_result |= text.split(|c: char| !is_name_char(c)).any(|word| word == "result");
        self.taken(text, at, out);
        let named = text.find('=').map_or(0, |i| i + 1);
        let start = named + (text[named..].len() - text[named..].trim_start().len());
        let op = leading_word(&text[start..]);
        if op.starts_with("Op") {
            self.known_name(op, at + start, "instruction");
        }
        if op == "OpCapability" {
            let operand = start + op.len();
            let operand = operand + (text[operand..].len() - text[operand..].trim_start().len());
            let word = leading_word(&text[operand..]);
            if !word.is_empty() && !word.starts_with(|c: char| c.is_ascii_digit()) {
                self.known_name(word, at + operand, "capability");
            }
        }
    }

    fn known_name(&mut self, word: &str, at: usize, what: &str) {
        let names = || NAMES.split_ascii_whitespace().filter(|n| n.starts_with("Op") == (what == "instruction"));
        if EXTENSIONS.iter().any(|e| word.ends_with(e)) || names().any(|n| n == word) {
            return;
        }
        let near = nearest(word, names());
        let d = self.error(codes::E0201, self.place(at, word.len()), format!("SPIR-V has no {what} `{word}`"));
        d.notes.extend(near.map(|near| format!("did you mean `{near}`?")));
    }

    fn place(&self, at: usize, len: usize) -> Span {
        Span::new(self.base + at as u32, self.base + (at + len) as u32)
    }

    /// Notes the values and types that an instruction takes from the program.
    fn taken(&mut self, text: &str, at: usize, out: &mut Assembly) {
        let mut rest = 0;
        while let Some(sign) = text[rest..].find(['$', '&', '"']).map(|i| rest + i) {
            let after = &text[sign + 1..];
            rest = sign + 1;
            if text[sign..].starts_with('"') {
                rest += after.find('"').map_or(after.len(), |i| i + 1);
            } else if let Some(ty) = after.strip_prefix('$') {
                let word = leading_word(ty);
                rest += 1 + word.len();
                // Types with arguments are left alone.
                if !word.is_empty() && !ty[word.len()..].trim_start().starts_with(['<', '.', ':', '[', '(']) {
                    out.types.push(self.word(word, at + sign + 2));
                }
            } else if after.starts_with('(') {
                let end = closing(after);
                rest += end;
                let inner = &after[1..end.saturating_sub(1).max(1)];
                if let Some(tree) = machine::read(Rule::expr, inner)
                    && let Some(pair) = tree.pairs().next().filter(|p| p.as_str().trim() == inner.trim())
                {
                    let outer = self.base;
                    self.base += (at + sign + 2) as u32;
                    out.values.push(self.expr(pair));
                    self.base = outer;
                }
            } else {
                let word = leading_word(after);
                rest += word.len();
                if word.starts_with(|c: char| !c.is_ascii_digit()) {
                    out.values.push(self.word(word, at + sign + 1));
                }
            }
        }
    }

    fn word(&self, word: &str, at: usize) -> Expr {
        let span = self.place(at, word.len());
        Expr { span, kind: ExprKind::Name { name: Ident { name: Name::new(word), span }, args: None } }
    }
}

/// The offset after the parenthesis that closes the one at the start.
fn closing(text: &str) -> usize {
    let mut depth = 0usize;
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return i + 1,
            ')' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}
