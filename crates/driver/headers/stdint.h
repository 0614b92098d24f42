#ifndef __HONE_STDINT_H
#define __HONE_STDINT_H
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef __INT16_TYPE__ int16_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __INT32_TYPE__ int32_t;
typedef __UINT32_TYPE__ uint32_t;
#if __SIZEOF_LONG__ == 8
typedef long int64_t;
typedef unsigned long uint64_t;
#define INT64_C(value) value##L
#define UINT64_C(value) value##UL
#else
typedef long long int64_t;
typedef unsigned long long uint64_t;
#define INT64_C(value) value##LL
#define UINT64_C(value) value##ULL
#endif
typedef int64_t intmax_t;
typedef uint64_t uintmax_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef int8_t int_least8_t;
typedef uint8_t uint_least8_t;
typedef int16_t int_least16_t;
typedef uint16_t uint_least16_t;
typedef int32_t int_least32_t;
typedef uint32_t uint_least32_t;
typedef int64_t int_least64_t;
typedef uint64_t uint_least64_t;
typedef signed char int_fast8_t;
typedef unsigned char uint_fast8_t;
typedef intptr_t int_fast16_t;
typedef uintptr_t uint_fast16_t;
typedef intptr_t int_fast32_t;
typedef uintptr_t uint_fast32_t;
typedef int64_t int_fast64_t;
typedef uint64_t uint_fast64_t;
#define INT8_C(value) value
#define INT16_C(value) value
#if __SIZEOF_INT__ > 2
#define INT32_C(value) value
#define UINT16_C(value) value
#define UINT32_C(value) value##U
#define UINT16_MAX 65535
#define UINT_LEAST16_MAX 65535
#else
#define INT32_C(value) value##L
#define UINT16_C(value) value##U
#define UINT32_C(value) value##UL
#define UINT16_MAX 65535U
#define UINT_LEAST16_MAX 65535U
#endif
#define UINT8_C(value) value
#define INTMAX_C(value) INT64_C(value)
#define UINTMAX_C(value) UINT64_C(value)
#define INT8_MAX 127
#define INT8_MIN (-127 - 1)
#define UINT8_MAX 255
#define INT_LEAST8_MAX 127
#define INT_LEAST8_MIN (-127 - 1)
#define UINT_LEAST8_MAX 255
#define INT16_MAX 32767
#define INT16_MIN (-32767 - 1)
#define INT_LEAST16_MAX 32767
#define INT_LEAST16_MIN (-32767 - 1)
#define INT32_MAX 2147483647
#define INT32_MIN (-2147483647 - 1)
#define UINT32_MAX 4294967295U
#define INT_LEAST32_MAX 2147483647
#define INT_LEAST32_MIN (-2147483647 - 1)
#define UINT_LEAST32_MAX 4294967295U
#define INT64_MAX INT64_C(9223372036854775807)
#define INT64_MIN (-INT64_C(9223372036854775807) - 1)
#define UINT64_MAX UINT64_C(18446744073709551615)
#define INT_LEAST64_MAX INT64_C(9223372036854775807)
#define INT_LEAST64_MIN (-INT64_C(9223372036854775807) - 1)
#define UINT_LEAST64_MAX UINT64_C(18446744073709551615)
#define INTMAX_MAX INT64_MAX
#define INTMAX_MIN INT64_MIN
#define UINTMAX_MAX UINT64_MAX
#if __SIZEOF_POINTER__ == 8
#define INTPTR_MAX INT64_MAX
#define INTPTR_MIN INT64_MIN
#define UINTPTR_MAX UINT64_MAX
#define PTRDIFF_MAX INT64_MAX
#define PTRDIFF_MIN INT64_MIN
#define SIZE_MAX UINT64_MAX
#else
#define INTPTR_MAX INT32_MAX
#define INTPTR_MIN INT32_MIN
#define UINTPTR_MAX UINT32_MAX
#define PTRDIFF_MAX INT32_MAX
#define PTRDIFF_MIN INT32_MIN
#define SIZE_MAX UINT32_MAX
#endif
#define INT_FAST8_MAX INT8_MAX
#define INT_FAST8_MIN INT8_MIN
#define UINT_FAST8_MAX UINT8_MAX
#define INT_FAST16_MAX INTPTR_MAX
#define INT_FAST16_MIN INTPTR_MIN
#define UINT_FAST16_MAX UINTPTR_MAX
#define INT_FAST32_MAX INTPTR_MAX
#define INT_FAST32_MIN INTPTR_MIN
#define UINT_FAST32_MAX UINTPTR_MAX
#define INT_FAST64_MAX INT64_MAX
#define INT_FAST64_MIN INT64_MIN
#define UINT_FAST64_MAX UINT64_MAX
#define WCHAR_MAX __WCHAR_MAX__
#define WCHAR_MIN __WCHAR_MIN__
#endif
