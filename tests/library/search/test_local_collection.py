import shutil
from hashlib import sha256

import pytest

from library.errors import SearchError
from library.evidence import Passage, Source
from library.library_opening import open_documents
from library.passages.topic.relevance_feedback import TopicProfile
from library.readers.reader import Reader
from library.search.by_meaning import likeliest
from library.search.local_collection import LocalCollection
from library.store.store import HeldFile, Store
from library.text.multilingual.language import detect
from library.text.similarity.tfidf import TextStatistics

BRIDGE = [
    "The harbour bridge was built by the engineer Ada Storm in 1931 and painted green.",
    "Ada Storm studied in Lund before the harbour bridge made her famous.",
    "Rust was found on the green paint of the harbour bridge in 1987.",
    "The toll on the harbour bridge was abolished after a vote.",
    "Ada Storm never saw the toll abolished; she died in Lund.",
]
GARDEN = [f"Roses number {n} need water, sun and patient gardeners who prune in winter." for n in range(40)]


@pytest.fixture
def collection(tmp_path):
    with Store(tmp_path / "library.sqlite") as store:
        held = store.make_collection("c", "C")
        for number, text in enumerate(BRIDGE + GARDEN):
            read = Source(sha256(text.encode()).hexdigest(), f"file:///{number}", "", text)
            store.put_file(held, HeldFile(read.url, 0, 0, "", read.sha256), read)
        yield LocalCollection(store, held)


async def test_the_best_comes_first_with_a_score_between_0_and_1(collection):
    hits = await collection.search("who built the harbour bridge", 5)
    assert hits[0].passage.text == BRIDGE[0]
    scores = [hit.score for hit in hits]
    assert scores[0] == max(scores)
    assert all(0 <= score <= 1 for score in scores)


def test_feedback_finds_what_the_query_does_not_name(collection):
    assert BRIDGE[4] in [hit.passage.text for hit in collection.find("harbour bridge", 5)]
    searched = collection.opened()
    asked = searched.expand("harbour bridge", rounds=())
    assert BRIDGE[4] not in [
        p.text for p in collection._store.passages_by_id([i for i, _ in searched.rank(asked, 50)]).values()
    ]


def test_nothing_found_is_an_empty_list(collection):
    assert collection.find("zeppelin", 5) == []
    assert collection.find("", 5) == []
    assert collection.find('"; DROP TABLE (', 5) == []


def test_changes_by_another_are_seen(collection):
    assert collection.find("zeppelin", 5) == []
    with Store(collection._store.path) as other:
        read = Source("f" * 64, "file:///z", "", "A zeppelin landed.")
        other.put_file(other.collection("c"), HeldFile("/z", 0, 0, "", read.sha256), read)
    assert [hit.url for hit in LocalCollection(collection._store, collection.held).find("zeppelin", 5)] == [
        "file:///z"
    ]


def test_a_removed_collection_is_a_search_error(collection):
    collection._store.drop_collection("c")
    with pytest.raises(SearchError, match="removed"):
        collection.find("bridge", 5)


def test_a_profile_knows_where_the_topic_ends(collection):
    profile = TopicProfile("harbour bridge", collection.statistics)
    profile.learn(hit.passage for hit in collection.find("harbour bridge roses", 45))
    assert {item.passage.text for item in profile.on_topic()} == set(BRIDGE)
    assert "storm" in profile.words(6)
    assert "rose" not in profile.words(20)
    assert all(query.startswith("harbour bridge ") for query in profile.queries(2))


def test_a_profile_of_nothing_says_nothing(collection):
    profile = TopicProfile("harbour bridge", collection.statistics)
    profile.learn([])
    assert profile.on_topic() == []
    assert profile.queries(3) == []


def keep(store, held, pages):
    for name, title, text in pages:
        read = Source(sha256(text.encode()).hexdigest(), f"file:///{name}", title, text)
        store.put_file(held, HeldFile(read.url, 0, 0, "", read.sha256), read)


HELP = [
    (
        "loan",
        "Lending to somebody",
        "Money that you lent to a friend is owed to you. Each instalment is entered twice.",
    ),
    ("split", "Splits of shares", "When shares are split, enter the new number of shares and no price."),
    (
        "undo",
        "Reversing an entry",
        "An entry must never be deleted. A mistake is reversed by a second entry.",
    ),
    ("shop", "Cards", "What the shop gives back is a refund, and no income."),
]


@pytest.fixture
def manual(tmp_path):
    with Store(tmp_path / "manual.sqlite") as store:
        keep(store, held := store.make_collection("m", "A manual"), HELP)
        yield LocalCollection(store, held)


