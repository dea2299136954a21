//! `tengen gdl fmt`: writes rulesheets in one style, or checks their style.

use super::Outcome;
use crate::scene::rulesheets;
use anyhow::Context as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tengen_propnet::gdl::print;

/// The arguments of `tengen gdl fmt`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The rulesheets (`-` is stdin, and its result goes to stdout)
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Change nothing; name the files that are not in the style, and end with status 1 if there are any
    #[arg(long)]
    check: bool,
}

/// Formats each file. One with faults stays as it is.
pub(super) fn main(args: &Args) -> anyhow::Result<Outcome> {
    let mut good = true;
    for file in &args.files {
        let name = crate::files::display(file);
        let formatted = rulesheets::read(file).map_err(|fault| vec![fault]).and_then(|text| {
            let formatted = print::format(&text).map_err(|errors| {
                errors.iter().map(|e| e.diagnostic(&text).in_file(&name)).collect::<Vec<_>>()
            })?;
            Ok((formatted, text))
        });
        match formatted {
            Err(faults) => {
                faults.iter().try_for_each(|fault| writeln!(io::stderr(), "{fault}"))?;
                good = false;
            }
            Ok((formatted, text)) if args.check => {
                if formatted != text {
                    let name = tengen_core::escaped_line(&name);
                    writeln!(io::stdout(), "{name}: not in the style of `tengen gdl fmt`")?;
                    good = false;
                }
            }
            Ok((formatted, text)) => write(file, &formatted, &text, &mut io::stdout().lock())?,
        }
    }
    Ok(good.into())
}

/// Writes a good rulesheet back in one style.
pub(super) fn write_back(file: &Path, text: &str, out: &mut impl Write) -> anyhow::Result<()> {
    match print::format(text) {
        Ok(formatted) => write(file, &formatted, text, out),
        Err(_) => Ok(()),
    }
}

fn write(file: &Path, formatted: &str, text: &str, out: &mut impl Write) -> anyhow::Result<()> {
    if file.as_os_str() == "-" {
        return Ok(out.write_all(formatted.as_bytes())?);
    }
    if formatted != text {
        // A link stays a link.
        let target = file.canonicalize().with_context(|| crate::files::display(file))?;
        crate::files::write_file(&target, |out| out.write_all(formatted.as_bytes()))?;
    }
    Ok(())
}
