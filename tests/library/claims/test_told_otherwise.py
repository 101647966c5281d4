"""Sentences that say the contrary of their passages, or have who did what the other way round."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from library.claims.figures.stated_figures import missing_figures
from library.claims.naming.proper_names import missing_names
from library.claims.negation.polarity import denied_otherwise, denies_what_is_said
from library.claims.roles import exchanged


@pytest.mark.parametrize(
    ("text", "passage", "language"),
    [
        ("The tower was not built in 1899.", "The tower was built in 1899 by the harbour office.", "en"),
        ("The tower was built in 1899.", "The tower was not built in 1899, as some say.", "en"),
        ("You cannot use the lamp at night.", "You can use the lamp at night.", "en"),
        ("Restart the server after the change.", "Do not restart the server after the change.", "en"),
        ("The keeper never left the island.", "The keeper left the island twice.", "en"),
        # What a word denies ends with its clause.
        ("The office did not repair the tower in the summer.",
         "To avoid delays the office did repair the tower in the summer.", "en"),
        ("The office did not repair the tower in the summer.",
         "To avoid delays the office repaired the tower in the summer.", "en"),
        ("The office did not repair the tower in the summer.",
         "It says that to avoid delays the office did repair the tower in the summer.", "en"),
        ("The keepers did not close the tower.", "To prevent harm, the keepers closed the tower.", "en"),
        ("The plan does not raise the price.", "Instead of the tax, the plan raises the price.", "en"),
        ("港务局没有修好旧港的灯塔。", "为避免延误，港务局修好了旧港的灯塔。", "zh"),
        ("The lamp doesn’t need oil.", "The lamp needs oil.", "en"),
        ("The keepers did not close the tower.",
         "There is no list in the harbour that says so; the keepers closed the tower.", "en"),
        ("The ferry runs in winter every day.", "It was built in 1998. It does not run in winter.", "en"),
        ("灯塔不是用石头建造的。", "灯塔是用石头建造的。", "zh"),
        ("灯塔没有使用煤油灯。", "灯塔使用煤油灯。", "zh"),
        ("升级时不跳过主要版本。", "这个工具升级时会跳过主要版本。", "zh"),
        ("管理员可以删除该文件。", "管理员不可以删除该文件。", "zh"),
        ("Der Turm wurde nicht im Jahr 1899 gebaut.", "Der Turm wurde im Jahr 1899 gebaut.", "de"),
        ("La tour n’a pas été construite en 1899.", "La tour a été construite en 1899.", "fr"),
        ("La torre no fue construida en 1899.", "La torre fue construida en 1899.", "es"),
    ],
)
def test_the_contrary_is_told(text: str, passage: str, language: str) -> None:
    assert denied_otherwise(text, [passage], language)


@pytest.mark.parametrize(
    ("text", "passage", "language"),
    [
        ("The tower was not built in 1899.", "The tower was not built in 1899.", "en"),
        ("Give every gate a key, without which LAMPS and BELLS will cause an alarm in the office.",
         ("If a gate without a key rings LAMPS or BELLS then later LAMPS or BELLS will cause an "
         "alarm in the office. Doors can go on regardless of any key."), "en"),
        ("With check, without link, or if it aborted before linking started, it was sound and can be relit.",
         ("If the check option was used, the old mill was sound; it can be relit.\n"
         "- If the link option was not used, the old mill was sound; it can be relit.\n"
         "- If the link option was used, the files might be shared between the old and new mill:\n"
         "- If it aborted before linking started, the old mill was sound; it can be relit."), "en"),
        # What ends its clause denies what stands before it.
        ("Owners were not: the office said that its part was not to protect the keepers of the tower.",
         "The office said that lamps burn, and that its part was not to protect keepers of the tower.", "en"),
        ("The harbour office was unable to repair the lamp.", "The office could not repair the lamp.", "en"),
        ("The office did not repair the lamp.", "The office failed to repair the lamp.", "en"),
        ("Mount the lamp apart, so that no broken lens is lit by mistake.",
         "Mount the lamp apart, to avoid changing the oil or lighting broken lenses by mistake.", "en"),
        ("The office trusts each key, and no list of keepers has to be kept.",
         "Instead of having to keep a list of keepers, the office trusts each key.", "en"),
        ("The office did not repair the lamp.", "The office refused to repair the lamp in winter.", "en"),
        ("The tower opened in 1950.", "The tower did not open until 1950.", "en"),
        ("The tower was not opened until 1950.", "The tower was opened in 1950.", "en"),
        ("The ferry runs in summer every day.",
         "The ferry runs in summer every day. It does not run in winter.", "en"),
        ("With the option -d, the command removes untracked directories.",
         "The command tidies up. It does not remove directories. The option -d makes it recurse.", "en"),
        ("After the repair the bridge carries heavy lorries again.",
         "It carried no heavy lorries. Traffic crosses it as before.", "en"),
        ("The ferry runs in winter every day.",
         "The ferry runs every day. The tram is closed from November. It does not run in winter.", "en"),
        ("The ferry runs in winter every day from the old harbour to the far islands.",
         "It was built in 1998. It does not run in winter.", "en"),
        ("In winter the ferry runs on Sundays.",
         "In winter the ferry runs on Sundays alone. It does not run in winter on other days.", "en"),
        ("It was destroyed by water.", "It was not destroyed by fire but by water.", "en"),
        (
            "It was destroyed by fire and by water.",
            "It was not only destroyed by fire but also by water.",
            "en",
        ),
        ("No fewer than 500 men built the tower.", "At least 500 men built the tower.", "en"),
        ("The keeper was not successful.", "The keeper was unsuccessful.", "en"),
        ("The lamp needs no oil.", "The lamp works without oil.", "en"),
        ("The tower is not open on Mondays.", "The tower is closed on Mondays.", "en"),
        ("The tower is closed on Mondays.", "The tower is not open on Mondays.", "en"),
        ("Nobody kept the lamp after 1950.", "After 1950 the lamp was not kept by anybody.", "en"),
        # Denied behind what is not needed for it, or by a word that denies the sentence before it.
        ("It shows the light at once, and so needs no lamp signal.",
         "It shows the light at once and does not wait as keepers do. It is not needed to set a lamp signal.",
         "en"),
        ("Look at the tower: if it is not in the wanted state, begin with the lamp.",
         "Look at the tower to see that it is in the wanted state. If not, begin with the lamp.", "en"),
        ("The museum in the tower was opened.", "The museum was opened. It is not free of charge.", "en"),
        # Denied in another sentence of the passage, or from behind.
        (
            "The command is called for missing files and must then return nonzero, which is no error.",
            "The command is called for missing files and must return nonzero on error. It is not an error.",
            "en",
        ),
        (
            "Pause is the default; without hot_standby it acts as shutdown.",
            "If hot_standby is not enabled, a setting of pause, the default, will act the same as shutdown.",
            "en",
        ),
        # What an account does not tell is no denial of what it tells.
        (
            "The account of bad management names no manager.",
            "Bad management closed the harbour in 1899, says the account.",
            "en",
        ),
        (
            "The account does not say what the tests of the lamp showed.",
            "The tests of the lamp were in 1899, by the account.",
            "en",
        ),
        ("报告没有指出灯塔的管理员失职。", "报告指出灯塔的管理员有两名。", "zh"),
        ("Der Bericht nennt keinen Leiter des Hafens.", "Der Leiter des Hafens schrieb den Bericht.", "de"),
        (
            "The clerk noted no order to drop the anchor.",
            "The clerk spoke of a lack of a written order to the crew to drop the anchor.",
            "en",
        ),
        # What is said of nothing is denied wherever it begins.
        (
            "Ada Merrow of the harbour office said none offered any hope of repair.",
            ("Ada Merrow of the harbour office said that “there are no crews in Port or Reef or anywhere "
            "else that offer any hope of repair for the lamp”."),
            "en",
        ),
        ("See No. 5 of the harbour series.", "The harbour series has a number 5.", "en"),
        ("灯塔不仅是用石头建造的。", "灯塔是用石头建造的。", "zh"),
        ("灯塔未使用煤油灯。", "灯塔没有使用煤油灯。", "zh"),
        ("升级时不跳过主要版本。", "升级时跳过主要版本是不受支持的。", "zh"),
        ("升级时不跳过主要版本。", "禁止升级时跳过主要版本。", "zh"),
        ("Der Turm war nicht nur hoch.", "Der Turm war hoch.", "de"),
        ("Torni ei ole korkea.", "Torni on korkea.", "fi"),
    ],
)
def test_what_says_the_same_is_no_contrary(text: str, passage: str, language: str) -> None:
    assert denied_otherwise(text, [passage], language) == []


@pytest.mark.parametrize(
    ("text", "passage", "language"),
    [
        # Two denials in one sentence, a word that denies by its meaning beside one, a turn behind one.
        ("It was not built for show and does have not any effect on the harbour.",
         "It was not built for show and does have any effect on the harbour.", "en"),
        ("There is not no lack of oil in the harbour.", "There is no lack of oil in the harbour.", "en"),
        ("The keeper sets how long a boat will not be delayed before it is let in.",
         "The keeper sets how long a boat will be delayed before it is let in.", "en"),
        ("If both lamps are lit, then a numeric signal is not used.",
         "If both lamps are lit, then a numeric signal is used.", "en"),
        ("The lamp can be lit from the harbour wall but not from the tower.",
         "The lamp cannot be lit from the harbour wall but not from the tower.", "en"),
        ("灯塔的灯不可以在夜间使用，但是不需要许可。", "灯塔的灯可以在夜间使用，但是不需要许可。", "zh"),
    ],
)  # fmt: skip
def test_a_negation_that_alone_parts_two_sentences_is_told(text: str, passage: str, language: str) -> None:
    assert denied_otherwise(text, [passage], language)
    assert denied_otherwise(passage, [text], language)
    assert not denied_otherwise(text, [text, passage], language)


def test_another_sentence_of_the_passage_may_say_it() -> None:
    passages = ["The lamp was lit every night.", "In the winter of 1899 the lamp was not lit."]
    assert denied_otherwise("The lamp was not lit in 1899.", passages, "en") == []


@pytest.mark.parametrize(
    ("text", "passage"),
    [
        ("Orrin beat Tolvik in 1899.", "In 1899 Tolvik beat Orrin."),
        ("The prize went from Karl Lund to Anna Berg.", "The prize went from Anna Berg to Karl Lund."),
        ("It rose from 50 to 30 boats.", "It rose from 30 to 50 boats."),
        ("Karl scored 3 goals and Anna 5.", "Anna scored 3 goals and Karl 5."),
    ],
)
def test_who_did_what_to_whom_is_not_turned_round(text: str, passage: str) -> None:
    assert exchanged(text, [passage])


@pytest.mark.parametrize(
    ("text", "passage"),
    [
        ("Tolvik was beaten by Orrin.", "Orrin beat Tolvik."),
        ("Berg and Lund built it.", "Lund and Berg built it."),
        ("In Tolvik, Anna Berg lit the lamp in 1899.", "In 1899 Anna Berg lit the lamp in Tolvik."),
        ("Orrin beat Tolvik.", "Orrin beat Tolvik in 1899, and Tolvik beat Orrin in 1900."),
    ],
)
def test_another_order_that_says_the_same_is_none(text: str, passage: str) -> None:
    assert exchanged(text, [passage]) == []


_VALUES = st.integers(2, 999).filter(lambda n: n % 10 != 0)
_UNITS = {"km": "miles", "km/h": "mph", "%": "‰", "kg": "tonnes", "hours": "minutes", "MW": "kW", "°C": "°F"}
_MONEY = ["$", "A$", "€", "£", "HK$"]


@given(
    _VALUES, st.sampled_from(sorted(_UNITS)), st.sampled_from(["It is", "A change of", "He said that it was"])
)
def test_another_sign_unit_or_figure_is_always_seen(value: int, unit: str, before: str) -> None:
    true = f"{before} {value} {unit}."
    assert missing_figures(true, [true]) == []
    for false in (
        f"{before} -{value} {unit}.",
        f"{before} {value} {_UNITS[unit]}.",
        f"{before} {value + 1} {unit}.",
    ):
        assert missing_figures(false, [true]), false
        assert missing_figures(true, [false]), false


@given(_VALUES, st.permutations(_MONEY), st.sampled_from(["million", "billion", "thousand"]))
def test_another_currency_or_magnitude_is_always_seen(value: int, money: list[str], scale: str) -> None:
    true = f"It cost {money[0]}{value} {scale}."
    assert missing_figures(true, [true]) == []
    other = {"million": "billion", "billion": "thousand", "thousand": "million"}[scale]
    for false in (f"It cost {money[1]}{value} {scale}.", f"It cost {money[0]}{value} {other}."):
        assert missing_figures(false, [true]), false


@given(st.dates(), st.integers(1, 27), st.sampled_from(["en", "de", "fr", "zh", "iso"]))
def test_a_date_says_the_same_in_every_language_and_another_day_never(
    day: dt.date, step: int, language: str
) -> None:
    day = day.replace(year=1600 + day.year % 400)
    months = {
        "en": "January February March April May June July August September October November December",
        "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    }
    ways = {
        "en": "{d} {m} {y}", "de": "{d}. {m} {y}", "fr": "le {d} {m} {y}",
        "zh": "{y}年{n}月{d}日", "iso": "{y}-{n:02d}-{d:02d}",
    }  # fmt: skip

    def written(date: dt.date, way: str) -> str:
        name = months.get(way, months["en"]).split()[date.month - 1]
        return f"It was on {ways[way].format(d=date.day, m=name, n=date.month, y=date.year)}."

    assert missing_figures(written(day, "en"), [written(day, language)]) == []
    other = day + dt.timedelta(days=step)
    assert missing_figures(written(other, "en"), [written(day, language)])


_NAMES = st.sampled_from(["Orrin", "Tolvik", "Anna Berg", "Karl Lund", "the Harbour Office"])


@given(_NAMES, _NAMES, st.sampled_from(["sued", "wrote to", "was sold by", "is older than"]))
def test_two_names_that_changed_places_are_always_seen(one: str, other: str, verb: str) -> None:
    true, false = f"In the end {one} {verb} {other}.", f"In the end {other} {verb} {one}."
    assert exchanged(true, [true]) == []
    assert bool(exchanged(false, [true])) == (one != other)


def test_a_turn_that_the_source_has_as_well_excuses_no_denial() -> None:
    said = "A transaction must {}be started before executing this opcode."
    assert denied_otherwise(said.format("not "), [said.format("")], "en") == ["not be started before"]
    opened = "The bridge was opened in 1950."
    assert denied_otherwise("The bridge was not opened before 1950.", [opened], "en") == []


@pytest.mark.parametrize(
    ("text", "passage", "language"),
    [
        ("把它分解成小文件，使其不受文件大小限制。", "把文件分解成小文件，使其免受文件大小限制。", "zh"),
        ("Nor does the last archived file prove that all older files have been archived.",
         "It is not safe to assume that all files older than the last archived file were archived.", "en"),
        ("With the option set to false the command returns without waiting for the archive.",
         "The option, which defaults to true, makes the command wait for the archive.", "en"),
    ],
)  # fmt: skip
def test_an_exemption_a_denied_clause_and_another_setting_deny_nothing_else(
    text: str, passage: str, language: str
) -> None:
    assert denied_otherwise(text, [passage], language) == []


def test_what_is_so_by_default_is_not_denied_as_the_default() -> None:
    passage = "By default, the command will wait for the archive."
    assert denied_otherwise("By default, the command will not wait for the archive.", [passage], "en")


@pytest.mark.parametrize(
    ("text", "passage", "language", "denied"),
    [
        ("The tool frees disk space at once.", "Commands like it won't free disk space alone.", "en", True),
        ("The tool frees much disk space.", "It does not free disk space on Windows.", "en", True),
        ("The tool does not free disk space.", "It does not free disk space.", "en", False),
        ("The tool frees disk space.", "It does not ask before it frees disk space.", "en", False),
        ("The tool frees disk space.", "It frees not disk space but memory.", "en", False),
        ("The tool frees disk space.", "It is not fast. It frees disk space.", "en", False),
        (
            "Compacting frees disk space.",
            "Pruning does not free disk space; compacting frees disk space.",
            "en",
            False,
        ),
        ("压缩会立即释放磁盘空间。", "删除不会立即释放磁盘空间，压缩会立即释放磁盘空间。", "zh", False),
        ("这个命令会释放磁盘空间。", "它不会立即释放磁盘空间。", "zh", False),
        ("这个命令会立即释放磁盘空间。", "它不会立即释放磁盘空间。", "zh", True),
    ],
)  # fmt: skip
def test_a_sentence_that_denies_what_is_said_is_known_however_little_it_shares(
    text: str, passage: str, language: str, denied: bool
) -> None:
    assert denies_what_is_said(text, passage, language) is denied


@pytest.mark.parametrize(
    ("text", "passage", "missing"),
    [
        ("In the storm 240 boats sank.", "Many boats sank in the storm.", ["240"]),
        ("A shed of the harbour holds 60 tonnes.", "A shed of the harbour holds much.", ["60"]),
        ("For 240 boats the harbour is large enough.", "The harbour is large enough for a fleet.", []),
        ("The harbour has room for your 240 boats.", "The harbour has room.", []),
        ("The storm went on for 60 hours.", "The storm went on.", ["60"]),
        ("With about 240 boats the harbour copes.", "The harbour copes with many boats.", []),
        ("In the storm, with 240 boats lost, it was dark.", "It was dark in the storm.", ["240"]),
        ("对于240艘船，港口够大。", "港口够大。", []),
        # Beside the source's own figure of the same, and not beside any that it has.
        ("Your 60 tonnes are below the 90 tonnes of a shed.", "A shed holds 90 tonnes.", []),
        ("The storm sank 240 boats, among them 12 ferries.", "The storm sank 12 boats.", ["240"]),
    ],
)
def test_what_was_asked_is_taken_up_as_given_and_told_as_no_fact(
    text: str, passage: str, missing: list[str]
) -> None:
    asked = "Did 240 boats sink in the storm, or 240艘船, may a shed hold 60 tonnes, did it last 60 hours?"
    assert missing_figures(text, [passage], asked=asked) == missing


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("Choose the sheet and set 20 x 30 cm.", []),
        ("Set the width of 20 cm; the height of 30 cm follows.", []),
        ("The ratio is 2:3, or 3:2 for a wide picture.", []),
        ("The ratio is 2:5.", ["2", "5"]),
        ("Set a width of 25 cm.", ["25"]),
        ("It takes 12 minutes.", ["12"]),
    ],
)
def test_what_is_wanted_may_be_told_in_figures_of_the_question(text: str, missing: list[str]) -> None:
    asked = "The picture is dull: how do I print it at 20 x 30 cm?"
    assert missing_figures(text, ["Choose the sheet and set its size."], asked=asked) == missing



@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("The lamp was lit with Don and Karl.", ["Don", "Karl"]),
        ("The lamp was lit by Elle, by Una and by Can.", ["Elle", "Una", "Can"]),
        ("The lamp was lit – Don helped.", ["Don"]),
        ("One rule holds for the lamp – Never leave it lit.", []),
    ],
)
def test_a_name_that_is_a_common_word_in_some_language_is_one(text: str, missing: list[str]) -> None:
    assert missing_names(text, ["The lamp was lit, and not to be left lit."]) == missing


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("The ban came two days after the decision.", []),
        ("The ban came 2 days later.", []),
        ("The decision was taken three months after the fire.", []),
        ("The ban came three days after the decision.", ["three"]),
        ("The trial went on for two days.", ["two"]),
        ("禁令在两天后颁布。", []),
    ],
)
def test_how_far_two_dates_are_apart_may_be_told(text: str, missing: list[str]) -> None:
    passages = ["On April 6, 2022 it was decided.", "A ban came on April 8.", "It burned on January 6, 2022."]
    assert missing_figures(text, passages) == missing


@pytest.mark.parametrize(
    ("text", "asked", "missing"),
    [
        ("The flight 1234 fell in March.", "Harbour Air flight 1234: what is known of it?", []),
        ("Harbour Air Flight 1234 fell.", "Why did Harbour Air flight 1234 crash?", []),
        ("Flight HA1234 fell.", "Why did flight HA1234 crash?", []),
        ("Flight 1235 fell.", "Why did Harbour Air flight 1234 crash?", ["1235"]),
        ("Article 50 was used.", "What does Article 50 say?", []),
        ("The storm killed 240 people.", "Is it true that the storm killed 240 people?", ["240"]),
        ("It fell 1234 feet.", "Why did Harbour Air flight 1234 crash?", ["1234"]),
    ],
)
def test_the_number_of_what_is_asked_about_is_its_name(text: str, asked: str, missing: list[str]) -> None:
    assert missing_figures(text, ["A plane fell in March."], asked=asked) == missing
