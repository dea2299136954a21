//! Makes repetition cases: random positions with a game that repeats them. A case is accepted only if the oracle proves
//! its point.
//!
//! # Notation
//! A *round* is four plies that return to their first position: a move, the opponent's move, and both moves taken
//! back.
//!
//! # Steps
//! 1. Place a few pieces.
//! 2. Ask the oracle, without a game, whether the position is of the wanted kind (one side mates soon).
//! 3. Make a game of rounds through the position, so that the move of the case completes a third occurrence. Or set the
//!    count of moves so that the move completes the fifty moves.
//! 4. Ask the oracle again, with the game. Only proved facts are written down.

use super::oracle::Oracle;
use super::{Ask, Case};
use crate::exact::{ExactOptions, random, reference, solve};
use crate::history::{Game, Policy};
use crate::repetition::Scheme;
use crate::rules::fen;
use crate::rules::notation::{legal_moves, uci};
use cozy_chess::{Board, BoardBuilder, Color, File, Move, Piece, Rank, Square, get_king_moves};
use std::collections::{BTreeMap, BTreeSet};
use tengen_core::SplitMix64;

/// Positions the oracle may visit for one candidate.
const BUDGET: u64 = 60_000;

/// The groups with their numbers of cases.
pub const GROUPS: [(&str, usize); 7] = [
    ("win", 100),
    ("save", 100),
    ("perpetual", 40),
    ("fifty-win", 40),
    ("fifty-save", 40),
    ("identity", 60),
    ("value", 100),
];

/// The suite of a seed, or only the given groups of it; `told` gets each group when it is done.
pub fn suite(seed: u64, only: &[String], mut told: impl FnMut(&str, usize)) -> Vec<Case> {
    let mut out = Vec::new();
    for (name, wanted) in
        GROUPS.into_iter().filter(|(name, _)| only.is_empty() || only.iter().any(|o| o == name))
    {
        let cases = group(seed, name, wanted);
        told(name, cases.len());
        out.extend(cases);
    }
    out
}

/// This many cases of a group.
#[must_use]
pub fn group(seed: u64, name: &str, wanted: usize) -> Vec<Case> {
    let (mut out, mut seen) = (Vec::new(), BTreeSet::new());
    let salt = name.bytes().map(u64::from).sum();
    for step in 0..4_000_000_u64 {
        if out.len() == wanted {
            break;
        }
        let seed = tengen_core::derive_seed(seed, &[salt, step]);
        let Some((fen, moves, ask)) = candidate(name, seed) else { continue };
        if seen.insert((fen.clone(), moves.clone())) {
            let id = format!("{name}.{:03}", out.len() + 1);
            out.push(Case { id, group: name.to_owned(), fen, moves, ask });
        }
    }
    out
}

/// One attempt: start, moves, question.
fn candidate(group: &str, seed: u64) -> Option<(String, String, Ask)> {
    let mut random = SplitMix64::new(seed);
    match group {
        "win" => win(&mut random),
        "save" => save(&mut random),
        "perpetual" => perpetual(&mut random),
        "fifty-win" => fifty_win(&mut random),
        "fifty-save" => fifty_save(&mut random),
        "identity" => identity(&mut random),
        _ => value(seed),
    }
}

/// Step 1: kings and one of the lists of pieces, the first for the stronger side. Neither king can be taken.
fn place(random: &mut SplitMix64, lists: &[(&[Piece], &[Piece])]) -> Option<(Board, Color)> {
    let strong = if random.below(2) == 0 { Color::White } else { Color::Black };
    let (own, other) = lists[random.below(u32::try_from(lists.len()).ok()?) as usize];
    let mut builder = BoardBuilder::empty();
    let kings = [(Piece::King, strong), (Piece::King, !strong)];
    let own = own.iter().map(|&piece| (piece, strong));
    for (piece, color) in kings.into_iter().chain(own).chain(other.iter().map(|&piece| (piece, !strong))) {
        let at = Square::index(random.below(64) as usize);
        let edge = matches!(at.rank(), Rank::First | Rank::Eighth);
        if builder.square(at).is_some() || (piece == Piece::Pawn && edge) {
            return None;
        }
        *builder.square_mut(at) = Some((piece, color));
    }
    builder.side_to_move = if random.below(2) == 0 { Color::White } else { Color::Black };
    let board = builder.build().ok()?;
    // The board crate lets kings stand side by side.
    let apart = !get_king_moves(board.king(strong)).has(board.king(!strong));
    apart.then_some((board, strong))
}

