"""What the reader of the night is given to learn from."""

import json
import random
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path

import torch

HERE = Path(__file__).parent
sys.path += [str(HERE / "night"), str(HERE / "pair")]
from fit_odds import likeliest  # noqa: E402
from train import KINDS, WRITTEN, Strangers, example, item_pairs, read_pairs, sequel_pairs, talkative, world_pairs  # noqa: E402


class OfLetters:
    """Pieces by letters: enough to be near or far."""

    def of(self, text: str) -> list[int]:
        return [ord(letter) % 64 for letter in text]


def written(lines: list[dict]) -> Path:
    path = Path(tempfile.mkdtemp()) / "one.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def told(examples: list[dict]) -> set[tuple[str, str, str]]:
    return {(*one["pair"], KINDS[one["label"]]) for one in examples}


class MattersTest(unittest.TestCase):
    def test_of_two_planted_notes_the_likeliest_matters_count_and_of_others_all(self):
        rows = [{"brain": "one", "a": 1, "b": b, "planted": b == 2, "at": at} for at, b in enumerate([2, 2, 3, 3, 2])]
        self.assertEqual([row["at"] for row in likeliest(rows, [0.1, 0.7, 0.9, 0.2, 0.3])], [1, 2, 3])


class PairsTest(unittest.TestCase):
    def test_what_came_after_stands_as_its_place_says(self):
        path = written(
            [
                {"kind": "promise", "older": "p", "kept": ["k"], "unkept": ["u"], "near": ["n"]},
                {"kind": "question", "older": "q", "again": ["a"], "answer": ["w"], "near": []},
                {"kind": "rule", "older": "r", "newer": ["b"], "near": ["m"]},
            ]
        )
        self.assertEqual(
            told(sequel_pairs(path)),
            {("p", "k", "kept"), ("p", "u", "unkept"), ("p", "n", "none"), ("q", "a", "asks"), ("q", "w", "answers"), ("r", "b", "breaks"), ("r", "m", "none")},
        )

    def test_questions_of_a_world_are_answered_by_their_notes_alone(self):
        path = written(
            [{"note": 1, "text": "a"}, {"note": 2, "text": "b"}]
            + [{"question": "who", "kind": "question", "gold": [1], "near": [2]}, {"question": "word", "kind": "keyword", "gold": [1], "near": [2]}]
        )
        self.assertEqual(told(world_pairs(path, random.Random(1))), {("who", "a", "answers"), ("who", "b", "none")})

    def test_what_others_were_in_doubt_of_is_left_out(self):
        path = written([{"older": "a", "newer": "b", "label": "asks"}, {"older": "a", "newer": "c", "label": "none", "unsure": True}])
        self.assertEqual(told(read_pairs(path)), {("a", "b", "asks")})

    def test_an_older_note_of_a_small_brain_meets_the_newer_ones_of_other_pairs(self):
        notes = [{"id": at, "day": at, "agent": "x", "text": text} for at, text in enumerate(["rule one", "rule two", "act one", "act two"], 1)]
        path = written([*notes, {"pair": [1, 3], "kind": "rule"}, {"pair": [2, 4], "kind": "rule"}])
        strangers = Strangers(OfLetters(), torch.randn(64, 8, generator=torch.Generator().manual_seed(1)))
        found = told(strangers.of_brains([path], random.Random(1), 0, 0, 2))
        breaks = {("rule one", "act one", "breaks"), ("rule two", "act two", "breaks")}
        others = {("rule one", "act two", "none"), ("rule two", "act one", "none")}
        later = {("rule one", "rule two", "none")}
        self.assertEqual(found, breaks | others | later)

    def test_a_note_that_tells_of_another_matter_too_keeps_its_own(self):
        drawn = [example("one.", "two.", "breaks", "x"), example("three. four.", "five.", "none", "y")]
        for before, after in zip(drawn, talkative(drawn, random.Random(3), 1)):
            self.assertEqual(after["label"], before["label"])
            changed = [(old, new) for old, new in zip(before["pair"], after["pair"]) if old != new]
            self.assertEqual(len(changed), 1)
            self.assertIn(changed[0][0], changed[0][1])
        self.assertEqual([one["pair"] for one in talkative(drawn, random.Random(3), 0)], [one["pair"] for one in drawn])

    def test_every_written_file_can_be_learnt_from(self):
        counts = Counter(KINDS[one["label"]] for path in sorted((WRITTEN / "sequels").glob("*.jsonl")) for one in sequel_pairs(path))
        counts.update(KINDS[one["label"]] for path in sorted(WRITTEN.glob("*.jsonl")) for one in item_pairs(path))
        for kind in ("contradicts", "reverses", "breaks", "ignores", "kept", "unkept", "asks", "answers", "none"):
            self.assertGreater(counts[kind], 300, kind)


if __name__ == "__main__":
    unittest.main()
