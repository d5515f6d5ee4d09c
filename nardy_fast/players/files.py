"""The files of networks: a .npz of NumPy arrays, with a header that says what they are and a checksum over all of it.

Members, each an array that needs no pickle:

- ``header``: uint8, UTF-8 JSON: ``format`` (`FORMAT`), ``version`` (`VERSION`), ``rules`` (the fields of the `Ruleset`),
  ``outputs`` (the results), ``encoding`` (one of `ENCODINGS`), ``phases``, ``inputs``, ``hidden``, ``training`` (how it was
  trained, free in its form), ``sha256`` (of the header without this entry, its keys sorted, and of dtype and bytes of the
  arrays in this order).
- ``first``: float32 or float16 [phases, inputs + 1, hidden]: the weights of each input, and last the constants.
- ``second``: [phases, outputs, hidden]. ``second_bias``: [phases, outputs].

Values, from the view of the player who has just moved: the chances are the softmax, over the results that can still happen, of
``second @ relu(first.T @ inputs) + second_bias``.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nardy_fast.arguments import short_repr
from nardy_fast.core import _encoding
from nardy_fast.players.chances import outputs
from nardy_fast.rules import Ruleset, ruleset

FORMAT = "nardy_fast network"
VERSION = 1
#: Which inputs a network has: the checkers on each slot (``slots``), or those and what is worked out from them (``dense-1``).
ENCODINGS = ("slots", "dense-1")
#: Race, contact.
PHASES = 2
#: The width of the hidden layer is a multiple of this, up to `MAX_HIDDEN`.
BLOCK = 64
MAX_HIDDEN = 1024
#: Longer files are no networks.
MAX_BYTES = 1 << 26

ARRAYS = ("first", "second", "second_bias")
_FIELDS = ("format", "version", "rules", "outputs", "encoding", "phases", "inputs", "hidden", "training", "sha256")


@dataclass
class Weights:
    """A network as arrays, float32 and C-contiguous."""

    rules: Ruleset
    encoding: str
    first: NDArray[np.float32]
    second: NDArray[np.float32]
    second_bias: NDArray[np.float32]
    training: dict[str, Any]

    @property
    def hidden(self) -> int:
        """The width of the hidden layer."""
        return int(self.first.shape[2])


def shapes(rules: Ruleset, encoding: str, hidden: int) -> dict[str, tuple[int, ...]]:
    """The shape of each array."""
    inputs, results = input_count(rules, encoding), len(outputs(rules))
    return {
        "first": (PHASES, inputs + 1, hidden),
        "second": (PHASES, results, hidden),
        "second_bias": (PHASES, results),
    }


def input_count(rules: Ruleset, encoding: str) -> int:
    """How many inputs there are, without the constant one."""
    return _encoding.SPARSE if encoding == "slots" else len(_encoding.columns(rules))


def write(weights: Weights, path: str | os.PathLike[str], dtype: type[np.floating[Any]] = np.float32) -> None:
    """Write the file, whole or not at all: it takes the place of an older one only when it is complete."""
    arrays = {name: np.ascontiguousarray(getattr(weights, name), dtype) for name in ARRAYS}
    header: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "rules": json.loads(weights.rules.to_json()),
        "outputs": list(outputs(weights.rules)),
        "encoding": weights.encoding,
        "phases": PHASES,
        "inputs": input_count(weights.rules, weights.encoding),
        "hidden": weights.hidden,
        "training": weights.training,
    }
    header["sha256"] = _checksum(header, arrays)
    content = io.BytesIO()
    text = np.frombuffer(json.dumps(header, sort_keys=True).encode(), np.uint8)
    np.savez_compressed(content, allow_pickle=False, header=text, **arrays)
    put(path, content.getvalue())


def put(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file, whole or not at all."""
    target = Path(path)
    partial = target.with_name(f"{target.name}.{os.getpid()}.partial")
    try:
        with open(partial, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)


