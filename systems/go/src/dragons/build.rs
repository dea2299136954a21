//! Making dragons, and finding out about them.
//!
//! # Source
//! "Worms and Dragons"; GNU Go manual, "Dragons", "Escape", "Surrounded Dragons", "The Owl Code".
//!
//! # Steps
//! 1. Lively strings by tactics; domains; eye spaces with their values.
//! 2. Amalgamation.
//! 3. Eyes, half eyes, lunch, effective size, neighbours, moyo of each dragon.
//! 4. Surround status and escape route.
//! 5. Crude status and weakness without reading.
//! 6. Life-and-death reading of the dragons in doubt; status, safety, weakness.
//! 7. Capturing races between those that are in doubt still (`races`), and dragons that can't be taken without loss (`seki`).
//!
//! # Cost
//! Nearly all in steps 6 and 7; their node limit bounds it.

use super::amalgamate::{Partition, amalgamate, around_eye_space};
use super::links::Links;
use super::map::{Dragon, DragonMap, EyeMap, Owl, Rule, Safety, Status};
use super::races::read_races;
use super::seki::read_sekis;
use super::tactics::ReadTactics;
use super::weakness;
use crate::board::{Board, Color, Vertex};
use crate::escape;
use crate::eyes::{Domains, EyeSolver, Tactics, space};
use crate::influence::InfluenceMap;
use crate::owl::{Basis, LifeQuestion, LifeReader, Surroundings};
use crate::schedule::Effort;
use crate::semeai::RaceReader;
use crate::surround::{Surround, surround};
use crate::tactics::{Code, Reader, TacticsMap};
use crate::territory::Segments;
use crate::unconditional::UnconditionalMap;
use crate::worms::WormMap;

/// Positions one life-and-death question may look at in the schedule.
pub const LIFE_NODES: u32 = 100;

/// The same where a move is to be played.
pub const PLAY_LIFE_NODES: u32 = 200;

/// The readers and scratch memory that making dragons needs. One per thread; nothing in it changes an answer.
pub struct Tools {
    /// Tactical reading.
    pub reader: Reader,
    /// Life-and-death reading.
    pub life: LifeReader,
    /// Capturing races.
    pub races: RaceReader,
    /// Eye values.
    pub solver: EyeSolver,
    domains: Domains,
    /// What strings are joined by.
    pub links: Links,
    /// Positions one life-and-death question may look at; with 0 life and death stay unread.
    pub life_nodes: u32,
    /// Playouts with which what reading can't prove of a dragon is tried out; 0 for none.
    pub trials: u32,
}

impl Default for Tools {
    fn default() -> Self {
        Self::new(Effort::default())
    }
}

impl Tools {
    /// Tools that read so far.
    #[must_use]
    pub fn new(effort: Effort) -> Self {
        let (life, links, solver) = match effort {
            Effort::Batch => (LifeReader::quick(), Links::default(), EyeSolver::with_budget(SPACE_STATES)),
            Effort::Play => (LifeReader::new(), Links::in_play(), EyeSolver::default()),
        };
        Self {
            reader: Reader::new(crate::tactics::Limits::default()),
            life,
            races: RaceReader::default(),
            solver,
            domains: Domains::default(),
            links,
            life_nodes: life_nodes(effort),
            trials: 0,
        }
    }
}

/// States an eye space of the board may take in a batch. With five times as many one more of 5,117 dragons has GNU Go's status.
const SPACE_STATES: usize = 1_000;

/// Positions one life-and-death question may look at in the schedule, with this effort.
pub(super) const fn life_nodes(effort: Effort) -> u32 {
    match effort {
        Effort::Batch => LIFE_NODES,
        Effort::Play => PLAY_LIFE_NODES,
    }
}

/// The first influence pass, as far as dragons look at it.
#[derive(Clone, Copy, Debug)]
pub struct Influences<'a> {
    /// With Black, with White to move.
    pub maps: &'a [InfluenceMap; 2],
    /// Nobody to move.
    pub escape: &'a InfluenceMap,
}

