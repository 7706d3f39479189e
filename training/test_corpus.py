"""Which texts may be trained on."""

import tempfile
import unittest

import numpy as np

import bert
import corpus
import made_up


class Selection(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.tokenizer = corpus.load_tokenizer(bert.find_teacher())
        cls.path = made_up.write_corpus(directory.name)
        cls.cache = directory.name
        cls.read = corpus.read_corpus(cls.path, cls.tokenizer, cls.cache)
        cls.texts, cls.pairs = corpus.select_trainable(cls.read, cls.tokenizer, cls.path)

    def find(self, text):
        """The number of a text of the corpus."""
        pieces = self.tokenizer.encode(text, add_special_tokens=False).ids
        return next(
            number
            for number, (start, end) in enumerate(zip(self.read.starts[:-1], self.read.starts[1:]))
            if self.read.pieces[start:end].tolist() == pieces
        )

    def test_a_parsed_corpus_reads_back_the_same(self):
        again = corpus.read_corpus(self.path, self.tokenizer, self.cache)
        self.assertEqual(again.sources, self.read.sources)
        self.assertTrue((again.pieces == self.read.pieces).all())
        self.assertTrue((again.a == self.read.a).all())

    def test_added_texts_stand_behind_and_belong_to_their_source(self):
        more = corpus.add_texts(self.read, self.tokenizer, "written", ["one note", "another, longer note"])
        self.assertEqual(more.sources[more.text_source[-1]], "written")
        self.assertEqual(more.pieces[more.starts[-3] : more.starts[-2]].tolist(), self.tokenizer.encode("one note", add_special_tokens=False).ids)
        self.assertEqual(len(more.lengths), len(self.read.lengths) + 2)
        self.assertTrue((more.pieces[: self.read.starts[-1]] == self.read.pieces).all())

    def test_a_share_alike_text_is_left_out(self):
        self.assertFalse(self.texts[self.find("never store the password of a user in plain text")])

    def test_a_sentence_made_from_a_share_alike_text_is_left_out(self):
        self.assertFalse(self.texts[self.find("you should never store the password of a user in plain text file")])

    def test_a_sentence_made_from_a_permissive_text_stays(self):
        self.assertTrue(self.texts[self.find("the registry keeps every version of every crate for ever")])

    def test_a_text_that_holds_eight_words_of_a_development_set_is_left_out(self):
        number = self.find(f"we know that {made_up.ASKED}")
        self.assertFalse(self.texts[number])
        self.assertFalse(self.pairs[self.read.b == number].any())

    def test_seven_words_in_common_do_no_harm(self):
        dev = corpus.split_pieces(self.tokenizer, ["one two three four five six seven eight nine"])
        mine = corpus.split_pieces(
            self.tokenizer, ["zero one two three four five six seven", "two three four five six seven eight nine"]
        )
        read = corpus.Corpus(*mine, *[np.zeros(0, int)] * 5, [], [])
        continues = np.zeros(self.tokenizer.get_vocab_size(), bool)
        self.assertEqual(corpus.overlap_development(read, dev, continues).tolist(), [False, True])

    def test_word_pieces_of_one_word_count_as_one_word(self):
        continues = np.zeros(self.tokenizer.get_vocab_size(), bool)
        for piece, number in self.tokenizer.get_vocab().items():
            continues[number] = piece.startswith("##")
        pieces, starts = corpus.split_pieces(self.tokenizer, ["kubelet restarts", "untokenizable words everywhere"])
        self.assertGreater(len(pieces), 5)
        _, words = corpus.join_words(pieces, starts, continues)
        self.assertEqual(words.tolist(), [0, 2, 5])


if __name__ == "__main__":
    unittest.main()
