//! Generates places: variables and parts of variables, reached by fields, components and indices
//! that are always in range.

use super::{Generator, Var};
use crate::tree::{Kind, Node, Ty};

impl Generator {
    /// A random place of type `ty`, if there is one.
    pub(super) fn place(&mut self, ty: &Ty, writable: bool) -> Option<Node> {
        let roots: Vec<Var> = self.scope.iter().filter(|v| v.writable || !writable).cloned().collect();
        let suits: Vec<&Var> = roots.iter().filter(|v| self.holds(&v.node.ty, ty, 4, writable)).collect();
        // Later variables are preferred, since they are more likely to be used.
        let at = self.rng.below(suits.len().max(1)).max(self.rng.below(suits.len().max(1)));
        let root = suits.get(at)?.node.clone();
        self.descend(root, ty, writable)
    }

    /// Whether a value of type `from` has a part of type `ty`.
    fn holds(&self, from: &Ty, ty: &Ty, depth: usize, writable: bool) -> bool {
        if from == ty {
            return true;
        }
        if depth == 0 {
            return false;
        }
        match from {
            Ty::Vec(n) => *ty == Ty::Real || matches!(ty, Ty::Vec(m) if m < n),
            Ty::Mat(_, c) => *ty == Ty::Real || *ty == Ty::Vec(*c),
            Ty::Array(elem, _) => self.holds(elem, ty, depth - 1, writable),
            Ty::Struct(s) => self.program.structs[*s]
                .fields
                .iter()
                .any(|f| !(writable && f.no_diff) && self.holds(&f.ty, ty, depth - 1, writable)),
            _ => false,
        }
    }

    fn descend(&mut self, node: Node, ty: &Ty, writable: bool) -> Option<Node> {
        if node.ty == *ty {
            return Some(node);
        }
        match node.ty.clone() {
            Ty::Vec(n) => {
                if let Ty::Vec(m) = ty {
                    return Some(Node::new(Kind::Swizzle(self.swizzle(n, *m, true)), ty.clone(), vec![node]));
                }
                if self.rng.one_in(4) {
                    let index = self.index(n);
                    return Some(Node::new(Kind::Index, Ty::Real, vec![node, index]));
                }
                Some(Node::new(Kind::Swizzle(self.swizzle(n, 1, true)), Ty::Real, vec![node]))
            }
            Ty::Mat(r, c) => {
                let index = self.index(r);
                let row = Node::new(Kind::Index, Ty::Vec(c), vec![node, index]);
                self.descend(row, ty, writable)
            }
            Ty::Array(elem, n) => {
                let index = self.index(n);
                let part = Node::new(Kind::Index, *elem, vec![node, index]);
                self.descend(part, ty, writable)
            }
            Ty::Struct(s) => {
                let fields = self.program.structs[s].fields.clone();
                let suits: Vec<_> =
                    fields.iter().filter(|f| !(writable && f.no_diff) && self.holds(&f.ty, ty, 3, writable)).collect();
                let at = self.rng.below(suits.len().max(1));
                let field = suits.get(at)?;
                let part = Node::new(Kind::Field(field.name.clone()), field.ty.clone(), vec![node]);
                self.descend(part, ty, writable)
            }
            _ => None,
        }
    }

    /// `count` letters of a vector with `of` components; distinct ones, if it is written.
    pub(super) fn swizzle(&mut self, of: u8, count: u8, distinct: bool) -> String {
        let mut letters: Vec<char> = "xyzw".chars().take(of as usize).collect();
        let mut out = String::new();
        for _ in 0..count {
            let at = self.rng.below(letters.len());
            out.push(letters[at]);
            if distinct {
                letters.remove(at);
            }
        }
        out
    }

    /// An index below `len`.
    pub(super) fn index(&mut self, len: u8) -> Node {
        if self.rng.one_in(3) {
            return Node::int(self.rng.below(len as usize) as i64);
        }
        // An index may contain another index, but the nesting is limited.
        if self.indices > 1 {
            return Node::int(self.rng.below(len as usize) as i64);
        }
        self.indices += 1;
        let value = self.small_int(1);
        self.indices -= 1;
        match len {
            2 | 4 => Node::new(Kind::Bin("&"), Ty::Int, vec![value, Node::int(i64::from(len) - 1)]),
            _ => {
                let positive = Node::new(Kind::Bin("&"), Ty::Int, vec![value, Node::int(15)]);
                Node::new(Kind::Bin("%"), Ty::Int, vec![positive, Node::int(i64::from(len))])
            }
        }
    }
}
