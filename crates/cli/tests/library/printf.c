// Formatted output into memory.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show(const char *format, int n, const char *text)
{
    printf("%s: %d '%s'\n", format, n, text);
}

static void list(const char *format, ...)
{
    char text[100], *made = NULL;
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, 9, format, args);
    va_end(args);
    show(format, n, text);
    va_start(args, format);
    n = vsprintf(text, format, args);
    va_end(args);
    show(format, n, text);
}

static const char *const integers[] = {"%d", "%i", "%u", "%x", "%X", "%o", "%5d", "%-5d|", "%05d", "%+d", "% d", "%+05d", "%.3d", "%8.3d", "%-8.3d|", "%.0d", "%#x", "%#X", "%#o", "%#8x", "%#08x", "%-#8x|", "%#.3o",
                                       "%08.3x", "%hd", "%hu", "%hhd", "%hhu", "%hhx", "%+.0d", "% 05d", "%#.0o", "%#.0x", "%1d", "%-05d|", "%+i", "%12u", "%c|"};
static const char *const longs[] = {"%ld", "%lu", "%lx", "%lo", "%20ld", "%-20ld|", "%020ld", "%lld", "%llu", "%llx", "%zd", "%zu", "%jd", "%ju", "%td", "%#lx", "%.20ld", "%+lld", "%#llo"};
static const char *const strings[] = {"%s", "%5s", "%-5s|", "%.2s", "%5.1s", "%-5.1s|", "%.0s|", "<%s>%%", "%.9s"};
static const char *const floats[] = {"%f", "%.2f", "%e", "%.3e", "%g", "%10.3f", "%-10.1f|", "%+f", "%010.2f", "%.0f", "%#.0f", "%E", "%G", "%a", "% g", "%F"};

// Formats that the program has as literals are taken apart before it runs.
#define LITERAL(format, ...) show("literal " format, snprintf(text, sizeof text, format, __VA_ARGS__), text)

static void literals(int value, long wide, const char *word)
{
    char text[200];
    LITERAL("%d|%i|%u|%x|%X|%o", value, value, value, value, value, value);
    LITERAL("%5d|%-5d|%05d|%+d|% d|%+05d", value, value, value, value, value, value);
    LITERAL("%5u|%-5u|%05u|%012u|%-05u|%.3u", value, value, value, value, value, value);
    LITERAL("%#x|%#8x|%#08x|%-#8X|%08.3x|%#.3x", value, value, value, value, value, value);
    LITERAL("%#o|%#8o|%#08o|%-#8o|%08.3o|%#.3o", value, value, value, value, value, value);
    LITERAL("%hhd|%hhu|%hd|%hu|%05hu|%012hx", value, value, value, value, value, value);
    LITERAL("%ld|%lu|%lx|%012lx|%020ld|%-20lu|", wide, wide, wide, wide, wide, wide);
    LITERAL("%zd|%ju|%#td|%lld|%#llx|%.20ld", wide, wide, wide, (long long)wide, (long long)wide, wide);
    for (int width = -7; width < 9; width += 3) {
        LITERAL("%*d|%-*d|%0*d|%+*d", width, value, width, value, width, value, width, value);
        LITERAL("%*u|%-*x|%0*X|%#*o", width, value, width, value, width, value, width, value);
        LITERAL("%.*d|%.*x|%8.*d|%*.*lu", width, value, width, value, width, value, width, width, wide);
        LITERAL("%*s|%.*s|%-*.*s|%*c", width, word, width, word, width, width, word, width, 'c');
    }
    int length = -1;
    char tiny = -1;
    LITERAL("%s%n|%5s|%-5s|%.2s%hhn|%%", word, &length, word, word, word, &tiny);
    show("lengths", length, tiny > 3 ? "more" : "few");
}

int main(void)
{
    char text[500];
    static const int ints[] = {0, 1, -1, 7, 8, 9, 10, 15, 16, 99, 100, -100, 255, 256, 32767, 32768, 65535, 65536, 123456789, 2147483647, -2147483647 - 1};
    for (unsigned i = 0; i < sizeof integers / sizeof *integers; i++) {
        for (unsigned j = 0; j < sizeof ints / sizeof *ints; j++) {
            if (strchr(integers[i], 'c') && ints[j] % 256 == 0)
                continue;
            int n = snprintf(text, sizeof text, integers[i], ints[j]);
            show(integers[i], n, text);
        }
    }
    static const long all[] = {0, 1, -1, 4294967295, 4294967296, 1000000000000, INT64_MAX, INT64_MIN};
    for (unsigned i = 0; i < sizeof longs / sizeof *longs; i++) {
        for (unsigned j = 0; j < sizeof all / sizeof *all; j++) {
            int n = sprintf(text, longs[i], all[j]);
            show(longs[i], n, text);
        }
    }
    static const char *const words[] = {"", "a", "ab", "hello world"};
    for (unsigned j = 0; j < sizeof ints / sizeof *ints; j++)
        literals(ints[j], all[j % 8], words[j % 4]);
    for (unsigned i = 0; i < sizeof strings / sizeof *strings; i++) {
        for (unsigned j = 0; j < 4; j++) {
            for (unsigned size = 1; size < 9; size++) {
                int n = snprintf(text, size, strings[i], words[j]);
                show(strings[i], n, text);
            }
            list(strings[i], words[j]);
        }
    }
    static const double numbers[] = {0, -0.0, 1, -1.5, 3.14159, 1e10, 123456.789, 1e-5, 0.1};
    for (unsigned i = 0; i < sizeof floats / sizeof *floats; i++) {
        for (unsigned j = 0; j < sizeof numbers / sizeof *numbers; j++) {
            int n = snprintf(text, sizeof text, floats[i], numbers[j]);
            show(floats[i], n, text);
        }
    }
    list("%*d|%-*d|%.*d", 5, 1, 5, 2, 5, 3);
    list("%*d|", -7, 12);
    list("%.*s|%.*s", -1, "abc", 2, "abc");
    list("%5c|%-5c|%c", 'a', 'b', 'c');
    list("%p|%10p|%-10p|", NULL, NULL, NULL);
    list("no conversions");
    list("%d %s %c %lu %%", -5, "x", 'y', 7ul);
    int at = 0;
    long behind = 0;
    snprintf(text, 3, "abc%ndef%ln", &at, &behind);
    printf("%d %ld\n", at, behind);
    printf("%d\n", snprintf(NULL, 0, "%d-%s", 12345, "abc"));
    return 0;
}
