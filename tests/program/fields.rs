//! Tests the table `tests/go/fields.toml`, which lists the fields that the documents about Go define. Every field of
//! the documents is in the table, and every column is filled or has a reason. The scene of a field has a value that is
//! not trivial. In this scene, records, tables and GTP give the same value, and the layer shows it. `docs/go-fields.md`
//! is generated from the table.
//!
//! After a change of the table, `cargo test --test program fields -- --ignored` writes the page.

use crate::common::{cells, repository, scratch, stdout, tengen, write};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Columns that are empty although they need not be. A gap that is closed, or a new one, changes the number.
const KNOWN_GAPS: usize = 0;

/// The fields and concepts of the documents: document, section, names.
const NAMES: &[(&str, &str, &str)] = &[
    (
        "worms-and-dragons",
        "Worms",
        "worm.color worm.size worm.effective_size worm.origin worm.liberties worm.liberties2 \
         worm.liberties3 worm.liberties4 worm.attack worm.attack_code worm.lunch worm.defend \
         worm.defend_code worm.cutstone worm.cutstone2 worm.genus worm.value worm.ko worm.inessential \
         worm.closure cavity.BLACK_BORDER cavity.WHITE_BORDER cavity.GRAY_BORDER cavity.size \
         cavity.origin cavity.ko",
    ),
    (
        "dragon.texi",
        "Worms",
        "worm.invincible worm.unconditional_status worm.attack_points worm.attack_codes \
         worm.defense_points worm.defense_codes worm.attack_threat_points worm.attack_threat_codes \
         worm.defense_threat_points worm.defense_threat_codes",
    ),
    (
        "worms-and-dragons",
        "Amalgamation of cavities",
        "amalgamation.cavities amalgamation.boundary_components",
    ),
    ("worms-and-dragons", "Amalgamation of strings", "amalgamation.strings"),
    (
        "worms-and-dragons",
        "Connection",
        "connection.black_eye.cut connection.white_eye.cut autohelper.xcut autohelper.ocut \
         autohelper.odefend_against",
    ),
    ("worms-and-dragons", "Half Eyes and False Eyes", "half_eye.HALF_EYE half_eye.FALSE_EYE half_eye.ki_kj"),
    (
        "dragon.texi",
        "Half Eyes",
        "half_eye.value half_eye.num_attacks half_eye.attack_point half_eye.num_defends \
         half_eye.defense_point",
    ),
    (
        "worms-and-dragons",
        "Distance and Strategic Distance",
        "distance.distance_to_black distance.distance_to_white distance.strategic_distance_to_black \
         distance.strategic_distance_to_white",
    ),
    (
        "worms-and-dragons",
        "Dragons",
        "dragon.color dragon.origin cave.border dragon.size dragon.effective_size dragon.heyes \
         dragon.heye dragon.genus dragon.escape_route dragon.escape2 dragon.lunch dragon.status \
         dragon.safety dragon.vitality dragon.semeai dragon.value cave.BLACK_BORDER cave.WHITE_BORDER \
         cave.GRAY_BORDER",
    ),
    ("worms-and-dragons", "Colored display", "display.dragons_in_color"),
    (
        "dragon.texi",
        "Dragons",
        "dragon.crude_status dragon.owl_status dragon.neighbors dragon.hostile_neighbors dragon.moyo_size \
         dragon.moyo_territorial_value dragon.weakness dragon.weakness_pre_owl dragon.surround_status \
         dragon.surround_size dragon.owl_attack_point dragon.owl_attack_code dragon.owl_attack_certain \
         dragon.owl_defense_point dragon.owl_defense_code dragon.owl_defense_certain \
         dragon.owl_threat_status dragon.owl_second_attack_point dragon.owl_second_defense_point \
         dragon.owl_attack_kworm dragon.owl_defense_kworm dragon.semeai_margin_of_safety dragon.semeais \
         dragon.semeai_defense_point dragon.semeai_defense_certain dragon.semeai_attack_point \
         dragon.semeai_attack_certain",
    ),
    ("eyes.texi", "Eye spaces", "eye.vertices eye.origin eye.esize eye.marginal"),
    ("eyes.texi", "The eyespace as local game", "eye.value eye.attack_points eye.defence_points"),
    ("eyes.texi", "False Margins", "eye.false_margin"),
    ("eyes.texi", "Functions in optics.c", "eye.neighbors"),
    ("influence", "Conceptual Outline of Influence", "influence.lively influence.intrusion_source"),
    (
        "influence",
        "Where influence gets used in the engine",
        "influence.initial_influence.white influence.first_influence.white \
         influence.initial_influence.black influence.first_influence.black influence.move_influence \
         influence.followup_influence autohelper.olib",
    ),
    (
        "influence",
        "The Core of the Influence Function",
        "influence.source_strength.white influence.source_strength.black influence.order_of_visits",
    ),
    (
        "influence",
        "The Influence Algorithm",
        "influence.attenuation.white influence.attenuation.black influence.directional_damping",
    ),
    ("influence", "Permeability", "influence.permeability.white influence.permeability.black"),
    ("influence", "Details of the Territory Valuation", "influence.territory_value"),
    ("influence", "Territory, Moyo and Area", "influence.territory influence.moyo influence.area"),
    (
        "influence",
        "Patterns used by the Influence module",
        "influence.non_territory influence.pattern.A influence.pattern.D influence.pattern.B \
         influence.pattern.I influence.pattern.t influence.pattern.E influence.pattern.Y_FY \
         autohelper.xplay_attack autohelper.non_oterritory autohelper.non_xterritory",
    ),
    (
        "influence",
        "Influence and Territory",
        "influence.delta_territory influence.followup influence.reverse_followup",
    ),
    (
        "influence",
        "Escape",
        "escape.escape_value escape.friend_value escape.distance_four escape.escape_route",
    ),
    ("influence", "Break Ins", "break_in.list break_in.break_in break_in.block_off"),
    (
        "influence",
        "Surrounded Dragons",
        "surround.is_surrounded surround.WEAKLY_SURROUNDED surround.surround_map surround.hull \
         surround.surround_set surround.does_surround",
    ),
    (
        "influence",
        "Colored display and debugging of influence",
        "display.m_0x08 display.m_0x010 display.m_0x20 display.m_0x40 display.m_0x80 display.m_0x100 \
         display.m_0x200 display.debug_influence",
    ),
];

