import unittest

from words import split_words


class Words(unittest.TestCase):
    def test_letters_are_lowered_and_accents_stripped(self):
        self.assertEqual(split_words("Café NAÏVE İstanbul"), ["cafe", "naive", "istanbul"])

    def test_every_punctuation_mark_stands_alone(self):
        expected = ["it", "'", "s", "snake", "_", "case", "—", "ok", "?", "!"]
        self.assertEqual(split_words("it's snake_case—ok?!"), expected)

    def test_symbols_outside_ascii_stay_in_their_word(self):
        self.assertEqual(split_words("5€ a→b 1+1"), ["5€", "a→b", "1", "+", "1"])

    def test_control_and_format_characters_vanish_and_all_spaces_separate(self):
        self.assertEqual(split_words("so\u00adft\u200b\u0000 a\u00a0b\u3000c\td\ufffd"), ["soft", "a", "b", "c", "d"])

    def test_ideographs_stand_alone(self):
        self.assertEqual(split_words("ab日本"), ["ab", "日", "本"])


if __name__ == "__main__":
    unittest.main()
