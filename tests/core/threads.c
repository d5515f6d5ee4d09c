/* The C API from many threads at once: games of several rules, each played by two threads, which must play it alike.

   tools/sanitize.py --threads compiles it and the modules with ThreadSanitizer, which stops it where two threads meet at one place
   in memory. Rules and networks are shared; boards, play sets and desks are each thread's own. */

#include <Python.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "nardy_fast.h"
#include "nardy_players.h"

enum { THREADS = 8, GAMES = 6, PRESETS = 5 };

static const char *const names[PRESETS] = {"long", "short", "fevga", "old_english", "acey_deucey"};
static const nardy_api *nardy;
static const nardy_players_api *players;
static nardy_rules rules[PRESETS];
static const nardy_net *nets[PRESETS];      /* or NULL */

typedef struct player {
    pthread_t thread;
    int number;
    uint64_t seen[PRESETS][GAMES];          /* a number for all boards and plays of each game */
    nardy_play_set play_set;
} player;

static uint64_t with(uint64_t seen, uint64_t more) { return (seen ^ more) * 0x9E3779B97F4A7C15u + (seen >> 29); }

/* The play for a roll or a stage: the network's in every second turn, else one by chance, the same by each way to ask for it. */
static uint64_t choose(player *self, int p, const nardy_board *board, int turn, int high, int low, const nardy_pending *queue,
                       int is_throw, int asks_network, nardy_luck *luck, nardy_desk *desk, nardy_levels *levels, nardy_play *play)
{
    int at, count;
    float points = 0;
    if (rules[p].staged) {
        count = nardy->generate_stage(board, &rules[p], queue, &self->play_set);
        nardy->pick(&self->play_set, nardy->choice(luck, count), play);
        if (asks_network) points = players->best_stage_play(nets[p], &rules[p], board, queue, is_throw, levels, play);
        if (nardy->check_stage(board, &rules[p], queue, play, &at)) count = -1;
    } else {
        nardy_turn looked;
        nardy->derive_turn(&looked, board, &rules[p]);
        nardy->generate_for(&looked, high, low, &self->play_set);
        count = nardy->generate_plays(board, &rules[p], high, low, &self->play_set);
        *play = nardy->expand(&self->play_set)[nardy->choice(luck, count)];
        if (asks_network) points = players->best_play(nets[p], &rules[p], board, turn, high, low, desk, play);
        if (count != nardy->count(board, &rules[p], high, low) || nardy->check_play(board, &rules[p], high, low, play, &at)) count = -1;
    }
    return with((uint64_t)count, (uint64_t)(int64_t)(points * 1e4f));
}

static uint64_t play_game(player *self, int p, int number, nardy_desk *desk, nardy_levels *levels)
{
    nardy_luck luck;
    nardy_board board, after;
    nardy_pending queue;
    nardy_play play;
    int high, low, scored, is_throw = 1, turns = 0;
    uint64_t seen = 0;
    nardy->begin_luck(&luck, 7, (uint64_t)number);
    nardy->start_board(&rules[p], &board);
    int turn = nardy->first_roll(&rules[p], &luck, &high, &low);
    memset(&queue, 0, sizeof queue);
    for (;; turns++) {
        int mover = turn;
        if (rules[p].staged && is_throw) nardy->begin_stages(&rules[p], turn, high, low, &queue);
        seen = with(seen, choose(self, p, &board, turn, high, low, &queue, is_throw, nets[p] != NULL && turns % 2, &luck, desk,
                                 levels, &play));
        nardy->apply(&board, &rules[p], &play, &after);
        seen = with(seen, nardy->hash_of(&after));
        if (nardy->settle(&board, &after, &rules[p], mover, &scored) || turns == 400) return with(seen, (uint64_t)turns);
        turn = rules[p].staged ? nardy->next_stage(&rules[p], &queue, &play, is_throw) : 1 - mover;
        board = after;
        if (turn == mover) nardy->turn_round(&board);
        is_throw = !queue.count;
        if (is_throw) nardy->roll(&luck, &high, &low);
    }
}

static void *work(void *given)
{
    player *self = given;
    nardy_desk *desk = players->new_desk();
    nardy_levels *levels = players->new_levels();
    for (int p = 0; p < PRESETS && desk != NULL && levels != NULL; p++)
        for (int game = 0; game < GAMES; game++)
            self->seen[p][game] = play_game(self, p, self->number / 2 * GAMES + game, desk, levels);
    players->free_desk(desk);
    players->free_levels(levels);
    return NULL;
}

int main(void)
{
    static player all[THREADS];
    PyConfig config;
    PyConfig_InitPythonConfig(&config);
    PyStatus status = PyConfig_SetBytesString(&config, &config.program_name, PYTHON);
    if (!PyStatus_Exception(status)) status = Py_InitializeFromConfig(&config);
    PyConfig_Clear(&config);
    if (PyStatus_Exception(status)) Py_ExitStatusException(status);

    nardy = nardy_import();
    players = nardy == NULL ? NULL : nardy_players_import();
    for (int p = 0; p < PRESETS; p++) {
        if (players == NULL || nardy->read_rules(names[p], &rules[p]) < 0) {
            PyErr_Print();
            return 1;
        }
        nets[p] = players->load(names[p]);
        PyErr_Clear();                      /* no network is shipped for some of them */
    }
    PyThreadState *python = PyEval_SaveThread();
    for (int i = 0; i < THREADS; i++) {
        all[i].number = i;
        if (pthread_create(&all[i].thread, NULL, work, &all[i])) return 1;
    }
    for (int i = 0; i < THREADS; i++) pthread_join(all[i].thread, NULL);
    PyEval_RestoreThread(python);

    int unlike = 0, silent = 0;
    for (int i = 0; i < THREADS; i += 2) {
        unlike += memcmp(all[i].seen, all[i + 1].seen, sizeof all[i].seen) != 0;
        for (int p = 0; p < PRESETS; p++) silent += !all[i].seen[p][0];
    }
    printf("%d threads played %d games each; %d pairs of threads played them differently\n", THREADS, PRESETS * GAMES, unlike);
    return unlike || silent ? 1 : Py_FinalizeEx() < 0;
}