/// The columns that are filled or have a reason.
const COLUMNS: [&str; 6] = ["component", "record", "table", "gtp", "layer", "scene"];

/// Other keys of a field.
const KEYS: [&str; 11] = [
    "name",
    "document",
    "section",
    "after",
    "pass",
    "followup",
    "at",
    "value",
    "gtp_value",
    "neutral",
    "difference",
];

/// The scene of a layer that needs none of its own.
const ANY_SCENE: &str = "go/fields/fields.ron#a middle game with kos, races and half eyes";

/// Lists of the record whose entries the columns of points number, and the columns.
const NUMBERED: [(&str, &[&str]); 3] =
    [("worms", &["worm"]), ("dragons", &["dragon"]), ("eyes", &["black_eye", "white_eye"])];

/// Lists of the record whose entries name a vertex, and the key that does.
const NAMED: [(&str, &str); 6] = [
    ("cavities", "origin"),
    ("caves", "origin"),
    ("half_eyes", "vertex"),
    ("effects", "vertex"),
    ("break_ins", "break_in"),
    ("moves", "move"),
];

/// A field of the table.
#[derive(Default)]
struct Field {
    texts: BTreeMap<String, String>,
    missing: BTreeMap<String, String>,
    absent: BTreeMap<String, String>,
}

impl Field {
    fn get(&self, key: &str) -> Option<&str> {
        self.texts.get(key).map(String::as_str)
    }

    fn name(&self) -> &str {
        self.get("name").unwrap_or("a field without a name")
    }

