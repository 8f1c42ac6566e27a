"""Encounters as files: what is written is read back, and nothing odd in a file gets further than a sentence."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from d20kit import COURSE, SRD35, Pmf, d
from d20kit.battle import Attack, Combatant, Encounter, Save, encounter_file
from d20kit.battle.encounter_write import toml_text
from tests.core.variants import variants

ANN = '[[combatants]]\nname = "Ann"\nside = "red"\nhp = 10\nac = 12\nattacks = []\n'
GOBLINS = '[[combatants]]\ncreature = "goblin"\ncount = 2\n'
CLUB = (
    '[[combatants]]\nname = "Bob"\nside = "blue"\nhp = 10\nac = 12\n[[combatants.attacks]]\nname = "club"\nbonus = 2\n'
)


@pytest.fixture
def load(tmp_path: Path) -> Callable[[str | bytes], Encounter]:
    """Load an encounter from the text, or the bytes, of a file called party.toml."""

    def loaded(content: str | bytes) -> Encounter:
        file = tmp_path / "party.toml"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return Encounter.load(file)

    return loaded


def test_a_file_of_both_kinds_of_entries(load: Callable[[str | bytes], Encounter]) -> None:
    """Creatures come from the bestiary, with what else is given replaced; people of one's own from their numbers."""
    encounter = load('[rules]\nbase = "SRD35"\nmassive_damage = false\nstabilise_chance = "0"\n' + ANN + GOBLINS)
    assert [one.name for one in encounter.combatants] == ["Ann", "Goblin A", "Goblin B"]
    assert encounter.combatants[1] == Combatant.from_bestiary("goblin", name="Goblin A")
    assert encounter.rules == SRD35.replace(massive_damage=False, stabilise_chance=0)


def test_without_rules_a_file_means_the_course(load: Callable[[str | bytes], Encounter]) -> None:
    """A short file is a whole encounter, whichever editor saved it."""
    assert load(("\ufeff" + ANN + GOBLINS).replace("\n", "\r\n")) == load(ANN + GOBLINS)
    assert load(ANN + GOBLINS).rules == COURSE


def test_many_of_one_kind_are_numbered(load: Callable[[str | bytes], Encounter]) -> None:
    """The alphabet ends at 26."""
    names = [one.name for one in load(ANN + GOBLINS.replace("2", "27")).combatants]
    assert (names[1], names[-1]) == ("Goblin 1", "Goblin 27")


def test_an_attack_with_everything(load: Callable[[str | bytes], Encounter]) -> None:
    """Bonus dice, a distribution and a save can all be written down."""
    text = CLUB + 'damage = [[2, 1], [7, 3]]\nextra = "1d6"\nsave = { kind = "reflex", dc = 14, success = "none" }\n'
    attack = load(ANN + text).combatants[1].attacks[0]
    assert attack == Attack("club", 2, Pmf({2: 1, 7: 3}), extra="1d6", save=Save("reflex", 14, "none"))


