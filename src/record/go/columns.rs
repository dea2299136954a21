//! Writes the columns that a scene requests into records: the findings about each vertex, eye space or candidate move.

use super::Analysed;
use crate::record::rounded;
use crate::scene::Column;
use serde_json::{Map, Value, json};
use tengen_go::AnalyseSystems;
use tengen_go::board::{Color, Vertex};
use tengen_go::dragons::EyeMap;
use tengen_go::eyes::EyeSpace;
use tengen_go::publish::{
    CutPoint, Distance, Dragon, DragonOf, EscapeValue, Eye, EyeNeighbors, EyeOf, FalseMargin, Influence,
    Lively, NonTerritory, PatternEffects, Permeability, Region, Territory, Worm, WormOf,
};
use tengen_go::spread::{Cause, Effect, InfluenceMap};

/// The record's part. A column of a stage that was not reached is left out.
pub(super) fn result(analysed: &Analysed, columns: &[Column], result: &mut Map<String, Value>) {
    let board = &analysed.input.position.board;
    let padded = |of: &[f32]| board.vertices().map(|v| rounded(of[v.at()])).collect::<Vec<_>>();
    let both = |map: &InfluenceMap| json!({ "black": padded(&map.influence[0]), "white": padded(&map.influence[1]) });
    for column in columns {
        let first = analysed.first_influence().map(|i| &i.maps[analysed.input.position.to_move.index()]);
        let map = analysed.map();
        let (name, value) = match column {
            Column::Influence => ("influence", map.map(both)),
            Column::FirstInfluence => ("first_influence", map.map(|_| first.map(both).unwrap_or_default())),
            Column::Territory => ("territory_values", map.map(|map| json!(padded(&map.territory)))),
            Column::Regions => {
                ("regions", map.map(|map| board.vertices().map(|v| json!(map.region(v).code())).collect()))
            }
            Column::Points => ("points", points(analysed)),
            Column::Eyes => ("eyes", eyes(analysed)),
            Column::Effects => ("effects", effects(analysed)),
            Column::Surround => {
                super::dragons::add_surroundings(analysed, result);
                continue;
            }
            Column::Threats => {
                super::dragons::add_threats(analysed, result);
                continue;
            }
            Column::Judge => ("judged", judged(analysed)),
            // They take the place of the ten best.
            Column::Moves => continue,
            Column::Reasons => {
                super::reasons::result(analysed, result);
                continue;
            }
        };
        if let Some(value) = value {
            result.insert(name.into(), value);
        }
    }
}

/// The judge's expectation for each vertex with the side to move.
fn judged(analysed: &Analysed) -> Option<Value> {
    let view = analysed.judgement()?.with(analysed.input.position.to_move)?;
    let list = |of: &[f32]| of.iter().map(|&x| rounded(x)).collect::<Vec<_>>();
    Some(
        json!({ "owner": list(&view.owner), "likelihood": list(&view.likelihood), "pass": rounded(view.pass) }),
    )
}