/// Steps 1 and 2: eye spaces and the partition.
pub fn partition(
    board: &Board,
    tactics: &ReadTactics<'_>,
    solver: &mut EyeSolver,
    domains: &mut Domains,
    links: &mut Links,
) -> (EyeMap, Partition) {
    let lively = |v: Vertex| tactics.lively(v);
    domains.compute(board, board.vertices(), |_| true, lively);
    let mut eyes = EyeMap::default();
    let mut partition = Partition::of_strings(board);
    let mut links = links.at(board, tactics);
    for color in Color::BOTH {
        let mut spaces = space::partition(board, domains, color, board.vertices(), lively);
        space::evaluate_all(board, &mut spaces, color, tactics, solver);
        amalgamate(color, &spaces, &mut partition, &mut links);
        eyes.spaces[color.index()] = spaces;
    }
    (eyes, partition)
}

/// All steps. What `read` knows of strings is not read again.
#[must_use]
pub fn build(
    board: &Board,
    worms: &WormMap,
    read: Option<&TacticsMap>,
    influences: Option<Influences<'_>>,
    tools: &mut Tools,
) -> (EyeMap, DragonMap) {
    let Tools { reader, life, races, solver, domains, links, life_nodes, trials } = tools;
    let cut_off = reader.cut_off();
    let tactics = ReadTactics::new(board, reader);
    read.into_iter().for_each(|read| tactics.know(read));
    let (eyes, parts) = partition(board, &tactics, solver, domains, links);
    let mut map = DragonMap::of_partition(board, &parts);
    let unconditional = UnconditionalMap::build(board);
    count_eyes(board, &eyes, &mut map);
    find_neighbors(board, &mut map);
    measure(board, worms, &tactics, &mut map);
    if let Some(influences) = influences {
        measure_moyos(board, influences, &mut map);
    }
    judge_crudely(board, &unconditional, &tactics, &mut map);
    find_escapes(board, influences, &mut map);
    drop(tactics);
    map.cut_off = reader.cut_off() - cut_off;
    if *life_nodes > 0 {
        read_life(board, &mut map, life, Budget { nodes: *life_nodes, trials: *trials });
        read_races(board, &mut map, races, *life_nodes / 2);
        read_sekis(board, &mut map, life, Budget { nodes: *life_nodes, trials: 0 });
    }
    settle(worms, &mut map);
    (eyes, map)
}

/// Step 3: genus, half eyes, caves.
fn count_eyes(board: &Board, eyes: &EyeMap, map: &mut DragonMap) {
    for color in Color::BOTH {
        for space in &eyes.spaces[color.index()] {
            let strings = around_eye_space(board, space, color);
            let Some(&first) = strings.first() else { continue };
            let number = map.index[first.at()];
            if strings.iter().all(|s| map.index[s.at()] == number) && space.is_closed() {
                for v in space.vertices.iter().filter(|&&v| board.is_empty(v)) {
                    map.cave_border[v.at()] = number;
                }
            }
            let dragon = &mut map.dragons[usize::from(number)];
            dragon.genus = dragon.genus.plus(space.value);
            if space.value.is_hot() {
                dragon.heyes += 1;
                dragon.heye = dragon.heye.or_else(|| space.defence_points.first().copied());
            }
        }
    }
}

