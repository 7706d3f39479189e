"""
A first table from what stands near what: positive pointwise mutual information (Levy and Goldberg 2014),
factored, then weighted by rarity (SIF, Arora et al. 2017). Knows counts; refuses to know pairs.
"""

import numpy as np
import scipy.sparse as sparse

WINDOW = 6
SUBSAMPLE = 1e-4
SMOOTHING = 0.75
RARITY = 1e-3
EVERYDAY_WEIGHT = 3.0

EVERYDAY = (
    "topicalchat", "dstc8", "qmsum", "masc", "intents", "opentrivia", "recipes", "reviews", "tatoeba_pivot",
    "templates", "openstax_", "text_", "xquad_qed",
)  # fmt: skip

# Sources whose two sides mean the same, so that both together make one short document.
JOINED = ("wordnet", "ppdb", "lexicon", "intents", "tatoeba_pivot")


def choose_documents(corpus, pieces, texts, pairs):
    """
    [(texts, weight)]: every distinct allowed text once, with its weight, and behind each other the two sides
    of every pair of a JOINED source.
    """
    joined_sources = [i for i, name in enumerate(corpus.sources) if name in JOINED]
    joined = pairs & np.isin(corpus.source, joined_sources)
    alone = texts & ~np.isin(corpus.text_source, joined_sources)
    everyday = np.array([name.startswith(EVERYDAY) for name in corpus.sources])
    index = np.flatnonzero(alone)
    _, first = np.unique(pieces.digest[index], return_index=True)
    index = np.sort(index[first])
    weight = np.where(everyday[corpus.text_source[index]], EVERYDAY_WEIGHT, 1.0)
    both = np.stack([corpus.a[joined], corpus.b[joined]], 1)
    _, first = np.unique(pieces.digest[both[:, 0]] ^ (pieces.digest[both[:, 1]] << np.uint64(1)), return_index=True)
    return [(index[:, None], weight), (both[np.sort(first)], np.ones(len(first)))]


def count_neighbours(pieces, documents, size, generator, batch=200_000):
    """(co-occurrence as a symmetric sparse matrix [size, size], frequency per row, summing to 1)."""
    frequency = np.zeros(size)
    for texts, _ in documents:
        frequency += np.bincount(pieces.gather(texts.ravel())[0], minlength=size)
    frequency /= frequency.sum()
    rarity = SUBSAMPLE / np.maximum(frequency, 1e-12)
    keep = np.minimum(1, np.sqrt(rarity) + rarity)
    keep[:2] = 0
    total = sparse.csr_matrix((size, size), dtype=np.float32)
    for texts, weight in documents:
        for begin in range(0, len(texts), batch):
            part = texts[begin : begin + batch]
            rows, lengths = pieces.gather(part.ravel())
            document = np.repeat(np.repeat(np.arange(len(part)), part.shape[1]), lengths)
            kept = generator.random(len(rows)) < keep[rows]
            rows, document = rows[kept], document[kept]
            mass = weight[begin : begin + batch][document]
            keys, values = [], []
            for distance in range(1, WINDOW + 1):
                same = document[distance:] == document[:-distance]
                left, right = rows[:-distance][same].astype(np.int64), rows[distance:][same].astype(np.int64)
                keys.append(np.minimum(left, right) * size + np.maximum(left, right))
                values.append((mass[:-distance][same] / distance).astype(np.float32))
            keys, values = np.concatenate(keys), np.concatenate(values)
            total = total + sparse.coo_matrix((values, (keys // size, keys % size)), (size, size)).tocsr()
    return (total + total.T).tocsr(), frequency


def take_mutual_information(counts):
    """Positive pointwise mutual information of a co-occurrence matrix, contexts smoothed."""
    matrix = counts.tocoo()
    row = np.asarray(counts.sum(1)).ravel()
    context = row**SMOOTHING
    context /= max(context.sum(), 1e-12)
    value = np.log(matrix.data / np.maximum(row[matrix.row] * context[matrix.col], 1e-12))
    positive = value > 0
    return sparse.coo_matrix(
        (value[positive].astype(np.float32), (matrix.row[positive], matrix.col[positive])), counts.shape
    ).tocsr()


def factor(matrix, dimensions, generator, oversample=32, rounds=2):
    """Left singular vectors times the square root of the values (Halko et al. 2011), [rows, dimensions]."""
    basis = generator.standard_normal((matrix.shape[1], dimensions + oversample)).astype(np.float32)
    basis = np.linalg.qr(matrix @ basis)[0]
    for _ in range(rounds):
        basis = np.linalg.qr(matrix.T @ basis)[0]
        basis = np.linalg.qr(matrix @ basis)[0]
    small = np.asarray((matrix.T @ basis).T)
    left, value, _ = np.linalg.svd(small, full_matrices=False)
    return (basis @ left[:, :dimensions]) * np.sqrt(value[:dimensions])


def initialise_table(corpus, pieces, texts, pairs, size, dimensions=256, seed=11):
    """Table [size, dimensions], float32: a row's direction says what it stands near, its length how rare it is."""
    generator = np.random.default_rng(seed)
    documents = choose_documents(corpus, pieces, texts, pairs)
    counts, frequency = count_neighbours(pieces, documents, size, generator)
    table = factor(take_mutual_information(counts), dimensions, generator)
    length = np.linalg.norm(table, axis=1, keepdims=True)
    unseen = length[:, 0] < 1e-9
    table[unseen] = generator.standard_normal((unseen.sum(), dimensions))
    table /= np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-9)
    table *= (RARITY / (RARITY + frequency))[:, None]
    direction = np.linalg.svd(table.T @ table)[0][:, :1]
    table -= table @ direction @ direction.T
    table[:2] = 0
    return table.astype(np.float32)
