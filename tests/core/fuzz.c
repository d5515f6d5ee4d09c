/* The C API fed with bytes: they choose rules, play some turns, spoil the board, and make a play up.

   fault() may be given any board and check_play() any play; where fault() finds nothing, all ways to ask for the plays must agree
   and lead to good boards. What does not hold aborts. tools/sanitize.py --fuzz SECONDS compiles it with AddressSanitizer and gives it
   random bytes; clang -fsanitize=fuzzer -DGUIDED leads it to new code. */

#include <Python.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "nardy_fast.h"

static const char *const names[] = {
    "long", "federation", "tournament", "arena", "karzar", "nardgammon", "giveaway", "khachapuri", "fevga", "greek_fevga", "kaftar",
    "one_six", "kabutar", "astrogon", "even_odd", "gulbar", "mad_gulbar", "mad_nardy", "mad_fevga", "short", "portes", "nackgammon",
    "hypergammon", "longgammon", "old_english", "acey_deucey",
};
enum { PRESETS = sizeof names / sizeof *names };

static const nardy_api *nardy;
static nardy_rules rules[PRESETS];
static int presets;
static nardy_play_set play_set, other_set;
static nardy_play plays[NARDY_MAX_PLAYS], all[20000];
static nardy_board boards[20000];

#define HOLDS(what) ((what) ? (void)0 : broken(#what))

static void broken(const char *what)
{
    fprintf(stderr, "does not hold: %s\n", what);
    abort();
}

typedef struct bytes {
    const uint8_t *data;
    size_t left;
} bytes;

static int next(bytes *from, int n)
{
    if (!from->left) return 0;
    from->left--;
    return *from->data++ % n;
}

static void ask_stage(const nardy_rules *with, nardy_board board, int turn, int high, int low, const nardy_play *made_up)
{
    nardy_pending queue;
    nardy_fault found;
    int at;
    nardy->begin_stages(with, turn, high, low, &queue);
    for (int stage = 0; stage < 12 && queue.count; stage++) {
        nardy_board after;
        int mover = queue.stage[0].player;
        int count = nardy->generate_stage(&board, with, &queue, &play_set);
        HOLDS(count >= 1 && count <= 20000);
        nardy->list_into(&play_set, all);
        nardy->write_boards(&play_set, &board, with, boards);
        for (int i = 0; i < count; i++) HOLDS(!nardy->check_stage(&board, with, &queue, &all[i], &at));
        nardy->check_stage(&board, with, &queue, made_up, &at);
        nardy->apply(&board, with, &all[count - 1], &after);
        HOLDS(!nardy->fault(&after, with, &found));
        if (nardy->cleared(&after, with, 0) || nardy->cleared(&after, with, 1)) return;
        if (nardy->next_stage(with, &queue, &all[count - 1], stage == 0) == mover) nardy->turn_round(&after);
        board = after;
        if (nardy->is_over(&board, with, -1)) return;
    }
}

