"""What tables are made from: means of templates, principal components, weights by frequency."""

import numpy as np


def centred(x: np.ndarray) -> np.ndarray:
    x = x.astype(np.float32)
    return x - x.mean(0)


def combined(encoded, names: list[str]) -> np.ndarray:
    """The sum of the templates, each centred and on one scale."""
    return sum(x / np.linalg.norm(x, axis=1).mean() for x in (centred(encoded[name]) for name in names))


def principal_axes(x: np.ndarray, dimensions: int) -> np.ndarray:
    """The directions of the first principal components, in columns."""
    _, vectors = np.linalg.eigh(x.T @ x)
    return vectors[:, ::-1][:, :dimensions]


def frequency_weights(count: int, smooth: float = 1e-3) -> np.ndarray:
    """SIF weights a / (a + p) with p by Zipf's law from a word's place in the vocabulary."""
    share = 1 / (np.arange(count) + 10)
    return (smooth / (smooth + share / share.sum())).astype(np.float32)
