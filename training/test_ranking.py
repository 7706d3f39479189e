import unittest

import numpy as np

import calibration
import measure
import ranking

PIECES = ["[PAD]", "[UNK]", ".", "cat", "kitten", "engine", "motor"]
TABLE = np.array([[0, 0], [0, 0], [1, 1], [1, 0], [0.9, 0.1], [0, 1], [0.1, 0.9]], np.float32)


class Ranking(unittest.TestCase):
    def setUp(self):
        self.model = ranking.Model(TABLE, PIECES)

    def test_vectors_have_length_one_and_an_unknown_text_has_none(self):
        vectors = self.model.embed(["cat engine.", "zebra", ""])
        self.assertAlmostEqual(float(np.linalg.norm(vectors[0])), 1, places=6)
        self.assertFalse(vectors[1:].any())

    def test_soft_match_is_one_for_the_same_pieces_and_ignores_punctuation(self):
        asked = self.model.unique_pieces("cat. cat")
        self.assertEqual(asked.tolist(), [3])
        idf = np.ones(len(PIECES))
        self.assertAlmostEqual(ranking.match_softly(self.model, asked, asked, idf), 1, places=6)
        near = ranking.match_softly(self.model, asked, self.model.unique_pieces("kitten"), idf)
        far = ranking.match_softly(self.model, asked, self.model.unique_pieces("engine"), idf)
        self.assertGreater(near, 0.9)
        self.assertEqual(far, 0)

    def test_coverage_is_between_nothing_and_all(self):
        index = ranking.Keywords(["the cat sleeps", "motors run", "a dog barks", "rain falls"])
        scores, coverage = index.score("where does the cat sleep?")
        self.assertEqual(int(np.argmax(coverage)), 0)
        self.assertTrue((coverage >= 0).all() and (coverage <= 1).all())
        self.assertFalse(index.score("what was it")[0].any())

    def test_every_ranking_finds_the_own_text(self):
        for scores in ranking.rank_all(self.model, ["cat", "motor"], ["cat", "motor", "engine", "kitten"]).values():
            self.assertEqual(measure.recall(scores, 1), 100)

    def test_the_fitted_curve_separates_related_from_unrelated(self):
        generator = np.random.default_rng(0)
        sets = {"made up": (generator.normal(0.5, 0.1, 300), generator.normal(0.0, 0.1, 300))}
        slope, centre = calibration.fit_relevance(sets)
        self.assertGreater(slope, 0)
        self.assertTrue(0.1 < centre < 0.4)


if __name__ == "__main__":
    unittest.main()
