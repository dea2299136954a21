"""The adapters pass the API tests of the projects they adapt to.

Without more the examples and a few open rulesheets; ``TENGEN_RULESHEETS=all`` takes all of ``../shared/suites/gdl`` (or of the
folder that ``TENGEN_RULESHEET_FOLDER`` names), ``TENGEN_SETUP_SECONDS`` says how long each may ground. The last test prints how
many each project's test was run on.
"""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

gdl = pytest.importorskip("tengen.gdl", reason="the package tengen is not installed: pip install ./python")

FOLDER = Path(os.environ.get("TENGEN_RULESHEET_FOLDER", Path(__file__).parents[3] / "shared/suites/gdl"))
SECONDS = float(os.environ.get("TENGEN_SETUP_SECONDS", "10"))
FEW = ["buttons", "eightPuzzle", "hanoi", "lightsOn", "ticTacToe", "connectFour", "roshambo2", "3pttc", "racer4", "nim2"]


def rulesheets() -> list[str]:
    """Names of the examples, and paths of the open rulesheets."""
    files = sorted(FOLDER.glob("*.kif"))
    if os.environ.get("TENGEN_RULESHEETS") != "all":
        files = [file for file in files if file.stem in FEW]
    return [*gdl.examples(), *map(str, files)]


GAMES: dict[str, Any] = {}
COUNTS: Counter[str] = Counter()
NOT: dict[str, list[str]] = {}


def game_of(rules: str) -> Any:
    """The game, if it has a net; grounded once."""
    if rules not in GAMES:
        GAMES[rules] = gdl.example(rules) if rules in gdl.examples() else gdl.load(rules, setup_seconds=SECONDS)
    game = GAMES[rules]
    if game.no_net:
        NOT.setdefault("no net", []).append(Path(rules).stem)
        pytest.skip(f"no net: {game.no_net}")
    return game


