//! Tests of the profiler: recorded spans, profiles, traces, and replays on more workers.

use super::*;

#[derive(Resource, Default)]
struct Count(u32);

fn add(mut count: ResMut<Count>) {
    count.0 += 1;
}

fn spawn(mut commands: Commands) {
    commands.spawn_empty();
}

/// A span of thread 0 that begins a number of us after `origin`.
fn span(origin: Instant, row: u32, kind: Kind, from: u64, took: u64) -> Span {
    let (start, took) = (origin + Duration::from_micros(from), Duration::from_micros(took));
    Span { row, kind, thread: 0, items: 2, allocations: took.as_micros() as u64, start, took, link: None }
}

#[test]
fn an_instrumented_schedule_does_the_same_and_every_call_is_seen() {
    let mut world = World::new();
    world.init_resource::<Count>();
    let mut schedule = Schedule::default();
    crate::strict(&mut schedule);
    schedule.add_systems((add, spawn, add.run_if(|| false)).chain());
    let recorder = Recorder::default();
    instrument(&mut schedule, &recorder);
    let row = recorder.row("run");
    for _ in 0..5 {
        recorder.time_run(row, 7, || schedule.run(&mut world));
    }
    assert_eq!(world.resource::<Count>().0, 5);
    let profile = Profile::of(&recorder.names(), &recorder.take());
    let mut seen: Vec<(Kind, u64, u64)> = profile.rows.iter().map(|r| (r.kind, r.calls, r.items)).collect();
    seen.sort_unstable();
    assert_eq!(seen, [(Kind::Run, 5, 35), (Kind::System, 5, 35), (Kind::System, 5, 35)]);
    assert_eq!(profile.runs, 5);
    assert!(recorder.take().is_empty());
}

#[test]
fn a_row_has_the_time_of_its_own_and_rows_add_up_to_the_whole() {
    let origin = Instant::now();
    let names = ["run".into(), "a".into(), "b".into()];
    let spans = [
        span(origin, 2, Kind::Job, 20, 10),
        span(origin, 1, Kind::System, 10, 40),
        span(origin, 1, Kind::System, 50, 20),
        span(origin, 0, Kind::Run, 0, 100),
        span(origin, 0, Kind::Run, 100, 7),
    ];
    let profile = Profile::of(&names, &spans);
    let own: Vec<(&str, u128, u64)> =
        profile.rows.iter().map(|r| (r.name.as_str(), r.total.as_micros(), r.allocations)).collect();
    assert_eq!(own, [("a", 50, 50), ("run", 47, 47), ("b", 10, 10)]);
    assert_eq!(profile.total(), Duration::from_micros(107));
    assert_eq!(profile.scheduling(), Duration::from_micros(47));
}

#[test]
fn median_and_p99_are_calls_that_happened() {
    let origin = Instant::now();
    let spans: Vec<Span> = (1..=200).map(|us| span(origin, 0, Kind::Step, us * 1000, us)).collect();
    let profile = Profile::of(&["a".into(), "never called".into()], &spans);
    let a = &profile.rows[0];
    assert_eq!(profile.rows.len(), 1);
    assert_eq!((a.median, a.p99), (Duration::from_micros(100), Duration::from_micros(198)));
    assert_eq!(a.total, Duration::from_micros(20_100));
}

#[test]
fn a_chrome_trace_is_json_with_one_event_per_span() {
    let origin = Instant::now();
    let mut out = Vec::new();
    let spans = [span(origin, 0, Kind::Job, 0, 5), span(origin, 1, Kind::Run, 0, 6)];
    trace::write(&mut out, origin, &["a \"quoted\" name".into(), "run".into()], &spans).expect("memory");
    let read: serde_json::Value = serde_json::from_slice(&out).expect("JSON");
    assert_eq!(read.as_array().map(Vec::len), Some(2));
    assert_eq!((&read[1]["name"], &read[1]["cat"]), (&"run".into(), &"run".into()));
}

#[test]
fn a_recorder_is_current_in_its_scope_alone() {
    let (outer, inner) = (Recorder::default(), Recorder::default());
    assert_eq!(step("nobody listens", || 3), 3);
    outer.scope(|| {
        count("nodes", 2);
        inner.scope(|| step("read", || count("nodes", 5)));
        count("nodes", 1);
    });
    assert!(Recorder::current().is_none());
    assert_eq!((outer.counts()["nodes"], inner.counts()["nodes"]), (3, 5));
    assert_eq!((outer.take().len(), inner.take().len()), (0, 1));
}

