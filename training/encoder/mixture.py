"""
Which texts and pairs the student learns from, and how many of each sort. Knows sources, kinds and shares; refuses to
know the model.
"""

import numpy as np

# Stage one: (start of the source's name, share of the texts); what a source lacks, the others do not make up for.
SHARES = (
    ("written", 0.0),
    ("asked", 0.0),
    ("commits_", 0.19),
    ("docs_", 0.19),
    ("pseudoq", 0.16),
    ("text_tatoeba", 0.04),
    ("text_extra", 0.06),
    ("masc", 0.04),
    ("reviews", 0.02),
    ("intents", 0.05),
    ("tldr", 0.05),
    ("qmsum", 0.03),
    ("medquad", 0.03),
    ("openstax_", 0.02),
    ("docstr_", 0.02),
    ("lexicon", 0.03),
    ("wordnet", 0.05),
    ("ppdb", 0.01),
    ("judge", 0.02),
    ("relations", 0.02),
    ("", 0.02),
)

# Stage three, the same: what was written for this project first, notes as brains hold them, and whole sentences.
FURTHER = (
    ("written", 0.3),
    ("pseudoq", 0.125),
    ("commits_", 0.094),
    ("docs_", 0.094),
    ("wordnet", 0.063),
    ("masc", 0.048),
    ("text_extra", 0.041),
    ("lexicon", 0.031),
    ("intents", 0.031),
    ("tldr", 0.031),
    ("medquad", 0.023),
    ("qmsum", 0.023),
    ("openstax_", 0.023),
    ("text_tatoeba", 0.014),
    ("judge", 0.013),
    ("docstr_", 0.013),
    ("reviews", 0.012),
    ("recipes", 0.006),
    ("relations", 0.006),
    ("tatoeba_pivot", 0.005),
    ("templates", 0.005),
    ("reno_", 0.005),
    ("", 0.0),
)

# Stage two: (group, start of the source's name, kinds, share of the pairs). Neighbouring sentences and single words
# are left out: of those the teacher knows more than the pairs do.
GROUPS = (
    ("commits", "commits_", ("subj-body", "subj-body2", "ict"), 0.26),
    ("docs", "docs_", ("head-para", "ict", "item"), 0.22),
    ("questions", "pseudoq", (), 0.22),
    ("commands", "tldr", ("desc-cmd", "ex-desc", "cmd-desc"), 0.08),
    ("answers", "medquad", ("qa", "qa2"), 0.05),
    ("intents", "intents", ("same-intent", "intent-name"), 0.05),
    ("meetings", "qmsum", ("query-turn", "query-answer"), 0.03),
    ("docstrings", "docstr_", ("name-doc",), 0.03),
    ("books", "openstax_", ("head-para", "glossary", "ict"), 0.02),
    ("releases", "reno_", ("slug-note",), 0.02),
    ("sentences", "tatoeba_pivot", ("para",), 0.02),
)

# Stage six: shares of the pairs by those groups in which the model has to know more than its teacher does.
SHARES_AGAIN = {"docs": 0.4, "commands": 0.25, "commits": 0.2, "docstrings": 0.05, "answers": 0.05, "releases": 0.05}

HELD_OUT_PER = 100  # one text in so many is never an answer in training


def find_share(source, shares):
    """The number of the first row of `shares` that a source belongs to."""
    return next(row for row, (start, _) in enumerate(shares) if source.startswith(start))


def choose_texts(corpus, allowed, shares, count, seed, shortest=2):
    """Numbers of about `count` of the allowed texts, drawn at random within each row of `shares`."""
    generator = np.random.default_rng(seed)
    row_of_source = np.array([find_share(source, shares) for source in corpus.sources])
    usable = allowed & (corpus.lengths >= shortest)
    chosen = []
    for row, (_, share) in enumerate(shares):
        mine = np.flatnonzero(usable & (row_of_source[corpus.text_source] == row))
        chosen.append(generator.permutation(mine)[: round(share * count)])
    return np.concatenate(chosen)


def is_held_out(texts):
    """Mask of the text numbers that are held out as answers."""
    return (np.asarray(texts, np.uint64) * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(33)) % np.uint64(
        HELD_OUT_PER
    ) == 0


def cap_repeats(texts, limit, generator):
    """Mask of entries such that no text number remains more than `limit` times, drawn at random."""
    order = generator.permutation(len(texts))
    ranked = order[np.argsort(texts[order], kind="stable")]
    ordered = texts[ranked]
    first = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    place = np.arange(len(ranked))
    kept = np.zeros(len(texts), bool)
    kept[ranked] = place - np.maximum.accumulate(np.where(first, place, 0)) < limit
    return kept


def group_pairs(corpus, allowed, seed, longest=96, repeats=3):
    """
    {group: (pair numbers to train on, pair numbers held out)}; both texts have 3 to `longest` pieces, and no text
    stands on one side more than `repeats` times.
    """
    generator = np.random.default_rng(seed)
    fits = (corpus.lengths >= 3) & (corpus.lengths <= longest)
    usable = allowed & fits[corpus.a] & fits[corpus.b] & (corpus.a != corpus.b)
    groups = {}
    for name, start, kinds, _ in GROUPS:
        sources = [i for i, source in enumerate(corpus.sources) if source.startswith(start)]
        wanted = [i for i, kind in enumerate(corpus.kinds) if not kinds or kind in kinds]
        mine = np.flatnonzero(usable & np.isin(corpus.source, sources) & np.isin(corpus.kind, wanted))
        for side in (corpus.a, corpus.b):
            mine = mine[cap_repeats(side[mine], repeats, generator)]
        out = is_held_out(corpus.b[mine])
        groups[name] = (mine[~out], mine[out])
    return groups


def choose_pairs(groups, count, seed, shares=None):
    """Per group the pair numbers to train on, about `count` in all in the proportions of GROUPS, or {group: share}."""
    generator = np.random.default_rng(seed)
    shares = shares or {name: share for name, _, _, share in GROUPS}
    drawn = {name: generator.permutation(groups[name][0])[: round(share * count)] for name, share in shares.items()}
    return [pairs for pairs in drawn.values() if len(pairs)]
