/* The arithmetic of a network with one hidden layer, on the path of this processor (_paths.h).

   It is written in vectors of NARDY_LANES floats, which GCC and Clang turn into what the processor has; for other compilers there are loops.
   The paths differ by the rounding of fused multiplications, and by the order of the last sums. */

#ifndef NARDY_FAST_LAYERS
#define NARDY_FAST_LAYERS

#include <math.h>

#include "_paths.h"
#if defined(__SSE2__) || defined(_M_X64)
  #include <emmintrin.h>
#endif

enum { NARDY_BLOCK = 64, NARDY_MAX_HIDDEN = 1024, NARDY_MAX_OUTPUTS = 32 };

#if NARDY_VECTORS
  #pragma GCC diagnostic ignored "-Wpsabi"      /* no vector is passed to a function that is not inlined */
  typedef float nardy_four __attribute__((vector_size(16)));
  typedef float nardy_eight __attribute__((vector_size(32)));
#endif

#if defined(__GNUC__)
  #define NARDY_ALWAYS_INLINE __attribute__((always_inline))
#else
  #define NARDY_ALWAYS_INLINE
#endif

#define NARDY_NAME(function) function##_plain
#define NARDY_LANES 4
#define NARDY_TARGET
#define NARDY_POPCNT 0
#include "_layers_path.h"
#undef NARDY_NAME
#undef NARDY_TARGET
#undef NARDY_LANES
#undef NARDY_POPCNT

#if NARDY_PATHS == 3
  #define NARDY_POPCNT 1
  #define NARDY_NAME(function) function##_avx2
  #define NARDY_LANES 8
  #define NARDY_TARGET NARDY_AVX2
  #include "_layers_path.h"
  #undef NARDY_NAME
  #undef NARDY_TARGET
  #undef NARDY_LANES
  #define NARDY_NAME(function) function##_avx512
  #define NARDY_LANES 16
  #define NARDY_TARGET NARDY_AVX512
  #include "_layers_path.h"
  #undef NARDY_NAME
  #undef NARDY_TARGET
  #undef NARDY_LANES
  #undef NARDY_POPCNT
#endif

typedef struct {
    void (*forward)(
        const float *base, const float *const *columns, const float *scales, int changes, int hidden,
        const float *second, const float *second_bias, int outputs, float *sums, float *logits
    );
    float (*softmax)(const float *logits, uint32_t allowed, const float *points, int outputs, float *chances);
    void (*learn)(
        const float *sums, float *const *columns, const float *scales, int active, int hidden,
        float *second, float *second_bias, int outputs, const float *errors
    );
} nardy_layers;

#define NARDY_LAYERS(path) {nardy_forward_##path, nardy_softmax_##path, nardy_learn_##path}

static const nardy_layers nardy_layers_of[] = {
    NARDY_LAYERS(plain),
  #if NARDY_PATHS == 3
    NARDY_LAYERS(avx2), NARDY_LAYERS(avx512),
  #endif
};

#endif
