//! Reads a text file in pieces, so that a file of any length takes little memory.
//!
//! The text is UTF-8, UTF-16 with a byte order mark, or Latin-1. The module decides between UTF-8 and Latin-1 for each
//! line.

use super::{broken, opened, text_of_any};
use encoding_rs::{CoderResult, Decoder, UTF_16BE, UTF_16LE};
use std::io::Read;
use std::path::Path;

/// The least number of bytes of a piece, except the last one.
const PIECE: usize = 1 << 20;
/// The longest line.
const LONGEST: usize = 16 << 20;

/// The pieces of a file's text. Each ends at the end of a line, the last one aside.
pub struct Pieces {
    file: Box<dyn Read + Send>,
    /// The decoder from UTF-16 to UTF-8.
    decoder: Option<Decoder>,
    /// Bytes behind the last piece.
    rest: Vec<u8>,
    is_first: bool,
    is_over: bool,
}

impl Pieces {
    /// Opens a file, packed or not.
    ///
    /// # Errors
    /// Why it can't be read.
    pub fn open(path: &Path) -> Result<Self, String> {
        Ok(Self::of(opened(path)?))
    }

    fn of(file: Box<dyn Read + Send>) -> Self {
        Self { file, decoder: None, rest: Vec::new(), is_first: true, is_over: false }
    }

    /// The next piece; `None` at the end.
    ///
    /// # Errors
    /// Why the file can't be read further.
    pub fn next_piece(&mut self) -> Result<Option<String>, String> {
        while !self.is_over {
            let known = self.rest.len();
            if known > LONGEST {
                self.is_over = true;
                return Err(format!("it has a line of more than {} MiB", LONGEST >> 20));
            }
            self.fill(known + PIECE)?;
            if !self.is_over
                && let Some(end) = end_of_line(&self.rest)
            {
                let rest = self.rest.split_off(end);
                return Ok(Some(text_of_any(&std::mem::replace(&mut self.rest, rest))));
            }
        }
        let rest = std::mem::take(&mut self.rest);
        Ok((!rest.is_empty()).then(|| text_of_any(&rest)))
    }

    /// Reads until the piece has this many bytes, or the file ends.
    fn fill(&mut self, wanted: usize) -> Result<(), String> {
        let mut piece = vec![0; 1 << 16];
        while self.rest.len() < wanted && !self.is_over {
            let length = self.file.read(&mut piece).map_err(|error| {
                self.is_over = true;
                self.rest.clear();
                broken(&error)
            })?;
            self.is_over = length == 0;
            let mut bytes = &piece[..length];
            if std::mem::take(&mut self.is_first) {
                let (encoding, mark) = match bytes {
                    [0xff, 0xfe, ..] => (Some(UTF_16LE), 2),
                    [0xfe, 0xff, ..] => (Some(UTF_16BE), 2),
                    _ => (None, 0),
                };
                self.decoder = encoding.map(|encoding| encoding.new_decoder_without_bom_handling());
                bytes = &bytes[mark..];
            }
            match &mut self.decoder {
                Some(decoder) => decode(decoder, bytes, self.is_over, &mut self.rest),
                None => self.rest.extend_from_slice(bytes),
            }
        }
        Ok(())
    }
}

/// Appends a text in UTF-16 as UTF-8.
fn decode(decoder: &mut Decoder, mut bytes: &[u8], is_over: bool, out: &mut Vec<u8>) {
    let mut buffer = [0; 1 << 12];
    loop {
        let (result, read, written, _) = decoder.decode_to_utf8(bytes, &mut buffer, is_over);
        out.extend_from_slice(&buffer[..written]);
        bytes = &bytes[read..];
        if result == CoderResult::InputEmpty {
            return;
        }
    }
}

/// The end of the last complete line. A CR that is the last byte may be half of an end.
fn end_of_line(bytes: &[u8]) -> Option<usize> {
    let last = bytes.iter().rposition(|&b| b == b'\n');
    let before_last = &bytes[..bytes.len().saturating_sub(1)];
    last.or_else(|| before_last.iter().rposition(|&b| b == b'\r')).map(|at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{self, Cursor};

    fn all(bytes: Vec<u8>) -> Vec<String> {
        let mut pieces = Pieces::of(Box::new(Cursor::new(bytes)));
        let mut out = Vec::new();
        while let Some(piece) = pieces.next_piece().expect("it can be read") {
            out.push(piece);
        }
        out
    }

    #[test]
    fn pieces_end_at_ends_of_lines_and_lose_nothing() {
        for end in ["\n", "\r\n", "\r"] {
            let text: String = (0..300_000).map(|n| format!("line {n}\u{e9}{end}")).collect();
            let pieces = all(text.clone().into_bytes());
            assert!(pieces.len() > 2, "{}", pieces.len());
            assert!(pieces.iter().all(|piece| piece.ends_with('\n')));
            let wanted = if end == "\r" { text.replace('\r', "\n") } else { text };
            assert_eq!(pieces.concat(), wanted, "{end:?}");
        }
        assert_eq!(all(b"no end".to_vec()), ["no end"]);
        assert!(all(Vec::new()).is_empty());
    }

    #[test]
    fn a_text_is_in_any_of_three_encodings() {
        let text: String = (0..200_000).map(|n| format!("\u{e9} {n}\r\n")).collect();
        for unit in [u16::to_le_bytes, u16::to_be_bytes] {
            let bytes = "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(unit).collect();
            assert_eq!(all(bytes).concat(), text);
        }
        let latin = text.chars().map(|c| c as u8).collect();
        assert_eq!(all(latin).concat(), text);
        assert_eq!(all(format!("\u{feff}{text}").into_bytes()).concat(), text);
    }

    #[test]
    fn a_line_without_end_and_a_file_that_breaks_off_are_faults() {
        struct Broken(usize);
        impl Read for Broken {
            fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
                self.0 = self.0.checked_sub(1).ok_or(io::ErrorKind::InvalidData)?;
                out.fill(b'x');
                Ok(out.len())
            }
        }
        assert!(Pieces::of(Box::new(Broken(3))).next_piece().is_err());
        let fault = Pieces::of(Box::new(Broken(usize::MAX))).next_piece().expect_err("no end");
        assert!(fault.contains("a line of more than"), "{fault}");
    }
}
