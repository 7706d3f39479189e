"""
The training texts: which files there are, what each may be used for, and their word pieces as numbers.
Knows file formats, licences and overlaps; refuses to know the model.
"""

import gzip
import hashlib
import json
import re
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

HERE = Path(__file__).resolve().parent
RANKING = ("apart", "changes", "conversations", "hands", "questions", "updates")

# Where the texts lie beside a checkout; they are no part of the repository.
DEFAULT = HERE.parents[1] / "shared" / "embedder"

LONGEST = 254  # pieces kept of one text; with [CLS] and [SEP] the model's 256 positions
CLS, SEP = 101, 102

# Sources whose licence asks that what is built from them be shared alike (CC BY-SA, CDLA-Sharing).
# Of rails only the guides are; its commit messages are MIT.
SHARE_ALIKE = frozenset(
    """awesome_selfhosted commits_OWASP_CheatSheetSeries commits_awesome-selfhosted_awesome-selfhosted
    commits_redis_redis-doc docs_fccguides docs_owasp docs_rails docs_redis dstc8 opentrivia
    topicalchat xquad_qed""".split()
)

# Files whose texts were taken from the other sources, and so carry those sources' licences.
DERIVED = ("pseudoq", "lexicon")

OWN = ("judge", "relations")

TEXT_LICENCES = {
    "text_extra_text": ("inaugural and state-of-the-union addresses, from nltk_data", "public domain"),
    "text_extra_text2": (
        "MASC; product reviews, sentence polarity and subjectivity, from nltk_data",
        "free incl. commercial development; CC BY 4.0",
    ),
    "text_tatoeba_eng": ("Tatoeba, English sentences", "CC BY 2.0 FR"),
    "judge": ("flags and plans written for this project", "own"),
    "relations": ("pairs of notes written for this project", "own"),
    "asked": ("`training/encoder/asked`: notes, and questions that they answer", "own"),
    "written": ("`training/night` and `training/pair/written`, without what measures", "own"),
}


@dataclass
class Corpus:
    """
    Unique texts as piece numbers without [CLS] and [SEP]: text t is `pieces[starts[t]:starts[t + 1]]`, and
    `text_source[t]` the first source that has it. Pair i joins the texts `a[i]` and `b[i]`; `source[i]` and
    `kind[i]` number `sources` and `kinds`.
    """

    pieces: np.ndarray
    starts: np.ndarray
    text_source: np.ndarray
    a: np.ndarray
    b: np.ndarray
    source: np.ndarray
    kind: np.ndarray
    sources: list
    kinds: list

    @property
    def lengths(self):
        return np.diff(self.starts)

    def save(self, path):
        names = ("pieces", "starts", "text_source", "a", "b", "source", "kind")
        np.savez(path, **{name: getattr(self, name) for name in names})
        Path(f"{path}.json").write_text(json.dumps({"sources": self.sources, "kinds": self.kinds}), encoding="utf-8")

    @classmethod
    def load(cls, path):
        lists = json.loads(Path(f"{path}.json").read_text(encoding="utf-8"))
        with np.load(path) as arrays:
            return cls(**lists, **{name: arrays[name] for name in arrays.files})


def list_files(corpus):
    """The pair and text files below `corpus`, then our own pairs beside it; FileNotFoundError when there are none."""
    files = sorted(Path(corpus, "pairs").glob("*.gz"))
    if not files:
        raise FileNotFoundError(f"no training texts (pairs/*.gz) in {corpus}")
    for name in OWN:
        files += sorted(Path(corpus, "..", "dev", name).glob("*.jsonl"))
    return files


def name_source(path):
    """The source a training file belongs to, as the licences name it."""
    return path.parent.name if path.parent.name in OWN else path.name.split(".jsonl")[0].split(".txt")[0]


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


