/* What networks are told of a board beside its checkers on each point: on the path of this processor (_paths.h). */

#ifndef NARDY_FAST_INPUTS
#define NARDY_FAST_INPUTS

#include "_paths.h"

/* The rolls, of 36, whose two dice one checker can play, by the points that are held of the 12 ahead of it (bit 0 is the next). */
static int8_t nardy_escapes[4096];

/* Fill the table of escapes; once, before anything else. */
static void nardy_fill_escapes(void) {
    for (int held = 0; held < 4096; held++) {
        int rolls = 0;
        for (int one = 1; one <= 6; one++)
            for (int two = 1; two <= 6; two++)
                rolls += !(held >> (one + two - 1) & 1) && !(held >> (one - 1) & held >> (two - 1) & 1);
        nardy_escapes[held] = (int8_t)rolls;
    }
}

/* What is asked of one side of a board for its dense inputs. Sets are of slots of its own track: bit s for slot s. */
typedef struct {
    const int8_t *row;          /* its checkers */
    uint32_t one, two;          /* slots 0..24 that hold one of its checkers at least, two at least */
    uint32_t his_one, his_two;  /* slots 1..24 where the other side stands, with one at least, with two */
    int his_rear;               /* the highest slot where a man of the other side may be met, 25 where one of his waits; 0: none */
} nardy_side;

enum { NARDY_CONTRARY_INPUTS = 18, NARDY_PARALLEL_INPUTS = 22 };      /* of a side */

#define NARDY_NAME(function) function##_plain
#define NARDY_TARGET
#define NARDY_POPCNT 0
#include "_inputs_path.h"
#undef NARDY_NAME
#undef NARDY_TARGET
#undef NARDY_POPCNT

#if NARDY_PATHS == 3
  #define NARDY_POPCNT 1
  #define NARDY_NAME(function) function##_avx2
  #define NARDY_TARGET NARDY_AVX2
  #include "_inputs_path.h"
  #undef NARDY_NAME
  #undef NARDY_TARGET
  #define NARDY_NAME(function) function##_avx512
  #define NARDY_TARGET NARDY_AVX512
  #include "_inputs_path.h"
  #undef NARDY_NAME
  #undef NARDY_TARGET
  #undef NARDY_POPCNT
#endif

typedef void (*nardy_dense)(const nardy_side *sides, int contrary, int contact, float *inputs);

static const nardy_dense nardy_dense_of[] = {
    nardy_dense_plain,
  #if NARDY_PATHS == 3
    nardy_dense_avx2, nardy_dense_avx512,
  #endif
};

#endif
