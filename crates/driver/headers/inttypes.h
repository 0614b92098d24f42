#ifndef __HONE_INTTYPES_H
#define __HONE_INTTYPES_H
#include <stdint.h>
#if __SIZEOF_LONG__ == 8
#define __PRI64 "l"
#else
#define __PRI64 "ll"
#endif
#if __SIZEOF_POINTER__ == 8
#define __PRIPTR __PRI64
#else
#define __PRIPTR ""
#endif
#define PRId8 "hhd"
#define PRId16 "hd"
#define PRId32 "d"
#define PRId64 __PRI64 "d"
#define PRIdMAX __PRI64 "d"
#define PRIdPTR __PRIPTR "d"
#define PRIi8 "hhi"
#define PRIi16 "hi"
#define PRIi32 "i"
#define PRIi64 __PRI64 "i"
#define PRIiMAX __PRI64 "i"
#define PRIiPTR __PRIPTR "i"
#define PRIo8 "hho"
#define PRIo16 "ho"
#define PRIo32 "o"
#define PRIo64 __PRI64 "o"
#define PRIoMAX __PRI64 "o"
#define PRIoPTR __PRIPTR "o"
#define PRIu8 "hhu"
#define PRIu16 "hu"
#define PRIu32 "u"
#define PRIu64 __PRI64 "u"
#define PRIuMAX __PRI64 "u"
#define PRIuPTR __PRIPTR "u"
#define PRIx8 "hhx"
#define PRIx16 "hx"
#define PRIx32 "x"
#define PRIx64 __PRI64 "x"
#define PRIxMAX __PRI64 "x"
#define PRIxPTR __PRIPTR "x"
#define PRIX8 "hhX"
#define PRIX16 "hX"
#define PRIX32 "X"
#define PRIX64 __PRI64 "X"
#define PRIXMAX __PRI64 "X"
#define PRIXPTR __PRIPTR "X"
#define SCNd8 "hhd"
#define SCNd16 "hd"
#define SCNd32 "d"
#define SCNd64 __PRI64 "d"
#define SCNi8 "hhi"
#define SCNi16 "hi"
#define SCNi32 "i"
#define SCNi64 __PRI64 "i"
#define SCNo8 "hho"
#define SCNo16 "ho"
#define SCNo32 "o"
#define SCNo64 __PRI64 "o"
#define SCNu8 "hhu"
#define SCNu16 "hu"
#define SCNu32 "u"
#define SCNu64 __PRI64 "u"
#define SCNx8 "hhx"
#define SCNx16 "hx"
#define SCNx32 "x"
#define SCNx64 __PRI64 "x"
intmax_t strtoimax(const char *, char **, int);
uintmax_t strtoumax(const char *, char **, int);
intmax_t imaxabs(intmax_t);
#endif
