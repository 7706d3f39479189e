"""
Figures of merit on the development sets and on held-out pairs, none of which are trained on.
"""

import gzip
import json
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

from ranking import rank_all


def recall(scores, cutoff):
    """Share of rows i whose column i is among the `cutoff` best, in percent; a score of 0 or less finds nothing."""
    own = np.diag(scores)
    better = (scores > own[:, None]).sum(1) + ((scores == own[:, None]).sum(1) - 1) / 2
    return float(100 * ((better < cutoff) & (own > 0)).mean())


def read_notes(corpus):
    """(questions, texts); question i is answered by text i alone."""
    notes = json.loads(Path(corpus, "dev", "notes.json").read_text(encoding="utf-8"))
    return notes["queries"], notes["notes"] + notes["distractors"]


def read_graded(corpus):
    """[{"a", "b", "score", "set"}]: sentence pairs graded from 0, unrelated, to 5, the same."""
    with gzip.open(Path(corpus, "dev", "sts.jsonl.gz"), "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def read_own_notes():
    """(questions, texts) as `read_notes`, of notes and questions written for this project."""
    here = Path(__file__).resolve().parent
    pairs = json.loads((here / "paraphrases.json").read_text(encoding="utf-8"))
    background = json.loads((here.parent / "models" / "background.json").read_text(encoding="utf-8"))
    return [pair["question"] for pair in pairs], [pair["note"] for pair in pairs] + background


def measure_notes(model, questions, texts):
    """{ranking: (recall@1, recall@10)} in percent; question i is answered by text i alone."""
    scores = rank_all(model, questions, texts)
    return {name: (recall(s, 1), recall(s, 10)) for name, s in scores.items()}


def measure_graded(model, corpus):
    """Spearman's rank correlation of cosine and grade, over all graded pairs."""
    pairs = read_graded(corpus)
    a, b = (model.embed([pair[side] for pair in pairs]) for side in "ab")
    return float(spearmanr((a * b).sum(1), [pair["score"] for pair in pairs]).correlation)


def measure_held_out(table, pieces, groups, most=2000, seed=5):
    """{group: recall@10 of the right answer among the group's held-out answers, percent}; `most` bounds both."""
    found = {}
    for group in groups:
        if len(group.a) < 100:
            continue
        pick = np.random.default_rng(seed).permutation(len(group.a))
        _, first = np.unique(pieces.digest[group.b[pick]], return_index=True)
        pick = pick[np.sort(first)][:most]
        x, y = (embed_runs(table, pieces, side[pick]) for side in (group.a, group.b))
        scores = x @ y.T
        better = (scores > np.diag(scores)[:, None]).sum(1)
        found[group.name] = float(100 * (better < 10).mean())
    return found


def measure_all(model, corpus, pieces, held_out):
    """Every figure, as `card.render_figures` shows them; `pieces` and `held_out` are those of `group_pairs`."""
    return {
        "notes": measure_notes(model, *read_notes(corpus)),
        "own_notes": measure_notes(model, *read_own_notes()),
        "graded": measure_graded(model, corpus),
        "held_out": measure_held_out(model.table, pieces, held_out),
    }


def embed_runs(table, pieces, texts):
    """Unit vectors of texts given by number, [texts, dimensions]."""
    rows, lengths = pieces.gather(texts)
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    sums = np.add.reduceat(table[rows], starts, axis=0)
    return sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12)