@pytest.mark.parametrize(
    ("question", "page"),
    [
        ("I gave my buddy some cash", "loan"),
        ("May errors be erased?", "undo"),
        ("how are splitting shares recorded", "split"),
    ],
)
def test_a_question_in_other_words_finds_the_page(manual, question, page):
    assert manual.find(question, 1)[0].url == f"file:///{page}"


def test_what_a_page_says_in_several_places_counts_together(tmp_path):
    fill = "The committee met again in the old town hall and said nothing more of it. " * 6
    leads = ("The certificate is free.", "The padlock is shown by the browser.", "Apache is told so.")
    apart = "\n\n".join(f"{lead} {fill}" for lead in leads)
    pages = [("whole", "Chapter", apart)]
    pages += [
        (f"one{n}", "Note", f"{lead} {n}. {fill}") for n in range(4) for lead in leads[n % 3 : n % 3 + 1]
    ]
    with Store(tmp_path / "pages.sqlite") as store:
        keep(store, held := store.make_collection("p", "Pages"), pages)
        found = LocalCollection(store, held).find("certificate, padlock and Apache", 3)
        assert [hit.url for hit in found].count("file:///whole") >= 2


def test_another_of_its_kind_stays_out(manual):
    statistics = manual.statistics
    storms = [
        [
            f"Cyclone {name} reached the coast of {place} with heavy rain.",
            f"In {place} the wind tore off roofs.",
        ]
        for name, place in (("Anna", "Lorne"), ("Berta", "Madar"), ("Clara", "Sundvik"), ("Dora", "Kirin"))
    ]
    passages = [
        Source(sha256(text.encode()).hexdigest(), f"file:///{text[-9:]}", texts[0][:14], text).passage(
            0, len(text)
        )
        for texts in storms
        for text in texts
    ]
    profile = TopicProfile("Cyclone Berta", statistics)
    profile.learn(passages)
    best = [item.passage.text for item in profile.on_topic()]
    assert set(best[:2]) == set(storms[1])


TOPPLED = [
    "The prime minister stood down after half of his cabinet had walked out.",
    "Two ministers of the government resigned within minutes of each other: they had lost trust in him.",
    "His party chose a new leader in September, who moved into the residence the same day.",
    "The opposition asked parliament for a vote of no confidence, which the house refused.",
    "The chancellor told the prime minister to go, and other secretaries of state did the same.",
    "Members of parliament of his own party voted against the prime minister.",
]
SHOWN = [
    "The film was first shown in July.",
    "Roses are pruned in July and watered in the evening.",
    "A bank lost its deposits in the crisis and was bought by another one.",
    "The album was recorded in July in a barn.",
    "In July the cup was won by the youngest player.",
]


def test_pages_that_tell_a_topic_in_other_words_are_on_it(manual):
    passages = [
        Source(sha256(text.encode()).hexdigest(), f"file:///{n}", "", text).passage(0, len(text))
        for n, text in enumerate([*SHOWN, *TOPPLED])
    ]
    by_words = TopicProfile("government crisis", manual.statistics)
    by_words.learn(passages)
    assert {item.passage.text for item in by_words.on_topic()} == {SHOWN[2], TOPPLED[1]}
    profile = TopicProfile("government crisis", manual.statistics, by_meaning=True)
    profile.learn(passages)
    found = {item.passage.text for item in profile.on_topic()}
    assert len(found & set(TOPPLED)) >= 5
    assert found & set(SHOWN) == {SHOWN[2]}
    german = TopicProfile("Die Krise der Regierung und wer zurücktrat", manual.statistics, by_meaning=True)
    german.learn(passages)
    assert german.scores(passages) == [0.0] * len(passages)


APART = [
    ("theft", "After an intrusion", "Unplug the compromised machine, and copy its disks before you look."),
    (
        "glass",
        "The server hall",
        "Someone broke into the hall of our ice rink; the server of drinks now asks what.",
    ),
]


def test_what_is_meant_comes_before_what_shares_words(tmp_path):
    with Store(tmp_path / "library.sqlite") as store:
        keep(store, held := store.make_collection("m", "A manual"), APART)
        found = LocalCollection(store, held).find(
            "Hackers got into our server. What should be done with the machine?", 2
        )
        assert [hit.url for hit in found] == ["file:///theft", "file:///glass"]


