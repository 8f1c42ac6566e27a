"""A combatant under a stream of attacks: the chance of each state, round by round, and the chain behind it."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from d20kit.check import FACES, one_modifier, one_whole, refuse, whole
from d20kit.dice import Pmf
from d20kit.felling import check_damage, from_zero
from d20kit.language import N_, _
from d20kit.rule import rule
from d20kit.rulesets import COURSE, Ruleset
from d20kit.saves import save_chance
from d20kit.short_polynomials import long_polynomial
from d20kit.states import DEATH, MASSIVE_DAMAGE, MASSIVE_DAMAGE_DC, State, disabled_floor, state

if TYPE_CHECKING:
    from sympy import Expr, Matrix

MAX_CHAIN_HP = 1000
MAX_MATRIX_HP = 200
MAX_ROUNDS = 1000
# Living hit points times rounds squared times the bits that a round adds to a chance: about a second.
MAX_WORK = 200_000_000


@rule(
    title=N_("Chance of each state"),
    symbol=r"P(\text{state after round } n)",
    why=N_(
        "Every round the damage of one attack is added to what was taken before, and whoever is dying then bleeds; "
        "adding up the chances of all hit points of a state gives the chance of the state."
    ),
    source=N_("Hit Points"),
    switches=("disabled_band", "stabilise_chance", "massive_damage", "save_naturals"),
    units="chance",
    topic="hit_points",
)
def state_chances(
    hp: int,
    constitution: int,
    damage: Pmf,
    rounds: int,
    *,
    fortitude: int | None = None,
    rules: Ruleset = COURSE,
) -> list[dict[State, Fraction]]:
    """Return the chance of each state, round by round, of a combatant that is attacked once a round.

    Parameters
    ----------
    hp : int
        Hit points at the start.
    constitution : int
        Constitution modifier.
    damage : Pmf
        Of one attack, misses included, see :func:`d20kit.damage.attack_damage`.
    rounds : int
        How many rounds, 0 or more. In each the attack falls first, then the combatant's own turn: if it is dying it
        stabilises or loses a hit point. Damage to a stable combatant makes it dying again.
    fortitude : int, optional
        Fortitude save bonus, needed where one attack can take 50 or more and ``rules.massive_damage`` is in use.
    rules : Ruleset
        The switches listed with the rule decide.

    Returns
    -------
    list of dict
        Entry n holds the exact chance of every ``State`` after n rounds; entry 0 is the start.

    Raises
    ------
    ValueError
        If damage can be negative, a save bonus is missing, or so many rounds would be too much work.

    Examples
    --------
    >>> from d20kit.damage import attack_damage
    >>> from d20kit.hit_points import State, state_chances
    >>> chances = state_chances(5, 1, attack_damage(4, 15, "1d8"), rounds=1)
    >>> chances[0][State.HEALTHY], chances[1][State.HEALTHY]
    (Fraction(1, 1), Fraction(59, 80))
    """
    hp = one_whole("hp", hp, -MAX_CHAIN_HP, MAX_CHAIN_HP)
    rounds = one_whole("rounds", rounds, 0, MAX_ROUNDS)
    floor = disabled_floor(one_modifier("constitution", constitution), rules=rules)
    stream = _Stream(hp, floor, check_damage(damage), _massive_failures(damage, fortitude, rules), rules)
    if stream.work(rounds) > MAX_WORK:
        allowed = _("small enough: hp times rounds squared times the size of one attack is too much work")
        raise refuse("rounds", rounds, allowed, _("use fewer hit points or fewer rounds"))
    table = [stream.chances()]
    for _round in range(rounds):
        stream.attack()
        stream.own_turn()
        table.append(stream.chances())
    return table


def _massive_failures(damage: Pmf, fortitude: int | None, rules: Ruleset) -> int:
    """How many faces of the Fortitude save fail."""
    fortitude = None if fortitude is None else one_modifier("fortitude", fortitude)
    if not rules.massive_damage or damage.support()[1] < MASSIVE_DAMAGE:
        return 0
    if fortitude is None:
        raise refuse("fortitude", None, _("the Fortitude save bonus: one attack can take 50 or more"), "fortitude=4")
    return int(FACES * (1 - save_chance(fortitude, MASSIVE_DAMAGE_DC, rules=rules)))


class _Stream:
    """Whole-number weights of the living by hit points lost: coefficient k is the weight of ``hp - k``."""

    def __init__(self, hp: int, floor: int, damage: Pmf, failures: int, rules: Ruleset) -> None:
        self.length = max(0, hp - DEATH)
        self.healthy_end = max(0, hp)
        self.dying_start = max(0, hp - floor + 1)
        self.stabilise = rules.stabilise_chance
        whole_step = from_zero(damage, self.length)
        light = whole_step.truncate(MASSIVE_DAMAGE)
        self.step = light * FACES + (whole_step - light) * (FACES - failures) if failures else whole_step
        self.scale = damage._total * (FACES if failures else 1)
        self.idle = int(self.step[0])
        self.total = 1
        self.up = long_polynomial([1]).truncate(self.length)  # everybody alive who is not stable
        self.stable = long_polynomial([])

    def work(self, rounds: int) -> int:
        """Estimate the bits that some rounds move."""
        return self.length * rounds**2 * (self.scale * self.stabilise.denominator).bit_length()

    def attack(self) -> None:
        struck = self.stable.mul_low(self.step - self.idle, self.length)
        self.up = self.up.mul_low(self.step, self.length) + struck
        self.stable = self.stable * self.idle
        self.total *= self.scale

    def own_turn(self) -> None:
        succeed, out_of = self.stabilise.numerator, self.stabilise.denominator
        able = self.up.truncate(self.dying_start)
        dying = self.up - able
        bled = dying.left_shift(1).truncate(self.length)
        self.up = able * out_of + bled * (out_of - succeed)
        self.stable = self.stable * out_of + dying * succeed
        self.total *= out_of

    def chances(self) -> dict[State, Fraction]:
        healthy = int(self.up.truncate(self.healthy_end)(1))
        able = int(self.up.truncate(self.dying_start)(1))
        alive, stable = int(self.up(1)), int(self.stable(1))
        weights = {
            State.HEALTHY: healthy,
            State.DISABLED: able - healthy,
            State.DYING: alive - able,
            State.STABLE: stable,
            State.DEAD: self.total - alive - stable,
        }
        return {one: Fraction(weight, self.total) for one, weight in weights.items()}


def chain_states(maximum: int, constitution: int = 0, *, rules: Ruleset = COURSE) -> list[tuple[int, State]]:
    """Return the states of the chain in the order of its matrix: hit points downwards, dying before stable, dead last.

    >>> [(hp, state.value) for hp, state in chain_states(1)][:3]
    [(1, 'healthy'), (0, 'disabled'), (-1, 'dying')]
    """
    maximum = one_whole("maximum", maximum, 0, MAX_MATRIX_HP)
    constitution = one_modifier("constitution", constitution)
    states = []
    for hp in range(maximum, DEATH - 1, -1):
        states.append((hp, state(hp, constitution, rules=rules)))
        if rules.stabilise_chance and states[-1][1] is State.DYING:
            states.append((hp, State.STABLE))
    return states


@rule(
    title=N_("Chain of hit points"),
    symbol=r"T",
    why=N_(
        "What happens next depends only on the hit points of now, so one table of chances from each state to each "
        "other says everything; powers of the table look further ahead."
    ),
    source=N_("Hit Points"),
    switches=("disabled_band", "stabilise_chance"),
    units="chance",
    topic="hit_points",
)
def transition_matrix(
    maximum: int,
    constitution: int = 0,
    *,
    damage: Pmf | None = None,
    hit: int | Fraction | Expr = 1,
    rules: Ruleset = COURSE,
) -> Matrix:
    """Return the chances from every state to every other in one round, as a SymPy matrix.

    Parameters
    ----------
    maximum : int
        Hit points of the first state, 0 to ``MAX_MATRIX_HP``.
    constitution : int
        Constitution modifier.
    damage : Pmf, optional
        What falls each round before the combatant's own turn; without it there is only bleeding. Massive damage is
        not part of the chain.
    hit : number or SymPy expression
        Chance that ``damage`` falls at all: ``damage`` is then that of a hit, and ``hit`` may be a symbol.
    rules : Ruleset
        ``disabled_band`` and ``stabilise_chance`` decide.

    Returns
    -------
    sympy.Matrix
        Row i, column j: chance from state i to state j of :func:`chain_states`. Rows sum to 1.

    Examples
    --------
    >>> from sympy import Symbol
    >>> from d20kit import d
    >>> from d20kit.hit_points import transition_matrix
    >>> transition_matrix(1, damage=d(1), hit=Symbol("h"))[0, :3]
    Matrix([[1 - h, h, 0]])
    """
    from sympy import Integer, Matrix, Rational

    constitution, hit = one_modifier("constitution", constitution), _chance_to_fall(hit)
    states = chain_states(maximum, constitution, rules=rules)
    place = {one: index for index, one in enumerate(states)}
    parts = [(Integer(1), Pmf({0: 1}))]
    if damage is not None:
        # Nobody falls further than to death.
        parts = [(1 - hit, Pmf({0: 1})), (hit, check_damage(damage).clip(high=states[0][0] - DEATH))]
    matrix = Matrix.zeros(len(states), len(states))
    for chance, taken in parts:
        for row, standing in enumerate(states):
            for target, share in _after_round(standing, taken, constitution, rules).items():
                matrix[row, place[target]] += chance * Rational(share.numerator, share.denominator)
    return matrix


def _after_round(
    standing: tuple[int, State], damage: Pmf, constitution: int, rules: Ruleset
) -> dict[tuple[int, State], Fraction]:
    """The chances of where a combatant stands after damage and its own turn, added up before SymPy's slow sums."""
    hp, now = standing
    chances: dict[tuple[int, State], Fraction] = {}
    for points, chance in damage.items():
        left = max(hp - points, DEATH)
        for target, share in _own_turn(left, now, points, constitution, rules.stabilise_chance, rules):
            chances[target] = chances.get(target, Fraction(0)) + chance * share
    return chances


