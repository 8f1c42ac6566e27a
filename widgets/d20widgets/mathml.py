"""Small builders for MathML, the markup for formulas that browsers draw by themselves."""

from __future__ import annotations

from fractions import Fraction
from html import escape

from d20kit.amounts import short_percent_text
from d20kit.attack import FACES

NAMESPACE = "http://www.w3.org/1998/Math/MathML"
# As high and as deep as any letter, so that words below one part and below the next stand on one line.
STRUT = '<mspace height="0.75em" depth="0.25em"/>'


def number(value: int | Fraction, enclose: bool = False) -> str:
    """Write a number, in parentheses if asked to where it is negative.

    >>> number(-2, enclose=True)
    '<mrow><mo>(</mo><mo>−</mo><mn>2</mn><mo>)</mo></mrow>'
    """
    if value >= 0:
        return f"<mn>{value}</mn>"
    bare = f"<mo>−</mo><mn>{-value}</mn>"
    return f"<mrow><mo>(</mo>{bare}<mo>)</mo></mrow>" if enclose else f"<mrow>{bare}</mrow>"


def words(text: str) -> str:
    """Write words, whatever characters they have.

    >>> words("<hit>")
    '<mtext>&lt;hit&gt;</mtext>'
    """
    return f"<mtext>{escape(text)}</mtext>"


def sign(text: str) -> str:
    """Write an operator or a relation.

    >>> sign("<")
    '<mo>&lt;</mo>'
    """
    return f"<mo>{escape(text)}</mo>"


def row(*parts: str) -> str:
    """Set parts side by side.

    >>> row(number(1), sign("+"), number(2))
    '<mrow><mn>1</mn><mo>+</mo><mn>2</mn></mrow>'
    """
    return f"<mrow>{''.join(parts)}</mrow>"


def fraction(top: str, bottom: str) -> str:
    """Set one part over another.

    >>> fraction(number(1), number(20))
    '<mfrac><mn>1</mn><mn>20</mn></mfrac>'
    """
    return f"<mfrac>{top}{bottom}</mfrac>"


def power(part: str, exponent: int) -> str:
    """Raise a part, in parentheses, to a power.

    >>> power(number(3), 2)
    '<msup><mrow><mo>(</mo><mn>3</mn><mo>)</mo></mrow><mn>2</mn></msup>'
    """
    return f"<msup>{row(sign('('), part, sign(')'))}{number(exponent)}</msup>"


def floor(part: str) -> str:
    """Round a part down.

    >>> floor(number(2))
    '<mrow><mo>⌊</mo><mn>2</mn><mo>⌋</mo></mrow>'
    """
    return row(sign("⌊"), part, sign("⌋"))


def under(part: str, text: str) -> str:
    """Set words below a part, to say what it is.

    >>> under(number(2), "size").replace(STRUT, "|")
    '<munder><mrow><mn>2</mn>|</mrow><mrow>|<mtext>size</mtext></mrow></munder>'
    """
    return f"<munder>{row(part, STRUT)}{row(STRUT, words(text))}</munder>"


def call(name: str, *arguments: str) -> str:
    """Write a function of some arguments.

    >>> call("max", number(0), number(2))
    '<mrow><mi>max</mi><mo>(</mo><mn>0</mn><mo>,</mo><mn>2</mn><mo>)</mo></mrow>'
    """
    return row(f"<mi>{escape(name)}</mi>", "<mo>(</mo>", "<mo>,</mo>".join(arguments), "<mo>)</mo>")


def roll(event: str, bonus: int, target: int, chance: Fraction, naturals: bool = True) -> tuple[str, ...]:
    """Write the chance that a d20 and a bonus reach a target, from the faces that do.

    With ``naturals`` the lowest face always fails and the highest one never does.

    >>> roll("save", 4, 15, Fraction(1, 2))[4]
    '<mfrac><mn>10</mn><mn>20</mn></mfrac>'
    """
    low, high = (1, FACES - 1) if naturals else (0, FACES)
    total = (number(FACES + 1), sign("+"), number(bonus, enclose=True), sign("−"), number(target, enclose=True))
    held = call("min", number(high), call("max", number(low), row(*total)))
    equals, every = sign("="), number(FACES)
    faces = fraction(number(int(chance * FACES)), every)
    percent = words(short_percent_text(chance))
    return call("P", words(event)), equals, fraction(held, every), equals, faces, equals, percent


def lines(*rows: str) -> str:
    """Set rows below each other, each starting at the left.

    >>> lines(number(1), number(2)).count("<mtr>")
    2
    """
    cells = (f'<mtr><mtd style="text-align: left; padding-left: 0">{row}</mtd></mtr>' for row in rows)
    # A table's fractions would else be as small as those within a line of text.
    return f'<mtable displaystyle="true">{"".join(cells)}</mtable>'


def formula(*parts: str) -> str:
    """Make the whole formula of some parts."""
    return f'<math xmlns="{NAMESPACE}" displaystyle="true">{row(*parts)}</math>'
