#!/usr/bin/env python3
"""Writes the weights of a checkpoint as the file that the program embeds: convolutions in 16 bits, the rest in 32.

    export.py --checkpoint FILE.pt --data DIR --out resources/go/judge/weights.bin --origin "one line of text"

``--data`` (the arrays of prepare.py) is asked for the range of each layer's values. The form of the file stands in
resources/go/judge/README.md.
"""
import argparse
import glob
import struct

import numpy as np
import torch

from net import BLOCKS, FIELDS, HEAD, LEAD_UNIT, PLANES, POOLED, VALUES, Judge, lift
from train import Data

TOP = 4095  # the greatest activation
TOP_WEIGHT = 511  # of a convolution: sums of 576 products fit into 32 bits


def fnv(data: bytes) -> int:
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


class File:
    def __init__(self, header: str):
        self.data = header.encode()

    def floats(self, values):
        array = np.asarray(values.detach() if torch.is_tensor(values) else values, "<f4").ravel()
        self.data += array.tobytes()

    def conv(self, weight, norm):
        """Scale and shift of each output field, then its weights in 16 bits."""
        factor, shift = (t.detach() for t in norm.folded())
        weight = weight.detach() * factor.view(-1, *[1] * (weight.dim() - 1))
        scale = weight.flatten(1).abs().amax(1).clamp(min=1e-8) / TOP_WEIGHT
        bits = torch.round(weight / scale.view(-1, *[1] * (weight.dim() - 1))).clamp(-TOP_WEIGHT, TOP_WEIGHT)
        self.floats(scale)
        self.floats(shift)
        self.data += bits.to(torch.int16).numpy().astype("<i2").tobytes()

    def linear(self, layer):
        self.floats(layer.weight)
        self.floats(layer.bias)


def ranges(net, data):
    """The greatest value of the stream, between the convolutions of each block, and in the head."""
    most = {}

    def note(name):
        return lambda _, inputs: most.__setitem__(name, max(most.get(name, 0.0), float(inputs[0].max())))

    hooks = []
    for k, block in enumerate(net.blocks):
        hooks.append(block.register_forward_pre_hook(note("stream")))
        hooks.append(block.b.register_forward_pre_hook(note(f"block{k}")))
    hooks.append(net.head.register_forward_pre_hook(note("stream")))
    readout = net.readout

    def watched(pooled, h):
        h1 = h + net.head_pooled(pooled).repeat_interleave(8, 1)[:, :, None, None]
        most["head"] = max(most.get("head", 0.0), float(h1.max()))
        return readout(pooled, h)

    net.readout = watched
    with torch.no_grad():
        for d in data:
            rows = np.arange(0, len(d.of["lead"]), max(1, len(d.of["lead"]) // 200))
            for k in range(0, len(rows), 64):
                net(d.batch(rows[k : k + 64])[0])
    for hook in hooks:
        hook.remove()
    return most


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--origin", required=True)
    parser.add_argument("--keep", help="also write a small checkpoint that train.py continues from")
    args = parser.parse_args()
    saved = torch.load(args.checkpoint, weights_only=True)
    net = Judge()
    net.load_state_dict({k.removeprefix("module."): v for k, v in saved["mean"].items() if k != "n_averaged"})
    net.eval()
    if args.keep:
        state = net.state_dict()
        mean = {"n_averaged": saved["mean"]["n_averaged"], **{f"module.{k}": v for k, v in state.items()}}
        torch.save({"net": state, "mean": mean, "seen": saved["seen"]}, args.keep)
    most = ranges(net, [Data(path) for path in sorted(glob.glob(f"{args.data}/size*.npz"))])
    print({name: round(value, 2) for name, value in most.items()})
    file = File(
        f"tengen-judge 1\norigin {args.origin}\nplanes {PLANES}\nfields {FIELDS}\nblocks {BLOCKS}\n"
        f"pooled {' '.join(map(str, POOLED))}\nhead {HEAD}\nvalues {VALUES}\nlead_unit {LEAD_UNIT:g}\ndata\n")
    scale = {name: 1.1 * value / TOP for name, value in most.items()}
    file.floats([scale["stream"]])
    file.conv(net.first, net.norm)
    for k, block in enumerate(net.blocks):
        file.floats([scale[f"block{k}"]])
        file.conv(block.a.weight, block.norm_a)
        if block.pooled is not None:
            file.linear(block.pooled)
        file.conv(block.b.weight, block.norm_b)
    file.floats([scale["head"]])
    file.conv(net.head.weight, net.norm_head)
    for layer in (net.head_pooled, net.points, net.values, net.out):
        file.linear(layer)
    data = file.data + struct.pack("<Q", fnv(file.data))
    with open(args.out, "wb") as out:
        out.write(data)
    print(f"{len(data)} bytes, {sum(p.numel() for p in net.parameters())} weights, {saved['seen']} positions seen")


if __name__ == "__main__":
    main()
