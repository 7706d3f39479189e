"""
The stages of the encoder's training and their settings: first the teacher's vectors, then the pairs, then the teacher's states
of other texts, then notes and what is asked of them; in the end the model, made narrower inside, learns from what it was. Knows the order
of things; refuses to know files of texts and of models.
"""

import copy
import multiprocessing
import shutil
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch

from bert import PRODUCTS, Bert, find_teacher, load_published, round_weight
from encoder.batches import gather, plan_pairs, plan_texts
from encoder.asked import plan_asked
from encoder.losses import asking_loss, furthering_loss, pairing_loss, teaching_loss
from encoder.mixture import FURTHER, SHARES, SHARES_AGAIN, choose_pairs, choose_texts, group_pairs
from encoder.training import LAYERS, Schedule, Teacher, load_checkpoint, train
from narrow import Texts, narrow


@dataclass(frozen=True)
class Settings:
    """What a run is made of; the defaults made the shipped model."""

    teaching: Schedule = Schedule(steps=2000, falling=1000, rate=5e-4, rounding=1000)
    pairing: Schedule = Schedule(steps=320, falling=40, rate=1e-4, warm=40)
    furthering: Schedule = Schedule(steps=3600, falling=1800, rate=3e-4, rounding=0, warm=200)
    asking: Schedule = Schedule(steps=1100, falling=0, rate=2e-4, warm=40)
    narrowing: Schedule = Schedule(steps=5000, falling=1667, rate=5e-4, warm=60)
    asking_again: Schedule = Schedule(steps=900, falling=0, rate=2e-4, warm=60)
    inner: int = 768  # how wide layers are inside from stage five on
    measured: int = 12_000  # texts whose states say what can be spared inside
    batch: int = 128
    pair_batch: int = 64
    beside: int = 96  # texts beside the questions of stage four
    beside_again: int = 64  # of stage six
    texts: int = 1_000_000  # drawn from; a run sees the first `steps` batches of them
    further_texts: int = 640_000
    pairs: int = 100_000
    pairs_again: int = 80_000  # of stage six
    blend: float = 0.5  # share of stage two in the mean of both stages' weights
    seed: int = 1

    @property
    def schedules(self):
        return self.teaching, self.pairing, self.furthering, self.asking, self.narrowing, self.asking_again


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
    # What is asked and answered is twice among the texts of the last two stages.
    asked = np.flatnonzero(texts & (corpus.text_source == corpus.sources.index("asked")))
    last = np.concatenate([further, asked, asked])
    paired = group_pairs(corpus, pairs, settings.seed + 2)
    drawn = choose_pairs(paired, settings.pairs, settings.seed + 3)
    again = choose_pairs(paired, settings.pairs_again, settings.seed + 9, SHARES_AGAIN)
    planned = (
        plan_texts(corpus, chosen, settings.batch, settings.seed + 1),
        plan_pairs(corpus, drawn, settings.pair_batch, settings.seed + 4),
        plan_texts(corpus, further, settings.batch, settings.seed + 6),
        plan_asking(corpus, texts, groups, own_texts(corpus, texts), settings.asking.steps, settings.beside, settings.seed + 6),
        plan_texts(corpus, last, settings.batch, settings.seed + 7),
        beside_pairs(
            plan_asking(corpus, texts, groups, last[corpus.lengths[last] <= 96], settings.asking_again.steps, settings.beside_again, settings.seed + 8),
            plan_pairs(corpus, again, settings.pair_batch, settings.seed + 10),
        ),
    )
    for batches, schedule in zip(planned, settings.schedules):
        if len(batches) < schedule.steps:
            raise ValueError(f"{len(batches)} batches for {schedule.steps} steps: more texts or fewer steps")
    return planned


def own_texts(corpus, texts):
    """Numbers of the texts of this project that may be trained on, the longest left out."""
    return np.flatnonzero(texts & (corpus.lengths <= 96) & (corpus.text_source == corpus.sources.index("written")))


