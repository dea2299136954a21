//! The calls that constraints and actions may make: the manual's list, and what the databases use beside it.

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

const fn query(name: &'static str, least: usize, most: usize) -> Function {
    Function { name, least, most, role: Role::Query }
}

const fn action(name: &'static str, least: usize, most: usize) -> Function {
    Function { name, least, most, role: Role::Action }
}

/// All functions, by name.
pub static FUNCTIONS: &[Function] = &[
    action("add_attack_either_move", 2, 2),
    action("add_connect_move", 2, 2),
    action("add_cut_move", 2, 2),
    action("add_defend_both_move", 2, 2),
    query("adjacent_to_defendable_stone_in_atari", 1, 1),
    query("adjacent_to_stone_in_atari", 1, 1),
    query("alive", 1, 1),
    action("amalgamate", 2, 2),
    action("amalgamate_most_valuable", 3, 3),
    action("amalgamate_most_valuable_helper", 3, 3),
    action("antisuji", 1, 1),
    query("area_space", 1, 1),
    query("area_stone", 1, 1),
    query("attack", 1, 1),
    query("connect_and_cut_helper", 3, 3),
    query("connect_and_cut_helper2", 3, 3),
    query("critical", 1, 1),
    query("dead", 1, 1),
    query("defend", 1, 1),
    action("defend_against_atari", 1, 1),
    query("disconnect_helper", 2, 2),
    query("distrust_tactics_helper", 1, 1),
    query("does_attack", 2, 2),
    query("does_defend", 2, 2),
    query("dragonsize", 1, 1),
    query("eye", 1, 1),
    query("false_eye", 1, 1),
    query("false_eye_territory", 1, 1),
    query("genus", 1, 1),
    query("halfeye", 1, 1),
    query("ko", 1, 1),
    query("legal_omove", 1, 1),
    query("legal_xmove", 1, 1),
    query("lib", 1, 1),
    query("lib2", 1, 1),
    query("lib3", 1, 1),
    query("lib4", 1, 1),
    action("make_proper_eye", 1, 1),
    query("marginal_eye", 1, 1),
    action("non_oterritory", 1, 1),
    action("non_xterritory", 1, 1),
    action("not_lunch", 2, 2),
    query("o_somewhere", 1, ANY),
    query("oarea", 1, 1),
    query("ocut", 1, 1),
    query("odefend_against", 2, 2),
    query("olib", 1, 1),
    query("omoyo", 1, 1),
    query("oplay_attack", 1, ANY),
    query("oplay_attack_either", 2, ANY),
    query("oplay_break_through", 3, ANY),
    query("oplay_connect", 2, ANY),
    query("oplay_defend", 1, ANY),
    query("oplay_defend_both", 2, ANY),
    query("oplay_disconnect", 2, ANY),
    query("oterri", 1, 1),
    query("owl_escape_value", 1, 1),
    query("owl_topological_eye", 2, 2),
    query("potential_cutstone", 1, 1),
    action("prevent_attack_threat", 1, 1),
    query("proper_eye", 1, 1),
    action("remove_attack", 1, 1),
    action("remove_eyepoint", 1, 1),
    action("remove_halfeye", 1, 1),
    action("replace", 2, 2),
    query("safe_omove", 1, 1),
    query("safe_xmove", 1, 1),
    query("same_dragon", 2, 2),
    query("same_worm", 2, 2),
    query("seki_helper", 1, 1),
    query("status", 1, 1),
    action("threaten_to_save", 1, 1),
    query("unknown", 1, 1),
    query("vital_chain", 1, 1),
    query("weak", 1, 1),
    query("wormsize", 1, 1),
    query("x_somewhere", 1, ANY),
    query("x_suicide", 1, 1),
    query("xarea", 1, 1),
    query("xcut", 1, 1),
    query("xdefend_against", 2, 2),
    query("xlib", 1, 1),
    query("xmoyo", 1, 1),
    query("xplay_attack", 1, ANY),
    query("xplay_attack_either", 2, ANY),
    query("xplay_break_through", 3, ANY),
    query("xplay_connect", 2, ANY),
    query("xplay_defend", 1, ANY),
    query("xplay_defend_both", 2, ANY),
    query("xplay_disconnect", 2, ANY),
    query("xterri", 1, 1),
];

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
