/* An engine in C: loads a network, chooses plays by it, and plays a match against a player who takes any play.

   Usage: engine [RULES [NETWORK [POINTS [SEED]]]]        RULES: a preset's name; NETWORK: a preset's name or a file

   Python runs while nardy_fast is loaded and the files are read; the games know nothing of it. */

#include <Python.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "nardy_fast.h"
#include "nardy_players.h"

static const nardy_api *nardy;
static const nardy_players_api *players;
static nardy_rules rules;
static uint64_t luck;

/* A number from 0 to n - 1. */
static int below(int n)
{
    luck ^= luck << 13;
    luck ^= luck >> 7;
    luck ^= luck << 17;
    return (int)((luck >> 32) * (uint64_t)n >> 32);
}

static void throw_dice(int *high, int *low)
{
    int one = 1 + below(6), two = 1 + below(6);
    *high = one > two ? one : two;
    *low = one > two ? two : one;
}

/* The colour that wins, and what it scores: 0 for a draw. The engine has the colour `engine`. */
static int play_game(const nardy_net *net, nardy_desk *desk, int engine, int *winner)
{
    static nardy_play_set play_set;
    nardy_board board, before;
    nardy_play play;
    int turn = rules.contrary ? below(2) : 0, high, low, scored;
    nardy->start_board(&rules, &board);
    do throw_dice(&high, &low);
    while (rules.rolloff && high == low);
    for (;;) {
        if (turn == engine) {
            players->best_play(net, &rules, &board, turn, high, low, desk, &play);
        } else {
            int count = nardy->generate(&board, &rules, high, low, &play_set);
            nardy->pick(&play_set, below(count), &play);
        }
        before = board;
        nardy->apply(&before, &rules, &play, &board);
        if (nardy->settle(&before, &board, &rules, turn, &scored)) {
            *winner = scored > 0 ? turn : 1 - turn;
            return scored > 0 ? scored : -scored;
        }
        turn = 1 - turn;
        throw_dice(&high, &low);
    }
}

static int load(const char *name, const char *network, const nardy_net **net)
{
    nardy = nardy_import();
    players = nardy == NULL ? NULL : nardy_players_import();
    if (players == NULL || nardy->read_rules(name, &rules) < 0) return -1;
    *net = players->load(network);
    return *net == NULL ? -1 : 0;
}

/* Start the interpreter that PYTHON names, with the packages that it sees. */
static void start_python(void)
{
    PyConfig config;
    PyConfig_InitPythonConfig(&config);
    PyStatus status = PyConfig_SetBytesString(&config, &config.program_name, PYTHON);
    if (!PyStatus_Exception(status)) status = Py_InitializeFromConfig(&config);
    PyConfig_Clear(&config);
    if (PyStatus_Exception(status)) Py_ExitStatusException(status);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "long";
    const char *network = argc > 2 ? argv[2] : name;
    int points = argc > 3 ? atoi(argv[3]) : 5, score[2] = {0, 0};      /* of the engine, of the other */
    const nardy_net *net;
    nardy_desk *desk;
    luck = 88172645463325252u + (argc > 4 ? strtoull(argv[4], NULL, 10) : 0);
    start_python();
    if (load(name, network, &net) < 0) {
        PyErr_Print();
        return 1;
    }
    PyThreadState *python = PyEval_SaveThread();        /* from here on without the GIL */
    desk = players->new_desk();
    if (desk == NULL) return 1;
    for (int game = 1; score[0] < points && score[1] < points; game++) {
        int engine = game % 2 ? 0 : 1, winner;
        int scored = play_game(net, desk, engine, &winner);
        score[winner != engine] += scored;
        printf("game %d: engine %d, other %d\n", game, score[0], score[1]);
    }
    players->free_desk(desk);
    PyEval_RestoreThread(python);
    return Py_FinalizeEx() < 0;
}
