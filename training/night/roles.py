"""
What a note does in a diary, told by the encoder's vector and what the reader of the night makes of it alone: states a rule, a wish, a decision, asks, promises, tells of trouble.
Trains a head for it on what was written for that reader, and puts it into its file.

    python roles.py DIRECTORY --brains DIRECTORY,... [--hold NAME,...] [--folds 5]

DIRECTORY holds the reader's model.onnx; those of brains hold NAME.jsonl and answer-key.json. Files and brains whose names begin as --hold says are never learnt from; how well roles
are told in them, brain by brain, is printed. With --folds a copy of the model is put into DIRECTORY-0 and so on, each with a head that has not learnt from its fifth of the
brains: by these the tables are fitted, which would else trust roles as they are told of notes that were learnt from.
"""

import argparse
import base64
import hashlib
import json
import os
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from fit_odds import rows_of
from onnx import TensorProto, helper, numpy_helper
from start import restored
from train import REPLIES, WRITTEN, NightReader

sys.path.append(str(Path(__file__).parent.parent / "pair"))
from brains import run_product  # noqa: E402
from model import Head, Pieces, read_lines  # noqa: E402
from paths import ROOT  # noqa: E402

from bert import WIDTH  # noqa: E402

# What is planted in a brain counts so often: others' brains are what a night will read.
OFTEN = 6
WORK = Path(os.environ.get("BRAIN_WORK", ROOT / "training" / ".work" / "night"))
ROLES = (
    *("other", "rule", "wish", "decision", "fact", "breaks", "ignores", "reverses", "contradicts"),
    *("question", "promise", "unkept", "absence", "plan", "change", "trouble", "measure"),
)
# The role of an older note and of a newer one that stands to it in some way.
ENDS = {
    "rule": ("rule", "breaks"),
    "preference": ("wish", "ignores"),
    "reversal": ("decision", "reverses"),
    "contradiction": ("fact", "contradicts"),
    "question": ("question", "question"),
    "asks": ("question", "question"),
    "answers": ("question", "other"),
    "promise": ("promise", "unkept"),
    "unkept": ("promise", "unkept"),
    "kept": ("promise", "other"),
    "collision": ("absence", "plan"),
    "cause": ("change", "trouble"),
    "causes": ("change", "trouble"),
    "again": ("trouble", "trouble"),
    "broken-rule": ("rule", "breaks"),
    "forgotten": ("wish", "ignores"),
    "recurrence": ("trouble", "trouble"),
    "trend": ("measure", "measure"),
    "measure": ("measure", "measure"),
    "measures": ("measure", "measure"),
}
# Vectors are of length one: their numbers are brought to about the size that a layer begins with, those of states to twice that.
SCALE = torch.tensor([8.0] * WIDTH + [1.5] * WIDTH)
WIDE = 128


class Told:
    """Texts with their roles, and the file of each."""

    def __init__(self) -> None:
        self.roles: dict[tuple[str, str], str] = {}

    def add(self, text: str, role: str, source: str) -> None:
        self.roles.setdefault((text, role), source)

    def stand(self, older: str, newer: str, kind: str, source: str) -> None:
        for text, role in zip((older, newer), ENDS[kind]):
            self.add(text, role, source)

    def read_brain(self, path: Path, planted: list[dict], matters: dict[int, list[dict]]) -> None:
        """`matters` are those of its notes, where a night reads them in such, with what each does as far as is known."""
        notes = {line["id"]: line for line in read_lines(path) if "text" in line}
        roles: dict[int, str | None] = {}
        for item in planted:
            ids = sorted(set(item["memory_ids"]), key=lambda note: (notes[note]["created_at"], note))
            first, later = ENDS[item["kind"]]
            # Of one thing that comes each time after another only the second is trouble.
            sequel = item["kind"] == "recurrence" and len(ids) >= 6
            for at, note in enumerate(ids):
                roles.setdefault(note, None if sequel and at % 2 == 0 else later if at else first)
        for number, note in notes.items():
            role = roles.get(number, "other")
            if role is None:
                continue
            # Nobody has said in which of its matters a note does what it does: in the one that seems to do it most.
            parts = sorted(matters.get(number, []), key=lambda part: -part["features"][role])
            first, *others = [text for part in parts for text in part["texts"]] or [note["text"]]
            self.add(first, role, path.stem)
            for text in others:
                self.add(text, "other", path.stem)

    def read_item(self, item: dict, source: str, text=lambda note: note) -> None:
        older, newer = text(item["older"]), text(item["newer"])
        self.stand(older, newer, item["kind"], source)
        for note in [*item.get("near", []), *([item["twin"]] if "twin" in item else [])]:
            self.add(text(note), "other", source)
        for name, _ in REPLIES:
            if name in item:
                self.add(text(item[name]), "other", source)

    def read_series(self, item: dict, source: str, text=lambda note: note) -> None:
        first, later = ENDS[item["kind"]]
        for at, note in enumerate(item["notes"]):
            self.add(text(note), later if at else first, source)
        for note in item["near"]:
            self.add(text(note), "other", source)


