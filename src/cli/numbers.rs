//! Parses the numbers of the command line, and checks their ranges.

/// The longest time anything is given, in seconds: a thousand days.
const MAX_SECONDS: f64 = 86_400_000.0;

/// Seconds: 0 or more, and not without end.
///
/// # Errors
/// One line that says what is wrong.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    within(text, 0.0, MAX_SECONDS, "seconds, from 0 to 86400000")
}

/// A share, from 0 to 1.
///
/// # Errors
/// One line that says what is wrong.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    within(text, 0.0, 1.0, "a share, from 0 to 1")
}

fn within(text: &str, low: f64, high: f64, what: &str) -> Result<f64, String> {
    // No comparison holds for `nan`.
    text.parse().ok().filter(|x| (low..=high).contains(x)).ok_or_else(|| format!("it takes {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_none_and_numbers_without_end_are_refused() {
        for text in ["nan", "NaN", "inf", "-inf", "1e300", "-1", "", "one"] {
            assert!(seconds(text).is_err(), "{text}");
            assert!(share(text).is_err(), "{text}");
        }
        assert_eq!((seconds("0.5"), seconds("60"), share("1")), (Ok(0.5), Ok(60.0), Ok(1.0)));
    }
}
