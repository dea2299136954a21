//! The nearest of some names to a misspelt one.

/// The most letters that two near names differ by.
const MOST: usize = 2;

/// The name with the fewest letters to add, drop, change or swap, the first of those; `None` if none is near.
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

/// Whether two names differ by one letter that is neither their first nor their last.
#[must_use]
pub fn one_letter_inside(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let prefix = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let rest = (a.len() - prefix).min(b.len() - prefix);
    let suffix = a.iter().rev().zip(b.iter().rev()).take(rest).take_while(|(x, y)| x == y).count();
    let middle = |name: &[char]| name[prefix..name.len() - suffix].to_vec();
    let (x, y) = (middle(&a), middle(&b));
    let letters = x.iter().chain(&y).all(|c| c.is_alphabetic());
    prefix > 0 && suffix > 0 && letters && x.len() <= 1 && y.len() <= 1 && x != y
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

    #[test]
    fn only_a_letter_inside_a_name_counts() {
        let cases = [
            ("numbr", "number", true),
            ("playr", "player", true),
            ("row2", "row", false),
            ("xany", "yany", false),
            ("same", "same", false),
            ("from1x", "from2x", false),
        ];
        for (a, b, wanted) in cases {
            assert_eq!((one_letter_inside(a, b), one_letter_inside(b, a)), (wanted, wanted), "{a} {b}");
        }
    }
}
