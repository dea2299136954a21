//! One's own systems in the application: the whole command line, with more in every World it makes.
//!
//! A plugin adds systems to the schedule [`Analyse`](tengen_go::schedule::Analyse), and says by [`AppExtensions`] what of
//! its findings goes into records and what `tengen show` can draw. Scenes expect values of record columns by
//! `Column(name: "own/NAME", is: ...)`. `examples/census` is a whole program. Repetition schemes of chess and propagators
//! of nets are added by name: `examples/schemes`.
//!
//! ```no_run
//! use bevy_app::prelude::*;
//! use tengen::own::AppExtensions as _;
//!
//! #[derive(Clone)]
//! struct Mine;
//! impl Plugin for Mine {
//!     fn build(&self, app: &mut App) {
//!         app.add_record_column("answer", |_world, _slot| Some(42.into()));
//!     }
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     tengen::app().add_plugins(Mine).run()
//! }
//! ```

use bevy_app::{App, Plugin};
use bevy_ecs::prelude::{Entity, Resource, World};
use serde_json::Value;
use std::fmt;
use std::process::ExitCode;
use std::sync::Arc;
use tengen_chess::repetition::{Detect, Keep, own};
use tengen_go::board::Vertex;
use tengen_propnet::propagate::own::{Make, Taken};

/// The application, to be run with one's own plugins.
#[must_use]
pub fn app() -> Application {
    Application::default()
}

/// The command line, and what is added to the Worlds it makes.
#[derive(Debug, Default)]
pub struct Application {
    own: Own,
}

impl Application {
    /// Adds a plugin to every World: those of `run`, `profile` and `show`. Each worker has a World, hence the clone.
    #[must_use]
    pub fn add_plugins<P: Plugin + Clone>(mut self, plugin: P) -> Self {
        self.own.0.push(Arc::new(move |app: &mut App| {
            app.add_plugins(plugin.clone());
        }));
        self
    }

    /// Adds a repetition scheme of chess for the whole process: by its name it is chosen over UCI and on the command line,
    /// by `repetition: Own("NAME")` in scenes.
    ///
    /// # Errors
    /// If the name is taken or none.
    pub fn add_scheme<D: Detect, K: Keep>(self, name: &'static str) -> Result<Self, own::AddError> {
        own::add::<D, K>(name)?;
        Ok(self)
    }

    /// Adds a propagator of nets for the whole process: `tengen gdl explore|perf --propagator NAME`, and the pages of nets in
    /// `tengen view`.
    ///
    /// # Errors
    /// If the name is taken.
    pub fn add_propagator(self, name: &'static str, make: Make) -> Result<Self, Taken> {
        tengen_propnet::propagate::own::add(name, make)?;
        Ok(self)
    }

    /// Reads the command line, carries it out and returns the process's exit code.
    #[must_use]
    pub fn run(self) -> ExitCode {
        crate::cli::run_with(&self.own)
    }
}

/// Adds one plugin to an app.
type Addition = Arc<dyn Fn(&mut App) + Send + Sync>;

/// What is added to every World. Clones are the same.
#[derive(Clone, Default)]
pub struct Own(Vec<Addition>);

impl Own {
    /// All of it as one plugin.
    pub fn plugin(&self) -> impl Plugin + use<> {
        let additions = self.0.clone();
        move |app: &mut App| {
            app.init_resource::<RecordColumns>().init_resource::<Layers>();
            additions.iter().for_each(|add| add(app));
        }
    }
}

impl fmt::Debug for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Own({} plugins)", self.0.len())
    }
}

/// What a record column says of a board slot; `None` leaves it out.
type Of = fn(&World, Entity) -> Option<Value>;

/// Record columns of one's own, in the order they were added.
#[derive(Resource, Clone, Debug, Default)]
pub struct RecordColumns(Vec<(String, Of)>);

impl RecordColumns {
    /// What they say of a board slot.
    #[must_use]
    pub fn of(&self, world: &World, slot: Entity) -> Vec<(String, Value)> {
        self.0.iter().filter_map(|(name, of)| Some((name.clone(), of(world, slot)?))).collect()
    }
}

/// A vertex of a layer of one's own: its text, and a number from -1 (Black's) to 1 (White's) that colours it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// A few characters.
    pub text: String,
    /// Whose, and how much.
    pub share: f32,
}

/// What a layer says of a vertex of a board slot.
type CellOf = fn(&World, Entity, Vertex) -> Cell;

/// A layer of `tengen show` of one's own.
#[derive(Clone, Debug)]
pub struct OwnLayer {
    /// Its name on the command line.
    pub name: String,
    /// What its texts and colours mean, one line.
    pub legend: String,
    cell: CellOf,
}

impl OwnLayer {
    /// What it says of a vertex.
    #[must_use]
    pub fn cell(&self, world: &World, slot: Entity, v: Vertex) -> Cell {
        (self.cell)(world, slot, v)
    }
}

/// Layers of one's own.
#[derive(Resource, Clone, Debug, Default)]
pub struct Layers(Vec<OwnLayer>);

impl Layers {
    /// The layer of this name; if there is none, the names there are.
    ///
    /// # Errors
    /// The names there are.
    pub fn get(&self, name: &str) -> Result<&OwnLayer, Vec<&str>> {
        self.0.iter().find(|l| l.name == name).ok_or_else(|| self.0.iter().map(|l| l.name.as_str()).collect())
    }
}

/// What a plugin says of its findings.
pub trait AppExtensions {
    /// A column of records: `result.own.NAME`. The entity is the board slot; it runs after the analysis.
    fn add_record_column(&mut self, name: &str, of: Of) -> &mut Self;

    /// A layer for `tengen show --own NAME`.
    fn add_layer(&mut self, name: &str, legend: &str, cell: CellOf) -> &mut Self;
}

impl AppExtensions for App {
    fn add_record_column(&mut self, name: &str, of: Of) -> &mut Self {
        self.init_resource::<RecordColumns>();
        self.world_mut().resource_mut::<RecordColumns>().0.push((name.to_owned(), of));
        self
    }

    fn add_layer(&mut self, name: &str, legend: &str, cell: CellOf) -> &mut Self {
        self.init_resource::<Layers>();
        let layer = OwnLayer { name: name.to_owned(), legend: legend.to_owned(), cell };
        self.world_mut().resource_mut::<Layers>().0.push(layer);
        self
    }
}
