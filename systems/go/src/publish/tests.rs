//! Tests of the published entities and columns.

use super::*;
use crate::board::{Board, Color, Vertex};
use crate::dragons::plugin::CuttingPoints;
use crate::dragons::{CaveMap, DragonMap, EyeMap};
use crate::eyes::EyeSpace;
use crate::goban;
use crate::influence::SecondInfluence;
use crate::moves::MoveList;
use crate::world::{OnBoard, Position};
use crate::worms::WormMap;
use crate::{AnalyseSystems as S, GoEngine, GoPlugins};
use bevy_app::PluginGroup as _;

fn small() -> Board {
    goban!(". . . . .", ". X X O .", ". X O . O", ". . O O .", ". . . . .").0
}

/// Some random moves on a board of this size.
fn random(size: usize, seed: u64, moves: usize) -> Position {
    let (mut board, mut color) = (Board::new(size), Color::Black);
    let mut random = tengen_core::SplitMix64::new(seed);
    for _ in 0..moves {
        let v = Vertex::from_index(random.below((size * size) as u32) as usize, size);
        if board.play(color, v).is_ok() {
            color = color.other();
        }
    }
    Position::new(board, color)
}

fn count<T: Component>(engine: &mut GoEngine) -> usize {
    let world = engine.world_mut();
    world.query_filtered::<(), With<T>>().iter(world).count()
}

#[test]
fn worms_dragons_eyes_sources_and_moves_are_entities_with_the_fields_of_the_dense_maps() {
    let mut engine = GoEngine::new(1);
    engine.put(0, Position::new(small(), Color::Black));
    engine.analyse(S::MoveEvaluation);
    let worms = engine.result::<WormMap>(0, S::Worms).expect("worms").clone();
    let dragons = engine.result::<DragonMap>(0, S::Dragons).expect("dragons").clone();
    let moves = engine.result::<MoveList>(0, S::MoveEvaluation).expect("moves").clone();
    let units = engine.component::<Units>(0).expect("units").clone();
    let world = engine.world();
    assert_eq!(units.worms.live().len(), worms.strings().count());
    for (&entity, worm) in units.worms.live().iter().zip(worms.strings()) {
        let get = world.entity(entity);
        assert_eq!(get.get::<Origin>(), Some(&Origin(worm.origin)));
        assert_eq!(get.get::<Liberties>(), Some(&Liberties(worm.liberties)));
        assert_eq!(get.get::<Genus>(), Some(&Genus(worm.genus)));
        assert_eq!(get.get::<EffectiveSize>(), Some(&EffectiveSize(worm.effective_size)));
        assert_eq!(get.get::<OnBoard>().map(|b| b.0.0), Some(0));
    }
    assert_eq!(units.cavities.live().len(), worms.cavities().count());
    assert_eq!(units.dragons.live().len(), dragons.dragons.len());
    for (&entity, dragon) in units.dragons.live().iter().zip(&dragons.dragons) {
        let get = world.entity(entity);
        assert_eq!(get.get::<Life>().map(|l| (l.status, l.rule)), Some((dragon.status, dragon.rule)));
        assert_eq!(get.get::<Semeai>().map(|s| s.count), Some(dragon.semeai.count));
        assert_eq!(get.get::<OwlReading>().map(|o| o.attack), Some(dragon.owl.attack));
        assert_eq!(get.get::<Hull>().map(|h| &h.inside), Some(&dragon.surround.inside));
        assert_eq!(get.get::<Neighbors>().map(|n| n.dragons.len()), Some(dragon.neighbors.len()));
        let strings = get.get::<Strings>().expect("strings").0.iter();
        let origins: Vec<_> = strings.map(|&s| world.get::<Origin>(s).expect("a worm").0).collect();
        assert_eq!(origins, dragon.strings);
    }
    assert_eq!(units.moves.live().len(), moves.candidates.len());
    for (&entity, candidate) in units.moves.live().iter().zip(&moves.candidates) {
        assert_eq!(world.get::<MoveReasons>(entity).map(|r| &r.0), Some(&candidate.reasons));
        assert_eq!(world.get::<MoveValue>(entity).map(|m| m.value), Some(candidate.value));
    }
    assert!(!units.eyes.live().is_empty() && !units.sources.live().is_empty());
}

