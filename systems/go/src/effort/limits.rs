//! The limits of tactical reading and of connection reading.

/// The depth and width of tactical reading. Depths count moves from the question; orders are those of
/// `tactics/search.rs`.
///
/// # Source
/// GNU Go 3.8 manual, "Reading cutoff and depth parameters", for the names and most of the figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Up to here attacks of the second order are read: nets, and strings of three liberties. Beyond, ladders only.
    pub depth: u16,
    /// Up to here attacks of the third order are read.
    pub branch_depth: u16,
    /// Up to here strings of four liberties are attacked; beyond, of three.
    pub fourlib_depth: u16,
    /// Attacks of the fourth order (loose ladders) are read up to this number of moves from the question.
    pub loose_depth: u16,
    /// Up to here the attacker tries moves that prepare another (backfilling, saving his own surrounding strings).
    pub backfill_depth: u16,
    /// Up to here the attacker tries moves further off: second-order liberties, friends of the string.
    pub wide_depth: u16,
    /// Up to here the attacker also strengthens surrounding strings of two liberties, and attacks friends of four.
    pub prepare_depth: u16,
    /// Up to here the owner races surrounding strings of three and four liberties, and helps friends of as many.
    pub race_depth: u16,
    /// Up to here the owner saves strings of his that hold a surrounding one.
    pub chain_depth: u16,
    /// Up to here the owner helps friends of the string.
    pub friends_depth: u16,
    /// Up to here a ko may be taken back against the rules, as after a threat.
    pub ko_depth: u16,
    /// The most moves of the attacker in one line that are no liberties of the string (*far* moves).
    pub far_moves: u8,
    /// Up to here a threat may take far moves to carry out; beyond, none.
    pub threat_depth: u16,
    /// The same limits with this many far moves.
    pub threat_moves: u8,
    /// Positions looked at for one question; as many again where a wide reading is cut off and a narrow one follows.
    pub nodes: u64,
    /// The same for each question about a further point, or a threat that saves, where a whole board is read.
    pub second_nodes: u64,
    /// The same for each question about a threat against a string that cannot be attacked: most have no effect.
    pub threat_nodes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: 12,
            branch_depth: 6,
            fourlib_depth: 7,
            loose_depth: 1,
            backfill_depth: 12,
            wide_depth: 6,
            prepare_depth: 2,
            race_depth: 9,
            chain_depth: 7,
            friends_depth: 9,
            ko_depth: 9,
            far_moves: 4,
            threat_depth: 4,
            threat_moves: 1,
            nodes: 20_000,
            second_nodes: 200,
            threat_nodes: 50,
        }
    }
}

impl Limits {
    /// For a question that is asked alone: it may cost some times as much as one of the hundreds about a whole board.
    #[must_use]
    pub fn single() -> Self {
        Self {
            loose_depth: 11,
            wide_depth: 10,
            prepare_depth: 10,
            chain_depth: 9,
            far_moves: 6,
            threat_depth: 9,
            threat_moves: 2,
            ..Self::default()
        }
    }

    /// For the constraints of patterns: they are asked by the hundred, and mostly of strings that are taken at once or not at
    /// all. Nets and moves further off, four liberties and long ladders of branches are left to the stages that read each
    /// string once.
    #[must_use]
    pub fn of_constraints() -> Self {
        Self {
            loose_depth: 0,
            backfill_depth: 4,
            wide_depth: 0,
            fourlib_depth: 0,
            ko_depth: 4,
            nodes: 500,
            ..Self::default()
        }
    }

    /// For the many small readings of a combination: narrow, and soon given up.
    #[must_use]
    pub fn of_combinations() -> Self {
        Self {
            wide_depth: 1,
            branch_depth: 2,
            fourlib_depth: 2,
            loose_depth: 0,
            nodes: 200,
            ..Self::default()
        }
    }

    /// For a leaf of a life-and-death search: only immediate threats to liberties.
    pub(crate) fn of_leaves() -> Self {
        Self { backfill_depth: 3, chain_depth: 0, friends_depth: 0, nodes: 60, ..Self::of_links(60) }
    }

