"""How much work an exact answer may be."""

# One step is one chance times one value: some 0.2 microseconds in floats, and the more the longer exact numbers are.
# Both limits are half a minute to a minute.
MAX_FLOAT_STEPS = 150_000_000
MAX_EXACT_STEPS = 60_000_000
# About three seconds: whoever waits longer at a terminal is shown how far it is.
LONG_FLOAT_STEPS = 15_000_000
LONG_EXACT_STEPS = 1_500_000
# Orders of initiative that are followed one by one: as many as seven combatants have before anybody rolls.
MAX_ORDERS = 5040
MOST_ROUNDS = 1000


class TooMuchWorkError(ValueError):
    """An exact answer would take too long; the message says what to do instead.

    >>> from d20kit.battle import Encounter
    >>> try:
    ...     Encounter.ready("kobolds").odds()
    ... except TooMuchWorkError as error:
    ...     print(str(error).partition(",")[0])
    initiative can fall in more than 5040 orders here
    """
