# distutils: include_dirs = src/core src/players
"""Rollouts: games from one position, played by who judges, with the luck of the dice taken out again."""

from libc.math cimport INFINITY
from libc.stdint cimport int8_t, int64_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from nardy_fast.analysis._solved cimport SolvedNative, SolvedTable, solved_equity, solved_outputs
from nardy_fast.core._bearoff cimport Chances, OneSidedNative, OneSidedTable, TwoSidedNative, TwoSidedTable, look_up, race
from nardy_fast.core._bearoff_spreads cimport NOWHERE, number_of
from nardy_fast.core._boards cimport turn_round
from nardy_fast.core._core cimport Board, Pending, Rules, begin_stages, generate_to_list, next_stage, write_boards
from nardy_fast.core._dice cimport Dice, below, throw
from nardy_fast.core._random cimport Stream, begin_stream
from nardy_fast.core._rules cimport CompiledRules, compiled
from nardy_fast.players._network cimport (
    MAX_RESULTS, Desk, Net, NetworkNative, begin_base, ended, free_desk, judge_near, judge_waiting, new_desk,
)
from nardy_fast.players._staged cimport Levels, best_stage_play, free_levels, new_levels

cdef enum:
    ROLLS = 36              # of two dice, each as likely
    NO_CONTROL = -1
    MAX_POINTS = 15
    MAX_PLIES = 10000       # of a game; a longer one is cut, and judged
    ORDER = 1               # beside the dice of each trial, numbers for the order of the second rolls

cdef struct Study:          # what all trials of a rollout share
    Rules rules             # of the game
    int results
    int8_t at[31]           # the number of the result of so many points, plus MAX_POINTS
    const Net *net          # who judges and plays: a network,
    const SolvedTable *solved       # or the solution of the game
    int judged              # how many results the judge knows
    int8_t place[32]        # the number of each of them
    const OneSidedTable *one        # NULL: games do not end there
    const TwoSidedTable *two
    int mars                # points, of one that a table tells
    int control             # how far the luck of a roll is looked into: NO_CONTROL, 0 or 1
    int plies               # after how many of them a game is cut
    uint64_t seed


# Boards are those before a throw, `moved` ones after a play with the player who moved in row 0. Values are a chance for each
# result of the game, in the points of the root's player; `side` tells whether he is in row 0 (0) or row 1 (1).

cdef inline void add_judged(const Study *study, const float *chances, int side, double weight, double *value) noexcept nogil:
    """Add what the judge says of the results of the player in row 0."""
    cdef int i
    for i in range(study.judged):
        value[study.results - 1 - study.place[i] if side else study.place[i]] += weight * chances[i]


cdef inline void add_scored(const Study *study, int scored, int side, double weight, double *value) noexcept nogil:
    """Add a finished game."""
    value[study.at[MAX_POINTS - scored if side else MAX_POINTS + scored]] += weight


cdef int add_looked_up(const Study *study, const Board *board, int turn, int side, double *value) noexcept nogil:
    """Add what the tables say of a board; 0 where they do not know it."""
    cdef Chances chances
    cdef int mover, opponent
    if study.one == NULL:
        return 0
    mover = number_of(&study.one.numbering, board.row[0])
    if mover == NOWHERE:
        return 0
    opponent = number_of(&study.one.numbering, board.row[1])
    if opponent == NOWHERE:
        return 0
    # Both tables have the same points, and so the same numbers.
    if study.two != NULL and mover < study.two.spreads and opponent < study.two.spreads:
        look_up(study.two, turn, mover, opponent, &chances)
    else:
        race(study.one, &study.rules, turn, mover, opponent, &chances)
    add_scored(study, 1, side, chances.win - chances.mars, value)
    add_scored(study, study.mars, side, chances.mars, value)
    add_scored(study, -1, side, chances.loss - chances.lost_mars, value)
    add_scored(study, -study.mars, side, chances.lost_mars, value)
    if chances.draw > 0:
        add_scored(study, 0, side, chances.draw, value)
    return 1


cdef void best_of(
    const Study *study, const Board *board, int high, int low, Desk *desk, Board *chosen, float *chances
) noexcept nogil:
    """The board after the judge's best play, and what he says of it. `desk.base` is that of the board."""
    cdef int i, n = generate_to_list(board, &study.rules, high, low, &desk.play_set)
    cdef float found[MAX_RESULTS]
    cdef double worth, most = -INFINITY
    cdef Board turned
    write_boards(&desk.play_set, board, &study.rules, desk.after)
    if study.net == NULL:
        for i in range(n):
            turned = desk.after[i]
            turn_round(&turned)
            worth = -solved_equity(study.solved, &turned)
            if worth > most:
                most = worth
                chosen[0] = desk.after[i]
        turned = chosen[0]
        turn_round(&turned)
        solved_outputs(study.solved, &turned, found)
        for i in range(study.judged):
            chances[i] = found[study.judged - 1 - i]
        return
    for i in range(n):
        worth = judge_near(study.net, &desk.base, &desk.after[i], desk.base.mover, found)
        if worth > most or worth == most and memcmp(&desk.after[i], chosen, sizeof(Board)) < 0:
            most = worth
            chosen[0] = desk.after[i]
            memcpy(chances, found, sizeof(found))


