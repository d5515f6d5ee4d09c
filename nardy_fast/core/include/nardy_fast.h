/* nardy_fast from C, C++ and whatever else can read a C header: what one roll allows on a board of long nardy or backgammon.

   What it takes. The functions are in a compiled module of a Python package, so the process must have a Python interpreter in it
   (embedded, or because you are an extension module) that can import nardy_fast, and nardy_import() must be called once, with the
   GIL held. After that, the table that it returns may be used by any thread, without the GIL and without Python: the functions
   know no Python objects, allocate nothing, keep nothing and have no state. Two functions are exceptions and say so. The table
   stays valid until the interpreter is finalized.

       #include <Python.h>
       #include "nardy_fast.h"                  python -c "import nardy_fast; print(nardy_fast.get_include())" tells the folder

       const nardy_api *nardy = nardy_import();
       if (nardy == NULL || nardy->read_rules("long", &rules) < 0) { PyErr_Print(); ... }

       nardy->start_board(&rules, &board);
       while (!nardy->is_over(&board, &rules, turn)) {              // turn: 0 White, 1 Black
           count = nardy->generate(&board, &rules, high, low, &play_set);
           nardy->pick(&play_set, your_choice(count), &play);
           nardy->apply(&board, &rules, &play, &board);
           turn = 1 - turn;
       }

   Include Python.h first to get nardy_import(); without it there are only the structs and the table.

   Memory. Each pointer is the caller's, read or filled in during the call and then forgotten; what expand() returns is in the
   play set.
   Trust. Boards are such that fault() finds nothing wrong with them, dice are 1..6 with the larger first, plays come from a play
   set of the same board (or passed check_play), the game is not over. Only fault() may be given any board and check_play() any play;
   the others do not check, but for a debug build of nardy_fast (NARDY_FAST_DEBUG=1), which stops the program.
   Units. Slots are those of the track of the row in question: of the mover's for plays and steps. Functions that tell whether
   something holds return 0 or 1. */

#ifndef NARDY_FAST_H
#define NARDY_FAST_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number of this interface. nardy_import() refuses a package with another, where sizes or meanings differ. */
#define NARDY_ABI 3

enum {
    NARDY_BAR = 0,              /* the slot where checkers wait */
    NARDY_HEAD = 1,             /* where all checkers of long nardy start */
    NARDY_HOME = 19,            /* the first slot of the home */
    NARDY_LAST = 24,            /* the last point of the board */
    NARDY_OFF = 25,             /* the slot of the checkers borne off */
    NARDY_SLOTS = 26,
    NARDY_MAX_STEPS = 6,        /* of a play */
    NARDY_MAX_STAGES = 6,       /* that can be pending */
    NARDY_MAX_PLAYS = 3060,     /* no roll has more distinct afterstates, but for rules whose throw is a product */
    NARDY_NO_LIMIT = 15         /* a limit that 15 checkers cannot reach */
};

/* Choices of a ruleset, by their names there. */
enum {                          /* head_exception */
    NARDY_HEAD_BLOCK, NARDY_VALUES, NARDY_CAP_DOUBLE, NARDY_CAPABILITY, NARDY_ANY_DOUBLE, NARDY_ANY_FIRST, NARDY_NO_EXCEPTION
};
enum { NARDY_AHEAD, NARDY_OPPONENT_HOME, NARDY_NEVER, NARDY_FREE, NARDY_FEVGA, NARDY_FEVGA_OPEN };  /* block_rule */
enum { NARDY_NO_KOKS, NARDY_KOKS_NONE_HOME, NARDY_KOKS_ON_HEAD, NARDY_KOKS_START_QUARTER };         /* koks */
enum { NARDY_NO_LAST_ROLL, NARDY_DRAW_ONLY, NARDY_FULL };                                           /* last_roll */

enum { NARDY_PAIR_THROWN, NARDY_PRODUCT, NARDY_CASCADE };                                           /* throw */
enum { NARDY_NO_SEND, NARDY_SEND_ONE_SIX, NARDY_SEND_DOUBLES };                                     /* send */
enum { NARDY_LOST, NARDY_STAGE, NARDY_REST };                                                       /* unplayed */

