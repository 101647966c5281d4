"""A source is called by its title; what is none by its form gives way to what its address tells."""

import pytest

from reports.cite.source_names import moment, source_name

NEWS = "https://www.orrin.example/news/uk-61626746"


@pytest.mark.parametrize(
    ("title", "url", "name"),
    [
        ("The Orrin lighthouse", NEWS, "The Orrin lighthouse"),
        ("第 2 章 灯塔", NEWS, "第 2 章 灯塔"),
        ("git-switch(1)", NEWS, "git-switch(1)"),
        ("2023 tour of the reefs", NEWS, "2023 tour of the reefs"),
        ("the reef in 2019 and 2020 | orrin.example", NEWS, "the reef in 2019 and 2020 | orrin.example"),
        ("news uk 61626746 | orrin.example", NEWS, "orrin.example/news/uk"),
        ("[ERROR retrieving ref link]", NEWS, "orrin.example/news/uk"),
        ("", NEWS, "orrin.example/news/uk"),
        ("a lamp for the reef 182556665 | orrin.example", NEWS, "A lamp for the reef (orrin.example)"),
        ("kgexl1rv7m8yx3sm4duprcca | orrin.example",
         "https://orrin.example/us/keepers-of-the-reef/kgexl1rv7m8yx3sm4duprcca",
         "Keepers of the reef (orrin.example)"),
        ("news newsid=2579453.html", "https://orrin.example/about-us/news/newsid=2579453.html",
         "orrin.example/about-us/news"),
        ("README.md", "file:///documents/README.md", "README.md"),
        ("", "file:///documents/x.md", "x.md: “The tower stands on a reef. It is high.”"),
        ("[ERROR retrieving ref link]", "not an address", "“The tower stands on a reef. It is high.”"),
        ("The tower stands on …", "[ERROR retrieving ref link]", "“The tower stands on …”"),
        ("books | books.example", "https://books.example/books?id=eso8DQAAQBAJ", "books.example/books"),
    ],
)  # fmt: skip
def test_what_a_reader_knows_a_source_by(title: str, url: str, name: str) -> None:
    assert source_name(title, url, "The tower stands on a reef. It is high.") == name


def test_versions_of_one_day_are_told_apart_by_the_minute() -> None:
    assert moment("2026-01-02T03:04:05+00:00", "2026-01-02T08:00:00+00:00") == "2026-01-02 03:04"
    assert moment("2026-01-02T03:04:05+00:00", "2026-02-02T08:00:00+00:00") == "2026-01-02"
    assert moment("2026-01-02T03:04:05+00:00", "") == "2026-01-02"
