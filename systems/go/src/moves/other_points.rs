//! Further moves that kill or save a critical dragon, beside the one that reading names.
//!
//! # Source
//! GNU Go 3.8 manual, "Attacking and Defending moves": all moves that fill some purpose are tested whether they also
//! attack or defend something else. Here the same holds for dragons.
//!
//! # Steps
//! 1. Of each dragon that life-and-death reading found critical, the candidates on its liberties or next to them.
//! 2. Of the [`MOST`] likeliest of them, each is played, and the closed field of the dragon is searched.
//! 3. A move gets the reason if the search proves that the dragon then lives, or dies, with either side moving next.
//!
//! # Cost
//! At most [`MOST`] searches for each critical dragon, of at most [`FIELD`] positions.

use super::facts::Facts;
use super::reason::{Candidate, Reason, Target};
use crate::board::VertexSet;
use crate::dragons::life::known_to_dragon;
use crate::dragons::{Dragon, Rule, Status};
use crate::effort::{Effort, Level};
use crate::owl::{LifeQuestion, LifeReader};
use crate::tactics::Code;

/// The most moves that are read for a dragon.
///
/// Origin: measured, `experiments/2026-11-30-go-strategic-reasons.md`, "Further moves", together with other changes.
const MOST: usize = 6;
/// Positions of the search of a closed field.
///
/// Origin: measured, `experiments/2026-11-30-go-strategic-reasons.md`, "Further moves", together with other changes.
const FIELD: u32 = 2000;

/// All steps.
pub(super) fn add_reasons(facts: &Facts<'_>, life: &mut LifeReader, candidates: &mut [Candidate]) {
    let critical = |d: &&Dragon| d.status == Status::Critical && d.rule == Rule::LifeAndDeath;
    for dragon in facts.dragons.dragons.iter().filter(critical) {
        of_dragon(facts, dragon, life, candidates);
    }
}

fn of_dragon(facts: &Facts<'_>, dragon: &Dragon, life: &mut LifeReader, candidates: &mut [Candidate]) {
    let board = facts.board;
    let stride = board.size() as i32 + 1;
    let liberties: VertexSet = dragon.strings.iter().flat_map(|&s| board.liberty_vertices(s)).collect();
    let near = liberties | liberties.around(stride);
    let is_own = dragon.color == facts.color;
    let known = if is_own { &dragon.owl.defense } else { &dragon.owl.attack };
    let is_open = |c: &Candidate| near.holds(c.vertex) && c.vertex != known.line.start();
    let mut asked: Vec<usize> = (0..candidates.len()).filter(|&i| is_open(&candidates[i])).collect();
    asked.sort_by(|&a, &b| candidates[b].likely.total_cmp(&candidates[a].likely).then(a.cmp(&b)));
    let (alive, dead) = known_to_dragon(board, facts.dragons, &dragon.stones);
    let limits = Effort::of(Level::Normal).life;
    for i in asked.into_iter().take(MOST) {
        let candidate = &mut candidates[i];
        let mut after = board.without_history();
        let played = after.play_ignoring_ko(facts.color, candidate.vertex).is_ok();
        if !played || dragon.stones.iter().any(|&v| after.color_at(v) != Some(dragon.color)) {
            continue;
        }
        let mut goal = dragon.stones.clone();
        goal.extend(
            is_own
                .then_some(candidate.vertex)
                .filter(|&v| dragon.stones.iter().any(|&s| after.same_string(s, v))),
        );
        let question = LifeQuestion::new(&after, &goal, (&alive, &dead), limits);
        let Some((attack, defence)) = life.prove(&question, FIELD) else { continue };
        let lives = !attack.code.works();
        let dies = attack.code.works() && !defence.code.works();
        if !(if is_own { lives } else { dies }) {
            continue;
        }
        let reason = if is_own { Reason::OwlDefend } else { Reason::OwlAttack };
        candidate.reasons.push(reason(Target::of(dragon), Code::Win.gtp()));
    }
}
