"""Where the pairs to train on are, and where checkpoints and what is computed once are kept."""

import os
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
SHARED = Path(os.environ.get("BRAIN_SHARED", ROOT.parent / "shared"))
WORK = Path(os.environ.get("BRAIN_WORK", ROOT / "training" / ".work" / "pair"))
# Batches of the judge's pairs.
LETTERS = "abcdefghijklmnopqr"
JUDGE, RELATIONS = SHARED / "dev" / "judge", SHARED / "dev" / "relations"
WRITTEN = Path(__file__).parent / "written"
