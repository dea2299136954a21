//! Saves the state of lanes as rows of bytes, and loads it.
//!
//! # Format
//! A row has the number of moves made so far (4 bytes, the lowest first), and a byte of flags (1: over, 2: cut off). A
//! bit for each base follows. Base b is bit `b % 8` of byte `b / 8`, the lowest bit first. The spare bits of the last
//! byte are 0.
//!
//! # Cost
//! Three operations for each 8 lanes and 8 bases, and one pass over the gates of legal propositions for a load.

use super::super::Buffers;
use super::{Block, Engine, and, and_not, bits, lit, or, spread, word_bytes};

/// Bytes before the bases.
const HEAD: usize = 5;
const OVER: u8 = 1;
const CUT: u8 = 2;

/// The bytes of a row, for this many bases.
pub(in super::super) fn row_bytes(bases: usize) -> usize {
    HEAD + bases.div_ceil(8)
}

/// The fault of a row, if it has one. With `running` games that are over are faults too.
pub(in super::super) fn fault(row: &[u8], bases: usize, running: bool) -> Option<&'static str> {
    let flags = row[HEAD - 1];
    let spare = if bases.is_multiple_of(8) { 0 } else { row[row.len() - 1] >> (bases % 8) };
    if flags > (OVER | CUT) || flags == CUT || spare != 0 {
        return Some("these bytes are no state of the game");
    }
    (running && flags != 0)
        .then_some("its game is over, and games that are over start again at once in this environment")
}

/// The rows to load, and which row each lane of a shard gets.
pub(in super::super) struct Places<'a> {
    /// Per lane the number of its row, or [`Places::NONE`].
    pub(in super::super) row_of: &'a [u32],
    /// All rows.
    pub(in super::super) rows: &'a [u8],
    /// Bytes of a row.
    pub(in super::super) bytes: usize,
}

impl<'a> Places<'a> {
    /// The lane stays as it is.
    pub(in super::super) const NONE: u32 = u32::MAX;

    fn row(&self, lane: usize) -> Option<&'a [u8]> {
        let row = *self.row_of.get(lane)?;
        (row != Self::NONE).then(|| &self.rows[row as usize * self.bytes..][..self.bytes])
    }
}

impl<const W: usize> Engine<W> {
    pub(super) fn save_lanes(&mut self, out: &mut [u8]) {
        let bases = self.plan.net.bases();
        let bytes = row_bytes(bases);
        for (lane, row) in out.chunks_exact_mut(bytes).enumerate() {
            let has = |block: &Block<W>| (block[lane / 64] >> (lane % 64) & 1) as u8;
            row[..HEAD - 1].copy_from_slice(&self.steps[lane].to_le_bytes());
            row[HEAD - 1] = (has(&self.over) * OVER) | (has(&self.cut) * CUT);
        }
        let (values, net) = (self.values.get(), &self.plan.net);
        for byte in 0..bases.div_ceil(8) {
            let base = |n: usize| (8 * byte + n < bases).then(|| values[net.base_node(8 * byte + n)]);
            let eight: [Block<W>; 8] = std::array::from_fn(|n| base(n).unwrap_or([0; W]));
            for (part, rows) in out.chunks_mut(8 * bytes).enumerate() {
                let column = eight.map(|block| (block[part / 8] >> (8 * (part % 8))) as u8);
                let lanes = spread::transpose(u64::from_le_bytes(column)).to_le_bytes();
                let rows = rows.chunks_exact_mut(bytes);
                rows.zip(lanes).for_each(|(row, bits)| row[HEAD + byte] = bits);
            }
        }
    }

    pub(super) fn load_lanes(&mut self, places: &Places<'_>, out: &mut Buffers<'_>) {
        let (mut set, mut over, mut cut) = ([0; W], [0; W], [0; W]);
        for lane in 0..self.lanes {
            let Some(row) = places.row(lane) else { continue };
            let (word, bit) = (lane / 64, 1 << (lane % 64));
            self.steps[lane] = u32::from_le_bytes([row[0], row[1], row[2], row[3]]);
            set[word] |= bit;
            over[word] |= if row[HEAD - 1] & OVER > 0 { bit } else { 0 };
            cut[word] |= if row[HEAD - 1] & CUT > 0 { bit } else { 0 };
        }
        if set == [0; W] {
            return;
        }
        self.load_bases(places, &set);
        self.over = or(&and_not(&self.over, &set), &over);
        self.cut = or(&and_not(&self.cut, &set), &cut);
        self.plan.first.evaluate(self.values.get());
        self.look();
        self.end_where_over(&set);
        self.observe(out);
        let roles = self.plan.inputs.len();
        for lane in bits(set) {
            let has = |block: &Block<W>| (block[lane / 64] >> (lane % 64) & 1) as u8;
            out.rewards[lane * roles..][..roles].fill(0.0);
            (out.terminated[lane], out.truncated[lane]) =
                (has(&and_not(&self.over, &self.cut)), has(&self.cut));
        }
    }

    fn load_bases(&mut self, places: &Places<'_>, set: &Block<W>) {
        let (values, net) = (self.values.get(), &self.plan.net);
        let bases = net.bases();
        for part in (0..self.lanes.div_ceil(8)).filter(|part| set[part / 8] >> (8 * (part % 8)) & 0xff != 0) {
            let rows: [Option<&[u8]>; 8] = std::array::from_fn(|n| places.row(8 * part + n));
            let (word, shift) = (part / 8, 8 * (part % 8));
            let keep = !(set[word] & 0xff << shift);
            for byte in 0..bases.div_ceil(8) {
                let lanes = rows.map(|row| row.map_or(0, |row| row[HEAD + byte]));
                let columns = spread::transpose(u64::from_le_bytes(lanes)).to_le_bytes();
                for (n, &column) in columns[..8.min(bases - 8 * byte)].iter().enumerate() {
                    let block = &mut values[net.base_node(8 * byte + n)];
                    block[word] = block[word] & keep | u64::from(column) << shift;
                }
            }
        }
    }

    /// A loaded game of a terminal state, or one in which a role has no legal move, is over.
    fn end_where_over(&mut self, set: &Block<W>) {
        let terminal = lit(self.values.get(), self.plan.net.terminal);
        let running = and_not(set, &self.over);
        let ended = and(&running, &or(&terminal, &self.stuck));
        if ended == [0; W] {
            return;
        }
        self.cut = or(&self.cut, &and_not(&ended, &terminal));
        self.over = or(&self.over, &ended);
        let planes = self.plan.legal_at()..self.plan.chosen_at();
        self.values.get()[planes].iter_mut().for_each(|block| *block = and_not(block, &ended));
    }

    /// Writes the flags of the games that are over, and of those that end in this step.
    pub(super) fn flags(&self, now: Option<&super::Ended<W>>, out: &mut Buffers<'_>) {
        let ends = now.map_or([0; W], |now| or(&now.terminal, &now.illegal));
        let cuts = now.map_or([0; W], |now| now.truncated);
        let terminated = or(&and_not(&self.over, &self.cut), &ends);
        let truncated = or(&and(&self.over, &self.cut), &cuts);
        for (w, (&over, &cut)) in terminated.iter().zip(&truncated).enumerate() {
            word_bytes(over, w, out.terminated);
            word_bytes(cut, w, out.truncated);
        }
    }
}
