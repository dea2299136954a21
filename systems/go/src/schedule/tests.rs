//! Tests of the order of the schedule `Analyse`.

use super::*;

#[derive(Resource, Default)]
struct Trace(Vec<AnalyseSystems>);

#[test]
fn the_sets_run_in_order_and_stop_at_the_last_stage_asked_for() {
    let mut app = App::empty();
    app.add_plugins(SchedulePlugin).init_resource::<Trace>();
    for stage in AnalyseSystems::ALL {
        app.add_systems(Analyse, (move |mut t: ResMut<Trace>| t.0.push(stage)).in_set(stage));
    }
    let world = app.world_mut();
    world.run_schedule(Analyse);
    assert_eq!(world.resource::<Trace>().0, AnalyseSystems::ALL);
    world.resource_mut::<Trace>().0.clear();
    world.insert_resource(LastStage(AnalyseSystems::Tactics));
    world.run_schedule(Analyse);
    use AnalyseSystems as S;
    assert_eq!(world.resource::<Trace>().0, [S::Read, S::Worms, S::Judge, S::Tactics, S::Publish]);
    world.resource_mut::<Trace>().0.clear();
    world.insert_resource(DoneStage(Some(S::Tactics)));
    world.insert_resource(LastStage(S::Dragons));
    world.run_schedule(Analyse);
    assert_eq!(world.resource::<Trace>().0, [S::Read, S::FirstInfluence, S::Dragons, S::Publish]);
}
