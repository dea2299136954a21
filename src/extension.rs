//! Extensions that users add: systems in every World, columns of records, and layers of pictures.
//!
//! A plugin adds systems to the schedule [`Analyse`](tengen_go::schedule::Analyse). Through [`AppExtensions`], the
//! plugin declares columns for records and layers for `tengen show`. A scene states an expected value of such a column
//! by `Column(name: "own/NAME", is: ...)`. `examples/census` is a complete program. `examples/schemes` adds repetition
//! schemes of chess and propagators of nets by name.
//!
//! ```no_run
//! use bevy_app::prelude::*;
//! use tengen::extension::AppExtensions as _;
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
use std::sync::Arc;
use tengen_go::board::Vertex;

/// Adds one plugin to an app.
type Addition = Arc<dyn Fn(&mut App) + Send + Sync>;

/// The additions to every World. Clones hold the same additions.
#[derive(Clone, Default)]
pub struct Extensions(Vec<Addition>);

impl Extensions {
    /// Adds a plugin to every World. Each worker has its own World, so the plugin must be cloneable.
    pub fn add<P: Plugin + Clone>(&mut self, plugin: P) {
        self.0.push(Arc::new(move |app: &mut App| {
            app.add_plugins(plugin.clone());
        }));
    }

    /// All additions as one plugin.
    pub fn plugin(&self) -> impl Plugin + use<> {
        let additions = self.0.clone();
        move |app: &mut App| {
            app.init_resource::<RecordColumns>().init_resource::<Layers>();
            additions.iter().for_each(|add| add(app));
        }
    }
}

impl fmt::Debug for Extensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Extensions({} plugins)", self.0.len())
    }
}

/// The value of a record column for a board slot; `None` leaves it out.
type Of = fn(&World, Entity) -> Option<Value>;

/// Added record columns, in their order.
#[derive(Resource, Clone, Debug, Default)]
pub struct RecordColumns(Vec<(String, Of)>);

impl RecordColumns {
    /// The values for a board slot.
    #[must_use]
    pub fn of(&self, world: &World, slot: Entity) -> Vec<(String, Value)> {
        self.0.iter().filter_map(|(name, of)| Some((name.clone(), of(world, slot)?))).collect()
    }
}

/// A cell of an added layer: the text of a vertex, and a number from -1 (Black) to 1 (White) that colours the vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// A few characters.
    pub text: String,
    /// The owner and the strength: from -1 (Black) to 1 (White).
    pub share: f32,
}

/// The cell of a layer at a vertex of a board slot.
type CellOf = fn(&World, Entity, Vertex) -> Cell;

/// An added layer of `tengen show`.
#[derive(Clone, Debug)]
pub struct AddedLayer {
    /// Its name on the command line.
    pub name: String,
    /// The meaning of its texts and colours, in one line.
    pub legend: String,
    cell: CellOf,
}

impl AddedLayer {
    /// The cell at a vertex.
    #[must_use]
    pub fn cell(&self, world: &World, slot: Entity, v: Vertex) -> Cell {
        (self.cell)(world, slot, v)
    }
}

/// The added layers.
#[derive(Resource, Clone, Debug, Default)]
pub struct Layers(Vec<AddedLayer>);

impl Layers {
    /// The layer of this name, or the existing names if there is none.
    ///
    /// # Errors
    /// The names of the existing layers.
    pub fn get(&self, name: &str) -> Result<&AddedLayer, Vec<&str>> {
        self.0.iter().find(|l| l.name == name).ok_or_else(|| self.0.iter().map(|l| l.name.as_str()).collect())
    }
}

/// Methods by which a plugin declares its findings.
pub trait AppExtensions {
    /// Adds a column of records: `result.own.NAME`. `of` runs after the analysis, and gets the entity of the board
    /// slot.
    fn add_record_column(&mut self, name: &str, of: Of) -> &mut Self;

    /// Adds a layer for `tengen show --own NAME`.
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
        let layer = AddedLayer { name: name.to_owned(), legend: legend.to_owned(), cell };
        self.world_mut().resource_mut::<Layers>().0.push(layer);
        self
    }
}
