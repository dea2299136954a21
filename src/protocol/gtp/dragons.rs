//! GTP commands about eyes, dragons, life and death, and capturing races.

use super::session::Questions;
use super::wire::{Answer, Arguments, Failure, line, vertices};
use super::{Command, Session, command};
use std::fmt::Write as _;
use tengen_go::board::{Board, Color, Vertex};
use tengen_go::dragons::life::{known_of_race, known_to_dragon};
use tengen_go::dragons::{Dragon, DragonMap, EyeMap, LifeAnswer, RaceAnswer};
use tengen_go::eyes::HalfEyeKind;
use tengen_go::owl::{LifeQuestion, LifeReader, LifeReading};
use tengen_go::surround::Surround;
use tengen_go::{AnalyseSystems, Finding};

pub(super) const COMMANDS: &[Command] = &[
    command("dragon_data", dragon_data),
    command("dragon_status", dragon_status),
    command("dragon_stones", dragon_stones),
    command("same_dragon", same_dragon),
    command("owl_attack", |s, w| owl(s, w, true)),
    command("owl_defend", |s, w| owl(s, w, false)),
    command("owl_does_attack", |s, w| owl_does(s, w, true)),
    command("owl_does_defend", |s, w| owl_does(s, w, false)),
    command("owl_data", owl_data),
    command("eval_eye", eval_eye),
    command("eye_data", eye_data),
    command("half_eye_data", half_eye_data),
    command("is_surrounded", is_surrounded),
    command("surround_map", surround_map),
    command("analyze_semeai", analyze_semeai),
    command("semeai_data", semeai_data),
];

/// The position's dragons.
pub(super) fn look(session: &mut Session) -> Result<(&DragonMap, &mut Questions), Failure> {
    session.look(AnalyseSystems::Dragons).ok_or_else(|| Failure::new("the dragons could not be found"))
}

/// The position's eye spaces.
fn eyes(session: &mut Session) -> Result<&EyeMap, Failure> {
    let found = session.look(AnalyseSystems::Dragons).map(|(eyes, _)| eyes);
    found.ok_or_else(|| Failure::new("the eyes could not be found"))
}

pub(super) fn the_dragon(map: &DragonMap, v: Vertex) -> Result<&Dragon, Failure> {
    map.at(v).ok_or_else(|| Failure::new("vertex must not be empty"))
}

fn dragon_stones(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let v = words.stone(0, session.board())?;
    let size = session.board().size();
    let (map, _) = look(session)?;
    Ok(vertices(the_dragon(map, v)?.stones.iter().copied(), size))
}

fn same_dragon(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let a = words.stone(0, session.board())?;
    let b = words.stone(1, session.board())?;
    let (map, _) = look(session)?;
    Ok(u8::from(map.same(a, b)).to_string())
}

fn dragon_status(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let size = session.board().size();
    if words.word(0).is_none() {
        let (map, _) = look(session)?;
        let rows: Vec<String> = map
            .dragons
            .iter()
            .map(|d| format!("{}: {}", d.origin.to_gtp(size), status_line(d, size)))
            .collect();
        return Ok(rows.join("\n"));
    }
    let v = words.stone(0, session.board())?;
    let (map, _) = look(session)?;
    Ok(status_line(the_dragon(map, v)?, size))
}

/// The status, and for a critical dragon the points of attack and defence.
fn status_line(dragon: &Dragon, size: usize) -> String {
    let name = dragon.status.name();
    dragon.vital_points().map_or_else(
        || name.into(),
        |(attack, defence)| format!("{name} {} {}", attack.to_gtp(size), defence.to_gtp(size)),
    )
}

fn dragon_data(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let wanted = words.word(0).map(|_| words.vertex(0, session.board())).transpose()?;
    let size = session.board().size();
    let (map, _) = look(session)?;
    let rows: Vec<String> = match wanted {
        Some(v) => vec![data_of(map, the_dragon(map, v)?, size)],
        None => map.dragons.iter().map(|d| data_of(map, d, size)).collect(),
    };
    Ok(rows.join("\n"))
}

