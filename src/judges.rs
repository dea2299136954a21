//! The judges of Go positions by their names.

use std::path::Path;
use std::sync::Arc;
use tengen_go::judge::{Embedded, JudgeInForce};

/// More bytes than weights of a net have that is meant to be embedded.
const MOST_BYTES: u64 = 64 << 20;

/// The judge of a name: `embedded`, `playouts`, `playouts:N`, `none`, or `net:FILE` for other weights.
///
/// # Errors
/// An unknown name, or weights that cannot be read; in words for a person.
pub fn named(name: &str) -> Result<JudgeInForce, String> {
    let Some(file) = name.strip_prefix("net:") else {
        return name.parse().map_err(|e: tengen_go::judge::UnknownJudge| {
            format!("{e}; `net:FILE` takes the weights of a file")
        });
    };
    let fault = |message: String| format!("{file}: {message}");
    let size = std::fs::metadata(Path::new(file)).map_err(|e| fault(e.to_string()))?.len();
    if size > MOST_BYTES {
        return Err(fault(format!("{size} bytes are too many for weights of a judge")));
    }
    let bytes = std::fs::read(file).map_err(|e| fault(e.to_string()))?;
    let judge = Embedded::with_weights(name, &bytes).map_err(|e| fault(e.to_string()))?;
    Ok(JudgeInForce(Arc::new(judge)))
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn judges_are_found_by_name_and_unknown_ones_are_refused() {
        for name in ["embedded", "playouts:7", "none"] {
            assert_eq!(named(name).map(|judge| judge.0.name()), Ok(name.to_owned()));
        }
        for name in ["", "Embedded", "playouts:0", "playouts:x", "net:/no/such/file", "net:Cargo.toml"] {
            assert!(named(name).is_err(), "{name}");
        }
    }
}
