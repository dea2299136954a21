//! The matcher finds all variants of all patterns on a board, in one pass over boards of bits.
//!
//! # Notation
//! A board of bits has the bit `v` for the padded vertex `v`. A *probe* is a pair of an offset and a symbol. Its board
//! has the bit `v` where the vertex at that offset from `v` has the symbol. The *reference* of a variant is one of its
//! cells, which is a stone if the variant has any. A variant matches at a reference vertex where all its probes have
//! their bit.
//!
//! # Steps
//! 1. Once for a database: list the variants, each with its probes, the rarest probe first. List each probe of all
//!    variants once.
//! 2. For a board and colour: make the five boards of symbols, and shift them to make the boards of all probes.
//! 3. For each variant: compute the conjunction of its probes, and stop when it is empty.
//! 4. For each remaining bit: check that the diagram lies on the board and at its edges.
//!
//! For positions that differ in a few vertices [`Prepared`] keeps the result of step 2. A changed vertex changes one
//! bit of every probe. [`Prepared::covering`] looks only where a diagram would cover one of the given vertices.
//!
//! # Cost
//! A shift of the board for each probe, and a few conjunctions for each variant (`benches/go/kernels.rs`). A changed
//! vertex costs one bit of each probe, and the few words of each variant around it.

use super::{Cell, Database, Pattern, Symbol};
use crate::board::{Board, Cells, Color, MAX_WORDS, Vertex, for_words, in_order};
use std::collections::BTreeMap;

/// One of the eight orientations: 0 to 3 turn by quarters, 4 to 7 mirror first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Orientation(pub u8);

impl Orientation {
    /// The image of an offset.
    #[must_use]
    pub const fn turn(self, (row, col): Cell) -> Cell {
        let (row, col) = if self.0 < 4 { (row, col) } else { (row, -col) };
        match self.0 % 4 {
            0 => (row, col),
            1 => (col, -row),
            2 => (-row, -col),
            _ => (-col, row),
        }
    }
}

/// A symbol at an offset.
type Probe = (Cell, Symbol);

/// A pattern in one orientation.
#[derive(Clone, Debug, Default)]
struct Variant {
    pattern: u16,
    orientation: Orientation,
    /// Indices of its probes, rarest first.
    probes: Vec<u16>,
    /// Least and greatest offset of its rows and of its columns from the reference.
    rows: (i8, i8),
    cols: (i8, i8),
    /// The number of that rectangle.
    rectangle: u16,
    /// Whether it must touch the top, bottom, left, right edge.
    edges: [bool; 4],
}

/// A database ready to match.
#[derive(Clone, Debug, Default)]
pub struct Matcher {
    database: Database,
    references: Vec<Cell>,
    variants: Vec<Variant>,
    probes: Vec<Probe>,
    /// The different rectangles of variants.
    rectangles: Vec<Rectangle>,
}

/// Least and greatest offset of rows and of columns from the reference.
type Rectangle = ((i8, i8), (i8, i8));

/// A place where a pattern's diagram fits.
#[derive(Clone, Copy, Debug)]
pub struct Match<'a> {
    /// The pattern.
    pub pattern: &'a Pattern,
    /// The colour it is matched for: its `O`.
    pub color: Color,
    /// Its orientation.
    pub orientation: Orientation,
    reference: Cell,
    at: Vertex,
    size: usize,
}

impl Match<'_> {
    /// The vertex of a cell of the diagram.
    #[must_use]
    pub fn vertex(&self, cell: Cell) -> Vertex {
        let offset = self.orientation.turn((cell.0 - self.reference.0, cell.1 - self.reference.1));
        let stride = self.size as i32 + 1;
        Vertex((i32::from(self.at.0) + i32::from(offset.0) * stride + i32::from(offset.1)) as u16)
    }

    /// The vertex of a label, or of `*`.
    #[must_use]
    pub fn label(&self, label: char) -> Option<Vertex> {
        self.pattern.labels.get(&label).map(|&cell| self.vertex(cell))
    }

    /// The vertices of the cells with this character.
    pub fn vertices(&self, character: char) -> impl Iterator<Item = Vertex> + '_ {
        self.pattern.cells(character).map(|cell| self.vertex(cell))
    }
}

