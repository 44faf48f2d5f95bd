"""Sentence encoders as ONNX files: texts in, one vector for each out."""

from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

NAMES = ("all-minilm-l6-v2-q", "bge-small-en-v1.5-q", "e5-small-v2-q")
"""The encoders that the table imitates, with 8-bit weights."""
SIZE = 384
MAX_TOKENS = 64


class Encoder:
    """Reads NAME.onnx and NAME-tokenizer.json of a folder."""

    def __init__(self, folder: Path, name: str):
        self.tokenizer = Tokenizer.from_file(str(folder / f"{name}-tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(MAX_TOKENS)
        self.session = onnxruntime.InferenceSession(str(folder / f"{name}.onnx"))
        self.inputs = [each.name for each in self.session.get_inputs()]
        self.prefix = "query: " if name.startswith("e5") else ""
        self.is_first_token = name.startswith("bge")

    def encode(self, texts: list[str], batch_tokens: int = 4096) -> np.ndarray:
        """The first token or the mean of all, as the model's card says; not normalised. Texts of one length go together."""
        ids = [each.ids for each in self.tokenizer.encode_batch([self.prefix + text for text in texts])]
        out = np.zeros((len(texts), SIZE), np.float32)
        by_length: dict[int, list[int]] = {}
        for row, each in enumerate(ids):
            by_length.setdefault(len(each), []).append(row)
        for length, rows in by_length.items():
            step = max(1, batch_tokens // length)
            for start in range(0, len(rows), step):
                part = rows[start : start + step]
                tokens = np.array([ids[row] for row in part], np.int64)
                given = {"input_ids": tokens, "attention_mask": np.ones_like(tokens), "token_type_ids": np.zeros_like(tokens)}
                states = self.session.run(None, {name: given[name] for name in self.inputs})[0]
                out[part] = states[:, 0] if self.is_first_token else states.mean(1)
        return out
