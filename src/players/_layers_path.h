/* The layers of a network, for one path (_paths.h). */

#if NARDY_VECTORS
typedef float NARDY_NAME(nardy_floats) __attribute__((vector_size(4 * NARDY_LANES), aligned(4), may_alias));
typedef int32_t NARDY_NAME(nardy_ints) __attribute__((vector_size(4 * NARDY_LANES), aligned(4), may_alias));
#define nardy_floats NARDY_NAME(nardy_floats)
#define nardy_ints NARDY_NAME(nardy_ints)

/* Halves are added until four lanes are left. */
NARDY_TARGET static inline float NARDY_NAME(nardy_sum)(const nardy_floats *lanes) {
    nardy_four four[NARDY_LANES / 4];
  #if NARDY_LANES == 16
    nardy_eight eight[2];
    memcpy(eight, lanes, sizeof(eight));
    eight[0] += eight[1];
    memcpy(four, eight, sizeof(eight[0]));
    four[0] += four[1];
  #else
    memcpy(four, lanes, sizeof(four));
    for (int i = 1; i < NARDY_LANES / 4; i++) four[0] += four[i];
  #endif
    return (four[0][0] + four[0][2]) + (four[0][1] + four[0][3]);
}
#endif

/* The pre-activations `base` plus some columns of the first layer times their scales, ReLU, and the second layer: the logits.
   `sums`, if it is not NULL, gets the pre-activations. `hidden` is a multiple of NARDY_BLOCK. */
NARDY_TARGET NARDY_ALWAYS_INLINE static inline void NARDY_NAME(nardy_forward_to)(
    const float *base, const float *const *columns, const float *scales, int changes, int hidden,
    const float *second, const float *second_bias, int outputs, float *sums, float *logits
) {
  #if NARDY_VECTORS
    nardy_floats total[NARDY_MAX_OUTPUTS];
    for (int o = 0; o < outputs; o++) total[o] = (nardy_floats){0};
    for (int at = 0; at < hidden; at += 4 * NARDY_LANES) {
        const nardy_floats *from = (const nardy_floats *)(base + at);
        nardy_floats a = from[0], b = from[1], c = from[2], d = from[3];
        for (int i = 0; i < changes; i++) {
            const nardy_floats *column = (const nardy_floats *)(columns[i] + at);
            float scale = scales[i];
            a += column[0] * scale;
            b += column[1] * scale;
            c += column[2] * scale;
            d += column[3] * scale;
        }
        if (sums) {
            nardy_floats *to = (nardy_floats *)(sums + at);
            to[0] = a; to[1] = b; to[2] = c; to[3] = d;
        }
        a = (nardy_floats)((nardy_ints)a & (a > 0.0f));
        b = (nardy_floats)((nardy_ints)b & (b > 0.0f));
        c = (nardy_floats)((nardy_ints)c & (c > 0.0f));
        d = (nardy_floats)((nardy_ints)d & (d > 0.0f));
        for (int o = 0; o < outputs; o++) {
            const nardy_floats *weights = (const nardy_floats *)(second + (int64_t)o * hidden + at);
            total[o] += a * weights[0] + b * weights[1] + c * weights[2] + d * weights[3];
        }
    }
    for (int o = 0; o < outputs; o++) logits[o] = second_bias[o] + NARDY_NAME(nardy_sum)(&total[o]);
  #else
    float own[NARDY_MAX_HIDDEN];
    float *sum = sums ? sums : own;
    memcpy(sum, base, hidden * sizeof(float));
    for (int i = 0; i < changes; i++)
        for (int h = 0; h < hidden; h++) sum[h] += columns[i][h] * scales[i];
    for (int o = 0; o < outputs; o++) {
        float total = second_bias[o];
        for (int h = 0; h < hidden; h++) total += (sum[h] > 0.0f ? sum[h] : 0.0f) * second[(int64_t)o * hidden + h];
        logits[o] = total;
    }
  #endif
}

