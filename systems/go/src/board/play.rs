//! The incremental kernel of the board: it plays moves, takes them back, and decides whether they are legal.
//!
//! # Notation
//! A *string* is a maximal solidly connected group of stones of one colour. `own` are the mover's strings next to the
//! vertex of the move. `foes` are the opponent's strings there. Neither list has duplicates.
//!
//! # Steps of a move
//! 1. Every string of `foes` loses the vertex as a liberty.
//! 2. If `own` is empty, the stone gets a new record. A single own string grows in place, and a mask records its new
//!    liberties. Two or more own strings are joined in a new record, and their old records stay unchanged.
//! 3. Strings of `foes` without a liberty are taken off. Each vertex that becomes empty is a new liberty of the strings
//!    around it.
//! 4. If the new string has no liberty, it is taken off too (suicide).
//! 5. A ko arises if the stone took exactly one stone and stands alone with one liberty.
//!
//! # Cost
//! A few words for each neighbour. A merge or a capture also costs time for each stone that it touches. Undo runs the
//! same steps backwards.

use super::strings::{NONE, OUTSIDE, StringId, Strings, is_string};
use super::{Board, Color, IllegalMove, KoRule, SmallList, SuicideRule, Vertex, ones, zobrist};

/// The effect of an entry of the history.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    Play,
    #[default]
    Pass,
    Place,
}

/// One entry of the history: all that undo needs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Change {
    pub(super) hash_before: u64,
    absorbed: Four,
    captured: Four,
    /// The opponent's strings next to the vertex.
    foes: Four,
    pub(super) v: Vertex,
    ko_before: Vertex,
    ko_color_before: Color,
    pub(super) color: Color,
    pub(super) kind: Kind,
    /// Bit i: neighbour i became a liberty of the string that grew.
    fresh: u8,
}

/// Up to four distinct strings.
type Four = SmallList<StringId, 4>;

/// The surroundings of a vertex where a colour may play.
#[derive(Clone, Copy, Default)]
pub(super) struct Near {
    /// Its strings.
    pub(super) own: Four,
    /// The opponent's strings.
    pub(super) foes: Four,
    /// Bit i: neighbour i is bare.
    pub(super) bare: u8,
    /// Whether one of the foes has its last liberty here: a stone takes it.
    pub(super) takes: bool,
    /// Whether one of the own strings has another liberty.
    room: bool,
}

impl Near {
    /// Whether a stone there would have no liberty, under any rules.
    #[inline]
    const fn is_suicide(&self) -> bool {
        self.bare == 0 && !self.takes && !self.room
    }
}

impl Board {
    /// Plays a stone, or a pass with [`Vertex::PASS`].
    ///
    /// # Errors
    /// When the rules forbid the move; the board is unchanged then.
    pub fn play(&mut self, color: Color, v: Vertex) -> Result<(), IllegalMove> {
        if v == Vertex::PASS {
            self.pass(color);
            return Ok(());
        }
        let near = self.check(color, v)?;
        self.put(color, v, Kind::Play, near);
        Ok(())
    }

    /// Plays a move, asks, and takes it back; `None` if the rules forbid it.
    pub(crate) fn tried<T>(
        &mut self,
        color: Color,
        v: Vertex,
        ask: impl FnOnce(&mut Self) -> T,
    ) -> Option<T> {
        self.play(color, v).ok()?;
        let answer = ask(self);
        self.undo();
        Some(answer)
    }

    /// Plays moves of alternating colours, `color` first; an illegal move becomes a pass. Returns the side to move.
    pub(crate) fn play_in_turn(&mut self, color: Color, moves: &[Vertex]) -> Color {
        moves.iter().fold(color, |color, &v| {
            if self.play(color, v).is_err() {
                self.pass(color);
            }
            color.other()
        })
    }

    /// Plays a stone even where the ko rule (not superko) forbids it: what GTP calls `tryko`.
    ///
    /// # Errors
    /// When another rule forbids the move; the board is unchanged then.
    pub fn play_ignoring_ko(&mut self, color: Color, v: Vertex) -> Result<(), IllegalMove> {
        let ko = std::mem::take(&mut self.ko);
        let result = self.check(color, v);
        self.ko = ko;
        self.put(color, v, Kind::Play, result?);
        Ok(())
    }

    /// Puts a stone for set-up. It takes nothing off, even if a string is left without a liberty. Clears the ko.
    ///
    /// # Errors
    /// [`IllegalMove::OffBoard`] or [`IllegalMove::Occupied`].
    pub fn place(&mut self, color: Color, v: Vertex) -> Result<(), IllegalMove> {
        if !self.on_board(v) {
            return Err(IllegalMove::OffBoard);
        }
        if !self.is_empty(v) {
            return Err(IllegalMove::Occupied);
        }
        self.put(color, v, Kind::Place, self.near(color, v));
        Ok(())
    }

