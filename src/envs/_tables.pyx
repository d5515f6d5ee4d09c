"""Games that are played a step at a time, many of them at once. The environments own the docstrings.

An action is a number below ACTIONS: 6 * slot + die - 1 for a step, SEND + die for a send and for the double that is chosen in
Acey-Deucey, PASS. What is written of each table: OBSERVED numbers, as `envs.spaces` tells them, and for each action whether it
may be played.
"""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int8_t, int64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy, memset

from nardy_fast.core._arrays cimport Array, array
from nardy_fast.core._core cimport (
    OFF, SLOTS, Board, Pending, Play, PlaySet, Rules, Turn, derive_turn, generate_for, generate_stage, is_over, list_into, move,
)
from nardy_fast.core._dice cimport Dice, below, dice_of, starter
from nardy_fast.core._queue cimport dice_of_stage
from nardy_fast.core._rules cimport CompiledRules, compiled
from nardy_fast.core._track cimport landing
from nardy_fast.envs._table cimport CHOICE, CHOSEN, OVER, STEP, THROW, Table
from nardy_fast.envs._turns cimport (
    MASKED, PASSING, SEEN, SENDING, act, begin_game, begin_throw, begin_turn, end_turn, go_on, may, observe, restart, sample,
)

ACTIONS, SEND, PASS, OBSERVED = MASKED, SENDING, PASSING, SEEN
globals().update(THROW=THROW, STEP=STEP, CHOICE=CHOICE, OVER=OVER)