def read(path: str | os.PathLike[str]) -> Weights:
    """Read a file that `write` wrote; `ValueError` naming the file and what is wrong for any other, `OSError` for none."""
    target = Path(path)
    if target.stat().st_size > MAX_BYTES:
        raise ValueError(f"{target}: {target.stat().st_size} bytes: expected a network of at most {MAX_BYTES}")
    try:
        return _weights(members(target.read_bytes(), ("header", *ARRAYS), "a network, as Network.save writes it", MAX_BYTES))
    except ValueError as error:
        raise ValueError(f"{target}: {error}") from None


def members(content: bytes, expected: Collection[str], what: str, most: int) -> dict[str, NDArray[Any]]:
    """The arrays of a .npz with just these members, `most` bytes together; `ValueError` for all else, which is not `what`."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            sizes = {info.filename.removesuffix(".npy"): info.file_size for info in archive.infolist()}
            if sizes.keys() == set(expected) and sum(sizes.values()) <= most:
                return {name: np.lib.format.read_array(io.BytesIO(archive.read(f"{name}.npy"))) for name in expected}
    except Exception:
        # What is no archive, or no array, may be told by any error of zipfile, zlib, NumPy and Python's tokenizer.
        raise ValueError(f"expected {what}") from None
    raise ValueError(f"members {short_repr(sorted(sizes))}: expected {sorted(expected)}, {most} bytes at most")


def _weights(content: dict[str, NDArray[Any]]) -> Weights:
    """The network that the members of a file are, all of it checked."""
    text = content["header"]
    if text.dtype != np.uint8 or text.ndim != 1:
        raise ValueError(f"header has dtype {text.dtype} and shape {text.shape}: expected uint8 of one dimension")
    try:
        header = json.loads(text.tobytes())
    except (ValueError, RecursionError):
        raise ValueError("header: expected JSON") from None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ValueError(f"header: expected format {FORMAT!r}")
    if header.get("version") != VERSION:
        raise ValueError(f"version = {short_repr(header.get('version'))}: expected {VERSION}")
    if header.keys() != set(_FIELDS):
        raise ValueError(f"header has {short_repr(sorted(header))}: expected {', '.join(_FIELDS)}")
    arrays = {name: content[name] for name in ARRAYS}
    if header.pop("sha256") != _checksum(header, arrays):
        raise ValueError("the checksum is not that of the content")
    rules = ruleset(Ruleset.from_json(json.dumps(header["rules"])))
    if header["outputs"] != list(outputs(rules)):
        raise ValueError(f"outputs = {short_repr(header['outputs'])}: expected {list(outputs(rules))}")
    if header["encoding"] not in ENCODINGS:
        raise ValueError(f"encoding = {short_repr(header['encoding'])}: expected one of {', '.join(ENCODINGS)}")
    if header["phases"] != PHASES or header["inputs"] != input_count(rules, header["encoding"]):
        raise ValueError(f"phases, inputs = {header['phases']}, {header['inputs']}: not those of the encoding")
    hidden, training = header["hidden"], header["training"]
    if type(hidden) is not int or not 1 <= hidden <= MAX_HIDDEN or hidden % BLOCK:
        raise ValueError(f"hidden = {short_repr(hidden)}: expected a multiple of {BLOCK} up to {MAX_HIDDEN}")
    if not isinstance(training, dict):
        raise ValueError(f"training = {short_repr(training)}: expected an object")
    for name, shape in shapes(rules, header["encoding"], hidden).items():
        array = arrays[name]
        if array.dtype not in (np.float32, np.float16) or array.shape != shape:
            raise ValueError(f"{name} has dtype {array.dtype} and shape {array.shape}: expected float32 or float16, {shape}")
        if not np.isfinite(array).all():
            raise ValueError(f"{name}: a weight is not finite")
    first, second, second_bias = (np.array(arrays[name], np.float32, order="C") for name in ARRAYS)
    return Weights(rules, header["encoding"], first, second, second_bias, training)


def _checksum(header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> str:
    """Of the header, its keys sorted, and of the arrays in their order."""
    digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    for name in ARRAYS:
        digest.update(str(arrays[name].dtype).encode())
        digest.update(np.ascontiguousarray(arrays[name]).tobytes())
    return digest.hexdigest()
