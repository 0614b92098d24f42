#ifndef __HONE_LOCALE_H
#define __HONE_LOCALE_H
#include <stddef.h>
#define LC_ALL 6
#define LC_CTYPE 0
#define LC_NUMERIC 1
char *setlocale(int, const char *);
struct lconv { char *decimal_point; char *thousands_sep; char *grouping; };
struct lconv *localeconv(void);
#endif
