"""What a text means as a whole: a sentence model that comes with the program and runs in NumPy.

The model is all-MiniLM-L6-v2 (Reimers and Gurevych, "Sentence-BERT", 2019; Wang et al., "MiniLM", 2020), a
transformer of six layers that turns a text of up to 128 pieces of words into a direction: texts that say the
same in other words point the same way. It knows English. It finds what is near, and never says that two texts
agree: of "reduced" and "did not reduce" it makes nearly the same. `data/README.md` says where its numbers
come from.

A text is worked out by itself, so that its direction does not depend on its company.
"""

import math
import os
import time
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from contextvars import ContextVar
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

Matrix = NDArray[np.float32]

DIRECTIONS = 384
"""Numbers of a vector."""
_LAYERS, _HEADS = 6, 12
_LONGEST = 128
"""Pieces of a text that are looked at, its beginning and its end marks among them."""
_LONGEST_WORD = 100
"""Characters of a word; a longer one is unknown."""
_EPSILON = 1e-12
_NARROWER = np.float32(1 / math.sqrt(DIRECTIONS / _HEADS))
_HALF, _ROOT = np.float32(0.5), np.float32(math.sqrt(2 / math.pi))
_CUBE = np.float32(0.044715) * _ROOT
_ROWS, _MOST_ROWS = 32, 256
"""A matrix of pieces has a multiple of the one; of several texts the other at most, which the caches hold."""
_KEPT = 20_000
"""Vectors that a process keeps, of half a kilobyte each."""
_STEPS = 127.0
_ROOM = 300_000_000
"""Bytes of addresses that reading the model and its threads' buffers take at most."""
_THREADS = 4
"""That work at once, as far as there are processors: most of the work is done without Python's lock."""
_UNTOLD = 1.0
"""Seconds before anybody is told how far it is."""
MEANING_PROGRESS: ContextVar[Callable[[int, int], None] | None] = ContextVar("meaning_progress", default=None)
"""Is told, in the thread that works, of how many texts how many are worked out, when that takes long."""


