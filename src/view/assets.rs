//! The style and the script of the viewer's pages. The style is that of reports, with additions for the viewer.

/// The style.
pub(super) fn style() -> String {
    format!("{}{}", tengen_render::STYLE, include_str!("assets/style.css"))
}

/// The script. Keys, the slider and clicks follow links of the page. A click on the board fetches the facts of the
/// vertex. Parts that the page marks as growing are fetched again.
pub(super) const SCRIPT: &str = include_str!("assets/script.js");
