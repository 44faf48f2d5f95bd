"""Trains a table on pairs of query and tool.

python train.py DATA OUT.npz [--hold SOURCE] [--steps N] [--dimensions D] ...

The vector of a word is s(w) * (map(base(w)) + offset(w)). The map is shared, so it also moves words
that no pair has; offsets and weights of single words are pulled toward zero. The loss is InfoNCE
over the tools of one source: the right tool against those of other queries and against what the
lexical search finds.
"""

import argparse
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

from evaluate import Evaluation, show, unit
from tables import centred, frequency_weights, principal_axes
from texts import Data, Vocabulary


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--hold", default="", help="the source to leave out, and to measure with")
    parser.add_argument("--steps", type=int, default=800)
    parser.add_argument("--dimensions", type=int, default=128)
    parser.add_argument("--base", type=int, default=256)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--hard", type=int, default=3)
    parser.add_argument("--temperature", type=float, default=0.07)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--offset-decay", type=float, default=0.1)
    parser.add_argument("--weight-decay", type=float, default=0.02)
    parser.add_argument("--map-decay", type=float, default=0.02)
    parser.add_argument("--dropout", type=float, default=0.15)
    parser.add_argument("--bridge", type=float, default=0.3,
                        help="share of queries without the words of their tool")
    parser.add_argument("--others", type=int, default=400, help="tools of all sources as further negatives")
    parser.add_argument("--margin", type=float, default=0.05, help="a wrong tool this much nearer is left out")
    parser.add_argument("--taught", type=float, default=0.5, help="part of the target that the encoder sets")
    parser.add_argument("--taught-temperature", type=float, default=0.05)
    parser.add_argument("--seeds", type=int, default=4, help="tables are trained from so many seeds, and their mean is kept")
    return parser.parse_args()


def source_of(name: str) -> str:
    return "pairs" if name.startswith("pairs") else name


class Adam:
    """Adam on whole arrays or on some rows; `decay` pulls what it touches back to where it began."""

    def __init__(self, value: np.ndarray, rate: float, decay: float = 0.0):
        self.value, self.rate, self.decay = value, rate, decay
        self.mean, self.square = np.zeros_like(value), np.zeros_like(value)
        self.steps, self.origin = 0, value.copy()

    def update(self, gradient: np.ndarray, share: float, rows=slice(None)) -> None:
        self.steps += 1
        self.mean[rows] = 0.9 * self.mean[rows] + 0.1 * gradient
        self.square[rows] = 0.99 * self.square[rows] + 0.01 * gradient * gradient
        fair = (1 - 0.9**self.steps), (1 - 0.99**self.steps)
        step = (self.mean[rows] / fair[0]) / (np.sqrt(self.square[rows] / fair[1]) + 1e-8)
        rate = self.rate * share
        self.value[rows] -= rate * step + share * self.decay * (self.value[rows] - self.origin[rows])


class Model:
    def __init__(self, base: np.ndarray, weights: np.ndarray, options):
        count, size = base.shape
        width, rate = options.dimensions, options.rate
        self.base, self.prior = base, np.log(weights)
        self.map = Adam(np.eye(size, width, dtype=np.float32), rate, options.map_decay)
        self.telling = Adam(np.zeros(size, np.float32), rate)
        self.offset = Adam(np.zeros((count, width), np.float32), rate, options.offset_decay)
        self.single = Adam(np.zeros(count, np.float32), 5 * rate, options.weight_decay)

    def forward(self, rows):
        base = self.base[rows]
        mapped = base @ self.map.value + self.offset.value[rows]
        scale = np.exp(self.prior[rows] + base @ self.telling.value + self.single.value[rows])
        return base, scale, mapped

    def vectors(self) -> np.ndarray:
        _, scale, mapped = self.forward(slice(None))
        return scale[:, None] * mapped

    def learn(self, rows, cache, gradient: np.ndarray, share: float) -> None:
        base, scale, mapped = cache
        to_mapped = gradient * scale[:, None]
        to_scale = (to_mapped * mapped).sum(1)
        self.map.update(base.T @ to_mapped, share)
        self.telling.update(base.T @ to_scale, share)
        self.offset.update(to_mapped, share, rows)
        self.single.update(to_scale, share, rows)


