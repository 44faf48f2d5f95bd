"""Untrained tables: PCA of the distilled base with weights by frequency, and one of wordllama.

python tables.py DATA DIMENSIONS... writes DATA/distilled-D.npz; with `wordllama`, DATA/wordllama.npz.
"""

import sys
from pathlib import Path

import numpy as np


def centred(x: np.ndarray) -> np.ndarray:
    x = x.astype(np.float32)
    return x - x.mean(0)


def combined(base, parts: dict[str, float]) -> np.ndarray:
    """The mean of the templates, each centred and on one scale."""
    total = 0
    for name, weight in parts.items():
        x = centred(base[name])
        total = total + weight * x / np.linalg.norm(x, axis=1).mean()
    return total


def principal(x: np.ndarray, dimensions: int) -> np.ndarray:
    """The first principal components, not whitened."""
    _, vectors = np.linalg.eigh(x.T @ x)
    return x @ vectors[:, ::-1][:, :dimensions]


def frequency_weights(count: int, smooth: float = 1e-3) -> np.ndarray:
    """SIF weights a / (a + p) with p by Zipf's law from a word's place in the vocabulary."""
    share = 1 / (np.arange(count) + 10)
    return (smooth / (smooth + share / share.sum())).astype(np.float32)


def main() -> None:
    data = Path(sys.argv[1])
    base = np.load(data / "base.npz")
    words = base["words"]
    sif = frequency_weights(len(words))[:, None]
    for option in sys.argv[2:]:
        if option == "wordllama":
            vectors = wordllama(words.tolist()) * sif
        else:
            parts = [name for name in base.files if name != "words"]
            vectors = principal(combined(base, dict.fromkeys(parts, 1)), int(option)) * sif
        name = option if option == "wordllama" else f"distilled-{option}"
        np.savez(data / f"{name}.npz", words=words, vectors=vectors.astype(np.float32))


def wordllama(words: list[str]) -> np.ndarray:
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer
    import importlib.util

    folder = Path(importlib.util.find_spec("wordllama").origin).parent
    tokenizer = Tokenizer.from_file(str(folder / "tokenizers/l2_supercat_tokenizer_config.json"))
    weights = next(iter(load_file(folder / "weights/l2_supercat_256.safetensors").values())).astype(np.float32)
    rows = tokenizer.encode_batch(words, add_special_tokens=False)
    return centred(np.stack([weights[row.ids].mean(0) for row in rows]))


if __name__ == "__main__":
    main()