def _chance_to_fall(hit: Any) -> Expr:
    """Accept an exact chance or an expression; SymPy would run any text it is given, and a float is not exact."""
    from sympy import Expr, Float, Rational

    allowed = _("a chance from 0 to 1 or a SymPy expression")
    fix = _("write an exact chance such as Fraction(11, 20)")
    with suppress(ValueError):
        hit = whole("hit", hit)  # 1.0 is exact
    if type(hit) in (int, Fraction):
        chance: Any = Rational(hit.numerator, hit.denominator)
    elif isinstance(hit, Expr) and not hit.has(Float) and hit.is_real is not False:
        chance = hit
    else:
        raise refuse("hit", hit, allowed, fix)
    if chance.is_number and not (chance.is_real and 0 <= chance <= 1):
        raise refuse("hit", hit, allowed, fix)
    return chance


def _own_turn(
    hp: int, before: State, points: int, constitution: int, stabilise: Any, rules: Ruleset
) -> list[tuple[tuple[int, State], Any]]:
    """Where a combatant stands after its own turn, having just been left with ``hp``."""
    now = state(hp, constitution, stable=before is State.STABLE and not points, rules=rules)
    if now is not State.DYING:
        return [((hp, now), 1)]
    bled = (hp - 1, state(hp - 1, constitution, rules=rules))
    return [((hp, State.STABLE), stabilise), (bled, 1 - stabilise)] if stabilise else [(bled, 1)]


