"""
How a store would rank its texts for a question: cosine of sums, soft match of pieces, coverage of the question's
keywords, and their blend. The measure of the model, and a reference for other implementations.
"""

import re
import sqlite3

import numpy as np

from vocabulary import tokenise

STOP_WORDS = frozenset(
    """a about after again all also am an and any are as at be because been before being between both but by can
    could did do does doing down during each few for from further had has have having he her here hers him his how
    i if in into is it its itself just me more most my no nor not now of off on once only or other our ours out over
    own same she should so some such than that the their theirs them then there these they this those through to too
    under until up very was we were what when where which while who whom why will with would you your yours""".split()
)
IDF_CEILING = 6.0
SOFT_FLOOR = 0.1
BLEND = {"soft": 0.4, "cosine": 0.4, "coverage": 0.2}


class Model:
    """A table [pieces, dimensions] and its pieces; makes vectors of texts."""

    def __init__(self, table, pieces):
        self.table = table
        self.pieces = pieces
        self.row = {piece: index for index, piece in enumerate(pieces)}
        self.length = np.linalg.norm(table, axis=1)
        self.unit = table / np.maximum(self.length, 1e-12)[:, None]
        # Punctuation and single characters say nothing alone and match everywhere.
        self.counts = np.array(
            [len(p.removeprefix("##")) > 1 and index > 1 for index, p in enumerate(pieces)]
        )

    def embed(self, texts):
        """Unit vectors [texts, dimensions]; zeros for a text without a known piece."""
        sums = np.stack([self.table[tokenise(text, self.row)].sum(0) for text in texts])
        return sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12)

    def unique_pieces(self, text):
        """Sorted distinct rows of the pieces of `text` that take part in the soft match."""
        rows = np.unique(np.array(tokenise(text, self.row), np.int64))
        return rows[self.counts[rows]]


def weigh_pieces(sets, size):
    """idf of every row over texts given as sets of rows: ln(1 + (n - df + 0.5) / (df + 0.5)), at most IDF_CEILING."""
    frequency = np.bincount(np.concatenate([*sets, np.zeros(0, np.int64)]), minlength=size)
    return np.minimum(IDF_CEILING, np.log1p((len(sets) - frequency + 0.5) / (frequency + 0.5)))


def match_softly(model, question, text, idf):
    """
    Share of the question's weight that the text covers, 0..1: each piece counts its best cosine among the text's
    pieces, less SOFT_FLOOR and rescaled, weighed by row length times idf.
    """
    if len(question) == 0 or len(text) == 0:
        return 0.0
    weight = model.length[question] * idf[question]
    best = (model.unit[question] @ model.unit[text].T).max(1)
    return float(weight @ np.maximum(0, (best - SOFT_FLOOR) / (1 - SOFT_FLOOR)) / max(weight.sum(), 1e-12))


class Keywords:
    """SQLite's full-text index over the texts, porter-stemmed, as the store keeps it."""

    def __init__(self, texts):
        self.size = len(texts)
        self.store = sqlite3.connect(":memory:")
        for name in ("texts", "question"):
            self.store.execute(f"create virtual table {name} using fts5(body, tokenize='porter unicode61')")
            self.store.execute(f"create virtual table {name}_terms using fts5vocab({name}, row)")
        self.store.executemany("insert into texts(rowid, body) values (?, ?)", enumerate(texts))

    def score(self, question):
        """(bm25 per text, 0 where no word matches; the same as a share of what the question could score)."""
        words = [w for w in re.findall(r"\w+", question.lower()) if w not in STOP_WORDS]
        scores = np.zeros(self.size)
        if not words:
            return scores, scores
        query = " OR ".join(f'"{word}"' for word in words)
        for index, score in self.store.execute("select rowid, bm25(texts) from texts where texts match ?", (query,)):
            scores[index] = -score
        self.store.execute("delete from question")
        self.store.execute("insert into question values (?)", (" ".join(words),))
        ceiling = 0.0
        for (found,) in self.store.execute(
            "select coalesce((select doc from texts_terms t where t.term = q.term), 0) from question_terms q"
        ):
            ceiling += 2.2 * max(np.log((self.size - found + 0.5) / (found + 0.5)), 1e-6)
        return scores, np.clip(scores / ceiling, 0, 1)


def rank_all(model, questions, texts):
    """{ranking: scores [questions, texts]} for every way of ranking."""
    cosine = model.embed(questions) @ model.embed(texts).T
    sets = [model.unique_pieces(text) for text in texts]
    idf = weigh_pieces(sets, len(model.pieces))
    asked = [model.unique_pieces(question) for question in questions]
    soft = np.array([[match_softly(model, q, t, idf) for t in sets] for q in asked])
    keywords = Keywords(texts)
    found = [keywords.score(question) for question in questions]
    bm25, coverage = (np.array([pair[i] for pair in found]) for i in (0, 1))
    return {
        "FTS5": bm25,
        "cosine": cosine,
        "soft match": soft,
        "blend": BLEND["soft"] * soft + BLEND["cosine"] * cosine + BLEND["coverage"] * coverage,
    }