    /// The name without the thing it is a field of.
    fn short(&self) -> &str {
        self.name().split_once('.').map_or("", |(_, short)| short)
    }
}

fn table_path() -> PathBuf {
    repository().join("tests/go/fields.toml")
}

/// Reads the table: the part of TOML whose values are texts, one on each line.
fn fields() -> Vec<Field> {
    let text = fs::read_to_string(table_path()).expect("the table of fields");
    let mut fields: Vec<Field> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if line == "[[field]]" {
            fields.push(Field::default());
            continue;
        }
        let (key, value) = line.split_once(" = ").unwrap_or_else(|| panic!("line {}: {line}", number + 1));
        let value: String =
            serde_json::from_str(value).unwrap_or_else(|e| panic!("line {}: {e}", number + 1));
        let field = fields.last_mut().expect("a field begins with [[field]]");
        let (of, key) = match key.split_once('.') {
            Some(("missing", column)) => (&mut field.missing, column),
            Some(("absent", column)) => (&mut field.absent, column),
            _ => (&mut field.texts, key),
        };
        assert!(of.insert(key.to_owned(), value).is_none(), "line {}: {key} is there twice", number + 1);
    }
    fields
}

#[test]
fn every_field_of_the_documents_is_in_the_table_and_has_its_columns_or_a_reason() {
    let fields = fields();
    let mut wrong = Vec::new();
    let mut wanted = BTreeSet::new();
    for (document, section, names) in NAMES {
        for name in names.split_whitespace() {
            wanted.insert((name.to_owned(), (*document).to_owned(), (*section).to_owned()));
        }
    }
    let text = |field: &Field, key: &str| field.get(key).unwrap_or_default().to_owned();
    let mut found = BTreeSet::new();
    for field in &fields {
        let key = (text(field, "name"), text(field, "document"), text(field, "section"));
        if !found.insert(key) {
            wrong.push(format!("{} is there twice", field.name()));
        }
    }
    for (name, document, section) in wanted.difference(&found) {
        wrong.push(format!("{name} of {document}, {section}, is not in the table"));
    }
    for (name, document, section) in found.difference(&wanted) {
        wrong.push(format!("{name} is no name of {document}, {section}"));
    }
    for field in &fields {
        for column in COLUMNS {
            let reasons = [&field.missing, &field.absent].map(|of| of.get(column).map(String::as_str));
            let given = field.get(column).is_some();
            let reasoned = reasons.iter().flatten().any(|reason| !reason.trim().is_empty());
            let many = reasons.iter().flatten().count() + usize::from(given);
            if many != 1 || !(given || reasoned) {
                wrong.push(format!(
                    "{}: {column} is empty without a reason, or filled with one",
                    field.name()
                ));
            }
        }
        let known = |key: &String| COLUMNS.contains(&key.as_str()) || KEYS.contains(&key.as_str());
        for key in field.texts.keys().filter(|key| !known(key)) {
            wrong.push(format!("{}: there is no key {key}", field.name()));
        }
        for key in field.missing.keys().chain(field.absent.keys()).filter(|k| !COLUMNS.contains(&k.as_str()))
        {
            wrong.push(format!("{}: there is no column {key}", field.name()));
        }
        if field.get("gtp_value").is_some() && field.get("difference").is_none() {
            wrong.push(format!("{}: GTP has another form, and no difference says why", field.name()));
        }
        wrong.extend(component_fault(field));
    }
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
    let gaps: usize = fields.iter().map(|field| field.missing.len()).sum();
    assert_eq!(gaps, KNOWN_GAPS, "known gaps: the constant KNOWN_GAPS says how many there are");
}

