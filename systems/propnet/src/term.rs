//! Ground terms, each of which is stored once. Two terms are equal exactly if their numbers are equal.

use crate::gdl::ast::{Symbol, Symbols};
use rustc_hash::FxHashMap;

/// The number of a ground term in its [`TermStore`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub u32);

/// One step of the hash of some terms.
pub(crate) fn mix(hash: u64, id: TermId) -> u64 {
    (hash.rotate_left(23) ^ u64::from(id.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[derive(Clone, Copy, Debug)]
struct Node {
    name: Symbol,
    first: u32,
    /// Number of arguments; `None` is a constant, `Some(0)` the compound term `(f)`.
    arity: Option<u32>,
    /// The next older compound term with the same hash.
    older: Option<TermId>,
}

/// All ground terms met so far.
#[derive(Clone, Debug, Default)]
pub struct TermStore {
    nodes: Vec<Node>,
    args: Vec<TermId>,
    constants: FxHashMap<Symbol, TermId>,
    /// Hash of name and arguments to the newest compound term with it.
    compounds: FxHashMap<u64, TermId>,
}

impl TermStore {
    /// The constant `name`.
    pub fn constant(&mut self, name: Symbol) -> TermId {
        if let Some(&known) = self.constants.get(&name) {
            return known;
        }
        let id = self.push(name, None);
        self.constants.insert(name, id);
        id
    }

    /// The compound term `(name args...)`.
    pub fn compound(&mut self, name: Symbol, args: &[TermId]) -> TermId {
        let hash = args.iter().fold(u64::from(name.0), |hash, &arg| mix(hash, arg));
        let newest = self.compounds.get(&hash).copied();
        let mut same = newest;
        while let Some(known) = same {
            if self.matching(known, name, args.len()) == Some(args) {
                return known;
            }
            same = self.nodes[known.0 as usize].older;
        }
        let arity = u32::try_from(args.len()).expect("a term has fewer arguments than its text bytes");
        let id = self.push(name, Some(arity));
        self.nodes[id.0 as usize].older = newest;
        self.args.extend_from_slice(args);
        self.compounds.insert(hash, id);
        id
    }

    fn push(&mut self, name: Symbol, arity: Option<u32>) -> TermId {
        let id =
            TermId(u32::try_from(self.nodes.len()).expect("the grounder's limits keep terms below 2^32"));
        let first = u32::try_from(self.args.len()).expect("the grounder's limits keep terms below 2^32");
        self.nodes.push(Node { name, first, arity, older: None });
        id
    }

    /// The memory of the store, about, in numbers of 4 bytes. A compound term has a node of five, its arguments, and a
    /// place in the hash table of three to six.
    #[must_use]
    pub fn words(&self) -> usize {
        self.nodes.len() * 5 + self.args.len() + self.compounds.len() * 6
    }

    /// The first word: the constant itself, or the function symbol.
    #[must_use]
    pub fn name(&self, id: TermId) -> Symbol {
        self.nodes[id.0 as usize].name
    }

    /// The arguments of a compound term; `None` for a constant.
    #[must_use]
    pub fn args(&self, id: TermId) -> Option<&[TermId]> {
        let node = self.nodes[id.0 as usize];
        node.arity.map(|n| &self.args[node.first as usize..(node.first + n) as usize])
    }

    /// The arguments, if the term is a compound with this name and this many arguments.
    #[must_use]
    pub fn matching(&self, id: TermId, name: Symbol, arity: usize) -> Option<&[TermId]> {
        self.args(id).filter(|args| self.name(id) == name && args.len() == arity)
    }

    /// How many terms there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no term.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The nesting depth of compounds in the term; a constant has depth 0.
    #[must_use]
    pub fn depth(&self, id: TermId) -> usize {
        self.args(id).map_or(0, |args| 1 + args.iter().map(|&a| self.depth(a)).max().unwrap_or(0))
    }

    /// The term in canonical spelling: `(move (cell 1 2) a)`.
    #[must_use]
    pub fn text(&self, symbols: &Symbols, id: TermId) -> String {
        let mut out = String::new();
        self.write(symbols, id, &mut out);
        out
    }

    fn write(&self, symbols: &Symbols, id: TermId, out: &mut String) {
        let name = symbols.name(self.name(id));
        let Some(args) = self.args(id) else {
            out.push_str(name);
            return;
        };
        out.push('(');
        out.push_str(name);
        for &arg in args {
            out.push(' ');
            self.write(symbols, arg, out);
        }
        out.push(')');
    }
}
