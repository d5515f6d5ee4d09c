"""The same bytes whoever does the work: threads, processes, machines, in any order, and though some is lost and done again."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from queue import LifoQueue
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import nardy_fast
from nardy_fast import batch, reference, simulate, workers
from nardy_fast.bulk.simulation import SHARD, SHARDS_SENT

Array = NDArray[Any]

GAMES = 3 * SHARD * SHARDS_SENT + 77
ROWS = 3 * batch.SHARD + 77
#: Seconds that nothing here should take.
PATIENCE = 120


# Executors


class LatestFirst:
    """An executor that does everything twice, as if the first answer had been lost, and always what came last."""

    def __init__(self) -> None:
        self.queue: LifoQueue[Any] = LifoQueue()
        self.done = 0
        threading.Thread(target=self._work, daemon=True).start()

    def submit(self, task: Callable[..., Any], /, *args: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.queue.put((future, task, args))
        return future

    def _work(self) -> None:
        while True:
            time.sleep(0.001)  # let some work pile up
            future, task, args = self.queue.get()
            task(*args)
            future.set_result(task(*args))
            self.done += 1


@pytest.fixture(scope="module")
def thread_pool() -> Iterator[Executor]:
    with ThreadPoolExecutor(3) as pool:
        yield pool


@pytest.fixture(scope="module")
def process_pool() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        yield pool


@pytest.fixture(scope="module")
def latest_first() -> LatestFirst:
    return LatestFirst()


@pytest.fixture(params=["thread_pool", "process_pool", "latest_first"])
def executor(request: pytest.FixtureRequest) -> Any:
    """Each of the executors that need nothing installed."""
    return request.getfixturevalue(request.param)


# What is done with them


def simulated(executor: Any = None, **options: Any) -> list[bytes]:
    found = []
    for rules, seed in (("long", 1), ("short", 2)):
        simulation = simulate(GAMES, rules, seed=seed, executor=executor, **options)
        found += [array.tobytes() for array in (simulation.winner, simulation.points, simulation.turns)]
    return found


def counted(executor: Any = None, **options: Any) -> list[int]:
    start = nardy_fast.Position.start
    return [
        nardy_fast.perft(position, depth, executor=executor, **options)
        for position, depth in [*((start(), depth) for depth in (0, 1, 2, 4)), (start("short", 1), 2)]
    ]


def batched(executor: Any = None, **options: Any) -> list[bytes]:
    found: list[Array] = []
    workers = {"executor": executor} | options
    for rules in ("federation", "short"):
        rng = np.random.default_rng(4)
        boards = np.repeat(nardy_fast.Position.start(rules).board[None], ROWS, axis=0)
        turns = np.zeros(ROWS, np.int8)
        for _ in range(5):
            step = batch.random_step(boards, rng, rules, turns=turns, restart=True, **workers)
            found += [array for array in step if array is not None]
            assert step.turns is not None
            boards, turns = step.boards, step.turns
        dice = rng.integers(1, 7, (ROWS, 2), np.int8)
        after = batch.afterstates(boards, dice, rules, plays=True, turns=turns, **workers)
        assert after.plays is not None
        first = after.offsets[:-1]
        found += [after.boards, after.offsets, after.plays]
        found.append(batch.count_plays(boards, dice, rules, turns=turns, **workers))
        found.append(batch.count_plays(boards, (6, 5), rules, **workers))
        found.append(batch.apply(boards, after.plays[first], dice, rules, turns=turns, **workers))
        found.append(batch.is_over(boards, rules, turns=turns, **workers))
        found.append(batch.pips(boards, **workers))
        parts = batch.iter_afterstates(boards, dice, rules, rows=batch.SHARD + 5, turns=turns, **workers)
        found += [part.boards for _, part in parts]
        found.append(batch.flip(boards, out=boards, **workers).copy())  # in place
    return [array.tobytes() for array in found]


WORK: dict[str, Callable[..., Any]] = {"simulate": simulated, "perft": counted, "batch": batched}

_alone: dict[str, Any] = {}


def alone(work: str) -> Any:
    """What one thread makes of it."""
    if work not in _alone:
        _alone[work] = WORK[work](threads=1)
    return _alone[work]


# The same bytes


@pytest.mark.parametrize("work", WORK)
@pytest.mark.parametrize("threads", [2, 3, 8])
def test_any_number_of_threads_gives_the_same_bytes(work: str, threads: int) -> None:
    assert WORK[work](threads=threads) == alone(work)


@pytest.mark.parametrize("work", WORK)
def test_any_executor_gives_the_same_bytes(work: str, executor: Any) -> None:
    assert WORK[work](executor) == alone(work)


def test_what_is_done_twice_and_in_another_order_really_was(latest_first: LatestFirst) -> None:
    before = latest_first.done
    assert simulate(GAMES, executor=latest_first).turns.tolist() == simulate(GAMES, threads=1).turns.tolist()
    assert latest_first.done - before == 4


def test_a_start_goes_to_the_workers_too(process_pool: Executor) -> None:
    start = nardy_fast.Position.parse("3:2,2:1 13:10,7:5 b", "federation")
    alone, apart = (simulate(GAMES, "federation", start=start, executor=executor) for executor in (None, process_pool))
    assert alone == apart


def test_rules_of_ones_own_go_to_the_workers_too(process_pool: Executor) -> None:
    rules = nardy_fast.Ruleset(name="club", head_exception="values", home_mars=4)
    assert simulate(GAMES, rules, executor=process_pool) == simulate(GAMES, rules)


def test_boards_in_a_memory_map_go_to_the_workers(process_pool: Executor, tmp_path: Any) -> None:
    boards = np.memmap(tmp_path / "boards.bin", np.int8, "w+", shape=(ROWS, 2, 26))
    boards[:] = nardy_fast.Position.start().board
    boards.flush()
    out = np.memmap(tmp_path / "out.bin", np.int8, "w+", shape=(ROWS, 2, 26))
    assert batch.flip(boards, out=out, executor=process_pool) is out
    assert np.array_equal(out, np.asarray(boards)[:, ::-1])


@pytest.mark.parametrize("threads", [1, 2])
def test_the_reference_takes_an_executor_and_threads_too(process_pool: Executor, threads: int) -> None:
    last = reference.Position.parse("2:1,1:1 13:2 w")
    assert reference.simulate(6, start=last, seed=4, threads=threads) == reference.simulate(
        6, start=last, seed=4, executor=process_pool
    )
    for depth in range(4):
        expected = reference.perft(last, depth)
        assert reference.perft(last, depth, threads=threads) == expected
        assert reference.perft(last, depth, executor=process_pool) == expected
        assert nardy_fast.perft(nardy_fast.Position.parse(str(last)), depth) == expected


@pytest.mark.parametrize(
    ("text", "depth"),
    [(text, depth) for text in ("- 18:2 b", "1:1 13:1 w", "6:1,5:1 18:1,17:1 b") for depth in range(3)] + [("2:1 14:1 w", 5)],
)
def test_games_that_end_on_the_way_are_counted_once_by_shards_too(
    impl: ModuleType, thread_pool: Executor, text: str, depth: int
) -> None:
    position = impl.Position.parse(text)
    expected = nardy_fast.perft(nardy_fast.Position.parse(text), depth)
    assert impl.perft(position, depth, threads=2) == expected
    assert impl.perft(position, depth, executor=thread_pool) == expected


def test_progress_counts_what_an_executor_has_played(thread_pool: Executor) -> None:
    seen: list[int] = []
    simulate(GAMES, executor=thread_pool, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == GAMES
    assert len(seen) == 4


# What goes wrong


@pytest.mark.parametrize("executor", [5, "threads", object()])
def test_what_is_no_executor_is_refused(impl: ModuleType, executor: Any) -> None:
    calls: list[Callable[[], Any]] = [
        lambda: impl.simulate(2, executor=executor),
        lambda: impl.perft(impl.Position.start(), 1, executor=executor),
        lambda: batch.flip(np.zeros((1, 2, 26), np.int8), executor=executor),
    ]
    for call in calls:
        with pytest.raises(TypeError) as caught:
            call()
        assert str(caught.value) == f"executor = {executor!r}: expected an executor with a submit method"


@pytest.mark.parametrize(
    ("threads", "error", "message"),
    [
        (0, ValueError, "threads = 0: expected 1..1024"),
        (1025, ValueError, "threads = 1025: expected 1..1024"),
        (1.0, TypeError, "threads = 1.0: expected an integer"),
        (True, TypeError, "threads = True: expected an integer"),
        (None, TypeError, "threads = None: expected an integer"),
    ],
)
def test_threads_that_make_no_sense_are_refused(impl: ModuleType, threads: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        impl.perft(impl.Position.start(), 1, threads=threads)
    assert str(caught.value) == message


class Refusing:
    """An executor that fails at the first shard and never does the others."""

    def __init__(self) -> None:
        self.futures: list[Future[Any]] = []

    def submit(self, task: Callable[..., Any], /, *args: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.futures.append(future)
        if len(self.futures) == 1:
            future.set_exception(RuntimeError("the machine is on fire"))
        return future


@pytest.mark.parametrize("work", WORK)
def test_an_error_in_a_worker_comes_out_and_the_rest_is_called_off(work: str) -> None:
    refusing = Refusing()
    with pytest.raises(RuntimeError, match="the machine is on fire"):
        WORK[work](refusing)
    assert all(future.cancelled() for future in refusing.futures[1:])


class Wary:
    """An executor that keeps count of what it holds."""

    def __init__(self, pool: Executor) -> None:
        self.pool = pool
        self.held: list[Future[Any]] = []
        self.most = 0

    def submit(self, task: Callable[..., Any], /, *args: Any) -> Future[Any]:
        self.held = [future for future in self.held if not future.done()]
        future = self.pool.submit(task, *args)
        self.held.append(future)
        self.most = max(self.most, len(self.held))
        return future


def test_no_more_is_handed_out_than_can_be_held(thread_pool: Executor) -> None:
    wary = Wary(thread_pool)
    shards = ((number,) for number in range(20 * workers.AHEAD))
    assert sorted(workers.run(abs, shards, 1, wary)) == [(number, number) for number in range(20 * workers.AHEAD)]
    assert wary.most <= workers.AHEAD


def test_shards_are_made_only_as_they_are_handed_out() -> None:
    made: list[int] = []

    def shards() -> Iterator[tuple[int]]:
        for number in range(10**9):
            made.append(number)
            yield (number,)

    for threads in (1, 2):
        made.clear()
        running = workers.run(abs, shards(), threads)
        assert next(running) == (0, 0) or threads > 1
        running.close()
        assert len(made) <= 4 * threads + 1


@pytest.mark.skipif(os.name == "nt", reason="needs a signal that can be sent to oneself")
@pytest.mark.parametrize("work", ["perft", "simulate"])
@pytest.mark.parametrize("workers", ["one thread", "two threads", "an executor"])
def test_an_interrupt_ends_the_work_soon(work: str, workers: str) -> None:
    main = threading.main_thread().ident
    assert main is not None
    timer = threading.Timer(0.7, signal.pthread_kill, (main, signal.SIGINT))
    with ThreadPoolExecutor(1) as pool:
        options: dict[str, Any] = {"executor": pool} if workers == "an executor" else {"threads": 1 + (workers == "two threads")}
        # What runs in an executor already goes on to its end; all else may be as long as it likes.
        depth = 6 if workers == "an executor" else 9
        endless: dict[str, Callable[[], Any]] = {
            "perft": lambda: nardy_fast.perft(nardy_fast.Position.start(), depth, **options),
            "simulate": lambda: simulate(500_000_000, **options),
        }
        timer.start()
        begun = time.perf_counter()
        with pytest.raises(KeyboardInterrupt):
            endless[work]()
        assert time.perf_counter() - begun < 10
    timer.join()


# Dask


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two worker processes of Dask on this machine, and a keeper that starts a new one in the place of one that dies."""
    distributed = pytest.importorskip("distributed", reason="needs the extra [cluster]: pip install 'nardy_fast[cluster]'")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, silence_logs=50
    ) as cluster:
        yield cluster