#[test]
fn columns_of_the_points_tell_what_the_dense_maps_tell() {
    let mut engine = GoEngine::new(2);
    for (slot, size) in [(0, 7), (1, 5)] {
        engine.put(slot, random(size, 3, 40));
    }
    engine.analyse(S::MoveEvaluation);
    for slot in 0..2 {
        let position = engine.position(slot).expect("a position");
        let second = engine.result::<SecondInfluence>(slot, S::SecondInfluence).expect("influence");
        let map = &second.maps[position.to_move.index()];
        let dragons = engine.result::<DragonMap>(slot, S::Dragons).expect("dragons");
        let world = engine.world();
        let column = |i: usize, v: Vertex| {
            let territory = engine.column::<Territory>(slot).expect("territory")[i].0;
            let region = *engine.column::<Region>(slot).expect("regions")[i];
            assert_eq!((territory, region), (map.territory[v.at()], map.region(v)));
            let influence = engine.column::<Influence>(slot).expect("influence")[i].second;
            assert_eq!(influence, [0, 1].map(|c| map.influence[c][v.at()]));
            let worm = engine.column::<WormOf>(slot).expect("worms")[i].0.expect("a worm");
            let color = world.get::<StoneColor>(worm).map(|c| c.0);
            assert_eq!(color, position.board.color_at(v));
            let dragon = engine.column::<DragonOf>(slot).expect("dragons")[i].0.expect("a dragon or a cave");
            let origin = dragons.at(v).map(|d| d.origin);
            assert_eq!(origin, world.get::<Dragon>(dragon).and(world.get::<Origin>(dragon)).map(|o| o.0));
        };
        position.board.vertices().enumerate().for_each(|(i, v)| column(i, v));
    }
}

#[test]
fn cuts_false_margins_effects_and_cavities_are_published() {
    let mut engine = GoEngine::new(1);
    // Where White can cut, and a black string in a white cave of two cavities.
    let board = goban!(
        ". . . . . . .",
        ". . O O . . .",
        ". O . X O . .",
        ". . O O . . .",
        ". . . . . . .",
        ". X X . X X .",
        ". . . . . . ."
    )
    .0;
    engine.put(0, Position::new(board, Color::Black));
    engine.analyse(S::MoveEvaluation);
    let second = engine.result::<SecondInfluence>(0, S::SecondInfluence).expect("influence").clone();
    let effects = engine.column::<PatternEffects>(0).expect("effects");
    let territory: usize = effects.iter().map(|at| at.territory.len()).sum();
    let escape: usize = effects.iter().map(|at| at.escape.len()).sum();
    assert_eq!((territory, escape), (second.maps[0].causes.len(), second.escape.causes.len()));
    assert!(territory > 0, "patterns match");
    let cuts = engine.result::<CuttingPoints>(0, S::Dragons).expect("cuts").clone();
    let eyes = engine.result::<EyeMap>(0, S::Dragons).expect("eyes").clone();
    let position = engine.position(0).expect("a position").clone();
    let columns = engine.column::<CutPoint>(0).expect("cuts").into_iter();
    let columns = columns.zip(engine.column::<FalseMargin>(0).expect("false margins"));
    let columns = columns.zip(engine.column::<EyeNeighbors>(0).expect("neighbours"));
    for (v, ((cut, margin), near)) in position.board.vertices().zip(columns) {
        for c in [0, 1] {
            assert_eq!(cut.0[c], cuts.0[c][v.at()]);
            assert_eq!(margin.0[c], eyes.false_margins[c].contains(&v));
            let space = eyes.spaces[c].iter().find(|space| space.holds(v));
            let beside = |space: &EyeSpace| position.board.neighbors4(v).filter(|&n| space.holds(n)).count();
            assert_eq!(usize::from(near.0[c]), space.map_or(0, beside));
        }
    }
    let caves = engine.result::<CaveMap>(0, S::Dragons).expect("caves").clone();
    let units = engine.component::<Units>(0).expect("units").clone();
    let world = engine.world();
    for (&entity, cave) in units.caves.live().iter().zip(&caves.caves) {
        let cavities = world.get::<Cavities>(entity).expect("cavities").0.iter();
        let origins: Vec<Vertex> = cavities.map(|&c| world.get::<Origin>(c).expect("a cavity").0).collect();
        assert_eq!(origins, cave.cavities);
    }
}

