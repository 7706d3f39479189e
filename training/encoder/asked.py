"""
Notes of this project and the questions that were written for them, in words that the notes do not have: by groups of
notes on one small matter, each the nearest wrong answer to what is asked of the others. Knows files and batches.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from corpus import read_lines

FOLDER = Path(__file__).resolve().parent / "asked"
TOGETHER = 13  # groups of a batch


@dataclass(frozen=True)
class Note:
    text: str
    questions: tuple[str, ...]


def read_groups(folder=FOLDER):
    """The notes of each group, [[Note]]."""
    groups = {}
    for path in sorted(folder.glob("*.jsonl")):
        for row in read_lines(path):
            groups.setdefault((path.stem, row["group"]), []).append(Note(row["note"], tuple(row["ask"])))
    return list(groups.values())


def list_texts(groups):
    """Every note followed by its questions: the order in which `plan_asked` numbers them."""
    return [text for notes in groups for note in notes for text in (note.text, *note.questions)]


def plan_asked(groups, allowed, seed):
    """
    Batches (questions, notes) of whole groups, each question once: numbers of texts, the last of which are those of `list_texts`. `allowed`, a
    mask of all texts, says which may be trained on.
    """
    generator = np.random.default_rng(seed)
    numbered, at = [], len(allowed) - len(list_texts(groups))
    for notes in groups:
        numbered.append([])
        for note in notes:
            questions = at + 1 + generator.permutation(len(note.questions))
            if allowed[at]:
                numbered[-1].append((at, questions[allowed[questions]]))
            at += 1 + len(note.questions)
    batches = []
    for turn in range(max(len(questions) for notes in numbered for _, questions in notes)):
        order = generator.permutation(len(numbered))
        for begin in range(0, len(order), TOGETHER):
            chosen = [one for group in order[begin : begin + TOGETHER] for one in numbered[group] if turn < len(one[1])]
            batches.append((np.array([questions[turn] for _, questions in chosen]), np.array([note for note, _ in chosen])))
    return batches
