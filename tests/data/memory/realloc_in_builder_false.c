// expect: false
// A string builder: the first block is written at known places, the second one at unknown ones.

#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct builder { char *text; size_t len, cap; };

static int add(struct builder *b, char c)
{
    if (b->len + 1 >= b->cap) {
        size_t cap = b->cap ? 2 * b->cap : 4;
        char *text = realloc(b->text, cap);
        if (!text)
            return -1;
        b->text = text;
        b->cap = cap;
    }
    b->text[b->len++] = c;
    b->text[b->len] = '\0';
    return 0;
}

int main(void)
{
    struct builder b = {0};
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 6)
        return 0;
    int i;
    for (i = 0; i < n; i++)
        if (add(&b, 'a' + i) < 0)
            break;
    if (i > 0) {
        assert(i < 6 || b.text[4] != 'e');
        assert(b.text[i - 1] == 'a' + i - 1);
        assert(b.text[b.len] == '\0');
    }
    free(b.text);
}
