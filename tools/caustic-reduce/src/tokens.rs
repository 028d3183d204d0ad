//! A program as a tree of tokens: what stands between two brackets that belong together is a group.
//!
//! It knows strings, numbers, comments and brackets, and nothing of the language's grammar.
//! Brackets that have no partner are plain tokens, so that every text has a tree. Comments go,
//! except directives of the preprocessor, which are tokens of a line each.

#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    Token(String),
    Group(Group),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// `(`, `[` or `{`; nothing for the whole text.
    pub open: String,
    pub children: Vec<Node>,
}

impl Node {
    pub fn is(&self, text: &str) -> bool {
        matches!(self, Node::Token(t) if t == text)
    }
    pub fn group(&self, open: &str) -> Option<&Group> {
        match self {
            Node::Group(g) if g.open == open => Some(g),
            _ => None,
        }
    }
    pub fn is_word(&self) -> bool {
        matches!(self, Node::Token(t) if t.starts_with(|c: char| c.is_alphabetic() || c == '_'))
    }
    /// Tokens in it.
    pub fn size(&self) -> usize {
        match self {
            Node::Token(_) => 1,
            Node::Group(g) => 2 + g.children.iter().map(Node::size).sum::<usize>(),
        }
    }
}

/// Operators of several characters, longest first.
const OPERATORS: &[&str] = &[
    "<<=", ">>=", "...", "::", "->", "=>", "++", "--", "&&", "||", "<<", "<=", ">=", "==", "!=", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=",
];

fn lex(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut line_start = true;
    while let Some(c) = rest.chars().next() {
        let len = if c.is_whitespace() {
            line_start |= c == '\n';
            rest = &rest[c.len_utf8()..];
            continue;
        } else if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
            continue;
        } else if rest.starts_with("/*") {
            rest = &rest[rest.find("*/").map_or(rest.len(), |at| at + 2)..];
            continue;
        } else if c == '#' && line_start {
            directive(rest)
        } else if c == '"' || c == '\'' {
            quoted(rest, c)
        } else if c.is_alphanumeric() || c == '_' {
            word(rest)
        } else if c == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
            1 + word(&rest[1..])
        } else {
            OPERATORS.iter().find(|op| rest.starts_with(**op)).map_or(c.len_utf8(), |op| op.len())
        };
        line_start = false;
        tokens.push(rest[..len].to_string());
        rest = &rest[len..];
    }
    tokens
}

/// To the end of the line, with those that a backslash joins to it.
fn directive(text: &str) -> usize {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        end += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    text[..end].trim_end().len()
}

fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return at,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// A name or a number: `1.5e-3f` is one.
fn word(text: &str) -> usize {
    let number = text.starts_with(|c: char| c.is_ascii_digit());
    let hex = text.starts_with("0x");
    let mut last = ' ';
    for (at, c) in text.char_indices() {
        let sign = number && !hex && matches!(last, 'e' | 'E') && matches!(c, '+' | '-');
        // `1.xx` is a number with a member.
        let point = number && c == '.' && !text[at + 1..].starts_with(|c: char| c.is_alphabetic());
        if !(c.is_alphanumeric() || c == '_' || sign || point) {
            return at;
        }
        last = c;
    }
    text.len()
}

fn closing(open: &str) -> &'static str {
    match open {
        "(" => ")",
        "[" => "]",
        "{" => "}",
        _ => "",
    }
}

/// The tree of a text.
pub fn parse(text: &str) -> Group {
    let mut stack = vec![Group { open: String::new(), children: Vec::new() }];
    for token in lex(text) {
        if !closing(&token).is_empty() {
            stack.push(Group { open: token, children: Vec::new() });
            continue;
        }
        let closes = stack.last().is_some_and(|g| !g.open.is_empty() && closing(&g.open) == token);
        if closes && let Some(group) = stack.pop() {
            push(&mut stack, Node::Group(group));
        } else {
            push(&mut stack, Node::Token(token));
        }
    }
    // Brackets that nothing closes.
    while stack.len() > 1 {
        if let Some(group) = stack.pop() {
            push(&mut stack, Node::Token(group.open));
            group.children.into_iter().for_each(|child| push(&mut stack, child));
        }
    }
    stack.pop().unwrap_or(Group { open: String::new(), children: Vec::new() })
}

