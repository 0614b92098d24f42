// expect: true
// bam-value: unknown(timeout)
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

int main(void)
{
    char *end;
    errno = 0;
    assert(strtol(" -12abc", &end, 10) == -12 && *end == 'a' && errno == 0);
    assert(strtol("99999999999999999999", NULL, 0) == LONG_MAX && errno == ERANGE);
    assert(strtoull("-1", NULL, 10) == ULLONG_MAX && strtoul("0x", &end, 0) == 0 && *end == 'x');
    assert(strtod("-12.5e1kg", &end) == -125 && *end == 'k' && atof("0x1.8p1") == 3);
    div_t parts = div(-17, 5);
    assert(parts.quot == -3 && parts.rem == -2);
    return 0;
}
