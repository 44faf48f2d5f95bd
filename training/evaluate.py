"""Quality of a table alone: tools in the order of the cosine. evaluate.ts measures the search with a table.

python evaluate.py DATA TABLE.npz
"""

import sys
from pathlib import Path

import numpy as np

from texts import Data, Vocabulary


def unit(x: np.ndarray) -> np.ndarray:
    return x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-9)


def grade(ranked: list[int], needs: list[list[int]]) -> tuple[float, float]:
    """nDCG at 10 and recall at 5 of one answer."""
    open_needs, gain, five = [set(need) for need in needs], 0.0, 0
    for rank, tool in enumerate(ranked[:10]):
        met = next((need for need in open_needs if tool in need), None)
        if met is None:
            continue
        open_needs.remove(met)
        gain += 1 / np.log2(rank + 2)
        five += rank < 5
    ideal = sum(1 / np.log2(rank + 2) for rank in range(min(10, len(needs))))
    return gain / ideal, five / len(needs)


class Evaluation:
    def __init__(self, data: Data, vocabulary: Vocabulary, queries=None):
        self.data = data
        self.queries = queries or [query for query in data.queries if query.part in ("test", "report")]
        self.query_rows = data.query_rows(vocabulary, self.queries)
        self.tool_rows = data.tool_rows(vocabulary)

    def run(self, vectors: np.ndarray) -> dict[str, np.ndarray]:
        """By file of queries: nDCG at 10 and R at 5 in percent."""
        tools = unit(self.tool_rows @ vectors)
        queries = unit(self.query_rows @ vectors)
        graded: dict[str, list] = {}
        for query, vector in zip(self.queries, queries, strict=True):
            rows = self.data.sets[query.set]
            ranked = rows[np.argsort(-(tools[rows] @ vector), kind="stable")[:10]].tolist()
            name = f"{query.set} {query.file.removeprefix('queries').lstrip('.')}".strip()
            graded.setdefault(name, []).append(grade(ranked, query.needs))
        return {name: 100 * np.mean(each, 0) for name, each in graded.items()}


def show(results: dict[str, np.ndarray], title: str) -> None:
    print(title)
    for name, found in [*results.items(), ("macro", np.mean([*results.values()], 0))]:
        print(f"{name} | " + "%.1f / %.1f" % tuple(found), flush=True)


def main() -> None:
    data = Data(Path(sys.argv[1]))
    table = np.load(sys.argv[2])
    evaluation = Evaluation(data, Vocabulary(table["words"].tolist()))
    show(evaluation.run(table["vectors"].astype(np.float32)), "cosine, own catalogs")


if __name__ == "__main__":
    main()
