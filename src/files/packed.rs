//! Reads packed files. Their first bytes identify the format, and they are unpacked while they are read.
//!
//! The module reads `.gz`, `.bz2` and `.zst`, also files of several compressed parts. For any other format, the error
//! message names the format.

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::borrow::Cow;
use std::io::{self, BufRead, Read};
use std::path::Path;

/// The endings of packed files that are read.
const ENDINGS: [&str; 4] = ["gz", "bz2", "zst", "zstd"];
/// The endings of packed files that are not supported, so that `games.pgn.zip` is reported and not skipped.
const OTHER_ENDINGS: [&str; 7] = ["zip", "7z", "xz", "rar", "lz4", "lzma", "z"];

/// The first bytes of packed files that are not read, and what these are called.
const OTHERS: [(&[u8], &str); 6] = [
    (b"PK\x03\x04", "zip"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"\xfd7zXZ\0", "xz"),
    (b"Rar!\x1a\x07", "rar"),
    (b"\x04\x22\x4d\x18", "lz4"),
    (b"\x1f\x9d", "compress (.Z)"),
];

/// The ending of a file's name in small letters, that of its packing aside: `pgn` of `Games.PGN.zst`.
#[must_use]
pub fn ending(path: &Path) -> Option<String> {
    let of = |path: &Path| Some(path.extension()?.to_str()?.to_ascii_lowercase());
    let last = of(path)?;
    if ENDINGS.contains(&&*last) || OTHER_ENDINGS.contains(&&*last) {
        return of(Path::new(path.file_stem()?));
    }
    Some(last)
}

/// The name of a file without its ending, nor that of its packing.
#[must_use]
pub fn stem(path: &Path) -> Cow<'_, str> {
    let stem = path.file_stem().unwrap_or_default();
    let is_packed = path
        .extension()
        .and_then(|ending| ending.to_str())
        .is_some_and(|ending| ENDINGS.contains(&&*ending.to_ascii_lowercase()));
    let bare = if is_packed { Path::new(stem).file_stem().unwrap_or(stem) } else { stem };
    bare.to_string_lossy()
}

/// The content of a file, unpacked while it is read.
///
/// # Errors
/// The name of a packing that is not read; why the first bytes can't be read.
pub(super) fn unpacked(mut file: impl BufRead + Send + 'static) -> Result<Box<dyn Read + Send>, String> {
    let head = file.fill_buf().map_err(|error| super::reason(&error))?;
    if let Some((_, name)) = OTHERS.iter().find(|(sign, _)| head.starts_with(sign)) {
        return Err(format!(
            "it is packed as {name}, which is not read here: unpack it, or pack it as .zst, .gz or .bz2"
        ));
    }
    Ok(match head {
        [0x1f, 0x8b, ..] => Box::new(flate2::bufread::MultiGzDecoder::new(file)),
        [b'B', b'Z', b'h', b'1'..=b'9', ..] => Box::new(bzip2::bufread::MultiBzDecoder::new(file)),
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Box::new(Zstd::new(file)),
        _ => Box::new(file),
    })
}

/// Unpacks the frames of a file of Zstandard.
struct Zstd<R> {
    file: R,
    decoder: FrameDecoder,
    /// Within a frame.
    is_inside: bool,
}

impl<R: BufRead> Zstd<R> {
    fn new(file: R) -> Self {
        Self { file, decoder: FrameDecoder::new(), is_inside: false }
    }

    /// Goes to the next frame that is not empty, and says whether there is one.
    fn begin(&mut self) -> io::Result<bool> {
        while !self.file.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.file) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    io::copy(&mut (&mut self.file).take(length.into()), &mut io::sink())?;
                }
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        Ok(false)
    }
}

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.is_inside {
                if !self.begin()? {
                    return Ok(0);
                }
                self.is_inside = true;
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let step = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.file, step).map_err(io::Error::other)?;
            }
            let length = self.decoder.read(out)?;
            if length > 0 {
                return Ok(length);
            }
            self.is_inside = !self.decoder.is_finished();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    use std::io::Write as _;

    fn read(bytes: Vec<u8>) -> Result<Vec<u8>, String> {
        let mut out = Vec::new();
        unpacked(io::Cursor::new(bytes))?.read_to_end(&mut out).map_err(|error| error.to_string())?;
        Ok(out)
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(bytes).and_then(|()| packer.finish()).expect("a vector takes all")
    }

    fn bzip2(bytes: &[u8]) -> Vec<u8> {
        let mut packer = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        packer.write_all(bytes).and_then(|()| packer.finish()).expect("a vector takes all")
    }

    fn zstd(bytes: &[u8]) -> Vec<u8> {
        compress_to_vec(bytes, CompressionLevel::Fastest)
    }

    #[test]
    fn what_is_packed_is_what_comes_out_of_several_parts_too() {
        let text: Vec<u8> = (0..300_000_u32).flat_map(|n| n.wrapping_mul(n).to_le_bytes()).collect();
        for pack in [gzip, bzip2, zstd] {
            for parts in [vec![&text[..]], vec![&text[..10], &text[10..]], vec![b"".as_slice(), &text]] {
                let packed: Vec<u8> = parts.iter().flat_map(|part| pack(part)).collect();
                assert_eq!(read(packed), Ok(text.clone()));
            }
        }
        let mut skipped = vec![0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
        skipped.extend(zstd(&text));
        assert_eq!(read(skipped), Ok(text.clone()));
        assert_eq!(read(text.clone()), Ok(text));
        assert_eq!(read(Vec::new()), Ok(Vec::new()));
    }

    #[test]
    fn torn_files_and_other_packings_are_faults() {
        for pack in [gzip, bzip2, zstd] {
            let packed = pack(&[7; 100_000]);
            assert!(read(packed[..packed.len() - 9].to_vec()).is_err());
        }
        for (sign, name) in OTHERS {
            let fault = read(sign.to_vec()).expect_err("it is not read");
            assert!(fault.contains(name), "{fault}");
        }
    }

    #[test]
    fn the_ending_is_that_of_what_is_packed() {
        let table = [
            ("a.pgn", Some("pgn"), "a"),
            ("A.PGN.ZST", Some("pgn"), "A"),
            ("b.sgf.gz", Some("sgf"), "b"),
            ("b.c.epd.bz2", Some("epd"), "b.c"),
            ("d.pgn.zip", Some("pgn"), "d.pgn"),
            ("e.zst", None, "e"),
            ("none", None, "none"),
        ];
        for (name, wanted, bare) in table {
            assert_eq!(ending(Path::new(name)).as_deref(), wanted, "{name}");
            assert_eq!(stem(Path::new(name)), bare, "{name}");
        }
    }
}
