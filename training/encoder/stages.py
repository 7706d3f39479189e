"""
The stages of the encoder's training and their settings: first the teacher's vectors, then the pairs, then fewer numbers
inside each layer. Knows the order of things; refuses to know files of texts and of models.
"""

import copy
import multiprocessing
import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from bert import INNER, Bert, find_teacher, load_published
from encoder.batches import gather, plan_pairs, plan_texts
from encoder.losses import pairing_loss, teaching_loss
from encoder.mixture import choose_pairs, choose_texts, group_pairs
from encoder.training import LAYERS, Schedule, Teacher, load_checkpoint, train
from narrow import Texts, narrow


@dataclass(frozen=True)
class Settings:
    """What a run is made of; the defaults made the shipped model."""

    teaching: Schedule = Schedule(steps=2000, falling=1000, rate=5e-4, rounding=1000)
    pairing: Schedule = Schedule(steps=320, falling=40, rate=1e-4, warm=40)
    narrowing: Schedule = Schedule(steps=900, falling=300, rate=3e-4, rounding=450)
    inner: int | None = None  # numbers inside a layer that are kept in the end; all of them
    measured: int = 40  # batches whose states say which of them stay
    batch: int = 128
    pair_batch: int = 64
    texts: int = 1_000_000  # drawn from; a run sees the first `steps` batches of them
    pairs: int = 100_000
    blend: float = 0.5  # share of stage two in the mean of both stages' weights
    seed: int = 1


def start_student(layers=LAYERS, inner=INNER):
    """The student as it begins: some of the teacher's layers over the shipped word rows; a narrower one is filled by whoever asks for it."""
    published = load_published(find_teacher(), layers, rounded_words=True)
    return published if inner == INNER else Bert(published.words, len(layers), inner=inner)


def run_stage(student, teacher, schedule, loss_of, path, report):
    """One stage, resumed where its checkpoint `path` left off; a second process computes the teacher's vectors ahead."""
    first = load_checkpoint(path, student)
    if first >= schedule.steps:
        return
    if torch.get_default_device().type != "cpu":
        train(student, teacher, schedule, loss_of, path, report)
        return
    shutil.rmtree(teacher.directory, ignore_errors=True)
    lead = min(first + 20, schedule.steps)
    ahead = multiprocessing.get_context("fork").Process(
        target=teacher.run_ahead, args=(lead, schedule.steps), daemon=True
    )
    ahead.start()
    try:
        train(student, teacher, schedule, loss_of, path, report)
    finally:
        ahead.terminate()
        ahead.join()
        shutil.rmtree(teacher.directory, ignore_errors=True)


def mix(first, second, share):
    """A Bert whose parameters lie between those of two, `share` of the way to the second."""
    mixed = Bert(first.words, len(first.layers), first.type_rows is not None, len(first.position))
    with torch.no_grad():
        for target, a, b in zip(mixed.parameters(), first.parameters(), second.parameters()):
            target.copy_(a + share * (b - a))
    return mixed


def plan(corpus, texts, pairs, settings):
    """The batches of the first two stages, from masks of the texts and pairs allowed; ValueError when there are too few."""
    chosen = choose_texts(corpus, texts, settings.texts, settings.seed)
    groups = group_pairs(corpus, pairs, settings.seed + 2)
    drawn = choose_pairs(groups, settings.pairs, settings.seed + 3)
    planned = (
        plan_texts(corpus, chosen, settings.batch, settings.seed + 1),
        plan_pairs(corpus, drawn, settings.pair_batch, settings.seed + 4),
    )
    for batches, schedule in zip(planned, (settings.teaching, settings.pairing)):
        if len(batches) < schedule.steps:
            raise ValueError(f"{len(batches)} batches for {schedule.steps} steps: more texts or fewer steps")
    return planned


def run_stages(corpus, planned, settings, work, report=print):
    """(the student after stage one, the student after stage two); checkpoints in the directory `work`."""
    model = load_published(find_teacher()).eval()
    student = start_student()
    parts = (("teach", settings.teaching, teaching_loss), ("pair", settings.pairing, pairing_loss))
    after = []
    for (name, schedule, loss_of), batches in zip(parts, planned):
        report(f"stage {name}: {schedule.steps} steps")
        teacher = Teacher(model, corpus, batches, Path(work, f"{name}.targets"))
        run_stage(student, teacher, schedule, loss_of, Path(work, f"{name}.pt"), report)
        after.append(copy.deepcopy(student))
    return after


def plan_narrowing(corpus, texts, settings):
    """The batches of the last stage: those that are measured, and those that are learnt from."""
    chosen = choose_texts(corpus, texts, 400_000, settings.seed + 76)
    batches = plan_texts(corpus, chosen, settings.batch, settings.seed + 4)
    return batches[: settings.measured], batches[settings.measured : settings.measured + settings.narrowing.steps]


def run_narrowing(corpus, planned, wide, settings, work, report=print):
    """A narrower encoder that gives the vectors of the `wide` one; `planned` are the batches of `plan_narrowing`."""
    measured, batches = planned
    path = Path(work, "narrow.pt")
    if path.exists():
        slim = Bert(wide.words, len(wide.layers), positions=len(wide.position), inner=settings.inner)
    else:

        def texts(batch):
            ids, mask = gather(corpus, batch[0])
            there = torch.ones_like(ids, dtype=torch.bool) if mask is None else mask
            return Texts(ids, there, there[:, None, None, :])

        slim = narrow(wide.eval(), settings.inner, [texts(batch) for batch in measured], report)
    report(f"stage narrow: {settings.narrowing.steps} steps")
    run_stage(slim, Teacher(wide.eval(), corpus, batches, Path(work, "narrow.targets")), settings.narrowing, teaching_loss, path, report)
    return slim


def list_seen(planned, settings):
    """(text numbers of stage one, question numbers of stage two) that a run with these settings comes to see."""
    schedules = (settings.teaching, settings.pairing)
    return [
        np.concatenate([batch[0] for batch in batches[: schedule.steps]])
        for batches, schedule in zip(planned, schedules)
    ]