def plan_asking(corpus, texts, groups, others, steps, size, seed):
    """Batches of three sides: `size` of the texts `others`, questions, and their notes. Texts and questions come round as often as `steps` ask for."""
    beside = [side for (side,) in plan_texts(corpus, others, size, seed)]
    asked, turn = [], 0
    while len(asked) < steps:
        asked += plan_asked(groups, texts, seed + 4 + turn)
        turn += 1
    return [(beside[at % len(beside)], *pair) for at, pair in enumerate(asked)]


def beside_pairs(batches, pairs):
    """The batches with the two sides of a batch of pairs as their last; pairs come round as often as they have to."""
    return [(*sides, *pairs[at % len(pairs)]) for at, sides in enumerate(batches)]


def learn(student, model, stage, corpus, batches, work, report, ahead=False):
    """One stage of a student, in place, with what `model` makes of the same texts for a target; with `ahead` a second process computes that."""
    name, schedule, loss_of, see = stage
    report(f"stage {name}: {schedule.steps} steps")
    teacher = Teacher(model, corpus, batches, Path(work, f"{name}.targets") if ahead else None, see)
    run_stage(student, teacher, schedule, loss_of, Path(work, f"{name}.pt"), report)


def run_stages(corpus, planned, settings, work, report=print):
    """(the student after stage one, the student after stage two); checkpoints in the directory `work`."""
    model, student, after = load_published(find_teacher()).eval(), start_student(), []
    stages = ("teach", settings.teaching, teaching_loss, Bert.embed), ("pair", settings.pairing, pairing_loss, Bert.embed)
    for stage, batches in zip(stages, planned[:2]):
        learn(student, model, stage, corpus, batches, work, report, ahead=True)
        after.append(copy.deepcopy(student))
    return after


def go_further(corpus, planned, student, settings, work, report=print):
    """The student after stages three and four, in place: both models in this process, on all its threads."""
    model, see = load_published(find_teacher()).eval(), Bert.embed_with_states
    for stage, batches in zip((("further", settings.furthering, furthering_loss, see), ("ask", settings.asking, asking_loss, see)), planned[2:4]):
        learn(student, model, stage, corpus, batches, work, report)


def round_weights(model):
    """A copy of a Bert with the weights that its int8 file has."""
    rounded = copy.deepcopy(model).eval()
    with torch.no_grad():
        for weight in (rounded.position, *(getattr(layer, name).weight for layer in rounded.layers for name in PRODUCTS)):
            weight.copy_(round_weight(weight))
    return rounded


def begin_narrow(model, corpus, batches, inner, report):
    """A Bert like `model`, `inner` wide inside, that does what it does as well as can be without learning."""
    sides = [gather(corpus, side) for (side,) in batches]
    there = [torch.ones_like(ids, dtype=torch.bool) if mask is None else mask for ids, mask in sides]
    seen = [None if mask is None else mask[:, None, None, :] for _, mask in sides]
    return narrow(model, inner, [Texts(ids, *masks) for (ids, _), *masks in zip(sides, there, seen)], report)


def go_narrow(corpus, planned, wide, settings, work, report=print):
    """A student that is narrower inside, after stages five and six: `wide`, as its file has it, is the teacher of both."""
    model, see = round_weights(wide), Bert.embed_with_layers
    stages = (
        ("narrow", settings.narrowing, partial(furthering_loss, weight=1.5), see),
        ("ask-again", settings.asking_again, partial(asking_loss, weight=1.5, likeness=0.5), see),
    )
    if Path(work, "narrow.pt").exists():
        student = Bert(wide.words, len(wide.layers), inner=settings.inner)
    else:
        student = begin_narrow(model, corpus, planned[4][-(settings.measured // settings.batch) :], settings.inner, report)
    for stage, batches in zip(stages, planned[4:]):
        learn(student, model, stage, corpus, batches, work, report)
    return student


def list_seen(planned, settings):
    """(text numbers of all stages but the second, question numbers of those that ask) that a run with these settings comes to see."""
    first, pairs, further, asking, narrowing, again = (
        [np.concatenate(sides) for sides in zip(*batches[: schedule.steps])] for batches, schedule in zip(planned, settings.schedules)
    )
    texts = np.concatenate([*first, *further, *asking, *narrowing, *again])
    return np.unique(texts), np.concatenate([pairs[0], asking[1], again[1], again[3]])
