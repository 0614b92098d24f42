// expect: true
// checks: assertions
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static void fill(char *to, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = 7;
}

int main(void)
{
    char before = 1, buffer[4], behind = 1;
    fill(buffer, 4);
    assert(before == 1 && behind == 1 && buffer[3] == 7);
    return 0;
}
