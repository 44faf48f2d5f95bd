"""Writes a table as the file that src/vectors reads.

python pack.py TABLE.npz OUT.bin [WORDS]: at most so many words, the strongest first.
"""

import struct
import sys

import numpy as np


def pack(words: list[str], vectors: np.ndarray) -> bytes:
    """8-bit numbers with a scale for each word; see src/vectors/table-file.ts."""
    scales = np.maximum(np.abs(vectors).max(1), 1e-9) / 127
    values = np.clip(np.rint(vectors / scales[:, None]), -127, 127).astype(np.int8)
    text = "".join(f"{word}\n" for word in words).encode("ascii")
    padding = bytes(-len(text) % 4)
    body = text + padding + scales.astype("<f4").tobytes() + values.tobytes()
    header = struct.pack("<4s5I", b"TFWV", 1, vectors.shape[1], len(words), len(text), fnv(body))
    return header + body


def fnv(body: bytes) -> int:
    value = 0x811C9DC5
    for byte in body:
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return value


def unpacked(vectors: np.ndarray) -> np.ndarray:
    """The vectors as they are after packing."""
    scales = np.maximum(np.abs(vectors).max(1), 1e-9) / 127
    return np.rint(vectors / scales[:, None]) * scales[:, None]


def main() -> None:
    table = np.load(sys.argv[1])
    words, vectors = table["words"].tolist(), table["vectors"].astype(np.float32)
    data = pack(words, vectors)
    with open(sys.argv[2], "wb") as file:
        file.write(data)
    print(f"{len(words)} words, {vectors.shape[1]} dimensions, {len(data)} bytes")


if __name__ == "__main__":
    main()
