//! Finds names that differ by one letter, which are probably misspelt.

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