/* Why a step is refused; where several reasons hold, the first. */
enum {
    NARDY_GAME_OVER = 1,        /* the game is over */
    NARDY_NO_SUCH_DIE = 2,      /* no such die is left to play */
    NARDY_NO_CHECKER = 3,       /* the mover has no checker there */
    NARDY_BAR_FIRST = 4,        /* checkers on the bar must enter first */
    NARDY_RUNNER_NOT_PAST = 5,  /* the runner has not passed the opponent's head yet */
    NARDY_HEAD_USED = 6,        /* the head has given all it may this turn */
    NARDY_POINT_HELD = 7,       /* the opponent holds the point */
    NARDY_STACK_FULL = 8,       /* the point already has as many checkers as it may */
    NARDY_NOT_ALL_HOME = 9,     /* no checker may be borne off before all are home */
    NARDY_OFF_NEXT_TURN = 10,   /* bearing off begins only on the turn after all have come home */
    NARDY_EXACT_DIE_ONLY = 11,  /* a checker is borne off only with its exact die */
    NARDY_FARTHER_BACK = 12,    /* a larger die takes off only from the farthest point, and a checker stands farther back */
    NARDY_BLOCK = 13,           /* the step would make an illegal block of six */
    NARDY_LARGER_DIE = 14,      /* only one die can be played, and it must be the larger */
    NARDY_WASTES_DIE = 15,      /* the step would leave unplayed a die that can be played */
    NARDY_HOME_FROZEN = 16,     /* from the home checkers are only borne off */
    NARDY_OFF_DIE = 17,         /* only a 1 or a 6 bears a checker off */
    NARDY_SEND_FIRST = 18       /* a checker can be sent home from the head, and that comes first */
};

/* What is wrong with a board; where several things are, the first. */
enum {
    NARDY_BAD_COUNT = 1,        /* a slot holds 0..15 checkers */
    NARDY_BAD_TOTAL = 2,        /* a row has not as many checkers as the rules give a side */
    NARDY_WAITING = 3,          /* on parallel roads no checker waits in slot 0 */
    NARDY_SHARED = 4,           /* both sides hold one point */
    NARDY_OFF_TOO_EARLY = 5,    /* parallel roads: checkers are borne off while another stands outside the home */
    NARDY_STACK = 6,            /* more checkers on a point than the rules allow */
    NARDY_STANDING_BLOCK = 7,   /* a block of six that the rules do not allow */
    NARDY_BOTH_CLEARED = 8      /* both sides have borne off all, and no last roll explains it */
};

/* 52 bytes, as a row of an int8 array of shape (n, 2, 26) in Python. */
typedef struct nardy_board {
    int8_t row[2][26];          /* row 0 the player to move, row 1 the opponent; each slot on its own track: 0..15 checkers */
} nardy_board;

/* The rules of a game. Let read_rules() fill it in; then it is yours to read, copy and keep. */
typedef struct nardy_rules {
    int8_t start[26];           /* one side's row at the start of a game */
    int8_t checkers;            /* of a side, 1..15 */
    int8_t contrary;            /* 1: the roads are contrary and single checkers are hit */
    int8_t head_limit;          /* steps of a turn that may leave the head: 1, or NARDY_NO_LIMIT */
    int8_t head_exception;      /* when a first turn may take two: NARDY_HEAD_BLOCK ... */
    int8_t runner;              /* 1: Fevga's runner */
    int8_t block_rule;          /* when six points in a row are allowed: NARDY_AHEAD ... */
    int8_t block_at_end;        /* 1: a block is judged in the afterstate only */
    int8_t exact;               /* 1: only the exact die bears off */
    int8_t next_turn;           /* 1: the right to bear off does not begin inside a turn */
    int8_t stack_limit;         /* own checkers on a point: 5, or NARDY_NO_LIMIT */
    int8_t bar_first;           /* 1: checkers in slot 0 must enter before others move */
    int8_t keep;                /* 1: who clears first loses */
    int8_t home_mars;           /* points, or 0 where it does not count */
    int8_t koks;                /* NARDY_NO_KOKS ... */
    int8_t koks_points;
    int8_t remaining;           /* 1: as many points as the loser has checkers left */
    int8_t last_roll;           /* NARDY_NO_LAST_ROLL ... */
    int8_t rolloff;             /* 1: the starter plays the dice of the throw for the start, never a double */
    int8_t backgammon_points;
    int8_t thrown;              /* what stages a throw gives: NARDY_PAIR_THROWN ... */
    int8_t cascade_steps;
    int8_t parity;              /* 1: White plays only even products, Black only odd ones */
    int8_t send;                /* which dice send a checker of the head home: NARDY_NO_SEND ... */
    int8_t send_optional;
    int8_t off_one_six;         /* 1: only a 1 and a 6 bear off */
    int8_t frozen_home;         /* 1: from the home checkers are only borne off */
    int8_t unplayed;            /* what becomes of dice that a thrown stage leaves over: NARDY_LOST ... */
    int8_t throw_again;         /* 1: after a double played in full */
    int8_t void_double;         /* 1: a double that cannot be begun is over */
    int8_t dead_draw;           /* 1: a position in which neither side can ever move is a draw */
    int8_t staged;              /* 1: a turn is more than a pair of dice or four of a double, played as in long or short nardy */
} nardy_rules;

