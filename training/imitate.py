"""Makes the sums of words near to what several sentence encoders say of whole texts.

python imitate.py DATA WORDNET reads what encode.py wrote for each of encoders.NAMES. Writes DATA/imitated.npz, the
words and their vectors of 384 numbers, and DATA/taught.npz, vectors of training queries and tools by all encoders.

The texts are the definitions of WordNet, the glossary, and tools of the sources of training. The new
vectors solve a ridge regression: the sum of a text's words is to be the vector of the text, and each word
is pulled to where it began.
"""

import re
import sys
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

import wordnet
from encode import TEMPLATES, tool_text
from encoders import NAMES, SIZE
from evaluate import unit
from tables import combined, frequency_weights, principal_axes
from texts import Data, Vocabulary, to_matrix
from vocabulary import glossary

PULL = 3.0
ROUNDS = 30
"""The part of a glossed word's first vector that its gloss sets."""
GLOSS = 0.5
LEFT_OUT = frozenset(
    "a an the of or and to in for that is are be by with on as from at it its which who whose not one other"
    " any used using something someone".split()
)


def centred(x: np.ndarray) -> np.ndarray:
    """Unit vectors around the mean."""
    return unit(x.astype(np.float32) - x.astype(np.float32).mean(0))


def first_vectors(encoded, rows: list[int]) -> np.ndarray:
    """What an encoder makes of each word alone, and of its gloss where it has one."""
    x = combined(encoded, [f"template{i}" for i in range(len(TEMPLATES))])
    x /= np.linalg.norm(x, axis=1).mean()
    named, alone = (encoded[name].astype(np.float32) for name in ("named", "alone"))
    glosses = centred(named - named.mean(0) + alone - alone.mean(0))
    length = np.linalg.norm(x[rows], axis=1, keepdims=True)
    x[rows] = unit((1 - GLOSS) * x[rows] / length + GLOSS * glosses) * length
    return x


def regress(x: np.ndarray, bags: csr_matrix, wanted: np.ndarray) -> np.ndarray:
    """The ridge regression, by conjugate gradients."""
    length = np.linalg.norm(bags @ x, axis=1)
    kept = length > 1e-6
    bags = csr_matrix(bags[kept].multiply(1 / length[kept, None]))
    wanted = wanted[kept]
    pull = PULL * np.asarray(bags.multiply(bags).sum(0)).mean()
    left = bags.T @ (wanted - bags @ x)
    change, direction, size = np.zeros_like(x), left.copy(), (left * left).sum(0)
    for _ in range(ROUNDS):
        product = bags.T @ (bags @ direction) + pull * direction
        step = size / ((direction * product).sum(0) + 1e-12)
        change += step * direction
        left -= step * product
        before, size = size, (left * left).sum(0)
        direction = left + size / (before + 1e-12) * direction
    for title, sums in (("before", bags @ x), ("after", bags @ (x + change))):
        print(f"cosine with the encoders {title}: %.3f" % (unit(sums) * wanted).sum(1).mean())
    return x + change


def main() -> None:
    folder, dictionary = Path(sys.argv[1]), Path(sys.argv[2])
    encoders = [np.load(folder / f"{name}.npz") for name in NAMES]
    first, data = encoders[0], Data(folder)
    words = first["words"].tolist()
    vocabulary, glosses = Vocabulary(words), glossary()

    def joined(part) -> np.ndarray:
        """The numbers of all encoders side by side."""
        return np.concatenate([part(each) for each in encoders], 1) / len(encoders) ** 0.5

    x = joined(lambda each: first_vectors(each, [vocabulary.place[word] for word in glosses]))
    registry = [data.tools[i] for i in data.sets["docker-mcp"]]
    tools = [data.tools[i] for i in first["tools"]]
    split = lambda text: [word for word in re.findall(r"[a-z]+", text.lower()) if word not in LEFT_OUT]
    bags = [split(text) for text in wordnet.texts(dictionary, words)]
    bags += [split(f"{word} {gloss}") for word, gloss in glosses.items()]
    bags += [tool_text(tool).split() for tool in [*tools, *registry]]
    kinds = ("defined", "named", "tool_vectors", "registered")
    wanted = np.concatenate([joined(lambda each, kind=kind: centred(each[kind])) for kind in kinds])
    axes = principal_axes(wanted, SIZE)
    weights = frequency_weights(len(words))
    found = [{at for word in bag if (at := vocabulary.find(word)) is not None} for bag in bags]
    matrix = to_matrix([{at: weights[at] for at in sorted(each)} for each in found], len(words))
    vectors = regress(x @ axes, matrix, unit(wanted @ axes))
    np.savez(folder / "imitated.npz", words=first["words"], vectors=vectors.astype(np.float32))

    def around_all(each, kind: str) -> np.ndarray:
        """Unit vectors around what queries and tools have in common: cosines of all encoders are on one scale."""
        both = [each[name].astype(np.float32) for name in ("query_vectors", "tool_vectors")]
        return unit(each[kind].astype(np.float32) - sum(one.mean(0) for one in both) / 2)

    taught = {
        kind: joined(lambda each, kind=kind: around_all(each, kind)).astype(np.float16)
        for kind in ("query_vectors", "tool_vectors")
    }
    np.savez(folder / "taught.npz", queries=first["queries"], tools=first["tools"], **taught)


if __name__ == "__main__":
    main()
