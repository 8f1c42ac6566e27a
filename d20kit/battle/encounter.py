"""Who meets whom, and under which rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from d20kit.battle import exact as solver
from d20kit.battle import simulate as simulator
from d20kit.battle.battle import Battle
from d20kit.battle.combatant import Combatant
from d20kit.battle.encounter_file import FilePath, checked_path, read_file, write_file
from d20kit.battle.encounter_read import about
from d20kit.battle.engine import able_to_act, tell
from d20kit.battle.events import Event
from d20kit.battle.faces import SeededDice, check_seed
from d20kit.battle.ready import READY, read_ready
from d20kit.battle.simulation import Simulation
from d20kit.battle.solve.chain import Progress
from d20kit.battle.validate import MOST_COMBATANTS
from d20kit.check import called, members, named_arguments, refuse
from d20kit.hit_points import State
from d20kit.language import _
from d20kit.randomness import Roller
from d20kit.rulesets import COURSE, Ruleset, check_rules


@named_arguments
@dataclass(frozen=True)
class Encounter:
    """Combatants of at least two sides who are about to fight.

    Parameters
    ----------
    combatants : iterable of Combatant
        Everybody, in the order in which the default policy looks for its target.
    rules : Ruleset
        ``COURSE`` unless given.

    Raises
    ------
    ValueError
        If there are no combatants or more than ``MOST_COMBATANTS``, only one side, two of one name, or a side with
        nobody who can act.

    Examples
    --------
    >>> from d20kit.battle import Combatant, Encounter
    >>> rogue = Combatant.from_bestiary("rogue")
    >>> goblin = Combatant.from_bestiary("goblin", aware=False)
    >>> print(Encounter([rogue, goblin]).fight(7).winner)
    heroes
    """

    combatants: tuple[Combatant, ...]
    rules: Ruleset = COURSE

    if TYPE_CHECKING:  # what is taken is more than what is kept

        def __init__(self, combatants: Iterable[Combatant], rules: Ruleset = COURSE) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "combatants", _combatants(self.combatants))
        check_rules(self.rules)
        for side in self.sides:
            if not any(able_to_act(one, self.rules) for one in self.combatants if one.side == side):
                raise ValueError(
                    _(
                        "everybody of side {side!r} is already down, but each side needs somebody who is healthy or "
                        "disabled; raise hp"
                    ).format(side=side)
                )

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides, in the order in which they first appear."""
        return tuple(dict.fromkeys(one.side for one in self.combatants))

    def fight(
        self, seed: int | None = None, *, dice: Roller | None = None, watch: Callable[[Event], object] | None = None
    ) -> Battle:
        """Fight it out and tell every roll.

        Parameters
        ----------
        seed : int
            From 0 to 2**63 - 1; the same seed gives the same battle on every machine.
        dice : ScriptedDice or other object with ``die(sides)``, optional
            Dice to roll instead of a seed's.
        watch : callable, optional
            Called with each event as it happens.

        Returns
        -------
        Battle
            A draw if ``ROUND_LIMIT`` rounds do not decide it.

        Raises
        ------
        ValueError
            If the seed is missing or odd, a script of dice does not fit, or a policy misbehaves.
        """
        if dice is not None and seed is not None:
            raise ValueError(_("both seed and dice are given, but only one of them can roll; leave one out"))
        if dice is None:
            seed = check_seed(seed)
            dice = SeededDice(seed)
        elif not callable(getattr(dice, "die", None)):
            raise refuse("dice", dice, _("an object with die(sides)"), "dice=ScriptedDice([14, 4])")
        if watch is not None:
            called("watch", watch, _("a function that is called with each event"), "watch=print")
        story = tell(self.combatants, self.rules, dice, watch)
        return Battle(self, story.events, story.standings, story.faces, seed, getattr(dice, "choices", 0))

    def win_chance(
        self, side: str, *, given: Iterable[Event] = (), exact: bool = True, progress: Progress | None = None
    ) -> Fraction | float:
        """Return the chance that a side wins, over all dice and all orders of initiative.

        Parameters
        ----------
        side : str
            One of the sides.
        given : iterable of Event, optional
            What has happened already, ``battle.events[:k]`` of a battle of this encounter: the chance from that moment.
        exact : bool
            A fraction without any error, or a float that is off by less than ``odds(exact=False).error``, for larger
            battles.
        progress : callable, optional
            Called now and then with what is done and what there is to do; an error it raises stops the work. Without
            it, work of more than some three seconds shows a bar on standard error if that is a terminal, and nothing
            anywhere else: in a notebook write ``progress=Bar()`` with the class of :mod:`d20kit.battle.bar`.

        Returns
        -------
        Fraction or float

        Raises
        ------
        TooMuchWorkError
            A ValueError: the estimated work is above ``MAX_EXACT_STEPS`` or ``MAX_FLOAT_STEPS`` of
            :mod:`d20kit.battle.solve.limits`.
        ValueError
            If the side is unknown, ``given`` is of another battle, or somebody's policy is a function.

        Notes
        -----
        A battle is decided at the blow that fells the last enemy. A disabled attacker who strikes it wins, though
        acting then costs a hit point and may leave it dying: the rules leave open which of the two comes first, and
        this is how :meth:`fight` and :meth:`simulate` read them too.

        The sides share one answer: what one question has solved, the next one, :meth:`odds` and later moments of the
        battle look up, and an answer that was stopped goes on from where it was. The last side's chance is what the
        others leave of 1, or a solution of its own where a battle may never end. As a float it is therefore as close
        to the truth as theirs in absolute terms: a very small one may have few digits.

        Examples
        --------
        >>> from d20kit.battle import Attack, Combatant, Encounter
        >>> ann, bob = (Combatant(name, name, 5, 15, Attack("blow", 4, "10")) for name in ("Ann", "Bob"))
        >>> duel = Encounter([ann, bob])
        >>> duel.win_chance("Ann")
        Fraction(1, 2)
        >>> battle = duel.fight(1)
        >>> [str(duel.win_chance("Ann", given=battle.events[:k])) for k in (0, 6, len(battle.events))]
        ['1/2', '1/3', '0']
        """
        return solver.win_chance(self, side, given=given, exact=exact, progress=progress)

    def odds(self, *, given: Iterable[Event] = (), exact: bool = True, progress: Progress | None = None) -> solver.Odds:
        """Return the chance of each side to win, that of a draw, and the error of them all.

        Parameters are those of :meth:`win_chance`. A draw is a battle that never ends, because nobody who can act
        would ever hurt an enemy; a battle that is told stops at ``ROUND_LIMIT`` rounds, so the few that would have
        been decided later are draws there. The blow that fells the last enemy wins, whatever it costs a disabled
        attacker.

        Examples
        --------
        >>> from d20kit.battle import Encounter
        >>> odds = Encounter.ready("duel").odds()
        >>> sum(odds.win_chance.values()), odds.draw, odds.error
        (Fraction(1, 1), Fraction(0, 1), 0.0)
        """
        return solver.odds(self, given=given, exact=exact, progress=progress)

    def fates(
        self, *, given: Iterable[Event] = (), exact: bool = True, progress: Progress | None = None
    ) -> dict[str, dict[State, Fraction | float]]:
        """Return each combatant's chance to be in each state when the battle ends.

        Parameters are those of :meth:`win_chance`. The chances of one combatant sum to 1, or to what a draw leaves.
        Each combatant is solved for by itself, so this takes as long as that many questions, and progress begins anew
        for each.

        Examples
        --------
        >>> from d20kit.battle import Encounter
        >>> from d20kit.hit_points import State
        >>> fates = Encounter.ready("duel").fates(exact=False)
        >>> round(sum(fates["Red fighter"].values()), 9), fates["Red fighter"][State.STABLE]
        (1.0, 0.0)
        """
        return solver.fates(self, given=given, exact=exact, progress=progress)

    def first_to_fall(
        self, *, given: Iterable[Event] = (), exact: bool = True, progress: Progress | None = None
    ) -> dict[str, Fraction | float]:
        """Return each combatant's chance to be the first that can no longer act.

        Parameters are those of :meth:`win_chance`.

        Examples
        --------
        >>> from d20kit.battle import Encounter
        >>> duel = Encounter.ready("duel")
        >>> duel.first_to_fall()["Red fighter"] == 1 - duel.win_chance("red")
        True
        """
        return solver.first_to_fall(self, given=given, exact=exact, progress=progress)

    def round_chances(self, most: int, *, progress: Progress | None = None) -> list[Fraction]:
        """Return the chance that the battle ends in its surprise round (entry 0), in round 1, 2, ... up to ``most``.

        Parameters
        ----------
        most : int
            The last round looked at, from 0; what the chances leave of 1 is the chance of a longer battle.
        progress : callable, optional
            As in :meth:`win_chance`.

        Raises
        ------
        TooMuchWorkError
            A ValueError: this would take too long.

        Examples
        --------
        >>> from d20kit.battle import Attack, Combatant, Encounter
        >>> ann, bob = (Combatant(name, name, 5, 15, Attack("blow", 4, "10")) for name in ("Ann", "Bob"))
        >>> Encounter([ann, bob]).round_chances(2)
        [Fraction(0, 1), Fraction(3, 4), Fraction(3, 16)]
        """
        return solver.round_chances(self, most, progress=progress)

    def simulate(
        self, n: int, seed: int, executor: Executor | None = None, progress: Progress | None = None
    ) -> Simulation:
        """Fight many battles, all at once where NumPy is installed, and count how they end.

        Parameters
        ----------
        n : int
            How many battles, up to ``MOST_BATTLES``; memory does not grow with them.
        seed : int
            From 0 to 2**63 - 1. The same seed gives the same answer on every machine and with every executor. These
            battles are not the one that :meth:`fight` tells of this seed.
        executor : concurrent.futures.Executor, optional
            What does the work: a pool of threads or processes, or a cluster, dask's ``Client.get_executor()``.
        progress : callable, optional
            Called now and then with how many battles are done and how many there are to do.

        Returns
        -------
        Simulation
            With ``win_chance``, ``interval``, ``rounds``, ``fates`` and ``table()``. Where NumPy is missing, or
            somebody's policy is a function, the battles are told one by one, and the result says so.

        Raises
        ------
        ValueError
            If a number is out of its range, the executor is none, or a policy misbehaves.

        Examples
        --------
        >>> from d20kit.battle import Encounter
        >>> result = Encounter.ready("ambush").simulate(1_000, seed=1)
        >>> result.win_chance == Encounter.ready("ambush").simulate(1_000, seed=1).win_chance
        True
        """
        return simulator.simulate(self, n, seed, executor, progress)

    @classmethod
    def load(cls, path: FilePath) -> Encounter:
        """Read an encounter from a TOML file; :mod:`d20kit.battle.encounter_read` shows what may stand in one.

        Parameters
        ----------
        path : str or path
            A file of at most ``LARGEST_FILE`` bytes.

        Raises
        ------
        ValueError
            If the file cannot be read or something in it has no meaning; the message names the file and the place.
        """
        combatants, rules = read_file(path)
        with about(checked_path(path).name):
            return cls(combatants, rules)

    def dump(self, path: FilePath) -> None:
        """Write the encounter to a TOML file from which :meth:`load` makes an equal one.

        A file that is there already is replaced once the new one is whole; comments in it are lost.

        Raises
        ------
        ValueError
            If the file cannot be written, or somebody's policy is a function, which no file can hold.

        Examples
        --------
        >>> from tempfile import TemporaryDirectory
        >>> from d20kit.battle import Encounter
        >>> with TemporaryDirectory() as folder:
        ...     Encounter.ready("duel").dump(f"{folder}/mine.toml")
        ...     Encounter.load(f"{folder}/mine.toml") == Encounter.ready("duel")
        True
        """
        write_file(self, path)

    @classmethod
    def ready(cls, name: str) -> Encounter:
        """Return a ready encounter of the bestiary.

        Raises
        ------
        ValueError
            If there is none of that name; the nearest is offered.

        Examples
        --------
        >>> from d20kit.battle import Encounter
        >>> print(Encounter.ready("last-stand").combatants[0].name)
        Barbarian
        """
        return cls(*read_ready(name))

    @classmethod
    def ready_names(cls) -> tuple[str, ...]:
        """Return the names that :meth:`ready` knows."""
        return tuple(READY)

    def __str__(self) -> str:
        return "\n".join(map(str, self.combatants))


def _combatants(value: Any) -> tuple[Combatant, ...]:
    allowed, fix = _("a list of at least two Combatants"), _("write Encounter([first, second])")
    combatants = tuple(members("combatants", value, allowed, fix, MOST_COMBATANTS))
    if not combatants or not all(isinstance(one, Combatant) for one in combatants):
        raise refuse("combatants", value, allowed, fix)
    seen: set[str] = set()
    for one in combatants:
        if one.name in seen:
            raise ValueError(
                _("two combatants are named {name!r}, but every name must be its own; call one {other!r}").format(
                    name=one.name, other=f"{one.name} B"
                )
            )
        seen.add(one.name)
    if len({one.side for one in combatants}) < 2:
        raise ValueError(
            _(
                "all combatants are on side {side!r}, but a battle needs at least two sides; "
                "give somebody side={other!r}"
            ).format(side=combatants[0].side, other="heroes" if combatants[0].side == "monsters" else "monsters")
        )
    return combatants
