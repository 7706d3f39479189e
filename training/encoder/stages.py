"""
The two stages of the encoder's training and their settings: first the teacher's vectors, then the pairs. Knows the
order of things; refuses to know files of texts and of models.
"""

import copy
import multiprocessing
import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from bert import Bert, find_teacher, load_published
from encoder.batches import plan_pairs, plan_texts
from encoder.losses import pairing_loss, teaching_loss
from encoder.mixture import choose_pairs, choose_texts, group_pairs
from encoder.training import LAYERS, Schedule, Teacher, load_checkpoint, train


@dataclass(frozen=True)
class Settings:
    """What a run is made of; the defaults made the shipped model."""

    teaching: Schedule = Schedule(steps=2000, falling=1000, rate=5e-4, rounding=1000)
    pairing: Schedule = Schedule(steps=320, falling=40, rate=1e-4, warm=40)
    batch: int = 128
    pair_batch: int = 64
    texts: int = 1_000_000  # drawn from; a run sees the first `steps` batches of them
    pairs: int = 100_000
    blend: float = 0.5  # share of stage two in the mean of both stages' weights
    seed: int = 1


def start_student(layers=LAYERS):
    """The student as it begins: some of the teacher's layers over the shipped word rows."""
    return load_published(find_teacher(), layers, rounded_words=True)


def run_stage(student, teacher, schedule, loss_of, path, report):
    """One stage, resumed where its checkpoint `path` left off; a second process computes the teacher's vectors ahead."""
    first = load_checkpoint(path, student)
    if first >= schedule.steps:
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
    """The batches of both stages, from masks of the texts and pairs allowed; ValueError when there are too few."""
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


def list_seen(planned, settings):
    """(text numbers of stage one, question numbers of stage two) that a run with these settings comes to see."""
    schedules = (settings.teaching, settings.pairing)
    return [
        np.concatenate([batch[0] for batch in batches[: schedule.steps]])
        for batches, schedule in zip(planned, schedules)
    ]