def test_no_damage_is_said_in_a_word(load: Callable[[str | bytes], Encounter]) -> None:
    """A forgotten key must not turn a weapon harmless."""
    assert load(ANN + CLUB + 'damage = "none"\n').combatants[1].attacks[0].damage is None
    with pytest.raises(ValueError, match=r"combatant 2 \(Bob\): attack 1: the key 'damage' is missing"):
        load(ANN + CLUB)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "combatants is None, but must be tables of together 1 to 200"),
        ("combatants = 5\n", "combatants is 5"),
        ("combatants = [5]\n", "combatant 1: it is 5, but must be a table"),
        ("hp = \n", r"this is no TOML: .*line 1"),
        (ANN + "hp = 11\n", r"this is no TOML: .*line 7"),
        ("hp = " + "9" * 5000, "line 1 has a number of more than 1000 digits"),
        (ANN + "reflex = 1\nwill = -" + "9_9" * 5000, "line 8 has a number of more than 1000 digits"),
        ("# " + "1" * 4000 + "\n[" + "9" * 5000, "this is no TOML: .*at the end"),
        ("x = " + "[" * 100_000, "nested too deeply"),
        ("x." * 400_000 + "x = 1", "a key has more than 100 parts"),
        (".".join("x" * 101) + " = 1", "a key has more than 100 parts"),
        (".".join("x" * 100) + " = 1", "'x'"),
        (b"# f\xfcr\n", "line 1 is not UTF-8 text"),
        (b"# a\n\n# \xff\n", "line 3 is not UTF-8 text"),
        (b"\x00", "this is no TOML"),
        ("combatant = []\n", r"a key is 'combatant', .* did you mean 'combatants'\?"),
        (ANN + GOBLINS + "hpp = 3\n", r"combatant 2 \(goblin\): a key is 'hpp', .* did you mean 'hp'\?"),
        (
            ANN + GOBLINS.replace("goblin", "gobblin"),
            r"combatant 2 \(gobblin\): creature is .* did you mean 'goblin'\?",
        ),
        (ANN + GOBLINS + 'attack = "javelins"\n', r"did you mean 'javelin'\?"),
        (ANN + GOBLINS + "distance = 60\n", "distance is 60, .* its ranged attacks are javelin"),
        (ANN + GOBLINS + 'attack = "javelin"\ndistance = 151\n', "distance is 151, .* from 0 to 150"),
        (ANN + GOBLINS.replace("2", "0"), "count is 0, but must be a whole number from 1 to 199"),
        (ANN + GOBLINS.replace("2", "200"), "count is 200"),
        (GOBLINS.replace("2", "200") + ANN, "together 1 to 200"),
        (ANN * 201, "together 1 to 200"),
        (ANN.replace("hp = 10\n", ""), r"combatant 1 \(Ann\): the key 'hp' is missing"),
        (ANN + "distance = 60\n" + GOBLINS, r"combatant 1 \(Ann\): the key 'distance' goes with creature"),
        (ANN.replace("10", '"ten"'), r"combatant 1 \(Ann\): hp is 'ten'"),
        (ANN.replace("10", "-10"), r"combatant 1 \(Ann\): hp is -10"),
        (ANN.replace("10", "1e400"), r"hp is inf"),
        (ANN.replace("10", "1979-05-27"), r"hp is datetime.date"),
        (ANN.replace('"Ann"', '"\\u202eAnn"'), r"combatant 1: name is"),
        (ANN.replace('"Ann"', "[1]"), r"combatant 1: name is \[1\]"),
        (ANN.replace("[]", '"club"'), r"attacks is 'club', but must be a list of at most 20 tables"),
        (ANN.replace("[]", "[" + "{}," * 21 + "]"), "but must be a list of at most 20 tables"),
        (ANN + CLUB + 'damage = "1d"\n', "attack 1: damage: cannot read the dice expression"),
        (ANN + CLUB + "damage = [[1, 0]]\n", "a weight of damage is 0"),
        (ANN + CLUB + "damage = [[1, 1], [1, 1]]\n", "the outcome 1 twice"),
        (ANN + CLUB + "damage = [[1000000000, 1]]\n", "an outcome of damage is 1000000000"),
        (ANN + CLUB + "damage = [1]\n", "pairs of outcome and weight"),
        (ANN + CLUB + "damage = []\n", "attack 1: chances is"),
        (ANN + CLUB + 'damage = "1"\nsave = { kind = "reflx", dc = 1 }\n', r"attack 1: save: .* mean 'reflex'\?"),
        (ANN + CLUB + 'damage = "1"\nsave = { kind = "reflex" }\n', "save: the key 'dc' is missing"),
        (ANN + CLUB + 'damage = "1"\nsave = 14\n', "save: it is 14, but must be a table"),
        (ANN + GOBLINS + '[rules]\nbase = "SRD"\n', r"\[rules\]: base is 'SRD', .* did you mean|\[rules\]: base"),
        (ANN + GOBLINS + '[rules]\ncritcal = "confirm"\n', r"\[rules\]: a key is .* did you mean 'critical'\?"),
        (ANN + GOBLINS + '[rules]\ncritical = "sometimes"\n', r"\[rules\]: critical is 'sometimes'"),
        (ANN + GOBLINS + '[rules]\nstabilise_chance = "1/0"\n', r"\[rules\]: stabilise_chance is '1/0'"),
        (
            ANN + GOBLINS + '[rules]\nstabilise_chance = "1e999999999"\n',
            r"\[rules\]: stabilise_chance is '1e999999999'",
        ),
        (ANN + GOBLINS + "[rules]\nstabilise_chance = false\n", r"\[rules\]: stabilise_chance is False"),
        (ANN + GOBLINS + "[rules]\nmassive_damage = 1\n", r"\[rules\]: massive_damage is 1"),
        (ANN, "all combatants are on side 'red'"),
        (ANN + ANN, "two combatants are named 'Ann'"),
        (ANN + ANN.replace('"Ann"', '"Bob"').replace("red", "blue").replace("10", "-9"), "side 'blue' is already down"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(
    load: Callable[[str | bytes], Encounter], content: Any, message: str
) -> None:
    """Whoever wrote the file learns which file, which combatant, which key, and what is allowed."""
    with pytest.raises(ValueError, match=f"^party.toml: .*{message}"):
        load(content)


def test_a_file_too_large_is_not_read(load: Callable[[str | bytes], Encounter]) -> None:
    """Ten megabytes are no encounter, and are refused before they are taken apart."""
    with pytest.raises(ValueError, match="more than 1000000 bytes"):
        load("#" + "x" * 10_000_000)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no endless file")
def test_an_endless_file_ends() -> None:
    """Not even a file without an end is read further than the limit."""
    with pytest.raises(ValueError, match="zero: it has more than 1000000 bytes"):
        Encounter.load("/dev/zero")


def test_what_is_no_readable_file(tmp_path: Path) -> None:
    """Missing, a folder, not even a path: each has its sentence."""
    with pytest.raises(ValueError, match=r"^gone.toml: there is no such file in ") as missing:
        Encounter.load(tmp_path / "gone.toml")
    assert f" in {tmp_path};" in str(missing.value), "a notebook stands in a folder that its reader cannot see"
    with pytest.raises(ValueError, match=r"this is a folder|may not read"):
        Encounter.load(tmp_path)
    with pytest.raises(ValueError, match=r"^path is .*\.\.\., but must be the path of a file"):
        Encounter.load(tmp_path / ("x" * 5000))
    for odd in (0, None, "", "a\0b", b"party.toml"):
        with pytest.raises(ValueError, match="path is"):
            Encounter.load(odd)  # type: ignore[arg-type]


letters = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)
numbers = st.integers(-1000, 1000)
damages = st.one_of(
    st.sampled_from(["1d6", " 2D4 + 1 ", "(1d8-1)*2"]),
    st.dictionaries(st.integers(-20, 30), st.integers(1, 10**25), min_size=1, max_size=4).map(Pmf),
    st.just(5 @ d(20)),
)