    /// The limits for the first moves of a thorough question, which are few.
    pub(crate) fn of_roots() -> Self {
        Self { depth: 8, branch_depth: 6, backfill_depth: 5, race_depth: 6, nodes: 1000, ..Self::default() }
    }

    /// For the strings in the way of a link.
    pub(crate) fn of_links(nodes: u64) -> Self {
        Self {
            depth: 4,
            branch_depth: 3,
            fourlib_depth: 0,
            loose_depth: 0,
            backfill_depth: 1,
            wide_depth: 0,
            prepare_depth: 0,
            race_depth: 4,
            chain_depth: 2,
            friends_depth: 2,
            ko_depth: 2,
            nodes,
            ..Self::default()
        }
    }

    /// The reading that replaces one that the node limit cuts off under these limits. It has the tree of the default
    /// limits, and the owner races and helps less deep. It nearly always reaches its end. None if these are no wider.
    pub(crate) fn narrower(self) -> Option<Self> {
        let narrow =
            Self { nodes: self.nodes, race_depth: 1, friends_depth: 5, ko_depth: 7, ..Self::default() };
        (self.wide_depth > narrow.wide_depth && self.far_moves > narrow.far_moves).then_some(narrow)
    }

    /// The same limits with at most this many positions for any one question.
    #[must_use]
    pub fn at_most(self, most: u64) -> Self {
        Self {
            nodes: self.nodes.min(most),
            second_nodes: self.second_nodes.min(most),
            threat_nodes: self.threat_nodes.min(most),
            ..self
        }
    }

    /// The same with every depth raised by this much (lowered if negative).
    #[must_use]
    pub fn deeper_by(self, by: i32) -> Self {
        let add = |depth: u16| u16::try_from(i32::from(depth) + by).unwrap_or(0);
        Self {
            depth: add(self.depth),
            branch_depth: add(self.branch_depth),
            loose_depth: add(self.loose_depth),
            backfill_depth: add(self.backfill_depth),
            wide_depth: add(self.wide_depth),
            prepare_depth: add(self.prepare_depth),
            race_depth: add(self.race_depth),
            chain_depth: add(self.chain_depth),
            friends_depth: add(self.friends_depth),
            fourlib_depth: add(self.fourlib_depth),
            ko_depth: add(self.ko_depth),
            threat_depth: add(self.threat_depth),
            ..self
        }
    }
}

/// The judgement of a cut that was left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Guess {
    /// It works if the proof number of the join exceeds the disproof number by more than a factor: numerator and
    /// denominator.
    ProofRatio {
        /// Between strings that share a liberty.
        near: (u8, u8),
        /// Between others.
        wide: (u8, u8),
    },
    /// It works if fewer than 72 in a hundred of such links were joined in the games that the weights come from.
    Learned,
}

/// The extent of connection reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LinkLimits {
    /// The greatest distance, with the cutter to move, that is not given up.
    pub reach: u8,
    /// The greatest distance at which the owner tries ways that are not the shortest.
    pub detour: u8,
    /// Positions looked at for one question.
    pub nodes: u64,
    /// Positions looked at for one tactical question within.
    pub capture_nodes: u64,
    /// The judgement of a cut that is neither found nor refuted.
    pub guess: Guess,
    /// The same for a join, which is guessed if the disproof number is at least this factor times the proof number.
    pub guess_join: (u8, u8),
    /// Whether a link may rest on the capture of the stone that cuts it.
    pub snares: bool,
}

impl Default for LinkLimits {
    fn default() -> Self {
        Self {
            reach: 3,
            detour: 2,
            nodes: 700,
            capture_nodes: 60,
            guess: Guess::ProofRatio { near: (2, 1), wide: (2, 1) },
            guess_join: (4, 3),
            snares: true,
        }
    }
}

impl LinkLimits {
    /// The same limits with at most this many positions for one question.
    #[must_use]
    pub fn at_most(self, most: u64) -> Self {
        Self { nodes: self.nodes.min(most), capture_nodes: self.capture_nodes.min(most), ..self }
    }
}
