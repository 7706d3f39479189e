"""
Subjects of commits and commands out of the training texts, for plans that nobody has labelled: a JSON list of texts.

    python everyday.py OUT.json
"""

import gzip
import json
import random
import sys
from pathlib import Path

from paths import SHARED

PAIRS = SHARED / "embedder" / "pairs"
PER_REPOSITORY, COMMANDS = 700, 6000


def read(path: Path) -> list[dict]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def main() -> None:
    chance = random.Random(5)
    out = []
    for path in sorted(PAIRS.glob("commits_*.jsonl.gz")):
        own = sorted({line["a"] for line in read(path) if line["k"] == "subj-body" and 8 < len(line["a"]) < 90})
        out += chance.sample(own, min(PER_REPOSITORY, len(own)))
    commands = {line["b"] for line in read(PAIRS / "tldr.jsonl.gz") if line["k"] == "desc-cmd"}
    # The tool's name stands before each command.
    told = sorted(command.split(" ", 1)[-1] for command in commands if len(command) < 110)
    out += chance.sample(told, min(COMMANDS, len(told)))
    Path(sys.argv[1]).write_text(json.dumps(out, ensure_ascii=False), encoding="utf-8")
    print(len(out))


if __name__ == "__main__":
    main()