const MATING: &[(&[Piece], &[Piece])] = &[
    (&[Piece::Queen], &[]),
    (&[Piece::Queen], &[Piece::Pawn]),
    (&[Piece::Rook, Piece::Rook], &[Piece::Pawn]),
    (&[Piece::Queen], &[Piece::Rook]),
    (&[Piece::Rook, Piece::Bishop], &[Piece::Pawn]),
    (&[Piece::Queen, Piece::Pawn], &[Piece::Knight]),
    (&[Piece::Rook, Piece::Pawn], &[Piece::Pawn]),
];

/// Step 1 for perpetual checks. A rook cuts a king off on its edge, and a second heavy piece is about to mate it there.
/// A queen may give check from two squares in turn to the other king, which stands in its corner behind one pawn
/// (`Qe8+ Kh7 Qh5+ Kg8`). Random placement hardly ever makes such a position.
fn besiege(random: &mut SplitMix64) -> Option<Board> {
    let strong = if random.below(2) == 0 { Color::White } else { Color::Black };
    let is_mirrored = random.below(2) == 0;
    let mut builder = BoardBuilder::empty();
    let mut put = |piece: Piece, color: Color, file: u32, rank: u32| {
        // Ranks are counted from the edge of the cut-off king, files from the wing without the other.
        let rank = Rank::index(rank as usize).relative_to(!strong);
        let at = Square::new(File::index(if is_mirrored { 7 - file } else { file } as usize), rank);
        let free = builder.square(at).is_none();
        *builder.square_mut(at) = Some((piece, color));
        free.then_some(())
    };
    let (king, queen) = if random.below(2) == 0 { ((6, 7), (7, 4)) } else { ((7, 6), (4, 7)) };
    put(Piece::King, strong, king.0, king.1)?;
    put(Piece::Pawn, strong, 6, 6)?;
    put(Piece::Queen, !strong, queen.0, queen.1)?;
    put(Piece::King, !strong, random.below(8), 0)?;
    put(Piece::Rook, strong, random.below(8), 1)?;
    let second = if random.below(2) == 0 { Piece::Rook } else { Piece::Queen };
    put(second, strong, random.below(8), random.below(6))?;
    put(Piece::Pawn, strong, random.below(6), 3 + random.below(3))?;
    builder.side_to_move = !strong;
    let board = builder.build().ok()?;
    let apart = !get_king_moves(board.king(strong)).has(board.king(!strong));
    apart.then_some(board)
}

/// A move that neither takes nor moves a pawn.
fn is_quiet(board: &Board, mv: Move) -> bool {
    board.piece_on(mv.from) != Some(Piece::Pawn) && !board.occupied().has(mv.to)
}

fn after(board: &Board, mv: Move) -> Board {
    let mut next = board.clone();
    next.play_unchecked(mv);
    next
}

const fn back(mv: Move) -> Move {
    Move { from: mv.to, to: mv.from, promotion: None }
}

/// Step 3: a game that plays `mv` in `root`, comes back to `root`, and comes back again after a second round. `mv` then
/// makes its position the third time.
fn round(root: &Board, mv: Move) -> Option<(Board, Vec<Move>)> {
    if !is_quiet(root, mv) {
        return None;
    }
    let start = after(root, mv);
    let answer = legal_moves(&start).into_iter().find(|&answer| {
        if !is_quiet(&start, answer) {
            return false;
        }
        let second = after(&start, answer);
        second.is_legal(back(mv)) && after(&second, back(mv)).is_legal(back(answer))
    })?;
    let once = [answer, back(mv), back(answer)];
    Some((start, [&once[..], &[mv], &once[..]].concat()))
}

