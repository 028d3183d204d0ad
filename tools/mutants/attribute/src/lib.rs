//! The attribute of a function that can go wrong on purpose; `caustic-mutants` says what mutants are.
//!
//! `#[mutant(SITE => ANSWER)]` gives the answer instead of what the function would give while the mutant of the site is made.
//! `#[mutant(SITE if CONDITION => ANSWER)]` does so where the condition holds, and without an answer the function does nothing. Both may use the function's parameters. In a build without mutants
//! the question is a constant, so that nothing is left; condition and answer are compiled all the same, and cannot rot.

use proc_macro::{Delimiter, Group, Span, TokenStream, TokenTree};

/// Gives a function a wrong answer; see the head of the crate.
#[proc_macro_attribute]
pub fn mutant(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let Some(mutant) = Mutant::parse(arguments) else {
        return error("expected `SITE`, `SITE => ANSWER` or `SITE if CONDITION => ANSWER`");
    };
    let mut tokens: Vec<TokenTree> = item.into_iter().collect();
    let Some(TokenTree::Group(body)) = tokens.pop().filter(is_block) else {
        return error("expected a function with a body");
    };
    let mut inner = mutant.question();
    inner.extend(body.stream());
    let mut new = Group::new(Delimiter::Brace, inner);
    new.set_span(body.span());
    tokens.push(TokenTree::Group(new));
    tokens.into_iter().collect()
}

fn is_block(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace)
}

struct Mutant {
    site: TokenStream,
    condition: Option<TokenStream>,
    answer: TokenStream,
}

impl Mutant {
    fn parse(arguments: TokenStream) -> Option<Mutant> {
        let tokens: Vec<TokenTree> = arguments.into_iter().collect();
        let is = |token: &TokenTree, c: char| matches!(token, TokenTree::Punct(p) if p.as_char() == c);
        let arrow = tokens.windows(2).position(|pair| is(&pair[0], '=') && is(&pair[1], '>'));
        let (head, answer) = arrow.map_or((&tokens[..], None), |at| (&tokens[..at], Some(&tokens[at + 2..])));
        let word = head.iter().position(|token| matches!(token, TokenTree::Ident(i) if i.to_string() == "if"));
        let (site, condition) = match word {
            Some(at) => (&head[..at], Some(&head[at + 1..])),
            None => (head, None),
        };
        let stream = |tokens: &[TokenTree]| tokens.iter().cloned().collect::<TokenStream>();
        let complete = !site.is_empty() && [condition, answer].into_iter().flatten().all(|tokens| !tokens.is_empty());
        complete.then(|| Mutant {
            site: stream(site),
            condition: condition.map(stream),
            answer: answer.map(stream).unwrap_or_default(),
        })
    }

    /// `if caustic_mutants::on(SITE.name()) && (CONDITION) { return ANSWER; }`
    fn question(self) -> TokenStream {
        let group = |delimiter, stream| TokenStream::from(TokenTree::Group(Group::new(delimiter, stream)));
        let mut out = text("if ::caustic_mutants::on");
        out.extend(group(Delimiter::Parenthesis, [self.site, text(".name()")].into_iter().collect()));
        if let Some(condition) = self.condition {
            out.extend(text("&&"));
            out.extend(group(Delimiter::Brace, condition));
        }
        out.extend(group(Delimiter::Brace, [text("return"), self.answer, text(";")].into_iter().collect()));
        out
    }
}

/// Tokens of the crate's own; what is wrong with them the compiler says where the attribute stands.
fn text(text: &str) -> TokenStream {
    text.parse().unwrap_or_default()
}

fn error(message: &str) -> TokenStream {
    let call = text(&format!("compile_error!({message:?});"));
    call.into_iter()
        .map(|mut token| {
            token.set_span(Span::call_site());
            token
        })
        .collect()
}
