int printf(const char *, ...);
static int failures;
static void check(int id, long long got, long long expected)
{
    if (got != expected) {
        printf("%d: %lld, not %lld\n", id, got, expected);
        failures++;
    }
}

static int total(int n, int a[n])
{
    int t = 0;
    for (int i = 0; i < n; i++)
        t += a[i];
    return t;
}
static int variable(int n)
{
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = i * i;
    return total(n, a) + (int)(sizeof a / sizeof *a);
}
static int matrix(int rows, int columns)
{
    int m[rows][columns];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            m[i][j] = i * 10 + j;
    int (*last)[columns] = &m[rows - 1];
    return m[1][2] * 100 + (*last)[1] + (int)sizeof m[0];
}
static int parameter(int n, int m, int a[n][m]) { return a[1][m - 1]; }
static int in_loop(void)
{
    int t = 0;
    for (int n = 1; n < 4; n++) {
        char a[n * 2];
        a[n] = n;
        t += a[n] + sizeof a;
    }
    return t;
}
static int on_stack(int n)
{
    int *p = __builtin_alloca(n * sizeof(int));
    p[n - 1] = 3;
    return p[n - 1];
}

struct flexible { int n; short tail[]; };
static struct flexible flexible = {2, {7, 8}};

int main(void)
{
    check(1, variable(4), 14 + 4);
    check(2, matrix(2, 3), 1200 + 11 + 12);
    int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
    check(3, parameter(2, 3, grid), 6);
    check(4, in_loop(), 1 + 2 + 2 + 4 + 3 + 6);
    check(5, on_stack(5), 3);
    check(6, flexible.tail[1] * 10 + flexible.n, 82);
    int i = 1;
    check(7, i[grid][2], 6);
    int *end = &grid[1][3];
    check(8, end - &grid[0][0], 6);
    int cube[2][2][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
    int sum = 0;
    for (int *p = &cube[0][0][0]; p < &cube[0][0][0] + 8; p++)
        sum = sum * 10 + *p;
    check(9, sum, 12345678);
    unsigned char bytes[4] = {0xff, 1};
    check(10, *(unsigned *)bytes, 0x1ff);
    return failures;
}