/* The steps of one turn, in an order in which they are legal. */
typedef struct nardy_play {
    int8_t steps;               /* 0..6; 0 is a pass */
    int8_t source[6];           /* the slot each step leaves, on the mover's track */
    int8_t die[6];              /* and its die, 1..6 */
    int8_t sends;               /* bit i: step i is a send, from the head to slot 25 - die */
} nardy_play;

/* Dice that one player plays in one go; all 0 where he has none. */
typedef struct nardy_stage {
    int8_t player;              /* 0 White, 1 Black */
    int8_t die;                 /* the larger of two different dice */
    int8_t number;              /* how many of it */
    int8_t second;              /* the smaller of two different dice, or 0 */
} nardy_stage;

/* The stages of a throw that are still to be played; all 0 where a throw is due. */
typedef struct nardy_pending {
    int8_t thrower;
    int8_t heads[2];            /* steps from the head that White and Black have made in this throw */
    int8_t count;
    nardy_stage stage[6];
} nardy_pending;

/* What one roll allows. Large: have one for each thread, not one for each node of a search. */
typedef struct nardy_play_set {
    int count;                  /* distinct afterstates: at least 1, since a pass is one */
    int private_count;
    uint64_t private_data[7500];
} nardy_play_set;

/* What derive_turn() finds on a board, for all rolls of it. */
typedef struct nardy_turn {
    uint64_t private_data[8];
} nardy_turn;

/* A source of random numbers. It may be copied: the copy goes on with the same ones. */
typedef struct nardy_luck {
    uint64_t private_data[9];
} nardy_luck;

/* What is wrong with a board. */
typedef struct nardy_fault {
    int kind;                   /* NARDY_BAD_COUNT ... */
    int row;
    int slot;                   /* on that row's track; for a block, its lowest on the opponent's */
    int value;                  /* what stands there, or a row's sum */
} nardy_fault;

struct _object;                 /* PyObject */

