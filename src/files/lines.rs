//! Reads files of records line by line, with a limit on the length of a line.

use std::io::{self, BufRead, Read as _};

/// The longest line of a file of records, in bytes.
pub const MAX_LINE: u64 = 64 << 20;

/// The lines of a file of records, without their ends. A line longer than [`MAX_LINE`] is an error, and the last.
pub fn record_lines(reader: impl BufRead) -> impl Iterator<Item = io::Result<String>> {
    lines(reader, MAX_LINE)
}

fn lines(mut reader: impl BufRead, most: u64) -> impl Iterator<Item = io::Result<String>> {
    let mut is_over = false;
    std::iter::from_fn(move || {
        if is_over {
            return None;
        }
        let mut line = Vec::new();
        let read = reader.by_ref().take(most + 1).read_until(b'\n', &mut line);
        let is_long = line.len() as u64 > most && line.last() != Some(&b'\n');
        is_over = read.is_err() || is_long;
        match read {
            Err(error) => Some(Err(error)),
            Ok(0) => None,
            Ok(_) if is_long => Some(Err(io::Error::other(format!("a line is longer than {most} bytes")))),
            Ok(_) => {
                let end = line.strip_suffix(b"\n").map(|l| l.strip_suffix(b"\r").unwrap_or(l).len());
                line.truncate(end.unwrap_or(line.len()));
                Some(String::from_utf8(line).map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e)))
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn lines_come_whole_and_one_that_is_too_long_ends_them() {
        for (text, told) in [
            ("", vec![]),
            ("a\nbcde\r\n\nf", vec![Some("a"), Some("bcde"), Some(""), Some("f")]),
            ("a\nbcdefghi\nj\n", vec![Some("a"), None]),
        ] {
            let found: Vec<_> = lines(text.as_bytes(), 6).map(Result::ok).collect();
            assert_eq!(found, told.iter().map(|l| l.map(str::to_owned)).collect::<Vec<_>>(), "{text:?}");
        }
    }

    #[test]
    fn a_file_without_an_end_of_a_line_is_read_to_the_limit_alone() {
        let mut endless = lines(std::io::BufReader::new(std::io::repeat(0)), 1 << 16);
        assert!(endless.next().is_some_and(|line| line.is_err()));
        assert!(endless.next().is_none());
    }
}
