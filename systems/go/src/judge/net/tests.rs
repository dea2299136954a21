//! Tests of the judge's net: its convolutions and its file of weights.

use super::*;
use crate::board::{Color, Vertex};
use crate::judge::tests::after_random_moves;

const WEIGHTS: &[u8] = include_bytes!("../../../../../resources/go/judge/weights.bin");

#[test]
fn the_fast_convolution_makes_the_sums_of_the_plain_one() {
    let net = Net::parse(WEIGHTS).expect("the embedded weights");
    for size in [7, 9, 13, 19, 25] {
        let board = after_random_moves(size, size * size / 2, 11);
        let shape = conv::Shape::new(size);
        let (mut stream, mut sums, mut plain) = (Vec::new(), Vec::new(), Vec::new());
        net.first.run(&Inputs::new(&board, Color::Black, [Vertex::PASS; 5]), shape, &mut sums);
        net.first.activate(&sums, shape, &mut stream);
        for layer in [&net.blocks[0].a, &net.head] {
            layer.run(&stream, shape, &mut sums);
            layer.run_plainly(&stream, shape, &mut plain);
            let channels = plain.len() / (stream.len() / net.first.channels());
            for cell in shape.vertices() {
                let of = |sums: &[i32]| sums[cell * channels..][..channels].to_vec();
                assert_eq!(of(&sums), of(&plain), "size {size}, cell {cell}");
            }
        }
    }
}

#[test]
fn weights_that_were_cut_or_altered_are_named() {
    let altered = |at: usize| {
        let mut bytes = WEIGHTS.to_vec();
        bytes[at] ^= 1;
        bytes
    };
    let error = |bytes: &[u8]| Net::parse(bytes).expect_err("a fault").to_string();
    for bytes in [&WEIGHTS[..WEIGHTS.len() - 1], &WEIGHTS[..40], &altered(WEIGHTS.len() / 2)] {
        assert_eq!(error(bytes), "weights of a judge: the checksum is wrong, so the file was cut or altered");
    }
    for bytes in [&[][..], b"PNG", &altered(0)] {
        assert_eq!(error(bytes), "no weights of a judge: the first line is not `tengen-judge 1`");
    }
}

#[test]
fn a_net_has_weights_and_an_origin() {
    let net = Net::parse(WEIGHTS).expect("the embedded weights");
    assert!(net.weights() > 50_000 && WEIGHTS.len() <= 2 << 20, "{} weights", net.weights());
    assert!(!net.origin().is_empty());
}
