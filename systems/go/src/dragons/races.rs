//! Which dragons are in a capturing race, and what comes of it.
//!
//! # Source
//! GNU Go manual, "Dragons": two adjacent dragons of opposite colour, both dead or critical by life-and-death reading,
//! are in a race, whose result revises their status.
//!
//! # Steps
//! 1. The pairs: neighbours of different colour, both in doubt, touching each other or with a common liberty.
//! 2. Each pair is read with either dragon moving first.
//! 3. A dragon that life-and-death reading found dead to its end stays dead, and one that it found critical to its end is not
//!    alive: its search knows what can be taken around. Else a dragon that survives though the other moves first lives; one
//!    that survives moving first is critical; the other's loss alone never makes a dragon worse than life-and-death reading
//!    found it.
//!
//! # Cost
//! Pairs are rare; each asks at most six questions of `nodes` positions.

use super::build::known_of_others;
use super::map::{Dragon, DragonMap, Owl, Rule, Safety, Status};
use crate::board::{Board, Vertex};
use crate::semeai::{RaceReader, RaceResult};

/// All steps.
pub(super) fn read_races(board: &Board, map: &mut DragonMap, races: &mut RaceReader, nodes: u32) {
    let pairs = pairs(board, map);
    if pairs.is_empty() {
        return;
    }
    let (alive, dead) = known_of_others(board, map);
    let results: Vec<[RaceResult; 2]> = pairs
        .iter()
        .map(|&(a, b)| {
            let [a, b] = [a, b].map(|i| &map.dragons[i].stones[..]);
            [(a, b), (b, a)].map(|(mine, theirs)| races.analyse(board, mine, theirs, (&alive, &dead), nodes))
        })
        .collect();
    for (&(a, b), [first, second]) in pairs.iter().zip(&results) {
        revise(&mut map.dragons[a], first, second);
        revise(&mut map.dragons[b], second, first);
    }
}

/// Step 1, in the order of the dragons.
fn pairs(board: &Board, map: &DragonMap) -> Vec<(usize, usize)> {
    let in_doubt = |i: usize| {
        let dragon = &map.dragons[i];
        matches!(dragon.status, Status::Dead | Status::Critical) && dragon.safety != Safety::TacticallyDead
    };
    let mut pairs = Vec::new();
    for a in (0..map.dragons.len()).filter(|&i| in_doubt(i)) {
        for &b in &map.dragons[a].neighbors {
            let b = usize::from(b);
            let hostile = map.dragons[b].color != map.dragons[a].color;
            if b > a && hostile && in_doubt(b) && touch(board, map, a, b) {
                pairs.push((a, b));
            }
        }
    }
    pairs
}

/// Whether two dragons stand next to each other or have a common liberty.
fn touch(board: &Board, map: &DragonMap, a: usize, b: usize) -> bool {
    let is_b = |v: Vertex| usize::from(map.index[v.at()]) == b;
    map.dragons[a]
        .stones
        .iter()
        .any(|&v| board.neighbors4(v).any(|n| is_b(n) || board.is_empty(n) && board.neighbors4(n).any(is_b)))
}

/// Step 3: `own` is the race with this dragon moving first, `other` with its rival moving first.
fn revise(dragon: &mut Dragon, own: &RaceResult, other: &RaceResult) {
    dragon.semeai.count += 1;
    if !own.certain || !other.certain || !own.defense.works() {
        return;
    }
    let proved = is_read_to_the_end(&dragon.owl).then_some(dragon.owl.status);
    if proved == Some(Status::Dead) {
        return;
    }
    let survives_second = !other.attack.works();
    if survives_second && proved == Some(Status::Critical) {
        return;
    }
    if survives_second {
        dragon.status = Status::Alive;
        dragon.rule = Rule::Semeai;
        dragon.safety = if own.attack.works() { Safety::Alive } else { Safety::AliveInSeki };
    } else if own.point != Vertex::PASS {
        dragon.semeai.defense_point = own.point;
        dragon.semeai.defense_certain = own.certain;
        dragon.semeai.attack_point = other.point;
        dragon.semeai.attack_certain = other.certain;
        if dragon.status == Status::Dead {
            dragon.status = Status::Critical;
            dragon.rule = Rule::Semeai;
            dragon.safety = Safety::Critical;
        }
    }
}

/// Whether life and death was read to its end, whoever moves first.
fn is_read_to_the_end(owl: &Owl) -> bool {
    owl.attack_certain && owl.defense_certain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::tactics::Code;

    #[test]
    fn a_race_revives_no_dragon_that_was_found_dead_to_the_end() {
        let point = Vertex::new(0, 0, 9);
        let first = RaceResult { defense: Code::Win, attack: Code::Win, point, certain: true, nodes: 1 };
        let second = RaceResult { defense: Code::Win, ..first };
        for (attack_certain, defense_certain, then) in
            [(true, true, Status::Dead), (true, false, Status::Critical), (false, true, Status::Critical)]
        {
            let mut dragon = Dragon::new(Color::Black, point);
            dragon.status = Status::Dead;
            dragon.owl = Owl { status: Status::Dead, attack_certain, defense_certain, ..dragon.owl };
            revise(&mut dragon, &first, &second);
            assert_eq!(dragon.status, then, "{attack_certain} {defense_certain}");
        }
    }

    #[test]
    fn a_race_won_from_behind_saves_a_dragon_unless_its_death_was_read_to_the_end() {
        let point = Vertex::new(0, 0, 9);
        let first = RaceResult { defense: Code::Win, attack: Code::Win, point, certain: true, nodes: 1 };
        let second = RaceResult { attack: Code::Fail, ..first };
        for (found, certain, then) in [
            (Status::Dead, true, Status::Dead),
            (Status::Dead, false, Status::Alive),
            (Status::Critical, true, Status::Critical),
            (Status::Critical, false, Status::Alive),
        ] {
            let mut dragon = Dragon::new(Color::Black, point);
            dragon.status = found;
            dragon.owl =
                Owl { status: found, attack_certain: certain, defense_certain: certain, ..dragon.owl };
            revise(&mut dragon, &first, &second);
            assert_eq!(dragon.status, then, "{found:?}, to the end: {certain}");
        }
    }
}