def read_written() -> Told:
    """Everything that was written for the reader of the night. A file of what was written into a diary counts as that diary's."""
    told = Told()
    for path in sorted(WRITTEN.glob("*.jsonl")):
        for item in read_lines(path):
            told.read_item(item, path.stem)
    for path in sorted((WRITTEN / "series").glob("plain-*.jsonl")):
        for item in read_lines(path):
            told.read_series(item, path.stem)
    for path in sorted((WRITTEN / "diaries").glob("*.jsonl")):
        number, notes = path.stem.split("-")[1], read_lines(path)
        meant = set()

        def text(note, notes=notes, meant=meant) -> str:
            if isinstance(note, int):
                meant.add(note - 1)
                return notes[note - 1]["text"]
            return note["text"]

        for file in sorted((WRITTEN / "conflicts").glob(f"*-{number}*.jsonl")):
            for item in read_lines(file):
                told.read_item(item, path.stem, text)
        for file in sorted((WRITTEN / "series").glob(f"*-{number}*.jsonl")):
            for item in read_lines(file):
                told.read_series({**item, "notes": sorted(item["notes"], key=lambda note: note["day"])}, path.stem, text)
        for at, note in enumerate(notes):
            if at not in meant:
                told.add(note["text"], "other", path.stem)
    for path in sorted((WRITTEN / "brains").glob("*.jsonl")):
        lines = read_lines(path)
        notes = {line["id"]: line["text"] for line in lines if "text" in line}
        meant = set()
        for line in lines:
            if "pair" in line:
                older, newer = line["pair"]
                told.stand(notes[older], notes[newer], line["kind"], path.stem)
                meant |= {older, newer}
        for number, text_of_note in notes.items():
            if number not in meant:
                told.add(text_of_note, "other", path.stem)
    return told


def matters_of(folders: list[str], night: Path) -> dict[str, dict[int, list[dict]]]:
    """By brain and note the matters of brains of one author, as a night reads them, each with what it does by the head that `night` has: none where it has none yet."""
    alone = tuple(path.stem for folder in folders for path in Path(folder).glob("*.jsonl") if len({line["agent"] for line in read_lines(path) if "text" in line}) == 1)
    has_head = any(one.name.startswith("head.role") for one in onnx.load(night / "model.onnx").graph.initializer)
    rows: dict[str, dict[int, list[dict]]] = defaultdict(lambda: defaultdict(list))
    for row in rows_of(folders, str(night), alone, tables=("role",)) if alone and has_head else []:
        rows[row["brain"]][row["a"]].append(row)
    return rows


def kept_rows(name: str, texts: list[str], tell: Callable[[list[str]], np.ndarray]) -> np.ndarray:
    """What `tell` makes of texts, a row each, kept in a file of that name for the next time."""
    WORK.mkdir(parents=True, exist_ok=True)
    kept = WORK / f"{name}.npz"
    known: dict[str, np.ndarray] = {}
    if kept.exists():
        with np.load(kept) as file:
            known = dict(zip(json.loads(str(file["texts"])), file["rows"]))
    new = [text for text in dict.fromkeys(texts) if text not in known]
    if new:
        known |= dict(zip(new, tell(new)))
        np.savez(kept, texts=json.dumps(list(known)), rows=np.array(list(known.values())))
    return np.array([known[text] for text in texts])


def vectors_of(texts: list[str]) -> np.ndarray:
    """The encoder's vectors, [texts, WIDTH]."""
    (told,) = run_product(None, [{"flags": texts, "plans": []}], 0, vectors=True)
    return np.frombuffer(base64.b64decode(told["flagVectors"]), np.float32).reshape(len(texts), WIDTH)


@torch.no_grad()
def states_of(reader: NightReader, texts: list[str]) -> np.ndarray:
    """What a reader makes of each text alone: of `[CLS] text [SEP]` and another `[SEP]` that one's last state, [texts, WIDTH]."""
    pieces, rows = Pieces(), np.zeros((len(texts), WIDTH), np.float32)
    order = sorted(range(len(texts)), key=lambda at: len(pieces.of(texts[at])))
    for at in range(0, len(order), 128):
        own = order[at : at + 128]
        rows[own] = reader.pair.pooled(pieces.batch([(texts[one], "") for one in own])).float().numpy()
    return rows


def inputs_of(directory: Path, texts: list[str]) -> np.ndarray:
    """What the head takes of each text, [texts, 2 * WIDTH]."""
    reader = restored(directory, [1, 2, 3, 4, 5, 6], 0).eval()
    mark = hashlib.sha256(reader.night.hidden.weight.detach().numpy().tobytes()).hexdigest()[:12]
    return np.c_[kept_rows("role-vectors", texts, vectors_of), kept_rows(f"role-states-{mark}", texts, lambda new: states_of(reader, new))]


