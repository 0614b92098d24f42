// expect: false
// value: false
// value-plain: false
// checks: assertions,memory,free,leak
// One byte behind a block of a computed size is written.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct text {
    int length;
    char *bytes;
};

static struct text *make(int n)
{
    struct text *text = malloc(sizeof *text);
    if (!text)
        return NULL;
    text->length = n;
    text->bytes = malloc(n);
    if (!text->bytes) {
        free(text);
        return NULL;
    }
    memset(text->bytes, n, n);
    return text;
}

int main(void)
{
    struct text *texts[3];
    for (int i = 0; i < 3; i++)
        texts[i] = make(i + 2);
    for (int i = 0; i < 3; i++) {
        if (!texts[i])
            continue;
        assert(texts[i]->bytes[i + 1] == i + 2);
        char *longer = realloc(texts[i]->bytes, i + 5);
        if (longer) {
            texts[i]->bytes = longer;
            longer[i + 5] = 1;
            assert(longer[i] == i + 2);
        }
    }
    for (int i = 0; i < 3; i++) {
        if (texts[i]) {
            free(texts[i]->bytes);
            free(texts[i]);
        }
    }
    return 0;
}
