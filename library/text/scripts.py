"""Characters by their script, each as the inside of a regular expression's brackets."""

HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
"""Chinese characters, in Japanese and Korean text too."""
KANA = "\u3041-\u3096\u309d\u309e\u30a1-\u30fa\u30fc-\u30fe"
"""Hiragana and katakana."""
HANGUL = "\uac00-\ud7a3"
"""Korean syllables."""
CJK = HAN + KANA
"""Characters written without spaces between words."""
WIDE = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U000323af"
"""Characters between which a line ends without a space: Chinese and Japanese ones, their punctuation."""
