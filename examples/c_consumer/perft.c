/* perft of nardy from C: the leaves of the tree of plays after DEPTH turns, over the 21 rolls, each once, and every play.

   Usage: perft [RULES [DEPTH]]        RULES: a preset's name, or a ruleset as JSON

   Python runs while nardy_fast is loaded and the rules are read; the counting knows nothing of it. */

#include <Python.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "nardy_fast.h"

enum { MAX_DEPTH = 8 };

static const nardy_api *nardy;
static nardy_rules rules;

/* A play set for each level of the tree: too large for the stack of a small thread. */
static nardy_play_set play_sets[MAX_DEPTH + 1];

static int64_t leaves(const nardy_board *board, int turn, int depth)
{
    int64_t found = 0;
    if (depth == 0 || nardy->is_over(board, &rules, turn)) return 1;
    for (int high = 1; high <= 6; high++) {
        for (int low = 1; low <= high; low++) {
            if (depth == 1) {
                found += nardy->count(board, &rules, high, low);
                continue;
            }
            int count = nardy->generate_plays(board, &rules, high, low, &play_sets[depth]);
            const nardy_play *plays = nardy->expand(&play_sets[depth]);
            for (int i = 0; i < count; i++) {
                nardy_board after;
                nardy->apply(board, &rules, &plays[i], &after);
                found += leaves(&after, 1 - turn, depth - 1);
            }
        }
    }
    return found;
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
    const char *digits = argc > 2 ? argv[2] : "3";
    char *end;
    long depth = strtol(digits, &end, 10);
    nardy_board board;
    nardy_fault found;
    if (end == digits || *end != '\0' || depth < 0 || depth > MAX_DEPTH) {
        fprintf(stderr, "perft: DEPTH %s: expected 0..%d\n", digits, MAX_DEPTH);
        return 2;
    }

    start_python();
    nardy = nardy_import();
    if (nardy == NULL || nardy->read_rules(name, &rules) < 0) {
        PyErr_Print();
        return 1;
    }
    PyThreadState *python = PyEval_SaveThread();    /* gives the GIL back; any number of threads could now count */

    nardy->start_board(&rules, &board);
    if (nardy->fault(&board, &rules, &found)) return 1;
    printf("%" PRId64 "\n", leaves(&board, 0, (int)depth));

    PyEval_RestoreThread(python);
    return Py_FinalizeEx() < 0;
}
