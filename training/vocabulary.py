"""
The WordPiece vocabulary: which words and pieces have a row of their own, and how a word falls into
them. Knows word counts per source; refuses to know meanings.
"""

import heapq
import string
from collections import Counter, defaultdict

import numpy as np

from words import split_words

SIZE = 32_000
WHOLE_WORDS = 27_000
PAD, UNKNOWN = 0, 1
LONGEST_WORD = 100  # characters; a longer word is unknown, as in BERT

# Signs that stick to words because Unicode counts them as symbols, not as punctuation.
SYMBOLS = "€£¥¢°©®™×÷±→←↑↓≤≥≠≈−µ½²³✓✅❌"


def weigh_words(corpus, texts):
    """
    One weight per word of the corpus: counts per source damped by the square root of the source's
    size, discounted to 0.15 when one source alone knows the word and to 0.5 when two do.
    """
    weight = np.zeros(len(corpus.words))
    known_in = np.zeros(len(corpus.words), np.int32)
    length = np.diff(corpus.starts)
    for source in range(len(corpus.sources)):
        mine = np.repeat(texts & (corpus.text_source == source), length)
        count = np.bincount(corpus.ids[mine], minlength=len(corpus.words))
        total = count.sum()
        if total:
            weight += count / np.sqrt(total)
            known_in += count > 0
    return weight * np.select([known_in == 1, known_in == 2], [0.15, 0.5], 1.0)


def is_wordlike(word):
    """Made of ASCII letters and digits only, so that a whole row is well spent on it."""
    return word.isascii() and word.isalnum() and len(word) <= 24


def choose_whole_words(words, weight, size=WHOLE_WORDS):
    """The `size` heaviest words; of numbers only years, those below 101 and the very frequent ones."""
    chosen = []
    for rank, index in enumerate(np.argsort(-weight, kind="stable")):
        word = words[index]
        if len(chosen) == size or not weight[index] > 0:
            break
        if not is_wordlike(word):
            continue
        if word.isdigit() and rank > 3000:
            plain = str(int(word)) == word
            if not plain or not (int(word) <= 100 or 1900 <= int(word) <= 2040):
                continue
        chosen.append(word)
    return chosen


def learn_pieces(words, counts, known, size):
    """
    Up to `size` pieces beyond the set `known`, by byte-pair merges on `words`, each weighted by the square
    root of its count. A piece inside a word starts with "##".
    """
    known = set(known)
    spelled = [[word[0]] + [f"##{letter}" for letter in word[1:]] for word in words]
    strength = np.sqrt(counts)
    weight, holders = Counter(), defaultdict(set)
    for index, pieces in enumerate(spelled):
        for pair in zip(pieces, pieces[1:]):
            weight[pair] += strength[index]
            holders[pair].add(index)
    queue = [(-value, pair) for pair, value in weight.items()]
    heapq.heapify(queue)
    learnt = []
    while queue and len(learnt) < size:
        value, pair = heapq.heappop(queue)
        if abs(-value - weight[pair]) > 1e-6:
            if weight[pair] > 1e-6:
                heapq.heappush(queue, (-weight[pair], pair))
            continue
        merged = pair[0] + pair[1][2:]
        if merged not in known:
            learnt.append(merged)
            known.add(merged)
        changed = set()
        for index in sorted(holders.pop(pair)):
            old = spelled[index]
            new, at = [], 0
            while at < len(old):
                if at + 1 < len(old) and (old[at], old[at + 1]) == pair:
                    new.append(merged)
                    at += 2
                else:
                    new.append(old[at])
                    at += 1
            if len(new) == len(old):
                continue
            for gone in zip(old, old[1:]):
                weight[gone] -= strength[index]
            for fresh in zip(new, new[1:]):
                weight[fresh] += strength[index]
                holders[fresh].add(index)
                changed.add(fresh)
            spelled[index] = new
        del weight[pair]
        for fresh in sorted(changed):
            heapq.heappush(queue, (-weight[fresh], fresh))
    return learnt


def build_vocabulary(corpus, texts, size=SIZE, whole_words=WHOLE_WORDS, sample=60_000):
    """
    Pieces in the order of their rows: "[PAD]", "[UNK]", single characters, whole words by weight, learnt
    pieces. Every printable ASCII character has a row, and every letter, digit and symbol also inside a word.
    """
    weight = weigh_words(corpus, texts)
    inner = string.ascii_lowercase + string.digits + SYMBOLS
    singles = [chr(point) for point in range(33, 127) if not chr(point).isupper()] + list(SYMBOLS)
    pieces = ["[PAD]", "[UNK]", *singles, *(f"##{letter}" for letter in inner)]
    known = set(pieces)
    for word in choose_whole_words(corpus.words, weight, whole_words):
        if word not in known:
            pieces.append(word)
            known.add(word)
    length = np.diff(corpus.starts)
    count = np.bincount(corpus.ids[np.repeat(texts, length)], minlength=len(corpus.words))
    rest = [
        index
        for index in np.argsort(-weight, kind="stable")[: 4 * sample]
        if corpus.words[index] not in known and is_wordlike(corpus.words[index]) and count[index] > 1
    ][:sample]
    rest_words = [corpus.words[index] for index in rest]
    pieces += learn_pieces(rest_words, count[rest], known, size - len(pieces))
    return pieces


def split_pieces(word, row):
    """Rows of the longest pieces, left to right (`row` maps piece to row); [UNKNOWN] if one is missing."""
    if len(word) > LONGEST_WORD:
        return [UNKNOWN]
    rows, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = word[start:end] if start == 0 else f"##{word[start:end]}"
            if piece in row:
                rows.append(row[piece])
                start = end
                break
        else:
            return [UNKNOWN]
    return rows


def tokenise(text, row):
    """Rows of the pieces of `text`, in order."""
    return [piece for word in split_words(text) for piece in split_pieces(word, row)]