def test_words_alone_order_what_the_sentence_model_does_not_know(tmp_path, monkeypatch):
    asked: list[str] = []
    monkeypatch.setattr(
        "library.text.similarity.tfidf.sentence_vectors", lambda: asked.append("") or pytest.fail("asked")
    )
    pages = [
        (f"s{n}", "Sicherung", f"Wie die Daten Nummer {n} gesichert werden, ist hier zu lesen.")
        for n in range(5)
    ]
    with Store(tmp_path / "library.sqlite") as store:
        keep(store, held := store.make_collection("m", "Handbuch"), pages)
        assert len(LocalCollection(store, held).find("Wie werden die Daten gesichert?", 5)) == 5


def test_a_page_that_begins_with_what_is_meant_is_found_where_others_share_more_words(tmp_path):
    noise = [
        (f"n{n}", f"Notes {n}", f"The machine got item {n}; what should be done with our server got done.")
        for n in range(60)
    ]
    intrusion = ("theft", "After an intrusion", "Unplug the compromised computer, and copy its disks first.")
    with Store(tmp_path / "library.sqlite") as store:
        more = ("more", "Disks", "Our disks are copied before the machine is looked at.")
        keep(store, held := store.make_collection("m", "A manual"), [*noise, intrusion, more])
        found = LocalCollection(store, held).find("Hackers got into our computer. What should be done?", 5)
        assert found[0].url == "file:///theft"


def test_of_a_manual_in_one_page_the_section_that_begins_with_what_is_meant_is_found(tmp_path):
    noise = [
        f"## {n}. Item {n}\n\nWhat should be done with our computer got done by all who got into item {n}. "
        + "All that is done with it should be done well by those who got into it. " * 4
        for n in range(40)
    ]
    copies = "Copy each disk in the hall first. " * 9
    noise.insert(20, f"## 99. After an intrusion\n\nUnplug the compromised computer. {copies}")
    with Store(tmp_path / "library.sqlite") as store:
        keep(store, held := store.make_collection("m", "A manual"), [("all", "All", "\n\n".join(noise))])
        found = LocalCollection(store, held).find("Hackers got into our computer. What should be done?", 20)
        assert any("Unplug" in hit.passage.text for hit in found)


def test_a_section_is_found_by_its_heading_on_a_long_page_among_many_others(tmp_path):
    noise = [
        (
            f"n{n}",
            f"Notes {n}",
            f"The visitors who come by train {n} get sent over by their hosts to everybody.",
        )
        for n in range(70)
    ]
    parts = [
        f"## Other matter {n}\n\n" + f"Everybody comes by and gets sent over to matter {n}. " * 25
        for n in range(9)
    ]
    parts.insert(
        7, "## Forcing encryption\n\n" + "Redirect all requests of visitors to the secure port. " * 12
    )
    with Store(tmp_path / "library.sqlite") as store:
        keep(
            store,
            held := store.make_collection("m", "A manual"),
            [*noise, ("all", "All", "\n\n".join(parts))],
        )
        found = LocalCollection(store, held).find("How are visitors sent over to the encrypted site?", 10)
        assert any("secure port" in hit.passage.text for hit in found)


def test_titles_that_look_like_another_language_do_not_keep_from_being_read_by_meaning():
    def beginning(title, text):
        return Passage(title, 0, len(text), text, f"file:///{title}", title)

    others = [("A20", "A small computer board."), ("V-Ray", "The pictures are made with light.")]
    pages = [
        beginning(*each) for each in [*others, ("Snapshots", "Bring the system back to an earlier state.")]
    ]
    titles = "\n".join(page.title for page in pages)
    assert detect(titles) == "cs"
    assert likeliest("How do I get back to how it was before?", pages, TextStatistics())[0] == 2


def test_a_folder_that_was_copied_or_moved_cites_the_files_that_were_given(tmp_path):
    first, copied, moved = (tmp_path / name for name in ("first", "copied", "moved"))
    first.mkdir()
    (first / "dikes.txt").write_text("Dikes of sand break after three days of high water.")
    (first / "web.md").write_text("---\nurl: https://dikes.example/7\n---\nSand is what dikes are built of.")
    with Store(tmp_path / "library.sqlite") as store, Reader() as reader:

        def found(folder):
            place, _ = open_documents(store, reader, str(folder))
            return {hit.passage.url: hit.passage.title for hit in place.find("dikes of sand", 5)}

        page = {"https://dikes.example/7": "web"}
        assert found(first) == {(first / "dikes.txt").as_uri(): "dikes", **page}
        shutil.copytree(first, copied)
        (copied / "dikes.txt").rename(copied / "Dikes 2.txt")
        assert found(copied) == {(copied / "Dikes 2.txt").as_uri(): "Dikes 2", **page}
        first.rename(moved)
        assert found(moved) == {(moved / "dikes.txt").as_uri(): "dikes", **page}
