"""Games, states and vector environments, as a user of the package sees them."""

from __future__ import annotations

import numpy as np
import pytest

gdl = pytest.importorskip("tengen.gdl", reason="the package tengen is not installed: pip install ./python")
rulesheets = pytest.importorskip("tengen._tengen").EXAMPLES


def test_the_readme_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    from pathlib import Path

    root = Path(__file__).parents[2]
    monkeypatch.chdir(root)
    texts = [part.split("```")[0] for part in (root / "python/README.md").read_text().split("```python\n")[1:]]
    frames, games = texts
    names: dict[str, object] = {}
    exec(games, names)  # noqa: S102
    assert isinstance(names["games"], int) and names["games"] > 4096
    pytest.importorskip("polars")
    assert len([line for line in frames.splitlines() if line]) <= 10
    exec(frames, names)  # noqa: S102
    assert len(names["dragons"]) > 0  # type: ignore[arg-type]


@pytest.mark.parametrize("name", gdl.examples())
@pytest.mark.parametrize("joint", [False, True])
@pytest.mark.parametrize("autoreset", ["next_step", "same_step", "disabled"])
def test_every_game_of_an_environment_goes_as_its_states_say(name: str, joint: bool, autoreset: str) -> None:
    game = gdl.example(name)
    env = gdl.VectorEnv(game, 9, seed=2, joint=joint, autoreset=autoreset)
    states = [game.initial() for _ in range(9)]
    over = [False] * 9
    for _ in range(15):
        before = list(states)
        turn = env.turn.copy()
        for n, state in enumerate(states):
            assert env.facts(n) == state.facts
            shown = sorted(t for t, bit in zip(env.columns, env.observation[n]) if bit)
            assert shown == state.facts
            if over[n]:
                assert not env.legal_mask[n].any()
            elif env.turns:
                legal = sorted(np.array(env.actions)[env.legal_mask[n]])
                assert legal == state.legal(game.roles[turn[n]])
            else:
                for r, role in enumerate(game.roles):
                    assert sorted(np.array(env.actions)[env.legal_mask[n, r]]) == state.legal(role)
        actions = env.sample_legal()
        step = env.step(actions)
        for n, state in enumerate(before):
            if over[n]:
                if autoreset == "next_step":
                    states[n], over[n] = game.initial(), False
                continue
            if env.turns:
                moves = [state.legal(role)[0] for role in game.roles]
                moves[turn[n]] = env.actions[actions[n]]
            else:
                moves = [env.actions[a] for a in actions[n]]
            states[n] = state.next(moves)
            assert step.terminated[n] == states[n].terminal
            if states[n].terminal:
                goals = [0.0 if g is None else g / 100 for g in states[n].goals]
                assert np.allclose(step.reward[n], goals)
                if autoreset == "same_step":
                    last = sorted(t for t, bit in zip(env.columns, env.final_observation[n]) if bit)
                    assert last == states[n].facts
                    states[n] = game.initial()
                else:
                    over[n] = True


def test_buffers_are_shared_not_copied() -> None:
    env = gdl.VectorEnv(gdl.example("noughts"), 100)
    observation, mask, planes = env.observation, env.legal_mask, env.planes
    assert planes.shape == (100, 3, 3, 3)
    before = observation.copy()
    step = env.step(env.sample_legal())
    assert step.observation is observation and step.legal_mask is mask
    assert not np.array_equal(before, observation)
    # A write through one is seen through the other.
    observation[3, 10] ^= True
    assert planes[3, 1, 0, 1] == observation[3, 10]
    observation[3, 10] ^= True
    assert np.array_equal(planes.reshape(100, 27), observation[:, :27])
    assert np.array_equal(np.from_dlpack(observation), observation)


def test_the_same_seed_gives_the_same_games_at_any_number_of_threads() -> None:
    def run(threads: int) -> bytes:
        env = gdl.VectorEnv(gdl.example("relay"), 1500, seed=7, threads=threads)
        return b"".join(env.step(env.sample_legal()).observation.tobytes() for _ in range(10))

    assert run(1) == run(2) == run(3)