def read_lines(path):
    """The values of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def read_file(path):
    """(kind, texts) of each line: two texts of a pair, or one of a plain file."""
    if path.name.endswith(".txt.gz"):
        with gzip.open(path, "rt", encoding="utf-8-sig") as lines:
            for line in lines:
                words = line.split()
                for start in range(0, len(words), 120):
                    yield "text", (" ".join(words[start : start + 120]),)
    elif path.name.endswith(".gz"):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                pair = json.loads(line)
                yield pair["k"], (pair["a"], pair["b"])
    else:
        for pair in read_lines(path):
            if "flag" in pair:
                yield "own", (pair["flag"], pair["plan"])
            else:
                yield "own", (pair["older"], pair["newer"])


def load_tokenizer(directory):
    """The teacher's tokenizer, without padding, truncation or special pieces."""
    tokenizer = Tokenizer.from_file(str(Path(directory, "tokenizer.json")))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def split_pieces(tokenizer, texts, longest=LONGEST):
    """(pieces uint16, starts int64) of a list of texts, each cut at `longest`, without special pieces."""
    parts, lengths = [], []
    for first in range(0, len(texts), 4096):
        encoded = tokenizer.encode_batch_fast(texts[first : first + 4096], add_special_tokens=False)
        ids = [one.ids[:longest] for one in encoded]
        lengths += map(len, ids)
        parts.append(np.fromiter((piece for one in ids for piece in one), np.uint16))
    starts = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    return np.concatenate(parts) if parts else np.zeros(0, np.uint16), starts


def read_corpus(corpus, tokenizer, cache):
    """All training texts of `corpus`; the parsed form is kept in the directory `cache`."""
    kept = Path(cache, f"pieces-{hash_corpus(corpus)[:16]}.npz")
    if kept.exists():
        return Corpus.load(kept)
    numbers, kinds, sources = {}, {}, []
    text_source, a, b, source, kind = [], [], [], [], []
    for path in list_files(corpus):
        name = name_source(path)
        if name not in sources:
            sources.append(name)
        here = sources.index(name)
        for kind_name, texts in read_file(path):
            texts = [text.strip() for text in texts]
            if not all(texts):
                continue
            own = []
            for text in texts:
                number = numbers.setdefault(text, len(numbers))
                if number == len(text_source):
                    text_source.append(here)
                own.append(number)
            if len(own) == 2:
                a.append(own[0])
                b.append(own[1])
                source.append(here)
                kind.append(kinds.setdefault(kind_name, len(kinds)))
    pieces, starts = split_pieces(tokenizer, list(numbers))
    read = Corpus(
        pieces=pieces,
        starts=starts,
        text_source=np.array(text_source, np.int16),
        a=np.array(a, np.int64),
        b=np.array(b, np.int64),
        source=np.array(source, np.int16),
        kind=np.array(kind, np.int16),
        sources=sources,
        kinds=list(kinds),
    )
    Path(cache).mkdir(parents=True, exist_ok=True)
    read.save(kept)
    return read


def add_texts(corpus, tokenizer, source, texts):
    """A Corpus that has `texts` besides, in no pair, as those of a new source; what it has already stays its own."""
    pieces, starts = split_pieces(tokenizer, texts)
    return replace(
        corpus,
        pieces=np.concatenate([corpus.pieces, pieces]),
        starts=np.concatenate([corpus.starts, corpus.starts[-1] + starts[1:]]),
        text_source=np.concatenate([corpus.text_source, np.full(len(texts), len(corpus.sources), np.int16)]),
        sources=[*corpus.sources, source],
    )


def join_words(pieces, starts, continues):
    """(one 64-bit number per whole word, starts of the texts in words); `continues[p]` is true for `##` pieces."""
    first = np.ones(len(pieces), bool)
    first[1:] = ~continues[pieces[1:]]
    first[starts[:-1][starts[:-1] < len(pieces)]] = True
    word = np.cumsum(first) - 1
    begin = np.flatnonzero(first)
    place = np.arange(len(pieces)) - begin[word]
    mixed = (pieces.astype(np.uint64) + np.uint64(7)) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    mixed *= place.astype(np.uint64) * np.uint64(0xBF58476D1CE4E5B9) + np.uint64(0x94D049BB133111EB)
    words = np.add.reduceat(mixed, begin) if len(begin) else mixed
    words_before = np.concatenate([[0], np.cumsum(first)])
    return words, words_before[starts]


