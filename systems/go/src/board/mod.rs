//! The Go board: colours, vertices, rules, strings and liberties, undo, scoring, diagrams, SGF.
//!
//! [`Board`] updates the stones and liberties of every string with each move, and can take back any move. All lists are
//! in vertex order (row by row from the top left), so no answer depends on the order of the moves.

mod diagram;
pub mod handicap;
mod hash;
mod play;
#[cfg(test)]
mod reference_tests;
mod rules;
mod score;
mod set;
pub mod sgf;
mod small_list;
mod strings;
#[cfg(test)]
mod tests;
pub mod upright;
pub mod vertex;
mod watch;
pub(crate) mod zobrist;

pub use diagram::{DiagramError, Marks};
pub use hash::MixMap;
pub use rules::{IllegalMove, KoRule, Rules, SuicideRule};
pub(crate) use set::{Cells, VertexSet, for_words, ones};
pub use small_list::{Line, SmallList};
pub use strings::Vertices;
pub use vertex::{Color, Vertex};
pub(crate) use watch::Watch;

use play::{Change, Kind, Near};
use strings::{NONE, OUTSIDE, StringId, Strings, is_string};

use std::sync::Arc;

/// A cell without a stone.
const EMPTY: u8 = 2;
/// A cell outside the board.
const WALL: u8 = 3;

/// Words of a bit set over the padded array of the largest board.
pub(crate) const MAX_WORDS: usize = 11;

/// The least size of a board.
pub const MIN_SIZE: usize = 1;
/// The greatest size of a board.
pub const MAX_SIZE: usize = 25;

/// A Go position with its history: stones, strings with their liberties, ko, prisoners, hash.
#[derive(Clone, Debug)]
pub struct Board {
    size: usize,
    rules: Rules,
    /// Per padded cell: 0 black, 1 white, 2 empty, 3 wall.
    cells: Vec<u8>,
    /// Per padded cell: the record of its string, `NONE` where it is bare, `OUTSIDE` where it is no vertex.
    string_at: Vec<StringId>,
    /// By colour: where its stones are, a bit set over the padded array.
    stones: [VertexSet; 2],
    strings: Strings,
    ko: Vertex,
    /// The colour that may not play at `ko`; without meaning if there is no ko.
    ko_color: Color,
    hash: u64,
    /// Stones each colour has taken.
    captured: [u32; 2],
    history: Vec<Change>,
    /// The watch that records looks, if a question is watched.
    watch: Option<Arc<Watch>>,
}

impl Board {
    /// An empty board under the default rules (simple ko, no suicide).
    ///
    /// # Panics
    /// If the size is not 1 to 25.
    #[must_use]
    pub fn new(size: usize) -> Self {
        Self::with_rules(size, Rules::default())
    }

    /// An empty board under the given rules.
    ///
    /// # Panics
    /// If the size is not 1 to 25.
    #[must_use]
    pub fn with_rules(size: usize, rules: Rules) -> Self {
        assert!((MIN_SIZE..=MAX_SIZE).contains(&size), "a board has a size of 1 to 25, not {size}");
        let padded = (size + 1) * (size + 2) + 1;
        let (mut cells, mut string_at) = (vec![WALL; padded], vec![OUTSIDE; padded]);
        for index in 0..size * size {
            let v = Vertex::from_index(index, size);
            (cells[v.at()], string_at[v.at()]) = (EMPTY, NONE);
        }
        Self {
            size,
            rules,
            cells,
            string_at,
            stones: [VertexSet::EMPTY; 2],
            strings: Strings::new(padded),
            ko: Vertex::PASS,
            ko_color: Color::Black,
            hash: 0,
            captured: [0; 2],
            history: Vec::new(),
            watch: None,
        }
    }

    /// Lines of the board.
    #[inline]
    #[must_use]
    pub const fn size(&self) -> usize {
        self.size
    }

    /// The length of a padded array over this board: `Vertex::at()` is below it.
    #[inline]
    #[must_use]
    pub fn padded_len(&self) -> usize {
        self.cells.len()
    }

