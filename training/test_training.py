"""The way from texts to a model, on a made-up corpus of two topics."""

import tempfile
import unittest
from pathlib import Path

import numpy as np

import contrastive
import corpus
import export
import initialise
import made_up
import pairs
import ranking
import vocabulary

RUN = contrastive.Run(rate=1e-2, steps=30, batch=32, seed=1)


class Training(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.directory.cleanup)
        made_up.write_corpus(cls.directory.name)
        cls.read = corpus.read_corpus(cls.directory.name, cls.directory.name)
        cls.texts, cls.allowed = corpus.select_permissive(cls.read)
        cls.pieces = vocabulary.build_vocabulary(cls.read, cls.texts, size=400, whole_words=100)
        cls.split = pairs.split_texts(cls.read, cls.pieces)
        cls.groups, cls.held_out = pairs.group_pairs(cls.read, cls.split, cls.allowed)
        cls.start = initialise.initialise_table(
            cls.read, cls.split, cls.texts, cls.allowed, len(cls.pieces), dimensions=16
        )

    def test_a_parsed_corpus_reads_back_the_same(self):
        again = corpus.read_corpus(self.directory.name, self.directory.name)
        self.assertEqual(again.words, self.read.words)
        self.assertTrue((again.ids == self.read.ids).all())

    def test_share_alike_sources_and_what_was_made_from_them_are_left_out(self):
        left = {self.read.sources[i] for i in self.read.text_source[self.texts]}
        self.assertEqual(left, {"commits_made_up", "pseudoq"})
        derived = self.allowed & (self.read.source == self.read.sources.index("pseudoq"))
        self.assertEqual(derived.sum(), 1)

    def test_an_unclassified_share_alike_source_is_refused(self):
        with tempfile.TemporaryDirectory() as other:
            Path(other, "pairs").mkdir()
            Path(other, "pairs", "LICENSES.md").write_text("|new|x|CC BY-SA 4.0|1|1|1|\n", encoding="utf-8")
            with self.assertRaisesRegex(ValueError, "new"):
                corpus.read_licences(other)

    def test_pieces_of_the_corpus_are_those_of_the_tokeniser(self):
        row = {piece: index for index, piece in enumerate(self.pieces)}
        for text in range(0, len(self.read.starts) - 1, 17):
            words = [self.read.words[i] for i in self.read.ids[self.read.starts[text] : self.read.starts[text + 1]]]
            rows, _ = self.split.gather(np.array([text]))
            self.assertEqual(rows.tolist(), vocabulary.tokenise(" ".join(words), row))

    def test_a_text_stands_only_so_often_on_one_side(self):
        for group in self.groups:
            for side in (group.a, group.b):
                most = np.unique(self.split.digest[side], return_counts=True)[1].max()
                self.assertLessEqual(most, pairs.REPEATS.get(group.name, pairs.REPEATS_ELSEWHERE))

    def test_no_held_out_answer_is_trained_on(self):
        trained = {d for g in self.groups for d in self.split.digest[g.b].tolist()}
        held = {d for g in self.held_out for d in self.split.digest[g.b].tolist()}
        self.assertFalse(trained & held)

    def test_a_blinded_question_keeps_no_piece_of_its_answer(self):
        rows, other = np.array([5, 6, 7, 5]), np.array([5, 9, 9])
        kept = contrastive.blind(rows, np.array([3, 1]), other, np.array([2, 1]), np.array([True, True]))
        self.assertEqual(kept.tolist(), [False, True, True, True])

    def test_a_text_that_would_lose_every_piece_keeps_them(self):
        rows, lengths = contrastive.drop_pieces(np.array([1, 2, 3]), np.array([2, 1]), np.array([True, False, False]))
        self.assertEqual((rows.tolist(), lengths.tolist()), ([1, 3], [1, 1]))

    def test_training_brings_a_topic_together_and_repeats_to_the_byte(self):
        trained = contrastive.train_table(self.start, self.split, self.groups, RUN, report=lambda line: None)
        again = contrastive.train_table(self.start, self.split, self.groups, RUN, report=lambda line: None)
        self.assertTrue((trained == again).all())
        model = ranking.Model(trained, self.pieces)
        question, wet, broken = model.embed(["storm cloud", "grey and wet outside", "machine stopped working"])
        self.assertGreater(question @ wet, question @ broken)

    def test_a_written_model_reads_back_within_half_a_step_and_leaves_padding_empty(self):
        with tempfile.TemporaryDirectory() as out:
            written = export.write_model(out, self.start, self.pieces)
            table, pieces = export.read_model(out)
        self.assertTrue((table == written).all())
        self.assertEqual(pieces, self.pieces)
        step = np.abs(self.start).max(1, keepdims=True) / 127
        self.assertTrue((np.abs(table - self.start) <= step / 2 + 1e-7).all())
        self.assertFalse(table[: vocabulary.UNKNOWN + 1].any())


if __name__ == "__main__":
    unittest.main()