def acceptable(text: str) -> bool:
    """Keep only names that a combatant may have."""
    try:
        return Combatant(text, "red", 1, 1, ()).name == text
    except ValueError:
        return False


names = letters.filter(acceptable)
attacks = st.builds(
    Attack,
    names,
    numbers,
    damages,
    multiplier=st.integers(1, 20),
    threat=st.integers(2, 20),
    extra=st.none() | damages,
    ranged=st.booleans(),
    touch=st.booleans(),
    natural=st.booleans(),
    save=st.none() | st.builds(Save, st.sampled_from(["fortitude", "reflex", "will"]), numbers),
)


@st.composite
def combatants(draw: st.DrawFn, name: str, side: str) -> Combatant:
    """Anybody able to act, with every field drawn."""
    ac = draw(numbers)
    return Combatant(
        name,
        side,
        draw(st.integers(1, 10_000)),
        ac,
        draw(st.lists(attacks, max_size=3)),
        constitution=draw(numbers),
        initiative=draw(numbers),
        flat_footed_ac=draw(st.integers(-1000, ac)),
        touch_ac=draw(st.integers(-1000, ac)),
        aware=draw(st.booleans()),
        uncanny_dodge=draw(st.booleans()),
        fortitude=draw(st.none() | numbers),
        reflex=draw(numbers),
        will=draw(numbers),
        base_attack_bonus=draw(st.integers(0, 1000)),
        policy=draw(st.sampled_from(["first-able", "weakest", "strongest", "random", "inaction"])),
    )


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_what_is_written_is_read_back(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Every name, number, distribution and switch survives; the weights too, so that a seed tells the same battle."""
    called = data.draw(st.lists(names, min_size=2, max_size=4, unique=True))
    fighters = [data.draw(combatants(name, ("red", "blue")[k % 2])) for k, name in enumerate(called)]
    rules = data.draw(st.sampled_from([*variants().values()]))
    file = tmp_path_factory.mktemp("round") / "trip.toml"
    encounter = Encounter(fighters, rules)
    encounter.dump(file)
    again = Encounter.load(file)
    assert again == encounter
    for one, other in zip(encounter.combatants, again.combatants, strict=True):
        for attack, copy in zip(one.attacks, other.attacks, strict=True):
            if isinstance(attack.damage, Pmf):
                assert isinstance(copy.damage, Pmf)
                assert attack.damage.weights == copy.damage.weights


@pytest.mark.parametrize("name", Encounter.ready_names())
def test_ready_encounters_survive_a_file(tmp_path: Path, name: str) -> None:
    """What the bestiary gave is written out in full."""
    encounter = Encounter.ready(name)
    encounter.dump(tmp_path / "copy.toml")
    assert Encounter.load(tmp_path / "copy.toml") == encounter


def test_a_failed_write_leaves_the_old_file_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a full disk nor a policy that cannot be written costs the encounter that was there, nor leaves litter."""
    file = tmp_path / "mine.toml"
    Encounter.ready("duel").dump(file)
    before = file.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(ValueError, match=r"mine.toml: the system refuses the file: No space left on device"):
            Encounter.ready("boss").dump(file)
    ann = Combatant("Ann", "red", 5, 12, (), policy=lambda actor, enemies: None)
    with pytest.raises(ValueError, match=r"the policy of Ann is .* one of the ready policies"):
        Encounter([ann, *Encounter.ready("duel").combatants]).dump(file)
    assert file.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["mine.toml"]


def test_more_than_the_alphabet_holds_are_numbered(load: Callable[[str | bytes], Encounter]) -> None:
    """Twenty-six goblins have letters, and from twenty-seven on all have numbers, beginning with 1."""
    for count, names in ((26, ("Goblin A", "Goblin Z")), (27, ("Goblin 1", "Goblin 27"))):
        horde = load(ANN + GOBLINS.replace("count = 2", f"count = {count}")).combatants[1:]
        assert (len(horde), horde[0].name, horde[-1].name) == (count, *names)


def test_a_fault_names_its_combatant_however_short_the_name(load: Callable[[str | bytes], Encounter]) -> None:
    """The place in the file is counted by nobody who sees a name."""
    with pytest.raises(ValueError, match=r"combatant 1 \(A\): hp is -90"):
        load(ANN.replace("Ann", "A").replace("hp = 10", "hp = -90"))


def test_what_could_not_be_read_back_is_not_written(tmp_path: Path) -> None:
    """A weight of more digits than a file may hold is refused while the encounter is still at hand."""
    odd = Attack("odd", 2, Pmf({1: 1, 2: 10**1500}))
    encounter = Encounter([Combatant(name, name, 5, 12, odd) for name in ("Ann", "Bob")])
    with pytest.raises(ValueError, match=r"odd.toml: .* at most 1000 digits"):
        encounter.dump(tmp_path / "odd.toml")
    huge = Attack("huge", 2, Pmf(dict.fromkeys(range(1, 600), 10**999)))
    encounter = Encounter([Combatant(name, name, 5, 12, huge) for name in ("Ann", "Bob")])
    with pytest.raises(ValueError, match=r"odd.toml: this encounter is too large for a file"):
        encounter.dump(tmp_path / "odd.toml")
    assert not list(tmp_path.iterdir())


def test_a_file_of_just_the_most_bytes_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What may be read may also be written, to the last byte."""
    duel = Encounter.ready("duel")
    bytes_of_it = len(toml_text(duel).encode())
    monkeypatch.setattr(encounter_file, "LARGEST_FILE", bytes_of_it)
    duel.dump(tmp_path / "duel.toml")
    assert Encounter.load(tmp_path / "duel.toml") == duel
    monkeypatch.setattr(encounter_file, "LARGEST_FILE", bytes_of_it - 1)
    with pytest.raises(ValueError, match="too large"):
        duel.dump(tmp_path / "more.toml")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps neither modes nor links in this way")
def test_a_written_file_keeps_its_mode_and_its_link(tmp_path: Path) -> None:
    """A shared file stays shared, and a link goes on pointing where it did."""
    real, link = tmp_path / "real.toml", tmp_path / "link.toml"
    Encounter.ready("duel").dump(real)
    real.chmod(0o640)
    link.symlink_to(real)
    Encounter.ready("boss").dump(link)
    assert link.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640
    assert Encounter.load(real) == Encounter.ready("boss")


def test_a_folder_is_not_written_over(tmp_path: Path) -> None:
    """A folder of that name stays a folder."""
    with pytest.raises(ValueError, match="this is a folder"):
        Encounter.ready("duel").dump(tmp_path)
    with pytest.raises(ValueError, match="there is no folder"):
        Encounter.ready("duel").dump(tmp_path / "no" / "folder.toml")


def test_a_file_that_may_not_be_read_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a shared machine a file may belong to somebody else; that is no crash."""

    def forbidden(path: Any, mode: Any) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", forbidden)
    with pytest.raises(ValueError, match=r"^ambush.toml: you may not read or write this file$"):
        Encounter.load(tmp_path / "ambush.toml")


def test_an_attack_without_damage_survives_a_file(tmp_path: Path) -> None:
    """A touch that only delivers something else is written down as such, not as damage of 0."""
    touch = Attack("touch", 3, None, touch=True)
    encounter = Encounter([Combatant("Ann", "red", 5, 12, touch), Combatant("Bob", "blue", 5, 12, ())])
    encounter.dump(tmp_path / "touch.toml")
    assert 'damage = "none"' in (tmp_path / "touch.toml").read_text("utf-8")
    assert Encounter.load(tmp_path / "touch.toml") == encounter
