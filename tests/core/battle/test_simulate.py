"""Many battles at once: the same answer however they are spread, in bounded memory, and clear refusals."""

from __future__ import annotations

import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from d20kit import COURSE, SRD35, Pmf
from d20kit.battle import Attack, Combatant, Encounter, simulate
from d20kit.battle.simulation import Simulation
from d20kit.battle.spread import MOST_AT_ONCE, spread
from d20kit.hit_points import State


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of a thousand battles, so that few battles are many blocks; for executors in this process."""
    monkeypatch.setattr(simulate, "_LARGEST_BLOCK", 1_000)


def blocks_of(executor: Executor | None) -> Simulation:
    """Simulate enough for several blocks."""
    return Encounter.ready("duel").simulate(150_000, 5, executor=executor)


@pytest.mark.usefixtures("arrays")
def test_the_same_seed_gives_the_same_answer() -> None:
    """A result can be quoted with its seed; another seed gives others."""
    ambush = Encounter.ready("ambush")
    first = ambush.simulate(3_000, 1)
    assert first == ambush.simulate(3_000, 1)
    assert first.counts != ambush.simulate(3_000, 2).counts


def test_blocks_have_nothing_in_common(arrays: Any) -> None:
    """Two blocks of one seed, and the same block of two seeds, are independent battles."""
    from d20kit.battle.vector.faces import RandomFaces

    rolled = [RandomFaces(*key).roll(arrays.arange(2_000), 1, 20)[0] for key in [(1, 0), (1, 1), (2, 0)]]
    for one, other in [(0, 1), (0, 2), (1, 2)]:
        assert abs((rolled[one] == rolled[other]).mean() - 1 / 20) < 4 * (19 / 400 / 2_000) ** 0.5


@pytest.mark.usefixtures("arrays")
def test_threads_give_the_same_answer() -> None:
    """Blocks finish in any order and are counted all the same."""
    with ThreadPoolExecutor(3) as threads:
        assert blocks_of(threads) == blocks_of(None)


@pytest.mark.usefixtures("arrays")
def test_processes_give_the_same_answer() -> None:
    """Another process knows nothing but the encounter, the seed and the number of the block."""
    with ProcessPoolExecutor(2) as processes:
        assert blocks_of(processes) == blocks_of(None)


@pytest.mark.usefixtures("arrays")
@pytest.mark.parametrize("processes", [True, False], ids=["processes", "threads"])
def test_a_dask_cluster_gives_the_same_answer(processes: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster is an executor like any other: the way to sweeps that outgrow one machine."""
    distributed = pytest.importorskip("distributed", reason="distributed is not installed; it is in the extra dask")
    monkeypatch.chdir(tmp_path)
    workers = {"n_workers": 2, "threads_per_worker": 1} if processes else {"n_workers": 1, "threads_per_worker": 2}
    with (
        distributed.LocalCluster(dashboard_address=None, processes=processes, **workers) as cluster,
        distributed.Client(cluster) as client,
        client.get_executor(pure=False) as executor,
    ):
        assert blocks_of(executor) == blocks_of(None)


@pytest.mark.usefixtures("arrays", "small_blocks")
def test_the_last_block_is_as_small_as_need_be() -> None:
    """Every number of battles is met exactly, also just around the end of a block."""
    duel = Encounter.ready("duel")
    for battles in (1, 999, 1_000, 1_001, 2_500):
        result = duel.simulate(battles, 1)
        assert result.battles == result.counts.battles == sum(result.counts.winners.values()) == battles


@pytest.mark.usefixtures("arrays", "small_blocks")
def test_memory_does_not_grow_with_the_number_of_battles() -> None:
    """Ten blocks need what one block needs, a few counters more."""
    ambush = Encounter.ready("ambush")
    ambush.simulate(1_000, 1)
    peaks = []
    for battles in (1_000, 10_000):
        tracemalloc.start()
        ambush.simulate(battles, 1)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.3 * peaks[0]


