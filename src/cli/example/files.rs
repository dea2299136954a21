//! The files of the embedded examples. They are compiled in from `scenes` and `resources`.

/// Where scenes of the repository find rulesheets; an example has them beside its scenes.
pub(super) const RULES: &str = "../../resources/gdl/";

/// A folder to be written.
pub(super) struct Example {
    /// Its name unless another is asked for.
    pub(super) folder: &'static str,
    /// The files in it.
    pub(super) files: &'static [File],
    /// The words of the command that makes use of it; `FOLDER` stands for the folder.
    pub(super) next: &'static [&'static str],
}

/// A file of an example.
pub(super) struct File {
    pub(super) name: &'static str,
    /// Its description, in a few words.
    pub(super) what: &'static str,
    pub(super) text: &'static str,
}

/// Names and describes a file of the repository.
macro_rules! file {
    ($name:literal, $from:literal, $what:literal) => {
        File { name: $name, what: $what, text: include_str!(concat!("../../../", $from)) }
    };
}

pub(super) const GO: Example = Example {
    folder: "go-example",
    files: &[
        file!(
            "games.ron",
            "scenes/go/games/all.ron",
            "every tenth position of the games, all stages of the analysis"
        ),
        file!("9x9-1.sgf", "scenes/go/games/9x9-1.sgf", "a game of Tengen against itself"),
        file!("9x9-2.sgf", "scenes/go/games/9x9-2.sgf", "another"),
        file!("13x13-1.sgf", "scenes/go/games/13x13-1.sgf", "another, on a larger board"),
        file!(
            "worms.ron",
            "scenes/go/seed/worms.ron",
            "strings: liberties, cutting stones, what is attacked"
        ),
        file!(
            "dragons.ron",
            "scenes/go/seed/dragons.ron",
            "groups: what belongs together, half eyes, distances"
        ),
    ],
    next: &["run", "FOLDER"],
};

pub(super) const CHESS: Example = Example {
    folder: "chess-example",
    files: &[
        file!(
            "studies.ron",
            "scenes/chess/games.ron",
            "positions of famous games and studies, with the move to find"
        ),
        file!("perpetual.ron", "scenes/chess/repetition/perpetual.ron", "a perpetual check as a claim"),
        file!("policy.ron", "scenes/chess/repetition/policy.ron", "which recurrences are draws"),
        file!(
            "exact.ron",
            "scenes/chess/repetition/exact.ron",
            "exact values that depend on the game before"
        ),
        file!(
            "games.pgn",
            "scenes/mixed/games.pgn",
            "three famous games; `run` and `view` take this file too"
        ),
    ],
    next: &["run", "FOLDER"],
};

pub(super) const GDL: Example = Example {
    folder: "gdl-example",
    files: &[
        file!(
            "first.ron",
            "scenes/gdl/first.ron",
            "noughts and crosses: random games, positions after two plies"
        ),
        file!("games.ron", "scenes/gdl/games.ron", "every rulesheet played at random, and three searches"),
        file!("hidden.ron", "scenes/gdl2/players.ron", "games of chance and hidden information, by players"),
        file!("noughts.kif", "resources/gdl/noughts.kif", "noughts and crosses"),
        file!("heaps.kif", "resources/gdl/heaps.kif", "nim"),
        file!("corridor.kif", "resources/gdl/corridor.kif", "a puzzle for one"),
        file!("relay.kif", "resources/gdl/relay.kif", "a race of three"),
        file!("standoff.kif", "resources/gdl/standoff.kif", "both move at the same time"),
        file!("montyHall.kif", "scenes/gdl2/montyHall.kif", "three doors and a car"),
        file!(
            "kriegTTT.kif",
            "scenes/gdl2/kriegTTT.kif",
            "noughts and crosses without a view of the other's marks"
        ),
        file!("kuhnPoker.kif", "scenes/gdl2/kuhnPoker.kif", "a poker of three cards"),
    ],
    next: &["run", "FOLDER"],
};

pub(super) const SELFPLAY: Example = Example {
    folder: "selfplay-example",
    files: &[
        file!("chess.ron", "scenes/selfplay/chess.ron", "a match with a sequential test"),
        file!("go_9x9.ron", "scenes/selfplay/go_9x9.ron", "Go on 9x9 against itself"),
        file!("noughts.ron", "scenes/selfplay/noughts.ron", "noughts and crosses by two good players"),
        file!("noughts.kif", "resources/gdl/noughts.kif", "its rules"),
    ],
    next: &["selfplay", "FOLDER/chess.ron", "--games", "8", "--out", "FOLDER/games"],
};
