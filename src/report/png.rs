//! Writes a picture as PNG. The crate resvg renders the SVG of [`tengen_render`] at twice its size. Letters use the
//! fonts of the system. Without fonts there is an error, because the picture would lack its coordinates.

use anyhow::Context as _;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Points for each unit of the SVG.
const FINE: f32 = 2.0;

/// The bytes of a PNG file.
///
/// # Errors
/// If the system has no fonts, or the text is no SVG.
pub fn of_svg(svg: &str) -> anyhow::Result<Vec<u8>> {
    let mut options = Options::default();
    let fonts = options.fontdb_mut();
    fonts.load_system_fonts();
    let sans = ["DejaVu Sans", "Verdana", "Liberation Sans", "Noto Sans", "Arial"];
    let known = |name: &str| fonts.faces().any(|face| face.families.iter().any(|f| f.0 == name));
    let any = || fonts.faces().next().and_then(|face| face.families.first()).map(|f| f.0.clone());
    let family = sans.into_iter().find(|name| known(name)).map(str::to_owned).or_else(any);
    let family = family.context("the system has no fonts to write letters with; --svg needs none")?;
    fonts.set_sans_serif_family(family);
    let tree = Tree::from_str(svg, &options).context("the picture is no SVG")?;
    let size = tree.size().to_int_size().scale_by(FINE).context("the picture has no size")?;
    let mut points = Pixmap::new(size.width(), size.height()).context("the picture is too big")?;
    resvg::render(&tree, Transform::from_scale(FINE, FINE), &mut points.as_mut());
    points.encode_png().context("the picture can't be written as PNG")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_becomes_a_file_that_begins_as_png_does_and_text_that_is_no_picture_is_told() {
        let sheet = tengen_render::Sheet::new(9, "a board", |_| None);
        match of_svg(&tengen_render::svg::draw(&sheet)) {
            Ok(bytes) => assert!(bytes.starts_with(b"\x89PNG\r\n") && bytes.len() > 2000, "{}", bytes.len()),
            Err(fault) => assert!(fault.to_string().contains("fonts"), "{fault}"),
        }
        assert!(of_svg("<svg").is_err());
    }
}
