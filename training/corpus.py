"""
The training texts: which files there are, what each may be used for, and their words as numbers.
Knows file formats and licences; refuses to know the vocabulary or the model.
"""

import gzip
import hashlib
import json
import re
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path

import numpy as np

from words import split_words

# Where the texts lie beside a checkout; they are no part of the repository.
DEFAULT = Path(__file__).resolve().parents[2] / "shared" / "embedder"

LONGEST = 128  # words kept of one text; the model sees at most as many pieces

# Sources whose licence asks that what is built from them be shared alike (CC BY-SA, CDLA-Sharing).
# Of rails only the guides are; its commit messages are MIT.
SHARE_ALIKE = frozenset(
    """awesome_selfhosted commits_OWASP_CheatSheetSeries commits_awesome-selfhosted_awesome-selfhosted
    commits_redis_redis-doc docs_fccguides docs_owasp docs_rails docs_redis dstc8 opentrivia
    topicalchat xquad_qed""".split()
)

# Files whose texts were taken from the other sources, and so carry those sources' licences.
DERIVED = ("pseudoq", "lexicon")

TEXT_LICENCES = {
    "text_extra_text": ("inaugural and state-of-the-union addresses, from nltk_data", "public domain"),
    "text_extra_text2": (
        "MASC; product reviews, sentence polarity and subjectivity, from nltk_data",
        "free incl. commercial development; CC BY 4.0",
    ),
    "text_tatoeba_eng": ("Tatoeba, English sentences", "CC BY 2.0 FR"),
}


@dataclass
class Corpus:
    """
    Texts as word numbers. Text t is `ids[starts[t]:starts[t + 1]]`, numbers into `words`.
    Pair i joins the texts `a[i]` and `b[i]`; `source[i]` and `kind[i]` number `sources` and `kinds`.
    `text_source[t]` is the source of text t, which need not be in a pair.
    """

    words: list
    ids: np.ndarray
    starts: np.ndarray
    text_source: np.ndarray
    a: np.ndarray
    b: np.ndarray
    source: np.ndarray
    kind: np.ndarray
    sources: list
    kinds: list

    def save(self, path):
        arrays = {
            name: getattr(self, name)
            for name in ("ids", "starts", "text_source", "a", "b", "source", "kind")
        }
        np.savez(path, **arrays)
        lists = {"words": self.words, "sources": self.sources, "kinds": self.kinds}
        Path(f"{path}.json").write_text(json.dumps(lists), encoding="utf-8")

    @classmethod
    def load(cls, path):
        lists = json.loads(Path(f"{path}.json").read_text(encoding="utf-8"))
        with np.load(path) as arrays:
            return cls(**lists, **{name: arrays[name] for name in arrays.files})


def list_files(corpus):
    """The pair and text files below `corpus`, by name; FileNotFoundError when there are none."""
    files = sorted(Path(corpus, "pairs").glob("*.gz"))
    if not files:
        raise FileNotFoundError(f"no training texts (pairs/*.gz) in {corpus}")
    return files