/// Whether the component of a field is there: the file, the type, the field of the type.
fn component_fault(field: &Field) -> Option<String> {
    let component = field.get("component")?;
    let fault = |what: &str| Some(format!("{}: {component}: {what}", field.name()));
    let Some((file, named)) = component.split_once(' ') else { return fault("no type is named") };
    let Ok(text) = fs::read_to_string(repository().join("systems/go/src").join(file)) else {
        return fault("there is no such file");
    };
    let (kind, member) = named.split_once('.').unwrap_or((named, ""));
    let begin = |word: &str| text.split_once(&format!("pub {word} {kind}"));
    let Some((before, after)) = begin("struct").or_else(|| begin("enum")) else {
        return fault("there is no such type");
    };
    let derives = before.rsplit("\n\n").next().unwrap_or_default();
    if !derives.contains("Component") {
        return fault("it is no component");
    }
    let body = after.split("\n}").next().unwrap_or_default();
    if !member.is_empty() && !body.contains(&format!("pub {member}:")) {
        return fault("it has no such field");
    }
    None
}

/// The positions of the table's scenes, and what the program says of them.
struct Found {
    /// The scenes by name; their places are the names in `fields.ron`.
    scenes: Vec<String>,
    folder: PathBuf,
    results: Vec<Value>,
    /// The tables by name: rows of cells by the names of the columns.
    tables: BTreeMap<String, Vec<BTreeMap<String, String>>>,
    shown: BTreeMap<(usize, String, Vec<String>), String>,
}

impl Found {
    /// Analyses the positions of all scenes with all columns of the record.
    fn new(fields: &[Field]) -> Self {
        let mut scenes: BTreeSet<String> =
            fields.iter().filter_map(|field| field.get("scene")).map(str::to_owned).collect();
        scenes.insert(ANY_SCENE.to_owned());
        let scenes: Vec<String> = scenes.into_iter().collect();
        let positions = positions(&scenes);
        let folder = scratch("fields");
        let mut text = String::from("(version: 1, scenes: [\n");
        for (number, position) in positions.iter().enumerate() {
            let _ = writeln!(
                text,
                "(name: \"{number}\", game: Go(to_move: {}, komi: {}, diagram: \"{}\"), task: Analyse(columns: \
                 [Influence, FirstInfluence, Territory, Regions, Points, Eyes, Effects, Surround, Threats, Moves]{})),",
                position["to_move"].as_str().expect("a colour"),
                position["komi"],
                diagram(position),
                move_of(fields, &scenes[number]).map_or_else(String::new, |v| format!(", after: \"{v}\""))
            );
        }
        text.push_str("])\n");
        write(&folder, "fields.ron", &text);
        let arguments = ["run", "fields.ron", "--out", "run", "--judge", "none", "--no-progress"];
        let output = tengen(&folder, &arguments);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let output = tengen(&folder, &["export", "run", "--format", "csv"]);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let records = fs::read_to_string(folder.join("run/records.jsonl")).expect("records");
        let results = records
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("a record")["result"].clone())
            .collect();
        let tables = tables(&folder.join("run/tables"));
        Self { scenes, folder, results, tables, shown: BTreeMap::new() }
    }

    fn place(&self, scene: &str) -> usize {
        self.scenes.iter().position(|name| name == scene).unwrap_or_else(|| panic!("no scene {scene}"))
    }

    /// The value at a path of the record.
    fn record(&self, scene: usize, at: &str, path: &str) -> Option<Value> {
        let result = &self.results[scene];
        let (list, rest) = path.split_once('/').unwrap_or((path, ""));
        let unit = unit_of(result, list, at);
        let value = match &unit {
            Some(unit) => unit.pointer(&format!("/{rest}")),
            None if is_list(list) => None,
            None => result.pointer(&format!("/{path}")),
        };
        let value = value?.clone();
        let size = result["size"].as_u64().unwrap_or(0) as usize;
        match value.as_array() {
            Some(values) if values.len() == size * size => Some(values[index(at, size)].clone()),
            _ => Some(value),
        }
    }

    /// The cell of a table: `TABLE.COLUMN`.
    fn table(&self, scene: usize, at: &str, named: &str) -> Option<String> {
        let (table, column) = named.split_once('.')?;
        let position = scene.to_string();
        let of_scene = |row: &&BTreeMap<String, String>| row.get("position") == Some(&position);
        let mut rows = self.tables.get(table)?.iter().filter(of_scene);
        let row = if let Some((_, columns)) = NUMBERED.iter().find(|(list, _)| *list == table) {
            let number = number_of(&self.results[scene], columns, at)?.to_string();
            let key = table.trim_end_matches('s');
            rows.find(|row| row.get(key) == Some(&number))?
        } else if table == "points" {
            rows.find(|row| row.get("vertex").map(String::as_str) == Some(at))?
        } else if let Some((_, key)) = NAMED.iter().find(|(list, _)| *list == table) {
            rows.find(|row| row.get(*key).map(String::as_str) == Some(at))?
        } else {
            rows.next()?
        };
        row.get(column).cloned()
    }

    /// What `tengen show` draws of a layer, blanks made one.
    fn layer(&mut self, scene: usize, layer: &str, options: &[&str]) -> String {
        let key = (scene, layer.to_owned(), options.iter().map(|o| (*o).to_owned()).collect::<Vec<String>>());
        if let Some(known) = self.shown.get(&key) {
            return known.clone();
        }
        let name = scene.to_string();
        let mut arguments = vec![
            "show",
            "fields.ron",
            "--scene",
            &name,
            "--layer",
            layer,
            "--color",
            "never",
            "--judge",
            "none",
        ];
        arguments.extend(options);
        let output = tengen(&self.folder, &arguments);
        let text = if output.status.success() {
            stdout(&output)
        } else {
            String::from_utf8_lossy(&output.stderr).into_owned()
        };
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.shown.insert(key, text.clone());
        text
    }
}

