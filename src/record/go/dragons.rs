//! Writes dragons and caves into records.

use super::Analysed;
use crate::number_text::counted;
use crate::record::rounded;
use serde_json::{Map, Value, json};
use tengen_go::AnalyseSystems;
use tengen_go::board::{Board, Color, Line, Vertex};
use tengen_go::dragons::{CaveMap, Dragon, DragonMap, EyeMap, Play, Status, ThreatStatus, Threats};
use tengen_go::eyes::HalfEye;

impl Analysed<'_> {
    pub(in crate::record) fn dragons(&self) -> Option<&DragonMap> {
        self.engine.result(self.slot, AnalyseSystems::Dragons)
    }

    pub(in crate::record) fn eyes(&self) -> Option<&EyeMap> {
        self.engine.result(self.slot, AnalyseSystems::Dragons)
    }

    pub(in crate::record) fn caves(&self) -> Option<&CaveMap> {
        self.engine.result(self.slot, AnalyseSystems::Dragons)
    }
}

/// The record's part: every dragon with its status and the rule that gave it, every cave.
pub(super) fn result(analysed: &Analysed, result: &mut Map<String, Value>) -> Option<String> {
    let board = &analysed.input.position.board;
    let (dragons, caves) = (analysed.dragons()?, analysed.caves()?);
    let name = |v: Vertex| v.to_gtp(board.size());
    let all = dragons.dragons.iter().map(|d| dragon(board, dragons, d)).collect();
    result.insert("dragons".into(), all);
    result.insert(
        "caves".into(),
        caves
            .caves
            .iter()
            .map(|c| {
                json!({
                    "origin": name(c.origin),
                    "color": c.color,
                    "size": c.size,
                    "border": c.border.map(name),
                    "cavities": c.cavities.iter().map(|&v| name(v)).collect::<Vec<_>>(),
                })
            })
            .collect(),
    );
    if let Some(eyes) = analysed.eyes() {
        let of = |color: Color| {
            let halves = eyes.spaces[color.index()].iter().flat_map(|space| &space.half_eyes);
            halves.map(move |half| (color, half))
        };
        let mut halves: Vec<(Color, &HalfEye)> = Color::BOTH.into_iter().flat_map(of).collect();
        halves.sort_by_key(|(_, half)| half.vertex);
        let halves = halves.into_iter().map(|(color, half)| half_eye(board, color, half)).collect();
        result.insert("half_eyes".into(), halves);
    }
    let count = |status| dragons.dragons.iter().filter(|d| d.status == status).count();
    Some(format!(
        "{} ({} dead, {} critical)",
        counted("dragon", dragons.dragons.len()),
        count(Status::Dead),
        count(Status::Critical)
    ))
}

fn dragon(board: &Board, map: &DragonMap, dragon: &Dragon) -> Value {
    let name = |v: Vertex| v.to_gtp(board.size());
    let names = |line: Line| line.iter().map(|&v| name(v)).collect::<Vec<_>>();
    let mut fields = json!({
        "origin": name(dragon.origin),
        "color": dragon.color,
        "size": dragon.size(),
        "strings": dragon.strings.iter().map(|&v| name(v)).collect::<Vec<_>>(),
        "effective_size": rounded(dragon.effective_size),
        "eyes": [dragon.genus.min_eyes(), dragon.genus.max_eyes()],
        "heyes": dragon.heyes,
        "escape_route": dragon.escape_route,
        "escape2": dragon.escape2,
        "friend_value": dragon.friend_value,
        "vitality": rounded(dragon.vitality()),
        "value": rounded(dragon.value()),
        "moyo_size": dragon.moyo_size,
        "status": dragon.status,
        "rule": dragon.rule,
        "safety": dragon.safety,
        "weakness": rounded(dragon.weakness),
        "lunch": dragon.lunch.map(name),
        "main_lines": dragon.main_lines().map(|lines| lines.map(names)),
        "vital_points": dragon.vital_points().map(|(attack, defence)| [name(attack), name(defence)]),
    });
    let readings = [surroundings(board, map, dragon), readings(board, dragon)];
    for more in readings {
        if let (Some(fields), Value::Object(more)) = (fields.as_object_mut(), more) {
            fields.extend(more);
        }
    }
    fields
}

/// A half or false eye with the fields of the manual's `half_eye_data`.
fn half_eye(board: &Board, owner: Color, half: &HalfEye) -> Value {
    let names = |of: &[Vertex]| of.iter().map(|v| v.to_gtp(board.size())).collect::<Vec<_>>();
    json!({
        "vertex": half.vertex.to_gtp(board.size()),
        "owner": owner,
        "type": half.kind,
        "value": rounded(half.value),
        "attack_points": names(&half.attack_points),
        "defense_points": names(&half.defence_points),
    })
}