/// The start as FEN and the moves in UCI form.
fn texts(start: &Board, clock: u16, moves: &[Move]) -> (String, String) {
    let mut board = start.clone();
    let mut out = Vec::new();
    for &mv in moves {
        out.push(uci(&board, mv, false));
        board.play_unchecked(mv);
    }
    (fen::write(start, clock, false), out.join(" "))
}

type Attempt = Option<(String, String, Ask)>;

/// The stronger side has two ways to mate; the faster one would repeat for the third time.
fn win(random: &mut SplitMix64) -> Attempt {
    let (root, strong) = place(random, MATING)?;
    if root.side_to_move() != strong || legal_moves(&root).is_empty() {
        return None;
    }
    let mut bare = Oracle::new(&root, 0, &[], BUDGET);
    let wins: Vec<(u32, Move)> =
        legal_moves(&root).into_iter().filter_map(|mv| Some((bare.wins_by(mv, 3)?, mv))).collect();
    let fastest = wins.iter().map(|(n, _)| *n).min().filter(|n| *n >= 3)?;
    let (_, tempting) = wins.iter().copied().find(|(n, mv)| *n == fastest && is_quiet(&root, *mv))?;
    let (start, moves) = round(&root, tempting)?;
    let mut oracle = Oracle::new(&start, 0, &moves, BUDGET);
    let (mut proof, mut avoid, mut others) = (BTreeMap::new(), Vec::new(), 0);
    for mv in legal_moves(&root) {
        let name = uci(&root, mv, false);
        if oracle.draws_at_once(mv) {
            proof.insert(name.clone(), "draw".to_owned());
            avoid.push(name);
        } else if let Some(n) = oracle.wins_by(mv, 5) {
            proof.insert(name, format!("win {n}"));
            others += 1;
        }
    }
    let tempting = uci(&root, tempting, false);
    (bare.is_sound() && oracle.is_sound() && others > 0 && avoid.contains(&tempting)).then_some(())?;
    let (fen, moves) = texts(&start, 0, &moves);
    Some((fen, moves, Ask::Move { best: Vec::new(), avoid, proof, tempting }))
}

/// The weaker side is mated in every line, except by a third occurrence.
fn save(random: &mut SplitMix64) -> Attempt {
    let (root, strong) = place(random, MATING)?;
    let moves = legal_moves(&root);
    if root.side_to_move() == strong || moves.len() < 2 {
        return None;
    }
    let mut bare = Oracle::new(&root, 0, &[], BUDGET);
    if !moves.iter().all(|&mv| bare.loses_by(mv, 4).is_some()) {
        return None;
    }
    let (saving, start, game) =
        moves.iter().find_map(|&mv| round(&root, mv).map(|(start, game)| (mv, start, game)))?;
    let mut oracle = Oracle::new(&start, 0, &game, BUDGET);
    judge_all(&mut oracle, &root, (4, 0), uci(&root, saving, false), true).filter(|_| bare.is_sound()).map(
        |ask| {
            let (fen, moves) = texts(&start, 0, &game);
            (fen, moves, ask)
        },
    )
}

