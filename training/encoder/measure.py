"""
Figures of merit by cosine alone on the development sets, none of which are trained on. An embedder here is a
function from a list of texts to unit vectors; refuses to know how one is made.
"""

import gzip
import json
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

CUTOFFS = (1, 10)


def rank_best(scores, gold):
    """The rank, from 0, of the best of the `gold` columns in one row of scores; ties count half."""
    own = scores[gold].max()
    return (scores > own).sum() + ((scores == own).sum() - 1) / 2


def read_mixed(corpus):
    """(texts, questions, gold column lists, kinds); questions that nothing answers are left out."""
    sets = json.loads(Path(corpus, "..", "dev", "mixed.json").read_text(encoding="utf-8"))
    column = {note["id"]: number for number, note in enumerate(sets["notes"])}
    asked = [query for query in sets["queries"] if query["gold"]]
    return (
        [note["text"] for note in sets["notes"]],
        [query["query"] for query in asked],
        [[column[note] for note in query["gold"]] for query in asked],
        [query["kind"] for query in asked],
    )


def read_notes(corpus):
    """As `read_mixed`: question i is answered by text i alone."""
    notes = json.loads(Path(corpus, "dev", "notes.json").read_text(encoding="utf-8"))
    asked = notes["queries"]
    return notes["notes"] + notes["distractors"], asked, [[i] for i in range(len(asked))], ["notes"] * len(asked)


def read_own_notes():
    """As `read_notes`, of notes and questions written for this project."""
    here = Path(__file__).resolve().parent.parent
    pairs = json.loads((here / "paraphrases.json").read_text(encoding="utf-8"))
    background = json.loads((here.parent / "models" / "neutral-notes.json").read_text(encoding="utf-8"))
    texts = [pair["note"] for pair in pairs] + background
    return texts, [pair["question"] for pair in pairs], [[i] for i in range(len(pairs))], ["own notes"] * len(pairs)


def measure_recall(embed, texts, asked, gold, kinds):
    """{kind: (recall@1, recall@10, questions)} in percent, of cosine alone."""
    scores = embed(asked) @ embed(texts).T
    ranks = np.array([rank_best(row, columns) for row, columns in zip(scores, gold)])
    kinds = np.array(kinds)
    found = {}
    for kind in dict.fromkeys(kinds):
        mine = ranks[kinds == kind]
        found[str(kind)] = (*(float(100 * (mine < cutoff).mean()) for cutoff in CUTOFFS), len(mine))
    return found


def join_recall(found):
    """The mean over all questions of what `measure_recall` gives by kind."""
    count = sum(row[2] for row in found.values())
    return (*(sum(row[i] * row[2] for row in found.values()) / count for i in range(len(CUTOFFS))), count)


def read_graded(corpus):
    """[{"a", "b", "score", "set"}]: sentence pairs graded from 0, unrelated, to 5, the same."""
    with gzip.open(Path(corpus, "dev", "sts.jsonl.gz"), "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def measure_graded(embed, corpus):
    """Spearman's rank correlation of cosine and grade, over all graded pairs, in percent."""
    pairs = read_graded(corpus)
    a, b = (embed([pair[side] for pair in pairs]) for side in "ab")
    return float(100 * spearmanr((a * b).sum(1), [pair["score"] for pair in pairs]).statistic)


def measure_development(embed, corpus):
    """{title: (recall@1, recall@10, questions)} over the development sets with questions."""
    mixed = measure_recall(embed, *read_mixed(corpus))
    figures = {"mixed": join_recall(mixed), **{f"mixed, {kind}": row for kind, row in mixed.items()}}
    return figures | measure_recall(embed, *read_notes(corpus)) | measure_recall(embed, *read_own_notes())


def measure_held_out(embedder, corpus, groups, most=300, seed=5):
    """{group: (recall@1, recall@10, pairs)} of held-out pairs, each answer among its group's; `most` bounds both."""
    generator = np.random.default_rng(seed)
    found = {}
    for name, (_, held_out) in groups.items():
        _, first = np.unique(corpus.b[held_out], return_index=True)
        pairs = generator.permutation(held_out[first])[:most]
        if len(pairs) < 50:
            continue
        questions, answers = (embedder.embed_numbers(corpus, side[pairs]) for side in (corpus.a, corpus.b))
        ranks = [rank_best(row, [own]) for own, row in enumerate(questions @ answers.T)]
        found[name] = (*(float(100 * np.mean(np.array(ranks) < cutoff)) for cutoff in CUTOFFS), len(pairs))
    return found