cdef void add_looked_ahead(
    const Study *study, const Board *board, const Board *moved, int turn, int side, double weight, Desk *desk, double *value
) noexcept nogil:
    """Add what a board after a play is worth by the mean of the opponent's best plays."""
    cdef float chances[MAX_RESULTS]
    cdef Board turned = moved[0], chosen
    cdef int scored, high, low
    if ended(board, moved, &study.rules, turn, &scored):
        add_scored(study, scored, side, weight, value)
        return
    turn_round(&turned)
    begin_base(&desk.base, &turned, 1 - turn)
    for high in range(1, 7):
        for low in range(1, high + 1):
            best_of(study, &turned, high, low, desk, &chosen, chances)
            add_judged(study, chances, 1 - side, weight * (1 if high == low else 2) / ROLLS, value)


cdef void add_luck(
    const Study *study, const Board *board, int turn, int side, int high, int low, Desk **desks,
    Board *chosen, float *chances, double *value
) noexcept nogil:
    """Play a roll, and take its luck off the value: by how much it is better than the mean of all rolls, each played as well
    as it can be. That mean is exact, so that the luck is 0 on the average, whatever the judge thinks."""
    cdef float found[MAX_RESULTS]
    cdef Board best
    cdef int one, two, thrown
    cdef double weight
    for one in range(1, 7):
        for two in range(1, one + 1):
            best_of(study, board, one, two, desks[0], &best, found)
            thrown = one == high and two == low
            weight = (1.0 if one == two else 2.0) / ROLLS - thrown
            if study.control == 0:
                add_judged(study, found, side, weight, value)
            else:
                add_looked_ahead(study, board, &best, turn, side, weight, desks[1], value)
            if thrown:
                chosen[0] = best
                memcpy(chances, found, sizeof(found))


cdef inline void begin_dice(Dice *dice, Stream *stream, uint64_t seed, uint64_t number) noexcept nogil:
    begin_stream(stream, seed, number)
    dice.bits = &stream.bits
    dice.halves = 0
    dice.word = 0