/// The published columns of the points, by name: lists in vertex order.
fn points(analysed: &Analysed) -> Option<Value> {
    let mut fields = Map::new();
    units(analysed, &mut fields);
    let engine = analysed.engine;
    let mut put = |names: [&str; 2], values: Option<[Vec<Value>; 2]>| {
        for (name, values) in names.into_iter().zip(values.into_iter().flatten()) {
            fields.insert(name.into(), Value::Array(values));
        }
    };
    let influence = engine.column::<Influence>(analysed.slot);
    let pass = |of: fn(&Influence) -> [f32; 2]| {
        influence.as_ref().map(|column| [0, 1].map(|c| column.iter().map(|i| rounded(of(i)[c])).collect()))
    };
    put(
        ["black_first_influence", "white_first_influence"],
        pass(|i| i.first).filter(|_| analysed.first_influence().is_some()),
    );
    let last = if analysed.second_influence().is_some() { pass(|i| i.second) } else { pass(|i| i.first) };
    put(["black_influence", "white_influence"], last.filter(|_| analysed.map().is_some()));
    let permeability = engine.column::<Permeability>(analysed.slot).filter(|_| analysed.map().is_some());
    put(
        ["black_permeability", "white_permeability"],
        permeability.map(|column| [0, 1].map(|c| column.iter().map(|p| rounded(p.0[c])).collect())),
    );
    let distance = engine.column::<Distance>(analysed.slot);
    let far = |of: fn(&Distance) -> [i16; 2]| {
        let reached = |d: i16| if d < 0 { Value::Null } else { json!(d) };
        distance.as_ref().map(|column| [0, 1].map(|c| column.iter().map(|d| reached(of(d)[c])).collect()))
    };
    put(["black_distance", "white_distance"], far(|d| d.distance));
    put(["black_strategic_distance", "white_strategic_distance"], far(|d| d.strategic));
    if analysed.map().is_some() {
        let territory = engine.column::<Territory>(analysed.slot)?;
        fields.insert("territory".into(), territory.iter().map(|t| rounded(t.0)).collect());
        let regions = engine.column::<Region>(analysed.slot)?;
        fields.insert("region".into(), regions.iter().map(|r| json!(r.code())).collect());
        let marks = engine.column::<NonTerritory>(analysed.slot)?;
        fields.insert("non_territory".into(), marks.iter().map(|m| json!(m.0)).collect());
        let alive = engine.column::<Lively>(analysed.slot)?;
        fields.insert("lively".into(), alive.iter().map(|l| json!(l.0)).collect());
        let ways = engine.column::<EscapeValue>(analysed.slot)?;
        for (color, name) in ["black_escape_value", "white_escape_value"].into_iter().enumerate() {
            fields.insert(name.into(), ways.iter().map(|w| json!(w.0[color])).collect());
        }
        sources(analysed, &mut fields);
    }
    of_eyes(analysed, &mut fields);
    Some(Value::Object(fields))
}

/// Cutting points, false margins, and the neighbours of a vertex in its eye space.
fn of_eyes(analysed: &Analysed, fields: &mut Map<String, Value>) -> Option<()> {
    analysed.dragons()?;
    let engine = analysed.engine;
    let cuts = engine.column::<CutPoint>(analysed.slot)?;
    let margins = engine.column::<FalseMargin>(analysed.slot)?;
    let beside = engine.column::<EyeNeighbors>(analysed.slot)?;
    for (c, color) in ["black", "white"].into_iter().enumerate() {
        let mut put = |name: &str, values: Value| fields.insert(format!("{color}_{name}"), values);
        put("cut", cuts.iter().map(|cut| json!(cut.0[c])).collect());
        put("false_margin", margins.iter().map(|margin| json!(margin.0[c])).collect());
        put("eye_neighbors", beside.iter().map(|near| json!(near.0[c])).collect());
    }
    Some(())
}

/// What patterns did, vertex by vertex: on the map of territory, then on that of escape routes.
fn effects(analysed: &Analysed) -> Option<Value> {
    analysed.map()?;
    let size = analysed.input.position.board.size();
    let column = engine_column(analysed)?;
    let of = |causes: fn(&PatternEffects) -> &Vec<Cause>, map: &'static str| {
        let all = column.iter().flat_map(move |at| causes(at));
        all.map(move |cause| effect(cause, map, size)).collect::<Vec<_>>()
    };
    let all = [of(|at| &at.territory, "territory"), of(|at| &at.escape, "escape")].concat();
    Some(Value::Array(all))
}

fn engine_column<'a>(analysed: &Analysed<'a>) -> Option<Vec<&'a PatternEffects>> {
    analysed.engine.column::<PatternEffects>(analysed.slot)
}

