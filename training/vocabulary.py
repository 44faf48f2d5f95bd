"""The words of the table."""

import json
import re
from collections import Counter
from pathlib import Path

from tokenizers import Tokenizer

from wordnet import frequent_words

GLOSSARY = Path(__file__).parent / "words" / "glossary.tsv"


def lines(path: Path):
    with path.open(encoding="utf8") as file:
        for line in file:
            yield json.loads(line)


def glossary() -> dict[str, str]:
    """Names of products and technical words, and what each is for."""
    return dict(line.split("\t") for line in GLOSSARY.read_text(encoding="utf8").splitlines())


def vocabulary(data: Path, tokenizer: Tokenizer, dictionary: Path) -> list[str]:
    """The whole words of a tokenizer in order of frequency, the words of what may be learned, of the glossary, of WordNet."""
    known = tokenizer.get_vocab(with_added_tokens=False)
    words = [word for word in sorted(known, key=known.get) if re.fullmatch(r"[a-z]{2,}|[a-z]", word)]
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
