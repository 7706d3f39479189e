"""
Text to words, as BERT's normaliser and pre-tokeniser do it. Knows Unicode categories and nothing of
the vocabulary; `README.md` states the same rules in prose for whoever writes them in another language.
"""

import unicodedata

# Blocks whose characters BERT puts between spaces before anything else.
IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


def is_punctuation(character):
    """True for ASCII's 32 punctuation marks and symbols, and for Unicode categories P*."""
    point = ord(character)
    if point < 128:
        return 33 <= point <= 47 or 58 <= point <= 64 or 91 <= point <= 96 or 123 <= point <= 126
    return unicodedata.category(character).startswith("P")


def spell(point):
    """What one code point of the input becomes; a space separates words, "" removes it."""
    character = chr(point)
    if character in "\t\n\r":
        return " "
    category = unicodedata.category(character)
    if point == 0xFFFD or category in ("Cc", "Cf", "Co", "Cs"):
        return ""
    if character.isspace():
        return " "
    spelled = []
    for part in unicodedata.normalize("NFD", character):
        if unicodedata.category(part) == "Mn":
            continue
        for lowered in part.lower():
            spelled.append(f" {lowered} " if is_punctuation(lowered) else lowered)
    text = "".join(spelled)
    return f" {text} " if any(low <= point <= high for low, high in IDEOGRAPHS) else text


class _Spelling(dict):
    def __missing__(self, point):
        self[point] = spelled = spell(point)
        return spelled


_SPELLING = _Spelling()


def split_words(text):
    """Lower-case words and single punctuation marks of `text`, in order, accents stripped."""
    return text.translate(_SPELLING).split()
