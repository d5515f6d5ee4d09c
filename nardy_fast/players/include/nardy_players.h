/* Networks of nardy_fast from C, C++ and whatever else can read a C header: what a position is worth, and which play is best.

   It goes with nardy_fast.h, whose boards, rules and plays it uses. After nardy_players_import(), once and with the GIL, and after a
   network has been loaded, the functions need neither Python nor the GIL, and any number of threads may call them at once.

       const nardy_api *nardy = nardy_import();
       const nardy_players_api *players = nardy_players_import();
       const nardy_net *net = players->load("long");                // or a path; NULL with a Python exception set
       nardy_desk *desk = players->new_desk();                      // one for each thread

       players->best_play(net, &rules, &board, turn, high, low, desk, &play);
       nardy->apply(&board, &rules, &play, &board);

   Boards are trusted, as they are in nardy_fast.h. Chances are those of the results that players->results() names, in its order. */

#ifndef NARDY_PLAYERS_H
#define NARDY_PLAYERS_H

#include "nardy_fast.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The number of this interface; that of nardy_fast.h counts too. */
#define NARDY_PLAYERS_ABI 1

enum { NARDY_MAX_RESULTS = 32 };        /* no rules know so many */

typedef struct nardy_net nardy_net;     /* a network; it stays loaded as long as Python does */
typedef struct nardy_desk nardy_desk;   /* what a thread needs to choose plays, some 300 KB */
typedef struct nardy_levels nardy_levels;   /* the same for rules with stages: 11 MB, little of which is ever touched */

typedef struct nardy_tables nardy_tables;       /* bear-off tables; they stay loaded as long as Python does */

/* What a race is worth to the player to move, before his throw. */
typedef struct nardy_race {
    double win, mars, draw, loss, lost_mars;    /* win and loss have the mars in them */
} nardy_race;

enum nardy_player { NARDY_RANDOM, NARDY_GREEDY, NARDY_NETWORK, NARDY_CALLER };

/* A player of play_pairs(). */
typedef struct nardy_seat {
    int kind;                   /* nardy_player */
    const nardy_net *net;       /* of a NARDY_NETWORK */
    float noise;                /* the standard deviation of what is added to its equities: 0 for its best play */
    /* A NARDY_CALLER chooses by this: the number, 0 .. count - 1, of one of the boards `after` its plays, on which it is still in
       row 0. `turn` is its colour. `board` is the board before. It is called without the GIL. */
    int (*choose)(void *context, const nardy_board *board, const nardy_board *after, int count, int turn);
    void *context;
} nardy_seat;

