// Formatted input from memory.
#include <stdio.h>
#include <string.h>

static const char *const inputs[] = {"", " ", "3", "-17", "+5", "3,4", "3 , 4", "12abc", "abc", "0x1f", "017", "0x", "- 4", "  8  9 ", "%5", "5%", "99999", "-", "a b", "1-2-3", "aab", "b]c"};
enum { N = sizeof inputs / sizeof *inputs };

int main(void)
{
    static const char *const two[] = {"%d,%d", "%d %d", "%i%i", "%2d%d", "%x%x", "%o%o", "%u-%u", "%d%%%d", "%*d%d%d", "%5d , %d", "a%db%d", "%d%n"};
    for (int i = 0; i < N; i++) {
        for (unsigned j = 0; j < sizeof two / sizeof *two; j++) {
            int a = -99, b = -99;
            int n = sscanf(inputs[i], two[j], &a, &b);
            printf("'%s' '%s': %d %d %d\n", inputs[i], two[j], n, a, b);
        }
        static const char *const text[] = {"%s%s", "%2s%s", "%c%c", "%2c%1c", " %c %c", "%[a-c]%s", "%[^a]%s", "%*s%s%s", "%[]b]%[-,]", "%1[0-9]%2[^-]"};
        for (unsigned j = 0; j < sizeof text / sizeof *text; j++) {
            char a[20] = "########", b[20] = "########";
            int n = sscanf(inputs[i], text[j], a, b);
            a[8] = b[8] = 0;
            printf("'%s' '%s': %d '%s' '%s'\n", inputs[i], text[j], n, a, b);
        }
        short h = -1;
        signed char hh = -1;
        long l = -1;
        long long ll = -1;
        size_t z = 1;
        int n = sscanf(inputs[i], "%hd", &h) + sscanf(inputs[i], "%hhd", &hh) + sscanf(inputs[i], "%ld", &l) + sscanf(inputs[i], "%lld", &ll) + sscanf(inputs[i], "%zu", &z);
        printf("%d %d %d %ld %lld %zu\n", n, h, hh, l, ll, z);
        double d = -1;
        float f = -1;
        n = sscanf(inputs[i], "%lf", &d) + sscanf(inputs[i], "%f", &f);
        if (strcmp(inputs[i], "0x"))
            printf("%d %a %a\n", n, d, f);
    }
    return 0;
}