/// The move of a scene after which its record tells influence, if a field of it needs one.
fn move_of<'a>(fields: &'a [Field], scene: &str) -> Option<&'a str> {
    let is_of = |field: &&Field| {
        field.get("scene") == Some(scene)
            && field.get("record").is_some_and(|path| path.starts_with("after/"))
    };
    fields.iter().find(is_of)?.get("after")
}

/// The positions of scenes of the repository, as records have them.
fn positions(scenes: &[String]) -> Vec<Value> {
    let file = |scene: &String| scene.split('#').next().unwrap_or_default().to_owned();
    let files: BTreeSet<String> = scenes.iter().map(file).map(|file| format!("scenes/{file}")).collect();
    let mut arguments: Vec<&str> = vec!["run", "--format", "json", "--judge", "none", "--no-progress"];
    arguments.extend(files.iter().map(String::as_str));
    let text = stdout(&tengen(&repository(), &arguments));
    let records: BTreeMap<String, Value> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a record"))
        .map(|record| (record["id"].as_str().unwrap_or_default().to_owned(), record["result"].clone()))
        .collect();
    let of = |scene: &String| records.get(&format!("scenes/{scene}")).cloned();
    scenes.iter().map(|scene| of(scene).unwrap_or_else(|| panic!("there is no scene {scene}"))).collect()
}

/// The stones of a position as a scene draws them.
fn diagram(position: &Value) -> String {
    let stones: Vec<char> = position["stones"].as_str().expect("stones").chars().collect();
    let size = position["size"].as_u64().expect("a size") as usize;
    let mut text = String::from("\n");
    for row in stones.chunks(size) {
        let row: Vec<String> = row.iter().map(char::to_string).collect();
        text.push_str(&row.join(" "));
        text.push('\n');
    }
    text
}

/// All tables of a folder of CSV files.
fn tables(folder: &Path) -> BTreeMap<String, Vec<BTreeMap<String, String>>> {
    let mut tables = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("tables") {
        let path = entry.expect("a table").path();
        let text = fs::read_to_string(&path).expect("a table");
        let mut lines = text.lines().map(cells);
        let header = lines.next().expect("a header");
        let rows = lines.map(|cells| header.iter().cloned().zip(cells).collect()).collect();
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        tables.insert(name, rows);
    }
    tables
}

