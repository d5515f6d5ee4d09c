"""Bit sets of slots: bit s stands for slot s. What C has no portable word for; compiled into each module that uses it."""

from libc.stdint cimport int8_t, uint32_t


cdef extern from *:
    """
    #ifndef NARDY_FAST_BITS
    #define NARDY_FAST_BITS
    #include <stdint.h>
    #include <string.h>
    #if defined(__SSE2__) || defined(_M_X64)
      #include <emmintrin.h>
    #endif
    #ifdef __BMI2__
      #include <immintrin.h>
    #endif
    #ifdef _MSC_VER
      #include <intrin.h>
      static __inline int nardy_lowest(uint32_t set)  { unsigned long i; _BitScanForward(&i, set); return (int)i; }
      static __inline int nardy_highest(uint32_t set) { unsigned long i; _BitScanReverse(&i, set); return (int)i; }
    #else
      static inline int nardy_lowest(uint32_t set)  { return __builtin_ctz(set); }
      static inline int nardy_highest(uint32_t set) { return 31 - __builtin_clz(set); }
    #endif

    /* Without a popcount instruction, which plain x86-64 lacks, this beats the compiler's table. */
    static inline int nardy_size(uint32_t set) {
    #ifdef __POPCNT__
      return __builtin_popcount(set);
    #else
      set -= set >> 1 & 0x55555555u;
      set = (set & 0x33333333u) + (set >> 2 & 0x33333333u);
      return (int)((((set + (set >> 4)) & 0x0F0F0F0Fu) * 0x01010101u) >> 24);
    #endif
    }

    /* Of two sets together. */
    static inline int nardy_sizes(uint32_t set, uint32_t set2) {
      uint64_t both = (uint64_t)set2 << 32 | set;
    #ifdef __POPCNT__
      return __builtin_popcountll(both);
    #else
      both -= both >> 1 & 0x5555555555555555u;
      both = (both & 0x3333333333333333u) + (both >> 2 & 0x3333333333333333u);
      return (int)((((both + (both >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u) >> 56);
    #endif
    }

    /* The slot that n others of the set, which has more than n, lie below. */
    static inline int nardy_nth(uint32_t set, int n) {
    #ifdef __BMI2__
      return nardy_lowest(_pdep_u32((uint32_t)1 << n, set));
    #else
      while (n-- > 0) set &= set - 1;
      return nardy_lowest(set);
    #endif
    }

    /* The slots of a row of 26 (0..15 checkers each) that hold at least n. */
    static inline uint32_t nardy_at_least(const int8_t *row, int n) {
    #if defined(__SSE2__) || defined(_M_X64)
      __m128i fewer = _mm_set1_epi8((char)(n - 1));
      __m128i low = _mm_loadu_si128((const __m128i *)row), high = _mm_loadu_si128((const __m128i *)(row + 10));
      return (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(low, fewer))
           | (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(high, fewer)) << 10;
    #else
      uint32_t set = 0;
      for (int slot = 0; slot < 26; slot++) set |= (uint32_t)(row[slot] >= n) << slot;
      return set;
    #endif
    }
    #endif
    """
    int lowest "nardy_lowest"(uint32_t set) noexcept nogil
    int highest "nardy_highest"(uint32_t set) noexcept nogil
    int size "nardy_size"(uint32_t set) noexcept nogil
    int sizes "nardy_sizes"(uint32_t set, uint32_t set2) noexcept nogil
    int nth "nardy_nth"(uint32_t set, int n) noexcept nogil
    uint32_t at_least "nardy_at_least"(const int8_t *row, int n) noexcept nogil


cdef inline uint32_t bit(int slot) noexcept nogil:
    return <uint32_t>1 << slot
