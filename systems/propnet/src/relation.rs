//! Sets of tuples of ground terms, with hash indexes that grow as tuples are added.

use crate::gdl::Symbol;
use crate::term::{TermId, TermStore, mix};
use rustc_hash::FxHashMap;

/// The end of a chain: no row.
pub(crate) const NONE: u32 = u32::MAX;

/// The place of a value in a tuple: the argument, then the argument of that compound term, and so on.
pub(crate) type Path = Box<[u16]>;

/// The specification of an index: its tuples and its key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct IndexSpec {
    /// The compound terms a tuple must have: place, name, number of arguments.
    pub(crate) skeleton: Vec<(Path, Symbol, usize)>,
    /// The places whose values form the key.
    pub(crate) keys: Vec<Path>,
}

impl IndexSpec {
    /// Whether it holds every tuple under one key.
    pub(crate) fn is_empty(&self) -> bool {
        self.skeleton.is_empty() && self.keys.is_empty()
    }
}

#[derive(Debug)]
struct Index {
    spec: IndexSpec,
    /// Hash of the key to the newest row with it.
    heads: FxHashMap<u64, u32>,
    /// Row to the next older row with the same hash.
    older: Vec<u32>,
}

/// A relation: rows are numbered in the order they were added and never removed.
#[derive(Debug)]
pub(crate) struct Relation {
    arity: usize,
    rows: Vec<TermId>,
    count: usize,
    /// Open addressing: the hash in the upper half, the row in the lower, [`FREE`] where free; a power of two long.
    slots: Vec<u64>,
    indexes: Vec<Index>,
    /// Rows before this one were seen by every rule.
    pub(crate) old: usize,
    /// Rows from [`Self::old`] to here are new in this round.
    pub(crate) seen: usize,
    /// Rows by name and number of arguments of the last argument: for estimates.
    functors: FxHashMap<(Symbol, usize), usize>,
}

/// A free slot.
const FREE: u64 = u64::MAX;

/// The hash of a row. [`mix`] alone would leave rows in arithmetic progression, as boards have them, in clusters.
fn row_hash(values: &[TermId]) -> u32 {
    let hash = values.iter().fold(0, |h, &v| mix(h, v));
    ((hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

impl Relation {
    /// Without rows.
    pub(crate) fn new(arity: usize) -> Self {
        Self {
            arity,
            rows: Vec::new(),
            count: 0,
            slots: vec![FREE; 8],
            indexes: Vec::new(),
            old: 0,
            seen: 0,
            functors: FxHashMap::default(),
        }
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// A row.
    pub(crate) fn row(&self, n: u32) -> &[TermId] {
        &self.rows[n as usize * self.arity..(n as usize + 1) * self.arity]
    }

    /// The row with these values.
    pub(crate) fn find(&self, values: &[TermId]) -> Option<u32> {
        self.find_hashed(values, row_hash(values))
    }

    fn find_hashed(&self, values: &[TermId], hash: u32) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != FREE {
            let row = self.slots[at] as u32;
            if (self.slots[at] >> 32) as u32 == hash && self.row(row) == values {
                return Some(row);
            }
            at = (at + 1) & mask;
        }
        None
    }

    /// Adds a row unless it exists; returns its number, and whether it is new.
    pub(crate) fn insert(&mut self, terms: &TermStore, values: &[TermId]) -> (u32, bool) {
        let hash = row_hash(values);
        if let Some(n) = self.find_hashed(values, hash) {
            return (n, false);
        }
        if self.count * 2 >= self.slots.len() {
            self.grow();
        }
        let n = u32::try_from(self.count).expect("the grounder's limits keep rows below 2^32");
        self.rows.extend_from_slice(values);
        self.count += 1;
        self.place(u64::from(hash) << 32 | u64::from(n));
        if let Some((&last, args)) = values.last().and_then(|l| terms.args(*l).map(|a| (l, a.len()))) {
            *self.functors.entry((terms.name(last), args)).or_default() += 1;
        }
        (n, true)
    }

    fn place(&mut self, slot: u64) {
        let mask = self.slots.len() - 1;
        let mut at = (slot >> 32) as usize & mask;
        while self.slots[at] != FREE {
            at = (at + 1) & mask;
        }
        self.slots[at] = slot;
    }

    fn grow(&mut self) {
        let longer = vec![FREE; self.slots.len() * 2];
        for slot in std::mem::replace(&mut self.slots, longer) {
            if slot != FREE {
                self.place(slot);
            }
        }
    }

    /// The approximate number of rows whose last argument has this shape.
    pub(crate) fn count_of(&self, functor: Option<(Symbol, usize)>) -> usize {
        functor.map_or(self.count, |f| self.functors.get(&f).copied().unwrap_or(0))
    }

    /// The number of the index with this specification, made if there is none.
    pub(crate) fn index(&mut self, spec: &IndexSpec) -> usize {
        if let Some(known) = self.indexes.iter().position(|i| i.spec == *spec) {
            return known;
        }
        self.indexes.push(Index { spec: spec.clone(), heads: FxHashMap::default(), older: Vec::new() });
        self.indexes.len() - 1
    }

    /// Brings an index up to date.
    pub(crate) fn update(&mut self, terms: &TermStore, index: usize) {
        let Self { arity, rows, count, indexes, .. } = self;
        let index = &mut indexes[index];
        for n in index.older.len()..*count {
            let row = &rows[n * *arity..(n + 1) * *arity];
            let chain = match key_of(terms, &index.spec, row) {
                None => NONE,
                Some(hash) => {
                    let n = u32::try_from(n).expect("rows are below 2^32");
                    index.heads.insert(hash, n).unwrap_or(NONE)
                }
            };
            index.older.push(chain);
        }
    }

    /// The newest row whose key has this hash, [`NONE`] if there is none.
    pub(crate) fn newest(&self, index: usize, hash: u64) -> u32 {
        self.indexes[index].heads.get(&hash).copied().unwrap_or(NONE)
    }

    /// The next older row with the same hash.
    pub(crate) fn older(&self, index: usize, row: u32) -> u32 {
        self.indexes[index].older[row as usize]
    }
}

fn key_of(terms: &TermStore, spec: &IndexSpec, row: &[TermId]) -> Option<u64> {
    for (path, name, arity) in &spec.skeleton {
        terms.matching(at(terms, row, path)?, *name, *arity)?;
    }
    spec.keys.iter().try_fold(0, |hash, path| Some(mix(hash, at(terms, row, path)?)))
}

fn at(terms: &TermStore, row: &[TermId], path: &[u16]) -> Option<TermId> {
    let (&first, rest) = path.split_first()?;
    rest.iter().try_fold(row[first as usize], |id, &n| terms.args(id)?.get(n as usize).copied())
}