/// A dragon's eyes in full, its neighbours, its moyo, and what surrounds it.
fn surroundings(board: &Board, map: &DragonMap, dragon: &Dragon) -> Value {
    let name = |v: Vertex| v.to_gtp(board.size());
    let near = dragon.neighbors.iter().filter_map(|&n| map.dragons.get(usize::from(n)));
    let genus = dragon.genus;
    json!({
        "genus": [genus.a, genus.b, genus.c, genus.d],
        "heye": dragon.heye.map(name),
        "moyo_territorial_value": rounded(dragon.moyo_territorial_value),
        "neighbors": near.map(|d| name(d.origin)).collect::<Vec<_>>(),
        "hostile_neighbors": dragon.hostile_neighbors,
        "surround_status": dragon.surround.status,
        "surround_size": dragon.surround.inside.len(),
    })
}

/// The column `Surround`: what surrounds each dragon, and where its ways out end.
pub(super) fn add_surroundings(analysed: &Analysed, result: &mut Map<String, Value>) {
    let size = analysed.input.position.board.size();
    let names = |of: &[Vertex]| json!(of.iter().map(|v| v.to_gtp(size)).collect::<Vec<_>>());
    add(analysed, result, |_, dragon, fields| {
        let around = &dragon.surround;
        let corners: Vec<Vertex> =
            around.hull.iter().map(|p| Vertex::new(p.y as usize, p.x as usize, size)).collect();
        fields.insert("distance_four".into(), names(&dragon.distance_four));
        fields.insert("surround_set".into(), names(&around.set));
        fields.insert("surround_hull".into(), names(&corners));
        fields.insert("surround_inside".into(), names(&around.inside));
        fields.insert("surround_margin".into(), names(&around.margin));
    });
}

/// The column `Threats`: two moves in a row that kill or save each dragon.
pub(super) fn add_threats(analysed: &Analysed, result: &mut Map<String, Value>) {
    let size = analysed.input.position.board.size();
    let Some(threats) = analysed.engine.component::<Threats>(analysed.slot) else { return };
    let name = |v: Vertex| (v != Vertex::PASS).then(|| v.to_gtp(size));
    add(analysed, result, |number, _, fields| {
        let threat = threats.0.get(number).copied().unwrap_or_default();
        let second = |of: ThreatStatus| if threat.status == of { name(threat.second) } else { None };
        fields.insert("owl_threat_status".into(), json!(threat.status));
        fields.insert("owl_threat_point".into(), json!(name(threat.first)));
        let [attack, defense] = [ThreatStatus::CanThreatenAttack, ThreatStatus::CanThreatenDefense];
        fields.insert("owl_second_attack_point".into(), json!(second(attack)));
        fields.insert("owl_second_defense_point".into(), json!(second(defense)));
    });
}

/// Adds fields to each dragon of the record.
fn add(
    analysed: &Analysed,
    result: &mut Map<String, Value>,
    more: impl Fn(usize, &Dragon, &mut Map<String, Value>),
) {
    let dragons = analysed.dragons().map_or(&[][..], |map| &map.dragons);
    let list = result.get_mut("dragons").and_then(Value::as_array_mut);
    for (number, (told, dragon)) in list.into_iter().flatten().zip(dragons).enumerate() {
        if let Some(fields) = told.as_object_mut() {
            more(number, dragon, fields);
        }
    }
}

/// The results of reading for a dragon, under the names of the manual's `dragon2` array.
fn readings(board: &Board, dragon: &Dragon) -> Value {
    let point = |play: &Play| {
        let v = play.line.start();
        (v != Vertex::PASS).then(|| v.to_gtp(board.size()))
    };
    let (owl, race) = (&dragon.owl, &dragon.semeai);
    json!({
        "crude_status": dragon.crude_status,
        "weakness_pre_owl": rounded(dragon.weakness_pre_owl),
        "owl_status": owl.status,
        "owl_attack_code": owl.attack.code.gtp(),
        "owl_attack_point": point(&owl.attack),
        "owl_attack_certain": owl.attack.certain,
        "owl_defense_code": owl.defense.code.gtp(),
        "owl_defense_point": point(&owl.defense),
        "owl_defense_certain": owl.defense.certain,
        "owl_attack_kworm": dragon.attack_kworm.map(|v| v.to_gtp(board.size())),
        "owl_defense_kworm": dragon.defense_kworm.map(|v| v.to_gtp(board.size())),
        "semeai": race.count > 0,
        "semeais": race.count,
        "semeai_attack_point": point(&race.attack),
        "semeai_attack_certain": race.attack.certain,
        "semeai_defense_point": point(&race.defense),
        "semeai_defense_certain": race.defense.certain,
    })
}