def hash_corpus(corpus):
    """SHA-256 over the names and contents of the training files, as hexadecimal digits."""
    total = hashlib.sha256()
    for path in list_files(corpus):
        total.update(path.name.encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def read_licences(corpus):
    """{source: (origin, licence)} from the table in `pairs/LICENSES.md`, and of the plain texts."""
    licences = dict(TEXT_LICENCES)
    for line in Path(corpus, "pairs", "LICENSES.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 6 and cells[3].isdigit():
            licences[cells[0]] = (cells[1], cells[2])
    unclassified = [
        name
        for name, (_, licence) in licences.items()
        if re.search(r"BY-SA|CDLA-Sharing", licence)
        and name not in SHARE_ALIKE
        and name != "commits_rails_rails"
    ]
    if unclassified:
        raise ValueError(f"share-alike, but not in SHARE_ALIKE: {unclassified}")
    return licences


def _read_pairs(path):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            pair = json.loads(line)
            yield pair["k"], (split_words(pair["a"]), split_words(pair["b"]))


def _read_text(path):
    with gzip.open(path, "rt", encoding="utf-8-sig") as lines:
        for line in lines:
            words = split_words(line)
            for start in range(0, len(words), LONGEST):
                yield "text", (words[start : start + LONGEST],)


def _read_file(path):
    plain = path.name.endswith(".txt.gz")
    numbers, kinds, ids, lengths, kind = {}, {}, [], [], []
    for name, texts in _read_text(path) if plain else _read_pairs(path):
        if not all(texts):
            continue
        kind.append(kinds.setdefault(name, len(kinds)))
        for words in texts:
            words = words[:LONGEST]
            lengths.append(len(words))
            ids.extend([numbers.setdefault(word, len(numbers)) for word in words])
    return (
        list(numbers),
        np.array(ids, np.int32),
        np.array(lengths, np.int64),
        list(kinds),
        np.array(kind, np.int16),
        plain,
    )


def read_corpus(corpus, cache):
    """All training texts of `corpus`; the parsed form is kept in the directory `cache`."""
    kept = Path(cache, f"corpus-{hash_corpus(corpus)[:16]}.npz")
    if kept.exists():
        return Corpus.load(kept)
    paths = list_files(corpus)
    largest_first = sorted(paths, key=lambda path: -path.stat().st_size)
    with Pool(2) as pool:
        parts = dict(zip(largest_first, pool.imap(_read_file, largest_first, chunksize=1)))

    numbers, kinds, sources = {}, {}, []
    ids, lengths, text_source, a, b, source, kind = [], [], [], [], [], [], []
    texts = 0
    for path in paths:
        words, local, long, names, local_kind, plain = parts.pop(path)
        to_global = np.array([numbers.setdefault(w, len(numbers)) for w in words], np.int32)
        ids.append(to_global[local])
        lengths.append(long)
        text_source.append(np.full(len(long), len(sources), np.int16))
        if not plain:
            first = texts + 2 * np.arange(len(local_kind), dtype=np.int64)
            a.append(first)
            b.append(first + 1)
            source.append(np.full(len(first), len(sources), np.int16))
            to_kind = np.array([kinds.setdefault(k, len(kinds)) for k in names], np.int16)
            kind.append(to_kind[local_kind])
        sources.append(path.name.split(".jsonl")[0].split(".txt")[0])
        texts += len(long)
    read = Corpus(
        words=list(numbers),
        ids=np.concatenate(ids),
        starts=np.concatenate([[0], np.cumsum(np.concatenate(lengths))]),
        text_source=np.concatenate(text_source),
        a=np.concatenate(a),
        b=np.concatenate(b),
        source=np.concatenate(source),
        kind=np.concatenate(kind),
        sources=sources,
        kinds=list(kinds),
    )
    Path(cache).mkdir(parents=True, exist_ok=True)
    read.save(kept)
    return read


def hash_windows(ids, starts, size):
    """One 64-bit number per window of `size` ids that lies within one text, and that text's index."""
    count = len(ids) - size + 1
    if count <= 0:
        return np.zeros(0, np.uint64), np.zeros(0, np.int64)
    mixed = np.zeros(count, np.uint64)
    for offset in range(size):
        mixed = mixed * np.uint64(0x9E3779B97F4A7C15) + ids[offset : offset + count].astype(np.uint64)
    text = np.repeat(np.arange(len(starts) - 1), np.diff(starts))[:count]
    whole = np.arange(count) + size <= starts[text + 1]
    return mixed[whole], text[whole]


def select_permissive(corpus, window=6):
    """
    (texts, pairs): masks of what remains when the share-alike sources are left out. A pair of a derived
    file stays only when its kind does not name such a source and neither side shares a run of `window`
    words with one; sentences with substitutions must be long enough to tell.
    """
    tainted_sources = [i for i, name in enumerate(corpus.sources) if name in SHARE_ALIKE]
    texts = ~np.isin(corpus.text_source, tainted_sources)
    derived_sources = [i for i, name in enumerate(corpus.sources) if name in DERIVED]
    derived = np.isin(corpus.text_source, derived_sources)
    hashes, owner = hash_windows(corpus.ids, corpus.starts, window)
    tainted = np.unique(hashes[~texts[owner]])
    check = derived[owner]
    hit = np.isin(hashes[check], tainted)
    texts[owner[check][hit]] = False
    named = [i for i, name in enumerate(corpus.kinds) if name.startswith("pq_") and name[3:] in SHARE_ALIKE]
    brief = np.diff(corpus.starts)[corpus.b] < window
    untraceable = brief & (corpus.kind == (corpus.kinds.index("lexsub") if "lexsub" in corpus.kinds else -1))
    pairs = texts[corpus.a] & texts[corpus.b] & ~np.isin(corpus.kind, named) & ~untraceable
    paired = np.zeros(len(texts), bool)
    paired[corpus.a[pairs]] = paired[corpus.b[pairs]] = True
    return np.where(derived, paired, texts), pairs
