//! The system of the schedule that asks the judge in force about every board.

use super::{Judge, JudgeInForce, Judgement, LookingAhead, NoJudge, Playouts};
use crate::schedule::{Analyse, AnalyseSystems};
use crate::world::{BoardSlot, Position};
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use std::str::FromStr;
use std::sync::Arc;
use thiserror::Error;

/// The most looks and playouts of a judge's name.
const MOST_LOOKS: u32 = 10_000;
const MOST_PLAYOUTS: u32 = 1_000_000;

/// A name that no judge has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "no judge `{name}`: the judges are `embedded`, `embedded:N` (N from 1 to 10000), `playouts`, `playouts:N` (N from 1 to 1000000) and `none`"
)]
pub struct UnknownJudge {
    /// The requested judge.
    pub name: String,
}

impl FromStr for JudgeInForce {
    type Err = UnknownJudge;

    /// `embedded`, `embedded:N`, `playouts`, `playouts:N` or `none`.
    fn from_str(name: &str) -> Result<Self, UnknownJudge> {
        let unknown = || UnknownJudge { name: name.to_owned() };
        Ok(Self(match name {
            "embedded" => return Ok(Self::default()),
            "none" => Arc::new(NoJudge),
            "playouts" => Arc::new(Playouts::default()),
            _ => {
                let number = |kind: &str, most: u32| {
                    let number = name.strip_prefix(kind)?.parse().ok()?;
                    (1..=most).contains(&number).then_some(number)
                };
                let ahead =
                    number("embedded:", MOST_LOOKS).map(|n| Arc::new(LookingAhead::new(n)) as Arc<dyn Judge>);
                let played = || {
                    number("playouts:", MOST_PLAYOUTS)
                        .map(|playouts| Arc::new(Playouts { playouts }) as Arc<dyn Judge>)
                };
                ahead.or_else(played).ok_or_else(unknown)?
            }
        }))
    }
}

/// Asks the judge about every board.
///
/// Reads [`Position`], [`JudgeInForce`]; writes [`Judgement`]; runs in [`AnalyseSystems::Judge`].
pub struct JudgePlugin;

impl Plugin for JudgePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<JudgeInForce>()
            .register_required_components::<BoardSlot, Judgement>()
            .add_systems(Analyse, ask_judge.in_set(AnalyseSystems::Judge));
    }
}

/// Asks the judge about all boards at once.
pub(crate) fn ask_judge(
    judge: Res<JudgeInForce>,
    mut boards: Query<(&BoardSlot, &Position, &mut Judgement)>,
) {
    let mut boards: Vec<_> = boards.iter_mut().collect();
    boards.sort_by_key(|(slot, ..)| **slot);
    let positions: Vec<&Position> = boards.iter().map(|(_, position, _)| *position).collect();
    let views = judge.0.views(&positions);
    let source = judge.0.name();
    for ((.., judgement), answer) in boards.iter_mut().zip(views) {
        let (views, fault) = match answer {
            Ok(views) => (views, None),
            Err(fault) => (None, Some(fault)),
        };
        **judgement = Judgement { source: source.clone(), views, fault };
    }
}