impl Matcher {
    /// Step 1.
    #[must_use]
    pub fn new(database: Database) -> Self {
        let references: Vec<Cell> = database.patterns.iter().map(reference).collect();
        let mut numbers: BTreeMap<Probe, u16> = BTreeMap::new();
        let mut variants = Vec::new();
        for (i, pattern) in database.patterns.iter().enumerate() {
            for orientation in pattern.symmetry.orientations().map(Orientation) {
                let variant = variant(pattern, references[i], orientation);
                let probes = variant.1.iter().map(|probe| {
                    let next = numbers.len() as u16;
                    *numbers.entry(*probe).or_insert(next)
                });
                let probes = probes.collect();
                variants.push(Variant { pattern: i as u16, orientation, probes, ..variant.0 });
            }
        }
        let mut probes = vec![((0, 0), Symbol::Any); numbers.len()];
        for (probe, number) in numbers {
            probes[number as usize] = probe;
        }
        let rectangles: Vec<Rectangle> = in_order(variants.iter().map(|v| (v.rows, v.cols)));
        for variant in &mut variants {
            let of = rectangles.binary_search(&(variant.rows, variant.cols));
            variant.rectangle = of.expect("each variant's is among them") as u16;
        }
        Self { database, references, variants, probes, rectangles }
    }

    /// The patterns.
    #[must_use]
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// All places where a wanted pattern's diagram fits for `color` as `O`: pattern by pattern, orientation by
    /// orientation, in vertex order. Constraints are not looked at.
    #[must_use]
    pub fn find(&self, board: &Board, color: Color, wanted: impl Fn(&Pattern) -> bool) -> Vec<Match<'_>> {
        for_words!(board, W => self.find_in::<W>(board, color, wanted))
    }

    fn find_in<const W: usize>(
        &self,
        board: &Board,
        color: Color,
        wanted: impl Fn(&Pattern) -> bool,
    ) -> Vec<Match<'_>> {
        let wanted: Vec<bool> = self.database.patterns.iter().map(wanted).collect();
        let probes = self.probe_boards::<W>(board, color); // step 2
        let mut matches = Vec::new();
        for variant in self.variants.iter().filter(|v| wanted[v.pattern as usize]) {
            let mut places = Cells([u64::MAX; W]);
            for &probe in &variant.probes {
                places &= probes[probe as usize]; // step 3
                if places.is_empty() {
                    break;
                }
            }
            for v in places.iter().filter(|&v| board.on_board(v) && fits(variant, v, board.size())) {
                matches.push(self.match_of(variant, v, color, board.size())); // step 4
            }
        }
        matches
    }

    /// A variant whose reference lies at `at`.
    fn match_of(&self, variant: &Variant, at: Vertex, color: Color, size: usize) -> Match<'_> {
        let pattern = usize::from(variant.pattern);
        let reference = self.references[pattern];
        let pattern = &self.database.patterns[pattern];
        Match { pattern, color, orientation: variant.orientation, reference, at, size }
    }

    fn probe_boards<const W: usize>(&self, board: &Board, color: Color) -> Vec<Cells<W>> {
        let [mut own, mut enemy, mut empty] = [Cells::EMPTY; 3];
        for v in board.vertices() {
            let bits = match board.color_at(v) {
                None => &mut empty,
                Some(c) if c == color => &mut own,
                Some(_) => &mut enemy,
            };
            bits.insert(v);
        }
        let (own_or_empty, enemy_or_empty) = (own | empty, enemy | empty);
        let any = own_or_empty | enemy;
        let stride = board.size() as i32 + 1;
        let shifted = |&((row, col), symbol): &Probe| {
            let bits = match symbol {
                Symbol::Empty => &empty,
                Symbol::Own => &own,
                Symbol::Enemy => &enemy,
                Symbol::OwnOrEmpty => &own_or_empty,
                Symbol::EnemyOrEmpty => &enemy_or_empty,
                Symbol::Any => &any,
            };
            shift(bits, i32::from(row) * stride + i32::from(col))
        };
        self.probes.iter().map(shifted).collect()
    }
}

/// A board of which a matcher knows all probes, for one colour; single vertices can be changed.
#[derive(Clone, Debug)]
pub struct Prepared<'m> {
    matcher: &'m Matcher,
    color: Color,
    size: usize,
    words: usize,
    /// The boards of all probes, one after the other.
    probes: Vec<u64>,
}

/// A place where a variant's diagram fits: the raw form of a [`Match`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    variant: u16,
    /// The vertex of its reference.
    pub at: Vertex,
}

