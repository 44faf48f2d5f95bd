"""Quality of a table: alone, and fused with the lexical search.

python evaluate.py DATA TABLE.npz [--merged]
"""

import sys
from pathlib import Path

import numpy as np

from texts import Data, Vocabulary

WEIGHTS = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
NEAREST = 50
"""A query of more words names several needs or details: its cosine counts less."""
LONG = 20


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
        self.names = [f"{q.set} {q.file.removeprefix('queries').lstrip('.')}".strip() for q in self.queries]
        self.query_rows = data.query_rows(vocabulary, self.queries)
        self.tool_rows = data.tool_rows(vocabulary)

    def run(self, vectors: np.ndarray, merged=False, weights=WEIGHTS, centre=False, only=None) -> dict[str, dict]:
        """By set and by way ("lexical", "cosine", or a weight): nDCG at 10 and R at 5 in percent."""
        tools = self.tool_rows @ vectors
        queries = unit(self.query_rows @ vectors)
        sums: dict[str, dict] = {}
        prepared: dict[str, tuple] = {}
        for i, query in enumerate(self.queries):
            if only and not only(self.names[i]):
                continue
            key = "merged" if merged else query.set
            if key not in prepared:
                rows = self.data.merged if merged else self.data.sets[query.set]
                unitary = unit(tools[rows])
                if centre:
                    unitary = unit(unitary - unitary.mean(0))
                prepared[key] = (rows, unitary)
            rows, unitary = prepared[key]
            cosines = unitary @ queries[i]
            hits = query.all if merged else query.hits
            near = np.argpartition(-cosines, NEAREST)[:NEAREST] if len(rows) > NEAREST else np.arange(len(rows))
            near = near[np.argsort(-cosines[near], kind="stable")]
            lexical = dict(hits)
            candidates = np.array(sorted(set(lexical) | set(rows[near].tolist())))
            base = np.array([lexical.get(tool, 0.0) for tool in candidates])
            cosine = cosines[np.searchsorted(rows, candidates)]
            answers = {"lexical": [tool for tool, _ in hits[:10]], "cosine": rows[near[:10]].tolist()}
            for weight in weights:
                share = weight * min(1, LONG / max(1, len(query.words)))
                order = np.argsort(-(base + share * cosine), kind="stable")[:10]
                answers[weight] = candidates[order].tolist()
            into = sums.setdefault(self.names[i], {})
            for way, ranked in answers.items():
                into.setdefault(way, []).append(grade(ranked, query.needs))
        return {name: {way: 100 * np.mean(each, 0) for way, each in ways.items()} for name, ways in sums.items()}


def show(results: dict[str, dict], title: str) -> None:
    ways = list(next(iter(results.values())))
    print(f"{title}\nset | " + " | ".join(str(way) for way in ways))
    for name, found in results.items():
        print(f"{name} | " + " | ".join("%.1f / %.1f" % tuple(found[way]) for way in ways))
    macro = {way: np.mean([found[way] for found in results.values()], 0) for way in ways}
    print("macro | " + " | ".join("%.1f / %.1f" % tuple(macro[way]) for way in ways), flush=True)


def main() -> None:
    data = Data(Path(sys.argv[1]))
    table = np.load(sys.argv[2])
    vocabulary = Vocabulary(table["words"].tolist())
    evaluation = Evaluation(data, vocabulary)
    vectors = table["vectors"].astype(np.float32)
    show(evaluation.run(vectors), "own catalogs")
    if "--merged" in sys.argv:
        show(evaluation.run(vectors, merged=True, weights=(0.05, 0.1, 0.15, 0.2, 0.3)), "all tools")


if __name__ == "__main__":
    main()
