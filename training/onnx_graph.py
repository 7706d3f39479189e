"""
Writes our BERT as an ONNX graph whose initializers have the names the engine reads. Shared by the sentence
encoder and the pair model; refuses to know where the weights come from or what the vectors are for.
"""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from bert import EPSILON, HEADS, NORMS, WIDTH, quantise_rows

OPSET = 13
INPUTS = ("input_ids", "attention_mask", "token_type_ids")  # int64 [batch, length], as fastembed feeds them


class Graph:
    """Nodes and initializers as they are added; the methods that compute return the name of their value."""

    def __init__(self):
        self.nodes = []
        self.initializers = {}

    def add(self, operator, *inputs, name=None, **attributes):
        output = name or f"value.{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, list(inputs), [output], **attributes))
        return output

    def keep(self, name, array):
        """An initializer, stored as raw little-endian bytes; a second one of the same name is the first."""
        if name not in self.initializers:
            self.initializers[name] = numpy_helper.from_array(np.ascontiguousarray(array), name)
        return name

    def number(self, value):
        return self.keep(f"number.{value:g}", np.array(value, np.float32))

    def sizes(self, *sizes):
        return self.keep("sizes." + ".".join(map(str, sizes)), np.array(sizes, np.int64))

    def table(self, name, weight):
        """The float32 rows of a weight that is kept as int8 with one scale per row."""
        rows, scale = quantise_rows(weight.detach().numpy())
        # Written out, since older onnxruntime takes the zero of a rearranged table for unsigned and then refuses it.
        zero = self.keep(f"zeros.{len(rows)}", np.zeros(len(rows), np.int8))
        return self.add(
            "DequantizeLinear", self.keep(f"{name}.weight", rows), self.keep(f"{name}.scale", scale), zero, axis=0
        )

    def product(self, x, name, linear):
        """`x` times int8 rows per output channel, plus a bias."""
        table = self.table(name, linear.weight)
        return self.add("Add", self.add("MatMul", x, self.add("Transpose", table, perm=[1, 0])), self.bias(name, linear))

    def bias(self, name, linear):
        return self.keep(f"{name}.bias", linear.bias.detach().numpy())

    def norm(self, x, name, norm, output=None):
        centred = self.add("Sub", x, self.add("ReduceMean", x, axes=[-1], keepdims=1))
        variance = self.add("ReduceMean", self.add("Mul", centred, centred), axes=[-1], keepdims=1)
        deviation = self.add("Sqrt", self.add("Add", variance, self.number(EPSILON)))
        gamma = self.keep(f"{name}.gamma", norm.weight.detach().numpy())
        beta = self.keep(f"{name}.beta", norm.bias.detach().numpy())
        return self.add("Add", self.add("Mul", self.add("Div", centred, deviation), gamma), beta, name=output)

    def rows(self, words):
        """Word rows of `input_ids`; `words` is (int8 [vocabulary, WIDTH], float32 scale [vocabulary])."""
        whole = self.add("Gather", self.keep("word.weight", words[0]), "input_ids", axis=0)
        scale = self.add("Gather", self.keep("word.scale", words[1]), "input_ids", axis=0)
        scales = self.add("Unsqueeze", scale, self.sizes(-1))
        return self.add("Mul", self.add("Cast", whole, to=TensorProto.FLOAT), scales)

    def positions(self, model):
        """The first rows of the position table, as many as the input is long."""
        length = self.add("Gather", self.add("Shape", "input_ids"), self.sizes(1), axis=0)
        rows, scale = quantise_rows(model.position.detach().numpy())
        whole = self.add("Cast", self.keep("position.weight", rows), to=TensorProto.FLOAT)
        scales = self.add("Unsqueeze", self.keep("position.scale", scale), self.sizes(-1))
        return self.add("Slice", self.add("Mul", whole, scales), self.sizes(0), length, self.sizes(0))

    def layer(self, x, hidden, number, layer, output=None):
        """One post-norm layer; `hidden` is what is added to likenesses, far below zero where nothing stands."""
        name = f"layer.{number}"

        def product(part, inputs):
            return self.product(inputs, f"{name}.{part}", getattr(layer, part))

        apart = self.sizes(0, 0, HEADS, WIDTH // HEADS)
        heads = [
            self.add("Transpose", self.add("Reshape", product(part, x), apart), perm=order)
            for part, order in (("query", [0, 2, 1, 3]), ("key", [0, 2, 3, 1]), ("value", [0, 2, 1, 3]))
        ]
        likeness = self.add("Mul", self.add("MatMul", heads[0], heads[1]), self.number((WIDTH // HEADS) ** -0.5))
        shares = self.add("Softmax", self.add("Add", likeness, hidden), axis=-1)
        seen = self.add("Transpose", self.add("MatMul", shares, heads[2]), perm=[0, 2, 1, 3])
        joined = self.add("Reshape", seen, self.sizes(0, 0, WIDTH))
        first, second = NORMS
        x = self.norm(self.add("Add", x, product("output", joined)), f"{name}.{first}", getattr(layer, first))
        up = product("up", x)
        bent = self.add("Add", self.add("Erf", self.add("Mul", up, self.number(0.5**0.5))), self.number(1.0))
        inner = self.add("Mul", self.add("Mul", up, self.number(0.5)), bent)
        return self.norm(self.add("Add", x, product("down", inner)), f"{name}.{second}", getattr(layer, second), output)

    def hidden(self, mask):
        """What `layer` adds to the likenesses: 0 where a piece stands, far below where none does."""
        apart = self.add("Unsqueeze", mask, self.sizes(1, 2))
        return self.add("Mul", self.add("Sub", apart, self.number(1.0)), self.number(1e9))

    def hidden_after(self, mask, types):
        """The same where rows of type 0 see none of type 1."""
        reader = self.add("Unsqueeze", self.add("Sub", self.number(1.0), types), self.sizes(1, 3))
        read = self.add("Unsqueeze", types, self.sizes(1, 2))
        there = self.add("Unsqueeze", mask, self.sizes(1, 2))
        seen = self.add("Mul", there, self.add("Sub", self.number(1.0), self.add("Mul", reader, read)))
        return self.add("Mul", self.add("Sub", seen, self.number(1.0)), self.number(1e9))

    def hidden_apart(self, mask, types):
        """The same where rows see those of their own type alone."""
        one, other = self.add("Unsqueeze", types, self.sizes(1, 3)), self.add("Unsqueeze", types, self.sizes(1, 2))
        unlike = self.add("Abs", self.add("Sub", one, other))
        seen = self.add("Mul", self.add("Unsqueeze", mask, self.sizes(1, 2)), self.add("Sub", self.number(1.0), unlike))
        return self.add("Mul", self.add("Sub", seen, self.number(1.0)), self.number(1e9))

    def own_positions(self, types):
        """Of each row its place among those of its type, int64."""
        second = types
        first = self.add("Sub", self.number(1.0), types)
        places = [
            self.add("Mul", kind, self.add("CumSum", kind, self.keep("axis", np.array(1, np.int64)))) for kind in (first, second)
        ]
        return self.add("Cast", self.add("Sub", self.add("Add", *places), self.number(1.0)), to=TensorProto.INT64)

    def layers(self, x, hidden, model, output=None):
        """`hidden` is one for all layers, or a list of one a layer."""
        x = self.norm(x, "norm", model.norm)
        last = len(model.layers) - 1
        for number, layer in enumerate(model.layers):
            own = hidden[number] if isinstance(hidden, list) else hidden
            x = self.layer(x, own, number, layer, output if number == last else None)
        return x

    def mean(self, x, mask):
        """Mean of the states over the pieces that are there, [batch, WIDTH]."""
        weight = self.add("Unsqueeze", mask, self.sizes(-1))
        total = self.add("ReduceSum", self.add("Mul", x, weight), self.sizes(1), keepdims=0)
        return self.add("Div", total, self.add("ReduceSum", weight, self.sizes(1), keepdims=0))

    def to_model(self, name, outputs):
        """The checked ONNX model; `outputs` is {name: shape} of float32 values."""
        shape = ["batch", "length"]
        graph = helper.make_graph(
            self.nodes,
            name,
            [helper.make_tensor_value_info(value, TensorProto.INT64, shape) for value in INPUTS],
            [helper.make_tensor_value_info(value, TensorProto.FLOAT, sizes) for value, sizes in outputs.items()],
            list(self.initializers.values()),
        )
        model = helper.make_model(
            graph, producer_name="brain", opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8
        )
        onnx.checker.check_model(model, full_check=True)
        return model


def build_encoder(model, words):
    """
    ONNX model of a sentence encoder: `last_hidden_state` float32 [batch, length, WIDTH], and
    `sentence_embedding` float32 [batch, WIDTH], their mean over the pieces that are there, L2-normalised.
    """
    graph = Graph()
    mask = graph.add("Cast", "attention_mask", to=TensorProto.FLOAT)
    x = graph.add("Add", graph.rows(words), graph.positions(model))
    states = graph.layers(x, graph.hidden(mask), model, "last_hidden_state")
    pooled = graph.mean(states, mask)
    norm = graph.add("ReduceL2", pooled, axes=[-1], keepdims=1)
    graph.add("Div", pooled, norm, name="sentence_embedding")
    shapes = {"last_hidden_state": ["batch", "length", WIDTH], "sentence_embedding": ["batch", WIDTH]}
    return graph.to_model("brain-encoder", shapes)
