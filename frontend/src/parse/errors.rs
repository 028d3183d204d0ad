//! Reports a syntax error: where the parser got stuck and what could have stood there, in the words
//! of the language.
//!
//! `causes` guesses what was meant. `mend` inserts a missing `;`, so that the statement or
//! declaration before it is kept.

use super::attempts::SyntaxError;
use super::causes::{self, Cause, Stuck};
use super::{Ctx, Rule, machine};
use crate::source::Span;
use caustic_ir::Name;
use caustic_ir::codes;

impl Ctx<'_> {
    /// Reports a syntax error in `text`, which begins at offset `start`.
    pub(super) fn report_parse_error(&mut self, e: &SyntaxError, text: &str, start: usize) {
        let at = e.at;
        let mut expected: Vec<&'static str> = Vec::new();
        for rule in &e.expected {
            let word = describe(*rule);
            if !word.is_empty() && !expected.contains(&word) {
                expected.push(word);
            }
        }
        let cause = Stuck::new(text, at, &expected).and_then(|stuck| causes::cause(&stuck)).unwrap_or_default();
        let cause = self.type_named_like_a_word(text).unwrap_or(cause);
        let span = self.one_at(start + cause.at.unwrap_or(at));
        let message = cause.message.unwrap_or_else(|| match list(&expected) {
            Some(list) => format!("syntax error: expected {list}"),
            None => "syntax error".to_string(),
        });
        let d = self.error(codes::E0100, span, message);
        d.label = cause.label.into();
        d.notes.extend(cause.note);
    }

    /// The explanation of a piece that begins with a type of the program whose name is a word of
    /// the language, which is read as the word.
    fn type_named_like_a_word(&self, text: &str) -> Option<Cause> {
        let begin = text.len() - text.trim_start().len();
        let word = causes::leading_word(&text[begin..]);
        let reads_as_word = is_word(word) || machine::read(Rule::modifier, &format!("{word} ")).is_some();
        (reads_as_word && self.types.contains(Name::new(word))).then(|| Cause {
            at: Some(begin),
            message: Some(format!("syntax error: `{word}` is a word of the language, and no type here")),
            label: "read as the word",
            note: Some(format!("give the type `{word}` another name")),
        })
    }

    /// The span of one character, at this offset of the text that is being parsed.
    pub(super) fn one_at(&self, at: usize) -> Span {
        Span::new(self.base + at as u32, self.base + at as u32 + 1)
    }
}

/// Returns the expected items as text, or `None` where there are so many that a list does not help.
fn list(expected: &[&str]) -> Option<String> {
    match expected {
        [] => None,
        [one] => Some(one.to_string()),
        [init @ .., last] if init.len() < 7 => Some(format!("{} or {last}", init.join(", "))),
        _ => None,
    }
}

/// Whether the text is a keyword or a reserved word.
pub(super) fn is_word(text: &str) -> bool {
    [Rule::kw_any, Rule::reserved].into_iter().any(|rule| machine::read(rule, text).is_some())
}

/// The name of a rule in messages; empty for rules that only structure the grammar.
fn describe(rule: Rule) -> &'static str {
    match rule {
        Rule::ident | Rule::name | Rule::func_name => "a name",
        Rule::int_lit | Rule::float_lit | Rule::string_lit | Rule::char_lit => "a literal",
        Rule::expr | Rule::assign | Rule::operand | Rule::primary | Rule::argument | Rule::paren => "an expression",
        Rule::prefix | Rule::prefix_op | Rule::incdec | Rule::cast | Rule::init_item => "",
        Rule::type_atom | Rule::r#type | Rule::type_name => "a type",
        Rule::stmt | Rule::expr_stmt | Rule::block => "a statement",
        Rule::decl => "a declaration",
        Rule::infix | Rule::ternary | Rule::type_test | Rule::is_as => "an operator",
        Rule::postfix | Rule::call => "`(`",
        Rule::index | Rule::array_dim => "`[`",
        Rule::kw_while => "`while`",
        Rule::kw_else => "`else`",
        Rule::params | Rule::param => "a parameter",
        Rule::semantic => "`:`",
        Rule::declarator | Rule::declarators => "a name",
        Rule::const_expr | Rule::const_atom => "a constant",
        Rule::decl_block | Rule::struct_body => "`{`",
        _ => "",
    }
}
