"""The sentence encoder all-MiniLM-L6-v2 in numpy: token ids in, one vector of 384 numbers out."""

from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from scipy.special import erf
from tokenizers import Tokenizer

LAYERS, HEADS, SIZE = 6, 12, 384


class MiniLM:
    def __init__(self, folder: Path):
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(128)
        weights = load_file(folder / "model.safetensors")
        self.weights = {name: value.astype(np.float32) for name, value in weights.items()}

    def encode(self, texts: list[str], batch_tokens: int = 8192) -> np.ndarray:
        """Mean of the last layer's tokens, not normalised. Texts of one length go together."""
        ids = [encoding.ids for encoding in self.tokenizer.encode_batch(texts)]
        out = np.zeros((len(texts), SIZE), np.float32)
        by_length: dict[int, list[int]] = {}
        for row, each in enumerate(ids):
            by_length.setdefault(len(each), []).append(row)
        for length, rows in by_length.items():
            step = max(1, batch_tokens // length)
            for start in range(0, len(rows), step):
                part = rows[start : start + step]
                out[part] = self._forward(np.array([ids[row] for row in part]))
        return out

    def _dense(self, x: np.ndarray, name: str) -> np.ndarray:
        return x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def _norm(self, x: np.ndarray, name: str) -> np.ndarray:
        centred = x - x.mean(-1, keepdims=True)
        scale = np.sqrt((centred * centred).mean(-1, keepdims=True) + 1e-12)
        return centred / scale * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def _forward(self, ids: np.ndarray) -> np.ndarray:
        count, length = ids.shape
        w = self.weights
        x = w["embeddings.word_embeddings.weight"][ids]
        x = x + w["embeddings.position_embeddings.weight"][:length]
        x = x + w["embeddings.token_type_embeddings.weight"][0]
        x = self._norm(x, "embeddings.LayerNorm").reshape(count * length, SIZE)
        for layer in range(LAYERS):
            at = f"encoder.layer.{layer}"
            parts = [self._dense(x, f"{at}.attention.self.{part}") for part in ("query", "key", "value")]
            query, key, value = (
                part.reshape(count, length, HEADS, SIZE // HEADS).transpose(0, 2, 1, 3) for part in parts
            )
            scores = query @ key.transpose(0, 1, 3, 2) / np.sqrt(np.float32(SIZE // HEADS))
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            scores /= scores.sum(-1, keepdims=True)
            seen = (scores @ value).transpose(0, 2, 1, 3).reshape(count * length, SIZE)
            x = self._norm(x + self._dense(seen, f"{at}.attention.output.dense"), f"{at}.attention.output.LayerNorm")
            inner = self._dense(x, f"{at}.intermediate.dense")
            inner = inner * 0.5 * (1 + erf(inner * np.float32(0.70710678)))
            x = self._norm(x + self._dense(inner.astype(np.float32), f"{at}.output.dense"), f"{at}.output.LayerNorm")
        return x.reshape(count, length, SIZE).mean(1)