def test_bad_actions_raise_and_nothing_moves() -> None:
    env = gdl.VectorEnv(gdl.example("noughts"), 700)
    before = env.observation.copy()
    good = env.sample_legal()
    for wrong, error in [
        (good[:3], ValueError),
        (good.astype(float), TypeError),
        (np.full(700, 99), ValueError),
        (np.full(700, 2**40), ValueError),
        (np.full(700, -1), ValueError),
    ]:
        with pytest.raises(error):
            env.step(wrong)
        assert np.array_equal(before, env.observation)
    env.step(good.astype(np.uint8))
    assert not np.array_equal(before, env.observation)


def test_an_illegal_action_loses_where_asked_for() -> None:
    env = gdl.VectorEnv(gdl.example("noughts"), 2, illegal="lose")
    actions = env.sample_legal()
    actions[1] = 99
    step = env.step(actions)
    assert step.terminated.tolist() == [False, True]
    assert step.reward[1].tolist() == [0.0, 1.0]


@pytest.mark.parametrize(
    "bad",
    [
        {"num_envs": 0},
        {"autoreset": "never"},
        {"illegal": "ignore"},
        {"threads": 0},
        {"packed": True, "bitorder": "middle"},
    ],
)
def test_bad_settings_are_value_errors(bad: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        gdl.VectorEnv(gdl.example("noughts"), **bad)


def test_faults_of_a_rulesheet_have_line_and_column() -> None:
    with pytest.raises(gdl.RulesheetError) as caught:
        gdl.Game("(role a)\n  (init b", name="x.kif")
    assert caught.value.faults[0]["line"] == 2 and caught.value.faults[0]["column"] == 3
    assert "x.kif:2:3" in str(caught.value)
    assert gdl.check("(role a)\n  (init b")[0]["severity"] == "error"


def test_states_refuse_what_is_not_legal() -> None:
    state = gdl.example("noughts").initial()
    for moves in [["(put 1 1)"], ["(put 9 9)", "wait"], ["wait", "wait"]]:
        with pytest.raises(ValueError):
            state.next(moves)
    with pytest.raises(ValueError, match="noughts, crosses"):
        state.legal("nobody")


def test_a_game_without_a_net_can_be_walked_but_is_no_environment() -> None:
    game = gdl.Game(dict(rulesheets)["noughts"], setup_seconds=0)
    assert game.no_net
    assert game.initial().legal("crosses") == ["wait"]
    with pytest.raises(RuntimeError, match="no net"):
        gdl.VectorEnv(game)


@pytest.mark.parametrize("name", gdl.examples())
@pytest.mark.parametrize("bitorder", ["big", "little"])
@pytest.mark.parametrize("joint", [False, True])
def test_packed_rows_are_packbits_of_the_others(name: str, bitorder: str, joint: bool) -> None:
    game = gdl.example(name)
    settings = {"seed": 4, "joint": joint, "autoreset": "same_step"}
    plain = gdl.VectorEnv(game, 600, **settings)
    packed = gdl.VectorEnv(game, 600, packed=True, bitorder=bitorder, threads=2, **settings)
    for _ in range(12):
        for bits, bools in [
            (packed.observation, plain.observation),
            (packed.final_observation, plain.final_observation),
            (packed.legal_mask, plain.legal_mask),
        ]:
            assert bits.dtype == np.uint8
            assert np.array_equal(bits, np.packbits(bools, axis=-1, bitorder=bitorder))
        actions = plain.sample_legal()
        plain.step(actions)
        packed.step(actions)
    back = np.unpackbits(packed.observation, axis=-1, count=len(packed.columns), bitorder=packed.bitorder)
    assert np.array_equal(back.astype(bool), plain.observation)
    with pytest.raises(ValueError, match="packed"):
        _ = packed.planes
