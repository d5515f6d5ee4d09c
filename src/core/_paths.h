/* Code that is compiled once for each kind of processor that is worth it, and chosen when it runs.

   Such code is in a file NAME_path.h, which NAME.h includes once for each path: AVX-512, AVX2, and "plain", what every processor of
   its kind has. In it, NARDY_NAME gives a function the path's name, NARDY_TARGET tells the compiler the processor, NARDY_LANES is the floats of a vector. Other
   compilers than GCC and Clang, and other processors than x86, have the plain path only. */

#ifndef NARDY_FAST_PATHS
#define NARDY_FAST_PATHS

#include <stdint.h>
#include <string.h>

#if defined(__GNUC__) || defined(__clang__)
  #define NARDY_VECTORS 1
#else
  #define NARDY_VECTORS 0
#endif

#if NARDY_VECTORS && defined(__x86_64__)
  #define NARDY_PATHS 3
  #define NARDY_AVX2 __attribute__((target("avx2,fma,popcnt,bmi,bmi2")))
  #ifdef __clang__              /* which would ignore all of it for the width, that it does not know here */
    #define NARDY_WIDTH
  #else
    #define NARDY_WIDTH ",prefer-vector-width=512"
  #endif
  #define NARDY_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,popcnt,bmi,bmi2" NARDY_WIDTH)))
#else
  #define NARDY_PATHS 1
#endif

/* The names of the paths, slowest first. */
static const char *const nardy_path_name[] = {"plain", "avx2", "avx512"};

/* How many of the paths this processor can go; the last of them is the fastest. */
static inline int nardy_paths_here(void) {
  #if NARDY_PATHS == 3
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("popcnt")
        || !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2"))
        return 1;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512dq")
        || !__builtin_cpu_supports("avx512vl"))
        return 2;
    return 3;
  #else
    return 1;
  #endif
}

static inline int nardy_lowest_of(uint64_t set) {
  #if NARDY_VECTORS
    return __builtin_ctzll(set);
  #else
    int i = 0;
    while (!(set >> i & 1)) i++;
    return i;
  #endif
}

static inline int nardy_highest_of(uint32_t set) {
  #if NARDY_VECTORS
    return 31 - __builtin_clz(set);
  #else
    int i = 31;
    while (!(set >> i & 1)) i--;
    return i;
  #endif
}

#endif