class Source:
    """The pairs of one catalog."""

    def __init__(self, data: Data, name: str, rows: csr_matrix, queries: list):
        self.name, self.rows = name, rows
        self.tools = data.sets[name]
        self.taught = None
        self.queries = queries
        self.gold = [np.array(sorted({tool for need in q.needs for tool in need})) for q in queries]
        self.hard = [
            np.array([tool for tool in q.hits[:40] if tool not in set(gold.tolist())])
            for q, gold in zip(queries, self.gold, strict=True)
        ]

    def taught_target(self, chosen, tools, allowed):
        queries, numbers, of_tools, temperature = self.taught
        scores = queries[chosen] @ of_tools[numbers[tools]].T / temperature
        scores = np.where(allowed & (numbers[tools] >= 0), scores, -1e9)
        scores = np.exp(scores - scores.max(1, keepdims=True))
        return scores / scores.sum(1, keepdims=True)

    def batch(self, random, options, others: np.ndarray):
        chosen = random.choice(len(self.queries), min(options.batch, len(self.queries)), replace=False)
        right = np.array([random.choice(self.gold[i]) for i in chosen])
        wrong = [random.choice(self.hard[i], min(options.hard, len(self.hard[i])), replace=False)
                 for i in chosen if len(self.hard[i])]
        tools = np.unique(np.concatenate([right, *wrong, random.choice(others, options.others, replace=False)]))
        allowed = np.ones((len(chosen), len(tools)), bool)
        for row, i in enumerate(chosen):
            allowed[row, np.isin(tools, self.gold[i])] = False
        at = np.searchsorted(tools, right)
        allowed[np.arange(len(chosen)), at] = True
        return chosen, tools, at, allowed


def dropped(matrix: csr_matrix, share: float, random) -> csr_matrix:
    matrix = matrix.copy()
    matrix.data *= random.random(len(matrix.data)) >= share
    return matrix


def bridged(queries: csr_matrix, tools: csr_matrix, is_chosen: np.ndarray) -> csr_matrix:
    """The chosen queries without the words that their tools have, where others remain."""
    shared = queries.multiply(tools > 0).tocsr()
    remains = np.diff(queries.indptr) > np.diff(shared.indptr)
    share = (is_chosen & remains).astype(np.float32)
    left = queries - shared.multiply(share[:, None]).tocsr()
    left.eliminate_zeros()
    return left.tocsr()


def direction_gradient(gradient, directions, lengths):
    inner = (gradient * directions).sum(1, keepdims=True)
    return (gradient - directions * inner) / lengths


def step(model: Model, source: Source, tool_rows, others, options, random, share: float) -> float:
    chosen, tools, at, allowed = source.batch(random, options, others)
    x = source.rows[chosen]
    if options.bridge:
        x = bridged(x, tool_rows[tools[at]], random.random(len(chosen)) < options.bridge)
    x = dropped(x, options.dropout, random)
    y = dropped(tool_rows[tools], options.dropout, random)
    words = np.unique(np.concatenate([x.indices, y.indices]))
    x, y = x[:, words], y[:, words]
    cache = model.forward(words)
    vectors = cache[1][:, None] * cache[2]
    q, t = x @ vectors, y @ vectors
    q_length = np.maximum(np.linalg.norm(q, axis=1, keepdims=True), 1e-3)
    t_length = np.maximum(np.linalg.norm(t, axis=1, keepdims=True), 1e-3)
    q, t = q / q_length, t / t_length
    line = np.arange(len(chosen))
    cosines = q @ t.T
    if options.others:  # Of another source, a tool that is nearer than the right one may be right too.
        foreign = ~np.isin(tools, source.tools)
        allowed &= ~(foreign & (cosines > cosines[line, at][:, None] - options.margin))
    scores = cosines / options.temperature
    scores = np.where(allowed, scores, -1e9)
    scores -= scores.max(1, keepdims=True)
    share_of = np.exp(scores)
    share_of /= share_of.sum(1, keepdims=True)
    loss = -np.log(share_of[line, at] + 1e-9).mean()
    target = np.zeros_like(share_of)
    target[line, at] = 1
    if source.taught is not None:
        target = (1 - options.taught) * target + options.taught * source.taught_target(chosen, tools, allowed)
    gradient = (share_of - target) / (len(chosen) * options.temperature)
    to_q = direction_gradient(gradient @ t, q, q_length)
    to_t = direction_gradient(gradient.T @ q, t, t_length)
    model.learn(words, cache, x.T @ to_q + y.T @ to_t, share)
    return float(loss)


