"""
The stages of the encoder's training and their settings: first the teacher's vectors, then the pairs, then the teacher's states
of other texts, in the end notes and what is asked of them. Knows the order of things; refuses to know files of texts and of models.
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
from encoder.asked import plan_asked
from encoder.losses import asking_loss, furthering_loss, pairing_loss, teaching_loss
from encoder.mixture import FURTHER, SHARES, choose_pairs, choose_texts, group_pairs
from encoder.training import LAYERS, Schedule, Teacher, load_checkpoint, train


@dataclass(frozen=True)
class Settings:
    """What a run is made of; the defaults made the shipped model."""

    teaching: Schedule = Schedule(steps=2000, falling=1000, rate=5e-4, rounding=1000)
    pairing: Schedule = Schedule(steps=320, falling=40, rate=1e-4, warm=40)
    furthering: Schedule = Schedule(steps=3600, falling=1800, rate=3e-4, rounding=0, warm=200)
    asking: Schedule = Schedule(steps=1100, falling=0, rate=2e-4, warm=40)
    batch: int = 128
    pair_batch: int = 64
    beside: int = 96  # texts beside the questions of stage four
    texts: int = 1_000_000  # drawn from; a run sees the first `steps` batches of them
    further_texts: int = 640_000
    pairs: int = 100_000
    blend: float = 0.5  # share of stage two in the mean of both stages' weights
    seed: int = 1

    @property
    def schedules(self):
        return self.teaching, self.pairing, self.furthering, self.asking


def start_student():
    """The student as it begins: some of the teacher's layers over the shipped word rows."""
    return load_published(find_teacher(), LAYERS, rounded_words=True)


def run_stage(student, teacher, schedule, loss_of, path, report):
    """One stage, resumed where its checkpoint `path` left off; a second process computes the teacher's vectors ahead, if it has a directory for them."""
    first = load_checkpoint(path, student)
    if first >= schedule.steps:
        return
    if torch.get_default_device().type != "cpu" or teacher.directory is None:
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


def plan(corpus, texts, pairs, groups, settings):
    """
    The batches of the stages, from masks of the texts and pairs allowed and the groups of notes whose texts are the corpus's last;
    ValueError when there are too few.
    """
    chosen = choose_texts(corpus, texts, SHARES, settings.texts, settings.seed)
    further = choose_texts(corpus, texts & (corpus.lengths <= 128), FURTHER, settings.further_texts, settings.seed + 4)
    drawn = choose_pairs(group_pairs(corpus, pairs, settings.seed + 2), settings.pairs, settings.seed + 3)
    planned = (
        plan_texts(corpus, chosen, settings.batch, settings.seed + 1),
        plan_pairs(corpus, drawn, settings.pair_batch, settings.seed + 4),
        plan_texts(corpus, further, settings.batch, settings.seed + 6),
        plan_asking(corpus, texts, groups, settings),
    )
    for batches, schedule in zip(planned, settings.schedules):
        if len(batches) < schedule.steps:
            raise ValueError(f"{len(batches)} batches for {schedule.steps} steps: more texts or fewer steps")
    return planned


def plan_asking(corpus, texts, groups, settings):
    """Batches of three sides: texts of this project, questions, and their notes. Texts and questions come round as often as the stage asks for."""
    own = np.flatnonzero(texts & (corpus.lengths <= 96) & (corpus.text_source == corpus.sources.index("written")))
    beside = [side for (side,) in plan_texts(corpus, own, settings.beside, settings.seed + 6)]
    asked, turn = [], 0
    while len(asked) < settings.asking.steps:
        asked += plan_asked(groups, texts, settings.seed + 10 + turn)
        turn += 1
    return [(beside[at % len(beside)], *pair) for at, pair in enumerate(asked)]


def run_stages(corpus, planned, settings, work, report=print):
    """(the student after stage one, the student after stage two); checkpoints in the directory `work`."""
    model = load_published(find_teacher()).eval()
    student = start_student()
    parts = (("teach", settings.teaching, teaching_loss), ("pair", settings.pairing, pairing_loss))
    after = []
    for (name, schedule, loss_of), batches in zip(parts, planned[:2]):
        report(f"stage {name}: {schedule.steps} steps")
        teacher = Teacher(model, corpus, batches, Path(work, f"{name}.targets"))
        run_stage(student, teacher, schedule, loss_of, Path(work, f"{name}.pt"), report)
        after.append(copy.deepcopy(student))
    return after


def go_further(corpus, planned, student, settings, work, report=print):
    """The student after stages three and four, in place: both models in this process, on all its threads."""
    model = load_published(find_teacher()).eval()
    parts = (("further", settings.furthering, furthering_loss), ("ask", settings.asking, asking_loss))
    for (name, schedule, loss_of), batches in zip(parts, planned[2:]):
        report(f"stage {name}: {schedule.steps} steps")
        teacher = Teacher(model, corpus, batches, see=Bert.embed_with_states)
        run_stage(student, teacher, schedule, loss_of, Path(work, f"{name}.pt"), report)


def list_seen(planned, settings):
    """(text numbers of stages one, three and four, question numbers of stages two and four) that a run with these settings comes to see."""
    first, pairs, further, asking = (
        [np.concatenate(sides) for sides in zip(*batches[: schedule.steps])] for batches, schedule in zip(planned, settings.schedules)
    )
    return np.unique(np.concatenate([*first, *further, *asking])), np.concatenate([pairs[0], asking[1]])