const LETTERS: &str = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// The place of a vertex in a list in vertex order.
fn index(at: &str, size: usize) -> usize {
    let (letter, number) = at.split_at(1);
    let column = LETTERS.find(letter).expect("a letter");
    let number: usize = number.parse().expect("a number");
    (size - number) * size + column
}

/// The name of the vertex at such a place.
fn vertex(index: usize, size: usize) -> String {
    let letter = LETTERS.chars().nth(index % size).expect("a letter");
    format!("{letter}{}", size - index / size)
}

/// The number of the unit at a vertex by the first of these columns of points that has one.
fn number_of(result: &Value, columns: &[&str], at: &str) -> Option<u64> {
    let size = result["size"].as_u64()? as usize;
    columns.iter().find_map(|column| result["points"][*column][index(at, size)].as_u64())
}

fn is_list(list: &str) -> bool {
    NUMBERED.iter().any(|(name, _)| *name == list) || NAMED.iter().any(|(name, _)| *name == list)
}

/// The entry of a list of the record that a vertex belongs to.
fn unit_of(result: &Value, list: &str, at: &str) -> Option<Value> {
    if let Some((_, columns)) = NUMBERED.iter().find(|(name, _)| *name == list) {
        let number = number_of(result, columns, at)? as usize;
        return result[list].get(number).cloned();
    }
    let (_, key) = NAMED.iter().find(|(name, _)| *name == list)?;
    result[list].as_array()?.iter().find(|unit| unit[*key] == at).cloned()
}

/// A value as it is compared: small letters, blanks made one, `none` for nothing, 1 and 0 for true and false.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => "none".into(),
        Value::Bool(true) => "1".into(),
        Value::Bool(false) => "0".into(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => plain_text(text),
        Value::Array(values) if values.is_empty() => "none".into(),
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(" "),
        Value::Object(_) => value.to_string(),
    }
}

fn plain_text(text: &str) -> String {
    let text = text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    match text.as_str() {
        "" | "pass" | "none" => "none".into(),
        "true" => "1".into(),
        "false" => "0".into(),
        _ => text,
    }
}

/// Whether two values are the same; numbers of two decimals are rounded.
fn same(a: &str, b: &str) -> bool {
    let near = |a: &str, b: &str| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => (a - b).abs() <= 0.00501,
        _ => false,
    };
    let (a, b) = (plain_text(a), plain_text(b));
    let (a, b): (Vec<&str>, Vec<&str>) = (a.split(' ').collect(), b.split(' ').collect());
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a == b || near(a, b))
}

/// The answers of GTP to the fields' commands, by the place of the field.
fn answers(fields: &[Field], found: &Found) -> BTreeMap<usize, String> {
    let mut script = String::new();
    let mut asked: Vec<Option<usize>> = Vec::new();
    for (place, result) in found.results.iter().enumerate() {
        let size = result["size"].as_u64().expect("a size") as usize;
        let to_move = result["to_move"].as_str().expect("a colour").to_lowercase();
        let mut setup = String::from("gogui-setup");
        for (i, stone) in result["stones"].as_str().expect("stones").chars().enumerate() {
            if stone != '.' {
                let color = if stone == 'X' { "black" } else { "white" };
                let _ = write!(setup, " {color} {}", vertex(i, size));
            }
        }
        let _ = writeln!(script, "boardsize {size}\n{setup}\nkomi {}", result["komi"]);
        let _ = writeln!(script, "gogui-setup_player {to_move}");
        asked.extend([None; 4]);
        for (i, field) in fields.iter().enumerate() {
            let Some((gtp, scene)) = field.get("gtp").zip(field.get("scene")) else { continue };
            if found.scenes[place] == scene {
                let command = gtp.split_once(": ").map_or(gtp, |(command, _)| command);
                let at = field.get("at").unwrap_or_default();
                let _ = writeln!(script, "{}", command.replace('@', at).replace('%', &to_move));
                asked.push(Some(i));
            }
        }
    }
    script.push_str("quit\n");
    write(&found.folder, "script.gtp", &script);
    let file = fs::File::open(found.folder.join("script.gtp")).expect("the script");
    let output = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["gtp", "--judge", "none"])
        .stdin(Stdio::from(file))
        .output()
        .expect("the program starts");
    let text = stdout(&output);
    let lines: Vec<&str> = text.trim_end().split("\n\n").collect();
    assert_eq!(lines.len(), asked.len() + 1, "an answer for each command, and for quit");
    let known = asked.iter().zip(lines).filter_map(|(field, answer)| Some(((*field)?, answer)));
    known.map(|(field, answer)| (field, answer.trim_start_matches('=').trim().to_owned())).collect()
}

