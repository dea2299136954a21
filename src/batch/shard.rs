//! Splits a run into shards. Several processes each run one shard into a separate folder, and `tengen merge` joins the
//! folders.
//!
//! Shard *i* of *N* has every *N*-th case (or game), from the *i*-th on. This distributes neighbouring cases, which are
//! often alike, over all shards. The result of a case does not depend on the other cases. So the records of the shards,
//! in the order of the cases, are the records of an undivided run.

use super::run_folder::{MANIFEST, Manifest};
use anyhow::{Context as _, bail, ensure};
use serde_json::json;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The field of a manifest's settings that says which shard a folder holds.
const SETTING: &str = "shard";

/// One of a run's shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which one, from 1.
    number: usize,
    /// The number of shards.
    of: usize,
}

impl Shard {
    /// The one shard of a run that is not shared out.
    pub const WHOLE: Self = Self { number: 1, of: 1 };

    /// Whether the case (or game) with this index, from 0, is this shard's.
    #[must_use]
    pub const fn has(self, index: usize) -> bool {
        index % self.of == self.number - 1
    }

    /// The items that are this shard's, in their order.
    #[must_use]
    pub fn select<T>(self, items: Vec<T>) -> Vec<T> {
        items.into_iter().enumerate().filter(|(index, _)| self.has(*index)).map(|(_, item)| item).collect()
    }

    /// The number of this shard's items among this many.
    #[must_use]
    pub const fn share(self, items: usize) -> usize {
        (items + self.of - self.number) / self.of
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match parts {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => Err("a shard is i/N with i from 1 to N, as 3/7".into()),
        }
    }
}

/// A manifest that says which shard its folder holds.
#[must_use]
pub fn marked(mut manifest: Manifest, shard: Option<Shard>) -> Manifest {
    if let (Some(shard), Some(settings)) = (shard, manifest.settings.as_object_mut()) {
        settings.insert(SETTING.into(), json!(shard.to_string()));
    }
    manifest
}

/// The folders of all shards of one run, in the order of the shards.
#[derive(Debug)]
pub struct Shards {
    /// The folders, shard 1 first.
    pub folders: Vec<PathBuf>,
    /// The manifest of the whole run.
    pub manifest: Manifest,
}

impl Shards {
    /// Reads the manifests of folders that should be all shards of one run.
    ///
    /// # Errors
    /// If a folder holds no shard, or that of another run; if a shard is missing or is there twice.
    pub fn read(folders: &[PathBuf]) -> anyhow::Result<Self> {
        let mut found: Vec<(Shard, &PathBuf, Manifest)> = Vec::new();
        for folder in folders {
            let (shard, manifest) = read(folder)?;
            if let Some((first, at, like)) = found.first() {
                ensure!(
                    *like == manifest && first.of == shard.of,
                    "{} and {} hold shards of different runs",
                    at.display(),
                    folder.display()
                );
            }
            if let Some((_, at, _)) = found.iter().find(|(other, ..)| *other == shard) {
                bail!("{} and {} both hold shard {shard}", at.display(), folder.display());
            }
            found.push((shard, folder, manifest));
        }
        found.sort_by_key(|(shard, ..)| shard.number);
        let Some((first, _, manifest)) = found.first() else { bail!("no folders") };
        let there = |number: &usize| found.iter().any(|(shard, ..)| shard.number == *number);
        let missing: Vec<String> = (1..=first.of).filter(|n| !there(n)).map(|n| n.to_string()).collect();
        let named = missing[..missing.len().min(5)].join(", ");
        ensure!(missing.is_empty(), "{} of {} shards are missing: {named}", missing.len(), first.of);
        let folders = found.iter().map(|(_, folder, _)| (*folder).clone()).collect();
        Ok(Self { folders, manifest: manifest.clone() })
    }

    /// Which shard the folder with this index holds.
    #[must_use]
    pub fn shard(&self, index: usize) -> Shard {
        Shard { number: index + 1, of: self.folders.len() }
    }
}

/// Which shard a folder holds, and the manifest of the whole run.
fn read(folder: &Path) -> anyhow::Result<(Shard, Manifest)> {
    let path = folder.join(MANIFEST);
    let shown = path.display();
    let text = fs::read_to_string(&path).with_context(|| format!("can't read {shown}"))?;
    let mut manifest: Manifest =
        serde_json::from_str(&text).with_context(|| format!("{shown} is no manifest of a run"))?;
    let shard = manifest.settings.as_object_mut().and_then(|settings| settings.shift_remove(SETTING));
    let shard = shard.as_ref().and_then(|value| value.as_str()).and_then(|text| text.parse().ok());
    let Some(shard) = shard else {
        bail!("{} holds a whole run, no shard of one", folder.display());
    };
    Ok((shard, manifest))
}
