//! The common set-up of all schedules of Tengen, and the choice between parallel Worlds and parallel work inside one
//! World.

use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{LogLevel, ScheduleBuildSettings, SingleThreadedExecutor};
use rayon::prelude::*;

/// Sets a schedule up for Tengen. The executor is single-threaded (30 ns for each system), and ambiguities are errors.
///
/// Parallel work happens *inside* systems, by [`Parallelism`]. The multi-threaded executor costs 14 to 20 us for each
/// run, and gains nothing on a chain of stages.
pub fn strict(schedule: &mut Schedule) {
    schedule.set_executor(SingleThreadedExecutor::new());
    schedule.set_build_settings(ScheduleBuildSettings {
        ambiguity_detection: LogLevel::Error,
        ..ScheduleBuildSettings::default()
    });
}

/// How the systems of one World use threads. The results are the same bytes in both modes.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Parallelism {
    /// *Throughput*: this World is one of many that run in parallel, and its systems stay on their thread.
    #[default]
    Shards,
    /// *Latency*: the result for one position must come quickly. Systems distribute their items over rayon's pool.
    Inside,
}

impl Parallelism {
    /// The number of threads for one position.
    #[must_use]
    pub fn threads(self) -> usize {
        if self == Self::Inside { rayon::current_num_threads() } else { 1 }
    }

    /// Applies `work` to every item and returns the results in the order of the items.
    ///
    /// With [`Self::Inside`] and more than one item, the work is spread over rayon's current pool, one item at a time
    /// (`with_max_len(1)`). Put the longest items first where the time matters. `work` must depend on its item alone.
    pub fn map<T: Send, R: Send>(self, items: Vec<T>, work: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
        if self == Self::Shards || items.len() < 2 {
            items.into_iter().map(work).collect()
        } else {
            items.into_par_iter().with_max_len(1).map(work).collect()
        }
    }

    /// Applies `work` to every item for its effect on the item.
    pub fn for_each<T: Send>(self, items: Vec<T>, work: impl Fn(T) + Sync + Send) {
        if self == Self::Shards || items.len() < 2 {
            items.into_iter().for_each(work);
        } else {
            items.into_par_iter().with_max_len(1).for_each(work);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_parallelism_give_the_results_in_item_order() {
        let items: Vec<u64> = (0..100).collect();
        let square = |x: u64| x * x;
        assert_eq!(Parallelism::Shards.map(items.clone(), square), Parallelism::Inside.map(items, square));
    }
}