class SentenceModel:
    """Texts to vectors."""

    def __init__(self, table: Mapping[str, NDArray[Any]]) -> None:
        """Take the table as `benchmarks/made_tables/sentence_model.py` writes it."""
        pieces = table["pieces"].tobytes().decode().split("\n")
        self._names = pieces
        self._numbers = {piece: number for number, piece in enumerate(pieces)}
        self._begin, self._end, self._unknown = (self._numbers[mark] for mark in ("[CLS]", "[SEP]", "[UNK]"))
        self._words, self._scales = table["words"], table["words.scales"][:, None]
        self._places = table["places"].astype(np.float32)
        self._norm = (table["LayerNorm.weight"], table["LayerNorm.bias"])
        self._layers = [_Layer(table, number) for number in range(_LAYERS)]

    def pieces(self, text: str) -> list[int]:
        """Return the numbers of a text's pieces of words, 128 at most: of a long text the beginning alone."""
        return self.parts(text, 1)[0]

    def parts(self, text: str, most: int) -> list[list[int]]:
        """Return a text's pieces in up to so many parts of 128 at most, each with its marks."""
        room = _LONGEST - 2
        found = self._of_text(text, most * room)[: most * room]
        starts = range(0, max(1, len(found)), room)
        return [[self._begin, *found[n : n + room], self._end] for n in starts]

    def said(self, pieces: Sequence[int]) -> list[bool]:
        """Tell of each piece whether it is of a word: no mark, no sign."""
        return [self._names[piece].lstrip("#").isalnum() for piece in pieces]

    def encode(self, texts: Sequence[Sequence[int]]) -> Matrix:
        """Return a row of length 1 for each text, given in pieces; shape (texts, 384)."""
        means = np.stack([state.mean(axis=0) for state in self.states(texts)])
        lengths = np.linalg.norm(means, axis=1, keepdims=True)
        return np.asarray(means / np.maximum(_EPSILON, lengths), dtype=np.float32)

    def states(self, texts: Sequence[Sequence[int]]) -> list[Matrix]:
        """Return what each piece of each text, given in pieces, means where it stands: shape (pieces, 384).

        The texts stand below each other in one matrix, for which each layer's numbers are fetched once. It
        has a multiple of so many rows that each is worked out the same way, whatever stands beside it.
        """
        ends = np.cumsum([len(text) for text in texts]).tolist()
        spans = [slice(end - len(text), end) for text, end in zip(texts, ends, strict=True)]
        row = np.concatenate([np.array(text) for text in texts])
        state = np.zeros((-(-len(row) // _ROWS) * _ROWS, DIRECTIONS), dtype=np.float32)
        state[: len(row)] = self._words[row] * self._scales[row]
        for span, text in zip(spans, texts, strict=True):
            state[span] += self._places[: len(text)]
        state = _normal(state, *self._norm)
        for layer in self._layers:
            state = layer(state, spans)
        return [state[span] for span in spans]

    def _of_text(self, text: str, most: int) -> list[int]:
        """Cut a text into so many pieces of words at least, if it has as many.

        Of each word the longest beginning that is known, and so on.
        """
        found: list[int] = []
        for word in _words(text):
            found += self._of_word(word)
            if len(found) >= most:
                break
        return found

    def _of_word(self, word: str) -> list[int]:
        found: list[int] = []
        start = 0
        while start < len(word) <= _LONGEST_WORD:
            ends = range(len(word), start, -1)
            mark = "##" if start else ""
            piece = next(
                ((self._numbers[p], e) for e in ends if (p := mark + word[start:e]) in self._numbers), None
            )
            if piece is None:
                return [self._unknown]
            found.append(piece[0])
            start = piece[1]
        return found or [self._unknown]


class _Layer:
    """A layer of the transformer: attention, then two matrices with a bend between them."""

    def __init__(self, table: Mapping[str, NDArray[Any]], number: int) -> None:
        def matrix(*names: str) -> tuple[Matrix, Matrix]:
            whole = [f"{number}.{name}.weight" for name in names]
            weights = [table[name].astype(np.float32) * table[f"{name}.scales"][:, None] for name in whole]
            biases = [table[f"{number}.{name}.bias"] for name in names]
            return np.ascontiguousarray(np.concatenate(weights).T), np.concatenate(biases)

        def norm(name: str) -> tuple[Matrix, Matrix]:
            return table[f"{number}.{name}.LayerNorm.weight"], table[f"{number}.{name}.LayerNorm.bias"]

        self._attention = matrix(*(f"attention.self.{part}" for part in ("query", "key", "value")))
        self._joined, self._first_norm = matrix("attention.output.dense"), norm("attention.output")
        self._wide, self._narrow = matrix("intermediate.dense"), matrix("output.dense")
        self._second_norm = norm("output")

    def __call__(self, state: Matrix, texts: Sequence[slice]) -> Matrix:
        """Return the next state; both of shape (pieces, 384). `texts`: which rows are each one's."""
        looked = _linear(state, self._attention)
        seen = np.zeros_like(state)
        for span in texts:
            seen[span] = _attended(looked[span])
        seen = _linear(seen, self._joined)
        state = _normal(np.add(seen, state, out=seen), *self._first_norm)
        narrow = _linear(_bent(_linear(state, self._wide)), self._narrow)
        return _normal(np.add(narrow, state, out=narrow), *self._second_norm)


class KeptVectors(Protocol):
    """Where vectors are kept from one process to the next."""

    @property
    def path(self) -> Path:
        """The file."""

    def close(self) -> None:
        """Close the file."""

    def find(self, texts: Sequence[str]) -> dict[str, NDArray[np.int8]]:
        """Return the vectors that are kept, by text."""

    def keep(self, vectors: Mapping[str, NDArray[np.int8]]) -> None:
        """Keep vectors by text."""


class SentenceVectors:
    """Vectors of texts, each worked out once: what was asked for last is kept."""

    def __init__(self, model: Callable[[], SentenceModel]) -> None:
        """Take a model; it is asked for when a text is not known yet."""
        self._model = model
        self.disk: KeptVectors | None = None
        """Where they are kept beyond this process; None: nowhere."""
        self._kept: OrderedDict[str, NDArray[np.int8]] = OrderedDict()
        self._lock = Lock()

    def forget(self) -> None:
        """Let go of what is kept in memory; what is on the disk stays."""
        with self._lock:
            self._kept.clear()

    def of(self, texts: Sequence[str]) -> Matrix:
        """Return a row of length 1 for each text; shape (texts, 384)."""
        if not texts:
            return np.zeros((0, DIRECTIONS), dtype=np.float32)
        packed = self._packed(texts)
        matrix = np.array([packed[text] for text in texts], dtype=np.float32)
        return np.asarray(matrix / np.linalg.norm(matrix, axis=1, keepdims=True), dtype=np.float32)

    def likeness(self, text: str, others: Sequence[str]) -> list[float]:
        """Return the cosine of a text with each of some others, from -1 to 1, in thousandths."""
        cosines = self.of(others) @ self.of([text])[0]
        return [round(float(cosine), 3) for cosine in cosines]

    def _packed(self, texts: Sequence[str]) -> dict[str, NDArray[np.int8]]:
        with self._lock:
            found = {text: self._kept[text] for text in texts if text in self._kept}
        disk = self.disk
        if disk is not None and len(found) < len(texts):
            found |= disk.find([text for text in texts if text not in found])
        unknown = [text for text in dict.fromkeys(texts) if text not in found]
        new = self._worked_out(unknown) if unknown else {}
        if disk is not None and new:
            disk.keep(new)
        found |= new
        with self._lock:
            for text, vector in found.items():
                self._kept[text] = vector
                self._kept.move_to_end(text)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return found

    def _worked_out(self, texts: Sequence[str]) -> dict[str, NDArray[np.int8]]:
        model = self._model()
        pieces = [model.pieces(text) for text in texts]
        rows = in_batches(pieces, model.encode)
        return {text: _packed(vector) for text, vector in zip(texts, rows, strict=True)}


def in_batches(
    texts: Sequence[Sequence[int]], work: Callable[[list[Sequence[int]]], Iterable[Matrix]]
) -> list[Matrix]:
    """Return what is worked out of each text, given in pieces: several at once, on a thread a processor.

    Args:
        texts: In pieces.
        work: Returns something for each of a few texts.
    """
    batches = _batches(texts)
    with ONE_BLAS_THREAD:
        workers = min(_THREADS, len(batches), os.cpu_count() or 1)
        if workers <= 1:
            return [one for found in _told(map(work, batches), batches) for one in found]
        with ThreadPoolExecutor(workers, "meaning") as threads:
            return [one for found in _told(threads.map(work, batches), batches) for one in found]


def _told(
    found: Iterable[Iterable[Matrix]], batches: Sequence[Sequence[object]]
) -> Iterator[Iterable[Matrix]]:
    """Pass on what is worked out of each batch, and tell whoever listens how far it is."""
    began, done, of = time.monotonic(), 0, sum(map(len, batches))
    tell = MEANING_PROGRESS.get()
    for batch, worked_out in zip(batches, found, strict=True):
        done += len(batch)
        if tell is not None and time.monotonic() - began >= _UNTOLD:
            tell(done, of)
        yield worked_out


def _batches(texts: Sequence[Sequence[int]]) -> list[list[Sequence[int]]]:
    """Return texts in groups of so many pieces as are worked out at once."""
    batches: list[list[Sequence[int]]] = []
    room = 0
    for pieces in texts:
        if len(pieces) > room:
            batches.append([])
            room = _MOST_ROWS
        batches[-1].append(pieces)
        room -= len(pieces)
    return batches


class _OneBlasThread:
    """Bounds BLAS to one thread while anybody is inside, whoever came first or leaves last.

    The matrices are small: BLAS's threads wait for each other, ten times as long where others work.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside = 0
        self._bound = ExitStack()

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._bound.enter_context(_blas().limit(limits=1, user_api="blas"))
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._bound.close()


ONE_BLAS_THREAD = _OneBlasThread()


@lru_cache(maxsize=1)
def _blas() -> ThreadpoolController:
    return ThreadpoolController()


def _packed(vector: Matrix) -> NDArray[np.int8]:
    packed: NDArray[np.int8] = np.round(vector / np.abs(vector).max() * _STEPS).astype(np.int8)
    return packed


@lru_cache(maxsize=1)
def sentence_model() -> SentenceModel:
    """Return the model that comes with the program; it is read when first asked for.

    Raises:
        MemoryError: there is not room for it.
    """
    # BLAS ends the process where it is refused room for its buffers: ask for as much first, and give it back.
    np.empty(_ROOM, dtype=np.uint8)
    data = (files("library.text") / "data" / "sentence_model.npz").read_bytes()
    with np.load(BytesIO(data)) as table:
        return SentenceModel({name: table[name] for name in table.files})


@lru_cache(maxsize=1)
def sentence_vectors() -> SentenceVectors:
    """Return this process's vectors by the model that comes with the program."""
    return SentenceVectors(sentence_model)


def keep_vectors(disk: KeptVectors) -> None:
    """Keep what is worked out from now on beyond this process, and use what others kept."""
    vectors = sentence_vectors()
    before = vectors.disk
    if before is not None and before.path == disk.path:
        return  # it is shared by all that is at work: a file for each would stay open
    vectors.disk = disk
    if before is not None:
        before.close()


def _words(text: str) -> list[str]:
    """Return the words of a text as the model was taught them: small letters, no accents, signs apart."""
    plain = (
        sign for sign in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(sign) != "Mn"
    )
    spaced = (f" {sign} " if _stands_alone(sign) else sign for sign in plain)
    return "".join(spaced).split()


@lru_cache(maxsize=5_000)
def _stands_alone(sign: str) -> bool:
    return not (sign.isalnum() or sign.isspace())


def _linear(state: Matrix, layer: tuple[Matrix, Matrix]) -> Matrix:
    result: Matrix = state @ layer[0]
    result += layer[1]
    return result


def _attended(looked: Matrix) -> Matrix:
    """Return what the pieces of one text take from each other: questions, keys and values side by side."""
    asked, keys, values = looked.reshape(len(looked), 3, _HEADS, -1).transpose(1, 2, 0, 3)
    shares = asked @ keys.transpose(0, 2, 1)
    shares *= _NARROWER
    shares -= shares.max(axis=-1, keepdims=True)
    np.exp(shares, out=shares)
    shares /= shares.sum(axis=-1, keepdims=True)
    return np.asarray((shares @ values).transpose(1, 0, 2).reshape(len(looked), DIRECTIONS))


def _normal(state: Matrix, weight: Matrix, bias: Matrix) -> Matrix:
    """Normalize each row, in its place (Ba, Kiros and Hinton, "Layer Normalization", 2016)."""
    state -= state.mean(axis=-1, keepdims=True)
    state /= np.sqrt((state * state).mean(axis=-1, keepdims=True) + np.float32(_EPSILON))
    state *= weight
    state += bias
    return state


def _bent(state: Matrix) -> Matrix:
    """Apply the Gaussian error linear unit, by its tanh form (Hendrycks and Gimpel, 2016), in its place."""
    inner = state * state
    inner *= _CUBE
    inner += _ROOT
    inner *= state
    np.tanh(inner, out=inner)
    inner += 1
    inner *= _HALF
    state *= inner
    return state