fn effect(cause: &Cause, map: &str, size: usize) -> Value {
    let (strength, from) = match cause.effect {
        Effect::Source { strength, .. } => (Some(strength), None),
        Effect::Intrusion { from, strength } => (Some(strength), Some(from)),
        Effect::Barrier | Effect::WeakPoint | Effect::NonTerritory => (None, None),
    };
    json!({
        "vertex": cause.at.to_gtp(size),
        "color": cause.color,
        "pattern": &*cause.pattern,
        "class": cause.class,
        "effect": cause.effect.name(),
        "map": map,
        "strength": strength.map(rounded),
        "from": from.map(|v| v.to_gtp(size)),
    })
}

/// The sources of influence: their strengths (0 without a source) and their attenuations.
fn sources(analysed: &Analysed, fields: &mut Map<String, Value>) -> Option<()> {
    let board = &analysed.input.position.board;
    let field = &analysed.map()?.field;
    let mut put = |name: &str, of: &[f32]| {
        fields.insert(name.into(), board.vertices().map(|v| rounded(of[v.at()])).collect());
    };
    put("black_strength", &field.strength[0]);
    put("white_strength", &field.strength[1]);
    put("black_attenuation", &field.attenuation[0]);
    put("white_attenuation", &field.attenuation[1]);
    Some(())
}

/// The string, dragon and eye space of each vertex, by their places in the record's lists.
fn units(analysed: &Analysed, fields: &mut Map<String, Value>) -> Option<()> {
    let (engine, world) = (analysed.engine, analysed.engine.world());
    let worms = analysed.worms()?;
    // The record's strings are numbered among themselves, the map's among strings and cavities.
    let mut strings = vec![None; worms.worms.len()];
    let mut count = 0_usize;
    for (place, worm) in strings.iter_mut().zip(&worms.worms) {
        if worm.color.stone().is_some() {
            *place = Some(count);
            count += 1;
        }
    }
    let of = |w: &WormOf| strings.get(usize::from(world.get::<Worm>(w.0?)?.0)).copied().flatten();
    let column = engine.column::<WormOf>(analysed.slot)?;
    fields.insert("worm".into(), column.iter().map(|w| json!(of(w))).collect());
    analysed.dragons()?;
    let of = |d: &DragonOf| world.get::<Dragon>(d.0?).map(|d| d.0);
    let stones: Vec<bool> = {
        let board = &analysed.input.position.board;
        board.vertices().map(|v| !board.is_empty(v)).collect()
    };
    let column = engine.column::<DragonOf>(analysed.slot)?;
    let dragons = column.iter().zip(stones).map(|(d, stone)| json!(if stone { of(d) } else { None }));
    fields.insert("dragon".into(), dragons.collect());
    let column = engine.column::<EyeOf>(analysed.slot)?;
    for (color, name) in ["black_eye", "white_eye"].into_iter().enumerate() {
        let of = |e: &EyeOf| world.get::<Eye>(e.0[color]?).map(|e| e.0);
        fields.insert(name.into(), column.iter().map(|e| json!(of(e))).collect());
    }
    Some(())
}

/// All eye spaces, Black's first.
fn eyes(analysed: &Analysed) -> Option<Value> {
    let eyes: &EyeMap = analysed.engine.result(analysed.slot, AnalyseSystems::Dragons)?;
    let size = analysed.input.position.board.size();
    let of = |color: Color| eyes.spaces[color.index()].iter().map(move |space| eye(space, color, size));
    Some(of(Color::Black).chain(of(Color::White)).collect())
}

fn eye(space: &EyeSpace, color: Color, size: usize) -> Value {
    let names = |vertices: &[Vertex]| vertices.iter().map(|v| v.to_gtp(size)).collect::<Vec<_>>();
    json!({
        "origin": space.origin().to_gtp(size),
        "color": color,
        "size": space.vertices.len(),
        "marginal": space.marginal_count(),
        "eyes": [space.value.min_eyes(), space.value.max_eyes()],
        "value": space.value.to_string(),
        "half_eyes": space.half_eyes.len(),
        "attack_points": names(&space.attack_points),
        "defence_points": names(&space.defence_points),
        "vertices": names(&space.vertices),
    })
}
