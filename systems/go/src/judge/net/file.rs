//! Reads the file of the net's weights. `resources/go/judge/README.md` describes its format.

use super::conv::{Dense, First, Stored, WIDE};
use super::heads::Linear;
use super::{Block, Net, TOP_WEIGHT, TURNINGS};
use crate::judge::inputs::PLANES;
use thiserror::Error;

/// The first line of a file.
const MAGIC: &str = "tengen-judge 1";
/// Bytes of the checksum at the end.
const CHECKSUM: usize = 8;
/// More fields or blocks than any net has that is meant to be embedded.
const MOST: usize = 64;

/// Why a file of weights can't be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WeightsError {
    /// It does not begin as such a file does.
    #[error("no weights of a judge: the first line is not `{MAGIC}`")]
    OtherFile,
    /// A line of the head is missing or says something else.
    #[error("weights of a judge, line {line}: expected `{wanted}`")]
    Head {
        /// The line, from 1.
        line: usize,
        /// The expected text.
        wanted: &'static str,
    },
    /// Its checksum is another one.
    #[error("weights of a judge: the checksum is wrong, so the file was cut or altered")]
    Checksum,
    /// It is longer or shorter than its head says.
    #[error("weights of a judge: {found} bytes of weights, but the head asks for {wanted}")]
    Length {
        /// Bytes there.
        found: usize,
        /// Bytes that the head asks for.
        wanted: usize,
    },
}

