"""A whole board in vector registers.

A byte that was just changed in memory makes the next wide load of its neighbours wait, and every turn both changes bytes and asks
for sets of slots. So the sets are read by the same wide loads that wrote the board last, and steps are sums of vectors. Where
there is no SSE2 the board stays as it is, in bytes.
"""

from libc.stdint cimport int8_t, uint32_t, uint64_t


cdef extern from *:
    """
    #ifndef NARDY_FAST_WIDE
    #define NARDY_FAST_WIDE
    #include <stdint.h>
    #include <string.h>
    #if defined(__SSE2__) || defined(_M_X64)
      #include <emmintrin.h>
      static inline __m128i nardy_16(const int8_t *from) { return _mm_loadu_si128((const __m128i *)from); }

      /* The 52 bytes of a board. Row 0 has 0..25, row 1 has 26..51. */
    #ifdef __AVX2__
      #include <immintrin.h>
      typedef struct { __m256i both; __m128i third; uint32_t fourth; } nardy_wide;    /* 0..31, 32..47 and 48..51 */
      #define NARDY_FIRST(w) _mm256_castsi256_si128((w)->both)
      #define NARDY_SECOND(w) _mm256_extracti128_si256((w)->both, 1)
      static inline __m256i nardy_32(const int8_t *from) { return _mm256_loadu_si256((const __m256i *)from); }
      static inline void nardy_set(nardy_wide *w, __m128i first, __m128i second) { w->both = _mm256_set_m128i(second, first); }
    #else
      typedef struct { __m128i first, second, third; uint32_t fourth; } nardy_wide;   /* 0..15, 16..31, 32..47 and 48..51 */
      #define NARDY_FIRST(w) (w)->first
      #define NARDY_SECOND(w) (w)->second
      static inline void nardy_set(nardy_wide *w, __m128i first, __m128i second) { w->first = first; w->second = second; }
    #endif

      static inline nardy_wide nardy_load(const void *board) {
        const int8_t *byte = (const int8_t *)board;
        nardy_wide w;
      #ifdef __AVX2__
        w.both = nardy_32(byte);
      #else
        nardy_set(&w, nardy_16(byte), nardy_16(byte + 16));
      #endif
        w.third = nardy_16(byte + 32);
        memcpy(&w.fourth, byte + 48, 4);
        return w;
      }

      static inline void nardy_store(const nardy_wide *w, void *board) {
        int8_t *byte = (int8_t *)board;
      #ifdef __AVX2__
        _mm256_storeu_si256((__m256i *)byte, w->both);
      #else
        _mm_storeu_si128((__m128i *)byte, w->first);
        _mm_storeu_si128((__m128i *)(byte + 16), w->second);
      #endif
        _mm_storeu_si128((__m128i *)(byte + 32), w->third);
        memcpy(byte + 48, &w->fourth, 4);
      }

      /* Turned by 26 bytes. */
      static inline nardy_wide nardy_swapped(const nardy_wide *w) {
        __m128i first = NARDY_FIRST(w), second = NARDY_SECOND(w), fourth = _mm_cvtsi32_si128((int)w->fourth);
        nardy_wide s;
        nardy_set(
            &s, _mm_or_si128(_mm_srli_si128(second, 10), _mm_slli_si128(w->third, 6)),
            _mm_or_si128(_mm_or_si128(_mm_srli_si128(w->third, 10), _mm_slli_si128(fourth, 6)), _mm_slli_si128(first, 10)));
        s.third = _mm_or_si128(_mm_srli_si128(first, 6), _mm_slli_si128(second, 10));
        s.fourth = (uint32_t)_mm_cvtsi128_si32(_mm_srli_si128(second, 6));
        return s;
      }

      static inline uint64_t nardy_held(const nardy_wide *w, int n) {
        __m128i fewer = _mm_set1_epi8((char)(n - 1));
      #ifdef __AVX2__
        uint32_t low = (uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(w->both, _mm256_set1_epi8((char)(n - 1))));
      #else
        uint32_t low = (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(w->first, fewer))
            | (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(w->second, fewer)) << 16;
      #endif
        uint32_t third = (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(w->third, fewer));
        uint32_t fourth = (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(_mm_cvtsi32_si128((int)w->fourth), fewer)) & 15;
        return (uint64_t)(third | fourth << 16) << 32 | low;
      }

      /* What a step adds to row 0; nothing where it leaves from slot 25. Spelt out, since C++ reads this too. */
      #define NARDY_AT(i, from, die) (((i) == ((from) + (die) < 25 ? (from) + (die) : 25)) - ((i) == (from)))
      #define NARDY_AT_4(i, from, die) NARDY_AT(i, from, die), NARDY_AT(i + 1, from, die), NARDY_AT(i + 2, from, die), \
          NARDY_AT(i + 3, from, die)
      #define NARDY_STEP(from, die) {NARDY_AT_4(0, from, die), NARDY_AT_4(4, from, die), NARDY_AT_4(8, from, die), \
          NARDY_AT_4(12, from, die), NARDY_AT_4(16, from, die), NARDY_AT_4(20, from, die), NARDY_AT_4(24, from, die), \
          NARDY_AT_4(28, from, die)}
      #define NARDY_STEPS_OF_2(from, die) NARDY_STEP(from, die), NARDY_STEP(from + 1, die)
      #define NARDY_STEPS_OF_6(from, die) \
          NARDY_STEPS_OF_2(from, die), NARDY_STEPS_OF_2(from + 2, die), NARDY_STEPS_OF_2(from + 4, die)
      #define NARDY_STEPS(die) {NARDY_STEPS_OF_6(0, die), NARDY_STEPS_OF_6(6, die), NARDY_STEPS_OF_6(12, die), \
          NARDY_STEPS_OF_6(18, die), NARDY_STEPS_OF_2(24, die)}
      static const int8_t nardy_steps[6][26][32] = {
          NARDY_STEPS(1), NARDY_STEPS(2), NARDY_STEPS(3), NARDY_STEPS(4), NARDY_STEPS(5), NARDY_STEPS(6)};

      static inline void nardy_shift(nardy_wide *w, int from, int die) {
        const int8_t *step = nardy_steps[die - 1][from];
      #ifdef __AVX2__
        w->both = _mm256_add_epi8(w->both, nardy_32(step));
      #else
        w->first = _mm_add_epi8(w->first, nardy_16(step));
        w->second = _mm_add_epi8(w->second, nardy_16(step + 16));
      #endif
      }

      /* A window of 16 bytes on these is a vector with a 1 at the place you like. */
      static const int8_t nardy_one[80] = {
          0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
          0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

      static inline void nardy_hit(nardy_wide *w, int slot) {
        const int8_t *less = nardy_one + 40 + 6 - slot;
        __m128i one_more = nardy_16(nardy_one + 40 - 10);
        nardy_set(w, NARDY_FIRST(w), _mm_add_epi8(_mm_sub_epi8(NARDY_SECOND(w), nardy_16(less - 16)), one_more));
        w->third = _mm_sub_epi8(w->third, nardy_16(less));
        if (slot >= 22) w->fourth -= (uint32_t)1 << 8 * (slot - 22);
      }
    #else
      typedef struct { int8_t row[2][26]; } nardy_wide;
      static inline nardy_wide nardy_load(const void *board) { nardy_wide w; memcpy(&w, board, 52); return w; }
      static inline void nardy_store(const nardy_wide *w, void *board) { memcpy(board, w, 52); }
      static inline nardy_wide nardy_swapped(const nardy_wide *w) {
        nardy_wide s;
        memcpy(s.row[0], w->row[1], 26);
        memcpy(s.row[1], w->row[0], 26);
        return s;
      }
      static inline uint64_t nardy_held(const nardy_wide *w, int n) {
        uint64_t set = 0;
        for (int i = 0; i < 52; i++) set |= (uint64_t)((&w->row[0][0])[i] >= n) << i;
        return set;
      }
      static inline void nardy_shift(nardy_wide *w, int from, int die) {
        w->row[0][from]--;
        w->row[0][from + die < 25 ? from + die : 25]++;
      }
      static inline void nardy_hit(nardy_wide *w, int slot) { w->row[1][slot]--; w->row[1][0]++; }
    #endif
    /* Where two boards of 52 bytes differ: bit i for byte i. */
    static inline uint64_t nardy_changes(const void *one, const void *two) {
        const int8_t *a = (const int8_t *)one, *b = (const int8_t *)two;
        uint64_t set = 0;
      #if defined(__SSE2__) || defined(_M_X64)
        static const int begin[4] = {0, 16, 32, 36};
        for (int i = 0; i < 4; i++) {
            __m128i same = _mm_cmpeq_epi8(
                _mm_loadu_si128((const __m128i *)(a + begin[i])), _mm_loadu_si128((const __m128i *)(b + begin[i]))
            );
            set |= (uint64_t)(~_mm_movemask_epi8(same) & 0xFFFF) << begin[i];
        }
      #else
        for (int i = 0; i < 52; i++) set |= (uint64_t)(a[i] != b[i]) << i;
      #endif
        return set;
    }
    #endif
    """
    ctypedef struct Wide "nardy_wide":
        pass

    Wide load "nardy_load"(const void *board) noexcept nogil
    void store "nardy_store"(const Wide *wide, void *board) noexcept nogil
    # Where two boards differ: bits 0..25 for row 0, bits 26..51 for row 1.
    uint64_t changes "nardy_changes"(const void *one, const void *two) noexcept nogil
    # With the rows in each other's place.
    Wide swapped "nardy_swapped"(const Wide *wide) noexcept nogil
    # The slots with at least n checkers, 1..15: bits 0..25 for row 0, bits 26..51 for row 1.
    uint64_t held "nardy_held"(const Wide *wide, int n) noexcept nogil
    # A checker of row 0 from a slot, by a die; past slot 24 it is borne off. From slot 25 none is moved.
    void shift "nardy_shift"(Wide *wide, int source, int die) noexcept nogil
    # A checker of row 1 from a slot of its own to slot 0.
    void hit "nardy_hit"(Wide *wide, int slot) noexcept nogil
