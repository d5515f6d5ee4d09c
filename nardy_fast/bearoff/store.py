"""Table files: arrays behind a checksum, written whole or not at all, and read or, if they are large, mapped into memory.

A file is a magic word, a digest of everything after the digest, and a header in JSON that says what the table is and where its
arrays lie. It is written under another name, and takes its own only when all of it is on the disk; so a build that is killed
leaves at most a draft, which the next one removes. A file that is not exactly what it should be counts as absent.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import mmap
import os
import secrets
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import numpy as np
from numpy.typing import NDArray

from nardy_fast.bearoff.progress import Progress, reported

try:
    import fcntl
except ImportError:  # Windows, where an open file cannot be removed anyway
    fcntl = None  # type: ignore[assignment]

#: The environment variable that sets the cache folder.
CACHE_VARIABLE = "NARDY_FAST_CACHE"
#: Goes up with every change of what is stored, so that old files are never taken for new ones.
FORMAT = 1

MAGIC = b"nardyfst"
DIGEST_SIZE = 32
BODY = len(MAGIC) + DIGEST_SIZE
ALIGNMENT = 64
BLOCK = 1 << 20
#: A file that somebody truncates while it is mapped ends the process at the next look, so that small ones are read.
MAX_READ = 1 << 26
#: Elsewhere the table is made in memory and then written.
CAN_RENAME_MAPPED = os.name != "nt"

Arrays = dict[str, NDArray[Any]]
#: For each array its dtype and shape.
Sizes = Mapping[str, tuple[str, tuple[int, ...]]]


def cache_folder(folder: str | os.PathLike[str] | None = None) -> Path:
    """Where tables are kept: `folder`, or what the environment variable NARDY_FAST_CACHE says, or the user's cache folder."""
    if folder is not None:
        return Path(folder)
    if os.environ.get(CACHE_VARIABLE):
        return Path(os.environ[CACHE_VARIABLE])
    base: str | Path
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME", "")
        # By that convention a path that is not absolute does not count.
        base = base if os.path.isabs(base) else Path.home() / ".cache"
    return Path(base) / "nardy_fast"


def path_of(folder: Path, kind: str, key: Mapping[str, Any]) -> Path:
    """The file for a table of that kind and key."""
    digest = hashlib.blake2b(_identity(kind, key).encode(), digest_size=6).hexdigest()
    return folder / f"{kind}-{digest}.table"


def read(path: Path, kind: str, key: Mapping[str, Any]) -> Arrays | None:
    """The arrays of the file, read-only; None where there is no such file or anything in it is wrong.

    A file of up to `MAX_READ` bytes is read into memory; a larger one is mapped, and must not be cut while it is looked into.
    """
    data: bytes | mmap.mmap
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size <= MAX_READ:
                data = file.read()
            else:
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):
        return None
    if data[: len(MAGIC)] != MAGIC or data[len(MAGIC) : BODY] != _digest(data):
        return None
    # The checksum is right: this module has written it, or somebody who meant it to be taken for that.
    try:
        header, _ = json.JSONDecoder().raw_decode(data[BODY : BODY + data.find(b"\0", BODY) - BODY].decode())
        if header["table"] != json.loads(_identity(kind, key)):
            return None
        return _views(data, header["arrays"], writeable=False)
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError):
        return None


def obtain(
    folder: Path | None,
    kind: str,
    key: Mapping[str, Any],
    builder: Callable[[Progress], Builder],
    what: str,
    progress: Progress | bool | None,
) -> tuple[Arrays, Path | None]:
    """The arrays of a table and the file that holds them: read from `folder`, or else built, and written there if that can be.

    With `folder` None they are built in memory. `what` is what the bar says meanwhile.
    """
    path = None if folder is None else path_of(folder, kind, key)
    found = None if path is None else read(path, kind, key)
    if found is not None:
        return found, path
    with reported(what, progress) as report:
        return build(path, kind, key, builder(report))


class Builder(Protocol):
    """Something that can make a table: first it says what arrays it needs, then it fills them in."""

    def measure(self) -> Sizes: ...

    def fill(self, arrays: Arrays) -> None: ...


def build(path: Path | None, kind: str, key: Mapping[str, Any], builder: Builder) -> tuple[Arrays, Path | None]:
    """The arrays of a new table, read-only, and the file that holds them: `path`, or None where it cannot be written."""
    draft = Draft(path, kind, key, builder.measure())
    try:
        builder.fill(draft.arrays)
        written = draft.finish()
    finally:
        draft.discard()
    found = None if written is None else read(written, kind, key)
    return (draft.arrays, None) if found is None else (found, written)


