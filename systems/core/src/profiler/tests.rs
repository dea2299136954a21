use super::*;

#[derive(Resource, Default)]
struct Count(u32);

fn add(mut count: ResMut<Count>) {
    count.0 += 1;
}

fn spawn(mut commands: Commands) {
    commands.spawn_empty();
}

fn span(system: u32, micros: u64) -> Span {
    Span { system, items: 2, start: Instant::now(), took: Duration::from_micros(micros) }
}

#[test]
fn an_instrumented_schedule_does_the_same_and_every_call_is_seen() {
    let mut world = World::new();
    world.init_resource::<Count>();
    let mut schedule = Schedule::default();
    crate::strict(&mut schedule);
    schedule.add_systems((add, spawn, add.run_if(|| false)).chain());
    let recorder = Recorder::default();
    let names = instrument(&mut schedule, &recorder);
    assert_eq!(names.len(), 3);
    for _ in 0..5 {
        recorder.time_run(7, || schedule.run(&mut world));
    }
    assert_eq!(world.resource::<Count>().0, 5);
    let profile = Profile::of(&names, &recorder.take());
    let seen: Vec<(u64, u64)> = profile.systems.iter().map(|s| (s.calls, s.items)).collect();
    assert_eq!((profile.runs, seen), (5, vec![(5, 35), (5, 35)]));
    assert!(recorder.take().is_empty());
}

#[test]
fn median_and_p99_are_calls_that_happened() {
    let mut spans: Vec<Span> = (1..=200).map(|us| span(0, us)).collect();
    spans.push(span(Span::RUN, 30_000));
    let profile = Profile::of(&["a".into(), "never called".into()], &spans);
    let a = &profile.systems[0];
    assert_eq!(profile.systems.len(), 1);
    assert_eq!((a.median, a.p99), (Duration::from_micros(100), Duration::from_micros(198)));
    assert_eq!(a.total, Duration::from_micros(20_100));
    assert_eq!(profile.scheduling(), Duration::from_micros(9_900));
}

#[test]
fn a_chrome_trace_is_json_with_one_event_per_span() {
    let mut out = Vec::new();
    let spans = vec![span(0, 5), span(Span::RUN, 6)];
    write_chrome_trace(&mut out, spans[0].start, &["a \"quoted\" name".into()], &[spans, vec![]])
        .expect("writing to memory");
    let read: serde_json::Value = serde_json::from_slice(&out).expect("JSON");
    assert_eq!(read.as_array().map(Vec::len), Some(2));
    assert_eq!(read[1]["name"], "run");
}