/// The side to move is mated unless it gives check after check until a position stands for the third time.
fn perpetual(random: &mut SplitMix64) -> Attempt {
    let root = besiege(random)?;
    let moves = legal_moves(&root);
    let check = |mv: &Move| !after(&root, *mv).checkers().is_empty();
    let (checks, others): (Vec<Move>, Vec<Move>) = moves.iter().partition(|mv| check(mv));
    let mut bare = Oracle::new(&root, 0, &[], BUDGET);
    if checks.is_empty() || others.is_empty() || others.iter().any(|&mv| bare.loses_by(mv, 4).is_none()) {
        return None;
    }
    // The game has gone round once, so the round has to be gone twice more.
    let (saving, start, game, mut oracle) = checks.iter().find_map(|&mv| {
        let (start, game) = round(&root, mv)?;
        let game = game[..3].to_vec();
        let mut oracle = Oracle::new(&start, 0, &game, BUDGET);
        let plies = oracle.draws_by_checks(mv, 9)?;
        // The game has a part in it: it is no stalemate and no capture.
        bare.draws_by_checks(mv, plies).is_none().then_some((mv, start, game, oracle))
    })?;
    let named = uci(&root, saving, false);
    judge_all(&mut oracle, &root, (6, 9), named, true).filter(|_| bare.is_sound()).map(|ask| {
        let (fen, moves) = texts(&start, 0, &game);
        (fen, moves, ask)
    })
}

/// All root moves. Moves that draw, at once or by `checks` plies of checks, are right; those that lose within `plies`
/// are wrong. `all`: every move must be proved. `named` must be among the right ones.
fn judge_all(
    oracle: &mut Oracle,
    root: &Board,
    (plies, checks): (u32, u32),
    named: String,
    all: bool,
) -> Option<Ask> {
    let (mut proof, mut best, mut avoid, mut slowest) = (BTreeMap::new(), Vec::new(), Vec::new(), (0, None));
    for mv in legal_moves(root) {
        let name = uci(root, mv, false);
        if oracle.draws_at_once(mv) {
            proof.insert(name.clone(), "draw".to_owned());
            best.push(name);
        } else if let Some(n) = oracle.draws_by_checks(mv, checks) {
            proof.insert(name.clone(), format!("draw {n}"));
            best.push(name);
        } else if let Some(n) = oracle.loses_by(mv, plies) {
            proof.insert(name.clone(), format!("loss {n}"));
            if n > slowest.0 {
                slowest = (n, Some(name.clone()));
            }
            avoid.push(name);
        } else if all {
            return None;
        }
    }
    let good = oracle.is_sound() && (named.is_empty() || best.contains(&named)) && !best.is_empty();
    let tempting = slowest.1.filter(|_| good)?;
    Some(Ask::Move { best, avoid, proof, tempting })
}

/// The stronger side mates in time only if it mates on the last half-move, or restarts the clock.
fn fifty_win(random: &mut SplitMix64) -> Attempt {
    let (root, strong) = place(random, MATING)?;
    if root.side_to_move() != strong || legal_moves(&root).is_empty() {
        return None;
    }
    let clock = 97 + random.below(3);
    let mut bare = Oracle::new(&root, 0, &[], BUDGET);
    let mut oracle = Oracle::new(&root, clock, &[], BUDGET);
    let (mut proof, mut best, mut avoid, mut tempting) = (BTreeMap::new(), Vec::new(), Vec::new(), None);
    for mv in legal_moves(&root) {
        let name = uci(&root, mv, false);
        if let Some(n) = oracle.wins_by(mv, 3) {
            proof.insert(name.clone(), format!("win {n}"));
            best.push(name);
        } else if oracle.draws_at_once(mv) {
            proof.insert(name.clone(), "draw".to_owned());
            avoid.push(name.clone());
            if bare.wins_by(mv, 3).is_some() {
                tempting = Some(name);
            }
        }
        // Of any other move nothing is proved: it is neither right nor wrong.
    }
    let tempting = tempting.filter(|_| !best.is_empty() && bare.is_sound() && oracle.is_sound())?;
    let fen = fen::write(&root, u16::try_from(clock).ok()?, false);
    Some((fen, String::new(), Ask::Move { best: Vec::new(), avoid, proof, tempting }))
}

