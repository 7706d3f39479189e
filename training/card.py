"""
The model card: what went in, under which licence, what came out and how good it is. Written by the training, so
that it cannot disagree with the model.
"""

import hashlib
from pathlib import Path

import numpy as np

LICENCE = "MIT, like the rest of the package"


def hash_file(path):
    """SHA-256 of a file, hexadecimal."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def count_sources(corpus, texts, pairs):
    """{source: (pairs used, texts used that are in no pair)} for every source something was used of."""
    counts = {}
    for index, name in enumerate(corpus.sources):
        used = int((pairs & (corpus.source == index)).sum())
        alone = 0 if used else int((texts & (corpus.text_source == index)).sum())
        if used or alone:
            counts[name] = (used, alone)
    return counts


def render_figures(figures):
    """Markdown table of the figures that `measure` gives."""
    lines = ["| measure | figure |", "|---|---|"]
    for notes, title in (("notes", "paraphrased notes"), ("own_notes", "our own paraphrased notes")):
        for name, (first, tenth) in figures[notes].items():
            lines.append(f"| {title}, {name}: recall@1 / recall@10 | {first:.1f} / {tenth:.1f} |")
    lines.append(f"| graded sentence pairs, cosine: Spearman | {figures['graded']:.3f} |")
    held = figures["held_out"]
    mean = np.mean(list(held.values()))
    lines.append(f"| held-out pairs, cosine: mean recall@10 over {len(held)} groups | {mean:.1f} |")
    lines += [f"| held-out {name}: recall@10 | {value:.1f} |" for name, value in held.items()]
    return "\n".join(lines)


def render_card(name, out, corpus_hash, counts, licences, figures, calibration, runs):
    """The text of MODEL_CARD.md."""
    slope, centre, averages = calibration
    rows = [
        f"| {source} | {licences[source][0]} | {licences[source][1]} | {pairs or texts} |"
        for source, (pairs, texts) in counts.items()
    ]
    shares = [
        f"| {kind} | {related:.2f} | {unrelated:.2f} |" for kind, (related, unrelated) in averages.items()
    ]
    trained = [f"rate {run.rate:g}, {run.steps} steps of {run.batch}, seed {run.seed}" for run in runs]
    return "\n".join(
        [
            f"# {name}",
            "",
            "The embedding model that ships with `brain`: a static table of English word pieces, trained from",
            "nothing on the texts listed below. A text's vector is the sum of its pieces' rows, L2-normalised. No",
            "network, no native runtime and no accelerator is needed to use it. `training/make` writes this card.",
            "",
            "| | |",
            "|---|---|",
            f"| files | `model.onnx` ({Path(out, 'model.onnx').stat().st_size:,} bytes), `tokenizer.json` |",
            "| table | 32,000 rows of 256, int8 with one float32 scale per row |",
            "| licence of the model | " + LICENCE + " |",
            f"| SHA-256 of `model.onnx` | `{hash_file(Path(out, 'model.onnx'))}` |",
            f"| SHA-256 of `tokenizer.json` | `{hash_file(Path(out, 'tokenizer.json'))}` |",
            f"| SHA-256 over the training texts | `{corpus_hash}` |",
            "| runs averaged | " + "; ".join(trained) + " |",
            "",
            "## Figures",
            "",
            "Never trained on: 79 notes asked for in other words among 230; 70 more, written for this project",
            "(`training/paraphrases.json`), among 273; 6,656 sentence pairs graded by people (SemEval STS 2013",
            "to 2016); a hundredth of the training texts, held out. Recall in percent. The blend is 0.4 soft match +",
            "0.4 cosine + 0.2 keyword coverage.",
            "",
            render_figures(figures),
            "",
            "## Relevance",
            "",
            "`x = 0.5 soft + 0.5 cosine - median of the same over a background of neutral notes, same question`;",
            f"`relevance = 1 / (1 + exp(-{slope:g} (x - {centre:g})))`. Mean relevance on the development sets:",
            "",
            "| set | related | unrelated |",
            "|---|---|---|",
            *shares,
            "",
            "Constants fitted with `models/background.json` as background and source of idf.",
            "",
            "## Limits",
            "",
            "- English only. Other languages in Latin script fall into short pieces with little meaning; letters of",
            "  other scripts are unknown and count nothing.",
            "- Word order and negation are not seen: \"A blocks B\" and \"B blocks A\" have one vector.",
            "- Names of people and products, numbers and identifiers are matched better by keywords: use both.",
            "- It leans towards software engineering; everyday English is covered, special fields are not.",
            "- It repeats the associations of its texts, unfair ones included. Do not judge people by it.",
            "",
            "## Sources",
            "",
            "What the table was trained on, with thanks. The texts are no part of the model or the package.",
            "",
            "| source | origin | licence | pairs or texts used |",
            "|---|---|---|---|",
            *rows,
            "",
            "`pseudoq` and `lexicon` are questions and substitutions made from sentences of the sources listed here,",
            "and our own word lists; those made from other sources were left out.",
            "",
        ]
    )