@cython.final
cdef class Tables:
    """Tables(n, rules, against_random=False)\n--\n
    So many games.

    `against_random`: at a table where the agent has a seat, its opponent plays at random, natively.
    """

    cdef Table *tables
    cdef readonly Py_ssize_t n
    cdef CompiledRules compiled
    cdef const Rules *rules
    cdef list bit_generators        # held while the tables draw from them
    cdef bint against_random

    def __cinit__(self, Py_ssize_t n, rules, bint against_random=False):
        cdef Py_ssize_t i
        self.n = n
        self.compiled = compiled(rules)
        self.rules = &self.compiled.rules
        self.against_random = against_random
        self.bit_generators = [None] * n
        self.tables = <Table *>PyMem_Calloc(n, sizeof(Table))
        if self.tables == NULL:
            raise MemoryError
        for i in range(n):
            self.tables[i].seat = -1
            begin_game(&self.tables[i], self.rules, 0)

    def __dealloc__(self):
        PyMem_Free(self.tables)

    cdef Table *at(self, Py_ssize_t i) except NULL:
        if not 0 <= i < self.n:
            raise IndexError(f"table {i} of {self.n}")
        return &self.tables[i]

    # One table at a time.

    def copy(self):
        """The same games; they share the sources of dice."""
        cdef Tables other = Tables(self.n, self.compiled.ruleset, self.against_random)
        memcpy(other.tables, self.tables, self.n * sizeof(Table))
        other.bit_generators = list(self.bit_generators)
        return other

    def __reduce__(self):
        """Pickled without the sources of dice, which have to be given again."""
        cdef Tables other = self.copy()
        cdef Py_ssize_t i
        for i in range(self.n):
            memset(&other.tables[i].dice, 0, sizeof(Dice))
        kept = PyBytes_FromStringAndSize(<char *>other.tables, self.n * sizeof(Table))
        return restored, (self.n, self.compiled.ruleset, bool(self.against_random), kept)

    def __deepcopy__(self, memo):
        return self.copy()

    def seed(self, Py_ssize_t i, bit_generator):
        """Draw the dice of the table from a `numpy.random.BitGenerator`, from now on."""
        self.at(i).dice = dice_of(bit_generator)
        self.bit_generators[i] = bit_generator

    def begin(self, Py_ssize_t i, int turn):
        """Set up a game whose first throw, still to come, is that of White (0) or Black (1)."""
        begin_game(self.at(i), self.rules, turn)

    def sit(self, Py_ssize_t i, int seat, bint by_lot):
        """The agent's colour at the table, or -1 where it plays both; whether each game draws it."""
        self.at(i).seat = seat
        self.at(i).by_lot = by_lot

    def seat(self, Py_ssize_t i):
        """The agent's colour, or -1 where it plays both."""
        return self.at(i).seat

    def give(self, Py_ssize_t i, rolls):
        """The throws to come, at most 32 pairs of dice, before the table throws by its own dice again."""
        cdef Table *table = self.at(i)
        cdef int k
        for k in range(len(rolls)):
            table.given[2 * k], table.given[2 * k + 1] = rolls[k]
        table.throws_given = len(rolls)

    def put(self, Py_ssize_t i, boards, int turn, pending):
        """Set the table up as int8[1, 2, 26] and int8[1, 28] say, a throw being due or a stage pending."""
        cdef Array board = array(boards, "boards", "int8", (2, SLOTS), 1, False)
        cdef Array queue = array(pending, "pending", "int8", (sizeof(Pending),), 1, False)
        cdef Table *table = self.at(i)
        begin_game(table, self.rules, turn)
        table.opening = 0
        table.start = table.now = (<const Board *>board.data)[0]
        table.queue = (<const Pending *>queue.data)[0]
        if is_over(&table.start, self.rules, turn):
            table.phase = OVER
        elif table.queue.count:
            begin_turn(table, self.rules)

    def roll(self, Py_ssize_t i, int high, int low):
        """Begin to play a throw, the larger die first, where one is due or has just been made."""
        cdef Table *table = self.at(i)
        begin_throw(table, self.rules, high, low)

    def go_on(self, Py_ssize_t i):
        """Throw where a throw is due, and let a random opponent play."""
        go_on(self.at(i), self.rules, self.against_random)

    def act(self, Py_ssize_t i, int64_t action):
        """Play an action; whether it may be played, else nothing is."""
        cdef Table *table = self.at(i)
        if not may(table, action):
            return False
        act(table, self.rules, action)
        return True

    def settle(self, Py_ssize_t i, after):
        """Play a whole turn, after which the board is int8[1, 2, 26], who played in row 0; whether there is such a play."""
        cdef Array moved = array(after, "after", "int8", (2, SLOTS), 1, False)
        cdef Table *table = self.at(i)
        cdef PlaySet *play_set
        cdef Play *plays = NULL
        cdef Turn turn
        cdef Board board
        cdef int k
        if table.phase != STEP:
            return False
        play_set = <PlaySet *>malloc(sizeof(PlaySet))
        if play_set == NULL:
            raise MemoryError
        try:
            if self.rules.staged:
                generate_stage(&table.start, self.rules, &table.queue, play_set)
            else:
                derive_turn(&turn, &table.start, self.rules)
                generate_for(&turn, table.high, table.low, play_set)
            plays = <Play *>malloc(play_set.count * sizeof(Play))
            if plays == NULL:
                raise MemoryError
            list_into(play_set, plays)
            for k in range(play_set.count):
                board = table.start
                move(&board, self.rules, &plays[k])
                if memcmp(&board, moved.data, sizeof(Board)) == 0:
                    table.actor = table.turn
                    table.play = plays[k]
                    table.now = board
                    end_turn(table, self.rules)
                    return True
            return False
        finally:
            free(plays)
            free(play_set)

    def pending(self, Py_ssize_t i, out):
        """Write what is pending at the turn's start to `out`, int8[1, 28]: 0 where the dice were thrown or a throw is due."""
        cdef Array row = array(out, "out", "int8", (sizeof(Pending),), 1, True)
        cdef Table *table = self.at(i)
        memset(row.data, 0, sizeof(Pending))
        if table.phase == STEP and not table.is_throw:
            (<Pending *>row.data)[0] = table.queue

    def boards(self, Py_ssize_t i, out):
        """Write the board at the turn's start and the one after the steps so far to `out`, int8[2, 2, 26]."""
        cdef Array rows = array(out, "out", "int8", (2, SLOTS), 2, True)
        (<Board *>rows.data)[0] = self.at(i).start
        (<Board *>rows.data)[1] = self.at(i).now

    def turn(self, Py_ssize_t i):
        """Who plays or throws next: 0 White, 1 Black."""
        return self.at(i).turn

    def actor(self, Py_ssize_t i):
        """Who acted last."""
        return self.at(i).actor

    def phase(self, Py_ssize_t i):
        """THROW, STEP, CHOICE or OVER."""
        return self.at(i).phase

    def is_opening(self, Py_ssize_t i):
        """Whether the first throw of a game is still to come."""
        return bool(self.at(i).opening)

    def is_chosen(self, Py_ssize_t i):
        """Whether the dice are a double that was chosen."""
        return self.at(i).special == CHOSEN

    def scored(self, Py_ssize_t i):
        """The points of White in a game that is over."""
        return self.at(i).scored

    def dice(self, Py_ssize_t i):
        """What is played in this turn, the larger die first: two dice thrown, or those of a stage that was pending; or None."""
        cdef Table *table = self.at(i)
        cdef int8_t stage[6]
        if table.phase != STEP:
            return None
        if table.is_throw:
            return table.high, table.low
        return tuple([stage[k] for k in range(dice_of_stage(&table.queue.stage[0], stage))])

    def steps(self, Py_ssize_t i):
        """The steps of this turn so far, as (from, to, die)."""
        cdef Table *table = self.at(i)
        cdef const Play *play = &table.play
        if table.phase != STEP:
            return ()
        return tuple([
            (play.source[k], OFF - play.die[k] if play.sends >> k & 1 else landing(play.source[k], play.die[k]), play.die[k])
            for k in range(play.steps)
        ])

    def actions(self, Py_ssize_t i):
        """What may be played, sorted."""
        return [action for action in range(MASKED) if may(self.at(i), action)]

    # All tables at once.

    def refused(self, actions, ready):
        """The first table where `ready`, bool[n], is true and the action may not be played, or -1."""
        cdef Array given = array(actions, "actions", "int64", (), self.n, False)
        cdef Array rows = array(ready, "ready", "bool", (), self.n, False)
        cdef Py_ssize_t i
        for i in range(self.n):
            if rows.data[i] and self.tables[i].phase != OVER and not may(&self.tables[i], (<const int64_t *>given.data)[i]):
                return i
        return -1

    def act_all(self, actions, bint begin_finished, ready):
        """Play an action at each table where `ready`, bool[n], is true, and go on to what is asked next.

        One that may not be played ends the game: who played it loses a single game. A game that is over, if `begin_finished`,
        begins anew instead, else stays as it is.
        """
        cdef Array given = array(actions, "actions", "int64", (), self.n, False)
        cdef Array rows = array(ready, "ready", "bool", (), self.n, False)
        cdef const int64_t *action = <const int64_t *>given.data
        cdef Table *table
        cdef Py_ssize_t i
        with nogil:
            for i in range(self.n):
                table = &self.tables[i]
                if not rows.data[i]:
                    continue
                if table.phase == OVER:
                    if begin_finished:
                        restart(table, self.rules)
                        go_on(table, self.rules, self.against_random)
                    continue
                table.actor = table.turn
                if may(table, action[i]):
                    act(table, self.rules, action[i])
                    go_on(table, self.rules, self.against_random)
                else:
                    table.phase = OVER
                    table.broken = 1
                    table.scored = 1 if table.turn else -1

    def restart_all(self, which):
        """New games at the tables where `which`, bool[n], is true, up to what is asked first."""
        cdef Array rows = array(which, "which", "bool", (), self.n, False)
        cdef Py_ssize_t i
        with nogil:
            for i in range(self.n):
                if rows.data[i]:
                    restart(&self.tables[i], self.rules)
                    go_on(&self.tables[i], self.rules, self.against_random)

    def resume(self, which, bint from_start):
        """Go on at the tables where `which`, bool[n], is true; `from_start`: who begins is drawn there before."""
        cdef Array rows = array(which, "which", "bool", (), self.n, False)
        cdef Table *table
        cdef Py_ssize_t i
        for i in range(self.n):
            table = &self.tables[i]
            if not rows.data[i]:
                continue
            if table.by_lot:
                table.seat = below(&table.dice, 2)
            if from_start:
                table.turn = starter(self.rules, &table.dice)
            go_on(table, self.rules, self.against_random)

    def waiting(self, boards, dice, turns, pending, out):
        """Which tables wait for the opponent to play, as int64; what he plays with is written to those rows of the arrays.

        `out`, bool[n]: which tables wait for him to choose a double.
        """
        cdef Array board_rows = array(boards, "boards", "int8", (2, SLOTS), self.n, True)
        cdef Board *board = <Board *>board_rows.data
        cdef Array thrown_rows = array(dice, "dice", "int8", (2,), self.n, True)
        cdef int8_t *thrown = <int8_t *>thrown_rows.data
        cdef Array movers_rows = array(turns, "turns", "int8", (), self.n, True)
        cdef int8_t *movers = <int8_t *>movers_rows.data
        cdef Array queue_rows = array(pending, "pending", "int8", (sizeof(Pending),), self.n, True)
        cdef Pending *queue = <Pending *>queue_rows.data
        cdef Array choosing_rows = array(out, "out", "bool", (), self.n, True)
        cdef char *choosing = choosing_rows.data
        cdef const Table *table
        cdef Py_ssize_t i
        found = []
        for i in range(self.n):
            table = &self.tables[i]
            choosing[i] = table.phase == CHOICE and table.seat >= 0 and table.turn != table.seat
            if table.phase == STEP and table.seat >= 0 and table.turn != table.seat:
                found.append(i)
                board[i] = table.start
                thrown[2 * i] = table.high
                thrown[2 * i + 1] = table.low
                movers[i] = table.turn
                memset(&queue[i], 0, sizeof(Pending))
                if not table.is_throw:
                    queue[i] = table.queue
        return found

    def tell(self, seen, mask, over, rewards, players, broken):
        """Write what is seen at each table to the arrays, int8[n, OBSERVED], int8[n, ACTIONS], bool[n], int8[n] twice, bool[n].

        `rewards`: at the end the points of the agent, or, where it plays both sides, of who acted last; `players`: who plays.
        """
        cdef Array saw_rows = array(seen, "seen", "int8", (SEEN,), self.n, True)
        cdef int8_t *saw = <int8_t *>saw_rows.data
        cdef Array allowed_rows = array(mask, "mask", "int8", (MASKED,), self.n, True)
        cdef int8_t *allowed = <int8_t *>allowed_rows.data
        cdef Array ended_rows = array(over, "over", "bool", (), self.n, True)
        cdef char *ended = ended_rows.data
        cdef Array reward_rows = array(rewards, "rewards", "int8", (), self.n, True)
        cdef int8_t *reward = <int8_t *>reward_rows.data
        cdef Array player_rows = array(players, "players", "int8", (), self.n, True)
        cdef int8_t *player = <int8_t *>player_rows.data
        cdef Array fault_rows = array(broken, "broken", "bool", (), self.n, True)
        cdef char *fault = fault_rows.data
        cdef const Table *table
        cdef Py_ssize_t i
        cdef int seat
        with nogil:
            for i in range(self.n):
                table = &self.tables[i]
                observe(table, saw + i * SEEN, allowed + i * MASKED)
                ended[i] = table.phase == OVER
                reward[i] = 0
                if table.phase == OVER:
                    seat = table.actor if table.seat < 0 else table.seat
                    reward[i] = -table.scored if seat else table.scored
                player[i] = table.turn
                fault[i] = table.broken

    def sample(self, bit_generator, out):
        """Write an action that may be played at each table, each as likely, to `out`, int64[n]."""
        cdef Array action_rows = array(out, "out", "int64", (), self.n, True)
        cdef int64_t *action = <int64_t *>action_rows.data
        cdef Dice dice = dice_of(bit_generator)
        cdef Py_ssize_t i
        with nogil:
            for i in range(self.n):
                action[i] = sample(&self.tables[i], &dice)


def restored(Py_ssize_t n, rules, bint against_random, bytes kept):
    """Tables that were pickled."""
    cdef Tables tables = Tables(n, rules, against_random)
    if len(kept) != n * sizeof(Table):
        raise ValueError(f"a pickle of {len(kept)} bytes for {n} tables: expected {n * sizeof(Table)}")
    memcpy(tables.tables, PyBytes_AS_STRING(kept), len(kept))
    return tables
