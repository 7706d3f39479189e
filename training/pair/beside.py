"""
Plans that fall under a warning beside another warning that the encoder finds near to them: what cosines alone mistake.

    python beside.py OUT.jsonl written.jsonl ...

One such warning for every other plan: three for each taught that few words in common mean "no". Every line is {"flag", "plan", "label", "kind"}.
"""

import json
import random
import sys
from pathlib import Path

from brains import batch_of, nearest_of

# Of so many nearest one is drawn: the very nearest may be meant as well.
NEAR = 6


def main() -> None:
    chance = random.Random(7)
    sets = [batch_of(path) for path in sys.argv[2:]]
    for one in sets:
        rows = [row for row, own in enumerate(one["own"]) if own >= 0 and chance.random() < 0.5]
        one["plans"], one["own"] = [one["plans"][row] for row in rows], one["own"][rows]
    out = []
    for one, near in zip(sets, nearest_of(sets, NEAR + 1)):
        for plan, own, flags in zip(one["plans"], one["own"], near):
            flag = chance.choice([flag for flag in flags if flag != own][:NEAR])
            out.append({"flag": one["flags"][flag], "plan": plan, "label": 0, "kind": "beside"})
    Path(sys.argv[1]).write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in out))
    print(len(out))


if __name__ == "__main__":
    main()