/// One dragon, a field per line, under the manual's names.
fn data_of(map: &DragonMap, d: &Dragon, size: usize) -> String {
    let name = |v: Vertex| v.to_gtp(size);
    let or_pass = |v: Option<Vertex>| v.unwrap_or(Vertex::PASS).to_gtp(size);
    let truth = |b: bool| if b { "1" } else { "0" };
    let mut text = format!("{}:\n", name(d.origin));
    let mut put = |key: &str, value: String| {
        // Writing to a String can't fail.
        let _ = writeln!(text, "{key:<24}{value}");
    };
    put("color", d.color.to_string());
    put("origin", name(d.origin));
    put("size", d.size().to_string());
    put("effective_size", format!("{:.2}", d.recorded_effective_size()));
    put("genus", format!("{} {} {} {}", d.genus.a, d.genus.b, d.genus.c, d.genus.d));
    put("heyes", d.heyes.to_string());
    put("heye", or_pass(d.heye));
    put("escape_route", d.escape_route.to_string());
    put("lunch", or_pass(d.lunch));
    put("crude_status", d.crude_status.name().into());
    put("owl_status", d.owl.status.name().into());
    put("status", d.status.name().into());
    put("rule", format!("{:?}", d.rule));
    put("asked", truth(d.was_asked()).into());
    put("safety", d.safety.name().into());
    put("weakness", format!("{:.2}", d.weakness));
    put("weakness_pre_owl", format!("{:.2}", d.weakness_pre_owl));
    put("surround_status", d.surround.status.gtp().to_string());
    put("surround_size", d.surround.inside.len().to_string());
    put("moyo_size", d.moyo_size.to_string());
    put("moyo_territorial_value", format!("{:.2}", d.moyo_territorial_value));
    let near = d.neighbors.iter().map(|&n| map.dragons[usize::from(n)].origin);
    put("neighbors", vertices(near, size));
    put("hostile_neighbors", d.hostile_neighbors.to_string());
    put("owl_attack_code", d.owl.attack.code.gtp().to_string());
    put("owl_attack_point", name(d.owl.attack.line.start()));
    put("owl_attack_line", line(&d.owl.attack.line, size));
    put("owl_attack_certain", truth(d.owl.attack.certain).into());
    put("owl_defense_code", d.owl.defense.code.gtp().to_string());
    put("owl_defense_point", name(d.owl.defense.line.start()));
    put("owl_defense_line", line(&d.owl.defense.line, size));
    put("owl_defense_certain", truth(d.owl.defense.certain).into());
    put("semeais", d.semeai.count.to_string());
    put("semeai_defense_point", name(d.semeai.defense.line.start()));
    put("semeai_defense_line", line(&d.semeai.defense.line, size));
    put("semeai_defense_certain", truth(d.semeai.defense.certain).into());
    put("semeai_attack_point", name(d.semeai.attack.line.start()));
    put("semeai_attack_line", line(&d.semeai.attack.line, size));
    put("semeai_attack_certain", truth(d.semeai.attack.certain).into());
    put("strings", vertices(d.strings.iter().copied(), size));
    put("stones", vertices(d.stones.iter().copied(), size));
    text.truncate(text.trim_end().len());
    text
}

/// Whether the dragon at `v` can be killed, or saved. The result is the earlier answer, or a new life-and-death
/// reading, which then refines the analysis. `least` is the result of a question about one move.
fn ask(
    session: &mut Session,
    v: Vertex,
    attack: bool,
    least: Option<LifeReading>,
) -> Result<LifeReading, Failure> {
    let (map, _) = look(session)?;
    let stones = the_dragon(map, v)?.stones.clone();
    if let Some(known) = session.asked().life(&stones, attack) {
        return Ok(known);
    }
    let mut readings: [LifeReading; 2] = asked(session, v, |life, question| {
        if attack {
            life.attack_and_defend(question).into()
        } else {
            let (defence, attack) = life.defend_and_attack(question);
            [attack, defence]
        }
    })?;
    let side = usize::from(!attack);
    let found = readings[side];
    match least {
        None => session.counters.owl += found.nodes,
        Some(least) if least.code > found.code => readings[side] = least,
        Some(_) => {}
    }
    let named = [attack && least.is_none(), !attack && least.is_none()];
    session.refine(Finding::Life(LifeAnswer { stones, readings, named }));
    Ok(found)
}

