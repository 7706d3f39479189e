"""
A made-up corpus of two topics and one development question, for the tests: enough to run every step, too little to learn.
"""

import gzip
import json
import random
from pathlib import Path

TOPICS = {
    "docs_cargo": "build package registry crate compile workspace version feature".split(),
    "commits_curl_curl": "socket handshake header cookie proxy timeout resolver transfer".split(),
}
SHARED = "docs_owasp"  # its licence asks to share alike
ASKED = "the cat of the old lighthouse keeper sleeps on the blue chair near the stove"


def write_lines(path, values):
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(value) + "\n" for value in values)


def write_corpus(directory, pairs=80, seed=1):
    """Writes `pairs/` and `dev/` below `directory`/embedder and returns that path."""
    draw = random.Random(seed)
    corpus = Path(directory, "embedder")

    def sentence(words, length):
        return " ".join(draw.choice(words) for _ in range(length))

    for name, words in TOPICS.items():
        kind = "head-para" if name.startswith("docs") else "subj-body"
        made = [{"k": kind, "a": sentence(words, 4), "b": sentence(words, draw.randint(5, 12))} for _ in range(pairs)]
        write_lines(corpus / "pairs" / f"{name}.jsonl.gz", made)
    tainted = "never store the password of a user in plain text"
    write_lines(corpus / "pairs" / f"{SHARED}.jsonl.gz", [{"k": "head-para", "a": "passwords", "b": tainted}])
    derived = [
        {"k": "pq_docs", "a": "keep secrets how", "b": f"you should {tainted} file"},
        {"k": "pq_docs", "a": "crates how", "b": "the registry keeps every version of every crate for ever"},
        {"k": "pq_docs", "a": "animal where", "b": f"we know that {ASKED}"},
    ]
    write_lines(corpus / "pairs" / "pseudoq.jsonl.gz", derived)
    rows = [f"|{name}|somewhere|MIT|1|1|1|" for name in TOPICS] + ["|pseudoq|here|as sources|1|1|1|"]
    (corpus / "pairs" / "LICENSES.md").write_text("\n".join([*rows, f"|{SHARED}|there|CC BY-SA 4.0|1|1|1|"]))
    notes = {"queries": ["whose pet is it"], "notes": [ASKED], "distractors": ["a bus"]}
    write_lines(corpus / "dev" / "sts.jsonl.gz", [{"set": "x", "score": 1, "a": "a b", "b": "c d"}])
    (corpus / "dev" / "notes.json").write_text(json.dumps(notes))
    (Path(directory) / "dev").mkdir()
    for name in ("mixed.json", "assess.json", "assess-side.json"):
        (Path(directory) / "dev" / name).write_text(json.dumps({"notes": [], "queries": []}))
    return corpus
