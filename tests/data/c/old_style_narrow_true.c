// expect: true
// checks: assertions,call
// Definitions without a prototype take promoted arguments, and convert them to their parameters.
#include <assert.h>

static int two(a, b) int a; char b; { return a + b; }
static double half(x) float x; { return x / 2; }
static int truth(b) _Bool b; { return b; }
static int *own(s) short s; { static int seen; short *p = &s; ++*p; seen = s; return &seen; }
static int said(int, int);
static int said(c, u) char c; unsigned char u; { return c + u; }
static int narrow(char);
static int narrow(c) char c; { return c; }

int main(void)
{
    int (*kr)() = two, (*prototype)(int, int) = two, (*bool_taken)() = truth, (*also)(int, int) = said;
    double (*halve)() = half;
    int *(*object)() = own;
    int (*exact)(char) = narrow;
    assert(kr(1, 2) == 3 && kr(1, 258) == 3 && two(1, 258) == 3 && prototype(1, 258) == 3);
    assert(halve(3.0f) == 1.5 && halve(16777217.0) == 8388608 && half(16777217.0) == 8388608);
    assert(bool_taken(1) == 1 && truth(0) == 0);
    assert(*object(70000) == 4465);
    assert(said(-1, 257) == 0 && also(255, 256) == -1);
    assert(exact(300) == 44 && narrow(300) == 44);
    return 0;
}
