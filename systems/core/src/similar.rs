//! Finds the known name that is nearest to a misspelt one.

/// The most letters that two near names differ by.
const MOST: usize = 2;

/// The name with the fewest letters to add, drop, change or swap. Of several such names it is the first. `None` if no
/// name is near.
#[must_use]
pub fn nearest<'a>(name: &str, among: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = MOST.min(name.chars().count() / 2);
    let near = |other: &'a str| distance(name, other, most).map(|d| (d, other));
    among.into_iter().filter_map(near).min_by_key(|(d, _)| *d).map(|(_, other)| other)
}

/// The edits between two words, neighbours swapped counted as one; `None` above `most`.
fn distance(a: &str, b: &str, most: usize) -> Option<usize> {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().take(64).collect());
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = changed.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(rows[i - 2][j - 2] + 1);
            }
        }
        rows.push(row);
    }
    let found = rows[a.len()][b.len()];
    (found <= most).then_some(found)
}

/// The part of a message that follows an unknown name. It gives the nearest known name, in any case of letters, or all
/// known names if none is near. `plural` is the word for the known names.
///
/// ```
/// use tengen_core::similar::instead;
/// assert_eq!(instead("mutlipv", "options", &["Hash", "MultiPV"]), "the nearest is `MultiPV`");
/// assert_eq!(instead("x", "options", &["Hash", "MultiPV"]), "the options are `Hash`, `MultiPV`");
/// assert_eq!(instead("x", "options", &[]), "there are no options");
/// ```
#[must_use]
pub fn instead(name: &str, plural: &str, known: &[&str]) -> String {
    let lower: Vec<String> = known.iter().map(|name| name.to_lowercase()).collect();
    let near = nearest(&name.to_lowercase(), lower.iter().map(String::as_str));
    if let Some(at) = near.and_then(|near| lower.iter().position(|name| name == near)) {
        return format!("the nearest is `{}`", known[at]);
    }
    if known.is_empty() {
        return format!("there are no {plural}");
    }
    let all: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    format!("the {plural} are {}", all.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_finds_the_one_that_was_meant() {
        let names = ["succ", "less", "cell", "row"];
        for (name, wanted) in [
            ("suc", Some("succ")),
            ("scuc", Some("succ")),
            ("lesss", Some("less")),
            ("q", None),
            ("column", None),
        ] {
            assert_eq!(nearest(name, names), wanted, "{name}");
        }
    }
}