    fn pass(&mut self, color: Color) {
        let (hash_before, ko_before, ko_color_before) = (self.hash, self.ko, self.ko_color);
        self.history.push(Change { hash_before, ko_before, ko_color_before, color, ..Change::default() });
        self.ko = Vertex::PASS;
    }

    /// Whether `color` may play at `v`. A pass is always legal.
    #[inline]
    #[must_use]
    pub fn is_legal(&self, color: Color, v: Vertex) -> bool {
        v == Vertex::PASS || self.check(color, v).is_ok()
    }

    /// The surroundings of the vertex, or the rule that forbids the move.
    fn check(&self, color: Color, v: Vertex) -> Result<Near, IllegalMove> {
        if !self.on_board(v) {
            return Err(IllegalMove::OffBoard);
        }
        if !self.is_empty(v) {
            return Err(IllegalMove::Occupied);
        }
        if v == self.ko && self.ko_color == color {
            return Err(IllegalMove::Ko);
        }
        let near = self.near(color, v);
        if near.is_suicide() {
            match self.rules.suicide {
                SuicideRule::Forbidden => return Err(IllegalMove::Suicide),
                SuicideRule::MultiStone if near.own.is_empty() => return Err(IllegalMove::Suicide),
                SuicideRule::MultiStone | SuicideRule::Allowed => {}
            }
        }
        if self.rules.ko == KoRule::PositionalSuperko && self.repeats(self.hash_after(color, v, &near)) {
            return Err(IllegalMove::Superko);
        }
        Ok(near)
    }

    /// Whether the move would leave its own string without a liberty, under any rules.
    #[inline]
    #[must_use]
    pub fn is_suicide(&self, color: Color, v: Vertex) -> bool {
        self.near(color, v).is_suicide()
    }

    fn repeats(&self, hash: u64) -> bool {
        self.hash == hash || self.history.iter().rev().any(|change| change.hash_before == hash)
    }

    /// The hash of the stones after a move; the move is not checked.
    fn hash_after(&self, color: Color, v: Vertex, near: &Near) -> u64 {
        let mut hash = self.hash ^ zobrist::stone(color, v);
        for &id in near.foes.iter() {
            if self.strings.meta(id).liberties == 1 {
                hash ^= self.strings.meta(id).hash;
            }
        }
        if near.is_suicide() {
            hash ^= near.own.iter().fold(zobrist::stone(color, v), |h, &id| h ^ self.strings.meta(id).hash);
        }
        hash
    }

    #[inline]
    pub(super) fn near(&self, color: Color, v: Vertex) -> Near {
        let mut near = Near::default();
        let [north, west, east, south] = self.around(v);
        if let Some(watch) = &self.watch {
            [north, west, east, south].into_iter().for_each(|n| watch.string(n));
        }
        let id = |n: Vertex| self.string_at[n.at()];
        let ids = [id(north), id(west), id(east), id(south)];
        for (i, &id) in ids.iter().enumerate() {
            if id == NONE {
                near.bare |= 1 << i;
            } else if id != OUTSIDE && ids[..i].iter().all(|other| *other != id) {
                let meta = self.strings.meta(id);
                if meta.color == color {
                    near.own.push(id);
                    near.room |= meta.liberties > 1;
                } else {
                    near.foes.push(id);
                    near.takes |= meta.liberties == 1;
                }
            }
        }
        near
    }

    /// Puts the stone; the move is known to be allowed.
    fn put(&mut self, color: Color, v: Vertex, kind: Kind, near: Near) {
        let Near { own, foes, bare, takes, .. } = near;
        let (hash_before, ko_before, ko_color_before) = (self.hash, self.ko, self.ko_color);
        let key = zobrist::stone(color, v);
        self.hash ^= key;
        // 1.
        for &id in foes.iter() {
            self.strings.remove_liberty(id, v);
        }
        // 2.
        let id = match own[..] {
            [] => self.strings.push(color),
            [one] => one,
            _ => self.merge(color, own),
        };
        self.strings.add_stone(id, v, key);
        self.strings.remove_liberty(id, v);
        self.set(v, color, id);
        let mut fresh = 0;
        for (i, n) in self.around(v).into_iter().enumerate() {
            if bare >> i & 1 != 0 && self.strings.add_liberty(id, n) {
                fresh |= 1 << i;
            }
        }
        self.ko = Vertex::PASS;
        let takes = kind == Kind::Play && (takes || near.is_suicide());
        let captured = if takes { self.take_dead(color, id, foes) } else { Four::default() };
        let absorbed = own;
        self.history.push(Change {
            hash_before,
            absorbed,
            captured,
            foes,
            v,
            ko_before,
            ko_color_before,
            color,
            kind,
            fresh,
        });
    }

