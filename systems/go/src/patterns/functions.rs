//! The calls that constraints and actions may make: calls of the manual's list that Tengen answers, and further calls
//! that its databases use.

use std::sync::LazyLock;

/// Whether a call asks or acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It has a value and no effect.
    Query,
    /// It has an effect on the match.
    Action,
}

/// A function of the pattern language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// Fewest arguments.
    pub least: usize,
    /// Most arguments.
    pub most: usize,
    /// Whether it asks or acts.
    pub role: Role,
}

/// No limit on the number of arguments.
const ANY: usize = usize::MAX;

/// The functions by role, fewest and most arguments.
const GROUPS: &[(Role, usize, usize, &str)] = &[
    (Role::Action, 1, 1, "non_oterritory non_xterritory"),
    (Role::Action, 2, 2, "amalgamate"),
    (Role::Action, 3, 3, "amalgamate_most_valuable_helper"),
    (
        Role::Query,
        1,
        1,
        "adjacent_to_defendable_stone_in_atari adjacent_to_stone_in_atari alive attack critical dead defend \
         distrust_tactics_helper false_eye false_eye_territory halfeye ko legal_omove legal_xmove lib lib2 lib3 lib4 \
         oarea ocut olib omoyo oterri safe_omove safe_xmove status unknown wormsize x_suicide xarea xcut xlib xmoyo \
         xterri",
    ),
    (Role::Query, 1, ANY, "o_somewhere oplay_attack oplay_defend x_somewhere xplay_attack xplay_defend"),
    (Role::Query, 2, 2, "disconnect_helper odefend_against same_dragon same_worm xdefend_against"),
    (
        Role::Query,
        2,
        ANY,
        "oplay_attack_either oplay_connect oplay_defend_both oplay_disconnect xplay_attack_either \
         xplay_connect xplay_defend_both xplay_disconnect",
    ),
    (Role::Query, 3, 3, "connect_and_cut_helper connect_and_cut_helper2"),
    (Role::Query, 3, ANY, "oplay_break_through xplay_break_through"),
];

/// Calls of the manual that are not answered: a pattern that names one gets an error.
const UNANSWERED: &str = "add_attack_either_move add_connect_move add_cut_move add_defend_both_move \
     amalgamate_most_valuable antisuji area_space area_stone defend_against_atari does_attack \
     does_defend dragonsize eye genus make_proper_eye marginal_eye not_lunch owl_escape_value \
     owl_topological_eye potential_cutstone prevent_attack_threat proper_eye remove_attack \
     remove_eyepoint remove_halfeye replace seki_helper threaten_to_save vital_chain weak";

/// Calls that GNU Go's own databases make and that have no effect here: they count as 0, and a warning names them.
/// The manual names them and does not say what they do.
const SILENT: &str = "connect_and_cut_helper connect_and_cut_helper2 distrust_tactics_helper";

/// The actions that join strings; they act in `conn.db` alone.
const JOINS: &str = "amalgamate amalgamate_most_valuable_helper";

/// The calls whose value is not known yet when `conn.db` is matched. They count as 0 there, with a warning.
const SILENT_FOR_LINKS: &str = "false_eye false_eye_territory halfeye lib2 lib3 lib4";

/// All functions, by name.
pub static FUNCTIONS: LazyLock<Vec<Function>> = LazyLock::new(|| {
    let group = |&(role, least, most, names): &(Role, usize, usize, &'static str)| {
        names.split_whitespace().map(move |name| Function { name, least, most, role })
    };
    let mut all: Vec<Function> = GROUPS.iter().flat_map(group).collect();
    all.sort_by_key(|f| f.name);
    all
});

/// Helpers that a `:` line may name; they have no effect, and a warning says so of all but `NULL`.
pub static HELPERS: &[&str] = &["NULL", "cutstone2_helper"];

/// The function of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Function> {
    FUNCTIONS.binary_search_by(|f| f.name.cmp(name)).ok().map(|i| &FUNCTIONS[i])
}

/// Why there is no function of this name, with help.
#[must_use]
pub fn missing(name: &str) -> (String, String) {
    if among(UNANSWERED, name) {
        let help = "systems/go/src/patterns/functions.rs lists what is answered".into();
        return (format!("`{name}` is not answered by this engine"), help);
    }
    let shared = |other: &str| name.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let nearest = FUNCTIONS.iter().map(|f| f.name).max_by_key(|f| shared(f)).unwrap_or("lib");
    (format!("unknown function `{name}`"), format!("the most similar known one is `{nearest}`"))
}

/// Whether a call has no effect in a database of this file name.
#[must_use]
pub fn is_silent(function: &Function, file: &str) -> bool {
    let acts = function.role == Role::Action;
    among(SILENT, function.name)
        || match file.rsplit(['/', '\\']).next() {
            Some("conn.db") if acts => !among(JOINS, function.name),
            Some("conn.db") => among(SILENT_FOR_LINKS, function.name),
            Some("influence.db") => acts,
            _ => among(JOINS, function.name),
        }
}

fn among(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|n| n == name)
}
