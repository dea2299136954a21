//! The menu of layers: the five most used layers, and the others under "More". One sentence describes the chosen layer,
//! and links to the page that explains its term.

use super::look::Look;
use crate::report::board::Layer;
use std::fmt::Write as _;
use tengen_render::escape;

/// A layer: its key on the keyboard, its name in the menu, its description, and the page that explains it.
struct Entry {
    layer: Layer,
    key: char,
    name: &'static str,
    shows: &'static str,
    concept: &'static str,
}

const fn entry(
    layer: Layer,
    key: char,
    name: &'static str,
    shows: &'static str,
    concept: &'static str,
) -> Entry {
    Entry { layer, key, name, shows, concept }
}

/// The layers of every day.
const COMMON: [Entry; 5] = [
    entry(
        Layer::Territory,
        'y',
        "Territory",
        "Whose each point is likely to be: the larger the square, the surer.",
        "territory",
    ),
    entry(
        Layer::Dragons,
        'd',
        "Groups",
        "Groups by their fate: alive, critical, dead or unknown, a letter for each.",
        "dragon",
    ),
    entry(
        Layer::Influence,
        'i',
        "Influence",
        "How strongly one side’s stones reach each point.",
        "influence",
    ),
    entry(
        Layer::Moves,
        'm',
        "Candidates",
        "The moves that are worth most, by rank. Click on one to see why.",
        "move-value",
    ),
    entry(Layer::Stones, 's', "Last move", "The stones; a ring marks the last move.", "go"),
];

/// The others.
const MORE: [Entry; 11] = [
    entry(
        Layer::Judge,
        'j',
        "Expected owners",
        "Whose the judge expects each point to be at the end, in percent.",
        "judge",
    ),
    entry(
        Layer::Regions,
        'r',
        "Frameworks",
        "Territory, likely territory (moyo) and mere influence (area).",
        "territory",
    ),
    entry(Layer::Worms, 'w', "Strings", "Connected stones, a letter for each string.", "worm"),
    entry(
        Layer::Tactics,
        't',
        "Captures",
        "Strings that can be captured, and the move that captures them.",
        "worm",
    ),
    entry(Layer::Eyes, 'e', "Eyes", "Eye spaces, and how many eyes each is worth.", "eye"),
    entry(Layer::Surround, 'u', "Surrounded", "Groups that the enemy surrounds.", "dragon"),
    entry(
        Layer::Delta,
        'x',
        "Change by a move",
        "What a move changes in territory. Choose “after a move” below, then click on it.",
        "territory",
    ),
    entry(
        Layer::Permeability,
        'p',
        "Permeability",
        "How freely influence flows through each point.",
        "influence",
    ),
    entry(Layer::Strength, 'h', "Sources", "How strongly each stone radiates influence.", "influence"),
    entry(Layer::Attenuation, 'a', "Fading", "How fast the influence of each source fades.", "influence"),
    entry(
        Layer::Patterns,
        'b',
        "Patterns",
        "Where patterns changed the influence, and which ones.",
        "influence",
    ),
];

/// The maps one can look at: the name in an address, the key, the words.
const MAPS: [(&str, char, &str); 6] = [
    ("b2", '1', "Black first, groups known"),
    ("w2", '2', "White first, groups known"),
    ("b1", '3', "Black first, groups unknown"),
    ("w1", '4', "White first, groups unknown"),
    ("after", '5', "after a move…"),
    ("follow", '6', "follow-up of a move…"),
];

/// The layers and the maps, one key each, and the sentence about the layer in force.
pub(super) fn menu(look: &Look) -> String {
    let mut out = String::from("<nav id=\"layers\" aria-label=\"Layers\">");
    for entry in &COMMON {
        out += &choice(look, entry);
    }
    let is_other = MORE.iter().any(|entry| entry.layer == look.layer) || !look.map.is_empty();
    let open = if is_other { " open" } else { "" };
    let _ = write!(
        out,
        "<details class=\"more\" id=\"more-layers\"{open}><summary>More layers and maps</summary>"
    );
    for entry in &MORE {
        out += &choice(look, entry);
    }
    out += "<div id=\"maps\"><p class=\"hint\">Who moves first in the layers of influence and territory:</p>";
    for (name, key, words) in MAPS {
        let on = if name == look.map { "on" } else { "" };
        let to = look.address(&[("map", name), ("move", "")]);
        let _ = write!(
            out,
            "<a class=\"{on}\" data-key=\"{key}\" href=\"{}\">{words} <kbd>{key}</kbd></a>",
            escape(&to)
        );
    }
    out + "</div></details></nav>" + &explained(look)
}

fn choice(look: &Look, entry: &Entry) -> String {
    let is_on = entry.layer == look.layer;
    let (class, current) = if is_on { ("on", " aria-current=\"true\"") } else { ("", "") };
    let to = look.address(&[
        ("layer", if entry.layer == Layer::Stones { "" } else { entry.layer.name() }),
        ("sheet", ""),
    ]);
    format!(
        "<a class=\"{class}\"{current} data-layer=\"{}\" data-key=\"{key}\" title=\"{}\" href=\"{}\">{} <kbd>{key}</kbd></a>",
        entry.layer.name(),
        escape(entry.shows),
        escape(&to),
        entry.name,
        key = entry.key,
    )
}

/// One sentence about the layer in force.
fn explained(look: &Look) -> String {
    let known = COMMON.iter().chain(&MORE).find(|entry| entry.layer == look.layer);
    known.map_or_else(String::new, |entry| {
        let more = if entry.concept == "go" {
            String::new()
        } else {
            format!(" <a href=\"concept?name={}\">What is that?</a>", entry.concept)
        };
        format!("<p class=\"hint\" id=\"explained\">{}{more}</p>", escape(entry.shows))
    })
}

/// The name of a layer in the menu.
pub(super) fn name(layer: Layer) -> &'static str {
    COMMON.iter().chain(&MORE).find(|entry| entry.layer == layer).map_or("", |entry| entry.name)
}