/* The functions. Later versions with the same number may have more of them, at the end: `size` then is larger. */
typedef struct nardy_players_api {
    int abi;                    /* NARDY_PLAYERS_ABI of the package */
    int core_abi;               /* NARDY_ABI of the package */
    int size;                   /* sizeof(nardy_players_api) there */

    /* The network that is shipped for a preset, or that of a file, as Network.load() gives it. NEEDS THE GIL. NULL with a Python
       exception set where there is none. */
    const nardy_net *(*load)(const char *name);

    /* The same from a nardy_fast.players.Network, a PyObject pointer that is only borrowed. NEEDS THE GIL. */
    const nardy_net *(*net_of)(struct _object *network);

    /* The results that a network knows, as points, ascending, to points[0..31]; returns how many. */
    int (*results)(const nardy_net *net, int *points);

    nardy_desk *(*new_desk)(void);          /* NULL where there is no memory */
    void (*free_desk)(nardy_desk *desk);

    /* The chance of each result for the player to move, row 0, before his throw, to chances[0..31], and the points that he can
       expect. `turn` is his colour: 0 White, 1 Black, -1 unknown. */
    float (*evaluate)(const nardy_net *net, const nardy_board *board, int turn, float *chances);

    /* The same after his play, before the other's throw: he is still in row 0, as write_boards() leaves him. */
    float (*evaluate_after)(const nardy_net *net, const nardy_board *after, int turn, float *chances);

    /* The best play of a roll, to `play`, by the rules of the game, which may be others than the network's on the same road. Returns
       the points that who makes it can expect. */
    float (*best_play)(
        const nardy_net *net, const nardy_rules *rules, const nardy_board *board, int turn, int high, int low,
        nardy_desk *desk, nardy_play *play
    );

    /* For rules with stages (rules->staged), in which best_play() must not be asked. */

    nardy_levels *(*new_levels)(void);      /* NULL where there is no memory */
    void (*free_levels)(nardy_levels *levels);

    /* The chance of each result for who plays the first stage of `queue`, which has one, in row 0: that after the best play of all
       that is pending, as Network.evaluate() tells it. Where a throw is due ask evaluate(). */
    float (*evaluate_pending)(
        const nardy_net *net, const nardy_rules *rules, const nardy_board *board, const nardy_pending *queue,
        nardy_levels *levels, float *chances
    );

    /* The best play of the first stage of `queue`, to `play`. `is_throw`: whether the stage was thrown just now, by begin_stages();
       otherwise next_stage() left it. Returns the points that who makes it can expect. */
    float (*best_stage_play)(
        const nardy_net *net, const nardy_rules *rules, const nardy_board *board, const nardy_pending *queue, int is_throw,
        nardy_levels *levels, nardy_play *play
    );

    /* The bear-off tables of a preset, built on first use. NEEDS THE GIL. NULL with a Python exception set where there are none. */
    const nardy_tables *(*load_tables)(const char *rules);

    /* What a race is worth to the player in row 0, whose colour is `turn`, to `found`; 1, or 0 where the tables do not know the
       board: both sides must have all their checkers home. Exact for up to six checkers a side, else by the distributions of the
       turns that each side takes. */
    int (*race)(const nardy_tables *tables, const nardy_board *board, int turn, nardy_race *found);

    /* The expected number of turns until the player whose row this is, int8[26], has all off; -1 where the tables do not know it. */
    double (*turns_to_clear)(const nardy_tables *tables, const int8_t *row);

    /* Pairs of games with the same dice, `one` as White in the first of each and `two` in the second. What `one` scores goes to
       scores[2 * pairs], how many turns they took to turns[2 * pairs]. Pairs are known by their numbers, from `first` on, and by
       `seed`: threads may share them. `desk` is for rules without stages, `levels` for those with; the other may be NULL. */
    void (*play_pairs)(
        const nardy_seat *one, const nardy_seat *two, const nardy_rules *rules, uint64_t seed, int64_t first, int pairs,
        int16_t *scores, int32_t *turns, nardy_desk *desk, nardy_levels *levels
    );

    /* The mean of such scores, and to `error` the standard error of it, by the pairs (infinite for one pair). */
    double (*mean_of_pairs)(const int16_t *scores, int pairs, double *error);
} nardy_players_api;

#ifdef Py_PYTHON_H

/* Import nardy_fast.players and return its table, or NULL with a Python exception set. Needs the GIL. Call it once. */
static inline const nardy_players_api *nardy_players_import(void)
{
    const nardy_players_api *api = NULL;
    PyObject *module = PyImport_ImportModule("nardy_fast.players._capi");
    PyObject *capsule = module == NULL ? NULL : PyObject_GetAttrString(module, "API");
    if (capsule != NULL) {
        api = (const nardy_players_api *)PyCapsule_GetPointer(capsule, "nardy_fast.players._capi.API");
    }
    if (api != NULL && (api->abi != NARDY_PLAYERS_ABI || api->core_abi != NARDY_ABI || api->size < (int)sizeof(*api))) {
        PyErr_SetString(PyExc_ImportError, "compiled for another version of nardy_players.h than this nardy_fast has: compile it again");
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

#endif /* NARDY_PLAYERS_H */
