"""Numbers and dates in whatever way they are written."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from library.claims.figures.stated_figures import missing_figures, swapped_figures
from library.text.quantities.date_parsing import dates
from library.text.quantities.number_parsing import numbers, readings
from library.text.quantities.number_words import chinese, english


@pytest.mark.parametrize(
    ("said", "passage"),
    [
        ("1,5 Mio Menschen", "1.5 million people"),
        ("1.5 million people", "1,500,000 people"),
        ("about 1.5 million people", "1,498,203 people"),
        ("two towers", "2 towers"),
        ("12 ships", "a dozen ships"),
        ("253 men", "two hundred and fifty-three men"),
        ("in 1980", "in nineteen eighty"),
        ("on May 3, 2020", "on 3 May 2020"),
        ("on 3 May 2020", "2020-05-03"),
        ("on 3 May 2020", "am 3. Mai 2020"),
        ("on 3 May 2020", "3.5.2020"),
        ("on 3 May 2020", "2020年5月3日"),
        ("二〇二〇年五月三日", "on 3 May 2020"),
        ("on 4 March 2022", "on 3/4/2022"),
        ("on 14 November", "from 13 to 15 November and on 14 November"),
        ("between 13 and 15 November 2022", "November 13–15, 2022"),
        ("in November 2022", "on 13 November 2022"),
        ("35,000 people", "3.5万人"),
        ("30 percent", "百分之三十"),
        ("三百二十人", "320 people"),
        ("10 km", "6 miles"),
        ("2 hours", "120 minutes"),
        ("a year later, 12 months", "1 year"),
        ("5 million dollars", "$5 million"),
        ("5 million", "between 5 and 6 million"),
        ("in 2020", "the 2019–20 season"),
        ("10 000 km", "10,000 km"),
        ("at 20:15", "at 8:15 p.m."),
        ("the 3rd time", "the third time"),
        ("One of them came first.", "They came."),
        ("First, nothing changed.", "Nothing changed."),
        ("It may work, and they march on.", "It works."),
        ("500,000 people", "half a million people"),
        ("half a million people", "500,000 people"),
        ("on 16 March 2021", "le 16 mars 2021"),
        ("on 16 March 2021", "16 марта 2021 года"),
        ("on 16 March 2021", "2021년 3월 16일"),
        ("on 16 March 2021", "16 de marzo de 2021"),
        ("on 16 February 2021", "le 16 févr. 2021"),
        ("on 3 May 1871", "3 maja 1871"),
        ("It fell by 5%.", "a change of -5%"),
        ("a change of -5%", "It fell by 5%."),
        ("67% of them", "two thirds of them"),
        ("两成的人", "20% of the people"),
        ("三分之二的人", "about 66.7% of the people"),
        ("more than 500 men", "523 men"),
        ("more than a million people", "1.4 million people"),
        ("30 minutes", "half an hour"),
        ("2.5 years", "two and a half years"),
        ("2.5 years", "2½ years"),
        ("5 million Australian dollars", "A$5 million"),
        ("€5 million", "between 4 and 5 million euros"),
        ("2018 was dry.", "It gave 2,100 GWh in 2018 and 1,750 GWh in 2019."),
        ("$5 million", "$5 to 6 million"),
        ("50 km/h", "每小时50公里"),
        ("50 kilometres per hour", "时速50公里"),
        ("minus 5 degrees", "零下5度"),
        ("−5 °C", "-5 °C"),
        ("5 °C", "41 °F"),
        ("44 m", "| Height (m) | 44 |"),
        ("about half of them", "51% of them"),
        ("in the 1990s", "the 1990s"),
        ("٥ km", "5 km"),
    ],
)
def test_the_same_figure_written_otherwise_is_found(said: str, passage: str) -> None:
    assert missing_figures(said, [passage]) == []


@pytest.mark.parametrize(
    ("said", "passage", "missing"),
    [
        ("1.6 million people", "1.5 million people", ["1.6 million"]),
        ("three towers", "2 towers", ["three"]),
        ("on 4 May 2020", "on 3 May 2020", ["4 May 2020"]),
        ("on 3 May 2021", "on 3 May 2020", ["3 May 2021"]),
        ("on 3 June 2020", "on 3 May 2020", ["3 June 2020"]),
        ("in 2021", "in 2020", ["2021"]),
        ("5 km away", "5 kg", ["5"]),
        ("30 percent of them", "30 km", ["30"]),
        ("€5 million", "$5 million", ["€5 million"]),
        ("47 m and 44 m", "44 m", ["47"]),
        ("三百二十一人", "320 people", ["三百二十一"]),
        ("640 km (405 mi)", "640 km (400 mi)", ["405"]),
        ("in June", "in May", ["in June"]),
        ("-5%", "5%", ["-5"]),
        ("a rise of 5%", "-5%", ["5"]),
        ("It rose by 5%.", "It changed by minus 5%.", ["5"]),
        ("零下5度", "5度", ["5"]),
        ("One million people", "Half a million people", ["One million"]),
        ("half a million people", "one million people", ["half a million"]),
        ("one million", "one and a half million", ["one million"]),
        ("$5 million", "A$5 million", ["$5 million"]),
        ("A$5 million", "$5 million", ["A$5 million"]),
        ("5 million dollars", "AUD 5 million", ["5 million"]),
        ("5 million yuan", "500万美元", ["5 million"]),
        ("50 km", "50 km/h", ["50"]),
        ("50 km/h", "50 km", ["50"]),
        ("50 mph", "50 km/h", ["50"]),
        ("50公里", "每小时50公里", ["50"]),
        ("12 km²", "12 km", ["12"]),
        ("$5 per tonne", "$5 per day", ["$5"]),
        ("5 MW", "5 mW", ["5"]),
        ("5 km", "5 people", ["5"]),
        ("two thirds of them", "one third of them", ["two thirds of"]),
        ("三分之二的人", "三分之一的人", ["三分之二"]),
        ("more than 500 men", "fewer than 500 men", ["500"]),
        ("fewer than 500 men", "512 men", ["500"]),
        ("on 16 March 2021", "le 17 mars 2021", ["16 March 2021"]),
        ("16 mai 2021", "le 16 mars 2021", ["16 mai 2021"]),
    ],
)
def test_a_figure_that_no_passage_holds_is_named(said: str, passage: str, missing: list[str]) -> None:
    assert missing_figures(said, [passage]) == missing


def test_a_year_may_come_from_the_source_but_no_other_number() -> None:
    assert missing_figures("On 3 May 2020 it fell.", ["It fell on 3 May."], ["2020-05-04"]) == []
    assert missing_figures("7 fell.", ["They fell."], ["7 fell"]) == ["7"]


def test_a_figure_in_the_place_of_another_is_seen_though_it_stands_elsewhere() -> None:
    original = "Anna won stage 13 by 11 seconds in 2019."
    assert swapped_figures("Anna won stage 13 by 13 seconds in 2019.", original) == ["13"]
    assert swapped_figures("Anna won stage 13 by 11 seconds in 2018.", original) == ["2018"]
    assert swapped_figures("In 2019, on 3 May, Anna won stage 13 by 11 seconds.", original) == []
    both = "It was 37 km (20 nmi) wide."
    assert swapped_figures("It was 31 km (20 nmi) wide.", both) == ["31"]
    assert swapped_figures("It was 37 m (20 nmi) wide.", both) == ["37"]
    assert swapped_figures("It was 37 kilometres (20 nmi) wide.", both) == []


@given(st.integers(0, 10**9), st.sampled_from([",", ".", " ", "\u202f", "’"]))
def test_thousands_are_read_with_every_separator(value: int, mark: str) -> None:
    assert Decimal(value) in readings(f"{value:,}".replace(",", mark))


@given(st.integers(1, 99_999_999))
def test_english_and_chinese_words_give_back_their_number(value: int) -> None:
    assert [n for n, _ordinal in english(_english(value))] == [value]
    assert chinese(_chinese(value)) == value


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    found, rest = dates(text)
    assert len(rest) >= 0
    assert all(date.year is None or 1000 <= date.year < 2100 for date in found)
    assert all(number.values for number in numbers(text))


def _english(value: int) -> str:
    small = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ]
    tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    if value < 20:
        return small[value]
    if value < 100:
        return tens[value // 10 - 2] + (f"-{small[value % 10]}" if value % 10 else "")
    for scale, name in ((10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if value >= scale:
            rest = value % scale
            return f"{_english(value // scale)} {name}" + (f" and {_english(rest)}" if rest else "")
    raise AssertionError(value)


def _chinese(value: int) -> str:
    digits = "零一二三四五六七八九"
    if value >= 10_000:
        rest = value % 10_000
        gap = "零" if 0 < rest < 1000 else ""
        return f"{_chinese(value // 10_000)}万" + (gap + _chinese(rest) if rest else "")
    text, zero = "", False
    for step, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = value // step % 10
        if digit:
            text += ("零" if zero and text else "") + digits[digit] + name
            zero = False
        else:
            zero = True
    return text


@pytest.mark.parametrize("blanks", [" ", " " * 40, "\u00a0\n" * 20])
@pytest.mark.parametrize("number", ["44,000", "twelve thousand", "十二万人"])
def test_a_number_is_about_however_wide_the_text_is_set(blanks: str, number: str) -> None:
    assert numbers(f"There were about{blanks}{number}")[0].about
    assert not numbers(f"The war was{blanks}{number}")[0].about


@pytest.mark.parametrize(
    ("told", "passage", "missing"),
    [
        ("A third of the objects had no picture.", "We found that a third had never been photographed.", []),
        ("One-third of the objects had no picture.", "Of these one third had no picture.", []),
        ("A quarter of the objects had no picture.", "Of these a third had no picture.", ["A quarter of"]),
        ("A third of the objects had no picture.", "The third had no picture.", ["A third of"]),
    ],
)
def test_a_fraction_may_stand_without_what_it_is_of(told: str, passage: str, missing: list[str]) -> None:
    assert missing_figures(told, [passage]) == missing
