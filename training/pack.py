"""Writes a table as the file that packages/core/src/vectors reads.

python pack.py DATA TABLE.npz OUT.bin [DIMENSIONS]
"""

import struct
import sys
from pathlib import Path

import numpy as np

from evaluate import unit
from texts import Data, Vocabulary

DIMENSIONS = 96


def turned(data: Data, words: list[str], vectors: np.ndarray, dimensions: int) -> np.ndarray:
    """The vectors along the directions that tools and training queries use most."""
    vocabulary = Vocabulary(words)
    queries = [query for query in data.queries if query.part == "train"]
    sets = {query.set for query in queries}
    tools = [i for i, tool in enumerate(data.tools) if tool["set"] in sets]
    texts = [data.tool_rows(vocabulary, only=tools) @ vectors, data.query_rows(vocabulary, queries) @ vectors]
    used = np.concatenate([unit(each) for each in texts])
    _, directions = np.linalg.eigh(used.T @ used)
    return vectors @ directions[:, ::-1][:, :dimensions]


def pack(words: list[str], vectors: np.ndarray) -> bytes:
    """8-bit numbers with a scale for each word; see packages/core/src/vectors/table-file.ts."""
    scales = np.maximum(np.abs(vectors).max(1), 1e-9) / 127
    values = np.clip(np.rint(vectors / scales[:, None]), -127, 127).astype(np.int8)
    text = "".join(f"{word}\n" for word in words).encode("ascii")
    padding = bytes(-len(text) % 4)
    body = text + padding + scales.astype("<f4").tobytes() + values.tobytes()
    header = struct.pack("<4s5I", b"TFWV", 1, vectors.shape[1], len(words), len(text), checksum(body))
    return header + body


def checksum(body: bytes) -> int:
    """FNV-1a with 32 bits."""
    value = 0x811C9DC5
    for byte in body:
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return value


def main() -> None:
    data, table = Data(Path(sys.argv[1])), np.load(sys.argv[2])
    words = table["words"].tolist()
    dimensions = int(sys.argv[4]) if len(sys.argv) > 4 else DIMENSIONS
    vectors = turned(data, words, table["vectors"].astype(np.float32), dimensions)
    packed = pack(words, vectors)
    Path(sys.argv[3]).write_bytes(packed)
    scales = np.maximum(np.abs(vectors).max(1), 1e-9) / 127
    np.savez(Path(sys.argv[2]).with_suffix(".packed.npz"), words=table["words"],
             vectors=(np.rint(vectors / scales[:, None]) * scales[:, None]).astype(np.float32))
    print(f"{len(words)} words, {dimensions} dimensions, {len(packed)} bytes")


if __name__ == "__main__":
    main()
