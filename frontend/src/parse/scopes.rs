//! What a name means where it stands, before the text is parsed: whether the declaration nearest to
//! it is a variable or has generic parameters.
//!
//! One walk over the words of a text makes a tree of scopes: bodies, types, and lists of
//! parameters, which reach to the end of the body that follows them. It is an estimate. It knows
//! neither other modules nor the types of expressions, except those of variables and fields whose
//! type is a name.

use crate::scan;
use rustc_hash::FxHashSet;

/// Words that may stand before a name without declaring it.
pub(super) const NO_TYPES: [&str; 8] = ["return", "case", "else", "in", "is", "as", "throw", "do"];

/// Words before the name of what is no variable.
const NO_VARIABLES: [&str; 13] = [
    "struct",
    "class",
    "enum",
    "interface",
    "extension",
    "namespace",
    "typedef",
    "typealias",
    "typename",
    "associatedtype",
    "import",
    "module",
    "using",
];

/// Words before the name of a scope that can be named in front of its members.
const NAMED: [&str; 6] = ["struct", "class", "enum", "interface", "extension", "namespace"];

/// The most types that are looked into for the members of one.
const MOST_BASES: usize = 16;

/// What a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Variable,
    Generic,
    Unknown,
}

struct Declared<'t> {
    name: &'t str,
    at: usize,
    meaning: Meaning,
    /// The name of a variable's type.
    ty: Option<&'t str>,
}

#[derive(Default)]
struct Scope<'t> {
    parent: Option<usize>,
    /// Of a type or a name space: its name.
    name: Option<&'t str>,
    /// The names that follow that of a type: those that it inherits from among them.
    bases: Vec<&'t str>,
    /// Whether what is declared holds only behind its declaration.
    in_order: bool,
    declared: Vec<Declared<'t>>,
}

/// The scopes of a text.
pub(super) struct Scopes<'t> {
    text: &'t str,
    scopes: Vec<Scope<'t>>,
    /// The offsets from which on another scope is the innermost one.
    changes: Vec<(usize, usize)>,
    variables: FxHashSet<&'t str>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Opened {
    Brace,
    Paren,
    /// Generic parameters, with the number of lists in them that are open.
    Angle(usize),
    /// Parameters whose list has ended; they hold for what follows.
    Behind,
}

struct Frame {
    opened: Opened,
    scope: usize,
    /// Whether a variable has been declared since the statement began, so that others may follow a
    /// comma.
    declares: bool,
    is_enum: bool,
}

struct Walk<'t> {
    text: &'t str,
    scopes: Vec<Scope<'t>>,
    changes: Vec<(usize, usize)>,
    open: Vec<Frame>,
    variables: FxHashSet<&'t str>,
    /// A type or name space whose body has not begun: its word, its name, and the names behind it.
    coming: Option<(&'t str, Option<&'t str>, Vec<&'t str>)>,
    /// The word before, if only blanks have followed it.
    previous: Option<&'t str>,
    /// The last character that is no blank.
    last: u8,
}

impl<'t> Walk<'t> {
    fn scope(&self) -> usize {
        self.open.last().map_or(0, |f| f.scope)
    }

    fn push(&mut self, at: usize, opened: Opened, scope: Scope<'t>, is_enum: bool) {
        let parent = Some(self.scope());
        self.scopes.push(Scope { parent, ..scope });
        let scope = self.scopes.len() - 1;
        self.open.push(Frame { opened, scope, declares: false, is_enum });
        self.changes.push((at, scope));
    }

    /// Removes the parameters at the top whose lists have ended.
    fn drop_behind(&mut self, at: usize) {
        while self.open.pop_if(|f| f.opened == Opened::Behind).is_some() {}
        self.changes.push((at, self.scope()));
    }

    fn close(&mut self, at: usize, is_it: impl Fn(Opened) -> bool) {
        let Some(index) = self.open.iter().rposition(|f| is_it(f.opened)) else { return };
        self.open.truncate(index + 1);
        let has_names = self.open.last().is_some_and(|f| !self.scopes[f.scope].declared.is_empty());
        match self.open.last_mut() {
            Some(frame) if has_names && frame.opened != Opened::Brace => frame.opened = Opened::Behind,
            _ => drop(self.open.pop()),
        }
        self.changes.push((at, self.scope()));
    }

