/* May be included again, with and without NDEBUG. */
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))
#endif
#ifndef __HONE_ASSERT_H
#define __HONE_ASSERT_H
void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((noreturn));
#define static_assert _Static_assert
#endif
