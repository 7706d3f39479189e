"""
Texts to unit vectors, by the teacher or student in torch or by a written file in onnxruntime, in batches of like
length. Refuses to know what the vectors are measured by.
"""

from types import SimpleNamespace

import numpy as np
import torch

from bert import WIDTH
from corpus import split_pieces
from encoder.batches import gather
from encoder.export import open_session, run_session


class Embedder:
    """`run` maps (ids, mask or None), torch tensors [texts, length], to unit vectors [texts, WIDTH]."""

    def __init__(self, tokenizer, run, batch=32):
        self.tokenizer = tokenizer
        self.run = run
        self.batch = batch

    @classmethod
    def of_model(cls, tokenizer, model, **options):
        """By a model in torch; `options` are those of `Bert.embed`."""

        def run(ids, mask):
            with torch.no_grad():
                return model.embed(ids, mask, **options).float().cpu().numpy()

        return cls(tokenizer, run)

    @classmethod
    def of_files(cls, tokenizer, directory):
        """By a written model, in onnxruntime."""
        session = open_session(directory)

        def run(ids, mask):
            there = np.ones(ids.shape, np.int64) if mask is None else mask.numpy()
            return run_session(session, ids.numpy(), there)

        return cls(tokenizer, run)

    def embed_numbers(self, corpus, numbers):
        """Unit vectors [texts, WIDTH] of texts of a corpus by number."""
        vectors = np.zeros((len(numbers), WIDTH), np.float32)
        order = np.argsort(corpus.lengths[numbers], kind="stable")
        for first in range(0, len(order), self.batch):
            rows = order[first : first + self.batch]
            vectors[rows] = self.run(*gather(corpus, np.asarray(numbers)[rows]))
        return vectors

    def __call__(self, texts):
        """Unit vectors [texts, WIDTH] of a list of strings."""
        pieces, starts = split_pieces(self.tokenizer, texts)
        read = SimpleNamespace(pieces=pieces, starts=starts, lengths=np.diff(starts))
        return self.embed_numbers(read, np.arange(len(texts)))
