/* What networks are told of a board beside its checkers on each point, for one path (_paths.h): the dense inputs of each side,
   in the order that _encoding.pyx names. All are about 0 to 1. */

NARDY_TARGET static inline int NARDY_NAME(nardy_count)(uint32_t set) {
  #if NARDY_POPCNT
    return __builtin_popcount(set);
  #else
    set -= set >> 1 & 0x55555555u;
    set = (set & 0x33333333u) + (set >> 2 & 0x33333333u);
    return (int)((((set + (set >> 4)) & 0x0F0F0F0Fu) * 0x01010101u) >> 24);
  #endif
}

/* The pips that a row has to go. */
NARDY_TARGET static inline int NARDY_NAME(nardy_pips)(const int8_t *row) {
    int total = 0;
    for (int slot = 0; slot < 25; slot++) total += row[slot] * (25 - slot);
    return total;
}

/* The checkers of a row in a set of slots. */
NARDY_TARGET static inline int NARDY_NAME(nardy_men)(const int8_t *row, uint32_t set) {
    int total = 0;
    for (; set; set &= set - 1) total += row[nardy_lowest_of(set)];
    return total;
}

/* How many runs of three, four, five and six slots there are in a set. */
NARDY_TARGET static inline void NARDY_NAME(nardy_runs)(uint32_t set, float *inputs) {
    uint32_t three = set & set >> 1 & set >> 2, four = three & set >> 3, five = four & set >> 4, six = five & set >> 5;
    inputs[0] = NARDY_NAME(nardy_count)(three) * 0.25f;
    inputs[1] = NARDY_NAME(nardy_count)(four) * 0.33333333f;
    inputs[2] = NARDY_NAME(nardy_count)(five) * 0.5f;
    inputs[3] = NARDY_NAME(nardy_count)(six) * 0.5f;
}

/* The length of the longest run of a set, and its lowest slot; of several the one that begins highest. */
NARDY_TARGET static inline int NARDY_NAME(nardy_longest)(uint32_t set, int *begin) {
    int length = 0;
    uint32_t runs = set, last = 0;
    for (; runs; runs &= set >> length) {
        last = runs;
        length++;
    }
    *begin = last ? nardy_highest_of(last) : 0;
    return length;
}

/* How the men in `slots` stand before what `held` blocks: inputs[0] the rolls that free the rearmost, [1] those of each point,
   [2] those that leave a man where he is, of three a point at the most. */
NARDY_TARGET static inline void NARDY_NAME(nardy_escape)(const int8_t *row, uint32_t slots, uint32_t held, float *inputs) {
    int free = 0, stuck = 0, rolls = 36;
    uint32_t set = slots;
    inputs[0] = slots ? nardy_escapes[held >> (nardy_lowest_of(slots) + 1) & 4095] * (1.0f / 36) : 1.0f;
    for (; set; set &= set - 1) {
        int slot = nardy_lowest_of(set);
        rolls = nardy_escapes[held >> (slot + 1) & 4095];
        free += rolls;
        stuck += (36 - rolls) * (row[slot] > 3 ? 3 : row[slot]);
    }
    inputs[1] = free * (1.0f / 144);
    inputs[2] = stuck * (1.0f / 144);
}

/* The rolls, of 36, that hit one of the `blots`. All sets are on the hitters' track; `waiting` of them are in slot 0, and they may
   land on `open`. Beyond the entering of two men it is an estimate. */
NARDY_TARGET static inline int NARDY_NAME(nardy_shots)(uint32_t hitters, int waiting, uint32_t open, uint32_t blots) {
    uint32_t landed[7], reached, direct = 0;
    int rolls = 0;
    if (!blots) return 0;
    for (int die = 1; die <= 6; die++) {
        uint32_t moved = (waiting ? 1u : hitters) << die;
        direct |= (uint32_t)((moved & blots) != 0) << die;
        landed[die] = moved & open;
    }
    if (waiting == 1)           /* having entered with one die, any man may play the other */
        for (int die = 1; die <= 6; die++) landed[die] |= landed[die] ? hitters & ~1u : 0;
    for (int die = 1; die <= 6; die++) {
        reached = waiting > 2 ? 0 : landed[die] << die;
        reached |= (reached & open) << die;
        if (!waiting) reached |= (reached & open) << die;
        rolls += direct >> die & 1 || reached & blots;
        for (int other = 1; other < die; other++) {
            reached = waiting > 1 ? 0 : landed[die] << other | landed[other] << die;
            rolls += (direct >> die | direct >> other) & 1 || reached & blots ? 2 : 0;
        }
    }
    return rolls;
}

