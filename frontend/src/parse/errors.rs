//! What a syntax error says: where the parser got stuck and what could have stood there, in the words of the language.

use super::{Ctx, Grammar, P, Rule};
use crate::source::Span;
use caustic_ir::Diagnostic;
use caustic_ir::codes;
use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};

impl Ctx<'_> {
    /// Reports what is wrong with a piece that the recovery rules swallowed: parses it again, alone.
    pub(crate) fn report_bad(&mut self, pair: &P, rule: Rule) {
        let text = pair.as_str();
        let start = pair.as_span().start();
        match Grammar::parse(rule, text) {
            Err(e) => self.report_parse_error(&e, text, start),
            // The piece parses alone: what surrounds it does not allow it.
            Ok(_) => {
                let span = self.span(pair);
                self.error(codes::E0100, span, "this cannot stand here");
            }
        }
    }

    /// `text` is what was parsed, and begins at `start`.
    pub(crate) fn report_parse_error(&mut self, e: &pest::error::Error<Rule>, text: &str, start: usize) {
        let at = match e.location {
            InputLocation::Pos(p) => p,
            InputLocation::Span((p, _)) => p,
        } + start;
        let ErrorVariant::ParsingError { positives, .. } = &e.variant else {
            let span = Span::new(self.base + at as u32, self.base + at as u32 + 1);
            self.error(codes::E0100, span, "syntax error");
            return;
        };
        let mut expected: Vec<&'static str> = Vec::new();
        for rule in positives {
            let word = describe(*rule);
            if !word.is_empty() && !expected.contains(&word) {
                expected.push(word);
            }
        }
        let span = Span::new(self.base + at as u32, self.base + at as u32 + 1);
        let d = Diagnostic::error(codes::E0100, (self.loc)(span), String::new());
        // Where nearly everything may follow, a list says nothing.
        let list = match expected.as_slice() {
            [] => String::new(),
            [one] => one.to_string(),
            [init @ .., last] if init.len() < 7 => format!("{} or {last}", init.join(", ")),
            _ => String::new(),
        };
        let message =
            if list.is_empty() { "syntax error".to_string() } else { format!("syntax error: expected {list}") };
        let mut d = Diagnostic { message, ..d }.with_label("unexpected here");
        d.notes.extend(cause(text, at - start, &expected));
        self.errors.push(d);
    }
}

/// What the cause is likely to be, from what stands at `at` and before it.
fn cause(text: &str, at: usize, expected: &[&str]) -> Option<String> {
    let (before, after) = (text.get(..at)?.trim_end(), text.get(at..)?);
    let word = &after[..after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len())];
    match after.chars().next()? {
        ',' if before.ends_with([',', '(', '[', '<']) => Some("this comma is one too many".to_string()),
        ')' | ']' | '}' | '>' | ';' | '{' if before.ends_with(',') => {
            Some("the comma before it is one too many, or something is missing behind it".to_string())
        }
        _ if expected.contains(&"a name") && is_word(word) => {
            Some(format!("`{word}` is a word of the language and no name here"))
        }
        _ => None,
    }
}

/// Whether the language has a meaning for it.
fn is_word(text: &str) -> bool {
    [Rule::kw_any, Rule::reserved].iter().any(|rule| Grammar::parse(*rule, text).is_ok())
}

/// The programmer's word for a rule; empty for rules that only structure the grammar.
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
