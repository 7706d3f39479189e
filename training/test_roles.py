"""Tests of the head that tells what a note does: what it learns from, and the file it is put into."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
import onnx
import onnx.reference
import torch
from onnx import TensorProto, helper

sys.path[:0] = [str(Path(__file__).parent / folder) for folder in ("night", "pair")]
from roles import ROLES, WIDTH, Told, learn_roles, put  # noqa: E402


class Roles(unittest.TestCase):
    def test_both_ends_of_an_item_have_their_roles_and_what_is_near_has_none(self):
        told = Told()
        told.read_item({"kind": "rule", "older": "two sign", "newer": "signed it alone", "near": ["signed it with Ana"]}, "one")
        told.read_item({"kind": "promise", "older": "by Friday", "newer": "still not there", "kept": "there it is"}, "two")
        told.read_series({"kind": "cause", "notes": ["a new lamp", "the hens are awake"], "near": ["a new cup"]}, "three")
        self.assertEqual(
            list(told.roles),
            [
                *(("two sign", "rule"), ("signed it alone", "breaks"), ("signed it with Ana", "other")),
                *(("by Friday", "promise"), ("still not there", "unkept"), ("there it is", "other")),
                *(("a new lamp", "change"), ("the hens are awake", "trouble"), ("a new cup", "other")),
            ],
        )

    def test_of_a_note_in_matters_the_one_that_seems_to_do_it_most_has_its_role(self):
        told = Told()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "log.jsonl"
            notes = [(1, "Two sign. Rain again."), (2, "Alone I signed. New lamp."), (3, "Eggs are out. Flour came.")]
            path.write_text("".join(json.dumps({"id": number, "text": text, "created_at": f"2026-03-0{number}"}) + "\n" for number, text in notes))
            shares = {"rule": [0.6, 0.1], "breaks": [0.1, 0.4], "other": [0.5, 0.5]}
            matters = {
                number: [{"texts": [text], "features": {role: each[at] for role, each in shares.items()}} for at, text in enumerate(note.split(". "))] for number, note in notes
            }
            told.read_brain(path, [{"kind": "broken-rule", "memory_ids": [1, 2]}], matters)
        self.assertEqual(
            list(told.roles),
            [("Two sign", "rule"), ("Rain again.", "other"), ("New lamp.", "breaks"), ("Alone I signed", "other"), ("Eggs are out", "other"), ("Flour came.", "other")],
        )

    def test_a_file_tells_the_roles_that_were_learnt_and_has_one_head_however_often_it_is_put(self):
        torch.manual_seed(1)
        # A unit vector, and behind it a state.
        vectors = torch.cat([torch.nn.functional.normalize(torch.randn(600, WIDTH), dim=1), torch.randn(600, WIDTH)], dim=1)
        roles = torch.arange(600) % len(ROLES)
        head = learn_roles(vectors, roles)
        graph = helper.make_graph(
            [helper.make_node("Identity", ["x"], ["y"])],
            "tiny",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1])],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1])],
        )
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "model.onnx")
            onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
            put(path, head)
            once = path.read_bytes()
            put(path, head)
            self.assertEqual(path.read_bytes(), once)
            (told,) = onnx.reference.ReferenceEvaluator(str(path)).run(["role"], {"x": np.zeros(1, np.float32), "note": vectors[:5].numpy()})
        with torch.no_grad():
            np.testing.assert_allclose(told, head(vectors[:5]).numpy(), atol=1e-5)


if __name__ == "__main__":
    unittest.main()