impl<'m> Prepared<'m> {
    /// Step 2 for `color` as `O`.
    #[must_use]
    pub fn new(matcher: &'m Matcher, board: &Board, color: Color) -> Self {
        let words = board.padded_len().div_ceil(64);
        let mut probes = Vec::with_capacity(words * matcher.probes.len());
        for board in matcher.probe_boards::<MAX_WORDS>(board, color) {
            probes.extend_from_slice(&board.0[..words]);
        }
        Self { matcher, color, size: board.size(), words, probes }
    }

    /// Sets the stone at `v`, or none.
    pub fn set(&mut self, v: Vertex, stone: Option<Color>) {
        let stride = self.size as i32 + 1;
        for (&((row, col), symbol), bits) in
            self.matcher.probes.iter().zip(self.probes.chunks_exact_mut(self.words))
        {
            let at = i32::from(v.0) - i32::from(row) * stride - i32::from(col);
            let Some(word) = usize::try_from(at / 64).ok().filter(|_| at >= 0).and_then(|w| bits.get_mut(w))
            else {
                continue;
            };
            let bit = 1 << (at % 64);
            *word = if symbol.allows(stone, self.color) { *word | bit } else { *word & !bit };
        }
    }

    /// All places where a wanted pattern's diagram fits and its rectangle covers one of these vertices, by variant,
    /// then by vertex. `wanted` is indexed by the pattern's number.
    pub fn covering(&self, wanted: &[bool], vertices: &[Vertex], found: &mut Vec<Place>) {
        let masks = self.masks(vertices);
        let masks: Vec<&[u64]> = masks.chunks_exact(self.words).collect();
        self.within(wanted, |rectangle| masks[rectangle], found);
    }

    /// All places where a wanted pattern's diagram fits, in the same order.
    pub fn everywhere(&self, wanted: &[bool], board: &Board, found: &mut Vec<Place>) {
        let all = board.all_vertices();
        self.within(wanted, |_| &all.0[..self.words], found);
    }

    /// All places where a wanted pattern's diagram fits whose reference is in the mask of its rectangle.
    fn within<'s>(&self, wanted: &[bool], mask_of: impl Fn(usize) -> &'s [u64], found: &mut Vec<Place>) {
        // Of a few vertices most words are empty.
        let filled = |mask: &[u64]| {
            let first = mask.iter().position(|&word| word != 0).unwrap_or(0);
            first..mask.iter().rposition(|&word| word != 0).map_or(first, |last| last + 1)
        };
        let masks = (0..self.matcher.rectangles.len()).map(mask_of);
        let masks: Vec<_> = masks.map(|mask| (mask, filled(mask))).collect();
        for (number, variant) in self.matcher.variants.iter().enumerate() {
            if !wanted[usize::from(variant.pattern)] {
                continue;
            }
            let (mask, filled) = &masks[usize::from(variant.rectangle)];
            for w in filled.clone() {
                let mut bits = mask[w];
                for &probe in &variant.probes {
                    if bits == 0 {
                        break;
                    }
                    bits &= self.probes[usize::from(probe) * self.words + w];
                }
                while bits != 0 {
                    let at = Vertex((w * 64) as u16 + bits.trailing_zeros() as u16);
                    bits &= bits - 1;
                    if fits(variant, at, self.size) {
                        found.push(Place { variant: number as u16, at });
                    }
                }
            }
        }
    }

    /// For each rectangle of the matcher where the reference may lie if it is to cover one of the vertices.
    fn masks(&self, vertices: &[Vertex]) -> Vec<u64> {
        let mut masks = vec![0; self.words * self.matcher.rectangles.len()];
        let (size, stride) = (self.size as i32, self.size as i32 + 1);
        let within = |at: usize, span: (i8, i8)| {
            let at = at as i32;
            ((at - i32::from(span.1)).max(0), (at - i32::from(span.0)).min(size - 1))
        };
        for (&(rows, cols), mask) in self.matcher.rectangles.iter().zip(masks.chunks_exact_mut(self.words)) {
            for v in vertices {
                let (top, bottom) = within(v.row(self.size), rows);
                let (left, right) = within(v.col(self.size), cols);
                let columns: u64 = (1 << (right - left + 1)) - 1;
                for row in top..=bottom {
                    let begin = ((row + 1) * stride + left + 1) as usize;
                    let spread = u128::from(columns) << (begin % 64);
                    mask[begin / 64] |= spread as u64;
                    if spread >> 64 != 0 {
                        mask[begin / 64 + 1] |= (spread >> 64) as u64;
                    }
                }
            }
        }
        masks
    }

    /// The match at a place that [`Self::covering`] found.
    #[must_use]
    pub fn match_at(&self, place: Place) -> Match<'m> {
        let variant = &self.matcher.variants[usize::from(place.variant)];
        self.matcher.match_of(variant, place.at, self.color, self.size)
    }

    /// Whether the rectangle of the diagram at a place covers a vertex.
    #[must_use]
    pub fn covers(&self, place: Place, v: Vertex) -> bool {
        let variant = &self.matcher.variants[usize::from(place.variant)];
        let inside = |at: usize, of: usize, span: (i8, i8)| {
            let offset = at as i32 - of as i32;
            (i32::from(span.0)..=i32::from(span.1)).contains(&offset)
        };
        inside(v.row(self.size), place.at.row(self.size), variant.rows)
            && inside(v.col(self.size), place.at.col(self.size), variant.cols)
    }
}

