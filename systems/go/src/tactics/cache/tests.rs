//! Tests of the table of readings.

use super::{Answer, Cache, MOST_BITS, WAYS, pack, unpack};
use crate::board::Vertex;
use crate::tactics::Code;

#[test]
fn what_pushes_out_what_does_not_depend_on_what_was_forgotten() {
    let keys: Vec<u64> =
        (0..(4 * WAYS as u64) << MOST_BITS).map(|i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let kept = |cache: &mut Cache| -> Vec<u64> {
        keys.iter().for_each(|&key| cache.put(key, 0, Answer::default()));
        keys.iter().copied().filter(|&key| cache.get(key, 0, Code::Win).is_some()).collect()
    };
    let mut cache = Cache::new();
    let first = kept(&mut cache);
    assert!(first.len() < keys.len(), "some push out others");
    cache.forget();
    assert!(keys.iter().all(|&key| cache.get(key, 0, Code::Win).is_none()));
    assert_eq!(kept(&mut cache), first);
}

#[test]
fn every_answer_comes_back() {
    for code in [Code::Fail, Code::KoB, Code::KoA, Code::Win] {
        for v in 0..704 {
            let answer = Answer { code, point: Vertex(v) };
            assert_eq!(unpack(pack(answer)), answer);
        }
    }
}