class Draft:
    """A table in the making: `arrays` to fill in, in a file that nobody takes for finished, or in memory where none can be had.

    The path is None where none is wanted.
    """

    def __init__(self, path: Path | None, kind: str, key: Mapping[str, Any], sizes: Sizes) -> None:
        self._path = path
        places: dict[str, tuple[str, tuple[int, ...], int]] = {}
        # The header's own length depends on the offsets that it holds, so that room is left for it.
        at = BODY + len(_identity(kind, key)) + 200 * (1 + len(sizes))
        for name, (dtype, shape) in sizes.items():
            at = -(-at // ALIGNMENT) * ALIGNMENT
            places[name] = (dtype, shape, at)
            at += int(np.prod(shape)) * np.dtype(dtype).itemsize
        header = json.dumps({"table": json.loads(_identity(kind, key)), "arrays": places}, sort_keys=True).encode()
        self._file: BinaryIO | None = None
        self._draft: Path | None = None
        self._data = self._room(at)
        self._data[BODY : BODY + len(header)] = header
        self.arrays = _views(self._data, places, writeable=True)

    def _room(self, size: int) -> mmap.mmap:
        """So many zero bytes in a new file beside the path, or in memory."""
        if self._path is not None and CAN_RENAME_MAPPED:
            with contextlib.suppress(OSError):
                file = self._open(self._path)
                _reserve(file, size)
                return mmap.mmap(file.fileno(), size)
            self.discard()
        return mmap.mmap(-1, size)

    def _open(self, path: Path) -> BinaryIO:
        """A new file beside the path, with a lock on it where there are locks."""
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(path)
        self._draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}.draft")
        self._file = self._draft.open("x+b")
        if fcntl is not None:
            with contextlib.suppress(OSError):
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return self._file

    def finish(self) -> Path | None:
        """Seal the table and give the file its name; None where it could not be put in its place."""
        self._data[: len(MAGIC)] = MAGIC
        self._data[len(MAGIC) : BODY] = _digest(self._data)
        for array in self.arrays.values():
            array.flags.writeable = False
        if self._path is None:
            return None
        with contextlib.suppress(OSError):
            if self._file is None:
                self._open(self._path).write(self._data)
            else:
                self._data.flush()
            assert self._file is not None
            assert self._draft is not None
            self._file.flush()
            os.fsync(self._file.fileno())
            if not CAN_RENAME_MAPPED:
                self._file.close()
            os.replace(self._draft, self._path)
            return self._path
        return None

    def discard(self) -> None:
        """Remove what is left of the draft."""
        if self._draft is not None:
            with contextlib.suppress(OSError):
                self._draft.unlink(missing_ok=True)
        if self._file is not None:
            self._file.close()
        self._file = self._draft = None


def _reserve(file: BinaryIO, size: int) -> None:
    """Fill the file with so many zero bytes: a full disk must be noticed now, not while the map is written."""
    for begin in range(0, size, BLOCK):
        file.write(bytes(min(BLOCK, size - begin)))
    file.flush()


def _remove_abandoned(path: Path) -> None:
    """Remove drafts of this table whose builders are no more: a builder holds a lock on its own."""
    for draft in path.parent.glob(f"{path.name}.*.draft"):
        with contextlib.suppress(OSError):
            if fcntl is not None:
                with draft.open("rb") as file:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            draft.unlink()


def _identity(kind: str, key: Mapping[str, Any]) -> str:
    return json.dumps({"format": FORMAT, "kind": kind, "byteorder": sys.byteorder, **key}, sort_keys=True)


def _digest(data: bytes | mmap.mmap) -> bytes:
    with memoryview(data) as view, view[BODY:] as body:
        return hashlib.blake2b(body, digest_size=DIGEST_SIZE).digest()


def _views(data: bytes | mmap.mmap, places: Mapping[str, Any], *, writeable: bool) -> Arrays:
    """The arrays that lie in the bytes."""
    arrays = {}
    for name, (dtype, shape, at) in places.items():
        count = int(np.prod(shape))
        arrays[name] = np.frombuffer(data, dtype, count, at).reshape(shape)
        if arrays[name].flags.writeable != writeable:
            arrays[name].flags.writeable = writeable
    return arrays
