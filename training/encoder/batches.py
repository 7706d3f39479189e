"""
What one step sees: batches of texts, or of pairs of texts, of like length. A batch is a tuple of sides, each an
array of text numbers; refuses to know what is done with it.
"""

import numpy as np
import torch

from corpus import CLS, LONGEST, SEP


def cut_batches(lengths, items, size, generator):
    """Runs of items of like length, in random order; items of more than 64 pieces make smaller batches."""
    mixed = generator.permutation(items)
    ordered = mixed[np.argsort(lengths[mixed], kind="stable")]
    batches, first = [], 0
    while first < len(ordered):
        long = lengths[ordered[min(first + size, len(ordered)) - 1]]
        count = size if long <= 64 else size // 2 if long <= 128 else size // 4
        batches.append(ordered[first : first + count])
        first += count
    return batches


def plan_texts(corpus, chosen, size, seed):
    """Batches of one side: each of the `chosen` texts once."""
    generator = np.random.default_rng(seed)
    batches = cut_batches(corpus.lengths, chosen, size, generator)
    return [(batches[i],) for i in generator.permutation(len(batches))]


def plan_pairs(corpus, groups, size, seed):
    """
    Batches of two sides, question and answer, each from one group of pairs (a list of arrays of pair numbers), so
    that the other answers of a batch are near misses; answers are of like length.
    """
    generator = np.random.default_rng(seed)
    batches = []
    for group in groups:
        lengths = np.zeros(int(group.max()) + 1, np.int64)
        lengths[group] = corpus.lengths[corpus.b[group]]
        batches += [cut for cut in cut_batches(lengths, group, size, generator) if len(cut) >= size // 4]
    return [(corpus.a[batches[i]], corpus.b[batches[i]]) for i in generator.permutation(len(batches))]


def gather(corpus, texts, longest=LONGEST):
    """(ids, mask or None) of texts with [CLS] and [SEP], cut at `longest` pieces; no mask when all are as long."""
    lengths = np.minimum(corpus.lengths[texts], longest)
    ids = np.zeros((len(texts), int(lengths.max()) + 2), np.int64)
    ids[:, 0] = CLS
    for row, (text, length) in enumerate(zip(texts, lengths)):
        start = corpus.starts[text]
        ids[row, 1 : length + 1] = corpus.pieces[start : start + length]
        ids[row, length + 1] = SEP
    mask, device = None, torch.get_default_device()
    if lengths.min() < lengths.max():
        mask = torch.from_numpy(np.arange(ids.shape[1]) < (lengths + 2)[:, None]).to(device)
    return torch.from_numpy(ids).to(device), mask