/// The weaker side is mated unless it fills the fifty moves.
fn fifty_save(random: &mut SplitMix64) -> Attempt {
    let lists: &[(&[Piece], &[Piece])] = &[
        (&[Piece::Queen], &[Piece::Pawn]),
        (&[Piece::Rook, Piece::Rook], &[Piece::Pawn]),
        (&[Piece::Queen, Piece::Pawn], &[Piece::Rook]),
        (&[Piece::Queen, Piece::Rook], &[Piece::Pawn, Piece::Pawn]),
    ];
    let (root, strong) = place(random, lists)?;
    let moves = legal_moves(&root);
    if root.side_to_move() == strong || moves.len() < 2 || moves.iter().all(|&mv| is_quiet(&root, mv)) {
        return None;
    }
    let mut oracle = Oracle::new(&root, 99, &[], BUDGET);
    let ask = judge_all(&mut oracle, &root, (6, 0), String::new(), true)?;
    Some((fen::write(&root, 99, false), String::new(), ask))
}

/// Positions that look the same and are not, or differ only by an en-passant file without effect.
fn identity(random: &mut SplitMix64) -> Attempt {
    const STARTS: [&str; 6] = [
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "r3k3/p6p/8/8/8/8/P6P/4K2R w Kq - 0 1",
        "4k3/3p1p2/8/4P3/3p4/8/2P1P3/4K3 w - - 0 1",
        "4k3/2p1p3/8/1P1P4/2p1p3/8/1P1P4/4K3 w - - 0 1",
        "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1",
        "4r1k1/8/8/8/4p3/8/3P4/4K3 w - - 0 1",
    ];
    let start = fen::parse(STARTS[random.below(6) as usize]).ok()?;
    let mut game = Game::new(start.clone());
    let mut strange = false;
    for _ in 0..4 + random.below(16) {
        let moves = legal_moves(game.board());
        if moves.is_empty() {
            return None;
        }
        let mut mv = moves[random.below(u32::try_from(moves.len()).ok()?) as usize];
        if game.moves().len() >= 2 && random.below(4) > 0 {
            let home = back(game.moves()[game.moves().len() - 2]);
            if moves.contains(&home) {
                mv = home;
            }
        }
        game.play(mv);
        strange |= game.board().en_passant().is_some();
    }
    let mut oracle = Oracle::new(&start.board, u32::from(start.clock), game.moves(), BUDGET);
    let (occurrences, placements) = (oracle.occurrences(), oracle.placements());
    let to_third: Vec<String> =
        oracle.to_third().into_iter().map(|mv| uci(game.board(), mv, false)).collect();
    let castling = placements > occurrences;
    let passing = strange && occurrences >= 2;
    (placements >= 2 && (castling || passing) && game.result() == crate::history::GameResult::Ongoing)
        .then_some(())?;
    let clock = u16::try_from(oracle.clock()).ok()?;
    let (fen, moves) = texts(&start.board, start.clock, game.moves());
    Some((fen, moves, Ask::Facts { occurrences, placements, clock, to_third }))
}

/// Values where a table scheme is wrong, and sometimes values where none is.
fn value(seed: u64) -> Attempt {
    let game = random::game(seed);
    let depth = 4 + (seed >> 20) as u32 % 4;
    let options =
        |policy, scheme| ExactOptions { depth, policy, scheme, table_bits: 16, ..Default::default() };
    let control = seed.is_multiple_of(100);
    let suspects = [Scheme::Walk, Scheme::Cautious, Scheme::Shadow];
    let differs = Policy::ALL.into_iter().any(|policy| {
        let exact = solve(&game, options(policy, Scheme::Exact)).value;
        suspects.into_iter().any(|scheme| solve(&game, options(policy, scheme)).value != exact)
    });
    if !differs && !control {
        return None;
    }
    let (mut values, mut reference_nodes) = (BTreeMap::new(), 0);
    for policy in Policy::ALL {
        let (value, nodes) = reference::value_and_nodes(&game, depth, policy, 400_000)?;
        values.insert(policy.name().to_owned(), value);
        reference_nodes += nodes;
    }
    let (fen, moves) = texts(&game.start().board, game.start().clock, game.moves());
    Some((fen, moves, Ask::Value { depth, values, reference_nodes }))
}
