"""
The notes, warnings and plans that were written for this project, without their labels. Knows where they lie; leaves out
what measures: those are never trained on.
"""

from pathlib import Path

from corpus import read_lines, read_strings

TRAINING = Path(__file__).resolve().parent.parent
BRAINS = ("brains", "plain", "dense")
# Of brains and of files for the reader of the night by how their names begin; of pairs the files.
MEASURE = tuple(
    """buildcache busdepot cheesedairy editorplugin maptiles nightshelter paymentsapi ticketshop videocalls weatherapp laundry
    dnsteam taxidispatch aquarium datawarehouse laptopfleet lighthouse posterminal s1 s2 u1 v3 sequels-08 sequels-36 clashes-08""".split()
)
PAIRS = frozenset("three seven thirteen twenty thirtyfive fiftyone fiftytwo sixtyone".split())


def read_written(training=TRAINING):
    """Unique texts of two words and more, in the order of their files."""
    found = {}

    def add(texts):
        found.update((text.strip(), None) for text in texts if len(text.split()) >= 2)

    for folder in BRAINS:
        for path in sorted((training / "night" / folder).glob("*.jsonl")):
            if not path.stem.startswith(MEASURE):
                add(line["text"] for line in read_lines(path) if "text" in line)
    for path in sorted((training / "night" / "written").rglob("*.jsonl")):
        if not path.stem.startswith(MEASURE):
            add(text for text in read_strings(read_lines(path)) if len(text) > 20 and not text[:4].isdigit())
    for path in sorted((training / "pair" / "written").glob("*.jsonl")):
        if path.stem not in PAIRS:
            add(pair[side] for pair in read_lines(path) for side in ("flag", "plan"))
    return list(found)
