//! Maps from given inputs: sources, attenuations and permeabilities as numbers, for instance those that GNU Go prints.
//!
//! # Steps
//! 1. Read stones and matrices from JSON. Numbers that are rounded to two decimals become the exact numbers that they
//!    stand for.
//! 2. Close the vertices that only a double block can have opened, because GNU Go opens them after it has computed the
//!    influence (`passes`, step 7). If the stones around would allow a 1, the numbers do not decide, and the 1 stays.
//! 3. Compute propagation, territory, double blocks, and territory again.

use crate::board::{Color, Vertex};
use crate::spread::field::{Field, padded_len, vertices};
use crate::spread::{InfluenceMap, Spreader, permeability};
use serde_json::Value;

/// Why inputs cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordedError {
    /// The board's size is missing or no size.
    #[error("`size` is missing or not 1 to 25")]
    Size,
    /// A list of stones is not a list.
    #[error("`{0}` is no list of vertices")]
    Stones(String),
    /// A matrix is missing, has another shape, or holds something other than numbers.
    #[error("`{0}` is no matrix of the board's size")]
    Matrix(String),
}

/// Given inputs of one map.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    field: Field,
    stones: Vec<Option<Color>>,
    to_move: Color,
    non_territory: Vec<u8>,
}

impl Recorded {
    /// Reads `size`, the lists `black` and `white`, and the matrices `*_strength`, `*_attenuation`, `*_permeability` and
    /// (if there) `non_territory`, each a list of rows from the top. The matrices may stand under
    /// `initial_influence.<to_move>`.
    ///
    /// # Errors
    /// Names missing and ill-formed parts.
    pub fn from_json(json: &Value, to_move: Color) -> Result<Self, RecordedError> {
        let size =
            json["size"].as_u64().filter(|n| (1..=25).contains(n)).ok_or(RecordedError::Size)? as usize;
        let mut stones = vec![None; padded_len(size)];
        for color in Color::BOTH {
            let bad = || RecordedError::Stones(color.to_string());
            for name in json[color.to_string()].as_array().ok_or_else(bad)? {
                let v = name.as_str().and_then(|n| Vertex::from_gtp(n, size)).filter(|&v| v != Vertex::PASS);
                stones[v.ok_or_else(bad)?.at()] = Some(color);
            }
        }
        let matrices = json["initial_influence"].get(to_move.to_string()).unwrap_or(json);
        let mut field = Field::new(size);
        for color in Color::BOTH {
            let c = color.index();
            field.strength[c] = matrix(matrices, &format!("{color}_strength"), size)?;
            field.attenuation[c] = matrix(matrices, &format!("{color}_attenuation"), size)?;
            field.permeability[c] = matrix(matrices, &format!("{color}_permeability"), size)?;
        }
        let non_territory =
            matrix(matrices, "non_territory", size).unwrap_or_else(|_| vec![0.0; padded_len(size)]);
        permeability::block_safe_stones(&mut field, &stones);
        permeability::unround(&mut field, &stones, Some(to_move));
        let non_territory = non_territory.iter().map(|&x| x as u8).collect();
        Ok(Self { field, stones, to_move, non_territory })
    }

    /// Step 3.
    #[must_use]
    pub fn compute(&self, spreader: &mut Spreader) -> InfluenceMap {
        let mut map = InfluenceMap {
            to_move: Some(self.to_move),
            field: self.field.clone(),
            stones: self.stones.clone(),
            non_territory: self.non_territory.clone(),
            ..InfluenceMap::default()
        };
        spreader.spread(&map.field, &mut map.influence);
        map.settle_territory();
        map
    }
}

/// A matrix as a padded array.
fn matrix(json: &Value, name: &str, size: usize) -> Result<Vec<f32>, RecordedError> {
    let mut out = vec![0.0; padded_len(size)];
    for v in vertices(size) {
        let number = json[name][v.row(size)][v.col(size)].as_f64();
        out[v.at()] = number.ok_or_else(|| RecordedError::Matrix(name.to_string()))? as f32;
    }
    Ok(out)
}