def passes(project: str, rules: str, test: Callable[[], None]) -> None:
    """Runs a project's test and counts it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        test()
    COUNTS[project] += 1


@pytest.mark.parametrize("rules", rulesheets())
def test_gymnasium_checks_every_game_of_one_role(rules: str) -> None:
    checker = pytest.importorskip("gymnasium.utils.env_checker")
    from tengen.gymnasium import Env

    game = game_of(rules)
    if len(game.roles) != 1:
        with pytest.raises(ValueError, match=r"tengen\.pettingzoo"):
            Env(game)
        pytest.skip("several roles")
    passes("gymnasium", rules, lambda: checker.check_env(Env(game, render_mode="ansi"), skip_render_check=True))


@pytest.mark.parametrize("autoreset", ["next_step", "same_step", "disabled"])
@pytest.mark.parametrize("rules", ["corridor", "heaps"])
def test_the_vector_environment_is_gymnasium_s_own_over_single_ones(rules: str, autoreset: str) -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.vector import AutoresetMode, SyncVectorEnv

    from tengen.gymnasium import Env, VectorEnv

    game = gdl.example(rules)
    if len(game.roles) != 1:
        pytest.skip("several roles")
    mode = {"next_step": AutoresetMode.NEXT_STEP, "same_step": AutoresetMode.SAME_STEP}.get(
        autoreset, AutoresetMode.DISABLED
    )
    ours = VectorEnv(game, 5, autoreset=autoreset, max_steps=9)
    theirs = SyncVectorEnv([lambda: Env(game, max_steps=9)] * 5, autoreset_mode=mode)
    assert isinstance(ours, gymnasium.vector.VectorEnv)
    assert ours.single_action_space == theirs.single_action_space
    assert ours.observation_space == theirs.observation_space
    random = np.random.default_rng(3)
    one, infos = ours.reset(seed=1)
    other, _ = theirs.reset(seed=1)
    for _ in range(60):
        assert np.array_equal(one, other)
        mask = infos["action_mask"]
        # Now and then an action that is not legal.
        actions = np.array(
            [random.choice(np.flatnonzero(m)) if m.any() and random.random() > 0.05 else random.integers(mask.shape[1]) for m in mask]
        )
        one, reward, terminated, truncated, infos = ours.step(actions)
        other, reward2, terminated2, truncated2, infos2 = theirs.step(actions)
        assert np.allclose(reward, reward2)
        assert np.array_equal(terminated, terminated2) and np.array_equal(truncated, truncated2)
        over = terminated | truncated
        if autoreset == "same_step" and over.any():
            assert np.array_equal(infos["_final_obs"], infos2["_final_obs"])
            for game_over in np.flatnonzero(over):
                assert np.array_equal(infos["final_obs"][game_over], infos2["final_obs"][game_over])
        if autoreset == "disabled" and over.any():
            one, infos = ours.reset(options={"reset_mask": over})
            other, _ = theirs.reset(options={"reset_mask": over})


@pytest.mark.parametrize("rules", rulesheets())
def test_pettingzoo_checks_every_game(rules: str) -> None:
    tests = pytest.importorskip("pettingzoo.test")
    from tengen.pettingzoo import AECEnv, ParallelEnv

    game = game_of(rules)
    passes("pettingzoo AEC", rules, lambda: tests.api_test(AECEnv(game, max_steps=200), num_cycles=100))
    passes("pettingzoo parallel", rules, lambda: tests.parallel_api_test(ParallelEnv(game, max_steps=200), num_cycles=100))


@pytest.mark.parametrize("rules", ["noughts", "standoff"])
def test_pettingzoo_finds_the_same_games_at_the_same_seed(rules: str) -> None:
    tests = pytest.importorskip("pettingzoo.test")
    from tengen.pettingzoo import AECEnv, ParallelEnv

    game = gdl.example(rules)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tests.seed_test(lambda: AECEnv(game, illegal="lose"), num_cycles=20)
        tests.parallel_seed_test(lambda: ParallelEnv(game, illegal="lose"), num_cycles=20)


@pytest.mark.parametrize("rules", rulesheets())
def test_openspiel_simulates_every_game(rules: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from tengen import openspiel

    game_of(rules)
    game = openspiel.load(rules, max_steps=200, setup_seconds=SECONDS)
    passes(
        "openspiel", rules, lambda: pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    )


@pytest.mark.parametrize("rules", gdl.examples())
def test_openspiel_writes_a_playthrough_and_reads_the_game_by_its_name(rules: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    playthrough = pytest.importorskip("open_spiel.python.algorithms.generate_playthrough")
    from tengen import openspiel

    game = openspiel.load(rules)
    assert str(pyspiel.load_game(str(game))) == str(game)
    text = playthrough.playthrough(str(game), action_sequence=None, seed=1)
    assert "IsTerminal() = True" in text and "Returns()" in text


@pytest.mark.parametrize("dynamics", ["sequential", "simultaneous"])
def test_openspiel_s_legal_actions_are_those_that_its_own_way_finds(dynamics: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from tengen import openspiel

    random = np.random.default_rng(1)
    for max_steps in (4, 200):
        state = openspiel.load("noughts", dynamics=dynamics, max_steps=max_steps).new_initial_state()
        while not state.is_terminal():
            by_player = [state.legal_actions(player) for player in (0, 1)]
            assert by_player == [pyspiel.State.legal_actions(state, player) for player in (0, 1)]
            if dynamics == "simultaneous":
                state.apply_actions([int(random.choice(legal)) for legal in by_player])
            else:
                assert state.legal_actions() == pyspiel.State.legal_actions(state)
                state.apply_action(int(random.choice(state.legal_actions())))
        assert state.legal_actions() == [] == pyspiel.State.legal_actions(state)
        assert state.move_number() <= max_steps


@pytest.mark.parametrize("rules", gdl.examples())
def test_openspiel_s_states_are_the_rulesheet_s(rules: str) -> None:
    pytest.importorskip("pyspiel")
    from tengen import openspiel

    game, walked = openspiel.load(rules), gdl.example(rules).initial()
    state = game.new_initial_state()
    random = np.random.default_rng(1)
    while not state.is_terminal():
        assert state.facts == walked.facts
        copy = state.clone()
        players = range(game.num_players())
        if state.is_simultaneous_node():
            actions = [int(random.choice(state.legal_actions(p))) for p in players]
            state.apply_actions(actions)
            moves = [copy.action_to_string(p, a) for p, a in zip(players, actions)]
        else:
            player = state.current_player()
            action = int(random.choice(state.legal_actions()))
            state.apply_action(action)
            moves = [walked.legal(role)[0] for role in gdl.example(rules).roles]
            moves[player] = copy.action_to_string(player, action)
        walked = walked.next(moves)
        assert copy.facts != state.facts or copy.move_number() + 1 == state.move_number()
    assert walked.terminal
    assert state.returns() == [0.0 if goal is None else goal / 100 for goal in walked.goals]
    with pytest.raises(ValueError, match="sequential or simultaneous"):
        openspiel.load(rules, dynamics="chance")


@pytest.mark.parametrize("parallel", [False, True])
def test_an_illegal_action_raises_or_ends_the_game(parallel: bool) -> None:
    pytest.importorskip("pettingzoo")
    from tengen.pettingzoo import AECEnv, ParallelEnv

    game = gdl.example("noughts")
    for illegal in ["raise", "lose"]:
        env = ParallelEnv(game, illegal=illegal) if parallel else AECEnv(game, illegal=illegal)
        env.reset()
        bad: Any = dict.fromkeys(env.agents, 99) if parallel else 99
        if illegal == "raise":
            with pytest.raises(ValueError, match="not legal"):
                env.step(bad)
            with pytest.raises(TypeError):
                env.step(dict.fromkeys(env.agents, 0.5) if parallel else 0.5)
        elif parallel:
            _, rewards, terminations, _, _ = env.step(bad)
            assert all(terminations.values()) and min(rewards.values()) == 0 and env.agents == []
        else:
            env.step(bad)
            assert env.rewards == {"noughts": 0.0, "crosses": 1.0} and all(env.terminations.values())


def test_how_many_rulesheets_each_project_s_test_was_run_on(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print(f"\n{len(rulesheets())} rulesheets, {dict(COUNTS)}; without a net in {SECONDS:g} s: {len(set(NOT.get('no net', [])))}")