#[test]
fn a_stage_not_asked_for_leaves_no_entities_and_empty_columns() {
    let mut engine = GoEngine::new(1);
    engine.put(0, Position::new(small(), Color::Black));
    engine.analyse(S::MoveEvaluation);
    assert!(count::<Dragon>(&mut engine) > 0 && count::<Move>(&mut engine) > 0);
    engine.put(0, Position::new(small(), Color::White));
    engine.analyse(S::Worms);
    assert_eq!(count::<Worm>(&mut engine), 4);
    for none in [
        count::<Dragon>(&mut engine),
        count::<Cave>(&mut engine),
        count::<Eye>(&mut engine),
        count::<Source>(&mut engine),
        count::<Move>(&mut engine),
    ] {
        assert_eq!(none, 0);
    }
    assert!(engine.column::<DragonOf>(0).expect("a column").iter().all(|d| d.0.is_none()));
    assert!(engine.column::<Influence>(0).expect("a column").iter().all(|i| **i == Influence::default()));
    engine.clear(0);
    assert_eq!(count::<Worm>(&mut engine), 0);
    assert!(engine.column::<Stone>(0).is_none());
}

#[test]
fn the_number_of_entities_is_steady_from_batch_to_batch() {
    let mut engine = GoEngine::new(3);
    let batch = |engine: &mut GoEngine, shift: u64| {
        for slot in 0..3 {
            let of = (slot as u64 + shift) % 3;
            engine.put(slot, random([5, 7, 6][of as usize], of, 20 + 10 * of as usize));
        }
        engine.analyse(S::MoveEvaluation);
        engine.world().entities().len()
    };
    // Every slot sees every change of position once; from then on nothing is new.
    let most = (0..4).map(|shift| batch(&mut engine, shift)).max();
    for round in 4..8 {
        assert_eq!(Some(batch(&mut engine, round)), most);
    }
    engine.clear(1);
    assert_eq!(Some(engine.world().entities().len()), most);
}

#[test]
fn without_publishing_the_dense_maps_are_the_same() {
    let position = random(7, 11, 40);
    let mut with = GoEngine::new(1);
    let mut without = GoEngine::with_plugins(1, GoPlugins.build().disable::<PublishPlugin>());
    for engine in [&mut with, &mut without] {
        engine.put(0, position.clone());
        engine.analyse(S::MoveEvaluation);
    }
    let moves = |engine: &GoEngine| engine.result::<MoveList>(0, S::MoveEvaluation).cloned();
    assert_eq!(moves(&with), moves(&without));
    assert!(without.component::<Units>(0).is_none() && without.column::<Stone>(0).is_none());
}

/// What changed at the last analysis: dragons and points by their vertices, and dragons whose verdict changed.
#[derive(Resource, Default)]
struct Noted {
    dragons: Vec<Vertex>,
    verdicts: Vec<Vertex>,
    points: usize,
    units: usize,
}

type AnyUnit =
    Or<(Changed<Worm>, Changed<Cavity>, Changed<Cave>, Changed<Eye>, Changed<Source>, Changed<Move>)>;

