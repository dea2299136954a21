#!/usr/bin/env python3
"""Trains the judge's net on the arrays of prepare.py; goes on from a checkpoint where there is one.

    train.py --data DIR --checkpoint FILE.pt --minutes 60 [--rate 0.004] [--threads 2]

The rate falls by a cosine over the minutes of this call, to a share of it (a first run that let it fall to 2 % ended worse than the mean
of weights had been at a tenth of the rate). Every five minutes it prints a line and writes the checkpoint (weights,
their running mean, optimizer). Ctrl-C and kill lose at most that.
"""
import argparse
import glob
import math
import os
import re
import time

import numpy as np
import torch
import torch.nn.functional as F

from net import PLANES, Judge, Norm, turn

KOMI = 7.5
POINTS = 128 * 361  # of a batch
PEOPLE = 0.5  # share of positions from games of people
SETTLED = 300_000  # positions after which the norms keep their statistics


class Data:
    def __init__(self, path):
        self.n = int(re.search(r"size(\d+)", path)[1])
        arrays = np.load(path)
        self.of = {name: arrays[name] for name in arrays.files}
        rows, people, watch = np.arange(len(self.of["lead"])), self.of["source"] > 0, self.of["watch"] > 0
        self.pools = {True: rows[people & ~watch], False: rows[~people & ~watch]}
        self.watched = {True: rows[people & watch], False: rows[~people & watch]}

    def batch(self, rows, g=0):
        n, of = self.n, self.of
        bits = np.unpackbits(of["planes"][rows], axis=1)[:, : PLANES * n * n].reshape(len(rows), PLANES, n, n)
        x = turn(torch.from_numpy(bits), g).float().contiguous(memory_format=torch.channels_last)
        own = turn(torch.from_numpy(of["own"][rows]).view(-1, n, n), g).reshape(-1, n * n).float() / 100
        policy = torch.zeros(len(rows), n * n + 1)
        at = torch.from_numpy(of["at"][rows]).long()
        policy.scatter_add_(1, at.clamp(min=0), torch.from_numpy(of["permille"][rows]).float() * (at >= 0))
        policy[:, :-1] = turn(policy[:, :-1].view(-1, n, n), g).reshape(-1, n * n)
        policy /= policy.sum(1, keepdim=True).clamp(min=1)
        lead, win = torch.from_numpy(of["lead"][rows]), torch.from_numpy(of["win"][rows])
        komi = KOMI * (2 * torch.from_numpy(of["white"][rows]).float() - 1)
        return x, own, policy, lead, win, komi


def losses(net, batch):
    x, own, policy, lead, win, komi = batch
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits, owner, led, spread = net(x)
    of_policy = -(policy * F.log_softmax(logits, 1)).sum(1).mean()
    of_owner = ((owner - own) ** 2).mean()
    of_lead = F.huber_loss(led, lead, delta=8.0)
    of_win = F.binary_cross_entropy_with_logits((led.detach() + komi) / spread, win)
    error = (led - lead).abs().mean()
    best = (logits.argmax(1) == policy.argmax(1)).float().mean()
    return 10 * of_owner + 0.6 * of_policy + 0.012 * of_lead + 0.3 * of_win, [of_owner, error, best, of_policy, of_win]


def watch(net, data, people):
    net.eval()
    sums, count = np.zeros(5), 0
    with torch.no_grad():
        for d in data:
            rows = d.watched[people][:: max(1, len(d.watched[people]) // 200)]
            for k in range(0, len(rows), 128):
                part = rows[k : k + 128]
                _, parts = losses(net, d.batch(part))
                sums += np.array([float(p) for p in parts]) * len(part)
                count += len(part)
    net.train()
    return sums / max(count, 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--checkpoint", required=True)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rate", type=float, default=0.004)
    parser.add_argument("--floor", type=float, default=0.4, help="the share of the rate that is left at the end")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    random = np.random.default_rng(args.seed)
    data = [Data(path) for path in sorted(glob.glob(f"{args.data}/size*.npz"))]
    share = {p: np.array([len(d.pools[p]) for d in data], float) for p in (True, False)}
    share = {p: s**0.9 / (s**0.9).sum() for p, s in share.items()}
    net = Judge()
    mean = torch.optim.swa_utils.AveragedModel(
        net, use_buffers=True, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.999))
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-4, betas=(0.9, 0.99))
    seen = 0
    if os.path.exists(args.checkpoint):
        saved = torch.load(args.checkpoint, weights_only=True)
        net.load_state_dict(saved["net"])
        mean.load_state_dict(saved["mean"])
        if "optimizer" in saved:
            optimizer.load_state_dict(saved["optimizer"])
        seen = saved["seen"]
    print(f"{sum(p.numel() for p in net.parameters())} weights, {seen} positions seen", flush=True)

    def save():
        torch.save({"net": net.state_dict(), "mean": mean.state_dict(), "optimizer": optimizer.state_dict(), "seen": seen},
                   args.checkpoint + ".part")
        os.replace(args.checkpoint + ".part", args.checkpoint)

    start = told = time.time()
    step, at_told = 0, seen
    while (gone := (time.time() - start) / 60) < args.minutes:
        rate = args.rate * min(1, (step + 1) / 200) * (args.floor + (1 - args.floor) * 0.5 * (1 + math.cos(math.pi * gone / args.minutes)))
        for group in optimizer.param_groups:
            group["lr"] = rate
        if seen >= SETTLED:
            for module in net.modules():
                if isinstance(module, Norm):
                    module.settled = True
        people = random.random() < PEOPLE
        d = data[random.choice(len(data), p=share[people])]
        pool = d.pools[people]
        rows = np.sort(random.choice(pool, min(len(pool), int(POINTS / d.n**2), 400), replace=False))
        loss, _ = losses(net, d.batch(rows, int(random.integers(8))))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimizer.step()
        mean.update_parameters(net)
        step, seen = step + 1, seen + len(rows)
        if time.time() - told > 300 or step == 100:
            rate_seen = (seen - at_told) / (time.time() - told)
            told = time.time()
            text = "; ".join(
                f"{name}: map {w[0]:.4f} lead {w[1]:.2f} best {w[2]:.3f} ce {w[3]:.3f} win {w[4]:.3f}"
                for name, w in (("people", watch(mean.module, data, True)), ("self", watch(mean.module, data, False))))
            print(f"{gone:.1f} min, {step} steps, {seen} seen, {rate_seen:.0f}/s, rate {rate:.5f}; {text}", flush=True)
            save()
            told, at_told = time.time(), seen
    save()


if __name__ == "__main__":
    main()