/// Search 1 arms `jobs` jobs of `micros` each at once and merges them in order. Search 0 does `chain` jobs one after
/// the other. Tree operations take no time.
fn graph(jobs: u32, micros: u64, chain: u32) -> simulate::Graph {
    let origin = Instant::now();
    let link = |search, first, jobs| Some(Link { world: 0, search, first, jobs });
    let of = |kind, from, took, link| Span { link, ..span(origin, 0, kind, from, took) };
    let mut spans = vec![of(Kind::Select, 0, 0, link(1, 0, jobs))];
    let mut at = 1;
    for job in 0..jobs {
        spans.push(of(Kind::Job, at, micros, link(1, job, 1)));
        at += micros;
    }
    spans.extend((0..jobs).map(|job| of(Kind::Backup, at + u64::from(job), 0, link(1, job, 1))));
    at += u64::from(jobs);
    for job in 0..chain {
        spans.push(of(Kind::Select, at, 0, link(0, job, 1)));
        spans.push(of(Kind::Job, at + 1, micros, link(0, job, 1)));
        spans.push(of(Kind::Backup, at + 1 + micros, 0, link(0, job, 1)));
        at += micros + 2;
    }
    simulate::Graph::of(&["x".into()], &spans)
}

#[test]
fn a_replay_on_n_workers_is_as_fast_as_jobs_and_chains_allow() {
    let speed_up = |graph: &simulate::Graph, workers| (graph.replay(workers).speed_up * 1000.0).round();
    let wide = graph(64, 10, 0);
    for (workers, expected) in [(1, 1000.0), (4, 4000.0), (16, 16_000.0), (64, 64_000.0), (99, 64_000.0)] {
        assert_eq!(speed_up(&wide, workers), expected, "{workers} workers");
    }
    let narrow = graph(0, 10, 8);
    assert_eq!((speed_up(&narrow, 16), narrow.critical_path()), (1000.0, Duration::from_micros(80)));
    // Eight one after the other beside 64 free ones: 72 jobs in 8 rounds of 9.
    let mixed = graph(64, 10, 8);
    assert_eq!((speed_up(&mixed, 9), mixed.critical_path()), (9000.0, Duration::from_micros(80)));
    assert_eq!(mixed.work, Duration::from_micros(720));
}

#[test]
fn a_trace_that_is_written_is_read_back() {
    let origin = Instant::now();
    let names = vec!["run".to_owned(), "a \"b\"".to_owned()];
    let spans =
        [span(origin, 0, Kind::Run, 0, 100), Span { thread: 3, ..span(origin, 1, Kind::Job, 20, 10) }];
    let mut text = Vec::new();
    trace::write(&mut text, origin, &names, &spans).expect("memory takes it");
    let read = trace::read(&text).expect("it is a trace");
    assert_eq!(read.names, names);
    let of = |origin: Instant, spans: &[Span]| {
        let times = |s: &Span| (s.row, s.kind, s.thread, s.items, s.allocations, s.start - origin, s.took);
        spans.iter().map(times).collect::<Vec<_>>()
    };
    assert_eq!(of(read.origin, &read.spans), of(origin, &spans));
}

#[test]
fn what_is_no_trace_is_told_and_other_events_are_left_out() {
    for (text, says) in [
        ("", "not JSON"),
        ("[", "not JSON"),
        ("3", "no list of events"),
        ("{\"traceEvents\": 1}", "no list of events"),
        ("[{\"ph\": \"X\", \"ts\": 1}]", "no usable `dur`"),
        ("[{\"ph\": \"X\", \"ts\": 1e300, \"dur\": 1}]", "no usable `ts`"),
        ("[{\"ph\": \"X\", \"ts\": -1, \"dur\": 1}]", "no usable `ts`"),
    ] {
        let fault = trace::read(text.as_bytes()).expect_err(text);
        assert!(fault.contains(says), "{text}: {fault}");
    }
    let other = "{\"traceEvents\": [{\"ph\": \"M\", \"name\": \"thread_name\"}, {\"ph\": \"X\", \"ts\": 0.5, \"dur\": 0}]}";
    assert_eq!(trace::read(other.as_bytes()).expect("a trace").spans.len(), 1);
}
