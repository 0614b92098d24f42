// expect: unknown(counterexample not confirmed by replay)
// A function outside of the program that has the name of one of the library's own may return anything; replays take it for that.
#include <assert.h>

extern int _float_digit(double value, int conversion, int width, int precision, int index);

int main(void)
{
    assert(_float_digit(2.5, 'g', 0, -1, 0) == '2');
    return 0;
}