def test_few_pieces_are_handed_out_at_a_time() -> None:
    """A billion battles are thousands of pieces; an executor that has not begun holds a few of them only."""

    class Waiting(Executor):
        def __init__(self) -> None:
            self.given, self.most = 0, 0
            self.open: list[tuple[Future[Any], Any]] = []

        def submit(self, work: Callable[..., Any], /, *values: Any, **_named: Any) -> Future[Any]:
            self.given += 1
            self.open.append((Future(), work(*values)))
            self.most = max(self.most, len(self.open))
            if self.given % 50 == 0:
                while self.open:
                    future, value = self.open.pop()
                    future.set_result(value)
            return self.open[-1][0] if self.open else _done(value)

    def _done(value: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(value)
        return future

    waiting = Waiting()
    results = dict(spread(pow, ((number, 2) for number in range(1_000)), waiting))
    assert len(results) == waiting.given == 1_000
    assert waiting.most <= MOST_AT_ONCE


def test_an_error_ends_it_all() -> None:
    """What has not begun is cancelled, and the error of the piece is the error of the whole."""
    begun, stopped = [], Event()

    def work(number: int) -> None:
        begun.append(number)
        if number == 3:
            raise ValueError("the third")
        if number > 3:
            stopped.wait(10)

    with ThreadPoolExecutor(1) as one:
        with pytest.raises(ValueError, match="the third"):
            list(spread(work, ((number,) for number in range(200)), one))
        stopped.set()
    assert len(begun) <= 5


@pytest.mark.usefixtures("arrays", "small_blocks")
def test_progress_is_told() -> None:
    """Whoever waits sees how far it is, up to the end."""
    told = []
    Encounter.ready("duel").simulate(2_500, 1, progress=lambda done, total: told.append((done, total)))
    assert told == [(1_000, 2_500), (2_000, 2_500), (2_500, 2_500)]


@pytest.mark.usefixtures("arrays", "small_blocks")
def test_a_simulation_can_be_stopped() -> None:
    """An interruption while progress is told goes through, with an executor too."""

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with ThreadPoolExecutor(1) as one:
        for executor in (None, one):
            with pytest.raises(KeyboardInterrupt):
                Encounter.ready("duel").simulate(50_000, 1, executor=executor, progress=stop)


def test_without_numpy_battles_are_told_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page in a browser has no NumPy: there it takes longer, and says so."""
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.warns(UserWarning, match="NumPy is not installed"):
        result = Encounter.ready("duel").simulate(300, 1)
    assert result.method == "no numpy"
    assert "one by one, because NumPy is not installed" in str(result)
    assert 0.35 < result.win_chance["red"] < 0.65


def flee(actor: Any, enemies: Any) -> Any:
    """Attack the last enemy: a policy of one's own."""
    return enemies[-1]


def test_a_policy_of_ones_own_is_asked_battle_by_battle() -> None:
    """A function sees one battle at a time; the answer is the same from threads, and says how it was found."""
    own = Encounter([*Encounter.ready("duel").combatants[:1], _club("Bob", policy=flee), _club("Cid", policy=flee)])
    result = own.simulate(600, 1)
    assert result.method == "policy"
    assert "somebody's policy is a function" in str(result)
    with ThreadPoolExecutor(2) as threads:
        assert own.simulate(600, 1, threads) == result


def test_told_and_array_battles_have_the_same_chances(arrays: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fall-back answers the same question: the two shares differ by chance only."""
    last_stand = Encounter.ready("last-stand")
    many = last_stand.simulate(40_000, 1).win_chance["heroes"]
    monkeypatch.setattr(simulate, "choose_method", lambda encounter: "policy")
    told = last_stand.simulate(2_000, 1).win_chance["heroes"]
    assert abs(told - many) < 4 * (many * (1 - many) * (1 / 2_000 + 1 / 40_000)) ** 0.5


def _club(name: str, **changes: Any) -> Combatant:
    values: dict[str, Any] = {"hp": 9, "ac": 12, "attacks": Attack("club", 3, "1d6")} | changes
    return Combatant(name, "blue" if name != "Ann" else "red", **values)


@pytest.mark.usefixtures("arrays")
@pytest.mark.parametrize("changes", [{"policy": "inaction"}, {"attacks": ()}, {"attacks": Attack("net", 5, None)}])
def test_battles_without_end_are_draws(changes: dict[str, Any]) -> None:
    """Nobody can be hurt, so nobody wins; a thousand rounds are not played to find out."""
    result = Encounter([_club("Ann", **changes), _club("Bob", **changes)]).simulate(20_000, 1)
    assert result.draw == 1
    assert result.rounds == {1_000: 1}
    assert "draw  100.000 %" in str(result)


@pytest.mark.usefixtures("arrays")
def test_those_who_bleed_are_waited_for() -> None:
    """Somebody dying dies, though nobody who can act ever will."""
    dying = _club("Cid", hp=-5, policy="inaction")
    encounter = Encounter([_club("Ann", policy="inaction"), _club("Bob", policy="inaction"), dying])
    assert encounter.simulate(100, 1).fates["Cid"][State.DEAD] == 1


@pytest.mark.usefixtures("arrays")
def test_the_disabled_who_pay_for_attacks_fall_by_them() -> None:
    """An attack that does no damage still costs the disabled a hit point, where the rules say so."""
    net = Attack("net", 5, None)
    ann, bob = _club("Ann", hp=0, attacks=net), _club("Bob", policy="inaction")
    assert Encounter([ann, bob], SRD35).simulate(100, 1).win_chance == {"red": 0, "blue": 1}
    assert Encounter([ann, bob], COURSE).simulate(100, 1).draw == 1


@pytest.mark.usefixtures("arrays")
def test_two_hundred_combatants_can_be_simulated() -> None:
    """As many as an encounter may hold, all of them different."""
    crowd = [
        Combatant(f"C{i}", ("red", "blue")[i % 2], 3, 12, Attack("club", i % 9, f"1d{2 + i}"), initiative=i % 5)
        for i in range(200)
    ]
    result = Encounter(crowd).simulate(20, 1)
    assert result.draw == 0
    assert sum(result.counts.winners.values()) == 20


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 0, "seed": 1}, "n is 0, but must be a whole number from 1"),
        ({"n": 10**13, "seed": 1}, "n is 10000000000000"),
        ({"n": "many", "seed": 1}, "n is 'many'"),
        ({"n": 10, "seed": None}, "seed is None"),
        ({"n": 10, "seed": -1}, "seed is -1"),
        ({"n": 10, "seed": 1, "executor": 2}, "executor is 2, but must be a concurrent.futures.Executor"),
    ],
)
def test_odd_arguments_are_refused(arguments: dict[str, Any], message: str) -> None:
    """Each error names the argument, the value and what is allowed."""
    with pytest.raises(ValueError, match=message):
        Encounter.ready("duel").simulate(**arguments)


def test_a_policy_that_returns_the_dead_is_refused() -> None:
    """As in a battle that is told: nothing is counted of a simulation that cannot be right."""
    with pytest.raises(ValueError, match="the target that the policy"):
        Encounter([_club("Ann", policy=lambda actor, enemies: actor), _club("Bob")]).simulate(10, 1)


def test_the_executor_that_is_given_fights_the_blocks() -> None:
    """Without it the answer is the same, so nobody would notice that a cluster stands idle."""
    asked = []

    class Idle(ThreadPoolExecutor):
        def submit(self, *arguments: Any, **named: Any) -> Future[Any]:
            asked.append(arguments)
            return super().submit(*arguments, **named)

    with Idle(1) as executor:
        Encounter.ready("duel").simulate(600, 5, executor=executor)
    assert asked


def test_blocks_of_told_battles_go_on_where_the_last_one_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """No battle is counted twice, and each can be told again by its own number."""
    numbers = []

    def noted(seed: int, index: int) -> int:
        numbers.append(index)
        return index

    monkeypatch.setattr(simulate, "seed_of", noted)
    for block in range(3):
        simulate.count_block(Encounter.ready("duel"), 7, block, simulate._BLOCK_OF_STORIES, "no numpy")
    assert numbers == [*range(3 * simulate._BLOCK_OF_STORIES)]


def test_a_crowd_fights_in_smaller_blocks() -> None:
    """Memory grows with everybody in a block, not with the number of battles alone."""
    crowd = Encounter([Combatant(str(k), str(k % 2), 1, 12, Attack("club", 2, "1d6")) for k in range(64)])
    assert simulate.block_size(crowd) * 64 == 2**20


def test_too_many_battles_are_refused_with_the_most_there_may_be() -> None:
    """A slip of the keyboard must not become a year of work."""
    with pytest.raises(ValueError, match="n is 1000000000001, but must be a whole number from 1 to 1000000000000"):
        Encounter.ready("duel").simulate(10**12 + 1, 1)


def test_import_of_the_battle_needs_no_numpy() -> None:
    """Battles can be told, solved and read where NumPy is missing."""
    code = "import sys; sys.modules['numpy'] = None; import d20kit.battle, d20kit.battle.sweeps; print('ok')"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.strip() == "ok"


@pytest.mark.usefixtures("arrays")
def test_battles_too_long_for_the_rounds_there_are_end_as_draws() -> None:
    """They could hurt each other, but a scratch a round never gets through so many hit points."""
    slow = Attack("scratch", -1_000, "1")
    ann, bob = (_club(name, hp=10_000, attacks=slow) for name in ("Ann", "Bob"))
    result = Encounter([ann, bob]).simulate(2, 1)
    assert result.draw == 1
    assert result.rounds == {1_000: 1}
    assert result.fates["Bob"][State.HEALTHY] == 1


def test_a_net_beside_a_club_is_no_peace(arrays: Any) -> None:
    """Somebody one of whose attacks takes nothing still wins by the other, however long it takes."""
    both = (Attack("net", 2, None), Attack("club", -5, "1"))
    ann = Combatant("Ann", "red", 3, 12, both)
    bob = Combatant("Bob", "blue", 9, 14, (), policy="inaction")
    result = Encounter([ann, bob], COURSE.replace(disabled_attack_cost=0)).simulate(200, 1)
    assert result.counts.winners["red"] == 200


def test_dice_that_the_arrays_do_not_know_are_not_rolled_as_nothing(arrays: Any) -> None:
    """A new kind of expression must fail loudly here, not count as no damage."""
    dice = pytest.importorskip("d20kit.battle.vector.dice")
    with pytest.raises(NotImplementedError, match="object"):
        dice._total(object(), None, arrays.arange(3))


def test_damage_given_as_a_distribution_is_drawn_with_its_chances(arrays: Any) -> None:
    """Outcomes that cannot happen never do, and three in four is three in four."""
    faces = pytest.importorskip("d20kit.battle.vector.faces").RandomFaces(1, 0)
    drawn = faces.draw(arrays.arange(20_000), Pmf({2: 1, 5: 3})).tolist()
    assert set(drawn) == {2, 5}
    assert abs(drawn.count(5) / 20_000 - 3 / 4) < 4 * (3 / 16 / 20_000) ** 0.5
