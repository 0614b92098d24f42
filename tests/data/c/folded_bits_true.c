// expect: true
// Builtins of which compilers know the result are constant expressions.
#include <assert.h>

enum {
    ZERO = __builtin_clrsb(0),
    ONE = __builtin_clrsb(1),
    LEAST = __builtin_clrsb(-2147483647 - 1),
    LONG = __builtin_clrsbll(-5LL),
    NAN = __builtin_nan("") != __builtin_nan("0x12"),
    LESS = __builtin_nanf("") < 1 || __builtin_nanl("") > 0,
};

static double nan = __builtin_nan("");
static float sum = 1 + __builtin_nanf("");
static int sign_bits = __builtin_clrsb(-256);

int main(void)
{
    assert(ZERO == 31 && ONE == 30 && LEAST == 0 && LONG == 60 && NAN && !LESS);
    assert(nan != nan && sum != sum && sign_bits == 23);
    return 0;
}
