import pytest

from library.text.language import detect


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