def learn_roles(inputs: torch.Tensor, roles: torch.Tensor) -> Head:
    """A head over what `inputs_of` tells, to a logit a role: six passes in steps of 256, the rate nearly halved after each."""
    torch.manual_seed(0)
    head = Head(WIDE, len(ROLES), 2 * WIDTH)
    optimiser = torch.optim.AdamW(head.parameters(), lr=2e-3, weight_decay=1e-2)
    for _ in range(6):
        for rows in torch.randperm(len(roles)).split(256):
            hidden = torch.tanh(head.hidden(F.dropout(SCALE * inputs[rows], 0.1)))
            optimiser.zero_grad()
            F.cross_entropy(head.out(F.dropout(hidden, 0.2)), roles[rows], label_smoothing=0.02).backward()
            optimiser.step()
        for group in optimiser.param_groups:
            group["lr"] *= 0.58
    with torch.no_grad():
        head.hidden.weight *= SCALE
    return head.eval()


def put(path: Path, head: Head) -> None:
    """Puts the head into a model's file, in place of the one it has: `note` [notes, 2 * WIDTH] to `role`."""
    model = onnx.load(path)
    graph = model.graph
    for part in (graph.initializer, graph.input, graph.output):
        kept = [one for one in part if not one.name.startswith(("head.role", "note", "role"))]
        del part[:]
        part.extend(kept)
    kept = [node for node in graph.node if not node.output[0].startswith("role")]
    del graph.node[:]
    graph.node.extend(kept)
    for name, parameter in head.state_dict().items():
        graph.initializer.append(numpy_helper.from_array(np.ascontiguousarray(parameter.numpy()), f"head.role.{name}"))
    for node in (
        helper.make_node("Gemm", ["note", "head.role.hidden.weight", "head.role.hidden.bias"], ["role.hidden"], transB=1),
        helper.make_node("Tanh", ["role.hidden"], ["role.tanh"]),
        helper.make_node("Gemm", ["role.tanh", "head.role.out.weight", "head.role.out.bias"], ["role"], transB=1),
    ):
        graph.node.append(node)
    graph.input.append(helper.make_tensor_value_info("note", TensorProto.FLOAT, ["notes", 2 * WIDTH]))
    graph.output.append(helper.make_tensor_value_info("role", TensorProto.FLOAT, ["notes", len(ROLES)]))
    onnx.checker.check_model(model, full_check=True)
    draft = path.with_name("draft.onnx")
    onnx.save(model, draft)
    os.replace(draft, path)


def told_brain_by_brain(head: Head, inputs: torch.Tensor, roles: np.ndarray, sources: np.ndarray, names: list[str]) -> None:
    """Prints the mean average precision of each role over brains that the head has not learnt from."""
    precision: dict[str, list[float]] = {role: [] for role in ROLES[1:]}
    for name in names:
        own = sources == name
        shares = head(inputs[own]).softmax(1).detach().numpy()
        for at, role in enumerate(ROLES[1:], 1):
            meant = roles[own] == at
            if meant.any():
                precision[role].append(average_precision(meant, shares[:, at]))
    print(", ".join(f"{role} {np.mean(each):.3f}" for role, each in precision.items() if each), flush=True)


def average_precision(meant: np.ndarray, share: np.ndarray) -> float:
    ordered = meant[np.argsort(-share)]
    return float((np.cumsum(ordered) / np.arange(1, len(ordered) + 1))[ordered].mean())


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("directory", type=Path)
    arguments.add_argument("--brains", required=True)
    arguments.add_argument("--hold", default="")
    arguments.add_argument("--folds", type=int, default=0)
    given = arguments.parse_args()
    held = tuple(name for name in given.hold.split(",") if name)
    told, brains = read_written(), []
    folders = given.brains.split(",")
    matters = matters_of(folders, given.directory)
    for folder in folders:
        key = json.loads((Path(folder) / "answer-key.json").read_text(encoding="utf-8"))
        for path in sorted(Path(folder).glob("*.jsonl")):
            told.read_brain(path, key[path.stem], matters[path.stem])
            brains.append(path.stem)
    rows = torch.tensor(inputs_of(given.directory, [text for text, _ in told.roles]))
    roles = torch.tensor([ROLES.index(role) for _, role in told.roles])
    sources = np.array(list(told.roles.values()))
    counts = torch.tensor(np.where(np.isin(sources, brains), OFTEN, 1))
    learnt = torch.tensor([not source.startswith(held) for source in sources])

    def head_of(meant: torch.Tensor) -> Head:
        return learn_roles(rows[meant].repeat_interleave(counts[meant], 0), roles[meant].repeat_interleave(counts[meant]))

    unlearnt = [name for name in brains if name.startswith(held)]
    print(f"{int(learnt.sum())} notes learnt from, {len(brains) - len(unlearnt)} brains among their files; {len(unlearnt)} held out")
    head = head_of(learnt)
    told_brain_by_brain(head, rows, roles.numpy(), sources, unlearnt)
    put(given.directory / "model.onnx", head)
    for fold in range(given.folds):
        own = sorted(set(brains) - set(unlearnt))[fold :: given.folds]
        copy = given.directory.with_name(f"{given.directory.name}-{fold}")
        copytree(given.directory, copy, dirs_exist_ok=True)
        head = head_of(learnt & torch.tensor(~np.isin(sources, own)))
        told_brain_by_brain(head, rows, roles.numpy(), sources, own)
        put(copy / "model.onnx", head)
        (copy / "brains.txt").write_text("\n".join(own) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
