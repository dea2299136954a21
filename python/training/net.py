"""The judge's net: convolutions that commute with the eight turnings of the board.

Source: T. Cohen, M. Welling, "Group Equivariant Convolutional Networks" (2016), for the group D4; K. He et al., "Deep Residual
Learning" (2015); global pooling as D. Wu, "Accelerating Self-Play Learning in Go" (2019), section 3.3.

A *field* is a set of eight channels, one for each turning: turning the board turns the planes and permutes the channels. A weight is
stored once a field and expanded to the eight turnings. So the output of the net turns with the board, and no mean over turnings
is needed. The numbers that leave the net are owner and likelihood a vertex, lead, its spread, and the likelihood of a pass.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

PLANES = 31
FIELDS = 8
BLOCKS = 6
POOLED = (1, 3, 5)  # blocks that see the whole board
HEAD = 12  # fields of the head
VALUES = 48
LEAD_UNIT = 10.0


def turn(x, g):
    """The planes in the last two dimensions, turned: first mirrored if g > 3, then by quarters."""
    if g >= 4:
        x = x.flip(-1)
    return torch.rot90(x, g % 4, (-2, -1))


def _table():
    """table[g][h] = g^-1 h, found by turning a board without symmetry."""
    probe = torch.arange(9).view(3, 3)
    images = [turn(probe, g) for g in range(8)]
    of = lambda x: next(k for k in range(8) if torch.equal(images[k], x))
    inverse = [next(h for h in range(8) if torch.equal(turn(images[g], h), probe)) for g in range(8)]
    # images[a] turned by b is the element "b after a".
    return [[of(turn(images[h], inverse[g])) for h in range(8)] for g in range(8)]


TABLE = _table()


def lift(weight):
    """[F, planes, k, k] to [F * 8, planes, k, k]."""
    return torch.stack([turn(weight, g) for g in range(8)], 1).flatten(0, 1)


def _gather(k):
    """Where each weight of an expanded kernel stands among the 8 * k * k of its field: [g, h, k, k]."""
    places = torch.arange(8 * k * k).view(8, k, k)
    return torch.stack([turn(places[TABLE[g]], g) for g in range(8)])


GATHER = {k: _gather(k).flatten() for k in (1, 3)}


def expand(weight):
    """[out, in, 8, k, k] to [out * 8, in * 8, k, k]."""
    outputs, inputs, _, k, _ = weight.shape
    all_turnings = weight.flatten(2).index_select(2, GATHER[k]).view(outputs, inputs, 8, 8, k, k)
    return all_turnings.transpose(1, 2).reshape(outputs * 8, inputs * 8, k, k)


class Norm(nn.Module):
    """Batch norm whose scale and shift are one a field.

    A batch has one board size and one source, and its statistics differ from those of all positions. So a net that goes on learning with
    the statistics of its batches judges small boards wrongly afterwards. `settled` norms learn with the running statistics instead.
    """

    def __init__(self, fields):
        super().__init__()
        self.scale, self.shift = nn.Parameter(torch.ones(fields)), nn.Parameter(torch.zeros(fields))
        self.settled = False
        self.register_buffer("mean", torch.zeros(fields * 8))
        self.register_buffer("var", torch.ones(fields * 8))

    def forward(self, x):
        scale, shift = self.scale.repeat_interleave(8), self.shift.repeat_interleave(8)
        return F.batch_norm(x, self.mean, self.var, scale, shift, self.training and not self.settled, 0.01, 1e-4)

    def folded(self):
        """Factor and summand a field, with the statistics of the eight turnings taken together."""
        mean8, var8 = self.mean.view(-1, 8), self.var.view(-1, 8)
        mean = mean8.mean(1)
        var = (var8 + mean8**2).mean(1) - mean**2
        factor = self.scale / torch.sqrt(var + 1e-4)
        return factor, self.shift - mean * factor


class Conv(nn.Module):
    """A convolution from fields to fields."""

    def __init__(self, inputs, outputs, k):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs, 8, k, k) * (2 / (inputs * 8 * k * k)) ** 0.5)
        self.k = k

    def forward(self, x):
        return F.conv2d(x, expand(self.weight).contiguous(memory_format=torch.channels_last), padding=self.k // 2)


def pool(x):
    """Mean, mean by size and maximum of each field over board and turnings."""
    n = x.shape[-1]
    per_channel = x.mean((2, 3), dtype=torch.float32).view(x.shape[0], -1, 8).mean(2)
    most = x.flatten(2).max(2).values.float().view(x.shape[0], -1, 8).amax(2)
    return torch.cat([per_channel, per_channel * ((n - 14) / 10), most], 1)


class Block(nn.Module):
    def __init__(self, fields, pooled):
        super().__init__()
        self.a, self.norm_a = Conv(fields, fields, 3), Norm(fields)
        self.b, self.norm_b = Conv(fields, fields, 3), Norm(fields)
        self.pooled = nn.Linear(3 * fields, fields) if pooled else None

    def forward(self, x):
        h = self.norm_a(self.a(x))
        if self.pooled is not None:
            with torch.autocast("cpu", enabled=False):
                bias = self.pooled(pool(x)).repeat_interleave(8, 1)[:, :, None, None]
            h = h + bias.to(h.dtype)
        h = self.norm_b(self.b(F.relu(h)))
        return F.relu(x + h)


class Judge(nn.Module):
    def __init__(self, fields=FIELDS, blocks=BLOCKS):
        super().__init__()
        self.first = nn.Parameter(torch.randn(fields, PLANES, 5, 5) * (2 / 150) ** 0.5)
        self.norm = Norm(fields)
        self.blocks = nn.ModuleList(Block(fields, k in POOLED) for k in range(blocks))
        self.head, self.norm_head = Conv(fields, HEAD, 1), Norm(HEAD)
        self.head_pooled = nn.Linear(3 * fields, HEAD)
        self.points = nn.Linear(HEAD, 2)  # likelihood, owner
        self.values = nn.Linear(3 * fields + 3 * HEAD, VALUES)
        self.out = nn.Linear(VALUES, 3)  # correction of the lead, log spread, pass

    def forward(self, x):
        x = F.conv2d(x, lift(self.first).contiguous(memory_format=torch.channels_last), padding=2)
        x = F.relu(self.norm(x))
        for block in self.blocks:
            x = block(x)
        h = self.norm_head(self.head(x))
        with torch.autocast("cpu", enabled=False):
            return self.readout(pool(x), h.float())

    def readout(self, pooled, h):
        """Policy (a pass last), owner, lead and spread from the pooled fields and the head's."""
        h = F.relu(h + self.head_pooled(pooled).repeat_interleave(8, 1)[:, :, None, None])
        n = h.shape[-1]
        by_field = h.view(h.shape[0], HEAD, 8, n * n).mean(2)
        points = self.points(by_field.transpose(1, 2))
        policy, owner = points[:, :, 0], torch.tanh(points[:, :, 1])
        out = self.out(F.relu(self.values(torch.cat([pooled, pool(h)], 1))))
        policy = torch.cat([policy, out[:, 2:3]], 1)
        lead = owner.detach().sum(1) + LEAD_UNIT * out[:, 0]
        spread = F.softplus(out[:, 1]) * LEAD_UNIT + 0.5
        return policy, owner, lead, spread
