"""
Raw similarity to relevance: what a store's gut-check may take for a likeness. The constants are fitted on the
development sets, against the bundled background of neutral notes.

x = 0.5 soft + 0.5 cosine - median of the same over the background; relevance = 1 / (1 + exp(-slope (x - centre)))
"""

import json
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from measure import read_graded, read_notes
from ranking import match_softly, weigh_pieces

SAME = 4.0  # grade from which a graded pair counts as related
# Unrelated pairs are the rule in a store: they weigh so much more than related ones in the fit.
ODDS = 3.0


def read_background(path):
    """The bundled neutral notes."""
    return json.loads(Path(path).read_text(encoding="utf-8"))


class Likeness:
    """Similarity of texts to questions above what the background gives the same question; range about -0.3..1."""

    def __init__(self, model, background):
        self.model = model
        self.vectors = model.embed(background)
        self.sets = [model.unique_pieces(text) for text in background]
        self.idf = weigh_pieces(self.sets, len(model.pieces))

    def score(self, vector, asked, vectors, sets):
        cosine = vectors @ vector
        soft = np.array([match_softly(self.model, asked, pieces, self.idf) for pieces in sets])
        return 0.5 * soft + 0.5 * cosine

    def compare(self, question, texts):
        """x of each text for the question."""
        vector, asked = self.model.embed([question])[0], self.model.unique_pieces(question)
        sets = [self.model.unique_pieces(text) for text in texts]
        usual = np.median(self.score(vector, asked, self.vectors, self.sets))
        return self.score(vector, asked, self.model.embed(texts), sets) - usual


def collect_likenesses(model, corpus, background, seed=3, most=1500):
    """{name: (x of related pairs, x of unrelated pairs)} on the notes and the graded pairs."""
    likeness = Likeness(model, background)
    questions, texts = read_notes(corpus)
    x = np.array([likeness.compare(question, texts) for question in questions])
    own = np.eye(len(questions), len(texts), dtype=bool)
    generator = np.random.default_rng(seed)
    same = [pair for pair in read_graded(corpus) if pair["score"] >= SAME]
    same = [same[i] for i in generator.permutation(len(same))[:most]]
    graded = np.array(
        [likeness.compare(pair["a"], [pair["b"], same[i - 1]["b"]]) for i, pair in enumerate(same)]
    )
    return {"notes": (x[own], x[~own]), "graded pairs": (graded[:, 0], graded[:, 1])}


def fit_relevance(likenesses):
    """(slope, centre) of the likeliest logistic curve; every set weighs the same, unrelated pairs ODDS-fold."""
    x, label, weight = [], [], []
    for related, unrelated in likenesses.values():
        for values, is_related in ((related, 1.0), (unrelated, 0.0)):
            x.append(values)
            label.append(np.full(len(values), is_related))
            weight.append(np.full(len(values), (1.0 if is_related else ODDS) / len(values)))
    x, label, weight = map(np.concatenate, (x, label, weight))

    def cost(parameters):
        z = parameters[0] * (x - parameters[1])
        return (weight * (np.logaddexp(0, z) - label * z)).sum()

    slope, centre = minimize(cost, [15.0, 0.2], method="Nelder-Mead", options={"xatol": 1e-4, "fatol": 1e-8}).x
    return round(float(slope), 1), round(float(centre), 3)


def relevance(x, slope, centre):
    """Relevance in 0..1 of likeness x."""
    return expit(slope * (x - centre))
