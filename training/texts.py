"""Tools and queries as sparse rows of word weights."""

import json
import math
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

LEAD_WORDS = 20
FIELDS = ("name", "group", "lead", "rest", "parameters", "details")
"""What a field adds to a tool's vector: this weight, shared by its words."""
FIELD_WEIGHTS = {"name": 1.0, "group": 0.4, "lead": 1.0, "rest": 0.4, "parameters": 0.25, "details": 0.15}
"""A field of n words adds weight / n ** LENGTH for each word."""
LENGTH = 0.7


def simpler_forms(word: str) -> list[str]:
    """Forms of an unknown word that may be known, the likeliest first. As in src/vectors."""
    forms = []
    for ending, instead in (
        ("ies", ("y",)), ("es", ("", "e")), ("s", ("",)), ("ied", ("y",)), ("ed", ("", "e")),
        ("ing", ("", "e")), ("er", ("", "e")), ("ers", ("", "e")), ("ly", ("",)), ("tion", ("te", "t")),
    ):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            stem = word[: -len(ending)]
            forms += [stem + each for each in instead]
            if ending in ("ed", "ing", "er") and stem[-1] == stem[-2]:
                forms.append(stem[:-1])
    return forms


class Vocabulary:
    def __init__(self, words: list[str]):
        self.words = words
        self.place = {word: i for i, word in enumerate(words)}
        self.found: dict[str, int | None] = dict(self.place)

    def find(self, word: str) -> int | None:
        if word not in self.found:
            forms = (self.place[form] for form in simpler_forms(word) if form in self.place)
            self.found[word] = next(forms, None)
        return self.found[word]


@dataclass
class Query:
    set: str
    file: str
    part: str
    words: list[str]
    needs: list[list[int]]
    hits: list[int]
    """What the search by words finds in the query's own catalog, best first."""
    number: int = -1


class Data:
    """What export.ts wrote. Tools are numbered in the order of the file."""

    def __init__(self, folder: Path):
        read = lambda name: (json.loads(line) for line in (folder / name).open(encoding="utf8"))
        self.tools = list(read("tools.jsonl"))
        number = {tool["key"]: i for i, tool in enumerate(self.tools)}
        self.sets: dict[str, np.ndarray] = {}
        for i, tool in enumerate(self.tools):
            self.sets.setdefault(tool["set"], []).append(i)
        self.sets = {name: np.array(rows) for name, rows in self.sets.items()}
        self.queries = [
            Query(q["set"], q["file"], q["part"], q["words"],
                  [[number[key] for key in need if key in number] for need in q["needs"]],
                  [number[key] for key, _ in q["hits"]])
            for q in read("queries.jsonl") if q["part"] != "unused"
        ]

    def tool_rows(self, vocabulary: Vocabulary, only: list[int] | None = None) -> csr_matrix:
        rows = []
        for tool in self.tools if only is None else (self.tools[i] for i in only):
            row: Counter[int] = Counter()
            parts = {**tool, "lead": tool["description"][:LEAD_WORDS], "rest": tool["description"][LEAD_WORDS:]}
            for name in FIELDS:
                found = [at for word in parts[name] if (at := vocabulary.find(word)) is not None]
                for at in found:
                    row[at] += FIELD_WEIGHTS[name] / len(found) ** LENGTH
            rows.append(row)
        return to_matrix(rows, len(vocabulary.words))

    def query_rows(self, vocabulary: Vocabulary, queries: list[Query]) -> csr_matrix:
        rows = []
        for query in queries:
            counts = Counter(at for word in query.words if (at := vocabulary.find(word)) is not None)
            rows.append({at: 1 + math.log(count) for at, count in counts.items()})
        return to_matrix(rows, len(vocabulary.words))


def to_matrix(rows: list[dict[int, float]], width: int) -> csr_matrix:
    starts = np.cumsum([0] + [len(row) for row in rows])
    columns = np.fromiter((at for row in rows for at in row), np.int32, starts[-1])
    values = np.fromiter((value for row in rows for value in row.values()), np.float32, starts[-1])
    return csr_matrix((values, columns, starts), shape=(len(rows), width), dtype=np.float32)
