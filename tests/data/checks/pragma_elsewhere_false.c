// expect: false
// checks: assertions,memory,leak
// Behind `pop`, all is checked again.
#include <stdlib.h>

int main(void) {
    unsigned char *text = malloc(3);
    if (!text)
        return 0;
#pragma CPROVER check push
#pragma CPROVER check disable "pointer"
    unsigned char last = text[2];
#pragma CPROVER check pop
    unsigned char behind = text[3];
    free(text);
    return behind == last;
}
