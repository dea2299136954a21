//! Merges the shards of a self-play run. The merged folder is byte for byte the folder of a single process.
//!
//! All files of the folder are computed from the game records. So the code of self-play also writes the merged folder,
//! with records from the shards in place of played games. To make this possible, the manifest of a shard names the
//! scene.

use super::folder::{self, Folder, manifest};
use super::{Finished, Plan};
use crate::batch::run_folder::{Existing, Manifest};
use crate::batch::selfplay::summary::Summary;
use crate::batch::shard::{Shard, Shards};
use crate::files::display;
use crate::judges;
use crate::scene::{PlainFiles, cases, paths};
use anyhow::{Context as _, bail, ensure};
use serde_json::{Value, json};
use std::path::Path;

/// The field of a shard's settings that names the scene.
const SCENE: &str = "scene";

/// The manifest of a shard: it says which, and of what scene; that of a whole run as it is.
#[must_use]
pub fn marked(mut manifest: Manifest, shard: Option<Shard>, scene: &Path) -> Manifest {
    if let (Some(_), Some(settings)) = (shard, manifest.settings.as_object_mut()) {
        settings.insert(SCENE.into(), json!(display(scene)));
    }
    crate::batch::shard::marked(manifest, shard)
}

/// Puts the shards together; the summary of all games.
///
/// # Errors
/// If a shard is not finished or was altered, or the scene has changed since; if the folder is refused or can't be
/// written.
pub fn run(mut shards: Shards, out: &Path, existing: Existing) -> anyhow::Result<Summary> {
    let settings = shards.manifest.settings.as_object_mut().context("the manifests have no settings")?;
    let scene = settings.shift_remove(SCENE);
    let scene = scene.as_ref().and_then(Value::as_str).context("the manifests name no scene")?;
    let seed = settings["seed"].as_u64().context("the manifests have no seed")?;
    let one_file = settings.get("one_file").is_some();
    let [effort, judge, date] =
        ["effort", "judge", "date"].map(|name| settings[name].as_str().map(str::to_owned));
    let (files, unusable) = paths::scene_files(&[scene.into()]);
    if let Some((_, reason)) = unusable.first() {
        bail!("can't use the scene {scene}: {reason}; merge where the shards were played");
    }
    let cases = cases::of_files(&files, seed, &PlainFiles::default());
    let mut plan = Plan::of(&cases, seed).map_err(|faults| match faults.into_iter().next() {
        Some((_, fault)) => anyhow::anyhow!("{fault}"),
        None => anyhow::anyhow!("the scene names no position"),
    })?;
    plan.effort = tengen_go::Level::ALL.into_iter().find(|level| Some(level.name()) == effort.as_deref());
    plan.judge = judge.map(|name| judges::named(&name)).transpose().map_err(anyhow::Error::msg)?;
    plan.date = date;
    plan.one_file = one_file;
    let manifest = manifest(&plan, &cases);
    ensure!(
        manifest == shards.manifest,
        "{scene} or a file it names has changed since the shards were played"
    );
    let games = collect(&shards, &plan)?;
    let mut folder = Folder::open(out, &plan, &manifest, existing)?;
    for game in &games {
        folder.add(game)?;
    }
    let summary = Summary::of(&plan, folder.entries().iter().map(|(&number, entry)| (number, entry)));
    folder.finish(&summary.json())?;
    Ok(summary)
}

/// The games of all shards, in their order.
fn collect(shards: &Shards, plan: &Plan) -> anyhow::Result<Vec<Finished>> {
    let mut games = Vec::new();
    for path in &shards.folders {
        let of_shard = folder::finished(path, plan.extension())?;
        games.extend(of_shard);
    }
    games.sort_by_key(|game| game.number);
    for (index, game) in games.iter().enumerate() {
        let wanted = index as u32 + 1;
        if game.number != wanted {
            let shard = shards.folders[index % shards.folders.len()].display();
            bail!("game {wanted} is missing in {shard}: play that shard again with --resume");
        }
    }
    Ok(games)
}
