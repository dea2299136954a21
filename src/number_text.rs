//! Formats numbers and counts as text for people.

/// The word for a number of things: `case` for one, `cases` for any other number; `plies`, `vertices`.
#[must_use]
pub fn plural(word: &str, count: usize) -> String {
    if count == 1 {
        word.into()
    } else if let Some(stem) = word.strip_suffix("ly") {
        format!("{stem}lies")
    } else if let Some(stem) = word.strip_suffix("ex") {
        format!("{stem}ices")
    } else {
        format!("{word}s")
    }
}

/// A number of things, as `1 game` and `2 games`.
#[must_use]
pub fn counted(word: &str, count: usize) -> String {
    format!("{count} {}", plural(word, count))
}

/// A number with this many digits after the point; a zero never has a sign.
#[must_use]
pub fn fixed(value: impl Into<f64>, digits: usize) -> String {
    let text = format!("{:.digits$}", value.into());
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|b| matches!(b, b'0' | b'.')) => rest.to_owned(),
        _ => text,
    }
}

/// The same with a plus sign for positive numbers.
#[must_use]
pub fn signed(value: impl Into<f64>, digits: usize) -> String {
    let text = fixed(value, digits);
    if text.bytes().any(|b| matches!(b, b'1'..=b'9')) && !text.starts_with('-') {
        format!("+{text}")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_no_plural() {
        for (word, one, more) in
            [("game", "1 game", "2 games"), ("ply", "1 ply", "2 plies"), ("vertex", "1 vertex", "2 vertices")]
        {
            assert_eq!([1, 2].map(|count| counted(word, count)), [one, more]);
        }
        assert_eq!(counted("game", 0), "0 games");
    }

    #[test]
    fn a_zero_has_no_sign() {
        let numbers = [(-0.001, "0.00"), (-0.0, "0.00"), (-0.006, "-0.01"), (0.004, "0.00"), (-1.5, "-1.50")];
        for (number, text) in numbers {
            assert_eq!(fixed(number, 2), text);
        }
        assert_eq!(fixed(-0.4_f32, 0), "0");
        assert_eq!([-0.04, 0.04, 0.06, -1.0].map(|n| signed(n, 1)), ["0.0", "0.0", "+0.1", "-1.0"]);
    }
}
