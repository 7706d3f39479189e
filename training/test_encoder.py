"""The model, its losses and its file, on untrained weights and a made-up corpus."""

import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

import bert
import corpus
import made_up
from encoder import asked, stages
from encoder.batches import gather, plan_pairs, plan_texts
from encoder.embedder import Embedder
from encoder.export import write_encoder
from encoder.losses import contrast_loss, furthering_loss, spread_loss
from encoder.measure import measure_recall, rank_best
from encoder.mixture import group_pairs, is_held_out
from encoder.training import Schedule, load_checkpoint

TEXTS = ["Deploys fail while the migration lock is held", "tea", "Marta owns billing; ask her before v2.3 " * 12]


def unit(*rows):
    return torch.nn.functional.normalize(torch.tensor(rows, dtype=torch.float32), dim=1)


class Rounding(unittest.TestCase):
    def test_a_weight_rounded_in_training_is_what_the_file_gives_back(self):
        weight = torch.randn(7, 5, generator=torch.Generator().manual_seed(1))
        back = bert.restore_rows(*bert.quantise_rows(weight.numpy()))
        np.testing.assert_allclose(bert.round_weight(weight).numpy(), back, atol=1e-7)

    def test_rounding_lets_the_gradient_pass(self):
        weight = torch.randn(3, 4, requires_grad=True)
        bert.round_weight(weight).sum().backward()
        self.assertTrue((weight.grad == 1).all())


class Losses(unittest.TestCase):
    def test_equal_vectors_spread_alike(self):
        vectors = unit([1, 0, 0], [0, 1, 0], [1, 1, 0])
        self.assertAlmostEqual(spread_loss(vectors, vectors).item(), 0, places=6)
        self.assertGreater(spread_loss(vectors.flip(1), unit([1, 2, 0], [0, 1, 3], [1, 1, 0])).item(), 0.01)

    def test_an_answer_the_teacher_finds_as_right_is_not_pushed_away(self):
        questions, answers = unit([1, 0, 0], [0, 1, 0]), unit([1, 0.2, 0], [1, 0.3, 0])
        strict = contrast_loss(questions, answers, (unit([1, 0, 0], [0, 1, 0]),) * 2)
        kind = contrast_loss(questions, answers, (unit([1, 0, 0], [1, 0, 0]),) * 2)
        self.assertGreater(strict.item(), 1)
        self.assertAlmostEqual(kind.item(), 0, places=6)


class Measures(unittest.TestCase):
    def test_the_rank_of_the_best_right_answer_counts_and_ties_count_half(self):
        self.assertEqual(rank_best(np.array([0.9, 0.5, 0.7]), [1, 2]), 1)
        self.assertEqual(rank_best(np.array([0.5, 0.5, 0.1]), [0]), 0.5)

    def test_recall_is_given_by_kind(self):
        rows = {"x": [1.0, 0.0], "y": [0.0, 1.0], "to x": [1.0, 0.1], "to y": [0.9, 0.5]}
        found = measure_recall(lambda texts: np.array([rows[t] for t in texts]), ["x", "y"], ["to x", "to y"], [[0], [1]], ["a", "b"])
        self.assertEqual(found, {"a": (100.0, 100.0, 1), "b": (0.0, 100.0, 1)})


class Schedules(unittest.TestCase):
    def test_the_rate_rises_stays_and_falls_to_nothing(self):
        schedule = Schedule(steps=100, falling=50, rate=2.0, warm=10)
        rates = [schedule.rate_at(step) for step in (0, 9, 49, 75, 99)]
        np.testing.assert_allclose(rates, [0.2, 2.0, 2.0, 1.0, 0.04])