    /// The rules it plays by.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The same position and history, from now on under other rules.
    #[must_use]
    pub fn under(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// The stone on a vertex; `None` if it is empty, a wall or beyond.
    #[inline]
    #[must_use]
    pub fn color_at(&self, v: Vertex) -> Option<Color> {
        self.look_at(v);
        self.stone_unwatched(v)
    }

    /// The same; the watch does not record this look.
    #[inline]
    fn stone_unwatched(&self, v: Vertex) -> Option<Color> {
        match self.cells.get(v.at()) {
            Some(0) => Some(Color::Black),
            Some(1) => Some(Color::White),
            _ => None,
        }
    }

    /// Whether the vertex is on the board and bare.
    #[inline]
    #[must_use]
    pub fn is_empty(&self, v: Vertex) -> bool {
        self.look_at(v);
        self.cells.get(v.at()) == Some(&EMPTY)
    }

    /// Whether the vertex is on the board.
    #[inline]
    #[must_use]
    pub fn on_board(&self, v: Vertex) -> bool {
        self.cells.get(v.at()).is_some_and(|&c| c != WALL)
    }

    /// All vertices of the board in vertex order.
    pub fn vertices(&self) -> impl DoubleEndedIterator<Item = Vertex> + ExactSizeIterator + Clone + use<> {
        let size = self.size;
        (0..size * size).map(move |index| Vertex::from_index(index, size))
    }

    /// The four cells around a vertex of the board, walls too, in vertex order: north, west, east, south.
    #[inline]
    #[must_use]
    pub fn around(&self, v: Vertex) -> [Vertex; 4] {
        let stride = self.size as u16 + 1;
        [Vertex(v.0 - stride), Vertex(v.0 - 1), Vertex(v.0 + 1), Vertex(v.0 + stride)]
    }

    /// The neighbours on the board: north, west, east, south.
    #[inline]
    pub fn neighbors4(&self, v: Vertex) -> impl Iterator<Item = Vertex> + '_ {
        self.around(v).into_iter().filter(|&n| self.on_board(n))
    }