/* The same, with loops of a known length where rules have four results, as in long nardy, or six, as in backgammon. */
NARDY_TARGET static void NARDY_NAME(nardy_forward)(
    const float *base, const float *const *columns, const float *scales, int changes, int hidden,
    const float *second, const float *second_bias, int outputs, float *sums, float *logits
) {
    if (outputs == 4 && !sums)
        NARDY_NAME(nardy_forward_to)(base, columns, scales, changes, hidden, second, second_bias, 4, NULL, logits);
    else if (outputs == 6 && !sums)
        NARDY_NAME(nardy_forward_to)(base, columns, scales, changes, hidden, second, second_bias, 6, NULL, logits);
    else
        NARDY_NAME(nardy_forward_to)(base, columns, scales, changes, hidden, second, second_bias, outputs, sums, logits);
}

/* The chances that logits stand for, 0 for results that are not `allowed` (a bit each); returns their mean in points. */
NARDY_TARGET static float NARDY_NAME(nardy_softmax)(
    const float *logits, uint32_t allowed, const float *points, int outputs, float *chances
) {
    float power[NARDY_MAX_OUTPUTS], most = -INFINITY, total = 0.0f, equity = 0.0f;
    int padded = (outputs + 7) & ~7;
    for (int o = 0; o < outputs; o++)
        if (allowed >> o & 1 && logits[o] > most) most = logits[o];
    for (int o = 0; o < padded; o++) power[o] = o < outputs && allowed >> o & 1 ? logits[o] - most : -200.0f;
    /* e**x = 2**whole * e**rest, |rest| <= ln(2) / 2, by its series. */
    for (int o = 0; o < padded; o++) {
        float x = power[o] < -80.0f ? -80.0f : power[o];
        int32_t whole = (int32_t)(x * 1.44269504f - 0.5f), bits;
        float rest = (x - (float)whole * 0.693359375f) + (float)whole * 2.12194440e-4f, scale;
        bits = (whole + 127) << 23;
        memcpy(&scale, &bits, sizeof(scale));
        chances[o] = power[o] < -80.0f ? 0.0f : scale * (1.0f + rest * (1.0f + rest * (0.5f + rest * (0.16666667f
            + rest * (0.041666668f + rest * (0.0083333338f + rest * 0.0013888889f))))));
    }
    for (int o = 0; o < outputs; o++) total += chances[o];
    total = 1.0f / total;
    for (int o = 0; o < outputs; o++) {
        chances[o] *= total;
        equity += chances[o] * points[o];
    }
    return equity;
}

/* One step down the gradient. `errors`: how much each logit is to grow, the rate included; the rest is what `forward` was given
   for the same board, but that columns are all the active ones. */
NARDY_TARGET static void NARDY_NAME(nardy_learn)(
    const float *sums, float *const *columns, const float *scales, int active, int hidden,
    float *second, float *second_bias, int outputs, const float *errors
) {
    for (int o = 0; o < outputs; o++) second_bias[o] += errors[o];
  #if NARDY_VECTORS
    for (int at = 0; at < hidden; at += 4 * NARDY_LANES) {
        const nardy_floats *sum = (const nardy_floats *)(sums + at);
        nardy_ints on[4];
        nardy_floats out[4], back[4];
        for (int v = 0; v < 4; v++) {
            on[v] = sum[v] > 0.0f;
            out[v] = (nardy_floats)((nardy_ints)sum[v] & on[v]);
            back[v] = (nardy_floats){0};
        }
        for (int o = 0; o < outputs; o++) {
            nardy_floats *weights = (nardy_floats *)(second + (int64_t)o * hidden + at);
            for (int v = 0; v < 4; v++) {
                back[v] += weights[v] * errors[o];
                weights[v] += out[v] * errors[o];
            }
        }
        for (int v = 0; v < 4; v++) back[v] = (nardy_floats)((nardy_ints)back[v] & on[v]);
        for (int i = 0; i < active; i++) {
            nardy_floats *column = (nardy_floats *)(columns[i] + at);
            for (int v = 0; v < 4; v++) column[v] += back[v] * scales[i];
        }
    }
  #else
    for (int h = 0; h < hidden; h++) {
        float back = 0.0f;
        if (!(sums[h] > 0.0f)) continue;
        for (int o = 0; o < outputs; o++) {
            back += second[(int64_t)o * hidden + h] * errors[o];
            second[(int64_t)o * hidden + h] += sums[h] * errors[o];
        }
        for (int i = 0; i < active; i++) columns[i][h] += back * scales[i];
    }
  #endif
}

#undef nardy_floats
#undef nardy_ints