/* Contrary roads: backgammon and its kin. */
NARDY_TARGET static void NARDY_NAME(nardy_contrary)(const nardy_side *side, const nardy_side *his, float *inputs) {
    const uint32_t points = 0x1FFFFFE, enter = 0x7E;
    uint32_t made = side->two & points, anchors = made & enter;
    uint32_t behind = side->one & (((uint32_t)1 << side->his_rear) - 1), blots = behind & ~side->two & points;
    int closed = NARDY_NAME(nardy_count)(side->his_two & enter), shots, begin, length;
    inputs[0] = NARDY_NAME(nardy_pips)(side->row) * (1.0f / 167);
    inputs[1] = NARDY_NAME(nardy_men)(side->row, side->one & 0x7FFFF) * (1.0f / 15);
    inputs[2] = side->row[0] ? closed * closed * (1.0f / 36) : 0.0f;
    inputs[3] = side->row[0] > 1 ? closed * (1.0f / 6) : 0.0f;
    NARDY_NAME(nardy_runs)(made, inputs + 4);
    length = NARDY_NAME(nardy_longest)(made, &begin);
    /* The run is in his way from his slot 25 - begin - length + 1 on. */
    inputs[8] = length < 4 ? 0.0f
        : (length - 3) * 0.1f * NARDY_NAME(nardy_men)(his->row, his->one & (((uint32_t)1 << (26 - begin - length)) - 1));
    NARDY_NAME(nardy_escape)(side->row, behind & 0x3FFFF, side->his_two, inputs + 9);
    shots = NARDY_NAME(nardy_shots)(his->one, his->row[0], points & ~his->his_two, his->his_one & ~his->his_two);
    inputs[12] = shots * (1.0f / 36);
    inputs[13] = shots * closed * (1.0f / 216);
    inputs[14] = NARDY_NAME(nardy_count)(blots) * 0.25f;
    inputs[15] = shots && blots ? shots * nardy_highest_of(blots) * (1.0f / 864) : 0.0f;
    inputs[16] = anchors ? nardy_highest_of(anchors) * (1.0f / 6) : 0.0f;
    inputs[17] = NARDY_NAME(nardy_men)(side->row, behind) * (1.0f / 15);
}

/* Parallel roads: long nardy and its kin. */
NARDY_TARGET static void NARDY_NAME(nardy_parallel)(const nardy_side *side, const nardy_side *his, float *inputs) {
    const uint32_t points = 0x1FFFFFE, home = 0x1F80000, head = 2;
    uint32_t men = side->one & ~head, open = points & ~side->his_one, ahead;
    int begin, length, heads = 0, playable = 0, all_home = !(side->one & ~home);
    inputs[0] = NARDY_NAME(nardy_pips)(side->row) * (1.0f / 375);
    inputs[1] = NARDY_NAME(nardy_men)(side->row, side->one & home) * (1.0f / 15);
    for (int die = 1; die <= 6; die++) {
        uint32_t movers = men & open >> die;
        int leaves = open >> (1 + die) & 1;
        inputs[1 + die] = NARDY_NAME(nardy_count)(movers) * 0.125f;
        heads += leaves;
        playable += movers || (leaves && side->row[1]);
    }
    if (all_home) playable = 6;
    inputs[8] = (6 - playable) * (1.0f / 6);
    inputs[9] = playable * playable * (1.0f / 36);
    inputs[10] = side->row[1] * heads * (1.0f / 90);
    NARDY_NAME(nardy_escape)(side->row, side->one & 0x7FFFF, side->his_one, inputs + 11);
    /* What stands before his rearmost man; on his track. */
    ahead = his->one ? his->his_one & ~(((uint32_t)2 << nardy_lowest_of(his->one)) - 1) : 0;
    NARDY_NAME(nardy_runs)(ahead, inputs + 14);
    length = NARDY_NAME(nardy_longest)(ahead, &begin);
    inputs[18] = length < 4 ? 0.0f
        : (length - 3) * 0.1f * NARDY_NAME(nardy_men)(his->row, his->one & (((uint32_t)1 << begin) - 1));
    inputs[19] = NARDY_NAME(nardy_count)(side->one) * (1.0f / 15);
    inputs[20] = side->one ? nardy_lowest_of(side->one) * (1.0f / 24) : 1.0f;
    inputs[21] = NARDY_NAME(nardy_men)(side->row, side->one & (((uint32_t)1 << side->his_rear) - 1)) * (1.0f / 15);
}

/* The dense inputs of a board after a play: those of the side that moved, then the other's. In a race all but two are 0. */
NARDY_TARGET static void NARDY_NAME(nardy_dense)(const nardy_side *sides, int contrary, int contact, float *inputs) {
    int width = contrary ? NARDY_CONTRARY_INPUTS : NARDY_PARALLEL_INPUTS;
    for (int i = 0; i < 2; i++, inputs += width) {
        if (!contact) {
            memset(inputs, 0, width * sizeof(float));
            inputs[0] = NARDY_NAME(nardy_pips)(sides[i].row) * (contrary ? 1.0f / 167 : 1.0f / 375);
            inputs[1] = NARDY_NAME(nardy_men)(sides[i].row, sides[i].one & (contrary ? 0x7FFFF : 0x1F80000)) * (1.0f / 15);
        } else if (contrary)
            NARDY_NAME(nardy_contrary)(&sides[i], &sides[1 - i], inputs);
        else
            NARDY_NAME(nardy_parallel)(&sides[i], &sides[1 - i], inputs);
    }
}
