"""Documents in many languages are asked, found and quoted: articles of the Declaration of Human Rights."""

from pathlib import Path

import pytest

from library.passages.quotes import choose_quotes
from library.readers.reader import Reader
from library.search.local_collection import LocalCollection
from library.store.store import HeldFile, Store
from library.text.multilingual.language import detect, topic_language

FOLDER = Path(__file__).parent / "languages"
ASKED = [
    ("hi", "क्या शिक्षा निःशुल्क होगी?", "प्रत्येक व्यक्ति को शिक्षा का अधिकार है।"),
    ("ar", "هل التعليم بالمجان؟", "لكل شخص الحق في التعلم"),
    ("ja", "教育は無償ですか。", "すべて人は、教育を受ける権利を有する。"),
    ("es", "¿Es gratuita la educación para todos?", "Toda persona tiene derecho a la educación."),
    ("de", "Ist die Bildung für alle unentgeltlich?", "Jeder hat das Recht auf Bildung."),
    ("fr", "L'éducation est-elle gratuite pour tous ?", "Toute personne a droit à l'éducation."),
    ("ru", "Будет ли образование бесплатным для всех?", "Каждый человек имеет право на образование."),
]


@pytest.mark.parametrize(("language", "question", "told"), ASKED)
def test_a_document_is_asked_and_quoted_in_its_language(tmp_path, language, question, told):
    with Store(tmp_path / "library.sqlite") as store, Reader() as reader:
        source = reader.read_file(FOLDER / f"{language}.md")
        held = store.make_collection("c", "C")
        store.put_file(held, HeldFile(source.url, 0, 0, "", source.sha256), source)
        place = LocalCollection(store, held)
        found = place.find(question, 3)
        assert detect(source.text) == topic_language(question) == language
        assert told in found[0].passage.text
        quotes = choose_quotes(question, [hit.passage for hit in found], place.statistics, 2)
        assert any(quote.text in found[0].passage.text for quote in quotes)
        assert all(len(quote.text) < 250 for quote in quotes)