def main() -> None:
    options = arguments()
    data = Data(options.data)
    base_file = np.load(options.data / "imitated.npz")
    vocabulary = Vocabulary(base_file["words"].tolist())
    base = centred(base_file["vectors"])
    base = base @ principal_axes(base, options.base)
    base = (base / np.linalg.norm(base, axis=1).mean()).astype(np.float32)
    tool_rows = data.tool_rows(vocabulary)

    taught = np.load(options.data / "taught.npz") if options.taught else None
    row_of = {i: row for row, i in enumerate(taught["queries"].tolist())} if taught else {}
    by_set: dict[str, list] = {}
    for number, query in enumerate(data.queries):
        query.number = number
        if taught and number not in row_of:
            continue
        held = options.hold in (query.set, source_of(query.set))
        if query.part == "train" and not held and query.file != "queries.multi" and query.needs[0]:
            by_set.setdefault(query.set, []).append(query)
    sources = [
        Source(data, name, data.query_rows(vocabulary, queries), queries) for name, queries in by_set.items()
    ]
    if taught:
        numbers = np.full(len(data.tools), -1)
        numbers[taught["tools"]] = np.arange(len(taught["tools"]))
        of_queries, of_tools = (taught[f"{each}_vectors"].astype(np.float32) for each in ("query", "tool"))
        for source in sources:
            rows = [row_of[query.number] for query in source.queries]
            source.taught = of_queries[rows], numbers, of_tools, options.taught_temperature
    chances = np.array([len(source.queries) ** 0.5 for source in sources])
    print({s.name: len(s.queries) for s in sources}, flush=True)
    others = np.concatenate([data.sets[name] for name in [*by_set, "docker-mcp"]])
    tables = []
    for seed in range(1, options.seeds + 1):
        random = np.random.default_rng(seed)
        model = Model(base, frequency_weights(len(base)), options)
        losses = []
        for number in range(options.steps):
            source = sources[random.choice(len(sources), p=chances / chances.sum())]
            share = min(1, (number + 1) / 50) * (1 - 0.9 * number / options.steps)
            losses.append(step(model, source, tool_rows, others, options, random, share))
        print("seed", seed, "loss %.3f" % np.mean(losses[-250:]), flush=True)
        tables.append(model.vectors())
    vectors = np.mean(tables, 0)
    np.savez(options.out, words=base_file["words"], vectors=vectors)
    if options.hold:
        evaluation = Evaluation(data, vocabulary, held_queries(data, options.hold))
        show(evaluation.run(vectors), f"held out: {options.hold}")


def held_queries(data: Data, source: str) -> list:
    """A sample of what could be learned from the source."""
    queries = [q for q in data.queries if q.part == "train" and source in (q.set, source_of(q.set))]
    chosen = np.random.default_rng(0).permutation(len(queries))[:600]
    return [queries[i] for i in chosen]


if __name__ == "__main__":
    main()
