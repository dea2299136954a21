//! The passes over a net, one file each, and their order.
//!
//! Every rebuild of a net removes equal gates, constants inside one gate, one-input gates and double inversions (see
//! [`super::Builder`]). The passes make the simplifications that need a look at more than one gate.

mod constants;
mod dead;
mod equal_bases;
mod factor;
mod fan_in;
mod flatten;
mod guard;
mod one_hot;
mod order;

use super::{Lit, Net, Size};

/// A pass: its name and its function.
pub struct Pass {
    /// Its name, as `tengen gdl net` shows it.
    pub name: &'static str,
    /// The net after it.
    pub run: fn(&Net) -> Net,
}

/// The pipeline.
pub const PASSES: [Pass; 9] = [
    Pass { name: "constants", run: constants::run },
    Pass { name: "equal bases", run: equal_bases::run },
    Pass { name: "flatten", run: flatten::run },
    Pass { name: "one-hot inputs", run: one_hot::run },
    Pass { name: "factor", run: factor::run },
    Pass { name: "flatten again", run: flatten::run },
    Pass { name: "dead gates", run: dead::run },
    Pass { name: "fan-in", run: fan_in::run },
    Pass { name: "order", run: order::run },
];

/// Runs all passes; `seen` gets the size before the first pass and after each. Returns `None` if `stop`, asked before
/// each pass, says to give up.
#[must_use]
pub fn run_all(
    mut net: Net,
    mut seen: impl FnMut(&'static str, Size),
    stop: &mut dyn FnMut() -> bool,
) -> Option<Net> {
    seen("built", net.size());
    for pass in &PASSES {
        if stop() {
            return None;
        }
        net = (pass.run)(&net);
        seen(pass.name, net.size());
    }
    Some(net)
}

/// The part of a net that terminal, legal propositions and their inputs need; goals and unused bases are cut off.
/// Playouts walk on this, and ask the whole net for goals at the end.
#[must_use]
pub fn without_goals(net: &Net) -> Net {
    order::run(&dead::without_goals(net))
}

/// The same part, with the gates that goals need.
#[must_use]
pub fn without_idle_bases(net: &Net) -> Net {
    order::run(&dead::without_idle_bases(net))
}

/// The net without goals, as small as possible even if busier: for propagators that visit every gate in every step.
#[must_use]
pub fn for_lanes(net: &Net) -> Net {
    order::run(&dead::run(&flatten::run(&factor::run(&one_hot::run_all(&dead::without_goals(net))))))
}

/// A net with guards: literals that many legal propositions share are taken out of them.
#[derive(Clone, Debug)]
pub struct Guarded {
    /// The net; an input is legal when its legal proposition and its guard hold.
    pub net: Net,
    /// The shared literals, such as the role on turn; the first is always true.
    pub guards: Vec<Lit>,
    /// Per input the number of its guard.
    pub guard_of: Vec<u32>,
}

/// Takes shared literals out of legal propositions, so that a change of turn need not touch every move.
#[must_use]
pub fn guarded(net: &Net) -> Guarded {
    guard::run(net)
}

/// The part of a net that goals need, with the same bases.
#[must_use]
pub fn goals_only(net: &Net) -> Net {
    order::run(&dead::goals_only(net))
}

/// A guarded net with its guards restored and all bases and goals kept, as small as possible. Environments need it,
/// because they show every base and goal.
#[must_use]
pub fn for_environment(net: &Net, guards: &[Lit], guard_of: &[u32]) -> Net {
    let whole = flatten::run(&guard::put_back(net, guards, guard_of));
    order::run(&dead::run(&flatten::run(&factor::run(&one_hot::run_all(&whole)))))
}