/// The bit `v` of the result is the bit `v + by`.
fn shift<const W: usize>(bits: &Cells<W>, by: i32) -> Cells<W> {
    let (words, rest) = (by.div_euclid(64), by.rem_euclid(64) as u32);
    let word = |i: i32| usize::try_from(i).ok().and_then(|i| bits.0.get(i)).copied().unwrap_or(0);
    Cells(std::array::from_fn(|i| {
        let low = word(i as i32 + words) >> rest;
        if rest == 0 { low } else { low | word(i as i32 + words + 1) << (64 - rest) }
    }))
}

/// Whether the diagram with its reference at `v` lies on the board, and at the edges it must touch.
fn fits(variant: &Variant, v: Vertex, size: usize) -> bool {
    let last = size as i32 - 1;
    let (row, col) = (v.row(size) as i32, v.col(size) as i32);
    let [top, bottom] = [variant.rows.0, variant.rows.1].map(|r| row + i32::from(r));
    let [left, right] = [variant.cols.0, variant.cols.1].map(|c| col + i32::from(c));
    let inside = top >= 0 && left >= 0 && bottom <= last && right <= last;
    let [at_top, at_bottom, at_left, at_right] = variant.edges;
    inside
        && (!at_top || top == 0)
        && (!at_bottom || bottom == last)
        && (!at_left || left == 0)
        && (!at_right || right == last)
}

/// A stone of the pattern, its colour's if there is one; else the first cell that asks for something.
fn reference(pattern: &Pattern) -> Cell {
    let first = |wanted: &[char]| wanted.iter().find_map(|&c| pattern.cells(c).next());
    first(&['Q', 'O', 'X', '*', '!', ',', '.']).unwrap_or((0, 0))
}

/// A variant without its probes' numbers, and its probes.
fn variant(pattern: &Pattern, reference: Cell, orientation: Orientation) -> (Variant, Vec<Probe>) {
    let offset = |cell: Cell| orientation.turn((cell.0 - reference.0, cell.1 - reference.1));
    let mut probes: Vec<Probe> = Vec::new();
    for (row, line) in pattern.diagram.iter().enumerate() {
        for (col, &c) in line.iter().enumerate() {
            let symbol = Symbol::of(c).expect("the parser lets no other characters in");
            if symbol != Symbol::Any {
                probes.push((offset((row as i8, col as i8)), symbol));
            }
        }
    }
    let rank = |symbol: Symbol| match symbol {
        Symbol::Own | Symbol::Enemy => 0,
        Symbol::Empty => 1,
        _ => 2,
    };
    probes.sort_by_key(|&((row, col), symbol)| {
        (rank(symbol), i32::from(row).pow(2) + i32::from(col).pow(2), row, col)
    });
    let (rows, cols) = pattern.extent();
    let corners = [offset((0, 0)), offset((rows as i8 - 1, cols as i8 - 1))];
    let span = |a: i8, b: i8| (a.min(b), a.max(b));
    let mut edges = [false; 4];
    let drawn = [
        (pattern.edges.top, (-1, 0)),
        (pattern.edges.bottom, (1, 0)),
        (pattern.edges.left, (0, -1)),
        (pattern.edges.right, (0, 1)),
    ];
    for (there, direction) in drawn {
        match orientation.turn(direction) {
            (-1, _) => edges[0] |= there,
            (1, _) => edges[1] |= there,
            (_, -1) => edges[2] |= there,
            _ => edges[3] |= there,
        }
    }
    let variant = Variant {
        orientation,
        rows: span(corners[0].0, corners[1].0),
        cols: span(corners[0].1, corners[1].1),
        edges,
        ..Variant::default()
    };
    (variant, probes)
}
