use super::*;

#[test]
fn what_is_kept_is_found_and_nothing_else() {
    let mut memo = Memo::default();
    for round in 0..2 {
        let keys = (0..5_000_u64).map(|i| i * i * 7_919 + round);
        for key in keys.clone() {
            assert_eq!(memo.get(key), None);
            memo.insert(key, key % 3 == 0);
        }
        for key in keys {
            assert_eq!(memo.get(key), Some(key % 3 == 0));
        }
        memo.clear();
    }
}
