// expect: unknown(access to freed memory)
// checks: assertions,memory,leak
// What a freed block holds is asked on purpose, and not known.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    unsigned char *text = calloc(4, 1);
    if (!text)
        return 0;
    free(text);
#pragma CPROVER check disable "pointer"
    assert(text[2] == 0);
    return 0;
}
