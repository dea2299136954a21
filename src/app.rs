//! The application that users extend: the whole command line of Tengen with the users' additions.

use crate::extension::Extensions;
use bevy_app::{App, Plugin};
use std::process::ExitCode;
use tengen_chess::added_scheme;
use tengen_chess::repetition::added::AddError;
use tengen_chess::repetition::{Detect, Keep};
use tengen_propnet::propagate;

/// The application without additions. A user adds plugins to it and runs it.
#[must_use]
pub fn app() -> Application {
    Application::default()
}

/// The command line, and the additions to the Worlds that it makes.
#[derive(Debug, Default)]
pub struct Application {
    extensions: Extensions,
}

impl Application {
    /// Adds a plugin to every World of `run`, `profile` and `show`. Each worker has its own World, so the plugin must
    /// be cloneable.
    #[must_use]
    pub fn add_plugins<P: Plugin + Clone>(mut self, plugin: P) -> Self {
        self.extensions.add(plugin);
        self
    }

    /// Adds a repetition scheme of chess for the whole process. UCI and the command line choose it by its name. Scenes
    /// choose it by `repetition: Own("NAME")`.
    ///
    /// # Errors
    /// If the name is taken, or is not a valid name.
    pub fn add_scheme<D: Detect, K: Keep>(self, name: &'static str) -> Result<Self, AddError> {
        added_scheme::add::<D, K>(name)?;
        Ok(self)
    }

    /// Adds a propagator of nets for the whole process. `tengen gdl explore|perf --propagator NAME` and the pages of
    /// nets in `tengen view` offer it.
    ///
    /// # Errors
    /// If the name is taken.
    pub fn add_propagator(
        self,
        name: &'static str,
        make: propagate::added::Make,
    ) -> Result<Self, propagate::added::Taken> {
        propagate::added::add(name, make)?;
        Ok(self)
    }

    /// Adds plugins or systems to every World in which searches run, for the whole process. Scenes, UCI, GGP and the
    /// viewer use such Worlds. `|app| { app.add_plugins(ChessPlugins); }` publishes searches of chess, and a system in
    /// [`ExpandSystems::Watch`](tengen_search::ExpandSystems::Watch) reads or stops them.
    #[must_use]
    pub fn add_to_searches(self, add: impl Fn(&mut App) + Send + Sync + 'static) -> Self {
        tengen_search::add_to_worlds(add);
        self
    }

    /// Reads the command line, carries it out and returns the process's exit code.
    #[must_use]
    pub fn run(self) -> ExitCode {
        crate::cli::run_with(&self.extensions)
    }
}