/// Asks anything about the dragon at `v`.
fn asked<T>(
    session: &mut Session,
    v: Vertex,
    question: impl FnOnce(&mut LifeReader, &LifeQuestion<'_>) -> T,
) -> Result<T, Failure> {
    let board = session.board().clone();
    let limits = session.effort().question.life;
    let (map, questions) = look(session)?;
    let stones = &the_dragon(map, v)?.stones;
    let (alive, dead) = known_to_dragon(&board, map, stones);
    let asked = LifeQuestion::new(&board, stones, (&alive, &dead), limits);
    Ok(question(&mut questions.life, &asked))
}

fn owl(session: &mut Session, words: &Arguments<'_>, attack: bool) -> Answer {
    let v = words.stone(0, session.board())?;
    let found = ask(session, v, attack, None)?;
    let size = session.board().size();
    let mut text = found.code.gtp().to_string();
    if found.code.works() {
        text = format!("{text} {}", found.line.start().to_gtp(size));
    }
    if session.reports_uncertainty && !found.certain {
        text.push_str(" uncertain");
    }
    Ok(text)
}

/// The static judgement of the dragon with this colour to move, or after a line of moves that this colour begins.
fn owl_data(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let v = words.stone(0, session.board())?;
    let to_move = words.color(1)?;
    let size = session.board().size();
    let line = words.from(2).iter().map(|text| Vertex::from_gtp(text, size));
    let line: Vec<Vertex> = line.collect::<Option<_>>().ok_or_else(|| Failure::new("invalid coordinate"))?;
    let found = asked(session, v, |life, question| life.explain(question, to_move, &line))?;
    found.map_err(|_| Failure::new("illegal move"))
}

fn owl_does(session: &mut Session, words: &Arguments<'_>, attack: bool) -> Answer {
    let first = words.vertex(0, session.board())?;
    let v = words.stone(1, session.board())?;
    let found = asked(session, v, |life, question| life.does(question, first, attack))?;
    session.counters.owl += found.nodes;
    let owl = the_dragon(look(session)?.0, v)?.owl;
    let known = if attack { owl.attack.code } else { owl.defense.code };
    // Of a dragon whose life was not read the record names no defence.
    if found.code > known && (attack || owl.attack.code.works()) {
        ask(session, v, attack, Some(found))?;
    }
    Ok(found.code.gtp().to_string())
}

fn eval_eye(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let v = words.vertex(0, session.board())?;
    let board = session.board().clone();
    let size = board.size();
    let eyes = eyes(session)?;
    let claims: Vec<_> = Color::BOTH.into_iter().filter_map(|color| eyes.at(v, color)).collect();
    let proper = claims.iter().find(|s| s.vertices.iter().zip(&s.marginal).any(|(&u, &m)| u == v && !m));
    let Some(space) = proper.or(claims.first()) else { return Ok("-1".into()) };
    let value = space.with_kos;
    if !value.is_hot() {
        return Ok(format!("{} {}", value.b, value.c));
    }
    let point = |list: &[Vertex]| list.first().copied().unwrap_or(Vertex::PASS).to_gtp(size);
    Ok(format!("{} {} {} {}", value.b, value.c, point(&space.attack_points), point(&space.defence_points)))
}

fn eye_data(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let color = words.color(0)?;
    let v = words.vertex(1, session.board())?;
    let board = session.board().clone();
    let size = board.size();
    let eyes = eyes(session)?;
    let Some(space) = eyes.at(v, color) else {
        return Ok(
            "origin                  PASS\ncolor                   none\nesize                   0".into()
        );
    };
    let near = |wanted: &dyn Fn(usize) -> bool| {
        board.neighbors4(v).filter(|n| space.vertices.binary_search(n).is_ok_and(wanted)).count()
    };
    let value = space.with_kos;
    let rows = [
        ("origin", space.origin().to_gtp(size)),
        ("color", color.to_string()),
        ("esize", space.vertices.len().to_string()),
        ("msize", space.marginal_count().to_string()),
        ("value", format!("{} {} {} {}", value.a, value.b, value.c, value.d)),
        ("marginal", u8::from(space.vertices.binary_search(&v).is_ok_and(|i| space.marginal[i])).to_string()),
        ("neighbors", near(&|_| true).to_string()),
        ("marginal_neighbors", near(&|i| space.marginal[i]).to_string()),
    ];
    Ok(rows.map(|(key, value)| format!("{key:<24}{value}")).join("\n"))
}

fn half_eye_data(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let v = words.vertex(0, session.board())?;
    let size = session.board().size();
    let eyes = eyes(session)?;
    let Some(half) = eyes.half_eye(v) else {
        return Ok("value                   0.00\ntype                    none".into());
    };
    let kind = match half.kind {
        HalfEyeKind::Half => "HALF_EYE",
        HalfEyeKind::False => "FALSE_EYE",
    };
    let rows = [
        ("value", format!("{:.2}", half.value)),
        ("type", kind.into()),
        ("num_attacks", half.attack_points.len().to_string()),
        ("attack_points", vertices(half.attack_points.iter().copied(), size)),
        ("num_defenses", half.defence_points.len().to_string()),
        ("defense_points", vertices(half.defence_points.iter().copied(), size)),
    ];
    Ok(rows.map(|(key, value)| format!("{key:<24}{value}").trim_end().to_string()).join("\n"))
}

fn is_surrounded(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let v = words.stone(0, session.board())?;
    let (map, _) = look(session)?;
    Ok(the_dragon(map, v)?.surround.status.gtp().to_string())
}

fn surround_map(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let v = words.stone(0, session.board())?;
    let at = words.vertex(1, session.board())?;
    let (map, _) = look(session)?;
    let around = &the_dragon(map, v)?.surround;
    let value = if around.status == Surround::No {
        -1
    } else if around.inside.contains(&at) {
        1
    } else if around.margin.contains(&at) {
        2
    } else {
        0
    };
    Ok(value.to_string())
}

fn analyze_semeai(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let (board, a, b) = race_of(session, words)?;
    let nodes = session.effort().question.race_nodes;
    let (map, _) = look(session)?;
    let stones = [the_dragon(map, a)?.stones.clone(), the_dragon(map, b)?.stones.clone()];
    let found = match session.asked().race(&stones[0], &stones[1]) {
        Some([known, _]) => known,
        None => {
            let (map, questions) = look(session)?;
            let (alive, dead) = known_of_race(&board, map);
            let results = [[0, 1], [1, 0]].map(|[mine, theirs]| {
                questions.races.analyse(&board, &stones[mine], &stones[theirs], (&alive, &dead), nodes)
            });
            session.counters.owl += results[0].nodes;
            session.refine(Finding::Race(RaceAnswer { stones, results }));
            results[0]
        }
    };
    Ok(format!("{} {} {}", found.defense.gtp(), found.attack.gtp(), found.line.start().to_gtp(board.size())))
}

/// The count of the race between two dragons: liberties, eyes, ways out, and the moves that matter.
fn semeai_data(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let (board, a, b) = race_of(session, words)?;
    let to_move = session.to_move;
    let (map, questions) = look(session)?;
    let mut goals = [the_dragon(map, a)?.stones.clone(), the_dragon(map, b)?.stones.clone()];
    let first = board.color_at(a).unwrap_or(to_move);
    if first == Color::White {
        goals.swap(0, 1);
    }
    let (alive, dead) = known_of_race(&board, map);
    Ok(questions.races.explain(&board, [&goals[0], &goals[1]], (&alive, &dead), first))
}

/// The two stones of a question about a race.
pub(super) fn race_of(session: &Session, words: &Arguments<'_>) -> Result<(Board, Vertex, Vertex), Failure> {
    let board = session.board().clone();
    let (a, b) = (words.stone(0, &board)?, words.stone(1, &board)?);
    if board.color_at(a) == board.color_at(b) {
        return Err(Failure::new("vertices must be of different color"));
    }
    Ok((board, a, b))
}
