//! Chooses the page for each request of the viewer.

use super::request::{Reply, Request};
use super::site::{Root, Site};
use super::{assets, chess, concepts, folder, games, go, profile, records, rules};

impl Site {
    /// Answers a request.
    #[must_use]
    pub fn answer(&self, request: &Request) -> Reply {
        match request.page.as_str() {
            "" => self.index(request),
            "style.css" => Reply { kind: "text/css; charset=utf-8", ..Reply::html(assets::style()) },
            "script.js" => {
                Reply { kind: "text/javascript; charset=utf-8", ..Reply::html(assets::SCRIPT.into()) }
            }
            "concept" => concepts::page(request),
            "folder" => folder::page(self, request),
            "thumb" => folder::thumb(self, request),
            "mistake" => folder::mistake(self),
            "new" => go::new_page(self, request),
            "drop" => go::drop_page(self, request),
            "game" => go::page(self, request),
            "answer" => go::answer(self, request),
            "save" => go::save(self, request),
            "facts" => go::facts(self, request),
            "lead" => go::lead_graph(self, request),
            "why" => go::why(self, request),
            "line" => go::line(self, request),
            "compare" => go::compare(self, request),
            "tune" => go::tune(self, request),
            "chess" => chess::page(self, request),
            "chess-lines" => chess::lines(self, request),
            "schemes" => chess::schemes_page(self, request),
            "tree" => chess::tree_page(self, request),
            "play" => rules::play_page(self, request),
            "changes" => rules::changes(self),
            "net" => rules::net_page(self, request),
            "rules" => rules::rules_page(self, request),
            "records" => records::page(self, request),
            "result" => records::result(self, request),
            "rows" => records::rows(self, request),
            "profile" => profile::page(self, request),
            "games" => games::rows(self),
            "watch" => games::watch(self, request),
            "standing" => games::standing(self, request),
            _ => Reply::text(404, "there is no page of this name"),
        }
    }

    /// The first page: the game, the records, or a list.
    fn index(&self, request: &Request) -> Reply {
        match &self.root {
            Root::Empty(_) | Root::Record(_) => go::page(self, request),
            Root::Out(_) => records::page(self, request),
            Root::Games(_) => games::page(self),
            Root::Trace(_) => profile::page(self, request),
            Root::Chess(_) => chess::page(self, request),
            Root::Rules(_) | Root::Watched(_) => rules::play_page(self, request),
            Root::Folder(_) => folder::page(self, request),
            Root::Scenes(scenes) => scenes.index(),
        }
    }
}