/// Step 3: dragons whose stones are at most two empty vertices apart.
fn find_neighbors(board: &Board, map: &mut DragonMap) {
    let mut near: Vec<Vec<u16>> = vec![Vec::new(); board.padded_len()];
    let add = |list: &mut Vec<u16>, number: u16| {
        if !list.contains(&number) {
            list.push(number);
        }
    };
    for v in board.vertices().filter(|&v| board.is_empty(v)) {
        let mut list = Vec::new();
        for n in board.neighbors4(v).filter(|&n| board.color_at(n).is_some()) {
            add(&mut list, map.index[n.at()]);
        }
        near[v.at()] = list;
    }
    let mut pairs: Vec<(u16, u16)> = Vec::new();
    let mut pair = |a: u16, b: u16| {
        if a != b {
            pairs.push((a, b));
            pairs.push((b, a));
        }
    };
    for v in board.vertices() {
        for n in board.neighbors4(v) {
            if board.is_empty(v) {
                for &a in &near[v.at()] {
                    for &b in near[v.at()].iter().chain(&near[n.at()]) {
                        pair(a, b);
                    }
                }
            } else if !board.is_empty(n) {
                pair(map.index[v.at()], map.index[n.at()]);
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    for (a, b) in pairs {
        let hostile = map.dragons[usize::from(a)].color != map.dragons[usize::from(b)].color;
        let dragon = &mut map.dragons[usize::from(a)];
        dragon.neighbors.push(b);
        dragon.hostile_neighbors += u32::from(hostile);
    }
}

/// Step 3: effective size, lunch.
fn measure(board: &Board, worms: &WormMap, tactics: &ReadTactics<'_>, map: &mut DragonMap) {
    for dragon in &mut map.dragons {
        for &string in &dragon.strings {
            dragon.effective_size +=
                worms.get(string).map_or(board.string_size(string) as f32, |w| w.effective_size);
            for food in board.adjacent_strings(string) {
                if tactics.capture(food).works() && tactics.rescue(food).works() && dragon.lunch.is_none() {
                    dragon.lunch = Some(food);
                }
            }
        }
    }
}

/// Step 3: the moyo regions around each dragon, with the opponent to move.
fn measure_moyos(board: &Board, influences: Influences<'_>, map: &mut DragonMap) {
    let segments = [0, 1].map(|i| Segments::moyos(board, &influences.maps[i]));
    for dragon in &mut map.dragons {
        let regions = &segments[dragon.color.other().index()];
        let mut seen: Vec<u16> = Vec::new();
        for &v in &dragon.stones {
            let number = regions.at[v.at()];
            if number != 0 && !seen.contains(&number) {
                seen.push(number);
                let region = &regions.segments[usize::from(number)];
                if region.color == dragon.color {
                    dragon.moyo_size += region.size;
                    dragon.moyo_territorial_value += region.territorial_value;
                }
            }
        }
    }
}

/// Step 5, the status by certainty, tactics and eyes.
fn judge_crudely(
    board: &Board,
    unconditional: &UnconditionalMap,
    tactics: &ReadTactics<'_>,
    map: &mut DragonMap,
) {
    for dragon in &mut map.dragons {
        if dragon.strings.iter().any(|&s| unconditional.is_invincible(s)) {
            (dragon.status, dragon.rule, dragon.safety) =
                (Status::Alive, Rule::Unconditional, Safety::Invincible);
            dragon.crude_status = Status::Alive;
            continue;
        }
        let doomed = dragon.is_single_string() && !tactics.lively(dragon.origin);
        if doomed {
            (dragon.status, dragon.rule, dragon.safety) =
                (Status::Dead, Rule::Tactics, Safety::TacticallyDead);
            dragon.crude_status = Status::Dead;
            let attack = tactics.attack(dragon.origin);
            dragon.owl = Owl {
                status: Status::Dead,
                attack_code: attack.code,
                attack_point: attack.point,
                attack_certain: true,
                defense_certain: true,
                ..Owl::default()
            };
            continue;
        }
        if dragon.is_single_string() {
            // What reading its only string says holds unless life-and-death reading finds it dead.
            let attack = tactics.attack(dragon.origin);
            if attack.code.works() {
                let defence = tactics.defence(dragon.origin);
                dragon.owl = Owl {
                    attack_code: attack.code,
                    attack_point: attack.point,
                    attack_certain: true,
                    defense_code: defence.code,
                    defense_point: defence.point,
                    defense_certain: true,
                    ..Owl::default()
                };
            }
        }
        dragon.crude_status = match (dragon.genus.b, dragon.genus.c + u8::from(dragon.lunch.is_some())) {
            (2.., _) => Status::Alive,
            (_, 2..) => Status::Critical,
            _ if dragon.genus.a == 0 && board.liberties(dragon.origin) <= 2 => Status::Dead,
            _ => Status::Unknown,
        };
    }
}

/// Step 4.
fn find_escapes(board: &Board, influences: Option<Influences<'_>>, map: &mut DragonMap) {
    let dead = |map: &DragonMap, v: Vertex| map.at(v).is_some_and(|d| d.status == Status::Dead);
    let mut found = Vec::with_capacity(map.dragons.len());
    for (number, dragon) in map.dragons.iter().enumerate() {
        let hostile = |v: Vertex| !dead(map, v) && dragon.neighbors.binary_search(&map.index[v.at()]).is_ok();
        let around = surround(board, &dragon.stones, hostile);
        let mut mask = vec![false; board.padded_len()];
        for &v in &dragon.stones {
            mask[v.at()] = true;
        }
        let values = influences
            .map_or_else(|| vec![1; board.padded_len()], |i| escape_values(board, i.escape, dragon.color));
        let friend = |v: Vertex| match map.at(v) {
            Some(d) if d.status == Status::Alive || d.crude_status == Status::Alive => 6,
            Some(d) if usize::from(map.index[v.at()]) != number && d.status != Status::Dead => 2,
            _ => 0,
        };
        let route = escape::route(board, &mask, dragon.color, &values, friend, |v| !dead(map, v));
        found.push((around.status.limit_escape(route), around));
    }
    for (dragon, (route, around)) in map.dragons.iter_mut().zip(found) {
        dragon.escape_route = route;
        dragon.surround = around;
        let eyes = weakness::eyes(dragon);
        dragon.weakness_pre_owl = match dragon.status {
            Status::Dead => 1.0,
            _ if dragon.safety == Safety::Invincible => 0.0,
            _ => weakness::of_room(dragon.moyo_territorial_value, dragon.escape_route, eyes),
        };
    }
}

/// What a vertex is worth to an escaping dragon: 4 in its colour's moyo, 2 in its area, 1 if neutral, else 0.
#[must_use]
pub fn escape_values(board: &Board, map: &InfluenceMap, color: Color) -> Vec<u8> {
    let mut values = vec![0; board.padded_len()];
    for v in board.vertices() {
        values[v.at()] = if map.whose_moyo(v) == Some(color) {
            4
        } else {
            match map.whose_area(v) {
                Some(holder) if holder == color => 2,
                None => 1,
                Some(_) => 0,
            }
        };
    }
    values
}

/// Whether a dragon needs no life-and-death reading.
fn is_beyond_doubt(dragon: &Dragon) -> bool {
    let room = dragon.moyo_territorial_value >= 15.0 || dragon.moyo_size >= 25;
    let open = dragon.surround.status == Surround::No && dragon.escape_route >= 12;
    let eyes = dragon.genus.a >= 2 && dragon.genus.b >= 3;
    dragon.status != Status::Unknown || !dragon.owl.attack_code.works() && (eyes || room || open)
}

/// What the other dragons are taken for while one is read: living, or dead.
#[must_use]
pub fn known_of_others(board: &Board, map: &DragonMap) -> (Vec<bool>, Vec<bool>) {
    let mut alive = vec![false; board.padded_len()];
    let mut dead = vec![false; board.padded_len()];
    for dragon in &map.dragons {
        let lives = dragon.status == Status::Alive
            || dragon.crude_status == Status::Alive
            || dragon.weakness_pre_owl < 0.25;
        for &v in &dragon.stones {
            alive[v.at()] = lives && dragon.status != Status::Dead;
            dead[v.at()] = dragon.status == Status::Dead;
        }
    }
    (alive, dead)
}

/// A dragon with an escape route up to this, and without two eyes, is without hope where reading can't tell whether it can
/// be saved; as weak as this, too, where reading can't tell whether it can be killed.
const DOUBTFUL_ESCAPE: u32 = 5;
const DOUBTFUL_WEAKNESS: f32 = 0.85;

/// How much is spent on one question about a dragon.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Positions reading may look at.
    pub nodes: u32,
    /// Playouts with which what isn't proven is tried out; 0 for none.
    pub trials: u32,
}

/// Asks life-and-death reading about one dragon.
pub fn read_dragon(
    board: &Board,
    map: &DragonMap,
    number: usize,
    life: &mut LifeReader,
    budget: Budget,
) -> Owl {
    let Budget { nodes, trials } = budget;
    let (alive, dead) = known_of_others(board, map);
    let question = LifeQuestion {
        board,
        goal: &map.dragons[number].stones,
        surroundings: Surroundings { alive: Some(&alive), dead: Some(&dead), contested: None },
        node_limit: nodes,
        alternatives: nodes > PLAY_LIFE_NODES,
        thorough: nodes > PLAY_LIFE_NODES,
        trials,
    };
    let (attack, defence) = life.attack_and_defend(&question);
    let mut owl = Owl {
        status: Status::Alive,
        attack_code: attack.code,
        attack_point: attack.point,
        attack_certain: attack.certain,
        defense_certain: true,
        ..Owl::default()
    };
    let dragon = &map.dragons[number];
    let hopeless = dragon.genus.b < 2 && dragon.escape_route <= DOUBTFUL_ESCAPE;
    let weak = hopeless && dragon.weakness_pre_owl >= DOUBTFUL_WEAKNESS;
    if !attack.code.works() && !attack.certain && weak && attack.guess != Vertex::PASS {
        // The limit ended the search: the attack is taken to work.
        let vital = defence.code.works() && defence.certain && defence.point != Vertex::PASS;
        owl.attack_code = Code::Win;
        owl.attack_point = if vital { defence.point } else { attack.guess };
    }
    // The mirror image: where the attack was read to its end, a defence that was not is taken to fail. A pass is no
    // defence, unless reading came to its end: then the dragon lives.
    let passes = defence.code.works() && defence.point == Vertex::PASS;
    if passes && defence.certain && !attack.certain {
        owl.attack_code = Code::Fail;
        owl.attack_point = Vertex::PASS;
    }
    let tried = defence.basis == Basis::Trial;
    let in_doubt = !defence.certain && !tried && hopeless && attack.certain;
    let saved = defence.code.works() && !passes && !in_doubt;
    if owl.attack_code.works() {
        if saved {
            owl.defense_code = defence.code;
            owl.defense_point = defence.point;
        }
        owl.defense_certain = defence.certain;
        owl.status = if saved { Status::Critical } else { Status::Dead };
    }
    owl
}

/// Step 6.
fn read_life(board: &Board, map: &mut DragonMap, life: &mut LifeReader, budget: Budget) {
    for number in 0..map.dragons.len() {
        if is_beyond_doubt(&map.dragons[number]) {
            let dragon = &mut map.dragons[number];
            if dragon.status == Status::Unknown {
                dragon.status = Status::Alive;
                dragon.rule = if dragon.genus.b >= 2 { Rule::Eyes } else { Rule::Room };
                dragon.safety = Safety::StronglyAlive;
            }
            continue;
        }
        let owl = read_dragon(board, map, number, life, budget);
        let dragon = &mut map.dragons[number];
        if owl.status == Status::Alive && dragon.owl.attack_code.works() {
            // It may be taken, whatever eyes and ways out it has.
            dragon.owl.status = Status::Critical;
            dragon.rule = Rule::Tactics;
        } else {
            dragon.owl = owl;
            dragon.rule = Rule::LifeAndDeath;
        }
        let owl = dragon.owl;
        dragon.status = owl.status;
        dragon.safety = match owl.status {
            Status::Dead => Safety::Dead,
            Status::Critical => Safety::Critical,
            _ => Safety::Alive,
        };
    }
}

/// Step 6, the end: inessential dragons, weakness.
fn settle(worms: &WormMap, map: &mut DragonMap) {
    for dragon in &mut map.dragons {
        let inessential = dragon.is_single_string()
            && dragon.status != Status::Alive
            && dragon.safety != Safety::TacticallyDead
            && worms.get(dragon.origin).is_some_and(|w| w.inessential);
        if inessential {
            dragon.safety = Safety::Inessential;
        }
        dragon.weakness = weakness::of_dragon(dragon);
    }
}
