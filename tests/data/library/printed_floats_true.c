// expect: true
// A float whose value is known has one text, which is read back as the same number.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct number {
    double value;
};

static int print(const struct number *number, char *text)
{
    double back = 0;
    int length = sprintf(text, "%1.15g", number->value);
    if (sscanf(text, "%lg", &back) != 1 || back != number->value)
        length = sprintf(text, "%1.17g", number->value);
    return length;
}

int main(void)
{
    char text[32];
    struct number *number = malloc(sizeof *number);
    if (!number)
        return 0;
    number->value = 2.5;
    assert(print(number, text) == 3 && !strcmp(text, "2.5"));
    number->value = 1.0 / 3;
    assert(print(number, text) == 19 && !strcmp(text, "0.33333333333333331"));
    assert(sprintf(text, "%+.2e|%#08.1f", 12345.0, -0.05) == 18);
    assert(!strcmp(text, "+1.23e+04|-00000.1"));
    free(number);
    return 0;
}
