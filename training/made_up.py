"""A tiny corpus for the tests: two topics, so that a model trained on it has something to tell apart."""

import gzip
import json
import random
from pathlib import Path

TOPICS = (
    ("rain snow storm cloud wind", "weather is grey and wet outside today"),
    ("server disk memory process crash", "machine stopped working during the night"),
)
LICENCES = """
|file|source|licence|pairs mined|pairs kept|gz bytes|
|---|---|---|---|---|---|
|commits_made_up|made up|MIT|200|200|1|
|topicalchat|made up|CDLA-Sharing-1.0|2|2|1|
|pseudoq|made up|as sources|4|4|1|
"""


def write_pairs(path, pairs):
    with gzip.open(path, "wt", encoding="utf-8") as out:
        for kind, a, b in pairs:
            out.write(json.dumps({"k": kind, "a": a, "b": b}) + "\n")


def write_corpus(directory):
    """Writes pairs/ below `directory`."""
    folder = Path(directory, "pairs")
    folder.mkdir()
    chance = random.Random(1)
    pairs = []
    for _ in range(200):
        question, answer = (side.split() for side in chance.choice(TOPICS))
        pairs.append(
            ("subj-body", " ".join(chance.sample(question, 3)), " ".join(chance.sample(answer, 5)))
        )
    write_pairs(folder / "commits_made_up.jsonl.gz", pairs)
    shared = "a sentence that only the shared source has ever said aloud"
    write_pairs(folder / "topicalchat.jsonl.gz", [("turn", shared, "and another one of seven words here")])
    write_pairs(
        folder / "pseudoq.jsonl.gz",
        [
            ("pq_topicalchat", "who said words", "something nobody else has ever said before"),
            ("pq_docs", "what was said aloud", f"note: {shared}"),
            ("pq_docs", "what stopped", "the machine in the corner stopped again last night"),
        ],
    )
    (folder / "LICENSES.md").write_text(LICENCES, encoding="utf-8")
