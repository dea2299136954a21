//! The resource with the pattern databases of an engine, which are embedded or read from files.

use super::{Database, Matcher, parse};
use bevy_ecs::prelude::Resource;
use std::sync::{Arc, LazyLock};
use tengen_core::{Diagnostic, Severity};

/// Our own databases, compiled in, in the order of [`PatternDatabases::FILES`].
const OWN: [&str; 3] = [
    include_str!("../../../../resources/go/patterns/influence.db"),
    include_str!("../../../../resources/go/patterns/barriers.db"),
    include_str!("../../../../resources/go/patterns/conn.db"),
];

/// The pattern databases of an engine, ready to match. Clones share them.
#[derive(Resource, Clone, Debug)]
pub struct PatternDatabases {
    /// Extra sources: classes E and I.
    pub influence: Arc<Matcher>,
    /// Barriers, intrusions, non-territory: classes A, D, B, t.
    pub barriers: Arc<Matcher>,
    /// Connections: classes B and C.
    pub connections: Arc<Matcher>,
}

/// Each process reads them once.
static READY: LazyLock<PatternDatabases> = LazyLock::new(|| {
    let mut texts = PatternDatabases::FILES.into_iter().zip(OWN);
    let [influence, barriers, connections] = std::array::from_fn(|_| {
        let (file, text) = texts.next().expect("as many texts as files");
        Arc::new(Matcher::new(parse(file, text).0))
    });
    PatternDatabases { influence, barriers, connections }
});

impl Default for PatternDatabases {
    /// Our own databases.
    fn default() -> Self {
        READY.clone()
    }
}

impl PatternDatabases {
    /// The files that [`Self::load`] knows.
    pub const FILES: [&'static str; 3] = ["influence.db", "barriers.db", "conn.db"];

    /// Replaces the database that the file name selects (`influence.db`, `barriers.db`, `conn.db`). Returns whether
    /// there is one.
    pub fn replace(&mut self, database: Database) -> bool {
        let file = database.file.rsplit(['/', '\\']).next().unwrap_or_default();
        let places = [&mut self.influence, &mut self.barriers, &mut self.connections];
        let place = Self::FILES.iter().zip(places).find(|(name, _)| **name == file);
        place.map(|(_, place)| *place = Arc::new(Matcher::new(database))).is_some()
    }

    /// Reads texts by file name into the places of our own databases.
    ///
    /// # Errors
    /// All that is wrong in them; warnings are given with the databases.
    pub fn load<'a>(
        files: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<(Self, Vec<Diagnostic>), Vec<Diagnostic>> {
        let mut databases = Self::default();
        let mut faults = Vec::new();
        for (file, text) in files {
            let (database, found) = parse(file, text);
            faults.extend(found);
            if !databases.replace(database) {
                let fault = Diagnostic::error("no database of this name").in_file(file);
                faults.push(fault.help("the names are influence.db, barriers.db, conn.db"));
            }
        }
        if faults.iter().any(|f| f.severity == Severity::Error) {
            Err(faults)
        } else {
            Ok((databases, faults))
        }
    }
}