type AnyColumn = Or<(
    Changed<Stone>,
    Changed<WormOf>,
    Changed<EyeOf>,
    Changed<Influence>,
    Changed<Permeability>,
    Changed<Territory>,
    Changed<Region>,
    Changed<Distance>,
    Changed<NonTerritory>,
    Changed<Lively>,
    Changed<EscapeValue>,
)>;

fn note_changes(
    mut noted: ResMut<Noted>,
    dragons: Query<&Origin, Changed<Dragon>>,
    verdicts: Query<&Origin, Changed<Life>>,
    points: Query<(), AnyColumn>,
    units: Query<(), AnyUnit>,
) {
    let in_order = |origins: Vec<Vertex>| crate::board::in_order(origins);
    *noted = Noted {
        dragons: in_order(dragons.iter().map(|origin| origin.0).collect()),
        verdicts: in_order(verdicts.iter().map(|origin| origin.0).collect()),
        points: points.iter().count(),
        units: units.iter().count(),
    };
}

/// All that is published of each dragon, by its origin and colour: text in which other units are named by their origins.
fn told(engine: &GoEngine) -> Vec<(Vertex, String)> {
    let world = engine.world();
    let units = engine.component::<Units>(0).expect("units");
    let origins = |entities: &[Entity]| -> Vec<Vertex> {
        entities.iter().map(|&entity| world.get::<Origin>(entity).expect("a unit").0).collect()
    };
    let dragons = units.dragons.live().iter().map(|&entity| {
        let of = world.entity(entity);
        let strings = origins(&of.get::<Strings>().expect("strings").0);
        let near = of.get::<Neighbors>().expect("neighbours");
        let text = format!(
            "{strings:?} {:?} {} {:?}",
            origins(&near.dragons),
            near.hostile,
            of.get_components::<(
                (&StoneColor, &Size, &EffectiveSize, &Eyes, &Moyo, &Escape, &Surrounded),
                (&Lunch, &Life, &Weakness, &WeaknessPreOwl, &Hull, &OwlReading, &Semeai),
            )>()
        );
        (of.get::<Origin>().expect("an origin").0, text)
    });
    dragons.collect()
}

#[test]
fn a_changed_dragon_is_one_of_which_something_else_is_published_than_before_the_move() {
    let mut engine = GoEngine::new(1);
    let world = engine.world_mut();
    world.init_resource::<Noted>();
    let mut schedules = world.resource_mut::<Schedules>();
    let analyse = schedules.get_mut(crate::Analyse).expect("the schedule");
    analyse.add_systems(note_changes.after(S::Publish));
    let mut position = random(9, 5, 30);
    let mut before: Vec<(Vertex, String)> = Vec::new();
    let (mut changed, mut unchanged) = (0, 0);
    let mut random = tengen_core::SplitMix64::new(7);
    for _ in 0..25 {
        engine.put(0, position.clone());
        engine.analyse(S::MoveEvaluation);
        let now = told(&engine);
        let differ: Vec<Vertex> = now.iter().filter(|dragon| !before.contains(dragon)).map(|d| d.0).collect();
        let noted = engine.world().resource::<Noted>();
        assert_eq!(noted.dragons, differ);
        assert!(noted.verdicts.iter().all(|v| differ.contains(v)));
        changed += differ.len();
        unchanged += now.len() - differ.len();
        before = now;
        // The same position again: nothing changes.
        engine.put(0, position.clone());
        engine.analyse(S::MoveEvaluation);
        let noted = engine.world().resource::<Noted>();
        assert_eq!((noted.dragons.len(), noted.points, noted.units), (0, 0, 0));
        let v = Vertex::from_index(random.below(81) as usize, 9);
        if position.board.play(position.to_move, v).is_ok() {
            position = Position::new(position.board.clone(), position.to_move.other());
        }
    }
    assert!(changed > 50 && unchanged > 50, "{changed} {unchanged}");
}
