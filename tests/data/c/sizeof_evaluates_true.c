// expect: true
// The operand of `sizeof` is evaluated if it is an array of variable length, that of `typeof` if its type depends on one.
#include <assert.h>

int main(void)
{
    int n = 3, m = 4, c[2][n], i = 0;
    assert(sizeof c[n = 0] == 3 * sizeof(int) && n == 0);
    assert(sizeof c[i++] == 3 * sizeof(int) && i == 1);
    int (*p)[3] = 0, (*rows)[m] = 0;
    int grid[2][m];
    rows = grid;
    assert(sizeof *rows++ == 4 * sizeof(int) && rows == grid + 1);
    assert(sizeof *p++ == 3 * sizeof(int) && p == 0);
    rows = grid;
    assert(sizeof(rows++) == sizeof p && sizeof(*rows++)[0] == sizeof(int) && rows == grid);
    typeof(*rows++) first;
    assert(sizeof first == 4 * sizeof(int) && rows == grid + 1);
    rows = grid;
    typeof(rows++) second;
    assert(rows == grid + 1);
    assert(sizeof(typeof(c[i++])[2]) == 6 * sizeof(int) && i == 2);
    assert(sizeof *(int (*)[m++])rows == 4 * sizeof(int) && m == 5);
    typeof(*(int (*)[m++])rows) third;
    assert(sizeof third == 5 * sizeof(int) && m == 6);
    i = 0;
    assert(_Alignof(c[i++]) == sizeof(int) && sizeof(typeof((c[i++], 0))) == sizeof(int) && i == 0);
    assert(sizeof c[0 * sizeof c[i++]] == 3 * sizeof(int) && i == 1);
    void declared(typeof(c[i++]) *);
    typedef typeof(&c[i--]) row;
    assert(i == 0 && sizeof(row) == sizeof p);
    return 0;
}
