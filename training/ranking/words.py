"""
The words that a reader of English texts of this field knows, as a Bloom filter: models/words.bin. A word of a question
that is in it is no slip of the finger, however near it is to another.

    words.py PAIRS OUT      PAIRS: the folder of pairs/*.jsonl.gz (see training/README.md)

Layout, little-endian: magic (32 bits), number of hashes (32 bits), then the bits. A word's bits are
(h1 + i * h2) mod bits, h1 and h2 being FNV-1a of its UTF-16 code units from two bases.
"""

import gzip
import json
import math
import re
import sys
from collections import Counter
from pathlib import Path

MAGIC = 0x77726462
BITS_A_WORD = 12
HASHES = 8
MIN_COUNT = 3  # of a word that several sources have
MIN_COUNT_ALONE = 12  # of one that a single source has
SLIP = 40  # a word so many times rarer than one that a slip of the finger parts from it is that slip
WORD = re.compile(r"(?<![A-Za-z0-9_])[A-Za-z]{3,24}(?![A-Za-z0-9_])")
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def fnv(word, basis):
    value = basis
    for letter in word:
        value = ((value ^ ord(letter)) * 0x01000193) & 0xFFFFFFFF
    return value


def count_words(folder):
    """(occurrences, number of sources) of each word; queries made by machine are left out."""
    total, sources = Counter(), Counter()
    for path in sorted(Path(folder).glob("*.gz")):
        if path.name.startswith(("pseudoq", "lexicon", "wordnet_made")):
            continue
        own = Counter()
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                texts = json.loads(line) if path.name.endswith(".jsonl.gz") else {"b": line}
                for side in ("a", "b"):
                    own.update(word.lower() for word in WORD.findall(texts.get(side, "")))
        total += own
        # One family of files is one source: commits of one project and its pages misspell alike.
        sources.update(own.keys())
    return total, sources


def slips(word):
    """Spellings that fingers turn into `word`: two letters swapped, one doubled or not, one left out or put in."""
    found = set()
    for at in range(len(word)):
        found.add(word[:at] + word[at + 1 :])
        if at + 1 < len(word):
            found.add(word[:at] + word[at + 1] + word[at] + word[at + 2 :])
        for letter in LETTERS:
            if at > 0:
                found.add(word[:at] + letter + word[at:])
    found.discard(word)
    return found


ENDINGS = ("s", "d", "r", "n", "y", "e", "t")


def is_slip(word, total):
    """Whether a word is so rare beside a near spelling that it must be a slip of it; endings are no slips."""
    count = total[word]
    for other in slips(word):
        if total[other] < SLIP * count or len(other) < 4:
            continue
        longer, shorter = (word, other) if len(word) > len(other) else (other, word)
        if longer.startswith(shorter) and longer[len(shorter) :] in ENDINGS:
            continue
        return True
    return False


def main(folder, out):
    total, sources = count_words(folder)
    known = [
        word
        for word, count in total.items()
        if (count >= MIN_COUNT and sources[word] >= 2) or count >= MIN_COUNT_ALONE
    ]
    words = sorted(word for word in known if not (total[word] < 400 and is_slip(word, total)))
    size = 8 * math.ceil(BITS_A_WORD * len(words) / 8)
    bits = bytearray(size // 8)
    for word in words:
        first, second = fnv(word, 0x811C9DC5), fnv(word, 0x050C5D1F) | 1
        for turn in range(HASHES):
            place = (first + turn * second) % size
            bits[place >> 3] |= 1 << (place & 7)
    Path(out).write_bytes(MAGIC.to_bytes(4, "little") + HASHES.to_bytes(4, "little") + bytes(bits))
    print(f"{len(total)} words seen, {len(known)} often enough, {len(words)} kept, {len(bits)} bytes")
    return words


if __name__ == "__main__":
    kept = main(*sys.argv[1:3])
    if len(sys.argv) > 3:
        Path(sys.argv[3]).write_text("\n".join(kept), encoding="utf-8")