    /// Steps 3 to 5: the strings that are taken off.
    #[inline]
    fn take_dead(&mut self, color: Color, id: StringId, foes: Four) -> Four {
        let (mut taken, mut captured) = (0, Four::default());
        for &foe in foes.iter() {
            if self.strings.meta(foe).liberties == 0 {
                taken += self.strings.meta(foe).stones;
                captured.push(foe);
                self.take_off(foe);
            }
        }
        self.captured[color.index()] += u32::from(taken);
        let meta = *self.strings.meta(id);
        if meta.liberties == 0 {
            self.captured[color.other().index()] += u32::from(meta.stones);
            captured.push(id);
            self.take_off(id);
        } else if taken == 1 && meta.stones == 1 && meta.liberties == 1 {
            let stone = self.strings.stone_vertices(captured[0]).next();
            self.ko = stone.expect("a string has a stone");
            self.ko_color = color.other();
        }
        captured
    }

    fn merge(&mut self, color: Color, own: Four) -> StringId {
        let id = self.strings.push(color);
        for &old in own.iter() {
            self.strings.absorb(id, old);
            self.relabel(old, id);
        }
        self.strings.recount(id);
        id
    }

    /// Lets all stones of the record `stones_of` point at the record `id`.
    fn relabel(&mut self, stones_of: StringId, id: StringId) {
        for s in self.strings.stone_vertices(stones_of) {
            self.string_at[s.at()] = id;
        }
    }

    #[inline]
    fn set(&mut self, v: Vertex, color: Color, id: StringId) {
        self.cells[v.at()] = color.index() as u8;
        self.string_at[v.at()] = id;
        self.stones[color.index()].insert(v);
    }

    /// Takes a whole string off the board; its record stays.
    fn take_off(&mut self, id: StringId) {
        self.hash ^= self.strings.meta(id).hash;
        self.each_stone(id, |board, s| {
            board.clear(s);
            board.each_beside(s, id, |strings, other| {
                strings.add_liberty(other, s);
            });
        });
    }

    /// The opposite of [`Self::take_off`].
    fn bring_back(&mut self, id: StringId) {
        let color = self.strings.meta(id).color;
        self.each_stone(id, |board, s| {
            board.set(s, color, id);
            board.each_beside(s, id, |strings, other| strings.remove_liberty(other, s));
        });
    }

    /// Calls `f` with every stone of a record.
    #[inline]
    fn each_stone(&mut self, id: StringId, mut f: impl FnMut(&mut Self, Vertex)) {
        for w in self.strings.extent(id) {
            for bit in ones(self.strings.stones(id)[w]) {
                f(self, Vertex((w * 64 + bit) as u16));
            }
        }
    }

    /// Calls `f` with every string but one beside a vertex, once for each side it touches.
    #[inline]
    fn each_beside(&mut self, v: Vertex, but: StringId, mut f: impl FnMut(&mut Strings, StringId)) {
        for n in self.around(v) {
            let other = self.string_at[n.at()];
            if is_string(other) && other != but {
                f(&mut self.strings, other);
            }
        }
    }

    /// Takes back the last move, pass or placed stone; false if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(change) = self.history.pop() else { return false };
        let (color, v) = (change.color, change.v);
        if change.kind != Kind::Pass {
            for &id in change.captured.iter() {
                let meta = *self.strings.meta(id);
                self.captured[meta.color.other().index()] -= u32::from(meta.stones);
                self.bring_back(id);
            }
            self.unput(color, v, &change);
        }
        self.ko = change.ko_before;
        self.ko_color = change.ko_color_before;
        self.hash = change.hash_before;
        true
    }

    /// Steps 2 and 1 backwards.
    fn unput(&mut self, color: Color, v: Vertex, change: &Change) {
        let id = self.string_at[v.at()];
        self.clear(v);
        match change.absorbed[..] {
            [] => self.strings.pop(),
            [_] => {
                self.strings.remove_stone(id, v, zobrist::stone(color, v));
                for (i, n) in self.around(v).into_iter().enumerate() {
                    if change.fresh >> i & 1 != 0 {
                        self.strings.remove_liberty(id, n);
                    }
                }
                self.strings.add_liberty(id, v);
            }
            _ => {
                for &old in change.absorbed.iter() {
                    self.relabel(old, old);
                }
                self.strings.pop();
            }
        }
        for &foe in change.foes.iter() {
            self.strings.add_liberty(foe, v);
        }
    }

    #[inline]
    fn clear(&mut self, v: Vertex) {
        self.cells[v.at()] = super::EMPTY;
        self.string_at[v.at()] = NONE;
        self.stones.iter_mut().for_each(|stones| stones.remove(v));
    }
}