def _absorbing(matrix: Matrix) -> list[int]:
    from sympy import MatrixBase

    allowed, fix = _("a matrix of transition_matrix"), "transition_matrix(5)"
    if not isinstance(matrix, MatrixBase):
        raise refuse("matrix", matrix, allowed, fix)
    if not matrix.rows or matrix.rows != matrix.cols or not matrix.is_upper or matrix[-1, -1] != 1:
        raise refuse("matrix", f"{matrix.rows} x {matrix.cols}", allowed, fix)
    return [index for index in range(matrix.rows) if matrix[index, index] == 1]


def absorption(matrix: Matrix) -> Matrix:
    """Return the chance of ending in each final state, from every state.

    Parameters
    ----------
    matrix : sympy.Matrix
        From :func:`transition_matrix`.

    Returns
    -------
    sympy.Matrix
        One row a state, one column a final state (one that is never left), in the order of the matrix.

    Examples
    --------
    >>> from d20kit import SRD35
    >>> from d20kit.hit_points import absorption, transition_matrix
    >>> absorption(transition_matrix(0, rules=SRD35))[1, -1]
    387420489/1000000000
    """
    from sympy import Matrix

    final = _absorbing(matrix)
    columns = [_solve(matrix, final, lambda row, target=target: int(row == target), 0) for target in final]
    return Matrix(matrix.rows, len(final), lambda i, j: columns[j][i])


def expected_rounds(matrix: Matrix) -> list[Expr]:
    """Return the mean number of rounds from every state until a final state is reached.

    Parameters
    ----------
    matrix : sympy.Matrix
        From :func:`transition_matrix`.

    Examples
    --------
    >>> from d20kit.hit_points import expected_rounds, transition_matrix
    >>> expected_rounds(transition_matrix(0))[1]
    9
    """
    return _solve(matrix, _absorbing(matrix), lambda row: 0, 1)


def _solve(matrix: Matrix, final: list[int], at_end: Any, each_round: int) -> list[Expr]:
    """Solve x = T x + each_round from the last state up: hit points only fall, so the matrix is triangular."""
    from sympy import cancel, sympify

    values: list[Any] = [sympify(0)] * matrix.rows
    for row in reversed(range(matrix.rows)):
        if row in final:
            values[row] = sympify(at_end(row))
            continue
        later = sum(matrix[row, j] * values[j] for j in range(row + 1, matrix.rows))
        values[row] = cancel((each_round + later) / (1 - matrix[row, row]))
    return values
