// expect: true
// checks: assertions,memory,leak
// Behind the three bytes lies what may be anything; nobody is told, because the pragma says so.
#include <stdlib.h>

extern void reach_error(void);

int main(void) {
    unsigned char *text = malloc(3);
    if (!text)
        return 0;
    text[0] = 7;
#pragma CPROVER check push
#pragma CPROVER check disable "pointer"
    unsigned word = *(unsigned *)text;
#pragma CPROVER check pop
    if (word - 1 > word && word != 0)
        reach_error();
    free(text);
    return 0;
}
