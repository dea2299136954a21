//! The calls that constraints and actions may make: the manual's list, and what the databases use beside it.

use std::sync::LazyLock;

/// Whether a call asks or acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It has a value and changes nothing.
    Query,
    /// It does something with the match.
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
    (
        Role::Action,
        1,
        1,
        "antisuji defend_against_atari make_proper_eye non_oterritory non_xterritory prevent_attack_threat \
         remove_attack remove_eyepoint remove_halfeye threaten_to_save",
    ),
    (
        Role::Action,
        2,
        2,
        "add_attack_either_move add_connect_move add_cut_move add_defend_both_move amalgamate not_lunch \
         replace",
    ),
    (Role::Action, 3, 3, "amalgamate_most_valuable amalgamate_most_valuable_helper"),
    (
        Role::Query,
        1,
        1,
        "adjacent_to_defendable_stone_in_atari adjacent_to_stone_in_atari alive area_space area_stone attack \
         critical dead defend distrust_tactics_helper dragonsize eye false_eye false_eye_territory genus \
         halfeye ko legal_omove legal_xmove lib lib2 lib3 lib4 marginal_eye oarea ocut olib omoyo oterri \
         owl_escape_value potential_cutstone proper_eye safe_omove safe_xmove seki_helper status unknown \
         vital_chain weak wormsize x_suicide xarea xcut xlib xmoyo xterri",
    ),
    (Role::Query, 1, ANY, "o_somewhere oplay_attack oplay_defend x_somewhere xplay_attack xplay_defend"),
    (
        Role::Query,
        2,
        2,
        "disconnect_helper does_attack does_defend odefend_against owl_topological_eye same_dragon same_worm \
         xdefend_against",
    ),
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

/// All functions, by name.
pub static FUNCTIONS: LazyLock<Vec<Function>> = LazyLock::new(|| {
    let group = |&(role, least, most, names): &(Role, usize, usize, &'static str)| {
        names.split_whitespace().map(move |name| Function { name, least, most, role })
    };
    let mut all: Vec<Function> = GROUPS.iter().flat_map(group).collect();
    all.sort_by_key(|f| f.name);
    all
});

/// Helpers that a `:` line may name.
pub static HELPERS: &[&str] = &["NULL", "cutstone2_helper"];

/// The function of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Function> {
    FUNCTIONS.binary_search_by(|f| f.name.cmp(name)).ok().map(|i| &FUNCTIONS[i])
}

/// The known name that looks most like this one.
#[must_use]
pub fn nearest(name: &str) -> &'static str {
    let shared = |other: &str| name.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    FUNCTIONS.iter().map(|f| f.name).max_by_key(|f| shared(f)).unwrap_or("lib")
}
