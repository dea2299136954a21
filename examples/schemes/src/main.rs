//! An example of an added repetition scheme of chess and an added propagator of nets, in the whole command line of
//! Tengen.
//!
//! ```text
//! cargo run -p schemes -- chess explain '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1' --depth 6 --scheme values
//! cargo run -p schemes -- uci                         # setoption name RepetitionScheme value values
//! cargo run -p schemes -- gdl perf game.kif - 1 --propagator checked
//! ```

mod checked;
mod values;

use std::error::Error;
use std::process::ExitCode;
use tengen_chess::repetition::key_stack::KeyStack;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let app = tengen::app()
        .add_scheme::<KeyStack, values::Values>("values")?
        .add_propagator("checked", checked::checked)?;
    Ok(app.run())
}
