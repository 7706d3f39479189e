"""
The end of a run: the files, the figures and the card, and a last look whether the files say what was trained. Knows
what a run was made of; refuses to know how it went.
"""

from dataclasses import dataclass
from pathlib import Path

import bert
from corpus import Corpus, hash_corpus, load_tokenizer, read_licences
from encoder import card, measure
from encoder.asked import TOGETHER
from encoder.embedder import Embedder
from encoder.export import write_encoder
from encoder.mixture import group_pairs
from encoder.stages import Settings, list_seen
from encoder.training import LAYERS


@dataclass(frozen=True)
class Run:
    """What a run was made of: the corpus, a mask of its pairs, the batches of both stages, and where the texts lie."""

    read: Corpus
    pairs: object
    planned: tuple
    settings: Settings
    texts: Path


def describe(settings):
    """Lines for the card on how a run with these settings goes."""
    one, two, three, four, five, six = settings.schedules
    return [
        f"1. The teacher's vectors: {one.steps:,} steps of {settings.batch} texts of like length (64 above 64 pieces, 32",
        "   above 128), each text once; 3 (1 - cosine) + 0.3 KL of the softmax over the batch's likenesses at scale 20;",
        f"   AdamW at {one.rate:g}, falling to nothing from step {one.falling:,} on, from where weights are seen as int8.",
        f"2. The pairs: {two.steps:,} steps of {settings.pair_batch} pairs of one group; 0.3 InfoNCE both ways at scale 20 over the",
        "   answers of the batch, without those that the teacher finds as right, + 3 (1 - cosine) to the teacher; AdamW at",
        f"   {two.rate:g}, falling to nothing from step {two.falling:,} on, weights seen as int8 throughout.",
        f"3. The mean of both stages' weights, {settings.blend:g} of the second's.",
        f"4. The teacher's vectors again, of other texts, three tenths of them notes and plans that were written for this project: {three.steps:,} steps of",
        f"   {settings.batch} texts as in 1, + 1 - cosine of the states of each piece; AdamW at {three.rate:g}, falling to nothing from step {three.falling:,} on, weights seen",
        "   as int8 throughout.",
        f"5. Notes and questions in other words that were written for them: {four.steps:,} steps of {TOGETHER} groups of about five notes, each with one question; 0.5 InfoNCE both",
        f"   ways at scale 20 + 3 (1 - cosine) to the teacher, beside {settings.beside} texts of this project as in 4; AdamW at {four.rate:g}, falling to nothing from the first step on.",
        f"6. Made {settings.inner} wide inside (`training/narrow.py`, by the states of {settings.measured:,} texts) and taught by what it was, as its int8 file has it: {five.steps:,} steps of",
        f"   {settings.batch} texts of 4, and of 5 twice; as in 1, + 1.5 (1 - cosine) of the states of each piece after each layer; AdamW at {five.rate:g}, falling from step {five.falling:,} on.",
        f"7. The notes and questions again: {six.steps:,} steps as in 5 beside {settings.beside_again} texts of 6, with the wide one for teacher, + 0.5 KL of the softmax over questions and notes,",
        f"   and {settings.pair_batch} pairs of 2 of documents, commands, commits, docstrings, answers or releases: 0.5 InfoNCE + 3 (1 - cosine) as there;",
        f"   AdamW at {six.rate:g}, falling to nothing from the first step on.",
        "",
        f"Layers {', '.join(map(str, LAYERS))} of the teacher to start from, seed {settings.seed}, bfloat16; in 1 and 2 one thread and a second process for the teacher.",
    ]


def measure_held_back(embedder, run):
    """(recall by title, Spearman in percent) of one embedder on all that is not trained on."""
    recall = measure.measure_development(embedder, run.texts)
    groups = group_pairs(run.read, run.pairs, run.settings.seed + 2)
    recall |= {f"held-out {name}": row for name, row in measure.measure_held_out(embedder, run.read, groups).items()}
    return recall, measure.measure_graded(embedder, run.texts)


def compare_files(written, tokenizer, model, texts):
    """The smallest cosines of the files' vectors to the float model's and the rounded one's; RuntimeError if they stray."""
    vectors = written(texts)
    least = [
        float((vectors * Embedder.of_model(tokenizer, model, rounded=rounded)(texts)).sum(1).min())
        for rounded in (False, True)
    ]
    if least[0] < 0.99 or least[1] < 0.999:
        raise RuntimeError(f"the written file strays: cosine {least[0]} to float, {least[1]} to the same weights")
    return least


def publish(out, model, run):
    """Writes the model and its card into the directory `out`; returns the lines of the table of figures."""
    directory = bert.find_teacher()
    tokenizer = load_tokenizer(directory)
    write_encoder(out, model)
    written = Embedder.of_files(tokenizer, out)
    figures = card.Figures()
    figures.to_float, figures.to_torch = compare_files(written, tokenizer, model, measure.read_mixed(run.texts)[0])
    teacher = Embedder.of_model(tokenizer, bert.load_published(directory))
    for who, embedder in (("teacher", teacher), ("shipped", written)):
        figures.recall[who], figures.graded[who] = measure_held_back(embedder, run)
    text = card.render_card(
        out,
        hash_corpus(run.texts),
        card.count_sources(run.read, *list_seen(run.planned, run.settings)),
        read_licences(run.texts),
        figures,
        describe(run.settings),
    )
    Path(out, "MODEL_CARD.md").write_text(text, encoding="utf-8")
    return card.render_figures(figures)
