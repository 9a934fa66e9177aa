"""
Sums of 256-bit amounts. DECIMAL ends at 38 digits, so an amount has five parts of 18 digits in the columns w0 (the
highest) to w4, and each is added up on its own. In normal form, a STRUCT in which all parts but the first are from 0 to
10^18 - 1, amounts have the order of the numbers, negative ones included.
"""

from pyspark.sql import DataFrame
from pyspark.sql.functions import expr, lit

_BASE = "1000000000000000000BD"
_DIGITS = 18
_PLACES = range(5)
_WHOLE = "decimal(38, 0)"


def parts(amount: str, sign: str = "1") -> str:
    """SQL of the columns w0 to w4 of an amount, which is decimal text without a sign, times 1 or -1."""
    padded = f"lpad({amount}, {_DIGITS * len(_PLACES)}, '0')"
    return ", ".join(
        f"{sign} * cast(substring({padded}, {1 + _DIGITS * place}, {_DIGITS}) as {_WHOLE}) as w{place}"
        for place in _PLACES
    )


def word_parts(word: str) -> str:
    """SQL of the columns w0 to w4 of an amount that is a word of 64 hex digits. They are not in normal form."""
    limbs = range(0, 64, 8)
    numbers = {at: f"cast(conv(substring({word}, {1 + at}, 8), 16, 10) as decimal(10, 0))" for at in limbs}
    weights = {at: str(1 << 4 * (56 - at)).rjust(_DIGITS * len(_PLACES), "0") for at in limbs}
    return ", ".join(
        "cast("
        + " + ".join(f"{numbers[at]} * {int(weights[at][_DIGITS * place :][:_DIGITS])}BD" for at in limbs)
        + f" as {_WHOLE}) as w{place}"
        for place in _PLACES
    )


def sums(over: str = "") -> str:
    """SQL of the sums of the columns w0 to w4: of groups, or along a window."""
    return ", ".join(f"cast(sum(w{place}) {over} as {_WHOLE}) as w{place}" for place in _PLACES)


def normalised(frame: DataFrame, name: str) -> DataFrame:
    """Replaces the columns w0 to w4 by one with their normal form."""
    frame = frame.withColumn("carry", lit(0).cast(_WHOLE))
    for place in reversed(_PLACES[1:]):
        frame = (
            frame.withColumn("sum", expr(f"cast(w{place} + carry as {_WHOLE})"))
            .withColumn(f"w{place}", expr(f"cast(pmod(sum, {_BASE}) as {_WHOLE})"))
            # Exact: the remainder is taken off first.
            .withColumn("carry", expr(f"cast((sum - w{place}) / {_BASE} as {_WHOLE})"))
        )
    names = ", ".join(f"w{place}" for place in _PLACES)
    return (
        frame.withColumn("w0", expr(f"cast(w0 + carry as {_WHOLE})"))
        .withColumn(name, expr(f"struct({names})"))
        .drop("carry", "sum", *(f"w{place}" for place in _PLACES))
    )


def as_text(frame: DataFrame, *names: str) -> DataFrame:
    """Replaces amounts in normal form by decimal text."""
    for name in names:
        sign = f"if({name}.w0 < 0, -1, 1)"
        for place in _PLACES:
            frame = frame.withColumn(f"w{place}", expr(f"cast({sign} * {name}.w{place} as {_WHOLE})"))
        # The digits of a negative amount are those of its opposite in normal form.
        frame = normalised(frame.withColumn("sign", expr(f"if({name}.w0 < 0, '-', '')")), name)
        digits = ", ".join(f"lpad(cast({name}.w{place} as string), {_DIGITS}, '0')" for place in _PLACES)
        stripped = f"regexp_replace(concat({digits}), '^0+(?=.)', '')"
        frame = frame.withColumn(name, expr(f"concat(sign, {stripped})")).drop("sign")
    return frame


def is_positive(amount: str) -> str:
    """SQL of whether an amount in normal form is above zero."""
    return f"({amount}.w0 >= 0 and not ({is_zero(amount)}))"


def is_zero(amount: str) -> str:
    """SQL of whether an amount in normal form is zero."""
    return " and ".join(f"{amount}.w{place} = 0" for place in _PLACES)
