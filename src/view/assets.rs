//! The style and the script of the pages: the style that reports share, and the additions of the viewer.

/// The style.
pub(super) fn style() -> String {
    format!("{}{}", tengen_render::DRESS, include_str!("assets/style.css"))
}

/// The script: keys, the slider and clicks follow links that the page already has, a click on the board fetches the facts
/// of the vertex, and what the page says is still growing is asked for again.
pub(super) const SCRIPT: &str = include_str!("assets/script.js");
