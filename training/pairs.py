"""
Training pairs as runs of piece rows: grouped by what kind of likeness they teach, capped where one
text repeats, with a hundredth held out. Knows tokens and groups; refuses to know vectors.
"""

from dataclasses import dataclass

import numpy as np

from corpus import LONGEST
from vocabulary import split_pieces

# Share of the training batches each group gets, before it is scaled to what is there.
GROUPS = {
    "commits": 0.22,
    "docs": 0.20,
    "pseudo-queries": 0.15,
    "dialogue": 0.11,
    "wordnet-gloss": 0.08,
    "wordnet-example": 0.06,
    "wordnet-synonym": 0.06,
    "lexicon": 0.08,
    "ppdb": 0.05,
    "answers": 0.05,
    "masc": 0.03,
    "docstrings": 0.03,
    "intents": 0.03,
    "tldr": 0.03,
    "trivia": 0.03,
    "books": 0.03,
    "small": 0.02,
    "templates": 0.02,
}

PREFIXES = (
    ("commits_", "commits"),
    ("docs_", "docs"),
    ("docstr_", "docstrings"),
    ("openstax_", "books"),
    ("pseudoq", "pseudo-queries"),
    ("topicalchat", "dialogue"),
    ("dstc8", "dialogue"),
    ("qmsum", "dialogue"),
    ("lexicon", "lexicon"),
    ("ppdb", "ppdb"),
    ("medquad", "answers"),
    ("xquad_qed", "answers"),
    ("masc", "masc"),
    ("intents", "intents"),
    ("tldr", "tldr"),
    ("opentrivia", "trivia"),
    ("templates", "templates"),
)
WORDNET = {
    "word-gloss": "wordnet-gloss",
    "hyper-gloss": "wordnet-gloss",
    "sim-gloss": "wordnet-gloss",
    "gloss-ex": "wordnet-example",
    "syn-ex": "wordnet-example",
    "ex-sub": "wordnet-example",
}

# How often one text may stand on one side of a group's pairs; short texts repeat with good reason.
REPEATS = {
    "wordnet-gloss": 6,
    "wordnet-example": 6,
    "wordnet-synonym": 8,
    "ppdb": 8,
    "intents": 8,
    "tldr": 6,
    "dialogue": 6,
}
REPEATS_ELSEWHERE = 3

HELD_OUT_PER = 100  # one text in so many is held out as an answer


def name_group(source, kind):
    """The group of pairs of this source and kind, a key of GROUPS."""
    if source == "wordnet":
        return WORDNET.get(kind, "wordnet-synonym")
    return next((group for prefix, group in PREFIXES if source.startswith(prefix)), "small")


@dataclass
class Pieces:
    """Text t is `rows[starts[t]:starts[t + 1]]`; `digest[t]` is equal for texts of equal rows."""

    rows: np.ndarray
    starts: np.ndarray
    digest: np.ndarray

    def gather(self, texts):
        """(rows, lengths) of the given texts, end to end."""
        lengths = self.starts[texts + 1] - self.starts[texts]
        ends = np.cumsum(lengths)
        offset = np.repeat(self.starts[texts] - (ends - lengths), lengths)
        return self.rows[np.arange(ends[-1] if len(ends) else 0) + offset], lengths


def digest_runs(rows, starts):
    """A 64-bit number per run of rows, equal for equal runs; 0 for an empty one."""
    position = np.arange(len(rows)) - np.repeat(starts[:-1], np.diff(starts))
    mixed = (rows.astype(np.uint64) + np.uint64(7)) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    mixed *= position.astype(np.uint64) * np.uint64(0xBF58476D1CE4E5B9) + np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(32)
    total = np.concatenate([np.zeros(1, np.uint64), np.cumsum(mixed, dtype=np.uint64)])
    return total[starts[1:]] - total[starts[:-1]]


def split_texts(corpus, pieces):
    """The corpus in rows of the vocabulary `pieces`, each text cut at LONGEST rows."""
    row = {piece: index for index, piece in enumerate(pieces)}
    split = [split_pieces(word, row) for word in corpus.words]
    word_length = np.array([len(rows) for rows in split])
    word_start = np.concatenate([[0], np.cumsum(word_length)])
    flat = np.fromiter((r for rows in split for r in rows), np.int32, word_start[-1])

    long = word_length[corpus.ids]
    ends = np.cumsum(long)
    before = ends - long
    text_of_word = np.repeat(np.arange(len(corpus.starts) - 1), np.diff(corpus.starts))
    ends_with_zero = np.concatenate([[0], ends])
    text_begin = ends_with_zero[corpus.starts[:-1]]
    room = np.clip(LONGEST - (before - text_begin[text_of_word]), 0, long)
    kept_ends = np.cumsum(room)
    offset = np.repeat(word_start[corpus.ids] - (kept_ends - room), room)
    rows = flat[np.arange(kept_ends[-1]) + offset]
    starts = np.concatenate([[0], kept_ends])[corpus.starts]
    return Pieces(rows, starts, digest_runs(rows, starts))


def cap_repeats(digest, limit, order):
    """Mask of the entries that are among the first `limit` of their digest, in the given order."""
    ranked = order[np.argsort(digest[order], kind="stable")]
    sorted_digest = digest[ranked]
    first = np.concatenate([[True], sorted_digest[1:] != sorted_digest[:-1]])
    since = np.arange(len(ranked)) - np.maximum.accumulate(np.where(first, np.arange(len(ranked)), 0))
    kept = np.zeros(len(digest), bool)
    kept[ranked] = since < limit
    return kept


@dataclass
class Group:
    """Pairs of texts (`a[i]`, `b[i]`) that teach one kind of likeness, and their share of the batches."""

    name: str
    share: float
    a: np.ndarray
    b: np.ndarray


def group_pairs(corpus, pieces, allowed, seed=1):
    """
    (training groups, held-out groups). A text whose digest falls into the held-out hundredth is never an
    answer in training, whichever file it came from.
    """
    generator = np.random.default_rng(seed)
    length = np.diff(pieces.starts)
    usable = allowed & (length[corpus.a] > 0) & (length[corpus.b] > 0)
    usable &= pieces.digest[corpus.a] != pieces.digest[corpus.b]
    held = (pieces.digest >> np.uint64(17)) % np.uint64(HELD_OUT_PER) == 0
    names = list(GROUPS)
    table = np.array(
        [[names.index(name_group(source, kind)) for kind in corpus.kinds] for source in corpus.sources]
    )
    member = table[corpus.source, corpus.kind]
    training, held_out = [], []
    for number, name in enumerate(names):
        mine = np.flatnonzero(usable & (member == number))
        a, b = corpus.a[mine], corpus.b[mine]
        limit = REPEATS.get(name, REPEATS_ELSEWHERE)
        for side in (0, 1):
            kept = cap_repeats(pieces.digest[(a, b)[side]], limit, generator.permutation(len(a)))
            a, b = a[kept], b[kept]
        if len(a) == 0:
            continue
        out = held[b]
        training.append(Group(name, GROUPS[name], a[~out], b[~out]))
        held_out.append(Group(name, GROUPS[name], a[out], b[out]))
    return training, held_out
