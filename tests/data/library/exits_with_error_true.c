// expect: true
// checks: assertions,memory
// `error` exits unless its status is zero, `errx` with any status, and both without text as `err` does.
#define _GNU_SOURCE
#include <assert.h>
#include <err.h>
#include <error.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static char *name;

static void give_back(void)
{
    free(name);
}

int main(void)
{
    int status = __VERIFIER_nondet_int();
    atexit(give_back);
    name = calloc(4, 1);
    if (!name)
        err(1, (const char *)0);
    error(status, 0, "about %s", name);
    assert(status == 0);
    if (__VERIFIER_nondet_int())
        errx(0, "about %s", name);
    error_at_line(0, 0, "file", 7, "goes on");
    return 0;
}