fn push(stack: &mut [Group], node: Node) {
    if let Some(top) = stack.last_mut() {
        top.children.push(node);
    }
}

/// The text of a tree, a statement a line.
pub fn print(root: &Group) -> String {
    let mut out = Printer::default();
    out.nodes(&root.children, true);
    let text = out.text.trim_end().to_string();
    if text.is_empty() { text } else { text + "\n" }
}

#[derive(Default)]
struct Printer {
    text: String,
    indent: usize,
}

impl Printer {
    fn line(&mut self) {
        while self.text.ends_with(' ') {
            self.text.pop();
        }
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    fn word(&mut self, token: &str, last: &str) {
        if self.text.is_empty() || self.text.ends_with('\n') {
            self.text.push_str(&"    ".repeat(self.indent));
        } else if spaced(last, token) {
            self.text.push(' ');
        }
        self.text.push_str(token);
    }

    /// `statements`: each that ends gets a line.
    fn nodes(&mut self, nodes: &[Node], statements: bool) {
        let mut last = String::new();
        for (i, node) in nodes.iter().enumerate() {
            match node {
                Node::Token(token) if token.starts_with('#') && token.len() > 1 => {
                    self.line();
                    self.text.push_str(token);
                    self.line();
                }
                Node::Token(token) => {
                    self.word(token, &last);
                    if statements && token == ";" {
                        self.line();
                    }
                    last = token.clone();
                }
                Node::Group(group) => {
                    let block = group.open == "{";
                    self.word(&group.open, &last);
                    if block && statements && !group.children.is_empty() {
                        self.indent += 1;
                        self.line();
                        self.nodes(&group.children, true);
                        self.indent -= 1;
                        self.line();
                        self.text.push_str(&"    ".repeat(self.indent));
                    } else {
                        self.nodes(&group.children, false);
                    }
                    self.text.push_str(closing(&group.open));
                    let goes_on =
                        nodes.get(i + 1).is_some_and(|n| n.is(";") || n.is(",") || n.is("else") || n.is("while"));
                    if block && statements && !goes_on {
                        self.line();
                    }
                    last = closing(&group.open).to_string();
                }
            }
        }
    }
}

/// Whether a blank stands between two tokens.
fn spaced(last: &str, token: &str) -> bool {
    let is_word = |t: &str| t.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '"');
    match (last, token) {
        ("", _) | ("." | "::" | "!" | "~", _) | (_, ";" | "," | "." | "::" | "[") => false,
        ("if" | "for" | "while" | "switch" | "return", "(") => true,
        (_, "(") => !is_word(last) && last != ")" && last != ">" && last != "]",
        (_, "<") | ("<", _) | (_, ">") => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printing_keeps_the_tokens() {
        let texts = [
            "float f(float x) { return x.xx.y * 1.5e-3f + 0x1f; } // end\n",
            "#define A(x) \\\n  x\nint a[3] = { 1, 2, 3 };\nstruct S<T> { T t; };",
            "for (int i = 0; i < 3; i++) { a[i] += -1 ? .5 : \"s;\\\"{\"; } do { } while (x);",
            ") } ( [ unbalanced",
            "x = 1.xx + a--b - -c >> 2 >>= 3; List<List<int>> l;",
        ];
        for text in texts {
            let tree = parse(text);
            let printed = print(&tree);
            assert_eq!(lex(&printed), lex(text), "{printed}");
            assert_eq!(print(&parse(&printed)), printed);
        }
    }
}
