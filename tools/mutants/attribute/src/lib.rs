//! The attribute of a function that can go wrong on purpose; `caustic-mutants` says what mutants
//! are.
//!
//! `#[mutant(SITE => ANSWER)]` gives the answer instead of what the function would give while the
//! mutant of the site is made. `#[mutant(SITE if CONDITION => ANSWER)]` does so where the condition
//! holds, and without an answer the function does nothing.
//! `#[mutant(SITE with PARAMETER = VALUE)]`, which may have a condition too, gives the function a
//! wrong argument. All may use the function's parameters. In a build without mutants the question
//! is a constant, so that nothing is left; conditions and answers are compiled all the same, and
//! cannot rot.

use proc_macro::{Delimiter, Group, Span, TokenStream, TokenTree};

/// Gives a function a wrong answer; see the head of the crate.
#[proc_macro_attribute]
pub fn mutant(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let Some(mutant) = Mutant::parse(arguments) else {
        return error("expected `SITE`, `if CONDITION` or not, and `=> ANSWER` or `with PARAMETER = VALUE`");
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
    mistake: Mistake,
}

enum Mistake {
    /// Nothing, for a function that gives nothing.
    Answer(TokenStream),
    /// A parameter, and what it is.
    Argument(TokenTree, TokenStream),
}

impl Mutant {
    fn parse(arguments: TokenStream) -> Option<Mutant> {
        let tokens: Vec<TokenTree> = arguments.into_iter().collect();
        let is_word = |token: &TokenTree, word: &str| matches!(token, TokenTree::Ident(i) if i.to_string() == word);
        let is = |token: &TokenTree, c: char| matches!(token, TokenTree::Punct(p) if p.as_char() == c);
        let arrow = tokens.windows(2).position(|pair| is(&pair[0], '=') && is(&pair[1], '>'));
        let with = tokens.iter().position(|token| is_word(token, "with"));
        let stream = |tokens: &[TokenTree]| tokens.iter().cloned().collect::<TokenStream>();
        let (head, mistake) = match (with, arrow) {
            (Some(at), _) => {
                let [parameter, equals, value @ ..] = &tokens[at + 1..] else { return None };
                let complete = is(equals, '=') && !value.is_empty();
                (&tokens[..at], complete.then(|| Mistake::Argument(parameter.clone(), stream(value)))?)
            }
            (None, Some(at)) if at + 2 == tokens.len() => return None,
            (None, Some(at)) => (&tokens[..at], Mistake::Answer(stream(&tokens[at + 2..]))),
            (None, None) => (&tokens[..], Mistake::Answer(TokenStream::new())),
        };
        let (site, condition) = match head.iter().position(|token| is_word(token, "if")) {
            Some(at) => (&head[..at], Some(&head[at + 1..])),
            None => (head, None),
        };
        let complete = !site.is_empty() && condition.is_none_or(|c| !c.is_empty());
        complete.then(|| Mutant { site: stream(site), condition: condition.map(stream), mistake })
    }

    /// `if caustic_mutants::on(SITE.name()) && {CONDITION} { return ANSWER; }`, or the same
    /// question for a parameter: `let PARAMETER = if … { VALUE } else { PARAMETER };`
    fn question(self) -> TokenStream {
        let group = |delimiter, stream| TokenStream::from(TokenTree::Group(Group::new(delimiter, stream)));
        let block = |stream| group(Delimiter::Brace, stream);
        let mut asked = text("if ::caustic_mutants::on");
        asked.extend(group(Delimiter::Parenthesis, [self.site, text(".name()")].into_iter().collect()));
        if let Some(condition) = self.condition {
            asked.extend(text("&&"));
            asked.extend(block(condition));
        }
        match self.mistake {
            Mistake::Answer(answer) => {
                asked.extend(block([text("return"), answer, text(";")].into_iter().collect()));
                asked
            }
            Mistake::Argument(parameter, value) => {
                let name = TokenStream::from(parameter);
                let chosen =
                    [asked, block(value), text("else"), block(name.clone())].into_iter().collect::<TokenStream>();
                [text("let"), name, text("="), chosen, text(";")].into_iter().collect()
            }
        }
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