    fn declare(&mut self, name: &'t str, at: usize, meaning: Meaning, ty: Option<&'t str>) {
        let scope = self.scope();
        self.scopes[scope].declared.push(Declared { name, at, meaning, ty });
        if meaning == Meaning::Variable {
            self.variables.insert(name);
        }
    }

    /// The word in front of a name, or the last one in the `<…>` or before the `[…]` in front of
    /// it.
    fn type_before(&self, at: usize) -> Option<&'t str> {
        let head = self.text[..at].trim_end();
        let head = match head.as_bytes().last()? {
            b'>' => head[..head.len() - 1].trim_end(),
            b']' => head[..head.rfind('[')?].trim_end(),
            _ => head,
        };
        let length = head.bytes().rev().take_while(|b| scan::is_name_byte(*b)).count();
        Some(&head[head.len() - length..]).filter(|word| !word.is_empty())
    }

    fn word(&mut self, word: &'t str, at: usize) {
        let rest = self.text[at + word.len()..].trim_start();
        let follows_type = match self.last {
            b'>' | b']' => self.text[..at].ends_with(|c: char| c.is_ascii_whitespace()),
            b',' => self.open.last().is_some_and(|f| f.declares) && !self.is_in_list(at),
            _ => self.previous.is_some_and(|p| !NO_TYPES.contains(&p) && !p.as_bytes()[0].is_ascii_digit()),
        };
        let no_variable = self.previous.is_some_and(|p| NO_VARIABLES.contains(&p));
        if word.as_bytes()[0].is_ascii_digit() {
            return;
        }
        if let Some((_, name, bases)) = &mut self.coming {
            // Between `extension` and its type stand generic parameters.
            let in_list = matches!(self.open.last(), Some(Frame { opened: Opened::Angle(_), .. }));
            match name {
                None if !in_list => *name = Some(word),
                None => {}
                Some(_) => bases.push(word),
            }
        } else if NAMED.contains(&word) {
            self.coming = Some((word, None, Vec::new()));
        }
        let is_case = self.open.last().is_some_and(|f| f.is_enum) && matches!(self.last, b'{' | b',' | b']');
        let follows = rest.starts_with(['=', ';', ',', ')', '[', ':', '{']) && !rest.starts_with("==");
        if is_case {
            self.declare(word, at, Meaning::Variable, None);
        } else if follows_type && follows && !no_variable {
            let ty = if self.last == b',' { self.type_of_last() } else { self.type_before(at) };
            self.declare(word, at, Meaning::Variable, ty);
            let is_for = self.is_for(at);
            if let Some(frame) = self.open.last_mut() {
                frame.declares = frame.opened != Opened::Paren || is_for;
            }
        } else if follows_type && self.last != b',' && rest.starts_with('<') && word != "operator" {
            self.declare(word, at, Meaning::Generic, None);
        }
    }

    /// Whether a list of generic arguments seems to be open at `at`.
    fn is_in_list(&self, at: usize) -> bool {
        let head = self.text[..at].rsplit([';', '{', '}', '(']).next().unwrap_or_default();
        head.matches('<').count() > head.matches('>').count()
    }

    fn type_of_last(&self) -> Option<&'t str> {
        self.scopes[self.scope()].declared.last().and_then(|d| d.ty)
    }

    /// Whether the parenthesis around `at` is that of a `for`.
    fn is_for(&self, at: usize) -> bool {
        let open = self.text[..at].rfind('(').unwrap_or(0);
        self.text[..open].trim_end().ends_with("for")
    }

    /// Whether the `<` at `at` begins the generic parameters of a declaration.
    fn begins_parameters(&self, at: usize) -> bool {
        let declared = self.scopes[self.scope()].declared.last();
        let is_declared =
            |d: &Declared| d.meaning == Meaning::Generic && self.text[d.at + d.name.len()..at].trim().is_empty();
        declared.is_some_and(is_declared) || matches!(self.previous, Some("extension" | "__generic" | "__init"))
    }

    fn symbol(&mut self, byte: u8, at: usize) {
        match byte {
            b'{' => {
                let scope = match self.coming.take() {
                    Some((word, name, bases)) => {
                        let is_enum = word == "enum";
                        return self.push(at, Opened::Brace, Scope { name, bases, ..Scope::default() }, is_enum);
                    }
                    None => Scope { in_order: true, ..Scope::default() },
                };
                self.push(at, Opened::Brace, scope, false);
                if self.is_block_of_constants(at)
                    && let Some(outer) = self.scopes.last().and_then(|s| s.parent)
                    && let Some(frame) = self.open.last_mut()
                {
                    frame.scope = outer;
                    self.changes.push((at, outer));
                }
            }
            b'}' => {
                self.close(at, |opened| opened == Opened::Brace);
                if !self.text[at + 1..].trim_start().starts_with("else") {
                    self.drop_behind(at);
                }
            }
            b';' => {
                self.coming = None;
                self.drop_behind(at);
            }
            b',' => {
                let below = self.open.iter().rev().find(|f| f.opened != Opened::Behind);
                if below.is_some_and(|f| f.opened == Opened::Paren) {
                    self.drop_behind(at);
                }
            }
            b'(' => self.push(at, Opened::Paren, Scope { in_order: true, ..Scope::default() }, false),
            b')' => self.close(at, |opened| opened == Opened::Paren),
            b'<' => {
                if let Some(Frame { opened: Opened::Angle(lists), .. }) = self.open.last_mut() {
                    *lists += 1;
                } else if self.begins_parameters(at) {
                    self.push(at, Opened::Angle(0), Scope { in_order: true, ..Scope::default() }, false);
                }
            }
            b'>' if self.last != b'-' => match self.open.last_mut() {
                Some(Frame { opened: Opened::Angle(0), .. }) => self.close(at, |o| matches!(o, Opened::Angle(_))),
                Some(Frame { opened: Opened::Angle(lists), .. }) => *lists -= 1,
                _ => {}
            },
            _ => {}
        }
        if matches!(byte, b'{' | b'}' | b';')
            && let Some(frame) = self.open.last_mut()
        {
            frame.declares = false;
        }
    }

    /// Whether the `{` at `at` begins a `cbuffer`, whose variables hold around it.
    fn is_block_of_constants(&self, at: usize) -> bool {
        let head = self.text[..at].rsplit([';', '}', '{']).next().unwrap_or_default();
        head.split_whitespace().any(|word| matches!(word, "cbuffer" | "tbuffer"))
    }
}

