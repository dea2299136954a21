//! Reads the lines that a controller sends. A line ends with LF, CR LF or CR.

use std::io::{self, BufRead};

/// Reads lines without their ends. A line that ends by CR is passed on at once; a following LF is skipped when it
/// comes.
#[derive(Debug)]
pub struct LineReader<R> {
    input: R,
    /// The last line ended by CR.
    after_cr: bool,
}

impl<R: BufRead> LineReader<R> {
    /// A reader of this input.
    pub const fn new(input: R) -> Self {
        Self { input, after_cr: false }
    }

    /// The next line; of a longer one the first `most` bytes, and then the rest as further lines. `None` at the end.
    ///
    /// # Errors
    /// If the input can't be read.
    pub fn next(&mut self, most: usize) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        loop {
            let bytes = match self.input.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if bytes.is_empty() {
                return Ok((!line.is_empty()).then_some(line));
            }
            if std::mem::take(&mut self.after_cr) && bytes[0] == b'\n' {
                self.input.consume(1);
                continue;
            }
            let room = bytes.len().min(most - line.len());
            match bytes[..room].iter().position(|b| matches!(b, b'\n' | b'\r')) {
                Some(end) => {
                    line.extend_from_slice(&bytes[..end]);
                    self.after_cr = bytes[end] == b'\r';
                    self.input.consume(end + 1);
                    return Ok(Some(line));
                }
                None => {
                    line.extend_from_slice(&bytes[..room]);
                    self.input.consume(room);
                    if line.len() == most {
                        return Ok(Some(line));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    #[test]
    fn lines_end_by_lf_cr_lf_or_cr_wherever_the_input_is_cut() {
        let text = b"one\r\ntwo\rthree\n\r\n\nlast";
        for capacity in 1..=text.len() {
            let mut reader = LineReader::new(BufReader::with_capacity(capacity, &text[..]));
            let mut lines = Vec::new();
            while let Some(line) = reader.next(100).expect("it can be read") {
                lines.push(String::from_utf8(line).expect("text"));
            }
            assert_eq!(lines, ["one", "two", "three", "", "", "last"], "{capacity}");
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_cut_into_several() {
        let mut reader = LineReader::new(&b"abcdefg\nh"[..]);
        let mut lines = Vec::new();
        while let Some(line) = reader.next(3).expect("it can be read") {
            lines.push(line);
        }
        assert_eq!(lines, [&b"abc"[..], b"def", b"g", b"h"]);
    }
}
