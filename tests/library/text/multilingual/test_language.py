import pytest

from library.text.multilingual.language import detect, topic_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The council has not decided whether the bridge is to be built", "en"),
        ("Why do cats purr?", "en"),
        ("How do river towns protect themselves against floods?", "en"),
        ("do que se trata a nova lei", "pt"),
        ("机器学习正在改变医疗行业", "zh"),
        ("これは猫です。とても可愛い。", "ja"),
        ("도시의 물 공급", "ko"),
        ("Das Haus ist nicht mit dem Garten verkauft worden", "de"),
        ("Le chat est dans la maison avec une souris", "fr"),
        ("El perro no está en la casa de los vecinos", "es"),
        ("Кто это такой и что он не сказал", "ru"),
        ("OpenAI 发布了新的语言模型", "zh"),
        ("Roundtable", "en"),
        ("", "en"),
    ],
)
def test_detect(text, language):
    assert detect(text) == language


@pytest.mark.parametrize(
    ("topic", "language"),
    [
        ("Los Angeles wildfires", "en"),
        ("Notre Dame de Paris fire", "en"),
        ("Die Hard (film)", "en"),
        ("Van Gogh in Arles", "en"),
        ("La La Land", "en"),
        ("Rio de Janeiro carnival", "en"),
        ("Cien Años", "en"),
        ("Pain in the lower back", "en"),
        ("", "en"),
        ("Wie sichere ich meine Daten?", "de"),
        ("Die Geschichte der Stadt Köln", "de"),
        ("Comment sauvegarder mes données ?", "fr"),
        ("La pollution de l'air dans les villes", "fr"),
        ("¿Cómo hago una copia de seguridad de mis datos?", "es"),
        ("Come posso salvare i miei dati?", "it"),
        ("Как сделать резервную копию данных?", "ru"),
        ("كيف أنسخ بياناتي احتياطيا؟", "ar"),
        ("मैं अपने डेटा का बैकअप कैसे लूँ?", "hi"),
        ("如何备份数据？", "zh"),
        ("データをバックアップする方法", "ja"),
        ("Python 的 import system 怎样找到 modules？", "zh"),
        ("用 Docker Compose 部署 Django", "zh"),
        ("GitHub Actions で Docker image を build する方法", "ja"),
        ("What does 道可道非常道 mean in the Daodejing?", "en"),
        ("Beijing 北京 history", "en"),
    ],
)
def test_the_language_to_speak_is_the_topics_on_clear_evidence_alone(topic, language):
    assert topic_language(topic) == language


@pytest.mark.parametrize(
    ("topic", "language", "turned"),
    [("en kadar que na", "es", "pt"), ("o de en om que", "pt", "es"), ("no des un ett", "es", "fr")],
)
def test_of_two_languages_that_fit_as_well_it_is_the_one_whose_word_comes_first(topic, language, turned):
    """In every process, whatever order its sets are in: a session that is resumed speaks as before."""
    assert topic_language(topic) == language
    assert topic_language(" ".join(reversed(topic.split()))) == turned


def test_what_is_unclear_is_spoken_of_in_the_language_asked_for():
    assert topic_language("Los Angeles wildfires", "zh") == "zh"