impl<'t> Scopes<'t> {
    pub(super) fn new(text: &'t str) -> Scopes<'t> {
        let mut walk = Walk {
            text,
            scopes: vec![Scope::default()],
            changes: vec![(0, 0)],
            open: vec![Frame { opened: Opened::Brace, scope: 0, declares: false, is_enum: false }],
            variables: FxHashSet::default(),
            coming: None,
            previous: None,
            last: 0,
        };
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            if let Some(end) = scan::literal_end(bytes, at) {
                (walk.previous, walk.last) = (None, bytes[at]);
                at = end;
            } else if scan::is_name_byte(bytes[at]) {
                let length = bytes[at..].iter().take_while(|b| scan::is_name_byte(**b)).count();
                let word = &text[at..at + length];
                walk.word(word, at);
                (walk.previous, walk.last) = (Some(word), bytes[at]);
                at += length;
            } else {
                if !bytes[at].is_ascii_whitespace() {
                    walk.symbol(bytes[at], at);
                    (walk.previous, walk.last) = (None, bytes[at]);
                }
                at += 1;
            }
        }
        let Walk { scopes, changes, variables, .. } = walk;
        Scopes { text, scopes, changes, variables }
    }

    /// Whether any variable, parameter or field has this name.
    pub(super) fn has_variable(&self, name: &str) -> bool {
        self.variables.contains(name)
    }