@pytest.fixture
def client(cluster: Any) -> Iterator[Any]:
    import distributed

    with distributed.Client(cluster) as client:  # type: ignore[no-untyped-call]
        client.wait_for_workers(2, timeout=PATIENCE)
        yield client


class Killing:
    """An executor that kills a worker while it works on the shard with this number, or one near it."""

    def __init__(self, cluster: Any, executor: Any, shard: int) -> None:
        self.cluster = cluster
        self.executor = executor
        self.left = shard
        self.killed: int | None = None

    def submit(self, task: Callable[..., Any], /, *args: Any) -> Future[Any]:
        future: Future[Any] = self.executor.submit(task, *args)
        self.left -= 1
        if self.left == 0:
            self.killed = self.busy_worker()
            os.kill(self.killed, signal.SIGKILL)
        return future

    def busy_worker(self) -> int:
        """The process of a worker that has been given something which is not done."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for keeper in self.cluster.workers.values():
                known = self.cluster.scheduler.workers.get(keeper.worker_address)
                if known is not None and known.processing:
                    return int(keeper.pid)
            time.sleep(0.001)
        raise TimeoutError("no worker had anything to do")


@pytest.mark.slow
@pytest.mark.parametrize("work", WORK)
def test_dask_gives_the_same_bytes(work: str, client: Any) -> None:
    assert WORK[work](client.get_executor()) == alone(work)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
@pytest.mark.parametrize(("work", "shard"), [("simulate", 3), ("perft", 300), ("batch", 3)])
def test_a_worker_of_dask_that_is_killed_changes_nothing(work: str, shard: int, cluster: Any, client: Any) -> None:
    killing = Killing(cluster, client.get_executor(), shard)
    assert WORK[work](killing) == alone(work)
    assert killing.killed is not None
    deadline = time.monotonic() + PATIENCE
    while any(keeper.pid in (None, killing.killed) for keeper in cluster.workers.values()):
        assert time.monotonic() < deadline, "no new worker came"
        time.sleep(0.05)