/* The functions. Later versions with the same NARDY_ABI may have more of them, at the end: `size` then is larger. */
typedef struct nardy_api {
    int abi;                    /* NARDY_ABI of the package */
    int size;                   /* sizeof(nardy_api) there */

    /* Fill `rules` from the name of a preset ("long", "short", ...) or from the JSON that Ruleset.to_json() writes, as UTF-8.
       NEEDS THE GIL. Returns 0; or -1 with a Python exception set: ValueError names the presets, or what is wrong. */
    int (*read_rules)(const char *text, nardy_rules *rules);

    /* The same from a nardy_fast.Ruleset or the name of one, a PyObject pointer that is only borrowed. NEEDS THE GIL. */
    int (*rules_of)(struct _object *ruleset, nardy_rules *rules);

    /* Fill `board` with the start of a game. Who is to move (row 0) the rules and the caller's dice decide. */
    void (*start_board)(const nardy_rules *rules, nardy_board *board);

    /* 0 where `board`, any 52 bytes, is one that the rules allow; else the kind of its first fault, and `found` tells more. */
    int (*fault)(const nardy_board *board, const nardy_rules *rules, nardy_fault *found);

    /* Find out what the roll allows, without listing it, into `play_set`; returns play_set->count. The cheapest way to one of
       many. */
    int (*generate)(const nardy_board *board, const nardy_rules *rules, int high, int low, nardy_play_set *play_set);

    /* Write the play number `index`, 0 to play_set->count - 1, to `play`. The order is that of expand() and write_boards() once
       one of them was called, and may be another before. */
    void (*pick)(const nardy_play_set *play_set, int index, nardy_play *play);

    /* List the plays of the play set, and return play_set->count of them, which stay there until it is used for another roll. */
    const nardy_play *(*expand)(nardy_play_set *play_set);

    /* Write the board after each play to after[0] ... after[play_set->count - 1], in the order of expand(); `board` and `rules`
       are those of the play set. The player who moved stays in row 0. */
    void (*write_boards)(nardy_play_set *play_set, const nardy_board *board, const nardy_rules *rules, nardy_board *after);

    /* generate() and expand() in one; returns play_set->count. */
    int (*generate_plays)(const nardy_board *board, const nardy_rules *rules, int high, int low, nardy_play_set *play_set);

    /* The number of distinct afterstates, at least 1; lists as little as it can. */
    int (*count)(const nardy_board *board, const nardy_rules *rules, int high, int low);

    /* Write the board after a legal play to `after`, the opponent to move in row 0. `after` may be `board`. */
    void (*apply)(const nardy_board *board, const nardy_rules *rules, const nardy_play *play, nardy_board *after);

    /* Make the steps of a legal play on `board` itself; the player who moved stays in row 0. */
    void (*move)(nardy_board *board, const nardy_rules *rules, const nardy_play *play);

    /* 0 where `play`, any bytes, is a legal play of the roll in that order of its steps; else the reason why not (NARDY_GAME_OVER
       ...), and `at` is the number, from 0, of the step that is refused, or play->steps where more must be played. */
    int (*check_play)(const nardy_board *board, const nardy_rules *rules, int high, int low, const nardy_play *play, int *at);

    /* Whether row `row` (0, 1) has borne off all its checkers. */
    int (*cleared)(const nardy_board *board, const nardy_rules *rules, int row);

    /* Whether the player to move in row 0 (`turn`: 0 White, 1 Black, -1 unknown: no last roll then) has no turn any more. Where
       White has cleared and the rules give a last roll, Black has one. */
    int (*is_over)(const nardy_board *board, const nardy_rules *rules, int turn);

    /* What a finished game is worth, 1..15, by the row of the loser, board.row[...]; under the rules' `keep` by that of the
       winner, who has not cleared. Under NARDY_DRAW_ONLY that is the row as it stood when White cleared. */
    int (*points)(const int8_t *loser, const nardy_rules *rules);

    /* Whether a play has ended the game: `before` is the board before it, `after` the one that apply() wrote, `turn` who made it
       (0 White, 1 Black). If so, `scored` is what he scores by that, 1..15, below 0 where the other player does, 0 for a draw. */
    int (*settle)(const nardy_board *before, const nardy_board *after, const nardy_rules *rules, int turn, int *scored);

    /* For rules with stages (rules->staged). Write the stages of a throw by that player to `queue`, the first to be played now; by
       rules with parity it may have no dice. */
    void (*begin_stages)(const nardy_rules *rules, int thrower, int high, int low, nardy_pending *queue);

    /* The plays of the first stage of `queue`, into `play_set`; returns play_set->count. */
    int (*generate_stage)(const nardy_board *board, const nardy_rules *rules, const nardy_pending *queue, nardy_play_set *play_set);

    /* What follows after `play`, the play of the first stage of `queue`, is written to `queue`: all 0 where a throw is due.
       `is_throw`: whether the stage was thrown just now. Returns who plays or throws next, who may be the player that moved: then
       the board that apply() wrote has to be turned round. Not to be asked where the game has ended. */
    int (*next_stage)(const nardy_rules *rules, nardy_pending *queue, const nardy_play *play, int is_throw);

    /* All plays of a play set, to room for play_set->count of them. expand() has room for NARDY_MAX_PLAYS; where five or six equal
       dice allow more, it returns NULL. */
    void (*list_into)(nardy_play_set *play_set, nardy_play *plays);

    /* check_play() for the first stage of `queue`. */
    int (*check_stage)(const nardy_board *board, const nardy_rules *rules, const nardy_pending *queue, const nardy_play *play,
                       int *at);

    /* generate() for those who go on to list all plays or boards, by expand(), list_into() or write_boards(): then it is faster,
       else slower. */
    int (*generate_to_list)(const nardy_board *board, const nardy_rules *rules, int high, int low, nardy_play_set *play_set);

    /* For several rolls of one board: look at it once, then generate_for() for each of them. `board` and `rules` must stay as
       they are, where they are, as long as `turn` is used. Not for rules with stages. */
    void (*derive_turn)(nardy_turn *turn, const nardy_board *board, const nardy_rules *rules);
    void (*generate_for)(nardy_turn *turn, int high, int low, nardy_play_set *play_set);

    /* The slots in which two boards differ: bit 26 * row + slot for each. Between a board and one of write_boards(), two to
       eight. */
    uint64_t (*changes)(const void *one, const void *two);

    /* Swap the rows: the other player is to move. */
    void (*turn_round)(nardy_board *board);

    /* The pips that a side has to go, by its row. */
    int (*pips)(const int8_t *row);

    /* The slot of a side's rearmost checker; 25 where all are borne off. */
    int (*rearmost)(const int8_t *row);

    /* Whether a checker of one side may still meet one of the other. */
    int (*in_contact)(const nardy_board *board, const nardy_rules *rules);

    /* A number for the board, for tables of positions: the same on every machine and in every version. The 52 bytes are seven
       words of eight, the first byte the lowest, zeros after the last. To word i, 0 to 6, (i + 1) * 0x9E3779B97F4A7C15 is added,
       and the sum is put through the finalizer of SplitMix64; the seven results are added up and put through it once more, all
       modulo 2**64. Whose turn it is and what is pending are not in it. */
    uint64_t (*hash_of)(const nardy_board *board);

    /* GNU Backgammon's board, its TanBoard, unsigned int[2][25]: the opponent's checkers, then those of the player to move; in
       each row 0 is that side's ace point, 23 its 24 point, 24 the bar. */
    void (*to_gnubg)(const nardy_board *board, unsigned int *tan_board);

    /* The other way: what is missing of the rules' checkers is borne off. Ask fault() where the board is a stranger's. */
    void (*from_gnubg)(const unsigned int *tan_board, const nardy_rules *rules, nardy_board *board);

    /* Random numbers that depend on `seed` and `number` only, others for each number. The dice of a game of
       `nardy_fast.players.play`, and of nardy_players.h, are those of number 2 * (its pair). */
    void (*begin_luck)(nardy_luck *luck, uint64_t seed, uint64_t number);

    /* A number from 0 to n - 1, each exactly as likely. */
    int (*choice)(nardy_luck *luck, int n);

    /* Two dice, the larger first. */
    void (*roll)(nardy_luck *luck, int *high, int *low);

    /* The dice of a game's first turn, never a double where they are those of the throw for the start. Returns who has it: 0
       White, 1 Black. */
    int (*first_roll)(const nardy_rules *rules, nardy_luck *luck, int *high, int *low);
} nardy_api;