    fn find(&self, name: &str, at: usize) -> Option<&Declared<'t>> {
        let next = self.changes.partition_point(|(from, _)| *from <= at);
        let mut scope = self.changes[..next].last().map(|(_, scope)| *scope);
        while let Some(index) = scope {
            let s = &self.scopes[index];
            let found = match s.name {
                Some(of) => self.member(of, name),
                None => s.declared.iter().rev().find(|d| d.name == name && (!s.in_order || d.at < at)),
            };
            if found.is_some() {
                return found;
            }
            scope = s.parent;
        }
        None
    }

    /// The name of the type around `at`.
    fn this(&self, at: usize) -> Option<&'t str> {
        let next = self.changes.partition_point(|(from, _)| *from <= at);
        let mut scope = self.changes[..next].last().map(|(_, scope)| &self.scopes[*scope]);
        while let Some(s) = scope {
            if s.name.is_some() {
                return s.name;
            }
            scope = s.parent.map(|p| &self.scopes[p]);
        }
        None
    }

    /// What a type, its extensions and what it inherits from declare by this name.
    fn member(&self, of: &str, name: &str) -> Option<&Declared<'t>> {
        let mut types = vec![of];
        let mut next = 0;
        while next < types.len().min(MOST_BASES) {
            let ty = types[next];
            for scope in self.scopes.iter().filter(|s| s.name == Some(ty)) {
                if let Some(found) = scope.declared.iter().rev().find(|d| d.name == name) {
                    return Some(found);
                }
                let new: Vec<&str> = scope.bases.iter().copied().filter(|b| !types.contains(b)).collect();
                types.extend(new);
            }
            next += 1;
        }
        None
    }

    /// What the name that begins at `at` means there.
    pub(super) fn meaning(&self, name: &str, at: usize) -> Meaning {
        let found = match self.chain_before(at) {
            Some(chain) if chain.is_empty() => self.find(name, at),
            Some(chain) => self.type_of_chain(&chain, at).and_then(|ty| self.member(ty, name)),
            None => None,
        };
        found.map_or(Meaning::Unknown, |d| d.meaning)
    }

    /// Whether one of the names in `list`, which stands at `at`, is a variable of a function.
    pub(super) fn has_local(&self, list: &str, at: usize) -> bool {
        list.split(',')
            .map(str::trim)
            .any(|word| self.find(word, at).is_some_and(|d| d.meaning == Meaning::Variable && !self.is_global(d.at)))
    }

    fn is_global(&self, at: usize) -> bool {
        let head = self.text[..at].rsplit([';', '}', '{', '<']).next().unwrap_or_default();
        self.scopes[0].declared.iter().any(|d| d.at == at)
            || head.split_whitespace().any(|w| matches!(w, "const" | "let"))
    }

    fn type_of_chain(&self, chain: &[&'t str], at: usize) -> Option<&'t str> {
        let mut parts = chain.iter().copied();
        let first = parts.next()?;
        let mut ty = match (first, self.find(first, at)) {
            ("this", _) => self.this(at)?,
            (_, Some(d)) => d.ty?,
            // A type or a name space.
            (name, None) => self.scopes.iter().find_map(|s| s.name.filter(|n| *n == name))?,
        };
        for part in parts {
            ty = match self.member(ty, part) {
                Some(d) => d.ty?,
                None => self.scopes.iter().find_map(|s| s.name.filter(|n| *n == part))?,
            };
        }
        Some(ty)
    }

    /// The names in front of a member's name: of `a.b[i].c` those up to `b`. `None` if they are no
    /// names alone.
    fn chain_before(&self, at: usize) -> Option<Vec<&'t str>> {
        let mut names = Vec::new();
        let mut head = self.text[..at].trim_end();
        while let Some(rest) = ["->", ".", "::"].iter().find_map(|dot| head.strip_suffix(dot)) {
            let mut rest = rest.trim_end();
            while rest.ends_with(']') {
                rest = rest[..open_bracket(rest)?].trim_end();
            }
            let length = rest.bytes().rev().take_while(|b| scan::is_name_byte(*b)).count();
            let word = &rest[rest.len() - length..];
            if word.is_empty() || word.as_bytes()[0].is_ascii_digit() {
                return None;
            }
            names.push(word);
            head = rest[..rest.len() - length].trim_end();
        }
        names.reverse();
        Some(names)
    }
}

/// The offset of the `[` that the `]` at the end of a text closes.
fn open_bracket(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (i, byte) in text.bytes().enumerate().rev() {
        match byte {
            b']' => depth += 1,
            b'[' => {
                depth -= 1;
                if depth == 0 {
                    return Some(i);
                }
            }
            _ => {}
        }
    }
    None
}
