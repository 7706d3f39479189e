import unittest

import numpy as np

import vocabulary
from vocabulary import UNKNOWN, choose_whole_words, learn_pieces, split_pieces, tokenise


class Vocabulary(unittest.TestCase):
    def test_the_longest_piece_wins_from_the_left(self):
        row = {piece: index for index, piece in enumerate(["[PAD]", "[UNK]", "un", "unhappy", "##ly", "##l", "##y"])}
        self.assertEqual(split_pieces("unhappyly", row), [3, 4])

    def test_a_word_with_a_missing_piece_is_unknown_as_a_whole(self):
        row = {"[PAD]": 0, "[UNK]": 1, "ab": 2}
        self.assertEqual(split_pieces("abz", row), [UNKNOWN])
        self.assertEqual(tokenise("abz ab", row), [UNKNOWN, 2])

    def test_a_word_longer_than_a_hundred_characters_is_unknown(self):
        row = {"[PAD]": 0, "[UNK]": 1, "x": 2, "##x": 3}
        self.assertEqual(len(split_pieces("x" * 100, row)), 100)
        self.assertEqual(split_pieces("x" * 101, row), [UNKNOWN])

    def test_merges_follow_the_heaviest_neighbours(self):
        learnt = learn_pieces(["lower", "lowest", "low"], np.array([9, 4, 1]), set(), 3)
        self.assertEqual(learnt, ["##ow", "low", "lowe"])

    def test_of_rare_numbers_only_years_and_small_ones_are_kept(self):
        words = [f"word{i}x" for i in range(3001)] + ["1999", "42", "731", "007"]
        chosen = choose_whole_words(words, np.arange(len(words), 0, -1.0), 10_000)
        self.assertEqual(chosen[3001:], ["1999", "42"])

    def test_there_are_no_doubles_and_the_two_empty_rows_come_first(self):
        self.assertEqual((vocabulary.PAD, vocabulary.UNKNOWN), (0, 1))


if __name__ == "__main__":
    unittest.main()