#ifdef Py_PYTHON_H

/* Import nardy_fast and return its table, or NULL with a Python exception set: ImportError where there is no nardy_fast, or one
   with another ABI than this header's or with fewer functions. Needs the GIL. Call it once and keep the pointer. */
static inline const nardy_api *nardy_import(void)
{
    const nardy_api *api = NULL;
    PyObject *module = PyImport_ImportModule("nardy_fast.core._capi");
    PyObject *capsule = module == NULL ? NULL : PyObject_GetAttrString(module, "API");
    if (capsule != NULL) {
        api = (const nardy_api *)PyCapsule_GetPointer(capsule, "nardy_fast.core._capi.API");
    }
    if (api != NULL && (api->abi != NARDY_ABI || api->size < (int)sizeof(nardy_api))) {
        PyErr_Format(PyExc_ImportError,
                     "compiled for ABI %d of nardy_fast (a table of %d bytes), but this one has %d (%d): compile it again",
                     NARDY_ABI, (int)sizeof(nardy_api), api->abi, api->size);
        api = NULL;
    }
    Py_XDECREF(capsule);
    Py_XDECREF(module);     /* it stays in sys.modules, and the table with it */
    return api;
}

#endif /* Py_PYTHON_H */

#ifdef __cplusplus
}
#endif

#endif /* NARDY_FAST_H */