cdef int second_roll(uint64_t seed, uint64_t trial) noexcept nogil:
    """The second roll, 0..35: in each 36 trials that begin with a multiple of 36 each once, in each 1296 with each first one."""
    cdef int8_t order[ROLLS]
    cdef Stream stream
    cdef Dice dice
    cdef int i, j
    begin_dice(&dice, &stream, seed, 2 * (trial // (ROLLS * ROLLS)) + ORDER)
    for i in range(ROLLS):
        j = below(&dice, i + 1)
        order[i] = order[j]
        order[j] = i
    return order[(trial + trial // ROLLS) % ROLLS]


cdef inline void roll_of(const Study *study, uint64_t trial, int ply, Dice *dice, int *high, int *low) noexcept nogil:
    """The roll of a trial after so many others. They depend on the seed and the trial only."""
    cdef int roll
    if ply < 2:
        roll = <int>(trial % ROLLS) if ply == 0 else second_roll(study.seed, trial)
        high[0] = max(roll // 6, roll % 6) + 1
        low[0] = min(roll // 6, roll % 6) + 1
    else:
        throw(dice, high, low)


cdef void play_trial(
    const Study *study, const Board *root, int turn, uint64_t trial, Desk **desks, double *value
) noexcept nogil:
    """One game; what it is worth."""
    cdef float chances[MAX_RESULTS]
    cdef Stream stream
    cdef Dice dice
    cdef Board board = root[0], moved
    cdef int ply, high, low, scored = 0, side = 0
    begin_dice(&dice, &stream, study.seed, 2 * trial)
    memset(value, 0, study.results * sizeof(double))
    for ply in range(study.plies):
        if add_looked_up(study, &board, turn, side, value):
            return
        roll_of(study, trial, ply, &dice, &high, &low)
        begin_base(&desks[0].base, &board, turn)
        if study.control == NO_CONTROL:
            best_of(study, &board, high, low, desks[0], &moved, chances)
        else:
            add_luck(study, &board, turn, side, high, low, desks, &moved, chances, value)
        if ended(&board, &moved, &study.rules, turn, &scored):
            add_scored(study, scored, side, 1, value)
            return
        board = moved
        turn_round(&board)
        turn = 1 - turn
        side = 1 - side
    add_judged(study, chances, 1 - side, 1, value)


cdef void add_staged_luck(
    const Study *study, const Board *board, int turn, int side, int high, int low, Levels *levels, double *value
) noexcept nogil:
    """Take the luck of a throw that is played in stages off the value; all of them count, as they look at once."""
    cdef Pending queue
    cdef int one, two
    for one in range(1, 7):
        for two in range(1, one + 1):
            begin_stages(&study.rules, turn, one, two, &queue)
            best_stage_play(study.net, board, &study.rules, &queue, 1, 0, levels)
            add_judged(
                study, levels.at[0].chances, side, (1.0 if one == two else 2.0) / ROLLS - (one == high and two == low), value
            )


cdef void play_staged_trial(
    const Study *study, const Board *root, int turn, const Pending *pending, uint64_t trial, Levels *levels, double *value
) noexcept nogil:
    """One game by rules with stages, from what is pending on; a ply is a throw with all its stages."""
    cdef float chances[MAX_RESULTS]
    cdef Stream stream
    cdef Dice dice
    cdef Pending queue = pending[0]
    cdef Board board = root[0], moved
    cdef int ply = 0, high, low, best, following, is_throw, scored = 0, side = 0
    begin_dice(&dice, &stream, study.seed, 2 * trial)
    memset(value, 0, study.results * sizeof(double))
    while True:
        is_throw = not queue.count
        if is_throw:
            if add_looked_up(study, &board, turn, side, value):
                return
            if ply == study.plies:
                judge_waiting(study.net, &board, turn, chances)
                add_judged(study, chances, side, 1, value)
                return
            roll_of(study, trial, ply, &dice, &high, &low)
            ply += 1
            if study.control != NO_CONTROL:
                add_staged_luck(study, &board, turn, side, high, low, levels, value)
            begin_stages(&study.rules, turn, high, low, &queue)
        best = best_stage_play(study.net, &board, &study.rules, &queue, is_throw, 0, levels)
        moved = levels.at[0].after[best]
        if ended(&board, &moved, &study.rules, turn, &scored):
            add_scored(study, scored, side, 1, value)
            return
        following = next_stage(&study.rules, &queue, &levels.at[0].plays[best], is_throw)
        board = moved
        if following != turn:
            turn_round(&board)
            side = 1 - side
        turn = following


def first_rolls(uint64_t seed, int8_t[:, ::1] out):
    """Write the numbers of the first two rolls of each trial, 0..35, to a row of `out`."""
    cdef Py_ssize_t trial
    for trial in range(out.shape[0]):
        out[trial, 0] = trial % ROLLS
        out[trial, 1] = second_roll(seed, trial)


cdef class RolloutNative:
    """Plays the trials of a rollout. nardy_fast.analysis.rollouts owns the docstrings and the checks."""
    cdef Study study
    cdef object kept        # what the study points into

    def __init__(
        self, rules, results, judge, judged, OneSidedNative one, TwoSidedNative two, int mars, int control, int plies,
        uint64_t seed,
    ):
        """`judge`: a NetworkNative or a SolvedNative, which knows the results `judged`; `plies`: 0 for all.

        Without `one` no tables are asked. `control`: -1 for none.
        """
        cdef CompiledRules compiled_rules = compiled(rules)
        cdef Study *study = &self.study
        cdef int i
        self.kept = (judge, one, two)
        study.rules = compiled_rules.rules
        study.results = len(results)
        memset(study.at, -1, sizeof(study.at))
        for i in range(study.results):
            study.at[MAX_POINTS + <int>results[i]] = i
        study.judged = len(judged)
        for i in range(study.judged):
            study.place[i] = study.at[MAX_POINTS + <int>judged[i]]
        study.net = NULL
        study.solved = NULL
        if isinstance(judge, NetworkNative):
            study.net = &(<NetworkNative>judge).net
        else:
            study.solved = &(<SolvedNative?>judge).table
        study.one = NULL if one is None else &one.table
        study.two = NULL if two is None else &two.table
        study.mars = mars
        study.control = control
        study.plies = plies if plies else MAX_PLIES
        study.seed = seed

    def play(self, const int8_t[:, ::1] board, int turn, const int8_t[::1] pending, int64_t first, double[:, ::1] out):
        """Play the trials from number `first` on, one for each row of `out`, float64[trials, results].

        `pending`: the row of what is still to be played, 28 zeros where a throw is due.
        """
        cdef const Board *root = <const Board *>&board[0, 0]
        cdef Levels *levels = NULL
        cdef Desk *desks[2]
        cdef Py_ssize_t i
        desks[0] = desks[1] = NULL
        try:
            if self.study.rules.staged:
                levels = new_levels()
            else:
                desks[0] = new_desk()
                desks[1] = new_desk()
            with nogil:
                for i in range(out.shape[0]):
                    if levels != NULL:
                        play_staged_trial(
                            &self.study, root, turn, <const Pending *>&pending[0], first + i, levels, &out[i, 0]
                        )
                    else:
                        play_trial(&self.study, root, turn, first + i, desks, &out[i, 0])
        finally:
            for i in range(2):
                if desks[i] != NULL:
                    free_desk(desks[i])
            if levels != NULL:
                free_levels(levels)
