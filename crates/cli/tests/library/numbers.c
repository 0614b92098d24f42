// Numbers in texts.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const texts[] = {
    "", "0", "1", "-1", "+7", "  42", "\t\n\v\f\r 9x", "- 3", "+-3", "x", "0x", "0xg", "0x1F", "-0x10", "0X7fffffff", "017", "08", "777", "zz", "ZZ", "2147483647",
    "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296", "-4294967296", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "-18446744073709551615",
    "-18446744073709551616", "99999999999999999999999", "-99999999999999999999999", "1e5", "0b101", "12 34", "0x0", "00", "1_000"};
static const int bases[] = {0, 2, 3, 7, 8, 10, 11, 16, 36, 1, 37, -5};
static const char *const floats[] = {
    "", "0", "-0", "1", "1.5", "-2.25", ".5", "5.", ".", "-", "+.e5", "1e3", "1e", "1e+", "1e-2", "1E5x", "  3.14159", "2.5e-3", "123456789012345", "1e22", "1e23", "1e-22", "1e-23",
    "1e300", "1e-300", "1e400", "-1e400", "1e-400", "9007199254740993", "0.1", "0.30000000000000004", "123456.789e-10", "inf", "-INFINITY", "infinit", "nan", "nan(1)", "nanx", "1.2.3", "3,5",
    "16777217", "16777216.5", "3.4028236e38", "1e39", "1.17549435e-38", "00012.500", "1e0005", "1e-0005", "0e99999", "0.0000001", "0x1f", "0x1.8p3x", "-0x.8", "0x", "0x.p1", "0xAbcP-4", "0x1p-3", "0x1.g"};

int main(void)
{
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *text = texts[i];
        for (unsigned j = 0; j < sizeof bases / sizeof *bases; j++) {
            int base = bases[j];
            char *end = (char *)text;
            errno = 0;
            long l = strtol(text, &end, base);
            printf("'%s' %d: %ld %d %d", text, base, l, (int)(end - text), errno);
            errno = 0;
            unsigned long ul = strtoul(text, &end, base);
            printf(" %lu %d %d", ul, (int)(end - text), errno);
            errno = 3;
            long long ll = strtoll(text, &end, base);
            printf(" %lld %d %d", ll, (int)(end - text), errno);
            errno = 3;
            unsigned long long ull = strtoull(text, NULL, base);
            printf(" %llu %d", ull, errno);
            printf(" %jd %ju", strtoimax(text, &end, base), strtoumax(text, NULL, base));
            printf(" %lld %llu\n", (long long)strtoq(text, &end, base), (unsigned long long)strtouq(text, NULL, base));
        }
        if (i < 24)
            printf("%d %ld %lld\n", atoi(text), atol(text), atoll(text));
    }
    for (unsigned i = 0; i < sizeof floats / sizeof *floats; i++) {
        const char *text = floats[i];
        char *end;
        double d = strtod(text, &end);
        printf("'%s': %a %d %a", text, d, (int)(end - text), atof(text));
        float f = strtof(text, &end);
        printf(" %a %d\n", f, (int)(end - text));
    }
    return 0;
}
