"""
Makes a trained Bert narrower inside its layers: takes out the numbers of a layer's inside that what comes out of it can do
without, one by one, and fits anew what the others add (optimal brain surgeon, Hassibi and Stork 1993, on whole columns of
`down`). What it loses is taught back by a training afterwards. Knows weights and states; refuses to know what the vectors are for.
"""

from dataclasses import dataclass

import torch

from bert import Bert


@torch.no_grad()
def choose_columns(moments, weight, count):
    """
    (mask of the `count` columns to keep, `weight` fitted anew) of a product whose inputs have the second moments
    `moments` [inputs, inputs] about their mean and whose weights are `weight` [outputs, inputs], float64.
    """
    size = len(moments)
    inverse = torch.linalg.inv(moments + 1e-4 * moments.diagonal().mean() * torch.eye(size, dtype=moments.dtype))
    weight, kept = weight.clone(), torch.ones(size, dtype=torch.bool)
    for _ in range(size - count):
        cost = (weight**2).sum(0) / inverse.diagonal()
        cost[~kept] = torch.inf
        at = int(cost.argmin())
        weight -= torch.outer(weight[:, at] / inverse[at, at], inverse[at])
        inverse -= torch.outer(inverse[:, at] / inverse[at, at], inverse[at])
        # What is gone stays gone: its row and column would be 0, and its diagonal a divisor.
        inverse[at, :], inverse[:, at], inverse[at, at] = 0, 0, 1
        weight[:, at], kept[at] = 0, False
    return kept, weight


def mean_and_moments(insides):
    """Mean [inner] and second moments about it of rows [rows, inner], float64, summed part by part."""
    count, total, squares = 0, 0.0, 0.0
    for rows in insides:
        count, total, squares = count + len(rows), total + rows.sum(0).double(), squares + (rows.T @ rows).double()
    mean = total / count
    return mean, squares / count - torch.outer(mean, mean)


@torch.no_grad()
def narrow_layer(wide, slim, insides):
    """Fills `slim`, a Layer that is narrower inside than `wide`, from what that has inside for some texts; the share of variance lost."""
    mean, moments = mean_and_moments(insides)
    before = wide.down.weight.double()
    kept, after = choose_columns(moments, before, slim.up.out_features)
    for name, part in wide.named_parameters():
        if not name.startswith(("up", "down")):
            slim.get_parameter(name).copy_(part)
    slim.up.weight.copy_(wide.up.weight[kept])
    slim.up.bias.copy_(wide.up.bias[kept])
    slim.down.weight.copy_(after[:, kept])
    slim.down.bias.copy_(wide.down.bias + (before - after) @ mean)
    lost = before - after
    return float(((lost @ moments) * lost).sum() / ((before @ moments) * before).sum())


@dataclass(frozen=True)
class Texts:
    """Pieces [texts, length], where one stands (a mask of the same shape), what sees what (broadcast to [texts, heads, length, length]), and types."""

    ids: torch.Tensor
    there: torch.Tensor
    seen: torch.Tensor | None
    types: torch.Tensor | None = None


@torch.no_grad()
def narrow(model, inner, batches, report=print):
    """A Bert like `model`, `inner` wide inside, from the states of `batches`, a few thousand texts."""
    slim = Bert(model.words, len(model.layers), model.type_rows is not None, len(model.position), inner)
    for name, part in model.named_parameters():
        if not name.startswith("layers."):
            slim.get_parameter(name).copy_(part)
    how = {"dtype": torch.float32, "rounded": False}
    states = [model.begin(one.ids, one.types) for one in batches]
    for number, (wide, thin) in enumerate(zip(model.layers, slim.layers)):
        states = [wide.attended(x, wide.see(x, one.seen, **how), **how) for x, one in zip(states, batches)]
        lost = narrow_layer(wide, thin, (wide.inside(x, **how)[one.there] for x, one in zip(states, batches)))
        report(f"layer {number}: {inner} of {wide.up.out_features} inside, {lost:.1%} of the variance lost")
        # The next layer is narrowed on the states that this one gives now.
        states = [thin.outputNorm(x + thin.product("down", thin.inside(x, **how), **how)) for x in states]
    return slim