def hash_windows(words, starts, size):
    """One 64-bit number per window of `size` words that lies within one text, and that text's index."""
    count = len(words) - size + 1
    if count <= 0:
        return np.zeros(0, np.uint64), np.zeros(0, np.int64)
    mixed = np.zeros(count, np.uint64)
    for offset in range(size):
        mixed = mixed * np.uint64(0x9E3779B97F4A7C15) + words[offset : offset + count]
    text = np.repeat(np.arange(len(starts) - 1), np.diff(starts))[:count]
    whole = np.arange(count) + size <= starts[text + 1]
    return mixed[whole], text[whole]


def select_permissive(corpus, continues, window=6):
    """
    (texts, pairs): masks of what remains when the share-alike sources are left out. A pair of a derived
    file stays only when its kind does not name such a source and neither side shares a run of `window`
    words with one; sentences with substitutions must be long enough to tell.
    """
    words, starts = join_words(corpus.pieces, corpus.starts, continues)
    tainted_sources = [i for i, name in enumerate(corpus.sources) if name in SHARE_ALIKE]
    from_pairs = np.isin(corpus.source, tainted_sources)
    tainted_text = np.isin(corpus.text_source, tainted_sources)
    tainted_text[corpus.a[from_pairs]] = tainted_text[corpus.b[from_pairs]] = True
    texts = ~tainted_text
    derived = np.isin(corpus.text_source, [i for i, name in enumerate(corpus.sources) if name in DERIVED])
    hashes, owner = hash_windows(words, starts, window)
    tainted = np.unique(hashes[~texts[owner]])
    check = derived[owner]
    hit = np.isin(hashes[check], tainted)
    texts[owner[check][hit]] = False
    named = [i for i, name in enumerate(corpus.kinds) if name.startswith("pq_") and name[3:] in SHARE_ALIKE]
    brief = np.diff(starts)[corpus.b] < window
    untraceable = brief & (corpus.kind == (corpus.kinds.index("lexsub") if "lexsub" in corpus.kinds else -1))
    pairs = texts[corpus.a] & texts[corpus.b] & ~np.isin(corpus.kind, named) & ~untraceable
    paired = np.zeros(len(texts), bool)
    paired[corpus.a[pairs]] = paired[corpus.b[pairs]] = True
    return np.where(derived, paired, texts), pairs


def read_strings(value):
    """Every string inside a parsed JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from read_strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from read_strings(inner)


def read_development(corpus):
    """Every text of the development sets and of the sets that ranking is fitted to and measured by: never trained on, not even in part."""
    dev = Path(corpus, "..", "dev")
    files = [dev / "mixed.json", dev / "assess.json", dev / "assess-side.json", *sorted((dev / "dreams").glob("*"))]
    files += sorted(Path(corpus, "dev").glob("*"))
    files += [path for name in RANKING for path in sorted((HERE / "ranking" / name).glob("*.jsonl"))]
    texts = []
    for path in files:
        content = gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8")
        with content as opened:
            text = opened.read()
        values = [json.loads(text)] if path.suffix == ".json" else [json.loads(x) for x in text.splitlines() if x]
        texts += [string for string in read_strings(values) if " " in string]
    return texts


def overlap_development(corpus, development, continues, window=8):
    """Mask of the texts that share a run of `window` words with a text of `development` (pieces, starts)."""
    seen, _ = hash_windows(*join_words(*development, continues), window)
    hashes, owner = hash_windows(*join_words(corpus.pieces, corpus.starts, continues), window)
    found = np.zeros(len(corpus.starts) - 1, bool)
    found[owner[np.isin(hashes, seen)]] = True
    return found


def select_trainable(corpus, tokenizer, directory):
    """(texts, pairs): masks of what is permissive and shares no run of eight words with a development set."""
    continues = np.zeros(tokenizer.get_vocab_size(), bool)
    for piece, number in tokenizer.get_vocab().items():
        continues[number] = piece.startswith("##")
    texts, pairs = select_permissive(corpus, continues)
    development = split_pieces(tokenizer, read_development(directory))
    found = overlap_development(corpus, development, continues)
    return texts & ~found, pairs & ~found[corpus.a] & ~found[corpus.b]
