"""Embeds the texts of a folder with all-MiniLM-L6-v2, for `npm run bench:search -- --embeddings FOLDER`.

python embed.py FOLDER MODELS reads FOLDER/texts.jsonl and writes FOLDER/vectors.f32.
"""

import json
import sys
from pathlib import Path

from encoders import Encoder
from evaluate import unit


def main() -> None:
    folder = Path(sys.argv[1])
    lines = (folder / "texts.jsonl").read_text(encoding="utf8").split("\n")
    texts = [json.loads(line) for line in lines if line]
    vectors = unit(Encoder(Path(sys.argv[2]), "all-minilm-l6-v2").encode(texts))
    (folder / "vectors.f32").write_bytes(vectors.astype("<f4").tobytes())
    print(len(texts), "texts")


if __name__ == "__main__":
    main()