/// Reads a whole file.
pub(super) fn parse(bytes: &[u8]) -> Result<Net, WeightsError> {
    if !bytes.starts_with(MAGIC.as_bytes()) {
        return Err(WeightsError::OtherFile);
    }
    let (content, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or(WeightsError::OtherFile)?;
    if fnv(content) != u64::from_le_bytes(*checksum) {
        return Err(WeightsError::Checksum);
    }
    let mut head = Head { bytes: content, line: 1 };
    head.next_line("tengen-judge 1")?;
    let origin = head.text("origin")?;
    let shape = Shape::read(&mut head)?;
    let mut data = Data { bytes: head.bytes, wanted: 0 };
    let net = shape.read_net(&mut data, origin);
    if data.wanted != head.bytes.len() {
        return Err(WeightsError::Length { found: head.bytes.len(), wanted: data.wanted });
    }
    Ok(net)
}

/// The checksum: 64 bits after Fowler, Noll and Vo (FNV-1a).
fn fnv(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// The rest of the file, and the number of its first line.
struct Head<'a> {
    bytes: &'a [u8],
    line: usize,
}

impl<'a> Head<'a> {
    fn next_line(&mut self, wanted: &'static str) -> Result<&'a str, WeightsError> {
        let fail = WeightsError::Head { line: self.line, wanted };
        let end = self.bytes.iter().position(|&b| b == b'\n').ok_or(fail.clone())?;
        let line = str::from_utf8(&self.bytes[..end]).map_err(|_| fail)?;
        self.bytes = &self.bytes[end + 1..];
        self.line += 1;
        Ok(line)
    }

    /// The rest of a line that begins with this word.
    fn text(&mut self, word: &'static str) -> Result<String, WeightsError> {
        let line = self.line;
        let rest =
            self.next_line(word)?.strip_prefix(word).ok_or(WeightsError::Head { line, wanted: word })?;
        Ok(rest.trim().to_owned())
    }

    /// The number of such a line, which is at most [`MOST`].
    fn number(&mut self, word: &'static str) -> Result<usize, WeightsError> {
        let line = self.line;
        let number = self.text(word)?.parse().ok().filter(|n| (1..=MOST).contains(n));
        number.ok_or(WeightsError::Head { line, wanted: word })
    }
}

/// The description of the net in the head.
struct Shape {
    fields: usize,
    blocks: usize,
    pooled: Vec<usize>,
    head: usize,
    values: usize,
    lead_unit: f32,
}

impl Shape {
    fn read(head: &mut Head<'_>) -> Result<Self, WeightsError> {
        let planes = head.number("planes")?;
        if planes != PLANES {
            return Err(WeightsError::Head { line: head.line - 1, wanted: "planes 31" });
        }
        let fields = head.number("fields")?;
        let blocks = head.number("blocks")?;
        let line = head.line;
        let words = head.text("pooled")?;
        let pooled: Option<Vec<usize>> = words.split_whitespace().map(|word| word.parse().ok()).collect();
        let pooled = pooled.ok_or(WeightsError::Head { line, wanted: "pooled" })?;
        let (in_head, values) = (head.number("head")?, head.number("values")?);
        let line = head.line;
        let lead_unit = head.text("lead_unit")?.parse().ok().filter(|unit: &f32| unit.is_finite());
        let lead_unit = lead_unit.ok_or(WeightsError::Head { line, wanted: "lead_unit" })?;
        head.text("data")?;
        Ok(Self { fields, blocks, pooled, head: in_head, values, lead_unit })
    }

    fn read_net(&self, data: &mut Data<'_>, origin: String) -> Net {
        let (channels, pools) = (self.fields * TURNINGS, 3 * self.fields);
        let scale = data.float();
        let layer = data.layer(self.fields, PLANES * WIDE * WIDE);
        let first = First::new(&layer.kernels, &layer.scales, &layer.shifts, scale);
        let blocks = (0..self.blocks).map(|number| {
            let middle = data.float();
            let a = data.dense(self.fields, channels, 3, [scale, middle]);
            let pooled = self.pooled.contains(&number).then(|| data.linear(pools, self.fields));
            Block { a, pooled, b: data.dense(self.fields, channels, 3, [middle, scale]) }
        });
        let blocks = blocks.collect();
        let head_scale = data.float();
        Net {
            origin,
            scale,
            first,
            blocks,
            head_scale,
            head: data.dense(self.head, channels, 1, [scale, head_scale]),
            head_pooled: data.linear(pools, self.head),
            points: data.linear(self.head, 2),
            values: data.linear(pools + 3 * self.head, self.values),
            out: data.linear(self.values, 3),
            lead_unit: self.lead_unit,
        }
    }
}

/// The weights, read one after the other. Beyond the end it gives zeros; `wanted` says afterwards whether that
/// happened.
struct Data<'a> {
    bytes: &'a [u8],
    wanted: usize,
}

/// A layer of kernels as it is stored.
struct Layer {
    scales: Vec<f32>,
    shifts: Vec<f32>,
    kernels: Vec<i16>,
}

impl Data<'_> {
    fn take(&mut self, count: usize) -> Vec<u8> {
        let start = self.wanted.min(self.bytes.len());
        self.wanted += count;
        let mut taken = self.bytes[start..self.wanted.min(self.bytes.len())].to_vec();
        taken.resize(count, 0);
        taken
    }

    fn floats(&mut self, count: usize) -> Vec<f32> {
        self.take(4 * count).as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
    }

    fn float(&mut self) -> f32 {
        f32::from_le_bytes(self.take(4).first_chunk().copied().unwrap_or_default())
    }

    fn linear(&mut self, inputs: usize, outputs: usize) -> Linear {
        Linear { weights: self.floats(inputs * outputs), bias: self.floats(outputs) }
    }

    fn layer(&mut self, fields: usize, kernel: usize) -> Layer {
        let (scales, shifts) = (self.floats(fields), self.floats(fields));
        let bytes = self.take(2 * fields * kernel);
        let weights =
            bytes.as_chunks().0.iter().map(|&b| i16::from_le_bytes(b).clamp(-TOP_WEIGHT, TOP_WEIGHT));
        let kernels = weights.collect();
        Layer { scales, shifts, kernels }
    }

    fn dense(&mut self, fields: usize, inputs: usize, width: usize, [from, to]: [f32; 2]) -> Dense {
        let Layer { scales, shifts, kernels } = self.layer(fields, inputs * width * width);
        Dense::new(&Stored { kernels: &kernels, scales: &scales, shifts: &shifts }, inputs, width, from, to)
    }
}