class Training(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        torch.set_num_threads(1)
        cls.directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.directory.cleanup)
        path = made_up.write_corpus(cls.directory.name)
        cls.tokenizer = corpus.load_tokenizer(bert.find_teacher())
        cls.read = corpus.read_corpus(path, cls.tokenizer, cls.directory.name)
        cls.groups = asked.read_groups()[:30]
        for name, own in (("written", ["a note by itself"] * 3), ("asked", asked.list_texts(cls.groups))):
            cls.read = corpus.add_texts(cls.read, cls.tokenizer, name, own)
        cls.texts, cls.pairs = corpus.select_trainable(cls.read, cls.tokenizer, path)

    def test_a_batch_holds_texts_of_like_length_and_every_text_once(self):
        chosen = np.flatnonzero(self.texts)
        batches = plan_texts(self.read, chosen, 16, seed=1)
        self.assertEqual(sorted(np.concatenate([batch[0] for batch in batches])), chosen.tolist())
        widths = [np.ptp(self.read.lengths[batch[0]]) for batch in batches]
        self.assertLessEqual(np.median(widths), 2)

    def test_a_pair_of_a_batch_is_a_pair_of_the_texts(self):
        groups = group_pairs(self.read, self.pairs, seed=1)
        known = set(zip(self.read.a[self.pairs].tolist(), self.read.b[self.pairs].tolist()))
        for questions, answers in plan_pairs(self.read, [groups["docs"][0], groups["commits"][0]], 8, seed=1):
            self.assertLessEqual(set(zip(questions.tolist(), answers.tolist())), known)

    def test_a_held_out_answer_is_in_no_training_pair(self):
        for trained, held_out in group_pairs(self.read, self.pairs, seed=1).values():
            self.assertFalse(is_held_out(self.read.b[trained]).any())
            self.assertTrue(is_held_out(self.read.b[held_out]).all())

    def test_padding_changes_no_vector(self):
        model = stages.start_student()
        together = Embedder.of_model(self.tokenizer, model)(TEXTS)
        alone = np.concatenate([Embedder.of_model(self.tokenizer, model)([text]) for text in TEXTS])
        np.testing.assert_allclose(together, alone, atol=1e-5)

    def test_the_written_file_gives_the_vectors_of_the_rounded_model(self):
        model = stages.start_student()
        out = Path(self.directory.name, "brain-encoder-test")
        write_encoder(out, model)
        written = Embedder.of_files(self.tokenizer, out)(TEXTS)
        rounded = Embedder.of_model(self.tokenizer, model, rounded=True)(TEXTS)
        self.assertGreater((written * rounded).sum(1).min(), 0.99999)
        self.assertGreater((written * Embedder.of_model(self.tokenizer, model)(TEXTS)).sum(1).min(), 0.99)

    def test_a_run_nears_the_teacher_and_is_not_repeated_when_it_is_done(self):
        short = Schedule(steps=8, falling=4, rate=5e-4, rounding=4, warm=2)
        names = ("teaching", "furthering", "asking", "narrowing", "asking_again")
        settings = stages.Settings(**dict.fromkeys(names, short), pairing=replace(short, steps=2, falling=1), batch=16, pair_batch=8)
        planned = stages.plan(self.read, self.texts, self.pairs, self.groups, settings)
        heard = []
        taught, paired = stages.run_stages(self.read, planned, settings, self.directory.name, heard.append)
        again, _ = stages.run_stages(self.read, planned, settings, self.directory.name, heard.append)
        for one, two in zip(taught.parameters(), again.parameters()):
            self.assertTrue(torch.equal(one, two))
        fresh = stages.start_student()
        self.assertEqual(load_checkpoint(Path(self.directory.name, "teach.pt"), fresh), 8)
        texts = [self.tokenizer.decode(gather(self.read, batch[0])[0][0].tolist(), skip_special_tokens=True) for batch in planned[0][:4]]
        teacher = Embedder.of_model(self.tokenizer, bert.load_published(bert.find_teacher()))(texts)
        before, after = (
            (teacher * Embedder.of_model(self.tokenizer, model)(texts)).sum(1).mean()
            for model in (stages.start_student(), taught)
        )
        self.assertGreater(after, before)

    def test_each_question_of_a_batch_is_one_that_its_note_answers_and_none_comes_twice(self):
        texts = asked.list_texts(self.groups)
        note_of = {question: note.text for notes in self.groups for note in notes for question in note.questions}
        allowed = np.ones(len(texts), bool)
        allowed[1] = False
        batches = asked.plan_asked(self.groups, allowed, seed=3)
        for questions, notes in batches:
            self.assertEqual([note_of[texts[one]] for one in questions], [texts[one] for one in notes])
            self.assertEqual(len(set(notes.tolist())), len(notes))
        self.assertEqual(sorted(np.concatenate([one for one, _ in batches])), sorted(set(map(texts.index, note_of)) - {1}))

    def plan_asking(self, steps):
        own = stages.own_texts(self.read, self.texts)
        return stages.plan_asking(self.read, self.texts, self.groups[-2:], own, steps, size=16, seed=1)

    def test_a_narrower_one_is_near_to_the_wide_one_that_it_was_and_goes_on_where_it_was_stopped(self):
        short = Schedule(steps=8, falling=4, rate=2e-5, warm=2)
        texts = plan_texts(self.read, np.flatnonzero(self.texts), 16, seed=1)
        settings = stages.Settings(narrowing=short, asking_again=short, inner=1440, measured=64, batch=16)
        planned = (None, None, None, None, texts, self.plan_asking(short.steps))
        wide, heard = stages.start_student(), []
        narrow = stages.go_narrow(self.read, planned, wide, settings, self.directory.name, heard.append)
        self.assertEqual([layer.up.out_features for layer in narrow.layers], [1440] * 3)
        again = stages.go_narrow(self.read, planned, wide, settings, self.directory.name, lambda line: None)
        for one, two in zip(narrow.parameters(), again.parameters()):
            self.assertTrue(torch.equal(one, two))
        ids, mask = gather(self.read, texts[0][0])
        unlearnt = bert.Bert(wide.words, 3, inner=settings.inner)
        with torch.no_grad():
            teacher = wide.embed_with_layers(ids, mask)
            far, near = (furthering_loss([model.embed_with_layers(ids, mask)], [teacher])[0] for model in (unlearnt, narrow))
        self.assertLess(near, far / 20)

    def test_stages_three_and_four_near_the_teachers_states_and_bring_questions_to_their_notes(self):
        short = Schedule(steps=8, falling=4, rate=5e-4, warm=2)
        texts = plan_texts(self.read, np.flatnonzero(self.texts), 16, seed=1)
        settings = stages.Settings(furthering=short, asking=short)
        asking = self.plan_asking(short.steps)
        student = stages.start_student()
        stages.go_further(self.read, (None, None, texts, asking), student, settings, self.directory.name, lambda line: None)
        ids, mask = gather(self.read, texts[0][0])
        sides = [gather(self.read, side) for side in asking[0][1:]]
        with torch.no_grad():
            before, after = (contrast_loss(*(model.embed(*side) for side in sides)) for model in (stages.start_student(), student))
        self.assertLess(after, before)
        with torch.no_grad():
            teacher = bert.load_published(bert.find_teacher()).embed_with_states(ids, mask)
            before, after = (
                furthering_loss([model.embed_with_states(ids, mask)], [teacher])[1] for model in (stages.start_student(), student)
            )
        for part in ("distance", "states"):
            self.assertLess(after[part], before[part])


if __name__ == "__main__":
    unittest.main()