    /// The diagonal neighbours on the board: north-west, north-east, south-west, south-east.
    #[inline]
    pub fn diagonals(&self, v: Vertex) -> impl Iterator<Item = Vertex> + '_ {
        let stride = self.size as u16 + 1;
        [v.0 - stride - 1, v.0 - stride + 1, v.0 + stride - 1, v.0 + stride + 1]
            .into_iter()
            .map(Vertex)
            .filter(|&n| self.on_board(n))
    }

    /// The neighbours and diagonal neighbours on the board, in vertex order.
    #[inline]
    pub fn neighbors8(&self, v: Vertex) -> impl Iterator<Item = Vertex> + '_ {
        let s = self.size as u16 + 1;
        [v.0 - s - 1, v.0 - s, v.0 - s + 1, v.0 - 1, v.0 + 1, v.0 + s - 1, v.0 + s, v.0 + s + 1]
            .into_iter()
            .map(Vertex)
            .filter(|&n| self.on_board(n))
    }

    #[inline]
    fn id(&self, v: Vertex) -> Option<StringId> {
        self.string_at.get(v.at()).copied().filter(|&id| is_string(id))
    }

    /// The same; the watch records a look at the string.
    #[inline]
    fn seen_id(&self, v: Vertex) -> Option<StringId> {
        if let Some(watch) = &self.watch {
            watch.string(v);
        }
        self.id(v)
    }

    /// The number of liberties of the string at a vertex; 0 if there is none.
    #[inline]
    #[must_use]
    pub fn liberties(&self, v: Vertex) -> usize {
        self.seen_id(v).map_or(0, |id| self.strings.meta(id).liberties as usize)
    }

    /// The liberties of the string at a vertex, in vertex order.
    #[inline]
    #[must_use]
    pub fn liberty_vertices(&self, v: Vertex) -> Vertices<'_> {
        self.seen_id(v).map_or(Vertices::none(), |id| self.strings.liberty_vertices(id))
    }

    /// The liberties of the string at a vertex as a bit set over the padded array; empty if there is no string.
    #[inline]
    #[must_use]
    pub fn liberty_bits(&self, v: Vertex) -> &[u64] {
        self.seen_id(v).map_or(&[], |id| self.strings.liberties(id))
    }

    /// Whether `liberty` is a liberty of the string at `v`.
    #[inline]
    #[must_use]
    pub fn is_liberty(&self, liberty: Vertex, v: Vertex) -> bool {
        self.seen_id(v).is_some_and(|id| self.on_board(liberty) && self.strings.has_liberty(id, liberty))
    }

    /// The stones of the string at a vertex, in vertex order.
    #[inline]
    #[must_use]
    pub fn stones(&self, v: Vertex) -> Vertices<'_> {
        self.seen_id(v).map_or(Vertices::none(), |id| self.strings.stone_vertices(id))
    }

    /// The stones of the string at a vertex as a bit set over the padded array; empty if there is no string.
    #[inline]
    #[must_use]
    pub fn stone_bits(&self, v: Vertex) -> &[u64] {
        self.seen_id(v).map_or(&[], |id| self.strings.stones(id))
    }

    /// The number of stones of the string at a vertex; 0 if there is none.
    #[inline]
    #[must_use]
    pub fn string_size(&self, v: Vertex) -> usize {
        self.seen_id(v).map_or(0, |id| self.strings.meta(id).stones as usize)
    }

    /// The first stone, in vertex order, of the string at a vertex; the vertex itself if there is no stone.
    #[inline]
    #[must_use]
    pub fn origin(&self, v: Vertex) -> Vertex {
        self.seen_id(v).map_or(v, |id| self.strings.meta(id).origin)
    }

    /// Whether two vertices hold stones of one string.
    #[inline]
    #[must_use]
    pub fn same_string(&self, a: Vertex, b: Vertex) -> bool {
        self.seen_id(a).is_some() && self.seen_id(a) == self.seen_id(b)
    }

    /// All stones of a colour.
    pub(crate) fn all_stones(&self, color: Color) -> &VertexSet {
        self.look_at_all();
        &self.stones[color.index()]
    }

    /// The origins of all strings, in vertex order.
    pub fn strings(&self) -> impl Iterator<Item = Vertex> + '_ {
        self.vertices().filter(|&v| self.seen_id(v).is_some() && self.origin(v) == v)
    }

    /// The origins of the strings of these stones, in vertex order, each once.
    pub fn origins(&self, stones: impl IntoIterator<Item = Vertex>) -> Vec<Vertex> {
        in_order(stones.into_iter().map(|v| self.origin(v)))
    }

    /// These vertices, marked in a padded column.
    pub fn marks(&self, vertices: impl IntoIterator<Item = Vertex>) -> Vec<bool> {
        let mut marks = vec![false; self.padded_len()];
        vertices.into_iter().for_each(|v| marks[v.at()] = true);
        marks
    }

    /// The strings of the other colour that touch the string at a vertex, as their origins in vertex order.
    #[must_use]
    pub fn adjacent_strings(&self, v: Vertex) -> Vec<Vertex> {
        let mut found = Vec::new();
        self.each_adjacent(v, |stone| found.push(self.origin(stone)));
        found.sort_unstable();
        found
    }

    /// Calls `f` once for each string of the other colour that touches the string at `v`. The argument is its first
    /// touching stone; calls are in vertex order of these stones.
    #[inline]
    pub fn each_adjacent(&self, v: Vertex, mut f: impl FnMut(Vertex)) {
        let Some(own) = self.seen_id(v) else { return };
        let (stones, extent) = (self.strings.stones(own), self.strings.extent(own));
        let foes = &self.stones[self.strings.meta(own).color.other().index()].0;
        // A row is shorter than a word: neighbours are at most one word further.
        let words = extent.start.saturating_sub(1)..(extent.end + 1).min(stones.len());
        let stride = self.size + 1;
        let mut edge = [0; MAX_WORDS];
        let (mut before, mut here) = (0, stones[words.start]);
        for w in words.clone() {
            let after = stones.get(w + 1).copied().unwrap_or(0);
            let up = here >> stride | after << (64 - stride) | here >> 1 | after << 63;
            let down = here << stride | before >> (64 - stride) | here << 1 | before >> 63;
            edge[w] = (up | down) & foes[w];
            (before, here) = (here, after);
        }
        for w in words.clone() {
            while edge[w] != 0 {
                let n = Vertex((w * 64) as u16 + edge[w].trailing_zeros() as u16);
                if let Some(watch) = &self.watch {
                    watch.string(n);
                }
                let met = self.strings.stones(self.string_at[n.at()]);
                for rest in w..words.end {
                    edge[rest] &= !met[rest];
                }
                f(n);
            }
        }
    }

    /// The strings of `color` that touch the vertex, as one stone each.
    #[inline]
    pub fn strings_next_to(&self, v: Vertex, color: Color) -> impl Iterator<Item = Vertex> + '_ {
        let around = self.around(v);
        (0..4).filter_map(move |i| {
            let n = around[i];
            let id = self.seen_id(n)?;
            let first = around[..i].iter().all(|m| self.id(*m) != Some(id));
            (first && self.strings.meta(id).color == color).then_some(n)
        })
    }

    /// The vertices connected to `start` along the lines, itself first: those that `through` accepts. They are marked
    /// in `seen`, which is padded; vertices that are already marked there are skipped.
    #[must_use]
    pub fn region(
        &self,
        start: Vertex,
        seen: &mut [bool],
        mut through: impl FnMut(Vertex) -> bool,
    ) -> Vec<Vertex> {
        let (mut region, mut open) = (Vec::new(), vec![start]);
        seen[start.at()] = true;
        while let Some(v) = open.pop() {
            region.push(v);
            for n in self.neighbors4(v) {
                if !seen[n.at()] && through(n) {
                    seen[n.at()] = true;
                    open.push(n);
                }
            }
        }
        region
    }

    /// The region of vertices where `stone` has none, around such a one, and whether stones of Black and of White stand
    /// beside it. `seen` as in [`Self::region`].
    #[must_use]
    pub fn bordered_region(
        &self,
        start: Vertex,
        seen: &mut [bool],
        stone: impl Fn(Vertex) -> Option<Color>,
    ) -> (Vec<Vertex>, [bool; 2]) {
        let mut borders = [false; 2];
        let region =
            self.region(start, seen, |n| stone(n).inspect(|color| borders[color.index()] = true).is_none());
        (region, borders)
    }

    /// The number of liberties of the string of a stone of `color` played at the empty vertex `v`. It is exact
    /// without captures. With captures it adds the captured stones next to `v` and next to the joined own strings. 0
    /// is suicide.
    #[must_use]
    pub fn liberties_after(&self, color: Color, v: Vertex) -> usize {
        self.after(color, v).0
    }

    /// The same, and whether the stone takes something.
    pub(crate) fn after(&self, color: Color, v: Vertex) -> (usize, bool) {
        let near = self.near(color, v);
        let left = match near.own[..] {
            [] => near.bare.count_ones() as usize,
            [own] => {
                let old = self.strings.meta(own).liberties as usize - 1;
                self.bare(v, &near).fold(old, |n, u| n + usize::from(!self.strings.has_liberty(own, u)))
            }
            _ => self.liberties_joined(v, &near),
        };
        (if near.takes { left + self.liberties_taken(v, &near) } else { left }, near.takes)
    }

    /// The bare neighbours of a vertex that has this around it.
    #[inline]
    fn bare(&self, v: Vertex, near: &Near) -> impl Iterator<Item = Vertex> {
        let (around, bare) = (self.around(v), near.bare);
        (0..4).filter(move |i| bare >> i & 1 != 0).map(move |i| around[i])
    }

    /// [`Self::liberties_after`] where strings are joined: their liberties without the vertex, each once, and the empty
    /// neighbours of the vertex that are new to all.
    fn liberties_joined(&self, v: Vertex, near: &Near) -> usize {
        let mut all = [0; MAX_WORDS];
        let (mut first, mut end) = (MAX_WORDS, 0);
        for &id in near.own.iter() {
            let extent = self.strings.extent(id);
            (first, end) = (first.min(extent.start), end.max(extent.end));
            for (all, liberties) in all[extent.clone()].iter_mut().zip(&self.strings.liberties(id)[extent]) {
                *all |= liberties;
            }
        }
        let fresh = self.bare(v, near).filter(|n| all[n.at() / 64] >> (n.at() % 64) & 1 == 0).count();
        all[v.at() / 64] &= !(1 << (v.at() % 64));
        all[first..end].iter().fold(fresh, |count, word| count + word.count_ones() as usize)
    }

    /// The stones that are taken next to `v` or to one of the own strings there.
    fn liberties_taken(&self, v: Vertex, near: &Near) -> usize {
        let next = |n: Vertex| n == v || near.own.iter().any(|&own| own == self.string_at[n.at()]);
        let taken = near.foes.iter().filter(|&&id| self.strings.meta(id).liberties == 1);
        let stones = taken.flat_map(|&id| self.strings.stone_vertices(id));
        stones.filter(|&s| self.around(s).into_iter().any(next)).count()
    }

    /// The point where the ko rule forbids a move now.
    #[inline]
    #[must_use]
    pub fn ko_point(&self) -> Option<Vertex> {
        self.look_at_ko();
        (self.ko != Vertex::PASS).then_some(self.ko)
    }

    /// The same with the colour it forbids.
    pub(crate) fn ko(&self) -> Option<(Vertex, Color)> {
        self.ko_point().map(|v| (v, self.ko_color))
    }

    /// Forbids `color` to play at `v` in this turn, as if a ko had been taken (SGF's `IL` of GNU Go's suites). Needs
    /// an empty vertex.
    pub fn set_ko(&mut self, v: Vertex, color: Color) {
        if self.is_empty(v) {
            self.ko = v;
            self.ko_color = color;
        }
    }

    /// The Zobrist key of the stones alone.
    #[inline]
    #[must_use]
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// The Zobrist key of stones, ko point and the colour to move.
    #[inline]
    #[must_use]
    pub fn situation_hash(&self, to_move: Color) -> u64 {
        self.look_at_ko();
        self.hash ^ zobrist::ko(self.ko) ^ zobrist::to_move(to_move)
    }

    /// The number of stones of its opponent that this colour has taken.
    #[must_use]
    pub const fn captured(&self, color: Color) -> u32 {
        self.captured[color.index()]
    }

    /// Entries of the history: moves, passes and placed stones that undo can take back.
    #[inline]
    #[must_use]
    pub fn history_len(&self) -> usize {
        self.history.len()
    }

    /// Takes back until the history has this length.
    pub fn undo_to(&mut self, len: usize) {
        while self.history.len() > len && self.undo() {}
    }

    /// The moves and passes of the history in order; placed stones are left out.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = (Color, Vertex)> + '_ {
        self.history.iter().filter(|c| c.kind != Kind::Place).map(|c| (c.color, c.v))
    }

    /// The board after the last placed stone, and the moves since then.
    #[must_use]
    pub fn set_up_and_moves(&self) -> (Self, Vec<(Color, Vertex)>) {
        let is_move = |c: &&Change| c.kind != Kind::Place;
        let moves: Vec<_> = self.history.iter().rev().take_while(is_move).map(|c| (c.color, c.v)).collect();
        let mut set_up = self.clone();
        set_up.undo_to(self.history.len() - moves.len());
        (set_up, moves.into_iter().rev().collect())
    }

    /// The last move or pass.
    #[must_use]
    pub fn last_move(&self) -> Option<(Color, Vertex)> {
        self.moves().next_back()
    }

    /// The same stones, ko and prisoners without a history: smaller to copy, and undo stops here.
    #[must_use]
    pub fn without_history(&self) -> Self {
        let watch = self.watch.clone();
        Self { ko: self.ko, ko_color: self.ko_color, watch, ..self.with_stones(|_| true) }
    }

    /// The same prisoners and those stones that are to be kept, without a history.
    fn with_stones(&self, keep: impl Fn(Vertex) -> bool) -> Self {
        let mut bare = Self::with_rules(self.size, self.rules);
        for v in self.vertices().filter(|&v| keep(v)) {
            if let Some(color) = self.stone_unwatched(v) {
                let placed = bare.place(color, v);
                debug_assert!(placed.is_ok());
            }
        }
        bare.history.clear();
        bare.captured = self.captured;
        bare
    }

    /// The vertices of the board as a bit set over the padded array.
    pub(crate) fn all_vertices(&self) -> VertexSet {
        let mut all = VertexSet::EMPTY;
        let line = (1_u128 << self.size) - 1;
        for row in 0..self.size {
            let begin = Vertex::new(row, 0, self.size).at();
            let spread = line << (begin % 64);
            all.0[begin / 64] |= spread as u64;
            if spread >> 64 != 0 {
                all.0[begin / 64 + 1] |= (spread >> 64) as u64;
            }
        }
        all
    }

    /// Takes one stone away for set-up. The board forgets its history.
    pub fn remove(&mut self, v: Vertex) {
        if self.color_at(v).is_some() {
            *self = self.with_stones(|u| u != v);
        }
    }

    /// Takes all strings without a liberty away at once, which a set-up may have left; the stones taken, in vertex order.
    /// If there are any, the board forgets its history.
    pub fn take_off_breathless(&mut self) -> Vec<Vertex> {
        let breathless = |&v: &Vertex| !self.is_empty(v) && self.liberties(v) == 0;
        let taken: Vec<Vertex> = self.vertices().filter(breathless).collect();
        if !taken.is_empty() {
            *self = self.with_stones(|u| !taken.contains(&u));
        }
        taken
    }
}

/// These in ascending order, each once: vertices in vertex order.
pub(crate) fn in_order<T: Ord>(things: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut things: Vec<T> = things.into_iter().collect();
    things.sort_unstable();
    things.dedup();
    things
}