/// The value in an answer, where the table says that it is.
fn value_in(answer: &str, place: &str, at: &str, size: usize) -> Option<String> {
    let words = || answer.split_whitespace();
    if place == "answer" {
        return Some(answer.to_owned());
    }
    if place == "matrix" {
        return words().nth(index(at, size)).map(str::to_owned);
    }
    if let Some(number) = place.strip_prefix("word ") {
        return words().nth(number.parse().ok()?).map(str::to_owned);
    }
    if let Some(text) = place.strip_prefix("has ") {
        return Some(u8::from(answer.lines().any(|line| line.starts_with(text))).to_string());
    }
    answer.lines().find_map(|line| {
        let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
        (key == place).then(|| rest.trim().to_owned())
    })
}

#[test]
fn records_tables_gtp_and_layers_tell_the_same_value_and_it_says_something() {
    let fields = fields();
    let mut found = Found::new(&fields);
    let answers = answers(&fields, &found);
    let mut wrong = Vec::new();
    for (number, field) in fields.iter().enumerate() {
        wrong.extend(closed_gap(field, &found));
        let place = found.place(field.get("scene").unwrap_or(ANY_SCENE));
        let at = field.get("at").unwrap_or_default();
        let name = field.name();
        let size = found.results[place]["size"].as_u64().unwrap_or(0) as usize;
        let mut told: Vec<(&str, Option<String>, &str)> = Vec::new();
        let value = field.get("value").unwrap_or_default();
        if let Some((path, _)) = field.get("record").zip(field.get("scene")) {
            told.push(("record", found.record(place, at, path).map(|value| plain(&value)), value));
        }
        if let Some((named, _)) = field.get("table").zip(field.get("scene")) {
            told.push(("table", found.table(place, at, named), value));
        }
        if let Some((gtp, answer)) = field.get("gtp").zip(answers.get(&number)) {
            let key = gtp.split_once(": ").map_or("answer", |(_, key)| key);
            let wanted = field.get("gtp_value").unwrap_or(value);
            told.push(("gtp", value_in(answer, key, at, size), wanted));
        }
        if !told.is_empty() {
            match field.get("neutral") {
                Some(neutral) if !same(neutral, value) => {}
                _ => wrong.push(format!("{name}: the value {value} is neutral, or no neutral one is named")),
            }
        }
        for (front, said, wanted) in told {
            match said {
                Some(said) if same(&said, wanted) => {}
                Some(said) => wrong.push(format!("{name} at {at}: {front} says {said}, not {wanted}")),
                None => wrong.push(format!("{name} at {at}: {front} says nothing")),
            }
        }
        if let Some(layer) = field.get("layer") {
            let (layer, text) = layer.split_once(": ").unwrap_or((layer, ""));
            if layer == "viewer" {
                // It shows these units as the record has them, field by field.
                let path = field.get("record").unwrap_or_default();
                if !["worms/", "dragons/", "moves/"].iter().any(|list| path.starts_with(list)) {
                    wrong.push(format!("{name}: the viewer shows no field {path} of the record"));
                }
                continue;
            }
            let mut options = Vec::new();
            for (key, option) in [("after", "--after"), ("pass", "--pass")] {
                if let Some(value) = field.get(key) {
                    options.extend([option, value]);
                }
            }
            options.extend(field.get("followup").map(|_| "--followup"));
            let shown = found.layer(place, layer, &options);
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            if !shown.contains(&text) {
                wrong.push(format!("{name}: the layer {layer} does not show {text}: {shown:.80}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
}

/// A gap that the table lists and that is closed: the record or a table has a field of that name.
fn closed_gap(field: &Field, found: &Found) -> Option<String> {
    let (thing, _) = field.name().split_once('.')?;
    let list = match thing {
        "cavity" => "cavities".to_owned(),
        thing => format!("{thing}s"),
    };
    let short = field.short();
    let has = |unit: &Value| unit.get(short).is_some();
    let in_record = found
        .results
        .iter()
        .any(|result| result.get(&list).and_then(Value::as_array).is_some_and(|units| units.iter().any(has)));
    if field.missing.contains_key("record") && in_record {
        return Some(format!("{}: the record has it: fill the column in", field.name()));
    }
    let row = found.tables.get(&list).and_then(|rows| rows.first());
    if field.missing.contains_key("table") && row.is_some_and(|row| row.contains_key(short)) {
        return Some(format!("{}: the table has it: fill the column in", field.name()));
    }
    None
}

/// The page of the table.
fn page(fields: &[Field]) -> String {
    let mut text = String::from(
        "# Fields of Go\n\nEvery field and concept of the documents about Go, and where Tengen has it. \
         `tests/program/fields.rs` prints this page from\n`tests/go/fields.toml` and checks each line: records, tables, GTP \
         and `tengen show` tell the same value in the scene named.\n\nDocuments: `worms-and-dragons` is \"Worms and \
         Dragons\" (2001), `influence` the chapter of that name in GNU Go's manual;\n`dragon.texi` and `eyes.texi` \
         are chapters of the manual of GNU Go 3.8. A column in *italics* is empty, and says why.\n",
    );
    let mut of_section: Option<(&str, &str)> = None;
    for field in fields {
        let here = (field.get("document").unwrap_or_default(), field.get("section").unwrap_or_default());
        if of_section != Some(here) {
            of_section = Some(here);
            let _ = write!(
                text,
                "\n## {}: {}\n\n| field | component | record | table | GTP | layer | scene and value |\n\
                 | --- | --- | --- | --- | --- | --- | --- |\n",
                here.0, here.1
            );
        }
        let _ = write!(text, "| `{}` |", field.name());
        for column in COLUMNS {
            let reason = field.missing.get(column).or_else(|| field.absent.get(column));
            let cell = match (field.get(column), reason) {
                (Some(scene), _) if column == "scene" => match field.get("value") {
                    Some(value) => {
                        format!("{scene}, {}: `{value}`", field.get("at").unwrap_or_default())
                    }
                    None => scene.to_owned(),
                },
                (Some(cell), _) => format!("`{cell}`"),
                (None, Some(reason)) => format!("*{reason}*"),
                (None, None) => String::new(),
            };
            let _ = write!(text, " {} |", cell.replace('|', "\\|"));
        }
        text.push('\n');
    }
    text.push_str("\n## Differences\n\n| field | difference |\n| --- | --- |\n");
    for field in fields {
        if let Some(difference) = field.get("difference") {
            let _ = writeln!(text, "| `{}` | {} |", field.name(), difference.replace('|', "\\|"));
        }
    }
    let gaps: usize = fields.iter().map(|field| field.missing.len()).sum();
    let _ = write!(text, "\nFields: {}. Known gaps: {gaps}.\n", fields.len());
    text
}

fn page_path() -> PathBuf {
    repository().join("docs/go-fields.md")
}

#[test]
fn the_page_is_printed_from_the_table() {
    let known = fs::read_to_string(page_path()).unwrap_or_default();
    let same = known == page(&fields());
    assert!(same, "docs/go-fields.md is old: cargo test --test program fields -- --ignored writes it");
}

#[test]
#[ignore = "writes docs/go-fields.md"]
fn the_page_is_written() {
    fs::write(page_path(), page(&fields())).expect("the page is written");
}