static void ask(const nardy_rules *with, const nardy_board *board, int high, int low, const nardy_play *made_up)
{
    nardy_fault found;
    nardy_turn looked;
    nardy_board after, moved;
    int at;
    int count = nardy->generate_to_list(board, with, high, low, &play_set);
    HOLDS(count >= 1 && count <= NARDY_MAX_PLAYS);
    memcpy(plays, nardy->expand(&play_set), sizeof(nardy_play) * (size_t)count);
    nardy->write_boards(&play_set, board, with, boards);
    nardy->derive_turn(&looked, board, with);
    nardy->generate_for(&looked, high, low, &other_set);
    HOLDS(other_set.count == count);
    HOLDS(nardy->count(board, with, high, low) == count);
    for (int i = 0; i < count; i++) {
        nardy_play picked;
        nardy->pick(&other_set, i, &picked);
        HOLDS(!nardy->check_play(board, with, high, low, &picked, &at));
        HOLDS(!nardy->check_play(board, with, high, low, &plays[i], &at));
        moved = *board;
        nardy->move(&moved, with, &plays[i]);
        HOLDS(!memcmp(&moved, &boards[i], sizeof moved));
        nardy->apply(board, with, &plays[i], &after);
        nardy->turn_round(&moved);
        HOLDS(!memcmp(&moved, &after, sizeof moved));
        HOLDS(!nardy->fault(&after, with, &found));
        HOLDS(i == 0 || memcmp(&boards[i], &boards[i - 1], sizeof moved));
    }
    if (!nardy->check_play(board, with, high, low, made_up, &at)) {
        int seen = 0;
        moved = *board;
        nardy->move(&moved, with, made_up);
        for (int i = 0; i < count; i++) seen += !memcmp(&moved, &boards[i], sizeof moved);
        HOLDS(seen == 1);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes from = {data, size};
    const nardy_rules *with = &rules[next(&from, presets)];
    nardy_board board, again;
    nardy_fault found;
    nardy_play play;
    unsigned int tan_board[50];
    int turn = 0;
    nardy->start_board(with, &board);
    for (int turns = next(&from, 256); turns > 0 && from.left && !with->staged && !nardy->is_over(&board, with, turn); turns--) {
        int one = 1 + next(&from, 6), two = 1 + next(&from, 6);
        int count = nardy->generate(&board, with, one > two ? one : two, one > two ? two : one, &play_set);
        nardy->pick(&play_set, next(&from, count < 256 ? count : 256), &play);
        nardy->apply(&board, with, &play, &board);
        turn = 1 - turn;
    }
    for (int changes = next(&from, 4); changes > 0; changes--) {
        int row = next(&from, 2), source = next(&from, 26), target = next(&from, 26);
        int8_t men = (int8_t)next(&from, next(&from, 8) ? 3 : 256);
        board.row[row][source] = (int8_t)(board.row[row][source] - men);
        board.row[row][target] = (int8_t)(board.row[row][target] + men);
    }
    play.steps = (int8_t)next(&from, 256);
    for (int i = 0; i < 6; i++) {
        play.source[i] = (int8_t)(play.steps >= 0 && play.steps < 7 ? next(&from, 26) : next(&from, 256));
        play.die[i] = (int8_t)(play.steps >= 0 && play.steps < 7 ? 1 + next(&from, 6) : next(&from, 256));
    }
    play.sends = (int8_t)next(&from, 256);
    if (nardy->fault(&board, with, &found)) {
        HOLDS(found.kind > 0 && found.row >= 0 && found.row < 2 && found.slot >= 0 && found.slot < NARDY_SLOTS);
        return 0;
    }
    for (int i = 0; i < 50; i++) tan_board[i] = 0;
    nardy->to_gnubg(&board, tan_board);
    nardy->from_gnubg(tan_board, with, &again);
    HOLDS(!memcmp(&board, &again, sizeof board));
    if (nardy->is_over(&board, with, turn)) return 0;
    int one = 1 + next(&from, 6), two = 1 + next(&from, 6), high = one > two ? one : two, low = one > two ? two : one;
    if (with->staged) ask_stage(with, board, turn, high, low, &play);
    else ask(with, &board, high, low, &play);
    return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    PyConfig config;
    PyConfig_InitPythonConfig(&config);
    PyStatus status = PyConfig_SetBytesString(&config, &config.program_name, PYTHON);
    if (!PyStatus_Exception(status)) status = Py_InitializeFromConfig(&config);
    PyConfig_Clear(&config);
    if (PyStatus_Exception(status)) Py_ExitStatusException(status);
    nardy = nardy_import();
    if (nardy == NULL) PyErr_Print(), exit(1);
    for (int i = 0; i < PRESETS; i++) {
        if (!nardy->read_rules(names[i], &rules[presets])) presets++;
        else PyErr_Print();
    }
    PyEval_SaveThread();
    return 0;
}

#ifndef GUIDED
/* fuzz SECONDS [SEED] */
int main(int argc, char **argv)
{
    uint8_t data[400];
    uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    long done = 0;
    LLVMFuzzerInitialize(&argc, &argv);
    for (time_t end = time(NULL) + (argc > 1 ? atol(argv[1]) : 10); time(NULL) < end; done++) {
        for (size_t i = 0; i < sizeof data; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            data[i] = (uint8_t)(state >> 56);
        }
        LLVMFuzzerTestOneInput(data, sizeof data - data[0]);
    }
    printf("%ld inputs, %d rulesets\n", done, presets);
    return presets != PRESETS;
}
#endif
